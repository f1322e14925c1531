"""The panel Judge: what other samples of the training rows say of the tree, and of how it was made."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QHeaderView, QWidget

from engine.pruning import METHODS
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model import judging
from gui.model.document import Document
from gui.model.judging import Way
from gui.panels.judge import findings
from gui.picture.nodes.cards import LINES
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, empty_page, fill, named, put_pages, refuse
from gui.widgets.buttons import Button
from gui.widgets.fields import ExplainedList, WholeBox
from gui.widgets.tables import TableModel, TableView, stretch
from gui.wording import words

LOW, NARROW = 15, 36  # lines; in less room the table needs that of all but one line of words, and columns are shortened
MOST = 9_999  # folds, samples or trees
WHATS = {
    judging.GROWN: (marked("Growing as set"), marked("Trees are grown by the search options as they are set now")),
    judging.PRUNED: (marked("Growing and pruning: {method}"), marked("The same, and each tree is cut back by the "
        "method of the panel Prune, which chooses anew for each")),
    judging.STRUCTURE: (marked("The splits of this tree"), marked("The splits stay as they are, made by hand or not, "
        "and the leaves are counted on other rows")),
    judging.SPLIT: (marked("The split that is looked at"), marked("The split in “This node” alone, on the rows of its "
        "node")),
}  # fmt: skip
HOWS = {
    judging.FOLDS: (marked("Folds"), marked("Each part of the rows is judged by a tree of all others "
        "(cross-validation); the classes have the same shares in all parts")),
    judging.BOOTSTRAP: (marked("Bootstrap samples"), marked("As many rows as there are, drawn with replacement; the "
        "rows left out judge, and the splits are compared with those of the tree")),
    judging.SUBSAMPLE: (marked("Subsamples"), marked("63.2 % of the rows drawn without replacement; otherwise as "
        "bootstrap samples")),
    judging.BAGGED: (marked("Bagged trees"), marked("Trees of bootstrap samples predict together; each row is judged "
        "by those that have not seen it")),
    judging.FOREST: (marked("Random forest"), marked("As bagged trees, but every node chooses among some columns drawn "
        "at random, as many as the root of their number")),
    judging.EACH_ROW: (marked("Each row left out"), marked("A tree for every training row, made without it "
        "(leave-one-out): this may take long")),
    judging.BY_GROUP: (marked("Folds by “{column}”"), marked("As folds, but rows with the same value stay together")),
    judging.IN_TIME: (marked("Folds in the order of “{column}”"), marked("Each part is judged by a tree of the rows "
        "before it; for dates and what is counted in time")),
}  # fmt: skip


class ResamplingPanel(QWidget):
    """Chooses what is judged and how, runs it, and lists what was found beside the tree as it stands."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("judge_panel")
        self._document, self._judging = document, document.judging
        self._chosen = False  # whether a person has said what is judged; before, a pruned tree brings the pruning along
        self._build()
        for signal in (document.treeChanged, document.searchChanged, document.selectionChanged, document.draftChanged,
                       document.ranking.candidateChanged, document.pruningChanged, document.judging.changed,
                       theme.watcher().changed):  # fmt: skip
            signal.connect(self._refresh)
        document.look.changed.connect(lambda names: self._refresh() if "lines" in names else None)
        document.tableChanged.connect(self._fill_ways)
        Reaction(self, self._refresh, QEvent.Type.Show, QEvent.Type.Resize)
        self._fill_ways()

    def _build(self) -> None:
        self.what = named(ExplainedList(6), "judge_what", tr("What is judged"), activated=self._on_chosen)
        self.how = named(ExplainedList(6), "judge_how", tr("How it is judged"))
        for name, (label, sentence) in WHATS.items():
            self.what.offer(tr(label, method=""), name, tr(sentence))
        self.number = named(WholeBox(minimum=2, maximum=MOST), "judge_number", tr("Folds, samples or trees"))
        tip = tr("How often the rows are dealt out into folds")
        self.repeats = named(WholeBox(minimum=1, maximum=100, prefix="× "), "judge_repeats", tr("Repeats"), tip)
        self.run = named(Button(tr("Run")), "judge_run", clicked=self._on_run)
        shown = QCheckBox(tr("Show on the tree"))
        self.show_returned = named(shown, "judge_show", tip=LINES["returned"].tip, clicked=self._on_show)
        self.said = verbatim.label(objectName="judge_sentence", wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = TableModel[findings.Line](self, findings.columns())
        self.table = TableView("judge_table", tr("What was found, the newest first"), self.model)
        stretch(self.table.horizontalHeader(), findings.WHAT)
        self.said.setMinimumWidth(1)
        self.empty = empty_page(tr("Open a table: here other samples of its rows judge the tree."), "judge_empty")
        asked = fill(QHBoxLayout(), (self.what, 3), (self.how, 2), spacing=8)
        run = fill(QHBoxLayout(), 0, self.show_returned, self.number, self.repeats, self.run, spacing=8)
        self.controls = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (asked, 1), run, spacing=8)
        self.pages = put_pages(self, below(self.controls, self.said, (self.table, 1), spacing=6), self.empty)
        self.how.currentIndexChanged.connect(self._on_way_chosen)

    def _fill_ways(self) -> None:
        """The ways to judge, by groups and in time where the table has columns for that."""
        table, chosen = self._document.table, self.how.currentData()
        columns, roles = (table.columns, table.roles) if table is not None else ((), {})
        dates = [one for one in columns if one.kind == "date"]
        ordered = dates or [one for one in columns if one.is_numeric]
        names = {
            judging.BY_GROUP: [one.name for one in columns if roles.get(one.name) == "group"],
            judging.IN_TIME: [one.name for one in ordered if table is not None and one.name != table.target],
        }
        offered = [(kind, name) for kind in HOWS for name in names.get(kind, [""])]
        with QSignalBlocker(self.how):
            self.how.clear()
            for kind, name in offered:
                label, sentence = HOWS[kind]
                self.how.offer(tr(label, column=name), (kind, name), tr(sentence))
            self.how.setCurrentIndex(offered.index(chosen) if chosen in offered else 0)
        (self._refresh if chosen in offered else self._on_way_chosen)()

    def _on_chosen(self) -> None:
        self._chosen = True
        self._refresh()

    def _on_way_chosen(self) -> None:
        kind = self.how.currentData()[0]
        if (usual := judging.USUAL_NUMBER.get(kind)) is not None:
            self.number.setValue(usual)
        self.number.setVisible(usual is not None)
        self.repeats.setVisible(kind in (judging.FOLDS, judging.BY_GROUP))
        self._refresh()

    def _on_run(self) -> None:
        kind, column = self.how.currentData()
        repeats = self.repeats.value() if not self.repeats.isHidden() else 1
        n = 0 if self.number.isHidden() else self.number.value()
        self._judging.ask(self.what.currentData(), Way(kind, n, repeats, column))

    def _on_show(self, on: bool) -> None:
        look = self._document.look
        shown = {*look.lines, "returned"} if on else {*look.lines} - {"returned"}
        look.set(lines=tuple(line for line in LINES if line in shown))

    def _refresh(self, *_: object) -> None:
        document, known = self._document, self._judging
        self.pages.setCurrentIndex(0 if document.tree is not None else 1)
        if document.tree is None or not self.isVisible():
            return
        if not self._chosen:
            self.what.setCurrentIndex(self.what.findData(known.usual))
        method = words.inside(METHODS[known.method].label) if known.method else ""
        self.what.setItemText(self.what.findData(judging.PRUNED), tr(WHATS[judging.PRUNED][0], method=method))
        for row in range(self.what.count()):
            self.what.allow(row, known.recipe(self.what.itemData(row)) is not None)
        forest = self.how.currentData()[0] in judging.FORESTS
        refuse(self.what, tr("A forest is grown by the search options") if forest else "")
        usable = forest or self.what.is_usable(self.what.currentIndex())
        self.run.setEnabled(usable and not known.running)
        self.show_returned.setVisible(known.stability_of(document.tree) is not None)
        self.show_returned.setChecked("returned" in document.look.lines)
        self._share_room(findings.sentences(document))
        now = findings.lines(document)
        if list(self.model.records) != now:
            self.model.fill(now)

    def _share_room(self, said: str) -> None:
        """In little room the words are one line, and the choices stand above the numbers."""
        metrics, modes = self.fontMetrics(), QHeaderView.ResizeMode
        narrow, low = (
            size < lines * metrics.height() for size, lines in ((self.width(), NARROW), (self.height(), LOW))
        )
        ways = QBoxLayout.Direction
        self.controls.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(findings.HOW, modes.Stretch if narrow else modes.ResizeToContents)
        for section in (findings.RANGE, findings.LEAVES):
            self.table.setColumnHidden(section, narrow)
        self.said.setWordWrap(not low)
        room = self.width() - 16
        self.said.setText(metrics.elidedText(said, Qt.TextElideMode.ElideRight, room) if low else said)
        self.said.setToolTip(verbatim.tip(said) if low else "")
