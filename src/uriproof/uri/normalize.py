"""Normalizing and comparing: RFC 3986 section 6.2, one kind of normalization after the other.

Owns the steps of each level. Imports its siblings and the grammars. Invariant: a normal form is a
valid reference, and a URI of its scheme if the text was one; it has the same target from every base
of a scheme in which octets can be decoded, and that has an authority if the reference has one;
normalizing it changes nothing, and no reserved character is encoded or decoded.

Protocol-based normalization (section 6.2.4) is left out: it needs the answers of a server.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from ..arguments import flags, strings, strings_or_none
from ..grammar import registry
from ..grammar.schemes import (
    AS_ENCODED,
    ASSIGNED_NAMES,
    CHARACTERS,
    DATUM,
    DEFAULT_PORTS,
    DOMAINS,
    HOSTS,
    LOCAL,
    NO_AUTHORITY,
)
from ..percent.characters import DIRECTIVE, DOTS, GRAMMAR, keep_dots, rewritten, spelled
from ..percent.hosts.addresses import canonical_address
from .components import Components, InvalidComponents, read_argument, recompose
from .iri import iri_to_uri
from .resolve import remove_dot_segments, transform

LEVEL = "scheme"
"""The level if none is given: the last that needs no table of Unicode."""


def normalize(uri: str, level: str = LEVEL) -> str:
    """The normal form of a URI, or of a reference, on a level of RFC 3986 section 6.2.

    - ``string``: no change.
    - ``case``: scheme and host in lower case, hex digits of percent-encoded octets in upper case.
    - ``percent-encoding``: unreserved characters decoded; but a dot-segment stays encoded if
    it is not a step up or down, and in a relative reference, whose base decides that.
    - ``path-segment``: dot-segments resolved. In a relative path, only if it leads to the same
    target from every base; in a path without a hierarchy, never: that of ``urn:a/../b``, which
    does not begin with a slash, and of schemes whose path is opaque.
    - ``scheme``: IPv6 addresses in their canonical form (RFC 5952); no leading zeros in a port, no
      empty port, and no default one; ``/`` for an empty path if the scheme has hosts; an empty
      host for the local one of file URIs; the namespace of a URN in lower case (RFC 8141 §3.1).
    - ``host``, only if asked for: a domain name of any script in A-labels, as it is looked up (see
      ``canonical_host``), if hosts of the scheme are domain names; what is not a name of the DNS
      stays. On this level the text can also be an IRI-reference, which is mapped to a URI first.

    Less is done for schemes that forbid more: nothing is decoded in a URN (RFC 8141 §3.1), an
    address of mail, a DID or an LDAP URL, and a tag stays as it is (RFC 4151 §2.4); a scheme
    without an authority has no host. The file ``grammars/schemes.toml`` has the rules of each
    scheme. In a fragment with a directive (``:~:text=``), where "-" is syntax, nothing is decoded.

    Errors: InvalidComponents, for a text that is not a URI-reference; ValueError for an unknown
    level; TypeError. Cost: O(n). Spec: RFC 3986 §6.2.

    >>> normalize("HTTP://User@EXAMPLE.com:80/%7ea/./b/../%2f%c3%a9")
    'http://User@example.com/~a/%2F%C3%A9'
    >>> normalize("HTTP://EXAMPLE.com:80", "case")
    'http://example.com:80'
    """
    strings(uri=uri, level=level)
    parts: _Parts = read_reference("", uri, level)
    each = _work(level)
    for work in each[len(each) > 1 :]:  # the second level includes the first
        parts = work(parts)
    return recompose(Components(*parts))


def read_reference(name: str, text: str, level: str, rule: str = "URI-reference") -> Components:
    """As ``read_argument``; on the level ``host``, the text can be an IRI (RFC 3987 §3.1)."""
    if level == "host" and not text.isascii():
        try:
            text = iri_to_uri(text)
        except InvalidComponents as error:
            error.argument = name
            raise
    return read_argument(name, text, rule)


class Change(NamedTuple):
    """The change of one component in one step; None if the component is undefined."""

    component: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class NormalizationStep:
    """One level, the text before and after it, and the components that it changed."""

    level: str
    section: str
    before: str
    after: str
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """The step as JSON-ready values."""
        return asdict(self) | {"changes": [change._asdict() for change in self.changes]}


def normalization_steps(uri: str, level: str = LEVEL) -> tuple[NormalizationStep, ...]:
    """The steps of ``normalize``, one for each level after the first, also those without changes.

    Errors and cost: as ``normalize``, once a level. Spec: RFC 3986 §6.2.

    >>> [(step.level, step.after) for step in normalization_steps("HTTP://h/%7E") if step.changes]
    [('case', 'http://h/%7E'), ('percent-encoding', 'http://h/~')]
    """
    strings(uri=uri, level=level)
    components = read_reference("", uri, level)
    made: list[NormalizationStep] = []
    for name, work in zip(LEVELS[1:], _work(level), strict=False):
        before, components = components, Components(*work(components))
        changes = tuple(
            Change(component, old, new)
            for component, old, new in zip(Components._fields, before, components, strict=True)
            if old != new
        )
        made.append(
            NormalizationStep(
                name, _LEVELS[name][1], recompose(before), recompose(components), changes
            )
        )
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two texts are equivalent: true or false, and on which level.

    ``level`` is the first on which they are equal, or None; ``a`` and ``b`` are their forms on
    that level, or else on the last. ``differing`` are the components that differ there.
    """

    level: str | None
    a: str
    b: str
    differing: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.level is not None

    def __str__(self) -> str:
        if self.level is None:
            ending = "s" if len(self.differing) == 1 else ""
            return f"not equivalent: {', '.join(self.differing)} differ{ending}"
        words, section, _ = _LEVELS[self.level]
        return f"equivalent by {words} (RFC 3986 §{section})"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as JSON-ready values."""
        section = _LEVELS[self.level][1] if self.level else None
        made = asdict(self) | {"differing": list(self.differing)}
        return {"equivalent": bool(self), "level": self.level, "section": section} | made


def equivalent(
    a: str, b: str, *, base: str | None = None, fragment: bool = True, level: str = LEVEL
) -> Equivalence:
    """Whether two references are equivalent, and on which level of RFC 3986 section 6.2.

    Relative references should be compared by their targets: give the ``base`` (§6.1). Without one,
    those are equivalent that have the same target from every base. ``fragment=False`` leaves
    fragments out, as one does before fetching (§6.1). ``level`` is the last one to try. On the
    level ``scheme``, the text after the assigned name of a URN is ignored (RFC 8141 §3.1). On the
    level ``host``, both can be IRIs; two texts with characters outside ASCII are equal as strings,
    or compared on this level alone. Not equivalent means no more than that no level shows it.

    Errors: as ``normalize``; InvalidComponents for a base that is not a URI. Cost: O(n), once a
    level. Spec: RFC 3986 §6.1, §6.2.

    >>> print(equivalent("http://a/b", "HTTP://A:80/%62"))
    equivalent by scheme-based normalization (RFC 3986 §6.2.3)
    >>> print(equivalent("http://a/b%2Fc", "http://a/b/c"))
    not equivalent: path differs
    """
    strings(a=a, b=b, level=level)
    strings_or_none(base=base)
    flags(fragment=fragment)
    one, two = read_reference("a", a, level), read_reference("b", b, level)
    if base is not None:
        start = read_reference("base", base, level, "URI")
        # Resolving a URI would remove dots that are no steps, before anything is compared.
        one, two = (c if c.scheme else transform(start, c) for c in (one, two))
    if not fragment:
        one, two = one._replace(fragment=None), two._replace(fragment=None)
    each = _work(level)
    texts = recompose(one), recompose(two)
    for at, name in enumerate(LEVELS[: len(each) + 1]):
        if at:
            one, two = (Components(*each[at - 1](parts)) for parts in (one, two))
            if name == "scheme":
                one, two = _assigned_name(one), _assigned_name(two)
            texts = recompose(one), recompose(two)
        if texts[0] == texts[1] and (name == "host" or a == b or (a + b).isascii()):
            return Equivalence(name, *texts, ())
    pairs = zip(Components._fields, one, two, strict=True)
    return Equivalence(None, *texts, tuple(name for name, x, y in pairs if x != y))


_URN = "rfc8141"
# Components without their names: to make seven names of them after each level takes time.
_Parts: TypeAlias = tuple[
    str | None, str | None, str | None, str | None, str, str | None, str | None
]
_Work: TypeAlias = Callable[[_Parts], _Parts]


def _work(level: str) -> tuple[_Work, ...]:
    """The work of a level and of those below it. Errors: ValueError."""
    if level not in _LEVELS:
        raise ValueError(f"no level {level!r}; the levels are {', '.join(LEVELS)}")
    return _ALL[: LEVELS.index(level)]


def _case(parts: _Parts) -> _Parts:
    """RFC 3986 §6.2.2.1."""
    return _letters(parts, spelled()[0])


def _percent_encoding(parts: _Parts) -> _Parts:
    """RFC 3986 §6.2.2.2, and the level below it: a decoded letter also has a case."""
    return _letters(parts, spelled()[1])


def _letters(parts: _Parts, octets: dict[str, str]) -> _Parts:
    """Scheme and host in lower case (§3.1, §3.2.2), and each encoded octet as the table has it."""
    scheme, userinfo, host, port, path, query, fragment = parts
    if scheme is not None:
        scheme = scheme.lower()
        if scheme in CHARACTERS:
            return parts
    if scheme in AS_ENCODED:
        octets = spelled()[0]
    if host and "%" in host:
        host = rewritten(host, octets)
    if host and scheme not in NO_AUTHORITY:
        # Decoded characters get their lower case, and then octets get their upper case back.
        host = rewritten(host.lower(), octets) if "%" in host else host.lower()
    if userinfo and "%" in userinfo:
        userinfo = rewritten(userinfo, octets)
    if "%" in path:
        written = rewritten(path, octets)
        # No dot-segment comes out of data that reference resolution does not interpret (§5.2.4).
        if written != path and (scheme is None or not _is_hierarchical(scheme, path)):
            written = keep_dots(path, written)
        path = written
    return (
        scheme,
        userinfo,
        host,
        port,
        path,
        rewritten(query, octets) if query and "%" in query else query,
        fragment and rewritten(fragment, spelled()[0] if DIRECTIVE in fragment else octets),
    )


def _is_hierarchical(scheme: str, path: str) -> bool:
    """Whether dot-segments of a path mean steps.

    A path that does not begin with a slash is the scheme's own (§1.2.3): what "/" and ".." mean in
    it only the scheme says, and to remove them could make one name of two, which "strictly
    avoiding false positives" forbids (§6.1), or leave no URI of the scheme. Resolving does remove
    them if the scheme is not known to have such paths.
    """
    return path.startswith("/") and scheme.lower() not in DATUM


def _path_segments(parts: _Parts) -> _Parts:
    """RFC 3986 §6.2.2.3: complete segments, decoded before, so that an encoded dot is a dot."""
    scheme, userinfo, host, port, path, query, fragment = parts
    if "/." not in path and not path.startswith("."):
        return parts
    if scheme is None and not path.startswith("/"):
        path = _shorten(path)
    elif scheme is None or _is_hierarchical(scheme, path):
        path = remove_dot_segments(path)
        if scheme in LOCAL and path.startswith("//"):
            path = "/." + path  # the first segment of a file's path is not empty (RFC 8089 §2)
    return scheme, userinfo, host, port, path, query, fragment


def _scheme(parts: _Parts) -> _Parts:
    """RFC 3986 §6.2.3 and §3.2.3: without parts that mean nothing in this scheme."""
    scheme, userinfo, host, port, path, query, fragment = parts
    if scheme in LOCAL and userinfo is None and not port:
        # A relative path after "file:" does not match RFC 8089, and stays unchanged.
        if host == LOCAL[scheme] or (host is None and path.startswith("/")):
            host = ""
    elif scheme in ASSIGNED_NAMES:
        path = _namespace(path)
    if host is None or (scheme or "").lower() in NO_AUTHORITY:
        return scheme, userinfo, host, port, path, query, fragment
    if host.startswith("["):
        host = canonical_address(host)
    if port is not None:
        # A number without its leading zeros, which can have any number of digits.
        port = port and (port.lstrip("0") or "0")
        if not port or DEFAULT_PORTS.get(scheme or "") == port:
            port = None
    if not path and host and scheme in HOSTS:
        path = "/"
    return scheme, userinfo, host, port, path, query, fragment


def _namespace(path: str) -> str:
    """The path of a URN with its namespace in lower case (RFC 8141 §3.1)."""
    if not registry.load(_URN).accepts("assigned-name", f"urn:{path}"):
        return path
    name, colon, specific = path.partition(":")
    return name.lower() + colon + specific


def _assigned_name(c: Components) -> Components:
    """A URN without its r-, q- and f-components, which do not count (RFC 8141 §3.1)."""
    if c.scheme in ASSIGNED_NAMES and registry.load(_URN).accepts("namestring", recompose(c)):
        return c._replace(query=None, fragment=None)
    return c


def _host(parts: _Parts) -> _Parts:
    """RFC 3986 §3.2.2: a name that is not ASCII is looked up in the DNS by its A-labels."""
    from ..percent.hosts.host import InvalidHost, canonical_host

    scheme, userinfo, host, port, path, query, fragment = parts
    if host and "%" in host and scheme in DOMAINS:
        with suppress(InvalidHost):
            name = canonical_host(host).text
            return _scheme((scheme, userinfo, name, port, path, query, fragment))
    return parts


# How each level is told, its section, and the work that it adds to that of those before it.
_LEVELS: dict[str, tuple[str, str, _Work]] = {
    "string": ("simple string comparison", "6.2.1", lambda parts: parts),
    "case": ("case normalization", "6.2.2.1", _case),
    "percent-encoding": ("percent-encoding normalization", "6.2.2.2", _percent_encoding),
    "path-segment": ("path segment normalization", "6.2.2.3", _path_segments),
    "scheme": ("scheme-based normalization", "6.2.3", _scheme),
    "host": ("mapping to ASCII", "3.2.2", _host),
}

LEVELS = tuple(_LEVELS)
"""How far to normalize, the cheapest first. Each level takes all below it (RFC 3986 §6.2)."""

_ALL = tuple(work for _, _, work in _LEVELS.values())[1:]


def _shorten(path: str) -> str:
    """A relative path without the dot-segments that make no difference from any base.

    Steps up at the start are what makes it relative; the segment after them stays too, for from
    a base without a slash (urn:x) it is the whole path, and ``a/../b`` ends at ``/b`` (§5.2.4).
    """
    *segments, last = path.split("/")
    if last in DOTS:
        segments, last = [*segments, last], ""
    kept: list[str] = []
    removable = -1  # number of kept segments that steps up can remove
    for segment in segments:
        if segment == "..":
            if removable > 0:
                kept.pop()
                removable -= 1
            else:
                kept.append(segment)
        elif segment != ".":
            kept.append(segment)
            removable += 1
    short = "/".join([*kept, last])
    # A path that is now empty, or starts with a slash or a scheme, would be another kind of
    # reference.
    return short if registry.load(GRAMMAR).accepts("path-noscheme", short) else "./" + short
