"""The list of what is wrong with a text, and of what is doubtful; of a valid one, its components.

Owns that list. Imports Textual and what is known of a text. Invariant: no text makes it longer than
a person reads; what is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ....text.drawing import short
from .. import paint

if TYPE_CHECKING:
    from ..ask import Seen

__all__ = ["Violations"]

_MOST = 60  # violations in the list
_SHOWN = 48  # code points of a component


class Violations(OptionList):
    """Violations, each with its fix, and advice below them."""

    def __init__(self) -> None:
        super().__init__(id="violations", classes="pane", markup=False)
        self.border_title = "violations and advice"
        self._known: dict[str, dict[str, Any]] = {}

    def one(self, option: str | None) -> dict[str, Any] | None:
        """The violation or the advice of an option."""
        return self._known.get(option or "")

    def show(self, seen: Seen) -> int:
        """List what is known of a text; gives how many violations there are."""
        width = self.scrollable_content_region.width or self.screen.size.width - 4
        violations, advice = seen.violations, seen.advice
        count = len(violations) + (seen.report["more"] if seen.report else 0)
        self._known = {f"v{i}": one for i, one in enumerate(violations[:_MOST])}
        options = [Option(paint.violation(v, width), id=key) for key, v in self._known.items()]
        if count > _MOST:
            options.append(Option(f"… and {count - _MOST:,} more violations", disabled=True))
        if seen.error:
            options.append(Option(f"? {paint.safe(seen.error)}", disabled=True))
        elif seen.ok:
            verdict = f"✔ valid {seen.subject.rule}", "bold $ok"
            options.append(Option(paint.joined(verdict, *_components(seen)), disabled=True))
        for i, one in enumerate(advice[:_MOST]):
            self._known[f"a{i}"] = one
            options.append(Option(paint.advice(one, width), id=f"a{i}"))
        self.clear_options()
        self.add_options(options)
        return count


def _components(seen: Seen) -> Iterator[paint.Piece]:
    """The components of a valid text, one a line."""
    spans = seen.spans()
    column = max((len(span.name) for span in spans), default=0)
    for span in spans:
        text = seen.subject.text[span.start : span.end]
        yield f"\n  {span.name:<{column}}  ", "$text-muted"
        yield short(text, _SHOWN) if text else "(empty)", ""
        if span.production != span.name:
            yield f"  {span.production}", "$text-muted"
