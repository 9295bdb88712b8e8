"""The layout of ABNF: what it looks like, and that nothing but the layout changes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import FEW_GRAMMARS, quick

import uriproof
from uriproof.cli import main
from uriproof.grammar import registry
from uriproof.grammar.errors import GrammarError
from uriproof.grammar.model import Model
from uriproof.grammar.registry import compile_abnf
from uriproof.workbench.abnf.format import WIDTH, format_abnf

FOLDER = Path(__file__).parents[1] / "grammars"
GRAMMARS = sorted(path.stem for path in FOLDER.glob("*.abnf"))

UNTIDY = """\
; title: x

  foo   =    bar    ; one
       /baz         ; two



  ; about c
  Bar = "a b" /
      %x41-5A   ;  keeps
      ; inner
      (foo/BAZ   )
           ; after Bar
  baz=1*( FOO "x" ) [bar "very long literal indeed, quite long" / "another literal to wrap" / foo ]
  averyveryverylongname = foo
  averyveryverylongname =/ bar  ; trailing
                ; more
  d =
     foo
     / ; after the slash
     bar
  ; the end

"""

TIDY = """\
; title: x

foo = Bar  ; one
    / baz  ; two

; about c
Bar = "a b"
    / %x41-5A  ;  keeps
      ; inner
      ( foo / baz )
      ; after Bar
baz = 1*( foo "x" )
      [ Bar "very long literal indeed, quite long"
        / "another literal to wrap" / foo ]
averyveryverylongname = foo
averyveryverylongname =/ Bar  ; trailing
                         ; more
d   = foo
    /  ; after the slash
      Bar
; the end
"""


def resolve(name: str) -> Model:
    return registry.load(name).model


def made(text: str, width: int = WIDTH) -> str:
    return format_abnf(text, resolve=resolve, width=width)


def test_a_layout() -> None:
    assert made(UNTIDY, 72) == TIDY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a="x"', 'a = "x"\n'),
        ("a = 2*3( b )\nb = a", "a = 2*3( b )\nb = a\n"),
        ("a = [b] c\nb=a\nc=A", "a = [ b ] c\nb = a\nc = a\n"),
        ("a = digit", "a = DIGIT\n"),
        ("a = undefined", "a = undefined\n"),
        ("a = <some words>", "a = <some words>\n"),
        ("; x\r\n\r\n\r\na = b\r\n  / b\r\nb = %x41\r\n", "; x\n\na = b\n  / b\nb = %x41\n"),
        ('a = ; first\n  "x"', '; first\na = "x"\n'),
        ("\n\na = %x41\n\n\n", "a = %x41\n"),
        ("a = b / ; one\n    b   ; two\nb = %x41", "a = b  ; one\n  / b  ; two\nb = %x41\n"),
        ("a = ( b\n / b )\nb = a / %x41", "a = ( b\n      / b )\nb = a / %x41\n"),
    ],
)
def test_layouts(text: str, expected: str) -> None:
    assert made(text) == expected


def test_long_lines_are_divided_at_the_outermost_alternatives() -> None:
    words = " / ".join(f'"{letter * 9}"' for letter in "abcdefgh")
    assert made(f"rule = {words} / ( {words} ) [ x ]\nx = rule", 60) == (
        'rule = "aaaaaaaaa" / "bbbbbbbbb" / "ccccccccc" / "ddddddddd"\n'
        '     / "eeeeeeeee" / "fffffffff" / "ggggggggg" / "hhhhhhhhh"\n'
        '     / ( "aaaaaaaaa" / "bbbbbbbbb" / "ccccccccc"\n'
        '         / "ddddddddd" / "eeeeeeeee" / "fffffffff"\n'
        '         / "ggggggggg" / "hhhhhhhhh" ) [ x ]\n'
        "x    = rule\n"
    )


@pytest.mark.parametrize("text", ["a = b |", "a b", "a = (", '; imports: zzz\na = "x"', ""])
def test_what_is_no_abnf_is_refused(text: str) -> None:
    with pytest.raises(GrammarError):
        made(text)


@pytest.mark.parametrize("name", quick(GRAMMARS, among=FEW_GRAMMARS))
@pytest.mark.parametrize("width", [40, 72])
def test_bundled_grammars(name: str, width: int) -> None:
    path = FOLDER / f"{name}.abnf"
    text = path.read_text("utf-8")
    laid = format_abnf(text, resolve=resolve, name=path.stem, width=width)
    one, other = (compile_abnf(t, name=path.stem).model for t in (text, laid))
    assert [(r.name, r.element) for r in one.rules.values()] == [
        (r.name, r.element) for r in other.rules.values()
    ]
    assert (one.components, one.leaves, one.starts) == (
        other.components,
        other.leaves,
        other.starts,
    )
    assert sorted(c.strip() for c in text.split("\n") if c.startswith(";")) == sorted(
        c for c in laid.split("\n") if c.startswith(";")
    )


PIECES = ["a", "B ", '"x"', '%s"y z"', "%x41-5A", "2", "1*2", "(", ")", "[", "]", " / ", " ", "\n "]
MORE = ["\n", "; c\n", ";d", "\n   ;e\n", "<p q>", "\nb = ", "\nC =/ ", "=", "\n\n", "\t", "\r\n "]


@given(st.lists(st.sampled_from(PIECES + MORE), min_size=1, max_size=16), st.sampled_from([40, 72]))
def test_any_text_is_laid_out_or_refused(parts: list[str], width: int) -> None:
    """That nothing changes, and a second time nothing at all, is what each call asserts itself."""
    text = "b = " + "".join(parts)
    try:
        laid = made(text, width)
    except GrammarError:
        return
    assert laid.count(";") == text.count(";")
    assert not any(line.endswith(" ") for line in laid.split("\n"))
    assert "\n\n\n" not in laid


# The command


@pytest.mark.posix
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.abnf"
    file.write_text(UNTIDY, "utf-8")
    file.chmod(0o640)
    args = ["grammar", "format", "--width", "72", str(file)]
    assert main([*args, "--check"]) == 1
    assert capsys.readouterr().out == f"{file}: would change\n"
    assert main([*args, "--diff"]) == 1
    patch = capsys.readouterr().out
    assert patch.startswith(f"--- {file}\n+++ {file}\n@@")
    assert "+foo = Bar  ; one\n" in patch
    assert file.read_text("utf-8") == UNTIDY
    assert main(args) == 0
    assert capsys.readouterr() == ("", f"{file}: formatted\n")
    assert file.read_text("utf-8") == TIDY
    assert file.stat().st_mode & 0o777 == 0o640
    assert [main(args), main([*args, "--check"]), main([*args, "--diff"])] == [0, 0, 0]
    assert capsys.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == [file]


def test_command_keeps_the_ends_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "x.abnf"
    file.write_bytes(b'a="x"\r\n /"y"\r\n')
    assert main(["grammar", "format", str(file)]) == 0
    assert file.read_bytes() == b'a = "x"\r\n  / "y"\r\n'


def test_command_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'a="x"'), "utf-8"))
    assert main(["grammar", "format", "-"]) == 0
    assert capsys.readouterr().out == 'a = "x"\n'


def test_command_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, good = tmp_path / "wrong.abnf", tmp_path / "good.abnf"
    wrong.write_text("a = b |", "utf-8")
    good.write_text("a=%x41", "utf-8")
    assert main(["grammar", "format", str(wrong), str(tmp_path / "none"), str(good)]) == 2
    said = capsys.readouterr().err
    assert f'{wrong}:1:7: syntax: alternatives are separated by "/"' in said
    assert f"{tmp_path / 'none'}: No such file" in said
    assert good.read_text("utf-8") == "a = %x41\n"
    assert wrong.read_text("utf-8") == "a = b |"


def test_a_format_function_for_everyone() -> None:
    assert uriproof.format_abnf('a="x"') == 'a = "x"\n'
