"""Where an advice rule may apply: what can be asked without its module.

Owns a cheap condition per rule of the group ``advice``, so that only the modules of rules that may
say something are imported. Imports nothing. Invariant: where a rule gives advice, its condition
holds; a rule that is not listed is always asked (a test compares both on the whole corpus).

Each condition is given the text, and its components by name in lower case. What needs no components
is ``is_usual``, for the many URLs of a linter.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Condition = Callable[[str, Mapping[str, str]], object]

_USUAL = frozenset({"", "http", "https"})
_LONGEST = 63  # characters of a label (RFC 1035 §2.3.4)
_LONGEST_NAME = 253


def _encoded(text: str, has: Mapping[str, str]) -> bool:
    return "%" in text


def _encoded_control(text: str, has: Mapping[str, str]) -> bool:
    return "%0" in text or "%1" in text or "%7" in text


def _encoded_host(text: str, has: Mapping[str, str]) -> bool:
    return "%" in has.get("host", "")


def _beyond_ascii(text: str, has: Mapping[str, str]) -> bool:
    host = has.get("host", "")
    return "%" in host or "xn--" in host or not host.isascii()


def _several(text: str, has: Mapping[str, str]) -> bool:
    return has.get("query", "").count("=") > 1


def _unusual_scheme(text: str, has: Mapping[str, str]) -> bool:
    return has.get("scheme", "") not in _USUAL


def _unusual_host(text: str, has: Mapping[str, str]) -> bool:
    host = has.get("host", "")
    labels = host.split(".")
    plain = all(label.isalnum() and len(label) <= _LONGEST for label in labels)
    return bool(host) and not (plain and len(host) <= _LONGEST_NAME and labels[-1].isalpha())


def _number_at_end(text: str, has: Mapping[str, str]) -> bool:
    host = has.get("host", "")
    return "%" in host or host.removesuffix(".").rpartition(".")[2][:1].isdigit()


def _address(text: str, has: Mapping[str, str]) -> bool:
    host = has.get("host", "")
    return host[:1] == "[" or host[-1:].isdigit()


def _upper_case(text: str, has: Mapping[str, str]) -> bool:
    return text != text.lower()


_NEVER_OF_USUAL = frozenset(
    {"doubled-scheme", "empty-host", "html-entity"}
    | {"missing-slashes", "misspelled-scheme", "userinfo-password"}
)


def is_usual(text: str, codes: tuple[str, ...]) -> bool:
    """Whether a URI reference is of so usual a form that none of the codes is its advice.

    Nearly all URLs of files are, and none of the rules has to know their components for that.

    >>> is_usual("https://example.com/a?b#c", ("empty-host",))
    True
    """
    if not _NEVER_OF_USUAL.issuperset(codes) or "&" in text:
        return False
    if ":" not in text:
        return text[:2] != "//"
    if not text.startswith(("http://", "https://")):
        return False
    slashes = text.index("//") + 1
    begins_well = text[slashes + 1 : slashes + 2].isalnum()
    return begins_well and "@" not in text and text.find("//", slashes) < 0


TRIGGERS: dict[str, Condition] = {
    "at-sign-past-authority": lambda text, has: "?@" in text or "#@" in text,
    "default-port": lambda text, has: has.get("port"),
    "dot-segment-parameter": lambda text, has: ";" in has.get("path", ""),
    "dot-segments": lambda text, has: "." in (path := has.get("path", "")) or "%2" in path,
    "double-encoding": lambda text, has: "%25" in text,
    "doubled-scheme": lambda text, has: has.get("path", "").startswith("//"),
    "empty-host": lambda text, has: has.get("host") == "",
    "empty-parameter": lambda text, has: "&" in (q := has.get("query", "")) or q.startswith("="),
    "empty-port": lambda text, has: has.get("port") == "",
    "encoded-ascii-in-host": _encoded_host,
    "encoded-backslash": lambda text, has: "%5c" in text.lower(),
    "encoded-control": _encoded_control,
    "encoded-invisible": _encoded,
    "encoded-line-break": lambda text, has: "%0" in text,
    "encoded-null": lambda text, has: "%00" in text,
    "encoded-slash": lambda text, has: "%2f" in text.lower(),
    "encoded-unreserved": _encoded,
    "host-cut-short": lambda text, has: "?." in text or "#." in text,
    "host-port-as-scheme": lambda text, has: "scheme" in has and "host" not in has,
    "html-entity": lambda text, has: "&" in text,
    "http-userinfo": lambda text, has: "userinfo" in has,
    "invalid-utf8": _encoded,
    "ipv4-look-alike": _number_at_end,
    "local-file": lambda text, has: has.get("scheme") == "file",
    "lower-case-hex": _encoded,
    "mapped-host": _beyond_ascii,
    "missing-slashes": lambda text, has: "scheme" in has and "host" not in has,
    "misspelled-scheme": _unusual_scheme,
    "mixed-script": _beyond_ascii,
    "nested-scheme": lambda text, has: "://" in has.get("path", ""),
    "nested-unescaped-url": lambda text, has: "/" in has.get("query", ""),
    "network-path-reference": lambda text, has: text.startswith("//"),
    "non-dns-host": _unusual_host,
    "port-out-of-range": lambda text, has: has.get("port"),
    "repeated-key": _several,
    "script-scheme": _unusual_scheme,
    "single-letter-scheme": lambda text, has: len(has.get("scheme", "")) == 1,
    "special-purpose-address": _address,
    "undecodable-label": _beyond_ascii,
    "upper-case-host": _upper_case,
    "url-prefix": lambda text, has: has.get("scheme") == "url",
    "userinfo-host-look-alike": lambda text, has: "userinfo" in has,
    "userinfo-password": lambda text, has: ":" in has.get("userinfo", ""),
    "whole-script-look-alike": _beyond_ascii,
}
