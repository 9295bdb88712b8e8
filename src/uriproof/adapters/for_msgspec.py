"""msgspec: what its own annotation says of a rule.

Owns the annotation. Imports msgspec (extra ``msgspec``) and the public face. Invariant: msgspec
accepts exactly the texts of the rule, wherever the annotated type is.
"""

from __future__ import annotations

from ..extras import needs
from ..fields import keywords
from ..policy import Policy
from ..rule import Rule, as_rule

with needs("msgspec"):
    import msgspec

__all__ = ["meta"]


def meta(rule: str | Rule = "URI", *, enforce: bool = True) -> msgspec.Meta:
    """What msgspec validates by itself: ``Annotated[str, meta("URI")]``, in any type.

    msgspec applies the rule's expression when it decodes or converts, not when an object is made by
    a call. Its error and its JSON Schema have the expression, which is one of Python. With
    ``enforce=False``, there are only the keywords of JSON Schema: for a class with the base
    ``uriproof.fields.Checked``, whose errors have the reasons.

    Errors: ValueError for a rule that one expression cannot say; UnknownRule, TypeError.
    Cost: O(n) for a text.

    >>> from typing import Annotated
    >>> msgspec.json.schema(Annotated[str, meta("URI", enforce=False)])
    {'format': 'uri', 'type': 'string'}
    >>> msgspec.convert(["80", "8o80"], list[Annotated[str, meta("port")]])
    Traceback (most recent call last):
    ...
    msgspec.ValidationError: Expected `str` matching regex '\\\\A(?:[0-9]*+)\\\\Z' - at `$[1]`
    """
    held = as_rule(rule)
    if not enforce:
        return msgspec.Meta(extra_json_schema=keywords(held))
    plain = Rule(held.name, grammar=held.grammar)
    most = None if held.policy is None else held.policy.max_length
    cut = Rule(held.name, grammar=held.grammar, policy=Policy(max_length=most))
    expression = plain.pattern("regex")
    if expression is None or held not in (plain, cut):
        words = "write Annotated[str, rule, meta(rule, enforce=False)] in a class that is Checked"
        raise ValueError(f"one expression cannot say {held!r}: {words}")
    pattern = rf"\A(?:{expression})\Z"
    return msgspec.Meta(pattern=pattern, max_length=most, extra_json_schema=keywords(held))
