"""What ``uriproof lint`` prints: diagnostics, counts, URLs and settings.

May import every other layer. Invariant: what is printed does not depend on the number of
processes, and a password is never in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostic
from ..lint.config.settings import Settings, key
from ..lint.counts import Counts
from ..lint.found import UrlRecord
from ..render import Style
from ..text.drawing import short, visible
from ..text.paths import readable

if TYPE_CHECKING:
    from ..lint.fix.changer import Change

__all__ = ["changes", "records", "rendered", "settings", "statistics"]

_MOST_OF_A_URL = 200


def rendered(form: str, found: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """The diagnostics in a format."""
    from ..lint.explain import RuleInfos
    from ..render.diagnostics import renderer

    return renderer(form)(found, style, RuleInfos())


def statistics(counts: Counts, form: str) -> Iterator[str]:
    """How often each code was reported, the most frequent first."""
    import json

    from ..lint.codes import codes as table
    from ..render import json_array

    fixable = counts.fixable
    counted = sorted(counts.codes.items(), key=lambda item: (-item[1], item[0]))
    known = table() if counted else {}
    if form in {"json", "jsonl"}:
        entries = [
            {"code": c, "title": known[c].title, "count": n, "fixable": fixable[c]}
            for c, n in counted
        ]
        lines = (f"{json.dumps(entry)}\n" for entry in entries)
        yield from lines if form == "jsonl" else json_array(entries)
        return
    width = max((len(f"{number:,}") for _, number in counted), default=0)
    longest = max((len(code) for code, _ in counted), default=0)
    for code, number in counted:
        fix = f" ({fixable[code]:,} fixable)" if fixable[code] else ""
        yield f"{number:{width},}  {code:{longest}}  {known[code].title}{fix}\n"


def changes(made: Iterable[Change]) -> Iterator[str]:
    """What was fixed, a line each: where, and the URL before and after."""
    for one in made:
        place = f"{visible(one.file)}:{one.line}:{one.column}"
        before, after = (short(text, _MOST_OF_A_URL) for text in (one.before, one.after))
        yield f"{place}: {before} -> {after}" if after else f"{place}: removed {before.strip()}"


def records(urls: Iterable[UrlRecord], form: str, why: bool) -> Iterator[str]:
    """URLs as lines; with ``why``, also what each was taken for, and the verdict."""
    import json

    for one in urls:
        if form in {"json", "jsonl"}:
            shown = one._replace(file=readable(one.file), url=readable(one.url))
            yield json.dumps(shown._asdict())
        elif why or one.rule:
            yield f"{visible(one.file)}:{one.line}:{one.column}: {visible(one.url)}"
            if why and one.rule:
                yield f"    {visible(one.why)}; {one.rule}: {one.verdict}"
            elif why:
                yield f"    no URL: {visible(one.why)}"


def settings(values: Settings) -> str:
    """The settings as the configuration would have them, and the excludes of outer files."""
    import json

    shown = {key(name): value for name, value in values._asdict().items()}
    shown["format"] = {name: one._asdict() for name, one in values.format.items()}
    _, *outer = values.levels
    shown["outer"] = {level.file: level.excluded for level in outer}
    return json.dumps(shown, indent=2)
