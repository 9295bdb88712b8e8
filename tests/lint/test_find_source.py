"""URLs in source code: strings and their escapes, comments, interpolation."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.engine.judge import Judge
from uriproof.lint.find import finders, source
from uriproof.lint.find._languages import LANGUAGES, language
from uriproof.lint.found import Found

FIND = source.find
JUDGE = Judge()


def found(text: str, name: str = "a.py") -> list[Found]:
    return list(FIND(text, name))


def urls(text: str, name: str = "a.py") -> list[str]:
    return [one.text for one in found(text, name)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.py", "x = 'http://a/b' # http://c.", ["http://a/b", "http://c"]),
        ("a.py", r"'http://a/\u00e9\n'", ["http://a/é"]),
        ("a.py", r"'see http://a/\xe9 b'", ["http://a/é"]),
        ("a.py", r"r'http://a\.b/.*'", ["http://a"]),
        ("a.py", '"""\nDon\'t see http://a/b\\n\n"""', ["http://a/b"]),
        ("a.py", "'http://a/b c.png'", ["http://a/b c.png"]),
        ("a.py", "'http://a/b is down'", ["http://a/b"]),
        ("a.py", "'http://a' 'http://b'", ["http://a", "http://b"]),
        ("a.py", "['http://a','http://b']", ["http://a", "http://b"]),
        ("a.py", "'http://[' + host + ']/'", []),
        ("a.py", "'http://a/%' + code", []),
        ("a.py", "'http://a:' + port", ["http://a"]),
        ("a.js", "a.replace('https:////', 'https://')", []),
        (
            "a.tex",
            "\\file{http://a/b.pdf%\n} http://c/%20d% e",
            ["http://a/b.pdf", "http://c/%20d"],
        ),
        (
            "a.sty",
            "see http://a/b.html.^^J%\nhttp://c/100%d",
            ["http://a/b.html", "http://c/100%d"],
        ),
        (
            "a.texi",
            "@uref{https://@/a.b/@/c@/d, e} http://a@@b/@{c@}",
            ["https://a.b/cd", "http://a@b/{c}"],
        ),
        (
            "a.jl",
            '"http://127.0.0.1:$(HTTP.port(of(a)))/b"',
            ["http://127.0.0.1:$(HTTP.port(of(a)))/b"],
        ),
        ("a.py", "'http://a/b|c'", ["http://a/b|c"]),
        ("a.py", r'"see http://a/?q=\"http://b/?c&amp;d\" e"', ["http://a/?q=", "http://b/?c&d"]),
        ("a.js", r'"see http://a/?q=\"http://b/?c&amp;d\" e"', ["http://a/?q=", "http://b/?c&d"]),
        ("a.js", r'"<a href=\"http://a/?b&amp;amp;c\">"', ["http://a/?b&amp;c"]),
        ("a.go", r'"<p>http://a/?b&amp;c</p>\n"', ["http://a/?b&c"]),
        ("a.swift", r'"\n<p>http://a/?b&amp;c=\(x)&amp;d</p>"', [r"http://a/?b&c=\(x)&d"]),
        ("a.py", "re.compile('http://a/[^/]+')", []),
        ("a.js", r"'http://a\/b' // http://c/d", ["http://a/b", "http://c/d"]),
        ("a.js", "`http://${a}/b`", ["http://${a}/b"]),
        ("a.tsx", '<a href="http://a/b c">', ["http://a/b c"]),
        ("a.js", '"<a href=\\"http://a/b\\">"', ["http://a/b"]),
        ("a.c", '/* http://a/b*/ "http://c/d\\n"', ["http://a/b", "http://c/d"]),
        ("a.cs", '@"http://a/b"', ["http://a/b"]),
        ("a.go", "`http://a/b`", ["http://a/b"]),
        ("a.rs", "/// [a](http://b/c) and <http://d>.", ["http://b/c", "http://d"]),
        ("a.java", "/** {@link http://a/b} */", ["http://a/b"]),
        ("a.pl", "L<http://a/b> L<c|http://d>", ["http://a/b", "http://d"]),
        ("a.sh", "curl 'http://a/?b&c' http://d/$e;", ["http://a/?b&c", "http://d/$e"]),
        ("a.hs", "-- | <http://a/b the page>", ["http://a/b"]),
        (
            "a.tex",
            r"\url{http://a/b\_c\%20d} \href{http://e/~f}{g}",
            ["http://a/b_c%20d", "http://e/~f"],
        ),
        ("a.1", r"http://a\-b/c\&.", ["http://a-b/c"]),
        ("Makefile", "X := http://a/$(B)/c", ["http://a/$(B)/c"]),
        ("a.swift", r'"http://\(a.b(c))/d"', [r"http://\(a.b(c))/d"]),
    ],
)
def test_where_urls_are(name: str, text: str, expected: list[str]) -> None:
    assert urls(text, name) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "f'http://{host}:{port}/{a[0]}'"),
        ("a.py", "'http://%s:%d/%(a)s' % b"),
        ("a.js", "`http://${h}:${p}/${a ? b : c}`"),
        ("a.rb", '"http://#{host}/#{a b}"'),
        ("a.php", '"http://$host/$a[b]/{$c->d}/$e->f"'),
        ("a.pl", '"https://$host/@{[ $x ]}/$h->{id}"'),
        ("a.swift", r'"http://\(host):\(port)/\(id)"'),
        ("a.cpp", 'QString("http://%1:%2/%3").arg(a)'),
        ("a.go", '"https://%s:%d/%v/%+v/%q"'),
        ("a.sh", "http://${HOST:-localhost}:$PORT/${x#/}"),
        ("Dockerfile", "ADD http://a/${V}.tgz /"),
        ("a.py", "'http://HOST:PORT/'"),
    ],
)
def test_what_is_interpolated_is_not_blamed(name: str, text: str) -> None:
    assert all(JUDGE.accepts(one) for one in found(text, name))


@pytest.mark.parametrize(
    ("name", "text", "blamed"),
    [
        ("a.py", r"'http://a/\u00e9'", r"\u00e9"),
        ("a.c", r'"http://a/\xc3\xa4^"', r"\xc3\xa4"),
        ("a.c", r'"http://a/\303\244|b"', r"\303\244"),
        ("a.c", '"http://a/b]c"', "]"),
        ("a.c", '"http://a/%2"', "%"),
        ("a.js", r"'http://a.b\\@c.d'", r"\\"),
        ("a.php", "<?php\n * @link http://a/#B\\Cd::e\n", "\\"),
        ("a.js", "`http://${a}/b^c`", "^"),
        ("a.swift", r'"http://\(host)/a^b"', "^"),
        ("a.py", "'http://a/b c.png'", " "),
        ("a.c", '"http://a/%zz"', "%"),
        ("a.tex", r"\url{http://a/\#b\#c}", r"\#"),
        ("a.py", "'http://exa mple.com/x'", " "),
    ],
)
def test_what_is_blamed_is_where_it_stands(name: str, text: str, blamed: str) -> None:
    (one,) = found(text, name)
    (violation,) = JUDGE.violations(one)
    assert text[one.offset(violation.start) : one.offset(violation.end)] == blamed


def test_no_suffix_stands_in_two_formats() -> None:
    known: dict[str, str] = {}
    for name, finder in finders().items():
        for ending in (*finder.SUFFIXES, *finder.NAMES):
            assert known.setdefault(ending, name) == name


def test_languages_are_chosen_by_name() -> None:
    assert language("src/a.B.py") is LANGUAGES["python"]
    assert language("x/Makefile") is LANGUAGES["shell"]
    assert language("unheard.of").escapes == ""


CHARS = st.sampled_from("ab/?=&\n\t\"'\\é\u20ac\U0001f600\x07")


@given(st.text(CHARS, max_size=12), st.booleans())
def test_decoding_is_that_of_the_language(path: str, ascii_only: bool) -> None:
    literal = ascii(f"http://x/{path}") if ascii_only else repr(f"http://x/{path}")
    value = ast.literal_eval(literal)
    urls = found(f"a = {literal}\n")
    assert urls
    assert all(one.text in value for one in urls)


PIECES = st.sampled_from(
    (
        *('"', "'", "`", '"""', "\\", "\\n", "\\u00e9", "\\x", "//", "#", "/*", "*/", "\n", " "),
        *("http://a", "/b", "://", "${x}", "\\(x)", "{x}", "%s", "[", "]", "(", ")", "+", "|", "r"),
        *("href=", "é", "\ud800", "\\u{1f600}", "\\ud800", "\\777", "\\\r\n", "\\_", "\\-"),
    )
)


@given(
    st.lists(PIECES, max_size=30).map("".join),
    st.sampled_from(["py", "js", "swift", "cpp", "tex", "1", "hs", "el"]),
)
def test_spans_are_exact_in_order_and_disjoint(text: str, suffix: str) -> None:
    at = 0
    for one in FIND(text, f"a.{suffix}"):
        assert at <= one.start <= one.end <= len(text)
        at = one.end
        if not one.places:
            assert one.text == text[one.start : one.end]
        else:
            assert len(one.places) == len(one.text) + 1
            assert list(one.places) == sorted(one.places)
            assert (one.places[0], one.places[-1]) == (one.start, one.end)
        assert all(0 <= a < b <= len(one.text) for a, b in one.holes)


@pytest.mark.parametrize(
    "line",
    [
        'href = "http://" + host',
        's.replace("http://", "http://me:x1@")',
        "url = f'https://a.example/{code or \"us\"}/{id}'",
        "url = f\"https://a.example/{d['a b']}\"",
    ],
)
def test_prefixes_and_expressions_are_no_urls_that_are_wrong(line: str) -> None:
    engine = Engine(Settings())
    assert [one.code for one in engine.lint("a.py", line.encode()).diagnostics] == []
