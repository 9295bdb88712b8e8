"""URLs in YAML, TOML, INI and CSV: what is found is what the format's own reader reads there."""

from __future__ import annotations

import csv as csv_reader
import io
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.find import csv, ini, toml, yaml
from uriproof.lint.found import Found

FINDERS = {"a.yml": yaml, "a.toml": toml, "a.ini": ini, "a.properties": ini, "a.csv": csv}

TAILS = st.text(st.sampled_from("abc/?=é%|\\\"'^~-.0"), min_size=1, max_size=12)


def only(found: list[Found]) -> str:
    (one,) = found
    return one.text


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


@pytest.mark.parametrize(("text", "urls"), beside(__file__, "scalars_of_every_style"))
def test_scalars_of_every_style(text: str, urls: list[str]) -> None:
    assert [found.text for found in yaml.find(text, "a.yml")] == urls


@pytest.mark.parametrize(("text", "urls"), beside(__file__, "scalars_over_several_lines"))
def test_scalars_over_several_lines(text: str, urls: list[str]) -> None:
    every = list(yaml.find(text, "a.yml"))
    assert [found.text for found in every] == urls
    for found in every:
        for at, char in enumerate(found.text):
            assert text[found.offset(at)] in {char, "\\"}


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


@pytest.mark.parametrize(("text", "name", "urls"), beside(__file__, "values_of_settings"))
def test_values_of_settings(text: str, name: str, urls: list[str]) -> None:
    assert [found.text for found in ini.find(text, name)] == urls


def test_strings_of_all_four_kinds() -> None:
    text = "a = 'http://a\\b'\nb = '''see http://c.'''\nc = \"\"\"\nhttp://d\\\n  /e f\"\"\"\n"
    assert [found.text for found in toml.find(text, "a.toml")] == [
        "http://a\\b",
        "http://c",
        "http://d/e",
    ]


def test_separators() -> None:
    assert only(list(csv.find("a;b\n1;http://a/,x\n", "a.csv"))) == "http://a/,x"
    assert only(list(csv.find("a\tb\n1\thttp://a/;x\ty\n", "a.tsv"))) == "http://a/;x"
    assert [f.text for f in csv.find('u\n"http://a\nhttp://b"\n', "a.csv")] == [
        "http://a",
        "http://b",
    ]
    text = 'a,b\n"""c\n http://d,e",http://f|g\nh,"i\nhttp://j|k'
    assert [f.text for f in csv.find(text, "a.csv")] == ["http://d,e", "http://f|g", "http://j|k"]


@pytest.mark.parametrize("name", sorted(FINDERS))
@pytest.mark.parametrize(
    "unit", ["a: |\n", "[{", '"', "http://a/ ", "# http://a\n", "- " * 5, "\\"]
)
def test_long_texts_end(name: str, unit: str) -> None:
    assert sum(1 for _ in FINDERS[name].find(unit * 2_000, name)) <= 2_000
