"""rfc3987: the match of a rule, and the host of its parse."""

import rfc3987
from loop import serve


def judge(text, rule):
    name = rule.replace("-", "_")
    found = rfc3987.match(text, name)
    return found is not None, found and found.groupdict().get("host")


serve(judge)
