"""django.core.validators.URLValidator, for URLs of the web: stricter than a URI."""

from django.conf import settings

settings.configure()

from django.core.exceptions import ValidationError  # noqa: E402 -- after the settings
from django.core.validators import URLValidator  # noqa: E402 -- after the settings
from loop import serve  # noqa: E402 -- after the settings

VALIDATE = URLValidator()


def judge(text, rule):
    if rule != "URI":
        return None, None
    try:
        VALIDATE(text)
    except ValidationError:
        return False, None
    return True, None


serve(judge)
