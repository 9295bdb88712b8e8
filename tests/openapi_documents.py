"""OpenAPI documents with one operation, which tests declare by its parameters or its body.

Owns how they are written and loaded. Imports the public face. Invariant: a document has nothing but
what a test gives it.
"""

from __future__ import annotations

from typing import Any

import pytest

from uriproof.parameters import InvalidDocument, Operation, OperationReport, ParameterReport

JSON, FORM = "application/json", "application/x-www-form-urlencoded"


STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def parameter(
    name: str = "q", where: str = "query", schema: Any = STRING, **more: Any
) -> dict[str, Any]:
    """A parameter; beside ``content``, it has no schema."""
    own = {} if "content" in more else {"schema": schema}
    return {"name": name, "in": where, **own, **more}


def document(
    *parameters: Any, path: str = "/a", version: str = "3.1.1", body: Any = None, **more: Any
) -> dict[str, Any]:
    """A document with one operation: GET, or POST if it has a body."""
    own = {"parameters": [*parameters]}
    item = {"get": own} if body is None else {"post": own | {"requestBody": body}}
    return {"openapi": version, "paths": {path: item}, **more}


def load(*parameters: Any, path: str = "/a", body: Any = None, **more: Any) -> Operation:
    """The operation of a document of these parts."""
    made = document(*parameters, path=path, body=body, **more)
    return Operation.from_openapi(made, path, "get" if body is None else "post")


def problems(made: Any, path: str = "/a", method: str = "get") -> list[str]:
    """The pointers of all that is wrong with an operation."""
    with pytest.raises(InvalidDocument) as caught:
        Operation.from_openapi(made, path, method)
    return [problem.pointer for problem in caught.value.problems]


def faults(report: OperationReport | ParameterReport) -> list[tuple[str, int, int, str]]:
    """The name, the place and the code of each violation."""
    return [(v.name, v.start, v.end, v.code) for v in report.violations]
