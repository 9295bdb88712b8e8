"""Arguments of the wrong type: which one, the given type, and the right one.

Owns the checks that public functions make of their arguments, and the words of the errors. Imports
only the standard library. Invariant: every error is a TypeError that begins with the argument's
name, and never holds its value, which might be secret.
"""

from __future__ import annotations

_EXAMPLES = {
    "rule": 'the name of a rule, such as "URI"',
    "component": 'the name of a component, such as "query"',
    "grammar": 'the name of a grammar, such as "rfc3986"',
    "query": 'the name of a query grammar, such as "key-value"',
    "encoding": 'the name of a character encoding, such as "utf-8"',
    "level": 'one of the levels of normalization, such as "case"',
    "to": 'the name of a target, such as "re2"',
}
"""What to pass, if the name of the argument and its type do not tell."""


def wrong(argument: str, given: object, wanted: str, instead: str = "") -> TypeError:
    """The error for an argument of the wrong type.

    >>> str(wrong("rule", 1, "a str"))
    'rule must be a str, not int; give the name of a rule, such as "URI"'
    >>> str(wrong("text", b"a:b", "a str"))
    "text must be a str, not bytes; decode it first: .decode('ascii')"
    """
    kind = "None" if given is None else type(given).__name__
    if not instead:
        if isinstance(given, bytes | bytearray) and argument not in _EXAMPLES:
            instead = "decode it first: .decode('ascii')"
        elif argument in _EXAMPLES:
            instead = f"give {_EXAMPLES[argument]}"
    return TypeError(f"{argument} must be {wanted}, not {kind}{instead and '; '}{instead}")


def strings(**given: object) -> None:
    """Each argument must be a str. Errors: TypeError, for the first that is not."""
    for argument, value in given.items():
        if not isinstance(value, str):
            raise wrong(argument, value, "a str")


def strings_or_none(**given: object) -> None:
    """Each argument must be a str or None. Errors: TypeError, for the first that is not."""
    for argument, value in given.items():
        if not (value is None or isinstance(value, str)):
            raise wrong(argument, value, "a str or None")


def flags(**given: object) -> None:
    """Each argument must be a bool: a text such as "no" would count as true. Errors: TypeError."""
    for argument, value in given.items():
        if not isinstance(value, bool):
            raise wrong(argument, value, "True or False")


def integers(**given: object) -> None:
    """Each argument must be an integer, and no bool. Errors: TypeError."""
    for argument, value in given.items():
        if isinstance(value, bool) or not hasattr(type(value), "__index__"):
            raise wrong(argument, value, "an int")


def integers_or_none(**given: object) -> None:
    """Each argument must be an integer or None. Errors: TypeError."""
    for argument, value in given.items():
        if isinstance(value, bool) or not (value is None or hasattr(type(value), "__index__")):
            raise wrong(argument, value, "an int or None")


def limits(**given: object) -> None:
    """Each argument must be an int from 1 on, or None for no limit. Errors: TypeError, ValueError.

    >>> limits(max_length=0)
    Traceback (most recent call last):
    ...
    ValueError: max_length must be at least 1, or None for no limit
    """
    integers_or_none(**given)
    for argument, value in given.items():
        if isinstance(value, int) and value < 1:
            raise ValueError(f"{argument} must be at least 1, or None for no limit")


def iterables(of: str, instead: str = "", **given: object) -> None:
    """Each argument must be an iterable, and no text or octets; ``instead`` is for one text.

    Errors: TypeError.

    >>> iterables("str", "for one text, call is_valid", texts="a:b")
    Traceback (most recent call last):
    ...
    TypeError: texts must be an iterable of str, not str; for one text, call is_valid
    """
    from collections.abc import Iterable

    for argument, value in given.items():
        single = isinstance(value, str | bytes | bytearray | memoryview)
        if single or not (isinstance(value, Iterable) or hasattr(type(value), "__getitem__")):
            raise wrong(argument, value, f"an iterable of {of}", instead if single else "")
