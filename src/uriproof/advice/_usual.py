"""Which texts are so usual that some rules need not be asked.

Owns that judgment, for the many URLs of a linter. Imports nothing, and none of the rules.
Invariant: what is usual gets no advice of these rules (a test compares both on the whole corpus).
"""

from __future__ import annotations

_NEVER_OF_USUAL = frozenset(
    {"doubled-scheme", "empty-host", "html-entity"}
    | {"missing-slashes", "misspelled-scheme", "userinfo-password"}
)


def is_usual(text: str, codes: tuple[str, ...]) -> bool:
    """Whether a URI reference is of so usual a form that none of the codes is its advice.

    Nearly all URLs of files are, and none of the rules has to know their components for that.

    >>> is_usual("https://example.com/a?b#c", ("empty-host",))
    True
    """
    if not _NEVER_OF_USUAL.issuperset(codes) or "&" in text:
        return False
    if ":" not in text:
        return text[:2] != "//"
    if not text.startswith(("http://", "https://")):
        return False
    slashes = text.index("//") + 1
    begins_well = text[slashes + 1 : slashes + 2].isalnum()
    return begins_well and "@" not in text and text.find("//", slashes) < 0
