"""Outbound requests: where a client may connect to.

Owns ``Destinations``, and what connects for it in the place of a network backend of ``httpcore``
or ``httpcore2``. Imports rules, the table of special-purpose addresses and the standard library; a
client passes in what is its own. Invariant: nothing is connected to but an address that was checked
after the last lookup of its name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Any, TypeAlias

from ..advice._hosts import METADATA_ADDRESSES, Address, reached, special
from ..arguments import iterables
from ..errors import UriproofError
from ..policy import Policy
from ..report import InvalidURI
from ..rule import Rule, as_rule, check_bounded
from ..text.drawing import short

__all__ = ["Destinations", "ForbiddenAddress", "Resolver", "pin", "resolve"]

Resolver: TypeAlias = Callable[[str, int], Iterable[str]]
"""The addresses of a host name, for a port, as text. Errors: OSError."""

_SHOWN = 60  # code points of a host in a message
_FETCHES = Rule(policy=Policy.fetches())


class ForbiddenAddress(UriproofError):
    """A host leads to an address that is not global: ``purpose`` says what such addresses are for.

    >>> str(ForbiddenAddress("example.com", "10.0.0.1", "private"))
    'example.com resolves to 10.0.0.1, which is not global (private)'
    """

    def __init__(self, host: str, address: str, purpose: str) -> None:
        self.host = host
        self.address = address
        self.purpose = purpose
        Exception.__init__(self, host, address, purpose)

    def __str__(self) -> str:
        host = short(self.host, _SHOWN)
        leads = "" if self.host == self.address else f"{host} resolves to "
        return f"{leads}{self.address}, which is not global ({self.purpose})"


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name by the resolver of the system, in its order. Errors: OSError."""
    found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(str(info[4][0]) for info in found)]


class Destinations:
    """The URLs that a client may request, and the addresses that it may connect to.

    ``rule``, by default ``Policy.fetches()``, for the URL; ``allow``: networks and addresses that
    are not global and still allowed; ``resolver`` in the place of the system's. If any address of a
    name is refused, the name is: one with a public and a private address is an attack or a mistake,
    and to choose the public one would hide that.

    Errors: UnknownRule; ValueError for what is not a network; TypeError.

    >>> places = Destinations(allow=["10.1.0.0/16"], resolver=lambda host, port: ["10.1.2.3"])
    >>> places.addresses("example.com", 80)
    ['10.1.2.3']
    """

    invalid: type[InvalidURI] = InvalidURI
    forbidden: type[ForbiddenAddress] = ForbiddenAddress

    def __init__(
        self,
        rule: str | Rule | None = None,
        *,
        allow: Iterable[str] = (),
        resolver: Resolver | None = None,
    ) -> None:
        iterables("str", "write a list, with one network in it", allow=allow)
        self.rule = _FETCHES if rule is None else as_rule(rule)
        self._allowed = tuple(ip_network(network) for network in allow)
        self._resolve = resolve if resolver is None else resolver

    def require(self, url: str) -> None:
        """Errors: InvalidURI for a URL that the rule refuses. Cost: O(n)."""
        if not self.rule.is_valid(url):
            raise self.invalid(check_bounded(self.rule, url))

    def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of them allowed. Cost: one lookup.

        Errors: ForbiddenAddress; OSError, ValueError if there are none.
        """
        try:
            found: list[str] = [str(ip_address(host))]
        except ValueError:
            found = [*self._resolve(host, port)]
        if not found:
            raise OSError(f"{short(host, _SHOWN)} has no address")
        for text in found:
            for purpose in self._against(ip_address(text)):
                raise self.forbidden(host, text, purpose)
        return found

    def _against(self, address: Address) -> Iterator[str]:
        """What speaks against an address: what it, or one that it carries, is for."""
        if self._allows(address):
            return
        yield from (what for one, what in special(address) if not self._allows(one))
        if any(str(one) in METADATA_ADDRESSES for one in reached(address)):  # one of them is global
            yield "metadata of a cloud"

    def _allows(self, address: Address) -> bool:
        return any(address in network for network in self._allowed)


def pin(pool: Any, places: Destinations) -> None:
    """Have a connection pool of ``httpcore`` or ``httpcore2`` connect only to these places.

    Errors: ImportError for a version without the backend to replace: never an unguarded pool.
    """
    inner = getattr(pool, "_network_backend", None)
    core = import_module(type(pool).__module__.partition(".")[0])
    backends = {"ConnectionPool": Pinned, "AsyncConnectionPool": AsyncPinned}
    made = backends.get(type(pool).__name__)
    if inner is None or made is None:
        raise ImportError(f"this version of {core.__name__} is not supported", name=core.__name__)
    pool._network_backend = made(inner, core, places)


class Guarded:
    """Beside a transport of ``httpx`` or ``httpx2``: it connects only to ``Destinations``."""

    _places_class: type[Destinations] = Destinations
    _pool: Any

    def __init__(
        self,
        rule: str | Rule | None = None,
        *,
        allow: Iterable[str] = (),
        resolver: Resolver | None = None,
        **options: Any,
    ) -> None:
        for name in ("proxy", "uds"):
            if options.pop(name, None) is not None:
                raise TypeError(f"{name} cannot be used: no address would be checked")
        self._places = self._places_class(rule, allow=allow, resolver=resolver)
        super().__init__(**options)
        pin(self._pool, self._places)


class _Backend:
    """What both backends share: how a failure to connect is told, and what time is left."""

    def __init__(self, inner: Any, core: Any, places: Destinations) -> None:
        self._inner = inner
        self._core = core
        self._places = places
        self._failures = (core.ConnectError, core.ConnectTimeout)

    def _addresses(self, host: str, port: int) -> list[str]:
        try:
            return self._places.addresses(host, port)
        except (OSError, ValueError) as error:  # ValueError: not a name, or not an address
            raise self._core.ConnectError(str(error)) from error

    @contextmanager
    def _tried(self, failed: list[Exception]) -> Iterator[None]:
        """Around one address of several: its failure is kept, for the next might do."""
        try:
            yield
        except self._failures as error:
            failed.append(error)

    def _clock(self, timeout: float | None) -> Callable[[], float | None]:
        """A function that returns the seconds left of a timeout, which is for all addresses."""
        end = None if timeout is None else monotonic() + timeout

        def left() -> float | None:
            seconds = None if end is None else end - monotonic()
            if seconds is not None and seconds <= 0:
                raise self._core.ConnectTimeout("timed out")
            return seconds

        return left

    def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> Any:
        raise ForbiddenAddress("", "a Unix socket", "of this machine")


class Pinned(_Backend):
    """A synchronous network backend."""

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *rest: Any, **options: Any
    ) -> Any:
        left, failed = self._clock(timeout), list[Exception]()
        for address in self._addresses(host, port):
            with self._tried(failed):
                return self._inner.connect_tcp(address, port, left(), *rest, **options)
        raise failed[-1]

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class AsyncPinned(_Backend):
    """An asynchronous network backend, for asyncio and trio; names are looked up in a thread."""

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *rest: Any, **options: Any
    ) -> Any:
        from anyio import fail_after, to_thread

        left, failed = self._clock(timeout), list[Exception]()
        try:
            with fail_after(timeout):
                found = await to_thread.run_sync(
                    self._addresses, host, port, abandon_on_cancel=True
                )
        except TimeoutError as error:
            raise self._core.ConnectTimeout("timed out") from error
        for address in found:
            with self._tried(failed):
                return await self._inner.connect_tcp(address, port, left(), *rest, **options)
        raise failed[-1]

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)
