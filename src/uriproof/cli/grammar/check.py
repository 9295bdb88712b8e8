"""``uriproof grammar check``: what is wrong, and what is doubtful, in files of ABNF.

May import every other layer. Invariant: text and JSON tell the same faults and remarks, in the
order of the files and of their text.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ...text.drawing import visible
from .. import _click as click
from .._answers import format_option
from .._files import read_text

_CODES = "shadowed-alternative,unused-rule"


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--ignore", metavar="CODES", default="", help=f"Remarks to leave out, such as {_CODES}."
)
@format_option
def command(*, files: tuple[str, ...], ignore: str, form: str) -> int:
    """Proofread each FILE of ABNF (RFC 5234, RFC 7405).

    A fault makes a grammar unusable. A remark is about a correct grammar that may not mean what
    its author means: it has a code, and is a fact.

    \b
    Exit code: 0  nothing to remark
               1  faults or remarks
               2  some file could not be read, or the call is wrong
    """
    from ...grammar.errors import GrammarLimit
    from ...grammar.registry import load
    from ...workbench.lint_abnf import CODES, lint_abnf

    left_out = {code.strip() for code in ignore.split(",")} - {""}
    if unknown := sorted(left_out - set(CODES)):
        raise click.UsageError(
            f"No remark has the code {visible(unknown[0])}; the codes are {', '.join(CODES)}."
        )
    code = 0
    records: list[dict[str, Any]] = []
    for file in files:
        name = os.path.basename(file).removesuffix(".abnf")
        try:
            text = read_text(file)
            faults, found = lint_abnf(text, name=name, file=file, resolve=lambda n: load(n).model)
        except (click.UsageError, GrammarLimit) as error:
            code = 2
            sys.stdout.flush()
            click.echo(f"uriproof: {visible(str(error))}", err=True)
            continue
        remarks = [remark for remark in found if remark.code not in left_out]
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
        for told in (*faults, *remarks):
            click.echo(str(told))
        click.echo(_summary(file, len(faults), len(remarks)))
    if form == "json":
        import json

        click.echo(json.dumps(records, indent=1))
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
    parts = [
        f"{number:,} {word}{'s' * (number != 1)}"
        for number, word in ((faults, "fault"), (remarks, "remark"))
        if number
    ]
    return f"{visible(file)}: {' and '.join(parts) or 'nothing to remark'}"
