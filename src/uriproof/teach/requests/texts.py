"""The requests about a text: ``check``, ``explain``, ``steps``, ``tree``.

Owns these answers, and the length limit of a text for each. Imports the fields of requests; other
modules of an answer are imported on demand. Invariant: JSON-ready.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...advice import GROUPS, rules
from ...limits import (
    LONGEST_CHECKED,
    LONGEST_DRAWN,
    LONGEST_EXPLAINED,
    LONGEST_STEPPED,
    LONGEST_UNTRACED,
    MOST_EXPLAINED,
)
from ...rule import Rule
from ..fields import Fields, Refused, drawn

if TYPE_CHECKING:
    from ...grammar.derive.steps import Step


def check(fields: Fields) -> dict[str, Any]:
    """A text, and the rule that it is validated against, in; its report out.

    ``scheme_rules`` and ``query`` are ``schemes`` and ``query`` of a ``Rule``. The report has
    asterisks for a password, as many as it has characters; its fixes and suggestions are those of
    the text itself. With ``base``, ``resolved`` is the text as a reference, resolved against it.
    """
    grammar = fields.grammar()
    rule = fields.rule(grammar)
    traced = grammar.compiled.traceable(rule)
    text = fields.text("text", most=LONGEST_CHECKED if traced else LONGEST_UNTRACED)
    scheme_rules, query = fields.flag("scheme_rules"), fields.text("query", "") or None
    try:
        against = Rule(rule, grammar=grammar, query=query, schemes=scheme_rules)
    except ValueError as error:
        raise Refused("invalid-request", str(error)) from None
    report = next(against.check_many([text], max_violations=MOST_EXPLAINED))
    made = report.to_dict()
    for record, own in zip(made["violations"], report.violations, strict=True):
        record["fix"] = own.fix and own.fix._asdict()
    for record in made["advice"]:
        record.update(_advised(record["code"]))
    meant = [one.to_dict() for one in report.suggestions]
    answer = {"report": {**made, "fixed": report.fixed, "suggestions": meant}}
    if fields.value("base"):
        answer["resolved"] = _resolved(fields.text("base", most=LONGEST_CHECKED), text)
    return answer


def _resolved(base: str, reference: str) -> dict[str, Any]:
    """The target and its components, or the reason that there is none (RFC 3986 section 5)."""
    from ...uri.components import InvalidComponents
    from ...uri.resolve import resolve

    try:
        target = resolve(base, reference)
    except InvalidComponents as error:
        return {"ok": False, "reason": str(error)}
    components = Rule().check(target).components
    return {"ok": True, "text": target, "components": {n: c.text for n, c in components.items()}}


def _advised(code: str) -> dict[str, str]:
    """The title of an advice rule, and its reason."""
    known = {code: rule for group in GROUPS for code, rule in rules(group).items()}
    return {"title": known[code].title, "why": known[code].why}


def explain(fields: Fields) -> dict[str, Any]:
    """A text and a rule in; the derivation out, with the path taken in each rule's diagram.

    ``lit`` has, for each node, the ``data-node`` of its path in the diagram of its rule, ``left``
    those where the text leaves it.
    """
    from ...grammars import explain as derive

    grammar = fields.grammar()
    found = derive(fields.text("text", most=LONGEST_EXPLAINED), fields.rule(grammar), grammar)
    made = found.to_dict()
    made["lit"] = [list(places) for places in found.taken]
    made["left"] = [list(places) for places in found.left]
    made["depth"] = max(node.depth for node in found.nodes)
    return {"derivation": made}


WINDOW = 100
"""Characters of one answer, at most."""


def steps(fields: Fields) -> dict[str, Any]:
    """A text, a rule and a window ``from``, ``to`` in; the alternatives at each offset out.

    ``steps`` has one entry for each offset of the window, both ends included, as far as the text is
    viable: the alternatives alive before that character, the effect of it on each, and the
    productions that fail there.
    """
    from ...grammar.derive.steps import steps as read

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    text = fields.text("text", most=LONGEST_STEPPED)
    start = fields.number("from", 0, most=len(text))
    end = fields.number("to", min(start + WINDOW, len(text)), least=start, most=len(text))
    if end - start > WINDOW:
        words = f"from {start:,} to {end:,} is more than {WINDOW} characters"
        raise Refused("invalid-request", words)
    found = read(grammar.compiled, rule, text, start, end)
    return {
        "grammar": grammar.name,
        "rule": rule,
        "length": len(text),
        "from": start,
        "to": end,
        "ok": found.ok,
        "viable": found.viable,
        "steps": [_step(step, text) for step in found.steps],
    }


_ALTERNATIVE = ("path", "begun", "places", "word", "inside", "fate")


def _step(step: Step, text: str) -> dict[str, Any]:
    return {
        "offset": step.offset,
        "character": text[step.offset : step.offset + 1] or None,
        "accepted": step.accepted,
        "alternatives": [
            {name: getattr(one, name) for name in _ALTERNATIVE} for one in step.alternatives
        ],
        "more": step.more,
        "failed": [{"path": list(one.path), "start": one.start} for one in step.failed],
    }


def tree(fields: Fields) -> dict[str, Any]:
    """A text and a rule in; out ``drawing`` for a page with its own colors, and ``svg``."""
    from ...grammar.derive.svg import to_svg
    from ...grammars import explain as derive

    grammar = fields.grammar()
    text = fields.text("text", most=LONGEST_DRAWN)
    found = derive(text, fields.rule(grammar), grammar)
    picture = to_svg(found, styled=False)
    return {"ok": found.ok, "drawing": drawn(picture), "svg": to_svg(found)}
