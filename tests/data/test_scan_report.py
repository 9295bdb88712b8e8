"""The reports of a scan: for the terminal, as a page and as JSON, whatever is in the files.

Owns the tests of ``data.scan.report``, ``page`` and the counts. Invariant: each is tried on hostile
texts, on nothing, and on ten billion rows.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from scans import add, counted

from uriproof.data.scan import results
from uriproof.data.scan.page import report_html
from uriproof.data.scan.report import as_record, summary_text
from uriproof.data.scan.results import Counts, OfFile, ranked
from uriproof.text.columns import width

HOSTILE = (
    "http://\udcff\ud800/",
    "http://<script>alert(1)</script>/",
    'http://"><img src=x onerror=alert(1)>/',
    "http://h\u202e.evil/",
    "http://a\0b\x1b[31m/",
    "http://" + "x" * 300 + ".example/ a",
    "http://漢字漢字.例え/",
    "ftp://me:secret pw@host.example/x y",
    "http://[::1",
    "http://e.com:8o80/",
    "http://example.org/" + "a" * 3000 + " b" + "c" * 900,
    "",
)
BIG = Counts(
    {"all.parquet": OfFile(10**10, 10**7, 123_456_789, 3)},
    codes=Counter({"path-illegal": 10**9, "host-illegal": 5}),
    components=Counter({"path": 10**9, "host": 5}),
    productions=Counter({"segment": 10**9, "reg-name": 5}),
    hosts=Counter({"e.com": 10**8}),
    missed=7,
    seconds=40_000,
)
SEVERAL = counted(["http://ok/", None, *HOSTILE], "a\x1b[2J<b>.parquet", broken=2)
for number in range(12):
    add(SEVERAL, ["http://ok/", "http://h/ "], f"part-{number:02}.parquet")


def test_the_summary_has_every_number() -> None:
    lines = summary_text(SEVERAL).splitlines()
    assert lines[0] == f"38 rows in 13 files: {SEVERAL.invalid} invalid (63.2%)"
    for found in (SEVERAL.components, SEVERAL.productions, SEVERAL.codes):
        for name, value in found.items():
            assert any(re.match(rf"{re.escape(name)} +{value} ", line) for line in lines), name
    assert any(re.fullmatch("broken rows +2", line) for line in lines)


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
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    text = summary_text(SEVERAL, width=columns)
    assert max(map(width, text.splitlines())) <= columns


def test_large_numbers_and_bars() -> None:
    text = summary_text(BIG)
    assert "10,000,000,000 rows in 1 file: 123,456,789 invalid (1.23%)" in text
    assert "time                    11:06:40\n" in text
    assert "each might have up to 7 rows more." in text
    bars = [len(line.split()[-1]) for line in text.split("by component\n")[1].splitlines()[:2]]
    assert bars == [40, 1]
    assert "█" not in summary_text(BIG, block="#")


def test_nothing_that_moves_the_cursor_or_reorders_is_written() -> None:
    text = summary_text(SEVERAL)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ud800-\udfff]", text)
    assert "\\u202e" in text
    assert "secret" not in text
    colored = summary_text(SEVERAL, color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == text != colored


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
def test_verdicts(counts: Counts, first: str) -> None:
    assert summary_text(counts).splitlines()[0] == first
    assert report_html(counts, {}).endswith("</html>\n")


def test_the_page_runs_and_loads_nothing() -> None:
    page = report_html(SEVERAL, {"files": "<img src=x>"}, title="</title><script>")
    html5lib: Any = pytest.importorskip("html5lib", reason="html5lib is not installed")
    elements = [*html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page).iter()]
    assert {e.tag for e in elements}.isdisjoint({"script", "img", "link", "iframe", "a"})
    attributes = {name for e in elements for name in e.attrib}
    assert attributes <= {"lang", "charset", "name", "content", "class", "style", "id"}
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ud800-\udfff]|url\\(|@import|secret", page)
    for name in (*SEVERAL.codes, *SEVERAL.components, *SEVERAL.productions):
        assert f"<code>{name}</code>" in page
    assert page.count("<mark>") >= len(SEVERAL.codes)


def test_json_is_what_was_found() -> None:
    found = json.loads(json.dumps(as_record(SEVERAL, {})))
    assert (found["rows"], found["null"], found["broken"], found["unread"]) == (38, 1, 2, 0)
    assert found["codes"] == SEVERAL.codes
    assert found["files"]["part-00.parquet"]["rows"] == 2
    texts = [each["text"] for several in found["examples"].values() for each in several]
    assert "http://\udcff\ud800/" in texts
    assert "secret" not in str(texts)
    assert not counted([HOSTILE[-2]]).examples


def test_hosts_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with most rows; what was left out is bounded."""
    monkeypatch.setattr(results, "MOST_HOSTS", 10)
    rows = [f"http://{'often' if i % 2 else f'h{i}'}.example/ " for i in range(100)]
    counts = counted(rows)
    counts.prune()
    assert len(counts.hosts) == 10
    assert next(iter(ranked(counts.hosts).items())) == ("often.example", 50)
    assert 0 < counts.missed < 50
    assert sum(counts.hosts.values()) + 10 * counts.missed >= 50
