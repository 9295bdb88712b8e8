r"""References of JSON Schema and of OpenAPI in YAML: values and keys that are relative references.

Owns which they are (JSON Schema Core §8.2.3; OpenAPI 3.1 §4.8: Server, Paths and Reference
Objects). Imports ``find._inside`` and ``find._holes``. Invariant: what has "://" in it is left
to the format's own finder, so that what both find is disjoint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import merge

from ...text.patterns import lazy
from ..found import Found
from ._holes import holes
from ._inside import Part, whole

__all__ = ["both", "in_yaml"]

_URLS = "url|termsOfService|authorizationUrl|tokenUrl|refreshUrl|openIdConnectUrl|operationRef"
_FILE = lazy(r"[^/#\s]*/\S*\Z|[^#:]*\.(?:json|ya?ml)(?:#|\Z)")
# Each begins with a class of characters, which is looked for many times as fast as what may be
# empty, such as what is only looked back at.
_YAML_REF = lazy(
    r"[\s{,](?P<quote>['\"]?)\$ref(?P=quote)[ \t]*:[ \t]+(?:"
    r"'(?P<single>[^'\n]*+)'|\"(?P<double>[^\"\\\n]*+)\"|(?P<plain>[^\s'\"#&*!|>{,][^\s,}]*+))"
)
_YAML = lazy(
    rf"[\s{{,](?:(?P<quote>['\"]?)(?:\$ref|{_URLS})(?P=quote)[ \t]*:[ \t]+(?:"
    r"'(?P<single>[^'\n]*+)'|\"(?P<double>[^\"\\\n]*+)\"|(?P<plain>[^\s'\"#&*!|>{,][^\s,}]*+))"
    r"|(?<=\n)[ ]{1,12}(?:'(?P<path1>/[^'\n]*+)'|\"(?P<path2>/[^\"\\\n]*+)\"|(?P<path>/[^\s'\"]*?))"
    r":[ \t]*(?:#[^\n]*)?\r?$)",
    re.MULTILINE,
)


def in_yaml(text: str, openapi: bool) -> Iterator[Found]:
    """The relative references of a document in YAML. Cost: O(n)."""
    for match in (_YAML if openapi else _YAML_REF).finditer("\n" + text):
        kind = match.lastgroup or ""
        first, last = match.start(kind) - 1, match.end(kind) - 1
        why = "path of an API" if kind.startswith("path") else "reference"
        yield from _reference(Part(text[first:last], first, last), "plain", why)


def both(one: Iterable[Found], other: Iterable[Found]) -> Iterator[Found]:
    """What two finders find, in text order; where they meet, the first of them counts."""
    end = 0
    for found in merge(one, other, key=lambda found: found.start):
        if found.start >= end:
            yield found
            end = found.end


def _reference(part: Part, escape: str, why: str) -> Iterator[Found]:
    text = part.text
    if "://" in text or not text.strip("/#?. \t"):
        return
    if text[0] not in "/.#?" and not _FILE.match(text):
        return  # "url": "the address", a value of an example
    spans = holes(text)
    if sum(b - a for a, b in spans) < len(text):
        yield whole(part, "URI-reference", spans, escape, why)._replace(profile="uri")
