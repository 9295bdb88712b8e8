"""jsonschema: the formats of URIs, with a report in each error.

Owns the checker of formats. Imports jsonschema (extra ``jsonschema``) and the public face.
Invariant: the registry of jsonschema's own checkers is never changed; all is in one instance.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ..arguments import wrong
from ..extras import needs
from ..report import InvalidURI
from ..rule import FORMATS, Rule, as_rule, check_bounded

with needs("jsonschema"):
    from jsonschema import FormatChecker
    from jsonschema.exceptions import FormatError

__all__ = ["format_checker"]


def format_checker(custom: Mapping[str, str | Rule] | None = None) -> FormatChecker:
    """A checker of all formats that jsonschema knows, with those of URIs checked by uriproof.

    ``uri``, ``uri-reference``, ``iri``, ``iri-reference`` and ``uri-template``; ``custom`` adds
    formats of any rule, or replaces one of these. Each error has the report as
    ``error.cause.report``; its message has no more of the text than the blamed characters.

    Errors: TypeError. Cost: a check is O(n).

    >>> from jsonschema import Draft202012Validator
    >>> checker = format_checker({"port": "port"})
    >>> for format in ("uri", "port"):
    ...     validator = Draft202012Validator({"format": format}, format_checker=checker)
    ...     print(*(error.message for error in validator.iter_errors("http://h/^")))
    not a valid URI: path 9: "^" is not allowed in a path.
    not a valid port: port 0: A port has digits only.
    """
    formats = {name: Rule(rule, grammar=grammar) for name, (rule, grammar) in FORMATS.items()}
    for name, rule in (custom or {}).items():
        if not isinstance(rule, str | Rule):
            raise wrong(f"the format {name!r}", rule, "a str or a Rule")
        formats[name] = as_rule(rule)
    return _Checker(formats)


class _Checker(FormatChecker):
    """A checker with messages of its own: that of jsonschema quotes the whole text."""

    def __init__(self, formats: Mapping[str, Rule]) -> None:
        super().__init__()
        self._own = formats
        for name in formats:  # for those who look at the list
            self.checkers[name] = partial(self.conforms, format=name), ()

    def check(self, instance: object, format: str) -> None:
        own = self._own.get(format)
        if own is None:
            super().check(instance, format)
        elif isinstance(instance, str) and not own.is_valid(instance):
            error = InvalidURI(check_bounded(own, instance))
            raise FormatError(str(error), cause=error)
