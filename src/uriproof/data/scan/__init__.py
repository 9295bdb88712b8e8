"""Whole files of texts: read in batches, validated, counted, and their violations written.

Owns the names of formats, and the options of a scan. Imports nothing that is not needed to name
them: readers, writers and reports are loaded when a scan begins.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import UriproofError

FORMATS = {
    "parquet": (".parquet", ".pq", ".parq"),
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "jsonl": (".jsonl", ".ndjson", ".jsonlines"),
    "text": (".txt", ".text", ".lst", ".urls"),
}
"""The formats that are read, and the ends of the names of their files."""

COMPRESSED = {
    ".gz": ("gzip", b"\x1f\x8b"),
    ".bz2": ("bz2", b"BZh"),
    ".zst": ("zstd", b"\x28\xb5\x2f\xfd"),
    ".lz4": ("lz4", b"\x04\x22\x4d\x18"),
}
"""By the ends of names: what pyarrow calls the compression, and the first octets of its files."""

STANDARD_INPUT = "-"


class ScanError(UriproofError):
    """A scan, or a file of it, that cannot be done, or not from some row on; and what to do."""


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a scan; what is None is found out.

    ``column`` is a name, with dots for parts of structs, or the number of a column of CSV.
    ``header``, ``delimiter`` and ``quote`` (empty for none) are of CSV; ``encoding`` is one of
    Python. ``sample`` is the share of the rows to validate, of 1. Violations go to the file
    ``output``. ``about`` describes the rule, for the metadata of Parquet.
    """

    column: str | None = None
    format: str | None = None
    header: bool | None = None
    delimiter: str | None = None
    quote: str = '"'
    encoding: str | None = None
    sample: float | None = None
    output: str | None = None
    about: dict[str, str] = field(default_factory=dict)


def format_of(name: str) -> str | None:
    """The format that the name of a file says, or None.

    >>> format_of("crawl/urls.CSV.gz"), format_of("urls")
    ('csv', None)
    """
    lower = name.lower()
    if lower.endswith(FORMATS["parquet"]):  # which compresses by itself
        return "parquet"
    for ending in COMPRESSED:
        lower = lower.removesuffix(ending)
    others = [*FORMATS][1:]
    return next((each for each in others if lower.endswith(FORMATS[each])), None)
