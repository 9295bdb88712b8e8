"""What a field of a data model is validated against, as all adapters understand it.

Owns ``Matches``. Imports the public face and policies. Invariant: it is immutable, and a rule or a
grammar that there is not is an error when it is made, not when the first text comes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .api import Grammar
from .arguments import strings, wrong
from .policy import Policy, require_applicable
from .report import MOST_DETAILS, InvalidURI, Report

__all__ = ["FORMATS", "Matches"]

FORMATS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "uri": ("URI", "rfc3986"),
        "uri-reference": ("URI-reference", "rfc3986"),
        "iri": ("IRI", "rfc3987"),
        "iri-reference": ("IRI-reference", "rfc3987"),
        "uri-template": ("URI-Template", "rfc6570"),
    }
)
"""The formats of JSON Schema, each with its rule and grammar (JSON Schema Validation §7.3.5)."""


@dataclass(frozen=True, slots=True)
class Matches:
    """A rule of a grammar, and a policy: ``Annotated[str, Matches("URI")]``.

    The adapters in ``uriproof.adapters`` validate with it, each in the ways of its framework.

    Errors: UnknownRule, UnknownGrammar; ValueError for a policy that cannot be applied to the
    rule; TypeError.

    >>> https = Matches("URI", policy=Policy(schemes=["https"]))
    >>> https.is_valid("https://example.com/"), https.is_valid("http://example.com/")
    (True, False)
    """

    rule: str = "URI"
    grammar: str | Grammar = "rfc3986"
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        strings(rule=self.rule)
        if not isinstance(self.grammar, str | Grammar):
            raise wrong("grammar", self.grammar, "a str or a Grammar")
        if not isinstance(self.policy, Policy):
            raise wrong("policy", self.policy, "a Policy")
        require_applicable(self.policy, self.loaded, self.rule)

    @property
    def loaded(self) -> Grammar:
        """The grammar itself."""
        return Grammar.load(self.grammar) if isinstance(self.grammar, str) else self.grammar

    @property
    def format(self) -> str | None:
        """The format of JSON Schema that has exactly this rule, if there is one."""
        for name, subject in FORMATS.items():
            if subject == (self.loaded.rule_name(self.rule), self.loaded.name):
                return name
        return None

    @property
    def predicate(self) -> Callable[[str], object]:
        """``is_valid`` for many texts; see ``Policy.predicate``."""
        return self.policy.predicate(self.rule, self.loaded)

    def is_valid(self, text: str) -> bool:
        """True if the rule and the policy allow the text. Errors: TypeError. Cost: O(n)."""
        return self.policy.is_valid(text, self.rule, self.loaded)

    def check(self, text: str, most: int | None = MOST_DETAILS) -> Report:
        """The report of a text, with at most so many violations explained, so that work is bounded.

        Errors: TypeError. Cost: O(n + most).
        """
        return self.policy.check(text, self.rule, self.loaded, most=most)

    def require(self, text: str) -> str:
        """The same text. Errors: InvalidURI, for what is not allowed; TypeError. Cost: O(n)."""
        if self.is_valid(text):
            return text
        raise InvalidURI(self.check(text))
