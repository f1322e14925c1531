"""A step of a replay on a page, to be handed out: the tree at that moment, what was compared, the sum and the
algorithm."""

import os
from collections.abc import Callable, Iterator, Mapping

from engine.replaying.record import Account, Replay
from engine.reporting import html
from engine.reporting.description import shown
from engine.reporting.hand_out import checked_hand_out, way_to
from engine.runtime.files import write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.tree import Tree

MOST_DRAWN = 24  # leaves of the picture; of a larger tree it shows the way to the node of the step
MOST_COMPARED = 14  # lines
Draw = Callable[[Tree, str, Mapping[int, str]], None]


def hand_out_step(
    table: Table, replay: Replay, step: int, target: str | os.PathLike[str], *, what: str, draw: Draw | None = None,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Writes a step of a replay as a page of HTML that needs no other file.

    Args:
        table: that the tree grows on.
        step: its index in `replay.steps`.
        target: a file that ends in .html.
        what: what is replayed, in words: "Growing", or a method of pruning.
        draw: writes a picture of a tree to a path that ends in .svg, with these words at nodes, by their ids; None for
            a page without one.
        progress: is handed to the search of the step's node.

    Raises:
        InputError: another suffix, or the file cannot be written.
    """
    path = checked_hand_out(target)
    write_whole(path, step_page(table, replay, step, what=what, draw=draw, progress=progress))


def step_page(
    table: Table, replay: Replay, step: int, *, what: str, draw: Draw | None = None, progress: Progress | None = None
) -> Iterator[str]:
    """The page in pieces; see `hand_out_step`."""
    tree, told, here = replay.tree(step), replay.account(step, progress), replay.steps[step]
    title = tr("{what}: step {n:,} of {all:,}", what=what, n=step + 1, all=len(replay.steps))

    def body() -> Iterator[str]:
        yield html.paragraph(tr(
            "Of a tree for “{target}” on {table}. After this step it has {leaves:,} leaves.",
            target=tree.target, table=table.name, leaves=tree.n_leaves), "quiet")  # fmt: skip
        yield html.paragraph(told.sentence)
        if draw is not None:
            yield html.image(tr("The tree after this step"), _picture(tree, here.node, told, draw))
        if told.formula:
            yield html.heading(tr("The sum"))
            yield html.listed(told.formula)
        if told.figures:
            yield html.heading(tr("What was compared"))
            yield from html.written(shown(["", *told.titles], _compared(told), MOST_COMPARED, columns=2))
        yield html.heading(tr("The algorithm"))
        yield html.code(replay.lines, here.line)

    return html.page(title, body())


def _picture(tree: Tree, node: int, told: Account, draw: Draw) -> bytes:
    """The tree, or of a large one the way to the node, as far as that stands."""
    if tree.n_leaves > MOST_DRAWN:
        tree = way_to(tree, tree.position(node) if node in tree else 0)
    return html.drawn(tree, lambda shown, path: draw(shown, path, dict(told.notes)))


def _compared(told: Account) -> list[list[str]]:
    """The lines of the table; an arrow stands before the one that was taken."""
    return [["→" if k == told.chosen else "", *cells] for k, cells in enumerate(told.figures)]
