"""URLs in XML: attributes, namespaces, elements that hold a URL, identifiers, CDATA, bad markup."""

from functools import partial
from xml.parsers import expat

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st

found = partial(finding.found, "a.xml")
urls = partial(finding.urls, "a.xml")
blamed = partial(finding.blamed, "a.xml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<link linkend="a">php://b text</link><link>http://c d</link>', ["php://b", "http://c d"]),
        ('{{ printf "<link href=%q />" .A }}<link href="b c"/>', ["b c"]),
        ("<url>http://localhost:@a.b@/c</url>", ["http://localhost:@a.b@/c"]),
        ("<loc>http://a/b c</loc>", ["http://a/b c"]),
        ("<loc>\n  http://a/b\n</loc>", ["http://a/b"]),
        ("<loc>http://a/?b&amp;c</loc>", ["http://a/?b&c"]),
        ("<loc>/a b</loc>", []),
        ("<id>http://a/b</id>", ["http://a/b"]),
        ("<id>a b</id>", []),
        ("<guid isPermaLink='true'>http://a/b|c</guid>", ["http://a/b|c"]),
        ("<scm><url>https://a/b</url></scm>", ["https://a/b"]),
        ("<projectUrl>https://a/b c</projectUrl>", ["https://a/b c"]),
        ("<p>see http://a/b.</p>", ["http://a/b"]),
        ("<p>http://a/b c</p>", ["http://a/b"]),
        ("<p>http://a/b</p>", ["http://a/b"]),
        ("<p>see <q>http://a/b</q>, http://c/d</p>", ["http://a/b", "http://c/d"]),
        ('<a xlink:href="b c"/>', ["b c"]),
        ('<link rel="self" href="http://a/b"/>', ["http://a/b"]),
        ('<a xml:base="http://a/ b">', ["http://a/ b"]),
        ('<outline xmlUrl="http://a/b" htmlUrl="c"/>', ["http://a/b", "c"]),
        ('<a xmlns="http://a/" xmlns:b="urn:c" c:d="http://e/ f"/>', ["http://a/", "http://e/"]),
        ('<a xmlns:b="http://c/ d"/>', ["http://c/ d"]),
        ('<a b="http://c/d"/>', ["http://c/d"]),
        ('<enclosure url="http://c/d e"/>', ["http://c/d e"]),
        ('<a b="see http://c/d e"/>', ["http://c/d"]),
        ('<a xsi:schemaLocation="http://a/\n http://a/b.xsd"/>', ["http://a/", "http://a/b.xsd"]),
        ("<a Source='pack://application:,,,/b;component/c.xaml'/>", []),
        ('<a match="http://[^/]+/"/>', []),
        ("<!DOCTYPE a PUBLIC '-//b//c' 'http://d/e.dtd'>", ["http://d/e.dtd"]),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM 'http://c/d'>]>", ["http://c/d"]),
        ("<?xml-stylesheet href='http://a/b.xsl'?>", ["http://a/b.xsl"]),
        ("<!-- http://a/b -->", ["http://a/b"]),
        ("<a><![CDATA[http://a/?b&c]]></a>", ["http://a/?b&c"]),
        ("<a><![CDATA[<a href='/b c'>http://d/</a>]]></a>", ["/b c", "http://d/"]),
        ("<a><![CDATA[ see http://d/, ]]></a>", ["http://d/"]),
        (
            "<description>&lt;a href=&quot;http://a/b c&quot;&gt;x&lt;/a&gt;</description>",
            ["http://a/b c"],
        ),
        ("<a href=''/>", []),
        ("<a b='javascript:c' href='javascript:d( )'/>", []),
        ("<url>https://a/</url\n><url>https://b/</url>", ["https://a/", "https://b/"]),
    ],
)
def test_where_urls_are(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<url>http://${a}/b c</url>", [" "]),
        ("<url>${a}://b</url>", []),
        ("<a href='{$b}/c d'/>", [" "]),
        ("<a href='{concat($b, \"c d\")}'/>", []),
        ("<url>http://$(A)/b</url>", []),
        ("<url>http://%(A)/@(B->'%(C)')</url>", []),
        ("<url>http://@HOST@/b</url>", []),
        ("<url>http://&host;/b</url>", []),
        ("<url>http://&lt;host&gt;/b</url>", []),
        ("<url>http://%s:%d/b</url>", []),
        ("<a href='&b;/c'/>", []),
        ("<loc>http://a/caf&#xE9;</loc>", ["&#xE9;"]),
        ("<loc>http://a/b&#32;c&amp;d|</loc>", ["&#32;", "|"]),
        ("<loc>http://a/?b&c=d</loc>", []),
    ],
)
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
