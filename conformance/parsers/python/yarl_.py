"""yarl.URL, which parses and encodes, and does not promise to validate."""

from loop import serve
from yarl import URL


def judge(text, rule):
    try:
        url = URL(text)
        return url.scheme != "" or rule == "URI-reference", url.raw_host
    except ValueError as error:
        return False, None, str(error)


serve(judge)
