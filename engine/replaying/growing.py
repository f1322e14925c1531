"""Growing, step by step: which leaf is taken, which splits are compared there, which one is made, and why a leaf stays
one. The steps are read off the tree that `engine.grow` made; what was compared at a node is searched once more."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.criteria import CRITERIA
from engine.growing import grow, worth_keeping
from engine.growing.frontier import Frontier, even_drop
from engine.pruning.growth import criterion_of, measured
from engine.ranking.arithmetic import arithmetic
from engine.ranking.candidates import Candidate, candidates
from engine.ranking.node_search import searched_table
from engine.replaying.record import MOST_STEPS, Account, Step, figure
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.search.options import Search
from engine.splits import branch_words, sentence
from engine.table.partition import TRAIN
from engine.table.table import Table
from engine.tree.arrays import collapse, impurities, weighted_drops
from engine.tree.assignment import Assignment, assign
from engine.tree.tree import Tree

LEAF, SEARCH, NONE, CHOOSE, SPLIT, CUT, END = range(7)  # what a step does
LISTED = 12  # candidates or open leaves that a step lists
WORKED = 3  # branches whose impurity is worked out
SAME = 1e-9  # gains that differ by no more than this share are equal
MOST_TERMS = 90  # letters of an impurity with its numbers put in

# By order: the pseudo-code, and the line of each kind of step. The recursion is `MakeSubtree` of the notes (note 002),
# the one of the best leaf their top-down algorithm (note 005, 12.1.4; Kearns and Mansour 1996).
PSEUDOCODE: dict[str, tuple[tuple[str, ...], dict[int, int]]] = {
    "depth_first": (
        (
            marked("grow(D):  the rows of a node"),
            marked("    if D is pure, small or deep:"),
            marked("        return a leaf"),
            marked("    S ← the split of D of most gain"),
            marked("    if there is none:  return a leaf"),
            marked("    for each branch k of S:"),
            marked("        child k ← grow(D of k)"),
            marked("    return S with its children"),
        ),
        {LEAF: 2, SEARCH: 3, NONE: 4, SPLIT: 6, CUT: 7, END: 7},
    ),
    "level": (
        (
            marked("queue ← the root"),
            marked("while there are nodes in the queue:"),
            marked("    v ← the first of them"),
            marked("    if v is pure, small or deep:  a leaf"),
            marked("    S ← the split of v of most gain"),
            marked("    if there is none:  a leaf"),
            marked("    else:  split v, queue its branches"),
            marked("return the tree"),
        ),
        {LEAF: 3, SEARCH: 4, NONE: 5, SPLIT: 6, CUT: 7, END: 7},
    ),
    "best_first": (
        (
            marked("T ← a single leaf"),
            marked("repeat:"),
            marked("    for each new leaf v of T:"),
            marked("        if pure, small or deep:  close v"),
            marked("        S(v) ← its split of most gain"),
            marked("    v ← the leaf of most share · gain"),
            marked("    T ← T with v split by S(v)"),
            marked("until no leaf is open, or T is full"),
        ),
        {LEAF: 3, SEARCH: 4, NONE: 4, CHOOSE: 5, SPLIT: 6, CUT: 7, END: 7},
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Growth:
    """How a tree grew, see `engine.replaying.record.Replay`.

    Attributes:
        full: the tree before the option `cp` took splits back. result: what `engine.grow` gives.
        acts: what each step does. open: by step, the positions in `full` of the leaves that wait for their turn then.
        made: the positions of the splits of `full`, in the order in which they were made.
    """

    table: Table
    search: Search
    full: Tree
    result: Tree
    at: Assignment
    steps: tuple[Step, ...]
    acts: tuple[int, ...]
    open: tuple[tuple[int, ...], ...]
    made: NDArray[np.int64]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(tr(line) for line in PSEUDOCODE[self.search.order][0])

    def tree(self, i: int) -> Tree:
        step = self.steps[i]
        if self.acts[i] in (CUT, END):
            return self.result
        later = self.made[step.done :]
        return collapse(self.full, later) if later.size else self.full

    def account(self, i: int, progress: Progress | None = None) -> Account:
        act, node = self.acts[i], self.full.position(self.steps[i].node)
        if act == LEAF:
            return Account(f"{self.closed(node)} {self._predicts(node)}")
        if act == CHOOSE:
            return self._chosen(node, self.open[i])
        if act == CUT:
            return self._taken_back()
        if act == END:
            return self._ended(i)
        return self._searched(i, node, progress or Progress())

    # -- why a leaf stays one

    def closed(self, i: int) -> str:
        """Why the node at position i of `full` is not searched: pure, too small or too deep; empty where it is."""
        rows = self.at.rows_of(i)
        y = self._view.y[rows[self.table.part[rows] == TRAIN]]
        n, search = y.size, self.search
        if n and (y == y[0]).all():
            if self.full.task == "classes":
                label = self.full.classes[self.full.labels[i]]
                return tr("All {n:,} training rows are “{label}”: the node is pure.", n=n, label=label)
            return tr("All {n:,} training rows have the same target value: the node is pure.", n=n)
        if n < search.rows_to_split:
            said = {"n": n, "least": search.rows_to_split}
            return tr("Training rows: {n:,}. A split needs at least {least:,}, so the node stays a leaf.", **said)
        if search.max_depth is not None and int(self.full.level[i]) >= search.max_depth:
            return tr("Maximum depth is {depth}, so the node stays a leaf.", depth=search.max_depth)
        return ""

    def _predicts(self, i: int) -> str:
        if self.full.task == "classes":
            return tr("It predicts “{label}”.", label=self.full.classes[self.full.labels[i]])
        return tr("It predicts {value}.", value=figure(float(self.full.predictions[i])))

    @cached_property
    def _view(self) -> Table:
        return searched_table(self.table, self.search)

    # -- what was compared

    def candidates(self, i: int, progress: Progress) -> list[Candidate]:
        """The splits that were compared at the node at position i of `full`, the best first."""
        options, node = self.search.to_dict(), int(self.full.ids[i])
        if self.search.max_depth is not None and int(self.full.level[i]) == self.search.max_depth - 1:
            options["lookahead"] = 1  # only one more level may grow, and the split is judged by that one
        found = candidates(self.table, self.full, node, assignment=self.at, progress=progress, **options)
        return [one for one in found if one.split is not None]

    def _searched(self, i: int, node: int, progress: Progress) -> Account:
        found, act = self.candidates(node, progress), self.acts[i]
        if not found:
            said = tr("No column separates these rows as the search options ask: the node stays a leaf.")
            return Account(f"{said} {self._predicts(node)}")
        split = self.full.split_at(node)
        alike = [k for k, one in enumerate(found) if split is not None and one.column == split.column]
        taken = next((k for k, one in enumerate(found) if one.split == split), alike[0] if alike else -1)
        best = found[max(taken, 0)]
        if act == SPLIT:
            return self._split(node, best)
        titles, figures = self._compared(found)
        if taken < 0:
            words = f"{self._in_vain(i, found)} {self._predicts(node)}"
            return Account(words, self._sum(best), titles, figures)
        return Account(self._reason(found, taken), self._sum(best), titles, figures, taken)

    def _value(self, one: Candidate) -> float:
        """What columns are ranked by."""
        if self.search.lookahead > 1 and not math.isnan(one.ahead):
            return one.ahead
        return one.scores.get(self.search.criterion, one.gain) if self._criterion.by_score else one.gain

    @property
    def _criterion(self) -> Any:
        return CRITERIA[self.search.criterion]

    @property
    def _noun(self) -> str:
        if self.search.lookahead > 1:
            return tr("gain of two levels")
        if self._criterion.by_ratio:
            return tr("gain ratio")
        return "LogWorth" if self._criterion.by_evidence else tr("gain")

    def _compared(self, found: list[Candidate]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        noun, by_ratio = self._noun, self._criterion.by_ratio
        titles = (tr("Split"), *((tr("Gain"),) if by_ratio else ()), noun[:1].upper() + noun[1:])
        lines = [
            (self._words(one), *((figure(one.gain),) if by_ratio else ()), figure(self._value(one)))
            for one in found[:LISTED]
        ]
        if len(found) > LISTED:
            more = tr("{n} more columns", n=len(found) - LISTED)
            lines.append((more, *("",) * (len(titles) - 1)))
        return titles, tuple(lines)

    def _words(self, one: Candidate) -> str:
        assert one.split is not None
        if one.split.n_branches == 2:
            return sentence(one.split, 0, self.full.kinds)
        return tr("{column}: {n} branches", column=one.column, n=one.split.n_branches)

    def _reason(self, found: list[Candidate], taken: int) -> str:
        best, noun = found[taken], self._noun
        said: dict[str, Any] = {"split": self._words(best), "noun": noun, "value": figure(self._value(best))}
        if self.search.columns_per_node:
            said["n"] = self.search.columns_per_node
            return tr("“{split}” is the best of {n:,} columns drawn at random for this node: {noun} {value}.", **said)
        if taken > 0:
            return tr("“{split}” is the first split that passes the test, with {noun} {value}.", **said)
        if len(found) == 1:
            return tr("“{split}” is the only split here: {noun} {value}.", **said)
        second = found[1]
        said |= {"other": self._words(second), "less": figure(self._value(second))}
        if self._criterion.by_ratio:
            return tr(
                "“{split}” has the largest {noun}, {value}, of the splits that gain at least the average of all "
                "columns; then comes “{other}”, {less}.", **said,
            )  # fmt: skip
        if said["value"] == said["less"] and self._value(best) - self._value(second) <= 1e-9 * abs(self._value(best)):
            return tr(
                "“{split}” and “{other}” have the same {noun}, {value}: the column further left is taken.", **said
            )
        return tr("“{split}” has the largest {noun}, {value}; then comes “{other}”, {less}.", **said)

    def _in_vain(self, i: int, found: list[Candidate]) -> str:
        best, search = found[0], self.search
        merit = best.ahead if search.lookahead > 1 and not math.isnan(best.ahead) else best.gain
        said: dict[str, Any] = {"split": self._words(best), "gain": figure(merit), "least": figure(search.min_gain)}
        if search.min_gain > 0 and merit < search.min_gain:
            return tr("The best gain, {gain}, is below Minimum gain, {least}, so the node stays a leaf.", **said)
        if search.significance is not None:
            said |= {"alpha": figure(search.significance), "n": len(found)}
            return tr(
                "No split is significant: for none is the adjusted p-value times {n:,} columns at most {alpha}. The "
                "node stays a leaf.", **said,
            )  # fmt: skip
        if search.max_leaves is not None:
            said["most"] = search.max_leaves
            return tr(
                "“{split}” would gain {gain}, but the tree may have at most {most:,} leaves, and other leaves come "
                "first.", **said,
            )  # fmt: skip
        return tr("“{split}” would gain {gain}, but growing was stopped.", **said)

    def _sum(self, best: Candidate) -> tuple[str, ...]:
        """The formula of the criterion, then with the numbers of a candidate."""
        split, worked = best.split, arithmetic(best, self.search.criterion)
        assert split is not None
        lines = [f"{worked.label}:  i = {worked.formula}"]
        if math.isnan(worked.children):
            return (*lines, tr("gain = {gain}", gain=figure(worked.gain)))
        names = [branch_words(split, b, self.full.kinds) for b in range(len(worked.branches))]
        filled = [(words, part) for words, part in zip(names, worked.branches, strict=True) if part.weight > 0]
        gain = tr("gain")
        for words, part in ((tr("node"), worked.node), *filled[:WORKED]):
            terms = part.terms if self.full.task == "classes" else f"{figure(part.counts[2])} ÷ {figure(part.weight)}"
            terms = f" = {terms}" if terms and len(terms) <= MOST_TERMS else ""
            lines.append(f"i({words}){terms} = {figure(part.impurity)}")
        each = " + ".join(f"{figure(part.share)} · {figure(part.impurity)}" for _, part in filled[:WORKED])
        each += " + …" * (len(filled) > WORKED)
        lines.append(f"{gain} = {figure(worked.node.impurity)} − ({each}) = {figure(worked.drop)}")
        if not math.isnan(worked.searched):
            lines.append(tr("gain = {gain}, of the rows that have the value, times their share",
                            gain=figure(worked.searched)))  # fmt: skip
        if not math.isnan(worked.ratio):
            gain, bits, ratio = map(figure, (worked.gain, worked.information, worked.ratio))
            lines.append(tr("ratio = gain ÷ split information = {gain} ÷ {bits} = {ratio}", gain=gain, bits=bits,
                            ratio=ratio))  # fmt: skip
        if self.search.lookahead > 1 and not math.isnan(best.ahead):
            lines.append(tr("with the best splits below it: {gain}", gain=figure(best.ahead)))
        return tuple(lines)

    def _split(self, node: int, made: Candidate) -> Account:
        full = self.full
        children = full.children(node)
        titles = (tr("Branch"), tr("Training rows"), tr("Impurity"), tr("Predicts"))
        mixed, classes = self._mixed, full.task == "classes"
        figures = tuple(
            (full.sentence(k), f"{int(full.rows_train[k]):,}", figure(float(mixed[k])),
             full.classes[full.labels[k]] if classes else figure(float(full.predictions[k])))
            for k in children
        )  # fmt: skip
        said = {"title": self._words(made), "n": len(children), "rows": int(full.rows_train[node])}
        words = tr("Split by “{title}”: the {rows:,} training rows go into {n} branches.", **said)
        return Account(words, self._sum(made), titles, figures)

    # -- which leaf comes first

    @cached_property
    def _mixed(self) -> NDArray[np.float64]:
        return impurities(measured(self.table, self.full), criterion_of(self.full))

    @cached_property
    def drops(self) -> NDArray[np.float64]:
        """float64[n_nodes]: by how much each split of `full` lowers the criterion of the whole tree."""
        return weighted_drops(measured(self.table, self.full), criterion_of(self.full))

    def _chosen(self, node: int, waiting: tuple[int, ...]) -> Account:
        full, drops = self.full, self.drops
        known = sorted((i for i in waiting if full.n_branches[i]), key=lambda i: -float(drops[i]))
        known = [node, *(i for i in known if i != node)]
        share = full.searched_weight / full.searched_weight[0]
        figures = [
            (f"#{int(full.ids[i])} {full.sentence(i)}", figure(float(share[i])),
             figure(float(drops[i] / share[i])), figure(float(drops[i])))
            for i in known[:LISTED]
        ]  # fmt: skip
        if len(waiting) > len(figures):
            more = tr("{n} more leaves: less, or no split", n=len(waiting) - len(figures))
            figures.append((more, "", "", ""))
        titles = (tr("Open leaf"), tr("Share"), tr("Gain"), tr("Drop"))
        said = {"node": f"#{int(full.ids[node])}", "drop": figure(float(drops[node]))}
        words = tr("Of all open leaves the split of {node} lowers the impurity of the tree most, by {drop}.", **said)
        if len(waiting) == 1:
            words = tr("{node} is the only open leaf: its split lowers the impurity of the tree by {drop}.", **said)
        numbers = f"{figure(float(share[node]))} · {figure(float(drops[node] / share[node]))}"
        formula = (tr("drop = share of the training rows · gain"), f"= {numbers} = {said['drop']}")
        notes = tuple((int(full.ids[i]), figure(float(drops[i]))) for i in known)
        return Account(words, formula, titles, tuple(figures), 0, notes)

    # -- the end

    def _taken_back(self) -> Account:
        n, cp, cost = self.full.n_leaves - self.result.n_leaves, self.search.cp, float(self.full.costs("train")[0])
        said = {"n": n, "cp": figure(cp), "price": figure(cp * cost)}
        words = tr("Splits that save less than {price} errors for each leaf that they add are taken back: {n:,} leaves "
                   "fewer.", **said)  # fmt: skip
        formula = (
            tr("(errors as a leaf − errors of the branch) ÷ (leaves − 1) ≤ cp · errors of the root"),
            f"cp · R(root) = {figure(cp)} · {figure(cost)} = {said['price']}",
        )
        return Account(words, formula)

    def _ended(self, i: int) -> Account:
        tree, most, done = self.result, self.search.max_leaves, self.steps[i - 1].done
        words = [tr("The tree is grown: leaves {leaves:,}, depth {depth}.", leaves=tree.n_leaves, depth=tree.depth)]
        if done < self.made.size:
            words.insert(0, tr("The other {n:,} splits are found in the same way.", n=self.made.size - done))
        elif most is not None and self.open[i]:
            words.append(tr("It may have at most {most:,} leaves, so no other leaf is split.", most=most))
        return Account(" ".join(words))


def replay_growth(
    table: Table, *, preset: str | None = None, progress: Progress | None = None, **options: Any
) -> Growth:
    """Grows a tree, and tells step by step how.

    Args:
        preset, options: as of `engine.grow`.
        progress: when it is stopped, the steps are those of the tree as far as it was grown.

    Returns:
        The steps; the tree of the last one is what `engine.grow` gives. Beyond `MOST_STEPS` one last step makes all
        splits that are left.

    Raises:
        InputError: an option cannot be used.
    """
    search = Search.make(table.task, preset, **options)
    full = grow(table, progress=progress, **{**search.to_dict(), "cp": 0.0})
    kept = worth_keeping(full, Tree.root(table), search.cp)
    result = replace(kept, options=search.to_dict())
    full = full if search.cp else result
    at = assign(table, full)
    growth = Growth(table, search, full, result, at, (), (), (), np.zeros(0, np.int64))
    return _walked(growth, kept is not full and search.cp > 0)


def _walked(growth: Growth, cut: bool) -> Growth:
    """The same with its steps."""
    full, search, line = growth.full, growth.search, PSEUDOCODE[growth.search.order][1]
    best_first = search.order == "best_first"
    urgency = full.level.astype(np.float64)
    if best_first:
        with_spread, criterion = measured(growth.table, full), criterion_of(full)
        urgency = -even_drop(growth.drops, float(impurities(with_spread, criterion)[0]))
    frontier = Frontier[int](search.order, 1, search.max_leaves)
    steps, acts, waits, made = list[Step](), list[int](), list[tuple[int, ...]](), list[int]()
    waiting: dict[int, None] = {}

    def add(act: int, i: int) -> None:
        steps.append(Step(line[act], int(full.ids[i]), len(made)))
        acts.append(act)
        waits.append(tuple(waiting))

    fresh = [0]
    while True:
        if best_first:
            for new in fresh:
                closed = full.n_branches[new] == 0 and growth.closed(new)
                add(LEAF if closed else SEARCH, new)
                if not closed:
                    waiting[new] = None
            fresh = [new for new in fresh if full.n_branches[new] > 0]
        else:
            waiting |= dict.fromkeys(fresh)
        frontier.add(fresh, lambda i: float(urgency[i]))
        i = frontier.take()
        if i is None:
            break
        fresh = []
        if best_first:
            add(CHOOSE, i)
        waiting.pop(i)
        if not best_first:
            if full.n_branches[i] == 0 and growth.closed(i):
                add(LEAF, i)
                continue
            add(SEARCH, i)
            if full.n_branches[i] == 0:
                add(NONE, i)
                continue
        frontier.has_room(int(full.n_branches[i]))
        made.append(i)
        fresh = full.children(i)
        add(SPLIT, i)
    order = np.array(made, np.int64)
    if len(steps) > MOST_STEPS:
        del steps[MOST_STEPS:], acts[MOST_STEPS:], waits[MOST_STEPS:]
    elif cut:
        add(CUT, 0)
    add(END, 0)
    return replace(growth, steps=tuple(steps), acts=tuple(acts), open=tuple(waits), made=order)
