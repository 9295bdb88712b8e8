"""The parsers of ``parsers.toml``: built, started, and named with their versions.

Owns reading that file. Invariant: what is not installed is a row with a reason, never an error; a
build writes into its own folder alone, and is made once.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .adapter import Program

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / ".cache" / "parsers"
BUILD_SECONDS = 300
"""The longest build is Rust's, of some forty crates: a minute on two cores."""
VERSION_SECONDS = 20
IRIS = "RFC 3987"


class NotInstalled(Exception):
    """A parser that cannot be built or started here; the message is the last line that says why."""


@dataclass(frozen=True, slots=True)
class Parser:
    """A row of ``parsers.toml``, which explains the fields."""

    name: str
    language: str
    claims: str
    entry: str
    folder: str
    run: str
    package: str
    version: str
    build: str = ""
    slow: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def ascii_only(self) -> bool:
        """True for a validator of IRIs: beyond ASCII it is right to differ."""
        return self.claims == IRIS

    def built(self) -> None:
        """Build the adapter, unless that was done. Errors: NotInstalled."""
        out = self._out
        done = out / ".built"
        command = f"{self.build}\n{self._source()}"
        if done.exists() and done.read_text("utf-8") == command:
            return
        out.mkdir(parents=True, exist_ok=True)
        if self.build:
            self._shell(self.build, BUILD_SECONDS)
        done.write_text(command, "utf-8")

    def program(self) -> Program:
        """The adapter, not started yet."""
        command = shlex.split(self._filled(self.run))
        return Program(command, HERE / "parsers" / self.folder, self._environment)

    def installed_version(self) -> str:
        """The version of what is asked. Errors: NotInstalled."""
        return self._shell(self.version, VERSION_SECONDS).strip().splitlines()[0]

    @property
    def _out(self) -> Path:
        return BUILT / "".join(c if c.isalnum() else "-" for c in self.name.lower())

    @property
    def _environment(self) -> dict[str, str]:
        return {name: self._filled(value) for name, value in self.environment.items()}

    def _filled(self, text: str) -> str:
        return text.replace("{out}", str(self._out)).replace("{python}", sys.executable)

    def _source(self) -> str:
        files = sorted((HERE / "parsers" / self.folder).rglob("*"))
        return "".join(f"{f.name} {f.stat().st_mtime_ns}\n" for f in files if f.is_file())

    def _shell(self, command: str, seconds: int) -> str:
        """What a command of the table prints. Errors: NotInstalled."""
        try:
            done = subprocess.run(  # noqa: S603 -- a command of our own file
                ["/bin/sh", "-c", self._filled(command)],
                cwd=HERE / "parsers" / self.folder,
                env={**os.environ, **self._environment},
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotInstalled(f"{self.name}: {error}") from error
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no reason was given"]
            raise NotInstalled(f"{self.name}: {lines[-1]}")
        return done.stdout


def parsers() -> list[Parser]:
    """All rows, in the order of the file."""
    table = tomllib.loads((HERE / "parsers.toml").read_text("utf-8"))
    return [Parser(**row) for row in table["parser"]]
