"""Resolving references and making them: RFC 3986 section 5, all of its examples."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import bound

from uriproof import is_valid
from uriproof.adapters import for_hypothesis
from uriproof.uri.components import split
from uriproof.uri.resolve import Unreachable, relativize, remove_dot_segments, resolve

URIS = for_hypothesis.valid("URI")
REFERENCES = for_hypothesis.valid("URI-reference")

EXAMPLES = tomllib.loads(Path(__file__).with_name("resolution.toml").read_text("utf-8"))
BASE = EXAMPLES.pop("base")


@pytest.mark.parametrize(
    ("reference", "target"), [row for rows in EXAMPLES.values() for row in rows.items()]
)
def test_the_examples_of_the_rfc(reference: str, target: str) -> None:
    assert resolve(BASE, reference) == target
    # A base is stripped of its fragment first (§5.1).
    assert resolve(BASE + "#f", reference) == target

    expected = "http://a/b/c/g" if reference == "http:g" else target
    assert resolve(BASE, reference, strict=False) == expected


@pytest.mark.prove
@given(URIS, REFERENCES, st.booleans())
def test_a_target_is_a_uri(base: str, reference: str, strict: bool) -> None:
    target = resolve(base, reference, strict=strict)
    assert is_valid(target)
    assert split(target).fragment == split(reference).fragment


def two_buffers(path: str) -> str:
    """RFC 3986 §5.2.4, to the letter."""
    given, out = path, ""
    while given:
        if given.startswith("../"):
            given = given[3:]
        elif given.startswith(("./", "/./")):
            given = given[2:]
        elif given == "/.":
            given = "/"
        elif given.startswith("/../") or given == "/..":
            given = "/" + given[4:]
            out = out[: max(out.rfind("/"), 0)]
        elif given in (".", ".."):
            given = ""
        else:
            end = given.find("/", 1)
            end = len(given) if end < 0 else end
            out, given = out + given[:end], given[end:]
    return out


def _short(alphabet: str, most: int) -> list[str]:
    return ["".join(p) for n in range(most + 1) for p in product(alphabet, repeat=n)]


def test_dot_segments_go_as_the_rfc_says() -> None:
    assert remove_dot_segments("/a/b/c/./../../g") == "/a/g"
    assert remove_dot_segments("mid/content=5/../6") == "mid/6"
    for path in _short("/.a", 8):
        assert remove_dot_segments(path) == two_buffers(path), path


def _reachable(target: str, base: str) -> bool:
    """The target itself is a reference to it, or else one that keeps the path of the base.

    Where a reference has no path, that of the base stays, even with dot-segments (§5.2.2); its
    query stays, unless the reference has one.
    """
    there, here = split(target), split(base)
    kept = there[:5] == here[:5] and (there.query is not None or here.query is None)
    return kept or resolve(base, target) == target


@pytest.mark.prove
@pytest.mark.parametrize("prefix", ["http://h", "urn:"])
@bound("longest", 3, 4)
def test_a_reference_leads_to_its_target_or_none_does(prefix: str, longest: int) -> None:
    paths = [p for p in _short("/.a:", longest) if is_valid(prefix + p)]
    others = paths[:: len(paths) // 20]
    for base in (prefix + p + q for p in others for q in ("", "?q")):
        for target in (prefix + p for p in paths):
            dots = [s for s in split(target).path.split("/") if s in {".", ".."}]
            if _reachable(target, base):
                assert resolve(base, relativize(base, target)) == target, (target, base)
            else:
                with pytest.raises(Unreachable) as caught:
                    relativize(base, target)
                assert [target[start:end] for start, end in caught.value.spans] == dots


def test_long_paths_are_no_trouble() -> None:
    base, target = "http://h/" + "a/" * 50_000, "http://h/" + "b/" * 50_000
    assert relativize(base, target) == "../" * 50_000 + "b/" * 50_000
