"""A raw query, read as its parameters say, before anything is decoded.

Owns ``QuerySpec``: which piece of the query belongs to which parameter. Imports ``Parameter`` and
the grammar of queries. Invariant: the query is split at its delimiters first, and names and
values are decoded then; every violation has its offsets in the raw query.

How it works. ``ids=1,2&color%5BR%5D=7`` is split at "&" and "="; the names are decoded and looked
up: ``ids`` is an array, ``color[R]`` a property of ``color``. The pieces of each parameter are then
its items (exploded), or its one piece is split by its style.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from ..arguments import limits, strings, wrong
from ..grammar import registry
from ..limits import MOST_LIKENED
from ..percent.clients import PARTS, Clients, known
from ..percent.decode import decode
from ..text.names import did_you_mean
from .parameter import CITED, Parameter
from .reading import Item, Place, Reading
from .styles import Shape, Span, shape
from .values import MOST, InvalidParameters, ParameterReport, ParameterViolation


class QuerySpec:
    """The allowed parameters of a query.

    By default a value can hold everything that RFC 3986 allows in a query except the delimiters of
    its style, a plus sign is a space, and empty pieces (``a=1&&b=2``) are ignored, as clients send
    them. Undeclared parameters are listed, whatever they hold, because advertisers and proxies add
    them to queries. ``undeclared="reject"`` reports them.

    With ``strict``, the whole query must match RFC 3986, in UTF-8, and each parameter is validated
    against the grammar of its style (``uriproof grammar show form-array openapi-styles``), in which
    all but unreserved characters are percent-encoded. With another ``grammar``, the whole query is
    validated against that: a grammar of lists, such as ``key-value``, ``parameters`` or
    ``form-serializer``, which writes form data.

    With ``clients="whatwg"``, the query can also have what browsers and ``fetch`` do not encode:
    ``[ ] { } | ^ ` \\``, and percent signs that begin no escape, which stand for themselves; ``|``
    separates the values of a ``pipeDelimited`` parameter. ``advice`` reports these.

    Errors: ValueError, if two parameters have one name, or if ``clients`` comes with ``strict`` or
    ``grammar``; UnknownGrammar; TypeError.
    Spec: OpenAPI 3.1.1 §4.8.12; RFC 3986 §3.4.

    >>> ids = Parameter("ids", {"type": "array", "items": {"type": "string"}}, explode=False)
    >>> spec = QuerySpec(ids, Parameter("limit", "integer", required=True))
    >>> dict(spec.check("ids=a,b%2Cc&limit=10").values)
    {'ids': ['a', 'b,c'], 'limit': 10}
    >>> print(spec.check("ids=a,b%2Cc&limit=ten"))
    18-21 query parameter "limit": expected an integer
    >>> [(v.name, v.start, v.end) for v in spec.check("ids=a%zz&limit=1").violations]
    [('ids', 5, 6)]
    >>> fetched = QuerySpec(Parameter("q"), clients="whatwg").check("q=100%|[a]")
    >>> fetched.values["q"], [(advice.start, advice.end) for advice in fetched.advice]
    ('100%|[a]', [(5, 6), (6, 8), (9, 10)])
    >>> print(QuerySpec(grammar="key-value").check("a=1&b"))
    5-5 query parameter "b": "=" is missing after the name of a parameter.
    """

    def __init__(
        self,
        *parameters: Parameter,
        strict: bool = False,
        undeclared: str = "ignore",
        grammar: str = PARTS["rfc"],
        clients: Clients = "rfc",
    ) -> None:
        for parameter in parameters:
            if not isinstance(parameter, Parameter) or parameter.location != "query":
                raise wrong("parameters", parameter, "parameters of a query")
        if undeclared not in ("ignore", "reject"):
            raise ValueError(f'undeclared is "ignore" or "reject", not {undeclared!r}')
        strings(grammar=grammar)
        known(clients)
        if clients != "rfc" and (strict or grammar != PARTS["rfc"]):
            other = "strict=True" if strict else f"grammar={grammar!r}"
            raise ValueError(f"clients={clients!r} allows what {other} refuses: pass one of them")
        self.parameters = parameters
        self.strict = strict
        self.clients: Clients = clients
        self._is_loop = grammar == PARTS["rfc"]  # a query is right if its pieces are
        self._grammar = registry.load(PARTS[clients] if self._is_loop else grammar)
        self._rule = "query" if self._is_loop else self._grammar.start
        self.undeclared = undeclared
        self._names = Names(parameters)

    def check(self, query: str, *, max_violations: int | None = MOST) -> ParameterReport:
        """The values of a raw query, without its question mark, and the violations.

        n code points in; violations in the order of the text, those beyond ``max_violations``
        counted in ``more``. Never raises on text. Cost: O(n).
        """
        strings(query=query)
        limits(max_violations=max_violations)
        place = Place("query", query, self.strict, [], max_violations, self.clients)
        spans = split(query, _form().separator) if query else []
        reject, pieces = self.undeclared == "reject", None
        match = self._grammar.matcher(self._rule)
        if not match(query):
            if self._is_loop:
                pieces = match
            else:
                place.explain(self._grammar.name, self._rule, ("", (0, len(query))))
        report = read_pieces(place, spans, self._names, reject, pieces)
        advice = self._advice(place, spans, match)
        return replace(report, advice=advice) if advice else report

    def _advice(
        self, place: Place, spans: list[Span], match: Callable[[str], object]
    ) -> tuple[ParameterViolation, ...]:
        """The violations of RFC 3986 in parameters that are valid for the clients."""
        by_rfc = registry.load(PARTS["rfc"]).matcher("query")
        if self.clients == "rfc" or by_rfc(place.text):
            return ()
        advised = place._replace(violations=[], clients="rfc")
        for span in spans:
            if place.most is not None and len(advised.violations) >= place.most:
                break
            text, name = place.text[slice(*span)], place.text[slice(*_piece(place.text, span).name)]
            if not by_rfc(text) and match(text):
                parameter, _ = self._names.find(place.spelled(name) or "")
                if parameter is not None:
                    advised.explain(PARTS["rfc"], "query", (parameter.name, span))
        return tuple(advised.violations[: place.most])

    def require(self, query: str) -> dict[str, Any]:
        """The values of a raw query. Errors: InvalidParameters, with all that is wrong."""
        report = self.check(query)
        if report.violations:
            raise InvalidParameters(report)
        return dict(report.values)


class Names:
    """Which parameter a decoded name in the text belongs to."""

    def __init__(self, parameters: tuple[Parameter, ...]) -> None:
        self.all = parameters
        self._own: dict[str, Parameter] = {}
        self._deep: dict[str, Parameter] = {}
        self._properties: dict[str, Parameter] = {}
        self._rest: Parameter | None = None  # takes the names that no other does
        for parameter in parameters:
            exploded = parameter.kind == "object" and parameter.explode
            if exploded and parameter.shape.brackets:
                self._add(self._deep, parameter)
                continue
            if exploded:
                self._add_properties(parameter)
            if parameter.types or not exploded:
                self._add(self._own, parameter)

    @staticmethod
    def _add(to: dict[str, Parameter], parameter: Parameter) -> None:
        if parameter.name in to:
            raise ValueError(f"two parameters are named {parameter.name!r}")
        to[parameter.name] = parameter

    def _add_properties(self, parameter: Parameter) -> None:
        """Each name belongs to the first object that has it, or that has any."""
        if self._rest is None:
            for name in parameter.properties:
                self._properties.setdefault(name, parameter)
            if parameter.other_properties is not None:
                self._rest = parameter

    def find(self, name: str) -> tuple[Parameter | None, str | None]:
        """The parameter, and the property of it that the name denotes.

        A deepObject has no such property if the name has other brackets than one pair.
        """
        found = self._own.get(name)
        if found is not None:
            return found, None
        if self._deep:
            base, key = _bracketed(name)
            if base in self._deep:
                return self._deep[base], key
        found = self._properties.get(name, self._rest)
        return found, None if found is None else name

    def nearest(self, raw: str) -> tuple[str, bool]:
        """The name of the parameter that a raw name denotes, or else its decoded form.

        And whether there is such a parameter.
        """
        name = decode(raw, errors="replace")
        parameter = self.find(name)[0]
        return (name, False) if parameter is None else (parameter.name, True)

    def spelled(self) -> list[str]:
        return [parameter.name for parameter in self.all]


def _bracketed(name: str) -> tuple[str, str | None]:
    """``color[R]`` is the property R of color; the brackets are those of deepObject, decoded."""
    deep = shape("deepObject", "object", True)
    if deep is None or deep.brackets is None:  # pragma: no cover -- the grammar has both
        return name, None
    opening, closing = map(decode, deep.brackets)
    base, bracket, rest = name.partition(opening)
    key = rest.removesuffix(closing)
    nested = opening in key or closing in key  # which OpenAPI leaves undefined
    return base, None if not bracket or key == rest or nested else key


def read_pieces(
    place: Place,
    spans: list[Span],
    names: Names,
    reject: bool = False,
    valid: Callable[[str], object] | None = None,
) -> ParameterReport:
    """The parameters in pieces ``name=value`` of a raw text: of a query, or of cookies.

    Violations found before are in ``place``, in order; it is given the names. With ``valid``, each
    piece must be a query by itself. Undeclared pieces are neither decoded nor blamed, unless they
    are rejected, or the query is strict: they are not for this operation. Its clients cannot change
    the cookies that others set.
    """
    lenient = not reject and (not place.strict or place.location == "cookie")
    bad: list[tuple[str, Span]] = []
    given: dict[Parameter, list[_Piece]] = {}
    undeclared: list[tuple[str, str]] = []
    blamed: set[str] = set()
    first = unknown = 0
    found = place.violations
    known = len(found)
    for span in spans:
        piece = _piece(place.text, span)
        last = bisect_right(found, span[1], first, known, key=lambda violation: violation.start)
        raw = place.text[slice(*piece.name)]
        if first < last:
            name, _ = names.nearest(raw)
            found[first:last] = [v._replace(name=name) for v in found[first:last]]
            blamed.add(name)
        elif valid is not None and not valid(place.text[slice(*span)]):
            name, declared = names.nearest(raw)
            if declared or not lenient:
                bad.append((name, span))
                blamed.add(name)
            else:
                undeclared.append(_as_sent(place, piece))
        elif span[0] == span[1]:
            if place.strict:
                place.blame("", span, "parameter-required", "expected a parameter")
        elif (spelled := place.spelled(raw)) is None and lenient:
            undeclared.append(_as_sent(place, piece))
        elif (spelled := spelled or place.decoded("", piece.name)) is not None:
            parameter, key = names.find(spelled)
            if parameter is not None and key is None and spelled != parameter.name:
                words = "OpenAPI does not define how a value within an object is written"
                place.blame(parameter.name, piece.name, "parameter-type", words, CITED)
                blamed.add(parameter.name)
            elif parameter is not None:
                given.setdefault(parameter, []).append(piece._replace(key=key))
            elif reject:
                unknown += 1
                near = did_you_mean(spelled, names.spelled()) if unknown <= MOST_LIKENED else ""
                words = f"nothing declares this parameter{near}"
                place.blame(spelled, piece.name, "parameter-unknown", words)
            elif lenient or place.decoded(spelled, piece.value) is not None:
                undeclared.append(_as_sent(place, piece))
        first = last
    place.explain(PARTS[place.clients], "query", *bad)
    values = _values(place, names, given, blamed)
    found.sort(key=lambda violation: violation[2:4])
    absent = [p.name for p in names.all if p.name in values and p not in given]
    return place.report(values, tuple(undeclared), defaults=absent)


def read_form(place: Place, names: Names, reject: bool) -> ParameterReport:
    """The parameters in form data, of which any text is some. Spec: URL Standard §5.1."""
    spans = split(place.text, _form().separator) if place.text else []
    return read_pieces(place, spans, names, reject)


def _values(
    place: Place, names: Names, given: dict[Parameter, list[_Piece]], blamed: set[str]
) -> dict[str, Any]:
    """The values that are right, by name; ``blamed`` are names of which something else is not."""
    values: dict[str, Any] = {}
    for parameter in names.all:
        pieces = given.get(parameter)
        if pieces is not None:
            right, read = _read(place, parameter, pieces)
            if right and parameter.name not in blamed:
                values[parameter.name] = read
        elif parameter.name not in blamed:
            place.absent(parameter, values)
    return values


def _as_sent(place: Place, piece: _Piece) -> tuple[str, str]:
    """A name and a value, each decoded, or as it was sent if it cannot be."""
    name, value = (place.text[slice(*span)] for span in (piece.name, piece.value))
    return place.spelled(name) or name, place.spelled(value) or value


_PROPERTY = "expected the name of a property of this parameter"


class _Piece(NamedTuple):
    """A name and a value in the raw text, and the property of an object that the name is."""

    name: Span
    value: Span
    key: str | None

    @property
    def whole(self) -> Span:
        return self.name[0], self.value[1]


def _piece(text: str, span: Span) -> _Piece:
    """A piece at its first equals sign; without one its value is empty, and at its end."""
    start, end = span
    equals = _form().equals
    middle = text.find(equals, start, end)
    if middle < 0:
        return _Piece(span, (end, end), None)
    return _Piece((start, middle), (middle + len(equals), end), None)


def _read(place: Place, parameter: Parameter, pieces: list[_Piece]) -> tuple[bool, Any]:
    """Whether the value in the pieces of a parameter is right, and if so the value."""
    reading = Reading(parameter, place)
    if place.strict and not reading.follows_style(*[piece.whole for piece in pieces]):
        return False, None
    value = pieces[0].value[0], pieces[-1].value[1]
    if parameter.kind == "object" and parameter.explode:
        alone = [piece for piece in pieces if piece.key is None]
        if alone and not (parameter.types and len(pieces) == 1):
            for piece in alone:
                place.blame(parameter.name, piece.name, "parameter-type", _PROPERTY)
            return False, None
    if parameter.kind != "primitive" and parameter.explode:
        items = [
            Item(None if piece.key is None else piece.name, piece.value, piece.key)
            for piece in pieces
        ]
        return reading.value(items, value)
    if len(pieces) > 1:
        message = "this parameter was given before"
        for piece in pieces[1:]:
            place.blame(parameter.name, piece.whole, "parameter-repeated", message)
        return False, None
    return reading.value(reading.items(*value), value)


def split(text: str, separator: str) -> list[Span]:
    """The spans between separators."""
    spans: list[Span] = []
    start = 0
    while (found := text.find(separator, start)) >= 0:
        spans.append((start, found))
        start = found + len(separator)
    return [*spans, (start, len(text))]


@cache
def _form() -> Shape:
    """Parameters in a query: their separators, and the text before a value."""
    found = shape("form", "array", True)
    assert found is not None  # noqa: S101 -- the grammar has it
    return found
