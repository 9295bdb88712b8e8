"""Renderers: what a person reads, and what a program reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import uriproof
from uriproof.render import Entry, Place, Style, formats, renderer
from uriproof.report import Advice, Fix, Report, Violation

MAIN = "http://example.com/a b?x=[1]#f#g"
PLAIN = Style(advice=False)


def violation(text: str, start: int, end: int, **changes: Any) -> Violation:
    """A violation of a segment, as the validator makes them."""
    values: dict[str, Any] = {
        "start": start,
        "end": end,
        "found": text[start:end],
        "component": "path",
        "production": "segment",
        "path": ("URI", "segment"),
        "kind": "illegal",
        "expected": ("pchar",),
        "message": "a message",
        "code": "path-illegal",
        "fix": None,
        "section": "RFC 3986 §3.3",
        "grammar": "rfc3986",
        "rule": "segment       = *pchar",
        "source": "grammars/rfc3986.abnf:70",
    }
    return Violation(**{**values, **changes})


def report(text: str, *violations: Violation) -> Report:
    return Report(text, "URI", "rfc3986", {}, violations)


def as_text(report: Report, style: Style = PLAIN, place: Place | None = None) -> str:
    return "".join(renderer("text")([Entry(report, place)], style))


def as_json(*entries: Entry, style: Style = PLAIN) -> str:
    return "".join(renderer("json")(entries, style))


def test_a_format_is_a_file() -> None:
    assert {"json", "text"} <= set(formats())
    assert all(callable(renderer(name)) for name in formats())


def test_a_report_in_full() -> None:
    text = "http://h/a b[c%#é"
    shown = as_text(
        report(
            text,
            violation(text, 10, 11, fix=Fix(10, 11, "%20")),
            violation(text, 12, 13, fix=Fix(12, 13, "%5B"), hint="a hint"),
            violation(
                text,
                14,
                15,
                kind="bad-escape",
                production="pct-encoded",
                expected=("HEXDIG",),
                rule='pct-encoded   = "%" HEXDIG HEXDIG',
                source="grammars/rfc3986.abnf:99",
                fix=Fix(14, 15, "%25"),
            ),
            violation(
                text,
                16,
                17,
                component="fragment",
                production="fragment",
                source="grammars/rfc3986.abnf:80",
                rule='fragment      = *( pchar / "/" / "?" )',
                expected=("pchar", '"/"', '"?"'),
                fix=Fix(16, 17, "%C3%A9"),
            ),
        )
    )
    assert (
        shown
        == """\
invalid URI

  http://h/a b[c%#é
            ^ ^ ^ ^

  path       10  U+0020 SPACE is not allowed here; write %20
             12  U+005B LEFT SQUARE BRACKET is not allowed here; write %5B
                 hint: a hint
                 expected pchar
                 segment = *pchar  ; RFC 3986 §3.3, grammars/rfc3986.abnf:70

  path       14  a percent sign without two hexadecimal digits after it; write %25
                 pct-encoded = "%" HEXDIG HEXDIG  ; RFC 3986 §3.3, grammars/rfc3986.abnf:99

  fragment   16  U+00E9 LATIN SMALL LETTER E WITH ACUTE is not allowed here; write %C3%A9
                 expected pchar, "/" or "?"
                 fragment = *( pchar / "/" / "?" )  ; RFC 3986 §3.3, grammars/rfc3986.abnf:80

  fixed      http://h/a%20b%5Bc%25#%C3%A9
"""
    )


def test_the_place_comes_first_where_there_is_one() -> None:
    shown = as_text(report("a b", violation("a b", 1, 2)), place=Place("x\n.txt", 7))
    assert shown.startswith("x\\n.txt:7: invalid URI\n")


def test_a_valid_text_takes_a_line_alone_and_none_among_many() -> None:
    assert as_text(report("http://a/")) == "valid URI  http://a/\n"
    assert as_text(report("http://a/"), place=Place("f", 1)) == ""


def test_verdicts_follow_closely_and_drawings_stand_free() -> None:
    good, bad = report("x:y"), report("a b", violation("a b", 1, 2))
    entries = [Entry(r) for r in (good, good, bad, good, good)]
    shown = "".join(renderer("text")(entries, PLAIN))
    blocks = re.split(r"\n\n(?=\w)", shown.rstrip("\n"))
    assert [block.count("\n") for block in blocks] == [1, 7, 1]


def test_a_production_is_told_once_and_what_differs_each_time() -> None:
    shown = as_text(
        report(
            "a b[c",
            violation("a b[c", 1, 2, expected=("pchar",)),
            violation("a b[c", 3, 4, expected=('"x"', "y")),
        )
    )
    assert shown.count("segment = *pchar") == 1
    assert re.findall(r"expected .*", shown) == ["expected pchar", 'expected "x" or y']


def test_a_long_production_keeps_its_lines() -> None:
    rule = 'IPv6address   =       6( h16 ":" ) ls32\n              /  "::" 5( h16 ":" ) ls32'
    shown = as_text(report("a b", violation("a b", 1, 2, rule=rule)))
    first, second = (line for line in shown.splitlines() if "ls32" in line)
    assert first.index("=") == second.index("/")
    assert first.endswith('IPv6address =       6( h16 ":" ) ls32')


def test_what_is_missing_is_told_in_the_words_of_the_message() -> None:
    v = violation("a:", 2, 2, kind="missing", message='"]" is missing', expected=('"]"',))
    shown = as_text(report("a:", v))
    assert '  path       2  "]" is missing\n' in shown
    assert "expected" not in shown


def test_many_violations_are_counted() -> None:
    text = "a " * 1000
    shown = as_text(report(text, *(violation(text, i, i + 1) for i in range(1, 2000, 2))))
    assert "… and 980 more violations" in shown
    assert len(shown.splitlines()) < 40


def test_advice_wraps_and_is_shown_where_someone_looks_closely() -> None:
    advice = Advice(7, 8, "host", "look-alike", "word " * 30 + "end")
    valid = Report("x:y", "URI", "rfc3986", {}, (), lambda _: (advice,))
    alone = as_text(valid, Style())
    assert alone.startswith("valid URI  x:y\n  advice     7  host: word")
    assert alone.split()[-2:] == ["end", "(look-alike)"]
    assert all(len(line) <= 100 for line in alone.splitlines())
    assert as_text(valid, Style(), Place("f", 1)) == ""
    assert "look-alike" in as_text(valid, Style(advice=True), Place("f", 1))
    assert "look-alike" not in as_text(valid, Style(advice=False))


def test_colour_adds_codes_and_nothing_else() -> None:
    checked = uriproof.check(MAIN)
    plain, painted = as_text(checked, PLAIN), as_text(checked, Style(colour=True, advice=False))
    assert "\x1b[" not in plain
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("text", ["a\x1b[31m\n\r\0b", "a\u202eb", "\ud800", "é" * 300, ""])
def test_nothing_of_a_text_steers_the_terminal(text: str) -> None:
    shown = as_text(uriproof.check(text), Style(), Place("f", 1))
    assert all(line.isprintable() for line in shown.split("\n") if line)


def test_a_mended_text_can_be_copied_whole() -> None:
    text = "http://h/" + "a" * 300 + " x"
    assert f"  fixed      {text[:-2]}%20x\n" in as_text(uriproof.check(text))


def test_json_is_one_array_of_reports_in_order() -> None:
    reports = [uriproof.check(text) for text in (MAIN, "x:y", "\ud800\0")]
    entries = [Entry(reports[0]), Entry(reports[1], Place("f", 3)), Entry(reports[2])]
    written = as_json(*entries)
    assert written.isascii()
    read = json.loads(written)
    assert [r["text"] for r in read] == [MAIN, "x:y", "\ud800\0"]
    assert (read[1]["file"], read[1]["line"]) == ("f", 3)
    assert read[0] == json.loads(json.dumps(reports[0].to_dict() | {"advice": []}))
    assert len(written.splitlines()) == 3


def test_json_of_nothing() -> None:
    assert json.loads(as_json()) == []


def test_json_says_advice_unless_told_not_to() -> None:
    advice = Advice(0, 1, "scheme", "code", "message")
    entry = Entry(Report("x:y", "URI", "rfc3986", {}, (), lambda _: (advice,)), Place("f", 1))
    assert [r["advice"] for r in json.loads(as_json(entry, style=Style()))] == [[advice.to_dict()]]
    assert [r["advice"] for r in json.loads(as_json(entry))] == [[]]


def test_json_holds_one_report_at_a_time() -> None:
    read = 0

    def entries() -> Iterator[Entry]:
        nonlocal read
        for _ in range(3):
            read += 1
            yield Entry(report("x:y"))

    pieces = iter(renderer("json")(entries(), PLAIN))
    next(pieces)
    assert read == 1


def test_json_is_closed_if_reading_fails() -> None:
    def entries() -> Iterator[Entry]:
        yield Entry(report("x:y"))
        raise KeyboardInterrupt

    pieces: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        pieces.extend(renderer("json")(entries(), PLAIN))
    assert len(json.loads("".join(pieces))) == 1


@given(st.text(st.characters() | st.sampled_from("\ud800\0 %[]"), max_size=40))
def test_any_text_can_be_rendered(text: str) -> None:
    checked = uriproof.check(text)
    (read,) = json.loads(as_json(Entry(checked)))
    assert read["text"] == text
    assert read["ok"] is checked.ok
    assert as_text(checked).startswith("valid" if checked.ok else "invalid")
