"""Mistakes in hosts, ports and user information.

Owns these recognizers. Imports the grammars, the hosts of ``percent``, and ``scheme``.
Invariant: as of ``_form``.
"""

from __future__ import annotations

from unicodedata import category

from ..grammar import registry
from ..limits import LONGEST_NAME
from ..validate.octets import encoded_character
from ._form import Correction, Seen, accepts, form
from .scheme import authority_end

_LITERALS = frozenset({"IPv6address", "IPvFuture"})
_NAMING = frozenset({"Ll", "Lu", "Lt", "Lo", "Lm", "Mn", "Mc", "Nd", "So"})
"""What a name in another script, or of symbols, has; a quotation mark, which browsers take too, is
in none."""


def _blames(seen: Seen, *components: str) -> bool:
    """Whether a violation is in one of these components."""
    return any(one.component in components for one in seen.report.violations)


def _after_userinfo(seen: Seen) -> tuple[int, int]:
    """Where the host begins, and where the authority ends: a host and a port, as they are written.

    Both are 0 for a text without an authority.
    """
    found = seen.report.components
    if "host" not in found or "path" not in found:
        return 0, 0
    return found["host"].start, found["path"].start


# Passwords


@form("delimiter-in-password", "The password contains {}.")
def password(seen: Seen) -> Correction | None:
    """``http://u:p@ss@h/`` and ``http://u:p/ss@h/``: delimiters in a password.

    A slash, question mark or number sign ends the authority, so that the rest of the password is
    elsewhere, and its start is taken for a port.
    """
    if "@" not in seen.text or not _blames(seen, "userinfo", "host", "port"):
        return None
    start, end = _password(seen)
    written = seen.text[start:end]
    # What has a meaning in URIs, and cannot be without it in a password
    wrong = dict.fromkeys(
        char for char in written if accepts("gen-delims", char) and not accepts("userinfo", char)
    )
    if not wrong or any(char.isspace() for char in written):
        return None
    kept = frozenset(char for char in written if char == "%" or accepts("userinfo", char))
    right = "".join([c if c in kept else encoded_character(c) or c for c in written])
    marks = " and ".join(f'"{char}"' for char in wrong)
    escapes = " and ".join(encoded_character(char) or "" for char in wrong)
    about = f"{marks}; encode {'it' if len(wrong) == 1 else 'them'} as {escapes}"
    return seen.replaced(start, end, right, about=about)


def _password(seen: Seen) -> tuple[int, int]:
    """Where the password of an authority is, whatever is in it; nowhere if there is none."""
    text, found = seen.text, seen.report.components
    user = found.get("userinfo")
    if user is not None:
        start = text.find(":", user.start, user.end) + 1
        return (start, user.end) if start else (0, 0)
    low, high = _after_userinfo(seen)
    start = text.find(":", low, high) + 1
    at = text.find("@", high)
    if not start or at < 0 or text[at - 1] == "/":
        return 0, 0
    end = authority_end(text, at)
    at = text.rfind("@", at, end)
    host, name = text[at + 1 : end], text[low : start - 1]
    is_host = accepts("authority", host) and host[:1] not in ("", ":")
    # A host with a port that is not a number, and an "@" in the path: https://a.example:x/b@c
    return (start, at) if is_host and ("." in host or "." not in name) else (0, 0)


# Several hosts


@form("several-hosts", "These are several hosts; a URI has one.")
def several(seen: Seen) -> Correction | None:
    """``mongodb://a:1,b:2/``: hosts with ports, as lists of servers have them."""
    if not _blames(seen, "host", "port"):
        return None
    start, end = _after_userinfo(seen)
    for mark in ",;":
        hosts = seen.text[start:end].split(mark)
        if len(hosts) > 1 and all(is_server(host) for host in hosts):
            return seen.replaced(start, end, *hosts[:3])
    return None


def is_server(text: str) -> bool:
    """Whether a text is a host, or one with a port."""
    is_part = not text or text[0] == ":" or "@" in text or accepts("port", text)
    return not is_part and accepts("authority", text)


# Addresses


@form("unbracketed-address", "An IPv6 address must be in one pair of brackets.", slip=True)
def unbracketed(seen: Seen) -> Correction | None:
    """``http://::1/`` and ``http://[::1/``; ``http://2001:db8::1:8080/`` may end in a port."""
    start, end = _after_userinfo(seen)
    written = seen.text[start:end]
    written = written.strip("[]") if "[" in written else written.replace("]", "")
    if not _blames(seen, "host", "port") or written.count(":") < 2:  # noqa: PLR2004 -- one: a port
        return None
    host = seen.component("host") or ""
    if host == f"[{host.strip('[]')}]" or "]" in seen.text[end:]:
        return None
    address, percent, zone = written.partition("%")
    before, _, port = address.rpartition(":")
    made = []
    if not percent and port and accepts("port", port) and accepts("IPv6address", before):
        made.append(f"[{before}]:{port}")
    if accepts("IPv6address", address):
        made.append(f"[{address}{percent}{zone}]")
    if not made:
        return None
    # A bracket that is missing is so at the end.
    return seen.replaced(start, end, *made)._replace(spans=((start, end), (end, end)))


@form("zone-identifier", "URIs cannot contain zone identifiers.", any_rule=True)
def zone(seen: Seen) -> Correction | None:
    """``http://[fe80::1%eth0]/``: RFC 6874 had zones in URIs, and RFC 9844 withdrew them."""
    start, end, inner = _literal(seen)
    address, percent, _ = inner.partition("%")
    if not percent or not accepts("IPv6address", address) or seen.report.grammar == "rfc6874":
        return None
    return seen.replaced(start, end, f"[{address}]")


@form("prefix-length", '"{}" is the length of a prefix; a host is an address without it.')
def prefix_length(seen: Seen) -> Correction | None:
    """``http://[2001:db8::/32]/``: a slash within brackets is that of a network."""
    start, end = _after_userinfo(seen)
    length, bracket, _ = seen.text[end:].partition("]")
    address = seen.text[start + 1 : end]
    if not bracket or seen.text[start] != "[" or not accepts("IPv6address", address):
        return None
    if not length[1:].isdecimal():
        return None
    return seen.replaced(end, end + len(length), "", about=length)


@form("needless-brackets", "Only an IPv6 address is written in brackets.", any_rule=True)
def needless_brackets(seen: Seen) -> Correction | None:
    """``http://[127.0.0.1]/``, ``http://[localhost]/`` and ``http://[example.com:80]/``."""
    start, end, inner = _literal(seen)
    name, colon, port = inner.partition(":")
    version = inner[:1] in ("v", "V") and (inner[1:2] == "." or accepts("HEXDIG", inner[1:2]))
    is_name = registry.load("rfc3987").accepts("ihost", name)
    if not name or version or not is_name or "%" in name:
        return None
    if colon and (not accepts("port", port) or (accepts("h16", name) and "." not in name)):
        return None
    return seen.replaced(start, end, inner)


@form("no-colon-before-port", 'The ":" before the port is missing.')
def no_colon(seen: Seen) -> Correction | None:
    """``http://[::1]80/``: a port after the bracket."""
    start, end = _after_userinfo(seen)
    address, bracket, port = seen.text[start:end].partition("]")
    if not bracket or not port or not _blames(seen, "host", "port"):
        return None
    if not accepts("port", port) or not accepts("host", f"{address}]"):
        return None
    return seen.replaced(start, end, f"{address}]:{port}")


def _literal(seen: Seen) -> tuple[int, int, str]:
    """Where the brackets around an address begin and end, and what is in them, if it is wrong.

    They need not be in a host: the rule may be one of the parts of a host.
    """
    first = seen.first
    if first is None or _LITERALS.isdisjoint(first.path):
        return 0, 0, ""
    host, text = seen.report.components.get("host"), seen.text
    start, end = (host.start, host.end) if host is not None else (0, len(text))
    inner = text[start + 1 : end - 1]
    if text[start:end] != f"[{inner}]" or "]" in inner:
        return 0, 0, ""
    return start, end, inner


# Names and ports


@form("host-in-another-script", "The host name is not in its ASCII form.")
def other_script(seen: Seen) -> Correction | None:
    """``http://münchen.de/``: the ASCII form of a name is what the DNS looks up (RFC 5891)."""
    if seen.text.isascii():
        return None
    host, wrong = seen.report.components.get("host"), seen.report.violations
    letters = (v for v in wrong if v.kind == "illegal" and not v.found.isascii())
    if not any(v.component == "host" for v in letters):
        return None
    if host is None or len(host.text) > LONGEST_NAME:
        return None
    from ..percent.hosts.host import InvalidHost, canonical_host

    try:
        made = canonical_host(host.text).text
    except InvalidHost as error:  # a symbol, which IDNA 2008 refuses, and browsers do not
        named = all(char.isascii() or category(char) in _NAMING for char in host.text)
        if error.browser is None or not named:
            return None
        made = error.browser
    return seen.replaced(host.start, host.end, made)


@form("space-beside-host", "A host and a port have no spaces around them.")
def space(seen: Seen) -> Correction | None:
    """``http:// h/`` and ``http://h: 80/``: white space at an end of a host or of a port."""
    for name in ("host", "port"):
        found = seen.report.components.get(name) if _blames(seen, name) else None
        packed = found.text.strip() if found is not None else ""
        if found is not None and packed not in ("", found.text) and accepts(name, packed):
            return seen.replaced(found.start, found.end, packed)
    return None
