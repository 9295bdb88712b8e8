"""URLs in reStructuredText: targets, embedded URIs, directives, text, literal text."""

from functools import partial

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.engine.judge import Judge

found = partial(finding.found, "a.rst")
urls = partial(finding.urls, "a.rst")


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(text: str, expected: list[str]) -> None:
    got = [one for one in urls(text) if one not in {"a.png"}]
    assert got == expected


def test_places_go_over_what_is_left_out() -> None:
    text = ".. _a: http://b/c\n   |\\_d\n"
    one = found(text)[0]
    assert one.text == "http://b/c|_d"
    assert text[one.start : one.end] == "http://b/c\n   |\\_d"
    blamed = [text[one.offset(v.start) : one.offset(v.end)] for v in Judge().violations(one)]
    assert blamed == ["|"]


def test_a_backslash_escapes_nothing_in_literal_text() -> None:
    block = "a::\n\n  see http://b/c\\_d\n\nsee http://b/c\\_d\n"
    one, other = found(block)
    assert (one.places, other.text) != ((), "http://b/c_d") or one.text != "http://b/c_d"
    assert one.text != "http://b/c_d"
    assert other.text == "http://b/c_d"
    assert "http://b/c_d" not in urls(".. code-block:: c\n\n   x = http://b/c\\_d\n")


@pytest.mark.parametrize("text", beside(__file__, "what_a_template_fills_is_not_blamed"))
def test_what_a_template_fills_is_not_blamed(text: str) -> None:
    assert all(Judge().accepts(one) for one in found(text))


CHARS = st.sampled_from("ab/:?#[]@!$&'()*+,;=% \"é\U0001f600\\<>|")
VALUES = st.text(CHARS, min_size=1, max_size=10).map(lambda text: f"http://x{text}x")


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A document, and each reference in it with where it stands."""
    text = draw(st.sampled_from(["", "Title\r\n=====\r\n\r\n", "\U0001f600\n\n"]))
    expected: list[tuple[int, int, str]] = []
    for number in range(draw(st.integers(1, 4))):
        value = draw(VALUES)
        before, after = draw(
            st.sampled_from([(f".. _a{number}: ", "\n\n"), ("`b <", ">`__\n\n"), ("__ ", "\n\n")])
        )
        raw = ""
        for char in value:
            forms = [f"\\{char}"]
            if char not in "\\<> ":
                forms += [char, char]
                if before[0] != "`":  # there, an indented line would be a definition
                    forms.append(f"\n   {char}")
            raw += draw(st.sampled_from(forms))
        raw = raw.lstrip()
        text += before
        expected.append((len(text), len(text) + len(raw), value))
        text += raw + after
    return text, expected


@given(documents())
def test_what_was_written_is_found_where_it_stands(
    document: tuple[str, list[tuple[int, int, str]]],
) -> None:
    text, expected = document
    assert [(one.start, one.end, one.text) for one in found(text)] == expected


@pytest.mark.prove
@given(documents())
def test_as_docutils_reads_it(document: tuple[str, list[tuple[int, int, str]]]) -> None:
    core = pytest.importorskip("docutils.core")
    nodes = pytest.importorskip("docutils.nodes")
    text, expected = document
    settings = {"report_level": 5, "halt_level": 6, "raw_enabled": False}
    tree = core.publish_doctree(text, settings_overrides=settings)
    known = {node["refuri"] for node in tree.findall(nodes.Element) if "refuri" in node}
    assert {value for _, _, value in expected} <= known
    assert {one.text for one in found(text)} <= known
