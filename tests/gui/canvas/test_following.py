"""Following rows: the way of one, the flow of many; what is found, and what a person sees and does in the window."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QTableView, QToolButton

import engine
from engine.runtime.progress import Progress
from engine.table.partition import TEST
from gui import theme
from gui.canvas import scene_controller
from gui.canvas.overlays.picture_controls import flow_tip, flow_words, forms, way_words
from gui.canvas.viewport import CORNER
from gui.model.history import State
from gui.model.view_state import following
from gui.model.view_state.look import Chosen
from gui.panels.words import rows as rows_panel
from gui.picture.kinds import KINDS
from gui.picture.nodes import tips
from gui.picture.nodes.letters import Letters
from gui.window.bars import PathLabel
from gui.wording import phrases, words
from tests.effort import examples
from tests.frames import frames, random_tree, table_of
from tests.gui.acting import do, fill, rest, type_path
from tests.gui.asked import when_asked
from tests.gui.canvas.trees import Shown, drawn_texts, five_nodes, people

NOW = Progress()
LEFT, CONTROL, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key


# -- what the worker finds


@examples(40)
@given(frames(rows=(8, 30)), st.integers(0, 2**32 - 1))
def test_the_way_of_every_row_ends_where_the_row_stands(frame, seed):
    table = table_of(frame)
    tree = random_tree(table, seed, 6)
    state = State(table, tree)
    at, leaf = engine.assign(table, tree), following.leaf_of_rows(state)
    for row in range(table.n_rows):
        found = following.way(state, row, NOW)
        places = [tree.position(node) for node in found.nodes]
        assert places == [i for i in range(tree.n_nodes) if row in at.rows_of(i)]
        assert places[-1] == leaf[row]
        assert set(found.words) == set(found.nodes[1:])


@examples(40)
@given(frames(rows=(8, 30)), st.integers(0, 2**32 - 1))
def test_the_flow_is_what_counting_row_by_row_says(frame, seed):
    table = table_of(frame).with_partition(validation=0.3, test=0.1, seed=3)
    tree = random_tree(table, seed, 6)
    rows = np.flatnonzero(np.random.default_rng(seed).random(table.n_rows) < 0.5).astype(np.uint32)
    found = following.flow(State(table, tree), Chosen("some", rows), NOW)
    at, chosen = engine.assign(table, tree), set(rows.tolist())
    for name, part in (("train", engine.TRAIN), ("validation", engine.VALIDATION)):
        for i in range(tree.n_nodes):
            here = [r for r in at.rows_of(i).tolist() if table.part[r] == part]
            share = sum(r in chosen for r in here) / len(here) if here else 0.0
            assert found.shares[name][i] == pytest.approx(share)
    assert sum(found.n_rows) == rows.size
    assert found.n_rows[0] == sum(table.part[r] == engine.TRAIN for r in chosen)


@examples(30)
@given(frames(rows=(8, 30)), st.integers(0, 2**32 - 1), st.booleans())
def test_wrong_rows_are_those_whose_leaf_says_something_else(frame, seed, test_too):
    table = table_of(frame).with_partition(validation=0.2, test=0.2, seed=seed % 7)
    tree = random_tree(table, seed, 3)
    leaf = following.leaf_of_rows(State(table, tree))
    known = [r for r in range(table.n_rows) if table.part[r] != engine.UNUSED and (test_too or table.part[r] != TEST)]
    try:
        found = following.chosen_wrong(State(table, tree), test_too, NOW).rows.tolist()
    except engine.InputError:
        found = []
    if table.task == "classes":
        target = table.target_column
        names = {r: target.text(int(target.codes[r]) - 1) for r in known}
        assert found == [r for r in known if tree.classes[tree.labels[leaf[r]]] != names[r]]
    else:
        apart = {r: abs(table.target_column.numbers[r] - tree.predictions[leaf[r]]) for r in known}
        least = min(apart[r] for r in found)
        assert all(apart[r] <= least + 1e-9 for r in known if r not in found)


def words_table():
    frame = pd.DataFrame(
        {
            "age": [42.0, None, 30.0, 60.0],
            "town": ["Ulm", "Bonn", None, "Ulm"],
            "opened": pd.to_datetime(["2020-01-01", None, "2020-03-01", "2021-01-01"]),
            "smoker": [True, False, True, False],
            "y": list("abab"),
        }
    )
    return engine.Table.from_frame(frame, target="y")


@pytest.mark.parametrize(
    ("split", "said"),
    [
        (engine.Split("age", "threshold", (35.0,)), ["age = 42", "age missing", "age = 30", "age = 60"]),
        (
            engine.Split("town", "groups", groups=(("Ulm",), ("Bonn",))),
            ["town = Ulm", "town = Bonn", "town missing", "town = Ulm"],
        ),
        (
            engine.Split("opened", "threshold", (1590969600.0,)),
            ["opened = 2020-01-01", "opened missing", "opened = 2020-03-01", "opened = 2021-01-01"],
        ),
        (
            engine.Split("smoker", "groups", groups=(("True",), ("False",))),
            ["smoker = True", "smoker = False", "smoker = True", "smoker = False"],
        ),
        (
            engine.Split(
                "age", "m_of_n", m=1, literals=(engine.Literal("age", "<=", 35.0), engine.Literal("town", "==", "Ulm"))
            ),
            ["1 of 2 hold", "0 of 2 hold", "1 of 2 hold", "1 of 2 hold"],
        ),
        (
            engine.Split(
                "age",
                "threshold",
                (35.0,),
                surrogates=(engine.Surrogate(engine.Split("town", "groups", groups=(("Ulm",), ("Bonn",)))),),
            ),
            ["age = 42", "age missing, town = Bonn", "age = 30", "age = 60"],
        ),
    ],
)
def test_what_a_row_has_at_a_split(split, said):
    table = words_table()
    tree = engine.Tree.root(table).split(table, 0, split)
    ways = [following.way(State(table, tree), row, NOW) for row in range(4)]
    assert [way.words[way.nodes[-1]] for way in ways] == said


def test_the_chips_in_words():
    table = people()
    tree = five_nodes(table)
    state = State(table, tree)
    found = following.flow(state, following.chosen_where(state, "age > 42.5", False, NOW), NOW)
    n = int((table.column("age").numbers > 42.5).sum())
    train, validation = (int(rows[tree.position(2)]) for rows in (tree.rows_train, tree.rows_validation))
    assert train + validation == n
    rates = [int(100 * stats[tree.position(2), 1] / stats[tree.position(2)].sum() + 0.5)
             for stats in (tree.train, tree.validation)]  # fmt: skip
    assert flow_words(found, 1) == ("age > 42.5", f"{n} rows · {rates[0]} % yes of {train} for training "
                                    f"({rates[1]} % of {validation} for validation)")  # fmt: skip
    assert flow_tip(found) == f"age > 42.5\n{n} of 400 rows, {n / 4:.1f} %\n{train} training, {validation} validation"
    way = following.way(state, 0, NOW)
    splits = "1 split" if len(way.nodes) == 2 else "2 splits"
    says = tree.classes[tree.labels[tree.position(way.nodes[-1])]]
    short = f"after {splits}"
    assert way_words(way, tree) == (f"Row 1 ({way.target})", f"{short} its leaf predicts {says}", short)


# -- what is painted


def lit_image(kind, look, document, tree):
    from tests.gui.canvas.images import SIZE, image_of

    scene = KINDS[kind].scene(tree, 1, look, Letters())
    parts = [
        found
        for found in (scene_controller.row(document, tree), scene_controller.rows(document, tree))
        if found is not None
    ]
    scene.emphasis = parts[0] if parts else None
    return scene, image_of(scene, kind), SIZE


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_the_values_of_a_row_stand_on_its_way(kind, look):
    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    row = int(np.flatnonzero(table.column("age").numbers < 40)[0])
    document.look.set(way=following.way(State(table, tree), row, NOW))
    scene, _, size = lit_image(kind, look, document, tree)
    said = drawn_texts(lambda painter: KINDS[kind].paint(painter, scene, scene.fitted(*size), *size))
    said = [text for _, _, text in said]
    age, city = table.column("age").numbers[row], table.column("city")
    assert f"age = {age:.0f}" in said
    assert f"city = {city.text(int(city.codes[row]) - 1)}" in said
    assert "≤ 42.5" not in said
    found = scene_controller.row(document, tree)
    assert [int(tree.ids[i]) for i in np.flatnonzero(found.lit)] == list(document.look.way.nodes)


def test_rows_are_listed_with_what_is_predicted_of_them_also_where_they_are_divided():
    random = np.random.default_rng(2)
    frame = pd.DataFrame(random.normal(size=(200, 3)).round(1), columns=list("abc"))
    frame["y"] = np.where(frame["a"] + random.normal(size=200) > 0, "u", "v")
    frame = frame.mask(np.column_stack((random.random((200, 3)) < 0.3, np.zeros(200, bool))))
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, missing="fractional", max_depth=4)
    found, predicted = rows_panel.fates(State(table, tree), True, NOW), tree.predict(frame)
    assert [tree.classes[k] for k in found.predicted] == predicted.tolist()
    assert found.shares(1) == pytest.approx(tree.predict_proba(frame)[:, 1])
    wrong = following.chosen_wrong(State(table, tree), True, NOW).rows
    assert wrong.tolist() == np.flatnonzero(predicted != frame["y"].to_numpy()).tolist()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_parts_of_a_divided_row_light_every_leaf_that_has_one(kind):
    frame = pd.DataFrame({"age": [20.0, 30, 40, 50, np.nan, np.nan], "km": range(6), "y": list("aabbab")})
    table = engine.Table.from_frame(frame, target="y")
    tree = engine.grow(table, missing="fractional", max_depth=1, locked="km")
    document = Shown(table, tree)
    document.look.set(way=following.way(State(table, tree), 4, NOW))
    found = scene_controller.row(document, tree)
    assert found.lit.all() and found.way == pytest.approx([1 / 6, 0.5 / 4, 0.5 / 4])
    scene, _, size = lit_image(kind, theme.LIGHT, document, tree)
    said = [text for *_, text in drawn_texts(lambda p: KINDS[kind].paint(p, scene, scene.fitted(*size), *size))]
    assert said.count("age missing · 50 %") == 2
    prediction = tree.predict(frame)[4]
    assert way_words(document.look.way, tree)[1] == f"its parts in 2 leaves predict {prediction}"


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("leaves", [20, 90])
def test_in_a_large_tree_values_stand_beside_the_nodes_of_the_way(kind, leaves):
    table = people(1_500)
    tree = engine.grow(table, max_leaves=leaves)
    document, state = Shown(table, tree), State(table, tree)
    for row in (3, 40, 77):
        document.look.set(way=following.way(state, row, NOW))
        scene, _, size = lit_image(kind, theme.LIGHT, document, tree)
        drawn = drawn_texts(lambda p, s=scene, z=size: KINDS[kind].paint(p, s, s.fitted(*z), *z))
        wanted = sorted(document.look.way.words.values())
        said = [text for *_, text in drawn if text in wanted or f"… {text}" in wanted]
        assert len(said) >= 0.7 * len(wanted), (said, wanted)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_value_beside_a_node_has_ink(kind):
    from tests.gui.canvas.images import image_of

    table = people(1_500)
    tree = engine.grow(table, max_leaves=90)
    document, state = Shown(table, tree), State(table, tree)
    document.look.set(way=following.way(state, 3, NOW))
    scene, whole, _ = lit_image(kind, theme.LIGHT, document, tree)
    every = scene.emphasis
    assert len(every.words) > 5
    for i in every.words:
        scene.emphasis = replace(every, words={k: text for k, text in every.words.items() if k != i})
        assert n_dark(image_of(scene, kind)) != n_dark(whole), every.words[i]


def n_dark(image):
    """Pixels of about the colour of letters."""
    grey = image.convertToFormat(image.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), -1)[:, : grey.width()]
    return int((rows < 90).sum())


def test_the_tooltip_has_the_values_down_to_a_node():
    table = people()
    tree = five_nodes(table)
    row = int(np.flatnonzero(table.column("age").numbers < 40)[0])
    way = following.way(State(table, tree), row, NOW)
    age, city = (way.words[node] for node in way.nodes[1:])
    for i in range(tree.n_nodes):
        node, said = int(tree.ids[i]), tips.tip(tree, i, way=way)
        assert (f"Row {row + 1}: {age}" in said) == (node in way.nodes[1:])
        assert (f"{age}, {city}" in said) == (node == way.nodes[-1])


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_row_has_another_colour_than_a_flow(kind):
    from gui.picture.emphasis import joined
    from tests.gui.canvas.images import image_of, n_of

    table = people()
    tree = five_nodes(table)
    document, state, inks = Shown(table, tree), State(table, tree), []
    look, scene = theme.LIGHT, KINDS[kind].scene(tree, 1, theme.LIGHT, Letters())
    document.look.set(flow=following.flow(state, following.chosen_where(state, "age > 0", False, NOW), NOW))
    flow = scene_controller.rows(document, tree)
    document.look.set(way=following.way(state, 0, NOW))
    way = scene_controller.row(document, tree)
    flow = replace(flow, lit=None)
    way = replace(way, lit=None, words={})
    for parts in ([], [flow], [way], [flow, way]):
        scene.emphasis = joined(parts)
        image = image_of(scene, kind)
        inks.append((n_of(image, look.accent), n_of(image, look.flow_beside)))
    (none, no_pale), flow_alone, way_alone, both = inks
    assert flow_alone[0] > none and way_alone[0] > none and none < both[0] < flow_alone[0]
    # Smoothed outlines have the paler colour here and there.
    assert both[1] > 10 * max(no_pale, flow_alone[1], way_alone[1], 1)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_the_flow_is_painted_in_the_accent_colour(kind, look):
    from tests.gui.canvas.images import n_of

    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    _, image, _ = lit_image(kind, look, document, tree)
    before, state, painted = n_of(image, QColor(look.accent)), State(table, tree), []  # marks of splits by hand
    for condition in ("age > 70", "age > 0"):
        document.look.set(flow=following.flow(state, following.chosen_where(state, condition, False, NOW), NOW))
        _, image, _ = lit_image(kind, look, document, tree)
        painted.append(n_of(image, QColor(look.accent)) - before)
    assert 100 < painted[0] < painted[1] / 2


def test_the_part_that_flows_counts():
    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    state = State(table, tree)
    found = following.flow(state, following.chosen_where(state, "age > 60", False, NOW), NOW)
    document.look.set(flow=found)
    assert np.array_equal(scene_controller.rows(document, tree).shares, found.shares["train"])
    document.look.set(part="validation")
    assert np.array_equal(scene_controller.rows(document, tree).shares, found.shares["validation"])


def test_a_part_of_the_tree_shows_its_part_of_the_flow():
    table = people()
    tree = five_nodes(table)
    document = Shown(table, tree)
    state = State(table, tree)
    document.look.set(
        flow=following.flow(state, following.chosen_where(state, "age > 60", False, NOW), NOW),
        way=following.way(state, 0, NOW),
    )
    small = tree.collapse(1)
    found = scene_controller.rows(document, small)
    assert found.shares.tolist() == [document.look.flow.shares["train"][tree.position(n)] for n in small.ids.tolist()]
    assert set(small.ids[scene_controller.row(document, small).lit].tolist()) <= set(document.look.way.nodes)


# -- in the window


@pytest.fixture
def opened(qtbot, kept_window):
    table = people()
    window = fill(qtbot, kept_window, table, five_nodes(table))
    window.canvas.setFocus()
    return window


def panel(window):
    return window.panels["rows"]


def type_and_enter(field: QLineEdit, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, KEY.Key_Return)


def chip(window, name):
    return window.canvas.findChild(object, name)


def test_a_row_is_followed_by_its_number(qtbot, opened):
    do(opened, "follow_row")
    number = opened.findChild(QLineEdit, "row_number")
    assert number.isVisible()
    type_and_enter(number, "17")
    qtbot.waitUntil(lambda: opened.document.look.way is not None)
    way = opened.document.look.way
    assert way.row == 16
    assert opened.document.selected == way.nodes[-1]
    rule = opened.findChild(PathLabel)
    assert rule.text().endswith(f"(row: {way.words[way.nodes[-1]]})")
    assert all(had in rule.toolTip() for had in way.words.values())
    assert chip(opened, "follow_row_chip").isVisible()
    assert chip(opened, "follow_row_chip").text == ": ".join(way_words(way, opened.document.tree)[:2])
    assert opened.findChild(QTableView, "rows_table").currentIndex().row() == 16
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_Escape)
    assert opened.document.look.way is None
    assert not chip(opened, "follow_row_chip").isVisible()
    assert not opened.findChild(QTableView, "rows_table").selectionModel().hasSelection()
    assert number.text() == ""


def test_a_number_that_no_row_has_is_refused(qtbot, opened):
    number = opened.findChild(QLineEdit, "row_number")
    do(opened, "follow_row")
    for text in ("0", "401", "eleven", ""):
        type_and_enter(number, text) if text else (number.clear(), QTest.keyClick(number, KEY.Key_Return))
        assert panel(opened).said.text() == f"There is no row “{text}”: this table has the rows 1 to 400."
    assert not opened.document.following.on


def test_a_row_is_picked_from_the_list_by_mouse_and_by_keys(qtbot, opened):
    opened.show_panel("rows")
    view = opened.findChild(QTableView, "rows_table")
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(2, 1)).center())
    qtbot.waitUntil(lambda: opened.document.look.way is not None)
    assert opened.document.look.way.row == 2
    QTest.keyClick(view, KEY.Key_Down)
    qtbot.waitUntil(lambda: opened.document.look.way.row == 3)


def test_the_list_shows_the_values_the_target_first(opened):
    model, table = panel(opened).model, opened.document.table
    heads = [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]
    assert heads == [
        "buys", "Prediction", "Probability", "Error", "Leaf", "Part", "age", "city", "income", "Rule",
        *(f"P({name})" for name in table.classes),
    ]  # fmt: skip
    assert model.headerData(0, Qt.Orientation.Vertical) == "1"
    assert model.index(4, 6).data() == f"{table.column('age').numbers[4]:.0f}"


def test_rows_say_what_they_are_expected_to_earn_and_whether_to_act(qtbot, opened):
    opened.show_panel("rows")
    document = opened.document
    first, second = document.tree.classes
    document.set_search(profits={first: 3.0, second: -4.0}, currency="EUR")
    rest(qtbot, opened)
    model, tree = panel(opened).model, document.tree
    heads = [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]
    leaf = following.leaf_of_rows(document.state)
    for row in (0, 17, 399):
        acting = float(tree.probabilities[leaf[row]] @ [3.0, -4.0])
        said = [model.index(row, heads.index(name)).data() for name in ("Expected profit", "Act")]
        assert said == [f"{words.value(max(acting, 0.0))} EUR", "yes" if acting > 0 else "no"]


def test_rows_say_what_the_tree_says_of_them(qtbot, opened):
    opened.show_panel("rows")
    rest(qtbot, opened)
    model, document = panel(opened).model, opened.document
    tree, table = document.tree, document.table
    leaf = following.leaf_of_rows(document.state)
    for row in (0, 17, 399):
        label = int(tree.labels[leaf[row]])
        said = [model.index(row, k).data() for k in range(1, 6)]
        wrong = table.part[row] not in (TEST, engine.UNUSED) and label != table.y[row]
        assert said == [
            tree.classes[label],
            words.percent(float(tree.probabilities[leaf[row], label])),
            f"predicted {tree.classes[label]}, is {tree.classes[table.y[row]]}" if wrong else "",
            f"#{tree.ids[leaf[row]]}",
            ("training", "validation", "test", "not used")[table.part[row]],
        ]
        said = [model.index(row, k).data() for k in range(9, 10 + len(tree.classes))]
        shares = [words.percent(float(share)) for share in tree.probabilities[leaf[row]]]
        assert said == [" and ".join(phrases.bracketed(tree.rule(int(tree.ids[leaf[row]])))), *shares]


def test_rows_that_are_listed_are_exported_with_what_the_tree_says(qtbot, opened, tmp_path):
    opened.show_panel("rows")
    rest(qtbot, opened)
    shown, tree, table = panel(opened), opened.document.tree, opened.document.table
    type_and_enter(shown.condition, "age > 50")
    rest(qtbot, opened)
    shown.view.sortByColumn(6, Qt.SortOrder.DescendingOrder)
    path = tmp_path / "rows.parquet"
    chosen = when_asked(type_path(path), QFileDialog)
    QTest.mouseClick(shown.export, LEFT)
    rest(qtbot, opened)
    assert chosen and any(str(path) in row.message.text for row in opened.bar.rows)
    rows, frame = [int(shown.model.record(line)) for line in range(shown.model.rowCount())], pd.read_parquet(path)
    leaf = following.leaf_of_rows(opened.document.state)[rows]
    assert frame["age"].tolist() == table.column("age").numbers[rows].tolist() == sorted(frame["age"], reverse=True)
    assert frame["leaf"].tolist() == tree.ids[leaf].tolist()
    assert frame["prediction"].tolist() == [tree.classes[k] for k in tree.labels[leaf]]
    assert [*frame.columns[-len(tree.classes) :]] == [f"probability of {name}" for name in tree.classes]


def test_errors_are_told_apart_by_kind_sorted_and_copied(qtbot, opened):
    opened.show_panel("rows")
    rest(qtbot, opened)
    shown, document = panel(opened), opened.document
    tree, table, kinds = document.tree, document.table, shown.kinds
    leaf = following.leaf_of_rows(document.state)
    assert kinds.itemText(0) == "All rows" and kinds.count() > 2
    kinds.setFocus()
    QTest.keyClick(kinds, KEY.Key_Down)
    QTest.keyClick(kinds, KEY.Key_Down)
    kind, _, n = kinds.currentText().rpartition(" · ")
    assert kind.startswith("predicted ") and shown.model.rowCount() == int(n)
    assert shown.said.text() == f"{kind}: {n} of 400 rows."
    for line in range(shown.model.rowCount()):
        row = shown.model.record(line)
        assert kind == f"predicted {tree.classes[tree.labels[leaf[row]]]}, is {tree.classes[table.y[row]]}"
    head = shown.view.horizontalHeader()
    middle = QPoint(head.sectionViewportPosition(6) + 10, head.height() // 2)
    QTest.mouseClick(head.viewport(), LEFT, pos=middle)
    ages = [table.column("age").numbers[shown.model.record(line)] for line in range(shown.model.rowCount())]
    assert ages == sorted(ages)
    QTest.mouseClick(shown.copy, LEFT)
    assert len(QApplication.clipboard().text().splitlines()) == int(n) + 1


def test_errors_of_numbers_are_told_apart_by_their_side(qtbot, window):
    frame = pd.DataFrame({"x": range(40), "y": [0.25 + 37 * i % 41 for i in range(40)]})
    table = engine.Table.from_frame(frame, target="y")
    window.document.set_table(table, engine.Tree.root(table).split(table, 0, engine.Split("x", "threshold", (19.5,))))
    window.show_panel("rows")
    rest(qtbot, window)
    shown, tree = window.places.panels["rows"], window.document.tree
    leaf = following.leaf_of_rows(window.document.state)
    apart = tree.predictions[leaf] - frame.y.to_numpy()
    heads = [shown.model.headerData(k, Qt.Orientation.Horizontal) for k in range(shown.model.columnCount())]
    assert heads == ["y", "Prediction", "Error", "Leaf", "Part", "x", "Rule"]
    for row in (0, 6, 25):
        sign = "+" if apart[row] > 0 else ""
        assert shown.model.index(row, 2).data() == f"{sign}{words.value(apart[row])}"
    for kind, wanted in (("predicted too high", apart > 0), ("predicted too low", apart < 0)):
        row = next(i for i in range(shown.kinds.count()) if shown.kinds.itemText(i).startswith(kind))
        shown.kinds.setFocus()
        QTest.keyClick(shown.kinds, KEY.Key_Home)
        for _ in range(row):
            QTest.keyClick(shown.kinds, KEY.Key_Down)
        listed = [int(shown.model.record(line)) for line in range(shown.model.rowCount())]
        assert listed == np.flatnonzero(wanted).tolist()
    shown.view.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    listed = [apart[shown.model.record(line)] for line in range(shown.model.rowCount())]
    assert listed == sorted(listed, reverse=True)


def test_rows_are_followed_by_a_condition(qtbot, opened):
    do(opened, "follow_where")
    field = opened.findChild(QLineEdit, "row_condition")
    type_and_enter(field, 'age > 60 and city == "Berlin"')
    qtbot.waitUntil(lambda: opened.document.look.flow is not None)
    table = opened.document.table
    age, city = table.column("age").numbers, np.array(table.column("city").levels)[table.column("city").codes - 1]
    expected = np.flatnonzero((age > 60) & (city == "Berlin"))
    assert opened.document.look.flow.chosen.rows.tolist() == expected.tolist()
    assert panel(opened).model.rowCount() == expected.size
    assert panel(opened).said.text() == f'age > 60 and city == "Berlin": {expected.size} of 400 rows.'
    assert chip(opened, "follow_rows_chip").text.startswith(f'age > 60 and city == "Berlin": {expected.size} rows')
    assert opened.canvas.port.scene.emphasis.shares is not None
    opened.document.following.follow_row(int(expected[3]))
    qtbot.waitUntil(lambda: opened.document.look.way is not None)
    assert opened.findChild(QTableView, "rows_table").currentIndex().row() == 3
    opened.canvas.setFocus()
    do(opened, "stop")
    assert opened.document.look.way is None
    assert opened.document.look.flow is not None
    do(opened, "stop")
    assert not opened.document.following.on
    assert opened.canvas.port.scene.emphasis is None
    assert panel(opened).model.rowCount() == 400


def test_an_empty_condition_ends_it(qtbot, opened):
    field = opened.findChild(QLineEdit, "row_condition")
    type_and_enter(field, "age > 60")
    qtbot.waitUntil(lambda: opened.document.look.flow is not None)
    QTest.keyClick(field, KEY.Key_Escape)
    QTest.keyClick(field, KEY.Key_Return)
    assert opened.document.look.flow is None
    assert panel(opened).said.text() == "All 400 rows: pick one to follow it through the tree."


def test_what_is_no_condition_is_said_where_it_was_typed(qtbot, opened, posted):
    field = opened.findChild(QLineEdit, "row_condition")
    type_and_enter(field, "years > 60")
    qtbot.waitUntil(lambda: "There is no column “years”" in panel(opened).said.text())
    assert not opened.document.following.on
    QTest.keyClick(field, KEY.Key_Escape)
    assert panel(opened).said.text().startswith("All 400 rows")
    type_and_enter(field, "age > 200")
    qtbot.waitUntil(lambda: panel(opened).said.text() == "age > 200: no rows match.")
    assert posted() == []


def test_the_rows_of_a_node_are_followed_through_the_next_tree(qtbot, opened):
    document = opened.document
    document.select(3)
    do(opened, "follow_here")
    qtbot.waitUntil(lambda: document.look.flow is not None)
    rows = document.look.flow.chosen.rows.tolist()
    assert document.look.flow.chosen.words == "rows of “city = Amsterdam”"
    assert document.look.flow.shares["train"][document.tree.position(3)] == 1.0
    document.hand.collapse(1)
    qtbot.waitUntil(lambda: document.look.flow is not None and document.look.flow.tree is document.tree)
    rest(qtbot, opened)
    assert document.look.flow.chosen.rows.tolist() == rows
    shares = document.look.flow.shares["train"]
    assert 0 < shares[document.tree.position(1)] < 1
    assert shares[document.tree.position(2)] == 0
    document.undo()
    qtbot.waitUntil(lambda: document.look.flow is not None and document.look.flow.tree is document.tree)


def test_errors_are_followed(qtbot, opened):
    do(opened, "follow_wrong")
    qtbot.waitUntil(lambda: opened.document.look.flow is not None)
    flow, tree = opened.document.look.flow, opened.document.tree
    wrong = tree.wrong("train")[tree.leaves].sum() + tree.wrong("validation")[tree.leaves].sum()
    assert flow.chosen.rows.size == wrong
    assert flow.chosen.words == "labelled wrongly"
    shares = [
        words.rate(tree.wrong(part)[tree.leaves].sum() / n)
        for part, n in (("train", tree.rows_train[0]), ("validation", tree.rows_validation[0]))
    ]
    said = f"{int(wrong)} rows · {shares[0]} of the training rows ({shares[1]} of those for validation)"
    assert chip(opened, "follow_rows_chip").text == f"labelled wrongly: {said}"


def test_errors_of_test_rows_are_followed_once_they_were_looked_at(qtbot, window, posted):
    document, table = window.document, people().with_partition(validation=0.2, test=0.3, seed=2)
    document.set_table(table, five_nodes(table))
    rest(qtbot, window)
    tested = set(np.flatnonzero(table.part == TEST).tolist())
    do(window, "follow_wrong")
    qtbot.waitUntil(lambda: document.look.flow is not None)
    assert not tested & set(document.look.flow.chosen.rows.tolist())
    assert chip(window, "follow_rows_chip").text.startswith("labelled wrongly, no test rows: ")
    document.look_at_test()
    qtbot.waitUntil(lambda: document.test_opened)
    do(window, "follow_wrong")
    qtbot.waitUntil(lambda: document.look.flow.chosen.words == "labelled wrongly")
    assert tested & set(document.look.flow.chosen.rows.tolist())


def test_a_chip_ends_what_it_says(qtbot, opened):
    opened.document.following.follow_where("age > 60")
    opened.document.following.follow_row(3)
    qtbot.waitUntil(lambda: opened.document.look.flow is not None and opened.document.look.way is not None)
    QTest.mouseClick(opened.canvas.findChild(QToolButton, "follow_rows_chip_end"), LEFT)
    assert opened.document.look.flow is None
    assert opened.document.look.way is not None
    QTest.mouseClick(opened.canvas.findChild(QToolButton, "follow_row_chip_end"), LEFT)
    assert not opened.document.following.on


def test_a_long_condition_is_shortened_to_the_canvas(qtbot, opened):
    condition = " or ".join(f"age == {age}" for age in range(18, 80))
    opened.document.following.follow_where(condition)
    qtbot.waitUntil(lambda: opened.document.look.flow is not None)
    place = chip(opened, "follow_rows_chip")
    corner = place.mapTo(opened.canvas, QPoint(place.width(), 0))
    assert corner.x() < opened.canvas.width()
    assert "…" in place.head.text()
    assert condition in place.toolTip()


@pytest.mark.parametrize("kind", ["cards", "streams"])
def test_a_fitted_tree_makes_way_for_what_is_followed(qtbot, opened, kind):
    document, canvas = opened.document, opened.canvas
    document.look.set(kind=kind)
    canvas.fit()
    document.following.follow_wrong()
    qtbot.waitUntil(lambda: document.look.flow is not None)
    over = QRectF(canvas.findChild(object, "follow_chips").geometry())
    boxes = canvas.port.placed().boxes(np.arange(document.tree.n_nodes)).tolist()
    assert not any(QRectF(*box).intersects(over) for box in boxes)
    document.following.end()
    assert canvas.port.corner == CORNER


def test_where_a_chip_has_little_room_whole_figures_are_left_out():
    full = "1,204 rows · mean 3,451 (validation 3,460)"
    assert forms(full) == [full, "1,204 rows · mean 3,451", "1,204 rows"]


def test_another_table_follows_nothing(qtbot, opened):
    opened.document.following.follow_where("age > 60")
    opened.document.following.follow_row(3)
    qtbot.waitUntil(lambda: opened.document.look.flow is not None and opened.document.look.way is not None)
    opened.document.set_table(people(200))
    assert not opened.document.following.on
    assert (opened.document.look.way, opened.document.look.flow) == (None, None)
    rest(qtbot, opened)
    assert panel(opened).model.rowCount() == 200
    opened.document.start(None)
    assert panel(opened).pages.currentIndex() == 1


def test_escape_ends_several_selected_nodes(qtbot, opened):
    opened.document.select(3)
    opened.document.several.toggle(4)
    assert opened.actions_made.made["stop"].isEnabled()
    QTest.keyClick(opened, KEY.Key_Escape)
    assert opened.document.several.nodes == (4,)
    assert not opened.actions_made.made["stop"].isEnabled()


def test_the_path_of_the_root_is_refused(opened):
    for name in ("copy_path", "copy_query"):
        assert not opened.actions_made.made[name].isEnabled()
        assert "No condition leads to the root" in opened.actions_made.made[name].toolTip()
    opened.document.select(3)
    assert opened.actions_made.made["copy_query"].isEnabled()


def test_a_long_message_ends_with_dots(opened):
    opened.resize(900, 600)
    opened.document.told.emit("Copied: " + " and ".join(f"age > {k}" for k in range(90)))
    said = opened.statusBar().said()
    assert said.startswith("Copied: age > 0 and ") and said.endswith("…")
    assert opened.statusBar().fontMetrics().horizontalAdvance(said) < opened.width()
    opened.document.told.emit("Unfolded")
    assert opened.statusBar().currentMessage() == "Unfolded"


def test_names_of_columns_have_room_or_are_shortened(qtbot, window):
    many = "a long name of a column that takes far too much room for a table of many columns"
    frame = pd.DataFrame({"readmitted within 30 days": list("ab") * 20, many: range(40), "x": range(40)})
    window.document.set_table(engine.Table.from_frame(frame, target="readmitted within 30 days"))
    window.show_panel("rows")
    rest(qtbot, window)
    view = window.findChild(QTableView, "rows_table")
    head = view.horizontalHeader()
    assert head.sectionSize(0) >= head.fontMetrics().horizontalAdvance("readmitted within 30 days")
    assert head.sectionSize(6) == rows_panel.MOST_WIDE
    assert head.textElideMode() == Qt.TextElideMode.ElideMiddle
