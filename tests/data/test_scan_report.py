"""The reports of a scan: for the terminal, as a page and as JSON, whatever is in the files.

Owns the tests of ``data.scan.report``. Invariant: each is tried on hostile texts, on nothing, and
on ten billion rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.data.explain import explain
from uriproof.data.rule import ColumnRule
from uriproof.data.scan.report import About, duration, percent
from uriproof.data.scan.report.json import as_json
from uriproof.data.scan.report.text import summary_text
from uriproof.data.scan.summary import Counts, OfFile
from uriproof.text.columns import width

RULE = ColumnRule()
HOSTILE = (
    "http://<script>alert(1)</script>/",
    'http://"><img src=x onerror=alert(1)>/',
    "http://h\u202e.evil/",
    "http://a\0b\x1b[31m/",
    "http://\udcff\ud800/",
    "http://" + "x" * 300 + ".example/ a",
    "http://bücher.example/a",
    "http://مثال.إختبار/a b",
    "http://漢字漢字.例え/",
    "ftp://me:secret pw@host.example/x y",
    "//h/",
    "http://[::1",
    "http://h/%zz?[x]=1&[y]=2#a#b",
    "http://e.com:8o80/",
    "http://example.org/" + "a" * 3000 + " b" + "c" * 900,
    "",
)


def counted(texts: Sequence[str | None], file: str = "urls.txt", broken: int = 0) -> Counts:
    counts = Counts()
    at = [i for i, text in enumerate(texts) if text is not None and not RULE.is_valid(text)]
    invalid = [texts[i] or "" for i in at]
    found = [RULE.check(text).masked().components.get("host") for text in invalid]
    hosts = [None if host is None else host.text for host in found]
    null = sum(text is None for text in texts)
    counts.take(file, len(texts), null, broken, invalid, explain(RULE, invalid), hosts, at)
    return counts


BIG = Counts(
    {"all.parquet": OfFile(10**10, 10**7, 123_456_789, 3)},
    codes={"path-illegal": 10**9, "host-illegal": 5},
    components={"path": 10**9, "host": 5},
    productions={"segment": 10**9, "reg-name": 5},
    hosts={"e.com": 10**8},
    missed=7,
)
SEVERAL = counted(["http://ok/", None, *HOSTILE], "a.parquet", 2)
for number in range(12):
    SEVERAL.add(counted(["http://ok/", "http://h/ "], f"part-{number:02}.parquet"))


def test_the_summary_has_every_number() -> None:
    lines = summary_text(SEVERAL, seconds=2.0).splitlines()
    rows = {line.rsplit("  ", 1)[0].strip(): line for line in lines}
    assert lines[0] == f"42 rows in 13 files: {SEVERAL.invalid} invalid (66.7%)"
    table = dict(re.findall(r"^ *([a-z ]+?)  +([\d,]+)(?:  .*)?$", "\n".join(lines[1:10]), re.M))
    assert table["rows"] == "42"
    assert (table["null"], table["could not be read"]) == ("1", "2")
    assert table["violations"] == str(SEVERAL.violations)
    assert (table["rows a second"], "time" in table) == ("21", False)
    assert "time              2.0 s" in lines
    for found in (SEVERAL.components, SEVERAL.productions, SEVERAL.codes):
        for name, value in found.items():
            assert any(re.match(rf"{name} +{value} ", line) for line in rows.values()), name


def test_each_code_has_its_title_and_an_example_with_carets() -> None:
    text = summary_text(counted(["http://h/ok", "http://e.com:8o80/", "http://[::1"]))
    assert (
        "port-illegal: A character that is not allowed in the port\n"
        "  urls.txt, row 1\n"
        "  http://e.com:8o80/\n"
        "                ^\n"
    ) in text
    assert "  http://[::1\n             +\n" in text


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252", "cp437"])
def test_no_line_is_wider_than_the_terminal(columns: int, encoding: str) -> None:
    text = summary_text(SEVERAL, width=columns, encoding=encoding, seconds=0.25)
    text.encode(encoding)
    assert max(map(width, text.splitlines())) <= columns
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize(("encoding", "bar"), [("utf-8", "█"), ("ascii", "#"), ("cp437", "#")])
def test_bars_are_of_what_the_encoding_has(encoding: str, bar: str) -> None:
    first = summary_text(SEVERAL, encoding=encoding).split("by component\n")[1].splitlines()[0]
    assert set(first.split()[-1]) == {bar}


def test_the_longest_bar_is_the_largest_and_none_is_empty() -> None:
    lines = summary_text(BIG).split("by component\n")[1].splitlines()[:2]
    assert [len(line.split()[-1]) for line in lines] == [40, 1]
    assert "<0.0001%" in lines[1]
    assert ">99.9%" in lines[0]


def test_ten_billion_rows_are_aligned() -> None:
    text = summary_text(BIG, seconds=40_000)
    assert "10,000,000,000 rows in 1 file: 123,456,789 invalid (1.23%)" in text
    assert "time                  11 h 6 min\n" in text
    assert "rows a second            250,000\n" in text
    assert "Not all hosts were kept: each may have up to 7 rows more." in text
    assert max(map(width, text.splitlines())) <= 80


def test_nothing_that_moves_the_cursor_or_reorders_is_written() -> None:
    for encoding in ("utf-8", "ascii"):
        text = summary_text(SEVERAL, encoding=encoding)
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ud800-\udfff\u0600-\u06ff]", text)
        assert "\\u202e" in text
        assert "secret" not in text


def test_carets_are_right_where_characters_are_escapes() -> None:
    text = summary_text(counted(["http://h/é ü"]), encoding="ascii")
    line, marks = text.splitlines()[-5:-3] if "Hosts" in text else text.splitlines()[-2:]
    assert line == "  http://h/\\xe9 \\xfc"
    assert marks == "           ^^^^^^^^^"


def test_color_marks_and_says_nothing() -> None:
    plain = summary_text(SEVERAL)
    assert "\x1b" not in plain
    colored = summary_text(SEVERAL, color=True)
    assert colored != plain
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


@pytest.mark.parametrize(
    ("counts", "first"),
    [
        (Counts(), "No rows were read."),
        (counted([]), "No rows were read."),
        (counted(["http://a/"]), "1 row in 1 file: all valid"),
        (counted(["http://a/", None]), "2 rows in 1 file: no invalid rows"),
        (counted([], broken=3), "0 rows in 1 file: no invalid rows"),
        (counted(["http://a b/"]), "1 row in 1 file: 1 invalid (100%)"),
    ],
)
def test_the_first_line_is_the_verdict(counts: Counts, first: str) -> None:
    text = summary_text(counts)
    assert text.splitlines()[0] == first
    assert ("Violations" in text) == (counts.invalid > 0)


def test_files_are_those_with_most_invalid_rows() -> None:
    files = summary_text(SEVERAL).split("\nFiles")[1].splitlines()
    assert files[1].split() == ["a.parquet", "16", "88.9%", "18", "2"]
    assert files[-1] == "… and 3 more files"
    assert "\nFiles" not in summary_text(counted(["http://a b/"]))


def test_a_code_of_another_grammar_is_shown_too() -> None:
    counts = Counts({"f": OfFile(3, 0, 1)}, codes={"my-date-missing": 1, "odd": 1})
    counts.add(Counts(examples={"odd": []}))
    assert re.search(r"^my-date-missing +1 ", summary_text(counts), re.M)


def test_json_has_the_counts_and_what_was_run() -> None:
    found = json.loads(as_json(SEVERAL, About((("Rule", "URI"),), 1.25, "today")))
    assert Counts.from_dict(found) == SEVERAL
    assert (found["version"], found["about"], found["seconds"]) == (1, {"Rule": "URI"}, 1.25)
    assert found["made"] == "today"
    assert found["invalid"] == SEVERAL.invalid
    assert list(found["codes"].values()) == sorted(SEVERAL.codes.values(), reverse=True)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_share_is_all_or_nothing_only_where_it_is(part: int, rest: int) -> None:
    shown = percent(part, part + rest)
    assert (shown == "0%") == (part == 0)
    assert (shown == "100%") == (rest == 0 < part)
    assert len(shown) <= 8


@given(st.floats(0, 10**8))
def test_a_duration_has_at_most_two_units(seconds: float) -> None:
    assert re.fullmatch(r"\d+(\.\d)? (s|min|h|d)( \d+ (s|min|h))?", duration(seconds))
