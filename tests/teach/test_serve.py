"""The server of ``uriproof teach``: its own origin alone, within bounds, calm.

Owns ``teach/serve.py``, asked by raw HTTP. Imports the standard library. Invariant: every refusal
is tried with the request that it is for, and the server answers the next one.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from serving import answering
from tables import beside

from uriproof.limits import MOST_BODY_OCTETS
from uriproof.teach import handle, serve
from uriproof.teach.serve import POLICY, Server

pytestmark = pytest.mark.prove

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "page"
    (page / "view").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>the page")
    (page / "view" / "a.js").write_text("export {}")
    (page / ".hidden").write_text("secret")
    (folder / "outside.txt").write_text("secret")
    (folder / "own.toml").write_text("title = 'own'")
    with suppress(OSError):  # Windows may not allow it
        (page / "link.txt").symlink_to(folder / "outside.txt")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with Server(0, [folder / "own.toml"], folder / "page") as server, answering(server):
        yield server


def ask(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[HTTPResponse, bytes]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        connection.request(method, path, body, named)
        response = connection.getresponse()
        return response, response.read()


def post(server: Server, value: object, **headers: str) -> tuple[HTTPResponse, Any]:
    response, answer = ask(server, "POST", "/handle", json.dumps(value).encode(), **JSON, **headers)
    return response, json.loads(answer)


def head(server: Server, line: str, headers: dict[str, str]) -> str:
    """A request as it is sent, up to the empty line before its body."""
    named = {"Host": f"127.0.0.1:{server.port}", **headers}
    lines = [f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items())]
    return "\r\n".join([*lines, "\r\n"])


def raw(server: Server, text: str) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall(text.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_the_page_and_its_files(server: Server) -> None:
    response, body = ask(server, "GET", "/")
    assert (response.status, body) == (200, b"<!doctype html>the page")
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    for name, value in {
        "Content-Security-Policy": f"{POLICY}; frame-ancestors 'self'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "same-origin",
    }.items():
        assert response.headers[name] == value
    assert "Python" not in response.headers["Server"]
    response, body = ask(server, "HEAD", "/index.html")
    assert (response.status, body) == (200, b"")
    assert response.headers["Content-Length"] == str(len("<!doctype html>the page"))
    response, _ = ask(server, "GET", "/view/a.js?v=1")
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert json.loads(ask(server, "GET", "/transport.json")[1]) == {"kind": "server"}


@pytest.mark.parametrize("path", [*beside(__file__, "nothing_else_is_read"), "/" + "a" * 5000])
def test_nothing_else_is_read(server: Server, path: str) -> None:
    response, body = ask(server, "GET", path)
    assert response.status == 404
    assert b"secret" not in body


def test_a_file_of_the_command_line_is_read_anew(server: Server, folder: Path) -> None:
    assert ask(server, "GET", "/given/own.toml")[1] == b"title = 'own'"
    (folder / "own.toml").write_text("title = 'new'")
    assert ask(server, "GET", "/given/own.toml")[1] == b"title = 'new'"


def test_handle_is_behind_post(server: Server) -> None:
    requests: list[Any] = [{"do": "rules"}, {"do": "none"}, [], None]
    for request in (*requests, {"do": "rules", "abnf": "\ud800"}):
        response, answer = post(server, request)
        assert (response.status, answer) == (200, handle(request))


@pytest.mark.parametrize(("method", "path", "allowed"), beside(__file__, "other_methods"))
def test_other_methods(server: Server, method: str, path: str, allowed: str) -> None:
    response, _ = ask(server, method, path)
    assert (response.status, response.headers["Allow"]) == (405, allowed)
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1"]
)
def test_a_name_that_was_led_here_is_refused(server: Server, host: str) -> None:
    response, _ = ask(server, "GET", "/", Host=host.format(port=server.port))
    assert response.status == 421
    response, answer = post(server, {"do": "rules"}, Host=host.format(port=server.port))
    assert (response.status, answer["error"]["code"]) == (421, "wrong-host")


def test_both_names_of_this_machine_are_answered_and_links_from_elsewhere(server: Server) -> None:
    for name in "127.0.0.1", "localhost":
        own = f"{name}:{server.port}"
        response, _ = post(server, {"do": "rules"}, Host=own, Origin=f"http://{own}")
        assert response.status == 200
    for path, mode, status in ("/", "navigate", 200), ("/view/a.js", "no-cors", 403):
        headers = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": mode}
        assert ask(server, "GET", path, None, **headers)[0].status == status


@pytest.mark.parametrize("headers", beside(__file__, "pages_of_others_are_refused"))
def test_pages_of_others_are_refused(server: Server, headers: dict[str, str]) -> None:
    filled = {name: value.format(port=server.port) for name, value in headers.items()}
    response, answer = post(server, {"do": "rules"}, **filled)
    assert (response.status, answer["error"]["code"]) == (403, "wrong-origin")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({}, 415),
        (JSON | {"Content-Length": str(MOST_BODY_OCTETS + 1)}, 413),
        (JSON | {"Content-Length": "9" * 5000}, 413),
        (JSON | {"Content-Length": "-1"}, 411),
        (JSON | {"Content-Length": "\u00b2"}, 411),
        (JSON, 411),
        (JSON | {"Transfer-Encoding": "chunked"}, 411),
    ],
)
def test_bodies_that_are_not_read(server: Server, headers: dict[str, str], status: int) -> None:
    answer = raw(server, head(server, "POST /handle", headers))
    assert answer.startswith(f"HTTP/1.0 {status} ".encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "127.0.0.1:{port}"),
        ("Origin", "http://127.0.0.1:{port}"),
        ("Sec-Fetch-Site", "same-origin"),
    ],
)
def test_a_header_that_decides_stands_once(server: Server, name: str, value: str) -> None:
    said = value.format(port=server.port)
    once = head(server, "GET /", {name: said})
    for sent, status in (once, 200), (once[:-2] + f"{name}: {said}\r\n\r\n", 400):
        assert raw(server, sent).startswith(f"HTTP/1.0 {status} ".encode())


@pytest.mark.parametrize(("line", "status"), beside(__file__, "a_connection_has_one_request"))
def test_a_connection_has_one_request(server: Server, line: str, status: int) -> None:
    """Whatever comes behind it is not read as another one."""
    body = '{"do": "rules"}'
    sized = JSON | {"Content-Length": str(len(body))}
    first, second = (head(server, one, sized) + body for one in (line, "POST /handle"))
    answer = raw(server, first + second)
    assert answer.startswith(f"HTTP/1.0 {status} ".encode())
    assert answer.count(b"HTTP/1.0 ") == 1
    assert (b'"rules"' in answer) == (line == "POST /handle")


def test_a_body_that_ends_early_is_not_read(server: Server) -> None:
    sent = head(server, "POST /handle", JSON | {"Content-Length": "99"}) + '{"do": "rules"}'
    assert raw(server, sent).startswith(b"HTTP/1.0 400 ")


def test_a_client_that_still_sends_gets_its_refusal(server: Server) -> None:
    """No reset takes the answer away (RFC 9112 §9.6)."""
    for _ in range(20):
        response, _ = ask(server, "POST", "/handle", b"a" * 1_000_000, Host="evil.example")
        assert response.status == 421


def test_many_connections_at_once_are_accepted(server: Server) -> None:
    with ExitStack() as opened:
        for _ in range(100):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=120)
            opened.enter_context(connection)
        assert ask(server, "GET", "/")[0].status == 200


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b'{"do": ' + b"9" * 5000])
def test_bodies_that_are_no_json(server: Server, body: bytes) -> None:
    response, answer = ask(server, "POST", "/handle", body, **JSON)
    assert response.status == 400
    assert json.loads(answer)["error"]["code"] == "invalid-request"


@pytest.mark.parametrize(
    "text",
    [
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "BREW / HTTP/1.1\r\n\r\n",
        "GET /" + "a" * 70000,
    ],
)
def test_what_is_no_http_is_refused_with_all_headers(server: Server, text: str) -> None:
    answer = raw(server, text)
    assert answer.startswith((b"HTTP/1.0 4", b"HTTP/1.0 5"))
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in answer
    assert b"<html" not in answer.lower()
    assert ask(server, "GET", "/")[0].status == 200


def test_a_long_answer_does_not_hold_up_others(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(request: object) -> dict[str, Any]:
        if request == "slow":
            started.set()
            assert go_on.wait(120)
        return {"do": request}

    monkeypatch.setattr(serve, "handle", slow)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(post, server, "slow")
        assert started.wait(120)
        assert post(server, "quick")[1] == {"do": "quick"}
        assert not asked.done()
        go_on.set()
        assert asked.result()[1] == {"do": "slow"}


@pytest.mark.posix
def test_a_client_that_went_away_leaves_no_trace(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    gone, done = threading.Event(), threading.Event()

    def slow(request: object) -> dict[str, Any]:
        assert gone.wait(120)
        done.set()
        return {"text": "a" * 1_000_000}

    monkeypatch.setattr(serve, "handle", slow)
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        sent = head(server, "POST /handle", JSON | {"Content-Length": "2"}) + "{}"
        connection.sendall(sent.encode())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    gone.set()
    assert done.wait(120)
    monkeypatch.undo()
    assert post(server, {"do": "rules"})[0].status == 200
    assert capfd.readouterr().err == ""


def test_a_mistake_of_ours_is_an_answer(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(request: object) -> dict[str, Any]:
        raise KeyError(request)

    monkeypatch.setattr(serve, "handle", broken)
    response, answer = post(server, "x")
    assert (response.status, answer["error"]["code"]) == (500, "internal")
    assert capfd.readouterr().err == "uriproof teach: KeyError: 'x'\n"
