"""Which sentence of the catalogue is said of a violation, and how what is in it is named.

Owns the choice, and the names of characters and places. Imports ``drawing`` and the catalogue.
Invariant: a message is one line, has no ABNF in it, and quotes nothing of the text but the blamed
characters, none of which it writes but those that are printable ASCII.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from ...grammar.compiled import Compiled
from ...grammar.remember import per_grammar
from ...report import Kind, Told, Violation, brief
from ...text.columns import OCTETS
from ...text.drawing import named, short
from ...text.names import and_list, joined, or_list
from .catalogue import say
from .quoted import quoted

OFTEN = 4
"""Words are remembered for runs of at most this many characters: longer ones seldom come again, and
would fill the cache."""
_MOST_NAMED = 3
"""Characters that a sentence names; a fourth still fits if it is the last."""
_MOST_QUOTED = 40
"""Characters of the blamed text in a sentence, which is to fit in a line of a log."""
_WORD = len('"a"')
_MOST_EXPECTED = 4
"""Alternatives that a sentence can list and still be read at once."""

_PLACES = {"userinfo": "user information", "authority": "an authority", "text": "a text"}
_WHOLE = frozenset({"scheme", "host", "authority", "port"})
"""Components whose parts are not named: what is blamed in them is the component itself."""
_ADDRESSES = {"IPv6address": "an IPv6 address", "IPvFuture": "an IP address"}
_SETS = {"ALPHA": "a letter", "DIGIT": "a digit", "HEXDIG": "a hex digit"}
"""Rules of the core (RFC 5234 appendix B) by names that say all that they allow."""
_BLANKS = {" ": "a space", "\t": "a tab", "\n": "a line break", "\r": "a line break"}
_BRACKETS = frozenset("[]")
_PLURAL = ("non-ASCII characters", "bytes that are not UTF-8")
_ABSENT = {
    ("scheme", '":"'): "colon-missing",
    ("query", '"="'): "parameter-value",
    ("query", "param"): "parameter-missing",
    ("query", "key"): "parameter-name",
    ("query", "value"): "value-missing",
}
"""Sentences for what is often missing, by the component and the element, or the production."""
_INCOMPLETE = "part of "  # as the engine says it of what is missing


@lru_cache(maxsize=4096)
def describe_character(char: str) -> str:
    r"""One character as a person names it; by code point and name if it cannot be seen in ASCII.

    >>> [describe_character(char) for char in ' [\\"']
    ['a space', '"["', '"\\"', 'a quotation mark']
    >>> describe_character("\u00e9"), describe_character("\udcff")
    ('U+00E9 LATIN SMALL LETTER E WITH ACUTE', 'the byte 0xFF')
    """
    if char in OCTETS:  # what stands for an octet that is not UTF-8 (PEP 383)
        return f"the byte 0x{OCTETS[char]:02X}"
    if char == '"':
        return "a quotation mark"
    if char in _BLANKS:
        return _BLANKS[char]
    return f'"{char}"' if char.isascii() and char.isprintable() else named(char)


def characters(runs: Sequence[str]) -> list[str]:
    """The distinct characters of some runs by their names; of many, a run itself, or how many more.

    >>> characters(["[", "["]), characters(["a.b.c"]), characters(["\u0444\u043e\u043e"])
    (['"["'], ['"a.b.c"'], ['non-ASCII characters'])
    """
    if len(runs) == 1 and len(runs[0]) > _MOST_NAMED and _is_quotable(runs[0]):
        return [f'"{short(runs[0], _MOST_QUOTED)}"']
    distinct = dict.fromkeys("".join(runs))
    beyond = [char for char in distinct if not char.isascii()]
    names = [*dict.fromkeys(describe_character(char) for char in distinct if char.isascii())]
    if len(names) > _MOST_NAMED + 1:
        names[_MOST_NAMED:] = [f"{len(names) - _MOST_NAMED:,} more characters"]
    if len(beyond) <= 1:
        return [*names, *map(describe_character, beyond)]
    return [*names, _PLURAL[all(char in OCTETS for char in beyond)]]


def _is_quotable(found: str) -> bool:
    """True if a run is several characters that can be read between quotation marks."""
    plain = found.isascii() and found.isprintable() and '"' not in found and " " not in found
    return plain and len(set(found)) > 1


def words(
    grammar: Compiled,
    found: str,
    component: str,
    kind: Kind,
    path: tuple[str, ...],
    expected: tuple[str, ...],
    absent: str,
) -> Told:
    """The words for a violation: alike for the same characters, without a fix or a hint.

    ``absent`` is all that is missing, as ABNF, if that is more than was expected first.
    """
    rule = grammar.rule(path[-1])
    texts = quoted(grammar)
    expected = tuple([f'"{texts[e][0]}"' if e in texts else e for e in expected])
    absent = " ".join([f'"{texts[e][0]}"' if e in texts else e for e in absent.split(" ")])
    match kind:
        case "illegal":
            message = not_allowed([found], component, rule.name, expected)
        case "missing":
            message = _missing(component, rule.name, expected, absent)
        case "extra":
            message = say("extra", whole=with_article(rule.name), place=noun(component, component))
        case _:
            message = say("bad-escape")
    return Told(
        message,
        None,
        grammar.model.citation(rule),
        grammar.name,
        rule.text,
        f"{rule.file}:{rule.line}",
        None,
    )


remembered_words = per_grammar(words)


def not_allowed(
    runs: Sequence[str], component: str, production: str, expected: tuple[str, ...]
) -> str:
    """What is said of runs of characters that are not allowed.

    >>> not_allowed(["<", ">"], "path", "segment", ("pchar",))
    '"<" and ">" are not allowed in a path.'
    """
    about = _known("".join(runs), component, production, expected)
    if about:
        return say(about)
    is_word = len(runs) == 1 and len(runs[0]) > 1 and any(len(_quoted(e)) > _WORD for e in expected)
    what = [f'"{short(runs[0], _MOST_QUOTED)}"'] if is_word else characters(runs)
    return _not_allowed(are(what), component, production, expected)


def _known(found: str, component: str, production: str, expected: tuple[str, ...]) -> str:
    """The sentence that says why some well-known characters are not allowed; else nothing."""
    if component == "port":
        return "port"
    if component == "scheme" and expected == ("ALPHA",):
        return "scheme-start"
    if component == "host" and expected == ('":"',):
        return "port-colon"
    if not _is_generic(production):
        return ""
    if _BRACKETS.issuperset(found):
        return "brackets"
    if found.strip("#") == "" and component == "fragment":
        return "second-fragment"
    return "first-colon" if found == ":" and component == "path" else ""


def _not_allowed(what: str, component: str, production: str, expected: tuple[str, ...]) -> str:
    if not expected:
        return say("nothing", what=what, the=_the(component, production))
    if production.removeprefix("i").startswith("segment") and "/" in what:
        return say("segment", what=what)
    where = noun(component, production)
    plain = [_plain(element) for element in expected]
    quoted = all(element[0] == '"' for element in expected)
    tells = all(plain) and len(plain) <= _MOST_EXPECTED and (quoted or not _is_generic(production))
    if not tells:
        return say("not-allowed", what=what, place=where)
    return say("expected", what=what, place=where, expected=or_list(plain))


def _missing(component: str, production: str, expected: tuple[str, ...], absent: str) -> str:
    """What is said of what is missing."""
    words = absent or " / ".join(expected)
    part = words.startswith(_INCOMPLETE)
    first = words.removeprefix(_INCOMPLETE).split(" ")[0]
    known = "" if part else _known_missing(component, production, words, first)
    if known:
        return say(known)
    if part and _quoted(words.removeprefix(_INCOMPLETE)):
        return say("word-incomplete", word=first)
    if part:
        return say("incomplete", the=_the(component, production))
    where = noun(component, production)
    several = _several(first)
    if several:
        return say("missing", wanted=f"{several} are", place=where)
    plain = [_plain(element) for element in (first, *expected[1:])]
    if not all(plain):
        return say("incomplete", the=_the(component, production))
    if component == "path" and first == '"/"' and _is_generic(production):
        return say("path-start", place=where)
    return say("missing", wanted=f"{or_list(plain)} is", place=where)


def _known_missing(component: str, production: str, words: str, first: str) -> str:
    """The sentence for what is often missing; else nothing."""
    if component == "scheme" and words[:1] != '"':  # the scheme itself, with its colon
        return "scheme-missing"
    if component == "host" and production == "IP-literal":
        return "address-closed" if first == '"]"' else "address-missing"
    if component == "host" and production not in _ADDRESSES:
        return "slashes-missing" if words == '"//"' else "host-missing"
    return _ABSENT.get((component, first)) or _ABSENT.get((component, production), "")


def _plain(element: str) -> str:
    """An element of ABNF as a sentence can name it; nothing if it is another rule."""
    return _SETS.get(element) or _quoted(element)


def _several(element: str) -> str:
    """A number of characters, such as ``2DIGIT``, in words; else nothing."""
    name = element.lstrip("0123456789")
    noun = _SETS.get(name, "") if name != element else ""
    return f"{element[: -len(name)]} {noun.split(' ', 1)[1]}s" if noun else ""


def _quoted(element: str) -> str:
    """An element of ABNF if it is a quoted text, as a sentence can show it; else nothing."""
    return element if element[:1] == element[-1:] == '"' and element.count('"') == 2 else ""  # noqa: PLR2004


@cache
def _is_generic(production: str) -> bool:
    """True for a production of the generic syntax, of URIs or of IRIs."""
    from ...grammar.registry import load

    return production.removeprefix("i") in load("rfc3986").model.rules


@cache
def noun(component: str, production: str) -> str:
    """Where a violation is, as a noun with its article.

    >>> noun("host", "reg-name"), noun("path", "segment"), noun("query", "key")
    ('a host name', 'a path', 'the key of a query')
    """
    if component == "host" and "reg-name" in production:
        return "a host name"
    if production in _ADDRESSES:
        return _ADDRESSES[production]
    whole = _PLACES.get(component) or with_article(component)
    named_part = production != component and component not in _WHOLE
    return f"the {production} of {whole}" if named_part and not _is_generic(production) else whole


def _the(component: str, production: str) -> str:
    """The same noun in a sentence that is about one."""
    words = noun(component, production)
    article, _, rest = words.partition(" ")
    return f"the {rest if article in ('a', 'an', 'the') else words}"


def with_article(noun: str) -> str:
    """A noun after "a" or "an".

    >>> [with_article(noun) for noun in ("absolute-URI", "URI", "scheme")]
    ['an absolute-URI', 'a URI', 'a scheme']
    """
    vowel = noun[:1].lower() in "aeio" or noun[:2] == "un"
    return f"{'an' if vowel else 'a'} {noun}"


def are(names: Sequence[str]) -> str:
    """Names as the subject of a sentence, with its verb.

    >>> are(['"["', '"]"'])
    '"[" and "]" are'
    """
    several = len(names) > 1 or names[0] in _PLURAL
    return f"{and_list(names)} {'are' if several else 'is'}"


def told(alike: Sequence[Violation]) -> str:
    """What is said of violations that have a message in common, and what to do about them.

    >>> from uriproof import check
    >>> told(check("http://h/?a[]=b").violations)
    '"[" and "]" are allowed only around an IPv6 address; write %5B%5D.'
    """
    first = alike[0]
    sentence = brief(first)
    if first.hint is not None:
        return sentence if sentence is first.hint else joined(sentence, first.hint)
    fixes = dict.fromkeys(v.fix.replacement for v in alike if v.fix and not v.masked)
    many = len(fixes) > _MOST_NAMED or any(len(fix) > _MOST_QUOTED for fix in fixes)
    write = "percent-encode them" if many else f"write {and_list(fixes)}"
    return joined(sentence, write if fixes else None)
