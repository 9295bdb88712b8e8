"""The table of codes: every code that can be said, and what explains it.

Owns the table. Imports the grammar's model, ``advice`` and ``lint.rules``. Invariant: the codes of
violations come out of the grammar, those of advice and of the linter out of the rules' own files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pkgutil import iter_modules
from typing import Literal, get_args

from ..grammar import registry
from ..report import Kind

__all__ = ["Code", "Group", "codes", "names"]

Group = Literal["violations", "advice", "linter"]

_TITLES = {
    "illegal": "A character that cannot stand in the {0}",
    "bad-escape": "A percent sign without two hexadecimal digits in the {0}",
    "missing": "Something is missing in the {0}",
    "extra": "A {0} where there can be none",
}
_WHYS = {
    "illegal": "The production that the {0} is held to does not allow the character where it is.",
    "bad-escape": "A percent sign begins a percent-encoded octet (RFC 3986 §2.1), and only that.",
    "missing": "The production that the {0} is held to wants more than there is.",
    "extra": "The rule that the whole is held to has no {0}.",
}


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its title, why it is said, and a text that gets it beside one that does not.

    ``section`` is where the grammar's text is specified, empty for other codes.
    """

    code: str
    title: str
    why: str
    good: str
    bad: str
    section: str
    kind: Group


@cache
def names() -> dict[str, Group]:
    """Every code with its group. Cost: a look at the names of the rules' files, the first time.

    >>> names()["path-illegal"], names()["dot-segments"], names()["unused-suppression"]
    ('violations', 'advice', 'linter')
    """
    from .. import advice
    from . import rules

    found: dict[str, Group] = dict.fromkeys(sorted(_violations()), "violations")
    found.update(dict.fromkeys(_named(advice.__path__), "advice"))
    found.update(dict.fromkeys(_named(rules.__path__), "linter"))
    return found


def _named(folder: Iterable[str]) -> list[str]:
    """The codes of the rules in a package, each named as its module."""
    modules = (module.name for module in iter_modules(folder))
    return sorted(name.replace("_", "-") for name in modules if name[0] != "_")


def _violations() -> dict[str, str]:
    """The codes of violations, each with its component: whatever a component may be blamed for.

    Only a component whose production leads to an escape sequence can have a bad one.
    """
    model = registry.load("rfc3986").model
    found: dict[str, str] = {}
    for component in dict.fromkeys(model.components.values()):
        for kind in get_args(Kind):
            if kind != "bad-escape" or component in model.mend or component == "host":
                found[f"{component}-{kind}"] = component
    return found


@cache
def codes() -> dict[str, Code]:
    """Every code with what explains it. Cost: some hundred checks, the first time.

    >>> codes()["path-illegal"].bad
    'http://me@example.com:80/a"?b#c'
    """
    from ..advice import rules as advice
    from .rules import rules as own

    examples = dict(_examples())
    found: dict[str, Code] = {}
    for code, component in sorted(_violations().items()):
        kind = code.removeprefix(f"{component}-")
        bad, good, section = examples.get(code, ("", "", ""))
        title, why = _TITLES[kind].format(component), _WHYS[kind].format(component)
        found[code] = Code(code, title, why, good, bad, section, "violations")
    for rule in advice():
        found[rule.CODE] = Code(rule.CODE, rule.TITLE, rule.WHY, rule.GOOD, rule.BAD, "", "advice")
    for code, one in own().items():
        found[code] = Code(code, one.TITLE, one.WHY, one.GOOD, one.BAD, "", "linter")
    return found


_SEEDS = ("http://me@example.com:80/a?b#c", "http://[::1]/", "http://example.com/")
_PUT_IN = ('"', "%", "[", ":", "", "http:", "#")


def _examples() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Per code, a text that gets it alone, one that does not, and the section."""
    from ..validate.check import check

    grammar = registry.load("rfc3986")
    seen: set[str] = set()
    for rule in ("URI", "absolute-URI", "relative-ref"):
        for seed in _SEEDS:
            for at in range(len(seed), -1, -1):
                for put, cut in ((put, cut) for put in _PUT_IN for cut in (0, 1)):
                    text = seed[:at] + put + seed[at + cut :]
                    found = check(grammar, text, rule).violations
                    if len(found) == 1 and found[0].code not in seen:
                        seen.add(found[0].code)
                        yield found[0].code, (text, seed, found[0].section)
