"""From the model of a rule to automata, and what is computed from them."""
