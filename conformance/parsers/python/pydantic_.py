"""pydantic.AnyUrl, which parses as the URL Standard says."""

from loop import serve
from pydantic import AnyUrl, TypeAdapter, ValidationError

PARSE = TypeAdapter(AnyUrl).validate_python


def judge(text, rule):
    if rule != "URI":
        return None, None
    try:
        return True, PARSE(text).host
    except ValidationError as error:
        return False, None, error.errors()[0]["msg"]


serve(judge)
