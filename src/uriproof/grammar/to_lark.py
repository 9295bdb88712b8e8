"""From a production to a lark grammar whose trees name every part by its rule.

Owns the shape of the lark grammars. Imports the model, the automata and the expressions.
Invariant: rules keep their structure and first-match order; a leaf becomes a terminal that
carries, as a lookahead, the characters that can follow it, so that an LALR(1) parser with a
contextual lexer needs no other help to tell userinfo from a host (RFC 3986 §3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .automaton import Nfa
from .charset import ANY, EMPTY, Ranges, union
from .model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
    references,
)
from .rx import Alt, Rep, Rx, Seq, Set, choice, nullable, sequence
from .spelling import identifier
from .to_regex import expression, print_regex, print_set
from .trace import character_rules


def rule_identifier(name: str) -> str:
    """A production's name as a lark rule: ABNF names differ in more than case (RFC 5234 §2.1)."""
    return identifier(name).lower()


def terminal_rules(model: Model) -> frozenset[str]:
    """The rules that a tree shows as leaves: those declared, or whose parts are characters only."""
    characters = character_rules(model)
    return frozenset(
        name
        for name, rule in model.rules.items()
        if name in model.leaves
        or name in characters
        or all(r in characters for r in references(rule.element))
    )


def to_lark(model: Model, starts: Iterable[str], lookahead: bool = True) -> str:
    """A lark grammar for some start rules.

    With ``lookahead``: for ``parser="lalr"``. Without: for ``parser="earley"`` with
    ``lexer="dynamic_complete"``, which takes every grammar, one character at a time, slowly.
    Errors: GrammarLimit where a leaf refers to itself.
    """
    starts = tuple(starts)
    terminals = terminal_rules(model) if lookahead else character_rules(model)
    order = list(_reachable(model, starts, terminals))
    follow = _follow(model, starts, terminals) if lookahead else {}
    lines: list[str] = []
    rank = sum(name in terminals for name in order)
    for name in order:
        own = rule_identifier(name)
        rule = model.rules[name]
        comment = " ".join(line.strip() for line in rule.text.splitlines())
        if name not in terminals:
            lines += ["", f"// {comment}", f"{own}: {_element(rule.element, top=True)}".rstrip()]
            continue
        rx = expression(model, name)
        filled = nonempty(rx)
        if filled is None:
            lines += ["", f"// {comment}", f"{own}:"]
            continue
        after, at_end = follow.get(name, (ANY, True))
        pattern = print_regex(filled, after)
        if isinstance(filled, Alt):
            pattern = f"(?:{pattern})"
        if lookahead:
            choices = [print_set(after)] if after else []
            pattern += f"(?={'|'.join([*choices, *([chr(92) + 'Z'] if at_end else [])])})"
        pattern = pattern.replace("/", r"\/")
        lines += [
            "",
            f"// {comment}",
            f"{own}: {own.upper()}{'?' if nullable(rx) else ''}",
            f"{own.upper()}.{rank}: /{pattern}/",
        ]
        rank -= 1
    return "\n".join(lines[1:]) + "\n"


def _reachable(model: Model, starts: tuple[str, ...], terminals: frozenset[str]) -> Iterator[str]:
    """The rules in the order of their first mention, which is the order of the alternatives."""
    seen: set[str] = set()
    stack = list(reversed(starts))
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        if name not in terminals:
            stack.extend(reversed(list(references(model.rules[name].element))))


def _follow(
    model: Model, starts: tuple[str, ...], terminals: frozenset[str]
) -> dict[str, tuple[Ranges, bool]]:
    """Per leaf, the characters that can follow it, and whether the text can end after it."""
    found: dict[str, tuple[Ranges, bool]] = {}
    for start in starts:
        nfa = Nfa(model, start)
        for name, after in nfa.references():
            if name in terminals:
                ranges, at_end = found.get(name, (EMPTY, False))
                closure = nfa.closure([after])
                sets = [nfa.reads[p] or EMPTY for p in closure]
                found[name] = (union(ranges, *sets), at_end or 0 in closure)
    return found


def nonempty(rx: Rx) -> Rx | None:
    """The same expression without the empty text; None where nothing else is left."""
    match rx:
        case Set():
            return rx
        case Rep(item, least, most):
            inner = nonempty(item)
            if inner is None:
                return None
            return Rep(inner, max(least, 1) if inner == item else 1, most) if most != 1 else inner
        case Alt(items):
            kept = [k for k in map(nonempty, items) if k is not None]
            return choice(kept) if kept else None
        case Seq(items):
            if not nullable(rx):
                return rx
            ways: list[Rx] = []
            for i, item in enumerate(items):
                head = nonempty(item)
                if head is not None:
                    ways.append(sequence((head, *items[i + 1 :])))
            return choice(ways) if ways else None


def _element(element: Element, top: bool = False) -> str:
    match element:
        case RuleRef(name):
            return rule_identifier(name)
        case CharVal(text, case_sensitive):
            if not text:
                return ""
            quoted = text.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{quoted}"' + ("" if case_sensitive or not _has_case(text) else "i")
        case NumVal(points, is_range):
            if is_range:
                return f"/{print_set(((points[0], points[1]),))}/".replace("[/", "[\\/")
            return "/" + "".join(print_set(((p, p),)) for p in points).replace("/", r"\/") + "/"
        case Concatenation(items):
            return " ".join(_element(i) for i in items)
        case Alternation(items):
            inner = " | ".join(_element(i, top) for i in items)
            return inner if top else f"({inner})"
        case Repetition(item, least, most):
            if most == 0:
                return ""
            inner = _element(item)
            if not inner:
                return ""
            inner = f"({inner})"
            match least, most:
                case 0, None:
                    return inner + "*"
                case 1, None:
                    return inner + "+"
                case 0, 1:
                    return inner + "?"
                case _, None:
                    return f"{inner}~{least} {inner}*"
                case _:
                    return f"{inner}~{least}..{most}"


def _has_case(text: str) -> bool:
    return text.lower() != text.upper()
