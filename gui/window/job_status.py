"""What the worker is doing, in the status bar: the text, the progress, and Stop."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from engine.runtime.progress import is_compiling
from gui import icons
from gui.model.jobs import Jobs
from gui.widgets import verbatim

PATIENCE = 500  # milliseconds before a job is worth showing: shorter ones would only flicker
COMPILING = "Compiling what this needs, once…"


class JobStatus(QWidget):
    """Appears when a job takes longer than half a second."""

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("job_status")
        self._jobs, self._said = jobs, ""
        self.text = verbatim.label(objectName="job_text")
        self.bar = QProgressBar(objectName="job_bar", textVisible=False)
        self.bar.setAccessibleName("Progress")
        self.bar.setFixedWidth(160)
        self.bar.setMaximumHeight(12)
        self.stop = QPushButton("Stop", objectName="job_stop", flat=True)
        self.stop.setToolTip("Stops the work and keeps what is valid so far (Esc)")
        self.stop.setAccessibleName("Stop the work")
        icons.put(self.stop, "stop")
        self.stop.clicked.connect(jobs.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        for widget in (self.text, self.bar, self.stop):
            row.addWidget(widget)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE)
        self._timer.timeout.connect(self._on_patience_over)
        self._watch = QTimer(self, interval=PATIENCE)
        self._watch.timeout.connect(self._look_at_compiler)
        jobs.started.connect(self._on_started)
        jobs.progressed.connect(self._on_progressed)
        jobs.idle.connect(self._on_idle)
        self.hide()

    def _on_started(self, text: str) -> None:
        self._said = f"{text}…"
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
        self.text.setText(COMPILING if is_compiling() else self._said)

    def _on_idle(self) -> None:
        self._timer.stop()
        self._watch.stop()
        self.hide()
