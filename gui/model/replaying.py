"""A replay: the steps of growing or of a method of pruning, of which one at a time is on the canvas. The tree of the
document stays as it is; its place on the canvas is lent to the replay while its panel is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

import engine
from engine.pruning import METHODS
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model.editing.cutback import Cutback
from gui.model.history import State
from gui.model.host import Host
from gui.model.jobs import words_for
from gui.model.judging import GROWN, Judging

if TYPE_CHECKING:  # they bring the compiler
    from engine.replaying.record import Account, Replay

GROWING = "growing"  # what is replayed, beside the methods of pruning by their names
FAULT = marked("The replay went wrong; the log has the details.")
KEY, KEY_STEP = "replay", "replay_step"
KEPT = 64  # steps whose trees and figures are kept
KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -1, Qt.Key.Key_End: 1, Qt.Key.Key_Space: 0}
Seen = tuple["engine.Tree", "Account"]  # what a step shows: the tree after it, and what it compared


class Replaying(QObject):
    """Which replay there is, and which of its steps is shown."""

    changed = Signal()  # any of what is below

    def __init__(self, document: Host, judging: Judging, cutback: Cutback) -> None:
        super().__init__(document)
        self._document, self._judging, self._cutback = document, judging, cutback
        self.seconds = 2.0  # that a step stays while it is played
        self._watched = False  # whether somebody sees the figures of the steps
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._go_on)
        self._reset()
        for signal in (document.treeChanged, document.tableChanged, document.searchChanged):
            signal.connect(lambda *_: self.end())

    def _reset(self) -> None:
        self.what = ""  # GROWING, or a method of pruning; empty without a replay
        self.replay: Replay | None = None  # None while it is made, and without one
        self.at = 0  # the step that was asked for
        self.shown_at = 0  # the step that is shown; it follows once its figures are there
        self.error = ""  # why there is no replay; empty when nothing went wrong
        self.playing = False
        self._seen: dict[int, Seen] = {}
        self._clock.stop()

    @property
    def seen(self) -> Seen | None:
        """What the step shows that is shown; None without a replay."""
        return self._seen.get(self.shown_at)

    @property
    def tree(self) -> engine.Tree | None:
        """The tree that stands on the canvas in the place of the document's; None for that one."""
        return self.seen[0] if self.seen is not None and self._watched else None

    @property
    def words(self) -> str:
        """What is replayed, as a person calls it; empty without a replay."""
        return tr("Growing") if self.what == GROWING else METHODS[self.what].label if self.what else ""

    @property
    def node(self) -> int:
        """The id of the node that the step is about."""
        return self.replay.steps[self.shown_at].node if self.replay is not None else 0

    @property
    def n_steps(self) -> int:
        return len(self.replay.steps) if self.replay is not None else 0

    def start(self, what: str) -> None:
        """Makes the replay of growing by the present search options, or of a method that prunes the present tree."""
        state = self._document.state
        if state is None:
            return
        self.end()
        self.what = what
        options = dict(self._cutback.options.get(what, {}))
        if what == GROWING:
            recipe = self._judging.recipe(GROWN)
            assert recipe is not None
            options = dict(recipe.search or {})
        else:
            options["keep_by_hand"] = bool(self._cutback.answer)

        def done(made: tuple[Replay, Seen]) -> None:
            self.replay, first = made
            self._take(0, first)

        def failed(error: Exception) -> None:
            self._reset()
            self.error = words_for(error) or tr(FAULT)
            self.changed.emit()

        text = tr("Preparing the replay")
        self._document.jobs.run(text, begun, state, what, options, done=done, failed=failed, key=KEY)
        self.changed.emit()

    def end(self) -> None:
        """Gives the canvas back to the tree of the document."""
        for key in (KEY, KEY_STEP):
            self._document.jobs.drop(key)
        if self.what or self.error:
            self._reset()
            self.changed.emit()

    def watch(self, on: bool) -> None:
        """Whether somebody sees the figures of the steps: the canvas shows the replay as long."""
        self._watched = on
        if not on:
            self.play(False)
        if self.replay is not None:
            self.changed.emit()

    def go(self, step: int) -> None:
        """Shows a step, or the nearest one that there is."""
        if self.replay is None:
            return
        self.at = min(max(step, 0), self.n_steps - 1)
        if self.at in self._seen:
            self._document.jobs.drop(KEY_STEP)
            self._take(self.at, self._seen[self.at])
            return
        at = self.at
        self._document.jobs.run(
            tr("Looking at a step"), looked_at, self.replay, at, done=lambda seen: self._take(at, seen), key=KEY_STEP,
            quiet=True,
        )  # fmt: skip

    def go_by(self, steps: int) -> None:
        """Shows a step so many further on; whoever goes by hand plays no longer."""
        self.play(False)
        self.go(self.at + steps)

    def walk(self, key: int) -> bool:
        """Does what a key means; answers whether it means anything."""
        if key not in KEYS:
            return False
        if key == Qt.Key.Key_Space:
            self.play(not self.playing)
        else:
            self.go_by(KEYS[Qt.Key(key)] * (1 if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) else self.n_steps))
        return True

    def go_to_node(self, node: int) -> None:
        """Shows the next step that is about a node, or its first one where none comes any more."""
        if self.replay is None:
            return
        about = [i for i, step in enumerate(self.replay.steps) if step.node == node]
        self.play(False)
        if about:
            self.go(next((i for i in about if i > self.at), about[0]))

    def play(self, on: bool) -> None:
        """Goes from step to step by itself, at the end from the first one again; or stays."""
        on = on and self.replay is not None
        if on == self.playing:
            return
        self.playing = on
        self._clock.stop()
        if on:
            self.go(0 if self.at == self.n_steps - 1 else self.at + 1)
        self.changed.emit()

    def _take(self, step: int, seen: Seen) -> None:
        self._seen[step] = seen
        while len(self._seen) > KEPT:
            del self._seen[next(iter(self._seen))]
        self.at = self.shown_at = step
        if self.playing and step == self.n_steps - 1:
            self.playing = False
        if self.playing:
            self._clock.start(round(1000 * self.seconds))
        self.changed.emit()

    def _go_on(self) -> None:
        if self.playing:
            self.go(self.at + 1)


# -- in the worker, without Qt


def begun(state: State, what: str, options: dict[str, Any], progress: Progress) -> tuple[Replay, Seen]:
    """A replay, and what its first step shows. InputError: an option cannot be used, or the method not here."""
    if what == GROWING:
        replay: Replay = engine.replay_growth(state.table, progress=progress, **options)
    else:
        replay = engine.replay_pruning(state.table, state.tree, what, progress=progress, **options)
    return replay, looked_at(replay, 0, progress)


def looked_at(replay: Replay, step: int, progress: Progress) -> Seen:
    return replay.tree(step), replay.account(step, progress)
