"""can_ada, the binding of the C++ library Ada, which parses as the URL Standard says."""

import can_ada
from loop import serve


def judge(text, rule):
    if rule != "URI":
        return None, None
    try:
        return True, can_ada.parse(text).hostname
    except ValueError:
        return False, None


serve(judge)
