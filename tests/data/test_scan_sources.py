"""What a scan reads: formats, columns, places, and files that are broken in every way.

Owns the tests of ``data.scan.sources``. Invariant of all: texts are those of the file, whatever
format, compression or place they come from, and what cannot be read is one sentence.
"""

from __future__ import annotations

import bz2
import gzip
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import Run
from scans import command, environment, expected, parquet, rows, texts
from tables import beside

from uriproof import Rule
from uriproof.data.scan import Options, sources
from uriproof.data.scan.results import Counts, OfFile
from uriproof.data.scan.run import scan


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(*names: str, **options: Any) -> tuple[list[tuple[int, str]], Counts]:
    """The rows and texts of violations, each once, and the result."""
    result = scan(names, Rule(), Options(**options, output="o.parquet"))
    pairs = [(row["row"], row["text"]) for row in rows(Path("o.parquet"))]
    return list(dict.fromkeys(pairs)), result


def _zstd(octets: bytes, kind: str = "zstd") -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(octets)
    return bytes(sink.getvalue())


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": _zstd,
    ".lz4": lambda octets: _zstd(octets, "lz4"),
}
FORMATS = ("a.jsonl", "a.csv", "a.tsv", "a.txt")
VALUES: list[str | None] = [*texts(600), None, 'http://a"b,c;d\\/', "http://h/é\u2028", *texts(9)]


def _written(name: str) -> bytes:
    if name.endswith(".jsonl"):
        return "\n".join(json.dumps({"id": 1, "p": {"url": v}}) for v in VALUES).encode()
    if name.endswith(".txt"):
        return "\r\n".join(v or "" for v in VALUES).encode() + b"\n"
    fields = ('"' + v.replace('"', '""') + '"' if v else "" for v in VALUES)
    mark = "\t" if name.endswith(".tsv") else ";"
    return f"id{mark}p.url\n".encode() + "".join(f"1{mark}{f}\n" for f in fields).encode()


@pytest.mark.parametrize(
    ("name", "ending", "block"),
    [
        *((name, "", block) for name in FORMATS for block in (sources._BLOCK, 1_000)),
        *(("a.csv", ending, 1_000) for ending in COMPRESSIONS if ending),
    ],
)
def test_each_format_gives_the_same_texts(
    name: str, ending: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_BLOCK", block)
    Path(name + ending).write_bytes(COMPRESSIONS[ending](_written(name)))
    column = None if name == "a.txt" else "p.url"
    pairs, result = found(name + ending, column=column)
    assert (result.unread, result.broken) == ({}, 0)
    assert (rows(Path("o.parquet")) == expected(name + ending, VALUES)) is True
    assert (result.rows, result.null) == (len(VALUES), 1)
    assert len(pairs) == result.invalid


def test_columns_within_others() -> None:
    url = ["http://a b/", "http://a/"]
    table = pa.table(
        {
            "id": [1, 2, 3],
            "links": [[{"url": u} for u in url], None, [{"url": None}, {"url": "|:"}]],
            "page": [{"url": "x y"}, None, {"url": "a:"}],
            "names": pa.array([["a b"], [], ["a:", "c d"]], pa.list_(pa.large_string())),
            "seen": pa.array(["a b", "a:", "a b"]).dictionary_encode(),
            "raw": pa.array([b"a:", b"\xff", None], pa.binary()),
        }
    )
    pq.write_table(table, "a.parquet")
    for column, wanted in (
        ("links.url", [(0, "http://a b/"), (2, "|:")]),
        ("page.url", [(0, "x y")]),
        ("names", [(0, "a b"), (2, "c d")]),
        ("seen", [(0, "a b"), (2, "a b")]),
        ("raw", [(1, "\ufffd")]),
    ):
        pairs, result = found("a.parquet", column=column)
        assert (pairs, result.unread) == (wanted, {}), column
        assert (result.rows, result.invalid) == (3, len(wanted))
    assert found("a.parquet", column="links.url")[1].null == 1


@pytest.mark.parametrize("row", beside(__file__, "contents"))
def test_contents(row: dict[str, Any]) -> None:
    Path(row["name"]).write_bytes(row["holds"].encode(row.get("as", "utf-8")))
    options = {each.name: row[each.name] for each in fields(Options) if each.name in row}
    pairs, result = found(row["name"], **options)
    assert pairs == [*map(tuple, row["found"])]
    counts = result.files[row["name"]]
    told = {name: getattr(counts, name) for name in row.keys() & {*OfFile.__slots__}}
    assert told == {name: row[name] for name in told}
    assert counts.first_broken == tuple(row.get("first", ())) or "first" not in row


def test_a_column_of_json_that_begins_with_nulls() -> None:
    Path("b.jsonl").write_text('{"u": null}\n' * 200 + '{"u": "a b"}\n')
    assert found("b.jsonl", column="u")[0] == [(200, "a b")]


COLUMNS = "columns: id (int64), url (text), to (text)"


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (None, "several columns hold text; name one with --column: id (int64), url (text)"),
        ("ulr", f"no column 'ulr'; did you mean url? {COLUMNS}"),
        ("id", f"column 'id' holds int64, and text is needed; {COLUMNS}"),
        ("a\x1bb", "no column 'a\\x1bb';"),
    ],
)
def test_which_column(column: str | None, words: str) -> None:
    pq.write_table(pa.table({"id": [1], "url": ["a:"], "to": ["a:"]}), "a.parquet")
    Path("a.jsonl").write_text('{"id": 1, "url": "a:", "to": "a:"}\n')
    for name in ("a.parquet", "a.jsonl"):
        assert found(name, column=column)[1].unread[name].startswith(words)


def test_a_broken_file_does_not_keep_the_next_from_being_read() -> None:
    Path("d").mkdir()
    parquet(Path("d/a.parquet"), texts(10))
    Path("d/b.parquet").write_bytes(b"PAR1 and no more PAR1")
    whole = parquet(Path("d/c.parquet"), texts(2_000)).read_bytes()
    damaged = bytearray(whole)
    damaged[len(whole) // 4 : len(whole) // 4 + 50] = bytes(50)
    Path("d/c.parquet").write_bytes(damaged)
    pq.write_table(pa.table({"url": [1]}), "d/e.parquet")
    Path("d/f.jsonl").write_bytes(b"\x00\x01\x02")
    Path("d/g.txt.gz").write_bytes(gzip.compress(b"http://a/\n" * 900_000)[:800])
    Path("d/h.txt").write_bytes(b"\xfd7zXZ\x00")
    Path("d/i.csv").write_bytes(b"")
    Path("d/j.txt").write_text("a b\n")
    _, result = found("d", column=None)
    assert set(result.files) >= {"d/i.csv", "d/j.txt"}
    _, result = found("d", column="url")
    assert {name[2] for name in result.unread} == set("bcefghj")
    assert all("\n" not in why and len(why) < 400 for why in result.unread.values())
    assert result.files["d/a.parquet"].rows == 10


def test_what_is_before_the_cut_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_BLOCK", 100_000)
    for ending in (".gz", ".bz2", ".zst"):
        octets = COMPRESSIONS[ending](b"".join(b"http://a/%d\n" % i for i in range(200_000)))
        name = f"cut.txt{ending}"
        Path(name).write_bytes(octets[: len(octets) * 2 // 3])
        _, result = found(name)
        assert result.rows > 1_000, ending
        assert "Truncated compressed stream" in result.unread[name]


def test_a_line_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONGEST_RECORD", 2 << 20)
    Path("a.txt").write_bytes(b"a b\n" + b"x" * (9 << 20))
    pairs, result = found("a.txt")
    assert pairs == [(0, "a b")]
    assert result.unread["a.txt"].startswith("row 1 or later: a line exceeds 2 MB")


@pytest.mark.posix
def test_folders_and_patterns() -> None:
    for name in ("d/a.txt", "d/_tmp/b.txt", "d/.git/c.txt", "d/y=1/e.txt", "d/_y=1/f.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("a:\n")
    Path("out").mkdir()
    Path("out/secret.txt").write_text("a b\n")
    Path("d/link").symlink_to("../out")
    Path("d/l.txt").symlink_to("../out/secret.txt")
    Path("d/loop").symlink_to(".")
    Path("d/x\x1b[2J.txt").write_text("a b\n")
    os.mkfifo("d/p.txt")
    hidden = ["d/_y=1/f.txt", "d/a.txt", "d/x\x1b[2J.txt", "d/y=1/e.txt"]
    for name, files in (
        ("d", hidden),
        ("d/", hidden),
        ("d/**/*.txt", hidden),
        ("d/*.txt", ["d/a.txt", "d/x\x1b[2J.txt"]),
        ("d/.git/*.txt", ["d/.git/c.txt"]),
        ("d/_tmp", ["d/_tmp/b.txt"]),
        ("**/[ae].txt", ["d/a.txt", "d/y=1/e.txt"]),
        ("d/y*", ["d/y=1/e.txt"]),
        ("d/{a,b}.txt", ["d/a.txt"]),
        ("d/*=1", ["d/_y=1/f.txt", "d/y=1/e.txt"]),
        (Path("d/a.txt").absolute().as_uri(), [str(Path("d/a.txt").absolute())]),
    ):
        result = scan([name], Rule(), Options())
        assert sorted(result.files) == sorted(files), name
    assert scan(["d", "d/a.txt", "d/*.txt"], Rule(), Options()).rows == 4
    for name, words in (
        ("d/p.txt", "a pipe or a device"),
        ("d/*.none", "no file matches"),
        ("out/none", "the file does not exist"),
        ("a\0b.txt", "Embedded NUL"),
        ("d/_none", "the file does not exist"),
    ):
        assert words in scan([name], Rule(), Options()).unread[name]
    assert "No such file" in scan(["none/*.txt"], Rule(), Options()).unread["none"]


@pytest.mark.posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_what_must_not_be_read() -> None:
    Path("d/no").mkdir(parents=True)
    Path("d/no").chmod(0)
    Path("d/a.txt").write_text("a:\n")
    Path("d/a.txt").chmod(0)
    result = scan(["d"], Rule(), Options())
    assert set(result.unread) == {"d/no", "d/a.txt"}
    assert all("Permission denied" in why for why in result.unread.values())


def test_a_sample_is_the_same_in_every_run() -> None:
    parquet(Path("a.parquet"), texts(5_000))
    (first, result), (second, _) = (found("a.parquet", column="url", sample=0.1) for _ in range(2))
    assert first == second
    assert 400 < result.rows < 600
    everything = set(found("a.parquet", column="url")[0])
    assert set(first) < everything


def test_outputs_agree(run: Run) -> None:
    import pyarrow.csv

    parquet(Path("a.parquet"), [*texts(500), 'http://"\n,"/', None])
    for name in ("o.csv", "o.jsonl", "o.parquet", "o.csv.gz", "o.jsonl.zst"):
        assert run("scan", "a.parquet", "--column", "url", "-o", name).code == 1
    table = rows(Path("o.parquet"))
    lines = Path("o.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == table
    assert pa.CompressedInputStream("o.jsonl.zst", "zstd").read() == Path("o.jsonl").read_bytes()
    with gzip.open("o.csv.gz") as stream:
        assert stream.read() == Path("o.csv").read_bytes()
    null = pyarrow.csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
    multi = pyarrow.csv.ParseOptions(newlines_in_values=True)
    assert pyarrow.csv.read_csv("o.csv", None, multi, null).to_pylist() == table


# Places


class _Server(http.server.BaseHTTPRequestHandler):
    """Files, and answers that are wrong."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        octets = Path("a.parquet").read_bytes() if path == "/a.parquet" else LINES
        if path == "/wild.txt":
            self.wfile.write(b"\x1b[31m nothing of HTTP\r\n\r\n")
            return
        self.send_response({"/moved.txt": 302, "/none.txt": 404}.get(path, 200))
        self.send_header("Location", "ftp://127.0.0.1/a.txt")
        self.send_header("Content-Length", str(len(octets) + 100 * (path == "/short.txt")))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *_: object) -> None:
        pass


LINES = b"http://a b/\nhttp://b/\n"


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_port}"
        made.shutdown()


def test_files_of_the_web(server: str) -> None:
    parquet(Path("a.parquet"), ["a b", "c:"])
    pairs, result = found(f"{server}/a.txt?signature=secret")
    assert (pairs, list(result.files)) == ([(0, "http://a b/")], [f"{server}/a.txt"])
    assert found(f"{server}/a.parquet", column="url")[0] == [(0, "a b")]
    for path, words in (
        ("/moved.txt", "it redirects to another scheme"),
        ("/none.txt", "HTTP Error 404: Not Found"),
        ("/short.txt", "the connection ended before the file did"),
        ("/wild.txt", "does not answer as HTTP does"),
        ("/a b.txt", "not a valid address"),
    ):
        assert words in found(server + path)[1].unread[server + path]
    result = found(server.replace("://", "://me:secret@") + "/a.txt")[1]
    assert "secret" not in str(result)
    assert "a user name, which is not sent" in str(result.unread)


def test_addresses_that_do_not_answer() -> None:
    silent = "http://127.0.0.1:9/a.txt"
    assert found(silent)[1].unread == {silent: "Connection refused"}
    assert "Unrecognized filesystem" in found("foo://b/a.txt")[1].unread["foo://b/a.txt"]
    key = "s3://key:secret@b/a.txt?endpoint_override=127.0.0.1:9&scheme=http&region=x"
    result = found(key)[1]
    assert list(result.unread) == ["s3://key:******@b/a.txt"]
    assert "secret" not in str(result)


# Memory and interruptions

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({most} << 20, {most} << 20))
from uriproof.cli import main
sys.exit(main())
"""


@pytest.mark.posix
@pytest.mark.prove
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Some 600 MB of texts in one row group, in many that are not compressed, and of lines, in
    900 MB of addresses.

    Allocators reserve addresses that they do not use: here they are told not to.
    """
    texts = pa.array([f"http://h/{'x' * 180}{i}" for i in range(100_000)])
    schema = pa.schema([("url", pa.string())])
    for path, compression, most in (("a.parquet", "zstd", 10**7), ("b.parquet", "none", 10**5)):
        plain = compression == "none"
        with pq.ParquetWriter(
            path, schema, compression=compression, use_dictionary=not plain
        ) as writer:
            writer.write_table(pa.table([pa.chunked_array([texts] * 30)], schema), most)
    with gzip.open("a.txt.gz", "wb", 1) as stream:
        for _ in range(30):
            stream.write(("\n".join(texts.to_pylist()) + "\n").encode())
    for name in ("a.parquet", "b.parquet", "a.txt.gz"):
        script = [sys.executable, "-c", LIMITED.format(most=900), "scan", name]
        settings = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
        ended = subprocess.run(
            script, env=environment() | settings, capture_output=True, text=True, check=False
        )
        assert (ended.returncode, ended.stderr) == (0, ""), name
        assert "3,000,000 rows in 1 file: all valid" in ended.stdout


@pytest.mark.posix
@pytest.mark.prove
def test_an_interruption_leaves_the_old_output(tmp_path: Path) -> None:
    import signal
    import time

    parquet(Path("a.parquet"), texts(200_000))
    Path("o.csv").write_text("old")
    process = subprocess.Popen(
        command("a.parquet", "--column", "url", "-o", "o.csv"),
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    # Once something is written, the file is one that is removed.
    while not any(p.stat().st_size for p in Path().glob(".o.csv.*")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (130, "")
    assert Path("o.csv").read_text() == "old"
    assert sorted(os.listdir()) == ["a.parquet", "o.csv"]
