"""Writing a report as a person does: what is ticked and written in its dialog, and the file."""

from PySide6.QtWidgets import QFileDialog, QTextBrowser

from gui.dialogs.report_dialog import ReportDialog
from tests.gui.acting import do, rest, type_path
from tests.gui.asked import press, when_asked


def reported(qtbot, window, path, *acts):
    """Does the verb, waits for the preview, does these acts in the dialog, and writes; what the preview said then."""
    said = []

    def act(dialog):
        page = dialog.findChild(QTextBrowser, "report_preview")
        qtbot.waitUntil(lambda: "The rules" in page.toPlainText(), timeout=60_000)
        for each in acts:
            each(dialog, page)
        said.append(page.toPlainText())
        placed.extend(when_asked(type_path(path), QFileDialog))
        press("Write…")(dialog)

    placed = []
    asked = when_asked(act, ReportDialog)
    do(window, "report")
    rest(qtbot, window)
    assert asked and str(path) in window.bar.texts[-1]
    return said[0]
