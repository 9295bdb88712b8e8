"""Target: percent-encoding, cleaning, forms, normalization and mapping, on any text.

Owns its inputs: one byte chooses the component, the rest is the text. Imports the public face.
Invariant: what one function writes another reads back, results are valid, and nothing raises but
the errors that are named.
"""

from __future__ import annotations

import uriproof as u

from .harness import hold, run, words

COMPONENTS = (None, "userinfo", "reg-name", "segment", "path-abempty", "query", "fragment")


def one_input(data: bytes) -> None:
    """Take the text through every pair of functions."""
    component = COMPONENTS[(data[:1] or b"\0")[0] % len(COMPONENTS)]
    text = words(data[1:])
    _octets(data[1:], component)
    _data(text, component)
    _form(text)
    _cleaned(text)
    _uri(text)
    _iri(text)


def _octets(octets: bytes, component: str | None) -> None:
    for options in ({}, {"every": True}, {"minimal": True}):
        if component is None and "minimal" in options:
            continue
        try:
            made = u.encode_octets(octets, component, **options)  # type: ignore[arg-type]
        except u.EncodeError:
            continue
        hold(u.decode_octets(made) == octets, "decode_octets reads what encode_octets writes")
        if component:
            hold(u.is_valid(made, component), "what is encoded is valid in its component")


def _data(text: str, component: str | None) -> None:
    try:
        made = u.encode(text, component)
    except u.EncodeError as error:
        hold(bool(str(error)), "an error says why")
    else:
        hold(u.decode(made) == text, "decode reads what encode writes")
    try:
        plain = u.decode(text, component)
    except u.DecodeError as error:
        hold(bool(str(error)), "an error says why")
        ends = [fault.end for fault in error.faults]
        hold(all(0 <= end <= len(text) for end in ends), "faults are in the text")
    else:
        hold(u.decode(u.encode(plain)) == plain, "what is decoded can be encoded")
    for errors in ("replace", "drop", "keep"):
        u.decode(text, errors=errors)


def _form(text: str) -> None:
    fields = u.decode_form(text)
    again = u.decode_form(u.encode_form(fields))
    hold(again == fields, "decode_form reads what encode_form writes")
    try:
        pairs = u.decode_query(text)
    except u.DecodeError:
        return
    made = u.encode_query(pairs, empty_values=True)
    hold(u.decode_query(made) == pairs, "decode_query reads what encode_query writes")


def _cleaned(text: str) -> None:
    for repair in (False, True):
        cleaning = u.clean(text, "URI-reference", repair=repair, report=True)
        try:
            made = u.clean(text, "URI-reference", repair=repair)
        except u.NotCleaned as error:
            hold(bool(str(error)), "an error says why")
            continue
        hold(made == cleaning.result, "clean gives what cleaning tells of")
        hold(u.is_valid(made, "URI-reference"), "what is cleaned is valid")
        hold(u.clean(made, "URI-reference", repair=repair) == made, "what is clean stays")
    try:
        shown = u.display(text)
    except u.InvalidURI:
        return
    hold(all(c.isprintable() or c in "\u2068\u2069" for c in shown), "display shows what it gives")


def _uri(text: str) -> None:
    valid = u.is_valid(text, "URI-reference")
    try:
        normal = u.normalize(text)
    except u.InvalidComponents:
        hold(not valid, "each reference has a normal form")
        return
    hold(valid and u.is_valid(normal, "URI-reference"), "a normal form is valid")
    hold(u.normalize(normal) == normal, "a normal form is its own")
    hold(bool(u.equivalent(text, normal)), "a text is equivalent to its normal form")
    parts = u.split(text)
    built = u.build(**{name: getattr(parts, name) for name in _PARTS})
    hold(built == text, "build puts together what split takes apart")
    hold(u.resolve("http://a/b/c/d;p?q", text) is not None, "a reference resolves")


_PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def _iri(text: str) -> None:
    for idna in (False, True):
        try:
            uri = u.iri_to_uri(text, idna=idna)
        except u.InvalidComponents:
            continue
        hold(u.is_valid(uri, "URI-reference"), "an IRI maps to a URI")
        hold(u.iri_to_uri(uri, idna=idna) == uri, "a URI maps to itself")
        iri = u.uri_to_iri(uri)
        hold(u.Rule("IRI-reference", grammar="rfc3987").is_valid(iri), "a URI maps to an IRI")


if __name__ == "__main__":
    run(one_input)
