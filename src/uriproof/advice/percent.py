"""Advice on percent-encoding, in every component.

Owns these rules. Imports ``report``, ``grammar.registry``, the table of schemes, ``percent`` and
helpers beside it. Invariant: what the octets of a userinfo stand for is never shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from ..grammar.schemes import CHARACTERS, LINES
from ..percent.characters import DIRECTIVE, decodable, octet, octets_of
from ..report import Component, Report
from ..text.invisible import is_meant, reason
from ._marks import BRACKETS, CLOSING, OPENING, QUOTES, name
from ._parts import (
    MAPPED,
    decoded,
    encoded,
    encoded_runs,
    has_octets,
    is_hierarchical,
    parameters,
    pieces,
    runs,
    scheme,
    shown,
    stands_for,
)
from ._rule import Place, rule


@rule(
    title="Text that is percent-encoded twice",
    why="""The same string must not be encoded or decoded more than once (RFC 3986 §2.4). %252F
    decodes to %2F; software that decodes twice sees a slash that a filter does not see if it
    decodes once.""",
    good="http://example.com/caf%C3%A9",
    bad="http://example.com/caf%25C3%25A9",
    trigger=lambda text, has: "%25" in text,
)
def double_encoding(report: Report) -> Iterator[Place]:
    """Silent within a nested reference: what is encoded in it must be encoded once more. In a path,
    that does not excuse what leads to another folder if it is decoded twice."""
    for component in encoded(report):
        is_path = component.name == "path"
        for start, piece in pieces(component, "&") if "%25" in component.text else ():
            nested, done = not is_path and _is_reference(piece.partition("=")[2]), 0
            for first, last in _encoded_twice(piece):
                nested, done = nested or "://" in decoded(piece[done:first]), last
                if not nested or (is_path and _steers(piece[first:last])):
                    message = "This is percent-encoded twice; decoded once, it is still encoded."
                    yield start + first, start + last, component.name, message


def _steers(octets: str) -> bool:
    """Whether what is encoded twice is a step, a new segment, or the end of a name."""
    return any(char in "./\\\0" for char in decoded(decoded(octets)))


def _encoded_twice(text: str) -> Iterator[tuple[int, int]]:
    """Where %25 and two hex digits stand, adjacent ones together."""
    start = end = text.find("%25")
    while end >= 0:
        if text.startswith("%25", end) and octet("%" + text[end + 3 : end + 5]) is not None:
            end += 5
            continue
        if start < end:
            yield start, end
        start = end = text.find("%25", end + (start == end))


def _is_reference(value: str) -> bool:
    """Whether a value is a reference that starts with a slash, with "www." or with a mailbox."""
    return decoded(value).startswith(("/", "www.", "mailto:"))


@rule(
    title="An encoded control character",
    why="""Control characters do not belong in text that people read, and after decoding they act on
    terminals, logs and protocols (RFC 3986 §7.3).""",
    good="http://example.com/?text=a%20b",
    bad="http://example.com/?text=a%1Bb",
    trigger=lambda text, has: "%0" in text or "%1" in text or "%7" in text,
)
def encoded_control(report: Report) -> Iterator[Place]:
    """NUL and line breaks are left to the advice about them."""
    if not has_octets(report):
        for component, start, end in encoded_runs(report, _is_control):
            message = (
                "This is an encoded control character; decoded, it affects terminals and logs."
            )
            yield start, end, component.name, message


def _is_control(triplet: str) -> bool:
    is_control = octet(triplet) != 0 and stands_for(triplet, "CTL", "rfc5234")
    return is_control and not _is_line_break(triplet)


@rule(
    title="An encoded character that is invisible or changes the direction of text",
    why="""After decoding, such a character hides in the text or reverses the text next to it, so
    that two texts look alike, or a file seems to have a different extension (RFC 3987 §4.1, §8, RFC
    8264 §12.5). Some software ends a line at line and paragraph separators, and the control
    characters U+0080 to U+009F act on terminals.""",
    good="http://example.com/annexe.txt",
    bad="http://example.com/ann%E2%80%AEtxt.exe",
    trigger=lambda text, has: "%" in text,
)
def encoded_invisible(report: Report) -> Iterator[Place]:
    """Silent on joiners where a script or an emoji has them, and on hosts that ``mapped-host``
    judges."""
    for component in encoded(report):
        if has_octets(report) or (component.name == "host" and scheme(report) in MAPPED):
            continue
        for start, end, char in _suspects(component):
            if what := reason(char):
                message = f"U+{ord(char):04X} {what}."
                yield start, end, component.name, message


def _suspects(component: Component) -> Iterator[tuple[int, int, str]]:
    """The encoded characters that may be reported, with their places in the whole text."""
    for start, end in runs(component, lambda triplet: (octet(triplet) or 0) > 0x7F):  # noqa: PLR2004
        first = start - component.start
        octets = octets_of(component.text[first : end - component.start])
        text = octets.decode("utf-8", "surrogateescape")
        at = start
        for index, char in enumerate(text):
            width = 3 * len(char.encode("utf-8", "surrogateescape"))
            if not is_meant(text, index):
                yield at, at + width, char
            at += width


_TEXTS = frozenset(
    {"body", "caption", "comment", "comments", "content", "desc", "description", "details"}
    | {"message", "msg", "note", "notes", "quote", "status", "summary", "text", "title"}
)
"""Keys of what people write, in forms and in links for sharing."""


@rule(
    title="An encoded line break",
    why="""If a carriage return or line feed is decoded and copied into a line-based protocol, it
    starts a new line there: a header or a command of the attacker's choice (RFC 3986 §7.3, RFC 9110
    §5.5). In mailto and sms URIs this is the correct way to write a line break (RFC 6068 §5, RFC
    5724), and so it is in the text of a form or of a link for sharing.""",
    good="http://example.com/?lang=a%20b",
    bad="http://example.com/?lang=a%0D%0Ab",
    trigger=lambda text, has: "%0" in text,
)
def encoded_line_break(report: Report) -> Iterator[Place]:
    """Silent where a specification asks for encoded line breaks, and in text that people write."""
    if scheme(report) in LINES or has_octets(report):
        return
    texts = [one for one in parameters(report) if one.name in _TEXTS]
    starts = [one.at for one in texts]
    for component, start, end in encoded_runs(report, _is_line_break):
        before = bisect_right(starts, start)
        if not before or start >= texts[before - 1].end:
            message = "This is an encoded line break; decoded, it can start a new line."
            yield start, end, component.name, message


def _is_line_break(triplet: str) -> bool:
    return stands_for(triplet, "CR", "rfc5234") or stands_for(triplet, "LF", "rfc5234")


@rule(
    title="An encoded blank, quotation mark or bracket at an end",
    why="""Blanks, quotation marks and brackets stand around a URI in text, and are not part of it
    (RFC 3986 Appendix C). If one is cut out and encoded with the URI, it is data, and the path or
    the value is another one (§2.1).""",
    good="http://example.com/%22a%22",
    bad="http://example.com/a%22",
    trigger=lambda text, has: text[:1] == "%" or text[-3:-2] == "%",
)
def encoded_end(report: Report) -> Iterator[Place]:
    """Silent on a mark that has a partner, on values that are blank, and on text that people
    write."""
    if not is_hierarchical(report) or DIRECTIVE in report.text:
        return
    path, last = report.components["path"], [*report.components.values()][-1]
    begun = decoded(path.text)
    if not path.start and (first := len(begun) - len(begun.lstrip(_BLANKS + _OPENING))):
        yield 0, _width(begun[:first]), "path", _BESIDE.format(_kind(begun[0]), "start")
    value = [*parameters(report)][-1] if last.name == "query" else None
    if value and (value.name in _TEXTS or not value.read.strip()):
        return
    *_, (start, end) = [(0, 0), *runs(last, bool)]
    if last.name not in _HOLDING or end < last.end:
        return
    run = decoded(report.text[start:end])
    before = decoded(report.text[last.start : start])
    kept = run.rstrip(_BLANKS + _CLOSING)
    if any(mark in before + kept for mark in _openers(run[len(kept) :])):
        kept = run.rstrip(_BLANKS)
    if cut := run[len(kept) :]:
        yield end - _width(cut), end, last.name, _BESIDE.format(_kind(cut[-1]), "end")


_BESIDE = "An encoded {} at the {} is part of the URI; if it only stood beside it, omit it."
_BLANKS = " \u00a0\u3000"
_OPENING, _CLOSING = ("".join(sorted(marks - {"*", "_"})) for marks in (OPENING, CLOSING))
_HOLDING = frozenset({"path", "query", "fragment"})


def _openers(marks: str) -> Iterator[str]:
    """What could be before closing marks."""
    pairs = (QUOTES | BRACKETS).items()
    return (opener for opener, closers in pairs if any(mark in closers for mark in set(marks)))


def _width(plain: str) -> int:
    """How long encoded characters are."""
    return 3 * len(plain.encode())


def _kind(mark: str) -> str:
    return "blank" if mark in _BLANKS else name(mark)


@rule(
    title="An encoded NUL",
    why="""Software written in C often stops reading at a NUL: the rest of the name, such as its
    extension, is lost. An application should reject %00 unless it expects binary data (RFC 3986
    §7.3).""",
    good="http://example.com/a.png",
    bad="http://example.com/a%00.png",
    trigger=lambda text, has: "%00" in text,
)
def encoded_null(report: Report) -> Iterator[Place]:
    """Silent where any octet may be meant."""
    if not has_octets(report):
        for component, start, end in encoded_runs(report, lambda triplet: octet(triplet) == 0):
            message = "This is an encoded NUL; some software ends the text here."
            yield start, end, component.name, message


@rule(
    title="A percent-encoded unreserved character",
    why="""An unreserved character means the same encoded and bare, but the strings differ, and a
    filter for the bare form misses the encoded one. URI producers should not encode these
    characters, and normalizers decode them (RFC 3986 §2.3, §6.2.2.2).""",
    good="http://example.com/~user",
    bad="http://example.com/%7Euser",
    trigger=lambda text, has: "%" in text,
)
def encoded_unreserved(report: Report) -> Iterator[Place]:
    """Silent for schemes in which an octet and its character are not the same; what octets of
    userinfo stand for is never shown, for it may be secret. What a text fragment looks for is the
    business of that text."""
    for component in encoded(report):
        if not decodable(scheme(report), component.name, component.text):
            continue
        for start, end in runs(component, lambda t: stands_for(t, "unreserved")):
            plain = shown(decoded(report.text[start:end]))
            what = "This" if component.name == "userinfo" else plain
            message = f"{what} needs no percent-encoding; write it as it is."
            yield start, end, component.name, message


_MESSAGES = {
    "overlong": "This overlong form is not valid UTF-8; some decoders read it as ASCII.",
    "surrogate": "These bytes are a surrogate, which UTF-8 cannot encode.",
    "invalid": "These bytes are not valid UTF-8.",
}


@rule(
    title="Percent-encoded octets that are not valid UTF-8",
    why="""Octets outside ASCII are read as UTF-8 (RFC 3986 §2.5), and these are not UTF-8. Lenient
    decoders read an overlong form as an ASCII character that the filter did not see; others write
    U+FFFD, and the original text is lost (RFC 3629 §3, §10).""",
    good="http://example.com/caf%C3%A9",
    bad="http://example.com/%C0%AF",
    trigger=lambda text, has: "%" in text,
)
def invalid_utf8(report: Report) -> Iterator[Place]:
    """A span holds just the octets that are no UTF-8, as many as stand side by side for one
    reason."""
    if has_octets(report):
        return
    from ..percent.characters import pieces as read

    for component, start, end in encoded_runs(report, lambda triplet: True):
        octets = octets_of(report.text[start:end])
        for first, last, _, flaw in read(octets, "utf-8"):
            if flaw is not None:
                yield start + 3 * first, start + 3 * last, component.name, _MESSAGES[flaw]


@rule(
    title="Lower-case hexadecimal digits in percent-encoding",
    why="""%c3 and %C3 stand for the same octet but are different strings. Upper case is the normal
    form, and producers should use it (RFC 3986 §2.1, §6.2.2.1).""",
    good="http://example.com/caf%C3%A9",
    bad="http://example.com/caf%c3%a9",
    trigger=lambda text, has: "%" in text,
)
def lower_case_hex(report: Report) -> Iterator[Place]:
    """An octet that need not be encoded at all is left to ``encoded-unreserved``."""
    if scheme(report) in CHARACTERS:
        return
    for component, start, end in encoded_runs(report, _is_lower_case):
        message = "These hex digits are in lower case; write them in upper case."
        yield start, end, component.name, message


def _is_lower_case(triplet: str) -> bool:
    return triplet != triplet.upper() and not stands_for(triplet, "unreserved")
