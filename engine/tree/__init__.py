"""The tree: an immutable bundle of arrays in preorder.

A subtree is a slice, bottom up is reverse order, and an edit returns a new tree that leaves the old one valid.
`node` in public calls is a stable id: the root is 0 and ids are never reused. `position` is a place in the arrays.

`arrays` holds what follows from the arrays alone; everything else builds on it, and `tree` puts it together.
"""
