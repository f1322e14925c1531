"""The benchmark of the canvas runs, on trees that add up; no time is looked at."""

import numpy as np
import pytest

from tests.benchmarks import canvas
from tests.benchmarks.shapes import BALANCED, CHAIN, SHAPES, tree_of


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [5, 99, 2_001])
def test_trees_of_any_size(shape, n):
    tree = tree_of(n, shape)
    assert tree.n_nodes == n
    assert tree.depth == (n // 2 if shape == CHAIN else pytest.approx(np.log2(n), abs=4))
    inner = np.flatnonzero(tree.n_branches > 0)
    counts = tree.nodes.train
    assert (np.abs(counts[inner] - counts[inner + 1] - counts[tree.end[inner + 1]]) <= 1.5).all()


def test_every_line_of_the_table(qapp, monkeypatch, capsys):
    for name, few in (("REPEATS", 2), ("STEPS", 4), ("MOVES", 3), ("FOLDED", 2)):
        monkeypatch.setattr(canvas, name, few)
    assert canvas.main(["--nodes", "41", "--shape", BALANCED]) == 0
    said = capsys.readouterr().out
    for view in ("fitted", "mid zoom", "deep zoom", "zoom sweep", "hovering", "selecting", "folding"):
        assert sum(f"· {view}" in line for line in said.splitlines()) == 2
    assert "layout · balanced · 41" in said and "bytes for each node" in said
