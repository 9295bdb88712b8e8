"""The operations of an OpenAPI document: which one a request asks for, and what is wrong with it.

Owns ``Guard`` and ``Denial``; knows no framework. Imports ``Operation``. Invariant: a path is
divided at its raw slashes, before anything is decoded; to find its operation takes O(n), however
many operations there are; a denial holds no value of the request.

How it works. The templates are a tree, by segment: text before templated segments, and of these
the longest text first (OpenAPI 3.1.1 §4.8.8.2). If the first path that fits lacks the method, the
next that fits is tried. Most frameworks route by the decoded path, in which ``%2F`` is a slash: a
request that means another operation there is denied, for that one would get what nothing validated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain, islice, product
from typing import Any, NamedTuple

from ..arguments import iterables, limits, wrong
from ..grammar import registry
from ..limits import LARGEST_READ_BODY, MOST_BASE_PATHS
from ..percent.clients import Clients
from ..percent.decode import read_as_browsers_do
from ..text.names import did_you_mean, or_list
from ..text.problem import problem
from ..validate.divide import spans
from ..validate.plan import plan_of
from .document import DocumentProblem, InvalidDocument, invalid, operations
from .operation import Headers, Operation, between, literals_and_names, slash
from .reachable import escaped
from .values import OperationReport

_BAD_REQUEST, _NOT_FOUND, _NOT_ALLOWED = 400, 404, 405


class Denial(NamedTuple):
    """Why a request is denied: the status of the response, and the report of its operation.

    ``code``, if there is no report: ``path-unknown`` (404), ``path-ambiguous`` (400) or
    ``method-unknown`` (405, with the methods in ``allow``). ``only_report``: it is not to be sent.
    """

    status: int
    detail: str
    code: str = ""
    allow: tuple[str, ...] = ()
    report: OperationReport | None = None
    only_report: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of what is wrong, for counts."""
        found = () if self.report is None else self.report.violations
        return tuple(dict.fromkeys([self.code] * bool(self.code) + [v.code for v in found]))

    @property
    def summary(self) -> str:
        """One line for a log, without values."""
        return f"{self.status} {self.detail}"

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The further fields of the response (RFC 9110 §15.5.6)."""
        return [("Allow", ", ".join(self.allow))] if self.allow else []

    def to_problem(self) -> dict[str, Any]:
        """A problem detail without values: 20 violations and 10 kB at most (RFC 9457 §3)."""
        if self.report is None:
            return problem(self.status, self.detail)
        return self.report.to_problem()


class Found(NamedTuple):
    """The operation of a request, and the raw path that led to it."""

    operation: Operation
    name: str
    only_report: bool
    path: str = ""


class Guard:
    """The operations of an OpenAPI document, for requests to all of them.

    ``base_paths``: where the paths of the document begin, by default at the paths of its servers,
    whatever their hosts are; give ``[""]`` if a proxy removes them. ``unknown``: requests to paths
    that the document does not have "pass" or are to "refuse". ``only_report``: paths of the
    document, or patterns such as ``/old/*``, whose requests are never refused. ``max_body``: octets
    of a body that is read. ``strict``, ``undeclared``, ``clients`` and ``undefined`` as in
    ``Operation.from_openapi``; the ``problems`` of all operations are in one tuple.

    Errors: InvalidDocument, with all problems of all operations; ValueError, TypeError,
    ImportError. Cost: that of each operation. Spec: OpenAPI 3.1.1 §4.8.5, §4.8.8.

    >>> ids = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    >>> guard = Guard({"openapi": "3.1.1", "servers": [{"url": "https://e.com/v1"}],
    ...                "paths": {"/pets/{id}": {"get": {"parameters": ids}}}})
    >>> guard.check("GET", "/v1/pets/7")
    {'path': {'id': 7}, 'query': {}, 'header': {}, 'cookie': {}}
    >>> guard.check("GET", "/v1/pets/x", "").summary
    '400 GET /pets/{id}: 9-10 path parameter "id": expected an integer'
    >>> guard.check("PUT", "/v1/pets/7").allow
    ('GET', 'HEAD', 'OPTIONS')
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        *,
        base_paths: Sequence[str] | None = None,
        unknown: str = "pass",
        only_report: Iterable[str] = (),
        max_body: int | None = LARGEST_READ_BODY,
        strict: bool = False,
        undeclared: str = "ignore",
        clients: Clients = "rfc",
        undefined: str = "raise",
    ) -> None:
        if unknown not in ("pass", "refuse"):
            raise ValueError(f'unknown is "pass" or "refuse", not {unknown!r}')
        if not isinstance(document, Mapping):
            raise wrong("document", document, "a mapping", "read the JSON or YAML file first")
        iterables("paths", only_report=only_report)
        limits(max_body=max_body)
        self.unknown = unknown
        self.max_body = max_body
        self._root = _Node()
        problems: list[DocumentProblem] = []
        lenient = _chosen(document, only_report)
        for path, method, servers in operations(document, problems):
            try:
                operation = Operation.from_openapi(
                    document,
                    path,
                    method,
                    strict=strict,
                    undeclared=undeclared,
                    clients=clients,
                    undefined=undefined,
                )
                problems += operation.problems
                sent = method.upper() if method.islower() else method  # or else it is as sent
                found = Found(operation, f"{sent} {path}", path in lenient)
                for base in _bases(servers) if base_paths is None else base_paths:
                    self._add(found, base.rstrip(slash()) + path, sent)
            except InvalidDocument as error:
                problems += error.problems
        self.problems: tuple[DocumentProblem, ...] = tuple(dict.fromkeys(problems))
        if self.problems and undefined == "raise":
            raise InvalidDocument(self.problems)

    def _add(self, found: Found, template: str, method: str) -> None:
        methods = self._root.leaf(template.split(slash())).methods
        if method in methods:
            words = f"{methods[method].name} is the same path"
            pointer = f"/paths/{escaped(found.name.partition(' ')[2])}"
            raise invalid(pointer, words)
        methods[method] = found._replace(operation=found.operation.at(template))

    def find(self, method: str, path: str) -> Found | Denial | None:
        """The operation of a request; None if it is not in the document, and passes.

        ``path`` is raw, one code point an octet; of a target in absolute-form, its path is taken.
        HEAD is allowed where GET is, and OPTIONS always passes if it is not declared, because it
        is also the question of a browser before a request of another origin. Cost: O(n).
        """
        if not path.startswith(slash()):
            path = _path(path) or slash()
        segments = [_decoded(segment) for segment in path.split(slash())]
        found, here = self._lookup(method, segments)
        if any(slash() in segment for segment in segments):
            other, there = self._lookup(method, slash().join(segments).split(slash()))
            if other is not found and there:
                words = "to software that decodes it first, the path means another operation"
                return Denial(_BAD_REQUEST, words, "path-ambiguous", only_report=_lenient(there))
        if found is not None:
            return found._replace(path=path)
        if here and method == "OPTIONS":
            return None
        if here:
            names = sorted({*here, "OPTIONS", *["HEAD"] * ("GET" in here)})
            words = f"this path has the methods {or_list(names)}"
            allow = tuple(names)
            return Denial(_NOT_ALLOWED, words, "method-unknown", allow, None, _lenient(here))
        if self.unknown == "refuse":
            return Denial(_NOT_FOUND, "the document has no such path", "path-unknown")
        return None

    def _lookup(self, method: str, segments: list[str]) -> tuple[Found | None, dict[str, Found]]:
        """The operation of a request, and those of the paths that fit, by their methods."""
        fitting: dict[str, Found] = {}
        for methods in self._root.leaves(segments):
            fitting = {**methods, **fitting}
            found = methods.get(method) or (methods.get("GET") if method == "HEAD" else None)
            if found is not None:
                return found, fitting
        return None, fitting

    def octets(self, found: Found, headers: Iterable[tuple[str, str]]) -> int | None:
        """How many octets of a body are to be read: 0 for none of it, None for all.

        The first one of a media type that is not read tells that there is a body.
        """
        declared = found.operation.body
        if declared is None:
            return 0
        kinds = (value for name, value in headers if name.lower() == "content-type")
        media = declared.find(next(kinds, None))
        if media is None or not media.is_read:
            return 1
        return None if self.max_body is None else self.max_body + 1

    def read(
        self, found: Found, query: str, headers: Headers, body: bytes | None = None
    ) -> dict[str, Any] | Denial:
        """The typed values of a request by location, or what is wrong with it.

        ``body`` has as many octets as ``octets`` says; one in a media type that is not read is in
        no values. Never raises on text. Cost: O(n).
        """
        report = found.operation.check(
            path=found.path, query=query, headers=headers, body=body, max_body=self.max_body
        )
        if not report.ok:
            first, _, _ = str(report).partition("\n")
            status = report.to_problem()["status"]
            return Denial(
                status, f"{found.name}: {first}", report=report, only_report=found.only_report
            )
        values = report.values
        if isinstance(values.get("body"), bytes):
            del values["body"]
        return values

    def check(
        self,
        method: str,
        path: str,
        query: str = "",
        headers: Headers = (),
        body: bytes = b"",
    ) -> dict[str, Any] | Denial | None:
        """``find`` and ``read`` at once; None for a request that is not in the document."""
        found = self.find(method, path)
        return self.read(found, query, headers, body) if isinstance(found, Found) else found


class _Node:
    """A place in the tree of templates: what can follow, and the operations that end here."""

    __slots__ = ("methods", "templated", "texts")

    def __init__(self) -> None:
        self.texts: dict[str, _Node] = {}
        self.templated: dict[tuple[str, ...], _Node] = {}
        self.methods: dict[str, Found] = {}

    def leaf(self, segments: list[str]) -> _Node:
        """The place where a template ends; it is made if need be."""
        node = self
        for segment in segments:
            texts = tuple(
                [read_as_browsers_do(text, "utf-8") for text in literals_and_names(segment)[0]]
            )
            if len(texts) == 1:
                node = node.texts.setdefault(texts[0], _Node())
                continue
            if texts not in node.templated:
                every = {**node.templated, texts: _Node()}
                longest_first = sorted(every, key=lambda each: -sum(map(len, each)))
                node.templated = {each: every[each] for each in longest_first}
            node = node.templated[texts]
        return node

    def leaves(self, segments: list[str]) -> Iterator[dict[str, Found]]:
        """The operations of all templates that fit, best first; no place is looked at twice."""
        waiting = [(self, 0)]
        while waiting:
            node, at = waiting.pop()
            if at == len(segments):
                if node.methods:
                    yield node.methods
                continue
            text = segments[at]
            after = [
                (inner, at + 1)
                for texts, inner in node.templated.items()
                if (places := between(text, texts)) and all(start < end for start, end in places)
            ]
            waiting += reversed(after)
            if (plain := node.texts.get(text)) is not None:
                waiting.append((plain, at + 1))


def _path(address: str) -> str:
    """The path in an address, valid or not (RFC 3986, Appendix B)."""
    plan = plan_of(registry.load("rfc3986"), "URI-reference")
    return address[slice(*spans(plan, address)["path"])]


def _decoded(segment: str) -> str:
    """A segment as frameworks read it: octets that are not UTF-8 are replaced, none is refused."""
    if segment.isascii() and "%" not in segment:
        return segment
    octets = segment.encode("latin-1", "replace").decode("utf-8", "replace")
    return read_as_browsers_do(octets, "utf-8")


def _lenient(fitting: Mapping[str, Found]) -> bool:
    return all(found.only_report for found in fitting.values())


def _chosen(document: Mapping[str, Any], patterns: Iterable[str]) -> set[str]:
    """The paths that match patterns. Errors: ValueError, for a pattern that matches none."""
    known = [path for path in document.get("paths") or () if isinstance(path, str)]
    chosen: set[str] = set()
    for pattern in patterns:
        here = {path for path in known if path == pattern or fnmatchcase(path, pattern)}
        if not here:
            near = did_you_mean(pattern, known)
            raise ValueError(f"only_report: the document has no path {pattern!r}{near}")
        chosen |= here
    return chosen


def _bases(servers: tuple[Any, str]) -> list[str]:
    """The paths of the addresses of servers, a variable without ``enum`` as an expression.

    Errors: InvalidDocument. Spec: OpenAPI 3.1.1 §4.8.5, §4.8.6.
    """
    found, pointer = servers
    bases: dict[str, None] = {}
    for at, server in enumerate(found if isinstance(found, list) else [found]):
        url = server.get("url") if isinstance(server, Mapping) else None
        if not isinstance(url, str):
            words = 'expected a server: an object with a "url"'
            raise invalid(f"{pointer}/{at}", words)
        variables = server.get("variables")
        for path in _paths(url, variables if isinstance(variables, Mapping) else {}):
            bases[path.strip(slash()) and slash() + path.strip(slash())] = None
            if len(bases) > MOST_BASE_PATHS:
                words = f"its servers have more than {MOST_BASE_PATHS} paths"
                raise invalid(pointer, words)
    return [*bases]


def _paths(url: str, variables: Mapping[str, Any]) -> Iterator[str]:
    """The paths of a server's address: with each value that a variable in them can have."""
    values = {name: _values(name, variables.get(name)) for name in literals_and_names(url)[1]}
    for name, possible in values.items():
        if slash() in possible[0]:  # it can begin with a scheme
            url = url.replace(f"{{{name}}}", possible[0])
    texts, names = literals_and_names(_path(url))
    for chosen in islice(product(*[values[name] for name in names]), MOST_BASE_PATHS + 1):
        yield "".join(chain(*zip(texts, [*chosen, ""], strict=True)))


def _values(name: str, variable: object) -> list[str]:
    """The values of a variable: those of its enum, or else its default and any segment."""
    known = variable if isinstance(variable, Mapping) else {}
    every, default = known.get("enum"), known.get("default")
    if isinstance(every, list) and every:
        return [str(value) for value in every]
    if not isinstance(default, str):
        return [f"{{{name}}}"]
    return [default] if slash() in default else [default, f"{{{name}}}"]
