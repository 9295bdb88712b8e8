"""Reads a prose value that names a rule of another specification: ``<port, see [RFC3986], …>``.

Owns the form in which RFCs refer to each other's rules. Imports the model and ``errors``.
Invariant: a rule that is found is one of that grammar, of the very name that the prose starts with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from ...text.names import did_you_mean
from ..model import Model, Rule

GENERIC = "rfc3986"
QUOTE = '"'

_NAME = re.compile(
    r"[ \t]*([A-Za-z][A-Za-z0-9-]*)"
    r"(?=[ \t]*(?:[,;:(\[]|$)|[ \t]+(?:see|from|in|of|as|is|defined|specified|described|per)\b)"
)
_RFC = re.compile(r"\bRFC[ -]?0*([1-9][0-9]*)\b", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:\b(?:section|sec\.|appendix)[ \t]*|§[ \t]*)([A-Z0-9]+(?:\.[0-9]+)*)", re.I
)


@dataclass(frozen=True, slots=True)
class ProseReference:
    """A rule that a prose value names, and the number of the RFC or the section that it cites."""

    rule: str
    rfc: str | None
    section: str | None

    def found(self, resolve: Callable[[str], Model]) -> tuple[str, Rule] | None:
        """The bundled grammar that is meant, and its rule; None where there is none.

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
    """What the text of a prose value refers to, or None where it is words alone. Cost: O(n).

    >>> read_prose("absolute-URI, see [RFC3986], Section 4.3")
    ProseReference(rule='absolute-URI', rfc='3986', section='4.3')
    >>> read_prose("any CHAR except tspecials") is None
    True
    """
    name, rfc, section = _NAME.match(text), _RFC.search(text), _SECTION.search(text)
    if name is None or (rfc is None and section is None):
        return None
    return ProseReference(name[1], rfc and rfc[1], section and section[1])


def advice_on_prose(
    prose: str, imports: Iterable[str], own: Collection[str], resolve: Callable[[str], Model]
) -> str:
    """What to do about a prose value that nothing gives a meaning, as the words of a fault.

    ``imports`` are the grammars that are imported, ``own`` the names of own rules in lower case.
    """
    said = "nothing says what this means; "
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
                f"{said}{rule.name} is a rule of this grammar, too: rename it, and then let the "
                f"header say {line}"
            )
        if grammar in imports:
            return f"{said}the {rule.name} of another import hides that of {grammar}"
        return f"the header has to say {line} for this to be its {rule.name}"
    try:
        known = resolve(f"rfc{named.rfc}").rules
    except LookupError:
        return f"{said}no grammar of RFC {named.rfc} is bundled: define its {named.rule}, or {add}"
    return f"{said}rfc{named.rfc} has no rule {named.rule}{did_you_mean(named.rule, known)}"
