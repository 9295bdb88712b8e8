"""The settings of a run of the linter: those of files, with what the command line sets on top.

May import every other layer. Invariant: an option that is not given changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..lint.config.settings import Configs, Settings
from . import _click as click

__all__ = ["configs", "shown"]


def configs(*, config: str | None, isolated: bool, no_cache: bool, **given: Any) -> Configs:
    """The settings of each folder. Errors: UsageError, for a code or a file that is not there."""
    if config is not None and isolated:
        raise click.UsageError("--isolated reads no settings, and --config reads some: give one.")
    if config is not None and not os.path.isfile(config):
        raise click.UsageError(f"--config: there is no file {config}")
    for option in ("select", "extend_select", "ignore"):
        _proven(option, given[option])
    over: dict[str, Any] = {
        "select": given["select"] or None,
        "include": given["include"] or None,
        "exclude": given["exclude"] or None,
        "gitignore": given["gitignore"],
        "profile": given["profile"],
        "scheme_rules": given["schemes"],
        "schemes": given["allow_scheme"] or None,
        "cache": False if no_cache else None,
    }
    over = {name: value for name, value in over.items() if value is not None}
    more = {name: given[name] for name in ("extend_select", "ignore", "extend_exclude")}

    def override(settings: Settings) -> Settings:
        added: dict[str, Any] = {
            name: (*getattr(settings, name), *value) for name, value in more.items() if value
        }
        return replace(settings, **over, **added)

    return Configs(config, isolated, override)


def _proven(option: str, selectors: Iterable[str]) -> None:
    if not selectors:
        return
    from ..lint.codes import names
    from ..lint.config.select import unknown

    for wrong, near in unknown(selectors, names()).items():
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        flag = option.replace("_", "-")
        raise click.UsageError(
            f"--{flag}: no code begins with {wrong!r}{hint} (uriproof explain lists the codes)"
        )


def shown(settings: Settings) -> str:
    """The settings as the configuration would have them."""
    import json
    from dataclasses import asdict

    from ..lint.config.settings import key

    values = {key(name): value for name, value in asdict(settings).items()}
    return json.dumps(values, indent=2)
