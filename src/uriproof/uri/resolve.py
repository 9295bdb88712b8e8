"""References against a base: resolving them, and making them.

Owns RFC 3986 section 5. Imports its siblings and the grammars. Invariant: what ``resolve``
returns is a URI, and ``resolve(base, relativize(base, target)) == target``.
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import commonprefix

from ..arguments import flags, strings
from ..errors import UriproofError
from ..grammar import registry
from ..grammar.schemes import DATUM
from ..percent.characters import DOTS, GRAMMAR
from .components import Components, read_argument, recompose, split


def resolve(base: str, reference: str, *, strict: bool = True) -> str:
    """The target URI of a reference, seen from a base URI.

    The base is a URI, whose fragment is ignored (§5.1). If not ``strict``, a reference with the
    scheme of the base is read as one without, as in some old software (§5.2.2). Nothing is
    normalized except dot-segments; those of a URI whose path is one datum (``urn:a/../b``) stay:
    it is opaque to this processing (§1.2.3). If the target's path would be read as an authority,
    it starts with ``/.`` (see ``recompose``).

    Errors: InvalidComponents, for a base that is not a URI or a reference that is not a
    URI-reference; TypeError. Cost: O(n). Spec: RFC 3986 §5.2.

    >>> resolve("http://a/b/c/d;p?q", "../g?y#s")
    'http://a/b/g?y#s'
    >>> resolve("http://a/b/c/d;p?q", "http:g"), resolve("http://a/b/c/d", "http:g", strict=False)
    ('http:g', 'http://a/b/c/g')
    """
    strings(base=base, reference=reference)
    flags(strict=strict)
    start, way = read_argument("base", base, "URI"), read_argument("reference", reference)
    return recompose(transform(start, way, strict=strict))


def transform(base: Components, reference: Components, *, strict: bool = True) -> Components:
    """The components of the target: the pseudocode of RFC 3986 §5.2.2, line by line."""
    scheme, userinfo, host, port, path, query, fragment = reference
    # Schemes are compared without case (§3.1).
    if not strict and scheme is not None and scheme.lower() == (base.scheme or "").lower():
        scheme = None
    if scheme is not None:
        opaque = scheme.lower() in DATUM
        return reference if opaque else reference._replace(path=remove_dot_segments(path))
    if host is not None:
        path = remove_dot_segments(path)
    else:
        userinfo, host, port = base.userinfo, base.host, base.port
        if not path:
            path = base.path
            query = base.query if query is None else query
        elif path.startswith("/"):
            path = remove_dot_segments(path)
        else:
            path = remove_dot_segments(_merge(base, path))
    return Components(base.scheme, userinfo, host, port, path, query, fragment)


def _merge(base: Components, path: str) -> str:
    """RFC 3986 §5.2.3."""
    if base.host is not None and not base.path:
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def remove_dot_segments(path: str) -> str:
    """The path without its segments ``.`` and ``..``, which lead one step nowhere and one up.

    Cost: O(n). Spec: RFC 3986 §5.2.4, followed to the letter for a path without a slash at the
    start (``a/../b`` becomes ``/b``).

    >>> remove_dot_segments("/a/b/c/./../../g"), remove_dot_segments("mid/content=5/../6")
    ('/a/g', 'mid/6')
    """
    if "/." not in path and not path.startswith("."):
        return path
    segments = path.split("/")
    at = 0
    while at < len(segments) and segments[at] in DOTS:  # steps 2A and 2D: only at the very start
        at += 1
    if at == len(segments):
        return ""
    kept = [segments[at]]
    for segment in segments[at + 1 :]:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
            else:
                kept[0] = ""
        elif segment != ".":
            kept.append(segment)
    if at < len(segments) - 1 and segments[-1] in DOTS:
        kept.append("")
    return "/".join(kept)


class Unreachable(UriproofError, ValueError):
    """No reference leads to the target: resolving removes dot-segments, and the target has some.

    (Only the empty reference and those with only a query or fragment keep those of the base.)

    ``target`` is the text, ``spans`` the places of its dot-segments.
    """

    def __init__(self, target: str, spans: tuple[tuple[int, int], ...]) -> None:
        self.target = target
        self.spans = spans
        super().__init__(target, spans)

    def __str__(self) -> str:
        where = ", ".join(f"{start}-{end}" for start, end in self.spans)
        return (
            f"no reference resolves to this target: it has dot-segments at {where}, which "
            "resolving removes (RFC 3986 §5.2.4); normalize the target first"
        )


def relativize(base: str, target: str) -> str:
    """A reference that leads from the base to exactly the target, as relative as it can be.

    In this order: nothing or a fragment, a query, a relative path, an absolute path, an
    authority, the whole target. Both are URIs; neither is normalized, so that hosts that differ
    in case are different.

    Errors: Unreachable, for a target with dot-segments; InvalidComponents; TypeError.
    Cost: O(n). Spec: RFC 3986 §5.2, the other way round (§4.2, §4.4).

    >>> relativize("http://a/b/c/d", "http://a/b/g?y"), relativize("http://a/b", "http://a/x:y")
    ('../g?y', './x:y')
    >>> resolve("http://a/b/c/d", "../g?y")
    'http://a/b/g?y'
    """
    strings(target=target, base=base)
    there, here = read_argument("target", target, "URI"), read_argument("base", base, "URI")
    accepts = registry.load(GRAMMAR).accepts
    for reference in _candidates(there, here):
        # Each is tried: the merged path has corner cases (a base without a slash, empty
        # segments, an authority without a path) that only ``transform`` knows.
        text = recompose(reference)
        if (
            recompose(transform(here, reference)) == target
            and accepts("URI-reference", text)
            and split(text) == reference
        ):
            return text
    raise Unreachable(target, tuple(_dot_segments(there, target)))


def _candidates(there: Components, here: Components) -> Iterator[Components]:
    """References to try, the most relative first."""
    *_, path, query, fragment = there
    if there.scheme == here.scheme:
        if there[1:4] == here[1:4]:
            if path == here.path:
                yield Components(fragment=fragment)
                yield Components(query=query, fragment=fragment)
            for way in _ways(here.path, path):
                yield Components(path=way, query=query, fragment=fragment)
            if path.startswith("/"):
                yield Components(path=path, query=query, fragment=fragment)
        if there.host is not None:
            yield there._replace(scheme=None)
    yield there


def _ways(here: str, there: str) -> Iterator[str]:
    """Relative paths from one path to another: down only, or up and down."""
    directory = remove_dot_segments(here[: here.rfind("/") + 1]) or "/" * there.startswith("/")
    alike = len(commonprefix((directory, there)))
    common = directory.rfind("/", 0, alike) + 1
    ups, rest = directory.count("/", common), there[common:]
    if ups:
        yield "../" * ups + rest
    else:
        yield rest
        yield "./" + rest


def _dot_segments(components: Components, text: str) -> Iterator[tuple[int, int]]:
    """The places of the path's dot-segments in the text."""
    at = len(recompose(components._replace(path="", query=None, fragment=None)))
    for segment in components.path.split("/"):
        if segment in DOTS:
            yield at, at + len(segment)
        at += len(segment) + 1
