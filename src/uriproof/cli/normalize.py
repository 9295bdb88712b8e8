"""``uriproof normalize``: the normal form of each text.

May import every other layer. Invariant: standard output has one line for each text, blank for
one without a normal form, unless steps are asked for.
"""

from __future__ import annotations

from ..uri.normalize import LEVELS, normalization_steps, normalize
from . import _click as click
from ._answers import Answer, answer, format_option


@click.command(
    section="Read and rewrite",
    short_help="Normalize URIs.",
    examples=(
        ("uriproof normalize HTTP://E.com/a/../%7eb", "the normal form"),
        ("uriproof normalize --steps HTTP://a/./b", "what each level changed"),
        ("uriproof normalize - < urls.txt", "a line each"),
    ),
)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT... | -")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default=LEVELS[-1],
    show_default=True,
    help="How far to normalize: each level includes those before it (RFC 3986 section 6.2).",
)
@click.option("--steps", is_flag=True, help="Also show what each level changed.")
@format_option
def command(*, texts: tuple[str, ...], level: str, steps: bool, form: str) -> int:
    """Normalize each TEXT, a URI or a relative reference; - is each line of standard input.

    \b
    Exit code: 0  every text is normalized
               1  some text is no URI-reference
               2  invalid usage, or something could not be read
    """

    def work(text: str) -> Answer:
        if form == "text" and not steps:
            return {}, normalize(text, level)
        made = normalization_steps(text, level)
        result = made[-1].after if made else text
        lines = [result]
        for step in made:
            for change in step.changes:
                before, after = (
                    "undefined" if value is None else f'"{value}"'
                    for value in (change.before, change.after)
                )
                lines.append(
                    f"  {step.level:<16}  {change.component}: {before} -> {after}"
                    f"  (RFC 3986 §{step.section})"
                )
        record = {"text": text, "normalized": result, "steps": [s.to_dict() for s in made]}
        return record, "\n".join(lines)

    return answer(texts, work, form, aligned=not steps)
