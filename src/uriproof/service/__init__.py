"""An HTTP service: texts in as JSON Lines, reports out as JSON Lines."""
