"""What strangers send to an API: attack strings, texts with secrets, values that are no text.

Owns these inputs, which every adapter is tried with. Imports the public face. Invariant: the secret
of each text is ``SECRET``, so that a test can look for it.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent / "corpus"
SECRET = "S3KRET"  # noqa: S105 -- to be looked for
SECRETS = (
    *("http://me:S3KRET@host/a b", "http://me:S3KRET S3KRET@host/", "http://me:a/S3KRET@host/"),
    *("http:\\\\me:S3KRET@host\\", "//me:S3KRET@host/", "http://me:S3KRET@h/ "),
    *("postgres://me:S3KRET@[h/", "redis://:S3KRET@h:6379/0 ", "amqp://me:S3KRET@h:x/%"),
    *("mysql+pymysql://me:S3KRET%@h/db", "mongodb://me:S3KRET@a:1,b:2/ "),
    *(" http://me:S3KRET@h/", "http://me:S3KRET^@h/", "jdbc:db://h/?u=http://me:S3KRET@h/ "),
)
"""None of them is a URI."""

NO_TEXTS: tuple[Any, ...] = (b"http://h/", bytearray(b"http://h/"), 1, 1.5, True, ["http://h/"], {})
HUGE = "http://h/" + " a" * 8_000
ENDLESS = "http://me:S3KRET@h/" + "a b" * 333_333


def attacks() -> list[str]:
    """The texts of the corpus that tools get wrong, valid ones and others."""
    files = ("traps", "characters", "hosts", "conformance-advice")
    texts = ((CORPUS / f"{name}.toml").read_text("utf-8") for name in files)
    cases = [case for text in texts for case in tomllib.loads(text)["case"]]
    return [json.loads(c["text_json"]) if "text_json" in c else c["text"] for c in cases]
