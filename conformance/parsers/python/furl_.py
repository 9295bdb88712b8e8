"""furl.furl."""

from furl import furl
from loop import serve


def judge(text, rule):
    try:
        url = furl(text)
        return bool(url.scheme) or rule == "URI-reference", url.host
    except ValueError:
        return False, None


serve(judge)
