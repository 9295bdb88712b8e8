"""EBNF in the notation of the XML specification.

Owns this target. Imports the model. Invariant: rules keep their names and structure; counts, which
the notation does not have, are written out.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
)
from ._rules import MAX_TEXT, cased, reachable, remark

TITLE = "EBNF, in the W3C notation of XML 1.0 section 6"
NOTE = """The notation of the XML specification (section 6), which railroad diagram tools read; not
ISO 14977. The first rule is the start. A count such as 4( h16 ":" ), which the notation lacks, is
written out; letters of case-insensitive strings become classes; order of alternatives is kept,
though the notation gives it no meaning. Takes grammars that are not regular, too."""


def export(compiled: Compiled, rule: str) -> str:
    """The rule and all below it. Errors: GrammarLimit. Cost: the size of what is written."""
    lines: list[str] = []
    size = 0
    for found in reachable(compiled.model, rule):
        body = _body(found.element, found.name)
        size += len(body)
        if size > MAX_TEXT:
            raise GrammarLimit(f"rule {found.name} is too large for EBNF, which has no counts")
        words = remark(found).replace("*/", "* /")
        lines += [f"/* {words} */", f"{found.name} ::= {body}", ""]
    return "\n".join(lines[:-1]) + "\n"


def _body(element: Element, rule: str) -> str:
    try:
        return _write(element, rule)
    except RecursionError:
        raise GrammarLimit(f"rule {rule} is nested too deeply to be written as EBNF") from None


def _write(element: Element, rule: str) -> str:
    match element:
        case RuleRef(name):
            return name
        case CharVal():
            parts = [
                _quoted(run) if ranges is None else f"[{''.join(chr(low) for low, _ in ranges)}]"
                for run, ranges in cased(element)
            ]
            return " ".join(parts) or '""'
        case NumVal(points, True):
            return f"[{_end(points[0])}-{_end(points[1])}]"
        case NumVal(points):
            return " ".join(f"#x{point:X}" for point in points)
        case Concatenation(items):
            return " ".join(_grouped(i, rule, Alternation) for i in items) or '""'
        case Alternation(items):
            return " | ".join(_write(i, rule) for i in items)
        case Repetition(item, least, most):
            return _repeated(
                _grouped(item, rule, Alternation, Concatenation, Repetition), least, most, rule
            )


def _grouped(element: Element, rule: str, *kinds: type) -> str:
    """An element that a quantifier or a neighbour can follow."""
    text = _write(element, rule)
    several = Concatenation in kinds and " " in text  # a string of several terms is one, too
    return f"({text})" if isinstance(element, kinds) or several else text


def _repeated(inner: str, least: int, most: int | None, rule: str) -> str:
    if len(inner) * max(least, most or 1) > MAX_TEXT:
        raise GrammarLimit(f"rule {rule} is too large for EBNF, which has no counts")
    if most == 0:
        return '""'
    if most is None:
        return " ".join([inner] * (least - 1) + [inner + "+"]) if least else inner + "*"
    return " ".join([inner] * least + [inner + "?"] * (most - least))


def _end(point: int) -> str:
    """The end of a range: letters and digits stand for themselves."""
    char = chr(point)
    return char if char.isascii() and char.isalnum() else f"#x{point:X}"


def _quoted(run: str) -> str:
    return f"'{run}'" if '"' in run else f'"{run}"'
