"""Placeholders that were not filled in, and texts that were cut off.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from ..grammar.schemes import SCRIPTS
from ..report import Violation
from . import placeholders
from ._form import Correction, Seen, accepts, are_hex, form
from ._starts import is_uri

_MOST = 40
_OF_URIS = ("rfc3986", "rfc3987", "rfc9110", "rfc9112")
"""Grammars whose braces are never those of a template."""
_LOOKED_AT = 20
"""Violations at which a placeholder is looked for."""


_ELEMENTS = frozenset(("iframe", "script", "style", "svg"))
"""Elements of attacks; those of texts are nowhere taken for placeholders."""
_BEFORE = 3


@form("placeholder", '"{}" is a placeholder that was not filled in.', any_rule=True)
def placeholder(seen: Seen) -> Correction | None:
    """``{id}``, ``${HOST}``, ``<%= path %>``, ``%(name)s``, at some violation."""
    if not (seen.whole or seen.report.grammar in _OF_URIS) or _is_data(seen.text):
        return None
    text = seen.text
    wrong = [v for v in seen.report.violations[:_LOOKED_AT] if v.kind != "missing"]
    port = seen.report.components.get("port")  # a rule may have none
    spans: list[tuple[int, int]] = []
    first: placeholders.Sign | None = None
    at = 0
    while wrong and (found := placeholders.alone(text, at)) is not None:
        start, end, sign = found
        wrong = [v for v in wrong if v.start >= at]
        one = next((v for v in wrong if start <= v.start < end), None)
        test = _is_code if sign.alone == placeholders.CODE else _is_named
        at = start + 1
        if one is not None and test(text, start, end, one):
            spans.append((start, end))
            first = first or sign
            at = end
    if port is not None and port.text.lower() == "port":
        spans.append((port.start, port.end))
    if not spans:
        return None
    start, end = min(spans)
    shown = text[start:end]
    if first is not None and (len(shown) > _MOST or "@" in text[end:]):
        shown = placeholders.without_name(text, spans[0][0], first)
    return Correction((), shown, tuple(sorted(spans)))


@form("open-placeholder", 'The closing brace of the placeholder "{}" is missing.')
def open_placeholder(seen: Seen) -> Correction | None:
    """``http://h/{id``, ``http://h/${ID/a``: the closing brace was forgotten, or cut off."""
    text, first = seen.text, seen.first
    if first is None or first.found != "{" or "}" in text or text.count("{") > 1:
        return None
    start = first.start - (text[first.start - 1 : first.start] == "$")
    name = text[first.end :].split("/")[0].split("?")[0]
    shown = f"{text[start : first.end]}{name}"
    fits = name.isidentifier() and len(shown) <= _MOST and "@" not in text[first.end :]
    return Correction((), shown, ((start, start + len(shown)),)) if fits else None


def _is_data(text: str) -> bool:
    """Whether the text has a program, or a file, in it."""
    scheme = text[:20].partition(":")[0].lower()
    return scheme == "data" or scheme in SCRIPTS


def _is_code(text: str, start: int, end: int, wrong: Violation) -> bool:
    del wrong
    inner = text[start:end].strip("{}[]<>()%$#@*|?!~\\ ")
    return inner != "" and "://" not in inner and not accepts("IPv6address", inner)


def _is_named(text: str, start: int, end: int, wrong: Violation) -> bool:
    """Whether what is between signs that data can have too is a name to be filled in."""
    shown, component = text[start:end], wrong.component
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    match shown[0]:
        case "$" if shown[1] != "(":  # in place of a port, nothing else could be meant
            return component == "port" and before == ":"
        case "%" if shown[-1] == "%":  # of which either percent sign may be the one that is wrong
            name = shown[1:-1]
            return wrong.start == start or (name.isupper() and len(name) >= _BEFORE)
        case "%":  # not "100%s"
            goes_on = after == "_" or (after.isascii() and after.isalnum())
            return not before.isdecimal() and not goes_on
        case "[":
            return _is_in_brackets(before, after, shown[1:-1], component)
        case "<":
            name = shown[1:-1]
            apart = not before.isalnum() and not after.isalnum()
            is_words = placeholders.is_words(name.replace(":", " "))
            return apart and is_words and name.lower() not in _ELEMENTS
        case "{":
            # JSON; a regular expression, or TeX
            nested = component in _DATA and (after == "}" or "\\" in text)
            return not nested and _is_in_braces(before, shown[1:-1], component)
    return shown[0] == "@" or placeholders.is_words(shown.strip("$()«»"))


_DATA = ("query", "fragment")
"""Components whose braces and colons can be of JSON."""


def _is_in_braces(before: str, inner: str, component: str) -> bool:
    """RFC 6570, and what Python, Flask, ASP.NET and others write: ``{+path}``, ``{0}``,
    ``{id:int}``, ``{name!r}``; not JSON, a GUID, or a quantifier."""
    data = component in _DATA
    if not inner.strip():
        return not inner and not data
    if '"' in inner or "=" in inner or "{" in inner:
        return False
    if inner.isdecimal():
        return len(inner) <= 2 and before not in ("]", ")", "\\")  # noqa: PLR2004
    name = inner.strip().lstrip("+#./;?&$:@!")
    operator = name != inner.strip()
    name, mark, _ = name.partition(":")
    if mark and data:
        return False
    names = [one.rstrip("*!rs?") or one for one in name.split(",")]
    every = all(placeholders.is_words(one.strip("[]'")) for one in names)
    return (len(names) == 1 or operator) and every


def _is_in_brackets(before: str, after: str, inner: str, component: str) -> bool:
    """``/[slug]/``, ``/[...path]``, and ``[HOST]`` in place of a host."""
    name = inner.removeprefix("...")
    is_name = name.isupper() and name.replace("-", "_").isidentifier()
    if component == "host":
        return is_name and len(name) >= _BEFORE
    if component == "query" and before == "=":
        return is_name and "_" in name
    segment = component == "path" and before == "/" and after in ("", "/", "?")
    return segment and placeholders.is_words(name)


# Texts that were cut off


@form("cut-off", 'The text was cut off at "{}".')
def ellipsis(seen: Seen) -> Correction | None:
    """``http://h/abc…``: shortened to be shown."""
    text = seen.text.rstrip(")]\"'")
    if text.endswith("…"):
        return Correction((), "…")
    if text.endswith("...") and is_uri(text) and not text.startswith("...", len(text) - 4):
        return Correction((), "...")
    return None


@form("left-out", '"{}" stands for text that was left out.')
def elided(seen: Seen) -> Correction | None:
    """``http://h/…/c``, ``http://…/``: what is between was left out."""
    for mark, part in (("[...]", ""), ("[…]", ""), ("/…", "…"), ("…/", "…")):
        at = seen.text.find(mark)
        if at >= 0:
            shown = part or mark
            at += mark.index(shown)
            return Correction((), shown, ((at, at + len(shown)),))
    return None


@form("cut-escape", 'The text was cut off in the middle of a percent-encoded octet: "{}".')
def cut_escape(seen: Seen) -> Correction | None:
    """``http://h/a%20b%2``: the last escape has too few digits."""
    text = seen.text
    at = text.rfind("%", -2)
    if at < 0 or not is_uri(text) or not are_hex(text[at + 1 :]):
        return None
    escaped = any(accepts("pct-encoded", text[i : i + 3]) for i in (text.find("%"), at - 3))
    whole = at + 1 == len(text)
    number = text[at - 1].isdigit() and not accepts("pct-encoded", text[at - 3 : at])
    if whole and (number or not escaped):
        return None  # a percent sign
    if not whole and not escaped and text[at - 1].isdigit():
        return None
    return Correction((), text[at:], ((at, len(text)),))


@form("cut-address", 'The text was cut off: the "]" after the IPv6 address is missing.')
def open_bracket(seen: Seen) -> Correction | None:
    """``http://[2001:db8::``: the address, and perhaps more, is missing."""
    first, host = seen.first, seen.component("host") or ""
    if first is None or (first.component, first.kind) != ("host", "missing"):
        return None
    if first.start != len(seen.text):
        return None
    if accepts("IPv6address", host[1:]):
        return Correction((f"{seen.text}]",))
    return Correction() if host == "[" or "IPv6address" in first.path else None  # not IPvFuture
