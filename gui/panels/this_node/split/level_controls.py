"""The controls below the bars of levels: the branches, finding and sorting levels, groups at once, missing values."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollBar,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from gui import icons
from gui.panels.this_node.split.controls import Choice
from gui.panels.this_node.split.level_shelf import LevelShelf
from gui.panels.this_node.split.levels_draft import LevelsDraft
from gui.panels.this_node.split.picture import BRANCH, DECLARED, NAME, RATE, ROWS
from gui.widgets import verbatim
from gui.widgets.fields import FindField
from gui.wording import words

USUAL_POOL = 20
GROUPINGS = (  # (object name, words, what they do)
    ("best_two", "Best two groups", "The two groups that gain most"),
    ("one_each", "One branch each", "A branch for every level that has rows here"),
    ("against_rest", "One against the rest", "The chosen levels against all others; without any, the best one"),
    ("merge", "Put together", "The branches of the chosen levels become one"),
    ("split_off", "Split off", "The chosen levels get a branch of their own (N)"),
)
AS_NUMBERS = "Reads the names of the levels as numbers, which the split then cuts"
STEPS = 1000  # of the scroll bar over the whole axis


class Find(FindField):
    """Finds levels while one types.

    Signals:
        entered: Enter was pressed.
    """

    entered = Signal()

    def __init__(self) -> None:
        super().__init__("split_editor_find", "Find levels", "Find levels", lens=False)
        self.setToolTip("Chooses the levels whose names contain this; Enter goes to the bars")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.text():
            self.entered.emit()  # Enter elsewhere splits
        else:
            super().keyPressEvent(event)


class GroupMenu(QMenu):
    """Groups at once.

    Signals:
        pooled: arg: how many rows a level has at least that is not pooled
    """

    pooled = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("split_editor_groups_menu")
        self.setToolTipsVisible(True)
        self.verbs: dict[str, QAction] = {}
        for name, text, explained in GROUPINGS:
            if name == "merge":
                self.addSeparator()
            self.verbs[name] = action = self.addAction(text)
            action.setObjectName(f"split_editor_{name}")
            action.setToolTip(verbatim.tip(explained))
        self.addSeparator()
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(8, 2, 8, 2)
        self.rows = QSpinBox(objectName="split_editor_pool_rows", minimum=2, maximum=1_000_000_000, value=USUAL_POOL)
        self.rows.setSuffix(" rows")
        self.rows.setAccessibleName("Pool levels under so many rows")
        self.rows.setMaximumWidth(110)
        self.pool = QPushButton("Pool", objectName="split_editor_pool")
        self.pool.setToolTip("Levels of fewer rows share one branch, the last; unseen levels go there, too")
        self.pool.clicked.connect(self._on_pool)
        self.rows.lineEdit().returnPressed.connect(self._on_pool)
        line.addWidget(verbatim.label("Levels under"))
        line.addWidget(self.rows)
        line.addWidget(self.pool)
        holder = QWidgetAction(self)
        holder.setDefaultWidget(row)
        self.addAction(holder)
        self.addSeparator()
        self.verbs["as_numbers"] = self.addAction("Cut as numbers")
        self.verbs["as_numbers"].setObjectName("split_editor_as_numbers")
        self.verbs["as_numbers"].setToolTip(AS_NUMBERS)

    def refuse(self, name: str, why: str) -> None:
        """Greys a verb and says why instead of what it does; empty: it can be used."""
        explained = {"as_numbers": AS_NUMBERS} | {name: explained for name, _, explained in GROUPINGS}
        self.verbs[name].setEnabled(not why)
        self.verbs[name].setToolTip(verbatim.tip(why or explained[name]))

    def _on_pool(self) -> None:
        self.rows.interpretText()
        self.close()
        self.pooled.emit(self.rows.value())


class LevelControls(QWidget):
    """A scroll bar while a part is seen, the branches, and two lines of controls."""

    def __init__(self) -> None:
        super().__init__(objectName="split_editor_level_controls")
        self.scroll = QScrollBar(Qt.Orientation.Horizontal, objectName="split_editor_scroll")
        self.scroll.setAccessibleName("Scroll the levels")
        self.scroll.hide()
        self.shelf = LevelShelf()
        self.find = Find()
        self.order = Choice("split_editor_order", "Sort levels", "How the levels are sorted")
        self.menu = GroupMenu(self)
        self.groups = QToolButton(objectName="split_editor_groups", text="Groups  ")
        self.groups.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.groups.setMenu(self.menu)
        self.groups.setToolTip("Best two groups, one branch each, put together, split off, pool …")
        self.all = QToolButton(objectName="split_editor_see_all_levels", autoRaise=True)
        icons.put(self.all, "fit")
        self.all.setToolTip("See all levels (double click on an axis)")
        self.all.setAccessibleName("See all levels")
        self.missing = Choice("split_editor_missing_levels", "Missing values", "")
        self.unseen = Choice(
            "split_editor_unseen", "Unseen levels", "Where levels go that have no row in this node and are not named"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.scroll)
        column.addWidget(self.shelf)
        for widgets in (
            ((self.find, 9), (self.order, 7), (self.groups, 0), (self.all, 0)),
            ((self.missing, 1), (self.unseen, 1)),
        ):
            line = QHBoxLayout()
            line.setSpacing(4)
            for widget, stretch in widgets:
                line.addWidget(widget, stretch)
            column.addLayout(line)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def show_draft(self, draft: LevelsDraft, orders: tuple[str, ...], by: str, target: str) -> None:
        """What holds now.

        Args:
            orders: those that there are. by: that in use. target: what the rate is of: a class, or "" for a mean.
        """
        split, n = draft.split, draft.n_branches
        self.shelf.show_levels(Counter(map(draft.branch_of, draft.present)), n, missing=split.missing)
        names = {
            RATE: f"By {target} %" if target else "By mean", NAME: "By name", ROWS: "By rows", BRANCH: "By branch",
            DECLARED: "As declared",
        }  # fmt: skip
        self.order.offer([names[order] for order in orders], orders.index(by))
        texts = [f"Missing: branch {b + 1}" for b in range(n)]
        if draft.has_own_missing:
            texts[split.missing] = "Missing: own branch"
        else:
            texts.append("Missing: own branch")
        self.missing.offer(texts, split.missing)
        self.missing.setToolTip(
            verbatim.tip(
                f"Where the rows go in which “{draft.curve.column}” is missing. "
                f"Training rows of this node: {words.count(draft.found.missing)}"
            )
        )
        unseen = [f"Unseen: branch {b + 1}" for b in range(n)]
        if draft.has_own_unseen:
            unseen[split.unseen] = "Unseen: own branch"
        else:
            unseen.append("Unseen: own branch")
        self.unseen.offer(unseen, split.unseen)

    def show_seen(self, seen: tuple[float, float] | None, whole: tuple[float, float]) -> None:
        """The scroll bar over the part that is seen; none for all."""
        self.all.setEnabled(seen is not None)
        self.scroll.setVisible(seen is not None)
        if seen is None:
            return
        per = STEPS / (whole[1] - whole[0])
        page = max(1, round((seen[1] - seen[0]) * per))
        self.scroll.blockSignals(True)
        self.scroll.setRange(0, max(0, STEPS - page))
        self.scroll.setPageStep(page)
        self.scroll.setSingleStep(max(1, round(per)))
        self.scroll.setValue(round((seen[0] - whole[0]) * per))
        self.scroll.blockSignals(False)

    def open_menu(self, at: QPoint) -> None:
        """The menu of groups at a place of the screen."""
        self.menu.popup(at)
