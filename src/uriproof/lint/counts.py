"""How many diagnostics there are, of how many URLs, and the line that says so.

Owns the one count of a run, as ``diagnostic`` defines it: one code in one URL counts once, whatever
its severity, and as often as it is reported. Imports ``diagnostic`` alone. Invariant: the number in
the summary is that of the diagnostics that were yielded, and so of those that any format wrote; the
summary says how much was looked at, whatever was found.

>>> counts = Counts()
>>> counts.urls, counts.files = 12, 3
>>> counts.summary()
'Checked 12 URLs in 3 files: no diagnostics'
"""

from __future__ import annotations

from collections import Counter

from ..diagnostic import SEVERITIES, Diagnostic, Severity

__all__ = ["Counts"]


class Counts:
    """The numbers of one run.

    ``urls`` in ``files`` were looked at, of which ``iris`` URLs are valid only as IRIs. ``codes``
    and ``severities`` are those of the diagnostics, ``fixable`` the codes of those with a safe fix,
    ``unsafe`` of those with another. ``resolved`` diagnostics were fixed, or suppressed, or would
    be; ``known`` ones are in the baseline, ``suppressed`` ones were suppressed before.
    """

    def __init__(self) -> None:
        self.files = self.urls = self.iris = self.bytes = 0
        self.codes: Counter[str] = Counter()
        self.severities: Counter[Severity] = Counter()
        self.fixable: Counter[str] = Counter()
        self.unsafe = 0
        self.resolved = self.known = self.suppressed = 0
        self.unread: Counter[str] = Counter()
        """Files that were not read, by the class of the reason."""
        self.errors = 0
        """What could not be read or written."""
        self._places: set[str] = set()

    @property
    def total(self) -> int:
        """How many diagnostics there are."""
        return self.codes.total()

    def add(self, diagnostic: Diagnostic) -> None:
        """Count one more."""
        self.codes[diagnostic.code] += 1
        self.severities[diagnostic.severity] += 1
        self._places.add(diagnostic.file)
        if diagnostic.fixable == "safe":
            self.fixable[diagnostic.code] += 1
        elif diagnostic.fixable:
            self.unsafe += 1

    def at_least(self, severity: Severity) -> int:
        """How many diagnostics are at least as severe."""
        counted = SEVERITIES[SEVERITIES.index(severity) :]
        return sum(self.severities[one] for one in counted)

    def summary(self, did: str = "", *, safe: bool = True, unsafe: bool = True) -> str:
        """One line.

        ``did`` says what was done about the ``resolved`` ones ("fixed"), empty if nothing was to be
        done; ``safe`` and ``unsafe`` say whether to name the options that fix the others.
        """
        checked = f"Checked {_some(self.urls, 'URL')} in {_some(self.files, 'file')}"
        parts = [f"{checked}: {self._found(did)}" if self.files else "No file was checked"]
        if safe and (number := self.fixable.total()):
            parts.append(f"{number:,} fixable with --fix")
        if unsafe and self.unsafe:
            more = "more with" if safe and self.fixable else "fixable with --fix"
            parts.append(f"{self.unsafe:,} {more} --unsafe-fixes")
        if self.iris:
            one = self.iris == 1
            parts.append(
                f"{_some(self.iris, 'URL')} with non-ASCII characters {'is a' if one else 'are'} "
                f"valid IRI{'s' * (not one)} (--profile uri reports {'it' if one else 'them'})"
            )
        if self.known:
            parts.append(f"{self.known:,} in the baseline")
        if self.suppressed:
            parts.append(f"{self.suppressed:,} suppressed")
        for why in ("binary", "large"):
            if number := self.unread[why]:
                parts.append(f"{_some(number, f'{why} file')} not checked")
        if number := self.unread["lost"]:
            parts.append(f"{_some(number, 'URL')} not checked")
        if number := self.unread["unreadable"]:
            parts.append(f"{_some(number, 'file')} could not be read")
        return "; ".join(parts)

    def _found(self, did: str) -> str:
        """The diagnostics that are left, and those that something was done about."""
        where = f" in {_some(len(self._places), 'file')}" if self.total and self.files > 1 else ""
        kinds = [severity for severity in reversed(SEVERITIES) if self.severities[severity]]
        if len(kinds) > 1 or kinds == ["note"]:
            where = f" ({', '.join(_some(self.severities[s], s) for s in kinds)}){where}"
        if did and (self.resolved or self.total):
            left = f"{self.total:,}" if self.total else "none"
            return f"{_some(self.resolved, 'diagnostic')} {did}, {left} left{where}"
        return f"{_some(self.total, 'diagnostic') if self.total else 'no diagnostics'}{where}"


def _some(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
