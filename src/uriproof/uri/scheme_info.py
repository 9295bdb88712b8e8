"""Facts about one scheme: its registration, its default port, the grammar of its URIs.

Owns the answer, not the data: the registry of IANA is in ``grammar.iana``, the ports in
``schemes``, the grammars in the registry of grammars. Invariant: nothing is guessed; whether a
scheme is registered is as of the date of the copy.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..arguments import strings
from ..grammar import registry
from ..grammar import schemes as iana
from ..grammar.schemes import DEFAULT_PORTS, HOSTS
from ..text.names import near


@dataclass(frozen=True, slots=True)
class SchemeInfo:
    """One scheme: ``name`` in lower case, and the facts about it as of ``date`` (YYYY-MM-DD).

    ``valid`` is whether the name matches the production ``scheme``; ``status`` is that of its
    registration, None without one, and ``references`` those of the registry; ``near`` are
    registered names that an unregistered one might stand for. ``grammar`` and ``rule`` are the
    bundled ones for its URIs, None if there is only the generic syntax. ``default_port`` is None if
    there is none, or none is known; ``needs_host`` is whether its URIs are known to need a host.
    """

    name: str
    valid: bool
    status: iana.Status | None
    references: tuple[str, ...]
    date: str
    grammar: str | None
    rule: str | None
    default_port: int | None
    needs_host: bool
    near: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether the scheme is registered."""
        return self.status is not None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self) | {"near": list(self.near), "references": list(self.references)}


def scheme(name: str) -> SchemeInfo:
    """The facts about a scheme; a name in any case, with or without the colon after it.

    Unknown names are not errors: ``status`` is None for one that is not registered, ``valid`` is
    false for one that no URI can begin with. Errors: TypeError. Cost: tables are read once; near
    names are searched among all registered ones. Source: RFC 3986 §3.1, RFC 7595.

    >>> found = scheme("HTTPS:")
    >>> found.name, found.status, found.default_port, found.grammar
    ('https', 'permanent', 443, 'rfc9110')
    >>> found = scheme("htpps")
    >>> found.status, found.near[0], scheme("1http").valid
    (None, 'https', False)
    """
    strings(name=name)
    text = name.removesuffix(":").lower()
    status = iana.registered(text)
    grammar, rule = registry.schemes().get(text, (None, None))
    port = DEFAULT_PORTS.get(text)
    return SchemeInfo(
        name=text,
        valid=registry.load("rfc3986").accepts("scheme", text),
        status=status,
        references=iana.references(text),
        date=iana.date(),
        grammar=grammar,
        rule=rule,
        default_port=int(port) if port else None,
        needs_host=text in HOSTS,
        near=() if status else near(text, iana.schemes()),
    )
