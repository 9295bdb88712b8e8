"""The way in which lark reads a rule: LALR(1) if it can decide it, else Earley.

Owns the choice, and the parsers for users who have their own Transformer. Imports the lark grammars
and the sampler; lark itself when a parser is made. Invariant: LALR(1) is chosen only if lark
accepts the grammar and then parses texts that make every move of the rule's automaton, and rejects
the same neighbors of these as the automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import accumulate, chain, islice
from random import Random
from typing import TYPE_CHECKING, Any

from ...limits import MAX_LALR_ITEMS, STEPS_AT_ONCE
from ..errors import GrammarLimit
from ..machine.automaton import Automaton, automaton
from ..machine.sample import cover, neighbors, samples
from ..model import Alternation, Element, Model, RuleRef, substituted
from ..remember import per_grammar
from ..work import spend
from .to_lark import LALR, is_forced, leaves_of, rule_identifier, to_lark, unreadable_leaves

if TYPE_CHECKING:
    from lark import Lark

    from ..compiled import Compiled

EARLEY = "earley"
WAYS: dict[str, dict[str, str]] = {
    LALR: {"parser": "lalr"},
    "dynamic": {"parser": "earley"},
    EARLEY: {"parser": "earley", "lexer": "dynamic_complete"},
}
"""By name, the options of lark's: the fastest first."""

SEED = 3986
TEXTS = 1_000
SLOW_TEXTS = 300
"""Texts to try for LALR(1), and for Earley, which takes ten times as long and more for each."""
DEPTH = 5
"""Rounds of self-embedding rules in the texts to try."""

STEPS = 2_000_000
"""Of a subset construction, for these texts: two seconds."""

CHARACTERS = 200_000
"""Characters of these texts for LALR(1): a second. Of longer ones fewer are tried."""
CUBES = 30_000
"""Total length of these texts for Earley, which takes up to a second for them. The shortest come
first, and make every move of the automaton."""

TREES = 1_000
"""Characters of these texts whose trees are compared: a tenth of a second."""

NODE = 40
"""Steps of work of one node of a tree."""


_Language = tuple[Automaton, Callable[[str], Any]]


def make_parser(compiled: Compiled, rule: str, **options: Any) -> Lark:
    """A parser of the rule, with further options of lark.

    Errors: GrammarLimit; what lark raises for options that it does not take. Cost: for a rule that
    the build has not tried, some thousand texts are parsed to choose the way, once.
    """
    text, way = lark_grammar(compiled, rule)
    return tree_parser(compiled, rule, text, way, {}, **options)


def tree_parser(
    compiled: Compiled,
    rule: str,
    text: str,
    way: str = LALR,
    names: Mapping[str, str] | None = None,
    **options: Any,
) -> Lark:
    """A parser of a lark grammar; ``names``, by lark's, are those of the grammar, if not given.

    A leaf that Earley reads by its parts, for it has no terminal, is one token. Errors: those of
    ``lark_of``.
    """
    from lark import Token, Tree

    if names is None:
        names = {rule_identifier(name): name for name in compiled.model.rules}
    chosen: dict[str, Any] = {"keep_all_tokens": True, **WAYS[way], **options}
    chosen.setdefault("start", rule_identifier(rule))
    whole = way != LALR and chosen["keep_all_tokens"] and "ambiguity" not in options
    leaves = {rule_identifier(name) for name in leaves_of(compiled)} if whole else ()

    def node(name: str, children: list[Any]) -> Tree[Any]:
        if way != LALR:  # Earley can take exponentially many steps where rules lead to themselves
            spend(NODE)
        tree = Tree(names.get(name, name), children)
        if name in leaves and (tokens := list(tree.scan_values(bool))):
            one = Token.new_borrow_pos(name.upper(), "".join(tokens), tokens[0])
            for end in "end_line", "end_column", "end_pos":
                setattr(one, end, getattr(tokens[-1], end))
            tokens = tree.children = [one]
        return tree

    if names or leaves:
        chosen.setdefault("tree_class", node)
    return lark_of(text, **chosen)


def has_same_trees(
    compiled: Compiled, rule: str, parser: Lark, texts: Iterable[str] | None = None
) -> bool:
    """True if the trees of a ``tree_parser`` are those that are meant, for some short texts.

    LALR(1) decides at once what depends on the whole text: of several readings it can take another.
    False if it takes long to find out.
    """
    from lark.exceptions import LarkError

    def differs(text: str) -> bool:
        try:
            return bool(parser.parse(text) != compiled.tree(rule, text))
        except LarkError:
            return False  # it needs more than one terminal of lookahead: another parser reads it

    try:
        with compiled.limited(f"trees of {rule}", STEPS_AT_ONCE):
            tried = sorted(
                _texts(_language(compiled, rule)[0]) if texts is None else texts, key=len
            )
            lengths = accumulate(len(text) + 1 for text in tried)
            return not any(
                map(differs, (t for t, n in zip(tried, lengths, strict=True) if n <= TREES))
            )
    except GrammarLimit:
        return False


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

    return Lark(text, **{"_plugins": {"LALR_Parser": Bounded}, **options})


@per_grammar
def lark_grammar(compiled: Compiled, rule: str) -> tuple[str, str]:
    """A lark grammar that decides the rule, and the way to read it. Errors: GrammarLimit."""
    known = compiled.stored_lark(rule)
    if known is not None:
        return known
    with compiled.limited(f"a lark grammar of {rule}"):
        text, ways = decided(compiled, (rule,))
    return text, ways[rule]


def decided(
    compiled: Compiled,
    starts: tuple[str, ...],
    unused: Mapping[str, Collection[str]] | None = None,
) -> tuple[str, dict[str, str]]:
    """A lark grammar for some start rules, and for each the first way in which lark decides it.

    ``unused`` as ``to_lark`` takes it; it comes from the build, which tries all texts.
    """
    try:
        languages = {rule: _language(compiled, rule) for rule in starts}
    except GrammarLimit:  # too large to try texts of
        return _by_character(compiled.model, starts)
    spelled = unreadable_leaves(compiled.model, starts)
    for shorter in (True,) if spelled else (False, True):
        try:
            forced = is_forced(compiled.model, starts, spelled)
            text = to_lark(compiled.model, starts, unused=unused, shorter=shorter, spelled=spelled)
        except GrammarLimit:
            break  # nested too deeply
        # A longest match that is not forced might be wrong, and Earley tries no other of it
        # except with the lexer that tries all. LALR(1) is for trees whose leaves are all terminals.
        usable = list(WAYS) if forced else [LALR, EARLEY] if shorter else [LALR]
        ways: dict[str, str] = {}
        for rule in starts:
            whole = not spelled or not unreadable_leaves(compiled.model, (rule,))
            some = usable if whole else usable[1:]
            way = _choose(compiled, languages[rule], rule, text, some, unused is not None)
            if way is None:
                break
            ways[rule] = way
        else:
            return text, ways
    return _by_character(compiled.model, starts)


def _by_character(model: Model, starts: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """One character at a time, in all ways at once: slow, and right for every grammar."""
    return to_lark(model, starts, lookahead=False), dict.fromkeys(starts, EARLEY)


def _language(compiled: Compiled, rule: str) -> _Language:
    """The source of texts of a rule, and an acceptor of all of them. Errors: GrammarLimit."""
    if compiled.regular(rule):
        machine = compiled.automaton(rule)
        return machine, machine.accepts
    return unrolled(compiled.model, rule), compiled.matcher(rule)


def _texts(machine: Automaton) -> list[str]:
    """Texts that make every move of an automaton, and some more."""
    drawn = samples(machine, seed=SEED) if machine.accepting else iter(())
    return list(chain(islice(cover(machine), TEXTS), islice(drawn, TEXTS // 10)))


def _choose(
    compiled: Compiled,
    language: _Language,
    rule: str,
    text: str,
    usable: Iterable[str],
    unlimited: bool,
) -> str | None:
    """The first of some ways in which lark decides the rule by a grammar; None if none does.

    With ``unlimited``, all texts are tried, however long that takes. LALR(1) is one only if its
    trees are those that are meant, too.
    """
    from lark.exceptions import LarkError

    machine, judge = language
    texts = _texts(machine)
    random = Random(SEED)  # noqa: S311 -- texts to try, not secrets
    for way in usable:
        if way != LALR:
            texts = random.sample(texts, min(SLOW_TEXTS, len(texts)))
        some = texts if unlimited else _affordable(texts, way)
        try:
            parser = tree_parser(compiled, rule, text, way)
        except (LarkError, GrammarLimit):
            continue
        if _agrees(parser, _probes(some, machine, random), judge) and (
            way != LALR or has_same_trees(compiled, rule, parser, some)
        ):
            return way
    return None


def _affordable(texts: list[str], way: str) -> list[str]:
    """As many of some texts as somebody who waits can have tried."""
    left, power = (CHARACTERS, 1) if way == LALR else (CUBES, 3)
    chosen: list[str] = []
    for text in sorted(texts, key=len):
        left -= (len(text) + 1) ** power
        if left < 0 and chosen:
            break
        chosen.append(text)
    return chosen


def _probes(texts: list[str], machine: Automaton, random: Random) -> Iterator[str]:
    for text in texts:
        yield text
        yield from neighbors(text, machine, random, 2)


def _agrees(parser: Lark, probes: Iterator[str], judge: Callable[[str], Any]) -> bool:
    from lark.exceptions import LarkError

    for probe in probes:
        try:
            parser.parse(probe)
            accepted = True
        except LarkError:
            accepted = False
        if accepted is not bool(judge(probe)):
            return False
    return True


def unrolled(model: Model, rule: str) -> Automaton:
    """The texts of a rule that is not regular, without deep nesting.

    Errors: GrammarLimit, if even that is too much.
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
        for depth in range(DEPTH + 1):
            rules[f"{name} {depth}"] = model.rules[name]._replace(element=at(element, depth - 1))
    for name in model.rules.keys() - inside:
        rules[name] = model.rules[name]._replace(element=at(model.rules[name].element, DEPTH))
    start = f"{rule} {DEPTH}" if rule in inside else rule
    return automaton(model._replace(rules=rules), start, steps=STEPS)
