"""Percent-encoding: encode, decode and normalise beside other libraries.

Owns that comparison; imports the libraries, where they are installed, and the clock. Invariant:
every call of a verb is given the same data, and what encoding and decoding give back is right: it
decodes to the data, or is the data.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, unquote

from rich.console import Console
from rich.table import Table

from uriproof.percent.decode import decode
from uriproof.percent.encode import encode
from uriproof.percent.normalize import normalize

from .goals import Goal
from .texts import VALID
from .timing import Job, medians

# Sixty characters each: nothing to encode, a sentence, a path-like key, and text that is not ASCII.
DATA = {
    "plain": "a-perfectly_ordinary.identifier~with-nothing-to-be-encoded-1",
    "prose": "The quick brown fox, jumps over the lazy dog & runs away: no",
    "nested": "https://example.com/news?page=2&sort=date#top/a/b/c/d/e/f/gh",
    "Unicode": "Helen Ødegård, 今日は, Grüße aus Köln — naïve café, déjà vu, 42%",
}
# To normalise: a URI that is normal already, and one with something to do on every level.
URIS = {
    "normal": VALID,
    "not normal": "HTTP://Example.COM:80/a/./b/../%7euser/c%3a%2f/%C3%b8?x=%41%2f&y=1#Top",
}
BASE = {"encode": "urllib.parse", "decode": "urllib.parse", "normalise": "rfc3986"}


@dataclass(frozen=True)
class Percent:
    """Seconds of a call, by verb, library and kind of data."""

    seconds: dict[tuple[str, str, str], float]
    missing: list[str]


def _calls() -> tuple[dict[tuple[str, str], Callable[[str], Any]], list[str]]:
    """The calls that are installed, by verb and library, and the names of the others."""
    calls: dict[tuple[str, str], Callable[[str], Any]] = {
        ("encode", "uriproof"): encode,
        ("encode", "uriproof, in a query"): lambda text: encode(text, "query", minimal=True),
        ("encode", "urllib.parse"): lambda text: quote(text, safe=""),
        ("decode", "uriproof"): decode,
        ("decode", "urllib.parse"): unquote,
        ("normalise", "uriproof"): normalize,
    }
    missing: list[str] = []
    try:
        yarl: Any = importlib.import_module("yarl._quoting")
        calls["encode", "yarl"] = yarl._Quoter(requote=False)
        calls["decode", "yarl"] = yarl._Unquoter()
    except ImportError:
        missing.append("yarl")
    try:
        w3lib: Any = importlib.import_module("w3lib.url")
        # It cleans a whole URL, which is less to do than to encode a datum.
        calls["encode", "w3lib safe_url_string"] = w3lib.safe_url_string
        calls["normalise", "w3lib canonicalize_url"] = w3lib.canonicalize_url
    except ImportError:
        missing.append("w3lib")
    try:
        rfc3986: Any = importlib.import_module("rfc3986")
        calls["normalise", "rfc3986"] = rfc3986.normalize_uri
    except ImportError:
        missing.append("rfc3986")
    return calls, missing


def measure() -> Percent:
    """Measure all calls side by side. Cost: some seconds."""
    calls, missing = _calls()
    jobs: dict[tuple[str, str, str], Job] = {}
    for (verb, library), call in calls.items():
        for kind, text in texts(verb).items():
            jobs[verb, library, kind] = partial(call, text)
            _hold(verb, library, text, call(text))
    return Percent(medians(jobs), missing)


def texts(verb: str) -> dict[str, str]:
    """What a verb is measured on, by kind."""
    if verb == "decode":
        return {kind: quote(data, safe="") for kind, data in DATA.items()}
    return DATA if verb == "encode" else URIS


def _hold(verb: str, library: str, text: str, given: str) -> None:
    """End the run where something that is fast is wrong."""
    encoded, data = (given, text) if verb == "encode" else (text, given)
    if verb != "normalise" and unquote(encoded) != data:
        raise SystemExit(f"{library} does not {verb} {text!r}: {given!r}")


def show(console: Console, found: Percent) -> None:
    """A table a verb: microseconds for one call, and how many times that is of the base."""
    for verb, base in BASE.items():
        table = Table(title=f"{verb}: microseconds for one text; x is times {base}")
        table.add_column("library")
        for kind, text in texts(verb).items():
            table.add_column(f"{kind}, {len(text)}", justify="right")
            table.add_column("x", justify="right", style="dim")
        for library in dict.fromkeys(key[1] for key in found.seconds if key[0] == verb):
            cells: list[str] = []
            for kind in texts(verb):
                seconds = found.seconds[verb, library, kind]
                other = found.seconds.get((verb, base, kind))
                cells += f"{seconds * 1e6:.2f}", f"{seconds / other:.2f}" if other else ""
            table.add_row(library, *cells)
        console.print(table)
    if found.missing:
        console.print("Not installed, so not measured: " + ", ".join(found.missing))


def goals(found: Percent) -> list[Goal]:
    """Encode and decode no slower than urllib; normalise three times as fast as rfc3986."""
    asked = (("encode", 1.0), ("decode", 1.0), ("normalise", 3.0))
    return [_goal(found, verb, limit) for verb, limit in asked]


def _goal(found: Percent, verb: str, limit: float) -> Goal:
    """The kind of data on which a verb does worst against its base decides."""
    base = BASE[verb]
    ratios = {
        kind: found.seconds[verb, base, kind] / found.seconds[verb, "uriproof", kind]
        for kind in texts(verb)
        if (verb, base, kind) in found.seconds
    }
    if not ratios:
        return Goal(f"{verb} against {base}", None, limit, True, "times as fast")
    worst = min(ratios, key=ratios.__getitem__)
    words = f"{verb} against {base}, worst: {worst}"
    return Goal(words, ratios[worst], limit, True, "times as fast")
