"""Trees with costs or priors: the canvas names the class that a leaf predicts, and the legend why it does."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

import engine
from gui import theme
from gui.canvas.view import TreeView
from gui.model.history import State
from gui.model.history import change_words as history_words
from gui.model.what_if_tasks import Answer
from gui.panels.history import comparison
from gui.panels.history import steps as history
from gui.panels.judge import prediction
from gui.panels.words.node import outcome_words
from gui.panels.words.outline import OutlineModel
from gui.picture import legend
from gui.picture.cards.frame import FULL, Frame
from gui.picture.cards.ghosts import Ghosts
from gui.picture.cards.painter import paint
from gui.picture.cards.scene import Scene
from gui.picture.nodes.letters import NAME, Letters
from gui.picture.nodes.tips import tip
from gui.picture.paper.picture import write_picture
from gui.window.bars import fit_words, tooltip
from gui.wording import phrases, words
from tests.gui.canvas.trees import drawn_texts, five_nodes, people, random_tree, texts_of

COSTS = "yes:no=2"


@pytest.fixture
def shown():
    """(table, the tree by majority, the tree by costs, a leaf that they label differently)."""
    table = people()
    tree = five_nodes(table)
    costly = tree.with_leaf_rule(table, engine.LeafRule(costs=engine.tree.leaves.read_costs(COSTS)))
    other = np.flatnonzero((tree.labels != costly.labels) & (tree.n_branches == 0))
    assert other.size
    return table, tree, costly, int(other[0])


def scene_of(tree):
    return Scene(tree, 1, theme.LIGHT, Letters())


def test_a_leaf_names_the_class_it_predicts(shown, qapp):
    _, tree, costly, leaf = shown
    plain, by_costs = (scene_of(one).cards for one in (tree, costly))
    assert by_costs.details(leaf) == plain.details(leaf) and " % yes · " in plain.details(leaf)[0]  # whose rate it is
    assert plain.titles(leaf)[0] == "predicts no"
    assert by_costs.titles(leaf)[0] == "predicts yes"
    assert "<br>Predicts yes<table>" in tip(costly, leaf)


def test_small_tiles_show_what_costs_change(shown, qapp):
    _, tree, costly, leaf = shown
    for one, said in ((tree, ["predicts no", "36 % yes · 45 rows"]), (costly, ["predicts yes", "36 % yes · 45 rows"])):
        scene = scene_of(one)
        camera = scene.fitted(400, 190)
        assert 0.2 < Frame(scene, camera).scale(leaf) < FULL
        box = Frame(scene, camera).box(leaf)
        texts = drawn_texts(lambda p, s=scene, c=camera: paint(p, s, c, 400, 190))
        assert [text for x, y, text in texts if box.contains(x, y)] == said


def test_long_names_are_shortened(qapp):
    long = "a class with a name that goes on and on and on"
    cards = scene_of(random_tree(n=5, classes=(long, f"{long} too"))).cards
    whole, short, *_ = cards.titles(int(cards.tree.leaves[0]))
    assert whole == f"predicts {short}"
    assert "…" in short
    assert cards.letters.width(short, NAME) < 100


def test_a_preview_labels_by_the_costs(shown, qapp):
    table, _, costly, _ = shown
    root = costly.collapse(0)
    candidate = next(c for c in engine.candidates(table, root) if c.column == "age")
    after = root.split(table, 0, candidate.split)
    branches = Ghosts(scene_of(root), candidate).branches
    assert [b.title for b in branches] == [f"predicts {after.classes[after.labels[i]]}" for i in after.children(0)]


def test_the_legend_says_that_costs_decide(shown, qapp):
    _, tree, costly, _ = shown
    assert not [item for item in legend.items(scene_of(tree)) if "expected cost" in item.text]
    said = [item.text for item in legend.items(scene_of(costly))]
    assert "leaves predict the class of least expected cost (yes:no=2)" in said


def test_a_picture_can_be_read_alone(shown, tmp_path, qapp):
    _, _, costly, leaf = shown
    write_picture(costly, tmp_path / "tree.svg", focus_class=1)
    texts = [text for *_, text in texts_of((tmp_path / "tree.svg").read_text("utf-8"))]
    said = [f"predicts {costly.classes[costly.labels[i]]}" for i in costly.leaves]
    assert sorted(text for text in texts if text.startswith("predicts ")) == sorted(said)
    assert "leaves predict the class of least expected cost (yes:no=2)" in texts
    assert leaf in costly.leaves


def test_the_outline_does_not_call_a_label_the_majority(shown, qapp):
    _, tree, costly, _ = shown
    for one, head in ((tree, "Majority"), (costly, "Label")):
        model = OutlineModel()
        model.show(one, 1)
        assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) == head
        explained = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert ("least expected cost" in explained) == (head == "Label")


def test_the_strip_shows_the_mean_cost_beside_the_error(shown):
    table, tree, costly, _ = shown
    train, valid = (words.value(costly.loss(part)) for part in ("train", "validation"))
    assert words.value(engine.assess(table, costly, "validation").loss) == valid
    assert f" · cost: train {train}, valid {valid} (2 trees compared)" in fit_words(costly, 2)
    assert "cost" not in fit_words(tree, 1)
    assert "Cost: what a row costs on average" in tooltip(costly)
    assert "Cost" not in tooltip(tree)


def test_the_history_compares_costs_under_one_rule(shown, qapp):
    table, tree, costly, _ = shown
    root = costly.collapse(0)
    model = history.HistoryModel()
    model.show([State(table, one).step("step") for one in (tree, root, costly)], 2)
    cells = [[model.index(row, section).data() for section in range(6)] for row in range(3)]
    assert "cost" not in cells[0][history.TRAINING]
    assert cells[1][history.TRAINING_CHANGE] == ""  # the labels are after something else now
    assert cells[2][history.VALIDATION].endswith(f" · cost {words.value(costly.loss('validation'))}")
    change = costly.loss("train") - root.loss("train")
    assert change < 0
    assert cells[2][history.TRAINING_CHANGE] == words.MINUS + words.value(-change)


@pytest.fixture
def paid(shown):
    """The tree with profits; acting pays on some leaves."""
    table, tree, _, _ = shown
    rule = engine.LeafRule(profits=(("no", -30.0, 0.0), ("yes", 25.0, 0.0)), currency="EUR")
    made = tree.with_leaf_rule(table, rule)
    assert 0 < made.acts[made.leaves].sum() < made.n_leaves
    return made


def test_cards_and_words_tell_where_to_act_and_what_that_earns(shown, paid, qapp):
    _, tree, _, _ = shown
    cards = scene_of(paid).cards
    for i in paid.leaves.tolist():
        no, yes = paid.train[i]
        earned = (25.0 * yes - 30.0 * no) / (yes + no)
        lines = [forms[0] for forms in cards.texts(i)]
        assert (f"act: {words.value(earned)} EUR" if earned > 0 else "do not act: 0 EUR") in lines
        assert ("Act here: a row earns" if earned > 0 else "Do not act here: a row earns") in outcome_words(paid, i)
        assert not any("%" in text and "EUR" in text for text in lines)
    assert "act" not in " ".join(form for forms in scene_of(tree).cards.texts(1) for form in forms)
    assert "earns" not in outcome_words(tree, 1)


def test_the_smallest_tiles_and_the_legend_tell_where_to_act(shown, paid, qapp):
    _, tree, _, _ = shown
    scene = scene_of(paid)
    for i in paid.leaves.tolist():
        for forms in (scene.cards.titles(i), scene.cards.briefs(i)):
            assert (forms[-1] == "act") == all(form.startswith("act") for form in forms) == bool(paid.acts[i])
    acted = f"act on {paid.acts[paid.leaves].sum()} of {paid.n_leaves} leaves"
    assert acted in [item.text for item in legend.items(scene)]
    assert not any(item.text.startswith("act") for item in legend.items(scene_of(tree)))


def test_a_step_tells_what_it_does_to_the_profit(shown, paid):
    table, tree, _, _ = shown
    before, after = (State(table, one).step("") for one in (tree, paid))
    amount = f"{words.value(paid.profit('validation'))} EUR"
    acted = f"act on {paid.acts[paid.leaves].sum()} of {paid.n_leaves} leaves"
    assert history_words(before, after).startswith(f"profit per row {amount}, {acted}, training error stays")
    cut = paid.collapse(paid.ids[paid.parent[paid.leaves[-1]]])
    now = f"{words.value(cut.profit('validation'))} EUR"
    assert history_words(after, State(table, cut).step("")).startswith(f"profit per row {amount} → {now}")
    assert "profit" not in history_words(before, before)


def test_the_strip_shows_the_profit_in_the_currency(shown, paid):
    _, tree, _, _ = shown
    train, valid = (words.value(paid.profit(part)) for part in ("train", "validation"))
    assert f" · profit per row: train {train} EUR, valid {valid} EUR · error: " in fit_words(paid, 2)
    assert "Profit: what a row earns" in tooltip(paid)
    assert "profit" not in fit_words(tree, 1)


def test_two_trees_are_compared_by_profit(shown, paid):
    table, tree, _, _ = shown
    results = {"validation": engine.compare(table, paid, paid.collapse(0), "validation")}
    lines = {line[0]: line[1:] for line in comparison.figures(results, paid, paid.collapse(0), 1)}
    assert lines["Validation profit per row"][0] == f"{words.value(paid.profit('validation'))} EUR"
    assert "Validation profit per row" not in {line[0] for line in comparison.figures(results, paid, tree, 1)}


def test_the_test_rows_tell_the_cost_too(shown):
    table, tree, costly, _ = shown
    fits = [engine.assess(table, one, "validation") for one in (costly, tree)]
    assert f"a row costs {words.value(fits[0].loss)} on average." in phrases.tested(fits[0], costly, 1)
    assert "costs" not in phrases.tested(fits[1], tree, 1)


def test_the_test_rows_tell_the_profit_and_what_a_tree_of_one_leaf_would_err(shown, paid):
    table, tree, _, _ = shown
    fits = [engine.assess(table, one, "validation") for one in (paid, tree)]
    said = phrases.tested(fits[0], paid, 1)
    assert f"A row earns {words.value(paid.profit('validation'))} EUR." in said
    usual = tree.classes[int(tree.train[0].argmax())]
    alone = words.percent(engine.assess(table, tree.collapse(0), "validation").error)
    assert f"Always saying “{usual}” errs in {alone}." in said
    assert "earns" not in phrases.tested(fits[1], tree, 1)


def test_what_if_tells_where_to_act(shown, paid):
    table, tree, _, _ = shown
    for i in paid.leaves.tolist():
        said = prediction.sentence(Answer(State(table, paid), {}, i, (), engine.said_of(paid, {int(paid.ids[i]): 1.0})))
        amount = f"{words.value(float(paid.expected_profit[i]))} EUR"
        assert said.endswith(f"Act: it earns {amount}." if paid.acts[i] else f"Do not act: it earns {amount}.")
    leaf = int(tree.leaves[0])
    unpaid = engine.said_of(tree, {int(tree.ids[leaf]): 1.0})
    assert "earns" not in prediction.sentence(Answer(State(table, tree), {}, leaf, (), unpaid))


def test_costs_are_on_the_canvas_at_once(qtbot, document):
    view = TreeView(document)
    qtbot.addWidget(view)
    view.resize(700, 500)
    with qtbot.waitActive(view):
        view.show()
    view.setFocus()
    table = people()
    document.set_table(table, five_nodes(table))
    before = view.grab().toImage()
    document.set_search(costs=COSTS)
    qtbot.waitUntil(lambda: bool(document.tree.leaf_rule.costs), timeout=60_000)
    assert view.grab().toImage() != before
    document.undo()
    assert not document.tree.leaf_rule.costs
    assert view.grab().toImage() == before
