"""Spark's columns against ``check``, row by row: real Spark on two cores."""

from __future__ import annotations

import runpy
from collections import defaultdict
from collections.abc import Iterator, Sequence
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
if MISSING is None:
    from uriproof.data import for_pyspark as data
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
    found = given.select("n", data.is_valid(column, rule)).collect()
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
    held = Rule(rule, grammar=grammar)
    assert valid(many, held) == expected_valid(rows(), held)
    found = data.violations(many, "url", held, keep=["n"])
    assert found.columns == ["n", *FIELDS]
    lists = enumerate(expected(rows(), "violations", held))
    assert by_row(found) == {n: [(*one.values(),) for one in each] for n, each in lists if each}
    parts = many.select("n", data.components("url", held).alias("of")).orderBy("n").collect()
    assert [plain(row.of) for row in parts] == expected(rows(), "components", held)


def test_verdicts_are_made_without_python(frame: Any) -> None:
    given = frame("http://a/")
    assert "Python" not in plan(given.select(data.is_valid("url")))
    assert "Arrow" not in plan(given.select(data.is_valid("url")))
    failing = plan(data.violations(given, "url"))
    assert "MapInArrow" in failing
    assert "RLIKE" in failing[failing.index("Filter") :]


LINKS = ("ldap://h/", "ldap:x", None, "http://h/?a=1&b", "http://h/?a=1")
ODD = ["", "\x00", "http://h/\x00", "http://h/\n", "http://h/\r\n", "\ufeffhttp://h/"]
ODD += ["http://h/\U0001f600", "http://h/e\u0301", "http://h/\u2028", "http://\u0130/"]
PAIR = Grammar.from_abnf('pair = key "=" key\nkey = 1*%x61-7A\n')["pair"]
NEST = Grammar.from_abnf('nest = "(" *nest ")"\n')["nest"]
# Java's expressions may take stack for each repetition: 100 kB and 1 MB of them.
LOOPS = ["x", "%20", "x%20", "/", "a/", "?", "&a=1"]
LONG = [f"http://h/?{piece * (100_000 // len(piece))}" for piece in LOOPS]
LONG += [f"{start}{'x' * 100_000}" for start in ("", "http://", "http://u:", "http://[v1.")]
LONG += ["http://" + "a." * 50_000, "x" * 100_000 + ":", "http://h/" + "%41a" * 250_000]


@pytest.mark.parametrize(
    ("rule", "texts", "in_java"),
    [
        (Rule(), ODD, True),
        (Rule("IRI", grammar="rfc3987"), ODD, True),
        (Rule(), [*LONG, *(f"{text} " for text in LONG)], True),
        (Rule("hostname", grammar="rfc2396"), ("a." * 50_000, "a." * 50_000 + "-"), False),
        (Rule(schemes=True), LINKS, False),
        (Rule(query="key-value"), LINKS, False),
        (PAIR, ("a=b", "a=1", "ab"), True),
        (NEST, ("(()())", "(()", None), False),
    ],
)
def test_verdicts_of_java_and_of_python(
    frame: Any, rule: Rule, texts: Sequence[str | None], in_java: bool
) -> None:
    assert (data.java_pattern(rule) is not None) is in_java
    given = frame(*texts)
    wanted = [None if text is None else rule.is_valid(text) for text in texts]
    assert valid(given, rule) == wanted
    assert ("Arrow" in plan(given.select(data.is_valid("url", rule)))) is not in_java
    if max(len(text or "") for text in texts) < 100:
        invalid = {n for n, verdict in enumerate(wanted) if verdict is False}
        assert set(by_row(data.violations(given, "url", rule))) == invalid


def test_bytes_that_are_no_utf_8_are_no_characters(spark: Any, tmp_path: Path) -> None:
    texts = [b"http://h/\xff", b"http://h/\xc3\xa9", b"http://h/\xed\xa0\x80x"]
    (tmp_path / "urls.txt").write_bytes(b"\n".join(texts))
    given = spark.read.text(str(tmp_path)).selectExpr("0 n", "value url")
    assert valid(given, Rule("IRI", grammar="rfc3987")) == [False, True, False]
    any_text = Grammar.from_abnf("any = *%x0-10FFFF\n")
    assert valid(given, Rule("any", grammar=any_text)) == [False, True, False]
    found = data.violations(given, "url", Rule("IRI", grammar="rfc3987"), keep=[]).collect()
    assert [(row.start, row.code) for row in found] == [(9, "path-illegal")] * 2


def test_a_collation_of_the_column_changes_nothing(frame: Any) -> None:
    """Without regard to case, the long s is a letter of ASCII."""
    given = frame("\u017f:x", "s:x").selectExpr("n", "url COLLATE UTF8_LCASE url")
    assert valid(given) == [False, True]


def test_kept_columns_and_their_types(spark: Any) -> None:
    given = spark.sql(
        "SELECT 'http://h/a b c' url, 1L id, array('x') tags, struct(2 a, 'é' b) s, "
        "map('k', 1.5D) m, date'2024-01-02' day, CAST(NULL AS STRING) none, 1.25BD price"
    )
    found = data.violations(given, "url").collect()
    assert [(row.start, row.end) for row in found] == [(10, 11), (12, 13)]
    assert {tuple(map(str, row[: len(given.columns)])) for row in found} == {
        tuple(map(str, given.first()))
    }
    assert data.violations(given, "url", keep=["price"]).columns == ["price", *FIELDS]


def test_a_text_with_many_violations_is_written_in_several_batches(frame: Any) -> None:
    found = data.violations(frame("http://h/" + "a " * 20_000), "url")
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
    given = frame("http://h/a b").withColumnRenamed("n", "end")
    with pytest.raises(ValueError, match="keep: a violation has a field 'end' itself"):
        data.violations(given, "url")
    assert data.violations(given, "url", keep=["url"]).count() == 1


def test_wrong_columns_are_named(frame: Any) -> None:
    from pyspark.errors import AnalysisException

    given = frame("http://h/")
    with pytest.raises(AnalysisException, match="urls"):
        given.select(data.is_valid("urls"))
    calls = (
        lambda: given.select(data.is_valid("n")),
        lambda: data.violations(given, "n"),
        lambda: given.select(data.components("n")),
    )
    for call in calls:
        with pytest.raises(AnalysisException, match=r'"n" has the type "INT"'):
            call()
    with pytest.raises(TypeError, match="column"):
        data.is_valid(3)  # type: ignore[arg-type]


def test_a_name_with_a_dot(frame: Any) -> None:
    given = frame("http://h/", "h i").selectExpr("n", "struct(url) page", "url `a.b`")
    assert valid(given, column="page.url") == [True, False]
    assert valid(given, column=given["page"]["url"]) == [True, False]
    assert given.filter(~data.is_valid("`a.b`")).count() == 1


def test_columns_of_texts(many: Any) -> None:
    options = {"fixed": "", "normalized": "host", "parameter": "q", "component": "host"}
    made = (
        data.fixed("url").alias("fixed"),
        data.normalized("url", "host").alias("normalized"),
        data.parameter("url", "q").alias("parameter"),
        data.component("url", "host").alias("component"),
    )
    found = many.select("n", *made).orderBy("n").collect()
    for name, option in options.items():
        assert [row[name] for row in found] == expected(rows(), name, Rule(), option), name


@pytest.mark.parametrize("rule", [Rule(), Rule("URI", schemes=True)], ids=["URI", "schemes"])
def test_functions_of_sql(spark: Any, many: Any, rule: Rule) -> None:
    texts = rows()[:1_000]
    data.register(spark, rule, prefix="t_")
    data.register(spark, rule, prefix="t_")  # again: they are replaced
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
