"""The URI object: a text that is valid, its components, and what each change leaves alone."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import shutil
import subprocess
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import rows

import uriproof
from uriproof import URI, is_valid
from uriproof.adapters import for_hypothesis
from uriproof.percent.form import decode_form
from uriproof.uri.components import InvalidComponents, split

REFERENCES = for_hypothesis.valid("URI-reference")


def test_the_spelling_is_kept() -> None:
    uri = URI("HTTP://Me@H:080/%7e?#")
    assert str(uri) == uri.text == "HTTP://Me@H:080/%7e?#"
    assert (uri.scheme, uri.userinfo, uri.host, uri.port) == ("HTTP", "Me", "H", 80)
    assert uri.components.port == "080"
    assert (uri.path, uri.query, uri.fragment, uri.authority) == ("/%7e", "", "", "Me@H:080")
    assert str(uri.with_host("h2")) == "HTTP://Me@h2:080/%7e?#"
    assert str(uri) == "HTTP://Me@H:080/%7e?#"


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
    assert uri.equivalent("HTTP://h").level == "scheme"
    assert {uri: 1}[URI("http://h/")] == 1


def test_each_component_can_be_put_for_another() -> None:
    uri = URI("http://u@h:1/p?q#f")
    assert uri.with_scheme("s").text == "s://u@h:1/p?q#f"
    assert uri.with_userinfo(None).text == "http://h:1/p?q#f"
    assert uri.with_host("[::1]").text == "http://u@[::1]:1/p?q#f"
    assert uri.with_port(2).text == "http://u@h:2/p?q#f"
    assert uri.with_path("").text == "http://u@h:1?q#f"
    assert uri.with_query("").text == "http://u@h:1/p?#f"
    assert uri.with_fragment(None).text == "http://u@h:1/p?q"
    assert uri.without_authority().text == "http:/p?q#f"


def test_no_host_is_no_authority() -> None:
    with pytest.raises(TypeError, match=r"host must be .*, not None; .*without_authority\(\)"):
        URI("http://h/").with_host(None)  # type: ignore[arg-type]


def test_a_change_that_would_be_read_otherwise_is_refused() -> None:
    with pytest.raises(InvalidComponents, match=r"would start an authority"):
        URI("http://h//p").without_authority()
    with pytest.raises(InvalidComponents, match="read as a scheme"):
        URI("urn:a:b", "URI-reference").with_scheme(None)
    with pytest.raises(InvalidComponents, match="The scheme is missing"):
        URI("http://h/").with_scheme(None)
    with pytest.raises(InvalidComponents, match="An absolute-URI cannot have a fragment"):
        URI("http://h/", "absolute-URI").with_fragment("f")
    with pytest.raises(InvalidComponents, match="not a valid URI"):
        URI("../a")
    with pytest.raises(TypeError):
        URI("http://h/").with_components(hots="x")


def test_values_resolve_and_normalize() -> None:
    uri = URI("http://h/a/b")
    assert uri.resolve(URI("../c", "URI-reference")) == uri.resolve("../c") == URI("http://h/c")
    assert uri.relativize(URI("http://h/c")) == URI("../c", "URI-reference")
    assert URI("HTTP://H:80").normalize() == URI("http://h/")


def test_repr_masks_the_password() -> None:
    assert repr(URI("ftp://me:secret@h/")) == "URI('ftp://me:******@h/')"
    assert repr(URI("//:a:b@h.org/x", "URI-reference")) == "URI('//:***@h.org/x', 'URI-reference')"
    assert repr(URI("db://me:p@ss/w@rd@h/x")) == "URI('db://me:*********@h/x')"
    assert repr(URI("http://me:@h/")) == "URI('http://me:@h/')"
    assert repr(URI("../a", "URI-reference")) == "URI('../a', 'URI-reference')"


def test_user_and_password_are_apart() -> None:
    uri = URI("ftp://me:a:b@h/")
    assert (uri.user, uri.password, uri.userinfo) == ("me", "a:b", "me:a:b")
    assert (URI("ftp://me@h/").user, URI("ftp://me@h/").password) == ("me", None)
    assert (URI("ftp://h/").user, URI("ftp://h/").password) == (None, None)
    assert (URI("ftp://:@h/").user, URI("ftp://:@h/").password) == ("", "")
    assert uri.with_user("you") == "ftp://you:a:b@h/"
    assert uri.with_user(None) == "ftp://h/"
    assert uri.with_password(None) == "ftp://me@h/"
    assert uri.with_password("") == "ftp://me:@h/"
    assert URI("ftp://h/").with_password("x") == "ftp://:x@h/"
    with pytest.raises(InvalidComponents, match='userinfo 1: A user name cannot contain ":"'):
        uri.with_user("a:b")
    with pytest.raises(InvalidComponents, match="A userinfo needs a host"):
        URI("urn:a").with_user("x")


@pytest.mark.parametrize(
    ("text", "port"),
    [
        *(("x://h", None), ("x://h:", None), ("x://h:0", 0), ("x://h:080", 80), ("urn:a", None)),
        *(("x://h:65535", 65535), ("x://h:" + "0" * 9_000 + "1", 1)),
    ],
)
def test_a_port_is_a_number(text: str, port: int | None) -> None:
    assert URI(text).port == port


@pytest.mark.parametrize("digits", ["65536", "9" * 5_000])
def test_a_port_out_of_range_is_an_error(digits: str) -> None:
    uri = URI(f"http://h:{digits}/")
    with pytest.raises(ValueError, match="the maximum is 65535"):
        _ = uri.port
    with pytest.raises(ValueError, match="the maximum is 65535"):
        URI("http://h/").with_port(digits)
    assert uri.components.port == digits
    assert uri.origin is None


def test_a_host_is_an_address_where_it_is_one() -> None:
    assert URI("http://127.0.0.1/").address == IPv4Address("127.0.0.1")
    assert URI("http://[::1]/").address == IPv6Address("::1")
    for host in ("127.1", "h", "[v1.a]", "", "%31.2.3.4"):
        assert URI(f"http://{host}/").address is None
    assert URI("http://h/").with_host(IPv6Address("::1")) == "http://[::1]/"
    assert URI("http://h/").with_host(IPv4Address("1.2.3.4")) == "http://1.2.3.4/"


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


def test_a_space_is_read_the_same_by_everyone() -> None:
    uri = URI("http://h/").add_query_pair("a b", "1+1 =")
    assert uri == "http://h/?a%20b=1%2B1%20%3D"
    assert uri.query_pairs == (("a b", "1+1 ="),)


@pytest.mark.parametrize(
    ("query", "removed"),
    [("", "?"), ("a", ""), ("a&b", "?b"), ("&a&", "?&"), ("%61=1&A=1", "?A=1"), ("a=1&a=2", "")],
)
def test_a_query_without_parameters_is_left_out(query: str, removed: str) -> None:
    assert URI(f"http://h/?{query}").remove_query_pair("a") == f"http://h/{removed}"
    assert URI("http://h/").remove_query_pair("a") == "http://h/"


# Origins

ORIGINS = rows("uri", "origins")


@pytest.mark.parametrize(("text", "origin"), ORIGINS)
def test_origins(text: str, origin: str | None) -> None:
    assert URI(text).origin == origin


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is the judge, and is not installed")
def test_origins_are_those_of_node() -> None:
    script = (
        "const texts = JSON.parse(require('fs').readFileSync(0));"
        "const origin = text => { try { return new URL(text).origin } catch { return 'null' } };"
        "process.stdout.write(JSON.stringify(texts.map(origin)))"
    )
    texts = [text for text, _ in ORIGINS]
    run = subprocess.run(
        ["node", "-e", script], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == [URI(text).origin or "null" for text in texts]


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
