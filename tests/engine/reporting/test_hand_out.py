"""A node on a page: its figures are those of the engine, and nothing of it is markup."""

import numpy as np
import pytest

import engine
from tests.engine.reporting.test_report import EVIL, Read, drawn, people


def read(tmp_path, *asked, **how):
    engine.hand_out(*asked, tmp_path / "node.html", **how)
    return Read((tmp_path / "node.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", [False, True])
def test_it_says_what_the_engine_says(tmp_path, number):
    table = people(number=number)
    tree = engine.grow(table, max_depth=3)
    node = int(tree.ids[1])
    made = engine.weigh(table, tree, node, tree.split_at(1))
    criterion = "squared_error" if number else "gini"
    page = read(tmp_path, table, tree, node, draw=drawn)
    text = "\n".join(page.texts)
    assert all(line in text for line in engine.arithmetic(made, criterion).lines())
    assert all(line in text for line in tree.rule(node))
    assert len(page.images) == 1 and "script" not in page.tags
    splits = next(rows for rows in page.tables if rows[0][0] == "Column")
    found = engine.candidates(table, tree, node)
    assert [row[0] for row in splits[1:]] == [one.column for one in found]
    assert float(splits[1][2]) == pytest.approx(found[0].gain, rel=1e-3)
    if not number:
        rows = next(rows for rows in page.tables if rows[0] == ["Class", "Training", "Validation"])
        assert [row[1].split(" ")[0] for row in rows[1:]] == [f"{n:g}" for n in tree.train[1]]


def test_names_levels_and_test_rows_stay_what_they_are(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    node = next(int(tree.ids[i]) for i in range(tree.n_nodes) if EVIL in " ".join(tree.rule(int(tree.ids[i]))))
    page = read(tmp_path, table, tree, node)
    assert page.images == [] and any(EVIL in text for text in page.texts)
    assert page.tags <= {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "thead", "tbody",
                         "tr", "th", "td", "ol", "li"}  # fmt: skip
    other = table.to_frame()
    other.loc[table.sealed, "y"] = "no"
    other["part"] = np.array(["train", "validation", "test"])[table.part]
    sealed = engine.Table.from_frame(other, target="y", name=table.name).with_partition(column="part")
    again = read(tmp_path, sealed, engine.recount(tree, sealed)[0], node, locked=("part",))
    assert again.tables == page.tables


def test_what_pruning_compared_is_told(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=4)
    cut = engine.prune(table, tree, "reduced_error")
    text = "\n".join(read(tmp_path, table, tree, 0, prunings=[cut]).texts)
    assert f"Reduced error: {cut.verdicts.words(0)}" in text


def test_a_single_leaf_shows_the_sum_of_its_best_split(tmp_path):
    table = people()
    tree = engine.Tree.root(table)
    best = engine.candidates(table, tree, criterion="entropy")[0]
    text = "\n".join(read(tmp_path, table, tree, 0, criterion="entropy").texts)
    assert "The sum behind its best split" in text and "All rows stand in the root." in text
    assert all(line in text for line in engine.arithmetic(best, "entropy").lines())


def test_what_cannot_be_written_is_refused(tmp_path):
    table = people()
    tree = engine.Tree.root(table)
    with pytest.raises(engine.InputError, match="names no hand-out"):
        engine.hand_out(table, tree, 0, tmp_path / "node.docx")
    with pytest.raises(engine.InputError, match="no node 7"):
        engine.hand_out(table, tree, 7, tmp_path / "node.html")
    stopped = engine.Progress()
    stopped.stop()
    with pytest.raises(engine.InputError, match="was stopped"):
        engine.hand_out(table, tree, 0, tmp_path / "node.html", progress=stopped)
    assert not list(tmp_path.iterdir())
