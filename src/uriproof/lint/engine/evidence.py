r"""The evidence in a file that a URL that looks wrong is a pattern, or that a template fills it.

Owns the decision whether something is a placeholder if no template language defines it: by signs
that mirror each other, by the same sign at words elsewhere in the file or in the files next to it,
by an impossible host and port. Imports ``lint.found``, ``lint.files`` and the judge. Invariant:
only URLs that the judge does not accept are looked at, and of other files only those of the same
folder by their names, so that the order of files and processes do not matter.

>>> from ..files.source import decoded
>>> evidence = Evidence(decoded("x", b"curl -x %PROXY http://a/%PATH %ARGS"), Judge())
>>> evidence.settled(Found(15, 29, "http://a/%PATH")).why
"'%PATH' is a placeholder: so is '%ARGS' in this file"
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from ...grammar.expressions import AUTHORITY, ESCAPE, H16, SCHEME
from ...grammar.schemes import is_opaque
from ...mistakes.placeholders import (
    BRACKETED,
    FORMS,
    OF_NAME,
    OPTIONAL,
    SIGNED,
    SIGNED_OR_URL,
    Spans,
    in_brackets,
    mirrored,
)
from ...text.paths import tree_of
from ...text.patterns import lazy
from ..files.source import Source, decoded, read
from ..found import Found
from .judge import Judge, kept

Span = tuple[int, int]
Signs = Mapping[str, Counter[str]]
"""The words after each sign, and how often."""
Shown = tuple[Span, str]
"""A placeholder, and what shows that it is one."""

# Each limit bounds the work for each of something, so that the time stays linear; people's
# templates are far below all of them, and anything beyond is reported unchanged.
_MOST = 8  # placeholders, and violations, looked at in a URL: after each, all of it is judged again
_LONGEST = 2_000  # of a URL that might have some: a longer one is data, written by a program
_NEIGHBORS = 40  # files of a folder that are read for theirs: each costs as much as one to check
_LARGEST = 1 << 18  # bytes of one of them: a larger one is data, not a template next to another
_LONG = 60  # characters of a placeholder between its signs: it is looked back for from each of them
_DEEP = 300  # characters of an optional part, of which each bracket in it is a beginning
_FORBIDDEN = frozenset(":\\\0")  # in the path of a file that is looked for
_MARKS = dict.fromkeys(map(ord, "._"))  # that words are joined by

_NAME = lazy(r"[A-Z][A-Z0-9_]{2,}")
"""A word that is hardly one of a language."""

# Regular expressions have these after the part that looks like a URL: "http://a\\.b"; and in it, if
# quotes delimit it. There a letter, or a dot next to another, can be of a path of Windows.
_ESCAPED = lazy(r"\\[.?*+/dws$^()\[\]{}]")
_ESCAPED_SIGN = lazy(r"\\(?:[?*+$^()\[\]{}|]|(?<!\.\\)\.(?![.\\/]))")
# "s#http://a#http://b#": a command of sed, whose parts any sign can divide.
_SED = lazy(r"""(?<![^\s"'`(])s([#~!@%+|])""")
_COMMAND = 200  # characters before a URL that are looked at for it: no command has more there
# A tag that is not closed in what a rule of detection looks for, or an attack begins with:
# "http://a/<script". A name in one bracket may be a placeholder without its end, and is reported.
_ATTACK = lazy(r"<(?i:script|svg|img|iframe)\b(?![^<>]{0,300}>)")
# A host in brackets is a mistake of its own: the domains that most names are in (RFC 1591 §2).
_HOST = lazy(r"\[(?:localhost|www\.[^][]*|[^][]*\.(?:com|org|net))\]")
# "-u [user]:[password]", "[host]:[port]": no markup and no data has two names so, and a page that
# has them writes "[localhost]" for a host that readers replace.
_NOTATION = lazy(r"(?<![\w\]])\[[A-Za-z][\w-]{0,40}\]:\[[A-Za-z][\w-]{0,40}\](?![\[(])")
# "/[module]/[type]s/[artifact](-[classifier]).[ext]": where one is all of a segment, others in the
# path need not be (Ivy, Patterns); names of files have brackets next to each other instead.
_SEGMENT = lazy(r"/\[[A-Za-z]\w*\](?=/)")
_LINE_ENDS = ("", "\r", "\n")
# "LIKE 'http://a/%'", "$(patsubst http://a/%,b/%,…)": in a file with that, a lone percent sign is
# the wildcard of SQL, or of make. Without such a witness, it is a bad escape ("http://a/100%").
_WILDCARD = lazy(r"%(?!\w)")
_LIKE = lazy(r"\b(?:LIKE|like)\s*+(?:\(\s*+)?+[\"']|\$[({](?:patsubst|filter(?:-out)?) ")
# Of printf and strftime, or the number of an argument; a single one might be a bad escape, next to
# a surer one it is another.
_CONVERSION = lazy(r"%[A-Za-z1-9](?!\w)")
# "mailto:%w%W": after its scheme, a URL with nothing else names nothing; "%41" is a character.
_ONLY_CONVERSIONS = lazy(rf"{SCHEME}:(?://)?((?:(?!{ESCAPE})%[A-Za-z])+)")
# An image by its digest, which programs put a scheme before (OCI Image Specification, Descriptors).
_DIGEST = lazy(r"@sha(?:256|384|512):[0-9A-Fa-f]{6}")
# Text that says of an example that it is wrong.
_SAID = lazy(
    r"\b(?:malformed|invalid|illegal|not valid)\b[^\n]{0,60}(?:\n[^\w\n]{0,20})?"
    r"\b(?:e\.g\.|like|such as|for example):?\s\Z"
)
# Schemes before a scheme: "jdbc:postgresql:", "git+ssh:"; they begin where no word continues.
_PREFIX = lazy(rf"(?<![\w:+.\-])(?:{SCHEME}:)+\Z")


# All of a URL that can have placeholders, if its path shows at a glance to have none: most URLs of
# a file that have any begin alike.
_HEAD = lazy(rf"{SCHEME}://{AUTHORITY.pattern}/(?=[\w./-]*+\Z)", re.ASCII)


class Evidence:
    """The evidence in one file, and those next to it, about the placeholders in it."""

    def __init__(self, source: Source, judge: Judge) -> None:
        self._source = source
        self._judge = judge
        self._known: dict[tuple[object, ...], tuple[Spans, list[str]]] = {}
        self.is_borrowed = False
        """Whether another file has decided something, so that the result depends on it."""

    def settled(self, found: Found) -> Found | None:
        """A URL that is not accepted, with all the holes that there is evidence for, or as what an
        opaque URI ends with; None if it is a pattern. Cost: O(n), and O(file) once.
        """
        if self._is_pattern(found):
            return None
        whole = self._whole(found)
        if whole is not None:
            return whole
        if len(found.text) > _LONGEST:
            return found
        head = _HEAD.match(found.text)
        begins = head[0] if head else found.text
        key = begins, found.rule, found.linked, found.holes, found.profile
        holes, reasons = self._known.get(key) or kept(self._known, key, self._placeholders(found))
        why = "; ".join([found.why, *reasons] if found.why else reasons)
        return found._replace(holes=holes, why=why) if reasons else found

    def _placeholders(self, found: Found) -> tuple[Spans, list[str]]:
        """The holes of a URL with all that there is evidence for, and the reasons of these."""
        reasons: list[str] = []
        for _ in range(_MOST):
            # All that are shown now, for to judge the URL again costs far more than to look.
            before = found
            added: list[Span] = []
            for (start, end), because in self._shown(before):
                clash = any(a < end and start < b for a, b in added)
                if clash or (start, end) in before.holes:
                    continue
                added.append((start, end))
                others = [hole for hole in found.holes if hole[1] <= start or end <= hole[0]]
                reasons.append(f"{found.text[start:end]!r} is a placeholder: {because}")
                found = found._replace(holes=tuple(sorted([*others, (start, end)])))
            if not added or self._judge.accepts(found):
                break
        return found.holes, reasons

    def _is_pattern(self, found: Found) -> bool:
        """Whether an expression or a wildcard makes the URL wrong, or it is so on purpose."""
        url = found.text
        text = self._source.text
        if url[-1:] == "%" and text[found.end : found.end + 1] in _LINE_ENDS:
            # In PHP, any sign delimits an expression, here the line: "%See http://a/b%".
            return text[text.rfind("\n", 0, found.start) + 1] == "%"
        if not found.linked and _ESCAPED.match(self._source.text, found.end):
            return True
        if found.rule == "URI" and _ESCAPED_SIGN.search(url):  # not where a format expects a URL
            return True
        above = text[max(found.start - _COMMAND, 0) : found.start]
        before = above.rpartition("\n")[2]
        if any(sign in url for sign in _SED.findall(before)):
            return True
        authority = AUTHORITY.match(url, url.find("://") + 3)
        host = authority[0].rpartition("@")[2].partition(":")[0] if authority else ""
        # Wildcards for a whole host, or a part of its name: "http://%/a" of SQL, "http://*.a.example".
        any_host = host == "%" or "*" in host.split(".") or url.endswith((".*", ".+"))
        is_said = not found.linked and _SAID.search(above)
        return any_host or bool(is_said or _ATTACK.search(url) or _DIGEST.search(url))

    def _whole(self, found: Found) -> Found | None:
        """The URI that a URL is the end of: "jdbc:x://a:1,b:2" is opaque (RFC 3986 §3)."""
        text = self._source.text
        prefix = _PREFIX.search(text, max(found.start - 60, 0), found.start)
        if prefix is None or found.rule != "URI" or not is_opaque(prefix[0][:-1], found.text):
            return None
        by, start = len(prefix[0]), prefix.start()
        whole = found._replace(
            start=start,
            text=prefix[0] + found.text,
            places=found.places and (*range(start, found.start), *found.places),
            holes=tuple((a + by, b + by) for a, b in found.holes),
        )
        return whole if self._judge.accepts(whole) else None

    def _shown(self, found: Found) -> Iterator[Shown]:
        """The placeholders that violations are in."""
        url = found.text
        for violation in self._judge.violations(found)[:_MOST]:
            if violation.component == "port":
                yield from _port(found)
            # A violation can be in the part in brackets, at its signs, or at the sign that ends it.
            first, last = violation.start, min(violation.end, violation.start + _MOST)
            yield from self._in_brackets(found, _opener(url, first))
            for at in range(first, last):
                yield from self._in_brackets(found, at)
                yield from _written_otherwise(found, at)
                yield from self._signed(url, at)
                if _WILDCARD.match(url, at) and self._has_wildcards:
                    yield (at, at + 1), "'LIKE' or 'patsubst' is in this file"
                opener = url.rfind(url[at], max(at - _LONG, 0), at)
                if opener >= 0:  # the sign at the end might be wrong
                    yield from self._signed(url, opener)

    def _signed(self, url: str, at: int) -> Iterator[Shown]:
        """A word with a sign before it, or on both sides."""
        others, name, end = "", None, at
        signed = SIGNED.match(url, at)
        if signed is not None:
            sign, word = signed["sign"], signed["word"]
            name = _NAME.match(word)
            word = name[0] if name else word
            end = at + len(sign) + len(word)
            # After an address in brackets comes the name of a network interface (RFC 6874).
            is_zone = name is None and url.rfind("[", 0, at) > url.rfind("]", 0, at)
            others = "" if is_zone else self._others(url, sign, word)
        pair = mirrored(url, at)
        if pair is not None:
            sign, last, goes_on = pair
            # "%NAME%" is one by itself; of "a%b%c", the file has to have the sign elsewhere.
            # "pa@ss@host" is an old mistake; a lone bracket is for others to judge.
            is_lone = sign == "[" or (sign == "@" and not name and url[at - 1] != "/")
            if others or not (goes_on or is_lone):
                yield (at, last), others or f"{sign} is on both sides"
        if others:
            yield (at, end), others

    def _others(self, url: str, sign: str, word: str) -> str:
        """The place with the same sign before the same word outside of URLs, or, for a word in
        capital letters, before another such word; empty if there is none."""
        is_name = _NAME.fullmatch(word) is not None
        if sign[0] in "[^" or (sign == "@" and not is_name):
            return ""  # links, arrays, powers and addresses also have them
        here = Counter(m["word"] for m in SIGNED.finditer(url) if m["sign"] == sign)
        # What is next to it says most, then the file, then its neighbors: "%a/%b" are of one hand.
        beside = {one: 1 for one in here if one != word}
        # "%project/%version.po": two that no escape begins are no slip of the pen, as one may be.
        if sign == "%" and len(beside) > 1:
            beside[word] = here[word]
        like = _like(beside, word, is_name)
        if like:
            return f"so is {sign + like!r} next to it"
        own = Counter(self._words.get(sign, {}))
        own.subtract(here)
        like = _like(own, word, is_name)
        if like:
            return f"so is {sign + like!r} in this file"
        like = _like(_beside(self._source.file).get(sign, {}), word, is_name)
        self.is_borrowed |= bool(like)
        return f"so is {sign + like!r} in a file next to this one" if like else ""

    def _in_brackets(self, found: Found, at: int) -> Iterator[Shown]:
        """A part in brackets; a host, if the file writes what is to be replaced so."""
        yield from _in_brackets(found, at)
        host = _HOST.match(found.text, at) if at == found.text.find("://") + 3 else None
        if host is not None and self._is_notation:
            yield host.span(), "the file has names in brackets that a colon joins"

    @cached_property
    def _is_notation(self) -> bool:
        return _NOTATION.search(self._source.text) is not None

    @cached_property
    def _has_wildcards(self) -> bool:
        return _LIKE.search(self._source.text) is not None

    @cached_property
    def _words(self) -> Signs:
        return _signs(self._source.text)


def _like(words: Mapping[str, int], word: str, is_name: bool) -> str:
    """The word, if it is among some, or else a name among them, if it is one: before a name in
    capitals ("%HOST", "%PORT"), one shows what the sign is; before a word it can be by chance."""
    if words.get(word, 0) > 0:
        return word
    names = (one for one, number in words.items() if number > 0 and _NAME.fullmatch(one))
    return min(names, default="") if is_name else ""


def _signs(text: str) -> Signs:
    """How often each word follows each sign in a text, outside of URLs. Cost: O(n)."""
    found: dict[str, Counter[str]] = {}
    for match in SIGNED_OR_URL.finditer(text):
        if match["sign"]:
            found.setdefault(match["sign"], Counter())[match["word"]] += 1
    return found


def _beside(file: str) -> Signs:
    """The words after each sign in the files that are next to one and end as it does."""
    folder, name = os.path.split(file)
    ending = os.path.splitext(name)[1]
    try:
        if not os.path.isfile(file):
            return {}
        folder = folder or "."
        beside = _first(folder, ending, os.stat(folder).st_mtime_ns)
        stamps = [(path, os.stat(path)) for path in beside]
    except OSError:
        return {}
    return _of_files(tuple((p, s.st_size, s.st_mtime_ns) for p, s in stamps))


@lru_cache(64)
def _first(folder: str, ending: str, changed: int) -> tuple[str, ...]:
    """The first files of a folder by name that end so; ``changed`` is when files came or went."""
    with os.scandir(folder) as entries:
        alike = (e for e in entries if os.path.splitext(e.name)[1] == ending)
        beside = sorted(one.path for one in alike if one.is_file(follow_symlinks=False))
    return tuple(beside[:_NEIGHBORS])


@lru_cache(64)
def _of_files(files: tuple[tuple[str, int, int], ...]) -> Signs:
    found: dict[str, Counter[str]] = {}
    for path, size, _ in files:
        data = read(path, _LARGEST) if size <= _LARGEST else b""
        if isinstance(data, bytes):
            for sign, words in _signs(decoded(path, data).text).items():
                found.setdefault(sign, Counter()).update(words)
    return found


def file_named(file: str, url: str) -> str | None:
    """The path of the file that a reference in a file might name, as it is written; a site is often
    made of a whole tree, so that "/" is its root. A backslash or a colon might be of another
    machine, or of a device: these are not looked for."""
    path = url.partition("#")[0].partition("?")[0]
    if not path.strip("/") or path.startswith("//") or not _FORBIDDEN.isdisjoint(path):
        return None
    folder = os.path.dirname(file)
    return os.path.join(tree_of(folder) if path[0] == "/" else folder, path.lstrip("/"))


def _port(found: Found) -> Iterator[Shown]:
    """A port that is a word, after a host that is one or a placeholder itself."""
    match = AUTHORITY.match(found.text, found.text.find("://") + 3)
    if match is None:
        return
    host, _, port = match[0].rpartition("@")[2].rpartition(":")
    start = match.end() - len(port)
    first = start - 1 - len(host)
    filled = any(a < start - 1 and first < b for a, b in found.holes)
    is_host = "@" in match[0] and "." in port  # "user@password:host.org"
    # "{host}:port" and "server:port" name both. With a path after it, "a:b/c" can be a mistyped
    # port, and so can one letter, or "localhost:port", whose host is real.
    is_word = len(port) > 1 and port.translate(_MARKS).isalpha() and not is_host
    is_last = match.end() == len(found.text) or not port.isascii()
    if is_word and (filled or (is_last and host.isalpha() and host not in {"localhost", port})):
        yield (start, match.end()), f"{host!r} is not a host either"


def _opener(url: str, at: int) -> int:
    """The start of the brackets that an offset is in, or that close there; -1 if in none."""
    depth = 0
    for first in range(at - (url[at : at + 1] == "]"), max(at - _DEEP, -1), -1):
        depth += (url[first : first + 1] == "]") - (url[first : first + 1] == "[")
        if depth < 0:
            return first
    return -1


def _written_otherwise(found: Found, at: int) -> Iterator[Shown]:
    """What is to be filled in by its form, and conversions next to others in a format string."""
    url = found.text
    for form, because in FORMS:
        spans = (match.span() for match in form.finditer(url))
        yield from ((span, because) for span in spans if span[0] <= at < span[1])
    if (only := _ONLY_CONVERSIONS.fullmatch(url)) is not None:
        yield only.span(1), "there is nothing but conversions after the scheme"
    conversion = _CONVERSION.match(url, at)
    others = [url[a:b] for a, b in found.holes if url[a] == "%"]
    if conversion is not None and others:
        yield conversion.span(), f"so is {others[0]!r} next to it"


def _in_brackets(found: Found, at: int) -> Iterator[Shown]:
    """Brackets with an optional part, a range, or a word that is all of a component."""
    url = found.text
    if at < 0 or url[at] != "[":
        return
    depth, end = 0, at
    for end in range(at, min(len(url), at + _DEEP)):
        depth += (url[end] == "[") - (url[end] == "]")
        if depth == 0:
            break
    is_filled = any(start == at + 1 for start, _ in found.holes)
    optional = OPTIONAL.match(url, at) or OPTIONAL.search(url, at + 1, end)  # [host[:port]]
    # "[user@]host", "[{lang}/]", "[:port]": what is in them ends or begins as a part of a URL does.
    if depth == 0 and (url[end - 1] == "@" or is_filled or optional):
        yield (at, end + 1), "the part in brackets is optional"
        return
    first = at  # of a name in capitals before the bracket: "NAME[int]"
    while first > max(at - _LONG, 0) and (url[first - 1].isupper() or url[first - 1] == "_"):
        first -= 1
    of_name = OF_NAME.match(url, first)
    # After a hyphen or a dot, the capitals end a name of files: "The.Movie.x264-AVS[MiXED]".
    if of_name is not None and url[first - 1] not in "-.":
        yield of_name.span(), "a name and its type"
    names = len(BRACKETED.findall(url))
    word = in_brackets(url, at, found.linked)
    part = BRACKETED.match(url, at) if names > 2 and "?" not in url[:at] else None  # noqa: PLR2004
    if part is not None and _SEGMENT.search(url):
        word = part.span()
    if word is None or _HOST.fullmatch(url, *word):
        return
    # A text that a format reads as a link is followed unchanged: one word in it is data.
    several = names > 1
    is_data = found.rule == "URI-reference" and not (found.holes or url[:at].endswith("//"))
    parts = url[word[0] + 1 : word[1] - 1].split(":")
    is_address = len(parts) > 1 and all(map(H16.fullmatch, parts))
    if several or not (is_data or is_address):
        yield word, "a word in brackets is all of a component"
