"""What a finder finds in a text, for the tests of each."""

from __future__ import annotations

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import finder
from uriproof.lint.found import Found

__all__ = ["blamed", "found", "urls"]


def found(name: str, text: str) -> list[Found]:
    """What is found in a file of a name."""
    return list(finder(name).find(text, name))


def urls(name: str, text: str) -> list[str]:
    return [one.text for one in found(name, text)]


def blamed(name: str, text: str) -> list[str]:
    """What is blamed, as it stands in the file."""
    judge = Judge()
    return [
        text[one.offset(violation.start) : one.offset(violation.end)]
        for one in found(name, text)
        for violation in judge.violations(one)
    ]
