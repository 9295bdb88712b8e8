"""A URI, or a reference, out of its components.

Owns what may be given as a component. Imports its siblings. Invariant: what is built is valid,
and split again it gives exactly the components that it was built from.
"""

from __future__ import annotations

from ..arguments import wrong
from .components import Components, InvalidComponents, checked, invalid, recompose, violation


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
    """A URI out of its components, or a relative reference if there is no scheme.

    None leaves a component out with its delimiter, "" makes it empty. Each has to match its
    production as it is: nothing is encoded here, so encode data first. What would be split
    otherwise than it was given is refused: a path that starts with ``//`` and no host, a first
    segment with a colon and no scheme, a path that does not start with a slash after a host.

    Errors: InvalidComponents, with every violation, and offsets in the component's
    own value; TypeError. Cost: O(n). Spec: RFC 3986 §3, §4.2, §5.3.

    >>> build(scheme="http", host="[::1]", port=8080, path="/a%20b", query="")
    'http://[::1]:8080/a%20b?'
    >>> try: build(scheme="http", host="::1", path="a b")
    ... except InvalidComponents as error: print(error)
    not a valid host: host 0: U+003A COLON is not allowed here in the host (reg-name); expected \
unreserved / pct-encoded / sub-delims; an IPv6 address is written in brackets: [::1] (and 1 more)
    """
    components = Components(
        _text("scheme", scheme),
        _text("userinfo", userinfo),
        _text("host", host),
        _digits(port),
        _text("path", path) or "",
        _text("query", query),
        _text("fragment", fragment),
    )
    return recompose(checked(components))


def _text(name: str, value: str | None) -> str | None:
    if value is None and name == "path":
        raise wrong(name, value, "a str", 'for an empty path, give ""')
    if value is None or isinstance(value, str):
        return value
    raise wrong(name, value, "a str or None", "give the component itself")


def _digits(port: str | int | None) -> str | None:
    if isinstance(port, bool) or not isinstance(port, str | int | None):
        raise wrong("port", port, "an int, a str or None")
    if not isinstance(port, int):
        return port
    try:
        return str(port)
    except ValueError:  # Python refuses to write thousands of digits
        message = "the number is too long to write; give a port as text"
        raise InvalidComponents(invalid("", [violation("port", "port", 0, 0, message)])) from None
