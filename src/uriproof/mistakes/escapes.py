"""Texts as another language writes them: escapes of JSON, JavaScript and HTML, escaped twice, ``%u``.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
