"""The static site's files: what the page says of itself is so.

Owns the page's shell and ``tools/build_site.py``, read as text. Imports the latter. Invariant:
nothing is downloaded; that the built site works is for the tests in a browser.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

import build_lessons
import build_site
import pytest

from uriproof.teach.serve import PAGE, TYPES

pytestmark = pytest.mark.prove

FIRST = ("app.js", "transport.js", "view/playground.js")  # what the page shows first
FILES = [path for path in PAGE.rglob("*") if path.is_file()]
INDEX = (PAGE / "index.html").read_text("utf-8")


def imported(file: Path) -> set[Path]:
    """A module and what it imports, without what it imports when that is needed."""
    found = {file}
    for name in re.findall(
        r'^(?:import|export)\b[^"]*?"(\.[^"]+)";', file.read_text("utf-8"), re.M
    ):
        found |= imported((file.parent / name).resolve())
    return found


def test_the_page_names_all_modules_that_it_needs_at_once() -> None:
    needed = set().union(*(imported(PAGE / name) for name in FIRST))
    names = {path.relative_to(PAGE.resolve()).as_posix() for path in needed}
    assert set(re.findall(r'<link rel="modulepreload" href="([^"]+)">', INDEX)) == names - {
        "app.js"
    }


def test_the_page_needs_no_exception_from_its_policy() -> None:
    assert {path.suffix for path in FILES} <= TYPES.keys()
    assert "<noscript>\n      <h1>Learn the grammar of URIs</h1>" in INDEX
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", INDEX)
    for file in FILES:
        if file.suffix == ".js":
            text = re.sub(r"^\s*(//|\*|/\*).*$", "", file.read_text("utf-8"), flags=re.M)
            names = r"innerHTML|outerHTML|insertAdjacentHTML|DOMParser|document\.write|\beval\("
            assert not re.search(names, text), file.name
            assert not re.search(
                r"\bhttps?://(?!www\.rfc-editor\.org|www\.w3\.org)\w+\.\w+/\w+\.js", text
            )


def test_what_is_downloaded_is_pinned() -> None:
    for about in build_site.SITE["npm"].values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", about["version"])
        assert re.fullmatch(r"sha512-[\w+/]{86}==", about["integrity"])
    for about in build_site.SITE["wheels"].values():
        assert re.fullmatch(r"[0-9a-f]{64}", about["sha256"])


def test_a_download_that_differs_is_refused_and_without_npm_it_is_said_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_site, "CACHE", tmp_path)
    monkeypatch.setenv("PATH", "")
    kept = tmp_path / f"pyodide-{build_site.SITE['npm']['pyodide']['version']}.tgz"
    kept.write_bytes(b"something else")
    with pytest.raises(build_site.Failed, match=r"is not the file whose hash tools/site\.toml"):
        build_site.from_npm("pyodide")
    assert not kept.exists()
    missing = "pyodide from npm is not available: the command npm does not exist"
    with pytest.raises(build_site.Failed, match=missing):
        build_site.from_npm("pyodide")


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for npm is a shell script")
@pytest.mark.parametrize(
    ("said", "options", "code"),
    [
        ("npm error code ENOTFOUND", [], 3),
        ("npm error code ENOTFOUND", ["--if-reachable"], 0),
        ("npm error code E404", ["--if-reachable"], 1),
    ],
)
def test_a_registry_that_does_not_answer_is_told_from_a_failure(
    said: str,
    options: list[str],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n", "utf-8")
    npm.chmod(0o755)
    monkeypatch.setattr(build_site, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(build_lessons, "write", Path.mkdir)  # which takes seconds
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = tmp_path / "learn"
    assert build_site.main([str(folder), *options]) == code
    assert said in capsys.readouterr().err
    assert not (folder / "transport.json").exists()


def test_the_service_worker_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(PAGE, tmp_path / "learn"))
    build_site._link(folder / "index.html", "../")
    assert '<a href="../">Documentation</a>' in (folder / "index.html").read_text("utf-8")
    worker = folder / "service-worker.js"
    names = {path.relative_to(PAGE).as_posix() for path in FILES} - {worker.name}

    def version() -> str:
        build_site.list_files(folder)
        text = worker.read_text("utf-8")
        listed = json.loads(text.partition("const FILES = ")[2].partition(";")[0])
        assert listed.keys() == names
        for name, integrity in listed.items():
            digest = hashlib.sha256((folder / name).read_bytes()).digest()
            assert integrity == f"sha256-{base64.b64encode(digest).decode()}"
        (found,) = re.findall(r'const VERSION = "([0-9a-f]{16})";', text)
        return str(found)

    first = version()
    assert version() == first
    (folder / "style.css").write_text("changed")
    assert version() != first
