"""Columns of Spark's DataFrames, unchanged on a cluster.

Owns the functions, and ``register`` for SQL. Imports pyspark (extra ``spark``) and the rule of a
column; code for the workers of Spark imports uriproof there. Invariant: for every row the answer is
that of the function of one text, and a null row stays null; if Java has an expression for the rule,
verdicts are made inside the JVM, and of violations only rows that fail are sent to Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..arguments import wrong
from ..extras import needs
from ..rule import Rule, as_rule
from ..uri.normalize import LEVEL
from ..workbench.export._contracts import spark as verdict
from .columns import COLUMNS, Asked, Kind, begins_a_name
from .explain import COMPONENTS, FIELDS

with needs("spark"):
    from pyspark.sql import functions, types

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

sql: Any = functions  # its types leave out arrow_udf

__all__ = ["component", "components", "fixed", "is_valid", "java_pattern", "normalized"]
__all__ += ["parameter", "register", "violations"]

_TEXT = "uriproof_text"
"""The name of the column of texts on its way to Python, next to the kept columns."""

_TEXTS = types.StringType()
_KINDS = {int: types.IntegerType(), str: _TEXTS}
_FIELDS = [types.StructField(name, _KINDS[kind]) for name, kind in FIELDS.items()]
_TYPES: dict[Kind, Any] = {
    "verdict": types.BooleanType(),
    "violations": types.ArrayType(types.StructType(_FIELDS)),
    "components": types.StructType([types.StructField(name, _TEXTS) for name in COMPONENTS]),
    "text": _TEXTS,
}

_AT_ONCE = 1 << 25
"""Bytes of the violations that are sent back to Spark at once."""

_DEEP = re.compile(r"\)(?:\*|\+|\{[0-9]+,\})(?!\+)")
"""A repeated group that gives back: the stack of Java grows with each time it is repeated."""
_CLASSES = re.compile(r"\\.|\[(?:\\.|[^\]\\])*+\]?")


def is_valid(column: Column | str, rule: str | Rule = "URI") -> Column:
    """The verdict on each text of a column of strings: a column of booleans; null stays null.

    ``rule`` is that of ``uriproof.is_valid``. Evaluated by the JVM (``rlike``), so that workers do
    not need Python; for a ``Rule`` with more than a grammar, and if Java has no expression for it,
    by Python on the workers. Bytes of a file that are not UTF-8 are not characters of any rule.

    Errors: those of ``uriproof.is_valid`` for the rule; AnalysisException of Spark for a column
    of another type than string. Cost: linear in the text.

    ``frame.filter(~is_valid("url"))`` has the rows that are not valid.
    """
    held = as_rule(rule)
    # A collation would change the meaning of the expression, and a number would become a text.
    texts = sql.collate(_column(column), "UTF8_BINARY")
    pattern = java_pattern(held)
    verdict: Column
    if pattern is None:
        verdict = _made(COLUMNS["is_valid"].asked(held))(texts)
    else:
        verdict = sql.is_valid_utf8(texts) & texts.rlike(pattern)
    return verdict.alias("is_valid")


def violations(
    frame: DataFrame,
    column: str,
    rule: str | Rule = "URI",
    *,
    keep: Sequence[str] | None = None,
) -> DataFrame:
    """The violations of a column, as ``uriproof.check`` reports them: a row a violation.

    A row has the columns of the frame that are to be kept (by default all), then ``start`` and
    ``end``, code points within the text; ``component``, ``production``, ``kind`` and ``code``. The
    other arguments as for ``is_valid``. Only rows that are not valid are sent to Python on the
    workers (``mapInArrow``).

    Errors: as for ``is_valid``; ValueError if a kept column has the name of a field; when it runs,
    PythonException on a worker without uriproof, with how to install it. Cost: that of
    ``is_valid``, and that of ``check`` for each invalid row.

    ``violations(frame, "url", keep=["id", "url"]).write.parquet("violations")`` saves them.
    """
    held = as_rule(rule)
    kept = list(frame.columns if keep is None else keep)
    taken = sorted({*kept} & {*FIELDS, _TEXT})
    if taken:
        raise ValueError(
            f"keep: a violation has a field {taken[0]!r} itself: rename the column of the frame, "
            "or leave it out of keep"
        )
    schema = frame.select(*kept).schema
    for name, kind in FIELDS.items():
        schema = schema.add(name, "integer" if kind is int else "string", nullable=False)
    refused = _failing(frame, column, held)
    texts = sql.collate(refused[column], "UTF8_BINARY").alias(_TEXT)
    sent = refused.select(*(refused[name] for name in kept), texts)
    return sent.mapInArrow(_far(held, _exploded), schema)


def components(column: Column | str, rule: str | Rule = "URI") -> Column:
    """The components of each text: a struct of ``scheme``, ``userinfo``, ``host`` and so on.

    A component that a text does not have is null, an empty one is empty (RFC 3986 §5.3), which
    Spark's own ``regexp_extract`` and ``parse_url`` cannot tell. Those of an invalid text are the
    ones that ``check`` names; a null row stays null.

    Errors: as for ``is_valid``. Cost: every row goes to Python on the workers, as Arrow; there
    it is ``uriproof.data.components``.

    ``frame.select(components("url").alias("uri")).select("uri.host")`` is the column of hosts.
    """
    return _by_python("components", column, rule)


def component(column: Column | str, name: str, rule: str | Rule = "URI") -> Column:
    """One component of each text, by its name; see ``components``. Errors: ValueError for the name.

    ``frame.groupBy(component("url", "host")).count()`` counts hosts.
    """
    return _by_python("component", column, name, rule).alias(name)


def fixed(column: Column | str, rule: str | Rule = "URI") -> Column:
    """Each text with the fixes of ``check``; null if a violation has no safe fix.

    Errors and cost: as for ``components``.
    """
    return _by_python("fixed", column, rule)


def normalized(column: Column | str, level: str = LEVEL) -> Column:
    """Each text in its normal form, as ``uriproof.normalize``; null if it is not a URI-reference.

    Errors: as for ``components``; ValueError for an unknown level. Cost: as for ``components``.
    """
    return _by_python("normalized", column, level)


def parameter(column: Column | str, name: str, rule: str | Rule = "URI") -> Column:
    """The first value of a parameter of each query, decoded as in ``URI.query_pairs``.

    Null without such a parameter. Errors and cost: as for ``components``.
    """
    return _by_python("parameter", column, name, rule)


def register(spark: SparkSession, rule: str | Rule = "URI", *, prefix: str = "uri_") -> None:
    """Make the functions of a rule for SQL in a session; those of the same prefix are replaced.

    ``uri_is_valid(text)`` is SQL itself (``RLIKE``), if Java has an expression for the rule;
    ``uri_violations(text)`` is an array of structs, ``uri_components(text)`` a struct, and
    ``uri_fixed(text)``, ``uri_normalized(text)`` and ``uri_parameter(text, 'q')`` are texts, all
    made by Python on the workers. They are temporary: other sessions do not have them.

    Errors: those of the rule; ValueError for a prefix that cannot begin a name. Cost: that of the
    functions of the same names.

    ``register(spark); spark.sql("SELECT url FROM links WHERE NOT uri_is_valid(url)")``
    """
    held = as_rule(rule)
    begins_a_name(prefix)
    pattern = java_pattern(held)
    if pattern is not None:
        spark.sql(
            f"CREATE OR REPLACE TEMPORARY FUNCTION {prefix}is_valid(text STRING) "
            f"RETURNS BOOLEAN RETURN {verdict(pattern)}"
        )
    for name, column in COLUMNS.items():
        if column.option is not None and column.option.default is None:
            made = sql.arrow_udf(_far((name, held), _by_row), _TYPES[column.kind])
        elif pattern is None or name != "is_valid":
            made = _made(column.asked(*([held] if column.by_rule else [])))
        else:
            continue
        spark.udf.register(f"{prefix}{name}", made)


def java_pattern(rule: Rule) -> str | None:
    """The expression that the JVM can run on texts of any length; None if Python has to.

    None also for an expression that could overflow the stack of Java on a long text: that ends
    the executor, not the row.
    """
    pattern = rule.pattern("java")
    return None if pattern is None or _DEEP.search(_CLASSES.sub("x", pattern)) else pattern


def _failing(frame: DataFrame, column: str, rule: Rule) -> DataFrame:
    """The rows of a frame that fail; without a verdict of the JVM, all that are not null."""
    if java_pattern(rule) is None:
        return frame.filter(sql.collate(frame[column], "UTF8_BINARY").isNotNull())
    return frame.filter(~is_valid(frame[column], rule))


def _column(given: Column | str) -> Column:
    if isinstance(given, str):
        return functions.col(given)
    if not hasattr(given, "rlike"):
        raise wrong("column", given, "a Column or its name")
    return given


def _by_python(name: str, column: Column | str, *options: Any) -> Column:
    """A column of the table, which the workers make."""
    texts = sql.collate(_column(column), "UTF8_BINARY")
    found: Column = _made(COLUMNS[name].asked(*options))(texts)
    return found.alias(name)


def _made(asked: Asked) -> Any:
    """The function of Spark that makes a column."""
    return sql.arrow_udf(_far(asked, _of_arrow), _TYPES[asked.column.kind])


def _far(held: Any, work: Callable[..., Any]) -> Callable[[Any], Any]:
    """The work, so that a worker can load it before it knows whether it has uriproof.

    Spark sends a function that is defined in a function with all that it needs, which is text.
    """
    import pickle

    pickled = pickle.dumps(held)
    version, module, name = __version__, work.__module__, work.__name__

    def run(given: Any, *others: Any) -> Any:
        import pickle
        import sys
        from importlib import import_module
        from socket import gethostname

        there = f"the worker {gethostname()} ({sys.executable})"
        send = "install it on all workers, or send an environment with --archives"
        try:
            import uriproof
        except ImportError as error:
            raise ImportError(
                f"{there} has no uriproof: {send}: pip install 'uriproof[spark]=={version}'"
            ) from error
        if uriproof.__version__ != version:
            raise ImportError(
                f"{there} has uriproof {uriproof.__version__}, and the driver {version}: {send}"
            )
        held = pickle.loads(pickled)  # noqa: S301
        return getattr(import_module(module), name)(held, given, *others)

    # Spark reads the kind of a function from its annotations, which only workers could resolve.
    run.__annotations__ = {}
    return run


def _of_arrow(asked: Asked, texts: Any) -> Any:
    from .arrow import made

    return made(asked, texts)


def _by_row(what: tuple[str, Rule], texts: Any, values: Any) -> Any:
    """A column whose option is the value of each row."""
    from .arrow import component, of_present

    name, rule = what
    column = COLUMNS[name]
    given = component(texts, column.of, rule) if column.of else texts
    return of_present(column.of_rule(rule), texts.type, given, values)


def _exploded(rule: Rule, batches: Iterable[Any]) -> Iterator[Any]:
    """Of batches of rows, a row for each violation of the text in the last column."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from .arrow import of_each, texts_of

    for batch in batches:
        step = _at_once(batch)
        lists = of_each(texts_of(batch.column(_TEXT)), rule)
        rows = pc.list_parent_indices(lists)
        found = lists.flatten().flatten()
        kept = batch.drop_columns([_TEXT])
        names = [*kept.schema.names, *FIELDS]
        for first in range(0, len(rows), step):
            some = slice(first, first + step)
            repeated = [pc.take(each, rows[some]) for each in kept.columns]
            yield pa.RecordBatch.from_arrays([*repeated, *(f[some] for f in found)], names=names)


def _at_once(batch: Any) -> int:
    """Violations to write in a batch: one text can have many, and each row repeats the text."""
    import pyarrow.compute as pc

    longest: int = pc.max(pc.binary_length(batch.column(_TEXT))).as_py() or 0
    average = batch.nbytes // max(1, batch.num_rows)
    return max(1, _AT_ONCE // (1 + longest + int(average)))
