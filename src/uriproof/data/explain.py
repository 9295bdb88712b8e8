"""The common parts of column engines: facts about single texts, and expressions that divide.

Owns the names of components, the expressions that divide texts, ``Row``, the violation of a text as
a record, the display form of a text, and the pool of processes. Imports the public face, and the
exports lazily; no engine, so that a process of the pool starts in 0.1 s. Invariant: the records of
a text are those of ``check``, in its order, for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from ..grammar.compiled import Compiled
from ..grammar.remember import per_grammar
from ..limits import MOST_VIOLATIONS
from ..percent.form import decode_form
from ..report import Report
from ..rule import Rule
from ..uri.components import Components, InvalidComponents
from ..uri.normalize import normalize

if TYPE_CHECKING:
    from ..workbench.export._dividing import Cut

__all__ = ["COMPONENTS", "FIELDS", "Explainer", "Row", "Shown", "components_of", "dividers"]
__all__ += ["explain", "explainer", "fixed_of", "normalized_of", "parameter_of", "show"]
__all__ += ["violations_of"]

COMPONENTS = Components._fields
"""The components of a URI, in text order (RFC 3986 §3, §3.2), of which a column can be divided."""

FIELDS: dict[str, type] = {
    **dict.fromkeys(("start", "end"), int),
    **dict.fromkeys(("component", "production", "kind", "code"), str),
}
"""The fields of a violation in a column; offsets are code points from 0, half-open.

Its fix is not among them: to know whether one is safe is to ask what the writer meant, which takes
three times as long as all of these. Whole texts are fixed by ``fixed_of``, for those who ask.
"""

Row: TypeAlias = tuple[int, int, str, str, str, str]
"""The values of ``FIELDS``."""

Explainer: TypeAlias = Callable[[Iterable[str]], Iterable[list[Row]]]
"""Texts in, the violations of each out, in order."""

_T = TypeVar("_T")

_REMEMBERED = 4_096
_SHORT = 500
"""Texts that are remembered of a grammar, at most, and code points of one: some megabytes."""

_AT_ONCE = 1_000
"""Texts sent to a process at once: some 50 ms of work, and some 50 kB to send."""


def dividers(rule: Rule, to: str, names: tuple[str, ...] = COMPONENTS) -> tuple[Cut, ...]:
    """The expressions of an engine that find these components of a valid text; none for a rule
    without them.
    """
    if rule.pattern(to) is None:
        return ()
    return _dividers(rule.grammar.compiled, rule.name, to, names)


@per_grammar
def _dividers(compiled: Compiled, rule: str, to: str, names: tuple[str, ...]) -> tuple[Cut, ...]:
    from ..grammar.errors import GrammarLimit
    from ..workbench.export import dividers

    try:
        return dividers(compiled, rule, to, names)
    except GrammarLimit:
        return ()


class Shown(NamedTuple):
    """The display form of an invalid text: passwords have asterisks in it and in its host."""

    text: str
    violations: list[Row]
    host: str | None


def explain(rule: Rule, texts: Iterable[str]) -> list[list[Row]]:
    """The violations of each text; none for a text that the rule accepts. Cost: O(n).

    >>> explain(Rule(), ["http://a/", "http://a b/"])
    [[], [(8, 9, 'host', 'reg-name', 'illegal', 'host-illegal')]]
    """
    return [_rows(rule, text) for text in texts]


def violations_of(rule: Rule, texts: Iterable[str]) -> Iterator[list[dict[str, Any]]]:
    """The violations of each text, each by the names of ``FIELDS``. Cost: O(n)."""
    for rows in explain(rule, texts):
        yield [dict(zip(FIELDS, row, strict=True)) for row in rows]


def components_of(rule: Rule, texts: Iterable[str]) -> Iterator[dict[str, str | None]]:
    """The components that ``check`` finds in each text; None for absent ones. Cost: O(n)."""
    return (_components(rule, text) for text in texts)


def fixed_of(rule: Rule, texts: Iterable[str]) -> Iterator[str | None]:
    """Each text as ``check`` fixes it; None without a safe fix. Cost: O(n).

    >>> [*fixed_of(Rule(), ["http://a/b c", "http://a b/"])]
    ['http://a/b%20c', None]
    """
    return (_fixed(rule, text) for text in texts)


def normalized_of(texts: Iterable[str], levels: Iterable[str]) -> Iterator[str | None]:
    """Each text in the form of ``normalize``; None for what is not a URI-reference. Cost: O(n).

    >>> [*normalized_of(["HTTP://A:80", "a b"], ["scheme", "scheme"])]
    ['http://a/', None]
    """
    for text, level in zip(texts, levels, strict=False):
        try:
            yield normalize(text, level)
        except InvalidComponents:
            yield None


def parameter_of(queries: Iterable[str], names: Iterable[str]) -> Iterator[str | None]:
    """The first value of a parameter in each query, decoded as in ``URI.query_pairs``. Cost: O(n).

    >>> [*parameter_of(["a=1&q=x+%C3%A9&q=2", "a"], ["q", "q"])]
    ['x é', None]
    """
    for query, name in zip(queries, names, strict=False):
        yield next((value for own, value in decode_form(query) if own == name), None)


def _remembered(function: Callable[[Rule, str], _T]) -> Callable[[Rule, str], _T]:
    """The same broken link is on many pages: the results for the last texts are kept, for as long
    as their rule, so that a user's own grammar does not live on because of them.
    """
    memory: WeakKeyDictionary[Rule, dict[str, _T]] = WeakKeyDictionary()

    @wraps(function)
    def remembering(rule: Rule, text: str) -> _T:
        if len(text) > _SHORT:
            return function(rule, text)
        known = memory.setdefault(rule, {})
        if text not in known:
            if len(known) >= _REMEMBERED:
                known.clear()
            known[text] = function(rule, text)
        return known[text]

    return remembering


@_remembered
def _rows(rule: Rule, text: str) -> list[Row]:
    return _of(rule.check(text))


@_remembered
def _components(rule: Rule, text: str) -> dict[str, str | None]:
    found = rule.check(text).components
    return {name: found[name].text if name in found else None for name in COMPONENTS}


@_remembered
def _fixed(rule: Rule, text: str) -> str | None:
    report = rule.check(text)
    known = rule.grammar.compiled.model.fixable
    alone = rule == Rule(rule.name, grammar=rule.grammar)
    # Nothing is fixed in a host; to ask a report for fixes is to ask what the writer meant.
    if alone and not known.issuperset(one.component for one in report.violations):
        return None
    return report.fixed


@_remembered
def show(rule: Rule, text: str) -> Shown:
    """The violations of a text, and its display form. Cost: O(n).

    Of a long text, which can have millions of violations, only the first ``MOST_VIOLATIONS``.

    >>> show(Rule(), "http://me:secret@a b/").text
    'http://me:******@a b/'
    """
    report = rule.check(text).masked()
    host = report.components.get("host")
    return Shown(report.text, _of(report)[:MOST_VIOLATIONS], None if host is None else host.text)


def _of(report: Report) -> list[Row]:
    return [(v.start, v.end, v.component, v.production, v.kind, v.code) for v in report.violations]


@contextmanager
def explainer(rule: Rule, processes: int = 1) -> Iterator[Explainer]:
    """An explainer of texts, with this many processes; one means this process.

    Other processes are started anew, not forked: a program that asks for them has to guard what
    it does when it is imported (``if __name__ == "__main__":``). They end with the context.

    Errors: ValueError for less than one process; ``BrokenProcessPool`` if one is killed.

    >>> with explainer(Rule()) as explained:
    ...     list(explained(["http://a b/"]))
    [[(8, 9, 'host', 'reg-name', 'illegal', 'host-illegal')]]
    """
    if processes < 1:
        raise ValueError(f"processes must be at least 1, not {processes}")
    if processes == 1:
        yield partial(explain, rule)
        return
    from ..processes import Pool

    with Pool(processes, partial, explain, rule) as pool:
        yield lambda texts: chain.from_iterable(pool.answers(_batches(texts)))


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    source = iter(texts)
    while batch := list(islice(source, _AT_ONCE)):
        yield batch
