"""URLs in YAML, TOML, INI and CSV: what is found is what the format's own reader reads there."""

from __future__ import annotations

import csv as csv_reader
import io
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.find import csv, toml, yaml

TAILS = st.text(st.sampled_from("abc/?=é%|\\\"'^~-.0"), min_size=1, max_size=12)


@given(TAILS)
def test_a_string_of_toml_is_what_tomllib_reads(tail: str) -> None:
    url = f"http://a/{tail}b"
    document = f"key = {json.dumps(url)}  # remark\n"
    assert tomllib.loads(document)["key"] == url
    for found in toml.find(document, "a.toml"):
        assert found.linked is False or found.text == url
        assert url.startswith(found.text)


@given(TAILS)
def test_a_field_of_csv_is_what_the_reader_reads(tail: str) -> None:
    url = f"http://a/{tail}b"
    written = io.StringIO()
    csv_reader.writer(written).writerow(["name", url, "x"])
    assert next(csv_reader.reader([written.getvalue()]))[1] == url
    for found in csv.find(written.getvalue(), "a.csv"):
        assert url.startswith(found.text)
        assert found.linked is False or found.text == url


@given(
    st.lists(st.one_of(TAILS, TAILS.map("http://a/{}".format)), min_size=1, max_size=8),
    st.sampled_from("\"'"),
    st.sampled_from([None, True]),
)
def test_a_scalar_of_yaml_is_the_same_over_several_lines(
    words: list[str], style: str, flow: bool | None
) -> None:
    reader = pytest.importorskip("yaml")
    document = [{"a": " ".join(words)}, {"b": "http://c|d"}]

    def urls(width: int) -> list[str]:
        written = reader.dump(
            document, default_style=style, default_flow_style=flow, width=width, allow_unicode=True
        )
        assert reader.safe_load(written) == document
        return [found.text for found in yaml.find(written, "a.yml")]

    assert urls(1) == urls(10_000)
