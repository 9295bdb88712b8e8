"""How a rule divides a text into its components, as expressions of another engine.

Owns ``dividing``. Imports the plan of a rule, and the dialects. Invariant: of a text that the rule
accepts, the first of the expressions that matches captures the components that ``check`` finds.
"""

from __future__ import annotations

from dataclasses import replace

from ...grammar import registry
from ...grammar.compile.rx import Rx, without
from ...grammar.compile.to_regex import to_captures
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...records import NamedTuple
from ...validate.plan import Division, plan_of
from ._dialect import Dialect


class Divider(NamedTuple):
    """An expression with groups: ``names`` of the components that they capture, in order.

    A group is called as its component, with another character for a hyphen where names have none.
    ``inner`` has, by name, what divides the text of a group further.
    """

    pattern: str
    names: tuple[str, ...]
    inner: dict[str, Divider]


def dividing(compiled: Compiled, rule: str, dialect: Dialect) -> tuple[Divider, ...]:
    """The expressions that divide the texts of a rule, in the order to try them; none for a rule
    that is read as one component. The rule in its canonical spelling.

    Errors: GrammarLimit, for a dialect without named groups. Cost: that of the plan of the rule.

    >>> from uriproof.grammar.registry import load
    >>> from uriproof.workbench.export.re2 import DIALECT
    >>> first, second = dividing(load("rfc3986"), "URI-reference", DIALECT)
    >>> second.names, second.inner["authority"].names
    (('authority', 'path', 'query', 'fragment'), ('userinfo', 'host', 'port'))
    """
    if not dialect.group:
        raise GrammarLimit(f"{dialect.name} has no groups with names")
    found = plan_of(compiled, rule).dividing
    split = compiled.model.split
    if found is None or split is None:
        return ()
    divider = registry.load(split)
    # A group that ends a rule takes no less for what follows it: nothing may be possessive.
    giving = replace(dialect, possessive=False)
    return tuple(_divider(divider, division, giving) for division, _ in found.tried)


def _divider(divider: Compiled, division: Division, dialect: Dialect) -> Divider:
    def printed(rx: Rx) -> str:
        held = without(rx, dialect.lacks) if dialect.lacks else rx
        if held is None:
            raise GrammarLimit(f"{division.rule} has texts that {dialect.name} cannot hold")
        return f"(?:{dialect.spell(held)})"

    def opening(name: str) -> str:
        return dialect.group.format(name.replace("-", dialect.in_names))

    pattern, names = to_captures(divider.model, division.rule, printed, opening)
    inner = {n: _divider(divider, d, dialect) for n, d in division.inner.items()}
    return Divider(dialect.head + pattern + dialect.tail, names, inner)
