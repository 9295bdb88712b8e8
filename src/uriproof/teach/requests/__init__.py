"""What the page and notebooks can ask: a function a request, which takes its fields.

Owns the names of the requests, and which file has each. Imports nothing: a file is imported when
one of its requests is asked. Invariant: an answer is JSON-ready.
"""

__all__ = ["REQUESTS"]

_FILES = {
    "texts": ("check", "explain", "steps", "tree"),
    "grammars": ("compare", "grammar", "grammars", "railroad", "rules", "sample"),
    "classroom": ("answer", "lesson", "lessons", "worksheet"),
}

REQUESTS = {name: file for file, names in _FILES.items() for name in names}
"""The file of each request."""
