r"""Placeholders: how they are written, and what shows that a text is one.

A placeholder is a name between signs that the format or the tree uses elsewhere, where a character
of the grammar could not stand. So each row of the table says how a name is written, which formats
write it so, and what else has to show that it is one: nothing, if no URI has such signs; the name,
if data can be between them too; or the place, if they can be part of a URI.

Owns that table, of all formats at once: a placeholder of one is a placeholder in all, unless its
row says why not, because a false diagnostic costs more than a missed one; and the forms of those
that only ``lint.engine.evidence`` reads, in URLs that look wrong. Imports the expressions of the
grammars. Invariant: the spans are sorted and disjoint, and no expression looks further than a
bound, so that the time is linear.
"""

from __future__ import annotations

from typing import NamedTuple

from ..grammar.expressions import AUTHORITY, ESCAPE
from ..report import spliced
from ..text.patterns import lazy

Spans = tuple[tuple[int, int], ...]

CODE = "code"
"""A text by itself shows a placeholder with these signs, whatever is between them."""
NAME = "name"
"""It shows one if a name is between them, where no URI can have it."""

# Characters that no placeholder extends over: the end of a line, and of a tag, as is undone for
# markup, whose templates extend over lines, but in a value not over the next tag. A vertical tab
# is only there to tell the two apart.
_LINE = r"\n"
_TAG = r"\n\v"


def _nested(signs: str, most: int, beyond: str = _LINE, inner: int = 100) -> str:
    """The text between brackets, which has such brackets of its own, one in the other."""
    a, b = signs[0], signs[1]
    other = rf"[^\{a}\{b}{beyond}]"
    return rf"(?:{other}|\{a}{other}{{0,{inner}}}+\{b}){{0,{most}}}+"


def _until(closing: str, most: int = 600) -> str:
    """The text before the sign that closes."""
    first = closing.lstrip("\\")[0]
    return rf"(?:[^{first}\n]|\{first}(?!{closing[closing.index(first) + 1 :]})){{0,{most}}}+"


# No template begins with an escape, or is called by a GUID (RFC 9562 §4).
_OF_DATA = r"[^\s{}\"'<>`\\]"
DATA = (
    rf"\{{(?:{ESCAPE}(?:{_OF_DATA}|\{{{_OF_DATA}{{0,100}}+\}}){{0,300}}+"
    r"|[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12})\}"
)
"""An expression of braces that are data: of escapes, or a GUID."""

ELEMENTS = (
    "a|abbr|b|blockquote|body|br|center|cite|code|col|dd|del|details|div|dl|dt|em|font|h[1-6]|hr"
    "|html|i|img|ins|kbd|li|link|ol|p|para|pre|q|remarks|s|samp|see|small|span|strong|sub|summary"
    "|sup|table|tbody|td|th|thead|tr|tt|u|ul|var"
)
"""Elements in text between URLs; any other name in angle brackets is to be filled in."""


class Sign(NamedTuple):
    """How a placeholder is written: three expressions, without groups that capture.

    ``of`` are the formats that write it so: "any", or some of "text" (all but markup), "markup",
    "template" (of markup; quotes in it do not end an attribute), and dialects. ``alone`` is what
    shows one in a text by itself: ``CODE`` or ``NAME``; empty if only a file can.
    """

    opening: str
    inside: str
    closing: str
    of: str = "any"
    alone: str = ""


# In this order: of two at one place, the first is it.
_TABLE = (
    # Jinja, Django, Handlebars, Vue, Angular, Go, Actions; statements and comments of the first
    Sign(r"\{\{", _nested("{}", 400), r"\}\}\}?", "any template", CODE),
    # Django, in a template of a template: the signs by their names, and what is between them
    Sign(
        r"\{% templatetag open\w{1,9} %\}",
        r"[^<>\n]{0,300}?",
        r"\{% templatetag close\w{1,9} %\}",
        "any template",
        CODE,
    ),
    Sign(r"\{%", _until(r"%\}"), r"%\}", "any template", CODE),
    Sign(r"\{\#", _until(r"\#\}"), r"\#\}", "any template", CODE),
    Sign(r"<%", _until("%>"), "%>", "any template", CODE),  # ERB, EJS, JSP, ASP
    Sign(r"<\?", _until(r"\?>"), r"\?>", "any template", CODE),  # PHP
    Sign(r"\[%", _until(r"%\]"), r"%\]", alone=CODE),  # Template Toolkit
    Sign(r"\*\|", r"[\w.: -]{1,60}+", r"\|\*", alone=CODE),  # Mailchimp
    Sign(r"\{!!", _until(r"!!\}"), r"!!\}", alone=CODE),  # Blade
    # CircleCI, M4, documentation: in a file, a document of the shell begins so
    Sign("<<", r"[^<>\n]{1,60}+", ">>", "", CODE),
    Sign("«", r"[^«»\n]{1,60}+", "»", "", NAME),
    # shells, JavaScript, Ruby, Thymeleaf, Logstash, RPM, Salesforce
    # also WDL, but a tilde after a slash is the one before a user's name; "#" begins a fragment;
    # a dollar sign is doubled where one tool writes for another (Compose, Terraform, make)
    Sign(
        rf"(?:\$?[$@%*!]|\#(?!\{{\{{)|(?<!/)~)(?!{DATA})\{{",
        _nested("{}", 600, _TAG),  # JSF's expressions have conditions in them
        r"\}",
        "any template",
        CODE,
    ),
    # shells, make, Azure; Julia, whose calls have brackets of their own: "$(HTTP.port(server))"
    Sign(r"\$\$?\(", _nested("()", 300, _TAG, 200), r"\)", "any template", NAME),
    # MSBuild and Razor; in other text, "user@(" and "%(" are hardly of them
    Sign(r"[@%]\(", _nested("()", 300, _TAG, 200), r"\)", "template"),
    Sign(r"@[A-Za-z][\w.]{0,80}+\(", _nested("()", 300, _TAG, 200), r"\)", "template"),
    # Twirl, cut off by the quotes in it: "@(a.map(x => s"
    Sign(r"@(?:[A-Za-z][\w.]{0,80}+)?\(", r"(?:=>|[^<>]){1,300}+", r"\Z", "markup"),
    # lists of MSBuild, with arrows in them, which end no attribute
    Sign(r"@\(", _nested("()", 300, "<", 200), r"\)", "markup"),
    # server-side includes, JSP, FreeMarker: elsewhere they are elements
    Sign(r"<!--\#", r"(?:[^<>-]|-(?!->)){1,300}+", "-->", "template"),
    Sign(r"<[a-z]\w{0,20}:", r"(?:[^<>/]|/(?!>)){1,300}+", "/>", "template"),
    Sign(r"</?[\#@]", r"[^<>]{1,300}+", ">", "template"),
    # Svelte, XSLT (2.0 §5.6): expressions with quotes; in other text these are JSON
    Sign(r"\{", _nested("{}", 200), r"\}", "markup"),
    # ' + a + ', also ' + a['b'] + '
    Sign(r"'\s{0,3}[+.]", r"(?:[^'\"<>\[]|\['\w{0,40}+'|\[){1,100}?", r"[+.]\s{0,3}'", "markup"),
    Sign(r"\"\s{0,3}[+.]", r"[^'\"<>]{1,100}?", r"[+.]\s{0,3}\"", "markup"),
    Sign(r"\$", r"\w{1,40}+", r"\^", "markup"),  # Doxygen
    Sign(r"(?<!\w)@", r"[A-Za-z][\w.-]{0,40}+", "@", "markup"),  # configure; else an address
    # in a value, all of it, or its beginning
    Sign(r"\A%", r"[-+\#0-9.\[\]]{0,6}[A-Za-z]", r"\Z", "markup"),
    Sign(r"\A\[", r"[\w .:-]{1,60}+", r"\](?=[\w/?\#.]|\Z)", "markup"),
    Sign(r"\.\.\.", "", r"\Z", "markup"),
    # variables of shells, Perl, PHP
    Sign(
        r"\$\$?",
        r"[A-Za-z_]\w{0,80}"
        r"(?:->\w{1,60}|(?:->)?(?:\{[^{}\n]{0,60}+\}|\[[^][\n]{0,60}+\])){0,4}+",
        "",
        alone=NAME,
    ),
    Sign(r"\$", "[0-9@*]", ""),
    # str.format, RFC 6570, Rust, C#, routes, brace expansion; in one, strings follow words
    Sign(
        rf"(?!{DATA})\{{",
        r"(?:[^{}\n\"]|(?<=[\w(\[, ])\"[^{}\n\"]{0,60}+\"){0,200}+",
        r"\}",
        alone=NAME,
    ),
    # documentation, Flask; but src="<https://example.com/>" has a URL with its brackets; after
    # another, "dd" is a day (<yyyy>-<mm>-<dd>); names have apostrophes (<server's-address>); Go
    # writes "<no value>" where a template got none, so that the address is broken
    Sign(
        rf"<(?:(?<=>[-/]<)(?=dd>)|(?!(?:{ELEMENTS})\s*/?>|\w+://|no value>))",
        r"[^\W\d](?:[-\w .:/|$]|(?<=[^\W\d])'(?=[^\W\d])){0,60}+",
        ">",
        alone=NAME,
    ),
    Sign(r"\[\[", _nested("[]", 200), r"\]\]", alone=CODE),  # MediaWiki, Next.js
    # entities of a DTD, whose text is not known; in other text, "&" and ";" are of a query
    Sign("&", r"[A-Za-z_][-.\w]{0,60}+", ";", "xml"),
    Sign(rf"(?:(?!{ESCAPE})%|&\#(?:x25|37);)", r"[A-Za-z_][\w.-]{0,40}", ";"),
    Sign(r"\|", r"[\w .-]{1,60}+", r"\|", "rst"),  # substitutions; else borders of a table
    # Windows, Symfony; Ant, configure: in a file, any sign can be on both sides, see ``FORMS``
    Sign("(?<![A-Za-z0-9])%", r"[^\W\d]\w{1,37}+", rf"(?!{ESCAPE})%", "", NAME),
    # a part of a variable of cmd: "%version:~0,3%", a colon and a tilde are in no escape
    Sign("%", r"[^\W\d]\w{0,37}+:~-?[0-9]{1,4}+(?:,-?[0-9]{1,4}+)?+", "%", alone=CODE),
    Sign("(?<=//)@", r"[A-Z_.][A-Z0-9_.]{0,37}+", "@", "", NAME),
    # printf, Python, Cocoa, Go
    Sign(r"%\(", r"[^()\n]{1,80}+", r"\)(?:[-#0 +]*+[0-9]*+[diouxXeEfFgGcrsa])?", "any", NAME),
    Sign("%", r"(?:[1-9]\$|\[[1-9]\])[a-zA-Z@]", "", alone=NAME),
    Sign("%", "(?:[-+#][vTqsdx]|@)", "", alone=NAME),
    Sign(
        "%",
        r"(?:[-+#0]*+[0-9]*+\.(?:[0-9]++|\*)[a-zA-Z]|(?:ll?|h|z)[dux]|-?[0-9]+[sd](?!\w)|%)",
        "",
    ),
    Sign(rf"(?!{ESCAPE})%", "[sdi]", "", alone=NAME),
    Sign(rf"(?!{ESCAPE})%", r"u(?![0-9A-Fa-f]{4})", ""),
    # these and strftime's are of programs: a value in markup has bad escapes instead
    Sign(rf"(?!{ESCAPE})%", "[nqvr]", "", "text"),
    Sign("(?<=[/:]{2})%", r"[1-9](?!\w)", "", "text"),
    Sign(
        rf"(?:(?<![A-Za-z0-9])|(?<=%[A-Za-z]))(?!{ESCAPE})%",
        r"(?:[G-Zg-z](?![A-Za-z0-9])|[A-Fa-f](?=[-/?&:.=%_\#])|[1-9](?=[/?&:.=]))",
        "",
        "text",
    ),
    # Swift; elsewhere, a backslash is an escape of a string, or of a regular expression
    Sign(r"\\\(", _nested("()", 200), r"\)", "swift", CODE),
    # Next.js, documentation: in a file, the place has to show it, see ``in_brackets``
    Sign(r"\[", r"(?:\.\.\.)?[^\W\d][\w.\- ]{1,60}+", r"\]", "", NAME),
    Sign("…", "", ""),
)


# The first characters of them all: looked for before, since "re" else tries each row in each place.
_FIRST = r"[{<\[%$@*!\#~\\|&.…'\"]"


def own(dialect: str) -> str:
    """An expression of what only a dialect writes: "xml", "rst"; "template"."""
    return "|".join(s.opening + s.inside + s.closing for s in _TABLE if dialect in s.of.split())


def _all_of(*formats: str) -> str:
    rows = (s for s in _TABLE if not set(formats).isdisjoint(s.of.split()))
    return rf"(?={_FIRST})(?:{'|'.join(s.opening + s.inside + s.closing for s in rows)})"


def _over_lines(expression: str) -> str:
    return expression.replace(_TAG, "<>").replace(_LINE, "")


TEXT = _all_of("any", "text")
"""An expression of all placeholders in text, for ``re`` without flags."""
TEMPLATES = _over_lines(own("template"))
"""An expression of the templates in markup, in which quotes and brackets are of a program."""
MARKUP = _over_lines(_all_of("any", "template", "markup"))
"""An expression of all placeholders in markup and in style sheets."""

_EACH = {
    "text": lazy(TEXT),
    "markup": lazy(MARKUP),
    "xml": lazy(f"{own('xml')}|{MARKUP}"),
    "rst": lazy(f"{MARKUP}|{own('rst')}"),
}
_HOLEY = lazy(r"[{<\[%$@*…'\"|&]|\.\.\.\Z")  # what every one has something of
_STATEMENTS = (
    *("{%", "{#", "<%", "<?", "{{#", "{{/", "{{~", "{{-", "{{else", "{/", "{:"),
    *("{{ if ", "{{ else", "{{ end", "{{ with ", "{{ range "),  # Go
)


def holes(text: str, of: str = "text") -> Spans:
    """The spans of a text that something else will fill, in a format or a dialect of one.

    White space next to a statement in markup lays out the template, so it is in the span.
    Cost: O(n).

    >>> holes("http://{host}:$PORT/<id>?t=%s&n=100%")
    ((7, 13), (14, 19), (20, 24), (27, 29))
    """
    found: list[tuple[int, int]] = []
    end = 0
    for match in _EACH[of].finditer(text) if _HOLEY.search(text) else ():
        start, last = match.span()
        if text.startswith(_STATEMENTS, start) and of in ("markup", "xml", "rst"):
            start = end + len(text[end:start].rstrip())
            last += len(text[last:]) - len(text[last:].lstrip())
        found.append((max(start, end), last))
        end = last
    port = named_port(text)
    if port is not None and not any(a < port[1] and port[0] < b for a, b in found):
        found.append(port)
        found.sort()
    return tuple(found)


def empty(text: str, spans: Spans) -> bool:
    """Whether nothing is left to judge except the holes."""
    return sum(end - start for start, end in spans) == len(text)


def filled(text: str, spans: Spans, char: str = "x") -> str:
    """The text with a character of no meaning for each of its holes', so that nothing in them
    divides it."""
    return spliced(text, ((start, end, char * (end - start)) for start, end in spans))


# A port that is a word to be replaced: ":PORT", ":port", ":8xxx", ":порт"; ":<port>" is above.
_PORT = lazy(
    r"[A-Z][A-Z0-9_-]*|(?i:[a-z0-9_-]*port[a-z_-]*[0-9]*|[0-9]*[xn]{2,}|[xn]|num(?:ber)?)"
    r"|[0-9]*\*+|[0-9]+[-,][0-9]*|\.\.\.|(?=[ -~]*[^\x00-\x7f])[^\W\d_]\w*|\([A-Za-z]+\)?"
)
_DIRT = "'),;."


def named_port(text: str) -> tuple[int, int] | None:
    """The span of a port that is a placeholder, if there is one.

    >>> named_port("http://HOST:PORT/")
    (12, 16)
    """
    at = text.find("://")
    match = AUTHORITY.match(text, at + 3) if at >= 0 else None
    if match is None:
        return None
    first = text.rfind(":", match.start(), match.end()) + 1
    last = first + len(text[first : match.end()].partition("[")[0].rstrip(_DIRT))
    if not first or not _PORT.fullmatch(text, first, last):
        return None
    # psql writes a variable with a colon of its own: "localhost::port".
    return first - text.endswith("::", match.start(), first), last


_ALONE = tuple(sign for sign in _TABLE if sign.alone)
_BY_ITSELF = lazy(
    f"(?={_FIRST})(?:" + "|".join(f"({s.opening}{s.inside}{s.closing})" for s in _ALONE) + ")"
)
_PARTS = {s: lazy(f"(?P<opening>{s.opening}){s.inside}(?P<closing>{s.closing})") for s in _ALONE}


def alone(text: str, at: int) -> tuple[int, int, Sign] | None:
    """The next placeholder from an offset on in a text by itself, and how it is written."""
    match = _BY_ITSELF.search(text, at)
    return None if match is None else (*match.span(), _ALONE[(match.lastindex or 1) - 1])


def without_name(text: str, at: int, sign: Sign) -> str:
    """The signs alone of a placeholder at an offset: its name might be part of a password.

    >>> text = "http://u:${f(x)}@h/"
    >>> without_name(text, 9, alone(text, 0)[2])
    '${…}'
    """
    match = _PARTS[sign].match(text, at)
    return f"{match['opening']}…{match['closing']}" if match else "…"


def is_words(name: str) -> bool:
    """Whether a name is a few words, as in ``your-domain``, ``user id``, ``object.name``."""
    words = name.strip().replace("-", " ").replace(".", " ").split()
    return 0 < len(words) <= 6 and all(w.replace("'", "").isidentifier() for w in words)  # noqa: PLR2004


# What only the URL around it shows

# Signs around words to be replaced: percent and at signs, circumflexes, and any symbol beyond
# ASCII, up to three of them ("%%NAME%%", "@@HOST@@"); but "pa@ss@host" is an old mistake.
_SIGN = r"(?!@(?<!/@)(?!@|[A-Z][A-Z0-9_]{2}))(?P<sign>(?:[%@^]|[^\x00-\x7f\w\s]){1,3}+)"
# A name: it begins with a letter, and has at least two characters, since "%a" and "%d" are others.
_WORD = r"[^\W\d][\w.\-]{1,59}"
_INDEX = rf"(?:\([^()\s]{{1,60}}\)|\[[^\[\]\s]{{1,60}}\](?:{_WORD})?)"
SIGNED = lazy(rf"{_SIGN}[A-Z][A-Z0-9_]{{2,59}}")
"""A name in capitals after a sign: two with one sign in a URL are to be replaced, ``%HOST:%PORT``;
one can be a bad escape."""
# "[1-9]", "[a-z]:2", "[%first-{last}]": curl and documentation of hosts write ranges so.
_BOUND = r"(?:[A-Za-z]|\d+|%\w{3,60}|\{[^{}]{0,60}\})"
FORMS = (
    (lazy(rf"\[{_BOUND}-{_BOUND}(?::\d+)?\]"), "a range of numbers or letters"),
    # "[*]" of JSONPath and jq, "[SOME_NAME]": with an underscore, because "[A]" might be data
    (
        lazy(r"\[(?:\*|[A-Z][A-Z0-9]{0,30}_[A-Z0-9_]{1,60})\]"),
        "a name in capitals, or any index",
    ),
    # Text that is not XML can become some: "&#38;".
    (lazy(r"&#(?:[xX][0-9A-Fa-f]{1,6}|[0-9]{1,7})(?:;|\Z)"), "a character, as XML writes it"),
    # Documentation in English asks so for what the reader has; no file has such a name.
    (
        lazy(r"(?<=[/=:@])YOUR(?: [A-Z]{2,20}){1,4}(?=[/?&#:@]|\Z)"),
        "capitals ask the reader for something",
    ),
    # "?id=#name#", "?id=##NAME", "PR##": the anchor of a page is no value, and hardly in capitals.
    (
        lazy(r"(?<==)(#{1,3})[A-Za-z]\w{1,59}\1(?!\w)|(?<=[=/])##[A-Z][A-Z\d_]++(?![a-z])"),
        "number signs are around a name, or before it",
    ),
    # "%NAME%", "@host@", "%f(x)%"; "%zz%zz" is neither, nor is an escape.
    (
        lazy(rf"{_SIGN}\.?{_WORD}(?:{_INDEX}(?P=sign)|(?P=sign)(?![^\W_]))"),
        "the same sign is on both sides",
    ),
    # Two words: "tcp://serveris:prievadas"; with a path after them, the port can be mistyped.
    (
        lazy(r"(?<=://)(?!localhost:)([^\W\d_]{1,60}):(?!\1\Z)[^\W\d_]{2,60}\Z"),
        "the host is a word, as the port is",
    ),
    # Programs read the address of a person into it: "mailto:%w%W".
    (lazy(r"(?<=\Amailto:)(?:%[A-Za-z])+\Z"), "there is nothing but conversions"),
)
"""Expressions of what is to be filled in, wherever in a URL it is, each with its reason."""
OPTIONAL = lazy(r"(?<!//)\[\[?(?:[/?&#,@.=]|-(?!\d)|:(?!:))|\[(?:[/?&#,@=]\w|\.\.)")
"""The beginning of an optional part, with the sign that would join it: ``slice://start[-end]``,
also ``unix://[/path]``; or of one that is left out: ``file://[..]``. But ``http://[:1]`` is an
invalid address, and ``a[-1]`` an index."""
# One word, words that describe it, or a name and its types: "[your host]", "[id:int]", and Drupal's
# "[date:custom:Y-m]"; or a name in capitals and its default: "[PORT:8096]", of templates of Unraid.
BRACKETED = lazy(
    r"\[(?:[A-Z]{3,20}:[0-9]{1,5}"
    r"|[^\W\d][\w.\-]{0,59}(?:(?::[^\W\d][\w\-]{0,59}){1,3}|(?: [\w\-]{1,30}){0,5}))\]"
)
"""A name in brackets, which is a placeholder if it is all of a component, see ``in_brackets``."""
# A delimiter of URIs, or the end, follows a component.
_AFTER = frozenset(["", *":/?#&@."])
_JOINED = frozenset("_-[")  # and that, outside of queries, whose keys have brackets


def in_brackets(text: str, at: int, linked: bool) -> tuple[int, int] | None:
    """The span of a name in brackets at an offset, if it is all of a component."""
    word = BRACKETED.match(text, at)
    if word is None:
        return None
    in_query = "?" in text[:at]
    before = "/:@~" if linked and in_query else "/:@~=" if in_query else "/:@~=_.-]"
    after = text[word.end() : word.end() + 1]
    ends = after in _AFTER or (after in _JOINED and not in_query)
    return word.span() if text[at - 1] in before and ends else None
