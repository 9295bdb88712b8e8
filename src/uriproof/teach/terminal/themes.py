"""The two themes of the terminal, dark and light: the colours of the page.

Owns them. Imports Textual. Invariant: every colour has a name, and both themes have every name.
"""

from __future__ import annotations

import os

from textual.theme import Theme

__all__ = ["DARK", "LIGHT", "THEMES", "by_terminal"]

DARK, LIGHT = "uriproof-dark", "uriproof-light"

_COLOURS = {
    "ok": ("#7fd69c", "#17693a"),
    "blame": ("#ff9a94", "#b3141f"),
    "pick": ("#2f4468", "#cfe0f5"),
    "edge": ("#4a505c", "#b9b4a8"),
    "c-scheme": ("#e5a3e0", "#8b2a86"),
    "c-authority": ("#b9c0cd", "#4a5160"),
    "c-userinfo": ("#e9b183", "#86480f"),
    "c-host": ("#8cc3ff", "#0b57a8"),
    "c-port": ("#74d6d6", "#00666b"),
    "c-path": ("#9bd487", "#2b681d"),
    "c-query": ("#e6c766", "#765300"),
    "c-fragment": ("#c0b2ff", "#5a43bd"),
}
"""By name: on a dark and on a light background."""


def _theme(name: str, dark: bool) -> Theme:
    variables = {key: pair[not dark] for key, pair in _COLOURS.items()}
    ink, paper, panel = (
        ("#e8e6e1", "#15171c", "#262a33") if dark else ("#1d1f24", "#fdfcfa", "#ece8df")
    )
    return Theme(
        name=name,
        primary=variables["c-host"],
        success=variables["ok"],
        error=variables["blame"],
        warning=variables["c-query"],
        foreground=ink,
        background=paper,
        surface=paper,
        panel=panel,
        dark=dark,
        variables={
            **variables,
            "text-muted": "#a2a8b4" if dark else "#5c6068",
            "footer-background": panel,
        },
    )


THEMES = (_theme(DARK, True), _theme(LIGHT, False))


def by_terminal() -> str:
    """The theme for the background that the terminal says it has, if it says so; else dark."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in {"7", "15"} else DARK
