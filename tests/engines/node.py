"""Node, asked about texts: the value of an expression of JavaScript for each of them.

Owns the way to it. Imports the standard library and pytest. Invariant: where Node is not, the test
is skipped, which says so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import pytest


def by_node(expression: str, texts: Sequence[str], before: str = "") -> list[Any]:
    """The values of an expression for each text ``x``, after definitions; None for an error."""
    if shutil.which("node") is None:
        pytest.skip("Node is the judge, and is not installed")
    code = f"""{before}
        const one = x => {{ try {{ return {expression}; }} catch {{ return null; }} }};
        const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        process.stdout.write(JSON.stringify(texts.map(one)));"""
    run = subprocess.run(
        ["node", "-e", code], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    found: list[Any] = json.loads(run.stdout)
    return found
