"""A teacher's lesson: what is wrong in it is reported with its place, whatever it is.

Owns the tests of reading and checking a lesson. Imports both. Invariant: no source raises.
"""

from __future__ import annotations

import pytest
from asking import answered, ask, plain, refused
from tables import beside

from uriproof.teach.lessons import check_lesson
from uriproof.teach.lessons.prose import blocks, pieces
from uriproof.teach.lessons.shelf import sources
from uriproof.text.tables import lines

pytestmark = pytest.mark.prove

GOOD = sources()["01-scheme.toml"]
PRODUCTIONS = sources()["16-write-productions.toml"]


@pytest.mark.parametrize(("old", "new", "words"), beside(__file__, "contradictions"))
def test_what_the_engine_contradicts_is_reported(old: str, new: str, words: str) -> None:
    source = next(one for one in (GOOD, PRODUCTIONS) if old in one).replace(old, new, 1)
    problems = check_lesson(source)
    assert any(words in problem.message for problem in problems), problems
    error = refused("lesson", source=source)
    assert error["code"] == "invalid-lesson"
    assert error["problems"][0]["line"] == problems[0].line


def test_a_lesson_that_leaves_out_a_reason_is_shown_but_does_not_pass() -> None:
    """Lessons of before are still shown; ``--check`` tells their authors what readers miss."""
    source = GOOD.replace('why = "A host, a path', '# "A host, a path', 1)
    source = source.replace('text = "h2", rule = "scheme"', 'text = "ht_tp://x", rule = "URI"', 1)
    source = source.replace('valid = true, what = "A digit', 'valid = false, what = "A digit', 1)
    source = source.replace('claim = { every = "scheme", is = "re:[A-Za-z]+" }', "", 1)
    assert [(p.key, p.message.partition(":")[0]) for p in check_lesson(source)] == [
        ("exercise[1].predict.why", "why is missing"),
        ("exercise[1].explain.option[1].counterexample", "this is the text of the exercise"),
    ]
    assert ask("lesson", source=source)["lesson"]["id"] == "scheme"


@pytest.mark.parametrize(
    ("old", "new", "key", "words"),
    [
        *beside(__file__, "malformed"),
        ('text = "ht_tp://x"', f'text = "{"x" * 9_000}"', "text", "at most 2,000 characters"),
    ],
)
def test_what_is_malformed_is_reported_on_its_line(
    old: str, new: str, key: str, words: str
) -> None:
    source = GOOD.replace(old, new, 1)
    assert source != GOOD
    found = next(p for p in check_lesson(source) if words in p.message)
    assert key in found.key
    at = GOOD[: GOOD.index(old)].count("\n") + 1
    assert abs(found.line - at) <= 30, "near what was changed"


def test_one_error_of_form_does_not_hide_the_others() -> None:
    """What is false is told together with what is malformed, in the order of the lines."""
    source = GOOD.replace("An underscore", '1"\ntitel = "2', 1)
    for old, new in [
        ('answer = "valid"', 'answer = "invalid"'),
        ("answer = 0", "answer = 1"),
        ('answer = "equivalent"', 'answer = "different"'),
    ]:
        source = source.replace(old, new, 1)
    problems = check_lesson(source)
    assert [problem.key for problem in problems] == [
        "exercise[1].titel",
        *(f"exercise[{number}].predict.answer" for number in (2, 3, 4)),
    ]
    lines = [source.split("\n")[problem.line - 1].split(" ")[0] for problem in problems]
    assert lines == ["titel", *["answer"] * 3]
    assert refused("lesson", source=source)["problems"] == [
        {"line": p.line, "key": p.key, "message": p.message} for p in problems
    ]


HOSTILE = [
    "",
    "\x00",
    "\ud800",
    "a = 'b",
    "=",
    "[[exercise]]\n" * 40,
    "[[exercise]]\n" * 100,
    "exercise = 1",
    "exercise = [1, 2]",
    "exercise = [[1]]",
    "id = {}",
    "[" * 5_000,
    "a = " + "[" * 5_000,
    "a." * 2_000 + "b = 1",
    "x" * 200_000,
    GOOD.replace("[exercise.predict]", "[exercise.predict]\nexercise = []", 1),
    GOOD.replace('text = "ht_tp://x"', "text = 1979-05-27", 1),
    GOOD.replace('text = "ht_tp://x"', "text = [nan]", 1),
    GOOD.replace('rule = "scheme"', 'rule = "\\u0000"'),
    GOOD.replace('grammar = "', 'grammar = "../../etc/'),
    GOOD.replace('every = "scheme"', 'every = "re:(((a*)*)*)*b"'),
    GOOD.replace('every = "scheme"', 'every = "re:(?=a){9999}[x]{99999}"'),
    GOOD + "\n[[exercise]]\n" * 60,
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sources_get_plain_errors(source: str) -> None:
    step = {"exercise": "underscore", "step": "explain", "value": "b"}
    for request in {"do": "lesson"}, {"do": "answer", **step}:
        error = answered({**request, "source": source}).get("error")
        if error:
            known = ("invalid-lesson", "too-long", "too-large", "unknown-exercise")
            assert error["code"] in known
            assert len(error["message"]) < 2_000
            assert all(problem["line"] >= 1 for problem in error.get("problems", ()))


@pytest.mark.parametrize(
    "fields",
    [
        *beside(__file__, "requests_that_make_no_sense"),
        {"lesson": None},
        {"lesson": "scheme", "exercise": "shortest", "step": "predict", "value": "x" * 10_000},
    ],
)
def test_requests_that_make_no_sense(fields: dict[str, object]) -> None:
    answered({"do": "lesson", **fields})
    assert refused("answer", **fields)["message"]


def test_a_lesson_has_no_markup_and_names_its_own_document() -> None:
    source = GOOD.replace('title = "The scheme"', 'title = "<script>alert(1)</script>"')
    source = source.replace("Every URI begins", "<img src=x onerror=alert(1)> Every URI begins")
    source = source.replace('section = "3.1"', 'section = "RFC 6068 §2"')
    lesson = ask("lesson", source=source)["lesson"]
    assert (lesson["title"], lesson["cited"]) == ("<script>alert(1)</script>", "RFC 6068 §2")
    first = lesson["introduction"][0]["pieces"][0]
    assert first["text"].startswith("<img src=x onerror=alert(1)> Every")
    assert set(first) == {"text", "code", "emphasis"}


def test_text_of_lessons() -> None:
    found = blocks("A *b*\nc `d`.\n\n- e\n- f\n  g\n\nh")
    assert [block["kind"] for block in found] == ["paragraph", "list", "paragraph"]
    assert [len(item) for item in found[1]["items"]] == [1, 1]
    assert found[1]["items"][1][0]["text"] == "f g"
    assert pieces("2 * 3 * 4") == [{"text": "2 * 3 * 4", "code": False, "emphasis": False}]
    assert [p["text"] for p in pieces("`` ` ``")] == ["`"]
    assert plain(pieces("a ` b")) == "a ` b"


def test_lines_of_keys() -> None:
    text = 'a = """\nb = 1\n"""\nc.d = 2\n[[e]]\nf = 1\n[e.g]\n[[e]]\n  f = 2 # x\n[[e.h]]\nf = 1\n'
    found = lines(text)
    places = [("a",), ("b",), ("c", "d"), ("e", 0, "f"), ("e", 0, "g"), ("e", 1, "f")]
    assert [found.get(place) for place in places] == [1, None, 4, 6, 7, 9]
    assert found["e", 1, "h", 0, "f"] == 11
