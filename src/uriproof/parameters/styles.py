"""The styles of OpenAPI: the form of a parameter's values in the raw text.

Owns which style goes with which location, type and ``explode``, and what delimits values. Imports
the grammar ``openapi-styles``. Invariant: delimiters are read off the rules of that grammar; a
combination that OpenAPI leaves undefined has no shape.

How it works. ``form-object = name "=" object`` and the rules below it come to a sequence of leaves
and literals: ``name "=" property "," item *( "," property "," item )``. The literal that begins
the repetition separates values, the one between ``property`` and ``item`` delimits them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ..grammar import registry
from ..grammar.model import Alternation, CharVal, Concatenation, Element, Repetition, RuleRef
from ..percent.decode import decode
from ..percent.encode import encode
from .values import Location

GRAMMAR = "openapi-styles"
STYLES: dict[Location, tuple[str, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
"""OpenAPI 3.1.1 §4.8.12.2.1, ``style``: the values by location; the first is the default."""

# These have one rule for both values of explode if only one is defined: OpenAPI 3.1.1 §4.8.12.6.
_NEVER_EXPLODED = frozenset({"spaceDelimited", "pipeDelimited"})
_ALWAYS_EXPLODED = frozenset({"deepObject"})

TSV = "tsv"
"""OpenAPI 2.0 also separates values by tabs; all else is as in spaceDelimited."""

Span = tuple[int, int]


DEFAULT_STYLE: dict[Location, str] = {location: names[0] for location, names in STYLES.items()}


class Shape(NamedTuple):
    """How one style writes one type.

    ``rule`` of the grammar openapi-styles; ``prefix`` begins the text; ``named``: the name comes
    before the value, with ``equals`` between them; ``separator`` separates values, each of which
    has its own prefix and name if ``repeated``; ``delimiter`` is between a property and its value;
    ``brackets`` are around the name of a property.
    """

    rule: str
    prefix: str
    named: bool
    equals: str
    separator: str
    repeated: bool
    delimiter: str
    brackets: tuple[str, str] | None

    def split(
        self, text: str, start: int, end: int, form: bool = False, raw: bool = False
    ) -> list[Span]:
        """The spans of the values in ``[start, end)``; one if nothing separates values.

        With ``form``, a plus sign is a space, even if a space separates; with ``raw``, a separator
        that should be encoded can also be as it is.
        """
        if not self.separator:
            return [(start, end)]
        spans: list[Span] = []
        for found in _finder(self.separator, form, raw).finditer(text, start, end):
            spans.append((start, found.start()))
            start = found.end()
        return [*spans, (start, end)]


@cache
def _finder(separator: str, form: bool, raw: bool) -> re.Pattern[str]:
    """Strings of ABNF match in any case (RFC 5234 §2.3): %7c is %7C."""
    plain = decode(separator)
    spelled = [separator] + ["+"] * (form and plain == " ") + [plain] * raw
    return re.compile("|".join(map(re.escape, spelled)), re.IGNORECASE)


@cache
def shape(style: str, kind: str, explode: bool, reserved: bool = False) -> Shape | None:
    """The shape of a style for ``primitive``, ``array`` or ``object``; None if it is undefined.

    ``reserved`` is ``allowReserved``. Spec: OpenAPI 3.1.1 §4.8.12.6.

    >>> shape("pipeDelimited", "array", False).separator
    '%7C'
    >>> shape("pipeDelimited", "array", True) is None
    True
    """
    if style == TSV:
        found = shape("spaceDelimited", kind, explode, reserved)
        return found and found._replace(separator=encode("\t"))
    if kind != "primitive" and style in (_NEVER_EXPLODED if explode else _ALWAYS_EXPLODED):
        return None
    rules = registry.load(GRAMMAR).model.rules
    names = [f"{style}-{kind}-explode"] * explode + [f"{style}-{kind}"]
    if reserved:
        names = [f"{name}-reserved" for name in names] + names
    name = next((name for name in names if name in rules), None)
    return None if name is None else _read(name)


class _Token(NamedTuple):
    text: str
    literal: bool
    repeated: bool


def _read(rule: str) -> Shape:
    tokens = list(_tokens(RuleRef(rule), top=True))
    once = [token for token in tokens if not token.repeated]
    again = [token for token in tokens if token.repeated]
    leaves = [at for at, token in enumerate(once) if not token.literal]
    prefix = "".join(token.text for token in once[: leaves[0]])
    separator = again[0].text if again and again[0].literal else ""
    names = [token.text for token in once if not token.literal]
    named = _is_name(names[0]) and len(names) > 1
    equals = once[leaves[0] + 1].text if named else ""
    repeated = bool(again) and (not named or any(_is_name(t.text) for t in again if not t.literal))
    pairs = [at for at in leaves if _is_property(once[at].text)]
    delimiter = once[pairs[0] + 1].text if pairs else ""
    brackets = None
    if names.count(names[0]) > 1:  # deep-name "%5B" deep-name "%5D"
        between = [token.text for token in once[: leaves[2]] if token.literal]
        brackets = between[0], between[1]
        equals = between[2]
    return Shape(rule, prefix, named, equals, separator, repeated, delimiter, brackets)


def _is_name(leaf: str) -> bool:
    return leaf == "name" or leaf.startswith("deep-")


def _is_property(leaf: str) -> bool:
    return leaf.endswith("property")


def _tokens(element: Element, *, top: bool = False, repeated: bool = False) -> Iterator[_Token]:
    """Leaves and literals in order, each repetition read once."""
    model = registry.load(GRAMMAR).model
    match element:
        case RuleRef(name) if name in model.leaves or model.rules[name].grammar != GRAMMAR:
            yield _Token(name, False, repeated)
        case RuleRef(name):
            yield from _tokens(model.rules[name].element, top=top, repeated=repeated)
        case CharVal(text):
            yield _Token(text, True, repeated)
        case Concatenation(items):
            for item in items:
                yield from _tokens(item, repeated=repeated)
        case Repetition(RuleRef(name)) if isinstance(model.rules[name].element, Alternation):
            yield _Token(name, False, repeated)  # *uchar: characters
        case Repetition(item, least, most):
            if top and least:  # 1*( "." item ): the first is not a repetition
                yield from _tokens(item)
            yield from _tokens(item, repeated=repeated or most is None)
        case _:
            raise ValueError(f"no style of parameters has {element}")
