"""A table whose rows a source counts: it serves where a table does, as far as counts tell.

Candidates, curves, dragged cuts, growing, pruning and assessment ask for counts, which a scan of the source gives. What
looks at rows themselves is refused in a sentence.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from engine.criteria.kernels import centre_of
from engine.growing import grow
from engine.runtime.errors import InputError
from engine.runtime.progress import Progress, Stopped
from engine.runtime.sentences import tr
from engine.search.options import Search
from engine.search.tally import NodeRows, Tally, as_in_tree, weights_of
from engine.sources.coded import Coded
from engine.sources.folds import fold_of, tested
from engine.sources.grid import NO_GRIDS, Grid, Grids
from engine.sources.growing import MOST_CODES, grow_counted
from engine.sources.node import CountedNode, check_counted, needs_rows, paths_of
from engine.sources.source import Path, Source
from engine.table.checks import WEIGHING
from engine.table.column import Column
from engine.table.table import Table
from engine.tree.arrays import TreeArrays
from engine.tree.tree import Tree

BYTES_KEPT = 128 << 20  # of the tallies that were asked for last
MOST_EXTENTS = 10_000  # of nodes that are kept
OF_HEAD = ("n_train", "n_validation", "n_test", "origin", "sealed_classes")
FACTS = (*OF_HEAD, "class_weights", "n_counted", "only_value", "lacking", "sealed_share")  # that a table finds out


class NodeCounts(NamedTuple):
    """Of some nodes, as a tree holds them: statistics float64[m, S] and rows int64[m], of both parts."""

    train: NDArray[np.float64]
    validation: NDArray[np.float64]
    rows_train: NDArray[np.int64]
    rows_validation: NDArray[np.int64]


class Counter:
    """What counts the rows of a table where they are, for all that would look at them; see `Table.counter`."""

    def __init__(self, source: Source, lock: AbstractContextManager[Any] | None = None) -> None:
        """lock: of another that counts the same rows."""
        self.source = source
        self.lacking = frozenset[int]()  # the places of all columns that training rows lack, or may lack
        self._kept: OrderedDict[tuple[Path, int, float], Tally] = OrderedDict()
        self._extents: dict[Path, NDArray[np.float64]] = {}
        self._bytes = 0
        self._drawn: dict[int, Table] = {}
        self.grown: dict[str, Tree] = {}  # by the folds of these rows, by how they did
        self._tested: CountedTable | None = None
        self._lock: AbstractContextManager[Any] = lock or threading.Lock()  # a source answers one call at a time

    # -- counts, as a source gives them

    def extents(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """See `Source.extents`."""
        with self._lock:
            if any(path not in self._extents for path in paths):
                if len(self._extents) > MOST_EXTENTS:
                    self._extents.clear()
                self._extents.update(zip(paths, self.source.extents(paths, progress), strict=True))
            return np.array([self._extents[path] for path in paths])

    def centres(self, paths: Sequence[Path], progress: Progress) -> NDArray[np.float64]:
        """float64[paths]: from where a numeric target is measured, beside the origin."""
        if self.source.head.task == "classes":
            return np.zeros(len(paths))
        return np.array([centre_of(*extent) for extent in self.extents(paths, progress).tolist()])

    def tally(
        self, paths: Sequence[Path], columns: Sequence[int], centres: NDArray[np.float64], progress: Progress,
        grids: Grids = NO_GRIDS,
    ) -> list[list[Tally]]:  # fmt: skip
        """See `Source.tally`; what was counted of a single node is kept."""
        with self._lock:
            if len(paths) > 1 or grids:
                return self.source.tally(paths, columns, centres, progress, grids)
            path, centre = paths[0], float(centres[0])
            fresh = [place for place in columns if (path, place, centre) not in self._kept]
            if fresh:
                for place, (one,) in zip(fresh, self.source.tally(paths, fresh, centres, progress), strict=True):
                    self._kept[path, place, centre] = one
                    self._bytes += one.nbytes
            found = [[self._kept[path, place, centre]] for place in columns]
            for place in columns:
                self._kept.move_to_end((path, place, centre))
            while self._bytes > BYTES_KEPT and self._kept:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes
            return found

    def nodes(self, paths: Sequence[Path], progress: Progress) -> NodeCounts:
        """The counts of the nodes at the ends of paths, each a leaf of one tree, in one scan; two for a number."""
        head, centres = self.source.head, self.centres(paths, progress)
        places = [head.index(str(head.target)), *head.features]
        if head.task == "number":  # any column will do
            places.sort(key=lambda place: head.columns[place].n_values)
        tallies = self.tally(paths, places[:1], centres, progress)[0]
        train = np.array([one.train.sum(axis=0) + one.missing_train for one in tallies])
        validation = np.array([one.validation.sum(axis=0) + one.missing_validation for one in tallies])
        rows = np.array([(one.n_train, one.n_validation) for one in tallies], np.int64)
        if head.task == "number":
            train, validation = as_in_tree(train, centres), as_in_tree(validation, centres)
        return NodeCounts(train, validation, rows[:, 0], rows[:, 1])

    # -- in the place of rows

    def training_rows(self, place: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(the training rows by the code of a column, int64[values + 1]; what they weigh)."""
        head = self.source.head
        n_codes = head.columns[place].n_values + 1
        rows, weight = np.zeros(n_codes, np.int64), np.zeros(n_codes)
        counted = self.tally([()], [place], self.centres([()], Progress()), Progress())[0][0]
        rows[counted.codes], rows[0] = counted.rows_train, counted.missing_rows_train
        train = np.concatenate((counted.missing_train[None], counted.train))
        weight[np.append(0, counted.codes)] = weights_of(train, head.task == "classes")
        return rows, weight

    def leaves(self, tree: TreeArrays) -> NodeCounts:
        """The counts of the leaves of a tree."""
        paths = paths_of(tree)
        return self.nodes([paths[i] for i in tree.leaves.tolist()], Progress())

    def moments(self, tree: TreeArrays, around: NDArray[np.float64], power: int) -> NDArray[np.float64]:
        """float64[power + 1, leaves]: of the leaves of a tree, see `Source.moments`."""
        paths = paths_of(tree)
        with self._lock:
            return self.source.moments([paths[i] for i in tree.leaves.tolist()], around, power, Progress())

    def squares(self, tree: TreeArrays) -> NDArray[np.float64]:
        """float64[2, leaves, K]: of the leaves of a tree, see `Source.squares`."""
        paths = paths_of(tree)
        with self._lock:
            return self.source.squares([paths[i] for i in tree.leaves.tolist()], Progress())

    def node(self, table: Table, tree: TreeArrays, position: int, search: Search) -> NodeRows:
        """One node of a tree that is counted on this table, for a search.

        Raises:
            InputError: an option of the search needs the rows themselves.
        """
        check_counted(search, table)
        path = paths_of(tree)[position]
        centres = self.centres([path], Progress())

        told: dict[int, Tally] = {}  # what is kept may have no room for columns of very many values

        def ask(places: Sequence[int], progress: Progress) -> dict[int, Tally]:
            if fresh := [place for place in places if place not in told]:
                counted = self.tally([path], fresh, centres, progress)
                told.update({place: one for place, (one,) in zip(fresh, counted, strict=True)})
            return told

        n_parts = 2 if tree.rows_validation[position] else 1
        n_train = int(tree.rows_train[position])
        return CountedNode.at(table, tree.train[position], n_train, n_parts, float(centres[0]), ask)

    def fold(self, table: Table, fold: int, n: int, seed: int, progress: Progress) -> "CountedTable":
        """The table, in its roles, whose rows of one of n folds validate, while its other training rows train.

        Raises:
            InputError: see `engine.sources.folds.fold_of`. Stopped: the progress was stopped.
        """
        with self._lock:
            source = fold_of(self.source, fold, n, seed, progress)
        return CountedTable.of(source, progress, self._lock).changed(roles=table.roles)

    def tested(self, table: Table) -> "CountedTable":
        """The table, in its roles, whose test rows validate, while its validation rows are left out."""
        if self._tested is None:
            with self._lock:
                source = tested(self.source, Progress())
            self._tested = CountedTable.of(source, lock=self._lock)
        return self._tested.changed(roles=table.roles)

    def drawn(
        self, table: Table, n: int, tree: TreeArrays | None = None, position: int = 0, seed: int = 0,
        progress: Progress | None = None,
    ) -> Table:  # fmt: skip
        """At most n rows of a table, or of a node of a tree, in memory; drawn by the seed, and kept for the whole.

        Raises:
            Stopped: the progress was stopped.
        """
        if tree is None and n in self._drawn:
            return replace(self._drawn[n], roles=table.roles)
        path = () if tree is None else paths_of(tree)[position]
        with self._lock:
            made = replace(self.source.rows(path, n, seed, progress), roles=table.roles)
        if tree is None:
            self._drawn[n] = made
        return made

    def grow(
        self, table: Table, tree: Tree, starts: NDArray[np.int64], levels: NDArray[np.int64], search: Search,
        progress: Progress, excluded: frozenset[str],
    ) -> Tree:  # fmt: skip
        """The tree with the leaves at positions `starts` grown, see `engine.growing.general.grow_general`."""
        check_counted(search, table)
        return grow_counted(self, table, tree, starts, levels, search, progress, excluded)


@dataclass(frozen=True, eq=False, repr=False)
class CountedTable(Table):
    """A table whose rows stay where they are. How many rows lack a value is known of its features alone: of the target
    and of other columns `n_missing` is 1 where some row does.

    Attributes:
        counter: what counts them.
    """

    counter: Any = None

    @classmethod
    def of(
        cls, source: Source, progress: Progress | None = None, lock: AbstractContextManager[Any] | None = None
    ) -> "CountedTable":
        """The rows of a source; lock: see `Counter`.

        Raises:
            Stopped: the progress was stopped. InputError: they cannot be read.
        """
        head, counter, progress = source.head, Counter(source, lock), progress or Progress()
        target = head.index(str(head.target))
        places = sorted({*head.features, target})
        centres, tallies = counter.centres([()], progress), {}
        grids = {
            place: Grid.of_bins(head.columns[place].n_values, MOST_CODES)
            for place in places if place != target and head.columns[place].n_values > MOST_CODES
        }  # fmt: skip
        for some, on in ([place for place in places if place not in grids], NO_GRIDS), ([*grids], grids):
            counts = counter.tally([()], some, centres, progress, on) if some else []
            tallies.update({place: one for place, (one,) in zip(some, counts, strict=True)})
        columns = []
        for place, column in enumerate(head.columns):
            one = tallies.get(place)
            lacking = 0 if one is None else one.missing_rows_train + one.missing_rows_validation
            columns.append(replace(column))
            columns[-1].__dict__["n_missing"] = max(lacking, int(column.name in source.lacking))
        table = cls(
            tuple(columns), head.n_train + head.n_validation + head.n_test, head.name, dict(head.source), head.target,
            dict(head.roles), dict(head.partition), head.remarks, counter,
        )  # fmt: skip
        of_target = tallies[target]
        facts: dict[str, Any] = {name: getattr(head, name) for name in OF_HEAD}
        facts |= {"class_weights": of_target.train.sum(axis=0), "sealed_share": head.n_test / max(table.n_rows, 1)}
        weight = float(weights_of(facts["class_weights"], head.task == "classes"))
        facts["n_counted"] = round(weight) if head.weights_are_counts else head.n_train
        may_lack = {head.index(name) for name in source.lacking}
        counter.lacking = frozenset(p for p in may_lack if p not in tallies or tallies[p].missing_rows_train)
        facts["lacking"] = counter.lacking & frozenset(head.features)
        values = of_target.codes[of_target.rows_train > 0]
        facts["only_value"] = table.target_column.text(int(values[0]) - 1) if values.size == 1 else None
        table.__dict__.update(facts)
        return table

    def need_rows(self) -> NoReturn:
        """See `Table.need_rows`."""
        raise needs_rows()

    def seen(self, n: int, progress: Progress | None = None) -> Table:
        """See `Table.seen`; the same rows every time."""
        drawn: Table = self.counter.drawn(self, n, progress=progress)
        return drawn

    @cached_property
    def part(self) -> NDArray[np.uint8]:
        """Not known."""
        self.need_rows()

    @cached_property
    def y(self) -> NDArray[Any]:
        """Not known."""
        self.need_rows()

    @cached_property
    def sealed(self) -> NDArray[np.bool_]:
        """Empty: which rows these are is not known."""
        return np.zeros(0, np.bool_)

    @property
    def _kept_for_test(self) -> dict[str, Any]:
        return {}

    def trained_codes(self, column: Column) -> NDArray[np.int64]:
        """See `Table.trained_codes`."""
        rows: NDArray[np.int64] = self.counter.training_rows(self.index(column.name))[0]
        return np.flatnonzero(rows[1:]) + 1

    def without(self, names: frozenset[str]) -> Table:
        """See `Table.without`."""
        names &= {self.columns[i].name for i in self.features}
        return self.changed(roles={**self.roles, **dict.fromkeys(names, "ignore")}) if names else self

    def with_roles(self, roles: Any) -> Table:
        """The same columns in other roles: features, and those that are left out. The rows stay divided as they are, by
        the column that decided it."""
        for name, role in roles.items():
            self.index(name)
            if role != self.roles.get(name) and (reason := self.why_fixed(name, role)):
                raise InputError(reason)
        return self.changed(roles={**self.roles, **roles})

    def why_fixed(self, name: str, role: str | None = None) -> str:
        """See `Table.why_fixed`."""
        if role is None:
            return tr(
                "The rows are counted where they are, by the values of “{name}” as it is: open the data again, and "
                "choose its type there.", name=name)  # fmt: skip
        if role == "target":
            return tr(
                "The rows are counted where they are, for the target that they were opened with: open the data again, "
                "and choose “{name}” there.", name=name)  # fmt: skip
        is_divided = bool(self.partition)
        if is_divided and self.roles.get(name) in ("group", "key", "partition"):
            return tr(
                "“{name}” decides which rows train and which do not, and they are counted where they are: open the "
                "data again to give it another role.", name=name)  # fmt: skip
        if is_divided and role == "key":
            return tr(
                "The rows are divided already, and not by “{name}”: open the data again, and choose it as the key "
                "there.", name=name)  # fmt: skip
        if name == self.target or role not in ("feature", "ignore", "key") or self.roles.get(name) in WEIGHING:
            return tr(
                "The rows are counted where they are: “{name}” cannot be given the role {role} now. Choose it as "
                "the data are opened.", name=name, role=role)  # fmt: skip
        return ""

    def _note_on_target(self, target: str) -> str:
        """That some rows have no value in the target; nobody has counted them."""
        return tr("Rows without a value in the target “{target}” are left out.", target=target)

    def changed(self, **fields: Any) -> "CountedTable":
        """The same with other roles, or another source, and with what was counted."""
        table = replace(self, **fields)
        table.__dict__.update({name: getattr(self, name) for name in FACTS})
        table.__dict__["lacking"] = self.counter.lacking & frozenset(table.features)
        return table

    def with_column(self, column: Column) -> Table:
        """Refused."""
        raise InputError(self.why_fixed(column.name))

    def with_target(self, target: str) -> Table:
        """Refused."""
        raise InputError(self.why_fixed(target, "target"))

    def with_partition(self, *args: Any, **how: Any) -> Table:
        """Refused."""
        raise InputError(tr("The rows are counted where they are: choose their parts as the data are opened."))


def grow_source(
    source: Source | Table, *, preset: str | None = None, progress: Progress | None = None, **options: Any
) -> Tree:  # fmt: skip
    """The tree that `engine.grow` grows on the same rows, from counts alone.

    Args:
        source: or a table, whose training rows are counted: no list of the rows of every node is kept.
        preset, options: see `engine.Search`; how many scans they take says `engine.sources.growing.grow_counted`.
        progress: when it is stopped, the tree as far as it was grown is returned.

    Raises:
        InputError: an option cannot be used, or needs rows, which a source does not hand out; or the data cannot be
            read.
    """
    if isinstance(source, Table) and source.counter is None:
        source = Coded(source)
    head = source if isinstance(source, Table) else source.head
    check_counted(Search.make(head.task, preset, **options), head)
    if not head.features:
        raise InputError(tr("{table} has no column to split.", table=head.name))
    try:
        table = source if isinstance(source, Table) else CountedTable.of(source, progress)
    except Stopped:
        raise InputError(tr("It was stopped before the rows were counted.")) from None
    return grow(table, preset=preset, progress=progress, **options)
