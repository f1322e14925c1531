"""A step of a replay on a page: what is said is what the replay tells, and nothing of it is markup."""

import pytest

import engine
from engine.reporting.step import MOST_DRAWN
from tests.engine.reporting.test_report import EVIL, Read, people

METHODS = ["reduced_error", "cost_complexity", "pessimistic", "generic", "srm"]


def read(tmp_path, *asked, **how):
    engine.hand_out_step(*asked, tmp_path / "step.html", **how)
    return Read((tmp_path / "step.html").read_text(encoding="utf-8"))


def noting(seen):
    def draw(tree, path, notes):
        seen.append((tree, notes))
        with open(path, "w", encoding="utf-8") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg"/>')

    return draw


@pytest.mark.parametrize("method", METHODS)
def test_a_step_of_pruning_says_what_the_replay_tells(tmp_path, method):
    table = people()
    tree = engine.grow(table, max_depth=3)
    replay = engine.replay_pruning(table, tree, method)
    for step in range(min(len(replay.steps), 6)):
        told, seen = replay.account(step), []
        page = read(tmp_path, table, replay, step, what="Pruning", draw=noting(seen))
        assert f"Pruning: step {step + 1} of {len(replay.steps)}" in page.texts
        assert told.sentence in page.texts and all(line in page.texts for line in told.formula)
        assert (
            [row[1:] for row in page.tables[0][1:]] == [list(cells) for cells in told.figures]
            if told.figures
            else (not page.tables)
        )
        arrows = [k for k, row in enumerate(page.tables[0][1:] if page.tables else []) if row[0] == "→"]
        assert arrows == ([told.chosen] if told.figures and told.chosen >= 0 else [])
        lit = replay.lines[replay.steps[step].line]
        assert f"▸ {lit}" in page.texts and len(page.images) == 1
        assert (seen[0][0].n_leaves, seen[0][1]) == (replay.tree(step).n_leaves, dict(told.notes))


def test_names_are_no_markup_and_a_large_tree_shows_the_way_to_the_node(tmp_path):
    table = people()
    replay, seen = engine.replay_growth(table), []
    last = len(replay.steps) - 1
    page = read(tmp_path, table, replay, last - 1, what=EVIL, draw=noting(seen))
    assert "script" not in page.tags and any(text.startswith(EVIL) for text in page.texts)
    assert replay.tree(last - 1).n_leaves > MOST_DRAWN > seen[0][0].n_leaves
    assert replay.steps[last - 1].node in seen[0][0]


def test_another_suffix_is_refused(tmp_path):
    table = people()
    with pytest.raises(engine.InputError, match="names no hand-out"):
        engine.hand_out_step(table, engine.replay_growth(table, max_depth=1), 0, tmp_path / "step.docx", what="Growing")
