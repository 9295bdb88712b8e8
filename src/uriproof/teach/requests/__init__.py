"""One file per request: ``answer`` takes its fields and gives what is answered, JSON-ready."""
