"""How an edit runs: one after the other, computed in the worker, pushed as one undo step when it arrives."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec

import numpy as np
from PySide6.QtCore import QTimer

import engine
from engine.runtime.sentences import tr
from gui import messages
from gui.model.history import History, Script, State, change_words
from gui.model.host import Host
from gui.model.jobs import Job, words_for
from gui.wording import hand_phrases, phrases

WAITING = 30  # presses of Split that may wait while one is computed
Asked = ParamSpec("Asked")


class _Waiting(NamedTuple):
    begin: Callable[[State], None]
    written: bool
    looks: bool


class Edits:
    """The edits of one document. What is asked for while one is computed waits for its turn."""

    def __init__(self, document: Host, history: History) -> None:
        self._document, self._history = document, history
        self._running: Job | None = None
        self._waiting: deque[_Waiting] = deque()
        self._afterwards: list[Callable[[], object]] = []
        # How many trees were compared by their validation figures: every tree that an edit shows with another one, and
        # all steps of a pruning that these rows chose from or a person picked in the chart. Undo takes none back.
        self.validation_trees = 0
        self.pushing = False  # the state that is shown next comes from here, not from undo or redo

    @property
    def running(self) -> bool:
        """Whether an edit is being computed, or waits for its turn."""
        return self._running is not None or bool(self._waiting)

    def cancel(self) -> None:
        """Drops the edit that is computed, those that wait, and what was to come after them."""
        self._waiting.clear()
        self._afterwards.clear()
        self.interrupt()

    def interrupt(self) -> None:
        """The same but for what a person wrote: it is written on the state that comes onto the screen now."""
        self._forget(looks=True)
        self._running = None
        self._document.jobs.drop("edit")
        if self._waiting or self._afterwards:
            QTimer.singleShot(0, self._document.jobs, self._go_on)  # when that state is there

    def enqueue(self, begin: Callable[[State], None], *, written: bool = False, looks: bool = False) -> None:
        """Calls `begin` with the state on the screen: now, or once the edits before it have arrived. `written`: it
        keeps what a person wrote, which stays when other edits are stopped or taken back. `looks`: it makes no step and
        stays when the edits before it are taken back or fail, but goes when somebody stops them."""
        if self._document.state is None:
            return
        if written or len(self._waiting) < WAITING:
            self._waiting.append(_Waiting(begin, written, looks))
        self._go_on()

    def afterwards(self, call: Callable[[], object]) -> None:
        """Calls it once no edit is computed and none waits: now, or later; never when another document comes."""
        self._afterwards.append(call)
        self._go_on()

    def run(
        self, text: str, function: Callable[..., Any], *args: Any,
        naming: Callable[[engine.Tree, engine.Tree], str] | None = None,
        unpack: Callable[[Any], State | None] | None = None, say: Callable[..., list[str]] | None = None,
        then: Callable[[engine.Tree, engine.Tree], None] | None = None,
        merge: object = None, compared: Callable[[], int] = lambda: 1, partly: bool = False,
        script: Script | Callable[[engine.Tree, engine.Tree], Script | None] | None = None, **how: Any,
    ) -> None:  # fmt: skip
        """Computes `function(state, *args, **how)` and makes a step of the state that it answers.

        Args:
            text: what is going on, and the step's name if there is no `naming`.
            naming: the step's name from the trees before and after.
            unpack: takes the state out of another answer; None makes no step.
            say: the function answers a state and more; the sentences that this makes of the rest follow the step.
            then: called with both trees after the step. merge: see `push`.
            compared: answers how many trees' validation figures were compared for it.
            script: what it does, for a script, or answers that of the trees before and after; None: no script can.
            partly: stopped, the function answers what is done so far, which the step's name then says; others know
                no half, and are whole even if Stop was pressed while they waited.
        """
        before = self._document.state
        assert before is not None

        def done(answer: Any) -> None:
            after, said = None, list[str]()
            try:  # a person may be asked: until the answer all other edits wait, those that the question brings too
                if self._document.state is before:
                    after, *rest = answer if say else (unpack(answer) if unpack else answer,)
                    said = say(*rest) if say else []
            finally:
                if self._running is job:
                    self._running = None
            if after is not None and self._document.state is before:
                named = naming(before.tree, after.tree) if naming else text
                named = tr("{step} (stopped)", step=named) if partly and job.stopped else named
                if after is before:
                    best = next((one.gain for one in self._document.candidates or () if one.split is not None), None)
                    least = float(self._document.search.get("min_gain", 0.0))
                    messages.info(phrases.nothing_grew(before.tree, job.stopped, best, least))
                else:
                    told = script(before.tree, after.tree) if callable(script) else script
                    self.push(after, named, merge=merge, compared=compared(), then=then, script=told)
                    for sentence in filter(None, said):
                        messages.of_step(sentence)
            self._go_on(forget=job.stopped)

        def failed(error: Exception) -> None:
            self._running = None
            if sentence := phrases.plain(words_for(error)):
                messages.error(hand_phrases.in_places(sentence, before.tree))
            self._go_on(forget=True, looks=not job.stopped)

        job = self._document.jobs.run(text, function, before, *args, done=done, failed=failed, key="edit", **how)
        self._running = job

    def push(
        self, after: State, text: str, *, merge: object = None, compared: int = 1,
        then: Callable[[engine.Tree, engine.Tree], None] | None = None, script: Script | None = None,
    ) -> None:  # fmt: skip
        """Makes a step from the state on the screen to `after`. `merge`: a step with the same object as the step before
        it continues that one. `compared`: how many trees' validation figures were compared for it."""
        before = self._document.state
        assert before is not None
        if compared > 1 or after.tree.loss("validation") != before.tree.loss("validation"):
            self.validation_trees += compared if after.table.n_validation else 0
        self.pushing = True
        try:
            self._history.push(before, after, text, merge, script)
        finally:
            self.pushing = False
        change = change_words(before.step(""), after.step(""))
        self._document.told.emit(tr("{step}: {change}", step=text, change=change) if change else text)
        if then is not None:
            then(before.tree, after.tree)

    def _go_on(self, forget: bool = False, looks: bool = False) -> None:
        if forget:
            self._forget(looks)
            self._document.follow_leaves()
        while self._waiting and self._running is None and self._document.state is not None:
            self._waiting.popleft().begin(self._document.state)
        while self._afterwards and self._running is None and not self._waiting:
            self._afterwards.pop(0)()

    def _forget(self, looks: bool) -> None:
        """Of those that wait, what a person wrote stays, and if wished what only looks."""
        self._waiting = deque(one for one in self._waiting if one.written or (looks and one.looks))


def queued(
    begin: Callable[Concatenate[Any, State, Asked], None], *, written: bool = False
) -> Callable[Concatenate[Any, Asked], None]:
    """A method that is called with the state on the screen, too: now, or once the edits before it have arrived."""

    def enqueue(self: Any, /, *args: Asked.args, **how: Asked.kwargs) -> None:
        self._edits.enqueue(lambda state: begin(self, state, *args, **how), written=written)

    return enqueue


def step(verb: str, *given: Any, **options: Any) -> Script:
    """One step of a script, see `engine.ScriptStep`."""
    return Script((engine.ScriptStep(verb, given, options),))


def one_split(before: engine.Tree, after: engine.Tree) -> Script | None:
    """The step of a script that splits one leaf, where that is all that two trees differ in; else None."""
    inner = after.ids[after.n_branches > 0]
    new = np.setdiff1d(inner, before.ids[before.n_branches > 0])
    if new.size != 1 or inner.size != 1 + np.count_nonzero(before.n_branches):
        return None
    i = after.position(int(new[0]))
    by_hand = {} if after.by_hand[i] else {"by_hand": False}
    return step("split", int(new[0]), after.split_at(i), **by_hand)


def collapses(before: engine.Tree, after: engine.Tree) -> Script:
    """The step of a script that makes those nodes leaves that are split in the first tree alone."""
    gone = np.setdiff1d(before.ids[before.n_branches > 0], after.ids[after.n_branches > 0])
    return step("collapse", *gone[np.isin(gone, after.ids)].tolist())


def is_leaf(tree: engine.Tree, node: int) -> bool:
    return node in tree and bool(tree.n_branches[tree.position(node)] == 0)


def survivor(node: int, before: engine.Tree | None, after: engine.Tree) -> int:
    """The node itself if the tree after an edit has it, else its nearest ancestor there."""
    while node not in after and before is not None and node in before and node != before.ids[0]:
        node = int(before.ids[before.parent[before.position(node)]])
    return node if node in after else 0


def next_leaf(before: engine.Tree, after: engine.Tree) -> int | None:
    """Where a person goes on after an edit: of the leaves that it made the one with most training cost; if all of
    them are pure, of all leaves; None when there is nothing left to tell apart."""
    costs = after.costs("train")
    new = after.leaves[~np.isin(after.ids[after.leaves], before.ids)]
    for leaves in (new, after.leaves):
        if leaves.size and costs[leaves].max() > 0:
            return int(after.ids[leaves[np.argmax(costs[leaves])]])
    return None
