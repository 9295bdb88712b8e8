"""The parameters of one operation: in the path, the query, the headers and the cookies.

Owns ``Operation``. Imports the reader of queries and the reader of OpenAPI documents. Invariant:
each location is read from its own raw text, and every violation has its offsets in that text.

How it works. ``/pets/{id}`` and ``/pets/7`` are divided at "/", segment by segment; the text in the
place of ``{id}`` is split by its style, then decoded. A cookie is a name, an equals sign and a
value, like a piece of a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from ..arguments import iterables, limits, strings, strings_or_none, wrong
from ..grammar import registry
from ..grammar.compile.shapes import separators
from ..limits import LARGEST_READ_BODY
from ..percent.characters import DOTS, characters, octet
from ..percent.clients import PARTS, Clients
from ..percent.decode import read
from ..percent.encode import encode
from .body import RequestBody
from .document import DocumentProblem, declared
from .form import Querystring
from .parameter import Parameter
from .query import Names, QuerySpec, read_pieces, split
from .reading import OWS, REQUIRED, Place, Reading
from .styles import Span
from .values import (
    MOST,
    InvalidParameters,
    Location,
    OperationReport,
    ParameterReport,
    ParameterViolation,
)

Headers = Mapping[str, str] | Iterable[tuple[str, str]]


class Operation:
    """The allowed parameters of a request to one path, by one method.

    ``problems`` holds the problems of parameters that cannot be read, with their places; those
    parameters are left out. See ``from_openapi``. ``strict``, ``clients`` and ``undeclared``
    are those of ``QuerySpec``; ``clients`` also concerns the path and form data, ``undeclared``
    only the query.

    Control characters in headers and cookies are violations (RFC 9110 §5.5), and so is a parameter
    that makes its segment of the path ``.`` or ``..``, however it is encoded: such a segment means
    another path (RFC 3986 §5.2.4, §6.2.2.3).
    """

    def __init__(
        self,
        path: str,
        parameters: Iterable[Parameter],
        *,
        strict: bool = False,
        undeclared: str = "ignore",
        querystring: Querystring | None = None,
        body: RequestBody | None = None,
        clients: Clients = "rfc",
        problems: tuple[DocumentProblem, ...] = (),
    ) -> None:
        strings(path=path)
        self.path = path
        self.body = body
        self.parameters: tuple[Parameter, ...] = tuple(parameters)
        self.strict = strict
        self.problems = problems
        self.clients: Clients = clients
        options: dict[str, Any] = {"strict": strict, "undeclared": undeclared, "clients": clients}
        self._query: QuerySpec | Querystring = QuerySpec(*self._in("query"), **options)
        if querystring is not None:
            self._query = querystring.as_in(**options)
        self._template = _Template(path, self._in("path"))
        self._headers = self._in("header")
        self._cookies = Names(self._in("cookie"))

    @classmethod
    def from_openapi(
        cls,
        document: Mapping[str, Any],
        path: str,
        method: str,
        *,
        strict: bool = False,
        undeclared: str = "ignore",
        clients: Clients = "rfc",
        undefined: str = "raise",
    ) -> Operation:
        """The requests that an OpenAPI document, 3.0 to 3.2 or 2.0, declares for an operation.

        ``path`` as the document spells it, such as ``/pets/{id}``. References within the document
        are followed; others are an error, because nothing is fetched. Wrong declarations, and
        combinations of style, type and ``explode`` that OpenAPI leaves undefined, raise
        InvalidDocument, all at once and each with its JSON pointer; with ``undefined="skip"`` such
        parameters, and fields of forms, are left out and listed in ``problems``. Of bodies, JSON
        and application/x-www-form-urlencoded are read; others, such as multipart/form-data, pass
        unread.

        Errors: InvalidDocument; LookupError for an unknown path or method, with near names;
        TypeError; ImportError, if a schema needs a library. Cost: O(size of the operation). Spec:
        OpenAPI 3.1.1 §4.8.12, §4.8.9.

        >>> pets = {"openapi": "3.1.1", "paths": {"/pets/{id}": {"get": {"parameters": [
        ...     {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
        ...     {"name": "tags", "in": "query", "explode": False,
        ...      "schema": {"type": "array", "items": {"type": "string"}}}]}}}}
        >>> operation = Operation.from_openapi(pets, "/pets/{id}", "get")
        >>> operation.check(path="/pets/7", query="tags=a,b%2Cc").values
        {'path': {'id': 7}, 'query': {'tags': ['a', 'b,c']}}
        >>> print(operation.check(path="/pets/7x", query=""))
        6-8 path parameter "id": expected an integer
        """
        found = declared(document, path, method, undefined)
        options: dict[str, Any] = {"strict": strict, "undeclared": undeclared, "clients": clients}
        return cls(path, **options, **found._asdict())

    def at(self, path: str) -> Operation:
        """The same operation with another template: at the address of a server, for instance."""
        made = copy(self)
        made.path, made._template = path, _Template(path, self._in("path"))
        return made

    def _in(self, location: Location) -> tuple[Parameter, ...]:
        return tuple([p for p in self.parameters if p.location == location])

    def check(
        self,
        *,
        path: str | None = None,
        query: str | None = None,
        headers: Headers | None = None,
        cookie: str | None = None,
        body: bytes | None = None,
        content_type: str | None = None,
        max_violations: int | None = MOST,
        max_body: int | None = LARGEST_READ_BODY,
    ) -> OperationReport:
        """The values of a request, and the violations of its parameters and its body.

        All texts are raw: ``path`` as it was sent, below the address of the server; ``query``
        without the question mark; ``headers`` as a mapping or as pairs; ``cookie`` the value of the
        Cookie header, by default taken from ``headers``; ``body`` the octets of the body, empty if
        there are none, and ``content_type`` the value of that header, by default taken from
        ``headers``. A part that is None is not read, nor is a body that no operation declares. Of a
        body that is not JSON, only the media type is checked, so that its first octets
        are enough. In each location, violations beyond ``max_violations`` are counted in ``more``;
        a body that is read has at most ``max_body`` octets. Never raises on text. Cost: O(n).
        """
        strings_or_none(path=path, query=query, cookie=cookie, content_type=content_type)
        limits(max_violations=max_violations, max_body=max_body)
        if not isinstance(body, bytes | None):
            raise wrong("body", body, "the octets of a body", "encode a text")
        fields = None if headers is None else _fields(headers)
        if cookie is None and fields is not None:
            cookie = "; ".join(fields.get("cookie", []))
        if content_type is None and fields is not None and "content-type" in fields:
            content_type = ", ".join(fields["content-type"])
        return OperationReport(
            None if path is None else self._check_path(path, max_violations),
            None if query is None else self._query.check(query, max_violations=max_violations),
            None if fields is None else self._check_headers(fields, max_violations),
            None if cookie is None else self._check_cookie(cookie, max_violations),
            None
            if body is None or self.body is None
            else self.body.check(body, content_type, max_violations, max_body, self.clients),
        )

    def require(
        self,
        *,
        path: str | None = None,
        query: str | None = None,
        headers: Headers | None = None,
        cookie: str | None = None,
        body: bytes | None = None,
        content_type: str | None = None,
    ) -> dict[str, Any]:
        """The values, by location and name, and the value of the body.

        Errors: InvalidParameters, with all that is wrong.
        """
        report = self.check(
            path=path,
            query=query,
            headers=headers,
            cookie=cookie,
            body=body,
            content_type=content_type,
        )
        if not report.ok:
            raise InvalidParameters(report)
        return report.values

    def _check_path(self, path: str, most: int | None) -> ParameterReport:
        report = self._template.check(Place("path", path, self.strict, [], most, self.clients))
        by_rfc = registry.load(PARTS["rfc"])
        if self.clients == "rfc" or not report.ok or by_rfc.matcher("path-abempty")(path):
            return report
        advised = Place("path", path, self.strict, [], most)
        advised.explain(by_rfc.name, "path-abempty", ("", (0, len(path))))
        return replace(report, advice=advised.report({}).violations)

    def _check_headers(self, fields: Mapping[str, list[str]], most: int | None) -> ParameterReport:
        """Each header's offsets are those in its own value, several values joined by a comma."""
        values: dict[str, Any] = {}
        violations: list[ParameterViolation] = []
        texts = []
        for parameter in self._headers:
            given = fields.get(parameter.name.lower())
            text = ", ".join(given or ())
            place = Place("header", text, self.strict, [], most)
            if given is None:
                place.absent(parameter, values)
            elif _is_field(place, parameter.name):
                right, value = _whole(place, parameter, (0, len(text)))
                if right:
                    values[parameter.name] = value
            violations += place.violations
            texts.append(text)
        whole = Place("header", "\n".join(texts), self.strict, violations, most)
        absent = [name for name in values if name.lower() not in fields]
        return whole.report(values, defaults=absent)

    def _check_cookie(self, cookie: str, most: int | None) -> ParameterReport:
        place = Place("cookie", cookie, self.strict, [], most)
        if not _is_field(place, ""):
            return place.report({})
        pair, blank = _separator("rfc6265", "cookie-string"), _SPACE
        spans: list[Span] = []
        for start, end in split(cookie, pair) if cookie else []:
            first = start + (cookie.startswith(blank, start, end) and len(blank))
            spans.append((first, end))
        return read_pieces(place, spans, self._cookies)


_SPACE = " "  # SP, after the separator of cookies (RFC 6265 §4.2.1)


@cache
def _separator(grammar: str, rule: str) -> str:
    """The one text that separates the repetitions of a rule."""
    (found,) = separators(registry.load(grammar).rule(rule).element)
    return found


def _is_field(place: Place, name: str) -> bool:
    """Whether a field can have this text; characters such as CR, LF and NUL are blamed.

    They must be rejected: RFC 9110 §5.5.
    """
    compiled = registry.load("rfc9110")
    blank = len(place.text) - len(place.text.lstrip(OWS))
    text = place.text.strip(OWS)
    if compiled.matcher("field-value")(text):
        return True
    place.explain(compiled.name, "field-value", (name, (blank, blank + len(text))))
    return False


def _fields(headers: Headers) -> dict[str, list[str]]:
    """The values of each field, its name in lower case (RFC 9110 §5.1)."""
    iterables("pairs of a name and a value, or a mapping", headers=headers)
    found: dict[str, list[str]] = {}
    for pair in headers.items() if isinstance(headers, Mapping) else headers:
        if not (isinstance(pair, tuple | list) and len(pair) == 2):  # noqa: PLR2004 -- a pair
            raise wrong("headers", pair, "pairs of a name and a value", "give tuples of two")
        name, value = pair
        strings(name=name, value=value)
        found.setdefault(name.lower(), []).append(value)
    return found


def _whole(place: Place, parameter: Parameter, span: Span) -> tuple[bool, Any]:
    """The value of a single parameter."""
    reading = Reading(parameter, place)
    if place.strict and parameter.content is None and not reading.follows_style(span):
        return False, None
    items = reading.spans(*span)
    return (False, None) if items is None else reading.value(items, span)


class _Segment(NamedTuple):
    """A segment of a template: its text, the text around its parameters, and these."""

    written: str
    literals: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    def spans(self, text: str, span: Span) -> list[Span] | None:
        """The places of the parameters, each as short as possible; None if the segment differs."""
        own, places = _units(text[slice(*span)])
        found = between(own, self.literals)
        return found and [
            (span[0] + places[first], span[0] + places[last]) for first, last in found
        ]


def between(text: str, literals: Sequence[str]) -> list[Span] | None:
    """The spans between literals, each as short as possible; None if the text differs.

    >>> between("a-b.json", ["", "-", ".json"])
    [(0, 1), (2, 3)]
    """
    begin, *inner, end = literals
    start, stop = len(begin), len(text) - len(end)
    if stop < start or not (text.startswith(begin) and text.endswith(end)):
        return None
    found: list[Span] = []
    for literal in inner:
        at = text.find(literal, start, stop)
        if at < 0:
            return None
        found.append((start, at))
        start = at + len(literal)
    return [*found, (start, stop)]


_OCTETS = 0xF0000  # private-use characters for octets that do not stand for a character


def _units(text: str) -> tuple[str, Sequence[int]]:
    """One character for each decoded one, and their start offsets, with the end of the text.

    An escape of an unreserved character is that character (RFC 3986 §6.2.2.2); another stays one.
    """
    if _ESCAPE not in text:
        return text, range(len(text) + 1)
    units, places, at = [], [], 0
    while at < len(text):
        places.append(at)
        is_escape = text[at] == _ESCAPE
        value = octet(text[at : at + 3]) if is_escape else None
        meant = text[at] if value is None else chr(value)
        is_octet = is_escape and meant not in characters("unreserved")
        units.append(chr(_OCTETS + ord(meant)) if is_octet else meant)
        at += 1 if value is None else 3
    return "".join(units), [*places, len(text)]


class _Template:
    """The path of an operation, with its parameters in braces."""

    def __init__(self, path: str, parameters: tuple[Parameter, ...]) -> None:
        named = {parameter.name: parameter for parameter in parameters}
        self._segments = [_segment(text, named) for text in path.split(slash())]

    def check(self, place: Place) -> ParameterReport:
        path, compiled = place.text, registry.load(PARTS[place.clients])
        if not compiled.matcher("path-abempty")(path):
            place.explain(compiled.name, "path-abempty", ("", (0, len(path))))
            return place.report({})
        spans = split(path, slash())
        if len(spans) != len(self._segments):
            words = (
                f"the path has {len(spans) - 1} segments, its template {len(self._segments) - 1}"
            )
            place.blame("", (0, len(path)), "path-template", words)
            return place.report({})
        values: dict[str, Any] = {}
        for segment, span in zip(self._segments, spans, strict=True):
            self._read(place, segment, span, values)
        return place.report(values)

    def _read(self, place: Place, segment: _Segment, span: Span, values: dict[str, Any]) -> None:
        if not segment.parameters:
            if not _same(place.text[slice(*span)], segment.written):
                place.blame("", span, "path-template", f'the template has "{segment.written}" here')
            return
        found = segment.spans(place.text, span)
        if place.spelled(place.text[slice(*span)]) in DOTS:
            name = segment.parameters[0].name
            words = "this segment means another path: remove it, or send another value"
            place.blame(name, span, "path-template", words, "RFC 3986 §6.2.2.3")
            return
        if found is None:
            words = f'the segment is not of the form "{segment.written}"'
            place.blame("", span, "path-template", words)
            return
        for parameter, own in zip(segment.parameters, found, strict=True):
            if own[0] == own[1]:
                place.blame(parameter.name, own, "parameter-required", REQUIRED)
                continue
            right, value = _whole(place, parameter, own)
            if right:
                values[parameter.name] = value


def slash() -> str:
    """The separator of the segments of a path (RFC 3986 §3.3)."""
    return _separator("rfc3986", "path-abempty")


_ESCAPE = "%"  # the beginning of an escape (RFC 3986 §2.1)
_EXPRESSION = re.compile(r"\{([^{}]*)\}")


def literals_and_names(segment: str) -> tuple[list[str], list[str]]:
    """The texts around the expressions of a segment of a template, and their names."""
    parts = _EXPRESSION.split(segment)
    return parts[::2], parts[1::2]


def _segment(text: str, named: Mapping[str, Parameter]) -> _Segment:
    literals, names = literals_and_names(text)
    known = tuple([named.get(name) or Parameter(name, location="path") for name in names])
    bare = characters("pchar") | {_ESCAPE}
    written = ["".join(c if c in bare else encode(c) for c in part) for part in literals]
    return _Segment(text, tuple([_units(literal)[0] for literal in written]), known)


def _same(text: str, literal: str) -> bool:
    """Whether a segment is that of the template, an escape and its character being one."""
    if text == literal:
        return True
    try:
        return read(text, "utf-8") == read(literal, "utf-8")
    except UnicodeError:
        return False
