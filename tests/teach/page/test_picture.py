"""The picture of the page in README.md: the tests make it, too, and it is of its size.

Owns ``tools/build_picture.py``. Imports it. Invariant: the picture that is committed has the same
width and height as the one that the page gives now.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import build_picture
from browser import Transport
from playwright.sync_api import Browser

README = build_picture.ROOT / "README.md"


def size(file: Path) -> tuple[int, int]:
    """Width and height of a PNG."""
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_the_readme_shows_a_small_picture_of_the_page() -> None:
    assert f"({build_picture.PICTURE.relative_to(README.parent).as_posix()})" in README.read_text(
        "utf-8"
    )
    assert build_picture.PICTURE.stat().st_size < 150_000
    assert size(build_picture.PICTURE) == build_picture.SIZE


def test_the_page_gives_the_picture(
    chromium: Browser, transport: Transport, artifacts: Callable[[str], Path]
) -> None:
    file = artifacts("readme.png")
    build_picture.draw(chromium, transport.url, file)
    assert size(file) == build_picture.SIZE
