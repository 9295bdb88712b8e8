"""Which codes are reported: selectors, and the strongest of those that match a code.

Owns the groups of codes, and the meaning of ``select`` and ``ignore``. Imports the codes of
mistakes. Invariant: the verdict on a code depends only on the selectors, not on their order.

A selector is a code, a code prefix ("path", "encoded-"), or the name of a group. The longest that
matches a code decides; if ``select`` and ``ignore`` match equally, it is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from ...advice import MISTAKES

_T = TypeVar("_T")


class Words(NamedTuple):
    """What one code of a group is, and what they all are."""

    one: str
    every: str


GROUPS = {
    "all": Words("a code", "All codes"),
    "violations": Words(
        "a violation of the grammar",
        "Violations: texts that a production of the grammar does not allow",
    ),
    "advice": Words("advice", "Advice: valid but questionable; most of it is off by default"),
    "mistakes": Words("advice", "Mistakes: advice on what is hardly ever intended; on by default"),
    "security": Words(
        "security advice", "Security: valid, but a known attack pattern; off by default"
    ),
    "linter": Words("a rule of the linter itself", "Linter: rules about files and suppressions"),
}
"""The groups that can be selected, by their names."""

DEFAULT = ("violations", "linter", "mistakes")
"""The default selection."""


def _strength(selector: str, code: str, group: str) -> int:
    """How strongly a selector matches a code of a group; 0 if it does not."""
    if selector == "all":
        return 1
    if selector == group or (selector == "mistakes" and code in MISTAKES):
        return 2
    return len(selector) + 2 if selector and code.startswith(selector) else 0


def strongest(chosen: Mapping[str, _T], code: str, group: str) -> _T | None:
    """The choice of the longest selector that matches a code of a group; None if none does.

    >>> strongest({"advice": 1, "encoded-": 2}, "encoded-slash", "advice")
    2
    """
    best = max(chosen, key=lambda selector: _strength(selector, code, group), default="")
    return chosen[best] if _strength(best, code, group) else None


class Selection:
    """Selectors of the codes to report, and of those to ignore.

    >>> some = Selection(("violations", "encoded-"), ("path", "encoded-slash"))
    >>> some.has("host-illegal", "violations"), some.has("path-illegal", "violations")
    (True, False)
    >>> some.has("encoded-null", "advice"), some.has("encoded-slash", "advice")
    (True, False)
    """

    def __init__(self, select: tuple[str, ...] = DEFAULT, ignore: tuple[str, ...] = ()) -> None:
        self.select = select
        self.ignore = ignore
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, code: str, group: str) -> bool:
        """Whether a code of a group is reported. Cost: constant, after the first call."""
        key = code, group
        verdict = self._known.get(key)
        if verdict is None:
            for_, against = (
                max((_strength(s, code, group) for s in side), default=0)
                for side in (self.select, self.ignore)
            )
            verdict = self._known[key] = for_ > against
        return verdict

    def ignoring(self, selectors: Iterable[str]) -> Selection:
        """The same, with more selectors to ignore."""
        return Selection(self.select, (*self.ignore, *selectors))


def unknown(selectors: Iterable[str], codes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The selectors that match no code, each with near names.

    >>> unknown(["pat", "violatons"], ["path-illegal"])
    {'violatons': ('violations',)}
    """
    from ...text.names import near

    known = tuple(codes)
    wrong = [
        selector
        for selector in selectors
        if selector not in GROUPS
        and not (selector and any(code.startswith(selector) for code in known))
    ]
    words = dict.fromkeys(code.partition("-")[0] for code in known)
    return {selector: near(selector, (*GROUPS, *words, *known)) for selector in wrong}
