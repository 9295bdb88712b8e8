"""Fixes: which are safe, what they make of a text, and how they come into a file."""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from diagnostics import diagnostic
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof import check, is_valid
from uriproof.diagnostic import Diagnostic, Edit
from uriproof.grammar.registry import load
from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine, Reader
from uriproof.lint.files.source import Source, decoded, encoded
from uriproof.lint.fix.apply import Fixed, fix
from uriproof.lint.fix.fixes import NotWritten, applied, chosen, edits_of, write
from uriproof.lint.found import Found, Lost
from uriproof.validate.holes import check_holes

WRAPS = dict(beside(__file__, "wraps"))
ENGINE = Engine(Settings(profile="uri"))


def edits(text: str, **more: Any) -> list[Edit | None]:
    rule = "URI"
    found = Found(0, len(text), text, rule, **{"linked": True, **more})
    if found.holes:
        violations = check_holes(load("rfc3986"), text, rule, found.holes)
    else:
        violations = check(text, rule).violations
    return edits_of(found, violations)


def fixed_by(name: str, text: str, unsafe: bool = False) -> Fixed:
    data = text.encode("utf-8", "surrogateescape")
    said = ENGINE.lint(name, data).diagnostics
    return fix(text, said, ENGINE.reader(name, data), unsafe)


def rows_of_the_table() -> Iterator[tuple[str, dict[str, Any], str, bool]]:
    """A text, how it stands, what is put for what is wrong (or ""), and whether that is safe."""
    table = tomllib.loads(Path(__file__).with_name("fixes.toml").read_text("utf-8"))
    for where, outcomes in table.items():
        escape, _, around = where.partition(" in ")
        how: dict[str, Any] = {"linked": False} if "prose" in (escape, around) else {}
        if escape not in ("linked", "prose"):
            how["escape"] = escape
        for outcome, texts in outcomes.items():
            replacement, _, safety = outcome.rpartition(" ")
            yield from ((text, how, replacement, safety == "safe") for text in texts)


# With holes, or octets.
TABLE: list[tuple[str, dict[str, Any], str, bool]] = [
    *rows_of_the_table(),
    ("http://h/{x}[y]/[", {"linked": False, "holes": ((9, 15),)}, "", False),
    ("http://h/\u00e9{x}", {"holes": ((10, 13),)}, "%C3%A9", False),
    ("http://h/{x}/a}", {"holes": ((9, 12),)}, "", False),
    ("http://h/é%s", {"holes": ((10, 12),)}, "%%C3%%A9", False),
    ("http://h/%(a)s/é", {"holes": ((9, 14),)}, "%%C3%%A9", False),
    ("http://h/\udce9", {}, "", False),
]


@pytest.mark.parametrize(("text", "how", "replacement", "safe"), TABLE)
def test_what_a_fix_may_do(text: str, how: dict[str, Any], replacement: str, safe: bool) -> None:
    (edit,) = edits(text, **how)
    assert (edit.replacement if edit else "", edit.safe if edit else False) == (replacement, safe)
    if edit is not None and "holes" not in how and how.get("escape") not in {"doubled", "tex"}:
        assert is_valid(text[: edit.start] + edit.replacement + text[edit.end :])


@pytest.mark.parametrize(
    ("file", "replacement", "safe"), beside(__file__, "where_a_percent_sign_means_more")
)
def test_where_a_percent_sign_means_more(file: str, replacement: str, safe: bool) -> None:
    text = "http://h/a|b"
    # What is doubled already is not doubled again.
    for escape, written in ("plain", replacement), ("doubled", "%%7C"):
        found = Found(0, 12, text, linked=True, escape=escape)
        (edit,) = edits_of(found, check(text).violations, Source(file, text))
        assert edit == Edit(10, 11, written, safe and escape == "plain")


@pytest.mark.parametrize(
    ("text", "safe"), beside(__file__, "brackets_are_safe_as_subscripts_of_keys")
)
def test_brackets_are_safe_as_subscripts_of_keys(text: str, safe: bool) -> None:
    assert {edit.safe for edit in edits(text, linked=True) if edit} == {safe}
    assert {edit.safe for edit in edits(text, linked=False) if edit} == {False}


@pytest.mark.parametrize(("name", "line", "safe"), beside(__file__, "what_is_shown_is_not_changed"))
@pytest.mark.parametrize("path", ["?a[]=1", "?a=b|c"])
def test_what_is_shown_is_not_changed(name: str, line: str, path: str, safe: bool) -> None:
    data = (line.format(f"http://h.example/{path}") + "\n").encode()
    found = {edit.safe for one in ENGINE.lint(name, data).diagnostics for edit in one.edits}
    assert found == {safe} or not (found or safe)


@pytest.mark.parametrize(("around", "safe"), beside(__file__, "a_url_whose_end_is_half_known"))
def test_a_url_whose_end_is_half_known(around: str, safe: bool) -> None:
    text = around.format("http://h/\u00e9")
    start = text.index("http")
    found = Found(start, start + 10, "http://h/\u00e9")
    (edit,) = edits_of(found, check(found.text).violations, Source("a.txt", text))
    assert edit is not None
    assert edit.safe is safe


@pytest.mark.parametrize(
    ("written", "safe"), [("\\xc3\\xb5", False), ("\\303\\265", False), ("\\u00c3\\u00b5", True)]
)
def test_escapes_that_may_be_octets(written: str, safe: bool) -> None:
    """In C they are the octets of one character, in other languages two characters."""
    text = f'"http://h/{written}"'
    half = len(written) // 2
    places = (*range(1, 10), 10, 10 + half, 10 + 2 * half)
    url = "http://h/\u00c3\u00b5"
    found = Found(1, len(text) - 1, url, linked=True, places=places)
    (edit,) = edits_of(found, check(url).violations, Source("a.c", text))
    assert edit is not None
    assert edit.safe is safe


@pytest.mark.parametrize(
    ("path", "safe"), beside(__file__, "a_character_is_as_safe_in_one_format_as_in_another")
)
def test_a_character_is_as_safe_in_one_format_as_in_another(path: str, safe: bool) -> None:
    found = {
        name: {
            edit.safe for one in ENGINE.lint(name, data.encode()).diagnostics for edit in one.edits
        }
        for name, text in WRAPS.items()
        if name != "a.ini"  # a percent sign has a meaning of its own
        for data in [text.format(*[path] * 3) + "\n"]
    }
    assert {name: kinds for name, kinds in found.items() if kinds - {safe}} == {}
    assert any(found.values())


@pytest.mark.parametrize(("name", "text", "safely", "unsafely"), beside(__file__, "fixed"))
def test_a_fixed_text(name: str, text: str, safely: str, unsafely: str) -> None:
    assert fixed_by(name, text).text == safely
    assert fixed_by(name, text, unsafe=True).text == unsafely


def test_one_violation_that_cannot_be_fixed_speaks_for_all() -> None:
    assert edits("http://h h/é") == [None, None]
    assert [edit.safe for edit in edits("http://h/é%zz") if edit] == [False, False]


def test_edits_stand_where_the_source_has_it() -> None:
    """The character is written as an entity of eight."""
    text = "http://h/\u00e9?a&b"
    places = (*range(10), *range(18, 21), 21, 26, 27)
    found = Found(0, 27, text, places=places, escape="html", linked=True)
    (violation,) = check(text).violations
    assert edits_of(found, [violation])[0] == Edit(9, 18, "%C3%A9", True)


def test_what_was_fixed_is_told() -> None:
    after = fixed_by("a.html", '<a href="http://h/a b"><a href="http://h/%zz"><a href="/x|y">')
    assert [d.code for d in after.fixed] == ["path-illegal", "path-illegal-raw"]


def test_a_fix_that_does_not_make_its_url_valid_is_not_made() -> None:
    data = b"http://h/a|b?c^d\nhttp://h/a|b\n"
    said = ENGINE.lint("a.urls", data).diagnostics
    some = [d for d in said if d.component == "path"]  # the query is not to be fixed
    after = fix(data.decode(), some, ENGINE.reader("a.urls"), unsafe=True)
    assert after.text == "http://h/a|b?c^d\nhttp://h/a%7Cb\n"
    assert len(after.fixed) == 1


def test_a_fix_that_changes_what_is_found_elsewhere_is_not_made() -> None:
    text = "http://h/a|b\nhttp://h/c|d\nhttp://h/e|f\n"
    data = text.encode()
    said = ENGINE.lint("a.urls", data).diagnostics
    reads = ENGINE.reader("a.urls")

    class Partial(Reader):
        def find(self, text: str, lost: list[Lost] | None = None) -> Iterator[Found]:
            for found in reads.find(text, lost):
                if not found.text.endswith("f") or "%7Cd" not in text:
                    yield found

    after = fix(
        text, said, Partial(reads.name, reads.format, reads.options, reads.judge, reads.anchors)
    )
    assert after.text == "http://h/a%7Cb\nhttp://h/c|d\nhttp://h/e%7Cf\n"
    assert [d.line for d in after.fixed] == [1, 3]


def test_an_edit_beyond_the_text_is_not_made() -> None:
    data = b"http://h/a|b\n"
    (said,) = ENGINE.lint("a.urls", data).diagnostics
    said = said._replace(edits=(Edit(90, 91, "%7C", True),))
    assert fix(data.decode(), [said], ENGINE.reader("a.urls")).text == data.decode()


def test_edits_that_overlap() -> None:
    def said(start: int, end: int, *spans: tuple[int, int]) -> list[Diagnostic]:
        made: list[Diagnostic] = []
        for a, b in spans:
            given_ = ("f", a, b, 1, a + 1, 1, b + 1, "c", "error", "", f"{start}", start, end, "")
            made.append(diagnostic(*given_, edit=Edit(a, b, "#", True)))  # type: ignore[arg-type]
        return made

    def fixed(text: str, found: list[Diagnostic]) -> str:
        return applied(text, [edit for group in chosen(text, found) for edit in group.edits])

    text = "abcdefghij"
    first, second = said(0, 5, (1, 3), (4, 5)), said(4, 9, (4, 6), (7, 8))
    assert fixed(text, [*second, *first]) == "a#d#fghij"
    assert fixed(text, [*first, *first]) == "a#d#fghij"
    assert fixed(text, said(0, 9, (1, 3), (2, 4))) == text


def test_an_edit_across_lines_is_not_safe() -> None:
    text = "http://h/\u00e9\nb"
    found = Found(0, 12, text.replace("\n", ""), linked=True, places=(*range(10), 11, 12))
    (edit,) = edits_of(found, check(found.text).violations, Source("a.txt", text))
    assert edit == Edit(9, 11, "%C3%A9", False)


PIECES = st.sampled_from(beside(__file__, "pieces"))
VALUES = st.lists(PIECES, max_size=8).map("".join)


@given(st.sampled_from(sorted(WRAPS)), st.lists(VALUES, min_size=1, max_size=3), st.booleans())
def test_mending_twice_is_mending_once(name: str, values: list[str], unsafe: bool) -> None:
    text = "\n".join(WRAPS[name].format(*[value] * 3) for value in values)
    once = fixed_by(name, text, unsafe)
    assert fixed_by(name, once.text, unsafe).text == once.text
    # Everything that is not mended is as it was before.
    before = list(ENGINE.reader(name).find(text))
    after = list(ENGINE.reader(name).find(once.text))
    assert len(before) == len(after)
    touched = {(d.url_start, d.url_end) for d in once.fixed}
    for old, new in zip(before, after, strict=True):
        if (old.start, old.end) in touched:
            assert is_valid(new.text, new.rule) or new.holes
        else:
            assert old.text == new.text
    wrong_before, wrong_after = (
        [
            d.code
            for d in ENGINE.lint(name, t.encode("utf-8", "surrogateescape")).diagnostics
            if d.url and d.severity != "warning"  # advice is heard where no violation is left
        ]
        for t in (text, once.text)
    )
    fixed = [d for d in once.fixed if d.severity != "warning"]
    assert len(wrong_before) - len(wrong_after) == len(fixed)


# Writing


@pytest.mark.parametrize(
    "data",
    [
        b"http://h/a|b\r\nhttp://h/\r",
        b"\xef\xbb\xbfhttp://h/a|b\n",
        "http://h/a|b\n".encode("utf-16"),
        b"http://h/a|b\n# \xff\xfe caf\xe9\n",
        b"# coding: latin-1 caf\xe9\nhttp://h/a|b\n",
    ],
)
def test_bytes_outside_of_edits_stay(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.urls"
    file.write_bytes(data)
    source = decoded(str(file), data)
    text = source.text.replace("a|b", "a%7Cb")
    write(str(file), text, source)
    assert file.read_bytes() == encoded(text, source)
    assert file.read_bytes().replace(b"%\x007\x00C", b"|").replace(b"%7C", b"|") == data
    assert [path.name for path in tmp_path.iterdir()] == ["a.urls"]


def test_what_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    data = b"# coding: latin-1 \xe9"
    source = decoded(str(file), data)
    file.write_bytes(data)
    with pytest.raises(UnicodeEncodeError):  # the encoding has no such character
        write(str(file), "\u20ac", source)
    file.chmod(0o444)
    with pytest.raises(NotWritten, match="read-only"):
        write(str(file), "new", source)
    assert file.read_bytes() == data
    file.chmod(0o644)
    file.write_bytes(b"newer")
    with pytest.raises(NotWritten, match="changed since"):
        write(str(file), "new", source)
    assert file.read_bytes() == b"newer"
    with pytest.raises(NotWritten, match="regular"):
        write(str(tmp_path), "new", source)
    file.unlink()
    with pytest.raises(FileNotFoundError):
        write(str(file), "new", source)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no extended attributes")
def test_extended_attributes_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.urls"
    file.write_bytes(b"old")
    try:
        os.setxattr(file, "user.colour", b"green")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    write(str(file), "new", decoded(str(file), b"old"))
    assert os.getxattr(file, "user.colour") == b"green"
