"""How a rule divides a text, for engines that give an absent group as an empty one.

Owns ``marked``. Imports the plan of a rule, and the dialects. Invariant: a group that marks a
component is not empty exactly where the component is there, which is proved of its expression.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from ...grammar import registry
from ...grammar.compile.rx import Rx, Set, nullable, without
from ...grammar.compile.to_regex import expression, expression_of
from ...grammar.charset import of_terminal
from ...grammar.compiled import Compiled
from ...grammar.errors import GrammarLimit
from ...grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    NumVal,
    Repetition,
    RuleRef,
)
from ...records import NamedTuple
from ...validate.plan import Division, plan_of
from ._dialect import Dialect
