"""The first screen: open a file, type a table, go back to a recent one, or look at an example."""

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QDropEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from engine.formats import PROJECT
from engine.runtime.errors import readable
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.widgets import verbatim
from gui.widgets.building import fill, named
from gui.widgets.fields import ENTER
from gui.widgets.labels import quiet, scaled, stack, title
from gui.wording import words
from gui.wording.recent import recent

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


@dataclass(frozen=True)
class Shipped:
    """One example: what `engine.read_example` calls it, and what its card says."""

    id: str
    title: str
    sentence: str
    rows: int
    columns: int


def shipped_examples(folder: Path = FOLDER) -> list[Shipped]:
    """All examples, the first one to try first."""
    found = []
    for entry in json.loads((folder / "examples.json").read_text(encoding="utf-8")):
        with (folder / entry["file"]).open(encoding="utf-8", newline="") as file:
            records = [record for record in csv.reader(file) if record]
        size = len(records) - 1, len(records[0])
        found.append(Shipped(entry["id"], tr(entry["title"]), tr(entry["description"]), *size))
    return found


RADIUS = 8.0
KNOWN = marked("CSV, TSV, Excel, OpenDocument, Parquet, Feather, folders of Parquet; press to choose a file")


class Tile(QAbstractButton):
    """A rounded surface that is one big button; the mouse and the focus show on its edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # paints it anew when the mouse comes and goes

    @property
    def lit(self) -> bool:
        """Whether it should look as if it would answer now."""
        return self.isEnabled() and (self.underMouse() or self.hasFocus())

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = self.painter(current.accent if self.lit else current.border, current.card)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def painter(self, edge: QColor | Qt.PenStyle, surface: QColor, faded: float = 1.0) -> QPainter:
        """What paints it; `faded`: how much of the surface's colour there is."""
        painter, brush = QPainter(self), QColor(surface)
        brush.setAlphaF(faded)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(edge)
        painter.setBrush(brush)
        return painter


class DropArea(Tile):
    """The place to drop a data file on; a click opens the file dialog instead."""

    dropped = Signal(str)  # a local file was dropped. arg: its path

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        said = tr("Drop a data file or a folder here, or press to choose a file")
        named(self, "drop_area", said, acceptDrops=True, accessibleDescription=tr(KNOWN))
        policy = self.sizePolicy().Policy
        self.setSizePolicy(policy.Expanding, policy.Expanding)
        self._over = False

    def sizeHint(self) -> QSize:
        return QSize(400, max(208, 12 * self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(280, max(176, 10 * self.fontMetrics().height()))

    def dragEnterEvent(self, event: QDropEvent) -> None:
        if file_in(event):
            event.acceptProposedAction()
            self._set_over(True)

    def dragLeaveEvent(self, event: QEvent) -> None:
        self._set_over(False)

    def _set_over(self, over: bool) -> None:
        self._over = over
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_over(False)
        if path := file_in(event):
            event.acceptProposedAction()
            self.dropped.emit(path)

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        lit = self._over or self.lit
        painter = self.painter(current.accent, current.accent, 0.10 if self._over else 0.04 if lit else 0.0)
        pen = QPen(current.accent if lit else current.border, 1.5)
        pen.setDashPattern([4.0, 4.0])
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS + 4, RADIUS + 4)
        painter.setFont(scaled(self.font(), 1.25, QFont.Weight.DemiBold))
        high, middle = painter.fontMetrics().height(), QRectF(self.rect()).center()
        ink = current.accent if lit else current.secondary
        picture = icons.pixmap("drop", 40, self.devicePixelRatioF(), ink)
        painter.drawPixmap(QPointF(middle.x() - 20, middle.y() - 40 - high), picture)
        painter.setPen(current.text)
        line = QRectF(8, middle.y() - high / 4, self.width() - 16, high + 8)
        text = tr("Release to open") if self._over else tr("Drop a file or folder here")
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(current.secondary)
        painter.setFont(self.font())
        painter.drawText(self.words_rect(), Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, tr(KNOWN))
        painter.end()

    def words_rect(self) -> QRectF:
        height = self.fontMetrics().height()
        top = QRectF(self.rect()).center().y() + 8 + 1.2 * height
        return QRectF(16, top, self.width() - 32, min(3.3 * height, self.height() - top))


class ExampleCard(Tile):
    """One shipped table: its title, its size, and what it shows."""

    def __init__(self, heading: str, size: str, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Example {title}, {size}", title=heading, size=size))
        policy = self.sizePolicy().Policy
        self.setSizePolicy(policy.Preferred, policy.Preferred)
        self.setAccessibleDescription(sentence)
        labels = (title(heading), quiet(size, scale=0.9), verbatim.label(sentence))
        for label in labels:
            label.setWordWrap(True)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        stack(self, *labels, 0, spacing=4, margins=(16, 12, 16, 16))


class RecentRow(Tile):
    """What was opened before: its name, and where it is in quiet ink; greyed when it is gone."""

    def __init__(self, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.address, self._found = address, recent(address)
        self._picture = "leaf" if Path(address).suffix.lower() == PROJECT else "table"
        name, address = self._found.name, readable(address)
        self.setEnabled(self._found.is_there)
        self.setText(verbatim.verb(name))
        gone = tr("{path} is no longer there.", path=address)
        self.setToolTip(verbatim.tip(address if self._found.is_there else gone))
        again = tr("Open {name} again", name=name)
        self.setAccessibleName(again if self._found.is_there else tr("{name}, no longer there", name=name))
        policy = self.sizePolicy().Policy
        self.setSizePolicy(policy.Expanding, policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, 2 * self.fontMetrics().height() + 12)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        current = theme.current()
        painter = self.painter(Qt.PenStyle.NoPen, current.accent, 0.10 if self.lit else 0.0)
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        height = self.fontMetrics().height()
        top = (self.height() - 2 * height) // 2
        picture = icons.pixmap(self._picture, 20, self.devicePixelRatioF(), current.secondary)
        painter.drawPixmap(QPointF(8, (self.height() - 20) / 2), picture)
        place = self._found.place, scaled(self.font(), 0.9), current.secondary
        for text, font, ink in ((self._found.name, self.font(), current.text), place):
            painter.setFont(font)
            painter.setPen(ink)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, self.width() - 48)
            painter.drawText(QRectF(40, top, self.width() - 48, height), Qt.AlignmentFlag.AlignVCenter, shown)
            top += height
        painter.end()


def file_in(event: QDropEvent) -> str:
    """The first local file that is being dragged, or nothing."""
    return next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), "")


WIDEST, CARD_WIDTH, MARGIN, GAP = 960, 232, 24, 16  # pixels
RECENT_SHOWN = 10


class StartPage(QScrollArea):
    """What the window shows while no table is open. It imports neither pandas nor numba."""

    openRequested = Signal()  # a file is to be chosen
    folderRequested = Signal()  # a folder is
    databaseRequested = Signal()  # a table of a database is
    pathDropped = Signal(str)  # a file was dropped. arg: its path
    tourRequested = Signal()  # the guided tour
    pasteRequested = Signal()  # a table is to be pasted or typed
    exampleRequested = Signal(str)  # an example was chosen. arg: its id
    recentRequested = Signal(object)  # what was opened before is. arg: its path, even if no UTF-8, or its address

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        named(self, "start_page", tr("Start page"), frameShape=self.Shape.NoFrame, focusPolicy=Qt.FocusPolicy.NoFocus,
              horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # fmt: skip
        self._cards: list[ExampleCard] = []
        self._columns = 0
        page, body = QWidget(), QWidget()
        body.setMaximumWidth(WIDEST)
        policy = body.sizePolicy().Policy
        body.setSizePolicy(policy.Expanding, policy.Preferred)
        margins = (MARGIN, 40, MARGIN, 40)
        fill(QHBoxLayout(page), (QWidget(), 1), (body, 1000), (QWidget(), 1), spacing=0, margins=margins)
        self._grid = QGridLayout()
        self._grid.setSpacing(GAP)
        self._example_box = QWidget()
        stack(self._example_box, title(tr("Examples"), 1.1), self._grid, spacing=12, margins=(0, 0, 0, 0))
        self._example_box.hide()
        self._recent = fill(QVBoxLayout(), spacing=0)
        mark = verbatim.label()
        mark.setPixmap(icons.app_icon().pixmap(64, 64))
        mark.setAccessibleName(tr("The mark of Espalier"))
        said = quiet(tr("Grow a decision tree by hand, and let the data answer at every split."), scale=1.1)
        text = fill(QVBoxLayout(), title("Espalier", 2.4), said, spacing=0)
        heading = fill(QHBoxLayout(), mark, (text, 1), spacing=16)
        stack(body, heading, self._ways_in(body), self._example_box, 0, spacing=32, margins=(0, 0, 0, 0))
        self.setWidget(page)
        self.set_recent([])

    def set_recent(self, addresses: Iterable[str]) -> None:
        """Lists what was opened before, newest first."""
        while item := self._recent.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        rows = [RecentRow(str(address)) for address in addresses][:RECENT_SHOWN]
        for i, row in enumerate(rows):
            row.setObjectName(f"recent_{i}")
            row.clicked.connect(lambda _=False, address=row.address: self.recentRequested.emit(address))
            self._recent.addWidget(row)
        if not rows:
            self._recent.addWidget(quiet(tr("Tables and trees that you open will be listed here.")))
        self._recent.addStretch(1)

    def set_examples(self, examples: Iterable[Shipped]) -> None:
        for example in examples:
            rows, columns = words.count(example.rows), words.count(example.columns)
            size = tr("{rows} rows × {columns} columns", rows=rows, columns=columns)
            card = ExampleCard(example.title, size, example.sentence)
            card.setObjectName(f"example_{example.id}")
            card.clicked.connect(lambda _=False, name=example.id: self.exampleRequested.emit(name))
            self._cards.append(card)
        self._example_box.setVisible(bool(self._cards))
        self._columns = 0
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses what has the focus, too: by themselves buttons outside of dialogs know only the space bar."""
        held = self.focusWidget()
        if event.key() in ENTER and isinstance(held, QAbstractButton):
            return held.click()
        super().keyPressEvent(event)

    def _arrange(self) -> None:
        width = min(self.viewport().width() - 2 * MARGIN, WIDEST)
        columns = max(1, min(3, (width + GAP) // (CARD_WIDTH + GAP)))
        # A scroll area does not ask its page how high it gets at this width, so the cards say it themselves.
        for card in self._cards:
            card.setMinimumHeight(card.heightForWidth((width + GAP) // columns - GAP))
        if columns == self._columns:
            return
        self._columns = columns
        for column in range(3):
            self._grid.setColumnStretch(column, int(column < columns))
        for i, card in enumerate(self._cards):
            self._grid.addWidget(card, i // columns, i % columns)

    def _ways_in(self, body: QWidget) -> QHBoxLayout:
        """The drop area with its buttons, and the recent files. The buttons are made first: first to get the focus."""
        buttons = QGridLayout()
        buttons.setSpacing(8)
        buttons.setColumnStretch(3, 1)
        ways = (
            ("open", "open", tr("&Open…"), self.openRequested),
            ("open_folder", "open", tr("Open fo&lder…"), self.folderRequested),
            ("open_database", "open", tr("Open data&base…"), self.databaseRequested),
            ("paste", "paste", tr("&Paste or type a table…"), self.pasteRequested),
            ("help", "help", tr("&Guided tour"), self.tourRequested),
        )
        for k, (name, icon, text, asked) in enumerate(ways):
            button = named(QPushButton(text, body), f"{name}_button")
            button.setFont(scaled(button.font(), 1.0, QFont.Weight.Medium))
            button.setMinimumHeight(32)
            icons.put(button, icon)
            button.clicked.connect(asked)
            buttons.addWidget(button, k // 3, k % 3)
        drop = DropArea(body)
        drop.clicked.connect(self.openRequested)
        drop.dropped.connect(self.pathDropped)
        left = fill(QVBoxLayout(), (drop, 1), buttons, spacing=16)
        right = fill(QVBoxLayout(), title(tr("Recent"), 1.1), (self._recent, 1), spacing=8)
        return fill(QHBoxLayout(), (left, 3), (right, 2), spacing=40)
