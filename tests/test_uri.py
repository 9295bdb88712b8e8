"""The URI object: a text that is valid, its components, and what each change leaves alone."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from ipaddress import IPv4Address, IPv6Address

import pytest
from engines.node import by_node
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

import uriproof
from uriproof import URI, is_valid
from uriproof.adapters import for_hypothesis
from uriproof.percent.form import decode_form
from uriproof.uri.components import split

REFERENCES = for_hypothesis.valid("URI-reference")


def test_the_spelling_is_kept() -> None:
    uri = URI("HTTP://Me@H:080/%7e?#")
    assert str(uri) == uri.text == "HTTP://Me@H:080/%7e?#"
    assert (uri.scheme, uri.userinfo, uri.host, uri.port) == ("HTTP", "Me", "H", 80)
    assert uri.components.port == "080"
    assert (uri.path, uri.query, uri.fragment, uri.authority) == ("/%7e", "", "", "Me@H:080")


@given(REFERENCES)
def test_values_are_equal_if_their_texts_are(text: str) -> None:
    one, two = URI(text, "URI-reference"), URI(text, "URI-reference")
    assert one == two
    assert hash(one) == hash(two)
    assert one.with_components() == one == pickle.loads(pickle.dumps(one)) == copy.deepcopy(one)  # noqa: S301
    assert one.is_relative == (one.scheme is None)


def test_a_value_cannot_be_changed() -> None:
    uri = URI("http://h/")
    for name in ("text", "rule", "host", "components", "other"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(uri, name, "http://x/")
        with pytest.raises(AttributeError):
            delattr(uri, name)
    assert URI("http://h/") != URI("HTTP://h/")
    assert {uri: 1}[URI("http://h/")] == 1


def test_addresses_and_ports_of_any_size() -> None:
    assert URI("http://h/").with_host(IPv6Address("::1")) == "http://[::1]/"
    assert URI("http://h/").with_host(IPv4Address("1.2.3.4")) == "http://1.2.3.4/"
    assert URI("x://h:" + "0" * 9_000 + "1").port == 1
    uri = URI(f"http://h:{'9' * 5_000}/")
    with pytest.raises(ValueError, match="the maximum is 65535"):
        _ = uri.port
    assert uri.components.port == "9" * 5_000
    assert uri.origin is None


@given(REFERENCES)
def test_segments_are_what_stands_between_slashes(text: str) -> None:
    uri = URI(text, "URI-reference")
    slash = "/" * uri.path.startswith("/")
    assert slash + "/".join(uri.segments) == uri.path
    assert all(is_valid(segment, "segment") for segment in uri.segments)


# Parameters of the query

NAMES = st.text(st.sampled_from("ab &=+%#é/?"), max_size=3)
QUERIES = st.lists(
    st.sampled_from(["a=1", "a", "%61=2", "b=+", "b=%20", "", "=", "a=b=c", "c=%ff", "%41=x"]),
    max_size=6,
).map("&".join)


def others(query: str | None, name: str) -> list[str]:
    """Parameters of other names, as they are spelled."""
    texts = query.split("&") if query else []
    return [text for text in texts if text and decode_form(text)[0][0] != name]


@given(QUERIES, NAMES, NAMES)
def test_changing_a_parameter_leaves_the_others_alone(query: str, name: str, value: str) -> None:
    uri = URI(f"http://h/p?{query}#f")
    pairs = list(uri.query_pairs)
    assert pairs == decode_form(query)

    added = uri.add_query_pair(name, value)
    assert list(added.query_pairs) == [*pairs, (name, value)]
    assert (added.query or "").startswith(query)

    replaced = uri.replace_query_pair(name, value)
    assert [v for n, v in replaced.query_pairs if n == name] == [value]
    assert others(replaced.query, name) == others(query, name)
    first = [n for n, _ in pairs].index(name) if name in dict(pairs) else len(pairs)
    assert [n for n, _ in replaced.query_pairs].index(name) == first

    removed = uri.remove_query_pair(name)
    assert list(removed.query_pairs) == [(n, v) for n, v in pairs if n != name]
    assert others(removed.query, name) == others(query, name)
    for changed in (added, replaced, removed):
        assert changed.with_query(query) == uri


# Origins

ORIGINS = rows("uri", "origins")


@pytest.mark.parametrize(("text", "origin"), ORIGINS)
def test_origins(text: str, origin: str | None) -> None:
    assert URI(text).origin == origin


def test_origins_are_those_of_node() -> None:
    texts = [text for text, _ in ORIGINS]
    told = [origin or "null" for origin in by_node("new URL(x).origin", texts)]
    assert told == [URI(text).origin or "null" for text in texts]


# It is a text


def test_every_function_takes_a_uri_where_it_takes_text() -> None:
    uri = URI("http://me:pw@h:80/a%41?b=c#d")
    assert isinstance(uri, str)
    assert type(uri.text) is type(str(uri)) is str
    names = [
        *("is_valid", "check", "parse", "require", "normalize", "split"),
        *("clean", "decode", "display", "decode_form", "encode"),
    ]
    for name in names:
        function = getattr(uriproof, name)
        assert function(uri) == function(uri.text), name
    for name in ("resolve", "relativize", "equivalent"):
        function = getattr(uriproof, name)
        assert function(uri, uri) == function(uri.text, uri.text), name
    assert list(uriproof.are_valid([uri])) == [True]
    assert uriproof.require(uri) is uri
    assert URI(uri) == uri
    shown = json.loads(json.dumps(uriproof.check(uri).to_dict()))["text"]
    assert shown == uri.text.replace("pw", "**")


def test_one_order_of_arguments() -> None:
    for name in ("resolve", "relativize"):
        assert next(iter(inspect.signature(getattr(uriproof, name)).parameters)) == "base"


@given(REFERENCES, REFERENCES)
def test_relativizing_is_the_way_back(a: str, b: str) -> None:
    if split(a).scheme is None or split(b).scheme is None:
        return
    base, target = URI(a), URI(b).normalize("path-segment")
    try:
        reference = base.relativize(target)
    except uriproof.Unreachable:
        return
    assert base.resolve(reference) == target
