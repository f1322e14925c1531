"""First answers while a large table is read: the best splits of its root among some of its rows; and, once all of them
are counted, what is different."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import engine
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from gui import messages
from gui.model import tree_tasks
from gui.model.host import Host
from gui.model.search.ranking import Ranking
from gui.wording import first_answers

PATIENCE = 1.0  # seconds for a thread that is not wanted any more; a kernel that it compiles may take longer
log = logging.getLogger("espalier")


@dataclass(frozen=True, eq=False)
class FirstAnswers:
    """What some rows tell about the root.

    Attributes:
        table: these rows. candidates: the best splits, by the options with which a document begins; each gains
            something.
    """

    table: engine.Table
    candidates: list[engine.Candidate]


@contextmanager
def answering(read: Callable[..., engine.Table], found: Callable[[FirstAnswers], object] | None) -> Iterator[None]:
    """While all rows are read, a thread calls `found` with first answers as soon as they are known; not at all where
    there are none: whatever goes wrong with some rows does not concern those who read all. `read`: reads some rows; it
    takes `progress`."""
    if found is None:
        yield
        return
    own = Progress()

    def answer() -> None:
        try:
            if (answers := first_answers_of(read, own)) is not None and not own.stopped:
                found(answers)
        except (InputError, Stopped) as error:
            log.info("no first answers: %s", error)
        except Exception:
            log.exception("no first answers")

    thread = threading.Thread(target=answer, name="espalier-first-answers", daemon=True)
    thread.start()
    try:
        yield
    finally:
        own.stop()
        thread.join(PATIENCE)


def first_answers_of(read: Callable[..., engine.Table], progress: Progress) -> FirstAnswers | None:
    """What some rows tell; None where they are all rows, where no split gains anything, and after a stop."""
    table = read(progress=progress)
    if not table.source["places"]:
        return None
    state = tree_tasks.first_state(table)
    ranked = tree_tasks.candidates(state, 0, {}, progress)
    usable = [one for one in ranked if one.split is not None and one.gain > 0]
    return FirstAnswers(state.table, usable) if usable and not progress.stopped else None


def compare_later(document: Host, ranking: Ranking, first: FirstAnswers) -> None:
    """Says what is different once all rows of the document that has just begun are counted at its root; nothing where a
    person looks at something else by then."""
    beginning, options = document.beginning, document.search

    def compare() -> None:
        is_root = document.beginning is beginning and document.selected == 0 and not ranking.error
        if is_root and ranking.candidates is None:
            return  # the search goes on
        ranking.changed.disconnect(compare)
        state = document.state
        alike = state is not None and state.table.task == first.table.task and document.search == options
        if is_root and ranking.candidates and state is not None and alike and not document.guessing:
            messages.tell(first_answers.what_changed(first.candidates, ranking.candidates, state.table))

    ranking.changed.connect(compare)
    compare()
