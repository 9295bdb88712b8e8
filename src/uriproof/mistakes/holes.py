"""Placeholders that were not filled in, and texts that were cut off.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
