"""Formats: the same texts from each of them, compressed or not, and what is broken in them.

Owns the tests of the readers, in the process of the test. Invariant of all: a row that can be read
has the number that it has in its file, whatever is broken before it.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scans import expected, parquet, rows, texts
from tiers import quick

from uriproof import Rule
from uriproof.cli.scan import FORMATS
from uriproof.data.scan import read
from uriproof.data.scan.read import _stream
from uriproof.data.scan.run import Options, Result, scan

VALUES = [*texts(300), "http://h/\u00e9", "http://h/\U0001f600", "", "http://h/\n", 'http://h/"a"']


class Run:
    """Scans of one test, and what they reported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "out.parquet"
        self.said: list[str] = []

    def __call__(self, *files: Path | str, column: str | None = None, **settings: Any) -> Result:
        self.said.clear()
        return scan(
            [str(file) for file in files],
            Rule(),
            Options(column=column, out=str(self.out), processes=1, **settings),
            notify=lambda words, _: self.said.append(words),
        )

    def write(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    @property
    def invalid(self) -> list[int]:
        """The rows of the output, each once."""
        return sorted({row["row"] for row in rows(self.out)})


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def as_csv(values: list[str], delimiter: str = ",") -> bytes:
    import csv
    import io

    made = io.StringIO()
    writer = csv.writer(made, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["id", "url"])
    writer.writerows(enumerate(values))
    return made.getvalue().encode()


def as_json(values: list[str]) -> bytes:
    lines = [json.dumps({"id": i, "url": value}) for i, value in enumerate(values)]
    return "\n".join(lines).encode()


def record(uri: bytes | None, body: bytes = b"<html>", length: int | None = None) -> bytes:
    field = b"" if uri is None else b"WARC-Target-URI: %s\r\n" % uri
    size = len(body) if length is None else length
    return b"WARC/1.1\r\nWARC-Type: response\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n" % (
        *(field, size, body),
    )


def as_warc(values: list[str]) -> bytes:
    return b"".join(record(value.encode()) for value in values)


def as_lines(values: list[str]) -> bytes:
    return "\r\n".join(values).encode()


def zstd(content: bytes) -> bytes:
    made: bytes = pa.compress(content, codec="zstd", asbytes=True)
    return made


PLAIN = [value for value in VALUES if value and "\n" not in value]
CASES: dict[str, tuple[Callable[[list[str]], bytes], list[str]]] = {
    "urls.csv": (as_csv, VALUES),
    "urls.tsv": (lambda values: as_csv(values, "\t"), VALUES),
    "urls.jsonl": (as_json, VALUES),
    "urls.warc": (as_warc, PLAIN),
    "urls.txt": (as_lines, PLAIN),
}
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".zst": zstd,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".lz4": lambda content: pa.compress(content, codec="lz4", asbytes=True),
}


def test_the_command_names_all_formats() -> None:
    assert sorted(FORMATS) == sorted(read.formats())


@pytest.mark.parametrize("ending", COMPRESSIONS)
@pytest.mark.parametrize("name", CASES)
def test_each_format_gives_the_same_texts(name: str, ending: str, run: Run) -> None:
    made, values = CASES[name]
    file = run.write(name + ending, COMPRESSIONS[ending](made(values)))
    result = run(file)
    assert run.said == []
    assert (result.counts.rows, result.counts.broken, result.unread) == (len(values), 0, 0)
    assert rows(run.out) == expected(str(file), values)


@pytest.mark.parametrize("name", quick(CASES))
def test_small_blocks_give_the_same(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stream, "_BLOCK", 200)
    monkeypatch.setattr(_stream, "_PIECE", 64)
    monkeypatch.setattr(_stream, "MOST_ROWS", 3)
    made, values = CASES[name]
    file = run.write(name, made(values))
    assert run(file).counts.rows == len(values)
    assert rows(run.out) == expected(str(file), values)


def test_parquet_of_other_types_of_text(run: Run) -> None:
    values = [*VALUES, None]
    for kind in (
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.dictionary(pa.int32(), pa.string()),
    ):
        column = pa.array([v if v is None else v.encode() for v in values], pa.binary())
        column = column if kind == pa.binary() else column.cast(pa.string()).cast(kind)
        pq.write_table(pa.table({"n": range(len(values)), "u": column}), run.folder / "a.parquet")
        result = run(run.folder / "a.parquet")
        assert (run.said, result.counts.null) == ([], 1), kind
        assert rows(run.out) == expected(str(run.folder / "a.parquet"), values), kind


def test_columns_within_others(run: Run) -> None:
    inner = [{"url": value} for value in VALUES]
    table = pa.table({"page": pa.array([*inner, None]), "page.title": ["x"] * (len(VALUES) + 1)})
    file = run.folder / "a.parquet"
    pq.write_table(table, file, row_group_size=100)
    assert run(file, column="page.url").counts.null == 1
    assert rows(run.out) == expected(str(file), VALUES)
    lines = [json.dumps({"page": one, "n": 1}) for one in [*inner, None]]
    file = run.write("a.jsonl", "\n".join(lines).encode())
    assert run(file).counts.null == 1
    assert rows(run.out) == expected(str(file), VALUES)


def test_broken_records_of_csv(run: Run) -> None:
    content = (
        b'id,url\r\n1,http://a/\r\n2,"http://b ""c""/"\r\n3,"x\r\ny",4\r\n4,\r\n\r\n'
        b'5,"http://\nb/"\r\n6\r\n7,http://a|/\r\n'
    )
    result = run(run.write("a.csv", content))
    assert (result.counts.rows, result.counts.null, result.counts.broken) == (6, 2, 2)
    ((row, why),) = result.broken.values()
    assert (row, why) == (2, "3 fields and 2 lines, and 2 fields are expected")
    assert run.invalid == [1, 5, 7]


def test_a_quotation_mark_without_an_end_breaks_one_record(run: Run) -> None:
    more = b"".join(b"%d,http://h|%d/\n" % (i, i) for i in range(3, 2_000))
    file = run.write("a.csv", b'id,url\n1,http://a/\n2,"http://b\n' + more)
    result = run(file)
    assert (result.counts.rows, result.counts.broken) == (1_998, 1)
    assert result.broken[str(file)] == (1, "a quotation mark that is not closed")
    assert run.invalid == list(range(2, 1_999))
    # Within a field it is a character as any other.
    run(run.write("b.csv", b'id,url\n5" disk,http://a/\n6,http://b|/\n'), column="url")
    assert run.invalid == [1]


def test_headers_of_csv(run: Run) -> None:
    run(run.write("a.csv", b"\xef\xbb\xbfid;url\n1;http://a/ b\n"))
    assert (run.said, run.invalid) == ([], [0])
    file = run.write("c.csv", b"")
    run(file)
    assert run.said == [f"{file}: it is empty; a header with the names of the columns is expected"]


LIKE_DATA = (
    "its first record looks like data ({}), so it is read as a row, and columns have numbers"
)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"1,http://a b/\n2,http://b/\n", "http://a b/"),
        (b"http://a b/\nhttp://b/\n", "http://a b/"),
        (b"1;urn:x\n2;urn:a b\n", "urn:x"),
        (b'1,"http://a b/"', "http://a b/"),
        (b"1\x01ftp://me:qzx42@h|/\r\n2\x01x:\r\n", "ftp://me:*****@h|/"),
        (b"1,http://|/,\xe9\n2,http://b/,\xff\n", "http://|/"),
    ],
)
def test_csv_without_a_header(content: bytes, shown: str, run: Run) -> None:
    number = "1" if content.startswith(b"http") else "2"
    file = run.write("a.csv", content)
    for column in (None, number) if content.count(b",") < 4 else (number,):
        counts = run(file, column=column).counts
        words = LIKE_DATA.format(shown)
        assert run.said == [f"{file}: {words}; if it is a header, use --header"]
        lines = content.count(b"\n") or 1
        assert (counts.rows, counts.invalid) == (lines, 1)
    known = run(file, column=number, header=False)
    assert (run.said, known.counts) == ([], counts)
    assert rows(run.out)[0]["row"] == (1 if shown == "urn:x" else 0)
    assert run(file, column=number, header=True).counts.rows == lines - 1
    assert run.said == []


def test_names_of_columns_that_could_be_data(run: Run) -> None:
    file = run.write("a.csv", b"og:url,n\nhttp://a b/,1\n")
    assert run(file).counts.rows == 1
    assert run.said == [f"{file}: its header could be data (og:url); if it is, use --no-header"]
    assert run(file, header=False, column="1").counts.rows == 2
    for column in ("og:url", "1"):
        assert run(file, column=column, header=True).counts.rows == 1
        assert run.said == []
    assert run(file, column="og:url").counts.rows == 1
    assert run.said == []
    plain = run.write("b.csv", b"time,a: b,url,url\n1,2,http://a b/,x\n")
    assert run(plain, column="3").counts.invalid == 1
    assert run.said == []
    run(plain, column="9")
    assert run.said[0].startswith(f"{plain}: no column '9'; ")
    plain = run.write("c.csv", b"2,1\nhttp://a b/,x:\n")  # a name comes before a number
    assert run(plain, column="2").counts.invalid == 1


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        (b"id;price, EUR;url\n1;2,50;http://a b/,\n2;3;http://b/\n", ";"),
        (b"id,url\n1,http://a b/?a=1;2;3\n2,http://b/|;\n", ","),
        (b"id|a,b|url\n1|2|http://a b/\n", "|"),
        (b'id,"a;b;c",url\n1,2,http://a b/\n', ","),
        (b"id\turl, of the page\n1\thttp://a b/\n", "\t"),
        (b"id\x01url\n1\x01http://a b/\n", "\x01"),
        (b"id^url\n1^http://a b/\n", "^"),
        (b'id;url;n\n1;http://a b/;"x\n;y"\n2;"http://b/";\n', ";"),
    ],
)
def test_delimiters(content: bytes, delimiter: str, run: Run) -> None:
    file = run.write("a.csv", content)
    column = next(n for n in content.decode().splitlines()[0].split(delimiter) if "url" in n)
    for given in (delimiter,) if delimiter == "^" else (None, delimiter):
        counts = run(file, column=column, delimiter=given).counts
        assert run.said == []
        assert counts.invalid == 1 + (b"|;" in content)
        assert run.invalid[0] == 0


@pytest.mark.prove
def test_line_ends_within_fields_whatever_the_delimiter(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are counted before they are read."""
    monkeypatch.setattr(_stream, "_BLOCK", 200)
    monkeypatch.setattr(_stream, "_PIECE", 64)
    for delimiter in ";|\t\x01":
        file = run.write("a.csv", as_csv(VALUES, delimiter))
        assert run(file).counts.rows == len(VALUES)
        assert rows(run.out) == expected(str(file), VALUES)


def test_records_that_cannot_be_read_first(run: Run) -> None:
    file = run.write("a.csv", b"x" * 200_000 + b",url\n1,http://a/\n")
    run(file)
    assert run.said == [f"{file}: its first record cannot be read: one of its fields is too long"]
    file = run.write("b.csv", b"\nurl\n")
    run(file)
    assert "its first line is blank" in run.said[0]
    file = run.write("c.txt", b"PK\x03\x04and so on")
    run(file)
    assert run.said == [f"{file}: a zip archive; unpack it first"]


def test_lines_of_json_that_are_broken(run: Run) -> None:
    lines = [
        b'{"u":"http://a/","n":1}',
        b'{"u":"http://b c/"}',
        b"",
        b'{"v":1}',
        b'{"u":5}',
        b"nope",
        b'{"u":null}',
        b'{"u":"\\ud800"}',
        b"[1]",
        b'{"u":"\xff"}',
        b"[" * 100_000,
    ]
    file = run.write("a.jsonl", b"\n".join(lines))
    result = run(file)
    counts = result.counts
    assert (counts.rows, counts.null, counts.broken, counts.invalid) == (6, 2, 5, 3)
    assert result.broken[str(file)] == (3, "no member 'u'")
    assert run.invalid == [1, 7, 9]
    assert rows(run.out)[-1]["text"] == "\ufffd"
    for line, why in (
        (b'{"u":5}', "expected text, not a number"),
        (b'{"u":{"v":1}}', "expected text, not an object"),
        (b"nope", "no JSON at character 0"),
        (b"[1]", "expected an object, not an array"),
    ):
        result = run(run.write("b.jsonl", b'{"u":"http://a/"}\n' + line))
        ((row, words),) = result.broken.values()
        assert (row, words) == (1, why)


def test_records_of_warc(run: Run) -> None:
    good = record(b"http://a/") + record(None) + record(b"<http://b c/>") + record(b"http://|/")
    result = run(run.write("a.warc", good))
    assert (result.counts.rows, result.counts.null, result.counts.broken) == (4, 1, 0)
    assert run.invalid == [2, 3]
    by_type = run(run.write("a.warc", good), column="warc-type")
    assert by_type.counts.invalid == 4
    members = b"".join(gzip.compress(record(b"http://%d|/" % i)) for i in range(50))
    assert run(run.write("b.warc.gz", members)).counts.invalid == 50
    wide = run.write("d.warc", record(b"http://a/", b"x" * 2_000_000) + record(b"http://|/"))
    run(wide)
    assert run.invalid == [1]


@pytest.mark.parametrize(
    ("middle", "length"),
    [
        (b"garbage\r\n\r\n", None),
        (b"", 3),
        (b"WARC/1.1\r\nWARC-Target-URI: http://|/\r\n\r\n", None),
        (b"WARC/1.1\r\n" + b"x" * 5_000 + b"\r\n\r\n", None),
    ],
)
def test_the_record_after_a_broken_one_is_found(
    middle: bytes, length: int | None, run: Run
) -> None:
    content = record(b"http://a/", length=length) + middle + record(b"http://|/")
    file = run.write("a.warc", content)
    result = run(file)
    assert (result.counts.rows, result.counts.broken, result.unread) == (2, 1, 0)
    assert result.broken[str(file)].row == 1
    assert run.invalid == [2]


def test_warc_that_is_cut_short(run: Run) -> None:
    whole = record(b"http://|1/") + record(b"http://|2/", b"x" * 100)
    file = run.write("a.warc", whole[:-54])
    assert run(file).unread == 1
    assert run.said == [f"{file}: its last record is cut short by 50 octets; copy it again"]
    assert run.invalid == [0, 1]
    file = run.write("b.warc", b"<html>" * 1_000)
    assert run(file).unread == 1
    assert run.said == [f"{file}: it does not begin as a WARC file; name another --input-format"]


@pytest.mark.parametrize("ending", [".gz", ".zst", ".bz2", ".xz", ".lz4"])
def test_what_is_before_the_cut_counts(ending: str, run: Run) -> None:
    lines = [f"http://h/{i * i * 7919 % 99991}{'' if i % 100 else '|'}" for i in range(60_000)]
    lines *= 2 if ending == ".bz2" else 1  # its blocks have 900,000 octets
    content = COMPRESSIONS[ending]("\n".join(lines).encode())
    file = run.write(f"a.txt{ending}", content[: len(content) * 2 // 3])
    result = run(file)
    assert result.unread == 1
    assert "copy or compress the file again" in run.said[0]
    assert 1_000 < result.counts.rows < len(lines)
    assert run.invalid == [i for i in range(result.counts.rows) if lines[i].endswith("|")]
    if result.counts.broken:
        assert result.broken[str(file)] == (result.counts.rows, "the file is cut short")


def test_gzip_in_several_members_and_corrupt(run: Run) -> None:
    members = gzip.compress(b"http://a/\nhttp://b|") + gzip.compress(b"/\nhttp://c|/\n") + bytes(9)
    assert run(run.write("a.txt.gz", members)).unread == 0
    assert run.invalid == [1, 2]
    assert run(run.write("b.txt.gz", gzip.compress(b"http://|/\n") + b"junk" * 9)).unread == 1
    assert "corrupt" in run.said[0]
    assert run.invalid == [0]


def test_a_line_without_end_is_broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stream, "LONGEST_RECORD", 2_000_000)
    monkeypatch.setattr(_stream, "_BLOCK", 500_000)
    content = b"http://a|/\n" + b"x" * 5_000_000 + b"\nhttp://b|/\n"
    result = run(run.write("a.txt", content))
    assert (result.counts.rows, result.counts.broken) == (2, 1)
    assert run.invalid == [0, 2]


def test_text_that_is_not_utf_8(run: Run) -> None:
    run(run.write("a.txt", b"http://\xff/\n\n \t\nhttp://a/\nhttp://me:pw@h|/"))
    found = [(row["row"], row["text"], row["start"]) for row in rows(run.out)]
    assert found == [(0, "http://\ufffd/", 7), (4, "http://me:**@h|/", 14)]
    file = run.write("b.txt", "http://a/".encode("utf-16"))
    assert run(file).unread == 1
    assert run.said == [f"{file}: UTF-16; convert it to UTF-8 first"]


def test_which_column(run: Run) -> None:
    table = {"url": ["http://|/"], "title": ["x"], "n": [1], "tags": [["x"]]}
    file = run.folder / "a.parquet"
    pq.write_table(pa.table(table), file)
    listed = "url (string), title (string), n (int64), tags (list<element: string>)"
    run(file)
    assert run.said == [
        f"{file}: several columns hold text; name one of them with --column: {listed}"
    ]
    run(file, column="urk")
    assert run.said == [f"{file}: no column 'urk'; did you mean url? columns: {listed}"]
    run(file, column="n")
    assert run.said == [
        f"{file}: the column 'n' holds int64, and text is needed; columns: {listed}"
    ]
    run(run.write("a.csv", b"url,title\nhttp://a/,x\n"))
    assert "several columns hold text" in run.said[0]
    run(run.write("b.csv", b"a,b\n1,2.5\n"))
    assert run.said[0].endswith("no column holds text: a (int64), b (double)")
    run(run.write("a.jsonl", b'{"a":1,"b":[true]}\n'))
    assert run.said[0].endswith("no column holds text: a (number), b (array)")
    run(run.write("a.txt", b"http://a/"), column="url")
    assert "plain text has no column 'url'" in run.said[0]


def test_a_broken_file_does_not_keep_the_next_from_being_read(run: Run) -> None:
    good = parquet(run.folder / "good.parquet", ["http://|/"])
    whole = good.read_bytes()
    cut = run.write("cut.parquet", whole[: len(whole) // 2])
    nothing = run.folder / "nothing.parquet"
    folder = run.folder / "empty"
    folder.mkdir()
    strange = run.write("urls.xyz", b"")
    result = run(cut, nothing, folder, strange, run.folder / "*.none", good)
    assert (result.unread, result.counts.rows) == (5, 1)
    assert f"{cut}: not a whole Parquet file" in run.said[0]
    assert run.said[1:] == [
        f"{nothing}: the file does not exist",
        f"{folder}: its name does not say its format: use --input-format",
        f"{strange}: its name does not say its format: use --input-format",
        f"{run.folder / '*.none'}: no file matches",
    ]


def test_a_corrupt_page_costs_its_row_group_alone(run: Run) -> None:
    file = run.folder / "a.parquet"
    values = [f"http://h/{i}|" for i in range(40_000)]
    table = pa.table({"url": values})
    pq.write_table(
        *(table, file), row_group_size=10_000, use_dictionary=False, data_page_size=20_000
    )
    chunk = pq.ParquetFile(file).metadata.row_group(2).column(0)
    content = bytearray(file.read_bytes())
    middle = chunk.data_page_offset + chunk.total_compressed_size // 2
    content[middle : middle + 2_000] = b"\xff" * 2_000
    file.write_bytes(content)
    result = run(file)
    assert result.unread == 1
    assert len(run.said) == 1
    said = f"{file}: row group 2, column url, from row 20,000 of the file on: corrupt: "
    assert run.said[0].startswith(said)
    assert run.said[0].endswith("; write that part of the file again")
    assert set(run.invalid) >= {*range(20_000), *range(30_000, 40_000)}


def test_hidden_files_and_folders_are_not_read(run: Run) -> None:
    table = run.folder / "table"
    for folder in ("day=1", "_temporary/0", ".git", "_delta_log", "day=1/.hid/x", "_day=2"):
        (table / folder).mkdir(parents=True)
        parquet(table / folder / "part-1.parquet", ["http://|/"])
    for name in ("_metadata.parquet", ".crc.parquet"):
        (table / "day=1" / name).write_bytes(b"x")
    read_ones = {str(table / day / "part-1.parquet") for day in ("day=1", "_day=2")}
    for names in (table, table / "**" / "*.parquet"):
        result = run(names, column="url")
        assert ({*result.counts.files}, run.said) == (read_ones, [])
    for names in (
        table / "_temporary",
        table / "_temporary" / "**" / "*.parquet",
        table / "_t*" / "0" / "*",
        table / ".git" / "part-1.parquet",
        table / ".g*" / "*",
    ):
        assert run(names, column="url").counts.rows == 1  # what is asked for is


def test_patterns_and_folders(run: Run) -> None:
    inside = run.folder / "data.parquet" / "day=1"
    inside.mkdir(parents=True)
    parquet(inside / "part-1.parquet", ["http://|/"])
    parquet(inside / "part-2.parquet", ["http://|/", "http://a/"])
    (inside / "_SUCCESS").write_bytes(b"")
    (inside / ".part-1.parquet.crc").write_bytes(b"x")
    for names in (
        [inside.parent],
        [run.folder / "**" / "part-*.parquet"],
        [inside / "part-?.parquet", inside / "part-1.parquet"],
    ):
        result = run(*names)
        assert (run.said, result.counts.rows, result.counts.invalid) == ([], 3, 2)
        assert len(result.counts.files) == 2


def test_texts_that_are_null_long_or_not_utf_8(run: Run) -> None:
    values = [*VALUES, None, "http://h/\0", "x" * 10_000]
    file = parquet(run.folder / "a.parquet", values, 100)
    run(file)
    assert rows(run.out) == expected(str(file), values)
    run(run.write("a.txt", b"http://\xff/\nhttp://a/\n"))
    assert run.invalid == [0]
