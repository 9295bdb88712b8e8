"""URLs in AsciiDoc: links, images, attribute entries, text."""

from functools import partial

import finding
import pytest
from tables import beside

from uriproof.lint.engine.judge import Judge

found = partial(finding.found, "a.adoc")


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert [one.text for one in found(text)] == expected


def test_attributes_are_holes() -> None:
    text = "http://{host}:{port}/a|{b}[c]"
    (one,) = found(text)
    blamed = [text[one.offset(v.start) : one.offset(v.end)] for v in Judge().violations(one)]
    assert blamed == ["|"]


def test_a_space_in_an_image_is_where_it_stands() -> None:
    text = "image::http://a/b c|d.png[]"
    (one,) = found(text)
    assert text[one.start : one.end] == "http://a/b c|d.png"
    blamed = [text[one.offset(v.start) : one.offset(v.end)] for v in Judge().violations(one)]
    assert blamed == ["|"]
