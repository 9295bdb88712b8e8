"""Build the page for learning as files that any static host serves, and no network is needed for.

Owns the folder of the site: the page, the files of ``tools/site.toml``, the wheel of this tree, and
their names in ``transport.json`` and ``service-worker.js``. Imports ``uriproof`` only for the
page's policy. Invariant: downloads have the hash that ``site.toml`` states, and the same sources
give the same bytes.

    python tools/build_site.py FOLDER               npm and pip download into .cache/, once
    python tools/build_site.py FOLDER --if-reachable   without a network: say so, and build nothing
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import build_lessons

from uriproof.teach.serve import PAGE, POLICY

ROOT = Path(__file__).resolve().parent.parent

SITE = tomllib.loads((ROOT / "tools" / "site.toml").read_text("utf-8"))
CACHE = ROOT / ".cache"
EPOCH = "1577836800"  # the time of all files of the wheel
POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'


class Failed(Exception):
    """A part is not available or not as expected; the words are for people."""


class Unreachable(Failed):
    """A registry does not answer: nothing that is wrong here."""


# The messages of npm and pip without a way to their registry.
NO_WAY = re.compile(
    r"\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|ERR_SOCKET_TIMEOUT|NewConnectionError|NameResolutionError|ConnectTimeoutError"
    r"|ReadTimeoutError|ProxyError|Connection refused)\b"
)


def main(arguments: Sequence[str]) -> int:
    """Build into a folder. Exit code: 0; 1 if it fails; 3 if a registry does not answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--if-reachable",
        action="store_true",
        help="where a registry does not answer, say so and succeed without the page",
    )
    parser.add_argument("--docs", metavar="PLACE", help="where the docs are, from the page")
    options = parser.parse_args(arguments)
    folder: Path = options.folder
    try:
        build(folder, options.docs)
    except Unreachable as error:
        sys.stderr.write(f"The page is not built. {error}\n")
        shutil.rmtree(folder, ignore_errors=True)
        return 0 if options.if_reachable else 3
    except Failed as error:
        sys.stderr.write(f"{error}\n")
        return 1
    files = [file for file in folder.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    sys.stdout.write(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB\n")
    return 0


def build(folder: Path, docs: str | None = None) -> None:
    """Write the page to a folder, which is emptied before; it links to docs. Errors: Failed."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.py", ".*"))
    _state_the_policy(folder / "index.html")
    if docs:
        _link(folder / "index.html", docs)
    build_lessons.write(folder / "lessons")
    (folder / "pyodide").mkdir()
    for name, data in from_npm("pyodide").items():
        (folder / "pyodide" / name).write_bytes(data)
    (folder / "wheels").mkdir()
    wheels = [_own_wheel(folder / "wheels")]
    wheels += [Path(shutil.copy(_from_pip(name), folder / "wheels")) for name in SITE["wheels"]]
    engine = [*(folder / "pyodide").iterdir(), *(folder / "wheels").iterdir()]
    about = {
        "kind": "worker",
        "pyodide": "pyodide/",
        "wheels": [f"wheels/{wheel.name}" for wheel in wheels],
        "bytes": sum(file.stat().st_size for file in engine),
    }
    (folder / "transport.json").write_text(json.dumps(about, indent=2) + "\n")
    (folder / "third-party.txt").write_text(_third_party(), "utf-8")
    list_files(folder)


def from_npm(name: str) -> dict[str, bytes]:
    """The files of a package that ``site.toml`` names, by their names. Errors: Failed."""
    about = SITE["npm"][name]
    kept = CACHE / f"{name}-{about['version']}.tgz"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as folder:
            pack = ["npm", "pack", f"{name}@{about['version']}", "--loglevel=error"]
            _run([*pack, "--pack-destination", folder], f"{name} from npm")
            _keep(next(Path(folder).glob("*.tgz")), kept)
    data = kept.read_bytes()
    kind, _, expected = about["integrity"].partition("-")
    if base64.b64encode(hashlib.new(kind, data).digest()).decode() != expected:
        kept.unlink()
        raise Failed(f"{kept.name} is not the file whose hash tools/site.toml states")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in about["files"]}
        return {name: member.read() for name, member in members.items() if member}


def _from_pip(name: str) -> Path:
    """A wheel that is pure Python."""
    about = SITE["wheels"][name]
    wheel = CACHE / f"{name}-{about['version']}-py3-none-any.whl"
    if not wheel.exists():
        with tempfile.TemporaryDirectory() as folder:
            what = f"{name}=={about['version']}"
            options = ["--no-deps", "--only-binary=:all:", "--dest", folder]
            _run([*_PIP, "download", *options, what], f"{what} from pip")
            _keep(Path(folder, wheel.name), wheel)
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != about["sha256"]:
        wheel.unlink()
        raise Failed(f"{wheel.name} is not the file whose hash tools/site.toml states")
    return wheel


_PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def _own_wheel(folder: Path) -> Path:
    """The wheel of this tree, made anew."""
    _run([*_PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], "the own wheel")
    (made,) = folder.glob("*.whl")
    return made


def _cache() -> Path:
    CACHE.mkdir(exist_ok=True)
    return CACHE


def _keep(made: Path, kept: Path) -> None:
    """Into the cache in one step: its contents are whole, whoever else builds."""
    whole = _cache() / f"{kept.name}.{os.getpid()}"
    shutil.copy(made, whole)
    whole.replace(kept)


def _run(command: list[str], what: str) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    program = shutil.which(command[0])
    if program is None:
        raise Failed(f"{what} is not available: the command {command[0]} does not exist")
    run = subprocess.run(  # noqa: S603 -- commands of this file
        [program, *command[1:]], env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode:
        said = run.stderr.strip() or run.stdout.strip()
        if no_way := [line for line in said.splitlines() if NO_WAY.search(line)]:
            raise Unreachable(f"{what} cannot be had: {no_way[0].strip()}")
        raise Failed(f"{what} cannot be had:\n" + "\n".join(said.splitlines()[-3:]))


def _state_the_policy(index: Path) -> None:
    """The policy that the local server sends as a header, as the first element of the head."""
    text = index.read_text("utf-8")
    charset = re.search(r"<meta charset=[^>]*>", text)
    if charset is None or "Content-Security-Policy" in text:
        raise Failed("index.html must have a <meta charset>, and no policy of its own")
    end = charset.end()
    index.write_text(f"{text[:end]}\n{POLICY_TAG}{text[end:]}", "utf-8")


def _link(index: Path, docs: str) -> None:
    text, credit = index.read_text("utf-8"), '<p id="credit">'
    if text.count(credit) != 1:
        raise Failed(f"index.html must have one {credit}")
    # By itself: the page rewrites the credit when another grammar is chosen.
    link = f'<p><a href="{html.escape(docs)}">Documentation</a></p>\n    '
    index.write_text(text.replace(credit, link + credit), "utf-8")


def _third_party() -> str:
    lines = ["What this page has from elsewhere, unchanged, besides uriproof itself.\n"]
    found: dict[str, Any] = {"pyodide": SITE["npm"]["pyodide"], **SITE["wheels"]}
    for name, about in found.items():
        lines.append(f"{name} {about['version']}: {about['license']}, {about['source']}")
    return "\n".join(lines) + "\n"


def list_files(folder: Path) -> None:
    """Write into the service worker which files it keeps, and a version that is theirs."""
    worker = Path(shutil.copy(PAGE / "service-worker.js", folder))
    hashes = {
        file.relative_to(folder).as_posix(): _integrity(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file != worker
    }
    listed = json.dumps(hashes, indent=2)
    version = hashlib.sha256((listed + worker.read_text("utf-8")).encode()).hexdigest()[:16]
    text = worker.read_text("utf-8")
    for old, new in (
        ('const VERSION = "";', f'const VERSION = "{version}";'),
        ("const FILES = {};", f"const FILES = {listed};"),
    ):
        if text.count(old) != 1:
            raise Failed(f"service-worker.js must have the line {old}")
        text = text.replace(old, new)
    worker.write_text(text, "utf-8")


def _integrity(file: Path) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
