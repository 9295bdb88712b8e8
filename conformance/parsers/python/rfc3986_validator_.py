"""rfc3986-validator: validate_rfc3986."""

from loop import serve
from rfc3986_validator import validate_rfc3986


def judge(text, rule):
    return bool(validate_rfc3986(text, rule=rule.replace("-", "_"))), None


serve(judge)
