"""The advice ``misspelled-scheme``.

Owns its texts and its check; imports ``report``, ``grammar.iana`` and the table of schemes.
Invariant: silent on every registered scheme, and on names that are chosen rather than mistyped.
"""

from collections.abc import Iterator
from functools import cache

from ..grammar.scheme_table import TYPED
from ..grammar.schemes import registered
from ..report import Advice, Report

CODE = "misspelled-scheme"
TITLE = "An unregistered scheme that looks misspelled"
WHY = (
    "Any name can be a scheme, so a misspelled one is valid, but no software knows what to do "
    "with it (RFC 3986 §3.1). Schemes are registered with IANA (RFC 7595 §3); this one is "
    "not, as of the date of the list, and differs from a common one by a single typing error."
)
GOOD = "https://example.com/"
BAD = "htpps://example.com/"

_WORDS = 4
"""A name of so few letters is near to many that are chosen; a longer one hardly ever is."""


def find(report: Report) -> Iterator[Advice]:
    scheme = report.components.get("scheme")
    if scheme is None or len(scheme.text) > _longest() + 1 or registered(scheme.text):
        return
    near = [known for known in _common() if _is_slip(scheme.text.lower(), known)]
    if near:
        message = f'"{scheme.text}" is not a registered scheme; perhaps you meant '
        yield Advice(scheme.start, scheme.end, "scheme", CODE, message + " or ".join(near))


@cache
def _common() -> tuple[str, ...]:
    """Permanent schemes that are in everybody's use; those of two letters are near to anything."""
    return tuple(s for s in sorted(TYPED) if len(s) > 2 and registered(s) == "permanent")  # noqa: PLR2004


@cache
def _longest() -> int:
    return max(map(len, _common()))


def _is_slip(written: str, meant: str) -> bool:
    """Whether one slip of a hand that meant this scheme writes that.

    Two letters in the wrong order; a letter left out, added or replaced. The last three only
    as hands do it: names that differ at an end (ftps, httpx, hftp) or in a letter of a short word
    (date, app) are chosen.
    """
    before = _alike(written, meant)
    after = min(_alike(written[::-1], meant[::-1]), min(len(written), len(meant)) - before)
    one, other = (text[before : len(text) - after] for text in (written, meant))
    short = len(meant) <= _WORDS
    last = after == 0
    match len(one), len(other):
        case 2, 2:
            return one == other[::-1]
        case 1, 0:  # added: the letter beside it again, or any between two others
            doubled = one in meant[max(before - 1, 0) : before + 1]
            return doubled or (len(meant) >= _WORDS and not last and before > 0)
        case _ if len(meant) < _WORDS:
            return False
        case 0, 1:  # left out: the first letter, or one of two that are the same
            return not short or before == 0 or other == meant[before - 1]
        case 1, 1:  # replaced, though not the first: by another letter of the name, or by any
            return before > 0 and (one in meant or not (short or last))
    return False


def _alike(one: str, other: str) -> int:
    """How many characters both start with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
