"""Evidence: what a URL that looks wrong shows of itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from counting import Counted, growth
from tables import file_of

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.engine.evidence import settled
from uriproof.lint.engine.judge import Judge
from uriproof.lint.files.source import Source, decoded

TABLES = file_of(Path(__file__).with_name("evidence.toml"))
ENGINE = Engine(Settings(ignore=("userinfo-password", "empty-host")))


def blamed(text: str, name: str = "a.txt") -> list[str]:
    """What is blamed first of each kind in each URL, as the file writes it."""
    return [text[d.start : d.end] for d in ENGINE.lint(name, text.encode()).diagnostics]


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, texts in TABLES["placeholders"].items() for text in texts],
)
def test_what_is_a_placeholder_or_a_pattern(name: str, text: str) -> None:
    assert blamed(text, name) == []


@pytest.mark.parametrize(("text", "expected"), TABLES["none"])
def test_what_is_none(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


def test_a_reason_is_given() -> None:
    source = decoded("a.txt", b"http://a/%PATH%")
    (record,) = ENGINE.check(source, ENGINE.reader("a.txt"), dump=True).records
    why = "URL in prose; '%PATH%' is a placeholder: the same sign is on both sides"
    assert (record.why, record.verdict) == (why, "valid")


HOSTILE: dict[str, Callable[[int], str]] = {
    "signed words": lambda n: "http://a/%zz" + "%ab" * n,
    "URLs": lambda n: "http://a/%PATH%\n" * n,
    "brackets": lambda n: "http://a/" + "[?" * n,
    "optional parts": lambda n: "http://a/[?b] " * n,
    "dots": lambda n: "http://a/%" + "a." * n,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_ten_times_the_text_is_ten_times_the_work(name: str) -> None:
    def prepare(n: int) -> Callable[[], object]:
        source = Source("a.txt", Counted(HOSTILE[name](n)))
        found = list(ENGINE.reader("a.txt").find(source.text))
        return lambda: [settled(one, Judge()) for one in found]

    assert growth(prepare, 90) <= 12.0  # by then, what is looked back at before each is full


def test_the_name_of_a_file_that_is_there_is_a_note(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    for name in ("c d.png", "sub/a (1).png", "sub/a b.png"):
        (tmp_path / name).touch()
    page = tmp_path / "sub" / "page.md"
    text = '![a](<a (1).png>) <img src="a (1).png#b"> ![b](<b (1).png>) <img src="b (1).png">\n'
    text += '![c](./a b.png) <img src="/c d.png"> <img src="/a b.png">\n'
    page.write_text(text, "utf-8")
    found = Engine(Settings()).lint(str(page), text.encode())
    codes = [(one.code, one.severity) for one in found.diagnostics]
    note, error = ("path-illegal-file", "note"), ("path-illegal", "error")
    assert codes == [note, note, error, error, error, note, error]
    assert found.is_borrowed
