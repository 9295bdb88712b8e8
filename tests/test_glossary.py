"""One vocabulary: what people read has no word that docs/glossary.md replaces by another.

What is looked at: the pages, and in `src` all strings with a space in them: messages, the help of
commands, and docstrings of public names. Invariant: no place is left out.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import uriproof
from uriproof import grammars

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("fuzz/*.md"), *ROOT.glob("docs/**/*.md")]
SOURCES = [p for p in ROOT.glob("src/**/*.py") if "_generated" not in p.parts]
# What is not said; the glossary has the term instead.
WORDS = (
    *(r"mend(s|ed|ing|able)?", r"proofread(s|ing|er)?", r"remarks?", r"told(?! apart)"),
    r"findings|(an?|each|every|one|this|that|the|of) finding",
    *(r"(how|where) to tell", r"(is|are|be|not|also) said|said (of|by|unless)|say these"),
    r"held (\w+ ){0,2}to|hold(s|ing)? (it|them|texts?|the \w+|each \w+|URIs?|an? \w+) to",
    *("hushed", "unless told", r"pass(es|ed)? over", "let be", "the call is wrong"),
    *(r"(cannot|can not|may not) stand( here)?", "obstacles?|doubts?", "unreasoned|spoken"),
)
# What English does not say so: it is *not a URI*, and it *also continues*.
PHRASES = re.compile(
    r"\b(?:is|are) none\b|(?<!here )\b(?:is|are) no (?!longer)\w+|\bgo(?:es)? on\b|, too\b", re.I
)
PATTERN = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.IGNORECASE)
# Where a word is meant as the dictionary has it.
ALLOWED = re.compile(
    r"held for document update"  # the status of an erratum
    r"|\[case: [^\]]*\]"  # names of cases
    r"|\b(said to|in doubt|without doubt|stand in for)\b",
    re.IGNORECASE,
)
FENCED = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def unclean(text: str) -> list[str]:
    """The words of a text that the glossary replaces."""
    return [m[0] for m in PATTERN.finditer(ALLOWED.sub("", " ".join(text.split())))]


def strings(tree: ast.Module) -> Iterator[str]:
    """The strings with a space in them that are not a statement, as docstrings are."""
    statements = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in statements:
            yield from [node.value] if isinstance(node.value, str) and " " in node.value else []


def test_pages() -> None:
    found = {}
    for path in PAGES:
        text = FENCED.sub("", path.read_text("utf-8"))
        if path.name == "glossary.md":
            text, _, list_of_words = text.partition("## Words that are not used")
            assert "hushed" in list_of_words
        if path.name != "CHANGELOG.md":  # it says what things were called
            text = re.sub(r"<!-- [\w ]+ -->\n.*?<!-- end -->", "", text, flags=re.DOTALL)
            found[path] = unclean(text)
            if path.parent.name != "grammars":  # where grammars say it themselves
                found[path] += PHRASES.findall(" ".join(text.split()))
    assert {path: words for path, words in found.items() if words} == {}


def test_messages() -> None:
    found = {}
    for path in SOURCES:
        tree = ast.parse(path.read_text("utf-8"))
        helps = [ast.get_docstring(n) or "" for n in tree.body if isinstance(n, ast.FunctionDef)]
        texts = [*strings(tree), *(helps if "cli" in path.parts else ())]
        found[path.relative_to(ROOT)] = unclean(" ".join(texts))
    assert {path: words for path, words in found.items() if words} == {}


def test_docstrings_of_public_names() -> None:
    found = {}
    for value in (getattr(m, name) for m in (uriproof, grammars) for name in m.__all__):
        members = vars(value).values() if inspect.isclass(value) else ()
        docs = [inspect.getdoc(one) or "" for one in (value, *members) if callable(one)]
        found[value] = unclean(" ".join(docs))
    assert {value: words for value, words in found.items() if words} == {}
