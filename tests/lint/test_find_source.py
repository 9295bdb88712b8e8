"""URLs in source code: strings and their escapes, comments, interpolation."""

from __future__ import annotations

import ast

from finding import found, in_order
from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.find import source

CHARS = st.sampled_from("ab/?=&\n\t\"'\\é\u20ac\U0001f600\x07")


@given(st.text(CHARS, max_size=12), st.booleans())
def test_decoding_is_that_of_the_language(path: str, ascii_only: bool) -> None:
    literal = ascii(f"http://x/{path}") if ascii_only else repr(f"http://x/{path}")
    value = ast.literal_eval(literal)
    urls = found("a.py", f"a = {literal}\n")
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
    in_order(text, source.find(text, f"a.{suffix}"))
