"""One production for another engine: a row of ``TARGETS``.

Owns the list of targets and the one way to them. Imports the rows on demand. Invariant: the text of
a target accepts exactly the texts that the rule accepts, of all that the engine can hold; only a
row is needed to add one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ...errors import UriproofError
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.remember import per_grammar
from ...text.names import did_you_mean

if TYPE_CHECKING:
    from ._dialect import Dialect
    from ._dividing import Cut
    from ._engines import Target

_SELDOM = ((0x40, 0x40), (0x5B, 0x5B))  # "@" and "["


class UnknownTarget(UriproofError, LookupError):
    """No export target has that name.

    >>> str(UnknownTarget("ecma-script"))
    "no export to 'ecma-script'; did you mean ecmascript?"
    """

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)

    def __str__(self) -> str:
        known = targets()
        end = did_you_mean(self.name, known, listed="uriproof grammar export --help")
        return f"no export to {self.name!r}{end}"


@cache
def targets() -> Mapping[str, Target]:
    """The targets, in alphabetical order.

    >>> "ecmascript" in targets(), targets()["postgres"].title
    (True, 'PostgreSQL, the operator ~')
    """
    from ._contracts import CONTRACTS
    from ._documents import DOCUMENTS
    from ._engines import ENGINES
    from .duckdb_macros import TARGET

    return dict(sorted({**ENGINES, **DOCUMENTS, **CONTRACTS, "duckdb-macros": TARGET}.items()))


def export(compiled: Compiled, rule: str, to: str) -> str:
    """A rule as text for another engine; ``targets()[to].note`` says what that engine needs.

    ``rule`` in any case. The same grammar gives the same text.

    Errors: UnknownTarget and UnknownRule, with near names; GrammarLimit, if the target cannot
    express the rule, which names an alternative. Cost: that of compiling the rule.

    >>> from uriproof.grammar.registry import load
    >>> export(load("rfc3986"), "scheme", "ecmascript")
    '^(?:[A-Za-z][+\\\\-.0-9A-Za-z]*)$'
    """
    name = compiled.rule_name(rule)
    target = _target(to)
    with compiled.limited(f"the export of {name}"):
        return target.export(compiled, name)


@per_grammar
def pattern(compiled: Compiled, rule: str, to: str) -> str | None:
    """``export``, or None if the target cannot express the rule; for ``Rule.pattern``."""
    try:
        return export(compiled, rule, to)
    except GrammarLimit:
        return None


@per_grammar
def brief(compiled: Compiled, rule: str) -> str | None:
    """An RE2 expression of the texts of a rule without ``[`` and ``@``; None if it is not much
    shorter.

    Four fifths of a URI's expression are IPv6 addresses and userinfo, which few texts have; an
    engine that reads its expression anew at each call saves as much time.
    """
    from ._engines import RE2
    from ._expression import plain

    complete = pattern(compiled, rule, "re2")
    try:
        found = replace(RE2, lacks=(*_SELDOM, *RE2.lacks)).write(plain(compiled, rule))
    except GrammarLimit:
        return None
    return found if complete and 2 * len(found) < len(complete) else None


def dividers(
    compiled: Compiled, rule: str, to: str, wanted: Collection[str] | None = None
) -> tuple[Cut, ...]:
    """Expressions that divide the texts of a rule into components; see ``Cut``.

    None for a rule that is read as one component, and for one whose components an expression cannot
    tell apart. Errors: UnknownTarget, UnknownRule; GrammarLimit, for a target without groups that
    have names.

    >>> from uriproof.grammar.registry import load
    >>> [part.name for part in dividers(load("rfc3986"), "absolute-URI", "re2")[0].parts]
    ['scheme', 'hier', 'query', 'fragment']
    """
    from ._dividing import dividing

    return dividing(compiled, compiled.rule_name(rule), _with_names(to), wanted)


def _with_names(to: str) -> Dialect:
    """The dialect of a target. Errors: UnknownTarget; GrammarLimit."""
    dialect = _target(to).dialect
    if dialect is None or not dialect.group:
        able = [name for name, t in targets().items() if t.dialect and t.dialect.group]
        raise GrammarLimit(f"{to} has no groups with names; {', '.join(able)} have")
    return dialect


def _target(to: str) -> Target:
    """Errors: UnknownTarget."""
    if to not in targets():
        raise UnknownTarget(to)
    return targets()[to]
