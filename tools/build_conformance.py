"""Write ``conformance/suite``: what a parser of URIs must answer, in files for any language.

Owns the files of the suite but ``schema.json``. ``transitions/`` has every move of the minimal
automaton of every production; the other files have cases by topic, from ``tests/corpus``, from the
examples of RFC 3986 and with every ASCII character in every component. Invariant: every answer is
computed from the grammars, and the same grammars and cases give the same bytes.
``tools/generate.py`` runs it; ``tests/test_suite.py`` proves that no transition is left out.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.automaton import DEAD, Automaton
from uriproof.grammar.machine.product import alike
from uriproof.grammar.machine.sample import prefixes, suffixes

ROOT = Path(__file__).resolve().parent.parent

SUITE = ROOT / "conformance" / "suite"
CORPUS = ROOT / "tests" / "corpus"
VERSION = 1
"""Changes if a file is read in another way; cases come and go without a new version."""

GRAMMARS = ("rfc3986", "rfc3987", "rfc6874")
STARTS = {
    **{
        rule: ("rfc3986", rule) for rule in ("URI", "URI-reference", "absolute-URI", "relative-ref")
    },
    **{rule: ("rfc3987", rule) for rule in ("IRI", "IRI-reference", "absolute-IRI")},
    "URI with a zone": ("rfc6874", "URI"),
}
"""The rules that every case has a verdict for, by the names that the files have for them."""

ABSOLUTE = "http://e.com/"
"""What a character is put into, for the topic of characters."""
PLACES = {
    "scheme": "h{}:",
    "userinfo": "http://u{}@e.com/",
    "host": "http://e{}.com/",
    "port": "http://e.com:8{}/",
    "path": ABSOLUTE + "a{}",
    "query": ABSOLUTE + "?a{}",
    "fragment": ABSOLUTE + "#a{}",
}


class Case(NamedTuple):
    """A text of a topic, and a reason where its verdict is surprising."""

    name: str
    text: str
    why: str = ""


def main() -> int:
    """Write what differs. Returns the exit code. Cost: about ten seconds."""
    for name, content in files():
        path = SUITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != content:
            path.write_text(content, "utf-8", newline="\n")
    return 0


def files() -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    for grammar in GRAMMARS:
        model = registry.load(grammar).model
        productions = [production(grammar, rule) for rule in model.rules]
        head = {"version": VERSION, "grammar": grammar, "specification": model.title}
        yield f"transitions/{grammar}.json", _written(head, "productions", productions)
    topics: dict[str, list[Case]] = defaultdict(list)
    for case in [*corpus(), *characters()]:
        topics[topic(case)].append(case)
    for name, cases in sorted(topics.items()):
        head = {"version": VERSION, "topic": name, "rules": list(STARTS)}
        yield f"{name}.json", _written(head, "cases", map(answer, cases))
    head = {"version": VERSION, "topic": "resolution"}
    yield "resolution.json", _written(head, "cases", resolution())


def _written(head: dict[str, Any], key: str, rows: Iterable[dict[str, Any]]) -> str:
    """JSON with one line for each row, so that a change of a row is a change of a line."""
    lines = ",\n".join(map(_json, rows))
    return f'{_json(head)[:-1]},"{key}":[\n{lines}\n]}}\n'


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))  # ASCII alone: any reader gets the same text


def production(grammar: str, rule: str) -> dict[str, Any]:
    """The states of a production, and what a reader can do in each of them.

    ``prefix`` is a shortest text that leads to the state. ``ends`` says that the prefix by itself
    is valid. ``goes`` has, for each class of characters that can follow, a pair: one of them, and a
    shortest rest. ``stops`` has pairs: the offset of the first wrong character, and one character
    of each class that cannot follow, if that offset is to be blamed for it.
    """
    compiled = registry.load(grammar)
    automaton = compiled.automaton(rule)
    held = uriproof.Rule(rule, grammar=grammar)
    before, after = prefixes(automaton), suffixes(automaton)
    classes = sorted({*alike(automaton)})
    states = []
    for state, prefix in enumerate(before):
        row = automaton.rows[state]
        stops: dict[int, str] = defaultdict(str)
        for class_ in classes:
            if row[class_] == DEAD:
                wrong = prefix + automaton.alphabet.sample(class_)
                stops[held.check(wrong).violations[0].start] += wrong[len(prefix) :]
        goes = [
            (automaton.alphabet.sample(class_), after[row[class_]])
            for class_ in classes
            if row[class_] != DEAD
        ]
        found = {"prefix": prefix, "ends": state in automaton.accepting}
        states.append(found | {"goes": goes, "stops": sorted(stops.items())})
    return {"name": rule, "section": compiled.model.rules[rule].section, "states": states}


def corpus() -> Iterator[Case]:
    """The cases of ``tests/corpus`` about the grammars of the suite, each text once."""
    seen: set[str] = set()
    for path in sorted(CORPUS.glob("*.toml")):
        table = tomllib.loads(path.read_text("utf-8"))
        for row in [*table.get("case", ()), *table.get("texts", ())]:
            if row.get("grammar", "rfc3986") not in GRAMMARS or "query" in row:
                continue
            if row.get("rule", "URI") not in STARTS:
                continue
            for number, text in enumerate(_texts(row)):
                if text not in seen and _has_no_surrogates(text):
                    seen.add(text)
                    name = row["name"] if "valid" not in row else f"{row['name']}/{number}"
                    # Of advice and of lists of texts, the reason is not about the verdict.
                    about = not {"advice", "silent", "valid"} & row.keys()
                    yield Case(name, text, row["why"] if about else "")


def _texts(row: dict[str, Any]) -> list[str]:
    if "text_json" in row:
        return [json.loads(row["text_json"])]
    return [row["text"]] if "text" in row else [*row["valid"], *row["invalid"]]


def _has_no_surrogates(text: str) -> bool:
    """Most languages cannot have one in a text; a verdict on it would be about the language."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def characters() -> Iterator[Case]:
    """Every ASCII character after another one in each component."""
    for place, text in PLACES.items():
        for code in range(0x80):
            yield Case(f"characters/{place}/{code:02x}", text.format(chr(code)))


def topic(case: Case) -> str:
    """The file that a case is in: the first of these that its text is about."""
    if case.name.startswith("characters/"):
        return "characters"
    if not case.text.isascii():
        return "iris"
    if "[" in case.text:
        return "brackets"
    if "%" in case.text:
        return "percent-encoding"
    parts = _first_report(case.text).components
    if "port" in parts:
        return "ports"
    return "uris" if "scheme" in parts else "references"


@cache
def _first_report(text: str) -> uriproof.Report:
    return uriproof.check(text, "URI-reference")


def answer(case: Case) -> dict[str, Any]:
    """All that a parser can be asked about a text."""
    report = _first_report(case.text)
    valid = [name for name, rule in STARTS.items() if uriproof.is_valid(case.text, _rule(*rule))]
    found: dict[str, Any] = {"name": case.name, "text": case.text, "valid": valid}
    if report.ok:
        found["components"] = {c.name: c.text for c in report.components.values()}
        found["normal"] = uriproof.normalize(case.text, "path-segment")
    blamed = {name: blame(case.text, name) for name in ("URI", "URI-reference", "IRI-reference")}
    found["blame"] = {name: rows for name, rows in blamed.items() if rows}
    decided = [*report.violations, *uriproof.check(case.text).violations]
    found["section"] = decided[0].section if decided else "RFC 3986 §4.1"
    why = case.why or " ".join(v.message for v in report.violations[:1])
    return found | ({"why": why} if why else {})


@cache
def _rule(grammar: str, rule: str) -> uriproof.Rule:
    return uriproof.Rule(rule, grammar=grammar)


def blame(text: str, name: str) -> list[tuple[int, int, str, str, tuple[str, ...]]]:
    """Each violation: start, end (exclusive), component, production, and what was expected."""
    report = uriproof.check(text, _rule(*STARTS[name]))
    return [(v.start, v.end, v.component, v.production, v.expected) for v in report.violations]


def resolution() -> Iterator[dict[str, str]]:
    """The examples of RFC 3986 §5.4."""
    table = tomllib.loads((ROOT / "tests" / "resolution.toml").read_text("utf-8"))
    base = table.pop("base")
    for section, rows in table.items():
        for number, (reference, target) in enumerate(rows.items()):
            yield {
                "name": f"resolution/{section}/{number}",
                "base": base,
                "reference": reference,
                "target": target,
                "section": f"RFC 3986 {section}",
            }


def moves(automaton: Automaton) -> set[tuple[int, int]]:
    """All transitions, with classes that every state treats alike taken as one."""
    classes = set(alike(automaton))
    return {(state, class_) for state in range(len(automaton.rows)) for class_ in classes}


if __name__ == "__main__":
    sys.exit(main())
