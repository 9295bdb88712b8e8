"""The rule ``unused-suppression``. Invariant: no suppression can suppress it, only ``ignore``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from ...diagnostic import Edit
from ..config.settings import Settings
from ..suppress.comments import VERBS, Suppression, near_verb
from . import Problem

CODE = "unused-suppression"
TITLE = "A suppression that suppresses nothing"
WHY = (
    "What it was written for has been fixed, or its code is misspelled. It may hide the next "
    "violation on its line."
)
GOOD = 'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal] the server requires it'
BAD = 'URL = "http://example.com/a%20b"  # uriproof: ignore[path-illegal]'
SEVERITY: Literal["error", "warning", "note"] = "warning"


def check_suppressions(
    known: list[Suppression], settings: Settings, is_active: Callable[[str], bool]
) -> Iterator[Problem]:
    """Each suppression, or code in one, that suppresses nothing.

    A code that is not active now may be needed another time: it is not reported.
    """
    for one in known:
        removal = Edit(*one.removal, "", True) if one.removal else None
        if one.verb not in VERBS:
            near = near_verb(one.verb)
            hint = f"; did you mean {near}?" if near else f"; they are {', '.join(VERBS)}"
            yield Problem(one.start, one.end, f"there is no suppression {one.verb!r}{hint}")
        elif one.verb == "enable" or not one.codes:
            if not one.used:
                yield Problem(one.start, one.end, _nothing(one), removal)
        else:
            idle = [(c, at) for c, at in one.codes if c not in one.used and is_active(c)]
            if len(idle) == len(one.codes):
                yield Problem(one.start, one.end, _nothing(one), removal)
            else:
                for code, at in idle:
                    yield Problem(at, at + len(code), f"there is no {code} here")


def _nothing(one: Suppression) -> str:
    if one.verb != "enable":
        return "it suppresses nothing"
    return f"no block{' of these codes' if one.codes else ''} is open here"
