"""The reports of a scan: for the terminal, as a page and as JSON, whatever is in the files.

Owns the tests of ``data.scan.report``. Invariant: each is tried on hostile texts, on nothing, and
on ten billion rows.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scans import counted

from uriproof import Rule
from uriproof.data.scan.report import About, as_json, duration, percent
from uriproof.data.scan.report.html import report_html
from uriproof.data.scan.report.plots import Bar, bars, strip
from uriproof.data.scan.report.text import summary_text
from uriproof.data.scan.summary import Counts, OfFile
from uriproof.text.columns import width

RULE = Rule()
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


BIG = Counts(
    {"all.parquet": OfFile(10**10, 10**7, 123_456_789, 3)},
    codes={"path-illegal": 10**9, "host-illegal": 5},
    components={"path": 10**9, "host": 5},
    productions={"segment": 10**9, "reg-name": 5},
    hosts={"e.com": 10**8},
    missed=7,
)
SEVERAL = counted(["http://ok/", None, *HOSTILE], "a.parquet", broken=2)
for number in range(12):
    SEVERAL.add(counted(["http://ok/", "http://h/ "], f"part-{number:02}.parquet"))


def test_the_summary_has_every_number() -> None:
    lines = summary_text(SEVERAL, About(seconds=2.0)).splitlines()
    rows = {line.rsplit("  ", 1)[0].strip(): line for line in lines}
    assert lines[0] == f"42 rows in 13 files: {SEVERAL.invalid} invalid (66.7%)"
    table = dict(re.findall(r"^ *([a-z ]+?)  +([\d,]+)(?:  .*)?$", "\n".join(lines[1:10]), re.M))
    assert table["rows"] == "42"
    assert (table["null"], table["broken rows"]) == ("1", "2")
    assert table["violations"] == str(SEVERAL.violations)
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
    text = summary_text(SEVERAL, About(seconds=0.25), width=columns, encoding=encoding)
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
    text = summary_text(BIG, About(seconds=40_000))
    assert "10,000,000,000 rows in 1 file: 123,456,789 invalid (1.23%)" in text
    assert "time                  11 h 6 min\n" in text
    assert "rows a second            250,000\n" in text
    assert "Not all hosts were kept: each might have up to 7 rows more." in text
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
        (counted(["http://a/"], broken=3), "1 row in 1 file: no invalid rows"),
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
    found = json.loads(as_json(SEVERAL, About((("Rule", "URI"),), 1.25, made="today")))
    assert Counts.from_dict(found) == SEVERAL
    assert (found["version"], found["about"], found["seconds"]) == (1, {"Rule": "URI"}, 1.25)
    assert found["made"] == "today"
    assert found["invalid"] == SEVERAL.invalid
    assert list(found["codes"].values()) == sorted(SEVERAL.codes.values(), reverse=True)


def test_a_scan_that_went_on_counts_the_time_of_its_own_rows() -> None:
    text = summary_text(BIG, About(seconds=100.0, before=9_999_990_000, unread=2))
    assert re.search(r"^rows a second +100$", text, re.M)
    assert re.search(r"^done before +9,999,990,000$", text, re.M)
    assert re.search(r"^files not read +2$", text, re.M)
    assert "1 file could not be read." in summary_text(Counts(), About(unread=1))


def test_a_few_rows_have_no_time() -> None:
    for rows, timed in ((9_999, False), (10_000, True)):
        counts = Counts({"a.txt": OfFile(rows)})
        assert ("rows a second" in summary_text(counts, About(seconds=2.0))) == timed
        assert ("Rows a second" in report_html(counts, ABOUT)) == timed


class Read(HTMLParser):
    """A page as a reader of HTML sees it: what is nested wrongly is an error."""

    VOID = frozenset({"meta", "rect", "line"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


ABOUT = About((("Files", "<x>"), ("Rule", "URI")), 2.0, made="2026-05-04 10:00 UTC")
CASES = {
    "several": SEVERAL,
    "big": BIG,
    "nothing": Counts(),
    "valid": counted(["http://a/"]),
    "broken": counted([], broken=3),
    "one": counted(["http://a b/"]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_page_is_whole_and_loads_and_runs_nothing(name: str) -> None:
    page = report_html(CASES[name], ABOUT, title="<i>\u202e")
    read = Read(page)
    assert not {tag for tag, _ in read.tags} & {"script", "img", "link", "iframe", "object", "i b"}
    for tag, attributes in read.tags:
        assert not any(key.startswith("on") or key == "src" for key in attributes), tag
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|https?://[^<]*[\"')]", page.partition("</style>")[0])
    page.encode("utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ud800-\udfff\u0600-\u06ff]", page)
    assert "secret" not in page


@pytest.mark.parametrize("name", CASES)
def test_the_page_can_be_read_without_seeing_it(name: str) -> None:
    tags = Read(report_html(CASES[name], ABOUT)).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in tags:
        if tag == "svg" and attributes.get("aria-hidden") != "true":
            assert attributes["role"] == "img"
            assert set((attributes["aria-labelledby"] or "").split()) <= set(ids)
        if (attributes.get("href") or "").startswith("#"):
            assert (attributes["href"] or "")[1:] in ids
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption")


def test_the_page_has_every_number_and_what_was_run() -> None:
    text = Read(report_html(SEVERAL, ABOUT, title="Crawl")).text
    assert f"Crawl {SEVERAL.invalid} of 42 rows in 13 files are invalid (66.7%)." in text
    for words in ("<x>", "2026-05-04 10:00 UTC", "Broken rows 2", "a.parquet"):
        assert words in text
    for found in (SEVERAL.components, SEVERAL.productions):
        for name, value in found.items():
            assert f"{name} {value} (" in text
    for code, value in SEVERAL.codes.items():
        assert f"{code} {value} " in text
    assert "… and 3 more files" not in text  # a page has more than a terminal


def test_the_page_marks_the_blamed_characters() -> None:
    page = report_html(counted(["http://h/a b?<x>", "http://[::1"]))
    assert '<p class="text">http://h/a<mark>␣</mark>b?&lt;x&gt;</p>' in page
    assert "http://h/a␣b?<mark>&lt;</mark>x<mark>&gt;</mark>" in page
    assert "http://[::1<mark>+</mark>" in page
    assert "urls.txt, row 0, characters 13, 15" in page
    assert "urls.txt, row 1, character 11 (missing)" in page


def test_bars_are_as_long_as_their_values() -> None:
    svg = bars("a", "t", [Bar("x", 200, "200"), Bar("y", 50, "50"), Bar("z", 0, "0")])
    assert re.findall(r'class="bar" y="\d+" width="([^"]+)"', svg) == ["100%", "25%", "0%"]
    assert '<desc id="a-words">x: 200; y: 50; z: 0</desc>' in svg
    shares = re.findall(
        r'<rect[^>]* width="([\d.]+)%" height="28"',
        strip(
            "s",
            "t",
            [Bar("v", 10**10, "", "valid"), Bar("i", 1, "", "invalid"), Bar("n", 0, "", "null")],
        ),
    )
    assert len(shares) == 2
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.01)
    assert float(shares[1]) > 0.4  # it can be seen


def test_files_are_counted_by_their_share_of_invalid_rows() -> None:
    shares = [0, 1, 10, 11, 1_000, 10_001, 100_000]
    counts = Counts({f"f{n}": OfFile(10**5, 0, n) for n in shares})
    words = re.search('<desc id="shares-words">(.*)</desc>', report_html(counts))
    assert words
    assert words[1] == "none: 1; ≤0.01%: 2; ≤0.1%: 1; ≤1%: 1; ≤10%: 0; &gt;10%: 2"


ANY = st.text(st.characters(exclude_categories=()), max_size=12)


@given(st.lists(ANY.map(lambda text: f"http://{text}"), max_size=4), ANY, st.integers(40, 100))
def test_whatever_the_files_hold_is_shown_and_does_nothing(
    texts: list[str], name: str, columns: int
) -> None:
    counts = counted(texts, name)
    counts.add(counted(["http://h/ "], "other"))
    hostile = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
    for encoding in ("utf-8", "ascii"):
        text = summary_text(counts, width=columns, encoding=encoding)
        text.encode(encoding)
        assert not hostile.search(text)
        assert max(map(width, text.split("\n"))) <= columns
    page = report_html(counts, About((("Files", name),)), title=name)
    assert not hostile.search(page)
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "header", "section", "nav"}
    allowed |= {"h1", "h2", "h3", "p", "b", "i", "a", "ul", "li", "dl", "dt", "dd", "div", "span"}
    allowed |= {"table", "caption", "thead", "tbody", "tr", "th", "td", "code", "mark", "article"}
    allowed |= {"figure", "figcaption", "svg", "desc", "rect", "line", "text"}
    assert {tag for tag, _ in Read(page).tags} <= allowed
    assert Counts.from_dict(json.loads(as_json(counts))).invalid == counts.invalid


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("columns", [360, 1280])
@pytest.mark.parametrize("name", ["several", "big", "nothing"])
def test_the_page_in_a_browser(
    name: str, columns: int, scheme: Literal["light", "dark"], tmp_path: Path
) -> None:
    import browser
    import build_site

    try:
        axe = build_site.from_npm("axe-core")["axe.min.js"].decode()
    except build_site.Failed as error:
        pytest.skip(str(error))
    path = tmp_path / "report.html"
    path.write_text(report_html(CASES[name], ABOUT), "utf-8")
    try:
        with browser.chromium() as chromium:
            page = chromium.new_page(
                viewport={"width": columns, "height": 900}, color_scheme=scheme
            )
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("pageerror", lambda error: asked.append(str(error)))
            page.goto(path.as_uri())
            assert asked == [path.as_uri()]
            assert page.evaluate("document.documentElement.scrollWidth") == columns
            page.evaluate(axe)
            found = page.evaluate("axe.run(document)")
            assert [one["id"] for one in found["violations"]] == []
    except browser.NoBrowser as error:
        pytest.skip(str(error))


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_share_is_all_or_nothing_only_where_it_is(part: int, rest: int) -> None:
    shown = percent(part, part + rest)
    assert (shown == "0%") == (part == 0)
    assert (shown == "100%") == (rest == 0 < part)
    assert len(shown) <= 8


@given(st.floats(0, 10**8))
def test_a_duration_has_at_most_two_units(seconds: float) -> None:
    assert re.fullmatch(r"\d+(\.\d)? (s|min|h|d)( \d+ (s|min|h))?", duration(seconds))
