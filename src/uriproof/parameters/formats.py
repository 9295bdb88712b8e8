"""The formats of JSON Schema that are validated.

Owns the table of formats, and what grammars cannot say about one: days that exist, sizes of
numbers, lengths. Imports the grammars. Invariant: the form of a text is that of a bundled grammar,
and no library is needed; a format concerns only values of its own type.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from ..grammar import registry
from ..limits import LONGEST_LABEL, LONGEST_MAIL, LONGEST_NAME
from ..rule import FORMATS as OF_RULES


class Format(NamedTuple):
    """A format: its values in words, whether one conforms to it, and whether they are texts."""

    words: str
    holds: Callable[[Any], object]
    of_text: bool = True


def conforms(value: object, format: object) -> bool:
    """Whether a value conforms to a format; always if the format is unknown or of another type.

    Cost: O(n). Spec: JSON Schema Validation §7.3; the format registry of OpenAPI.

    >>> conforms("2023-02-29", "date"), conforms(2**31, "int32"), conforms("x", "int32")
    (False, False, True)
    """
    found = FORMATS.get(format) if isinstance(format, str) else None
    if found is None or isinstance(value, bool):
        return True
    own = isinstance(value, str if found.of_text else int | float)
    return not own or bool(found.holds(value))


def _matches(grammar: str, rule: str, text: str) -> bool:
    return bool(registry.load(grammar).matcher(rule)(text))


def _is_date(text: str) -> bool:
    return _matches("rfc3339", "full-date", text) and _is_day(text)


def _is_time(text: str) -> bool:
    return _matches("rfc3339", "full-time", text) and _is_moment(text)


def _is_date_time(text: str) -> bool:
    right = _matches("rfc3339", "date-time", text)
    return right and _is_day(text[:10]) and _is_moment(text[11:])


def _is_day(text: str) -> bool:
    """Whether a full-date is a day of the calendar. Spec: RFC 3339 §5.7."""
    if text.startswith("0000"):  # a leap year like 2000, and before the first that Python has
        text = f"2000{text[4:]}"
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def _is_moment(text: str) -> bool:
    """Whether a full-time exists: a leap second only where a day ends in UTC (RFC 3339 §5.7)."""
    hour, minute, second = int(text[:2]), int(text[3:5]), int(text[6:8])
    zone = "+00:00" if text[-1].isalpha() else text[-6:]
    hours, minutes = int(zone[1:3]), int(zone[4:])
    away = int(f"{zone[0]}1") * (hours * _MINUTES + minutes)
    ends = (hour * _MINUTES + minute - away + 1) % (_HOURS * _MINUTES) == 0
    return max(hour, hours) < _HOURS and max(minute, minutes) < _MINUTES > second - ends


_HOURS, _MINUTES = 24, 60  # of a day and of an hour; a minute has as many seconds


def _is_hostname(text: str) -> bool:
    """Labels of letters, digits and hyphens (RFC 1123 §2.1), no longer than the DNS allows."""
    short = len(text) <= LONGEST_NAME and max(map(len, text.split("."))) <= LONGEST_LABEL
    return short and _matches("rfc6265", "subdomain", text)


def _is_email(text: str) -> bool:
    """An address as it is sent, without comments and line ends (RFC 5321 §4.1.2)."""
    local, _, domain = text.rpartition("@")
    mail = partial(_matches, "rfc5322")
    if len(text) > LONGEST_MAIL or not text.isprintable():
        return False
    quoted = len(local) > 1 and local[0] == local[-1] == '"' and mail("quoted-string", local)
    literal = domain[:1] + domain[-1:] == "[]" and mail("domain-literal", domain)
    return (quoted or mail("dot-atom-text", local)) and (literal or _is_hostname(domain))


def _integer(allowed: range) -> Format:
    words = f"an integer from {allowed[0]:,} to {allowed[-1]:,}"
    return Format(words, lambda value: allowed[0] <= value <= allowed[-1], of_text=False)


def _text(words: str, grammar: str, rule: str) -> Format:
    return Format(words, partial(_matches, grammar, rule))


_GREATEST = float.fromhex("0x1.fffffep+127")  # binary32 of IEEE 754
_SIZES = (8, 16, 32, 64)  # bits

FORMATS: dict[str, Format] = {
    **{name: _text(f"a valid {of[0]}", of[1], of[0]) for name, of in OF_RULES.items()},
    **{f"int{size}": _integer(range(-(1 << size - 1), 1 << size - 1)) for size in _SIZES},
    **{f"uint{size}": _integer(range(1 << size)) for size in _SIZES},
    "float": Format("a number of 32 bits", lambda value: abs(value) <= _GREATEST, of_text=False),
    "date": Format("a date, such as 2024-02-29", _is_date),
    "time": Format("a time and its zone, such as 23:20:50Z", _is_time),
    "date-time": Format("a date and a time, such as 2024-02-29T23:20:50Z", _is_date_time),
    "uuid": _text("a UUID", "rfc9562", "UUID"),
    "ipv4": _text("an IPv4 address", "rfc3986", "IPv4address"),
    "ipv6": _text("an IPv6 address", "rfc3986", "IPv6address"),
    "hostname": Format("a host name", _is_hostname),
    "email": Format("an email address", _is_email),
}
"""By name. All others are annotations: every number is a ``double``, and ``byte``, ``binary`` and
``password`` say how to handle a text."""
