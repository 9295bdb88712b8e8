"""URLs in Markdown: destinations, definitions, autolinks, HTML, code, text."""

from __future__ import annotations

from functools import partial

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.engine.judge import Judge

found = partial(finding.found, "a.md")
urls = partial(finding.urls, "a.md")


def test_an_escaped_bracket_is_one() -> None:
    (one,) = found(r"[a](http://b/\[c\])")
    assert [v.found for v in Judge().violations(one)] == ["[", "]"]
    assert one.offset(one.text.index("[")) == len(r"[a](http://b/")


def test_front_matter_is_read_as_its_format() -> None:
    first, second = found("---\na: http://b/c\n---\nhttp://d\n")
    assert (first.text, second.text) == ("http://b/c", "http://d")
    assert first.why.startswith("front matter")


def test_a_line_end_of_two_characters_changes_nothing() -> None:
    text = "---\na: http://b\n---\n[c](d e.md)\n\n[f]: http://g\n\n```\nhttp://h\n```\n<http://i>\n"
    assert urls(text.replace("\n", "\r\n")) == urls(text)


LINKS = st.text(st.sampled_from("ab/?#&=%~:@()_*é.-"), min_size=1, max_size=12)


@given(LINKS, st.sampled_from(["", ' "t"', " 't'", " (t)"]), st.booleans())
def test_destinations_are_those_of_another_parser(path: str, title: str, angle: bool) -> None:
    parser = pytest.importorskip("markdown_it").MarkdownIt()
    target = f"http://x/{path}"
    text = f"[a](<{target}>{title})\n" if angle else f"[a]({target}{title})\n"
    links = [
        child.attrs["href"]
        for token in parser.parse(text)
        for child in token.children or ()
        if child.type == "link_open"
    ]
    if len(links) == 1 and path.count("(") == path.count(")"):
        normalized = parser.normalizeLink(urls(text)[0])
        assert normalized == links[0]


@pytest.mark.parametrize(
    ("url", "demanded"),
    [
        ("https\uff1a//a/b", "uri"),
        ("http://a/b\uff09", "uri"),
        ("http://a/b\uff1fc=d", "uri"),
        ("http://a/%20\uff052C", "uri"),
        ("\uff03a", "uri"),
        ("http://a/b\uff08c\uff09", None),
        ("#\u4ec0\u4e48\uff1f", None),
    ],
)
def test_a_delimiter_in_full_width_is_none_of_an_iri(url: str, demanded: str | None) -> None:
    (one,) = found(f"[a]({url})")
    assert (one.text, one.profile) == (url, demanded)
