"""The public names: all there, each loaded from where it lives, documented, and listed.

Owns what docs/stability.md promises of names. Imports the public face. Invariant: what is promised
holds for every name; that none appears, goes or changes unnoticed is seen in docs/public-names.txt.
"""

from __future__ import annotations

import inspect
import pickle
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest
from test_cold_start import loaded

import uriproof
from uriproof import grammars

ROOT = Path(__file__).parent.parent

NAMES = [(module, name) for module in (uriproof, grammars) for name in module.__all__]


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for module, name in NAMES:
        value = getattr(module, name)
        assert value.__name__ == name
        assert inspect.getdoc(value), name
        assert name in dir(module)


def test_every_verb_shows_an_example() -> None:
    verbs = [(module, name) for module, name in NAMES if name[0].islower()]
    docs = {name: inspect.getdoc(getattr(module, name)) or "" for module, name in verbs}
    assert [name for name, doc in docs.items() if ">>>" not in doc] == []


def test_tools_on_grammars_are_reached_by_the_package() -> None:
    found = loaded("import uriproof; uriproof.grammars.describe('port')")
    assert "uriproof.workbench.describe" in found


@pytest.mark.parametrize("module", [uriproof, grammars])
def test_no_other_name_is_there(module: ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'unquote'"):
        _ = module.unquote


def test_every_error_can_be_caught_as_a_standard_one() -> None:
    errors = [v for module, n in NAMES if _is_error(v := getattr(module, n))]
    assert errors
    assert all(issubclass(e, uriproof.UriproofError) for e in errors)
    standard = (ValueError, LookupError, TypeError)
    assert all(issubclass(e, standard) for e in errors if e is not uriproof.UriproofError)


def test_every_error_of_the_package_has_one_base() -> None:
    """Those of its own files, too, but for what never leaves it and what click and attrs want."""
    inside = {"_NotCompound", "ReadError", "TooMuchWork", "Broken", "_Wrong"}
    found = {
        match[1]: match[2]
        for path in (ROOT / "src").rglob("*.py")
        for match in re.finditer(
            r"^class (\w+)\(([^)]*(?:Error|Exception))\)", path.read_text("utf-8"), re.MULTILINE
        )
    }
    others = {
        n
        for n, bases in found.items()
        if not re.search(r"Uriproof|Encode|Forbidden|Grammar", bases)
    }
    assert others == inside | {"UriproofError"}


@pytest.mark.parametrize(
    "value",
    [
        uriproof.check("a b"),
        uriproof.clean("a b", report=True),
        grammars.explain("a:b", "URI"),
        grammars.compare_rules("ALPHA", "DIGIT"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_with_a_verdict_is_not_taken_for_it(value: object) -> None:
    with pytest.raises(TypeError, match=rf"a {type(value).__name__} is neither true nor false: "):
        bool(value)


URL = "http://me:S3KRET@h/ "


@pytest.mark.parametrize(
    "verb",
    [
        uriproof.require,
        uriproof.parse,
        uriproof.URI,
        uriproof.split,
        uriproof.normalize,
        uriproof.uri_to_iri,
        uriproof.iri_to_uri,
        uriproof.Rule().require,
        lambda text: uriproof.clean(text.replace("h/", "h x/")),
        lambda text: uriproof.resolve(text, "a"),
        lambda text: uriproof.equivalent(text, text),
        lambda _: uriproof.canonical_host("a%00b"),
        lambda _: uriproof.canonical_host("[::1"),
        lambda _: uriproof.build(host="h", userinfo="me:S3KRET "),
        lambda _: uriproof.build(host="h", path="a"),
    ],
)
def test_what_is_raised_about_a_text_has_a_report(verb: Callable[[str], object]) -> None:
    with pytest.raises(uriproof.InvalidURI) as caught:
        verb(URL)
    error = caught.value
    assert not error.report.ok
    assert "S3KRET" not in f"{error} {error!r} {error.report}"
    assert len(str(error).splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 -- our own


def _is_error(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


@pytest.mark.prove
def test_every_adapter_is_documented() -> None:
    package = import_module("uriproof.adapters")
    names = [m.name for m in iter_modules(package.__path__) if not m.name.startswith("_")]
    pages = (ROOT / "docs").rglob("*.md")
    words = {word for page in pages for word in re.findall(r"\w+", page.read_text("utf-8"))}
    assert set(names) - words == set()
