"""Words in place of random characters: samples that a class can read.

Owns the words. Imports the workbench on demand. Invariant: only the grammar decides what is valid;
a word is used only if the grammar accepts it there.
"""

from __future__ import annotations

from random import Random

from ...grammar.derive.svg.outline import Box, outline
from ...grammars import explain
from ...rule import Rule

ODD = ' []#%\\|^<>"{}_:/@!,;=~\u00e9\u20ac'
"""Characters that people often misplace; the grammar decides where that is."""

# Words that read well, by the production that they are meant for. Each is used only if the
# production accepts it.
_WORDS = {
    "scheme": ("http", "https", "ftp"),
    "userinfo": ("anna", "ben", "guest"),
    "host": (
        *("example.com", "www.example.org", "shop.test", "localhost", "news.example.net"),
        *("192.0.2.1", "[2001:db8::1]"),
    ),
    "reg-name": ("example.com", "www.example.org", "shop.test", "localhost"),
    "IPv6address": ("::1", "2001:db8::1", "fe80::a:1"),
    "IPvFuture": ("v7.1", "vf.a:b"),
    "port": ("80", "8080", "443"),
    "segment": ("map", "index.html", "news", "2026", "a%20b", "caf%C3%A9"),
    "segment-nz": ("map", "news", "docs", "1.0"),
    "segment-nz-nc": ("map", "news", "docs"),
    "query": ("q=tea", "page=2", "lang=de&x=1", "a=b?c"),
    "fragment": ("top", "part-2", "notes"),
}


def readable(text: str, rule: Rule, random: Random) -> str:
    """A text of a rule with words in place of random characters. Cost: some checks of it."""
    edits: list[tuple[int, int, str]] = []
    waiting = [outline(explain(text, rule.name, rule.grammar))]
    while waiting:
        box = waiting.pop()
        words = (_word(name, box, rule, random) for name in reversed(box.names))
        word = next(filter(None, words), None)
        if word is None:
            waiting += reversed(box.children)
        else:
            edits.append((box.start, box.end, word))
    made = text
    for start, end, word in sorted(edits, reverse=True):
        tried = made[:start] + word + made[end:]
        if rule.is_valid(tried):
            made = tried
    return made


def _word(name: str, box: Box, rule: Rule, random: Random) -> str | None:
    known = _WORDS.get(name)
    if known is None or (box.start == box.end and random.random() < 1 / 2):
        return None
    words = [word for word in known if rule.grammar[name].is_valid(word)]
    return random.choice(words) if words else None


def edited(text: str, random: Random, odd: str = ODD) -> str:
    """A text with one character put in, left out or replaced: it might be valid or not."""
    at = random.randrange(len(text) + 1)
    way = random.random()
    if way < 1 / 5:
        return text[:at] + text[at + 1 :]
    return text[:at] + random.choice(odd) + text[at + (way < 3 / 5) :]
