"""Form data and queries: lists of names and values in, one text out, and back.

Owns the treatment of a whole list: order, duplicates and empty values stay. Imports the grammars,
``encode`` and ``decode``. Invariant: the delimiters are those of the grammar, and data never
produces a delimiter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, overload

from ..arguments import flags, strings
from ..grammar import registry
from ..grammar.model import CharVal, Concatenation, Repetition, RuleRef
from ..text.drawing import visible
from ..validate.words.catalogue import say
from .decode import decode, read, read_as_browsers_do, without_stray
from .encode import FORM, Data, Scalar, Spelled, coder_of, form_writer, kept, scalar
from .errors import DecodeError, DecodeFault, EncodeError, Errors, ProductionError

Pair: TypeAlias = tuple[str, str]
LoosePair: TypeAlias = tuple[str, str | None]
Value: TypeAlias = Scalar | Sequence[Scalar]
Fields: TypeAlias = Iterable[tuple[Scalar, Value]] | Mapping[Any, Any]
LooseFields: TypeAlias = (
    Iterable[tuple[Scalar, Scalar | Sequence[Scalar | None] | None]] | Mapping[Any, Any]
)
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
    write = form_writer(encoding)
    if crlf:
        plain = write
        write = lambda data: plain(_lines(data) if isinstance(data, str) else data)  # noqa: E731
    return shape.separator.join(_written(fields, (write, write), shape.delimiter))


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
    whole = _as_browsers_do if errors == "whatwg" else partial(decode, errors=errors, form=True)
    plain = accept is None and encoding == "utf-8" and errors in ("raise", "whatwg")
    halves = _Halves(partial(whole, accept=accept, encoding=encoding), plain)
    pairs: list[Pair] = []
    at = 0
    for field in text.split(shape.separator):
        name, delimiter, value = field.partition(shape.delimiter)
        start = at + len(name) + len(delimiter)
        if field:
            pairs.append((halves(name, at), halves(value, start)))
        at += len(field) + len(shape.separator)
    halves.finish(text)
    return pairs


def encode_query(
    items: Iterable[Scalar] | LooseFields,
    grammar: str = "key-value",
    *,
    keep: str = "",
    minimal: bool = False,
    empty_values: bool = True,
    lenient: bool = False,
    encoding: str = "utf-8",
) -> str:
    """A list as a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    Order and duplicates stay. Values are those that ``encode_form`` takes. An item that the grammar
    does not allow is an error. A value can be empty, which the grammar does not allow, unless
    ``empty_values`` is false. With ``lenient``, a name, an item or the list can also be empty, and
    a pair with the value None has no delimiter. ``keep``, ``minimal`` and ``encoding`` as in
    ``encode``; names and values each keep only the characters of ``keep`` that are allowed in them.

    What ``decode_query`` returned is written as it was read, unless ``keep``, ``minimal`` or
    ``encoding`` ask for another spelling: ``encode_query(decode_query(q)) == q`` for every query.

    Errors: ProductionError, CharacterError and TypeError, which name the item; then
    UnknownEncoding, UnknownGrammar; ValueError for a grammar without lists. Cost: O(n). Spec: RFC
    3986 §3.4.

    >>> encode_query([("greeting", "今日は"), ("a=b", "c=d&e")], minimal=True)
    'greeting=%E4%BB%8A%E6%97%A5%E3%81%AF&a%3Db=c=d%26e'
    >>> encode_query(["a b", "c&d"], "parameters")
    'a%20b&c%26d'
    >>> encode_query({"a": "b=c", "empty": ""}, keep="=")
    'a=b=c&empty='
    >>> encode_query([*decode_query("a=%7e/"), ("b", "~/")]), encode_query(["~/"], "parameters")
    ('a=%7e/&b=~%2F', '~%2F')
    """
    strings(grammar=grammar, keep=keep)
    shape = _shape(grammar)
    writers = _writers(grammar, keep, minimal, empty_values, lenient, encoding)
    written = _written(items, writers, shape.delimiter, lenient)
    if not (written or lenient):
        start = registry.load(grammar).start
        words = f"empty lists are not allowed by {start} of {grammar}"
        raise ProductionError(words, 0, 0, start)
    return shape.separator.join(written)


_Writers: TypeAlias = Sequence[Callable[[Scalar], str]]


@lru_cache(64)
def _writers(
    grammar: str, keep: str, minimal: bool, empty_values: bool, lenient: bool, encoding: str
) -> _Writers:
    """A writer for each half of an item; of the characters to keep, those that are allowed in it,
    or in none."""
    flags(minimal=minimal, empty_values=empty_values, lenient=lenient)
    accepts = registry.load(grammar).accepts
    shape = _shape(grammar)
    rules = shape.pair or (shape.element,)
    found: list[Callable[[Scalar], str]] = []
    for rule, empty in zip(rules, (lenient, lenient or empty_values), strict=False):
        elsewhere = {c for c in keep if any(accepts(other, c) for other in rules)}
        own = "".join(c for c in keep if accepts(rule, c) or c not in elsewhere)
        coder = coder_of(rule, minimal, False, kept(own), grammar)
        found.append(coder.writer(encoding, empty, not (keep or minimal)))
    return found


def _written(
    items: object,
    writers: _Writers,
    delimiter: str,
    lenient: bool = False,
) -> list[str]:
    """Each item as text. Errors: EncodeError and TypeError, which name the item."""
    written: list[str] = []
    first, second = writers[0], writers[-1]
    for number, item in enumerate(_items(items)):
        if item.__class__ is tuple and len(writers) > 1:
            try:
                name, value = item
                written.append(f"{first(name)}{delimiter}{second(value)}")
                continue
            except (TypeError, ValueError):
                pass  # to be written otherwise, or wrong: it takes a longer look
        if len(writers) > 1:
            halves = _pairs(number, item, lenient)
        else:
            halves = iter([(scalar(item, f"item {number}"),)])
        written += [delimiter.join(_halves(number, half, writers)) for half in halves]
    return written


class Reading(TypedDict, total=False):
    """The options of ``decode_query`` beside ``lenient``."""

    errors: Errors
    form: bool
    empty_values: bool
    accept: Accept
    encoding: str


@overload
def decode_query(
    text: str,
    grammar: Literal["key-value"] = ...,
    *,
    lenient: Literal[False] = ...,
    **options: Unpack[Reading],
) -> list[Pair]: ...
@overload
def decode_query(
    text: str, grammar: Literal["key-value"] = ..., *, lenient: bool, **options: Unpack[Reading]
) -> list[LoosePair]: ...
@overload
def decode_query(
    text: str, grammar: Literal["parameters"], *, lenient: bool = ..., **options: Unpack[Reading]
) -> list[str]: ...
@overload
def decode_query(
    text: str, grammar: str, *, lenient: bool = ..., **options: Unpack[Reading]
) -> list[Pair] | list[LoosePair] | list[str]: ...
def decode_query(
    text: str,
    grammar: str = "key-value",
    *,
    errors: Errors = "raise",
    form: bool = False,
    empty_values: bool = True,
    lenient: bool = False,
    accept: Accept = None,
    encoding: str = "utf-8",
) -> list[Pair] | list[LoosePair] | list[str]:
    """The items of a query: pairs for the grammar ``key-value``, texts for ``parameters``.

    A plus sign is a plus sign, or with ``form`` a space. A value can be empty, which the grammar
    does not allow, unless ``empty_values`` is false. ``errors`` and ``accept`` as in ``decode``. A
    pair without its delimiter, an empty key and an empty item are faults, whatever ``errors`` is.
    With ``lenient`` they are not: a pair without its delimiter has the value None, and an empty
    item is ``("", None)``. To read any text as browsers do, use ``decode_form``.

    The texts remember how they were written, so that ``encode_query`` gives the same query back,
    and changes only what you changed. With ``errors``, ``form``, ``accept`` or ``encoding`` they do
    not.

    Errors: DecodeError, with every fault and its span; UnknownEncoding, UnknownGrammar, TypeError;
    ValueError for a grammar without lists. Cost: O(n). Spec: RFC 3986 §3.4.

    >>> decode_query("greeting=%E4%BB%8A&a%3Db=c=d%26e&q=1+1&empty=")
    [('greeting', '今'), ('a=b', 'c=d&e'), ('q', '1+1'), ('empty', '')]
    >>> decode_query("a%20b&c%26d", "parameters")
    ['a b', 'c&d']
    >>> decode_query("a&=&b=c=d&", lenient=True)
    [('a', None), ('', ''), ('b', 'c=d'), ('', None)]
    """
    strings(text=text)
    flags(form=form, empty_values=empty_values, lenient=lenient)
    shape = _shape(grammar)
    whole = partial(
        decode, errors=errors, form=form, accept=accept, grammar=grammar, encoding=encoding
    )
    plain = accept is None and encoding == "utf-8" and errors == "raise"
    read = _Halves(whole, plain, plain and not form)
    pairs: list[LoosePair] = []
    texts: list[str] = []
    at = 0
    for item in text.split(shape.separator) if text or not lenient else ():
        end = at + len(item)
        if not (item or lenient):
            read.missing(at, "parameter-missing")
        elif shape.pair is None:
            texts.append(read(item, at, shape.element) if item else item)
        else:
            key, delimiter, value = item.partition(shape.delimiter)
            first = read(key, at, shape.pair[0]) if key or not lenient else key
            second: str | None = value if delimiter else None
            if not (delimiter or lenient):
                read.missing(end, "parameter-value")
            elif value or (delimiter and not empty_values):
                second = read(value, end - len(value), shape.pair[1])
            pairs.append((first, second))
        at = end + len(shape.separator)
    read.finish(text)
    return texts if shape.pair is None else pairs


class _Halves:
    """Reads items, names and values, and collects the faults of all.

    ``plain``: letters and digits are data as they are. ``spelled``: the spelling is remembered,
    as data has it with no other option, which would change it, or be that of one receiver.
    """

    def __init__(self, read: Callable[..., str], plain: bool, spelled: bool = False) -> None:
        self._faults: list[DecodeFault] = []
        self._read = read
        self._plain = plain
        self._spelled = spelled

    def __call__(self, text: str, at: int, *rule: str) -> str:
        """A text decoded; empty if that is wrong, or its production does not accept it."""
        if self._plain and text.isascii() and text.isalnum():
            return text
        try:
            data = self._read(text, *rule)
        except DecodeError as error:
            faults = error.faults
            self._faults += [f._replace(start=f.start + at, end=f.end + at) for f in faults]
            return ""
        return Spelled(data, text) if self._spelled else data

    def missing(self, at: int, code: str) -> None:
        """A fault where something is missing."""
        self._faults.append(DecodeFault(at, at, "", "missing", say(code)))

    def finish(self, text: str) -> None:
        """Errors: DecodeError, with all faults, in the order of the whole text."""
        if self._faults:
            raise DecodeError(text, tuple(sorted(self._faults, key=lambda fault: fault.start)))


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


def _pairs(number: int, item: object, lenient: bool) -> Iterator[tuple[Data, ...]]:
    """The pairs of an item: one, or for a list of values one each; a name alone for None."""
    if not (isinstance(item, tuple | list) and len(item) == 2):  # noqa: PLR2004 -- a pair
        kind = type(item).__name__
        count = f" of {len(item)}" if isinstance(item, tuple | list) else ""
        raise TypeError(f"item {number} is not a pair (name, value) but of type {kind}{count}")
    name = scalar(item[0], f"the name of item {number}")
    where = f"the value of item {number}, {_quoted(name)},"
    values = item[1]
    for value in values if isinstance(values, tuple | list) else [values]:
        yield (name,) if lenient and value is None else (name, scalar(value, where))


def _halves(number: int, data: Sequence[Data], writers: _Writers) -> list[str]:
    """The data written; an error names the item, and the half."""
    written: list[str] = []
    for half, write in zip(data, writers, strict=False):
        try:
            written.append(write(half))
        except EncodeError as error:
            name = "the name" if len(writers) > 1 else "the text"
            error.within(number, f"the value of {_quoted(data[0])}" if written else name)
            raise
    return written


def _quoted(name: Data) -> str:
    text = name if isinstance(name, str) else repr(name)
    return f'"{visible(text[:_SHOWN])}{"..." * (len(text) > _SHOWN)}"'


def _lines(text: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", text)


def _as_browsers_do(text: str, accept: Accept, encoding: str) -> str:
    """Each kind of fault as WHATWG treats it: bad escapes stay, octets that are not text do not."""
    try:
        return decode(text, form=True, accept=accept, encoding=encoding)
    except DecodeError as error:
        refused = tuple(fault for fault in error.faults if fault.kind == "not-accepted")
        if refused:
            raise DecodeError(text, refused) from None
        return decode(without_stray(text), errors="replace", form=True, encoding=encoding)
