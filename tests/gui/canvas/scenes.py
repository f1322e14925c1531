"""Kinds of trees, and their scenes of cards."""

from gui import theme
from gui.picture.cards.scene import Scene

KINDS = {
    "two classes": {},
    "three classes": {"classes": ("Adelie", "Chinstrap", "Gentoo")},
    "number": {"task": "number"},
    "five branches": {"branches": 5},
    "staircase": {"lean": 1.0, "n": 41},
    "no holdout": {"validation": False},
}


def scene_of(tree, letters, look=theme.LIGHT):
    return Scene(tree, 1 if len(tree.classes) == 2 else 0, look, letters)
