"""API parameters on the raw request: queries, paths, headers and cookies, as OpenAPI writes them.

Owns the public names of this folder. Imports each when it is first used.
"""

from __future__ import annotations

from .body import Media, RequestBody
from .document import DocumentProblem, InvalidDocument
from .files import read_document
from .guard import Denial, Guard
from .operation import Operation
from .parameter import Parameter, UndefinedStyle
from .query import QuerySpec
from .reachable import InvalidSchema
from .values import (
    BodyReport,
    InvalidParameters,
    OperationReport,
    ParameterReport,
    ParameterViolation,
)

__all__ = [
    "BodyReport",
    "Denial",
    "DocumentProblem",
    "Guard",
    "InvalidDocument",
    "InvalidParameters",
    "InvalidSchema",
    "Media",
    "Operation",
    "OperationReport",
    "Parameter",
    "ParameterReport",
    "ParameterViolation",
    "QuerySpec",
    "RequestBody",
    "UndefinedStyle",
    "read_document",
]
