"""Writes the seeds: the corpus of the tests, the grammars, and facts beside the checkout.

Owns the folders of seeds. Invariant: the same files give the same seeds, and what is absent is
left out.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import check, cli_json, files, parameters, percent, policies, request

HERE = Path(__file__).parent.parent
DATA = HERE.parent / "shared" / "data"
_EVERY = 500  # one URL in so many of the real ones
_FEW = 20  # one case of the corpus in so many
_SHORT = 300  # octets of a grammar that is exported to every target
_FILE = 4000  # octets of a labelled file


def _corpus() -> Iterator[tuple[str, str, str | None, str]]:
    """Grammar, rule, query grammar and text of every case of the corpus."""
    for path in sorted((HERE / "tests" / "corpus").glob("*.toml")):
        tables: dict[str, list[dict[str, Any]]] = tomllib.loads(path.read_text("utf-8"))
        for x in (*tables.get("case", ()), *tables.get("texts", ())):
            chosen = x.get("grammar", "rfc3986"), x.get("rule", "URI"), x.get("query")
            single = [json.loads(x["text_json"])] if "text_json" in x else [x.get("text")]
            for text in (*single, *x.get("valid", ()), *x.get("invalid", ())):
                if isinstance(text, str):
                    yield (*chosen, text)


def _facts() -> Iterator[str]:
    """Strings that confuse, and real URLs, where they are present."""
    attacks, urls = DATA / "attack-strings.json", DATA / "urls-48k.txt"
    if attacks.exists():
        yield from (a["text"] for a in json.loads(attacks.read_text("utf-8")))
    if urls.exists():
        yield from urls.read_text("utf-8-sig").splitlines()[::_EVERY]


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def for_check() -> Iterator[bytes]:
    """For the target ``check``: two bytes of choice, and the text."""
    for grammar, rule, query, text in _corpus():
        if (grammar, rule) in check.CHOICES and query in check.QUERIES:
            chosen = check.CHOICES.index((grammar, rule)), check.QUERIES.index(query)
            yield bytes(chosen) + _octets(text)
    start = check.CHOICES.index(("rfc3986", "URI-reference"))
    yield from (bytes((start, 0)) + _octets(text) for text in _facts())


def for_cli_json() -> Iterator[bytes]:
    """For the target ``cli_json``: one byte of choice, and lines."""
    texts = [_octets(t) for _, _, _, t in _corpus()] + [_octets(t) for t in _facts()]
    for at in range(0, len(texts), 4):
        option = bytes((at // 4 % len(cli_json.OPTIONS),))
        yield option + b"\n".join(texts[at : at + 4])


def for_abnf_reader() -> Iterator[bytes]:
    """For the target ``abnf_reader``: grammars, whole and by single rules, and a text."""
    files = [*sorted((HERE / "grammars").glob("*.abnf")), *sorted(DATA.glob("*.abnf"))]
    for path in files:
        source = path.read_bytes()
        yield source + b"\0http://h/?a=1&b"
        for rule in source.split(b"\n\n"):
            yield rule + b"\0a%2"
    yield b'a = "x" b\nb = 2*3( %x61-7A / %d48.49 ) [ %s"Q" ] *DIGIT\0x12'
    yield b'; imports: rfc3986\n; component: q = query\nq = 1*( pchar / "!" )\0a%zz b'
    split = b"; imports: rfc3986\n; split: rfc3986-split\n; starts: own\nown = "
    yield split + b'"x:" path-rootless\0a'
    yield split + b'scheme "://" host ":" port path-abempty [ "?" query ]\0//:a'
    yield b'list = item *( "," item )\nitem = 1*ALPHA\nlist =/ "-"\0a,,b1'


def for_exports() -> Iterator[bytes]:
    """For the target ``exports``: that of ``abnf_reader``, where it is short."""
    yield from (seed for seed in for_abnf_reader() if len(seed) <= _SHORT)


def for_percent() -> Iterator[bytes]:
    """For the target ``percent``: one byte of choice, and a text."""
    texts = [_octets(t) for _, _, _, t in _corpus()] + [_octets(t) for t in _facts()]
    for at, text in enumerate(texts):
        yield bytes((at % len(percent.COMPONENTS),)) + text


def for_linter() -> Iterator[bytes]:
    """For the target ``linter``: one byte for the name, and the labelled files of the tests."""
    suffixes = {Path(name).suffix: at for at, name in enumerate(files.NAMES)}
    for path in sorted((HERE / "tests" / "precision" / "corpus").rglob("*")):
        if path.suffix in suffixes and path.is_file():
            yield bytes((suffixes[path.suffix],)) + path.read_bytes()[:_FILE]
    for at, (_, _, _, text) in enumerate(_corpus()):
        if at % _FEW == 0:
            one = _octets(text)
            file = b"[a](<" + one + b'>)\n"' + one + b'"\n<a href="' + one + b'">\n'
            yield bytes((at // _FEW % len(files.NAMES),)) + file


def for_fixes() -> Iterator[bytes]:
    """For the target ``fixes``: that of ``linter``, with safe fixes and with all."""
    for seed in for_linter():
        yield seed
        yield bytes((seed[0] | 0x80,)) + seed[1:]


def for_parameters() -> Iterator[bytes]:
    """For the target ``parameters``: queries for each specification, documents with a query."""
    queries = ["a=1&b=true", "a=1&a=2&R=3&d", "a=1,2&b=R,3,G,4", "b[R]=1&b%5BG%5D=2.5&a=%7B%7D"]
    queries += ["a=1%202&b=1%7C2", "a=x/?:@&b=xx&", "a=%zz&b=%FF&a=%00&c=\x07"]
    queries += [text for _, rule, _, text in _corpus() if rule == "query"]
    for at, query in enumerate(queries):
        yield bytes((at % len(parameters.SPECS),)) + _octets(query)
    schema = {"type": ["integer", "array"], "items": {"$ref": "#/components/schemas/N"}}
    for version in ("3.0.3", "3.1.1"):
        for place in ("query", "path", "header", "cookie"):
            given = {"name": "id", "in": place, "required": True, "schema": schema}
            other: dict[str, Any] = {
                "name": "X",
                "in": place,
                "content": {"application/json": {"schema": {}}},
            }
            get = {"parameters": [given, {"$ref": "#/components/parameters/o"}]}
            made = {
                "openapi": version,
                "paths": {parameters.PATH: {"get": get}},
                "components": {"parameters": {"o": other}, "schemas": {"N": {"minimum": 1}}},
            }
            yield b"\xff" + json.dumps(made).encode() + b"\x00id=1&X=%7B%7D; id=2"


def for_request() -> Iterator[bytes]:
    """For the target ``request``: texts as targets, with a good and a bad Host."""
    for at, (_, _, _, text) in enumerate(_corpus()):
        if at % _FEW == 0:
            method = at // _FEW % len(request.METHODS)
            for host in (b"\nh:80", b"\n" + _octets(text)):
                target = request.METHODS[method][1].encode() + _octets(text) + host
                yield bytes((method, at // _FEW % 16)) + target
    yield b"\x01\x00h:443\nh:443"
    yield b"\x02\x00*\nh"


def for_service() -> Iterator[bytes]:
    """For the target ``service``: an octet for the chunks, and lines of JSON."""
    cases = [case for at, case in enumerate(_corpus()) if at % _FEW == 0]
    for at, (grammar, rule, query, text) in enumerate(cases):
        asked = {"text": text, "grammar": grammar, "rule": rule, "id": [at], "advice": True}
        full = asked if query is None else {**asked, "query": query}
        yield bytes((at % 256,)) + "\n".join(map(json.dumps, (full, text, {"x": at}))).encode()


def for_policies() -> Iterator[bytes]:
    """For the target ``policies``: an octet for the policy, one for the rule, and a text."""
    texts = [text for _, rule, _, text in _corpus() if rule in ("URI", "URI-reference", "IRI")]
    for at, text in enumerate([*texts, *_facts()]):
        ruled = at // len(policies.POLICIES) % len(policies.RULES)
        yield bytes((at % len(policies.POLICIES), ruled)) + _octets(text)


def main() -> None:
    """Write the seeds of each target to a folder of its own under the folder given."""
    root = Path(sys.argv[1])
    for made in TARGETS:
        folder = root / made.__name__.removeprefix("for_")
        folder.mkdir(parents=True, exist_ok=True)
        for seed in made():
            (folder / hashlib.sha256(seed).hexdigest()[:20]).write_bytes(seed)


TARGETS = (
    *(for_check, for_cli_json, for_abnf_reader),
    *(for_linter, for_fixes, for_percent, for_exports),
    *(for_parameters, for_request, for_service, for_policies),
)

if __name__ == "__main__":
    main()
