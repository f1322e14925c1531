"""Folding branches of the tree on the canvas: what a person does, and what a picture with folded branches says. It
changes `document.look.folds` alone, never the tree. The selected node is always in sight: folding a branch around it
selects the node that is folded, and selecting a hidden node unfolds the way to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import engine
from engine.runtime.sentences import tr
from gui.model.editing.edits import is_leaf
from gui.model.host import Host
from gui.picture.emphasis import Emphasis
from gui.picture.folds import Folded, Folds, folded_of, leaves_below, leaves_shown
from gui.picture.picture_model import PictureModel
from gui.wording import phrases, words


def folded(document: Host) -> Folded | None:
    """What is folded of the tree of a document; None where nothing is."""
    tree = document.tree
    return folded_of(tree, document.look.folds) if tree is not None else None


def is_folded(document: Host, node: int) -> bool:
    """Whether a node is folded, as far as it is on the canvas."""
    now, tree = folded(document), document.tree
    return now is not None and tree is not None and node in tree and now.is_top(tree.position(node))


def toggle(document: Host, node: int) -> None:
    """Folds the branch below a node, or opens it by one level; nothing happens at a leaf."""
    tree, folds = document.tree, document.look.folds
    if tree is not None and node in tree and not is_leaf(tree, node):
        opens, hidden = is_folded(document, node), hides(tree, tree.position(node))
        _take(document, folds.opened(tree, node) if opens else folds.shut(tree, node))
        document.told.emit(tr("Unfolded") if opens else tr("Folded: {leaves} hidden below this node", leaves=hidden))


def unfold_all(document: Host) -> None:
    """Shows the whole tree again."""
    _take(document, Folds())
    document.told.emit(tr("Unfolded: the whole tree is shown"))


def levels_shown(document: Host) -> int:
    """How many levels below the root the canvas shows by the rule of levels."""
    tree, depth = document.tree, document.look.folds.depth
    return 0 if tree is None else min(depth, tree.depth) if depth else tree.depth


def show_levels(document: Host, levels: int) -> None:
    """Folds everything below so many levels, whatever was folded before; as many as the tree has: nothing."""
    if (tree := document.tree) is not None:
        _take(document, Folds(depth=max(levels, 1) if levels < tree.depth else 0))


def show_more(document: Host, more: int) -> None:
    """Shows so many levels more, or fewer, and says how many."""
    if (tree := document.tree) is not None:
        show_levels(document, max(levels_shown(document) + more, 1))
        document.told.emit(tr("Levels shown: {n} of {depth}", n=levels_shown(document), depth=tree.depth))


def fold_small(document: Host, least_rows: int) -> None:
    """Folds the branches of all nodes with fewer training rows, whatever was folded before."""
    _take(document, Folds(least_rows=least_rows))
    now, tree = folded(document), document.tree
    none = tr("No branch has so few rows: nothing is folded")
    document.told.emit(summary(tree, now) if tree is not None and now is not None else none)


def show_way(document: Host, node: int) -> None:
    """Opens what hides a node, and nothing else."""
    now, tree = folded(document), document.tree
    if now is None or tree is None or node not in tree or not now.is_hidden(tree.position(node)):
        return
    i = tree.position(node)
    above = tree.ids[:i][(tree.end[:i] > i) & now.closed[:i]].tolist()  # those around it that hide what is below them
    document.look.set(folds=document.look.folds.opened(tree, *above))


def follow(document: Host, before: engine.Tree | None, after: engine.Tree | None) -> None:
    """After an edit: folds stay with their nodes. A node that is a leaf now is folded no longer, and the selected one
    shows what it was just split into."""
    folds, node = document.look.folds, document.selected
    if not folds or before is None or after is None or before is after:
        return
    if before.target != after.target:
        document.look.set(folds=Folds())
        return
    if leaves := {each for each in folds.folded | folds.unfolded if is_leaf(after, each)}:
        folds = Folds(folds.depth, folds.least_rows, folds.folded - leaves, folds.unfolded - leaves)
    if is_leaf(before, node) and node in after and not is_leaf(after, node):
        folds = folds.opened(after, node)
    document.look.set(folds=folds)
    show_way(document, node)


def _take(document: Host, folds: Folds) -> None:
    """Takes other folds; what would hide the selected node selects the folded node above it first."""
    tree = document.tree
    assert tree is not None
    now = folded_of(tree, folds)
    if now is not None and document.selected in tree and now.is_hidden(tree.position(document.selected)):
        document.select(int(tree.ids[now.standing(tree.position(document.selected))]))
    document.look.set(folds=folds)


def standing(found: Emphasis | None, scene: PictureModel) -> Emphasis | None:
    """What stands out of a tree of which some branches are folded: what is hidden makes the folded node stand out."""
    folded = scene.folded
    if found is None or folded is None:
        return found
    lit = None if found.lit is None else found.lit.copy()
    if lit is not None:
        lit[folded.tops] = ~found.are_faded_below(folded.tops, scene.tree.end.astype(np.intp))
    return replace(found, lit=lit, ringed=np.unique(folded.shown[folded.at[found.ringed]]))


def state_words(document: Host) -> str:
    """What is left out: "Branches below 500 rows are folded: 106 leaves hidden"; empty for nothing."""
    now, tree, least = folded(document), document.tree, document.look.folds.least_rows
    if now is None or tree is None:
        return ""
    if not least:
        return summary(tree, now)
    said = {"n": words.count(least), "leaves": phrases.leaves(tree.n_leaves - leaves_shown(tree, now))}
    return tr("Branches below {n} rows are folded: {leaves} hidden", **said)


def summary(tree: engine.Tree, now: Folded) -> str:
    """How much of a tree is hidden: "Folded: 106 leaves hidden"."""
    return tr("Folded: {leaves} hidden", leaves=phrases.leaves(tree.n_leaves - leaves_shown(tree, now)))


def hides(tree: engine.Tree, i: int) -> str:
    """What the folded node at position i hides: "12 leaves on 5 levels"."""
    levels, leaves = int(tree.level[i : tree.end[i]].max() - tree.level[i]), phrases.leaves(leaves_below(tree, i))
    if levels == 1:
        return tr("{leaves} on 1 level", leaves=leaves)
    return tr("{leaves} on {n} levels", leaves=leaves, n=words.count(levels))


def handle_tip(scene: PictureModel, i: int) -> str:
    """What a click on the handle of the node at position i does."""
    if scene.folded is not None and scene.folded.is_top(i):
        hidden = hides(scene.tree, i)
        return tr("{leaves} are folded away below this node: a click or F shows the next of them", leaves=hidden)
    return tr("Folds this branch: it stays in the tree, and what is below is hidden (F)")
