"""The first rows of a table that is about to be opened, with the kind and role of each column."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QStyle, QStyledItemDelegate, QTableView, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.model.jobs import words_for
from gui.widgets.building import named, open_menu
from gui.widgets.columns import KINDS, ROLES, Word, kind_menu, role_menu, role_word
from gui.widgets.labels import enlarged, scaled
from gui.widgets.tables import Column, Index, TableModel
from gui.wording import phrases, words

FORMATS = {
    "csv": marked("Text"), "excel": marked("Workbook"), "parquet": marked("Typed columns"),
    "arff": marked("ARFF, typed columns"), "folder": marked("Parquet files"), "duckdb": marked("DuckDB database"),
}  # fmt: skip
DELIMITER_WORDS = {
    ",": marked("separated by commas"), ";": marked("separated by semicolons"), "\t": marked("separated by tabs"),
    "|": marked("separated by bars"), " ": marked("separated by spaces"),
}  # fmt: skip


def inspect_again(preview: "engine.Preview", corrections: dict[str, Any], text: str | None) -> "engine.Preview":
    """The preview of the same file or text under corrected options; what is not corrected is guessed anew."""
    kept = {"kinds": preview.options.kinds, "names": preview.options.names}
    options = engine.ReadOptions(**{**kept, **corrections})
    return engine.inspect_text(text, options) if text is not None else engine.inspect(preview.path or "", options)


def cells_of(preview: "engine.Preview") -> list[list[str]]:
    """For every column the texts of its first rows, "" where a value is missing."""
    gone = set(preview.options.missing) if not preview.is_typed else set()
    columns = zip(*preview.head, strict=True) if preview.head else ([] for _ in preview.names)
    return [["" if text in gone else text for text in column] for column in columns]


def title_of(preview: "engine.Preview") -> str:
    return preview.path.name if preview.path is not None else tr("Pasted table")


def subtitle_of(preview: "engine.Preview") -> str:
    rows, columns, delimiter = preview.n_rows, len(preview.names), preview.options.delimiter
    size = tr("rows not counted yet") if rows is None else phrases.counted_rows(rows)
    parts = [tr(FORMATS[preview.format]), size, phrases.counted_columns(columns)]
    if preview.format == "csv" and delimiter and columns > 1:
        usual = DELIMITER_WORDS.get(delimiter)
        parts.append(tr(usual) if usual else tr("separated by {delimiter}", delimiter=delimiter))
    return " · ".join(parts)


def estimated_rows(preview: "engine.Preview") -> int | None:
    """About how many rows a file of text has, by its size and the length of its first rows; None when it is counted."""
    if preview.n_rows is not None or preview.path is None or preview.format != "csv":
        return None
    letters = sum(len(text) + 1 for column in cells_of(preview) for text in column)
    length = letters / len(preview.head) if preview.head else 0
    return int(float(f"{preview.path.stat().st_size / length:.1e}")) if length else None


def sentence(error: Exception) -> str:
    """What a person reads when the file cannot be read like this."""
    return words_for(error) or tr("The table cannot be read like this: take the last change back.")


NUMERIC = ("number", "integer", "date")


class PreviewModel(TableModel[int]):
    """Texts of the first rows; kinds and roles of the columns. `offered`: the roles that a column may get."""

    kindChosen = Signal(str, str)  # column name, kind
    rolesChanged = Signal()  # a role or the target is another one

    def __init__(self, parent: QWidget | None = None, offered: Collection[str] = ROLES) -> None:
        super().__init__(parent)
        self.offered = offered
        self.names: list[str] = []
        self.kinds: dict[str, str] = {}
        self.roles: dict[str, str] = {}
        self.target: str | None = None
        self.cells: dict[str, Sequence[str]] = {}  # the first texts of each column

    def show(self, names: Sequence[str], kinds: Mapping[str, str], cells: Sequence[Sequence[str]]) -> None:
        """Puts another preview up, `cells` as `cells_of` gives them. Roles stay with columns that are still there."""
        self.names, self.kinds = list(names), dict(kinds)
        self.cells = dict(zip(self.names, cells, strict=bool(cells)))
        self.roles = {name: self.roles.get(name, "feature") for name in self.names}
        if self.target not in self.roles:
            self.target = None
        self.fill(range(len(cells[0]) if cells else 0), [self._declared(name) for name in self.names])

    def role_of(self, name: str) -> str:
        """The role of a column, "target" for the one to predict."""
        return "target" if name == self.target else self.roles[name]

    def set_kind(self, name: str, kind: str) -> None:
        """Asks for another kind; the preview is then read again by whoever listens. Ordered levels can be put into
        another order."""
        if kind == "ordered":  # only once the order is known
            self.kindChosen.emit(name, kind)
        elif kind != self.kinds[name]:
            self.kinds[name] = kind
            self._header_changed()
            self.kindChosen.emit(name, kind)

    def set_role(self, name: str, role: str) -> None:
        """Gives a column another role; "target" makes it the column to predict."""
        if role == "target":
            return self.set_target(name)
        for alone in (("weight", "frequency"), ("partition",)):  # one column at most has one of them
            if role in alone:
                self.roles = {each: "feature" if has in alone else has for each, has in self.roles.items()}
        self.roles[name] = role
        self.target = None if name == self.target else self.target
        self._roles_changed()

    def set_target(self, name: str) -> None:
        """Makes a column the one to predict; the former one becomes a feature."""
        if name != self.target:
            self.roles[name] = "feature"
            self.target = name
            self._roles_changed()

    def _roles_changed(self) -> None:
        self._header_changed()
        if self.names and self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
        self.rolesChanged.emit()

    def _header_changed(self) -> None:
        self.columns = [self._declared(name) for name in self.names]
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, len(self.names) - 1))

    def _declared(self, name: str) -> Column[int]:
        kind, use, cells = KINDS[self.kinds[name]], role_word(self.role_of(name)), self.cells.get(name, ())
        quiet = self.role_of(name) == "ignore"
        return Column(
            name, lambda row: cells[row] or words.NOTHING, self.kinds[name] not in NUMERIC,
            f"{name}\n{kind.word}: {kind.meaning}\n{use.word}: {use.meaning}",
            explained=lambda row: cells[row] or tr("missing"),
            ink=lambda row: theme.current().secondary if quiet or not cells[row] else None,
        )  # fmt: skip

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole and orientation == Qt.Orientation.Horizontal:
            return ", ".join((self.names[section], *(word.word for word in self.chosen(self.names[section]))))
        return super().headerData(section, orientation, role)

    def chosen(self, name: str) -> tuple[Word, Word]:
        return KINDS[self.kinds[name]], role_word(self.role_of(name))


NARROWEST_COLUMN = 104


class PreviewHeader(QHeaderView):
    """Three lines for each column: its name, its kind, its role. The last two open a menu."""

    pressed = Signal(int, int)  # column, line

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setMouseTracking(True)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(NARROWEST_COLUMN)
        self._under = (-1, -1)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 3 * self._line() + 16)

    def sectionSizeFromContents(self, section: int) -> QSize:
        model, wide = self.model(), self.fontMetrics().horizontalAdvance
        name = str(model.headerData(section, Qt.Orientation.Horizontal))
        words = [wide(word.word) + 60 for word in model.chosen(name)] if isinstance(model, PreviewModel) else []
        return QSize(max(NARROWEST_COLUMN, round(wide(name) * 1.1) + 24, *words), 3 * self._line() + 16)

    def _line(self) -> int:
        return self.fontMetrics().height() + 6

    def _place(self, event: QMouseEvent) -> tuple[int, int]:
        """The section below the mouse and which of its lines: 0 the name, 1 the kind, 2 the role."""
        point = event.position().toPoint()
        return self.logicalIndexAt(point), max(0, min(2, (point.y() - 6) // self._line()))

    def line_rect(self, section: int, line: int) -> QRect:
        left = self.sectionViewportPosition(section)
        return QRect(left + 4, 6 + line * self._line(), self.sectionSize(section) - 9, self._line())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._set_under(self._place(event))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: Any) -> None:
        self._set_under((-1, -1))
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        resizing = self.viewport().cursor().shape() == Qt.CursorShape.SplitHCursor
        section, line = self._place(event)
        if event.button() == Qt.MouseButton.LeftButton and section >= 0 and line > 0 and not resizing:
            self.pressed.emit(section, line)

    def _set_under(self, under: tuple[int, int]) -> None:
        if under != self._under:
            self._under = under
            self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model, current = self.model(), theme.current()
        if not isinstance(model, PreviewModel) or not 0 <= section < len(model.names):
            return
        name = model.names[section]
        role = model.role_of(name)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, current.card)
        painter.setPen(current.border)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if role == "target":
            painter.fillRect(QRect(rect.left() + 4, rect.top(), rect.width() - 9, 3), current.accent)
        painter.setPen(current.secondary if role == "ignore" else current.text)
        painter.setFont(scaled(self.font(), 1.0, QFont.Weight.DemiBold))
        line = self.line_rect(section, 0).adjusted(4, 0, -4, 0)
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, shown)
        inks = current.secondary, current.accent if role == "target" else current.secondary
        painter.setFont(self.font())
        for k, (word, ink) in enumerate(zip(model.chosen(name), inks, strict=True), start=1):
            rect = self.line_rect(section, k)
            if self._under == (section, k):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.mix(current.card, current.accent, 0.12))
                painter.drawRoundedRect(QRectF(rect), 4, 4)
            middle = rect.center().y() + 1
            picture = icons.pixmap(word.icon, 16, self.devicePixelRatioF(), ink)
            painter.drawPixmap(QPointF(rect.left() + 4, middle - 8), picture)
            painter.setPen(ink)
            text = rect.adjusted(26, 0, -16, 0)
            shown = painter.fontMetrics().elidedText(word.word, Qt.TextElideMode.ElideRight, text.width())
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)
            tip = QPointF(rect.right() - 9, middle + 1.5)  # of a chevron that promises a menu
            painter.drawPolyline([tip + QPointF(-3, -3), tip, tip + QPointF(3, -3)])
        painter.restore()


WIDEST_COLUMN = 220
PADDING = 5


class PaddedDelegate(QStyledItemDelegate):
    """Cells that stand under their header's text, with a quiet tint where the column is the current one."""

    def paint(self, painter: QPainter, option: Any, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            current = theme.current()
            painter.fillRect(option.rect, theme.mix(current.card, current.accent, 0.10))
            option.state &= ~QStyle.StateFlag.State_Selected
        option.rect.adjust(PADDING, 0, -PADDING, 0)
        super().paint(painter, option, index)


class PreviewTable(QTableView):
    """Shows a `PreviewModel`; the header's menus are also on F2 (kind), F3 (role) and the context menu."""

    def __init__(self, model: PreviewModel) -> None:
        super().__init__(showGrid=False, wordWrap=False)
        self._model, self._header = model, PreviewHeader(self)
        self.setHorizontalHeader(self._header)
        self.setModel(model)
        named(
            self, "preview_table", tr("First rows of the table"), frameShape=self.Shape.NoFrame,
            accessibleDescription=tr("F2 changes the kind of the current column, F3 its role."),
            alternatingRowColors=True, horizontalScrollMode=self.ScrollMode.ScrollPerPixel,
            selectionBehavior=self.SelectionBehavior.SelectColumns, selectionMode=self.SelectionMode.SingleSelection,
        )  # fmt: skip
        self.setItemDelegate(PaddedDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_context_menu)
        self._header.pressed.connect(self._open_choices)
        model.modelReset.connect(self._on_reset)
        for part in (self._header.viewport(), self.viewport()):
            theme.watcher().changed.connect(part.update)
        self._on_reset()

    def _menu(self, column: int, line: int, parent: QWidget) -> QMenu:
        model, name = self._model, self._model.names[column]
        if line == 1:
            return kind_menu(model.kinds[name], partial(model.set_kind, name), parent)
        return role_menu(model.role_of(name), partial(model.set_role, name), parent, model.offered)

    def _open_choices(self, column: int, line: int) -> None:
        where = self._header.viewport().mapToGlobal(self._header.line_rect(column, line).bottomLeft())
        open_menu(self._menu(column, line, self), where)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        column, key = self.currentIndex().column(), event.key()
        line = 1 if key == Qt.Key.Key_F2 else 2 if key == Qt.Key.Key_F3 else 0
        if line and column >= 0:
            self._open_choices(column, line)
        else:
            super().keyPressEvent(event)

    def _on_context_menu(self, point: QPoint) -> None:
        column = self.columnAt(point.x())
        if column >= 0:
            menu = QMenu(self)
            for line in (2, 1):
                menu.addMenu(self._menu(column, line, menu))
            open_menu(menu, self.viewport().mapToGlobal(point))

    def _on_reset(self) -> None:
        """Makes each column as wide as its name and first values ask for, within limits."""
        widest = round(WIDEST_COLUMN * enlarged(self))
        for column, name in enumerate(self._model.names):
            longest = max(self._model.cells[name][:20], key=len, default="")
            text = self.fontMetrics().horizontalAdvance(longest[:60]) + 24
            wish = max(text, self._header.sectionSizeFromContents(column).width())
            self._header.resizeSection(column, min(widest, max(NARROWEST_COLUMN, wish)))
