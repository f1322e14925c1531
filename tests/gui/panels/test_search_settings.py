"""The search settings: every option in a sentence, greyed with a reason where it does not apply, in force at once."""

import pandas as pd
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

import engine
from engine.search.choices import GROUPS, OPTIONS
from gui.panels.data.search_settings import ClassesDialog, SearchSettings, Setting
from gui.widgets.fields import next_round
from gui.wording import phrases
from tests.gui.acting import rest

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key


@pytest.fixture
def prices() -> engine.Table:
    """A numeric target over one number."""
    frame = pd.DataFrame({"size": [i % 17 + i / 10 for i in range(60)], "price": [(7 * i) % 23 + i for i in range(60)]})
    return engine.Table.from_frame(frame, target="price", name="prices").with_partition(validation=0.25)


@pytest.fixture
def panel(qtbot, opened):
    shown = SearchSettings(opened)
    qtbot.addWidget(shown)
    shown.resize(380, 900)
    for section in shown.form.sections:
        section.open(True)
    shown.show()
    qtbot.waitExposed(shown)
    qtbot.waitUntil(lambda: all(each.height() > 20 for each in shown.form.rows.values()))  # laid out below each other
    return shown


def row(panel, name):
    return panel.form.rows[name]


def pick(panel, name, key, times=1):
    box = row(panel, name).control
    box.setFocus()
    for _ in range(times):
        QTest.keyClick(box, key)


def retype(panel, name, text, then=KEY.Key_Return):
    box = row(panel, name).control
    line = box.lineEdit()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(box, then)


def test_every_option_stands_in_its_group_with_its_sentence(panel):
    assert [section.heading.text() for section in panel.form.sections] == list(GROUPS)
    assert list(panel.form.rows) == sorted(OPTIONS, key=lambda name: GROUPS.index(OPTIONS[name].group))
    assert "How often two rows drawn" in row(panel, "criterion").said.text()
    assert "<i>i = 1 − Σ pₖ²</i>" in row(panel, "criterion").said.text()
    assert "0.8 → 0.6 / 1.0" in row(panel, "criterion").said.text()
    assert OPTIONS["min_leaf"].sentence in row(panel, "min_leaf").said.text()
    assert row(panel, "max_leaves").control.text() == "no limit"
    assert row(panel, "significance").control.text() == "no test"
    assert row(panel, "priors").control.line.placeholderText() == "as in the training rows"


def test_without_a_table_it_says_what_will_stand_here(qtbot, document):
    panel = SearchSettings(document)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.empty.isVisible() and not panel.form.isVisible()


def test_a_choice_holds_at_once_and_can_be_taken_back(qtbot, panel, opened):
    before = opened.candidates
    pick(panel, "criterion", KEY.Key_Down)
    assert opened.criterion == "entropy" and opened.candidates is None
    rest(qtbot, opened)
    assert opened.candidates and opened.candidates is not before
    assert "bits needed" in row(panel, "criterion").said.text()
    assert row(panel, "criterion").label.font().bold()
    back = row(panel, "criterion").back
    assert back.toolTip() == "Reset to the default: Gini"
    qtbot.mouseClick(back, LEFT)
    assert opened.search == {} and not back.isVisible()
    assert not row(panel, "criterion").label.font().bold()
    rest(qtbot, opened)
    assert opened.candidates is before


def test_all_defaults_come_back_together(qtbot, panel, opened):
    assert not panel.defaults.isEnabled()
    opened.set_preset("id3")
    opened.set_search(min_leaf=5)
    assert panel.form.sections[0].summary.text() == "Entropy"
    assert panel.form.sections[1].summary.text() == "One branch per level"
    assert panel.form.sections[3].summary.text() == "Minimum rows in a branch 5 · Unadjusted p-value"
    qtbot.mouseClick(panel.defaults, LEFT)
    assert opened.search == {} and row(panel, "nominal").control.currentText() == "Best two groups"
    rest(qtbot, opened)


def test_digits_that_are_typed_start_no_search_until_they_are_done(qtbot, panel, opened):
    heard = []
    opened.searchChanged.connect(lambda: heard.append(opened.search))
    box = row(panel, "min_leaf").control
    box.lineEdit().setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "12")
    qtbot.wait(350)
    assert heard == []
    QTest.keyClick(box, KEY.Key_Return)
    assert heard == [{"min_leaf": 12}]
    rest(qtbot, opened)


def test_quick_steps_are_one_search(qtbot, panel, opened):
    heard = []
    opened.searchChanged.connect(lambda: heard.append(opened.search))
    pick(panel, "min_leaf", KEY.Key_Up, times=4)
    assert heard == []
    qtbot.waitUntil(lambda: heard == [{"min_leaf": 5}])
    rest(qtbot, opened)


def test_no_limit_is_reached_by_keys_and_by_an_empty_box(qtbot, panel, opened):
    retype(panel, "max_depth", "3")
    assert opened.search == {"max_depth": 3}
    box = row(panel, "max_depth").control
    box.lineEdit().selectAll()
    QTest.keyClick(box.lineEdit(), KEY.Key_Delete)
    QTest.keyClick(box, KEY.Key_Return)
    assert opened.search == {} and box.text() == "no limit"
    pick(panel, "significance", KEY.Key_Up)
    qtbot.waitUntil(lambda: opened.search == {"significance": 0.05})
    pick(panel, "significance", KEY.Key_Down, times=40)
    qtbot.waitUntil(lambda: opened.search == {})
    rest(qtbot, opened)


def test_a_number_that_cannot_be_is_refused_and_goes_back(qtbot, panel, opened, posted):
    retype(panel, "significance", "3")
    assert opened.search == {} and row(panel, "significance").control.text() == "no test"
    assert posted() == ["error: Significance cannot be 3; it is a p-value, at most 1."]
    retype(panel, "min_leaf", "0", then=KEY.Key_Tab)
    assert opened.search == {} and row(panel, "min_leaf").control.value() == 1


def test_what_has_no_effect_is_greyed_and_says_what_it_is_for(qtbot, panel, opened):
    for name, reason in (
        ("buckets", "Only for cuts at quantiles and a branch per bucket."),
        ("smoothing_m", "Only for the m-estimate."),
        ("bins", "Only for the criteria of the binned target."),
    ):
        assert not row(panel, name).control.isEnabled()
        assert row(panel, name).control.toolTip() == reason and reason in row(panel, name).said.text()
    pick(panel, "numeric", KEY.Key_Down, times=2)
    assert opened.search == {"numeric": "bucket_cuts"} and row(panel, "buckets").control.isEnabled()
    rest(qtbot, opened)


def test_categories_are_greyed_where_there_are_none(qtbot, panel, opened, prices):
    assert row(panel, "nominal").control.isEnabled() and row(panel, "pool").control.isEnabled()
    opened.set_table(prices)
    rest(qtbot, opened)
    for name in ("nominal", "pool"):
        assert not row(panel, name).control.isEnabled()
        assert row(panel, name).reason == "Only for tables with a column of categories."


def test_choices_that_do_not_go_with_the_target_or_the_others_are_greyed_with_the_reason(qtbot, panel, opened, prices):
    opened.set_table(prices)
    rest(qtbot, opened)
    criteria = row(panel, "criterion").control
    assert [criteria.itemData(i) for i in range(criteria.count())] == [
        "squared_error", "absolute_error", "binned_gini", "binned_error", "f_logworth",
        "number_association",
    ]  # fmt: skip
    assert row(panel, "priors").reason == "Priors is about classes; the target is numeric."
    opened.set_search(m_of_n=True)
    box = row(panel, "lookahead").control
    assert not row(panel, "lookahead").control.isEnabled()
    assert "m-of-n cannot go together" in row(panel, "lookahead").reason
    item = box.model().item(1)
    assert not item.isEnabled() and "cannot go together" in item.toolTip()
    numbers = row(panel, "numeric").control.model()
    assert not numbers.item(1).isEnabled() and numbers.item(2).isEnabled()
    assert numbers.item(1).toolTip().startswith("Numbers cannot be “Label boundaries” for a numeric target")
    rest(qtbot, opened)


def test_the_wheel_scrolls_and_changes_nothing(panel, opened):
    box = row(panel, "criterion").control
    box.setFocus()
    where = QPointF(box.rect().center())
    turned = QWheelEvent(
        where, box.mapToGlobal(where), QPoint(0, -120), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, turned)
    assert opened.search == {}


def test_a_flag_is_clicked(qtbot, panel, opened):
    qtbot.mouseClick(row(panel, "m_of_n").control, LEFT, pos=QPoint(8, 8))
    assert opened.search == {"m_of_n": True}
    assert panel.form.sections[1].summary.text() == "m-of-n on"
    opened.jobs.drop("candidates")


def test_options_are_found_by_what_they_say(qtbot, panel):
    qtbot.keyClicks(panel.search, "equally many rows")
    shown = [name for name, each in panel.form.rows.items() if each.isVisible()]
    assert shown == ["bins", "numeric"]
    assert not panel.form.sections[3].isVisible()
    qtbot.keyClicks(panel.search, "zzz")
    assert panel.form.nothing.isVisible()
    panel.search.clear()
    assert not panel.form.nothing.isVisible() and row(panel, "min_leaf").isVisible()


def test_a_group_that_was_found_looks_open(qtbot, panel):
    section = panel.form.sections[3]
    qtbot.mouseClick(section.heading, LEFT)
    assert section.heading.arrowType() == Qt.ArrowType.RightArrow
    qtbot.keyClicks(panel.search, "min_leaf")
    assert row(panel, "min_leaf").isVisible() and section.heading.arrowType() == Qt.ArrowType.DownArrow
    panel.search.clear()
    assert not row(panel, "min_leaf").isVisible() and section.heading.arrowType() == Qt.ArrowType.RightArrow


def test_another_choice_moves_nothing(qtbot, panel):
    below, inside = row(panel, "bins"), panel.form.widget()
    QApplication.processEvents()
    at = below.mapTo(inside, QPoint(0, 0))
    for _ in range(3):
        pick(panel, "criterion", KEY.Key_Down)
        QApplication.processEvents()
        assert below.mapTo(inside, QPoint(0, 0)) == at


def test_a_heading_opens_and_closes_its_group(qtbot, panel):
    section = panel.form.sections[3]
    qtbot.mouseClick(section.heading, LEFT)
    assert not row(panel, "min_leaf").isVisible()
    qtbot.mouseClick(section.heading, LEFT)
    assert row(panel, "min_leaf").isVisible()


# -- leaves


def test_priors_are_typed_and_change_what_the_tree_says_as_one_step(qtbot, panel, opened):
    line = row(panel, "priors").control.line
    line.setFocus()
    QTest.keyClicks(line, "rose=0.9, iris=0.05, lily=0.05")
    assert opened.search == {}
    QTest.keyClick(line, KEY.Key_Return)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.priors == (("iris", 0.05), ("lily", 0.05), ("rose", 0.9))
    assert opened.tree.classes[opened.tree.labels[0]] == "rose"
    assert opened.history.steps[-1].text == "Priors iris=0.05, lily=0.05, rose=0.9"
    opened.undo()
    assert opened.search == {} and line.text() == "" and opened.tree.leaf_rule.priors == ()
    opened.history.stack.redo()
    assert line.text() == "iris=0.05, lily=0.05, rose=0.9"


def test_priors_that_name_no_class_are_refused(qtbot, panel, opened, posted):
    line = row(panel, "priors").control.line
    line.setFocus()
    plain_ground = line.palette().base().color()
    QTest.keyClicks(line, "tulip=1")
    QTest.keyClick(line, KEY.Key_Return)
    assert opened.search == {} and line.text() == "tulip=1"
    assert line.palette().base().color() != plain_ground
    said = row(panel, "priors").said
    assert "There is no class “tulip”; the classes are iris, lily, rose." in said.text()
    assert "There is no class" in line.accessibleDescription() and posted() == []
    line.selectAll()
    QTest.keyClicks(line, "rose=1")
    QTest.keyClick(line, KEY.Key_Return)
    rest(qtbot, opened)
    assert line.text() == "rose=1" and line.palette().base().color() == plain_ground and "tulip" not in said.text()


def test_an_emptied_line_forgets_what_was_refused(qtbot, panel, opened):
    line = row(panel, "priors").control.line
    line.setFocus()
    QTest.keyClicks(line, "tulip=1")
    QTest.keyClick(line, KEY.Key_Return)
    line.selectAll()
    QTest.keyClick(line, KEY.Key_Delete)
    QTest.keyClick(line, KEY.Key_Return)
    assert opened.search == {} and line.text() == "" and "tulip" not in row(panel, "priors").said.text()


def test_costs_are_filled_into_a_table(qtbot, panel, opened):
    qtbot.mouseClick(row(panel, "costs").control.table, LEFT)
    qtbot.waitUntil(lambda: panel.findChild(ClassesDialog) is not None)
    dialog = panel.findChild(ClassesDialog)
    grid = dialog.grid
    assert [grid.horizontalHeaderItem(k).text() for k in range(3)] == [
        "predicted iris",
        "predicted lily",
        "predicted rose",
    ]
    assert not grid.item(1, 1).flags() & Qt.ItemFlag.ItemIsEditable
    grid.setCurrentCell(0, 2)
    QTest.keyClicks(grid.viewport().findChild(QLineEdit), "a7")
    qtbot.mouseClick(dialog.findChild(QPushButton, "costs_use"), LEFT)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.costs == (("iris", "rose", 7.0),)
    assert row(panel, "costs").control.line.text() == "iris:rose=7"
    qtbot.mouseClick(row(panel, "costs").back, LEFT)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.costs == () and opened.search == {}


def test_profits_are_filled_into_a_table_and_have_a_currency(qtbot, panel, opened):
    currency = row(panel, "currency")
    assert not currency.control.isEnabled() and "Only for leaves with profits" in currency.said.text()
    qtbot.mouseClick(row(panel, "profits").control.table, LEFT)
    qtbot.waitUntil(lambda: panel.findChild(ClassesDialog) is not None)
    dialog = panel.findChild(ClassesDialog)
    grid = dialog.grid
    assert [grid.horizontalHeaderItem(k).text() for k in range(grid.columnCount())] == ["Act", "Do not act"]
    for place, text in (((0, 0), "120"), ((2, 0), "-500"), ((2, 1), "20.5")):
        grid.setCurrentCell(*place)
        QTest.keyClicks(grid.viewport().findChildren(QLineEdit)[-1], text)
    qtbot.mouseClick(dialog.findChild(QPushButton, "profits_use"), LEFT)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.profits == (("iris", 120.0, 0.0), ("rose", -500.0, 20.5))
    assert row(panel, "profits").control.line.text() == "iris=120, rose=-500:20.5"
    assert currency.control.isEnabled()
    QTest.keyClicks(currency.control.line, "EUR")
    QTest.keyClick(currency.control.line, KEY.Key_Return)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.currency == "EUR"
    qtbot.mouseClick(currency.back, LEFT)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.currency == "" and currency.control.line.text() == ""


def test_altered_priors_wait_for_priors_or_costs(qtbot, panel, opened):
    flag = row(panel, "altered_priors")
    assert not flag.control.isEnabled() and "Only for leaves with priors or costs" in flag.said.text()
    opened.set_search(costs="iris:rose=7")
    rest(qtbot, opened)
    qtbot.mouseClick(flag.control, LEFT, pos=QPoint(8, 8))
    assert opened.search["altered_priors"] is True
    rest(qtbot, opened)


def test_the_panel_shows_what_the_leaves_of_the_tree_say(qtbot, panel, opened, prices):
    opened.set_table(prices)
    rest(qtbot, opened)
    opened.set_search(summary="median")
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.summary == "median" and opened.history.steps[-1].text == "Leaves predict the median"
    opened.tree_edits.split_best_here()
    rest(qtbot, opened)
    assert opened.tree.n_leaves > 1 and opened.tree.leaf_rule.summary == "median"
    opened.history.go_to(0)
    assert row(panel, "summary").control.currentText() == "The mean" and opened.search == {}
    opened.history.go_to(2)
    assert row(panel, "summary").control.currentText() == "The median"
    rest(qtbot, opened)


def test_what_leaves_say_starts_no_new_search(qtbot, panel, opened):
    known = opened.candidates
    pick(panel, "smoothing", KEY.Key_Down)
    rest(qtbot, opened)
    assert opened.tree.leaf_rule.smoothing == "laplace" and opened.candidates is known
    assert opened.history.steps[-1].text == "Probabilities by Laplace"


# -- words


def test_a_label_says_the_name_for_the_library_and_the_command_line(panel):
    assert row(panel, "min_leaf").label.toolTip().endswith("Library: min_leaf; command line: --min-leaf")
    assert row(panel, "missing").label.toolTip().endswith("Library: missing; command line: --missing-values")


def test_refusals_are_in_the_words_of_the_window():
    text = "lookahead cannot go with absolute_error: medians do not add up; choose squared_error."
    said = "Lookahead cannot go with Absolute error: medians do not add up; choose Squared error."
    assert phrases.plain(text) == said
    assert Setting("number").refused("lookahead", 2) == ""
    assert Setting("classes").refused("summary", "mean") == "A leaf predicts cannot be “The mean” for a class target."


@pytest.mark.parametrize(
    ("value", "above", "below"), [(0.05, 0.1, 0.02), (1.0, 2.0, 0.5), (3.0, 5.0, 2.0), (1e-6, 2e-6, 0.0)]
)
def test_numbers_step_along_round_ones(value, above, below):
    assert next_round(value, True) == pytest.approx(above)
    assert next_round(value, False) == pytest.approx(below)


def test_in_little_room_controls_stand_below_their_labels(qtbot, panel):
    wide = row(panel, "criterion")
    assert wide.control.x() > wide.label.x() and wide.control.y() < wide.label.geometry().bottom()
    panel.resize(190, 700)
    qtbot.waitUntil(lambda: wide.control.y() > wide.label.y() + wide.label.height() // 2 and wide.control.x() == 0)
    assert panel.form.widget().width() <= panel.form.viewport().width()
    assert wide.said.width() <= panel.form.viewport().width()


def test_passing_through_changes_nothing(qtbot, panel, opened):
    opened.set_search(min_gain=0.12345678901, significance=1e-14)
    rest(qtbot, opened)
    before = opened.search
    for name in ("min_gain", "significance", "max_leaves", "bins"):
        row(panel, name).control.setFocus()
        QTest.keyClick(row(panel, name).control, KEY.Key_Tab)
    panel.settle()
    assert opened.search == before


def test_priors_of_classes_with_odd_names_are_filled_into_a_table_and_stay(qtbot, document, posted):
    names = [" a, b", "c:d", "e=1", "“q”", "ünï", "<b>x</b>"]
    frame = pd.DataFrame({"x": range(60), "y": [names[i % 6] for i in range(60)]})
    document.set_table(engine.Table.from_frame(frame, target="y", name="odd"))
    shown = SearchSettings(document)
    qtbot.addWidget(shown)
    shown.show()
    document.set_search(priors=tuple((name, k + 1.0) for k, name in enumerate(names)))
    rest(qtbot, document)
    before = document.search
    box = shown.form.rows["priors"].control
    box.line.setFocus()
    QTest.keyClick(box.line, KEY.Key_Return)
    shown.settle()
    qtbot.mouseClick(box.table, LEFT)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ClassesDialog) and len(dialog.entries()) == 6
    QTest.keyClick(dialog, KEY.Key_Return)
    rest(qtbot, document)
    assert document.search == before and posted() == []


def test_the_keyboard_stays_where_a_default_comes_back(qtbot, panel, opened):
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    pick(panel, "criterion", KEY.Key_Down)
    back = row(panel, "criterion").back
    back.setFocus()
    QTest.keyClick(back, KEY.Key_Space)
    assert opened.search == {} and panel.focusWidget() is row(panel, "criterion").control
    pick(panel, "criterion", KEY.Key_Down)
    panel.defaults.setFocus()
    QTest.keyClick(panel.defaults, KEY.Key_Space)
    assert opened.search == {} and panel.focusWidget() is panel.search
    QTest.keyClick(panel.search, KEY.Key_Tab)
    assert panel.focusWidget() is panel.form.sections[0].heading


def test_a_choice_without_room_is_shortened(qtbot, panel, prices):
    box = row(panel, "criterion").control
    box.addItem("A choice of very many words")
    box.setCurrentIndex(box.count() - 1)
    box.resize(120, box.height())
    short = box.grab().toImage()
    box.setItemText(box.count() - 1, "A choice of very many words and more")
    assert box.grab().toImage() == short
    box.setItemText(box.count() - 1, "A choice")
    assert box.grab().toImage() != short


def test_the_table_of_costs_shows_all_columns_of_a_few_classes(qtbot, panel):
    names = tuple(f"class number {k}" for k in range(3))
    for classes, fits in ((names, True), (tuple(f"{name} {k}" for name in names for k in range(10)), False)):
        dialog = ClassesDialog(OPTIONS["costs"], classes, (), panel)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitExposed(dialog)
        assert (dialog.grid.horizontalScrollBar().maximum() == 0) is fits
        assert dialog.width() <= 720
        dialog.close()


def test_a_panel_that_nobody_saw_yet_sets_nothing(qtbot, document, prices):
    """Before anything acts on the tree, what is typed is taken: of boxes that never were shown that is nothing."""
    unseen = SearchSettings(document)
    qtbot.addWidget(unseen)
    document.set_table(prices)
    rest(qtbot, document)
    unseen.settle()
    assert document.search == {} and document.preset == ""
    document.set_preset("cart")
    unseen.settle()
    assert document.preset == "cart"
