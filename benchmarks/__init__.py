"""Measurements: uriproof beside other tools, its start, and its growth on hostile strings.

Owns ``python -m benchmarks``; nothing in src imports it. Invariant: what is compared is
measured in one run, in interleaved rounds, and reported as medians, so that ratios mean something
where absolute times do not.
"""
