"""Attacks by way of the query: parameters that software follows.

Owns these rules. Imports ``report``, the table of schemes, and helpers. Invariant: a span is the
whole value of a parameter, which is read decoded.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar.scheme_table import WEB
from ...report import Report
from .._addresses import purpose
from .._code import is_code
from .._pieces import parameters
from .._rule import Place, rule
from ._hosts import LOOPBACK, inner, is_below, is_metadata, target


@rule(
    "internal-target-parameter",
    title="A parameter that leads to an internal machine",
    why=(
        "What fetches or follows the value goes to the reader's own machine, or to one in its "
        "network (RFC 3986 §7.4, RFC 6890 §2.2.2). Each spelling of an address counts."
    ),
    case=(
        "HackerOne 341876, Shopify, and Capital One, 2019: a server that fetches what a parameter "
        "says."
    ),
    alarms=0,
    good="http://example.com/?url=http%3A%2F%2Fexample.net%2F",
    bad="http://example.com/?url=http%3A%2F%2F127.0.0.1%2F",
)
def internal_target_parameter(report: Report) -> Iterator[Place]:
    if "query" in report.components:
        for one in parameters(report):
            value = one.read
            if "//" in value and _is_inside(value.strip()):
                message = "this value leads to an internal machine"
                yield one.at, one.end, "query", message


def _is_inside(value: str) -> bool:
    found = target(inner(value))
    return found is not None and (
        is_below(found.name, LOOPBACK)
        or is_metadata(found)
        or any(purpose(address) for address in found.addresses)
    )


@rule(
    "network-path-parameter",
    title="A parameter that leads to another host without naming http",
    why=(
        "A value that starts with two slashes, or with a backslash in place of either, names "
        "another host (RFC 3986 §4.2), and so does http:host to browsers (WHATWG URL Standard "
        "§4.4): a check for a leading slash, or for http://, lets it through to a redirect."
    ),
    case=(
        "CVE-2021-32618, Flask-Security-Too, and CVE-2021-23385, Flask-Security: open redirects "
        "(Claroty and Snyk, 2022: Exploiting URL Parsing Confusion, slashes and scheme "
        "confusion)."
    ),
    alarms=0,
    good="http://example.com/?next=/example.net/",
    bad="http://example.com/?next=//example.net/",
)
def network_path_parameter(report: Report) -> Iterator[Place]:
    """A key is needed, for a query alone is no reference."""
    if "query" in report.components:
        for one in parameters(report):
            if one.key and _leads_away(one.read):
                message = "as a reference, this value leads to another host"
                yield one.at, one.end, "query", message


def _leads_away(value: str) -> bool:
    text = value.lstrip().replace("\\", "/")
    name, colon, rest = text.partition(":")
    if colon and name.lower() in WEB:
        slashes = len(rest) - len(rest.lstrip("/"))
        return len(rest) > slashes != 2  # noqa: PLR2004
    return text.startswith("//") and any(map(str.isalnum, text.lstrip("/")[:1]))


@rule(
    "script-parameter",
    title="A parameter that is a URI of code",
    why=(
        "Where a page makes a link or a redirect of the value, it runs there (RFC 3986 §7, and "
        "for javascript: the WHATWG HTML Standard). Tabs and line breaks within the scheme, and "
        "what comes before it, do not prevent that."
    ),
    case="PortSwigger, DOM-based open redirection: a redirect to javascript: runs in the page.",
    alarms=0,
    good="http://example.com/?u=https%3A%2F%2Fexample.net%2F",
    bad="http://example.com/?u=javascript:alert(1)",
)
def script_parameter(report: Report) -> Iterator[Place]:
    if "query" in report.components:
        for one in parameters(report):
            if is_code(one.read):
                message = "this value is a URI that runs code when followed"
                yield one.at, one.end, "query", message
