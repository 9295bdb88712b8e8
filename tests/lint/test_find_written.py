"""URLs that are written into a document of a format are found where they stand, as others read it.

Owns how a URL is written in each format: between what signs, and with which characters escaped.
Imports a reader of reStructuredText, whose escapes are the least obvious. Invariant: what a finder
says of a place holds for each character of a URL.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from finding import found
from hypothesis import given, settings
from hypothesis import strategies as st

FULL = "ab/:?#[]@!$&()+;=% \"'<>é\U0001f600"
NAMES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot"}


class Format(NamedTuple):
    """How a URL is written: what can be before and after it, quotation marks, and ``forms``, the
    spellings of a character between these; ``blanks`` can be beside a URL in quotation marks."""

    characters: str
    starts: list[str]
    before: tuple[str, ...]
    after: list[str]
    quotes: list[str]
    forms: Callable[[str, str], list[str]]
    end: str = ""
    blanks: tuple[str, ...] = ("",)
    scheme: str = ""


def in_css(char: str, mark: str) -> list[str]:
    forms = [f"\\{ord(char):x} ", f"\\{ord(char):06X} "]
    if not char.isalnum() or not char.isascii():
        forms.append(f"\\{char}")
    if char != "\\" and (char != mark if mark else char not in " \"'()"):
        forms.append(char)
    return forms


def referred(char: str, mark: str, names: dict[str, str]) -> list[str]:
    forms = [f"&#{ord(char)};", f"&#x{ord(char):X};", f"&#x{ord(char):x};"]
    if char in names:
        forms.append(f"&{names[char]};")
    if char not in {"&", "<", ">", mark} and (mark or char not in " \"'=`"):
        forms.append(char)
    return forms


def in_rst(char: str, mark: str) -> list[str]:
    if char in "\\<> ":
        return [f"\\{char}"]
    return [f"\\{char}", char, char, f"\n   {char}"]


FORMATS = {
    "a.css": Format(
        FULL.replace("!", "").replace("#", "#\\"),
        ["", "@charset 'utf-8';\r\n", "/* \U0001f600 ' */"],
        ("a { b: url(",),
        [") }\n"],
        ["'", '"', ""],
        in_css,
    ),
    "a.html": Format(
        FULL.replace(";", ";'*,-€"),
        ["", "\ufeff", "<!DOCTYPE html>\r\n", "\U0001f600 "],
        ("<a href=", '<p class="b">c<IMG alt="" SRC =', "\n<a\thref= "),
        [">", " >d", " class=e>", "\n>&amp;</a>"],
        ['"', "'", ""],
        lambda char, mark: referred(char, mark, NAMES | {"é": "eacute"}),
        blanks=("", " ", "\r\n\t"),
    ),
    "a.xml": Format(
        FULL,
        ["<r>", "<?xml version='1.0'?>\r\n<r>", "<!-- \U0001f600 --><r>"],
        ("<a href=", "<p b='>'>c</p><a\n xlink:href = "),
        ["/>", " d='e' />", ">&amp;</a>"],
        ["'", '"'],
        lambda char, mark: referred(char, mark, NAMES | {"'": "apos"}),
        end="</r>",
    ),
    "a.rst": Format(
        FULL.replace(";", ";*,\\|"),
        ["", "Title\r\n=====\r\n\r\n", "\U0001f600\n\n"],
        (".. _a{}: ", "__ ", "`b <"),
        ["\n\n"],
        [""],
        in_rst,
        scheme="http://",
    ),
}
Written = tuple[str, list[tuple[int, int, str]]]


@st.composite
def documents(draw: st.DrawFn, name: str) -> Written:
    """A document, and each URL in it with where it stands."""
    form = FORMATS[name]
    values = st.text(st.sampled_from(form.characters), min_size=1, max_size=10)
    text = draw(st.sampled_from(form.starts))
    expected: list[tuple[int, int, str]] = []
    for number in range(draw(st.integers(1, 4))):
        value = f"{form.scheme}x{draw(values)}x"
        before = draw(st.sampled_from(form.before))
        mark = draw(st.sampled_from(form.quotes))
        blank = draw(st.sampled_from(form.blanks)) if mark else ""
        forms = [form.forms(char, mark) for char in value]
        if before[0] == "`":  # there, an indented line would be a definition
            forms = [[one for one in some if one[0] != "\n"] for some in forms]
        raw = "".join(draw(st.sampled_from(some)) for some in forms)
        raw = raw.lstrip("\n ") if name == "a.rst" else raw
        text += before.format(number) if name == "a.rst" else before
        text += mark + blank
        expected.append((len(text), len(text) + len(raw), value))
        text += raw + blank + mark
        text += ">`__\n\n" if before[0] == "`" else draw(st.sampled_from(form.after))
    return text + form.end, expected


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_what_was_written_is_found_where_it_stands(name: str, data: st.DataObject) -> None:
    text, expected = data.draw(documents(name))
    got = found(name, text)
    assert [(one.start, one.end, one.text) for one in got] == expected
    if name not in ("a.html", "a.xml"):
        return
    for one in got:
        places = [*map(one.offset, range(len(one.text) + 1))]
        assert places == sorted(set(places))
        for at, char in enumerate(one.text):
            raw = text[places[at] : places[at + 1]]
            assert html.unescape(raw) == char
            assert raw == char or re.fullmatch("&[^;]+;", raw)


@pytest.mark.prove
@settings(max_examples=25)  # docutils is slow, and the writer of the documents does not change
@given(documents("a.rst"))
def test_as_docutils_reads_it(document: Written) -> None:
    core = pytest.importorskip("docutils.core")
    nodes = pytest.importorskip("docutils.nodes")
    text, expected = document
    quiet = {"report_level": 5, "halt_level": 6, "raw_enabled": False}
    tree = core.publish_doctree(text, settings_overrides=quiet)
    known = {node["refuri"] for node in tree.findall(nodes.Element) if "refuri" in node}
    assert {value for _, _, value in expected} <= known
    assert {one.text for one in found("a.rst", text)} <= known
