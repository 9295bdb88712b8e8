"""The harness that asks other parsers: programs that fail, made-up ones, and three real ones.

Owns the checks of ``conformance`` but for its suite. Imports it and uriproof. Invariant: what is
asked here is installed wherever Python is, or its absence is said.
"""

from __future__ import annotations

import doctest
import importlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import uriproof

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from conformance import __main__ as command  # noqa: E402 -- after the path is set
from conformance import adapter, catalogue, confusion, judge, page, run, texts  # noqa: E402

pytestmark = pytest.mark.prove

SEED = 1
TEXTS = list(
    dict.fromkeys(t for some in texts.gather("URI", SEED, texts.QUICK).values() for t in some)
)
RESULTS = json.loads(command.RESULTS.read_text("utf-8"))

# Each line that is read is ``line``; what is printed is the answer.
RAISES = "raise ValueError('a\\x1b[31mb')"
OCTETS = 'sys.stdout.buffer.write(b\'{"valid": true, "host": "\\xff"}\\n\'); sys.stdout.flush()'
FAILURES = {
    'print(\'{"valid": true, "host": "h"}\', flush=True)': ["", "", ""],
    "sys.exit(3) if 'bad' in line else print('{\"valid\": true}', flush=True)": ["", "crash", ""],
    RAISES: ["crash"] * 3,
    "print('valid', flush=True)": ["nonsense"] * 3,
    "print('[true]', flush=True)": ["nonsense"] * 3,
    "print('{\"valid\": 1}', flush=True)": ["nonsense"] * 3,
    "print('[' * 60000, flush=True)": ["nonsense"] * 3,
    "print('x' * 50_000_000, flush=True)": ["nonsense"] * 3,
    OCTETS: ["", "", ""],
}


def program(body: str, seconds: float = 30) -> adapter.Program:
    script = f"import sys, time\nfor line in sys.stdin:\n    {body}\n"
    return adapter.Program([sys.executable, "-c", script], seconds=seconds)


def answers(body: str, asked: Sequence[str], seconds: float = 30) -> list[adapter.Answer]:
    with program(body, seconds) as running:
        return list(running.ask_all(asked, "URI"))


@pytest.mark.posix
@pytest.mark.parametrize(("body", "failures"), FAILURES.items())
def test_a_failure_is_a_result(body: str, failures: list[str]) -> None:
    assert [a.failure for a in answers(body, ["a:", "bad:", "c:"])] == failures


@pytest.mark.posix
def test_what_hangs_is_ended_and_started_again() -> None:
    with program("time.sleep(60)", 0.3) as running:
        assert [a.failure for a in running.ask_all(["a:", "b:"], "URI")] == ["hang", "hang"]
        assert running.starts == 2


@pytest.mark.posix
def test_what_always_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "MOST_STARTS", 2)
    found = answers("sys.exit(1)", ["a:"] * 5)
    assert [a.failure for a in found] == ["crash", "crash", *["not asked"] * 3]


@pytest.mark.posix
def test_more_lines_than_questions_are_not_taken_for_the_next_answers() -> None:
    with program("print('{\"valid\": true}\\n' * 50, flush=True)") as running:
        assert running.ask("a:", "URI").valid
        assert running.ask("b:", "URI").valid


@pytest.mark.posix
def test_long_texts_and_any_characters_arrive_whole() -> None:
    body = (
        "import json; text = json.loads(line)['text']; "
        "print(json.dumps({'valid': True, 'host': text[:9]}), flush=True)"
    )
    asked = ["\0\n\r\u2028\x1b\U0001f600é", *["x" * 15_000] * 9]
    assert [a.host for a in answers(body, asked)] == [text[:9] for text in asked]


def test_what_cannot_be_started_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["run", "--quick", "--", "/no/such/program"]) == 2
    assert "cannot start /no/such/program" in capsys.readouterr().err


@pytest.mark.posix
def test_the_standard_error_of_a_program_does_not_speak_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(adapter, "MOST_STARTS", 2)
    script = f"import sys\nfor line in sys.stdin:\n    {RAISES}"
    assert command.main(["run", "--quick", "--", sys.executable, "-c", script]) == 1
    out = capsys.readouterr().out
    assert "crash" in out
    assert "\x1b" not in out


class Made(adapter.Program):
    """A program that is a function, so that its verdicts are known."""

    def __init__(
        self, verdict: Callable[[str], object], host: Callable[[str], str] = lambda _: ""
    ) -> None:
        super().__init__(["made up"])
        self._verdict, self._host = verdict, host

    def ask_all(self, texts: Sequence[str], rule: str) -> Iterator[adapter.Answer]:
        for text in texts:
            yield adapter.Answer(bool(self._verdict(text)), self._host(text))


def judged(verdict: Callable[[str], object]) -> judge.Judgement:
    found = judge.judge(judge.Witness(Made(verdict), "URI"), run.truth("URI"), TEXTS)
    assert found is not None
    return found


def classes(found: list[judge.Departures]) -> dict[frozenset[str], list[str]]:
    return {departures.class_: departures.examples for departures in found}


def test_doctests() -> None:
    found = doctest.testmod(judge)
    assert found.attempted > 0
    assert found.failed == 0


def test_a_parser_that_is_right_departs_nowhere() -> None:
    result = judged(uriproof.is_valid)
    assert result.texts == len(TEXTS)
    assert not result.wrong
    assert not result.accepted_classes + result.refused_classes
    assert not result.failed


def test_a_bad_escape_taken_for_a_character() -> None:
    result = judged(lambda text: uriproof.is_valid(re.sub("%(?![0-9A-Fa-f]{2})", "a", text)))
    assert not result.refused
    found = classes(result.accepted_classes)
    where = ("path", "query", "fragment", "host", "userinfo")
    assert {frozenset({f"{c}-bad-escape (pct-encoded)"}) for c in where} <= set(found)
    assert found[frozenset({"path-bad-escape (pct-encoded)"})] == ["a:%"]
    assert found[frozenset({"userinfo-bad-escape (pct-encoded)"})] == ["a://%@"]


def test_valid_texts_refused_are_classed_by_what_they_are_made_of() -> None:
    result = judged(lambda t: not re.match(r"\w+://(@|.*\[v)", t) and uriproof.is_valid(t))
    assert not result.accepted
    found = classes(result.refused_classes)
    assert found[frozenset({"empty userinfo", "empty host"})] == ["a://@"]
    assert found[frozenset({"IPvFuture"})] == ["a://[va.a]"]
    assert len(found) == 2
    assert result.explained == len(result.refused) == sum(d.texts for d in result.refused_classes)


def test_two_hosts_in_one_text_are_found_and_made_short() -> None:
    def reader(ends: str) -> judge.Witness:
        around = re.compile(rf"^\w+://|[{ends}].*", re.DOTALL)
        host = Made(lambda t: "://" in t, lambda t: around.sub("", t).rpartition("@")[2])
        return judge.Witness(host, "URI")

    witnesses = {"before": reader(r"/?#\\"), "after": reader("/?#")}
    for witness in witnesses.values():
        witness.ask(["http://good.example\\@evil.example/path?query", "http://same.example/"])
    found = confusion.confusions(witnesses)
    assert [(pair["parsers"], len(pair["text"]) < 12) for pair in found] == [
        (["before", "after"], True)
    ]
    assert "\\" in found[0]["text"]
    assert confusion.found_hosts(found, witnesses)[0]["found"].keys() == {"before", "after"}


@pytest.mark.parametrize(
    "spelled",
    [("E.com", "e.com"), ("[::1]", "::1"), ("%65.com", "e.com"), ("é.com", "xn--9ca.com")],
)
def test_two_spellings_of_a_host_are_no_confusion(spelled: tuple[str, str]) -> None:
    assert confusion.place(spelled[0]) == confusion.place(spelled[1])


@pytest.mark.posix
@pytest.mark.parametrize("name", ["urllib", "rfc3986", "Node URL"])
def test_three_parsers_are_asked(name: str) -> None:
    parser = next(p for p in catalogue.parsers() if p.name == name)
    if parser.language == "JavaScript" and not shutil.which("node"):
        pytest.skip("needs Node.js")
    if name == "rfc3986":
        importlib.import_module(name)  # what is not installed is skipped, and said
    assert parser.installed_version()
    with parser.program() as running:
        assert [running.ask(text, "URI").valid for text in ("http://u@e.com/", "http://[::1/")] == [
            True,
            False,
        ]
        assert (running.ask("http://u@E.com/", "URI").host or "").lower() == "e.com"


def test_every_parser_is_named_once_and_has_an_adapter() -> None:
    rows = catalogue.parsers()
    names = [parser.name for parser in rows]
    assert len(set(names)) == len(names) >= 40
    assert {parser.claims for parser in rows} <= set(page.KINDS)
    assert all(any((catalogue.HERE / "parsers" / row.folder).iterdir()) for row in rows)


def test_the_pages_are_those_of_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {}
    for name in ("PAGE", "README", "MATRIX"):
        before: Path = getattr(page, name)
        made[before] = tmp_path / before.name
        shutil.copy(before, made[before])
        monkeypatch.setattr(page, name, made[before])
    page.write(RESULTS)
    assert [b.name for b, after in made.items() if b.read_text() != after.read_text()] == []


def test_a_text_cannot_end_the_script_of_the_matrix() -> None:
    head, _, rest = page.MATRIX.read_text("utf-8").partition('id="data">')
    data = rest.partition("</script>")[0]
    assert json.loads(data)["columns"]
    assert "<" not in data
    assert "<script" in head


def test_the_run_stops_where_the_verdict_and_the_automaton_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uriproof, "is_valid", lambda text, rule: text != "A:")
    with pytest.raises(judge.Disagreement, match="automaton says"):
        judge.Truth("URI").accepts("A:")


def test_no_text_has_what_a_language_cannot_hold() -> None:
    assert not any("\ud800" <= char <= "\udfff" for text in TEXTS for char in text)
    assert max(map(len, TEXTS)) <= texts.LONGEST
