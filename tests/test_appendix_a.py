"""The rules of grammars/rfc3986.abnf are Appendix A of RFC 3986, to the letter.

Owns the comparison with the RFC's own text, where a copy lies beside the checkout. Imports
nothing of the package. Invariant: only page breaks, indentation, blank lines and the header of
structured comments may differ; comments within the rules may not.
"""

import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RFC = ROOT.parent / "shared" / "rfc" / "rfc3986.txt"
GRAMMAR = ROOT / "grammars" / "rfc3986.abnf"


def _appendix(text: str) -> list[str]:
    """The lines of Appendix A without page breaks, blank lines and the common indentation."""
    start = re.search(r"^Appendix A\.  Collected ABNF for URI$", text, re.M)
    end = re.search(r"^Appendix B\. ", text, re.M)
    assert start
    assert end
    # A page ends with a footer and a form feed; the next one begins with a header.
    pages = re.sub(r"^.*\[Page \d+\]\n\f\n.*\n", "", text[start.end() : end.start()], flags=re.M)
    return [line.rstrip() for line in textwrap.dedent(pages).split("\n") if line.strip()]


def _rules(text: str) -> list[str]:
    """The lines of a grammar without its header comments and blank lines."""
    lines = text.split("\n")
    return [line.rstrip() for line in lines if line.strip() and not line.startswith(";")]


def test_the_extraction_is_not_empty() -> None:
    rules = _rules(GRAMMAR.read_text("utf-8"))
    assert rules[0].startswith("URI ")
    assert len([r for r in rules if not r.startswith(" ")]) == 36


def test_a_page_break_is_not_a_rule() -> None:
    page = (
        "Appendix A.  Collected ABNF for URI\n\n   a = b\n\n\nXY          [Page 1]\n\f\nRFC   Z\n\n"
    )
    assert _appendix(page + "\n     / c ; d\n\nAppendix B.  E\n") == ["a = b", "  / c ; d"]


@pytest.mark.skipif(not RFC.exists(), reason="no copy of RFC 3986 beside the checkout")
def test_rules_are_verbatim() -> None:
    assert _rules(GRAMMAR.read_text("utf-8")) == _appendix(RFC.read_text("utf-8"))
