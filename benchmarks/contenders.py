"""The tools that are measured beside each other, each used at its best.

Owns how each tool is called; imports the tools, each only when it is loaded. Invariant: a
contender's ``call`` gives a verdict, true or false, and never raises on bad text; what a tool can
build once is built before.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import uriproof


@dataclass(frozen=True)
class Contender:
    """A tool and one way to call it: its verdict on a text, or its parse of it."""

    tool: str
    verb: str
    call: Callable[[str], object]


def _raising(call: Callable[[str], object], error: type[Exception]) -> Callable[[str], bool]:
    """A verdict out of a call that raises on bad text."""

    def verdict(text: str) -> bool:
        try:
            call(text)
        except error:
            return False
        return True

    return verdict


def _uriproof() -> list[Contender]:
    def full_report(text: str) -> bool:
        return uriproof.check(text).ok

    return [
        Contender("uriproof", "is_valid", uriproof.is_valid),
        Contender("uriproof", "check", full_report),
        Contender("uriproof", "parse", _raising(uriproof.parse, uriproof.InvalidURI)),
    ]


def _rfc3986_validator() -> list[Contender]:
    tool: Any = importlib.import_module("rfc3986_validator")
    return [Contender("rfc3986-validator", "validate_rfc3986", tool.validate_rfc3986)]


def _rfc3987() -> list[Contender]:
    tool: Any = importlib.import_module("rfc3987")
    return [Contender("rfc3987", "compiled URI", tool.get_compiled_pattern("^%(URI)s$").match)]


def _rfc3986() -> list[Contender]:
    tool: Any = importlib.import_module("rfc3986")
    validators: Any = importlib.import_module("rfc3986.validators")
    errors: Any = importlib.import_module("rfc3986.exceptions")
    parts = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
    validator = validators.Validator().require_presence_of("scheme").check_validity_of(*parts)

    def validate(text: str) -> None:
        validator.validate(tool.uri_reference(text))

    return [Contender("rfc3986", "Validator", _raising(validate, errors.RFC3986Exception))]


def _rfc3987_syntax() -> list[Contender]:
    tool: Any = importlib.import_module("rfc3987_syntax")
    lark: Any = importlib.import_module("lark")
    return [
        Contender("rfc3987-syntax", "is_valid_syntax_iri", tool.is_valid_syntax_iri),
        Contender(
            "rfc3987-syntax",
            "parse",
            _raising(partial(tool.parse, "iri"), lark.exceptions.LarkError),
        ),
    ]


def _abnf() -> list[Contender]:
    tool: Any = importlib.import_module("abnf")
    rules: Any = importlib.import_module("abnf.grammars.rfc3986")
    return [Contender("abnf", "parse_all", _raising(rules.Rule("URI").parse_all, tool.ParseError))]


def _can_ada() -> list[Contender]:
    tool: Any = importlib.import_module("can_ada")
    return [
        Contender("can_ada", "can_parse", tool.can_parse),
        Contender("can_ada", "parse", _raising(tool.parse, ValueError)),
    ]


def _pydantic() -> list[Contender]:
    tool: Any = importlib.import_module("pydantic")
    validate = tool.TypeAdapter(tool.AnyUrl).validate_python
    return [Contender("pydantic", "AnyUrl", _raising(validate, ValueError))]


_TOOLS: dict[str, Callable[[], list[Contender]]] = {
    "uriproof": _uriproof,
    "rfc3986-validator": _rfc3986_validator,
    "rfc3987": _rfc3987,
    "rfc3986": _rfc3986,
    "rfc3987-syntax": _rfc3987_syntax,
    "abnf": _abnf,
    "can_ada": _can_ada,
    "pydantic": _pydantic,
}


def load() -> tuple[list[Contender], list[str]]:
    """The contenders that are installed, and the names of those that are not."""
    found: list[Contender] = []
    missing: list[str] = []
    for name, make in _TOOLS.items():
        try:
            found += make()
        except ImportError:
            missing.append(name)
    return found, missing
