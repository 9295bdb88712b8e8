"""``uriproof encode``: data in, percent-encoded text out.

May import every other layer. Invariant: the output decodes to the data.
"""

from __future__ import annotations

from typing import Any

import click

from ..rule import GENERIC
from ..text.drawing import visible
from . import _inputs
from ._answers import Answer, answer, refuse_options
from ._group import Refused, examples
from ._options import FIELDS, choice, flag, format_option, refuse_beside, refuse_without, value
from ._output import complain, print_json


@click.command(
    short_help="Percent-encode data, or fields.",
    epilog=examples(
        ("uriproof encode 'a b&c'", "for anywhere in a URI"),
        ("uriproof encode -c query --minimal 'a/b c'", "only what a query requires"),
        ("uriproof encode --fields form 'q=a b' x=1", "form data"),
        ("uriproof encode - < names.txt", "one on each line"),
    ),
)
@click.argument("texts", nargs=-1, metavar="[TEXT]... [-]")
@value("-c --component NAME", "Component, or other production, that the text goes into.")
@value("-g --grammar NAME", "Grammar of that production.", default=GENERIC)
@value("-k --keep DELIMITERS", "Also leave these unencoded.", default="")
@flag("--minimal", "Encode only what the component requires.")
@flag("--every", "Encode every character.")
@flag("as_form --form", "Encode as a name or value of form data: a space is +.")
@choice(
    "--fields",
    FIELDS,
    "Each TEXT is NAME=VALUE; encode all of them as one text: form data, or a query in this "
    "grammar (+ is encoded, a space is %20; for parameters, TEXT is a whole parameter).",
)
@flag("--crlf", "In form data: write line breaks as CR LF.")
@flag("--no-empty-values", "In a query: reject empty values.")
@value("--encoding TEXT", "Encoding of non-ASCII characters.", default="utf-8")
@value("--read-as ENCODING", "Encoding of the input.")
@flag("--octets", "Read the input as raw octets.")
@choice("--base64", ("standard", "url"), "Write octets as Base64 first.")
@format_option
def command(*, texts: tuple[str, ...], fields: str | None, form: str, **options: Any) -> int:
    """Percent-encode each TEXT, and each line of standard input (-).

    By default, all characters except the unreserved ones are encoded, which suits data anywhere in
    a URI.

    \b
    Exit code: 0  every text is encoded
               1  at least one text cannot be encoded, or is not allowed in the component
               2  invalid usage, or something could not be read
    """
    if fields is not None:
        return _encode_fields(texts, fields, form, **options)
    refuse_without("--fields", "crlf", "no_empty_values")
    del options["crlf"], options["no_empty_values"]
    return _encode_each(texts, form, **options)


def _encode_each(
    texts: tuple[str, ...],
    form: str,
    *,
    as_form: bool,
    read_as: str | None,
    octets: bool,
    base64: Any,
    encoding: str,
    **options: Any,
) -> int:
    from ..percent.encode import encode, encode_octets, form_writer

    if octets:
        refuse_beside("--octets", "read_as")
    raw = octets or read_as is not None or base64 is not None
    if as_form:
        refuse_beside("--form", "component", "keep", "minimal", "every", "base64", "read_as")
    if raw and encoding != "utf-8":
        raise click.UsageError("--encoding is for text; for octets, use --read-as.")

    def encoded(data: str | bytes) -> str:
        if as_form:
            return form_writer(encoding)(data)
        if isinstance(data, bytes):
            return encode_octets(data, base64=base64, read_as=read_as, **options)
        return encode(data, encoding=encoding, **options)

    def work(data: str | bytes) -> Answer:
        result = encoded(data)
        text = data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data
        return {"text": text, "encoded": result}, result

    refuse_options(lambda: encoded(b"" if raw else ""))
    return answer(texts, work, form, aligned=True, blank=True, octets=raw)


def _encode_fields(
    texts: tuple[str, ...],
    fields: str,
    form: str,
    *,
    crlf: bool,
    keep: str,
    minimal: bool,
    no_empty_values: bool,
    encoding: str,
    **_: Any,
) -> int:
    """All the texts as one. Returns the exit code: 1 if a field cannot be encoded."""
    from ..percent.errors import EncodeError
    from ..percent.form import encode_form, encode_query

    others = "component", "grammar", "every", "as_form", "read_as", "octets", "base64"
    refuse_beside("--fields", *others)
    given: Any = [*_texts(texts)] if fields == "parameters" else [*map(_field, _texts(texts))]
    try:
        if fields == "form":
            refuse_beside("--fields form", "keep", "minimal", "no_empty_values")
            encoded = encode_form(given, encoding=encoding, crlf=crlf)
        else:
            refuse_beside(f"--fields {fields}", "crlf")
            encoded = encode_query(
                given,
                fields,
                keep=keep,
                minimal=minimal,
                empty_values=not no_empty_values,
                encoding=encoding,
            )
    except EncodeError as error:
        complain(str(error))
        return 1
    except (LookupError, ValueError) as error:
        raise Refused(str(error)) from error
    if form == "json":
        print_json([{"fields": given, "encoded": encoded}])
    else:
        click.echo(encoded)
    return 0


def _texts(given: tuple[str, ...]) -> list[str]:
    """The arguments; for ``-`` the lines of standard input. Errors: ClickException."""
    found: list[str] = []
    for line in _inputs.texts(given):
        if isinstance(line, _inputs.Unreadable):
            raise Refused(line.why)
        if line.text is None:
            raise Refused(f"{line.place}: {line.why}")
        if not line.blank:
            found.append(line.text)
    if not found:
        raise click.UsageError("Nothing to encode: give NAME=VALUE, or - for standard input.")
    return found


def _field(text: str) -> tuple[str, str]:
    """A field, divided at its first equals sign. Errors: UsageError, if it has none."""
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{visible(text[:60])!r} is not NAME=VALUE.")
    return name, value
