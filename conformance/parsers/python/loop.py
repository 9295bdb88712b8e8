"""The loop of every adapter in Python: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

MEMBERS = ("valid", "host", "message")


def serve(judge: Callable[[str, str], tuple[bool | str | None, ...]]) -> None:
    """Answer every line; ``judge`` gives a verdict, and perhaps a host and a message."""
    for line in sys.stdin:
        asked = json.loads(line)
        answer = dict(zip(MEMBERS, judge(asked["text"], asked["rule"]), strict=False))
        print(json.dumps(answer), flush=True)
