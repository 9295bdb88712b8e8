"""Statements of a lesson that the engine decides.

Owns the kinds of statements and how each is decided. Imports the public functions when one is
decided. Invariant: the engine decides whether a claim is true or false, never the lesson; a claim
that makes no sense is a ``BadClaim``, in words for its author.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...errors import UriproofError
from ...grammar.derive.explain import Derivation
from ...grammars import compare_rules, explain
from ...limits import LONGEST_LESSON_TEXT
from ...percent.decode import decode
from ...percent.encode import encode
from ...percent.form import decode_form, decode_query
from ...percent.hosts.addresses import canonical_address
from ...report import Report
from ...rule import Grammar, Rule
from ...text.names import did_you_mean, or_list
from ...uri.components import split
from ...uri.normalize import Equivalence, equivalent, normalize
from ...uri.resolve import resolve
from ...workbench.read_pattern import read_pattern

Claim = Mapping[str, Any]


class BadClaim(UriproofError, ValueError):
    """A claim that cannot be decided; the message says why."""


@dataclass(frozen=True, slots=True)
class Context:
    """The default subject of a claim: a text, and a rule.

    ``seen`` is the result of a browser, if there is one.
    """

    text: str
    rule: Rule
    seen: Mapping[str, Any] = field(default_factory=dict)

    @property
    def grammar(self) -> str:
        return self.rule.grammar.name

    def report(self) -> Report:
        return self.rule.check(self.text)

    def derivation(self) -> Derivation:
        return explain(self.text, self.rule.name, self.rule.grammar)


def holds(claim: Claim, context: Context) -> bool:
    """Whether a claim is true. Errors: BadClaim.

    >>> here = Context("http://e.com?", Rule("URI"))
    >>> holds({"component": "query", "is": ""}, here), holds({"absent": "query"}, here)
    (True, False)
    >>> holds({"every": "IPv4address", "is": "reg-name"}, here)
    True
    """
    kind = kind_of(claim)
    known = CLAIMS[kind]
    subject = claim.get("of", claim[kind] if kind in ("valid", "invalid") else None)
    if isinstance(subject, str):
        context = replace(context, text=subject)
    try:
        if {"rule", "grammar"} & claim.keys():
            named = rule_of(claim.get("grammar"), claim.get("rule"), context.rule)
            context = replace(context, rule=named)
        return bool(known.decide(claim, context))
    except BadClaim:
        raise
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise BadClaim(f"{kind}: {error}") from None


def rule_of(grammar: str | None, rule: str | None, around: Rule) -> Rule:
    """A rule that is named; by default that of the exercise around it, or the grammar's start.

    Errors: UnknownGrammar, UnknownRule.
    """
    own = around.grammar.name
    default = around.name if grammar in (None, own) else None
    return Grammar.load(grammar or own).rule(rule or default)


def kind_of(claim: Claim) -> str:
    """Which kind of claim it is, with its keys and their types checked. Errors: BadClaim."""
    kinds = [key for key in claim if key in CLAIMS]
    if len(kinds) != 1:
        unknown = next((key for key in claim if key not in _SHARED), "")
        more = did_you_mean(unknown, CLAIMS) if unknown and not kinds else ""
        words = "two kinds of claim in one" if kinds else f"no kind of claim{more}"
        raise BadClaim(f"{words}; the kinds are {', '.join(CLAIMS)}")
    kind = kinds[0]
    known = CLAIMS[kind]
    _typed(kind, claim[kind], known.takes)
    allowed = {**_SHARED, **known.more}
    for key, value in claim.items():
        if key == kind:
            continue
        if key not in allowed:
            words = did_you_mean(key, allowed) or f"; use {or_list(allowed)}"
            raise BadClaim(f"{kind} has no key {key}{words}")
        _typed(key, value, allowed[key])
    for key in known.needs:
        if key not in claim:
            raise BadClaim(f"{kind} also needs {key}")
    return kind


def refutes(text: str, claim: Claim, grammar: str) -> bool | None:
    """Whether only a text refutes a claim; None if only its whole statement can be decided.

    >>> refutes("h-t", {"every": "scheme", "is": "re:[a-z]+"}, "rfc3986")
    True
    """
    kind = kind_of(claim)
    try:
        if kind == "every":
            return _accepts(claim["every"], text, grammar) and not _accepts(
                claim["is"], text, grammar
            )
        if kind == "same":
            a, b = (_accepts(side, text, grammar) for side in claim["same"])
            return a != b
        if kind == "disjoint":
            return all(_accepts(side, text, grammar) for side in claim["disjoint"])
    except (ValueError, LookupError) as error:
        raise BadClaim(f"{kind}: {error}") from None
    return None


def _accepts(side: str, text: str, grammar: str) -> bool:
    if side.startswith("re:"):
        return read_pattern(side[3:]).accepts(text)
    name, colon, rule = side.rpartition(":")
    return Grammar.load(name if colon else grammar)[rule].is_valid(text)


def _typed(key: str, value: object, kind: str) -> None:
    good = {
        "text": isinstance(value, str),
        "text or true": isinstance(value, str) or value is True,
        "number": isinstance(value, int) and not isinstance(value, bool) and value >= 0,
        "true or false": isinstance(value, bool),
        "two texts": _listed(value, str) and _two(value),
        "numbers": _listed(value, int),
        "pairs": isinstance(value, list) and all(_listed(v, str) and _two(v) for v in value),
    }[kind]
    if isinstance(value, str) and len(value) > LONGEST_LESSON_TEXT:
        raise BadClaim(f"{key} must have at most {LONGEST_LESSON_TEXT:,} characters")
    if not good:
        raise BadClaim(f"{key} must be {kind if kind[-1] == 's' else 'a ' + kind}")


def _two(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2  # noqa: PLR2004 -- as its kind demands


def _listed(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _relation(context: Context, a: str, b: str) -> str:
    return compare_rules(a, b, context.grammar).relation


def _component(claim: Claim, context: Context) -> object:
    name = claim["component"]
    found = component(context, name)
    if found is None or claim.get("is", found) != found:
        return False
    if "means" in claim and not alike(context, name, claim["means"]):
        return False
    return "fits" not in claim or _accepts(claim["fits"], found, context.grammar)


def component(context: Context, name: str) -> str | None:
    """The text of a component, or None if it is absent."""
    if name == "authority":
        return split(context.text).authority
    spans = context.report().components
    return spans[name].text if name in spans else None


def alike(context: Context, name: str, wanted: str) -> Equivalence | bool:
    """Whether a component means the same as ``wanted``: case and percent-encoding do not count.

    Errors: ValueError, if the text is not a URI reference.
    """
    text, found = context.text, component(context, name)
    if found is None or found == wanted:
        return found == wanted
    if found[:1] == wanted[:1] == "[":  # an address has many forms, which no normalization joins
        return canonical_address(found) == canonical_address(wanted)
    spans = context.report().components
    start = spans[name].start if name in spans else text.index("//") + 2
    changed = text[:start] + wanted + text[start + len(found) :]
    # Its replacement must not be read as something else, such as "e.com/" as a host.
    if component(replace(context, text=changed), name) != wanted:
        return False
    return equivalent(text, changed, level="percent-encoding")


def _production(claim: Claim, context: Context) -> object:
    found = context.derivation()
    at = claim.get("at")
    return found.ok and any(
        node.is_rule
        and node.name == claim["production"]
        and (at is None or node.start <= at < max(node.end, node.start + 1))
        for node in found.nodes
    )


def _blamed(claim: Claim, context: Context) -> object:
    offsets: list[int] = []
    for violation in context.report().violations:
        offsets += range(violation.start, max(violation.end, violation.start + 1))
    return offsets == claim["blamed"]


def _equivalent(two: Sequence[str], claim: Claim) -> bool:
    return bool(equivalent(*two, level=claim.get("level", "scheme")))


def _seen(claim: Claim, context: Context) -> object:
    name = claim["seen"]
    if name not in context.seen:
        raise BadClaim(f"seen is {or_list(context.seen) or 'of an exercise with observed'}")
    return context.seen[name] == claim["is"]


def _given(value: str | bool, context: Context, part: str | None = None) -> str:
    """The text of a claim, or the one that it is about, or a component of that."""
    if value is not True:
        return str(value)
    found = component(context, part) if part else context.text
    if found is None:
        raise BadClaim(f"the text has no {part}")
    return found


def _normalizes(claim: Claim, context: Context) -> object:
    given = _given(claim["normalizes"], context)
    return normalize(given, claim.get("level", "scheme")) == claim["is"]


def _decodes(claim: Claim, context: Context) -> object:
    given = _given(claim["decodes"], context, claim.get("part"))
    return decode(given, form=claim.get("form", False)) == claim["is"]


def _pairs(claim: Claim, context: Context) -> object:
    read = decode_form if claim.get("form") else decode_query
    given = _given(claim["pairs"], context, claim.get("part"))
    return [list(pair) for pair in read(given)] == claim["is"]


def _one_edit(claim: Claim, context: Context) -> object:
    a, b = sorted((claim["one_edit_of"], context.text), key=len)
    if len(b) - len(a) > 1:
        return False
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    rest = a[same:] if len(a) < len(b) else a[same + 1 :]
    return a != b and rest == b[same + 1 :]


class _Kind(NamedTuple):
    """A kind of claim: the type of its value, and its other allowed and required keys."""

    takes: str
    decide: Callable[[Claim, Context], object]
    more: Mapping[str, str] = {}
    needs: tuple[str, ...] = ()


_SHARED = {"of": "text", "rule": "text", "grammar": "text"}
_IS = {"is": "text"}
_LEVEL = {"level": "text"}
_FORM = {"form": "true or false"}
_PART = {"part": "text"}

CLAIMS: dict[str, _Kind] = {
    "valid": _Kind("text or true", lambda _, context: context.report().ok),
    "invalid": _Kind("text or true", lambda _, context: not context.report().ok),
    "every": _Kind(
        "text",
        lambda c, x: _relation(x, c["every"], c["is"]) in ("equal", "contained"),
        _IS,
        ("is",),
    ),
    "same": _Kind("two texts", lambda c, x: _relation(x, *c["same"]) == "equal"),
    "disjoint": _Kind("two texts", lambda c, x: _relation(x, *c["disjoint"]) == "disjoint"),
    "component": _Kind("text", _component, {**_IS, "fits": "text", "means": "text"}),
    "absent": _Kind("text", lambda c, x: not _component({"component": c["absent"]}, x)),
    "production": _Kind("text", _production, {"at": "number"}),
    "blamed": _Kind("numbers", _blamed),
    "derivations": _Kind("number", lambda c, x: x.derivation().count == c["derivations"]),
    "advice": _Kind("text", lambda c, x: any(a.code == c["advice"] for a in x.report().advice)),
    "equivalent": _Kind("two texts", lambda c, _: _equivalent(c["equivalent"], c), _LEVEL),
    "different": _Kind("two texts", lambda c, _: not _equivalent(c["different"], c), _LEVEL),
    "equivalent_to": _Kind(
        "text", lambda c, x: _equivalent([c["equivalent_to"], x.text], c), _LEVEL
    ),
    "resolves": _Kind("two texts", lambda c, _: resolve(*c["resolves"]) == c["is"], _IS, ("is",)),
    "resolves_to": _Kind(
        "text",
        lambda c, x: resolve(c["base"], x.text) == c["resolves_to"],
        {"base": "text"},
        ("base",),
    ),
    "normalizes": _Kind("text or true", _normalizes, {**_IS, **_LEVEL}, ("is",)),
    "decodes": _Kind("text or true", _decodes, {**_IS, **_FORM, **_PART}, ("is",)),
    "encodes": _Kind("text", lambda c, _: encode(c["encodes"]) == c["is"], _IS, ("is",)),
    "pairs": _Kind("text or true", _pairs, {"is": "pairs", **_FORM, **_PART}, ("is",)),
    "seen": _Kind("text", _seen, _IS, ("is",)),
    "one_edit_of": _Kind("text", _one_edit),
    "length": _Kind("number", lambda claim, context: len(context.text) <= claim["length"]),
    "contains": _Kind("text", lambda claim, context: claim["contains"] in context.text),
}
"""Every kind of claim, by the key that says which it is."""
