"""The minimal automaton as JSON: ten lines of any language run it.

Owns this target. Imports the automata. Invariant: the tables say everything; whoever runs them
needs no word of the grammar.
"""

from __future__ import annotations

from ...grammar.compiled import Compiled
from ._expression import automaton
from ._machine import machine

TITLE = "the minimal automaton, as JSON"
NOTE = """Run it: state = 0; for each code point c of the text, i is the last index with
starts[i] <= c, and state = rows[state][classes[i]]; -1 is a refusal. At the end the text is
accepted if state is in accepting. A step a code point, whatever the text;
docs/teach/exports.md has ten lines of JavaScript."""


def export(compiled: Compiled, rule: str) -> str:
    """The tables, a row a line. Errors: GrammarLimit. Cost: that of the automaton."""
    from json import dumps

    found = machine(automaton(compiled, rule))
    rows = ",\n    ".join(dumps(row, separators=(",", ":")) for row in found.rows)
    fields = {
        "title": dumps(f"{compiled.name} {rule}"),
        "note": dumps("state 0 starts; -1 refuses; class of c: last i with starts[i] <= c"),
        "starts": dumps(found.starts, separators=(",", ":")),
        "classes": dumps(found.classes, separators=(",", ":")),
        "accepting": dumps(found.accepting, separators=(",", ":")),
        "rows": f"[\n    {rows}\n  ]",
    }
    body = ",\n  ".join(f"{dumps(key)}: {value}" for key, value in fields.items())
    return f"{{\n  {body}\n}}\n"
