"""Rows of a list that begin with a box to be ticked, whose box can be seen in the dark, too."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui import theme


class TickCells(QStyledItemDelegate):
    """Paints them."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.palette.setColor(QPalette.ColorRole.Base, theme.current().box)  # of nothing but the box
