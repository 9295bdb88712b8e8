"""Form data and queries: lists of names and values in, one text out, and back.

Owns the treatment of a whole list: order, duplicates and empty values stay. Imports the grammars,
``encode`` and ``decode``. Invariant: the delimiters are those of the grammar, and data never
produces a delimiter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, overload

from ..arguments import flags, strings
from ..grammar import registry
from ..grammar.model import CharVal, Concatenation, Repetition, RuleRef
from ..text.drawing import visible
from .decode import decode, read, read_as_browsers_do
from .encode import FORM, Data, Scalar, encode, form_writer, scalar
from .errors import DecodeError, DecodeFault, EncodeError, Errors, ProductionError

Pair: TypeAlias = tuple[str, str]
Value: TypeAlias = Scalar | Sequence[Scalar]
Fields: TypeAlias = Iterable[tuple[Scalar, Value]] | Mapping[Any, Any]
Accept: TypeAlias = Container[str] | Callable[[str], bool] | None

_SHOWN = 40  # code points of a name that a message shows


def encode_form(fields: Fields, *, encoding: str = "utf-8", crlf: bool = False) -> str:
    """Fields as form data, application/x-www-form-urlencoded.

    Order, duplicates and empty names and values stay. A number is written as by ``str``, octets are
    encoded unchanged, and a list of values becomes one field for each, under the same name.
    Receivers differ on how they read true, false and null, so bool and None are rejected. With
    ``crlf`` each line break becomes CR LF, as in browsers.

    Errors: TypeError and CharacterError (a lone surrogate), which name the item, whether it is
    its name or its value, and the place in that; UnknownEncoding. Cost: O(n).
    Spec: WHATWG URL, application/x-www-form-urlencoded serializing; HTML, form submission.

    >>> encode_form([("name", "Helen Ødegård"), ("a&b", ""), ("name", "1+1")])
    'name=Helen+%C3%98deg%C3%A5rd&a%26b=&name=1%2B1'
    >>> encode_form({"page": 2, "tag": ["a", "b"]})
    'page=2&tag=a&tag=b'
    """
    flags(crlf=crlf)
    shape = _shape(FORM)
    write, delimiter = form_writer(encoding), shape.delimiter
    written: list[str] = []
    for number, item in enumerate(_items(fields)):
        if item.__class__ is tuple and not crlf:
            try:
                name, value = item
                written.append(f"{write(name)}{delimiter}{write(value)}")
                continue
            except (TypeError, ValueError):
                pass  # to be written otherwise, or wrong: it takes a longer look
        for pair in _pairs(number, item):
            texts = [_lines(half) if crlf and isinstance(half, str) else half for half in pair]
            written.append(delimiter.join(_halves(number, pair, texts, [write, write])))
    return shape.separator.join(written)


def decode_form(
    text: str,
    *,
    errors: Errors | Literal["whatwg"] = "whatwg",
    accept: Accept = None,
    encoding: str = "utf-8",
) -> list[Pair]:
    """The fields of form data, in order; a field without ``=`` has an empty value.

    A plus sign is a space, before anything is percent-decoded. By default, as in every browser,
    invalid escapes stay, octets that are not text and lone surrogates become U+FFFD, and nothing is
    an error. Otherwise ``errors`` is as in ``decode``. ``accept`` decides which characters the
    result can have, as in ``decode``; with ``errors="whatwg"`` others are errors. Empty fields
    (``&&``) are skipped.

    Errors: DecodeError, with every fault and its span in ``text``; UnknownEncoding, TypeError.
    Cost: O(n). Spec: WHATWG URL, application/x-www-form-urlencoded parsing.

    >>> decode_form("name=Helen+%C3%98deg%C3%A5rd&&a&name=1%2B1%")
    [('name', 'Helen Ødegård'), ('a', ''), ('name', '1+1%')]
    """
    strings(text=text)
    shape = _shape(FORM)
    fields = [field.partition(shape.delimiter) for field in text.split(shape.separator) if field]
    if accept is None and encoding == "utf-8" and errors in ("whatwg", "raise"):
        if text.isascii() and "%" not in text:
            if "+" not in text:
                return [(name, value) for name, _, value in fields]
            return [(n.replace("+", " "), v.replace("+", " ")) for n, _, v in fields]
        short = read_as_browsers_do if errors == "whatwg" else read
        try:
            return [
                (short(n.replace("+", " "), encoding), short(v.replace("+", " "), encoding))
                for n, _, v in fields
            ]
        except UnicodeError:
            pass  # something is wrong, and is found out in the long way
    faults: list[DecodeFault] = []
    pairs: list[Pair] = []
    at = 0
    for field in text.split(shape.separator):
        name, delimiter, value = field.partition(shape.delimiter)
        if field:
            first = _field(name, errors, accept, encoding, at, faults)
            start = at + len(name) + len(delimiter)
            pairs.append((first, _field(value, errors, accept, encoding, start, faults)))
        at += len(field) + len(shape.separator)
    if faults:
        raise DecodeError(text, tuple(faults))
    return pairs


def encode_query(
    items: Iterable[Scalar] | Fields,
    grammar: str = "key-value",
    *,
    keep: str = "",
    minimal: bool = False,
    empty_values: bool = True,
    encoding: str = "utf-8",
) -> str:
    """A list as a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    Order and duplicates stay. Values are those that ``encode_form`` takes. An item that the grammar
    does not allow is an error. A value can be empty, which the grammar does not allow, unless
    ``empty_values`` is false: this way, the output of ``decode_query`` can be encoded again.
    ``keep``, ``minimal`` and ``encoding`` as in ``encode``; names and values each keep only the
    characters of ``keep`` that are allowed in them.

    Errors: ProductionError, CharacterError and TypeError, which name the item; then
    UnknownEncoding, UnknownGrammar; ValueError for a grammar without lists. Cost: O(n). Spec: RFC
    3986 §3.4.

    >>> encode_query([("greeting", "今日は"), ("a=b", "c=d&e")], minimal=True)
    'greeting=%E4%BB%8A%E6%97%A5%E3%81%AF&a%3Db=c=d%26e'
    >>> encode_query(["a b", "c&d"], "parameters")
    'a%20b&c%26d'
    >>> encode_query({"a": "b=c", "empty": ""}, keep="=")
    'a=b=c&empty='
    """
    strings(grammar=grammar, keep=keep)
    shape = _shape(grammar)
    compiled = registry.load(grammar)

    def kept(rule: str, other: str) -> str:
        return "".join(
            c for c in keep if compiled.accepts(rule, c) or not compiled.accepts(other, c)
        )

    def writer(rule: str, keep: str, empty: bool = False) -> Callable[[Data], str]:
        def write(data: Data) -> str:
            if empty and not data:
                return ""
            own = encoding if isinstance(data, str) else "utf-8"
            return encode(data, rule, keep=keep, minimal=minimal, grammar=grammar, encoding=own)

        return write

    written: list[str] = []
    for number, item in enumerate(_items(items)):
        if shape.pair is not None:
            name, value = shape.pair
            writers = [
                writer(name, kept(name, value)),
                writer(value, kept(value, name), empty_values),
            ]
            for pair in _pairs(number, item):
                written.append(shape.delimiter.join(_halves(number, pair, pair, writers)))
        else:
            data = scalar(item, f"item {number}")
            written += _halves(number, [], [data], [writer(shape.element, keep)])
    text = shape.separator.join(written)
    if not written:
        words = f"empty lists are not allowed by {compiled.start} of {grammar}"
        raise ProductionError(words, 0, 0, compiled.start)
    return text


class Reading(TypedDict, total=False):
    """The options of ``decode_query``."""

    errors: Errors
    form: bool
    empty_values: bool
    accept: Accept
    encoding: str


@overload
def decode_query(
    text: str, grammar: Literal["key-value"] = ..., **options: Unpack[Reading]
) -> list[Pair]: ...
@overload
def decode_query(
    text: str, grammar: Literal["parameters"], **options: Unpack[Reading]
) -> list[str]: ...
@overload
def decode_query(text: str, grammar: str, **options: Unpack[Reading]) -> list[Pair] | list[str]: ...
def decode_query(
    text: str,
    grammar: str = "key-value",
    *,
    errors: Errors = "raise",
    form: bool = False,
    empty_values: bool = True,
    accept: Accept = None,
    encoding: str = "utf-8",
) -> list[Pair] | list[str]:
    """The items of a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    A plus sign is a plus sign, or with ``form`` a space. A value can be empty, which the grammar
    does not allow, unless ``empty_values`` is false. ``errors`` and ``accept`` as in ``decode``; a
    pair without its delimiter, an empty key and an empty item always raise. To read any text as
    browsers do, use ``decode_form``.

    Errors: DecodeError, with every fault and its span; UnknownEncoding, UnknownGrammar, TypeError;
    ValueError for a grammar without lists. Cost: O(n). Spec: RFC 3986 §3.4.

    >>> decode_query("greeting=%E4%BB%8A&a%3Db=c=d%26e&q=1+1&empty=")
    [('greeting', '今'), ('a=b', 'c=d&e'), ('q', '1+1'), ('empty', '')]
    >>> decode_query("a%20b&c%26d", "parameters")
    ['a b', 'c&d']
    """
    strings(text=text)
    shape = _shape(grammar)
    faults: list[DecodeFault] = []
    read_as = partial(
        decode, errors=errors, form=form, accept=accept, grammar=grammar, encoding=encoding
    )

    def decoded(text: str, rule: str, at: int) -> str:
        """A text that its production accepts, decoded."""
        try:
            return read_as(text, rule)
        except DecodeError as error:
            faults.extend(_moved(error.faults, at))
            return ""

    pairs: list[Pair] = []
    texts: list[str] = []
    at = 0
    for item in text.split(shape.separator):
        if not item:
            words = f"{shape.element} is missing in the query"
            faults.append(DecodeFault(at, at, "", "missing", words))
        elif shape.pair is None:
            texts.append(decoded(item, shape.element, at))
        else:
            key, delimiter, value = item.partition(shape.delimiter)
            end = at + len(item)
            first = decoded(key, shape.pair[0], at)
            second = ""
            if not delimiter:
                words = f'"{shape.delimiter}" is missing in {shape.element}'
                faults.append(DecodeFault(end, end, "", "missing", words))
            elif value or not empty_values:
                second = decoded(value, shape.pair[1], end - len(value))
            pairs.append((first, second))
        at += len(item) + len(shape.separator)
    if faults:
        raise DecodeError(text, tuple(sorted(faults, key=lambda fault: fault.start)))
    return texts if shape.pair is None else pairs


class _Shape(NamedTuple):
    """A grammar of lists: its elements, their separator, and their parts."""

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
            raise ValueError(f"{grammar} is not a grammar of lists; use key-value or parameters")


def _items(items: object) -> Iterable[Any]:
    if isinstance(items, Mapping):
        return items.items()
    if isinstance(items, Iterable) and not isinstance(items, str | bytes | bytearray):
        return items
    kind = type(items).__name__
    raise TypeError(f"a list of items, or a mapping of names to values, is encoded, not {kind}")


def _pairs(number: int, item: object) -> Iterator[tuple[Data, Data]]:
    """The pairs of an item: one, or for a list of values one each."""
    if not (isinstance(item, tuple | list) and len(item) == 2):  # noqa: PLR2004 -- a pair
        kind = type(item).__name__
        count = f" of {len(item)}" if isinstance(item, tuple | list) else ""
        raise TypeError(f"item {number} is not a pair (name, value) but of type {kind}{count}")
    name = scalar(item[0], f"the name of item {number}")
    where = f"the value of item {number}, {_quoted(name)},"
    values = item[1]
    for value in values if isinstance(values, tuple | list) else [values]:
        yield name, scalar(value, where)


def _halves(
    number: int,
    pair: Sequence[Data],
    data: Sequence[Data],
    writers: Sequence[Callable[[Data], str]],
) -> list[str]:
    """The data written; an error names the item, and the half."""
    written: list[str] = []
    for half, write in zip(data, writers, strict=True):
        try:
            written.append(write(half))
        except EncodeError as error:
            if pair:
                what = f"the value of {_quoted(pair[0])}" if written else "the name"
                error.within(number, what)
            else:
                error.within(number, "the text")
            raise
    return written


def _quoted(name: Data) -> str:
    text = name if isinstance(name, str) else repr(name)
    return f'"{visible(text[:_SHOWN])}{"..." * (len(text) > _SHOWN)}"'


def _lines(text: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", text)


def _field(
    text: str,
    errors: Errors | Literal["whatwg"],
    accept: Accept,
    encoding: str,
    at: int,
    faults: list[DecodeFault],
) -> str:
    """One name or value of form data; its errors are added to the faults, at their places."""
    try:
        if errors == "whatwg":
            return _as_browsers_do(text, accept, encoding)
        return decode(text, errors=errors, form=True, accept=accept, encoding=encoding)
    except DecodeError as error:
        faults += _moved(error.faults, at)
        return ""


def _as_browsers_do(text: str, accept: Accept, encoding: str) -> str:
    """Each kind of fault as WHATWG treats it: bad escapes stay, octets that are not text do not."""
    try:
        return decode(text, form=True, accept=accept, encoding=encoding)
    except DecodeError as error:
        refused = tuple(fault for fault in error.faults if fault.kind == "not-accepted")
        if refused:
            raise DecodeError(text, refused) from None
        # A percent sign that does not begin an escape stands for itself.
        kept = {fault.start for fault in error.faults if fault.kind in ("bad-escape", "u-escape")}
        escaped = "".join("%25" if at in kept else char for at, char in enumerate(text))
        return decode(escaped, errors="replace", form=True, encoding=encoding)


def _moved(faults: Iterable[DecodeFault], by: int) -> list[DecodeFault]:
    return [replace(fault, start=fault.start + by, end=fault.end + by) for fault in faults]
