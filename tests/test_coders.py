"""The audit of encoders and decoders: real ones held against the data, and the grammar's verdicts.

The articles' judgements of them are in ``test_articles``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus, unquote_to_bytes, urlencode

import pytest
from audit.coders import (
    NO_ESCAPES,
    NOT_TEXT,
    PROBES,
    UnknownCoder,
    components,
    decoder,
    decoders,
    encoder,
    encoders,
)
from engines.node import by_node

from uriproof import clean, decode, is_valid
from uriproof.percent.characters import ASCII, characters

pytestmark = pytest.mark.prove

TEXTS = (
    *PROBES,
    *NO_ESCAPES,
    *(f"%{ord(char):02X}" for char in ASCII),
    *(f"%{ord(char):02x}" for char in ASCII if char not in "[]"),
    *("a+b%2Bc", "%C3%98deg%c3%a5rd", "%E5%8F%B8", "%F0%9F%98%80", "%C3", "a%C3b", "%FF%41"),
    *("%C0%AF", "100%", "%%41", "%4", "%4%41", "%zz%41", "%u20ACx", "%u20A", "%2541", "", "a b"),
    *("http://h/a%2Fb?c=%26#%23", "\u00e9%C3%A9"),
)


def ask(*command: str, **environment: str) -> Any:
    """What a program prints, as JSON; the test is skipped where it is not, or does not run."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not here")
    run = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    if run.returncode:
        pytest.skip(f"{command[0]} does not run: {run.stderr[:200]}")
    return json.loads(run.stdout)


# Real encoders, and decoders of this Python


@pytest.mark.parametrize(
    ("coder", "name", "real"),
    [
        (encoder, "Python 3 quote", quote),
        (encoder, "Python 3 quote_plus", quote_plus),
        (encoder, "Python 3 urlencode", lambda c: urlencode({"": c})[1:]),
        (encoder, "Python quote (article)", lambda c: quote(c, safe="!#$%&'()*+,/:;=?@[]~")),
        (decoder, "Python 3 unquote", unquote),
        (decoder, "Python 3 unquote_plus", unquote_plus),
        (decoder, "Python 3 unquote_to_bytes", unquote_to_bytes),
    ],
)
def test_coders_of_this_python(
    coder: Callable[[str], Any], name: str, real: Callable[[str], str | bytes]
) -> None:
    for text in ASCII if coder is encoder else TEXTS:
        assert coder(name).output(text) == real(text)


FIXED = """
const fixedEncodeURIComponent = s => encodeURIComponent(s).replace(/[!'()*]/g,
    c => '%' + c.charCodeAt(0).toString(16).toUpperCase());
const fixedEncodeURI = s => encodeURI(s).replace(/%5B/g, '[').replace(/%5D/g, ']');
const articleEncodeURI = s => encodeURI(s).replace(/%25/g, '%').replace(/%5[Bb]/g, '[')
    .replace(/%5[Dd]/g, ']');
function url(base, part, set) {
    return c => { const u = new URL(base); u[part] = 'a' + c; return u[part].slice(set); };
}
"""
ENCODERS_IN_NODE = {
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


@pytest.mark.parametrize("name", ENCODERS_IN_NODE)
def test_encoders_in_node(name: str) -> None:
    found_by_node = by_node(f"({ENCODERS_IN_NODE[name]})(x)", ASCII, FIXED)
    parser = ENCODERS_IN_NODE[name].startswith("url(")
    differ = {
        char
        for char, found in zip(ASCII, found_by_node, strict=True)
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


# Real decoders


DECODERS_IN_NODE = {
    **{name: f"{name}(x)" for name in ("decodeURI", "decodeURIComponent", "unescape")},
    "fixedDecodeURI (article)": "decodeURI(x.replace(/%25/g, '%2525').replace(/%5[Bb]/g, '%255B')"
    ".replace(/%5[Dd]/g, '%255D'))",
    # In form data a number sign would end the query, were it a URL.
    "URLSearchParams": "new URLSearchParams('a=' + x.replaceAll('&', '%26')).get('a')",
}


@pytest.mark.parametrize("name", DECODERS_IN_NODE)
def test_decoders_in_node(name: str) -> None:
    real = by_node(DECODERS_IN_NODE[name], TEXTS)
    assert dict(zip(TEXTS, real, strict=True)) == {t: decoder(name).output(t) for t in TEXTS}


IN_JAVA = """
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
public class Probe {
    public static void main(String[] texts) {
        StringBuilder out = new StringBuilder();
        for (String text : texts) {
            String shown;
            try {
                shown = "\\"";
                for (char c : URLDecoder.decode(text, StandardCharsets.UTF_8).toCharArray())
                    shown += String.format("\\\\u%04x", (int) c);
                shown += "\\"";
            } catch (IllegalArgumentException e) { shown = "null"; }
            out.append(out.length() == 0 ? "" : ",").append(shown);
        }
        System.out.println("{\\"Java URLDecoder\\": [" + out + "]}");
    }
}
"""


def test_decoder_of_java(tmp_path: Path) -> None:
    # Arguments that are not ASCII depend on the locale, and so do empty ones on the launcher.
    texts = [text for text in TEXTS if text and text.isascii()]
    source = tmp_path / "Probe.java"
    source.write_text(IN_JAVA)
    (real,) = ask("java", str(source), *texts).values()
    told = decoder("Java URLDecoder")
    assert dict(zip(texts, real, strict=True)) == {t: told.output(t) for t in texts}


IN_PHP = """
foreach (['urldecode', 'rawurldecode'] as $decode)
    $made["PHP $decode"] = array_map(fn($t) => bin2hex($decode($t)), json_decode(getenv('TEXTS')));
echo json_encode($made);
"""


def test_decoders_of_php() -> None:
    """They give octets, which JSON has in hexadecimal digits."""
    for name, real in ask("php", "-r", IN_PHP, TEXTS=json.dumps(TEXTS)).items():
        told = [decoder(name).output(text) for text in TEXTS]
        assert [t.hex() for t in told if isinstance(t, bytes)] == real


# What the grammar says of them


def test_the_texts_that_must_be_refused() -> None:
    assert [text for text in NO_ESCAPES if is_valid(text, "query")] == []
    for text in NOT_TEXT:
        assert is_valid(text, "query")
        with pytest.raises(ValueError, match="cannot be decoded"):
            decode(text)


def test_who_reads_octets_or_refuses_is_without_fault() -> None:
    faultless = [
        d.name
        for d in decoders()
        if d.purpose == "data" and not (d.lenient or d.not_text or d.misread)
    ]
    assert faultless == ["decodeURIComponent"]


def test_units_and_latin_1() -> None:
    told = decoder("unescape")
    assert told.output("%uD83D%uDE00%E9%zz") == "\U0001f600\u00e9%zz"
    assert told.output("%ud83d") == "\ud83d"
    assert told.misread == ("%C3%A9",)


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


def test_an_unknown_coder() -> None:
    with pytest.raises(UnknownCoder, match="near names: Python 3 quote"):
        encoder("Python 3 quot")
    with pytest.raises(UnknownCoder, match="near names: unescape"):
        decoder("unescap")
