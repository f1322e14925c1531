"""Two columns as a plane, and how the tree divides it."""
