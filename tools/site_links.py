"""A hook of MkDocs: links that leave docs/ lead to the repository, and one leads to the page.

Owns that rewriting, by the base of pyproject.toml, and the entry for ``learn/``, which
``tools/build_site.py`` writes next to the docs. Imports MkDocs, late. Invariant: a link within
docs/ is left to MkDocs, which checks it.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BASE = PROJECT["project"]["urls"]["Source"] + "/blob/main/"
LINK = re.compile(r"\]\((\.\./[^)\s]*)\)")


def on_nav(nav: Any, **_: Any) -> Any:
    """With an entry for the page, which is not a page of MkDocs'."""
    from mkdocs.structure.nav import Link

    nav.items.insert(1, Link("Learn", "learn/"))
    return nav


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The page with absolute links to files outside of the site."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def absolute(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        return link[0] if target.startswith("docs/") else f"]({BASE}{target})"

    return LINK.sub(absolute, markdown)
