"""Hints beside violations: what was probably meant, where a near miss is well known.

Owns the recognition of near misses. Imports the grammars. Invariant: a hint changes no violation;
whether something is an address or an escape is asked of the grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..grammar.compiled import Compiled
from .blame import Blame, percent_encoded

_WINDOW = 200
"""How far a hint looks around: it costs the same for any text."""


def hint(grammar: Compiled, rule: str, text: str, component: str, blame: Blame) -> str | None:
    """What was probably meant, or None."""
    first = text[blame.start : blame.start + 1] if blame.start < blame.end else ""
    finders = _HINTS.get(first, (_white_space,) if first.isspace() else ())
    for find in finders:
        for words in find(grammar, rule, text, component, blame):
            return words
    return None


def _white_space(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    found = text[blame.start : min(blame.end, blame.start + _WINDOW)]
    if found and found.isspace():
        if blame.start == 0:
            yield "white space before the text is no part of it"
        elif blame.end == len(text):
            yield "white space after the text is no part of it"


def _backslash(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    if blame.kind == "illegal":
        yield "a backslash delimits nothing in a URI; a slash may be meant"


def _legacy_escape(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    marked = text[blame.start + 1 : blame.start + 2] in ("u", "U")
    digits = text[blame.start + 2 : blame.start + 6]
    if blame.kind != "bad-escape" or not marked or "HEXDIG" not in grammar.model.rules:
        return
    if len(digits) == 4 and all(grammar.accepts("HEXDIG", c) for c in digits):  # noqa: PLR2004
        octets = percent_encoded(chr(int(digits, 16)))
        meant = f"; in UTF-8 it is {octets}" if octets else ""
        yield f"%uXXXX is an escape of old scripts, not of URIs{meant}"


def _zone(grammar: Compiled, rule: str, text: str, component: str, blame: Blame) -> Iterator[str]:
    if blame.path[-1] == "IPv6address" and text[blame.start : blame.start + 1] == "%":
        opening = text.rfind("[", max(blame.start - _WINDOW, 0), blame.start)
        if opening >= 0 and grammar.accepts("IPv6address", text[opening + 1 : blame.start]):
            yield (
                "a zone identifier (RFC 6874, withdrawn by RFC 9844) is no part of an address "
                "in RFC 3986"
            )


def _twice(grammar: Compiled, rule: str, text: str, component: str, blame: Blame) -> Iterator[str]:
    if blame.path[-1] == "IPv6address" and text[blame.start - 1 : blame.start + 1] == "::":
        opening = text.rfind("[", max(blame.start - _WINDOW, 0), blame.start)
        if "::" in text[opening + 1 : blame.start - 1]:
            yield "a run of zeros may be left out as :: only once"


def _unbracketed(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    if component != "port" or "IPv6address" not in grammar.model.rules:
        return
    low = max(text.rfind(mark, 0, blame.start) for mark in "/@")
    ends = [end for mark in "/?#" if (end := text.find(mark, blame.end)) >= 0]
    high = min(ends, default=len(text))
    address = text[low + 1 : high]
    if len(address) < _WINDOW and grammar.accepts("IPv6address", address):
        yield f"an IPv6 address stands in brackets: [{address}]"


def _hole(grammar: Compiled, rule: str, text: str, component: str, blame: Blame) -> Iterator[str]:
    for opening, closing in (("{", "}"), ("<", ">")):
        if any(f'"{opening}"' in known.text for known in grammar.model.rules.values()):
            continue  # a grammar of templates has holes of its own
        around = text[max(blame.start - _WINDOW, 0) : blame.end + _WINDOW]
        if text[blame.start : blame.start + 1] in (opening, closing) and (
            -1 < around.find(opening) < around.rfind(closing)
        ):
            yield (
                f"{opening}…{closing} looks like a hole in a template (RFC 6570), "
                "which is filled in before it is a URI"
            )


def _authority(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    if (
        component == "path"
        and text[blame.start : blame.end] == ":"
        and text[blame.start + 1 : blame.start + 2].isdigit()
        and rule in grammar.model.rules
        and grammar.accepts(rule, f"//{text}")
    ):
        meant = f"//{text}" if len(text) < _WINDOW else "with // before it"
        yield f"a host with a port, without a scheme, is written {meant}"


def _relative(
    grammar: Compiled, rule: str, text: str, component: str, blame: Blame
) -> Iterator[str]:
    if blame.kind == "missing" and component == "scheme":
        for name in grammar.model.starts:
            if name != rule and grammar.accepts(name, text):
                yield f"without a scheme it is a relative reference: {name} allows it"


_HINTS: dict[str, tuple[Callable[[Compiled, str, str, str, Blame], Iterator[str]], ...]] = {
    "": (_relative,),
    "\\": (_backslash,),
    "%": (_legacy_escape, _zone),
    ":": (_twice, _unbracketed, _authority),
    "{": (_hole,),
    "}": (_hole,),
    "<": (_hole,),
    ">": (_hole,),
}
"""By the first blamed character, so that most violations cost no look at all."""
