"""The panel What if, through mouse and keys: a row's values, what follows from them, and the chart beside them."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

import engine
from gui.canvas.overlays import picture_controls
from gui.model.document import Document
from gui.model.what_if_tasks import Field
from gui.panels.judge import dependence, prediction
from gui.panels.judge.what_if import WhatIfPanel
from gui.picture.nodes import tips
from gui.window.window import Window
from tests.gui.acting import fill, put_up, rest

LEFT = Qt.MouseButton.LeftButton


def table_of(task: str = "classes", test: float = 0.0) -> engine.Table:
    random = np.random.default_rng(2)
    n = 400
    frame = pd.DataFrame({"income": random.gamma(3, 10, n).round(1), "age": random.integers(18, 80, n)})
    frame["city"] = random.choice(["Bonn", "Ulm", "Köln"], n)
    frame["since"] = pd.to_datetime("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D")
    frame["extra"] = random.normal(size=n)
    frame.loc[::9, "income"] = None
    signal = frame.income.fillna(20) / 10 + 2 * (frame.city == "Ulm") - frame.age / 40 + random.normal(0, 0.4, n)
    frame["paid"] = signal if task == "number" else np.where(signal > 2.4, "yes", "no")
    return engine.Table.from_frame(frame, "paid").with_partition(validation=0.25, test=test)


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> WhatIfPanel:
    made = WhatIfPanel(document)
    put_up(qtbot, made, 1000, 600)
    return made


def show(qtbot: QtBot, document: Document, task: str = "classes") -> engine.Tree:
    """A tree that asks income, age and city."""
    table = table_of(task)
    tree = engine.Tree.root(table)
    for column, split in (
        ("income", engine.Split("income", "threshold", (25.0,))), ("city", None), ("age", None), ("income", None),
    ):  # fmt: skip
        node = int(tree.ids[tree.leaves[np.argmax(tree.rows_train[tree.leaves])]])
        found = split or next(one.split for one in engine.candidates(table, tree, node) if one.column == column)
        tree = tree.split(table, node, found)
    document.set_table(table, tree)
    rest(qtbot, document)
    return tree


def type_in(qtbot: QtBot, panel: WhatIfPanel, name: str, text: str) -> None:
    field = panel.form.editors[name]
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    rest(qtbot, panel._document)


def choose(qtbot: QtBot, panel: WhatIfPanel, box, data: object) -> None:
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findData(data)):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    rest(qtbot, panel._document)


def answer_of(document: Document, values) -> tuple[int, str]:
    """(the leaf, the label) of some values, by the engine."""
    tree = document.tree
    leaf = engine.way_down(engine.table_of_values(tree, values), tree)[-1]
    return leaf, tree.classes[tree.labels[tree.position(leaf)]] if tree.task == "classes" else ""


def test_it_begins_with_typical_values_and_the_columns_that_are_asked(qtbot, document, panel):
    assert panel.empty.isVisible()
    show(qtbot, document)
    train = table_of().rows(engine.TRAIN)
    ages = np.sort(document.table.column("age").numbers[train])
    assert panel.values["age"] == ages[(ages.size - 1) // 2]
    assert panel.values["city"] in ("Bonn", "Ulm", "Köln")
    assert {*panel.form.editors} == {"income", "age", "city"}
    leaf, label = answer_of(document, panel.values)
    assert (
        panel.prediction.said.text().startswith(f"Predicts {label} (") and f"#{leaf} " in panel.prediction.said.text()
    )
    assert document.look.way is None  # nothing is lit before a person asks for it


def test_what_is_typed_lights_its_way_and_is_answered(qtbot, document, panel):
    tree = show(qtbot, document)
    type_in(qtbot, panel, "income", "7.5")
    leaf, _ = answer_of(document, panel.values)
    assert panel.values["income"] == 7.5 and document.look.way.nodes[-1] == leaf
    assert "income = 7.5" in document.look.way.words.values()
    assert picture_controls.way_words(document.look.way, tree)[0] == "New row"
    assert tips.had_words(document.look.way, leaf).startswith("New row: income = 7.5")
    type_in(qtbot, panel, "income", "")
    assert panel.values["income"] is None and "income missing" in document.look.way.words.values()
    type_in(qtbot, panel, "income", "much")
    assert panel.values["income"] is None and "“much” is not a number" in panel.form.editors["income"].toolTip()
    document.following.step_back()
    assert document.look.way is None and panel.values["income"] is None


def test_levels_are_chosen_also_one_that_no_row_has(qtbot, document, panel):
    show(qtbot, document)
    for level in ("Ulm", "Bonn", None):
        choose(qtbot, panel, panel.form.editors["city"], level)
        assert panel.values["city"] == level
        assert document.look.way.nodes[-1] == answer_of(document, panel.values)[0]
    box = panel.form.editors["city"]
    qtbot.keyClick(box, Qt.Key.Key_Up)
    rest(qtbot, document)
    assert box.currentText() == "another level"
    assert document.look.way.nodes[-1] == answer_of(document, {**panel.values, "city": "nowhere"})[0]


def test_the_slider_is_pulled_and_walks_by_keys(qtbot, document, panel):
    show(qtbot, document)
    slider = panel.form.sliders["age"]
    qtbot.mousePress(slider, LEFT, pos=QPoint(round(slider.place(40.0)), 5))
    qtbot.mouseMove(slider, QPoint(round(slider.place(60.0)), 5))
    qtbot.mouseRelease(slider, LEFT, pos=QPoint(round(slider.place(60.0)), 5))
    rest(qtbot, document)
    assert panel.values["age"] == pytest.approx(60, abs=1.0) and panel.values["age"] % 1 == 0
    before = panel.values["age"]
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    rest(qtbot, document)
    assert panel.values["age"] == before + 1 and panel.form.editors["age"].text() == f"{before + 1:.0f}"
    assert document.look.way.nodes[-1] == answer_of(document, panel.values)[0]


def test_a_row_by_its_number_and_the_row_that_is_followed(qtbot, document, panel):
    show(qtbot, document)
    panel.number.setFocus()
    qtbot.keyClicks(panel.number, "8")
    qtbot.keyClick(panel.number, Qt.Key.Key_Return)
    rest(qtbot, document)
    assert document.following.row == 7 and panel.values == engine.values_of_row(document.table, 7)
    assert panel.whose.text() == "The values of row 8"
    document.following.follow_row(11)
    rest(qtbot, document)
    assert panel.values == engine.values_of_row(document.table, 11)
    qtbot.keyClicks(panel.number, "9999")
    qtbot.keyClick(panel.number, Qt.Key.Key_Return)
    assert "There is no row “89999”" in panel.whose.text()
    qtbot.mouseClick(panel.typical, LEFT)
    rest(qtbot, document)
    assert document.following.row == -1 and panel.whose.text() == "Values of no row of the table"


def test_a_click_makes_the_nearest_change(qtbot, document, panel):
    tree = show(qtbot, document)
    type_in(qtbot, panel, "income", "12")
    before, (_, label) = dict(panel.values), answer_of(document, panel.values)
    change = engine.nearest_change(document.table, tree, before)
    button = panel.prediction.changes[0]
    other = next(one for one in tree.classes if one != label)
    assert button.text().startswith(f"{other} if ") and " instead of " in button.text()
    assert prediction.change_words(panel._answer, change) == button.accessibleName()
    qtbot.mouseClick(button, LEFT)
    rest(qtbot, document)
    assert panel.values == {**before, **change.values} and answer_of(document, panel.values)[1] == other
    assert document.look.way.nodes[-1] == change.leaf


def test_a_change_of_a_level_names_the_level(qtbot, document, panel):
    table = table_of()
    split = engine.Split("city", "groups", groups=(("Ulm",), ("Bonn", "Köln")), missing=1, unseen=1)
    document.set_table(table, engine.Tree.root(table).split(table, 0, split))
    rest(qtbot, document)
    choose(qtbot, panel, panel.form.editors["city"], "Ulm")
    new = panel._answer.changes[0].values["city"]
    assert new in ("Bonn", "Köln")
    assert panel.prediction.changes[0].text().endswith(f" if city = {new} instead of Ulm")


def test_a_lock_keeps_a_value_out_of_the_advice(qtbot, document, panel):
    show(qtbot, document)
    type_in(qtbot, panel, "income", "12")
    changed = {*panel._answer.changes[0].values}
    for name in changed:
        qtbot.mouseClick(panel.form.locks[name], LEFT)
    rest(qtbot, document)
    assert all(not changed & {*change.values} for change in panel._answer.changes)
    for name in {"income", "age", "city"} - changed:
        qtbot.mouseClick(panel.form.locks[name], LEFT)
    rest(qtbot, document)
    assert panel.prediction.none.isVisible() and not panel.prediction.changes[0].isVisible()


def test_numbers_have_a_way_up_and_one_down(qtbot, document, panel):
    tree = show(qtbot, document, "number")
    type_in(qtbot, panel, "income", "24")
    said = tree.predictions[panel._answer.leaf]
    new = [tree.predictions[tree.position(change.leaf)] for change in panel._answer.changes]
    assert len(new) == 2 and min(new) < said < max(new) and not panel.prediction.bars.isVisible()


def test_columns_that_are_not_asked_unfold(qtbot, document, panel):
    show(qtbot, document)
    assert panel.form.more.text() == "Other columns: 2"
    qtbot.mouseClick(panel.form.more, LEFT)
    assert panel.form.editors["since"].text().startswith("202")
    type_in(qtbot, panel, "since", "2021-03-01")
    assert panel.values["since"] == pd.Timestamp("2021-03-01").timestamp()
    qtbot.mouseClick(panel.form.more, LEFT)
    assert "since" not in panel.form.editors and panel.values["since"] == pd.Timestamp("2021-03-01").timestamp()


def test_another_tree_keeps_the_values_and_asks_other_columns(qtbot, document, panel):
    show(qtbot, document)
    type_in(qtbot, panel, "income", "33")
    document.hand.split_by(document.tree.ids[document.tree.leaves[0]], engine.Split("extra", "threshold", (0.0,)))
    rest(qtbot, document)
    assert panel.values["income"] == 33 and "extra" in panel.form.editors
    assert document.look.way.nodes[-1] == answer_of(document, panel.values)[0]
    assert panel._answer.state is document.state and panel.chart.shown.tree is document.tree


@pytest.mark.parametrize("task", ["classes", "number"])
def test_the_chart_is_the_partial_dependence_with_the_row_on_it(qtbot, document, panel, task):
    tree = show(qtbot, document, task)
    type_in(qtbot, panel, "income", "24")
    shown, found = panel.chart.shown, engine.partial_dependence(document.table, tree, "income", curves=200)
    assert shown.found.mean == pytest.approx(found.mean) and panel.across.currentText() == "income"
    assert f"on average over the {document.table.n_train} training rows" in panel.said.text()
    assert "Thin: 200 of these rows" in panel.said.text() and "Where it is missing: " in panel.said.text()
    (x,), (y,) = panel.chart.getPlotItem().items[-1].getData()
    said = tree.probabilities[panel._answer.leaf, document.focus_class] if task == "classes" else shown.said
    assert (x, y) == (24.0, pytest.approx(said))
    where = panel.chart.getViewBox().mapViewToScene(QPointF(30.0, float(y)))
    mean = found.mean[found.axes[0].find(30.0), shown.k]
    assert panel.chart.text_at(where).endswith(f": {shown.words(float(mean))} on average")


def test_a_chart_that_is_no_longer_chosen_does_not_arrive(qtbot, document, panel):
    show(qtbot, document)
    rest(qtbot, document)
    panel.across.setFocus()
    qtbot.keyClick(panel.across, Qt.Key.Key_Down)  # the chart of another column is computed …
    qtbot.keyClick(panel.across, Qt.Key.Key_Up)  # … and not wanted any more
    rest(qtbot, document)
    assert [axis.column for axis in panel.chart.shown.found.axes] == [panel.across.currentText()]


def test_two_columns_make_a_map(qtbot, document, panel):
    tree = show(qtbot, document)
    choose(qtbot, panel, panel.up, "city")
    shown = panel.chart.shown
    assert [axis.column for axis in shown.found.axes] == ["income", "city"] and not shown.found.rows.size
    assert panel.chart._axes[1].labels[:3] == ("Bonn", "Köln", "Ulm")
    assert "blue is below the average" in panel.said.text()
    mean = engine.partial_dependence(document.table, tree, "income", "city").mean
    where = panel.chart.getViewBox().mapViewToScene(QPointF(50.0, 2.0))
    piece = shown.found.axes[0].find(50.0), 2
    assert panel.chart.text_at(where).startswith("income = 50") and "city = Ulm" in panel.chart.text_at(where)
    assert shown.words(float(mean[(*piece, document.focus_class)])) in panel.chart.text_at(where)
    document.set_focus(1 - document.focus_class)
    assert panel.chart.shown.k == document.focus_class
    choose(qtbot, panel, panel.across, "city")
    assert len(panel.chart.shown.found.axes) == 1  # the same column twice is one
    assert panel.chart.shown.found.axes[0].levels == ("Bonn", "Köln", "Ulm")


def test_it_computes_nothing_while_it_is_hidden_and_has_room_in_the_drawer(qtbot, window: Window):
    fill(qtbot, window, table_of(), size=(1280, 720))
    panel = window.places.panels["what_if"]
    assert panel._offer is None and not panel._asked
    window.places.show_panel("what_if")
    rest(qtbot, window)
    assert panel._offer is not None and panel.chart.shown is not None
    for widget in (panel.form, panel.chart, panel.prediction):
        corner = widget.mapTo(panel, widget.rect().bottomRight())
        assert panel.rect().contains(corner) and widget.height() > 20


def test_a_row_of_the_vault_is_not_shown(qtbot, document, panel):
    document.set_table(table_of(test=0.3))
    rest(qtbot, document)
    sealed = int(np.flatnonzero(document.table.sealed)[0])
    before = dict(panel.values)
    panel.number.setFocus()
    qtbot.keyClicks(panel.number, str(sealed + 1))
    qtbot.keyClick(panel.number, Qt.Key.Key_Return)
    rest(qtbot, document)
    assert document.following.row == -1 and panel.values == before


def test_few_rows_are_all_drawn_and_a_column_that_is_not_asked_says_so():
    table = table_of()
    tree = engine.Tree.root(table)
    found = engine.partial_dependence(table, tree, "age", curves=1000)
    fields = (Field("age", "integer", 1.0, (0.0, 1.0), np.zeros(24), (), False),)
    shown = dependence.Shown(found, fields, tree, 0, {}, 0.5)
    assert dependence.sentences(shown)[1:] == ["Thin: each of these rows.", "The tree does not ask it."]
