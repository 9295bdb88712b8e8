"""The definition of a target, and the engines whose targets are plain expressions: a row for each.

Owns the rows. Imports the dialects, and the choice of an expression. Invariant: see ``Dialect``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...grammar.charset import EMPTY
from ...grammar.compile.rx import Rx
from ...grammar.compile.to_regex import print_regex
from ...grammar.compiled import Compiled
from ._dialect import SURROGATES, Dialect, braces
from ._expression import linear, plain

# With the flag u a backslash is allowed only before these (ECMA-262 §22.2.1, IdentityEscape), and
# within a class also before "-"; with the flag v they need it (ClassSetSyntaxCharacter).
_OUTSIDE = r"^$\.*+?()[]{}|/"
_INSIDE = r"^\()[]{}|/-"

_BYTE, _BMP = 0xFF, 0xFFFF


class Target(NamedTuple):
    """Its name in a few words; the needs of the other engine, and its matching cost."""

    title: str
    note: str
    export: Callable[[Compiled, str], str]
    """A rule as text. It accepts exactly the texts of the rule, of all that the engine can hold."""
    dialect: Dialect | None = None
    """The syntax of patterns, for a target whose expressions can have groups."""


def _engine(
    dialect: Dialect, expression: Callable[[Compiled, str], Rx], title: str, note: str
) -> Target:
    """An engine: ``plain`` for one that is linear whatever the expression, ``linear`` for others.

    Errors of its export: GrammarLimit. Cost: the size of the rule, flattened.
    """
    return Target(title, note, lambda c, rule: dialect.write(expression(c, rule)), dialect)


def escape(point: int) -> str:
    r"""A code point, as a pattern with the flag u reads it.

    >>> escape(0x20), escape(0xFFFD), escape(0x1F600)
    ('\\x20', '\\uFFFD', '\\u{1F600}')
    """
    if point <= _BYTE:
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= _BMP else f"\\u{{{point:X}}}"


def _postgres(point: int) -> str:
    """Not \\x: it takes as many hexadecimal digits as follow (PostgreSQL manual, 9.7.3.3)."""
    return f"\\u{point:04X}" if point <= _BMP else f"\\U{point:08X}"


def _own(compiled: Compiled, rule: str) -> str:
    """The expression that the package itself matches with, wherever it matches with one."""
    own = compiled.regex(rule)
    return print_regex(linear(compiled, rule), EMPTY) if own is None else own


ECMASCRIPT = Dialect(
    name="ECMAScript",
    point=escape,
    head="^(?:",
    tail=")$",
    outside=_OUTSIDE,
    inside=_INSIDE,
    unrolled=True,
    group="(?<{}>",
)
POSTGRES = Dialect(
    name="PostgreSQL",
    point=_postgres,
    head="^(?:",
    tail=")$",
    lacks=((0, 0), *SURROGATES),
    most=255,
)
RE2 = Dialect(
    name="RE2",
    point=braces,
    head=r"\A(?:",
    tail=r")\z",
    lacks=SURROGATES,
    most=1000,
    nested=1000,
    group="(?P<{}>",
)
ENGINES = {
    "ecmascript": _engine(
        title="ECMAScript (JavaScript, TypeScript)",
        note="""\
For new RegExp(pattern, "u") or "v", and test(). It has its own anchors: no flag m. The
HTML attribute pattern takes it unchanged. Code points above U+FFFF need the flag u or v; a lone
surrogate is a code point. ECMAScript backtracks, and has neither possessive loops nor atomic
groups: if the next character decides each loop, matching is linear in the text; in the rest of
the pattern a text is read again a bounded number of times, whatever its length. Engines store an
entry for each round of a loop over longer alternatives (pct-encoded): limit the length of untrusted
texts, because V8 gives up on a text with some millions of them.""",
        dialect=ECMASCRIPT,
        expression=linear,
    ),
    "java": _engine(
        title="Java, java.util.regex",
        note="""\
It has its own anchors; matches() and find() agree. No flags; in source code, double every
backslash. Texts are read by code points; a lone surrogate is one. Java backtracks, but matching is
linear in the text. Loops that never need to give back are possessive, so that the stack does not
grow with the text; it does for a repeated group that might have to (host names with a final dot, as
in RFC 2396): limit the length of such texts to some thousands.""",
        dialect=Dialect(
            name="Java",
            point=braces,
            head=r"\A(?:",
            tail=r")\z",
            possessive=True,
            unrolled=True,
            group="(?<{}>",
        ),
        expression=linear,
    ),
    "pcre2": _engine(
        title="PCRE2: PHP, R, grep -P, nginx, MariaDB",
        note="""\
It has its own anchors. It starts with (*UTF), which the program can forbid (PCRE2_NEVER_UTF);
if it sets PCRE2_UTF, as the flag u of PHP does, that start can be omitted. Texts are UTF-8:
lone surrogates are left out. PCRE2 backtracks, but matching is linear in the text. Loops
that never need to give back are possessive; with a repeated group that might have to, a long text
can reach a program's own limit (the JIT stack, PCRE2_ERROR_JIT_STACKLIMIT). A count is at most
65535.""",
        dialect=Dialect(
            name="PCRE2",
            point=braces,
            head=r"(*UTF)\A(?:",
            tail=r")\z",
            possessive=True,
            unrolled=True,
            lacks=SURROGATES,
            most=65535,
            group="(?<{}>",
        ),
        expression=linear,
    ),
    "postgres": _engine(
        title="PostgreSQL, the operator ~",
        note="""\
For text ~ 'pattern', also in a CHECK constraint; double each ' in the literal, and keep
standard_conforming_strings on, the default since 9.1. An advanced regular expression (ARE), without
the options n, p and w, under which ^ and $ would match at lines. The database must be UTF8 for
code points above U+007F. Texts cannot hold U+0000 or surrogates, which are left out. Linear in the
text: without capturing groups it runs an automaton, which it builds on the fly and discards when
it grows. A count is at most 255; greater ones are split.""",
        dialect=POSTGRES,
        expression=plain,
    ),
    "re2": _engine(
        title="RE2 and Go's package regexp",
        note="""\
It has its own anchors; full match and partial match agree. No flags; the text is
UTF-8 (not the option latin1). Lone surrogates, which UTF-8 cannot hold, are left out. Linear in
the text: RE2 never backtracks. A count is at most 1000, and so is the product of nested counts.
A large pattern might need more than RE2's 8 MiB (max_mem).""",
        dialect=RE2,
        expression=plain,
    ),
    "rust": _engine(
        title="Rust, the crate regex",
        note="""\
It has its own anchors: for Regex::is_match. No flags. Texts are UTF-8, so that lone
surrogates are left out. Linear in the text: the crate never backtracks. A large pattern might need
more than the default limit of 10 MiB (RegexBuilder::size_limit).""",
        dialect=Dialect(
            name="Rust",
            point=braces,
            head=r"\A(?:",
            tail=r")\z",
            lacks=SURROGATES,
            group="(?P<{}>",
        ),
        expression=plain,
    ),
    "regex": Target(
        title="Python 3.11 or later, the module re",
        note="""\
For re.fullmatch; no flags. It has no anchors of its own: with re.match or re.search it
also finds beginnings and middles, and "$" would let a final line feed pass. Linear in the text: a
loop that is decided by its next character is possessive, which Python knows since 3.11.""",
        export=_own,
    ),
}
