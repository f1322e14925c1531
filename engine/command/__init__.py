"""The command line: what can be said there, and the work without a window."""
