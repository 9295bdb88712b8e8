"""``uriproof grammar check``: errors and questionable rules in files of ABNF.

May import every other layer. Invariant: text and JSON have the same faults and advice, in the
order of the files and of their text.
"""

from __future__ import annotations

import os
from typing import Any

import click

from ...text.drawing import visible
from ...text.names import some
from .._group import Refused, examples, files
from .._inputs import read_text
from .._options import format_option, value
from .._output import complain, print_json

_CODES = "shadowed-alternative,unused-rule"


@click.command(
    short_help="Check grammars for errors and likely mistakes.",
    epilog=examples(("uriproof grammar check own.abnf", "errors and advice")),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@value("--ignore CODES", f"Advice to ignore, such as {_CODES}.", default="")
@format_option
def command(*, files: tuple[str, ...], ignore: str, form: str) -> int:
    """Check each FILE of ABNF (RFC 5234, RFC 7405).

    An error makes a grammar unusable. Advice points out rules that are valid but might not mean
    what the author intended.

    \b
    Exit code: 0  no errors and no advice
               1  errors or advice
               2  a FILE could not be read, or invalid usage
    """
    from ...grammar.errors import GrammarLimit
    from ...grammar.registry import load
    from ...workbench.abnf.lint import CODES, lint_abnf

    ignored = {code.strip() for code in ignore.split(",")} - {""}
    if unknown := sorted(ignored - set(CODES)):
        raise Refused(f"unknown advice code {unknown[0]!r}; the codes are {', '.join(CODES)}")
    code = 0
    records: list[dict[str, Any]] = []
    for file in files:
        name = os.path.basename(file).removesuffix(".abnf")
        try:
            text = read_text(file)
            faults, found = lint_abnf(text, name=name, file=file, resolve=lambda n: load(n).model)
        except (Refused, GrammarLimit) as error:
            code = 2
            complain(str(error))
            continue
        remarks = [remark for remark in found if remark.code not in ignored]
        if faults or remarks:
            code = max(code, 1)
        if form == "json":
            records.append(
                {
                    "file": file,
                    "ok": not faults,
                    "faults": [_record(f, f.cause) for f in faults],
                    "remarks": [_record(r, r.code) | {"witness": r.witness} for r in remarks],
                }
            )
            continue
        for one in (*faults, *remarks):
            click.echo(str(one))
        click.echo(_summary(file, len(faults), len(remarks)))
    if form == "json":
        print_json(records)
    return code


def _record(found: Any, code: str) -> dict[str, Any]:
    return {
        "line": found.line,
        "column": found.column,
        "length": found.length,
        "code": code,
        "message": found.message,
    }


def _summary(file: str, faults: int, remarks: int) -> str:
    parts = [some(faults, "error")] * bool(faults) + [some(remarks, "warning")] * bool(remarks)
    return f"{visible(file)}: {' and '.join(parts) or 'no errors'}"
