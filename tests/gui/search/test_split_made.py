"""The split of an inner node has the validation gain that row by row is its own, whatever kind of split it is."""

import numpy as np
import pandas as pd
import pytest

import engine
from gui.model.history import State
from gui.model.search.ranking import split_made
from tests import naive_losses


@pytest.mark.parametrize(
    ("criterion", "options"),
    [("gini", {"missing": "surrogate"}), ("absolute_error", {}), ("absolute_error", {"nominal": "multiway"})],
)
def test_its_validation_gain_is_what_the_answers_save(criterion: str, options: dict) -> None:
    random = np.random.default_rng(2)
    frame = pd.DataFrame({"x": random.normal(size=300), "k": random.choice(list("pqrs"), 300)})
    frame["z"] = frame["x"] + random.normal(size=300) / 4
    score = frame["x"] + (frame["k"] == "q") + random.normal(size=300)
    frame.loc[random.random(300) < 0.2, "x"] = None
    frame["y"] = score if criterion == "absolute_error" else np.where(score > 0, "yes", "no")
    table = engine.Table.from_frame(frame, "y").with_partition(validation=0.4)
    root, options = engine.Tree.root(table), {"criterion": criterion, **options}
    trained, judged = (np.flatnonzero(table.part == part) for part in (engine.TRAIN, engine.VALIDATION))
    for one in engine.candidates(table, root, **options):
        made, _ = split_made(State(table, root.split(table, 0, one.split)), 0, options, engine.Progress())
        expected = naive_losses.of_table(table, one.split, trained, judged, criterion)
        assert made.validation_gain == pytest.approx(expected, abs=1e-9)
