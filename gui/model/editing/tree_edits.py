"""What a person does to the whole tree (grows it, changes what leaves predict, takes another tree) and to the table.
After each edit of the table the tree is counted again; splits that no longer fit become leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import engine
from engine.runtime.sentences import tr
from engine.table.words import kind_word
from gui import messages
from gui.model import file_tasks, tree_tasks
from gui.model.editing.cutback import Cutback
from gui.model.editing.edits import Edits, is_leaf, one_split, queued, step
from gui.model.history import Script, State
from gui.model.host import Host
from gui.model.jobs import words_for
from gui.model.search import searching
from gui.wording import hand_phrases, phrases


class TreeEdits:
    """The edits of the tree of one document, as far as `HandEdits` does not make them, or pruning (`Cutback`)."""

    def __init__(self, document: Host, edits: Edits, cutback: Cutback) -> None:
        self._document, self._edits, self._cutback = document, edits, cutback

    def split_best_anywhere(self, search: dict[str, Any] | None = None) -> None:
        text, then = tr("Splitting the best leaf"), self._document.go_into
        self._grow(text, hand_phrases.split_anywhere, tree_tasks.split_once, search, then=then)

    def split_best_here(self) -> None:
        document, node = self._document, self._document.selected
        if document.tree is None or not is_leaf(document.tree, node) or self._keeps_pinned(node):
            return
        if refusal := document.why_no_split():
            messages.error(refusal)
        else:
            self._grow(tr("Splitting"), hand_phrases.split_here, then=document.go_into, node=node, levels=1)

    def grow_level(self) -> None:
        self._grow(tr("Growing a level"), phrases.level, levels=1)

    def grow_branch(self, node: int) -> None:
        if (tree := self._document.tree) is None:
            return
        if node in tree and (locked := tree.locked_by(node)) is not None:
            messages.error(hand_phrases.nothing_grows_below(tree, locked))
        elif not self._keeps_pinned(node):
            self._grow(tr("Growing a branch"), phrases.branch(node), node=node)

    def _keeps_pinned(self, node: int) -> bool:
        """Whether a node is a pinned leaf, which nothing grows from; then that is said, with the remedy."""
        tree = self._document.tree
        pinned = tree is not None and is_leaf(tree, node) and tree.mark(node).pinned
        if pinned:
            messages.info(tr(phrases.PINNED_LEAF))
        return pinned

    def grow_with(
        self, search: dict[str, Any], node: int = 0, steps: str = "all", *, anew: bool = False, keep: bool = False
    ) -> None:
        """Grows below a node by other search options than those that are set; `keep` sets them, too. `steps`: "all";
        "level", every leaf once; "split", the leaf that gains most. `anew`: what has grown there goes first."""
        if refusal := searching.refusal_of(search, self._document.table):  # the target may be another one by now
            messages.error(phrases.plain(refusal))
            return
        if keep:
            self._document.take_search(search)
        if not anew and self._keeps_pinned(node):
            return
        if steps == "split":
            self.split_best_anywhere(search)
        elif steps == "level":
            self._grow(tr("Growing a level"), phrases.level, search=search, levels=1)
        else:
            self._grow(tr("Growing"), phrases.branch(node), search=search, node=node, anew=anew)

    def grow_all(self) -> None:
        """Grows the whole tree as far as the search options allow."""

        def tell(before: engine.Tree, after: engine.Tree) -> None:
            state, depth = self._document.state, self._document.search.get("max_depth")
            if state is not None and state.table.counter is not None and after.depth == depth:
                messages.info(tr(
                    "The tree stops at depth {depth}, the maximum depth: each level is a look at all rows. To grow on, "
                    "raise Maximum depth in Search options and grow the whole tree again.", depth=depth))  # fmt: skip

        self._grow(tr("Growing"), phrases.grown, then=tell)

    @queued
    def go(self, state: State) -> None:
        """Grows on while validation rows gain by it, and charts what was tried; without such rows the whole tree."""
        if state.table.n_validation == 0:
            self.grow_all()
            return

        search = dict(self._document.search)
        script = step("grow_while_improving", **search)

        def take(went: tuple[engine.Pruning, State, State]) -> State | None:
            sequence, tried, after = went
            self._cutback.take(sequence, tried, after, Script(script.steps, state))
            messages.info(phrases.stopped_early(sequence))
            return None if after is state else after

        how: dict[str, Any] = {"naming": phrases.went, "unpack": take, "partly": True}
        how |= {"compared": self._cutback.count_trees, "script": script}
        self._edits.run(tr("Growing while validation improves"), tree_tasks.gone_on, search, **how)

    @queued
    def _grow(self, state: State, /, text: str, naming: Any, task: Any = None, search: Any = None, **how: Any) -> None:
        if how.get("node", 0) in state.tree:
            options = self._document.search if search is None else search
            script: Any = one_split
            if task is None:
                first = step("collapse", how["node"]).steps if how.get("anew") else ()
                where = {name: value for name, value in how.items() if name in ("node", "levels")}
                script = Script((*first, *step("grow", **options, **where).steps))
            self._edits.run(text, task or tree_tasks.grown, options, naming=naming, partly=True, script=script, **how)

    @queued
    def say_by(self, state: State, rule: engine.LeafRule) -> None:
        """Makes the leaves of the tree say what a rule says: a step of its own, if that is new."""
        task = state.table.task
        before = searching.rule_of(searching.with_rule({}, state.tree.leaf_rule, task), task)
        if rule != before:
            self._edits.run(
                phrases.leaves_say(before, rule), tree_tasks.said_by, rule, script=step("with_leaf_rule", rule)
            )

    @queued
    def take_tree(self, state: State, tree: engine.Tree, text: str) -> None:
        """Puts another tree over the present table onto the canvas."""
        if tree.counted_on == state.table.counts_key:
            self._edits.run(text, lambda state, progress: state.following(tree))
        else:
            said = tr("The table has changed in the meantime: that tree was counted on other rows or columns.")
            messages.warning(said)


class TableEdits:
    """The edits of the table of one document."""

    def __init__(self, document: Host, edits: Edits) -> None:
        self._document, self._edits = document, edits
        # asked before a grown tree goes because something else is predicted. Gets what is about to be done, in words,
        # and the tree; answers whether to do it. The window puts its dialog here
        self.ask_anew: Callable[[str, engine.Tree], bool] = lambda question, tree: True
        self.ask_other_table: Callable[[str, Sequence[str]], bool] = lambda name, differences: True  # see `Storage`
        # Asked which tree of a file with several to open, from 0; None for none. The window puts its dialog here.
        self.ask_which_tree: Callable[[str, int], int | None] = lambda name, n: 0

    def set_role(self, column: str, role: str) -> None:
        """Makes a column a feature, ignores it, or takes it as weights, partition or groups."""
        shown = self._document.table
        if shown is not None and shown.roles.get(column) != role:
            text, parted = tr("Set role of “{column}” to {role}", column=column, role=role), ""
            if role == "group" and shown.sealed.any():
                parted = tr(
                    "The test rows stay as they are: rows of one “{column}” may stand among them and among the "
                    "others. To keep them together, choose this role as the file is opened.",
                    column=column,
                )
            self._change(text, tree_tasks.recounted, lambda table: table.with_roles({column: role}), remark=parted)

    def set_kind(self, column: str, kind: str) -> None:
        """Reads a column as another kind. Of a target only categories with and without an order are the same classes;
        any other change may make other ones, or numbers: a new tree starts."""
        shown = self._document.table
        if shown is not None and (before := shown.column(column).kind) != kind:
            text = tr("Set type of “{column}” to {kind}", column=column, kind=kind_word(kind))
            starts = shown.target == column and {before, kind} != {"nominal", "ordered"}
            question = tr("Set the type of the target “{column}” to {kind}?", column=column, kind=kind_word(kind))
            if not starts or self._may_begin_anew(question):
                function = tree_tasks.retargeted if starts else tree_tasks.recounted
                self._change(text, function, lambda table: table.with_kind(column, kind))

    def set_order(self, column: str, levels: Sequence[str]) -> None:
        """Puts the levels of a column into an order, and makes it an ordered one if it is not yet."""
        shown = self._document.table
        before = shown.column(column) if shown is not None and column in shown.names else None
        if before is not None and (before.kind, before.levels) != ("ordered", tuple(levels)):
            self._change(
                tr("Set order of “{column}”", column=column), tree_tasks.recounted,
                lambda table: table.with_kind(column, "ordered").with_order(column, levels),
            )  # fmt: skip

    def set_partition(self, **how: Any) -> None:
        """Divides the rows anew: `validation`, `test` and `seed`, or `column`."""
        tree = self._document.tree
        remark = tr(phrases.CHOSEN_ON_OTHER_ROWS) if tree is not None and tree.n_leaves > 1 else ""
        text = phrases.partition(how)
        self._change(text, tree_tasks.recounted, lambda table: table.with_partition(**how), remark=remark)

    def set_target(self, column: str) -> None:
        """Predicts another column; the tree begins anew."""
        shown = self._document.table
        question = tr("Make “{column}” the target?", column=column)
        if shown is not None and shown.target != column and self._may_begin_anew(question):
            text = tr("Set target to “{column}”", column=column)
            self._change(text, tree_tasks.retargeted, lambda table: table.with_target(column))

    def _may_begin_anew(self, question: str) -> bool:
        """Whether the tree may go: it is a single leaf that nothing grows from, or a person agrees."""
        tree, beginning = self._document.tree, self._document.beginning
        if tree is None or (tree.n_leaves == 1 and not self._edits.running):
            return True
        return self.ask_anew(question, tree) and self._document.beginning is beginning

    def open_tree(self, path: str | Path, chosen: int | None = None) -> None:
        """Puts a tree from a file onto the present table, as an undo step. Asks before where the table has another
        target, other columns or classes than the tree knows, and which tree where the file holds several."""
        path, document = Path(path), self._document
        if document.state is None:
            messages.error(tr("“{file}” is a tree: open the table that it belongs to first.", file=path.name))
            return

        def done(found: file_tasks.TreeFile) -> None:
            wanted = not found.differences or self.ask_other_table(found.name, found.differences)
            if wanted and document.beginning is beginning:
                script = step("read_tree", str(path.resolve())) if not found.target and chosen is None else None
                text = tr("Open tree “{file}”", file=found.name)
                self._change(text, file_tasks.tree_taken, found, script=script)

        def failed(error: Exception) -> None:
            n = getattr(error, "n_trees", 0)
            number = self.ask_which_tree(path.name, n) if n else None
            if number is not None and document.beginning is beginning:
                self.open_tree(path, number)
            elif not n and (sentence := words_for(error)):
                messages.error(sentence)

        beginning, text = document.beginning, tr("Reading {name}", name=path.name)
        document.jobs.run(
            text, file_tasks.read_tree, document.state, path, chosen, done=done, failed=failed, key="open",
        )  # fmt: skip

    @queued
    def _change(
        self, state: State, text: str, function: Any, *args: Any, remark: str = "", script: Script | None = None
    ) -> None:
        """An edit that answers a state, what did not fit any more, and of a tree from a file what else there is to say,
        and among how many trees validation rows chose it; `remark` is said after the step, too."""

        def say(lost: Sequence[str], more: str = "", trees: int = 0) -> list[str]:
            self._edits.validation_trees = max(self._edits.validation_trees, trees)
            return [hand_phrases.in_places(phrases.taken_back(lost), state.tree), more, remark]

        told = Script() if function is tree_tasks.recounted else script
        self._edits.run(text, function, *args, say=say, script=told)
