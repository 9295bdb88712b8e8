"""From the spans of a parameter's text to its value.

Owns how one value in the raw text is divided, decoded and converted. Imports parameters and styles.
Invariant: a span of the raw text is decoded after it was split, never before; every span that gives
no value has a violation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, NamedTuple

from ..grammar import registry
from ..limits import EXPLAINED, MOST_DETAILS
from ..percent.clients import Clients, read_sent
from ..percent.decode import decode
from ..percent.errors import DecodeError
from ..report import Report
from ..rule import FORMATS, Rule, check_bounded
from ..text.strict_json import InvalidJSON, read_json
from ..validate.report import make_report
from .parameter import CITED, Parameter
from .schema import ABSENT, Failed, Types, convert, failures
from .styles import GRAMMAR, Span
from .values import ParameterReport, ParameterViolation, Part, grammatical

REQUIRED = "this parameter is required"
OWS = " \t"  # around the value of a field (RFC 9110 §5.6.3)


def explained(rule: str, grammar: str, text: str, most: int | None) -> Report:
    """The report of a text; of a long one with a limit, only that it is not valid."""
    if most is None:
        return make_report(registry.load(grammar), text, rule)
    return check_bounded(Rule(rule, grammar=grammar), text, most)


class Item(NamedTuple):
    """One value in the raw text; in an object with the name of its property, raw or decoded."""

    name: Span | None
    value: Span
    key: str | None = None


class Place(NamedTuple):
    """The raw text of a location, and the shared settings of a reading."""

    location: Part
    text: str
    strict: bool
    violations: list[ParameterViolation]
    most: int | None = None
    clients: Clients = "rfc"

    @property
    def is_form(self) -> bool:
        """Whether a plus sign is a space, as in form data."""
        return self.location in ("query", "body") and not self.strict

    def report(
        self,
        values: Mapping[str, Any],
        undeclared: tuple[tuple[str, str], ...] = (),
        more: int = 0,
        defaults: Iterable[str] = (),
    ) -> ParameterReport:
        """The result of a reading, with a limit on violations; ``more`` counts the rest."""
        shown = tuple(self.violations[: self.most])
        more += len(self.violations) - len(shown)
        held = MappingProxyType(dict(values))
        own = frozenset(defaults)
        return ParameterReport(self.location, self.text, held, shown, undeclared, more, own)

    def absent(self, parameter: Parameter, values: dict[str, Any]) -> None:
        """Give an absent parameter its default, or blame that it is missing."""
        if parameter.required:
            end = len(self.text)
            self.blame(parameter.name, (end, end), "parameter-required", REQUIRED)
        elif parameter.default is not ABSENT:
            values[parameter.name] = deepcopy(parameter.default)

    def blame(self, name: str, span: Span, code: str, message: str, section: str = "") -> None:
        """Add a violation that is not one of a grammar."""
        found = ParameterViolation(self.location, name, *span, code, message, section=section)
        self.violations.append(found)

    def explain(self, grammar: str, rule: str, *wrong: tuple[str, Span]) -> None:
        """Blame what a rule does not allow in spans with their names, in order.

        Violations beyond the limit are only counted: each is the last again. So are other spans.
        """
        found: list[ParameterViolation] = []
        for at, (name, span) in enumerate(wrong):
            if self.most is not None and len(found) >= self.most:
                found += found[-1:] * (len(wrong) - at)
                break
            report = explained(rule, grammar, self.text[slice(*span)], self.most)
            found += [grammatical(self.location, name, each, span[0]) for each in report.violations]
            found += found[-1:] * report.more
        self.violations.extend(found)

    def spelled(self, text: str) -> str | None:
        """A text decoded, or None."""
        try:
            plain = text.replace("+", " ") if self.is_form and "+" in text else text
            return read_sent(plain, self.clients)
        except UnicodeError:
            return None

    def decoded(self, name: str, span: Span) -> str | None:
        """A span decoded; None, with violations, if its octets are not text in UTF-8.

        A cookie is percent-encoded by OpenAPI's style, but not by RFC 6265, so that many that are
        sent are not: unless all is strict, one that cannot be decoded stays as it is.
        """
        text = self.text[span[0] : span[1]]
        if self.location == "header" and not self.strict:
            return text.strip(OWS)  # around the elements of a list (RFC 9110 §5.6.1)
        if (found := self.spelled(text)) is not None:
            return found
        if self.location == "cookie" and not self.strict:
            return text
        if len(text) > EXPLAINED:
            self.blame(name, span, "parameter-encoding", "its octets are not a text in UTF-8")
            return None
        try:
            return decode(text, form=self.is_form)  # to find the exact fault takes longer
        except DecodeError as error:
            for fault in error.faults:
                if fault.kind == "bad-escape" and self.clients != "rfc":
                    continue  # it stands for itself
                at = span[0] + fault.start, span[0] + fault.end
                self.blame(name, at, "parameter-encoding", fault.message)
        return None


class Reading(NamedTuple):
    """A parameter, and the raw text of its location; violations are added to its place.

    ``as_text``: a value that can be a string is one, even if it can also be a number.
    """

    parameter: Parameter
    place: Place
    as_text: bool = False

    def value(self, items: list[Item], whole: Span) -> tuple[bool, Any]:
        """Whether the value in these spans is right, and if so the value; violations are added.

        If the schema allows both, a single value is not an array or object, and several are. An
        empty text is an array of one empty item, or of none if that is not right: what clients
        write that join the items.
        """
        before = len(self.place.violations)
        right, value = self._value(items, whole)
        joined = self.parameter.kind == "array" and not self.parameter.shape.repeated
        if not right and joined and whole[0] == whole[1] and not self._failures([]):
            del self.place.violations[before:]
            right, value = True, []
        if right:
            self.parameter.fill(value)
        return right, value

    def _value(self, items: list[Item], whole: Span) -> tuple[bool, Any]:
        first, *others = items
        if self.parameter.allow_empty and not others and first.value == (first.value[0],) * 2:
            return True, self.parameter.empty
        before = len(self.place.violations)
        if self.parameter.kind == "primitive":
            value, spans = self._primitive(items[0].value)
        else:
            if self.parameter.types and len(items) == 1 and items[0].name is None:
                alone = self._replace(place=self.place._replace(violations=[]))
                value, _ = alone._primitive(items[0].value)
                if not (alone.place.violations or self._failures(value)):
                    return True, value
            read = self._array if self.parameter.kind == "array" else self._object
            value, spans = read(items)
        if len(self.place.violations) == before:
            found = self._failures(value)
            if found and not self.as_text:  # [1, "b"] is neither integers nor strings
                other = self._replace(place=self.place._replace(violations=[]), as_text=True)
                right, text = other._value(items, whole)
                if right:
                    return True, text
            for at, failed in enumerate(found):
                span = spans.get(failed.path[0] if failed.path else None, whole)
                if at >= MOST_DETAILS or not self._blame_format(span, failed.format):
                    self._blame(span, "parameter-schema", failed.message)
        return len(self.place.violations) == before, value

    def _failures(self, value: Any) -> list[Failed]:
        return failures(self.parameter.validator, value)

    def _blame_format(self, span: Span, format: str) -> bool:
        """Blame what a URI format does not allow, if the text in a span is the value itself."""
        raw, text = self.place.text[slice(*span)], self._decoded(span) or ""
        if format not in FORMATS or self.parameter.content is not None or len(text) > EXPLAINED:
            return False
        report = explained(*FORMATS[format], text, self.place.most)
        starts, blamed = _starts(raw, text), self.place.violations
        for found in report.violations:
            start, end = starts[found.start], starts[found.end]
            words = f"not a valid {report.rule}: {found.message}"
            moved = found._replace(start=start, end=end, message=words, fix=None)
            own = self.place.location, self.parameter.name
            blamed.append(grammatical(*own, moved, span[0]))
        blamed += blamed[-1:] * report.more  # which are only counted
        return True

    def _blame(self, span: Span, code: str, message: str, section: str = "") -> None:
        self.place.blame(self.parameter.name, span, code, message, section)

    def _decoded(self, span: Span) -> str | None:
        return self.place.decoded(self.parameter.name, span)

    def _primitive(self, span: Span) -> tuple[Any, dict[Any, Span]]:
        if self.parameter.content is not None:
            return self._in_media_type(span), {}
        return self._converted(span, self.parameter.types), {None: span}

    def _in_media_type(self, span: Span) -> Any:
        text = self._decoded(span)
        if text is None or not self.parameter.is_json:
            return text
        try:
            return read_json(text)
        except InvalidJSON as error:
            self._blame(
                span, "parameter-type", f"expected JSON ({self.parameter.content}): {error}"
            )
        return None

    def _array(self, items: list[Item]) -> tuple[list[Any], dict[Any, Span]]:
        spans = {at: item.value for at, item in enumerate(items)}
        types = chain(self.parameter.prefix_types, repeat(self.parameter.item_types))
        return [self._converted(item.value, own) for item, own in zip(items, types)], spans  # noqa: B905

    def _object(self, items: list[Item]) -> tuple[dict[str, Any], dict[Any, Span]]:
        value: dict[str, Any] = {}
        spans: dict[Any, Span] = {}
        for item in items:
            if item.name is None:
                message = "a property without a value: names and values are written in turn"
                self._blame(item.value, "parameter-type", message, CITED)
                continue
            name = item.key
            if name is None and (name := self._decoded(item.name)) is None:
                continue
            if name in value:
                message = "this property was given before"
                self._blame(item.name, "parameter-repeated", message)
                continue
            types = self.parameter.properties.get(name, self.parameter.other_properties)
            if types is None:
                message = "its schema has no property of this name"
                self._blame(item.name, "parameter-schema", message)
                continue
            value[name] = self._converted(item.value, types)
            spans[name] = item.value
        return value, spans

    def _converted(self, span: Span, types: Types) -> Any:
        text = self._decoded(span)
        if text is None:
            return None
        if self.as_text and "string" in types:
            return text
        try:
            return convert(text, types)
        except ValueError as error:
            self._blame(span, "parameter-type", str(error))
        return None

    def follows_style(self, *spans: Span) -> bool:
        """Whether the grammar of the style allows the raw texts; what it does not is blamed."""
        rule, text = self.parameter.shape.rule, self.place.text
        match = registry.load(GRAMMAR).matcher(rule)
        wrong = [(self.parameter.name, span) for span in spans if not match(text[slice(*span)])]
        self.place.explain(GRAMMAR, rule, *wrong)
        return not wrong

    def spans(self, start: int, end: int) -> list[Item] | None:
        """The items of a single value: in a path, a header or a cookie.

        None, with a violation, if the prefix or the name is missing.
        """
        text, shape = self.place.text, self.parameter.shape
        if not text.startswith(shape.prefix, start, end):
            where = f'the style {self.parameter.style} begins with "{shape.prefix}"'
            self._blame((start, start), "parameter-type", where, CITED)
            return None
        start += len(shape.prefix)
        if not shape.named:
            return self.items(start, end)
        pieces = shape.split(text, start, end) if shape.repeated else [(start, end)]
        items: list[Item] = []
        for first, last in pieces:
            middle = text.find(shape.equals, first, last)
            middle = last if middle < 0 else middle
            name = first, middle
            value = min(middle + len(shape.equals), last), last
            if self.parameter.kind == "object" and shape.repeated:
                items.append(Item(name, value))
            elif self._decoded(name) != self.parameter.name:
                self._blame(name, "parameter-type", "expected the parameter's name")
                return None
            else:
                items += [Item(None, value)] if shape.repeated else self.items(*value)
        return items

    def items(self, start: int, end: int) -> list[Item]:
        """The items of a value without its name."""
        text = self.place.text
        raw = self.place.clients != "rfc"
        spans = self.parameter.shape.split(text, start, end, self.place.is_form, raw)
        if self.parameter.kind != "object":
            return [Item(None, span) for span in spans]
        if self.parameter.shape.delimiter == self.parameter.shape.separator:
            turns = zip(spans[::2], [*spans[1::2], None][: len(spans[::2])], strict=True)
            return [
                Item(None, name) if value is None else Item(name, value) for name, value in turns
            ]
        return [self._pair(text, span) for span in spans]

    def _pair(self, text: str, span: Span) -> Item:
        start, end = span
        middle = text.find(self.parameter.shape.delimiter, start, end)
        if middle < 0:
            return Item(None, span)
        return Item((start, middle), (middle + len(self.parameter.shape.delimiter), end))


def _starts(raw: str, text: str) -> Sequence[int]:
    """Where in a raw text each decoded character begins, and where the last ends."""
    if raw.strip(OWS) == text:
        return range(lead := raw.index(text), lead + len(text) + 1)
    starts = [0]
    for character in text:
        at = starts[-1]
        is_escape = raw[at] == "%" and (character != "%" or raw.startswith("%25", at))
        starts.append(at + (3 * len(character.encode()) if is_escape else 1))
    return starts
