"""Finds the ABNF in the text of a document, such as an RFC.

Owns which lines are rules, and which of several definitions is meant. Imports the lines of a
document and the reader of ABNF. Invariant: each rule that comes out has the elements that its
lines spell in the document, nothing is guessed, and all that is left out is noted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from ...grammar.errors import Fault, GrammarError, GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    Repetition,
    RuleRef,
    children,
    references,
)
from ...grammar.read.atom import ReadError
from ...grammar.read.document import Row, rows, title_of
from ...grammar.read.elements import Piece, Use, pieces, read_elements
from ...grammar.read.names import CORE, read_prose
from ...limits import MAX_GRAMMAR

_RULE = re.compile(
    r" *([A-Za-z][A-Za-z0-9-]*) *((?: =/?(?![=>]))|(?:(?<! )=/?(?![=>])(?= |$|[\"%<(\[*0-9])))(.*)"
)
_OTHER = re.compile(r" *<?[A-Za-z][\w-]*>? *(?:::=|:=) +[\"'<(\[{*\w]")
_SHOWN = 60
_MOST_TRIED = 20
"""Maximum possible ends of one rule that are tried: page breaks within it."""

_FEW = 3
"""Minimum rules of a document from which on a separate rule is not counted as one of it."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something left out, or not decided by the text: the line it is about, and the words."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The ABNF of a document.

    ``abnf`` is a grammar's text, with comments that say from which line and section
    it is; ``rules`` are the names of its rules, ``notes`` the omissions, with reasons.
    """

    abnf: str
    rules: tuple[str, ...]
    notes: tuple[Note, ...]

    def __str__(self) -> str:
        return self.abnf


@dataclass(slots=True)
class _Definition:
    """One definition: its lines, and the element that they spell."""

    name: str
    adds: bool
    rows: list[Row]
    comments: list[Row]
    element: Element | None = None
    wrong: str = ""
    at: tuple[int, int, int] = (0, 0, 0)
    group: int = 0
    uses: list[Use] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.rows[0].number

    @property
    def key(self) -> str:
        return self.name.lower()


def extract_abnf(text: str, *, resolve: Callable[[str], Model], file: str = "<text>") -> Extraction:
    """The ABNF in a document: its rules, without prose, page breaks and indentation.

    A line is the beginning of a rule if it reads as one (RFC 5234 §4). Of identical definitions,
    one is kept; of different ones, the one in the section that defines most rules
    (the last of such sections), which is the collected ABNF if there is one. ``resolve`` returns
    the models of bundled grammars, for the header.

    Errors: GrammarError, if there is no ABNF in the text, or only BNF with "|"; GrammarLimit.
    Cost: O(len(text)).

    >>> from uriproof.grammar.registry import load
    >>> found = extract_abnf("The rule\\n\\n   port  = *DIGIT\\n\\nis a rule.",
    ...                      resolve=lambda name: load(name).model)
    >>> print(found, end="")
    ; line 3
    port  = *DIGIT
    """
    if len(text) > MAX_GRAMMAR:
        raise GrammarLimit(
            f"{file}: this has {len(text):,} characters; a document is read up to {MAX_GRAMMAR:,}"
        )
    given = list(rows(text))
    found = list(_definitions(given, {rule.lower() for rule in resolve(CORE).rules}))
    readable = [definition for definition in found if definition.element is not None]
    _refuse_other_notations(given, found, readable, file)
    notes = [
        Note(d.at[0], f"{d.name} is left out, as it is not ABNF: {d.wrong}")
        for d in _missed(found, readable)
    ]
    kept = list(_without_foreign(readable, resolve, notes))
    if not kept:
        message = "no ABNF was found in this text"
        raise GrammarError([Fault(file, 1, 1, "syntax", message, "", 0)])
    chosen = _chosen(kept, notes)
    abnf = "\n".join([*_header(text, chosen, resolve), *_printed(chosen)]) + "\n"
    names = tuple(dict.fromkeys(definition.name for definition in chosen if not definition.adds))
    return Extraction(abnf, names, tuple(sorted(notes, key=lambda note: note.line)))


# Which lines are rules


def _definitions(given: list[Row], core: set[str]) -> Iterator[_Definition]:
    """Everything that begins as a rule does, read as far as it goes."""
    names = core | {m[1].lower() for row in given if (m := _RULE.fullmatch(row.text))}
    comments: list[Row] = []
    group, margin = 0, -1
    index = 0
    while index < len(given):
        row = given[index]
        match = _RULE.fullmatch(row.text)
        if match is None:
            index += 1
            if row.text.lstrip().startswith(";"):
                comments.append(row)
            elif row.text:
                comments, margin, group = [], -1, group + 1
            continue
        if row.indentation != margin:
            group, margin = group + 1, row.indentation
        definition = _Definition(match[1], match[2].strip() == "=/", [row], comments, group=group)
        comments = []
        index = _read(definition, given, index, names)
        yield definition


def _read(definition: _Definition, given: list[Row], index: int, names: set[str]) -> int:
    """Read the lines of a definition that starts at an index; returns where the next can start.

    Cost: that of reading the lines, at most ``_MOST_TRIED`` times.
    """
    best: list[Row] = []
    ends = list(_ends(given, index))
    # Of ends that are certain, the last before one that is not will do, and the first of all.
    tried = [
        e for e, after in zip(ends, [*ends[1:], None], strict=True) if not (after and after[1])
    ]
    for following, certain in [ends[0], *tried][:_MOST_TRIED]:
        definition.rows = given[index:following]
        read = _elements(definition)
        if not certain and best:
            read = read and all(use.name.lower() in names for use in definition.uses)
        if read or not best:
            best = definition.rows
    definition.rows = best
    _elements(definition)
    return index + len(best)


def _ends(given: list[Row], index: int) -> Iterator[tuple[int, bool]]:
    """The possible ends of a rule that starts at an index, and whether each is certain.

    It continues on the following lines that are indented deeper. It can continue after a page
    break, and after an empty line if the next line starts with "/" or a bracket is still open.
    """
    margin = given[index].indentation
    at = index
    certain = True
    depth, last = 0, ""
    while True:
        while (
            at < len(given) and given[at].text and (at == index or given[at].indentation > margin)
        ):
            for piece in pieces(given[at].text, 0):
                last = piece.text
                depth += (last in ("(", "[")) - (last in (")", "]"))
            at += 1
        yield at, certain
        start = at
        while at < len(given) and not given[at].text:
            at += 1
        if at == len(given) or at == start or given[at].indentation <= margin:
            return
        first = given[at].text.lstrip()
        paged = all(row.page for row in given[start:at])
        certain = first[0] == "/" or depth > 0 or last in ("/", "=", "=/")
        if not certain and (not paged or first[0] == ";"):
            return


def _elements(definition: _Definition) -> bool:
    """Read the element of a definition; False, with a reason, if its lines are not ABNF."""
    found: list[Piece] = []
    starts: list[tuple[int, Row]] = []
    at = 0
    for row in definition.rows:
        starts.append((at, row))
        found += pieces(row.text, at)
        at += len(row.text) + 1
    definition.uses = []

    def refer(use: Use) -> Element:
        definition.uses.append(use)
        return RuleRef(use.name.lower())

    def mean(use: Use) -> Element:
        return RuleRef(f"<{use.name}>")

    try:
        definition.element = read_elements(found[2:], found[1], refer, mean)
    except ReadError as wrong:
        place, row = max((s for s in starts if s[0] <= wrong.start), key=lambda s: s[0])
        definition.at = row.number, wrong.start - place + 1, wrong.length
        definition.wrong, definition.element = wrong.message, None
        return False
    return True


def _missed(found: list[_Definition], readable: list[_Definition]) -> Iterator[_Definition]:
    """Text that cannot be read, is not defined elsewhere, and concerns rules."""
    defined = {definition.key for definition in readable}
    used = {name for definition in readable for name in _names(definition)}
    groups = {definition.group for definition in readable}
    for definition in found:
        meant = definition.group in groups or definition.key in used
        if definition.element is None and definition.key not in defined and meant:
            yield definition


def _refuse_other_notations(
    given: list[Row], found: list[_Definition], readable: list[_Definition], file: str
) -> None:
    """Errors: GrammarError, for rules that are BNF of another form."""
    barred = [d for d in found if d.element is None and "|" in _bare(d)]
    if barred and not any("/" in _bare(definition) for definition in readable):
        row = next(row for row in barred[0].rows if "|" in _without_strings(row.text))
        _refuse(row, "|", '"|" between alternatives', "/", file)
    other = [row for row in given if _OTHER.match(row.text)]
    if len(other) > len(readable):
        sign = "::=" if "::=" in other[0].text else ":="
        _refuse(other[0], sign, f'"{sign}" after the names of rules', "=", file)


def _refuse(row: Row, sign: str, what: str, instead: str, file: str) -> NoReturn:
    message = (
        f"the rules in this text have {what}: this is another form of BNF, not the ABNF of "
        f'RFC 5234, which has "{instead}"; what else differs is not guessed'
    )
    column = _without_strings(row.text).index(sign) + 1
    fault = Fault(file, row.number, column, "syntax", message, row.text, len(sign))
    raise GrammarError([fault])


def _without_strings(text: str) -> str:
    """A line with its strings, prose values and comments blanked."""
    blank = re.compile(r'"[^"]*"|<[^>]*+(?:>|$)|;.*')
    return blank.sub(lambda match: " " * len(match[0]), text)


def _bare(definition: _Definition) -> str:
    return " ".join(_without_strings(row.text) for row in definition.rows)


# Which definitions are meant


def _without_foreign(
    readable: list[_Definition], resolve: Callable[[str], Model], notes: list[Note]
) -> Iterator[_Definition]:
    """The definitions without those that read like an assignment, and are apart from all rules."""
    defined = {definition.key for definition in readable}
    known = defined | {rule.lower() for rule in resolve(CORE).rules}
    used = Counter(name for d in readable for name in set(_names(d)) - {d.key})
    sizes = Counter(
        definition.group for definition in readable if _connected(definition, known, used)
    )
    for definition in readable:
        assigns = definition.element is not None and not children(definition.element)
        near = sizes[definition.group] > 0
        if not assigns or near or len(defined) < _FEW:
            yield definition
            continue
        line = " ".join(definition.rows[0].text.split())
        notes.append(
            Note(
                definition.number,
                f"left out, as no rule refers to it, and it to none: {line[:_SHOWN]}",
            )
        )


def _connected(definition: _Definition, known: set[str], used: Counter[str]) -> bool:
    """Whether a rule refers to one that is known, or one refers to it."""
    return used[definition.key] > 0 or bool(set(_names(definition)) & known - {definition.key})


def _names(definition: _Definition) -> Iterator[str]:
    """The rules that a definition refers to, in lower case."""
    return references(definition.element) if definition.element else iter(())


def _chosen(kept: list[_Definition], notes: list[Note]) -> list[_Definition]:
    """One definition of each rule, and the additions to it, in order; the fullest section first."""
    sizes = Counter(section for section, _ in {(d.rows[0].section, d.key) for d in kept})
    last = {definition.rows[0].section: definition.number for definition in kept}
    sections = sorted(sizes, key=lambda section: (-sizes[section], -last[section]))
    rank = {section: number for number, section in enumerate(sections)}
    main = sections[0]
    by_name: dict[str, list[_Definition]] = {}
    for definition in kept:
        by_name.setdefault(definition.key, []).append(definition)
    chosen: list[_Definition] = []
    for definitions in by_name.values():
        whole = [definition for definition in definitions if not definition.adds]
        best = min(whole, key=lambda d: (rank[d.rows[0].section], d.number), default=None)
        if best is not None:
            chosen.append(best)
            others = [d for d in whole if _plain(d.element) != _plain(best.element)]
            notes += (
                Note(
                    other.number,
                    f"{other.name} is defined otherwise in line {best.number}, whose definition "
                    "is taken",
                )
                for other in others
            )
        seen: list[Element | None] = []
        for definition in definitions:
            if definition.adds and _plain(definition.element) not in seen:
                seen.append(_plain(definition.element))
                chosen.append(definition)
    # An addition comes after the rule that it extends.
    first = {d.key: d.number for d in reversed(chosen) if not d.adds}
    place = {d.number: max(d.number, first.get(d.key, 0)) for d in chosen}
    half = sizes[main] * 2 >= len(by_name)
    ahead = {d.key for d in chosen if not d.adds and half and d.rows[0].section == main}
    return sorted(chosen, key=lambda d: (d.key not in ahead, place[d.number], d.adds))


def _plain(element: Element | None) -> Element | None:
    """An element whose quoted strings are equal if case is ignored."""
    match element:
        case CharVal(text, False):
            return CharVal(text.lower())
        case Alternation() | Concatenation():
            items = [_plain(item) for item in children(element)]
            return type(element)(tuple(item for item in items if item is not None))
        case Repetition(item, least, most):
            inner = _plain(item)
            return inner and Repetition(inner, least, most)
        case _:
            return element


# The text


def _header(text: str, chosen: list[_Definition], resolve: Callable[[str], Model]) -> Iterator[str]:
    """Title, source and imports, as far as the document gives them."""
    number, title = title_of(text)
    if number:
        yield f"; title:   RFC {number}: {title}"
        yield f"; source:  https://www.rfc-editor.org/rfc/rfc{number}"
    defined = {definition.key for definition in chosen}
    imports: list[str] = []
    for definition in chosen:
        for name in _names(definition):
            named = read_prose(name[1:-1]) if name[0] == "<" else None
            found = named and named.found(resolve)
            if found and found[0] != f"rfc{number}" and found[0] not in imports:
                imports.append(found[0])
    core = {rule.lower() for rule in resolve(CORE).rules}
    if imports:
        needs = any(n in core - defined for d in chosen for n in _names(d))
        yield f"; imports: {' '.join([CORE] * needs + imports)}"
    if number or imports:
        yield ""


def _printed(chosen: list[_Definition]) -> Iterator[str]:
    """The definitions, each run of lines after the place that it comes from."""
    section, last = None, 0
    for definition in chosen:
        lines = [*definition.comments, *definition.rows]
        start = lines[0].number
        if definition.rows[0].section != section or not last:
            section = definition.rows[0].section
            if last:
                yield ""
            yield f"; {section}, line {start}" if section else f"; line {start}"
            if section:
                yield ""
        elif start != last + 1:
            yield ""
        margin = definition.rows[0].indentation
        for before, row in zip([None, *lines], lines, strict=False):
            if before is not None and row.number > before.number + 1 and row in definition.comments:
                yield ""
            if row.text:
                cut = min(margin, row.indentation)
                yield row.text[cut:]
        last = lines[-1].number
