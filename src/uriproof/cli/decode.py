"""``uriproof decode``: percent-encoded text in, data out.

May import every other layer. Invariant: text that cannot be decoded is reported with its offset, or
treated as ``--errors`` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import click

from ..rule import GENERIC
from ..text.drawing import visible
from ..text.patterns import lazy
from ._answers import Answer, answer, refuse_options
from ._group import examples
from ._options import FIELDS, choice, flag, format_option, refuse_beside, value

_KINDS: dict[str, Callable[[str], bool]] = {
    "ascii": str.isascii,
    "printable": str.isprintable,
    "alphanumeric": str.isalnum,
}
_RANGE = lazy(r"U\+(?P<first>[0-9A-F]{4,6})(?:-U\+(?P<last>[0-9A-F]{4,6}))?", re.I | re.A)


def _accepted(
    _: click.Context, __: click.Parameter, given: tuple[str, ...]
) -> Callable[[str], bool] | None:
    """A test for characters that all the given options accept. Errors: BadParameter."""
    tests = [_KINDS.get(words) or _ranges(words) for words in given]
    return (lambda char: all(test(char) for test in tests)) if tests else None


def _ranges(words: str) -> Callable[[str], bool]:
    found: list[tuple[int, int]] = []
    for part in words.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            kinds = ", ".join(_KINDS)
            raise click.BadParameter(
                f"{words!r}: give one of {kinds}, or code points such as U+0020-U+007E,U+00E9"
            )
        first = int(match["first"], 16)
        found.append((first, int(match["last"] or match["first"], 16)))
    return lambda char: any(first <= ord(char) <= last for first, last in found)


@click.command(
    short_help="Decode percent-encoded text, or fields.",
    epilog=examples(
        ("uriproof decode a%20b", "as UTF-8"),
        ("uriproof decode --form a+b", "a value of form data"),
        ("uriproof decode --fields form 'q=a+b&lang=en'", "one field on each line"),
        ("uriproof decode --errors replace %FF", "even if not UTF-8"),
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@value("-c --component NAME", "Component, or other production, to validate the text against.")
@value("-g --grammar NAME", "Grammar of that production.", default=GENERIC)
@flag("as_form --form", "Decode as form data: + is a space.")
@choice(
    "--fields",
    FIELDS,
    "Show the fields of form data, or of a query in this grammar (with --form, + is a space).",
)
@flag("--no-empty-values", "In a query: reject empty values.")
@value("--encoding TEXT", "Encoding of the octets.", default="utf-8")
@choice(
    "--errors",
    ("raise", "replace", "drop", "keep", "whatwg"),
    "How to treat text that cannot be decoded; whatwg (with --fields form): as browsers do.  "
    "[default: raise; with --fields form, whatwg]",
)
@value(
    "--accept CHARACTERS",
    "Characters to accept in the result: ascii, printable, alphanumeric, or code points "
    "(U+0020-U+007E,U+00E9). If repeated, a character must be in all of them.",
    multiple=True,
    callback=_accepted,
)
@flag("--octets", "Write the raw octets without line ends.")
@flag("--u-escapes", "Read %uXXXX, as JavaScript's escape() writes it.")
@format_option
def command(*, texts: tuple[str, ...], fields: str | None, form: str, **options: Any) -> int:
    """Percent-decode each TEXT, and each line of standard input (-).

    With --octets, the result need not be text, and JSON has hexadecimal digits. With --fields, each
    line is a name, a tab and a value, with control characters escaped; JSON has them unescaped.

    \b
    Exit code: 0  every text is decoded, or treated as --errors says
               1  at least one text cannot be decoded, or does not match the grammar
               2  invalid usage, or something could not be read
    """
    if options["errors"] == "whatwg" and fields != "form":
        raise click.UsageError("--errors whatwg needs --fields form.")
    if fields is not None:
        return _decode_fields(texts, fields, form, **options)
    refuse_beside("text without --fields", "no_empty_values")
    del options["no_empty_values"]
    if options.pop("octets"):
        refuse_beside("--octets", "as_form", "encoding", "errors", "accept", "u_escapes")
        return _decode_octets(texts, form, options["component"], options["grammar"])
    return _decode_each(texts, form, **options)


def _decode_octets(texts: tuple[str, ...], form: str, component: str | None, grammar: str) -> int:
    from ..percent.decode import decode_octets

    def work(text: str) -> Answer:
        whole = decode_octets(text, component, grammar=grammar)
        return {"text": text, "octets": whole.hex()}, whole

    refuse_options(lambda: decode_octets("", component, grammar=grammar))
    return answer(texts, work, form, blank=True)


def _decode_each(
    texts: tuple[str, ...], form: str, *, as_form: bool, errors: Any, **options: Any
) -> int:
    from ..percent.decode import decode_report

    def work(text: str, how: Any = errors or "raise") -> Answer:
        found = decode_report(text, form=as_form, errors=how, **options)
        faults = [fault.to_dict() for fault in found.faults]
        return {"text": text, "decoded": found.text, "faults": faults}, found.text

    refuse_options(lambda: work("", "drop"))
    return answer(texts, work, form, aligned=True, blank=True)


def _decode_fields(
    texts: tuple[str, ...],
    fields: str,
    form: str,
    *,
    as_form: bool,
    no_empty_values: bool,
    errors: Any,
    encoding: str,
    accept: Any,
    **_: Any,
) -> int:
    from ..percent.form import decode_form, decode_query

    refuse_beside("--fields", "component", "grammar", "octets", "u_escapes")
    if fields == "form":
        refuse_beside("--fields form", "as_form", "no_empty_values")

    def work(text: str) -> Answer:
        if fields == "form":
            how: Any = errors or "whatwg"
            return _shown(text, decode_form(text, errors=how, accept=accept, encoding=encoding))
        items = decode_query(
            text,
            fields,
            errors=errors or "raise",
            form=as_form,
            empty_values=not no_empty_values,
            accept=accept,
            encoding=encoding,
        )
        return _shown(text, items)

    refuse_options(lambda: work("a=a"))
    return answer(texts, work, form)


def _shown(text: str, items: Iterable[Any]) -> Answer:
    """Decoded items for JSON, and as lines: a name, a tab and its value, or one text."""
    items = [list(item) if isinstance(item, tuple) else item for item in items]
    lines = ["\t".join(map(visible, [i] if isinstance(i, str) else i)) for i in items]
    return {"text": text, "items": items}, "\n".join(lines)
