"""Tools on grammars: describe, compare, export, sample and explain the rules.

Owns the verbs of ``uriproof grammar``, for bundled and users' own grammars. Imports the workbench
when a verb or value is used. Invariant: each verb works on exactly the language that ``is_valid``
decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .arguments import (
    flags,
    integers,
    integers_or_none,
    strings,
    strings_or_none,
    wrong,
)
from .rule import GENERIC, Grammar, as_grammar

if TYPE_CHECKING:
    from .grammar.derive.explain import Derivation
    from .grammar.machine.automaton import Automaton
    from .workbench.abnf.extract import Extraction
    from .workbench.compare import Comparison
    from .workbench.describe import Description
    from .workbench.export import UnknownTarget
    from .workbench.read_pattern import BadPattern
    from .workbench.samples import Miss

__all__ = [
    "BadPattern",
    "Comparison",
    "Derivation",
    "Description",
    "Extraction",
    "Miss",
    "UnknownTarget",
    "compare_rules",
    "describe",
    "explain",
    "export",
    "extract_abnf",
    "grammar_page",
    "near_misses",
    "railroad",
    "sample",
]

_HOMES = {
    "BadPattern": ".workbench.read_pattern",
    "Comparison": ".workbench.compare",
    "Derivation": ".grammar.derive.explain",
    "Description": ".workbench.describe",
    "Extraction": ".workbench.abnf.extract",
    "Miss": ".workbench.samples",
    "UnknownTarget": ".workbench.export",
}

Named = str | Grammar


def describe(rule: str, grammar: Named = GENERIC) -> Description:
    """The sets, lengths and examples of a rule, and its relations to other rules.

    ``grammar`` is a bundled one by name, or your own. Errors: UnknownRule, UnknownGrammar. Cost:
    that of the rule's automaton, once.

    >>> describe("port").used_by
    ('authority',)
    """
    from .workbench.describe import describe

    chosen = _chosen(grammar, rule)
    return describe(chosen.compiled, chosen.rule_name(rule))


def railroad(rule: str, grammar: Named = GENERIC, *, svg: bool = False, width: int = 80) -> str:
    """The railroad diagram of a rule, in box-drawing characters or as SVG.

    ``width`` is in columns; every rail and box of the SVG has an id. Errors: UnknownRule,
    UnknownGrammar. Cost: bounded.

    >>> print(railroad("IP-literal"))
    ├── "[" ─┬─ IPv6address ─┬─ "]" ──┤
             ╰─ IPvFuture ───╯
    """
    from .workbench.railroad import to_railroad_svg, to_railroad_text

    chosen = _chosen(grammar, rule)
    flags(svg=svg)
    integers(width=width)
    model, name = chosen.compiled.model, chosen.rule_name(rule)
    if svg:
        return to_railroad_svg(model, name)
    return "\n".join(to_railroad_text(model, name, width))


def grammar_page(grammar: Named = GENERIC, rule: str | None = None) -> str:
    """One HTML page with all rules of a grammar, or with one and all that it leads to.

    Each has its railroad diagram, its ABNF and its words; the page loads nothing. Errors:
    UnknownRule, UnknownGrammar. Cost: that of the diagrams.

    >>> "<svg" in grammar_page("key-value")
    True
    """
    from .workbench.to_page import to_page

    strings_or_none(rule=rule)
    chosen = _chosen(grammar, "")
    return to_page(chosen.compiled.model, None if rule is None else chosen.rule_name(rule))


def export(rule: str, to: str, grammar: Named = GENERIC) -> str:
    """A rule for another engine: ``re2``, ``postgres``, ``json-schema``… (``grammar.export``).

    The requirements of the engine are printed by ``uriproof grammar export --notes``. Errors:
    UnknownTarget, with near names; UnknownRule, UnknownGrammar; GrammarLimit, if the target cannot
    express the rule in linear time. Cost: at most that of the rule's automaton.

    >>> export("port", "re2")
    '\\\\A(?:[0-9]*)\\\\z'
    """
    from .workbench.export import export

    strings(to=to)
    chosen = _chosen(grammar, rule)
    return export(chosen.compiled, chosen.rule_name(rule), to)


def compare_rules(a: str | Automaton, b: str | Automaton, grammar: Named = GENERIC) -> Comparison:
    """Whether two rules accept the same texts, decided exactly, with the shortest that differ.

    Each is a rule of ``grammar``, ``GRAMMAR:RULE``, ``re:PATTERN`` as ``re.fullmatch`` has it, or
    an automaton. Errors: UnknownRule, UnknownGrammar, BadPattern; GrammarLimit. Cost: O(product
    of the states).

    >>> found = compare_rules("rfc2396:URI-reference", "URI-reference")
    >>> found.relation, found.only_a, found.only_b
    ('overlapping', '//:a', '?')
    >>> compare_rules("port", "re:[0-9]*").equal
    True
    """
    from .workbench.compare import compare

    return compare(_automaton("a", a, grammar), _automaton("b", b, grammar))


def sample(
    rule: str,
    grammar: Named = GENERIC,
    *,
    seed: int = 0,
    min_length: int | None = None,
    max_length: int | None = None,
    readable: bool = True,
) -> Iterator[str]:
    """Random texts that a rule accepts, infinitely many; the same for the same seed.

    If a rule has finitely many texts, each comes once, and then the samples end. ``min_length`` and
    ``max_length`` are in code points; without ``readable`` each text of a length is equally likely.
    Samples of a recursive rule are random derivations of bounded length. Errors:
    UnknownRule, UnknownGrammar; ValueError if there is no such text; GrammarLimit. Cost: O(states *
    length) once, O(length) a text.

    >>> from itertools import islice
    >>> from uriproof import is_valid
    >>> all(is_valid(text) for text in islice(sample("URI"), 100))
    True
    """
    from .workbench.samples import distinct

    integers(seed=seed)
    integers_or_none(min_length=min_length, max_length=max_length)
    flags(readable=readable)
    chosen = _chosen(grammar, rule)
    options = {"seed": seed, "least": min_length, "most": max_length, "readable": readable}
    return distinct(chosen.compiled, chosen.rule_name(rule), **options)


def near_misses(
    rule: str,
    grammar: Named = GENERIC,
    *,
    seed: int = 0,
    min_length: int | None = None,
    max_length: int | None = None,
) -> Iterator[Miss]:
    """Texts that a rule rejects, one edit away from one that it accepts, each with that edit.

    Parameters, errors and cost as of ``sample``.

    >>> from itertools import islice
    >>> from uriproof import is_valid
    >>> {is_valid(miss.text, "host") for miss in islice(near_misses("host"), 100)}
    {False}
    """
    from .workbench.samples import misses

    integers(seed=seed)
    integers_or_none(min_length=min_length, max_length=max_length)
    chosen = _chosen(grammar, rule)
    name = chosen.rule_name(rule)
    return misses(chosen.compiled, name, seed=seed, least=min_length, most=max_length)


def extract_abnf(text: str) -> Extraction:
    """The ABNF in the text of an RFC or another document, without the text around it.

    ``str`` of it is a grammar's text; its ``notes`` list the omissions, with reasons. Errors:
    GrammarError, if there is no ABNF, or only BNF in another notation; GrammarLimit, for a text of
    more than 1,000,000 characters. Cost: O(n). Source: RFC 5234 §4.

    >>> found = extract_abnf("2. A port is\\n\\n      port = *DIGIT\\n\\n   and so on.")
    >>> Grammar.from_abnf(found.abnf)["port"].is_valid("80")
    True
    """
    strings(text=text)
    from .grammar.registry import load
    from .workbench.abnf.extract import extract_abnf

    return extract_abnf(text, resolve=lambda name: load(name).model)


def explain(text: str, rule: str = "URI", grammar: Named = GENERIC) -> Derivation:
    """The whole derivation of a text: productions down to characters.

    If the grammar is ambiguous, it has the alternatives and the preferred one. If the text is not
    valid, what ``check`` blames are nodes of their own, and all else is derived around them.
    Errors: UnknownRule, UnknownGrammar; GrammarLimit for texts of tens of thousands of characters.
    Cost: O(n) if few readings are possible at each character. Source: RFC 5234 §3; RFC 3986 §3.2.2.

    >>> [a.ways for a in explain("http://1.2.3.4/").ambiguities]
    [('IPv4address', 'reg-name')]
    """
    from .grammar.derive.broken import explain as derive
    from .grammar.derive.explain import Blame
    from .grammar.errors import GrammarLimit

    strings(text=text)
    chosen = _chosen(grammar, rule)
    name = chosen.rule_name(rule)
    try:
        violations = chosen[name].check(text).violations
    except GrammarLimit:  # it is derived as far as it goes all the same
        violations = ()
    blames = [Blame(v.start, v.end, v.path) for v in violations]
    return derive(chosen.compiled, name, text, blames)


def _chosen(grammar: Named, rule: str) -> Grammar:
    """The grammar that a rule is asked of. Errors: UnknownGrammar, TypeError."""
    strings(rule=rule)
    return as_grammar(grammar)


def _automaton(argument: str, side: str | Automaton, grammar: Named) -> Automaton:
    from .grammar.machine.automaton import Automaton

    if isinstance(side, Automaton):
        return side
    if not isinstance(side, str):
        instead = 'give a rule, "GRAMMAR:RULE" or "re:PATTERN"'
        raise wrong(argument, side, "a str or an Automaton", instead)
    if side.startswith("re:"):
        from .workbench.read_pattern import read_pattern

        return read_pattern(side.removeprefix("re:"))
    name, colon, rule = side.rpartition(":")
    return _chosen(name if colon else grammar, rule).automaton(rule)


def __getattr__(name: str) -> Any:
    """A value or an error, loaded from its home when it is first used."""
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(_HOMES[name], __package__), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
