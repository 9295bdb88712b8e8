"""The parsers of lark: LALR(1), for rules that it can decide.

Owns the trial of a parser, and the parsers for users who have their own Transformer. Imports the
lark grammars and the sampler; lark itself when a parser is made. Invariant: a parser of LALR(1) is
given only if it reads texts that make every move of the rule's automaton, as the trees that are
meant. Texts that the rule does not derive need no trial: whatever lark makes of its grammar is a
derivation. Rules that LALR(1) cannot decide are read by the recognizer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any

from ...limits import MAX_LALR_ITEMS, STEPS_AT_ONCE
from ..errors import GrammarLimit
from ..machine.automaton import Automaton, automaton
from ..machine.sample import cover, samples
from ..model import Alternation, Element, Model, RuleRef, substituted
from ..remember import per_grammar
from .to_lark import LALR, rule_identifier, to_lark

if TYPE_CHECKING:
    from lark import Lark

    from ..compiled import Compiled

SEED = 3986
TEXTS = 1_000
"""Texts to try."""
DEPTH = 5
"""Rounds of self-embedding rules in the texts to try."""

CHARACTERS = 200_000
"""Characters of these texts: a second. Of longer ones fewer are tried; the shortest come first, and
make every move of the automaton."""

TREES = 1_000
"""Characters of these texts whose trees are compared: a tenth of a second."""


def make_parser(compiled: Compiled, rule: str, **options: Any) -> Lark:
    """A parser of the rule, with further options of lark.

    Errors: GrammarLimit, also if LALR(1) cannot decide the rule; what lark raises for options that
    it does not take. Cost: for a rule that the build has not tried, some thousand texts are parsed,
    once.
    """
    chosen = {"start": rule_identifier(rule), **options}
    return lark_of(lark_grammar(compiled, rule), **chosen)


def tree_parser(compiled: Compiled, rule: str, text: str) -> Lark:
    """A parser of a lark grammar, whose nodes have the names of the grammar's rules.

    Errors: those of ``lark_of``.
    """
    from lark import Tree

    names = {rule_identifier(name): name for name in compiled.model.rules}

    def node(name: str, children: list[Any]) -> Tree[Any]:
        return Tree(names.get(name, name), children)

    return lark_of(text, start=rule_identifier(rule), tree_class=node)


def _shortest(texts: Iterable[str], characters: int) -> Iterator[str]:
    """As many of some texts as have this many characters, the shortest first; at least one."""
    ordered = sorted(texts, key=len)
    lengths = accumulate(len(text) + 1 for text in ordered)
    found = (t for t, n in zip(ordered, lengths, strict=True) if n <= characters)
    return chain(ordered[:1], islice(found, 1, None))


def lark_of(text: str, **options: Any) -> Lark:
    """A parser of a lark grammar. Errors: those of lark; GrammarLimit, above ``MAX_LALR_ITEMS``."""
    from lark import Lark
    from lark.parsers.lalr_analysis import LALR_Analyzer
    from lark.parsers.lalr_parser import LALR_Parser, _Parser

    class Analyzer(LALR_Analyzer):
        left = MAX_LALR_ITEMS

        def expand_rule(self, source_rule: Any, rules_by_origin: Any = None) -> Any:
            found = super().expand_rule(source_rule, rules_by_origin)
            self.left -= len(found) * len({pointer.rule.origin for pointer in found})
            if self.left < 0:
                raise GrammarLimit(f"a table for LALR(1) has more than {MAX_LALR_ITEMS:,} items")
            return found

    class Bounded(LALR_Parser):
        """lark's, whose analysis stops: its own constructor, with another analyzer."""

        def __init__(self, parser_conf: Any, debug: bool = False, strict: bool = False) -> None:
            analysis = Analyzer(parser_conf, debug=debug, strict=strict)
            analysis.compute_lalr()  # type: ignore[no-untyped-call]
            self._parse_table = analysis.parse_table
            self.parser_conf = parser_conf
            self.parser = _Parser(analysis.parse_table, parser_conf.callbacks, debug)

    chosen: dict[str, Any] = {"parser": LALR, "keep_all_tokens": True, **options}
    return Lark(text, **{"_plugins": {"LALR_Parser": Bounded}, **chosen})


@per_grammar
def lark_grammar(compiled: Compiled, rule: str) -> str:
    """A lark grammar that decides the rule, for LALR(1). Errors: GrammarLimit."""
    known = compiled.stored_lark(rule)
    if known is not None:
        return known
    with compiled.limited(f"a lark grammar of {rule}"):
        text, starts = decided(compiled, (rule,))
    if not starts:
        raise GrammarLimit(
            f"LALR(1), lark's parser in linear time, cannot decide {rule}; is_valid, check, parse "
            "and explain work"
        )
    return text


def decided(compiled: Compiled, starts: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A lark grammar for some start rules, and those of them that LALR(1) decides by it.

    Errors: GrammarLimit.
    """
    text = to_lark(compiled.model, starts)
    return text, tuple(rule for rule in starts if _decides(compiled, rule, text))


def _decides(compiled: Compiled, rule: str, text: str) -> bool:
    """True if LALR(1) reads the texts of a rule by a lark grammar, as the trees that are meant.

    It decides at once what depends on the whole text, and so can take another of several readings:
    the trees of the shortest texts are compared. False if that takes long.
    """
    from lark.exceptions import LarkError

    try:
        parser, texts = tree_parser(compiled, rule, text), _texts(compiled, rule)
        for good in _shortest(texts, CHARACTERS):
            parser.parse(good)
    except LarkError:
        return False
    try:
        with compiled.limited(f"trees of {rule}", STEPS_AT_ONCE):
            some = _shortest(texts, TREES)
            return all(parser.parse(good) == compiled.tree(rule, good) for good in some)
    except GrammarLimit:
        return False


def _texts(compiled: Compiled, rule: str) -> list[str]:
    """Texts that make every move of a rule's automaton, and some more. Errors: GrammarLimit."""
    regular = compiled.regular(rule)
    machine = compiled.automaton(rule) if regular else unrolled(compiled.model, rule)
    drawn = samples(machine, seed=SEED) if machine.accepting else iter(())
    return list(chain(islice(cover(machine), TEXTS), islice(drawn, TEXTS // 10)))


def unrolled(model: Model, rule: str, depth: int = DEPTH) -> Automaton:
    """The texts of a rule that is not regular with at most so many rounds of self-embedding.

    Errors: GrammarLimit.
    """
    from ..read.check_model import non_regular

    inside, _ = non_regular({name: rule.element for name, rule in model.rules.items()})
    rules = dict(model.rules)

    def at(element: Element, depth: int) -> Element:
        def by(name: str) -> Element:
            if name not in inside:
                return RuleRef(name)
            return RuleRef(f"{name} {depth}") if depth >= 0 else Alternation(())

        return substituted(element, by)

    for name in inside:
        element = model.rules[name].element
        for left in range(depth + 1):
            rules[f"{name} {left}"] = model.rules[name]._replace(element=at(element, left - 1))
    for name in model.rules.keys() - inside:
        rules[name] = model.rules[name]._replace(element=at(model.rules[name].element, depth))
    start = f"{rule} {depth}" if rule in inside else rule
    return automaton(model._replace(rules=rules), start)
