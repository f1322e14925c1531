"""The menus that choose the kind and the role of a column, the same in the import dialog and in the columns panel."""

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from gui import icons
from gui.panels.data.columns.words import KINDS, ROLES, TARGET, Word
from gui.widgets import verbatim


def kind_menu(kind: str, choose: Callable[[str], None], parent: QWidget) -> QMenu:
    """The kinds, the present one ticked."""
    return _choices("Kind", KINDS, kind, choose, parent)


def role_menu(role: str, choose: Callable[[str], None], parent: QWidget) -> QMenu:
    """Target and roles, the present one ticked."""
    return _choices("Role", {"target": TARGET, **ROLES}, role, choose, parent)


def _choices(
    text: str, choices: Mapping[str, Word], chosen: str, choose: Callable[[str], None], parent: QWidget
) -> QMenu:
    menu = QMenu(text, parent)
    menu.setToolTipsVisible(True)
    group = QActionGroup(menu)
    for key, word in choices.items():
        action = QAction(icons.icon(word.icon), word.word.capitalize(), menu)
        action.setObjectName(key)
        action.setCheckable(True)
        action.setChecked(key == chosen)
        action.setToolTip(verbatim.tip(word.meaning))
        action.triggered.connect(lambda _=False, key=key: choose(key))
        group.addAction(action)
        menu.addAction(action)
        if key == chosen:
            menu.setActiveAction(action)
    return menu
