"""Where the preset c4.5 differs from J48 on complete tables: J48 makes no cut between neighbours that are no further
apart than 0.00001, and so pays for fewer cuts. The slow twin shows it: with that rule it grows the trees that J48
prints, without it ours; and where all values lie further apart, these are the same. (J48 compares gains and thresholds
to within 0.000001, which these tables do not come near.)"""

from functools import cache

import pytest

import engine
from tests import j48, naive_quinlan
from tests.data.j48 import close
from tests.effort import some

ONE_VALUE = 1e-5
DIFFERENT = 14  # of the 40 tables in units, the trees that J48 grows otherwise


@cache
def printed() -> dict[str, j48.Node]:
    """What J48 printed, by seed and unit."""
    texts = close.FILE.read_text().removeprefix("# ").split("\n\n# ")
    found = {name: j48.read(lines) for name, *lines in (text.strip().split("\n") for text in texts)}
    return {name: j48.without_labels_of_empty_leaves(top) for name, top in found.items()}


def bare(top: j48.Node) -> tuple:
    """The splits of a printed tree and the errors of its leaves, as `of_twin`."""
    if not top.below:
        return (top.wrong,)
    first = top.below[0]
    return first.name, float(first.value) if first.test == "<=" else None, *map(bare, top.below)


def of_twin(node: naive_quinlan.Node) -> tuple:
    if not node.below:
        return (node.wrong,)
    return node.column, None if node.threshold is None else round(node.threshold, 6), *map(of_twin, node.below)


@pytest.mark.parametrize("seed", some(close.SEEDS, 10))
def test_the_trees_of_j48_differ_by_the_values_that_it_takes_for_one(seed):
    for name, unit in close.UNITS.items():
        frame = close.table(seed, unit)
        ours = j48.told(engine.grow(engine.Table.from_frame(frame, target="y"), preset="c4.5"))
        frame["k"] = frame["k"].astype("category")
        told = bare(printed()[f"{seed} {name}"])
        assert told == of_twin(naive_quinlan.collapsed(naive_quinlan.grow(frame, 2, apart=ONE_VALUE)))
        assert bare(ours) == of_twin(naive_quinlan.collapsed(naive_quinlan.grow(frame, 2)))
        if name == "thousandths":
            assert bare(ours) == told


def test_many_trees_are_concerned():
    differ = 0
    for seed in close.SEEDS:
        table = engine.Table.from_frame(close.table(seed, close.UNITS["units"]), target="y")
        tree = engine.grow(table, preset="c4.5")
        differ += j48.told(tree) != printed()[f"{seed} units"]
    assert differ == DIFFERENT
