"""Fixes: which are safe, and their way into a file."""
