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
from typing import TYPE_CHECKING, Any

from ..extras import needs
from ..rule import Rule
from .columns import Asked, Kind, methods
from .explain import COMPONENTS, FIELDS, dividers

if TYPE_CHECKING:
    from ..workbench.export._dividing import Cut

with needs("polars"):
    import polars as pl
    import polars.selectors as cs

__all__ = ["VIOLATIONS", "URIExpressions", "URISeries"]

VIOLATIONS = pl.List(
    pl.Struct({name: pl.Int32 if kind is int else pl.String for name, kind in FIELDS.items()})
)
"""The type of the violations of a row: offsets in code points."""

_NEEDED = "the column holds {}, and text is needed: cast it to String first"
"""What Polars shows, in its own error, of a column of another type."""

_TYPES: dict[Kind, Any] = {
    "verdict": pl.Boolean,
    "violations": VIOLATIONS,
    "components": pl.Struct(dict.fromkeys(COMPONENTS, pl.String)),
    "text": pl.String,
}


@pl.api.register_expr_namespace("uri")
@methods(lambda namespace, asked: namespace._made(asked))
class URIExpressions:
    """``pl.col("url").uri``: a method for each row of ``COLUMNS``, lazy, and for streaming.

    The verdict is Polars' own; Python makes it for a ``Rule`` with a query grammar, scheme rules or
    a policy. Columns are of strings, also Categorical or Enum. Errors: Polars'
    InvalidOperationError when the plan runs, for a column of another type, which it names (for
    several columns in one expression in Polars' words, when the plan is made); UnknownRule,
    UnknownGrammar at once.
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._given = expression

    def _made(self, asked: Asked) -> pl.Expr:
        """The column that is asked for."""
        column, source, made = asked.column, asked.source, _TYPES[asked.column.kind]
        if source is not None:
            work = partial(_of_present, asked.work, made)
            given = self._made(source)
            return given.map_batches(work, return_dtype=made, is_elementwise=True)
        if column.accepted == "verdict":
            return self._valid(asked.rule)
        accepted: pl.Expr | None = None
        if column.accepted == "nothing":
            accepted = pl.lit([], dtype=made)
        elif column.accepted == "text":
            accepted = self._text
        elif column.accepted == "parts":
            accepted = self._native(asked)
        if accepted is None:
            return self._python(self._text.is_not_null(), asked.work, made)
        valid = self._valid(asked.rule)
        # Under the name of the column, which is that of the first result.
        refused = valid.fill_null(False).not_()
        return pl.when(refused).then(self._python(~valid, asked.work, made)).otherwise(accepted)

    @property
    def _text(self) -> pl.Expr:
        """The column as strings, also of Categorical and Enum; all other types are rejected.

        A bare cast would turn numbers into texts. The branch that is not taken is gone when the
        plan is optimized; a cast that fails is how an expression of Polars says a sentence.
        """
        given = self._given
        if given.meta.has_multiple_outputs():  # whose types no expression has: one for each column
            typed = pl.lit([], dtype=pl.List(pl.String)).list.contains(given)
            never = pl.when(typed).then(pl.lit(""))
            return pl.when(pl.lit(True)).then(given.cast(pl.String)).otherwise(never)
        kind = pl.dtype_of(given)
        is_text = kind.matches(cs.string() | cs.categorical() | cs.enum() | cs.by_dtype(pl.Null))
        words = pl.format(_NEEDED, kind.display())
        said = pl.when(is_text).then(pl.lit("0")).otherwise(words).cast(pl.Int8)
        return pl.when(is_text).then(given.cast(pl.String)).otherwise(said.cast(pl.String))

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

    def _native(self, asked: Asked) -> pl.Expr | None:
        """Components of valid texts, divided by expressions; None without them."""
        cuts = dividers(asked.rule, "rust", asked.names)
        if not cuts:
            return None
        row, found = _divided(pl.when(self._valid(asked.rule)).then(self._text), cuts)
        absent = pl.lit(None, pl.String)
        parts = [found.get(name, absent).alias(name) for name in asked.names]
        made = pl.struct(parts) if asked.column.kind == "components" else parts[0]
        return row.struct.with_fields(made.alias("made")).struct.field("made")


@pl.api.register_series_namespace("uri")
@methods(lambda namespace, asked: namespace._made(asked))
class URISeries:
    """``series.uri``: the methods of ``URIExpressions``, on a Series.

    Errors, of the methods: TypeError for a Series of another type, which names it.

    >>> pl.Series(["http://a/", "http://a b/"]).uri.is_valid().to_list()
    [True, False]
    """

    def __init__(self, series: pl.Series) -> None:
        # Nothing is refused here: hasattr() and getmembers() come by, on every Series there is.
        self._series = series

    def _made(self, asked: Asked) -> pl.Series:
        """The column that is asked for."""
        series, name, kind = self._series, self._series.name, self._series.dtype
        if series.null_count() == len(series):  # a chunk without values can have any type
            series = pl.Series(name, [None] * len(series), dtype=pl.String)
        elif kind not in (pl.String, pl.Categorical, pl.Enum):
            raise TypeError(
                f"the Series {name!r} holds {kind}, and text is needed: cast it to String first"
            )
        frame = series.alias("text").to_frame().lazy()
        wanted = URIExpressions(pl.col("text"))._made(asked).alias("made")
        return frame.select(wanted).collect(engine="streaming").to_series().alias(name)


def _divided(text: pl.Expr, cuts: tuple[Cut, ...]) -> tuple[pl.Expr, dict[str, pl.Expr]]:
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
                there = there.str.strip_prefix(part.before) if part.before else there
                there = there.str.strip_suffix(part.after) if part.after else there
                if part.inner:
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
