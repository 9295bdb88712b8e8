"""Validate URIs against RFC 3986: which characters violate which production, and how to fix them.

Owns the list of public names, ``__all__``, and the version. Imports the public face alone.
Invariant: importing it loads none of the libraries that only some functions need; every other name
is loaded when it is first used.
"""

from __future__ import annotations

from .api import Grammar, are_valid, check, check_many, find_invalid, is_valid, parse, require

TYPE_CHECKING = False  # as that of typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from .advice import advise
    from .errors import UriproofError
    from .grammar.derive.explain import Derivation
    from .grammar.errors import (
        GrammarError,
        GrammarLimit,
        UnknownGrammar,
        UnknownRule,
        UnusableRule,
    )
    from .matches import Matches
    from .percent.clean import clean, cleaning
    from .percent.cleaning import Cleaning, NotCleaned
    from .percent.decode import decode, decode_octets
    from .percent.display import display
    from .percent.encode import encode, encode_octets
    from .percent.errors import (
        CharacterError,
        DecodeError,
        EncodeError,
        OctetError,
        ProductionError,
        UnknownEncoding,
    )
    from .percent.form import decode_form, decode_query, encode_form, encode_query
    from .percent.hosts.host import CanonicalHost, InvalidHost, canonical_host
    from .policy import Policy
    from .report import Advice, Component, Fix, InvalidURI, Report, Violation
    from .uri.build import build
    from .uri.components import Components, InvalidComponents, split
    from .uri.iri import iri_to_uri, uri_to_iri
    from .uri.normalize import Equivalence, equivalent, normalization_steps, normalize
    from .uri.resolve import Unreachable, relativize, resolve
    from .uri.scheme_info import SchemeInfo, scheme
    from .uri.uri import URI
    from .workbench.abnf.extract import Extraction
    from .workbench.api import (
        compare_rules,
        describe,
        explain,
        export,
        extract_abnf,
        grammar_page,
        near_misses,
        railroad,
        sample,
    )
    from .workbench.compare import Comparison
    from .workbench.describe import Description
    from .workbench.export import UnknownTarget
    from .workbench.misses import Miss
    from .workbench.read_pattern import BadPattern

__version__ = "0.1.0"

__all__ = [
    "URI",
    "Advice",
    "BadPattern",
    "CanonicalHost",
    "CharacterError",
    "Cleaning",
    "Comparison",
    "Component",
    "Components",
    "DecodeError",
    "Derivation",
    "Description",
    "EncodeError",
    "Equivalence",
    "Extraction",
    "Fix",
    "Grammar",
    "GrammarError",
    "GrammarLimit",
    "InvalidComponents",
    "InvalidHost",
    "InvalidURI",
    "Matches",
    "Miss",
    "NotCleaned",
    "OctetError",
    "Policy",
    "ProductionError",
    "Report",
    "SchemeInfo",
    "UnknownEncoding",
    "UnknownGrammar",
    "UnknownRule",
    "UnknownTarget",
    "Unreachable",
    "UnusableRule",
    "UriproofError",
    "Violation",
    "advise",
    "are_valid",
    "build",
    "canonical_host",
    "check",
    "check_many",
    "clean",
    "cleaning",
    "compare_rules",
    "decode",
    "decode_form",
    "decode_octets",
    "decode_query",
    "describe",
    "display",
    "encode",
    "encode_form",
    "encode_octets",
    "encode_query",
    "equivalent",
    "explain",
    "export",
    "extract_abnf",
    "find_invalid",
    "grammar_page",
    "iri_to_uri",
    "is_valid",
    "near_misses",
    "normalization_steps",
    "normalize",
    "parse",
    "railroad",
    "relativize",
    "require",
    "resolve",
    "sample",
    "scheme",
    "split",
    "uri_to_iri",
]

_HOMES = {
    ".advice": ("advise",),
    ".workbench.api": (
        "compare_rules",
        "describe",
        "explain",
        "export",
        "extract_abnf",
        "grammar_page",
        "near_misses",
        "railroad",
        "sample",
    ),
    ".workbench.compare": ("Comparison",),
    ".grammar.derive.explain": ("Derivation",),
    ".workbench.describe": ("Description",),
    ".workbench.export": ("UnknownTarget",),
    ".workbench.abnf.extract": ("Extraction",),
    ".workbench.misses": ("Miss",),
    ".workbench.read_pattern": ("BadPattern",),
    ".grammar.errors": (
        "GrammarError",
        "GrammarLimit",
        "UnknownGrammar",
        "UnknownRule",
        "UnusableRule",
    ),
    ".uri.build": ("build",),
    ".uri.components": ("Components", "InvalidComponents", "split"),
    ".percent.clean": ("clean", "cleaning"),
    ".percent.cleaning": ("Cleaning", "NotCleaned"),
    ".percent.decode": ("decode", "decode_octets"),
    ".percent.display": ("display",),
    ".percent.encode": ("encode", "encode_octets"),
    ".percent.errors": (
        "CharacterError",
        "DecodeError",
        "EncodeError",
        "OctetError",
        "ProductionError",
        "UnknownEncoding",
    ),
    ".errors": ("UriproofError",),
    ".percent.form": ("decode_form", "decode_query", "encode_form", "encode_query"),
    ".percent.hosts.host": ("CanonicalHost", "InvalidHost", "canonical_host"),
    ".uri.iri": ("iri_to_uri", "uri_to_iri"),
    ".uri.normalize": (
        "Equivalence",
        "equivalent",
        "normalization_steps",
        "normalize",
    ),
    ".uri.resolve": ("Unreachable", "relativize", "resolve"),
    ".uri.scheme_info": ("SchemeInfo", "scheme"),
    ".uri.uri": ("URI",),
    ".matches": ("Matches",),
    ".policy": ("Policy",),
    ".report": ("Advice", "Component", "Fix", "InvalidURI", "Report", "Violation"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name, loaded from its home when it is first used."""
    if name in _HOME:
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_HOME[name], __name__), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
