"""Which column holds the texts: the one that is named, or the only one that can be meant.

Owns the choice and its errors. Imports how names are compared; pyarrow for the types of schemas.
Invariant: an error lists the columns that there are, with their types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ....text.drawing import visible
from ....text.names import did_you_mean
from . import Unreadable

__all__ = ["TEXT", "Path", "choose", "leaves"]

Path: TypeAlias = tuple[str, ...]
"""The names that lead to a column: of structs, then its own."""

TEXT = "string"
"""The type of a column that holds texts; others are named as they are in the file."""

_MOST = 30
"""Columns that an error lists."""


def leaves(schema: Any) -> dict[Path, str]:
    """The columns of an Arrow schema, those within structs too, and the type of each."""
    import pyarrow as pa

    from ...arrow import texts_of

    found: dict[Path, str] = {}

    def visit(field: Any, before: Path) -> None:
        path = (*before, field.name)
        if pa.types.is_struct(field.type):
            for inner in field.type:
                visit(inner, path)
            return
        try:
            texts_of(pa.nulls(0, field.type))
            found[path] = TEXT if not pa.types.is_null(field.type) else "null"
        except (TypeError, pa.ArrowException):
            found[path] = str(field.type)

    for field in schema:
        visit(field, ())
    return found


def choose(wanted: str | None, columns: Mapping[Path, str]) -> Path:
    """The column that is meant. Errors: ``Unreadable``.

    >>> choose(None, {("id",): "int64", ("url",): TEXT})
    ('url',)
    >>> choose("a.b", {("a", "b"): TEXT})
    ('a', 'b')
    """
    listed = _listed(columns)
    if not columns:
        raise Unreadable("it has no columns")
    if wanted is None:
        texts = [path for path, kind in columns.items() if kind == TEXT]
        if len(texts) == 1:
            return texts[0]
        which = "several columns hold" if texts else "no column holds"
        what = f"; name one of them with --column: {listed}" if texts else f": {listed}"
        raise Unreadable(f"{which} text{what}")
    found = [path for path in columns if ".".join(path) == wanted]
    if not found:
        names = [".".join(path) for path in columns]
        near = did_you_mean(wanted, names)
        raise Unreadable(f"no column {visible(wanted)!r}{near or ';'} columns: {listed}")
    kind = columns[found[0]]
    if kind != TEXT:
        raise Unreadable(
            f"the column {visible(wanted)!r} holds {kind}, and text is needed; columns: {listed}"
        )
    return found[0]


def _listed(columns: Mapping[Path, str]) -> str:
    shown = [f"{visible('.'.join(path))} ({kind})" for path, kind in [*columns.items()][:_MOST]]
    if len(columns) > _MOST:
        shown.append(f"and {len(columns) - _MOST:,} more")
    return ", ".join(shown)
