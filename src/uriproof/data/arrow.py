"""Columns of text in Arrow's memory: verdicts, violations and components.

Owns the three functions, and how an array of text is read. Imports pyarrow (extra ``data``), the
rule of a column and the explainer of single texts. Invariant: for every row the answer is that of
``is_valid``, ``check`` and its components, and a null row stays null; only rows that the engine's
expression refuses are read by Python.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..arguments import wrong
from ..extras import needs
from ..rule import Rule, as_rule
from ..uri.normalize import LEVEL
from ..workbench.export import brief
from .columns import COLUMNS, Asked
from .explain import COMPONENTS, FIELDS, Explainer, Row, dividers, explain, explainer

if TYPE_CHECKING:
    from ..workbench.export._dividing import Cut

with needs("data"):
    import pyarrow as pa
    import pyarrow.compute as pc

__all__ = [
    "VIOLATION",
    "ahead",
    "as_texts",
    "component",
    "components",
    "fixed",
    "made",
    "normalized",
    "of_each",
    "of_present",
    "parameter",
    "texts_of",
    "validate",
    "verdicts",
    "violations",
]

_In = TypeVar("_In")
_Out = TypeVar("_Out")

Column: TypeAlias = "pa.Array | pa.ChunkedArray"

VIOLATION = pa.struct(
    [(name, pa.int32() if kind is int else pa.string()) for name, kind in FIELDS.items()]
)
"""The type of a violation of one row: offsets in code points."""

_ROW = pa.struct([("row", pa.int64()), *VIOLATION])
_COMPONENTS = pa.struct([(name, pa.string()) for name in COMPONENTS])
_FEW = 1 << 15
"""Rows of a chunk below which reading the whole expression, 0.7 ms, is a tenth of the work."""
_ALONE = 300
"""Rows that Python judges in less time than the engine needs to read even the shorter one."""
_BEYOND_ASCII = "\\x{"
"""How an expression spells a character beyond ASCII. One without any matches only valid UTF-8."""
_AT_ONCE = 1 << 18
"""Rows that a thread takes at once: some 50 ms of work, of which the engine takes 3 to read its
expression, which it does at every call."""


def validate(array: Any, rule: str | Rule = "URI") -> Column:
    """The verdict on each text of a column: a boolean array of n rows, chunked as the column is.

    ``array`` is an array of pyarrow, chunked or not, or anything with the Arrow PyCapsule
    interface (a Series of Polars or pandas), of strings, also as a dictionary or as binary.
    ``rule`` is that of ``uriproof.is_valid``. Null rows stay null. Bytes that are not UTF-8 are no
    characters of any rule.

    Errors: TypeError for an array of another type; those of ``is_valid`` for the rule. Cost:
    O(n), in the threads of pyarrow; through Python for a ``Rule`` with a query
    grammar, scheme rules or a policy.

    >>> import pyarrow
    >>> validate(pyarrow.array(["http://a/", "http://a b/", None])).to_pylist()
    [True, False, None]
    """
    return verdicts(texts_of(array), as_rule(rule))


def violations(array: Any, rule: str | Rule = "URI", *, processes: int = 1) -> pa.StructArray:
    """The violations of all rows, as ``uriproof.check`` reports them: a struct a violation.

    Its fields are ``row``, from 0 over all chunks; ``start`` and ``end``, code points within the
    text; ``component``, ``production``, ``kind`` and ``code``. Sorted by row and start. Arguments
    as those of ``validate``; ``processes`` explain invalid rows at the same time (see
    ``explainer``).

    Errors: as ``validate``; ValueError for ``processes``. Cost: that of ``validate``, and that of
    ``check`` for each invalid row.

    >>> import pyarrow
    >>> found = violations(pyarrow.array(["http://a/", None, "http://h/?a b"]))
    >>> found.to_pylist() == [dict(row=2, start=11, end=12, component="query", production="query",
    ...     kind="illegal", code="query-illegal")]
    True
    """
    column = texts_of(array)
    held = as_rule(rule)
    with explainer(held, processes) as explained:
        lists = of_each(column, held, explained)
    parts: list[pa.Array] = []
    first = 0
    for chunk in lists.chunks if isinstance(lists, pa.ChunkedArray) else [lists]:
        rows = pc.add(pc.cast(pc.list_parent_indices(chunk), pa.int64()), first)
        inner = chunk.flatten()
        parts.append(pa.StructArray.from_arrays([rows, *inner.flatten()], fields=list(_ROW)))
        first += len(chunk)
    return pa.concat_arrays(parts) if parts else pa.array([], _ROW)


def components(array: Any, rule: str | Rule = "URI") -> pa.StructArray | pa.ChunkedArray:
    """The components of each text: a struct of ``scheme``, ``userinfo``, ``host`` and so on.

    A component that a text does not have is null, an empty one is empty (RFC 3986 §5.3). Those
    of an invalid text are the ones that ``check`` names; a null row stays null.

    Errors: as ``validate``. Cost: O(n), some twenty times that of ``validate``.

    >>> import pyarrow
    >>> (found,) = components(pyarrow.array(["http://a:/?q"])).to_pylist()
    >>> {name: text for name, text in found.items() if text is not None}
    {'scheme': 'http', 'host': 'a', 'port': '', 'path': '/', 'query': 'q'}
    """
    return made(COLUMNS["components"].asked(rule), array)


def component(array: Any, name: str, rule: str | Rule = "URI") -> Column:
    """One component of each text, by its name; see ``components``. Errors: ValueError for the name.

    >>> import pyarrow
    >>> component(pyarrow.array(["http://a/", "urn:b"]), "host").to_pylist()
    ['a', None]
    """
    return made(COLUMNS["component"].asked(name, rule), array)


def fixed(array: Any, rule: str | Rule = "URI") -> Column:
    """Each text with the fixes of ``check``; null if a violation has no safe fix.

    Errors: as ``validate``. Cost: that of ``validate``, and that of ``check`` for an invalid text.

    >>> import pyarrow
    >>> fixed(pyarrow.array(["http://a/", "http://a/b c", "http://a b/"])).to_pylist()
    ['http://a/', 'http://a/b%20c', None]
    """
    return made(COLUMNS["fixed"].asked(rule), array)


def normalized(array: Any, level: str = LEVEL) -> Column:
    """Each text in its normal form, as ``uriproof.normalize``; null if it is not a URI-reference.

    Errors: as ``validate``; ValueError for an unknown level. Cost: O(n), in Python.

    >>> import pyarrow
    >>> normalized(pyarrow.array(["HTTP://A:80", "a b"])).to_pylist()
    ['http://a/', None]
    """
    return made(COLUMNS["normalized"].asked(level), array)


def parameter(array: Any, name: str, rule: str | Rule = "URI") -> Column:
    """The first value of a parameter of each query, decoded as in ``URI.query_pairs``.

    Null without such a parameter. Errors: as ``validate``. Cost: that of ``components``, and
    Python's for texts with a query.

    >>> import pyarrow
    >>> parameter(pyarrow.array(["http://a/?x=1&q=%C3%A9+", "http://a/"]), "q").to_pylist()
    ['é ', None]
    """
    return made(COLUMNS["parameter"].asked(name, rule), array)


def made(asked: Asked, array: Any) -> Column:
    """The column that is asked for. Errors: TypeError for an array that holds no text."""
    column = texts_of(array)
    if asked.column.kind == "verdict":
        return verdicts(column, asked.rule)
    if asked.column.kind == "violations":
        return of_each(column, asked.rule)
    kind = {"components": _COMPONENTS, "text": pa.string() if asked.names else column.type}
    return _by_chunk(partial(_made, asked), column, kind[asked.column.kind])


def _made(asked: Asked, chunk: pa.Array) -> pa.Array:
    """Texts or components of one chunk: from the engine where it knows them, else from Python."""
    if asked.source is not None:
        chunk = _made(asked.source, chunk)
    cuts = dividers(asked.rule, "re2", asked.names) if asked.names else ()
    own: dict[str, pa.Array] = {}
    others = chunk.is_valid()
    if cuts or asked.column.accepted == "text":
        valid = _judged(chunk, asked.rule)
        others = pc.fill_null(pc.invert(valid), False)
        own = _divided(pc.if_else(valid, chunk, None), cuts) if cuts else {"": chunk}
    values = [*asked.work(as_texts(chunk.filter(others)))]
    kind = pa.string() if asked.names else chunk.type
    if asked.column.kind == "text":
        return _placed(own.get(asked.option or ""), others, values, kind)
    columns = [
        _placed(own.get(name), others, [each[name] for each in values], kind)
        for name in asked.names
    ]
    return pa.StructArray.from_arrays(columns, fields=list(_COMPONENTS), mask=pc.is_null(chunk))


def _placed(own: pa.Array | None, others: pa.Array, values: list[Any], kind: Any) -> pa.Array:
    """A column, null if there is none, with the values in the rows where ``others`` is true."""
    column = pa.nulls(len(others), kind) if own is None else pc.cast(own, kind)
    return pc.replace_with_mask(column, others, pa.array(values, kind)) if values else column


def of_present(function: Callable[..., Iterable[Any]], kind: Any, *columns: pa.Array) -> pa.Array:
    """A function of the values of each row; a row with a null is null."""
    rows = [*zip(*(column.to_pylist() for column in columns), strict=True)]
    there = [row for row in rows if None not in row]
    values = iter(function(*map(list, zip(*there, strict=True))) if there else ())
    return pa.array([None if None in row else next(values) for row in rows], kind)


def of_each(column: Column, rule: Rule, explained: Explainer | None = None) -> Column:
    """The violations of each row: a list of ``VIOLATION``, empty for a valid row, null for null."""
    pieces = _pieces(column.chunks if isinstance(column, pa.ChunkedArray) else [column])
    masks: list[pa.Array] = []

    def refused() -> Iterator[str]:
        # While the texts of a piece are explained, the verdicts of the next ones are made.
        for piece, valid in zip(
            pieces, _in_threads(partial(_judged, rule=rule), pieces), strict=True
        ):
            masks.append(pc.invert(valid))
            yield from as_texts(piece.filter(masks[-1]))

    found = iter([*(explained(refused()) if explained else explain(rule, refused()))])
    lists = [_lists(mask, [*islice(found, mask.true_count)]) for mask in masks]
    return _shaped(lists, column, pa.list_(VIOLATION))


def verdicts(column: Column, rule: Rule) -> Column:
    """``validate``, of a column as ``texts_of`` gives it, against a rule."""
    return _by_chunk(partial(_judged, rule=rule), column, pa.bool_())


def texts_of(array: Any) -> Column:
    """A column of strings, whatever holds them. Errors: TypeError for anything else."""
    if isinstance(array, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        raise _table(array.schema)
    if isinstance(array, pa.Array | pa.ChunkedArray):
        column = array
    elif hasattr(array, "__arrow_c_stream__"):
        column = pa.chunked_array(array)
    elif hasattr(array, "__arrow_c_array__"):
        column = pa.array(array)
    else:
        raise wrong("array", array, "an array of pyarrow, or a value with __arrow_c_stream__")
    if pa.types.is_struct(column.type):  # which is how a table of another library comes
        raise _table(column.type)
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_strings(c) for c in column.chunks] or [[]], _type(column.type))
    return _strings(column)


def _table(fields: Any) -> TypeError:
    names = ", ".join(repr(field.name) for field in fields)
    return TypeError(f"array is a table; give one of its columns: {names}")


def _type(given: pa.DataType) -> pa.DataType:
    """The type that texts of a type are read as. Errors: TypeError, if it holds no text."""
    if isinstance(given, pa.BaseExtensionType):
        return _type(given.storage_type)
    if pa.types.is_dictionary(given) or pa.types.is_run_end_encoded(given):
        return _type(given.value_type)
    if pa.types.is_large_string(given) or pa.types.is_large_binary(given):
        return pa.large_string()
    if pa.types.is_string(given) or pa.types.is_binary(given) or pa.types.is_null(given):
        return pa.string()
    if pa.types.is_string_view(given) or pa.types.is_binary_view(given):
        return pa.large_string()
    raise TypeError(f"the array holds {given}, and text is needed: cast it to string first")


def _strings(array: pa.Array) -> pa.Array:
    """One chunk as strings; binary data is not converted, because it need not be UTF-8."""
    kind = array.type
    wanted = _type(kind)
    if isinstance(kind, pa.BaseExtensionType):
        return _strings(array.storage)
    if pa.types.is_dictionary(kind):
        return pc.take(_strings(array.dictionary), array.indices)
    if pa.types.is_run_end_encoded(kind):
        return _strings(pc.run_end_decode(array))
    if pa.types.is_binary_view(kind):
        array = pc.cast(array, pa.large_binary())
    if pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type):
        return array.view(wanted)
    return array if kind == wanted else pc.cast(array, wanted)


def _by_chunk(work: Callable[[Any], Any], column: Column, made: pa.DataType) -> Column:
    """The work on all rows, in the threads of pyarrow; the shape of the column stays."""
    pieces = _pieces(column.chunks if isinstance(column, pa.ChunkedArray) else [column])
    return _shaped([*_in_threads(work, pieces)], column, made)


def _shaped(pieces: list[pa.Array], column: Column, made: pa.DataType) -> Column:
    """What was made of pieces, in the chunks of the column."""
    if not isinstance(column, pa.ChunkedArray):
        return pa.concat_arrays(pieces)
    done = pa.chunked_array(pieces, made)
    chunks: list[pa.Array] = []
    first = 0
    for chunk in column.chunks:
        own = done[first : first + len(chunk)]
        chunks.append(own.chunk(0) if own.num_chunks == 1 else pa.concat_arrays(own.chunks))
        first += len(chunk)
    return pa.chunked_array(chunks, made)


def _pieces(chunks: list[pa.Array]) -> list[pa.Array]:
    """The chunks, small ones joined and large ones cut: at least one."""
    pieces: list[pa.Array] = []
    small: list[pa.Array] = []
    rows = 0
    for chunk in chunks:
        small.append(chunk)
        rows += len(chunk)
        if rows >= _AT_ONCE:
            pieces.append(pa.concat_arrays(small))
            small, rows = [], 0
    if small or not pieces:
        pieces.append(pa.concat_arrays(small or [pa.array([], pa.string())]))
    return [p[i : i + _AT_ONCE] for p in pieces for i in range(0, max(len(p), 1), _AT_ONCE)]


def ahead(work: Callable[[_In], _Out], items: Iterable[_In], most: int) -> Iterator[_Out]:
    """The work on each, in their order; what comes next is done in the meantime, in threads."""
    waiting: deque[Future[_Out]] = deque()
    with ThreadPoolExecutor(most) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _in_threads(work: Callable[[Any], Any], pieces: list[pa.Array]) -> Iterator[Any]:
    """The work on each piece, in their order."""
    if len(pieces) == 1 or pa.cpu_count() == 1:
        return map(work, pieces)
    return ahead(work, pieces, min(pa.cpu_count(), len(pieces)))


def _judged(chunk: pa.Array, rule: Rule) -> pa.Array:
    """The verdicts of the engine's expression, on valid UTF-8; of Python where there is none.

    A small chunk takes a shorter expression first, since reading the whole one costs more; for a
    few rows, Python is faster.
    """
    pattern = rule.pattern("re2") if len(chunk) > _ALONE else None
    if pattern is None or (_BEYOND_ASCII in pattern and not utf_8(chunk)):
        there = chunk.is_valid()
        answers = [*rule.are_valid(as_texts(chunk.filter(there)))]
        return _placed(None, there, answers, pa.bool_())
    few = brief(rule.grammar.compiled, rule.name) if len(chunk) < _FEW else None
    if few is None:
        return pc.match_substring_regex(chunk, pattern)
    valid = pc.match_substring_regex(chunk, few)
    rest = pc.invert(valid)
    if not rest.true_count:
        return valid
    others = chunk.filter(rest)
    if len(others) > _ALONE:
        answers = pc.match_substring_regex(others, pattern)
    else:
        answers = pa.array([*rule.are_valid(as_texts(others))], pa.bool_())
    return pc.replace_with_mask(valid, rest, answers)


def utf_8(chunk: pa.Array) -> bool:
    """Whether all strings are UTF-8: files can hold others. Cost: O(n), little."""
    try:
        chunk.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def as_texts(chunk: pa.Array) -> list[str]:
    """The texts of a chunk without nulls; a byte that is not UTF-8 is a lone surrogate."""
    try:
        found: list[str] = chunk.to_pylist()
    except UnicodeDecodeError:
        wide = pa.types.is_large_string(chunk.type)
        octets = chunk.view(pa.large_binary() if wide else pa.binary()).to_pylist()
        return [each.decode("utf-8", "surrogateescape") for each in octets]
    return found


def _lists(invalid: pa.Array, found: list[list[Row]]) -> pa.ListArray:
    """The violations of the rows of one chunk, from those of its invalid rows, in order."""
    columns = zip(*chain.from_iterable(found), strict=True) if found else ()
    values = [pa.array(column, one.type) for column, one in zip(columns, VIOLATION, strict=False)]
    flat = pa.StructArray.from_arrays(values, fields=list(VIOLATION)) if values else []
    ends = pa.array(accumulate(map(len, found), initial=0), pa.int32())
    lists = pa.ListArray.from_arrays(ends, pa.array(flat, VIOLATION))
    # A valid row takes the empty list that is put after the others, a null row takes null.
    both = pa.concat_arrays([lists, pa.array([[]], lists.type)])
    place = pc.if_else(invalid, _ordinals(invalid), pa.scalar(len(found), pa.int64()))
    return both.take(place)


def _ordinals(mask: pa.Array) -> pa.Array:
    """For a row where a mask is true, the number of such rows before it."""
    ones = pc.cast(pc.fill_null(mask, False), pa.int64())
    return pc.subtract(pc.cumulative_sum(ones), 1)


def _divided(texts: pa.Array, cuts: tuple[Cut, ...]) -> dict[str, pa.Array]:
    """The parts that the first expression that matches finds, by name; for null, all are null."""
    found: dict[str, list[pa.Array]] = {}
    left = texts
    for cut in cuts:
        if left.null_count == len(left):
            break
        groups = pc.extract_regex(left, cut.pattern)
        left = pc.if_else(groups.is_valid(), None, left)
        for part, group in zip(cut.parts, groups.flatten(), strict=True):
            own = _without_delimiters(group, len(part.before), len(part.after))
            inside = _divided(own, part.inner) if part.inner else {part.name: own}
            for name, inner in inside.items():
                found.setdefault(name, []).append(inner)
    return {name: pc.coalesce(*several) for name, several in found.items()}


def _without_delimiters(group: pa.Array, before: int, after: int) -> pa.Array:
    """The part of a group between its delimiters; null if it is absent."""
    if not before and not after:
        return group
    inside = pc.utf8_slice_codeunits(group, before, -after or None)
    return pc.if_else(pc.equal(group, ""), None, inside)
