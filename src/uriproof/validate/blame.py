"""Blame: which characters of a component none of its productions allows.

Owns the choice of the production that a text is read as, and its ways to be read: whole, element by
element, between two delimiters, up to the first violation. Imports the productions and error
recovery. Invariant: blamed ranges are in text order and disjoint, and there is at least one for
every text that none of the productions accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..report import Kind
from .loops import list_separators
from .productions import Bracketed, ByCharacter, ByElement, Candidate, ComponentRule, FirstErrorOnly
from .recovery import Blame
from .words.quoted import begun, letters


def diagnose(productions: ComponentRule, text: str) -> tuple[str, list[Blame]]:
    """Choose the production to diagnose a component against: its name, and the blamed ranges.

    It is the one with the longest viable prefix. Of equals it is the first whose first blame is
    content, not a delimiter: a path that starts with an illegal character is not a path-absolute
    without its slash. Cost: O(n).
    """
    candidates: Sequence[Candidate] = productions.candidates
    if len(candidates) > 1:
        if not text and len({c.path[:-1] for c in candidates}) == 1:
            path = candidates[0].path
            words = tuple([c.path[-1] for c in candidates])
            return path[-2], [Blame(0, 0, "missing", path[:-1], words)]
        candidates = _longest(candidates, text)
    leaves = productions.grammar.model.leaves
    best: list[Blame] = []
    chosen = candidates[0]
    for candidate in candidates:
        blames = _diagnose(candidate, text)
        content = not blames or not leaves.isdisjoint(blames[0].path)
        if not best or content:
            best, chosen = blames, candidate
        if content:
            break
    return chosen.path[-1], best


def _longest(candidates: Sequence[Candidate], text: str) -> Sequence[Candidate]:
    """Those that can read most of a text."""
    could = [c for c in candidates if type(c) is not Bracketed or text.startswith(c.opening)]
    if len(could) < 2:  # noqa: PLR2004 -- one is left to choose
        return could or candidates[:1]
    viable = [_viable(candidate, text) for candidate in could]
    longest = max(viable)
    return [c for c, n in zip(could, viable, strict=True) if n == longest]


def _viable(candidate: Candidate, text: str) -> int:
    """The length of the longest prefix that could be the start of the production."""
    match candidate:
        case ByCharacter():
            return candidate.reader().viable(text)
        case ByElement():
            return _viable(candidate.as_characters, text)
        case Bracketed():
            # Whatever is wrong after the opening delimiter, an address is meant.
            return len(text) if text.startswith(candidate.opening) else 0
        case FirstErrorOnly():
            furthest = candidate.grammar.furthest(candidate.path[-1], text)
            return len(text) + 1 if furthest is None else furthest.offset


def _diagnose(candidate: Candidate, text: str) -> list[Blame]:
    """The blamed ranges in a text that the production does not accept. Cost: O(n)."""
    # The commonest first; a match statement takes three times as long.
    if isinstance(candidate, ByCharacter):
        return _by_character(candidate, text)
    if isinstance(candidate, ByElement):
        return _by_element(candidate, text)
    if isinstance(candidate, Bracketed):
        return _bracketed(candidate, text)
    return _first_error_only(candidate, text)


def _by_character(whole: ByCharacter, text: str) -> list[Blame]:
    if not text and len(whole.path) > 1:
        return [Blame(0, 0, "missing", whole.path[:-1], (whole.path[-1],))]
    found = whole.loop.blame(text, 0, len(text), "", whole.grammar) if whole.loop else None
    if found is None:
        found = whole.reader().read(text)
        for number, one in enumerate(found):
            separators = list_separators(whole.grammar, one.path)
            if one.encodes and not separators.isdisjoint(text[one.start : one.end]):
                # Encoded, it would not separate any more (RFC 3986 §2.2).
                found[number] = one._replace(encodes=False)
    return found


def _by_element(listed: ByElement, text: str) -> list[Blame]:
    found: list[Blame] = []
    at = 0
    for element in text.split(listed.separator):
        if not listed.match(element):
            found += shifted(_diagnose(listed.element, element), at)
        at += len(element) + len(listed.separator)
    # A query is divided at its separators, whatever else could be meant (RFC 3986 §3.4
    # leaves that to its grammar); in any other list one of them might be wrong.
    if not listed.is_query and cost(found) > 1:
        whole = _by_character(listed.as_characters, text)
        if cost(whole) < cost(found):
            return whole
    return found


def _bracketed(enclosed: Bracketed, text: str) -> list[Blame]:
    if not text.startswith(enclosed.opening):
        return _by_character(enclosed.as_characters, text)
    start, end = len(enclosed.opening), text.rfind(enclosed.closing)
    closed = end >= start
    inner = text[start : end if closed else None]
    found: list[Blame] = []
    if not inner:
        words = tuple([whole.path[-1] for whole in enclosed.inner])
        found.append(Blame(start, start, "missing", enclosed.path, words))
    elif not any(match(inner) for match in enclosed.matches):
        address = max((whole.reader() for whole in enclosed.inner), key=lambda r: r.viable(inner))
        # Single characters only if it is also closed.
        found += shifted(address.blame_address(inner, 2 if closed else 0), start)
    if not closed:
        # Nothing is missing after a blamed character: that might be the intended end.
        if not found:
            at = len(text)
            found.append(Blame(at, at, "missing", enclosed.path, (f'"{enclosed.closing}"',)))
    elif end + len(enclosed.closing) < len(text):
        path, words = enclosed.after
        found.append(Blame(end + len(enclosed.closing), len(text), "illegal", path, words))
    return found


def _first_error_only(candidate: FirstErrorOnly, text: str) -> list[Blame]:
    path, grammar = candidate.path, candidate.grammar
    furthest = grammar.furthest(path[-1], text)
    if furthest is None:
        return []
    offset, expected, inner = furthest
    escape = grammar.model.escape
    kind: Kind = "missing" if offset == len(text) else "illegal"
    if escape is not None and inner[-1] == escape and offset < len(text):
        kind = "bad-escape"
    start, more = begun(grammar, expected, text, offset), letters(text, offset)
    absent = f"part of {expected[0]}" if start < offset == len(text) else ""
    start, end = (start, offset + more) if more else (offset, min(offset + 1, len(text)))
    return [Blame(start, end, kind, (*path[:-1], *inner), expected, absent=absent)]


def cost(blames: Iterable[Blame]) -> int:
    """The number of blamed characters; a missing part counts as one."""
    return sum([max(one.end - one.start, 1) for one in blames])


def shifted(blames: list[Blame], by: int) -> list[Blame]:
    """The same blames in a longer text."""
    return [one._replace(start=one.start + by, end=one.end + by) for one in blames]
