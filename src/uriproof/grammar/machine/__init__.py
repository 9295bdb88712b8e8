"""From the model of a rule to automata, and computations on them."""
