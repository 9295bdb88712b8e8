"""The examples of the five articles, all of them, run; and the page that says where these err.

Owns the meaning of the ``[[example]]`` of tests/corpus/articles.toml; its ``[[case]]`` and
``[[texts]]`` are of the corpus (test_corpus.py). Invariant: no copy of an article is needed.

An ``[[example]]`` has the ``article``, the places where it stands (``at``: a line, and words that
stand in it, word for word), what is ``run`` (a name in ``RUNS``), ``of`` what (the first words of
``at`` unless given), ``with`` which options, and what that ``gives``. Where the article errs,
``errs`` names the entry on the page, ``gives`` is what is right, and ``printed`` what the article
has.
"""

from __future__ import annotations

import doctest
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from audit.coders import decoder, encoder
from audit.printed import MARKS, claims, delimiters

import uriproof
from uriproof import grammars
from uriproof.advice import advise
from uriproof.percent.characters import ASCII, characters
from uriproof.validate.octets import percent_encoded

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
DATA = tomllib.loads((ROOT / "tests" / "corpus" / "articles.toml").read_text("utf-8"))
ERRORS = tomllib.loads((ROOT / "tools" / "article_errors.toml").read_text("utf-8"))
PAGE = ROOT / "docs" / "teach" / "where-the-articles-err.md"
EXAMPLES: list[dict[str, Any]] = DATA["example"]

# What can be run


def _encoded(text: str, name: str) -> str:
    """What an encoder of the table writes, with UTF-8 for what is not ASCII."""
    one = encoder(name).output
    return "".join(one(char) if char.isascii() else percent_encoded(char) for char in text)


def _claim(title: str) -> frozenset[str]:
    (found,) = (claim for claim in claims() if claim.title == title)
    return found.printed


def _set(title: str) -> frozenset[str]:
    """A set that an article prints, controls apart; the controls by themselves."""
    if title == "controls":
        return _claim("Escape, when building") - frozenset(MARKS)
    found = _claim(title)
    return found if title == "Excluded" else found & frozenset(MARKS)


def _moved(of: list[str]) -> frozenset[str]:
    """The characters of a set of one grammar that are in a set of another one."""
    sets = []
    for grammar, rule in (of[:2], of[2:]):
        named = [characters(name, grammar) for name in ("reserved", "unreserved")]
        every = frozenset(ASCII) - named[0] - named[1]
        sets.append(every if rule == "neither" else characters(rule, grammar))
    return sets[0] & sets[1]


def _same_rule(of: list[str]) -> str:
    grammar = uriproof.Grammar.from_abnf(f"; imports: rfc3986\n{of[0]}\n")
    return grammars.compare_rules(grammar.automaton(of[1]), of[1]).relation


def _bare_in(of: str, kind: str) -> frozenset[str]:
    (row,) = (row for row in delimiters() if row.component == of)
    return row.allowed & characters(kind)


def _error(of: str, **options: Any) -> str:
    with pytest.raises(uriproof.DecodeError) as raised:
        uriproof.decode(of, **options)
    return raised.value.faults[0].kind


def _split(of: str) -> dict[str, str]:
    return {k: v for k, v in uriproof.split(of)._asdict().items() if v is not None}


def _octets(of: str, **options: Any) -> str:
    return uriproof.encode_octets(bytes.fromhex(of), **options)


def _point(of: str) -> str:
    return chr(int(of.removeprefix("U+"), 16))


def _hex(octets: object) -> str:
    assert isinstance(octets, bytes)
    return octets.hex(" ").upper()


# Any other name is that of a function of the package.
RUNS: dict[str, Callable[..., Any]] = {
    "advice": lambda of, group="advice": sorted({one.code for one in advise(of, [group])}),
    "bare": lambda of: frozenset(c for c in MARKS if encoder(of).output(c) == c),
    "bare_in": _bare_in,
    "blamed": lambda of: [violation.found for violation in uriproof.check(of).violations],
    "breaks": lambda of, production: frozenset(encoder(of).breaks(production)) & frozenset(MARKS),
    "character": _point,
    "decode_error": _error,
    "decode_octets": lambda of: _hex(uriproof.decode_octets(of)),
    "decoder": lambda of, name: decoder(name).output(of),
    "decoder_octets": lambda of, name: _hex(decoder(name).output(of)),
    "delimiting": lambda of: frozenset(encoder(of).delimiting),
    "encode_octets": _octets,
    "encoder": _encoded,
    "encodes": lambda of: frozenset(c for c in MARKS if encoder(of).output(c) != c),
    "equivalent": lambda of: bool(uriproof.equivalent(*of)),
    "illegal": lambda of: frozenset(encoder(of).illegal),
    "meddling": lambda of: frozenset(encoder(of).meddling) & frozenset(MARKS),
    "mistaken": lambda of: uriproof.clean(of, report=True).result is None,
    "member": lambda of, rule, grammar="rfc3986": of in characters(rule, grammar),
    "moved": _moved,
    "needless": lambda of: frozenset(encoder(of).needless),
    "needless_in_query": lambda of: frozenset(encoder(of).needless_in("query")),
    "relation": lambda of: grammars.compare_rules(*of).relation,
    "same_rule": _same_rule,
    "scheme": lambda of: uriproof.scheme(of).status,
    "segments": lambda of: list(uriproof.URI(of).segments),
    "set": _set,
    "set_but": lambda of: frozenset(MARKS) - _claim(of),
    "split": _split,
    "urllib_quote": quote,
    "utf8": lambda of: _hex(of.encode()),
    "valid": lambda of, rule="URI", grammar="rfc3986": uriproof.Grammar.load(grammar)[
        rule
    ].is_valid(of),
}


def _plain(value: object) -> object:
    """A value as TOML has it: tuples as lists, a set of characters as a text in order."""
    if isinstance(value, frozenset):
        return "".join(sorted(value))
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _name(example: dict[str, Any]) -> str:
    return f"{example['article']}-{example['at'][0][0]}-{example['run']}"


# The list


@pytest.mark.parametrize("example", EXAMPLES, ids=_name)
def test_example(example: dict[str, Any]) -> None:
    of = example.get("of", example["at"][0][1])
    run = RUNS.get(example["run"]) or getattr(uriproof, example["run"])
    value = run(of, **example.get("with", {}))
    gives = example["gives"]
    assert _plain(value) == ("".join(sorted(gives)) if isinstance(value, frozenset) else gives)


def test_what_the_articles_have_wrong_is_on_the_page() -> None:
    titles = {error["title"] for error in ERRORS["error"]}
    named = {example["errs"] for example in EXAMPLES if "errs" in example}
    assert named - titles == set()
    # No literal of an article stands behind these: they are about its prose, or what came later.
    assert titles - named == {
        "A full URI can be normalized",
        "An https URI has a host",
        "An octet of an unreserved character stays bare",
        "An unreserved character with a meaning",
        "Brackets are reserved, and allowed only around an address",
        "Browsers have other sets now",
        "Dropping octets is not safe",
        "RFC 1738 did restrict a sub-delim in http",
        "The two grammars are not ABNF",
        "Three of the styles are not of queries",
        "UTF-8 is required only in hosts",
    }
    for example in EXAMPLES:
        assert "printed" not in example or example["printed"] != example["gives"], example
        assert "printed" not in example or "errs" in example, example


# The page


def test_what_the_page_shows_is_so() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried > len(ERRORS["error"])) == (0, True)


@pytest.mark.parametrize("error", ERRORS["error"], ids=lambda error: error["title"])
def test_each_contradiction_is_told_and_shown(error: dict[str, Any]) -> None:
    assert error["article"] in {article["name"] for article in ERRORS["article"]}
    assert all(error[key] for key in ("says", "right", "rule"))
    assert {"compare", "python", "search"} & error.keys()


@pytest.mark.parametrize(
    "side", [side for error in ERRORS["error"] for side in error.get("compare", ())], ids=str
)
def test_the_two_sides_differ(side: dict[str, Any]) -> None:
    theirs: Any = side["theirs"]
    if "abnf" in side:
        grammar = uriproof.Grammar.from_abnf(f"; imports: rfc3986\n{side['abnf']}")
        theirs = grammar.automaton(theirs)
    found = grammars.compare_rules(theirs, side["ours"])
    assert not found.equal
    assert not side.get("part") or found.only_a is not None
