"""Texts as another language writes them: JSON, JavaScript, HTML, or escaped twice.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
