"""Verdicts on found URLs: whether the profile accepts them, their violations, and their passwords.

Owns the choice of a rule for a URL, and which passwords are examples. Imports the public face, and
``advice`` for a report. Invariant: there are violations exactly if the verdict is false.

An ASCII text is an IRI exactly if it is a URI (RFC 3987 §2.2), so that only non-ASCII texts are
ever validated as IRIs, and only they load the grammar of IRIs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, TypeVar

from ...advice import advise, is_usual
from ...policy import Policy, refused
from ...report import Advice, Report, Violation, spliced
from ...rule import Grammar, Rule
from ...text.passwords import Span, passwords
from ...text.patterns import lazy
from ..found import Found, Kind

_K = TypeVar("_K")
_V = TypeVar("_V")

_PASSWORD = "userinfo-password"  # noqa: S105 -- the code of an advice

_REMEMBERED = 4_096
"""Reports and verdicts remembered: a license's URLs are in every file."""


_FILLINGS = ("1", "a", "")
"""A port and the beginning of a scheme; no verdict depends on them."""

# Hosts that are nobody's: RFC 2606 §2 and §3, RFC 6761 §6, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3.
_RESERVED = ("example", "test", "invalid", "localhost")
_EXAMPLES = ("example.com", "example.net", "example.org")
_LOOPBACK = ("127.0.0.1", "[::1]")
# Texts in the place of a password that are not one: the word, a mask, a name in capitals (API_KEY),
# and what ends with such a word ("mypassword", "host-token"): it says what belongs there.
_WORDS = ("password", "passwd", "passwort", "pass", "pwd", "pw", "secret", "token")
_SHOWN = ("foo", "bar", "baz", "foobar", "s3cr3t")  # RFC 3092, and the word in other letters
_MASK = 3  # of one character, repeated: two might be a password, and are as easily guessed
# The text after a colon in an authority, up to an "@": not a port, and not a string that ends
# before. It can have a quote, a bracket or a byte in it that ends a URL in prose, and spaces.
_CUT_SHORT = lazy(
    r":/{1,2}[^\s/?#:@\"'<>]{0,80}:(?![0-9]+(?:\W|\Z))"
    r"(?P<password>(?:(?![\"'`][\s,;:)\]}>])[^\s/@]){1,80}+(?:[ ][^\s@<>\"']{1,40}+){0,4}+)@[\w\[]"
)


class Judge:
    """The verdicts of a profile on URLs: as URIs (RFC 3986), or IRIs (RFC 3987).

    The profile "auto" uses the type that the format specifies for a URL, which is ``kind`` unless
    ``Found`` has one. With ``scheme_rules``, ASCII texts are also validated against the grammar of
    their scheme, because these are of URIs. ``query`` is the grammar of queries, if they have one,
    and ``policy`` what is refused although the grammar allows it.
    """

    def __init__(
        self,
        profile: str = "auto",
        kind: Kind = "uri",
        scheme_rules: bool = False,
        query: str | None = None,
        policy: Policy | None = None,
    ) -> None:
        self._auto = profile == "auto"
        self._iri = (kind if self._auto else profile) == "iri"
        self._schemes, self._query = scheme_rules, query
        self._policy = policy
        self._rules: dict[tuple[str, bool, bool], Rule] = {}
        self._reports: dict[tuple[str, str, bool], Report] = {}
        self._unfilled: dict[tuple[Any, ...], tuple[Violation, ...]] = {}
        self._advice: dict[tuple[str, str, tuple[str, ...]], tuple[Advice, ...]] = {}
        self._quiet: dict[tuple[str, ...], dict[Any, bool]] = {}

    def rule(self, found: Found) -> str:
        """The rule that a URL is validated against."""
        return self._rule(found.rule, self._as_iri(found)).name

    def _as_iri(self, found: Found) -> bool:
        """Whether a URL is validated as an IRI."""
        if found.text.isascii():
            return False
        return found.profile == "iri" if self._auto and found.profile else self._iri

    def _rule(self, name: str, iri: bool, holes: bool = False) -> Rule:
        """The rule by the name that it has in the grammar of URIs.

        For a text with holes, neither scheme rules nor the query's grammar apply: whether it
        follows them depends on the text in the holes.
        """
        key = name, iri, holes
        rule = self._rules.get(key)
        if rule is None:
            grammar = Grammar.load("rfc3987" if iri else "rfc3986")
            own = name.replace("URI", "IRI") if iri else name
            known = own if own in grammar.rules else name
            schemes = self._schemes and not iri and not holes
            query = None if holes else self._query
            rule = self._rules[key] = Rule(known, grammar=grammar, schemes=schemes, query=query)
        return rule

    def accepts(self, found: Found) -> bool:
        """The verdict; some filling of the holes is enough. Cost: O(n)."""
        return self._accepts(found, self._as_iri(found))

    def lets_through(self, found: Found) -> bool:
        """Whether a URL that is accepted would not be, did its format not take IRIs. Cost: O(n)."""
        if not (self._auto and self._as_iri(found)):
            return False
        # A text that is not ASCII is not a URI, unless a template fills in those characters.
        return not (found.holes and self._accepts(found, False))

    def _accepts(self, found: Found, iri: bool) -> bool:
        rule = self._rule(found.rule, iri, bool(found.holes))
        if not found.holes:
            return rule.is_valid(found.text)
        # Most templates are in order with any of these; the automaton tries every filling.
        if any(rule.is_valid(_filled(found, filling)) for filling in _FILLINGS):
            return True
        return not self._violations(found, iri)

    def violations(self, found: Found) -> tuple[Violation, ...]:
        """The violations, outside of holes; offsets are those of the URL's text."""
        return self._violations(found, self._as_iri(found))

    def _violations(self, found: Found, iri: bool) -> tuple[Violation, ...]:
        if not found.holes:
            return self._report(found.text, found.rule, iri).violations
        key = found.text, found.rule, iri, found.holes
        known = self._unfilled.get(key)
        if known is None:
            from ...validate.holes import check_holes

            rule = self._rule(found.rule, iri, True)
            given = rule.grammar.compiled, found.text, rule.name, found.holes
            known = kept(self._unfilled, key, check_holes(*given))
        return known

    def refused(self, found: Found) -> tuple[Violation, ...]:
        """What the policy does not allow. Of what holds a hole, nothing is known: no length, not
        what is missing, and no component that it is in. Cost: O(n)."""
        if self._policy is None:
            return ()
        given = refused(self._policy, self.report(found))
        if not found.holes:
            return tuple(given)
        known = (v for v in given if v.kind == "forbidden" and v.component != "text")
        return tuple(v for v in known if not any(a < v.end and v.start < b for a, b in found.holes))

    def advice(self, found: Found, codes: tuple[str, ...]) -> tuple[Advice, ...]:
        """The advice of these codes on a URL without holes; it need not be valid."""
        if found.holes or not codes:
            return ()
        if is_usual(found.text, codes):
            return ()
        key = found.text, found.rule, codes
        known = self._advice.get(key)
        if known is None:
            report = self.report(found)
            known = advise(report, codes)
            if any(one.code == _PASSWORD for one in known) and is_example(report):
                known = tuple(one for one in known if one.code != _PASSWORD)
            kept(self._advice, key, known)
        return known

    def quiet(self, codes: tuple[str, ...]) -> dict[Any, bool]:
        """The URLs that were in order lately, also by advice of these codes: whether each is only
        let through as an IRI, by its text, rule, holes and profile. Nearly all come again."""
        return self._quiet.setdefault(codes, {})

    def report(self, found: Found) -> Report:
        """The report of a URL, holes or not. Cost: O(n) when it was not asked for lately."""
        return self._report(found.text, found.rule, self._as_iri(found))

    @cached_property
    def mistakes(self) -> frozenset[str]:
        """The codes of advice on valid texts for which something else is suggested."""
        from ...mistakes.table import OF_VALID

        return frozenset(form.code for form in OF_VALID)

    def fails(self, found: Found) -> bool:
        """Whether what is wrong with a URL is surely a mistake: software follows it, or it has a
        slip, such as a second "#". A URL that is only mentioned can be an example of what is wrong,
        a pattern, or a part of a longer one, and where it ends is a guess: in 322 public trees, one
        in eight of those without a slip was to be corrected, and nearly all links.
        """
        if found.linked:
            return True
        if found.holes:
            return False
        from ...mistakes import mistake
        from ...mistakes.table import SLIPS

        report = self.report(found)
        meant = mistake(report)
        if meant is not None and meant.code in SLIPS:
            return True
        if report.ok:
            return False
        # What the settings or the format demand beyond the grammar, they demand everywhere.
        is_ascii = found.text.isascii()
        grammar, rule = ("rfc3986", "URI") if is_ascii else ("rfc3987", "IRI")
        if Rule(f"{rule}-reference", grammar=Grammar.load(grammar)).is_valid(found.text):
            return True
        return all(not v.found.strip("#") for v in report.violations)

    def hidden(self, found: Found) -> list[Span]:
        """The span of a URL's password in the file; the whole URL if it cannot be reported."""
        if "@" not in found.text:
            return []
        try:
            span = password(self.report(found), found.holes)
        except Exception:
            return [(found.start, found.end)]
        return [] if span is None else [(found.offset(span[0]), found.offset(span[1]))]

    def _report(self, text: str, name: str, iri: bool) -> Report:
        key = text, name, iri
        report = self._reports.get(key)
        if report is None:
            report = kept(self._reports, key, self._rule(name, iri).check(text))
        return report


def kept(known: dict[_K, _V], key: _K, value: _V) -> _V:
    """The value, remembered among a bounded number of others."""
    if len(known) >= _REMEMBERED:
        known.clear()
    known[key] = value
    return value


def _filled(found: Found, filling: str) -> str:
    """The text with the same filling in every hole."""
    return spliced(found.text, ((start, end, filling) for start, end in found.holes))


def is_example(report: Report) -> bool:
    """Whether the password of a URL is one that documentation and tests show, so that nobody is to
    change it: the word itself, a mask or a name in capitals, or one for a host that is reserved.

    >>> from uriproof import check
    >>> [is_example(check(f"ftp://me:{rest}/")) for rest in ("pass@a.b", "x@localhost", "x@a.b")]
    [True, True, False]
    >>> [is_example(check(f"ftp://me:{word}@a.b/")) for word in ("***", "xxxxxx", "API_KEY", "A1")]
    [True, True, True, False]
    >>> users = "me:mypassword", "guest:guest", "db_user:db_pass", "u2:pass2", "me:pass2"
    >>> [is_example(check(f"ftp://{one}@a.b/")) for one in users]
    [True, True, True, True, False]
    >>> is_example(check("ftp://t1:x-oauth-token@a.b/"))
    False
    """
    userinfo, host = (report.components.get(name) for name in ("userinfo", "host"))
    if userinfo is None or host is None:
        return False
    name = host.text.lower().rstrip(".")
    # Names of hosts are written in lower case: one in capitals is to be replaced (YOUR_DOMAIN).
    reserved = host.text.isupper() and host.text.isidentifier()
    reserved = reserved or name in _LOOPBACK or name.rpartition(".")[2] in _RESERVED
    reserved = reserved or any(f".{name}".endswith(f".{one}") for one in _EXAMPLES)
    user, _, word = userinfo.text.partition(":")
    number = word[len(word.rstrip("0123456789")) :]
    if user.endswith(number):  # "user1:pass1", numbered alike, were made up together
        word = word.removesuffix(number)
    letters = word.replace("-", "").replace("_", "")
    # "x-oauth-token": the user's name is the token. A password with a digit in it may be one.
    words = word.lower().endswith(_WORDS) and not word.startswith("x-")
    known = letters.isalpha() and (words or word.isupper())
    # "guest:guest": of the account that a product comes with.
    known = known or word == user or word.lower() in _SHOWN
    mask = len(word) >= _MASK and len(set(word.lower())) == 1
    return reserved or known or mask


def password(report: Report, holes: Iterable[Span] = ()) -> Span | None:
    """The span of the password in a URL's user information, if it has one (RFC 3986 §3.2.1).

    >>> from uriproof import check
    >>> password(check("ftp://me:pw@h/")), password(check("ftp://me:{pw}@h/"), [(9, 13)])
    ((9, 11), None)
    """
    if "@" not in report.text:
        return None
    span = next(passwords(report.text, report.spans()), None)
    if span is not None and any(a <= span[0] and span[1] <= b for a, b in holes):
        return None
    return span


def cut_short(text: str) -> list[Span]:
    """The spans in a file with possible passwords that end a URL in prose too early: they are
    masked, whatever is found there. Cost: O(n).

    >>> cut_short('ftp://me:p"w@h/, http://h:80 a@b'), cut_short('("http://host:port", "me@h")')
    ([(9, 12)], [])
    """
    return [match.span("password") for match in _CUT_SHORT.finditer(text)] if "@" in text else []
