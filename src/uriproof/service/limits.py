"""The limits of the service, and how worker processes come by them.

Owns ``Limits``. Imports the standard library and ``arguments``. Invariant: every process of one
service has the same limits.
"""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from ..arguments import limits
from ..limits import LARGEST_BODY, LONGEST_ITEM, MOST_ITEMS, MOST_VIOLATIONS, REQUEST_SECONDS

_EXPORTED = "URIPROOF_SERVE"
MULTIPROC = "PROMETHEUS_MULTIPROC_DIR"
"""The folder where the worker processes of one service count, as in prometheus_client."""


class Limits(NamedTuple):
    """The limits of one request.

    ``body``: octets of the request; ``items``: lines; ``length``: code points of a text;
    ``violations``: the number explained for each text, the rest is counted; ``seconds``: from the
    first octet of the body to the last line of the response.
    """

    body: int = LARGEST_BODY
    items: int = MOST_ITEMS
    length: int = LONGEST_ITEM
    violations: int = MOST_VIOLATIONS
    seconds: int = REQUEST_SECONDS

    @classmethod
    def from_environment(cls) -> Limits:
        """The limits that another process has exported; the defaults otherwise.

        Errors: ValueError, TypeError.

        >>> Limits.from_environment().violations
        100
        """
        given = json.loads(os.environ.get(_EXPORTED, "{}"))
        limits(**given)
        return cls(**given)

    def export(self) -> None:
        """Leave the limits to the worker processes that this process starts."""
        os.environ[_EXPORTED] = json.dumps(self._asdict())
