"""The advice ``userinfo-password``.

Owns its texts and its check; imports ``report``. Invariant: the password is never in the
message, and the span covers it and nothing else.
"""

from collections.abc import Iterator

from ..report import Advice, Report

CODE = "userinfo-password"
TITLE = "A password in the user information"
WHY = (
    "URIs are shown, logged, stored and sent on as they are, and the password with them: the "
    'form "user:password" is deprecated (RFC 3986 §3.2.1, §7.5).'
)
GOOD = "ftp://user@example.com/"
BAD = "ftp://user:secret@example.com/"


def find(report: Report) -> Iterator[Advice]:
    userinfo = report.components.get("userinfo")
    if userinfo is not None:
        name, _, password = userinfo.text.partition(":")
        if password:
            message = "everyone who sees the URI can read this password: pass it in another way"
            yield Advice(userinfo.start + len(name) + 1, userinfo.end, "userinfo", CODE, message)
