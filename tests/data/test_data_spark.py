"""Spark's columns against ``check``, row by row: real Spark on two cores."""

from __future__ import annotations

import runpy
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rows import ROWS, expected, expected_valid, rows
from spark import missing, session

from uriproof import Grammar, Rule
from uriproof.data.explain import FIELDS
from uriproof.workbench.export import export

ROOT = Path(__file__).parent.parent.parent
MISSING = missing()
pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
    # What Spark says to pandas, and what it leaves open when it stops.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with session() as found:
        yield found


@pytest.fixture(scope="module")
def many(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows of all engines, with their numbers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = rows()
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    table = pa.table({"n": pa.array(range(len(texts)), pa.int64()), "url": pa.array(texts)})
    pq.write_table(table, path, row_group_size=ROWS // 4)
    return spark.read.parquet(str(path)).repartition(4).cache()


@pytest.fixture
def frame(spark: Any) -> Any:
    """A frame of the texts that are given, with their numbers."""

    def made(*texts: str | bytes | None) -> Any:
        kind = "binary" if bytes in map(type, texts) else "string"
        return spark.createDataFrame(list(enumerate(texts)), f"n int, url {kind}")

    return made


def valid(given: Any, rule: str | Rule = "URI", *, column: Any = "url") -> list[bool | None]:
    from uriproof.data.for_pyspark import is_valid

    found = given.select("n", is_valid(column, rule)).collect()
    return [verdict for _, verdict in sorted(found, key=lambda row: row.n)]


def plain(value: Any) -> Any:
    """A value of Spark, with dictionaries for structs."""
    if isinstance(value, list):
        return [one.asDict() for one in value]
    return value.asDict() if hasattr(value, "asDict") else value


def by_row(found: Any) -> dict[int, list[tuple[Any, ...]]]:
    """The violations, by the number of the row."""
    lists = defaultdict(list)
    for row in found.collect():
        lists[row.n].append(tuple(row[name] for name in FIELDS))
    return dict(lists)


def plan(frame: Any) -> str:
    """What Spark is going to do."""
    text: str = frame._jdf.queryExecution().executedPlan().toString()
    return text


@pytest.mark.parametrize(
    ("rule", "grammar"),
    [("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IRI", "rfc3987"), ("host", "rfc3986")],
)
def test_every_row_is_answered_as_check_does(many: Any, rule: str, grammar: str) -> None:
    from uriproof.data.for_pyspark import components, violations

    held = Rule(rule, grammar=grammar)
    assert valid(many, held) == expected_valid(rows(), held)
    found = violations(many, "url", held, keep=["n"])
    assert found.columns == ["n", *FIELDS]
    lists = enumerate(expected(rows(), "violations", held))
    assert by_row(found) == {n: [(*one.values(),) for one in each] for n, each in lists if each}
    parts = many.select("n", components("url", held).alias("of")).orderBy("n").collect()
    assert [plain(row.of) for row in parts] == expected(rows(), "components", held)


def test_verdicts_are_made_without_python(frame: Any) -> None:
    from uriproof.data.for_pyspark import is_valid, violations

    given = frame("http://a/")
    assert "Python" not in plan(given.select(is_valid("url")))
    assert "Arrow" not in plan(given.select(is_valid("url")))
    failing = plan(violations(given, "url"))
    assert "MapInArrow" in failing
    assert "RLIKE" in failing[failing.index("Filter") :]


def test_what_java_cannot_say_is_said_by_python(frame: Any) -> None:
    from uriproof.data.for_pyspark import is_valid, violations

    given = frame("ldap://h/", "ldap:x", None, "http://h/?a=1&b", "http://h/?a=1")
    assert valid(given, Rule(schemes=True)) == [True, False, None, True, True]
    assert valid(given, Rule(query="key-value")) == [True, True, None, False, True]
    assert "Arrow" in plan(given.select(is_valid("url", Rule(schemes=True))))
    assert set(by_row(violations(given, "url", Rule(query="key-value")))) == {3}
    assert set(by_row(violations(given, "url", Rule(schemes=True)))) == {1}


def test_a_grammar_of_ones_own_is_sent_along(frame: Any) -> None:
    from uriproof.data.for_pyspark import violations

    own = Grammar.from_abnf('pair = key "=" key\nkey = 1*%x61-7A\n')
    given = frame("a=b", "a=1", "ab")
    assert valid(given, Rule("pair", grammar=own)) == [True, False, False]
    found = by_row(violations(given, "url", Rule("pair", grammar=own)))
    assert {n: [of[:2] for of in several] for n, several in found.items()} == {
        1: [(2, 3)],
        2: [(2, 2)],
    }


def test_nested_rules_go_through_python(frame: Any) -> None:
    own = Grammar.from_abnf('nest = "(" *nest ")"\n')
    assert valid(frame("(()())", "(()", None), Rule("nest", grammar=own)) == [True, False, None]


def test_long_texts_do_not_overflow_the_stack(frame: Any) -> None:
    """Java's expressions may take stack for each repetition: 100 kB and 1 MB of them."""
    loops = ["x", "%20", "x%20", "/", "a/", "?", "&a=1"]
    texts = [f"http://h/?{piece * (100_000 // len(piece))}" for piece in loops]
    texts += [f"{start}{'x' * 100_000}" for start in ("", "http://", "http://u:", "http://[v1.")]
    texts += ["http://" + "a." * 50_000, "x" * 100_000 + ":", "http://h/" + "%41a" * 250_000]
    texts += [text + " " for text in texts]
    held = Rule()
    assert valid(frame(*texts)) == [held.is_valid(text) for text in texts]


def test_a_rule_that_would_overflow_the_stack_goes_through_python(frame: Any) -> None:
    from uriproof.data.for_pyspark import java_pattern

    held = Rule("hostname", grammar="rfc2396")
    assert held.pattern("java") is not None
    assert java_pattern(held) is None
    texts = ["a." * 50_000, "a." * 50_000 + "-"]
    assert valid(frame(*texts), Rule("hostname", grammar="rfc2396")) == [True, False]


def test_odd_characters(frame: Any) -> None:
    texts = ["", "\x00", "http://h/\x00", "http://h/\n", "http://h/\r\n", "\ufeffhttp://h/"]
    texts += ["http://h/\U0001f600", "http://h/e\u0301", "http://h/\u2028", "http://\u0130/"]
    for rule, grammar in (("URI", "rfc3986"), ("IRI", "rfc3987")):
        held = Rule(rule, grammar=grammar)
        assert valid(frame(*texts), Rule(rule, grammar=grammar)) == list(held.are_valid(texts))


def test_bytes_that_are_no_utf_8_are_no_characters(spark: Any, tmp_path: Path) -> None:
    from uriproof.data.for_pyspark import violations

    texts = [b"http://h/\xff", b"http://h/\xc3\xa9", b"http://h/\xed\xa0\x80x"]
    (tmp_path / "urls.txt").write_bytes(b"\n".join(texts))
    given = spark.read.text(str(tmp_path)).selectExpr("0 n", "value url")
    assert valid(given, Rule("IRI", grammar="rfc3987")) == [False, True, False]
    any_text = Grammar.from_abnf("any = *%x0-10FFFF\n")
    assert valid(given, Rule("any", grammar=any_text)) == [False, True, False]
    found = violations(given, "url", Rule("IRI", grammar="rfc3987"), keep=[]).collect()
    assert [(row.start, row.code) for row in found] == [(9, "path-illegal")] * 2


def test_a_collation_of_the_column_changes_nothing(frame: Any) -> None:
    """Without regard to case, the long s is a letter of ASCII."""
    given = frame("\u017f:x", "s:x").selectExpr("n", "url COLLATE UTF8_LCASE url")
    assert valid(given) == [False, True]


def test_kept_columns_and_their_types(spark: Any) -> None:
    from uriproof.data.for_pyspark import violations

    given = spark.sql(
        "SELECT 'http://h/a b c' url, 1L id, array('x') tags, struct(2 a, 'é' b) s, "
        "map('k', 1.5D) m, date'2024-01-02' day, CAST(NULL AS STRING) none, 1.25BD price"
    )
    found = violations(given, "url").collect()
    assert [(row.start, row.end) for row in found] == [(10, 11), (12, 13)]
    assert {tuple(map(str, row[: len(given.columns)])) for row in found} == {
        tuple(map(str, given.first()))
    }
    assert violations(given, "url", keep=["price"]).columns == ["price", *FIELDS]


def test_a_text_with_many_violations_is_written_in_several_batches(frame: Any) -> None:
    from uriproof.data.for_pyspark import violations

    found = violations(frame("http://h/" + "a " * 20_000), "url")
    assert found.count() == 20_000
    assert found.selectExpr("max(length(url)) most").collect()[0].most == 40_009


def test_a_job_of_other_files_or_options_is_refused(spark: Any, tmp_path: Path) -> None:
    """The example of a job, in this session: its rest is tested as it is submitted."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    job = runpy.run_path(str(ROOT / "examples" / "spark_job.py"))["main"]
    pq.write_table(pa.table({"url": ["http://h/", "http://h/a b"]}), tmp_path / "in.parquet")
    given = ["--input", str(tmp_path / "in.parquet"), "--column", "url", "--output"]
    given.append(str(tmp_path / "out"))
    assert job(given) == 1
    assert job(given) == 1  # there is nothing left to do
    with pytest.raises(SystemExit, match="was of other files or options"):
        job([*given, "--rule", "URI-reference"])


def test_names_that_clash_are_refused(frame: Any) -> None:
    from uriproof.data.for_pyspark import violations

    given = frame("http://h/a b").withColumnRenamed("n", "end")
    with pytest.raises(ValueError, match="keep: a violation has a field 'end' itself"):
        violations(given, "url")
    assert violations(given, "url", keep=["url"]).count() == 1


def test_wrong_columns_are_named(frame: Any) -> None:
    from pyspark.errors import AnalysisException

    from uriproof.data.for_pyspark import components, is_valid, violations

    given = frame("http://h/")
    with pytest.raises(AnalysisException, match="urls"):
        given.select(is_valid("urls"))
    with pytest.raises(AnalysisException, match=r'"n" has the type "INT"'):
        given.select(is_valid("n"))
    with pytest.raises(AnalysisException, match=r'"n" has the type "INT"'):
        violations(given, "n")
    with pytest.raises(AnalysisException, match=r'"n" has the type "INT"'):
        given.select(components("n"))
    with pytest.raises(TypeError, match="column"):
        is_valid(3)  # type: ignore[arg-type]


def test_a_name_with_a_dot(frame: Any) -> None:
    from uriproof.data.for_pyspark import is_valid

    given = frame("http://h/", "h i").selectExpr("n", "struct(url) page", "url `a.b`")
    assert valid(given, column="page.url") == [True, False]
    assert valid(given, column=given["page"]["url"]) == [True, False]
    assert given.filter(~is_valid("`a.b`")).count() == 1


def test_columns_of_texts(many: Any) -> None:
    from uriproof.data.for_pyspark import component, fixed, normalized, parameter

    options = {"fixed": "", "normalized": "host", "parameter": "q", "component": "host"}
    made = (
        fixed("url").alias("fixed"),
        normalized("url", "host").alias("normalized"),
        parameter("url", "q").alias("parameter"),
        component("url", "host").alias("component"),
    )
    found = many.select("n", *made).orderBy("n").collect()
    for name, option in options.items():
        assert [row[name] for row in found] == expected(rows(), name, Rule(), option), name


@pytest.mark.parametrize("rule", [Rule(), Rule("URI", schemes=True)], ids=["URI", "schemes"])
def test_functions_of_sql(spark: Any, many: Any, rule: Rule) -> None:
    from uriproof.data.for_pyspark import register

    texts = rows()[:1_000]
    register(spark, rule, prefix="t_")
    register(spark, rule, prefix="t_")  # again: they are replaced
    many.filter("n < 1000").createOrReplaceTempView("some")
    options = {"is_valid": "", "violations": "", "components": "", "fixed": ""}
    options |= {"normalized": "scheme", "parameter": "q"}
    values = {"parameter": ", 'q'"}
    columns = ", ".join(f"t_{name}(url{values.get(name, '')}) AS {name}" for name in options)
    found = spark.sql(f"SELECT {columns} FROM some ORDER BY n").collect()  # noqa: S608
    for name, option in options.items():
        wanted = expected(texts, name, rule, option)
        assert [plain(row[name]) for row in found] == wanted, name
    if not rule.schemes:
        told = plan(spark.sql("SELECT url FROM some WHERE NOT t_is_valid(url)"))
        assert "RLIKE" in told
        assert "Arrow" not in told


def test_an_exported_function_of_sql(spark: Any, many: Any) -> None:
    many.createOrReplaceTempView("every")
    for rule in (Rule(), Rule("URI-reference"), Rule("IRI", grammar="rfc3987")):
        script = export(rule.grammar.compiled, rule.name, "spark-sql")
        name = f"{rule.name.lower().replace('-', '_')}_is_valid"
        spark.sql(script.strip().rstrip(";"))
        found = spark.sql(f"SELECT n, {name}(url) AS v FROM every ORDER BY n")  # noqa: S608
        assert [row.v for row in found.collect()] == expected_valid(rows(), rule)
