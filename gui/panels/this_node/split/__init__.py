"""The editor of a split: its plot, its branches, and what a hand makes of them."""
