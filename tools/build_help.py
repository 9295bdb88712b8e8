"""Write what ``uriproof --help`` prints, from the commands themselves.

``tools/generate.py`` runs it. It writes ``src/uriproof/cli/help.txt``, so that the commands
need not be imported to list them.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

import click  # noqa: E402

from uriproof.cli import HELP  # noqa: E402
from uriproof.cli._group import group  # noqa: E402 -- after the path is set


def text() -> str:
    """The help of the group, as click lays it out in 80 columns."""
    settings = {**group.context_settings, "terminal_width": 78}
    return click.Context(group, info_name="uriproof", **settings).get_help() + "\n"


def main() -> int:
    Path(HELP).write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
