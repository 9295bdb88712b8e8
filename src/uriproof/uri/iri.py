"""IRIs as URIs, and URIs as IRIs.

Owns the two mappings of RFC 3987 section 3. Imports the grammars and its siblings. Invariant: an
IRI made of a URI maps back to it, except for the case of digits and escapes of unreserved
characters; no host becomes another one by more than its case.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from operator import attrgetter
from unicodedata import category

from ..arguments import flags, strings
from ..grammar import registry
from ..limits import LONGEST_NAME
from ..percent.characters import GRAMMAR, decodable, keep_dots, spellings
from ..percent.errors import violation
from ..percent.hosts.labels import labels, u_label
from ..report import Component, Report, Violation
from ..text.drawing import named
from ..text.invisible import BIDI_CONTROLS, reason
from ..validate.octets import encoded_beyond_ascii
from ..validate.report import make_report
from .components import InvalidComponents


def iri_to_uri(text: str, *, idna: bool = False) -> str:
    """The URI that an IRI, or a relative IRI reference, maps to.

    Each character that is not ASCII becomes its octets in UTF-8, percent-encoded; all else stays,
    and a URI is its own. With ``idna``, the labels of the host become A-labels instead: that is
    for schemes whose hosts are domain names. No label is mapped to another name silently.

    Errors: InvalidComponents, with all that no IRI holds, and each label that has no A-label, or
    only that of another name; TypeError. Cost: O(n). Source: RFC 3987 sections 3.1 and 4.1.

    >>> iri_to_uri("http://www.example.org/red%09ros\u00e9#red")
    'http://www.example.org/red%09ros%C3%A9#red'
    >>> iri_to_uri("http://r\u00e9sum\u00e9.example.org", idna=True)
    'http://xn--rsum-bpad.example.org'
    """
    strings(text=text)
    flags(idna=idna)
    report = make_report(registry.load("rfc3987"), text, "IRI-reference")
    violations = [*report.violations, *_bidi_controls(report)]
    start = end = 0
    labels: list[str] = []
    host = report.components.get("host")
    if idna and host is not None and not host.text.startswith("["):
        start, end = host.start, host.end
        labels = _a_labels(host, violations)
    if violations:
        found = tuple(sorted(violations, key=attrgetter("start", "end")))
        names = report.rule, report.grammar
        raise InvalidComponents(Report(text, *names, report.components, found))
    return "".join([*map(encoded_beyond_ascii, (text[:start], *labels, text[end:]))])


def uri_to_iri(text: str, *, idna: bool = False) -> str:
    """The IRI that a URI, or a relative reference, can be written as.

    Escapes are decoded, except those of ``%``, of reserved characters, of ASCII characters that
    URIs cannot hold, of octets that are not UTF-8, of control, format, space, private, unassigned
    and invisible characters, and of dots that would become a dot-segment; and those of unreserved
    characters where they mean something else (see ``normalize``). With ``idna``, A-labels of the
    host become the labels that they stand for, unless these have joiners, or the host is longer
    than any name.

    Errors: InvalidComponents, for a text that is not a URI reference; TypeError. Cost: O(n).
    Source: RFC 3987 sections 3.2, 4.1 and 6.1.

    >>> uri_to_iri("http://www.example.org/D%C3%BCrst%FC%2F%e2%80%ae")
    'http://www.example.org/D\u00fcrst%FC%2F%E2%80%AE'
    >>> uri_to_iri("http://xn--99zt52a.example.org/", idna=True)
    'http://\u7d0d\u8c46.example.org/'
    """
    strings(text=text)
    flags(idna=idna)
    report = make_report(registry.load(GRAMMAR), text, "URI-reference")
    if not report.ok:
        raise InvalidComponents(report)
    iri: list[str] = []
    scheme = report.components["scheme"].text if "scheme" in report.components else ""
    at = 0
    for name, component in report.components.items():
        found = component.text
        if name == "host" and idna and len(found) <= LONGEST_NAME + 1:
            found = ".".join(map(_shown_label, found.split(".")))
        plain = decodable(scheme, name, found)
        read = found
        if "%" in found:
            read = "".join([_shown(*one, name, plain) for one in spellings(found)])
        iri += text[at : component.start], keep_dots(found, read) if name == "path" else read
        at = component.end
    return "".join(iri)


_violation = partial(violation, grammar="rfc3987")


def _bidi_controls(report: Report) -> Iterator[Violation]:
    """The characters that no IRI has, though its grammar does not say so (RFC 3987 §4.1)."""
    if BIDI_CONTROLS.isdisjoint(report.text):
        return
    for component in report.components.values():
        for at, char in enumerate(component.text, component.start):
            if char in BIDI_CONTROLS:
                words = f"{named(char)} is not allowed in an IRI: it reorders what is displayed."
                yield _violation(component.name, component.production, at, at + 1, words)


@lru_cache(4096)
def _may_stand(char: str, component: str) -> bool:
    """Whether a character that is not ASCII is allowed in a component (RFC 3987 section 2.2), and
    is seen."""
    if component in ("scheme", "port") or category(char)[0] in "CZ" or reason(char):
        return False
    accepts = registry.load("rfc3987").accepts
    rules = ("ucschar", "iprivate") if component == "query" else ("ucschar",)
    return any(accepts(rule, char) for rule in rules)


def _a_labels(host: Component, violations: list[Violation]) -> list[str]:
    """The host with its labels as A-labels; labels without one, or with another one, are added."""
    written: list[str] = []
    at = 0
    for label in labels(host.text):
        start, end = host.start + label.start, host.start + label.end
        words = f"This label has no ASCII form: {label.error}." if label.error else ""
        if label.mapped is not None:
            words = f'The ASCII form of this label is another name; write "{label.mapped}".'
        if words:
            violations.append(_violation("host", "ireg-name", start, end, words))
        written.append(host.text[label.start : label.end] if label.made is None else label.made)
        at = label.end
        if at < len(host.text):
            if host.text[at] != ".":
                words = f'{named(host.text[at])} separates labels here; write ".".'
                violations.append(_violation("host", "ireg-name", end, end + 1, words))
            written.append(".")
    return written


def _shown(written: str, char: str, component: str, plain: frozenset[str]) -> str:
    """A character as it is written, or bare if it can be."""
    if char == written or (char and char.isascii()):
        return char if char in plain else written
    return char if char and _may_stand(char, component) else written.upper()


def _shown_label(label: str) -> str:
    plain = u_label(label.lower()) or label
    return label if any(map(reason, plain)) else plain
