"""What was measured, as tables: for the terminal and, the same ones, for FIGURES.md.

Times are medians in seconds. A ratio is the other learner's time from its arrays to the tree, its own form of the data
included, by Espalier's from the data frame to the tree.
"""

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.benchmarks.cells import FULL, FURTHER, LONG_LENGTHS, OURS, WIDTHS, Cell, Row, table_rows
from tests.benchmarks.data import RECIPES
from tests.benchmarks.peers import PEERS

Results = dict[Cell, dict[str, Any]]
NOTHING = "–"
JUDGE = "scikit-learn"
JUDGES = (JUDGE, "obliquetree")  # exact peers; the second where the first knows no categories
QUIET = 0.25  # processors that others may use before a figure is marked


@dataclass(frozen=True)
class Sheet:
    """One table: what stands above it, its head and its rows, all as words."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


def text(results: Results) -> str:
    """All tables for the terminal."""
    return "\n\n".join(_aligned(sheet) for sheet in sheets(results)) or "Nothing of this is measured yet."


def markdown(results: Results) -> str:
    """The tables for FIGURES.md; that of every learner's leaves and error is left to the terminal."""
    return "\n\n".join(
        "\n".join(
            [f"**{sheet.title}.** {sheet.note}", "", *map(_bars, (sheet.head, ("---",) * len(sheet.head), *sheet.rows))]
        )
        for sheet in sheets(results, _SHORT)
    )


def sheets(results: Results, which: tuple[Any, ...] = ()) -> list[Sheet]:
    """The tables that have any row."""
    made = (sheet(results) for sheet in which or _ALL)
    return [sheet for sheet in made if sheet.rows]


def disturbed(result: dict[str, Any]) -> bool:
    """Whether other processes used the machine while this was measured."""
    return (result.get("others") or 0.0) > QUIET


def together(result: dict[str, Any]) -> float:
    """From the data frame, or the arrays, to the tree: the median of the runs' sums; NaN if it was given up."""
    seconds = result.get("seconds", {})
    steps = [seconds[step] for step in ("table", "first", "prepare", "train") if step in seconds]
    return median(map(sum, zip(*steps, strict=True))) if steps else math.nan


def _growing(results: Results) -> Sheet:
    rows = []
    for row, tree in _lines(results):
        ours = results.get(row.cell(tree, OURS))
        figures = (NOTHING,) * 4
        if ours is not None and "seconds" in ours:
            steps = [median(ours["seconds"][step]) for step in ("table", "first", "again")]
            figures = (
                _seconds(steps[0]),
                _seconds(steps[1]),
                _seconds(together(ours)) + _mark(ours),
                _seconds(steps[2]),
            )
        peers = (_beside(results.get(row.cell(tree, who)), ours) for who in PEERS)
        exact = next((found for who in JUDGES if (found := results.get(row.cell(tree, who)))), None)
        rows.append((row.words, tree, *figures, _beside_judge(row.data, ours, exact), *peers))
    return Sheet(
        "Growing one tree",
        "Seconds on two threads (scikit-learn and obliquetree have one). Of a peer with a form of the data of its own: "
        "making it + training, then how many times Espalier's “frame to tree” the whole takes. Behind leaves and "
        "training error (share of rows, or mean squared error): “=” the rows stand together in the same leaves as by "
        "scikit-learn, or by obliquetree where that alone knows the columns; “≈” as many leaves and the same error; "
        "else what it has: exact trees part at exact ties. "
        f"~: other processes kept more than {QUIET} processors busy meanwhile.",
        ("data", "tree", "frame → table", "first growth", "frame to tree", "again", "leaves; error", *PEERS),
        rows,
    )


def _trees(results: Results) -> Sheet:
    rows = []
    for row, tree in _lines(results):
        ours, judge = results.get(row.cell(tree, OURS)), results.get(row.cell(tree, JUDGE))
        others = (_tree(row.data, results.get(row.cell(tree, who))) for who in PEERS)
        rows.append((row.words, tree, _tree(row.data, ours) + _same(ours, judge), *others))
    return Sheet(
        "The trees",
        "Leaves, and training error. “=”, “≈”, “≠”: as scikit-learn's, row by row; as many leaves and the same error; "
        "another. Where several splits gain the same, as in small nodes and among integers, scikit-learn takes the "
        "first column in a random order, Espalier the lower column and cut, and what follows differs.",
        ("data", "tree", OURS, *PEERS),
        rows,
    )


def _ties(results: Results) -> Sheet:
    rows = []
    for cell, found in ((cell, results[cell]["found"]) for cell in FURTHER if cell.kind == "ties" and cell in results):
        row = Row(cell.data, cell.rows, cell.columns)
        rows.append((row.words, *(f"{found[word]:,}" for word in ("same", "tie", "near", "neither"))))
    return Sheet(
        "Beside scikit-learn's tree, split by split",
        "Full trees, walked down together until they part: splits that divide the rows alike; others of exactly the "
        "same gain; of a gain within 10⁻⁹ of it; and neither.",
        ("data", "same", "exact tie", "within 10⁻⁹", "neither"),
        rows,
    )


def _memory(results: Results) -> Sheet:
    rows = []
    for row, tree in _lines(results):
        ours, size = results.get(row.cell(tree, OURS), {}), row.rows * row.columns
        peaks = ours.get("peaks", {})
        first = None if peaks.get("first") is None else (peaks["first"] - ours["codes"]) / size
        again = None if peaks.get("again") is None else peaks["again"] / size
        codes = ours["codes"] / size if peaks else None
        others = (results.get(row.cell(tree, who), {}).get("peaks", {}).get("first") for who in PEERS)
        others = (None if peak is None else peak / size for peak in others)
        figures = tuple(NOTHING if figure is None else f"{figure:.1f}" for figure in (codes, first, again, *others))
        rows.append((row.words, tree, *figures))
    return Sheet(
        "Memory",
        "Bytes for each cell of the table: peak of the resident set minus what was resident before, in the first run "
        "after freed memory was given back. Espalier's codes apart; then the most beyond them from the frame to the "
        "tree, and the most that growing again takes. A peer's whole peak beyond its arrays.",
        ("data", "tree", "codes", "frame to tree", "again", *PEERS),
        rows,
    )


def _scaling(results: Results) -> Sheet:
    lengths = [row for row in (*table_rows(True), *LONG_LENGTHS) if row.data == "binary" and row.columns == 20]
    rows = []
    for row in dict.fromkeys((*(Row(row.data, row.rows, row.columns, (FULL,)) for row in lengths), *WIDTHS)):
        result = results.get(row.cell(FULL, OURS))
        if result is None or "seconds" not in result:
            continue
        each = row.rows * math.log2(row.rows) * row.columns
        frame_to_tree, again = together(result), median(result["seconds"]["again"])
        figures = (f"{seconds / each * 1e9:.3f}" for seconds in (frame_to_tree, again))
        rows.append((row.words, _seconds(frame_to_tree) + _mark(result), _seconds(again), *figures))
    return Sheet(
        "Growth with the table",
        "Full depth. Nanoseconds for each row, log₂ of the rows, and column: level where time grows as n log n in rows "
        "and linearly in columns.",
        ("data", "frame to tree", "again", "frame to tree, ns", "again, ns"),
        rows,
    )


def _further(results: Results) -> Sheet:
    rows: list[tuple[str, ...]] = []
    for cell in FURTHER:
        result = results.get(cell)
        if cell.kind in _LINES and cell.who == OURS and result is not None and "seconds" in result:
            seconds = {step: median(found) for step, found in result["seconds"].items()}
            lines = _LINES[cell.kind](cell, result, seconds, results)
            rows += [(words, ours + _mark(result), beside, ratio, aim) for words, ours, beside, ratio, aim in lines]
    return Sheet(
        "What else a person waits for", "Seconds; the ratio as the aim has it.",
        ("what", OURS, "beside", "ratio", "aim"), rows,
    )  # fmt: skip


def _root(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    stump = results.get(Cell(cell.kind, cell.data, cell.rows, cell.columns, cell.tree, JUDGE))
    words, first = f"all candidates of the root, {_data(cell)}", []
    if "row" in seconds:
        whole = f"all of them {_seconds(seconds['train'])}"
        ratio = f"{seconds['row'] / seconds['train']:.2f}"
        first = [(f"the first candidate, {_data(cell)}", _seconds(seconds["row"]), whole, ratio, "< 1")]
    if stump is None or "seconds" not in stump:
        return [(words, _seconds(seconds["train"]), NOTHING, NOTHING, "≥ 200"), *first]
    beside = f"scikit-learn's stump {_seconds(together(stump))}{_mark(stump)}"
    return [
        (words + _same(result, stump), _seconds(seconds["train"]), beside,
         f"{together(stump) / seconds['train']:.0f} ×", "≥ 200 ×"), *first,
    ]  # fmt: skip


def _changes(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    names = {"again": "nothing", "criterion": "the criterion", "fold": "the parts", "weight": "the weights"}
    again = seconds["again"]
    return [
        (f"growing again after changing {words}, {_data(cell)}", _seconds(seconds[step]),
         f"growing again {_seconds(again)}, frame to tree {_seconds(seconds['table'] + seconds['first'])}",
         f"{seconds[step] / again:.2f}", "no sort")
        for step, words in names.items() if step != "again"
    ]  # fmt: skip


def _folds(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    ratio = seconds["folds"] / seconds["again"]
    words = f"pruning by ten folds, {_data(cell)}"
    return [(words, _seconds(seconds["folds"]), f"growing again {_seconds(seconds['again'])}", f"{ratio:.1f}", "≤ 11")]


def _pruning(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    again, leaves = seconds["again"], f"a tree of {result['leaves']:,} leaves"
    return [
        (f"pruning {leaves}: {label}, {_data(cell)}", _seconds(seconds[name]), f"growing again {_seconds(again)}",
         f"{seconds[name] / again:.2f}", "≤ 1")
        for name, label in result["labels"].items() if name in seconds
    ]  # fmt: skip


def _threads(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    same = "the same tree by 1, 2 and 8" if len(set(result["digests"].values())) == 1 else "NOT the same tree"
    words = f"growing again on two threads, {_data(cell)}"
    return [(words, _seconds(seconds["2"]), f"on one {_seconds(seconds['1'])}",
             f"{seconds['1'] / seconds['2']:.2f} ×", same)]  # fmt: skip


def _file(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    reader = results.get(Cell(cell.kind, cell.data, cell.rows, cell.columns, cell.tree, "pyarrow"))
    words = f"opening a CSV file of {result['bytes'] / 1e6:.0f} MB up to the first ranked candidate"
    ours = f"{_seconds(seconds['table'])} + {_seconds(seconds['first'])}"
    if reader is None:
        return [(words, ours, NOTHING, NOTHING, "≤ 1.5")]
    beside = f"pyarrow reading it {_seconds(together(reader))}{_mark(reader)}"
    return [(words, ours, beside, f"{together(result) / together(reader):.2f}", "≤ 1.5")]


def _compile(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    cpu = {step: median(found) for step, found in result["cpu"].items()}
    return [
        ("compiling every kernel, first start (CPU)", _seconds(cpu["compile"]), NOTHING, NOTHING, "≤ 60"),
        ("loading every kernel, later starts (CPU)", _seconds(cpu["load"]), NOTHING, NOTHING, NOTHING),
    ]


def _window(cell: Cell, result: dict, seconds: dict, results: Results) -> list[tuple[str, ...]]:
    ratio = seconds["window"] / seconds["bare"]
    beside = f"a bare one with the same imports {_seconds(seconds['bare'])}"
    return [("the window on screen", _seconds(seconds["window"]), beside, f"{ratio:.2f}", "≤ 2")]


_LINES = {
    "root": _root, "changes": _changes, "folds": _folds, "pruning": _pruning, "threads": _threads, "file": _file,
    "compile": _compile, "window": _window,
}  # fmt: skip


_ALL = (_growing, _trees, _ties, _memory, _scaling, _further)
_SHORT = (_growing, _ties, _memory, _scaling, _further)

# -- words


def _lines(results: Results) -> list[tuple[Row, str]]:
    """The lines of the table that have any figure."""
    return [
        (row, tree) for row in table_rows(True) for tree in row.trees
        if any(row.cell(tree, who) in results for who in (OURS, *PEERS))
    ]  # fmt: skip


def _data(cell: Cell) -> str:
    return ", ".join(part for part in (RECIPES[cell.data].words, cell.tree if cell.tree != "stump" else "") if part)


def _seconds(seconds: float) -> str:
    """Three digits."""
    return f"{seconds:.0f}" if seconds >= 100 else f"{seconds:.3g}" if seconds >= 1 else f"{seconds:.3f}"


def _mark(result: dict[str, Any]) -> str:
    return "~" if disturbed(result) else ""


def _beside(peer: dict[str, Any] | None, ours: dict[str, Any] | None) -> str:
    """A peer's seconds, and the ratio."""
    if peer is None:
        return NOTHING
    if "given_up" in peer:
        return f"> {_seconds(peer['given_up'])}"
    seconds = [_seconds(median(peer["seconds"][step])) for step in ("prepare", "train") if step in peer["seconds"]]
    ratio = together(peer) / together(ours) if ours is not None else math.nan
    return " + ".join(seconds) + _mark(peer) + ("" if math.isnan(ratio) else f", {ratio:.1f} ×")


def _tree(data: str, result: dict[str, Any] | None) -> str:
    """Leaves and error."""
    if result is None or "leaves" not in result:
        return NOTHING
    error = f"{result['error']:.4f}" if RECIPES[data].task == "number" else f"{result['error']:.2%}"
    return f"{result['leaves']:,}; {error}"


def _beside_judge(data: str, ours: dict[str, Any] | None, judge: dict[str, Any] | None) -> str:
    """Espalier's leaves and error, and the judge's where they are others."""
    same = _same(ours, judge)
    return _tree(data, ours) + (f" (≠ {_tree(data, judge)})" if same == " ≠" else same)


def _same(ours: dict[str, Any] | None, judge: dict[str, Any] | None) -> str:
    if ours is None or judge is None or "leaves" not in ours or "leaves" not in judge:
        return ""
    if ours["partition"] == judge["partition"]:
        return " ="
    alike = ours["leaves"] == judge["leaves"] and math.isclose(ours["error"], judge["error"], abs_tol=1e-12)
    return " ≈" if alike else " ≠"


def _bars(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(row)} |"


def _aligned(sheet: Sheet) -> str:
    widths = [max(map(len, column)) for column in zip(sheet.head, *sheet.rows, strict=True)]
    lines = (
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in (sheet.head, *sheet.rows)
    )
    return "\n".join((f"{sheet.title}. {sheet.note}", "", *lines))
