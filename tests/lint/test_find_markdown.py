"""URLs in Markdown: destinations, definitions, autolinks, HTML, code, text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import markdown
from uriproof.lint.found import Found

FIND = markdown.find
JUDGE = Judge()


def found(text: str) -> list[Found]:
    return list(FIND(text, "a.md"))


def urls(text: str) -> list[str]:
    return [one.text for one in found(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n    [b](c d.md)\n\n[e](f g.md)", ["f g.md"]),
        ("- a\n\n    [b](c d.md)\n\n        [e](f g.md)", ["c d.md"]),
        ("a\n    [b](c d.md)", ["c d.md"]),
        ("\t[a](b c.md)\n\n1. d\n\n   [e](f g.md)", ["f g.md"]),
        ("- a `b\n- [c](d e.md) `", ["d e.md"]),
        ("# a `b\n[c](d e.md) `", ["d e.md"]),
        ("| a `b |\n| [c](d e.md) ` |", ["d e.md"]),
        ("a `b\n\n[c](d e.md) `", ["d e.md"]),
        ("a `b\n> [c](d e.md) `", ["d e.md"]),
        ("a `b\nc [d](e f.md)` g", []),
        ("```\n``\n```\n`[a](b c.md)", ["b c.md"]),
        ('[a](http://b "c "d" e")', ["http://b"]),
        ("[a](https: http://b/c) [d](http: //e)", ["https: http://b/c", "http: //e"]),
        ("[a](note: see http://b) [c](\u6ce8: http://d)", ["http://b", "http://d"]),
        ("see [a]\n\n[a]: http://b/c d\n[e]: http://f/ is good", ["http://b/c d", "http://f/"]),
        (
            "[a]([b](http://c/d)) [e](http://f/[g](http://h))",
            ["[b](http://c/d)", "http://f/[g](http://h)"],
        ),
        ("**file://**[a](http://b) [http://c/[d]](e f.md)", ["http://b", "http://c/", "e f.md"]),
        ("[a](http://b/c\uff09 [e](http://f)", ["http://b/c\uff09", "http://f"]),
        ("<http:a.b> <https:c>", ["http:a.b", "https:c"]),
        ("[a](http://b/c)", ["http://b/c"]),
        ("[a](http://b/c d)", ["http://b/c d"]),
        ("[a](http://b/(c)/d)", ["http://b/(c)/d"]),
        ('[a](http://b "c (d)")', ["http://b"]),
        ("[a](http://b 'c')", ["http://b"]),
        ("[a](http://b (c))", ["http://b"]),
        ("[a](\n  http://b\n  'c')", ["http://b"]),
        ("[a]( http://b )", ["http://b"]),
        ("[a](<http://b/c d> 'e')", ["http://b/c d"]),
        ("![a](b c.png =10x20)", ["b c.png"]),
        ("[a](#b c) [d](./e f)", ["#b c", "./e f"]),
        ("[![a](http://b)](http://c)", ["http://b", "http://c"]),
        (r"[a](http://b/\_c\)d)", ["http://b/_c)d"]),
        ("[a](http://b/?c&amp;d&copy=e)", ["http://b/?c&d&copy=e"]),
        ("[a](mailto:b@c.d e)", ["mailto:b@c.d e"]),
        ("[a](b\\c.md)", ["b\\c.md"]),
        ("[a]: http://b 'c'", ["http://b"]),
        ("[a]: <http://b c>", ["http://b c"]),
        ("[a]: http://b/c d.png", ["http://b/c d.png"]),
        ("[a]:\n  http://b\n", ["http://b"]),
        ("[^1]: see http://b.", ["http://b"]),
        ("- [a]: http://b", ["http://b"]),
        ("<http://a/b|c> <mailto:a@b>", ["http://a/b|c", "mailto:a@b"]),
        ('<a href="http://b/c d">e</a>', ["http://b/c d"]),
        ("<!-- http://a -->", ["http://a"]),
        ("see http://a/b\\_c and http://d?e&amp;f.", ["http://a/b_c", "http://d?e&f"]),
        ("| http://a | http://b |", ["http://a", "http://b"]),
        ("`[a](http://b/\\_ c)`", ["http://b/"]),
        ("`` a`b http://c/[d](e) ``", ["http://c/[d](e)"]),
        ("```\n[a](http://b c)\n```\n[a](http://b c/)", ["http://b", "http://b c/"]),
        ("~~~\n<a href='b c'>\n~~~\n", []),
        ("~~http://a~~", ["http://a"]),
        ("---\na: http://b\n---\n[c](d e.md)", ["http://b", "d e.md"]),
        ("<a href='b c:\n<dl>\n\n<dt>d [e](http://f)\n\n it's >", ["http://f"]),
        ("<!-- see\n[a]: http://b/c -->\n[d]: http://e --> f", ["http://b/c", "http://e"]),
        ('[//]: # "a [b] c\nd"', []),
        ('[a]: http://b/ "c [d]\ne"', ["http://b/"]),
        (
            "(**_http://a:port_**) __http://a/b__ _http://a/b__",
            ["http://a:port", "http://a/b", "http://a/b"],
        ),
        (r"\[a](http://b) \<http://c> \`http://d`", ["http://b", "http://c", "http://d"]),
        ("[a](http://b\r\n", ["http://b"]),
    ],
)
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a[i](b, c)",
        "[1](see below)",
        "$[x](a^2|b)$",
        "[a]() [b](<>)",
        "[a](javascript:b c)",
        "[a]({{ url }})",
        "[a]({% link b.md %})",
        "[a](http://{host})",
        "[a](@ref b)",
        "[a](C:\\b c)",
        "[todo]: ask somebody",
        "a < b and c > d",
        "<T>(a)",
    ],
)
def test_what_is_no_url(text: str) -> None:
    assert not urls(text)


@pytest.mark.parametrize(
    "text",
    [
        "[a]({{ site.url }}/b)",
        "![a](b.jpg {loading: 'eager'} 'c d')",
        "[a](http://{host}:{port}/b)",
        "![a](${base}/b.png)",
        "<http://{host}/>",
        "`http://<host>:<port>/`",
        "[a](http://b/%s)",
        "```sh\ncurl http://$HOST/$1 -d '{}'\n```",
    ],
)
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
