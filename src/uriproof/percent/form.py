"""Form data and queries: lists of names and values in, one text out, and back.

Owns what is done to a whole list: order, duplicates and empty values stay. Imports the grammars,
``encode`` and ``decode``. Invariant: the delimiters are those of the grammar, and no delimiter
comes out of data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Literal, NamedTuple, TypeAlias

from ..arguments import flags, iterables, strings, wrong
from ..grammar import registry
from ..grammar.model import CharVal, Concatenation, Repetition, RuleRef
from .decode import decode
from .encode import FORM, ProductionError, encode, encode_form_text
from .faults import DecodeError, DecodeFault, Errors

__all__ = ["decode_form", "decode_query", "encode_form", "encode_query"]

Pair: TypeAlias = tuple[str, str]
_PAIRS = "pairs of str, or a mapping"


def encode_form(
    fields: Iterable[Pair] | Mapping[str, str], *, encoding: str = "utf-8", crlf: bool = False
) -> str:
    """Fields as form data, application/x-www-form-urlencoded.

    Order, duplicates and empty names and values stay. With ``crlf`` each line break becomes CR
    LF, as a browser does before it sends a form.

    Errors: CharacterError (a lone surrogate), whose place is that in the name or value;
    UnknownEncoding; TypeError for fields that are no pairs of text. Cost: O(n).
    Spec: WHATWG URL, application/x-www-form-urlencoded serializing; HTML, form submission.

    >>> encode_form([("name", "Helen Ødegård"), ("a&b", ""), ("name", "1+1")])
    'name=Helen+%C3%98deg%C3%A5rd&a%26b=&name=1%2B1'
    """
    iterables(_PAIRS, fields=fields)
    flags(crlf=crlf)
    shape = _shape(FORM)
    pairs = [_pair(item) for item in (fields.items() if isinstance(fields, Mapping) else fields)]
    if crlf:
        pairs = [(_lines(name), _lines(value)) for name, value in pairs]
    return shape.separator.join(
        shape.delimiter.join(encode_form_text(text, encoding=encoding) for text in pair)
        for pair in pairs
    )


def decode_form(
    text: str, *, errors: Errors | Literal["whatwg"] = "whatwg", encoding: str = "utf-8"
) -> list[Pair]:
    """The fields of form data, in order; a field without ``=`` has an empty value.

    A plus sign is a space, before anything is percent-decoded. Unless told, as every browser
    reads it: what is no escape stays, octets that are no text become U+FFFD, and no text is an
    error. Otherwise ``errors`` is as in ``decode``. Empty fields (``&&``) are left out.

    Errors: DecodeError, with ``errors="raise"``; UnknownEncoding, TypeError. Cost: O(n).
    Spec: WHATWG URL, application/x-www-form-urlencoded parsing.

    >>> decode_form("name=Helen+%C3%98deg%C3%A5rd&&a&name=1%2B1%")
    [('name', 'Helen Ødegård'), ('a', ''), ('name', '1+1%')]
    """
    strings(text=text, errors=errors, encoding=encoding)
    shape = _shape(FORM)
    faults: list[DecodeFault] = []
    pairs: list[Pair] = []
    at = 0
    for field in text.split(shape.separator):
        name, delimiter, value = field.partition(shape.delimiter)
        if field:
            first = _field(name, errors, encoding, at, faults)
            second = _field(value, errors, encoding, at + len(name) + len(delimiter), faults)
            pairs.append((first, second))
        at += len(field) + len(shape.separator)
    if faults:
        raise DecodeError(text, tuple(faults))
    return pairs


def encode_query(
    items: Iterable[str] | Iterable[Pair] | Mapping[str, str],
    grammar: str = "key-value",
    *,
    minimal: bool = False,
    encoding: str = "utf-8",
) -> str:
    """A list as a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    Order and duplicates stay. What the grammar does not allow, such as an empty value, is an
    error and not written otherwise. ``minimal`` and ``encoding`` as in ``encode``.

    Errors: ProductionError, CharacterError, UnknownEncoding, UnknownGrammar; TypeError for items
    of another kind; ValueError for a grammar that is no list. Cost: O(n). Spec: RFC 3986 §3.4.

    >>> encode_query([("greeting", "今日は"), ("a=b", "c=d&e")], minimal=True)
    'greeting=%E4%BB%8A%E6%97%A5%E3%81%AF&a%3Db=c=d%26e'
    >>> encode_query(["a b", "c&d"], "parameters")
    'a%20b&c%26d'
    """
    strings(grammar=grammar)
    iterables(_PAIRS, items=items)
    shape = _shape(grammar)
    write = partial(encode, minimal=minimal, grammar=grammar, encoding=encoding)
    written: list[str] = []
    for item in items.items() if isinstance(items, Mapping) else items:
        if shape.pair is not None:
            halves = zip(_pair(item), shape.pair, strict=True)
            texts = [write(text, rule) for text, rule in halves]
            written.append(shape.delimiter.join(texts))
        elif isinstance(item, str):
            written.append(write(item, shape.element))
        else:
            raise wrong("each item", item, "a str")
    text = shape.separator.join(written)
    compiled = registry.load(grammar)
    if not compiled.accepts(compiled.start, text):  # a list of nothing
        words = f"this is no {compiled.start} of {grammar}: the list is empty"
        raise ProductionError(words, 0, 0, compiled.start)
    return text


def decode_query(
    text: str, grammar: str = "key-value", *, errors: Errors = "raise", encoding: str = "utf-8"
) -> list[Pair] | list[str]:
    """The items of a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    A plus sign is a plus sign: for form data there is ``decode_form``. ``errors`` as in
    ``decode``; a pair without its delimiter raises, whatever is said.

    Errors: DecodeError, with every fault and its span; UnknownEncoding, UnknownGrammar, TypeError;
    ValueError for a grammar that is no list. Cost: O(n). Spec: RFC 3986 §3.4.

    >>> decode_query("greeting=%E4%BB%8A&a%3Db=c=d%26e")
    [('greeting', '今'), ('a=b', 'c=d&e')]
    >>> decode_query("a%20b&c%26d", "parameters")
    ['a b', 'c&d']
    """
    strings(text=text, grammar=grammar)
    shape = _shape(grammar)
    faults: list[DecodeFault] = []
    pairs: list[Pair] = []
    texts: list[str] = []
    at = 0
    for item in text.split(shape.separator):
        if shape.pair is None:
            texts.append(_held(item, shape.element, grammar, errors, encoding, at, faults))
        else:
            key, delimiter, value = item.partition(shape.delimiter)
            end = at + len(item)
            first = _held(key, shape.pair[0], grammar, errors, encoding, at, faults)
            second = ""
            if delimiter:
                start = end - len(value)
                second = _held(value, shape.pair[1], grammar, errors, encoding, start, faults)
            else:
                words = f'"{shape.delimiter}" is missing in {shape.element}'
                faults.append(DecodeFault(end, end, "", "missing", words))
            pairs.append((first, second))
        at += len(item) + len(shape.separator)
    if faults:
        raise DecodeError(text, tuple(sorted(faults, key=lambda fault: fault.start)))
    return texts if shape.pair is None else pairs


class _Shape(NamedTuple):
    """A grammar of lists: its elements, what separates them, and what each is made of."""

    element: str
    separator: str
    pair: tuple[str, str] | None
    delimiter: str


@cache
def _shape(grammar: str) -> _Shape:
    """Reads the delimiters out of ``query = param *( "&" param )``, ``param = key "=" value``."""
    compiled = registry.load(grammar)
    list_ = compiled.rule(compiled.start).element
    if isinstance(list_, Repetition) and list_.most == 1:
        list_ = list_.item
    match list_:
        case Concatenation(
            (RuleRef(element), Repetition(Concatenation((CharVal(separator), RuleRef(again)))))
        ) if element == again:
            match compiled.rule(element).element:
                case Concatenation((RuleRef(name), CharVal(delimiter), RuleRef(value))):
                    return _Shape(element, separator, (name, value), delimiter)
                case _:
                    return _Shape(element, separator, None, "")
        case _:
            raise ValueError(f"{grammar} is no grammar of a list; key-value and parameters are")


def _pair(item: object) -> Pair:
    if not isinstance(item, tuple | list):
        raise wrong("each item", item, "a pair (name, value)")
    if len(item) != 2:  # noqa: PLR2004 -- a pair
        raise wrong("each item", item, "a pair (name, value)", f"it has {len(item)} items")
    name, value = item
    strings(**{"each name": name, "each value": value})
    return name, value


def _lines(text: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", text)


def _field(
    text: str,
    errors: Errors | Literal["whatwg"],
    encoding: str,
    at: int,
    faults: list[DecodeFault],
) -> str:
    """One name or value of form data; what is to raise is added to the faults, in its place."""
    try:
        if errors == "whatwg":
            return _as_browsers_do(text, encoding)
        return decode(text, errors=errors, form=True, encoding=encoding)
    except DecodeError as error:
        faults += _moved(error.faults, at)
        return ""


def _as_browsers_do(text: str, encoding: str) -> str:
    """Each kind of fault as WHATWG treats it: bad escapes stay, octets that are no text do not."""
    try:
        return decode(text, form=True, encoding=encoding)
    except DecodeError as error:
        # A percent sign that begins no escape stands for itself: say so, and it is none.
        kept = {fault.start for fault in error.faults if fault.kind in ("bad-escape", "u-escape")}
        mended = "".join("%25" if at in kept else char for at, char in enumerate(text))
        return decode(mended, errors="replace", form=True, encoding=encoding)


def _held(
    text: str,
    rule: str,
    grammar: str,
    errors: Errors,
    encoding: str,
    at: int,
    faults: list[DecodeFault],
) -> str:
    """A text that its production has to accept, and that is then decoded."""
    try:
        return decode(text, rule, errors=errors, grammar=grammar, encoding=encoding)
    except DecodeError as error:
        faults += _moved(error.faults, at)
        return ""


def _moved(faults: Iterable[DecodeFault], by: int) -> list[DecodeFault]:
    return [replace(fault, start=fault.start + by, end=fault.end + by) for fault in faults]
