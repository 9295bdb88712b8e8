"""What is said of violations: messages, and hints where a near miss is well known."""
