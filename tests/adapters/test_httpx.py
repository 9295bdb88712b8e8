"""The transports for httpx and httpx2, with servers on this machine and resolvers of the tests.

Owns these tests. Imports both clients, where they are installed, and the servers of the standard
library. Invariant: no name is looked up and nothing beyond loopback is connected to: 127.0.0.2
plays a public address, which the transports are told to allow, and 127.0.0.1 an internal one.
"""

from __future__ import annotations

import asyncio
import pickle
import socket
import ssl
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from threading import Thread
from time import sleep
from types import ModuleType
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import pytest
from api_inputs import SECRET
from tables import beside

from uriproof import InvalidURI, Policy, Rule, UriproofError
from uriproof.adapters import for_httpx
from uriproof.adapters._outbound import ForbiddenAddress, pin, resolve

PUBLIC, INTERNAL = "127.0.0.2", "127.0.0.1"
DEFAULTS: dict[str, Any] = {"allow": [PUBLIC], "verify": ssl.create_default_context()}

try:
    socket.create_server((PUBLIC, 0)).close()
except OSError:
    pytest.skip("127.0.0.2 is not an address of this machine", allow_module_level=True)


@pytest.fixture(params=["httpx", "httpx2"])
def library(request: pytest.FixtureRequest) -> Any:
    return pytest.importorskip(request.param)


def adapter(library: ModuleType) -> Any:
    return import_module(f"uriproof.adapters.for_{library.__name__}")


def guarded(**options: Any) -> Any:
    return for_httpx.HTTPTransport(**{"verify": DEFAULTS["verify"]} | options)


class Handler(BaseHTTPRequestHandler):
    """Answers with its address; redirects to what comes after /to/."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, str, int]]] = []

    def do_GET(self) -> None:
        self.seen.append((self.request.getsockname()[0], self.path, self.client_address[1]))
        _, _, target = self.path.partition("/to/")
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", unquote(target))
        body = f"{self.headers['Host']}".encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    """The port of two servers, on the public address and on the internal one."""
    Handler.seen.clear()
    first = ThreadingHTTPServer((PUBLIC, 0), Handler)
    second = ThreadingHTTPServer((INTERNAL, first.server_port), Handler)
    for server in (first, second):
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield first.server_port
    for server in (first, second):
        server.shutdown()
        server.server_close()


class Names:
    """A resolver: each name has answers, the last of which stays; what was asked is kept."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): found for name, found in answers.items()}
        self.asked: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append((host, port))
        answers = self.answers[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


Get = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def get(request: pytest.FixtureRequest, library: Any) -> Get:
    """Get URLs, one after the other, with one client."""
    made = adapter(library)

    def get_sync(names: Any, *urls: str, options: Any = None, **client: Any) -> list[Any]:
        transport = made.HTTPTransport(resolver=names, **DEFAULTS | (options or {}))
        with library.Client(transport=transport, follow_redirects=True, **client) as found:
            return [found.get(url) for url in urls]

    def get_async(names: Any, *urls: str, options: Any = None, **client: Any) -> list[Any]:
        async def gotten() -> list[Any]:
            transport = made.AsyncHTTPTransport(resolver=names, **DEFAULTS | (options or {}))
            async with library.AsyncClient(
                transport=transport, follow_redirects=True, **client
            ) as found:
                return [await found.get(url) for url in urls]

        return asyncio.run(gotten())

    return get_sync if request.param == "sync" else get_async


def hosts() -> list[str]:
    return [host for host, _, _ in Handler.seen]


def test_the_name_stays_in_the_request(get: Get, port: int) -> None:
    names = Names(good_com=[[PUBLIC]], other_org=[[PUBLIC]])
    to = f"http://good.com:{port}/to/http://other.org:{port}/x"
    first, redirected = get(names, f"http://GOOD.com:{port}/a?b#c", to)
    assert (first.text, redirected.text) == (f"good.com:{port}", f"other.org:{port}")
    assert Handler.seen[0][:2] == (PUBLIC, "/a?b")
    assert names.asked == [("good.com", port), ("other.org", port)]


def test_a_name_that_changes_its_address(get: Get, library: Any, port: int) -> None:
    """Rebinding: public when it is first asked for, then internal."""
    names = Names(good_com=[[PUBLIC], [INTERNAL]])
    url = f"http://good.com:{port}/"
    first, second = get(names, url, url)  # by one connection: it is not asked for again
    assert (first.status_code, second.status_code) == (200, 200)
    assert hosts() == [PUBLIC, PUBLIC]
    assert len({client for _, _, client in Handler.seen}) == 1
    assert len(names.asked) == 1
    with pytest.raises(adapter(library).RefusedAddress, match=r"resolves to 127\.0\.0\.1, which"):
        get(names, url)
    limits = library.Limits(max_keepalive_connections=0)
    again = Names(good_com=[[PUBLIC], [INTERNAL]])
    with pytest.raises(adapter(library).RefusedAddress):
        get(again, url, url, options={"limits": limits})
    assert hosts() == [PUBLIC] * 3


def test_each_redirect_is_checked(get: Get, library: Any, port: int) -> None:
    made = adapter(library)
    for target in beside(__file__, "each_redirect_is_checked"):
        Handler.seen.clear()
        names = Names(good_com=[[PUBLIC]], evil_com=[[INTERNAL]], redis=[[INTERNAL]])
        with pytest.raises((made.RefusedAddress, made.RefusedURL)) as caught:
            get(names, f"http://good.com:{port}/to/" + quote(target.format(port=port), ""))
        assert isinstance(caught.value, library.TransportError), target
        assert isinstance(caught.value, UriproofError)
        assert SECRET not in f"{caught.value} {caught.value!r}"
        assert hosts() == [PUBLIC], target


@pytest.mark.parametrize(
    ("addresses", "purpose"), beside(__file__, "addresses_that_are_not_global")
)
def test_addresses_that_are_not_global(addresses: list[str], purpose: str) -> None:
    places = guarded(allow=[PUBLIC], resolver=lambda host, port: addresses)
    with pytest.raises(ForbiddenAddress) as caught:
        places.addresses("good.com", 80)
    assert caught.value.purpose.partition(",")[0] == purpose
    assert caught.value.host == "good.com"
    assert f"resolves to {caught.value.address}" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


def test_addresses_in_the_place_of_a_name() -> None:
    places = guarded(resolver=lambda host, port: [host])
    for address in ("8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"):
        assert places.addresses(address, 80) == [address]
    for address in (INTERNAL, "::1", "::ffff:7f00:1", "64:ff9b::7f00:1"):
        with pytest.raises(ForbiddenAddress, match=r"^[^ ]+, which is not global"):
            places.addresses(address, 80)
    allowed = guarded(allow=["10.0.0.0/8"])  # which holds for what an address carries
    assert allowed.addresses("64:ff9b::a00:1", 80)
    with pytest.raises(ForbiddenAddress):
        allowed.addresses("64:ff9b::7f00:1", 80)


def test_spellings_of_a_name(get: Get, library: Any, port: int) -> None:
    """What is looked up is what is checked and connected to, however it is written."""
    spelled = {"münchen.de": "xn--mnchen-3ya.de", "GOOD.com": "good.com"}
    for host, asked in [*spelled.items(), ("good.c%6Fm", "good.c%6fm")]:
        names = Names(**{asked: [[INTERNAL]]})
        with pytest.raises(adapter(library).RefusedAddress):
            get(names, f"http://{host}:{port}/")
    assert not Handler.seen


def test_urls_that_are_refused_before_a_lookup(get: Get, library: Any) -> None:
    names = Names()
    for url in beside(__file__, "urls_that_are_refused_before_a_lookup"):
        with pytest.raises((adapter(library).RefusedURL, library.InvalidURL)) as caught:
            get(names, url + "?token=S3KRET")
        assert SECRET not in f"{caught.value} {caught.value!r}"
        assert not names.asked, url


def test_the_rule_is_one_of_your_own(get: Get, library: Any, port: int) -> None:
    rule = Rule(policy=Policy(schemes=["http"], hosts=["*.good.com"], require=["host"]))
    names = Names(a_good_com=[[PUBLIC]], evil_com=[[PUBLIC]])
    get(names, f"http://a.good.com:{port}/", options={"rule": rule})
    with pytest.raises(InvalidURI) as caught:
        get(names, f"http://evil.com:{port}/", options={"rule": rule})
    assert caught.value.report.violations[0].code == "host-forbidden"
    assert isinstance(caught.value, library.UnsupportedProtocol)
    assert caught.value.request.url.host == "evil.com"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301
    assert hosts() == [PUBLIC]


def test_proxies_of_the_environment_are_not_used(
    get: Get, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://{INTERNAL}:{port}")
    (response,) = get(Names(good_com=[[PUBLIC]]), f"http://good.com:{port}/")
    assert response.status_code == 200
    assert hosts() == [PUBLIC]


@pytest.mark.parametrize("option", [{"proxy": "http://10.0.0.1"}, {"uds": "/run/docker.sock"}])
def test_proxies_and_unix_sockets_are_refused(library: Any, option: dict[str, str]) -> None:
    made = adapter(library)
    for transport in (made.HTTPTransport, made.AsyncHTTPTransport):
        with pytest.raises(TypeError, match="cannot be used"):
            transport(**option)
    pool = made.HTTPTransport()._pool
    with pytest.raises(UriproofError, match="Unix"):
        pool._network_backend.connect_unix_socket("/run/docker.sock")


def test_answers_of_resolvers(get: Get, library: Any, port: int) -> None:
    names = Names(good_com=[["127.0.0.3", PUBLIC]])  # the next address is tried
    (response,) = get(names, f"http://good.com:{port}/", options={"allow": ["127.0.0.2/31"]})
    assert response.status_code == 200
    for answer in [], ["evil.com"], ["127.0.0.2.nip.io"], [""]:
        with pytest.raises(library.ConnectError):
            get(Names(good_com=[answer]), "http://good.com/")

    def fails(host: str, port: int) -> list[str]:
        raise socket.gaierror(8, "not known")

    with pytest.raises(library.ConnectError, match="not known"):
        get(fails, "http://good.com/")


def test_time_is_limited_for_the_lookup_and_all_addresses(get: Get, library: Any) -> None:
    def slow(host: str, port: int) -> list[str]:
        sleep(0.1)
        return [PUBLIC]

    for names, timeout in ((Names(good_com=[[PUBLIC]]), 1e-9), (slow, 0.01)):
        with pytest.raises(library.ConnectTimeout):
            get(names, "http://good.com/", timeout=timeout)


def test_a_certificate_is_that_of_the_name(get: Get, library: Any) -> None:
    """The server learns the name by SNI, and its certificate, which is not known, is refused."""
    found: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = lambda _, name, __: found.append(name)
    listener = socket.create_server((PUBLIC, 0))

    def accept() -> None:
        one, _ = listener.accept()
        with one, pytest.raises(OSError):  # noqa: PT011 -- there is no certificate
            context.wrap_socket(one, server_side=True)

    server = Thread(target=accept, daemon=True)
    server.start()
    with pytest.raises(library.ConnectError):
        get(Names(good_com=[[PUBLIC]]), f"https://good.com:{listener.getsockname()[1]}/")
    server.join()
    listener.close()
    assert found == ["good.com"]


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="does not appear to be"):
        guarded(allow=["good.com"])
    with pytest.raises(TypeError, match="allow"):
        guarded(allow="10.0.0.0/8")
    with pytest.raises(ImportError, match="is not supported"):
        pin(object(), resolve)
