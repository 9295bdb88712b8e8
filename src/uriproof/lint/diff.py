"""What mending would change, as a unified diff.

Owns its form. Imports difflib when there is something to show. Invariant: applied to the text
before, it gives the text after.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["diff"]


def diff(file: str, before: str, after: str, colour: bool = False) -> Iterator[str]:
    r"""The lines, each with its end.

    >>> print("".join(diff("x", "a\n", "b\n")), end="")
    --- a/x
    +++ b/x
    @@ -1 +1 @@
    -a
    +b
    """
    from difflib import unified_diff

    old, new = (text.splitlines(keepends=True) for text in (before, after))
    colours = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
    for line in unified_diff(old, new, f"a/{file}", f"b/{file}"):
        whole = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        code = colours.get(line[0], "") if colour else ""
        yield f"{code}{whole[:-1]}\x1b[0m\n" if code else whole
