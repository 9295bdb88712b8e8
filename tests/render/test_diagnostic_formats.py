"""The formats of findings, each held to the contract of what reads it.

Owns the contracts, as far as they concern what is written: which keys there are, which values they
may have, what is escaped and how. Where a contract is a published schema, the facts here are those
of the schema: SARIF 2.1.0 (OASIS), reviewdog's rdf.DiagnosticResult, junit-10.xsd of Jenkins'
xUnit plugin, GitLab's code quality report; the others are the documentation of the consumer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest
from diagnostics import diagnostic
from hypothesis import given
from hypothesis import strategies as st

import uriproof
from uriproof.diagnostic import Diagnostic, Edit, Place, RuleInfo
from uriproof.render import Style
from uriproof.render.diagnostics import formats, renderer
from uriproof.render.diagnostics.logs import cell, code
from uriproof.validate.words.messages import describe_character

ALL = {
    *("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle"),
    *("rdjson", "azure", "pylint", "markdown"),
}
LINE = "  see [x](http://me:****@ex\u00e4mple.com/a b) \U00010400"
AT = LINE.index(" b")

ERROR = diagnostic(
    file="docs/a b,c:%.md",
    start=1000 + AT,
    end=1000 + AT + 1,
    line=12,
    column=AT + 1,
    end_line=12,
    end_column=AT + 2,
    code="path-illegal",
    severity="error",
    message="U+0020 SPACE is not allowed here in the path (segment); expected pchar",
    url="http://me:****@ex\u00e4mple.com/a b",
    url_start=1010,
    url_end=1040,
    source_line=LINE,
    component="path",
    production="segment",
    expected=("pchar",),
    section="RFC 3986 \u00a73.3",
    hint="a hint",
    edit=Edit(1000 + AT, 1000 + AT + 1, "%20", safe=True),
)
MISSING = diagnostic(
    *("b.txt", 11, 11, 1, 12, 1, 12, "host-missing", "error", '"]" is missing', "http://[::1"),
    *(0, 11, "http://[::1"),
    component="host",
    production="IP-literal",
    expected=('"]"',),
    section="RFC 3986 \u00a73.2.2",
)
LONG = diagnostic(
    *("b.txt", 24, 40, 2, 3, 3, 5, "html-entity", "warning", "an opinion", "http://a/\n", 20, 40),
    "x http://a/",
    lines=((2, "x http://a/"), (3, "  b c")),
)
NOTE = diagnostic("c.txt", 0, 1, 1, 1, 1, 2, "bad-encoding", "note", "no UTF-8", "", 0, 1, "\udce9")
SOME = (ERROR, MISSING, LONG, NOTE)
INFO = RuleInfo(
    *("path-illegal", "A <title> | of a rule", "Because.", "error"),
    *("https://www.rfc-editor.org/rfc/rfc3986#section-3.3", "# A page"),
)
RULES = {"path-illegal": INFO}


def said(name: str, found: Iterable[Diagnostic] = SOME, style: Style | None = None) -> str:
    return "".join(renderer(name)(found, style or Style(), RULES))


def holds(value: Any, shape: Any, where: str = "$") -> None:
    """Asserts that a value has a shape: a type, allowed values, a list, or an object's keys.

    A key that ends in a question mark may be left out; no key may be there that is not listed.
    """
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        required = {key for key in shape if not key.endswith("?")}
        assert required <= set(value), where
        assert set(value) <= {key.removesuffix("?") for key in shape}, where
        for key, inner in value.items():
            holds(inner, shape.get(key, shape.get(f"{key}?")), f"{where}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for number, inner in enumerate(value):
            holds(inner, shape[0], f"{where}[{number}]")
    elif isinstance(shape, set):
        assert value in shape, where
    else:
        assert type(value) is shape, where


def test_every_format_is_there() -> None:
    assert set(formats()) == ALL
    page = Path(__file__).parent.parent.parent / "docs" / "lint" / "formats.md"
    table = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert set(re.findall("`([a-z]+)`", " ".join(row.split("|")[1] for row in table))) == ALL


@pytest.mark.parametrize("name", sorted(ALL))
class TestEveryFormat:
    def test_nothing_is_found(self, name: str) -> None:
        shown = said(name, ())
        if name in {"json", "gitlab"}:
            assert json.loads(shown) == []
        elif name in {"full", "concise", "jsonl", "pylint", "azure", "github"}:
            assert shown == ""
        else:
            assert shown.endswith("\n")

    def test_rules_need_not_be_known(self, name: str) -> None:
        assert "path-illegal" in "".join(renderer(name)(SOME, Style()))

    def test_the_order_is_that_of_the_findings(self, name: str) -> None:
        shown = said(name, (MISSING, ERROR))
        if name not in {"markdown"}:
            assert shown.index("host-missing") < shown.index("path-illegal")


@pytest.mark.parametrize("name", sorted(ALL - {"junit", "markdown"}))  # counts come first
def test_it_yields_before_it_has_read_all(name: str) -> None:
    taken: list[int] = []

    def endless() -> Iterable[Diagnostic]:
        for number in range(1000):
            taken.append(number)
            yield MISSING

    pieces = renderer(name)(endless(), Style(), RULES)
    for _ in range(5):
        next(pieces)
    assert len(taken) <= 6


class TestFull:
    def test_in_full(self) -> None:
        assert said("full", [ERROR]) == (
            "docs/a b,c:%.md:12:39: path-illegal "
            "U+0020 SPACE is not allowed here in the path (segment); expected pchar\n"
            "   |\n"
            "12 | see [x](http://me:****@ex\u00e4mple.com/a b) \U00010400\n"
            "   |                                     ^\n"
            "   = in: path (segment), RFC 3986 \u00a73.3\n"
            "   = hint: a hint\n"
            '   = fix: replace it with "%20"\n\n'
        )

    def test_what_is_missing_is_marked_where_it_should_stand(self) -> None:
        lines = said("full", [MISSING]).splitlines()
        assert lines[2:4] == ["1 | http://[::1", "  |            +"]

    def test_a_fix_of_more_than_is_blamed_says_of_what(self) -> None:
        found = diagnostic(
            *("a", 11, 12, 1, 12, 1, 13, "host-illegal", "error", "m", "u", 0, 17),
            "http://caf\u00e9.example/",
            edit=Edit(7, 19, "xn--caf-dma.example", safe=False),
        )
        fix = 'replace "caf\u00e9.example" with "xn--caf-dma.example"'
        assert f"fix: {fix} (unsafe" in said("full", [found])

    def test_what_goes_on_is_marked_to_the_end_of_its_line(self) -> None:
        lines = said("full", [LONG]).splitlines()
        assert lines[2:4] == ["2 | x http://a/", "  |   ^^^^^^^^^"]

    def test_tabs_and_wide_characters(self) -> None:
        line = "\t\u4e2d\thttp://a/\u4e2d"
        found = diagnostic(
            *("a", 12, 13, 1, 13, 1, 14, "path-illegal", "error", "m", "u", 3, 13, line)
        )
        text, marks = said("full", [found]).splitlines()[2:4]
        assert text == "1 | \u4e2d\\thttp://a/\u4e2d"
        assert marks == "  |              ^^"

    def test_color_adds_nothing_else(self) -> None:
        colored = said("full", style=Style(color=True))
        assert colored != said("full")
        assert re.sub("\x1b\\[[0-9;]*m", "", colored) == said("full")

    def test_a_long_line_is_cut(self) -> None:
        line = f"{'x' * 5000} http://a/ b {'y' * 5000}"
        found = diagnostic(
            *("a", 5010, 5011, 1, 5011, 1, 5012, "path-illegal", "error", "m", "u", 0, 1, line)
        )
        assert max(map(len, said("full", [found]).splitlines())) <= 100


def test_concise() -> None:
    assert said("concise").splitlines() == [
        f"docs/a b,c:%.md:12:39: path-illegal {ERROR.message}",
        'b.txt:1:12: host-missing "]" is missing',
        "b.txt:2:3: html-entity warning: an opinion",
        "c.txt:1:1: bad-encoding note: no UTF-8",
    ]
    plain = re.sub("\x1b\\[[0-9;]*m", "", said("concise", style=Style(color=True)))
    assert plain == said("concise")


class TestJson:
    SHAPE = {  # noqa: RUF012 -- a constant
        **dict.fromkeys(("code", "file", "message", "component", "production", "section"), str),
        **dict.fromkeys(("line", "column", "end_line", "end_column", "start", "end"), int),
        **dict.fromkeys(("hint", "url"), str),
        **dict.fromkeys(("version", "url_start", "url_end"), int),
        "severity": {"error", "warning", "note"},
        "expected": [str],
        "edits": [{"start": int, "end": int, "replacement": str, "safe": bool}],
        "places": [
            dict.fromkeys(("start", "end", "line", "column", "end_line", "end_column"), int)
        ],
    }

    def test_the_shape(self) -> None:
        for record in json.loads(said("json")):
            holds(record, self.SHAPE)

    def test_lines_are_the_same_records(self) -> None:
        lines = [json.loads(line) for line in said("jsonl").splitlines()]
        assert lines == json.loads(said("json"))
        assert lines[0]["edits"] == [
            {"start": 1000 + AT, "end": 1001 + AT, "replacement": "%20", "safe": True}
        ]


class TestSarif:
    REGION = {  # noqa: RUF012
        **dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), int)
    }
    TEXT = {"text": str}  # noqa: RUF012
    PLACE = {"uri": str, "uriBaseId?": str}  # noqa: RUF012
    RESULT = {  # noqa: RUF012
        "ruleId": str,
        "ruleIndex": int,
        "level": {"error", "warning", "note"},
        "message": TEXT,
        "locations": [{"physicalLocation": {"artifactLocation": PLACE, "region": REGION}}],
        "partialFingerprints": {"primaryLocationLineHash": str},
        "fixes?": [
            {
                "description": TEXT,
                "artifactChanges": [
                    {
                        "artifactLocation": PLACE,
                        "replacements": [{"deletedRegion": REGION, "insertedContent": TEXT}],
                    }
                ],
            }
        ],
    }
    RULE = {  # noqa: RUF012
        "id": str,
        "name": str,
        "defaultConfiguration": {"level": {"error", "warning", "note"}},
        "shortDescription?": TEXT,
        "fullDescription?": TEXT,
        "helpUri?": str,
        "help?": {"text": str, "markdown": str},
    }
    LOG = {  # noqa: RUF012
        "$schema": str,
        "version": {"2.1.0"},
        "runs": [
            {
                "columnKind": {"unicodeCodePoints"},
                "originalUriBaseIds": {"%SRCROOT%": {"description": TEXT}},
                "results": [RESULT],
                "invocations?": [
                    {
                        "executionSuccessful": bool,
                        "toolExecutionNotifications": [{"level": {"warning"}, "message": TEXT}],
                    }
                ],
                "tool": {"driver": {"name": str, "semanticVersion": str, "rules": [RULE]}},
            }
        ],
    }

    def run(self, found: Iterable[Diagnostic] = SOME) -> Any:
        log = json.loads(said("sarif", found))
        holds(log, self.LOG)
        (run,) = log["runs"]
        return run

    def test_places(self) -> None:
        results = self.run()["results"]
        place = results[0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {
            "uri": "docs/a%20b,c:%25.md",
            "uriBaseId": "%SRCROOT%",
        }
        assert place["region"]["startColumn"] == AT + 1
        assert place["region"]["endColumn"] == AT + 2
        region = results[2]["locations"][0]["physicalLocation"]["region"]
        assert region == {"startLine": 2, "startColumn": 3, "endLine": 3, "endColumn": 5}

    def test_every_path_is_a_reference_to_it(self, tmp_path: Path) -> None:
        outside = str(tmp_path / "a#b")
        for file in ("a:b", "a?b#c", "x/y z", outside, "\udce9.txt"):
            found = diagnostic(file, *(0, 1, 1, 1, 1, 2), "c", "error", "m", "", 0, 1, "")
            (result,) = self.run([found])["results"]
            where = result["locations"][0]["physicalLocation"]["artifactLocation"]
            assert uriproof.is_valid(where["uri"], "URI-reference")
            scheme = uriproof.check(where["uri"], "URI-reference").components.get("scheme")
            assert (scheme is not None) == (file == outside)
            assert ("uriBaseId" in where) == (file != outside)
            path = where["uri"].removeprefix("file://")
            assert unquote_to_bytes(path) == file.encode("utf-8", "surrogateescape")

    def test_rules_are_those_that_were_met(self) -> None:
        run = self.run()
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert rules[0]["helpUri"] == INFO.url
        assert rules[0]["help"]["markdown"] == "# A page"
        assert [rule["id"] for rule in rules] == [one.code for one in SOME]

    def test_fixes(self) -> None:
        results = self.run()["results"]
        (change,) = results[0]["fixes"][0]["artifactChanges"]
        (replacement,) = change["replacements"]
        assert replacement["insertedContent"] == {"text": "%20"}
        assert replacement["deletedRegion"]["startColumn"] == AT + 1
        assert "fixes" not in results[1]

    def test_fingerprints_do_not_know_the_line_number(self) -> None:
        moved = diagnostic(
            *("b.txt", 91, 91, 7, 12, 7, 12, "host-missing", "error", "m", "u", 80, 91),
            "http://[::1",
        )
        here, there = (self.run([one])["results"][0] for one in (MISSING, moved))
        assert here["partialFingerprints"] == there["partialFingerprints"]
        twice = self.run([MISSING, moved])["results"]
        marks = [r["partialFingerprints"]["primaryLocationLineHash"] for r in twice]
        assert [mark.rpartition(":")[2] for mark in marks] == ["1", "2"]

    @pytest.mark.prove
    def test_no_more_than_are_taken(self) -> None:
        run = self.run(MISSING for _ in range(25_003))
        assert len(run["results"]) == 25_000
        (invocation,) = run["invocations"]
        (note,) = invocation["toolExecutionNotifications"]
        assert note["message"]["text"].startswith("3 more diagnostics are left out")


class TestGithub:
    COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")

    @pytest.fixture(autouse=True)
    def _no_summary(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)

    def test_commands(self) -> None:
        first, second, third, fourth = said("github").splitlines()
        assert first == (
            "::error title=uriproof (path-illegal),file=docs/a b%2Cc%3A%25.md,line=12,endLine=12,"
            "col=39,endColumn=40::docs/a b,c:%25.md:12:39: U+0020 SPACE is not allowed here in the "
            'path (segment); expected pchar; a hint; fix: replace it with "%2520"'
        )
        assert "col=12,endColumn=12::" in second
        # Columns are of one line (Checks API, "Annotations": start_column).
        assert third.startswith(
            "::warning title=uriproof (html-entity),file=b.txt,line=2,endLine=3::"
        )
        assert fourth.startswith("::notice ")

    def test_no_more_than_are_shown(self) -> None:
        lines = said("github", [MISSING] * 13 + [LONG] * 11 + [NOTE] * 10).splitlines()
        kinds = [m[1] for m in map(self.COMMAND.fullmatch, lines) if m]
        assert {kind: kinds.count(kind) for kind in kinds} == {
            "error": 10,
            "warning": 10,
            "notice": 10,
        }
        assert len(lines) == 35
        assert "5 more diagnostics are in the log" in lines[-1]

    def test_the_summary_of_the_step(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        summary = tmp_path / "summary.md"
        summary.write_text("before\n")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
        said("github")
        assert summary.read_text("utf-8") == "before\n" + said("markdown")

    def test_a_summary_that_cannot_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "folder"))
        assert "::warning title=uriproof::no summary was written" in said("github")

    def test_what_is_logged_is_no_command(self) -> None:
        odd = diagnostic("::error::x", *(0, 1, 1, 1, 1, 2), "c", "error", "##[x]", "", 0, 1, "")
        last = said("github", [MISSING] * 10 + [odd]).splitlines()[10]
        assert not last.startswith("::")
        assert "##[" not in last


class TestGitlab:
    SHAPE = {  # noqa: RUF012
        "description": str,
        "check_name": str,
        "fingerprint": str,
        "severity": {"info", "minor", "major", "critical", "blocker"},
        "location": {"path": str, "lines": {"begin": int, "end": int}},
    }

    def test_the_shape(self) -> None:
        report = json.loads(said("gitlab"))
        holds(report, [self.SHAPE])
        assert [issue["severity"] for issue in report] == ["major", "major", "minor", "info"]

    def test_paths_are_of_the_repository(self) -> None:
        for file in ("./a/b.md", str(Path.cwd() / "a" / "b.md"), "a//b.md"):
            found = diagnostic(file, *(0, 1, 1, 1, 1, 2), "c", "error", "m", "", 0, 1, "")
            (issue,) = json.loads(said("gitlab", [found]))
            assert issue["location"]["path"] == "a/b.md"

    def test_fingerprints_differ_and_outlive_edits(self) -> None:
        below = diagnostic(
            *("b.txt", 91, 91, 7, 12, 7, 12, "host-missing", "error", "m", "http://[::1"),
            *(80, 91, "something else http://[::1"),
        )
        same = [json.loads(said("gitlab", [one]))[0]["fingerprint"] for one in (MISSING, below)]
        assert same[0] == same[1]
        found = [ERROR, MISSING, below, MISSING, LONG, NOTE]
        prints = [issue["fingerprint"] for issue in json.loads(said("gitlab", found))]
        assert len(set(prints)) == len(prints)


class TestRdjson:
    POSITION = {"line": int, "column": int}  # noqa: RUF012
    RANGE = {"start": POSITION, "end": POSITION}  # noqa: RUF012
    SHAPE = {  # noqa: RUF012
        "source": {"name": str},
        "diagnostics": [
            {
                "message": str,
                "location": {"path": str, "range": RANGE},
                "severity": {"ERROR", "WARNING", "INFO"},
                "code": {"value": str, "url?": str},
                "suggestions?": [{"range": RANGE, "text": str}],
                "related_locations?": [{"message": str, "location": {"path": str, "range": RANGE}}],
            }
        ],
    }

    def test_columns_are_octets(self) -> None:
        first, _, third, _ = json.loads(said("rdjson"))["diagnostics"]
        octets = len(LINE[:AT].encode())
        assert octets == AT + 1
        where = {
            "start": {"line": 12, "column": octets + 1},
            "end": {"line": 12, "column": octets + 2},
        }
        assert first["location"]["range"] == where
        assert first["suggestions"] == [{"range": where, "text": "%20"}]
        assert third["location"]["range"]["end"] == {"line": 3, "column": 5}

    def test_a_fix_that_leaves_the_line_is_no_suggestion(self) -> None:
        edit = Edit(24, 400, "", safe=True)
        found = diagnostic(
            *("b", 24, 40, 2, 3, 3, 5, "c", "warning", "m", "", 20, 40, "x http://a/"), edit=edit
        )
        (one,) = json.loads(said("rdjson", [found]))["diagnostics"]
        assert "suggestions" not in one


class TestXml:
    def tree(self, name: str, found: Iterable[Diagnostic] = SOME) -> ElementTree.Element:
        return ElementTree.fromstring(said(name, found))  # noqa: S314 -- what was just written

    def test_junit(self) -> None:
        root = self.tree("junit")
        assert root.tag == "testsuites"
        assert set(root.attrib) <= {"name", "time", "tests", "failures", "errors"}
        suites = list(root)
        assert [suite.get("name") for suite in suites] == ["docs/a b,c:%.md", "b.txt", "c.txt"]
        for suite in suites:
            assert suite.tag == "testsuite"
            assert set(suite.attrib) == {"name", "tests", "failures", "errors", "skipped"}
            cases = list(suite)
            assert suite.get("tests") == str(len(cases))
            assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
            assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
            for case in cases:
                assert case.tag == "testcase"
                assert set(case.attrib) == {"name", "classname"}
                (outcome,) = case
                assert set(outcome.attrib) <= {"type", "message"}
        failure = suites[0].find("testcase/failure")
        assert failure is not None
        assert failure.get("message") == ERROR.message
        assert failure.text is not None
        assert failure.text.splitlines()[0] == "docs/a b,c:%.md:12:39: path-illegal"

    def test_junit_of_nothing_is_a_test_that_passes(self) -> None:
        (suite,) = self.tree("junit", ())
        (case,) = suite
        assert (suite.get("tests"), suite.get("failures"), len(case)) == ("1", "0", 0)

    def test_checkstyle(self) -> None:
        root = self.tree("checkstyle")
        assert (root.tag, set(root.attrib)) == ("checkstyle", {"version"})
        assert [file.get("name") for file in root] == ["docs/a b,c:%.md", "b.txt", "c.txt"]
        for file in root:
            assert (file.tag, set(file.attrib)) == ("file", {"name"})
            for error in file:
                assert error.tag == "error"
                assert set(error.attrib) == {"line", "column", "severity", "message", "source"}
                assert error.get("severity") in {"error", "warning", "info", "ignore"}


def test_azure() -> None:
    odd = diagnostic("a;b]%.md", *(0, 1, 1, 1, 1, 2), "c", "warning", "50%", "", 0, 1, "")
    assert said("azure", [odd]) == (
        "##vso[task.logissue type=warning;sourcepath=a%3Bb%5D%AZP25.md;linenumber=1;"
        "columnnumber=1;code=c;]50%AZP25\n"
    )
    lines = said("azure").splitlines()
    assert [line.startswith("##vso[task.logissue ") for line in lines] == [True] * 3 + [False]
    note = diagnostic("##vso[x]", *(0, 1, 1, 1, 1, 2), "c", "note", "m", "", 0, 1, "")
    assert "##vso" not in said("azure", [note])


def test_pylint() -> None:
    line = re.compile(r"(?P<path>.+?):(?P<line>\d+): \[(?P<code>[^\]]+)\] (?P<text>.+)")
    shown = said("pylint").splitlines()
    found = [m.groupdict() for m in map(line.fullmatch, shown) if m]
    assert [(m["line"], m["code"]) for m in found] == [(str(one.line), one.code) for one in SOME]
    assert found[1]["text"] == 'column 12: "]" is missing'


class TestMarkdown:
    def test_in_full(self) -> None:
        lines = said("markdown").splitlines()
        assert lines[0] == "## uriproof"
        assert lines[2] == "4 diagnostics in 3 files."
        assert "| 1 | `path-illegal` | A \\<title\\> \\| of a rule |" in lines
        assert lines[-4].startswith("| `docs/a b,c:%.md:12:39` | `path-illegal` | U+0020")

    def test_no_cell_breaks_its_row(self) -> None:
        odd = diagnostic("a|b", *(0, 1, 1, 1, 1, 2), "c", "error", "x|`y`\n<z>", "", 0, 1, "")
        last = said("markdown", [odd]).splitlines()[-1]
        assert len(re.findall(r"(?<!\\)\|", last)) == 4
        assert "<z>" not in last.replace("\\<", "")

    @given(st.text(st.sampled_from("a1 \\`*_{}[]<>()#+!|~$@&:/.-=")))
    def test_a_cell_shows_what_it_was_given(self, text: str) -> None:
        """As CommonMark reads it; and GitHub makes neither a link nor a picture of it."""
        markdown_it = pytest.importorskip("markdown_it")
        read = markdown_it.MarkdownIt().enable("table")
        text = f"a{text}"
        for made in cell(text), code(text):
            page = read.render(f"|a|b|\n|-|-|\n|x {made} x|y|\n")
            shown = [re.sub("<[^>]*>", "", one) for one in re.findall("<td>(.*?)</td>", page)]
            assert [unescape(one).split() for one in shown] == [f"x {text} x".split(), ["y"]]
        assert not re.search(r":(//|\w+:)", cell(text))

    def test_a_step_has_room_for_it(self) -> None:
        odd = diagnostic("`" * 4000, *(0, 1, 1, 1, 1, 2), "c", "error", "|" * 900, "", 0, 1, "")
        assert len(said("markdown", [odd] * 600)) < 1 << 20

    def test_the_list_is_cut_and_the_counts_are_not(self) -> None:
        shown = said("markdown", [MISSING] * 700)
        assert "700 diagnostics in 1 file." in shown
        assert shown.count("`host-missing`") == 501
        assert "200 more not" in shown


TWO_LINES = diagnostic(
    *("a.md", 4, 5, 7, 5, 7, 6, "path-illegal", "error", "m", "http://h/", 0, 30, "ab c|"),
    edits=(Edit(4, 5, "%7C", True), Edit(6, 7, "%5E", True), Edit(10, 11, "%20", True)),
    more=(Place(6, 7, 8, 1, 8, 2), Place(10, 11, 8, 5, 8, 6)),
    lines=((7, "ab c|"), (8, "^\u00e4bc d")),
)


class TestPlaces:
    """One diagnostic of several places, in the terms of each format."""

    def test_full(self) -> None:
        assert said("full", [TWO_LINES]).splitlines()[1:] == [
            *("  |", "7 | ab c|", "  |     ^", "8 | ^\u00e4bc d", "  | ^   ^"),
            *('  = fix: replace "|" with "%7C", "^" with "%5E" and " " with "%20"', ""),
        ]

    def test_full_of_lines_that_are_blank_or_many(self) -> None:
        more = tuple(Place(n, n + 1, n, 1, n, 2) for n in range(8, 30))
        lines = tuple((n, "x" if n != 8 else "") for n in range(7, 30))
        found = TWO_LINES._replace(places=(TWO_LINES.places[0], *more), lines=lines, edits=())
        shown = said("full", [found]).splitlines()
        assert [row[:4] for row in shown if re.match(r"\d", row)] == [
            f"{n:<2} |" for n in range(7, 15) if n != 8
        ]
        assert "   | and 15 more lines" in shown

    @pytest.mark.parametrize("name", ["concise", "github", "azure", "pylint", "checkstyle"])
    def test_in_a_line(self, name: str) -> None:
        assert "; also at 8:1 and 8:5" in said(name, [TWO_LINES]).replace("%3A", ":")

    def test_in_the_same_line(self) -> None:
        places = tuple(place._replace(line=7, end_line=7) for place in TWO_LINES.places)
        assert said("concise", [TWO_LINES._replace(places=places)]).endswith(
            "; also at columns 1 and 5\n"
        )

    def test_sarif(self) -> None:
        (result,) = json.loads(said("sarif", [TWO_LINES]))["runs"][0]["results"]
        regions = [one["physicalLocation"]["region"] for one in result["locations"]]
        assert [(r["startLine"], r["startColumn"]) for r in regions] == [(7, 5), (8, 1), (8, 5)]
        (fix,) = result["fixes"]
        replacements = fix["artifactChanges"][0]["replacements"]
        assert [r["insertedContent"]["text"] for r in replacements] == ["%7C", "%5E", "%20"]
        assert [r["deletedRegion"]["startLine"] for r in replacements] == [7, 8, 8]

    def test_rdjson(self) -> None:
        (one,) = json.loads(said("rdjson", [TWO_LINES]))["diagnostics"]
        starts = [r["location"]["range"]["start"] for r in one["related_locations"]]
        assert starts == [{"line": 8, "column": 1}, {"line": 8, "column": 6}]  # in octets
        assert [s["range"]["start"] for s in one["suggestions"]] == [
            *({"line": 7, "column": 5}, *starts),
        ]
        assert "also" not in one["message"]

    def test_gitlab(self) -> None:
        (one,) = json.loads(said("gitlab", [TWO_LINES]))
        assert one["location"]["lines"] == {"begin": 7, "end": 8}

    def test_junit(self) -> None:
        shown = said("junit", [TWO_LINES])
        assert shown.count("<testcase") == 1
        assert "a.md:8:1: also here\na.md:8:5: also here\n" in shown

    @pytest.mark.parametrize("name", ["sarif", "rdjson"])
    def test_what_is_unsafe_is_not_offered(self, name: str) -> None:
        edits = tuple(edit._replace(safe=edit.start != 6) for edit in TWO_LINES.edits)
        shown = said(name, [TWO_LINES._replace(edits=edits)])
        assert "fixes" not in shown
        assert "suggestions" not in shown
        assert "(unsafe: it might change the meaning)" in shown

    @pytest.mark.parametrize("name", ["sarif", "rdjson"])
    def test_half_a_fix_is_not_offered(self, name: str) -> None:
        edits = (*TWO_LINES.edits, Edit(90, 91, "", True))
        shown = said(name, [TWO_LINES._replace(edits=edits)])
        assert "fixes" not in shown
        assert "suggestions" not in shown


anything = st.text(max_size=30)
places = st.tuples(st.integers(0, 20), st.integers(0, 9)).map(lambda p: (p[0], p[0] + p[1]))


@st.composite
def any_diagnostics(draw: st.DrawFn) -> Diagnostic:
    """A finding whose texts are anything."""
    line = draw(anything)
    start, end = (min(at, len(line)) for at in draw(places))
    edit = draw(st.none() | st.builds(Edit, *(st.integers(0, 40),) * 2, anything, st.booleans()))
    begin = draw(st.integers(0, 99))
    return diagnostic(
        file=draw(anything.filter(bool).filter(lambda text: "\0" not in text)),
        start=begin + start,
        end=begin + end,
        line=3,
        column=start + 1,
        end_line=3,
        end_column=end + 1,
        code=draw(st.sampled_from(["path-illegal", "other"])),
        severity=draw(st.sampled_from(["error", "warning", "note"])),
        message=draw(anything),
        url=draw(anything),
        url_start=begin,
        url_end=begin + 30,
        hint=draw(anything),
        more=draw(st.sampled_from([(), (Place(begin + 31, begin + 32, 4, 1, 4, 2),)])),
        lines=((3, line), (4, draw(anything))),
        edit=edit and Edit(min(edit.start, edit.end), edit.end, edit.replacement, edit.safe),
    )


@pytest.mark.prove
@given(st.lists(any_diagnostics(), max_size=4))
def test_whatever_is_said_is_in_form(found: list[Diagnostic]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        shown = {name: said(name, found) for name in ALL}
    for name, text in shown.items():
        # Nothing that could move the cursor, and nothing that cannot be written.
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", text), name
    assert [r["code"] for r in json.loads(shown["json"])] == [one.code for one in found]
    holds(json.loads(shown["sarif"]), TestSarif.LOG)
    holds(json.loads(shown["gitlab"]), [TestGitlab.SHAPE])
    holds(json.loads(shown["rdjson"]), TestRdjson.SHAPE)
    for name in ("junit", "checkstyle"):
        ElementTree.fromstring(shown[name])  # noqa: S314
    for name in ("concise", "pylint", "azure", "github", "jsonl"):
        assert shown[name].count("\n") == len(found), name


@pytest.mark.parametrize("name", sorted(ALL))
def test_octets_that_are_no_utf_8_look_alike_everywhere(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    where = ("caf\udce9.md", 9, 10, 1, 10, 1, 11, "path-illegal", "error")
    url = "http://h/\udce8"
    found = diagnostic(*where, f"{describe_character(url[-1])} is wrong", url, 0, 10, url)  # type: ignore[arg-type]
    shown = said(name, [found]).replace("\\\\", "\\")
    assert ("caf%E9.md" if name == "sarif" else "caf\\xE9.md") in shown
    assert "byte 0xE8 is wrong" in shown
    if name in {"full", "junit", "json", "jsonl"}:
        assert "http://h/\\xE8" in shown
