"""Where other tools depart from the grammar of RFC 3986, with the shortest example of each way.

Owns ``python -m benchmarks.differential``. Invariant: what is called a departure is one from the
automaton of the rule, with which ``uriproof.is_valid`` has agreed on the same text in the same
run; the same seed, versions and files give the same output.
"""
