"""A grammar with its machines, each made (or loaded) on demand.

Owns the interface of a grammar for the rest of the package. Imports the compilers, lazily.
Invariant: bundled and users' grammars answer alike; for a bundled one the machines come from the
files of the build, for any other from the same compilers, at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..limits import MAX_QUICK, STEPS_AT_ONCE
from .remember import per_grammar

if TYPE_CHECKING:
    from lark import Tree

    from .charset import Alphabet
    from .derive.recognizer import Recognizer
    from .derive.stops import Furthest
    from .machine.automaton import Automaton
    from .machine.trace import Trace
    from .model import Model, Rule
    from .registry import Bundled


ASCII = "ascii"
"""The suffix of a rule's name under which its expression for ASCII texts is stored."""
BEYOND, SPELLED = "beyond", "spelled"
"""The same of an expression of runs of other characters, and of an ASCII text: the rule accepts a
text exactly if it accepts it with that ASCII text in the place of each run."""


class Compiled:
    """One grammar: its model, and per rule a matcher, an automaton, a trace and a lark grammar.

    Every method that takes a rule needs its canonical spelling, which ``rule_name`` returns. Any
    number of threads can use one: values are finished before they are stored, and never changed.
    """

    def __init__(
        self, stored: Bundled | None = None, model: Model | None = None, unlimited: bool = False
    ) -> None:
        """``unlimited`` is for the build, and for grammars that it has compiled and tried."""
        self._stored = stored
        self.unlimited: bool = unlimited or stored is not None
        self._model = model
        self.remembered: dict[Callable[..., Any], dict[Any, Any]] = {}
        """The store of ``per_grammar``, by function."""

    @cached_property
    def model(self) -> Model:
        if self._model is not None:
            return self._model
        assert self._stored is not None  # noqa: S101 -- one of the two is given
        return self._stored.model()

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def start(self) -> str:
        """The first of the start rules. Errors: UnusableRule."""
        if self._stored is not None:
            return self._stored.start()
        return self.rule_name(self.model.meant or self.model.starts[0])

    def rule_name(self, name: str) -> str:
        """The canonical spelling of a rule's name (RFC 5234 §2.1: case does not count).

        Errors: UnknownRule, with near names; UnusableRule.
        """
        if self._stored is not None and self._stored.has_regex(name):
            return name  # the verdict needs no more of the grammar than its expression
        found = self.model.find(name)
        if found is None:
            from .errors import UnknownRule, UnusableRule

            unusable = self.model.unusable
            way = [own for own in unusable if own.lower() == name.lower()]
            if not way:
                bundled = self._stored is not None
                others = self._stored.starting(name) if self._stored is not None else None
                known = [*self.model.rules, *unusable]
                raise UnknownRule(name, known, self.name, others, bundled)
            while (following := unusable[way[-1]][0]) != way[-1]:
                way.append(following)
            raise UnusableRule(way, unusable[way[-1]][1])
        return found.name

    def rule(self, name: str) -> Rule:
        return self.model.rules[name]

    @per_grammar
    def matcher(self, rule: str) -> Callable[[str], Any]:
        """A function of a text: something true exactly when the rule accepts the text.

        The generated expression if there is one that is linear in the text, else the automaton,
        which always is; they agree (see ``regex``). For a rule that is not regular, or too large
        for both, a recognizer: linear if one reading is left at each character; it raises
        GrammarLimit if a text has too many readings.
        """
        from re import compile as compile_

        with self.limited(f"the matcher of {rule}"):
            pattern = self.regex(rule)
            if pattern is None:
                found = self.at_once(rule)
                return found.accepts if found is not None else self.recognizer(rule).accepts
        stored = self._stored
        narrow, beyond, spelled = (
            None if stored is None else stored.regex(f"{rule} {name}")
            for name in (ASCII, BEYOND, SPELLED)
        )
        if narrow is None or beyond is None or spelled is None:
            return compile_(pattern).fullmatch
        return _by_need(narrow, beyond, spelled, pattern)

    def limited(self, what: str, steps: int | None = None) -> AbstractContextManager[None]:
        """For machines of a grammar that the build has not tried. Errors: GrammarLimit."""
        if self.unlimited:
            return nullcontext()
        from ..limits import MAX_STEPS_OF_WORK
        from .work import limited

        return limited(what, MAX_STEPS_OF_WORK if steps is None else steps)

    @per_grammar
    def at_once(self, rule: str) -> Automaton | None:
        """The rule's automaton, unless it takes so long to make that whoever waits would notice."""
        from .errors import GrammarLimit

        if not self.regular(rule):
            return None
        try:
            with self.limited(f"an automaton of {rule}", STEPS_AT_ONCE):
                return self.automaton(rule)
        except GrammarLimit:
            return None

    def regex(self, rule: str) -> str | None:
        """The rule's expression, or None if only an automaton decides it in linear time.

        It accepts the same texts as the automaton: the build proves that for a bundled grammar. For
        others it follows because nothing in it is committed unless that loses no match
        (``rx.deterministic``).
        """
        if self._stored is not None:
            return self._stored.regex(rule)
        if not self.regular(rule):
            return None
        from .charset import EMPTY
        from .compile.rx import bounded
        from .compile.to_regex import expression, print_regex
        from .errors import GrammarLimit

        try:
            with self.limited(f"an expression of {rule}", STEPS_AT_ONCE):
                rx = expression(self.model, rule, self.alternatives)
                if not bounded(rx):
                    return None
                return print_regex(rx, EMPTY)
        except GrammarLimit:
            return None

    def accepts(self, rule: str, text: str) -> bool:
        """True when the rule accepts the text. Never raises on text. Cost: O(n)."""
        return bool(self.matcher(rule)(text))

    @cached_property
    def _non_regular(self) -> tuple[frozenset[str], frozenset[str]]:
        """The rules in a cycle that is not regular, and these with all that lead to one."""
        from .read.check_model import non_regular

        return non_regular({name: rule.element for name, rule in self.model.rules.items()})

    def regular(self, rule: str) -> bool:
        """True when a finite automaton can decide the rule: no cycle of rules prevents it.

        Source: RFC 5234 allows a rule to refer to itself anywhere; ``"(" x ")"`` within x needs
        to count, which no finite automaton can.
        """
        if self._stored is not None:
            return rule not in self._stored.not_regular()
        return rule not in self._non_regular[1]

    def _need_regular(self, rule: str) -> None:
        """Errors: GrammarLimit, for a rule that is not regular."""
        from .errors import GrammarLimit

        if not self.regular(rule):
            inside = sorted(self._non_regular[0])
            name = rule if rule in inside else inside[0]
            raise GrammarLimit(
                f"{rule} has no automaton, because it is not regular: {name} can contain "
                "itself, so that no finite automaton decides it; is_valid, check, parse and "
                "explain work"
            )

    @per_grammar
    def traceable(self, rule: str) -> bool:
        """True when ``trace`` has an answer: if not, ``furthest`` has."""
        from .errors import GrammarLimit

        if self._stored is not None:
            return self.regular(rule)  # the build makes sure that no other takes too long
        try:
            self.trace(rule)
        except GrammarLimit:
            return False
        return True

    @per_grammar
    def recognizer(self, rule: str) -> Recognizer:
        """A reader that needs no automaton, for every rule. Errors: GrammarLimit."""
        from .derive.recognizer import Recognizer

        with self.limited(f"the recognizer of {rule}"):
            return Recognizer(self.model, rule, self.alphabet)

    def furthest(self, rule: str, text: str) -> Furthest | None:
        """The place where no text that the rule accepts continues; None if it accepts the text.

        Errors: GrammarLimit, for a text with too many readings. Cost: see ``Recognizer``.
        """
        from .derive.stops import furthest

        return furthest(self, rule, text)

    def tree(self, rule: str, text: str) -> Tree[Any] | None:
        """The tree of a text by the recognizer; None if the rule does not derive it.

        Errors and cost: see ``tree_of``.

        >>> from uriproof.grammar.registry import load
        >>> load("rfc3986").tree("path-absolute", "/a").pretty(".").split()
        ['path-absolute', './', '.segment-nz', 'a']
        """
        from .derive.chart import chart_of
        from .derive.forest import tree_of

        chart = chart_of(self, rule, text)
        return tree_of(chart) if chart.reading.accepted else None

    @cached_property
    def alphabet(self) -> Alphabet:
        from .machine.nfa import alphabet_of

        return alphabet_of(self.model)

    @per_grammar
    def automaton(self, rule: str) -> Automaton:
        """The rule's minimal automaton. Errors: GrammarLimit."""
        from .machine.automaton import automaton

        self._need_regular(rule)
        with self.limited(f"an automaton of {rule}"):
            return automaton(self.model, rule, self.alphabet)

    @per_grammar
    def trace(self, rule: str) -> Trace:
        """The rule's trace, to blame with. Errors: GrammarLimit."""
        stored = self._stored.trace(rule) if self._stored is not None else None
        if stored is not None:
            return stored
        from .machine.trace import trace

        self._need_regular(rule)
        if self.at_once(rule) is None:
            from .errors import GrammarLimit

            raise GrammarLimit(f"a trace of {rule} takes more than {STEPS_AT_ONCE:,} steps")
        with self.limited(f"a trace of {rule}"):
            return trace(self.model, rule, self.alphabet)

    @per_grammar
    def captures(self, rule: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
        """For a rule that divides: its matcher, and the rule names that its groups capture.

        The matcher takes a text, and the offsets to match between if it is not the whole.
        """
        from re import compile as compile_

        stored = self._stored.captures().get(rule) if self._stored is not None else None
        if stored is None:
            from .compile.to_regex import to_captures

            with self.limited(f"the divider of {rule}"):
                stored = to_captures(self.model, rule)
        pattern, names = stored
        return compile_(pattern).fullmatch, names

    def alternatives(self, rule: str) -> tuple[str, ...]:
        """The productions to read a component as: its alternatives, if they are productions.

        One whose language another contains is left out (IPv4address, next to reg-name): it can
        change neither the verdict nor the blame.
        """
        if self._stored is not None:
            return self._stored.alternatives().get(rule, (rule,))
        return self.find_alternatives(rule)

    @per_grammar
    def find_alternatives(self, rule: str) -> tuple[str, ...]:
        """The answer of ``alternatives``, computed from the automata."""
        from .machine.product import difference
        from .model import Alternation, RuleRef

        if not self.regular(rule):
            return (rule,)

        element = self.model.rules[rule].element
        if rule in self.model.leaves or not isinstance(element, Alternation):
            return (rule,)
        names = [i.name for i in element.items if isinstance(i, RuleRef)]
        if len(names) < len(element.items):
            return (rule,)
        component = self.model.components.get(rule)
        if component is None or any(self.model.components.get(n) != component for n in names):
            return (rule,)
        kept: list[str] = []
        for i, name in enumerate(names):
            others = [*kept, *names[i + 1 :]]
            own = self.automaton(name)
            if not any(difference(own, self.automaton(o), contained=True) is None for o in others):
                kept.append(name)
        return tuple(kept)

    def lark(self, rule: str) -> str:
        """A lark grammar for LALR(1) that can start with the rule. Errors: GrammarLimit."""
        from .compile.to_lark import to_lark

        stored = self.stored_lark(rule)
        if stored is not None:
            return stored
        with self.limited(f"a lark grammar of {rule}", STEPS_AT_ONCE):
            return to_lark(self.model, [rule])

    def stored_lark(self, rule: str) -> str | None:
        """The lark grammar of a start rule that the build tried."""
        return None if self._stored is None else self._stored.lark(rule)


def _by_need(ascii_only: str, beyond: str, spelled: str, whole: str) -> Callable[[str], Any]:
    """A matcher by expressions, each of which is compiled for the first text that needs it.

    ``re`` takes a twentieth of a second to compile the whole one, whose classes have most of
    Unicode in them, and a few milliseconds for the others. Those take three times as long for a
    text, so that after some texts the whole one is worth it; a text with other characters than
    those ``beyond`` ASCII needs it: one that is wrong, or has private ones in its query.
    """
    from ..text.patterns import lazy

    narrow, runs, wide = map(lazy, (ascii_only, beyond, whole))
    left = MAX_QUICK

    def match(text: str) -> Any:
        nonlocal left
        if text.isascii():
            return narrow.fullmatch(text)
        if left > 0:
            left -= len(text)
            known = runs.sub(spelled, text)
            if known.isascii():
                return narrow.fullmatch(known)
        return wide.fullmatch(text)

    return match
