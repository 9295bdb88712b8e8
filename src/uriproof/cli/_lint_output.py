"""What ``uriproof lint`` prints: diagnostics, counts, URLs and settings.

May import every other layer. Invariant: what is printed does not depend on the number of
processes, and a password is never in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..diagnostic import Diagnostic
from ..lint.config.settings import FormatOptions, Settings, key
from ..lint.found import UrlRecord
from ..render import Style
from ..text.drawing import visible

__all__ = ["records", "rendered", "settings", "statistics"]


def rendered(form: str, found: Iterable[Diagnostic], style: Style) -> Iterator[str]:
    """The diagnostics in a format."""
    from ..lint.explain import RuleInfos
    from ..render.diagnostics import renderer

    return renderer(form)(found, style, RuleInfos())


def statistics(codes: Counter[str], fixable: Counter[str], form: str) -> Iterator[str]:
    """How often each code was reported, the most frequent first."""
    import json

    from ..lint.codes import codes as table
    from ..render import json_array

    counted = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
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


def records(urls: Iterable[UrlRecord], form: str, why: bool) -> Iterator[str]:
    """URLs as lines; with ``why``, also what each was taken for, and the verdict."""
    import json

    for one in urls:
        if form in {"json", "jsonl"}:
            yield json.dumps(one._asdict())
        elif why or one.rule:
            yield f"{visible(one.file)}:{one.line}:{one.column}: {visible(one.url)}"
            if why and one.rule:
                yield f"    {visible(one.why)}; {one.rule}: {one.verdict}"
            elif why:
                yield f"    no URL: {visible(one.why)}"


def settings(values: Settings) -> str:
    """The settings as the configuration would have them."""
    import json

    return json.dumps(_written(values), indent=2)


def _written(value: Any) -> Any:
    if isinstance(value, Settings | FormatOptions):
        return {key(name): _written(one) for name, one in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: _written(one) for name, one in value.items()}
    return value
