"""Percent-encoding: encode, decode, form data, queries, build, clean and normalise beside others.

Owns that comparison; imports the libraries, where they are installed, and the clock. Invariant:
every call of a verb is given the same data, and what encoding and decoding give back is right: it
decodes to the data, or is the data. A form's size is its fields when encoded, and its characters
when decoded.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus, unquote, unquote_plus, urlencode

from rich.console import Console
from rich.table import Table

from uriproof import is_valid
from uriproof.cleaning import clean
from uriproof.percent.decode import decode
from uriproof.percent.encode import encode
from uriproof.percent.form import decode_form, encode_form, encode_query
from uriproof.uri.components import build
from uriproof.uri.normalize import normalize

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
# Fields: a few, ten with most of what a form holds, two hundred plain ones, two hundred others.
FORMS = {
    "few": [("q", "uri"), ("page", "2"), ("lang", "en")],
    "typical": [
        ("name", "Helen Ødegård"),
        ("greeting", "今日は"),
        ("city", "São Paulo"),
        ("redirect", "http://example.com/news?page=2#funny"),
        ("a b", "c&d"),
        ("empty", ""),
        ("q", "proper url encoding"),
        ("price", "100%"),
        ("id", "12345"),
        ("x", "1+1=2"),
    ],
    "plain": [(f"field{number}", f"value{number}") for number in range(200)],
    "escapes": [(f"f{number}", "äöü €/ß&=?" * 3) for number in range(200)],
}
# To normalise: a URI that is normal already, and one with something to do on every level.
URIS = {
    "normal": VALID,
    "not normal": "HTTP://Example.COM:80/a/./b/../%7euser/c%3a%2f/%C3%b8?x=%41%2f&y=1#Top",
}
# To build: most components, and few of them.
COMPONENTS: dict[str, dict[str, Any]] = {
    "full": {
        "scheme": "https",
        "host": "example.com",
        "port": 8080,
        "path": "/news/2026",
        "query": "page=2",
        "fragment": "top",
    },
    "short": {"scheme": "https", "host": "example.com", "path": "/news"},
}
# To clean: URLs that are clean.
CLEAN = {"valid": VALID, "address": "http://[2001:db8::1:0:ff]:8080/x?y"}
PEER = "urllib.parse "
BASE = {
    "encode": "urllib.parse quote",
    "decode": "urllib.parse unquote",
    "decode in a query": "urllib.parse unquote",
    "decode, + a space": "urllib.parse unquote_plus",
    "encode a form": "urllib.parse urlencode",
    "encode a query": "urllib.parse urlencode",
    "decode a form": "urllib.parse parse_qsl",
    "build": "yarl",
    "clean": "is_valid",
    "normalise": "rfc3986",
}
# At most as many times the time of its base, on the kind of data on which a verb does worst.
LIMITS = {
    "encode": 1.0,
    "decode": 1.0,
    "decode in a query": 1.5,
    "decode, + a space": 1.5,
    "encode a form": 1.0,
    "encode a query": 1.2,
    "decode a form": 1.5,
    "build": 3.0,
    "clean": 3.0,
    "normalise": 1 / 3,
}


@dataclass(frozen=True)
class Percent:
    """Seconds of a call, by verb, library and kind of data."""

    seconds: dict[tuple[str, str, str], float]
    missing: list[str]


def _calls() -> tuple[dict[tuple[str, str], Callable[[Any], Any]], list[str]]:
    """The calls that are installed, by verb and library, and the names of the others."""
    calls: dict[tuple[str, str], Callable[[Any], Any]] = {
        ("encode", "uriproof"): encode,
        ("encode", "uriproof, in a query"): lambda text: encode(text, "query", minimal=True),
        ("encode", "urllib.parse quote"): lambda text: quote(text, safe=""),
        ("decode", "uriproof"): decode,
        ("decode", "urllib.parse unquote"): unquote,
        ("decode in a query", "uriproof"): lambda text: decode(text, "query"),
        ("decode in a query", "urllib.parse unquote"): unquote,
        ("decode, + a space", "uriproof"): lambda text: decode(text, form=True),
        ("decode, + a space", "urllib.parse unquote_plus"): unquote_plus,
        ("encode a form", "uriproof"): encode_form,
        ("encode a form", "urllib.parse urlencode"): urlencode,
        ("encode a query", "uriproof"): encode_query,
        ("encode a query", "urllib.parse urlencode"): urlencode,
        ("decode a form", "uriproof"): decode_form,
        ("decode a form", "uriproof, errors raised"): lambda t: decode_form(t, errors="raise"),
        ("decode a form", "urllib.parse parse_qsl"): lambda t: parse_qsl(t, keep_blank_values=True),
        ("build", "uriproof"): lambda parts: build(**parts),
        ("clean", "uriproof"): clean,
        ("clean", "is_valid"): is_valid,
        ("normalise", "uriproof"): normalize,
    }
    missing: list[str] = []
    try:
        yarl: Any = importlib.import_module("yarl._quoting")
        calls["encode", "yarl"] = yarl._Quoter(requote=False)
        calls["decode", "yarl"] = yarl._Unquoter()
        url: Any = importlib.import_module("yarl").URL
        calls["build", "yarl"] = lambda parts: url.build(
            **{"query_string" if name == "query" else name: text for name, text in parts.items()}
        )
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


def texts(verb: str) -> dict[str, Any]:
    """What a verb is measured on, by kind."""
    known: dict[str, dict[str, Any]] = {
        "encode": DATA,
        "encode a form": FORMS,
        "encode a query": FORMS,
        "build": COMPONENTS,
        "clean": CLEAN,
        "decode a form": {kind: urlencode(fields) for kind, fields in FORMS.items()},
        "decode, + a space": {kind: quote_plus(data) for kind, data in DATA.items()},
        "normalise": URIS,
    }
    if verb in known:
        return known[verb]
    long = {"plain": DATA["plain"] * 10, "Unicode": DATA["Unicode"] * 10}
    data = DATA | {f"long {kind}": text for kind, text in long.items()}
    return {kind: quote(text, safe="") for kind, text in data.items()}


def _hold(verb: str, library: str, given: Any, found: Any) -> None:
    """End the run where something that is fast is wrong."""
    encoded, data = (found, given) if verb.startswith("encode") else (given, found)
    expected: Any = data
    if verb in ("encode a form", "encode a query", "decode a form"):
        expected = parse_qsl(encoded, keep_blank_values=True)
    elif verb.startswith(("encode", "decode")):
        expected = unquote_plus(encoded) if "+" in verb else unquote(encoded)
    if expected != data:
        raise SystemExit(f"{library} does not {verb} {given!r}: {found!r}")


def show(console: Console, found: Percent) -> None:
    """A table a verb: microseconds for one call, and how many times that is of the base."""
    for verb, base in BASE.items():
        table = Table(title=f"{verb}: microseconds for one call; x is times {base}")
        table.add_column("library")
        for kind, text in texts(verb).items():
            table.add_column(f"{kind}, {len(text):,}", justify="right")
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
    """What is asked for, on the kind of data on which each verb does worst."""
    return [_goal(found, verb, limit) for verb, limit in LIMITS.items()]


def _goal(found: Percent, verb: str, limit: float) -> Goal:
    """The kind of data on which a verb does worst against its base decides."""
    base = BASE[verb]
    ratios = {
        kind: found.seconds[verb, "uriproof", kind] / found.seconds[verb, base, kind]
        for kind in texts(verb)
        if (verb, base, kind) in found.seconds
    }
    if not ratios:
        return Goal(f"{verb} against {base.removeprefix(PEER)}", None, limit, False, "times")
    worst = max(ratios, key=ratios.__getitem__)
    words = f"{verb} against {base.removeprefix(PEER)}, worst: {worst}"
    return Goal(words, ratios[worst], limit, False, "times")
