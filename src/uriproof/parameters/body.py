"""The body of a request: its media type, and the value that it holds.

Owns the reading of bodies. Imports the schemas and the strict reader of JSON. Invariant: offsets
are code points of the body as UTF-8; no message holds a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ..grammar import registry
from ..limits import LARGEST_READ_BODY
from ..percent.clients import Clients
from ..text.names import or_list
from ..text.strict_json import InvalidJSON, places, read_json
from .form import Form
from .parameter import is_json
from .reachable import escaped
from .reading import Place
from .schema import failures
from .values import BodyReport

FORM = "application/x-www-form-urlencoded"


class Media(NamedTuple):
    """A media type of a body, or a range of them, as a document declares it.

    JSON has a ``validator``, unless its schema allows everything, and form data a ``form``.
    ``fill`` gives a valid JSON value the defaults of its properties.
    """

    name: str
    validator: Any = None
    form: Form | None = None
    fill: Callable[[Any], None] | None = None

    @property
    def is_form(self) -> bool:
        """Whether the media type is that of form data, whose fields are read as parameters are."""
        return _essence(self.name) == FORM

    @property
    def is_read(self) -> bool:
        """Whether the body is read; otherwise it is only asked whether there is one."""
        return self.form is not None or is_json(self.name)


class RequestBody:
    """What an operation declares about the body of its requests. See ``Operation.from_openapi``."""

    def __init__(self, media: tuple[Media, ...], required: bool = False) -> None:
        self.media, self.required = media, required
        self._known = {_spelled(each.name): each for each in reversed(media)}
        self._known |= {_essence(each.name): each for each in reversed(media)}

    def find(self, content_type: str | None) -> Media | None:
        """The declared media type that a Content-Type is of: the most specific; None if none is.

        Parameters of the type, such as charset, are compared only if both are declared. Spec:
        OpenAPI 3.1.1 §4.8.13; RFC 9110 §8.3.1.
        """
        if content_type is None or not registry.load("rfc9110").matcher("media-type")(content_type):
            return None
        essence = _essence(content_type)
        kinds = _spelled(content_type), essence, f"{essence.partition('/')[0]}/*", "*/*"
        return next((self._known[kind] for kind in kinds if kind in self._known), None)

    def check(
        self,
        body: bytes,
        content_type: str | None,
        most: int | None,
        longest: int | None = LARGEST_READ_BODY,
        clients: Clients = "rfc",
    ) -> BodyReport | None:
        """The value of a body; None if there is none, and none is required. Cost: O(n)."""
        place = Place("body", "", False, [], most, clients)
        if not body and not self.required:
            return None
        media = self.find(content_type)
        if fault := self._fault(body, media, content_type or "", longest):
            place.blame("", (0, 0), *fault)
        if fault or media is None or not media.is_read:
            return _report(place, body)
        text = _decoded(place, body)
        if text is None:
            return _report(place)
        place = place._replace(text=text)
        if media.form is None:
            return _json(place, media)
        read = media.form.check(place)
        made = _report(place, read.values, read.more, read.undeclared)
        return replace(made, defaults=read.defaults)

    def _fault(
        self, body: bytes, media: Media | None, content_type: str, longest: int | None
    ) -> tuple[str, str] | None:
        """The code and the words for a body that is not even read."""
        if not body and (media is None or media.form is None):  # an empty form has no fields
            return "body-required", "this operation requires a body"
        if media is None:
            known = or_list(each.name for each in self.media) or "nothing"
            return "body-media-type", f"the media type of the body must be {known}"
        if media.is_read and not _in_utf8(content_type):
            return "body-media-type", "the charset of the body must be UTF-8"
        if media.is_read and longest is not None and len(body) > longest:
            return "body-too-large", f"the body has more than {longest:,} octets"
        return None


def _essence(media_type: str) -> str:
    """The type and subtype, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def _spelled(media_type: str) -> str:
    """The whole media type, in lower case and without spaces."""
    return "".join(media_type.lower().split())


def _in_utf8(content_type: str) -> bool:
    """Whether no parameter of a media type says that its text is not in UTF-8."""
    for parameter in content_type.lower().split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip(' \t"') not in ("utf-8", "utf8"):
            return False
    return True


def _report(
    place: Place, value: Any = None, more: int = 0, undeclared: tuple[tuple[str, str], ...] = ()
) -> BodyReport:
    made = place.report({}, undeclared, more)
    value = None if made.violations else value
    return BodyReport("body", place.text, value, made.violations, undeclared, made.more)


def _decoded(place: Place, body: bytes) -> str | None:
    """The text of a body, or None, with a violation. Spec: RFC 8259 §8.1."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        at = len(body[: error.start].decode("utf-8"))
        place.blame("", (at, at), "body-encoding", "an octet here is not UTF-8")
        return None
    if text.startswith(_MARK):
        place.blame("", (0, 1), "body-encoding", "the body begins with a byte order mark: leave it")
        return None
    return text


_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # as a signature, U+FEFF


def _json(place: Place, media: Media) -> BodyReport:
    try:
        value = read_json(place.text)
    except InvalidJSON as error:
        end = min(error.start + 1, len(place.text))
        place.blame("", (error.start, end), "body-json", str(error))
        return _report(place)
    found = [] if media.validator is None else failures(media.validator, value)
    spans = places(place.text, [failed.path for failed in found[: place.most]]) if found else {}
    for failed in found[: place.most]:
        name = "".join(f"/{escaped(key)}" for key in failed.path)
        place.blame(name, spans.get(failed.path, spans[()]), "body-schema", failed.message)
    if media.fill is not None and not found:
        media.fill(value)
    return _report(place, value, len(found) - len(place.violations))
