"""A target of one class gives a leaf: every public function, on tables whose training rows all have one value."""

import dataclasses
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import engine
from engine.formats import FORMATS
from engine.pruning import why_not
from tests.engine.command.running import run

WITHOUT_TARGET = {  # these know no target, or another test of this file calls them
    "agreement", "arithmetic", "best_of", "bind", "branch_of_rows", "candidates", "criteria_for", "curves_over_q",
    "gain_curve", "grow", "impurity", "inspect", "inspect_text", "list_examples", "m_of_n", "noise_of_gain", "prune",
    "cross_fitted", "read_example", "read_table", "read_text", "refusal", "replay_growth", "replay_pruning",
    "read_codes", "read_levels", "read_sample", "room_for", "rows_where", "scaled_impurity", "second_level", "warm_up",
    "weigh",
}  # fmt: skip
TARGETS = ("one", "declared", "whole", "number", "training")
PASTED = {"kind": "text", "text": "x,y"}
CUT = engine.Split("x", "threshold", (3.0,))


def one_value(target: str, validation: float = 0.3, rows: int = 80) -> engine.Table:
    """Numbers with gaps and levels; of "declared" a second level has no rows, of "training" it has validation rows."""
    frame = pd.DataFrame({"x": np.arange(rows) * 7 % 31 / 4, "a": np.resize(list("abcd"), rows)})
    frame.loc[::9, "x"] = np.nan
    frame["part"] = np.where(np.arange(rows) % 3, "train", "validation")
    values = {"whole": 3, "number": 0.1, "training": np.where(np.arange(rows) % 3, "yes", "no")}
    frame["y"] = pd.Categorical(["yes"] * rows, ["yes", "no"]) if target == "declared" else values.get(target, "yes")
    table = engine.Table.from_frame(frame, target="y", roles={"part": "ignore"})
    if target == "training":
        return table.with_partition(column="part")
    return table.with_partition(validation=validation, test=validation / 2)


def trees(table: engine.Table) -> list[engine.Tree]:
    """What grows, and a split by hand."""
    root = engine.Tree.root(table)
    return [engine.grow(table), root.split(table, 0, CUT)]


def look_at(found: object, depth: int = 3) -> None:
    """Asks a result for each of its fields, also those that are computed then."""
    if isinstance(found, list | tuple):
        for one in found[:20]:
            look_at(one, depth)
    elif depth and dataclasses.is_dataclass(found) and not isinstance(found, engine.Table | engine.Tree | type):
        of_numbers = {"residual", "residuals"} if getattr(found, "task", "") == "classes" else set()
        for name in {field.name for field in dataclasses.fields(found)} - of_numbers:
            look_at(getattr(found, name), depth - 1)


@pytest.mark.parametrize("target", TARGETS)
def test_the_table_opens_and_says_that_its_tree_is_one_leaf(target):
    table = one_value(target)
    value = {"whole": "3", "number": "0.1"}.get(target, "yes")
    assert table.only_value == value
    said = (
        f"The target “y” is “{value}” in every training row: the tree is a single leaf until you choose another target."
    )
    assert said in table.notes


def test_a_table_of_several_classes_says_nothing_of_that_whichever_row_is_the_odd_one():
    for odd in (0, 1, 1999, 2999):
        y = np.full(3000, "yes")
        y[odd] = "no"
        table = engine.Table.from_frame(pd.DataFrame({"x": range(3000), "y": y}), target="y")
        assert table.only_value is None and not any("every training row" in note for note in table.notes)


@pytest.mark.parametrize("target", TARGETS)
def test_every_search_grows_one_leaf_and_says_what_each_column_gains(target):
    table = one_value(target)
    root = engine.Tree.root(table)
    names = ("numeric", "nominal", "missing", "order")
    ways = [{name: choice.name} for name in names for choice in engine.OPTIONS[name].choices]
    ways += [{"criterion": one.name} for one in engine.criteria_for(table.task) if not one.name.startswith("binned")]
    ways += [{"preset": name} for name in engine.PRESETS] + [{"lookahead": 2, "nominal": "multiway"}, {"m_of_n": True}]
    ways += [{"cut_penalty": True}, {"collapse": True}, {"significance": 0.05}, {"min_cut": "tenth"}, {"pool": 50}]
    for how in (how for how in ways if not engine.refusal(table.task, {}, **how)):
        assert engine.grow(table, **how).n_leaves == 1, how
        for one in engine.candidates(table, root, **how):
            assert one.reason if one.split is None else one.gain == one.logworth == 0, how
            if one.split is not None:
                engine.arithmetic(one, how.get("criterion") or ("gini" if table.classes else "squared_error"))
                assert engine.weigh(table, root, 0, one.split, **how).gain == 0
    assert not np.nan_to_num(engine.gain_curve(table, root, 0, "x").gains).any()
    engine.m_of_n(table, root)
    engine.second_level(table, root, 0, engine.weigh(table, root, 0, CUT))


@pytest.mark.parametrize("validation", [0.0, 0.3])
@pytest.mark.parametrize("target", TARGETS)
def test_every_pruning_cuts_a_split_that_gains_nothing_and_its_steps_can_be_told(target, validation):
    table = one_value(target, validation)
    for tree in trees(table):
        for method in engine.METHODS:
            if why_not(method, table) or (method == "generic" and not table.n_validation):
                continue
            pruning = engine.prune(table, tree, method=method)
            look_at(pruning)
            kept = {"growth", "by_rule"} if target != "training" else set(engine.METHODS)
            assert method in kept or pruning.tree(pruning.chosen).n_leaves == 1
            replay = engine.replay_pruning(table, tree, method)
            look_at([replay.account(i) for i in range(len(replay.steps))])
            if table.n_validation:
                look_at(engine.cross_fitted(table, pruning))


def _unparted(table):
    """The rows that train, none of which a column calls so."""
    rows = table.rows(engine.TRAIN)
    return engine.Table.from_frame(table.to_frame(rows), target="y", roles={"part": "ignore"})


def _fitted(table):
    """A tree of scikit-learn on the rows that train."""
    frame = _unparted(table).to_frame()
    kind = DecisionTreeClassifier if table.task == "classes" else DecisionTreeRegressor
    return kind().fit(frame[["x"]].fillna(0.0), frame["y"])


@pytest.mark.parametrize("target", TARGETS)
def test_the_other_public_functions_answer(target, tmp_path):
    table = one_value(target)
    frame = table.to_frame()
    frame.to_csv(tmp_path / "new.csv", index=False)
    replay = engine.replay_growth(table)
    assert len(replay.steps) == 2 and "pure" in replay.account(0).sentence
    for tree in trees(table):
        effective = engine.count_effective_rows(table, tree)
        row = engine.values_of_row(table, 1)
        bound = engine.bound_rates if table.classes else engine.bound_means
        json = tmp_path / "tree.json"
        rows = table.rows(engine.TRAIN)
        calls = {
            "all_trees": lambda: engine.all_trees(table, 2),
            "assess": lambda tree=tree: [engine.assess(table, tree, part) for part in ("train", "validation", "test")],
            "assign": lambda tree=tree: engine.assign(table, tree),
            "bootstrap": lambda: engine.bootstrap(table, {}, samples=9),
            bound.__name__: lambda tree=tree, n=effective, by=bound: by(tree, 0, "train", n[:, 0]),
            "check_export": lambda tree=tree: _checked(tree, table),
            "compare": lambda tree=tree: engine.compare(table, tree, engine.Tree.root(table)),
            "compare_parts": lambda tree=tree, n=effective: engine.compare_parts(tree, n),
            "count_effective_rows": lambda: None,
            "cross_validate": lambda: engine.cross_validate(table, {}, folds=5),
            "forest": lambda: engine.forest(table, trees=9),
            "from_sklearn": lambda: engine.from_sklearn(_fitted(table)),
            "grow_source": lambda: engine.grow_source(engine.open_source(_unparted(table), target="y")),
            "grow_while_improving": lambda: engine.grow_while_improving(table),
            "hand_out": lambda tree=tree: engine.hand_out(table, tree, 0, tmp_path / "node.html"),
            "hand_out_step": lambda: engine.hand_out_step(table, replay, 0, tmp_path / "step.html", what="Growing"),
            "hard_rows": lambda tree=tree: engine.hard_rows(tree, table, 50),
            "importance": lambda tree=tree: engine.importance(table, tree),
            "importance_by_dropping": lambda: engine.importance_by_dropping(table),
            "leaf_report": lambda tree=tree: engine.leaf_report(table, tree),
            "nearest_change": lambda tree=tree, row=row: engine.nearest_change(table, tree, row),
            "open_source": lambda: engine.open_source(_unparted(table), target="y"),
            "partial_dependence": lambda tree=tree: engine.partial_dependence(table, tree, "x", "a"),
            "profile": lambda tree=tree: engine.profile(table, tree, 1) if tree.n_leaves > 1 else None,
            "query": lambda tree=tree: engine.query(tree, 1, table=table) if tree.n_leaves > 1 else None,
            "read_counts": lambda: engine.read_counts(_unparted(table), target="y"),
            "read_some": lambda: engine.read_some(tmp_path / "new.csv", target="y"),
            "recount": lambda tree=tree: engine.recount(tree, table),
            "report": lambda tree=tree: engine.report(table, tree, tmp_path / "report.html", test=True),
            "row_parts": lambda tree=tree: engine.row_parts(table, tree, 1),
            "rules": lambda tree=tree: engine.rules(tree),
            "said_of": lambda tree=tree: engine.said_of(tree, engine.row_parts(table, tree, 1)),
            "score": lambda tree=tree: engine.score(tree, tmp_path / "new.csv", tmp_path / "s.csv", training=table),
            "script": lambda tree=tree: engine.script(dataclasses.replace(table, source=PASTED), tree),
            "stability": lambda tree=tree: engine.stability(table, tree, samples=9),
            "table_of_values": lambda tree=tree, row=row: engine.table_of_values(tree, row),
            "tally": lambda rows=rows: engine.tally(table, rows, 0),
            "theory": lambda tree=tree: _theory(table, tree),
            "write_rows": lambda tree=tree: engine.write_rows(table, tree, tmp_path / "rows.csv"),
            "way_down": lambda tree=tree: engine.way_down(table, tree, 1),
            "write_tree": lambda tree=tree, to=json: engine.write_tree(tree, to),
            "read_tree": lambda to=json: engine.read_tree(to),
            "to_sklearn": lambda tree=tree: engine.to_sklearn(tree).predict(frame),
            "tree_to_text": lambda tree=tree: engine.tree_to_text(tree),
            "tree_from_text": lambda tree=tree: engine.tree_from_text(engine.tree_to_text(tree)),
            "export": lambda tree=tree: [engine.export(tree, tmp_path / name, name) for name in _formats(tree)],
            "printout": lambda tree=tree: engine.printout(tree, "rpart"),
            "values_of_row": lambda: None,
        }
        public = {name for name in engine.__all__ if type(getattr(engine, name)) is type(look_at)}
        new = (public - WITHOUT_TARGET - {"bound_rates", "bound_means"}) ^ (set(calls) - {bound.__name__})
        assert not new, "call it here, or name it above"
        for call in calls.values():
            look_at(call())
        predicted = tree.predict(frame)
        assert len(set(predicted)) == 1 and (not table.classes or set(predicted) == {table.only_value})
        fit = engine.assess(table, tree, "train")
        assert fit.error == pytest.approx(0, abs=1e-25)
    if table.classes:
        assert engine.printout(engine.grow(table), "j48").startswith(
            f"J48 tree\n------------------\n: {table.only_value} ("
        )


def _formats(tree):
    """Those that can say the tree, and are installed."""
    left_out = {"sql"} if find_spec("sqlglot") is None else set()
    left_out |= {"j48"} if tree.task == "number" or tree.n_leaves > 1 else set()
    return [name for name in FORMATS if name not in left_out]


def _checked(tree, table):
    check = engine.check_export(tree, table, "python", hard=50)
    assert check.n_agreeing == check.n_rows > 0
    return check


def _theory(table, tree):
    if table.classes:
        found = engine.theory(table, tree)
        return [found.description, found.structural_risk, found.weak_learning, found.counting]
    with pytest.raises(engine.InputError):
        engine.theory(table, tree)
    return None


@pytest.mark.parametrize("n", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("value", [0.1, 1 / 3, -7.7e-9, 1e-300, 123456.789])
def test_the_rounding_of_a_mean_makes_no_split(value, n):
    x = np.arange(n) * 0.7
    for role, weight in (("ignore", 1), ("frequency", 3), ("weight", 0.3)):
        frame = pd.DataFrame({"x": x, "w": weight * (1 + np.arange(n) % 4), "y": value})
        table = engine.Table.from_frame(frame, target="y", roles={"w": role})
        for how in ({}, {"criterion": "absolute_error"}, {"criterion": "f_logworth"}, {"preset": "rpart"}):
            assert engine.grow(table, **how).n_leaves == 1


def test_the_command_line_does_all_of_it(capsys, tmp_path):
    file = tmp_path / "one.csv"
    one_value("one").to_frame().drop(columns="part").to_csv(file, index=False)
    code, out, err = run(
        capsys, file, "--target", "y", "--no-window", "--preset", "c4.5", "--missing-values", "direction",
        "--validation", "0.3", "--prune", "reduced-error", "--cross-validate", "5", "--forest", "9", "--stability", "9",
        "--report", tmp_path / "report.html", "--export", tmp_path / "tree.json",
    )  # fmt: skip
    assert code == 0 and err == ""
    assert "target y (1 class)" in out and "note    The target “y” is “yes” in every training row" in out
    assert "grown   1 leaf · depth 0 · training error 0.0 % · validation error 0.0 %" in out
    assert "chosen among 1 tree by" in out and "(1 leaf)" in out
    assert engine.read_tree(tmp_path / "tree.json").n_leaves == 1 and (tmp_path / "report.html").exists()
