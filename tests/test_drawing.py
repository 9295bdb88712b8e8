"""The drawing of texts: carets under exactly the blamed characters, whatever the text holds."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import quick

from uriproof.grammar.errors import Fault
from uriproof.render import dumps
from uriproof.text.columns import ELLIPSIS, cut
from uriproof.text.drawing import WIDTH, draw, named, rows, visible


def columns(line: str) -> int:
    """Terminal columns of a line, counted independently of the module under test."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in line
    )


@pytest.mark.parametrize(
    ("text", "spans", "drawn"),
    [
        (
            "http://a b/?[1]",
            [(8, 9), (12, 13), (14, 15)],
            ["http://a b/?[1]", "        ^   ^ ^"],
        ),
        ("//host/", [(0, 0)], ["//host/", "+"]),
        ("", [(0, 0)], ["", "+"]),
        ("a=1&b&c", [(5, 5)], ["a=1&b&c", "     +"]),
        ("a b", [(1, 1), (1, 2)], ["a b", " ^", " +"]),
        ("a b", [(0, 0), (1, 2), (3, 3)], ["a b", "+^ +"]),
    ],
)
def test_carets_stand_under_the_spans_and_pluses_where_something_is_missing(
    text: str, spans: list[tuple[int, int]], drawn: list[str]
) -> None:
    assert draw(text, spans) == drawn


@pytest.mark.parametrize(
    ("text", "span", "drawn"),
    [
        ("例え", (1, 2), ["例え", "  ^^"]),
        ("e\u0301x y", (3, 4), ["e\u0301x y", "  ^"]),
        ("\u4f8b\u0301x", (1, 2), ["\u4f8b\u0301x", "^^"]),
        ("\u0301x", (0, 1), [r"\u0301x", "^^^^^^"]),
        ("a\nb", (1, 2), [r"a\nb", " ^^"]),
        ("a\u202eb", (2, 3), [r"a\u202eb", "       ^"]),
        ("a\ud800b", (1, 2), [r"a\ud800b", " ^^^^^^"]),
        ("\U000e0041b", (1, 2), [r"\U000e0041b", "          ^"]),
        ("😀b", (1, 2), ["😀b", "  ^"]),
    ],
)
def test_carets_are_aligned(text: str, span: tuple[int, int], drawn: list[str]) -> None:
    assert draw(text, [span]) == drawn


ESCAPED = "\t\r\x7f\x85\xa0\u200b\u2028\u3000\u3164\ufeff\ufe0f\ue000\u0378\u2026"


@pytest.mark.parametrize("char", [*"a~ \\é例\U0001f600", *ESCAPED])
def test_what_has_no_glyph_is_escaped(char: str) -> None:
    assert visible(char) == (ascii(char)[1:-1] if char in ESCAPED else char)


@pytest.mark.parametrize(
    ("char", "name"),
    [
        (" ", "U+0020 SPACE"),
        ("\0", "U+0000 NULL"),
        ("\x02", "U+0002 control character"),
        ("\udcff", "U+DCFF lone surrogate"),
        ("\U0001f600", "U+1F600 GRINNING FACE"),
        ("\ue000", "U+E000 private use"),
        ("\u0378", "U+0378 unassigned"),
    ],
)
def test_every_character_has_a_name(char: str, name: str) -> None:
    assert named(char) == name


def test_a_long_text_is_cut_to_its_start_and_the_blamed_places() -> None:
    text = "http://example.com/" + "a" * 500 + " " + "b" * 500 + "[" + "c" * 500
    lines = draw(text, [(519, 520), (1020, 1021)])
    assert len(lines) == 2
    assert lines[0].startswith("http://example")
    assert lines[0].count(ELLIPSIS) == 3
    assert [lines[0][i] for i, mark in enumerate(lines[1]) if mark == "^"] == [" ", "["]
    line, marks = draw("http://h/" + " " * 1000 + "end", [(9, 1009)])
    assert line.endswith("end")
    assert marks[line.index(ELLIPSIS)] == "^"


def test_places_far_apart_and_many_take_few_rows_and_are_counted() -> None:
    text = ("a" * 40 + " ") * 1000
    spans = [(i, i + 1) for i, c in enumerate(text) if c == " "]
    lines = draw(text, spans)
    assert len(lines) == 7
    assert all(columns(line) <= WIDTH for line in lines)
    carets = sum(line.count("^") for line in lines)
    assert lines[-1] == f"{ELLIPSIS} and {1000 - carets} more"


@pytest.mark.prove
@pytest.mark.parametrize("unit", quick(["a", "\u0301", " ", "\0", "例", "a%", "\ud800"], 2))
def test_a_megabyte_is_drawn_in_a_few_short_lines(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    spans = [(i, i + 1) for i in range(len(unit) - 1, len(text), len(unit))]
    for places in (spans, [(0, len(text))], spans[-1:], []):
        lines = draw(text, places)
        assert len(lines) <= 7
        assert all(columns(line) <= WIDTH for line in lines)


SPECIAL = st.sampled_from("ab/ %\n\0\u0301\u4f8b\u202e\u05d0\ud800\u2026\U0001f600")


@st.composite
def texts_and_spans(draw_from: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw_from(st.text(SPECIAL | st.characters(), max_size=300))
    cuts = draw_from(st.lists(st.integers(0, len(text)), max_size=12))
    cuts = sorted(cuts)
    return text, sorted(set(zip(cuts[::2], cuts[1::2], strict=False)))


@given(texts_and_spans(), st.integers(10, 120))
def test_every_row_fits_and_every_place_is_marked_or_counted(
    case: tuple[str, list[tuple[int, int]]], width: int
) -> None:
    text, spans = case
    drawn = rows(text, spans, width)
    assert 1 <= len(drawn) <= 3
    for line, marks, _ in drawn:
        assert columns(line) <= max(width, 20)
        assert set(marks) <= set(" ^+")
        assert len(marks) <= columns(line) + 1
        assert line.replace(ELLIPSIS, "").isprintable() or not line
    marked = any("^" in marks or "+" in marks + extra for _, marks, extra in drawn)
    counted = any(f"{ELLIPSIS} and " in extra for _, _, extra in drawn)
    assert (marked or counted) == bool(spans)


@given(st.text(SPECIAL | st.characters(), max_size=60))
def test_visible_keeps_printable_ascii_and_hides_nothing(text: str) -> None:
    shown = visible(text)
    assert ELLIPSIS not in shown
    assert shown.isprintable() or not shown
    if text.isascii() and text.isprintable():
        assert shown == text


def test_a_label_is_cut_at_its_columns() -> None:
    assert cut("漢字漢字", 5) == "漢字…"
    assert [cut("abc", 3), cut("abcd", 3, "..."), cut("abcd", 1)] == ["abc", "...", "…"]


# What the logs of CI systems are searched for, anywhere in a line or at its start.
COMMANDS = re.compile(
    r"##(?:vso|teamcity)?\[|^\s*::[a-z-]{4,}[ :]|^(?:---|\+\+\+|~~~) |[\x00-\x1f\x7f]",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "text",
    [
        *("##vso[task.prependpath]/a", "a ##[error]b", "##TeamCity[a 'b']", "###[group]"),
        *("::error file=a::b", "  ::set-output name=a::b", "::stop-commands::a", "--- a", "+++ b"),
        *("~~~ a", "\x1b[0Ksection_start:1:a\r\x1b[0K", "a\n::error::b", "\u00e9##[a]"),
    ],
)
def test_no_command_to_a_log_is_shown(text: str) -> None:
    assert COMMANDS.search(text)
    assert not COMMANDS.search(visible(text))
    drawn = "\n".join(draw(text, [(len(text) - 1, len(text))]))
    assert not COMMANDS.search(drawn.replace("\n", " "))
    assert "#\\u0023" in dumps(text) or "##" not in text
    assert json.loads(dumps(text)) == text
    fault = str(Fault(text, 1, 1, "syntax", text, text, 1))
    assert not any(map(COMMANDS.search, fault.splitlines()))


@pytest.mark.parametrize("text", ["::1", "http://[::1]/", "## [a]", "a -- b", "# #", "a::b::c"])
def test_what_is_no_command_is_shown_as_it_is(text: str) -> None:
    assert visible(text) == text
