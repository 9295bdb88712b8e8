"""Growth of finders on hostile texts: ten times the text takes ten times the steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counting import Counted, growth

from uriproof.lint.find import finder

pytestmark = pytest.mark.prove

MOST = 12.0
SIZE = 90

HOSTILE: dict[str, tuple[str, Callable[[int], str]]] = {
    "backticks": ("a.md", lambda n: "` `` " * n),
    "backticks of all lengths": (
        "a.md",
        lambda n: "".join("`" * (i % 40 + 1) + " " for i in range(5 * n)),
    ),
    "brackets": ("a.md", lambda n: "[" * n + "](" * n),
    "links in links": ("a.md", lambda n: "[a](" * n + "http://b" + ")" * n),
    "text of links": ("a.md", lambda n: "[a] http://b/[c " * n + "](d)"),
    "definitions": ("a.md", lambda n: "[a]: http://b/c d\n" * n + "[a]"),
    "definitions in a line": ("a.md", lambda n: "[a]: b " * n),
    "indented": ("a.md", lambda n: "    [a](b c)\n\n" * n),
    "lists in lists": (
        "a.md",
        lambda n: "".join(" " * (i % 50) + "- [a](b c)\n" for i in range(n)),
    ),
    "full width": ("a.md", lambda n: "[a](http://b\uff09" * n),
    "bars": ("a.txt", lambda n: "http://a/?b" + "|c=d" * n),
    "bars and URLs": ("a.txt", lambda n: "|http://a/?b=c" * n),
    "quotes": ("a.txt", lambda n: '"http://a/b|' * n),
    "entities": ("a.txt", lambda n: '="http://a/?b' + "&amp;c" * n + '"'),
    "comments before a page": ("a.txt", lambda n: "<!-- a -->" * n + "http://a"),
    "statements": ("a.html", lambda n: "{% " * n + "<a href='b'>" * n),
    "texts that are URLs": ("a.html", lambda n: "<b>http://a/b|c" * n),
    "includes": ("a.html", lambda n: "<a href='<!--#a" * n),
    "escapes": ("a.adoc", lambda n: "http://a/b" + "\\..." * n + "[c]"),
    "idle members": ("openapi.json", lambda n: '{"openapi": "3.0", "a":' + '"b": ["c", ' * n),
    "members of nothing": ("openapi.json", lambda n: '{"swagger": "2.0", "a": 1 ' + " ," * n),
    "blanks before references": ("openapi.yaml", lambda n: "openapi: 3.0\n" + " $ref: a\n /b" * n),
    "usual destinations": ("a.md", lambda n: "](http://a/b" * n),
    "relative destinations": ("a.md", lambda n: "](a?" * n + "](" * n + "/#?." * n),
    "fences and what is indented": ("a.md", lambda n: "```\nx\n```\n    [a](b c)\n" * n),
    "keys of references": ("openapi.yaml", lambda n: "openapi: 3.0.0\na: " + "$ref: 'url: \"" * n),
    "unclosed scalars": ("a.yaml", lambda n: "a: \"http://b\n  c: 'd\n" * n),
    "a quote that nothing closes": ("a.yaml", lambda n: "a: 'b\n" + '- c: "d http://e\n' * n),
    "a scalar over many lines": (
        "a.yaml",
        lambda n: "- 'http://a\n" + "  '' http://b\n\n" * n + "'",
    ),
    "unclosed settings": ("a.ini", lambda n: "a=\"http://b\nc='d\n" * n),
    "properties that go on": ("a.properties", lambda n: "a=http://b\\\n\\\n" * n),
    "unclosed fields": ("a.csv", lambda n: 'a,"http://b\n' * n),
    "members without commas": (
        "openapi.json",
        lambda n: '{"openapi": "3", ' + '"a": {"b": 1} ' * n,
    ),
    "cells": ("a.rst", lambda n: "`a <http://b |\n" * n),
    "names of targets": ("a.rst", lambda n: ".. _a: " + "_" * n + "0\n"),
    "blanks before a refresh": (
        "a.html",
        lambda n: '<meta http-equiv="refresh" content="' + " " * n + 'y">',
    ),
    "escaped apostrophes": ("a.md", lambda n: "[x](<http://e/" + "\\'" * n),
    "tabs after a value": ("a.ini", lambda n: "a=http://" + "\t" * n + "0"),
    "backslashes in strings": ("a.js", lambda n: '"http://a/b\\' * n),
}


def _followed_by(mark: str) -> Callable[[int], str]:
    return lambda n: f"x: http://e.com/{mark * n}0"


# Quotation marks after a URL, in texts in which each might begin or end a string.
HOSTILE |= {
    f"{name} in .{ending}": (f"a.{ending}", _followed_by(mark))
    for name, mark in {"apostrophes": "'", "quotation marks": '"'}.items()
    for ending in ("md", "txt", "adoc", "yaml", "c", "sh", "py", "js", "ini", "xml", "csv", "toml")
}


UNITS = (
    *("http://a ", "http://a,", "http://(", "http://a/{", "[a](http://b/c d) ", "](", "`", "<a "),
    *('"http://a\\', "://", "aa", "http://a/é", "[a]: ", "```\n", "'http://a\\n' + ", "http://a["),
)
HOSTILE |= {
    f"{unit!r} in .{ending}": (f"a.{ending}", unit.__mul__)
    for unit in UNITS
    for ending in ("txt", "md", "js")
}


@pytest.mark.parametrize("name", HOSTILE)
def test_finding_is_linear(name: str) -> None:
    file, text = HOSTILE[name]

    def prepare(n: int) -> Callable[[], object]:
        hostile = Counted(text(n))
        return lambda: list(finder(file).find(hostile, file))

    assert growth(prepare, SIZE) <= MOST
