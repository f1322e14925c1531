"""The panel “Plane”: the leaves of the tree as rectangles over the rows, in the plane of any two numeric columns; or,
with one column, the leaves side by side."""

from __future__ import annotations

from html import escape

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPointF, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QCursor, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QListView, QToolTip, QVBoxLayout, QWidget

import engine
from engine.runtime.sentences import marked, tr
from gui import theme
from gui.model import plane_tasks
from gui.model.document import Document
from gui.model.plane_tasks import LEAVES, Asked, Picture
from gui.model.view_state.look import SHOWN_BY
from gui.panels.plane import plot as plane_shapes
from gui.panels.plane.new_point import NewPoint, new_point, predicted, rounded, sentence
from gui.panels.plane.small_tree import SmallTree, laid_out
from gui.picture.colours import Colouring
from gui.picture.legend import naming_order
from gui.picture.nodes import tips
from gui.picture.picture_options import PictureOptions
from gui.picture.plane_regions import ALL, LARGER, STOP, most_asked
from gui.widgets import verbatim
from gui.widgets.building import (
    Reaction,
    below,
    empty_page,
    fill,
    later,
    named,
    picture_button,
    refuse,
    side_by_side,
    stack_where_narrow,
    stacked,
)  # fmt: skip
from gui.widgets.fields import short_list
from gui.widgets.labels import quiet
from gui.wording import words
from gui.wording.phrases import counted_rows

# The ways of `plane_regions.WAYS`: as a choice, and what the choice means.
WAYS = {
    LARGER: (marked("other splits: larger branch"), marked(
        "Where the tree asks another column, the picture goes on in the branch with most training rows;\n"
        "above the selected node, in the branch that leads there. Every row that is drawn lies in its rectangle.")),
    STOP: (marked("other splits: stop"), marked(
        "Where the tree asks another column, the rectangle is not divided further and is hatched;\n"
        "above the selected node the picture follows its path. Every row that is drawn lies in its rectangle.")),
    ALL: (marked("other splits: ignored"), marked(
        "All leaves are drawn, and lie one over the other where only another column tells them apart:\n"
        "a rectangle is where rows of a leaf can lie, and rows of other leaves may lie there, too.")),
}  # fmt: skip
DROP = marked("New point: a click, a drag or the arrows put it into the plane, and its way through the tree lights up")
MOST_LISTED = 500  # cuts
LEAST_WIDTH, LEAST_HEIGHT = 320, 130  # pixels
LISTED_FROM = 520  # pixels of width, from which on the list of cuts has room
ALL_FROM = 80  # lines of width, from which on it has room beside three pictures
ROWS_FROM = 480  # pixels of width, from which on the rows alone have room beside the plane and the tree
TITLED_FROM = 20  # lines of height, from which on the three pictures have titles
NARROW, SLIM, LOW = 30, 24, 12  # lines of width or height: in less two rows of controls; no labels; one line of words
WIDE = 1.5  # so many times wider than high the three stand side by side, else the tree below
MOST_NAMED = 8  # classes in the legend
BETWEEN = " · "  # legend and sentence


def sentences(shown: Picture) -> str:
    """How many rows are drawn, where the others are, and what became of splits on other columns."""
    n, asked = len(shown.rows), shown.asked
    drawn, of = map(counted_rows, (n, shown.n_here))
    every, some = tr("{rows} drawn.", rows=drawn), words.count(n)
    part = tr("{n} of {rows} drawn, always the same ones.", n=some, rows=of)
    if shown.held_out.any():
        every = tr("{rows} drawn (● training, × validation).", rows=drawn)
        part = tr("{n} of {rows} drawn (● training, × validation), always the same ones.", n=some, rows=of)
    said = [every if n == shown.n_here else part]
    if shown.n_lacking and asked.across:
        rows = counted_rows(shown.n_lacking)
        said.append(tr("{rows} without {across} or {up} cannot be drawn.", rows=rows, across=asked.across, up=asked.up))
    elif shown.n_lacking:
        said.append(tr("{rows} without {up} cannot be drawn.", rows=counted_rows(shown.n_lacking), up=asked.up))
    return words.unbroken(" ".join(said + _others(shown)))


def _others(shown: Picture) -> list[str]:
    tree, asked = shown.tree, shown.asked
    if not asked.across:
        said = tr(
            "One column of points for each leaf, as wide as its training rows; lines are means of the training rows."
        )
        if asked.up == tree.target and tree.task == "classes":
            said = tr("One column of points for each leaf, as wide as its training rows; lines part the classes.")
        elif asked.up == tree.target and tree.predicts_median:
            said = tr(
                "One column of points for each leaf, as wide as its training rows; lines are medians, as the leaves "
                "predict.")  # fmt: skip
        elif asked.up == tree.target:
            said = tr(
                "One column of points for each leaf, as wide as its training rows; lines are what the leaves predict."
            )
        return [said]
    if asked.way == ALL:
        said = tr("Splits on other columns are ignored: rectangles may overlap, and hold rows of other leaves, too.")
        return [said, *([tr("Rows outside of the selected node are pale.")] if asked.node else [])]
    n, above = shown.followed, shown.on_path
    several = tr("{n} rows that go another way are not shown.", n=words.count(shown.n_elsewhere))
    gone = tr("1 row that goes another way is not shown.") if shown.n_elsewhere == 1 else several
    said_all: list[str] = []
    if asked.way == STOP:
        stopped = np.flatnonzero(tree.n_branches[shown.tiles] > 0)
        if stopped.size:
            by, many = tree.title(int(shown.tiles[stopped[0]])), words.count(stopped.size)
            one = tr("1 hatched: divided further by “{column}”.", column=by)
            several = tr("{n} hatched: divided further by “{column}” and others.", n=many, column=by)
            said_all.append(one if stopped.size == 1 else several)
        if above:
            said_all.append(
                tr("{splits} above the selected node as its path goes; {gone}", splits=_splits(above), gone=gone)
            )
    elif n and above == n:
        said_all.append(tr("{splits}: along the path of the selected node; {gone}", splits=_splits(n), gone=gone))
    elif n and above:
        said_all.append(tr(
            "{splits}: {n} along the path of the selected node, elsewhere in the branch with most rows; {gone}",
            splits=_splits(n), n=above, gone=gone,
        ))  # fmt: skip
    elif n:
        said_all.append(tr("{splits}: the branch with most rows is shown; {gone}", splits=_splits(n), gone=gone))
    return said_all or [tr("No other column is asked: every leaf is one rectangle.")]


def _splits(n: int) -> str:
    return tr("1 split on another column") if n == 1 else tr("{n} splits on other columns", n=words.count(n))


def spoken(shown: Picture) -> str:
    n, up, across, more = words.count(len(shown.tiles)), shown.asked.up, shown.asked.across, sentences(shown)
    if not across:
        return tr("{n} leaves side by side, {up} upwards. {more}", n=n, up=up, more=more)
    return tr("{n} rectangles over {across}, {up} upwards. {more}", n=n, across=across, up=up, more=more)


class CutList(QListView):
    """A row for each split that cuts the plane; the row of the selected node is current."""

    picked = Signal(int)  # a row was clicked or walked to: the position of its node
    pointedAt = Signal(int)  # the mouse is over another row: the position of its node, −1 for none

    def __init__(self) -> None:
        super().__init__(uniformItemSizes=True)
        named(self, "plane_cuts", tr("Cuts in the order made"), frameShape=self.Shape.NoFrame, mouseTracking=True,
              editTriggers=self.EditTrigger.NoEditTriggers, textElideMode=Qt.TextElideMode.ElideMiddle)  # fmt: skip
        self.texts: list[str] = []  # what the rows say
        self._nodes: list[int] = []
        self._filling = False
        self._model = QStringListModel(self)
        self.setModel(self._model)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.entered.connect(lambda index: self.pointedAt.emit(self._node_of(index)))
        Reaction(self, lambda: self.pointedAt.emit(-1), QEvent.Type.Leave)

    def show_cuts(self, picture: Picture) -> None:
        named = dict(zip(picture.cuts.node.tolist(), plane_shapes.captions(picture), strict=True))
        self._nodes = list(named)[:MOST_LISTED]
        texts = [f"{named[node]}   {picture.tree.sentence(node + 1)}" for node in self._nodes]
        if len(named) > MOST_LISTED:
            texts.append(tr("… and {n} more", n=words.count(len(named) - MOST_LISTED)))
        self._filling, node = True, picture.asked.node
        if texts != self.texts:
            self.texts = texts
            self._model.setStringList(texts)
        self.setCurrentIndex(self._model.index(self._nodes.index(node)) if node in self._nodes else QModelIndex())
        self._filling = False

    def _on_current(self, index: QModelIndex, _: QModelIndex) -> None:
        if not self._filling and self._node_of(index) >= 0:
            self.picked.emit(self._node_of(index))

    def _node_of(self, index: QModelIndex) -> int:
        return self._nodes[index.row()] if index.isValid() and index.row() < len(self._nodes) else -1


class PlanePanel(QWidget):
    """Two axes to choose, the plane between them, the list of its cuts, and what there is to know about it."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plane_panel")
        self._document = document
        self._picture: Picture | None = None
        self._table: engine.Table | None = None
        self._axes = (LEAVES, "")
        self._told = -1  # the node that this panel said is pointed at
        self._by_hand: tuple[str, str] | None = None  # the axes, once a person chose one
        self._new: NewPoint | None = None  # the point that was put into the plane
        self._legend = self._said = self._of_point = ""  # rich text; what there is to know about picture and new point
        self._shares = {Qt.Orientation.Horizontal: 1 / 3, Qt.Orientation.Vertical: 1 / 2}  # of the tree, of the room
        self._build()
        document.tableChanged.connect(self._on_changed)
        document.treeChanged.connect(self._on_changed)
        document.selectionChanged.connect(self._ask)
        document.searchChanged.connect(self._ask)
        document.focusChanged.connect(self._draw)
        document.comparing.changed.connect(self._draw)
        document.look.changed.connect(self._on_look_changed)
        theme.watcher().changed.connect(self.plot.restyle)
        theme.watcher().changed.connect(self._draw)
        Reaction(self, self._draw, QEvent.Type.FontChange)
        Reaction(self, self._on_changed, QEvent.Type.Show)
        Reaction(self, lambda: document.look.set(letters=None), QEvent.Type.Hide)
        gone = later(self, lambda: self.drop.setChecked(self.drop.isChecked() and self.isVisible()))
        Reaction(self, gone.start, QEvent.Type.Hide)  # not while it only goes from one place to another
        self._on_changed()

    def _build(self) -> None:
        self.across = short_list("plane_across", tr("Column across"))
        self.up = short_list("plane_up", tr("Column upwards"))
        self.way = short_list("plane_way", tr("Splits on other columns"))
        self.across.activated.connect(self._on_axis_chosen)
        self.up.activated.connect(self._on_axis_chosen)
        self.way.activated.connect(self._ask)
        for way, (text, meaning) in WAYS.items():
            self.way.addItem(tr(text), way)
            self.way.setItemData(self.way.count() - 1, verbatim.tip(tr(meaning)), Qt.ItemDataRole.ToolTipRole)
        self.log_across = named(QCheckBox(tr("log")), "plane_log_x", tr("Logarithmic axis across"))
        self.log_up = named(QCheckBox(tr("log")), "plane_log_y", tr("Logarithmic axis upwards"))
        for box in (self.log_across, self.log_up):
            box.toggled.connect(self._draw)
        self.together = picture_button(
            "plane_together", tr("Rows, plane and tree together"), "side-by-side", checkable=True, toggled=self._draw
        )
        self.drop = picture_button("plane_new_point", tr(DROP), "new-point", checkable=True, toggled=self._on_dropping)
        self.rows = plane_shapes.PlanePlot("plane_rows", tr("The rows alone"), rows_alone=True)
        self.plot = plane_shapes.PlanePlot("plane_plot", tr("Leaves as rectangles over the rows"))
        for plot, other in ((self.rows, self.plot), (self.plot, self.rows)):
            plot.placed.connect(self._on_placed)
            plot.left.connect(lambda: self.drop.setChecked(False))
            plot.getViewBox().sigRangeChanged.connect(lambda _, seen, *__, other=other: other.see(*seen))
        self.tree = SmallTree()
        self.cuts = CutList()
        for part in (self.rows, self.plot, self.tree, self.cuts):
            part.picked.connect(self._on_picked)
        for part in (self.rows, self.plot, self.tree):
            part.pointedAt.connect(self._on_pointed)
        self.cuts.pointedAt.connect(self._point)
        by_mouse = Qt.TextInteractionFlag.TextSelectableByMouse
        self.sentence = verbatim.label(objectName="plane_sentence", wordWrap=True, textInteractionFlags=by_mouse)
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        empty = tr("Open a table: the leaves of its tree stand here as rectangles over the points.")
        self.empty = empty_page(empty, "plane_empty")
        self._names = across, up = verbatim.label(tr("Across")), verbatim.label(tr("Up"))
        axes = fill(QHBoxLayout(), across, (self.across, 1), self.log_across, up, (self.up, 1), self.log_up, spacing=6)
        rest = fill(QHBoxLayout(), (self.way, 1), self.together, self.drop, spacing=6)
        controls = fill(QBoxLayout(QBoxLayout.Direction.LeftToRight), (axes, 6), (rest, 4), spacing=6)
        stack_where_narrow(self, controls, NARROW)
        self.titles = [
            quiet(title, wrap=False) for title in (tr("(a) Rows"), tr("(b) Cuts in the order made"), tr("(c) Tree"))
        ]
        pictures: tuple[QWidget, ...] = self.rows, self.plot, self.tree
        rows, plane, tree = (below(title, (one, 1)) for title, one in zip(self.titles, pictures, strict=True))
        self._extra = rows, tree
        self.plots = side_by_side((rows, 350, 1), (plane, 350, 1))
        self.pictures = side_by_side((self.plots, 600, 2), (tree, 300, 1))
        self.pictures.splitterMoved.connect(self._on_pulled)
        Reaction(self.pictures, self._share, QEvent.Type.Resize)
        self.both = named(side_by_side((self.pictures, 700, 1), (self.cuts, 190, 0)), "plane_both")
        self.pages = stacked(below(controls, (self.both, 1), self.sentence), self.empty)
        whole = fill(QVBoxLayout(self), self.pages, margins=(8, 6, 8, 4))
        whole.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, LEAST_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Shows what has room: the plane, with the rows and the tree where they are wanted, and the list of cuts."""
        wide, high, line = self.width(), self.height(), self.fontMetrics().height()
        together = self.together.isChecked() and self.together.isEnabled()
        for part, there in zip(self._extra, (together and wide >= ROWS_FROM, together), strict=True):
            part.setVisible(there)
        for title in self.titles:
            title.setVisible(together and high >= TITLED_FROM * line)
        for name in self._names:
            name.setVisible(wide >= SLIM * line)
        self._say()
        listed_from = ALL_FROM * line if together else LISTED_FROM
        self.cuts.setVisible(wide >= listed_from and bool(self.cuts.texts))
        way = Qt.Orientation.Horizontal if wide >= WIDE * high else Qt.Orientation.Vertical
        self.pictures.setOrientation(way)
        self._share()

    def _share(self) -> None:
        """Gives the tree its part of the room; the usual one until a person pulls it."""
        across = self.pictures.orientation() == Qt.Orientation.Horizontal
        room = self.pictures.width() if across else self.pictures.height()
        share = self._shares[self.pictures.orientation()]
        self.pictures.setSizes([round((1 - share) * room), round(share * room)])

    def _on_pulled(self) -> None:
        sizes = self.pictures.sizes()
        self._shares[self.pictures.orientation()] = sizes[1] / max(sum(sizes), 1)

    def _on_changed(self, *_: object) -> None:
        state = self._document.state
        self.pages.setCurrentIndex(0 if state is not None else 1)
        if state is None:
            self._picture = self._table = self._by_hand = None
            self.drop.setChecked(False)
            self._document.jobs.drop("plane")
        elif self.isVisible():
            if state.table is not self._table:
                self._table, self._picture = state.table, None
                self.drop.setChecked(False)
                for plot in (self.rows, self.plot):
                    plot.show_shapes(None)
                self.tree.show_tree(None, -1)
                self._legend = self._said = self._of_point = ""
                self.sentence.clear()
                self._fill_columns(state.table)
            self._select(*(self._by_hand or usual_axes(state.table, state.tree)))
            self._ask()

    def _fill_columns(self, table: engine.Table) -> None:
        names = plane_tasks.numeric_columns(table)
        if self._by_hand is not None and not {*self._by_hand} <= {*names, LEAVES, table.target}:
            self._by_hand = None
        self.across.clear()
        self.up.clear()
        self.across.addItem(tr("leaves, side by side"), LEAVES)
        for name in names:
            self.across.addItem(name, name)
            self.up.addItem(name, name)
        if table.task == "classes":
            self.up.addItem(tr("{target}, the classes", target=table.target), table.target)

    def _select(self, across: str, up: str) -> None:
        self.across.setCurrentIndex(max(0, self.across.findData(across)))
        self.up.setCurrentIndex(max(0, self.up.findData(up)))
        self._axes = self.across.currentData(), self.up.currentData()
        self._enable()

    def _enable(self) -> None:
        assert self._table is not None
        for box, column in ((self.log_across, self.across), (self.log_up, self.up)):
            can = plane_shapes.can_be_log(self._table, column.currentData())
            box.setEnabled(can)
            refused = tr("Only a column of positive numbers can have a logarithmic axis.")
            box.setToolTip(verbatim.tip(tr("A logarithmic axis") if can else refused))
        plane = self.across.currentData() != LEAVES
        self.way.setEnabled(plane)
        strip = tr("Leaves side by side show all leaves, whatever columns they are split by.")
        self.way.setToolTip(verbatim.tip(tr(WAYS[self.way.currentData()][1]) if plane else strip))
        needed = "" if plane else tr("It needs two columns: choose one across.")
        refuse(self.together, needed, tr("Rows, plane and tree together"))
        refuse(self.drop, needed, tr(DROP))
        if not plane:
            self.drop.setChecked(False)

    def _on_axis_chosen(self, _: int) -> None:
        """The same column twice trades places with the other one."""
        assert self._table is not None
        before_across, before_up = self._axes
        across, up = self.across.currentData(), self.up.currentData()
        if across == up and up != before_up:
            across = before_up if self.across.findData(before_up) >= 0 else LEAVES
        elif across == up:
            up = before_across if before_across != LEAVES else str(self._table.target)
        if across == up:  # a numeric target alone
            across = LEAVES
        self._by_hand = (across, up)
        self._take_back()
        self._select(across, up)
        self._ask()

    def _ask(self, *_: object) -> None:
        """Has the picture made in the worker; the last one stays until it is there."""
        state, document = self._document.state, self._document
        if state is None or self._table is None or not self.isVisible():
            return
        self._enable()
        node = state.tree.position(document.selected) if document.selected in state.tree else 0
        asked = Asked(self.across.currentData(), self.up.currentData(), node, self.way.currentData())
        document.jobs.run(
            tr("Drawing the plane"), plane_tasks.drawn, state, asked, done=self._on_drawn, key="plane", quiet=True,
            options=document.search,
        )  # fmt: skip

    def _on_drawn(self, picture: Picture) -> None:
        if picture.table is not self._table or not self.isVisible():
            return  # what is pointed at belongs to the picture that is drawn; once it can be seen, another is asked for
        self._picture = picture
        self._document.look.set(letters=letters_of(picture))
        self.cuts.show_cuts(picture)
        self._draw()
        if self._new is not None:  # where it stands the tree may go another way now
            self._on_placed(*self._new.at)

    def _draw(self, *_: object) -> None:
        picture, table = self._picture, self._document.table
        if picture is None or table is None or picture.table is not table or not self.isVisible():
            return  # of another table: its own picture is on the way
        self._arrange()
        across, up = plane_shapes.axes(picture, table, self.log_across.isChecked(), self.log_up.isChecked())
        focus, options = self._document.focus_class, PictureOptions()
        if picture.tree is self._document.tree:
            options = self._document.look.picture_options(differing=self._document.comparing.shares)
        colouring = Colouring(picture.tree, focus, theme.current(), options)
        drawn = plane_shapes.shapes(picture, across, up, focus, colouring)
        for plot in (self.rows, self.plot):
            plot.show_axes(across, up)
            plot.show_shapes(drawn)
            plot.setAccessibleDescription(spoken(picture))
        named = zip(picture.cuts.node.tolist(), zip(drawn.captions, drawn.letters, strict=True), strict=True)
        self.tree.show_tree(laid_out(picture.tree, dict(named), colouring), picture.asked.node)
        self._mark_pointed()
        numberless = tr("No column of this table is a number or a date, so there is no plane: the strip stands for it.")
        self._said = " ".join(([] if plane_tasks.numeric_columns(table) else [numberless]) + [sentences(picture)])
        criterion = tr(engine.CRITERIA[self._document.criterion].label)
        beside = tr("Beside each letter: the impurity of what the cut divides, by {criterion}.", criterion=criterion)
        self.cuts.setToolTip(verbatim.tip(beside))
        self._legend = legend_of(picture.tree, focus)
        self._show_way()

    def _on_picked(self, node: int) -> None:
        if self._picture is not None:
            self._document.select(int(self._picture.tree.ids[node]))

    def _on_pointed(self, node: int) -> None:
        self._point(node)
        if node >= 0 and self._picture is not None and not self.drop.isChecked():
            QToolTip.showText(QCursor.pos(), self._tip(self._picture, node), self.plot)
        else:
            QToolTip.hideText()

    def _point(self, node: int) -> None:
        """Tells which node is pointed at; a leaving mouse takes back only what was told here."""
        look = self._document.look
        if node < 0 and look.pointed != self._told:
            return
        self._told = int(self._picture.tree.ids[node]) if self._picture is not None and node >= 0 else -1
        look.set(pointed=self._told)

    def _tip(self, picture: Picture, node: int) -> str:
        named = dict(zip(picture.cuts.node.tolist(), picture.cuts.letters, strict=True))
        if node in named:
            cut = tr("Cut {letter}", letter=named[node])
            return f"<b>{cut}</b><br>{tips.tip(picture.tree, node)}"
        found, above = [], int(picture.tree.parent[node])
        while above >= 0:
            found += [named[above]] if above in named else []
            above = int(picture.tree.parent[above])
        behind = tr("Behind the cuts {letters}", letters=", ".join(found[::-1]))
        return (f"{behind}<br>" if found else "") + tips.tip(picture.tree, node)

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "pointed" in names:
            self._mark_pointed()
        if "way" in names:
            self._show_way()
        if names & SHOWN_BY:
            self._draw()

    def _mark_pointed(self) -> None:
        pointed, picture = self._document.look.pointed, self._picture
        node = picture.tree.position(pointed) if picture is not None and pointed in picture.tree else -1
        for part in (self.rows, self.plot, self.tree):
            part.point_at(node)

    # -- a new point, and the way of what is followed

    def _on_dropping(self, on: bool) -> None:
        for plot in (self.rows, self.plot):
            plot.place_by_hand(on)
        if on:
            self.plot.setFocus()  # for the arrows
        else:
            self._take_back()

    def _on_placed(self, x: float, y: float) -> None:
        """Puts the new point to these values, and follows it through the tree."""
        picture = self._picture
        if picture is None or self._table is not picture.table:
            return
        axes = zip((x, y), (self.plot.across, self.plot.up), picture.asked[:2], strict=True)
        at = [rounded(value, axis, self._table.column(name).kind) for value, axis, name in axes]
        place = QPointF(self.plot.across.scale.place(at[0]), self.plot.up.scale.place(at[1]))
        point = new_point(picture, self.plot.tile_at(place), (at[0], at[1]))
        other, self._new = self._new is None or self._new.values != point.values, point
        if other:
            self._document.following.follow_values(point.values)
        self._show_way()

    def _take_back(self) -> None:
        """Takes the new point away."""
        new, self._new = self._new, None
        if new is not None and self._document.following.values == new.values:
            self._document.following.end_row()
        self._show_way()

    def _show_way(self) -> None:
        """Lights the way of the row that is followed in the small tree; says beside the new point what is predicted."""
        picture, way, following = self._picture, self._document.look.way, self._document.following
        if self._new is not None and following.values != self._new.values:  # something else is followed now, or nothing
            self._new = None
        if picture is None or way is None or picture.tree is not self._document.tree:
            way = None
        self.tree.light(tuple(map(picture.tree.position, way.parts)) if picture is not None and way is not None else ())
        self._of_point, beside, new = "", "", self._new
        if new is not None and way is not None and picture is not None:
            self._of_point, beside = sentence(picture, new, way), predicted(picture.tree, way)
        self._say()
        for plot in (self.rows, self.plot):
            plot.show_new(new.at if new is not None else None, beside if plot is self.plot else "")

    def _say(self) -> None:
        """Says what there is to know about the new point, or else about the picture; in low room as much as a line
        holds."""
        said = self._of_point or self._said
        low = self.height() < (TITLED_FROM if self.tree.isVisible() else LOW) * self.fontMetrics().height()
        legend = "" if low and self._of_point else self._legend
        self.sentence.setWordWrap(not low)
        self.sentence.setToolTip(verbatim.tip(said) if low else "")
        if low:
            before = QTextDocumentFragment.fromHtml(legend).toPlainText() + BETWEEN
            room = self.sentence.width() - self.fontMetrics().horizontalAdvance(before)
            said = self.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, max(room, 0))
        self.sentence.setText(BETWEEN.join(filter(None, (legend, escape(said)))))


def legend_of(tree: engine.Tree, focus: int) -> str:
    """The colours of the points, as rich text."""
    if tree.task == "number":
        ends = (theme.current().scale(end).name() for end in (-1.0, 1.0))
        low, high = (f"<span style='color:{ink}'>●</span>" for ink in ends)
        return tr(
            "{low} below, {high} above the mean {mean} of {target}", low=low, high=high,
            mean=escape(words.value(float(tree.means[0]))), target=escape(tree.target),
        )  # fmt: skip
    order, n = naming_order(tree), len(tree.classes)
    inks, more = [theme.current().class_colour(k, n, focus).name() for k in order], len(order) - MOST_NAMED
    pairs = zip(inks[:MOST_NAMED], order, strict=False)
    shown = " ".join(f"<span style='color:{ink}'>●</span> {escape(tree.classes[k])}" for ink, k in pairs)
    return tr("{names} and {n} more", names=shown, n=more) if more > 0 else shown


def letters_of(picture: Picture) -> dict[int, str]:
    """The letter of each cut in the picture, by the id of its split."""
    ids = picture.tree.ids[picture.cuts.node].tolist()
    return dict(zip(ids, picture.cuts.letters, strict=True))


def usual_axes(table: engine.Table, tree: engine.Tree) -> tuple[str, str]:
    """(across, up): the two columns that the tree splits most, then the first ones that are features; with one column
    the target stands upwards, and without any the leaves stand across."""
    features = {table.columns[i].name for i in table.features}
    numeric = [name for name in plane_tasks.numeric_columns(table) if name in features]
    asked = [name for name in most_asked(tree) if name in numeric]
    names = [*asked, *(name for name in numeric if name not in asked)]
    return names[0] if names else LEAVES, names[1] if len(names) > 1 else str(table.target)
