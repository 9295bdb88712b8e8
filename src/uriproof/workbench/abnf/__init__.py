"""ABNF as text: checked, laid out, and found in documents."""
