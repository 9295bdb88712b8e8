"""One vocabulary: what people read has no word that docs/glossary.md replaces by another.

Owns the table of words that are not used, and what is looked at: the pages, the help of commands,
the docstrings of public names, and the messages: all strings in `src` with a space that are no
docstring. Reads the package. Invariant: no place is left out.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import uriproof
from uriproof import grammars

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "uriproof"

# What is not said, and the term of the glossary.
WORDS = {
    r"mend(s|ed|ing|able)?": "fix, fixed, fixable",
    r"proofread(s|ing|er)?": "validate, check",
    r"findings|(an?|each|every|one|this|that|the|of) finding": (
        "diagnostic (of the linter), violation (of the grammar)"
    ),
    r"remarks?": "diagnostic, advice",
    r"told(?! apart)": "reported, shown",
    r"(how|where) to tell": "output format",
    r"(is|are|be|not|also) said|said (of|by|unless)|say these": "reported",
    r"held (\w+ ){0,2}to|hold(s|ing)? (it|them|texts?|the \w+|each \w+|URIs?|an? \w+) to": (
        "validated against"
    ),
    r"hushed": "suppressed",
    r"unless told": "by default",
    r"pass(es|ed)? over": "excluded, skipped",
    r"let be": "ignored",
    r"the call is wrong": "invalid usage",
    r"(cannot|can not|may not) stand( here)?": "is not allowed (here)",
    r"obstacles?|doubts?": "violation, warning",
    r"unreasoned|spoken": "without a reason; reported",
}
PATTERN = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.IGNORECASE)
# Where a word is meant as the dictionary has it.
ALLOWED = re.compile(
    r"held for document update"  # the status of an erratum
    r"|\[case: [^\]]*\]"  # names of cases
    r"|\b(said to|in doubt|without doubt|stand in for)\b",
    re.IGNORECASE,
)
GENERATED = ("docs/codes", "docs/grammars")
FENCED = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def unclean(text: str) -> list[str]:
    """The words of a text that the glossary replaces."""
    return [m[0] for m in PATTERN.finditer(ALLOWED.sub("", " ".join(text.split())))]


def pages() -> Iterator[tuple[str, str]]:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("fuzz/*.md"), *ROOT.glob("docs/**/*.md")]:
        text = FENCED.sub("", path.read_text("utf-8"))
        if path.name == "glossary.md":
            text = text.partition("## Words that are not used")[0]
        name = path.relative_to(ROOT).as_posix()
        if name == "CHANGELOG.md" or name.startswith(GENERATED):
            continue  # it says what things were called; as one, below
        yield name, text
    for folder in GENERATED:
        texts = [p.read_text("utf-8") for p in sorted((ROOT / folder).glob("*.md"))]
        yield folder, FENCED.sub("", "\n".join(texts))


def helps() -> Iterator[tuple[str, str]]:
    for package in ("uriproof.cli", "uriproof.cli.grammar"):
        for module in iter_modules(import_module(package).__path__):
            if not module.name.startswith("_"):
                found = import_module(f"{package}.{module.name}")
                if command := getattr(found, "command", None):
                    words = [command.help, command.epilog]
                    words += [getattr(p, "help", None) for p in command.params]
                    name = f"{package}.{module.name}".removeprefix("uriproof.cli.")
                    yield f"help of {name}", " ".join(filter(None, words))


def docstrings() -> Iterator[tuple[str, str]]:
    for module, name in ((m, n) for m in (uriproof, grammars) for n in m.__all__):
        value = getattr(module, name)
        members = vars(value).items() if inspect.isclass(value) else ()
        texts = [inspect.getdoc(value), *(inspect.getdoc(m) for n, m in members if n[0] != "_")]
        yield f"docstring of {name}", " ".join(filter(None, texts))


def messages() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        if "_generated" not in path.parts:
            found = " ".join(_strings(ast.parse(path.read_text("utf-8"))))
            yield path.relative_to(ROOT).as_posix(), found


def _strings(tree: ast.Module) -> Iterator[str]:
    """The strings with a space in them that are no statement, as docstrings are."""
    statements = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in statements:
            yield from [node.value] if isinstance(node.value, str) and " " in node.value else []


@cache
def places() -> dict[str, list[str]]:
    """What is looked at, with the words in it that should be others."""
    kinds = (pages, helps, docstrings, messages)
    return {name: unclean(text) for kind in kinds for name, text in kind()}


@pytest.mark.parametrize("name", places())
def test_the_words_are_those_of_the_glossary(name: str) -> None:
    assert places()[name] == [], "docs/glossary.md has the words to use"


def test_the_glossary_has_every_word() -> None:
    page = (
        (ROOT / "docs" / "glossary.md")
        .read_text("utf-8")
        .partition("## Words that are not used")[2]
    )
    for word in ("mend", "proofread", "finding", "remark", "told", "held to", "hushed", "obstacle"):
        assert word in page
    assert unclean("What was mended is told, unless told.") == ["mended", "told", "unless told"]
    assert unclean("Find it, hold it, and say so; the fix is amended.") == []
