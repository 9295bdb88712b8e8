"""The table of mistakes: each form that people really write, in the order in which they are tried.

Owns the sentences, and the order: what explains the whole text comes before what explains a part.
Imports the recognizers. Invariant: a text has the first form that recognizes it.
"""

from __future__ import annotations

from . import (  # noqa: F401 -- each will have forms
    around,
    data,
    escapes,
    holes,
    host,
    names,
    scheme,
    several,
)
from ._form import Form

# Forms of texts that can be valid: each code is that of advice, which says where it is

_MARKS = 'Write "://" after the scheme, not "{}".'

_FILE_DRIVE = Form(
    "empty-port",
    "A file URI has three slashes before a drive letter.",
    "file://D:/Photos",
    "file:///D:/Photos",
    scheme.file_drive,
)
_URL_PREFIX = Form(
    "url-prefix",
    'The prefix "URL:" is not part of the URI.',
    "URL:https://example.org/news",
    "https://example.org/news",
    scheme.url_prefix,
)
_DOUBLED = Form(
    "doubled-scheme",
    "The scheme is written twice.",
    "http://https://example.org/news",
    "https://example.org/news",
    scheme.doubled,
)
_MISSING_SLASHES = Form(
    "missing-slashes",
    _MARKS,
    "https:/example.org/news",
    "https://example.org/news",
    scheme.missing_slashes,
)
_EMPTY_HOST = Form(
    "empty-host",
    _MARKS,
    "https:///example.org/news",
    "https://example.org/news",
    scheme.empty_host,
)
_MISSPELLED = Form(
    "misspelled-scheme",
    'The scheme "{}" is misspelled.',
    "htps://example.org/news",
    "https://example.org/news",
    scheme.misspelled,
)
_HOST_AND_PORT = Form(
    "host-port-as-scheme",
    'Without "//" before it, "{}" is read as the scheme.',
    "localhost:3000/news",
    "http://localhost:3000/news",
    scheme.host_and_port,
)
_OF_VALID_ONLY = (
    Form(
        "nested-scheme",
        "The scheme is written twice.",
        "https:https://example.org/news",
        "https://example.org/news",
        scheme.doubled,
    ),
    Form(
        "single-letter-scheme",
        "This is a Windows path, not a URI.",
        "D:/Photos/IMG_1.jpg",
        "file:///D:/Photos/IMG_1.jpg",
        names.windows_path,
    ),
    Form(
        "html-entity",
        '"{}" is an HTML entity; write "&".',
        "https://example.org/?page=2&amp;sort=name",
        "https://example.org/?page=2&sort=name",
        scheme.html_entity,
    ),
)

# As another language writes it: the text has to be read first

_ESCAPES: tuple[Form, ...] = ()

# What stands around a URI

_AROUND: tuple[Form, ...] = ()

# Several URIs, or several hosts, in one text

_SEVERAL: tuple[Form, ...] = ()

# Names that are not URIs

_NAMES: tuple[Form, ...] = (
    Form(
        "git-short-form",
        "This is Git's short form, not a URI.",
        "git@gitlab.example.com:tools/lint.git",
        "ssh://git@gitlab.example.com/tools/lint.git",
        names.git,
    ),
    Form(
        "scp-short-form",
        "This is the short form of scp, not a URI.",
        "deploy@example.org:/srv/www",
        "ssh://deploy@example.org/srv/www",
        names.scp,
    ),
    Form(
        "git-colon",
        'A path starts with "/", not ":"; after a host, ":" starts a port.',
        "ssh://git@example.org:tools/lint.git",
        "ssh://git@example.org/tools/lint.git",
        names.ssh_colon,
    ),
    Form(
        "email-address",
        "This is an e-mail address, not a URI.",
        "Help Desk <help.desk@example.org>",
        "mailto:help.desk@example.org",
        names.email,
    ),
    Form(
        "email-addresses",
        "These are e-mail addresses, not a URI.",
        "jo@example.org; max@example.org",
        "mailto:jo@example.org,max@example.org",
        names.emails,
    ),
    Form(
        "mailto-name",
        "A mailto URI has only the address, without a name or angle brackets.",
        "mailto:Jo Doe <jo@example.org>",
        "mailto:jo@example.org",
        names.mailto_names,
    ),
    Form(
        "mailto-separator",
        "In a mailto URI, a comma without a space separates addresses.",
        "mailto:jo@example.org; max@example.org",
        "mailto:jo@example.org,max@example.org",
        names.mailto_separators,
    ),
    Form(
        "windows-path",
        "This is a Windows path, not a URI.",
        r"D:\Photos\summer 2024\IMG_1.jpg",
        "file:///D:/Photos/summer%202024/IMG_1.jpg",
        names.windows_path,
    ),
    Form(
        "drive-bar",
        'A drive letter is followed by ":", not "|".',
        "file:///D|/Photos/IMG_1.jpg",
        "file:///D:/Photos/IMG_1.jpg",
        scheme.drive_bar,
    ),
    _FILE_DRIVE,
)

# Placeholders, and texts that were cut off

_HOLES: tuple[Form, ...] = ()

# The scheme and the slashes after it

_SCHEMES: tuple[Form, ...] = (
    Form(
        "full-width",
        'URIs use ASCII characters, not full-width ones such as "{}".',
        "https\uff1a\uff0f\uff0fexample.org\uff0fnews",
        "https://example.org/news",
        scheme.wide,
    ),
    _URL_PREFIX,
    _DOUBLED,
    Form(
        "space-in-scheme",
        "A space is not allowed {}.",
        "https: //example.org/news",
        "https://example.org/news",
        scheme.spaced,
    ),
    Form(
        "backslash-escape",
        'A URI does not escape characters with "\\"; remove it.',
        r"https://example.org/search\?q\=uri\&page\=2",
        "https://example.org/search?q=uri&page=2",
        scheme.shell_escapes,
    ),
    Form(
        "backslash",
        'URIs use "/", not "\\".',
        r"https:\\example.org\news",
        "https://example.org/news",
        scheme.backslashes,
    ),
    Form(
        "missing-colon",
        'The ":" after the scheme is missing.',
        "https//example.org/news",
        "https://example.org/news",
        scheme.missing_colon,
    ),
    Form(
        "wrong-separator",
        _MARKS,
        "https;//example.org/news",
        "https://example.org/news",
        scheme.wrong_marks,
    ),
    _MISSING_SLASHES,
    _EMPTY_HOST,
    _MISSPELLED,
    Form(
        "missing-scheme",
        "The scheme is missing.",
        "www.example.org/plan b",
        "https://www.example.org/plan%20b",
        scheme.missing,
    ),
    _HOST_AND_PORT,
    Form(
        "unmarked-host",
        'Write "//" before a host.',
        "10.0.0.5:8000/news",
        "//10.0.0.5:8000/news",
        scheme.unmarked,
        rule="URI-reference",
    ),
    Form(
        "forbidden-scheme",
        'The scheme "{}" is not allowed here.',
        "https://example.org/plan b",
        "//example.org/plan%20b",
        scheme.forbidden,
        rule="relative-ref",
    ),
    Form(
        "relative-reference",
        "This is a relative reference; a URI starts with a scheme.",
        "../images/logo.png",
        None,
        scheme.relative,
    ),
    Form(
        "jdbc",
        'This is a JDBC URL; its driver reads what follows "jdbc:" by its own rules.',
        r"jdbc:sqlserver://db.example.org\MAIN;databaseName=shop",
        None,
        names.jdbc,
    ),
)

# Hosts, ports and user information

_HOSTS: tuple[Form, ...] = ()

# Data that a scheme writes in a way of its own, and percent signs

_DATA: tuple[Form, ...] = ()


OF_INVALID: tuple[Form, ...] = (
    *_ESCAPES,
    *_AROUND,
    *_SEVERAL,
    *_NAMES,
    *_HOLES,
    *_SCHEMES,
    *_HOSTS,
    *_DATA,
)
"""Forms of texts that are not valid."""

OF_VALID: tuple[Form, ...] = (
    *_OF_VALID_ONLY,
    _URL_PREFIX,
    _DOUBLED,
    _MISSING_SLASHES,
    _EMPTY_HOST,
    _MISSPELLED,
    _HOST_AND_PORT,
    _FILE_DRIVE,
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = tuple({form.code: form for form in (*OF_INVALID, *OF_VALID)}.values())
