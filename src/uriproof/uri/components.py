"""A reference as its components, and the components as a text again.

Owns splitting a valid text, recomposing valid components, and the allowed arguments for them.
Imports ``validate``, which reports errors in either, and the grammars. Invariant:
``recompose(split(text)) == text`` for every URI-reference; a built URI is valid, and splits into
exactly the components that it was built from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ..arguments import strings, wrong
from ..grammar import registry
from ..percent.characters import GRAMMAR
from ..percent.errors import invalid, violation
from ..report import InvalidURI, Report, Violation, and_more
from ..validate.report import make_report
from ..validate.words.messages import told

_WHOLE = ("URI-reference", "URI", "absolute-URI")  # the rules of texts that have components


class Components(NamedTuple):
    """The components of a URI reference: None if a component is undefined, "" if empty.

    If host is None, there is no authority; then userinfo and port are also None. Spec: RFC 3986 §3;
    the difference between undefined and empty is §5.3.
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
        """Userinfo, host and port as one text (RFC 3986 §3.2); None without an authority.

        >>> split("http://me@h:80/").authority
        'me@h:80'
        """
        if self.host is None:
            return None
        before = "" if self.userinfo is None else self.userinfo + "@"
        after = "" if self.port is None else ":" + self.port
        return before + self.host + after


class InvalidComponents(InvalidURI):
    """Components that make no URI reference; ``violations`` says which, where, and why.

    ``report`` is that of the text that was split; if components were given, that of the first one
    that is wrong. ``argument`` is the name of the text's argument, if there were several
    (``base``). Offsets are code points of the text, or of the component's own value. In
    ``violations`` passwords are masked.

    >>> try: split("http://a b/")
    ... except InvalidComponents as error: print(error)
    not a valid URI-reference: host 8: A space is not allowed in a host name.
    """

    violations: tuple[Violation, ...]
    argument: str = ""

    def __init__(self, *reports: Report) -> None:
        super().__init__(reports[0])
        self.violations = tuple([v for one in reports for v in one.masked().violations])
        self.args = reports

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The ranges of all violations, in order."""
        return tuple((violation.start, violation.end) for violation in self.violations)

    def __str__(self) -> str:
        first = self.violations[0]
        words = f"{told([first])}{and_more(self.violations)}"
        what = f"{self.argument} is " if self.argument else ""
        return f"{what}not a valid {self.report.rule}: {first.component} {first.start}: {words}"


def split(text: str, rule: str = "URI-reference") -> Components:
    """The components of a text that a rule accepts (URI-reference, URI or absolute-URI).

    Errors: InvalidComponents, with all violations; UnknownRule; ValueError for another rule;
    TypeError. Cost: O(n). Spec: RFC 3986 §3, Appendix B.

    >>> split("//h:/a?#")
    Components(scheme=None, userinfo=None, host='h', port='', path='/a', query='', fragment='')
    """
    strings(text=text, rule=rule)
    machines = _machines(rule)
    if not machines[0](text):
        compiled = registry.load(GRAMMAR)
        rule = compiled.rule_name(rule)
        raise InvalidComponents(make_report(compiled, text, rule))
    return Components._make(_divided(text, machines))


def _divided(text: str, machines: _Machines) -> tuple[str | None, ...]:
    """The components of a valid text, in their order."""
    _, whole, relative, inside = machines
    found = whole(text)
    if found is None:
        authority, path, query, fragment = relative(text).groups()
        scheme = None
    else:
        scheme, authority, path, query, fragment = found.groups()
    if authority is None:
        return scheme, None, None, None, path, query, fragment
    return scheme, *inside(authority).groups(), path, query, fragment


def read_argument(name: str, text: str, rule: str = "URI-reference") -> Components:
    """As ``split``; the error names the argument."""
    try:
        return split(text, rule)
    except InvalidComponents as error:
        error.argument = name
        raise


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


def build(
    *,
    scheme: str | None = None,
    userinfo: str | None = None,
    host: str | None = None,
    port: str | int | None = None,
    path: str = "",
    query: str | None = None,
    fragment: str | None = None,
) -> str:
    """A URI from its components, or a relative reference without a scheme.

    None leaves out a component with its delimiter, "" makes it empty. Each must match its
    production: nothing is encoded here, so encode data first. Components that would be split
    differently are rejected: a path that starts with ``//`` and no host, a first segment with a
    colon and no scheme, a path that does not start with a slash after a host.

    Errors: InvalidComponents, with every violation, and offsets in the component's
    own value; TypeError. Cost: O(n). Spec: RFC 3986 §3, §4.2, §5.3.

    >>> build(scheme="http", host="[::1]", port=8080, path="/a%20b", query="")
    'http://[::1]:8080/a%20b?'
    >>> try: build(scheme="http", host="::1", path="a b")
    ... except InvalidComponents as error: print(error.violations[0].hint)
    put the IPv6 address in brackets: [::1]
    """
    components = Components(scheme, userinfo, host, _digits(port), path, query, fragment)
    try:
        text, machines = recompose(components), _machines(_WHOLE[0])
        if machines[0](text) and _divided(text, machines) == components:
            return text  # each component is right, and in its place
    except (AttributeError, TypeError):
        pass  # one is not a text, which is found out below
    for name, value in components._asdict().items():
        if value is None and name == "path":
            raise wrong(name, value, "a str", 'for an empty path, give ""')
        if not isinstance(value, str | None):
            raise wrong(name, value, "a str or None", "give the component itself")
    raise InvalidComponents(*_reports(components))


def _digits(port: str | int | None) -> str | None:
    if port is None or isinstance(port, str):
        return port
    if isinstance(port, bool) or not isinstance(port, int):
        raise wrong("port", port, "an int, a str or None")
    try:
        return str(port)
    except ValueError:  # Python refuses to write thousands of digits
        message = "The number is too long to write; give the port as text."
        raise InvalidComponents(invalid("", [violation("port", "port", 0, 0, message)])) from None


def _reports(components: Components) -> Iterator[Report]:
    """A report of each component that is wrong."""
    for name, value in components._asdict().items():
        if value is not None and (found := [*_violations(components, name, value)]):
            yield invalid(value, found)


def _violations(components: Components, name: str, value: str) -> Iterator[Violation]:
    compiled = registry.load(GRAMMAR)
    found = make_report(compiled, value, name).violations
    if name == "host" and found and compiled.accepts("IPv6address", value):
        hint = f"put the IPv6 address in brackets: [{value}]"
        found = tuple(one._replace(hint=hint) for one in found)
    yield from found or (_misplaced(components) if name == "path" else ())
    if components.host is None and name in ("userinfo", "port"):
        message = f'A {name} needs a host, which can be "".'
        yield violation(name, "authority", 0, len(value), message)


def _misplaced(components: Components) -> Iterator[Violation]:
    """The violation of a path at its place (RFC 3986 §3.3)."""
    compiled = registry.load(GRAMMAR)
    path, hint = components.path, None
    if components.host is not None:
        rule = "path-abempty"
    elif path.startswith("//"):
        rule = "path-absolute"
        hint = 'give host="", or write "/." before "//", which would start an authority'
    elif components.scheme is None and not compiled.accepts("relative-part", path):
        rule = "path-noscheme"
        hint = 'write "./" before the path, or it would be read as a scheme'
    else:
        return
    for one in make_report(compiled, path, rule).violations:
        yield one._replace(hint=hint or one.hint, fix=None)


_Match = Callable[[str], Any]
_Machines = tuple[_Match, _Match, _Match, _Match]


@cache
def _machines(rule: str) -> _Machines:
    """The verdict of a rule, and the dividing grammar's three matchers (their groups in order)."""
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
