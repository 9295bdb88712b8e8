"""GBNF, the grammars that hold a language model of llama.cpp to a format.

Owns this target. Imports the model. Invariant: rules keep their names and structure; the start is
called ``root``.
"""

from __future__ import annotations

from collections.abc import Callable

from ...grammar.charset import Ranges
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)
from ...grammar.read.check_model import left_recursive
from ._rules import cased, reachable, remark

TITLE = "GBNF, the grammar format of llama.cpp"
NOTE = """For llama.cpp (--grammar-file) and programs that use it. The start rule is root. Letters
of case-insensitive strings become classes; characters are code points, of UTF-8. Counts {m,n} need
a llama.cpp of June 2024 or later. Takes grammars that are not regular, but no left recursion, which
llama.cpp refuses."""

ROOT = "root"


def export(compiled: Compiled, rule: str) -> str:
    """The rule and all below it, a rule a line.

    Errors: GrammarLimit, where a rule is left-recursive. Cost: the size of the grammar.
    """
    rules = list(reachable(compiled.model, rule))
    known = {found.name for found in rules}
    own = ROOT
    while own in known:
        own += "-rule"  # llama.cpp starts at the rule of that very name
    _refuse_left_recursion(compiled.model, sorted(known))

    def name(spelled: str) -> str:
        return own if spelled == ROOT else spelled

    lines = [f"{ROOT} ::= {name(rule)}"]
    for found in rules:
        try:
            body = _write(found.element, name)
        except RecursionError:
            message = f"rule {found.name} is nested too deeply to be written as GBNF"
            raise GrammarLimit(message) from None
        lines += ["", f"# {remark(found)}", f"{name(found.name)} ::= {body}"]
    return "\n".join(lines) + "\n"


def _write(element: Element, name: Callable[[str], str]) -> str:
    match element:
        case RuleRef(spelled):
            return name(spelled)
        case CharVal():
            parts = [
                _quoted(run) if ranges is None else _class(ranges) for run, ranges in cased(element)
            ]
            return " ".join(parts) or '""'
        case NumVal(points, True):
            return _class(((points[0], points[1]),))
        case NumVal(points):
            return '"' + "".join(_point(p) for p in points) + '"'
        case Concatenation(items):
            return " ".join(_grouped(i, name, Alternation) for i in items) or '""'
        case Alternation(items):
            return " | ".join(_write(i, name) for i in items)
        case Repetition(item, least, most):
            inner = _grouped(item, name, Alternation, Concatenation, Repetition, CharVal, NumVal)
            match least, most:
                case 0, None:
                    return inner + "*"
                case 1, None:
                    return inner + "+"
                case 0, 1:
                    return inner + "?"
                case _, 0:
                    return '""'
                case _ if least == most:
                    return f"{inner}{{{least}}}"
                case _:
                    return f"{inner}{{{least},{'' if most is None else most}}}"


def _grouped(element: Element, name: Callable[[str], str], *kinds: type) -> str:
    text = _write(element, name)
    single = isinstance(element, CharVal | NumVal) and (text[0] == "[" or len(text) == len('"x"'))
    return f"({text})" if isinstance(element, kinds) and not single else text


def _class(ranges: Ranges) -> str:
    return (
        "["
        + "".join(_point(low) + ("" if low == high else f"-{_point(high)}") for low, high in ranges)
        + "]"
    )


def _quoted(run: str) -> str:
    return '"' + "".join(_point(ord(char)) for char in run) + '"'


def _point(point: int) -> str:
    r"""A code point in a string or a class: what might mean something there is escaped.

    >>> _point(0x61), _point(0x2D), _point(0xE9), _point(0x1F600)
    ('a', '\\x2D', '\\u00E9', '\\U0001F600')
    """
    char = chr(point)
    if char.isascii() and char.isprintable() and char not in '\\"[]-^':
        return char
    if char.isascii():
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"  # noqa: PLR2004 -- the BMP


def _refuse_left_recursion(model: Model, names: list[str]) -> None:
    """Errors: GrammarLimit where a rule can come to itself before anything is read."""
    refused = left_recursive({name: model.rules[name].element for name in names})
    for name in names:
        if name in refused:
            raise GrammarLimit(
                f"rule {name} is left-recursive, which llama.cpp refuses; write it as a "
                "repetition, or export it to ebnf"
            )
