"""What stands around a URI: quotation marks, brackets, Markdown, white space.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
