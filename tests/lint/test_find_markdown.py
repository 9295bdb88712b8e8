"""URLs in Markdown: destinations, definitions, autolinks, HTML, code, text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import markdown
from uriproof.lint.found import Found

FIND = markdown.find
JUDGE = Judge()


def found(text: str) -> list[Found]:
    return list(FIND(text, "a.md"))


def urls(text: str) -> list[str]:
    return [one.text for one in found(text)]


@pytest.mark.parametrize(("text", "expected"), beside(__file__, "where_urls_are"))
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize("text", beside(__file__, "what_is_no_url"))
def test_what_is_no_url(text: str) -> None:
    assert not urls(text)


@pytest.mark.parametrize("text", beside(__file__, "what_a_template_fills_is_not_blamed"))
def test_what_a_template_fills_is_not_blamed(text: str) -> None:
    assert found(text)
    assert all(JUDGE.accepts(one) for one in found(text))


def test_an_escaped_bracket_is_one() -> None:
    (one,) = found(r"[a](http://b/\[c\])")
    assert [v.found for v in JUDGE.violations(one)] == ["[", "]"]
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
