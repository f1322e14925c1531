"""The words of steps and refusals, as they stand in the history, the menus' undo texts and the messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.pruning import METHODS
from engine.runtime.sentences import tr
from engine.search.choices import LEAVES_SAY, OPTIONS
from gui.wording import words

if TYPE_CHECKING:
    from engine.assessment import Fit
    from engine.pruning.result import Pruning
    from engine.splits import Split
    from engine.table.table import Table
    from engine.tree.leaves import LeafRule
    from engine.tree.tree import Tree


MOST_NAMED = 4  # classes in a sentence


def leaves(n: int) -> str:
    """ "1 leaf", "23 leaves"."""
    return "1 leaf" if n == 1 else f"{words.count(n)} leaves"


def counted_rows(n: int) -> str:
    """ "1 row", "2,300 rows"."""
    return tr("1 row") if n == 1 else tr("{n} rows", n=words.count(n))


def used(uses: int) -> str:
    """How often validation rows chose a tree: "not used yet", "used once", "used 3 times"."""
    return "not used yet" if uses == 0 else "used once" if uses == 1 else f"used {words.count(uses)} times"


def weighs_mistakes(tree: Tree) -> bool:
    """Whether the leaves heed costs or priors: then what the mistakes cost says more than how many there are."""
    return bool(tree.leaf_rule.costs or tree.leaf_rule.priors)


PINNED_LEAF = "This leaf is pinned, so nothing grows from it: unpin it first (K), or split it by a candidate."

CHOSEN_ON_OTHER_ROWS = (
    "The splits of this tree were chosen on other rows: some of them validate now, which flatters the "
    "validation error. Regrow the tree for an honest figure."
)


def taken_back(problems: Sequence[str]) -> str:
    """One sentence for all splits that a change of the table took back."""
    if len(problems) < 2:
        return "".join(problems)
    more = "1 more split" if len(problems) == 2 else f"{words.count(len(problems) - 1)} more splits"
    return f"{problems[0]} {more} went for the same reason, all with their branches; undo brings them back."


def other_classes(saved: Tree, counted: Tree) -> str:
    """What is to be said of a tree from a file that knew other classes than the table has; empty where it did not."""
    if set(saved.classes) == set(counted.classes):
        return ""
    knew, has = (
        ", ".join(f"“{name}”" for name in tree.classes[:MOST_NAMED]) + " …" * (len(tree.classes) > MOST_NAMED)
        for tree in (saved, counted)
    )
    return (
        f"The tree was grown for the classes {knew} of “{counted.target}”; this table has {has}: what the leaves "
        "predict was counted again."
    )


def tested(fit: Fit, tree: Tree, looks: int) -> str:
    """What the test rows say, and how worn they are."""
    this = f"this tree of {leaves(tree.n_leaves)}"
    if tree.task == "classes":
        low, high = (words.percent(1 - bound) for bound in reversed(fit.interval))
        figure = (
            f"this tree of {leaves(tree.n_leaves)} errs in {words.percent(fit.error)} (95 % interval {low} to {high})"
        )
        if weighs_mistakes(tree):
            figure += f"; by its costs and priors a row costs {words.value(fit.loss)} on average"
    elif tree.predicts_median:
        figure = f"{this} has the mean absolute error {words.value(fit.mae)}"
    else:
        figure = f"{this} has the root mean squared error {words.value(fit.rmse)}, R² {words.value(fit.r2)}"
    worn = (
        "Do not choose a tree by this figure, or it is no longer a test."
        if looks == 1
        else f"Looked at {looks} times now."
    )
    return f"On the {words.count(fit.n)} test rows {figure}. {worn}"


def split_words(split: Split, table: Table) -> str:
    """A split by its first branch: "bill length ≤ 42.3"."""
    from engine.splits import sentence

    return sentence(split, 0, table.kinds)


def level(before: Tree, after: Tree) -> str:
    return f"Grow one level to {leaves(after.n_leaves)}"


def grown(before: Tree, after: Tree) -> str:
    return f"Grow to {leaves(after.n_leaves)}"


def went(before: Tree, after: Tree) -> str:
    return f"Go to {leaves(after.n_leaves)}"


def stopped_early(tried: Pruning) -> str:
    """Why growing ended, and where: "None of the next 10 splits helped …"."""
    best, failed = tried.steps[tried.chosen].leaves, tried.chosen
    if len(tried.steps) == 1:
        return "Nothing to split: every leaf is pure, or the search options allow no further split."
    if tried.remark:  # nothing was left to split
        back = f": back to {leaves(best)}" if failed else ""
        last = "the last split does" if failed == 1 else f"the last {failed} splits do"
        said = f"; {last} not help the validation rows{back}" if failed else ""
        return f"Nothing is left to split{said}."
    where = "stays as it is" if failed == len(tried.steps) - 1 else f"goes back to {leaves(best)}"
    return (
        f"None of the next {failed} splits helps the validation rows: the tree {where}. The chart shows them in grey."
    )


def branch(node: int) -> Callable[[Tree, Tree], str]:
    """Names the growing of a branch: the root's is the whole tree."""

    def named(before: Tree, after: Tree) -> str:
        place = before.position(node)
        return f"Grow branch “{before.sentence(place)}” to {leaves(after.n_leaves)}" if place else grown(before, after)

    return named


def whole_is_best(n_kept: int, *, there: bool) -> str:
    """Why pruning cuts nothing.

    Args:
        n_kept: how many hand-made splits no pruning takes away.
        there: the whole tree is on the canvas already.
    """
    splits = "the hand-made split" if n_kept == 1 else f"the {words.count(n_kept)} hand-made splits"
    kept = f" that keep {splits}" if n_kept else ""
    whole = f"by this method the whole tree is the best of its prunings{kept}"
    those = "it" if n_kept == 1 else "them"
    remedy = f" To prune {those} too, untick Keep hand-made splits in the Pruning panel." if n_kept else ""
    return f"Nothing to prune: {whole}.{remedy}" if there else f"{whole.capitalize()}: it is back.{remedy}"


def collapse(tree: Tree, node: int, where: str) -> str:
    """`where` is the node in words."""
    place = tree.position(node)
    inside = tree.n_branches[place : tree.end[place]] == 0
    return f"Delete {leaves(int(np.count_nonzero(inside)))} below {where}"


def brought_back(tree: Tree, node: int, where: str) -> str:
    """A branch of the full tree is on the canvas again; `where` is its node in words."""
    place = tree.position(node)
    inside = tree.n_branches[place : tree.end[place]] == 0
    return f"Bring back {leaves(int(np.count_nonzero(inside)))} below {where}"


def cut_by_clicks(n_leaves: int) -> str:
    """Several nodes were cut or brought back, one click each."""
    return f"Cut by clicks to {leaves(n_leaves)}"


def pruned(n_leaves: int, method: str) -> str:
    label = METHODS[method].label if method in METHODS else method
    return f"Prune to {leaves(n_leaves)} ({words.inside(label)})"


def partition(how: dict[str, Any]) -> str:
    if "column" in how:
        return f"Divide rows by “{how['column']}”"
    validation, test = how.get("validation", 0.0), how.get("test", 0.0)
    if not validation and not test:
        return "Train on all rows"
    return f"Divide rows: {validation:.0%} validation, {test:.0%} test".replace("%", " %")


def rows(table: Table) -> str:
    """ "344 rows: 241 train, 103 validate"."""
    parts = [(table.n_train, "train"), (table.n_validation, "validate"), (table.n_test, "kept for the test")]
    parts.append((table.n_rows - sum(n for n, _ in parts), "not used"))
    return f"{words.count(table.n_rows)} rows: " + ", ".join(f"{words.count(n)} {name}" for n, name in parts if n)


def nothing_grows_below(locked: str) -> str:
    """`locked` is the node in words."""
    return f"{locked[:1].upper()}{locked[1:]} is locked, so nothing grows at or below it: unlock it first (Shift+K)."


def nothing_grew(tree: Tree, stopped: bool) -> str:
    if stopped:
        return "Stopped before anything changed: the tree is as it was."
    if tree.n_leaves == 1:
        pure = tree.task == "classes" and np.count_nonzero(tree.train[0]) == 1
        label = f"“{tree.classes[int(np.argmax(tree.train[0]))]}”" if pure else ""
        why = f"all of its rows are {label}" if pure else "the search options allow no split"
        return f"The root cannot be split: {why}."
    return "Nothing to split: every leaf is pure, or the search options allow no further split."


# -- search options


def plain(text: str) -> str:
    """A refusal of the engine in the words of the window: “absolute_error” becomes “Absolute error”."""
    labels = {choice.name: choice.label for option in OPTIONS.values() for choice in option.choices}
    labels |= {option.name: option.label for option in OPTIONS.values()}
    head, verb, rest = text.partition(" cannot be ")
    if verb and head in OPTIONS:
        own = {choice.name: choice.label for choice in OPTIONS[head].choices}
        text = head + verb + re.sub("“([^”]*)”", lambda found: f"“{own.get(found[1], found[1])}”", rest)
    first, space, rest = text.partition(" ")
    text = f"{OPTIONS[first].label}{space}{rest}" if first in OPTIONS else text
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda found: labels.get(found[0], found[0]), text)


def limits(search: dict[str, Any]) -> str:
    """Where a growth ends: "all leaves are pure, or the tree has 10 leaves"."""
    levels, most = search.get("max_depth"), search.get("max_leaves")
    ends = ["nothing is left to split"]
    if levels is not None:
        ends.append(f"the tree is {levels} {'level' if levels == 1 else 'levels'} deep")
    if most is not None:
        ends.append(f"it has {leaves(most)}" if levels is not None else f"the tree has {leaves(most)}")
    return ", or ".join(ends)


# -- what leaves say


def leaves_say(before: LeafRule, after: LeafRule) -> str:
    """The name of the step between two rules: "Leaves predict the median"."""
    said = [option.name for option in OPTIONS.values() if option.group == LEAVES_SAY]
    names = [name for name in said if getattr(before, name) != getattr(after, name)]
    if names == ["summary"]:
        label = next(c.label for c in OPTIONS["summary"].choices if c.name == after.summary)
        return f"Leaves predict {words.inside(label)}"
    if names and set(names) <= {"smoothing", "smoothing_m"}:
        if after.smoothing == "m_estimate":
            return f"Probabilities by m-estimate, m = {after.smoothing_m:g}"
        label = next(c.label for c in OPTIONS["smoothing"].choices if c.name == after.smoothing)
        return "Probabilities as counted" if after.smoothing == "none" else f"Probabilities by {label}"
    if names in (["priors"], ["costs"]):
        option = OPTIONS[names[0]]
        text = class_text(getattr(after, option.name))
        return f"{option.label} {text}" if text else f"{option.label}: {option.none}"
    return "Change what leaves predict"


def class_text(entries: tuple[tuple[Any, ...], ...]) -> str:
    """Priors or costs as they are typed: "fraud=0.01, fine=0.99", "bad:good=5"."""
    return ", ".join(f"{':'.join(entry[:-1])}={entry[-1]:g}" for entry in entries)
