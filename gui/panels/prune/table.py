"""The trees of the chart in words: a row for each in a table that can be copied, figures beside the chart, a legend."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor

import engine
from engine.pruning import METHODS, chosen_by_validation, why_not
from engine.pruning.options import METRICS, UNJUDGED, Options
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model.document import Document
from gui.model.editing.cutback import Cutback
from gui.model.editing.pruning_choices import FRONT, NO_RULE, SEQUENCE, Point, lacks_rule
from gui.panels.prune.drawing import Drawing, Yardstick, error_words, figures, line_name, usual
from gui.widgets import plotting
from gui.widgets.tables import Column, TableModel
from gui.wording import phrases, words

if TYPE_CHECKING:  # what loads pandas is loaded by the first table
    from engine.pruning.result import Step

NAN = float("nan")
TREE, LEAVES, TRAINING, VALIDATION, CROSS, ALPHA = range(6)
# What the alphas of a method are called above their column and in a sentence, and what they are; of most methods:
BY_DEFAULT = marked("Alpha"), marked("alpha {figure}"), marked(
    "A tree is charged its training {pruned_by} + alpha × its leaves: from this alpha on, up to the one of the next "
    "row, this tree is the cheapest")  # fmt: skip
PRICES = {
    "growth": (marked("Drop"), marked("drop {figure}"), marked(
        "By how much the split that this step takes back lowers the criterion, times its share of the training weight"
    )),
    "greedy_validation": (marked("Gain"), marked("gain {figure}"), marked(
        "By how much the cut that makes this step lowers the validation {pruned_by}; below 0 it does harm"
    )),
}  # fmt: skip


class Entry(NamedTuple):
    """One row."""

    point: Point | None  # the tree; None where a method has made none
    name: str  # the method of a choice; empty of the trees of the curves
    step: Step | None  # the tree's size and errors; None without a tree
    train: float = NAN  # by the metric of the chart, as the next one
    validation: float = NAN
    bold: bool = False  # it is the chosen method's choice
    reason: str = ""  # why there is no tree
    priced: bool = False  # its alpha belongs to the curve

    @property
    def alpha(self) -> float:
        return self.step.alpha if self.step is not None and self.priced else NAN

    @property
    def cv_error(self) -> float:
        return self.step.cv_error if self.step is not None else NAN


def entries(cutback: Cutback, yardstick: Yardstick) -> list[Entry]:
    """All rows; none without a chart."""
    choices, line, base = cutback.choices, cutback.line, cutback.base
    if choices is None or base is None:
        return []

    def choice(name: str) -> Entry:
        found, label, chosen = choices.found.get(name), METHODS[name].label, name == cutback.method
        if found is None:
            lacking = NO_RULE if lacks_rule(name, choices.options) else ""
            waiting = tr("being computed…") if name in choices.pending or chosen else tr("not computed yet")
            reason = why_not(name, base.table) or lacking or choices.faults.get(name) or waiting
            return Entry(None, label, None, reason=reason)
        train, validation = (float(each[found.chosen]) for each in figures(yardstick, name, found))
        step = found.steps[found.chosen]
        return Entry(Point(name, found.chosen), label, step, train, validation, bold=chosen, priced=chosen)

    def all_steps(name: str, method: str, pruning: engine.Pruning, label: str) -> list[Entry]:
        known = zip(pruning.steps, *(each.tolist() for each in figures(yardstick, name, pruning)), strict=True)
        return [Entry(Point(method, i), label, step, a, b, priced=not label) for i, (step, a, b) in enumerate(known)]

    rows = [choice(name) for name in METHODS]
    if line is not None:
        rows += all_steps(line_name(line[0]), line[0], line[1], "")
    front = choices.found.get(FRONT)
    if front is not None and (line is None or line[0] != FRONT) and yardstick.metric == usual(base.tree):
        rows += all_steps(FRONT, FRONT, front, tr("optimal front"))
    return rows


class PruningModel(TableModel[Entry]):
    """One row per tree; the chosen one is bold, the one on the canvas is marked; methods without a tree say why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bold = lambda entry: entry.bold
        self._places: dict[Point, list[int]] = {}
        self._on_canvas: Point | None = None
        self.show([], "error", "error", "")

    def show(self, entries: list[Entry], metric: str, pruned_by: str, method: str) -> None:
        """Replaces all rows; `metric`: the name of what "Training" and "Validation" are, `pruned_by`: that of what the
        trees are pruned and cross-validated by, `method`: whose trees the curves are of."""
        self._places, self._on_canvas = {}, None
        for place, entry in sorted(enumerate(entries), key=lambda item: bool(item[1].name)):
            if entry.point is not None:
                self._places.setdefault(_whole(entry.point), []).append(place)
        self._pruned_by, self._metric = pruned_by, metric
        self.judged_alike = metric == pruned_by  # cross-validation tells the figure that the other columns have
        self.fill(entries, self._declared(method))

    def rows_of(self, point: Point | None) -> list[int]:
        """The rows of a tree: of the curves first. The whole tree is the first of every method."""
        return [self.row_of(place) for place in self._places.get(_whole(point), [])] if point is not None else []

    def entry_of(self, point: Point | None) -> Entry | None:
        rows = self.rows_of(point)
        return self.record(rows[0]) if rows else None

    def mark_canvas(self, point: Point | None) -> None:
        before, self._on_canvas = self._on_canvas, _whole(point) if point is not None else None
        for row in (*self.rows_of(before), *self.rows_of(point)):
            self.dataChanged.emit(self.index(row, 0), self.index(row, ALPHA))

    def text(self, rows: Sequence[int]) -> str:
        """These rows, with the header, as tab-separated text with every digit."""
        metric = self._metric
        lines = [f"tree\tleaves\ttraining_{metric}\tvalidation_{metric}\tcv_{self._pruned_by}\tcv_se\talpha"]
        for entry in map(self.record, rows):
            se = entry.step.cv_se if entry.step is not None else NAN
            numbers = (entry.train, entry.validation, entry.cv_error, se, entry.alpha)
            cells = ("" if math.isnan(number) else repr(float(number)) for number in numbers)
            lines.append("\t".join((entry.name, str(entry.step.leaves) if entry.step is not None else "", *cells)))
        return "\n".join(lines) + "\n"

    def _declared(self, method: str) -> list[Column[Entry]]:
        title, _, explained = PRICES.get(method, BY_DEFAULT)
        metric, pruned_by = METRICS[self._metric].label, words.inside(METRICS[self._pruned_by].label)
        by_cost = self._pruned_by == "cost"

        def on_canvas(entry: Entry) -> bool:
            return entry.point is not None and _whole(entry.point) == self._on_canvas

        def explain(entry: Entry) -> str:
            notes = [entry.reason] if entry.reason else []
            notes += [tr("chosen by the method")] * entry.bold + [tr("on the canvas")] * on_canvas(entry)
            return ", ".join(notes)

        def leaves(entry: Entry) -> str:
            count = words.count(entry.step.leaves) if entry.step is not None else ""
            return f"▸ {count}" if on_canvas(entry) else count

        def figure(of: Callable[[Entry], float]) -> Callable[[Entry], str]:
            return lambda entry: error_words(of(entry), self._metric == "error") if entry.step is not None else ""

        def crossed(entry: Entry) -> str:
            text = partial(error_words, by_share=self._pruned_by == "error")
            return _crossed(entry.step, text) if entry.step is not None else ""

        def ink(entry: Entry) -> QColor | None:
            return theme.current().secondary if entry.point is None else None

        def column(
            title: str, text: Callable[[Entry], str], tip: str, key: Callable[[Entry], Any] | None = None
        ) -> Column[Entry]:
            return Column(title, text, key is None, tip, key=key, explained=explain, ink=ink)

        return [
            column(tr("Tree"), lambda entry: entry.name or tr("on the curve"),
                   tr("The method that chooses this tree; below, the trees of the curves by size")),
            column(tr("Leaves"), leaves, tr("Leaves of the tree"),
                   lambda entry: entry.step.leaves if entry.step is not None else NAN),
            column(tr("Training"), figure(lambda entry: entry.train),
                   tr("{metric} on the training rows", metric=metric), lambda entry: entry.train),
            column(tr("Validation"), figure(lambda entry: entry.validation),
                   tr("{metric} on the validation rows", metric=metric), lambda entry: entry.validation),
            column(tr("Cross-validated cost") if by_cost else tr("Cross-validated"), crossed,
                   tr("Cross-validated {pruned_by} on the training rows, ± its standard error", pruned_by=pruned_by),
                   lambda entry: entry.cv_error),
            column(tr(title), lambda entry: words.gain(entry.alpha) if entry.priced and entry.step is not None else "",
                   tr(explained, pruned_by=pruned_by), lambda entry: entry.alpha),
        ]  # fmt: skip


def _whole(point: Point) -> Point:
    """The same for the whole tree, whoever it is the first step of."""
    return point if point.step else Point("", 0)


def why_empty(document: Document) -> str:
    """Why there is no chart, and what to do; empty when there is one."""
    cutback = document.cutback
    if document.tree is None:
        return tr("Open a table and grow a tree: how large it should be will be shown here.")
    if cutback.line is not None or cutback.sequence is not None:
        return ""
    if cutback.error:
        return cutback.error
    if cutback.method:
        return tr("Computing every tree on the way back to the root…")
    if document.tree.n_leaves == 1:
        nothing = phrases.nothing_to_split(document.table, document.candidates)
        return nothing or tr("The tree is a single leaf: split it or press Go first, then prune.")
    return tr("Press Compute: the error of every tree between this one and the root will be drawn by its size.")


def tree_words(
    entry: Entry, text: Callable[[float], str], method: str = SEQUENCE, label: str = "", more: str = ""
) -> str:  # fmt: skip
    """A tree in words: its size and its figures, each with the rows it comes from. `method` says what the alpha is,
    `label` the metric, where it is not the one that trees are pruned by: cross-validation tells nothing of it; `more`:
    what else there is to say of the error."""
    step = entry.step
    assert step is not None
    parts = [phrases.leaves(step.leaves), label]
    if not math.isnan(entry.train):
        named = tr("{metric}: training {figure}", metric=label, figure=text(entry.train))
        parts[1] = named if label else tr("training {figure}", figure=text(entry.train))
    if not math.isnan(entry.validation):
        parts.append(tr("validation {figure}", figure=text(entry.validation)))
    if not label and not math.isnan(step.cv_error):
        parts.append(tr("cross-validated {figure}", figure=_crossed(step, text)))
    parts.append(more)
    if math.isfinite(step.alpha):
        parts.append(tr(PRICES.get(method, BY_DEFAULT)[1], figure=words.gain(step.alpha)))
    return " · ".join(filter(None, parts))


def _crossed(step: Step, text: Callable[[float], str]) -> str:
    return text(step.cv_error) + (f" ± {text(step.cv_se)}" if math.isfinite(step.cv_se) else "")


def doubt(remark: str) -> str:
    if remark == tr(UNJUDGED):
        return tr("no validation rows to choose by")
    return tr("hand-made splits were not cross-validated") if "hand" in remark else remark


def cost_of_choice(pruning: engine.Pruning, choice: engine.Choice | None, text: Callable[[float], str]) -> str:
    """By how much the figure that chose the recommended step is too good; nothing where that is not known."""
    if choice is not None:
        return tr("{figure} on rows that did not choose", figure=text(choice.error))
    step = pruning.steps[pruning.chosen]
    figure = text(step.cv_error + pruning.optimism)
    return tr("{figure} corrected for the choice", figure=figure) if pruning.optimism > 0 else ""


def formula(pruning: engine.Pruning, i: int, told: dict[str, Any], table: engine.Table) -> str:
    """What the method weighs, with the numbers of its step `i`; empty where it has no more to say."""
    step, tree, method, options = pruning.steps[i], pruning.full, pruning.method, Options(**told)
    said = {
        "error": words.inside(METRICS[usual(tree)].label), "train": words.value(step.train_error),
        "alpha": words.value(step.alpha), "leaves": words.count(step.leaves),
    }  # fmt: skip
    n_rows, scale = table.n_counted, tree.leaf_rule.dearest(tree.classes) if tree.task == "classes" else 1.0
    size = 2 * step.leaves - 1
    if method == SEQUENCE and math.isfinite(step.alpha) and options.measure == "risk":
        total = words.value(step.train_error + step.alpha * step.leaves)
        return tr("training {error} + α · leaves = {train} + {alpha} · {leaves} = {sum}", **said, sum=total)
    if method == SEQUENCE and math.isfinite(step.alpha):
        return tr("impurity + α · leaves, α = {alpha}, leaves = {leaves}", **said)
    if method == FRONT and options.judge == "auto" and options.max_errors is None and n_rows and scale == 1.0:
        said |= {"size": words.count(size), "rows": words.count(n_rows)}
        total = words.value(step.train_error + math.sqrt(size / n_rows))
        return tr("training {error} + √(size ÷ m) = {train} + √({size} ÷ {rows}) = {sum}", **said, sum=total)
    if method == "mdl" and options.code == "notes" and n_rows and scale == 1.0:
        from engine.learning_theory.bounds import count_tests, description_bound  # loads pandas

        tests, n_labels = count_tests(table, tree.options.get("nominal") == "multiway"), len(tree.classes)
        n_nodes = pruning.tree(i).n_nodes
        bound = float(description_bound(step.train_error, n_rows, n_nodes, tests, options.delta, n_labels))
        said |= {"penalty": words.value(bound - step.train_error), "sum": words.value(bound)}
        return (
            tr("MDL bound: training {error} + √((bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}", **said)
            if bound < 1 else
            tr("MDL bound: training {error} + √((bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}. No error is "
               "above 1: the bound says nothing for a tree of this size", **said)
        )  # fmt: skip
    if math.isfinite(step.validation_error) and chosen_by_validation(method, told):
        whole, by_share = pruning.steps[0], usual(tree) == "error"
        said |= {"leaves": phrases.leaves(step.leaves), "figure": error_words(step.validation_error, by_share)}
        said |= {"all": words.count(whole.leaves), "whole": error_words(whole.validation_error, by_share)}
        return tr("validation {error}: {figure} with {leaves}, {whole} with all {all}", **said)
    compared = pruning.verdicts.words(0) if pruning.verdicts is not None and i == pruning.chosen else ""
    return tr("At the root – {comparison}", comparison=compared) if compared else ""


def legend(document: Document, drawn: Drawing, short: bool = False) -> str:
    """Which line is which, and from which rows, as rich text; `short` for a panel with room for one line."""
    colours, table, choices = theme.current(), document.table, document.cutback.choices
    assert table is not None
    parts = [(colours.training, tr("training, {rows} rows", rows=words.count(table.n_train)), "╌╌")]
    if table.n_validation:
        told = {"rows": words.count(table.n_validation), "compared": phrases.compared(document.edits.validation_trees)}
        parts.append((colours.validation, tr("validation ± SE, {rows} rows, {compared}", **told), "━━"))
    if any(math.isfinite(error) for error in drawn.cv):
        full = tr("cross-validation on the training rows ± standard error")
        parts.append((colours.positive, tr("cross-validation ± SE") if short else full, "━━"))
    if drawn.forest is not None:
        name, error = drawn.forest
        parts.append((colours.text, f"{name}: {error_words(error, drawn.by_share)}", "┄┄"))
    if drawn.front[0].size and not short:
        parts.append((colours.training, tr("fewest training errors of each size"), "○"))
    if drawn.method in METHODS and not short:
        line = words.inside(METHODS[drawn.method].label)
        parts.append((colours.text, tr("what each method chooses; curves: {method}", method=line), "◇"))
    keys = [plotting.key(colour.name(), text, sign) for colour, text, sign in parts]
    if choices is not None and choices.pending:
        more = tr("{n} more to come…", n=len(choices.pending))
        keys.append(f'<span style="color:{colours.secondary.name()}">{more}</span>')
    return "&nbsp;&nbsp; ".join(keys)
