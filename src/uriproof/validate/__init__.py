"""The validator: the place of each component, its allowed characters, and the difference.

Owns the contract of a violation. Imports ``report`` and ``grammar``. Invariant: a check finds no
violation exactly when the rule's expression matches the whole text.
"""
