"""The tree on the screen and on paper: layout (numbers), cards (words), painter, view, picture."""
