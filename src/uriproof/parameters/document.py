"""The requests that an OpenAPI document declares for an operation, and the problems in it.

Owns the reading of OpenAPI documents, 3.0 to 3.2, and 2.0. Imports parameters, bodies and schemas.
Invariant: a document is data: whatever it holds, the work is linear in the size of the operation,
nothing is fetched, and every problem has the JSON pointer of its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeGuard

from ..arguments import strings, wrong
from ..errors import UriproofError
from ..text.names import did_you_mean, or_list
from .body import FORM, Media, RequestBody
from .form import OF_PARAMETER, Form, Querystring, settings
from .openapi.swagger import FORM_DATA, converted, is_swagger
from .parameter import Parameter, UndefinedStyle, is_json
from .reachable import InvalidSchema, escaped, named, resolve
from .schema import Schemas
from .values import LOCATIONS

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
_MOST_SHOWN = 20
_WHOLE = "querystring"  # OpenAPI 3.2.0 §4.12: the location of a value that is the whole query


class DocumentProblem(NamedTuple):
    """A problem at one place of a document: a JSON pointer (RFC 6901)."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.message}"


class InvalidDocument(UriproofError, ValueError):
    """A document whose parameters cannot be read; ``problems`` holds all that is wrong."""

    def __init__(self, problems: tuple[DocumentProblem, ...]) -> None:
        self.problems = problems
        super().__init__(problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:_MOST_SHOWN]]
        if len(self.problems) > _MOST_SHOWN:
            lines.append(f"and {len(self.problems) - _MOST_SHOWN:,} more")
        return "\n".join(lines)


def invalid(pointer: str, message: str) -> InvalidDocument:
    """The error of a document with one problem."""
    return InvalidDocument((DocumentProblem(named(pointer), message),))


class Declared(NamedTuple):
    """What a document declares about the requests of an operation, and the problems in it."""

    parameters: list[Parameter]
    querystring: Querystring | None
    body: RequestBody | None
    problems: tuple[DocumentProblem, ...]


def declared(
    document: Mapping[str, Any], path: str, method: str, undefined: str = "raise"
) -> Declared:
    """The parameters of an operation, including those of its path item, and its body.

    Errors: InvalidDocument, unless ``undefined`` is "skip" and only these have problems;
    LookupError, TypeError, ImportError.
    """
    strings(path=path, method=method)
    if not isinstance(document, Mapping):
        raise wrong("document", document, "a mapping", "read the JSON or YAML file first")
    if undefined not in ("raise", "skip"):
        raise ValueError(f'undefined is "raise" or "skip", not {undefined!r}')
    version = _version(document)
    item, item_pointer = _path_item(document, path)
    known = methods(document, item)
    wanted = method if method in known else method.lower()
    if wanted not in known:
        raise LookupError(f"{path} has no method {method!r}; it has {or_list(known) or 'none'}")
    operation, pointer = _resolved(document, item_pointer + known[wanted][1], "an operation")
    reader = _Reader(document, version)
    reader.read(item.get("parameters"), f"{item_pointer}/parameters")
    reader.read(operation.get("parameters"), f"{pointer}/parameters")
    parameters = reader.parameters()
    reader.match_template(path, parameters, item_pointer)
    querystring = reader.querystring()
    body = reader.swagger_body(operation) if reader.swagger else reader.body(operation, pointer)
    problems = tuple(reader.problems)
    if problems and undefined == "raise":
        raise InvalidDocument(problems)
    return Declared(parameters, querystring, body, problems)


def _version(document: Mapping[str, Any]) -> str:
    """The version of OpenAPI that a document is written in. Errors: InvalidDocument."""
    version = document.get("openapi")
    if is_swagger(document):
        return "2.0"
    if isinstance(version, str) and f"{version}.".startswith(("3.0.", "3.1.", "3.2.")):
        return version
    words = 'expected a version "3.0.x", "3.1.x" or "3.2.x" of OpenAPI, or "swagger": "2.0"'
    raise invalid("/openapi", words)


def methods(
    document: Mapping[str, Any], item: Mapping[str, Any]
) -> dict[str, tuple[Mapping[str, Any], str]]:
    """The operations of a path item by their methods, and their pointers within it.

    Names in lower case are those of fields; others are of ``additionalOperations``, as they are
    sent. Spec: OpenAPI 3.2.0 §4.9.
    """
    found = {name: (item[name], f"/{name}") for name in _METHODS if name in item}
    if _version(document).startswith("3.2"):
        if "query" in item:
            found["query"] = item["query"], "/query"
        more = item.get("additionalOperations")
        for name, operation in more.items() if isinstance(more, Mapping) else ():
            found[str(name)] = operation, f"/additionalOperations/{escaped(name)}"
    return {name: each for name, each in found.items() if isinstance(each[0], Mapping)}


def operations(
    document: Mapping[str, Any], problems: list[DocumentProblem]
) -> Iterator[tuple[str, str, tuple[Any, str]]]:
    """The path and the method of each operation, and its servers with their pointer.

    Problems of path items are added. Spec: OpenAPI 3.1.1 §4.8.9, §4.8.10.
    """
    paths = document.get("paths")
    default = document["basePath"] if is_swagger(document) and "basePath" in document else "/"
    for path in paths if isinstance(paths, Mapping) else ():
        try:
            item, pointer = _path_item(document, path)
            known = methods(document, item)
        except InvalidDocument as error:
            problems += error.problems
            continue
        for method, (operation, own) in known.items():
            holders = (operation, pointer + own), (item, pointer), (document, "")
            servers = [(h["servers"], f"{at}/servers") for h, at in holders if h.get("servers")]
            yield path, method, [*servers, ([{"url": default}], "")][0]


def _path_item(document: Mapping[str, Any], path: str) -> tuple[Mapping[str, Any], str]:
    paths = document.get("paths")
    if not isinstance(paths, Mapping):
        raise invalid("/paths", "expected an object of paths")
    if path not in paths:
        near = did_you_mean(path, [name for name in paths if isinstance(name, str)])
        raise LookupError(f"the document has no path {path!r}{near}")
    return _resolved(document, f"/paths/{escaped(path)}", "a path item")


def _resolved(
    document: Mapping[str, Any], pointer: str, what: str
) -> tuple[Mapping[str, Any], str]:
    """An object at a pointer or where it refers to. Errors: InvalidDocument."""
    try:
        found, pointer = resolve(document, pointer)
    except InvalidSchema as error:
        raise invalid(pointer, str(error)) from None
    if not isinstance(found, Mapping):
        raise invalid(pointer, f"expected {what}, an object")
    return found, pointer


def _is_pair(content: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(content, Mapping) and len(content) == 1


class _Reader:
    def __init__(self, document: Mapping[str, Any], version: str) -> None:
        self.document = document
        self.swagger = version == "2.0"
        self.schemas = Schemas(document, "3.0" if self.swagger else version)
        self.problems: list[DocumentProblem] = []
        self._read: dict[tuple[str, str], tuple[Mapping[str, Any], str]] = {}
        self._locations: tuple[str, ...] = LOCATIONS
        if self.swagger:
            self._locations = ("query", "header", "path", FORM_DATA, "body")
        elif version.startswith("3.2"):
            self._locations += (_WHOLE,)

    def problem(self, pointer: str, message: str) -> None:
        self.problems.append(DocumentProblem(named(pointer), message))

    def _object(self, pointer: str, what: str) -> tuple[Mapping[str, Any] | None, str]:
        """An object at a pointer or where it refers to; None, with a problem, without one."""
        try:
            return _resolved(self.document, pointer, what)
        except InvalidDocument as error:
            self.problems += error.problems
            return None, pointer

    def read(self, parameters: object, pointer: str) -> None:
        """Parameters of an operation take the place of those of its path item."""
        if parameters is None:
            return
        if not isinstance(parameters, list):
            self.problem(pointer, "expected an array of parameters")
            return
        here: set[tuple[str, str]] = set()
        for number in range(len(parameters)):
            found, place = self._object(f"{pointer}/{number}", "a parameter")
            if found is None:
                continue
            name, location = found.get("name"), found.get("in")
            if not isinstance(name, str):
                self.problem(f"{place}/name", "expected the name of the parameter")
            elif location not in self._locations:
                self.problem(f"{place}/in", f"expected {or_list(self._locations)}")
            elif (key := (name.lower() if location == "header" else name, location)) in here:
                self.problem(place, f'the {location} parameter "{name}" was declared before')
            elif self.swagger or not (location == "header" and key[0] in _NOT_PARAMETERS):
                here.add(key)
                self._read[key] = found, place

    def parameters(self) -> list[Parameter]:
        return self._those_in(LOCATIONS)

    def _those_in(self, locations: tuple[str, ...]) -> list[Parameter]:
        found = [each for (_, location), each in self._read.items() if location in locations]
        made = [self._parameter(*each) for each in found]
        return [parameter for parameter in made if parameter is not None]

    def _parameter(self, found: Mapping[str, Any], place: str) -> Parameter | None:
        before = len(self.problems)
        if self.swagger:
            found, problem = converted(found)
            if problem is not None:
                self.problem(f"{place}/{problem[0]}", problem[1])
        options = settings(found, OF_PARAMETER, place, self.problem)
        if found.get("in") == "path" and found.get("required") is not True:
            self.problem(f"{place}/required", "a path parameter is required: expected true")
        schema, pointer, content = self._schema(found, place)
        if self.swagger:
            pointer = place
        if len(self.problems) > before:
            return None
        try:
            return Parameter(
                found["name"],
                schema,
                found["in"] if found["in"] in LOCATIONS else "query",
                content=content,
                schemas=self.schemas,
                pointer=pointer,
                **options,
            )
        except UndefinedStyle as error:
            self.problem(f"{place}/{error.at}", str(error))
        except InvalidSchema as error:
            self.problem(error.pointer, str(error))
        return None

    def _schema(self, found: Mapping[str, Any], place: str) -> tuple[Any, str, str | None]:
        """The schema, its pointer, and the media type, if the value is in one."""
        content = found.get("content")
        if content is not None:
            if not _is_pair(content) or "schema" in found:
                words = "expected one media type, and no schema next to it"
                self.problem(f"{place}/content", words)
                return True, "", None
            [(media_type, in_it)] = content.items()
            if not isinstance(media_type, str):
                self.problem(f"{place}/content", "expected the name of a media type")
                return True, "", None
            pointer = f"{place}/content/{escaped(media_type)}/schema"
            schema = in_it.get("schema", True) if isinstance(in_it, Mapping) else None
        else:
            media_type, pointer, schema = None, f"{place}/schema", found.get("schema")
        if schema is None:
            self.problem(place, 'a parameter has "schema" or "content"')
        elif not isinstance(schema, Mapping | bool):
            self.problem(pointer, "expected a schema")
        return schema, pointer, media_type

    def querystring(self) -> Querystring | None:
        """The parameter that is the whole of the query, instead of others in it."""
        whole = [each for (_, location), each in self._read.items() if location == _WHOLE]
        if not whole:
            return None
        (found, place), *others = whole
        if others or any(location == "query" for _, location in self._read):
            self.problem(place, "a parameter in the querystring is the only one of the query")
        content = found.get("content")
        [(media_type, media)] = content.items() if _is_pair(content) else [("", None)]
        pointer = f"{place}/content/{escaped(media_type)}"
        required = found.get("required") is True
        if not isinstance(media, Mapping):
            self.problem(f"{place}/content", "expected one media type")
        elif Media(str(media_type)).is_form:
            form = self._media(media_type, pointer).form
            return Querystring(found["name"], form, required) if form is not None else None
        elif not is_json(str(media_type)):
            self.problem(pointer, "of a querystring, only form data and JSON are read")
        elif (parameter := self._parameter(found, place)) is not None:
            return Querystring(found["name"], parameter, required)
        return None

    def swagger_body(self, operation: Mapping[str, Any]) -> RequestBody | None:
        """What an operation of OpenAPI 2.0 declares about its body, or the fields of its form."""
        fields = {key: each for key, each in self._read.items() if key[1] == FORM_DATA}
        bodies = [each for (_, location), each in self._read.items() if location == "body"]
        if fields and bodies:
            self.problem(bodies[0][1], "an operation has a body or form data, not both")
        default = FORM if fields else "application/json"
        types = operation.get("consumes", self.document.get("consumes", [default]))
        types = [each for each in types if isinstance(each, str)] if isinstance(types, list) else []
        files = [key for key, (found, _) in fields.items() if found.get("type") == "file"]
        for key in files:
            del self._read[key]
        if bodies:
            (found, place), *_ = bodies
            if "schema" not in found:
                self.problem(f"{place}/schema", "expected a schema")
            media = [self._media_of(name, found, place) for name in types]
            return RequestBody(tuple(media), found.get("required") is True)
        form = Form(self._those_in((FORM_DATA,))) if fields else None
        required = any(found.get("required") is True for found, _ in fields.values())
        media = [Media(name, form=form if Media(name).is_form else None) for name in types]
        return RequestBody(tuple(media), required) if fields else None

    def body(self, operation: Mapping[str, Any], pointer: str) -> RequestBody | None:
        """What an operation declares about its body (§4.8.13)."""
        if "requestBody" not in operation:
            return None
        found, pointer = self._object(f"{pointer}/requestBody", "a body")
        if found is None:
            return None
        content = found.get("content")
        if not isinstance(content, Mapping):
            self.problem(pointer, 'expected an object with the "content" of the body')
            return None
        if not isinstance(required := found.get("required", False), bool):
            self.problem(f"{pointer}/required", "expected true or false")
        media = [self._media(name, f"{pointer}/content/{escaped(name)}") for name in content]
        return RequestBody(tuple(media), required is True)

    def _media(self, name: object, pointer: str) -> Media:
        """A media type of a body; what is wrong with its schema is a problem, and not validated."""
        found, pointer = self._object(pointer, "a media type")
        return Media(str(name)) if found is None else self._media_of(str(name), found, pointer)

    def _media_of(self, name: str, found: Mapping[str, Any], pointer: str) -> Media:
        made, schema = Media(name), found.get("schema", True)
        try:
            if not isinstance(schema, Mapping | bool):
                self.problem(f"{pointer}/schema", "expected a schema")
            elif made.is_form:
                return made._replace(form=Form.of_media(found, self.schemas, pointer, self.problem))
            elif is_json(name) and schema not in (True, {}):
                pointer += "/schema"
                self.schemas.check(schema, pointer)
                validator = self.schemas.validator(schema, as_json=True)
                return made._replace(validator=validator, fill=partial(self.schemas.fill, schema))
        except InvalidSchema as error:
            self.problem(error.pointer or pointer, str(error))
        return made

    def match_template(self, path: str, parameters: list[Parameter], pointer: str) -> None:
        """Every name in braces is a path parameter, and the other way round (§4.8.8)."""
        named = {chunk.partition("}")[0] for chunk in path.split("{")[1:] if "}" in chunk}
        known = {name for name, location in self._read if location == "path"}
        for name in sorted(named - known):
            self.problem(pointer, f'no path parameter is declared for "{{{name}}}"')
        for name in sorted(known - named):
            self.problem(self._read[name, "path"][1], f'the path has no "{{{name}}}"')
        parameters[:] = [p for p in parameters if p.location != "path" or p.name in named]
