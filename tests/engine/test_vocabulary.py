"""The public names, the floors of the house, and what importing costs."""

import ast
import re
import subprocess
import sys

import numpy as np
import pytest

import engine
from engine.criteria import BINNED, CRITERIA, criteria_for, impurity
from engine.search.kernels import split_kinds
from engine.search.options import Search
from tests.conftest import ROOT

CHAPTERS = (  # each imports from itself and from those before it
    "runtime", "table", "readers", "splits", "criteria", "tree", "search", "significance", "ranking", "growing",
    "learning_theory", "pruning", "replaying", "guarantees", "assessment", "resampling", "formats", "scoring",
    "scripting", "reporting", "project", "command", "warming", "__init__",
)  # fmt: skip


def imported(path, types=True):
    """The full names that a file imports, with those that only types name."""
    tree = ast.parse(path.read_text())
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in for_types and not types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def chapters():
    for path in sorted((ROOT / "engine").rglob("*.py")):
        yield path.relative_to(ROOT / "engine").parts[0].removesuffix(".py"), path


def test_every_chapter_has_its_place():
    assert {chapter for chapter, _ in chapters()} == set(CHAPTERS)


def test_imports_go_downwards_only():
    place = {chapter: k for k, chapter in enumerate(CHAPTERS)}
    for chapter, path in chapters():
        for name in imported(path):
            parts = name.split(".")
            if parts[0] == "engine" and len(parts) > 1 and parts[1] in place:
                assert place[parts[1]] <= place[chapter], f"{path} imports {name}, which comes later"
            assert parts[0] not in ("PySide6", "pyqtgraph", "gui", "main"), f"{path} knows the window: {name}"


def test_no_modules_import_each_other_in_a_circle():
    """Not for types either, nor inside of functions: what needs a thing stands above it."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for _, path in chapters()
    }
    needs = {}
    for module, path in modules.items():
        found = (name if name in modules else name.rpartition(".")[0] for name in imported(path))
        needs[module] = {name for name in found if name in modules and name != module}
    while free := [module for module, needed in needs.items() if not needed & needs.keys()]:
        for module in free:
            del needs[module]
    assert not needs, f"these import each other: {sorted(needs)}"


def test_the_window_knows_nothing_of_the_command_line():
    for path in sorted((ROOT / "gui").rglob("*.py")):
        names = list(imported(path))
        assert not any(name.split(".")[0] == "main" or name.startswith("engine.command") for name in names), path


def test_only_kernels_import_the_compiler_and_only_the_lower_chapters_pandas():
    for chapter, path in chapters():
        names = set(imported(path))
        roots = {name.split(".")[0] for name in names}
        if chapter != "runtime" and "kernels" not in (path.stem, path.parent.name):
            assert "numba" not in roots, path
            assert not any(name.startswith("engine.runtime.compiler.jit") for name in names), path
        # assignment sends the rows of a data frame down, warming up makes one, reports are some; the rest names frames
        # in types only
        framed = ("assignment.py", "leaf_report.py", "importance.py", "profile.py")
        if chapter not in ("table", "readers", "warming") and path.name not in framed:
            assert "pandas" not in {name.split(".")[0] for name in imported(path, types=False)}, path


@pytest.mark.parametrize("module", ["engine", "engine.tree, engine.growing, engine.pruning, engine.project"])
def test_the_engine_imports_no_window(module):
    code = (
        f"import {module}, sys; print([m for m in sys.modules if m.split('.')[0] in ('PySide6', 'pyqtgraph', 'gui')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_engine_costs_nothing():
    code = "import engine, sys; print([m for m in ('numba', 'pandas', 'scipy', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there_and_none_is_a_chapter():
    for name in engine.__all__:
        assert getattr(engine, name) is not None
    assert set(dir(engine)) == set(engine.__all__)
    assert set(engine.__all__).isdisjoint(CHAPTERS)


@pytest.mark.parametrize(
    ("name", "counts", "value"),
    [
        ("gini", [3, 1], 0.375),
        ("entropy", [2, 2], 1.0),
        ("gain_ratio", [2, 2], 1.0),
        ("error", [3, 1], 0.25),
        ("sqrt", [8, 2], 0.4),
        ("gini", [1, 1, 1, 1], 0.75),
        ("squared_error", [4, 0, 20], 5.0),
    ],
)
def test_impurities_of_known_nodes(name, counts, value):
    assert impurity(name, counts) == pytest.approx(value, abs=1e-12)


def test_criteria_are_registered_under_their_own_names():
    assert [c.name for c in criteria_for("number")] == [
        "squared_error",
        "absolute_error",
        "binned_gini",
        "binned_error",
        "f_logworth",
        "number_association",
    ]
    for_classes = ["gini", "entropy", "gain_ratio", "error", "sqrt", "logworth", "association"]
    assert [c.name for c in criteria_for("classes")] == for_classes
    own = [c.code for c in CRITERIA.values() if c.name not in BINNED and not c.by_evidence]  # these share others' codes
    assert len(set(own)) == len(own)
    assert CRITERIA["logworth"].code == CRITERIA["gini"].code
    assert CRITERIA["f_logworth"].code == CRITERIA["squared_error"].code
    assert all(CRITERIA[name].code == CRITERIA[of].code for name, of in BINNED.items())


def test_options_are_checked_once_and_say_what_is_possible():
    assert Search.make("number").criterion == "squared_error"
    assert Search.make("classes", preset="id3").nominal == "multiway"
    assert Search.make("number", preset="id3").criterion == "squared_error"
    assert Search.make("classes", **Search.make("classes", max_depth=3).to_dict()).max_depth == 3
    for options, says in (
        ({"criterion": "ginny"}, "no criterion “ginny”; choose one of gini, entropy"),
        ({"criterion": ["gini"]}, "no criterion “.*gini.*”; choose one of gini, entropy"),
        ({"criterion": "squared_error"}, "not defined for a class target"),
        ({"depth": 3}, "no option “depth”"),
        ({"preset": ["cart"]}, "no preset “.*cart.*”; choose one of cart"),
        ({"preset": "carter"}, "no preset “carter”; choose one of cart"),
        ({"nominal": "sideways"}, "choose one of groups, multiway"),
        ({"max_depth": -1}, "max_depth cannot be -1; it is a whole number of at least 0"),
        ({"min_leaf": 1.5}, "min_leaf cannot be 1.5"),
        ({"min_gain": "much"}, "min_gain cannot be much; it is a number of at least 0"),
        ({"min_gain": float("nan")}, "min_gain cannot be nan; it is a number of at least 0"),
        ({"min_gain": float("inf")}, "min_gain cannot be inf; it is a number of at least 0"),
        ({"min_gain": 10**400}, "min_gain cannot be 10+…; it is a number of at least 0"),
        ({"max_depth": float("inf")}, "max_depth cannot be inf; it is a whole number of at least 0"),
        ({"max_depth": float("nan")}, "max_depth cannot be nan; it is a whole number of at least 0"),
        ({"max_depth": True}, "max_depth cannot be True; it is a whole number"),
        ({"min_rows": None}, "min_rows cannot be None; it is a whole number of at least 2"),
        ({"seed": "x"}, "seed cannot be x; it is a whole number\\."),
        ({"seed": 1.5}, "seed cannot be 1.5; it is a whole number\\."),
        ({"m_of_n": 1}, "m_of_n cannot be 1; it is True or False"),
        ({"priors": {"rare": 1e308}}, "prior of “rare” cannot be 1e[+]308; it is a number from 0 to 1e[+]100"),
        ({"costs": "bad:good=1e101"}, "cost of “bad:good” cannot be 1e101; it is a number from 0 to 1e[+]100"),
    ):
        with pytest.raises(engine.InputError, match=says):
            Search.make("classes", **options)


def test_numbers_of_numpy_are_options_and_limits_beyond_any_table_are_cut_back():
    search = Search.make(
        "classes", max_depth=np.int64(3), min_leaf=4.0, min_gain=np.float32(0.5), seed=np.int32(-7), max_leaves=10**20
    )
    assert search == Search(max_depth=3, min_leaf=4, min_gain=0.5, seed=-7, max_leaves=2**31 - 1)
    assert [type(value) for value in (search.max_depth, search.min_leaf, search.min_gain, search.seed)] == [
        int, int, float, int,
    ]  # fmt: skip
    assert Search.make("classes", seed=10**20, max_depth=None).seed == 10**20
    assert Search.make("classes", m_of_n=np.True_).m_of_n is True


def test_the_examples_of_the_choices_are_true():
    by_name = {c.name: c for c in engine.OPTIONS["numeric"].choices}
    stat = np.array([[1.0, 0.0]] * 2 + [[0.0, 1.0]] * 6)
    segment = np.empty(8, np.int64)
    split_kinds.divide_at_boundaries(stat, np.ones(8, np.int64), 0, 1, segment)
    assert np.flatnonzero(np.diff(segment)).tolist() == [0, 1, 6]
    example = by_name["boundary_cuts"].example
    assert example == "labels a a b b b b b b: of seven cuts three are left, the first, a | b and the last."
    ratio = next(c for c in engine.OPTIONS["criterion"].choices if c.name == "gain_ratio")
    assert ratio.formula.startswith("ratio = information gain")  # it is no impurity


@pytest.mark.parametrize("bins", [1, 1001, 2**31, 2.5])
def test_more_bins_than_a_tree_can_tell_are_refused_as_typed(bins):
    with pytest.raises(
        engine.InputError, match=re.escape(f"bins cannot be {bins}; it is a whole number from 2 to 1,000.")
    ):
        engine.Search.make("number", bins=bins)
    assert engine.refusal("number", {}, bins=bins)
    assert engine.Search.make("number", bins=1000).bins == 1000
