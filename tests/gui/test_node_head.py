"""What stands above the candidates: the rows of the selected node and what they are."""

import numpy as np
import pandas as pd
import pytest

import engine
from gui.window.bars import NodeHead
from gui.wording import words
from tests.gui.acting import rest


def homes(task: str, n: int = 300) -> engine.Table:
    random = np.random.default_rng(4)
    area = random.integers(40, 200, n).astype(float)
    price = 200_000.0 + 1_000.0 * area + random.normal(0, 9_000, n)
    y = price if task == "number" else np.where(area > 120, "dear", "cheap")
    return engine.Table.from_frame(pd.DataFrame({"area": area, "y": y}), target="y").with_partition(validation=0.3)


@pytest.mark.parametrize("task", ["number", "classes"])
def test_the_figures_are_those_of_the_rows(qtbot, window, task):
    """Of the root and of a branch; the engine keeps numeric targets around their mean, which a person never sees."""
    table = homes(task)
    window.document.set_table(table)
    rest(qtbot, window)
    window.document.tree_edits.split_best_here()
    rest(qtbot, window)
    tree, head = window.document.tree, window.findChild(NodeHead)
    split, frame = tree.split_at(0), table.to_frame()
    below = frame["area"] <= split.thresholds[0]
    for node, inside in ((0, below | True), (int(tree.ids[1]), below)):
        window.document.select(node)
        rest(qtbot, window)
        for part in (engine.TRAIN, engine.VALIDATION):
            y = frame.loc[inside & (table.part == part), "y"]
            told = words.value(float(y.mean())) if task == "number" else words.percent(float((y == "dear").mean()))
            assert told in head.rows.text() and f"{len(y)} rows" in head.rows.text()


def test_large_numbers_of_rows_are_shortened_before_the_line_wraps(qtbot, window):
    window.document.set_table(homes("number", 200_000))
    rest(qtbot, window)
    head = window.findChild(NodeHead)
    for width, rows in ((900, "140,000 rows, "), (300, "140k rows, "), (900, "140,000 rows, ")):
        head.setFixedWidth(width)
        rest(qtbot, window)
        assert head.rows.text().startswith(rows)
        assert ("140,000 rows" in head.rows.toolTip()) == (width == 300)
