"""Reads the text of a grammar: ABNF with a header of structured comments in, a model out.

Owns the division of a text into rules, its header, and the joining of own and imported rules.
Imports ``model``, ``errors`` and the two modules that read elements and check rules. Invariant:
a model that comes out has no undefined name, is regular, and every rule in it can match; otherwise
one ``GrammarError`` tells all that is wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from .check_model import Finding, reachable, recursion, starts_of, unreachable
from .errors import Cause, Fault, GrammarError, near
from .model import (
    Alternation,
    Concatenation,
    Element,
    Model,
    Repetition,
    Rule,
    RuleRef,
    children,
    references,
)
from .read_elements import Piece, ReadError, Use, flat, pieces, read_elements, read_name

__all__ = ["read_abnf"]

CORE = "rfc5234"
_NEAR = 50
"""Near names are looked for in so many faults of one text: each costs time."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_DIRECTIVE = re.compile(
    r"[ \t]*; (title|source|imports|starts|component|leaves|mend|escape|split|rule|prose):(.*)"
)
_WORD = re.compile(r"[^ \t]+")
_PROSE = re.compile(r"[ \t]*<([^>]*)>[ \t]*=[ \t]*")


def read_abnf(text: str, *, name: str, file: str, resolve: Callable[[str], Model]) -> Model:
    """Read a grammar.

    ``name`` and ``file`` are what messages and rules call it; ``resolve`` gives the model of an
    imported grammar by its name, or raises LookupError. The first lines may be comments that say
    ``; title:``, ``; imports:``, ``; starts:`` and so on; without ``imports`` the core rules of
    RFC 5234 are imported, without ``starts`` the rules that no other rule uses are start rules.

    Errors: GrammarError with every fault, each at its line and column.
    Cost: O(len(text)). Source: RFC 5234 §2-4, RFC 7405 §2.

    >>> core = read_abnf("DIGIT = %x30-39", name="rfc5234", file="core.abnf", resolve=str)
    >>> model = read_abnf("a = 1*DIGIT / b\\nb = <DIGIT> [ %s\\"x\\" ]", name="g", file="g.abnf",
    ...                   resolve=lambda name: core)
    >>> [f"{rule.name} = {rule.element}" for rule in model.rules.values()]
    ['a = 1*DIGIT / b', 'b = DIGIT [ %s"x" ]', 'DIGIT = %x30-39']
    >>> model.starts
    ('a',)
    """
    return _Reader(text, name, file, resolve).model()


@dataclass(slots=True)
class _Definition:
    """One definition as it stands in the text; ``element`` is None if it could not be read."""

    name: Piece
    operator: Piece
    body: list[Piece]
    text: str
    element: Element | None = None
    uses: list[Use] = field(default_factory=list)


@dataclass(slots=True)
class _Word:
    """A word of the header and its offset in the source."""

    text: str
    start: int


@dataclass(slots=True)
class _Header:
    title: str = ""
    imports: list[_Word] | None = None
    starts: list[_Word] = field(default_factory=list)
    components: list[tuple[_Word, list[_Word]]] = field(default_factory=list)
    leaves: list[_Word] = field(default_factory=list)
    mend: list[_Word] = field(default_factory=list)
    escape: _Word | None = None
    split: _Word | None = None
    rules: list[tuple[_Word, str, str]] = field(default_factory=list)
    prose: list[tuple[str, Piece, list[Piece]]] = field(default_factory=list)


class _Reader:
    """The state of one reading: the text, what has been found in it, and the faults so far."""

    def __init__(self, text: str, name: str, file: str, resolve: Callable[[str], Model]) -> None:
        self.text = text
        self.name = name
        self.file = file
        self.resolve = resolve
        self.faults: list[Fault] = []
        self.header = _Header()
        self.definitions: list[_Definition] = []
        self.own: dict[str, list[_Definition]] = {}  # by folded name, in order
        self.pool: dict[str, tuple[Rule, Model]] = {}  # imported rules by folded name
        self.imports: list[Model] = []
        self.prose: dict[str, Element] = {}
        lines = [m.span() for m in _LINE.finditer(text) if m.end() > m.start()]
        self.lines = [(start, start + len(text[start:end].rstrip("\r\n"))) for start, end in lines]
        self.line_starts = [start for start, _ in self.lines]

    # Faults

    def fault(self, start: int, length: int, cause: Cause, message: str) -> None:
        """Note a fault at an offset of the text; it is cut at the end of its line."""
        number = max(bisect_right(self.line_starts, start) - 1, 0)
        first, end = self.lines[number] if self.lines else (0, 0)
        length = max(min(length, end - start), 0)
        place = (self.file, number + 1, start - first + 1)
        self.faults.append(Fault(*place, cause, message, self.text[first:end], length))

    def undefined(self, name: str, start: int, length: int) -> None:
        """Note that a name means nothing, and what may be meant."""
        message = f"no rule is named {name}"
        if sum(f.cause == "undefined" for f in self.faults) < _NEAR:
            core = None if name.lower() in self.pool else self.core_rule(name)
            close = near(name, [*self.names(), *(r.name for r, _ in self.pool.values())])
            if core:
                message += f'; it is a core rule: add {CORE} to the line "; imports:"'
            elif close:
                message += f"; did you mean {' or '.join(close)}?"
        self.fault(start, length, "undefined", message)

    def core_rule(self, name: str) -> Rule | None:
        try:
            return None if self.name == CORE else self.resolve(CORE).find(name)
        except LookupError:
            return None

    def stop(self) -> None:
        """Raise what has been noted so far, if anything."""
        if self.faults:
            raise GrammarError(sorted(self.faults, key=lambda f: (f.line, f.column)))

    # The text

    def model(self) -> Model:
        self.divide()
        self.read_imports()
        self.read_prose()
        for definition in self.definitions:
            self.read_definition(definition)
        self.check_header()
        imported = self.needed()
        self.stop()  # what follows makes sense only where every name means something
        return self.finish(imported)

    def divide(self) -> None:
        """Header and rules: a rule starts at the indentation that all rules share."""
        found: list[tuple[int, int, list[Piece]]] = []  # offset and indentation of a line
        for start, end in self.lines:
            line = self.text[start:end]
            if start == 0 and line.startswith("\ufeff"):  # a byte order mark is no part of it
                line, start = line[1:], 1
            parts = pieces(line, start)
            if parts:
                lead = line[: parts[0].start - start]
                found.append((start, len(lead.expandtabs(8)), parts))
            elif not found and (directive := _DIRECTIVE.fullmatch(line)):
                self.read_directive(directive, start)
        if not found:
            self.fault(0, 0, "syntax", "there is no rule in this text")
            return
        margin = min(indentation for _, indentation, _ in found)
        rule: list[Piece] = []
        shown: list[str] = []
        for start, indentation, parts in [*found, (0, margin, [])]:
            if indentation == margin or not rule:
                if rule:
                    self.divide_rule(rule, "\n".join(shown))
                rule, shown = [], []
                if parts and indentation > margin:
                    message = "an indented line continues a rule, but none goes before it"
                    self.fault(parts[0].start, len(parts[0].text), "syntax", message)
                    continue
            rule += parts
            if parts:
                line = self.text[parts[0].start : parts[-1].end]
                shown.append(" " * (indentation - margin) + line)

    def divide_rule(self, parts: list[Piece], text: str) -> None:
        """Name, "=" or "=/", and the rest."""
        try:
            read_name(parts)
        except ReadError as wrong:
            self.fault(wrong.start, wrong.length, "syntax", wrong.message)
            return
        definition = _Definition(parts[0], parts[1], parts[2:], text)
        folded = parts[0].text.lower()
        before = self.own.get(folded)
        where, length = definition.name.start, len(definition.name.text)
        if definition.operator.text == "=/" and not before:
            message = (
                f'"=/" adds to a rule, but no rule {parts[0].text} is defined before this line'
            )
            self.fault(where, length, "undefined", message)
        elif definition.operator.text == "=" and before:
            line = bisect_right(self.line_starts, before[0].name.start)
            message = (
                f"{before[0].name.text} is defined in line {line} already; "
                'use "=/" to add alternatives to it'
            )
            self.fault(where, length, "redefinition", message)
        self.own.setdefault(folded, []).append(definition)
        self.definitions.append(definition)

    # The header

    def read_directive(self, match: re.Match[str], start: int) -> None:
        """One structured comment; ``start`` is the offset of its line."""
        at = start + match.start(2)
        value = match[2].strip()
        words = [_Word(w[0], at + w.start()) for w in _WORD.finditer(match[2])]
        header = self.header
        complaint = ""
        match match[1]:
            case "title":
                header.title = value
            case "source":
                pass  # for the reader of the file; nothing in the model
            case "imports":
                header.imports = [*(header.imports or ()), *words]
            case "starts" | "leaves" | "mend" as key:
                getattr(header, key).extend(words)
            case "component":
                if len(words) > 2 and words[1].text == "=":
                    header.components.append((words[0], words[2:]))
                else:
                    complaint = "; component: NAME = PRODUCTION ..."
            case "escape" | "split" as key:
                if len(words) == 1:
                    setattr(header, key, words[0])
                else:
                    complaint = f"; {key}: NAME"
            case "rule":
                if len(words) > 2:
                    gloss = match[2][words[2].start - at :].strip()
                    header.rules.append((words[0], words[1].text, gloss))
                else:
                    complaint = "; rule: NAME SECTION GLOSS"
            case "prose":
                if prose := _PROSE.match(match[2]):
                    before = Piece("=", at + match[2].index("=", prose.end(1)), True)
                    body = pieces(match[2][prose.end() :], at + prose.end())
                    header.prose.append((prose[1].strip(), before, body))
                else:
                    complaint = "; prose: <TEXT> = ELEMENTS"
        if complaint:
            message = f'this line of the header is written "{complaint}"'
            self.fault(start, at - start + len(match[2].rstrip()), "header", message)

    def read_imports(self) -> None:
        words = self.header.imports
        if words is None:
            words = [] if self.name == CORE else [_Word(CORE, 0)]
        for word in words:
            try:
                if word.text == self.name:
                    raise LookupError(f"grammar {self.name} cannot import itself")
                model = self.resolve(word.text)
            except LookupError as error:
                self.fault(word.start, len(word.text), "header", str(error))
                continue
            self.imports.append(model)
            for name, rule in model.rules.items():
                self.pool.setdefault(name.lower(), (rule, model))
        if (split := self.header.split) is not None:
            try:
                self.resolve(split.text)
            except LookupError as error:
                self.fault(split.start, len(split.text), "header", str(error))

    def read_prose(self) -> None:
        for key, before, body in self.header.prose:
            try:
                element = read_elements(body, before, self.refer, self.means)
            except ReadError as wrong:
                self.fault(wrong.start, wrong.length, "syntax", wrong.message)
            else:
                self.prose[key] = element

    def check_header(self) -> None:
        """Every name in the header means something."""
        header = self.header
        words = [
            *header.starts,
            *header.leaves,
            *(w for _, found in header.components for w in found),
        ]
        words += [header.escape] if header.escape else []
        for word in words:
            if self.spelling(word.text) is None:
                self.undefined(word.text, word.start, len(word.text))
        for word, _, _ in header.rules:
            if word.text.lower() not in self.own:
                self.undefined(word.text, word.start, len(word.text))
        components = {word.text for word, _ in header.components} or {
            component for model in self.imports for component in model.components.values()
        }
        for word in header.mend:
            if word.text not in components:
                message = f"no component is named {word.text}"
                self.fault(word.start, len(word.text), "header", message)

    # Rules

    def names(self) -> Iterable[str]:
        return (found[0].name.text for found in self.own.values())

    def spelling(self, name: str) -> str | None:
        """The name of a rule as its definition spells it; an own rule hides an imported one."""
        folded = name.lower()
        if folded in self.own:
            return self.own[folded][0].name.text
        return self.pool[folded][0].name if folded in self.pool else None

    def refer(self, use: Use) -> Element:
        name = self.spelling(use.name)
        if name is None:
            self.undefined(use.name, use.start, use.length)
        return RuleRef(name or use.name)

    def means(self, use: Use) -> Element:
        """The element that a prose value stands for (RFC 5234 §2.1 and §4)."""
        known = self.prose.get(use.name.strip())
        if known is not None:
            return known
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", use.name):
            return self.refer(use)
        message = f'nothing says what this means; add a line "; prose: <{use.name}> = ..." on top'
        self.fault(use.start, use.length, "undefined", message)
        return RuleRef(use.name)

    def read_definition(self, definition: _Definition) -> None:
        uses = definition.uses

        def refer(use: Use) -> Element:
            uses.append(use)
            return self.refer(use)

        def means(use: Use) -> Element:
            element = self.means(use)
            uses.extend(use for _ in references(element))
            return element

        try:
            definition.element = read_elements(definition.body, definition.operator, refer, means)
        except ReadError as wrong:
            self.fault(wrong.start, wrong.length, "syntax", wrong.message)

    def needed(self) -> dict[str, Rule]:
        """The imported rules that are needed, in the order of the imports."""
        header = self.header
        words = [
            *header.starts,
            *header.leaves,
            *(w for _, found in header.components for w in found),
        ]
        words += [header.escape] if header.escape else []
        names = [word.text for word in words]
        for definition in self.definitions:
            if definition.element is not None:
                names += references(definition.element)
        found: dict[str, tuple[Rule, Model]] = {}
        stack = [n.lower() for n in names if n.lower() in self.pool and n.lower() not in self.own]
        while stack:
            folded = stack.pop()
            if folded in found:
                continue
            rule, model = found[folded] = self.pool[folded]
            for target in references(rule.element):
                if self.agrees(rule, model.rules[target]):
                    stack += [target.lower()] if target.lower() not in self.own else []
        ordered = {r.name: r for k, (r, _) in self.pool.items() if k in found}
        return {name: self.respelled(rule) for name, rule in ordered.items()}

    def agrees(self, user: Rule, meant: Rule) -> bool:
        """Whether a rule that an imported rule uses means here what it means there."""
        folded = meant.name.lower()
        own = self.own.get(folded)
        if own is None:
            other = self.pool[folded][0]
            if _folded(other.element) == _folded(meant.element):
                return True
            message = (
                f"{user.name} of {user.grammar} needs {meant.name} of {meant.grammar}, but "
                f"{other.grammar}, which is imported first, has another {other.name}"
            )
            word = next(
                (w for w in self.header.imports or () if w.text == user.grammar), _Word("", 0)
            )
            self.fault(word.start, len(word.text), "redefinition", message)
            return False
        elements = [d.element for d in own if d.element is not None]
        if len(elements) != len(own) or _folded(flat(Alternation, elements)) == _folded(
            meant.element
        ):
            return True
        message = (
            f"{own[0].name.text} is not what {meant.name} of {meant.grammar} is, which "
            f"{user.name} of {user.grammar} needs here; give it another name, "
            f"or define {user.name} here too"
        )
        self.fault(own[0].name.start, len(own[0].name.text), "redefinition", message)
        return False

    def respelled(self, rule: Rule) -> Rule:
        """An imported rule, its references spelled as the rules that they now mean."""
        wrong = {n for n in references(rule.element) if self.spelling(n) not in (n, None)}
        if not wrong:
            return rule
        return replace(rule, element=_mapped(rule.element, lambda n: self.spelling(n) or n))

    # The whole

    def finish(self, imported: dict[str, Rule]) -> Model:
        header = self.header
        sections = {word.text.lower(): (section, gloss) for word, section, gloss in header.rules}
        rules: dict[str, Rule] = {}
        for folded, found in self.own.items():
            name = found[0].name.text
            element = flat(Alternation, [d.element for d in found if d.element is not None])
            line = bisect_right(self.line_starts, found[0].name.start)
            text = "\n".join(d.text for d in found)
            section, gloss = sections.get(folded, ("", ""))
            rules[name] = Rule(name, element, text, self.name, self.file, line, section, gloss)
        own = list(rules)
        rules.update(imported)
        elements = {name: rule.element for name, rule in rules.items()}
        starts = tuple(dict.fromkeys(self.spelling(w.text) or w.text for w in header.starts))
        findings = list(recursion(elements, own))
        if starts:
            findings += unreachable(elements, own, starts)
        for finding in findings:
            self.note(finding)
        self.stop()
        return self.completed(
            Model(self.name, header.title, rules, starts or starts_of(elements, own))
        )

    def note(self, finding: Finding) -> None:
        found = self.own[finding.rule.lower()]
        uses = [use for definition in found for use in definition.uses]
        name = found[0].name
        start, length = name.start, len(name.text)
        if finding.reference is not None:
            start, length = uses[finding.reference].start, uses[finding.reference].length
        self.fault(start, length, finding.cause, finding.message)

    def completed(self, model: Model) -> Model:
        """The model with what its header says, or else what the imported headers say."""
        header = self.header

        def spell(name: str) -> str | None:
            known = self.spelling(name)
            return known if known in model.rules else None

        components = {
            spell(w.text) or w.text: component.text
            for component, words in header.components
            for w in words
        }
        leaves = {spell(w.text) or w.text for w in header.leaves}
        mend = {w.text for w in header.mend}
        escape = spell(header.escape.text) if header.escape else None
        for other in self.imports:
            if not header.components:
                for name, component in other.components.items():
                    if known := spell(name):
                        components.setdefault(known, component)
            if not header.leaves:
                leaves |= {known for name in other.leaves if (known := spell(name))}
            if not header.mend:
                mend |= other.mend
            if escape is None and other.escape:
                escape = spell(other.escape)
        return replace(
            model,
            components=components,
            leaves=frozenset(leaves),
            mend=frozenset(mend & set(components.values())),
            escape=escape,
            split=header.split.text if header.split else None,
        )


def _mapped(element: Element, spell: Callable[[str], str]) -> Element:
    """The element with every rule's name spelled anew."""
    match element:
        case RuleRef(name):
            return RuleRef(spell(name))
        case Concatenation() | Alternation():
            return type(element)(tuple(_mapped(item, spell) for item in children(element)))
        case Repetition(item, least, most):
            return Repetition(_mapped(item, spell), least, most)
        case _:
            return element


def _folded(element: Element) -> Element:
    """The element with all rule names in lower case, to compare two (RFC 5234 §2.1)."""
    return _mapped(element, str.lower)
