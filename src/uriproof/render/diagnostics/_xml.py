"""XML as it is written: tags, and what may stand in them.

Owns the escaping. Imports ``drawing``. Invariant: what is written is well-formed XML 1.0, whatever
characters a value holds.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...text.drawing import visible

__all__ = ["PROLOGUE", "element", "text"]

PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'

# Those three and the quote are all that XML 1.0 §2.4 wants escaped; what is no Char (§2.2) has no
# glyph either, and is made visible.
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def text(value: str) -> str:
    """Character data, or the value of an attribute; line ends stay in character data.

    >>> text("a<b\\n\\0")
    'a&lt;b\\n\\\\x00'
    """
    return "\n".join(visible(line) for line in value.split("\n")).translate(_ESCAPES)


def element(name: str, attributes: Mapping[str, str], *, open_: bool = False) -> str:
    """An empty element, or its start tag."""
    written = "".join(f' {key}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{written}{'' if open_ else '/'}>"
