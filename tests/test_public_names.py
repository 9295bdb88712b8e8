"""The public names: all there, each loaded from where it lives, documented, and listed.

Owns what docs/stability.md promises of names. Imports the public face, and the tool that lists it.
Invariant: no public name appears, goes or changes its parameters unnoticed.
"""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import uriproof

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import build_names  # noqa: E402 -- after the path is set

VERBS = [n for n in uriproof.__all__ if n[0].islower()]


@pytest.mark.parametrize("name", uriproof.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(uriproof, name)
    assert value.__name__ == name
    assert inspect.getdoc(value)
    assert name in dir(uriproof)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_shows_an_example(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(uriproof, name)) or "")


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'unquote'"):
        _ = uriproof.unquote


def test_the_list_of_names_is_what_the_code_has() -> None:
    listed = build_names.FILE.read_text("utf-8").splitlines()
    now = build_names.text().splitlines()
    changed = [f"- {line}" for line in listed if line not in now]
    changed += [f"+ {line}" for line in now if line not in listed]
    assert not changed, "\n".join([*changed, "CHANGELOG.md names it; python tools/build_names.py"])
    assert listed == now, "python tools/build_names.py"


def test_every_error_can_be_caught_as_a_standard_one() -> None:
    errors = [v for n in uriproof.__all__ if _is_error(v := getattr(uriproof, n))]
    assert errors
    assert all(issubclass(e, (ValueError, LookupError, TypeError)) for e in errors)


def _is_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def test_every_adapter_is_documented() -> None:
    package = import_module("uriproof.adapters")
    names = [m.name for m in iter_modules(package.__path__) if not m.name.startswith("_")]
    pages = "".join(p.read_text("utf-8") for p in (ROOT / "docs").rglob("*.md"))
    assert [n for n in names if not re.search(rf"\b{n}\b", pages)] == []
