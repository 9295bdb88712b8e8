"""Doubtful parts of a correct grammar: one function for each kind of doubt.

Owns the remarks on ABNF and their codes. Imports the reader, the checks of rules and the automata.
Invariant: every remark is a fact about the grammar, with its exact place; a code is never used
for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ...grammar.errors import Fault, GrammarError, GrammarLimit
from ...grammar.machine.nfa import alphabet_of
from ...grammar.model import Element, Model, NumVal, references
from ...grammar.read.abnf import Reader
from ...grammar.read.atom import Bounds, read_bounds, read_number
from ...grammar.read.check_model import (
    is_nullable,
    non_regular,
    nullable_rules,
    recursion,
    starts_of,
)
from ...grammar.read.elements import Piece, read_elements
from ...grammar.read.names import CORE
from ...grammar.read.source import Source
from ...grammar.work import TooMuchWork, at_most
from ...limits import MAX_COMPARED_PLACES, MAX_OVERLAP_PLACES, MAX_STEPS_OF_WORK
from ...text.drawing import draw, visible
from ..overlaps import Overlap, Sizes, overlaps

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
        self.places = {
            name: [_places(d.line.pieces[2:]) for d in found] for name, found in self.own.items()
        }
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

    def element(self, stretch: Stretch) -> Element:
        """The meaning of the pieces of a rule, brackets matched."""
        before = Piece("=", stretch[0].start, True)
        return read_elements(stretch, before, self.reader.refer, self.reader.mean)

    def choices(self) -> Iterator[tuple[str, list[Stretch]]]:
        """The alternatives of each alternation, with the rule that they are in."""
        for name, found in self.places.items():
            yield name, [stretch for each in found for stretch in each.alternatives]
            for each in found:
                for stretches in each.inner:
                    yield name, stretches


def _overlapping(linter: _Linter) -> Iterator[Remark]:
    """Alternatives that earlier ones of the same alternation have texts in common with."""
    sizes = Sizes(linter.model)
    left = MAX_COMPARED_PLACES
    try:
        alphabet = alphabet_of(linter.model)
    except GrammarLimit as limit:
        yield linter.on_name(
            next(iter(linter.own)), "too-large", f"{limit}: alternatives are not compared"
        )
        return
    for name, stretches in linter.choices():
        if len(stretches) < 2:  # noqa: PLR2004 -- an alternation
            continue
        if sum(map(len, stretches)) >= MAX_OVERLAP_PLACES:
            yield linter.on_name(name, "too-large", _NOT_COMPARED.format(name, "they are too many"))
            continue
        elements = [linter.element(stretch) for stretch in stretches]
        if any(n in linter.non_regular for element in elements for n in references(element)):
            continue  # no automaton; the remark on its recursion says so
        size = sum(map(sizes.of, elements))
        left -= size
        why = "they are too large"
        if size < MAX_OVERLAP_PLACES and left >= 0:
            try:
                for found in overlaps(linter.model, elements, alphabet):
                    yield _overlap(linter, stretches, found)
                continue
            except GrammarLimit as limit:
                why = str(limit)
        yield linter.on_name(name, "too-large", _NOT_COMPARED.format(name, why))


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
    for repeated in _repeated(linter):
        _, most = repeated.bounds
        if (most is None or most > 1) and is_nullable(linter.element(repeated.inner), nullable):
            ways = "endlessly many ways" if most is None else "several ways"
            message = (
                f"{_text(repeated.inner)} can be empty, so that repeating it can read nothing "
                f"in {ways}"
            )
            start, end = repeated.whole[0].start, repeated.whole[-1].end
            yield linter.remark(start, end, "nullable-repetition", message, "")


def _huge_repetitions(linter: _Linter) -> Iterator[Remark]:
    for repeated in _repeated(linter):
        least, most = repeated.bounds
        rounds = least if most is None else most
        if rounds >= HUGE:
            start, end = repeated.whole[0].start, repeated.whole[-1].end
            message = (
                f"{rounds:,} rounds: each takes states of its own in an automaton, which can get "
                "too large to be made"
            )
            yield linter.remark(start, end, "huge-repetition", message)


def _repeated(linter: _Linter) -> Iterator[_Repeated]:
    return (r for found in linter.places.values() for each in found for r in each.repeated)


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
    for found in linter.places.values():
        for piece in (piece for each in found for piece in each.prose):
            words = piece.text[1:-1].strip()
            if words in linter.reader.prose:
                meant = _cut(str(linter.reader.prose[words]))
                message = f"a prose value: only this file's header says that it means {meant}"
                yield linter.remark(piece.start, piece.end, "prose-value", message)


def _surrogates(linter: _Linter) -> Iterator[Remark]:
    """Values that name surrogates, which no text in UTF-8 can hold (RFC 3629 §3)."""
    for found in linter.places.values():
        for piece, value in (pair for each in found for pair in each.numbers):
            if any(0xD800 <= point <= 0xDFFF for point in value.points):  # noqa: PLR2004
                message = "U+D800 to U+DFFF are surrogates; no text in UTF-8, -16 or -32 has any"
                yield linter.remark(piece.start, piece.end, "surrogates", message)


def _too_large(linter: _Linter) -> Iterator[Remark]:
    """Start rules that are too large for an automaton."""
    from ...grammar.machine.automaton import automaton

    sizes = Sizes(linter.model)
    for name in [s for s in linter.model.starts if s in linter.own][:_MOST_STARTS]:
        if name in linter.non_regular:
            continue
        why = ""
        if sizes.of(linter.elements[name]) >= MAX_OVERLAP_PLACES:
            why = f"with all references replaced it has more than {MAX_OVERLAP_PLACES:,} places"
        else:
            try:
                automaton(linter.model, name)
            except GrammarLimit as limit:
                why = str(limit)
        if why:
            message = f"{name} is correct, but too large for an automaton: {why}"
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


# The places of alternatives and repetitions in a rule's text: every stretch of pieces has its
# brackets matched, so that it can be read as an element by itself.


@dataclass(frozen=True, slots=True)
class _Repeated:
    """A repetition: its bounds, the pieces that are repeated, and all of its pieces."""

    bounds: Bounds
    inner: Stretch
    whole: Stretch


@dataclass(slots=True)
class _Places:
    """The places of the constructs in one definition.

    ``alternatives`` are those of the whole right-hand side, ``inner`` those of each group or
    option in it that has several; ``prose`` are the prose values.
    """

    alternatives: list[Stretch] = field(default_factory=list)
    inner: list[list[Stretch]] = field(default_factory=list)
    repeated: list[_Repeated] = field(default_factory=list)
    prose: list[Piece] = field(default_factory=list)
    numbers: list[tuple[Piece, NumVal]] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """An open bracket: its start, with its repeat before it, and its contents so far."""

    start: int
    bracket: int
    bounds: Bounds | None
    stretches: list[Stretch]


def _places(given: list[Piece]) -> _Places:
    """The places in the pieces of a right-hand side that has been read and has no faults.

    Cost: O(n).

    >>> from uriproof.grammar.read.elements import pieces
    >>> found = _places(pieces('"a" / 2*( b / 3c )', 0))
    >>> len(found.alternatives), len(found.inner[0]), [r.bounds for r in found.repeated]
    (2, 2, [(3, 3), (2, None)])
    """
    found = _Places()
    stack = [_Open(0, -1, None, [[]])]
    bounds: Bounds | None = None
    for index, piece in enumerate(given):
        text = piece.text
        if text in ("(", "["):
            start = index - 1 if bounds is not None else index
            stack.append(_Open(start, index, bounds, [[]]))
            bounds = None
        elif text in (")", "]"):
            closed = stack.pop()
            if len(closed.stretches) > 1:
                found.inner.append(closed.stretches)
            if closed.bounds is not None:
                inner, whole = given[closed.bracket : index + 1], given[closed.start : index + 1]
                found.repeated.append(_Repeated(closed.bounds, inner, whole))
            stack[-1].stretches[-1] += given[closed.start : index + 1]
        elif text == "/":
            stack[-1].stretches.append([])
        else:
            bare = text.lstrip("0123456789*")
            repeat = read_bounds(text[: len(text) - len(bare)]) if bare != text else None
            if not bare:  # the bracket that it repeats comes next
                bounds = repeat
                continue
            element = Piece(bare, piece.end - len(bare), True)
            if repeat is not None:
                found.repeated.append(_Repeated(repeat, [element], [piece]))
            if bare[0] == "<":
                found.prose.append(element)
            elif bare[0] == "%" and bare[1] not in "sSiI":
                found.numbers.append((piece, read_number(bare, 0)))
            stack[-1].stretches[-1].append(piece)
    found.alternatives = stack[0].stretches
    return found


def _text(stretch: Stretch) -> str:
    """A stretch of pieces as it is written, but on one line."""
    written = "".join(" " * piece.spaced + piece.text for piece in stretch).strip()
    return _cut(written)


def _quoted(text: str) -> str:
    return f'"{_cut(visible(text))}"' if text else "the empty text"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
