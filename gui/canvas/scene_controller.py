"""What stands on the canvas follows the document: another tree, other colours, other folds; and what stands out of it:
for each reason a function of document and tree, all of them in `SOURCES`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

import engine
from gui import theme
from gui.canvas.canvas import Canvas
from gui.model.document import Document
from gui.model.search.further import AHEAD
from gui.model.view_state import folding
from gui.model.view_state.look import SHOWN_BY
from gui.picture.cards.ghosts import Ghosts
from gui.picture.emphasis import Emphasis, joined, noted
from gui.picture.folds import Folds
from gui.picture.kinds import KINDS
from gui.picture.leaves import best_leaves, lit, wanted_of
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import PictureModel


class Source(NamedTuple):
    """Something that makes nodes stand out. The tree that is drawn may be another one than the document's."""

    names: frozenset[str]  # the attributes of `document.look` that change it
    find: Callable[[Document, engine.Tree], Emphasis | None]


def part_of(document: Document, tree: engine.Tree) -> str:
    """The rows that filter and best leaves are about: those that flow through the tree, whose figures cards show."""
    return document.look.part if tree.rows_validation[0] > 0 else "train"


def found(document: Document, tree: engine.Tree) -> Emphasis | None:
    found = document.look.found
    if found is None or found.tree is not tree or not document.look.finding:
        return None
    return Emphasis(ringed=found.positions)


def filtered(document: Document, tree: engine.Tree) -> Emphasis | None:
    wanted = document.look.filter
    if wanted is None or not wanted.asks(tree.task):
        return None
    return lit(tree, wanted, part_of(document, tree))


def best(document: Document, tree: engine.Tree) -> Emphasis | None:
    look = document.look
    if look.best is None:
        return None
    wanted = wanted_of(tree, look.best, document.focus_class)
    leaves = best_leaves(tree, wanted, look.filter, part_of(document, tree))
    return Emphasis(ringed=np.array(sorted(leaf.position for leaf in leaves), dtype=np.intp))


def several(document: Document, tree: engine.Tree) -> Emphasis | None:
    others = [tree.position(node) for node in document.look.also if node in tree]
    return Emphasis(ringed=np.array(sorted(others), dtype=np.intp)) if others else None


def letters(document: Document, tree: engine.Tree) -> Emphasis | None:
    known = document.look.letters or {}
    named = {tree.position(node): name for node, name in known.items() if node in tree}
    return Emphasis(letters=named) if named else None


def row(document: Document, tree: engine.Tree) -> Emphasis | None:
    """The way of the row that is followed: its values stand on the edges, all else is faded."""
    way = document.look.way
    if way is None:
        return None
    places = {tree.position(node): way.words.get(node, "") for node in way.parts if node in tree}
    on_way, part = np.zeros(tree.n_nodes, dtype=bool), np.zeros(tree.n_nodes)
    on_way[list(places)] = True
    part[list(places)] = [share for node, share in way.parts.items() if node in tree]
    shares = part / np.maximum(tree.rows_train, 1)  # one of so many
    return Emphasis(lit=on_way, words={i: text for i, text in places.items() if text}, way=shares)


def rows(document: Document, tree: engine.Tree) -> Emphasis | None:
    """The flow of the rows that are followed: their part of every edge; where none of them comes is faded."""
    flow = document.look.flow
    if flow is None:
        return None
    shares = flow.shares[part_of(document, tree)]
    reached = np.logical_or.reduce([found > 0 for found in flow.shares.values()])
    if tree is not flow.tree:  # a part of it is drawn
        known = flow.tree
        places = np.array([known.position(node) if node in known else -1 for node in tree.ids.tolist()])
        shares, reached = np.where(places >= 0, shares[places], 0.0), (places >= 0) & reached[places]
    return Emphasis(lit=reached, shares=shares)


def replayed(document: Document, tree: engine.Tree) -> Emphasis | None:
    """What the step of a replay compared stands beside the branches that it is about."""
    return noted(tree, dict(document.replaying.seen[1].notes if document.replaying.seen is not None else ()))


SOURCES = (
    Source(frozenset({"found", "finding"}), found),
    Source(frozenset({"filter", "part"}), filtered),
    Source(frozenset({"best", "filter", "part"}), best),
    Source(frozenset({"also"}), several),
    Source(frozenset({"letters"}), letters),
    Source(frozenset({"way"}), row),
    Source(frozenset({"flow", "part"}), rows),
)


def emphasis_of(document: Document, tree: engine.Tree) -> Emphasis | None:
    if tree is document.replaying.tree:  # what is found, followed or filtered are nodes of the document's tree
        return replayed(document, tree)
    return joined([found for source in SOURCES if (found := source.find(document, tree)) is not None])


class Stage(QObject):
    """Makes the scene that a viewport looks at, and keeps what is looked at where it is."""

    changed = Signal()  # something has to be painted anew
    rebuilt = Signal(object)  # another scene

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        document = self._document = canvas.document
        self._canvas = canvas
        self._port, self._handles, self._motion = canvas.port, canvas.handles, canvas.motion
        self._subject: object = None
        self.letters = Letters()  # what texts are measured by
        self.ghosts: Ghosts | None = None  # the branches of a candidate that is looked at; None for none
        document.previewChanged.connect(self._on_preview_changed)
        document.ranking.further.changed.connect(self._on_more_known)
        document.focusChanged.connect(self._on_looks_changed)
        document.comparing.changed.connect(self._on_compared)
        document.judging.changed.connect(self._on_judged)
        document.assessing.tried.connect(self._on_tried)
        document.assessing.changed.connect(self._on_tried)
        theme.watcher().changed.connect(self._on_looks_changed)

    def change(self, before: engine.Tree | None, after: engine.Tree | None) -> None:
        """Puts another tree onto the canvas: a new one from the beginning, an edited one in its place."""
        folding.follow(self._document, before, after)
        of = getattr(self._document.table, "name", ""), getattr(self._document.table, "n_rows", 0)
        subject = (after.target, after.task, *of) if after is not None else None
        new, self._subject = subject != self._subject or self._port.scene is None, subject
        if after is None:
            self._port.scene = self.ghosts = None
        elif new:
            self._rebuild(after)
            self._port.fit()
        else:
            self._port.still = self._document.click_cut.made(after)
            self._rebuild_in_place(after)
        self.changed.emit()

    def lend(self, tree: engine.Tree) -> None:
        """Puts a tree of a replay onto the canvas, with what its step compared; or the document's back."""
        scene = self._port.scene
        if scene is not None and scene.tree is tree:
            self._stand_out(scene)
            self.changed.emit()
        else:
            self._rebuild_in_place(tree)

    def look_changed(self, names: frozenset[str]) -> None:
        if names & SHOWN_BY:
            self._on_looks_changed()
        scene = self._port.scene
        if scene is not None and any(names & source.names for source in SOURCES):
            self._stand_out(scene)
            self.changed.emit()

    def scene_in(self, look: theme.Theme, folded: bool = True) -> PictureModel | None:
        """The tree as it is shown, in the colours of a theme, or with all that is folded; None before there is one."""
        scene = self._port.scene
        return self._made(scene.tree, look, Letters(), folded) if scene is not None else None

    def _made(self, tree: engine.Tree, look: theme.Theme, letters: Letters, folded: bool = True) -> PictureModel:
        own = tree is not self._document.replaying.tree  # else what is known and folded is of another tree
        differing = self._document.comparing.shares if own else None
        known = {"differing": differing, "returned": self._document.judging.returned(tree)}
        options = self._document.look.picture_options(**known)
        options = options if folded and own else replace(options, folds=Folds())
        made = self._port.kind.scene(tree, self._document.focus_class, look, letters, options)
        if tree is self._document.tree:
            made.predict_as(self._document.assessing.tried_tree or tree)
        self._stand_out(made)
        return made

    def _stand_out(self, scene: PictureModel) -> None:
        scene.emphasis = folding.standing(emphasis_of(self._document, scene.tree), scene)

    def _rebuild(self, tree: engine.Tree) -> None:
        kind = KINDS[self._document.look.kind]
        if kind is not self._port.kind:  # another picture is shown from the beginning
            self._port.kind, self._port.fitted, self._port.still = kind, True, False
        self._port.scene = self._made(tree, theme.current(), self.letters)
        self._handles.marks = []
        self.rebuilt.emit(self._port.scene)
        self._on_preview_changed(self._document.preview)

    def _rebuild_in_place(self, tree: engine.Tree) -> None:
        """Lays the tree out anew; unless it is fitted, the selected node or the one just folded stays where it was."""
        self._motion.end()
        port, kind, start = self._port, self._port.kind, self._port.camera
        held = self._handles.held if self._handles.held >= 0 else port.steady(self._canvas.selected, tree.__contains__)
        before = port.anchor(port.position_of(held))
        self._rebuild(tree)
        i = port.position_of(held)
        if port.follows:
            port.fit()
        else:
            port.camera = port.held(port.camera, i, before)
        if kind is port.kind:
            self._motion.go(port.held(start, i, before), port.camera)
        self.changed.emit()

    def _on_preview_changed(self, candidate: engine.Candidate | None) -> None:
        scene, self.ghosts = self._port.scene, None
        lent = scene is not None and scene.tree is self._document.replaying.tree
        if not lent and scene is not None and candidate is not None and candidate.split is not None:
            self.ghosts = Ghosts(scene, candidate, self._document.ranking.further.second_level_of(candidate))
        self.changed.emit()

    def _on_more_known(self, what: str, answers: dict[str, object]) -> None:
        """A second level fills in while its first one is looked at."""
        preview = self._document.preview
        if what == AHEAD and preview is not None and preview.column in answers:
            self._on_preview_changed(preview)

    def _on_looks_changed(self) -> None:
        if self._port.scene is not None:
            self._rebuild_in_place(self._port.scene.tree)

    def _on_compared(self) -> None:
        scene = self._port.scene
        if scene is not None and (scene.differs or self._document.comparing.shares is not None):
            self._rebuild_in_place(scene.tree)

    def _on_tried(self) -> None:
        """A threshold that is tried shows what the leaves would predict; the tree stays as it is."""
        scene, tree = self._port.scene, self._document.tree
        if scene is not None and scene.tree is tree:
            spoken = self._document.assessing.tried_tree or tree
            if spoken is not scene.spoken:
                scene.predict_as(spoken)
                self.changed.emit()

    def _on_judged(self) -> None:
        scene = self._port.scene
        if scene is not None and scene.options.returned is not self._document.judging.returned(scene.tree):
            self._rebuild_in_place(scene.tree)
