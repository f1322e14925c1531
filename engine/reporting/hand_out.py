"""A node on a page, to be handed out: the way to it, its rows, the splits that were looked at, and the sums behind the
one that stands."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.criteria import DEFAULT
from engine.pruning import METHODS
from engine.pruning.result import Pruning
from engine.ranking.arithmetic import arithmetic, probability
from engine.ranking.candidates import candidates, weigh
from engine.ranking.weighing import Candidate
from engine.reporting import html, words
from engine.reporting.description import Rows, shown
from engine.runtime.errors import InputError
from engine.runtime.files import checked_target, write_whole
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.splits import sentence
from engine.table.table import Table
from engine.tree.arrays import collapse
from engine.tree.assignment import Assignment
from engine.tree.marks import criterion_at
from engine.tree.tree import Tree

MOST_SPLITS, MOST_CLASSES = 10, 30
PARTS = ("train", "validation")


def hand_out(
    table: Table, tree: Tree, node: int, target: str | os.PathLike[str], *, prunings: Sequence[Pruning] = (),
    draw: Callable[[Tree, str], None] | None = None, assignment: Assignment | None = None,
    progress: Progress | None = None, **options: Any,
) -> None:  # fmt: skip
    """Writes a node of a tree as a page of HTML that needs no other file.

    Args:
        node: its id.
        target: a file that ends in .html.
        prunings: of this tree: what each compared at the node is said.
        draw: writes a picture of a tree to a path that ends in .svg; None for a page without one.
        assignment: which rows stand in which node, if at hand.
        progress: is given how far it is; a stop writes nothing.
        options: by which splits are searched, see `candidates`; a criterion of the node's own goes before.

    Raises:
        InputError: another suffix, the file cannot be written, there is no such node, an option cannot be used, or a
            stop was asked for.
    """
    path = checked_hand_out(target)
    write_whole(path, page(table, tree, node, prunings=prunings, draw=draw, assignment=assignment, progress=progress,
                           **options))  # fmt: skip


def checked_hand_out(target: str | os.PathLike[str]) -> str:
    """The path of a hand-out; InputError where it names another file, or cannot be written."""
    path = os.fspath(target)
    if not path.lower().endswith(".html"):
        raise InputError(tr("“{name}” names no hand-out; end it with .html.", name=os.path.basename(path)))
    checked_target(path)
    return path


def page(
    table: Table, tree: Tree, node: int, *, prunings: Sequence[Pruning] = (),
    draw: Callable[[Tree, str], None] | None = None, assignment: Assignment | None = None,
    progress: Progress | None = None, **options: Any,
) -> Iterator[str]:  # fmt: skip
    """The page in pieces; see `hand_out`, whose errors it raises at once."""
    progress = progress or Progress()
    i, split = tree.position(node), tree.split_at(tree.position(node))
    criterion = criterion_at(tree, node) or options.get("criterion") or DEFAULT[tree.task]
    told = {**options, "criterion": criterion, "assignment": assignment}
    found = candidates(table, tree, node, progress=progress, **told)
    made = weigh(table, tree, node, split, **told) if split is not None else None
    if progress.stopped:
        raise InputError(tr("The hand-out was stopped."))
    title = tr("Node {node}: {what}", node=node, what=_what(tree, i))

    def body() -> Iterator[str]:
        rows = {"train": words.count(int(tree.rows_train[i])), "validation": words.count(int(tree.rows_validation[i]))}
        yield html.paragraph(tr(
            "Of the tree for “{target}” on {table}. {train} training rows and {validation} validation rows stand here.",
            target=tree.target, table=table.name, **rows), "quiet")  # fmt: skip
        if draw is not None:
            yield html.image(tr("The way to the node"), html.drawn(way_to(tree, i), draw))
        conditions = tree.rule(node)
        yield html.heading(tr("The way to it"))
        yield html.listed(conditions) if conditions else html.paragraph(tr("All rows stand in the root."))
        yield from _rows(tree, i, table)
        yield from _splits(found, made, criterion, tree)
        yield from _pruned(tree, i, prunings)

    return html.page(title, body())


def _what(tree: Tree, i: int) -> str:
    """Its question, or what it predicts."""
    if tree.n_branches[i]:
        return tree.title(i)
    said = tree.classes[tree.labels[i]] if tree.task == "classes" else words.number(float(tree.predictions[i]))
    return tr("predicts {answer}", answer=said)


def way_to(tree: Tree, i: int) -> Tree:
    """The nodes on the way to a node, and those beside it and right below it, as leaves."""
    above, at = np.zeros(tree.n_nodes, bool), i
    while at >= 0:
        above[at] = True
        at = int(tree.parent[at])
    return collapse(tree, np.flatnonzero((tree.n_branches > 0) & ~above))


def _rows(tree: Tree, i: int, table: Table) -> Iterator[str]:
    yield html.heading(tr("What its rows weigh") if table.is_sampled else tr("Its rows"))
    parts = [part for part in PARTS if tree.weight(part)[i] > 0]
    head = [tr("Training") if part == "train" else tr("Validation") for part in parts]
    if tree.task == "classes":
        shares = [tree.stats(part)[i] for part in parts]
        rows = [[name, *(words.count_and_share(float(one[k]), float(one.sum())) for one in shares)]
                for k, name in enumerate(tree.classes) if name not in table.sealed_classes]  # fmt: skip
        yield from html.written(shown([tr("Class"), *head], rows, MOST_CLASSES))
    else:
        stats = [tree.stats(part)[i] for part in parts]
        means = [words.number(float(one[1] / one[0]) + tree.origin) for one in stats]
        spreads = [words.number(float(np.sqrt(max(one[2] / one[0], 0.0)))) for one in stats]
        rows = [[tr("Mean"), *means], [tr("Standard deviation"), *spreads]]
        yield from html.written([Rows([tr("Measure"), *head], rows)])


def _splits(found: list[Candidate], made: Candidate | None, criterion: str, tree: Tree) -> Iterator[str]:
    best = next((one for one in found if one.split is not None), None)
    subject = made or best
    if subject is not None and subject.split is not None:
        yield html.heading(tr("The sum behind its split") if made else tr("The sum behind its best split"))
        yield html.paragraph(sentence(subject.split, 0, tree.kinds))
        yield html.listed(arithmetic(subject, criterion).lines())
    yield html.heading(tr("The splits that were looked at"))
    rows = []
    for one in found:
        said = sentence(one.split, 0, tree.kinds) if one.split is not None else one.reason
        p = probability(one.evidence.log_adjusted) if one.evidence is not None else words.NOTHING
        score = one.scores.get(criterion, one.gain)
        gains = (words.number(None if value != value else float(value)) for value in (score, one.validation_gain))
        rows.append([one.column, said, *gains, p])
    head = [tr("Column"), tr("First branch of its best split"), tr("Gain"), tr("Validation gain"), tr("p, adjusted")]
    yield from html.written(shown(head, rows, MOST_SPLITS, columns=2))


def _pruned(tree: Tree, i: int, prunings: Sequence[Pruning]) -> Iterator[str]:
    said = []
    for one in prunings:
        if one.verdicts is not None and int(tree.ids[i]) in one.full:
            told = one.verdicts.words(one.full.position(int(tree.ids[i])))
            said += [f"{METHODS[one.method].label}: {told}"] * bool(told)
    if said:
        yield html.heading(tr("What pruning compared"))
        yield html.listed(said)
