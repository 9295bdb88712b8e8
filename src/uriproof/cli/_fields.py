"""Names and values on the command line: read as NAME=VALUE, shown as one pair a line.

May import ``drawing`` and the other modules of this package. Invariant: a field is divided at its
first equals sign, and nothing that is shown can pass for another field or steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..text.drawing import visible
from . import _click as click
from . import _inputs
from ._answers import Answer

__all__ = ["encoded", "pairs_in", "shown", "texts_in"]


def texts_in(given: Iterable[str]) -> Iterator[str]:
    """The arguments; for ``-`` the lines of standard input. Errors: UsageError, if unreadable."""
    for line in _inputs.texts(given):
        if isinstance(line, _inputs.Unreadable):
            raise click.UsageError(line.why)
        if line.text is None:
            raise click.UsageError(f"{line.place}: {line.why.removesuffix('; not checked')}")
        if not line.blank:
            yield line.text


def pairs_in(given: Iterable[str]) -> list[tuple[str, str]]:
    """The fields, each divided at its first equals sign. Errors: UsageError, if one has none."""
    found: list[tuple[str, str]] = []
    for number, text in enumerate(texts_in(given)):
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"item {number} is not NAME=VALUE: {visible(text[:60])}")
        found.append((name, value))
    return found


def encoded(work: Any) -> int:
    """Print what the work gives; the exit code: 1 if it cannot be encoded, 2 for invalid usage."""
    from ..percent.errors import EncodeError

    try:
        click.echo(work())
    except EncodeError as error:
        click.echo(f"uriproof: {visible(str(error))}", err=True)
        return 1
    except (LookupError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    return 0


def shown(text: str, items: Iterable[Any]) -> Answer:
    """Decoded items for JSON, and as lines: a name, a tab and its value, or one text."""
    items = [list(item) if isinstance(item, tuple) else item for item in items]
    lines = ["\t".join(map(visible, [i] if isinstance(i, str) else i)) for i in items]
    return {"text": text, "items": items}, "\n".join(lines)
