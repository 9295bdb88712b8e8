"""Every expression of the package takes a time that is linear in the text."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from expressions import Expression, Steps, expressions, growth, parsed, pumps, simple_pumps

from uriproof import policy
from uriproof.grammar.read import atom

pytestmark = pytest.mark.prove

MOST = 6.0  # times as many steps for four times the text: linear is 4, quadratic 16

_SCHEME = policy._expression("scheme")

# What is known only when it is used: an example of each, by the module that has it.
EXAMPLES: dict[str, list[str]] = {
    "grammar.read.atom": ["|".join(mark for mark, _ in (*atom._AFTER, *atom._MISTAKES))],
    "lint.config.globs": ["[a-c.]"],
    "lint.find.html": [r"</script(?=[\s/>])"],
    "lint.find.markdown": [r"(?m)^[ \t>]*`{3,}[ \t]*\r?$", "``(?<!```)(?!`)"],
    "lint.find.yaml": [r"(?:\n(?:[ \t]*\r?(?=\n|\Z)| {3,}[^\n]*))*+"],
    "lint.suppress.insert": ["(?=-->)"],
    "parameters.styles": ["(?i)%20|\\+"],
    "percent.decode": ["%(?:(?P<octet>[0-9A-F]{2})|u(?P<unit>[0-9A-F]{4}))?"],
    "percent.encode": ["[a-z%]+"],
    "policy": ["(?i:http|https)" + policy._expression("with-host").removeprefix(_SCHEME)],
    "text.patterns": ["a"],  # what is given to lazy, which is collected where it is used
    "validate.loops": [
        "(?:[%](?![0-9A-Fa-f][0-9A-Fa-f]))+|([^!$&-;=?-Z_a-z~%]+)",
        "[/][^/%?]|[^/%?]",
    ],
    "workbench.read_pattern": ["a", r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]?|\(\?#[^)]*+\)?|#[^\n]*+"],
}

# What is not linear in a text that may be long, and why that does no harm.
SHORT = {
    "lint.find._markup:_LAST_NAME": "searched in 200 characters",
}


def test_every_expression_is_known() -> None:
    known, unknown = expressions()
    found = Counter(module.removeprefix("uriproof.") for module, _ in unknown)
    assert found == {module: len(examples) for module, examples in EXAMPLES.items()}
    assert len(known) > 200
    assert {one.where.removeprefix("uriproof.") for one in known} >= SHORT.keys()


def given() -> list[Expression]:
    """Collected when a test runs: it imports the whole package, which no other test should pay."""
    known, _ = expressions()
    return [
        *(one for one in known if one.where.removeprefix("uriproof.") not in SHORT),
        *(Expression(m, p, 0, True) for m, examples in EXAMPLES.items() for p in examples),
    ]


def test_every_expression_is_linear() -> None:
    """Proved to be, or pumped with the texts that the proof could not exclude."""
    tried = 0
    for one in given():
        found = pumps(one)
        for pump in simple_pumps(one) if found is None else found:
            assert growth(one, pump) <= MOST, (one.where, one.pattern, pump)
        tried += 1
    assert tried > 200


@pytest.mark.parametrize(
    ("pattern", "searched"),
    [
        *((r"(?:a|ab?b?)*c", False), (r"\w+(?:[-._]\w+)*_\Z", False), (r"(a+)+b", False)),
        *((r"\s*[\d.]*\s*[;,]?\s*url", False), (r"a*a*b", False), (r"[ \t]+;", True)),
        *((r"'+x", True), (r"(?:(?!.*y)a)*b", False), (r"(?=(a*))a*\1b", True), (r'"[^!]*!', True)),
        *((r"x(?:.*y)?", True), (r"(?:[^=]+=[^=]*&)*[a-z]+=\w+", False), (r"(`+).+?\1!", True)),
    ],
)
def test_what_is_not_linear_is_found(pattern: str, searched: bool) -> None:
    one = Expression("", pattern, 0, searched)
    assert max(growth(one, pump) for pump in pumps(one) or []) > MOST


@pytest.mark.parametrize("text", ["", "a", "aab", 'x"y\\"z', "a-b.c_", "<a b='c'>", "`a``b`\n"])
def test_the_steps_are_those_of_a_matcher(text: str) -> None:
    """What counts the steps finds what ``re`` finds."""
    for one in given():
        if "{" in one.pattern.replace("\\{", ""):  # of which it reads a few rounds only
            continue
        pattern = re.compile(one.pattern, one.flags)
        expected = [m.span() for m in pattern.finditer(text)]
        if not one.searched:
            expected = [m.span() for m in [pattern.match(text)] if m]
        found = Steps(one).run(text)
        assert [s for s in found if s[0] < s[1]] == [s for s in expected if s[0] < s[1]], one
    assert parsed(given()[0])
