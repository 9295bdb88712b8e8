"""FastAPI: its own 422 carries the violations; the sample application over HTTP.

Owns the promises of examples/links.py. Imports httpx, and runs the application as the page of the
docs says, on a port of the loopback. Invariant: the server has ended when the tests have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import httpx
import pytest
from api_inputs import SECRET, SECRETS
from fastapi import Cookie, FastAPI, Header, Query
from fastapi import Path as PathParameter
from pydantic import BaseModel
from serving import serving

from uriproof.adapters.for_pydantic import URI

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    log = tmp_path_factory.mktemp("links") / "log"
    with (
        serving(["examples/links.py", "--port", "{}"], log, ROOT) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}") as made,
    ):
        yield made


def test_the_sample_application(client: httpx.Client) -> None:
    """The string stays as it was; the handler of errors drops what came in; redirects stay here."""
    url = "HTTP://Example.com:80/%7e/../a"
    answer = client.post("/links", json={"title": "A", "url": url})
    assert (answer.status_code, answer.json()["url"]) == (201, url)
    answer = client.post("/links", json={"title": "A", "url": f"http://me:{SECRET}@h/ "})
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["errors"][0]["loc"]) == (422, ["body", "url"])
    assert SECRET not in answer.text
    for to, status in ("/links", 307), ("//evil.com", 422), ("/\\evil.com", 422):
        answer = client.get("/go", params={"to": to}, follow_redirects=False)
        assert (answer.status_code, answer.headers.get("location", to)) == (status, to)


class Hook(BaseModel):
    url: URI


Sent = Annotated[URI | None, Header()]
Kept = Annotated[URI | None, Cookie()]
Path_ = Annotated[URI, PathParameter()]


def answers(requests: list[tuple[str, str, dict[str, Any]]]) -> list[httpx.Response]:
    """Of an application that takes URIs from everywhere, without a handler of errors."""
    app = FastAPI()

    @app.get("/path/{url:path}")
    def path(url: Path_) -> str:
        return url

    @app.get("/")
    def get(url: URI | None = None, sent: Sent = None, kept: Kept = None) -> None: ...

    @app.get("/list")
    def several(urls: Annotated[list[URI], Query()]) -> None: ...

    @app.post("/")
    def post(hooks: dict[str, list[Hook]]) -> None: ...

    async def asked() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://h") as client:
            return [await client.request(method, at, **more) for method, at, more in requests]

    return asyncio.run(asked())


def test_422_has_the_violations() -> None:
    url = "http://example.com/a b?x=[1]#f#g"
    [answer] = answers([("POST", "/", {"json": {"a": [{"url": "a:b"}, {"url": url}]}})])
    assert answer.status_code == 422
    (detail,) = answer.json()["detail"]
    assert (detail["type"], detail["loc"]) == ("uri_syntax", ["body", "a", 1, "url"])
    assert [v["start"] for v in detail["ctx"]["violations"]] == [20, 25, 27, 30]


@pytest.mark.parametrize("text", SECRETS)
def test_no_password_is_answered_from_anywhere(text: str) -> None:
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/", {"params": {"url": text}}),
        ("GET", "/", {"headers": {"sent": f"{text}^"}}),
        ("GET", "/", {"headers": {"cookie": "kept=" + text.replace(" ", "^")}}),
        ("GET", "/list", {"params": {"urls": ["a:b", text]}}),
        ("GET", "/path/" + quote(text, safe=""), {}),
        ("POST", "/", {"json": {"a": [{"url": "a:b"}, {"url": text}]}}),
    ]
    for answer in answers(requests):
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["ctx"]["violations"]
        assert SECRET not in answer.text
