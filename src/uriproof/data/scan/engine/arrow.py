"""Verdicts by the expressions of Arrow (RE2).

Imports ``data.arrow``. Invariant: that of the folder.
"""

from ...arrow import verdicts

__all__ = ["verdicts"]
