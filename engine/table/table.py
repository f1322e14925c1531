"""The table itself."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from engine.runtime.errors import InputError, readable
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from engine.table.checks import WEIGHING, check_numbers, check_roles, check_target, check_weights
from engine.table.column import EXACT_INTEGER, Column, with_bins, with_kind, with_order
from engine.table.frames import as_frame, columns_of_frame, frame_notes
from engine.table.partition import TEST, TRAIN, UNUSED, VALIDATION, by_column, by_share, check_shares, chosen_by_key
from engine.table.words import MOST_BINS, quoted_words

MOST_INTEGER_CLASSES = 20
ODD_SHARE = 0.05  # by how much the share of test rows may differ from the one that was asked for


@dataclass(frozen=True, eq=False)
class Table:
    """An immutable table. Every `with_…` returns a new one that shares the columns.

    Attributes:
        columns: in the order of the source.
        n_rows: how many rows each has.
        name: what people call it.
        source: how it was read, as plain values; empty for a data frame.
        target: the column to predict, or None.
        roles: for every column but the target one of "feature", "ignore", "weight" (a sampling weight), "frequency"
            (for how many rows a row stands), "partition", "group".
        partition: {"validation", "seed"}, or {"column"}, with what test rows are known by, {"test", "test_seed",
            "test_key"} or {"test_column"}; {} when all rows train.
        remarks: announcements of the reader, in words.
    """

    columns: tuple[Column, ...]
    n_rows: int
    name: str = "table"
    source: dict[str, Any] = field(default_factory=dict)
    target: str | None = None
    roles: dict[str, str] = field(default_factory=dict)
    partition: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        target: str | None = None,
        weights: str | None = None,
        roles: Mapping[str, str] | None = None,
        kinds: Mapping[str, str | Sequence[str]] | None = None,
        name: str = "table",
        source: Mapping[str, Any] | None = None,
        remarks: tuple[str, ...] = (),
        frequencies: str | None = None,
    ) -> "Table":
        """A table from a data frame; all rows train.

        Args:
            target: the column to predict. Levels, booleans and integers of at most 20 distinct values make
                classes; kinds={target: "number"} makes it numeric, kinds={target: "nominal"} classes.
            weights: the column of sampling weights: how much each row counts beside the others.
            frequencies: the column of counts: for how many equal rows each row stands, a whole number.
            roles: by column name; columns not named are features.
            kinds: by column name; columns not named keep the kind of their dtype. Levels instead of a kind, as in
                {"size": ["small", "middle", "large"]}, make the column ordered in this order.

        Raises:
            InputError: the frame cannot be used; the text says why.
        """
        named = [*(roles or {}).items(), (weights, "weight"), (frequencies, "frequency")]
        chosen = {readable(column): role for column, role in named if column is not None}
        columns = columns_of_frame(frame, {readable(column): kind for column, kind in (kinds or {}).items()}, name)
        target = None if target is None else readable(target)
        return cls.from_columns(columns, target, chosen, name, source, (*remarks, *frame_notes(frame, columns)))

    @classmethod
    def from_columns(
        cls,
        columns: Sequence[Column],
        target: str | None,
        roles: Mapping[str, str],
        name: str,
        source: Mapping[str, Any] | None,
        remarks: tuple[str, ...],
    ) -> "Table":
        """A table of finished columns: at least one, with a row, no two of one name; see `from_frame`.

        Raises:
            InputError: the target, the weights or a role does not fit; the text says why.
        """
        chosen = {**{column.name: "feature" for column in columns}, **roles}
        n_rows = columns[0].codes.size
        return cls(tuple(columns), n_rows, name, dict(source or {}), target, chosen, {}, remarks)._checked()

    @property
    def counter(self) -> Any:
        """What counts the rows where they are, see `engine.sources.counted.Counter`; None where the table has them."""
        return None

    def need_rows(self) -> None:
        """InputError where the rows are only counted."""

    def seen(self, n: int, progress: Progress | None = None) -> "Table":
        """The table, whose rows can be looked at; where they are only counted, n of them that are drawn at random, if
        the progress is not stopped meanwhile, which raises Stopped."""
        return self

    def __repr__(self) -> str:
        what = f", target “{self.target}”" if self.target is not None else ""
        return f"<Table “{self.name}”: {self.n_rows:,} rows × {len(self.columns)} columns{what}>"

    # -- looking things up

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: i for i, column in enumerate(self.columns)}

    @property
    def names(self) -> list[str]:
        """The names of all columns."""
        return list(self._places)

    def index(self, name: str) -> int:
        """The place of a column; InputError when there is none of that name."""
        if name not in self._places:
            raise InputError(tr(
                "There is no column “{name}” in {table}; it has {names}.", name=name, table=self.name,
                names=quoted_words(self.names)))  # fmt: skip
        return self._places[name]

    def column(self, name: str) -> Column:
        """A column by its name."""
        return self.columns[self.index(name)]

    @cached_property
    def features(self) -> tuple[int, ...]:
        """The places of the columns that splits may use."""
        return tuple(
            i for i, column in enumerate(self.columns)
            if column.name != self.target and self.roles.get(column.name) == "feature"
        )  # fmt: skip

    @cached_property
    def lacking(self) -> frozenset[int]:
        """The places of the features that some training row lacks."""
        train = self.part == TRAIN
        return frozenset(
            i for i in self.features if self.columns[i].n_missing and (self.columns[i].codes[train] == 0).any()
        )

    def trained_codes(self, column: Column) -> NDArray[np.int64]:
        """int64[m]: the codes of a column of this table, from 1 on, that training rows have, ascending; kept."""
        if column.name not in self._trained_codes:
            codes = np.unique(column.codes[self.part == TRAIN]).astype(np.int64)
            self._trained_codes[column.name] = codes[codes > 0]
        return self._trained_codes[column.name]

    @cached_property
    def _trained_codes(self) -> dict[str, NDArray[np.int64]]:
        return {}

    def _with_role(self, role: str) -> Column | None:
        for column in self.columns:
            if self.roles.get(column.name) == role and column.name != self.target:
                return column
        return None

    # -- the target

    @property
    def target_column(self) -> Column:
        """The column to predict; InputError when none is chosen."""
        if self.target is None:
            raise InputError(tr("No target is chosen in {table}: name the column to predict.", table=self.name))
        return self.column(self.target)

    @cached_property
    def task(self) -> str:
        """ "classes" or "number"."""
        column = self.target_column
        if not column.is_numeric or (column.kind == "integer" and column.n_values <= MOST_INTEGER_CLASSES):
            return "classes"
        return "number"

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The classes in order; empty for a numeric target."""
        column = self.target_column
        return tuple(column.text(i) for i in range(column.n_values)) if self.task == "classes" else ()

    @property
    def n_stats(self) -> int:
        """The length of a node's sufficient statistic: the number of classes, or 3 for (w, Σwy, Σwy²)."""
        return len(self.classes) if self.task == "classes" else 3

    @cached_property
    def origin(self) -> float:
        """The mean of a numeric target over all rows but test rows, 0 for classes. Sums are taken around it: no
        cancellation."""
        if self.task != "number":
            return 0.0
        return float(np.nanmean(self.target_column.numbers[self.unsealed]))

    @cached_property
    def y(self) -> NDArray[Any]:
        """The target of each row: class numbers uint16[n_rows] (the number of classes where it is missing), or
        float64[n_rows] of the value minus `origin` (NaN where it is missing).
        """
        column = self.target_column
        if self.task == "number":
            return column.numbers - self.origin
        of_code = np.append(column.n_values, np.arange(column.n_values)).astype(np.uint16)
        return of_code[column.codes]

    @cached_property
    def target_ranks(self) -> NDArray[Any]:
        """uint[n_rows]: the rank of each row's target among those of the rows that are not kept for the test."""
        if self.unsealed.size == self.n_rows:
            return self.target_column.codes
        ranks = np.zeros(self.n_rows, self.target_column.codes.dtype)
        ranks[self.unsealed] = self.target_column.among(self.unsealed).codes
        return ranks

    @cached_property
    def weights(self) -> NDArray[np.float64] | None:
        """float64[n_rows], 0 where missing; None when every row counts once."""
        column = self.weighing
        if column is None:
            return None
        return np.nan_to_num(column.numbers, nan=0.0)

    @cached_property
    def only_value(self) -> str | None:
        """The target of all training rows, as text; None where it differs between them."""
        column, rows = self.target_column, self.rows(TRAIN)
        for step in (rows.size // 1000 + 1, 1):  # of most tables a few rows tell
            codes = column.codes[rows[::step]]
            if not codes.size or codes.min() != codes.max():
                return None
        return column.text(int(codes[0]) - 1)

    @cached_property
    def class_weights(self) -> NDArray[np.float64]:
        """float64[K]: the training weight of each class; of whole rows, whatever is searched."""
        if self._whole is not None:
            return self._whole[0].class_weights
        rows = self.rows(TRAIN)
        weights = None if self.weights is None else self.weights[rows]
        return np.bincount(self.y[rows], weights, len(self.classes)).astype(np.float64)

    @property
    def weighing(self) -> Column | None:
        """The column of weights or of frequencies."""
        return self._with_role("weight") or self._with_role("frequency")

    @property
    def weights_are_counts(self) -> bool:
        """Whether the weights are frequencies: to a test a row is as many rows as it stands for."""
        return self._with_role("frequency") is not None

    @property
    def is_sampled(self) -> bool:
        """Whether rows have sampling weights: to a test they are worth (Σw)² ÷ Σw² rows together (Kish 1965)."""
        return self.weighing is not None and not self.weights_are_counts

    @cached_property
    def n_counted(self) -> int:
        """The training rows, each as often as its frequency says: the m of a bound."""
        frequencies = self.weights if self.weights_are_counts else None
        return self.n_train if frequencies is None else round(float(frequencies[self.rows(TRAIN)].sum()))

    # -- the parts

    @cached_property
    def part(self) -> NDArray[np.uint8]:
        """uint8[n_rows]: TRAIN, VALIDATION, TEST, or UNUSED (the target is missing or the weight is 0)."""
        usable = np.ones(self.n_rows, dtype=bool)
        if self.target is not None:
            usable &= self.target_column.codes != 0
        if self.weights is not None:
            usable &= self.weights > 0
        how = self.partition
        test = self.sealed & usable
        if "column" in how:
            part = by_column(self.column(how["column"]), usable)
            part[part == TEST] = UNUSED  # those that the column calls so but that are none: others were kept before
            part[test] = TEST
            return part
        part = np.full(self.n_rows, UNUSED, dtype=np.uint8)
        part[usable] = TRAIN
        part[test] = TEST
        if how.get("validation"):
            by_class = self.target is not None and self.task == "classes"
            strata = self.y if by_class else np.zeros(self.n_rows, np.uint16)
            by_share(strata, part, how["validation"], how["seed"], self._with_role("group"))
        return part

    @cached_property
    def sealed_classes(self) -> frozenset[str]:
        """The classes that no row has but those kept for the test: who does not look at these does not name them."""
        if self.target is None or self.task != "classes":
            return frozenset()
        others = self.y[np.isin(self.part, (TRAIN, VALIDATION))]
        only = np.setdiff1d(self.y[self.part == TEST], others)
        return frozenset(self.classes[k] for k in only.tolist())

    @cached_property
    def sealed(self) -> NDArray[np.bool_]:
        """bool[n_rows]: the rows that are kept for the test, also those that nothing can use now: without a target, or
        of weight 0."""
        how = self.partition
        if "test" in how:
            key = how.get("test_key")
            return chosen_by_key(self.n_rows, how["test"], how["test_seed"], None if key is None else self.column(key))
        if (column := how.get("test_column", how.get("column"))) is None:
            return np.zeros(self.n_rows, dtype=bool)
        return by_column(self.column(column), np.ones(self.n_rows, dtype=bool)) == TEST

    @cached_property
    def sealed_share(self) -> float:
        """The share of the rows that is kept for the test."""
        return float(self.sealed.mean())

    @property
    def _kept_for_test(self) -> dict[str, Any]:
        """The entries of the partition that say which rows are kept for the test; empty where none are."""
        if not self.sealed.any():
            return {}
        if "test" in self.partition or "test_column" in self.partition:
            return {name: value for name, value in self.partition.items() if name.startswith("test")}
        return {"test_column": self.partition["column"]}

    @cached_property
    def unsealed(self) -> NDArray[np.int64]:
        """int64[·]: the rows that are not kept for the test, ascending. What a person sees of rows before the test is
        taken is about these."""
        return np.flatnonzero(~self.sealed)

    def rows(self, part: int) -> NDArray[np.uint32]:
        """The row numbers of a part, ascending."""
        return np.flatnonzero(self.part == part).astype(np.uint32)

    @cached_property
    def used(self) -> NDArray[np.int64]:
        """int64[·]: the rows that train or validate, ascending. Made once and kept."""
        if self.n_train + self.n_validation == self.n_rows:
            return np.arange(self.n_rows)
        return np.flatnonzero(self.part <= VALIDATION)

    @cached_property
    def n_train(self) -> int:
        """How many rows train."""
        return int(np.count_nonzero(self.part == TRAIN))

    @cached_property
    def n_validation(self) -> int:
        """How many rows validate."""
        return int(np.count_nonzero(self.part == VALIDATION))

    @cached_property
    def n_test(self) -> int:
        """How many rows are kept for the test."""
        return int(np.count_nonzero(self.part == TEST))

    @cached_property
    def counts_key(self) -> str:
        """What the counts of a tree's nodes depend on, as one word: where it is equal, so are they.

        Columns are distinguished by their marks, so a table that was read again has another key. That costs a recount,
        but never trusts a wrong one.
        """
        weight, group = self.weighing, self._with_role("group")
        facts = (
            self.n_rows, self.target, None if weight is None else weight.name, sorted(self.partition.items()),
            None if group is None else group.name,
            [column.mark for column in self.columns],
        )  # fmt: skip
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about this table, in words: of infinite values, integers beyond 2⁵³, rows without
        a target."""
        notes = list(self.remarks)
        for column in self.columns:
            if column.is_numeric and column.n_values and np.isinf(column.values[[0, -1]]).any():
                said = {"name": column.name, "n": int(np.isinf(column.numbers).sum())}
                one = tr("“{name}” is infinite in 1 row: kept, as the smallest or largest value.", **said)
                more = tr("“{name}” is infinite in {n} rows: kept, as the smallest or largest value.", **said)
                notes.append(one if said["n"] == 1 else more)
            if column.kind == "integer" and np.any(np.abs(column.values[np.isfinite(column.values)]) >= EXACT_INTEGER):
                text = marked("“{name}” holds integers of 2⁵³ and beyond: neighbours there may count as equal.")
                notes.append(tr(text, name=column.name))
        notes += self._notes_on_parts()
        if self.target is not None and self.target_column.n_missing:
            notes.append(self._note_on_target(self.target))
        if self.target is not None and self.only_value is not None:
            notes.append(tr(
                "The target “{target}” is “{value}” in every training row: the tree is a single leaf until you choose "
                "another target.", target=self.target, value=self.only_value))  # fmt: skip
        return tuple(notes)

    def _note_on_target(self, target: str) -> str:
        """That some rows have no value in the target."""
        n = self.target_column.n_missing
        one = tr("1 row has no value in the target “{target}” and is left out.", target=target)
        more = tr("{n:,} rows have no value in the target “{target}” and are left out.", n=n, target=target)
        return one if n == 1 else more

    def _notes_on_parts(self) -> list[str]:
        """Where rows that belong together are parted, and where few values of a key make an odd share of test rows."""
        if "test" not in self.partition:
            return []
        notes, group, key = [], self._with_role("group"), self.partition.get("test_key")
        if group is not None and group.name != key:
            notes.append(tr(
                "Test rows were chosen before “{group}” was the group, so rows of one value may stand on both sides: "
                "choose this role as the file is opened.", group=group.name))  # fmt: skip
        asked, share = self.partition["test"], self.sealed_share
        if key is not None and abs(share - asked) > ODD_SHARE:
            said = {"share": 100 * share, "asked": 100 * asked, "key": key, "n": self.column(key).n_values}
            notes.append(tr(
                "{share:.0f} % of the rows are kept for the test where {asked:.0f} % were asked for: rows of one value "
                "of “{key}” stay together, and it has {n:,} values.", **said))  # fmt: skip
        return notes

    @cached_property
    def bindings(self) -> dict[Any, Any]:
        """The lookups of splits already bound to this table; kept by `engine.splits.bind`."""
        return {}

    # -- the target in bins

    @cached_property
    def _binnings(self) -> dict[int, "tuple[tuple[float, ...], Table]"]:
        return {}

    def bin_edges(self, bins: int) -> tuple[float, ...]:
        """Where so many bins of the numeric target part, ascending: equal counts of training rows, by their weights.

        Equal values stay in one bin, so there may be fewer. A value goes into the first bin whose edge it does not
        exceed.

        Raises:
            InputError: the target is not numeric or has one value among the training rows, or no such number of bins.
        """
        return self._binning(bins)[0]

    def binned(self, bins: int) -> "Table":
        """The same rows, parts and other columns with the bins of the numeric target as ordered classes.

        Raises:
            InputError: as for `bin_edges`.
        """
        if self._whole is not None:
            return self._whole[0].binned(bins).divided_rows(*self._whole[1:])
        return self._binning(bins)[1]

    def _binning(self, bins: int) -> "tuple[tuple[float, ...], Table]":
        if bins in self._binnings:
            return self._binnings[bins]
        target = self.target_column
        if self.task != "number":
            raise InputError(
                tr("The target “{target}” is no number, so it cannot be binned: use its classes.", target=target.name)
            )
        if not 2 <= bins <= MOST_BINS:
            raise InputError(tr(
                "bins cannot be {bins}; it is a whole number from 2 to {most:,}.", bins=bins, most=MOST_BINS,
            ))  # fmt: skip
        rows = self.rows(TRAIN)
        weights = None if self.weights is None else self.weights[rows]
        held = np.bincount(target.codes[rows], weights, minlength=target.n_values + 1)[1:]
        present = np.flatnonzero(held)
        edges = equal_count_edges(target.values[present].astype(np.float64), held[present].astype(np.float64), bins)
        if not edges:
            raise InputError(tr(
                "The target “{target}” has the same value in all training rows, so there are no two bins of it: "
                "change the partition or choose another target.", target=target.name))  # fmt: skip
        binned = self.with_column(with_bins(target, edges))
        # classes would be divided again, by strata; and what is known of the other columns holds for them
        binned.__dict__.update(part=self.part, weights=self.weights, bindings=self.bindings)
        self._binnings[bins] = edges, binned
        return edges, binned

    # -- classes that weigh more or less

    @cached_property
    def _reweighed(self) -> "dict[bytes, Table]":
        return {}

    def reweighed(self, factors: NDArray[np.float64]) -> "Table":
        """The same rows, parts and columns to a search in which a row weighs so many times as much as it counts, by its
        class: float64[K]. Made once and kept."""
        if np.allclose(factors, 1.0, rtol=0.0, atol=1e-12):
            return self
        if self._whole is not None:
            return self._whole[0].reweighed(factors).divided_rows(*self._whole[1:])
        key = factors.tobytes()
        if key not in self._reweighed:
            view = replace(self)
            view.__dict__.update(self.__dict__, part=self.part, as_counted=self, _reweighed={}, _views={})
            of_class = np.append(factors, 0.0)[self.y]
            view.__dict__["weights"] = of_class if self.weights is None else of_class * self.weights
            view.__dict__.pop("class_weights", None)
            self._reweighed[key] = view
        return self._reweighed[key]

    @cached_property
    def as_counted(self) -> "Table":
        """The table in which every row counts as much as it says; itself unless classes were reweighed."""
        return self

    # -- parts of rows

    @cached_property
    def share(self) -> NDArray[np.float64] | None:
        """float64[n_rows]: which part of each row is meant; None for all of all."""
        return None

    @cached_property
    def _whole(self) -> "tuple[Table, NDArray[Any], NDArray[np.float64]] | None":
        """What `divided_rows` made this of."""
        return None

    @property
    def whole(self) -> "Table":
        """The table of which parts of rows are searched; itself where whole rows are."""
        return self if self._whole is None else self._whole[0]

    def divided_rows(self, rows: NDArray[Any], share: NDArray[np.float64]) -> "Table":
        """The same rows, parts and columns to a search of these rows, each of which weighs but this part of what it
        counts, float64[n]."""
        view, parts = replace(self), np.zeros(self.n_rows)
        parts[rows] = share
        weights = parts if self.weights is None else parts * self.weights
        others = {"part": self.part, "share": parts, "weights": weights, "_whole": (self, rows, share)}
        as_counted = view if self.as_counted is self else self.as_counted.divided_rows(rows, share)
        view.__dict__.update(self.__dict__, **others, as_counted=as_counted)
        return view

    # -- other versions of it

    def with_partition(
        self, validation: float = 0.0, test: float = 0.0, seed: int = 0, column: str | None = None, *,
        test_seed: int | None = None, test_key: str | None = None, test_column: str | None = None,
    ) -> "Table":  # fmt: skip
        """The same rows divided again: by hashes and shares, or as a column says. Test rows that the table has stay
        test rows: no other division makes them train or validate.

        Args:
            validation: the share of validation rows, the same in every class; with a column of the role "group" by its
                values, which are not parted.
            test: the share of test rows, by the values of the column with the role "group" (else "key") where there
                is one; 0 keeps those that there are.
            column: says "train", "validation" or "test" of each row.
            test_seed, test_key, test_column: as `partition` records test rows that were chosen before.

        Raises:
            InputError: the shares leave no rows, the column names no parts or is the target, or other test rows were
                kept before.
        """
        check_shares(validation, test)
        kept = self._kept_for_test
        if test_column is not None:
            wanted: dict[str, Any] = {"test_column": self.column(test_column).name}
        elif test:
            by = self._with_role("group") or self._with_role("key")
            key = test_key if test_key is not None or by is None or test_seed is not None else by.name
            wanted = {"test": test, "test_seed": seed if test_seed is None else test_seed}
            wanted |= {} if key is None else {"test_key": self.column(key).name}
        else:
            wanted = kept
        if kept and wanted != kept:
            raise InputError(tr(
                "{n:,} test rows are kept in {table}, and no others can be: leave the test share as it is, or read the "
                "table again.", n=int(self.sealed.sum()), table=self.name))  # fmt: skip
        roles = {name: "ignore" if role == "partition" else role for name, role in self.roles.items()}
        if column is None:
            partition = {"validation": validation, "seed": seed} if validation else {}
            return replace(self, roles=roles, partition={**partition, **wanted})._checked()
        roles[self.column(column).name] = "partition"
        wanted = {} if wanted == {"test_column": column} else wanted
        return replace(self, roles=roles, partition={"column": column, **wanted})._checked()

    def divided(self, part: NDArray[np.uint8]) -> "Table":
        """The same rows in these parts, uint8[n_rows], for a while; how they were divided is not recorded."""
        divided = replace(self, partition={"given": uuid.uuid4().hex})
        shared = (
            "features", "task", "classes", "origin", "y", "weights", "bindings", "_places", "target_ranks", "sealed",
        )  # fmt: skip
        divided.__dict__.update({name: getattr(self, name) for name in shared}, part=part)
        return divided

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kinds of the columns by name, for words: dates of whole days are a kind of their own."""
        return {column.name: column.kind_in_words for column in self.columns}

    @cached_property
    def _views(self) -> "dict[frozenset[str], Table]":
        return {}

    def without(self, names: frozenset[str]) -> "Table":
        """The same table to a search that leaves these features out; it may have none left. Made once and kept."""
        names &= {self.columns[i].name for i in self.features}  # other columns keep their roles
        if not names:
            return self
        if self._whole is not None:
            return self._whole[0].without(names).divided_rows(*self._whole[1:])
        if names not in self._views:
            view = replace(self, roles={**self.roles, **dict.fromkeys(names, "ignore")})
            shared = ("task", "classes", "origin", "y", "weights", "part", "used", "bindings", "_places", "sealed")
            view.__dict__.update({name: getattr(self, name) for name in shared})
            self._views[names] = view
        return self._views[names]

    def with_roles(self, roles: Mapping[str, str]) -> "Table":
        """The same columns in other roles; those not named keep theirs."""
        changed = replace(self, roles={**self.roles, **roles})
        dividing = changed.partition.get("column")
        if dividing is not None and changed.roles.get(dividing) != "partition":
            changed = replace(changed, partition=self._kept_for_test)
        named = [name for name, role in roles.items() if role == "partition"]
        return changed.with_partition(column=named[0]) if named else changed._checked()

    def why_fixed(self, name: str, role: str | None = None) -> str:
        """Why a column cannot be given a role, "target" for the one to predict, or, where none is named, another type
        or order of its levels; in a sentence, empty where it can."""
        if role is not None or name != self.partition.get("test_key"):
            return ""
        return tr(
            "“{name}” chose the test rows by its values, so its type stays: read the table again to change it.",
            name=name)  # fmt: skip

    def with_kind(self, name: str, kind: str) -> "Table":
        """The same table with one column read as another kind; InputError when a value does not fit, or `why_fixed`
        says that it cannot be."""
        if reason := self.why_fixed(name):
            raise InputError(reason)
        return self.with_column(with_kind(self.column(name), kind))._checked()

    def with_order(self, name: str, levels: Sequence[str]) -> "Table":
        """The same table with the levels of one column in another order; InputError when they are not its levels."""
        return self.with_column(with_order(self.column(name), levels))._checked()

    def with_column(self, column: Column) -> "Table":
        """The same table with another column of the same name."""
        place = self.index(column.name)
        columns = (*self.columns[:place], column, *self.columns[place + 1 :])
        return replace(self, columns=columns)

    def with_target(self, target: str) -> "Table":
        """The same columns with another one to predict; the former target becomes a feature.

        The new target gives up its role: the weights are then gone, and all rows but the test rows train if it divided
        them.
        """
        roles = {**self.roles, target: "feature"}
        partition = self._kept_for_test if self.partition.get("column") == target else self.partition
        return replace(self, target=target, roles=roles, partition=partition)._checked()

    def take(self, rows: NDArray[Any]) -> "Table":
        """Only these rows, with the same columns, roles and target, all of them training."""
        columns = tuple(column.take(rows) for column in self.columns)
        taken = replace(self, columns=columns, n_rows=len(rows), partition={})
        if self.sealed.any() and self.target is not None:
            taken.__dict__.update(target_ranks=self.target_ranks[rows])
        return taken

    def to_frame(self, rows: NDArray[Any] | None = None) -> pd.DataFrame:
        """The values as a data frame, all rows or some."""
        return as_frame(self.columns, rows)

    def _checked(self) -> "Table":
        for name in self.roles:
            self.index(name)
        check_roles(self.roles, self.target)
        weighing = [c for c in self.columns if self.roles.get(c.name) in WEIGHING and c.name != self.target]
        check_weights(weighing, self.roles)
        if self.target is not None:
            check_target(self.target_column, self.task == "classes", len(self.features))
            if self.task == "number":
                check_numbers(self.target_column, self.weights)
            if not self.n_train:
                raise InputError(
                    tr("No row is left for training in {table}: change the partition or the weights.", table=self.name)
                )
        return self


def equal_count_edges(values: NDArray[np.float64], weights: NDArray[np.float64], bins: int) -> tuple[float, ...]:
    """The edges of bins of about equal weight, halfway between two neighbouring values; fewer where values are heavy.

    Each edge follows the value up to which the weight is nearest to j/bins of all; of two equally near the lower one.

    Args:
        values: float64[d], distinct and ascending.
        weights: float64[d], above 0.
        bins: how many are wanted, at least 2.
    """
    passed = np.cumsum(weights)
    inner, wanted = bins * passed[:-1], np.arange(1, bins) * passed[-1]
    if inner.size == 0:
        return ()
    above = np.searchsorted(inner, wanted).clip(0, inner.size - 1)
    lower = (above - 1).clip(0)
    last = np.unique(np.where(wanted - inner[lower] <= inner[above] - wanted, lower, above))
    low, high = values[last], values[last + 1]
    middle = low / 2 + high / 2
    return tuple(np.where((low <= middle) & (middle < high), middle, low).tolist())
