"""Words: the rules of the tree, its outline, one node, its rows."""
