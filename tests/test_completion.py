"""Completion: what each kind of argument is completed by, and the scripts in the real shells."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import which

import click
import pytest
from click.shell_completion import CompletionItem

from uriproof.cli import main
from uriproof.cli._completion import SHELLS, VARIABLE, script
from uriproof.cli._group import group

ROOT = Path(__file__).parent.parent


def completed(line: str, shell: str = "bash") -> list[CompletionItem]:
    """What completes the last word of a line, which may be empty."""
    *args, incomplete = line.split(" ")
    made = SHELLS[shell](group, {}, "uriproof", VARIABLE)
    return made.get_completions(args, incomplete)


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("li", {"lint"}),
        ("lint --fail", {"--fail-on"}),
        ("lint --fail-on ", {"error", "warning", "note"}),
        ("lint --format j", {"json", "jsonl", "junit"}),
        ("lint --select ", {"all", "security", "path", "path-illegal", "dot-segments"}),
        ("lint --ignore path-illegal,host,que", {"path-illegal,host,query-illegal"}),
        ("lint --unfixable pa", {"path", "path-illegal"}),
        ("lint --allow-scheme https,mail", {"https,mailto"}),
        ("scheme mail", {"mailto"}),
        ("check --rule IP", {"IP-literal", "IPv6address"}),
        ("check --grammar rfc3987 --rule i", {"isegment", "iuserinfo"}),
        ("check -g rfc39", {"rfc3986", "rfc3987"}),
        ("check --query key", {"key-value"}),
        ("encode --component seg", {"segment"}),
        ("explain IPv6", {"IPv6address"}),
        ("explain secu", {"security"}),
        ("grammar ex", {"explain", "export", "extract"}),
        ("grammar show seg", {"segment"}),
        ("grammar export --to ", {"pcre2", "lark"}),
        ("grammar export --captures host,po", {"host,port"}),
        ("grammar compare rfc39", {"rfc3986"}),
        ("help gram", {"grammar"}),
        ("help grammar sh", {"show"}),
        ("completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_what_completes_it(line: str, some: set[str]) -> None:
    found = [item.value for item in completed(line)]
    assert some <= set(found)
    assert len(found) == len(set(found))
    assert all(value.startswith(line.rpartition(" ")[2]) for value in found)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("lint docs/", "file"),
        ("lint ", "file"),
        ("lint --config ", "file"),
        ("lint --exclude a,b", "file"),
        ("lint --cache-dir ", "dir"),
        ("check --file urls", "file"),
        ("check --grammar ./own", "file"),
        ("grammar check ", "file"),
    ],
)
def test_what_is_a_file(line: str, kind: str) -> None:
    (item,) = completed(line)
    assert (item.type, item.value) == (kind, line.rpartition(" ")[2])


@pytest.mark.parametrize(
    "line", ["check http", "nothing ", "check --grammar none --rule a", "lint --jobs "]
)
def test_what_nothing_completes(line: str) -> None:
    assert [item.value for item in completed(line) if item.type == "plain"] == []


def test_a_value_after_an_equals_sign() -> None:
    fish = [item.value for item in completed("lint --fail-on=er", "fish")]
    assert fish == ["--fail-on=error"]  # to fish it is one word
    bash = [item.value for item in completed("lint --fail-on=er")]
    assert bash == ["error"]


def test_every_metavar_of_names_is_known() -> None:
    """A parameter for codes, rules, grammars or schemes that nothing completes is a mistake."""
    context = click.Context(group, info_name="uriproof")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        for parameter in command.params if command else ():
            metavar = str(parameter.metavar)
            if any(word in metavar for word in ("CODE", "SCHEME", "GRAMMAR", "NAME|FILE")):
                option = parameter.opts[0] if isinstance(parameter, click.Option) else ""
                line = f"{name} {option} ".replace("  ", " ")
                assert len(completed(line)) > 5, line


def test_a_start_without_a_shell_loads_none_of_it() -> None:
    code = "import sys; from uriproof.cli import main; main(['check', 'a:b']); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert loaded.isdisjoint({"uriproof.cli._completion", "click.shell_completion"})


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main(["completion", shell]) == 0
    assert f"{VARIABLE}={shell}_complete" in capsys.readouterr().out


def test_the_shell_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert main(["completion"]) == 0
    assert "fish_complete" in capsys.readouterr().out
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert main(["completion"]) == 2
    assert "bash, zsh or fish" in capsys.readouterr().err


def test_an_unknown_request(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in "tcsh_complete", "bash_nothing", "":
        monkeypatch.setenv(VARIABLE, value)
        assert main([]) == 2


# The real shells

ASK = {
    "bash": """
        source "$SCRIPT"
        compopt() { echo "files $*"; }
        COMP_WORDS=(%s) COMP_CWORD=%d COMPREPLY=()
        _uriproof_completion uriproof
        printf '%%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { }
        _describe() { print -l -- "${(@)completions_with_descriptions%%%%:*}" }
        compadd() { print -l -- $completions }
        _path_files() { print files $* }
        source "$SCRIPT"
        words=(%s) CURRENT=$((%d + 1))
        _uriproof_completion
    """,
    "fish": """
        source $SCRIPT
        complete --do-complete 'LINE' | string split --fields 1 (printf '\\t')
    """,
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program and the scripts."""
    folder = tmp_path_factory.mktemp("bin")
    file = folder / "uriproof"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m uriproof "$@"\n')
    file.chmod(0o755)
    return folder


def asked(shell: str, words: list[str], folder: Path) -> list[str]:
    """What a real shell completes the last of some words by."""
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": str(folder),
        "SCRIPT": str(folder / shell),
    }
    (folder / shell).write_text(script(shell))
    if shell == "fish":
        code = ASK[shell].replace("LINE", " ".join(words))
    else:
        code = ASK[shell] % (" ".join(map(shlex.quote, words)), len(words) - 1)
    quiet = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    run = subprocess.run(
        [shell, *quiet, "-c", code],
        env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert run.stderr == ""
    return run.stdout.split("\n")


@pytest.mark.skipif(os.name == "nt", reason="the scripts are for shells of Unix")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell(shell: str, program: Path) -> None:
    if which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    codes = asked(shell, ["uriproof", "lint", "--select", "host,path-i"], program)
    assert "host,path-illegal" in codes
    files = "\n".join(asked(shell, ["uriproof", "lint", "uri"], program))
    assert ("uriproof" if shell == "fish" else "files") in files


@pytest.mark.skipif(which("bash") is None, reason="bash is not installed")
def test_bash_has_equals_signs_as_words(program: Path) -> None:
    assert "error" in asked("bash", ["uriproof", "lint", "--fail-on", "=", "er"], program)
