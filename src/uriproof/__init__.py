"""Validate URIs against RFC 3986: which characters violate which production, and how to fix them.

Owns the list of public names, ``__all__``, and the version. Imports only the public face.
Invariant: importing it loads none of the libraries that only some functions need; every other name
is loaded when it is first used.
"""

from __future__ import annotations

from .rule import Grammar, Rule, are_valid, check, check_many, is_valid, parse, require

TYPE_CHECKING = False  # as that of typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from . import grammars as grammars
    from .cleaning import Cleaning, NotCleaned, clean
    from .errors import UriproofError
    from .grammar.errors import (
        GrammarError,
        GrammarLimit,
        UnknownGrammar,
        UnknownRule,
        UnusableRule,
    )
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
    from .report import Advice, Component, Fix, InvalidURI, Report, Suggestion, Violation
    from .uri.components import Components, InvalidComponents, build, split
    from .uri.iri import iri_to_uri, uri_to_iri
    from .uri.normalize import Equivalence, equivalent, normalize
    from .uri.resolve import Unreachable, relativize, resolve
    from .uri.scheme_info import SchemeInfo, scheme
    from .uri.uri import URI

__version__ = "0.1.0"

__all__ = [
    "URI",
    "Advice",
    "CanonicalHost",
    "CharacterError",
    "Cleaning",
    "Component",
    "Components",
    "DecodeError",
    "EncodeError",
    "Equivalence",
    "Fix",
    "Grammar",
    "GrammarError",
    "GrammarLimit",
    "InvalidComponents",
    "InvalidHost",
    "InvalidURI",
    "NotCleaned",
    "OctetError",
    "Policy",
    "ProductionError",
    "Report",
    "Rule",
    "SchemeInfo",
    "Suggestion",
    "UnknownEncoding",
    "UnknownGrammar",
    "UnknownRule",
    "Unreachable",
    "UnusableRule",
    "UriproofError",
    "Violation",
    "are_valid",
    "build",
    "canonical_host",
    "check",
    "check_many",
    "clean",
    "decode",
    "decode_form",
    "decode_octets",
    "decode_query",
    "display",
    "encode",
    "encode_form",
    "encode_octets",
    "encode_query",
    "equivalent",
    "iri_to_uri",
    "is_valid",
    "normalize",
    "parse",
    "relativize",
    "require",
    "resolve",
    "scheme",
    "split",
    "uri_to_iri",
]

_HOMES = {
    ".cleaning": ("Cleaning", "NotCleaned", "clean"),
    ".grammar.errors": (
        "GrammarError",
        "GrammarLimit",
        "UnknownGrammar",
        "UnknownRule",
        "UnusableRule",
    ),
    ".uri.components": ("Components", "InvalidComponents", "build", "split"),
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
    ".uri.normalize": ("Equivalence", "equivalent", "normalize"),
    ".uri.resolve": ("Unreachable", "relativize", "resolve"),
    ".uri.scheme_info": ("SchemeInfo", "scheme"),
    ".uri.uri": ("URI",),
    ".policy": ("Policy",),
    ".report": ("Advice", "Component", "Fix", "InvalidURI", "Report", "Suggestion", "Violation"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name, loaded from its home when it is first used."""
    if name in _HOME:
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_HOME[name], __name__), name)
        return value
    if name == "grammars":
        from importlib import import_module

        return import_module(".grammars", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "grammars"})
