"""What the name of a value says of it: that it is a URL, or that it never is one.

Owns these names, for all formats with keys. Imports the standard library alone. Invariant: a name
is compared without case, hyphens and underscores.
"""

from __future__ import annotations

from functools import lru_cache

from ...text.patterns import lazy

__all__ = ["is_pattern_key", "is_url_key"]

_URL = frozenset(
    (
        *("url", "uri", "href", "link", "src", "homepage", "website", "website url", "weburl"),
        *("docs", "documentation", "repository", "bugs", "funding", "icon", "iri", "endpoint"),
        *("fileurl", "issues", "changelog", "source", "origin", "referer", "referrer", "redirect"),
        *("location", "resolved", "tarball", "registry", "image", "logo", "avatar", "thumbnail"),
        *("self", "next", "prev", "first", "last", "related", "$schema", "$id", "$ref", "@id"),
        *("starturl", "scope", "servers", "server", "permalink", "canonical", "webhook", "feed"),
    )
)
_URL_END = ("url", "uri", "urls", "uris", "href", "link", "iri")

# Keys of TextMate grammars, of extensions of browsers, of linters: their values are expressions.
_PATTERN = lazy(
    r".*(?:reg(?:ular)?ex(?:p|es|ps)?|pattern|glob)s?"
    r"|match(?:es|er)?|excludematches|begin|end|while|firstlinematch|foldingst(?:art|op)marker"
    r"|urlfilter|selector|xpath|jsonpath|expression|expr|filter"
)


@lru_cache(1_024)
def _plain(key: str) -> str:
    return key.replace("-", "").replace("_", "").lower()


def is_url_key(key: str) -> bool:
    """Whether values of a key are URLs, whatever they look like.

    >>> is_url_key("homepage"), is_url_key("icon_URL"), is_url_key("description")
    (True, True, False)
    """
    plain = _plain(key)
    return plain in _URL or plain.endswith(_URL_END)


def is_pattern_key(key: str) -> bool:
    """Whether values of a key are patterns, in which "://" is no sign of a URL.

    >>> is_pattern_key("urlPatterns"), is_pattern_key("match"), is_pattern_key("url")
    (True, True, False)
    """
    return _PATTERN.fullmatch(_plain(key)) is not None
