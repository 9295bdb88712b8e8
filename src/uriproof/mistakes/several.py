"""Several URIs, or several hosts, in one text.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from ..limits import MOST_SUGGESTIONS
from ._form import Correction, Seen
from ._marks import CLOSING, OPENING, quoted
from ._starts import Start, is_known, starts

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_BETWEEN = frozenset(("and", "or", "to", "und", "oder", "et", "ou", "y", "o", "e"))
"""Words that stand between URIs: whoever writes more of them than this writes data."""
_ENDS = "".join((CLOSING | OPENING) - frozenset("_*'")) + ",;|"
_MARKS = "".join(OPENING | CLOSING) + ",;|.&+-=>\u2192"


def uris(seen: Seen) -> Correction | None:
    """``http://a/, http://b/``, ``http://a/ 2x, http://b/ 1x``, one a line."""
    text = seen.text
    if text.count(":") + text.count("www.") < 2:  # noqa: PLR2004 -- two URIs
        return None
    found = [one for one in starts(text) if one.apart or _is_glued(seen, one.at)]
    if len(found) < 2 or text[: found[0].at].strip(_MARKS):  # noqa: PLR2004
        return None
    ends = [*[one.at for one in found[1:]], len(text)]
    pieces = [_piece(text, one.at, end) for one, end in zip(found, ends, strict=True)]
    if None in pieces or _is_data(text, found):
        return None
    count = len(pieces)
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    return Correction(tuple([one for one in pieces if one][:MOST_SUGGESTIONS]), number)


def _is_glued(seen: Seen, at: int) -> bool:
    """Whether another URI starts in what can only be a port."""
    first = seen.first
    return at > 0 and first is not None and first.component == "port" and first.start >= at


def _piece(text: str, start: int, end: int) -> str | None:
    """The URI at the start of a part, if only what separates URIs comes after it."""
    words = text[start:end].split()
    after = [word.strip(_MARKS) for word in words[1:]]
    if not all(word.lower() in _BETWEEN or _is_descriptor(word) for word in after if word):
        return None
    before = text[start - 1] if start else ""
    bare = (quoted(before, words[0]) if before in OPENING else words[0]).rstrip(_ENDS)
    scheme, colon, rest = bare.partition(":")
    return bare if not colon or rest.strip("/") or not is_known(scheme) else None


def _is_descriptor(word: str) -> bool:
    """``2x`` or ``480w``: how HTML's srcset says which image is for what."""
    return word[-1:] in ("x", "w") and word[:-1].replace(".", "").isdecimal()


def _is_data(text: str, found: list[Start]) -> bool:
    """Whether the others are a list in the first one's query, without white space."""
    query = text.find("?", 0, found[1].at)
    return query >= 0 and not any(text[one.at - 1].isspace() for one in found[1:])
