r"""HTML, and the templates that make it: attributes, style sheets, scripts, text and comments.

Owns which attributes of HTML hold URLs, and how (HTML Standard §13, table of attributes). Imports
``find._markup`` and ``find._inside``. Invariant: what an attribute holds, white space at its ends
left out, is the URL, with the spaces in it; nothing is found in a value that a script makes.

>>> text = '<a href=" http://a/?b&amp;c d">see http://b/.</a>'
>>> [(found.text, found.start, found.end) for found in find(text, "a.html")]
[('http://a/?b&c d', 10, 29), ('http://b/', 35, 44)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...mistakes.placeholders import filled, holes
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, found_in, prose_in, unfilled, value
from ._markup import (
    SCHEME,
    TAG_REST,
    Anchored,
    after,
    attribute_value,
    attributes,
    character_data,
    in_statement,
    lone_url,
    names,
)

SUFFIXES = (
    *(".html", ".htm", ".xhtml", ".xht", ".shtml", ".html5", ".bs", ".vue", ".svelte", ".astro"),
    *(".hbs", ".handlebars", ".mustache", ".j2", ".jinja", ".jinja2", ".njk", ".twig", ".liquid"),
    *(".erb", ".rhtml", ".ejs", ".eta", ".jsp", ".jspx", ".jspf", ".tag", ".aspx", ".ascx"),
    *(".cshtml", ".razor", ".ftl", ".ftlh", ".gohtml", ".tmpl.html", ".marko", ".hta", ".tt2"),
)
NAMES: tuple[str, ...] = ()
ANCHORS = ("=", "://")
PROFILES = (
    Profile(
        "iri",
        "attributes and text",
        "HTML §2.4.1, which takes the URL strings of the URL Standard §4.3",
    ),
)
COMMENTS = dict.fromkeys(("htm", "html", "svelte", "vue", "xhtml"), Comment("<!--", " -->"))

_WHITE = " \t\n\r\f"  # ASCII whitespace (Infra Standard §4.6)

# The following is data from the table of attributes of the HTML Standard, with the
# obsolete ones (§16.2), those of SVG, and those of libraries that hold a plain URL.
_URL: dict[str, frozenset[str]] = {  # with the tags that have it; without, all
    "href": names(""),
    "src": names(""),
    "xlink:href": names(""),
    "ng-href": names(""),
    "ng-src": names(""),
    "itemid": names(""),
    "action": names("form"),
    "formaction": names("button input"),
    "cite": names("blockquote q del ins"),
    "poster": names("video"),
    "background": names("body table td th tr"),
    "longdesc": names("img frame iframe"),
    "manifest": names("html"),
    "data": names("object"),
    "lowsrc": names("img"),
    "dynsrc": names("img"),
}
_OF_UIDS = "xref"  # the tag of DocFX whose href is a name in code: "System.Func`1?text=Func"
_URLS = frozenset(("ping", "itemtype", "archive", "profile"))  # separated by white space
_CANDIDATES = frozenset(("srcset", "imagesrcset", "data-srcset", "ng-srcset"))
_META = names(
    "og:url og:image og:image:url og:image:secure_url og:video og:video:url og:audio og:audio:url"
    " twitter:url twitter:image twitter:image:src twitter:player msapplication-tileimage"
    " msapplication-starturl msapplication-config canonical al:web:url thumbnail"
)
# Nothing in it is to be undone, left out or filled in: most values are so.
_QUIET = lazy(r"(?:[a-z]++://)?+[^\s&{<\[%@$*…:_]++")
_NOT_A_URL = ("javascript:", "vbscript:", "livescript:")

# Everything that begins with "<" and matters: a tag with attributes, the start of an element that
# is read differently, or a comment. Other tags, and those with only common attributes that hold no
# URL, are skipped with the text between them.
_DULL = (
    r"(?:\s++(?:(?!(?i:" + "|".join(sorted({*_URL, *_URLS, *_CANDIDATES})) + r"|content|srcdoc"
    r"|style)\s*+=)[A-Za-z][-\w]*+=(?:\"[^\":{<>]*+\"|[-\w%]++(?=[\s>]))"
    r"|style=\"[^\"(){<>/]*+\"))*+\s*+/?>"
)
_MARK = lazy(
    rf"<(?:(?P<tag>[A-Za-z][^\s/><=\"'{{}}]*+)(?=[\s/])(?!{_DULL})(?P<rest>{TAG_REST})>?+"
    r"|(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<doctype>!)|(?P<other>[%?])"
    r"|(?P<raw>(?i:script|style|textarea|title|xmp|noembed|iframe))(?=[\s/>])(?P<rawrest>[^<>]*+)>)"
)
_CLOSERS = {"<!--": "-->", "<![CDATA[": "]]>", "<%": "%>", "<?": "?>"}
_RAW = names("script style textarea title xmp noembed iframe")
_TAGS = lazy(r"<[^<>]*+>")
_TEMPLATED = names(
    "text/html text/template text/x-template text/ng-template text/x-handlebars"
    " text/x-handlebars-template text/x-jquery-tmpl x-tmpl-mustache"
)


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a page, or of a template of one, in text order. Cost: O(n)."""
    pages = _Pages(text)
    templates = "{%" in text or "{{" in text
    at = 0
    while (match := _MARK.search(text, at)) is not None:
        first, last = match.span()
        if pages.anchored(at, first):
            yield from pages.prose(at, first)
        kind = match.lastgroup
        at = last
        if kind in {"rest", "rawrest"}:
            start, end = match.span(kind)
            tag = (match["tag"] or match["raw"]).lower()
            if end == last or (templates and in_statement(text, first)):
                yield from pages.prose(first, last)  # no tag, or the file is cut off
                continue
            yield from pages.tag(tag, start, end)
            if tag in _RAW:
                end = pages.closer(tag, last)
                yield from pages.raw(tag, text[start : last - 1], last, end)
                at = end
        else:
            at = after(text, _CLOSERS.get(match[0], ">"), last)
            yield from pages.plain(last, at, "DOCTYPE" if kind == "doctype" else "comment")
    yield from pages.prose(at, len(text))


class _Pages(Anchored):
    """One page."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._closers: dict[str, list[int]] = {}

    def closer(self, name: str, at: int) -> int:
        """The start of the end tag of an element of raw text (HTML Standard §13.2.5.15)."""
        known = self._closers.get(name)
        if known is None:
            pattern = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
            known = [match.start() for match in pattern.finditer(self._text)]
            known.reverse()
            self._closers[name] = known
        while known and known[-1] < at:
            known.pop()
        return known[-1] if known else len(self._text)

    def prose(self, start: int, end: int) -> Iterator[Found]:
        """URLs in text between tags; simple tags can be in it."""
        for first, last in self.runs(_TAGS, start, end):
            part = character_data(self._text, first, last)
            for found in value(part, "html", "text", remarks=True):
                yield found._replace(linked=False)

    def plain(self, start: int, end: int, why: str) -> Iterator[Found]:
        """URLs in places that HTML does not decode."""
        if self.anchored(start, end):
            yield from prose_in(Part(self._text[start:end], start, end), why)

    def raw(self, element: str, rest: str, start: int, end: int) -> Iterator[Found]:
        """URLs in an element whose text has no tags."""
        part = Part(self._text[start:end], start, end)
        if element == "style":
            yield from found_in(part, _language(rest, "style.css"), "style sheet")
        elif element == "script":
            yield from self._script(part, rest)
        elif self._text.find("://", start, end) >= 0:
            if element in {"textarea", "title"}:
                part = character_data(self._text, start, end)
            yield from prose_in(part, f"<{element}>")

    def _script(self, part: Part, rest: str) -> Iterator[Found]:
        types = (rest[a:b] for name, a, b in attributes(rest, 0, len(rest)) if name == "type")
        kind = next(types, "").strip().lower()
        if kind in _TEMPLATED:
            yield from found_in(part, "template.html", f"<script type={kind}>")
        elif kind.endswith(("json", "importmap", "speculationrules")):
            yield from found_in(part, "data.json", "JSON")
        elif "://" in part.text:
            yield from found_in(part, _language(rest, "script.js"), "script")

    def tag(self, tag: str, start: int, end: int) -> Iterator[Found]:
        """URLs in the attributes of a tag."""
        text = self._text
        for name, first, last in attributes(text, start, end):
            tags = _URL.get(name)
            if tags is not None and (not tags or tag in tags) and tag != _OF_UIDS:
                if _QUIET.fullmatch(text, first, last):
                    why = f"<{tag} {name}>"
                    value = text[first:last]
                    yield Found(first, last, value, "URI-reference", True, escape="html", why=why)
                    continue
                part = attribute_value(text, first, last).stripped(_WHITE)
                yield from _reference(part, f"<{tag} {name}>")
            elif name == "style":
                part = attribute_value(text, first, last)
                if "(" in part.text:
                    yield from found_in(part, "style.css", f"<{tag} style>", "html")
            elif name in _URLS or name in _CANDIDATES:
                part = attribute_value(text, first, last)
                yield from _several(part, name in _CANDIDATES, f"<{tag} {name}>")
            elif name == "content" and tag == "meta":
                yield from self._meta(start, end, attribute_value(text, first, last))
            elif name == "srcdoc":
                yield from found_in(attribute_value(text, first, last), "a.html", "srcdoc", "html")
            elif text.find("://", first, last) >= 0:
                part = attribute_value(text, first, last).stripped(_WHITE)
                yield from _other(part, f"<{tag} {name}>")

    def _meta(self, start: int, end: int, part: Part) -> Iterator[Found]:
        """The meaning of the content of a ``meta``, by another attribute of it."""
        text = self._text
        what = ""
        for name, first, last in attributes(text, start, end):
            if name in {"property", "name", "http-equiv", "itemprop"}:
                what = text[first:last].strip().lower()
        if what == "refresh":
            # HTML Standard §4.2.5.3: a time, then ";" or ",", then "url=" and perhaps a quote.
            match = _REFRESH.match(part.text)
            if match:
                last = len(part.text.rstrip())
                if match["quote"] and last > match.end() and part.text[last - 1] == match["quote"]:
                    last -= 1
                address = part.cut(match.end(), max(last, match.end())).stripped(_WHITE)
                yield from _reference(address, "<meta refresh>")
        elif what in _META or what in {"url", "image"}:
            yield from _reference(part.stripped(_WHITE), f"<meta {what}>", "URI-reference")
        elif "://" in part.text:
            yield from _other(part.stripped(_WHITE), "<meta content>")


_REFRESH = lazy(r"\s*+[\d.]*+\s*+[;,]?+\s*+url\s*+=\s*+(?P<quote>[\"']?)", re.IGNORECASE)
_LANG = lazy(r"\blang\s*=\s*[\"']?(ts|tsx|scss|sass|less|coffee|stylus)\b")


def _language(rest: str, name: str) -> str:
    """A file name for the contents of an element that names its language."""
    match = _LANG.search(rest)
    return f"{name.partition('.')[0]}.{match[1]}" if match else name


def _reference(part: Part, why: str, rule: str = "URI-reference") -> Iterator[Found]:
    """A value that is a reference, unless it is empty, all template, or a program."""
    text = part.text
    if not text[:11].lower().startswith(_NOT_A_URL) and not _RAZOR.match(text):
        yield from unfilled(part, "markup", "html", why, rule)


def _several(part: Part, candidates: bool, why: str) -> Iterator[Found]:
    """A value that holds URLs between white space, or the candidates of an image set: each a URL,
    then a descriptor up to a comma (HTML Standard §4.8.4.2.1)."""
    text = part.text
    spans = holes(text, "markup")
    plain = filled(text, spans)
    pattern = _CANDIDATE if candidates else _WORD
    for match in pattern.finditer(plain):
        first, last = match.span(1)
        if candidates:
            last = first + len(plain[first:last].rstrip(","))
        if last > first:
            yield from _reference(part.cut(first, last), why)


# An expression of Razor: in href="@Assets["app.css"]", the quote ends the attribute for HTML, and
# not for Razor, which reads the page first. One without brackets ("@Model.Url") is a path to both.
_RAZOR = lazy(r"~?@[A-Za-z_][\w.]*+[\[(]")
_WORD = lazy(r"(\S+)")
_CANDIDATE = lazy(r"[\s,]*+(\S*+)(?:(?<=,)|(?:[^,(]++|\([^)]*+\)?+)*+)")


def _other(part: Part, why: str) -> Iterator[Found]:
    """A value of any attribute: one URL by its looks, or a text that has some."""
    text = part.text
    plain = filled(text, holes(text, "markup"))
    if SCHEME.match(text) and lone_url(plain) and not _CODE.search(text):
        yield from unfilled(part, "markup", "html", why, "URI")
    else:
        yield from prose_in(part, why, "html")


_CODE = lazy(r"[\"'`\\^*|;,<>]|:/{2}.*:/{2}")


def _escaped(text: str) -> str:
    """In an attribute or in character data (HTML Standard §13.1.2.3, XML 1.0 §2.4)."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text.replace("'", "&#39;")


ESCAPES = {"html": _escaped}
