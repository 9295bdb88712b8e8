"""The HTTP service: lines and their answers, limits, and a stop that loses nothing."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from calling import scope
from serving import running
from tables import beside

pytest.importorskip("starlette")
pytest.importorskip("httpx2")
from starlette.testclient import TestClient

from uriproof.service.app import _forget_dead_workers, make_application, openapi
from uriproof.service.limits import Limits
from uriproof.service.lines import CODES, answer, lines_of

pytestmark = pytest.mark.prove


def post(body: bytes, **limits: int) -> list[Any]:
    with TestClient(make_application(Limits(**limits))) as client:
        response = client.post("/check", content=body)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


def test_one_answer_a_line_in_order() -> None:
    lines = [
        b'"http://a b/"',
        b"",
        b'{"text": "?a", "rule": "URI-reference", "query": "key-value", "id": [1]}',
        b'{"text": "http:a", "scheme_rules": true}',
        b'{"text": "urn:A", "advice": true}',
        b'"urn:a"',
    ]
    answers = post(b"\n".join(lines))
    assert [made["line"] for made in answers] == [1, 3, 4, 5, 6]
    assert [made["ok"] for made in answers] == [False, False, False, True, True]
    assert answers[0]["violations"][0]["start"] == 8
    assert answers[1]["id"] == [1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        *beside(__file__, "a_line_that_is_wrong_stops_nothing"),
        (b"\xff", "invalid-json"),
        ("[" * 100_000, "invalid-json"),
        ('"a:b"'.encode("utf-16"), "invalid-json"),
        ('"a:b"'.encode("utf-32-le"), "invalid-json"),
        (b'"\xed\xa0\x80"', "invalid-json"),
        (f'{{"text": "a:b", "id": {"1" * 5000}}}', "invalid-json"),
    ],
)
def test_a_line_that_is_wrong_stops_nothing(line: str | bytes, code: str) -> None:
    octets = line.encode() if isinstance(line, str) else line
    wrong, right = post(octets + b'\n"a:b"')
    assert (wrong["error"]["code"], right["ok"]) == (code, True)
    assert code in CODES


def test_answers_are_bounded() -> None:
    made = answer(b'"a:%s"' % (b"[a" * 500), 1, Limits(violations=3))
    assert (len(made["violations"]), made["more"]) == (3, 497)
    made = answer(b'"a:bcd"', 1, Limits(length=3))
    assert [v["code"] for v in made["violations"]] == ["too-long"]
    line = b'{"advice": true, "text": "http://h/%s"}' % (b"%41/../" * 100)
    assert len(answer(line, 1, Limits(violations=3))["advice"]) == 3
    assert "hunter2" not in str(post(b'"http://me:hunter2@h/ "'))
    deep = [b'{"text": "a:", "id": %s}' % (b"[" * at + b"]" * at) for at in range(60, 70)]
    answers = post(b"\n".join(deep))  # whatever can be read can be written
    assert len(answers) == len(deep)
    assert {"error" in one for one in answers} == {False, True}


def test_a_body_in_octets_takes_linear_work() -> None:
    line = b'"a:%s"\n' % (b"a" * 10_000)

    async def body() -> AsyncIterator[bytes]:
        for at in range(len(line)):
            yield line[at : at + 1]

    async def read() -> list[Any]:
        return [one async for lines in lines_of(body(), Limits(), inf) for one in lines]

    assert asyncio.run(read()) == [(1, line[:-1])]


@pytest.mark.parametrize(
    ("body", "limits", "code", "answered"),
    [
        (b'"a:b"\n' * 5, {"items": 2}, "too-many-lines", 2),
        (b'"a:b"\n"a:c"\n"a:d"', {"items": 2}, "too-many-lines", 2),
        (b'"' + b"a" * 10_000, {"length": 1}, "line-too-long", 0),
    ],
)
def test_limits_of_a_request(body: bytes, limits: Any, code: str, answered: int) -> None:
    answers = post(body, **limits)
    assert [made["line"] for made in answers] == [*range(1, answered + 2)]
    assert answers[-1]["error"]["code"] == code


def test_bodies_beyond_the_limit() -> None:
    with TestClient(make_application(Limits(body=10))) as client:
        response = client.post("/check", content=b'"a:b"\n' * 5)
        assert response.status_code == 413
        assert response.headers["content-type"] == "application/problem+json"
        unannounced = client.post("/check", content=iter([b'"a:b"\n'] * 5))
    last = json.loads(unannounced.text.splitlines()[-1])
    assert last["error"]["code"] == "body-too-large"


def test_health_metrics_and_document() -> None:
    with TestClient(make_application()) as client:
        client.post("/check", content=b'"a:b"\n"a b"\n[]')
        assert client.get("/health").json()["status"] == "ok"
        metrics = client.get("/metrics").text
        assert client.get("/openapi.json").json() == openapi(Limits())
        elsewhere = client.post("/check/", headers={"Host": "evil.com"}, follow_redirects=False)
        assert (elsewhere.status_code, "location" in elsewhere.headers) == (404, False)
    schemas = openapi(Limits())["components"]["schemas"]
    jsonschema = pytest.importorskip("jsonschema")
    lines = b'"a:b"\n[]\n"www.example.com"\n{"text": "http://h/../a b", "advice": true, "id": 1}'
    for one in post(lines):
        jsonschema.validate(one, schemas["Answer"])
    for line in ("a:b", {"text": "a b", "rule": "URI", "id": [1]}):
        jsonschema.validate(line, schemas["Line"])
    assert 'uriproof_reports_total{ok="true"} 1.0' in metrics
    assert 'uriproof_errors_total{code="invalid-line"} 1.0' in metrics


def test_options_out_of_range() -> None:
    from uriproof.cli import main

    many = "--max-seconds=1" + "0" * 400
    for option in ("--port=99999", "--port=-1", "--workers=0", many, "--stop-after=x"):
        assert main(["serve", option]) == 2


def test_a_port_that_is_taken() -> None:
    pytest.importorskip("uvicorn")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "uriproof", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "address already in use" in done.stderr
    assert "Traceback" not in done.stderr


class _Client:
    """One request, message by message: what is sent back is there when it was sent."""

    def __init__(self, limits: Limits, *, reads: bool = True) -> None:
        self.to_send: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.received: asyncio.Queue[bytes] = asyncio.Queue()
        self.reads = reads
        given = scope("/check", method="POST", path="/check", root_path="", scheme="http")
        self.answered = asyncio.create_task(
            make_application(limits)(given, self.to_send.get, self._send)
        )

    async def _send(self, message: Any) -> None:
        if not self.reads:
            await asyncio.Event().wait()
        if message.get("body"):
            self.received.put_nowait(message["body"])

    def write(self, body: bytes, more: bool = True) -> None:
        self.to_send.put_nowait({"type": "http.request", "body": body, "more_body": more})

    async def read(self) -> list[Any]:
        lines = await asyncio.wait_for(self.received.get(), 60)
        return [json.loads(line) for line in lines.splitlines()]


def test_a_complete_line_never_waits_for_the_next_one() -> None:
    async def talk() -> None:
        client = _Client(Limits())
        client.write(b'"a:b"\n"a')
        assert [made["ok"] for made in await client.read()] == [True]
        client.write(b' b"\n\n')
        assert [made["ok"] for made in await client.read()] == [False]
        client.write(b'"a:b"\n"a:c"\n')
        assert [made["line"] for made in await client.read()] == [4, 5]
        client.write(b'"a:d"', more=False)
        assert [made["line"] for made in await client.read()] == [6]
        await client.answered

    asyncio.run(talk())


def test_a_client_that_falls_silent_is_told() -> None:
    async def talk(sent: bytes) -> None:
        client = _Client(Limits(seconds=1))
        if sent:
            client.write(sent)
            assert [made["ok"] for made in await client.read()] == [True]
        [last] = await client.read()
        assert last["error"]["code"] == "too-slow"
        assert last["line"] == 1 + sent.count(b"\n")
        await client.answered

    async def all_at_once() -> None:
        await asyncio.gather(talk(b""), talk(b'"a:b"\n'), talk(b'"a:b"\n"a'))

    asyncio.run(all_at_once())


def test_a_client_that_reads_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriproof.service.app._LAST", 0)

    async def talk() -> None:
        client = _Client(Limits(seconds=0), reads=False)
        client.write(b'"a:b"\n')
        await asyncio.wait_for(client.answered, 60)

    asyncio.run(talk())


def test_what_json_does_not_have_is_never_in_an_answer() -> None:
    for value in ("NaN", "Infinity", "-Infinity", "1e999", "-1e400", "[1e999]", '{"a": NaN}'):
        for line in (f'{{"text": "a:", "id": {value}}}', f'{{"id": {value}, "text": 1}}', value):
            assert answer(line.encode(), 1, Limits())["error"]["code"] == "invalid-json"
    assert post(b'{"text": "a:", "id": [1.5, -0.0, 1e308]}')[0]["id"] == [1.5, -0.0, 1e308]


@pytest.mark.skipif(os.name != "posix", reason="kills a worker")
def test_what_a_killed_worker_had_open_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait(60)
    alive, gone = (tmp_path / f"gauge_livesum_{pid}.db" for pid in (os.getpid(), dead.pid))
    kept = tmp_path / f"counter_{dead.pid}.db"
    for file in (alive, gone, kept):
        file.touch()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    _forget_dead_workers()
    assert {*tmp_path.iterdir()} == {alive, kept}


# A service that runs, with one worker and with two. The last test ends it.


class Served(NamedTuple):
    """Its port, process, number of workers, and what it logs."""

    port: int
    process: subprocess.Popen[bytes]
    workers: int
    log: Path


@pytest.fixture(scope="module", params=[1, 2])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    if os.name != "posix":
        pytest.skip("it is stopped by a signal")
    pytest.importorskip("uvicorn")
    log = tmp_path_factory.mktemp("service") / "log"
    own = ["--port", "{}", "--workers", str(request.param)]
    with running(["-m", "uriproof", "serve", *own], log) as (port, process):
        yield Served(port, process, request.param, log)


def exchange(port: int, request: bytes) -> bytes:
    """All that is sent back to a client that closes its own side after its request."""
    with socket.create_connection(("127.0.0.1", port), 180) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while received := connection.recv(65536):
            answer += received
    return answer


def test_metrics_are_those_of_all_workers(served: Served) -> None:
    checked = b'POST /check HTTP/1.0\r\nContent-Length: 12\r\n\r\n"a:b"\n"a b"\n'
    for number in range(1, 11):
        exchange(served.port, checked)
        metrics = exchange(served.port, b"GET /metrics HTTP/1.0\r\n\r\n").decode()
        assert f'uriproof_reports_total{{ok="true"}} {number}.0' in metrics
        assert f'uriproof_reports_total{{ok="false"}} {number}.0' in metrics
        assert "uriproof_requests_open 0.0" in metrics


def test_other_clients(served: Served) -> None:
    """A client that closes its side is answered to the end; an invalid one leaves no traceback."""
    start, close = b"POST /check HTTP/1.1\r\nHost: h\r\n", b"Connection: close\r\n"
    body = b'"a:b"\n' * 1_000
    length = b"Content-Length: %d\r\n\r\n" % len(body)
    answer = exchange(served.port, start + close + length + body)
    assert answer.count(b'"ok":true') == 1_000
    assert answer.endswith(b"\r\n0\r\n\r\n")
    health = b"GET /health HTTP/1.1\r\nHost: h\r\n" + close + b"\r\n"
    both = exchange(served.port, start + length + body + health)
    assert both.endswith(b'"}')
    old = b'POST /check HTTP/1.0\r\nContent-Length: 6\r\n\r\n"a:b"\n'
    assert exchange(served.port, old).endswith(b'"fixed":"a:b"}\n')
    for wrong in (b"zz", b"-1", b"f" * 40, b"6 6"):
        chunks = b'6\r\n"a:b"\n\r\n' + wrong + b'\r\n"a:b"\n\r\n0\r\n\r\n'
        answer = exchange(served.port, start + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
        assert answer.count(b'"ok":true') <= 1
    exchange(served.port, start + b'Content-Length: 12\r\n\r\n"a:b"\n')
    assert exchange(served.port, old).endswith(b'"fixed":"a:b"}\n')
    assert b"Traceback" not in served.log.read_bytes()


def test_a_stop_loses_nothing(served: Served) -> None:
    """A stop in the middle of bodies: they are read to their end, and every line has its answer."""
    port, process = served.port, served.process
    clients = [http.client.HTTPConnection("127.0.0.1", port, timeout=180) for _ in range(8)]
    for client in clients:
        client.putrequest("POST", "/check")
        client.putheader("Transfer-Encoding", "chunked")
        client.endheaders()
    line = b'"http://a b/"\n'
    for number in range(50):
        for client in clients:
            client.send(b"%x\r\n%s\r\n" % (len(line), line))
        if number == 25:
            for client in clients:  # each one is being answered
                assert client.sock.recv(1, socket.MSG_PEEK)
            process.send_signal(signal.SIGTERM)
            while served.log.read_bytes().count(b"Shutting down") < served.workers:
                assert process.poll() is None
                time.sleep(0.05)
    for client in clients:
        client.send(b"0\r\n\r\n")
        with client.getresponse() as response:
            answers = response.read().splitlines()
        client.close()
        assert [json.loads(one)["line"] for one in answers] == list(range(1, 51))
    assert process.wait(180) == 0
