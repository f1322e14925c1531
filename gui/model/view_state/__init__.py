"""What is looked at, and how: nothing of it changes the tree."""
