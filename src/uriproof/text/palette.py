"""The colors of drawings, light and dark, and style sheets made of them.

Owns each color by its name. Imports only the standard library. Invariant: ink on paper has a
contrast of at least 4.5 to 1 in both; no style sheet loads anything.
"""

from __future__ import annotations

from collections.abc import Iterable

COLORS = {
    "paper": ("#ffffff", "#15171c"),
    "raised": ("#f6f5f2", "#1e2128"),
    "ink": ("#1d1f24", "#e8e6e1"),
    "muted": ("#595e68", "#a5abb6"),
    "line": ("#c9c5bb", "#4a505c"),
    "ok": ("#17693a", "#7fd69c"),
    "blame": ("#b3141f", "#ff9a94"),
    "wash": ("#fce4e3", "#4a1d20"),
    "scheme": ("#8b2a86", "#e5a3e0"),
    "authority": ("#4a5160", "#b9c0cd"),
    "userinfo": ("#86480f", "#e9b183"),
    "host": ("#0b57a8", "#8cc3ff"),
    "port": ("#00666b", "#74d6d6"),
    "path": ("#2b681d", "#9bd487"),
    "query": ("#765300", "#e6c766"),
    "fragment": ("#5a43bd", "#c0b2ff"),
}
"""Each on light paper, and on dark."""

COMPONENTS = tuple(COLORS)[tuple(COLORS).index("scheme") :]
"""The components that have colors of their own."""

_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark")
_LIGHT = ('[data-jp-theme-light="true"]', ".vscode-light")
"""The surroundings of the output in a notebook, which has its own themes."""

Rule = tuple[str, str]
"""A selector, and declarations in which ``$name`` is a color."""


def component_class(name: str) -> str:
    """The class of a component or of a production that is named after one; nothing for others.

    >>> component_class("path-abempty"), component_class("URI")
    ('c-path', '')
    """
    first = name.partition("-")[0]
    return f"c-{first}" if first in COMPONENTS else ""


def style_sheet(rules: Iterable[Rule], scope: str) -> str:
    """The rules within a scope, light, and dark if that is preferred; without variables.

    >>> print(style_sheet([("b", "color:$ok")], ".x"))
    .x b{color:#17693a}
    @media(prefers-color-scheme:dark){.x b{color:#7fd69c}}
    """
    listed = [*rules]
    colored = [rule for rule in listed if "$" in rule[1]]
    dark = "\n".join(_filled(colored, 1, scope))
    return "\n".join([*_filled(listed, 0, scope), f"@media(prefers-color-scheme:dark){{{dark}}}"])


def variables(scope: str) -> str:
    """Every color as a variable (``--ink``, ``--c-host``), for pages and themes of notebooks."""
    light, dark = (
        ";".join(f"{variable(name)}:{both[side]}" for name, both in COLORS.items())
        for side in (0, 1)
    )
    around = [(",".join(f"{outer} {scope}" for outer in _LIGHT), light)]
    around.append((",".join(f"{outer} {scope}" for outer in _DARK), dark))
    lines = [f"{scope}{{{light}}}", f"@media(prefers-color-scheme:dark){{{scope}{{{dark}}}}}"]
    return "\n".join([*lines, *(f"{selector}{{{values}}}" for selector, values in around)])


def variable(name: str) -> str:
    """The name of a color's variable.

    >>> variable("ink"), variable("host")
    ('--ink', '--c-host')
    """
    return f"--c-{name}" if name in COMPONENTS else f"--{name}"


def _filled(rules: Iterable[Rule], side: int, scope: str) -> Iterable[str]:
    for selector, given in rules:
        declarations = given
        for name, colors in COLORS.items():
            declarations = declarations.replace(f"${name}", colors[side])
        yield ",".join(f"{scope} {one}".rstrip() for one in selector.split(",")) + (
            f"{{{declarations}}}"
        )
