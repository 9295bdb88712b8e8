"""Build the editor of the page, ``teach/page/vendor/codemirror.js``, from packages of npm.

Owns that file. Imports nothing of ``uriproof``. Invariant: the versions and hashes are those of
``tools/editor/package-lock.json``, and the same lock gives the same bytes.

    python tools/build_editor.py            writes the file; needs npm and its registry
    python tools/build_editor.py --check    says whether it is what the tool writes
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "tools" / "editor"
BUILT = ROOT / "src" / "uriproof" / "teach" / "page" / "vendor" / "codemirror.js"
FILES = ("package.json", "package-lock.json", "editor.js")


def built() -> bytes:
    """The file, built in a folder of its own. Errors: CalledProcessError, in the words of npm."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm does not exist on this machine")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in FILES:
            shutil.copy(SOURCE / file, folder)
        # The bundler is a program in a package: no package runs a script of its own.
        for arguments in (["ci", "--ignore-scripts", "--no-audit", "--no-fund"], ["run", "build"]):
            subprocess.run([npm, *arguments], cwd=folder, check=True, stdout=sys.stderr)  # noqa: S603
        return (folder / "built" / BUILT.name).read_bytes()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it differs")
    made = built()
    if not parser.parse_args(arguments).check:
        BUILT.write_bytes(made)
        return 0
    if BUILT.read_bytes() == made:
        return 0
    sys.stderr.write(f"{BUILT.relative_to(ROOT)} is not what tools/build_editor.py writes\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
