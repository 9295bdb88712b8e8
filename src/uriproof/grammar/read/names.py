"""What the names in a grammar's text mean: its own rules, and those that its header imports.

Owns the meaning of names, and the faults of those that have none. Imports the model and the
header. Invariant: a name is looked for in any case (RFC 5234 §2.1), first among the grammar's own
rules, and then among the imported ones, in the order of the imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...text.drawing import visible
from ...text.names import did_you_mean
from ..errors import Fault
from ..model import Element, Model, Rule, RuleRef
from .check_model import reachable
from .elements import Piece, Use
from .prose import GENERIC, advice_on_prose, read_prose
from .source import Line, Source, read_header

CORE = "rfc5234"
_NEAR = 50
"""Near names are looked for in so many faults of one text: each look takes time."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
"""A name of a rule (RFC 5234 §4)."""


@dataclass(slots=True)
class Definition:
    """One definition; its element is None where it could not be read."""

    name: Piece
    line: Line
    element: Element | None = None
    uses: list[Use] = field(default_factory=list)


class Names:
    """The state of one reading: what the names mean that have been met so far."""

    def __init__(self, source: Source, name: str, resolve: Callable[[str], Model]) -> None:
        self.source = source
        directives, self.lines = source.divide()
        self.header = read_header(source, directives)
        self.name = name
        self.resolve = resolve
        self.own: dict[str, list[Definition]] = {}  # by folded name, in order
        self.pool: dict[str, tuple[Rule, Model]] = {}  # imported rules and whence, by folded name
        self.imports: list[Model] = []
        self.named: list[str] = []  # the rules that the header imports by name
        self.prose: dict[str, Element] = {}
        self.unknown = 0
        self.undefined: dict[str, list[Fault]] = {}  # by the name in the elements
        self.clashes: dict[str, list[Fault]] = {}  # by the imported rule that means another one
        self.taken: set[str] = set()  # own names that stand for the imported rules

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
        """Note that a name means nothing, and what may be meant."""
        message = f"no rule is named {visible(name)}"
        self.unknown += 1
        if self.unknown <= _NEAR:
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

        Of a grammar of which the header names rules, these, and what they use.
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
