"""How a rule derives a text: recognisers, derivations and trees."""
