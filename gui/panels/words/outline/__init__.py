"""The tree as indented lines."""
