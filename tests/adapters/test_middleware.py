"""The middleware behind real servers, with raw sockets, and by itself where no server will do."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from calling import call, call_wsgi, scope
from serving import serving
from tables import beside
from tiers import quick

from uriproof import Rule
from uriproof.adapters import for_asgi, for_wsgi
from uriproof.policy import Policy
from uriproof.request import Refusal, RequestRules

HERE = Path(__file__).parent

_UVICORN = ["uvicorn", "--port", "{}", "--log-level", "error", "--http"]
_GRANIAN = ["granian", "--port", "{}", "--no-access-log", "--interface"]
SERVERS = {
    "h11": [*_UVICORN, "h11", "served:asgi"],
    "hypercorn": ["hypercorn", "--bind", "127.0.0.1:{}", "served:asgi"],
    "gunicorn": ["gunicorn", "--bind", "127.0.0.1:{}", "--log-level", "error", "served:wsgi"],
    "waitress": ["waitress", "--listen", "127.0.0.1:{}", "served:wsgi"],
    "httptools": [*_UVICORN, "httptools", "served:asgi"],
    "granian": [*_GRANIAN, "asgi", "served:asgi"],
    "granian, WSGI": [*_GRANIAN, "wsgi", "served:wsgi"],
}


class Server(NamedTuple):
    """A real server: its name, its port, and what it logs."""

    name: str
    port: int
    log: Path


@pytest.fixture(scope="module", params=quick(SERVERS, among=("h11", "gunicorn")))
def server(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Server]:
    """With a policy on hosts, and drawings; for a request with the field ``Plain``, neither."""
    name, command = request.param, SERVERS[request.param]
    if name == "gunicorn" and os.name != "posix":
        pytest.skip("gunicorn runs on POSIX alone")
    pytest.importorskip(command[0])
    pytest.importorskip(name.partition(",")[0])
    log = tmp_path_factory.mktemp("server") / "log"
    with serving(["-m", *command], log, HERE) as port:
        yield Server(name, port, log)


def exchange(port: int, request: bytes) -> bytes:
    """All that a server sends back on one connection."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 120) as connection, suppress(OSError):
        connection.sendall(request)
        while received := connection.recv(65536):
            answer += received
    return answer


def ask(server: Server, target: bytes, host: bytes = b"Host: e.com\r\n") -> tuple[int, Any]:
    """The status of a response without a policy, 0 for none, and its JSON."""
    head = b"GET " + target + b" HTTP/1.1\r\nPlain: 1\r\n" + host
    answer = exchange(server.port, head + b"Connection: close\r\n\r\n")
    if not answer:
        return 0, None
    head, _, body = answer.partition(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    if b"problem+json" not in head and status != 200:
        return status, None
    body = body[body.index(b"{") : body.rindex(b"}") + 1]
    return status, json.loads(body)


def test_requests(server: Server) -> None:
    status, body = ask(server, b"/a?b=%20c")
    assert (status, body) == (200, {"query": "b=%20c"})
    status, body = ask(server, b"/a?b=[1]")
    assert status == 400
    assert body["detail"].startswith(("invalid request target: query 5", "invalid query: query 2"))
    [report] = [body[part] for part in ("target", "query") if part in body]
    offset = 3 if "query" in body else 0  # a query by itself
    assert [v["start"] + offset for v in report["violations"]] == [5, 7]
    assert "drawing" not in report
    status, body = ask(server, b"/" + b"a" * 3000)
    assert status == 414
    assert "at most 2,000" in body["detail"]
    status, body = ask(server, b"/", b"Host: a_b\\c\r\n")
    assert status == 400
    assert body is None or body["host"]["violations"][0]["start"] == 3


_HOST = b"Host: e.com\r\n"
_TARGETS = [
    *(b"http://e.com/", b"http://evil.com/", b"https://e.com/", b"http://u:hunter2@e.com/ "),
    *(b"http:", b"http:/x", b"http:///x", b"//u:hunter2@evil.com/x", b"urn:a:b", b"*", b""),
    *(b"e.com:80", b"/a#u:hunter2@h", b"/\\evil.com", b"/?next=http://u:hunter2@h/ x"),
    *(b"/" + b"a" * 100_000, b"/?" + b"[x]" * 2666, b"/" + b"%zz" * 2600, b"/" + b"\xe9" * 7000),
]
_HOSTS = [
    *(b"", b"Host:\r\n", b"Host:\ta\t\r\n", b"Host: e.com\r\n evil.com\r\n", b"Host : e.com\r\n"),
    *(_HOST * 2, _HOST + b"Host: evil.com\r\n", b"Host: evil.com\r\n" + _HOST),
    *(b"Host: e.com,evil.com\r\n", b"Host: evil.com,e.com\r\n", b"Host: u:hunter2@e.com\r\n"),
    *(b"Host: http://u:hunter2@e.com/\r\n", b"Host: " + b"[x]" * 2666 + b"\r\n"),
]


def _requests() -> Iterator[bytes]:
    """Requests of all forms, with all octets of ASCII in all places; some name another host."""
    close = b"Connection: close\r\n\r\n"
    for target in _TARGETS:
        for start in (b"GET ", b"OPTIONS ", b"POST "):
            for version in (b" HTTP/1.1\r\n", b" HTTP/1.0\r\n"):
                yield start + target + version + _HOST + close
    yield from (b"GET / HTTP/1.1\r\n" + host + close for host in _HOSTS)
    yield from (b"GET / HTTP/1.0\r\n" + host + close for host in _HOSTS)
    yield b"GET http://e.com/ HTTP/1.1\r\nHost: evil.com\r\n" + close
    yield b"GET / HTTP/9.9\r\n" + _HOST + close
    for octet in (bytes([value]) for value in (*range(128), 0x80, 0xC3, 0xFF)):
        if octet.isalnum():
            continue
        for target in (octet, b"/%b", b"/a%bb", b"/?%b", b"http://e.com%b/", b"http://%be.com/"):
            yield b"GET " + target.replace(b"%b", octet) + b" HTTP/1.1\r\n" + _HOST + close
        for field in (b"Host: %b", b"Host: e%bcom", b"Host: e.com%b", b"Host: e.com:%b"):
            yield b"GET / HTTP/1.1\r\n" + field.replace(b"%b", octet) + b"\r\n" + close
        for field in (b"A: a%bb", b"A%b: a", b"Cookie: a%b=b", b"Cookie: a=b%b"):
            yield b"GET / HTTP/1.1\r\n" + _HOST + field.replace(b"%b", octet) + b"\r\n" + close


_FOR_US = re.compile(rb"(?im)^host[ \t]*:[ \t]*e\.com\.?(:[0-9]*)?[ \t]*\r?$")


@pytest.mark.prove
def test_requests_that_no_client_sends(server: Server) -> None:
    """No traceback, no 5xx, nothing long, nothing secret; and only what is meant for this host."""
    reached = refused = 0
    for request in _requests():
        answer = exchange(server.port, request)
        assert not re.match(rb"HTTP/1\.[01] 5", answer), request[:200]
        assert len(answer) <= 10_240
        if b"problem+json" in answer:
            refused += 1
            assert b"hunter2" not in answer, request
        elif b" 200 " in answer[:14]:
            reached += 1
            hosts = _FOR_US.findall(request)
            assert len(hosts) == request.lower().count(b"\nhost") == 1, request
    assert min(reached, refused) > 100
    assert b"Traceback" not in server.log.read_bytes()


# By itself: what no server sends, and what servers differ in.


async def inner(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "reached"})


REACHED = [{"type": "reached"}]


def wsgi(**options: Any) -> for_wsgi.URIMiddleware:
    return for_wsgi.URIMiddleware(lambda environ, start: [b"reached"], **options)


def test_modes(caplog: pytest.LogCaptureFixture) -> None:
    app = for_asgi.URIMiddleware(inner, mode="report")
    with caplog.at_level(logging.WARNING, "uriproof.asgi"):
        for target in ("/ok", "/a b?token=hunter2", "/a b?[]"):
            assert call(app, scope(target)) == REACHED
    assert app.counts == {"path-illegal": 2, "query-illegal": 1}
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert "hunter2" not in caplog.text
    assert caplog.records[0].getMessage().startswith("400 invalid request target: path 2: A space")
    off = for_asgi.URIMiddleware(inner, mode="off")
    assert call(off, scope("/a b")) == REACHED
    assert not off.counts


@pytest.mark.parametrize(
    ("target", "hosts", "more", "codes"), beside(__file__, "forms_of_requests")
)
def test_forms_of_requests(target: str, hosts: list[str], more: Any, codes: list[str]) -> None:
    app = for_asgi.URIMiddleware(inner, rule=Rule(policy=Policy(hosts=["e.com", "b"])))
    fields = [(b"host", host.encode()) for host in hosts]
    call(app, scope(target, fields, **more))
    assert list(app.counts) == codes


def test_query_grammar_and_policy() -> None:
    rule = Rule(query="key-value", policy=Policy(forbid=["encoded-slash"]))
    app = for_asgi.URIMiddleware(inner, rule=rule)
    assert call(app, scope("/a?b=c", scheme="https")) == REACHED
    assert call(app, scope("/a?b"))[0]["status"] == 400
    assert call(app, scope("/a%2Fb?b=c", scheme="https"))[0]["status"] == 400
    assert set(app.counts) == {"query-missing", "encoded-slash"}


def test_web_sockets_are_refused_before_they_are_accepted() -> None:
    app = for_asgi.URIMiddleware(inner)
    given = scope("/a b", type="websocket")
    assert call(app, given) == [{"type": "websocket.close", "code": 1008}]
    start, body = call(app, given | {"extensions": {"websocket.http.response": {}}})
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 400)
    assert json.loads(body["body"])["target"]["violations"][0]["start"] == 2


def test_wsgi_by_itself() -> None:
    """Without the raw target; and with two Hosts that a server has joined."""
    status, problem = call_wsgi(wsgi(), QUERY_STRING="a=[")
    assert (status, problem["query"]["violations"][0]["start"]) == (400, 2)
    assert call_wsgi(wsgi(), QUERY_STRING="a=b") == (0, b"reached")
    assert call_wsgi(wsgi(mode="off"), QUERY_STRING="a=[") == (0, b"reached")
    app = wsgi(rule=Rule(policy=Policy(hosts=["*.good.com"])))
    assert call_wsgi(app, HTTP_HOST="evil.com,a.good.com", RAW_URI="/")[0] == 400
    assert app.counts == {"host-count": 1}


@pytest.mark.parametrize("made", [for_asgi.URIMiddleware, for_wsgi.URIMiddleware])
def test_wrong_options(made: Any) -> None:
    with pytest.raises(ValueError, match="mode is one of on, report or off"):
        made(inner, mode="yes")
    with pytest.raises(ValueError, match="max_length must be at least 1"):
        made(inner, max_length=0)
    with pytest.raises(LookupError):
        made(inner, rule="no-such")
    with pytest.raises(TypeError, match="rule must be a str or a Rule"):
        made(inner, rule=Policy())


def refused(rules: RequestRules, method: str, target: str, *hosts: str, **how: Any) -> Refusal:
    found = rules.refusal(method, target, hosts, **how)
    assert found is not None, target
    return found


@pytest.mark.parametrize(
    ("method", "target", "form"), beside(__file__, "targets_that_the_method_does_not_have")
)
def test_targets_that_the_method_does_not_have(method: str, target: str, form: str) -> None:
    """And one without a slash is not told of schemes."""
    refusal = refused(RequestRules(), method, target, "h")
    assert refusal.reports["target"].rule == form
    assert "scheme" not in refusal.detail
    assert RequestRules().refusal("CONNECT", "h:443", ["h:443"]) is None
    assert RequestRules().refusal("OPTIONS", "*", ["h"]) is None


def test_a_target_that_is_too_long_has_a_report() -> None:
    refusal = refused(RequestRules(max_length=3), "GET", "/abc", "h")
    assert (refusal.status, list(refusal.reports)) == (414, ["target"])
    [violation] = refusal.reports["target"].violations
    assert (violation.start, violation.end, violation.section) == (3, 4, "")
    assert violation.message == "The text has 4 characters; at most 3 are allowed."


@pytest.mark.parametrize(
    ("target", "code"), beside(__file__, "a_policy_sees_the_target_uri_in_every_form")
)
def test_a_policy_sees_the_target_uri_in_every_form(target: str, code: str) -> None:
    host = "127.0.0.1" if "127" in target else "e.com"
    refusal = RequestRules(rule=Rule(policy=Policy.fetches())).refusal("GET", target, [host])
    assert (code in refusal.codes) if refusal else not code
    assert "hunter2" not in str(refusal and refusal.to_problem(drawing=True))


GOOD = RequestRules(rule=Rule(policy=Policy(hosts=["good.com", "*.sub.com"])))


@pytest.mark.parametrize(
    ("method", "target", "host", "code"), beside(__file__, "no_form_of_a_target_hides_the_host")
)
def test_no_form_of_a_target_hides_the_host(method: str, target: str, host: str, code: str) -> None:
    """Servers should ignore a Host beside an absolute target; applications read it all the same."""
    refusal = GOOD.refusal(method, target, [host])
    assert (refusal.codes if refusal else ()) == ((code,) if code else ())
    if code == "host-differs":
        assert RequestRules().refusal(method, target, [host]) == refusal


def test_a_policy_on_hosts_without_a_host() -> None:
    for target in ("/", "*"):
        refusal = refused(GOOD, "OPTIONS", target, host_optional=True)
        assert refusal.codes == ("host-forbidden",)
    assert GOOD.refusal("GET", "http://good.com/", [], host_optional=True) is None


def test_a_policy_on_hosts_if_the_raw_target_is_not_known(caplog: pytest.LogCaptureFixture) -> None:
    options: Any = {"rule": GOOD.rule, "max_length": 20}
    of_asgi, of_wsgi = for_asgi.URIMiddleware(inner, **options), wsgi(**options)

    def ask_both(host: str, path: str = "/", query: str = "a=b") -> tuple[int, int]:
        given = scope(f"/?{query}", [(b"host", host.encode())], raw_path=None, path=path)
        status, _ = call_wsgi(of_wsgi, HTTP_HOST=host, PATH_INFO=path, QUERY_STRING=query)
        return call(of_asgi, given)[0].get("status", 0), status

    with caplog.at_level(logging.WARNING):
        assert ask_both("good.com") == (0, 0)
        assert ask_both("good.com", query="a=[") == (400, 400)
        assert ask_both("evil.com") == (400, 400)
        assert ask_both("good.com", "/" + "a" * 30) == (414, 414)
    assert [record.name for record in caplog.records] == ["uriproof.wsgi", "uriproof.asgi"]
    assert "does not give the raw target" in caplog.text


@pytest.mark.prove
@pytest.mark.parametrize("piece", ["[x]", "a b", " %", "%", "\xe9.", "%2F", "//."])
@pytest.mark.parametrize("policy", [None, Policy(forbid=["path", "security", "encoded-slash"])])
def test_answers_are_bounded(piece: str, policy: Policy | None) -> None:
    """8 kB of a request are not answered with more than they are, whatever they hold."""
    text = piece * (7900 // len(piece))
    rules = RequestRules(rule=Rule(policy=policy))
    for target, host in ((f"/?{text}", "h"), (f"/{text}", "h"), ("/", text), (f"/{text}", text)):
        refusal = rules.refusal("GET", target, [host])
        if refusal is None:
            continue
        plain, drawn = (len(json.dumps(refusal.to_problem(drawn))) for drawn in (False, True))
        assert plain <= 5_120
        assert drawn - plain <= 4_096
        assert sum(len(one.violations) for one in refusal.reports.values()) <= 11


def test_many_and_long_hosts_are_answered_in_short() -> None:
    rules = RequestRules()
    for hosts in (["a b"] * 5000, [f"a b{i}" for i in range(5000)], ["a b" * 50_000]):
        refusal = refused(rules, "GET", "/", *hosts)
        assert len(json.dumps(refusal.to_problem(drawing=True))) <= 5_120
    assert refusal.codes == ("too-long",)
    assert rules.refusal("GET", "/", ["a" * 50_000]) is None
    text = "[x]" * 2600
    found = refused(rules, "GET", f"/?{text}", "h").to_problem()["target"]
    assert found["more"] == text.count("][") + 2 - 10


@pytest.mark.parametrize("target", ["/%00", "/a%0d%0aX:", "/%1b", "/%7F?a", "http://e.com/%0A"])
def test_encoded_controls_in_a_path_are_refused(target: str) -> None:
    """A text that is decoded can end at the first, and a field at the second."""
    app = for_asgi.URIMiddleware(inner)
    body = json.loads(call(app, scope(target))[1]["body"])
    assert body["detail"] == "an encoded control character in the path of the request target"
    assert app.counts == {"encoded-control": 1}
    assert RequestRules().refusal("GET", "/a%20%C2%85%E9?text=%00%0D%0A", ["e.com"]) is None


def test_targets_as_browsers_send_them(caplog: pytest.LogCaptureFixture) -> None:
    of_asgi = for_asgi.URIMiddleware(inner, clients="whatwg")
    of_wsgi = wsgi(clients="whatwg")
    with caplog.at_level(logging.DEBUG, "uriproof"):
        for target in ("/a|b?filter[name]=x", "/?q=100%", "/plain?a=b"):
            assert call(of_asgi, scope(target)) == REACHED
            assert call_wsgi(of_wsgi, RAW_URI=target) == (0, b"reached")
        assert call_wsgi(of_wsgi, QUERY_STRING="a=[") == (0, b"reached")
    advised = {"path-illegal": 1, "query-illegal": 1, "query-bad-escape": 1}
    assert (of_asgi.advised, of_asgi.counts) == (advised, {})
    assert (of_wsgi.advised, of_wsgi.counts) == (advised | {"query-illegal": 2}, {})
    assert call(of_asgi, scope("/a b?[]"))[0]["status"] == 400
    assert (of_asgi.advised, of_asgi.counts) == (advised, {"path-illegal": 1})
    assert "filter" not in caplog.text
