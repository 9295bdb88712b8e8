"""The tools that are compared with the grammar, each called as its documentation says.

Owns how each tool is asked for a verdict; imports the tools, each only when it is loaded.
Invariant: ``call`` gives true or false, or raises one of ``refusals`` for a text that it refuses;
anything else that it raises is a fact to report.
"""

from __future__ import annotations

import importlib
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

REFERENCE = "URI-reference"
STRICT = "validates RFC 3986"
IRI = "validates IRIs (RFC 3987); asked only about ASCII, for which an IRI is a URI"
WHATWG = "parses as the WHATWG URL Standard says; not a validator of RFC 3986"
SPLITS = "splits, and does not claim to validate"


@dataclass(frozen=True)
class Peer:
    """One tool, asked about one rule. ``entry`` is what was called, in words a reader can try."""

    name: str
    version: str
    entry: str
    claim: str
    rule: str
    call: Callable[[str], object]
    refusals: tuple[type[Exception], ...] = ()
    slow: bool = False

    @property
    def ascii_only(self) -> bool:
        """True for a validator of IRIs: beyond ASCII it is right to differ."""
        return self.claim == IRI


def _module(name: str) -> Any:
    return importlib.import_module(name)


def _rfc3986(found: str) -> Iterator[Peer]:
    tool, validators = _module("rfc3986"), _module("rfc3986.validators")
    errors = (_module("rfc3986.exceptions").RFC3986Exception,)
    names = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
    reference = validators.Validator().check_validity_of(*names)
    absolute = validators.Validator().require_presence_of("scheme").check_validity_of(*names)

    def asks(validator: Any) -> Callable[[str], object]:
        return lambda text: validator.validate(tool.uri_reference(text)) is None

    call = "Validator().check_validity_of(all seven).validate(uri_reference(text))"
    strict = "Validator().require_presence_of('scheme').check_validity_of(all seven)"
    strict += ".validate(uri_reference(text))"
    yield Peer("rfc3986", found, strict, STRICT, "URI", asks(absolute), errors)
    yield Peer("rfc3986", found, call, STRICT, REFERENCE, asks(reference), errors)


def _rfc3987(found: str) -> Iterator[Peer]:
    match = _module("rfc3987").match
    for rule, name in (("URI", "URI"), (REFERENCE, "URI_reference")):
        entry = f"rfc3987.match(text, {name!r})"
        yield Peer("rfc3987", found, entry, STRICT, rule, lambda t, n=name: match(t, n))  # type: ignore[misc]


def _rfc3986_validator(found: str) -> Iterator[Peer]:
    validate = _module("rfc3986_validator").validate_rfc3986
    for rule, name in (("URI", "URI"), (REFERENCE, "URI_reference")):
        entry = f"validate_rfc3986(text, {name!r})"
        yield Peer(
            "rfc3986-validator",
            found,
            entry,
            STRICT,
            rule,
            lambda t, n=name: validate(t, rule=n),  # type: ignore[misc]
        )


def _jsonschema_rs(found: str) -> Iterator[Peer]:
    make = _module("jsonschema_rs").validator_for
    for rule, name in (("URI", "uri"), (REFERENCE, "uri-reference")):
        entry = f"validator_for({{'format': {name!r}}}, validate_formats=True).is_valid(text)"
        call = make({"format": name}, validate_formats=True).is_valid
        yield Peer("jsonschema-rs", found, entry, STRICT, rule, call)


def _abnf(found: str) -> Iterator[Peer]:
    refusals = (_module("abnf").ParseError,)
    make = _module("abnf.grammars.rfc3986").Rule
    for rule in ("URI", REFERENCE):
        entry = f"abnf.grammars.rfc3986.Rule({rule!r}).parse_all(text)"
        yield Peer("abnf", found, entry, STRICT, rule, make(rule).parse_all, refusals, slow=True)


def _iri(name: str) -> Callable[[str], Iterator[Peer]]:
    def peers(found: str) -> Iterator[Peer]:
        tool = _module(name.replace("-", "_"))
        for rule, verb in (
            ("URI", "is_valid_syntax_iri"),
            (REFERENCE, "is_valid_syntax_iri_reference"),
        ):
            yield Peer(name, found, f"{verb}(text)", IRI, rule, getattr(tool, verb), slow=True)

    return peers


def _pydantic(found: str) -> Iterator[Peer]:
    tool = _module("pydantic")
    call = tool.TypeAdapter(tool.AnyUrl).validate_python
    entry = "TypeAdapter(AnyUrl).validate_python(text)"

    def accepts(text: str) -> object:
        return call(text) is not None

    yield Peer("pydantic", found, entry, WHATWG, "URI", accepts, (tool.ValidationError,))


def _can_ada(found: str) -> Iterator[Peer]:
    call = _module("can_ada").can_parse
    yield Peer("can_ada", found, "can_parse(text)", WHATWG, "URI", call)


def _yarl(found: str) -> Iterator[Peer]:
    make = _module("yarl").URL
    claim = "parses, and percent-encodes if necessary; not a validator"
    entry = "URL(text).scheme != ''"
    yield Peer("yarl", found, entry, claim, "URI", lambda t: make(t).scheme != "", (ValueError,))

    def accepts(text: str) -> object:
        return make(text) is not None

    yield Peer("yarl", found, "URL(text)", claim, REFERENCE, accepts, (ValueError,))


def _urllib(found: str) -> Iterator[Peer]:
    split = _module("urllib.parse").urlsplit
    entry = "urlsplit(text).scheme != ''"
    yield Peer(
        "urllib", found, entry, SPLITS, "URI", lambda t: split(t).scheme != "", (ValueError,)
    )

    def accepts(text: str) -> object:
        return split(text) is not None

    yield Peer("urllib", found, "urlsplit(text)", SPLITS, REFERENCE, accepts, (ValueError,))


# By the name of the distribution: those that claim to hold texts to the grammar come first.
_TOOLS: dict[str, Callable[[str], Iterable[Peer]]] = {
    "abnf": _abnf,
    "jsonschema-rs": _jsonschema_rs,
    "rfc3986": _rfc3986,
    "rfc3986-validator": _rfc3986_validator,
    "rfc3987": _rfc3987,
    "rfc3987-syntax": _iri("rfc3987-syntax"),
    "rfc3987-syntax2": _iri("rfc3987-syntax2"),
    "can_ada": _can_ada,
    "pydantic": _pydantic,
    "yarl": _yarl,
    "urllib": _urllib,
}
NAMES = tuple(_TOOLS)


def load(names: Iterable[str] = NAMES) -> tuple[list[Peer], list[str]]:
    """The peers of these names that are installed, and the names of those that are not."""
    found: list[Peer] = []
    missing: list[str] = []
    for name in names:
        try:
            number = f"Python {platform.python_version()}" if name == "urllib" else version(name)
            found += _TOOLS[name](number)
        except (ImportError, PackageNotFoundError):
            missing.append(name)
    return found, missing
