r"""XML in all its vocabularies: attributes, namespaces, elements that hold a URL, text, comments.

Owns which attributes and elements are references. Imports ``find._markup`` and ``find._inside``.
Invariant: a value is judged as a whole only if its name or its form says that it is one URL;
entities of a DTD are holes, because their text is not known.

>>> text = '<url><loc>http://a/?b&amp;c d</loc></url>'
>>> [(found.text, found.start, found.end) for found in find(text, "sitemap.xml")]
[('http://a/?b&c d', 10, 29)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...mistakes.placeholders import filled, holes
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, found_in, prose_in, unfilled
from ._markup import (
    SCHEME,
    TAG_REST,
    Anchored,
    after,
    attributes,
    in_statement,
    lone_url,
    names,
    xml_value,
)

SUFFIXES = (
    *(".xml", ".svg", ".rss", ".atom", ".xsl", ".xslt", ".xsd", ".wsdl", ".wadl", ".dtd", ".ent"),
    *(".pom", ".plist", ".opml", ".xliff", ".xlf", ".ui", ".glade", ".qrc", ".rng", ".sch"),
    *(".csproj", ".vbproj", ".fsproj", ".vcxproj", ".props", ".targets", ".nuspec", ".resx"),
    *(".xaml", ".axaml", ".wxs", ".wxl", ".rdf", ".owl", ".kml", ".gpx", ".gml", ".xmp", ".xbl"),
    *(".dita", ".ditamap", ".docbook", ".dbk", ".fo", ".mml", ".mathml", ".opf", ".ncx", ".tei"),
    *(".jnlp", ".xul", ".fxml", ".storyboard", ".xib", ".iml", ".xspf", ".tmx", ".xrds", ".page"),
    *(".sitemap", ".metalink", ".meta4", ".dae", ".x3d", ".xcs"),
    *(".xacml", ".bpmn", ".dmn", ".musicxml", ".ttml", ".smil", ".classpath"),
)  # fmt: skip
NAMES = ("web.config", "app.config", "nuget.config", "packages.config")
ANCHORS = ("://", "href")
PROFILES = (
    Profile(
        "iri",
        "references, system identifiers, elements and text",
        "XML Schema Part 2 §3.2.17 (anyURI), XLink 1.1 §5.4, XML 1.0 §4.2.2, RFC 4287 §2 (Atom)",
    ),
    Profile("uri", "names of namespaces", "Namespaces in XML 1.0 §2.1"),
    Profile("uri", "sitemaps", 'sitemaps.org, "Entity escaping": URLs are escaped'),
)
COMMENTS = dict.fromkeys(("svg", "xml", "xsd", "xsl", "xslt"), Comment("<!--", " -->"))

_WHITE = " \t\r\n"  # XML 1.0 §2.3

# References by the name of the attribute: XLink 1.1 §5.4, XInclude §3.1, XSLT §3.13, Atom §2,
# XML Base, RDF/XML §2.14, Namespaces in XML §2.2, OPML 2.0.
_REFERENCES = names("href xlink:href xml:base xmlurl htmlurl rdf:resource rdf:about rdf:datatype")
# Pairs of a namespace and the address of its schema (XML Schema Part 1 §2.6.3).
_LISTS = ("schemalocation",)
# Elements whose text is one URL, including spaces, if it starts with a scheme: sitemaps, RSS,
# Atom, Maven, AppStream, NuGet, OAI, property lists of feeds and of software descriptions.
_ELEMENTS = names(
    "loc link guid url uri href icon logo docs comments homepage website web wiki id source"
    " projecturl licenseurl iconurl image downloadurl repositoryurl packageprojecturl"
    " bugtracker bug-database download-page mailing-list service doap:homepage ulink"
    " image:loc video:content_loc video:thumbnail_loc video:player_loc baseurl base_url"
    " repository feedburner:origlink wfw:commentrss itunes:image endpoint connection"
)
# Elements whose text is HTML, escaped or in a CDATA section (RSS 2.0, Atom §3.1.1).
_HTML = names("description content summary content:encoded rights subtitle title")
# Lookalikes of URLs in these are expressions.
_EXPRESSIONS = names("match select test pattern regex regexp expr expression filter xpath")

_MARK = lazy(
    r"<(?:(?P<comment>!--)|(?P<cdata>!\[CDATA\[)|(?P<doctype>!DOCTYPE)|(?P<entity>!ENTITY)"
    r"|(?P<other>[!?%])"
    rf"|(?P<tag>[A-Za-z_][^\s/><=\"'{{}}]*+)(?P<rest>(?:(?=[\s/]){TAG_REST})?+)>?+)"
)
_CLOSERS = {"<!--": "-->", "<?": "?>"}
_SITEMAP = lazy(r"<(?:urlset|sitemapindex)[\s>]")
_HEAD = 4_000  # code points in which a document begins with its root element: a license can precede
_LINKS = lazy(r"\b(?:linkend|href|url)\s*=")
_CLOSER = lazy(r"</?[A-Za-z_:][^<>]*+>")
_LITERAL = lazy(r"\"([^\"<>]*+)\"|'([^'<>]*+)'")
_CODE = lazy(r"[\"'`\\^*|;,<>()]")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of an XML document, in text order. Cost: O(n)."""
    if _SITEMAP.search(text, 0, _HEAD) is None:
        yield from _found(text)
        return
    for one in _found(text):
        yield one._replace(profile="uri") if one.linked else one


def _found(text: str) -> Iterator[Found]:
    """The URLs of a document of any vocabulary."""
    document = _Document(text)
    templates = "{%" in text or "{{" in text
    at = 0
    element = ""
    while (match := _MARK.search(text, at)) is not None:
        first, last = match.span()
        if document.anchored(at, first):
            yield from document.text_run(element, at, first)
        kind = match.lastgroup
        at = last
        element = ""
        if kind == "rest":
            start, end = match.span("rest")
            if end == last or (templates and in_statement(text, first)):  # no tag, or cut off
                yield from document.text_run("", first, last)
                continue
            if start < end:
                yield from document.tag(match["tag"], start, end)
            # Elements that link by an attribute have text, not a URL (DocBook, Atom).
            if text[last - 2] != "/" and not _LINKS.search(text, start, end):
                element = match["tag"].lower()
        elif kind == "cdata":
            at = after(text, "]]>", last)
            end = at - 3 if text.endswith("]]>", last, at) else at
            yield from document.cdata(last, end)
        elif kind in {"doctype", "entity"}:
            at = _past_literals(text, last)
            yield from document.identifiers(last, at, kind)
        else:
            at = after(text, _CLOSERS.get(match[0], ">"), last)
            why = "comment" if kind == "comment" else "markup"
            yield from document.prose(Part(text[last:at], last, at), why)
    yield from document.text_run(element, at, len(text))


_DECLARATION_END = lazy(r"(?:[^\"'<>\[]++|\"[^\"<>]*+\"|'[^'<>]*+'|[\"'])*+")


def _past_literals(text: str, at: int) -> int:
    """The end of a declaration, or the start of its internal subset: quotes can hold a closer."""
    match = _DECLARATION_END.match(text, at)
    return match.end() if match else at


class _Document(Anchored):
    """One document."""

    def tag(self, tag: str, start: int, end: int) -> Iterator[Found]:
        """URLs in the attributes of a tag."""
        text = self._text
        if not self.anchored(start, end) and text.find("href", start, end) < 0:
            return
        for name, first, last in attributes(text, start, end):
            local = name.rpartition(":")[2]
            if name in _REFERENCES:
                yield from _reference(_value(text, first, last), f"<{tag} {name}>")
            elif text.find("://", first, last) < 0 or local in _EXPRESSIONS:
                continue
            elif local in _LISTS:
                part = xml_value(text, first, last)
                for match in re.finditer(r"\S+", part.text):
                    yield from _reference(part.cut(*match.span()), f"<{tag} {name}>")
            elif name.partition(":")[0] == "xmlns":
                for one in _reference(_value(text, first, last), f"namespace {name}"):
                    yield one._replace(profile="uri")
            else:
                part = _value(text, first, last)
                yield from self._one_or_prose(part, local in _ELEMENTS, f"<{tag} {name}>")

    def text_run(self, element: str, start: int, end: int) -> Iterator[Found]:
        """URLs in text; ``element`` is the one whose start tag comes right before, or none."""
        for first, last in self.runs(_CLOSER, start, end):
            yield from self._run(element if first == start else "", first, last)

    def _run(self, element: str, start: int, end: int) -> Iterator[Found]:
        if element.rpartition(":")[2] in _EXPRESSIONS:
            return
        part = xml_value(self._text, start, end)
        if element in _HTML and "<" in part.text:
            yield from found_in(part, "a.html", f"<{element}>", "html")
        elif element:
            named = element in _ELEMENTS or element.endswith(("url", "uri"))
            yield from self._one_or_prose(part.stripped(_WHITE), named, f"<{element}>")
        else:
            yield from self.prose(part, "text")

    def _one_or_prose(self, part: Part, named: bool, why: str) -> Iterator[Found]:
        """A value that is one URL by the name of what holds it, or by its looks; else prose."""
        text = part.text
        match = SCHEME.match(text)
        if text.startswith("pack://"):  # in XAML; its commas are not a port, but .NET needs them
            return
        if match is None or text.find("://", match.end()) >= 0:
            yield from self.prose(part, why)
            return
        sole = lone_url(filled(text, holes(text, "xml"))) and not _CODE.search(text)
        if sole or (named and "<" not in text and "\n" not in text):
            yield from unfilled(part, "xml", "html", why, "URI")
        else:
            yield from self.prose(part, why)

    def prose(self, part: Part, why: str) -> Iterator[Found]:
        if "://" in part.text:
            yield from prose_in(part, why, "html")

    def cdata(self, start: int, end: int) -> Iterator[Found]:
        """URLs in a CDATA section: one URL, HTML, or text; nothing in it is escaped."""
        if not self.anchored(start, end):
            return
        part = Part(self._text[start:end], start, end).stripped(_WHITE)
        if lone_url(part.text) and not _CODE.search(part.text):
            yield from unfilled(part, "xml", "plain", "CDATA section", "URI")
        elif "</" in part.text or "/>" in part.text:
            yield from found_in(part, "a.html", "CDATA section")
        else:
            yield from prose_in(part, "CDATA section")

    def identifiers(self, start: int, end: int, what: str) -> Iterator[Found]:
        """System identifiers, in quotes (XML 1.0 §4.2.2); of public ones none has "://"."""
        if not self.anchored(start, end):
            return
        for match in _LITERAL.finditer(self._text, start, end):
            first, last = match.span(match.lastindex or 1)
            part = Part(self._text[first:last], first, last)
            if lone_url(part.text):
                yield from unfilled(part, "xml", "plain", f"system identifier, {what}", "URI")
            else:
                yield from self.prose(part, what)


def _value(text: str, first: int, last: int) -> Part:
    return xml_value(text, first, last).stripped(_WHITE)


def _reference(part: Part, why: str) -> Iterator[Found]:
    """A value that is a reference, unless it is empty, all template, or a program."""
    if not part.text[:11].lower().startswith("javascript:"):
        yield from unfilled(part, "xml", "html", why)
