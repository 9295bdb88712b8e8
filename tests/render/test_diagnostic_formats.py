"""The formats of diagnostics: what each writes, to the letter, and the contract of what reads it.

Owns ``snapshots/``, which show a change of words, places or fields as a difference (after
``UPDATE_SNAPSHOTS=1 pytest tests/render``, look at it before you commit it), and ``shapes.json``,
in which SARIF 2.1.0 (OASIS), reviewdog's rdf.DiagnosticResult and GitLab's code quality report have
their keys and values. The other contracts are junit-10.xsd of Jenkins' xUnit plugin, and the
documentation of the consumers. ``json`` has a schema (see test_schemas.py).
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest
from diagnostics import diagnostic
from hypothesis import given
from hypothesis import strategies as st

import uriproof
from uriproof.diagnostic import Diagnostic, Edit, Place
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.render import Style
from uriproof.render.diagnostics import formats, renderer
from uriproof.render.diagnostics.logs import cell, code

HERE = Path(__file__).parent
SHAPES = json.loads((HERE / "shapes.json").read_text("utf-8"))
ONE_LINE = ("azure", "concise", "github", "jsonl", "pylint")
"""Formats with a line for each diagnostic."""

LINE = "  see [x](http://me:****@ex\u00e4mple.com/a b) \U00010400"
AT = LINE.index(" b")

ERROR = diagnostic(
    *("docs/a b,c:%.md", 1000 + AT, 1001 + AT, 12, AT + 1, 12, AT + 2, "path-illegal", "error"),
    "U+0020 SPACE is not allowed here in the path (segment); expected pchar",
    *("http://me:****@ex\u00e4mple.com/a b", 1010, 1040, LINE),
    component="path",
    production="segment",
    expected=("pchar",),
    section="RFC 3986 \u00a73.3",
    hint="a hint",
    edit=Edit(1000 + AT, 1001 + AT, "%20", safe=True),
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
TWO_LINES = diagnostic(
    *("d.md", 4, 5, 7, 5, 7, 6, "path-illegal", "error", "m", "http://h/", 0, 30, "ab c|"),
    edits=(Edit(4, 5, "%7C", True), Edit(6, 7, "%5E", True), Edit(10, 11, "%20", True)),
    more=(Place(6, 7, 8, 1, 8, 2), Place(10, 11, 8, 5, 8, 6)),
    lines=((7, "ab c|"), (8, "^\u00e4bc d")),
)


def odd(file: str, severity: Any = "error", message: str = "m", line: str = "") -> Diagnostic:
    return diagnostic(file, *(0, 1, 1, 1, 1, 2), "c", severity, message, "", 0, 1, line)


SHOWN = (
    *SOME,
    TWO_LINES,
    # In the same line; with a fix that is unsafe, and one that leaves the lines that are known.
    TWO_LINES._replace(
        places=tuple(place._replace(line=7, end_line=7) for place in TWO_LINES.places), edits=()
    ),
    TWO_LINES._replace(edits=tuple(one._replace(safe=one.start != 6) for one in TWO_LINES.edits)),
    TWO_LINES._replace(edits=(*TWO_LINES.edits, Edit(90, 91, "", True))),
    # A fix of more than is blamed; tabs and wide characters; what commands, tables and XML mean.
    diagnostic(
        *("e", 11, 12, 1, 12, 1, 13, "host-illegal", "error", "m", "u", 0, 17),
        "http://caf\u00e9.example/",
        edit=Edit(7, 19, "xn--caf-dma.example", safe=False),
    ),
    diagnostic(
        *("e", 12, 13, 1, 13, 1, 14, "path-illegal", "error", "m", "u", 3, 13),
        "\t\u4e2d\thttp://a/\u4e2d",
    ),
    odd("a;b]%.md", "warning", "50%"),
    odd("a|b", message="x|`y`\n<z>"),
    odd("caf\udce9.md", "note", "\x1b[2J", "\udce8"),
)

FILES = {
    # Several places of one code, in one line and in two; a fix of each kind; a password; an octet
    # that is no UTF-8; what is missing; and text of another script where URIs are demanded.
    "docs/a b.html": (
        b'<a href="http://h/a|b^c?d[e]">\n<a href="http://h/x\n  y|z">\xe9\n'
        b"<a href='ftp://me:hunter2@h/%zz'> <a href='http://[::1'>\n"
    ),
    "list.urls": "http://h/قوالب_الصفحة/é\nhttp://h/%41\nhttp://\n".encode()
    + b"".join(b"http://h/%d |\n" % number for number in range(7)),
}


class Info(NamedTuple):
    title: str = "A <title> | of a rule"
    why: str = "Because."
    url: str = "https://www.rfc-editor.org/rfc/rfc3986#section-3.3"

    def to_markdown(self) -> str:
        return "# A page"


RULES = {"path-illegal": Info()}


def said(name: str, found: Iterable[Diagnostic] = SOME, style: Style | None = None) -> str:
    return "".join(renderer(name)(found, style or Style(), lambda: RULES))


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
    else:
        assert type(value).__name__ == shape or value in shape.split("|"), where


def test_every_format_is_on_the_page() -> None:
    page = HERE.parent.parent / "docs" / "lint" / "formats.md"
    table = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    listed = re.findall("`([a-z]+)`", " ".join(row.split("|")[1] for row in table))
    assert set(listed) == set(formats())


@pytest.mark.parametrize("name", formats())
class TestEveryFormat:
    def test_the_output_is_what_it_was(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        engine = Engine(Settings(extend_select=("encoded-unreserved",)))
        found = [one for file, data in FILES.items() for one in engine.lint(file, data).diagnostics]
        written = said(name, (*SHOWN, *found)).replace(f'"{uriproof.__version__}"', '"VERSION"')
        if name == "jsonl":  # a line of each record of the array
            records = [json.loads(line) for line in written.splitlines()]
            assert records == json.loads(said("json", (*SHOWN, *found)))
            return
        file = HERE / "snapshots" / f"{name}.txt"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.write_text(written, "utf-8")
        assert written == file.read_text("utf-8")

    def test_nothing_is_found(self, name: str) -> None:
        shown = said(name, ())
        if name in {"json", "gitlab"}:
            assert json.loads(shown) == []
        elif name in {*ONE_LINE, "full"}:
            assert shown == ""
        else:
            assert shown.endswith("\n")

    def test_rules_need_not_be_known(self, name: str) -> None:
        assert "path-illegal" in "".join(renderer(name)(SOME, Style()))

    def test_it_yields_before_it_has_read_all(self, name: str) -> None:
        if name in {"junit", "markdown"}:  # counts come first
            return
        taken: list[int] = []

        def endless() -> Iterable[Diagnostic]:
            for number in range(1000):
                taken.append(number)
                yield MISSING

        pieces = renderer(name)(endless(), Style(), lambda: RULES)
        for _ in range(5):
            next(pieces)
        assert len(taken) <= 6


@pytest.mark.parametrize("name", ["full", "concise"])
def test_color_adds_nothing_else(name: str) -> None:
    colored = said(name, style=Style(color=True))
    assert colored != said(name)
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == said(name)


def test_a_long_line_is_cut() -> None:
    line = f"{'x' * 5000} http://a/ b {'y' * 5000}"
    where = ("a", 5010, 5011, 1, 5011, 1, 5012)
    found = diagnostic(*where, "path-illegal", "error", "m", "u", 0, 1, line)
    assert max(map(len, said("full", [found]).splitlines())) <= 100


def test_lines_that_are_blank_or_many() -> None:
    more = tuple(Place(n, n + 1, n, 1, n, 2) for n in range(8, 30))
    lines = tuple((n, "x" if n != 8 else "") for n in range(7, 30))
    found = TWO_LINES._replace(places=(TWO_LINES.places[0], *more), lines=lines, edits=())
    shown = said("full", [found]).splitlines()
    rows = [row[:4] for row in shown if re.match(r"\d", row)]
    assert rows == [f"{n:<2} |" for n in range(7, 15) if n != 8]
    assert "   | and 15 more lines" in shown


# What reads JSON


@pytest.mark.parametrize("name", SHAPES)
def test_the_shape(name: str) -> None:
    holds(json.loads(said(name, SHOWN)), SHAPES[name])


def results(found: Iterable[Diagnostic]) -> Any:
    return json.loads(said("sarif", found))["runs"][0]["results"]


def test_every_path_in_sarif_is_a_reference_to_it(tmp_path: Path) -> None:
    outside = str(tmp_path / "a#b")
    for file in ("a:b", "a?b#c", "x/y z", outside, "\udce9.txt"):
        (result,) = results([odd(file)])
        where = result["locations"][0]["physicalLocation"]["artifactLocation"]
        report = uriproof.check(where["uri"], "URI-reference")
        assert report.ok
        assert ("scheme" in report.components) == (file == outside)
        assert ("uriBaseId" in where) == (file != outside)
        path = where["uri"].removeprefix("file://")
        assert unquote_to_bytes(path) == file.encode("utf-8", "surrogateescape")


def test_fingerprints_differ_and_do_not_know_the_line_number() -> None:
    where = ("b.txt", 91, 91, 7, 12, 7, 12, "host-missing", "error", "m", "http://[::1", 80, 91)
    moved, changed = diagnostic(*where, "http://[::1"), diagnostic(*where, "more http://[::1")  # type: ignore[arg-type]

    def of_sarif(*found: Diagnostic) -> list[str]:
        return [one["partialFingerprints"]["primaryLocationLineHash"] for one in results(found)]

    def of_gitlab(*found: Diagnostic) -> list[str]:
        return [issue["fingerprint"] for issue in json.loads(said("gitlab", found))]

    assert of_sarif(MISSING) == of_sarif(moved)
    marks = of_sarif(MISSING, moved)
    assert [mark.rpartition(":")[2] for mark in marks] == ["1", "2"]
    assert of_gitlab(MISSING) == of_gitlab(changed)
    marks = of_gitlab(ERROR, MISSING, changed, MISSING, LONG, NOTE)
    assert len({*marks}) == len(marks)


@pytest.mark.prove
def test_no_more_results_than_are_taken() -> None:
    (run,) = json.loads(said("sarif", (MISSING for _ in range(25_003))))["runs"]
    assert len(run["results"]) == 25_000
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("3 more diagnostics are left out")


def test_paths_for_gitlab_are_of_the_repository() -> None:
    for file in ("./a/b.md", str(Path.cwd() / "a" / "b.md"), "a//b.md"):
        (issue,) = json.loads(said("gitlab", [odd(file)]))
        assert issue["location"]["path"] == "a/b.md"


# What reads a log


def test_no_more_annotations_than_are_shown() -> None:
    lines = said("github", [MISSING] * 13 + [LONG] * 11 + [NOTE] * 10).splitlines()
    kinds = (re.match(r"::(error|warning|notice) [^:]*::", line) for line in lines)
    counted = Counter(kind[1] for kind in kinds if kind)
    assert counted == {"error": 10, "warning": 10, "notice": 10}
    assert len(lines) == 35
    assert "5 more diagnostics are in the log" in lines[-1]


def test_the_summary_of_the_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    said("github")
    assert summary.read_text("utf-8") == "before\n" + said("markdown")
    summary.write_bytes(b"x" * ((1 << 20) - len(said("markdown").encode()) + 1))
    assert "::warning title=uriproof::no summary was written. " in said("github")
    assert b"uriproof" not in summary.read_bytes()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "folder"))
    assert "::warning title=uriproof::no summary was written" in said("github")


def test_what_is_logged_is_no_command() -> None:
    hostile = odd("::error::x", "note", "##[x]", "##vso[x]")
    for name in formats():
        logged = said(name, [hostile] * 12).replace("\\\\", "\\")
        assert not re.search(r"(?m)^\s*::error::|##(vso)?\[", logged)


# What reads XML or Markdown


def tree(name: str, found: Iterable[Diagnostic] = SHOWN) -> ElementTree.Element:
    return ElementTree.fromstring(said(name, found))  # noqa: S314 -- what was just written


def test_junit() -> None:
    root = tree("junit")
    assert (root.tag, set(root.attrib)) == ("testsuites", {"name"})
    for suite in root:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == {"name", "tests", "failures", "errors", "skipped"}
        assert suite.get("tests") == str(len(suite))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
        for case in suite:
            assert (case.tag, set(case.attrib)) == ("testcase", {"name", "classname"})
            (outcome,) = case
            assert set(outcome.attrib) <= {"type", "message"}
    ((passed,),) = tree("junit", ())  # of nothing, it is a test that passes
    assert (passed.tag, len(passed)) == ("testcase", 0)


def test_checkstyle() -> None:
    root = tree("checkstyle")
    assert (root.tag, set(root.attrib)) == ("checkstyle", {"version"})
    for file in root:
        assert (file.tag, set(file.attrib)) == ("file", {"name"})
        for error in file:
            assert error.tag == "error"
            assert set(error.attrib) == {"line", "column", "severity", "message", "source"}
            assert error.get("severity") in {"error", "warning", "info", "ignore"}


@given(st.text(st.sampled_from("a1 \\`*_{}[]<>()#+!|~$@&:/.-=")))
def test_a_cell_shows_what_it_was_given(text: str) -> None:
    """As CommonMark reads it; and GitHub makes neither a link nor a picture of it."""
    markdown_it = pytest.importorskip("markdown_it")
    read = markdown_it.MarkdownIt().enable("table")
    text = f"a{text}"
    for made in cell(text), code(text):
        page = read.render(f"|a|b|\n|-|-|\n|x {made} x|y|\n")
        shown = [re.sub("<[^>]*>", "", one) for one in re.findall("<td>(.*?)</td>", page)]
        assert [unescape(one).split() for one in shown] == [f"x {text} x".split(), ["y"]]
    assert not re.search(r":(//|\w+:)", cell(text))


def test_a_step_has_room_for_the_list() -> None:
    assert len(said("markdown", [odd("`" * 4000, message="|" * 900)] * 600)) < 1 << 20
    shown = said("markdown", [MISSING] * 700)
    assert "700 diagnostics in 1 file." in shown
    assert shown.count("`host-missing`") == 501
    assert "200 more not" in shown


ANYTHING = st.text(max_size=30)
SPANS = st.tuples(st.integers(0, 20), st.integers(0, 9)).map(lambda p: (p[0], p[0] + p[1]))


@st.composite
def any_diagnostics(draw: st.DrawFn) -> Diagnostic:
    """A diagnostic whose texts are anything."""
    line = draw(ANYTHING)
    start, end = (min(at, len(line)) for at in draw(SPANS))
    edit = draw(st.none() | st.builds(Edit, *(st.integers(0, 40),) * 2, ANYTHING, st.booleans()))
    begin = draw(st.integers(0, 99))
    return diagnostic(
        draw(ANYTHING.filter(bool).filter(lambda text: "\0" not in text)),
        *(begin + start, begin + end, 3, start + 1, 3, end + 1),
        draw(st.sampled_from(["path-illegal", "other"])),
        draw(st.sampled_from(["error", "warning", "note"])),
        draw(ANYTHING),
        draw(ANYTHING),
        *(begin, begin + 30),
        hint=draw(ANYTHING),
        more=draw(st.sampled_from([(), (Place(begin + 31, begin + 32, 4, 1, 4, 2),)])),
        lines=((3, line), (4, draw(ANYTHING))),
        edit=edit and Edit(min(edit.start, edit.end), edit.end, edit.replacement, edit.safe),
    )


@pytest.mark.prove
@given(st.lists(any_diagnostics(), max_size=4))
def test_whatever_is_said_is_in_form(found: list[Diagnostic]) -> None:
    shown = {name: said(name, found) for name in formats()}
    for name, text in shown.items():
        # Nothing that could move the cursor, and nothing that cannot be written.
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", text), name
    assert [r["code"] for r in json.loads(shown["json"])] == [one.code for one in found]
    for name, shape in SHAPES.items():
        holds(json.loads(shown[name]), shape)
    for name in ("junit", "checkstyle"):
        tree(name, found)
    for name in ONE_LINE:
        assert shown[name].count("\n") == len(found), name
