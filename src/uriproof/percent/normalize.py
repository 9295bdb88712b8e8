"""Normalising and comparing: the ladder of RFC 3986 section 6.2, rung by rung.

Owns what each rung does. Imports its siblings and the grammars. Invariant: a normal form is a
valid reference to the same thing, normalising it changes nothing, and no reserved character is
encoded or decoded.

Left out is the last rung, protocol-based normalisation (section 6.2.4): it takes what a server
said, which no text tells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from ..arguments import flags, strings, strings_or_none
from ..grammar import registry
from .characters import characters
from .components import GRAMMAR, Components, recompose, split
from .resolve import DOTS, remove_dot_segments, transform
from .schemes import DEFAULT_PORTS, LOCAL, NO_HIERARCHY

__all__ = ["RUNGS", "Change", "Equivalence", "Step", "equivalent", "normalize", "steps"]

RUNGS = ("string", "case", "percent-encoding", "dot-segments", "scheme")
"""The rungs, from the cheapest. Each takes all below it."""

SECTIONS = {
    "string": "6.2.1",
    "case": "6.2.2.1",
    "percent-encoding": "6.2.2.2",
    "dot-segments": "6.2.2.3",
    "scheme": "6.2.3",
}


def normalize(text: str, rung: str = "scheme") -> str:
    """The normal form of a URI, or of a reference, on a rung of the ladder.

    - ``string``: the text as it is.
    - ``case``: scheme and host in lower case, hex digits of percent-encoded octets in upper case.
    - ``percent-encoding``: unreserved characters decoded.
    - ``dot-segments``: resolved. In a relative path, and where a scheme has no hierarchy
      (mailto, data), only what leads to the same target from every base.
    - ``scheme``: no empty port, and no default one; ``/`` for an empty path where the scheme has
      hosts; an empty host for the local one of file URIs.

    Errors: InvalidComponents, for what is no URI-reference; ValueError for an unknown rung;
    TypeError. Cost: O(n). Spec: RFC 3986 §6.2.

    >>> normalize("HTTP://User@EXAMPLE.com:80/%7ea/./b/../%2f%c3%a9")
    'http://User@example.com/~a/%2F%C3%A9'
    >>> normalize("HTTP://EXAMPLE.com:80", "case")
    'http://example.com:80'
    """
    components = split(text)
    for climb in _climbs(rung, _AT_ONCE):
        components = climb(components)
    return recompose(components)


class Change(NamedTuple):
    """What one step did to one component; None where it is undefined."""

    component: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """One rung, the text before and after it, and the components that it changed."""

    rung: str
    section: str
    before: str
    after: str
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """The step as JSON-ready values."""
        return {
            "rung": self.rung,
            "section": self.section,
            "before": self.before,
            "after": self.after,
            "changes": [change._asdict() for change in self.changes],
        }


def steps(text: str, rung: str = "scheme") -> tuple[Step, ...]:
    """The way up to a rung, one step for each rung after the first, also where it does nothing.

    Errors and cost: as ``normalize``, once a rung. Spec: RFC 3986 §6.2.

    >>> [(step.rung, step.after) for step in steps("HTTP://h/%7E") if step.changes]
    [('case', 'http://h/%7E'), ('percent-encoding', 'http://h/~')]
    """
    components = split(text)
    made: list[Step] = []
    for name, climb in zip(RUNGS[1:], _climbs(rung), strict=False):
        before, components = components, climb(components)
        changes = tuple(
            Change(component, old, new)
            for component, old, new in zip(Components._fields, before, components, strict=True)
            if old != new
        )
        made.append(Step(name, SECTIONS[name], recompose(before), recompose(components), changes))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two texts are equivalent: true or false, and which rung says so.

    ``rung`` is the first on which they are equal, or None; ``a`` and ``b`` are their forms on
    that rung, or else on the last. ``differing`` are the components that differ there.
    """

    rung: str | None
    a: str
    b: str
    differing: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.rung is not None

    def __str__(self) -> str:
        if self.rung is None:
            return f"not equivalent: {', '.join(self.differing)} differ{_s(self.differing)}"
        return f"equivalent by {_WORDS[self.rung]} (RFC 3986 §{SECTIONS[self.rung]})"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON-ready values."""
        return {
            "equivalent": bool(self),
            "rung": self.rung,
            "section": SECTIONS[self.rung] if self.rung else None,
            "a": self.a,
            "b": self.b,
            "differing": list(self.differing),
        }


_WORDS = {
    "string": "simple string comparison",
    "case": "case normalization",
    "percent-encoding": "percent-encoding normalization",
    "dot-segments": "path segment normalization",
    "scheme": "scheme-based normalization",
}


def _s(names: tuple[str, ...]) -> str:
    return "s" * (len(names) == 1)


def equivalent(
    a: str, b: str, *, base: str | None = None, fragment: bool = True, rung: str = "scheme"
) -> Equivalence:
    """Whether two references are equivalent, and on which rung of the ladder.

    Relative references should be compared by their targets: give the ``base`` (§6.1). Without
    one, those are equivalent that have the same target from every base. ``fragment=False`` leaves
    fragments out, as one does before fetching (§6.1). ``rung`` is the highest to climb to. Not
    equivalent means no more than that no rung shows it.

    Errors: as ``normalize``; InvalidComponents for a base that is no URI. Cost: O(n), once a rung
    climbed. Spec: RFC 3986 §6.1, §6.2.

    >>> print(equivalent("http://a/b", "HTTP://A:80/%62"))
    equivalent by scheme-based normalization (RFC 3986 §6.2.3)
    >>> print(equivalent("http://a/b%2Fc", "http://a/b/c"))
    not equivalent: path differs
    """
    strings(a=a, b=b)
    strings_or_none(base=base)
    flags(fragment=fragment)
    one, two = split(a), split(b)
    if base is not None:
        one, two = (transform(split(base, "URI"), components) for components in (one, two))
    if not fragment:
        one, two = one._replace(fragment=None), two._replace(fragment=None)
    climbs = _climbs(rung)
    texts = recompose(one), recompose(two)
    for at, name in enumerate(RUNGS[: len(climbs) + 1]):
        if at:
            one, two = climbs[at - 1](one), climbs[at - 1](two)
            texts = recompose(one), recompose(two)
        if texts[0] == texts[1]:
            return Equivalence(name, *texts, ())
    pairs = zip(Components._fields, one, two, strict=True)
    return Equivalence(None, *texts, tuple(name for name, x, y in pairs if x != y))


_Climb = Callable[[Components], Components]


def _climbs(rung: str, among: dict[str, tuple[_Climb, ...]] | None = None) -> tuple[_Climb, ...]:
    strings(rung=rung)
    try:
        return (among or _UP_TO)[rung]
    except KeyError:
        known = ", ".join(RUNGS)
        raise ValueError(f"no rung {rung!r}; the rungs are {known}") from None


def _case(c: Components) -> Components:
    """RFC 3986 §6.2.2.1."""
    return _letters(c, _octets()[0])


def _percent_encoding(c: Components) -> Components:
    """RFC 3986 §6.2.2.2, and the rung below it: a letter that was encoded has a case, too."""
    return _letters(c, _octets()[1])


def _letters(c: Components, octets: dict[str, str]) -> Components:
    """Scheme and host in lower case (§3.1, §3.2.2), and each encoded octet as the table has it."""
    scheme, userinfo, host, port, path, query, fragment = c
    if scheme is not None:
        scheme = scheme.lower()
    if host is not None:
        # What was decoded gets its lower case, and then octets get their upper case back.
        host = _write(_write(host, octets).lower(), octets) if "%" in host else host.lower()
    return Components(
        scheme,
        _write(userinfo, octets) if userinfo and "%" in userinfo else userinfo,
        host,
        port,
        _write(path, octets) if "%" in path else path,
        _write(query, octets) if query and "%" in query else query,
        _write(fragment, octets) if fragment and "%" in fragment else fragment,
    )


def _write(text: str, octets: dict[str, str]) -> str:
    """A valid text with what follows each percent sign looked up in the table."""
    first, *rest = text.split("%")
    return first + "".join([octets[piece[:2]] + piece[2:] for piece in rest])


def _dot_segments(c: Components) -> Components:
    """RFC 3986 §6.2.2.3: complete segments, decoded before, so that an encoded dot is a dot."""
    path = c.path
    if "/." not in path and not path.startswith("."):
        return c
    if path.startswith("/") or c.scheme is not None:
        if c.scheme in NO_HIERARCHY:
            return c
        return c._replace(path=remove_dot_segments(path))
    return c._replace(path=_shorten(path))


def _scheme(c: Components) -> Components:
    """RFC 3986 §6.2.3 and §3.2.3: without what means nothing in this scheme."""
    scheme, userinfo, host, port, path, query, fragment = c
    # A relative path after "file:" is none of RFC 8089, and stays as it is.
    local = host == LOCAL.get(scheme or "") if host else host == "" or path.startswith("/")
    if scheme in LOCAL and local and userinfo is None and not port:
        host = ""
    if host is not None:
        if port is not None and (
            not port or (scheme in DEFAULT_PORTS and port.lstrip("0") == str(DEFAULT_PORTS[scheme]))
        ):
            port = None
        if not path and host and scheme in DEFAULT_PORTS:
            path = "/"
    return Components(scheme, userinfo, host, port, path, query, fragment)


_ALL: tuple[_Climb, ...] = (_case, _percent_encoding, _dot_segments, _scheme)
_UP_TO = {name: _ALL[:height] for height, name in enumerate(RUNGS)}

# The second climb does what the first one does, so that without reporting one can start with it.
_AT_ONCE = {name: climbs[len(climbs) > 1 :] for name, climbs in _UP_TO.items()}


def _shorten(path: str) -> str:
    """A relative path without the dot-segments that make no difference from any base.

    Steps up at the start are what makes it relative; the segment after them stays too, for from
    a base without a slash (urn:x) it is the whole path, and ``a/../b`` ends at ``/b`` (§5.2.4).
    """
    *segments, last = path.split("/")
    if last in DOTS:
        segments, last = [*segments, last], ""
    kept: list[str] = []
    removable = -1  # how many kept segments a step up may take away
    for segment in segments:
        if segment == "..":
            if removable > 0:
                kept.pop()
                removable -= 1
            else:
                kept.append(segment)
        elif segment != ".":
            kept.append(segment)
            removable += 1
    short = "/".join([*kept, last])
    # What is empty now, or starts with a slash or a scheme, would be another kind of reference.
    return short if registry.load(GRAMMAR).accepts("path-noscheme", short) else "./" + short


@cache
def _octets() -> tuple[dict[str, str], dict[str, str]]:
    """For two hex digits of either case: the octet in upper case; the same, or decoded.

    What a digit is and what is unreserved are asked of the grammar (§2.1, §2.3).
    """
    digits = characters("HEXDIG")
    unreserved = characters("unreserved")
    upper = {a + b: f"%{a}{b}".upper() for a in digits for b in digits}
    plain = {
        pair: char if (char := chr(int(pair, 16))) in unreserved else octet
        for pair, octet in upper.items()
    }
    return upper, plain
