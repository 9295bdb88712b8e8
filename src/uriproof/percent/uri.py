"""A reference as a value: immutable, hashable, spelled as it was given.

Owns the type ``URI``. Imports its siblings. Invariant: a value is valid under its rule, and its
text is the one it was made from, to the character.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..arguments import strings, wrong
from . import normalize as _normalize
from . import resolve as _resolve
from .build import build
from .components import Components, split

__all__ = ["URI"]

Rule = Literal["URI", "URI-reference", "absolute-URI"]


@dataclass(frozen=True, slots=True, repr=False)
class URI:
    """A URI, or with another ``rule`` an absolute URI or any URI reference.

    Equal are values with the same text; ``equivalent`` compares further. Components are None
    where undefined, "" where empty, and never decoded. Each ``with_…`` gives a new value in
    which all other components keep their spelling. ``repr`` masks a password.

    Errors: InvalidComponents, TypeError. Cost: O(n). Spec: RFC 3986 §3, §4.

    >>> uri = URI("HTTP://me:secret@Example.com:8080/a?b#c")
    >>> uri.host, uri.port, uri.with_port(None).with_query(None)
    ('Example.com', '8080', URI('HTTP://me:***@Example.com/a#c'))
    >>> URI("../a", "URI-reference").with_fragment("b").text
    '../a#b'
    """

    text: str
    rule: Rule = field(default="URI", compare=False)
    components: Components = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", split(self.text, self.rule))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = self.text
        user, colon, password = (self.userinfo or "").partition(":")
        if password:  # RFC 3986 §3.2.1: not to be rendered as clear text
            text = text.replace(f"//{user}{colon}{password}@", f"//{user}:***@", 1)
        rule = "" if self.rule == "URI" else f", {self.rule!r}"
        return f"URI({text!r}{rule})"

    @property
    def scheme(self) -> str | None:
        """Before the first colon; None in a relative reference (RFC 3986 §3.1)."""
        return self.components.scheme

    @property
    def authority(self) -> str | None:
        """Userinfo, host and port as one text (RFC 3986 §3.2)."""
        return self.components.authority

    @property
    def userinfo(self) -> str | None:
        """Before the at sign of the authority (RFC 3986 §3.2.1)."""
        return self.components.userinfo

    @property
    def host(self) -> str | None:
        """With its brackets, where it has any; None without an authority (RFC 3986 §3.2.2)."""
        return self.components.host

    @property
    def port(self) -> str | None:
        """The digits as they stand, which may be none or thousands (RFC 3986 §3.2.3)."""
        return self.components.port

    @property
    def path(self) -> str:
        """Always there, perhaps empty (RFC 3986 §3.3)."""
        return self.components.path

    @property
    def query(self) -> str | None:
        """After the first question mark (RFC 3986 §3.4)."""
        return self.components.query

    @property
    def fragment(self) -> str | None:
        """After the first number sign (RFC 3986 §3.5)."""
        return self.components.fragment

    @property
    def is_relative(self) -> bool:
        """Whether there is no scheme: a relative reference (RFC 3986 §4.2)."""
        return self.components.scheme is None

    def replace(self, **changes: Any) -> URI:
        """Several components changed at once, under the names and types that ``build`` takes.

        Errors: InvalidComponents, for what would not be valid, or be split otherwise; TypeError.

        >>> URI("http://h/a").replace(scheme="file", host="", path="/b").text
        'file:///b'
        """
        return URI(build(**{**self.components._asdict(), **changes}), self.rule)

    def with_scheme(self, scheme: str | None) -> URI:
        """The same with another scheme. Errors: as ``replace``."""
        return self.replace(scheme=scheme)

    def with_userinfo(self, userinfo: str | None) -> URI:
        """The same with other userinfo, or none. Errors: as ``replace``."""
        return self.replace(userinfo=userinfo)

    def with_host(self, host: str) -> URI:
        """The same with another host. To leave out the whole authority: ``without_authority``."""
        strings(host=host)
        return self.replace(host=host)

    def with_port(self, port: str | int | None) -> URI:
        """The same with another port, or none. Errors: as ``replace``."""
        return self.replace(port=port)

    def without_authority(self) -> URI:
        """The same without userinfo, host and port. Errors: as ``replace``."""
        return self.replace(userinfo=None, host=None, port=None)

    def with_path(self, path: str) -> URI:
        """The same with another path. Errors: as ``replace``."""
        return self.replace(path=path)

    def with_query(self, query: str | None) -> URI:
        """The same with another query, or none. Errors: as ``replace``."""
        return self.replace(query=query)

    def with_fragment(self, fragment: str | None) -> URI:
        """The same with another fragment, or none. Errors: as ``replace``."""
        return self.replace(fragment=fragment)

    def normalize(self, rung: str = "scheme") -> URI:
        """The normal form, as ``normalize`` gives it. Errors: ValueError for an unknown rung."""
        return URI(_normalize.normalize(self.text, rung), self.rule)

    def equivalent(
        self, other: URI | str, *, fragment: bool = True, rung: str = "scheme"
    ) -> _normalize.Equivalence:
        """Whether both are equivalent, and on which rung; as the function ``equivalent``."""
        return _normalize.equivalent(self.text, _text("other", other), fragment=fragment, rung=rung)

    def resolve(self, reference: URI | str, *, strict: bool = True) -> URI:
        """The target of a reference seen from here; as the function ``resolve``.

        >>> URI("http://a/b/c").resolve("../d").text
        'http://a/d'
        """
        return URI(_resolve.resolve(self.text, _text("reference", reference), strict=strict))

    def relative_to(self, base: URI | str) -> URI:
        """A reference from the base to here; as the function ``relative_to``."""
        return URI(_resolve.relative_to(self.text, _text("base", base)), "URI-reference")


def _text(argument: str, given: URI | str) -> str:
    if not isinstance(given, URI | str):
        raise wrong(argument, given, "a URI or a str")
    return str(given)
