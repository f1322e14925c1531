"""What the tree says of the row in the form of What if: leaf, probabilities, and the nearest other predictions."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import tr
from engine.table.words import value_words
from gui import theme
from gui.model.what_if_tasks import Answer, Value, Values
from gui.widgets import plotting, verbatim
from gui.widgets.building import Reaction, fill, flat_button, named
from gui.widgets.labels import PartsLabel
from gui.wording import phrases, words

MOST_SHOWN = 8  # classes, each in a line
MOST_CHANGES = 4
JOINT = " · "
SHORT = 14  # letters of a column's name in a line that is too long
NAME = 0.35  # of the width, for the names of classes


def briefly(answer: Answer) -> str:
    """The same in one line, whose last parts can be left out."""
    tree, leaf = answer.state.tree, answer.leaf
    node, rows = f"#{int(tree.ids[leaf])}", phrases.counted_rows(int(tree.rows_train[leaf]))
    classes = tree.task == "classes"
    said = tree.classes[answer.said.label] if classes else words.value(answer.said.prediction)
    if answer.n_leaves > 1:
        leaves = tr("in {n} leaves", n=words.count(answer.n_leaves))
        return JOINT.join([tr("Predicts {prediction}", prediction=said), leaves])
    return JOINT.join([tr("Predicts {prediction}", prediction=said), rows, tr("leaf {leaf}", leaf=node)])


def sentence(answer: Answer) -> str:
    """What is predicted and why: the leaf, and how many training rows stand there."""
    tree, leaf = answer.state.tree, answer.leaf
    rows, node = phrases.counted_rows(int(tree.rows_train[leaf])), f"#{int(tree.ids[leaf])}"
    if answer.n_leaves > 1:
        said = words.value(answer.said.prediction)
        if tree.task == "classes":
            label, share = answer.said.label, answer.said.probabilities[answer.said.label]
            said = f"{tree.classes[label]} ({words.rate(float(share))})"
        return tr("Predicts {prediction}: values are missing, so parts of the row stand in {n} leaves, whose mean "
                  "this is.", prediction=said, n=words.count(answer.n_leaves))  # fmt: skip
    if tree.task == "number":
        said = words.value(float(tree.predictions[leaf]))
        return tr("Predicts {prediction}, as leaf {leaf} with {rows} does.", prediction=said, leaf=node, rows=rows)
    label = int(tree.labels[leaf])
    said = words.rate(float(tree.probabilities[leaf, label]))
    said = tr("Predicts {prediction} ({share}), as leaf {leaf} with {rows} does.",
              prediction=tree.classes[label], share=said, leaf=node, rows=rows)  # fmt: skip
    if not tree.leaf_rule.profits:
        return said
    amount = phrases.money(float(tree.expected_profit[leaf]), tree)
    act, leave = tr("Act: it earns {amount}.", amount=amount), tr("Do not act: it earns {amount}.", amount=amount)
    return " ".join((said, act if tree.acts[leaf] else leave))


def change_words(answer: Answer, change: engine.Change, most: int = 1000) -> str:
    """ "no if income > 42.5 instead of 38 and age ≤ 30 instead of 35"; names have at most so many letters."""
    tree, i = answer.state.tree, answer.state.tree.position(change.leaf)
    said = tree.classes[int(tree.labels[i])] if tree.task == "classes" else words.value(float(tree.predictions[i]))
    parts = []
    for name, limit in change.limits.items():
        short, new = plotting.short(name, most), change.values[name]
        asked = limit._replace(column=limit.column._replace(name=short)).words
        condition = f"{short} = {new}" if isinstance(new, str) else asked
        before = value_text(answer.values.get(name), tree.kinds[name])
        parts.append(tr("{condition} instead of {value}", condition=condition, value=before))
    return tr("{prediction} if {changes}", prediction=said, changes=tr(" and ").join(parts))


def value_text(value: Value, kind: str) -> str:
    if value is None:
        return tr("missing")
    return value if isinstance(value, str) else value_words(value, kind)


class Probabilities(QWidget):
    """A bar for each class, those that are most probable first; in `brief` all of them in one bar."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "what_if_probabilities", tr("Probabilities"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.brief = False
        self._shown: list[tuple[str, float, int]] = []
        self._n, self._focus = 0, 0

    def show_answer(self, answer: Answer, focus: int) -> None:
        tree = answer.state.tree
        shares = answer.said.probabilities
        self._n, self._focus = len(shares), focus
        found = [(name, float(share), k) for k, (name, share) in enumerate(zip(tree.classes, shares, strict=False))]
        self._shown = sorted(found, key=lambda one: -one[1])
        said = [words.rated(words.rate(share), name) for name, share, _ in self._shown]
        self.setAccessibleDescription(", ".join(said))
        self.setToolTip(verbatim.tip("\n".join(said[:40])))
        self.setVisible(bool(said))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height() + 2
        return QSize(100, line * (1 if self.brief else min(len(self._shown), MOST_SHOWN)))

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        (self._paint_one if self.brief else self._paint_all)(painter)
        painter.end()

    def _paint_one(self, painter: QPainter) -> None:
        at, metrics = 0.0, self.fontMetrics()
        for name, share, k in self._shown:
            room = QRectF(at, 1, share * self.width(), self.height() - 2)
            ink = theme.current().class_colour(k, self._n, self._focus)
            painter.fillRect(room.adjusted(0, 0, -1, 0), ink)
            said = f"{name} {words.rate(share)}"
            if metrics.horizontalAdvance(said) + 8 <= room.width():
                painter.setPen(Qt.GlobalColor.white if ink.lightnessF() < 0.55 else Qt.GlobalColor.black)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, said)
            at += room.width()

    def _paint_all(self, painter: QPainter) -> None:
        metrics, shown = self.fontMetrics(), self._shown[:MOST_SHOWN]
        line = metrics.height() + 2
        left = 2 + min(
            max((metrics.horizontalAdvance(name) for name, _, _ in shown), default=0), round(NAME * self.width())
        )
        right = metrics.horizontalAdvance("> 99.9 %") + 6
        for row, (name, share, k) in enumerate(shown):
            room = QRectF(0, row * line, self.width(), line)
            painter.setPen(self.palette().color(self.foregroundRole()))
            said = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, left)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, said)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words.rate(share))
            bar = QRectF(left + 6, room.top() + 3, max(self.width() - left - right - 6, 1) * share, line - 6)
            painter.fillRect(bar, theme.current().class_colour(k, self._n, self._focus))


class Prediction(QWidget):
    """The sentence, the bars, and a button for each change, which makes it."""

    wanted = Signal(object)  # the values that a change gives: {column: value}

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("what_if_prediction")
        self.said = verbatim.label(objectName="what_if_said", wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.brief = named(PartsLabel(JOINT, cuts=True), "what_if_brief")
        self.bars = Probabilities()
        self.changes = [self._change(k) for k in range(MOST_CHANGES)]
        self.none = verbatim.label(tr("No change of its values leads to another prediction."), wordWrap=True)
        self._answer: Answer | None = None
        fill(QVBoxLayout(self), self.said, self.brief, self.bars, *self.changes, self.none, spacing=2)

    def _change(self, k: int) -> QPushButton:
        button = flat_button(f"what_if_change_{k}")
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setStyleSheet("text-align: left; padding: 2px 4px")
        button.clicked.connect(lambda: self._on_clicked(k))
        Reaction(button, self._shorten, QEvent.Type.Resize)
        return button

    def show_answer(self, answer: Answer, focus: int, low: bool) -> None:
        """Shows what is known; with `low` room in as few lines as there can be."""
        self._answer = answer
        self.said.setText(words.unbroken(sentence(answer)))
        self.said.setVisible(not low)
        self.brief.setText(briefly(answer))
        self.brief.setToolTip(verbatim.tip(sentence(answer)))
        self.brief.setVisible(low)
        self.bars.brief = low
        self.bars.show_answer(answer, focus)
        most = 1 if low else MOST_CHANGES
        for k, button in enumerate(self.changes):
            button.setVisible(k < min(most, len(answer.changes)))
        self.none.setVisible(not answer.changes)
        self._shorten()

    def _shorten(self) -> None:
        if self._answer is None:
            return
        for button, change in zip(self.changes, self._answer.changes, strict=False):
            whole = change_words(self._answer, change)
            brief = whole if self.fontMetrics().horizontalAdvance(whole) <= (room := button.width() - 16) else (
                change_words(self._answer, change, SHORT)
            )  # fmt: skip
            button.setText(verbatim.verb(self.fontMetrics().elidedText(brief, Qt.TextElideMode.ElideRight, room)))
            button.setAccessibleName(whole)
            values = [f"{name} = {value_text(value, self._answer.state.tree.kinds[name])}"
                      for name, value in change.values.items()]  # fmt: skip
            tip = tr("{change}\nA click sets {values}.", change=whole, values=", ".join(values))
            button.setToolTip(verbatim.tip(tip))

    def _on_clicked(self, k: int) -> None:
        if self._answer is not None and k < len(self._answer.changes):
            values: Values = self._answer.changes[k].values
            self.wanted.emit(dict(values))
