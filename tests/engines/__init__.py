"""Regular expression engines other than Python's, as oracles of what is exported for them.

Owns the running of each: one process, or none, for all its patterns and texts. Imports the
standard library, and an engine's own binding where it is used. Invariant: an engine that is not on
the machine says so in words, which tests show as the reason of a skip.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from . import postgres

HERE = Path(__file__).parent
SURROGATES = frozenset(range(0xD800, 0xE000))

Case = tuple[str, Sequence[str]]
"""A pattern (or document), and the texts to try it on."""


@dataclass(frozen=True)
class Engine:
    """``run`` gives, per case, a verdict for each text; ``missing`` says why it cannot, or None."""

    name: str
    target: str
    missing: Callable[[], str | None]
    run: Callable[[Sequence[Case]], list[list[bool]]]
    lacks: frozenset[int] = frozenset()
    """Code points that the engine's texts cannot hold."""

    def holds(self, text: str) -> bool:
        return self.lacks.isdisjoint(map(ord, text))


def _load(name: str) -> Any:
    """A binding, which has no types of its own."""
    return import_module(name)


def _module(name: str, package: str) -> Callable[[], str | None]:
    return lambda: None if find_spec(name) else f"{package} is not installed (PyPI)"


def _program(name: str, package: str) -> Callable[[], str | None]:
    return lambda: None if shutil.which(name) else f"{name} is not installed (Debian: {package})"


def _python(cases: Sequence[Case]) -> list[list[bool]]:
    import re

    return [[bool(re.fullmatch(p, t)) for t in texts] for p, texts in cases]


def _searched(module: str, cases: Sequence[Case]) -> list[list[bool]]:
    compiled = [(_load(module).compile(pattern), texts) for pattern, texts in cases]
    return [[bool(one.search(t)) for t in texts] for one, texts in compiled]


def _pcre2(cases: Sequence[Case]) -> list[list[bool]]:
    """By the library's own test program, which is told all characters by their numbers."""
    lines = []
    for pattern, texts in cases:
        lines.append(f"/{pattern.encode().hex()}/hex")
        # A line without a text would end the texts; one of modifiers alone is the empty text.
        lines += ["".join(f"\\x{{{ord(c):X}}}" for c in text) or "\\=no_jit" for text in texts]
        lines.append("")
    given = "\n".join(lines) + "\n"
    run = subprocess.run(
        ["pcre2test", "-q", "-8"], input=given, capture_output=True, text=True, check=True
    )
    told = [line for line in run.stdout.splitlines() if line[:3] in {" 0:", "No "}]
    assert len(told) == sum(len(texts) for _, texts in cases), run.stdout[-2000:]
    verdicts = iter(told)
    return [[next(verdicts).startswith(" 0:") for _ in texts] for _, texts in cases]


def _validated(
    validator_for: Callable[[str], Callable[[str], bool]], cases: Sequence[Case]
) -> list[list[bool]]:
    """By a validator of JSON Schema, as it is made of each pattern or document."""
    made = [(validator_for(given), texts) for given, texts in cases]
    return [[is_valid(t) for t in texts] for is_valid, texts in made]


def _rust(pattern: str) -> Any:
    """The crate regex, as the JSON Schema validator of Rust uses it."""
    rust = _load("jsonschema_rs")
    options = rust.RegexOptions(size_limit=100 << 20, dfa_size_limit=100 << 20)
    return rust.validator_for({"pattern": pattern}, pattern_options=options).is_valid


def _schema_of_rust(document: str) -> Any:
    return _load("jsonschema_rs").validator_for(json.loads(document)).is_valid


def _schema_of_python(document: str) -> Any:
    schema = json.loads(document)
    return _load("jsonschema").validators.validator_for(schema)(schema).is_valid


def _node(flags: str, cases: Sequence[Case]) -> list[list[bool]]:
    given = json.dumps({"flags": flags, "cases": cases})
    run = subprocess.run(
        ["node", str(HERE / "verdicts.js")], input=given, capture_output=True, text=True, check=True
    )
    found: list[list[bool]] = json.loads(run.stdout)
    return found


def _hexadecimal(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex()


def _java(cases: Sequence[Case]) -> list[list[bool]]:
    lines = []
    for pattern, texts in cases:
        lines += [f"P{_hexadecimal(pattern)}", *(f"T{_hexadecimal(t)}" for t in texts)]
    run = subprocess.run(
        ["java", "-Xss512k", str(HERE / "Verdicts.java")],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    verdicts = iter(run.stdout.split())
    return [[next(verdicts) == "true" for _ in texts] for _, texts in cases]


rust_missing = _module("jsonschema_rs", "jsonschema-rs")
node_missing = _program("node", "nodejs")
java_missing = _program("java", "default-jdk-headless")

ENGINES = (
    Engine("re", "regex", lambda: None, _python),
    Engine("re2", "re2", _module("re2", "google-re2"), partial(_searched, "re2"), SURROGATES),
    Engine("rust", "rust", rust_missing, partial(_validated, _rust), SURROGATES),
    Engine("pcre2", "pcre2", _program("pcre2test", "pcre2-utils"), _pcre2, SURROGATES),
    Engine("node-u", "ecmascript", node_missing, partial(_node, "u")),
    Engine("node-v", "ecmascript", node_missing, partial(_node, "v")),
    Engine("java", "java", java_missing, _java),
    Engine("postgres", "postgres", postgres.psql_missing, postgres.verdicts, SURROGATES | {0}),
    Engine(
        *("jsonschema-rs", "json-schema", rust_missing),
        *(partial(_validated, _schema_of_rust), SURROGATES),
    ),
    Engine(
        *("jsonschema", "json-schema", _module("jsonschema", "jsonschema")),
        *(partial(_validated, _schema_of_python), SURROGATES),
    ),
    Engine(
        "node-schema",
        "json-schema",
        node_missing,
        lambda cases: _node("u", [(json.loads(d)["pattern"], texts) for d, texts in cases]),
        SURROGATES,
    ),
)
