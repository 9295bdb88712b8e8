r"""Missing, misspelled or doubled schemes, slashes and backslashes.

Owns these recognizers. Imports the grammars, the table of schemes and the rules of advice on them.
Invariant: as of ``_form``.
"""

from __future__ import annotations

import re
from itertools import takewhile
from unicodedata import decomposition, normalize

from ..grammar import registry
from ..grammar.schemes import DATUM, DEFAULT_PORTS, HOSTS, LOCAL, SCHEMES, TYPED, registered
from ..limits import LONGEST_NAME
from ..report import Violation
from ..text.patterns import lazy
from ..validate.divide import spans
from ..validate.plan import Spans, plan_of
from ._form import GENERIC, Correction, Seen, accepts, form
from ._starts import LONGEST_SCHEME, is_known

DEFAULT = "https"
"""What is put before a host without a scheme, as browsers do since 2021."""

LOCAL_DEFAULT = "http"
"""What is put before localhost, an IP address, or a host with a port other than that of https:
they seldom have a certificate."""

_MARKS = 'Write "://" after the scheme, not "{}".'

_NO_COLON = lazy("//")
_FEW_SLASHES = lazy(":(?!//)(?::*+/[:/]*+)?")
_MANY_SLASHES = lazy(":///[:/]*")
_SLIP = lazy("(?!:[:/]*+$|://|//[.])(?=[^/]*+/)[:/]*+(?:[;.,'\"=|-][:/]*+)?")
"""What stands between a scheme and a host; the last has a mark that is beside the colon on
keyboards, or takes its place."""

_FILES = frozenset(
    {"cfg", "conf", "cpp", "docx", "gz", "ini", "java", "js", "jsx", "lock", "log", "php"}
    | {"toml", "ts", "tsx", "webp", "xlsx", "yaml", "yml"}
)
"""Extensions of files that are not top-level domains, beside those of Python's ``mimetypes``."""

_PROGRAMS = frozenset({"md", "py"})
"""Extensions that are countries, too, whose hosts mostly have three labels."""


def after_slashes(text: str) -> dict[str, str]:
    """The components of what would follow "//", by their names. Cost: O(n)."""
    return {name: text[start:end] for name, (start, end) in _after_slashes(text).items()}


def authority_end(text: str, start: int = 0) -> int:
    """Where an authority ends that has a character at ``start`` (RFC 3986 §3.2). Cost: O(n)."""
    return start + _after_slashes(text[start:])["path"][0]


def _after_slashes(text: str) -> Spans:
    slashes = "//"
    found = spans(plan_of(registry.load(GENERIC), "relative-ref"), slashes + text)
    return {
        name: (start - len(slashes), end - len(slashes)) for name, (start, end) in found.items()
    }


def is_host(host: str) -> bool:
    """Whether a text is surely a host: an address, localhost, or a name of the DNS with a dot."""
    if is_address(host) or host.lower() == "localhost":
        return True
    *before, last = host.split(".")
    if not before or len(last) < 2 or before[0].lower() in ("com", "org"):  # noqa: PLR2004
        return False  # such as com.example.App, a name of a program
    if not (last.isalpha() or last.lower().startswith("xn--")):
        return False
    if host.isascii():
        return registry.load("advice-host-look-alike").accepts("host-name", host)
    return all(before) and registry.load("rfc3987").accepts("ireg-name", host)


def is_address(host: str) -> bool:
    """Whether a host is an IP address, as it is written in a URI."""
    return accepts("IP-literal", host) or accepts("IPv4address", host)


def _is_file(host: str) -> bool:
    """Whether a name is that of a file, by its extension."""
    from mimetypes import MimeTypes

    name, _, last = host.lower().rpartition(".")
    if name == "www" or name.startswith("www."):
        return False
    if len(last) < 3:  # noqa: PLR2004 -- a country
        return last in _FILES or (last in _PROGRAMS and "." not in name)
    return last in _FILES or f".{last}" in MimeTypes(()).types_map[True]


def scheme_for(host: str, port: str | None) -> str:
    """The scheme that is likely for a host and port."""
    if port not in (None, ""):
        return DEFAULT if port == DEFAULT_PORTS[DEFAULT] else LOCAL_DEFAULT
    local = is_address(host) or host.lower() == "localhost"
    return LOCAL_DEFAULT if local else DEFAULT


@form("missing-scheme", "The scheme is missing.")
def missing(seen: Seen) -> Correction | None:
    """``www.example.com/a``, ``[::1]:80``, ``://h/``: a host where the scheme should be."""
    first = seen.first
    return _host_first(seen, first) if first and first.component == "scheme" else None


@form("unmarked-host", 'Write "//" before a host.')
def unmarked(seen: Seen) -> Correction | None:
    """``192.168.0.1:80`` as a reference: a host and port where a path is read."""
    first = seen.first
    is_colon = first and first.component == "path" and first.found.startswith(":")
    return _host_first(seen, first) if first and is_colon else None


def _host_first(seen: Seen, first: Violation) -> Correction | None:
    text = seen.text.removeprefix(":").removeprefix("//")
    marked = len(seen.text) - len(text) > 1
    if not marked:
        text = _bracketed(seen.text)
        text = text if "/" in text else text.rstrip(".,;!")  # of the sentence around it
    parts = after_slashes(text)
    host, port = parts.get("host", ""), parts.get("port")
    if not (host and _begins(parts, marked) and (port is None or accepts("port", port))):
        return None
    shell = parts.get("userinfo") == "git" or (is_address(host) and "userinfo" in parts)
    texts = [f"{'ssh' if shell else scheme_for(host, port)}://{text}"]
    if first.kind != "missing":  # perhaps a reference is enough
        texts.insert(0, f"//{text}")
    return Correction(tuple(texts), spans=((first.start, first.end),))


def _begins(parts: dict[str, str], marked: bool) -> bool:
    """Whether a text begins with a host rather than with a path."""
    host, port, path = parts["host"], parts.get("port"), parts.get("path", "")
    if marked:  # with slashes before it
        return accepts("host", host) or is_host(host)
    if "userinfo" in parts:
        return ":" not in parts["userinfo"] and is_host(host) and (path != "" or is_address(host))
    if is_address(host):  # a number after it is the length of a prefix: 10.0.0.0/8
        return not (path[1:].isdecimal() and len(path) < 5)  # noqa: PLR2004
    if is_host(host):
        return port != "" and (bool(path) or port is not None or not _is_file(host))
    return _is_server(host, port)


def _is_server(host: str, port: str | None) -> bool:
    """A name within a network, with a port: ``db_server:5432``."""
    if port is None or len(port) < 2 or registered(host) is not None:  # noqa: PLR2004
        return False
    return any(map(str.isalpha, host)) and accepts("reg-name", host)


def _bracketed(text: str) -> str:
    """A text with brackets around the IPv6 address that it begins with."""
    authority, slash, rest = text.partition("/")
    return f"[{authority}]{slash}{rest}" if accepts("IPv6address", authority) else text


@form("host-port-as-scheme", 'Without "//" before it, "{}" is read as the scheme.')
def host_and_port(seen: Seen) -> Correction | None:
    """``localhost:8080/a``, in which the host is read as the scheme."""
    from ..advice.scheme import port_after

    name = seen.component("scheme")
    if not name or not accepts("host", name) or not port_after(name, seen.component("path") or ""):
        return None
    port = after_slashes(seen.text).get("port")
    texts = (f"{scheme_for(name, port)}://{seen.text}", f"//{seen.text}")
    return Correction(
        texts[:1] if seen.report.ok else texts, name[:LONGEST_SCHEME], ((0, len(name)),)
    )


@form("misspelled-scheme", 'The scheme "{}" is misspelled.', slip=True)
def misspelled(seen: Seen) -> Correction | None:
    """``htps://h/``: the advice of this code knows which scheme is near. ``ht_tp://h/``, too."""
    from ..advice.scheme import near

    first, written = seen.first, seen.text[: LONGEST_SCHEME + 1].partition(":")[0]
    rest = seen.text[len(written) :]
    if accepts("scheme", written):
        found = near(written) if seen.component("scheme") == written else []
    elif first is None:
        return None
    elif first.start <= len(written) and written[:1].isalnum() and rest.startswith(":/"):
        letters = "".join([c for c in written if accepts("ALPHA", c)])
        found = [letters.lower()] if letters.lower() in SCHEMES else near(letters)
    else:
        return None
    if not found:
        return None
    return Correction(tuple([one + rest for one in found]), written, ((0, len(written)),))


def _start(text: str) -> tuple[str, str, str] | None:
    """The letters that a text begins with, all punctuation after it, and the rest."""
    name = "".join(takewhile(lambda c: accepts("ALPHA", c), text[:LONGEST_SCHEME]))
    at = len(name)
    marks = "".join(
        takewhile(lambda c: not (c.isalnum() or c == "["), text[at : at + LONGEST_SCHEME])
    )
    rest = text[at + len(marks) :]
    return (name, marks, rest) if name and marks and rest else None


def _marked(seen: Seen, wrong: re.Pattern[str]) -> Correction | None:
    """What begins with a known scheme and the wrong marks instead of "://"."""
    name, marks, rest = _start(seen.text) or ("", "", "")
    if not marks or not wrong.fullmatch(marks):
        return None
    # No name of the DNS is longer, and what follows the host does not matter here.
    host = after_slashes(rest[:LONGEST_NAME]).get("host", "")
    likely = name.lower() in HOSTS or (marks[0] != ":" and is_host(host))
    if not (host and likely and (marks == "//" or is_known(name))):
        return None
    ends = ":" if name.lower() in DATUM else "://"
    end = len(name) + len(marks)
    return Correction((f"{name}{ends}{rest}",), marks, ((0, end), (end, end)))


@form("missing-colon", 'The ":" after the scheme is missing.')
def missing_colon(seen: Seen) -> Correction | None:
    """``http//h/``."""
    return _marked(seen, _NO_COLON)


@form("missing-slashes", _MARKS, slip=True)
def missing_slashes(seen: Seen) -> Correction | None:
    """``http:h``, ``http:/h``, ``http:://h``; ``std::http::wait`` is not a URI at all."""
    return _marked(seen, _FEW_SLASHES)


@form("empty-host", _MARKS)
def empty_host(seen: Seen) -> Correction | None:
    """``http:///h``."""
    return _marked(seen, _MANY_SLASHES)


@form("no-separator", 'The "://" after the scheme is missing.')
def no_marks(seen: Seen) -> Correction | None:
    """``https www.h``, ``https.www.h``, ``httpswww.h``: nothing but "www." tells where it ends."""
    name, _, rest = seen.text[:LONGEST_SCHEME].partition("www.")
    bare = name.rstrip(" .")
    if not rest or bare.lower() not in HOSTS or len(name) - len(bare) > 1:
        return None
    return Correction((f"{bare}://{seen.text[len(name) :]}",), spans=((0, len(name)),))


@form("wrong-separator", _MARKS)
def wrong_marks(seen: Seen) -> Correction | None:
    """``https;//h``, ``http//:h``."""
    return _marked(seen, _SLIP)


@form("doubled-scheme", "The scheme is written twice.", slip=True)
def doubled(seen: Seen) -> Correction | None:
    """``http://https://h``, ``http://http//h``, ``http:http://h``."""
    name, host = seen.component("scheme"), seen.component("host")
    path, port = seen.component("path") or "", seen.component("port") or ""
    if name is None or name.lower() not in HOSTS:
        return None
    if host is None:
        inner, slashes, _ = path[:LONGEST_SCHEME].lstrip("/").partition("//")
        inner, twice = inner.removesuffix(":"), bool(slashes)
    else:
        inner = host.lower().removeprefix("www.")
        twice = path.startswith("//") or not accepts("port", port)
    if not twice or inner.lower() not in HOSTS:
        return None
    at = seen.text.lower().index(inner.lower(), len(name) + 1)
    return Correction((seen.text[at:],), spans=((len(name), at + len(inner) + 1),))


@form("forbidden-scheme", 'The scheme "{}" is not allowed here.')
def forbidden(seen: Seen) -> Correction | None:
    """``http://h/a`` where a relative reference is needed: the scheme is left out."""
    first, text = seen.first, seen.text
    if first is None or first.component != "path" or not first.found.startswith(":"):
        return None
    name, rest = text[: first.start], text[first.start + 1 :]
    is_marked = rest.startswith("//")
    if first.start > LONGEST_SCHEME or not (is_marked or accepts("scheme", name)):
        return None
    return Correction((rest,) if is_marked else (), name, ((0, first.end),))


@form("relative-reference", "This is a relative reference; a URI starts with a scheme.")
def relative(seen: Seen) -> Correction | None:
    """``a/b``, which a reference may be."""
    first, text = seen.first, seen.text
    if first is None or not (first.component == "scheme" and first.kind == "missing" and text):
        return None
    return Correction(spans=((0, 0),)) if accepts("relative-ref", text) else None


@form("space-in-scheme", "A space is not allowed {}.")
def spaced(seen: Seen) -> Correction | None:
    """``ht tp://h``, ``http: //h``, ``http:// h``, ``mailto: a@b``."""
    text = seen.text
    if " " not in text[:LONGEST_SCHEME] or text.startswith(" "):
        return None
    words, _, last = text[:LONGEST_SCHEME].partition(":")[0].rpartition(" ")
    if words and "+" in last and is_known(last):
        return None  # the words would become a part of the scheme: pip install git+https://h
    name, colon, _ = text[:LONGEST_SCHEME].replace(" ", "").partition(":")
    ends = "://" if text[:LONGEST_SCHEME].replace(" ", "").startswith("//", len(name) + 1) else ":"
    alone = text.startswith(f"{name}: ") and (name.lower() in TYPED - HOSTS or _is_datum(text))
    apart = ends == ":" and not alone
    if not colon or apart or not (is_known(name) or text.startswith(f"{name} ://")):
        return None
    at = _length(text, len(name) + len(ends))
    rest = text[at:].lstrip(" ")
    before = text[: len(text) - len(rest)]
    if " " not in before or not rest:
        return None
    shown = before.rstrip(" ")
    about = f'{"in" if " " in shown else "after"} "{shown}"'
    return Correction((name + ends + rest,), about, ((0, len(before)),))


def _is_datum(text: str) -> bool:
    """Whether one word follows a scheme, and no URI: ``doi: 10.1000/182``."""
    word = text.partition(": ")[2].strip(" ")
    return not any(map(str.isspace, word)) and "://" not in word and "www." not in word


def _length(text: str, count: int) -> int:
    """How many characters have this many that are not spaces."""
    for at, char in enumerate(text):
        count -= char != " "
        if count == 0:
            return at + 1
    return len(text)


@form("url-prefix", 'The prefix "URL:" is not part of the URI.')
def url_prefix(seen: Seen) -> Correction | None:
    """``URL:http://h``, ``URL: http://h``."""
    if seen.text[:4].lower() != "url:" or not seen.text[4:].strip():
        return None
    return Correction((seen.text[4:].strip(" "),), spans=((0, 5),))


@form("full-width", 'URIs use ASCII characters, not full-width ones such as "{}".')
def wide(seen: Seen) -> Correction | None:
    """Full-width delimiters, digits or letters before a path, or an ideographic full stop."""
    text = seen.text
    if text.isascii():
        return None
    narrow = "".join([_narrow(char) for char in text])
    start = narrow[:LONGEST_SCHEME].find("://") + len("://")
    start = start if start >= len("://") else 0
    end = min(authority_end(narrow, start) + 1, len(text))  # with the delimiter after it
    found = [char for char, plain in zip(text[:end], narrow[:end], strict=True) if char != plain]
    host = after_slashes(narrow[start:])["host"]
    if not found or not (start or (host.isascii() and is_host(host))):
        return None
    rest = text[end:]  # its letters are data, and all of it is, unless delimiters are wide
    if any(not (char.isalnum() or char in _FULL_STOPS) for char in found):
        rest = "".join([c if c.isalpha() else _narrow(c) for c in rest])
    about = "".join(dict.fromkeys(found))[:5]
    return Correction((narrow[:end] + rest,), about, ((0, end),))


_FULL_STOPS = frozenset("\u3002\uff0e\uff61")
"""What separates labels as a full stop does (RFC 3490 §3.1)."""


def _narrow(char: str) -> str:
    """The ASCII form of a full-width character; another character, as it is."""
    if char in _FULL_STOPS:
        return "."
    if char.isascii() or not decomposition(char).startswith("<wide>"):
        return char
    plain = normalize("NFKC", char)
    return plain if plain.isascii() and not plain.isspace() else char


@form("backslash", 'URIs use "/", not "\\".')
def backslashes(seen: Seen) -> Correction | None:
    r"""``http:\\h\a``, ``http://h/a\b``, ``..\a``; not in a query, nor in user information."""
    text, name = seen.text, seen.component("scheme")
    if "\\" not in text or "\\" in (seen.component("userinfo") or ""):
        return None
    host = seen.component("host")
    if name is not None and host is None and _is_data(name, text):
        return None
    end = next((at for at, char in enumerate(text) if char in ("?", "#")), len(text))
    found = [at for at in range(end) if text[at] == "\\"]
    if not found:
        return None
    meant = text[:end].replace("\\", "/")
    doubled = name is not None and text.startswith("\\\\", len(name) + 1)
    if name is not None and (name.lower() in HOSTS or (doubled and name.lower() not in LOCAL)):
        meant = f"{name}://{meant[len(name) + 1 :].lstrip('/')}"
    return Correction((meant + text[end:],), spans=tuple([(at, at + 1) for at in found]))


def _is_data(name: str, text: str) -> bool:
    """Whether what follows a scheme is data, in which a backslash may stand."""
    from ..advice.scheme import port_after

    rest = text[len(name) + 1 :].replace("\\", "/")
    return not (name.lower() in HOSTS | LOCAL.keys() or rest[:2] == "//" or port_after(name, rest))


@form("drive-bar", 'A drive letter is followed by ":", not "|".')
def drive_bar(seen: Seen) -> Correction | None:
    """``file:///C|/a`` (RFC 8089 Appendix E.2.2)."""
    text = seen.text
    at = text[:LONGEST_SCHEME].find("|")
    if at < 0 or text[:5].lower() != "file:" or not accepts("ALPHA", text[at - 1]):
        return None
    if text[5 : at - 1].strip("/") not in ("", "localhost"):
        return None
    if text[at + 1 : at + 2] not in ("/", "\\", ""):
        return None
    return Correction((f"{text[:at]}:{text[at + 1 :]}",), spans=((at, at + 1),))


@form("empty-port", "A file URI has three slashes before a drive letter.")
def file_drive(seen: Seen) -> Correction | None:
    r"""``file://C:/a``, ``file:C:\a``: not three slashes before the letter of a drive."""
    text = seen.text
    if text[:5].lower() != "file:":
        return None
    path = text[5:].lstrip("/\\")
    marks = text[5 : len(text) - len(path)].replace("\\", "/")
    if not is_drive(path) or marks == "///" or (marks != "//" and "\\" not in text):
        return None
    return Correction((f"file:///{path.replace(chr(92), '/')}",), spans=((5, len(text)),))


@form("local-file", "A file URI has three slashes before a path.")
def file_root(seen: Seen) -> Correction | None:
    """``file://home/ann/a``: a folder where the host is."""
    from ..advice.scheme import ROOTS

    host = seen.report.components.get("host")
    if host is None or host.text not in ROOTS or seen.text[: host.start].lower() != "file://":
        return None
    return Correction((f"file:///{seen.text[host.start :]}",), spans=((5, host.end),))


def is_drive(path: str) -> bool:
    r"""Whether a path begins with the letter of a drive: ``C:\`` or ``C:/``."""
    return accepts("ALPHA", path[:1]) and path[1:3] in (":/", ":\\") and path[1:4] != "://"
