"""How the tree, and what it was made by, does on rows that took no part."""
