"""The tree as rules."""
