"""URLs in HTML: which attributes hold them, where they stand, what templates and bad markup do."""

import html as stdlib
from functools import partial
from html.parser import HTMLParser

import finding
import pytest
from hypothesis import given
from hypothesis import strategies as st

found = partial(finding.found, "a.html")
urls = partial(finding.urls, "a.html")
blamed = partial(finding.blamed, "a.html")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            r"<code>http://a/b\c|d</code> <td>http://a|http://b",
            [r"http://a/b\c|d", "http://a", "http://b"],
        ),
        ('<a href="mailto:<!--#echo var="A" -->">', ['mailto:<!--#echo var="A" -->']),
        ("{% set a = '<a href=\"' + b(c) + '\">' %}<a href='d e'>", ["d e"]),
        ("<a href=%q><a href=a%q>", ["a%q"]),
        ('<a href="http://a/b c">', ["http://a/b c"]),
        ('<img src="<https://a/b.png>">', ["<https://a/b.png>"]),
        ('<link href="@Assets["a.css"]"><a href=\'~@Url("b")\'><a href="@b.c">', ["@b.c"]),
        ("<a href='http://a/'>", ["http://a/"]),
        ("<a href=http://a/?b=c>", ["http://a/?b=c"]),
        ("<A HREF = http://a/>", ["http://a/"]),
        ('<a href="\n http://a/ \t">', ["http://a/"]),
        ('<a href="a.html#b">', ["a.html#b"]),
        ('<a href="">', []),
        ('<a href="  ">', []),
        ("<a href>", []),
        ('<a href="javascript:f( )">', []),
        ('<a href="JavaScript:f( )">', []),
        ('<a title="href=http://a b" href="c">', ["http://a", "c"]),
        ('<img src=a.png alt="x">', ["a.png"]),
        ('<img src="a.png"/>', ["a.png"]),
        ("<form action=/a method=get>", ["/a"]),
        ("<button formaction='/a b'>", ["/a b"]),
        ('<blockquote cite="http://a/">', ["http://a/"]),
        ('<object data="a b.swf">', ["a b.swf"]),
        ('<div data="a b">', []),
        ('<video poster="a.jpg" src="b.mp4">', ["a.jpg", "b.mp4"]),
        ('<a ping="/a /b">', ["/a", "/b"]),
        ('<img srcset="a.png 1x, b.png 2x">', ["a.png", "b.png"]),
        ('<img srcset="a.png, b.png">', ["a.png", "b.png"]),
        ('<img srcset="data:,a 1x,b c(d,e), f">', ["data:,a", "b", "f"]),
        ('<img srcset="  a,b.png 100w ">', ["a,b.png"]),
        ('<link imagesrcset="a{{ b }}.png 1x">', ["a{{ b }}.png"]),
        ('<p style="background: url(a.png)">', ["a.png"]),
        ("<p style=\"background: url('a b.png')\">", ["a b.png"]),
        ('<p style="background: url(&quot;a.png&quot;)">', ["a.png"]),
        ('<meta property="og:url" content="http://a/ b">', ["http://a/ b"]),
        ('<meta content="http://a/b" name="twitter:image">', ["http://a/b"]),
        ('<meta name="description" content="a b c">', []),
        ('<meta http-equiv="refresh" content="5; url=/a b">', ["/a b"]),
        ("<meta http-equiv=Refresh content=\"0;URL='http://a/'\">", ["http://a/"]),
        ('<meta http-equiv="refresh" content="5">', []),
        ('<use xlink:href="#a">', ["#a"]),
        ('<html xmlns="http://www.w3.org/1999/xhtml">', ["http://www.w3.org/1999/xhtml"]),
        ('<div data-url="http://a/b">', ["http://a/b"]),
        ('<a\nhref="a"\nclass="b">', ["a"]),
        ('<a class="b"href="a">', ["a"]),
        ('<a href="a" href="b">', ["a", "b"]),
        ('<a:b href="c">', ["c"]),
        ('</a href="b">', []),
    ],
)
def test_attributes(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/?a&amp;b", "/?a&b"),
        ("/?a&b=c", "/?a&b=c"),
        ("/?a&copy=c", "/?a&copy=c"),
        ("/?a&copy;=c", "/?a©=c"),
        ("/?a&copy", "/?a©"),
        ("/?a&copyb", "/?a&copyb"),
        ("/&#x20;a&#32;b", "/ a b"),
        ("/&#x20a", "/\u020a"),
        ("/&Aacute;", "/Á"),
        ("/&nosuch;", "/&nosuch;"),
        ("/&NotEqualTilde;", "/\u2242\u0338"),
        ("/&#0;", "/\ufffd"),
        ("/&#128;", "/€"),
        ("/&", "/&"),
        ("/&#;", "/&#;"),
    ],
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a href="{{ url }}">', []),
        ('<a href="{% url "a" b="c" %}">', []),
        ('<a href="{% if a > b %}{{ c }}{% endif %}">', []),
        ('<a href="{% url "a" %}?b=c d">', [" "]),
        ('<a href="/{{ a|b("c") }}/d e">', [" "]),
        ('<a href="<%= a("b") %>/c">', []),
        ('<a href="<?php echo $a["b"] ?>/c">', []),
        ('<a href="${a}/b">', []),
        ('<a href="@{/a(b=${c})}">', []),
        ('<a th:href="@{/a/{b}(c=${d})}">', []),
        ("<a href={a}>", []),
        ("<a href={`http://a/${b}`}>", []),
        ('<a href="/a/{b}/{c}">', []),
        ('<a href="http://{host}:{port}/a|b">', ["|"]),
        ('<a href="http://HOST:PORT/">', []),
        ('<a href="http://&lt;host&gt;/">', []),
        ('<a href="%s">', []),
        ('<a href="/%(a)s/b">', []),
        ('<a href="[URL]">', []),
        ('<a href="/a?b=[c]">', ["[", "]"]),
        ('<a href="/a%s/%d">', []),
        ('<a href="/a%e">', ["%"]),
        ('<a href="*|URL|*">', []),
        ('<a href="…">', []),
        ('<a href="@Url.Action("a b", new { c = 1 })">', []),
        ('<a href="@(a + "b c")/d e">', [" "]),
        ('<a href="<c:url value="/a b"/>">', []),
        ('<a href="<#if a>b c</#if>">', [" "]),
        ('<a href="<@s.url "/a b"/>">', []),
        ('<link href="$relpath^tabs.css">', []),
        ("""{% set a = '<a href="' + b + '">' %}<a href='" . $b . "/c d'>""", [" "]),
        ('<a href=\\"b\\">', []),
        ("<p>http://a:b<i>c</i>d@e/ http://a:b<br>c</p>", ["b"]),
        ("<p>http://a/%<span class=c>s</span>/d, http://a/%zz</p>d", ["%"]),
        ('<c-d icon="a b" action="c d" profile="e f">', []),
        ('<a {% if a %}href="b c"{% endif %}>', [" "]),
        ('<a href="{% if a %} /b {% else %} /c {% endif %}">', []),
        ('<a href="{{#a}} b{{/a}}">', []),
        ('<a :href="`/a b/${c}`">', []),
        ('<a [href]="a b">', []),
        ('<a @click="a b" v-bind:src="c d">', []),
    ],
)
def test_templates(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>see http://a/b, or not</p>", ["http://a/b"]),
        ("<p>http://a/?b&amp;c</p>", ["http://a/?b&c"]),
        ("<p>http://a/?b&eacute=c</p>", ["http://a/?bé=c"]),
        ("<p>&quot;http://a/&quot;</p>", ["http://a/"]),
        ("<b>http://a/</b>b", ["http://a/"]),
        ("<i>http://a/</i>, <i>http://b/</i>.", ["http://a/", "http://b/"]),
        ("http://a/<br/>b", ["http://a/"]),
        ("<!-- http://a/b -->", ["http://a/b"]),
        ('<!-- <a href="http://a/b"> -->', ["http://a/b"]),
        ("<!-- http://a/b", ["http://a/b"]),
        ("<title>http://a/?b&amp;c</title>", ["http://a/?b&c"]),
        ("<textarea><a href='b c'> http://d/</textarea>", ["http://d/"]),
        ("<style>a { b: url(c.png) }</style>", ["c.png"]),
        ("<STYLE type='text/css'>@import 'c.css';</STYLE>", ["c.css"]),
        ("<style>a { b: url(c.png)", ["c.png"]),
        ("<style-x>a</style-x><title-bar class=b><a href=c>", ["c"]),
        ("<SCRIPT TYPE='a'>'<a href=b>'</SCRIPT><a href=c>", ["c"]),
        ('<p class="a" HREF="b" style="c:d"><p class="a" style="e:url(f)">', ["b", "f"]),
        ('<script src="a.js"></script>', ["a.js"]),
        ('<script>var a = "<a href=\'b c\'>";</script><a href="d">', ["d"]),
        ('<script>f("http://a/b")</script>', ["http://a/b"]),
        ('<script type="application/ld+json">{"a": "http:\\/\\/b\\/c"}</script>', ["http://b/c"]),
        ('<script type="text/html"><a href="b"></script>', ["b"]),
        ("<iframe srcdoc=\"<a href='b'>\">", ["b"]),
        ("<iframe srcdoc=\"<a href='b&amp;amp;c'>\">", ["b&c"]),
        ('<!DOCTYPE html SYSTEM "http://a/b.dtd">', ["http://a/b.dtd"]),
        ("<![CDATA[ http://a/b ]]>", ["http://a/b"]),
    ],
)
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


@given(SAFE)
def test_as_html5lib_reads_attributes(text: str) -> None:
    html5lib = pytest.importorskip("html5lib")
    tree = html5lib.parseFragment(text, namespaceHTMLElements=False)
    values: list[str] = []
    for element in tree.iter():
        for name in ("href", "src", "action", "cite"):
            value = element.attrib.get(name, "").strip(" \t\r\n\f")
            if value:
                values.append(value)
    # The parser makes one form of nested ones, and copies links that are not closed.
    assert set(values) <= set(urls(text))
