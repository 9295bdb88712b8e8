"""The HTTP service: lines and their answers, limits, and a stop that loses nothing."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")
from starlette.testclient import TestClient

from uriproof.service.app import make_application, openapi
from uriproof.service.limits import Limits
from uriproof.service.lines import answer


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
        (b"nope", "invalid-json"),
        (b"\xff", "invalid-json"),
        (b"[" * 100_000, "invalid-json"),
        (b"1", "invalid-line"),
        (b"{}", "invalid-line"),
        (b'{"text": 1}', "invalid-line"),
        (b'{"text": "a", "txet": ""}', "invalid-line"),
        (b'{"text": "a", "advice": 1}', "invalid-line"),
        (b'{"text": "a", "grammar": "rfc5234", "scheme_rules": true}', "invalid-line"),
        (b'{"text": "a", "grammar": "../../etc/passwd"}', "unknown-name"),
        (b'{"text": "a", "rule": "no"}', "unknown-name"),
        (b'{"text": "a", "query": "rfc3986"}', "unknown-name"),
    ],
)
def test_a_line_that_is_wrong_stops_nothing(line: bytes, code: str) -> None:
    made = answer(line, 1, Limits())
    assert made is not None
    assert made["error"]["code"] == code
    assert [("error" in one) for one in post(line + b'\n"a:b"')] == [True, False]


def test_long_texts_and_many_violations_are_bounded() -> None:
    made = answer(b'"a:%s"' % (b"[a" * 500), 1, Limits(violations=3))
    assert made is not None
    assert (len(made["violations"]), made["more"]) == (3, 497)
    made = answer(b'"a:bcd"', 1, Limits(length=3))
    assert made is not None
    assert [v["code"] for v in made["violations"]] == ["too-long"]


@pytest.mark.parametrize(
    ("limits", "code", "answered"),
    [({"items": 2}, "too-many-lines", 2), ({"length": 1}, "line-too-long", 0)],
)
def test_limits_of_a_request(limits: Any, code: str, answered: int) -> None:
    line = b'"a:b"\n' if answered else b'"' + b"a" * 10_000
    answers = post(line * 5, **limits)
    assert len(answers) == answered + 1
    assert answers[-1]["error"]["code"] == code


def test_bodies_beyond_the_limit() -> None:
    with TestClient(make_application(Limits(body=10))) as client:
        response = client.post("/check", content=b'"a:b"\n' * 5)
        assert response.status_code == 413
        assert response.headers["content-type"] == "application/problem+json"
        unannounced = client.post("/check", content=iter([b'"a:b"\n'] * 5))
    last = json.loads(unannounced.text.splitlines()[-1])
    assert last["error"]["code"] == "body-too-large"


def test_no_password_is_sent_back() -> None:
    [made] = post(b'"http://me:hunter2@h/ "')
    assert "hunter2" not in json.dumps(made)


def test_health_metrics_and_document() -> None:
    with TestClient(make_application()) as client:
        client.post("/check", content=b'"a:b"\n"a b"\n[]')
        assert client.get("/health").json()["status"] == "ok"
        metrics = client.get("/metrics").text
        assert client.get("/openapi.json").json() == openapi(Limits())
    assert 'uriproof_reports_total{ok="true"} 1.0' in metrics
    assert 'uriproof_errors_total{code="invalid-line"} 1.0' in metrics


def _port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        found: int = listening.getsockname()[1]
        return found


@pytest.fixture(params=[1, 2])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    pytest.importorskip("uvicorn")
    port = _port()
    own = ["--port", str(port), "--workers", str(request.param)]
    command = [sys.executable, "-m", "uriproof", "serve", *own]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
            time.sleep(0.05)
        yield port, process
    finally:
        process.terminate()  # and not at once, for its workers would live on
        process.wait(60)


@pytest.mark.skipif(os.name != "posix", reason="stops by a signal")
def test_a_stop_loses_nothing(served: tuple[int, subprocess.Popen[bytes]]) -> None:
    """A stop in the middle of bodies: they are read to their end, and every line has its answer."""
    port, process = served
    clients = [http.client.HTTPConnection("127.0.0.1", port, timeout=20) for _ in range(8)]
    for client in clients:
        client.putrequest("POST", "/check")
        client.putheader("Transfer-Encoding", "chunked")
        client.endheaders()
    line = b'"http://a b/"\n'
    for number in range(50):
        for client in clients:
            client.send(b"%x\r\n%s\r\n" % (len(line), line))
        if number == 25:
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
    for client in clients:
        client.send(b"0\r\n\r\n")
        with client.getresponse() as response:
            answers = response.read().splitlines()
        client.close()
        assert [json.loads(one)["line"] for one in answers] == list(range(1, 51))
    assert process.wait(20) in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    "option", ["--port=99999", "--port=-1", "--workers=0", "--max-body=0", "--stop-after=x"]
)
def test_options_out_of_range(option: str) -> None:
    from uriproof.cli import main

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
