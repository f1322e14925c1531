"""Branches that are folded: what is shown then, and the handles that fold."""
