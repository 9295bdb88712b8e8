"""The password of a URL in a file: where it stands, so that it is not shown.

Owns the exceptions for templates and for examples, and passwords that the end of a URL was found
in. Imports ``report`` and ``text``. Invariant: a password that a template fills in is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...report import Report
from ...text.passwords import Span, passwords
from ...text.patterns import lazy

__all__ = ["cut_short", "is_example", "password"]

# Hosts that are nobody's: RFC 2606 §2 and §3, RFC 6761 §6, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3.
_RESERVED = ("example", "test", "invalid", "localhost")
_EXAMPLES = ("example.com", "example.net", "example.org")
_LOOPBACK = ("127.0.0.1", "[::1]")
# What stands for a password, and is none: the word, a mask, a name in capitals (API_KEY).
_WORDS = frozenset(("password", "passwd", "passwort", "pass", "pwd", "pw", "secret"))
_MASK = 3  # of one character, repeated
# What follows a colon in an authority, up to an "@": no port, and no string that ends before. It
# may have a quote, a bracket or a byte in it that ends a URL in prose, and spaces.
_CUT_SHORT = lazy(
    r":/{1,2}[^\s/?#:@\"'<>]{0,80}:(?![0-9]+(?:\W|\Z))"
    r"(?P<password>(?:(?![\"'`][\s,;:)\]}>])[^\s/@]){1,80}+(?:[ ][^\s@<>\"']{1,40}+){0,4}+)@[\w\[]"
)


def is_example(report: Report) -> bool:
    """Whether the password of a URL is one that documentation and tests show, so that nobody is to
    change it: the word itself, a mask or a name in capitals, or one for a host that is reserved.

    >>> from uriproof import check
    >>> [is_example(check(f"ftp://me:{rest}/")) for rest in ("pass@a.b", "x@localhost", "x@a.b")]
    [True, True, False]
    >>> [is_example(check(f"ftp://me:{word}@a.b/")) for word in ("***", "xxxxxx", "API_KEY", "A1")]
    [True, True, True, False]
    """
    userinfo, host = (report.components.get(name) for name in ("userinfo", "host"))
    if userinfo is None or host is None:
        return False
    name = host.text.lower().rstrip(".")
    reserved = name in _LOOPBACK or name.rpartition(".")[2] in _RESERVED
    word = userinfo.text.partition(":")[2]
    mask = len(word) >= _MASK and len(set(word.lower())) == 1
    named = word.isupper() and word.replace("_", "").replace("-", "").isalpha()
    known = word.lower() in _WORDS or mask or named
    return known or reserved or any(f".{name}".endswith(f".{one}") for one in _EXAMPLES)


def password(report: Report, holes: Iterable[Span] = ()) -> Span | None:
    """Where the password of a URL's user information stands, if it has one (RFC 3986 §3.2.1).

    >>> from uriproof import check
    >>> password(check("ftp://me:pw@h/")), password(check("ftp://me:{pw}@h/"), [(9, 13)])
    ((9, 11), None)
    """
    if "@" not in report.text:
        return None
    span = next(passwords(report.text, report.spans()), None)
    if span is not None and any(a <= span[0] and span[1] <= b for a, b in holes):
        return None
    return span


def cut_short(text: str) -> list[Span]:
    """Where in a file passwords may stand that end a URL in prose too early: they are not shown,
    whatever is found there. Cost: O(n).

    >>> cut_short('ftp://me:p"w@h/, http://h:80 a@b'), cut_short('("http://host:port", "me@h")')
    ([(9, 12)], [])
    """
    return [match.span("password") for match in _CUT_SHORT.finditer(text)] if "@" in text else []
