"""Learning the grammar: one pure function behind the page, the server and the terminal."""

from .handle import handle

__all__ = ["handle"]
