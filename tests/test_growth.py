"""Growth: ten times the text takes ten times the steps of hints, of blame and of joined readings.

Steps are counted (``counting``): no test measures time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from counting import Counted, growth, operations, steps
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from uriproof import (
    URI,
    Grammar,
    Rule,
    UriproofError,
    canonical_host,
    check,
    clean,
    display,
    iri_to_uri,
    normalize,
    uri_to_iri,
)
from uriproof.grammar import registry
from uriproof.limits import MAX_QUICK
from uriproof.percent.decode import decode, decode_octets
from uriproof.percent.encode import encode
from uriproof.percent.form import decode_form, decode_query, encode_form, encode_query
from uriproof.uri.components import build
from uriproof.validate.recovery import Blame
from uriproof.validate.report import _merged

pytestmark = pytest.mark.prove

MOST = 12.0
SIZE = 300
"""Units of the smaller text: it is longer than what a hint looks at."""

Work = Callable[[], object]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """What is compiled after many characters that are not ASCII is compiled before steps are
    counted: how many there were depends on the tests before."""
    iris = registry.load("rfc3987")
    for rule in iris.model.rules:
        iris.accepts(rule, "\u00e9" * MAX_QUICK)


def checking(
    *ends: str, rule: str = "URI", query: str | None = None, scheme_rules: bool = False
) -> Callable[[int], Work]:
    """Prepares a check of a text of n units; ``ends`` are what is before, the unit, and after."""
    grammar = Grammar.load("rfc3986")
    before, unit, after = (*ends, "")[:3]

    def prepare(n: int) -> Work:
        text = Counted(before + unit * n + after)
        return lambda: Rule(rule, grammar=grammar, query=query, schemes=scheme_rules).check(text)

    return prepare


HINTS = table("growth", "hints")


@pytest.mark.parametrize("name", HINTS)
@pytest.mark.parametrize("rule", ["URI", "URI-reference"])
def test_hints(name: str, rule: str) -> None:
    assert growth(checking(*HINTS[name], rule=rule), SIZE) <= MOST


RULES = table("growth", "rules")


@pytest.mark.parametrize("rule", RULES)
def test_other_rules(rule: str) -> None:
    assert growth(checking("", RULES[rule], rule=rule), SIZE) <= MOST


BESIDE = table("growth", "beside")


@pytest.mark.parametrize("name", BESIDE)
def test_readings_are_joined(name: str) -> None:
    before, unit, query, schemes = BESIDE[name]
    prepare = checking(before, unit, query=query, scheme_rules=schemes)
    assert growth(prepare, 20, operations) <= MOST


FORMS: dict[str, Callable[[str], object]] = {
    "decode": decode,
    "decode a query": lambda text: decode(text, "query"),
    "decode, replaced": lambda text: decode(text, "key", errors="replace", grammar="key-value"),
    "octets": decode_octets,
    "form": lambda text: decode_form(text, errors="raise"),
    "form, accepted": lambda text: decode_form(text, accept=str.isalnum),
    "pairs": decode_query,
    "pairs, lenient": lambda text: decode_query(text, lenient=True),
    "parameters": lambda text: decode_query(text, "parameters"),
    "encode": lambda text: encode(text, "path-noscheme", minimal=True),
    "encode a form": lambda text: encode_form([(char, char) for char in text], crlf=True),
    "encode a query": lambda text: encode_query([(char, text[:9]) for char in text]),
    "build": lambda text: build(query=text),
    "clean": lambda text: clean(f"http://h/?{text}", report=True),
}


@pytest.mark.parametrize("work", FORMS)
@pytest.mark.parametrize("unit", ["&", "%", "%4", "=", "+", "a=%&", "%FF", "\ud800", "<>", "é "])
def test_encoding_and_decoding(work: str, unit: str) -> None:
    def prepare(n: int) -> Work:
        def run() -> object:
            with suppress(UriproofError):
                return FORMS[work](unit * n)
            return None

        return run

    assert growth(prepare, 30, operations) <= MOST


OWN = table("growth", "own")


@pytest.mark.parametrize("name", OWN)
def test_own_grammars(name: str) -> None:
    text, unit = OWN[name]
    grammar = Grammar.from_abnf(text)

    def prepare(n: int) -> Work:
        bad = unit * n
        return lambda: grammar.rule().check(bad)

    assert growth(prepare, 20, operations) <= MOST


def findings(ranges: list[tuple[int, int]], kind: str) -> list[Blame]:
    """Findings in these ranges; no two are alike, so that none are joined."""
    grammar = registry.load("rfc3986")
    return [
        Blame(a, b, "illegal", (f"{kind}{i}",), (), True, "", "path", grammar)
        for i, (a, b) in enumerate(ranges)
    ]


def ranges() -> st.SearchStrategy[list[tuple[int, int]]]:
    """Disjoint ranges in order, some of them empty."""
    cuts = st.lists(st.integers(0, 25), max_size=12).map(sorted)
    return cuts.map(lambda c: [*dict.fromkeys(zip(c[::2], c[1::2], strict=False))])


@given(ranges(), ranges())
def test_the_second_reading_blames_what_the_first_does_not(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    found = _merged(findings(first, "a"), findings(second, "b"))
    blamed = {i for a, b in first for i in range(a, b)}
    gaps = {a for a, b in first if a == b}
    assert [(b.start, b.end) for b in found if b.path[0][0] == "a"] == first
    later = [b for b in found if b.path[0][0] == "b"]
    left = {i for a, b in second for i in range(a, b)} - blamed
    assert [i for b in later for i in range(b.start, b.end)] == sorted(left)
    assert all(b.encodes for b in later)
    assert {b.start for b in later if b.start == b.end} == {
        a for a, b in second if a == b and a not in gaps and not {a - 1, a} <= blamed
    }


def test_what_is_counted_grows_with_the_work() -> None:
    assert growth(lambda n: lambda: sum(i for i in range(n)), SIZE, operations) > 9
    quadratic = growth(lambda n: lambda: sum(1 for _ in range(n) for _ in range(n)), 20, operations)
    assert quadratic > MOST
    assert growth(lambda n: lambda: Counted("a" * n).find("b"), SIZE, steps) > 9


HOSTS = table("growth", "hosts")
READERS: dict[str, Callable[[str], object]] = {
    "canonical_host": canonical_host,
    "display": lambda host: display(f"http://{host}/"),
    "display, idna": lambda host: display(f"http://{host}/", idna=True),
    "iri_to_uri": lambda host: iri_to_uri(f"http://{host}/", idna=True),
    "uri_to_iri": lambda host: uri_to_iri(f"http://{host}/", idna=True),
    "clean": lambda host: clean(f"http://{host}/", report=True),
    "normalize": lambda host: normalize(f"http://{host}/"),
    "origin": lambda host: URI(f"http://{host}/").origin,
    "advice": lambda host: check(f"http://{host}/").advice,
    "suggestions": lambda host: check(f"http://{host}/").suggestions,
}
READ_BY_ALL = ("accents", "A-labels that are not valid", "escapes")
"""Hosts that every reader is tried with. One maps a host of any kind, and one compares its labels:
the others have it from these two."""
MOST_STEPS = 30
"""Calls for each character of a host that is too long for a name. A violation takes 40, of every
second character; to map each label took hundreds."""


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        (name, unit)
        for name in READERS
        for kind, unit in HOSTS.items()
        if name in ("canonical_host", "advice") or kind in READ_BY_ALL
    ],
)
def test_hosts(name: str, unit: str) -> None:
    def prepare(n: int) -> Work:
        def read() -> None:
            with suppress(UriproofError):
                READERS[name](unit * (n // len(unit)))

        return read

    prepare(20_001)()  # compiles what only a long text needs
    assert growth(prepare, 2_000) <= MOST
    assert steps(prepare(20_000)) <= MOST_STEPS * 20_000
    if name == "canonical_host":  # refused on its length
        assert steps(prepare(20_000)) == steps(prepare(200_000)) < 100
