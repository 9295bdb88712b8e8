"""Growth: hostile strings and files of three sizes, and how the time grows with the size.

Owns the hostile strings; imports uriproof and the clock. Invariant: a family's texts differ in
length only, ten times from one size to the next, within a few characters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from uriproof import Grammar, Rule
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.render import Style
from uriproof.render.diagnostics import renderer

from .timing import Job, shortest

SIZES = (10_000, 100_000, 1_000_000)
PARSE_SIZES = SIZES[:2]
MOST_PER_TENFOLD = 12.0
ROUNDS = 4
REPEATS = 2
LONG_SECONDS = 0.3  # the next size is left out after one that takes longer, but for the list below


@dataclass(frozen=True)
class Family:
    """Hostile strings: ``unit`` repeated between two ends, under a rule and what is beside it.

    ``grammar`` is the name of a bundled grammar, or the ABNF of an own one; ``rule`` is its start
    rule unless told. ``whole`` families are measured at all sizes, however long that takes. With
    ``file``, it is a file of that name that is linted, and its findings rendered.
    """

    name: str
    unit: str
    before: str = "http://"
    after: str = ""
    rule: str | None = None
    query: str | None = None
    schemes: bool = False
    grammar: str = "rfc3986"
    whole: bool = False
    file: str = ""

    def text(self, size: int) -> str:
        return self.before + self.unit * (size // len(self.unit)) + self.after


_LIST = 'list = item *( "," item )\nitem = "foo" / "bar"\n'
_DATES = 'dates = date *( "," date )\ndate = 4DIGIT "-" 2DIGIT "-" 2DIGIT\n'
_ESCAPES = 'text = *( ALPHA / escape )\nescape = "%" 2HEXDIG\n'
_NESTED = 'value = array / 1*DIGIT\narray = "[" [ value *( "," value ) ] "]"\n'

FAMILIES = (
    # After http://: nothing says yet whether it is userinfo, a host or a port.
    *(Family(f"host {u}", u, whole=True) for u in ("a.", "@", ":", "%", "[::", "1.", "a-")),
    *(Family(f"host {u}", u) for u in ("%41", "\\", "é")),
    Family("userinfo a:", "a:", after="@h"),
    Family("userinfo % @h", "%", after="@h"),
    Family("ipv6 1:", "1:", "http://[", "]"),
    Family("ipv6 ::", "::", "http://[", "]"),
    Family("ipv6 f", "f", "http://[", "]"),
    Family("ipv6 1.", "1.", "http://[::", "]"),
    Family("ipv6 ]", "]", "http://["),
    Family("ipv6 ::1][", "::1][", "http://[", "]"),
    Family("ipvfuture a", "a", "http://[v1.", "]"),
    Family("ipvfuture v", "v", "http://[v", "]"),
    Family("port 9", "9", "http://h:"),
    Family("port 9x", "9x", "http://h:"),
    Family("path /", "/", "http://h"),
    Family("path a/:@", "a/:@", "http://h/"),
    Family("path ' a'", " a", "http://h/"),
    Family("path %4", "%4", "http://h/"),
    Family("path %e9", "%e9", "http://h/"),
    Family("query ?", "?", "http://h/?"),
    Family("query a[]=&", "a[]=&", "http://h/?"),
    Family("pairs &", "&", "http://h/?", query="key-value"),
    Family("pairs a&", "a&", "http://h/?", query="key-value"),
    Family("pairs a=1&", "a=1&", "http://h/?", "b=2", query="key-value"),
    Family("pairs =", "=", "http://h/?", query="key-value"),
    Family("parameters &", "&", "http://h/?", query="parameters"),
    Family("fragment #", "#", "http://h/#"),
    Family("fragment 😀", "😀", "http://h/#"),
    Family("scheme a", "a", "", "://h/"),
    Family("scheme 1", "1", "", "://h/"),
    Family("scheme _a", "_a", "", "://h/"),
    Family("reference 1_:", "1_", "", ":b", rule="URI-reference"),
    Family("reference :", ":", "", rule="URI-reference"),
    Family("reference a b:", "a b", "", ":c", rule="URI-reference"),
    Family("reference 1:", "1:", "", rule="URI-reference"),
    Family("reference %", "%", "", rule="URI-reference"),
    # Rules of which the text is one component, or has some only.
    Family("absolute-URI #", "#", "http://h/", rule="absolute-URI"),
    Family("relative-ref //[", "//[", "", rule="relative-ref"),
    Family("hier-part []", "[]", "//h/", rule="hier-part"),
    Family("authority @:", "@:", "", rule="authority"),
    Family("host ::", "::", "[", "]", rule="host"),
    Family("IPv6address 1:", "1:", "", rule="IPv6address"),
    Family("segment-nz-nc :", ":", "", rule="segment-nz-nc"),
    Family("pct-encoded %", "%", "", rule="pct-encoded"),
    Family("dec-octet 9", "9", "", rule="dec-octet"),
    # One character beyond the BMP makes each character of the text four octets wide.
    Family("host : 😀", ":", after="😀"),
    Family("host 1: 😀", "1:", after="😀"),
    Family("path % 😀", "%", "http://h/", "😀"),
    Family("pairs a& 😀", "a&", "http://h/?", "😀", query="key-value"),
    # Violations of which each has a hint to look for.
    Family("hint 1:", "1:"),
    Family("hint {a}", "{a}", "http://h/"),
    Family("hint <a", "<a", "http://h/"),
    Family("hint %u00e9", "%u00e9", "http://h/"),
    Family("hint %(a)s", "%(a)s", "http://h/"),
    Family("hint \\ in a path", "\\", "http://h/"),
    Family("hint a password", "/a:", "http://u:p", "@h/"),
    Family("hint white space", " \t", "http://h/"),
    # The rules of schemes beside the generic syntax.
    Family("http %", "%", "http://h/", schemes=True),
    Family("http é", "é", "http://h/", schemes=True),
    Family("ldap ?", "?", "ldap://h/", schemes=True),
    Family("data ;", ";", "data:", schemes=True),
    Family("data %", "%", "data:,", schemes=True),
    Family("mailto @", "@", "mailto:", schemes=True),
    Family("tel -", "-", "tel:", schemes=True),
    Family("tel a", "a", "tel:+1;", schemes=True),
    Family("urn :", ":", "urn:", schemes=True),
    Family("file //", "//", "file:", schemes=True),
    Family("pairs and http %&", "%&", "http://h/?", query="key-value", schemes=True),
    # Other grammars, and what people write themselves.
    Family("IRI <é", "<é", "http://h/", grammar="rfc3987"),
    Family("template {", "{", "http://h/", grammar="rfc6570"),
    Family("own list ;", "foo;", "", grammar=_LIST),
    Family("own list ,,", "bar,,", "", grammar=_LIST),
    Family("own dates 1-", "1-", "", grammar=_DATES),
    Family("own escapes %", "%", "", grammar=_ESCAPES),
)

NESTED = (
    Family("nested [1,", "[1,", "", grammar=_NESTED),
    Family("nested [],", "[],", "[", "1]", grammar=_NESTED),
    Family("nested [[]", "[]", "[", grammar=_NESTED),
    Family("nested digits", "1", "", grammar=_NESTED),
    Family("nested x", "x", "[", grammar=_NESTED),
)
"""Texts of a rule that is not regular: no automaton reads them."""

_DATA = "a { background: url(data:,"
LINTED = (
    Family("next lines", "# uriproof: ignore-next-line\n", "", file="a.py"),
    Family("suppressions in a line", "# uriproof: ignore ", "", file="a.py"),
    Family("suppressed", "# http://h/%zz  # uriproof: ignore\n", "", file="a.py"),
    Family("URLs in a line", "http://h/%zz ", "", file="a.txt"),
    Family("URLs in lines", "http://h/%zz\n", "", file="a.txt"),
    Family("passwords in lines", "http://u:p@h/%zz\n", "", file="a.txt"),
    Family("brackets in a URL", "[", "http://h/", file="a.txt"),
    Family("entities in a URL", "&#", "http://h/", file="a.txt"),
    Family("emoji in a URL", "😀", "http://h/", file="a.txt"),
    Family("a data: URL in CSS", "%3Csvg|%3E", _DATA, ")}", file="a.css"),
    Family("a bare value in HTML", "&=", '<a href="a = "http://h/', '"\n">', file="a.html"),
    Family("a name in HTML", "%", '<a href="a = "http://h/', '"\n">', file="a.html"),
    Family("white space in HTML", "\n", '<img srcset="', '">', file="a.html"),
    Family("an image set in HTML", "(", '<img srcset="http://h/ ', '">', file="a.html"),
)
"""Files that the linter reads; each was slow once, or could be."""


@dataclass(frozen=True)
class Growth:
    """Seconds by verb and size of one family; a size that was left out is absent."""

    family: Family
    valid: bool
    seconds: dict[tuple[str, int], float]

    def ratios(self, verb: str) -> list[float]:
        """Time per tenfold: how many times as long each size took as the one before it."""
        found = [s for (v, _), s in sorted(self.seconds.items()) if v == verb]
        return [b / a for a, b in pairwise(found)]

    @property
    def worst(self) -> float:
        """The greatest ratio of all verbs."""
        return max(r for verb in {v for v, _ in self.seconds} for r in self.ratios(verb))

    @property
    def micro(self) -> float:
        """Microseconds that a check takes for one character of the middle size; 0 unmeasured."""
        return self.seconds.get(("check", SIZES[1]), 0.0) / SIZES[1] * 1e6


@cache
def _grammar(family: Family) -> Grammar:
    """The grammar of a family; one with a rule in it is an own one."""
    own = "=" in family.grammar
    return Grammar.from_abnf(family.grammar) if own else Grammar.load(family.grammar)


def _call(verb: str, text: str, family: Family) -> Job:
    """One call of a verb. What the grammar makes once is made before it is measured."""
    if family.file:
        return lambda: _linted(text, family.file)
    home = _grammar(family)
    rule = Rule(family.rule or home.start, grammar=home, query=family.query, schemes=family.schemes)
    run: Callable[..., object] = getattr(rule, verb)
    return partial(run, text)


def measure(family: Family) -> Growth:
    """Measure one family at two sizes at least. Cost: some rounds of each size.

    What grows faster than it may is measured again, and the shorter times are kept: a busy
    machine may spoil a measurement, but not all of them.
    """
    best = _measure(family)
    for _ in range(REPEATS):
        if best.worst <= MOST_PER_TENFOLD:
            break
        again = _measure(family)
        both = best.seconds.keys() & again.seconds.keys()
        best = Growth(family, best.valid, {k: min(best.seconds[k], again.seconds[k]) for k in both})
    return best


def _linted(text: str, file: str) -> int:
    """The characters that come out of linting a text as a file."""
    found = Engine(Settings()).lint(file, text.encode()).diagnostics
    return sum(map(len, renderer("full")(found, Style())))


def _measure(family: Family) -> Growth:
    small = family.text(SIZES[0])
    verbs: dict[str, tuple[int, ...]]
    if family.file:
        valid = not _linted(small, family.file)
        verbs = {"lint": SIZES}
    else:
        valid = bool(_call("is_valid", small, family)())
        verbs = {"is_valid": SIZES, "check": SIZES}
        if family in NESTED:
            verbs = {"check": PARSE_SIZES}
    if valid and not family.file:
        verbs["parse"] = PARSE_SIZES
    seconds: dict[tuple[str, int], float] = {}
    for verb, sizes in verbs.items():
        _call(verb, small, family)()  # what is built on the first call is not measured
        for size in sizes:
            took = seconds[verb, size] = shortest(_call(verb, family.text(size), family), ROUNDS)
            if took > LONG_SECONDS and size > SIZES[0] and not family.whole:
                break
    return Growth(family, valid, seconds)
