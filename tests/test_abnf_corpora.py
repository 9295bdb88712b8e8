"""The grammars of the abnf package, through this reader, and its corpora held to both verdicts.

The corpora are in its source distribution alone: ``ABNF_SDIST`` names an unpacked one; otherwise
pip is asked for it once, and the tests are skipped where it cannot be had.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from random_grammars import seeded

from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.grammar.registry import compile_abnf

pytestmark = pytest.mark.prove

GRAMMARS = (
    *("cors", "rfc2616", "rfc3339", "rfc3629", "rfc3986", "rfc3987", "rfc4647", "rfc5234"),
    *("rfc5322", "rfc5646", "rfc5987", "rfc6265", "rfc6266", "rfc6797", "rfc7230", "rfc7231"),
    *("rfc7232", "rfc7233", "rfc7234", "rfc7235", "rfc7239", "rfc7240", "rfc7405", "rfc7489"),
    *("rfc7838", "rfc8187", "rfc8288", "rfc9051", "rfc9110", "rfc9111", "rfc9116", "rfc9651"),
)
ASKED = 12
"""Texts of a rule that the package, which is slow, is asked about."""


@pytest.fixture(scope="session")
def sdist(request: pytest.FixtureRequest) -> Path:
    """The unpacked source distribution of the version that is installed."""
    given = os.environ.get("ABNF_SDIST")
    if given:
        return Path(given)
    release = f"abnf-{version('abnf')}"
    cache = getattr(request.config, "cache", None)  # none with -p no:cacheprovider
    folder: Path | None = cache.mkdir("abnf") if cache else None
    if folder is None:
        pytest.skip("pytest has no cache to unpack the package in")
    if not (folder / release).is_dir():
        asked = [
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            "abnf",
            release.replace("-", "=="),
        ]
        with tempfile.TemporaryDirectory(dir=folder) as own:  # other processes unpack it, too
            done = subprocess.run(
                [sys.executable, "-m", "pip", *asked, "--dest", own],
                check=False,
                capture_output=True,
                timeout=120,
            )
            packed = Path(own, f"{release}.tar.gz")
            if done.returncode or not packed.is_file():
                pytest.skip("the source distribution of abnf cannot be had (PyPI)")
            with tarfile.open(packed) as archive:
                archive.extractall(own, filter="data")
            with suppress(OSError):  # another process was first
                Path(own, release).rename(folder / release)
    return folder / release


@cache
def effective(tests: Path) -> Any:
    """The package's own tool that writes a grammar out, with what it imports."""
    sys.path.insert(0, str(tests))
    return import_module("effective_grammar").effective_grammar


def corpus(fuzz: Path, name: str) -> dict[str, list[str]]:
    """The texts of all its corpora, by rule, valid and not."""
    found: dict[str, list[str]] = {}
    for folder in ("corpus", "corpus_neg", "corpus_abnfgen"):
        path = fuzz / folder / f"{name}.json"
        if path.is_file():
            for rule, texts in json.loads(path.read_text("utf-8")).items():
                found.setdefault(rule, []).extend(texts)
    return found


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_grammar_of_the_abnf_package(sdist: Path, name: str) -> None:
    from abnf.parser import ParseError

    fuzz = sdist / "tests" / "fuzz"
    rules = import_module(f"abnf.grammars.{name}").Rule
    text, _ = effective(fuzz)(rules)
    try:
        compiled = compile_abnf(text, name=name)
    except GrammarError as error:
        pytest.skip(f"{name} is not read: {str(error).splitlines()[0]}")
    random = seeded(name)
    compared = 0
    for rule, texts in corpus(fuzz, name).items():
        found = compiled.model.find(rule)
        if found is None:
            continue
        try:
            match = compiled.matcher(found.name)
            accepts = compiled.automaton(found.name).accepts
        except GrammarLimit:
            continue
        for text in texts:
            assert bool(match(text)) is accepts(text), (rule, text)
        for text in random.sample(texts, min(ASKED, len(texts))):
            try:
                rules(rule).parse_all(text)
            except ParseError:
                assert not accepts(text), (rule, text)
            else:
                assert accepts(text), (rule, text)
        compared += len(texts)
    assert compared
