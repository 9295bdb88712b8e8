"""Values written in a style are read back, for every style, strict or not, and any characters."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_styles import OBJECT, TABLE, sent

from uriproof.parameters import Parameter

pytestmark = pytest.mark.prove

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FULL = TEXT.filter(bool)
STYLES = sorted({(location, style, explode) for location, style, explode, *_ in TABLE})
SCHEMAS: dict[str, Any] = {
    "primitive": {"type": "string"},
    "array": {"type": "array", "items": {"type": "string"}},
    "object": {**OBJECT, "additionalProperties": {"type": "string"}},
    "integers": {"type": "array", "items": {"type": "integer"}},
}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "primitive": FULL,
    "array": st.lists(TEXT, min_size=1, max_size=4).filter(lambda items: items != [""]),
    "object": st.dictionaries(FULL, TEXT, min_size=1, max_size=3),
    "integers": st.lists(st.integers(), min_size=1, max_size=4),
}


def escape(text: object) -> str:
    """All but unreserved characters percent-encoded."""
    return quote(str(text), safe="")


def write(name: str, style: str, explode: bool, value: Any) -> str:
    """The value as OpenAPI 3.1.1 §4.8.12 has it, written by hand from its table."""
    name = escape(name)
    if isinstance(value, dict):
        pairs = [(escape(key), escape(item)) for key, item in value.items()]
        flat = [each for pair in pairs for each in pair]
    else:
        flat = [escape(item) for item in (value if isinstance(value, list) else [value])]
        pairs = [(name, item) for item in flat]
    equal = [f"{key}={item}" for key, item in pairs]
    exploded = equal if isinstance(value, dict) else flat
    return {
        ("simple", False): ",".join(flat),
        ("simple", True): ",".join(exploded),
        ("label", False): f".{','.join(flat)}",
        ("label", True): f".{'.'.join(exploded)}",
        ("matrix", False): f";{name}={','.join(flat)}",
        ("matrix", True): "".join(f";{key}={item}" if item else f";{key}" for key, item in pairs),
        ("form", False): f"{name}={','.join(flat)}",
        ("form", True): "&".join(equal),
        ("spaceDelimited", False): f"{name}={'%20'.join(flat)}",
        ("pipeDelimited", False): f"{name}={'%7C'.join(flat)}",
        ("deepObject", True): "&".join(f"{name}%5B{key}%5D={item}" for key, item in pairs),
    }[style, explode]


# What the data may not hold, even encoded: a style whose delimiters are encoded, too.
FORBIDDEN = {"spaceDelimited": " ", "pipeDelimited": "|", "deepObject": "[]", "label": "."}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(("location", "style", "explode"), STYLES)
def test_what_is_written_is_read(location: Any, style: str, explode: bool, kind: str) -> None:
    if (style == "deepObject" and kind != "object") or (
        kind == "primitive" and style in ("spaceDelimited", "pipeDelimited")
    ):
        return

    @settings(max_examples=15)
    @given(FULL, VALUES[kind])
    def held(name: str, value: Any) -> None:
        inner = [name, *(value if isinstance(value, list | dict) else [value])]
        inner += value.values() if isinstance(value, dict) else []
        if any(char in str(each) for char in FORBIDDEN.get(style, "") for each in inner):
            return
        # In a template, braces and slashes belong to the template; a header's name is a token.
        name = "color" if location in ("path", "header") else name
        parameter = Parameter(name, SCHEMAS[kind], location, style=style, explode=explode)
        text = write(name, style, explode, value)
        for strict in (True, False):  # what clients send in headers is not percent-encoded
            if strict or location != "header":
                assert sent(location, parameter, text, strict) == value, text

    held()
