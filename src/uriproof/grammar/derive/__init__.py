"""How a rule derives a text: recognizers, derivations and trees."""
