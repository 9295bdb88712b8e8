"""Hosts as browsers read them: the host parser of the WHATWG URL Standard.

Owns that parser for the schemes of the web. May import the grammars and its siblings; loads the
package ``idna`` for non-ASCII hosts. Invariant: this module does not decide what is valid, only
where a browser would go.
"""

from __future__ import annotations

from functools import cache
from urllib.parse import unquote_to_bytes

from ...limits import LONGEST_NAME, LONGEST_WRITTEN_HOST
from ..characters import characters
from .addresses import address_of, ends_in_number, read_ipv4, written_ipv6
from .labels import ACE_PREFIX, from_punycode, keeps_bidi_rule


def browser_host(host: str) -> str | None:
    """The host of an http URL as browsers parse it; None if they reject it.

    The host is percent-decoded, mapped by UTS #46, and read as an IPv4 address if its last label is
    a number, also octal or hexadecimal. Browsers accept more than IDNA 2008: symbols, and hyphens
    anywhere. A host that is ASCII after decoding is only written in lower case, whatever its
    labels that start with xn-- stand for: so the standard has it since June 2026; older software
    rejects such a host if one of them is not valid.

    Errors: none. Cost: O(n), for n up to 9,216; longer hosts are refused, and so are labels outside
    ASCII of more than 253 characters. Spec: WHATWG URL as of 2 July 2026, host parsing; UTS #46
    with CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength off.

    >>> browser_host("127%E3%80%820%E3%80%820%E3%80%821"), browser_host("0x7f.1")
    ('127.0.0.1', '127.0.0.1')
    """
    if len(host) > LONGEST_WRITTEN_HOST:
        return None
    if host.startswith("["):
        address = address_of(host)
        return None if address is None else f"[{written_ipv6(int(address))}]"
    try:
        octets = unquote_to_bytes(host)
    except UnicodeEncodeError:  # a lone surrogate, which browsers read as U+FFFD, and refuse
        return None
    text = octets.decode("utf-8", "replace")
    name = text.lower() if text.isascii() else to_ascii(text)
    if not name or not _browser_characters().issuperset(name):
        return None
    if ends_in_number(name):
        return read_ipv4(name.removesuffix("."))
    return name


def to_ascii(text: str) -> str | None:
    """A name in A-labels, as UTS #46 section 4.2 makes them for browsers; None if it is not valid.

    >>> to_ascii("\u2603.net"), to_ascii("xn--n3h.net"), to_ascii("xn--a.net")
    ('xn--n3h.net', 'xn--n3h.net', None)
    """
    import idna

    try:
        labels = idna.uts46_remap(text, std3_rules=False).split(".")
        plain: list[str] = []
        for label in labels:
            if len(label) > LONGEST_NAME:  # no name has it, and Punycode takes quadratic time
                return None
            read = label
            if label.startswith(ACE_PREFIX):
                read = from_punycode(label) or ""
                # Python's decoder takes a delimiter with nothing before it (RFC 3492 section 6.2).
                if not read or _encoded(read) != label:
                    return None
                if idna.uts46_remap(read, std3_rules=False) != read:
                    return None
            _browser_label(read)
            plain.append(read)
    except (UnicodeError, ValueError):
        return None
    if not keeps_bidi_rule(plain):
        return None
    return ".".join(label if label.isascii() else _encoded(label) for label in plain)


def _encoded(label: str) -> str:
    return ACE_PREFIX + label.encode("punycode").decode("ascii")


def _browser_label(label: str) -> None:
    """The validity criteria of UTS #46 section 4.1. Errors: ValueError."""
    import idna

    idna.check_nfc(label)
    idna.check_initial_combiner(label)
    if label.startswith(ACE_PREFIX) or "." in label:
        raise ValueError("no label that decodes starts so, or holds a dot")
    for at, char in enumerate(label):
        if char in "\u200c\u200d" and not idna.valid_contextj(label, at):
            raise ValueError("a joiner is not allowed here (RFC 5892 Appendix A)")


@cache
def _browser_characters() -> frozenset[str]:
    """All of ASCII but the forbidden domain code points (WHATWG URL, host miscellaneous)."""
    return characters("reg-name") | frozenset('"`{}')
