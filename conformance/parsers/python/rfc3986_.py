"""rfc3986: the validator for all components, as its documentation calls it."""

from loop import serve
from rfc3986 import uri_reference
from rfc3986.exceptions import RFC3986Exception
from rfc3986.validators import Validator

ALL = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
REFERENCE = Validator().check_validity_of(*ALL)
ABSOLUTE = Validator().require_presence_of("scheme").check_validity_of(*ALL)


def judge(text, rule):
    try:
        found = uri_reference(text)
        (ABSOLUTE if rule == "URI" else REFERENCE).validate(found)
        return True, found.host
    except RFC3986Exception as error:
        return False, None, str(error.args[0])


serve(judge)
