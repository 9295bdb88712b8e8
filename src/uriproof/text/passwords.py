"""Passwords and tokens in a text, which are not to be shown (RFC 3986 section 3.2.1).

Owns finding and masking them, in valid texts and in invalid ones: the one mask of the package.
Imports only the standard library. Invariant: a masked text has as many characters as before, so
that every offset stays right. If it is not certain what a password is, too much is masked rather
than too little.

How a password is found. It begins after the first colon of what looks like user information: right
after the slashes of an authority, before the next "/", "?" or "#". It ends

- before the last "@" of that authority, as RFC 3986 reads it; but
- people write delimiters in passwords as they are, and then the authority ends too early:
  ``db://me:p@ss/w@rd@host/`` is a valid URI of the host ``ss``. If there is another "@" later on,
  before the next URL in the text, the password ends before the last of them, unless the host as
  it is read looks like one of the Internet (``example.com``) and what follows the last "@" does
  not (``git+https://me:token@example.com/x.git@main``);
- the text after the colon of an authority without "@" is a port if it has only digits, or is
empty (``http://localhost:80/@x``); otherwise it might be the beginning of a password.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from ..limits import LONGEST_PASSWORDS, LONGEST_WITH_PASSWORDS, MOST_PASSWORDS
from .patterns import lazy

SECRET = "A character of the password must be encoded."  # noqa: S105 -- a message
"""The message of a violation in a password."""

SECRETS = frozenset(
    {"access_token", "api-key", "api_key", "apikey", "auth_token", "client_secret", "id_token"}
    | {"passwd", "password", "private_token", "pwd", "refresh_token", "secret", "sig", "signature"}
    | {"token", "x-amz-security-token", "x-amz-signature", "x-goog-signature"}
)
"""Keys of parameters whose values are secret, in lower case."""

_KEYED = lazy(rf"[?&#;](?:{'|'.join(sorted(SECRETS))})=([^&#]+)", re.IGNORECASE)

Span: TypeAlias = tuple[int, int]

_ENDS_AUTHORITY = frozenset("/?#")  # RFC 3986 section 3.2
_WORD = 4
"""Characters of a word that is looked for in a password: shorter ones are in many by chance."""
_LABEL = 2
"""Letters of the last label of a host of the Internet: there is none of one letter."""
_PORT = 5
"""Digits of a port, at most (RFC 6335 section 6: 65535)."""
_OCTETS = 4
"""Of an IPv4 address."""


def passwords(text: str, components: Mapping[str, Span] | None = None) -> Iterator[Span]:
    """The spans of possible passwords and of the values of secret parameters, in order, also in
    URLs within the text.

    ``components`` are the spans of the components of the text; without knowledge of the text, there
    are none. If the port looks like a host, as in ``user@password:host.org``, it is taken for the
    host. Cost: O(n log n).

    >>> text = "ftp://me:p/w@h/?u=ftp://me:pw@h"
    >>> [text[start:end] for start, end in passwords(text)]
    ['p/w', 'pw']
    >>> list(passwords("http:/me:pw@h?sig=1", {"path": (5, 13)}))
    [(9, 11), (18, 19)]
    """
    tokens = [match.span(1) for match in _KEYED.finditer(text)] if "=" in text else []
    yield from sorted([*_of_users(text, components or {}), *tokens])


def _of_users(text: str, spans: Mapping[str, Span]) -> Iterator[Span]:
    """The spans of passwords of user information, in order."""
    if "userinfo" in spans and "host" not in spans:  # it is all that there is
        start, end = spans["userinfo"]
        colon = text.find(":", start, end)
        if 0 <= colon < end - 1:
            yield colon + 1, end
        return
    if "@" not in text:
        return
    if len(text) > LONGEST_WITH_PASSWORDS:
        colon, sign = text.find(":", text.find("//") + 1), text.rfind("@")
        if 0 <= colon < sign - 1:
            yield colon + 1, sign
        return
    host = spans.get("host", (0, 0))
    known = _Marks(text)
    if host[0] < host[1]:
        first = spans.get("userinfo", host)[0]  # without slashes before it, of a single authority
        starts = sorted({first, *(at + 2 for at in _places(text, "//"))})
        userinfo, port = (text[slice(*spans.get(name, (0, 0)))] for name in ("userinfo", "port"))
        if userinfo and ":" not in userinfo and "." in port:  # user@password:host.org
            yield host
    else:  # the intended authority might be anywhere
        starts = sorted({spans.get("path", (0, 0))[0], *(at + 1 for at in known.ends)})
    done = 0
    for start in starts:
        if start >= done and (found := known.password(start)):
            yield found
            done = found[1]


class _Marks:
    """A text, and the places of the characters that passwords begin and end with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ends = [at for at, char in enumerate(text) if char in _ENDS_AUTHORITY]
        self._signs = list(_places(text, "@"))
        self._urls = list(_places(text, "://"))

    def _end(self, start: int) -> int:
        """The end of an authority that begins there."""
        at = bisect_left(self.ends, start)
        return self.ends[at] if at < len(self.ends) else len(self.text)

    def password(self, start: int) -> Span | None:
        text, end = self.text, self._end(start)
        colon = text.find(":", start, end)
        if text.startswith("[", start) and (bracket := text.find("]", start, end)) >= 0:
            colon = text.find(":", bracket, end)  # that of a port, after an address
        if colon < 0:
            return None
        sign = text.rfind("@", colon, end)
        last = self._last_sign(start, end, any_url=sign < 0)
        if sign >= 0:
            if last is not None and not (
                _is_host(text[sign + 1 : end]) and not _is_host(text[last + 1 : self._end(last)])
            ):
                sign = last
        else:
            port = text[colon + 1 : end]
            is_port = port == "" or (port.isdecimal() and len(port) <= _PORT)
            if last is None or (is_port and start < colon):
                return None
            sign = last
        return (colon + 1, sign) if colon + 1 < sign else None

    def _last_sign(self, start: int, end: int, *, any_url: bool) -> int | None:
        """The last "@" after an authority: before the next URL, or else anywhere."""
        before = self.text[max(start - 2, 0) : start]
        if before not in ("//", ":/", "") and self.text[start : start + 1] != "\\":
            return None  # a segment of a path, or a name such as a:b/c@d
        url = bisect_left(self._urls, end)
        limit = self._urls[url] if url < len(self._urls) else len(self.text)
        for stop in (limit, len(self.text))[: 1 + any_url]:
            at = bisect_left(self._signs, stop) - 1
            if at >= 0 and self._signs[at] >= end:
                return self._signs[at]
        return None


def _is_host(text: str) -> bool:
    """Whether a text looks like a host that is reached by the Internet, or this one."""
    name = text.partition(":")[0]
    *labels, last = name.split(".")
    return (
        text.startswith("[")
        or name == "localhost"
        or (bool(labels) and last.isalpha() and len(last) >= _LABEL)
        or (len(labels) + 1 == _OCTETS and name.replace(".", "").isdecimal())
    )


def masked(text: str, spans: Iterable[Span], at: int = 0) -> str:
    """The text with asterisks for the spans, which count from ``at`` before it. Cost: O(n).

    >>> masked("a:pw@b", [(12, 14)], 10)
    'a:**@b'
    """
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        low, high = max(start - at, done), min(end - at, len(text))
        if low < high:
            pieces += text[done:low], "*" * (high - low)
            done = high
    return "".join([*pieces, text[done:]])


def without_passwords(text: str) -> str:
    """A text without known components, with asterisks for possible passwords.

    >>> without_passwords("http://me:p/w@h/%")
    'http://me:***@h/%'
    """
    return masked(text, passwords(text))


def touches(span: Span, secret: Sequence[Span]) -> bool:
    """True if a span has a character of a secret in it; these are in order. Cost: O(log n).

    >>> touches((3, 3), [(1, 2), (3, 5)]), touches((4, 4), [(1, 2), (3, 5)])
    (False, True)
    """
    before = bisect_left(secret, span[1], key=itemgetter(0)) - 1
    return before >= 0 and span[0] < secret[before][1]


def discloses(sentence: str, secret: Collection[str]) -> bool:
    """True if a sentence quotes a word of a secret. Cost: O(n); the secrets read are bounded.

    >>> discloses('write "pass" otherwise', ["my pass"])
    True
    """
    if len(secret) > MOST_PASSWORDS or sum(map(len, secret)) > LONGEST_PASSWORDS:
        return True
    words = [word.strip("\"'.,;:()[]{}<>") for word in sentence.split()]
    return any(
        (len(part) >= _WORD and part in sentence)
        or any(len(word) >= _WORD and word in part for word in words)
        for part in secret
    )


def _places(text: str, mark: str) -> Iterator[int]:
    """The starts of a mark, also of overlapping ones."""
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)
