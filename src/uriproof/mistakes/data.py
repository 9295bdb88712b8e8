"""Data that a scheme writes in a way of its own, and percent signs.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
