"""Several URIs, or several hosts, in one text.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from ..advice._marks import CLOSING, OPENING, quoted
from ..limits import MOST_SUGGESTIONS
from ._form import Correction, Seen, accepts, form
from ._starts import Start, is_known, starts

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_BETWEEN = frozenset(("", "and", "or", "to", "und", "oder", "et", "ou", "y", "o", "e"))
"""Words that stand between URIs: whoever writes more of them than this writes data."""
_ENDS = "".join((CLOSING | OPENING) - frozenset("_*'")) + ",;|"
_MARKS = "".join(OPENING | CLOSING) + ",;|.&+-=>\u2192"


@form("several-uris", "These are {} URIs.")
def uris(seen: Seen) -> Correction | None:
    """``http://a/, http://b/``, ``http://a/ 2x, http://b/ 1x``, one a line."""
    text = seen.text
    if text.count(":") + text.count("www.") < 2:  # noqa: PLR2004 -- two URIs
        return _hosts(seen)
    found = [one for one in starts(text) if one.apart or _is_glued(seen, one.at)]
    if len(found) < 2 or _is_data(text, found):  # noqa: PLR2004
        return None
    ends = [*[one.at for one in found[1:]], len(text)]
    pieces = [_piece(text, one.at, end) for one, end in zip(found, ends, strict=True)]
    if not all(pieces):
        return None
    return _correction(pieces)


def _correction(pieces: list[str]) -> Correction:
    count = len(pieces)
    number = _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
    return Correction(tuple(pieces[:MOST_SUGGESTIONS]), number)


def _hosts(seen: Seen) -> Correction | None:
    """``example.org, example.net``, where a scheme should be."""
    first, words = seen.first, seen.text.replace(",", " ").replace(";", " ").split()
    if first is None or first.component != "scheme" or len(words) < 2:  # noqa: PLR2004
        return None
    hosts = [word.partition("/")[0] for word in words]
    if all("." in host and host[-1].isalpha() and accepts("host", host) for host in hosts):
        return _correction(words)
    return None


def _is_glued(seen: Seen, at: int) -> bool:
    """Whether another URI starts in what can only be a port."""
    first = seen.first
    return at > 0 and first is not None and first.component == "port" and first.start >= at


def _piece(text: str, start: int, end: int) -> str:
    """The URI at the start of a part; nothing if there is a scheme alone."""
    word = text[start:end].split(maxsplit=1)[0]
    before = text[start - 1] if start else ""
    bare = (quoted(before, word) if before in OPENING else word).rstrip(_ENDS)
    scheme, colon, rest = bare.partition(":")
    return bare if not colon or rest.strip("/") or not is_known(scheme) else ""


def _is_data(text: str, found: list[Start]) -> bool:
    """Whether the others are data of the first one: in its query, where other words are beside
    them or no white space is, or in a URI without an authority."""
    first, second = found[0].at, found[1].at
    scheme, _, rest = text[first:second].partition(":")
    if "." not in scheme and not rest.startswith("//"):
        return not all(text.startswith(scheme, one.at) for one in found[1:])
    if "?" not in text[:second]:
        return False
    apart = any(text[one.at - 1].isspace() for one in found[1:])
    ends = [*[one.at for one in found[1:]], len(text)]
    words = [
        word
        for one, end in zip(found, ends, strict=True)
        for word in text[one.at : end].split()[1:]
    ]
    return not apart or not all(map(_is_between, words))


def _is_between(word: str) -> bool:
    """What stands between URIs: a mark, ``and``, the number of an item, or ``2x`` or ``480w``, by
    which HTML's srcset says which image is for what."""
    bare = word.strip(_MARKS)
    number = bare[:-1] if bare[-1:] in ("x", "w") else bare
    return bare.lower() in _BETWEEN or number.replace(".", "").isdecimal()


@form("two-urls", "These are {} URIs.")
def glued(seen: Seen) -> Correction | None:
    """``http://a,http://b``, valid: the second scheme ends the host."""
    return uris.recognize(seen) if seen.component("port") == "" else None


@form(
    "nested-unescaped-url", 'The URL in the query is not encoded, so that its "&" and "#" end it.'
)
def nested(seen: Seen) -> Correction:
    """``?to=http://h/?a=1&b=2``: what belongs to the inner URL, only its writer knows."""
    return Correction()
