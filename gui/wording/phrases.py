"""The words of steps and refusals, as they stand in the history, the menus' undo texts and the messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import engine
from engine.pruning import METHODS
from engine.runtime.sentences import marked, tr
from engine.search.choices import LEAVES_SAY, OPTIONS
from engine.tree.leaves import LeafRule
from gui.wording import words

AND = " and "  # between the conditions of a rule, in the language of conditions
PINNED_LEAF = marked("This leaf is pinned, so nothing grows from it: unpin it first (K), or split it by a candidate.")
NOTHING_TO_SPLIT = marked("Nothing to split: every leaf is pure, or the search options allow no further split.")
CHOSEN_ON_OTHER_ROWS = marked(
    "The splits of this tree were chosen on other rows: some of them validate now, which flatters the "
    "validation error. Regrow the tree for an honest figure."
)
PARTS = (marked("{n} train"), marked("{n} validate"), marked("{n} kept for the test"), marked("{n} not used"))
RARE = 0.1  # share of a class below which a tree of few errors seldom says it
COUNTED = marked(
    "This looks at single rows, and those of this table are counted where they are. Open files again and choose “Codes "
    "on disk”, or a sample; save the table of a database as Parquet, and open that."
)
ROWS_PER_LEVEL = 5  # of a column; with fewer its levels name the rows of a sample rather than describe them
STAYS = marked(
    "None of the next {n} splits helps the validation rows: the tree stays as it is. The chart in the Prune panel "
    "shows them in grey."
)
GOES_BACK = marked(
    "None of the next {n} splits helps the validation rows: the tree goes back to {leaves}. "
    "The chart in the Prune panel shows them in grey."
)
ONE_PREDICTION = marked(
    "Every leaf predicts “{name}”, so no split lowered the error: set costs, priors or profits in the search options, "
    "or grow the whole tree and prune it by another measure."
)
TAKEN_BACK = (  # by how many splits were tried in vain until growing ended: one, more
    marked("The last split does not help the validation rows: back to {leaves}."),
    marked("The last {n} splits do not help the validation rows: back to {leaves}."),
)
WHOLE_IS_BEST = (  # by how many hand-made splits are kept, none, one, more: it is there, it is back; how to prune them
    (marked("Nothing to prune: by this method the whole tree is the best of its prunings."),
     marked("By this method the whole tree is the best of its prunings: it is back."), ""),
    (marked("Nothing to prune: by this method the whole tree is the best of its prunings that keep the hand-made "
            "split."),
     marked("By this method the whole tree is the best of its prunings that keep the hand-made split: it is back."),
     marked("To prune it too, untick Keep hand-made splits in the Prune panel.")),
    (marked("Nothing to prune: by this method the whole tree is the best of its prunings that keep the {n} hand-made "
            "splits."),
     marked("By this method the whole tree is the best of its prunings that keep the {n} hand-made splits: it is "
            "back."),
     marked("To prune them too, untick Keep hand-made splits in the Prune panel.")),
)  # fmt: skip


def leaves(n: int) -> str:
    """ "1 leaf", "23 leaves"."""
    return tr("1 leaf") if n == 1 else tr("{n} leaves", n=words.count(n))


def forest(n_trees: int, bagged: bool = False) -> str:
    """ "random forest, 100 trees", or "100 bagged trees"."""
    n = words.count(n_trees)
    return tr("{n} bagged trees", n=n) if bagged else tr("random forest, {n} trees", n=n)


def nothing_to_split(table: engine.Table | None, candidates: Sequence[engine.Candidate] | None) -> str:
    """Why a tree that is a single leaf cannot be split, in a sentence; empty where it can, or while the candidates are
    searched, and without a table."""
    if table is not None and table.only_value is not None:
        return tr("All training rows have the same target value: there is nothing to split.")
    if candidates is not None and all(found.reason for found in candidates):
        return tr("No column separates these rows: there is nothing to split.")
    return ""


def counted_rows(n: float, counted: Callable[[float], str] = words.count) -> str:
    """ "1 row", "1,204 rows"; `counted` says the number."""
    return tr("1 row") if n == 1 else tr("{n} rows", n=counted(n))


def weighed_rows(weight: float, is_sampled: bool) -> str:
    """Rows of which only the weight is known: "1,204 rows", where weights are none or frequencies; of a table with
    sampling weights (`Table.is_sampled`) "weight 1,204.5", for rows are not what was added up."""
    return tr("weight {n}", n=words.count(weight)) if is_sampled else counted_rows(weight)


def weighed_training_rows(weight: float, is_sampled: bool) -> str:
    """The same of training rows, "1,204 training rows"."""
    n = words.count(weight)
    if is_sampled:
        return tr("training weight {n}", n=n)
    return tr("1 training row") if weight == 1 else tr("{n} training rows", n=n)


def the_validation_rows(weight: float, is_sampled: bool) -> str:
    """The same of validation rows, within a sentence: "the 60 validation rows"."""
    n = words.count(weight)
    return tr("the validation rows (weight {n})", n=n) if is_sampled else tr("the {n} validation rows", n=n)


def counted_columns(n: int) -> str:
    return tr("1 column") if n == 1 else tr("{n} columns", n=words.count(n))


def compared(trees: int) -> str:
    """How many trees were compared by their validation figures: "not used yet", "112 trees compared"."""
    return tr("{n} trees compared", n=words.count(trees)) if trees > 1 else tr("not used yet")


def judged(choice: engine.Choice, tree: engine.Tree) -> str:
    """What it costs that validation rows chose this tree, in sentences."""
    shares = tree.task == "classes" and not tree.leaf_rule.weighs_mistakes
    text = words.percent if shares else words.value
    too_good = tr("{n} pp", n=text(choice.optimism).removesuffix(" %")) if shares else text(choice.optimism)
    said = {"n": words.count(choice.trees), "error": text(choice.error), "shown": text(choice.shown)}
    said |= {"low": text(choice.interval[0]), "high": text(choice.interval[1]), "points": too_good}
    worth = tr("The validation rows chose this tree among {n}, so their {shown} is about {points} too good.", **said)
    if not choice.optimism > 0:
        worth = tr("The validation rows chose this tree among {n}; their {shown} does not seem too good.", **said)
    return worth + " " + tr(
        "Chosen again without a fifth of them at a time, and judged by that fifth: {error} (95 %: {low} to {high}).",
        **said,
    )  # fmt: skip


def money(amount: float, tree: engine.Tree) -> str:
    """An amount of profit with the tree's currency: "−12.4 EUR"."""
    return f"{words.value(amount)} {tree.leaf_rule.currency}".rstrip()


def acting(tree: engine.Tree) -> str:
    """ "act on 6 of 7 leaves": where the profits of its leaf rule say so."""
    n, leaves = int(tree.acts[tree.leaves].sum()), tree.n_leaves
    return tr("act on {n} of {leaves} leaves", n=words.count(n), leaves=words.count(leaves))


def bracketed(conditions: list[str]) -> list[str]:
    """Conditions with brackets around those that hold an "or", where others stand beside them."""
    return [f"({each})" if each.endswith(" or missing") and len(conditions) > 1 else each for each in conditions]


def taken_back(problems: Sequence[str]) -> str:
    if len(problems) < 2:
        return "".join(problems)
    more = tr("1 more split went for the same reason, all with their branches; undo brings them back.")
    if len(problems) > 2:
        n = words.count(len(problems) - 1)
        more = tr("{n} more splits went for the same reason, all with their branches; undo brings them back.", n=n)
    return f"{problems[0]} {more}"


def grouped(table: engine.Table, part: int) -> str:
    """That intervals and tests take rows for independent which come in groups; empty where none were declared."""
    name = next((name for name, role in table.roles.items() if role == "group"), None)
    if name is None:
        return ""
    said = {"n": words.count(np.unique(table.column(name).codes[table.rows(part)]).size), "column": name}
    return tr("The rows are of {n} groups (“{column}”): intervals and tests, which take each row for itself, are too "
              "narrow and too sure where rows of a group are alike.", **said)  # fmt: skip


def tested(fit: engine.Fit, tree: engine.Tree, looks: int, seen: bool = False, more: str = "") -> str:
    said = {"rows": words.count(fit.n), "leaves": leaves(tree.n_leaves)}
    if tree.task == "classes":
        low, high = (words.percent(1 - bound) for bound in reversed(fit.interval))
        said |= {"error": words.percent(fit.error), "low": low, "high": high}
        figure = (
            tr("On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}); by its "
               "costs and priors a row costs {cost} on average.", **said, cost=words.value(fit.loss))
            if tree.leaf_rule.weighs_mistakes
            else tr("On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}).",
                    **said)
        )  # fmt: skip
    elif tree.predicts_median:
        said["error"] = words.value(fit.mae)
        figure = tr("On the {rows} test rows this tree of {leaves} has the mean absolute error {error}.", **said)
    else:
        figure = tr(
            "On the {rows} test rows this tree of {leaves} has the root mean squared error {error}, R² {r2}.",
            **said, error=words.value(fit.rmse), r2=words.value(fit.r2),
        )  # fmt: skip
    worn = tr("Looked at {n} times now.", n=looks)
    if looks == 1:
        worn = tr("Do not choose a tree by this figure, or it is no longer a test.")
    if seen:
        worn = tr("It is no honest figure: these rows were seen, and may have chosen splits, before they were kept.")
    if tree.task == "classes" and tree.leaf_rule.profits:
        figure += " " + tr("A row earns {amount}.", amount=money(fit.mean_profit, tree))
    if tree.task == "classes":
        usual = tree.classes[int(tree.train[0].argmax())]
        without = words.percent(fit.error_of_always(usual))
        figure += " " + tr("Always saying “{name}” errs in {error}.", name=usual, error=without)
    return " ".join(filter(None, (figure, more, worn)))


def split_words(split: engine.Split, table: engine.Table) -> str:
    """A split by its first branch: "bill length ≤ 42.3"."""
    return engine.splits.sentence(split, 0, table.kinds)


def is_cut(split: engine.Split | None) -> bool:
    return split is not None and split.kind == "threshold" and len(split.thresholds) == 1


def rounded(split: engine.Split | None, text: str) -> str:
    """The words of a split in less room: of one numeric cut four digits, "≤ 4.172·10⁻⁵"; others as they are."""
    sign, _, number = text.partition(" ")
    if split is None or not is_cut(split) or "-" in number.partition("e")[0]:  # a date is never rounded
        return text
    return min(text, f"{sign} {words.value(split.thresholds[0])}", key=len)


def _sized(text: str) -> Callable[[engine.Tree, engine.Tree], str]:
    return lambda before, after: tr(text, leaves=leaves(after.n_leaves))


level = _sized(marked("Grow one level to {leaves}"))
grown = _sized(marked("Grow to {leaves}"))
went = _sized(marked("Go to {leaves}"))


def branch(node: int) -> Callable[[engine.Tree, engine.Tree], str]:
    """Names the growing of a branch: the root's is the whole tree."""

    def named(before: engine.Tree, after: engine.Tree) -> str:
        if not (place := before.position(node)):
            return grown(before, after)
        return tr("Grow branch “{branch}” to {leaves}", branch=before.sentence(place), leaves=leaves(after.n_leaves))

    return named


def cut_by_clicks(n_leaves: int) -> str:
    return tr("Cut by clicks to {leaves}", leaves=leaves(n_leaves))


def pruned(n_leaves: int, method: str) -> str:
    label = words.inside(METHODS[method].label) if method in METHODS else method
    return tr("Prune to {leaves} ({method})", leaves=leaves(n_leaves), method=label)


def partition(how: dict[str, Any]) -> str:
    if "column" in how:
        return tr("Divide rows by “{column}”", column=how["column"])
    validation, test = how.get("validation", 0.0), how.get("test", 0.0)
    if "test" not in how:
        return tr("Divide rows: {validation} validation, test rows as before", validation=words.percent(validation, 0))
    if not validation and not test:
        return tr("Train on all rows")
    shares = {"validation": words.percent(validation, 0), "test": words.percent(test, 0)}
    return tr("Divide rows: {validation} validation, {test} test", **shares)


def leaves_say(before: LeafRule, after: LeafRule) -> str:
    """The name of the step between two rules: "Leaves predict the median"."""
    said = [option.name for option in OPTIONS.values() if option.group == LEAVES_SAY]
    names = [name for name in said if getattr(before, name) != getattr(after, name)]
    if names == ["summary"]:
        label = next(choice.label for choice in OPTIONS["summary"].choices if choice.name == after.summary)
        return tr("Leaves predict {summary}", summary=words.inside(label))
    if names and set(names) <= {"smoothing", "smoothing_m"}:
        if after.smoothing == "m_estimate":
            return tr("Probabilities by m-estimate, m = {m}", m=f"{after.smoothing_m:g}")
        if after.smoothing == "honest":
            return tr("Probabilities from validation rows, m = {m}", m=f"{after.smoothing_m:g}")
        label = next(choice.label for choice in OPTIONS["smoothing"].choices if choice.name == after.smoothing)
        return tr("Probabilities as counted") if after.smoothing == "none" else tr("Probabilities by {way}", way=label)
    if names == ["threshold"] and after.threshold is not None:
        return tr("Predict {said}", said=threshold_words(*after.threshold))
    if names == ["currency"]:
        return f"{OPTIONS['currency'].label} {after.currency or OPTIONS['currency'].none}"
    if names in (["priors"], ["costs"], ["threshold"], ["profits"]):
        option = OPTIONS[names[0]]
        text = class_text(getattr(after, option.name) or ())
        return f"{option.label} {text}" if text else f"{option.label}: {option.none}"
    return tr("Change what leaves predict")


def threshold_words(name: str, least: float) -> str:
    """ "yes from 20 %": from which probability on a class is predicted."""
    return tr("{name} from {share}", name=name, share=f"{100 * least:.4g} %")


def class_text(entries: tuple[tuple[Any, ...], ...]) -> str:
    """Priors, costs or profits as they are typed: "fraud=0.01, fine=0.99", "bad:good=5", "good=120, bad=-500:20"."""
    said = []
    for entry in entries:
        names = [part for part in entry if isinstance(part, str)]
        sizes = list(entry[len(names) :])
        sizes = sizes[:1] if sizes[1:] == [0.0] else sizes  # not acting earns nothing
        said.append(f"{':'.join(names)}={':'.join(f'{size:.12g}' for size in sizes)}")
    return ", ".join(said)


def stopped_early(tried: engine.Pruning) -> str:
    """Why growing ended, and where: "None of the next 10 splits helped …"."""
    failed = tried.chosen
    if len(tried.steps) == 1:
        said = NOTHING_TO_SPLIT
    elif tried.remark:  # it ended before so many splits had failed, and says why
        said = TAKEN_BACK[min(failed, 2) - 1] if failed else ""
    else:
        said = STAYS if failed == len(tried.steps) - 1 else GOES_BACK
    kept = tried.steps[failed].leaves
    why = (many_levels(tried.full) or rare_class(tried.full)) if failed and kept == 1 else ""
    why = why or (one_prediction(tried.tree(failed)) if failed else "")
    told = tr(said, n=failed, leaves=leaves(kept)) if said else ""
    ended = tried.remark if len(tried.steps) > 1 else ""
    return " ".join(filter(None, (ended, told, why)))


def rare_class(tree: engine.Tree) -> str:
    """That a class is so rare that no leaf says it; empty where none is, or where costs or priors are set."""
    if tree.task != "classes" or tree.leaf_rule.weighs_mistakes:
        return ""
    share = tree.train[0] / tree.train[0].sum()
    k = int(np.where(share > 0, share, np.inf).argmin())
    if share[k] >= RARE:
        return ""
    said = {"name": tree.classes[k], "share": words.percent(float(share[k]))}
    return tr("“{name}” is rare ({share}), and errors hardly tell rare classes: set costs or priors in the search "
              "options, or grow the whole tree and prune it by another measure.", **said)  # fmt: skip


def one_prediction(tree: engine.Tree) -> str:
    """That all leaves of a tree predict the same class; empty where they do not, or where costs or priors are set."""
    if tree.task != "classes" or tree.leaf_rule.weighs_mistakes:
        return ""
    said = np.unique(tree.labels[tree.leaves])
    return tr(ONE_PREDICTION, name=tree.classes[int(said[0])]) if said.size == 1 else ""


def many_levels(tree: engine.Tree) -> str:
    """That the root is split by the levels of a column that has hardly more rows than levels; empty where it is not."""
    split, n = tree.split_at(0), int(tree.rows_train[0])
    column = next((one for one in tree.columns if split is not None and one.name == split.column), None)
    if column is None or len(column.levels) * ROWS_PER_LEVEL < n:
        return ""
    said = {"column": column.name, "levels": words.count(len(column.levels)), "rows": words.count(n)}
    return tr("The first one is by “{column}”, {levels} levels in {rows} rows: ignore it, or make it a group.", **said)


def whole_is_best(n_kept: int, *, there: bool) -> str:
    """Why pruning cuts nothing; `n_kept`: hand-made splits that stay; `there`: the whole tree is on the canvas."""
    on_canvas, back, remedy = WHOLE_IS_BEST[min(n_kept, 2)]
    return " ".join(tr(said, n=words.count(n_kept)) for said in (on_canvas if there else back, remedy) if said)


def nothing_grew(tree: engine.Tree, stopped: bool, best: float | None, least: float) -> str:
    """Why a tree did not grow. `best`: the gain of the root's best split, if at hand; `least`: what one has to gain."""
    if stopped:
        return tr("Stopped before anything changed: the tree is as it was.")
    if tree.n_leaves > 1:
        return tr(NOTHING_TO_SPLIT)
    if tree.task == "classes" and np.count_nonzero(tree.train[0]) == 1:
        label = tree.classes[int(np.argmax(tree.train[0]))]
        return tr("The root cannot be split: all of its rows are “{label}”.", label=label)
    if best is not None and best < least:
        return tr("No split: the best gain, {gain}, is below Minimum gain {least}.",
                  gain=words.gain(best), least=words.value(least))  # fmt: skip
    return tr("The root cannot be split: the search options allow no split.")


def rows(table: engine.Table) -> str:
    """ "344 rows: 241 train, 103 validate"."""
    counts = [table.n_train, table.n_validation, table.n_test]
    counts.append(table.n_rows - sum(counts))
    parts = ", ".join(tr(part, n=words.count(n)) for part, n in zip(PARTS, counts, strict=True) if n)
    return tr("{n} rows: {parts}", n=words.count(table.n_rows), parts=parts)


def plain(text: str) -> str:
    """A refusal of the engine in the words of the window: “absolute_error” becomes “Absolute error”. What is replaced
    are the names of options and of their values, which are the same in every language."""
    first, space, rest = text.partition(" ")
    if first in OPTIONS:
        own = {choice.name: choice.label for choice in OPTIONS[first].choices}
        rest = re.sub("(?<=[“„])[^“”]*(?=[”“])", lambda found: own.get(found[0], found[0]), rest)
        text = f"{OPTIONS[first].label}{space}{rest}"
    labels = {choice.name: choice.label for option in OPTIONS.values() for choice in option.choices}
    labels |= {option.name: option.label for option in OPTIONS.values()}
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda found: labels.get(found[0], found[0]), text)


def limits(search: dict[str, Any]) -> str:
    """Where a growth ends: "nothing is left to split, or the tree has 10 leaves"."""
    depth, most = search.get("max_depth"), search.get("max_leaves")
    size = leaves(most) if most is not None else ""
    if depth is None and not size:
        return tr("nothing is left to split")
    if depth is None:
        return tr("nothing is left to split, or the tree has {leaves}", leaves=size)
    if not size:
        return tr("nothing is left to split, or the tree has depth {depth}", depth=depth)
    return tr("nothing is left to split, or the tree has depth {depth} or {leaves}", depth=depth, leaves=size)
