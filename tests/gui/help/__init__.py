"""The handbook, its window and the tour."""
