"""Advice on schemes: misspelled, missing, doubled, or such that they are none.

Owns these rules. Imports ``report``, ``grammar.registry``, the table of schemes, and helpers beside
it; the registry of schemes when a rule needs it. Invariant: no scheme that is registered is
misspelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..grammar import registry
from ..grammar.schemes import HOSTS, SCRIPTS, TYPED
from ..report import Report
from ..text.names import or_list
from ._parts import NO_HOST, is_hierarchical, media_type, scheme, shown, wraps
from ._rule import Place, rule


@rule(
    title="A scheme in the place of the host",
    why="""The authority follows "https://", so in "https://https://example.com" the host is "https"
    with an empty port, and the rest is the path (RFC 3986 §3.2, §3.2.3).""",
    good="https://example.com/",
    bad="https://https://example.com/",
    trigger=lambda text, has: has.get("path", "").startswith("//"),
)
def doubled_scheme(report: Report) -> Iterator[Place]:
    """Only a scheme of the table is taken for one, for any name can be a host; and only after a
    scheme of the table, whose URIs have a host, for others wrap whole URIs
    ("hls://https://example.com/a")."""
    host = report.components.get("host")
    name = "" if host is None else host.text.lower().removeprefix("www.")
    if host is not None and name in HOSTS and not wraps(report):
        message = (
            f"The scheme is doubled: the host is {shown(host.text)}, and the rest is the path."
        )
        yield host.start, host.end, "host", message


@rule(
    title="A host and port that are read as a scheme and path",
    why="""Without "//" before it, the text before the first colon is a scheme: in "localhost:8080"
    the scheme is "localhost" (RFC 3986 §3.1, §4.2).""",
    good="http://localhost:8080/",
    bad="localhost:8080/",
    trigger=lambda text, has: "scheme" in has and "host" not in has,
)
def host_port_as_scheme(report: Report) -> Iterator[Place]:
    """Silent on schemes that no host is named like, for many have paths of digits, such as tel."""
    name, path = report.components["scheme"], report.components.get("path")
    if path is not None and (port := port_after(name.text, path.text)):
        message = f'"{name.text}" is read as a scheme; write "//" before the host.'
        yield name.start, path.start + len(port), "scheme", message


def port_after(name: str, path: str) -> str:
    """The port that a path begins with, after a name that is a host's; empty if it is not so."""
    if "." not in name and name.lower() != "localhost":
        return ""
    port = path.partition("/")[0]
    return port if registry.load("rfc3986").accepts("port", port) else ""


ROOTS = frozenset(
    ["Applications", "Library", "Users", "Volumes", "etc", "home", "opt", "root", "usr", "var"]
)
"""Folders at the root of a file system, by the Filesystem Hierarchy Standard and by macOS, that
are seldom the first folder of a site, or the name of a host."""


@rule(
    title="A file on the machine of the reader",
    why="""A file URI without a host names a file on the machine of the reader: a different file for
    each reader, and, in a URI from outside, a file that was not meant to be read (RFC 8089 §2,
    §5).""",
    good="file://example.com/share/a",
    bad="file:///etc/hosts",
    trigger=lambda text, has: has.get("scheme") == "file",
)
def local_file(report: Report) -> Iterator[Place]:
    """Silent on a file of another host, unless a folder of this machine has its name."""
    name, host = report.components["scheme"], report.components.get("host")
    if host is None or host.text.lower() in {"", "localhost"}:
        message = "This is a file on the reader's own machine, a different one for each reader."
        yield name.start, name.end, "scheme", message
    elif host.text in ROOTS:
        message = f"{shown(host.text)} is read as the host; write three slashes before a path."
        yield host.start, host.end, "host", message


_USUAL = frozenset({"", "http", "https"})
_WORDS = 4
"""A name of so few letters is near to many that are chosen; a longer one hardly ever is."""


@rule(
    title="An unregistered scheme that looks misspelled",
    why="""Any name can be a scheme, so a misspelled one is valid, but no software supports it (RFC
    3986 §3.1). Schemes are registered with IANA (RFC 7595 §3). This one was not registered at the
    date of the list, and it differs from a common scheme by a single typing error.""",
    good="https://example.com/",
    bad="htpps://example.com/",
    trigger=lambda text, has: has.get("scheme", "") not in _USUAL,
)
def misspelled_scheme(report: Report) -> Iterator[Place]:
    """Silent on every registered scheme, and on names that are chosen rather than mistyped."""
    name = report.components["scheme"]
    if found := near(name.text):
        message = f'"{name.text}" is not a registered scheme; {or_list(found)} might be meant.'
        yield name.start, name.end, "scheme", message


def near(name: str) -> list[str]:
    """The schemes in everybody's use that a slip of the hand makes this unregistered name of."""
    from ..grammar.schemes import registered

    if len(name) > max(map(len, _common())) + 1 or registered(name):
        return []
    return [known for known in _common() if _is_slip(name.lower(), known)]


@cache
def _common() -> tuple[str, ...]:
    """Permanent schemes that are in everybody's use; those of two letters are near to anything."""
    from ..grammar.schemes import registered

    return tuple(s for s in sorted(TYPED) if len(s) > 2 and registered(s) == "permanent")  # noqa: PLR2004


def _is_slip(written: str, meant: str) -> bool:
    """Whether one slip of a hand that meant this scheme writes that.

    Two letters in the wrong order; a letter left out, added or replaced. The last three only
    as hands do it: names that differ at an end (ftps, httpx, hftp) or in a letter of a short word
    (date, app) are chosen.
    """
    before = _alike(written, meant)
    after = min(_alike(written[::-1], meant[::-1]), min(len(written), len(meant)) - before)
    one, other = (text[before : len(text) - after] for text in (written, meant))
    short = len(meant) <= _WORDS
    last = after == 0
    match len(one), len(other):
        case 2, 2:
            return one == other[::-1]
        case 1, 0:  # added: the letter beside it again, or any between two others
            doubled = one in meant[max(before - 1, 0) : before + 1]
            return doubled or (len(meant) >= _WORDS and not last and before > 0)
        case _ if len(meant) < _WORDS:
            return False
        case 0, 1:  # left out: the first letter, or one of two that are the same
            return not short or before == 0 or other == meant[before - 1]
        case 1, 1:  # replaced, though not the first: by another letter of the name, or by any
            return before > 0 and (one in meant or not (short or last))
    return False


def _alike(one: str, other: str) -> int:
    """How many characters both start with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


@rule(
    title="One slash or none in a scheme that has an authority",
    why="""Without "//" there is no authority, and the text that looks like a host is a path (RFC
    3986 §3.2, §3.3). Browsers read it as a host anyway; other software resolves the rest against
    its base, as old parsers did (RFC 3986 §5.2.2).""",
    good="http://example.com/",
    bad="http:/example.com/",
    trigger=lambda text, has: "scheme" in has and "host" not in has,
)
def missing_slashes(report: Report) -> Iterator[Place]:
    """The span is the colon, with the one slash if there is one."""
    name, path = report.components["scheme"], report.components.get("path")
    if any(violation.component == "host" for violation in report.violations):
        return  # the rules of the scheme say the same
    if path is None or (path.text[:1] == ":" and path.text[1:2] != "/"):
        return  # a name of a program, as http::wait is in Tcl
    if scheme(report) in HOSTS:
        end = path.start + path.text.startswith("/")
        message = f'Without "//" this is a path, but {scheme(report)} URIs need a host.'
        yield name.end, end, "path", message


@rule(
    title="A URI within a URI, after a scheme of its own",
    why="""In the generic syntax the inner URI is a path without a host (RFC 3986 §3, §3.3), so a
    check of the host does not find one; software that supports the outer scheme connects to the
    inner host anyway.""",
    good="http://example.com/a.jar",
    bad="jar:http://example.com/a.jar!/b",
    trigger=lambda text, has: "//" in has.get("path", ""),
)
def nested_scheme(report: Report) -> Iterator[Place]:
    """The prefix "URL:" is left to ``url-prefix``."""
    path = report.components["path"]
    if "host" in report.components or scheme(report) in {"", "url"}:
        return
    inner, found, _ = path.text.partition("//")
    inner, colon, _ = inner.partition(":")
    if found and inner.lower() in HOSTS and (colon or scheme(report) in HOSTS):
        nested = f"{inner.lower()} is nested in {scheme(report)}"
        message = f"A check of the host misses the one inside: {nested}."
        yield path.start, path.start + len(inner), "path", message


_RUNS = "This URI runs code when it is followed."


@rule(
    title="A URI that contains code",
    why="""Following such a URI runs its code on the page that shows it. A URI by itself does
    nothing; software that acts on it must know what it contains (RFC 3986 §7, RFC 2397, and for
    javascript: the WHATWG HTML Standard).""",
    good="data:text/plain,hello",
    bad="javascript:alert(1)",
    trigger=lambda text, has: has.get("scheme", "") not in _USUAL,
)
def script_scheme(report: Report) -> Iterator[Place]:
    """Judges by scheme and media type alone, never by the program. A drawing runs its code only if
    it is opened by itself, and nearly all in data URIs are shown as images, where it does not."""
    name, path = scheme(report), report.components.get("path")
    if name in SCRIPTS:
        start, end = report.components["scheme"].start, report.components["scheme"].end
        yield start, end, "scheme", _RUNS
    elif name == "data" and path is not None and (kind := media_type(path.text)):
        if kind.lower().startswith("image/"):
            return
        yield path.start, path.start + len(kind), "path", _RUNS


@rule(
    title="A scheme of one letter",
    why="""No registered scheme has one letter. The letter is a Windows drive, which is written
    file:///c:/path in a URI (RFC 8089 Appendix E.2), or the first segment of a relative reference,
    which cannot contain a colon (RFC 3986 §4.2).""",
    good="file://example.com/c:/a",
    bad="c:/a",
    trigger=lambda text, has: len(has.get("scheme", "")) == 1,
)
def single_letter_scheme(report: Report) -> Iterator[Place]:
    """The span is the letter and its colon."""
    name = report.components["scheme"]
    message = "A scheme of one letter is probably the drive of a Windows path."
    yield name.start, name.end + 1, "scheme", message


@rule(
    title="Two URLs, joined by a comma or a semicolon",
    why="""Both characters are data in a host and in a path (RFC 3986 §3.2.2, §3.3): a list of URLs
    is one URL, and the second one is part of its host or path. White space separates URLs (Appendix
    C).""",
    instead=("non-dns-host",),
    good="https://example.com/a,b",
    bad="https://example.com,https://example.net",
    trigger=lambda text, has: "//" in has.get("path", "") and ("," in text or ";" in text),
)
def two_urls(report: Report) -> Iterator[Place]:
    """Silent in a query, which may have a list, and behind a URL within the path."""
    if not is_hierarchical(report):
        return
    path, host = report.components["path"], report.components.get("host", NO_HOST)
    ahead, marks, _ = report.text[host.start : path.end].partition("://")
    name = ahead.replace(";", ",").rpartition(",")[2]
    if marks and name.lower() in HOSTS and len(name) < len(ahead):
        end = host.start + len(ahead)
        message = "Neither a comma nor a semicolon ends a URL: another one seems to start here."
        start, where = (host.start, "host") if end <= host.end else (end - len(name), "path")
        yield start, end, where, message


@rule(
    title='The prefix "URL:"',
    why="""The prefix "URL:" before a URI in text was once recommended and no longer is (RFC 3986
    Appendix C). If it stays in a URI, it becomes the scheme "url".""",
    good="http://example.com/",
    bad="URL:http://example.com/",
    trigger=lambda text, has: has.get("scheme") == "url",
)
def url_prefix(report: Report) -> Iterator[Place]:
    """The span is the scheme and its colon."""
    name = report.components["scheme"]
    message = "This is a prefix, not a scheme; omit it, with its colon."
    yield name.start, name.end + 1, "scheme", message
