"""Doubtful parts of a correct grammar: one function for each kind of doubt.

Owns the remarks on ABNF and their codes. Imports the reader, the checks of rules and the automata.
Invariant: every remark is a fact about the grammar, with its exact place; a code is never used
for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ...grammar.errors import Fault, GrammarError, GrammarLimit
from ...grammar.machine.nfa import alphabet_of
from ...grammar.model import Element, Model, references
from ...grammar.read.abnf import Reader
from ...grammar.read.atom import Bounds
from ...grammar.read.check_model import (
    is_nullable,
    non_regular,
    nullable_rules,
    recursion,
    starts_of,
)
from ...grammar.read.elements import Part, Piece
from ...grammar.read.names import CORE, Definition
from ...grammar.read.source import Source
from ...grammar.work import TooMuchWork, at_most, limited
from ...limits import MAX_OVERLAP_STEPS, MAX_STEPS_OF_WORK
from ...text.columns import cut
from ...text.drawing import draw, visible
from ..overlaps import Overlap, overlaps

Stretch: TypeAlias = list[Piece]

HUGE = 1_000
"""Rounds of a repetition from which on they are remarked: each takes places of its own."""


_MOST_STARTS = 5
_NOT_COMPARED = "{} is correct, but its alternatives are not compared: {}"
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Remark:
    """A doubtful part: its place as in a ``Fault``, a stable code, and why.

    ``witness`` is a text that shows it, if there is one.
    """

    file: str
    line: int
    column: int
    code: str
    message: str
    source_line: str
    length: int
    witness: str | None = None

    def __str__(self) -> str:
        start = self.column - 1
        drawn = draw(self.source_line, [(start, start + self.length)])
        head = f"{self.file}:{self.line}:{self.column}: {self.code}: {self.message}"
        return "\n".join([head, *drawn])


def lint_abnf(
    text: str, *, name: str, file: str, resolve: Callable[[str], Model]
) -> tuple[tuple[Fault, ...], tuple[Remark, ...]]:
    """All faults of a grammar, or if it has none, all its doubtful parts, in source order.

    ``name``, ``file`` and ``resolve`` as for ``read_abnf``. Errors: GrammarLimit, for a text that
    is too long to be read. Cost: that of reading, and of one automaton for each alternation, within
    bounds; a remark names the alternations beyond them.

    >>> from uriproof.grammar.registry import load
    >>> _, found = lint_abnf('a = 1*DIGIT / "0"', name="g", file="g.abnf",
    ...                      resolve=lambda n: load(n).model)
    >>> [(r.line, r.column, r.code) for r in found]
    [(1, 15, 'shadowed-alternative')]
    """
    reader = Reader(Source(text, file), name, resolve)
    try:
        model = reader.read()
    except GrammarError as error:
        return error.faults, ()
    linter = _Linter(reader, model)
    found: dict[Remark, None] = {}
    with at_most(MAX_STEPS_OF_WORK):
        for check in CHECKS:
            try:
                found.update((remark, None) for remark in check(linter))
            except TooMuchWork:
                message = "this grammar is correct, but too large for all of it to be examined"
                found[linter.on_name(next(iter(linter.own)), "too-large", message)] = None
    return (), tuple(sorted(found, key=lambda r: (r.line, r.column, r.code)))


class _Linter:
    """A grammar that was read, with the facts that several checks need."""

    def __init__(self, reader: Reader, model: Model) -> None:
        self.reader = reader
        self.source = reader.source
        self.model = model
        self.elements = {name: rule.element for name, rule in model.rules.items()}
        self.own = {found[0].name.text: found for found in reader.own.values()}
        self.non_regular = non_regular(self.elements)[1]

    def remark(
        self, start: int, end: int, code: str, message: str, witness: str | None = None
    ) -> Remark:
        """A remark on a range of the source; only the part in its first line is marked."""
        number = self.source.line(start)
        first, stop = self.source.lines[number - 1]
        length = max(min(end, stop) - start, 0)
        line = self.source.text[first:stop]
        file, column = self.source.file, start - first + 1
        return Remark(file, number, column, code, message, line, length, witness)

    def on_name(self, name: str, code: str, message: str) -> Remark:
        piece = self.own[name][0].name
        return self.remark(piece.start, piece.end, code, message)

    def definitions(self) -> Iterator[Definition]:
        return (definition for found in self.own.values() for definition in found)

    def choices(self) -> Iterator[tuple[str, list[Written]]]:
        """The alternatives of each alternation, with the rule that they are in."""
        for name, found in self.own.items():
            yield name, [one for d in found for one in _written(d, d.parts.choices[-1])]
            for definition in found:
                for parts in definition.parts.choices[:-1]:
                    yield name, _written(definition, parts)

    def repeated(self) -> Iterator[tuple[Bounds, Written, Stretch]]:
        """Each repetition: its bounds, what it repeats, and all of its pieces."""
        for definition in self.definitions():
            for bounds, part, start in definition.parts.repeated:
                (inner,) = _written(definition, [part])
                whole = [*_pieces(definition)[start : part.start], *inner.stretch]
                if start == part.start:  # of one piece, with the repeat in it
                    piece = inner.stretch[0]
                    bare = piece.text.lstrip("0123456789*")
                    inner = Written(part.element, [Piece(bare, piece.end - len(bare), True)])
                yield bounds, inner, whole


class Written(NamedTuple):
    """An element, and the pieces that spell it."""

    element: Element
    stretch: Stretch


def _pieces(definition: Definition) -> Stretch:
    """The pieces of the right-hand side."""
    return definition.line.pieces[2:]


def _written(definition: Definition, parts: list[Part]) -> list[Written]:
    given = _pieces(definition)
    return [Written(part.element, given[part.start : part.end]) for part in parts]


def _overlapping(linter: _Linter) -> Iterator[Remark]:
    """Alternatives that earlier ones of the same alternation have texts in common with."""
    try:
        alphabet = alphabet_of(linter.model)
    except GrammarLimit as limit:
        yield linter.on_name(
            next(iter(linter.own)), "too-large", f"{limit}: alternatives are not compared"
        )
        return
    for name, alternatives in linter.choices():
        elements = [written.element for written in alternatives]
        if any(n in linter.non_regular for element in elements for n in references(element)):
            continue  # no automaton; the remark on its recursion says so
        try:
            with limited("their comparison", MAX_OVERLAP_STEPS):
                known = list(overlaps(linter.model, elements, alphabet)) if elements[1:] else []
        except GrammarLimit as limit:
            yield linter.on_name(name, "too-large", _NOT_COMPARED.format(name, limit))
            continue
        stretches = [written.stretch for written in alternatives]
        yield from (_overlap(linter, stretches, found) for found in known)


def _overlap(linter: _Linter, stretches: list[Stretch], found: Overlap) -> Remark:
    """The words for one alternative."""
    stretch = stretches[found.number]
    own, *others = (_text(stretches[n]) for n in (found.number, *found.earlier))
    start, end = stretch[0].start, stretch[-1].end
    text = _quoted(found.witness)
    if not found.whole:
        message = f"{others[0]} and {own} both accept {text}; the first one wins"
        return linter.remark(start, end, "ambiguous-alternatives", message, found.witness)
    if len(others) == 1:
        reason = f"all that it accepts, such as {text}, {others[0]} before it accepts"
    else:
        listed = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")  # noqa: PLR2004
        reason = f"all that it accepts, those before it accept: {listed}"
    message = f"{own} can never win: {reason}"
    return linter.remark(start, end, "shadowed-alternative", message, found.witness)


def _nullable_repetitions(linter: _Linter) -> Iterator[Remark]:
    """Repetitions of elements that can be empty: a text can be divided in infinitely many ways."""
    nullable = nullable_rules(linter.elements)
    for (_, most), inner, whole in linter.repeated():
        if (most is None or most > 1) and is_nullable(inner.element, nullable):
            ways = "endlessly many ways" if most is None else "several ways"
            message = (
                f"{_text(inner.stretch)} can be empty, so that repeating it can read nothing "
                f"in {ways}"
            )
            start, end = whole[0].start, whole[-1].end
            yield linter.remark(start, end, "nullable-repetition", message, "")


def _huge_repetitions(linter: _Linter) -> Iterator[Remark]:
    for (least, most), _, whole in linter.repeated():
        rounds = least if most is None else most
        if rounds >= HUGE:
            start, end = whole[0].start, whole[-1].end
            message = (
                f"{rounds:,} rounds: each takes states of its own in an automaton, which can get "
                "too large to be made"
            )
            yield linter.remark(start, end, "huge-repetition", message)


def _recursion(linter: _Linter) -> Iterator[Remark]:
    """Recursion that no automaton can follow, and recursion at the very beginning."""
    for finding in recursion(linter.elements, linter.own):
        uses = [use for definition in linter.own[finding.rule] for use in definition.uses]
        use = uses[finding.reference or 0]
        what = "; it has no automaton and no regular expression"
        yield linter.remark(
            use.start, use.start + use.length, finding.cause, finding.message + what
        )


def _names(linter: _Linter) -> Iterator[Remark]:
    """References that spell a rule's name otherwise than the rule does (RFC 5234 §2.1)."""
    for found in linter.own.values():
        for use in (use for definition in found for use in definition.uses):
            spelled = linter.reader.spelling(use.name)
            if spelled is not None and spelled != use.name and spelled.lower() == use.name.lower():
                message = (
                    f"the rule spells its name {spelled}; case is ignored, but this might mislead"
                )
                yield linter.remark(use.start, use.start + use.length, "name-case", message)


def _core_rules(linter: _Linter) -> Iterator[Remark]:
    """Own rules that have the name of a core rule (RFC 5234 appendix B.1)."""
    try:
        core = linter.reader.resolve(CORE)
    except LookupError:
        return
    imports = linter.reader.imports
    for name in linter.own:
        rule = core.find(name)
        if rule is None:
            continue
        other = _difference(linter.model, name, core, rule.name)
        if other is None and not any(model.find(name) for model in imports):
            continue  # as nothing imports it
        if other is None:
            what = "accepts the same; it need not be defined"
        else:
            what = f"accepts other texts: only one of the two accepts {_quoted(other)}"
        case = "" if name == rule.name else ", as names are case-insensitive,"
        message = (
            f"{name} has{case} the name of the core rule {rule.name} (RFC 5234 §B.1) and {what}"
        )
        yield linter.on_name(name, "core-rule", message)


def _difference(a: Model, rule: str, b: Model, other: str) -> str | None:
    """The shortest text that only one of two rules accepts; None if there is none."""
    from ...grammar.machine.automaton import automaton
    from ...grammar.machine.product import difference

    try:
        return difference(automaton(a, rule), automaton(b, other))
    except GrammarLimit:
        return None


def _unused(linter: _Linter) -> Iterator[Remark]:
    """Rules that nothing refers to, unless the header says that they are start rules."""
    if linter.reader.header.starts:
        return
    for name in starts_of(linter.elements, linter.own)[1:]:
        message = (
            f"no rule refers to {name}; if it is a start rule, name it in the header: "
            f"; starts: {next(iter(linter.own))} {name}"
        )
        yield linter.on_name(name, "unused-rule", message)


def _prose(linter: _Linter) -> Iterator[Remark]:
    """Prose values: their meaning is in the header, which other tools do not read."""
    for use in (use for definition in linter.definitions() for use in definition.parts.prose):
        words = use.name.strip()
        if words in linter.reader.prose:
            meant = cut(str(linter.reader.prose[words]), _SHOWN)
            message = f"a prose value: only this file's header says that it means {meant}"
            yield linter.remark(use.start, use.start + use.length, "prose-value", message)


def _surrogates(linter: _Linter) -> Iterator[Remark]:
    """Values that name surrogates, which no text in UTF-8 can hold (RFC 3629 §3)."""
    for piece, value in (pair for d in linter.definitions() for pair in d.parts.numbers):
        if any(0xD800 <= point <= 0xDFFF for point in value.points):  # noqa: PLR2004
            message = "U+D800 to U+DFFF are surrogates; no text in UTF-8, -16 or -32 has any"
            yield linter.remark(piece.start, piece.end, "surrogates", message)


def _too_large(linter: _Linter) -> Iterator[Remark]:
    """Start rules that are too large for an automaton."""
    from ...grammar.machine.automaton import automaton

    for name in [s for s in linter.model.starts if s in linter.own][:_MOST_STARTS]:
        if name in linter.non_regular:
            continue
        try:
            with limited("it", MAX_OVERLAP_STEPS):
                automaton(linter.model, name)
        except GrammarLimit as limit:
            message = f"{name} is correct, but too large for an automaton: {limit}"
            yield linter.on_name(name, "too-large", message)


CHECKS: dict[Callable[[_Linter], Iterator[Remark]], tuple[str, ...]] = {
    _overlapping: ("shadowed-alternative", "ambiguous-alternatives", "too-large"),
    _nullable_repetitions: ("nullable-repetition",),
    _huge_repetitions: ("huge-repetition",),
    _recursion: ("recursion", "left-recursion"),
    _names: ("name-case",),
    _core_rules: ("core-rule",),
    _unused: ("unused-rule",),
    _prose: ("prose-value",),
    _surrogates: ("surrogates",),
    _too_large: ("too-large",),
}

CODES = tuple(dict.fromkeys(code for codes in CHECKS.values() for code in codes))
"""All possible codes of a remark."""


def _text(stretch: Stretch) -> str:
    """A stretch of pieces as it is written, but on one line."""
    written = "".join(" " * piece.spaced + piece.text for piece in stretch).strip()
    return cut(written, _SHOWN)


def _quoted(text: str) -> str:
    return f'"{cut(visible(text), _SHOWN)}"' if text else "the empty text"
