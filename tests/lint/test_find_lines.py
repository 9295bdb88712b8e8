"""Lists of URLs, one a line: spans in the raw text, whatever the line ends."""

from hypothesis import given
from hypothesis import strategies as st

from uriproof.lint.find.lines import find


@given(st.text(st.sampled_from("ah:/# \t\r\n\u2028é")))
def test_every_line_is_accounted_for(text: str) -> None:
    found = list(find(text, ""))
    assert all(f.text == text[f.start : f.end] and f.linked and not f.places for f in found)
    lines = [
        line.strip(" \t") for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    assert [f.text for f in found] == [line for line in lines if line and line[0] != "#"]
