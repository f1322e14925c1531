"""How the tree is changed: one edit after the other, each one undo step."""
