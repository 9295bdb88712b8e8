"""The explanation in the terminal: typed, pasted, fixed and looked at by keys, with real answers.

Owns these cases. Reads the application. Invariant: what is asserted is what is on the
screen, or the value that it draws.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("textual")

from terminal_screens import NARROW, WIDE, drawn, drive, settled
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList, Static, Tabs

from uriproof.teach.terminal import run
from uriproof.teach.terminal.app import Teach
from uriproof.teach.terminal.ask import Subject, explained, looked_at
from uriproof.teach.terminal.dialogs import Choose, Help
from uriproof.teach.terminal.progress import Progress
from uriproof.teach.terminal.widgets.derivation import Derivation


def here(app: Teach) -> str:
    return str(app.screen.query_one("#here", Static).content)


def violations(app: Teach) -> list[str]:
    found = app.screen.query_one("#violations", OptionList)
    return [str(option.prompt) for option in found.options]


async def type_in(pilot: Pilot[int], text: str) -> None:
    names = {" ": "space", ":": "colon", "/": "slash", ".": "full_stop", "?": "question_mark"}
    for char in text:
        await pilot.press(names.get(char, char))


def test_what_is_typed_is_explained() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await type_in(pilot, "http://a b/?x")
        await settled(app, pilot)
        assert app.explain.line.value == "http://a b/?x"
        lines = drawn(app).splitlines()
        row = next(i for i, line in enumerate(lines) if "http://a b/?x" in line)
        column = lines[row].index("http")
        assert lines[row + 1][column : column + 13] == "sche   hosp q"
        assert lines[row + 2].rstrip(" │").index("^") == column + 8
        assert "✘ invalid: 1 violation" in drawn(app)
        first, *_ = violations(app)
        assert "8  host (reg-name)" in first
        assert "U+0020 SPACE is not allowed here" in " ".join(first.split())
        assert "RFC 3986 §3.2.2" in first

    drive(go, text="")


def test_a_valid_text_is_shown_with_its_components_and_advice() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        assert "✔ valid URI" in drawn(app)
        first, advice = violations(app)
        assert "1.2.3.4  IPv4address" in first
        assert "80 is the default port of http" in advice

    drive(go, text="http://1.2.3.4:80/a")


def test_fixes_are_applied_one_by_one_and_all_together() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("tab", "tab", "down", "enter")
        await settled(app, pilot)
        assert app.explain.line.value == "http://e/a%20b[c]"
        assert app.explain.line.cursor_position == 10
        await pilot.press("f4")
        await settled(app, pilot)
        assert app.explain.line.value == "http://e/a%20b%5Bc%5D"
        assert app.explain.seen.ok

    drive(go, text="http://e/a b[c]")


def test_a_violation_without_a_fix_says_so() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f4")
        await pilot.pause()
        assert app.explain.line.value == "http://a b/"
        assert [one.message for one in app._notifications] == [
            "No violation has a fix that keeps what is meant."
        ]

    drive(go, text="http://a b/")


def test_the_cursor_chooses_the_production_and_up_and_down_go_around_it() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("home", *["right"] * 8)
        await settled(app, pilot)
        assert "[IPv4address]" in here(app)
        assert 'DIGIT  "."✓' in here(app) or '"."✓' in here(app)
        await pilot.press("up")
        assert "[host]" in here(app)
        await pilot.press("f5", "f5")
        await settled(app, pilot)
        page = str(app.screen.query_one("#production-text", Static).content)
        assert "┫IPv4address┣" in page, "the path of the text is heavy"
        assert "─ reg-name ─" in page
        assert "≈ This may be read as IPv4address, or reg-name" in page
        await pilot.press("down")
        assert "[IPv4address]" in here(app)

    drive(go, text="http://1.2.3.4/")


def test_the_derivation_opens_and_closes() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        tree = app.screen.query_one(Derivation)
        assert str(tree.root.label) == "URI  http://ab/"
        assert [str(node.label) for node in tree.root.children] == [
            "scheme  http",
            '":"  :',
            "hier-part  //ab/",
        ]
        scheme = tree.root.children[0]
        assert not scheme.is_expanded, "a loop over single characters starts closed"
        assert not scheme.children
        tree.focus()
        await pilot.press("down", "space")
        await pilot.pause()
        assert str(scheme.children[0].label) == "ALPHA  h"
        # What was opened stays open while the text is edited.
        app.explain.line.value = "http://abc/"
        await settled(app, pilot)
        assert tree.root.children[0].is_expanded

    drive(go, WIDE, text="http://ab/")


def test_a_text_that_goes_wrong_has_a_derivation_up_to_there() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        tree = app.screen.query_one(Derivation)
        assert str(tree.root.children[-1].label) == "✘ no derivation goes on at 8"

    drive(go, text="http://a b")


def test_another_rule_and_another_grammar_are_chosen_by_keys() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Choose)
        await type_in(pilot, "port")
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.explain.subject == Subject("80", "port")
        assert "✔ valid port" in drawn(app)
        await pilot.press("f2")
        await pilot.pause()
        grammars = app.screen.query_one("#grammars", OptionList)
        grammars.highlighted = grammars.get_option_index("rfc8259")
        await pilot.pause()
        await type_in(pilot, "number")
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.explain.subject == Subject("80", "number", "rfc8259")
        assert app.explain.seen.ok
        await pilot.press("f2", "escape")
        assert app.explain.subject.rule == "number"

    drive(go, text="80")


HOSTILE = (
    "\x1b[31mred\x07\r\n\ttwo\x00[bold]not markup[/bold]\u202eright to left"
    "\ud800\u0301\u0301\u4e2d\U0001f600%zz"
)


@pytest.mark.parametrize("size", [NARROW, WIDE, (40, 12)])
def test_a_hostile_paste_is_shown_and_kept_as_it_is(size: tuple[int, int]) -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        app.explain.line.post_message(events.Paste(HOSTILE))
        await pilot.pause()
        await settled(app, pilot)
        assert app.explain.line.value == HOSTILE
        await pilot.press("home")
        await settled(app, pilot)
        page = drawn(app)
        assert "\\x1b[31mred" in page
        assert not [char for char in page if not char.isprintable() and char != "\n"]
        assert "\u202e" not in page
        app.export_screenshot()

    drive(go, size, text="")


def test_100_kb_pasted_are_answered_calmly() -> None:
    text = "http://e/" + "ab[" * 33_000 + "x" * 991

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        app.explain.line.post_message(events.Paste(text))
        await pilot.pause()
        await settled(app, pilot)
        assert app.explain.line.value == text
        assert "✘ invalid: 33,000 violations" in drawn(app)
        assert "at most 2,000 characters" in app.explain.seen.why
        await pilot.press("home", "right", "a")
        await settled(app, pilot)
        assert app.explain.line.value[:6] == "hattp:"
        assert len(app.explain.line.value) > 100_000
        assert "at most" in app.explain.seen.error

    drive(go, text="")


def test_every_lone_surrogate_and_wide_character_has_its_caret_below() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        lines = drawn(app).splitlines()
        row = next(i for i, line in enumerate(lines) if "中b\\ud800" in line)
        # A wide character takes two columns, of which the second holds nothing of its own.
        text = lines[row].replace("中", "中\0")
        assert lines[row + 2].index("^") == text.index("中")
        assert lines[row + 2].rstrip(" │").endswith("^^ ^^^^^^")

    drive(go, text="http://e/中b\ud800")


@pytest.mark.prove
def test_typing_goes_on_while_an_answer_is_worked_out() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        for char in "abcdefgh" * 5:
            await pilot.press(char)
        assert app.explain.line.value == "http://e/" + "abcdefgh" * 5
        await settled(app, pilot)
        assert app.explain.seen.subject.text == app.explain.line.value

    drive(go, text="http://e/")


def test_colours_move_with_the_text_until_there_is_an_answer() -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        line = app.explain.line
        line.cursor_position = 7
        line.insert_text_at_cursor("xy")
        assert [name for name, _ in line._about][7:] == ["", "", "host", "path", "path"]
        assert [blamed for _, blamed in line._about].index(True) == 11

    drive(go, text="http://h/[")


def test_keys_are_explained_and_the_theme_changes_and_is_kept(tmp_path: Path) -> None:
    kept = Progress(str(tmp_path / "kept" / "teach.json"))

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, Help)
        assert "apply every fix" in drawn(app)
        await pilot.press("escape")
        before = app.theme
        await pilot.press("f6")
        assert app.theme != before

    app = drive(go, progress=kept)
    assert Progress(kept.path).theme == app.theme


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
def test_it_is_left_by_ctrl_q_and_ctrl_c_from_everywhere(key: str) -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.press("f2", key)

    assert drive(go).return_value == 0


def test_without_colour_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        assert app.no_color
        assert "^" in drawn(app)
        assert "✘" in drawn(app)

    drive(go, text="http://a b")


@pytest.mark.parametrize("size", [NARROW, WIDE, (100, 30)])
def test_every_view_fits(size: tuple[int, int]) -> None:
    async def go(app: Teach, pilot: Pilot[int]) -> None:
        width, height = size
        for _ in range(3):
            lines = drawn(app).splitlines()
            assert len(lines) == height
            assert "Leave" in lines[-1]
            assert max(map(len, lines)) <= width
            await pilot.press("f5")
            await pilot.pause()
        assert size is WIDE or app.screen.query_one(Tabs).active == "violations-tab"

    drive(go, size, text="http://1.2.3.4/a b")


def test_it_needs_a_terminal() -> None:
    code = "import sys; from uriproof.teach.terminal import run; sys.exit(run())"
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert found.returncode == 2
    assert found.stderr.startswith("Error: --terminal needs a terminal")


def test_without_textual_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(ImportError, match=r'pip install "uriproof\[teach\]"'):
        run()


def test_what_is_known_of_a_text_has_no_widget() -> None:
    seen = explained(looked_at(Subject("http://a/b%20c#d")))
    nodes = seen.derivation["nodes"] if seen.derivation else []
    shown = [nodes[seen.telling(at) or 0]["name"] for at in range(16)]
    assert shown[:4] == ["scheme"] * 4
    assert shown[7] == "reg-name"
    assert shown[9:14] == ["segment", *["pct-encoded"] * 3, "segment"]
    assert shown[15] == "fragment"


def test_the_data_folder_is_where_the_system_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from uriproof.teach.terminal.files import data_folder

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert data_folder() == os.path.join(os.path.expanduser("~"), ".local", "share", "uriproof")
    monkeypatch.setenv("XDG_DATA_HOME", os.path.abspath("/data"))
    assert data_folder() == os.path.join(os.path.abspath("/data"), "uriproof")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Application Support" in data_folder()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "local")
    assert data_folder() == os.path.join("local", "uriproof")
