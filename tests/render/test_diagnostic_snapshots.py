"""What three output formats write of the same two files, to the letter.

Owns ``snapshots/``; the other formats are read back by ``test_diagnostic_formats``. Imports
``lint`` and ``render``. Invariant: a change of words, places or fields is seen in a diff.
``UPDATE_SNAPSHOTS=1 pytest tests/render/test_diagnostic_snapshots.py`` writes them anew; look at
what has changed before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import uriproof
from uriproof.diagnostic import Diagnostic
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.render import Style
from uriproof.render.diagnostics import renderer
from uriproof.render.diagnostics._records import ROOTS

NAMES = ("full", "json", "sarif")
FOLDER = Path(__file__).parent / "snapshots"

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


def diagnostics() -> list[Diagnostic]:
    engine = Engine(Settings(extend_select=("encoded-unreserved",)))
    return [one for name, data in FILES.items() for one in engine.lint(name, data).diagnostics]


@pytest.mark.parametrize("name", NAMES)
def test_the_output_is_what_it_was(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in (*ROOTS, "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(tmp_path)
    written = "".join(renderer(name)(diagnostics(), Style()))
    written = written.replace(f'"{uriproof.__version__}"', '"VERSION"')
    file = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(written, "utf-8")
    assert written == file.read_text("utf-8")
