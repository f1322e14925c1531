"""The controls below the plot of the split editor, for cuts and for levels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
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

import engine
from gui import icons, theme
from gui.panels.this_node.split.bars import BRANCH, DECLARED, NAME, RATE, ROWS, branch_tone
from gui.panels.this_node.split.draft import CutDraft, Draft, LevelsDraft
from gui.panels.this_node.split.ruler import SNAPS
from gui.panels.this_node.split.typed import cuts_text, without_noise
from gui.widgets import verbatim
from gui.widgets.building import fill, named, tool_button
from gui.widgets.fields import ElidedCombo, FindField
from gui.wording import words

SNAP_WORDS = ("Midpoint", "Round", "Quantile", "Free")
SNAPS_EXPLAINED = (
    "What a cut snaps to while it is moved: the middle between two values, a round number or date, "
    "a twentieth of the rows, or nothing"
)
AS_LEVELS = "Treats values as categories, so that each may have a branch of its own or share one"
MOST_LEVELS = 60  # values that can be taken for levels
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
SHELF = 24  # pixels
NARROWEST_BOX, NEW_ROOM = 24, 96  # pixels of a branch, and of the words for a new one
MORE_ROOM = 64  # pixels of the words that there are more branches
BETWEEN_BOXES = 4
USUAL_POOL = 20
GROUPINGS = (  # (object name, words, what they do)
    ("best_two", "Best two groups", "The two groups with the largest gain"),
    ("one_each", "One branch each", "A branch for every level that has rows here"),
    ("against_rest", "One against the rest", "The chosen levels against all others; without any, the best one"),
    ("merge", "Merge", "The branches of the chosen levels become one"),
    ("split_off", "Split off", "The chosen levels get a branch of their own (N)"),
)
AS_NUMBERS = "Reads the names of the levels as numbers, which the split then cuts"
STEPS = 1000  # of the scroll bar over the whole axis


class Choice(ElidedCombo):
    """A list of few choices, shortened where there is no room.

    Signals:
        chosen: arg: the place of the choice
    """

    chosen = Signal(int)

    def __init__(self, name: str, spoken: str, explained: str) -> None:
        super().__init__()
        named(self, name, spoken, explained)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)
        self.activated.connect(self.chosen)

    def offer(self, texts: list[str], place: int) -> None:
        """Lists these choices, and shows one of them."""
        if [self.itemText(i) for i in range(self.count())] != texts:
            self.clear()
            self.addItems(texts)
        self.setCurrentIndex(place)

    def showPopup(self) -> None:
        widest = max(map(self.fontMetrics().horizontalAdvance, map(self.itemText, range(self.count()))), default=0)
        self.view().setMinimumWidth(widest + 24)
        super().showPopup()


class PendingEdit(QLineEdit):
    """Text of a split, its cuts or another condition. What is typed counts on Enter; Esc discards it.

    Signals:
        typed: arg: the text
    """

    typed = Signal(str)
    _shown = ""

    def show_text(self, text: str) -> None:
        """The text that holds, unless something else is just being typed."""
        if not self.pending or not self.hasFocus():
            self.setText(text)
            self.setCursorPosition(0)
        self._shown = text

    @property
    def pending(self) -> bool:
        """Whether what is typed does not count yet."""
        return self.text().strip() != self._shown

    def discard(self) -> None:
        """Shows what counts."""
        self.setText(self._shown)
        self.setCursorPosition(0)

    def settle(self) -> None:
        """Takes what is typed."""
        if self.pending:
            self.typed.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.pending:
            self.settle()  # a second Enter splits
            event.accept()
        else:
            super().keyPressEvent(event)


class CutsEdit(PendingEdit):
    """The cuts as text; what is typed counts on leaving the field, too."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.settle()


class CutControls(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_controls")
        self.cuts = named(CutsEdit(), "split_editor_cuts", "Cuts")
        self.cuts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.snap = Choice("split_editor_snap", "Snap to", SNAPS_EXPLAINED)
        self.missing = Choice("split_editor_missing", "Missing values", "")
        self.log = tool_button(
            "split_editor_log", "log", "Logarithmic axis", "Shows the values on a logarithmic axis", checkable=True
        )
        self.levels = tool_button("split_editor_as_levels", "levels", "As levels")
        self.all = tool_button("split_editor_see_all", "", "See all", "See all (double click on an axis)")
        icons.put(self.all, "fit")
        fields = (self.cuts, 11), (self.snap, 8), (self.missing, 12)
        fill(QHBoxLayout(self), *fields, self.log, self.levels, self.all)

    def show_draft(self, draft: CutDraft) -> None:
        kind, in_words, split = draft.curve.kind, draft.curve.kind_in_words, draft.split
        refusal = why_no_levels(kind, len(draft.curve.values))
        self.levels.setEnabled(not refusal)
        self.levels.setToolTip(verbatim.tip(refusal or AS_LEVELS))
        dates = kind == "date"
        example = "2013-07-01, 2014-01-01" if dates else "5, 10, 20"
        self.cuts.setPlaceholderText(example)
        self.cuts.setToolTip(verbatim.tip(f"The cuts, one or several: {example}"))
        values = draft.curve.values
        self.cuts.show_text(cuts_text([without_noise(cut, values) for cut in draft.cuts], in_words))
        self.snap.offer(list(SNAP_WORDS), SNAPS.index(draft.snap))
        self.missing.offer(missing_words(split, in_words), split.missing)
        self.missing.setToolTip(verbatim.tip(missing_tip(draft)))


def why_no_levels(kind: str, n_values: int) -> str:
    """Why the values of a numeric column cannot be taken for levels; empty where they can."""
    if kind == "date":
        return "Dates cannot be taken for levels."
    if n_values < 2:
        return "There is only one value, which a split into levels could not divide."
    most = f"There are {words.count(n_values)} values: at most {MOST_LEVELS} can be taken for levels."
    return most if n_values > MOST_LEVELS else ""


def missing_tip(draft: Draft) -> str:
    """What the choice for missing values decides."""
    return (
        f"Where the rows go in which “{draft.curve.column}” is missing. "
        f"Training rows of this node: {words.count(draft.found.missing)}"
    )


def branch_choices(rows: str, n: int, own: int | None) -> list[str]:
    """Where some rows can go: into each of n branches, and into one of their own, which they may have already."""
    texts = [f"{rows}: branch {b + 1}" for b in range(n)]
    if own is None:
        return [*texts, f"{rows}: own branch"]
    texts[own] = f"{rows}: own branch"
    return texts


def missing_words(split: engine.Split, kind: str) -> list[str]:
    """Where missing values can go: into each branch, and into one of their own."""
    finite = [cut for cut in split.thresholds if math.isfinite(cut)]
    if len(finite) < len(split.thresholds):
        return [f"Missing: {engine.splits.branch_words(split, b, kind)}" for b in range(split.n_branches)]
    texts = [f"Missing: {engine.splits.branch_words(split, b, kind)}" for b in range(len(finite) + 1)]
    if split.surrogates:
        texts[split.missing] = "Missing: by surrogates"
    return [*texts, "Missing: own branch"]


class BranchBoxes(QWidget):
    """A box for each branch with its number, and how many levels it takes.

    Signals:
        chosen: A box was clicked. arg: the branch; one more than there are for a new one
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_shelf")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Branches")
        self.setToolTip("Drop levels on a branch, or click it to send the chosen levels there (1 … 9, N)")
        self._texts: tuple[str, ...] = ()  # what each branch takes
        self.aimed: int | None = None

    def sizeHint(self) -> QSize:
        return QSize(200, SHELF)

    def show_levels(self, levels: Mapping[int, int], n: int, missing: int) -> None:
        """How many levels each of n branches takes, and which one the rows without a value."""

        def takes(branch: int) -> str:
            if not levels.get(branch, 0):
                return "missing" if branch == missing else "unseen"
            return "1 level" if levels[branch] == 1 else f"{words.count(levels[branch])} levels"

        self._texts = tuple(map(takes, range(n)))
        self.setAccessibleDescription("; ".join(f"branch {b + 1}: {text}" for b, text in enumerate(self._texts)))
        self.update()

    def aim(self, branch: int | None) -> None:
        """The branch on which something is about to be dropped."""
        if branch != self.aimed:
            self.aimed = branch
            self.update()

    def boxes(self) -> list[QRect]:
        """The box of each branch that has room, the last one for a new branch."""
        n = len(self._texts)
        room = self.width() - NEW_ROOM - BETWEEN_BOXES
        if n * (NARROWEST_BOX + BETWEEN_BOXES) > room:
            room -= MORE_ROOM
        fits = min(n, max(1, room // (NARROWEST_BOX + BETWEEN_BOXES)))
        each = min(130, max(NARROWEST_BOX, room // max(fits, 1) - BETWEEN_BOXES))
        made = [QRect(i * (each + BETWEEN_BOXES), 0, each, SHELF) for i in range(fits)]
        end = made[-1].right() + 1 + BETWEEN_BOXES if made else 0
        return [*made, QRect(end + (MORE_ROOM if fits < n else 0), 0, NEW_ROOM, SHELF)]

    def branch_at(self, where: QPoint) -> int | None:
        """The branch whose box has a place of the screen."""
        boxes, here = self.boxes(), self.mapFromGlobal(where)
        found = next((i for i, box in enumerate(boxes) if box.contains(here)), None)
        return len(self._texts) if found == len(boxes) - 1 else found

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        branch = self.branch_at(event.globalPosition().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and branch is not None:
            self.chosen.emit(branch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        *boxes, last = self.boxes()
        n = len(self._texts)
        for branch, box in enumerate(boxes):
            tone, ink = branch_tone(branch, n), theme.ink(branch_tone(branch, n))
            self._box(painter, box, QPen(colours.text, 2) if branch == self.aimed else QPen(Qt.PenStyle.NoPen), tone)
            painter.setPen(ink)
            text = f"{branch + 1}"
            longer = f"{text} · {self._texts[branch]}"
            inner = box.adjusted(6, 0, -6, 0)
            fits = self.fontMetrics().horizontalAdvance(longer) <= inner.width()
            left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            if fits:
                painter.drawText(inner, left, longer)
            else:
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        if len(boxes) < n:
            painter.setPen(colours.secondary)
            more = QRect(last.left() - MORE_ROOM, 0, MORE_ROOM - BETWEEN_BOXES, SHELF)
            painter.drawText(more, Qt.AlignmentFlag.AlignCenter, f"+ {words.count(n - len(boxes))}")
        dashed = QPen(colours.text if self.aimed == n else colours.border, 2 if self.aimed == n else 1)
        if self.aimed != n:
            dashed.setStyle(Qt.PenStyle.DashLine)
        self._box(painter, last, dashed, Qt.GlobalColor.transparent)
        painter.setPen(colours.text if self.aimed == n else colours.secondary)
        painter.drawText(last, Qt.AlignmentFlag.AlignCenter, "New branch")

    @staticmethod
    def _box(painter: QPainter, box: QRect, pen: QPen, colour: QColor | Qt.GlobalColor) -> None:
        painter.setPen(pen)
        painter.setBrush(colour)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)


class LevelFind(FindField):
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
        self.rows = named(QSpinBox(), "split_editor_pool_rows", "Pool levels with fewer rows than")
        self.rows.setRange(2, 1_000_000_000)
        self.rows.setValue(USUAL_POOL)
        self.rows.setSuffix(" rows")
        self.rows.setMaximumWidth(110)
        self.pool = named(
            QPushButton("Pool"), "split_editor_pool",
            tip="Levels of fewer rows share one branch, the last; unseen levels go there, too",
        )  # fmt: skip
        self.pool.clicked.connect(self._on_pool)
        self.rows.lineEdit().returnPressed.connect(self._on_pool)
        fill(QHBoxLayout(row), verbatim.label("Levels under"), self.rows, self.pool, margins=(8, 2, 8, 2))
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
        super().__init__()
        self.setObjectName("split_editor_level_controls")
        self.scroll_bar = named(QScrollBar(Qt.Orientation.Horizontal), "split_editor_scroll", "Scroll the levels")
        self.scroll_bar.hide()
        self.boxes = BranchBoxes()
        self.find_field = LevelFind()
        self.order = Choice("split_editor_order", "Sort levels", "How the levels are sorted")
        self.menu = GroupMenu(self)
        groups = "Best two groups, one branch each, merge, split off, pool …"
        self.groups = tool_button("split_editor_groups", "Groups  ", tip=groups)
        self.groups.setAutoRaise(False)
        self.groups.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.groups.setMenu(self.menu)
        see_all = "See all levels"
        self.all = tool_button("split_editor_see_all_levels", "", see_all, f"{see_all} (double click on an axis)")
        icons.put(self.all, "fit")
        self.missing = Choice("split_editor_missing_levels", "Missing values", "")
        self.unseen = Choice(
            "split_editor_unseen", "Unseen levels", "Where levels go that have no row in this node and are not named"
        )
        sorting = fill(QHBoxLayout(), (self.find_field, 9), (self.order, 7), self.groups, self.all)
        others = fill(QHBoxLayout(), (self.missing, 1), (self.unseen, 1))
        fill(QVBoxLayout(self), self.scroll_bar, self.boxes, sorting, others)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def show_draft(self, draft: LevelsDraft, orders: tuple[str, ...], by: str, target: str) -> None:
        """What holds now.

        Args:
            orders: those that there are. by: that in use. target: what the rate is of: a class, or "" for a mean.
        """
        split, n = draft.split, draft.n_branches
        self.boxes.show_levels(Counter(map(draft.branch_of, draft.present)), n, missing=split.missing)
        names = {
            RATE: f"By {target} %" if target else "By mean", NAME: "By name", ROWS: "By rows", BRANCH: "By branch",
            DECLARED: "As declared",
        }  # fmt: skip
        self.order.offer([names[order] for order in orders], orders.index(by))
        own_missing = split.missing if draft.has_own_missing else None
        self.missing.offer(branch_choices("Missing", n, own_missing), split.missing)
        self.missing.setToolTip(verbatim.tip(missing_tip(draft)))
        own_unseen = split.unseen if draft.has_own_unseen else None
        self.unseen.offer(branch_choices("Unseen", n, own_unseen), split.unseen)

    def show_seen(self, seen: tuple[float, float] | None, whole: tuple[float, float]) -> None:
        """The scroll bar over the part that is seen; none for all."""
        self.all.setEnabled(seen is not None)
        self.scroll_bar.setVisible(seen is not None)
        if seen is None:
            return
        per = STEPS / (whole[1] - whole[0])
        page = max(1, round((seen[1] - seen[0]) * per))
        self.scroll_bar.blockSignals(True)
        self.scroll_bar.setRange(0, max(0, STEPS - page))
        self.scroll_bar.setPageStep(page)
        self.scroll_bar.setSingleStep(max(1, round(per)))
        self.scroll_bar.setValue(round((seen[0] - whole[0]) * per))
        self.scroll_bar.blockSignals(False)
