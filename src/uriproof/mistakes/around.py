"""What stands around a URI: quotation marks, brackets, markup, white space.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations

from ..advice import _marks as marks
from ..advice._marks import BRACKETS, CLOSING, PUNCTUATION, QUOTES
from ..text.drawing import named
from ._form import Correction, Seen, form
from ._starts import are_several, is_known, is_uri, starts
from .scheme import is_host

_LEGAL = frozenset("'*_)")  # at the end of a URI they may be part of it
_MOST = 40
_ESCAPE = "\x1b"
_MARKS_OF_A_NAME = "./:@"
_FINAL_TAGS = ("</", "<br", "<BR")
_ATTRIBUTES = ("href", "src", "srcset", "action", "content", "data-src", "xlink:href")
_LABELS = ("url", "uri", "link")


# Characters that are not seen


@form("byte-order-mark", "The byte order mark at the start is not part of the URI.", any_rule=True)
def byte_order_mark(seen: Seen) -> Correction | None:
    """U+FEFF before all else: a file that was read in an encoding without it."""
    if not seen.text.startswith("\ufeff"):
        return None
    return seen.inside(seen.text.lstrip("\ufeff"))


@form("invisible-character", "There is an invisible character in the text: {}.", any_rule=True)
def invisible(seen: Seen) -> Correction | None:
    """A zero width space in a host, for example: characters without a shape."""
    return _unseen(seen, "is invisible")


@form("text-direction", "{} changes the direction in which text is displayed.", any_rule=True)
def direction(seen: Seen) -> Correction | None:
    """``http://h/\u202egnp.exe``: what comes after is displayed from right to left."""
    return _unseen(seen, "changes")


@form("control-character", "There is a control character in the text: {}.", any_rule=True)
def control(seen: Seen) -> Correction | None:
    r"""``http://h/a\x00b``; in a whole text, not the white space among them."""
    return _unseen(seen, "is a control", "ends a line")


@form("other-space", "{} is not an ordinary space.", any_rule=True)
def other_space(seen: Seen) -> Correction | None:
    """``http://h/a\u00a0b``: a space that is not the space of the keyboard."""
    return _unseen(seen, "is not an ordinary space")


def _unseen(seen: Seen, *reasons: str) -> Correction | None:
    """The first character that is hidden for one of these reasons, and the text without any."""
    text, found = seen.text, seen.hidden
    first = next((at for at, why in found.items() if why.startswith(reasons)), None)
    if first is None:
        return None
    if text[first] == _ESCAPE:  # sequences color the text in a terminal (ECMA-48 §8.3.117)
        start, *pieces = text.split(f"{_ESCAPE}[")
        removed = "".join([start, *(piece.partition("m")[2] for piece in pieces)])
        return Correction((removed.replace(_ESCAPE, ""),), named(_ESCAPE))
    removed = "".join([char for at, char in enumerate(text) if at not in found])
    spaced = "".join([" " if "space" in found.get(at, "") else c for at, c in enumerate(text)])
    texts = (spaced, removed) if "space" in found[first] else (removed,)
    return Correction(texts, named(text[first]), tuple([(at, at + 1) for at in found]))


# White space


@form("white-space-around", "The {} is not part of the URI.")
def at_ends(seen: Seen) -> Correction | None:
    """`` http://h/ ``: pasted with the text around it."""
    text = seen.text
    bare = text.strip()
    if bare == text or not bare or are_several(text):
        return None
    start = text[: len(text) - len(text.lstrip())]
    end = text[len(text.rstrip()) :]
    where = "at both ends" if start and end else f"at the {'start' if start else 'end'}"
    return seen.inside(bare, about=f"{_white(start + end)} {where}")


def _white(found: str) -> str:
    """What white space is called."""
    if found == " ":
        return "space"
    if found in ("\n", "\r\n", "\r"):
        return "line break"
    if found == "\t":
        return "tab"
    return "no-break space" if found == "\u00a0" else "white space"


@form("line-break", "The {} is not part of the URI.")
def line_breaks(seen: Seen) -> Correction | None:
    """A URI that was wrapped (RFC 3986 Appendix C), unless each line has one of its own."""
    if seen.text.isprintable():
        return None
    lines = [line.strip() for line in seen.text.replace("\t", "\n").splitlines()]
    lines = [line for line in lines if line]
    if len(lines) < 2 or are_several(seen.text):  # noqa: PLR2004 -- one before
        return None
    words = any(" " in line for line in lines)
    texts = (lines[0],) if words else ("".join(lines),)
    only_tabs = len(seen.text.splitlines()) == 1
    spaces = tuple([(at, at + 1) for at, char in enumerate(seen.text) if char.isspace()])
    return Correction(texts, "tab" if only_tabs else "line break", spaces)


# Markup


@form("markup", "This is {}.")
def markup(seen: Seen) -> Correction | None:
    """``[t](http://h/)``, ``<a href="http://h/">``, ``url(http://h/)`` and the like."""
    text = seen.text
    if is_uri(text):
        return _ascii_doc(text)
    for read in (_markdown, _structured, _wiki, _attribute, _element, _css, _tex):
        found = read(text)
        if found is not None:
            return found
    return None


def _markdown(text: str) -> Correction | None:
    """``[t](http://h/ "title")``, ``![t](h.png)``, ``[t]: http://h/``."""
    opening = text.find("[")
    at = text.find("](", opening)
    is_image = text.startswith("!")
    if opening >= 0 and at >= 0:
        target = text[at + 2 : marks.closing(text, at + 1)].strip()
        about = "a Markdown image" if is_image else "a Markdown link"
        return Correction((_target(target),), about)
    if opening == 0 and (at := text.find("]: ")) >= 0:
        return Correction((_target(text[at + 3 :].strip()),), "a Markdown link")
    return None


def _target(text: str) -> str:
    """The target of a link in Markdown, without its title and angle brackets."""
    if text.startswith("<"):
        return text[1:].partition(">")[0]
    for quote in ('"', "'", "("):
        if text.endswith((quote, ")")) and (at := text.find(f" {quote}")) > 0:
            return text[:at].strip()
    return text


def _structured(text: str) -> Correction | None:
    """```t <http://h/>`_`` of reStructuredText, and ``link:http://h/[t]`` of AsciiDoc."""
    if text.startswith("`") and text.rstrip("_").endswith(">`") and "<" in text:
        target = text[text.rindex("<") + 1 : text.rindex(">")]
        return Correction((target,), "a reStructuredText link")
    if text.startswith("link:") and text.endswith("]") and "[" in text:
        return Correction((text[len("link:") : text.rindex("[")],), "an AsciiDoc link")
    return None


def _ascii_doc(text: str) -> Correction | None:
    """``https://h[The documents]``: after a host, or of several words."""
    at = text.rfind("[")
    words = text[at + 1 : -1]
    host = at >= 0 and "/" not in text[:at].partition("://")[2]
    if not text.endswith("]") or at < 1 or not words[:1].isalpha() or text[at - 1] in "/=.":
        return None
    return Correction((text[:at],), "an AsciiDoc link") if host or " " in words else None


def _tex(text: str) -> Correction | None:
    r"""``\url{http://h/}``, ``\href{http://h/}{t}``."""
    command, brace, _ = text.partition("{")
    if command not in ("\\url", "\\href") or not brace:
        return None
    return Correction((text[len(command) + 1 : marks.closing(text, len(command))],), "LaTeX")


def _wiki(text: str) -> Correction | None:
    """``[http://h/ t]`` of MediaWiki, ``[[http://h/][t]]`` of Org."""
    inner = text.strip("[]")
    tag, _, rest = inner.partition("]")
    if text.startswith("[") and tag[:3].lower() == "url" and rest.lower().endswith("[/url"):
        return Correction((tag[4:] or rest[: -len("[/url")],), "a BBCode link")
    _, bar, target = inner.rpartition("|")
    if text.startswith("[") and text.endswith("]") and bar and is_uri(target):
        return Correction((target,), "a Jira link")
    if not text.startswith("[") or not text.endswith("]") or not is_uri(inner):
        return None
    if text.startswith("[[") and ("][" in inner or text.endswith("]]")):
        return Correction((inner.partition("][")[0].partition("|")[0],), "an Org link")
    if " " in inner and len(starts(inner)) == 1:
        return Correction((inner.partition(" ")[0],), "a MediaWiki link")
    return None


def _attribute(text: str) -> Correction | None:
    """``<a href="http://h/">t</a>``, ``src='http://h/'``."""
    is_tag = text.startswith("<") and text[1:2].isalpha()
    for name in _ATTRIBUTES:
        at = _named(text, name, 0 if not is_tag else None)
        value = text[at + len(name) :].lstrip() if at >= 0 else ""
        if value.startswith("="):
            meant = _value(value[1:].lstrip())
            quoted = value[1:].lstrip()[:1] in ('"', "'")
            if meant and (is_tag or quoted or is_uri(meant)):
                return Correction((meant,), "HTML" if is_tag else "an HTML attribute")
    return None


def _named(text: str, name: str, only: int | None) -> int:
    """Where an attribute of that name stands: at the start, or after white space; else -1."""
    lower = text.lower() if text.isascii() else text
    if only is not None:
        return 0 if lower.startswith(name) else -1
    at = lower.find(name)
    while at >= 0 and not lower[at - 1].isspace():
        at = lower.find(name, at + 1)
    return at


def _value(text: str) -> str:
    """The value that stands at the start of a text, in quotation marks or not."""
    if text[:1] in ('"', "'"):
        return text[1:].partition(text[0])[0]
    return (text.split() or [""])[0].partition(">")[0]


def _element(text: str) -> Correction | None:
    """``<loc>http://h/</loc>``, ``<http://h/|t>`` of Slack, a field ``<http://h/>; rel=next``."""
    if text.startswith("<") and is_uri(text[1:]):
        inner, _, after = text[1:].partition(">")
        if after.startswith(";"):
            return Correction((inner,), "an HTTP Link header")
        return Correction((inner.partition("|")[0],), "a Slack link") if "|" in inner else None
    if not text.startswith("<") or not text.endswith(">") or "</" not in text:
        return None
    inner = text[text.index(">") + 1 : text.rindex("</")].strip()
    if not inner or "<" in inner:
        return None
    return Correction((inner,), "an XML element")


def _css(text: str) -> Correction | None:
    """``url("http://h/")``, also as the value of a property."""
    before, opening, _ = text.partition("url(")
    if not opening or "/" in before or "?" in before:
        return None
    inner = text[len(before) + len(opening) : marks.closing(text, len(before) + len("url"))].strip()
    return Correction((_value(inner) if inner[:1] in ('"', "'") else inner,), "CSS")


@form("markup-after", "The HTML after the URI is not part of it.")
def tags_after(seen: Seen) -> Correction | None:
    """``http://h/">t</a>``, ``http://h/</p>``, ``http://h/<br>``: copied out of a page's source."""
    text = seen.text
    if not is_uri(text) or not ("<" in text or '"' in text):
        return None
    tag, at = text.find("<"), text.find('"')
    after = text[at + 1 : at + _MOST]
    ends = after.startswith((">", "/>")) or (after[:1].isspace() and '="' in after)
    if at > 0 and (tag < 0 or at < tag) and ends:
        return seen.inside(text[:at])
    return seen.inside(text[:tag]) if tag > 0 and text.startswith(_FINAL_TAGS, tag) else None


@form("title-after", "The title after the URI is not part of it.")
def title_after(seen: Seen) -> Correction | None:
    """``http://h/ "Title"``: the target of a Markdown link, without the link."""
    if seen.text[-1:] not in ('"', "'"):
        return None
    bare = _target(seen.text)  # a segment that starts with a space is not a title
    is_title = bare != seen.text and bare.endswith("/") and is_uri(bare)
    is_title = is_title and not any(mark in bare for mark in " ?#")
    return seen.inside(bare) if is_title else None


# Quotation marks and brackets


@form("wrapped", "The {} are not part of the URI.")
def wrapped(seen: Seen) -> Correction | None:
    """``"http://h/"``, ``(http://h/).``, ``<URL:http://h/>``: Appendix C of RFC 3986."""
    text = seen.text
    for body in (text, text.rstrip(PUNCTUATION)):
        inner = _inner(body)
        if inner is not None and not are_several(inner):
            return seen.inside(inner, about=marks.plural(body[0]))
    return None


def _inner(text: str) -> str | None:
    """What stands between the marks around a text, if these are one pair."""
    opener, inner = text[:1], text[1:-1].strip()
    if not inner or not (opener in QUOTES or opener in BRACKETS):
        return None
    if opener in QUOTES:
        closers = QUOTES[opener]
        inner = inner.strip(opener + closers)
        single = text[-1] in closers and not any(closer in inner for closer in closers)
        return inner if single and _is_like_a_uri(inner) else None
    if marks.closing(text, 0) != len(text) - 1:
        return None
    if opener == "<" and inner[:4].upper() == "URL:":
        return inner[4:].strip()
    good = is_uri(inner) or (opener not in "[{" and _is_like_a_uri(inner))
    return inner if good else None


def _is_like_a_uri(text: str) -> bool:
    return any(char in text for char in _MARKS_OF_A_NAME)


@form("mark-before-host", "The {} before the host is not part of the URI.")
def before_host(seen: Seen) -> Correction | None:
    """``http://"h/``: a quotation mark of the place from which a host was copied."""
    text, first = seen.text, seen.first
    if first is None or first.start < 2 or first.found[:1] not in QUOTES:  # noqa: PLR2004
        return None
    if text[first.start - 2 : first.start] != "//":
        return None
    mark = first.found[0]
    closers = mark + QUOTES[mark]
    bare = "".join([char for char in text if char not in closers])
    return Correction((bare,), marks.name(mark), ((first.start, first.start + 1),))


@form("mark-before", "The {} at the start is not part of the URI.")
def opening(seen: Seen) -> Correction | None:
    """``"http://h/``: the other one was not copied."""
    text = seen.text
    first = text[:1]
    if not (first in QUOTES or first in BRACKETS) or not is_uri(text[1:]) or are_several(text):
        return None
    meant = text[1:] if first in "([{" else marks.quoted(first, text[1:])
    return Correction((meant,), marks.name(first), ((0, 1),))


@form("mark-after", "The {} at the end is not part of the URI.")
def closing(seen: Seen) -> Correction | None:
    """``http://h/"``, ``http://h/>,``, ``http://h/");``: what ends the text around it."""
    text = seen.text
    if text[-1:] not in CLOSING and text[-1:] not in PUNCTUATION:
        return None
    bare = text.rstrip("".join(CLOSING) + PUNCTUATION)
    end = text[len(bare) :].lstrip("".join(_LEGAL) + PUNCTUATION)
    first, at = end[:1], len(text) - len(end)
    if not first or not is_uri(text) or text[at - 1] == "=":
        return None
    openers = (one for one, ends in (QUOTES | BRACKETS).items() if first in ends)
    if any(one in text[:at] for one in openers):  # then it is part of the URI
        return None
    return seen.inside(text[:at], about=marks.name(first))


# Labels


@form("text-before", "{} is not part of the URI.")
def label(seen: Seen) -> Correction | None:
    """``URL: http://h/``, ``see http://h/``, ``-> http://h/``, ``GET http://h/ HTTP/1.1``."""
    text = seen.text
    if is_uri(text) or not (":" in text or "www." in text or (" " in text and "/" in text)):
        return None
    found = starts(text)
    if not found:
        return _labelled(seen)
    if are_several(text):
        return None
    before = text[: found[0].at]
    if not _is_label(before):
        return None
    rest = text[found[0].at :]
    if before[-1:] in QUOTES or before[-1:] in BRACKETS:
        token = marks.quoted(before[-1], rest)
    else:
        token = rest.split()[0].rstrip(PUNCTUATION)
    spaced = before.rstrip()[-1:] in (":", "=") and rest.startswith(f"{token} ")
    texts = (token, rest) if spaced else (token,)
    return seen.inside(*texts, about=_about(before, rest[len(token) :].strip(PUNCTUATION)))


def _labelled(seen: Seen) -> Correction | None:
    """``Site: example.org/a``: a word that is not a scheme, and something with dots and slashes."""
    text = seen.text
    if ":" not in text:
        return _among_words(seen)
    word, colon, rest = text.partition(":")
    token = (rest.split() or [""])[0]
    spaced = bool(colon) and rest[:1].isspace() and word.replace(" ", "").isalpha()
    if not any(char.isalpha() for char in token) or is_known(word.strip()) or not spaced:
        return None
    if not ("." in token[:-1] or "/" in token[:-1]):
        return None
    bare = token.rstrip(PUNCTUATION)
    return seen.inside(bare, about=_about(f"{word}:", rest.strip()[len(bare) :]))


def _among_words(seen: Seen) -> Correction | None:
    """``Check example.org/a for more``: one host with a path, and words beside it."""
    words = seen.text.split()
    found = [word for word in words if "/" in word or "@" in word]
    if len(found) != 1 or found[0] == words[0]:
        return None
    if not all(word.rstrip(PUNCTUATION).isalpha() for word in words if word != found[0]):
        return None
    host, slash, _ = found[0].partition("/")
    plain = host.rpartition(".")[2].isalpha() and is_host(host)
    if not (slash and plain):
        return None
    return seen.inside(found[0].rstrip(PUNCTUATION), about="The rest of the text")


def _is_label(before: str) -> bool:
    """Words, or one word with a mark after it, and nothing of a URI."""
    if before[-1].isspace() and not any(char.isalnum() for char in before):
        return True
    if is_uri(before) or any(char in before for char in "/?#%"):
        return False
    if before[-1].isspace() or not any(char.isalnum() for char in before):
        return True
    word, mark = before[:-1], before[-1]
    if any(char.isspace() for char in before) or before[-1:] in "\"'`<([{":
        return True
    return mark == "=" or (mark == ":" and word.lower() in _LABELS)


def _about(before: str, after: str) -> str:
    """What is not part of the URI, unless it is long, or may hold a password."""
    shown = before.strip("\"'`<([{ \t").replace('"', "")
    known = (
        0 < len(shown) <= _MOST // 2
        and shown.isprintable()
        and (shown[0] != "-" or not shown[-1].isalnum())
    )
    secret = any(mark in shown[:-1] for mark in (":", "=", " -")) and shown[0].isalnum()
    marked = any(mark in shown for mark in "\"'[]<>")
    if marked or after.strip("\"'`>)]} \n.,;:!?") or not known or secret:
        return "The rest of the text"
    return f'"{shown}"'
