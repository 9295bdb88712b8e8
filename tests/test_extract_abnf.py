"""ABNF out of documents: which lines are rules, which definition is meant, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st

import uriproof
from uriproof import Grammar
from uriproof.grammar import registry
from uriproof.grammar.read.document import first_of_document, rows, title_of
from uriproof.grammars import extract_abnf

pytestmark = pytest.mark.prove

PAGED = """\
RFC 9999                     Numbers in Brackets              April 2031


2.  Numbers

   A number is written as follows.  What follows is n = 3 times as long:

      number   = digits               ; at least one
               / "(" number
                 ")"
      digits   = 1*DIGIT



Doe                          Standards Track                    [Page 2]
\f
RFC 9999                     Numbers in Brackets              April 2031


               *( "," 3DIGIT )

   A sign may go before it:

      sign = "+" / "-"
           ; nothing else
      signed = [ sign ] number

   The value is then computed:

      value = ""

      for each digit do value := 10 * value + digit

   where value = 0 for the empty text.

Appendix A.  Collected ABNF

   number = digits / "(" number ")"
   digits = 1*DIGIT *( "," 3DIGIT )
   sign   = "+" / "-" / "~"
   signed = [ sign ] number
   signed =/ "0"
"""


def abnf(text: str) -> str:
    """What is extracted, without the comments that say from where."""
    lines = str(extract_abnf(text)).splitlines()
    return "\n".join(line for line in lines if line and not line.startswith(";"))


def test_the_collected_rules_of_a_document() -> None:
    found = extract_abnf(PAGED)
    assert str(found) == (
        "; title:   RFC 9999: Numbers in Brackets\n"
        "; source:  https://www.rfc-editor.org/rfc/rfc9999\n\n"
        "; Appendix A. Collected ABNF, line 38\n\n"
        'number = digits / "(" number ")"\n'
        'digits = 1*DIGIT *( "," 3DIGIT )\n'
        'sign   = "+" / "-" / "~"\n'
        "signed = [ sign ] number\n"
        'signed =/ "0"\n'
    )
    assert found.rules == ("number", "digits", "sign", "signed")
    assert [(note.line, note.message.split(",")[0]) for note in found.notes] == [
        (24, "sign is defined otherwise in line 40"),
        (30, "left out"),
    ]


def test_a_rule_across_a_page_break_and_after_it() -> None:
    found = abnf(PAGED.partition("Appendix")[0])
    assert found.splitlines() == [
        "number   = digits               ; at least one",
        '         / "(" number',
        '           ")"',
        "digits   = 1*DIGIT",
        '         *( "," 3DIGIT )',
        'sign = "+" / "-"',
        "     ; nothing else",
        "signed = [ sign ] number",
    ]
    assert Grammar.from_abnf(found)["signed"].is_valid("-(1,000)")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b\n\n    / c\nb = %x41-5A\nc = %d13.10", "a = b\n    / c\nb = %x41-5A\nc = %d13.10"),
        ("a = ( b\n\n      / c )\nb = c\nc = b", "a = ( b\n      / c )\nb = c\nc = b"),
        ("a = b\n\n    which goes on in prose\n\nb = a", "a = b\nb = a"),
        ("\ta = b ; tab\n\tb = a", "a = b ; tab\nb = a"),
        ("  a = b\r\n    / c\r\n  b = c\r\n  c = b\r\n", "a = b\n  / c\nb = c\nc = b"),
        ("a = b\nb = a\n\nx == y\nif z => a\nc=utf-8; d\n", "a = b\nb = a"),
        ("a= b\nb =a\nc=%x41\na =/ c", "a= b\nb =a\nc=%x41\na =/ c"),
        (
            '<sourcecode type="abnf">\na = "&lt;" b "&amp;"\nb = &lt;x&gt;\n</sourcecode>',
            'a = "<" b "&"\nb = <x>',
        ),
        ('a = b "x\ny"\nb = c\nc = b', "b = c\nc = b"),
    ],
)
def test_lines_that_are_rules(text: str, expected: str) -> None:
    assert abnf(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "# Title {#t}\n\nText.\n\n~~~ abnf\na = b\nb = a / x\n~~~\n\nx = y\n",
        "```abnf\na = b\n\nb = a / x\n```\n```\nx = y\n```\n",
        '<section><sourcecode type="abnf"><![CDATA[\na = b\nb = a / x\n]]></sourcecode>x = y',
        '<artwork name="" type="abnf">\n  a = b\n  b = a / x</artwork>\n x = y',
    ],
)
def test_marked_source_code_alone(text: str) -> None:
    assert abnf(text) == "a = b\nb = a / x"


def test_prose_values_that_name_a_bundled_grammar_are_imported() -> None:
    found = str(extract_abnf("   link = DQUOTE u DQUOTE\n   u = <URI, see [RFC3986], Section 3>"))
    assert found.startswith("; imports: rfc5234 rfc3986\n")
    assert Grammar.from_abnf(found).rule().is_valid('"http://a/"')


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("Nothing here.", (1, 1), "no ABNF was found in this text"),
        ("\n  a = b | c\n  b = c", (2, 9), '"|" between alternatives'),
        ("  a := b c\n  b := a\n", (1, 5), '":=" after the names of rules'),
        ("<a> ::= <b>\n", (1, 5), '"::=" after the names of rules'),
    ],
)
def test_other_notations_are_refused(text: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(uriproof.GrammarError) as caught:
        extract_abnf(text)
    (fault,) = caught.value.faults
    assert (fault.line, fault.column) == place
    assert words in fault.message


def test_a_text_that_is_too_long() -> None:
    with pytest.raises(uriproof.GrammarLimit, match="1,000,001 characters"):
        extract_abnf(" " * 1_000_001)


def test_what_cannot_be_read_is_told() -> None:
    (note,) = extract_abnf("  a = b\n  b = #c\n  c = a").notes
    assert (note.line, note.message[:32]) == (2, "b is left out, as it is not ABNF")


def test_a_document_given_as_a_grammar_is_one_fault() -> None:
    for text in (PAGED, PAGED.replace("\f", ""), "\n".join([*["a b c d e f g h i"] * 3, "a = b"])):
        with pytest.raises(uriproof.GrammarError) as caught:
            Grammar.from_abnf(text, file="rfc.txt")
        (fault,) = caught.value.faults
        assert fault.message.endswith("uriproof grammar extract rfc.txt")
    assert first_of_document('a = "x" / b ; a comment of ten words or more may be here') is None
    assert title_of(PAGED) == ("9999", "Numbers in Brackets")


@pytest.mark.parametrize("name", registry.names())
def test_what_is_extracted_from_a_grammar_is_the_grammar(name: str) -> None:
    """Indented, and broken into pages of ten lines, a grammar stays what it is."""
    text = (Path(__file__).parents[1] / "grammars" / f"{name}.abnf").read_text("utf-8")
    own = [r for r in registry.load(name).model.rules.values() if r.grammar == name]
    if not own:
        return
    body = "\n".join(line for line in text.split("\n") if not line.startswith("; "))
    lines = ["   " + line for line in body.split("\n")]
    pages = ["\n".join(lines[i : i + 10]) for i in range(0, len(lines), 10)]
    foot = "\n\nDoe                Standards Track             [Page 1]\n\f\n"
    head = "RFC 9999              Test                  May 2031\n\n"
    found = extract_abnf((foot + head).join(["Prose.", *pages]))
    assert sorted(found.rules) == sorted(rule.name for rule in own)


@given(st.text(st.sampled_from('ab=/|;"<>()[]*1%x \n\f\t:`~'), max_size=60))
def test_any_text_is_extracted_or_refused(text: str) -> None:
    list(rows(text))
    try:
        found = extract_abnf(text)
    except uriproof.GrammarError:
        return
    assert found.rules or "=/" in found.abnf


# The command


def test_command(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "rfc.txt", tmp_path / "out.abnf"
    source.write_text(PAGED, "utf-8")
    code, out, err = run("grammar", "extract", str(source))
    assert (code, out) == (0, str(extract_abnf(PAGED)))
    assert err.splitlines()[-1] == f"{source}: 4 rules"
    assert f"{source}:24: sign is defined otherwise" in err
    assert run("grammar", "extract", "--quiet", "-", "-o", str(target), stdin=PAGED.encode()) == (
        *(0, "", ""),
    )
    assert target.read_text("utf-8") == out
    code, _, err = run("grammar", "extract", "-", stdin=b"\xff")
    assert (code, "<stdin>: not UTF-8 at byte 0" in err) == (2, True)
