"""The sample application: parameters by a document, behind the middleware."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")
from starlette.testclient import TestClient

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "pets.py"


@pytest.fixture(scope="module")
def client() -> Any:
    return TestClient(runpy.run_path(str(EXAMPLE))["app"])


def test_values_are_read_from_the_raw_request(client: Any) -> None:
    answer = client.get("/pets/7?tags=small,red%2Cwhite&limit=5")
    assert answer.status_code == 200
    query = {"tags": ["small", "red,white"], "limit": 5}
    assert answer.json() == {"path": {"id": 7}, "query": query, "header": {}, "cookie": {}}


def test_violations_are_a_problem_detail(client: Any) -> None:
    answer = client.get("/pets/seven?tags=%FF&limit=500")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    found = [(v["name"], v["start"], v["end"]) for v in answer.json()["violations"]]
    assert found == [("id", 6, 11), ("tags", 5, 8), ("limit", 15, 18)]


def test_what_is_no_request_target_is_refused_before(client: Any) -> None:
    answer = client.get("/nowhere?tags=[1]")
    assert answer.status_code == 400
    assert [v["start"] for v in answer.json()["target"]["violations"]] == [14, 16]
