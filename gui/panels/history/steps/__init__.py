"""The steps that were made, and the tree at each."""
