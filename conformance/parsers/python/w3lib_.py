"""w3lib.url.safe_url_string, and the host of what it makes."""

from urllib.parse import urlsplit

from loop import serve
from w3lib.url import safe_url_string


def judge(text, rule):
    try:
        parts = urlsplit(safe_url_string(text))
        return parts.scheme != "" or rule == "URI-reference", parts.hostname
    except ValueError:
        return False, None


serve(judge)
