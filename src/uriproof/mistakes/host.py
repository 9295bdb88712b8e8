"""Hosts, ports and user information that cannot be written so.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
