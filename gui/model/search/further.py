"""What is found out about the candidates once their list stands, by idle jobs, which give way to whatever a person asks
for, and end when another node is selected. Further local optima are looked for in all columns of a small node; in a
large one in the column that is looked at, whose curve is there then. Agreement with the leading split and wins in
bootstrap samples are worked out where somebody wants to see them, a second level also where the node is so small that
it costs next to nothing."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model import tree_tasks
from gui.model.history import State
from gui.model.jobs import Jobs

if TYPE_CHECKING:  # these bring the compiler
    from engine.ranking.candidates import Candidate, Curve
    from engine.resampling.stability import Wins
    from engine.splits import Split

BYTES_KEPT = 128 << 20
OPTIMA, AGREEMENT, AHEAD, WINS = "optima", "agreement", "ahead", "wins"
Found = Callable[[tuple[str, Any]], object]
_ONE = "optima_of_one"
SAMPLES, SLICE = 200, 25  # bootstrap samples of a node, and of one job: what gives way loses no more than these
MOST_OPTIMA = 4  # further local optima of a column that are shown
SMALL = 400_000  # rows · columns² up to which a second level is found in a fraction of a second
FEW = 2_000_000  # rows · columns up to which the curves of all columns take a second or two


class Kept:
    """The answers used last, within a budget of entries and bytes."""

    def __init__(self, entries: int = 400, n_bytes: int = BYTES_KEPT) -> None:
        self._entries, self._bytes = entries, n_bytes
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._total = 0

    def find(self, key: Hashable) -> Any:
        """The answer, or None."""
        if key not in self._answers:
            return None
        self._answers.move_to_end(key)
        return self._answers[key][0]

    def keep(self, key: Hashable, answer: Any, n_bytes: int) -> None:
        """Keeps an answer; those not used for longest go."""
        self._total += n_bytes - self._answers.pop(key, (None, 0))[1]
        self._answers[key] = (answer, n_bytes)
        while self._answers and (len(self._answers) > self._entries or self._total > self._bytes):
            self._total -= self._answers.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forgets everything."""
        self._answers.clear()
        self._total = 0


class Further(QObject):
    """Answers by column about the candidates of one node; empty where nothing is known yet."""

    changed = Signal(str, dict)  # more is known. args: OPTIMA, AGREEMENT, AHEAD or WINS, and the new answers by column

    def __init__(self, jobs: Jobs, kept: Kept, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._kept = jobs, kept
        self._asked: tuple[tuple[Hashable, ...], tuple[State, int, dict[str, Any]], list[Candidate]] | None = None
        self._wanted: set[str] = set()
        self._known: dict[str, dict[str, Any]] = {}

    def of(self, what: str) -> dict[str, Any]:
        """The answers to OPTIMA, AGREEMENT, AHEAD or WINS so far."""
        return self._known.get(what, {})

    def second_level_of(self, candidate: Candidate) -> float:
        """What a candidate gains together with the best splits below its branches; NaN where that is not known."""
        if self._asked is None or not any(candidate is one for one in self._asked[2]):
            return candidate.ahead
        return float(self.of(AHEAD).get(candidate.column, candidate.ahead))

    def clear(self) -> None:
        """Forgets the candidates, and stops whatever is still being found out about them."""
        self._asked, self._known = None, {}
        for what in (*_FUNCTIONS, _ONE):
            self._jobs.drop(what)

    def look_at(self, column: str, curve: Curve) -> None:
        """The curve of a column is there: its further optima can be read off it."""
        if self._asked is not None and column not in self.of(OPTIMA):
            self._jobs.run(
                tr(_FUNCTIONS[OPTIMA][0]), optima_of, *self._asked[1], curve, key=_ONE, idle=True,
                done=lambda found: self._learn(OPTIMA, {column: found}), failed=lambda error: None,
            )  # fmt: skip

    def begin(
        self, key: tuple[Hashable, ...], question: tuple[State, int, dict[str, Any]], candidates: list[Candidate]
    ) -> None:
        """Finds out what is wanted about the candidates of a node; `key` stands for the question."""
        self.clear()
        if any(candidate.split is not None for candidate in candidates):
            self._asked = (key, question, candidates)
            for what in _FUNCTIONS:
                self._find(what)

    def want(self, *what: str) -> None:
        """From now on somebody looks at these of AGREEMENT, AHEAD and WINS, and at no others."""
        self._wanted = set(what)
        if WINS not in what and self._known.pop(WINS, None) is not None:  # they are drawn as long as they are known
            self._jobs.drop(WINS)
            self.changed.emit(WINS, {})
        for name in _FUNCTIONS:
            if name not in self._known:
                self._find(name)

    def _find(self, what: str) -> None:
        if self._asked is None:
            return
        key, question, candidates = self._asked
        state, node, options = question
        rows, columns = int(state.tree.rows_train[state.tree.position(node)]), len(state.table.features)
        costs_little = {OPTIMA: rows * columns <= FEW, AHEAD: rows * columns**2 <= SMALL}.get(what, False)
        searched = what == AHEAD and options.get("lookahead", 1) > 1  # the search itself tells
        of_rows = what != OPTIMA and state.table.counter is not None  # where nobody can look at them
        if searched or of_rows or not (what in self._wanted or costs_little):
            return
        self._known[what] = {}
        if what == WINS:
            self._sample()
            return
        if (known := self._kept.find((*key, what))) is not None:
            self._learn(what, known)
            return
        text, function = _FUNCTIONS[what]
        job = self._jobs.run(
            tr(text), function, *question, candidates, key=what, idle=True,
            part=lambda answers: self._learn(what, dict(answers)),
            done=lambda answers: self._on_done((*key, what), what, answers, job.stopped),
            failed=lambda error: None,  # a fault of ours is in the log; the list stands without these answers
        )  # fmt: skip

    def _sample(self) -> None:
        """Tells what the bootstrap samples so far say, and asks for the next ones."""
        assert self._asked is not None
        key, question, candidates = (*self._asked[0], WINS), *self._asked[1:]
        splits, wins = self._kept.find(key) or ((), {})
        self._learn(WINS, wins)
        if len(splits) >= SAMPLES:
            return

        def done(answer: tuple[tuple[Split | None, ...], dict[str, Wins]]) -> None:
            if not job.stopped:
                self._kept.keep(key, answer, sum(map(sys.getsizeof, answer[0])))
                self._sample()

        job = self._jobs.run(
            tr(_FUNCTIONS[WINS][0]), won, *question, candidates, splits, key=WINS, idle=True, done=done,
            failed=lambda error: None,
        )  # fmt: skip

    def _on_done(self, key: tuple[Hashable, ...], what: str, answers: dict[str, Any], stopped: bool) -> None:
        if not stopped:
            further = [one for answer in answers.values() if isinstance(answer, tuple) for one in answer]
            self._kept.keep(key, answers, 100 + 100 * len(answers) + sum(map(bytes_of, further)))
        self._learn(what, answers)

    def _learn(self, what: str, answers: dict[str, Any]) -> None:
        known = self._known.setdefault(what, {})
        news = {column: answer for column, answer in answers.items() if what == WINS or column not in known}
        known.update(news)
        if news:
            self.changed.emit(what, news)


def bytes_of(found: Candidate) -> int:
    """Roughly what a candidate takes in memory."""
    return 500 + sum(map(sys.getsizeof, (*found.train, *found.validation)))


# -- in the worker, without Qt, one column after the other: each calls `found` with (column, answer) as soon as it
# has one, and returns all of them; stopped, those that it has.


def optima(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, tuple[Candidate, ...]]:
    """Further splits of each column that are the best of their neighbourhood, the best first."""
    known, unit = state.assigned(), tree_tasks.impurity_of(state, node, options)
    answers: dict[str, tuple[Candidate, ...]] = {}

    def learn(candidate: Candidate) -> None:
        if not progress.stopped:
            further = (tree_tasks.without_rounding(one, unit, state.tree.task) for one in candidate.alternatives)
            answers[candidate.column] = tuple(further)
            found((candidate.column, answers[candidate.column]))

    # The search once more, which costs less than it saves: what all columns share is worked out once.
    how = {**options, "lookahead": 1, "m_of_n": False, "alternatives": MOST_OPTIMA, "found": learn}
    engine.candidates(state.table, state.tree, node, assignment=known, progress=progress, **how)
    return answers


def optima_of(
    state: State, node: int, options: dict[str, Any], curve: Curve, progress: Progress
) -> tuple[Candidate, ...]:
    """The same of the one column whose curve is at hand."""
    unit = tree_tasks.impurity_of(state, node, options)
    return tuple(tree_tasks.without_rounding(one, unit, state.tree.task) for one in curve.alternatives(MOST_OPTIMA))


def agreements(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, float]:
    """The share of the node's training rows that each candidate sends the same way as the first."""
    first = next(candidate.split for candidate in candidates if candidate.split is not None)
    rows = state.assigned().rows_of(state.tree.position(node))
    rows = rows[state.table.part[rows] == engine.TRAIN]

    def of(candidate: Candidate) -> float:
        assert candidate.split is not None  # `_each` asks for no others
        return engine.agreement(state.table, rows, candidate.split, first)

    return _each(candidates, of, progress, found)


def second_levels(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], progress: Progress, found: Found
) -> dict[str, float]:
    """What each candidate gains together with the best split below each of its branches."""
    known = state.assigned()

    def of(candidate: Candidate) -> float:
        where = (state.table, state.tree, node, candidate)
        return engine.second_level(*where, assignment=known, progress=progress, **options)

    return _each(candidates, of, progress, found)


def won(
    state: State, node: int, options: dict[str, Any], candidates: list[Candidate], splits: tuple[Split | None, ...],
    progress: Progress,
) -> tuple[tuple[Split | None, ...], dict[str, Wins]]:  # fmt: skip
    """The best splits of the node in `splits` and in a slice of further samples, and what they say of each column."""
    from engine.resampling.stability import best_splits, wins  # late: it brings the compiler

    first = len(splits)
    heard = Progress(lambda done, _: progress.report((first + done * SLICE) / SAMPLES, tr(_FUNCTIONS[WINS][0])))
    heard.flag = progress.flag
    splits += best_splits(state.table, state.tree, node, samples=SLICE, first=first, progress=heard, **options)
    return splits, wins(splits, [candidate.column for candidate in candidates if candidate.split is not None])


def _each(
    candidates: list[Candidate], of: Callable[[Candidate], Any], progress: Progress, found: Found
) -> dict[str, Any]:
    usable = [candidate for candidate in candidates if candidate.split is not None]
    answers: dict[str, Any] = {}
    for i, candidate in enumerate(usable):
        progress.report(i / len(usable))
        answer = of(candidate) if not progress.stopped else None
        if progress.stopped:
            break
        answers[candidate.column] = answer
        found((candidate.column, answer))
    return answers


_FUNCTIONS: dict[str, tuple[str, Callable[..., Any]]] = {
    OPTIMA: (marked("Looking for further cuts"), optima),
    AGREEMENT: (marked("Comparing splits"), agreements),
    AHEAD: (marked("Looking a second level ahead"), second_levels),
    WINS: (marked("Drawing bootstrap samples"), won),
}
