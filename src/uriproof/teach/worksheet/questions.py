"""Questions about a rule: texts that a class can read, valid and nearly so.

Owns the source of the texts. Imports the workbench. Invariant: only the grammar decides what is
valid, which production reads what, and which character is blamed; words replace random characters
only if it accepts them; the same seed gives the same questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Literal, TypeVar

from ...grammar.derive.svg.outline import Box, outline
from ...grammar.errors import GrammarLimit
from ...grammar.graph import reachable
from ...grammar.model import Alternation, RuleRef, references
from ...grammars import compare_rules, explain, near_misses, sample
from ...report import Report, Violation
from ...rule import Grammar
from ...text.names import or_list
from ...validate.words.messages import told
from .words import ODD, edited, readable

Kind = Literal["verdict", "production", "fix", "reading"]
KINDS: tuple[Kind, ...] = ("verdict", "production", "fix", "reading")

_Item = TypeVar("_Item")

LONGEST = 44
"""Code points of a text: one line of paper."""

_DRAWN = 28
"""Maximum code points of a random text, which words can make longer."""
_READINGS = 12
_MISSES = 12
"""Edits tried on a text."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and its answer.

    ``start`` and ``end`` mark the characters of the question; both are None if there are none.
    ``options`` are the choices. ``right`` has all right answers, the first being the key: for
    "verdict" it is "valid", or "invalid" and the offset of the first blamed character.
    """

    kind: Kind
    rule: str
    text: str
    start: int | None
    end: int | None
    options: tuple[str, ...]
    right: tuple[str, ...]
    why: str
    section: str

    @property
    def key(self) -> str:
        return self.right[0]

    def to_dict(self) -> dict[str, Any]:
        """Only the question, JSON-ready."""
        names = ("kind", "rule", "text", "start", "end")
        return {**{name: getattr(self, name) for name in names}, "options": list(self.options)}

    def answer(self) -> dict[str, Any]:
        """The key of it, JSON-ready."""
        own = {"why": self.why, "section": self.section}
        return {"answer": self.key, "right": list(self.right), **own}


def questions(
    grammar: Grammar, rules: Sequence[str], count: int, seed: int, explain: bool
) -> list[Question]:
    """Up to ``count`` questions, of all kinds and rules in turn, no text twice.

    Fewer if the rules have no more texts. Errors: GrammarLimit, for a grammar that cannot be
    explained. Cost: some hundred checks a rule: a second or two.
    """
    pools: list[Iterator[Question]] = []
    for rule in rules:
        maker = _Maker(grammar, rule, seed, explain, min(10 + 3 * count, 100))
        pools += [maker.verdicts(), maker.productions(), maker.verdicts(), maker.fixes()]
        pools.append(maker.readings())
    # All rules of a kind, then the next kind: a short sheet has a bit of everything.
    size = len(pools) // len(rules)
    pools = [pools[i + size * n] for i in range(size) for n in range(len(rules))]
    found: list[Question] = []
    seen: set[str] = set()
    for one in _in_turn((q for q in pool if q.text not in seen) for pool in pools):
        seen.add(one.text)
        found.append(one)
        if len(found) == count:
            break
    return found


def _in_turn(pools: Iterable[Iterable[_Item]]) -> Iterator[_Item]:
    """One of each pool in turn, until all are used up."""
    waiting = [iter(pool) for pool in pools]
    while waiting:
        for pool in tuple(waiting):
            try:
                yield next(pool)
            except StopIteration:
                waiting.remove(pool)


class _Maker:
    """The questions about one rule, of each kind without end or until its texts are used up."""

    def __init__(self, grammar: Grammar, rule: str, seed: int, explain: bool, samples: int) -> None:
        self._grammar = grammar
        self._rule = rule
        self._seed = seed
        self._explain = explain
        self._random = Random(f"worksheet {seed} {rule}")  # noqa: S311 -- the same every time
        self._odd = ODD
        self._valid = self._texts(rule, samples)
        self._broken = self._misses()

    # Texts

    def _texts(self, rule: str, count: int) -> list[str]:
        """Distinct texts of a rule that read well, in a random order."""
        found: dict[str, None] = {}
        try:
            drawn = sample(rule, self._grammar, seed=self._seed, max_length=_DRAWN)
            for text in islice(drawn, count):
                made = readable(text, self._grammar[rule], self._random)
                if 0 < len(made) <= LONGEST and made.isprintable():
                    found[made] = None
        except ValueError:  # no text so short
            return []
        return list(found)

    def _misses(self) -> list[tuple[str, Report]]:
        """Near misses with one violation of a few characters; of all codes in turn."""
        try:
            drawn = islice(
                near_misses(self._rule, self._grammar, seed=self._seed, max_length=12), 40
            )
            more = "".join(miss.edit.inserted for miss in drawn)
            self._odd += "".join(c for c in more if c.isprintable() and c not in self._odd)
        except ValueError:
            pass
        by_code: dict[tuple[str, str], list[tuple[str, Report]]] = {}
        for text in self._valid:
            for _ in range(_MISSES):
                made = edited(text, self._random, self._odd)
                if made.strip() != made or len(made) > LONGEST or not made:
                    continue
                report = self._grammar[self._rule].check(made)
                if len(report.violations) != 1 or report.more:
                    continue
                first = report.violations[0]
                if first.end - first.start > 1 or (first.kind == "extra"):
                    continue
                listed = by_code.setdefault((first.code, first.found), [])
                if all(made != other for other, _ in listed):
                    listed.append((made, report))
        groups: list[list[tuple[str, Report]]] = list(by_code.values())
        self._random.shuffle(groups)
        groups.sort(key=lambda group: group[0][1].violations[0].kind == "missing")
        return list(_in_turn(groups))

    # Questions

    def verdicts(self) -> Iterator[Question]:
        """Is it valid? One in three is, at random."""
        valid, broken = iter(self._valid), iter(self._broken)
        while True:
            if self._random.random() < 1 / 3:
                text = next(valid, None)
                if text is None:
                    return
                yield self._asked("verdict", text, ("valid",), "The whole text is valid.")
            else:
                one = next(broken, None)
                if one is None:
                    return
                text, report = one
                first = report.violations[0]
                key = f"invalid {first.start}"
                yield self._asked("verdict", text, (key,), self._why(first), section=first.section)

    def fixes(self) -> Iterator[Question]:
        """Write it so that it is valid, and means the same."""
        for text, report in self._broken:
            if report.fixed is not None:
                first = report.violations[0]
                why = self._why(first)
                yield self._asked("fix", text, (report.fixed,), why, section=first.section)

    def productions(self) -> Iterator[Question]:
        """Which production derives the marked characters?"""
        for text in reversed(self._valid):
            found = explain(text, self._rule, self._grammar)
            paths = list(_paths(outline(found), ()))
            marked = [p for p in paths if p[0].end > p[0].start and p[1]]
            if not marked:
                continue
            box, names = self._random.choice(marked)
            around = {name for _, path in marked for name in path}
            others = sorted(around - set(names))
            self._random.shuffle(others)
            if len(others) < 1:
                continue
            right = box.names[-1]
            options = [right, *others[:3]]
            self._random.shuffle(options)
            rule = found.rules[right]
            why = f"{right}: {rule.gloss}." if rule.gloss else f"{rule.text}."
            yield Question(
                *("production", self._rule, text, box.start, box.end, tuple(options)),
                (right, *(name for name in box.names if name != right)),
                why,
                self._section(right),
            )

    def readings(self) -> Iterator[Question]:
        """Which alternative of an ambiguous rule is meant?"""
        return _in_turn(self._reading(*one) for one in self._ambiguous())

    def _ambiguous(self) -> list[tuple[str, tuple[str, ...]]]:
        """The rules below this one with alternatives that share texts, and these alternatives."""
        rules = self._grammar.compiled.model.rules
        found: list[tuple[str, tuple[str, ...]]] = []
        for name in reachable([self._rule], lambda n: list(references(rules[n].element))):
            element = rules[name].element
            if not isinstance(element, Alternation):
                continue
            ways = tuple(item.name for item in element.items if isinstance(item, RuleRef))
            for i, a in enumerate(ways):
                for b in ways[i + 1 :]:
                    try:
                        related = compare_rules(a, b, self._grammar)
                    except (GrammarLimit, LookupError):
                        continue
                    if related.both:
                        found.append((name, (a, b)))
        return found

    def _reading(self, rule: str, ways: tuple[str, ...]) -> Iterator[Question]:
        first = ways[0]
        valid = self._texts(first, _READINGS)
        drawn = islice(near_misses(first, self._grammar, seed=self._seed, max_length=16), 200)
        near = dict.fromkeys(
            m.text
            for m in drawn
            if len(m.text) > 3  # noqa: PLR2004
            and not m.text.isalnum()
            and m.text.isprintable()
            and self._grammar[rule].is_valid(m.text)
        )
        valid.sort(key=len)
        for pair in zip(valid, near, strict=False):
            texts = list(pair)
            self._random.shuffle(texts)
            for text in texts:
                found = explain(text, rule, self._grammar)
                chosen = found.nodes[0].alternative
                if chosen not in ways:
                    continue
                if found.ambiguities:
                    why = "Both can derive it; the first alternative that matches wins."
                else:
                    other = next(way for way in ways if way != chosen)
                    why = f"It is not a valid {other}."
                yield Question(
                    *("reading", rule, text, None, None, ways, (chosen,), why),
                    self._section(rule),
                )

    def _asked(
        self, kind: Kind, text: str, right: tuple[str, ...], why: str, section: str = ""
    ) -> Question:
        options = ("valid", "invalid") if kind == "verdict" else ()
        return Question(kind, self._rule, text, None, None, options, right, why, section)

    def _section(self, rule: str) -> str:
        model = self._grammar.compiled.model
        return model.citation(model.rules[rule])

    def _why(self, violation: Violation) -> str:
        if not self._explain:
            return told([violation._replace(hint=None)])  # what is asked about is the grammar
        about = f"{violation.production}, {violation.section}"
        return f"{violation.message} Expected: {or_list(violation.expected)} ({about})."


def _paths(box: Box, around: tuple[str, ...]) -> Iterator[tuple[Box, tuple[str, ...]]]:
    """The boxes with only characters as children, each with the rules on the way to it."""
    names = (*around, *box.names)
    inner = [child for child in box.children if not child.is_leaf]
    if box.names and not inner:
        yield box, names
    for child in inner:
        yield from _paths(child, names)
