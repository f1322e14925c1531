"""What stands on the canvas follows the document: another tree, other colours, other folds, what stands out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui import theme
from gui.canvas import highlighting
from gui.canvas.canvas import Canvas
from gui.model.search.further import AHEAD
from gui.model.view_state import folding
from gui.model.view_state.view_options import SHOWN_BY
from gui.picture.cards.ghosts import Ghosts
from gui.picture.folds import Folds
from gui.picture.kinds import KINDS
from gui.picture.nodes.letters import Letters
from gui.picture.picture_model import PictureModel
from gui.picture.picture_options import PictureOptions

if TYPE_CHECKING:
    from engine.ranking.candidates import Candidate
    from engine.tree.tree import Tree


class Stage(QObject):
    """Makes the scene that a viewport looks at, and keeps what is looked at where it is.

    Attributes:
        letters: what texts are measured by.
        ghosts: the branches of a candidate that is looked at; None for none.

    Signals:
        changed: Something has to be painted anew.
        rebuilt: arg: another scene
    """

    changed = Signal()
    rebuilt = Signal(object)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        document = self._document = canvas.document
        self._port, self._handles, self._motion = canvas.port, canvas.handles, canvas.motion
        self._subject: object = None
        self.letters = Letters()
        self.ghosts: Ghosts | None = None
        document.previewChanged.connect(self._on_preview_changed)
        document.further.changed.connect(self._on_more_known)
        document.focusChanged.connect(self._on_looks_changed)
        document.comparing.changed.connect(self._on_compared)
        theme.watcher().changed.connect(self._on_looks_changed)

    def change(self, before: Tree | None, after: Tree | None) -> None:
        """Puts another tree onto the canvas: a new one from the beginning, an edited one in its place."""
        folding.follow(self._document, before, after)
        subject = self._subject_of(after)
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

    def look_changed(self, names: frozenset[str]) -> None:
        if names & SHOWN_BY:
            self._on_looks_changed()
        self.emphasise(names)

    def emphasise(self, names: frozenset[str]) -> None:
        scene = self._port.scene
        if scene is not None and names & highlighting.changed_by():
            self._stand_out(scene)
            self.changed.emit()

    def scene_in(self, look: theme.Theme, folded: bool = True) -> PictureModel | None:
        """The tree as it is shown, with what stands out, in the colours of a theme, or with all that is folded; None
        before there is one."""
        if self._port.scene is None:
            return None
        focus, options = self._document.focus_class, self._options()
        options = options if folded else replace(options, folds=Folds())
        found = self._port.kind.scene(self._port.scene.tree, focus, look, Letters(), options)
        self._stand_out(found)
        return found

    def _options(self) -> PictureOptions:
        return self._document.look.picture_options(self._document.comparing.shares)

    def _stand_out(self, scene: PictureModel) -> None:
        scene.emphasis = folding.standing(highlighting.emphasis_of(self._document, scene.tree), scene)

    def _subject_of(self, tree: Tree | None) -> object:
        """What the tree is about: another one is shown from the beginning."""
        table = self._document.table
        if tree is None:
            return None
        return (tree.target, tree.task, getattr(table, "name", ""), getattr(table, "n_rows", 0))

    def _rebuild(self, tree: Tree) -> None:
        kind = KINDS[self._document.look.kind]
        if kind is not self._port.kind:  # another picture is shown from the beginning
            self._port.kind, self._port.fitted, self._port.still = kind, True, False
        focus, options = self._document.focus_class, self._options()
        self._port.scene = self._port.kind.scene(tree, focus, theme.current(), self.letters, options)
        self._handles.marks = []
        self.rebuilt.emit(self._port.scene)
        self._stand_out(self._port.scene)
        self._on_preview_changed(self._document.preview)

    def _rebuild_in_place(self, tree: Tree) -> None:
        """Lays the tree out anew: a fitted one is fitted again, else the selected node stays where it was, or the one
        that was just folded."""
        self._motion.end()
        kind, start = self._port.kind, self._port.camera
        held = self._handles.held if self._handles.held >= 0 else self._port.steady(self._document.selected, tree)
        before = self._port.anchor(self._port.position_of(held))
        self._rebuild(tree)
        i = self._port.position_of(held)
        self._port.hold(i, before)
        if kind is self._port.kind:
            self._motion.go(self._port.held(start, i, before), self._port.camera)
        self.changed.emit()

    @Slot(object)
    def _on_preview_changed(self, candidate: Candidate | None) -> None:
        scene, self.ghosts = self._port.scene, None
        if scene is not None and candidate is not None and candidate.split is not None:
            self.ghosts = Ghosts(scene, candidate, self._document.further.second_level_of(candidate))
        self.changed.emit()

    @Slot(str, dict)
    def _on_more_known(self, what: str, answers: dict[str, object]) -> None:
        """A second level fills in while its first one is looked at."""
        preview = self._document.preview
        if what == AHEAD and preview is not None and preview.column in answers:
            self._on_preview_changed(preview)

    @Slot()
    def _on_looks_changed(self) -> None:
        if self._port.scene is not None:
            self._rebuild_in_place(self._port.scene.tree)

    @Slot()
    def _on_compared(self) -> None:
        scene = self._port.scene
        if scene is not None and (scene.differs or self._document.comparing.shares is not None):
            self._rebuild_in_place(scene.tree)
