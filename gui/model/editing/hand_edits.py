"""What a person does to single nodes: splits by a column, replaces, merges, copies, pastes, and writes on them. Every
edit names its nodes when it is asked for, and looks once more when its turn comes: the tree may have changed."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

import engine
from engine.criteria import DEFAULT
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from gui import messages
from gui.model.editing.edits import Edits, collapses, is_leaf, one_split, queued, step
from gui.model.history import Script, State
from gui.model.host import Host
from gui.model.search import guessing
from gui.model.tree_tasks import recounted
from gui.wording import hand_phrases, phrases

BRANCH = "application/x-espalier-branch"  # a copied branch on the clipboard, as JSON
COPY = "application/x-espalier-copy"  # which copy that is: its own window knows it without reading the branch


class HandEdits:
    """The edits by hand of one document."""

    def __init__(self, document: Host, edits: Edits) -> None:
        self._document, self._edits = document, edits
        self._copied: tuple[engine.Tree, bytes | None] | None = None  # a branch; its name once on the clipboard
        self._copied_from = 0  # the node that it was copied from
        # asked what becomes of the branches below a node whose split is replaced. Gets tree, node and the new split in
        # words; answers "drop", "keep" or "regrow", or None to leave the tree as it is. The window puts its dialog here
        self.ask_below: Callable[[engine.Tree, int, str], str | None] = lambda tree, node, by: "drop"

    def split_by(self, node: int, split: engine.Split, *, read_as: str | None = None) -> None:
        """Splits a leaf exactly so; if it is named, reads the column as another kind first, in the same undo step."""
        target = self._document.tree.target if self._document.tree is not None else ""

        def begin(state: State) -> None:
            if is_leaf(state.tree, node) and self._still(state, node, False, target):
                text = hand_phrases.split_by_hand(state.tree, node, split, state.table, read_as=read_as)
                how: dict[str, Any] = {"say": lambda lost: [phrases.taken_back(lost)]} if read_as else {}
                task, args = (split_read_as, (read_as, split)) if read_as else (split_leaf, (split,))
                how["script"] = step("split", node, split)
                self._edits.run(text, task, node, *args, then=self._document.go_into, **how)

        self._edits.enqueue(begin)

    def split_by_column(self, node: int, column: str) -> None:
        """Splits a node by the best split of a column; of an inner node that replaces its split."""
        document, tree = self._document, self._document.tree
        if tree is None or node not in tree or self._refuses(node, column):
            return
        inner, by = not is_leaf(tree, node), tr("the best split of “{column}”", column=column)
        below = self._below(tree, node, by) if inner else ""
        if below is None:
            return

        def begin(state: State) -> None:
            if self._still(state, node, inner, tree.target):
                self._edits.run(
                    tr("Splitting by “{column}”", column=column),
                    split_by_column, node, column, below, document.search,
                    naming=hand_phrases.split_by_column(node, column, below),
                    then=None if inner else document.go_into, partly=below == "regrow",
                    script=partial(replacing, node, below, dict(document.search)) if inner else one_split,
                )  # fmt: skip

        self._edits.enqueue(begin)

    def replace_split(self, node: int, split: engine.Split, below: str | None = None) -> None:
        """Replaces an inner node's split. `below`: "drop", "keep" or "regrow" what stands below; None asks for it."""
        document, tree, table = self._document, self._document.tree, self._document.table
        if table is None or tree is None or node not in tree or is_leaf(tree, node) or self._refuses(node):
            return
        if split == tree.split_at(tree.position(node)):
            messages.info(tr("The node already has this split."))
            return
        chosen = below or self._below(tree, node, hand_phrases.quoted_split(split, table))
        if chosen is None:
            return

        def begin(state: State) -> None:
            if self._still(state, node, True, tree.target):
                text, how = hand_phrases.split_replaced(state.tree, node, split, state.table, chosen), document.search
                script = partial(replacing, node, chosen, dict(how))
                self._edits.run(text, replaced, node, split, chosen, how, partly=chosen == "regrow", script=script)

        self._edits.enqueue(begin)

    def _refuses(self, node: int, column: str | None = None) -> bool:
        """Whether a lock stands against another split at a node; then it is said at once, before anything is asked."""
        from engine.tree.marks import check_unlocked  # late: it brings the compiler

        tree = self._document.tree
        assert tree is not None
        if self._document.guessing:
            messages.info(tr(guessing.HIDDEN))
            return True
        try:
            check_unlocked(tree, node, below=True)
            if column is not None:
                refuse_column(tree, node, column, self._document.search)
        except InputError as error:
            messages.error(hand_phrases.in_places(str(error), tree))
            return True
        return False

    def _below(self, tree: engine.Tree, node: int, by: str) -> str | None:
        """What is to become of the branches below; nobody is asked where nothing would be lost, neither splits nor what
        was written on a node. None: leave it all."""
        beginning = self._document.beginning
        i = tree.position(node)
        below = slice(i + 1, int(tree.end[i]))
        lost = (tree.n_branches[below] > 0).any() or np.isin(tree.ids[below], list(tree.marks)).any()
        answer = self.ask_below(tree, node, by) if lost else "drop"
        if answer is not None and self._document.beginning is not beginning:
            messages.warning(tr(hand_phrases.OTHER_TREE))
            return None
        return answer

    def _still(self, state: State, node: int, inner: bool, target: str = "") -> bool:
        """Whether the node is what it was when the edit was asked for, and the tree predicts what it did then."""
        if node in state.tree and is_leaf(state.tree, node) != inner and target in ("", state.tree.target):
            return True
        messages.warning(tr(hand_phrases.CHANGED))
        return False

    @queued
    def collapse(self, state: State, node: int) -> None:
        if node in state.tree and not is_leaf(state.tree, node):
            self._edits.run(hand_phrases.collapse(state.tree, node), collapsed, node, script=step("collapse", node))

    @queued
    def merge(self, state: State, node: int, other: int) -> None:
        def merged(state: State, progress: Progress) -> State:
            return state.following(state.tree.merge(state.table, node, other, assignment=state.assigned()))

        if node in state.tree and other in state.tree:
            self._edits.run(hand_phrases.merged(state.tree, node, other), merged, script=step("merge", node, other))

    def copy(self, node: int) -> None:
        """Copies what stands at and below a node, for this window and, through the clipboard, for others."""
        if (tree := self._document.tree) is None or is_leaf(tree, node):
            return
        branch = tree.subtree(node)
        self._copied, self._copied_from = (branch, None), node

        def done(text: str) -> None:
            self._copied = branch, uuid.uuid4().bytes
            data = QMimeData()
            data.setText(text)
            data.setData(BRANCH, text.encode())
            data.setData(COPY, self._copied[1])
            QGuiApplication.clipboard().setMimeData(data)
            size = phrases.leaves(branch.n_leaves)
            said = tr("Copied a branch of {leaves}: select a leaf and paste it there.", leaves=size)
            self._document.told.emit(said)

        how: dict[str, Any] = {"done": done, "key": "copy", "quiet": True}
        self._document.jobs.run(tr("Copying a branch"), lambda progress: engine.tree_to_text(branch), **how)

    @property
    def can_paste(self) -> bool:
        """Whether a branch was copied, here or in another window. Asked often: the branch is not read."""
        on_its_way = self._copied is not None and self._copied[1] is None
        data = QGuiApplication.clipboard().mimeData()
        return on_its_way or (data is not None and data.hasFormat(BRANCH))

    def paste(self, node: int) -> None:
        """Makes the splits of the branch that was copied, here or in another window, below a leaf."""
        data = QGuiApplication.clipboard().mimeData()
        named = bytes(data.data(COPY).data()) if data is not None else b""
        branch: engine.Tree | bytes
        script: Script | None = None
        if self._copied is not None and self._copied[1] in (None, named):
            branch, script = self._copied[0], step("paste", node, self._copied_from)  # tried before it is said
        elif data is not None and data.hasFormat(BRANCH):
            branch = bytes(data.data(BRANCH).data())
        else:
            return

        def begin(state: State) -> None:
            if self._still(state, node, False):
                how: dict[str, Any] = {"naming": hand_phrases.pasted(node), "say": lambda n: [hand_phrases.left_out(n)]}
                how["script"] = script
                self._edits.run(tr("Pasting a branch"), pasted, node, branch, **how)

        self._edits.enqueue(begin)

    @queued
    def prune_weakest(self, state: State) -> None:
        def unpack(after: State) -> State | None:
            if after is not state:
                return after
            messages.info(tr(hand_phrases.NOTHING_WEAK))
            return None

        if state.tree.n_leaves > 1:
            how: dict[str, Any] = {"naming": hand_phrases.weakest, "unpack": unpack, "script": collapses}
            self._edits.run(tr("Pruning the weakest split"), weakest_pruned, self._document.criterion, **how)

    @partial(queued, written=True)
    def mark(self, state: State, /, node: int, **change: Any) -> None:
        """Writes one thing on a node, as `Tree.with_mark` takes it; what is written there already makes no step."""
        ((name, value),) = change.items()
        if node not in state.tree:
            messages.warning(hand_phrases.node_gone(name, value))
        elif getattr(state.tree.mark(node), name) != value:
            text = hand_phrases.mark_step(state.tree, node, name, value)
            self._edits.run(text, marked, node, change, script=step("with_mark", node, **change))

    @partial(queued, written=True)
    def toggle(self, state: State, /, node: int, name: str) -> None:
        """Pins or locks a node, or takes that back."""
        if node in state.tree:
            value = not getattr(state.tree.mark(node), name)
            text, script = (
                hand_phrases.mark_step(state.tree, node, name, value),
                step("with_mark", node, **{name: value}),
            )
            self._edits.run(text, marked, node, {name: value}, script=script)

    @property
    def locked_columns(self) -> tuple[str, ...]:
        return tuple(self._document.search.get("locked", ()))

    def lock_columns(self, names: tuple[str, ...]) -> None:
        """Locks these columns, and no others: no search uses them. A search option, like all of them no undo step."""
        before = self.locked_columns
        if set(names) != set(before):
            self._document.set_search(locked=names or None)
            self._document.told.emit(hand_phrases.locked_columns(before, names))


def partners(tree: engine.Tree, node: int) -> list[int]:
    from engine.tree.edits import merged_split  # late: it brings the compiler

    if not is_leaf(tree, node) or node == int(tree.ids[0]):
        return []
    i = tree.position(node)
    split, found = tree.split_at(int(tree.parent[i])), []
    assert split is not None
    for k in tree.children(int(tree.parent[i])):
        if k != i and not tree.n_branches[k]:
            with contextlib.suppress(InputError):
                if split.n_branches > 2:
                    merged_split(split, int(tree.branch[i]), int(tree.branch[k]), tree.kinds)
                found.append(int(tree.ids[k]))
    return found


def has_partner(tree: engine.Tree, node: int) -> bool:
    if not is_leaf(tree, node) or node == int(tree.ids[0]):
        return False
    siblings = tree.children(int(tree.parent[tree.position(node)]))
    return sum(not tree.n_branches[k] for k in siblings) > 1


# -- in the worker, without Qt


def split_leaf(state: State, node: int, split: engine.Split, progress: Progress) -> State:
    return state.following(state.tree.split(state.table, node, split, by_hand=True, assignment=state.assigned()))


def split_read_as(state: State, node: int, kind: str, split: engine.Split, progress: Progress) -> tuple[State, Any]:
    """Reads the column of a split as another kind, and splits a leaf by it; also answers what does not fit any more."""
    after, lost = recounted(state, lambda table: table.with_kind(split.column, kind), progress)
    return split_leaf(after, node, split, progress), lost


def collapsed(state: State, node: int, progress: Progress) -> State:
    return state.following(state.tree.collapse(node))


def split_by_column(
    state: State, node: int, column: str, below: str, options: dict[str, Any], progress: Progress
) -> State:
    """Splits a node by the best split of one column. InputError: there is none, or the search may not use it."""
    refuse_column(state.tree, node, column, options)
    search = options
    if options.get("lookahead", 1) == 1:  # the other columns have no say
        others = {state.table.columns[place].name for place in state.table.features} - {column}
        search = {**options, "m_of_n": False, "locked": tuple(sorted(others))}
    known = state.assigned()
    found = engine.candidates(state.table, state.tree, node, assignment=known, progress=progress, **search)
    of_column = next((candidate for candidate in found if candidate.column == column), None)
    if of_column is None:
        said = tr("“{column}” is no feature, so nothing can be split by it: give it that role first.", column=column)
        raise InputError(said)
    if of_column.split is None:
        reason = of_column.reason
        raise InputError(tr("“{column}” cannot split this node: {reason}.", column=column, reason=reason))
    if not is_leaf(state.tree, node):
        return replaced(state, node, of_column.split, below, options, progress)
    return state.following(state.tree.split(state.table, node, of_column.split, assignment=known))


def refuse_column(tree: engine.Tree, node: int, column: str, options: dict[str, Any]) -> None:
    """InputError when the search may not use a column at a node."""
    if column in options.get("locked", ()):
        said = tr("“{column}” is locked, so nothing is split by it: unlock the column first.", column=column)
        raise InputError(said)
    above = tree.excluded_at(node).get(column)
    if above is not None:
        names = {"column": column, "node": hand_phrases.place(tree, above)}
        raise InputError(tr("“{column}” is excluded at and below {node}: include it again there first.", **names))


def replaced(state: State, node: int, by: engine.Split, below: str, how: dict[str, Any], progress: Progress) -> State:
    """Another split in the place of an inner node's; `below` says what becomes of the branches."""
    from engine.growing import replace_and_grow  # late: it brings the compiler

    where = state.table, state.tree, node, by
    if below == "regrow":
        return state.following(replace_and_grow(*where, assignment=state.assigned(), progress=progress, **how))
    return state.following(state.tree.replace_split(state.table, node, by, below, assignment=state.assigned()))


def replacing(node: int, below: str, search: dict[str, Any], before: engine.Tree, after: engine.Tree) -> Script:
    """The steps of a script that replace the split of an inner node, and grow below it anew where that was done."""
    split = after.split_at(after.position(node))
    if below != "regrow":
        return step("replace_split", node, split, below)
    return Script((*step("replace_split", node, split).steps, *step("grow", node=node, **search).steps))


def pasted(state: State, node: int, branch: engine.Tree | bytes, progress: Progress) -> tuple[State, int]:
    """The splits of a branch, a tree or the JSON text of one, below a leaf; and how many divided no rows there."""
    copied = branch
    if isinstance(copied, bytes):
        copied = engine.tree_from_text(copied.decode(errors="replace"), tr("What was copied"))
    if copied.n_leaves == 1:
        raise InputError(tr("What was copied is a single leaf, which has no splits: copy a node that is split."))
    tree = state.tree.paste(state.table, node, copied, assignment=state.assigned())
    made = int((tree.n_branches > 0).sum() - (state.tree.n_branches > 0).sum())
    if not made:
        raise InputError(tr("None of the splits that were copied divides the rows of this leaf: paste it elsewhere."))
    return state.following(tree), int((copied.n_branches > 0).sum()) - made


def marked(state: State, node: int, changes: dict[str, Any], progress: Progress) -> State:
    return state.following(state.tree.with_mark(node, table=state.table, assignment=state.assigned(), **changes))


def weakest_pruned(state: State, criterion: str, progress: Progress) -> State:
    """Takes the split back that gives least. The state itself when there is none that may go."""
    try:
        node = state.tree.weakest(criterion)
    except InputError:  # the tree does not hold what this criterion looks at
        node = state.tree.weakest(DEFAULT[state.tree.task])
    return state if node is None else state.following(state.tree.collapse(node))
