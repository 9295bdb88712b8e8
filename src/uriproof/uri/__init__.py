"""References as values: their components, building, resolving, normalizing, comparing."""
