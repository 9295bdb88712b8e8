"""The requests of the page and notebooks: a function for each, which takes its fields."""
