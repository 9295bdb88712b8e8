"""The public names: all there, each loaded from where it lives, and documented with an example."""

from __future__ import annotations

import inspect

import pytest

import uriproof

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
