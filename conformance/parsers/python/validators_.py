"""validators.url, for URLs of the web: by its documentation, stricter than a URI."""

import validators
from loop import serve


def judge(text, rule):
    return (validators.url(text) is True if rule == "URI" else None), None


serve(judge)
