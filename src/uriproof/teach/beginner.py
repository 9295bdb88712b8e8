"""Violations in the words of somebody who has never read a grammar.

Owns these sentences. Imports ``report``, ``text`` and the names of characters. Invariant: every
violation has one or two sentences that name the component and, where there is one, the blamed
character, and say what to do; nothing of a password is in them that the violation does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..report import Report, Violation
from ..text.columns import ELLIPSIS, OCTETS
from ..text.drawing import WIDTH, draw, named, short, visible
from ..text.names import or_list

__all__ = ["beginner", "explained"]

_MOST = 3
"""Characters that are named one by one."""

_MOST_LISTED = 20
_QUOTED = 24
_EXAMPLE = 2
"""Characters after a percent sign that are shown with it."""

_COMPONENTS = {
    name: name for name in ("scheme", "authority", "host", "port", "path", "query", "fragment")
} | {"userinfo": "user information", "text": "text"}
"""Components (RFC 3986 section 3) by plain names."""

_SETS = {"ALPHA": "a letter", "DIGIT": "a digit", "HEXDIG": "a hexadecimal digit"}
"""Rules of the core (RFC 5234 appendix B) by names that say all that they allow."""

_NAMES = {
    **_SETS,
    "unreserved": "a letter or a digit",
    "pchar": "a letter or a digit",
    "h16": "a hexadecimal number",
    "scheme": "a scheme",
    "host": "a host",
    "port": "a port",
    "path": "a path",
    "query": "a query",
    "fragment": "a fragment",
    "dec-octet": "a number from 0 to 255",
}
"""Rules that a beginner can be asked for by a plain name, which need not say all of them."""

_CHARACTERS = {" ": "a space", "\n": "a line break", "\r": "a line break", "\t": "a tab"}


def beginner(violation: Violation, report: Report) -> str:
    """What is wrong and what to do, in one or two plain sentences without terms of ABNF.

    ``violation`` is one of ``report``; both may be masked. The other level is
    ``violation.message``. Errors: none. Cost: O(length of the violation).

    >>> from uriproof import check
    >>> report = check("http://example.com/a b")
    >>> beginner(report.violations[0], report)
    'A space is not allowed in the path. Write %20 instead.'
    """
    words = _WORDS[violation.kind](violation, report)
    return " ".join(_sentence(one) for one in words if one)


def explained(report: Report, width: int = WIDTH) -> list[str]:
    """A report as lines for beginners: the text with carets, then a sentence for each violation.

    Passwords are masked. Cost: O(n).

    >>> from uriproof import check
    >>> print("\\n".join(explained(check("8o80", "port"))))
    invalid port
    <BLANKLINE>
      8o80
       ^
    <BLANKLINE>
      1  "o" is not allowed in the port. Only a digit can be there.
    """
    from textwrap import wrap

    shown = report.masked()
    if shown.ok:
        return [f"valid {shown.rule}  {draw(shown.text, [], width - 20)[0]}"]
    spans = [(v.start, v.end) for v in shown.violations]
    lines = [f"invalid {shown.rule}", ""]
    lines += [f"  {line}" for line in draw(shown.text, spans, width - 2)]
    lines.append("")
    listed = shown.violations[:_MOST_LISTED]
    room = len(str(listed[-1].start))
    for violation in listed:
        words = wrap(beginner(violation, shown), width - room - 4, break_on_hyphens=False)
        place = f"{violation.start:>{room}}"
        lines += [f"  {' ' * room if n else place}  {line}" for n, line in enumerate(words)]
    more = len(shown.violations) - len(listed) + shown.more
    if more:
        lines.append(f"  {ELLIPSIS} and {more:,} more")
    if shown.fixed is not None:
        lines += ["", f"  fixed: {short(shown.fixed, 2000)}"]
    return lines


def _illegal(violation: Violation, _: Report) -> Iterable[str]:
    where = _where(violation)
    if violation.masked:
        yield violation.message
        yield violation.hint or "Write it percent-encoded, as % and two hexadecimal digits"
        return
    found = list(dict.fromkeys(map(_character, violation.found[: 4 * _QUOTED])))
    if len(found) <= _MOST and len(violation.found) <= 4 * _QUOTED:
        *others, last = found
        what = f"{', '.join(others)} and {last} are" if others else f"{last} is"
    else:
        what = f"{_quoted(violation.found)} is"
    yield f"{what} not allowed {where}"
    yield _instead(violation) or _allowed(violation)


def _bad_escape(violation: Violation, report: Report) -> Iterable[str]:
    digits = ""
    if not violation.masked:
        for char in report.text[violation.end : violation.end + _EXAMPLE]:
            if not (char.isascii() and char.isalnum()):
                break
            digits += char
    yield f'two hexadecimal digits must follow "%" {_where(violation)}, as in %20' + (
        f', and "%{digits}" has no such digits' if digits else ""
    )
    if violation.fix and not violation.masked:
        yield f"To write the character % itself, write {violation.fix.replacement}"
    else:
        yield violation.hint or "Add the digits, or leave the % out"


def _missing(violation: Violation, report: Report) -> Iterable[str]:
    where = _where(violation)
    if not violation.rule:
        yield from _forbidden(violation, report)
        return
    at = violation.start
    if at == 0:
        place = "at the start"
    elif at >= len(report.text):
        place = "at the end"
    else:
        place = f"before {_character(report.text[at])}"
    plain = _plain(violation.expected, _NAMES)
    wanted = or_list(plain) if plain else "something"
    several = any(" and " in words for words in plain)
    if violation.component in " ".join(violation.expected).split():
        where = ""  # a whole component, by its name
    what = f"{wanted} {'are' if several else 'is'} missing {where}".rstrip()
    yield f"{what}, {place}" if where else f"{what} {place}"
    hint = None if violation.component == "scheme" else violation.hint  # that names rules
    yield hint or (f"Add {'them' if several else 'it'} there" if plain else "Complete it there")


def _extra(violation: Violation, _: Report) -> Iterable[str]:
    yield f"there must be no {_named(violation)} in a text of this kind ({_kind(violation)})"
    known = violation.found and not violation.masked
    yield f"Leave {_quoted(violation.found)} out" if known else "Leave it out"


def _forbidden(violation: Violation, _: Report) -> Iterable[str]:
    known = violation.component in violation.message or violation.component == "text"
    where = "" if known else f" {_where(violation)}"
    yield f"the rules of this application refuse it{where}: {violation.message}"
    if violation.kind == "missing":
        yield "Add it"
    elif violation.code == "too-long":
        yield "Make the text shorter"
    else:
        yield "Change it, or leave it out"


_WORDS = {
    "illegal": _illegal,
    "bad-escape": _bad_escape,
    "missing": _missing,
    "extra": _extra,
    "forbidden": _forbidden,
}


def _instead(violation: Violation) -> str:
    """What to write, or the hint where something else may be meant."""
    if violation.fix:
        return f"Write {short(violation.fix.replacement, _QUOTED)} instead"
    return violation.hint or ""


def _allowed(violation: Violation) -> str:
    """What to do about a character that nothing safe can replace."""
    if not violation.expected:
        return "Nothing more can follow there: leave it out"
    plain = _plain(violation.expected, _SETS)
    if len(plain) == len(violation.expected):
        return f"Only {or_list(plain)} can be there"
    return "Leave it out, or write another character"


def _plain(expected: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The elements of a right-hand side that have plain words, each once."""
    found: dict[str, None] = {}
    for element in expected:
        words = [names.get(w) or (w if w[:1] == w[-1:] == '"' else "") for w in element.split()]
        if words and all(words):
            found[" and ".join(words)] = None
    return list(found)


def _where(violation: Violation) -> str:
    """In which component; in a grammar without components, where in general."""
    named_ = _named(violation)
    return f"in the {named_}" if named_ in _COMPONENTS.values() else f"here ({named_})"


def _named(violation: Violation) -> str:
    return visible(_COMPONENTS.get(violation.component, violation.component))


def _kind(violation: Violation) -> str:
    return visible(violation.production)


def _character(char: str) -> str:
    """A character as people call it: itself, if it has a shape of its own."""
    if char in _CHARACTERS:
        return _CHARACTERS[char]
    if char in OCTETS:
        return f"a byte that is no text (0x{OCTETS[char]:02X})"
    if char == '"':
        return "a quotation mark"
    if char.isprintable() and not char.isspace():
        return f'"{char}"'
    return f"an invisible character ({named(char)})"


def _quoted(text: str) -> str:
    return f'"{short(text, _QUOTED)}"'


def _sentence(words: str) -> str:
    """Words with a capital at the start and a full stop at the end."""
    first = words[:1].upper() + words[1:]
    return first if first.endswith((".", ELLIPSIS)) else f"{first}."
