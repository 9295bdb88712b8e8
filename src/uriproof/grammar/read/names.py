"""The meaning of names in a grammar's text: its own rules, and those that its header imports.

Owns the meaning of names, and the faults of undefined ones. Imports the model and the header.
Invariant: a name is looked up in any case (RFC 5234 §2.1), first among the grammar's own rules, and
then among the imported ones, in the order of the imports. A prose value can name a rule of another
specification, ``<port, see [RFC3986], ...>``: it is one of that grammar, with exactly the name that
the prose starts with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from ...limits import MOST_UNKNOWN_NAMES
from ...text.drawing import visible
from ...text.names import did_you_mean
from ..errors import Fault
from ..model import Element, Model, Rule, RuleRef
from .check_model import reachable
from .elements import Parts, Piece, Use
from .source import Header, Line, Source, read_header

CORE = "rfc5234"

GENERIC = "rfc3986"
"""The grammar that prose means which cites a section and no RFC."""
QUOTE = '"'

_CITED = re.compile(
    r"[ \t]*([A-Za-z][A-Za-z0-9-]*)"
    r"(?=[ \t]*(?:[,;:(\[]|$)|[ \t]+(?:see|from|in|of|as|is|defined|specified|described|per)\b)"
)
_RFC = re.compile(r"\bRFC[ -]?0*([1-9][0-9]*)\b", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:\b(?:section|sec\.|appendix)[ \t]*|§[ \t]*)([A-Z0-9]+(?:\.[0-9]+)*)", re.I
)

NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
"""A name of a rule (RFC 5234 §4)."""


@dataclass(frozen=True, slots=True)
class ProseReference:
    """A rule that a prose value names, and the number of the RFC or the section that it cites."""

    rule: str
    rfc: str | None
    section: str | None

    def found(self, resolve: Callable[[str], Model]) -> tuple[str, Rule] | None:
        """The intended bundled grammar, and its rule; None if there is none.

        Without a number it is RFC 3986, if the section is the one where it has that rule
        (``<host, see [URI], Section 3.2.2>``, RFC 9110 §4.1).
        """
        grammar = f"rfc{self.rfc}" if self.rfc else GENERIC
        try:
            rule = resolve(grammar).find(self.rule)
        except LookupError:
            return None
        if rule is None or (self.rfc is None and rule.section != self.section):
            return None
        return grammar, rule


def read_prose(text: str) -> ProseReference | None:
    """The reference in the text of a prose value, or None if it is only words. Cost: O(n).

    >>> read_prose("absolute-URI, see [RFC3986], Section 4.3")
    ProseReference(rule='absolute-URI', rfc='3986', section='4.3')
    >>> read_prose("any CHAR except tspecials") is None
    True
    """
    name, rfc, section = _CITED.match(text), _RFC.search(text), _SECTION.search(text)
    if name is None or (rfc is None and section is None):
        return None
    return ProseReference(name[1], rfc and rfc[1], section and section[1])


def advice_on_prose(
    prose: str, imports: Iterable[str], own: Collection[str], resolve: Callable[[str], Model]
) -> str:
    """The remedy for an undefined prose value, as the words of a fault.

    ``imports`` are the imported grammars, ``own`` the names of own rules in lower case.
    """
    said = "this has no meaning yet; "
    add = f'add a line "; prose: <{prose}> = {"DQUOTE" if prose == QUOTE else "..."}" on top'
    named = read_prose(prose)
    found = named and named.found(resolve)
    if named is None or (not found and named.rfc is None):
        return said + add
    if found:
        grammar, rule = found
        line = f'"; imports: {" ".join(dict.fromkeys([*imports, grammar]))}"'
        if rule.name.lower() in own:
            return (
                f"{said}{rule.name} is also a rule of this grammar: rename it, and then let the "
                f"header say {line}"
            )
        if grammar in imports:
            return f"{said}the {rule.name} of another import hides that of {grammar}"
        return f"the header must say {line} for this to be its {rule.name}"
    try:
        known = resolve(f"rfc{named.rfc}").rules
    except LookupError:
        return f"{said}no grammar of RFC {named.rfc} is bundled: define its {named.rule}, or {add}"
    return f"{said}rfc{named.rfc} has no rule {named.rule}{did_you_mean(named.rule, known)}"


@dataclass(slots=True)
class Definition:
    """One definition; its element is None if it could not be read."""

    name: Piece
    line: Line
    element: Element | None = None
    uses: list[Use] = field(default_factory=list)
    parts: Parts = field(default_factory=Parts)


class Names:
    """The state of one reading: the meanings of the names so far."""

    def __init__(self, source: Source, name: str, resolve: Callable[[str], Model]) -> None:
        self.source = source
        directives, self.lines = source.divide()
        self.header: Header = read_header(source, directives)
        self.name = name
        self.resolve = resolve
        self.own: dict[str, list[Definition]] = {}  # by folded name, in order
        self.pool: dict[str, tuple[Rule, Model]] = {}  # imported rules and whence, by folded name
        self.imports: list[Model] = []
        self.named: list[str] = []  # the rules that the header imports by name
        self.prose: dict[str, Element] = {}
        self.unknown: int = 0
        self.undefined: dict[str, list[Fault]] = {}  # by the name in the elements
        self.clashes: dict[str, list[Fault]] = {}  # by the imported rule that means another one
        self.taken: set[str] = set()  # own names of the imported rules

    def spelling(self, name: str) -> str | None:
        """The name of a rule as its definition spells it; an own rule hides an imported one."""
        folded = name.lower()
        if folded in self.own:
            return self.own[folded][0].name.text
        return self.pool[folded][0].name if folded in self.pool else None

    def refer(self, use: Use) -> Element:
        name = self.spelling(use.name)
        if name is None:
            fault = self.unknown_name(use.name, use.start, use.length)
            self.undefined.setdefault(use.name, []).append(fault)
        return RuleRef(name or use.name)

    def mean(self, use: Use) -> Element:
        """The element that a prose value stands for (RFC 5234 §2.1, §4)."""
        if known := self.prose.get(use.name.strip()):
            return known
        if NAME.fullmatch(use.name):
            return self.refer(use)
        imported = self.imported_by(use.name)
        if imported and imported.name.lower() not in self.own:
            return RuleRef(imported.name)
        lines = self.header.imports or [(Piece(CORE, 0, True), [])]
        words = [word.text for word, _ in lines]
        prose = use.name.strip()
        own = [name for name in self.own if self.prose_of(name) != prose]
        message = advice_on_prose(prose, words, own, self.resolve)
        fault = self.source.fault(use.start, use.length, "undefined", message)
        self.undefined.setdefault(use.name, []).append(fault)
        return RuleRef(use.name)

    def imported_by(self, prose: str) -> Rule | None:
        """The imported rule that a prose value names together with the RFC that it is from."""
        named = read_prose(prose)
        found = named and named.found(self.resolve)
        if not found or found[1].name.lower() not in self.pool:
            return None
        rule = self.pool[found[1].name.lower()][0]
        return rule if rule == found[1] else None

    def take_imported(self) -> None:
        """``port = <port, see [RFC3986], Section 3.2.3>`` defines nothing: it names an import."""
        said = {key for key, _, _ in self.header.prose}
        for folded, (rule, _) in self.pool.items():
            prose = self.prose_of(folded)
            if prose and prose not in said and self.imported_by(prose) == rule:
                del self.own[folded]
                self.taken.add(folded)

    def prose_of(self, name: str) -> str:
        """The text of the prose value that an own rule consists of, or nothing."""
        found = self.own.get(name.lower(), ())
        pieces = [piece.text for definition in found for piece in definition.line.pieces[2:]]
        return pieces[0][1:-1].strip() if len(pieces) == 1 and pieces[0][0] == "<" else ""

    def unknown_name(self, name: str, start: int, length: int) -> Fault:
        """Note that a name is undefined, with near names."""
        message = f"no rule is named {visible(name)}"
        self.unknown += 1
        if self.unknown <= MOST_UNKNOWN_NAMES:
            owned = (definitions[0].name.text for definitions in self.own.values())
            owner = next((m.name for m in self.imports if m.find(name)), None)
            if owner is not None:
                message += f'; add it to the line "; imports: {owner} = ..." to use that rule'
            elif grammar := next((g for g in (CORE, GENERIC) if self.has(g, name)), ""):
                which = "the core rule" if grammar == CORE else f"that of {grammar}"
                line = f'add {grammar} to the line "; imports:"'
                if self.header.imports is None:
                    line = f'add a line "; imports: {CORE} {grammar}" on top'
                message += f"; to use {which}, {line}"
            else:
                message += did_you_mean(
                    name, [*owned, *(rule.name for rule, _ in self.pool.values())]
                )
        return self.source.fault(start, length, "undefined", message)

    def has(self, grammar: str, name: str) -> bool:
        try:
            return self.resolve(grammar).find(name) is not None
        except LookupError:
            return False

    def read_imports(self) -> None:
        """Put the rules of imported grammars into the pool; the first of a name counts.

        For a grammar whose rules the header names, only these, and those that they use.
        """
        words = self.header.imports
        if words is None:
            words = [(Piece(CORE, 0, True), [])]
        for word, named in words:
            if model := self.resolved(word):
                self.imports.append(model)
                names = [rule.name for rule in self.imported(model, named)]
                self.named += names
                elements = {name: rule.element for name, rule in model.rules.items()}
                taken = reachable(elements, names) if named else elements
                for name in elements:
                    if name in taken:
                        self.pool.setdefault(name.lower(), (model.rules[name], model))
        if self.header.split:
            self.resolved(self.header.split)

    def imported(self, model: Model, words: list[Piece]) -> Iterator[Rule]:
        """The rules of a grammar that the header imports by name."""
        for word in words:
            if rule := model.find(word.text):
                yield rule
                continue
            message = f"{model.name} has no rule {visible(word.text)}"
            message += did_you_mean(word.text, model.rules)
            self.source.fault(word.start, len(word.text), "undefined", message)

    def resolved(self, word: Piece) -> Model | None:
        try:
            return self.resolve(word.text)
        except LookupError as error:
            itself = f"grammar {self.name} cannot import itself"
            message = itself if word.text == self.name else str(error)
        self.source.fault(word.start, len(word.text), "header", message)
        return None
