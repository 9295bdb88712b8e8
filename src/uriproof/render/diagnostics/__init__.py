"""Renderers of diagnostics: diagnostics in, text out, one file per output format.

Owns the choice of a renderer: a module ``as_NAME`` of this package with a function
``render(diagnostics, style, rules)`` is the format NAME; nothing else needs editing. May import
``diagnostic``, ``drawing``, ``percent`` and the styles of ``render``. Invariant: a renderer yields
pieces of output in the order of the diagnostics, and adds nothing about what it has not been given.

Columns are code points, from 1, as in diagnostics, but where a format's contract says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ...diagnostic import Diagnostic, RuleInfo
from .. import Style, named_formats

__all__ = ["NO_RULES", "Renderer", "Rules", "default", "formats", "renderer"]

Rules = Mapping[str, RuleInfo]
"""What is known of each code; a format asks only for those that it explains."""

NO_RULES: Rules = {}


class Renderer(Protocol):
    """What the module of a format has, under the name ``render``."""

    def __call__(
        self, diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = NO_RULES
    ) -> Iterator[str]: ...


def formats() -> tuple[str, ...]:
    """The names of all formats.

    >>> {"concise", "full", "json", "sarif"} <= set(formats())
    True
    """
    return named_formats(__path__)


def default(environment: Mapping[str, str], to_file: bool) -> str:
    """The format where none is asked for: in CI, the one that the system shows.

    GitHub and Azure read the log, and GitLab a file.

    >>> default({}, False), default({"GITHUB_ACTIONS": "true"}, False)
    ('full', 'github')
    """
    for variable, name, reads_a_file in _SYSTEMS:
        if environment.get(variable, "").lower() == "true" and to_file is reads_a_file:
            return name
    return "full"


_SYSTEMS = (
    ("GITHUB_ACTIONS", "github", False),
    ("TF_BUILD", "azure", False),
    ("GITLAB_CI", "gitlab", True),
)
"""The variable that each system sets, the format, and whether that is for a file."""


def renderer(name: str) -> Renderer:
    """The renderer of a format that ``formats`` lists. Errors: ModuleNotFoundError."""
    from importlib import import_module

    render: Renderer = import_module(f"{__name__}.as_{name}").render
    return render
