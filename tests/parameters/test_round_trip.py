"""Values written in a style are read back, for every style, strict or not, and any characters."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from test_styles import OBJECT, TABLE

pytest.importorskip("hypothesis")
from hypothesis import given, settings
from hypothesis import strategies as st

from uriproof.parameters import Operation, Parameter

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
    else:
        values = [escape(item) for item in (value if isinstance(value, list) else [value])]
        pairs = [(name, item) for item in values]
    flat = [each for pair in pairs for each in pair] if isinstance(value, dict) else values
    equal = [f"{key}={item}" for key, item in pairs]
    semicolons = "".join(f";{key}={item}" if item else f";{key}" for key, item in pairs)
    nested = [f"{name}%5B{key}%5D={item}" for key, item in pairs]
    spaces = f"{name}={'%20'.join(flat)}"
    pipes = f"{name}={'%7C'.join(flat)}"
    exploded = equal if isinstance(value, dict) else flat
    return {
        ("simple", False): ",".join(flat),
        ("simple", True): ",".join(exploded),
        ("label", False): f".{','.join(flat)}",
        ("label", True): f".{'.'.join(exploded)}",
        ("matrix", False): f";{name}={','.join(flat)}",
        ("matrix", True): semicolons,
        ("form", False): f"{name}={','.join(flat)}",
        ("form", True): "&".join(equal),
        ("spaceDelimited", False): spaces,
        ("pipeDelimited", False): pipes,
        ("deepObject", True): "&".join(nested),
    }[style, explode]


def delimiters(style: str, location: str) -> str:
    """What the data may not hold, even encoded: a style whose delimiters are encoded, too."""
    own = {"spaceDelimited": " ", "pipeDelimited": "|", "deepObject": "[]", "label": "."}
    return own.get(style, "")


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(("location", "style", "explode"), STYLES)
def test_what_is_written_is_read(location: Any, style: str, explode: bool, kind: str) -> None:
    if (style == "deepObject" and kind != "object") or (
        kind == "primitive" and style in ("spaceDelimited", "pipeDelimited")
    ):
        return
    forbidden = delimiters(style, location)

    @settings(max_examples=15, deadline=None)
    @given(FULL, VALUES[kind])
    def held(name: str, value: Any) -> None:
        inner = [name, *(value if isinstance(value, list | dict) else [value])]
        inner += value.values() if isinstance(value, dict) else []
        if any(char in str(each) for char in forbidden for each in inner):
            return
        # In a template, braces and slashes belong to the template; a header's name is a token.
        name = "color" if location in ("path", "header") else name
        parameter = Parameter(name, SCHEMAS[kind], location, style=style, explode=explode)
        text = write(name, style, explode, value)
        ways: dict[str, dict[str, Any]] = {
            "path": {"path": f"/{text}"},
            "query": {"query": text},
            "header": {"headers": {"Color": text}},
            "cookie": {"cookie": text},
        }
        for strict in (True, False):
            if location == "header" and not strict:
                continue  # what clients send in headers is not percent-encoded
            template = f"/{{{name}}}" if location == "path" else "/"
            report = Operation(template, [parameter], strict=strict).check(**ways[location])
            assert report.ok, (text, str(report))
            assert report.values[location] == {name: value}, text

    held()


def test_each_fault_of_an_array_is_reported() -> None:
    parameter = Parameter("n", SCHEMAS["integers"], explode=False)

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers() | st.sampled_from(["", "x", "1x", "+1", "1.0", "\u0661"])))
    def held(items: list[Any]) -> None:
        written = [escape(item) for item in items]
        report = Operation("/", [parameter]).check(query=f"n={','.join(written)}")
        at = len("n=")
        expected = []
        for item, text in zip(items, written, strict=True):
            if isinstance(item, str):
                expected.append((at, at + len(text)))
            at += len(text) + 1
        if items:
            assert [(v.start, v.end) for v in report.violations] == expected

    held()
