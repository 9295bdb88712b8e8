"""The table of mistakes: each form that people really write, in the order in which they are tried.

Owns the sentences, and the order: what explains the whole text comes before what explains a part.
Imports the recognizers. Invariant: a text has the first form that recognizes it.
"""

from __future__ import annotations

from . import (
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
_FILE_ROOT = Form(
    "local-file",
    "A file URI has three slashes before a path.",
    "file://home/jo/IMG_1.jpg",
    "file:///home/jo/IMG_1.jpg",
    scheme.file_root,
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
        "two-urls",
        "These are {} URIs.",
        "https://shop.example,https://news.example/a",
        "https://shop.example",
        several.glued,
    ),
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
        '"{}" is escaped for HTML; write "&".',
        "https://example.org/?page=2&amp;sort=name",
        "https://example.org/?page=2&sort=name",
        escapes.html_entity,
    ),
)

# As another language writes it: the text has to be read first

_ESCAPES: tuple[Form, ...] = (
    Form(
        "escaped-json",
        "The {} are escaped as in JSON.",
        r"https:\/\/shop.example\/items?id=7",
        "https://shop.example/items?id=7",
        escapes.json,
    ),
    Form(
        "escaped-javascript",
        '"{}" is a JavaScript escape.',
        r"https://shop.example/?a=1\u0026b=2",
        "https://shop.example/?a=1&b=2",
        escapes.javascript,
    ),
    Form(
        "escaped-punctuation",
        "The backslashes are escapes of Markdown, a shell or a regular expression.",
        r"https://shop.example/snow\_shoes",
        "https://shop.example/snow_shoes",
        escapes.punctuation,
    ),
    Form(
        "escaped-percent-u",
        '"{}" is an old JavaScript escape.',
        "https://shop.example/na%u00EFve",
        "https://shop.example/na%C3%AFve",
        escapes.percent_u,
        any_rule=True,
    ),
    Form(
        "escaped-uri",
        "The delimiters of the URI are percent-encoded.",
        "https%3A%2F%2Fshop.example%2Fitems%3Fid%3D7",
        "https://shop.example/items?id=7",
        escapes.whole,
    ),
    Form(
        "escaped-html",
        '"{}" is an HTML entity.',
        "https&colon;//shop.example/",
        "https://shop.example/",
        escapes.html,
    ),
)

# Data that programs write in lines, which nothing around a URI explains

_BASE64: tuple[Form, ...] = (
    Form(
        "space-in-base64",
        "Base64 data in a URI has no white space.",
        "data:image/gif;base64,R0lG ODlh",
        "data:image/gif;base64,R0lGODlh",
        data.space_in_base64,
    ),
)

# A scheme that would be taken for a word before the URI

_BEFORE_HOST: tuple[Form, ...] = (
    _URL_PREFIX,
    Form(
        "no-separator",
        'The "://" after the scheme is missing.',
        "https www.example.org/news",
        "https://www.example.org/news",
        scheme.no_marks,
    ),
    Form(
        "space-in-scheme",
        "A space is not allowed {}.",
        "https: //example.org/news",
        "https://example.org/news",
        scheme.spaced,
    ),
)

# What stands around a URI

_AROUND: tuple[Form, ...] = (
    Form(
        "byte-order-mark",
        "The byte order mark at the start is not part of the URI.",
        "\ufeffhttps://shop.example/",
        "https://shop.example/",
        around.byte_order_mark,
        any_rule=True,
    ),
    Form(
        "text-direction",
        "{} changes the direction in which text is displayed.",
        "https://shop.example/\u202efdp.exe",
        "https://shop.example/fdp.exe",
        around.direction,
        any_rule=True,
    ),
    Form(
        "control-character",
        "There is a control character in the text: {}.",
        "https://shop.example/a\x00.png",
        "https://shop.example/a.png",
        around.control,
        any_rule=True,
    ),
    Form(
        "invisible-character",
        "There is an invisible character in the text: {}.",
        "https://shop\u200b.example/",
        "https://shop.example/",
        around.invisible,
        any_rule=True,
    ),
    Form(
        "white-space-around",
        "The {} is not part of the URI.",
        "\thttps://shop.example/\n",
        "https://shop.example/",
        around.at_ends,
    ),
    Form(
        "other-space",
        "{} is not an ordinary space.",
        "https://shop.example/snow\u00a0shoes",
        "https://shop.example/snow%20shoes",
        around.other_space,
        any_rule=True,
    ),
    Form(
        "line-break",
        "The {} is not part of the URI.",
        "https://shop.example/snow-\n  shoes",
        "https://shop.example/snow-shoes",
        around.line_breaks,
    ),
    Form(
        "markup",
        "This is {}.",
        "![snow shoes](https://shop.example/7.png)",
        "https://shop.example/7.png",
        around.markup,
    ),
    Form(
        "markup-after",
        "The HTML after the URI is not part of it.",
        'https://shop.example/">snow shoes</a>',
        "https://shop.example/",
        around.tags_after,
    ),
    Form(
        "title-after",
        "The title after the URI is not part of it.",
        'https://shop.example/ "Snow shoes"',
        "https://shop.example/",
        around.title_after,
    ),
    Form(
        "wrapped",
        "The {} are not part of the URI.",
        "(https://shop.example/).",
        "https://shop.example/",
        around.wrapped,
    ),
    Form(
        "mark-before-host",
        "The {} before the host is not part of the URI.",
        'https://"www.shop.example/',
        "https://www.shop.example/",
        around.before_host,
    ),
    Form(
        "mark-before",
        "The {} at the start is not part of the URI.",
        "„https://shop.example/",
        "https://shop.example/",
        around.opening,
    ),
    Form(
        "mark-after",
        "The {} at the end is not part of the URI.",
        "https://shop.example/>",
        "https://shop.example/",
        around.closing,
    ),
    Form(
        "text-before",
        "{} is not part of the URI.",
        "Shop: https://shop.example/",
        "https://shop.example/",
        around.label,
    ),
)

# Several URIs, or several hosts, in one text

_SEVERAL: tuple[Form, ...] = (
    Form(
        "several-uris",
        "These are {} URIs.",
        "https://shop.example/1; https://shop.example/2",
        "https://shop.example/1",
        several.uris,
    ),
    Form(
        "several-hosts",
        "These are several hosts; a URI has one.",
        "redis://cache1:6379,cache2:6379/0",
        "redis://cache1:6379/0",
        host.several,
    ),
)

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
        "space-in-address",
        'An e-mail address has no spaces around the "@".',
        "help.desk @example.org",
        "mailto:help.desk@example.org",
        names.space_in_address,
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
        "file-path",
        "This is the path of a file, not a URI.",
        "/home/jo/summer 2024/IMG_1.jpg",
        "file:///home/jo/summer%202024/IMG_1.jpg",
        names.unix_path,
    ),
    Form(
        "drive-bar",
        'A drive letter is followed by ":", not "|".',
        "file:///D|/Photos/IMG_1.jpg",
        "file:///D:/Photos/IMG_1.jpg",
        scheme.drive_bar,
    ),
    _FILE_DRIVE,
    _FILE_ROOT,
)

# Placeholders, and texts that were cut off

_HOLES: tuple[Form, ...] = (
    Form(
        "placeholder",
        '"{}" is a placeholder that was not filled in.',
        "https://shop.example/items/{item_id}",
        None,
        holes.placeholder,
        any_rule=True,
    ),
    Form(
        "open-placeholder",
        'The closing brace of the placeholder "{}" is missing.',
        "https://shop.example/{item/7",
        None,
        holes.open_placeholder,
    ),
    Form(
        "cut-off",
        'The text was cut off at "{}".',
        "https://shop.example/a long na…",
        None,
        holes.ellipsis,
    ),
    Form(
        "left-out",
        '"{}" stands for text that was left out.',
        "https://shop.example/…/7",
        None,
        holes.elided,
    ),
    Form(
        "cut-escape",
        'The text was cut off in the middle of a percent-encoded octet: "{}".',
        "https://shop.example/snow%20shoes%2",
        None,
        holes.cut_escape,
    ),
    Form(
        "cut-address",
        'The text was cut off: the "]" after the IPv6 address is missing.',
        "https://[2001:db8::7",
        "https://[2001:db8::7]",
        holes.open_bracket,
    ),
)

# The scheme and the slashes after it

_SCHEMES: tuple[Form, ...] = (
    Form(
        "full-width",
        'URIs use ASCII characters, not full-width ones such as "{}".',
        "https\uff1a\uff0f\uff0fexample.org\uff0fnews",
        "https://example.org/news",
        scheme.wide,
    ),
    _DOUBLED,
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

_HOSTS: tuple[Form, ...] = (
    Form(
        "delimiter-in-password",
        "The password contains {}.",
        "ftp://ann:x@y@ftp.example.org/",
        "ftp://ann:x%40y@ftp.example.org/",
        host.password,
    ),
    Form(
        "unbracketed-address",
        "An IPv6 address must be in brackets.",
        "https://2606:4700::6810:84e5/dns",
        "https://[2606:4700::6810:84e5]/dns",
        host.unbracketed,
    ),
    Form(
        "zone-identifier",
        "URIs cannot contain zone identifiers.",
        "http://[fe80::9%25en1]:631/",
        "http://[fe80::9]:631/",
        host.zone,
        any_rule=True,
    ),
    Form(
        "prefix-length",
        '"{}" is the length of a prefix; a host is an address without it.',
        "http://[fd00::1/48]:8080/",
        "http://[fd00::1]:8080/",
        host.prefix_length,
    ),
    Form(
        "needless-brackets",
        "Only an IPv6 address is written in brackets.",
        "http://[10.0.0.7]:3000/",
        "http://10.0.0.7:3000/",
        host.needless_brackets,
        any_rule=True,
    ),
    Form(
        "no-colon-before-port",
        'The ":" before the port is missing.',
        "http://[fd00::3]8443/",
        "http://[fd00::3]:8443/",
        host.no_colon,
    ),
    Form(
        "host-in-another-script",
        "The host name is not in its ASCII form.",
        "https://señal.example/",
        "https://xn--seal-hqa.example/",
        host.other_script,
    ),
    Form(
        "space-beside-host",
        "A host and a port have no spaces around them.",
        "ftp://files.example.org: 2121/pub",
        "ftp://files.example.org:2121/pub",
        host.space,
    ),
)

# Data that a scheme writes in a way of its own

_DATA: tuple[Form, ...] = (
    Form(
        "bad-base64",
        "The data has a character that base64 does not have.",
        "data:font/woff;base64,d09G[Rg==",
        None,
        data.not_base64,
    ),
    Form(
        "no-comma-before-data",
        'The "," before the data is missing.',
        "data:good morning",
        "data:,good%20morning",
        data.no_comma,
    ),
    Form(
        "space-in-media-type",
        "The media type in a data URI has no white space.",
        "data:text/css; charset=utf-8,a%7B%7D",
        "data:text/css;charset=utf-8,a%7B%7D",
        data.space_in_media_type,
    ),
    Form(
        "space-in-number",
        "A telephone number in a URI has no spaces.",
        "tel:+44 20 7946 0123",
        "tel:+442079460123",
        data.space_in_number,
    ),
    Form(
        "space-in-urn",
        "A URN has no spaces.",
        "urn:issn:2049 3630",
        "urn:issn:20493630",
        data.space_in_urn,
    ),
    Form(
        "space-in-opaque",
        'The scheme "{}" allows no white space.',
        "geo:52.52, 13.405",
        "geo:52.52,13.405",
        data.space_in_opaque,
    ),
)

# Percent signs

_PERCENT: tuple[Form, ...] = (
    Form(
        "doubled-percent",
        'The "%" is doubled.',
        "http://example.org/a%%20b",
        "http://example.org/a%20b",
        data.doubled_percent,
        any_rule=True,
    ),
)


OF_INVALID: tuple[Form, ...] = (
    *_ESCAPES,
    *_BASE64,
    *_BEFORE_HOST,
    *_AROUND,
    *_SEVERAL,
    *_NAMES,
    *_HOLES,
    *_SCHEMES,
    *_HOSTS,
    *_DATA,
    *_PERCENT,
)
"""Forms of texts that are not valid."""

_OF_BEGINNINGS = (*_BASE64, *_BEFORE_HOST, *_NAMES, *_SCHEMES, *_HOSTS, *_DATA)

OF_USUAL = tuple(form for form in OF_INVALID if form not in _OF_BEGINNINGS)
"""Those that a text of the Web can have whose scheme and authority are in order. Most invalid texts
are such, and most forms need not be asked of them."""

OF_VALID: tuple[Form, ...] = (
    *_OF_VALID_ONLY,
    _URL_PREFIX,
    _DOUBLED,
    _MISSING_SLASHES,
    _EMPTY_HOST,
    _MISSPELLED,
    _HOST_AND_PORT,
    _FILE_DRIVE,
    _FILE_ROOT,
    Form(
        "nested-unescaped-url",
        'The URL in the query is not encoded, so that its "&" and "#" end it.',
        "http://example.org/go?to=http://example.net/?a=1&b=2",
        None,
        several.nested,
    ),
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = tuple({form.code: form for form in (*OF_INVALID, *OF_VALID)}.values())

THEMES = {
    module.__name__.rpartition(".")[2]: (module.__doc__ or "").partition("\n")[0]
    for module in (around, data, escapes, holes, host, names, scheme, several)
}
"""What the forms of each module are about, by its name."""
