"""The controls below the plot of the split editor, for cuts and for levels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QScrollBar, QWidget, QWidgetAction

import engine
from engine.runtime.sentences import marked, tr
from gui import icons, theme
from gui.panels.this_node.split.bars import BRANCH, DECLARED, NAME, RATE, ROWS, branch_tone
from gui.panels.this_node.split.draft import CutDraft, Draft, LevelsDraft
from gui.panels.this_node.split.ruler import SNAPS
from gui.panels.this_node.words import level_count
from gui.widgets import verbatim
from gui.widgets.building import fill, named, refuse, tool_button, yielding
from gui.widgets.buttons import Button
from gui.widgets.fields import ENTER, ElidedCombo, FindField, WholeBox
from gui.widgets.labels import grown, stack
from gui.wording import words

SNAP_WORDS = (marked("Midpoint"), marked("Round"), marked("Quantile"), marked("Free"))
MOST_LEVELS = 60  # values that can be taken for levels
SHELF = 24  # pixels
NARROWEST_BOX, NEW_ROOM = 24, 96  # pixels of a branch, and of the words for a new one
MORE_ROOM = 64  # pixels of the words that there are more branches
BETWEEN_BOXES = 4
USUAL_POOL = 20
GROUPINGS = (  # (object name, words, what they do)
    ("best_two", marked("Best two groups"), marked("The two groups with the largest gain")),
    ("one_each", marked("One branch each"), marked("A branch for every level that has rows here")),
    ("against_rest", marked("One against the rest"),
     marked("The chosen levels against all others; without any, the best one")),
    ("merge", marked("Merge"), marked("The branches of the chosen levels become one")),
    ("split_off", marked("Split off"), marked("The chosen levels get a branch of their own (N)")),
    ("as_numbers", marked("Cut as numbers"),
     marked("Reads the names of the levels as numbers, which the split then cuts")),
)  # fmt: skip
CHOICE_LETTERS = 8  # that a list of choices needs to be read
STEPS = 1000  # of the scroll bar over the whole axis


class Choice(ElidedCombo):
    """A list of few choices, shortened where there is no room."""

    chosen = Signal(int)  # the place of the choice

    def __init__(self, name: str, spoken: str, explained: str) -> None:
        super().__init__(letters=4)
        yielding(named(self, name, spoken, explained))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.activated.connect(self.chosen)

    def offer(self, texts: list[str], place: int) -> None:
        if [self.itemText(i) for i in range(self.count())] != texts:
            self.clear()
            self.addItems(texts)
        self.setCurrentIndex(place)

    def showPopup(self) -> None:
        widest = max(map(self.fontMetrics().horizontalAdvance, map(self.itemText, range(self.count()))), default=0)
        self.view().setMinimumWidth(widest + 24)
        super().showPopup()


class PendingEdit(QLineEdit):
    """Text of a split, its cuts or another condition. What is typed counts on Enter; Esc discards it."""

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
        return self.text().strip() != self._shown

    def discard(self) -> None:
        self.setText(self._shown)
        self.setCursorPosition(0)

    def settle(self) -> None:
        if self.pending:
            self.typed.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.pending:
            self.settle()  # a second Enter splits
        else:
            super().keyPressEvent(event)


class CutsEdit(PendingEdit):
    """The cuts as text; what is typed counts on leaving the field, too."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.settle()


class CutControls(QWidget):
    """The cuts as text and how they are moved; in two or three lines where one would cut them off."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_controls")
        self.setMinimumWidth(1)  # with less room they are shortened
        self.cuts = yielding(named(CutsEdit(), "split_editor_cuts", tr("Cuts")))
        snaps = tr(
            "What a cut snaps to while it is moved: the middle between two values, a round number or date, "
            "a twentieth of the rows, or nothing"
        )
        self.snap = Choice("split_editor_snap", tr("Snap to"), snaps)
        self.missing = Choice("split_editor_missing", tr("Missing values"), "")
        tip = tr("Shows the values on a logarithmic axis")
        self.log = tool_button("split_editor_log", tr("log"), tr("Logarithmic axis"), tip, checkable=True)
        self.levels = tool_button("split_editor_as_levels", tr("As levels"), tr("As levels"))
        self.all = tool_button("split_editor_see_all", "", tr("See all"), tr("See all (double click on an axis)"))
        icons.put(self.all, "fit")
        self._lines = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self._n_lines = 1
        self._needs, self._of = 0, ""  # pixels of the longest cut of this column
        self._others = (self.snap, 10), (self.missing, 13), (self.log, 0), (self.levels, 0), (self.all, 0)
        fill(self._lines[0], (self.cuts, 8), *self._others)
        stack(self, self._lines[0], *map(fill, self._lines[1:]), spacing=4, margins=(0, 0, 0, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._needs = 0
        self._share_lines()

    def _share_lines(self) -> None:
        """The cuts stand alone in the first line where the others would cut one off, and what is chosen alone in the
        second where buttons would leave it no room; this does not change to and fro while cuts are dragged."""
        taken = sum(each.sizeHint().width() for each, share in self._others if not share and each.isVisibleTo(self))
        advance = self.cuts.fontMetrics().horizontalAdvance
        self._needs = max(self._needs, advance(self.cuts.text().partition(",")[0]) + 16)
        room = self.width() - taken - 6 * 4
        chosen = 2 * CHOICE_LETTERS * advance("n")
        n_lines = 1 if self._needs <= room * 8 // 31 else 2 if chosen <= room else 3
        if n_lines != self._n_lines:
            self._n_lines = n_lines
            for each, share in self._others:  # which a layout takes from the other one
                line = self._lines[min(n_lines, 2 if share else 3) - 1]
                line.addWidget(each, share)

    def show_draft(self, draft: CutDraft) -> None:
        kind, in_words, split, values = draft.curve.kind, draft.curve.kind_in_words, draft.split, draft.curve.values
        refusal = why_no_levels(kind, len(values))
        usual = tr("Treats values as categories, so that each may have a branch of its own or share one")
        refuse(self.levels, refusal, usual)
        example = "2013-07-01, 2014-01-01" if kind == "date" else "5, 10, 20"
        self.cuts.setPlaceholderText(example)
        text = engine.splits.cuts_text([engine.splits.without_noise(cut, values) for cut in draft.cuts], in_words)
        tip = tr("The cuts, one or several: {example}", example=example)
        self.cuts.setToolTip(verbatim.tip(f"{text}\n{tip}" if text else tip))
        self.cuts.show_text(text)
        if draft.curve.column != self._of:
            self._needs, self._of = 0, draft.curve.column
        self._share_lines()
        self.snap.offer(list(map(tr, SNAP_WORDS)), SNAPS.index(draft.snap))
        texts = missing_words(split, in_words)
        self.missing.offer(texts, len(texts) - 1 if split.divides else split.missing)
        self.missing.setToolTip(verbatim.tip(missing_tip(draft)))


def why_no_levels(kind: str, n_values: int) -> str:
    """Why the values of a numeric column cannot be taken for levels; empty where they can."""
    if kind == "date":
        return tr("Dates cannot be taken for levels.")
    if n_values < 2:
        return tr("There is only one value, which a split into levels could not divide.")
    if n_values <= MOST_LEVELS:
        return ""
    said = {"n": words.count(n_values), "most": MOST_LEVELS}
    return tr("There are {n} values: at most {most} can be taken for levels.", **said)


def missing_tip(draft: Draft) -> str:
    said = {"column": draft.curve.column, "rows": words.count(draft.found.missing)}
    return tr("Where the rows go in which “{column}” is missing. Training rows of this node: {rows}", **said)


def missing_words(split: engine.Split, kind: str) -> list[str]:
    """Where missing values can go: into each branch, into one of their own, and into all in part."""
    finite = [cut for cut in split.thresholds if math.isfinite(cut)]
    lacking = len(finite) < len(split.thresholds)  # "present | missing" has a branch for them already
    branches = range(split.n_branches if lacking else len(finite) + 1)
    texts = [tr("Missing: {branch}", branch=engine.splits.branch_words(split, b, kind)) for b in branches]
    if lacking:
        return texts
    if split.surrogates:
        texts[split.missing] = tr("Missing: by surrogates")
    return [*texts, tr("Missing: own branch"), tr("Missing: all branches, in part")]


class BranchBoxes(QWidget):
    """A box for each branch with its number, and how many levels it takes."""

    chosen = Signal(int)  # the branch whose box was clicked; one more than there are for a new one

    def __init__(self) -> None:
        super().__init__()
        tip = tr("Drop levels on a branch, or click it to send the chosen levels there (1 … 9, N)")
        yielding(named(self, "split_editor_shelf", tr("Branches"), tip))
        self._texts: tuple[str, ...] = ()  # what each branch takes
        self.aimed: int | None = None

    def sizeHint(self) -> QSize:
        return QSize(200, grown(SHELF, self.fontMetrics()))

    def show_levels(self, levels: Mapping[int, int], n: int, missing: int) -> None:
        empty = {b: tr("missing") if b == missing else tr("unseen") for b in range(n) if not levels.get(b)}
        self._texts = tuple(empty.get(b) or level_count(levels[b]) for b in range(n))
        said = [tr("branch {branch}: {takes}", branch=b + 1, takes=text) for b, text in enumerate(self._texts)]
        self.setAccessibleDescription("; ".join(said))
        self.update()

    def aim(self, branch: int | None) -> None:
        if branch != self.aimed:
            self.aimed = branch
            self.update()

    def boxes(self) -> list[QRect]:
        """The box of each branch that has room, the last one for a new branch."""
        n, high = len(self._texts), self.sizeHint().height()
        narrowest, new, more = (grown(each, self.fontMetrics()) for each in (NARROWEST_BOX, NEW_ROOM, MORE_ROOM))
        room = self.width() - new - BETWEEN_BOXES
        if n * (narrowest + BETWEEN_BOXES) > room:
            room -= more
        fits = min(n, max(1, room // (narrowest + BETWEEN_BOXES)))
        each = min(grown(130, self.fontMetrics()), max(narrowest, room // max(fits, 1) - BETWEEN_BOXES))
        made = [QRect(i * (each + BETWEEN_BOXES), 0, each, high) for i in range(fits)]
        end = made[-1].right() + 1 + BETWEEN_BOXES if made else 0
        return [*made, QRect(end + (more if fits < n else 0), 0, new, high)]

    def branch_at(self, where: QPoint) -> int | None:
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
            tone = branch_tone(branch, n)
            painter.setBrush(tone)
            self._box(painter, box, QPen(colours.text, 2) if branch == self.aimed else QPen(Qt.PenStyle.NoPen))
            painter.setPen(theme.ink(tone))
            longer, inner = f"{branch + 1} · {self._texts[branch]}", box.adjusted(6, 0, -6, 0)
            if self.fontMetrics().horizontalAdvance(longer) <= inner.width():
                painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, longer)
            else:
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{branch + 1}")
        if len(boxes) < n:
            painter.setPen(colours.secondary)
            wide = grown(MORE_ROOM, self.fontMetrics())
            more = QRect(last.left() - wide, 0, wide - BETWEEN_BOXES, last.height())
            painter.drawText(more, Qt.AlignmentFlag.AlignCenter, f"+ {words.count(n - len(boxes))}")
        aimed = self.aimed == n
        frame = QPen(colours.text, 2) if aimed else QPen(colours.border, 1, Qt.PenStyle.DashLine)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self._box(painter, last, frame)
        painter.setPen(colours.text if aimed else colours.secondary)
        painter.drawText(last, Qt.AlignmentFlag.AlignCenter, tr("New branch"))

    @staticmethod
    def _box(painter: QPainter, box: QRect, pen: QPen) -> None:
        painter.setPen(pen)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)


class LevelFind(FindField):
    """Finds levels while one types."""

    entered = Signal()  # Enter was pressed

    def __init__(self) -> None:
        super().__init__("split_editor_find", tr("Find levels"), tr("Find levels"), lens=False)
        yielding(self).setToolTip(
            verbatim.tip(tr("Chooses the levels whose names contain this; Enter goes to the bars"))
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.text():
            self.entered.emit()  # Enter elsewhere splits
        else:
            super().keyPressEvent(event)


class GroupMenu(QMenu):
    """Groups at once."""

    pooled = Signal(int)  # how many rows a level has at least that is not pooled

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("split_editor_groups_menu")
        self.setToolTipsVisible(True)
        self.verbs: dict[str, QAction] = {}
        for name, text, _ in GROUPINGS:
            if name == "as_numbers":
                self.addSeparator()
                self._add_pool()
            if name in ("merge", "as_numbers"):
                self.addSeparator()
            self.verbs[name] = self.addAction(tr(text))
            self.verbs[name].setObjectName(f"split_editor_{name}")
            self.refuse(name, "")

    def _add_pool(self) -> None:
        row, holder = QWidget(), QWidgetAction(self)
        self.rows = named(WholeBox(), "split_editor_pool_rows", tr("Pool levels with fewer rows than"))
        self.rows.setRange(2, 1_000_000_000)
        self.rows.setValue(USUAL_POOL)
        self.say_unit(False)
        tip = tr("Levels of fewer rows share one branch, the last; unseen levels go there, too")
        self.pool = named(Button(tr("Pool")), "split_editor_pool", tip=tip, clicked=self._on_pool)
        self.rows.lineEdit().returnPressed.connect(self._on_pool)
        self.rows.setMaximumWidth(grown(110, self.fontMetrics()))
        fill(QHBoxLayout(row), verbatim.label(tr("Levels under")), self.rows, self.pool, margins=(8, 2, 8, 2))
        holder.setDefaultWidget(row)
        self.addAction(holder)

    def say_unit(self, is_sampled: bool) -> None:
        """Of what levels under a limit have less: of rows, or, with sampling weights, of weight."""
        self.rows.setPrefix(tr("weight ") if is_sampled else "")
        self.rows.setSuffix("" if is_sampled else tr(" rows"))

    def refuse(self, name: str, why: str) -> None:
        explained = next(explained for other, _, explained in GROUPINGS if other == name)
        refuse(self.verbs[name], why, tr(explained))

    def _on_pool(self) -> None:
        self.rows.interpretText()
        self.close()
        self.pooled.emit(self.rows.value())


class LevelControls(QWidget):
    """A scroll bar while a part is seen, the branches, and two lines of controls."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("split_editor_level_controls")
        self.setMinimumWidth(1)
        self.scroll_bar = QScrollBar(Qt.Orientation.Horizontal)
        named(self.scroll_bar, "split_editor_scroll", tr("Scroll the levels")).hide()
        self.boxes, self.find_field, self.menu = BranchBoxes(), LevelFind(), GroupMenu(self)
        self.order = Choice("split_editor_order", tr("Sort levels"), tr("How the levels are sorted"))
        tip = tr("Best two groups, one branch each, merge, split off, pool …")
        self.groups = tool_button("split_editor_groups", tr("Groups  "), tip=tip)
        self.groups.setAutoRaise(False)
        self.groups.setPopupMode(self.groups.ToolButtonPopupMode.InstantPopup)
        self.groups.setMenu(self.menu)
        tip = tr("See all levels (double click on an axis)")
        self.all = tool_button("split_editor_see_all_levels", "", tr("See all levels"), tip)
        icons.put(self.all, "fit")
        self.missing = Choice("split_editor_missing_levels", tr("Missing values"), "")
        tip = tr("Where levels go that have no row in this node and are not named")
        self.unseen = Choice("split_editor_unseen", tr("Unseen levels"), tip)
        sorting = fill(QHBoxLayout(), (self.find_field, 9), (self.order, 7), self.groups, self.all)
        others = fill(QHBoxLayout(), (self.missing, 1), (self.unseen, 1))
        stack(self, self.scroll_bar, self.boxes, sorting, others, spacing=4, margins=(0, 0, 0, 0))

    def show_draft(self, draft: LevelsDraft, orders: tuple[str, ...], by: str, target: str) -> None:
        """What holds now. `target` is what the rate is of: a class, or "" for a mean."""
        split, n = draft.split, draft.split.n_branches
        self.boxes.show_levels(Counter(map(draft.branch_of, draft.present)), n, missing=split.missing)
        rate = tr("By {class_name} %", class_name=target) if target else tr("By mean")
        names = {
            RATE: rate, NAME: tr("By name"), ROWS: tr("By rows"), BRANCH: tr("By branch"), DECLARED: tr("As declared"),
        }  # fmt: skip
        self.order.offer([names[order] for order in orders], orders.index(by))
        places = [tr("Missing: branch {branch}", branch=b + 1) for b in range(n)] + [""] * (not draft.has_own_missing)
        places[split.missing if draft.has_own_missing else n] = tr("Missing: own branch")
        places.append(tr("Missing: all branches, in part"))
        self.missing.offer(places, len(places) - 1 if split.divides else split.missing)
        self.missing.setToolTip(verbatim.tip(missing_tip(draft)))
        places = [tr("Unseen: branch {branch}", branch=b + 1) for b in range(n)] + [""] * (not draft.has_own_unseen)
        places[split.unseen if draft.has_own_unseen else n] = tr("Unseen: own branch")
        self.unseen.offer(places, split.unseen)

    def show_seen(self, seen: tuple[float, float] | None, whole: tuple[float, float]) -> None:
        self.all.setEnabled(seen is not None)
        self.scroll_bar.setVisible(seen is not None)
        if seen is None:
            return
        per = STEPS / (whole[1] - whole[0])
        page = max(1, round((seen[1] - seen[0]) * per))
        with QSignalBlocker(self.scroll_bar):
            self.scroll_bar.setRange(0, max(0, STEPS - page))
            self.scroll_bar.setPageStep(page)
            self.scroll_bar.setSingleStep(max(1, round(per)))
            self.scroll_bar.setValue(round((seen[0] - whole[0]) * per))
