"""What a form of mistake is, and what its recognizer is given.

Owns ``Form``, ``Seen`` and ``Correction``. Imports ``report`` and the bundled grammars.
Invariant: a recognizer never raises, whatever the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple, TypeAlias

from ..grammar import registry
from ..report import Meant, Report, Violation, spliced
from ..text.invisible import hidden, hides

GENERIC = "rfc3986"


class Seen:
    """A report, as recognizers look at it: ``text`` is its text, ``first`` its first violation."""

    def __init__(self, report: Report, whole: bool) -> None:
        self.report = report
        self.text: str = report.text
        self.first: Violation | None = report.violations[0] if report.violations else None
        self.whole = whole

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the advice on the text. Cost: that of advice, when it is first asked."""
        return frozenset(advice.code for advice in self.report.advice)

    @cached_property
    def hidden(self) -> dict[int, str]:
        """The places of characters that are not seen, in order, each with the reason."""
        text = self.text
        if (text.isascii() and text.isprintable()) or not hides(text):
            return {}
        wraps = self.whole  # what is read as what wraps a text
        places = (at for at, char in enumerate(text) if not (char.isascii() and char.isprintable()))
        return {
            at: why
            for at in places
            if not (wraps and (text[at] == "\t" or len(f"{text[at]}.".splitlines()) > 1))
            and (why := hidden(text, at))
        }

    def component(self, name: str) -> str | None:
        """The text of a component; None if the text does not have it."""
        found = self.report.components.get(name)
        return None if found is None else found.text

    def edited(self, edits: Iterable[tuple[int, int, str]], about: str = "") -> Correction:
        """The correction of these parts, each with what is meant; it explains nothing else.

        Starts and ends are in code points, and the parts in order and disjoint.
        """
        made = [*edits]
        spans = tuple([(start, end) for start, end, _ in made])
        return Correction((spliced(self.text, made),), about, spans)

    def inside(self, *written: str, about: str = "") -> Correction:
        """The correction of a text that is one of these, the first, and more around it."""
        start = self.text.index(written[0])
        ends = (0, start), (start + len(written[0]), len(self.text))
        return Correction(written, about, tuple([(low, high) for low, high in ends if low < high]))

    def replaced(self, start: int, end: int, *written: str, about: str = "") -> Correction:
        """The correction of a part of the text, which is one of these instead."""
        before, after = self.text[:start], self.text[end:]
        texts = tuple([f"{before}{one}{after}" for one in written])
        return Correction(texts, about, ((start, end),))


class Correction(NamedTuple):
    """What a recognizer found: the ``texts`` that may be meant, the best first.

    They need not be valid: only this mistake is corrected in them. Without any, the mistake is
    known, but nothing can be suggested. ``about`` fills the ``{}`` of the form's sentence: a few
    characters of the text. ``spans``, in code points and disjoint, are the parts of the text that
    the sentence is about; None for all of it.
    """

    texts: tuple[str, ...] = ()
    about: str = ""
    spans: tuple[tuple[int, int], ...] | None = None


Recognizer: TypeAlias = Callable[[Seen], Correction | None]


class Form(NamedTuple):
    """A form of mistake: its ``code`` is never used for another.

    ``sentence`` says what the mistake is, to a person. A form of ``any_rule`` is of texts of all
    rules, and not only of those that have components. A ``slip`` is what nobody writes on purpose,
    and what no text around a URI can explain.
    """

    code: str
    sentence: str
    recognize: Recognizer
    any_rule: bool = False
    slip: bool = False

    @property
    def theme(self) -> str:
        """The name of the module of its recognizer."""
        return self.recognize.__module__.rpartition(".")[2]

    def meant_by(self, found: Correction) -> Meant:
        """What is meant by a text in which the recognizer found this mistake."""
        reason = self.sentence.replace("{}", found.about)
        spans = None if found.spans is None else tuple(sorted(found.spans))
        return Meant(self.code, reason, found.texts, spans)


def form(
    code: str, sentence: str, any_rule: bool = False, slip: bool = False
) -> Callable[[Recognizer], Form]:
    """Make a form of the recognizer that is decorated."""

    def made(recognize: Recognizer) -> Form:
        return Form(code, sentence, recognize, any_rule, slip)

    return made


def accepts(rule: str, text: str) -> bool:
    """Whether a rule of RFC 3986 accepts a text."""
    return registry.load(GENERIC).accepts(rule, text)


def are_hex(text: str) -> bool:
    """Whether a text, which can be empty, consists of hexadecimal digits."""
    return all(accepts("HEXDIG", char) for char in text)
