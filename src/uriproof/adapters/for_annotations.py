"""msgspec, attrs and dataclasses: the fields of a class that are annotated with ``Matches``.

Owns the reading of annotations. Imports ``matches`` and the standard library: the frameworks call
it, and it needs none of them. Invariant: a value stays the very string that came in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from weakref import WeakKeyDictionary

from ..matches import Matches, require_text
from ..report import MOST_DETAILS, InvalidURI, Report

__all__ = ["InvalidFields", "check_field", "check_fields"]


class InvalidFields(InvalidURI):
    """What ``check_fields`` raises: ``reports`` has a report for each invalid text, by place.

    ``report`` is the first of them.
    """

    reports: Mapping[str, Report]

    def __init__(self, reports: Mapping[str, Report]) -> None:
        self.reports = reports
        super().__init__(next(iter(reports.values())))
        self.args = (reports,)

    def __str__(self) -> str:
        return "; ".join(f"{place}: {report.summary}" for place, report in self.reports.items())


def check_fields(self: object) -> None:
    """Validate the fields of an object whose annotations have a ``Matches``.

    To be called when the object is made: in ``__post_init__`` of a msgspec ``Struct`` or of a
    dataclass, and in ``__attrs_post_init__`` of an attrs class. Texts in lists, tuples, sets,
    mappings and unions are found as well; None and what is not text is left to the framework.

    Errors: InvalidFields, a ValueError, for which msgspec raises its ValidationError; it lists the
    first of many; TypeError for a ``Matches`` on a type that is not text. Cost: O(n); annotations
    are read once for each class.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Hook:
    ...     url: Annotated[str, Matches("URI")]
    ...     def __post_init__(self):
    ...         check_fields(self)
    >>> Hook("http://h/a b")
    Traceback (most recent call last):
    ...
    uriproof.adapters.for_annotations.InvalidFields: url: not a valid URI: path 10: U+0020 SPACE \
is not allowed here in the path (segment); expected pchar
    """
    kind: Any = type(self)
    _check({name: (hint, getattr(self, name, None)) for name, hint in _annotated(kind).items()})


def check_field(self: object, attribute: Any, value: Any) -> None:
    """A validator for attrs: ``attrs.field(validator=check_field)``, also when a field is set.

    Errors and cost as ``check_fields``.
    """
    kind: Any = type(self)
    annotated = _annotated(kind)
    if attribute.name not in annotated:
        raise TypeError(f"the field {attribute.name} is not annotated with a Matches")
    _check({attribute.name: (annotated[attribute.name], value)})


def _check(values: Mapping[str, tuple[Any, Any]]) -> None:
    """Of values by name, each with its annotation. Errors: InvalidFields."""
    wrong: dict[str, Report] = {}
    for name, (annotation, value) in values.items():
        for place, matches, text in _texts(name, annotation, value):
            if not matches.is_valid(text):
                wrong[place] = matches.check(text)
                if len(wrong) == MOST_DETAILS:
                    raise InvalidFields(wrong)
    if wrong:
        raise InvalidFields(wrong)


_known: WeakKeyDictionary[type, Mapping[str, Any]] = WeakKeyDictionary()


def _annotated(kind: type) -> Mapping[str, Any]:
    """The annotations of a class that have a ``Matches`` somewhere, as long as the class lives."""
    found = _known.get(kind)
    if found is None:
        hints = get_type_hints(kind, include_extras=True)
        found = {name: hint for name, hint in hints.items() if _has_matches(hint)}
        _known[kind] = found
    return found


def _has_matches(hint: Any) -> bool:
    if get_origin(hint) is Annotated and any(isinstance(one, Matches) for one in get_args(hint)):
        require_text(get_args(hint)[0])
        return True
    if isinstance(hint, Matches):
        raise TypeError("Matches(...) is not a type: write Annotated[str, Matches(...)]")
    return any(map(_has_matches, get_args(hint)))


def _texts(place: str, hint: Any, value: Any) -> Iterator[tuple[str, Matches, str]]:
    """The texts in a value, each with its place and what it is to match."""
    if get_origin(hint) is Annotated:
        inner, *extras = get_args(hint)
        if isinstance(value, str):
            yield from ((place, one, value) for one in extras if isinstance(one, Matches))
        yield from _texts(place, inner, value)
        return
    arguments = [one for one in get_args(hint) if _has_matches(one)]
    for one in arguments:
        if isinstance(value, str) or not isinstance(value, Collection):
            yield from _texts(place, one, value)
        elif isinstance(value, Mapping):
            is_value = get_args(hint)[-1] is one
            for key, item in value.items():
                yield from _texts(f"{place}[…]", one, item if is_value else key)
        else:
            for number, item in enumerate(value):
                yield from _texts(f"{place}[{number}]", one, item)
