"""Tools for grammars: compare, describe, sample, check, draw and export them."""
