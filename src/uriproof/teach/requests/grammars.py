"""``grammars``: the bundled grammars."""

from __future__ import annotations

from typing import Any

from ..fields import Fields


def answer(_: Fields) -> dict[str, Any]:
    """Nothing in; each grammar's name, title, start rules and source out.

    ``regular`` says whether a finite automaton decides the first start rule.
    """
    from ...grammar import registry

    found = []
    for name in registry.names():
        compiled = registry.load(name)
        model = compiled.model
        found.append(
            {
                "name": name,
                "title": model.title,
                "start": compiled.start,
                "starts": list(model.starts),
                "rules": len(model.rules),
                "schemes": sorted(model.schemes),
                "source": model.source,
                "regular": compiled.regular(compiled.start),
            }
        )
    return {"grammars": found}
