"""Scripts that make a tree again: each is executed, and its tree compared with the one that it was written for."""

import numpy as np
import pandas as pd
import pytest

import engine
from engine.scripting import ScriptStep
from engine.scripting.writing import code, same_tree

EVIL = "it's \"); import os #\n\\N{x} ö 😀 \u202e"


def written(tmp_path, n=400, number=False):
    """A file with names and levels that look like code, read with options, and divided."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame({
        "a'ge\"": random.integers(18, 90, n), "size": random.choice(["small", "middle", "large"], n),
        "town": random.choice([EVIL.replace("\n", " "), "Graz", "Ulm"], n),
        "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D"),
        "income": np.where(random.random(n) < 0.1, np.nan, random.normal(2000, 700, n).round(2)),
    })  # fmt: skip
    hit = (frame["a'ge\""] > 50) ^ (frame["size"] == "small") ^ (random.random(n) < 0.2)
    frame["y"] = frame["income"].fillna(0) / 9 + hit * 100 if number else np.where(hit, "yes", "n'o")
    frame.to_csv(tmp_path / "da'ta.csv", sep=";", decimal=",", index=False)
    options = engine.ReadOptions(delimiter=";", decimal=",", kinds={"size": ("small", "middle", "large")})
    table = engine.read_table(tmp_path / "da'ta.csv", target="y", options=options)
    return table.with_partition(validation=0.3, test=0.1, seed=3).with_roles({"income": "ignore"})


def run(text):
    """The table and the tree that a script makes."""
    names = {}
    exec(compile(text, "script.py", "exec"), names)
    return names["table"], names["tree"]


def check(table, tree, steps=None):
    """Executes the script of a tree; the text."""
    text = engine.script(table, tree, steps)
    again, made = run(text)
    assert (again.target, again.roles, again.names) == (table.target, table.roles, table.names)
    assert [(one.kind, one.levels) for one in again.columns] == [(one.kind, one.levels) for one in table.columns]
    assert (again.part == table.part).all() and (again.y == table.y).all()
    assert same_tree(made, tree)
    np.testing.assert_allclose(made.train, tree.train, rtol=1e-12)
    if tree.task == "number":
        np.testing.assert_allclose(made.predictions, tree.predictions, rtol=1e-12)
    return text


def done(table, *steps):
    """The tree that steps make, by calls of their own."""
    tree = engine.Tree.root(table)
    for verb, given, options in steps:
        if verb == "grow":
            tree = engine.grow(table, tree=tree, **options)
        elif verb == "prune":
            pruning = engine.prune(table, tree, *given)
            tree = pruning.tree(options.get("step", pruning.chosen))
        elif verb in ("collapse", "with_mark"):
            tree = getattr(tree, verb)(*given, **options)
        else:
            tree = getattr(tree, verb)(table, *given, **options)
    return tree


def test_the_steps_are_repeated(tmp_path, capsys):
    table = written(tmp_path)
    cut = engine.Split("a'ge\"", "threshold", (40.5,))
    steps = [
        ScriptStep("split", (0, cut)), ScriptStep("with_mark", (0,), {"note": EVIL, "pinned": True}),
        ScriptStep("grow", (), {"node": 1, "criterion": "entropy", "max_depth": 4, "locked": ("day",)}),
        ScriptStep("grow", (), {"preset": "rpart"}), ScriptStep("prune", ("cost_complexity",), {}),
        ScriptStep("with_mark", (1,), {"locked": True}),
    ]  # fmt: skip
    tree = done(table, *steps)
    text = check(table, tree, steps)
    assert "one by one" not in text and "criterion='entropy'" in text and "pruning.chosen" in text
    assert f"{tree.n_leaves} leaves, training error" in capsys.readouterr().out
    assert all(len(line) < 200 for line in text.splitlines()) and EVIL not in text


@pytest.mark.parametrize("number", [False, True])
def test_without_steps_the_splits_follow_one_by_one(tmp_path, number):
    table = written(tmp_path, number=number)
    options = {"summary": "median"} if number else {"smoothing": "laplace", "m_of_n": True}
    tree = engine.grow(table, max_depth=3, **options)
    inner, leaf = int(tree.ids[0]), int(tree.ids[tree.leaves[-1]])
    tree = tree.with_mark(leaf, table=table, label=5.0 if number else table.classes[0])
    tree = tree.with_mark(inner, table=table, note=EVIL, locked=True)
    text = check(table, tree)
    assert "# How this tree came about is unknown: its splits follow one by one." in text
    assert text.count("tree.split(") == (tree.n_branches > 0).sum()


@pytest.mark.parametrize("missing", ["direction", "branch", "surrogate", "fractional"])
def test_every_kind_of_split_is_said(tmp_path, missing):
    table = written(tmp_path).with_roles({"income": "feature"})
    check(table, engine.grow(table, max_depth=3, missing=missing, nominal="multiway"))


def test_steps_that_do_not_make_the_tree_are_not_said(tmp_path):
    table = written(tmp_path)
    tree = engine.grow(table, max_depth=2)
    text = check(table, tree, [ScriptStep("grow", (), {"max_depth": 1})])
    assert "is not to be repeated by a script, so its splits follow one by one." in text
    assert "one by one" in check(table, tree, [ScriptStep("collapse", (77,))])


def test_examples_and_pasted_text_are_read_again():
    table = engine.read_example("penguins").with_partition(validation=0.3)
    check(table, engine.grow(table, max_depth=2), [ScriptStep("grow", (), {"max_depth": 2})])
    pasted = engine.read_text("a,b\n1,x\n2,y\n3,y\n", target="b")
    check(pasted, engine.grow(pasted))


def test_what_no_script_can_make_is_refused(tmp_path, monkeypatch):
    table = engine.Table.from_frame(pd.DataFrame({"a": [1, 2], "y": ["b", "c"]}), target="y")
    with pytest.raises(engine.InputError, match="made in memory"):
        engine.script(table, engine.Tree.root(table))
    monkeypatch.setattr("engine.scripting.writing.MOST_SPLITS", 2)
    table = written(tmp_path)
    with pytest.raises(engine.InputError, match="at most 2 one by one: export it as JSON"):
        engine.script(table, engine.grow(table, max_depth=3))


def test_values_are_literals():
    for value in (
        EVIL,
        (EVIL,),
        {EVIL: [1, 2.5, None, True]},
        float("inf"),
        -float("inf"),
        np.float64(0.1),
        np.int64(3),
    ):
        text = code(value)
        assert eval(text) == value and text.isprintable()
