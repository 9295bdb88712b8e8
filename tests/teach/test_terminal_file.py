"""A grammar that is edited while it is tried in the terminal: followed, broken, fixed, replaced.

Owns these cases. Reads the application. Invariant: files are written as editors do, in place or by
another file that takes their place.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual")

from terminal_screens import drawn, drive, settled
from textual.pilot import Pilot
from textual.widgets import OptionList

from uriproof.teach.terminal.app import Teach
from uriproof.teach.terminal.ask import Subject
from uriproof.teach.terminal.files import MOST_OCTETS, Followed
from uriproof.teach.terminal.own import Change, Own
from uriproof.teach.terminal.widgets.follow import FilePane

GRAMMAR = """\
; starts: pair
pair  = key "=" value
key   = 1*ALPHA
value = *DIGIT
"""


def listed(app: Teach) -> str:
    return "\n".join(str(o.prompt) for o in app.screen.query_one("#file", OptionList).options)


async def saved(app: Teach, pilot: Pilot[Any], file: Path, text: str, *, replace: bool) -> None:
    """Save as an editor does, and wait until it is seen."""
    if replace:
        other = file.with_suffix(".new")
        other.write_text(text, "utf-8")
        os.replace(other, file)
    else:
        file.write_text(text, "utf-8")
    before = listed(app)
    pane = app.screen.query_one(FilePane)
    for _ in range(500):
        pane.look()
        await pilot.pause(0.02)
        if listed(app) != before:
            break
    await settled(app, pilot)


@pytest.mark.prove
@pytest.mark.parametrize("replace", [False, True])
def test_a_grammar_is_followed_broken_and_usable_again(tmp_path: Path, replace: bool) -> None:
    file = tmp_path / "own.abnf"
    file.write_text(GRAMMAR, "utf-8")

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await saved(app, pilot, file, GRAMMAR + "; the end\n", replace=replace)
        assert app.explain.subject.rule == "pair"
        assert app.explain.seen.ok
        assert "✔ valid pair" in drawn(app)
        # A line that is no ABNF: the text is explained by the grammar of before.
        broken = GRAMMAR.replace("*DIGIT", "*(DIGIT")
        await saved(app, pilot, file, broken, replace=replace)
        assert "✘ This is no usable grammar now" in listed(app)
        assert "line 4, column" in listed(app)
        assert app.explain.seen.ok
        assert "File ✘" in drawn(app)
        # Usable again, and stricter: what changed the verdict is named.
        stricter = GRAMMAR.replace("*DIGIT", "3DIGIT").replace("1*ALPHA", "2*ALPHA")
        await saved(app, pilot, file, stricter, replace=replace)
        assert not app.explain.seen.ok
        found = listed(app)
        assert "changed: key, value; the text was valid, and is now invalid by value" in found

    drive(go, text="abc=12", file=str(file))


def test_a_file_that_is_broken_from_the_start_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "own.abnf"
    file.write_text("pair = (\n", "utf-8")

    async def go(app: Teach, pilot: Pilot[int]) -> None:
        await pilot.pause(0.1)
        await settled(app, pilot)
        assert "There is no usable grammar yet." in drawn(app)
        await saved(app, pilot, file, GRAMMAR, replace=False)
        assert app.explain.seen.ok

    drive(go, text="a=1", file=str(file))


def test_which_rules_change_a_verdict() -> None:
    before = {"a": 'a = b "x"', "b": 'b = "b"'}
    own = Own("none.abnf")
    own.rules = {"a": 'a = b "x" c', "b": 'b = "b"', "c": 'c = *"c"'}
    subject = Subject("bx", "a", abnf="")
    assert own.change(before, subject) == Change(("a", "c"), True, True, ())
    own.rules["c"] = 'c = 1*"c"'
    assert own.change(before, subject) == Change(("a", "c"), True, False, ("a",))
    assert own.change(dict(own.rules), subject) is None


def test_a_file_counts_as_changed_only_when_it_is_another(tmp_path: Path) -> None:
    file = tmp_path / "f"
    followed = Followed(str(file))
    assert followed.changed()
    assert followed.error == "No such file or directory"
    assert not followed.changed()
    file.write_text("a", "utf-8")
    assert followed.changed()
    assert (followed.text, followed.error) == ("a", "")
    assert not followed.changed()
    status = file.stat()
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
    assert not followed.changed(), "touched, and still the same text"
    file.unlink()
    assert followed.changed()
    assert followed.text == "a", "what was read last is not lost"
    file.write_bytes(b"\xff")
    assert followed.changed()
    assert followed.error == "octet 0 of the file is not UTF-8"
    file.write_bytes(b"a" * (MOST_OCTETS + 1))
    assert followed.changed()
    assert "more than 1,000,000 octets" in followed.error
