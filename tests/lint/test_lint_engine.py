"""What is said of a text: verdicts, places, passwords, profiles, selection, and the quick way.

Invariant of these tests: a finding is said of exactly the characters that stand in the file.
"""

import html
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside
from tiers import bound

from uriproof import Rule, UnknownGrammar, check
from uriproof.lint.config.settings import FormatOptions, Query, Settings
from uriproof.lint.engine.analyze import Engine, Result
from uriproof.lint.engine.judge import Judge
from uriproof.lint.files.source import Lines, decoded
from uriproof.lint.find import _prose, finders
from uriproof.lint.fix.apply import fix
from uriproof.lint.found import Found


def lint(text: str | bytes, file: str = "a.urls", **settings: object) -> Result:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return Engine(Settings(**settings)).lint(file, data)  # type: ignore[arg-type]


def said(text: str | bytes, file: str = "a.urls", **settings: object) -> list[tuple[str, str]]:
    """Each finding as its code and what of the file is blamed."""
    whole = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    return [(d.code, whole[d.start : d.end]) for d in lint(text, file, **settings).diagnostics]


def test_a_finding_has_its_place_and_what_the_grammar_says_of_it() -> None:
    (one,) = lint("http://ok/\r\nhttp://a/b c\r\n").diagnostics
    assert (one.line, one.column, one.end_line, one.end_column) == (2, 11, 2, 12)
    assert (one.start, one.end) == (22, 23)
    assert one.source_line == "http://a/b c"
    assert (one.url, one.url_start, one.url_end) == ("http://a/b c", 12, 24)
    assert (one.component, one.production, one.expected) == ("path", "segment", ("pchar", '"/"'))
    assert one.section == "RFC 3986 §3.3"
    assert (one.severity, one.file) == ("error", "a.urls")


def test_places_count_through_the_escapes_of_the_format() -> None:
    text = '<p>\n<a href="http://a/?x&amp;y=[&quot;&#32;z">'
    assert said(text, "a.html") == [("query-illegal", "[&quot;&#32;")]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=5))
def test_what_is_said_of_a_line_is_what_check_says(tails: list[str]) -> None:
    lines = [f"http://h/{tail}".split("\n")[0].split("\r")[0].rstrip() for tail in tails]
    lines = [line for line in lines if line.isascii()]
    result = lint("\n".join(lines))
    expected = [
        (number, v.start + 1, v.code)
        for number, line in enumerate(lines, 1)
        for v in check(line).violations
    ]
    # What has the same code in one URL is one diagnostic, with a place for each.
    found = [(p.line, p.column, d.code) for d in result.diagnostics for p in d.places]
    assert sorted(found) == sorted(expected)


@given(st.text(), st.sampled_from(["a.urls", "a.html", "a.xml"]))
def test_any_text_is_taken(text: str, file: str) -> None:
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    previous = -1
    for one in lint(text, file).diagnostics:
        assert 0 <= one.start <= one.end <= len(whole)
        assert Lines(whole).line(one.line)[one.column - 1 :][:1] in {
            whole[one.start : one.start + 1],
            "",
        }
        assert one.start >= previous
        previous = one.start


WRAPPED = [
    '"{}"', "'{}'", "`{}`", "<{}>", "({})", "[{}]({})", '<a href="{}">{}</a>', "<![CDATA[{}]]>",
    "<!-- {} -->", '<img srcset="{} 2x, {}">', '{{"a": "{}", "url": "{}"}}', "url({})", "\n# {}\n",
    "key: {}\n", "f'{}' + y", "http://e.org/?q={}", "see {} and {}.", ".. _a: {}\n", "[a]: {}\n",
]  # fmt: skip
ESCAPED: list[Callable[[str], str]] = [
    json.dumps,
    html.escape,
    lambda text: text.replace('"', '\\"'),
    lambda text: text.replace("/", "\\/"),
    lambda text: "".join(f"\\u{ord(c):04x}" if ord(c) % 7 == 0 else c for c in text),
    lambda text: "".join(f"&#{ord(c)};" if ord(c) % 7 == 0 else c for c in text),
]
URLS = [
    "http://e.org/?a=1&amp;b=2", "http://e.org/?a&amp;amp;b#c", "jdbc:db://h/x", "ftp://u:p@h/",
    "http://[::1]:80/", "//h/p", "a b", "http://h/%zz", "http://{host}:{port}/", "http://h/\\(x)",
    "https://é.org/ü", "http://h/a|b", "http://h/$(x)<id>", "http://h/a\u200bb", "data:;base64,A A",
]  # fmt: skip
NOISE = [*"\"'`\\<>()[]%\n\0", "</", "]]>", "{{", "}}", "&amp;", "&#0;", "\r\n", "\u202e", "\ud800"]
NOISE += ["😀", "---\n", "```\n", "<script>", "</p>"]


def composed(random: Random, depth: int) -> str:
    """URLs in texts that quote them, in texts that quote those."""
    if depth == 0:
        return random.choice(URLS)
    text = composed(random, depth - 1)
    if random.random() < 0.3:
        text = random.choice(ESCAPED)(text)
    form = random.choice(WRAPPED)
    text = form.format(*[text] * form.count("{}"))
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(NOISE) + text[at:] if random.random() < 0.2 else text


@pytest.mark.prove
@bound("number", 800, 1_200)
def test_no_composition_of_quotes_and_escapes_is_too_much(number: int) -> None:
    random = Random(number)  # noqa: S311 -- no secret is made of it
    engine = Engine(Settings())
    names = {
        format_: [f"a{one}" for one in finder_.SUFFIXES] + [*finder_.NAMES]
        for format_, finder_ in finders().items()
    }
    for _ in range(number):
        file = random.choice(names[random.choice([*names])])
        text = composed(random, random.randrange(1, 5))[:2_000]
        source = decoded(file, text.encode("utf-8", "surrogatepass"))
        reader = engine.reader(file)
        result = engine.check(source, reader, dump=random.random() < 0.1)
        assert result.lost == [], (file, text)
        end = 0
        for found in reader.find(source.text):
            assert end <= found.start <= found.end, (file, text)
            assert len(found.places or found.text) == len(found.text) + bool(found.places)
            end = found.end
        reader.masked(source.text)
        for unsafe in (False, True):
            fix(source.text, result.diagnostics, reader, unsafe)


class TestFailures:
    """An error in the judge costs the URL that it is met in, one in a finder what follows it."""

    MESSAGE = "uriproof failed (IndexError: a defect); please report this"
    TEXT = "http://a/%1\n{}:hushed@h/ http://a/%2\nhttp://a/%3\n"

    @pytest.fixture(autouse=True)
    def _fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read_one, matches = _prose.read_one, Judge._accepts

        def fails_to_read(text: str, first: int, at: int, limit: int) -> object:
            if text.startswith("http://finder", first):
                raise IndexError("a defect")
            return read_one(text, first, at, limit)

        def fails_to_judge(self: Judge, found: Found, iri: bool) -> bool:
            if "//judge" in found.text:
                raise IndexError("a defect")
            return matches(self, found, iri)

        monkeypatch.setattr(_prose, "read_one", fails_to_read)
        monkeypatch.setattr(Judge, "_accepts", fails_to_judge)

    @pytest.mark.parametrize(
        ("defect", "lost", "urls"),
        [
            ("http://judge", (2, f"not checked: {MESSAGE}"), ["%1", "%2", "%3"]),
            ("http://finder", (1, f"not checked from here on: {MESSAGE}"), ["%1"]),
        ],
    )
    def test_what_is_lost(self, defect: str, lost: tuple[int, str], urls: list[str]) -> None:
        text = self.TEXT.format(defect)
        result = lint(text, "a.txt")
        assert result.lost == [lost]
        assert [one.url[-2:] for one in result.diagnostics] == urls
        assert "hushed" not in repr(result.diagnostics)
        masked = Engine(Settings()).reader("a.txt").masked(f"{text}ftp://me:4711@h/")
        assert "hushed" not in masked
        assert "4711" not in masked


class TestPasswords:
    def test_they_are_masked_wherever_text_is_shown(self) -> None:
        found = lint("ftp://me:hushed@h/a b").diagnostics
        assert [one.code for one in found] == ["userinfo-password", "path-illegal"]
        for one in found:
            assert one.url == one.source_line == "ftp://me:******@h/a b"
            assert "hushed" not in repr(one)

    def test_those_of_other_urls_on_the_line_too(self) -> None:
        text = '<a href="ftp://me:secret@h/"><a href="http://h/a b">'
        found = lint(text, "a.html").diagnostics
        assert {one.source_line for one in found} == {text.replace("secret", "******")}

    def test_of_a_whole_text_nothing_else_is_masked(self) -> None:
        text = "http://me:secret@h/|\n//me:secret@h/\nhttp://h/@:x\n"
        masked = Engine(Settings()).reader("a.urls").masked(text)
        assert masked == text.replace("secret", "******")

    def test_what_is_blamed_in_one_is_not_named(self) -> None:
        (one,) = lint("ftp://me:päss@h/").diagnostics
        assert "00E4" not in one.message
        assert one.message.startswith("A character of the password must be encoded.")

    def test_one_with_a_slash_in_it(self) -> None:
        found = lint("ftp://me:sec/ret@h/").diagnostics
        assert {(one.url, one.source_line) for one in found} == {("ftp://me:*******@h/",) * 2}

    @pytest.mark.parametrize("sign", [b'"', b"|", b"`", b"<", b")", b"\\", "“".encode(), b"\xe9"])
    def test_one_in_prose_that_the_end_of_a_url_is_found_in(self, sign: bytes) -> None:
        data = b"see ftp://me:p" + sign + b"ass@h/ http://h/a^b\n"
        found = lint(data, "a.txt").diagnostics
        assert "port-illegal" in {one.code for one in found}
        masked = Engine(Settings()).reader("a.txt").masked(data.decode("utf-8", "replace"))
        assert masked == "see ftp://me:*****@h/ http://h/a^b\n"
        for one in found:
            assert one.source_line == "see ftp://me:*****@h/ http://h/a^b"
            assert "LETTER P" not in one.message
            assert "me:p" not in one.url

    def test_one_with_spaces_in_prose(self) -> None:
        (one,) = lint(
            "ftp://me:my pass word@h/ http://h/a^b http://h:80 a@b\n", "a.txt"
        ).diagnostics
        assert one.source_line == "ftp://me:************@h/ http://h/a^b http://h:80 a@b"


ONLY_HTML = {"html": FormatOptions(query="parameters")}
NO_HTML = {"html": FormatOptions(enabled=False)}
NO_HOSTS = {"lines": FormatOptions(ignore=("host",))}
MISSING, PORT, ILLEGAL = [("query-missing", "")], [("default-port", ":80")], ("path-illegal", " ")


class TestSettings:
    @pytest.mark.parametrize(
        ("text", "file", "settings", "expected"),
        [
            ("http:a", "a.urls", {}, [("missing-slashes", ":")]),
            ("http:a", "a.urls", {"ignore": ("advice",)}, []),
            ("http:a", "a.urls", {"scheme_rules": True}, [("host-missing", "")]),
            ("http://a/?b=1&&c", "a.urls", {}, []),
            ("http://a/?b=1&&c", "a.urls", {"query": "parameters"}, [("query-missing", "")]),
            ("http://é/?b&&c", "a.urls", {"query": "parameters", "profile": "iri"}, MISSING),
            ('x = f"http://a/?b={x}&&c"', "a.py", {"query": "parameters"}, []),
            ("http://a/?b&&c", "a.urls", {"format": ONLY_HTML}, []),
            ('<a href="?b&&c">', "a.html", {"format": ONLY_HTML}, [("query-missing", "")]),
            ('<a href="http://a/ ">', "a.html", {"format": NO_HTML}, []),
            ("http://a:80/", "a.urls", {"extend_select": ("default-port",)}, PORT),
            ("http://a:80/ b", "a.urls", {"extend_select": ("advice",)}, [*PORT, ILLEGAL]),
            ("http://a b/ c", "a.urls", {"ignore": ("path",)}, [("host-illegal", " ")]),
            ("http://a b/ c", "a.urls", {"ignore": ("violations",)}, []),
            ("http://a b/ c", "a.urls", {"per_file_ignores": {"*.urls": ("host",)}}, [ILLEGAL]),
            ("http://a b/ c", "a.urls", {"format": NO_HOSTS}, [ILLEGAL]),
            (b"# coding: latin-1\nhttp://a/\xe9", "a.urls", {"profile": "iri"}, []),
        ],
    )
    def test_what_is_said(
        self, text: str | bytes, file: str, settings: Any, expected: list[tuple[str, str]]
    ) -> None:
        assert said(text, file, **settings) == expected

    def test_the_grammars_of_queries_are_the_bundled_ones(self) -> None:
        with pytest.raises(UnknownGrammar) as caught:
            Rule(query="rfc3986")
        assert caught.value.known == get_args(Query)

    @pytest.mark.parametrize(
        ("settings", "accepted", "refused", "expected"),
        [
            ({"schemes": ("https",)}, "HTTPS://a/", "ftp://b/", ("scheme-forbidden", "ftp")),
            ({"hosts": ("*.a",)}, "ftp://b.A/", "ftp://a/", ("host-forbidden", "a")),
            ({"hosts": ("a",)}, "urn:b:c", "ftp://a@b/", ("host-forbidden", "b")),
            ({"forbid": ("port",)}, "ftp://h/", "ftp://h:2/", ("port-forbidden", "2")),
            ({"forbid": ("userinfo",)}, "ftp://h/", "ftp://me@h/", ("userinfo-forbidden", "me")),
            ({"require": ("host",)}, "ftp://h/", "urn:b:c", ("host-missing", "")),
            ({"max_length": 10}, "ftp://h/12", "ftp://h/123", ("too-long", "3")),
        ],
    )
    def test_a_policy(
        self, settings: Any, accepted: str, refused: str, expected: tuple[str, str]
    ) -> None:
        assert said(f"{accepted}\n{refused}", **settings) == [expected]
        (one,) = lint(refused, **settings).diagnostics
        assert (one.severity, one.edits) == ("error", ())
        assert said(refused, ignore=(expected[0],), **settings) == []
        assert said(refused) == []

    def test_a_policy_and_the_grammar(self) -> None:
        both = said("http://h:1/a b", forbid=("port",), require=("query",))
        assert both == [("port-forbidden", "1"), ("path-illegal", " "), ("query-missing", "")]
        assert said("//h/", require=("scheme",)) == said("//h/")

    def test_a_policy_of_relative_references(self) -> None:
        link = '<a href="../b">'
        assert said(link, "a.html", schemes=("https",), hosts=("a",)) == []
        assert said(link, "a.html", require=("scheme",)) == [("scheme-missing", "")]

    def test_a_policy_knows_nothing_of_what_is_filled_in(self) -> None:
        code = 'x = f"ftp://{host}:80/{path}"'
        strict = {"hosts": ("a",), "require": ("query",), "max_length": 5}
        assert said(code, "a.py", **strict) == []
        assert said(code, "a.py", schemes=("http",)) == [("scheme-forbidden", "ftp")]
        assert said(code, "a.py", forbid=("port",)) == [("port-forbidden", "80")]

    def test_what_a_policy_refuses_is_shown_without_its_password(self) -> None:
        (one,) = lint("ftp://me:secret@h/abcdef", max_length=20).diagnostics
        assert one.code == "too-long"
        assert "secret" not in repr(one)

    def test_another_format(self) -> None:
        formats = {"templates/*.txt": "html"}
        settings = Settings(formats=formats, root="/r")
        assert Engine(settings).format("/r/templates/a.txt") == "html"
        assert Engine(settings).format("/r/other/a.html") == "html"


class TestBytes:
    def test_a_byte_that_is_no_character_is_blamed_in_a_url_and_told_of(self) -> None:
        told, blamed = lint(b"http://a/\xe9").diagnostics
        assert (told.code, blamed.code, blamed.edits) == ("bad-encoding", "path-illegal", ())

    def test_a_file_without_an_anchor_is_not_decoded(self) -> None:
        assert not Engine(Settings()).reader("a.html").may_hold_urls(b"plain words")


@given(st.text(st.sampled_from("ah:/?#[]@%1 é.{}")))
def test_a_template_is_right_where_some_filling_is(text: str) -> None:
    holes = [(m.start(), m.end()) for m in re.finditer(r"\{[^{}]*\}", text)]
    found = Found(0, len(text), text, "URI-reference", holes=tuple(holes))
    judge = Judge()
    assert judge.accepts(found) == (not judge.violations(found))


class TestPlaces:
    """One diagnostic a URL and code, with all its places."""

    @pytest.mark.parametrize(("text", "expected"), beside(__file__, "places_by_code"))
    def test_of_violations(self, text: str, expected: list[list[Any]]) -> None:
        found = lint(text).diagnostics
        assert [[d.code, [text[p.start : p.end] for p in d.places]] for d in found] == expected
        assert all(d.lines == ((1, text),) for d in found)
        assert {(d.url_start, d.url_end) for d in found} == {(0, len(text))}

    def test_of_advice(self) -> None:
        (one,) = lint("http://h/%41b%42", select=("encoded-unreserved",)).diagnostics
        assert [(p.start, p.end) for p in one.places] == [(9, 12), (13, 16)]
        assert one.message.count("needs no percent-encoding") == 2

    def test_in_several_lines(self) -> None:
        text = '<a href="http://h/a\n b|\n|c">'
        (one,) = lint(text, "a.html").diagnostics
        assert [(p.line, p.column, p.end_line, p.end_column) for p in one.places] == [
            *((1, 20, 2, 2), (2, 3, 3, 2)),
        ]
        assert one.lines == ((1, '<a href="http://h/a'), (2, " b|"), (3, '|c">'))
        assert one.last_line == 3

    @pytest.mark.parametrize(
        ("text", "message"), beside(__file__, "the_message_names_what_is_blamed")
    )
    def test_the_message_names_what_is_blamed(self, text: str, message: str) -> None:
        (one,) = lint(text).diagnostics
        assert one.message.startswith(f"{message} not allowed in a")

    def test_a_password_beside_what_is_none(self) -> None:
        (one, *_) = lint("ftp://a|b:c^d@h/").diagnostics
        assert one.code == "userinfo-illegal"
        assert one.message == (
            'A character of the password must be encoded. "|" is not allowed in user information.'
        )
        assert len(one.places) == 2
