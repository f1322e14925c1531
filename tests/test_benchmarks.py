"""The benchmarks run, keep what they find, and go on from there; no time is looked at."""

import json
import sys

import numpy as np
import pytest

import engine
from tests.benchmarks import ours, report, running, sources, ties, viewer_child, viewer_trees, viewers, viewers_ours
from tests.benchmarks.__main__ import main
from tests.benchmarks.cache import Cache
from tests.benchmarks.cells import METHODS, OURS, Cell, all_cells
from tests.benchmarks.data import RECIPES
from tests.benchmarks.measuring import judged
from tests.benchmarks.peers import DEPTH_6, FULL, LEAVES_OF_5

TINY = [Cell("grow", "binary", 300, 3, DEPTH_6, who) for who in (OURS, "scikit-learn")]


def test_two_tiny_cells_are_measured_once_and_kept(tmp_path, monkeypatch):
    running.Measurer(Cache(tmp_path / "kept.json"), 600.0).measure(TINY)
    monkeypatch.setattr(running, "in_child", lambda *_: pytest.fail("measured again"))
    cache = Cache(tmp_path / "kept.json")
    running.Measurer(cache, 600.0).measure(TINY)
    ours, judge = map(cache.get, TINY)
    assert ours["leaves"] == judge["leaves"] > 10
    assert ours["error"] == pytest.approx(judge["error"])
    assert set(ours["seconds"]) == {"table", "first", "again"}
    cache.forget(TINY[:1])
    assert [Cache(tmp_path / "kept.json").get(cell) is None for cell in TINY] == [True, False]


@pytest.fixture
def once(monkeypatch):
    """Each figure is taken once: nobody looks at them."""
    monkeypatch.setattr(ours, "repeat", lambda once: once())


@pytest.mark.slow
def test_every_method_of_pruning_is_timed(once):
    found = ours.pruning(Cell("pruning", "binary", 200, 3, FULL, OURS), RECIPES["binary"].make(200, 3))
    assert {label.split(", ")[0] for label in found["labels"]} == {method.label for method in engine.METHODS.values()}
    assert set(found["seconds"]) == {"again", *found["labels"]}


@pytest.mark.slow
@pytest.mark.parametrize(("data", "tree"), [("regression", LEAVES_OF_5), ("mostly nominal", FULL)])
def test_pruning_is_timed_for_numbers_and_levels(once, data, tree):
    found = ours.pruning(Cell("pruning", data, 300, 6, tree, OURS), RECIPES[data].make(300, 6))
    assert "By rule, significance" in found["seconds"]


def test_a_stop_between_two_cells_keeps_the_first(tmp_path, monkeypatch):
    def stopping(cell, limit):
        if cell == TINY[1]:
            raise KeyboardInterrupt
        return {"given_up": limit}

    monkeypatch.setattr(running, "in_child", stopping)
    with pytest.raises(KeyboardInterrupt):
        running.Measurer(Cache(tmp_path / "kept.json"), 7.0).measure(TINY)
    assert Cache(tmp_path / "kept.json").get(TINY[0]) == {"given_up": 7.0}


def test_a_fault_is_told_and_not_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(running, "in_child", lambda *_: {"crashed": "MemoryError"})
    cache = Cache(tmp_path / "kept.json")
    running.Measurer(cache, 7.0).measure(TINY[:1])
    assert cache.get(TINY[0]) is None
    assert "MemoryError" in capsys.readouterr().err


def test_all_tables_are_printed_in_both_forms(tmp_path, monkeypatch, capsys):
    found = {
        "seconds": {step: [0.5, 0.25] for step in ("table", "first", "again", "criterion", "fold", "weight", "folds")},
        "cpu": {step: [0.5] for step in ("compile", "load")}, "peaks": {"first": 2**20, "again": 2**20}, "codes": 2**10,
        "leaves": 64, "error": 0.125, "partition": "same", "digests": {"1": "a", "2": "a"}, "bytes": 10,
        "found": {"same": 5, "tie": 1, "near": 0, "neither": 0}, "labels": {"reduced_error": "Reduced error"},
    }  # fmt: skip
    for step in ("window", "bare", "1", "2", "reduced_error"):
        found["seconds"][step] = [0.5]
    peer = {**found, "seconds": {"train": [1.0, 2.0]}, "others": 3.0}
    both = {"root": {**found, "seconds": {"train": [0.01]}}}
    monkeypatch.setattr(running, "in_child", lambda cell, _: both.get(cell.kind, found) if cell.who == OURS else peer)
    arguments = ["--long", "--cache", str(tmp_path / "kept.json")]
    assert main(arguments) == 0
    words = capsys.readouterr().out
    assert main([*arguments, "--markdown"]) == 0
    marked = capsys.readouterr().out
    assert report.sheets({}) == []
    for title in ("Growing one tree", "Beside scikit-learn's tree", "Memory", "Growth with the table"):
        assert title in words and f"**{title}" in marked
    assert "1.5~, 2.0 ×" in words  # the medians 1.5 and 0.75
    assert "pruning a tree of 64 leaves: Reduced error, " in words
    for table in marked.split("\n\n")[1::2]:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_every_cell_is_of_a_known_kind_and_no_learner_is_asked_for_what_it_cannot():
    cells = all_cells(long=True)
    assert {cell.kind for cell in cells} <= set(METHODS)
    assert len({cell.name for cell in cells}) == len(cells)
    refused = [cell for cell in cells if cell.refusal]
    assert refused == []


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "flights"])
def test_values_survive_float32_and_stand_apart(name):
    recipe = RECIPES[name]
    data, again = recipe.make(2000, 6), recipe.make(2000, 6)
    assert data.x.dtype == np.float32 and np.array_equal(data.x, again.x, equal_nan=True)
    assert np.array_equal(data.y, again.y)
    for column in data.x.T:
        values = np.unique(column[~np.isnan(column)]).astype(np.float64)
        assert np.diff(values).min() >= 2.0**-21
    assert len(data.classes) == recipe.n_classes == (0 if recipe.task == "number" else np.unique(data.y).size)
    assert bool(data.levels) == recipe.nominal
    assert list(data.frame.columns) == [*data.names, "y"]


def test_trees_are_told_apart_by_how_they_divide_the_rows():
    data = RECIPES["binary"].make(4, 3)
    leaf = np.array([7, 3, 7, 3])
    assert judged(leaf, data)["partition"] == judged(10 - leaf, data)["partition"]
    assert judged(leaf, data)["partition"] != judged(np.array([7, 7, 3, 3]), data)["partition"]
    assert judged(np.arange(4), data) | {"partition": ""} == {"leaves": 4, "error": 0.0, "partition": ""}


@pytest.mark.parametrize("name", ["binary", "integers", "10 classes", "regression", "entropy", "missing"])
def test_the_trees_part_from_scikit_learns_at_ties_only(name):
    found = ties.compare(Cell("ties", name, 400, 4, FULL, OURS), RECIPES[name].make(400, 4))["found"]
    assert found["same"] > 20
    assert found["neither"] == 0


# -- the viewers


@pytest.fixture
def told(monkeypatch, capsys):
    """Prints the report of made-up processes: {(viewer, nodes): Found}."""

    def told(found, *arguments):
        monkeypatch.setattr(viewers, "shown", lambda name, nodes, python, limit: found[name, nodes])
        viewers.main(["--only", *{name: 0 for name, _ in found}, *arguments])
        return capsys.readouterr().out

    return told


def _found(build=0.1, near=0.001, uss=2**22, digest="same", late=""):
    found = viewers.Found()
    steps = {
        "begun": {"version": "1.0"}, "ready": {"digest": digest}, "build": {"wall": build, "cpu": build},
        "whole": {"wall": 0.01, "cpu": 0.01}, "memory": {"uss": uss}, "near": {"wall": near, "cpu": near},
    }  # fmt: skip
    found.steps = {name: step for name, step in steps.items() if not late or name in ("begun", "ready")}
    found.late = late
    return found


def test_viewers_are_compared_and_what_is_not_met_is_said(told):
    found = {("cards", 999): _found(), ("orange", 999): _found(build=2.0, near=0.002, uss=2**26)}
    words = told(found, "--nodes", "999")
    assert "2.00 s (20.0 ×)" in words and "64.0 MB (16.0 ×)" in words and "2.0 ms (2.0 ×)" in words
    assert "999 nodes, near: Orange's Tree Viewer takes 2.0 × Espalier, cards, not 10 ×" in words
    assert "building: Orange" not in words
    fine = {key: _found(uss=2**20) if key[0] == "cards" else _found(uss=2**20, build=3) for key in found}
    assert "< 1 MB" in told({(name, 99): one for (name, _), one in fine.items()}, "--nodes", "99")


def test_a_missing_a_late_and_a_broken_viewer_are_said(told):
    missing = viewers.Found()
    missing.steps["missing"] = {"what": "No module named 'Orange'"}
    broken = _found()
    broken.steps, broken.failed = {"begun": {"version": "1"}, "ready": {"digest": "other"}}, "MemoryError"
    found = {"cards": _found(), "orange": missing, "dtreeviz": _found(late="build"), "plot_tree": broken}
    words = told({(name, 99): one for name, one in found.items()}, "--nodes", "99", "--limit", "120")
    for sentence in ("Orange's Tree Viewer is left out: No module named 'Orange'", "> 120 s (> 1,200 ×)",
                     "plot_tree, 99 nodes, failed: MemoryError", "trees of 99 nodes are not the same"):  # fmt: skip
        assert sentence in words


def test_our_canvas_shows_the_tree_that_the_others_show(qapp, monkeypatch, capsys):
    monkeypatch.setattr(viewer_trees, "ROWS", 300)
    monkeypatch.setattr(viewer_child, "MOST_RUNS", 1)
    fitted = viewer_trees.fitted(9)
    tree, theirs, order = viewers_ours.tree_of(fitted), fitted.model.tree_, fitted.preorder
    assert tree.n_nodes == theirs.node_count
    assert tree.nodes.threshold[tree.n_branches > 0].tolist() == theirs.threshold[order][tree.n_branches > 0].tolist()
    assert tree.train.sum(axis=1).tolist() == theirs.n_node_samples[order].tolist()
    assert order[[1, int(tree.end[1])]].tolist() == [theirs.children_left[0], theirs.children_right[0]]
    assert fitted.digest == viewer_trees.fitted(9).digest != viewer_trees.fitted(7).digest
    canvas = viewers_ours.Streams()
    canvas.begin()
    viewer_child.measure(canvas, 9)
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line]
    assert [step["step"] for step in steps] == ["ready", "build", "whole", "memory", "near", "end"]
    canvas.end()


def test_a_viewer_that_takes_too_long_is_ended(monkeypatch):
    steps = 'import time; print(\'{"step": "ready", "digest": ""}\', flush=True); time.sleep(60)'
    begin = viewers.subprocess.Popen
    monkeypatch.setattr(viewers.subprocess, "Popen", lambda command, **how: begin([sys.executable, "-c", steps], **how))
    assert viewers.shown("orange", 99, sys.executable, 0.2).late == "build"


def test_other_programs_are_measured_on_the_rows_of_the_files(tmp_path):
    """By the leaves that scikit-learn's tree gives these rows, and by its own figures."""
    metrics, trees = pytest.importorskip("sklearn.metrics"), pytest.importorskip("sklearn.tree")
    sources.make(tmp_path / "rows", 3000)
    files = sorted((tmp_path / "rows").iterdir())
    x, y, names = sources.coded(files[0])
    assert x.shape == (3000, sources.COLUMNS) == (len(y), len(names))
    tree = trees.DecisionTreeClassifier(max_depth=4).fit(x, y)
    found = sources.measures(sources.counted(files, lambda tree, x, _: tree.apply(x), tree))
    assert found["leaves"] == tree.get_n_leaves()
    assert found["accuracy"] == pytest.approx(tree.score(x, y))
    assert found["log loss"] == pytest.approx(metrics.log_loss(y, tree.predict_proba(x)))
