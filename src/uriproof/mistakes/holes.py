"""Placeholders that were not filled in, and texts that were cut off.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from typing import NamedTuple

from ..grammar.schemes import SCRIPTS
from ..report import Violation
from ._form import Correction, Seen, accepts, are_hex
from ._starts import is_uri

_MOST = 40
_NEAR = 100
"""Characters on either side of a violation that the ends of a placeholder are looked for in."""
_OF_URIS = ("rfc3986", "rfc3987", "rfc9110", "rfc9112")
"""Grammars whose braces are never those of a template."""
_LOOKED_AT = 20
"""Violations at which a placeholder is looked for."""


class _Marks(NamedTuple):
    """How a template language delimits a placeholder.

    ``free``: whatever stands between them is code; else it has to be a name.
    """

    opening: str
    closing: str
    free: bool = True


_TEMPLATES = (
    _Marks("{{{", "}}}"),  # Handlebars, Mustache
    _Marks("{{", "}}"),  # Jinja, Angular, Go, Liquid, GitHub Actions
    _Marks("{%", "%}"),  # Jinja, Django, Twig
    _Marks("{#", "#}"),
    _Marks("{!!", "!!}"),  # Blade
    _Marks("<%", "%>"),  # ERB, EJS, JSP, ASP
    _Marks("<?", "?>"),  # PHP
    _Marks("${", "}"),  # JavaScript, shells, Maven, Spring, Kotlin
    _Marks("#{", "}"),  # Ruby, Pug, JSF
    _Marks("@{", "}"),  # Thymeleaf, PowerShell
    _Marks("%{", "}"),  # Elixir, Logstash, mod_rewrite
    _Marks("*{", "}"),  # Thymeleaf
    _Marks("!{", "}"),
    _Marks("[[", "]]"),  # MediaWiki, Thymeleaf, Next.js
    _Marks("*|", "|*"),  # Mailchimp
    _Marks("[%", "%]"),  # Template Toolkit
    _Marks("<<", ">>"),  # CircleCI, M4
    _Marks("\\(", ")"),  # Swift
    _Marks("$(", ")", free=False),  # make, Azure, shells
    _Marks("{", "}", free=False),  # RFC 6570, Python, OpenAPI, .NET
    _Marks("<", ">", free=False),  # documentation
    _Marks("[", "]", free=False),  # documentation, Next.js
    _Marks("«", "»", free=False),
)
_ELEMENTS = frozenset(
    ("a", "b", "br", "div", "i", "iframe", "img", "script", "span", "style", "svg")
)
_GUID = 36
"""Characters of a GUID: 32 digits, four hyphens."""
_BEFORE = 3


def placeholder(seen: Seen) -> Correction | None:
    """``{id}``, ``${HOST}``, ``<%= path %>``, ``%(name)s``, at some violation."""
    if not (seen.whole or seen.report.grammar in _OF_URIS) or _is_data(seen.text):
        return None
    templates = [marks for marks in _TEMPLATES if marks.opening in seen.text]
    if not (templates or any(mark in seen.text for mark in "%$@") or seen.component("port")):
        return None
    spans: list[tuple[int, int]] = []
    for one in seen.report.violations[:_LOOKED_AT]:
        if spans and one.start < spans[-1][1]:
            continue
        found = _placeholder(seen, one, templates)
        if found is not None:
            spans.append(found)
    if not spans:
        return None
    start, end = spans[0]
    shown = seen.text[start:end]
    if len(shown) > _MOST or "@" in seen.text[end:]:
        shown = _abbreviated(shown)
    return Correction((), shown, tuple(spans))


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


def _abbreviated(shown: str) -> str:
    """A placeholder without the name in it."""
    for one in _TEMPLATES:
        if shown.startswith(one.opening):
            return f"{one.opening}…{one.closing}"
    return f"{shown[0]}…"


def _placeholder(
    seen: Seen, violation: Violation, templates: list[_Marks]
) -> tuple[int, int] | None:
    """Where a placeholder is that a violation belongs to."""
    text, at = seen.text, violation.start
    if violation.kind == "missing":
        return None
    if violation.component == "port":
        port = seen.report.components.get("port")  # a rule may have none
        if port is not None and port.text.lower() == "port":
            return port.start, port.end
        found = _variable(text, at)
        if found is not None:
            return found
    if text.startswith("%", at) and (found := _directive(text, at) or _of_windows(text, at)):
        return found
    if text.startswith("@", at) and (found := _of_ant(text, at)):
        return found
    spans = [span for marks in templates if (span := _between(text, at, violation, marks))]
    return min(spans, key=lambda span: (span[0], -span[1]), default=None)


def _between(text: str, at: int, violation: Violation, marks: _Marks) -> tuple[int, int] | None:
    """A placeholder with these marks around a place, if there is one."""
    opening, closing, free = marks
    low = max(at - _NEAR, 0)
    start = text.rfind(opening, low, at + len(opening))
    end = text.find(closing, start + len(opening), at + _NEAR) if start >= 0 else -1
    if end < 0 or end + len(closing) <= at:
        return None
    inner = text[start + len(opening) : end]
    if accepts("IPv6address", inner):
        return None
    if free:
        return (start, end + len(closing)) if _is_code(inner) else None
    span = start, end + len(closing)
    return span if _is_named(text, span, inner, opening, violation.component) else None


def _is_code(inner: str) -> bool:
    return inner.strip() != "" and "\n" not in inner and "://" not in inner


def _is_named(text: str, span: tuple[int, int], inner: str, opening: str, component: str) -> bool:
    """Whether what is between simple marks is the name of something to be filled in."""
    before, after = text[: span[0]][-1:], text[span[1] : span[1] + 1]
    if opening == "[":
        return _is_in_brackets(before, after, inner, component)
    if opening == "<":
        apart = not before.isalnum() and not after.isalnum()
        return apart and _is_words(inner.replace(":", " ")) and inner.lower() not in _ELEMENTS
    if opening == "{":
        data = component in ("query", "fragment")
        nested = data and (after == "}" or "\\" in text)  # JSON; a regular expression, or TeX
        return not nested and _is_in_braces(before, inner, component)
    return _is_words(inner)


def _is_words(inner: str) -> bool:
    """A few words, as in ``your-domain``, ``user id``, ``object.name``."""
    words = inner.strip().replace("-", " ").replace(".", " ").split()
    return 0 < len(words) <= 6 and all(w.replace("'", "").isidentifier() for w in words)  # noqa: PLR2004


def _is_in_braces(before: str, inner: str, component: str) -> bool:
    """RFC 6570, and what Python, Flask, ASP.NET and others write: ``{+path}``, ``{0}``,
    ``{id:int}``, ``{name!r}``; not JSON, a GUID, or a quantifier."""
    data = component in ("query", "fragment")
    if not inner.strip():
        return not inner and not data
    if '"' in inner or "=" in inner or "{" in inner or _is_guid(inner):
        return False
    if inner.isdecimal():
        return len(inner) <= 2 and before not in ("]", ")", "\\")  # noqa: PLR2004
    name = inner.strip().lstrip("+#./;?&$:@!")
    operator = name != inner.strip()
    name, mark, _ = name.partition(":")
    if mark and data:
        return False
    names = [one.rstrip("*!rs?") or one for one in name.split(",")]
    return (len(names) == 1 or operator) and all(_is_words(one.strip("[]'")) for one in names)


def _is_in_brackets(before: str, after: str, inner: str, component: str) -> bool:
    """``/[slug]/``, ``/[...path]``, and ``[HOST]`` in place of a host."""
    name = inner.removeprefix("...")
    if component == "host":
        return name.isupper() and name.replace("-", "_").isidentifier() and len(name) >= _BEFORE
    if component == "query" and before == "=":
        return name.isupper() and name.replace("-", "_").isidentifier() and "_" in name
    segment = component == "path" and before == "/" and after in ("", "/", "?")
    return segment and len(name) > 1 and _is_words(name)


def _is_guid(text: str) -> bool:
    if len(text) != _GUID:
        return False
    from uuid import UUID

    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _variable(text: str, at: int) -> tuple[int, int] | None:
    """``$PORT`` in place of a port, which has nothing else that could be meant."""
    start = text.rfind("$", max(at - _NEAR, 0), at + 1)
    end = start + 1
    while start >= 0 and end < min(len(text), start + _MOST) and _is_of_name(text[end]):
        end += 1
    if start < 0 or text[start - 1 : start] != ":" or end <= max(start + 1, at):
        return None
    return start, end


def _is_of_name(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _directive(text: str, at: int) -> tuple[int, int] | None:
    """A percent sign of a format: ``%s``, ``%d``, ``%(name)s``, ``%1$s``, ``%@``; not ``100%s``."""
    if text[at - 1 : at].isdigit() and at:
        return None
    end = at + 1
    if text.startswith("(", end):
        end = text.find(")", end, end + _NEAR) + 1
        if not end:
            return None
    elif text[end : end + 1].isdecimal() and text.startswith("$", end + 1):
        end += 2
    is_end = not _is_of_name(text[end + 1 : end + 2] or ".")
    return (at, end + 1) if text[end : end + 1] in ("s", "d", "i", "@") and is_end else None


def _of_windows(text: str, at: int) -> tuple[int, int] | None:
    """``%NAME%``, of which either percent sign may be the one that is not allowed."""
    end = text.find("%", at + 1, at + _MOST)
    if end > 0 and text[at + 1 : end].isidentifier() and not _is_digit_before(text, at):
        closes = not accepts("pct-encoded", text[end : end + 3])
        return (at, end + 1) if closes and end - at >= _BEFORE else None
    start = text.rfind("%", max(at - _MOST, 0), at)
    name = text[start + 1 : at]
    found = start >= 0 and name.isidentifier() and name.isupper() and len(name) >= _BEFORE
    return (start, at + 1) if found and not _is_digit_before(text, start) else None


def _is_digit_before(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isalnum()


def _of_ant(text: str, at: int) -> tuple[int, int] | None:
    """``@HOST@`` in place of a host, as Ant and Maven filter it."""
    start = text.rfind("@", max(at - _MOST, 0), at)
    if start < 0:
        start, at = at, text.find("@", at + 1, at + _MOST)
    name = text[start + 1 : max(at, 0)].replace(".", "_")
    if not name.isidentifier() or not name.isupper() or not text.endswith("//", 0, start):
        return None
    return start, at + 1


# Texts that were cut off


def ellipsis(seen: Seen) -> Correction | None:
    """``http://h/abc…``: shortened to be shown."""
    text = seen.text.rstrip(")]\"'")
    if text.endswith("…"):
        return Correction((), "…")
    if text.endswith("...") and is_uri(text) and not text.startswith("...", len(text) - 4):
        return Correction((), "...")
    return None


def elided(seen: Seen) -> Correction | None:
    """``http://h/…/c``, ``http://…/``: what is between was left out."""
    for mark, part in (("[...]", ""), ("[…]", ""), ("/…", "…"), ("…/", "…")):
        at = seen.text.find(mark)
        if at >= 0:
            shown = part or mark
            at += mark.index(shown)
            return Correction((), shown, ((at, at + len(shown)),))
    return None


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
