"""``scan --engine spark`` against the engine of Arrow, which reads the files in another way."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rows import rows
from spark import missing, session

from uriproof import Rule
from uriproof.data.scan.read import Unreadable

MISSING = missing()
pytestmark = [
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

SOME = 3_000


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    # Files of some 100 kB are divided, as large ones are.
    with session(**{"spark.sql.files.maxPartitionBytes": "40000"}) as found:
        yield found


def texts() -> list[str | None]:
    return [*rows()[:SOME], "http://me:secret@h/a b"]


def one_line() -> list[str]:
    return [(text or "").replace("\n", "").replace("\r", "") for text in texts()]


def parquet(folder: Path) -> tuple[list[Path], str | None]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    first, second = folder / "a b é%20[1].parquet", folder / "second.parquet"
    inner = pa.StructArray.from_arrays([pa.array(texts())], ["the.url"])
    pq.write_table(pa.table({"id": range(len(inner)), "page": inner}), first, row_group_size=1_000)
    pq.write_table(pa.table({"id": range(3), "page": inner[:3]}), second)
    return [first, second], "page.the.url"


def lines(folder: Path) -> tuple[list[Path], str | None]:
    path = folder / "urls.txt"
    octets = "\n".join(one_line()).encode()
    path.write_bytes(octets + b"\nhttp://h/\r\n \t\nhttp://h/\xff\r\r\n\n")
    return [path], None


def compressed(folder: Path) -> tuple[list[Path], str | None]:
    path = folder / "urls.txt.gz"
    path.write_bytes(gzip.compress("\n".join(one_line()).encode()))
    return [path, *lines(folder)[0]], None


def json_lines(folder: Path) -> tuple[list[Path], str | None]:
    path = folder / "pages.jsonl"
    good = [json.dumps({"id": i, "page": {"u'rl": text}}) for i, text in enumerate(texts())]
    odd = ['{"page":{"u\'rl":3}}', '{"page":', "", '{"page":{}}', "[1]", '{"page":{"u\'rl":""}}']
    path.write_text("\n".join([*good[:9], *odd, *good[9:]]), encoding="utf-8")
    return [path], "page.u'rl"


def records(folder: Path) -> tuple[list[Path], str | None]:
    path = folder / "pages.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["id", "the url"])
        # Spark's reader of CSV leaves out U+0000.
        writer.writerows(enumerate(text for text in texts() if text and "\x00" not in text))
        stream.write('1\n2,3,4\n5,http://h/\n6,\n7,"http://h/ ""\\"\n')
    return [path], "the url"


def by_arrow(paths: Sequence[Path], column: str | None, out: Path) -> Any:
    from uriproof.data.scan.run import Options, scan

    given = Options(column=column, out=str(out))
    return scan([str(path) for path in paths], Rule(), given, notify=lambda _: None).counts


def written(out: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    found = pq.read_table(out).to_pylist()
    return sorted(found, key=lambda of: (of["file"], of["row"], of["start"], of["end"]))


@pytest.mark.parametrize("made", [parquet, lines, compressed, json_lines, records])
def test_spark_finds_what_arrow_finds(
    spark: Any, tmp_path: Path, made: Callable[[Path], tuple[list[Path], str | None]]
) -> None:
    from uriproof.data.scan.on_spark import scan_on_spark

    paths, column = made(tmp_path)
    out = tmp_path / "by spark"
    counts = scan_on_spark([*map(str, paths)], column, None, Rule(), str(out), 2)
    assert counts.to_dict() == by_arrow(paths, column, tmp_path / "arrow.parquet").to_dict()
    assert counts.invalid > SOME // 10
    assert written(out) == written(tmp_path / "arrow.parquet")
    assert "secret" not in str(written(out)[-1:]) + str(counts.to_dict())


def test_without_output_and_with_scheme_rules(spark: Any, tmp_path: Path) -> None:
    from uriproof.data.scan.on_spark import scan_on_spark

    path = tmp_path / "urls.txt"
    path.write_text("ldap:x\nldap://h/\nhttp://h/a b\n\n")
    counts = scan_on_spark([str(path)], None, None, Rule(schemes=True), None, 1)
    assert (counts.rows, counts.null, counts.invalid, counts.violations) == (4, 1, 2, 2)
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_read_is_told(spark: Any, tmp_path: Path) -> None:
    from uriproof.data.scan.on_spark import scan_on_spark

    paths, _ = parquet(tmp_path)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(paths[0].read_bytes()[:-100])
    there = tmp_path / "there"
    there.mkdir()
    cases: list[tuple[tuple[list[str], str | None, str | None, str | None], str]] = [
        ((["-"], None, "text", None), "does not read standard input"),
        ((["a.warc.gz"], None, None, None), "does not read warc"),
        ((["a.txt", "b.csv"], None, None, None), "one format"),
        (([str(paths[0])], "id", None, None), "'id' holds bigint, and text is needed"),
        (([str(paths[0])], "page.url", None, None), "no column 'page.url'"),
        (([str(tmp_path / "none.parquet")], None, None, None), r"none\.parquet"),
        (([str(broken)], None, None, None), r"broken\.parquet"),
        (([str(paths[0])], "page.the.url", None, str(there)), "there already"),
    ]
    for (given, column, format, out), words in cases:
        with pytest.raises(Unreadable, match=words):
            scan_on_spark(given, column, format, Rule(), out, 1)
    assert [*there.iterdir()] == []
