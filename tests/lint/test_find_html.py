"""URLs in HTML: which attributes hold them, where they stand, what templates and bad markup do."""

from functools import partial
from html.parser import HTMLParser

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

found = partial(finding.found, "a.html")
urls = partial(finding.urls, "a.html")


@pytest.mark.parametrize(
    ("value", "expected"), beside(finding.FOLDER / "html", "character_references_in_attributes")
)
def test_character_references_in_attributes(value: str, expected: str) -> None:
    text = f'<a href="{value}">'
    assert urls(text) == [expected]
    one = found(text)[0]
    assert text[one.start : one.end] == value
    assert one.offset(len(one.text)) == one.end


class _Attributes(HTMLParser):
    """An independent reader of the attributes that hold one URL each."""

    def __init__(self) -> None:
        super().__init__()
        self.values: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src", "action", "cite"} and value and value.strip():
                self.values.append(value.strip(" \t\r\n\f"))


SAFE = st.lists(
    st.sampled_from(
        [
            *('<a href="a&amp;b">', "<img src=b>", "<img src='c d' alt=''>", "<p>text &lt; x</p>"),
            *("<!-- <a href='x'> -->", "<script>'<a href=\"y\">'</script>", "<br/>", "a < b"),
            *("<style>p > a {}</style>", '<form action="e?f#g">', "<q cite='h'>", "<a name=i>"),
            *('<a title="<a href=k>" href="l">', "<A HREF=m/>", "\r\n", "</a >", "<!doctype html>"),
        ]
    ),
    max_size=10,
).map("".join)


@given(SAFE)
def test_as_the_standard_library_reads_attributes(text: str) -> None:
    parser = _Attributes()
    parser.feed(text)
    parser.close()
    assert [u for u in urls(text) if "://" not in u] == parser.values
