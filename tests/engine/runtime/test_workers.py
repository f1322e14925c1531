import os
import threading

import pytest

from engine.runtime.threads import Shelf, Workers


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_item_is_taken_once_and_the_threads_go(threads):
    before = threading.active_count()
    seen, ticks = [], []
    with Workers(threads) as workers:
        workers.each(seen.append, range(100), lambda: ticks.append(1))
        workers.each(seen.append, [100])
    assert sorted(seen) == list(range(101))
    assert ticks
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2])
def test_what_fails_in_a_thread_fails_here(threads):
    with Workers(threads) as workers, pytest.raises(ZeroDivisionError):
        workers.each(lambda item: 1 / item, [1, 0, 1])


def test_two_threads_never_hold_the_same_thing():
    shelf = Shelf([[], []])
    both = threading.Barrier(2)

    def use(_):
        shelf.lend(lambda thing: (both.wait(timeout=10), thing.append(1)))

    with Workers(2) as workers:
        workers.each(use, range(2))
    shelf.lend(lambda first: shelf.lend(lambda second: (first == second == [1]) or pytest.fail("shared")))


def test_threads_are_as_many_as_the_process_may_use_and_never_absurdly_many(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5, 7}, raising=False)
    assert Workers().threads == 3
    assert Workers(1).threads == 1
    assert Workers(8).threads == 8
    assert Workers(2**20).threads < 100
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Workers().threads == 1
