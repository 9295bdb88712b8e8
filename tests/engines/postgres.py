"""PostgreSQL as an oracle: a database of its own, in a folder of its own.

Owns the running of PostgreSQL as a server with a socket in that folder, for psql. Imports the
standard library. Invariant: nothing of it is left in the end.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import sleep
from typing import Any, TypeAlias


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
        "select string_agg(case when t ~ p.it then '1' else '0' end, '' order by n)"  # noqa: S608
        f" from (select {_hexadecimal(pattern)} as it) as p,"
        f" unnest(array[{rows}]) with ordinality as given(t, n);"
    )


def psql_missing() -> str | None:
    """Why ``server`` cannot be used, or None."""
    found = binaries() and shutil.which("psql")
    return None if found else "initdb, postgres and psql are not installed (Debian: postgresql)"


Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def server(locale: str = "C.UTF-8") -> Iterator[Run]:
    """What runs a script by psql, in the database of a server of its own."""
    found = binaries()
    assert found is not None
    initdb, postgres = found
    user = _user()
    folder = tempfile.mkdtemp(prefix="postgres-")
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    options: dict[str, Any] = {"user": user, "cwd": folder, "env": env}
    try:
        if user is not None:
            shutil.chown(folder, user)
        command = [
            initdb,
            "-D",
            f"{folder}/data",
            "-E",
            "UTF8",
            f"--locale={locale}",
            "-A",
            "trust",
        ]
        subprocess.run([*command, "-N"], capture_output=True, check=True, **options)
        command = [postgres, "-F", "-D", f"{folder}/data", "-h", "", "-k", folder]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **options) as process:

            def run(*script: str, check: bool = True) -> subprocess.CompletedProcess[str]:
                called = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", folder, "-d", "postgres"]
                called += ["-U", options["user"] or pwd.getpwuid(os.geteuid()).pw_name, "-f", "-"]
                given = "\n".join(script)
                found = subprocess.run(
                    called, input=given, capture_output=True, encoding="utf-8", check=False
                )
                assert not check or found.returncode == 0, found.stderr[-2000:]
                return found

            try:
                for _ in range(200):
                    if run("SELECT 1;", check=False).returncode == 0:
                        break
                    sleep(0.1)
                yield run
            finally:
                process.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def verdicts(cases: Sequence[tuple[str, Sequence[str]]]) -> list[list[bool]]:
    """Per case, for each text, what ``text ~ pattern`` says. Errors: what PostgreSQL says."""
    with server("C") as run:
        answers = run(*(_query(p, texts) for p, texts in cases)).stdout.splitlines()
    return [[c == "1" for c in answer] for answer in answers]
