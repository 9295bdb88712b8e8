"""The pages: examples print what they show, links hold, and every page can be found.

Owns the promises of README.md, CONTRIBUTING.md and docs/. Imports the tool that runs the examples.
Invariant: a page that is added is tested without being named here.
"""

from __future__ import annotations

import json
import re
import sys
from doctest import DocTestParser
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import build_examples  # noqa: E402 -- after the path is set
from tiers import quick  # noqa: E402

import uriproof  # noqa: E402

README = ROOT / "README.md"
DOCS = ROOT / "docs"
SYMPTOMS = DOCS / "symptoms.md"
AROUND = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "fuzz/README.md")
# Documents with tests of their own, by which their examples run.
OTHERS = {"where-the-articles-err.md", "conformance.md"}
WRITTEN = [p for p in build_examples.pages() if p.name not in OTHERS]
PAGES = [*sorted(DOCS.rglob("*.md")), README, *(ROOT / name for name in AROUND)]

FENCED = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def links(page: Path) -> list[str]:
    """The links of a page that are not absolute."""
    text = FENCED.sub("", page.read_text("utf-8"))
    return [link for link in LINK.findall(text) if not urlsplit(link).scheme]


@cache
def anchors(page: Path) -> frozenset[str]:
    """The fragments of a page, as renderers of Markdown make them of its headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles)


QUICK = [page for page in WRITTEN if page.parent == DOCS / "validate"]
"""Pages whose examples are quick, and need nothing but the base install."""


@pytest.mark.parametrize("page", quick(WRITTEN, among=QUICK), ids=name)
def test_the_examples_print_what_the_page_shows(page: Path) -> None:
    text = page.read_text("utf-8")
    assert build_examples.rebuilt(text) == text, "python tools/build_examples.py"


@pytest.mark.parametrize("gap", ["", "\n"], ids=["at once", "after a blank line"])
def test_a_fence_is_never_taken_for_an_output(gap: str) -> None:
    page = f"```python\n>>> 1 + 1\n3\n{gap}```\nText.\n\n~~~python\n>>> print('a')\nb\n{gap}~~~\n"
    assert build_examples.rebuilt(page) == page.replace("3", "2").replace("b\n", "a\n")


PYTHON = re.compile(r"^ *```python\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
NEED_MORE = {"plan.md", "scan.md", "fuzzing.md"}
"""Pages with code that needs a cluster, hours, or files that are not here: one block each."""


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_the_python_of_a_page_is_run(page: Path) -> None:
    blocks = PYTHON.findall(page.read_text("utf-8"))
    run = [b for b in blocks if b.startswith(">>> ") or build_examples.NAMED.match(b)]
    assert len(blocks) - len(run) == (page.name in NEED_MORE)
    shown = sum(block.count("\n>>> ") + 1 for block in run if block.startswith(">>> "))
    text = build_examples.FENCE.sub("", page.read_text("utf-8"))
    assert len(DocTestParser().get_examples(text)) == shown


def test_each_symptom_has_the_code_that_the_page_names() -> None:
    rows = re.findall(r"^\| `(.+?)` \| \[`([\w-]+)`\]", SYMPTOMS.read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 20
    for text, code in rows:
        report = uriproof.check(text)
        assert code in [v.code for v in report.violations] + [a.code for a in report.advice], text


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_blocks_are_closed_and_links_lead_somewhere(page: Path) -> None:
    assert build_examples.unpaired(page.read_text("utf-8")) == ""
    for link in links(page):
        path, _, fragment = link.partition("#")
        target = (page.parent / unquote(path)).resolve() if path else page
        assert target.exists(), link
        if fragment and target.suffix == ".md":
            assert fragment in anchors(target), link


def test_every_page_is_reached_from_the_readme() -> None:
    seen, todo = {README}, [README]
    while todo:
        page = todo.pop()
        for link in links(page):
            target = (page.parent / unquote(link.partition("#")[0])).resolve()
            if target.is_dir():
                target /= "README.md"
            if target.suffix == ".md" and target.is_file() and target not in seen:
                seen.add(target)
                todo.append(target)
    assert {name(p) for p in DOCS.rglob("*.md")} <= {name(p) for p in seen}


def test_every_command_has_an_example() -> None:
    shown = {
        word
        for page in WRITTEN
        for line in build_examples.commands(page.read_text("utf-8"))
        for word in re.findall(r"uriproof (grammar [\w-]+|[\w-]+)", line)
    }
    known = set(import_module("test_help").ALL)
    assert known - shown == {"serve", "teach"}  # they run until they are ended


def test_every_option_of_lint_is_on_a_page() -> None:
    lint = import_module("uriproof.cli.lint").command
    text = "".join(p.read_text("utf-8") for p in (DOCS / "lint").glob("*.md"))
    options = [o for p in lint.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")]
    assert [o for o in options if not re.search(rf"{o}(?![\w-])", text)] == []


def test_the_schemes_with_a_grammar_are_listed() -> None:
    known = json.loads(build_examples.printed("uriproof grammar list --format json"))
    schemes = {scheme for grammar in known for scheme in grammar["schemes"]}
    page = (DOCS / "validate" / "schemes.md").read_text("utf-8")
    shown = re.search(r"is bundled: (.*?)\.\s", page, re.DOTALL)
    assert shown
    assert set(re.split(r",\s|\sand\s", shown[1])) == schemes


def test_every_page_is_on_the_site() -> None:
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md")}
    generated = {p for p in pages if p.startswith(("codes/", "grammars/")) and "README" not in p}
    assert {p for p in pages - generated if f": {p}\n" not in site} == set()
