"""The advice ``misspelled-scheme``: slips of the keyboard are seen, chosen names are not."""

from __future__ import annotations

import pytest

import uriproof
from uriproof.grammar import schemes as iana

# Names of programs, protocols and stores that are in use without being registered, or are.
CHOSEN = [
    "myapp", "vscode", "chrome", "slack", "ftps", "ftpes", "imaps", "httpx", "httpu", "httpd",
    "http2", "hftp", "gftp", "app", "soap", "date", "dart", "tile", "files", "ntp", "rtp", "s3",
    "gs", "hdfs", "abfs", "wsl", "zoommtg", "tg", "whatsapp", "fb", "intent", "line", "viber",
    "jdbc", "tcp", "udp", "unix", "ssl", "tls", "amqp", "amqps", "postgres", "mysql", "redis",
    "kafka", "nats", "zip", "jar", "classpath", "blob", "asset", "web", "capacitor", "ionic",
    "electron", "tauri", "android-app", "javascript", "datas", "file2", "mailbox", "mail",
    "webcals", "ht", "ws", "http+unix", "x-https", "a",
]  # fmt: skip


def near(scheme: str) -> str | None:
    """What the advice says the scheme is near to, or None where it says nothing."""
    advice = [a for a in uriproof.check(f"{scheme}:a").advice if a.code == "misspelled-scheme"]
    assert [(a.start, a.end, a.component) for a in advice] in ([], [(0, len(scheme), "scheme")])
    return advice[0].message.partition("; ")[2].removesuffix(" might be meant.") if advice else None


SLIPS = """
    htpps https   hhtp http     htp http      ttp http     ttps https    htps https   htttp http
    HTTPSS https  httos https   mialto mailto mailot mailto malto mailto fpt ftp      fttp ftp
    flie file     daat data
"""
PAIRS = SLIPS.split()


@pytest.mark.parametrize(
    ("scheme", "meant"),
    [*zip(PAIRS[::2], PAIRS[1::2], strict=True), ("httsp", "http or https")],
)
def test_slips(scheme: str, meant: str) -> None:
    assert near(scheme) == meant


@pytest.mark.parametrize("scheme", CHOSEN)
def test_chosen_names_are_no_slips(scheme: str) -> None:
    assert near(scheme) is None


def test_registered_schemes_are_no_slips() -> None:
    assert [scheme for scheme in iana.schemes() if near(scheme)] == []
