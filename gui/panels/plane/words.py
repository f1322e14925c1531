"""What the panel “Plane” says: what is drawn, what is not, and what a rectangle means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.model.plane_tasks import ALL, LARGER, STOP
from gui.wording import words

if TYPE_CHECKING:
    from engine.tree.tree import Tree
    from gui.model.plane_tasks import Picture

EMPTY = "Open a table: the leaves of its tree stand here as rectangles over the points."
NO_NUMBERS = "No column of this table is a number or a date, so there is no plane: the strip stands for it."
# The ways of `plane_regions.WAYS`: as a choice, and what the choice means.
WAYS = {
    LARGER: (
        "other splits: larger branch",
        "Where the tree asks another column, the picture goes on in the branch with most training rows;\n"
        "above the selected node, in the branch that leads there. Every row that is drawn lies in its rectangle.",
    ),
    STOP: (
        "other splits: stop",
        "Where the tree asks another column, the rectangle is not divided further and is hatched;\n"
        "above the selected node the picture follows its path. Every row that is drawn lies in its rectangle.",
    ),
    ALL: (
        "other splits: ignored",
        "All leaves are drawn, and lie one over the other where only another column tells them apart:\n"
        "a rectangle is where rows of a leaf can lie, and rows of other leaves may lie there, too.",
    ),
}


def sentences(shown: Picture) -> str:
    """How many rows are drawn, where the others are, and what became of splits on other columns."""
    said = [_drawn(shown)]
    if shown.n_lacking:
        axes = shown.asked.up if not shown.asked.across else f"{shown.asked.across} or {shown.asked.up}"
        said.append(f"{_rows(shown.n_lacking)} without {axes} cannot be drawn.")
    said += _others(shown)
    return words.unbroken(" ".join(said))


def _drawn(shown: Picture) -> str:
    n, parts = len(shown.rows), " (● training, × validation)" if shown.held_out.any() else ""
    if n == shown.n_here:
        return f"{_rows(n)} drawn{parts}."
    return f"{words.count(n)} of {_rows(shown.n_here)} drawn{parts}, chosen by a hash of the row."


def _others(shown: Picture) -> list[str]:
    """What became of the splits on other columns."""
    if not shown.asked.across:
        what = "class" if shown.tree.task == "classes" and shown.asked.up == shown.tree.target else ""
        line = "lines part the classes" if what else f"lines are {_line(shown)}"
        return [f"One column of points for each leaf, as wide as its training rows; {line}."]
    if shown.asked.way == ALL:
        said = ["Splits on other columns are ignored: rectangles may overlap, and hold rows of other leaves, too."]
        return said + (["Rows outside of the selected node are pale."] if shown.asked.node else [])
    gone = f"{_rows(shown.n_elsewhere)} that {_go(shown.n_elsewhere)} another way {_are(shown.n_elsewhere)} not shown."
    if shown.asked.way == STOP:
        return _stopped(shown, gone)
    if not shown.followed:
        return ["No other column is asked: every leaf is one rectangle."]
    n, above = shown.followed, shown.on_path
    where = "along the path of the selected node" if above == n else "the branch with most rows is shown"
    if 0 < above < n:
        where = f"{above} along the path of the selected node, elsewhere in the branch with most rows"
    return [f"{_splits(n)}: {where}; {gone}"]


def _stopped(shown: Picture, gone: str) -> list[str]:
    tree = shown.tree
    n = int((tree.n_branches[shown.tiles] > 0).sum())
    said = []
    if n:
        asked = tree.title(int(shown.tiles[tree.n_branches[shown.tiles] > 0][0]))
        first = f"“{asked}”" if n == 1 else f"“{asked}” and others"
        said.append(f"{words.count(n)} hatched: divided further by {first}.")
    if shown.on_path:
        said.append(f"{_splits(shown.on_path)} above the selected node as its path goes; {gone}")
    return said or ["No other column is asked: every leaf is one rectangle."]


def _line(shown: Picture) -> str:
    if shown.asked.up == shown.tree.target:
        return "medians, as the leaves say" if shown.tree.predicts_median else "what the leaves say"
    return "means of the training rows"


def cut_words(tree: Tree, node: int, letter: str) -> str:
    """A cut in the list: its letter, and what its first branch asks."""
    return f"{letter}   {tree.sentence(node + 1)}"


def spoken(shown: Picture) -> str:
    """The picture for screen readers."""
    n = len(shown.tiles)
    what = "leaves side by side" if not shown.asked.across else f"rectangles over {shown.asked.across}"
    return f"{words.count(n)} {what}, {shown.asked.up} upwards. {sentences(shown)}"


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{words.count(n)} rows"


def _splits(n: int) -> str:
    return "1 split on another column" if n == 1 else f"{words.count(n)} splits on other columns"


def _go(n: int) -> str:
    return "goes" if n == 1 else "go"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
