"""Every case of tests/corpus through every verb and every machine, and through a second opinion.

Owns the meaning of the corpus files; reads them and grammars/, imports the public face, the
registry and, as an oracle, the matcher of the ``abnf`` package. Invariant: a case judges the
engine, never the other way round; the oracle judges the cases. Expressions and automata decide
every case in both tiers; what is slow, or is compiled first, decides a sample in the quick one.

A ``[[case]]`` has a name, a ``text`` (or ``text_json``, JSON within a string, for what TOML cannot
hold), a ``rule`` (URI unless given), perhaps a ``grammar`` (rfc3986 unless given) and a ``query``
grammar, the verdict ``ok``, a reason ``why`` and a ``source``. ``blamed`` lists all violations in
order; what an entry leaves out is open. ``first`` describes the first one alone, where the rest is
open. ``fixed`` is the fixed text; ``fixable = false`` says that there is none. ``hint`` is true
where some hint must be given, or words that it must have. ``components`` lists all components in
text order, ``advice`` codes that must be among those given, ``silent`` codes that must not. A
``[[texts]]`` holds ``valid`` and ``invalid`` texts of one rule.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import abnf
import lark
import pytest
from reports import well_formed
from tiers import bound, quick

import uriproof
from uriproof.advice import GROUPS, advise, rules
from uriproof.grammar import registry

HERE = Path(__file__).parent
GRAMMARS = HERE.parent / "grammars"
SAMPLED = 24
"""Of the rules, and of a rule's cases, every twenty-fourth goes through what is slow."""
IN_FULL = ("start", "end", "found", "kind", "component", "production")


@dataclass(frozen=True)
class Case:
    """One text under one rule; ``expect`` holds what else its file says about it."""

    name: str
    text: str
    rule: str
    grammar: str
    query: str | None
    ok: bool
    expect: dict[str, Any]

    @property
    def held(self) -> str | uriproof.Rule:
        """What the text is validated against: of RFC 3986, the name does."""
        if self.grammar == "rfc3986" and self.query is None:
            return self.rule
        return uriproof.Rule(self.rule, grammar=self.grammar, query=self.query)

    @functools.cached_property
    def report(self) -> uriproof.Report:
        """Made once for all that is said of it."""
        return uriproof.check(self.text, self.held)


def _case(table: dict[str, Any]) -> Case:
    text = json.loads(table["text_json"]) if "text_json" in table else table["text"]
    return _make(table, text, table["ok"], table)


def _make(table: dict[str, Any], text: str, ok: bool, expect: dict[str, Any]) -> Case:
    rule, grammar = table.get("rule", "URI"), table.get("grammar", "rfc3986")
    return Case(table["name"], text, rule, grammar, table.get("query"), ok, expect)


def _cases(table: dict[str, Any]) -> list[Case]:
    """All cases of a file: those with a name of their own, and those of one rule's texts."""
    texts = [
        _make(c, text, ok, {})
        for c in table.get("texts", ())
        for ok in (True, False)
        for text in c["valid" if ok else "invalid"]
    ]
    return [*map(_case, table.get("case", ())), *texts]


TABLES = {p.stem: tomllib.loads(p.read_text("utf-8")) for p in sorted(HERE.glob("corpus/*.toml"))}
CASES = {file: _cases(table) for file, table in TABLES.items()}

ALL = [case for cases in CASES.values() for case in cases]

OF_URIS = ("contract", "examples", "hosts", "productions", "queries", "references", "traps")
each_file = pytest.mark.parametrize("file", quick(CASES, among=OF_URIS))
sample_or_all = bound("every", SAMPLED, 1)


def _assert_all(cases: Iterable[Case], judge: Callable[[Case], None]) -> None:
    """Every case is judged, whatever the others are; all that are wrong are reported at once."""
    wrong = []
    for case in cases:
        try:
            judge(case)
        except Exception as error:  # a crash is reported with the text that it is of
            lines = f"{type(error).__name__}: {error}".splitlines()[:4]
            wrong.append("\n    ".join([f"{case.name} ({case.rule}): {case.text!r}", *lines]))
    assert not wrong, f"{len(wrong)} of the cases are wrong\n" + "\n".join(wrong)


def _sample(file: str, every: int) -> list[Case]:
    """Of each rule a few of the cases; all of them where every first is taken."""
    by_rule: dict[tuple[str, str, bool], list[Case]] = {}
    for case in CASES[file]:
        by_rule.setdefault((case.grammar, case.rule, case.ok), []).append(case)
    groups = list(by_rule.values())
    return [case for group in groups[::every] for case in group[::every]]


@pytest.fixture(autouse=True, scope="module")
def _only(request: pytest.FixtureRequest) -> None:
    """With ``--case NAME``, that case alone goes through the machines."""
    if name := request.config.getoption("--case"):
        assert name in {case.name for case in ALL}
        for cases in CASES.values():
            cases[:] = [case for case in cases if case.name == name]


# The corpus itself


def test_names_are_unique_and_reasons_given() -> None:
    tables = [x for t in TABLES.values() for kind in ("case", "texts") for x in t.get(kind, ())]
    names = [x["name"] for x in tables]
    assert sorted(set(names)) == sorted(names)
    assert [x["name"] for x in tables if not (x["why"] and x["source"])] == []


def _names(source: str) -> set[str]:
    return set(re.findall(r"^([A-Za-z][\w-]*) *=", source, re.M))


def _source(grammar: str) -> str:
    return (GRAMMARS / f"{grammar}.abnf").read_text("utf-8")


each_grammar = pytest.mark.parametrize(
    "grammar", [path.stem for path in sorted(GRAMMARS.glob("*.abnf"))]
)


@each_grammar
def test_every_production_is_tried(grammar: str) -> None:
    """Each of a grammar's own, with a text that it accepts and, unless it takes all, another."""
    names = _names(_source(grammar))
    if grammar == "rfc3986":
        names |= {"ALPHA", "DIGIT", "HEXDIG"}
        assert len(names) == 39
    cases = [c for c in ALL if c.grammar == grammar]
    assert names - {c.rule for c in cases if c.ok} == set()
    lacking = names - {c.rule for c in cases if not c.ok}
    assert {name for name in lacking if not _takes_all(grammar, name)} == set()


def _takes_all(grammar: str, rule: str) -> bool:
    """Whether a rule accepts every text: its automaton is one state that nothing leaves."""
    automaton = registry.load(grammar).automaton(rule)
    classes = [c for c in range(automaton.alphabet.size) if automaton.alphabet.ranges(c)]
    (row, *others) = automaton.rows
    return not others and automaton.accepting == {0} and {row[c] for c in classes} == {0}


_PROSE_LINE = re.compile(r"^; prose: *<([^>]*)> *= *(.*)$", re.M)


def _without_prose(source: str) -> str:
    """The source with each prose value as what the header says it stands for, or what it names."""
    meant = {
        f"<{text.strip()}>": f"( {elements} )" for text, elements in _PROSE_LINE.findall(source)
    }
    lines = []
    for line in source.split("\n"):
        code = line
        if not line.startswith(";"):
            code = re.sub(r"\b0<[^>]*>", '""', line)  # zero times anything
            for prose, elements in meant.items():
                code = code.replace(prose, elements)
            code = re.sub(r"(?<=[ =(\[/*\d])<([A-Za-z][\w-]*)>", r"\1", code)
        lines.append(code)
    return "\n".join(lines)


@functools.cache
def _oracle(grammar: str) -> type[abnf.Rule]:
    """The grammar in the ``abnf`` package, which is no part of the machines under test."""
    source = _source(grammar)
    rules: type[abnf.Rule] = type(f"Oracle_{grammar}", (abnf.Rule,), {})
    hidden = {name.lower() for name in _names(source)}  # an own rule comes before an imported one
    for line in re.findall(r"^; imports: *(.*)", source, re.M):
        words, _, named = line.partition("=")
        wanted = named.lower().split()  # these, or all of them
        for name in words.split():
            imported = _oracle(name).rules() if name != "rfc5234" else ()  # type: ignore[no-untyped-call]
            for rule in imported:
                if rule.name.lower() not in hidden and (not wanted or rule.name.lower() in wanted):
                    hidden.add(rule.name.lower())
                    rules(rule.name, rule.definition)
    if grammar != "rfc5234":  # the package has the core rules already, and guards them
        source = _without_prose(source)
        for name in _guarded(grammar):
            source = re.sub(rf'(?<![\w"-]){name}(?![\w"-])', f"own-{name}", source)
        rules.load_grammar(source.replace("\n", "\r\n"))
    return rules


def _guarded(grammar: str) -> set[str]:
    """The grammar's own rules that have the name of a core rule, which the package does not let."""
    core = {name.lower() for name in _names(_source("rfc5234"))} if grammar != "rfc5234" else set()
    return {name for name in _names(_source(grammar)) if name.lower() in core}


def _oracle_accepts(grammar: str, rule: str, text: str) -> bool:
    name = f"own-{rule}" if rule in _guarded(grammar) else rule
    try:
        _oracle(grammar)(name).parse_all(text)
    except abnf.ParseError:
        return False
    return True


@pytest.mark.prove
@pytest.mark.parametrize("file", CASES)
def test_the_oracle_agrees_with_the_corpus(file: str) -> None:
    """With every second case of every second rule: the package is slow, and what it is to catch,
    a grammar that all engines read wrong in the same way, is wrong in more than one case."""

    def judge(case: Case) -> None:
        ok = _oracle_accepts(case.grammar, case.rule, case.text)
        query = re.match(r"[^?#]*\?([^#]*)", case.text)
        if case.query and query:
            ok = ok and _oracle_accepts(case.query, "query", query[1])
        assert ok is case.ok

    _assert_all(_sample(file, 2), judge)


# The machines


def _by_regex(file: str, every: int) -> list[Case]:
    """The cases that an expression decides; of others, which take long, a sample.

    Of addresses of mail, too, whose expressions take as long to make as all others together.
    """
    if file == "rfc5322":
        return _sample(file, max(every, 3))
    chosen = set(map(id, _sample(file, every)))

    def is_regular(case: Case) -> bool:
        compiled = registry.load(case.grammar)
        return compiled.regular(compiled.rule_name(case.rule))

    return [case for case in CASES[file] if id(case) in chosen or is_regular(case)]


@each_file
@sample_or_all
def test_the_expression_and_the_automaton(file: str, every: int) -> None:
    def judge(case: Case) -> None:
        compiled = registry.load(case.grammar)
        assert uriproof.is_valid(case.text, case.held) is case.ok
        if case.query is None:
            assert compiled.accepts(compiled.rule_name(case.rule), case.text) is case.ok

    _assert_all(_by_regex(file, every), judge)


@each_file
@sample_or_all
def test_require_and_parse(file: str, every: int) -> None:
    """A valid text comes back, itself and as a tree; for others both raise the same report.

    To make the parser of a rule takes long, and ``test_trees`` parses by every rule of every
    grammar: here a few of their cases are parsed, and all of the files that are of URIs.
    """
    parsed = set(map(id, _sample(file, every if file in OF_URIS else SAMPLED)))

    def judge(case: Case) -> None:
        if case.ok:
            assert uriproof.require(case.text, case.held) is case.text
            if id(case) in parsed:
                tree = uriproof.parse(case.text, case.held)
                assert isinstance(tree, lark.Tree)
                assert tree.data == case.rule
            return
        verbs = [uriproof.require, *([uriproof.parse] if id(case) in parsed else [])]
        for verb in verbs:
            with pytest.raises(uriproof.InvalidURI) as raised:
                verb(case.text, case.held)
            assert raised.value.report == case.report

    _assert_all(_sample(file, every), judge)


def _well_formed(case: Case) -> None:
    report = case.report
    assert report.ok is case.ok
    assert report.text == case.text
    well_formed(report)
    assert {v.path[0].lower() for v in report.violations} <= {case.rule.lower()}
    if report.fixed is not None:
        assert uriproof.is_valid(report.fixed, case.held), report.fixed


def _blamed(case: Case) -> None:
    found = [{k: getattr(v, k) for k in IN_FULL} for v in case.report.violations]
    if "blamed" in case.expect:
        entries = case.expect["blamed"]
        spans = [(f["start"], f["end"]) for f in found]
        assert spans == [(e["start"], e["end"]) for e in entries], found
    elif "first" in case.expect:
        entries, found = [case.expect["first"]], found[:1]
    else:
        return
    assert [{k: f[k] for k in e} for f, e in zip(found, entries, strict=True)] == entries


def _fixed_and_hinted(case: Case) -> None:
    report = case.report
    if "fixed" in case.expect:
        assert report.fixed == case.expect["fixed"]
    if case.expect.get("fixable") is False:
        assert report.fixed is None
    if wanted := case.expect.get("hint"):
        hints = [v.hint for v in report.violations if v.hint]
        assert any(wanted is True or wanted in h for h in hints), hints


def _advised_and_divided(case: Case) -> None:
    advised, silent = (set(case.expect.get(key, ())) for key in ("advice", "silent"))
    assert advised | silent <= {code for group in GROUPS for code in rules(group)}
    if advised or silent:
        given = {a.code for a in advise(case.report, GROUPS)}
        assert advised <= given
        assert not silent & given
    if "components" in case.expect:
        expected = [(c["name"], c["production"], c["text"]) for c in case.expect["components"]]
        found = list(case.report.components.values())
        assert [(c.name, c.production, c.text) for c in found] == expected
        assert found == sorted(found, key=lambda c: (c.start, c.end))
        if case.ok:
            trees = uriproof.parse(case.text, case.held).iter_subtrees()
            nodes = {(t.data, "".join(t.scan_values(lambda _: True))) for t in trees}
            assert {c[1:] for c in expected} <= nodes


@each_file
@sample_or_all
def test_the_report(file: str, every: int) -> None:
    """Sound and well-formed; what is blamed, how it is fixed, and the hints are as written."""

    def judge(case: Case) -> None:
        _well_formed(case)
        _blamed(case)
        _fixed_and_hinted(case)
        _advised_and_divided(case)

    chosen = CASES[file] if every == 1 else [c for c in CASES[file] if c.expect]
    chosen += [] if every == 1 else [c for c in _sample(file, every) if not c.expect]
    _assert_all(chosen, judge)
