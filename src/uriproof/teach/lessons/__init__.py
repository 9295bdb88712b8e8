"""Lessons as data: each TOML file here is one; the modules read, judge and check them."""

from .check import check_lesson

__all__ = ["check_lesson"]
