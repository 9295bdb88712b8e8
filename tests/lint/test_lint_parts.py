"""The parts of the linter by themselves: reading, patterns of paths, processes, comments, codes."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from collections.abc import Callable
from fnmatch import translate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof import check
from uriproof.limits import LARGEST_FILE
from uriproof.lint.config.globs import matcher, too_large
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine import run as running
from uriproof.lint.engine.analyze import Engine, Reader, Result
from uriproof.lint.engine.judge import password
from uriproof.lint.engine.run import Chunk, Run
from uriproof.lint.files.cache import SUFFIX, Cache, keys
from uriproof.lint.files.source import Lines, Source, Unread, decoded, encoded, read
from uriproof.lint.find import with_shebang_suffix
from uriproof.lint.fix.fixes import applied
from uriproof.lint.suppress.insert import add_suppressions
from uriproof.text.passwords import masked

pytestmark = pytest.mark.prove


class TestSource:
    @given(st.binary(max_size=200))
    def test_what_was_decoded_is_encoded_to_the_same_bytes(self, data: bytes) -> None:
        assert encoded(decoded("a", data).text, decoded("a", data)) == data

    @given(st.text(st.characters(exclude_categories=["Cs"])))
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-be"])
    def test_byte_order_marks(self, encoding: str, text: str) -> None:
        mark = "\ufeff" if encoding == "utf-16-be" else ""
        if not text.startswith("\ufeff") and not (encoding == "utf-16" and text.startswith("\0")):
            assert decoded("a", (mark + text).encode(encoding)).text == text

    def test_declared_encodings(self) -> None:
        for head in ('# -*- coding: koi8-r -*-', '<?xml version="1.0" encoding="koi8-r"?>',
                     '<meta charset=koi8-r>', '@charset "koi8-r";'):  # fmt: skip
            assert decoded("a", f"{head}\nЯ".encode("koi8-r")).text.endswith("Я")
        source = decoded("a", b"# coding: rot13\n\xe9")
        assert (source.encoding, source.bad) == ("utf-8", 16)

    @pytest.mark.posix
    def test_what_is_not_read(self, tmp_path: Path) -> None:
        def why(name: str, largest: int = LARGEST_FILE) -> str:
            found = read(str(tmp_path / name), largest)
            return found.why if isinstance(found, Unread) else str(len(found))

        (tmp_path / "a").write_bytes(b"12345")
        (tmp_path / "b").write_bytes(b"\0")
        (tmp_path / "c").write_bytes(b"%PDF-1.7\nhttp://a/")
        (tmp_path / "link").symlink_to("nowhere")
        assert [why(name) for name in ("none", "link")] == ["vanished"] * 2
        assert [why(name) for name in ("b", "c")] == ["binary"] * 2
        assert [why(name) for name in ("", "a\0")] == ["unreadable"] * 2
        assert [why("a", largest) for largest in (4, 5)] == ["large", "5"]
        if os.path.exists("/proc/self/status"):  # it does not tell its size
            data = read("/proc/self/status")
            assert isinstance(data, bytes)
            assert data.endswith(b"\n")

    @pytest.mark.parametrize(("line", "suffix"), beside(__file__, "what_the_first_line_says"))
    def test_what_the_first_line_says(self, line: str, suffix: str) -> None:
        assert with_shebang_suffix("run", f"{line}\nx".encode()) == (
            f"run.{suffix}" if suffix else "run"
        )

    @given(st.text(st.sampled_from("a\r\n\u2028\x0b")))
    def test_lines(self, text: str) -> None:
        lines = Lines(text)
        split = re.split("\r\n|\r|\n", text)
        assert [lines.line(n) for n in range(1, len(lines) + 1)] == split
        for offset in range(len(text) + 1):
            number, column = lines.place(offset)
            start, _ = lines.span(number)
            assert start + column - 1 == offset
            assert len(re.findall("\r\n?|\n", text[:start])) == number - 1


class TestGlobs:
    @given(st.text(st.sampled_from("ab.*?[]-!")), st.text(st.sampled_from("ab.-"), min_size=1))
    def test_names_as_fnmatch_has_them(self, pattern: str, name: str) -> None:
        if pattern.strip("/"):
            expected = re.match(translate(pattern), name)
            if "[" not in pattern:  # what is no set is another matter there
                assert bool(matcher([pattern])(name)) == bool(expected)

    def test_their_time_is_that_of_the_path(self) -> None:
        many = "*a" * 40 + "b", "**/" * 40 + "c", "**/*a" * 20 + "/c", "[!b]*" * 40 + "/c"
        for pattern in (*many, "*{a,aa,*}" * 3 + "b", "{*,**,**/}" * 3 + "b", "?**a" * 30 + "b"):
            path = "/".join(["a" * 50] * 40)
            assert not matcher([pattern])(path), pattern  # does not end, if it goes back
        assert matcher(["*a" * 40 + "*"])("a" * 60)

    @pytest.mark.parametrize(
        ("pattern", "large"),
        [
            *(("{" * 3_000 + "}", False), ("{a," * 1_000 + "}", False), ("{a,b}" * 8, False)),
            *(("{a,b}" * 20, True), ("{{a,b},{c,d}}" * 9, True), ("a" * 5_000, True)),
        ],
    )
    def test_braces_have_a_bound(self, pattern: str, large: bool) -> None:
        assert not matcher([pattern])("x/y")
        assert too_large(pattern) == large

    @pytest.mark.parametrize(("pattern", "yes", "no"), beside(__file__, "paths"))
    def test_paths(self, pattern: str, yes: str, no: str) -> None:
        match = matcher([pattern])
        assert [path for path in yes.split() if not match(path)] == []
        assert [path for path in no.split() if match(path)] == []


class TestRun:
    @pytest.fixture
    def items(self, tmp_path: Path) -> list[tuple[str, Settings] | Unread]:
        """Files, of which every third has nothing to report."""
        settings = Settings()
        for at in range(200):
            (tmp_path / f"{at:03}.urls").write_text("http://a/ b\n" if at % 3 else "http://a/\n")
        return [(str(tmp_path / f"{at:03}.urls"), settings) for at in range(200)]

    def said(self, chunks: list[Chunk]) -> list[str]:
        return [result.file[-8:] for chunk in chunks for result in chunk.results]

    def test_the_order_is_that_of_the_files(
        self, items: list[tuple[str, Settings] | Unread], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        items.insert(150, Unread("x/none.urls", "unreadable", "no such file"))
        one = list(Run(jobs=1).over(items))
        three = list(Run(jobs=3, least=0).over(items))
        assert self.said(one) == self.said(three)
        assert sum(c.urls for c in one) == sum(c.urls for c in three) == 200
        assert "one.urls" in self.said(one)
        monkeypatch.setattr(running, "_begin", _dies)
        # A process that dies takes no file with it.
        assert self.said(list(Run(jobs=2, least=0).over(items))) == self.said(one)

    def test_what_fails_is_told_and_the_rest_is_checked(
        self, items: list[tuple[str, Settings] | Unread], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        check = Engine.check

        def fails(self: Engine, source: Source, reader: Reader, dump: bool = False) -> Result:
            if source.file.endswith("001.urls"):
                raise RecursionError("too deep")
            return check(self, source, reader, dump)

        monkeypatch.setattr(Engine, "check", fails)
        (chunk,) = Run(jobs=1).over(items[:6])
        first = chunk.results[0]
        assert isinstance(first, Unread)
        assert first.message.startswith("not checked: uriproof failed (RecursionError: too de")
        assert len(chunk.results) == 4


def _dies(known: object, dump: bool) -> Callable[[object], Chunk]:
    return lambda work: os._exit(1)


def test_the_cache(tmp_path: Path) -> None:
    contents = ("a", b"x"), ("b", b"x"), ("a", b"y")
    choices = Settings(), Settings(profile="iri")
    made = [keys(settings)(*content) for settings in choices for content in contents]
    assert len({*made}) == len(made)
    assert keys(Settings())("a", b"x") == made[0]
    folder, tree = str(tmp_path / "cache"), str(tmp_path)
    Cache(folder, tree).add({"0" * 32: "3"})
    Cache(folder, tree).add({"1" * 32: "4 [0,[]]"})
    assert Cache(folder, tree).entries == {"0" * 32: "3", "1" * 32: "4 [0,[]]"}
    assert Cache(folder, folder).entries == {}
    assert [name for name in os.listdir(folder) if not name.endswith(SUFFIX)] == []


class TestPasswords:
    @pytest.mark.parametrize(("text", "secret"), beside(__file__, "where_it_stands"))
    def test_where_it_stands(self, text: str, secret: str) -> None:
        span = password(check(text))
        assert (text[span[0] : span[1]] if span else "") == secret

    def test_a_template_fills_it_in(self) -> None:
        assert password(check("ftp://me:{pw}@h/"), [(9, 13)]) is None

    @given(st.text(), st.integers(0, 9), st.integers(0, 9))
    def test_what_is_masked_is_as_long(self, text: str, start: int, end: int) -> None:
        assert len(masked(text, [(start, end)])) == len(text)


def said(text: str, file: str, what: str = "http://a/ b") -> tuple[str, list[str]]:
    """The text with suppressions for a finding wherever something stands, and the refusals."""
    lines = Lines(text)
    url = Engine(Settings()).lint("a.urls", what.encode()).diagnostics[0]
    found = []
    for match in re.finditer(re.escape(what), text):
        line, column = lines.place(match.start())
        place = url.places[0]._replace(line=line, column=column)
        found.append(url._replace(file=file, places=(place,)))
    edits, refused = add_suppressions(text, file, found, "")
    return applied(text, edits), [why for _, why in refused]


class TestIgnore:
    @pytest.mark.parametrize(("file", "comment"), beside(__file__, "at_the_end_of_the_line"))
    def test_at_the_end_of_the_line(self, file: str, comment: str) -> None:
        text = 'x = "http://a/ b"\r\ny\r\n'
        assert said(text, file)[0] == text.replace("\r\n", comment + "\r\n", 1)

    def test_on_a_line_of_its_own(self) -> None:
        text = "[a]\n  x = http://a/ b\n"
        comment = "  # uriproof: ignore-next-line[path-illegal]\n"
        assert said(text, "a.ini")[0] == text.replace("  x", f"{comment}  x")

    @pytest.mark.parametrize(("file", "text"), beside(__file__, "where_a_comment_can_be_added"))
    def test_where_a_comment_can_be_added(self, file: str, text: str) -> None:
        after, refused = said(text, file)
        assert refused == []
        assert after.count("uriproof: ignore[path-illegal]") == text.count("http://a/ b")

    @pytest.mark.parametrize(("file", "text"), beside(__file__, "not_where_it_would_become_text"))
    def test_not_where_it_would_become_text(self, file: str, text: str) -> None:
        after, (refused,) = said(text, file)
        assert after == text
        part = {"[": "the definition of a link", " ": "a block of code"}.get(text[:1])
        if file == "a.md" and part:
            assert refused == f"a comment would become part of {part}: use a baseline"

    @given(
        st.lists(st.sampled_from(['"""', "'''", "x = 'http://a/ b'", "\\", "# '", "x = 1", "`"]))
    )
    def test_python_means_what_it_meant(self, lines: list[str]) -> None:
        self.means_the_same(lines, "a.py", lambda text: ast.dump(ast.parse(text)))

    @given(st.lists(st.sampled_from(['a = """', '"""', "b = 'http://a/ b'", "http://a/ b", "[c]"])))
    def test_toml_means_what_it_meant(self, lines: list[str]) -> None:
        self.means_the_same(lines, "a.toml", tomllib.loads)

    def means_the_same(self, lines: list[str], file: str, read: Callable[[str], object]) -> None:
        text = "\n".join(lines) + "\n"
        try:
            before = read(text)
        except (SyntaxError, ValueError):  # of TOML, too
            return
        assert read(said(text, file)[0]) == before
