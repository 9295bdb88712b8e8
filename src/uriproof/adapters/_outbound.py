"""Outbound requests: where a client may connect to.

Owns what the transports for ``httpx`` and ``httpx2`` share: the check of addresses, and what takes
the place of a network backend of ``httpcore`` or ``httpcore2``. Imports rules, the table of
special-purpose addresses and the standard library. Invariant: nothing is connected to but an
address that was checked after the last lookup of its name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Any, TypeAlias, cast

from ..advice._hosts import METADATA, Address, reached, special
from ..arguments import iterables
from ..errors import UriproofError
from ..policy import Policy
from ..report import InvalidURI
from ..rule import Rule, as_rule, check_bounded
from ..text.drawing import short

Resolver: TypeAlias = Callable[[str, int], Iterable[str]]
"""The addresses of a host name, for a port, as text. Errors: OSError."""

_SHOWN = 60  # code points of a host in a message


class ForbiddenAddress(UriproofError):
    """A host leads to an address that is not global: ``purpose`` says what such addresses are for.

    >>> str(ForbiddenAddress("example.com", "10.0.0.1", "private"))
    'example.com resolves to 10.0.0.1, which is not global (private)'
    """

    def __init__(self, host: str, address: str, purpose: str) -> None:
        self.host, self.address, self.purpose = host, address, purpose
        Exception.__init__(self, host, address, purpose)

    def __str__(self) -> str:
        leads = f"{short(self.host, _SHOWN)} resolves to " if self.host != self.address else ""
        return f"{leads}{self.address}, which is not global ({self.purpose})"


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name by the resolver of the system, in its order. Errors: OSError."""
    found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(str(info[4][0]) for info in found)]


class Guarded:
    """Before a transport of ``httpx`` or ``httpx2``: requests and connects to what is allowed."""

    _errors: tuple[type[InvalidURI], type[ForbiddenAddress]] = InvalidURI, ForbiddenAddress
    _pool: Any

    def __init__(
        self,
        rule: str | Rule | None = None,
        *,
        allow: Iterable[str] = (),
        resolver: Resolver = resolve,
        **options: Any,
    ) -> None:
        for name in ("proxy", "uds"):
            if options.pop(name, None) is not None:
                raise TypeError(f"{name} cannot be used: no address would be checked")
        iterables("str", "write a list, with one network in it", allow=allow)
        self._rule = Rule(policy=Policy.fetches()) if rule is None else as_rule(rule)
        self._allowed = tuple(ip_network(network) for network in allow)
        self._resolver = resolver
        super().__init__(**options)
        pin(self._pool, self.addresses)

    def handle_request(self, request: Any) -> Any:
        self._require(request)
        return cast("Any", super()).handle_request(request)

    def handle_async_request(self, request: Any) -> Any:
        self._require(request)
        return cast("Any", super()).handle_async_request(request)

    def _require(self, request: Any) -> None:
        url = str(request.url)
        if not self._rule.is_valid(url):
            raise self._errors[0](check_bounded(self._rule, url))

    def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, none if one of them is not allowed. Cost: one lookup.

        A name with a public and a private address is an attack or a mistake; to choose the public
        one would hide that. Errors: ForbiddenAddress; OSError; ValueError for what is no address.
        """
        try:
            found = [str(ip_address(host))]
        except ValueError:
            found = [*self._resolver(host, port)]
        for text in found:
            for purpose in self._against(ip_address(text)):
                raise self._errors[1](host, text, purpose)
        if not found:
            raise OSError(f"{short(host, _SHOWN)} has no address")
        return found

    def _against(self, address: Address) -> Iterator[str]:
        """What speaks against an address: what it, or one that it carries, is for."""
        if not self._allows(address):
            yield from (what for one, what in special(address) if not self._allows(one))
            if any(str(one) in METADATA for one in reached(address)):  # one is global
                yield "metadata of a cloud"

    def _allows(self, address: Address) -> bool:
        return any(address in network for network in self._allowed)


def pin(pool: Any, addresses: Callable[[str, int], list[str]]) -> None:
    """Have a connection pool of ``httpcore`` or ``httpcore2`` connect only to these addresses.

    Errors: ImportError for a version without the backend to replace: never an unguarded pool.
    """
    core = import_module(type(pool).__module__.partition(".")[0])
    backends = {"ConnectionPool": _Pinned, "AsyncConnectionPool": _AsyncPinned}
    made = backends.get(type(pool).__name__)
    if made is None or not hasattr(pool, "_network_backend"):
        raise ImportError(f"this version of {core.__name__} is not supported", name=core.__name__)
    pool._network_backend = made(pool._network_backend, core, addresses)


class _Backend:
    """What both backends share. The time for all addresses of a name together is limited."""

    def __init__(self, inner: Any, core: Any, addresses: Callable[[str, int], list[str]]) -> None:
        self._inner, self._core, self._find = inner, core, addresses
        self._failures = (core.ConnectError, core.ConnectTimeout)
        self.sleep = inner.sleep

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            return self._find(host, port)
        except (OSError, ValueError) as error:  # ValueError: not a name, or not an address
            raise self._core.ConnectError(str(error)) from error

    def _left(self, began: float, timeout: float | None) -> float | None:
        left = None if timeout is None else began + timeout - monotonic()
        if left is not None and left <= 0:
            raise self._core.ConnectTimeout("timed out")
        return left

    def connect_unix_socket(self, *_: Any, **__: Any) -> Any:
        raise ForbiddenAddress("", "a Unix socket", "of this machine")


class _Pinned(_Backend):
    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, **options: Any
    ) -> Any:
        began, failed = monotonic(), list[Exception]()
        for address in self._addresses(host, port):
            left = self._left(began, timeout)
            try:
                return self._inner.connect_tcp(address, port, left, **options)
            except self._failures as error:  # the next address might do
                failed.append(error)
        raise failed[-1]


class _AsyncPinned(_Backend):
    """For asyncio and trio; names are looked up in a thread."""

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, **options: Any
    ) -> Any:
        from anyio import fail_after, to_thread

        began, failed, find = monotonic(), list[Exception](), self._addresses
        try:
            with fail_after(timeout):
                found = await to_thread.run_sync(find, host, port, abandon_on_cancel=True)
        except TimeoutError as error:
            raise self._core.ConnectTimeout("timed out") from error
        for address in found:
            left = self._left(began, timeout)
            try:
                return await self._inner.connect_tcp(address, port, left, **options)
            except self._failures as error:
                failed.append(error)
        raise failed[-1]
