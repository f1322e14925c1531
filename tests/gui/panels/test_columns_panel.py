"""The columns panel: what it counts, what it warns of, and the edits it asks the document for."""

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QStyleOptionViewItem, QToolButton
from pytestqt.qtbot import QtBot

import engine
from gui import theme
from gui.model.document import Document
from gui.panels.data.column_facts import BARS, Facts, alone, facts, profile
from gui.panels.data.columns import BESIDE_NAME, DISTINCT, MISSING, NAME, ROLE, VALUES, ColumnsPanel, fact_key
from tests.gui.acting import LEFT, press_menu

# A menu wants the keyboard for itself; the offscreen platform has only one window that could have it.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")


@pytest.fixture
def panel(document: Document, qtbot: QtBot) -> Iterator[ColumnsPanel]:
    panel = ColumnsPanel(document)
    qtbot.addWidget(panel)
    panel.resize(560, 400)
    panel.show()
    qtbot.waitExposed(panel)
    yield panel
    panel.hide()


@pytest.fixture
def filled(panel: ColumnsPanel, document: Document, flowers: engine.Table, qtbot: QtBot) -> ColumnsPanel:
    document.set_table(flowers)
    qtbot.waitUntil(lambda: all(panel.model.facts(i) is not None for i in range(4)), timeout=60_000)
    return panel


def cell(panel: ColumnsPanel, row: int, column: int) -> str:
    return str(panel.proxy.index(row, column).data())


def names(panel: ColumnsPanel) -> list[str]:
    return [cell(panel, row, NAME) for row in range(panel.proxy.rowCount())]


def press(panel: ColumnsPanel, qtbot: QtBot, row: int, column: int) -> None:
    where = panel.view.visualRect(panel.proxy.index(row, column)).center()
    qtbot.mouseClick(panel.view.viewport(), LEFT, pos=where)


# -- the panel


def test_an_empty_panel_says_what_will_stand_here(panel: ColumnsPanel) -> None:
    label = panel.pages.currentWidget()
    assert isinstance(label, QLabel)
    assert "Open a table" in label.text()


def test_every_column_is_listed_with_its_counts(filled: ColumnsPanel) -> None:
    assert names(filled) == ["length", "width", "soil", "kind"]
    assert [cell(filled, row, ROLE) for row in range(4)] == ["feature", "feature", "feature", "target"]
    assert [cell(filled, row, MISSING) for row in range(4)] == ["–", "–", "8 · 6.7 %", "–"]
    assert [cell(filled, row, DISTINCT) for row in (2, 3)] == ["3", "3"]
    tip = filled.proxy.index(2, MISSING).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "Missing in 8 of 120 rows (6.7 %)"
    label = filled.findChild(QLabel, "columns_summary")
    assert label is not None
    assert label.text() == "4 columns, 3 features"


def test_the_search_leaves_what_is_looked_for(filled: ColumnsPanel, qtbot: QtBot) -> None:
    field = filled.findChild(QLineEdit, "columns_search")
    qtbot.keyClicks(field, "WID")
    assert names(filled) == ["width"]


def test_a_press_on_the_head_sorts_and_the_third_one_restores(filled: ColumnsPanel, qtbot: QtBot) -> None:
    header = filled.view.horizontalHeader()
    middle = QPoint(header.sectionViewportPosition(NAME) + 40, header.height() // 2)
    orders = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), LEFT, pos=middle)
        orders.append(names(filled))
    assert orders == [
        ["kind", "length", "soil", "width"],
        ["width", "soil", "length", "kind"],
        ["length", "width", "soil", "kind"],
    ]


def test_a_role_is_changed_by_mouse_and_undone(filled: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        press(filled, qtbot, 1, ROLE)
        press_menu(qtbot, "ignore")
    assert document.table is not None
    assert document.table.roles["width"] == "ignore"
    assert cell(filled, 1, ROLE) == "ignore"
    with qtbot.waitSignal(document.tableChanged):
        document.undo()
    assert cell(filled, 1, ROLE) == "feature"


def test_a_role_is_changed_by_keyboard_in_a_sorted_list(filled: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    filled.view.sortByColumn(NAME, Qt.SortOrder.DescendingOrder)
    filled.view.setFocus()
    filled.view.setCurrentIndex(filled.proxy.index(1, NAME))
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        qtbot.keyClick(filled.view, Qt.Key.Key_F3)
        press_menu(qtbot, "ignore")
    assert document.table is not None
    assert document.table.roles["soil"] == "ignore"


def test_a_kind_is_changed(filled: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    filled.view.setFocus()
    filled.view.setCurrentIndex(filled.proxy.index(0, NAME))
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        qtbot.keyClick(filled.view, Qt.Key.Key_F2)
        press_menu(qtbot, "nominal")
    assert document.table is not None
    assert document.table.column("length").kind == "nominal"


def test_another_target_is_chosen_from_the_context_menu(filled: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    where = filled.view.visualRect(filled.proxy.index(2, NAME)).center()
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        filled.view.customContextMenuRequested.emit(where)
        press_menu(qtbot, "Make it the &target")
    assert document.table is not None
    assert document.table.target == "soil"
    assert [cell(filled, row, ROLE) for row in (2, 3)] == ["target", "feature"]


def test_the_target_cannot_lose_its_role(filled: ColumnsPanel) -> None:
    menu = filled.role_menu(3, filled)
    assert [action.objectName() for action in menu.actions() if action.isEnabled()] == ["target"]


def test_another_role_counts_nothing_again(filled: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    before = [filled.model.facts(place) for place in range(4)]
    with qtbot.waitSignal(document.tableChanged, timeout=60_000):
        document.table_edits.set_role("soil", "ignore")
    assert [filled.model.facts(place) for place in range(4)] == before


def test_flags_are_read_out(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    document.set_table(engine.Table.from_frame(suspects(), target="y"))
    qtbot.waitUntil(lambda: all(panel.model.facts(i) is not None for i in range(6)), timeout=60_000)
    spoken = panel.proxy.index(names(panel).index("same"), NAME).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "same. category. One value only: “x”. There is nothing to split."
    picture = panel.grab().toImage()
    assert not picture.isNull()


def test_five_hundred_columns_are_listed_before_they_are_counted(
    panel: ColumnsPanel, document: Document, qtbot: QtBot
) -> None:
    frame = pd.DataFrame({f"x{i}": [i, 1, 2, 3] for i in range(500)} | {"y": ["a", "b", "a", "b"]})
    document.set_table(engine.Table.from_frame(frame, target="y"))
    assert panel.proxy.rowCount() == 501
    assert cell(panel, 400, DISTINCT) == "…"
    qtbot.waitUntil(lambda: panel.model.facts(500) is not None, timeout=60_000)


# -- the warnings


def suspects(n: int = 200) -> pd.DataFrame:
    """One column for each warning, and honest ones beside them."""
    generator = np.random.default_rng(0)
    y = generator.random(n) < 0.4
    return pd.DataFrame(
        {
            "same": "x",
            "customer": [f"C{i:04d}" for i in range(n)],
            "row": np.arange(n)[np.argsort(np.argsort(~y, kind="stable"), kind="stable")],
            "paid": np.where(y, "back", "lost"),
            "measured": generator.normal(size=n),
            "y": np.where(y, "yes", "no"),
        }
    )


def warnings(table: engine.Table) -> dict[str, str]:
    """What a column is warned of, up to the first mark or figure."""
    return {
        column.name: re.split(r"[:(]", facts(table, place).warning)[0].strip()
        for place, column in enumerate(table.columns)
    }


def test_each_suspect_gets_its_one_warning() -> None:
    found = warnings(engine.Table.from_frame(suspects(), target="y"))
    assert found == {
        "same": "One value only",
        "customer": "Nearly unique",
        "row": "Nearly unique",
        "paid": "Near-perfect alone",
        "measured": "",
        "y": "",
    }


def test_levels_that_fit_single_rows_are_named_unless_they_are_a_group(panel: ColumnsPanel) -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"household": [f"h{k}" for k in random.integers(0, 150, 300)], "x": random.normal(size=300)})
    frame["y"] = random.choice(["no", "yes"], 300)
    table = engine.Table.from_frame(frame, target="y")
    panel.model.show(table)
    panel.model.set_facts(0, facts(table, 0))
    assert "levels in 300 rows: splits by it would fit single rows" in panel.model.facts(0).warning
    for role in ("group", "key"):
        other = table.with_roles({"household": role})
        panel.model.show(other)
        panel.model.set_facts(0, facts(other, 0))
        assert panel.model.facts(0).warning == ""
    grouped = table.with_roles({"household": "group"})
    assert fact_key(grouped, table.columns[1]) != fact_key(table, table.columns[1]), "other rows train"


def test_an_empty_column_is_called_empty() -> None:
    table = engine.Table.from_frame(pd.DataFrame({"x": [None, None, None], "z": [1, 2, 3], "y": [1, 2, 1]}), target="y")
    assert facts(table, 0).warning == "Empty: it is missing in every row."


def test_few_rows_accuse_nobody() -> None:
    assert warnings(engine.Table.from_frame(suspects(40), target="y"))["paid"] == ""


def score(x: object, y: object) -> float | None:
    table = engine.Table.from_frame(pd.DataFrame({"x": x, "y": y}), target="y")
    return alone(table, table.columns[0], np.arange(table.n_rows))


def test_a_threshold_that_separates_the_classes_is_near_perfect() -> None:
    x = np.arange(300) / 7
    assert score(x, np.where(x < 20, "no", "yes")) == 1.0


def test_missing_values_that_tell_the_class_are_near_perfect() -> None:
    y = np.arange(300) % 3 == 0
    x = np.where(y, np.nan, np.arange(300) / 7)
    assert score(x, np.where(y, "yes", "no")) == 1.0


def test_a_rare_class_alone_is_no_near_perfection() -> None:
    """99.3 % of the rows are “no”: guessing that is nearly perfect too, and tells nothing about x."""
    y = np.array(["no"] * 298 + ["yes"] * 2)
    assert score(np.arange(300) % 7 / 3, y) is None


@pytest.mark.parametrize("target", ["no", 0.1])
def test_where_all_rows_are_alike_no_column_is_accused(target: str | float) -> None:
    assert score(np.arange(300) % 7 / 3, [target] * 300) is None
    y = np.array(["no"] * 300 + ["yes"])
    table = engine.Table.from_frame(pd.DataFrame({"x": np.arange(301) % 7 / 3, "y": y}), target="y")
    assert alone(table, table.columns[0], np.arange(300)) is None, "nor where it only seems so in the rows looked at"


def test_levels_that_come_once_predict_nothing() -> None:
    levels = [f"L{i}" for i in range(300)]
    assert score(levels, ["yes", "no"] * 150) is None


def test_a_copy_of_a_numeric_target_is_near_perfect() -> None:
    y = np.random.default_rng(1).normal(size=3000)
    found = score(3 * y + 7, y)
    assert found is not None
    assert found > 0.99


def test_a_noisy_copy_is_not() -> None:
    generator = np.random.default_rng(1)
    y = generator.normal(size=3000)
    assert score(y + generator.normal(size=3000) / 2, y) is None


def test_a_mean_of_each_level_left_out_is_the_naive_one() -> None:
    """R² from groups, against the obvious loop."""
    from gui.panels.data.column_facts import _left_out_squares

    generator = np.random.default_rng(2)
    groups = generator.integers(0, 30, 80)
    y = generator.normal(size=80)
    y -= y.mean()
    naive = 0.0
    for i in range(80):
        others = [y[j] for j in range(80) if groups[j] == groups[i] and j != i]
        naive += (y[i] - (np.mean(others) if others else 0.0)) ** 2
    assert _left_out_squares(groups, y) == pytest.approx(naive)


def test_a_majority_left_out_is_the_naive_one() -> None:
    from gui.panels.data.column_facts import _left_out_majority

    generator = np.random.default_rng(3)
    groups, y = generator.integers(0, 25, 90), generator.integers(0, 3, 90)
    right = 0
    for i in range(90):
        others = [0, 0, 0]
        for j in range(90):
            others[y[j]] += groups[j] == groups[i] and j != i
        right += all(others[y[i]] > others[k] for k in range(3) if k != y[i])
    counts = np.zeros((25, 3), dtype=np.int64)
    np.add.at(counts, (groups, y), 1)
    assert _left_out_majority(counts) == right


# -- the picture


def shape(x: object, y: object = None) -> Facts:
    frame = pd.DataFrame({"x": x, "y": ["a", "b"] * (len(pd.Series(x)) // 2) if y is None else y})
    return facts(engine.Table.from_frame(frame, target="y"), 0)


def test_counted_rows_that_are_kept_for_the_test_are_no_part_of_a_share(tmp_path) -> None:
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"x": np.where(random.random(2000) < 0.1, np.nan, 1.0), "y": random.choice(["a", "b"], 2000)})
    frame.to_parquet(tmp_path / "rows.parquet")
    known = engine.Table.from_frame(frame, target="y").with_partition(validation=0.2, test=0.3)
    counted = engine.read_counts(tmp_path / "rows.parquet", target="y", validation=0.2, test=0.3)
    for found, mine in ((facts(counted, 0), facts(known, 0)), (profile(counted, 0), profile(known, 0))):
        assert (found.n_missing, found.n_rows) == (mine.n_missing, mine.n_rows)
    assert profile(counted, 0).drawn_from == 0  # all were looked at


def test_bars_add_up_to_the_rows_that_are_not_missing() -> None:
    x = np.where(np.arange(400) % 10 == 0, np.nan, np.arange(400.0))
    found = shape(x)
    assert found.bars.shape == (BARS, 2)
    assert found.bars.sum() == 360
    assert found.shown == "From 1 to 399"


def test_bars_of_names_begin_with_the_most_frequent_one() -> None:
    found = shape(["b"] * 5 + ["a"] * 3 + ["c"] * 2)
    assert found.bars.sum(axis=1).tolist() == [5, 3, 2]


def test_infinite_values_stand_at_the_ends() -> None:
    x = np.concatenate(([-np.inf, np.inf], np.arange(98.0)))
    bars = shape(x).bars.sum(axis=1)
    assert bars.sum() == 100
    assert bars[0] >= 2
    assert bars[-1] >= 2


def test_a_numeric_target_has_plain_bars() -> None:
    y = np.arange(100) / 3
    assert shape(np.arange(100), y).bars.shape == (BARS, 1)


def test_values_are_shown_with_their_range(filled: ColumnsPanel) -> None:
    tip = filled.proxy.index(0, VALUES).data(Qt.ItemDataRole.ToolTipRole)
    assert "From" in tip


def test_a_long_name_gets_the_room_of_the_others(qtbot: QtBot, panel: ColumnsPanel, document: Document) -> None:
    rows = range(40)
    frame = pd.DataFrame({name: [float(i % 7) if i % 9 else None for i in rows] for name in PENGUIN_NAMES})
    document.set_table(engine.Table.from_frame(frame.assign(kind=["a", "b"] * 20), target="kind"))
    qtbot.waitUntil(lambda: all(panel.model.facts(i) is not None for i in range(4)), timeout=60_000)
    panel.resize(353, 400)
    widest = max(QFontMetrics(panel.view.font()).horizontalAdvance(name) for name in PENGUIN_NAMES)
    assert panel.view.columnWidth(NAME) >= widest + BESIDE_NAME
    last = panel.view.visualRect(panel.proxy.index(0, DISTINCT))
    assert last.right() <= panel.view.viewport().width()
    assert told(panel, 0, MISSING) == "12 %"
    panel.resize(560, 400)
    assert told(panel, 0, MISSING) == "5 · 12 %"
    panel.resize(240, 400)
    assert len({told(panel, row, NAME) for row in range(3)}) == 3


PENGUIN_NAMES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm")


def told(panel: ColumnsPanel, row: int, section: int) -> str:
    """What a cell says in the room that it has."""
    index = panel.proxy.index(row, section)
    option = QStyleOptionViewItem()
    panel.view.initViewItemOption(option)
    option.rect = panel.view.visualRect(index)
    panel.view.itemDelegateForIndex(index).initStyleOption(option, index)
    return option.text


def test_figures_are_never_cut_off(document: Document, qtbot: QtBot) -> None:
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"a rather long name of a column": generator.normal(size=12_345).round(4)})
    frame["another rather long name"] = np.where(generator.random(12_345) < 0.1234, np.nan, generator.normal(12_345))
    frame["kind"] = generator.choice(["a", "b"], 12_345)
    document.set_table(engine.Table.from_frame(frame, target="kind"))
    panel = ColumnsPanel(document)
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: all(panel.model.facts(i) is not None for i in range(3)), timeout=60_000)
    header, metrics = panel.view.horizontalHeader(), QFontMetrics(panel.view.font())
    for width, sections in ((480, (MISSING, DISTINCT)), (400, (MISSING,)), (243, ())):
        panel.resize(width, 500)
        QApplication.processEvents()
        assert tuple(k for k in (MISSING, DISTINCT) if not panel.view.isColumnHidden(k)) == sections, width
        for section in sections:
            words = [cell(panel, row, section).rpartition(" · ")[2] for row in range(3)]
            shown = [*words, str(panel.model.headerData(section, Qt.Orientation.Horizontal))]
            assert header.sectionSize(section) >= max(map(metrics.horizontalAdvance, shown)) + 6
        assert header.length() <= panel.view.viewport().width()


def test_a_column_of_figures_that_says_nothing_gives_its_room_to_the_names(document: Document, qtbot: QtBot) -> None:
    frame = pd.DataFrame({"x": range(40), "y": ["a", "b"] * 20})
    for some, hidden in ((frame, True), (frame.mask(frame == 7), False)):
        document.set_table(engine.Table.from_frame(some, target="y"))
        panel = ColumnsPanel(document)
        qtbot.addWidget(panel)
        panel.resize(600, 300)
        panel.show()
        qtbot.waitUntil(lambda panel=panel: panel.model.facts(1) is not None, timeout=60_000)
        assert panel.view.isColumnHidden(MISSING) == hidden


# -- the profile


def profiled(panel: ColumnsPanel, qtbot: QtBot, row: int) -> list[str]:
    """The lines below the histogram after a click on a column."""
    press(panel, qtbot, row, NAME)
    heading, words = panel.findChild(QToolButton, "profile_heading"), panel.findChild(QLabel, "profile_words")
    qtbot.waitUntil(lambda: words.isVisible() and f"“{cell(panel, row, NAME)}”" in heading.text(), timeout=60_000)
    return words.text().replace("\u00a0", " ").split("\n")


def mixed() -> pd.DataFrame:
    """A number, a date and levels, each with gaps, beside two classes."""
    when = pd.date_range("2024-01-01", periods=40).to_series().reset_index(drop=True)
    grade = pd.Series(["fair", "good", "good", None] * 10)
    amount = pd.Series([float(i) if i % 5 else None for i in range(40)])
    return pd.DataFrame({"amount": amount, "when": when.mask(when.dt.day == 3), "grade": grade, "y": ["a", "b"] * 20})


def test_a_click_on_a_number_shows_its_profile(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    document.set_table(engine.Table.from_frame(mixed(), target="y"))
    assert not panel.profile.isVisible()
    lines = profiled(panel, qtbot, 0)
    said = mixed()["amount"].describe()
    assert lines == [
        f"Mean {said['mean']:g}, median {said['50%']:g}",
        f"Quartiles {said['25%']:g} and {said['75%']:g}",
        f"Minimum {said['min']:g}, maximum {said['max']:g}",
        "Missing in 8 of 40 rows (20.0 %)",
    ]
    classes = panel.findChild(QLabel, "profile_classes")
    assert "■" in classes.text()
    assert ">a" in classes.text().replace("</span>&nbsp;", ">")
    assert panel.profile.picture.height() >= 5 * QFontMetrics(panel.font()).height()


def test_a_click_on_a_date_says_dates(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    document.set_table(engine.Table.from_frame(mixed(), target="y"))
    profiled(panel, qtbot, 0)
    lines = profiled(panel, qtbot, 1)
    assert lines[2:] == ["Minimum 2024-01-01, maximum 2024-02-09", "Missing in 2 of 40 rows (5.0 %)"]
    assert lines[0].startswith("Mean 2024-01-2")


def test_a_click_on_levels_shows_their_classes(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    document.set_table(engine.Table.from_frame(mixed(), target="y"))
    assert profiled(panel, qtbot, 2) == ["Missing in 10 of 40 rows (25.0 %)"]
    assert panel.profile.picture.accessibleDescription().split("\n") == [
        "good: 20 rows", "a: 10", "b: 10", "fair: 10 rows", "a: 10", "b: 0",
    ]  # fmt: skip
    assert not panel.grab().toImage().isNull()


def test_the_profile_follows_the_keys_and_folds(panel: ColumnsPanel, document: Document, qtbot: QtBot) -> None:
    document.set_table(engine.Table.from_frame(mixed(), target="y"))
    profiled(panel, qtbot, 0)
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    heading = panel.findChild(QToolButton, "profile_heading")
    qtbot.waitUntil(lambda: "“when”" in heading.text())
    qtbot.mouseClick(heading, LEFT)
    assert panel.profile.body.isHidden()
    press(panel, qtbot, 2, NAME)
    qtbot.waitUntil(lambda: "“grade”" in heading.text())
    assert panel.profile.body.isHidden()
    document.set_table(engine.Table.from_frame(mixed()[["amount", "y"]], target="y"))
    qtbot.waitUntil(lambda: panel.profile.isHidden())


def test_a_profile_counts_all_rows_of_many_levels() -> None:
    frame = pd.DataFrame({"x": [f"L{i % 12}" for i in range(600)], "y": ["a", "b", "c"] * 200})
    found = profile(engine.Table.from_frame(frame, target="y"), 0)
    assert (len(found.names), found.more, found.bars.sum()) == (8, 4, 400)
    assert found.bars.shape == (8, 3)


def test_no_heading_is_cut_in_large_letters(filled: ColumnsPanel, qtbot: QtBot) -> None:
    """Every column that is shown has room for its title, and the list for its columns, at any size of letters."""
    header = filled.view.horizontalHeader()
    try:
        for percent in (200, 80, 100):
            theme.set_text_size(percent)
            for width in (560, 300):
                filled.resize(width, 400)
                QApplication.processEvents()
                metrics = header.fontMetrics()
                for section in (VALUES, ROLE, MISSING, DISTINCT):
                    title = str(filled.model.headerData(section, Qt.Orientation.Horizontal))
                    room = header.sectionSize(section)
                    assert filled.view.isColumnHidden(section) or room >= metrics.horizontalAdvance(title) + 4
                assert filled.view.rowHeight(0) >= metrics.height()
                assert header.length() <= filled.view.viewport().width() or width == 300
    finally:
        theme.set_text_size(100)
