"""A recipe: how a tree is made of training rows, from the search options to the pruning that follows.

What is resampled is the whole recipe. A choice that is made once, on all rows, and then judged on folds of the same
rows makes errors look smaller than they are (Breiman, Friedman, Olshen and Stone 1984, 3.4; Varma and Simon 2006).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.growing import grow
from engine.pruning import METHODS
from engine.pruning.options import NO_VALIDATION
from engine.pruning.result import prune
from engine.ranking.candidates import Candidate
from engine.runtime.errors import InputError, one_line
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.search.options import Search
from engine.splits import Split
from engine.table.folds import by_group
from engine.table.partition import TRAIN, UNUSED, VALIDATION, row_hash
from engine.table.table import Table
from engine.tree.assignment import assign, descended, is_plain, leaves_of_rows, way_down
from engine.tree.tree import Tree

FOLDS = 10  # of a pruning that chooses by folds, as of `engine.prune`


@dataclass(frozen=True, eq=False)
class Recipe:
    """How a tree is made of training rows. Of `search`, `tree` and `split` exactly one says what is made.

    Attributes:
        search: options of `engine.grow`, a preset among them: a tree is grown.
        tree: its splits are kept, and its leaves counted on the training rows.
        split: one split, and two or more leaves.
        at: (a tree, the id of a node): only the rows of that node take part, as if they were the whole table.
        prune: the method that cuts the tree back, see `engine.prune`; None for none.
        pruning: options of `engine.prune` for it.
        validation: the share of the training rows that is set aside for the pruning to choose by.
    """

    search: Mapping[str, Any] | None = None
    tree: Tree | None = None
    split: Split | None = None
    at: tuple[Tree, int] | None = None
    prune: str | None = None
    pruning: Mapping[str, Any] = field(default_factory=dict)
    validation: float = 0.0

    @classmethod
    def of(cls, given: Any) -> "Recipe":
        """The recipe that somebody gave: a recipe, search options, a tree whose structure is kept, a split or a
        candidate.

        Raises:
            InputError: it is none of these, or a candidate without a split.
        """
        if isinstance(given, Recipe):
            return given
        if isinstance(given, Mapping):
            return cls(search=given)
        if isinstance(given, Tree):
            return cls(tree=given)
        if isinstance(given, Candidate):
            if given.split is None:
                raise InputError(tr(
                    "Column “{column}” has no split here that could be judged: {reason}.", column=given.column,
                    reason=given.reason))  # fmt: skip
            given = given.split
        if isinstance(given, Split):
            return cls(split=given)
        raise InputError(tr(
            "A recipe cannot be {given}; give search options, a tree, a split or a Recipe.", given=one_line(given),
        ))  # fmt: skip

    def check(self, table: Table) -> None:
        """Raises InputError where the recipe cannot be followed on this table, before any tree is grown."""
        made_of = [name for name in ("search", "tree", "split") if getattr(self, name) is not None]
        if len(made_of) != 1:
            raise InputError(tr(
                "A recipe says what is made by one of search, tree and split; {n} of them were given.", n=len(made_of),
            ))  # fmt: skip
        if self.search is not None:
            Search.make(table.task, **self.search)
        if not 0 <= self.validation < 1:
            raise InputError(tr(
                "The validation share cannot be {share:g}; it is a fraction from 0 to below 1.", share=self.validation,
            ))  # fmt: skip
        if self.prune is None:
            return
        if self.prune not in METHODS:
            raise InputError(tr(
                "There is no pruning method “{method}”; choose one of {methods}.", method=one_line(self.prune),
                methods=", ".join(METHODS)))  # fmt: skip
        if METHODS[self.prune].needs_validation and not self.validation:
            raise InputError(tr(
                "“{label}” cannot prune here. {fault}", label=METHODS[self.prune].label, fault=tr(NO_VALIDATION),
            ))  # fmt: skip

    def rows(self, table: Table) -> NDArray[np.bool_]:
        """bool[n_rows]: the training rows that take part."""
        inside = table.part == TRAIN
        if self.at is not None:
            tree, node = self.at
            reached = np.zeros(table.n_rows, bool)
            reached[assign(table, tree).rows_of(tree.position(node))] = True
            inside &= reached
        return inside

    def follow(self, table: Table, progress: Progress, source: NDArray[np.integer[Any]] | None = None) -> Tree:
        """The tree that the recipe makes of the training rows of a table, on one thread; validation rows are unused.

        Args:
            progress: when it is stopped, the tree as far as it was made is returned.
            source: int[n_rows], the row that each row is a copy of: copies are not parted where rows are set aside or
                folds choose. None: no row is a copy.
        """
        copies = np.arange(table.n_rows) if source is None else source
        if self.validation > 0:
            table = _set_aside(table, copies, self.validation)
        if self.split is not None:
            tree = Tree.root(table).split(table, 0, self.split)
        elif self.tree is not None:
            tree = self.tree.with_counts(table)
        else:
            tree = grow(table, progress=progress, **{**(self.search or {}), "threads": 1})
        if self.prune is None or progress.stopped:
            return tree
        options = dict(self.pruning)
        folds = options.get("folds", FOLDS)
        if source is not None and isinstance(folds, int) and folds > 1:
            options["folds"] = by_group(copies, folds, int(options.get("seed", 0)))
        quiet = Progress()
        quiet.flag = progress.flag
        pruning = prune(table, tree, self.prune, progress=quiet, **options)
        return pruning.tree(pruning.chosen)


def _set_aside(table: Table, source: NDArray[Any], share: float) -> Table:
    """The same table with a share of the training rows as validation rows, by the rows that they are copies of."""
    training = np.flatnonzero(table.part == TRAIN)
    originals = np.unique(source[training])
    hashed = row_hash(int(originals[-1]) + 1, 0)[originals]
    chosen = originals[np.argsort(hashed)[: round(share * originals.size)]]
    part = table.part.copy()
    part[part == VALIDATION] = UNUSED
    part[training[np.isin(source[training], chosen)]] = VALIDATION
    return table.divided(part)


def leaves_reached(table: Table, tree: Tree, rows: NDArray[Any]) -> NDArray[np.int64]:
    """int64[m]: the positions of the leaves that some rows of a table reach."""
    if not is_plain(tree):
        return leaves_of_rows(table.take(rows), tree)
    bounds = np.array([0, len(rows)])
    return descended(*way_down(table, tree), rows, np.zeros(1, np.int64), bounds, threads=1)
