"""The tree in words: for every class the rule that leads to it, "(owner home AND kitten) OR (NOT owner home AND …)".

A path from the root to a leaf is a conjunction, a class the disjunction of the paths to its leaves (Quinlan 1987).
What a path asks of one column is merged: thresholds into one interval, groups of levels into their intersection.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.runtime.sentences import tr
from engine.splits import Split, full_words
from engine.table.words import exact_date, exact_words, levels_words, number_words, value_words
from engine.tree.arrays import TreeArrays
from engine.tree.nodes import THRESHOLD, TreeColumn

ALWAYS, NEVER, NOT = "always", "never", "NOT "
MOST_LISTED = 3  # levels that are listed although two others, refused, would be fewer


class Interval(NamedTuple):
    """The values low < value ≤ high of a numeric column, and perhaps the missing one.

    Attributes:
        column: as in the tree.
        low: None for no lower bound.
        high: +∞ for no upper bound.
        missing: whether rows without a value are in it.
    """

    column: TreeColumn
    low: float | None = None
    high: float = inf
    missing: bool = True

    def within(self, split: Split, branch: int) -> "Interval":
        """What is left of it in a branch of a split by thresholds."""
        cuts, missing = split.thresholds, split.missing == branch or split.divides
        if branch > len(cuts):  # their own branch
            return Interval(self.column, inf, inf, self.missing and missing)
        return self.between(
            cuts[branch - 1] if branch > 0 else None, cuts[branch] if branch < len(cuts) else inf, missing
        )

    def between(self, low: float | None, high: float, missing: bool) -> "Interval":
        """What it has in common with another interval of the column."""
        if low is None or (self.low is not None and self.low > low):
            low = self.low
        return Interval(self.column, low, high if high < self.high else self.high, missing and self.missing)

    @property
    def has_values(self) -> bool:
        """Whether a value that is not missing can be in it."""
        return self.low is None or self.low < self.high

    @property
    def possible(self) -> bool:
        return self.has_values or self.missing

    @property
    def words(self) -> str:
        every = self.low is None and self.high == inf
        return _condition(self, every, self._range)

    def _range(self) -> str:
        name, kind = self.column.name, self.column.kind_in_words
        low = None if self.low is None else _cut_words(self.low, kind)
        high = None if self.high == inf else _cut_words(self.high, kind)
        if low == high and self.low is not None:  # equal in six digits
            exact = exact_date if self.column.kind == "date" else exact_words
            low, high = exact(self.low), exact(self.high)
        if low is None:
            return f"{name} ≤ {high}"
        return f"{name} > {low}" if high is None else f"{low} < {name} ≤ {high}"


_cut_words = lru_cache(4096)(value_words)  # a cut stands in the conditions of most nodes below it


class Levels(NamedTuple):
    """Some levels of a column, and perhaps those that the tree has never seen and the missing one.

    Attributes:
        column: as in the tree.
        allowed: of its levels.
        others: whether levels that the tree does not know are among them.
        missing: whether rows without a value are.
    """

    column: TreeColumn
    allowed: frozenset[str]
    others: bool = True
    missing: bool = True

    def within(self, split: Split, branch: int) -> "Levels":
        """What is left of it in a branch of a split by groups."""
        if split.unseen == branch:
            elsewhere = {name for b, group in enumerate(split.groups) if b != branch for name in group}
            allowed = self.allowed - elsewhere
        else:
            allowed = self.allowed & frozenset(split.groups[branch])
        others = self.others and split.unseen == branch
        return Levels(self.column, allowed, others, self.missing and (split.missing == branch or split.divides))

    @property
    def has_values(self) -> bool:
        """Whether a level can be in it."""
        return bool(self.allowed) or (self.others and self.column.kind != "boolean")

    @property
    def possible(self) -> bool:
        return self.has_values or self.missing

    @property
    def words(self) -> str:
        every = len(self.allowed) == len(self.column.levels) and (self.others or self.column.kind == "boolean")
        return _condition(self, every, self._named)

    def _named(self) -> str:
        name = self.column.name
        if self.column.kind == "boolean":
            return name if "True" in self.allowed else f"{NOT}{name}"
        allowed = [level for level in self.column.levels if level in self.allowed]
        refused = [level for level in self.column.levels if level not in self.allowed]
        if not allowed:
            return f"{name} any other"
        listed = len(refused) > 1 and len(allowed) <= MOST_LISTED  # a short list is read before a refused one
        if self.others and len(refused) < len(allowed) and not listed:
            return f"{NOT}{name} {_one_of(refused)}"
        return f"{name} {_one_of(allowed)}"


@dataclass(frozen=True)
class Verbatim:
    """A branch of a split that asks about several columns, as the split itself words it."""

    split: Split
    branch: int
    words: str
    possible: bool = True


Limit = Interval | Levels | Verbatim  # what a path asks; `words` is empty where every row meets it
Key = tuple[str, str]  # the column and the kind of split; of several columns nothing, and the words


@dataclass(frozen=True, eq=False)
class Path:
    """The way from the root to one leaf.

    Attributes:
        node: the leaf's id.
        limits: what it asks, by column, in the order of the way down.
        rows_train, rows_validation: how many rows reach the leaf.
        error_train, error_validation: share of their weight that the leaf labels wrongly, or the mean error of its
            number as in `Tree.costs`; nan without rows.
    """

    node: int
    limits: tuple[Limit, ...]
    rows_train: int
    rows_validation: int
    error_train: float
    error_validation: float

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """All of them have to hold; none for the root. Made when it is first asked for."""
        return tuple(_conditions(self.limits))

    @property
    def text(self) -> str:
        """The conditions joined by AND, each in brackets where it is an alternative itself; empty for the root."""
        return " AND ".join(map(bracketed, self.conditions))

    @property
    def possible(self) -> bool:
        """Whether any row can go this way; splits that people made may contradict each other."""
        return all(limit.possible for limit in self.limits)


@dataclass(frozen=True, eq=False)
class ClassRule:
    """When a tree predicts one class, or one number.

    Attributes:
        label: the class, or the number in words.
        paths: to the leaves that predict it, those of most training rows first. A number has one path only.
        value: the number; None for a class.
        more: leaves that predict it and were left out.
    """

    label: str
    paths: tuple[Path, ...]
    value: float | None = None
    more: int = 0

    @property
    def text(self) -> str:
        """The rule in one line: "always", "never", "a AND b", "(a AND b) OR c", "Predict 12.5 when a AND b"."""
        rule = " OR ".join(self.parts)
        if self.value is None:
            return rule
        if rule == ALWAYS:
            return tr("Predict {label} always", label=self.label)
        if rule == NEVER:
            return tr("Predict {label} never", label=self.label)
        return tr("Predict {label} when {rule}", label=self.label, rule=rule)

    @property
    def parts(self) -> list[str]:
        """What `text` joins by OR."""
        ways = [path.conditions for path in self.paths if path.possible]
        if () in ways:
            return [ALWAYS]
        single = len(ways) + bool(self.more) == 1
        parts = [_joined(conditions, single) for conditions in ways]
        if self.more:
            parts.append(tr("… (1 more leaf)") if self.more == 1 else tr("… ({n:,} more leaves)", n=self.more))
        return parts or [NEVER]


def rules(tree: TreeArrays, most: int | None = None) -> list[ClassRule]:
    """The tree in words: a rule for each class, in their order; for a numeric target one for each leaf, by its number.

    Known values meet the conditions of exactly one leaf, the one that a row with them reaches; but thresholds are
    written with six digits, which may put a value that differs later into the leaf beside it. Where the training table
    lacked no value of a column, its conditions do not include where missing ones go.

    Args:
        tree: the tree.
        most: at most this many leaves, those of most training rows; None for all.
    """
    leaves = tree.leaves
    if most is not None and leaves.size > most:
        leaves = np.sort(leaves[np.argsort(-tree.rows_train[leaves], kind="stable")[:most]])
    paths = _paths(tree, leaves)
    if tree.task == "number":
        found = [
            ClassRule(number_words(value), (path,), value)
            for value, path in zip(tree.predictions[leaves].tolist(), paths, strict=True)
        ]
        return sorted(found, key=lambda rule: (rule.value, rule.paths[0].node))
    labels = tree.labels[leaves]
    every = np.bincount(tree.labels[tree.leaves], minlength=len(tree.classes))
    found = []
    for k, name in enumerate(tree.classes):
        own = sorted((paths[j] for j in np.flatnonzero(labels == k)), key=lambda path: -path.rows_train)
        found.append(ClassRule(name, tuple(own), more=int(every[k]) - len(own)))
    return found


def leaf_texts(tree: TreeArrays, leaves: NDArray[np.int64] | None = None) -> list[str]:
    """The `Path.text` of some leaves, ascending positions; of all by default. Each condition is put in words once."""
    said: list[dict[Key, str]] = [{}]  # by level; what a leaf adds to it goes with the leaf
    contradicted, texts = [False], []
    leaves = tree.leaves if leaves is None else leaves
    wanted = iter([*leaves.tolist(), -1])
    leaf = next(wanted)
    for i, level, key, limits in _steps(tree, leaves):
        if key is not None:
            del said[level:], contradicted[level:]
            limit = limits[key]
            said.append({**said[-1], key: bracketed(limit.words)})
            contradicted.append(contradicted[-1] or not limit.possible)
        if i == leaf:
            leaf = next(wanted)
            conditions = map(bracketed, _conditions(limits.values())) if contradicted[-1] else said[-1].values()
            texts.append(" AND ".join(filter(None, conditions)))
    return texts


def _paths(tree: TreeArrays, leaves: NDArray[np.int64]) -> list[Path]:
    """The paths to some leaves, ascending positions."""
    errors = _errors(tree, "train"), _errors(tree, "validation")
    paths = []
    for i, _, _, limits in _steps(tree, leaves):
        if tree.n_branches[i] == 0:
            rows = int(tree.rows_train[i]), int(tree.rows_validation[i])
            paths.append(Path(int(tree.ids[i]), tuple(limits.values()), *rows, *(float(e[i]) for e in errors)))
    return paths


def _steps(tree: TreeArrays, leaves: NDArray[np.int64]) -> Iterator[tuple[int, int, Key | None, dict[Key, Limit]]]:
    """Of all nodes on the ways to some leaves, ascending positions: the position, the level, what the split above it
    asks about (None for the root), and all that the way so far asks, in the order of the way down. The last one holds
    until the next step."""
    on_path, ways = np.zeros(tree.n_nodes, bool), leaves
    while ways.size:
        on_path[ways] = True
        ways = tree.parent[ways]
        ways = ways[(ways >= 0) & ~on_path[ways]]
    below = np.flatnonzero(on_path)[1:]
    at = tree.parent[below]
    nodes, columns = tree.nodes, {column.name: column for column in tree.columns}
    # most splits are by one threshold: no `Split` is made of these, which would take as long as all the rest
    single = (nodes.kind[at] == THRESHOLD) & (nodes.payload_size[at] == 0) & (nodes.n_branches[at] == 2)
    known = (below, at, tree.level[below], tree.branch[below], single, nodes.column[at], nodes.threshold[at],
             nodes.missing[at])  # fmt: skip
    limits: dict[Key, Limit] = {}
    before: list[tuple[Key, Limit | None]] = []  # by level, what was asked of the same before
    if leaves.size:
        yield 0, 0, None, limits
    for i, p, level, branch, is_single, place, cut, missing in zip(*(array.tolist() for array in known), strict=True):
        while len(before) >= level:
            key, was = before.pop()
            if was is None:
                del limits[key]
            else:
                limits[key] = was
        if is_single:
            column = tree.columns[place]
            key = (column.name, "threshold")
            whole = limits.get(key) or Interval(column)
            assert isinstance(whole, Interval)
            low, high = (cut, inf) if branch else (None, cut)
            limit: Limit = whole.between(low, high, missing == branch)
        else:
            split = tree.split_at(p)
            assert split is not None
            column = columns[split.column]
            if split.kind == "m_of_n" or (split.surrogates and column.missing):  # several columns decide
                words = full_words(split, branch, tree.kinds)
                key, limit = ("", words), Verbatim(split, branch, words)
            else:
                key = (split.column, split.kind)
                limit = narrowed(limits.get(key), split, branch, column)
        before.append((key, limits.get(key)))
        limits[key] = limit
        yield i, level, key, limits


def _conditions(limits: Collection[Limit]) -> list[str]:
    """What a path asks in words; where it contradicts itself, that alone."""
    if all(limit.possible for limit in limits):
        return [limit.words for limit in limits if limit.words]
    return [limit.words for limit in limits if not limit.possible]


def narrowed(known: Limit | None, split: Split, branch: int, column: TreeColumn) -> Interval | Levels:
    """What a branch by thresholds or groups leaves of what the path asks of its column so far."""
    if known is None:
        known = Interval(column) if split.kind == "threshold" else Levels(column, frozenset(column.levels))
    assert not isinstance(known, Verbatim)
    return known.within(split, branch)


def _errors(tree: TreeArrays, part: str) -> NDArray[np.float64]:
    """float64[n_nodes]: the error of every node as a leaf; nan without rows."""
    weight = tree.weight(part)
    errors = tree.wrong(part) if tree.task == "classes" else tree.costs(part)
    return np.divide(errors, weight, out=np.full(tree.n_nodes, nan), where=weight > 0)


def _condition(limit: Interval | Levels, every: bool, values: Callable[[], str]) -> str:
    """The values in words, with the missing one where rows lack any; `every`: all values are allowed."""
    name = limit.column.name
    if not limit.has_values:
        return f"{name} missing" if limit.missing else f"no value of {name} is left"
    if every:
        return "" if limit.missing else f"{name} present"
    text = values()
    if not (limit.missing and limit.column.missing):
        return text
    return f"{text} OR {name} missing" if text.startswith(NOT) else f"{text} or missing"


def _one_of(levels: Sequence[str]) -> str:
    return f"= {levels[0]}" if len(levels) == 1 else f"in {{{levels_words(levels)}}}"


def _joined(conditions: tuple[str, ...], single: bool) -> str:
    """One way: its conditions joined by AND, in brackets where other ways stand beside it."""
    if len(conditions) == 1:
        return conditions[0] if single else bracketed(conditions[0])
    text = " AND ".join(map(bracketed, conditions))
    return text if single else f"({text})"


def bracketed(condition: str) -> str:
    """A condition as it stands beside others: in brackets where it is an alternative itself."""
    return f"({condition})" if " or " in condition.lower() else condition
