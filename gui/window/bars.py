"""What stands in the bars: criterion, preset and fit of the tree in the toolbar, the work in the status bar."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolBar, QWidget

from engine.runtime.progress import is_compiling
from engine.runtime.sentences import marked, tr
from gui import icons
from gui.model import tree_figures
from gui.model.document import Document
from gui.model.jobs import Jobs
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.wording import phrases, words

if TYPE_CHECKING:
    from engine.tree.tree import Tree

PRESETS = {
    "cart": (marked("CART"), marked(
        "Binary splits by Gini or squared error, as in Breiman, Friedman, Olshen and Stone (1984).")),
    "id3": (marked("ID3"), marked("Entropy, one branch for each level, as in Quinlan (1986).")),
    "kearns_mansour": (marked("Kearns–Mansour"), marked(
        "The √ criterion, best leaf first, as in Kearns and Mansour (1996).")),
    "rpart": (marked("rpart"), marked(
        "Binary splits with surrogates, stopped at cp = 0.01, as in Therneau and Atkinson's rpart.")),
}  # fmt: skip
USES = marked(
    "How often validation rows were looked at to make a decision: each use makes their figure a little too good. "
    "Test rows, if there are any, are untouched."
)
COST = marked(
    "Cost: what a row costs on average, mistakes at their costs and classes by their priors; the labels of such leaves "
    "make it small, even where that makes the error larger."
)
PATIENCE = 500  # milliseconds before a job is worth showing: shorter ones would only flicker
COMPILING = marked("Compiling what this needs, once…")


class CriterionBox(QComboBox):
    """Chooses the criterion by which splits are ranked; only those that are defined for the target."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        named(self, "criterion_box", tr("Criterion"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._document = document
        self._task = ""
        self.activated.connect(self._on_activated)
        document.tableChanged.connect(self.refresh)
        document.searchChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        table = self._document.table
        self.setEnabled(table is not None)
        if table is None:
            self.setToolTip(tr("The criterion by which splits are ranked: open a table first"))
            return
        from engine.criteria import CRITERIA, criteria_for  # brings the compiler along, which an empty window need not

        if table.task != self._task:
            self._task = table.task
            self.clear()
            for criterion in criteria_for(table.task):
                self.addItem(criterion.label, criterion.name)
                tip = f"{criterion.formula}\n{criterion.explanation}"
                self.setItemData(self.count() - 1, verbatim.tip(tip), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(self.findData(self._document.criterion))
        used = CRITERIA[self._document.criterion]
        ranked = tr("Splits are ranked by {criterion}: {formula}", criterion=used.label, formula=used.formula)
        self.setToolTip(verbatim.tip(f"{ranked}\n{used.explanation}"))

    def _on_activated(self, index: int) -> None:
        self._document.set_search(criterion=str(self.itemData(index)))
        self.refresh()  # what was refused goes back to what holds


class PresetBox(QComboBox):
    """Sets all search options to those of a known method."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        tip = tr("Sets all options of the search to those of a known method")
        named(self, "preset_box", tr("Preset of the search options"), tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setPlaceholderText(tr("Own options"))
        self._document = document
        for name, (label, explanation) in PRESETS.items():
            self.addItem(tr(label), name)
            self.setItemData(self.count() - 1, tr(explanation), Qt.ItemDataRole.ToolTipRole)
        self.activated.connect(lambda index: document.set_preset(str(self.itemData(index))))
        document.tableChanged.connect(self.refresh)
        document.searchChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        document = self._document
        self.setEnabled(document.table is not None)
        self.setCurrentIndex(self.findData(document.preset or ("" if document.search else "cart")))


class ToolBar(QToolBar):
    """A press that misses its buttons takes the keys off the canvas, as one on a panel does. A button does
    not: who has pressed Undo goes on with the tree. Hence no focus policy, which would hold for both."""

    fitted = Signal()  # something on it is wider or narrower, as after another text size

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fitted.emit()
        return done

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Not to the toolbar itself: the letters of the actions on it would act there.
        self.window().setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


class FitStrip(QLabel):
    """How good the tree is, always in sight: "12 leaves · depth 5 · error: train 8.8 %, valid 12.6 % (used 3 times)".

    Where mistakes are weighed by costs or priors their mean cost stands beside the error: the labels make it small.
    """

    def __init__(self, document: Document, name: str) -> None:
        super().__init__()
        named(self, name, tr("Fit of the tree"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(16, 0, 16, 0)
        self._document = document
        document.treeChanged.connect(self.refresh)
        document.tableChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        tree = self._document.tree
        self.setText(fit_words(tree, self._document.validation_uses) if tree is not None else "")
        self.setToolTip(tooltip(tree) if tree is not None else "")


def fit_words(tree: Tree, uses: int | None) -> str:
    """The whole strip; without how often validation rows were used where that is None, as on paper."""
    parts = [phrases.leaves(tree.n_leaves), tr("depth {depth}", depth=words.count(tree.depth))]
    train, valid = (not math.isnan(tree_figures.error(tree, part)) for part in ("train", "validation"))

    def both(figure: Callable[[Tree, str], str]) -> str:
        said = {"train": figure(tree, "train"), "valid": figure(tree, "validation")}
        if train and valid:
            return tr("train {train}, valid {valid}", **said)
        return tr("train {train}", **said) if train else tr("valid {valid}", **said)

    if train or valid:
        if tree.task == "classes":
            parts.append(tr("error: {figures}", figures=both(fit)))
        elif tree.predicts_median:
            parts.append(tr("absolute error explained {figures}", figures=both(fit)))
        else:
            parts.append(tr("R² {figures}", figures=both(fit)))
        if phrases.weighs_mistakes(tree):
            cost = both(lambda tree, part: words.value(tree_figures.loss(tree, part)))
            parts.append(tr("cost: {figures}", figures=cost))
    if valid and uses is not None:
        parts[-1] = tr("{figures} ({used})", figures=parts[-1], used=phrases.used(uses))
    return " · ".join(parts)


def fit(tree: Tree, part: str) -> str:
    """The share of rows that are wrong, or the share of the root's squared error that the tree explains (R²); of a
    tree that predicts medians that of its absolute error."""
    error = tree_figures.error(tree, part)
    if tree.task == "classes":
        return words.percent(error)
    root = tree_figures.root_cost(tree, part)
    return f"{1 - error / root:.3f}".replace("-", words.MINUS) if root > 0 else words.NOTHING


def tooltip(tree: Tree) -> str:
    if tree.task == "classes":
        kind = tr("Training and validation: the share of rows with the wrong label.")
    elif tree.predicts_median:
        kind = tr("Training and validation: the share of the absolute error of the root that the tree takes away.")
    else:
        kind = tr("Training and validation: R², the share of the squared error of the root that the tree takes away.")
    return "\n".join((kind, tr(COST), tr(USES)) if phrases.weighs_mistakes(tree) else (kind, tr(USES)))


class JobStatus(QWidget):
    """What the worker is doing: the text, the progress, and Stop; it appears when that takes over half a second."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.setObjectName("job_status")
        self._jobs, self._said = jobs, ""
        self.text = verbatim.label(objectName="job_text")
        self.bar = named(QProgressBar(textVisible=False), "job_bar", tr("Progress"))
        self.bar.setFixedWidth(160)
        self.bar.setMaximumHeight(12)
        tip = tr("Stops the work and keeps what is valid so far (Esc)")
        self.stop = named(QPushButton(tr("Stop"), flat=True), "job_stop", tr("Stop the work"), tip)
        icons.put(self.stop, "stop")
        self.stop.clicked.connect(jobs.stop)
        fill(QHBoxLayout(self), self.text, self.bar, self.stop, spacing=8, margins=(0, 0, 8, 0))
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(self._on_patience_over)
        self._watch = QTimer(self, interval=PATIENCE)
        self._watch.timeout.connect(self._look_at_compiler)
        jobs.started.connect(self._on_started)
        jobs.progressed.connect(self._on_progressed)
        for rest in (self._timer.stop, self._watch.stop, self.hide):
            jobs.idle.connect(rest)
        self.hide()

    def _on_started(self, text: str) -> None:
        self._said = tr("{job}…", job=text)
        self.text.setText(self._said)
        self.bar.setRange(0, 0)
        if not self._timer.isActive() and self.isHidden():
            self._timer.start()

    def _on_progressed(self, fraction: float, text: str) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * fraction))
        if text:
            self._said = text
            self.text.setText(text)

    def _on_patience_over(self) -> None:
        self.setVisible(self._jobs.busy)
        if self._jobs.busy:
            self._look_at_compiler()
            self._watch.start()

    def _look_at_compiler(self) -> None:
        """At a first start a job may wait for the compiler, and has nothing to report itself."""
        self.text.setText(tr(COMPILING) if is_compiling() else self._said)
