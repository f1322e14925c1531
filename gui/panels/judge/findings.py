"""What other samples of the rows say, in words: a line of the table for each finding, a sentence for the newest."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QColor

import engine
from engine.criteria import CRITERIA
from engine.pruning import METHODS
from engine.runtime.sentences import marked, tr
from engine.search.choices import OPTIONS
from gui import theme
from gui.model import judging, tree_figures
from gui.model.document import Document
from gui.model.judging import Found, Way
from gui.widgets.tables import Column
from gui.wording import phrases, words

HALF = 0.5
WHAT, HOW, ERROR, RANGE, LEAVES = range(5)
UNITS = {"MSE": "MSE", "MAE": "MAE", "cost": marked("cost")}
WAYS = {
    judging.FOLDS: marked("{n} folds"), judging.BY_GROUP: marked("{n} folds by “{column}”"),
    judging.IN_TIME: marked("{n} folds in the order of “{column}”"),
    judging.BOOTSTRAP: marked("{n} bootstrap samples"), judging.SUBSAMPLE: marked("{n} subsamples"),
}  # fmt: skip
FIGURES = {
    "error": marked("an error of {figure}"), "cost": marked("a mean cost of {figure}"),
    "MSE": marked("a mean squared error of {figure}"), "MAE": marked("a mean absolute error of {figure}"),
}  # fmt: skip
PURPOSE = marked(
    "A tree looks better on the rows that made it than it is. Here it is made again on parts of the training rows, and "
    "judged by the rest of them. Bootstrap samples also say which splits return, forests what a single tree costs."
)
OTHER = marked("About another tree, split or options than those on the screen.")


class Line(NamedTuple):
    """One line of the table."""

    what: str
    how: str
    error: float
    figure: str
    range: str  # how sure it is
    leaves: tuple[int, int]
    tip: str = ""
    present: bool = True  # whether it is about what is on the screen


def leaves_words(leaves: tuple[int, int]) -> str:
    low, high = map(words.count, leaves)
    return low if low == high else f"{low}–{high}"


def columns() -> list[Column[Line]]:
    def ink(line: Line) -> QColor | None:
        return None if line.present else theme.current().secondary

    def tip(line: Line) -> str:
        return "\n".join(filter(None, (line.what, line.tip, "" if line.present else tr(OTHER))))

    return [
        Column(tr("What"), lambda line: line.what, True, explained=tip, ink=ink),
        Column(tr("How"), lambda line: line.how, True, explained=lambda line: line.how, ink=ink),
        Column(tr("Error"), lambda line: line.figure, False, tr("On rows that took no part in making the tree"),
               key=lambda line: line.error, explained=lambda line: f"{line.figure} {line.range}", ink=ink),
        Column(tr("Range"), lambda line: line.range, False, tr("± is the standard error over folds; two figures are "
               "the range of the middle 95 % of the samples"), ink=ink),
        Column(tr("Leaves"), lambda line: leaves_words(line.leaves), False, tr("From the smallest to the largest tree"),
               key=lambda line: line.leaves, ink=ink),
    ]  # fmt: skip


def lines(document: Document) -> list[Line]:
    """The tree on the canvas, then what was found, the newest first."""
    tree = document.tree
    if tree is None:
        return []
    measure = "cost" if tree.leaf_rule.weighs_mistakes else "error" if tree.task == "classes" else "MSE"
    measure = "MAE" if tree.predicts_median else measure
    figure_of = tree_figures.loss if measure == "cost" else tree_figures.error
    errors = {part: figure_of(tree, part) for part in tree_figures.PARTS}
    parts = {"train": tr("the rows that made it"), "validation": tr("validation rows")}
    name, size = tr("The tree on the canvas"), (tree.n_leaves, tree.n_leaves)
    found = [
        Line(name, parts[part], error, figure(error, measure), "", size)
        for part, error in errors.items() if not math.isnan(error)
    ]  # fmt: skip
    return found + [
        Line(what_words(one), how_words(one), one.error, figure(one.error, one.measure), _range(one), one.leaves,
             _options(one.recipe), document.judging.is_present(one))
        for one in reversed(document.judging.found)
    ]  # fmt: skip


def what_words(found: Found) -> str:
    recipe = found.recipe
    if recipe.split is not None and recipe.at is not None:
        return tr("Split by “{column}” at node {node}", column=engine.splits.title(recipe.split), node=recipe.at[1])
    if recipe.tree is not None:
        return tr("The splits of the tree of {leaves}", leaves=phrases.leaves(recipe.tree.n_leaves))
    criterion = CRITERIA[str((recipe.search or {})["criterion"])].label
    if recipe.prune is None:
        return tr("Growing by {criterion}", criterion=words.inside(criterion))
    method = words.inside(METHODS[recipe.prune].label)
    return tr("Growing by {criterion}, pruning: {method}", criterion=words.inside(criterion), method=method)


def how_words(found: Found) -> str:
    way, asked = found.way, way_words(found.way)
    n_asked = found.state.table.n_train if way.kind == judging.EACH_ROW else way.n * way.repeats
    if found.n == n_asked:
        return asked
    return tr("{how}, stopped after {n}", how=asked, n=words.count(found.n))


def way_words(way: Way) -> str:
    if way.kind == judging.EACH_ROW:
        return tr("each row left out once")
    if way.kind in judging.FORESTS:
        return phrases.forest(way.n, way.kind == judging.BAGGED)
    n = words.count(way.n)
    said = tr(WAYS[way.kind], n=n, column=way.column)
    return tr("{how}, {times} times", how=said, times=words.count(way.repeats)) if way.repeats > 1 else said


def figure(error: float, measure: str) -> str:
    """An error, and what it is unless it is a share of rows."""
    return words.percent(error) if measure == "error" else f"{words.value(error)} {tr(UNITS[measure])}"


def bare(error: float, measure: str) -> str:
    return words.percent(error) if measure == "error" else words.value(error)


def _range(found: Found) -> str:
    if not math.isnan(found.standard_error):
        return f"± {bare(found.standard_error, found.measure)}"
    if found.errors.size < 2:
        return ""
    low, high = (bare(float(each), found.measure) for each in np.quantile(found.errors, (0.025, 0.975)))
    return tr("{low} to {high}", low=low, high=high)


def _options(recipe: engine.Recipe) -> str:
    """The search options that differ from the usual ones, one a line."""
    said = {name: value for name, value in (recipe.search or {}).items() if name in OPTIONS and value not in (None, ())}
    return "\n".join(f"{OPTIONS[name].label}: {value}" for name, value in said.items())


def sentences(document: Document) -> str:
    """The newest finding in plain words; before there is one, what the panel is for."""
    if not (every := document.judging.found):
        return tr(PURPOSE)
    found = every[-1]
    said = _sentence(found, document.tree)
    forest = document.judging.forest
    alone = (one for one in reversed(every) if one.recipe.search is not None and one.way.kind not in judging.FORESTS)
    single = next((one for one in alone if forest is not None and one.measure == forest.measure), None)
    if forest is not None and single is not None and found in (forest, single):
        said += " " + _price(single, forest)
    return said


def _sentence(found: Found, tree: engine.Tree | None) -> str:
    n, recipe = words.count(found.n), found.recipe
    error = tr(FIGURES[found.measure], figure=bare(found.error, found.measure))
    if not math.isnan(found.standard_error):
        error = tr("{error} ± {spread}", error=error, spread=bare(found.standard_error, found.measure))
    told = {"n": n, "error": error}
    if found.way.kind == judging.FOREST:
        return tr("A random forest of {n} trees has {error} on rows that its trees have not seen.", **told)
    if found.way.kind == judging.BAGGED:
        return tr("{n} bagged trees together have {error} on rows that they have not seen.", **told)
    if recipe.split is not None:
        return tr("The split alone has {error} on rows of its node by which its branches were not counted. These rows "
                  "took part in choosing it, so it looks better than it is.", **told)  # fmt: skip
    if recipe.tree is not None:
        return tr("The tree has {error} on rows by which its leaves were not counted. These rows took part in choosing "
                  "its splits, so it looks better than it is.", **told)  # fmt: skip
    if recipe.prune is not None:
        told["method"] = words.inside(METHODS[recipe.prune].label)
        said = tr("{n} trees of {leaves} leaves, grown by the search options and pruned ({method}), have {error} on "
                  "rows that they have not seen.", **told, leaves=leaves_words(found.leaves))  # fmt: skip
    else:
        said = tr("{n} trees of {leaves} leaves, grown by the search options and not pruned, have {error} on rows that "
                  "they have not seen.", **told, leaves=leaves_words(found.leaves))  # fmt: skip
    return f"{said} {_returned(found)}" if found.way.kind in judging.SAMPLES and found.state.tree is tree else said


def _returned(found: Found) -> str:
    assert found.stability is not None
    share, changed = found.stability.returned, float(found.stability.changed.mean())
    n = int(np.count_nonzero(~np.isnan(share)))
    told = {"k": words.count(int(np.count_nonzero(share >= HALF))), "n": words.count(n)}
    if not n:
        return ""
    if found.state.tree.task == "classes":
        return tr("Of the tree's {n} splits, {k} return in at least half of the samples, and {share} of the rows get "
                  "another class than from this tree.", **told, share=words.percent(changed))  # fmt: skip
    return tr("Of the tree's {n} splits, {k} return in at least half of the samples, and predictions change by {size} "
              "on average.", **told, size=words.value(changed))  # fmt: skip


def _price(single: Found, forest: Found) -> str:
    """What one tree costs against many."""
    more = single.error - forest.error
    size = (
        tr("{n} pp", n=words.percent(abs(more)).removesuffix(" %"))
        if single.measure == "error"
        else words.value(abs(more))
    )
    if more > 0:
        said = {"what": words.inside(what_words(single)), "size": size, "n": words.count(forest.n)}
        return tr("A single tree ({what}) has {size} more error than the forest of {n} trees.", **said)
    return tr("One tree is no worse: its error is {size} below that of the forest.", size=size)
