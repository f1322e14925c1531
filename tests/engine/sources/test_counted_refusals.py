"""What looks at single rows says so in a sentence, where these are only counted: never a wrong figure, nor a fault."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine import project
from engine.pruning import why_not
from engine.runtime.addresses import with_password, without_password
from engine.runtime.errors import InputError
from engine.sources.coded import Coded
from engine.sources.counted import CountedTable
from engine.sources.opening import how_counted
from tests.engine.sources.test_growing import frames, in_memory
from tests.same_trees import assert_same

CALLS = {
    "second_level": lambda t, tree, one: engine.second_level(t, tree, 0, one),
    "branch_of_rows": lambda t, tree, one: engine.branch_of_rows(one.split, t, np.arange(5)),
    "agreement": lambda t, tree, one: engine.agreement(t, np.arange(5), one.split, one.split),
    "way_down": lambda t, tree, one: engine.way_down(t, tree, 1),
    "row_parts": lambda t, tree, one: engine.row_parts(t, tree, 1),
    "values_of_row": lambda t, tree, one: engine.values_of_row(t, 1),
    "rows_where": lambda t, tree, one: engine.rows_where(t, "whole > 3"),
    "all_trees": lambda t, tree, one: engine.all_trees(t, 2),
    "bootstrap": lambda t, tree, one: engine.bootstrap(t, {}, samples=5),
    "cross_validate": lambda t, tree, one: engine.cross_validate(t, {}, folds=3),
    "forest": lambda t, tree, one: engine.forest(t, trees=3),
    "importance": lambda t, tree, one: engine.importance(t, tree),
    "importance_by_dropping": lambda t, tree, one: engine.importance_by_dropping(t),
    "m_of_n": lambda t, tree, one: engine.m_of_n(t, tree, 0),
    "lookahead": lambda t, tree, one: engine.candidates(t, tree, 0, lookahead=2),
    "profile": lambda t, tree, one: engine.profile(t, tree, 1),
    "partial_dependence": lambda t, tree, one: engine.partial_dependence(t, tree, "whole"),
    "stability": lambda t, tree, one: engine.stability(t, tree, samples=5),
    "apply": lambda t, tree, one: tree.apply(t),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_needs_single_rows_says_so(name):
    table, _ = in_memory(frames(3, 200, True, "classes"))
    table = table.with_partition(validation=0.3, test=0.2)
    counted = CountedTable.of(Coded(table))
    tree = engine.grow(counted, max_depth=3)
    best = engine.candidates(counted, tree, 0)[0]
    with pytest.raises(InputError, match="rows themselves"):
        CALLS[name](counted, tree, best)


def test_figures_of_numbers_are_those_of_memory_as_far_as_counts_tell():
    table, _ = in_memory(frames(3, 300, True, "number"))
    table = table.with_partition(validation=0.3)
    counted = CountedTable.of(Coded(table))
    for part in ("train", "validation"):
        found, expected = (engine.assess(t, engine.grow(t, max_depth=3), part) for t in (counted, table))
        assert found.r2 == pytest.approx(expected.r2)
        assert found.mse == pytest.approx(expected.mse)
        assert np.isnan(found.mae) and found.residuals is None


@pytest.mark.parametrize(
    "address", ["postgres://who@evil.example/db::t", "postgres:///db?host=evil.example::t", "spark:/x"]
)
def test_a_project_connects_to_no_server_unasked(tmp_path, monkeypatch, address):
    table, _ = in_memory(frames(3, 100, False, "classes"))
    counted = CountedTable.of(Coded(table)).changed(source={"kind": "counts", "address": address})
    project.save(tmp_path / "p.espalier", counted, engine.grow(counted, max_depth=2), {})
    asked = []
    monkeypatch.setattr(project, "read_counts", lambda place, **how: asked.append(place) or counted)
    with pytest.raises(project.OnServer, match="only if you trust the project"):
        project.load(tmp_path / "p.espalier")
    assert not asked
    assert project.load(tmp_path / "p.espalier", data=address).table is counted
    assert asked == [address]


@pytest.mark.parametrize(
    "address", ["postgres://anna@host:5432/bank?sslmode=require::own.t", "postgres://host/bank::t", "mysql://h::t"]
)
def test_a_project_is_opened_with_a_password_that_it_does_not_keep(tmp_path, monkeypatch, address):
    table, _ = in_memory(frames(3, 100, False, "classes"))
    counted = CountedTable.of(Coded(table)).changed(source={"kind": "counts", "address": address})
    project.save(tmp_path / "p.espalier", counted, engine.grow(counted, max_depth=2), {})
    asked = []
    monkeypatch.setattr(project, "read_counts", lambda place, **how: asked.append(place) or counted)
    given = with_password(address, "s3/cret@")
    project.load(tmp_path / "p.espalier", data=given)
    assert asked == [given] and "s3" not in without_password(given)
    with pytest.raises(project.OnServer):
        project.load(tmp_path / "p.espalier", data=given.replace("h", "other-h"))


def test_a_division_keeps_the_column_that_made_it(tmp_path):
    """And so the table that is opened again is divided in the same way."""
    frame = pd.DataFrame({"client": np.arange(400) // 4, "other": np.arange(400) % 7, "x": np.arange(400) % 10})
    frame["part"], frame["y"] = np.where(np.arange(400) % 3, "train", "valid"), np.where(frame["x"] > 4, "a", "b")
    frame.loc[5, "y"] = None
    frame.to_parquet(tmp_path / "rows.parquet")
    for how, own in (({"key": "client", "validation": 0.3}, "client"), ({"roles": {"part": "partition"}}, "part")):
        table = engine.read_counts(tmp_path / "rows.parquet", target="y", **how)
        with pytest.raises(InputError, match=f"“{own}” decides which rows train"):
            table.with_roles({own: "feature"})
        with pytest.raises(InputError, match="divided already, and not by “other”"):
            table.with_roles({"other": "key"})
        changed = table.with_roles({"other": "ignore", own: table.roles[own]})
        again = engine.read_counts(tmp_path / "rows.parquet", **how_counted(changed))
        assert (again.n_train, again.n_validation) == (table.n_train, table.n_validation) and table.n_validation
        assert again.roles == changed.roles
        assert "Rows without a value in the target “y” are left out." in table.notes
    whole = engine.read_counts(tmp_path / "rows.parquet", target="y")
    assert whole.with_roles({"other": "key"}).roles["other"] == "key"


def test_pruning_raises_no_branch_where_rows_are_only_counted():
    table, _ = in_memory(frames(3, 400, True, "classes"))
    table = table.with_partition(validation=0.3)
    counted = CountedTable.of(Coded(table))
    tree = engine.grow(counted, max_depth=6)
    found = engine.prune(counted, tree, "pessimistic")
    expected = engine.prune(table, engine.recount(tree, table)[0], "pessimistic", raising=False)
    assert_same(found.tree(found.chosen), expected.tree(expected.chosen))
    assert 1 < found.tree(found.chosen).n_leaves < tree.n_leaves
    assert "No branch was raised" in found.remark
    assert "only counted" in why_not("generic", counted) and not why_not("generic", table)
    with pytest.raises(InputError, match="only counted"):
        engine.prune(counted, tree, "generic")


def test_why_a_column_stays_as_it_is():
    table, _ = in_memory(frames(3, 200, False, "classes"))
    counted = CountedTable.of(Coded(table.with_roles({"whole": "weight"})))
    assert "choose “number” there" in counted.why_fixed("number", "target")
    assert "choose its type there" in counted.why_fixed("number")
    assert "the role feature now" in counted.why_fixed("whole", "feature")
    assert "the role ignore now" in counted.why_fixed(table.target, "ignore")
    assert counted.why_fixed("number", "ignore") == table.why_fixed("number", "target") == table.why_fixed("flag") == ""
