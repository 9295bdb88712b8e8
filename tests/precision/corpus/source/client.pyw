"""See https://docs.example.org/client."""

import os

BASE = "https://api.example.org/v1"
NAME = "x"
URL = f"https://{NAME}.example.org/{os.name}/x"
OLD = "https://%s.example.org/%s"
NEW = "https://{name}.example.org/{}"
JOINED = "https://" + NAME + ":80/a b"
LINE = "https://www.example.org/a\nnext"
TAB = "https://www.example.org/tab\tx"
ESCAPED = "https://www.example.org/caf\u00e9"
RAW = r"https?://(\w+)\.example\.org/(?P<x>\d+)"
PATTERN = "^https://[^/]+/$"
BRACKETS = "https://www.example.org/?x[]=1"
SECOND = "https://www.example.org/#a#b"
PORT = "http://localhost:port/"
ENVIRON = "http://${HOST}/x"
# https://www.example.org/comment.
# https://www.example.org/50%/off
DOUBLED = "https://www.example.org/%%20%s"
PARTS = ("https://www.example.org/a" "/b c")
HELP = "Usage: open https://<host>/<path>"
IN_TEXT = "Look at 'https://www.example.org/q' first"
SLASHES = "://"
SPLIT = "x".split("http://")
CALL = "http://{0[host]}:{0[port]}/"
CHARS = "http://exämple.org/"
