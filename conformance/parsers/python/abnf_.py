"""abnf: its own rules for RFC 3986."""

from abnf import ParseError
from abnf.grammars.rfc3986 import Rule
from loop import serve


def judge(text, rule):
    try:
        Rule(rule).parse_all(text)
    except ParseError:
        return False, None
    return True, None


serve(judge)
