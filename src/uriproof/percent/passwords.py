"""Passwords in userinfo, which are not to be shown (RFC 3986 section 3.2.1).

Owns the mask. Imports nothing. Invariant: what is masked holds nothing of the password, not even
its length.
"""

from __future__ import annotations

_MASK = "***"


def masked(userinfo: str) -> str:
    """Userinfo with a mask for its password, which is all after the first colon.

    >>> masked("me:secret"), masked("me:"), masked("me")
    ('me:***', 'me:', 'me')
    """
    user, colon, password = userinfo.partition(":")
    return user + colon + (_MASK if password else "")
