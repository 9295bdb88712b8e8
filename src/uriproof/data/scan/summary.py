"""The counts of a scan: rows, violations by component, production and code, hosts and examples.

Owns ``Counts``. Imports the types of ``explain``. Invariant: counts of chunks add up to those of
the whole, in any order; memory is bounded except for the number of files, and if a bound was
reached, ``missed`` is more than 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from ...limits import MOST_HOSTS
from ...text.columns import ELLIPSIS

if TYPE_CHECKING:
    from ..explain import Shown

__all__ = ["MOST_EXAMPLES", "Counts", "Example", "Invalid", "OfFile"]


MOST_EXAMPLES = 3
"""Examples of a code that are kept: the first by the name of the file and the row."""

_LONGEST_HOST = 500  # code points; a DNS name has at most 253 (RFC 1035 §2.3.4)
_LONGEST_TEXT = 400  # code points of an example
_BEFORE = 120  # of them, before the first blamed character
_MOST_SPANS = 40

_Span = tuple[int, int]
Invalid: TypeAlias = "tuple[int, Shown]"
"""An invalid row: its number in its file, from 0, and the display form of its text."""


class OfFile(NamedTuple):
    """The counts of one file: ``null`` and ``invalid`` rows are among its ``rows``.

    ``broken`` rows could not be read, and are not among them: lines that are not JSON, for example.
    """

    rows: int = 0
    null: int = 0
    invalid: int = 0
    broken: int = 0

    def plus(self, other: OfFile) -> OfFile:
        """Both together."""
        return OfFile(*(a + b for a, b in zip(self, other, strict=True)))


class Example(NamedTuple):
    """A text with a violation: ``row`` counts from 0 in its file, passwords are masked.

    ``spans`` are the blamed ranges, in code points of ``text``. Of a long text there is an excerpt
    from ``first`` on; ``length`` is that of the whole.
    """

    file: str
    row: int
    text: str
    spans: tuple[_Span, ...]
    first: int
    length: int

    @classmethod
    def of(cls, file: str, row: int, text: str, spans: Iterable[_Span]) -> Example:
        """The example of a masked text and the spans, sorted, that one code blames in it.

        >>> Example.of("urls.txt", 0, "http://h/" + "a" * 1_000 + " ", [(1009, 1010)])[3:]
        (((399, 400),), 610, 1010)
        """
        blamed = list(spans)
        first = 0
        if len(text) > _LONGEST_TEXT:
            lowest = blamed[0][0] if blamed else 0
            first = max(0, min(lowest - _BEFORE, len(text) - _LONGEST_TEXT))
        excerpt = text[first : first + _LONGEST_TEXT]
        shown = (
            (start - first, min(end - first, len(excerpt)))
            for start, end in blamed[:_MOST_SPANS]
            if start - first < len(excerpt) or start == len(text)
        )
        return cls(file, row, excerpt, tuple(shown), first, len(text))


class Counts:
    """The counts of a chunk, of a file or of a whole scan.

    ``files`` has the rows of each file; ``rows``, ``null``, ``invalid`` and ``broken`` are their
    sums. ``components``, ``productions`` and ``codes`` count violations; ``hosts`` count invalid
    rows, in lower case. If ``missed`` is more than 0, there were more hosts than are kept: then the
    counts of hosts are lower bounds, and each host has at most ``missed`` rows more. Hosts with the
    same first 500 characters are counted as one.

    The arguments are earlier counts; without them, everything is 0.

    >>> counts = Counts(files={"a.txt": OfFile(rows=8, invalid=1)}, codes={"host-illegal": 2})
    >>> counts.rows, counts.invalid, counts.violations, counts.share
    (8, 1, 2, 0.125)
    """

    def __init__(
        self,
        files: Mapping[str, OfFile] | None = None,
        *,
        components: Mapping[str, int] | None = None,
        productions: Mapping[str, int] | None = None,
        codes: Mapping[str, int] | None = None,
        hosts: Mapping[str, int] | None = None,
        missed: int = 0,
        examples: Mapping[str, Iterable[Example]] | None = None,
    ) -> None:
        self.files: dict[str, OfFile] = {}
        self.rows: int = 0
        self.null: int = 0
        self.invalid: int = 0
        self.broken: int = 0
        self.components: Counter[str] = Counter(components or {})
        self.productions: Counter[str] = Counter(productions or {})
        self.codes: Counter[str] = Counter(codes or {})
        self.hosts: Counter[str] = Counter()
        self.missed: int = missed
        self.examples: dict[str, tuple[Example, ...]] = {}
        for name, of in (files or {}).items():
            self._add_file(name, of)
        for host, number in (hosts or {}).items():
            self.hosts[_host(host)] += number
        self._prune()
        for code, several in (examples or {}).items():
            self._add_examples(code, several)

    @property
    def violations(self) -> int:
        """How many violations there are."""
        return self.codes.total()

    @property
    def share(self) -> float:
        """The invalid rows among all that were read, from 0 to 1; 0 if there are none."""
        return self.invalid / self.rows if self.rows else 0.0

    def take(
        self,
        file: str,
        invalid: Sequence[Invalid],
        *,
        rows: int = 0,
        null: int = 0,
        broken: int = 0,
    ) -> None:
        """Count rows of a file: ``rows`` that were read, ``null`` ones among them; ``broken`` not.

        Each invalid row has its number in the file, from 0. Cost: O(violations).

        >>> from uriproof.data.explain import show
        >>> from uriproof import Rule
        >>> counts = Counts()
        >>> counts.take("a.txt", [(3, show(Rule(), "http://a b/"))], rows=5)
        >>> counts.codes, counts.hosts, counts.examples["host-illegal"][0].row
        (Counter({'host-illegal': 1}), Counter({'a b': 1}), 3)
        """
        self._add_file(file, OfFile(rows, null, len(invalid), broken))
        for row, (text, found, host) in invalid:
            for _, _, component, production, _, code, _ in found:
                self.components[component] += 1
                self.productions[production] += 1
                self.codes[code] += 1
            if host is not None:
                self.hosts[_host(host)] += 1
            for code in {of[5] for of in found}:
                kept = self.examples.get(code, ())
                if len(kept) < MOST_EXAMPLES or (file, row) < kept[-1][:2]:
                    spans = [(of[0], of[1]) for of in found if of[5] == code]
                    self._add_examples(code, [Example.of(file, row, text, spans)])
        self._prune()

    def add(self, other: Counts) -> None:
        """Add the counts of another. Cost: O(files, hosts and codes of the other)."""
        for name, of in other.files.items():
            self._add_file(name, of)
        self.components.update(other.components)
        self.productions.update(other.productions)
        self.codes.update(other.codes)
        self.hosts.update(other.hosts)
        self.missed += other.missed
        self._prune()
        for code, several in other.examples.items():
            self._add_examples(code, several)

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values, the most frequent first; a lone surrogate stays one."""
        return {
            **{name: getattr(self, name) for name in OfFile._fields},
            "violations": self.violations,
            "components": ranked(self.components),
            "productions": ranked(self.productions),
            "codes": ranked(self.codes),
            "hosts": ranked(self.hosts),
            "missed": self.missed,
            "files": {name: of._asdict() for name, of in sorted(self.files.items())},
            "examples": {
                code: [example._asdict() for example in several]
                for code, several in sorted(self.examples.items())
            },
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Counts:
        """The value of ``to_dict``, also after JSON. Errors: KeyError, TypeError for other values.

        >>> Counts.from_dict(Counts().to_dict()) == Counts()
        True
        """
        return cls(
            {name: OfFile(**of) for name, of in given["files"].items()},
            components=given["components"],
            productions=given["productions"],
            codes=given["codes"],
            hosts=given["hosts"],
            missed=given["missed"],
            examples={
                code: [
                    Example(**{**one, "spans": tuple((a, b) for a, b in one["spans"])})
                    for one in several
                ]
                for code, several in given["examples"].items()
            },
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and vars(self) == vars(other)

    __hash__: ClassVar[None]  # type: ignore[assignment]  # counts change

    def __repr__(self) -> str:
        return f"<Counts: {self.rows:,} rows, {self.invalid:,} invalid>"

    def _add_file(self, name: str, of: OfFile) -> None:
        known = self.files.get(name)
        self.files[name] = of if known is None else known.plus(of)
        self.rows += of.rows
        self.null += of.null
        self.invalid += of.invalid
        self.broken += of.broken

    def _add_examples(self, code: str, several: Iterable[Example]) -> None:
        both = {*self.examples.get(code, ()), *several}
        self.examples[code] = tuple(sorted(both)[:MOST_EXAMPLES])

    def _prune(self) -> None:
        """Keep the hosts with most rows; an omitted one can have had as many as the next."""
        if len(self.hosts) <= MOST_HOSTS:
            return
        kept = list(ranked(self.hosts).items())
        self.missed += kept[MOST_HOSTS][1]
        self.hosts = Counter(dict(kept[:MOST_HOSTS]))


def ranked(counted: Mapping[str, int]) -> dict[str, int]:
    """The most frequent first, equal ones by name.

    >>> ranked({"a": 1, "b": 2, "c": 2})
    {'b': 2, 'c': 2, 'a': 1}
    """
    return dict(sorted(counted.items(), key=lambda each: (-each[1], each[0])))


def _host(host: str) -> str:
    host = host.lower()
    return host if len(host) <= _LONGEST_HOST else host[:_LONGEST_HOST] + ELLIPSIS
