"""Text for people: drawn, measured and cut."""
