"""The configuration: what is read, what is wrong with it, which file holds where, the schema."""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import beside

from uriproof.lint.config.nearest import Configs
from uriproof.lint.config.read import load
from uriproof.lint.config.select import GROUPS, Selection, unknown
from uriproof.lint.config.settings import FormatOptions, Settings, schema
from uriproof.lint.suppress.baseline import Baseline, BaselineError


def read(folder: Path, text: str, name: str = "uriproof.toml") -> tuple[Settings | None, list[str]]:
    """The settings of a file, and each problem as its line, key and message."""
    file = folder / name
    file.write_text(text, "utf-8")
    settings, problems = load(str(file))
    assert all(p.file == str(file) for p in problems)
    return settings, [f"{p.line} {p.key}: {p.message}" for p in problems]


def test_every_key(tmp_path: Path) -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(one) for name, one in value.items()}
        return tuple(value) if isinstance(value, list) else value

    text = Path(__file__).with_name("every_key.toml").read_text("utf-8")
    values = tomllib.loads(text)
    settings, problems = read(tmp_path, text)
    expected = {name.replace("-", "_"): plain(value) for name, value in values.items()}
    expected["format"] = {"html": FormatOptions(False, ("query",), "uri", False)}
    assert (settings, problems) == (
        Settings(root=str(tmp_path), file=str(tmp_path / "uriproof.toml"), **expected),
        [],
    )
    assert {*values, "extend"} == set(schema()["properties"])


@pytest.mark.parametrize(
    ("text", "problem"), beside(__file__, "what_is_wrong_is_said_with_its_line")
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    _, problems = read(tmp_path, text)
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_what_is_wrong_in_pyproject(tmp_path: Path) -> None:
    text = "[tool.other]\nignor = 1\n\n[tool.uriproof]\nignor = 1\nignore = ['path']\n"
    settings, problems = read(tmp_path, text, "pyproject.toml")
    assert problems[0].startswith("5 ignor: unknown key; did you mean ignore?")
    assert settings is not None
    assert settings.ignore == ("path",)  # the rest holds
    _, problems = read(tmp_path, "tool.uriproof = 3", "pyproject.toml")
    assert problems == ["1 : expected a table: [tool.uriproof]"]


def test_what_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "uriproof.toml"
    file.write_bytes(b"\n# \xff")
    (problem,) = load(str(file))[1]
    assert (problem.line, problem.message) == (2, "TOML must be UTF-8")
    (problem,) = load(str(tmp_path / "none.toml"))[1]
    assert problem.message == "No such file or directory"


@given(st.text())
def test_any_text_gives_settings_or_problems(tmp_path_factory: Any, text: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "settings"
    folder.mkdir(exist_ok=True)
    settings, problems = read(folder, text)
    assert settings is not None or problems


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    (tmp_path / "pyproject.toml").write_text('[tool.uriproof]\nignore = ["path"]\na = 1')
    (tmp_path / "a" / "uriproof.toml").write_text('ignore = ["host"]')
    (tmp_path / "c" / "pyproject.toml").write_text('[project]\nname = "uriproof"')
    configs = Configs()
    ignored = [configs.of(str(tmp_path / one)).ignore for one in ("a/b", "c", "")]
    assert ignored == [("host",), ("path",), ("path",)]
    assert configs.of(str(tmp_path)).root == str(tmp_path)
    assert len(configs.problems) == 1  # each is read once
    given = Configs(str(tmp_path / "a" / "uriproof.toml"))
    assert given.of(str(tmp_path)).ignore == ("host",)
    assert Configs(isolated=True).of(str(tmp_path)).ignore == ()


def test_the_schema_has_descriptions_and_defaults() -> None:
    for name, entry in schema()["properties"].items():
        assert entry["description"]
        if "default" in entry:
            value = getattr(Settings(), name.replace("-", "_"))
            assert entry["default"] == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize(
    ("select", "ignore", "reported"),
    [
        ("path-bad-escape", "path", "path-bad-escape"),
        ("path", "path", ""),
        ("all", "advice", "path-illegal path-bad-escape"),
        ("path all", "path-illegal advice", "path-bad-escape"),
        ("all path", "advice path-illegal", "path-bad-escape"),
    ],
)
def test_the_longest_selector_decides(select: str, ignore: str, reported: str) -> None:
    some = Selection(tuple(select.split()), tuple(ignore.split()))
    codes = {
        "path-illegal": "violations",
        "path-bad-escape": "violations",
        "dot-segments": "advice",
    }
    assert [code for code, group in codes.items() if some.has(code, group)] == reported.split()


def test_groups_are_known() -> None:
    assert unknown(GROUPS, ()) == {}
    assert unknown(["x"], ["y"]) == {"x": ()}
    assert "" in unknown([""], ["y"])


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ('exclude = ["{}"]'.replace("{}", "{a,b}" * 20), "exclude: the braces of {a,b}"),
        ('[formats]\n"{}" = "html"'.replace("{}", "{a,b}" * 20), "formats: the braces of {a,b}"),
        ("exclude = [{}]".replace("{}", '"a",' * 1_001), "exclude: more than 1,000 entries"),
        (f'exclude = ["{"a" * 5_000}"]', "exclude: a text of more than 4,096 characters"),
        (f"max-file-size = 0x{'f' * 10_000}", "max-file-size: expected a whole number"),
        (f"select.{'a.' * 900}b = 1", "select: expected a list of strings"),
        ("select." + "a." * 9_000 + "b = 1", "lines with too many dots"),
        (f'"{"a" * 100_000}" = 1', "unknown key"),
        ('extend = "\\u0000"', "extend: a path cannot have a NUL"),
        ("#" * 1_000_001, "more than 1,000,000 bytes"),
        ("exclude = " + "[" * 100_000, "invalid TOML"),
    ],
)
def test_what_a_file_may_hold_has_bounds(tmp_path: Path, toml: str, told: str) -> None:
    _, problems = read(tmp_path, toml)
    assert told in problems[0]
    assert len(problems[0]) < 1_000


def test_problems_and_files_have_bounds(tmp_path: Path) -> None:
    _, problems = read(tmp_path, "".join(f"key{n} = 1\n" for n in range(1_000)))
    assert len(problems) == 50
    for n in range(30):
        (tmp_path / f"{n}.toml").write_text(f'extend = "{n + 1}.toml"')
    (problem,) = load(str(tmp_path / "0.toml"))[1]
    assert problem.message == "more than 20 files extend each other"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_baseline_is_a_file_of_a_bounded_size(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BaselineError, match="no regular file"):
        Baseline.read(str(tmp_path / "pipe"))
    with open(tmp_path / "large", "wb") as stream:
        stream.write(b"[")
        stream.truncate(20_000_000)
    with pytest.raises(BaselineError):
        Baseline.read(str(tmp_path / "large"))
