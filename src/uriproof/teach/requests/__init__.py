"""What the page and notebooks can ask: a function a request, which takes its fields."""
