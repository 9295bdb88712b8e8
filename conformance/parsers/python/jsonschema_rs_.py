"""jsonschema-rs: the formats uri and uri-reference."""

from jsonschema_rs import validator_for
from loop import serve

RULES = {
    rule: validator_for({"format": rule.lower()}, validate_formats=True)
    for rule in ("URI", "URI-reference")
}


def judge(text, rule):
    return RULES[rule].is_valid(text), None


serve(judge)
