"""The results as pages: ``docs/evidence/minefield.md``, its matrix, and the table in README.

Owns the drawing. Imports what names the classes. Invariant: nothing of a text reaches a page but
escaped, and every figure and example comes from the file of results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import uriproof
from uriproof.text.drawing import visible

from .run import Result, groups

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "evidence" / "minefield.md"
MATRIX = PAGE.with_name("matrix.html")
TEMPLATE = Path(__file__).with_name("matrix.html")
README = ROOT / "README.md"
BEGIN, END = "<!-- minefield: begin -->", "<!-- minefield: end -->"
DATA = '<script type="application/json" id="data">null</script>'

KINDS = {
    "RFC 3986": "Parsers that follow RFC 3986, by their documentation",
    "RFC 3987": "Validators of IRIs, asked about ASCII alone",
    "RFC 2396": "Parsers that follow RFC 2396, which RFC 3986 replaced",
    "URL Standard": "Parsers that follow the URL Standard of browsers",
    "web URLs": "Validators of web addresses, which are stricter on purpose",
    "splits": "Parsers that split a text, and do not promise to validate it",
}
FAMILIAR = ("rfc3986", "pydantic", "yarl", "urllib")
"""What a Python programmer would use otherwise: the columns of the table in README."""
# uriproof: disable wrong on purpose
TYPICAL = (
    "http://e.com/a b",
    "http://e.com/100%",
    "http://e.com/?tag[]=x",
    "http://e.com:80a/",
    "http://[1:2:3]/",
    "http://1.2.3.256/",
)
FAULTY = "http://exa mple.com:8o80/100%"
# uriproof: enable
ACCEPTS, REFUSES = "nothing: it accepts it", "only that it is invalid"
LONGEST = 60
SHOWN_HOSTS = 16
"""Texts with two hosts that the page shows: those that divide the most pairs."""


def write(results: Result) -> None:
    """Write all pages. Errors: ValueError if a file lacks the marks."""
    _between(PAGE, "\n".join(_page(results)))
    _between(README, "\n".join(_readme(results)))
    data = json.dumps(_matrix(results), separators=(",", ":")).replace("<", "\\u003c")
    page = TEMPLATE.read_text("utf-8").replace(DATA, DATA.replace("null", data))
    MATRIX.write_text(page, "utf-8", newline="\n")


def _between(path: Path, made: str) -> None:
    """Put text between the two marks of a file."""
    text = path.read_text("utf-8")
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks {BEGIN} or {END}")
    path.write_text(f"{head}{BEGIN}\n\n{made}\n{END}{tail}", "utf-8", newline="\n")


def _page(results: Result) -> Iterator[str]:
    for claim, title in KINDS.items():
        yield from [f"### {title}", ""]
        yield from _table(
            ("parser", "version", "rule", "texts", "accepts wrongly", "refuses wrongly", "met"),
            [row for p in results["parsers"] if p["claims"] == claim for row in _counts(p)],
            right=(3, 4, 5, 6),
        )
    yield from ["## Two parsers, one text, two hosts", "", *_hosts(results)]
    yield from ["## Worth a report", "", *_reports(results)]
    if results["missing"]:
        yield from ["## Not asked", ""]
        yield from _table(
            ("parser", "package", "reason"),
            [(p["name"], p["package"], p["reason"]) for p in results["missing"]],
        )


def _counts(parser: Result) -> Iterator[tuple[str, ...]]:
    for rule, found in parser["rules"].items():
        failed = "".join(
            f", {name} {one['texts']}" for name, one in sorted(found["failures"].items())
        )
        yield (
            parser["name"],
            parser["version"].split(" (")[0][:30],
            rule,
            f"{found['texts']:,}{failed}",
            f"{found['accepted']:,}",
            f"{found['refused']:,}",
            f"{found['met_wrong']} of {found['met']:,}",
        )


def _hosts(results: Result) -> Iterator[str]:
    """The texts that divide the most pairs, and which parser finds which host."""
    for found in results["hosts"][:SHOWN_HOSTS]:
        yield from [f"{_code(found['text'])} ({found['pairs']} pairs):", ""]
        by_host: dict[str, list[str]] = {}
        for name, host in found["found"].items():
            by_host.setdefault(host, []).append(name)
        for host, names in sorted(by_host.items(), key=lambda item: -len(item[1])):
            yield f"- {_code(host)}: {', '.join(names)}"
        yield ""


def _reports(results: Result) -> Iterator[str]:
    """For each parser that follows RFC 3986, its three shortest wrong verdicts."""
    for parser in results["parsers"]:
        if parser["claims"] != "RFC 3986":
            continue
        rows = []
        for rule, found in parser["rules"].items():
            for one in found["classes"]:
                text = one["examples"][0]
                rows.append((len(text), text, rule, one))
        rows.sort(key=lambda row: row[:2])
        seen: set[str] = set()
        chosen = [row for row in rows if not (row[1] in seen or seen.add(row[1]))][:3]  # type: ignore[func-returns-value]
        if chosen:
            yield from [f"**{parser['name']}**, `{parser['entry']}`:", ""]
            for _, text, rule, one in chosen:
                yield f"- {_code(text)} as {rule}: {_says(text, rule, one)}"
            yield ""


def _says(text: str, rule: str, one: Result) -> str:
    report = uriproof.check(text, rule)
    if one["verb"] == "accepts":
        return f"accepted. {report.violations[0].message} {one['section']}."
    return f"refused. It is valid: {_read_as(report)}. {one['section']}."


def _read_as(report: uriproof.Report) -> str:
    parts = [f"{c.name} {_code(c.text)} is a {c.production}" for c in report.components.values()]
    return ", ".join(part for part in parts if "scheme" not in part) or "there is nothing else"


def _readme(results: Result) -> Iterator[str]:
    """What each familiar parser says of texts that people write."""
    by_name = {p["name"]: p for p in results["parsers"]}
    some = [by_name[name] for name in FAMILIAR if name in by_name]
    rows = [
        (
            _code(text),
            _verdict(uriproof.is_valid(text), text),
            *(_verdict(p["typical"][text]["valid"], text) for p in some),
        )
        for text in TYPICAL
    ]
    counts = [p["rules"]["URI"] for p in some]
    wrong = [f"{found['accepted'] + found['refused']:,}" for found in counts]
    total = max(found["texts"] for found in counts)
    rows.append((f"wrong verdicts on {total:,} texts", "0", *wrong))
    blamed = uriproof.check(FAULTY).violations
    own = ", ".join(f'{v.component} "{v.found}" at {v.start}' for v in blamed)
    rows.append((f"message for {_code(FAULTY)}", own, *(_said(p["typical"][FAULTY]) for p in some)))
    heads = ("", "uriproof", *(f"{p['name']} {p['version']}" for p in some))
    yield from _table(heads, rows)


def _verdict(said: bool, text: str) -> str:
    return ("valid" if said else "invalid") + " ✗" * (said != uriproof.is_valid(text))


def _said(answer: Result) -> str:
    """What a parser says of a text, in one line of plain text."""
    if answer["valid"]:
        return ACCEPTS
    return visible((answer["message"] or REFUSES).splitlines()[0]).replace("|", "\\|")


def _matrix(results: Result) -> Result:
    """What the page of the matrix needs: parsers, columns, and cells of count and example."""
    rows = []
    columns: dict[str, int] = {}
    for parser in results["parsers"]:
        found = parser["rules"].get("URI")
        if found is None:
            continue
        cells: dict[str, list[object]] = {}
        for name, one in groups(found):
            count, example = cells.get(name, (0, one["examples"][0]))
            cells[name] = [count + one["texts"], min(example, one["examples"][0], key=len)]
        for name in cells:
            columns[name] = columns.get(name, 0) + 1
        for name, one in found["failures"].items():
            cells[name] = [one["texts"], one["shortest"]]
            columns.setdefault(name, 0)
        keys = ("name", "language", "version", "claims", "entry")
        rows.append({key: parser[key] for key in keys} | {"cells": cells})
    order = sorted(columns, key=lambda name: (name.split()[0], -columns[name], name))
    pairs = [[*c["parsers"], c["text"], *c["hosts"]] for c in results["confusions"]]
    return {"columns": order, "parsers": rows, "pairs": pairs}


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()
) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---:" if n in right else "---" for n in range(len(heads))) + " |"
    yield from ("| " + " | ".join(row) + " |" for row in rows)
    yield ""


def _code(text: str) -> str:
    """A code span for a table (GFM 4.10: a pipe is escaped there even in code)."""
    inner, fence = visible(text if len(text) <= LONGEST else text[:LONGEST]), "`"
    while fence in inner:
        fence += "`"
    space = " " if inner.startswith("`") or inner.endswith("`") else ""
    cut = "" if len(text) <= LONGEST else "…"
    return f"{fence}{space}{inner}{space}{fence}{cut}".replace("|", "\\|") if inner else "(empty)"
