"""A node of which only counts are known, for the search: the tally of any column, and the target's distribution."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.options import Search, looks_at_rows
from engine.search.tally import NodeRows, Tally
from engine.sources.source import Path
from engine.table.column import Column
from engine.table.table import Table
from engine.tree.arrays import TreeArrays

Ask = Callable[[Sequence[int], Progress], Mapping[int, Tally]]  # the tallies of columns, by their places


@dataclass(frozen=True, eq=False)
class CountedNode(NodeRows):
    """A node of a table that has no rows; see `NodeRows`, whose `rows` are empty here.

    Attributes:
        stat: float64[S], the statistic of the training rows around the centre. n_train: how many these are.
        ask: counts columns at this node.
    """

    stat: NDArray[np.float64] = None  # type: ignore[assignment]  # fields before it have defaults
    n_train: int = 0
    ask: Ask = None  # type: ignore[assignment]

    @classmethod
    def at(
        cls, table: Table, stat: NDArray[np.float64], n_train: int, n_parts: int, centre: float, ask: Ask
    ) -> "CountedNode":
        """From the statistic as a tree holds it."""
        if table.task == "number":
            weight, total, squares = stat.tolist()
            apart = total - weight * centre
            stat = np.array([weight, apart, squares + (apart * (apart / weight) if weight > 0 else 0.0)])
        return cls(table, np.zeros(0, np.int64), n_parts, centre, stat, n_train, ask)

    def prepare(self, places: Sequence[int], progress: Progress) -> None:
        """Counts columns in one scan; stopped, none."""
        self.ask(places, progress)

    def count(self, column_index: int) -> Tally:
        """See `NodeRows.count`."""
        return self.ask([column_index], Progress())[column_index]

    def centred(self) -> "CountedNode":
        """The same: it is so already."""
        return self

    @property
    def training(self) -> "CountedNode":  # type: ignore[override]
        """The same node without its validation rows."""
        return replace(self, n_parts=1)

    @property
    def trained(self) -> NDArray[np.float64]:  # type: ignore[override]
        """float64[S]: the statistic of the training rows."""
        return self.stat

    @cached_property
    def by_count(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """See `NodeRows.by_count`."""
        if self.table.task == "classes":
            return np.empty(0), self.stat
        target = self.table.target_column
        counted = self.count(self.table.index(target.name))
        numbers = target.values[counted.codes.astype(np.int64) - 1] - self.table.origin - self.centre
        here = counted.rows_train > 0
        return numbers[here], np.ascontiguousarray(counted.train[here, 0])

    def lacking(self, place: int) -> int:
        """The training rows that lack the value of a column."""
        return self.count(place).missing_rows_train if place in self.table.lacking else 0

    def having(self, column: Column) -> "CountedNode":
        """Not known: which rows these are."""
        raise needs_rows()


def needs_rows() -> InputError:
    """What needs the rows themselves is refused."""
    return InputError(tr(
        "This needs the rows themselves, which are counted where they are: read a sample of them, or keep their codes."
    ))  # fmt: skip


def check_counted(search: Search, table: Table) -> None:
    """InputError when an option needs the rows of a table themselves."""
    for name in looks_at_rows(search, table.is_sampled):
        raise InputError(tr(
            "{name} “{value}” needs the rows themselves, which are counted where they are: read a sample of them, or "
            "keep their codes.", name=name, value=getattr(search, name)))  # fmt: skip


def paths_of(tree: TreeArrays) -> list[Path]:
    """The path to every node, by position.

    Raises:
        InputError: a split looks at several columns, or divides rows.
    """
    paths: list[Path] = [()] * tree.n_nodes
    for i in range(tree.n_nodes):
        split = tree.split_at(i)
        if split is None:
            continue
        if split.kind == "m_of_n" or split.surrogates or split.divides:
            raise InputError(tr(
                "Splits by several columns, and those that divide rows, need the rows themselves, which are counted "
                "where they are: read a sample of them, or keep their codes."))  # fmt: skip
        for branch, child in enumerate(tree.children(i)):
            paths[child] = (*paths[i], (split, branch))
    return paths
