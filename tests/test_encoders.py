"""The audit of encoders: real ones held against the data, and the judgements of the articles."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from urllib.parse import quote, quote_plus, urlencode

import pytest
from audit.coders import UnknownCoder, components, encoder, encoders

from uriproof import clean, is_valid
from uriproof.percent.characters import ASCII, characters

pytestmark = pytest.mark.prove


# Real encoders, held against the table


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("Python 3 quote", quote),
        ("Python 3 quote_plus", quote_plus),
        ("Python 3 urlencode", lambda c: urlencode({"": c})[1:]),
        ("Python quote (article)", lambda c: quote(c, safe="!#$%&'()*+,/:;=?@[]~")),
    ],
)
def test_this_python(name: str, real: Callable[[str], str]) -> None:
    assert [real(c) for c in ASCII] == [encoder(name).output(c) for c in ASCII]


NODE = shutil.which("node")
FIXED = """
const fixedEncodeURIComponent = s => encodeURIComponent(s).replace(/[!'()*]/g,
    c => '%' + c.charCodeAt(0).toString(16).toUpperCase());
const fixedEncodeURI = s => encodeURI(s).replace(/%5B/g, '[').replace(/%5D/g, ']');
const articleEncodeURI = s => encodeURI(s).replace(/%25/g, '%').replace(/%5[Bb]/g, '[')
    .replace(/%5[Dd]/g, ']');
const articleDecodeURI = s => decodeURI(s.replace(/%25/g, '%2525').replace(/%5[Bb]/g, '%255B')
    .replace(/%5[Dd]/g, '%255D'));
function url(base, part, set) {
    return c => { const u = new URL(base); u[part] = 'a' + c; return u[part].slice(set); };
}
"""
IN_NODE = {
    "escape": "escape",
    "encodeURI": "encodeURI",
    "encodeURIComponent": "encodeURIComponent",
    "fixedEncodeURIComponent": "fixedEncodeURIComponent",
    "fixedEncodeURI (MDN)": "fixedEncodeURI",
    "fixedEncodeURI (article)": "articleEncodeURI",
    "fragment set": "url('http://h/', 'hash', 2)",
    "query set": "url('x://h/', 'search', 2)",
    "special-query set": "url('http://h/', 'search', 2)",
    "path set": "url('x://h/', 'pathname', 2)",
    "userinfo set": "url('http://h/', 'username', 1)",
    "component set": "encodeURIComponent",
    "form-urlencoded set": "c => new URLSearchParams({a: c}).toString().slice(2)",
    "RFC 2396": "encodeURIComponent",
}
# The setters of URL leave these out before anything is encoded.
STRIPPED = frozenset("\t\n\r")
# Parsers older than the change leave this bare; newer ones encode it.
AS_BEFORE = {("path set", "^")}


def node(code: str) -> object:
    if NODE is None:
        pytest.skip("Node is not here")
    run = subprocess.run([NODE, "-e", FIXED + code], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", IN_NODE)
def test_node(name: str) -> None:
    code = f"const f = {IN_NODE[name]}; const all = [...Array(128).keys()]"
    code += ".map(i => f(String.fromCharCode(i))); console.log(JSON.stringify(all))"
    real = node(code)
    assert isinstance(real, list)
    parser = IN_NODE[name].startswith("url(")
    differ = {
        char
        for char, found in zip(ASCII, real, strict=True)
        if found != encoder(name).output(char)
        and not (parser and char in STRIPPED)
        and (name, char) not in AS_BEFORE
    }
    assert differ == set()


def test_the_sets_of_the_url_standard_are_those_of_its_grammar() -> None:
    rules = {
        each.name: each.name.replace("form-urlencoded", "form").replace(" ", "-")
        for each in encoders()
        if each.family == "WHATWG"
    }
    assert len(rules) == 8
    for name, rule in rules.items():
        assert encoder(name).bare == set(ASCII) - characters(rule, "whatwg-url")


def test_what_a_table_of_characters_cannot_say() -> None:
    texts = ["\u00e9\u4eca", "http://h/a%5B1%5D", "http://h/100%", "http://[::1]/%20", "%2523"]
    made = node(
        f"const t = {json.dumps(texts)}; console.log(JSON.stringify("
        "[t.map(escape), t.map(encodeURI), t.map(articleEncodeURI)]))"
    )
    assert isinstance(made, list)
    assert made[0][0] == "%E9%u4ECA"
    assert made[1][3] == "http://%5B::1%5D/%2520"
    # The article's own function: decodes what was encoded, and leaves a stray percent sign.
    assert made[2][1:] == ["http://h/a[1]", "http://h/100%", "http://[::1]/%20", "%2523"]
    assert [is_valid(text) for text in made[2][1:3]] == [False, False]
    assert clean(texts[1]) == texts[1]


def test_the_article_s_fixed_decode_uri_leaves_what_it_should() -> None:
    texts = ["%255B", "%5B%5D", "%2541", "%23", "%C3%98%20"]
    made = node(f"console.log(JSON.stringify({json.dumps(texts)}.map(articleDecodeURI)))")
    assert made == ["%255B", "%5B%5D", "%2541", "%23", "\u00d8 "]


# What the grammar says of them (the articles' judgements are in test_articles.py)


def test_the_grammar_s_own_encoders_are_without_fault() -> None:
    data, cleaning = encoder("RFC 3986"), encoder("RFC 3986 cleaning")
    assert [data.breaks(p) for p in components()] == [()] * len(components())
    assert (data.delimiting, data.needless) == ((), ())
    assert (cleaning.illegal, cleaning.meddling) == ((), ())


def test_the_grammar_s_cleaning_is_what_clean_does() -> None:
    for char in ASCII:
        if encoder("RFC 3986 cleaning").output(char) != char:
            made = clean(f"http://h/a{char}b", repair=False, report=True).result
            assert made in (None, f"http://h/a%{ord(char):02X}b")  # none where a mistake is likely


def test_breaks_are_the_grammar_s_verdicts() -> None:
    for each in encoders():
        for production in components():
            broken = each.breaks(production)
            for char in ASCII:
                assert is_valid("a" + each.output(char), production) == (char not in broken)


def test_what_is_needless_in_a_query() -> None:
    assert "".join(encoder("RFC 3986").needless_in("query")) == "!$&'()*+,/:;=?@"
    assert "".join(encoder("encodeURIComponent").needless_in("query")) == "$&+,/:;=?@"
    for each in encoders():
        for char in each.needless_in("query"):
            assert is_valid(char, "query")


def test_an_unknown_encoder() -> None:
    with pytest.raises(UnknownCoder, match="near names: Python 3 quote"):
        encoder("Python 3 quot")
