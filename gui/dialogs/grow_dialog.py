"""Growing as far as a person chooses, by the options that are set or by others for once."""

from typing import Any

import numpy as np
from PySide6.QtWidgets import QCheckBox, QDialog, QRadioButton, QWidget

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.options import Search
from gui.model.history import State
from gui.panels.data.search_settings import SearchForm, Setting
from gui.widgets import verbatim
from gui.widgets.building import named
from gui.widgets.labels import Notice, answers, on_screen, quiet, stack
from gui.wording import phrases, words

SHORTEST = 32  # letters of a sentence that is shortened


class GrowDialog(QDialog):
    """Asks where to grow and how: by the search options of `setting`, which are to hold from now on where `keep` is
    ticked."""

    def __init__(self, state: State, selected: int, search: dict[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "grow_dialog").setWindowTitle(tr("Grow"))
        self._tree, self._selected = state.tree, selected
        self.setting = Setting.of(state.table, search)
        place = self._tree.position(selected)
        below = tr("The &branch below {node}", node=verbatim.verb(self._name(place)))
        self.branch = named(QRadioButton(below), "grow_branch")
        self.whole = named(QRadioButton(tr("The whole &tree")), "grow_whole")
        self.level = named(QRadioButton(tr("One &level: every leaf once  (L)")), "grow_one_level")
        self.split = named(QRadioButton(tr("One &split: where it gains most  (S)")), "grow_one_split")
        self.branch.setVisible(place > 0)
        self.branch.setChecked(place > 0)
        self.whole.setChecked(place == 0)
        ways = (self.branch, self.whole, self.level, self.split)
        for button in ways:
            button.toggled.connect(self._refresh)
        self._anew = named(QCheckBox(tr("&Regrow from scratch")), "grow_anew", toggled=self._refresh)
        self.form = SearchForm()
        self.form.chosen.connect(self._on_chosen)
        self.error = Notice("grow_error")
        self.outcome = quiet("", "grow_outcome")
        tip = tr("Otherwise these options hold for this growth only")
        self.keep = named(QCheckBox(tr("&Keep as the search options")), "grow_keep", tip=tip)
        buttons, self.grow = answers(self, tr("&Grow"), "grow_button")
        stack(self, *ways, self._anew, 8, (self.form, 1), self.error, self.outcome, self.keep, buttons)
        self.setMinimumWidth(460)
        self.resize(on_screen(self, 480, 560))
        self._refresh()

    @property
    def node(self) -> int:
        """The node below which everything is to grow; 0 for the whole tree."""
        return self._selected if self.branch.isChecked() else 0

    @property
    def steps(self) -> str:
        """How far: "all", "level" (every leaf is split once) or "split" (the leaf whose best split gains most)."""
        return "level" if self.level.isChecked() else "split" if self.split.isChecked() else "all"

    @property
    def anew(self) -> bool:
        """Whether what has grown there goes first."""
        return self._anew.isChecked() and self.steps == "all" and self._splits_there() > 0

    def accept(self) -> None:
        self.error.say("")
        self.form.settle()  # Alt and a letter press a button while a number is still being typed
        if self.grow.isEnabled() and not self.error.text:
            super().accept()

    def _name(self, place: int) -> str:
        sentence = self._tree.sentence(place)
        return f"“{sentence if len(sentence) <= SHORTEST else sentence[: SHORTEST - 1] + '…'}”"

    def _on_chosen(self, name: str, value: Any) -> None:
        fault = ""
        try:
            self.setting = self.setting.with_(**{name: value})
        except InputError as error:
            fault = phrases.plain(str(error))
        self._refresh()
        if fault:
            self.form.refuse(name, value, fault)
            self.error.say(fault, "error")

    def _refresh(self) -> None:
        self.form.show_setting(self.setting)
        self.error.say("")
        self._anew.setEnabled(self.steps == "all" and self._splits_there() > 0)
        n_open = self._n_open()
        self.outcome.setText(self._outcome(n_open))
        self.grow.setEnabled(n_open > 0)

    def _splits_there(self) -> int:
        top = self._tree.position(self.node)
        return int(np.count_nonzero(self._tree.n_branches[top : self._tree.end[top]]))

    def _n_open(self) -> int:
        tree, search, anew = self._tree, Search.make(self.setting.task, **self.setting.search), self.anew
        top = tree.position(self.node)
        end = int(tree.end[top])
        n_leaves = tree.n_leaves - (int(np.count_nonzero(tree.n_branches[top:end] == 0)) - 1) * anew
        if search.max_leaves is not None and n_leaves >= search.max_leaves:
            return 0
        there = slice(top, top + 1 if anew else end)
        stats, rows = tree.train[there], max(search.min_rows, 2 * search.min_leaf)
        mixed = np.count_nonzero(stats > 0, axis=1) > 1 if tree.classes else stats[:, 2] > 0
        shallow = tree.level[there] < (np.inf if search.max_depth is None else search.max_depth)
        return int((((tree.n_branches[there] == 0) | anew) & mixed & shallow & (tree.rows_train[there] >= rows)).sum())

    def _outcome(self, n_open: int) -> str:
        where = self._name(self._tree.position(self.node)) if self.node else ""
        limits = phrases.limits(self.setting.search)
        if not n_open:
            below = tr("Nothing to grow below {node}: every leaf is pure, or the options allow no further split.",
                       node=where)  # fmt: skip
            return below if where else tr("Nothing to grow: every leaf is pure, or the options allow no further split.")
        if self.anew:
            n = self._splits_there()
            gone = tr("1 split") if n == 1 else tr("{n} splits", n=words.count(n))
            said = {"splits": gone, "node": where, "limits": limits}
            below = tr("Takes {splits} below {node} back and grows again until {limits}.", **said)
            return below if where else tr("Takes {splits} back and grows again until {limits}.", **said)
        if self.steps == "split":
            return tr("Splits the leaf whose best split gains most, weighted by its rows.")
        if self.steps == "level":
            each = tr("Splits each of the {n} open leaves once.", n=words.count(n_open))
            return tr("Splits the open leaf once.") if n_open == 1 else each
        leaves = tr("the open leaf") if n_open == 1 else tr("the {n} open leaves", n=words.count(n_open))
        below = tr("Grows {leaves} below {node} until {limits}.", leaves=leaves, node=where, limits=limits)
        return below if where else tr("Grows {leaves} until {limits}.", leaves=leaves, limits=limits)
