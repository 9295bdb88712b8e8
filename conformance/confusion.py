"""Pairs of parsers that both accept a text, and find another host in it.

Owns the search for the shortest such text of each pair. Imports the witnesses. Invariant: both
parsers gave these hosts in this run, and no shorter text that can be made of it by leaving out
characters shows two different hosts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations
from urllib.parse import unquote

from uriproof.percent.hosts.browsers import browser_host

from .judge import Witness, order, shrink
from .run import Result

UNREADABLE = "\ufffd"
"""In the host of a program whose octets are not UTF-8: whether it is another host is unknown."""
TRIES = 400
"""Texts that are asked while one is made shorter: a few hundred need at most that."""


def confusions(witnesses: Mapping[str, Witness]) -> list[Result]:
    """For each pair of names, the shortest text with two hosts, if there is one."""
    hosts = {name: witness.hosts() for name, witness in witnesses.items()}
    named = {name: found for name, found in hosts.items() if any(found.values())}
    return [
        found
        for a, b in combinations(named, 2)
        if (found := _shortest((a, witnesses[a], hosts[a]), (b, witnesses[b], hosts[b])))
    ]


def found_hosts(pairs: list[Result], witnesses: Mapping[str, Witness]) -> list[Result]:
    """For each text of the pairs, the host that every parser finds which accepts it.

    The text that divides the most pairs is first.
    """
    counts = Counter(pair["text"] for pair in pairs)
    return [
        {"text": text, "pairs": count, "found": _hosts_of(text, witnesses)}
        for text, count in sorted(counts.items(), key=lambda item: (-item[1], order(item[0])))
    ]


def _hosts_of(text: str, witnesses: Mapping[str, Witness]) -> dict[str, str]:
    answers = {name: witness.answer(text) for name, witness in witnesses.items()}
    return {name: a.host for name, a in answers.items() if a.valid and a.host}


def _shortest(
    one: tuple[str, Witness, dict[str, str]], other: tuple[str, Witness, dict[str, str]]
) -> Result | None:
    (a, first, hosts_of_a), (b, second, hosts_of_b) = one, other
    texts = [
        text
        for text, host in hosts_of_a.items()
        if text in hosts_of_b and _differ(host, hosts_of_b[text])
    ]
    if not texts:
        return None
    left = TRIES

    def still(text: str) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            return False
        said, too = first.answer(text), second.answer(text)
        return bool(said.valid and too.valid) and _differ(said.host or "", too.host or "")

    text = shrink(min(texts, key=order), still)
    found = {a: first.answer(text).host, b: second.answer(text).host}
    return {"parsers": [a, b], "text": text, "hosts": [found[a], found[b]], "texts": len(texts)}


def _differ(one: str, other: str) -> bool:
    """True for two hosts that are not one host in two spellings."""
    return bool(one and other) and UNREADABLE not in one + other and place(one) != place(other)


@cache
def place(host: str) -> str:
    """Where a host leads: as browsers read it, since they read the most spellings of one host.

    What they do not accept stays as it is, decoded and in lower case.
    """
    written = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return browser_host(written) or unquote(written).lower()
