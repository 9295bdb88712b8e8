"""The sample API: guard, types and outbound client, started as its first line says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from serving import serving

pytestmark = pytest.mark.prove

for module in ("fastapi", "httpx", "jsonschema_rs", "uvicorn", "yaml"):
    pytest.importorskip(module)

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "api.py"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """The port of the API, which may call this machine alone, and what it logs."""
    log = tmp_path_factory.mktemp("api") / "log"
    with serving([str(EXAMPLE), "--port", "{}", "--allow", "localhost"], log) as port:
        yield port, log
    assert "Traceback" not in log.read_text("utf-8")


def ask(port: int, path: str, hook: str | None = None, **headers: str) -> tuple[int, Any]:
    """The status and the JSON of an answer."""
    connection = HTTPConnection("localhost", port, timeout=120)
    body = None if hook is None else json.dumps({"url": hook})
    sent = headers if hook is None else {"Content-Type": "application/json", **headers}
    connection.request("GET" if hook is None else "POST", path, body, sent)
    with connection.getresponse() as response:
        answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def test_parameters_are_read_from_the_raw_request(api: tuple[int, Path]) -> None:
    port, _ = api
    query = {"tags": ["small", "red,white"], "limit": 10}
    read = {"path": {"id": 7}, "query": query, "header": {}, "cookie": {}}
    assert ask(port, "/pets/7?tags=small,red%2Cwhite") == (200, read)
    status, problem = ask(port, "/pets/seven?tags=%FF&limit=500")
    assert status == 400
    found = [(v["name"], v["start"], v["end"]) for v in problem["violations"]]
    assert found == [("id", 6, 11), ("tags", 5, 8), ("limit", 15, 18)]
    status, problem = ask(port, "/nowhere?tags=%zz")
    assert (status, [v["start"] for v in problem["target"]["violations"]]) == (400, [14])
    status, problem = ask(port, "/pets/7", Host="evil.com")
    assert (status, problem["uri"]["violations"][0]["code"]) == (400, "host-forbidden")


def test_hooks(api: tuple[int, Path]) -> None:
    port, log = api
    for hook in ("https://u:hunter2@example.com/a b", "ftp://u:hunter2@example.com/", "http:/x"):
        status, problem = ask(port, "/hooks", hook)
        assert (status, problem["detail"][0]["loc"]) == (422, ["body", "url"])
        assert "hunter2" not in str(problem)
    for hook in ("http://169.254.169.254/latest/", "http://[::ffff:10.0.0.1]/", "http://redis:80/"):
        refused = {"detail": "this server does not call that URL"}
        assert ask(port, "/hooks", hook) == (400, refused)
    assert "hook refused: not an allowed URI" in log.read_text("utf-8")
    hook = f"http://localhost:{port}/pets/7"
    assert ask(port, "/hooks", hook) == (201, {"url": hook, "status": 200})
