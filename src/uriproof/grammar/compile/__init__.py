"""From the model of a rule to what other engines run: expressions and lark grammars."""
