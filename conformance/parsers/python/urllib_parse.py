"""urllib.parse.urlsplit, which splits and does not promise to validate."""

from urllib.parse import urlsplit

from loop import serve


def judge(text, rule):
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError as error:
        return False, None, str(error)
    return parts.scheme != "" or rule == "URI-reference", host


serve(judge)
