"""What is published: metadata, one address, groups that are not extras, line ends.

Owns the promises of pyproject.toml, the workflow and the files around the sources, which it reads
as data. Invariant: the address of the project is in pyproject.toml, and no page has another.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types

ROOT = Path(__file__).parent.parent
DATA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, GROUPS = DATA["project"], DATA["dependency-groups"]
BASE: str = PROJECT["urls"]["Source"]
SHORTER = DATA["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
WORKFLOW = ROOT / ".github" / "workflows" / "check.yml"


def tracked() -> list[Path]:
    run = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode:
        pytest.skip("not a checkout of git")
    return [ROOT / name for name in run.stdout.splitlines()]


def test_every_address_has_one_base() -> None:
    assert all(url.startswith(BASE) for url in PROJECT["urls"].values())
    owner = urlsplit(BASE).path.strip("/")
    pages = (ROOT / "README.md", *(ROOT / "docs" / "lint").glob("*.md"))
    text = "".join(page.read_text("utf-8") for page in pages)
    assert set(re.findall(r"repo: (\S+)", text)) <= {BASE, "local"}
    assert set(re.findall(r"uses: (\S+/uriproof)@", text)) <= {owner}


def test_links_of_the_readme_hold_on_a_package_index() -> None:
    """There are no files beside it, and no address at which they are."""
    text = page = (ROOT / "README.md").read_text("utf-8")
    for one in SHORTER:
        text = re.sub(one["pattern"], one["replacement"], text)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        assert link.startswith("#") or urlsplit(link).scheme == "https", link
        assert "OWNER" not in link
    for words in re.findall(r"(?<!!)\[([^\]]*)\]\(", page):
        assert words in text


def test_the_citation_says_what_the_metadata_say() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    for key, name in (("title", "name"), ("abstract", "description")):
        assert cited[key] == PROJECT[name]
    assert all(cited[key] == PROJECT[key] for key in ("license", "keywords"))
    assert [one["name"] for one in cited["authors"]] == [one["name"] for one in PROJECT["authors"]]


def test_metadata() -> None:
    versions = [c.split(" :: ")[-1] for c in PROJECT["classifiers"] if " :: Python :: 3." in c]
    matrix = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == versions
    assert [os.split("-")[0] for os in matrix["os"]] == ["ubuntu", "windows", "macos"]
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    assert (ROOT / "src" / "uriproof" / "py.typed").is_file()


def test_extras_are_for_users_and_groups_for_developers() -> None:
    assert not PROJECT["optional-dependencies"].keys() & GROUPS.keys()
    extras = {line for lines in PROJECT["optional-dependencies"].values() for line in lines}
    assert set(GROUPS["optional"]) == extras
    text = (ROOT / "Makefile").read_text("utf-8") + (ROOT / "README.md").read_text("utf-8")
    assert {"test", "check"} <= set(re.findall(r"--group (\w+)", text)) <= GROUPS.keys()


def test_a_plain_installation_has_no_framework() -> None:
    names = {re.split(r"[^\w-]", line)[0].lower() for line in PROJECT["dependencies"]}
    assert names == {"abnf", "click", "idna", "lark"}
    extras = PROJECT["optional-dependencies"]
    folder = ROOT / "src" / "uriproof" / "adapters"
    adapters = {path.stem.removeprefix("for_").replace("_", "-") for path in folder.glob("for_*")}
    # Those of the standard library, and of click, need none.
    without = {"annotations", "asgi", "command-line", "wsgi"}
    assert adapters - without <= extras.keys()
    assert not without & extras.keys()


def test_the_sdist_has_every_folder() -> None:
    given = {
        name.strip("/") for name in DATA["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    }
    always = {"LICENSE", "pyproject.toml", ".gitignore"}
    there = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert there - given - always == set()


def test_actions_are_pinned() -> None:
    files = [ROOT / "action.yml", *WORKFLOW.parent.glob("*.yml")]
    uses = re.findall(r"uses: (\S+)(.*)", "".join(file.read_text("utf-8") for file in files))
    assert uses
    for action, comment in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{action} is not pinned by commit"
        assert re.search(r"# v\d", comment), f"{action} names no release"


def test_only_the_upload_of_a_release_may_upload() -> None:
    flow = yaml.safe_load((WORKFLOW.parent / "release.yml").read_text("utf-8"))
    assert flow["permissions"] == {"contents": "read"}
    able = [name for name, job in flow["jobs"].items() if "id-token" in job.get("permissions", {})]
    assert able == ["upload"]
    assert flow["jobs"]["upload"]["needs"] == "build"


def test_text_files_have_line_feeds() -> None:
    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text("utf-8").splitlines()
    corpus = ROOT / "tests" / "precision" / "corpus"  # files as they come
    for path in tracked():
        text = path.suffix in {".py", ".md", ".toml", ".abnf", ".yml", ""} and path.is_file()
        if text and corpus not in path.parents:
            assert b"\r\n" not in path.read_bytes(), path
