"""Evidence: what a file, and those beside it, show of a URL that looks wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from counting import Counted, growth

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.engine.evidence import Evidence
from uriproof.lint.engine.judge import Judge
from uriproof.lint.files.source import Source, decoded

PLACEHOLDERS = tomllib.loads(Path(__file__).with_name("evidence.toml").read_text("utf-8"))[
    "placeholders"
]
ENGINE = Engine(Settings(ignore=("userinfo-password", "empty-host")))


def blamed(text: str, name: str = "a.txt") -> list[str]:
    """What is blamed first of each kind in each URL, as the file writes it."""
    return [text[d.start : d.end] for d in ENGINE.lint(name, text.encode()).diagnostics]


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in PLACEHOLDERS.items() for text in texts]
)
def test_what_is_a_placeholder_or_a_pattern(name: str, text: str) -> None:
    assert blamed(text, name) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://a/%zz", ["%"]),
        ("http://a/%zz and %d, %s", ["%"]),
        ("http://a/%zz%zz", ["%"]),
        ("http://a/%PATH", ["%"]),
        ("http://[:1]/", ["1"]),
        ("http://u:pass@[fe80::1/a b", [""]),
        ("http://a/%", ["%"]),
        ("See http://a/%", ["%"]),
        ("http://a/%zzz/%zzz", ["%"]),
        ("http://a/?b[-1]=c", ["["]),
        ("http://a/%A", ["%"]),
        ("http://a/#b#c", ["#"]),
        ("http://a/##Usage", ["#"]),
        ("http://a/x[Team]y[Name]z[Part].mkv", ["["]),
        ("http://a/?b=c##usage", ["#"]),
        ("http://a/?b=#c#d", ["#"]),
        ("http://a/%20b/%2", ["%"]),
        ("This link is invalid. http://a:80x/", ["x"]),
        ("http://[fe80::1%eth0]/ at %eth0", ["%eth0"]),
        ("http://[www.example.com]/", ["www.example.com"]),
        ("http://[a.example.org]/", [".example.org"]),
        ("http://[dead:beef]/", [""]),
        ("http://[:]/", [""]),
        ("http://[localhost]/", ["localhost"]),
        ("https://user@secret:host.org", ["host.org"]),
        ("http://h/a#b#c&#d", ["#"]),
        ("http://a/%PATH and http://a/%PATH", ["%", "%"]),
        ("http://user:pa@ss@host/ @ss", ["@"]),
        ("http://localhost:notaport:8080/", ["notaport:"]),
        ("http://test:test", ["test"]),
        ("ssh://git@host:org/repo.git", ["org"]),
        ("http://a/[61:27]/b", ["["]),
        ("http://a/x_[y]z.png", ["["]),
        ("http://a/?b[]=c&d[e]=f", ["[]"]),
        ("http://a/?b={6F9619FF-8B86-D011-B42D-00CF4FC964FF}", ["{"]),
        ("http://a/#{%22b%22:{%22c%22:[1]}}", ["{"]),
        ("http://a/?b={c}&d={6F9619FF}#{e}", []),
    ],
)
def test_what_is_none(text: str, expected: list[str]) -> None:
    assert blamed(text) == expected


@pytest.mark.parametrize("name", ["scripted", "name"])
def test_a_bracket_before_another_word_is_no_attack(name: str) -> None:
    assert blamed(f"- 'http://a/<{name}'", "a.yml") == ["<"]


def test_a_reason_is_given() -> None:
    source = decoded("a.txt", b"http://a/%PATH -o %OUTPUT")
    (record,) = ENGINE.check(source, ENGINE.reader("a.txt"), dump=True).records
    why = "URL in prose; '%PATH' is a placeholder: so is '%OUTPUT' in this file"
    assert (record.why, record.verdict) == (why, "valid")


def test_files_beside_one_are_evidence_whichever_is_read_first(tmp_path: Path) -> None:
    url = b"http://a/%PATH\n"
    (tmp_path / "b.txt").write_bytes(url)
    (tmp_path / "c.txt").write_bytes(b"-o %OUTPUT\n")
    (tmp_path / "d.md").write_bytes(url)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.txt").write_bytes(url)

    def check(name: str) -> tuple[int, bool]:
        result = ENGINE.lint(str(tmp_path / name), url)
        return len(result.diagnostics), result.is_borrowed

    for names in (["b.txt", "d.md", "b/b.txt"], ["b/b.txt", "d.md", "b.txt"]):
        expected = {"b.txt": (0, True), "d.md": (1, False), "b/b.txt": (1, False)}
        assert {name: check(name) for name in names} == expected


def test_what_is_beside_a_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    url = b"http://a/%PATH\n"
    file, other = tmp_path / "b.txt", tmp_path / "c.txt"
    file.write_bytes(url)
    other.write_bytes(b"-o %OUTPUT\n")
    assert ENGINE.lint(str(file), url).diagnostics == []
    other.write_bytes(b"nothing")
    assert len(ENGINE.lint(str(file), url).diagnostics) == 1


HOSTILE: dict[str, Callable[[int], str]] = {
    "signs": lambda n: "http://a/%zz " + "%" * n,
    "signed words": lambda n: "http://a/%zz " + "%ab" * n,
    "URLs": lambda n: "http://a/%PATH\n" * n,
    "brackets": lambda n: "http://a/" + "[?" * n,
    "optional parts": lambda n: "http://a/[?b] " * n,
    "dots": lambda n: "http://a/%" + "a." * n,
    "a prefix": lambda n: "a:" * n + "x://a:1,b:2",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_ten_times_the_text_is_ten_times_the_work(name: str) -> None:
    def prepare(n: int) -> Callable[[], object]:
        source = Source("a.txt", Counted(HOSTILE[name](n)))
        found = list(ENGINE.reader("a.txt").find(source.text))

        def settle() -> None:
            evidence = Evidence(source, Judge())
            for one in found:
                evidence.settled(one)

        return settle

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
