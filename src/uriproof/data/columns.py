"""The columns that can be made of a column of texts: one table, which every engine reads.

Owns ``COLUMNS`` and its rows, and the SQL names of what is registered. Imports the functions of
single texts, and no engine. Invariant: what an engine makes of a row is what the function of the
table makes of its text, and a null row stays null; an engine may answer for the rows that it
accepts itself, as the table says.

To add a column, add a row to the table, and the function of single texts that it names: pandas,
Polars and Dask have its method then; Arrow, DuckDB and Spark each name it once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from inspect import Parameter, Signature
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeAlias

from ..arguments import strings
from ..rule import Rule, as_rule
from ..uri.normalize import LEVEL, normalize
from .explain import (
    COMPONENTS,
    components_of,
    fixed_of,
    normalized_of,
    parameter_of,
    violations_of,
)

Kind: TypeAlias = Literal["verdict", "violations", "components", "text"]
"""What a column holds: booleans, lists of structs of ``FIELDS``, structs, or texts."""

Accepted: TypeAlias = Literal["verdict", "nothing", "parts", "text", "unknown"]
"""What a row has that the rule accepts: the verdict, an empty list, what expressions divide it
into, the text itself; or what only the function says."""


class Option(NamedTuple):
    """An option of a column besides the rule: its name, what checks it, and its default, if any."""

    name: str
    check: Callable[[str], str]
    default: str | None = None


class Column(NamedTuple):
    """A column: ``function`` is given the texts of rows and the values of the option for each.

    ``by_rule`` says whether a rule can be given; ``of`` is the component that the function is given
    instead of the text.
    """

    about: str
    kind: Kind
    accepted: Accepted
    function: Callable[..., Iterable[Any]]
    option: Option | None = None
    by_rule: bool = True
    of: str = ""

    @property
    def signature(self) -> Signature:
        """The arguments of the methods that make the column."""
        kind = Parameter.POSITIONAL_OR_KEYWORD
        given = [Parameter("self", kind)]
        if self.option:
            default = self.option.default or Parameter.empty
            given.append(Parameter(self.option.name, kind, default=default))
        if self.by_rule:
            given.append(Parameter("rule", kind, default="URI"))
        return Signature(given)

    def of_rule(self, rule: Rule) -> Callable[..., Iterable[Any]]:
        """The function, which is given a rule first if that matters to it."""
        return partial(self.function, rule) if self.by_rule and not self.of else self.function

    def asked(self, *given: Any, **options: Any) -> Asked:
        """The column with values for its options. Errors: TypeError, ValueError, those of a rule.

        >>> COLUMNS["component"].asked("host").option
        'host'
        """
        bound = self.signature.bind(None, *given, **options)
        bound.apply_defaults()
        value = self.option and self.option.check(bound.arguments[self.option.name])
        return Asked(self, as_rule(bound.arguments.get("rule", "URI")), value)


class Asked(NamedTuple):
    """A column with values for its options."""

    column: Column
    rule: Rule
    option: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """The components that a text has to be divided into."""
        parts = self.column.accepted == "parts"
        whole = COMPONENTS if self.column.kind == "components" else (str(self.option),)
        return whole if parts else ()

    @property
    def source(self) -> Asked | None:
        """The column that the function is given, if it is not that of the texts."""
        return COLUMNS["component"].asked(self.column.of, self.rule) if self.column.of else None

    def work(self, texts: Iterable[str]) -> Iterable[Any]:
        """What the function makes of texts, one after the other. Cost: O(n), in Python."""
        options = [] if self.option is None else [repeat(self.option)]
        return self.column.of_rule(self.rule)(texts, *options)


def _known(name: str) -> str:
    if name not in COMPONENTS:
        raise ValueError(f"name: {name!r} is not a component; use {', '.join(COMPONENTS)}")
    return name


def _level(level: str) -> str:
    normalize("", level)
    return level


def _text(name: str) -> str:
    strings(name=name)
    return name


def _component_of(rule: Rule, texts: Iterable[str], names: Iterable[str]) -> Iterator[str | None]:
    found = components_of(rule, texts)
    return (each[name] for each, name in zip(found, names, strict=False))


COLUMNS: dict[str, Column] = {
    "is_valid": Column("The verdict on each text.", "verdict", "verdict", Rule.are_valid),
    "violations": Column(
        """The violations of each text, as ``uriproof.check`` reports them: a list of structs.

        Their fields are ``start`` and ``end``, code points within the text; ``component``,
        ``production``, ``kind`` and ``code``. A valid text has an empty list. Cost: that of
        ``is_valid``, and of ``check`` for an invalid text.
        """,
        *("violations", "nothing"),
        violations_of,
    ),
    "components": Column(
        """The components of each text: a struct of ``scheme``, ``userinfo``, ``host`` and so on.

        A component that a text does not have is null, an empty one is empty (RFC 3986 §5.3). Those
        of an invalid text are the ones that ``check`` names. Cost: O(n), in the engine for valid
        texts.
        """,
        *("components", "parts"),
        components_of,
    ),
    "component": Column(
        """One component of each text, by its name; see ``components``. Errors: ValueError.""",
        *("text", "parts"),
        _component_of,
        Option("name", _known),
    ),
    "fixed": Column(
        """Each text with the fixes of ``check``; null if a violation has no safe fix.""",
        *("text", "text"),
        fixed_of,
    ),
    "normalized": Column(
        """Each text in its normal form, as ``uriproof.normalize``; null if it is not a
        URI-reference. Errors: ValueError for an unknown level. Cost: O(n), in Python.""",
        *("text", "unknown"),
        normalized_of,
        Option("level", _level, LEVEL),
        by_rule=False,
    ),
    "parameter": Column(
        """The first value of a parameter of each query, decoded as in ``URI.query_pairs``; null
        without such a parameter.""",
        *("text", "unknown"),
        parameter_of,
        Option("name", _text),
        of="query",
    ),
}
"""The columns by their names, which are those of the methods that make them."""


def methods(made: Callable[[Any, Asked], Any]) -> Callable[[type], type]:
    """A decorator of a class: a method for each column that it does not have yet.

    ``made`` gets the object, and the column that is asked for.
    """

    def method(name: str, column: Column) -> Callable[..., Any]:
        def make(self: Any, *given: Any, **options: Any) -> Any:
            return made(self, COLUMNS[name].asked(*given, **options))

        make.__name__ = make.__qualname__ = name
        make.__doc__ = column.about
        make.__signature__ = column.signature  # type: ignore[attr-defined]
        return make

    def with_methods(owner: type) -> type:
        for name, column in COLUMNS.items():
            if name not in vars(owner):
                setattr(owner, name, method(name, column))
        return owner

    return with_methods


def begins_a_name(prefix: str) -> None:
    """Errors: ValueError for a prefix that cannot begin a name of SQL; TypeError."""
    strings(prefix=prefix)
    if not (prefix.isascii() and prefix.isidentifier()):
        raise ValueError(f"prefix: {prefix!r} is not letters, digits and underscores, as uri_ is")
