"""Editing a split by levels: bars that are chosen and dragged into branches, and the controls below them."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

import engine
from engine.runtime.sentences import marked, tr
from gui.model import tree_tasks
from gui.model.document import Document
from gui.model.jobs import words_for
from gui.panels.this_node.split.bars import BRANCH, DECLARED, NAME, RATE, ROWS
from gui.panels.this_node.split.controls import STEPS, LevelControls
from gui.panels.this_node.split.draft import MOST_BRANCHES, Level, LevelsDraft
from gui.panels.this_node.split.kind import SplitKind
from gui.panels.this_node.split.plot import ARROWS, CONTROL, SHIFT, SplitPlot
from gui.panels.this_node.words import level_count
from gui.wording import phrases, words

LEGIBLE = 48  # pixels for each bar, where the bars are narrower than TOO_NARROW and a person looks for one
TOO_NARROW = 9
ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
DIGITS = tuple(Qt.Key(Qt.Key.Key_1 + i) for i in range(9))
NEW_KEY, ALL_KEY = Qt.Key.Key_N, Qt.Key.Key_A
CHOOSE_FIRST = marked("Choose levels first: click bars, or type a part of their names.")
TWO_BRANCHES = marked("A split needs at least two branches.")
TWO_STAY = marked("A split needs at least two branches: there is no other branch for these levels.")


class LevelsKind(SplitKind[LevelsDraft]):
    """Splits of columns with levels, on the plot (see `PlotInput`) and below it."""

    KEYS = (*ARROWS, *ENDS, *DIGITS, Qt.Key.Key_Space, NEW_KEY)
    best, below_best = marked("Best groups"), marked("{share} below the best groups")
    controls: LevelControls

    def __init__(self, plot: SplitPlot, document: Document) -> None:
        super().__init__(plot)
        self._document = document
        controls = self.controls = LevelControls()
        self._order: dict[bool, str] = {False: RATE, True: DECLARED}  # chosen last, by whether columns have one
        self._pressed: QPoint | None = None
        self._narrow = False  # a press on one of several chosen bars chooses it alone, unless they are dragged
        self._dragging = False  # the chosen bars hang on the mouse
        self._anchor = self.current = 0  # the bars where a choice was begun, and on which the keys stand
        self.chosen: set[int] = set()  # the places of the bars
        plot.focused.connect(self._show_chosen)
        plot.zoomed.connect(self._on_zoomed)
        controls.boxes.chosen.connect(self._send)
        controls.order.chosen.connect(self._on_order)
        controls.all.clicked.connect(plot.see_all)
        controls.scroll_bar.valueChanged.connect(self._on_scrolled)
        controls.find_field.textChanged.connect(self._on_find)
        controls.find_field.entered.connect(plot.setFocus)
        controls.missing.chosen.connect(self._send_missing)
        controls.unseen.chosen.connect(lambda branch: self._take(lambda draft: draft.set_unseen(branch)))
        verbs = controls.menu.verbs
        verbs["best_two"].triggered.connect(lambda: self._search("groups"))
        verbs["one_each"].triggered.connect(self._on_one_each)
        verbs["against_rest"].triggered.connect(self._on_against_rest)
        verbs["merge"].triggered.connect(lambda: self._take(lambda draft: draft.merge(self._chosen()), tr(TWO_STAY)))
        verbs["split_off"].triggered.connect(lambda: self._on_sent(-1))
        verbs["as_numbers"].triggered.connect(lambda: self.read_as.emit("number"))
        controls.menu.pooled.connect(self._on_pool)
        controls.menu.aboutToShow.connect(self._on_menu)

    def begin(self, found: engine.Candidate, curve: engine.Curve | None, by_class: bool) -> LevelsDraft | None:
        self._let_go()
        if curve is None or found.split is None or found.split.kind != "groups":
            return None
        self.chosen, self.current, self._anchor = set(), 0, 0
        with QSignalBlocker(self.controls.find_field):
            self.controls.find_field.clear()
        return LevelsDraft(found, curve, found.split, by_class)

    def _let_go(self) -> None:
        self._dragging, self._pressed = False, None
        self.controls.boxes.aim(None)
        self._document.jobs.drop("groups")

    def draw(self, draft: LevelsDraft, tree: engine.Tree, focus: int, *, editable: bool) -> None:
        seen = self.plot.seen if self._draft is not None and self._draft.curve is draft.curve else None
        chosen, current = self._chosen(), self._current()
        self._draft, self._tree, self._focus, self._editable = draft, tree, focus, editable
        self._redraw(seen, chosen, current)

    def _redraw(self, seen: tuple[float, float] | None, chosen: list[Level], current: Level) -> None:
        assert self._draft is not None
        self.plot.input = self if self._editable else None
        self.plot.draw_levels(self._draft.curve, self._draft.split, self._tree, self._focus, self._by, seen)
        place = {level: i for i, level in enumerate(self._bars())}
        self.chosen = {place[level] for level in chosen if level in place}
        self.current = self._anchor = max(0, min(place.get(current, self.current), len(place) - 1))
        self._on_zoomed()
        self._show_controls()
        self._show_chosen()

    def show_draft(self, draft: LevelsDraft) -> None:
        assert self._draft is not None and self.plot.bars is not None
        if self._by == BRANCH:
            seen, chosen, current = self.plot.seen, self._chosen(), self._current()
            self._draft = draft
            self.plot.wipe()
            self._redraw(seen, chosen, current)
            return
        self._draft = draft
        branches = np.array([draft.branch_of(level) for level in self._bars()], dtype=np.int64)
        self.plot.levels.show(branches, draft.split.n_branches)
        self._show_controls()

    def _show_controls(self) -> None:
        assert self._draft is not None
        target = self._tree.classes[self._focus] if self._tree.classes else ""
        self.controls.show_draft(self._draft, self._orders, self._by, target)
        self.controls.menu.say_unit(self.plot.is_sampled)

    @property
    def _orders(self) -> tuple[str, ...]:
        return (DECLARED,) * self._ordered + (RATE, NAME, ROWS, BRANCH)

    @property
    def _by(self) -> str:
        return self._order[self._ordered]

    @property
    def _ordered(self) -> bool:
        return self._draft is not None and self._draft.curve.kind == "ordered"

    def _bars(self) -> list[Level]:
        """The level of each bar; None for that of the rows without a value."""
        bars = self.plot.bars
        if bars is None or not bars.labels:  # it also shows what others edit
            return []
        return [*bars.labels[:-1], None] if bars.has_missing else list(bars.labels)

    def _chosen(self) -> list[Level]:
        bars = self._bars()
        return [bars[i] for i in sorted(self.chosen) if i < len(bars)]

    def _current(self) -> Level:
        return dict(enumerate(self._bars())).get(self.current)

    def _show_chosen(self) -> None:
        if self._draft is not None and self._bars():
            self.plot.levels.choose(self.chosen, self.current if self._editable and self.plot.hasFocus() else None)

    def at(self, x: float) -> str:
        bars, tree, focus, i = self.plot.bars, self._tree, self._focus, round(x)
        if bars is None or not 0 <= i < len(bars.labels):
            return ""
        rows = phrases.weighed_training_rows(float(bars.totals[i]), self.plot.is_sampled)
        said = {"level": bars.labels[i], "rows": rows}
        if tree.classes and bars.totals[i] > 0:
            share = words.percent(float(bars.heights[i, focus]) / float(bars.totals[i]))
            text = tr("{level}: {rows}, {share}", **said, share=words.rated(share, tree.classes[focus]))
        elif len(bars.means) and math.isfinite(bars.means[i]):
            mean = f"{words.value(float(bars.means[i]))} ± {words.value(float(bars.spreads[i]))}"
            text = tr("{level}: {rows}, mean {mean}", **said, mean=mean)
        else:
            text = tr("{level}: {rows}", **said)
        if self._draft is None:
            return text
        branch = self._draft.branch_of(self._bars()[i])
        if branch == engine.splits.DIVIDED:
            return tr("{level} · all branches, in part", level=text)
        return tr("{level} · branch {branch}", level=text, branch=branch + 1)

    def note(self) -> str:
        omitted = self.plot.bars.omitted if self.plot.bars is not None else 0
        if omitted == 1:
            return tr("1 level has no rows")
        return tr("{n} levels have no rows", n=words.count(omitted)) if omitted else ""

    def remark(self, draft: LevelsDraft) -> str:
        if draft.weighed is None:
            return tr("With absolute error, the gain of groups is computed from the rows.")
        empty = draft.empty_branches
        if empty == (draft.split.missing,) and draft.has_own_missing:
            return tr("No training row here lacks the value: branch {branch} is empty.", branch=empty[0] + 1)
        if empty:
            named = [str(branch + 1) for branch in empty[:3]]
            if len(empty) == 1:
                return tr("No training row here goes into branch {branch}.", branch=named[0])
            listed = tr(" and ").join(named)
            if len(empty) > 3:
                listed = tr("{branches} and {n} more", branches=", ".join(named), n=len(empty) - 3)
            return tr("No training row here goes into branches {branches}.", branches=listed)
        return super().remark(draft)

    def _send_missing(self, place: int) -> None:
        """The last entry of the box is of all branches, the others are branches."""
        last = self.controls.missing.count() - 1
        self._take(lambda draft: draft.set_missing(engine.splits.DIVIDED if place == last else place))

    def _send(self, branch: int) -> None:
        levels, draft = self._chosen(), self._draft
        if draft is None:
            return
        if not levels:
            self.refused.emit(tr(CHOOSE_FIRST))
            return
        stuck = any(draft.branch_of(level) != branch for level in levels)
        self._take(lambda draft: draft.move(levels, branch), tr(TWO_STAY) if stuck else "")

    def _on_sent(self, branch: int) -> None:
        if self._draft is None:
            return
        if branch >= self._draft.split.n_branches:
            self.refused.emit(tr("There is no branch {branch}: N makes a new one.", branch=branch + 1))
        else:
            self._send(self._draft.split.n_branches if branch < 0 else branch)

    def _target(self, where: QPoint) -> int | None:
        """The branch below a place of the screen: a box, or that of a bar that is not dragged itself."""
        assert self._draft is not None
        if (found := self.controls.boxes.branch_at(where)) is not None:
            return found
        i = self._bar_at(self.plot.viewport().mapFromGlobal(where))
        return None if i is None or i in self.chosen else self._draft.branch_of(self._bars()[i])

    def _on_dragged(self, where: QPoint) -> None:
        if self._draft is None:
            return
        aimed = self._target(where)
        self.controls.boxes.aim(aimed)
        named = [tr("missing") if level is None else level for level in self._chosen()]
        what = ", ".join(named)
        if len(named) > 3 or len(what) > 40:
            what = level_count(len(named))
        if aimed is None:
            self.said.emit(tr("{levels}: drop on a branch or a bar", levels=what))
        elif aimed == self._draft.split.n_branches:
            self.said.emit(tr("{levels} → new branch", levels=what))
        else:
            self.said.emit(tr("{levels} → branch {branch}", levels=what, branch=aimed + 1))

    def _on_dropped(self, where: QPoint) -> None:
        target = self._target(where) if self._draft is not None else None
        self.controls.boxes.aim(None)
        self.said.emit("")
        if target is not None:
            self._send(target)

    def _on_menu(self) -> None:
        draft, levels = self._draft, self._chosen()
        if draft is None:
            return
        several = len({draft.branch_of(level) for level in levels}) > 1
        refuse = self.controls.menu.refuse
        refuse("split_off", "" if levels else tr(CHOOSE_FIRST))
        alone = "" if several else tr("Choose levels of several branches first.")
        refuse("merge", alone if draft.split.n_branches > 2 else tr(TWO_BRANCHES))
        refuse("as_numbers", why_no_numbers(draft.curve.levels))

    def _on_one_each(self) -> None:
        if self._draft is not None and len(self._draft.present) >= MOST_BRANCHES:
            n = words.count(len(self._draft.present))
            self.refused.emit(tr("{n} branches are too many to make by hand.", n=n))
        else:
            self._take(lambda draft: draft.one_each(), tr("Only one level has rows here."))

    def _on_against_rest(self) -> None:
        levels = self._chosen()
        if levels:
            self._take(lambda draft: draft.against_rest(levels), tr("No other level has rows here."))
        else:
            self._search("one_vs_rest")

    def _on_pool(self, rows: int) -> None:
        if (draft := self._draft) is not None:
            rare = any(0 < weight < rows for weight in draft.weights.tolist())
            n = words.count(rows)
            every = tr("Every level that is here has fewer than {rows} rows.", rows=n)
            none = tr("No level that is here has fewer than {rows} rows.", rows=n)
            if self.plot.is_sampled:
                every = tr("Every level that is here weighs less than {weight}.", weight=n)
                none = tr("No level that is here weighs less than {weight}.", weight=n)
            self._take(lambda draft: draft.pool(rows), every if rare else none)

    def _search(self, nominal: str) -> None:
        draft, document = self._draft, self._document
        if draft is None or document.state is None:
            return

        def done(split: engine.Split | None) -> None:
            now = self._draft
            if now is not None and now.curve is draft.curve:
                self._take(lambda draft: draft if split is None else draft.with_split(split))

        document.jobs.run(
            tr("Searching for groups"), tree_tasks.best_groups, draft.curve, nominal, done=done, key="groups",
            failed=lambda error: self.refused.emit(words_for(error) or phrases.plain(str(error))), quiet=True,
        )  # fmt: skip

    def _choose(self, chosen: set[int], current: int, *, anchored: bool = False) -> None:
        """Chooses bars, and puts the keys onto one; `anchored`: a further choice begins where it was begun before."""
        self.chosen, self.current = chosen, current
        if not anchored:
            self._anchor = current
        self.refused.emit("")
        self._show_chosen()
        self._bring_into_view()

    def _extend(self, to: int) -> None:
        low, high = sorted((self._anchor, to))
        self._choose(set(range(low, high + 1)), to, anchored=True)

    def _bar_at(self, where: QPoint) -> int | None:
        scene = self.plot.mapToScene(where)
        i = round(self.plot.read(scene)[0]) if self.plot.inside(scene) else -1
        return i if 0 <= i < len(self._bars()) else None

    def press(self, event: QMouseEvent) -> bool:
        where, keys = event.position().toPoint(), event.modifiers()
        i = self._bar_at(where)
        if i is None or event.button() not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return False
        if event.button() == Qt.MouseButton.RightButton:
            if i not in self.chosen:
                self._choose({i}, i)
            self.controls.menu.popup(event.globalPosition().toPoint())
            return True
        self._pressed, self._narrow = where, False
        if keys & SHIFT:
            self._extend(i)
        elif keys & CONTROL:
            self._choose(self.chosen ^ {i}, i)
        elif i in self.chosen:
            self._narrow, self.current = True, i
        else:
            self._choose({i}, i)
        return True

    def move(self, event: QMouseEvent) -> bool:
        where, viewport = event.position().toPoint(), self.plot.viewport()
        if self._pressed is None:
            over = self._bar_at(where) is not None
            viewport.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            return False
        far = (where - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if self.chosen and (far or self._dragging):
            self._dragging = True
            viewport.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._on_dragged(event.globalPosition().toPoint())
        return True

    def release(self, event: QMouseEvent) -> bool:
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return False
        dragging, self._dragging, self._pressed = self._dragging, False, None
        self.plot.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        if dragging:
            self._on_dropped(event.globalPosition().toPoint())
        elif self._narrow:
            self._choose({self.current}, self.current)
        return True

    def double(self, event: QMouseEvent) -> bool:
        return self._bar_at(event.position().toPoint()) is not None

    def key(self, event: QKeyEvent) -> bool:
        key, control, n = Qt.Key(event.key()), bool(event.modifiers() & CONTROL), len(self._bars())
        if not n:
            return False
        if key == ALL_KEY and control:
            self._choose(set(range(n)), self.current, anchored=True)
        elif key in ARROWS or key in ENDS:
            to = max(0, min(self.current + ARROWS.get(key, -n if key == Qt.Key.Key_Home else n), n - 1))
            if event.modifiers() & SHIFT:
                self._extend(to)
            else:
                self._choose(self.chosen, to)
        elif key == Qt.Key.Key_Space:
            self._choose(self.chosen ^ {self.current}, self.current)
        elif (key == NEW_KEY or key in DIGITS) and not control:
            if not self.chosen:
                self._choose({self.current}, self.current)
            self._on_sent(-1 if key == NEW_KEY else DIGITS.index(key))
        else:
            return False
        return True

    def _on_find(self, text: str) -> None:
        wanted = text.strip().casefold()
        if self.plot.bars is None or not self.plot.bars.labels:
            return
        found = [i for i, label in enumerate(self.plot.bars.labels) if wanted and wanted in label.casefold()]
        self._choose(set(found), found[0] if found else self.current, anchored=not found)
        if wanted and not found:
            self.refused.emit(tr("No level here contains “{text}”.", text=text.strip()))

    def _on_order(self, place: int) -> None:
        if self._draft is None:
            return
        chosen, current = self._chosen(), self._current()
        self._order[self._ordered] = self._orders[place]
        self.plot.wipe()
        self._redraw(None, chosen, current)
        self._bring_into_view()

    def _on_scrolled(self, value: int) -> None:
        seen, whole = self.plot.seen, self.plot.whole
        if seen is not None:
            low = whole[0] + value * (whole[1] - whole[0]) / STEPS
            self.plot.setXRange(low, low + seen[1] - seen[0], padding=0)

    def _on_zoomed(self) -> None:
        if self._bars():
            self.controls.show_seen(self.plot.seen, self.plot.whole)

    def _bring_into_view(self) -> None:
        """Scrolls to the bar on which the keys stand; where bars are too narrow to read, nearer."""
        if self._draft is None or not self._bars() or not (self.plot.hasFocus() or self.controls.find_field.text()):
            return
        low, high = self.plot.seen or self.plot.whole
        room = self.plot.getViewBox().width()
        near, x = room / LEGIBLE, float(self.current)
        if room < TOO_NARROW * (high - low):
            self.plot.setXRange(max(self.plot.whole[0], x - near / 2), x + near / 2, padding=0)
        elif not low + 0.5 <= x <= high - 0.5:
            start = x - 0.5 if x < low + 0.5 else x + 0.5 - (high - low)
            self.plot.setXRange(start, start + high - low, padding=0)


def why_no_numbers(levels: tuple[str, ...]) -> str:
    """Why the names of the levels cannot be read as numbers; empty where they can."""

    def number(level: str) -> bool:
        try:
            return math.isfinite(float(level))
        except ValueError:
            return False

    other = next((level for level in levels if not number(level)), None)
    if other is not None:
        return tr("“{level}” is not a number.", level=other)
    return tr("There is only one level, which no cut divides.") if len(levels) < 2 else ""
