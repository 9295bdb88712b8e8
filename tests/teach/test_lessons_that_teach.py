"""Lessons in which pupils write grammars, answers that teach, and questions that come back.

Owns what is said of a production that a pupil writes. Imports the requests. Invariant: whatever is
written, an answer is given within the bound on work, and "right" only to an equal language.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from asking import answered, ask, exercises, judged, plain
from tables import beside

from uriproof import Grammar
from uriproof.teach.lessons import check_lesson
from uriproof.teach.lessons.legend import EVERY, legend
from uriproof.teach.lessons.read import Exercise, given
from uriproof.teach.lessons.shelf import bundled

pytestmark = pytest.mark.prove

PAGE = Path(__file__).parent.parent.parent / "docs" / "teach" / "write-a-lesson.md"


def predicted(kind: str) -> list[tuple[str, Exercise]]:
    """The exercises of this kind, each with its lesson."""
    return [
        (lesson.id, exercise)
        for lesson in bundled().values()
        for exercise in lesson.exercise
        if exercise.predict and exercise.predict.kind == kind
    ]


def written(text: str, lesson: str = "write-productions", exercise: str = "dec-octet") -> Any:
    return judged(lesson, exercise, "predict", value=text)


def test_what_is_missing_is_not_called_a_character() -> None:
    """The answer to "which is the first?" agrees with the report below it."""
    seen = set()
    for lesson, exercise in predicted("position"):
        place = lesson, exercise.id
        label = plain(judged(*place, "predict", show=True)["answer"]["label"])
        first = judged(*place, "run")["reports"][0]["violations"][0]
        assert ("missing" in label) == (first["start"] == first["end"]), exercise.id
        seen.add("missing" in label)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("lesson", "exercise"), predicted("define"), ids=lambda one: getattr(one, "id", one)
)
def test_right_is_said_of_what_is_right_and_a_mistake_has_its_idea_and_a_text(
    lesson: str, exercise: Exercise
) -> None:
    predict = given(exercise.predict)
    found = written(predict.examples[0], lesson, exercise.id)
    made = found["written"]
    assert (found["right"], made["too_much"], made["too_little"]) == (True, None, None)
    right = Grammar.from_abnf(made["abnf"])[predict.of]
    assert predict.mistake or predict.accepts
    for mistake in predict.mistake:
        found = written(mistake.abnf, lesson, exercise.id)
        assert not found["right"]
        assert plain(found["misconception"]) == mistake.misconception.replace("`", "")
        made = found["written"]
        own = Grammar.from_abnf(made["abnf"])[predict.of]
        texts = {made["too_much"]: True, made["too_little"]: False}
        accepted = {text: own.is_valid(text) for text in texts if text is not None}
        assert accepted
        for text, is_accepted in accepted.items():
            assert is_accepted == texts[text] != right.is_valid(text)


@pytest.mark.parametrize(("text", "much", "little"), beside(__file__, "shortest"))
def test_the_shortest_texts_that_differ_are_shown(
    text: str, much: list[str], little: list[str]
) -> None:
    """Each as a list of one text, or of none."""
    found = written(text)
    assert not found["right"]
    made = found["written"]
    shown = [[one] if one is not None else [] for one in (made["too_much"], made["too_little"])]
    assert shown == [much, little]
    for one in (*much, *little):
        assert (one or "the empty text") in plain(found["message"])


@pytest.mark.parametrize(("text", "line", "column", "words"), beside(__file__, "faulty"))
def test_what_cannot_be_read_is_shown_where_it_is(
    text: str, line: int, column: int, words: str
) -> None:
    first = written(text)["written"]["errors"][0]
    assert (first["line"], first["column"]) == (line, column)
    assert words in first["message"]


HOSTILE = [
    "IPv6address = " + '[ "a" ' * 3_000,
    'IPv6address = 1*( 1*( 1*( 900*999"a" ) 700"b" ) )',
    'IPv6address = 99999999999999999999"a"',
    "IPv6address = " + " / ".join(f'*"{chr(97 + i % 26)}" "{i}"' for i in range(900)),
    "IPv6address = *( " + " / ".join(f'{i}"a"' for i in range(1, 200)) + " )",
    'IPv6address = IPv6address IPv6address / "a" / ""',
    "IPv6address = a0\n"
    + "\n".join(f"a{i} = a{i + 1} a{i + 1}" for i in range(40))
    + '\na40 = "x"',
    "IPv6address = " + "\x00\ud800\u202e",
    "IPv6address = <script>alert(1)</script>",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_productions_end_in_a_sentence(text: str) -> None:
    place = {"lesson": "write-addresses", "exercise": "ipv6", "step": "predict"}
    found = answered({"do": "answer", **place, "value": text})
    if "error" in found:
        assert found["error"]["code"] == "too-large"
        assert len(found["error"]["message"]) < 300
    else:
        assert not found["right"]
        made = found["written"]
        assert made["errors"] or made["too_much"] is not None or made["too_little"] is not None


BLOCKS = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
"""A lesson and parts of others, of the page on writing lessons."""


def test_the_page_on_writing_lessons_has_a_lesson_that_is_one() -> None:
    assert check_lesson(BLOCKS[0]) == []
    assert ask("lesson", source=BLOCKS[0])["lesson"]["number"] == 0


@pytest.mark.parametrize("shown", ["scheme", "area"])
def test_a_production_is_compared_with_a_teachers_grammar(shown: str) -> None:
    """Whether the grammar is that of the exercise, or of the lesson, which may show its rules."""
    lesson, plate = BLOCKS[0].partition("[[exercise]]")[0], BLOCKS[2]
    (abnf,) = re.findall(r'^abnf = """.*?"""\n', plate, re.M | re.S)
    if shown == "area":
        lesson = lesson.replace('productions = ["scheme"]', f'{abnf}productions = ["area"]')
        plate = plate.replace(abnf, "")
    source = lesson + plate
    assert check_lesson(source) == []
    productions = ask("lesson", source=source)["lesson"]["productions"]
    assert [one["name"] for one in productions] == [shown]
    asked = {"source": source, "exercise": "plate", "step": "predict"}
    assert ask("answer", **asked, value='plate = 1*3ALPHA "-" DIGIT *3DIGIT')["right"]
    found = ask("answer", **asked, value='plate = area [ "-" ] 1*4DIGIT')
    assert (found["right"], found["written"]["too_much"]) == (False, "a0")


def test_every_sign_of_a_production_is_explained_once() -> None:
    found = {one["sign"]: plain(one["words"]) for one in legend([EVERY])}
    assert list(found) == [
        *("=", "/", '"c"', "*", "1*", "*4", "2…", "[ … ]", "( … )", "%x31-39", "0<j>", "; …")
    ]
    assert found["%x31-39"] == "one character from 1 to 9"
    assert found['"c"'] == "this text itself; letters in upper or lower case"
    assert (found["1*"], found["*4"]) == ("at least once", "at most 4 times")
    hostile = '%xFFFFFFFFFFFF %x60 %x00-D7FF "' + "*" * 9_999
    assert [one["sign"] for one in legend([hostile])] == ["%x00-D7FF", "%xFFFFFFFFFFFF"]
    for lesson in bundled().values():
        shown = ask("lesson", lesson=lesson.id)["lesson"]
        assert bool(shown["legend"]) == bool(shown["productions"] or lesson.number >= 16)


def test_answers_cannot_be_guessed() -> None:
    """None of the rules of thumb of someone who does not read is right in 45 of 100 questions."""
    thumb, verdicts, count = Counter[str](), Counter[str](), 0
    for lesson in bundled():
        for exercise in exercises(lesson):
            for step in (one for one in exercise["steps"] if one.get("options")):
                right = judged(lesson, exercise["id"], step["step"], show=True)["answer"]["value"]
                lengths = [len(plain(one["label"])) for one in step["options"]]
                assert len(lengths) >= 3
                at = [one["value"] for one in step["options"]].index(right)
                count += 1
                thumb[f"at {at}"] += 1
                thumb["the last"] += at == len(lengths) - 1
                thumb["the longest"] += lengths[at] == max(lengths)
                if step["kind"] in ("verdict", "both"):
                    verdicts[right.split("-")[0]] += 1
    assert max(thumb.values()) < 0.45 * count
    assert max(verdicts.values()) < 0.45 * verdicts.total()


def test_a_seed_shuffles_the_options_and_nothing_else() -> None:
    def order(seed: int) -> list[list[str]]:
        return [
            [one["value"] for one in step["options"]]
            for exercise in ask("lesson", lesson="scheme", seed=seed)["lesson"]["exercises"]
            for step in exercise["steps"]
            if step.get("kind") == "choice"
        ]

    assert order(0) == order(0)
    assert len({json.dumps(order(seed)) for seed in range(6)}) > 1
    for one, other in zip(order(1), order(2), strict=True):
        assert sorted(one) == sorted(other)


@pytest.mark.parametrize(("lesson", "exercise", "box", "words"), beside(__file__, "wrong_boxes"))
def test_a_wrong_box_says_what_it_reads(lesson: str, exercise: str, box: str, words: str) -> None:
    assert plain(judged(lesson, exercise, "light", value=box)["message"]).startswith(words)


@pytest.mark.parametrize(("lesson", "exercise", "value", "named"), beside(__file__, "named"))
def test_a_misconception_is_named_only_to_who_may_have_it(
    lesson: str, exercise: str, value: object, named: bool
) -> None:
    """Not to who saw that something is missing, or blamed a character that comes before."""
    found = judged(lesson, exercise, "predict", value=value)
    assert bool(found["misconception"]) == named
    assert named or found["counterexample"] is None
    if (exercise, named) == ("two-groups", False):
        assert "It is right that the text is not valid." in plain(found["message"])


REVIEWED = [
    ("scheme", "underscore", "scheme"),
    ("ip-literal", "twice", "IPv6address"),
    ("write-productions", "dec-octet", "dec-octet"),
    ("your-own-language", "robot", "program"),
    ("reading-abnf", "nothing", "URI"),  # its own rule has no texts; those around it do
]


@pytest.mark.parametrize(("lesson", "exercise", "rule"), REVIEWED)
def test_a_question_comes_back_with_other_texts(lesson: str, exercise: str, rule: str) -> None:
    asked = {"lesson": lesson, "exercise": exercise, "seed": 0}
    again = ask("review", **asked)["exercise"]
    assert again["rule"] == rule
    [step] = again["steps"]
    assert rule in plain(step["question"])
    found = {one["value"]: ask("review", **asked, value=one["value"]) for one in step["options"]}
    assert sum(answer["right"] for answer in found.values()) == 1
    assert all(plain(answer["message"]) for answer in found.values())
    assert found[ask("review", **asked, show=True)["answer"]["value"]]["right"]
    assert ask("review", **asked)["exercise"] == again
    assert ask("review", **asked | {"seed": 1})["exercise"]["text"] != again["text"]
