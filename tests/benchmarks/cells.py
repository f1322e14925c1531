"""What is measured: one cell for each row of the table, tree and learner, in the order in which they are measured.

Learners that are compared stand one after the other, so that they meet the machine in the same state.
"""

from dataclasses import asdict, dataclass
from typing import Any

from tests.benchmarks.data import FLIGHTS, RECIPES
from tests.benchmarks.peers import DEPTH_6, FULL, LEAVES_OF_5, PEERS, TREES

OURS = "Espalier"
STUMP = "stump"

# How a kind of cell is measured; a new number forgets all earlier results of the kind.
METHODS = {
    "grow": 1, "root": 1, "changes": 1, "folds": 1, "threads": 1, "ties": 1, "file": 1, "compile": 1, "window": 1,
    "pruning": 2,
}  # fmt: skip


@dataclass(frozen=True, order=True)
class Cell:
    """One measurement, in a process of its own.

    Attributes:
        kind: a name of `METHODS`.
        data: a name of `RECIPES`; empty where no data are needed.
        rows, columns: how many.
        tree: one of `TREES`, or "stump", or empty.
        who: Espalier, a name of `PEERS`, or another program.
    """

    kind: str
    data: str
    rows: int
    columns: int
    tree: str
    who: str

    @property
    def name(self) -> str:
        """What it is called on screen, and what `--only` looks at."""
        size = f"{self.rows:,} × {self.columns}" if self.rows else ""
        return " · ".join(part for part in (self.kind, self.data, size, self.tree, self.who) if part)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def refusal(self) -> str:
        """Why this learner has no such tree, or ""."""
        return PEERS[self.who].cannot(RECIPES[self.data], self.tree) if self.who in PEERS else ""


@dataclass(frozen=True)
class Row:
    """One row of the table: the trees grown from one set of data."""

    data: str
    rows: int
    columns: int
    trees: tuple[str, ...] = TREES

    def cell(self, tree: str, who: str) -> Cell:
        return Cell("grow", self.data, self.rows, self.columns, tree, who)

    @property
    def words(self) -> str:
        return f"{self.rows:,} × {self.columns}, {RECIPES[self.data].words}"


MILLION = 1_000_000
ROWS = (
    Row("binary", 10_000, 20),
    Row("binary", 100_000, 20),
    Row("binary", MILLION, 20),
    Row("binary", 100_000, 500),
    *(Row(data, MILLION, 20) for data in RECIPES if data not in ("binary", "mostly nominal", "flights")),
    Row("flights", *FLIGHTS),
)
LONG_ROWS = (Row("binary", 10 * MILLION, 20, (DEPTH_6,)),)

# Growth with the number of columns; that with the number of rows is read from the rows above.
WIDTHS = tuple(Row("binary", 100_000, columns, (FULL,)) for columns in (5, 10, 20, 40, 80))
LONG_LENGTHS = (Row("binary", 10 * MILLION, 20, (FULL,)),)

FURTHER = (
    *(
        Cell("root", data, MILLION, 20, STUMP, who)
        for data in ("binary", "10 classes", "regression")
        for who in (OURS, "scikit-learn")
    ),
    *(Cell("changes", "binary", MILLION, 20, tree, OURS) for tree in (DEPTH_6, FULL)),
    *(Cell("folds", "binary", MILLION, 20, tree, OURS) for tree in (DEPTH_6, FULL)),
    *(
        Cell("pruning", data, MILLION, 20, tree, OURS)
        for data, tree in (("binary", FULL), ("regression", LEAVES_OF_5), ("mostly nominal", FULL))
    ),
    *(Cell("threads", data, MILLION, 20, FULL, OURS) for data in ("binary", "regression")),
    *(Cell("ties", data, 100_000, 20, FULL, OURS) for data, recipe in RECIPES.items() if not recipe.nominal),
    *(Cell("file", "binary", MILLION, 20, "", who) for who in (OURS, "pyarrow")),
    Cell("compile", "", 0, 0, "", OURS),
    Cell("window", "", 0, 0, "", OURS),
)


def table_rows(long: bool) -> tuple[Row, ...]:
    """The rows of the table."""
    return ROWS + (LONG_ROWS if long else ())


def all_cells(long: bool) -> list[Cell]:
    """Every cell that some learner can do, in order."""
    cells = [row.cell(tree, who) for row in table_rows(long) for tree in row.trees for who in (OURS, *PEERS)]
    cells += [row.cell(FULL, OURS) for row in WIDTHS + (LONG_LENGTHS if long else ())]
    return [cell for cell in dict.fromkeys((*cells, *FURTHER)) if not cell.refusal]
