"""The audit of encoders: what each leaves bare, and where that breaks the grammar.

Owns the questions that are asked of every encoder; what the encoders do is data, in
``encoders_data``, each with its source. Imports the grammars and its siblings. Invariant: every
judgement is the grammar's; none is written down.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...grammar import registry
from ..characters import ASCII, characters

__all__ = ["Claim", "Delimiters", "Encoder", "UnknownEncoder"]
__all__ += ["claims", "components", "delimiters", "encoder", "encoders"]

_DATA = Path(__file__).parent / "encoders_data" / "encoders.toml"
_CONTROLS = frozenset(c for c in ASCII if not c.isprintable())
_PLAIN = frozenset(c for c in ASCII if c.isalnum())
MARKS = tuple(c for c in ASCII if c not in _CONTROLS | _PLAIN)
"""The ASCII characters on which encoders differ: the space and the punctuation."""


class UnknownEncoder(LookupError):
    """No encoder of that name is known; ``known`` are those that are."""

    what = "encoder"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        from difflib import get_close_matches

        self.name, self.known = name, known
        near = get_close_matches(name, known, n=3, cutoff=0.4)
        advice = f"near names: {', '.join(near)}" if near else f"known are {', '.join(known)}"
        super().__init__(f"no {self.what} {name!r}; {advice}")

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder, and what it does to each ASCII character.

    ``purpose`` is ``data`` or ``cleaning``; ``into`` is the component it is for, empty for any
    (or for a whole URI).
    """

    name: str
    family: str
    purpose: str
    into: str
    source: str
    note: str
    bare: frozenset[str]
    space: str
    drops: frozenset[str]

    def output(self, char: str) -> str:
        """What it writes for one ASCII character.

        >>> encoder("Python 3 quote_plus").output(" "), encoder("escape").output("/")
        ('+', '/')
        """
        if char in self.bare:
            return char
        if char in self.drops:
            return ""
        return self.space if char == " " else f"%{ord(char):02X}"

    def breaks(self, production: str) -> tuple[str, ...]:
        """The ASCII characters for which it writes what the production does not admit.

        The output is put after a letter, so that a first place makes no difference.

        >>> "".join(encoder("encodeURI").breaks("segment"))
        '#/?'
        """
        accepts = registry.load("rfc3986").accepts
        return tuple(c for c in ASCII if not accepts(production, "a" + self.output(c)))

    @property
    def delimiting(self) -> tuple[str, ...]:
        """The reserved characters that it leaves bare: a datum that holds one may be divided."""
        return tuple(c for c in ASCII if c in self.bare & characters("reserved"))

    @property
    def needless(self) -> tuple[str, ...]:
        """The unreserved characters that it encodes (RFC 3986 section 2.3)."""
        return tuple(c for c in ASCII if c in characters("unreserved") - self.bare)

    def needless_in(self, production: str) -> tuple[str, ...]:
        """What it encodes though the production admits it bare: where none of it divides, in vain.

        >>> "".join(encoder("encodeURIComponent").needless_in("query"))
        '$&+,/:;=?@'
        """
        return tuple(c for c in ASCII if c in characters(production) - self.bare)

    @property
    def illegal(self) -> tuple[str, ...]:
        """For cleaning: what it leaves bare that is not legal (in ``into``, or in any URI)."""
        legal = self.legal | {"%"}
        return tuple(c for c in ASCII if c in self.bare - legal)

    @property
    def meddling(self) -> tuple[str, ...]:
        """For cleaning: what it encodes or drops though it may stand: an escape, or a delimiter."""
        return tuple(c for c in ASCII if c in (self.legal | {"%"}) - self.bare)

    @property
    def legal(self) -> frozenset[str]:
        """For cleaning: what may stand bare (in ``into``, or anywhere in a URI)."""
        if self.into:
            return characters(self.into)
        return characters("reserved") | characters("unreserved")

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: what it writes for each ASCII character, and where that is judged bad."""
        judged: dict[str, Any] = {"breaks": {p: list(self.breaks(p)) for p in components()}}
        if self.purpose == "cleaning":
            judged |= {"illegal": list(self.illegal), "meddling": list(self.meddling)}
        else:
            judged |= {
                "delimiting": list(self.delimiting),
                "needless": list(self.needless),
                "needless_in": {p: list(self.needless_in(p)) for p in components()},
            }
        return {
            "name": self.name,
            "family": self.family,
            "purpose": self.purpose,
            "into": self.into or None,
            "source": self.source,
            "note": self.note or None,
            "output": {c: self.output(c) for c in ASCII},
            **judged,
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """A set that an article prints, beside the one that the grammar has: letters and digits apart.

    ``rule`` says in words which set of ``grammar`` that is: a production, or all that is in none
    of some.
    """

    title: str
    source: str
    rule: str
    grammar: str
    printed: frozenset[str]
    admitted: frozenset[str]

    @property
    def too_many(self) -> tuple[str, ...]:
        """Printed, though the production does not admit them."""
        return tuple(c for c in ASCII if c in self.printed - self.admitted)

    @property
    def missing(self) -> tuple[str, ...]:
        """Not printed, though the production admits them."""
        return tuple(c for c in ASCII if c in self.admitted - self.printed)


@dataclass(frozen=True, slots=True)
class Delimiters:
    """One row of the delimiter tables: where reserved characters may stand as data.

    ``printed`` is what the article has in this row, or None where it has no such row.
    """

    component: str
    productions: tuple[str, ...]
    allowed: frozenset[str]
    printed: frozenset[str] | None

    def differs(self, char: str) -> bool:
        """Whether the article prints something else for this character."""
        return self.printed is not None and (char in self.printed) != (char in self.allowed)


@cache
def components() -> tuple[str, ...]:
    """The productions that data can be put into: those that may be empty and hold escapes.

    >>> components()
    ('userinfo', 'reg-name', 'segment', 'query', 'fragment')
    """
    grammar = registry.load("rfc3986")
    found = (r for r in grammar.model.rules if r in grammar.model.leaves)
    fit = {r for r in found if grammar.accepts(r, "") and grammar.accepts(r, "%41")}
    order = registry.load("rfc3986").model.components
    names = list(dict.fromkeys(order.values()))
    return tuple(sorted(fit, key=lambda rule: names.index(order[rule])))


@cache
def encoders() -> tuple[Encoder, ...]:
    """All encoders, in the order of the data. Cost: one small file is read, once."""
    made: dict[str, Encoder] = {}
    for entry in _data()["encoder"]:
        if "encodes" in entry:
            inherited = made[entry["extends"]].bare if "extends" in entry else frozenset(ASCII)
            bare = inherited - _CONTROLS - set(entry["encodes"])
        else:
            rules = [characters(rule) for rule in entry.get("rules", ())]
            bare = frozenset(entry["bare"]).union(_PLAIN, *rules)
        made[entry["name"]] = Encoder(
            name=entry["name"],
            family=entry["family"],
            purpose=entry["purpose"],
            into=entry.get("into", ""),
            source=entry["source"],
            note=entry.get("note", ""),
            bare=bare,
            space=entry.get("space", f"%{ord(' '):02X}"),
            drops=frozenset(entry.get("drops", "")),
        )
    return tuple(made.values())


def encoder(name: str) -> Encoder:
    """An encoder by name; case does not count. Errors: UnknownEncoder, with near names."""
    for each in encoders():
        if each.name.lower() == name.lower():
            return each
    raise UnknownEncoder(name, tuple(each.name for each in encoders()))


@cache
def claims() -> tuple[Claim, ...]:
    """The sets that the articles print, held against the grammar.

    >>> [c.too_many for c in claims() if c.title == "General delimiters"]
    [('%',)]
    """
    return tuple(_claim(entry) for entry in _data()["claim"])


def _claim(entry: dict[str, Any]) -> Claim:
    whole = frozenset(MARKS)
    printed = frozenset(entry["set"] if "set" in entry else whole - set(entry["but"]))
    if entry.get("controls"):
        whole, printed = whole | _CONTROLS, printed | _CONTROLS
    grammar = entry.get("grammar", "rfc3986")
    rules, more = entry.get("none_of", [entry.get("rule")]), entry.get("with", "")
    held = characters(rules[0], grammar).union(more, *(characters(r, grammar) for r in rules[1:]))
    words = " ".join([*rules, *more])
    if "none_of" in entry:
        held, words = whole - held, f"none of {words}"
    return Claim(entry["title"], entry["source"], words, grammar, printed, held - _PLAIN)


@cache
def delimiters() -> tuple[Delimiters, ...]:
    """Where each reserved character may stand as data, by component, beside what is printed.

    The rows of the article, and then those of the productions by themselves.

    >>> [(row.component, char) for row in delimiters() for char in ":/?#[]@" if row.differs(char)]
    [('authority', ':')]
    """
    printed = _data()["printed"]
    of_article = {
        "scheme": ("scheme",),
        "authority": ("userinfo", "reg-name"),
        "path": ("segment",),
        "query": ("query",),
        "fragment": ("fragment",),
    }
    rows = [_row(name, rules, printed) for name, rules in of_article.items()]
    single = ["userinfo", "reg-name", "port", "segment-nz-nc", "segment"]
    return (*rows, *(_row(rule, (rule,), {}) for rule in single))


def _row(name: str, rules: tuple[str, ...], printed: dict[str, dict[str, str]]) -> Delimiters:
    accepts = registry.load("rfc3986").accepts
    within = {
        c
        for c in characters("reserved")
        if any(accepts(rule, c) or accepts(rule, f"a{c}") for rule in rules)
    }
    tables = {kind: table[name] for kind, table in printed.items() if name in table}
    if not tables:
        return Delimiters(name, rules, frozenset(within), None)
    has = frozenset("".join(tables.values()))
    # What stands in a table that has no such row is not printed, and no difference.
    absent = [characters(kind) for kind in printed if kind not in tables]
    return Delimiters(name, rules, frozenset(within), has.union(*(a & within for a in absent)))


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))
