"""Rules from the text in which the build commits them, which is the ABNF of their specification.

Owns that form. Imports only ``model``, so that a bundled grammar loads in a millisecond:
``read_abnf`` adds places and words for mistakes, of which this text has none. Invariant: the
build writes only texts that read as exactly the model that ``read_abnf`` made.

How it works. ``RULES`` has for each rule a comment with its line, section and gloss, its text and,
only if the text means more than it says (a prose value, ``=/``), its element in a comment:

    ; 79 3.1 the name of the scheme, which starts with a letter
    scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    Rule,
    RuleRef,
    flat,
)

MEANT = "\n;= "
"""Stands before the element of a rule whose text does not spell it."""

_TOKEN = re.compile(
    r"""(?<![0-9*])([0-9]*(?:\*[0-9]*)?)  # not begun again at each digit: that would be quadratic
    (?:([(\[])|([A-Za-z][A-Za-z0-9-]*)|(%s)?("[^"]*")|%x([0-9A-F.-]+))
    |([/)\]])""",
    re.VERBOSE,
)


def read_model(module: Any, imported: Callable[[str], Model]) -> Model:
    """The model that a generated module holds; ``imported`` gives those of other grammars."""
    name: str = module.FACTS["name"]
    rules: dict[str, Rule] = {}
    for entry in module.RULES.split("\n; ")[1:]:
        about, _, text = entry.rstrip("\n").partition("\n")
        text, _, meant = text.partition(MEANT)
        line, section, gloss = about.split(" ", 2)
        own, _, body = text.partition("=")
        rule = own.rstrip()
        element = read_element(meant or body)
        rules[rule] = Rule(
            rule, element, text, name, f"grammars/{name}.abnf", int(line), section, gloss
        )
    for grammar, names in module.IMPORTED.items():
        others = imported(grammar).rules
        rules.update((rule, others[rule]) for rule in names)
    return Model(rules=rules, **module.FACTS)


def read_element(text: str) -> Element:
    """The element that prints itself as ``text``, but for white space. Cost: O(n).

    >>> str(read_element('%s"a" 1*( b / %x41-5A ) [ "" ]'))
    '%s"a" 1*( b / %x41-5A ) [ "" ]'
    """
    opened: list[tuple[str, str, list[Element], list[Element]]] = []
    alternatives: list[Element] = []
    sequence: list[Element] = []
    for repeat, opener, name, strict, string, points, other in _TOKEN.findall(text):
        if opener:
            opened.append((repeat, opener, alternatives, sequence))
            alternatives, sequence = [], []
            continue
        if other:
            alternatives.append(flat(Concatenation, sequence))
            sequence = []
        if other == "/":
            continue
        element: Element
        bounds = repeat
        if other:
            element = flat(Alternation, alternatives)
            bounds, bracket, alternatives, sequence = opened.pop()
            if bracket == "[":
                element = Repetition(element, 0, 1)
        elif name:
            element = RuleRef(name)
        elif string:
            element = CharVal(string[1:-1], bool(strict))
        else:
            numbers = tuple([int(point, 16) for point in re.split("[-.]", points)])
            element = NumVal(numbers, "-" in points)
        sequence.append(_repeated(element, bounds))
    return flat(Alternation, [*alternatives, flat(Concatenation, sequence)])


def _repeated(element: Element, bounds: str) -> Element:
    """The element as often as ``2*5``, ``*`` or ``3`` says (RFC 5234 §3.6, §3.7); once, as ''."""
    if not bounds:
        return element
    least, star, most = bounds.partition("*")
    low = int(least or 0)
    return Repetition(element, low, (int(most) if most else None) if star else low)
