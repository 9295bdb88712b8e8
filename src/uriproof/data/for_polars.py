"""Polars: the namespace ``uri`` of expressions and Series.

Owns the namespace. Imports Polars (extra ``polars``), the rule of a column and what explains single
texts. Invariant: of every row the answer is that of ``is_valid``, ``check`` and its components, and
a null row stays null; the verdict is an expression of Polars itself, without a Python function,
and only rows that it refuses are read by Python.

>>> import polars as pl
>>> import uriproof.data.for_polars
>>> frame = pl.DataFrame({"url": ["http://a/", "http://a b/", None]})
>>> frame.select(pl.col("url").uri.is_valid()).to_series().to_list()
[True, False, None]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ..arguments import strings
from ..extras import needs
from ..rule import Rule, as_rule
from .explain import (
    COMPONENTS,
    FIELDS,
    LEVEL,
    components_of,
    dividers,
    fixed_of,
    known,
    known_level,
    normalized_of,
    parameter_of,
    violations_of,
)

if TYPE_CHECKING:
    from ..workbench.export._dividing import Cut

with needs("polars"):
    import polars as pl

__all__ = ["VIOLATIONS", "URIExpressions", "URISeries"]

VIOLATIONS = pl.List(
    pl.Struct({name: pl.Int32 if kind is int else pl.String for name, kind in FIELDS.items()})
)
"""The type of the violations of a row: offsets in code points; ``fix``, null if none is safe."""

_NEEDED = "text is needed: cast the column to String"
"""The name that Polars shows in its own error for a column of numbers."""

_COMPONENTS = pl.Struct(dict.fromkeys(COMPONENTS, pl.String))


@pl.api.register_expr_namespace("uri")
class URIExpressions:
    """``pl.col("url").uri``: lazy, and for the streaming engine.

    Columns are of strings, also Categorical or Enum. Errors: Polars' InvalidOperationError for a
    column of another type, when the plan is made; UnknownRule, UnknownGrammar at once.
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._given = expression

    def is_valid(self, rule: str | Rule = "URI") -> pl.Expr:
        """The verdict on each text; ``rule`` is that of ``uriproof.is_valid``.

        Cost: O(n), in Polars; through Python for a ``Rule`` with a query grammar, scheme
        rules or a policy.

        >>> pl.select(pl.lit("http://a/").uri.is_valid()).item()
        True
        """
        return self._valid(as_rule(rule))

    def violations(self, rule: str | Rule = "URI") -> pl.Expr:
        """The violations of each text, as ``uriproof.check`` reports them: a list of structs.

        Their fields are ``start`` and ``end``, code points within the text; ``component``,
        ``production``, ``kind``, ``code``; ``fix``, the replacement that is safe, or null. A valid
        text has an empty list. Cost: that of ``is_valid``, and of ``check`` for an invalid text.

        >>> pl.select(pl.lit("http://a b/").uri.violations().list.len()).item()
        1
        """
        held = as_rule(rule)
        valid = self._valid(held)
        found = self._python(~valid, partial(violations_of, held), VIOLATIONS)
        return _unless(valid, found, pl.lit([], dtype=VIOLATIONS))

    def components(self, rule: str | Rule = "URI") -> pl.Expr:
        """The components of each text: a struct of ``scheme``, ``userinfo``, ``host`` and so on.

        A component that a text does not have is null, an empty one is empty (RFC 3986 §5.3). Those
        of an invalid text are the ones that ``check`` names. Cost: O(n), in Polars for valid texts.

        >>> pl.select(pl.lit("http://a:/").uri.components().struct.field("port")).item()
        ''
        """
        held = as_rule(rule)
        native = self._native(held, COMPONENTS)
        python = partial(components_of, held)
        if native is None:
            return self._python(self._text.is_not_null(), python, _COMPONENTS)
        valid = self._valid(held)
        rest = self._python(~valid, python, _COMPONENTS)
        return _unless(valid, rest, native)

    def component(self, name: str, rule: str | Rule = "URI") -> pl.Expr:
        """One component of each text, by its name; see ``components``.

        Errors: ValueError for a name that is not a component.

        >>> pl.select(pl.lit("http://a:/").uri.component("host")).item()
        'a'
        """
        held = as_rule(rule)
        native = self._native(held, (known(name),))
        python = partial(_component, held, name)
        if native is None:
            return self._python(self._text.is_not_null(), python, pl.String)
        valid = self._valid(held)
        return _unless(valid, self._python(~valid, python, pl.String), native.struct.field(name))

    def fixed(self, rule: str | Rule = "URI") -> pl.Expr:
        """Each text with the fixes of ``check``; null if a violation has no safe fix.

        >>> pl.select(pl.lit("http://a/b c").uri.fixed()).item()
        'http://a/b%20c'
        """
        held = as_rule(rule)
        valid = self._valid(held)
        return _unless(valid, self._python(~valid, partial(fixed_of, held), pl.String), self._text)

    def normalized(self, level: str = LEVEL) -> pl.Expr:
        """Each text in its normal form, as ``uriproof.normalize``; null for no URI-reference.

        >>> pl.select(pl.lit("HTTP://A:80").uri.normalized()).item()
        'http://a/'
        """
        work = partial(_with, normalized_of, known_level(level))
        return self._python(self._text.is_not_null(), work, pl.String)

    def parameter(self, name: str, rule: str | Rule = "URI") -> pl.Expr:
        """The first value of a parameter of each query, decoded as in ``URI.query_pairs``.

        >>> pl.select(pl.lit("http://a/?q=x+y").uri.parameter("q")).item()
        'x y'
        """
        strings(name=name)
        queries = self.component("query", rule)
        work = partial(_of_present, partial(_with, parameter_of, name), pl.String)
        return queries.map_batches(work, return_dtype=pl.String, is_elementwise=True)

    @property
    def _text(self) -> pl.Expr:
        """The column as strings, also of Categorical and Enum; all other types are rejected.

        A bare cast would turn numbers into texts. The branch that is never taken is only there for
        Polars to compare types: it is gone when the plan is optimized.
        """
        given = self._given
        typed = (given + pl.lit(_NEEDED)).str.contains("", literal=True)
        typed &= given.is_in(pl.lit([], dtype=pl.List(pl.String)))
        never = pl.when(typed).then(pl.lit(""))
        return pl.when(pl.lit(True)).then(given.cast(pl.String)).otherwise(never)

    def _valid(self, rule: Rule) -> pl.Expr:
        pattern = rule.pattern("rust")
        if pattern is not None:
            return self._text.str.contains(pattern)
        return self._python(self._text.is_not_null(), rule.are_valid, pl.Boolean)

    def _python(
        self, where: pl.Expr, function: Callable[[list[str]], Iterable[Any]], made: Any
    ) -> pl.Expr:
        """The results of a function for the texts of the rows where ``where`` is true, else
        null."""
        chosen = pl.when(where).then(self._text)
        work = partial(_of_present, function, made)
        return chosen.map_batches(work, return_dtype=made, is_elementwise=True)

    def _native(self, rule: Rule, wanted: tuple[str, ...]) -> pl.Expr | None:
        """A struct of components of valid texts, divided by expressions; None without them."""
        dividing = dividers(rule, "rust")
        if rule.pattern("rust") is None or not dividing:
            return None
        text = pl.when(self._valid(rule)).then(self._text)
        row, found = _divided(text, dividing, wanted)
        absent = pl.lit(None, pl.String)
        made = pl.struct(found.get(name, absent).alias(name) for name in wanted)
        return row.struct.with_fields(made.alias("made")).struct.field("made")


@pl.api.register_series_namespace("uri")
class URISeries:
    """``series.uri``: what ``URIExpressions`` has, on a Series.

    Errors, of the methods: TypeError for a Series of another type, which names it.

    >>> pl.Series(["http://a/", "http://a b/"]).uri.is_valid().to_list()
    [True, False]
    """

    def __init__(self, series: pl.Series) -> None:
        # Nothing is refused here: hasattr() and getmembers() come by, on every Series there is.
        self._series = series

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_") or not hasattr(URIExpressions, method):
            raise AttributeError(f"the namespace uri has no attribute {method!r}")
        return lambda *given, **options: self._of(
            lambda column: getattr(column, method)(*given, **options)
        )

    def __dir__(self) -> list[str]:
        return [name for name in dir(URIExpressions) if name[0] != "_"]

    def _of(self, made: Callable[[URIExpressions], pl.Expr]) -> pl.Series:
        series, name, kind = self._series, self._series.name, self._series.dtype
        if series.null_count() == len(series):  # a chunk without values can have any type
            series = pl.Series(name, [None] * len(series), dtype=pl.String)
        elif kind not in (pl.String, pl.Categorical, pl.Enum):
            raise TypeError(
                f"the Series {name!r} holds {kind}, and text is needed: cast it to String first"
            )
        frame = series.alias("text").to_frame().lazy()
        wanted = made(URIExpressions(pl.col("text"))).alias("made")
        return frame.select(wanted).collect(engine="streaming").to_series().alias(name)


def _unless(valid: pl.Expr, found: pl.Expr, other: pl.Expr) -> pl.Expr:
    """The findings, or the other value for valid texts; under the name of the column."""
    return pl.when(valid.fill_null(False).not_()).then(found).otherwise(other)


def _divided(
    text: pl.Expr, cuts: tuple[Cut, ...], wanted: tuple[str, ...]
) -> tuple[pl.Expr, dict[str, pl.Expr]]:
    """A struct of the parts that the first expression that matches finds, and the place of each.

    Each step adds a field to the struct, since Polars would otherwise match an expression again
    for every component that is taken from it.
    """
    row = pl.struct(text.alias("text"))
    found: dict[str, list[pl.Expr]] = {}

    def divide(label: str, cuts: tuple[Cut, ...]) -> None:
        nonlocal row
        for number, cut in enumerate(cuts):
            own = f"{label} {number}"
            groups = pl.field(label).str.extract_groups(cut.pattern)
            row = row.struct.with_fields(groups.alias(own))
            left = pl.when(pl.field(own).struct.field("g1").is_null()).then(pl.field(label))
            row = row.struct.with_fields(left.alias(label))
            for place, part in enumerate(cut.parts, 1):
                there = pl.field(own).struct.field(f"g{place}")  # null if it is absent
                there = there.str.strip_prefix(part.before).str.strip_suffix(part.after)
                if any(name in wanted for each in part.inner for name in each.places()):
                    row = row.struct.with_fields(there.alias(f"{own} {part.name}"))
                    divide(f"{own} {part.name}", part.inner)
                else:
                    found.setdefault(part.name, []).append(there)

    divide("text", cuts)
    return row, {name: pl.coalesce(those) for name, those in found.items()}


def _of_present(
    function: Callable[[list[str]], Iterable[Any]], made: Any, column: pl.Series
) -> pl.Series:
    """A function of the rows that are not null, one after the other; the others stay null."""
    there = column.is_not_null()
    texts = column.drop_nulls().to_list()
    if not texts:
        return pl.repeat(None, len(column), dtype=made, eager=True).alias(column.name)
    values = pl.Series(column.name, list(function(texts)), dtype=made, strict=True)
    place = there.cum_sum().cast(pl.Int64) - 1
    return values.gather(place.set(~there, None)) if len(texts) < len(column) else values


def _component(rule: Rule, name: str, texts: list[str]) -> Iterable[str | None]:
    return (each[name] for each in components_of(rule, texts))


def _with(function: Callable[..., Iterable[Any]], other: str, texts: list[str]) -> Iterable[Any]:
    return function(texts, repeat(other))
