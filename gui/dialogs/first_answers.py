"""What a dialog shows while a large table is read: the best splits of the root among some of its rows."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from engine.criteria import CRITERIA, DEFAULT
from engine.runtime.sentences import tr
from gui.model.first_answers import FirstAnswers
from gui.panels.this_node.candidates import figures
from gui.panels.this_node.candidates.model import CandidateModel, CandidateOrder
from gui.panels.this_node.candidates.view import CandidateView
from gui.widgets.building import Reaction, named
from gui.widgets.labels import quiet, stack, title
from gui.wording.first_answers import where_from

SCROLL_BAR = 16  # pixels


class FirstAnswersPage(QWidget):
    """The columns in the order of their gains, each with its best split, as “This node” ranks them; and from which rows
    they are. Nothing there tells whether a split holds on other rows."""

    def __init__(self) -> None:
        super().__init__()
        self._model = CandidateModel(self)
        order = CandidateOrder(self)
        order.setSourceModel(self._model)
        self._view = named(CandidateView(self._model, order), "first_answers", tr("First answers"))
        self._view.header().setSectionsClickable(False)
        self._view.header().setSortIndicatorShown(False)
        self._title, self._from = title(""), quiet("", "first_answers_from")
        stack(self, self._title, self._from, (self._view, 1), margins=(0, 0, 0, 0))
        Reaction(self, self._share_width, QEvent.Type.Resize, QEvent.Type.FontChange)

    def show_answers(self, first: FirstAnswers) -> None:
        table, found = first.table, first.candidates
        criterion = DEFAULT[table.task]
        self._title.setText(tr("First answers · best splits by {criterion}", criterion=tr(CRITERIA[criterion].label)))
        self._from.setText(where_from(table.n_train, table.source["places"]))
        self._view.names.names = tuple(one.column for one in found)
        self._model.show(found, table.kinds, criterion=criterion, classes=table.classes)
        self._share_width()

    def _share_width(self) -> None:
        self._view.share_width([figures.GAIN], self.width() - SCROLL_BAR)


class Answering(QStackedWidget):
    """What a dialog asks and, while it opens a table, first answers in its place, once they are known."""

    def __init__(self, asks: QWidget) -> None:
        super().__init__()
        self.first: FirstAnswers | None = None  # of what was opened last; None where there were none
        self._asks, self._page = asks, FirstAnswersPage()
        self.addWidget(asks)
        self.addWidget(self._page)

    def take(self, found: list[FirstAnswers]) -> None:
        """Shows what a job has found so far."""
        self.first = found[-1]
        self._page.show_answers(self.first)
        self.setCurrentWidget(self._page)

    def ask(self) -> None:
        """Shows what is asked again."""
        self.first = None
        self.setCurrentWidget(self._asks)
