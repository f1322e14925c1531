"""Cutting back: what all methods of pruning make of one tree, of which one tree at a time is on the canvas; and by
clicks, of which one makes a node a leaf and another one brings back what stood below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

import engine
from engine.pruning import METHODS, chosen_by_validation
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import messages
from gui.model.editing import pruning_choices
from gui.model.editing.edits import Edits, is_leaf, queued, step
from gui.model.editing.pruning_choices import MOST_OFFERED, SEQUENCE, Choices, Point
from gui.model.history import Script, State
from gui.model.host import Host
from gui.model.jobs import Job, words_for
from gui.wording import hand_phrases, phrases

HINT = marked("Click a node to make it a leaf, and again to bring back what stood below it. {keys} ends this.")
OF_ITS_OWN = ("growth", "greedy_validation", "srm")  # methods whose trees one walks along, from size to size


# Which of the prunings that are computed goes onto the canvas then: the one whose leaves are nearest to a number, None:
# the recommended one; and whether it was clicked, see `Cutback.show_point`.
_Wanted = tuple[int | None, bool]


@dataclass(eq=False)
class Chart:
    """What is known about the prunings of one tree, `base`."""

    base: State | None = None  # the tree that is cut back, and its table; None without a chart
    choices: Choices | None = None  # what the methods made of it; None without a chart
    method: str = ""  # the one that was chosen
    error: str = ""  # why it made nothing; empty when nothing went wrong
    compared: bool = False  # what all methods make of the tree was asked for
    n_failed: int = 0  # splits that were tried in vain, the first steps of the chosen method's trees; see `take`
    point: Point | None = None  # which tree of the chart is on the canvas; None when none is
    # what makes the trees for a script, and these; None where they are prunings of a state of the history
    made: tuple[Script, engine.Pruning] | None = None
    _shown: dict[Point, State] = field(default_factory=dict)
    _made: tuple[Point, State] | None = None  # the one that was made last to be compared with
    _counted: engine.Pruning | None = None  # the trees that were counted last as compared
    _gone: list[State] = field(default_factory=list)  # others cut out of it: by clicks, or by methods told otherwise
    told: dict[str, dict[str, Any]] = field(default_factory=dict)  # the options that made it, once it is put aside

    def has(self, state: State) -> bool:
        """Whether this state is its tree, or was cut out of it."""
        return state is self.base or any(x is state for x in (*self._gone, *self._shown.values()))

    def has_tree(self, tree: engine.Tree) -> bool:
        """The same of a tree over the table of this chart."""
        states = [*self._gone, *self._shown.values()] + ([self.base] if self.base is not None else [])
        return any(state.tree is tree for state in states)


class Cutback(Chart):
    """The prunings of one tree. They stay as long as that tree, or one of its prunings, is on the canvas."""

    def __init__(self, document: Host, edits: Edits) -> None:
        self._document, self._edits = document, edits
        self._compares = False
        self._changed = document.pruningChanged.emit
        # asked when a pruning would take hand-made splits away. Gets their number; answers True to keep them, False to
        # prune them too, None to leave the tree as it is. The window puts its dialog here
        self.ask_keep_by_hand: Callable[[int], bool | None] = lambda n_splits: True
        self.clear()

    def clear(self) -> None:
        """Forgets everything, the answer about hand-made splits and the options too, as for a new table."""
        self.answer: bool | None = None  # whether hand-made splits are kept; None as long as nobody has decided
        self.options: dict[str, dict[str, Any]] = {}  # by method, what it is told beyond the defaults
        self._aside: Chart | None = None  # that of the tree before, which may come back
        self._forget()

    def _forget(self) -> None:
        if self.choices is not None:
            self.choices.end()
        Chart.__init__(self)
        self._wanted: _Wanted | None = None  # what the pruning that is being computed is for
        self._document.jobs.drop("pruning")

    @property
    def usual_method(self) -> str:
        """The method that the Prune button takes; empty without a table."""
        return pruning_choices.usual_method(self._document.state) if self._document.state is not None else ""

    @property
    def sequence(self) -> engine.Pruning | None:
        """What the chosen method made; None while it is computed."""
        return self._found(self.method)

    def _found(self, method: str) -> engine.Pruning | None:
        return self.choices.found.get(method) if self.choices is not None else None

    @property
    def line(self) -> tuple[str, engine.Pruning] | None:
        """The trees that one walks along, and their method: the chosen one if it has sizes, else cost complexity."""
        sequence = self.sequence
        if sequence is not None and self.method in OF_ITS_OWN:
            return self.method, sequence
        found = self.choices.line() if self.choices is not None else None
        return (SEQUENCE, found) if found is not None else None

    def why_cut(self, node: int) -> str:
        """What the method compared at a node of the pruning on the canvas, in words; empty where nothing was."""
        point = self.point
        found = self._found(point.method) if point is not None else None
        if found is None or point is None or point.step != found.chosen or found.verdicts is None:
            return ""
        return found.verdicts.words(found.full.position(node)) if node in found.full else ""

    @property
    def n_by_hand(self) -> int:
        tree = self.base.tree if self.base is not None else None
        return int((tree.by_hand & (tree.n_branches > 0)).sum()) if tree is not None else 0

    @property
    def offered(self) -> list[tuple[str, Point]]:
        """What the methods chose, and then the trees that one walks along, the smallest first: names and trees."""
        choices, line = self.choices, self.line
        chosen = [
            (f"{METHODS[name].label}: {phrases.leaves(one.steps[one.chosen].leaves)}", Point(name, one.chosen))
            for name, one in (choices.found.items() if choices is not None else ())
            if name in METHODS and not (one.chosen == 0 and choices is not None and name in choices.unfinished)
        ]
        if line is None:
            return chosen
        known, steps = {point for _, point in chosen}, line[1].steps
        points = [Point(line[0], step) for step in range(len(steps) - 1, -1, -1)]
        along = [point for point in points if point not in known][:MOST_OFFERED]
        names = (tr("Chart: {leaves}", leaves=phrases.leaves(steps[point.step].leaves)) for point in along)
        return [*chosen, *zip(names, along, strict=True)]

    def count_trees(self) -> int:
        """How many trees the chosen method compared by their validation figures; 0 once they were counted."""
        found = self.sequence
        new, self._counted = found is not self._counted, found
        return len(found.steps) if found is not None and new else 0

    def choice_of(self, state: State | None) -> engine.Choice | None:
        """How rows that did not choose see a tree that validation rows did; None of others, and until it is known."""
        for point, shown in self._shown.items():
            found = self._found(point.method)
            if shown is state and self.choices is not None and found is not None and point.step == found.chosen:
                return self.choices.judged.get(point.method)
        return None

    def known(self, point: Point) -> State | None:
        """A tree of the chart, where it was made already."""
        made = self._made[1] if self._made is not None and self._made[0] == point else None
        return self.base if point.step == 0 else self._shown.get(point, made)

    def make(self, point: Point, done: Callable[[State], None], failed: Callable[[Exception], None], key: str) -> None:
        """Makes a tree of the chart without putting it onto the canvas; nothing where it is gone."""
        sequence, base = self.trees_of(point.method), self.base
        if sequence is None or base is None or not 0 <= point.step < len(sequence.steps):
            return

        def made(state: State) -> None:
            if self.base is base:
                self._made = point, state
            done(state)

        known = self.known(point)
        if known is not None:
            done(known)
        else:
            text, how = tr("Making the tree"), (base, sequence, point.step)
            self._document.jobs.run(text, pruning_choices.pruned, *how, done=made, failed=failed, key=key)

    def prune(self, method: str | None = None) -> None:
        """Computes the prunings and puts the one that the method recommends onto the canvas."""
        self.open(method, show=True)

    def tell(self, method: str, name: str, value: Any) -> None:
        """Tells a method an option, None for the usual value, and computes what it makes then."""
        told = {**self.options.get(method, {}), name: value}
        self.options[method] = {name: value for name, value in told.items() if value is not None}
        state = self._document.state
        if self.choices is not None and state is not None:
            self.choices.forget(method)
            self._retire(method)
            # At once: behind an edit, what was computed before might still arrive, and undo might forget this.
            self._begin(state, method)

    def keep_by_hand(self, on: bool) -> None:
        """Leaves hand-made splits alone, or prunes them too, and computes what the methods make then."""
        self.answer = on
        state = self._document.state
        if self.choices is not None and self.choices.keeps != on and state is not None:
            self._begin(state, self.method)  # at once, as in `tell`
        else:
            self._changed()

    def compare(self, on: bool) -> None:
        """Whether somebody looks at what all methods make of the tree; it is found out then, nobody waits for it."""
        self._compares = on
        if on and self.compared and self.choices is not None:
            self.choices.look(but=self.method)

    @property
    def comparing(self) -> bool:
        return self.choices is not None and bool(self.choices.pending)

    def stop(self) -> None:
        """Stops whatever runs; what the methods made so far stays."""
        self._document.jobs.stop()
        if self.choices is not None:
            self.choices.stop()
            self._changed()

    def open(
        self, method: str | None = None, show: bool = False, like: int | None = None, clicked: bool = False
    ) -> None:
        """Computes the prunings, of the tree that the present ones belong to if one of them is on the canvas. `show`:
        puts the recommended one onto the canvas; `like`: the one whose leaves are nearest to this number. `clicked`:
        that pruning was clicked in the chart, see `show_point`."""
        wanted = (like, clicked) if show or like is not None else None
        self._edits.enqueue(lambda state: self._begin(state, method, wanted), looks=wanted is None)

    def _begin(self, state: State, method: str | None, wanted: _Wanted | None = None) -> None:
        base = self.base if self.base is not None and self.has(state) else state
        if wanted is not None and wanted[0] is None and self.n_failed and state is not base:
            base = state  # Go tried more splits than it kept: who prunes then means the tree that is shown
        method = method or pruning_choices.usual_method(base)
        if wanted is None and method == self.method:
            wanted = self._wanted  # what is computed otherwise now is wanted all the same
        if self.choices is None or base is not self.base or bool(self.answer) != self.choices.keeps:
            shown = [*self._gone, *self._shown.values()] if base is self.base else []
            self._forget()
            self.base, self._gone, self.point = base, shown, Point(SEQUENCE, 0) if state is base else None
            self.choices = Choices(self._document.jobs, base, bool(self.answer), self.options, self._changed)
        choices = self.choices
        self.method, self.error, self.compared = method, "", True
        self._document.jobs.drop("pruning")
        self._wanted = None
        job: Job | None = None

        def done(sequence: engine.Pruning) -> None:
            self._wanted = None
            choices.learn(method, sequence, job is not None and job.stopped)
            self._changed()
            if wanted is None:
                return
            step, (like, clicked) = sequence.chosen, wanted
            if like is None and step == 0:
                if method in choices.unfinished:
                    messages.info(sequence.remark or tr(pruning_choices.STOPPED))
                    return
                n_kept = self.n_by_hand if bool(self.answer) else 0
                messages.info(phrases.whole_is_best(n_kept, there=self._document.state is self.base))
            if like is not None:  # of two that are as near, the smaller tree
                step = min(range(len(sequence.steps)), key=lambda i: (abs(sequence.steps[i].leaves - like), -i))
            self.show(step, clicked)

        def failed(error: Exception) -> None:
            self._wanted = None
            self.error = choices.faults[method] = words_for(error) or tr(pruning_choices.FAULT)
            self._changed()
            if wanted is not None:
                messages.error(self.error)

        if pruning_choices.lacks_rule(method, self.options):
            self.error = tr(pruning_choices.NO_RULE)
            self._changed()
            if wanted is not None:
                messages.info(self.error)
        elif method in choices.found and method not in choices.unfinished:
            done(choices.found[method])
        else:
            if method in choices.unfinished and method != SEQUENCE:  # whose trees are the same, whatever judged them
                self._retire(method)
            choices.forget(method)
            self._changed()
            self._wanted = wanted
            job = self._document.jobs.run(
                tr("Pruning"), pruning_choices.pruning, base, method, choices.keeps, self.options.get(method, {}),
                done=done, failed=failed, key="pruning",
            )  # fmt: skip
        if self._compares:
            choices.look(but=method)

    def take(self, sequence: engine.Pruning, base: State, shown: State, made: Script) -> None:
        """Takes prunings that came about otherwise, of the tree of `base`; `shown`, the recommended one, comes next.
        `made`: the step of a script that makes them."""
        self._forget()
        self.made = made, sequence
        self.base, self.method, self.n_failed = base, sequence.method, sequence.chosen
        self.choices = Choices(self._document.jobs, base, bool(self.answer), self.options, self._changed)
        self.choices.learn(sequence.method, sequence)
        self.point = Point(sequence.method, sequence.chosen)
        self._shown[self.point] = shown
        self._changed()

    def know(self, state: State) -> None:
        """A tree that a person cut out of the same one is about to be shown: the chart stays."""
        if self.base is not None and not self.has(state):
            self._gone.append(state)

    def show(self, index: int, clicked: bool = True) -> None:
        """Puts one of the chosen method's prunings onto the canvas, see `show_point`."""
        self.show_point(Point(self.method, index), clicked)

    @queued
    def show_point(self, state: State, point: Point, clicked: bool = True) -> None:
        """Puts a tree of the chart onto the canvas. `clicked`: in the chart, where clicks in a row are one undo step;
        what the Prune button does is a step of its own, which no click continues."""
        sequence, base = self.trees_of(point.method), self.base
        if sequence is None or base is None or not 0 <= point.step < len(sequence.steps):
            return
        known = base if point.step == 0 else self._shown.get(point)
        if known is not None and known is state:
            self._stay(point, clicked)
            return
        text = phrases.pruned(sequence.steps[point.step].leaves, point.method)
        # Who clicks in the chart chooses by its validation errors, whatever the method looked at.
        looked = clicked or chosen_by_validation(point.method, self.options.get(point.method, {}))
        trees = self.count_trees if looked else lambda: 1
        how: dict[str, Any] = {"merge": base if clicked else None, "script": self._script(point, base, sequence)}
        if known is not None:
            self._edits.push(known, text, compared=trees(), **how)
            return
        how["compared"] = trees
        how["unpack"] = lambda after: self._agreed(base, sequence, after, point, clicked)
        self._edits.run(text, pruning_choices.pruned, sequence, point.step, **how)

    def _script(self, point: Point, base: State, sequence: engine.Pruning) -> Script:
        """The step of a script that makes a tree of the chart."""
        told: dict[str, Any] = {"keep_by_hand": True} if self.choices is not None and self.choices.keeps else {}
        told |= {} if point.step == sequence.chosen else {"step": point.step}
        made = step("prune", point.method, **told, **self.options.get(point.method, {}))
        if self.made is None:
            return Script(made.steps, base) if point.step else Script((), base)
        (first,), of = self.made[0]
        if sequence is self.made[1] or not point.step:  # the step that made the chart makes these trees, too
            at = {} if point.step == sequence.chosen and point.step else {"step": point.step}
            return Script((first._replace(options={**first.options, **at}),), of)
        return Script((first._replace(options={**first.options, "step": 0}), *made.steps), of)

    @property
    def shown_pruning(self) -> engine.Pruning | None:
        """The pruning whose tree is on the canvas, which is its chosen one; None of any other tree."""
        point = self.point
        found = self._found(point.method) if point is not None else None
        return replace(found, chosen=point.step) if found is not None and point is not None else None

    def follow(self, state: State) -> None:
        """Another state is on the screen: is it one of these?"""
        aside = self._aside
        if self.base is None and (aside is None or not aside.has(state)):
            return
        if not self.has(state):
            if self.base is not None:  # it comes back with its own tree, as by undo
                self.told = dict(self.options)
                self._aside = Chart(*(getattr(self, one.name) for one in fields(Chart)))
            self._forget()
            if aside is not None and aside.has(state):
                self._bring_back(aside)
        if state is self.base:
            self.point = Point(SEQUENCE, 0)
        elif self.base is not None:
            self.point = next((point for point, shown in self._shown.items() if shown is state), None)
        if self.choices is not None and self.point is not None:
            self.choices.judge(self.point)
        self._document.pruningChanged.emit()

    def _bring_back(self, chart: Chart) -> None:
        """The chart of a tree that is on the canvas again, without what its methods were told otherwise since."""
        if chart.choices is None or chart.choices.keeps != bool(self.answer):
            return
        vars(self).update(vars(chart), error="")
        for method in {*self.options, *chart.told}:
            if self.options.get(method, {}) != chart.told.get(method, {}):
                chart.choices.forget(method)
                self._retire(method)
        if self.compared and (self._compares or self.method not in chart.choices.found):
            chart.choices.look()

    def _retire(self, method: str) -> None:
        """The trees of a method are others from now on; those that were shown stay in the history."""
        self._made = None
        for point in [point for point in self._shown if point.method == method]:
            self._gone.append(self._shown.pop(point))
            if point == self.point:
                self.point = None

    def trees_of(self, method: str) -> engine.Pruning | None:
        """What a method made; of cost complexity also before anything has judged it."""
        found = self._found(method)
        return self.choices.line() if found is None and method == SEQUENCE and self.choices is not None else found

    def _agreed(self, base: State, sequence: engine.Pruning, after: State, point: Point, clicked: bool) -> State | None:
        """The pruned state, unless hand-made splits would go that a person wants to keep."""
        choices = self.choices
        now = self.trees_of(point.method)
        if choices is None or self.base is not base:
            return None
        old = now is None or now.trees is not sequence.trees  # told otherwise while the tree was made
        made = base.tree.ids[base.tree.by_hand & (base.tree.n_branches > 0)]
        lost = int(np.setdiff1d(made, after.tree.ids[after.tree.n_branches > 0]).size)  # that were made by hand
        if lost and self.answer is None and not old:
            answer = self.ask_keep_by_hand(lost)
            if answer is None or self.choices is not choices:
                return None
            self.answer = answer
        if old or (lost and self.answer and not choices.keeps):  # what the method makes now comes in its place
            chosen = point.step == sequence.chosen
            self.open(point.method, show=chosen, like=None if chosen else after.tree.n_leaves, clicked=clicked)
            return None
        on_canvas = self._document.state
        # One may have been made before, by another method or by what this one was told then.
        known = (state for state in (on_canvas, *self._gone) if state is not None)
        tree = after.tree
        same = (x for x in known if x.tree.n_nodes == tree.n_nodes and is_cut_out(x.tree, tree))
        after = next(same, after)
        self._gone = [state for state in self._gone if state is not after]
        self._shown[point] = after
        if after is on_canvas:
            self._stay(point, clicked)
            return None
        return after

    def _stay(self, point: Point, clicked: bool) -> None:
        """A tree that was asked for is on the canvas already: no step, and no use of validation rows."""
        self.point = point if point.step else Point(SEQUENCE, 0)
        self._changed()
        if point.step and not clicked:
            messages.info(tr(pruning_choices.ON_CANVAS))


class ClickCut(QObject):
    """Whether clicks cut, and the tree that they bring back. That tree is the one on the canvas when the first click
    came. Its own leaves get back what a pruning took there, where it was cut out of the tree of the chart. Clicks in a
    row are one undo step, which begins at that tree: the step before, whatever it was, stays as it is."""

    changed = Signal()  # `on` is another

    def __init__(self, document: Host, edits: Edits, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._edits, self._cutback = document, edits, cutback
        self.on = False  # whether a click on a node cuts
        self._began: State | None = None  # the tree on the canvas when the first click came
        self._made: State | None = None  # what the last click made of it
        self._row = object()  # the clicks in a row; another one for every row
        self._told: messages.Message | None = None
        document.tableChanged.connect(self._on_table_changed)

    def toggle(self, keys: str) -> None:
        """Begins or ends it; `keys`: what ends it again."""
        self.on = not self.on and self._document.tree is not None
        self._forget()
        if self.on:
            self._told = messages.info(tr(HINT, keys=keys))
        self.changed.emit()

    def stop(self) -> None:
        """Stops what somebody waits for; while nobody does, it ends the cutting."""
        if self.on and not self._document.jobs.working:
            self.toggle("")
        else:
            self._cutback.stop()

    def _on_table_changed(self) -> None:
        self._forget(hint=self._document.tree is None)
        if self.on and self._document.tree is None:
            self.on = False
            self.changed.emit()

    def _forget(self, hint: bool = True) -> None:
        self._began = self._made = None
        if hint and self._told is not None:
            messages.withdraw(self._told)
            self._told = None

    def made(self, tree: engine.Tree | None) -> bool:
        """Whether this tree is what the last click made, so that it stands where the mouse is."""
        return self.on and self._made is not None and self._made.tree is tree

    @queued
    def click(self, state: State, node: int) -> None:
        """Makes a leaf of a node, or brings back what stood below it."""
        if node not in state.tree:
            return
        if self._began is None or (state is not self._began and state is not self._made):
            self._began, self._made, self._row = state, None, object()
        began, base = self._began, self._cutback.base
        known = base is not None and base.table is began.table and is_cut_out(began.tree, base.tree)
        full = base if known and base is not None else began  # the tree of the chart if this one was cut out of it
        cut, at_first = (cuts_between(full.tree, each.tree) for each in (state, began))
        if not is_leaf(state.tree, node):
            cut, text = cut | {node}, hand_phrases.collapse(state.tree, node)
        elif not is_leaf(full.tree, node):
            tree = began.tree if node in began.tree and not is_leaf(began.tree, node) else full.tree
            below = tree.ids[tree.position(node) : tree.end[tree.position(node)]] if tree is began.tree else ()
            cut = (cut - {node}) | (at_first & frozenset(map(int, below)))
            text = hand_phrases.brought_back(tree, node)
        else:
            messages.info(tr("Nothing stands below this node, so there is nothing to cut."))
            return

        def agreed(after: State) -> State:
            self._made = began if cuts_between(full.tree, after.tree) == at_first else after
            self._cutback.know(self._made)
            return self._made

        script = step("collapse", *sorted(cut)) if cut else Script()
        self._edits.run(
            text, cut_out, full, cut, node, unpack=agreed, merge=self._row, script=Script(script.steps, full),
            naming=lambda before, after: self._named(began, after, text),
        )  # fmt: skip

    def _named(self, began: State, after: engine.Tree, text: str) -> str:
        """The name of the step that all clicks in a row are: what the only one did, or how many leaves there are."""
        cut, back = cuts_between(began.tree, after), cuts_between(after, began.tree)
        if len(cut) + len(back) != 1:
            return phrases.cut_by_clicks(after.n_leaves) if cut or back else text
        (node,) = cut or back
        return hand_phrases.collapse(began.tree, node) if cut else hand_phrases.brought_back(after, node)


# -- in the worker, without Qt


def cut_out(state: State, base: State, cut: frozenset[int], node: int, progress: Progress) -> State:
    """The tree of `base` with these nodes as leaves. InputError: `node`, which changes now, is locked."""
    from engine.tree.marks import check_unlocked  # late: it brings the compiler

    check_unlocked(base.tree, node, below=True)
    return base.following(without_branches(base.tree, cut)) if cut else base


def without_branches(tree: engine.Tree, cut: frozenset[int]) -> engine.Tree:
    """The tree with these nodes as leaves, locked or not."""
    from engine.tree.arrays import collapse  # late: it brings the compiler

    return collapse(tree, [tree.position(node) for node in cut])


def cuts_between(full: engine.Tree, part: engine.Tree) -> frozenset[int]:
    """The nodes that are split in one tree and leaves in the other."""
    split = full.ids[full.n_branches > 0]
    return frozenset(np.intersect1d(split, part.ids[part.leaves]).tolist())


def is_cut_out(part: engine.Tree, full: engine.Tree) -> bool:
    """Whether a tree is another one with some nodes as leaves, and as it was otherwise."""
    if part is full:
        return True
    if part.counted_on != full.counted_on or not np.isin(part.ids, full.ids).all():
        return False
    cut = cuts_between(full, part)
    rest = without_branches(full, cut) if cut else full
    fields = ("ids", "n_branches", "kind", "column", "threshold", "missing", "unseen", "payload_size")
    pairs = [(getattr(rest.nodes, name), getattr(part.nodes, name)) for name in fields]
    same = all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in [*pairs, (rest.payload, part.payload)])
    return same and dict(rest.marks) == dict(part.marks)
