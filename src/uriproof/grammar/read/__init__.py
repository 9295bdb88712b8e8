"""The text of a grammar in, the model of its rules out."""
