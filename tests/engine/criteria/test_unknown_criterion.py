"""A criterion that was not registered is taken for no other."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.criteria import CRITERIA, kernel_code, kernels
from engine.criteria.criterion import PLACE
from engine.search.choices import OPTIONS, Choice
from engine.search.kernels import branches as search

CODE = 99 << PLACE


def tables(task):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.integers(0, 9, 60), "k": random.choice(list("abcd"), 60)})
    frame.loc[::7, "k"] = None
    for n_classes in (2, 3) if task == "classes" else (1,):
        y = random.integers(0, n_classes, 60) if n_classes > 1 else random.normal(size=60)
        yield engine.Table.from_frame(frame.assign(y=y), target="y", kinds={"y": "nominal"} if n_classes > 1 else None)


def calls(table):
    """All that is searched by a criterion."""
    root = engine.Tree.root(table)
    found = engine.candidates(table, root)[0]
    return [
        lambda name: kernel_code(name),
        lambda name: engine.candidates(table, root, criterion=name),
        lambda name: engine.candidates(table, root, criterion=name, lookahead=2),
        lambda name: engine.candidates(table, root, criterion=name, m_of_n=True),
        lambda name: engine.m_of_n(table, root, criterion=name),
        lambda name: engine.gain_curve(table, root, 0, "x", criterion=name),
        lambda name: engine.weigh(table, root, 0, found.split, criterion=name),
        lambda name: engine.grow(table, criterion=name),
        lambda name: engine.grow(table, criterion=name, missing="surrogate"),
        lambda name: engine.grow(table, criterion=name, order="best_first", max_leaves=4),
    ]


@pytest.mark.parametrize("task", ["classes", "number"])
def test_no_search_takes_it_for_another(monkeypatch, task):
    like = CRITERIA["gini" if task == "classes" else "squared_error"]
    asked = [call for table in tables(task) for call in calls(table)]
    for call in asked:
        call(like.name)
    odd = replace(like, name="odd", place=CODE >> PLACE, impurity=lambda stat, total: total)
    monkeypatch.setitem(CRITERIA, "odd", odd)
    option = OPTIONS["criterion"]
    monkeypatch.setitem(OPTIONS, "criterion", replace(option, choices=(*option.choices, Choice("odd", "Odd", ""))))
    for call in asked:
        with pytest.raises(NotImplementedError, match="odd"):
            call("odd")


def test_no_kernel_takes_its_code_for_another():
    """A criterion of classes comes back to `impurity`, which answers NaN for a code that it does not know."""
    for counts in ([3.0, 5.0], [3.0, 5.0, 2.0]):
        stat = np.array(counts)
        node = stat * 2
        assert np.isnan(kernels.impurity(CODE, stat))
        assert np.isnan(kernels.mixed(CODE, stat))
        assert np.isnan(kernels.pair_gain(CODE, stat, stat, node, 0.5)[0])
        assert np.isnan(kernels.branch_gain(CODE, stat, node, 0.5)[0])
        assert np.isnan(kernels.branches_gain(CODE, np.stack([stat, stat]))[0])
        runs = np.stack([stat, stat[::-1].copy()])
        assert np.isnan(search.best_cut(runs, np.array([8, 8]), np.zeros(stat.size), 0, CODE, 1)[0])
