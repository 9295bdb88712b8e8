"""``lessons``: the bundled lessons, in their order."""

from __future__ import annotations

from typing import Any

from ..fields import Fields


def answer(_: Fields) -> dict[str, Any]:
    """Nothing in; the id, number, title, section, concept, minutes and size of each lesson out."""
    from ..lessons.shelf import bundled

    return {
        "lessons": [
            {
                "id": lesson.id,
                "number": lesson.number,
                "title": lesson.title,
                "section": lesson.section,
                "concept": lesson.concept,
                "minutes": lesson.minutes,
                "exercises": len(lesson.exercise),
            }
            for lesson in bundled().values()
        ]
    }
