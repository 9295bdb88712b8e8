"""Whole files of texts: read in chunks, validated by several processes, counted and resumed.

Imports nothing by itself: readers, engines and reports are loaded when they are needed.
"""
