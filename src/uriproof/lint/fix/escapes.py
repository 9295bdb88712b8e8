"""How a character is written in a file, so that its format reads that character.

Owns the escaping of fixes, by the names that ``Found.escape`` has. Imports the standard library
alone. Invariant: what is written for a text, the format decodes to that text.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["ESCAPES"]


def _plain(text: str) -> str:
    return text


def _html(text: str) -> str:
    """In an attribute or in character data (HTML Standard §13.1.2.3, XML 1.0 §2.4)."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text.replace("'", "&#39;")


def _json(text: str) -> str:
    """In a string (RFC 8259 §7)."""
    import json

    return json.dumps(text)[1:-1]


def _css(text: str) -> str:
    """In a string or in ``url()`` without quotes (CSS Syntax 3 §4.3.7)."""
    for char in "\\\"'() \t":
        text = text.replace(char, f"\\{char}")
    return text.replace("\n", "\\a ").replace("\r", "\\d ").replace("\f", "\\c ")


def _rst(text: str) -> str:
    """In text and in a target (reStructuredText, Escaping Mechanism): white space there is lost
    unless it is escaped, and what a backslash stands before has no meaning."""
    for char in "\\<>`_*| ":
        text = text.replace(char, f"\\{char}")
    return text


def _angle(text: str) -> str:
    """In a link destination between angle brackets (CommonMark 0.31 §6.3)."""
    for char in "\\<>":
        text = text.replace(char, f"\\{char}")
    return text.replace("&", "&amp;")


def _doubled(text: str) -> str:
    """Where a percent sign begins something unless it is doubled: a batch file, a unit of systemd,
    what configparser or printf reads."""
    return text.replace("%", "%%")


def _tex(text: str) -> str:
    """In TeX, where a percent sign begins a comment (The TeXbook, chapter 7)."""
    for char in "%#&_":
        text = text.replace(char, f"\\{char}")
    return text


def _single_quotes(text: str) -> str:
    """Between single quotes (YAML 1.2.2 §7.3.2)."""
    return text.replace("'", "''")


def _doubled_quotes(text: str) -> str:
    """In a field between quotes (RFC 4180 §2)."""
    return text.replace('"', '""')


ESCAPES: dict[str, Callable[[str], str]] = {
    "plain": _plain,
    "html": _html,
    "json": _json,
    "css": _css,
    "rst": _rst,
    "angle": _angle,
    "doubled": _doubled,
    "tex": _tex,
    "single-quotes": _single_quotes,
    "doubled-quotes": _doubled_quotes,
}
