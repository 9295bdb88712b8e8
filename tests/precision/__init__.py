"""How much of what the linter says is true, and how much of what is true it says.

Owns the labeled corpus: ``corpus/FORMAT/`` holds files as they occur, and ``labels.toml`` beside
them says, place by place, what is to be said. Imports ``uriproof.lint``. Invariant: labels were
written by a person from the RFC and the file's format, not by the linter.

A label is a ``[[case]]`` with the ``file``, the ``line`` (from 1), the ``text`` in that line, and
``why`` it is there. The text holds what is to be blamed between ``⟦`` and ``⟧``, as the file
writes it, and ``codes`` has a code for each of those marks, in order. Without marks nothing is to
be said of the text: a near finding. With ``profile = "uri"`` it is one but under that profile: the
format takes IRIs. Whatever is said of a file and is in no label is false, unless it is a note: what
is only mentioned can be an example or a pattern, and does not fail.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Literal

from uriproof.lint.config.settings import Settings
from uriproof.lint.engine.analyze import Engine
from uriproof.lint.files.source import decoded

__all__ = ["CORPUS", "Case", "LabelError", "Score", "cases", "measure"]

CORPUS = Path(__file__).parent / "corpus"
OPEN, CLOSE = "⟦⟧"

Said = tuple[int, int, str]
"""What is said of a place: where it begins and ends in the text of the file, and its code."""


class LabelError(Exception):
    """A label that does not fit its file."""


@dataclass(frozen=True, slots=True)
class Case:
    """A label: a place in a file, and what is to be said there."""

    file: Path
    line: int
    why: str
    start: int
    end: int
    said: tuple[Said, ...]
    profile: str = ""


@dataclass(slots=True)
class Score:
    """What came of the cases of a format. ``wrong`` tells each difference, for people."""

    files: int = 0
    near: int = 0
    expected: int = 0
    said: int = 0
    true: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """How much of what is said is true; 1 if nothing is said."""
        return self.true / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        """How much of what is to be said is said; 1 if nothing is to be said."""
        return self.true / self.expected if self.expected else 1.0

    def __add__(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def cases(folder: Path) -> dict[Path, list[Case]]:
    """The labels of a folder by file, in the order of the text.

    Errors: LabelError, for a label whose text is not in its line or whose marks have no codes.
    """
    labels = tomllib.loads((folder / "labels.toml").read_text(encoding="utf-8"))["case"]
    found: dict[Path, list[Case]] = {}
    for file in dict.fromkeys(label["file"] for label in labels):
        path = folder / file
        text = decoded(str(path), path.read_bytes()).text
        lines = [0]
        while (end := text.find("\n", lines[-1])) >= 0:
            lines.append(end + 1)
        lines.append(len(text))
        after = 0
        for label in (one for one in labels if one["file"] == file):
            line = label["line"]
            if not 0 < line < len(lines):
                raise LabelError(f"{path}: there is no line {line}")
            after = max(after, lines[line - 1])
            case = _case(path, text, (after, lines[line]), label)
            after = case.end
            found.setdefault(path, []).append(case)
    return found


def _case(path: Path, text: str, within: tuple[int, int], label: dict[str, object]) -> Case:
    marked, codes = str(label["text"]), label.get("codes", [])
    bare = marked.replace(OPEN, "").replace(CLOSE, "")
    start = text.find(bare, *within)
    where = f"{path}:{label['line']}: {bare!r}"
    if not bare or start < 0:
        raise LabelError(f"{where} is not there")
    if not isinstance(codes, list) or marked.count(OPEN) != len(codes):
        raise LabelError(f"{where}: every mark has a code")
    said: list[Said] = []
    at = start
    for piece, code in zip(marked.split(OPEN)[1:], codes, strict=True):
        at = start + len(marked[: marked.index(OPEN)]) if not said else at
        blamed, _, rest = piece.partition(CLOSE)
        said.append((at, at + len(blamed), str(code)))
        at += len(blamed) + len(rest)
    return Case(
        *(path, int(str(label["line"])), str(label["why"]), start, start + len(bare), (*said,)),
        profile=str(label.get("profile", "")),
    )


def measure(folder: Path, profile: Literal["auto", "uri"] = "auto") -> Score:
    """What the linter says of a folder, beside what is to be said. Cost: O(n)."""
    engine = Engine(Settings(profile=profile, include_tests=True))
    score = Score()
    for path, labels in cases(folder).items():
        score.files += 1
        due = [label for label in labels if label.profile in {"", profile}]
        score.near += sum(not label.said for label in due) + len(labels) - len(due)
        data = path.read_bytes()
        text = decoded(str(path), data).text
        result = engine.lint(str(path), data)
        expected = Counter(one for label in due for one in label.said)
        places = [
            (d, (p.start, p.end, parent(d.code))) for d in result.diagnostics for p in d.places
        ]
        said = Counter(at for d, at in places if d.severity != "note" or at in expected)
        score.expected += expected.total()
        score.said += said.total()
        score.true += (said & expected).total()
        score.wrong += _told("false", path, text, labels, said - expected)
        score.wrong += _told("missed", path, text, labels, expected - said)
    return score


def _told(
    what: str, path: Path, text: str, labels: list[Case], said: Counter[Said]
) -> Iterator[str]:
    """Each difference as a line: the place, what is said, and what the label is about."""
    for start, end, code in sorted(said.elements()):
        line = text.count("\n", 0, start) + 1
        label = next((one for one in labels if one.start <= start <= one.end), None)
        about = f"{text[label.start : label.end]!r}: {label.why}" if label else "no label is there"
        name = f"{path.parent.name}/{path.name}"
        yield f"{what} {name}:{line} {code} {text[start:end]!r} ({about})"


def parent(code: str) -> str:
    """The code that labels have: also of what the linter has a narrower code for."""
    kind = "-illegal" if "-illegal" in code else "-bad-escape"
    head, said, _ = code.partition(kind)
    return head + said
