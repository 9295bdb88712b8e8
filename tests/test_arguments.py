"""Wrong arguments: every public function says which one is wrong, and what to give instead.

A parameter that the table does not know fails, so that a new one has to be placed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from typing import Any

import pytest

import uriproof
from uriproof import URI, Grammar, Rule, grammars

GENERIC = Grammar.load("rfc3986")
HERE = URI("http://a/b?c=d#e")

# What each parameter takes, by its name; where one name means two things, function and name.
TAKES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("text", "rule", "base", "reference", "target", "name", "file", "uri"), (str,)),
    **dict.fromkeys(("errors", "encoding", "level", "to", "a", "b", "other"), (str,)),
    **dict.fromkeys(("grammar", "path"), (str,)),
    **dict.fromkeys(("query", "component", "scheme", "userinfo"), (str, type(None))),
    **dict.fromkeys(("fragment", "read_as", "base64"), (str, type(None))),
    **dict.fromkeys(("svg", "readable", "minimal", "every", "form", "u_escapes"), (bool,)),
    **dict.fromkeys(("scheme_rules", "strict", "crlf", "idna"), (bool,)),
    **dict.fromkeys(("seed", "width"), (int,)),
    **dict.fromkeys(("min_length", "max_length"), (int, type(None))),
    **dict.fromkeys(("texts", "fields", "items"), (list, tuple, dict, set)),
    "accept": (str, set, list, tuple, dict, type(None)),
    "advanced": (bool, str, list, tuple, dict, set),
    "data": (str, bytes, bytearray, memoryview),
    "host": (str, type(None)),
    "port": (str, int, type(None)),
    "with_host.host": (str,),
    "grammar_page.rule": (str, type(None)),
    "equivalent.base": (str, type(None)),
    "equivalent.fragment": (bool,),
    "max_length": (int, type(None)),
    "max_violations": (int, type(None)),
    "Grammar.rule.name": (str, type(None)),
    **{f"Grammar.{verb}.rule": (str, type(None)) for verb in ("automaton", "lark")},
}
WRONG: tuple[object, ...] = (
    *(None, 1, 1.5, True, b"s3cret", bytearray(b"s3cret"), memoryview(b"s3cret"), object()),
    *(["s3cret"], ("s3cret",), {"s3cret": 1}, {"s3cret"}, Decimal(1), "s3cret", str, str.lower),
)

TEXT = ("a:b",)
TEXTS = ["a:b"]
GIVEN: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("are_valid", "check_many", "Rule.are_valid", "Rule.check_many"), (TEXTS,)),
    **dict.fromkeys(("describe", "near_misses", "railroad", "sample"), ("port",)),
    **dict.fromkeys(("encode_form", "encode_query"), ([("a", "b")],)),
    **dict.fromkeys(("decode_form", "decode_query"), ("a=b",)),
    **dict.fromkeys(("build", "URI.normalize"), ()),
    "compare_rules": ("port", "host"),
    "equivalent": ("a:b", "a:c"),
    "export": ("port", "re2"),
    "extract_abnf": ('a = "x"\n',),
    "grammar_page": ("key-value",),
    "relativize": ("a:b", "a:c"),
    "resolve": ("a:b", "c"),
    "Grammar.load": ("rfc3986",),
    "Grammar.from_abnf": ('a = "x"',),
    "Grammar.rule_name": ("URI",),
    "Grammar.automaton": ("port",),
    "Grammar.lark": ("port",),
    "Grammar.rule": ("URI",),
    "Rule.pattern": ("re2",),
    "URI.equivalent": ("a:b",),
    "URI.relative_to": ("http://a/",),
    "URI.resolve": ("c",),
    **{f"URI.with_{name}": ("a",) for name in ("scheme", "userinfo", "host", "query", "fragment")},
    "URI.with_port": ("80",),
    "URI.with_path": ("/a",),
}


ELSEWHERE = (
    *("uriproof.percent.", "uriproof.advice", "uriproof.cleaning"),
    *("uriproof.uri.iri", "uriproof.uri.normalize", "uriproof.uri.scheme_info"),
)


EVERY = [getattr(module, n) for module in (uriproof, grammars) for n in module.__all__]


def _verbs() -> Iterator[tuple[str, Callable[..., object]]]:
    for value in EVERY:
        # Percent-encoding, IRIs, normalization and advice say what they take in tests of their own.
        if inspect.isfunction(value) and not value.__module__.startswith(ELSEWHERE):
            yield value.__name__, value
    for owner in (GENERIC, Rule()):
        for name, _ in inspect.getmembers(type(owner), inspect.isfunction):
            if not name.startswith("_"):
                yield f"{type(owner).__name__}.{name}", getattr(owner, name)


VERBS = dict(_verbs())


def _parameters(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(VERBS[name]).parameters.values())


def _takes(verb: str, parameter: str) -> tuple[type, ...]:
    bare = verb.rpartition(".")[2]
    for key in (f"{verb}.{parameter}", f"{bare}.{parameter}"):
        if key in TAKES:
            return TAKES[key]
    return TAKES[parameter]


def _call(verb: str, changed: dict[str, object]) -> object:
    names = [p.name for p in _parameters(verb)]
    given = dict(zip(names, GIVEN.get(verb, TEXT), strict=False))
    result = VERBS[verb](**{**given, **changed})
    return list(islice(result, 3)) if isinstance(result, Iterator) else result


CASES = [
    (verb, parameter.name)
    for verb in VERBS
    for parameter in _parameters(verb)
    if parameter.kind is not parameter.VAR_KEYWORD
]


@pytest.mark.parametrize(("verb", "parameter"), CASES)
def test_a_wrong_type_is_told_with_the_argument(verb: str, parameter: str) -> None:
    takes = _takes(verb, parameter)
    for given in WRONG:
        allowed = type(given) in takes or (parameter == "accept" and callable(given))
        if allowed:
            continue
        with pytest.raises(TypeError) as caught:
            _call(verb, {parameter: given})
        message = str(caught.value)
        kind = "None" if given is None else type(given).__name__
        assert message.startswith(f"{parameter} must be "), (given, message)
        assert f", not {kind}" in message
        assert "s3cret" not in message
        assert caught.value.__cause__ is None


def test_the_table_reaches_every_function_and_the_calls_are_right() -> None:
    functions = {f for f in EVERY if inspect.isfunction(f)}
    assert {f.__name__ for f in functions if not f.__module__.startswith(ELSEWHERE)} <= VERBS.keys()
    assert len(CASES) > 70
    for verb in VERBS:
        if not verb.startswith("URI.") or verb in GIVEN:
            _call(verb, {})


class Text(str):
    """A text of one's own: a subclass that says nothing more."""

    __slots__ = ()


class Named(StrEnum):
    uri = "a:b"


def test_subclasses_among_many_texts() -> None:
    texts = [Text("a:b"), Named.uri, "a b"]
    assert list(uriproof.are_valid(texts)) == [True, True, False]
    assert uriproof.require(Named.uri) is Named.uri


OWN = Grammar.from_abnf('a = *( "a" / "aa" ) "b"')  # decided by an automaton
MANY: list[Callable[[Any], Iterator[object]]] = [
    uriproof.are_valid,
    OWN.rule().are_valid,
    lambda texts: uriproof.are_valid(texts, uriproof.Rule(query="key-value")),
]


@pytest.mark.parametrize("verb", MANY)
@pytest.mark.parametrize("text", ["abc", "", b"abc", bytearray(b"a"), memoryview(b"a")])
def test_one_text_is_no_iterable_of_texts(verb: Callable[[Any], object], text: object) -> None:
    kind = type(text).__name__
    with pytest.raises(TypeError, match=rf"^texts must be an iterable of str, not {kind}; for one"):
        verb(text)


class Getting:
    """The old protocol of sequences."""

    def __getitem__(self, at: int) -> str:
        return ["a:b", " "][at]


@pytest.mark.parametrize("texts", [("a:b", " "), {"a:b": 1, " ": 2}, Getting()])
def test_every_kind_of_iterable_is_taken(texts: Any) -> None:
    assert list(uriproof.are_valid(texts)) == [True, False]


@pytest.mark.parametrize("verb", MANY)
@pytest.mark.parametrize("given", [b"s3cret", None, 1, ["a", "b"]])
def test_what_is_no_text_among_texts(verb: Callable[[Any], Any], given: object) -> None:
    kind = "None" if given is None else type(given).__name__
    results = verb(["?", given, "?"])
    assert next(results) is False
    with pytest.raises(TypeError, match=rf"^each text must be a str, not {kind}") as caught:
        next(results)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("verb", MANY)
@pytest.mark.parametrize("error", [TypeError, AttributeError, ValueError, KeyError, OSError])
def test_errors_of_the_callers_iterable_come_out_as_they_are(
    verb: Callable[[Any], Any], error: type[Exception]
) -> None:
    raised = error("the caller's own")

    def texts() -> Iterator[str]:
        yield "?"
        yield "?"
        raise raised

    with pytest.raises(error) as caught:
        list(verb(texts()))
    assert caught.value is raised
    assert caught.value.__cause__ is caught.value.__context__ is None
    results = verb(texts())
    assert [next(results), next(results)] == [False, False]


@pytest.mark.parametrize("name", ["../x", "", "\0", "rfc3986.abnf", "/etc/passwd", "\ud800"])
def test_an_unknown_grammar_can_be_told(name: str) -> None:
    with pytest.raises(uriproof.UnknownGrammar, match=r"did you mean|uriproof grammar list"):
        Grammar.load(name)


def test_a_grammar_is_made_by_load_or_from_abnf() -> None:
    with pytest.raises(TypeError, match=r"^compiled must be .*Grammar\.load"):
        Grammar("rfc3986")  # type: ignore[arg-type]


def test_only_rules_of_whole_texts_have_components() -> None:
    assert uriproof.split("a:b", "uri") == uriproof.split("a:b", "URI")
    for rule in ("port", "path", "relative-ref"):
        with pytest.raises(ValueError, match="split by one of URI-reference, URI, absolute-URI"):
            uriproof.split("80", rule)
