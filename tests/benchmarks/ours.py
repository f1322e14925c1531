"""Espalier's cells. Each takes a cell and gives back plain values; the kernels are compiled and loaded before."""

import hashlib
import tempfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

import engine
from engine.pruning import why_not
from tests.benchmarks.cells import Cell
from tests.benchmarks.data import RECIPES, Data
from tests.benchmarks.measuring import Memory, Stopwatch, judged, repeat
from tests.benchmarks.peers import DEPTH_6, FULL, LEAVES_64, LEAVES_OF_5, THREADS
from tests.benchmarks.theirs import written

LIMITS: dict[str, dict[str, Any]] = {
    DEPTH_6: {"max_depth": 6}, LEAVES_64: {"max_leaves": 64, "order": "best_first"}, LEAVES_OF_5: {"min_leaf": 5},
    FULL: {},
}  # fmt: skip

# What methods of pruning are asked that do nothing by themselves, or quite different things; by the words for it.
ASKED: dict[str, dict[str, dict[str, Any]]] = {
    "by_rule": {
        "leaves, gain, answers": {"min_leaf": (50, 20), "min_validation_gain": 0.0, "same_answer": True},
        "significance": {"significance": 0.05},
    },
    "generic": {
        "validation error": {"estimate": "validation"}, "bound": {"estimate": "mdl_bound"},
        "pessimistic estimate": {"estimate": "pessimistic"},
    },
    "srm": {"front up to 2,000 leaves": {}},
    "pessimistic": {"with raising": {}, "without raising": {"raising": False}},
}  # fmt: skip


def options(cell: Cell) -> dict[str, Any]:
    """The options of `engine.grow` for a cell."""
    recipe = RECIPES[cell.data]
    criterion = {} if recipe.task == "number" else {"criterion": recipe.criterion}
    return {**LIMITS[cell.tree], **criterion, "threads": THREADS}


def leaf_of(table: engine.Table, tree: engine.Tree) -> NDArray[np.int64]:
    """int64[rows]: the position of the leaf of every row."""
    at = engine.assign(table, tree)
    found = np.empty(table.n_rows, np.int64)
    for leaf in tree.leaves:
        found[at.rows_of(leaf)] = leaf
    return found


def grow(cell: Cell, data: Data) -> dict[str, Any]:
    """Frame → table, the first growth (which sorts what is yet unsorted), and growing again with the table open."""
    frame, how, watch = data.frame, options(cell), Stopwatch()
    engine.grow(engine.Table.from_frame(frame, target="y"), **how)
    peaks: dict[str, int | None] = {}

    def once() -> tuple[engine.Table, engine.Tree]:
        memory = Memory()
        table = watch.time("table", lambda: engine.Table.from_frame(frame, target="y"))
        tree = watch.time("first", lambda: engine.grow(table, **how))
        peaks.setdefault("first", memory.peak())
        del tree
        memory = Memory()
        tree = watch.time("again", lambda: engine.grow(table, **how))
        peaks.setdefault("again", memory.peak())
        return table, tree

    table, tree = repeat(once)
    codes = sum(column.codes.nbytes for column in table.columns)
    found = judged(leaf_of(table, tree), data)
    fit = engine.assess(table, tree, "train")
    if not np.isclose(fit.error, found["error"], rtol=1e-9, atol=1e-12) or tree.n_leaves != found["leaves"]:
        raise AssertionError(f"the tree says {tree.n_leaves} leaves and error {fit.error}, its rows {found}")
    return {"seconds": watch.seconds, "cpu": watch.cpu, "peaks": peaks, "codes": codes, **found}


def root(cell: Cell, data: Data) -> dict[str, Any]:
    """All candidates of the root, ranked, once the table is open; and the first of them that a person sees."""
    table = engine.Table.from_frame(data.frame, target="y")
    tree, watch = engine.Tree.root(table), Stopwatch()
    engine.candidates(table, tree, threads=THREADS)

    def first_row() -> None:
        progress = engine.Progress()
        engine.candidates(table, tree, threads=THREADS, progress=progress, found=lambda candidate: progress.stop())

    repeat(lambda: watch.time("row", first_row))
    found = repeat(lambda: watch.time("train", lambda: engine.candidates(table, tree, threads=THREADS)))
    sides = np.zeros(table.n_rows, np.int64)
    sides[engine.branch_of_rows(found[0].split, table, np.arange(table.n_rows)) > 0] = 1
    return {"seconds": watch.seconds, "cpu": watch.cpu, **judged(sides, data)}


def changes(cell: Cell, data: Data) -> dict[str, Any]:
    """Growing again after a change: of the criterion, of the parts, of the weights. None of them sorts again."""
    frame = data.frame.assign(w=np.random.default_rng(5).integers(1, 4, len(data.y)))
    how, watch = options(cell), Stopwatch()
    by_other = {**how, "criterion": "entropy"}

    def once() -> None:
        table = watch.time("table", lambda: engine.Table.from_frame(frame, target="y", roles={"w": "ignore"}))
        watch.time("first", lambda: engine.grow(table, **how))
        watch.time("again", lambda: engine.grow(table, **how))
        watch.time("criterion", lambda: engine.grow(table, **by_other))
        watch.time("fold", lambda: engine.grow(table.with_partition(validation=0.1, seed=1), **how))
        watch.time("weight", lambda: engine.grow(table.with_roles({"w": "weight"}), **how))

    once()
    watch = Stopwatch()
    repeat(once)
    return {"seconds": watch.seconds, "cpu": watch.cpu}


def folds(cell: Cell, data: Data) -> dict[str, Any]:
    """Cost-complexity pruning, chosen by ten folds, beside one growth with the table open."""
    table, how, watch = engine.Table.from_frame(data.frame, target="y"), options(cell), Stopwatch()
    tree = engine.grow(table, **how)

    def once() -> None:
        watch.time("again", lambda: engine.grow(table, **how))
        watch.time("folds", lambda: engine.prune(table, tree))

    once()
    watch = Stopwatch()
    repeat(once)
    return {"seconds": watch.seconds, "cpu": watch.cpu}


def pruning(cell: Cell, data: Data) -> dict[str, Any]:
    """Every method of pruning with a tenth of the rows to choose by, beside one growth; the table open."""
    table, how, watch = engine.Table.from_frame(data.frame, target="y"), options(cell), Stopwatch()
    table = table.with_partition(validation=0.1, seed=1)
    tree = engine.grow(table, **how)
    cases = {
        ", ".join(filter(None, (engine.METHODS[name].label, words))): (name, asked)
        for name in engine.METHODS if not why_not(name, table)
        for words, asked in ASKED.get(name, {"": {}}).items()
    }  # fmt: skip

    def once(tree: engine.Tree, watch: Stopwatch) -> None:
        watch.time("again", lambda: engine.grow(table, **how))
        for words, (name, asked) in cases.items():
            watch.time(words, lambda name=name, asked=asked: engine.prune(table, tree, name, **asked))

    once(engine.grow(table, max_depth=3), Stopwatch())  # compiles what is not compiled yet
    repeat(lambda: once(tree, watch))
    labels = {words: words for words in cases}
    return {"seconds": watch.seconds, "cpu": watch.cpu, "labels": labels, "leaves": tree.n_leaves}


def threads(cell: Cell, data: Data) -> dict[str, Any]:
    """The same tree by one, two and eight threads, told by a digest of all its arrays; the table open."""
    table, how, watch = engine.Table.from_frame(data.frame, target="y"), options(cell), Stopwatch()
    digests = {}
    for n_threads in (1, 2, 8):
        grown = replaced = {**how, "threads": n_threads}
        engine.grow(table, **grown)
        tree = repeat(lambda n=n_threads, how=replaced: watch.time(f"{n}", lambda: engine.grow(table, **how)))
        digest = hashlib.sha256()
        for array in (*tree.nodes, tree.payload):
            digest.update(np.ascontiguousarray(array).tobytes())
        digests[str(n_threads)] = digest.hexdigest()[:16]
    return {"seconds": watch.seconds, "cpu": watch.cpu, "digests": digests}


def opening(cell: Cell, data: Data) -> dict[str, Any]:
    """Reading a CSV file, up to the first ranked candidate."""
    watch = Stopwatch()
    with tempfile.TemporaryDirectory(prefix="espalier-") as folder:
        path = written(data, folder)

        def once() -> None:
            table = watch.time("table", lambda: engine.read_table(path, target="y"))
            watch.time("first", lambda: engine.candidates(table, engine.Tree.root(table), threads=THREADS))

        once()
        watch = Stopwatch()
        repeat(once)
        return {"seconds": watch.seconds, "cpu": watch.cpu, "bytes": path.stat().st_size}
