"""The verdicts of a parser beside the grammar's, and the classes that the departures fall into.

Owns what a departure is and what its class is; imports uriproof and the protocol. Invariant: a
class is computed, from what uriproof reports about the text, never typed in; the example of a class
is a departure of that class, and leaving out a run of up to SHORT_RUN characters gives none of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial

import uriproof
from uriproof.grammar import registry
from uriproof.grammar.machine.sample import cover

from .adapter import CRASH, NONSENSE, Answer, Program

Class = frozenset[str]
SHRUNK = (CRASH, NONSENSE)

# What is tried in the place of a wrongly accepted character.
ASCII = tuple(map(chr, range(0x80)))
TRIED = (*ASCII, "\x85", "\xe9", "\u2028", "\U0001f600")
SHORT_RUN = 6  # runs of up to so many characters are left out at every place
EXAMPLES = 3
PLAIN = "a0"  # what any other character is put for, where the text departs with either


class Disagreement(Exception):
    """``uriproof.is_valid`` and the automaton differ: nothing here would mean anything."""


class Truth:
    """What the grammar says about texts under one rule."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self._grammar = registry.load("rfc3986")
        self.automaton = self._grammar.automaton(rule)
        self._verdicts: dict[str, bool] = {}
        self._classes: dict[str, Class] = {}
        self._blamed: dict[str, int] = {}

    def accepts(self, text: str) -> bool:
        """The automaton's verdict. Errors: Disagreement."""
        verdict = self._verdicts.get(text)
        if verdict is None:
            verdict = self._verdicts[text] = self.automaton.accepts(text)
            if uriproof.is_valid(text, self.rule) != verdict:
                raise Disagreement(f"{text!r} as {self.rule}: the automaton says {verdict}")
        return verdict

    def class_of(self, text: str) -> Class:
        """Of an invalid text its violations; of a valid one what it is made of."""
        found = self._classes.get(text)
        if found is None:
            made = self._parts(text) - self._plain if self.accepts(text) else self._faults(text)
            found = self._classes[text] = made
        return found

    def _faults(self, text: str) -> Class:
        violations = uriproof.check(text, self.rule).violations
        if len(violations) == 1 and violations[0].end - violations[0].start == 1:
            self._blamed[text] = violations[0].start
        return frozenset(f"{v.code} ({v.production})" for v in violations)

    def _parts(self, text: str) -> Class:
        """The productions that the grammar's components are read as, and the advice given."""
        report = uriproof.check(text, self.rule)
        parts = {f"advice {a.code}" for a in report.advice}
        for component in report.components.values():
            name = component.production
            # The brackets of an IP-literal hold one of two productions: the tree knows which.
            if name == "IP-literal":
                tree = uriproof.parse(component.text, name)
                name = str(next(c.data for c in tree.children if hasattr(c, "data")))
            if component.text:
                parts.add(name)
            elif component.name != "path":  # there is always a path (RFC 3986 3.3)
                parts.add(f"empty {component.name}")
        return frozenset(parts)

    def section_of(self, production: str) -> str:
        """The number of the section that defines a production."""
        return self._grammar.model.rules[production].section

    def blamed(self, text: str) -> int | None:
        """Where the one character stands that is to blame, if it is one character."""
        self.class_of(text)
        return self._blamed.get(text)

    def room(self, text: str) -> Class:
        """The class of a text, and what it may say of it when components become empty."""
        components = uriproof.check(text, self.rule).components
        return self.class_of(text) | {f"empty {name}" for name in components}

    @cached_property
    def _plain(self) -> Class:
        """What is said of the shortest text there is, and so tells nothing about a longer one."""
        return self._parts(min(cover(self.automaton), key=len).lower())


class Witness:
    """A program's answers under one rule, each asked for once; a failure counts as a refusal."""

    def __init__(self, program: Program, rule: str) -> None:
        self._program = program
        self._rule = rule
        self._answers: dict[str, Answer] = {}

    def ask(self, texts: Iterable[str]) -> bool:
        """Ask about all these texts at once. False if the program has nothing like the rule."""
        new = [text for text in dict.fromkeys(texts) if text not in self._answers]
        self._answers.update(zip(new, self._program.ask_all(new, self._rule), strict=True))
        answered = [self._answers[text] for text in new if not self._answers[text].failure]
        return not answered or any(answer.valid is not None for answer in answered)

    def answer(self, text: str) -> Answer:
        """What the program says of a text."""
        self.ask([text])
        return self._answers[text]

    def accepts(self, text: str) -> bool:
        """True if the program accepts the text."""
        return self.answer(text).valid is True

    def fails(self, name: str, text: str) -> bool:
        """True if the program fails in that way on the text."""
        return self.answer(text).failure == name

    def failures(self) -> dict[str, list[str]]:
        """By the name of a failure, the texts that were asked."""
        found: dict[str, list[str]] = {}
        for text, answer in self._answers.items():
            if answer.failure:
                found.setdefault(answer.failure, []).append(text)
        return found

    def hosts(self) -> dict[str, str]:
        """By each text that was accepted, the host that was found."""
        return {t: a.host or "" for t, a in self._answers.items() if a.valid}


@dataclass(frozen=True)
class Departures:
    """One class of departures: how many texts it counts, and its shortest examples.

    A wrongly accepted text counts for each class of which it has all violations; a wrongly refused
    one for the class that the shortest text made of the same parts shrinks to.
    """

    class_: Class
    texts: int
    examples: list[str]
    characters: tuple[int, tuple[str, ...]] | None = None
    """How many characters were tried in the examples' places, and which were accepted in one."""


@dataclass
class Judgement:
    """What came of one tool under one rule."""

    texts: int = 0
    accepted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    accepted_classes: list[Departures] = field(default_factory=list)
    refused_classes: list[Departures] = field(default_factory=list)
    explained: int = 0
    """How many of the refused texts the classes stand for: all, but of a slow tool."""
    failed: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By the name of a failure: the number of texts, and the shortest."""

    @property
    def wrong(self) -> set[str]:
        return {*self.accepted, *self.refused}


def judge(
    witness: Witness, truth: Truth, texts: Iterable[str], most: int = 400, ascii_only: bool = False
) -> Judgement | None:
    """Ask the program about each text, and put its departures into classes.

    None if it has nothing like the rule.

    ``most`` bounds how many wrongly refused texts are shrunk, for tools that take their time.
    Errors: Disagreement.
    """
    asked = list(texts)
    if not witness.ask(asked):
        return None
    failures = witness.failures()  # before shrinking finds more
    failing = {text for some in failures.values() for text in some}
    result = Judgement(texts=len(asked) - len(failing))
    for text in asked:
        right = truth.accepts(text)
        if text not in failing and witness.accepts(text) != right:
            (result.refused if right else result.accepted).append(text)
    for name, some in sorted(failures.items()):
        # A hang costs seconds, and what is not asked says nothing: neither is shrunk.
        shortest = min(some, key=order)
        text = shrink(shortest, partial(witness.fails, name)) if name in SHRUNK else shortest
        result.failed[name] = len(some), text
    result.accepted_classes = _accepted(witness, truth, result.accepted, ascii_only)
    result.refused_classes, result.explained = _refused(witness, truth, result.refused, most)
    return result


def order(text: str) -> tuple[int, bool, str]:
    """Shortest first; among equals, those that can be seen."""
    return len(text), not (text.isascii() and text.isprintable() and " " not in text), text


def _first_of_each(texts: list[str], truth: Truth) -> dict[Class, str]:
    """The shortest text of each class, and the classes in the order of these."""
    found: dict[Class, str] = {}
    for text in sorted(texts, key=order):
        found.setdefault(truth.class_of(text), text)
    return found


def _accepted(
    witness: Witness, truth: Truth, texts: list[str], ascii_only: bool
) -> list[Departures]:
    """Wrongly accepted: sets of violations of which no smaller set is wrongly accepted, too."""
    asking = _Asking(witness, truth, ASCII if ascii_only else TRIED)
    found: dict[Class, str] = {}
    first = _first_of_each(texts, truth)
    for class_ in sorted(first, key=lambda c: (len(c), order(first[c]))):
        if not any(smaller <= class_ for smaller in found):
            text = asking.shrunk(first[class_])
            known = found.get(truth.class_of(text), text)
            found[truth.class_of(text)] = min(text, known, key=order)
    made = [
        asking.departures(text, [t for t in texts if class_ <= truth.class_of(t)])
        for class_, text in found.items()
        if not any(other < class_ for other in found)
    ]
    return sorted(made, key=lambda d: order(d.examples[0]))


@dataclass(frozen=True)
class _Asking:
    """The way from wrongly accepted texts to what is shown of them."""

    witness: Witness
    truth: Truth
    tried: tuple[str, ...]

    def shrunk(self, text: str) -> str:
        """Shortest, and still accepted wrongly for the violations of the text or some of them."""
        truth = self.truth
        class_ = truth.class_of(text)
        return shrink(
            text,
            lambda t: (
                not truth.accepts(t) and truth.class_of(t) <= class_ and self.witness.accepts(t)
            ),
        )

    def departures(self, shortest: str, texts: list[str]) -> Departures:
        """The class of a shrunken text, with further examples for characters not accepted there."""
        class_ = self.truth.class_of(shortest)
        at = self.truth.blamed(shortest)
        if at is None:
            return Departures(class_, len(texts), [shortest])
        examples: list[str] = []
        tried: set[str] = set()
        accepted: set[str] = set()
        alike = [t for t in sorted(texts, key=order) if self.truth.class_of(t) == class_]
        for text in [shortest, *alike]:
            at = self.truth.blamed(text)
            if at is None or text[at] in accepted or len(examples) == EXAMPLES:
                continue
            accepted.add(text[at])
            example = self.shrunk(text)
            others = self._others(example)
            tried.update(others)
            here = [c for c, t in others.items() if self.witness.accepts(t)]
            accepted.update(here)
            plainest = min([example, *(others[c] for c in here)], key=order)
            if plainest not in examples:
                examples.append(plainest)
        characters = len(tried), tuple(sorted(accepted & tried))
        return Departures(class_, len(texts), examples, characters)

    def _others(self, text: str) -> dict[str, str]:
        """By character, the text with it in place of the one blamed, where it is blamed alike."""
        truth, at = self.truth, self.truth.blamed(text)
        if at is None:
            return {}
        texts = {c: text[:at] + c + text[at + 1 :] for c in self.tried}
        return {
            c: t
            for c, t in texts.items()
            if not truth.accepts(t) and truth.class_of(t) == truth.class_of(text)
        }


def _refused(
    witness: Witness, truth: Truth, texts: list[str], most: int
) -> tuple[list[Departures], int]:
    """Wrongly refused: what the texts are made of that cannot be made shorter and stay refused.

    And how many texts these stand for.
    """
    groups = Counter(map(truth.class_of, texts))
    shortest: dict[Class, set[str]] = {}
    counts: Counter[Class] = Counter()
    for group, start in list(_first_of_each(texts, truth).items())[:most]:
        room = truth.room(start)

        def departs(text: str, room: Class = room) -> bool:
            return (
                truth.accepts(text) and not witness.accepts(text) and truth.class_of(text) <= room
            )

        text = shrink(start, departs)
        class_ = truth.class_of(text)
        shortest.setdefault(class_, set()).add(text)
        counts[class_] += groups[group]
    made = [Departures(c, counts[c], sorted(t, key=order)[:EXAMPLES]) for c, t in shortest.items()]
    return sorted(made, key=lambda d: order(d.examples[0])), sum(counts.values())


def shrink(text: str, departs: Callable[[str], bool]) -> str:
    """The text with all left out that is not needed for it to depart.

    Halves, quarters and so on are tried first, then runs of up to ``SHORT_RUN`` characters at
    every place, until none of these can go.

    What is left becomes a plain letter or digit wherever the text still departs with it.

    >>> shrink("abcxdefxg", lambda t: t.count("x") == 2)
    'xx'
    >>> shrink("?Z!x", lambda t: "x" in t and len(t) > 2)
    'aax'
    """
    while True:
        shorter = _left_out(text, departs)
        plainer = _plainer(shorter, departs)
        if plainer == text:
            return text
        text = plainer


def _left_out(text: str, departs: Callable[[str], bool]) -> str:
    shorter = True
    while shorter:
        shorter = False
        size = max(len(text) // 2, min(SHORT_RUN, len(text)))
        while size:
            step = 1 if size <= SHORT_RUN else size
            at = 0
            while at + size <= len(text):
                candidate = text[:at] + text[at + size :]
                if departs(candidate):
                    text, shorter = candidate, True
                else:
                    at += step
            size = size // 2 if size > 2 * SHORT_RUN else min(size, SHORT_RUN + 1) - 1
    return text


def _plainer(text: str, departs: Callable[[str], bool]) -> str:
    for at, char in enumerate(text):
        # Only ever towards the front of PLAIN or a small letter, so that this comes to an end.
        small = char.lower() if "A" <= char <= "Z" else ""
        for plain in PLAIN[: PLAIN.find(char)] if char in PLAIN else PLAIN + small:
            candidate = text[:at] + plain + text[at + 1 :]
            if departs(candidate):
                text = candidate
                break
    return text
