"""The counts of a scan: exact, in whatever order chunks come, bounded, and the same after JSON.

Owns the tests of ``data.scan.summary``. Invariant: what is expected is counted here once more, in
the plainest way.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scans import counted

from uriproof import Rule
from uriproof.data.scan import summary
from uriproof.data.scan.summary import MOST_EXAMPLES, Counts, Example, OfFile

RULE = Rule()
TEXTS = (
    "http://a b/",
    "http://h/%zz?[x]#a#b",
    "//h/",
    "ftp://me:secret@h/a b",
    "http://H/[",
    "1x:",
    "http://[::1",
)


CHUNKS = st.builds(
    counted,
    st.lists(st.sampled_from([*TEXTS, None, "http://valid/", ""]), max_size=6),
    st.sampled_from(["a.parquet", "b.txt", "ü\udce9.csv"]),
    st.integers(0, 10**12),
    st.integers(0, 3),
)


def total(chunks: Sequence[Counts]) -> Counts:
    whole = Counts()
    for chunk in chunks:
        whole.add(chunk)
    return whole


@given(st.lists(CHUNKS, max_size=6), st.randoms(use_true_random=False))
def test_chunks_add_up_in_any_order_and_any_grouping(chunks: list[Counts], random: Random) -> None:
    whole = total(chunks)
    shuffled = random.sample(chunks, len(chunks))
    cut = random.randint(0, len(chunks))
    assert total(shuffled) == whole
    assert total([total(chunks[:cut]), total(chunks[cut:])]) == whole


@given(st.lists(CHUNKS, max_size=4))
def test_json_and_pickle_give_back_what_they_were_given(chunks: list[Counts]) -> None:
    whole = total(chunks)
    assert Counts.from_dict(json.loads(json.dumps(whole.to_dict()))) == whole
    assert pickle.loads(pickle.dumps(whole)) == whole  # noqa: S301 -- its own
    assert json.loads(json.dumps(whole.to_dict())) == json.loads(
        json.dumps(Counts.from_dict(whole.to_dict()).to_dict())
    )


def test_what_is_counted_is_what_check_reports() -> None:
    texts = [*TEXTS * 3, None, None, "http://valid/"]
    counts = counted(texts, broken=4)
    found = [v for t in texts if t is not None for v in RULE.check(t).violations]
    assert counts.files == {"urls.txt": OfFile(len(texts), 2, len(TEXTS) * 3, 4)}
    assert counts.components == Counter(v.component for v in found)
    assert counts.productions == Counter(v.production for v in found)
    assert counts.codes == Counter(v.code for v in found)
    assert counts.violations == len(found)
    assert counts.hosts["h"] == 4 * 3
    assert counts.share == 21 / 24


def test_examples_are_the_first_rows_whatever_the_order_of_chunks() -> None:
    rows = [9, 2, 40, 7, 1, 30]
    chunks = [counted(["http://a b/"], "a.txt", row) for row in rows]
    chunks.append(counted(["http://a b/"], "0.txt", 99))
    for order in (chunks, chunks[::-1]):
        kept = total(order).examples["host-illegal"]
        assert [(e.file, e.row) for e in kept] == [("0.txt", 99), ("a.txt", 1), ("a.txt", 2)]
        assert len(kept) == MOST_EXAMPLES


def test_an_example_marks_what_its_code_blames() -> None:
    counts = counted(["ftp://me:secret@h/a b?[x]"], "a.txt")
    (path,), (query,) = counts.examples["path-illegal"], counts.examples["query-illegal"]
    assert path.text == query.text == "ftp://me:******@h/a b?[x]"
    assert (path.spans, query.spans) == (((19, 20),), ((22, 23), (24, 25)))
    assert "secret" not in json.dumps(counts.to_dict())


@pytest.mark.parametrize("at", [0, 50, 200, 5_000, 99_990, 99_999])
def test_a_long_example_is_an_excerpt_round_the_first_violation(at: int) -> None:
    text = "a" * at + "[" + "a" * (100_000 - at - 1)
    made = Example.of("f", 0, text, [(at, at + 1)])
    assert len(made.text) == 400
    assert made.length == len(text)
    ((start, end),) = made.spans
    assert made.text[start:end] == "["
    assert text[made.first : made.first + 400] == made.text


def test_a_violation_past_the_excerpt_is_not_marked_in_it() -> None:
    made = Example.of("f", 0, "[" + "a" * 399 + "[" * 600, [(0, 1), (400, 1000)])
    assert made.spans == ((0, 1),)
    end = Example.of("f", 0, "a" * 1000, [(1000, 1000)])
    assert end.spans == ((400, 400),)


def test_hosts_are_bounded_and_then_lower_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MOST_HOSTS", 10)
    random = Random(3)  # noqa: S311 -- the same each time
    true: Counter[str] = Counter()
    whole = Counts()
    for _ in range(40):
        hosts = random.choices(range(60), [1 / (i + 1) for i in range(60)], k=50)
        chunk = Counts(hosts=Counter(f"h{host}" for host in hosts))
        true.update(f"h{host}" for host in hosts)
        whole.add(chunk)
        assert len(whole.hosts) <= 10
    assert whole.missed > 0
    for host, number in true.items():
        assert whole.hosts[host] <= number <= whole.hosts[host] + whole.missed
    assert [h for h, _ in whole.hosts.most_common(2)] == [h for h, _ in true.most_common(2)]


def test_hosts_that_are_all_kept_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "MOST_HOSTS", 3)
    counts = total([Counts(hosts={"A": 1, "b": 2}), Counts(hosts={"a": 1, "c": 1})])
    assert (counts.hosts, counts.missed) == ({"a": 2, "b": 2, "c": 1}, 0)


def test_a_host_without_end_is_cut() -> None:
    counts = Counts(hosts={"A" * 10**6: 1})
    assert list(counts.hosts) == ["a" * 500 + "…"]
    assert Counts.from_dict(counts.to_dict()) == counts
