"""Libraries that only some users need: which extra to install if one is missing.

Owns the words of that error. Imports only the standard library. Invariant: the error is still an
ImportError, with the name of the library and its extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports that want an extra of uriproof.

    >>> with needs("pydantic"):
    ...     raise ModuleNotFoundError("No module named 'pydantic'", name="pydantic")
    Traceback (most recent call last):
    ...
    ImportError: pydantic is not installed: pip install "uriproof[pydantic]"
    """
    try:
        yield
    except ImportError as error:
        words = f'{error.name} is not installed: pip install "uriproof[{extra}]"'
        raise ImportError(words, name=error.name) from error
