"""The audit of decoders: real ones held against the data, and what the grammar says of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, unquote_plus, unquote_to_bytes

import pytest
from audit.coders import (
    NO_ESCAPES,
    NOT_TEXT,
    PROBES,
    Decoded,
    UnknownCoder,
    decoder,
    decoders,
)

from uriproof import decode, is_valid
from uriproof.percent.characters import ASCII

pytestmark = pytest.mark.prove

DOCUMENT = Path(__file__).parent.parent / "docs" / "validate" / "decoders.md"

TEXTS = (
    *PROBES,
    *NO_ESCAPES,
    *(f"%{ord(char):02X}" for char in ASCII),
    *(f"%{ord(char):02x}" for char in ASCII if char not in "[]"),
    *("a+b%2Bc", "%C3%98deg%c3%a5rd", "%E5%8F%B8", "%F0%9F%98%80", "%C3", "a%C3b", "%FF%41"),
    *("%C0%AF", "100%", "%%41", "%4", "%4%41", "%zz%41", "%u20ACx", "%u20A", "%2541", "", "a b"),
    *("http://h/a%2Fb?c=%26#%23", "\u00e9%C3%A9"),
)

# Real decoders, held against the table


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("Python 3 unquote", unquote),
        ("Python 3 unquote_plus", unquote_plus),
        ("Python 3 unquote_to_bytes", unquote_to_bytes),
    ],
)
def test_this_python(name: str, real: Callable[[str], str | bytes]) -> None:
    assert [real(text) for text in TEXTS] == [decoder(name).output(text) for text in TEXTS]


def ask(command: list[str], **kwargs: str) -> dict[str, list[Decoded]]:
    """What a program says of each text: a list for each decoder, as one object of JSON.

    Texts and answers are UTF-16 code units in hex, four digits each, for any program writes these;
    null is an error.
    """
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not here")
    run = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **kwargs}, check=False
    )
    if run.returncode:
        pytest.skip(f"{command[0]} does not run: {run.stderr[:200]}")
    found: dict[str, list[Decoded]] = json.loads(run.stdout)
    return found


IN_NODE = """
const fixed = s => decodeURI(s.replace(/%25/g, '%2525').replace(/%5[Bb]/g, '%255B')
    .replace(/%5[Dd]/g, '%255D'));
const form = s => new URLSearchParams('a=' + s.replaceAll('&', '%26')).get('a');
const all = {decodeURI, decodeURIComponent, unescape, 'fixedDecodeURI (article)': fixed,
    URLSearchParams: form};
const made = {};
for (const [name, decode] of Object.entries(all))
    made[name] = JSON.parse(process.env.TEXTS).map(text => {
        try { return decode(text); } catch { return null; }
    });
console.log(JSON.stringify(made));
"""


def test_node() -> None:
    # In form data a number sign would end the query, were it a URL.
    made = ask(["node", "-e", IN_NODE], TEXTS=json.dumps(TEXTS))
    for name, real in made.items():
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


def test_java(tmp_path: Path) -> None:
    # Arguments that are not ASCII depend on the locale, and so do empty ones on the launcher.
    texts = [text for text in TEXTS if text and text.isascii()]
    source = tmp_path / "Probe.java"
    source.write_text(IN_JAVA)
    (real,) = ask(["java", str(source), *texts]).values()
    told = decoder("Java URLDecoder")
    assert dict(zip(texts, real, strict=True)) == {t: told.output(t) for t in texts}


IN_PHP = """
foreach (['urldecode', 'rawurldecode'] as $decode)
    $made["PHP $decode"] = array_map(fn($t) => bin2hex($decode($t)), json_decode(getenv('TEXTS')));
echo json_encode($made);
"""
IN_PYTHON_2 = """
import json, os, urllib
made = {}
for decode in urllib.unquote, urllib.unquote_plus:
    made['Python 2 ' + decode.__name__] = [
        decode(t.encode('utf-8')).encode('hex') for t in json.loads(os.environ['TEXTS'])]
print(json.dumps(made))
"""


@pytest.mark.parametrize("command", [["php", "-r", IN_PHP], ["python2", "-c", IN_PYTHON_2]])
def test_decoders_that_give_octets(command: list[str]) -> None:
    for name, real in ask(command, TEXTS=json.dumps(TEXTS)).items():
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


def test_an_unknown_decoder() -> None:
    with pytest.raises(UnknownCoder, match="near names: unescape"):
        decoder("unescap")
