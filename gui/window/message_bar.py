"""Messages in their place: a bar below the tree, one row each. It lies on the canvas, which keeps its size: no message
moves a tree that somebody looks at, and none covers the legend."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QWidget

from engine.runtime.sentences import tr
from gui import icons, theme
from gui.messages import Message, close
from gui.widgets import verbatim
from gui.widgets.building import fill, flat_button, named, picture_button
from gui.widgets.labels import stack
from gui.wording import words

SHOWN = 4  # rows; the oldest gives way to a new one
INFO_SECONDS = 10
NARROW = 45  # letters of a sentence that stands beside its answers


class MessageRow(QFrame):
    """One message: an icon, the sentence, what can be done, copy, and close."""

    old = False  # it was not said just now

    def __init__(self, message: Message, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        grave = {"info": tr("info"), "warning": tr("warning"), "error": tr("error")}[message.level]
        named(self, f"message_{message.level}", tr("{level}: {message}", level=grave, message=message.text))
        self.setAutoFillBackground(True)
        self._picture = verbatim.label()
        self._picture.setFixedSize(20, 20)
        self.text = verbatim.label(words.unbroken(message.text), wordWrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)  # a new policy forgets that wrapped text grows downwards
        self.text.setSizePolicy(policy)
        self.answers = [(QPushButton(words), call) for words, call in message.actions]
        self.copy = flat_button("message_copy", tr("Copy"), tip=tr("Copies this sentence"))
        if message.level == "info" and not message.actions:  # nobody keeps what goes by itself
            self.copy.hide()
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(message.text))
        self.dismiss = picture_button("message_close", tr("Dismiss this message"), "close")
        if any(call is close for _, call in message.actions):
            self.dismiss.hide()
        self._answers = fill(QHBoxLayout(), 0, *(button for button, _ in self.answers), self.copy, spacing=6)
        self._said = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (self.text, 1), self._answers, spacing=6)
        fill(QHBoxLayout(self), self._picture, (self._said, 1), self.dismiss, spacing=8, margins=(16, 4, 8, 4))
        theme.watcher().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def fit(self, width: int) -> None:
        """In a narrow bar the answers stand below the sentence."""
        besides = self._answers.minimumSize().width()
        narrow = bool(self.answers) and width - besides < NARROW * self.fontMetrics().averageCharWidth()
        self._said.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def _on_theme_changed(self) -> None:
        now = theme.current()
        ink = {"info": now.secondary, "warning": now.warning, "error": now.error}[self.message.level]
        self._picture.setPixmap(icons.pixmap(self.message.level, 18, self.devicePixelRatioF(), ink))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.mix(now.window, ink, 0.12))
        self.setPalette(palette)


class MessageBar(QWidget):
    """Shows messages until they are dismissed; hidden while there is none. An info goes after some seconds or at the
    next action, a refusal at the next action."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "message_bar", tr("Messages"))
        self._layout = stack(self, spacing=0, margins=(0, 0, 0, 0))
        self.rows: list[MessageRow] = []
        self._ground: QWidget | None = None
        self._free: Callable[[], int] = lambda: 0
        self.hide()

    def lie_on(self, ground: QStackedWidget, free: Callable[[], int]) -> None:
        """Lies on the lower edge of another widget, as wide as that is; `free` says how many pixels below it stay in
        sight."""
        self._ground, self._free = ground, free
        ground.currentChanged.connect(self.take_place)
        self.setParent(ground.parentWidget())
        ground.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self.take_place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a row more or less, or a sentence that wraps
            self.take_place()
        return super().event(event)

    def take_place(self) -> None:
        if self._ground is not None:
            room = self._ground.geometry()
            for row in self.rows:
                row.fit(room.width())
            height = self._layout.totalHeightForWidth(room.width())
            self.setGeometry(room.left(), room.bottom() + 1 - height - self._free(), room.width(), height)

    @property
    def texts(self) -> list[str]:
        return [row.message.text for row in self.rows]

    def show_message(self, message: Message) -> None:
        """Shows a message below the others; one that is shown already moves there."""
        same = [row for row in self.rows if row.message == message]
        crowd = [row for row in self.rows if not row.message.actions and row not in same]
        self.dismiss(*same, *crowd[: max(0, len(self.rows) - len(same) - SHOWN + 1)])
        row = MessageRow(message, self)
        row.dismiss.clicked.connect(lambda: self.dismiss(row))
        for button, call in row.answers:
            button.clicked.connect(lambda: self.dismiss(row))
            button.clicked.connect(lambda _=False, call=call: call())
        self.rows.append(row)
        self._layout.addWidget(row)
        self.take_place()
        self.show()
        self.raise_()
        if message.level == "info" and not message.actions:
            QTimer.singleShot(INFO_SECONDS * 1000, row, lambda: self.dismiss(row))
        QTimer.singleShot(0, row, lambda: setattr(row, "old", True))

    def dismiss(self, *rows: MessageRow) -> None:
        for row in [row for row in rows if row in self.rows]:
            self.rows.remove(row)
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.setVisible(bool(self.rows))
        self.take_place()

    def withdraw(self, message: Message) -> None:
        self.dismiss(*(row for row in self.rows if row.message == message))

    def _of_document(self) -> list[MessageRow]:
        return [row for row in self.rows if row.message.about != "program" and not row.message.actions]

    def dismiss_document(self) -> None:
        """Takes away what was said of the document that was on the screen; questions wait for their answers."""
        self.dismiss(*self._of_document())

    def dismiss_step(self) -> None:
        self.dismiss(*(row for row in self.rows if row.message.about == "step"))
        self.dismiss_said()

    def dismiss_said(self) -> None:
        """Takes away infos and refusals of the action before; what this one has just said stays."""
        self.dismiss(*(row for row in self._of_document() if row.old and row.message.level != "warning"))
