"""Patterns read as automata: what they accept is what ``re.fullmatch`` says, or they are refused.

Owns the tests of ``read_regex.py`` and ``read_pattern.py``. Imports the package and ``re``, which
is the oracle. Invariant: no verdict is written down here; each is asked of ``re``.
"""

from __future__ import annotations

import itertools
import re
import sys
import warnings
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows
from tiers import bound

from uriproof.grammar.charset import union
from uriproof.grammar.compile.read_regex import read_regex
from uriproof.grammar.errors import GrammarLimit
from uriproof.workbench import read_pattern as module
from uriproof.workbench.read_pattern import BadPattern, read_pattern

pytestmark = pytest.mark.prove

EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))
# Of letters: k, its capital and the Kelvin sign; s and the long one; sharp s and its capital.
LETTERS = "kK\u212asS\u017f\u00df\u1e9e"
ALPHABETS = ("abA-\n", "kK\u212a1b\u0661", "a1 _\u00e9")


def texts(alphabet: str, most: int) -> list[str]:
    return ["".join(t) for n in range(most + 1) for t in itertools.product(alphabet, repeat=n)]


SHORT = [text for alphabet in ALPHABETS for text in texts(alphabet, 4)]


def agrees(pattern: str, some: list[str], flags: int = 0) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        matches = re.compile(pattern, flags).fullmatch
    automaton = read_pattern(pattern, flags)
    wrong = [text for text in some if automaton.accepts(text) is (matches(text) is None)]
    assert wrong == [], (pattern, wrong[:5])


def agrees_on_all(pattern: str, flags: int) -> None:
    """A pattern of one character, on every one."""
    found = re.finditer(f"(?:{pattern})+", EVERYTHING, flags)
    automaton = read_pattern(pattern, flags)
    taken = [c for c, then in enumerate(automaton.rows[0]) if then in automaton.accepting]
    ranges = union(*(automaton.alphabet.ranges(c) for c in taken))
    assert ranges == tuple((run.start(), run.end() - 1) for run in found), pattern


@pytest.mark.parametrize(
    "pattern",
    [
        # anchors
        *("^a$", "a$", r"a\Z", r"\Aa*\Z", "^a|b$", "(^)a($)", "(?m)^[ab\n]*$", "$^", "(?:a|^)b"),
        *("(?:^a)?b", "a(?:b|$)", "(?>^a)b$", "(?:a|b(?:-|$))", r"[^\s\S]a|b"),
        # repetition
        *("a{2,3}b?", "(?:a?){3}", "(?:a{0,2}b){2}", "a*?b+?a??", "(?:a|ab)(?:b|)", "(a|a)*"),
        "(?:){3}a",
        # never giving back
        *("a*+b", "(?>ab?)-", "(?:ab|-)*+A", "a?+b", "(?>a|b)(?>A|-)"),
        # flags
        *("(?s).a.", ".a.", "(?i)aB", "(?i:a)B", "(?i)a(?-i:b)", "(?x) a  b # a comment\n | A"),
        *(r"(?a)\w+", r"(?a:\w)\w", r"\s\S"),
        # classes
        *(r"[\w-]+", r"[^\W1]+", r"[^\n]*", "[a-]", "[]a]", "[^]a]", r"[\s\S]{2}"),
    ],
)
def test_short_texts(pattern: str) -> None:
    agrees(pattern, SHORT)


@pytest.mark.parametrize("flags", [0, re.IGNORECASE | re.ASCII, re.IGNORECASE, re.ASCII])
@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", ".", "[a-z]", "[^k-s]", r"[\d_\u0130]", "i"),
        *("\u0130", "\u0131", "\u00b5", "\u03c3", "\u0345", "[\u0390\u1fd3]", "[^\u00df]"),
        *("\ufb05", "\u01c5", "\u13a0", "\U00010400", "-", r"[\W\d]", "[^\\Wa]", "\u1c80"),
        "\u0412",
    ],
)
def test_all_of_unicode(pattern: str, flags: int) -> None:
    agrees_on_all(pattern, flags)


@pytest.mark.parametrize("letter", LETTERS)
def test_letters_and_their_cases(letter: str) -> None:
    agrees_on_all(letter, re.IGNORECASE)
    agrees(f"[{letter}x]", texts(LETTERS, 2), re.IGNORECASE)


def test_what_has_no_case_is_matched_by_no_letter_that_has_one() -> None:
    """That is what the shortcut rests on."""
    uncased = "".join(sorted(set(EVERYTHING) - set(module._cased())))
    assert re.search(f"[{module._cased()}]", uncased, re.IGNORECASE) is None


# Patterns by lot, with everything in them

ATOMS = ["a", "b", "A", r"\w", r"\d", ".", "[ab]", "[^a]", "-", r"\W", "\n", "k", "[a-k]", r"[^\w]"]
ANCHORS = ["^", "$", r"\A", r"\Z", r"\b", r"\B"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{1,2}", "*?", "+?", "??", "*+", "?+", "{,2}"]
GROUPS = ["(?:{})", "({})", "(?>{})", "(?i:{})", "(?s:{})", "(?m:{})", "(?a:{})"]


@cache
def patterns() -> st.SearchStrategy[str]:
    def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        group = st.builds(str.format, st.sampled_from(GROUPS), inner)
        repeated = st.builds(
            "{}{}".format, st.one_of(st.sampled_from(ATOMS), group), st.sampled_from(QUANTIFIERS)
        )
        return st.one_of(
            group,
            repeated,
            st.builds("{}{}".format, inner, inner),
            st.builds("{}|{}".format, inner, inner),
        )

    leaves = st.one_of(st.sampled_from(ATOMS), st.sampled_from(ANCHORS), st.just(""))
    return st.recursive(leaves, grown, max_leaves=9)


@given(pattern=patterns(), flags=st.sampled_from(["", "(?i)", "(?m)", "(?s)", "(?a)"]))
def test_patterns_by_lot(pattern: str, flags: str) -> None:
    try:
        agrees(flags + pattern, Random(len(pattern)).sample(SHORT, 300))  # noqa: S311 -- no secret
    except (re.error, GrammarLimit):
        return


# What is refused


@pytest.mark.parametrize(
    ("pattern", "what", "offset"),
    rows("read-regex", "a-refusal-says-what-and-where"),
)
def test_a_refusal_says_what_and_where(pattern: str, what: str, offset: int) -> None:
    with pytest.raises(GrammarLimit) as caught:
        read_pattern(pattern)
    head = str(caught.value).splitlines()[0]
    assert what in head
    assert head.endswith(f"at offset {offset}")


@pytest.mark.parametrize(
    ("pattern", "what", "offset"), rows("read-regex", "lookaround-is-refused-too")
)
def test_lookaround_is_refused_with_its_place_and_what_to_write(
    pattern: str, what: str, offset: int
) -> None:
    with pytest.raises(BadPattern) as caught:
        read_pattern(pattern)
    head = str(caught.value).splitlines()[0]
    assert f"(offset {offset}): {what} is not supported; write a pattern without it: [a-z" in head


@pytest.mark.parametrize(
    "pattern", ["a(", "a)", "*a", "[b-a]", "(?<=a*)b", r"\q", "a{2}{3}", "(?z)"]
)
def test_no_pattern_at_all(pattern: str) -> None:
    with pytest.raises(re.error) as wrong:
        re.compile(pattern)
    with pytest.raises(BadPattern) as caught:
        read_pattern(pattern)
    assert caught.value.offset == (wrong.value.pos or 0)
    assert wrong.value.msg in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?:a{1000}){1000}", "places"),
        ("a{99999999999999999999}", "too large"),
        ("a" * 100_000, "states"),
        ("(" * 5000 + ")" * 5000, "nested too deeply"),
        ("(a|b)*a(a|b){30}", "states"),
        ("(a?){3000}a{3000}", "steps"),
    ],
    ids=["places", "too large", "states", "nested", "subsets", "steps"],
)
def test_bombs_end_in_words(pattern: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_pattern(pattern)


@bound("count", 60, 500)
def test_large_but_honest_patterns_are_read(count: int) -> None:
    words = sorted(
        {format(n * 7919 % 65536, "b").translate({48: "a", 49: "b"}) for n in range(count)}
    )
    automaton = read_pattern("|".join(words))
    assert all(automaton.accepts(word) for word in words)
    assert not automaton.accepts("x")
    assert len(read_pattern(f"xa{{{count}}}c|ya{{{count}}}d").rows) == 2 * count + 4
    assert len(read_pattern("(a|a)*").rows) == 1


# What the build reads is strict


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\d", "^a", "a$", "(?=a)a", "(?<=a)b", r"(a)\1", "(?i)a", "(?i:a)b", "(?s)a"),
        *("(?x) a", r"\ba", "a*+a", "(?>|a)b", "(?>a*?)b", "(?:a*?)?+b", "(?:|a)*+b", "(?!)"),
    ],
)
def test_the_build_reads_nothing_of_that(pattern: str) -> None:
    with pytest.raises(GrammarLimit):
        read_regex(pattern)


def test_sets_that_re_is_asked_about_are_forgotten_beyond_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 20
    monkeypatch.setattr(module, "MAX_PATTERN_SETS", most)
    for low in range(0x100, 0x100 + most + 5):
        read_pattern(rf"[\d{chr(low)}]")
    assert 0 < len(module._SETS) <= most
    assert all(ranges == union(ranges) for ranges in module._SETS.values())
    many = "".join(rf"[\W{chr(low)}]" for low in range(0x100, 0x101 + most))
    with pytest.raises(GrammarLimit, match="more than 20 different classes"):
        read_pattern(many)
