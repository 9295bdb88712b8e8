"""Building from components: RFC 3986 sections 3 and 5.3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import CHARACTERS
from tables import rows

from uriproof import check, is_valid
from uriproof.adapters import for_hypothesis
from uriproof.uri.components import Components, InvalidComponents, build, split

pytestmark = pytest.mark.prove

REFERENCES = for_hypothesis.valid("URI-reference")
TEXTS = st.one_of(
    st.lists(CHARACTERS, max_size=4).map("".join),
    st.sampled_from(["a", "80", "//a", "/a", "a:b", "a/b:c", "[::1]", "::1", "", "%41", "h.x"]),
)
MAYBE = st.none() | TEXTS


def violations(**components: Any) -> list[tuple[str, str, int, int]]:
    with pytest.raises(InvalidComponents) as caught:
        build(**components)
    return [(f.component, f.production, f.start, f.end) for f in caught.value.violations]


@given(REFERENCES)
def test_what_was_split_is_built_again(text: str) -> None:
    assert build(**split(text)._asdict()) == text


def test_the_report_of_an_error_says_what_check_says() -> None:
    text = "http://example.com:80/ a"
    with pytest.raises(InvalidComponents) as caught:
        split(text)
    said = caught.value.report.to_dict()
    assert said == check(text, rule="URI-reference").to_dict()
    assert [one["code"] for one in said["advice"]] == ["default-port"]


COMPONENTS = st.builds(Components, MAYBE, MAYBE, MAYBE, MAYBE, TEXTS, MAYBE, MAYBE)


@given(COMPONENTS)
def test_what_is_built_is_split_into_the_same(components: Components) -> None:
    try:
        text = build(**components._asdict())
    except InvalidComponents as error:
        found = error.violations
    else:
        assert is_valid(text, "URI-reference")
        assert split(text) == components
        return
    assert found
    for one in found:
        assert 0 <= one.start <= one.end <= len(getattr(components, one.component))


def test_nothing_is_refused_that_could_be_split_the_same() -> None:
    values = [None, "", "a", "/", "//", "a:", ":", "/a"]
    for scheme in (None, "s"):
        for host in (None, "", "h"):
            for path in values[1:]:
                components = Components(scheme=scheme, host=host, path=path or "")
                plain = (f"{scheme}:" if scheme else "") + (f"//{host}" if host is not None else "")
                text = plain + components.path
                same = is_valid(text, "URI-reference") and split(text) == components
                try:
                    assert build(**components._asdict()) == text
                    assert same
                except InvalidComponents:
                    assert not same


@pytest.mark.parametrize(
    ("components", "expected"),
    [
        *rows("build", "refusals-name-the-production"),
        ({"host": "h", "port": 10**5000}, ("port", "port", 0, 0)),
        ({"fragment": "a\ud800\n#"}, ("fragment", "fragment", 1, 4)),
    ],
)
def test_refusals_name_the_production(
    components: dict[str, Any], expected: tuple[str, str, int, int]
) -> None:
    assert violations(**components) == [expected]


def test_all_violations_are_reported_at_once() -> None:
    assert [f[0] for f in violations(scheme="1", host="a b", port="x", path="y", query="[")] == [
        *("scheme", "host", "port", "path", "query")
    ]


@pytest.mark.parametrize(
    "components", [{"host": b"h"}, {"path": None}, {"port": True}, {"port": 8.0}, {"query": {}}]
)
def test_other_types_are_refused(components: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=next(iter(components))):
        build(**components)


# The command line


def test_build_prints_the_uri(run: Run) -> None:
    given = ("--scheme", "http", "--host", "h", "--port", "80", "--query", "")
    assert run("build", *given)[:2] == (0, "http://h:80?\n")
    code, _, err = run("build", "--path", "a:b")
    assert (code, 'write "./" before the path' in err) == (1, True)
    found = json.loads(run("build", "--format", "json", "--host", "h").out)
    assert found == [{"components": {"host": "h"}, "built": "//h"}]


def test_build_reads_json_lines(run: Run) -> None:
    lines = b'{"scheme": "http", "host": "h", "port": 1}\n[]\n{"hots": ""}\n{"path": true}\n{\n'
    code, out, err = run("build", "-", stdin=lines)
    assert (code, out) == (1, "http://h:1\n")
    for number, words in (2, "JSON object"), (3, "'hots'"), (4, "not bool"), (5, "not valid JSON"):
        assert any(f":{number}: " in x and words in x for x in err.splitlines())
