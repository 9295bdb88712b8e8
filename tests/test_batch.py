"""Many texts at once: the same verdicts as one by one, lazily, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import RFC3986, any_text

import uriproof
from uriproof.grammar.charset import MAX_REMEMBERED

TEXTS = st.lists(any_text(RFC3986, "URI-reference"), max_size=30)


RULES = [
    *map(uriproof.Rule, ("URI", "URI-reference", "host", "path")),
    *(uriproof.Rule("URI-reference", query=query) for query in ("key-value", "parameters")),
]


@given(TEXTS, st.sampled_from(RULES))
def test_the_same_verdicts_as_one_by_one(texts: list[str], rule: uriproof.Rule) -> None:
    alone = [uriproof.is_valid(t, rule) for t in texts]
    assert list(uriproof.are_valid(texts, rule)) == alone
    assert [report.ok for report in uriproof.check_many(texts, rule)] == alone


def test_texts_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "a:" if taken % 1000 else " "

    verdicts = uriproof.are_valid(endless())
    assert [next(verdicts) for _ in range(3)] == [True] * 3
    assert taken == 3


@pytest.mark.prove
def test_memory_does_not_grow_with_the_characters_that_were_met() -> None:
    alphabet = RFC3986.trace("reg-name").automaton.alphabet
    for plane in range(0x10000, 0x40000, 0x100):
        uriproof.check("http://" + "".join(map(chr, range(plane, plane + 0x100))))
    assert len(alphabet._known) <= MAX_REMEMBERED + 0x100
