"""The panel What if: the values of one row, which may be changed, what the tree makes of them, and how its predictions
depend on one column or two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import tr
from gui import theme
from gui.model import what_if_tasks
from gui.model.document import Document
from gui.model.history import State
from gui.model.what_if_tasks import Answer, Offer, Value, Values
from gui.panels.judge.dependence import DependenceChart, Shown, sentences
from gui.panels.judge.prediction import Prediction
from gui.panels.judge.row_form import RowForm
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, side_by_side
from gui.widgets.buttons import Button
from gui.widgets.fields import FindField, refill, short_list
from gui.widgets.labels import quiet
from gui.wording import words

LOW = 18  # lines; in less room the answer is a few lines, and the sentences of the chart are one
LEAST = 320, 130  # pixels of width and height
NONE = ""  # in the place of the second column


class WhatIfPanel(QWidget):
    """A form and the answer at the left, the chart at the right."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("what_if_panel")
        self._document = document
        self._row = -1  # the row of the table that the values are of; −1 where they are of none
        self._answer: Answer | None = None
        self._offer: Offer | None = None
        self._found: tuple[State, tuple[str, ...], engine.Dependence] | None = None
        self._asked: dict[str, tuple[object, ...]] = {}  # by job what is being found out
        self._build()
        for signal in (document.treeChanged, document.tableChanged):
            signal.connect(self._refresh)
        document.focusChanged.connect(self._show)
        document.look.changed.connect(lambda names: self._take_followed() if "way" in names else None)
        theme.watcher().changed.connect(self._show)
        Reaction(self, self._refresh, QEvent.Type.Show)
        Reaction(self, self._show, QEvent.Type.Resize, QEvent.Type.FontChange)
        self._refresh()

    def _build(self) -> None:
        tip = tr("Type the number of a row and press Enter: its values are taken, and it is followed through the tree")
        self.number = FindField("what_if_row", tr("Row number"), tr("Number of the row whose values are taken"),
                                lens=False, returnPressed=self._on_number, toolTip=verbatim.tip(tip))  # fmt: skip
        tip = tr("Sets medians and most frequent levels of the training rows; they may never occur together")
        self.typical = named(Button(tr("Typical")), "what_if_typical", tip=tip, clicked=self._on_typical)
        self.whose = quiet(name="what_if_whose", wrap=False)
        self.whose.setMinimumWidth(1)
        self.prediction = Prediction()
        self.prediction.wanted.connect(lambda values: self._change(values))
        self.form = RowForm()
        self.form.edited.connect(lambda name, value: self._change({name: value}))
        self.form.lockChanged.connect(self._ask_answer)
        tip = tr("The column by which the chart shows predictions")
        self.across = short_list("what_if_across", tr("Column of the chart"), tip, 4, activated=self._ask_chart)
        tip = tr("A second column makes the chart a coloured map")
        self.up = short_list("what_if_up", tr("Second column of the chart"), tip, 4, activated=self._ask_chart)
        self.chart = DependenceChart()
        self.said = quiet(name="what_if_chart_words")
        self.said.setMinimumWidth(1)
        chosen = fill(QHBoxLayout(), (self.number, 1), self.typical, spacing=6)
        left = below(chosen, self.whose, self.prediction, (self.form, 1), spacing=4)
        left.setMinimumWidth(1)
        columns = fill(QHBoxLayout(), (self.across, 1), (self.up, 1), spacing=6)
        right = below(columns, (self.chart, 1), self.said, spacing=4)
        both = named(side_by_side((left, 320, 1), (right, 340, 1)), "what_if_both")
        self.empty = empty_page(tr("Open a table: here the values of a row can be changed, and what follows is seen."))
        self.pages = put_pages(self, both, self.empty)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    def minimumSizeHint(self) -> QSize:
        return QSize(*LEAST)

    @property
    def values(self) -> Values:
        """Those of the row in the form."""
        return self.form.values

    # -- what is asked of the worker, while the panel is visible

    def _refresh(self, *_: object) -> None:
        state = self._document.state
        self.pages.setCurrentIndex(0 if state is not None else 1)
        if state is None:
            self._answer, self._offer, self._found = None, None, None
            self.form.values = {}
            for key in self._asked:
                self._document.jobs.drop(key)
            self._asked.clear()
        elif self.isVisible():
            if self._offer is None or self._offer.tree is not state.tree or self._offer.table is not state.table:
                known = self._offer

                def done(found: Offer) -> None:
                    self._take_offer(found)

                self._run("what_if_offer", done, what_if_tasks.offered, known)
            else:
                self._take_followed()
                self._ask_answer()
                self._ask_chart()

    def _run(self, key: str, done: Callable[[Any], None], task: Callable[..., Any], *args: object) -> None:
        """Asks the worker; its answer counts as long as the state is the same. The same is not asked twice."""
        state = self._document.state
        if state is None or not self.isVisible() or self._asked.get(key) == (state, *args):
            return
        self._asked[key] = (state, *args)

        def arrived(found: Any) -> None:
            self._asked.pop(key, None)
            if self._document.state is state:
                done(found)

        def failed(error: Exception) -> None:
            self._asked.pop(key, None)
            self.said.setText(str(error))

        self._document.jobs.run(
            tr("Looking at one row"), task, state, *args, done=arrived, failed=failed, key=key, quiet=True
        )

    def _take_offer(self, offer: Offer) -> None:
        other = self._offer is None or self._offer.fields is not offer.fields
        self._offer = offer
        self.form.show_offer(offer)
        kept = {name: value for name, value in self.values.items() if name in offer.fields} if not other else {}
        typical = {name: field.typical for name, field in offer.fields.items()}
        if other:
            self._row = -1
        self.form.show_values({**typical, **kept})
        names = {name: name for name in [*offer.asked, *(n for n in offer.fields if n not in offer.asked)]}
        across, up = self.across.currentData(), self.up.currentData()
        across = across if across in names else next(iter(names), None)
        refill(self.across, names, across)
        refill(
            self.up,
            {NONE: tr("no second column"), **{name: tr("and {column}", column=name) for name in names}},
            up if up in names else NONE,
        )
        self._take_followed()
        self._ask_answer()
        self._ask_chart()

    def _take_followed(self) -> None:
        """Takes the values of the row that is followed through the tree."""
        row, table = self._document.following.row, self._document.table
        if table is None or row < 0 or row == self._row or not self.isVisible() or self._offer is None:
            return
        self._row = row
        self.form.show_values(engine.values_of_row(table, row))
        self._ask_answer()

    def _ask_answer(self) -> None:
        def done(found: Answer) -> None:
            self._answer = found
            self._show()

        if self._offer is not None:
            self._run("what_if", done, what_if_tasks.answered, dict(self.values), frozenset(self.form.locked))

    def _ask_chart(self, *_: object) -> None:
        across, up, state = self.across.currentData(), self.up.currentData(), self._document.state
        if across is None or state is None:
            return
        columns = (across, up) if up and up != across else (across,)
        if self._found is not None and self._found[0] is state and self._found[1] == columns:
            self._document.jobs.drop("dependence")  # of the columns that were chosen meanwhile
            self._asked.pop("dependence", None)
            return

        def done(found: engine.Dependence) -> None:
            if not np.isnan(found.mean).any():  # it was stopped, or no rows train
                self._found = state, columns, found
                self._show()

        self._run("dependence", done, what_if_tasks.depending, columns)

    # -- what a person does

    def _on_number(self) -> None:
        table, text = self._document.table, self.number.text().strip().replace(",", "")
        if table is None:
            return
        if text.isdecimal() and 1 <= int(text) <= table.n_rows:
            self._row = -1
            self._document.following.follow_row(int(text) - 1)
            self.number.setToolTip("")
        else:
            last, typed = words.count(table.n_rows), self.number.text()
            fault = tr("There is no row “{typed}”: this table has the rows 1 to {last}.", typed=typed, last=last)
            self.whose.setText(fault)
            self.whose.show()

    def _on_typical(self) -> None:
        if self._offer is not None:
            self._change({name: field.typical for name, field in self._offer.fields.items()})

    def _change(self, values: Values) -> None:
        """Sets some values, and lights the way of the row that they make."""
        changed: dict[str, Value] = {**self.values, **values}
        self._row = -1
        self.number.clear()
        self.form.show_values(changed)
        self._document.following.follow_values(changed)
        self._ask_answer()

    # -- what is seen

    def _show(self) -> None:
        document, answer = self._document, self._answer
        if document.state is None or not self.isVisible():
            return
        low = self.height() < LOW * self.fontMetrics().height()
        if answer is not None and answer.state is document.state:
            self.prediction.show_answer(answer, document.focus_class, low)
        self.prediction.setVisible(answer is not None)
        row = words.count(self._row + 1)
        self.whose.setText(
            tr("The values of row {row}", row=row) if self._row >= 0 else tr("Values of no row of the table")
        )
        self.whose.setVisible(not low)
        self._show_chart(low)

    def _show_chart(self, low: bool) -> None:
        document, answer, offer = self._document, self._answer, self._offer
        if self._found is None or answer is None or offer is None or self._found[0] is not document.state:
            return
        tree, (_, columns, found) = answer.state.tree, self._found
        if answer.state is not document.state or not {*columns} <= offer.fields.keys():
            return
        focus = document.focus_class
        said = answer.said.probabilities[focus] if tree.task == "classes" else answer.said.prediction
        fields = tuple(offer.fields[name] for name in columns)
        shown = Shown(found, fields, tree, focus, answer.values, float(said))
        self.chart.show_dependence(shown)
        whole = words.unbroken(" ".join(sentences(shown)))
        room = max(self.said.width(), 1)
        self.said.setWordWrap(not low)
        self.said.setText(self.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room) if low else whole)
        self.said.setToolTip(verbatim.tip(whole) if low else "")
        self.chart.setAccessibleDescription(whole)
