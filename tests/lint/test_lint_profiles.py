"""URIs and IRIs: what each format demands of its URLs, and what the profiles make of that.

Owns the cases. Imports ``lint``. Invariant: each case is an example of a row of the table in
docs/lint/formats.md, and every row has one.
"""

from __future__ import annotations

import pytest
from tables import beside

from uriproof.lint.config.settings import FormatOptions, Settings
from uriproof.lint.engine.analyze import Engine, Result
from uriproof.lint.find import finders

TAKES_IRIS = beside(__file__, "takes_iris")
DEMANDS_URIS = beside(__file__, "demands_uris")


def lint(name: str, text: str, profile: str = "auto", **more: FormatOptions) -> Result:
    settings = Settings(profile=profile, format=more)  # type: ignore[arg-type]
    return Engine(settings).lint(name, text.encode())


@pytest.mark.parametrize(("format_", "name", "text"), TAKES_IRIS)
def test_iris_are_taken(format_: str, name: str, text: str) -> None:
    assert Engine(Settings()).format(name) == format_
    result = lint(name, text)
    assert (result.diagnostics, result.iris) == ([], result.urls)
    assert lint(name, text, "iri").diagnostics == []
    assert lint(name, text, "iri").iris == 0  # nothing is let through that was not asked for
    found = lint(name, text, "uri")
    assert (len(found.diagnostics), found.iris) == (found.urls, 0)


@pytest.mark.parametrize(("format_", "name", "text"), DEMANDS_URIS)
def test_uris_are_demanded(format_: str, name: str, text: str) -> None:
    assert Engine(Settings()).format(name) == format_
    result = lint(name, text)
    assert [one.code for one in result.diagnostics] == ["path-illegal"]
    assert result.iris == result.urls - 1
    assert lint(name, text, "iri").diagnostics == []


def test_every_row_of_the_table_has_a_case() -> None:
    rows = {(name, one.kind) for name, finder in finders().items() for one in finder.PROFILES}
    cases = {(row[0], "iri") for row in TAKES_IRIS} | {(row[0], "uri") for row in DEMANDS_URIS}
    assert rows == cases
    for name, finder in finders().items():
        assert all(one.source for one in finder.PROFILES), name
        assert len({one.of for one in finder.PROFILES}) == len(finder.PROFILES), name


def test_what_no_iri_is() -> None:
    text = "[a](http://h/é|b) [c](http://h/é) <http://h/?é[0]>"
    result = lint("a.md", text)
    found = [(one.code, text[one.start : one.end]) for one in result.diagnostics]
    assert found == [("path-illegal-raw", "|"), ("query-illegal-brackets", "[")]
    assert result.iris == 1
    # What is not ASCII is validated by the grammar of IRIs, what is by that of URIs.
    assert result.diagnostics[0].section == "RFC 3987 §2.2"
    assert lint("a.md", "[a](http://h/e|b)").diagnostics[0].section == "RFC 3986 §3.3"


def test_a_format_may_have_its_own() -> None:
    uri = FormatOptions(profile="uri")
    assert len(lint("a.md", "[a](http://h/é)", markdown=uri).diagnostics) == 1
    assert lint("a.html", '<a href="http://h/é">', "uri", html=FormatOptions(profile="auto")).iris
    # With a placeholder it is a URI or an IRI, whatever is filled in.
    assert [lint("a.md", f"[a](http://{one})").iris for one in ("{hôte}/a", "{host}/é")] == [0, 1]


@pytest.mark.parametrize(
    ("url", "blamed"),
    [
        ("http://h/a\u00a0b", ["\u00a0"]),
        ("http://h/\u200bé\u200e", ["\u200b", "\u200e"]),
        ("http://h/\ufeffa", ["\ufeff"]),
        ("http://h/می\u200cخو", []),  # Persian has the joiner
        ("http://h/👨\u200d👩", []),
        ("http://h/é", []),
    ],
)
def test_what_cannot_be_seen(url: str, blamed: list[str]) -> None:
    text = f'<a href="{url}">'
    result = lint("a.html", text)
    found = [text[p.start : p.end] for one in result.diagnostics for p in one.places]
    assert found == blamed
    codes = {one.code for one in result.diagnostics}
    assert codes == ({"invisible-character"} if blamed else set())
    assert {one.code for one in lint("a.html", text, "uri").diagnostics} == {"path-illegal"}


def test_octets_that_are_not_utf_8_are_named_as_such() -> None:
    data = b'<a href="http://h/\xe9\xe8"> <a href="http://h/\xe9">'
    note, first, second = Engine(Settings()).lint("a.html", data).diagnostics
    assert note.code == "bad-encoding"
    assert first.message.startswith("Bytes that are not UTF-8 are not allowed in a path.")
    assert second.message.startswith("The byte 0xE9 is not allowed in a path.")
