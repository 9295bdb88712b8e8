r"""JSON: URLs in strings, through their escapes; references of schemas, paths of APIs.

Owns the choice between JSON and what is written in it. Imports ``find._json_text`` and
``find._schemas``. Invariant: what is between the quotes of a string, its escapes undone, is its
value; text that is no JSON is read as prose.

>>> text = r'{"a": "http:\/\/a\/\u00e9", "url": "http://b/c d", "b": "see http://c."}'
>>> [(found.text, found.start, found.end) for found in find(text, "a.json")]
[('http://a/é', 7, 25), ('http://b/c d', 36, 48), ('http://c', 61, 69)]
"""

from __future__ import annotations

from collections.abc import Iterator

from ..found import Found
from ._json_text import ANCHORS as _STRINGS
from ._json_text import strings
from ._schemas import KEYS, both, in_json, is_openapi

__all__ = ["ANCHORS", "NAMES", "SUFFIXES", "find"]

SUFFIXES = (
    *(".json", ".jsonc", ".json5", ".hjson", ".webmanifest", ".geojson", ".topojson", ".jsonld"),
    *(".code-workspace", ".map", ".har", ".avsc", ".sarif", ".gltf", ".tfstate", ".lottie"),
    *(".sublime-settings", ".sublime-project", ".code-snippets", ".importmap", ".stats"),
)
NAMES = (
    *(".babelrc", ".eslintrc", ".prettierrc", ".stylelintrc", ".jshintrc", ".swcrc", ".bowerrc"),
    *("composer.lock", "Pipfile.lock", "flake.lock", "deno.lock", "bun.lock", ".watchmanconfig"),
)
ANCHORS = (*_STRINGS, *KEYS, '"openapi"', '"swagger"')


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a JSON text, in text order. Cost: O(n)."""
    openapi = is_openapi(text)
    if openapi or any(key in text for key in KEYS):
        yield from both(strings(text), in_json(text, openapi))
    else:
        yield from strings(text)
