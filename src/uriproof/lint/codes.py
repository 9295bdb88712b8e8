"""The table of rule codes: every code that can be reported, with its explanation.

Owns the table, the explanations and their pages. Imports the grammar, ``validate``, ``advice`` and
``lint.rules`` when their texts are asked for. Invariant: the codes of advice and of the linter come
from the rules' own files; a violation's code is explained by the grammar, with an example that has
only that violation, and whose drawing is that of the check itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from ..diagnostic import Severity
from ..grammar.expressions import AUTHORITY
from ..grammar.schemes import SCHEMES, registered
from ..report import Violation
from ..text.drawing import draw
from ..text.patterns import lazy
from .config.select import GROUPS, Selection

Group = Literal["violations", "advice", "security", "linter"]


class _Example(NamedTuple):
    """A text with one violation; ``good`` is empty if it is the fixed text."""

    bad: str
    good: str = ""
    rule: str = "URI"
    schemes: bool = False


# Every component with every kind of violation that it can have.
# uriproof: disable the texts are wrong so that they get their codes
_VIOLATIONS = {
    "scheme-illegal": _Example("1http://example.com/", "http://example.com/"),
    "scheme-missing": _Example("//example.com/", "https://example.com/"),
    "userinfo-illegal": _Example("ftp://jane doe@example.com/"),
    "userinfo-bad-escape": _Example("ftp://jane%doe@example.com/"),
    "userinfo-extra": _Example("ws://jane@example.com/", "ws://example.com/", schemes=True),
    "host-illegal": _Example("http://exa mple.com/", "http://example.com/"),
    "host-bad-escape": _Example("http://caf%C.example.com/", "http://caf%C3%A9.example.com/"),
    "host-missing": _Example("http://[::1", "http://[::1]"),
    "port-illegal": _Example("http://example.com:8o80/", "http://example.com:8080/"),
    "port-extra": _Example("file://example.com:80/a", "file://example.com/a", schemes=True),
    "authority-extra": _Example("about://blank", "about:blank", schemes=True),
    "path-illegal": _Example("http://example.com/a b"),
    "path-bad-escape": _Example("http://example.com/100%"),
    "path-missing": _Example("geo:48.2", "geo:48.2,16.4", schemes=True),
    "query-illegal": _Example("http://example.com/?q=a b"),
    "query-bad-escape": _Example("http://example.com/?off=50%"),
    "query-missing": _Example(
        "mailto:jane@example.com?subject", "mailto:jane@example.com?subject=Hello", schemes=True
    ),
    "query-extra": _Example("file:///a?b", "file:///a", schemes=True),
    "fragment-illegal": _Example("http://example.com/#a b"),
    "fragment-bad-escape": _Example("http://example.com/#100%"),
    "fragment-extra": _Example("http://example.com/#a", "http://example.com/", "absolute-URI"),
}
_DATA = (
    "Data that is not base64 has to be percent-encoded (RFC 2397 §3). Browsers also take it as "
    "it is, up to the next number sign; drawings in style sheets are often written this way."
)
_PERCENT = (
    "Data that is not base64 has to be percent-encoded (RFC 2397 §3). Browsers take a percent sign "
    "that begins no escape as itself; drawings in style sheets often have widths and colors with "
    "one."
)
_RAW = (
    "Browsers, and all clients that follow the URL Standard, take this character as it is, or "
    "percent-encode it, so that the link works as it was meant. Other software rejects the URI. "
    "A bracket, a brace or a quotation mark without its other, or a bar at the end, is an error "
    "instead: it probably belongs to the text around the URI."
)
# Some forms of these, with codes of their own so that a project can decide about each: the code of
# all begins theirs, so that it selects them, too. Each has its title and its reason. They are
# notes because nothing is broken: whoever follows the URL gets what its writer meant. Either the
# software that the URL is written for accepts it; or clients that follow the URL Standard send the
# character, as it is or percent-encoded, and nothing else can be meant. A fragment is not sent, but
# they find in the page what it names, decoded or not (HTML Standard, "Scrolling to a fragment").
# Other characters stay errors: white space can end a URL, and no ID has any (HTML Standard §3.2.6),
# an angle bracket that is not of an arrow, or a brace in a path, can belong to a placeholder, a
# backslash is read as a slash, and a bracket or a quotation mark without its other, or a bar at the
# end, belongs to the text around the URL.
_FORMS = {
    "fragment-illegal-hash": (
        _Example("http://example.com/#/#a"),
        'A "#" in a fragment that a script reads',
        (
            'The first "#" starts the fragment, and a fragment cannot contain another. Browsers '
            'keep it, and a page whose fragments begin with "/" or "!", or have the form of a '
            "path, reads them by itself, so that such a link works. Internet Explorer read the "
            'names of its behaviors, "#default#VML", in style sheets.'
        ),
    ),
    "fragment-illegal-raw": (
        _Example("http://example.com/#a[1]"),
        "A character that browsers accept in the fragment",
        _RAW,
    ),
    "path-bad-escape-data": (
        _Example("data:text/plain,100%"),
        "A percent sign of unescaped text in the path of a data: URI",
        _PERCENT,
    ),
    "path-illegal-base64": (
        _Example("data:text/plain;base64,aGVs bG8=", "data:text/plain;base64,aGVsbG8="),
        "White space in the base64 data of a path",
        (
            "Base64 data in a URI has no white space (RFC 4648 §3.3). Browsers remove it, other "
            "software rejects the URI."
        ),
    ),
    "path-illegal-data": (
        _Example("data:text/html,<b>a b</b>", "data:text/html,%3Cb%3Ea%20b%3C/b%3E"),
        "Unescaped text in the path of a data: URI",
        _DATA,
    ),
    "path-illegal-file": (
        _Example("figures/map (1).png", "figures/map%20(1).png", "URI-reference"),
        "A character in a path that is the name of a file",
        (
            "A relative reference names a file that is there, but some characters of the name have "
            "to be percent-encoded. Browsers and programs that make pages do that by themselves; "
            "other software rejects the reference."
        ),
    ),
    "path-illegal-raw": (
        _Example("http://example.com/a@^1.0.0"),
        "A character that browsers accept in the path",
        _RAW,
    ),
    "port-illegal-hosts": (
        _Example("mongodb://a.example:27017,b.example:27017/", "mongodb://a.example:27017/"),
        "Several hosts, each with a port, in the authority",
        (
            "A URI has one host. Drivers of databases and of queues define lists of servers in its "
            "place, which other software that parses URIs rejects."
        ),
    ),
    "port-illegal-name": (
        _Example("s3://bucket:1781cfeb8a7/key", "s3://bucket/1781cfeb8a7/key"),
        "A name in the place of a port, with a scheme that is not registered",
        (
            "Only digits can follow the colon after a host. Software with a scheme of its own "
            "often reads something else there, and no other software has to read such a URI."
        ),
    ),
    "query-bad-escape-data": (
        _Example("data:text/plain,off?100%"),
        "A percent sign of unescaped text in the query of a data: URI",
        _PERCENT,
    ),
    "query-illegal-brackets": (
        _Example("http://example.com/?a[]=1"),
        "Brackets in the query",
        (
            "The grammar allows brackets only around an IPv6 address (RFC 3986 §3.2.2). Many "
            "frameworks write them in keys, and most servers accept them."
        ),
    ),
    "query-illegal-quotes": (
        _Example('http://example.com/?q="a"'),
        "Quotation marks in the query",
        (
            "Browsers, and all clients that follow the URL Standard, percent-encode them, so that "
            "the link works as it was meant: searches for a phrase are often copied so. Other "
            "software rejects the URI. A quotation mark alone is an error instead: it probably "
            "belongs to the text around the URI."
        ),
    ),
    "query-illegal-raw": (
        _Example("http://example.com/?family=a|b"),
        "A character that browsers accept in the query",
        _RAW,
    ),
    "query-illegal-data": (
        _Example(
            "data:text/xml,%3C?xml version='1.0'?%3E", "data:text/xml,%3C?xml%20version='1.0'?%3E"
        ),
        "Unescaped text in the query of a data: URI",
        _DATA,
    ),
}
# uriproof: enable

_TITLES = {
    "illegal": "A character that is not allowed in the {0}",
    "bad-escape": "A percent sign without two hexadecimal digits in the {0}",
    "missing": "The {0} is missing or incomplete",
    "extra": "The {0} is not allowed here",
}
_WHYS = {
    "illegal": "The grammar does not allow this character at this place in the {0}.",
    "bad-escape": "A percent sign must be followed by two hexadecimal digits (RFC 3986 §2.1).",
    "missing": "The grammar requires more in the {0} than the text has.",
    "extra": "The rule that the text is checked against does not allow this component.",
}
_SCHEMES = " Reported only with scheme-specific rules (`scheme-rules`)."
_FIXES = {
    ("illegal", True): " Percent-encoding it keeps its meaning.",
    ("bad-escape", True): (
        " A literal percent sign is written `%25`. Digits might be missing instead, so the linter "
        "treats the fix as unsafe."
    ),
}
_NO_FIX = " The intended text is not known, so the linter does not offer a fix."
_COMMENT = "uriproof: {0}[{1}] the reason"


class Code(NamedTuple):
    """One code: its title, why it is reported, and a bad and a good example.

    ``rule`` validates the examples, with scheme-specific rules if ``schemes``; it is empty for a
    code of the linter, whose examples are lines of a file. ``section`` specifies the grammar's
    text, and ``abnf`` is that text; both are empty except for violations. ``case`` is a known
    attack, and ``alarms`` how often real URLs have the pattern: only for security.
    """

    code: str
    title: str
    why: str
    good: str
    bad: str
    section: str
    kind: Group
    severity: Severity
    rule: str = "URI-reference"
    schemes: bool = False
    abnf: str = ""
    case: str = ""
    alarms: str = ""

    @property
    def cited(self) -> tuple[str, str]:
        """The section that specifies the rule, and its address; empty if none does."""
        return cited(self.section or self.why)

    @property
    def url(self) -> str:
        """The address of the section that specifies the rule; empty if none does."""
        return self.cited[1]

    @property
    def checked_as(self) -> str:
        """The rule that the examples are checked against; empty if they are lines of a file."""
        schemes = " with the rules of its scheme" if self.schemes else ""
        return self.rule and f"{self.rule}{schemes}"

    @property
    def group(self) -> str:
        """The group of the code, and whether it is on by default."""
        state = "on by default" if self.is_default else "off by default"
        return f"{GROUPS[self.kind].one}, {state}"

    @property
    def is_default(self) -> bool:
        """Whether it is reported by default."""
        return Selection().has(self.code, self.kind)

    @property
    def example(self) -> tuple[str, str]:
        """The headings of the bad and of the good example."""
        return ("Wrong", "Right") if self.kind == "violations" else ("Reported", "Accepted")

    @property
    def switch(self) -> tuple[str, str]:
        """The effect of the configuration on it, and the line to write."""
        key, title = ("ignore", "disable") if self.is_default else ("extend-select", "enable")
        return f"How to {title} it", f'{key} = ["{self.code}"]'

    def suppressions(self) -> Iterator[tuple[str, str]]:
        """Comments that suppress it, each with its place."""
        for verb, where in (
            ("ignore", "on its line"),
            ("ignore-next-line", "on the line above"),
            ("ignore-file", "anywhere in the file"),
        ):
            yield _COMMENT.format(verb, self.code), where

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        drawn, fixed = self.shown()
        return {
            "code": self.code,
            "title": self.title,
            "group": self.kind,
            "severity": self.severity,
            "why": self.why,
            "case": self.case,
            "alarms": self.alarms,
            "section": self.cited[0],
            "url": self.url,
            "rule": self.rule,
            "schemes": self.schemes,
            "abnf": self.abnf,
            "bad": self.bad,
            "drawn": list(drawn),
            "fixed": fixed,
            "good": self.good,
            "configuration": self.switch[1],
            "suppressions": [comment for comment, _ in self.suppressions()],
        }

    def to_markdown(self) -> str:
        """The page of the code, in Markdown."""
        bad, good = self.example
        drawn, fixed = self.shown()
        lines = [f"# {self.code}", "", f"**{self.title}.**", ""]
        lines += [f"*{self.severity.capitalize()}: {self.group}.*", "", self.why, ""]
        if self.case:
            lines += [f"Known from: {self.case}", "", self.alarms, ""]
        if self.url:
            lines += [f"Specified in [{self.cited[0]}]({self.url}).", ""]
        if self.abnf:
            lines += ["```abnf", *self.abnf.splitlines(), "```", ""]
        lines += [f"## {bad}", ""]
        lines += [f"Checked as {self.checked_as}:", ""] if self.checked_as else []
        lines += ["```text", *drawn, "```", ""]
        if fixed is not None:
            lines += ["Fixed:", "", "```text", fixed, "```", ""]
        if fixed != self.good:
            lines += [f"## {good}", "", "```text", self.good, "```", ""]
        title, setting = self.switch
        lines += [f"## {title}", "", "```toml", "[tool.uriproof]", setting, "```", ""]
        lines += ["In one place, by a comment:", "", "```text"]
        width = max(len(comment) for comment, _ in self.suppressions())
        lines += [f"{comment:<{width}}  {where}" for comment, where in self.suppressions()]
        return "\n".join([*lines, "```", ""])

    def shown(self) -> tuple[tuple[str, ...], str | None]:
        """The bad example with carets and messages, and with its fixes, if it has some.

        Cost: a check.

        >>> print(*codes()["path-illegal"].shown()[0][:2], sep="\\n")
        http://example.com/a b
                            ^
        """
        if not self.rule:
            return (self.bad,), None
        from ..advice import advise
        from ..grammar import registry
        from ..validate.report import make_report

        grammar = registry.load("rfc3986")
        report = make_report(grammar, self.bad, self.rule, schemes=self.schemes)
        found = report.violations if self.kind == "violations" else advise(report, [self.code])
        spans = [(one.start, one.end) for one in found]
        messages = dict.fromkeys(one.message for one in found)
        return (*draw(self.bad, spans), *messages), report.fixed if report.violations else None


@cache
def names() -> dict[str, Group]:
    """Every code with its group. Cost: imports the rules of advice, the first time.

    >>> names()["path-illegal"], names()["dot-segments"], names()["unused-suppression"]
    ('violations', 'advice', 'linter')
    """
    from .. import advice
    from .rules import rules

    found: dict[str, Group] = dict.fromkeys(sorted({**_VIOLATIONS, **_FORMS}), "violations")
    found.update(dict.fromkeys(advice.rules("advice"), "advice"))
    found.update(dict.fromkeys(advice.rules("security"), "security"))
    found.update(dict.fromkeys(rules(), "linter"))
    return found


@cache
def codes() -> dict[str, Code]:
    """Every code with its explanation. Cost: a check of each example, the first time.

    >>> codes()["path-illegal"].bad, codes()["path-illegal"].good
    ('http://example.com/a b', 'http://example.com/a%20b')
    """
    from ..advice import MET
    from ..advice import rules as advice
    from .rules import rules as own

    found = {code: _violation(code) for code in sorted({**_VIOLATIONS, **_FORMS})}
    groups: tuple[Literal["advice", "security"], ...] = ("advice", "security")
    for group in groups:
        for a in advice(group).values():
            found[a.code] = Code(
                *(a.code, a.title, a.why, a.good, a.bad, "", group, "warning"),
                case=a.case,
                alarms=f"Reported for {a.alarms:,} of {MET:,} real URLs." if a.case else "",
            )
    for code, o in own().items():
        found[code] = Code(code, o.title, o.why, o.good, o.bad, "", "linter", o.severity, "")
    return found


def _is_name(url: str) -> bool:
    """Whether what follows the host of a URL is a name, or a version: it begins with a letter, has
    a dot, or is longer than any port (RFC 6335 §6: at most 65535). The scheme is not registered:
    "image://a:3.15". If it is provisionally, which nobody reviews (RFC 7595 §4), the name has a
    colon of its own ("at://did:plc:a"): "ssh://host:path" is a mistake."""
    scheme, servers = _servers(url)
    port = servers.rpartition("]")[2].partition(":")[2]
    is_name = port[:1].isalpha() or "." in port or len(port) > len("65535")
    status = registered(scheme)
    return is_name and (status is None or (status == "provisional" and ":" in port))


def _servers(url: str) -> tuple[str, str]:
    """The scheme of a URL, and its authority without user information; empty without one."""
    scheme, _, rest = url.partition("://")
    authority = AUTHORITY.match(rest)
    return scheme, authority[0].rpartition("@")[2] if authority else ""


@lru_cache(64)  # one URL has many violations
def _is_route(url: str) -> bool:
    """Whether a script or a program reads the fragment: it has the form of a path, as "#/a", "#!a",
    "#Gtk-3.0/Button.html" and "#branch#/folder", but not of a URL that was pasted twice. What
    Internet Explorer brought along begins with "#default#"."""
    fragment = url.partition("#")[2]
    is_path = fragment.startswith("!") or ("/" in fragment and "://" not in fragment)
    return is_path or fragment.startswith("default#")


SENT = ("-brackets", "-quotes", "-raw")
"""The ends of the codes of characters that browsers send, or percent-encode."""


def code_of(violation: Violation, url: str) -> str:
    """The linter's code of a violation in a URL: that of the violation, or of a form of it.

    >>> from uriproof import check
    >>> url = "http://h/a[1]?a[]=1|2 3"
    >>> list(dict.fromkeys(code_of(v, url) for v in check(url).violations))
    ['path-illegal-raw', 'query-illegal-brackets', 'query-illegal-raw', 'query-illegal']
    >>> texts = "db://a:1,b:2", "http://a:1,b:2"
    >>> [code_of(check(text).violations[0], text) for text in texts]
    ['port-illegal-hosts', 'port-illegal']
    >>> fragments = "x:#a#b", "x:#/#b", "x:#PKCS#5"
    >>> [code_of(v, text).removeprefix("fragment-") for text in fragments
    ...  for v in check(text).violations]
    ['illegal', 'illegal-hash', 'illegal-raw']
    """
    found, code = violation.found, violation.code
    if code == "port-illegal":
        if _lists_servers(url):
            return f"{code}-hosts"
        return f"{code}-name" if _is_name(url) else code
    component = violation.component
    if url[:5].lower() == "data:" and f"{code}-data" in _FORMS and "," in url:
        if not url.partition(",")[0].lower().endswith(";base64"):
            return f"{code}-data"
        return f"{code}-base64" if code == "path-illegal" and found.isspace() else code
    if violation.kind != "illegal":
        return code
    if component == "fragment" and not found.strip("#") and _is_route(url):
        return f"{code}-hash"
    if component in ("path", "query", "fragment") and _belong(url, component):
        if component == "query" and not found.strip("[]"):
            return f"{code}-brackets"
        if component == "query" and not found.strip('"'):
            return f"{code}-quotes"
        if _sent(component).issuperset(found) or _goes_on(violation, url):
            return f"{code}-raw"
    return code


_SIGNS = frozenset("\\`")
"""Signs of the text around: in most software a backslash escapes, and backticks quote."""


_ARROWS = frozenset("-=")  # the characters before ">"
# A link of Markdown, unlike a type of Scala and its parameters, "#apply[A](block:A)": its brackets
# follow no name, or it has a path.
_LINK = lazy(r"(?<!\w)\[[^\[\]]*+\]\(|\]\([^/)\]]*+/")


@cache
def _sent(component: str) -> frozenset[str]:
    """The characters that a component cannot contain, but that clients of the URL Standard send in
    it (URL Standard §1.3; the grammar ``whatwg-url``). A fragment is not sent, but all that is sent
    in a query is left in it; quotation marks are encoded, as they are there."""
    from ..percent.characters import characters

    if component == "path":
        return characters("path-raw", "whatwg-url") - characters("segment")
    sent = characters("query-raw", "whatwg-url") - characters("query") - _SIGNS
    return sent | {'"'} if component == "fragment" else sent


def _goes_on(violation: Violation, url: str) -> bool:
    """Whether the text before and after a character shows that it is of the URL, so that nothing
    else can be meant: "#err->msg", and "#PKCS#5", unlike "##top" and "#a#b"."""
    start, end = violation.start, violation.end
    before, after = url[max(start - 1, 0) : start], url[end : end + 1]
    if violation.found == "#":
        return before != "#" and after.isdigit()
    return violation.found == ">" and before in _ARROWS and after != ""


@lru_cache(64)  # one URL has many violations
def _belong(url: str, component: str) -> bool:
    """Whether brackets, braces, quotation marks and bars in a component of a URL belong to it,
    because they pair, or are between two parts: "/dependabot[bot]". Others are left over from
    markup: "[a](http://h/b" of Markdown, "http://h/b|" of MediaWiki.

    >>> _belong("/a[b]", "path"), _belong("/b]", "path"), _belong('?a="b', "query")
    (True, False, False)
    """
    before, _, fragment = url.partition("#")
    path, _, query = before.partition("?")
    text = {"path": path, "query": query}.get(component, fragment)
    paired = text.count('"') % 2 == 0 and all(_pair(text, *both) for both in ("[]", "{}"))
    return paired and not _LINK.search(text) and not text.endswith("|")


def _pair(text: str, opening: str, closing: str) -> bool:
    """Whether each bracket of a kind has its other."""
    depth = 0
    for part in text.split(opening):
        depth -= part.count(closing)
        if depth < 0:
            return False
        depth += 1
    return depth == 1


def _lists_servers(url: str) -> bool:
    """Whether the authority is a list, in a scheme whose specification has no single server."""
    from ..mistakes.host import is_server

    scheme, servers = _servers(url)
    hosts = servers.split(",")
    is_single = "port" in SCHEMES.get(scheme.lower(), {})
    return not is_single and len(hosts) > 1 and all(map(is_server, hosts))


def severity_of(code: str) -> Severity:
    """How severe the violations of a code are by default; a project can decide about each."""
    return "note" if code in _FORMS else "error"


def violation_title(code: str) -> str:
    """The title of a violation's code, of any grammar; empty for another code.

    >>> violation_title("query-illegal"), violation_title("date-missing")
    ('A character that is not allowed in the query', 'The date is missing or incomplete')
    """
    for kind, title in _TITLES.items():
        if code.endswith(f"-{kind}"):
            return title.format(code.removesuffix(f"-{kind}"))
    return ""


def _violation(code: str) -> Code:
    """The code of a violation, explained by the report of its example."""
    from ..grammar import registry
    from ..validate.report import make_report

    example, title, form = _FORMS.get(code) or (_VIOLATIONS[code], "", "")
    grammar = registry.load("rfc3986")
    report = make_report(grammar, example.bad, example.rule, schemes=example.schemes)
    first = report.violations[0]
    component, kind = first.component, first.kind
    good = example.good or report.fixed or ""
    why = form or _WHYS[kind].format(component)
    why += _SCHEMES * example.schemes
    if kind in ("illegal", "bad-escape"):
        why += _FIXES.get((kind, not example.good), _NO_FIX)
    return Code(
        *(code, title or _TITLES[kind].format(component), why, good, example.bad, first.section),
        *("violations", severity_of(code), example.rule, example.schemes, first.rule),
    )


_CITED = lazy(r"RFC (\d+)(?: §(\d+(?:\.\d+)*)| Appendix ([A-Z]))?")


def cited(words: str) -> tuple[str, str]:
    """The first section of an RFC that a text cites, and its address; empty if it cites none.

    >>> cited("URIs are shown (RFC 3986 §3.2.1, §7.5)")
    ('RFC 3986 §3.2.1', 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1')
    """
    match = _CITED.search(words)
    if match is None:
        return "", ""
    number, section, appendix = match.groups()
    place = f"#section-{section}" if section else f"#appendix-{appendix}" if appendix else ""
    return match[0], f"https://www.rfc-editor.org/rfc/rfc{number}{place}"
