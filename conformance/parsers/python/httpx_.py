"""httpx.URL."""

from httpx import URL, InvalidURL
from loop import serve


def judge(text, rule):
    try:
        url = URL(text)
        return url.scheme != "" or rule == "URI-reference", url.host
    except InvalidURL:
        return False, None


serve(judge)
