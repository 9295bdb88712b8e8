"""Reads the text of a grammar: ABNF with a header of structured comments in, a model out.

Owns the joining of own and imported rules. Imports ``drawing``, ``model``, ``errors`` and the
modules that divide the text, give names their meaning, read elements and check rules. Invariant:
the rules of a finished model refer only to each other, and every one can match something; for all
other rules of the text, the model says why each cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...text.drawing import visible
from ...text.names import did_you_mean
from ..errors import Fault
from ..graph import users_of
from ..model import (
    Alternation,
    Element,
    Model,
    NumVal,
    Rule,
    RuleRef,
    flat,
    references,
    substituted,
)
from .atom import ReadError
from .check_model import Flaw, starts_of, unproductive, unreachable
from .document import first_of_document
from .elements import Parts, Piece, Use, read_elements, read_name
from .names import NAME, Definition, Names
from .source import Line, Source

ESCAPE = "pct-encoded"
"""The rule of escape sequences if no header names one: its name since RFC 3986 §2.1."""

NO_COMPONENT = "-"
"""The value of ``fix:`` if no component can be fixed, whatever an imported header says."""


def read_abnf(
    text: str,
    *,
    name: str,
    file: str,
    resolve: Callable[[str], Model],
    partial: bool = False,
) -> Model:
    """Read a grammar.

    ``name`` and ``file`` identify it in messages and rules, and mean nothing else (one that imports
    rules from a grammar of the same name is called ``NAME.abnf``); ``resolve`` returns the model of
    an imported grammar by its name, or raises LookupError. The first lines can be comments such as
    ``; title:``, ``; imports:``, ``; starts:`` and so on. Without ``imports`` the core rules of RFC
    5234 are imported, with an empty one nothing is; without ``starts`` the rules that no other rule
    uses are start rules; components, leaves, fix and escape that it does not give are those of the
    imported grammars; the escape is then the rule pct-encoded, if there is one.

    With ``partial``, an undefined rule, or one that never ends, is not a fault of the whole: the
    rules that lead to it are left out and are the model's ``unusable`` ones, as long as at least
    one rule is left.

    Errors: GrammarError with every fault, each at its line and column; GrammarLimit for a text
    that is too long. Cost: O(len(text)). Source: RFC 5234 §2-4, RFC 7405 §2.

    >>> core = read_abnf("; imports:\\nDIGIT = %x30-39", name="rfc5234", file="core.abnf",
    ...                  resolve=dict)
    >>> model = read_abnf("a = 1*DIGIT / b\\nb = <DIGIT> [ %s\\"x\\" ]", name="g", file="g.abnf",
    ...                   resolve=lambda name: core)
    >>> [f"{rule.name} = {rule.element}" for rule in model.rules.values()]
    ['a = 1*DIGIT / b', 'b = DIGIT [ %s"x" ]', 'DIGIT = %x30-39']
    >>> model.starts
    ('a',)
    """
    return Reader(Source(text, file), name, resolve).read(partial)


class Reader(Names):
    """One reading of a grammar's text."""

    def read(self, partial: bool = False) -> Model:
        for line in self.lines:
            self.define(line)
        self.read_imports()
        self.take_imported()
        for key, equals, body in self.header.prose:
            element = self.elements(body, equals, [])
            if element is not None:
                self.prose[key] = element
        for definitions in self.own.values():
            for definition in definitions:
                if definition.line.pieces:
                    operator, *body = definition.line.pieces[1:]
                    uses, parts = definition.uses, definition.parts
                    definition.element = self.elements(body, operator, uses, parts)
        self.check_header()
        imported = self.needed()
        if any(rule.grammar == self.name for rule in imported):
            self.name += ".abnf"  # or nobody could tell its rules from the imported ones
        loose = sum(map(len, [*self.undefined.values(), *self.clashes.values()])) if partial else 0
        if len(self.source.faults) > loose:
            self.tell_of_document()
            self.source.stop()  # the next steps make sense only if every name means something
        model = self.joined(imported, partial)
        if not partial or not any(rule.grammar == self.name for rule in model.rules.values()):
            self.source.stop()
        return self.completed(model)

    def tell_of_document(self) -> None:
        """For a text that is not a grammar but contains one, report that instead of the faults."""
        if not any(fault.cause == "syntax" for fault in self.source.faults):
            return
        number = first_of_document(self.source.text)
        if number is not None:
            start, end = self.source.lines[number - 1]
            self.source.faults.clear()
            file = "FILE" if self.source.file.startswith("<") else visible(self.source.file)
            message = (
                "this text is a document with page breaks or prose, not only ABNF; to extract the "
                f"ABNF, run: uriproof grammar extract {file}"
            )
            self.source.fault(start, end - start, "syntax", message)

    # The definitions of the text

    def define(self, line: Line) -> None:
        """Note the name that a rule defines, even if the rule is otherwise wrong."""
        name = line.pieces[0]
        operator = "="
        try:
            read_name(line.pieces)
        except ReadError as wrong:
            self.source.fault(wrong.start, wrong.length, "syntax", wrong.message)
            start = NAME.match(name.text)
            if start is None or start[0].lower() in self.own:
                return
            name = Piece(start[0], name.start, True)
            line = Line([], [])
        else:
            operator = line.pieces[1].text
        before = self.own.setdefault(name.text.lower(), [])
        message = ""
        if operator == "=/" and not before:
            message = f'"=/" adds to a rule, but {name.text} is not defined before'
            self.source.fault(name.start, len(name.text), "undefined", message)
        elif operator == "=" and before:
            first = before[0].name
            where = f"is defined in line {self.source.line(first.start)} already"
            if name.text != first.text:
                where += f"; names are case-insensitive, so that {name.text} is the same rule"
            message = f'{first.text} {where}; use "=/" to add alternatives to it'
            self.source.fault(name.start, len(name.text), "redefinition", message)
        before.append(Definition(name, line))

    def elements(
        self, body: list[Piece], before: Piece, uses: list[Use], parts: Parts | None = None
    ) -> Element | None:
        """The element that pieces spell, or None and a fault; ``uses`` takes its references."""

        def refer(use: Use) -> Element:
            uses.append(use)
            return self.refer(use)

        def mean(use: Use) -> Element:
            element = self.mean(use)
            uses.extend(use for _ in references(element))
            return element

        try:
            return read_elements(body, before, refer, mean, parts)
        except ReadError as wrong:
            self.source.fault(wrong.start, wrong.length, "syntax", wrong.message)
            return None

    # The header

    def check_header(self) -> None:
        """Every name in the header means something."""
        for word in self.header.productions():
            if self.spelling(word.text) is None:
                self.unknown_name(word.text, word.start, len(word.text))
        for word, _, _ in self.header.rules:
            folded = word.text.lower()
            if folded in self.own or folded in self.taken:
                continue
            if folded not in self.pool:
                self.unknown_name(word.text, word.start, len(word.text))
            else:
                rule = self.pool[folded][0]
                message = f"{rule.name} is a rule of {rule.grammar}, which describes it"
                self.source.fault(word.start, len(word.text), "header", message)
        components = {name.text for name, _ in self.header.components}
        if not components:
            components = {name for model in self.imports for name in model.components.values()}
        for word in self.header.fix:
            if word.text not in (*components, NO_COMPONENT):
                message = f"no component is named {visible(word.text)}"
                message += did_you_mean(word.text, components)
                self.source.fault(word.start, len(word.text), "header", message)

    # Own and imported rules together

    def needed(self) -> list[Rule]:
        """The imported rules that are rules here, in the order of the imports: those that the
        header names, whether another rule uses them or not, and those that are used."""
        names = [*self.named, *(word.text for word in self.header.productions())]
        for definitions in self.own.values():
            for definition in definitions:
                if definition.element is not None:
                    names += references(definition.element)
        found: set[str] = set()
        stack = [name.lower() for name in names]
        while stack:
            folded = stack.pop()
            if folded in found or folded in self.own or folded not in self.pool:
                continue
            found.add(folded)
            rule, model = self.pool[folded]
            for target in references(rule.element):
                if self.agrees(rule, model.rules[target]):
                    stack.append(target.lower())
        return [self.respelled(rule) for folded, (rule, _) in self.pool.items() if folded in found]

    def agrees(self, user: Rule, meant: Rule) -> bool:
        """Whether a rule that an imported rule uses means the same here as there."""
        folded = meant.name.lower()
        need = f"{user.name} of {user.grammar}, which is needed here, uses {meant.name}"
        if folded in self.own:
            found = self.own[folded]
            elements = [d.element for d in found if d.element is not None]
            if len(elements) < len(found):  # it has a fault of its own
                return False
            place, element = found[0].name, flat(Alternation, elements)
            case = "" if place.text == meant.name else " (names are case-insensitive)"
            message = (
                f"{need} and means another rule of this name{case}; "
                f"give yours another name, or define {user.name} too"
            )
        else:
            rule, _ = self.pool[folded]
            element = rule.element
            words = [word for word, _ in self.header.imports or ()]
            place = next((w for w in words if w.text == user.grammar), Piece("", 0, True))
            message = f"{need}, but the {rule.name} of {rule.grammar}, imported before, is another"
        if _lowered(element) == _lowered(meant.element):
            return True
        fault = self.source.fault(place.start, len(place.text), "redefinition", message)
        self.clashes.setdefault(user.name, []).append(fault)
        return False

    def respelled(self, rule: Rule) -> Rule:
        """An imported rule, its references spelled as the rules that they mean here."""
        if all(self.spelling(name) == name for name in references(rule.element)):
            return rule
        return rule._replace(
            element=substituted(rule.element, lambda n: RuleRef(self.spelling(n) or n))
        )

    def joined(self, imported: Iterable[Rule], partial: bool) -> Model:
        """All rules together, checked against each other."""
        words = {word.text.lower(): (section, gloss) for word, section, gloss in self.header.rules}
        rules: dict[str, Rule] = {}
        for folded, found in self.own.items():
            name = found[0].name.text
            element = flat(Alternation, [d.element for d in found if d.element is not None])
            text = "\n".join(d.line.text for d in found)
            line = self.source.line(found[0].name.start)
            section, gloss = words.get(folded, ("", ""))
            rules[name] = Rule(
                name, element, text, self.name, self.source.file, line, section, gloss
            )
        own = tuple(rules)
        rules.update((rule.name, rule) for rule in imported)
        elements = {name: rule.element for name, rule in rules.items()}
        ending = elements | dict.fromkeys(self.undefined, NumVal((0,)))
        faults = {flaw.rule: [self.note(flaw)] for flaw in unproductive(ending, own)}
        starts = tuple(dict.fromkeys(self.spelling(w.text) or "" for w in self.header.starts))
        starts = starts or starts_of(elements, own)
        if not partial:
            if self.header.starts:
                for flaw in unreachable(elements, own, starts):
                    self.note(flaw)
            return Model(self.name, self.header.title, rules, starts)
        for name in own:
            for target in references(elements[name]):
                faults.setdefault(name, []).extend(self.undefined.get(target, ()))
        for name, clashes in self.clashes.items():
            faults.setdefault(self.spelling(name) or name, []).extend(clashes)
        known = {name: tuple(found) for name, found in faults.items() if found}
        leading = _leading(known, elements)
        unusable = {name: leading[name] for name in rules if name in leading}
        kept = {name: rule for name, rule in rules.items() if name not in unusable}
        usable = tuple(name for name in starts if name in kept)
        return Model(
            self.name,
            self.header.title,
            kept,
            usable or starts_of(elements, [name for name in own if name in kept]),
            unusable=unusable,
            meant=starts[0] if starts[0] in unusable else None,
        )

    def note(self, flaw: Flaw) -> Fault:
        """Make a fault of a flaw, at the reference or the rule that it is about."""
        found = self.own[flaw.rule.lower()]
        start, length = found[0].name.start, len(found[0].name.text)
        if flaw.reference is not None:
            use = [use for definition in found for use in definition.uses][flaw.reference]
            start, length = use.start, use.length
        return self.source.fault(start, length, flaw.cause, flaw.message)

    def completed(self, model: Model) -> Model:
        """The model with the facts of its header, or else of the imported headers."""

        def known(names: Iterable[str]) -> list[str]:
            spelled = (self.spelling(name) for name in names)
            return [name for name in spelled if name in model.rules]

        header = self.header
        components: dict[str, str] = {}
        for component, words in header.components:
            for name in known(word.text for word in words):
                components.setdefault(name, component.text)
        leaves = set(known(word.text for word in header.leaves))
        fixable = {word.text for word in header.fix}
        escape = known([header.escape.text]) if header.escape else []
        for other in self.imports:
            if not header.components:
                for production, made in other.components.items():
                    for name in known([production]):
                        components.setdefault(name, made)
            if not header.leaves:
                leaves.update(known(other.leaves))
            if not header.fix:
                fixable |= other.fixable
            if not escape and other.escape:
                escape = known([other.escape])
        escape = escape or known([ESCAPE])
        return model._replace(
            components=components,
            leaves=frozenset(leaves),
            fixable=frozenset(fixable & set(components.values())),
            escape=escape[0] if escape else None,
            split=header.split.text if header.split else None,
            schemes={
                scheme.text.lower(): rule
                for schemes, named in header.schemes
                for rule in known([named.text])
                for scheme in schemes
            },
            source=header.source,
            cites={name: words for other in self.imports for name, words in other.cites.items()}
            | ({self.name: header.cites} if header.cites else {}),
        )


def _leading(
    faults: dict[str, tuple[Fault, ...]], elements: Mapping[str, Element]
) -> dict[str, tuple[str, tuple[Fault, ...]]]:
    """The rules with faults, and those that lead to one: the next rule on the shortest way."""
    users = users_of({name: references(element) for name, element in elements.items()})
    found = {name: (name, own) for name, own in faults.items()}
    waiting = list(found)
    for name in waiting:
        for user in users.get(name, ()):
            if user not in found:
                found[user] = name, found[name][1]
                waiting.append(user)
    return found


def _lowered(element: Element) -> Element:
    """The element, names of rules in lower case."""
    return substituted(element, lambda name: RuleRef(name.lower()))
