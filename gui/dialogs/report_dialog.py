"""What a report is to say: its sections, words of one's own, and how it will look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QCheckBox, QDialog, QPlainTextEdit, QScrollArea, QTextBrowser, QWidget

from engine.reporting import SECTIONS
from engine.runtime.sentences import marked, tr
from gui.model import file_tasks
from gui.model.document import Document
from gui.model.history import State
from gui.model.jobs import words_for
from gui.widgets import verbatim
from gui.widgets.building import below, named, side_by_side
from gui.widgets.labels import Notice, answers, enlarged, on_screen, quiet, stack, title

if TYPE_CHECKING:  # it brings the compiler
    from engine.reporting.description import Report

KINDS = {
    ".html": marked("Page to read and print"), ".pdf": marked("Page on paper"), ".docx": marked("Word document"),
    ".pptx": marked("Slide with the tree"), ".json": marked("Figures as JSON"), ".csv": marked("Leaves as CSV"),
}  # fmt: skip
KEY = "report"
MARGIN = 12  # pixels around the page
PAUSE = 250  # ms after the last letter of the introduction
SEALED = marked("Test rows are left out until you look at them (Data ▸ Look at the test rows…).")
INTRODUCTION = marked("Words of your own at the beginning: what was asked, by whom, and what was decided.")


class ReportDialog(QDialog):
    """Begins to make the report at once, and shows it as soon as it is there. `said`: what else `engine.report` gets;
    `left_out`, the names of sections, and `introduction`: as they were the last time."""

    def __init__(
        self, document: Document, state: State, said: dict[str, Any], left_out: list[str], introduction: str,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._described: Report | None = None
        self._paper: QTextDocument | None = None
        named(self, "report_dialog").setWindowTitle(tr("Report"))
        self._boxes = {
            name: named(QCheckBox(tr(text)), f"report_{name}", checked=name not in left_out, toggled=self._show)
            for name, text in SECTIONS.items()
        }  # fmt: skip
        self._introduction = named(QPlainTextEdit(tabChangesFocus=True), "report_introduction", tr("Introduction"),
                                   placeholderText=tr(INTRODUCTION), plainText=introduction)  # fmt: skip
        self._introduction.setMinimumHeight(5 * self.fontMetrics().height())
        sealed = quiet("" if said["test"] or not state.table.n_test else tr(SEALED), "report_sealed")
        sealed.setVisible(bool(sealed.text()))
        choices = below(title(tr("Sections")), *self._boxes.values(), sealed, title(tr("Introduction")),
                        (self._introduction, 1), spacing=6)  # fmt: skip
        scrolled = QScrollArea(widgetResizable=True)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        scrolled.setWidget(choices)
        self._page = named(QTextBrowser(openLinks=False), "report_preview", tr("Preview of the report"))
        self._notice = Notice("report_notice")
        self._notice.say(tr("The report is being made…"))
        buttons, self._go_on = answers(self, tr("&Write…"), "report_accept")
        self._pause = QTimer(self, interval=PAUSE, singleShot=True)
        self._pause.timeout.connect(self._show)
        self._introduction.textChanged.connect(self._pause.start)
        wide = choices.minimumSizeHint().width() + scrolled.verticalScrollBar().sizeHint().width()
        stack(self, (side_by_side((scrolled, max(wide, 300), 0), (self._page, 640, 1)), 1), self._notice, buttons)
        self.resize(on_screen(self, 1000, 620))
        self._go_on.setEnabled(False)
        self.finished.connect(lambda _: document.jobs.drop(KEY))
        document.jobs.run(tr("Making the report"), file_tasks.described, state, said, done=self._on_described,
                          failed=self._on_failed, key=KEY, quiet=True)  # fmt: skip

    @property
    def introduction(self) -> str:
        return self._introduction.toPlainText()

    @property
    def left_out(self) -> list[str]:
        return [name for name, box in self._boxes.items() if not box.isChecked()]

    @property
    def report(self) -> Report:
        """The report as it was chosen; there is one once the dialog can be accepted."""
        assert self._described is not None
        return self._described.only([name for name in SECTIONS if name not in self.left_out], self.introduction)

    def _on_described(self, described: Report) -> None:
        self._described = described
        there = {section.name for section in described.sections}
        for name, box in self._boxes.items():
            box.setEnabled(name in there)
            tip = "" if name in there else tr("Of this tree there is nothing to say here.")
            box.setToolTip(verbatim.tip(tip))
        self._notice.say("")
        self._go_on.setEnabled(True)
        self._show()

    def _on_failed(self, error: Exception) -> None:
        self._notice.say(words_for(error) or tr("The report went wrong; the log has the details."), "error")

    def _show(self) -> None:
        """The page as it will be printed, in dark letters on white in every theme."""
        if self._described is None:
            return
        from gui.picture.paper.printed import preview  # late: it brings the compiler

        bar, room = self._page.verticalScrollBar(), self._page.viewport().width()
        room -= 2 * MARGIN + (0 if bar.isVisible() else bar.sizeHint().width())
        place, old = bar.value(), self._paper
        self._paper = preview(self.report, room, MARGIN, self.devicePixelRatioF(), enlarged(self))
        self._page.setDocument(self._paper)
        if old is not None:
            old.deleteLater()
        bar.setValue(place)
