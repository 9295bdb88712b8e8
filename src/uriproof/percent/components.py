"""A reference as its components, and the components as a text again.

Owns splitting a valid text by the dividing grammar, recomposing it, and saying which component
is at fault. Imports ``drawing`` and the grammars. Invariant: ``recompose(split(text)) == text``
for every URI-reference, and no components recompose to a text that would be split otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from ..arguments import strings
from ..grammar import registry
from ..text.drawing import named
from .characters import ASCII, characters

__all__ = ["Components", "Fault", "InvalidComponents", "Text", "recompose", "split", "text_of"]

GRAMMAR = "rfc3986"
_WHOLE = ("URI-reference", "URI", "absolute-URI")  # the rules of texts that have components


class Components(NamedTuple):
    """The components of a URI reference: None where a component is undefined, "" where empty.

    A host that is None means that there is no authority; then userinfo and port are None, too.
    Spec: RFC 3986 §3; the difference between undefined and empty is §5.3.
    """

    scheme: str | None = None
    userinfo: str | None = None
    host: str | None = None
    port: str | None = None
    path: str = ""
    query: str | None = None
    fragment: str | None = None

    @property
    def authority(self) -> str | None:
        """Userinfo, host and port as one text (RFC 3986 §3.2); None if there is none.

        >>> split("http://me@h:80/").authority
        'me@h:80'
        """
        if self.host is None:
            return None
        before = "" if self.userinfo is None else self.userinfo + "@"
        after = "" if self.port is None else ":" + self.port
        return before + self.host + after


class _Reference(Protocol):
    """What a value of the type ``URI`` has, which is built on top of this module."""

    @property
    def components(self) -> Components: ...


Text: TypeAlias = str | _Reference
"""A text, or a value of the type ``URI``."""


def text_of(value: object, what: str) -> str:
    """The text that is meant by a text, or by a value of the type ``URI``.

    Errors: TypeError, which says what it is that should be text.

    >>> text_of("a", "a URI")
    'a'
    """
    if isinstance(value, str):
        return value
    if isinstance(getattr(value, "components", None), Components):
        return str(value)
    more = "; decode octets first: text.decode('ascii')" if isinstance(value, bytes) else ""
    raise TypeError(f"{what} is text of type str, not {type(value).__name__}{more}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one component.

    ``start`` and ``end`` are a half-open range of code points: of the whole text where a text
    was split, of the component's own value where one was built from values. ``production`` is
    the rule of RFC 3986 that the component does not match.
    """

    component: str
    production: str
    start: int
    end: int
    message: str

    def __str__(self) -> str:
        return f"{self.component} {self.start}-{self.end}: {self.message} ({self.production})"


class InvalidComponents(ValueError):
    """Components that make no URI reference; ``faults`` says which, where, and why.

    The message quotes no text: what is refused may hold a password.

    >>> try: split("http://a b/")
    ... except InvalidComponents as error: print(error)
    not a valid URI-reference
    host 8-9: U+0020 SPACE cannot stand here (reg-name)
    """

    def __init__(self, faults: tuple[Fault, ...], rule: str = "URI-reference") -> None:
        self.faults = faults
        self.rule = rule
        super().__init__(faults, rule)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The ranges of all faults, in order."""
        return tuple((fault.start, fault.end) for fault in self.faults)

    def __str__(self) -> str:
        return "\n".join([f"not a valid {self.rule}", *map(str, self.faults)])


def split(text: Text, rule: str = "URI-reference") -> Components:
    """The components of a text that a rule accepts (URI-reference, URI or absolute-URI).

    Errors: InvalidComponents, with a fault for each component that is wrong; UnknownRule;
    ValueError for another rule; TypeError. Cost: O(n). Spec: RFC 3986 §3, Appendix B.

    >>> split("//h:/a?#")
    Components(scheme=None, userinfo=None, host='h', port='', path='/a', query='', fragment='')
    """
    valid, whole, relative, inside = _machines(rule)
    text = text_of(text, "a URI")
    if not valid(text):
        rule = registry.load(GRAMMAR).rule_name(rule)
        raise InvalidComponents(tuple(_faults(text, rule)), rule)
    found = whole(text)
    if found is None:
        authority, path, query, fragment = relative(text).groups()
        scheme = None
    else:
        scheme, authority, path, query, fragment = found.groups()
    if authority is None:
        return Components(scheme, None, None, None, path, query, fragment)
    userinfo, host, port = inside(authority).groups()
    return Components(scheme, userinfo, host, port, path, query, fragment)


def recompose(components: Components) -> str:
    """The text of components that are valid each by itself.

    Removing dot-segments can leave a path that would be read as something else: one that starts
    with two slashes and has no authority before it. It gets ``/.`` in front, which changes
    nothing that it means (RFC 3986 §3.3, §5.2.4). Nothing is checked here; ``build`` does.

    Cost: O(n). Spec: RFC 3986 §5.3.

    >>> recompose(Components(scheme="urn", path="//b"))
    'urn:/.//b'
    """
    scheme, _, host, _, path, query, fragment = components
    text = path
    if host is not None:
        text = f"//{components.authority}{path}"
    elif path.startswith("//"):
        text = "/." + path
    if scheme is not None:
        text = f"{scheme}:{text}"
    if query is not None:
        text += "?" + query
    if fragment is not None:
        text += "#" + fragment
    return text


_Match = Callable[[str], Any]


@cache
def _machines(rule: str) -> tuple[_Match, _Match, _Match, _Match]:
    """The verdict of a rule, and the dividing grammar's three matchers (their groups in order)."""
    strings(rule=rule)
    grammar = registry.load(GRAMMAR)
    name = grammar.rule_name(rule)
    if name not in _WHOLE:
        raise ValueError(f"a text is split by one of {', '.join(_WHOLE)}, not by {name}")
    divide = registry.load(grammar.model.split or "")
    return (
        grammar.matcher(name),
        divide.captures("URI")[0],
        divide.captures("relative-ref")[0],
        divide.captures("authority-parts")[0],
    )


def _faults(text: str, rule: str) -> Iterator[Fault]:
    """What is wrong with a text that the rule does not accept: at least one fault."""
    _, whole, relative, inside = _machines(rule)
    found = whole(text)
    names = registry.load("rfc3986-split").captures("URI" if found else "relative-ref")[1]
    found = found or relative(text)
    values: dict[str, str | None] = dict(zip(names, found.groups(), strict=True))
    starts = {name: found.start(name_at) for name_at, name in enumerate(names, 1)}
    if values["authority"] is not None:
        names_in = registry.load("rfc3986-split").captures("authority-parts")[1]
        parts = inside(values["authority"])
        for at, name in enumerate(names_in, 1):
            values[name] = parts.group(at)
            starts[name] = starts["authority"] + parts.start(at)
    values.pop("authority")
    known = Components(**values)  # type: ignore[arg-type]  # the path is never None
    none = True
    if known.scheme is None and rule != "URI-reference":
        yield Fault("scheme", "scheme", 0, 0, "a scheme and a colon are missing")
        none = False
    if known.fragment is not None and rule == "absolute-URI":
        start = starts["fragment"] - 1
        yield Fault("fragment", rule, start, len(text), "an absolute URI has no fragment")
        none = False
    for fault in sorted(faults_of(known), key=lambda f: starts[f.component]):
        offset = starts[fault.component]
        start, end = offset + fault.start, offset + fault.end
        yield Fault(fault.component, fault.production, start, end, fault.message)
        none = False
    if none:
        yield Fault("path", rule, 0, len(text), f"the text is no {rule}")


def faults_of(components: Components) -> Iterator[Fault]:
    """What is wrong with each component, and with all of them together; nothing if valid.

    Offsets are those of the component's own value. Cost: O(n). Spec: RFC 3986 §3.
    """
    accepts = registry.load(GRAMMAR).accepts
    scheme, userinfo, host, port, path, query, fragment = components
    for name, value in (
        ("scheme", scheme),
        ("userinfo", userinfo),
        ("host", host),
        ("port", port),
        ("path", path),
        ("query", query),
        ("fragment", fragment),
    ):
        if value is None:
            continue
        if name == "path":
            yield from _path_faults(path, scheme is not None, host is not None)
        elif not accepts(name, value):
            yield from _blamed(name, value)
    if host is None:
        for name, value in ("userinfo", userinfo), ("port", port):
            if value is not None:
                message = f'there is no {name} without a host (which may be ""): give a host'
                yield Fault(name, "authority", 0, len(value), message)


def _path_faults(path: str, scheme: bool, authority: bool) -> Iterator[Fault]:
    """What is wrong with a path where it stands (RFC 3986 §3.3)."""
    found = list(_runs("path", "segment", path, characters("segment") | {"/"}))
    if found:
        yield from found
        return
    if authority:
        if path and not path.startswith("/"):
            message = 'after an authority a path is empty or starts with "/"'
            yield Fault("path", "path-abempty", 0, 0, message)
    elif path.startswith("//"):
        message = (
            'without an authority a path cannot start with "//", which would be read as one: '
            'give host="", or write "/." before it'
        )
        yield Fault("path", "path-absolute", 0, 2, message)
    elif not scheme and not registry.load(GRAMMAR).accepts("relative-part", path):
        colon = path.index(":")
        message = (
            "without a scheme the first segment cannot hold a colon, for what stands before it "
            'would be read as a scheme: write "./" before the path'
        )
        yield Fault("path", "path-noscheme", colon, colon + 1, message)


def _blamed(component: str, value: str) -> Iterator[Fault]:
    """Why a component's own production does not accept a value."""
    if component == "scheme":
        yield from _scheme_faults(value)
    elif component != "host":
        yield from _runs(component, component, value, characters(component))
    elif value.startswith("["):
        message = "in the brackets stands an IPv6 address or an IPvFuture, and nothing follows them"
        yield Fault("host", "IP-literal", 0, len(value), message)
    elif registry.load(GRAMMAR).accepts("IPv6address", value):
        message = f"an IPv6 address stands in brackets: [{value}]"
        yield Fault("host", "IP-literal", 0, len(value), message)
    else:
        yield from _runs("host", "reg-name", value, characters("reg-name"))


def _scheme_faults(value: str) -> Iterator[Fault]:
    """A scheme starts with a letter and goes on with more than letters (RFC 3986 §3.1)."""
    accepts = registry.load(GRAMMAR).accepts
    first = characters("scheme")
    letter = min(first)
    later = frozenset(char for char in ASCII if accepts("scheme", letter + char))
    if not value:
        yield Fault("scheme", "scheme", 0, 0, "a scheme is not empty; leave it out as None")
    elif value[0] in later - first:
        yield Fault("scheme", "scheme", 0, 1, f"{named(value[0])} cannot start a scheme")
    yield from _runs("scheme", "scheme", value, later)


def _runs(component: str, production: str, value: str, allowed: frozenset[str]) -> Iterator[Fault]:
    """The runs of characters that cannot stand in a component, and the bad escapes."""
    accepts = registry.load(GRAMMAR).accepts
    escapes = accepts(production, "%00")
    at = 0
    while at < len(value):
        char = value[at]
        if char in allowed:
            at += 1
        elif char == "%" and escapes:
            start = at
            while value.startswith("%", at) and not accepts("pct-encoded", value[at : at + 3]):
                at += 1
            if at > start:
                message = "a percent sign is followed by two hexadecimal digits; itself it is %25"
                yield Fault(component, "pct-encoded", start, at, message)
            else:
                at += 3
        else:
            start = at
            while at < len(value) and value[at] not in allowed and value[at] != "%":
                at += 1
            at = max(at, start + 1)
            # What stands in userinfo is nobody's business: the message has no character of it.
            what = "a character that" if component == "userinfo" else named(char)
            more = " and what follows it" * (at - start > 1)
            yield Fault(component, production, start, at, f"{what}{more} cannot stand here")
