"""Drawings as data: what a page builds elements of, without reading markup.

Owns that form. Imports the standard library. Invariant: text stays text; nothing in a drawing is
ever parsed as HTML.
"""

from __future__ import annotations

from typing import Any, TypeAlias
from xml.etree import ElementTree

__all__ = ["Drawn", "drawn"]

Drawn: TypeAlias = list[Any]
"""A name, a dictionary of attributes, and then children: each a string or a drawing."""


def drawn(svg: str) -> Drawn:
    """An SVG that this package made, as data. Cost: O(n).

    >>> drawn('<svg width="8"><text>a&amp;b</text></svg>')
    ['svg', {'width': '8'}, ['text', {}, 'a&b']]
    """
    return _drawn(ElementTree.fromstring(svg))  # noqa: S314 -- the package's own drawing


def _drawn(element: ElementTree.Element) -> Drawn:
    made: Drawn = [element.tag.rpartition("}")[2], dict(element.attrib)]
    if element.text and element.text.strip():
        made.append(element.text)
    for child in element:
        made.append(_drawn(child))
        if child.tail and child.tail.strip():
            made.append(child.tail)
    return made
