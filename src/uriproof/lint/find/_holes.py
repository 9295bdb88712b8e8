r"""Holes: the parts that a template, a format string or a reader fills in.

Owns the syntaxes of template languages and format strings, of all formats at once: a hole in one is
a hole in all, because a false diagnostic costs more than a missed one. For other placeholders, the
evidence of the file decides (``engine.evidence``). Also has the expressions from the grammars, of
which finders build others: as the build wrote and proved them, without capturing groups (RFC 3986
Appendix A and B). Imports the grammars and the registry of schemes. Invariant: the spans are sorted
and disjoint, and no expression looks further than a bound, so that the time is linear.
"""

from __future__ import annotations

import re

from ...grammar import registry
from ...grammar.schemes import HOSTS, registered
from ...text.patterns import lazy

__all__ = ["AUTHORITY", "DATA", "ESCAPE", "H16", "HOLE", "PORT", "SCHEME", "Spans", "covers"]
__all__ += ["holes", "is_opaque", "port_holes"]


def _expression(grammar: str, rule: str) -> str:
    found = registry.load(grammar).regex(rule)
    assert found is not None  # noqa: S101 -- these rules have one; the tests load them all
    return f"(?:{found})"


SCHEME = _expression("rfc3986", "scheme")
PORT = _expression("rfc3986", "port")
ESCAPE = _expression("rfc3986", "pct-encoded")
AUTHORITY = lazy(_expression("rfc3986-split", "authority"))
"""The characters before a path, a query or a fragment (Appendix B)."""
H16 = lazy(_expression("rfc3986", "h16"))


def is_opaque(prefix: str, url: str) -> bool:
    """Whether a URL after a scheme and a colon is of a syntax that this scheme defines: the scheme
    is registered, and its URIs have no host; or that of the URL is registered nowhere; or there
    are two schemes before it, as "jdbc:pool" has them.

    >>> is_opaque("jdbc", "db://h"), is_opaque("view-source", "http://h"), is_opaque("see", "ws://h")
    (True, True, False)
    """
    scheme = prefix.lower()
    known = ":" in scheme or (registered(scheme) is not None and scheme not in HOSTS)
    return known or registered(url.partition(":")[0]) is None


Spans = tuple[tuple[int, int], ...]

# Elements in text between URLs; any other name in angle brackets is to be filled in.
_ELEMENTS = (
    "a|abbr|b|blockquote|body|br|center|cite|code|col|dd|del|details|div|dl|dt|em|font|h[1-6]|hr"
    "|html|i|img|ins|kbd|li|link|ol|p|para|pre|q|remarks|s|samp|see|small|span|strong|sub|summary"
    "|sup|table|tbody|td|th|thead|tr|tt|u|ul|var"
)

_OF_DATA = r"[^\s{}\"'<>`\\]"
# No template begins with an escape, or is called by a GUID (RFC 9562 §4).
DATA = (
    rf"\{{(?:{ESCAPE}(?:{_OF_DATA}|\{{{_OF_DATA}{{0,100}}+\}}){{0,300}}+"
    r"|[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12})\}"
)
"""An expression of braces that are data: of escapes, or a GUID."""

HOLE = (
    r"\{\{(?:[^{}\n]|\{[^{}\n]*\}){0,300}+\}\}\}?"  # Jinja, Handlebars, Go, Actions
    r"|\{%(?:[^%\n]|%(?!\})){0,300}+%\}|\{\#(?:[^#\n]|\#(?!\})){0,300}+\#\}"
    r"|<%(?:[^%\n]|%(?!>)){0,300}+%>|<\?(?:[^?\n]|\?(?!>)){0,300}+\?>"  # ERB, JSP, PHP
    rf"|[$#@%*~](?!{DATA})"  # shell, JavaScript, Ruby, Ant, RPM
    r"\{(?:[^{}\n]|\{[^{}\n]{0,100}\}){0,300}+\}"
    # of shells, make, and Julia, whose calls have brackets of their own: "$(HTTP.port(server))"
    r"|\$\((?:[^()\n]|\([^()\n]{0,100}+\)){0,200}+\)|\$\$?[A-Za-z_]\w{0,80}"
    r"(?:->\w{1,60}|(?:->)?(?:\{[^{}\n]{0,60}+\}|\[[^][\n]{0,60}+\])){0,4}+"  # Perl, PHP
    r"|\$[0-9@*]"
    # str.format, RFC 6570, Rust, C#, routes, brace expansion; in an expression, strings after words
    rf"|(?!{DATA})"
    r"\{(?:[^{}\n\"]|(?<=[\w(\[, ])\"[^{}\n\"]{0,60}+\"){0,200}+\}"
    # <host>, not a URL that was pasted with its angle brackets: src="<https://example.com/>"
    rf"|<(?!(?:{_ELEMENTS})\s*/?>|\w+://)[A-Za-z_][-\w .:/|$]{{0,60}}+>"
    r"|\[\[[^][\n]{1,200}+\]\]"
    rf"|(?!{ESCAPE})%[A-Za-z_][\w.-]{{0,40}};|&\#(?:x25|37);[A-Za-z_][\w.-]{{0,40}};"  # of DTDs
    r"|%\([^()\n]{1,80}+\)(?:[-#0 +]*+[0-9]*+[diouxXeEfFgGcrsa])?"
    # printf, Python, Cocoa, Go
    r"|%(?:[1-9]\$|\[[1-9]\])[a-zA-Z@]|%@|%[-+#][vTqsdx]"
    r"|%[-+#0]*+[0-9]*+\.[0-9]++[a-zA-Z]|%(?:ll?|h|z)[dux]|%-?[0-9]+[sd](?!\w)"
    rf"|%%|(?!{ESCAPE})%(?:[sdinqvr]|u(?![0-9A-Fa-f]{{4}}))|(?<=[/:]{{2}})%[1-9](?!\w)"
    rf"|(?:(?<![A-Za-z0-9])|(?<=%[A-Za-z]))(?!{ESCAPE})%"
    r"(?:[G-Zg-z](?![A-Za-z0-9])|[A-Fa-f](?=[-/?&:.=%_\#])|[1-9](?=[/?&:.=]))"  # strftime, Qt
    r"|…"
)
"""An expression of every syntax, for ``re`` without flags, without groups that capture."""

_HOLE = lazy(HOLE)
_HOLEY = lazy(r"[{<\[%$@…]|&#")  # what every hole has something of
_ANCHOR = "://"

# A port that is a word to be replaced: ":PORT", ":port", ":8xxx", ":порт"; ":<port>" is above.
_PORT = lazy(
    r"[A-Z][A-Z0-9_-]*|(?i:[a-z_-]*port[a-z_-]*[0-9]*|[0-9]*[xn]{2,}|[xn]|num(?:ber)?)"
    r"|[0-9]*\*+|[0-9]+[-,][0-9]*|\.\.\.|(?=[ -~]*[^\x00-\x7f])[^\W\d_]\w*|\([A-Za-z]+\)?"
)
_DIRT = "'),;."


def covers(spans: Spans, at: int) -> bool:
    """Whether an offset is inside a hole."""
    return any(start <= at < end for start, end in spans)


def port_holes(text: str) -> Spans:
    """The span of a port that is a placeholder, if there is one.

    >>> port_holes("http://HOST:PORT/")
    ((12, 16),)
    """
    at = text.find(_ANCHOR)
    match = AUTHORITY.match(text, at + len(_ANCHOR)) if at >= 0 else None
    if match is None:
        return ()
    first = text.rfind(":", match.start(), match.end()) + 1
    last = first + len(text[first : match.end()].partition("[")[0].rstrip(_DIRT))
    return ((first, last),) if first and _PORT.fullmatch(text, first, last) else ()


def holes(text: str, more: re.Pattern[str] | None = None) -> Spans:
    """The spans that something else will fill; ``more`` are syntaxes of a single language.

    Cost: O(n).

    >>> holes("http://{host}:$PORT/<id>?t=%s&n=100%")
    ((7, 13), (14, 19), (20, 24), (27, 29))
    """
    found = [match.span() for match in _HOLE.finditer(text)] if _HOLEY.search(text) else []
    if more is not None:
        found += [match.span() for match in more.finditer(text)]
    if _ANCHOR in text:
        found += port_holes(text)
    found.sort()
    kept: list[tuple[int, int]] = []
    for span in found:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return tuple(kept)
