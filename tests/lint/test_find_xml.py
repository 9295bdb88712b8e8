"""URLs in XML: attributes, namespaces, elements that hold a URL, identifiers, CDATA, bad markup."""

from functools import partial
from xml.parsers import expat

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

found = partial(finding.found, "a.xml")
urls = partial(finding.urls, "a.xml")
blamed = partial(finding.blamed, "a.xml")


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "templates_and_references"))
def test_templates_and_references(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


CHARS = st.sampled_from("ab/:?#[]@!$&()+;=% \"'<>é\U0001f600")
VALUES = st.text(CHARS, min_size=1, max_size=10).map(lambda text: f"x{text}x")


@st.composite
def written(draw: st.DrawFn, value: str, quote: str) -> str:
    def one(char: str) -> str:
        forms = [f"&#{ord(char)};", f"&#x{ord(char):x};"]
        name = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}.get(char)
        if name:
            forms.append(f"&{name};")
        if char not in {"&", "<", ">", quote}:
            forms.append(char)
        return draw(st.sampled_from(forms))

    return "".join(map(one, value))


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A document, and each reference in it with where it stands."""
    text = draw(st.sampled_from(["", "<?xml version='1.0'?>\r\n", "<!-- \U0001f600 -->"])) + "<r>"
    expected: list[tuple[int, int, str]] = []
    for _ in range(draw(st.integers(1, 4))):
        value = draw(VALUES)
        quote = draw(st.sampled_from("\"'"))
        raw = draw(written(value, quote))
        text += draw(st.sampled_from(["<a href=", "<p b='>'>c</p><a\n xlink:href = "])) + quote
        expected.append((len(text), len(text) + len(raw), value))
        text += raw + quote + draw(st.sampled_from(["/>", " d='e' />", ">&amp;</a>"]))
    return text + "</r>", expected


@given(documents())
def test_what_was_written_is_found_where_it_stands_as_expat_reads_it(
    document: tuple[str, list[tuple[int, int, str]]],
) -> None:
    text, expected = document
    got = found(text)
    # A value that a template fills whole is none.
    assert [(one.start, one.end, one.text) for one in got] == expected
    values: list[str] = []

    def element(name: str, attributes: dict[str, str]) -> None:
        values.extend(v for k, v in attributes.items() if k.endswith("href"))

    parser = expat.ParserCreate()
    parser.StartElementHandler = element
    parser.Parse(text, True)
    assert [one.text for one in got] == values
    for one in got:
        places = [*map(one.offset, range(len(one.text) + 1))]
        assert places == sorted(set(places))
        for at, char in enumerate(one.text):
            raw = text[places[at] : places[at + 1]]
            assert raw == char or (raw[0] == "&" and raw[-1] == ";")
