"""Pruning, step by step: at each node what was compared, with the numbers, and what became of it. The steps are read
off what `engine.prune` gives; the last one shows its tree.

A method that compares each node as a leaf with its branches (`engine.pruning.result.Verdicts`) is walked from node to
node; one that makes a sequence of trees from tree to tree. What a method's own pseudo-code and formula are is its entry
of `WAYS`; a method without one is told in the general words."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.learning_theory.bounds import srm_penalty
from engine.pruning import METHODS
from engine.pruning.cost_complexity import training_costs
from engine.pruning.options import Options
from engine.pruning.pessimistic import walked
from engine.pruning.raising import QUANTITIES
from engine.pruning.result import Nested, Pruning, Told, Verdicts, prune
from engine.pruning.sequence import TIE, Floats
from engine.replaying.record import MOST_STEPS, Account, Step, figure
from engine.replaying.word_for_word import BRANCH, KEEP, LEAF, Asked, Choice, c45_nodes, errors, generic_nodes
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.table.table import Table
from engine.tree.arrays import collapse
from engine.tree.tree import Tree

COMPARE, COLLAPSE, CUT, RAISE, STAY, CHOOSE, END = range(7)  # what a step does
ACTS = {LEAF: CUT, BRANCH: RAISE, KEEP: STAY}
LISTED = 10  # nodes or trees that a step lists
TREES = ("cost_complexity", "greedy_validation", "growth", "srm")  # methods that are walked from tree to tree

Lines = tuple[str, ...]


class Way(NamedTuple):
    """How a method is told.

    Attributes:
        code: its pseudo-code. lines: by what a step does, its line of that.
        rule: its rule in symbols.
        numbers: (the run, a position) → the rule's own terms with the numbers of a node.
        down: whether nodes come before those below them.
    """

    code: Lines
    lines: dict[int, int]
    rule: str
    numbers: Callable[["Run", int], Lines] = lambda run, i: ()
    down: bool = False


class Moment(NamedTuple):
    """A step: what it does, the node's position, the tree after it, what was compared."""

    act: int
    node: int
    tree: Callable[[], Tree]
    account: Callable[[], Account]


@dataclass(frozen=True, eq=False)
class Run:
    """A method at work, see `engine.replaying.record.Replay`."""

    table: Table
    pruning: Pruning
    told: Options
    way: Way
    moments: tuple[Moment, ...] = ()

    @property
    def compared(self) -> Verdicts:
        assert isinstance(self.pruning.verdicts, Verdicts)
        return self.pruning.verdicts

    @property
    def full(self) -> Tree:
        return self.pruning.full

    @property
    def lines(self) -> Lines:
        return tuple(tr(line) for line in self.way.code)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        done, found = 0, list[Step]()
        for moment in self.moments:
            done += moment.act in (COLLAPSE, CUT, RAISE)
            found.append(Step(self.way.lines[moment.act], int(self.full.ids[moment.node]), done))
        return tuple(found)

    def tree(self, i: int) -> Tree:
        return self.moments[i].tree()

    def account(self, i: int, progress: Progress | None = None) -> Account:
        return self.moments[i].account()


# -- from node to node


def _from_node_to_node(run: Run) -> list[Moment]:
    full, verdicts, moments, cut = run.full, run.compared, list[Moment](), list[int]()
    known, stop = ~(np.isnan(verdicts.leaf) | np.isnan(verdicts.branch)), 0
    for i in range(full.n_nodes) if run.way.down else branches_first(full):
        if not known[i] or i < stop or len(moments) >= MOST_STEPS:
            continue
        goes = _goes(verdicts, i)
        account = _compared(run, i, goes)
        moments.append(Moment(COMPARE, i, _after(run, cut), account))
        if goes:
            cut.append(i)
            moments.append(Moment(CUT, i, _after(run, cut), account))
            stop = int(full.end[i]) if run.way.down else 0  # what is below it is gone
    return moments


def branches_first(tree: Tree) -> list[int]:
    """The positions of the splits, each after those below it, branch after branch."""
    order = np.lexsort((-np.arange(tree.n_nodes), tree.end))
    return [i for i in order.tolist() if tree.n_branches[i]]


def _goes(verdicts: Verdicts, i: int) -> bool:
    """Whether the node is a leaf by what was compared."""
    leaf, branch = float(verdicts.leaf[i]), float(verdicts.branch[i])
    allowed = float(verdicts.allowance[i]) if verdicts.allowance.size else 0.0
    return leaf <= branch + allowed + TIE * max(abs(leaf), abs(branch), 1.0 if allowed else 0.0)


def _after(run: Run, cut: list[int]) -> Callable[[], Tree]:
    """The tree with the splits that were cut by now as leaves."""
    n = len(cut)
    return lambda: collapse(run.full, cut[:n]) if n else run.full


def _compared(run: Run, i: int, goes: bool) -> Callable[[], Account]:
    def account() -> Account:
        verdicts = run.compared
        leaf, branch = float(verdicts.leaf[i]), float(verdicts.branch[i])
        allowed = float(verdicts.allowance[i]) if verdicts.allowance.size else 0.0
        figures = [(tr("as a leaf"), figure(leaf)), (tr("with its branches"), figure(branch))]
        if allowed:
            figures.append((tr("a leaf may be worse by"), figure(allowed)))
        more, sign = f" + {figure(allowed)}" if allowed else "", "≤" if goes else ">"
        weighed = f"{figure(leaf)} {sign} {figure(branch)}{more}"
        formula = (tr(run.way.rule), *run.way.numbers(run, i), weighed)
        ends = tr("The node becomes a leaf.") if goes else tr("The split stays.")
        title = f"#{int(run.full.ids[i])} {run.full.title(i)}"
        words, node = f"{ends} {verdicts.words(i)}", int(run.full.ids[i])
        return Account(words, formula, (title, ""), tuple(figures), 0 if goes else 1, ((node, weighed),))

    return account


def _by_words(run: Run, told: Told) -> list[Moment]:
    """Where rules or sentences decide: what they say of each split that they say something of."""
    full, result = run.full, run.pruning.tree(run.pruning.chosen)
    moments, cut = list[Moment](), list[int]()
    for i in branches_first(full):
        words = told.words(i)
        if not words or len(moments) >= MOST_STEPS:
            continue
        node = int(full.ids[i])
        stays = node in result and bool(result.n_branches[result.position(node)])
        ends = tr("The split stays.") if stays else tr("The node becomes a leaf.")
        account = _known(Account(f"#{node} {full.title(i)}. {words} {ends}", (tr(run.way.rule),)))
        moments.append(Moment(COMPARE, i, _after(run, cut), account))
        if not stays:
            cut.append(i)
            moments.append(Moment(CUT, i, _after(run, cut), account))
    return moments


def _known(account: Account) -> Callable[[], Account]:
    return lambda: account


# -- word for word


def _word_for_word(run: Run) -> list[Moment]:
    moments, tree = list[Moment](), run.full
    asked_nodes = generic_nodes if run.pruning.method == "generic" else c45_nodes
    for asked in asked_nodes(run.table, run.full, run.told):
        i, taken, account = run.full.position(asked.node), asked.choices[asked.taken], _of_choices(run, asked, tree)
        if not asked.collapses:
            moments.append(Moment(COMPARE, i, _made(tree), account))
        if asked.collapses or taken.kind != KEEP or run.pruning.method == "generic":
            act = COLLAPSE if asked.collapses else ACTS[taken.kind]
            moments.append(Moment(act, i, _made(taken.tree), account))
        tree = taken.tree
    return moments


def _made(tree: Tree) -> Callable[[], Tree]:
    return lambda: tree


def _of_choices(run: Run, asked: Asked, tree: Tree) -> Callable[[], Account]:
    """What was compared at a node of this tree."""

    def account() -> Account:
        i = tree.position(asked.node)
        children, told = tree.children(i), run.told

        def name(one: Choice) -> str:
            if one.kind == LEAF:
                return tr("a leaf “{label}”", label=tree.classes[one.which])
            if one.kind == BRANCH:
                return tr("its branch {branch}", branch=tree.sentence(children[one.which]))
            return tr("as it is")

        figures = tuple((name(one), f"{one.tree.n_leaves:,}", figure(one.value)) for one in asked.choices)
        title = f"#{asked.node} {tree.title(i)}".strip()
        taken = asked.choices[asked.taken]
        said = {"node": title, "choice": name(taken), "value": figure(taken.value)}
        n, wrong = errors(tree, i)
        if asked.collapses:
            words = tr("{node} saves no training error: it becomes a leaf before anything else is asked.", **said)
            return Account(words, (), (title, tr("Leaves"), tr("Errors")), figures, asked.taken)
        if run.pruning.method == "generic":
            words = tr("The least estimate for {node}: {choice}, {value}.", **said)
            formula: Lines = (tr(run.way.rule), f"f: {tr(QUANTITIES[told.estimate])}")
            notes = ((asked.node, f"f = {said['value']}"),)
            return Account(words, formula, (title, tr("Leaves"), "f(T′)"), figures, asked.taken, notes)
        notes = ((asked.node, " / ".join(figure(one.value) for one in asked.choices)),)
        words = tr("{node}: {choice}. Errors to be expected: {value}.", **said)
        formula = (tr(run.way.rule), f"a = U({figure(n)}, {figure(wrong)}) = {figure(asked.choices[0].value)}")
        return Account(words, formula, (title, tr("Leaves"), "U"), figures, asked.taken, notes)

    return account


# -- from tree to tree


def _from_tree_to_tree(run: Run) -> list[Moment]:
    pruning, moments = run.pruning, list[Moment]()
    sizes, greedy = pruning.method == "srm", pruning.method == "greedy_validation"
    last = pruning.chosen + 1 if greedy else len(pruning.steps) - 1  # the first cut that does harm is looked at
    last = min(last, len(pruning.steps) - 1, MOST_STEPS // 2)
    if sizes:
        moments += [Moment(CUT, 0, _tree_of(pruning, k), _judged(run, k, k)) for k in range(last + 1)]
    for k in range(1, 0 if sizes else last + 1):
        node = _links(run, k).first
        moments.append(Moment(COMPARE, node, _tree_of(pruning, k - 1), _weakest(run, k)))
        if not greedy or k <= pruning.chosen:
            moments.append(Moment(CUT, node, _tree_of(pruning, k), _weakest(run, k)))
    moments.append(Moment(CHOOSE, 0, _tree_of(pruning, pruning.chosen), _judged(run, pruning.chosen, last, done=True)))
    return moments


def _tree_of(pruning: Pruning, k: int) -> Callable[[], Tree]:
    return lambda: pruning.tree(k)


class Links(NamedTuple):
    """The splits that stand before step k, those that go first: positions, and what tells them."""

    nodes: Any
    leaf: Floats
    below: Floats
    leaves: Any
    merit: Floats
    first: int
    n_first: int  # that go together


def _links(run: Run, k: int) -> Links:
    """The splits of the tree before step k, in the method's own measure; `first` goes in that step."""
    full, trees = run.full, run.pruning.trees
    assert isinstance(trees, Nested)
    above = np.where(full.parent < 0, np.iinfo(np.int32).max, trees.gone[full.parent])
    there = above >= k
    cost, weight = _costs(run)
    own, leaf = cost / (weight or 1.0), there & (trees.gone < k)
    inner = np.flatnonzero(there & (trees.gone >= k))
    sums = [np.append(0.0, np.cumsum(np.where(leaf, values, 0.0))) for values in (own, np.ones(full.n_nodes))]
    under, size = (one[full.end[inner]] - one[inner] for one in sums)
    save, greedy = own[inner] - under, run.pruning.method == "greedy_validation"
    merit = -save if greedy else save / np.maximum(size - 1, 1)
    first = (trees.gone[inner] == k) & (above[inner] > k)
    order = np.lexsort((inner, -merit if greedy else merit, ~first))
    found = [part[order] for part in (own[inner], under, size.astype(int), merit)]
    return Links(inner[order], found[0], found[1], found[2], found[3], int(inner[order[0]]), int(first.sum()))


def _costs(run: Run) -> tuple[Floats, float]:
    if run.pruning.method == "greedy_validation":
        return run.full.costs("validation"), float(run.full.loss_weight("validation")[0])
    return training_costs(run.table, run.full, run.told.measure)


def _weakest(run: Run, k: int) -> Callable[[], Account]:
    def account() -> Account:
        links, full, n_before = _links(run, k), run.full, run.pruning.steps[k - 1].leaves
        figures = [
            (f"#{int(full.ids[i])} {full.title(i)}", figure(leaf), figure(under), str(size), figure(merit))
            for i, leaf, under, size, merit in zip(*(part[:LISTED] for part in links[:5]), strict=True)
        ]  # fmt: skip
        if links.nodes.size > LISTED:
            figures.append((tr("{n:,} more splits", n=links.nodes.size - LISTED), "", "", "", ""))
        i, step = links.first, run.pruning.steps[k]
        said = {"node": f"#{int(full.ids[i])}", "value": figure(float(links.merit[0])), "before": n_before,
                "leaves": step.leaves}  # fmt: skip
        leaf, under, size = float(links.leaf[0]), float(links.below[0]), int(links.leaves[0])
        if run.pruning.method == "growth":
            drop = figure(step.alpha)
            words = tr("Best-first growth made the split of {node} last: {before:,} leaves become {leaves:,}.", **said)
            return Account(words, (tr(run.way.rule), f"= {drop}"))
        titles = (tr("Split"), "R(t)", "R(T)", tr("Leaves"), "g(t)")
        noted = zip(links.nodes[:LISTED], links.merit[:LISTED], strict=True)
        notes = tuple((int(full.ids[at]), f"g = {figure(float(merit))}") for at, merit in noted)
        if run.pruning.method == "greedy_validation":
            words = tr("The cut of {node} lowers the validation error most, by {value}: {before:,} leaves become "
                       "{leaves:,}.", **said)  # fmt: skip
            numbers = f"= {figure(under)} − {figure(leaf)} = {said['value']}"
            if k > run.pruning.chosen:
                said["value"] = figure(-float(links.merit[0]))
                words = tr("Every cut does harm; that of {node} does least: it raises the validation error by {value}.",
                           **said)  # fmt: skip
            return Account(words, (tr(run.way.rule), numbers), titles, tuple(figures), 0, notes)
        words = tr("{node} is the weakest link: its branch saves least for each of its leaves, {value}. {before:,} "
                   "leaves become {leaves:,}.", **said)  # fmt: skip
        if links.n_first > 1:
            said["n"] = links.n_first
            words = tr("{n:,} splits are the weakest links: their branches save least for each of their leaves, "
                       "{value}. {before:,} leaves become {leaves:,}.", **said)  # fmt: skip
        numbers = f"= ({figure(leaf)} − {figure(under)}) ÷ ({size} − 1) = {said['value']}"
        return Account(words, (tr(run.way.rule), numbers), titles, tuple(figures), 0, notes)

    return account


def _judged(run: Run, k: int, last: int, done: bool = False) -> Callable[[], Account]:
    """The trees of the sequence up to step `last` as those see them that choose, tree k in colour."""

    def account() -> Account:
        pruning = run.pruning
        steps = pruning.steps
        by_folds = not all(math.isnan(step.cv_error) for step in steps)
        errors = [step.cv_error if by_folds else step.validation_error for step in steps]
        formula: Lines = ()
        name = tr("Cross-validated error") if by_folds else tr("Validation error")
        if pruning.method == "srm" and run.told.judge == "auto":
            m, name = int(run.full.rows_train[0]), tr("Error + √(s ÷ m)")
            scale = run.full.leaf_rule.dearest(run.full.classes)
            penalties = [scale * float(srm_penalty(2 * step.leaves - 1, m)) for step in steps]
            errors = [step.train_error + more for step, more in zip(steps, penalties, strict=True)]
            step, size = steps[k], 2 * steps[k].leaves - 1
            numbers = f"= {figure(step.train_error)} + √({size} ÷ {m:,}) = {figure(errors[k])}"
            formula = (tr(run.way.rule), numbers)
        first = max(0, min(k - LISTED // 2, last + 1 - LISTED))
        some = range(first, min(first + LISTED, last + 1))
        figures = tuple((f"{steps[s].leaves:,}", figure(steps[s].train_error), figure(errors[s])) for s in some)
        said = {"leaves": steps[k].leaves, "value": figure(errors[k]), "name": name}
        words = tr("The best pruning with {leaves:,} leaves. {name}: {value}.", **said)
        if done:
            words = tr("Chosen: the tree with {leaves:,} leaves. {name}: {value}.", **said)
        if done and pruning.least is not None and pruning.least != pruning.chosen:
            said |= {"least": figure(errors[pruning.least]), "more": steps[pruning.least].leaves}
            words = tr("Chosen: the smallest tree within the standard errors, {leaves:,} leaves. {name}: {value}; the "
                       "least is {least}, with {more:,} leaves.", **said)  # fmt: skip
        if math.isnan(errors[k]):
            words = tr("Chosen: the tree with {leaves:,} leaves. No rows judge the trees.", **said)
        return Account(words, formula, (tr("Leaves"), tr("Training error"), name), figures, k - first)

    return account


# -- what the methods say


def _kearns_mansour(run: Run, i: int) -> Lines:
    walk, full, told = walked(run.table, run.full, run.told), run.full, run.told
    m, rows = int(full.rows_train[0]), int(full.rows_train[i])
    last = math.log(m / told.delta)
    symbols = tr("α = c · √((ln PATHS + ln TREES + ln(m ÷ δ)) ÷ rows)")
    numbers = f"= {figure(told.factor)} · √(({figure(float(walk.log_classes[i]))} + {figure(last)}) ÷ {rows:,})"
    return (symbols, f"{numbers} = {figure(float(walk.penalty[i]))}")


def _code(first: str, second: str, rule: str, *, down: bool = False) -> Lines:
    head = marked("for each split v of T, from the root down:") if down else marked(
        "for each split v of T, branches first:")  # fmt: skip
    return (head, first, second, rule, marked("return T"))


BY_NODE = {COMPARE: 2, CUT: 3, END: 4}
BY_TREE = {COMPARE: 2, CUT: 3, CHOOSE: 4, END: 4}
WAYS: dict[str, Way] = {
    "reduced_error": Way(_code(
        marked("    a ← validation errors of v as a leaf"), marked("    b ← those of what is left below v"),
        marked("    if a ≤ b:  v becomes a leaf"),
    ), BY_NODE, marked("v becomes a leaf if a ≤ b")),
    "pessimistic": Way((
        marked("splits that save no training error become leaves"),
        marked("for each split v of T, branches first:"),
        marked("    a ← U of v as a leaf;  b ← Σ U of its leaves"),
        marked("    c ← Σ U with its largest branch in its place"),
        marked("    if a ≤ min(b, c) + 0.1:  v becomes a leaf"),
        marked("    else if c ≤ b + 0.1:  raise it, prune again"),
        marked("return T"),
    ), {COLLAPSE: 0, COMPARE: 3, CUT: 4, RAISE: 5, END: 6},
        marked("U(N, e): the upper limit of the errors among N rows, e wrong")),
    "unraised": Way((
        marked("splits that save no training error become leaves"),
        marked("for each split v of T, branches first:"),
        marked("    a ← U of v as a leaf"),
        marked("    b ← Σ U of the leaves that are left below v"),
        marked("    if a ≤ b + 0.1:  v becomes a leaf"),
        marked("return T"),
    ), {COLLAPSE: 0, COMPARE: 3, CUT: 4, END: 5},
        marked("U(N, e): the upper limit of the errors among N rows, e wrong")),
    "by_rule": Way(_code(
        marked("    ask each of the rules about v"), marked("    until none of them cuts any more:"),
        marked("    if a rule forbids v:  it becomes a leaf"),
    ), BY_NODE | {COMPARE: 1}, marked("v becomes a leaf if a rule forbids its split")),
    "generic": Way((
        marked("for each node j of T, branches first:"),
        marked("    T′ ← the tree of least f among"),
        marked("        T with j as a leaf of any class,"),
        marked("        T with a branch of j in its place,"),
        marked("        T as it is"),
        marked("    T ← T′"),
        marked("return T"),
    ), {COMPARE: 1, CUT: 2, RAISE: 3, STAY: 4, END: 6}, marked("f estimates the error of a tree on new rows")),
    "quinlan1987": Way(_code(
        marked("    a ← errors of v as a leaf, plus ½"), marked("    b ← errors of its leaves, plus ½ each"),
        marked("    if a ≤ b + √(b (n − b) ÷ n):  v becomes a leaf"), down=True,
    ), BY_NODE, marked("v becomes a leaf if a ≤ b + SE(b)"), down=True),
    "kearns_mansour": Way(_code(
        marked("    a ← errors per row of v as a leaf"), marked("    b ← those of T*, what is left below v"),
        marked("    if b + α ≥ a:  v becomes a leaf"),
    ), BY_NODE, marked("v becomes a leaf if a ≤ b + α(m, n, ℓ, δ)"), _kearns_mansour),
    "mdl": Way(_code(
        marked("    a ← bits of v as a leaf and of its classes"), marked("    b ← bits of its split and its branches"),
        marked("    if a ≤ b:  v becomes a leaf"),
    ), BY_NODE, marked("v becomes a leaf if a ≤ b")),
    "cost_complexity": Way((
        marked("T ← the whole tree"),
        marked("while T has a split:"),
        marked("    for each split t:  g(t) ← saving ÷ leaves added"),
        marked("    T ← T with the splits of least g as leaves"),
        marked("return the T of least error on other rows"),
    ), BY_TREE, marked("g(t) = (R(t) − R(T)) ÷ (leaves − 1), T the branch of t")),
    "greedy_validation": Way((
        marked("T ← the whole tree"),
        marked("while T has a split:"),
        marked("    for each split t:  g(t) ← R(T) − R(t)"),
        marked("    T ← T with the split of largest g as a leaf"),
        marked("return the last T before a cut does harm"),
    ), BY_TREE, marked("g(t) = R(T) − R(t), T the branch of t, on the validation rows")),
    "growth": Way((
        marked("T ← the whole tree"),
        marked("while T has a split:"),
        marked("    t ← the split that best-first growth made last"),
        marked("    T ← T with t as a leaf"),
        marked("return the T of least validation error"),
    ), BY_TREE, marked("what the split lowers the impurity of the tree by")),
    "srm": Way((
        marked("for each number of leaves k:"),
        marked("    T(k) ← the pruning with k leaves of least error"),
        marked("    s ← 2k − 1, its leaves and splits"),
        marked("    f(k) ← error of T(k) + √(s ÷ m)"),
        marked("return the T(k) of least f(k)"),
    ), {CUT: 3, CHOOSE: 4, END: 4}, marked("f = training error + √(s ÷ m), m training rows")),
}  # fmt: skip
GENERAL = Way(_code(
    marked("    a ← v as a leaf"), marked("    b ← what is left below v"),
    marked("    if a is no worse:  v becomes a leaf"),
), BY_NODE, marked("v becomes a leaf if a ≤ b"))  # fmt: skip


def replay_pruning(
    table: Table, tree: Tree, method: str = "cost_complexity", *, progress: Progress | None = None, **options: Any
) -> Run:
    """Prunes a tree, and tells step by step how.

    Args:
        method, options: as of `engine.prune`.

    Returns:
        The steps; the tree of the last one is what `engine.prune` recommends.

    Raises:
        InputError: as `engine.prune`, or the method gives no comparisons to be shown.
    """
    pruning = prune(table, tree, method, progress=progress, **options)
    entry = METHODS[method]
    own = {name: value for name, value in options.items() if name in entry.options}
    told = Options(bool(options.get("keep_by_hand"))).told(own, entry.options, entry.label)
    name = method
    if method == "mdl" and told.code == "notes":
        name = ""
    if method == "pessimistic":
        name = told.rule if told.rule != "c4.5" else method if told.raising else "unraised"
    run = Run(table, pruning, told, WAYS.get(name, GENERAL))
    if method in TREES:
        moments = _from_tree_to_tree(run)
    elif method == "generic" or name in ("pessimistic", "unraised"):
        moments = _word_for_word(run)
    elif isinstance(pruning.verdicts, Verdicts):
        moments = _from_node_to_node(run)
    elif isinstance(pruning.verdicts, Told):
        moments = _by_words(run, pruning.verdicts)
    else:
        said = {"label": entry.label}
        raise InputError(tr("“{label}” compares nothing that could be shown step by step.", **said))
    moments.append(Moment(END, 0, _tree_of(pruning, pruning.chosen), _ended(run, len(moments) >= MOST_STEPS)))
    return Run(table, pruning, told, run.way, tuple(moments))


def _ended(run: Run, shortened: bool) -> Callable[[], Account]:
    def account() -> Account:
        pruning = run.pruning
        before, after = pruning.steps[0], pruning.steps[pruning.chosen]
        said = {"before": before.leaves, "leaves": after.leaves}
        words = tr("The tree is cut back: {leaves:,} of {before:,} leaves are left.", **said)
        if shortened:
            words += " " + tr("What is not shown is decided in the same way.")
        lines = [(tr("Leaves"), f"{before.leaves:,}", f"{after.leaves:,}"),
                 (tr("Training error"), figure(before.train_error), figure(after.train_error))]  # fmt: skip
        if not math.isnan(before.validation_error):
            lines.append((tr("Validation error"), figure(before.validation_error), figure(after.validation_error)))
        return Account(words, (), ("", tr("Before"), tr("Now")), tuple(lines))

    return account
