"""URLs in HTML: which attributes hold them, where they stand, what templates and bad markup do."""

import html as stdlib
from functools import partial
from html.parser import HTMLParser

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

found = partial(finding.found, "a.html")
urls = partial(finding.urls, "a.html")
blamed = partial(finding.blamed, "a.html")


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "attributes"))
def test_attributes(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"), beside(__file__, "character_references_in_attributes")
)
def test_character_references_in_attributes(value: str, expected: str) -> None:
    text = f'<a href="{value}">'
    assert urls(text) == [expected]
    one = found(text)[0]
    assert text[one.start : one.end] == value
    assert one.offset(len(one.text)) == one.end


def test_a_blamed_character_is_blamed_where_its_reference_stands() -> None:
    assert blamed('<a href="/&#x20;a?b&amp;c d">') == ["&#x20;", " "]
    assert blamed('<a href="/caf&eacute;">') == ["&eacute;"]
    assert blamed('\ufeff<p>\U0001f600</p>\r\n<a\r\n href="/a\tb">') == ["\t"]


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "templates"))
def test_templates(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "text_comments_and_raw_text"))
def test_text_comments_and_raw_text(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


def test_an_attribute_of_a_megabyte() -> None:
    value = "data:image/png;base64," + "A" * 1_000_000
    assert urls(f'<img src="{value}">') == [value]


def test_a_tag_that_is_no_tag_hides_nothing() -> None:
    assert urls('if a <b and c <a href="d">') == ["d"]
    assert urls("a <b http://c/ <i>") == ["http://c/"]


# Every value is written with some of its characters as references, in some quotes.
CHARS = st.sampled_from("ab/:?#[]@!$&'()*+,;=%- \"<>é€\U0001f600")
VALUES = st.text(CHARS, min_size=1, max_size=12).map(lambda text: f"x{text}x")


@st.composite
def written(draw: st.DrawFn, value: str, quote: str) -> str:
    def one(char: str) -> str:
        forms = [f"&#{ord(char)};", f"&#x{ord(char):X};"]
        name = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "é": "eacute"}.get(char)
        if name:
            forms.append(f"&{name};")
        if char not in {"&", "<", ">", quote} and not (quote == "" and char in " \"'=`"):
            forms.append(char)
        return draw(st.sampled_from(forms))

    return "".join(map(one, value))


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A page, and each URL in it with where it stands."""
    text = draw(st.sampled_from(["", "\ufeff", "<!DOCTYPE html>\r\n", "\U0001f600 "]))
    expected: list[tuple[int, int, str]] = []
    for _ in range(draw(st.integers(1, 4))):
        value = draw(VALUES)
        quote = draw(st.sampled_from(['"', "'", ""]))
        raw = draw(written(value, quote))
        white = draw(st.sampled_from(["", " ", "\r\n\t"])) if quote else ""
        text += draw(
            st.sampled_from(["<a href=", '<p class="b">c<IMG alt="" SRC =', "\n<a\thref= "])
        )
        text += quote + white
        expected.append((len(text), len(text) + len(raw), value))
        text += raw + white + quote
        text += draw(st.sampled_from([">", " >d", " class=e>", "\n>&amp;</a>"]))
    return text, expected


@given(pages())
def test_what_was_written_is_found_where_it_stands(
    page: tuple[str, list[tuple[int, int, str]]],
) -> None:
    text, expected = page
    expected = [one for one in expected if not one[2].endswith(":")]
    got = [(one.start, one.end, one.text) for one in found(text)]
    assert got == expected
    for one in found(text):
        places = [*map(one.offset, range(len(one.text) + 1))]
        assert places == sorted(set(places))
        assert stdlib.unescape(text[one.start : one.end]) == one.text
        for at, char in enumerate(one.text):
            assert stdlib.unescape(text[places[at] : places[at + 1]]) == char


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
