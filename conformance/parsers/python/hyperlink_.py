"""hyperlink.URL.from_text."""

from hyperlink import URL, URLParseError
from loop import serve


def judge(text, rule):
    try:
        url = URL.from_text(text)
    except (URLParseError, ValueError):
        return False, None
    return url.scheme != "" or rule == "URI-reference", url.host


serve(judge)
