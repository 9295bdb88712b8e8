"""The table of mistakes: each form that people really write, in the order in which they are tried.

Owns the order: what explains the whole text comes before what explains a part. Imports the forms,
each of which stands with its sentence in the module of its theme. Invariant: a text has the first
form that recognizes it.
"""

from __future__ import annotations

from . import around, data, escapes, holes, host, names, scheme, several
from ._form import Form

OF_INVALID: tuple[Form, ...] = (
    # As another language writes it: the text has to be read first
    *(escapes.json, escapes.javascript, escapes.punctuation, escapes.percent_u),
    *(escapes.whole, escapes.html),
    # Data that programs write in lines, which nothing around a URI explains
    data.space_in_base64,
    # A scheme that would be taken for a word before the URI
    *(scheme.url_prefix, scheme.no_marks, scheme.spaced),
    # What stands around a URI
    *(around.byte_order_mark, around.direction, around.control, around.invisible),
    *(around.at_ends, around.other_space, around.line_breaks),
    *(around.markup, around.tags_after, around.title_after),
    *(around.wrapped, around.before_host, around.opening, around.closing, around.label),
    # Several URIs, or several hosts, in one text
    *(several.uris, host.several),
    # Names that are not URIs
    *(names.git, names.scp, names.ssh_colon),
    *(names.email, names.space_in_address, names.emails),
    *(names.mailto_names, names.mailto_separators),
    *(names.windows_path, names.unix_path),
    *(scheme.drive_bar, scheme.file_drive, scheme.file_root),
    # Placeholders, and texts that were cut off
    *(holes.placeholder, holes.open_placeholder, holes.ellipsis, holes.elided),
    *(holes.cut_escape, holes.open_bracket),
    # The scheme and the slashes after it
    *(scheme.wide, scheme.doubled, scheme.backslashes),
    *(scheme.missing_colon, scheme.wrong_marks, scheme.missing_slashes, scheme.empty_host),
    *(scheme.misspelled, scheme.missing, scheme.host_and_port, scheme.unmarked),
    *(scheme.forbidden, scheme.relative, names.jdbc),
    # Hosts, ports and user information
    *(host.password, host.unbracketed, host.zone, host.prefix_length),
    *(host.needless_brackets, host.no_colon, host.other_script, host.space),
    # Data that a scheme writes in a way of its own
    *(data.not_base64, data.no_comma, data.space_in_media_type),
    *(data.space_in_number, data.space_in_urn, data.space_in_opaque),
    data.doubled_percent,
)
"""Forms of texts that are not valid."""

_OF_BEGINNINGS = ("scheme", "names", "host", "data")
OF_USUAL = (*(f for f in OF_INVALID if f.theme not in _OF_BEGINNINGS), data.doubled_percent)
"""Those that a text of the Web can have whose scheme and authority are in order. Most invalid texts
are such, and most forms need not be asked of them."""

OF_VALID: tuple[Form, ...] = (
    *(several.glued, scheme.doubled._replace(code="nested-scheme")),
    *(names.windows_path._replace(code="single-letter-scheme"), escapes.html_entity),
    *(scheme.url_prefix, scheme.doubled, scheme.missing_slashes, scheme.empty_host),
    *(scheme.misspelled, scheme.host_and_port, scheme.file_drive, scheme.file_root),
    several.nested,
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = tuple({one.code: one for one in (*OF_INVALID, *OF_VALID)}.values())

SLIPS = frozenset(one.code for one in FORMS if one.slip)
"""The codes of what nobody writes on purpose, and no text around a URI explains."""

THEMES = {
    module.__name__.rpartition(".")[2]: (module.__doc__ or "").partition("\n")[0]
    for module in (around, data, escapes, holes, host, names, scheme, several)
}
"""What the forms of each module are about, by its name."""
