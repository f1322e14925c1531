"""The search options in use, and what is found by them at a node."""
