"""Advice on the authority beside its host: user information, the port, and where it ends.

Owns these rules. Imports ``report``, ``grammar.registry``, the table of schemes, and helpers beside
it; the readers of addresses when a rule needs them. Invariant: no message has a password.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar import registry
from ..grammar.schemes import DEFAULT_PORTS, WEB
from ..report import Report
from ._parts import after_host, decoded, scheme, shown, wraps
from ._rule import Place, rule


@rule(
    title="An at sign right after the authority",
    why="""The authority ends at the first "/", "?" or "#", and only an "@" before that ends the
    user information (RFC 3986 §3.2). Parsers that look for the "@" first use the text after it as
    the host (§7.6).""",
    good="http://good.example.com/#@example.net",
    bad="http://good.example.com#@example.net/",
    trigger=lambda text, has: "?@" in text or "#@" in text,
)
def at_sign_past_authority(report: Report) -> Iterator[Place]:
    """An at sign further on is data."""
    host, after = after_host(report)
    if after is not None and after.text.startswith("@"):
        message = f'This "@" is not part of the authority; the host is {shown(host.text)}.'
        yield after.start, after.start + 1, after.name, message


@rule(
    title="The default port of the scheme",
    why="""A URI with the default port means the same as one without a port, but the strings differ:
    producers should leave out the port and its colon (RFC 3986 §3.2.3, §6.2.3).""",
    good="http://example.com:8080/",
    bad="http://example.com:80/",
    trigger=lambda text, has: has.get("port"),
)
def default_port(report: Report) -> Iterator[Place]:
    """The span is the port with its colon."""
    port = report.components["port"]
    default = DEFAULT_PORTS.get(scheme(report))
    if default is not None and port.text.lstrip("0") == str(default):
        message = f"{default} is the default port for {scheme(report)}; omit it."
        yield port.start - 1, port.end, "port", message


@rule(
    title="A colon without a port",
    why="""A URI with an empty port means the same as one without a port, but the strings differ:
    producers should leave out the colon (RFC 3986 §3.2.3, §6.2.3).""",
    good="http://example.com/",
    bad="http://example.com:/",
    trigger=lambda text, has: has.get("port") == "",
)
def empty_port(report: Report) -> Iterator[Place]:
    """The span is the colon."""
    port = report.components["port"]
    if not wraps(report):
        message = "The port after the colon is empty; omit the colon."
        yield port.start - 1, port.end, "port", message


@rule(
    title='A host that seems to continue after "?" or "#"',
    why="""The authority ends at the first "/", "?" or "#" (RFC 3986 §3.2). Software that looks for
    the end of the name in another way uses more text as the host, and connects to it (§7.6). This
    is how a check of the host was evaded in Log4j (CVE-2021-45046).""",
    good="ldap://good.example.com/#.example.net:1389/a",
    bad="ldap://good.example.com#.example.net:1389/a",
    trigger=lambda text, has: "?." in text or "#." in text,
)
def host_cut_short(report: Report) -> Iterator[Place]:
    """Which names look like hosts comes from the grammar; an at sign is left to
    ``at-sign-past-authority``."""
    host, after = after_host(report)
    if after is not None and host.text and after.text.startswith("."):
        rest = after.text[1:].partition("/")[0]
        if registry.load("advice-host-look-alike").accepts("host-look-alike", rest):
            message = f"The host ends here; it is {shown(host.text)}."
            yield after.start - 1, after.start, after.name, message


@rule(
    title="User information in an HTTP or WebSocket URI",
    why="""Senders must not generate user information in http and https URIs, and recipients should
    treat it as an error, because it is mostly used to hide the real host (RFC 9110 §4.2.4). ws and
    wss URIs cannot have it at all (RFC 6455 §3).""",
    good="http://example.com/",
    bad="http://user@example.com/",
    trigger=lambda text, has: "userinfo" in has,
)
def http_userinfo(report: Report) -> Iterator[Place]:
    """A password is left to ``userinfo-password``."""
    userinfo = report.components["userinfo"]
    if ":" not in userinfo.text and scheme(report) in WEB:
        where = f"{scheme(report)} URIs"
        message = f'Senders must not put user information into {where}; omit it, with its "@".'
        yield userinfo.start, userinfo.end + 1, "userinfo", message


@rule(
    title="A reference that starts with two slashes",
    why="""It keeps the scheme and changes the host: such references are rarely used (RFC 3986
    §4.2), and a check for paths that start with a slash accepts them although they lead to another
    host.""",
    good="/example.com/",
    bad="//example.com/",
    trigger=lambda text, has: text.startswith("//"),
)
def network_path_reference(report: Report) -> Iterator[Place]:
    """Silent where a scheme is required, for then its absence is a violation."""
    host = report.components.get("host")
    if report.rule in ("hier-part", "relative-part"):  # parts of a reference, not references
        return
    if host is None or "scheme" in report.components:
        return
    if not any(violation.component == "scheme" for violation in report.violations):
        message = 'This leads to another host: "//" starts an authority, not a path.'
        yield 0, 2, "host", message


_LAST = "65535"  # of 16 bits


@rule(
    title="A port that no transport protocol has",
    why="""The grammar allows any number of digits, but ports have 16 bits, and 0 is reserved (RFC
    9293 §3.1, RFC 6335 §6). Software that does not check the number reads it modulo 65536.""",
    good="http://example.com:8080/",
    bad="http://example.com:65536/",
    trigger=lambda text, has: has.get("port"),
)
def port_out_of_range(report: Report) -> Iterator[Place]:
    """No port is ever converted whole, for it may have thousands of digits."""
    port = report.components["port"]
    digits = port.text.lstrip("0")
    if not digits or (len(digits), digits) > (len(_LAST), _LAST):
        yield port.start, port.end, "port", f"A port is a number from 1 to {_LAST}."


@rule(
    title="User information that looks like a host",
    why="""Everything before the "@" is user information, even if it looks like a host that the
    reader trusts. This is the oldest trick of misleading URIs (RFC 3986 §7.6).""",
    good="http://example.com/",
    bad="http://good.example.com@example.net/",
    trigger=lambda text, has: "userinfo" in has,
)
def userinfo_host_look_alike(report: Report) -> Iterator[Place]:
    """Looks at the user's name alone, and never echoes what may be a password. Where a scheme has
    users, a name of two words with a dot between them is one."""
    userinfo, host = report.components["userinfo"], report.components.get("host")
    if host is None:
        return
    name = userinfo.text.partition(":")[0]
    plain = decoded(name)
    if scheme(report) not in WEB | {""} and not _is_certain(plain):
        return
    if registry.load("advice-host-look-alike").accepts("host-look-alike", plain):
        message = f"This looks like the host, but the host is {shown(host.text)}."
        yield userinfo.start, userinfo.start + len(name), "userinfo", message


def _is_certain(name: str) -> bool:
    """Whether a name is that of a host, not of a user such as first.last."""
    grammar = registry.load("advice-host-look-alike")
    if not grammar.accepts("host-name", name):  # with a delimiter behind it, or no host at all
        return grammar.accepts("host-look-alike", name)
    from ..percent.hosts.addresses import address_of
    from ._hosts import OLDEST

    first, *_, last = name.lower().split(".") if "." in name else (name, "")
    return first == "www" or last in OLDEST or address_of(name) is not None


@rule(
    title="A password in the user information",
    why="""URIs are shown, logged, stored and sent on, and the password with them: the form
    "user:password" is deprecated (RFC 3986 §3.2.1, §7.5).""",
    good="ftp://user@example.com/",
    bad="ftp://user:secret@example.com/",
    trigger=lambda text, has: ":" in has.get("userinfo", ""),
)
def userinfo_password(report: Report) -> Iterator[Place]:
    """The password is never in the message, and the span covers it and nothing else."""
    userinfo = report.components["userinfo"]
    name, _, password = userinfo.text.partition(":")
    if password:
        message = "Anyone who sees this URI can read the password; pass it separately."
        yield userinfo.start + len(name) + 1, userinfo.end, "userinfo", message
