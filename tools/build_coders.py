"""Write ``docs/validate/encoders.md`` and ``decoders.md``: the effects of other software on URIs.

``tools/generate.py`` runs it. The behavior of encoders and decoders is data, in ``audit/data``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from audit import decoders, encoders

ROOT = Path(__file__).resolve().parent.parent

PAGES = {"encoders.md": encoders.page, "decoders.md": decoders.page}


def main() -> int:
    for name, page in PAGES.items():
        (ROOT / "docs" / "validate" / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
