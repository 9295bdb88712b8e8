r"""What a URL that looks wrong shows of itself: that it is a pattern, or that a template fills it.

Owns the decision whether something is a placeholder if no template language defines it: by its
form, by the same sign on both sides or before several names, by brackets around all of a component.
Imports ``lint.found`` and the judge. Invariant: only URLs that the judge does not accept are looked
at.

It keeps false errors away, from values of settings above all. What is only mentioned has a note at
most (``Judge.fails``): so nothing here looks at the text around a URL, or at other files.

>>> settled(Found(0, 15, "http://a/%PATH%"), Judge()).why
"'%PATH%' is a placeholder: the same sign is on both sides"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...grammar.expressions import H16
from ...mistakes.placeholders import BRACKETED, FORMS, OPTIONAL, SIGNED, in_brackets
from ...text.patterns import lazy
from ..found import Found
from .judge import Judge

Span = tuple[int, int]
Shown = tuple[Span, str]
"""A placeholder, and what shows that it is one."""

# Each limit bounds the work for each of something, so that the time stays linear; people's
# templates are far below all of them, and anything beyond is reported unchanged.
_MOST = 8  # placeholders, and violations, looked at in a URL: after each, all of it is judged again
_LONGEST = 2_000  # of a URL that might have some: a longer one is data, written by a program
_DEEP = 300  # characters of an optional part, of which each bracket in it is a beginning

# Signs of a regular expression, if quotes delimit the URL: a letter after a backslash, or a dot
# next to another, can be of a path of Windows.
_ESCAPED_SIGN = lazy(r"\\(?:[?*+$^()\[\]{}|]|(?<!\.\\)\.(?![.\\/]))")
# A host in brackets is a mistake of its own: the domains that most names are in (RFC 1591 §2).
_HOST = lazy(r"\[(?:localhost|www\.[^][]*|[^][]*\.(?:com|org|net))\]")


def settled(found: Found, judge: Judge) -> Found | None:
    """A URL that is not accepted, with the holes that it shows; None if it is a pattern. O(n)."""
    if found.rule == "URI" and _ESCAPED_SIGN.search(found.text):  # else a format wants a URL there
        return None
    if len(found.text) > _LONGEST:
        return found
    reasons = [found.why] if found.why else []
    for _ in range(_MOST):
        # All that are shown now, for to judge the URL again costs far more than to look.
        added: list[Span] = []
        for (start, end), because in _shown(found, judge):
            clash = any(a < end and start < b for a, b in added)
            if clash or (start, end) in found.holes:
                continue
            added.append((start, end))
            reasons.append(f"{found.text[start:end]!r} is a placeholder: {because}")
        others = [one for one in found.holes if all(one[1] <= a or b <= one[0] for a, b in added)]
        found = found._replace(holes=tuple(sorted([*others, *added])), why="; ".join(reasons))
        if not added or judge.accepts(found):
            break
    return found


def _shown(found: Found, judge: Judge) -> Iterator[Shown]:
    """The placeholders that violations are in."""
    url = found.text
    forms = [(match.span(), because) for form, because in FORMS for match in form.finditer(url)]
    forms += _signed(url)
    for violation in judge.violations(found)[:_MOST]:
        # A violation can be in the part in brackets, at its signs, or at the sign that ends it.
        first, last = violation.start, min(violation.end, violation.start + _MOST)
        yield from _in_brackets(found, _opener(url, first))
        for at in range(first, last):
            yield from _in_brackets(found, at)
            yield from (one for one in forms if one[0][0] <= at < one[0][1])


def _signed(url: str) -> list[Shown]:
    """Names in capitals that the same sign is before, if there are several."""
    found = [*SIGNED.finditer(url)]
    signs = Counter(match["sign"] for match in found)
    names = (match for match in found if signs[match["sign"]] > 1)
    return [(match.span(), "the same sign is before another name") for match in names]


def _opener(url: str, at: int) -> int:
    """The start of the brackets that an offset is in, or that close there; -1 if in none."""
    depth = 0
    for first in range(at - (url[at : at + 1] == "]"), max(at - _DEEP, -1), -1):
        depth += (url[first : first + 1] == "]") - (url[first : first + 1] == "[")
        if depth < 0:
            return first
    return -1


def _in_brackets(found: Found, at: int) -> Iterator[Shown]:
    """Brackets with an optional part, or with a word that is all of a component."""
    url = found.text
    if at < 0 or url[at] != "[":
        return
    depth, end = 0, at
    for end in range(at, min(len(url), at + _DEEP)):
        depth += (url[end] == "[") - (url[end] == "]")
        if depth == 0:
            break
    is_filled = any(start == at + 1 for start, _ in found.holes)
    optional = OPTIONAL.match(url, at) or OPTIONAL.search(url, at + 1, end)  # [host[:port]]
    # "[user@]host", "[{lang}/]", "[:port]": what is in them ends or begins as a part of a URL does.
    if depth == 0 and (url[end - 1] == "@" or is_filled or optional):
        yield (at, end + 1), "the part in brackets is optional"
        return
    word = in_brackets(url, at, found.linked)
    if word is None or _HOST.fullmatch(url, *word):
        return
    # A text that a format reads as a link is followed unchanged: one word in it is data.
    several = len(BRACKETED.findall(url)) > 1
    is_data = found.rule == "URI-reference" and not (found.holes or url[:at].endswith("//"))
    parts = url[word[0] + 1 : word[1] - 1].split(":")
    is_address = len(parts) > 1 and all(map(H16.fullmatch, parts))
    if several or not (is_data or is_address):
        yield word, "a word in brackets is all of a component"
