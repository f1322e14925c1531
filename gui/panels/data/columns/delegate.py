"""How a cell of the columns panel is painted: the tiny histogram, and the flag beside a name."""

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui import icons, theme
from gui.panels.data.columns.facts import Facts
from gui.panels.data.columns.model import FACTS_ROLE, MISSING, NAME, ROLE, VALUES
from gui.panels.data.columns.words import share_text
from gui.widgets.short_names import telling

ROW_HEIGHT = 28
FLAG = 16
ICON_ONLY = 64
SHARE_ONLY = 68  # in a narrower cell the share of the missing rows stands without their number
BESIDE_NAME = 28  # the icon of the kind and the margins of a cell
GAP = 1.0

Index = QModelIndex | QPersistentModelIndex


class ColumnDelegate(QStyledItemDelegate):
    """Paints histograms in the column `VALUES` and a warning sign behind the names of flagged columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.focus = 1
        self.names: tuple[str, ...] = ()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    def initStyleOption(self, option: Any, index: Index) -> None:
        """Says less where there is less room: icons for roles, shares for counts, names that can be told apart."""
        super().initStyleOption(option, index)
        width, facts = option.rect.width(), index.data(FACTS_ROLE)
        if index.column() == NAME:
            option.text = telling(option.text, self.names, width - BESIDE_NAME, option.fontMetrics)
        elif index.column() == ROLE and width < ICON_ONLY:
            option.text = ""
        elif index.column() == MISSING and width < SHARE_ONLY and facts is not None and facts.n_missing:
            option.text = share_text(facts)

    def paint(self, painter: QPainter, option: Any, index: Index) -> None:
        facts: Facts | None = index.data(FACTS_ROLE)
        current = theme.current()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, theme.mix(current.card, current.accent, 0.14))
            option.state &= ~QStyle.StateFlag.State_Selected
        flagged = index.column() == NAME and facts is not None and bool(facts.flags)
        whole = QRectF(option.rect)
        if flagged:
            option.rect.adjust(0, 0, -FLAG - 8, 0)
        super().paint(painter, option, index)
        if flagged:
            picture = icons.pixmap("warning", FLAG, painter.device().devicePixelRatioF(), current.warning)
            painter.drawPixmap(whole.topRight() + _offset(whole, FLAG), picture, QRectF(picture.rect()))
        elif index.column() == VALUES and facts is not None:
            self._histogram(painter, whole.adjusted(6, 5, -6, -5), facts)

    def _histogram(self, painter: QPainter, room: QRectF, facts: Facts) -> None:
        heights = facts.bars.sum(axis=1)
        tallest = heights.max(initial=0.0)
        if tallest <= 0:
            return
        current = theme.current()
        n_bars, n_classes = facts.bars.shape
        if n_classes == 1:
            inks = [current.ribbon]
        else:
            inks = [current.class_colour(k, n_classes, self.focus) for k in range(n_classes)]
        width = min(room.width() / n_bars, room.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for bar, counts in enumerate(facts.bars):
            left, bottom = room.left() + bar * width, room.bottom()
            for count, ink in zip(counts, inks, strict=True):
                if count > 0:
                    height = max(count / tallest * room.height(), 1.0 if counts.sum() == count else 0.0)
                    painter.fillRect(QRectF(left, bottom - height, max(width - GAP, 1.0), height), ink)
                    bottom -= height


def _offset(room: QRectF, size: int) -> Any:
    """From the top right corner to where a picture of this size stands, at the right, in the middle."""
    return QRectF(-size - 4, (room.height() - size) / 2, 0, 0).topLeft()
