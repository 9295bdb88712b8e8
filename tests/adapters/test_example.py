"""The sample API: guard, types and outbound client, started as its first line says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from serving import serving

pytestmark = pytest.mark.prove

for module in ("fastapi", "httpx", "jsonschema_rs", "uvicorn", "yaml"):
    pytest.importorskip(module)

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "api.py"


class Api(NamedTuple):
    """The API that runs: its port, what it logs, and whether it may call this machine."""

    port: int
    log: Path
    is_local: bool


@pytest.fixture(scope="module", params=[[], ["--allow", "localhost"]], ids=["", "local"])
def api(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Api]:
    log = tmp_path_factory.mktemp("api") / "log"
    with serving([str(EXAMPLE), "--port", "{}", *request.param], log) as port:
        yield Api(port, log, bool(request.param))
    assert "Traceback" not in log.read_text("utf-8")


def ask(port: int, path: str, hook: str | None = None, **headers: str) -> tuple[int, Any]:
    """The status and the JSON of an answer."""
    connection = HTTPConnection("localhost", port, timeout=120)
    if hook is None:
        connection.request("GET", path, headers=headers)
    else:
        sent = {"Content-Type": "application/json", **headers}
        connection.request("POST", path, json.dumps({"url": hook}), sent)
    with connection.getresponse() as response:
        answer = response.status, json.loads(response.read())
    connection.close()
    return answer


def test_the_guard_reads_parameters_from_the_raw_request(api: Api) -> None:
    query = {"tags": ["small", "red,white"], "limit": 10}
    read = {"path": {"id": 7}, "query": query, "header": {}, "cookie": {}}
    assert ask(api.port, "/pets/7?tags=small,red%2Cwhite") == (200, read)
    status, problem = ask(api.port, "/pets/seven?tags=%FF&limit=500")
    assert status == 400
    found = [(v["name"], v["start"], v["end"]) for v in problem["violations"]]
    assert found == [("id", 6, 11), ("tags", 5, 8), ("limit", 15, 18)]


def test_what_is_not_a_request_target_is_refused_before(api: Api) -> None:
    status, problem = ask(api.port, "/nowhere?tags=%zz")
    assert (status, [v["start"] for v in problem["target"]["violations"]]) == (400, [14])
    status, problem = ask(api.port, "/pets/7", Host="evil.com")
    assert (status, problem["uri"]["violations"][0]["code"]) == (400, "host-forbidden")


def test_the_type_of_a_hook(api: Api) -> None:
    for hook in ("https://u:hunter2@example.com/a b", "ftp://u:hunter2@example.com/", "http:/x"):
        status, problem = ask(api.port, "/hooks", hook)
        assert (status, problem["detail"][0]["loc"]) == (422, ["body", "url"])
        assert "hunter2" not in str(problem)


@pytest.mark.parametrize(
    "hook", ["http://169.254.169.254/latest/", "http://[::ffff:10.0.0.1]/", "http://redis:6379/"]
)
def test_hooks_that_are_not_called(api: Api, hook: str) -> None:
    assert ask(api.port, "/hooks", hook) == (400, {"detail": "this server does not call that URL"})
    assert "hook refused: not an allowed URI" in api.log.read_text("utf-8")


def test_a_hook_on_this_machine_only_if_it_is_allowed(api: Api) -> None:
    hook = f"http://localhost:{api.port}/pets/7"
    status, answer = ask(api.port, "/hooks", hook)
    if api.is_local:
        assert (status, answer) == (201, {"url": hook, "status": 200})
    else:
        assert status == 400
