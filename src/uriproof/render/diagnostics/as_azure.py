"""Diagnostics as logging commands of Azure Pipelines.

Owns the format ``azure``. Imports ``diagnostic`` and ``drawing``. Invariant: whatever a path or a
message holds, a diagnostic is one command, and no text in it is read as another.

The contract is that of ``##vso[task.logissue]`` ("Logging commands", Microsoft Learn), with the
escapes of ``azure-pipelines-task-lib``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostic import Diagnostic
from ...text.drawing import visible
from .. import Style
from . import NO_RULES, Rules
from ._places import relative
from ._records import place_of, words

_DATA = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = {**_DATA, **str.maketrans({"]": "%5D", ";": "%3B"})}


def render(
    diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
) -> Iterator[str]:
    """A command each; a note, of which there is no type, is a line of the log."""
    for one in diagnostics:
        if one.severity == "note":
            # The log is searched for commands anywhere in a line.
            logged = f"{place_of(one)}: {one.code} {words(one)}"
            yield logged.replace("##", "# #") + "\n"
            continue
        properties = {
            "type": one.severity,
            "sourcepath": visible(relative(one.file)),
            "linenumber": str(one.line),
            "columnnumber": str(one.column),
            "code": one.code,
        }
        listed = "".join(f"{k}={v.translate(_PROPERTY)};" for k, v in properties.items())
        yield f"##vso[task.logissue {listed}]{words(one).translate(_DATA)}\n"
