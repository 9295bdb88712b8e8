"""How a run of the linter tells: formats, counts, and the dump of URLs.

May import every other layer. Invariant: what is printed does not depend on the number of
processes, and a password is never in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ..diagnostic import Diagnostic
from ..lint.engine.analyze import Dumped
from ..render import Style
from ..text.drawing import visible
from . import _click as click

__all__ = ["dumper", "formats", "rendered", "statistics"]


def formats() -> tuple[str, ...]:
    """The names of the formats of findings."""
    from ..render.diagnostics import formats

    return formats()


def rendered(form: str, found: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """The findings in a format."""
    from ..lint.codes import Infos
    from ..render.diagnostics import renderer

    return renderer(form)(found, style, Infos())


def statistics(codes: Counter[str], mendable: Counter[str], form: str) -> Iterator[str]:
    """How often each code was found, the most frequent first."""
    from ..lint.codes import codes as table

    counted = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    known = table() if counted else {}
    if form in {"json", "jsonl"}:
        import json

        entries = [
            {"code": c, "title": known[c].title, "count": n, "mendable": mendable[c]}
            for c, n in counted
        ]
        lines = [json.dumps(entry) for entry in entries]
        yield (
            "".join(f"{line}\n" for line in lines)
            if form == "jsonl"
            else ("[" + ",\n".join(lines) + "]\n")
        )
        return
    width = max((len(f"{number:,}") for _, number in counted), default=0)
    longest = max((len(code) for code, _ in counted), default=0)
    for code, number in counted:
        fix = f" ({mendable[code]:,} mendable)" if mendable[code] else ""
        yield f"{number:{width},}  {code:{longest}}  {known[code].title}{fix}\n"


def dumper(form: str, why: bool) -> Callable[[Iterable[Dumped]], None]:
    """What shows URLs; with ``why``, also what each was taken for, and the verdict."""

    def show(dumped: Iterable[Dumped]) -> None:
        for one in dumped:
            place = f"{visible(one.file)}:{one.line}:{one.column}"
            if form in {"json", "jsonl"}:
                import json

                names = ("file", "line", "column", "url", "rule", "why", "verdict")
                click.echo(json.dumps({name: getattr(one, name) for name in names}))
            elif not why:
                if one.rule:
                    click.echo(f"{place}: {visible(one.url)}")
            elif one.rule:
                click.echo(f"{place}: {visible(one.url)}")
                click.echo(f"    {visible(one.why)}; {one.rule}: {one.verdict}")
            else:
                click.echo(f"{place}: {visible(one.url)}")
                click.echo(f"    no URL: {visible(one.why)}")

    return show
