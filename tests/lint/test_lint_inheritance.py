"""What passes from one configuration file to another: extend, and the excludes of outer files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Run
from tables import beside

from uriproof.lint.config.nearest import Configs
from uriproof.lint.config.read import load
from uriproof.lint.config.settings import Settings
from uriproof.lint.files.walk import Walk


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, text: str = "x\n") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def loaded(name: str) -> tuple[Settings, list[str]]:
    settings, problems = load(name)
    assert settings is not None
    return settings, [str(problem) for problem in problems]


class TestExtend:
    def test_a_chain(self) -> None:
        put("base/base.toml", 'select = ["all"]\nprofile = "iri"\nrequire-reason = true\n')
        put("team.toml", 'extend = "base/base.toml"\nextend-exclude = ["a"]\nprofile="auto"\n')
        put("sub/uriproof.toml", 'extend = "../team.toml"\nextend-exclude = ["b"]\n')
        settings, problems = loaded("sub/uriproof.toml")
        assert problems == []
        assert settings.select == ("all",)
        assert settings.profile == "auto"
        assert settings.require_reason
        assert settings.extend_exclude == ("a", "b")
        assert settings.root == str(Path("sub").resolve())

    def test_tables_add_and_lists_replace(self) -> None:
        put("base.toml", 'include = ["*.md"]\n[severity]\npath = "note"\nhost = "note"\n')
        put("own.toml", 'extend = "base.toml"\ninclude = ["*.txt"]\n[severity]\nhost = "error"\n')
        settings, _ = loaded("own.toml")
        assert settings.include == ("*.txt",)
        assert settings.severity == {"path": "note", "host": "error"}

    @pytest.mark.parametrize(
        ("own", "select", "ignore"),
        [
            ('ignore = ["host"]', ("all",), ("path", "host")),
            ('select = ["violations"]', ("violations",), ()),
            ('select = ["violations"]\nignore = ["host"]', ("violations",), ("host",)),
        ],
    )
    def test_rules(self, own: str, select: tuple[str, ...], ignore: tuple[str, ...]) -> None:
        put("base.toml", 'select = ["all"]\nignore = ["path"]\n')
        put("own.toml", f'extend = "base.toml"\n{own}\n')
        settings, _ = loaded("own.toml")
        assert (settings.select, settings.ignore) == (select, ignore)

    def test_a_table_of_pyproject(self) -> None:
        put("pyproject.toml", '[tool.uriproof]\nprofile = "iri"\n')
        put("sub/uriproof.toml", 'extend = "../pyproject.toml"\n')
        assert loaded("sub/uriproof.toml")[0].profile == "iri"
        put("pyproject.toml", "[tool.other]\n")
        assert loaded("sub/uriproof.toml")[1] == [
            "sub/uriproof.toml:1: extend: pyproject.toml has no table [tool.uriproof]"
        ]

    def test_a_circle_is_shown(self) -> None:
        put("a.toml", '# first\nextend = "b.toml"\n')
        put("b.toml", 'extend = "a.toml"\nprofile = "iri"\n')
        settings, problems = loaded("a.toml")
        assert problems == ["b.toml:1: extend: a circle: a.toml extends b.toml extends a.toml"]
        assert settings.profile == "iri"  # the rest holds

    @pytest.mark.parametrize(("file", "text", "problem"), beside(__file__, "problems"))
    def test_problems(self, file: str, text: str, problem: str) -> None:
        put("base.toml", "\nselekt = []\n")
        put(file, text)
        assert loaded(file)[1] == [problem]


def walked(*paths: str) -> list[str]:
    """The names of the files of a run that are not configuration."""
    items = Walk(Configs()).over(paths or (".",))
    return [item[0] for item in items if item[0].endswith(".md")]


class TestOuterExcludes:
    @pytest.fixture(autouse=True)
    def files(self, folder: Path) -> None:
        for name in ("a", "old/b", "sub/c", "sub/old/d", "sub/new/e", "sub/gen/f"):
            put(f"{name}.md")
        put("uriproof.toml", 'extend-exclude = ["old", "sub/gen"]\nprofile = "iri"\n')
        put("sub/uriproof.toml", 'extend-exclude = ["new"]\n')

    def test_they_hold_below_and_all_else_does_not(self) -> None:
        assert walked() == ["a.md", "sub/c.md"]
        settings = Configs().of("sub")
        assert settings.profile == "auto"
        assert settings.outer is not None
        assert settings.outer.excluded == ("old", "sub/gen")

    def test_in_the_folder_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert walked("sub") == ["sub/c.md"]
        monkeypatch.chdir("sub")
        assert walked() == ["c.md"]

    def test_what_is_named_is_checked(self) -> None:
        assert walked("sub/old", "sub/gen") == ["sub/old/d.md", "sub/gen/f.md"]
        assert walked("sub/old/d.md") == ["sub/old/d.md"]

    def test_the_file_between_hands_them_on(self) -> None:
        put("sub/deep/uriproof.toml", "")
        put("sub/deep/old/g.md")
        put("sub/deep/new/h.md")
        put("sub/deep/i.md")
        assert walked("sub") == ["sub/c.md", "sub/deep/i.md"]

    def test_defaults_that_a_file_sets_anew(self) -> None:
        put("sub/uriproof.toml", "exclude = []\n")
        put("sub/venv/g.md")
        assert "sub/venv/g.md" in walked()
        put("uriproof.toml", 'exclude = ["venv"]\n')
        assert "sub/venv/g.md" not in walked()

    def test_the_command_line_excludes_instead(self, run: Run) -> None:
        put("uriproof.toml", 'exclude = ["old"]\n')
        assert "sub/old/d.md" not in run("lint", "--show-files").out
        assert "sub/old/d.md" in run("lint", "--show-files", "--exclude", "nothing").out

    def test_the_settings_show_them(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir("sub")
        put("uriproof.toml", "[format.html]\nenabled = false\n")
        shown = json.loads(run("lint", "--show-settings").out)
        ((file, patterns),) = shown["outer"].items()
        assert (Path(file).name, patterns) == ("uriproof.toml", ["old", "sub/gen"])
        assert shown["format"]["html"]["enabled"] is False
