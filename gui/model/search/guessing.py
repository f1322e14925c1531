"""A game for one person or a class: which column splits this leaf best, and where? The ranking comes after the guess;
before it, what is looked at is the guessed column, with a cut in the middle of its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

import engine
from engine.criteria import CRITERIA
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.model import tree_tasks
from gui.model.history import State
from gui.model.host import Host
from gui.model.search.ranking import Ranking
from gui.wording import phrases, words

FIRST = marked("Guess first: choose a column in the panel “Why”.")
BY_RATIO = marked(
    "Your split has the ratio {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}."
)
BY_EVIDENCE = marked(
    "Your split has LogWorth {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}."
)
BY_GAIN = marked("Your split gains {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}.")
HIDDEN = marked(
    "The ranking is hidden while you guess: enter your guess in the panel “Why”, or show the ranking there."
)


@dataclass(frozen=True)
class Score:
    """How the guesses of this session went."""

    guesses: int = 0
    shares: float = 0.0  # the sum of their shares of the best gain
    hits: int = 0  # how often the column was the best one

    def words(self) -> str:
        """ "3 guesses: 78.1 % of the best gain on average, the best column twice."; empty without a guess."""
        if not self.guesses:
            return ""
        several = tr("1 guess") if self.guesses == 1 else tr("{n} guesses", n=words.count(self.guesses))
        named = {0: tr("never"), 1: tr("once"), 2: tr("twice")}
        times = named.get(self.hits) or tr("{n} times", n=words.count(self.hits))
        said = {"guesses": several, "mean": words.percent(self.shares / self.guesses), "times": times}
        return tr("{guesses}: {mean} of the best gain on average, the best column {times}.", **said)


class Guess(QObject):
    """Whether a guess is asked for, what it is, and how good the last one was."""

    changed = Signal()  # the host's `guessing`, or any of what is below

    def __init__(self, document: Host, ranking: Ranking) -> None:
        super().__init__(document)
        self._document, self._ranking = document, ranking
        self.column = ""  # the guessed one; empty before
        self.verdict = ""  # on the last guess; empty where there is none yet
        self.score = Score()
        ranking.candidateChanged.connect(self._on_candidate_changed)

    def begin(self) -> None:
        """Hides everything that tells which split is best."""
        self._set(True)

    def give_up(self) -> None:
        """Shows the ranking without a guess."""
        self._set(False)

    def columns(self) -> list[str]:
        """Those that can split the selected leaf, in the order of the table; none while they are looked for."""
        usable = {found.column for found in self._usable()}
        table = self._document.table
        names = [name for name in table.names if name in usable] if table is not None else []
        return names + sorted(usable - set(names))

    def take_column(self, column: str) -> None:
        """Looks at a column as the guess: a number is cut in the middle of its rows, levels as is best for them."""
        document, found = self._document, next((one for one in self._usable() if one.column == column), None)
        if not document.guessing or found is None or document.state is None:
            return
        self.column = column
        if found.split is None or found.split.kind != "threshold":
            self._ranking.look_at(found)
        else:
            text, where = tr("Drawing “{column}”", column=column), (document.state, document.selected, column)
            document.jobs.run(
                text, middle, *where, document.search,
                done=lambda made: self._ranking.look_at(*(made or (found,))), key="curve", quiet=True,
            )  # fmt: skip
        self.changed.emit()

    def settle(self) -> None:
        """Compares the guess with the best split, counts it, and shows everything again."""
        document, usable = self._document, self._usable()
        made = document.draft or self._ranking.candidate
        if not document.guessing or made is None or not usable or made.column != self.column:
            return
        gain, best = self._worth(made), self._worth(usable[0])
        share = gain / best if best > 0 else 1.0
        rank = [found.column for found in usable].index(made.column) + 1
        self.score = Score(self.score.guesses + 1, self.score.shares + share, self.score.hits + (rank == 1))
        self._set(False, self._said(made, usable[0], share, rank, len(usable)))

    def _said(self, made: engine.Candidate, best: engine.Candidate, share: float, rank: int, n: int) -> str:
        table = self._document.table
        assert made.split is not None and best.split is not None and table is not None
        figures = {
            "mine": words.gain(self._worth(made)), "its": words.gain(self._worth(best)), "share": words.percent(share),
            "best": phrases.split_words(best.split, table), "column": made.column, "rank": rank, "n": n,
        }  # fmt: skip
        one = CRITERIA[self._document.criterion_here]
        said = BY_RATIO if one.by_ratio else BY_EVIDENCE if one.by_evidence else BY_GAIN
        return tr(said, **figures)

    def _worth(self, found: engine.Candidate) -> float:
        one = CRITERIA[self._document.criterion_here]
        return found.scores.get(one.name, found.gain) if one.by_score else found.gain

    def _usable(self) -> list[engine.Candidate]:
        return [found for found in self._ranking.candidates or () if found.split is not None]

    def _set(self, on: bool, verdict: str = "") -> None:
        self._document.guessing, self.column, self.verdict = on, "", verdict
        self._ranking.hide(on, keep=bool(verdict))
        self.changed.emit()

    def _on_candidate_changed(self, candidate: engine.Candidate | None) -> None:
        """At another leaf, or by another search, everything is open again; edits elsewhere change nothing."""
        if candidate is None and (self.column or self.verdict):
            self.column = self.verdict = ""
            self.changed.emit()


def middle(
    state: State, node: int, column: str, options: dict[str, object], progress: Progress
) -> tuple[engine.Candidate, engine.Curve] | None:
    """A cut of a column with about as many rows on both sides, and the curve; None without a cut. In the worker."""
    curve = tree_tasks.curve(state, node, column, options, progress)
    allowed = np.flatnonzero(np.isfinite(curve.gains))
    if not allowed.size:
        return None
    weights = curve.train.sum(axis=1) if state.tree.task == "classes" else curve.train[:, 0]
    before = np.concatenate([[0.0], np.cumsum(weights)])[np.searchsorted(curve.values, curve.cuts, side="right")]
    at = allowed[int(np.argmin(np.abs(before[allowed] - weights.sum() / 2)))]
    split = engine.Split(column, "threshold", (float(curve.cuts[at]),), missing=curve.missing)
    made = curve.weigh(split)
    return (made, curve) if made is not None else None
