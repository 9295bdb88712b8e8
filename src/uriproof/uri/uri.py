"""A reference as a value: immutable, hashable, spelled as it was given.

Owns the type ``URI``. Imports its siblings. Invariant: a value is valid under its rule, and is
exactly the text that it was made from; a change to one component keeps the spelling of all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

from ..arguments import wrong
from ..grammar.schemes import DEFAULT_PORTS, ORIGINS
from ..limits import GREATEST_PORT
from ..percent.errors import invalid, violation
from ..percent.hosts.addresses import address_of
from ..percent.hosts.browsers import browser_host
from ..text.passwords import masked, passwords
from . import normalize as _normalize
from . import resolve as _resolve
from .components import Components, InvalidComponents, build, split

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

Rule = Literal["URI", "URI-reference", "absolute-URI"]


class URI(str):
    """A URI, or with another ``rule`` an absolute URI or any URI reference.

    It is a ``str``: it can be used wherever text can, and equals any identical text; ``equivalent``
    compares further. Components are None if undefined, "" if empty, and never decoded, except
    ``query_pairs``. Each ``with_…`` returns a new value. ``repr`` masks a password; ``str`` does
    not.

    Errors: InvalidComponents, for a text that the rule does not accept; TypeError. Cost: O(n).
    Spec: RFC 3986 §3, §4.

    >>> uri = URI("HTTP://me:secret@Example.com:8080/a?b#c")
    >>> uri.host, uri.port, uri.with_port(None).with_query(None)
    ('Example.com', 8080, URI('HTTP://me:******@Example.com/a#c'))
    >>> print(URI("../a", "URI-reference").with_fragment("b"))
    ../a#b
    """

    __slots__ = ("components", "rule")

    rule: Rule
    components: Components

    def __new__(cls, text: str, rule: Rule = "URI") -> Self:
        components = split(text, rule)
        made = super().__new__(cls, text)
        object.__setattr__(made, "rule", rule)
        object.__setattr__(made, "components", components)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a URI cannot be changed; use with_{name}(…), which gives a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a URI cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.rule)

    def __repr__(self) -> str:
        text = masked(self.text, passwords(self.text, {"host": (0, len(self.host or ""))}))
        rule = "" if self.rule == "URI" else f", {self.rule!r}"
        return f"URI({text!r}{rule})"

    @property
    def text(self) -> str:
        """The same as a plain ``str``."""
        return str(self)

    # Components

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
    def user(self) -> str | None:
        """The userinfo up to its first colon; None without userinfo (RFC 3986 §3.2.1)."""
        return None if self.userinfo is None else self.userinfo.partition(":")[0]

    @property
    def password(self) -> str | None:
        """The userinfo after its first colon; None without one (RFC 3986 §3.2.1)."""
        if self.userinfo is None or ":" not in self.userinfo:
            return None
        return self.userinfo.partition(":")[2]

    @property
    def host(self) -> str | None:
        """The host as written, an IP literal with its brackets; None without an authority.

        Other libraries leave the brackets out; ``address`` has none. Spec: RFC 3986 §3.2.2.

        >>> URI("http://[::1]:80/").host, URI("file:///a").host, URI("urn:a:b").host
        ('[::1]', '', None)
        """
        return self.components.host

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The host as an address, if it is one (RFC 3986 §3.2.2).

        >>> URI("http://[::1]/").address, URI("http://localhost/").address
        (IPv6Address('::1'), None)
        """
        return None if self.host is None else address_of(self.host)

    @property
    def port(self) -> int | None:
        """The port as a number; None if it is absent or empty.

        Errors: ValueError for a number above 65535, which the syntax allows; ``components.port``
        has its digits. Spec: RFC 3986 §3.2.3, RFC 6335 §6.
        """
        digits = (self.components.port or "").lstrip("0")
        if len(digits) > len(str(GREATEST_PORT)) or int(digits or "0") > GREATEST_PORT:
            from ..text.drawing import short

            words = f"port {short(digits, 20)} is out of range: the maximum is {GREATEST_PORT}"
            raise ValueError(f"{words}; components.port has the digits")
        return int(digits or "0") if self.components.port else None

    @property
    def path(self) -> str:
        """Always there, perhaps empty (RFC 3986 §3.3)."""
        return self.components.path

    @property
    def segments(self) -> tuple[str, ...]:
        """The texts between the slashes of the path, without a first slash (RFC 3986 §3.3).

        >>> URI("http://h/a%2Fb//c/").segments, URI("urn:a:b").segments, URI("http://h").segments
        (('a%2Fb', '', 'c', ''), ('a:b',), ())
        """
        return tuple(self.path.removeprefix("/").split("/")) if self.path else ()

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

    @property
    def origin(self) -> str | None:
        """Scheme, host and port as browsers compare them; None for an opaque origin.

        An opaque origin (of data, file, mailto and all schemes but those of the web, and of what
        browsers refuse) equals no origin, not even itself. Spec: RFC 6454 §4, WHATWG URL, origin.

        >>> URI("HTTPS://me@Example.COM:0443/a").origin, URI("data:,a").origin
        ('https://example.com', None)
        """
        scheme = (self.scheme or "").lower()
        host = browser_host(self.host) if self.host and scheme in ORIGINS else None
        try:
            port = self.port
        except ValueError:
            return None
        if host is None:
            return None
        default = port is None or str(port) == DEFAULT_PORTS[scheme]
        return f"{scheme}://{host}" if default else f"{scheme}://{host}:{port}"

    # Other components

    def with_components(self, **changes: Any) -> URI:
        """Several components changed at once, under the names and types that ``build`` takes.

        Errors: InvalidComponents, for an invalid result, or one that splits differently; TypeError.

        >>> print(URI("http://h/a").with_components(scheme="file", host="", path="/b"))
        file:///b
        """
        return URI(build(**{**self.components._asdict(), **changes}), self.rule)

    def with_scheme(self, scheme: str | None) -> URI:
        """The same with another scheme. Errors: as ``with_components``."""
        return self.with_components(scheme=scheme)

    def with_userinfo(self, userinfo: str | None) -> URI:
        """The same with other userinfo, or none. Errors: as ``with_components``."""
        return self.with_components(userinfo=userinfo)

    def with_user(self, user: str | None) -> URI:
        """The same with another user's name; None leaves out all userinfo, a password too.

        Errors: as ``with_components``; a colon would begin a password.
        """
        if user is None or self.password is None:
            return self.with_userinfo(_without_colon(user))
        return self.with_userinfo(f"{_without_colon(user)}:{self.password}")

    def with_password(self, password: str | None) -> URI:
        """The same with another password, or none. Errors: as ``with_components``.

        >>> URI("ftp://me:old@h/").with_password("new").password
        'new'
        """
        if password is None:
            return self.with_userinfo(self.user)
        return self.with_userinfo(f"{self.user or ''}:{password}")

    def with_host(self, host: str | IPv4Address | IPv6Address) -> URI:
        """The same with another host: a name, or an address as text or of ``ipaddress``.

        To leave out the whole authority: ``without_authority``. Errors: as ``with_components``.
        """
        if host is None:  # as a type checker says, too
            raise wrong("host", host, "a str or an address", "to leave it out, without_authority()")
        if not isinstance(host, str) and hasattr(host, "version"):
            host = f"[{host}]" if host.version == 6 else str(host)  # noqa: PLR2004
        return self.with_components(host=host)

    def with_port(self, port: str | int | None) -> URI:
        """The same with another port, or none.

        Errors: as ``with_components``; ValueError for a number above 65535.
        """
        changed = self.with_components(port=port)
        _ = changed.port  # which raises
        return changed

    def without_authority(self) -> URI:
        """The same without userinfo, host and port. Errors: as ``with_components``."""
        return self.with_components(userinfo=None, host=None, port=None)

    def with_path(self, path: str) -> URI:
        """The same with another path. Errors: as ``with_components``."""
        return self.with_components(path=path)

    def with_query(self, query: str | None) -> URI:
        """The same with another query, or none. Errors: as ``with_components``."""
        return self.with_components(query=query)

    def with_fragment(self, fragment: str | None) -> URI:
        """The same with another fragment, or none. Errors: as ``with_components``."""
        return self.with_components(fragment=fragment)

    # Parameters of the query

    @property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The parameters of the query, decoded as ``decode_form`` does: a plus is a space.

        >>> URI("http://h/?q=a+b&q=%C3%A9&x").query_pairs
        (('q', 'a b'), ('q', 'é'), ('x', ''))
        """
        return tuple(pair for _, pair in self._parameters() if pair)

    def add_query_pair(self, name: str, value: str) -> URI:
        """The same with one parameter more, at the end. Name and value are encoded.

        >>> print(URI("http://h/?a=%7e").add_query_pair("b", "1 & 2"))
        http://h/?a=%7e&b=1%20%26%202
        """
        before = f"{self.query}&" if self.query else ""
        return self.with_query(f"{before}{_encoded(name)}={_encoded(value)}")

    def replace_query_pair(self, name: str, value: str) -> URI:
        """The same with this value in the first parameter of this name, and without others of it.

        If there is none, it is added. All other parameters keep their spelling.
        """
        kept: list[str] = []
        replaced = False
        for text, pair in self._parameters():
            if not pair or pair[0] != name:
                kept.append(text)
            elif not replaced:
                kept.append(f"{text.partition('=')[0]}={_encoded(value)}")
                replaced = True
        return self.with_query("&".join(kept)) if replaced else self.add_query_pair(name, value)

    def remove_query_pair(self, name: str) -> URI:
        """The same without the parameters of this name, and without a query if none is left.

        >>> print(URI("http://h/?%61=1&b=+&a=2").remove_query_pair("a"))
        http://h/?b=+
        """
        kept = [text for text, pair in self._parameters() if not pair or pair[0] != name]
        return self.with_query("&".join(kept) if kept else None)

    def _parameters(self) -> list[tuple[str, tuple[str, str] | None]]:
        """Each parameter of the query as it stands, and decoded; None for an empty one."""
        from ..percent.form import decode_form

        texts = self.query.split("&") if self.query is not None else []
        return [(text, decode_form(text)[0] if text else None) for text in texts]

    # Comparing and resolving

    def normalize(self, level: str = "scheme") -> URI:
        """The normal form; as the function ``normalize``."""
        return URI(_normalize.normalize(self, level), self.rule)

    def equivalent(
        self, other: str, *, fragment: bool = True, level: str = "scheme"
    ) -> _normalize.Equivalence:
        """Whether both are equivalent, and on which level; as the function ``equivalent``."""
        return _normalize.equivalent(self, other, fragment=fragment, level=level)

    def resolve(self, reference: str, *, strict: bool = True) -> URI:
        """The target of a reference seen from here; as the function ``resolve``.

        >>> print(URI("http://a/b/c").resolve("../d"))
        http://a/d
        """
        return URI(_resolve.resolve(self, reference, strict=strict))

    def relativize(self, target: str) -> URI:
        """A reference from here to the target; as the function ``relativize``.

        >>> print(URI("http://a/b/c").relativize("http://a/d"))
        ../d
        """
        return URI(_resolve.relativize(self, target), "URI-reference")


def _without_colon(user: str | None) -> str | None:
    """A user's name. Errors: InvalidComponents, for one that would not be read as it is."""
    if user is not None and ":" in user:
        at = user.index(":")
        message = 'A user name cannot contain ":"; write %3A.'
        found = violation("userinfo", "userinfo", at, at + 1, message)
        raise InvalidComponents(invalid(user, [found]))
    return user


def _encoded(data: str) -> str:
    """A name or value so that it reads the same as form data, and as a query of RFC 3986."""
    from ..percent.encode import form_writer

    return form_writer()(data).replace("+", "%20")
