"""Write ``docs/validate/encoders.md`` and ``decoders.md``: what other software does to URIs.

``python tools/build_coders.py`` writes what has changed; ``--check`` writes nothing and fails if
anything would change. What the encoders and decoders do is data, in ``audit/data``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from audit import decoders, encoders  # noqa: E402 -- after the path is set

PAGES = {"encoders.md": encoders.page, "decoders.md": decoders.page}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if anything would change")
    check: bool = parser.parse_args().check
    stale = 0
    for name, page in PAGES.items():
        path, wanted = ROOT / "docs" / "validate" / name, page()
        if path.exists() and path.read_text(encoding="utf-8") == wanted:
            continue
        stale = 1
        if not check:
            path.write_text(wanted, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} {'is out of date' if check else 'written'}")  # noqa: T201
    return stale if check else 0


if __name__ == "__main__":
    sys.exit(main())
