"""Linting: the URLs of files, validated against the grammar.

Owns finding URLs in files of any format, what is wrong with them, and the fixes in the files' own
escaping. Imports everything below it, lazily. Invariant: a span that it gives is exact in the
file, and no file is changed but by a fix that was asked for.
"""
