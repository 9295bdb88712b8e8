r"""Paths of files, e-mail addresses, Git's short form, JDBC.

Owns these recognizers. Imports the grammars and ``scheme``. Invariant: as of ``_form``.
"""

from __future__ import annotations

import re

from ..advice._marks import PUNCTUATION
from ..grammar import registry
from ..validate.octets import encoded_character
from ._form import Correction, Seen, accepts, form
from .scheme import is_address, is_drive, is_host

_MAILTO = "mailto:"
_HOMES = frozenset({"home", "Users"})


@form("windows-path", "This is a Windows path, not a URI.")
def windows_path(seen: Seen) -> Correction | None:
    r"""``C:\a``, ``C:/my file``, ``\\server\share``, ``/C:/a`` (RFC 8089 Appendix E)."""
    text = seen.text
    path = text.removeprefix("\\\\?\\").lstrip("/") if text[:1] in ("/", "\\") else text
    if is_drive(path) or (path[1:3] in ("|\\", "|/") and accepts("ALPHA", path[:1])):
        folders = _slashed(path[3:]) if "\\" in path else path[3:]
        return Correction((f"file:///{path[0]}:/{folders}",))
    if not text.startswith("\\\\") or not text.strip("\\"):
        return None
    server, _, folders = text.lstrip("\\").partition("\\")
    if not accepts("host", server) or server in (".", "?"):
        return Correction()  # a device
    return Correction((f"file://{server}/{_slashed(folders)}",))


def _slashed(path: str) -> str:
    """A path with backslashes as one of a URI: doubled ones come from an escape."""
    folders = path.replace("\\", "/").replace("#", "%23").split("/")
    return "/".join([*filter(None, folders[:-1]), folders[-1]])


@form("file-path", "This is the path of a file, not a URI.")
def unix_path(seen: Seen) -> Correction | None:
    """``/home/ann/my file.txt``, ``~/a``: in folders of their own that sites seldom have."""
    from ..advice.scheme import ROOTS

    text, first = seen.text, seen.first
    if first is None or first.kind != "missing" or first.component != "scheme":
        return None
    if text.startswith("~/") and len(text) > 2:  # noqa: PLR2004
        return Correction()  # which folder that is, only the machine knows
    root, _, rest = text[1:].partition("/")
    user, _, file = rest.partition("/")
    likely = user if root not in _HOMES else user and "." in file
    if not (text.startswith("/") and likely and root in ROOTS) or "?" in text:
        return None
    if any(map(str.isspace, text)) and "." not in rest.rpartition("/")[2].rstrip(PUNCTUATION):
        return None  # a sentence: /var/www is broken
    return Correction((f"file://{text.replace('#', '%23')}",))


@form("email-address", "This is an e-mail address, not a URI.")
def email(seen: Seen) -> Correction | None:
    """``ann@e.com``, ``Ann <ann@e.com>``."""
    return _of_email(seen, several=False)


@form("email-addresses", "These are e-mail addresses, not a URI.")
def emails(seen: Seen) -> Correction | None:
    """``ann@e.com, bob@e.com``."""
    return _of_email(seen, several=True)


def _of_email(seen: Seen, several: bool) -> Correction | None:
    if "@" not in seen.text or _is_mailto(seen.text):
        return None
    to, question, rest = seen.text.rstrip(PUNCTUATION).partition("?")
    found = _addresses(to)
    if (len(found) > 1) != several or not found or found[0].startswith("git@"):
        return None
    return Correction((f"{_MAILTO}{','.join(found)}{question}{rest}",))


@form("mailto-name", "A mailto URI has only the address, without a name or angle brackets.")
def mailto_names(seen: Seen) -> Correction | None:
    """``mailto:Ann <ann@e.com>``."""
    return _of_mailto(seen, named=True)


@form("mailto-separator", "In a mailto URI, a comma without a space separates addresses.")
def mailto_separators(seen: Seen) -> Correction | None:
    """``mailto:ann@e.com, bob@e.com``."""
    return _of_mailto(seen, named=False)


def _is_mailto(text: str) -> bool:
    return text[: len(_MAILTO)].lower() == _MAILTO


def _of_mailto(seen: Seen, named: bool) -> Correction | None:
    if not _is_mailto(seen.text):
        return None
    to, question, rest = seen.text[len(_MAILTO) :].partition("?")
    found = _addresses(to)
    meant = ",".join(found)
    if not found or meant == to or ("<" in to) != named or (len(found) == 1 and not named):
        return None
    end = len(seen.text) - len(question + rest)
    return Correction((f"{_MAILTO}{meant}{question}{rest}",), spans=((len(_MAILTO), end),))


def _addresses(text: str) -> list[str]:
    """The e-mail addresses of which a text consists, without their names; none if it has more."""
    if "<" in text:
        found = re.findall(r"<([^<>\s]*)>", text)
        outside = text.count("<") - len(found) or "@" in re.sub(r"<[^<>]*>", "", text)
        found = [] if outside else found
    else:
        found = [one for one in re.split(r"[,;\s]+", text) if one]
    plain = [[c if c.isascii() else encoded_character(c) or c for c in one] for one in found]
    made = ["".join(chars) for chars in plain]
    return made if all(map(_is_mailbox, made)) else []


def _is_mailbox(text: str) -> bool:
    """Whether a text is an address as mailto has it, of a host with a name (RFC 6068 §2)."""
    host = text.rpartition("@")[2]
    named = is_host(host) and not is_address(host)
    return named and registry.load("rfc6068").accepts("addr-spec", text)


@form("space-in-address", 'An e-mail address has no spaces around the "@".')
def space_in_address(seen: Seen) -> Correction | None:
    """``ann @ e.com``, ``mailto:ann @e.com``."""
    text = seen.text.rstrip(PUNCTUATION)
    before, _, after = text.partition("@")
    packed = f"{before.rstrip()}@{after.lstrip()}"
    scheme = packed[: len(_MAILTO)] if _is_mailto(packed) else _MAILTO
    address, question, rest = packed.removeprefix(scheme).partition("?")
    if packed == text or len(_addresses(address)) != 1 or address != address.strip():
        return None
    return Correction((f"{scheme}{address}{question}{rest}",))


@form("git-short-form", "This is Git's short form, not a URI.")
def git(seen: Seen) -> Correction | None:
    """``git@e.com:ann/site.git``."""
    user, _, path = _of_ssh(seen)
    return _as_ssh(seen) if user == "git" or path.endswith(".git") else None


@form("scp-short-form", "This is the short form of scp, not a URI.")
def scp(seen: Seen) -> Correction | None:
    """``ann@e.com:/home/ann/a``."""
    user, _, path = _of_ssh(seen)
    return _as_ssh(seen) if user and ("/" in path or path.startswith("~")) else None


def _of_ssh(seen: Seen) -> tuple[str, str, str]:
    """User, host and path of the short form that ssh and Git have; empty if it is not one."""
    user, _, rest = seen.text.partition("@")
    host, colon, path = rest.partition(":")
    likely = user == "git" or is_host(host)
    if not (colon and path and likely and accepts("reg-name", user) and accepts("host", host)):
        return "", "", ""
    return user, host, "" if path.startswith("//") else path


def _as_ssh(seen: Seen) -> Correction:
    user, host, path = _of_ssh(seen)
    start = f"ssh://{user}@{host}"
    port, _, rest = path.partition("/")
    as_path = f"{start}/{path.removeprefix('/')}"
    is_port = rest and len(port) > 1 and accepts("port", port)
    return Correction((f"{start}:{path}", as_path) if is_port else (as_path,))


@form("git-colon", 'A path starts with "/", not ":"; after a host, ":" starts a port.')
def ssh_colon(seen: Seen) -> Correction | None:
    """``ssh://git@e.com:ann/site.git``: a path where a port would be."""
    first, text = seen.first, seen.text
    name, host, port = (seen.component(part) for part in ("scheme", "host", "port"))
    if first is None or not (first.component == "port" and name and host and port):
        return None
    is_git = "ssh" in name or "git" in name or text.endswith(".git")
    at = seen.report.components["port"].start
    if not is_git or port[0].isdecimal() or "@" in text[at:]:
        return None
    path = text[at:].removeprefix("/")
    return Correction((f"{text[: at - 1]}/{path}",), spans=((at - 1, at + len(port)),))


@form("jdbc", 'This is a JDBC URL; its driver reads what follows "jdbc:" by its own rules.')
def jdbc(seen: Seen) -> Correction | None:
    """``jdbc:sqlserver://h\\i;a={b c}``: data of a driver, in which nothing is encoded."""
    return Correction() if seen.text[:5].lower() == "jdbc:" else None
