"""URLs in AsciiDoc: links, images, attribute entries, text."""

from functools import partial

import finding
import pytest

from uriproof.lint.engine.judge import Judge

found = partial(finding.found, "a.adoc")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"http://a/v1\...v2[diff] link:b\_c[e]", ["http://a/v1...v2", "b_c"]),
        (r"link:++a\...b++[c]", [r"a\...b"]),
        ("see http://a/b[c], d", ["http://a/b"]),
        ("see http://a/b, c", ["http://a/b"]),
        ("<http://a/b|c>", ["http://a/b|c"]),
        ("http://a/b|c[d]", ["http://a/b|c"]),
        ("https://a/b[c^,role=d]", ["https://a/b"]),
        ("https://a/b[]", ["https://a/b"]),
        ("link:a/b.pdf[c]", ["a/b.pdf"]),
        ("link:a b.pdf[c]", []),
        ("link:http://a/b c.pdf[d]", ["http://a/b c.pdf"]),
        ("link:http://a/b has, I think, c[0]", ["http://a/b"]),
        ("`+http://a/b+` c+", ["http://a/b"]),
        ("link:++a b.pdf++[c]", ["a b.pdf"]),
        ("link:pass:[a|b.pdf][c]", ["a|b.pdf"]),
        ("link:http://a/b[c]", ["http://a/b"]),
        ("link:{a}[b]", []),
        ("link:{a}/b|c[d]", ["{a}/b|c"]),
        ("mailto:a|b@c.d[e]", ["mailto:a|b@c.d"]),
        ("image::http://a/b c.png[d]", ["http://a/b%20c.png"]),
        ("image:http://a/b.png[d]", ["http://a/b.png"]),
        ("image::a b.png[]", []),
        ("video::http://a/b.mp4[]", ["http://a/b.mp4"]),
        ("include::http://a/b[]", ["http://a/b"]),
        ("include::a|b.adoc[]", []),
        ("xref:a|b.adoc[c]", []),
        (":home: http://a/b", ["http://a/b"]),
        (":home: http://a/b\r\n:c: d", ["http://a/b"]),
        ("footnote:[see http://a/b]", ["http://a/b"]),
        ("// http://a/b", ["http://a/b"]),
        ("http://a/{b}/c[d]", ["http://a/{b}/c"]),
        ("http://{a}[b]", []),
        (
            "http://a/?b&amp;c[d], link:http://a/?e&amp;f[g], http://h?i&amp;j",
            ["http://a/?b&c", "http://a/?e&f", "http://h?i&j"],
        ),
        (
            ":a: http://b[C]\n:d: http://e/[F]\n:g: http://[::1]/",
            ["http://b", "http://e/", "http://[::1]/"],
        ),
        ("see link:<link>[<text>]", []),
    ],
)
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
