"""Traces as a module, for ``build_grammars.py``: the form that ``grammar.machine.tables`` reads.

Owns the layout of that module. Imports the package. Invariant: what is read of a trace that was
written is equal to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from uriproof.grammar.machine.trace import Trace
from uriproof.grammar.machine.write_tables import Writer


def write_traces(
    traces: Mapping[str, Trace], elsewhere: Mapping[str, str], escape: tuple[str, tuple[str, ...]]
) -> str:
    """The body of a generated module: a table per rule, and where those are that it has not.

    ``elsewhere`` maps a rule to the grammar whose module has an equal table of it; ``escape`` is
    the escape sequence of all traces, with the words that follow its first character.
    """
    writer = Writer()
    tables: list[str] = []
    for rule, trace in traces.items():
        alphabet = trace.automaton.alphabet
        lines = "\n".join(writer.lines(trace))
        tables.append(
            f"    {rule!r}: ({alphabet.starts!r}, {alphabet.ids!r}, '''\\\n{lines}'''),\n"
        )
    return "".join(
        (
            f"ESCAPE: tuple[str, tuple[str, ...]] = {escape!r}\n",
            "PATHS: tuple[str, ...] = (\n",
            *(f"    {path!r},\n" for path in writer.paths),
            ")\n",
            'ITEMS = r"""\n',
            *(f"{item}\n" for item in writer.items),
            '"""\n',
            f"ELSEWHERE: dict[str, str] = {dict(elsewhere)!r}\n",
            "TRACES: dict[str, tuple[list[int], list[int], str]] = {\n",
            *tables,
            "}\n",
        )
    )
