"""Renderers: what a person reads, and what a program reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import uriproof
from uriproof.render import Entry, Place, Style, json_array
from uriproof.render import as_text as text_of
from uriproof.report import Advice, Report

MAIN = "http://example.com/a b?x=[1]#f#g"
PLAIN = Style(advice=False)


def as_text(report: Report, style: Style = PLAIN, place: Place | None = None) -> str:
    return "".join(text_of.render([Entry(report, place)], style))


def as_json(*entries: Entry, style: Style = PLAIN) -> str:
    return "".join(json_array(entry.to_dict(style) for entry in entries))


def explained(report: Report) -> str:
    return re.sub(r"abnf:\d+", "abnf:N", as_text(report, PLAIN._replace(explain=True)))


def test_a_report_by_default() -> None:
    assert (
        as_text(uriproof.check("http://h/a b[c%#\u00e9"))
        == """\
invalid  http://h/a b[c%#\u00e9
                   ^ ^ ^ ^
  path      10  A space is not allowed in a path; write %20.        segment, RFC 3986 §3.3
  path      12  "[" and "]" are allowed only around an IPv6 address; write %5B.  segment, §3.3
  path      14  "%" must be followed by two hex digits; write %25.  pct-encoded, §2.1
  fragment  16  U+00E9 LATIN SMALL LETTER E WITH ACUTE is not allowed in a fragment; percent-encode
                it, or check the text as an IRI.                    fragment, §3.5
  fixed  http://h/a%20b%5Bc%25#%C3%A9
"""
    )


def test_violations_that_are_one_mistake_have_one_sentence() -> None:
    lines = as_text(uriproof.check("http://h/?a[0]=b&c[1]=d")).splitlines()
    assert lines[1].count("^") == 4
    assert lines[2].startswith('  query  11, 13, 18, … "[" and "]"'.replace("… ", "…  "))
    assert len(lines) == 5


def test_what_was_meant_takes_the_place_of_what_it_explains() -> None:
    report = uriproof.check("www.example.com/a b")
    assert as_text(report) == (
        "invalid  www.example.com/a b\n"
        "                          ^\n"
        "         The scheme is missing. Did you mean https://www.example.com/a%20b?\n"
        "  path  17  A space is not allowed in a path."
        "                      segment, RFC 3986 §3.3\n"
    )
    composed = as_text(uriproof.check(r"http://e.com/\u0000"))
    assert "segment" not in composed, "its reason has two sentences, one of which is the hint"
    on_the_edge = uriproof.check("http:example.com", uriproof.Rule(schemes=True))
    assert "missing" not in as_text(on_the_edge), "the violation is where the corrected part ends"
    (_, marks, _) = as_text(uriproof.check("http:\\\\e.com\\a")).splitlines()
    assert marks.count("^") == 3
    assert "advice" not in as_text(uriproof.check("http://::1/"), Style())
    assert str(report) == as_text(report).rstrip("\n")
    assert report.summary == "not a valid URI: scheme 0: The scheme is missing. (and 1 more)"
    long = "www.example.com/" + "a" * 200
    shown = as_text(uriproof.check(long)).splitlines()
    assert shown[-1].strip() == f"Did you mean https://{long}?"


def test_each_wrong_character_is_marked_once_and_told_once() -> None:
    """Also what belongs to the second of two mistakes, which the reason of the suggestion names."""
    (text, marks, *said) = as_text(uriproof.check("http://h/a\u202e b\\c")).splitlines()
    assert text == "invalid  http://h/a\\u202e b\\c"
    assert marks == "                   ^^^^^^^ ^"
    assert " ".join("".join(said).split()) == (
        "U+202E RIGHT-TO-LEFT OVERRIDE changes the direction in which text is displayed. "
        'URIs use "/", not "\\". Did you mean http://h/a%20b/c?'
    )
    # The reason is about the backslash of the path, which is not data, as the other one is.
    (_, marks, *said) = as_text(uriproof.check("http://h/b\\c?d\\e")).splitlines()
    assert marks.count("^") == 2
    assert [line.split()[0] for line in said] == ["URIs", "query"]
    cut_short = as_text(uriproof.check("http://[::1/")).splitlines()
    assert len(cut_short) == 2, "one sentence says where the brackets are wrong"


def test_the_place_comes_first_where_there_is_one() -> None:
    shown = as_text(uriproof.check("a:a b"), place=Place("x\n.txt", 7))
    assert shown.startswith("x\\n.txt:7: invalid  a:a b\n" + " " * 23 + "^\n")
    assert as_text(uriproof.check("http://a/")) == "valid  http://a/\n"
    assert as_text(uriproof.check("a", "host")) == "valid host  a\n"
    assert as_text(uriproof.check("http://a/"), place=Place("f", 1)) == ""
    far = as_text(uriproof.check("a:a b"), place=Place("f" * 60, 7)).splitlines()
    assert far[:3] == [f"{'f' * 60}:7: invalid", "  a:a b", "     ^"]


def test_verdicts_follow_closely_and_drawings_stand_free() -> None:
    good, bad = uriproof.check("x:y"), uriproof.check("x:a b")
    entries = [Entry(r) for r in (good, good, bad, good, good)]
    shown = "".join(text_of.render(entries, PLAIN))
    blocks = re.split(r"\n\n(?=\w)", shown.rstrip("\n"))
    assert [block.count("\n") for block in blocks] == [1, 3, 1]


def test_a_long_production_keeps_its_lines() -> None:
    lines = explained(uriproof.check("http://[1::2::3]/")).splitlines()
    first, second = (line for line in lines if re.search('[65]. h16 ":" . ls32', line))
    assert first.index("=") == second.index("/")


def test_a_production_is_told_once_and_what_differs_each_time() -> None:
    shown = explained(uriproof.check("1a|b://h/"))
    assert shown.count("scheme = ALPHA") == 1
    words = ["expected: ALPHA", 'expected: ALPHA, DIGIT, "+", "-" or "."']
    assert re.findall(r"expected: .*", shown) == words


def test_many_violations_are_counted_and_a_fixed_text_is_whole() -> None:
    text = "http://h/" + "a" * 300 + " x"
    assert f"  fixed  {text[:-2]}%20x\n" in as_text(uriproof.check(text))
    shown = as_text(uriproof.check("http://h/" + "a " * 1000 + "a"))
    assert "… and 980 more violations" in shown
    assert len(shown.splitlines()) < 40


def test_no_violation_takes_more_than_three_lines() -> None:
    for text in ("http://[1::2::3]/\u0378", "http://h/\U000e0100", "http://[1:2:3:4:5:6:7:8:]/"):
        for width in (40, 60, 80, 100):
            report = uriproof.check(text)
            lines = as_text(report, Style(width=width, advice=False)).splitlines()
            drawn = sum(set(line) <= set(" ^+") for line in lines) + 1
            assert len(lines) - drawn <= 3 * len(report.violations)
            assert all(len(line) <= width for line in lines), lines


def test_advice_wraps_and_is_shown_where_someone_looks_closely() -> None:
    advice = Advice(7, 8, "host", "look-alike", "word " * 30 + "end")
    valid = Report("x:y", "URI", "rfc3986", {}, (), advice=(advice,))
    alone = as_text(valid, Style())
    assert alone.startswith("valid  x:y\n  advice  7  word")
    assert alone.split()[-2:] == ["end", "look-alike"]
    assert all(len(line) <= 100 for line in alone.splitlines())
    assert as_text(valid, Style(), Place("f", 1)) == ""
    assert "look-alike" in as_text(valid, Style(advice=True), Place("f", 1))
    assert "look-alike" not in as_text(valid, Style(advice=False))


def test_color_adds_codes_and_nothing_else() -> None:
    checked = uriproof.check(MAIN)
    plain, painted = as_text(checked, PLAIN), as_text(checked, Style(color=True, advice=False))
    assert "\x1b[" not in plain
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("text", ["a\x1b[31m\n\r\0b", "a\u202eb", "\ud800", "é" * 300, ""])
def test_nothing_of_a_text_steers_the_terminal(text: str) -> None:
    shown = as_text(uriproof.check(text), Style(), Place("f", 1))
    assert all(line.isprintable() for line in shown.split("\n") if line)


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


def test_json_says_advice_unless_told_not_to() -> None:
    advice = Advice(0, 1, "scheme", "code", "message")
    entry = Entry(Report("x:y", "URI", "rfc3986", {}, (), advice=(advice,)), Place("f", 1))
    assert [r["advice"] for r in json.loads(as_json(entry, style=Style()))] == [[advice.to_dict()]]
    assert [r["advice"] for r in json.loads(as_json(entry))] == [[]]


def test_json_holds_one_report_at_a_time_and_is_closed_if_reading_fails() -> None:
    read = 0

    def entries() -> Iterator[Entry]:
        nonlocal read
        for _ in range(3):
            read += 1
            yield Entry(uriproof.check("x:y"))
        raise KeyboardInterrupt

    made = json_array(entry.to_dict(PLAIN) for entry in entries())
    pieces = [next(made)]
    assert read == 1
    with pytest.raises(KeyboardInterrupt):
        pieces.extend(made)
    assert len(json.loads("".join(pieces))) == 3


@given(st.text(st.characters() | st.sampled_from("\ud800\0 %[]"), max_size=40))
def test_any_text_can_be_rendered(text: str) -> None:
    checked = uriproof.check(text)
    (read,) = json.loads(as_json(Entry(checked)))
    assert read["text"] == text
    assert read["ok"] is checked.ok
    assert as_text(checked).startswith("valid" if checked.ok else "invalid")
