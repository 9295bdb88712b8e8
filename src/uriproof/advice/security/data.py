"""Attacks by way of the path and the query: a filter reads one thing, and a server another.

Owns these rules. Imports ``report``, ``grammar.registry``, the table of schemes, and helpers.
Invariant: a span is a whole segment, starts with the path, or is the value of a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import registry
from ...grammar.schemes import HOSTS, WEB
from ...percent.characters import octet
from ...report import Report
from .. import checked
from .._hosts import LOOPBACK, is_below, is_domain, is_metadata, purpose, target
from .._parts import decoded, is_code, is_hierarchical, parameters, runs, scheme, segments
from .._rule import Place, rule


@rule(
    title="A path that starts with two slashes and a host",
    why="""A server receives the path without the host. By itself it is a reference to another host
    (RFC 3986 §4.2, §3.3), and a redirect to it leaves the site.""",
    case="""CVE-2018-14574, Django CommonMiddleware; CVE-2023-41080, Apache Tomcat; CVE-2021-23435,
    Clearance (Claroty and Snyk, 2022: slashes confusion).""",
    good="http://example.com/example.net/",
    bad="http://example.com//example.net/",
    trigger=lambda text, has: has.get("path", "")[1:2] in ("/", "\\", "%"),
)
def double_slash_path(report: Report) -> Iterator[Place]:
    path, host = report.components.get("path"), report.components.get("host")
    if path is None or host is None or host.text.lower() in HOSTS:  # see doubled-scheme
        return
    plain = decoded(path.text).replace("\\", "/")
    if plain.startswith("//"):
        name = plain.lstrip("/").partition("/")[0]
        if registry.load("advice-host-look-alike").accepts("host-look-alike", name):
            message = "Used by itself, this path leads to another host."
            yield path.start, path.end, "path", message


@rule(
    title="A segment of three or more dots",
    why="""It is not a dot-segment (RFC 3986 §3.3), but a filter that removes ../ once turns ....//
    or .../...// into one.""",
    case="CVE-2005-2169, PHPSource Printer, and CVE-2005-0202, Mailman (CWE-35).",
    good="http://example.com/a.../b",
    bad="http://example.com/....//etc/passwd",
    trigger=lambda text, has: "..." in text or "%" in has.get("path", ""),
)
def extra_dots_segment(report: Report) -> Iterator[Place]:
    for start, segment in segments(report):
        plain = decoded(segment).strip("\\/")
        if len(plain) > 2 and not plain.strip("."):  # noqa: PLR2004
            message = "A filter that removes ../ once can turn this into a dot-segment."
            yield start, start + len(segment), "path", message


@rule(
    title="A segment that consists of a parameter",
    why="""A segment can have parameters after a semicolon (RFC 3986 §3.3). A server that removes
    them reads "//" here, a different path than the filter before it.""",
    case="CVE-2020-11989 and CVE-2020-13933, Apache Shiro: /;/admin and /admin/%3Bpage.",
    good="http://example.com/a;v=1/b",
    bad="http://example.com/;/admin",
    trigger=lambda text, has: ";" in text or "%" in has.get("path", ""),
)
def leading_parameter_segment(report: Report) -> Iterator[Place]:
    if is_hierarchical(report):
        for start, segment in segments(report):
            if segment.startswith(";") or segment[:3].lower() == "%3b":
                message = (
                    "Servers that strip path parameters read an empty segment here; others do not."
                )
                yield start, start + len(segment), "path", message


@rule(
    title="A host without a scheme, read as a path",
    why="""Without a scheme and "//" this is a relative reference (RFC 3986 §4.2, §4.5): some
    parsers find a host in it, others do not.""",
    case="Claroty and Snyk, 2022: Exploiting URL Parsing Confusion (scheme confusion).",
    good="/www.example.com/",
    bad="www.example.com/",
    trigger=lambda text, has: has.keys().isdisjoint(("scheme", "host")),
)
def schemeless_host(report: Report) -> Iterator[Place]:
    path = report.components.get("path")
    if path is None:
        return
    name, slash, _ = path.text.partition("/")
    if is_domain(name) and (slash or name.lower().startswith("www.")):
        message = 'This is a path; if a host is meant, write "//" or "http://" before it.'
        yield path.start, path.start + len(name), "path", message


@rule(
    title="Characters that become dots or line breaks if they lose their high octet",
    why="""Software that keeps only the low octet of a character reads U+FF2E as a dot, and U+010D
    and U+010A as line breaks (RFC 3986 §2.5). A filter of the text sees neither.""",
    case="""CVE-2018-12116, Node.js: requests split by such characters; Orange Tsai, 2017: A New Era
    of SSRF.""",
    good="http://example.com/%EF%BC%AEa/b",
    bad="http://example.com/%EF%BC%AE%EF%BC%AE/passwd",
    trigger=lambda text, has: "%" in has.get("path", ""),
)
def truncated_character(report: Report) -> Iterator[Place]:
    """Reports a whole segment."""
    for start, segment in segments(report):
        plain = decoded(segment)
        low = "".join(chr(ord(char) & 0xFF) for char in plain)
        if "%" in segment and ((low == ".." != plain) or ("\r\n" in low and "\r\n" not in plain)):
            message = "Software that keeps only the low bytes reads dots or a line break here."
            yield start, start + len(segment), "path", message


@rule(
    title="A parameter that leads to an internal machine",
    why="""Software that fetches or follows the value connects to its own machine, or to one in its
    network (RFC 3986 §7.4, RFC 6890 §2.2.2). Every spelling of an address is recognized.""",
    case="""HackerOne 341876, Shopify, and Capital One, 2019: a server that fetches what a parameter
    says.""",
    good="http://example.com/?url=http%3A%2F%2Fexample.net%2F",
    bad="http://example.com/?url=http%3A%2F%2F127.0.0.1%2F",
    trigger=lambda text, has: "query" in has,
)
def internal_target_parameter(report: Report) -> Iterator[Place]:
    for one in parameters(report):
        value = one.read
        if "//" in value and _is_inside(value.strip()):
            message = "This value leads to an internal machine."
            yield one.at, one.end, "query", message


def _is_inside(value: str) -> bool:
    found = target(checked(value))
    return found is not None and (
        is_below(found.name, LOOPBACK)
        or is_metadata(found)
        or any(purpose(address) for address in found.addresses)
    )


@rule(
    title="A parameter that leads to another host without naming http",
    why="""A value that starts with two slashes, or with a backslash in place of either, leads to
    another host (RFC 3986 §4.2), and so does http:host in browsers (WHATWG URL Standard §4.4). A
    check for a leading slash, or for http://, accepts it for a redirect.""",
    case="""CVE-2021-32618, Flask-Security-Too, and CVE-2021-23385, Flask-Security: open redirects
    (Claroty and Snyk, 2022: Exploiting URL Parsing Confusion, slashes and scheme confusion).""",
    good="http://example.com/?next=/example.net/",
    bad="http://example.com/?next=//example.net/",
    trigger=lambda text, has: "query" in has,
)
def network_path_parameter(report: Report) -> Iterator[Place]:
    """A key is needed, for a query alone is no reference."""
    for one in parameters(report):
        if one.key and _leads_away(one.read):
            message = "Used as a reference, this value leads to another host."
            yield one.at, one.end, "query", message


def _leads_away(value: str) -> bool:
    text = value.lstrip().replace("\\", "/")
    name, colon, rest = text.partition(":")
    if colon and name.lower() in WEB:
        slashes = len(rest) - len(rest.lstrip("/"))
        return len(rest) > slashes != 2  # noqa: PLR2004
    return text.startswith("//") and any(map(str.isalnum, text.lstrip("/")[:1]))


@rule(
    title="A parameter that contains a URI with code",
    why="""If a page makes a link or a redirect of the value, the code runs there (RFC 3986 §7, and
    for javascript: the WHATWG HTML Standard). Tabs and line breaks in the scheme, and text before
    it, do not prevent that.""",
    case="PortSwigger, DOM-based open redirection: a redirect to javascript: runs in the page.",
    good="http://example.com/?u=https%3A%2F%2Fexample.net%2F",
    bad="http://example.com/?u=javascript:alert(1)",
    trigger=lambda text, has: "query" in has,
)
def script_parameter(report: Report) -> Iterator[Place]:
    for one in parameters(report):
        if is_code(one.read):
            message = "This value is a URI that runs code when it is followed."
            yield one.at, one.end, "query", message


@rule(
    title="An encoded slash in a path",
    why="""An encoded slash is data within one segment; a bare slash ends the segment. Many servers
    and proxies decode before they split the path, or reject it, so two of them can read different
    paths (RFC 3986 §2.2, §7.3). It is correct if the scheme requires it, as mailto, news and ftp do
    (RFC 6068 §2, RFC 5538 §3, RFC 1738 §3.2.2).""",
    case="CVE-2021-29492, Envoy and Istio: an encoded slash hid a path from the rules on access.",
    good="http://example.com/a/b",
    bad="http://example.com/a%2Fb",
    trigger=lambda text, has: "%2f" in has.get("path", ""),
)
def encoded_slash(report: Report) -> Iterator[Place]:
    """Reports hierarchical paths alone, for in a query or fragment, and in schemes whose path is
    one datum, an encoded slash is ordinary data."""
    if is_hierarchical(report):
        for start, end in runs(report.components["path"], lambda t: octet(t) == ord("/")):
            message = "This is an encoded slash; servers disagree on whether it separates segments."
            yield start, end, "path", message


_LISTS = frozenset({"magnet"})
"""Schemes whose keys may stand several times: a magnet link has one ``tr`` for each tracker."""


@rule(
    title="A query key that is repeated",
    why="""The generic syntax does not define keys (RFC 3986 §3.4): some software uses the first
    value, some the last, some all of them. If two programs disagree, one checks a value that the
    other does not use. If a list is meant, the documentation of the API should say so.""",
    case="Carettoni and Di Paola, 2009: HTTP Parameter Pollution (CWE-235).",
    good="http://example.com/?a=1&b=2",
    bad="http://example.com/?a=1&a=2",
    trigger=lambda text, has: has.get("query", "").count("=") > 1,
)
def repeated_key(report: Report) -> Iterator[Place]:
    """Reports once of each key, where it stands the second time."""
    if scheme(report) in _LISTS:
        return
    times: dict[str, int] = {}
    for one in parameters(report):
        name = decoded(one.key, "latin-1")  # one character an octet
        # a[]=1&a[]=2 says that it is a list; a key behind &amp; is not the key that is meant.
        if name and not name.endswith("[]") and not name.startswith("amp;"):
            times[name] = times.get(name, 0) + 1
            if times[name] == 2:  # noqa: PLR2004
                message = "This key is repeated; software takes the first value, the last, or all."
                yield one.start, one.start + len(one.key), "query", message
