"""What stands around the tree: criterion, preset and fit in the toolbar, the way to a node and the work in the status
bar, and what the selected node is, above its candidates."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QProgressBar,
    QStatusBar,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

import engine
from engine.runtime.progress import is_compiling
from engine.runtime.sentences import marked, tr
from gui import icons
from gui.model import tree_figures
from gui.model.document import Document
from gui.model.jobs import Jobs
from gui.model.view_state.several import together_words
from gui.picture.nodes.figures import rates
from gui.picture.nodes.tips import had_words
from gui.widgets import verbatim
from gui.widgets.building import Reaction, fill, flat_button, later, named
from gui.widgets.fields import ExplainedList
from gui.widgets.labels import PartsLabel
from gui.widgets.tables import bold
from gui.wording import phrases, words

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
MARGIN = 8  # pixels beside what the selected node is
SAID_MARGIN = 6  # pixels beside what the status bar says
COMPARED = marked(
    "Trees compared: how many had a validation figure to choose by; the best of many figures is too good."
)
PROFIT = marked("Profit: what a row earns on average where each leaf is acted on if that earns more than not acting.")
COST = marked(
    "Cost: what a row costs on average, mistakes at their costs and classes by their priors; the labels of such leaves "
    "make it small, even where that makes the error larger."
)
PATIENCE = 500  # milliseconds before a job is worth showing: shorter ones would only flicker
COMPILING = marked("Compiling what this needs, once…")


class CriterionBox(QComboBox):
    """Chooses the criterion by which splits are ranked; only those that are defined for the target."""

    def __init__(self, document: Document) -> None:
        super().__init__(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        named(self, "criterion_box", tr("Criterion"))
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
            return self.setToolTip(tr("The criterion by which splits are ranked: open a table first"))
        if table.task != self._task:
            self._task = table.task
            self.clear()
            for criterion in engine.criteria_for(table.task):
                self.addItem(criterion.label, criterion.name)
                tip = f"{criterion.formula}\n{criterion.explanation}"
                self.setItemData(self.count() - 1, verbatim.tip(tip), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(self.findData(self._document.criterion))
        used = engine.CRITERIA[self._document.criterion]
        ranked = tr("Splits are ranked by {criterion}: {formula}", criterion=used.label, formula=used.formula)
        self.setToolTip(verbatim.tip(f"{ranked}\n{used.explanation}"))

    def _on_activated(self, index: int) -> None:
        self._document.set_search(criterion=str(self.itemData(index)))
        self.refresh()  # what was refused goes back to what holds


class PresetBox(ExplainedList):
    """Sets all search options to those of a known method; the open list says what each is, who made it, and how it
    differs."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToContents)
        self.setPlaceholderText(tr("Own options"))
        named(self, "preset_box", tr("Preset of the search options"))
        self._document = document
        for preset in engine.PRESETS.values():
            self.offer(preset.label, preset.name, preset.sentences)
        self.activated.connect(lambda index: document.set_preset(str(self.itemData(index))))
        document.tableChanged.connect(self.refresh)
        document.searchChanged.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        document = self._document
        self.setEnabled(document.table is not None)
        preset = engine.PRESETS.get(document.preset or ("" if document.search else "cart"))
        self.setCurrentIndex(self.findData(preset.name) if preset else -1)
        tip = tr("Sets all options of the search to those of a known method")
        self.setToolTip(verbatim.tip("\n".join([tip, *([f"{preset.label}: {preset.sentences}"] if preset else [])])))


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


class StatusBar(QStatusBar):
    """What is said ends with "…" where what stands at the right leaves no room for all of it."""

    def room(self) -> QRect:
        """What is free for words."""
        room = self.contentsRect().adjusted(SAID_MARGIN, 0, -SAID_MARGIN, 0)
        taken = (child.x() for child in self.findChildren(QWidget, options=DIRECT) if child.isVisible())
        room.setRight(min([room.right(), *(x - SAID_MARGIN for x in taken)]))
        return room

    def said(self) -> str:
        """As much of the message as there is room for."""
        return self.fontMetrics().elidedText(self.currentMessage(), Qt.TextElideMode.ElideRight, self.room().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.currentMessage():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.room(), Qt.AlignmentFlag.AlignVCenter, self.said())
        painter.end()


class FitStrip(PartsLabel):
    """How good the tree is, always in sight: "12 leaves · depth 5 · error: train 8.8 %, valid 12.6 % (112 trees
    compared; 14.1 % on rows that did not choose)".

    Where mistakes are weighed by costs or priors their mean cost stands beside the error: the labels make it small."""

    def __init__(self, document: Document, name: str) -> None:
        super().__init__(" (")
        named(self, name, tr("Fit of the tree"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(16, 0, 16, 0)
        self._document = document
        document.treeChanged.connect(self.refresh)
        document.tableChanged.connect(self.refresh)
        document.pruningChanged.connect(self.refresh)
        document.choosing.changed.connect(self.refresh)
        self.refresh()

    def shown(self) -> str:
        """Without room for all, what stands in brackets goes first, then the sizes: the errors say most."""
        room, metrics = self.contentsRect().width(), self.fontMetrics()
        text = super().shown()
        parts = self.text().partition(self.joint)[0].split(" · ")
        while not text and len(parts) > 1:
            parts.pop(0)
            short = " · ".join(["…", *parts])
            text = short if metrics.horizontalAdvance(short) <= room else ""
        return text

    def refresh(self) -> None:
        tree, choice = self._document.tree, self._document.choosing.choice
        trees = self._document.edits.validation_trees
        self.setText(fit_words(tree, trees, choice) if tree is not None else "")
        self.setToolTip(verbatim.tip(tooltip(tree, choice) if tree is not None else ""))


def fit_words(tree: "engine.Tree", trees: int | None, choice: "engine.Choice | None" = None) -> str:
    """The whole strip; without how many trees validation rows compared where that is None, as on paper. `choice`: how
    rows that did not choose the tree see it."""
    parts = [phrases.leaves(tree.n_leaves), tr("depth {depth}", depth=words.count(tree.depth))]
    train, valid = (not math.isnan(tree_figures.error(tree, part)) for part in ("train", "validation"))

    def both(figure: "Callable[[engine.Tree, str], str]") -> str:
        said = {"train": figure(tree, "train"), "valid": figure(tree, "validation")}
        one = tr("train {train}", **said) if train else tr("valid {valid}", **said)
        return tr("train {train}, valid {valid}", **said) if train and valid else one

    if train or valid:
        share = tr("absolute error explained {figures}", figures=both(fit))
        share = share if tree.predicts_median else tr("R² {figures}", figures=both(fit))
        parts.append(tr("error: {figures}", figures=both(fit)) if tree.task == "classes" else share)
        if tree.leaf_rule.weighs_mistakes:
            cost = both(lambda tree, part: words.value(tree_figures.loss(tree, part)))
            parts.append(tr("cost: {figures}", figures=cost))
        if tree.leaf_rule.profits:
            earned = both(lambda tree, part: phrases.money(tree_figures.profit(tree, part), tree))
            parts.insert(-1, tr("profit per row: {figures}", figures=earned))
    said = {"figures": parts[-1], "compared": phrases.compared(trees or 0)}
    if valid and choice is not None:
        honest = words.value if tree.leaf_rule.weighs_mistakes else partial(fit, tree, "validation")
        said["honest"] = honest(choice.error)
        on_paper = tr("{figures} ({honest} on rows that did not choose)", **said)
        whole = tr("{figures} ({compared}; {honest} on rows that did not choose)", **said)
        parts[-1] = on_paper if trees is None else whole
    elif valid and trees is not None:
        parts[-1] = tr("{figures} ({compared})", **said)
    return " · ".join(parts)


def fit(tree: "engine.Tree", part: str, error: float | None = None) -> str:
    """The share of rows that are wrong, or the share of the root's squared error that the tree explains (R²); of a
    tree that predicts medians that of its absolute error. `error`: instead of that on these rows."""
    error = tree_figures.error(tree, part) if error is None else error
    if tree.task == "classes":
        return words.percent(error)
    root = tree_figures.root_cost(tree, part)
    return f"{1 - error / root:.3f}".replace("-", words.MINUS) if root > 0 else words.NOTHING


def tooltip(tree: "engine.Tree", choice: "engine.Choice | None" = None) -> str:
    if tree.task == "classes":
        kind = tr("Training and validation: the share of rows with the wrong label.")
    elif tree.predicts_median:
        kind = tr("Training and validation: the share of the absolute error of the root that the tree takes away.")
    else:
        kind = tr("Training and validation: R², the share of the squared error of the root that the tree takes away.")
    cost = [tr(COST)] if tree.leaf_rule.weighs_mistakes else []
    cost += [tr(PROFIT)] if tree.leaf_rule.profits else []
    return "\n".join([kind, *cost, tr(COMPARED), *([phrases.judged(choice, tree)] if choice is not None else [])])


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
        self.stop = flat_button("job_stop", tr("Stop"), tr("Stop the work"), tip, clicked=jobs.stop)
        icons.put(self.stop, "stop")
        fill(QHBoxLayout(self), self.text, self.bar, self.stop, spacing=8, margins=(0, 0, 8, 0))
        self._timer = later(self, self._on_patience_over, PATIENCE)
        self._watch = QTimer(self, interval=PATIENCE)
        self._watch.timeout.connect(self._look_at_compiler)
        jobs.started.connect(self._on_started)
        jobs.progressed.connect(self._on_progressed)
        for rest in (self._timer.stop, self._watch.stop, self.hide):
            jobs.idle.connect(rest)
        self.hide()

    def _on_started(self, text: str) -> None:
        self._say(tr("{job}…", job=text))
        self.bar.setRange(0, 0)
        if not self._timer.isActive() and self.isHidden():
            self._timer.start()

    def _on_progressed(self, fraction: float, text: str) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * fraction))
        if text:
            self._say(text)

    def _on_patience_over(self) -> None:
        self.setVisible(self._jobs.busy)
        if self._jobs.busy:
            self._look_at_compiler()
            self._watch.start()

    def _say(self, text: str) -> None:
        self._said = text
        self._look_at_compiler()

    def _look_at_compiler(self) -> None:
        """At a first start a job may wait for the compiler, whatever it reports itself meanwhile."""
        self.text.setText(tr(COMPILING) if is_compiling() else self._said)


LEFT_OUT = "…"
MOST_NAMED = 40  # conditions; no line and no tooltip holds more
LEAST_LETTERS = 24  # of a condition that is shortened: then its column and its threshold can be read


class PathLabel(PartsLabel):
    """Where there is no room, long conditions are shortened, then those in the middle are left out: the first ones say
    most, the last one is the node's own. "…" stands for whatever is missing. It is about the selected node, or, where
    that is `pointed`, about the one that the mouse is over."""

    def __init__(self, document: Document, pointed: bool = True) -> None:
        super().__init__(phrases.AND)
        named(self, "status_rule", tr("Way to the node"))
        self._document, self._follows_mouse, self._parts = document, pointed, list[str]()
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        document.look.changed.connect(self._on_look_changed)

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & {"pointed", "also", "way"}:
            self.refresh()

    def refresh(self) -> None:
        tree, several, pointed = self._document.tree, self._document.several, self._document.look.pointed
        pointed = pointed if self._follows_mouse else -1
        node = pointed if tree is not None and pointed in tree else self._document.selected
        self._parts = conditions(tree, tree.position(node)) if tree is not None and node in tree else []
        had = had_words(self._document.look.way, node) if self._parts else ""
        self.setToolTip(verbatim.tip("\n".join([*self._parts, *filter(None, [had])])))
        self._parts = phrases.bracketed(self._parts)
        if tree is not None and several.on and node != pointed:
            self._parts = [together_words(tree, several.nodes, self._document.focus_class)]
        elif had and self._document.look.way is not None:
            value = self._document.look.way.words[node]
            self._parts[-1] = tr("{condition} (row: {value})", condition=self._parts[-1], value=value)
        self.setText(phrases.AND.join(self._parts))

    def shown(self) -> str:
        """What fits: conditions of the middle give way, those of the upper half last. Before that long ones are
        shortened."""
        room, width = self.contentsRect().width(), self.fontMetrics().horizontalAdvance
        parts = [part for part in self._parts if part != LEFT_OUT]
        if len(parts) == len(self._parts) and width(self.text()) <= room:
            return self.text()
        wide = {text: width(text) for text in (LEFT_OUT, *parts)}
        if len(parts) == len(self._parts) and (whole := self._joined(parts, wide, room)):
            return whole
        first, last = (len(parts) + 1) // 2, len(parts) // 2
        while first + last > 1:
            if found := self._joined([*parts[:first], LEFT_OUT, *parts[len(parts) - last :]], wide, room):
                return found
            first, last = (first, last - 1) if last > 1 and last >= first else (first - 1, last)
        text = phrases.AND.join([*[LEFT_OUT] * (len(self._parts) > 1), *parts[-1:]])
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)

    def _joined(self, texts: list[str], wide: dict[str, int], room: int) -> str:
        """Conditions in one line, the longest ones shortened to one width; empty where that would be too little.
        `wide`: how many pixels each of them takes."""
        metrics = self.fontMetrics()
        room -= (metrics.horizontalAdvance(phrases.AND) + 1) * (
            len(texts) - 1
        )  # widths are whole pixels, and their sum more
        longest = 0
        for k, needed in enumerate(sorted(wide[text] for text in texts)):  # the shorter ones leave the others room
            longest = room // (len(texts) - k)
            if needed > longest:
                break
            room -= needed
        else:
            return phrases.AND.join(texts)
        if longest < metrics.horizontalAdvance("n" * LEAST_LETTERS):
            return ""
        return phrases.AND.join(metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, longest) for text in texts)


def conditions(tree: "engine.Tree", i: int) -> list[str]:
    """The conditions from the root to position i; of very many the first and the last ones, with `LEFT_OUT` between."""
    way, half = np.flatnonzero(tree.end[: i + 1] > i)[1:], MOST_NAMED // 2  # all that i stands below, and itself
    many = len(way) > MOST_NAMED
    first = [tree.rule(node, 1)[0] for node in tree.ids[way[:half] if many else way].tolist()]
    return [*first, LEFT_OUT, *tree.rule(int(tree.ids[i]), half)] if many else first


class NodeHead(QWidget):
    """Two lines: "This node #7 age ≤ 30 and city = Berlin", "229 rows, 43 % bad · validation 41 % (76 rows)"."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("node_head")
        self._document = document
        self.title = verbatim.label(tr("This node"), objectName="node_head_title")
        self.title.setFont(bold())
        self.number = verbatim.label(objectName="node_head_number")
        self.way = named(PathLabel(document, pointed=False), "node_head_way", tr("Way to the node"))
        self.rows = verbatim.label(objectName="node_head_rows", wordWrap=True)
        for quiet in (self.number, self.way):
            quiet.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        line = fill(QHBoxLayout(), self.title, self.number, (self.way, 1), spacing=6)
        fill(QVBoxLayout(self), line, self.rows, spacing=2, margins=(MARGIN, 2, MARGIN, 0))
        for changed in (document.treeChanged, document.selectionChanged, document.focusChanged):
            changed.connect(self.refresh)
        Reaction(self, self.refresh, QEvent.Type.Resize)
        self.refresh()

    def refresh(self) -> None:
        tree, node = self._document.tree, self._document.selected
        there = tree is not None and node in tree
        self.number.setText(f"#{node}" if there else "")
        said = rows_words(tree, tree.position(node), self._document.focus_class) if tree and there else ""
        room, short = self.width() - 2 * MARGIN, said
        if tree and there and self.rows.fontMetrics().horizontalAdvance(said) > room:
            short = rows_words(tree, tree.position(node), self._document.focus_class, words.compact_count)
        self.rows.setText(short)
        self.rows.setToolTip(verbatim.tip(said if short != said else ""))


def rows_words(tree: "engine.Tree", position: int, focus: int, counted: Callable[[float], str] = words.count) -> str:
    """How many rows reach the node and what they are: "229 rows, 43 % bad · validation 41 % (76 rows)". `focus` is the
    class that is told for two classes; for more it is the one that is predicted. `counted` says numbers of rows."""
    told = focus if len(tree.classes) == 2 or tree.task == "number" else int(tree.labels[position])
    figures = []
    for stats in (tree.train, tree.validation):
        found = float(rates(tree, told, stats[position : position + 1])[0])
        known = words.value(found) if tree.task == "number" else words.percent(found)
        figures.append("" if math.isnan(found) else known)
    said = phrases.counted_rows(int(tree.rows_train[position]), counted)
    if figures[0] and tree.task == "number":
        said = tr("{rows}, mean {mean}", rows=said, mean=figures[0])
    elif figures[0]:
        said = tr("{rows}, {rate}", rows=said, rate=words.rated(figures[0], tree.classes[told]))
    if n := int(tree.rows_validation[position]):
        rows = phrases.counted_rows(n, counted)
        said = tr("{node} · validation {figure} ({rows})", node=said, figure=figures[1], rows=rows)
    return said
