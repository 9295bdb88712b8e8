"""One production for another engine: a row of ``_engines``, or a module found by its file name.

Owns the list of targets and the one way to them. Imports the rows, and its own modules, by name, as
plugins. Invariant: a module of this package without a leading underscore is a target, and defines
``TITLE`` (what it is), ``NOTE`` (what the other engine needs: flags, anchors, and what matching
costs there) and ``export(compiled, rule) -> str``; so does a row, in lower case. The text accepts
exactly what the rule accepts, of all texts that the engine can hold; nothing else needs editing to
add one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import UriproofError
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...text.names import did_you_mean

if TYPE_CHECKING:
    from ._dialect import Dialect
    from ._dividing import Divider
    from ._engines import Target


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
        end = did_you_mean(self.name, known) or f"; the targets are {', '.join(known)}"
        return f"no export to {self.name!r}{end}"


@cache
def targets() -> tuple[str, ...]:
    """The targets, in alphabetical order.

    >>> "ecmascript" in targets(), "json-schema" in targets()
    (True, True)
    """
    files = (path.stem for path in Path(__file__).parent.glob("*.py"))
    modules = (name.replace("_", "-") for name in files if not name.startswith("_"))
    return tuple(sorted([*_rows(), *modules]))


def export(compiled: Compiled, rule: str, to: str, captures: Sequence[str] = ()) -> str:
    """A rule as text for another engine; ``note(to)`` says what that engine needs.

    ``rule`` in any case. The same grammar gives the same text. With ``captures``, rules or
    components that the rule leads to, what they match is captured by groups of their names: for
    expressions alone, and where it is proved that each group can hold one thing only.

    Errors: UnknownTarget and UnknownRule, with near names; GrammarLimit, where the rule is more
    than the target can say, which names what to do instead. Cost: that of compiling the rule.

    >>> from uriproof.grammar.registry import load
    >>> export(load("rfc3986"), "scheme", "ecmascript")
    '^(?:[A-Za-z][+\\\\-.0-9A-Za-z]*)$'
    """
    name = compiled.rule_name(rule)
    target = _target(to)
    if captures:
        from ._captures import captured

        dialect = _with_names(to)
        return dialect.write(captured(compiled, name, captures, dialect.backtracks))
    text: str = target.export(compiled, name)
    return text


def dividers(compiled: Compiled, rule: str, to: str) -> tuple[Divider, ...]:
    """Expressions that divide the texts of a rule into components; see ``Divider``.

    None for a rule that is read as one component, and for one whose components an expression cannot
    tell apart. Errors: UnknownTarget, UnknownRule; GrammarLimit, for a target without groups that
    have names.

    >>> from uriproof.grammar.registry import load
    >>> [*dividers(load("rfc3986"), "absolute-URI", "re2")[0].places]
    ['scheme', 'authority', 'path', 'query', 'fragment']
    """
    from ._dividing import dividing

    return dividing(compiled, compiled.rule_name(rule), _with_names(to))


def _with_names(to: str) -> Dialect:
    """The dialect of a target. Errors: UnknownTarget; GrammarLimit."""
    dialect = _dialect_of(to)
    if dialect is None or not dialect.group:
        raise GrammarLimit(f"{to} has no groups with names; {_with_groups()} have")
    return dialect


def _with_groups() -> str:
    """The targets whose expressions have groups with names."""
    dialects = {to: _dialect_of(to) for to in targets()}
    return ", ".join(to for to, dialect in dialects.items() if dialect and dialect.group)


def title(to: str) -> str:
    """What a target is, in a few words. Errors: UnknownTarget.

    >>> title("postgres")
    'PostgreSQL, the operator ~'
    """
    target = _target(to)
    text: str = target.title if to in _rows() else target.TITLE
    return text


def note(to: str) -> str:
    """What a target's engine needs, and what matching costs there. Errors: UnknownTarget.

    >>> "no flag m" in note("ecmascript")
    True
    """
    target = _target(to)
    text: str = target.note if to in _rows() else target.NOTE
    return text


def _dialect_of(to: str) -> Dialect | None:
    target = _target(to)
    found: Dialect | None = target.dialect if to in _rows() else getattr(target, "DIALECT", None)
    return found


def _rows() -> dict[str, Target]:
    from ._engines import TARGETS

    return TARGETS


def _target(to: str) -> Any:
    """A row, or a module. Errors: UnknownTarget."""
    if to not in targets():
        raise UnknownTarget(to)
    if to in _rows():
        return _rows()[to]
    return import_module(f"{__name__}.{to.replace('-', '_')}")
