"""Names that are not URIs: paths of files, e-mail addresses, Git's short form, JDBC.

Owns these recognizers. Imports the grammars. Invariant: as of ``_form``.
"""

from __future__ import annotations
