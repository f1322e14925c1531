"""The first rows of a table that is about to be opened, with the kind and role of each column in its header."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui import theme
from gui.dialogs.preview_header import NARROWEST_COLUMN, PreviewHeader
from gui.dialogs.preview_model import Index, PreviewModel
from gui.widgets.columns import kind_menu, role_menu

WIDEST_COLUMN = 220
PADDING = 5


class PaddedDelegate(QStyledItemDelegate):
    """Cells that stand under their header's text, with a quiet tint where the column is the current one."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & QStyle.StateFlag.State_Selected:  # type: ignore[attr-defined]
            current = theme.current()
            painter.fillRect(option.rect, theme.mix(current.card, current.accent, 0.10))  # type: ignore[attr-defined]
            option.state &= ~QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
        option.rect.adjust(PADDING, 0, -PADDING, 0)  # type: ignore[attr-defined]
        super().paint(painter, option, index)


class PreviewTable(QTableView):
    """Shows a `PreviewModel`; the header's menus are also on F2 (kind), F3 (role) and the context menu."""

    def __init__(self, model: PreviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        header = PreviewHeader(self)
        self.setHorizontalHeader(header)
        self.setModel(model)
        self.setObjectName("preview_table")
        self.setAccessibleName("First rows of the table")
        self.setAccessibleDescription("F2 changes the kind of the current column, F3 its role.")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setItemDelegate(PaddedDelegate(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_context_menu)
        header.kindPressed.connect(lambda column, where: self._open(self.kind_menu(column), where))
        header.rolePressed.connect(lambda column, where: self._open(self.role_menu(column), where))
        model.modelReset.connect(self._on_reset)
        theme.watcher().changed.connect(header.viewport().update)
        self._on_reset()

    def kind_menu(self, column: int, parent: QWidget | None = None) -> QMenu:
        """The kinds to choose from for a column."""
        name = self._model.names[column]
        return kind_menu(self._model.kinds[name], lambda kind: self._model.set_kind(name, kind), parent or self)

    def role_menu(self, column: int, parent: QWidget | None = None) -> QMenu:
        """The roles to choose from for a column, the target among them."""
        name = self._model.names[column]
        return role_menu(self._model.role_of(name), lambda role: self._model.set_role(name, role), parent or self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        column = self.currentIndex().column()
        header = self.horizontalHeader()
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_F3) and column >= 0 and isinstance(header, PreviewHeader):
            line = 1 if event.key() == Qt.Key.Key_F2 else 2
            menu = self.kind_menu(column) if line == 1 else self.role_menu(column)
            self._open(menu, header.viewport().mapToGlobal(header.line_rect(column, line).bottomLeft()))
            return
        super().keyPressEvent(event)

    def _on_context_menu(self, point: QPoint) -> None:
        column = self.columnAt(point.x())
        if column < 0:
            return
        menu = QMenu(self)
        menu.addMenu(self.role_menu(column, menu))
        menu.addMenu(self.kind_menu(column, menu))
        self._open(menu, self.viewport().mapToGlobal(point))

    def _open(self, menu: QMenu, where: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _on_reset(self) -> None:
        """Makes each column as wide as its name and first values ask for, within limits."""
        header = self.horizontalHeader()
        for column, name in enumerate(self._model.names):
            longest = max(self._model.column_texts(name)[:20], key=len, default="")
            text = self.fontMetrics().horizontalAdvance(longest[:60]) + 24
            wish = max(text, header.sectionSizeFromContents(column).width())
            header.resizeSection(column, min(WIDEST_COLUMN, max(NARROWEST_COLUMN, wish)))
