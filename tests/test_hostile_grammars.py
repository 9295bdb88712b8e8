"""Grammars made to hurt: a clear error or an answer, in bounded time and memory, never a crash.

Each runs in a process of its own with a limit of time that is far more than it needs and a limit
of memory; what it must not do is hang, be killed, or end in a traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tiers import quick

pytestmark = pytest.mark.prove

SECONDS = 240
MEMORY = 4 << 30

RUN = """
import json, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[3]),) * 2)
except ImportError:
    pass
import uriproof
from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.workbench.abnf.lint import lint_abnf
from uriproof.grammar.registry import load

def answer(work):
    try:
        return work()
    except GrammarError as error:
        return "GrammarError " + str(error).split("\\n")[0][:300]
    except GrammarLimit as error:
        return "GrammarLimit " + str(error)[:300]
    except uriproof.InvalidURI as error:
        return "InvalidURI"

abnf = open(sys.argv[1], encoding="utf-8").read()
text = open(sys.argv[2], encoding="utf-8", errors="surrogatepass", newline="").read()
made = []
out = {"read": answer(lambda: made.append(uriproof.Grammar.from_abnf(abnf)))}
for grammar in made:
    out["is_valid"] = answer(lambda: grammar.is_valid(text))
    out["check"] = answer(lambda: [v.start for v in grammar.check(text).violations][:5])
    out["parse"] = answer(lambda: str(grammar.parse(text).data))
def remarks():
    faults, remarks = lint_abnf(abnf, name="g", file="g", resolve=lambda n: load(n).model)
    return sorted({f.cause for f in faults} | {r.code for r in remarks})
out["lint"] = answer(remarks)
print(json.dumps(out))
"""


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}


def answers(folder: Path, abnf: str, text: str) -> dict[str, object]:
    """What the verbs and the remarks answer, and that the command line says no less."""
    grammar, subject = folder / "hostile.abnf", folder / "text"
    grammar.write_text(abnf, "utf-8")
    subject.write_text(text, "utf-8", "surrogatepass", newline="")
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(grammar), str(subject), str(MEMORY)],
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def command(folder: Path, text: str) -> tuple[int, str]:
    """``uriproof check --grammar`` of a text; its exit code and all that it says."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "uriproof",
            "check",
            "--grammar",
            str(folder / "hostile.abnf"),
            text,
        ],
        capture_output=True,
        timeout=SECONDS,
        check=False,
        env=environment(),
    )
    said = (done.stdout + done.stderr).decode(errors="replace")
    assert "Traceback" not in said
    return done.returncode, said


def rules(count: int, body: Callable[[int], str]) -> str:
    return "".join(f"r{i} = {body(i)}\n" for i in range(count))


LAUGHS = rules(40, lambda i: f"r{i + 1} r{i + 1}") + 'r40 = "a"\n'
DEEP = rules(5_000, lambda i: f'"{i % 10}" [ r{i + 1} ]') + 'r5000 = "a"\n'
CHAIN = rules(5_000, lambda i: f"r{i + 1}") + 'r5000 = "a"\n'
FLAT = (
    "; starts: all\nall = "
    + " / ".join(f"r{i}" for i in range(5_000))
    + "\n"
    + rules(5_000, lambda i: f'"{i}" *DIGIT')
)
CIRCLE = rules(5_000, lambda i: f'"(" r{(i + 1) % 5_000} ")" / "{i}"')

VERDICTS = [
    ("loops", 'a = *(*("a"))', "a" * 3_000, True, []),
    ("loops", 'a = *(*("a"))', "a" * 3_000 + "b", False, [3_000]),
    ("loops in loops", 'a = *( *( *( "a" / "a" ) *"b" ) )', "ab" * 2_000 + "c", False, [4_000]),
    ("counts", 'a = 1000*2000( "a" / "bc" )', "abc" * 600, True, []),
    ("counts", 'a = 1000*2000( "a" / "bc" )', "abc" * 400 + "d", False, [1_200, 1_201]),
    ("alike", 'a = *( "a" / "aa" / "aaa" ) "b"', "a" * 5_000, False, [5_000]),
    ("5,000 rules in a row", FLAT, "123x", False, [3]),
    ("5,000 rules in each other", DEEP, "0123b", False, [4]),
    ("5,000 rules in a chain", CHAIN, "ab", False, [1]),
    ("5,000 rules in a circle", CIRCLE, "((2))", True, []),
    ("5,000 rules in a circle", CIRCLE, "((2)", False, [4]),
    ("states", 'a = *("a" / "b") "a" 20("a" / "b")', "ab" * 300 + "a", True, []),
    ("states", 'a = *("a" / "b") "a" 20("a" / "b")', "ab" * 300 + "c", False, [600]),
    ("nesting", 'a = "(" a ")" / "x"', "(" * 10_000 + "x" + ")" * 10_000, True, []),
    ("nesting", 'a = "(" a ")" / "x"', "(" * 10_000 + "x" + ")" * 9_000, False, [19_001]),
    ("surrogates", "a = 1*%xD800-DFFF", "\ud800\udfff", True, []),
    ("surrogates", "a = 1*%xD800-DFFF", "\ud800a", False, [1]),
    ("laughs", LAUGHS, "a" * 50, False, [50]),
]


@pytest.mark.parametrize(("name", "abnf", "text", "ok", "blamed"), quick(VERDICTS, 2))
def test_what_can_be_decided_is(
    tmp_path: Path, name: str, abnf: str, text: str, ok: bool, blamed: list[int]
) -> None:
    found = answers(tmp_path, abnf, text)
    assert found["read"] is None, name
    assert found["is_valid"] is ok
    assert found["check"] == blamed
    if not ok:
        assert found["parse"] == "InvalidURI"


REFUSED = [
    ("empty language", 'a = "x" a', "empty: a → a: never ends"),
    ("names in other case", 'a = B\nb = "x"\nB = "y"', "redefinition: b is defined in line 2"),
    ("too high", "a = %x110000", "no code point is above U+10FFFF"),
    ("far too high", "a = %x" + "F" * 900, "no code point is above U+10FFFF"),
    ("count", "a = " + "9" * 900 + '"x"', "this count is too large"),
    ("backwards", "a = %x7A-61", "this range runs backwards"),
    ("backwards", 'a = 2*1"x"', "nothing fits"),
    ("deep groups", "a = " + "(" * 100_000 + '"a"' + ")" * 100_000, "nested more than 50 deep"),
    ("open groups", "a = " + "(" * 100_000, "nested more than 50 deep"),
    ("long name", "a" * 200_000 + ' = "x"', "more than 1000 characters"),
    ("nothing", "\n" * 100_000, "there is no rule in this text"),
    ("10 MB of rules", rules(400_000, lambda i: f'"{i}" "x"'), "a grammar is read up to 1,000,000"),
    ("10 MB of comments", "; c\n" * 2_500_000, "a grammar is read up to 1,000,000"),
    ("10 MB of one line", 'a = "' + "x" * 10_000_000 + '"', "a grammar is read up to 1,000,000"),
    ("undefined", rules(20_000, lambda i: f"s{i}"), "no rule is named s0"),
    ("no syntax", "= = =\n" * 100_000, "a rule's name is expected here"),
    ("zeros", "\x00 " * 100_000, "a rule's name is expected here"),
]


@pytest.mark.parametrize(("name", "abnf", "words"), quick(REFUSED, 2))
def test_what_is_wrong_is_said(tmp_path: Path, name: str, abnf: str, words: str) -> None:
    found = answers(tmp_path, abnf, "x")
    assert words in str(found["read"]), name
    assert "is_valid" not in found
    code, said = command(tmp_path, "x")
    assert code == 2
    assert words in " ".join(said.split())


LIMITS = [
    ("counts in counts", 'a = 1000*2000( 1000*2000( "a" ) )', "a" * 1_500, "2,000,000 steps"),
    ("readings", 'e = e "+" e / "x"', "x" + "+x" * 3_000, "500,000 steps"),
    (
        "optional laughs",
        rules(40, lambda i: f"[ r{i + 1} ] [ r{i + 1} ]") + 'r40 = "a"\n',
        "a" * 50,
        "steps",
    ),
]


@pytest.mark.parametrize(("name", "abnf", "text", "words"), LIMITS)
@pytest.mark.prove
def test_what_is_too_much_is_said(
    tmp_path: Path, name: str, abnf: str, text: str, words: str
) -> None:
    found = answers(tmp_path, abnf, text)
    assert found["read"] is None, name
    assert str(found["is_valid"]).startswith("GrammarLimit")
    assert words in str(found["is_valid"])
    code, said = command(tmp_path, text)
    assert code == 2
    assert words in " ".join(said.split())


@pytest.mark.prove
def test_ranges_that_cut_each_other(tmp_path: Path) -> None:
    """The classes of characters would take time and memory quadratic in the ranges."""
    abnf = "a = " + " / ".join(f"%x{i:X}-{0x10FFFF - i:X}" for i in range(1, 6_000))
    found = answers(tmp_path, abnf, "abc")
    assert "2,000,000 steps" in str(found["is_valid"])
    assert "2,000,000" in str(found["check"])
    assert "too-large" in str(found["lint"])


@pytest.mark.prove
def test_many_sets_that_do_not_touch(tmp_path: Path) -> None:
    abnf = "a = " + " / ".join(f"%x{2 * i:X}" for i in range(10_000))
    found = answers(tmp_path, abnf, "\x02\x03")
    assert (found["is_valid"], found["parse"]) == (False, "InvalidURI")


def test_a_grammar_that_hides_what_it_is(tmp_path: Path) -> None:
    """Control characters of a grammar do not reach the terminal."""
    (tmp_path / "hostile.abnf").write_text('a = "\x1b[31m"\n\x1b]0;x\x07 = b\n', "utf-8")
    code, said = command(tmp_path, "x")
    assert code == 2
    assert "\x1b" not in said
    assert "\x07" not in said
