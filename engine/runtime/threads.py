"""The engine's small pool of threads, for kernels that let go of the interpreter's lock."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from queue import SimpleQueue
from types import TracebackType
from typing import Generic, TypeVar, cast

Item = TypeVar("Item")
Result = TypeVar("Result")

TICK = 0.2  # seconds between two reports
MOST_FOR_EACH = 4  # threads for each processor; more would only hold memory


def usable_processors() -> int:
    """How many processors this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Calls a function for many items on a few threads; used as a context, at whose end the threads are gone."""

    def __init__(self, threads: int | None = None) -> None:
        """`threads`: how many; None for one for each processor that this process may use. Absurdly many are fewer."""
        usual = usable_processors()
        self.threads = min(threads or usual, MOST_FOR_EACH * max(usual, 4))
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def each(
        self, function: Callable[[Item], object], items: Iterable[Item], tick: Callable[[], None] | None = None
    ) -> None:
        """Calls the function for every item, first come first served; `tick` a few times a second meanwhile."""
        todo = list(items)
        share = min(self.threads, len(todo))
        if share <= 1:
            for item in todo:
                function(item)
                if tick is not None:
                    tick()
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="grow")
        queue = iter(todo)  # shared: whoever is free takes the next one
        waiting = {self._pool.submit(copy_context().run, _work, function, queue) for _ in range(share)}
        done = set()
        while waiting:
            finished, waiting = wait(waiting, timeout=TICK)
            done |= finished
            if tick is not None:
                tick()
        for future in done:
            future.result()  # raises what was raised there

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item], tick: Callable[[], None] | None = None
    ) -> list[Result]:
        """The function's results for all items, in their order; see `each`."""
        todo = list(items)
        results: list[Result | None] = [None] * len(todo)

        def one(place: int) -> None:
            results[place] = function(todo[place])

        self.each(one, range(len(todo)), tick)
        return cast(list[Result], results)


def _work(function: Callable[[Item], object], queue: Iterator[Item]) -> None:
    for item in queue:
        function(item)


class Shelf(Generic[Item]):
    """Things too large to make for every call: a thread takes one and puts it back."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._free: SimpleQueue[Item] = SimpleQueue()
        for item in items:
            self._free.put(item)

    def lend(self, function: Callable[[Item], Result]) -> Result:
        """Calls the function with one of the things."""
        item = self._free.get()
        try:
            return function(item)
        finally:
            self._free.put(item)
