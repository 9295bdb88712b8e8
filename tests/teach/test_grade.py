"""Grading: what a pupil's rule accepts too much and too little, whatever else is handed in."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import Run

from uriproof import Grammar
from uriproof.processes import Worker
from uriproof.teach.grade import files, grade, grade_text, text_of
from uriproof.teach.worksheet import Sheet, from_code
from uriproof.teach.worksheet.answers import mark, mark_file

pytestmark = pytest.mark.prove

RFC3986 = Grammar.load("rfc3986")


@pytest.mark.parametrize(
    ("abnf", "verdict", "relation", "too_much", "too_little"),
    [
        ("port = *DIGIT", "equal", "equal", None, None),
        ("PORT = *(%x30-39)", "equal", "equal", None, None),
        ("port = 1*DIGIT", "different", "contained", None, ""),
        ('port = *(DIGIT / "-")', "different", "contains", "-", None),
        ('port = 1*(DIGIT / "-")', "different", "overlapping", "-", ""),
        ("port = 1*ALPHA", "different", "disjoint", "a", ""),
        ('port = "(" port ")" / *DIGIT', "different", "", "()", None),
    ],
)
def test_a_rule(
    abnf: str, verdict: str, relation: str, too_much: str | None, too_little: str | None
) -> None:
    graded = grade_text("anna", abnf, RFC3986, "port")
    assert (graded.verdict, graded.relation) == (verdict, relation)
    assert (graded.too_much, graded.too_little) == (too_much, too_little)
    own = Grammar.from_abnf(abnf)
    for text, mine in ((graded.too_much, True), (graded.too_little, False)):
        if text is not None:  # the truth of it, by the engine
            assert own["port"].is_valid(text) is mine
            assert RFC3986["port"].is_valid(text) is not mine


@pytest.mark.parametrize(
    ("abnf", "line", "column", "words"),
    [
        ("port = *DIGIT )", 1, 15, "closes nothing"),
        ("prt = *DIGIT", 0, 0, "did you mean prt?"),
        ("", 1, 1, "no rule"),
        ("port = " + "(" * 3000 + '"a"' + ")" * 3000, 1, 58, "nested"),
        ("port = 999999(999999DIGIT)", 0, 0, ""),
    ],
)
def test_what_is_no_grammar(abnf: str, line: int, column: int, words: str) -> None:
    graded = grade_text("ben", abnf, RFC3986, "port")
    assert graded.verdict == "error"
    first = graded.errors[0]
    assert (first.line, first.column) == (line, column), first
    assert words in first.message
    assert first.message


def pupils(folder: Path) -> Path:
    (folder / "zoe").mkdir()
    (folder / ".git").mkdir()
    given = {
        "anna.abnf": b"port = *DIGIT\n",
        "ben.ABNF": b"\xef\xbb\xbfport = 1*DIGIT\r\n",
        "cem.abnf": "; M\u00fcller\nport = *DIGIT".encode("latin-1"),
        "dora.abnf": "port = *DIGIT".encode("utf-16"),
        "pupil-10.abnf": b"port = *DIGIT )",
        "pupil-9.abnf": b"\x00\xff\xfe" * 100,
        "zoe/answer.abnf": b'port = "=" / *DIGIT',
        ".git/x.abnf": b"port = 1",
        "notes.txt": b"not graded",
        "=SUM(A1).abnf": b'port = 1*("@" / DIGIT)',
    }
    for name, raw in given.items():
        (folder / name).write_bytes(raw)
    (folder / "folder.abnf").mkdir()
    return folder


NAMES = ["=SUM(A1)", "anna", "ben", "cem", "dora", "pupil-9", "pupil-10", "zoe/answer"]


def test_files_in_natural_order_and_their_encodings(tmp_path: Path) -> None:
    folder = pupils(tmp_path)
    assert [name for name, _ in files(folder, ".abnf")] == NAMES
    assert text_of(folder / "ben.ABNF") == ("port = 1*DIGIT\r\n", "")
    assert text_of(folder / "cem.abnf")[1] == "not UTF-8; read as Latin-1"
    assert text_of(folder / "dora.abnf") == ("port = *DIGIT", "read as UTF-16")


def test_a_class_in_each_format(tmp_path: Path, run: Run) -> None:
    call = ("grammar", "grade", str(pupils(tmp_path)), "--against", "rfc3986:port")
    code, out, _ = run(*call)
    assert code == 1
    assert re.match(
        r"=SUM\(A1\) +port +too much and too little +only the pupil's rule accepts @\n", out
    )
    for words in ("8 results: 3 different, 3 equal, 2 error", "1:15: this ", "(the empty text)"):
        assert words in out
    assert "(read as UTF-16)" in out
    assert out.isascii()
    records: list[dict[str, Any]] = json.loads(run(*call, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(run(*call, "--format", "csv").out)))
    assert [r["pupil"] for r in records] == NAMES
    assert [r["pupil"].removeprefix("'") for r in rows] == NAMES
    assert [r["verdict"] for r in rows] == [r["verdict"] for r in records]
    zoe = records[-1]
    assert (zoe["too_much"], zoe["too_little"], zoe["result"]) == ("=", None, "too much")
    for row in rows:  # nothing that a spreadsheet would run
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
    assert rows[-1]["too_much"] == "'="


def test_a_reference_of_ones_own_and_several_rules(tmp_path: Path, run: Run) -> None:
    reference = tmp_path / "reference.abnf"
    reference.write_text('date = year %s"-" 2DIGIT\nyear = 4DIGIT\n')
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "anna.abnf").write_text('date = 4DIGIT "-" 2DIGIT\nyear = 2DIGIT\n')
    call = ("grammar", "grade", str(folder), "--against", str(reference))
    assert run(*call)[:2] == (0, "anna  date  equal\n\n1 result: 1 equal\n")
    code, out, _ = run(*call, "-r", "date", "-r", "year")
    assert code == 1
    assert "date  equal" in out
    assert "only the pupil's rule accepts 00" in out
    assert "no rule 'nothing'" in run(*call, "-r", "nothing").err


def test_what_is_no_usage(tmp_path: Path, run: Run) -> None:
    """A folder without pupils, and other than one of three ways to grade."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    for name in ("missing", "empty", "file"):
        call = ("grammar", "grade", str(tmp_path / name), "--against", "rfc3986:port")
        assert (run(*call).code, name in run(*call).err) == (2, True), name
    for more in ((), ("--against", "zzz", "--sheet", "x"), ("--lessons", "--sheet", "a:b:1:1")):
        code, _, err = run("grammar", "grade", ".", *more)
        assert (code, "--against REF" in err) == (2, True), more


def test_what_takes_too_long_stops_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Worker.ask

    def impatient(self: Worker, request: tuple[str, str, str], seconds: float) -> Any:
        if request[0] == "a":
            raise TimeoutError
        return ask(self, request, seconds)

    monkeypatch.setattr(Worker, "ask", impatient)
    for name in ("a", "b"):
        (tmp_path / f"{name}.abnf").write_text("port = *DIGIT")
    found = list(grade(files(tmp_path, ".abnf"), RFC3986, ["port"]))
    assert [(g.pupil, g.verdict) for g in found] == [("a", "error"), ("b", "equal")]
    assert "took longer than" in found[0].errors[0].message


# Answers to a worksheet


@cache
def made() -> Sheet:
    """Made when a test runs: it takes a second."""
    return from_code("rfc3986:URI:10:7")


def test_the_key_has_every_point_and_nothing_has_none() -> None:
    right = {number: q.key for number, q in enumerate(made().questions, 1)}
    for given, points, verdict in (
        (right, len(right), "right"),
        ({1: right[1]}, 1, "partly right"),
        ({}, 0, "wrong"),
        (dict.fromkeys(right, "zzz"), 0, "wrong"),
    ):
        marked = mark(made(), RFC3986, "anna", given)
        assert (marked.points, marked.verdict) == (points, verdict)


def test_forms_of_an_answer() -> None:
    assert any("-" in q.key for q in made().questions if q.options), "some names have a hyphen"
    for number, q in enumerate(made().questions, 1):
        given = [q.key, q.key.upper() if q.kind != "fix" else q.key, f" {q.key} "]
        if q.kind == "verdict" and q.key != "valid":
            place = q.key.split()[1]
            given += [place, f"invalid at {place}", f"no, {place}", f"invalid @{place}."]
        if q.kind in ("production", "reading"):
            letter = "abcd"[q.options.index(q.key)]
            given += [letter, f"{letter})", letter.upper()]
            given += [q.key.replace("-", " "), q.key.replace("-", "").upper()]
        for answer in given:
            assert mark(made(), RFC3986, "x", {number: answer}).points == 1, (q, answer)
        if q.kind == "verdict":
            opposite = "invalid 0" if q.key == "valid" else "valid"
            assert mark(made(), RFC3986, "x", {number: opposite}).points == 0
        if q.kind == "fix":
            for answer in (q.text, "a:", ""):  # as it was; valid, but another text; nothing
                assert mark(made(), RFC3986, "x", {number: answer}).points == 0


def test_files_of_answers(tmp_path: Path, run: Run) -> None:
    keys = [q.key for q in made().questions]
    lines = [f"{n} = {json.dumps(key)}" for n, key in enumerate(keys, 1)]
    separated = [",".join((str(n), json.dumps(key))) for n, key in enumerate(keys, 1)]
    given = {
        "anna.toml": ("\n".join([f'sheet = "{made().code}"', *lines]), 10, ""),
        "ben.toml": (f"[answers]\n{lines[0]}", 1, ""),
        "cem.csv": ("\n".join(["question,answer", *separated]), 10, ""),
        "dora.csv": ("\n".join(separated[:3]).replace(",", ";", 3), 3, ""),
        "emil.toml": ("1 = ", 0, "invalid TOML"),
        "finn.toml": ('sheet = "rfc3986:URI:10:8"', 0, "rfc3986:URI:10:8"),
        "gina.toml": ('one = "valid"', 0, "'one' is not the number"),
        "hugo.toml": ("1 = [1]", 0, "must be a string"),
        "ida.csv": ("\x00\xff\xfe,1\n", 0, ""),  # headings alone
    }
    for name, (text, _, _) in given.items():
        (tmp_path / name).write_text(text, "latin-1")
    for (name, file), (_, points, why) in zip(
        files(tmp_path, ".toml", ".csv"), given.values(), strict=True
    ):
        marked = mark_file(made(), RFC3986, name, file)
        assert (marked.points, why in marked.why) == (points, True), marked
    call = ("grammar", "grade", str(tmp_path), "--sheet")
    code, out, _ = run(*call, made().code)
    assert code == 1
    assert "10 of 10" in out
    assert "no answer; right is" in out
    rows = list(csv.DictReader(io.StringIO(run(*call, made().code, "--format", "csv").out)))
    assert [row["points"] for row in rows] == [str(points) for _, points, _ in given.values()]
    assert "GRAMMAR:RULES:COUNT:SEED" in run(*call, "7").err


# Records of lessons

IDEA = "Up to three digits are a number up to 255."


def record(*answers: tuple[str, bool, str]) -> str:
    """A record as the page saves it: exercise, right, misconception."""
    made = [
        {"lesson": "l", "exercise": exercise, "step": "predict", "right": right, "at": 1}
        | ({"misconception": idea} if idea else {})
        for exercise, right, idea in answers
    ]
    return json.dumps({"uriproof": "lessons", "version": 1, "answers": made})


def test_a_map_of_the_misconceptions_of_a_class(tmp_path: Path, run: Run) -> None:
    given = {
        "anna": record(("a", False, IDEA), ("a", True, "")),
        "ben": record(("a", False, IDEA), ("b", False, "=cmd()")),
        "cem": record(("a", True, "")),
        "dora": "[[[",
        "emil": "{}",
        "finn": '{"uriproof": "lessons"}',
        "gina": '{"uriproof": "lessons", "answers": ' + "[" * 99_999,
        "hugo": record(("a", False, "x\x1b[31m")).replace("true", "3"),
    }
    call = ("grammar", "grade", str(tmp_path), "--lessons")
    (tmp_path / "cem.json").write_text(given["cem"])
    code, shown, _ = run(*call)
    assert (code, "1 record" in shown) == (0, True), "no misconceptions"
    for name, text in given.items():
        (tmp_path / f"{name}.json").write_text(text)
    code, shown, _ = run(*call)
    assert code == 1
    for words in ("2 of 4  l, a", IDEA, "had by anna, ben; still by ben"):
        assert words in shown
    assert "\x1b" not in shown
    assert shown.count("this is not a record that the page of lessons saved") == 4
    assert json.loads(run(*call, "--format", "json").out)[0] == {
        "misconception": IDEA,
        "lesson": "l",
        "exercise": "a",
        "pupils": ["anna", "ben"],
        "still": ["ben"],
        "error": "",
    }
    assert "'=cmd()" in run(*call, "--format", "csv").out
