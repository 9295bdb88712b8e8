"""URI cleaning: what a person typed becomes a URI.

Owns ``clean`` and ``cleaning``, for texts that somebody else has put together: encode data with
``encode`` before it is put into a URI. May import ``drawing``, the grammars and its siblings.
Invariant: the result is a text of the rule asked for, or a violation says why it is not; cleaning
it again changes nothing; no escape and no reserved character that may stand where it stands is
touched; what may be meant otherwise, and every change of a host but its case, is a warning.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import category

from ..grammar import registry
from ..text.drawing import named, visible
from .characters import characters
from .cleaning import (
    REPAIRS,
    RULES,
    WARNINGS,
    Change,
    Cleaning,
    CleaningViolation,
    CleaningWarning,
    NotCleaned,
)
from .components import Text, text_of
from .encode import known
from .hosts.domains import labels

__all__ = ["clean", "cleaning", "divided", "is_escape", "percent_encoded"]

# Those that the URL Standard calls special: browsers read \ as / in them, and in no other.
SPECIAL = frozenset({"ftp", "file", "http", "https", "ws", "wss"})

_LOOPS = {
    "userinfo": "userinfo",
    "host": "reg-name",
    "path": "segment",
    "query": "query",
    "fragment": "fragment",
}
_WRAPPING = frozenset("\t\n\r")  # RFC 3986 appendix C
_SHOWN = 60  # code points of a text that a message shows


def clean(
    text: Text,
    rule: str = "URI",
    *,
    repair: bool | Iterable[str] = False,
    allow: bool | Iterable[str] = False,
    encoding: str = "utf-8",
) -> str:
    """The URI that a person meant who typed this text, where nothing else can be meant.

    Percent-encodes, with upper-case digits, exactly the characters that no URI holds. Escapes
    stay, and so do reserved characters. ``repair`` asks for all of ``REPAIRS``, or for those
    named. Text is written in ``encoding``, a host always in UTF-8 (section 3.2.2).

    What may be meant otherwise is an error, unless ``allow`` names its code, or is true for all
    of ``WARNINGS``; so is each change of a host, but of its case. ``cleaning`` raises nothing, and
    tells each change.

    Errors: NotCleaned, with ``cleaning``, the full account and the text that was made; ValueError
    for an unknown repair, warning or rule; UnknownEncoding; TypeError. Cost: O(n).
    Source: RFC 3986 sections 2.1, 2.4 and 3.

    >>> clean("http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f")
    'http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f'
    >>> clean("http://[::1]/a%20b c\u00e9", encoding="latin-1")
    'http://[::1]/a%20b%20c%E9'
    >>> clean(" http:\\\\\\\\example.com\\\\100%?a[]=1 ", repair=True)
    'http://example.com/100%25?a%5B%5D=1'
    >>> try: clean("http://exa mple.com/")
    ... except NotCleaned as error: print(error.warnings[0].code, error.cleaning.result)
    host-character http://exa%20mple.com/
    """
    allowed = _wanted("warning", allow, WARNINGS)
    found = cleaning(text, rule, repair=repair, encoding=encoding)
    warnings = tuple(warning for warning in found.warnings if warning.code not in allowed)
    if warnings or found.violations:
        raise NotCleaned(found, warnings)
    return found.result


def cleaning(
    text: Text,
    rule: str = "URI",
    *,
    repair: bool | Iterable[str] = False,
    encoding: str = "utf-8",
) -> Cleaning:
    """As ``clean``, with each change, warning and violation. Never raises on text.

    The article's own example of what no cleaner can know:

    >>> typed = "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen"
    >>> found = cleaning(typed)
    >>> found.result == typed
    True
    >>> print(found.warnings[0].message)
    "#" starts the fragment here; if it belongs to the URI in "redirect", write %23
    """
    text = text_of(text, "what is cleaned")
    name = registry.load("rfc3986").rule_name(rule)
    if name not in RULES:
        raise ValueError(f"a text is cleaned for one of {', '.join(RULES)}, not for {name}")
    return _Cleaner(text, name, _wanted("repair", repair, REPAIRS), known(encoding)).run()


def _wanted(what: str, asked: bool | Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The names that are asked for. Errors: ValueError, for one that there is not."""
    if isinstance(asked, bool):
        return frozenset(known if asked else ())
    wanted = frozenset([asked] if isinstance(asked, str) else asked)
    unknown = sorted(map(repr, wanted.difference(known)))
    if unknown:
        raise ValueError(f"no {what} {', '.join(unknown)}; there are {', '.join(known)}")
    return wanted


class _Cleaner:
    """One text on its way. ``_body`` has its code points where ``text`` has them, less a shift."""

    def __init__(self, text: str, rule: str, wanted: frozenset[str], encoding: str) -> None:
        self._text, self._rule, self._wanted, self._encoding = text, rule, wanted, encoding
        self._accepts = registry.load("rfc3986").accepts
        self._body, self._shift = text, 0
        self._changes: list[Change] = []
        self._warnings: list[CleaningWarning] = []
        self._violations: list[CleaningViolation] = []
        self._out: list[str] = []
        self._replaced = 0  # where in the body the last change ended

    def run(self) -> Cleaning:
        if "trim" in self._wanted:
            self._trim()
        spans = divided(self._body, self._rule)
        if "backslashes" in self._wanted and "\\" in self._body:
            spans = self._backslashes(spans)
        if "idna" in self._wanted or not self._accepts(self._rule, self._body):
            self._each(spans)
        result = "".join([*self._out, self._body[self._replaced :]])
        if not self._violations and not self._accepts(self._rule, result):
            # No text is known that comes here; if there is one, it is not passed off as a URI.
            self._violation(0, len(self._body), "", self._rule, f"this is no {self._rule}")
        self._nested(spans)
        self._placeholders()
        changes = tuple(sorted(self._changes, key=lambda change: change.start))
        warnings = tuple(sorted(self._warnings, key=lambda warning: warning.start))
        violations = tuple(self._violations)
        return Cleaning(self._text, self._rule, result, changes, warnings, violations)

    # Repairs of the whole text

    def _trim(self) -> None:
        left, body = len(self._text) - len(self._text.lstrip()), self._text.strip()
        end = left + len(body)
        for start, stop in ((0, left), (end, len(self._text))) if body else ((0, left),):
            if start < stop:
                self._changes.append(Change("trim", start, stop, "", self._text[start:stop], ""))
        self._body, self._shift = body, left

    def _backslashes(self, spans: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        low, high = spans.get("scheme", (0, 0))
        if self._body[low:high].lower() not in SPECIAL:
            return spans
        end = spans["path"][1]
        for at, char in enumerate(self._body[:end]):
            if char == "\\":
                component = _component(spans, at)
                start = at + self._shift
                change = Change("backslashes", start, start + 1, component, char, "/")
                self._changes.append(change)
                if component in ("userinfo", "host", "port"):
                    why = "this backslash was read as a slash, which ends the authority before it"
                    self._warn("backslash", at, at + 1, why, "%5C")
        self._body = self._body[:end].replace("\\", "/") + self._body[end:]
        return divided(self._body, self._rule)

    # Changes of each component

    def _each(self, spans: dict[str, tuple[int, int]]) -> None:
        relative = self._rule in ("URI-reference", "relative-ref")
        if "scheme" not in spans and not relative:
            self._violation(0, 0, "scheme", self._rule, f"a {self._rule} starts with a scheme")
        for component, (start, end) in spans.items():
            text = self._body[start:end]
            if component == "scheme":
                if not self._accepts("scheme", text):
                    self._scheme(start, end)
            elif component == "port":
                if not self._accepts("port", text):
                    why, low = "the port holds nothing but digits", spans["host"][0]
                    if end - low < _SHOWN and self._accepts("IPv6address", self._body[low:end]):
                        why = "an IPv6 address stands in brackets"
                    self._violation(start, end, "port", "port", why)
            elif component == "fragment" and self._rule == "absolute-URI":
                self._violation(start - 1, end, component, self._rule, f"a {self._rule} has none")
            elif component == "host":
                self._host(start, end)
            elif not self._accepts(component, text):
                self._loop(component, start, end)
        if "scheme" not in spans and "host" not in spans and relative:
            start, end = spans["path"]
            colon = self._body.partition("/")[0].find(":", start, end)
            if colon >= 0:
                why = "without a scheme, no colon stands in the first segment; write ./ before it"
                self._violation(colon, colon + 1, "path", "segment-nz-nc", why)

    def _scheme(self, start: int, end: int) -> None:
        at = start  # the first character that cannot stand where it stands: a letter goes before
        while at < end - 1 and self._accepts("scheme", "a"[: at - start] + self._body[at]):
            at += 1
        char, repair = self._body[at], "trim" if self._body[at].isspace() and at == start else None
        why = f"{named(char)} cannot stand here, and a scheme is never encoded"
        self._violation(at, at + 1, "scheme", "scheme", why, repair)

    def _host(self, start: int, end: int) -> None:
        text = self._body[start:end]
        if text.startswith("["):
            if not self._accepts("IP-literal", text):
                why = "what starts with [ is an IPv6address or IPvFuture in brackets, and no more"
                self._violation(start, end, "host", "IP-literal", why)
        elif "idna" in self._wanted and (not text.isascii() or "%" in text):
            self._labels(text, start)
        else:
            self._loop("host", start, end)

    def _labels(self, text: str, start: int) -> None:
        for label in labels(text):
            at, end = start + label.start, start + label.end
            found = text[label.start : label.end]
            if label.error:
                self._violation(at, end, "host", "reg-name", f"no A-label: {label.error}")
            elif label.made is None:
                self._loop("host", at, end)
            else:
                self._change("idna", at, found, label.made, "host")
                if label.mapped is not None:
                    why = f'"{visible(found)}" was mapped to "{label.mapped}", another name'
                    self._warn("host-mapping", at, end, why)
            if end < start + len(text) and self._body[end] != ".":
                self._change("idna", end, self._body[end], ".", "host")
                why = f"{named(self._body[end])} was mapped to a dot, which divides the host"
                self._warn("host-mapping", end, end + 1, why)

    def _loop(self, component: str, start: int, end: int) -> None:
        """A component that is a run of characters: encode what may not stand bare in it."""
        production = _LOOPS[component]
        bare, reserved = characters(production), characters("reserved")
        if component == "path":
            bare |= characters(component)
        kept = bare | reserved | {"%"}
        at = start
        while at < end:
            char = self._body[at]
            if char in bare:
                at += 1
            elif char == "%":
                if is_escape(self._body[at : min(at + 3, end)]):
                    at += 3
                    continue
                self._stray(component, at)
                at += 1
            elif char in reserved:
                self._delimiter(component, production, at)
                at += 1
            else:
                stop = at + 1
                while stop < end and self._body[stop] not in kept:
                    stop += 1
                self._illegal(component, production, at, stop)
                at = stop

    def _stray(self, component: str, at: int) -> None:
        legacy = self._body[at + 1 : at + 2] in ("u", "U")
        if "stray-percent" in self._wanted:
            self._change("stray-percent", at, "%", percent_encoded("%"), component)
            if legacy:
                why = "%uXXXX is an escape of old scripts, not of URIs; its % was encoded as data"
                self._warn("legacy-escape", at, at + 2, why)
            return
        why = "a percent sign is followed by two hexadecimal digits"
        if legacy:
            why += "; %uXXXX is an escape of old scripts, not of URIs"
        self._violation(at, at + 1, component, "pct-encoded", why, "stray-percent")

    def _delimiter(self, component: str, production: str, at: int) -> None:
        char = self._body[at]
        if "delimiters" in self._wanted and component != "host":
            self._change("delimiters", at, char, percent_encoded(char), component)
            return
        why = f"{named(char)} is reserved and cannot stand here"
        repair = None if component == "host" else "delimiters"
        self._violation(at, at + 1, component, production, why, repair)

    def _illegal(self, component: str, production: str, start: int, end: int) -> None:
        """A run of characters that no URI holds."""
        found = self._body[start:end]
        encoding = "utf-8" if component == "host" else self._encoding
        try:
            encoded = percent_encoded(found, encoding)
        except UnicodeError as error:
            start += error.start if isinstance(error, UnicodeEncodeError) else 0
            why = f"{named(self._body[start])} has no octets in {encoding}, so it stays"
            self._violation(start, start + 1, component, production, why)
            return
        self._change("encode", start, found, encoded, component)
        wrapped = control = None
        for at, char in enumerate(found, start):
            if char == "\\":
                why = "a backslash was encoded; a slash may be meant"
                self._warn("backslash", at, at + 1, why, "/")
            elif char in _WRAPPING:
                wrapped = at if wrapped is None else wrapped
            elif control is None and category(char) == "Cc":
                control = at
        if wrapped is not None:
            why = "white space was encoded that may come from wrapping the text; then leave it out"
            self._warn("line-break", wrapped, wrapped + 1, why, "")
        if control is not None:
            why = f"{named(self._body[control])} was encoded, which nobody types"
            self._warn("control-character", control, control + 1, why, "")
        if found[-1] == " " and end == len(self._body):
            why = "a space at the end was encoded; if it is no part of the URI, leave it out"
            self._warn("space-at-end", end - 1, end, why, "")
        if component != "host":
            return
        if any(char.isascii() for char in found):
            why = "this was encoded, as a registered name may have it; no domain name holds it"
            self._warn("host-character", start, end, why)
        else:
            why = "this was percent-encoded (RFC 3986 §3.2.2); the repair idna makes A-labels"
            self._warn("host-encoded", start, end, why)

    # What cannot be known

    def _nested(self, spans: dict[str, tuple[int, int]]) -> None:
        """Delimiters after a URI that stands bare in the query: are they its own, or not?"""
        if "query" not in spans:
            return
        start, stop = spans["query"]
        last = stop
        while start <= stop:
            end = self._body.find("&", start, stop)
            end = stop if end < 0 else end
            key, _, value = self._body[start:end].partition("=")
            inner = divided(value, "URI") if ":" in value else {}
            scheme = value[slice(*inner.get("scheme", (0, 0)))]
            if "host" in inner and self._accepts("scheme", scheme):
                name = visible(key[:_SHOWN])
                belongs = f'if it belongs to the URI in "{name}", write'
                if end < last and "query" in inner:
                    why = f'"&" ends the parameter here; {belongs} %26'
                    self._warn("nested-uri", end, end + 1, why, "%26")
                if end == last and "fragment" in spans:
                    why = f'"#" starts the fragment here; {belongs} %23'
                    self._warn("nested-uri", end, end + 1, why, "%23")
            start = end + 1

    def _placeholders(self) -> None:
        """Pairs of braces with an expression of a template between them, and of angle brackets."""
        body = self._body
        for opening, closing in ("{", "}"), ("<", ">"):
            at = 0
            while (end := body.find(closing, at)) >= 0:
                start = body.rfind(opening, at, end)
                hole = body[start : end + 1]
                if start >= 0 and (opening == "<" or _is_expression(hole)):
                    why = f'"{visible(hole[:_SHOWN])}" was encoded; fill it in first'
                    self._warn("placeholder", start, end + 1, why)
                at = end + 1

    # What is told

    def _change(self, name: str, at: int, found: str, new: str, component: str) -> None:
        self._out += self._body[self._replaced : at], new
        self._replaced = at + len(found)
        if found != new:
            start = at + self._shift
            self._changes.append(Change(name, start, start + len(found), component, found, new))

    def _warn(
        self, code: str, start: int, end: int, message: str, instead: str | None = None
    ) -> None:
        shift = self._shift
        self._warnings.append(CleaningWarning(code, start + shift, end + shift, message, instead))

    def _violation(
        self,
        start: int,
        end: int,
        component: str,
        production: str,
        message: str,
        repair: str | None = None,
    ) -> None:
        if repair:
            message += f" (the repair {repair} mends it)"
        start, end = start + self._shift, end + self._shift
        self._violations.append(
            CleaningViolation(start, end, component, production, message, repair)
        )


def divided(text: str, rule: str = "URI-reference") -> dict[str, tuple[int, int]]:
    """Where each component stands in any text, in text order, by the dividing grammar.

    ``rule`` decides what a first colon means where no legal scheme is before it. Cost: O(n).
    Source: RFC 3986 Appendix B and section 3.2.

    >>> divided("http://u@h/p")
    {'scheme': (0, 4), 'userinfo': (7, 8), 'host': (9, 10), 'path': (10, 12)}
    """
    dividing = registry.load("rfc3986-split")
    spans: dict[str, tuple[int, int]] = {}
    if rule != "relative-ref":
        spans = _captured("URI", text, 0)
        scheme = text[slice(*spans.get("scheme", (0, 0)))]
        if rule == "URI-reference" and not registry.load("rfc3986").accepts("scheme", scheme):
            spans = {}
    if not spans:
        spans = _captured("relative-ref", text, 0)
    found: dict[str, tuple[int, int]] = {}
    for name, (start, end) in spans.items():
        if f"{name}-parts" in dividing.model.rules:
            found |= _captured(f"{name}-parts", text[start:end], start)
        else:
            found[name] = start, end
    return found


def _captured(rule: str, text: str, shift: int) -> dict[str, tuple[int, int]]:
    match, names = registry.load("rfc3986-split").captures(rule)
    found = match(text)
    if not found:
        return {}
    spans = {name: found.span(number) for number, name in enumerate(names, 1)}
    return {n: (start + shift, end + shift) for n, (start, end) in spans.items() if start >= 0}


def _component(spans: dict[str, tuple[int, int]], at: int) -> str:
    return next((name for name, (start, end) in spans.items() if start <= at < end), "")


@lru_cache(1024)
def is_escape(triplet: str) -> bool:
    """Whether a text is an escape (RFC 3986 section 2.1)."""
    return registry.load("rfc3986").accepts("pct-encoded", triplet)


def _is_expression(hole: str) -> bool:
    """Whether a text is an expression of a URI template (RFC 6570 section 2.2)."""
    return registry.load("rfc6570").accepts("expression", hole)


def percent_encoded(text: str, encoding: str = "utf-8") -> str:
    """All of a text. Errors: UnicodeError, for what has no octets in the encoding."""
    return "".join([f"%{octet:02X}" for octet in text.encode(encoding)])
