"""Litestar: arguments from everywhere, bodies, the document, and what cannot be validated.

Owns what ``for_litestar`` promises. Imports Litestar, with its client. Invariant: no answer has a
password.
"""

# Without postponed annotations: Litestar reads those of local functions.

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest
from api_inputs import SECRET
from litestar import Controller, Litestar, WebSocket, get, post, websocket, websocket_listener
from litestar.di import Provide
from litestar.exceptions import ImproperlyConfiguredException, WebSocketDisconnect
from litestar.params import CookieParameter, FromQuery, HeaderParameter, JSONBody
from litestar.testing import TestClient
from tables import beside

from uriproof import Rule
from uriproof.adapters.for_litestar import URIPlugin
from uriproof.adapters.for_pydantic import HttpURI
from uriproof.fields import Checked

# Most parameters are still written in the older way, without a marker.
OLDER = "ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning"
pytestmark = pytest.mark.filterwarnings(OLDER)

URI = Annotated[str, Rule()]
Sent = Annotated[URI, HeaderParameter(name="x-u")]
Kept = Annotated[URI | None, CookieParameter(name="kept")]


class Body(msgspec.Struct, Checked):
    url: URI


@get("/query")
async def query(url: HttpURI, urls: list[URI], other: FromQuery[URI | None] = None) -> str:
    return f"{url} {urls} {other}"


@get("/path/{url:path}")
async def path(url: Annotated[str, Rule("path-absolute")]) -> str:
    return url


@get("/sent")
async def sent(url: Sent, kept: Kept = None) -> str:
    return f"{url} {kept}"


async def of_query(page: URI) -> str:
    return page


@get("/needs", dependencies={"found": Provide(of_query)})
async def needs(found: str) -> str:
    return found


@post("/body")
async def body(data: JSONBody[Body]) -> str:
    return data.url


@post("/list")
async def texts(data: JSONBody[list[URI]]) -> str:
    return str(data)


class Both(Controller):
    path = "/both"

    @get(["/a", "/b"])
    async def both(self, url: URI) -> str:
        return url


HANDLERS: list[Any] = [query, path, sent, needs, body, texts, Both]
BAD = f"http://me:{SECRET}@h/ "


@pytest.fixture(scope="module")
def client() -> Any:
    with TestClient(Litestar(HANDLERS, plugins=[URIPlugin()], logging_config=None)) as made:
        yield made


@pytest.mark.parametrize(("path", "options", "wanted"), beside(__file__, "valid_arguments"))
def test_valid_arguments(client: Any, path: str, options: dict[str, Any], wanted: str) -> None:
    answer = client.get(path, **options)
    assert (answer.status_code, answer.text) == (200, wanted)


@pytest.mark.parametrize(("path", "options", "place"), beside(__file__, "invalid_arguments"))
def test_invalid_arguments(
    client: Any, path: str, options: dict[str, Any], place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    answer = client.get(path, **options)
    assert answer.status_code == 400
    (found,) = answer.json()["extra"]
    assert found["key"] == place
    assert found["message"].startswith("not a valid ")
    assert found["violations"]
    logged = [one.getMessage() for one in caplog.records if not one.name.startswith("httpx")]
    assert SECRET not in f"{answer.text} {logged}"


@pytest.mark.parametrize(
    ("path", "good", "bad"),
    [("/body", {"url": "a:b"}, {"url": BAD}), ("/list", ["a:b"], ["a:b", BAD])],
)
def test_bodies(client: Any, path: str, good: Any, bad: Any) -> None:
    assert client.post(path, json=good).status_code == 201
    answer = client.post(path, json=bad)
    assert answer.status_code == 400
    assert "The space at the end is not part of the URI." in answer.text
    assert SECRET not in answer.text
    if path == "/list":
        found = client.post(path, json=["a b" * 50] * 1000).json()["extra"]
        assert (len(found), sum(len(one["violations"]) for one in found)) == (20, 20)


def test_the_document(client: Any) -> None:
    made = client.get("/schema/openapi.json").json()
    by_name = {one["name"]: one for one in made["paths"]["/query"]["get"]["parameters"]}
    url = {"type": "string", "format": "uri", "maxLength": 2083}
    assert by_name["url"]["schema"] == url
    assert by_name["urls"]["schema"]["items"] == {"type": "string", "format": "uri"}
    assert made["components"]["schemas"]["Body"]["properties"]["url"]["format"] == "uri"


class Forgotten(msgspec.Struct):
    url: URI


@dataclass
class Plain:
    urls: list[URI]


class Pair(NamedTuple):
    url: URI


CHECKED = "does not validate its fields: make uriproof"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        *((kind, CHECKED) for kind in (Forgotten, list[Forgotten], Plain | None, dict[str, Pair])),
        (Annotated[int, Rule()], "Rule is for text, not for int"),
    ],
)
def test_what_cannot_be_validated_is_an_error_of_the_application(kind: Any, words: str) -> None:
    async def handler(data: Any) -> None: ...

    handler.__annotations__["data"] = kind
    with pytest.raises(TypeError, match=words):
        Litestar([post("/")(handler)], plugins=[URIPlugin()])


@websocket("/socket")
async def socket(socket: WebSocket[Any, Any, Any], url: URI) -> None:
    await socket.accept()
    await socket.send_text(url)
    await socket.close()


def test_websockets() -> None:
    app = Litestar([socket], plugins=[URIPlugin()], logging_config=None)
    with TestClient(app) as client:
        with client.websocket_connect("/socket?url=a:b") as connection:
            assert connection.receive_text() == "a:b"
        with (
            pytest.raises(WebSocketDisconnect, match=r"An argument is not valid\."),
            client.websocket_connect("/socket", params={"url": BAD}) as connection,
        ):
            connection.receive_text()

    @websocket_listener("/")
    async def listen(data: URI) -> None: ...

    with pytest.raises(ImproperlyConfiguredException, match="messages are not validated"):
        Litestar([listen], plugins=[URIPlugin()])
