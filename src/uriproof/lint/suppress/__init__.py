"""Diagnostics that are known: suppression comments and the baseline."""
