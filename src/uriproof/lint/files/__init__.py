"""The files of a run: which there are, what they hold, which have changed."""
