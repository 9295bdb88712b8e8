"""Named tuples: as those of ``typing``, whose classes cost five times as much."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any, NamedTuple

import pytest

from uriproof import records


class Typed(NamedTuple):
    """A place."""

    line: int
    column: int = 0
    names: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return f"{self.line}:{self.column}"


class Own(records.NamedTuple):
    """A place."""

    line: int
    column: int = 0
    names: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return f"{self.line}:{self.column}"


BOTH: tuple[Any, Any] = Own, Typed


def test_the_classes_are_alike() -> None:
    for name in ("_fields", "_field_defaults", "__match_args__", "__doc__", "__slots__"):
        assert getattr(Own, name, ()) == getattr(Typed, name, ()), name
    assert {type(kind) for kind in BOTH} == {type}
    assert issubclass(Own, tuple)
    ours, theirs = map(inspect.signature, BOTH)
    assert list(ours.parameters) == list(theirs.parameters)
    assert [p.default for p in ours.parameters.values()] == [
        p.default for p in theirs.parameters.values()
    ]
    assert Own.line.__doc__ == Typed.line.__doc__


def test_the_tuples_are_alike() -> None:
    ours, theirs = (kind(3, names=("a",)) for kind in BOTH)
    assert ours == theirs == (3, 0, ("a",))
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Typed", "Own")
    assert ours._asdict() == theirs._asdict()
    assert ours.shown == theirs.shown == "3:0"
    assert {kind._make([1, 2, ()]) for kind in BOTH} == {(1, 2, ())}
    assert not hasattr(ours, "__dict__")
    match ours:
        case Own(line, column):
            assert (line, column) == (3, 0)


def test_a_copy_is_of_the_same_class() -> None:
    one = Own(3, names=("a",))
    for other in (one._replace(), copy.copy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301
        assert other == one
        assert type(other) is Own
    assert one._replace(line=4) == (4, 0, ("a",))


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_wrong_is_refused(kind: Any) -> None:
    for given, named in (((), {}), ((1, 2, (), 4), {}), ((1,), {"line": 2}), ((1,), {"row": 2})):
        with pytest.raises(TypeError):
            kind(*given, **named)
    with pytest.raises((TypeError, ValueError)):
        kind(1)._replace(row=2)
    with pytest.raises((TypeError, ValueError)):
        kind._make([])
    with pytest.raises(AttributeError):
        kind(1).line = 2


@pytest.mark.parametrize("base", [NamedTuple, records.NamedTuple])
def test_a_field_that_is_needed_comes_first(base: Any) -> None:
    with pytest.raises(TypeError):
        type(base)("Wrong", (base,), {"__annotations__": {"a": int, "b": int}, "a": 1})
