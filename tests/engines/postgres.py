"""PostgreSQL as an oracle: a database of its own, in a folder of its own, without a server.

Owns the running of PostgreSQL in its single-user mode, which opens no socket. Imports the standard
library. Invariant: nothing of it is left when the verdicts are there.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

LOCALE = "C"


@cache
def binaries() -> tuple[str, str] | None:
    """The paths of initdb and postgres, where Debian or PATH has both."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    found = shutil.which("initdb", path=path), shutil.which("postgres", path=path)
    return (found[0], found[1]) if found[0] and found[1] else None


def _user() -> str | None:
    """Whom to run as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _hexadecimal(text: str) -> str:
    return f"convert_from('\\x{text.encode().hex()}', 'UTF8')"


def _query(pattern: str, texts: Sequence[str]) -> str:
    rows = ", ".join(_hexadecimal(text) for text in texts)
    return (  # all that was given is in hexadecimal digits
        "select 'verdicts ' || string_agg(case when t ~ p.it then '1' else '0' end, '' order by n)"  # noqa: S608
        f" as v from (select {_hexadecimal(pattern)} as it) as p,"
        f" unnest(array[{rows}]) with ordinality as given(t, n);"
    )


def verdicts(cases: Sequence[tuple[str, Sequence[str]]]) -> list[list[bool]]:
    """Per case, for each text, what ``text ~ pattern`` says. Errors: what PostgreSQL says."""
    found = binaries()
    assert found is not None
    initdb, postgres = found
    user = _user()
    folder = tempfile.mkdtemp(prefix="postgres-")
    try:
        if user is not None:
            shutil.chown(folder, user)
        data = str(Path(folder, "data"))
        subprocess.run(
            [initdb, "-D", data, "-E", "UTF8", f"--locale={LOCALE}", "-A", "trust", "-N"],
            capture_output=True,
            check=True,
            user=user,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": LOCALE},
        )
        run = subprocess.run(
            [postgres, "--single", "-j", "-F", "-D", data, "postgres"],
            input=";\n\n".join(_query(p, texts)[:-1] for p, texts in cases) + ";\n\n",
            capture_output=True,
            text=True,
            check=True,
            user=user,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": LOCALE},
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    answers = [
        line.split('"')[1].removeprefix("verdicts ")
        for line in run.stdout.splitlines()
        if '= "verdicts ' in line
    ]
    assert len(answers) == len(cases), run.stderr[-2000:]
    return [[c == "1" for c in answer] for answer in answers]
