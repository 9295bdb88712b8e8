"""Renderers of diagnostics: diagnostics in, text out.

Owns the choice of a renderer: the format NAME is a function ``as_NAME(diagnostics, style, rules)``
of the module that ``_MODULES`` names; nothing else needs editing. Imports ``diagnostic``,
``drawing``, ``percent`` and the styles of ``render``. Invariant: a renderer yields pieces of output
in the order of the diagnostics, and adds nothing about later ones.

Columns are code points, from 1, as in diagnostics, unless a format's contract says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from ...diagnostic import Diagnostic
from .. import Style

Given = Iterable[Diagnostic]
"""The input of a renderer: diagnostics as they come, file by file."""


class RuleInfo(Protocol):
    """The facts about a code: ``title`` is a phrase and ``why`` a sentence or more, in plain text;
    ``url`` is the address of the specification, empty for the linter's own rules."""

    @property
    def title(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def url(self) -> str: ...
    def to_markdown(self) -> str: ...


Rules = Callable[[], Mapping[str, RuleInfo]]
"""The facts about each code; only a format that explains codes asks for them."""

_MODULES = {
    **dict.fromkeys(("azure", "github", "markdown"), "logs"),
    **dict.fromkeys(("checkstyle", "junit"), "xml_forms"),
    **dict.fromkeys(("concise", "full", "pylint"), "full"),
    **dict.fromkeys(("gitlab", "json", "jsonl", "rdjson", "sarif"), "json_forms"),
}
"""The module of each format."""


class Renderer(Protocol):
    """The formats: each is the function ``as_NAME`` of its module."""

    def __call__(
        self, diagnostics: Iterable[Diagnostic], style: Style, rules: Rules = dict
    ) -> Iterator[str]: ...


def formats() -> tuple[str, ...]:
    """The names of all formats.

    >>> {"concise", "full", "json", "sarif"} <= set(formats())
    True
    """
    return tuple(sorted(_MODULES))


def default(environment: Mapping[str, str], to_file: bool) -> str:
    """The default format: in CI, the one that the system shows.

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
    """The renderer of a format that ``formats`` lists. Errors: KeyError."""
    from importlib import import_module

    module = import_module(f"{__name__}.{_MODULES[name]}")
    render: Renderer = getattr(module, f"as_{name}")
    return render
