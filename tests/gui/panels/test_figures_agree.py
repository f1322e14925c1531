"""A figure that is shown in several places is one figure: candidates, split panel, Why, curve, nodes of the tree."""

import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine import criteria
from engine.criteria import criteria_for
from engine.ranking.arithmetic import arithmetic
from gui.panels.this_node.split.draft import CutDraft, LevelsDraft
from gui.panels.this_node.split.ruler import Ruler
from gui.panels.this_node.why import words as why_words
from gui.panels.this_node.why.figure import Geometry, geometry
from gui.wording import words
from tests.effort import pairs, some

TARGETS = {"two": 2, "three": 3, "number": 0}
WAYS = [{}, {"nominal": "multiway", "numeric": "bucket_branches", "buckets": 3}, {"nominal": "one_vs_rest"},
        {"missing": "branch"}, {"missing": "surrogate"}]  # fmt: skip


def table_of(target: str, weighted: bool) -> engine.Table:
    random = np.random.default_rng(4)
    n = 150
    frame = pd.DataFrame({"x": random.normal(size=n), "z": random.integers(0, 6, n).astype(float)})
    frame["k"] = random.choice(list("pqrs"), n)
    for column in ("x", "k"):
        frame.loc[random.random(n) < 0.15, column] = None
    score = np.nan_to_num(frame["x"].to_numpy()) + (frame["k"] == "q") + random.normal(size=n)
    classes = TARGETS[target]
    frame["y"] = score if not classes else [f"c{k}" for k in np.digitize(score, [0.3, 1.2][: classes - 1])]
    frame["w"] = random.integers(1, 4, n) / 3 if weighted else 1.0
    table = engine.Table.from_frame(frame, target="y", weights="w", kinds={"z": "number"})
    return table.with_partition(validation=0.3)


def cases():
    for target, classes in TARGETS.items():
        for one in criteria_for("classes" if classes else "number"):
            yield target, one.name


@pytest.mark.parametrize(("case", "weighted", "how"), some(pairs(list(cases()), (False, True), WAYS), 34), ids=str)
def test_what_is_shown_twice_is_the_same(case: tuple[str, str], weighted: bool, how: dict) -> None:
    target, criterion = case
    table, options = table_of(target, weighted), {"criterion": criterion, "bins": 4, **how}
    root = engine.Tree.root(table)
    for found in engine.candidates(table, root, **options):
        curve = engine.gain_curve(table, root, 0, found.column, **options)
        weighed = engine.weigh(table, root, 0, found.split, **options)
        assert same(weighed.gain, found.gain) and same(weighed.validation_gain, found.validation_gain)
        assert same(curve.best_gain, found.gain)
        if 0 <= curve.best < len(curve.gains) and how.get("missing") != "branch":
            assert same(curve.gains[curve.best], found.gain)
        draft = (
            CutDraft(found, curve, found.split, Ruler(curve, table.task == "classes"))
            if table.column(found.column).is_numeric
            else LevelsDraft(found, curve, found.split, table.task == "classes")
        )
        if found.gain < 1e-12:
            continue  # rounding is left of a training error that nothing lowers
        assert draft.below_best == 0 and draft.best == (found.split, found.gain)

        worked = arithmetic(found, criterion)
        assert same(worked.gain, found.gain)
        if criterion == "gain_ratio":
            assert same(worked.ratio, found.scores["gain_ratio"])
        said = {line.name: line.result for line in why_words.lines(found, worked, table.kinds)}
        assert said.get("gain", said.get("drop")) == words.gain(found.gain)

        drawn = geometry(found, criterion, root, 0)
        if isinstance(drawn, Geometry) and not drawn.question:
            assert drawn.drop == max(worked.drop, 0.0)
            assert drawn.drop == pytest.approx(own_unit(criterion) * (drawn.node.y - drawn.mean), abs=1e-9)
        assert isinstance(drawn, str) or bool(drawn.question) == (target == "three")

        tree = root.split(table, 0, found.split)
        if table.task == "classes":
            name = "entropy" if criterion == "gain_ratio" else criterion
            shown = criteria.impurities(name, tree.train)
            assert shown[0] == pytest.approx(worked.node.impurity, abs=1e-12)
            inner = [part.impurity for part in worked.branches if part.weight > 0]
            places = [i for i in tree.children(0) if tree.rows_train[i]]
            assert shown[places].tolist() == pytest.approx(inner, abs=1e-12)


def own_unit(criterion: str) -> float:
    """The entropy is drawn at half its bits."""
    return 2.0 if criterion in ("entropy", "gain_ratio") else 1.0


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
