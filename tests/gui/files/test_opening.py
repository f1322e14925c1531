"""From a file to a table, as a person takes the way."""

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QPushButton,
    QWidget,
)

import engine
from gui.files.opening import filters, is_tree
from tests.conftest import ROOT
from tests.gui.acting import do, fill, key, rest, type_path
from tests.gui.asked import press, when_asked
from tests.gui.tables import flower_table

LEFT = Qt.MouseButton.LeftButton


def take_as_guessed(qtbot) -> Callable[[QWidget], None]:
    """Opens the table of an import dialog as soon as that is offered: a click before would be lost."""

    def act(dialog: QWidget) -> None:
        button = dialog.findChild(QPushButton, "open_table_button")
        qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=60_000)
        qtbot.mouseClick(button, LEFT)

    return act


def wait_and_accept(qtbot, dialog):
    qtbot.waitUntil(lambda: not dialog.hindrance, timeout=60_000)
    dialog.accept()


def test_a_file_is_opened_through_the_dialog(qtbot, window, file):
    chosen = when_asked(type_path(file), QFileDialog)
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    key(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert chosen and asked
    table = window.document.table
    assert (table.name, table.target, table.n_validation) == ("flowers", "kind", 36)
    assert window.settings.recent == [str(file)]
    assert window.settings.value("last_folder") == str(file.parent)
    assert window.rows.text() == "120 rows: 84 train, 36 validate"


def test_a_cancelled_dialog_changes_nothing(qtbot, full, file):
    tree = full.document.tree
    asked = when_asked(press("Cancel"), "import_dialog")
    full.opening.open(file)
    qtbot.waitUntil(lambda: bool(asked))
    rest(qtbot, full)
    assert full.document.tree is tree


def test_a_file_with_its_target_needs_no_dialog(qtbot, window, file):
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    assert window.document.table.target == "kind"


def test_the_title_shows_a_name_with_the_sign_for_changes(qtbot, window, file):
    window.opening.open(file.rename(file.with_stem("all [*] of them [*]")), target="kind")
    rest(qtbot, window)
    assert window.windowHandle().title() == "all [*] of them [*] — Espalier"


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_file_or_a_folder_is_dropped_onto_the_window(qtbot, window, file, is_folder):
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    data, dropped = QMimeData(), file
    if is_folder:
        dropped = file.parent / "parts"
        dropped.mkdir()
        flower_table().to_frame().to_parquet(dropped / "1.parquet")
    data.setUrls([QUrl.fromLocalFile(str(dropped))])
    action, button, keys = Qt.DropAction.CopyAction, LEFT, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), action, data, button, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), action, data, button, keys))
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert asked


def test_a_table_is_pasted(qtbot, window):
    QGuiApplication.clipboard().setText("a,b,y\n1,x,no\n2,x,yes\n3,z,yes\n4,z,no\n")
    pasted = when_asked(lambda dialog: wait_and_accept(qtbot, dialog), "paste_dialog")
    asked = when_asked(take_as_guessed(qtbot), "import_dialog")
    do(window, "paste")
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    assert pasted and asked
    assert window.document.table.n_rows == 4
    assert window.settings.recent == []


@pytest.mark.parametrize("what", ["gone.csv", "picture.csv", "empty.csv", "folder", "broken.espalier"])
def test_what_cannot_be_opened_is_told_in_its_place(qtbot, full, tmp_path, what):
    path = tmp_path / what
    if what == "folder":
        path.mkdir()
    elif what != "gone.csv":
        path.write_bytes({"picture.csv": b"\x89PNG\r\n\x1a\n\0\0\0", "empty.csv": b""}.get(what, b"{"))
    tree = full.document.tree
    full.opening.open(path)
    rest(qtbot, full)
    assert len(full.bar.texts) == 1 and what.split(".")[0] in full.bar.texts[0]
    assert "Traceback" not in full.bar.texts[0]
    assert full.document.tree is tree


def test_a_recent_file_that_is_gone_leaves_the_list(qtbot, window, tmp_path):
    window.settings.add_recent(tmp_path / "gone.csv")
    window.opening.open(tmp_path / "gone.csv")
    rest(qtbot, window)
    assert window.settings.recent == []


def test_what_could_not_be_opened_is_not_among_the_recent_files(qtbot, window, file, tmp_path):
    broken = tmp_path / "broken.espalier"
    broken.write_text("{")
    window.opening.open(broken)
    rest(qtbot, window)
    window.opening.open(file, target="no such column")
    rest(qtbot, window)
    assert len(window.bar.texts) == 2 and window.settings.recent == []
    window.opening.open(file, target="kind")
    rest(qtbot, window)
    assert window.settings.recent == [str(file)]


def test_a_refused_table_is_corrected_in_the_dialog_and_opened(qtbot, window, tmp_path):
    path = tmp_path / "constant.csv"
    path.write_text("a,b,target\n" + "".join(f"{i},{'uv'[i % 2]},\n" for i in range(12)))
    recent = []

    def act(dialog):
        choose = dialog.findChild(QComboBox, "target_field")
        button = dialog.findChild(QPushButton, "open_table_button")
        error = dialog.findChild(QWidget, "import_error")
        dialog._model.set_target("target")
        qtbot.waitUntil(button.isEnabled, timeout=60_000)
        qtbot.mouseClick(button, LEFT)
        qtbot.waitUntil(error.isVisible, timeout=60_000)
        recent.extend(window.settings.recent)
        dialog._model.set_target("b")
        assert choose.currentText() == "b"
        qtbot.waitUntil(button.isEnabled, timeout=60_000)
        qtbot.mouseClick(button, LEFT)

    asked = when_asked(act, "import_dialog")
    window.opening.open(path)
    qtbot.waitUntil(lambda: window.document.table is not None, timeout=60_000)
    rest(qtbot, window)
    assert asked and window.document.table.target == "b"
    assert (recent, window.settings.recent) == ([], [str(path)])
    assert not any("every row" in text for text in window.bar.texts)


def test_a_tree_of_another_table_is_shown_only_after_a_question(qtbot, full, tmp_path):
    table = flower_table().with_target("soil")
    engine.write_tree(engine.grow(table, max_depth=1), tmp_path / "soil.json")
    before = full.document.tree
    asked = when_asked(press("Cancel"), "ask_other_table")
    full.opening.open(tmp_path / "soil.json")
    rest(qtbot, full)
    assert asked and full.document.tree is before
    agreed = when_asked(press("Open"), "ask_other_table")
    full.opening.open(tmp_path / "soil.json")
    rest(qtbot, full)
    assert agreed and full.document.table.target == "soil"
    full.document.undo()
    assert full.document.table.target == "kind"


def test_a_tree_of_a_boosted_model_is_chosen_and_counted_on_the_table(qtbot, full, tmp_path):
    """Three stumps of LightGBM over “length”, whose third one is opened."""
    stump = (
        "num_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold={cut}\ndecision_type=10\nleft_child=-1\nright_child=-2\n"
        "leaf_value=0.1 -0.1\nleaf_count=3 4\nis_linear=0\nshrinkage=1\n\n"
    )
    name = next(column.name for column in full.document.table.columns if column.kind == "number")
    column = full.document.table.column(name)
    cut = float(column.values[column.n_values // 2])
    head = f"tree\nversion=v4\nnum_tree_per_iteration=1\nobjective=binary sigmoid:1\nfeature_names={name}\n\n"
    trees = "".join(f"Tree={k}\n{stump.format(cut=repr(cut + (k - 2)))}" for k in range(3))
    path = tmp_path / "model.txt"
    path.write_text(f"{head}{trees}end of trees\n", encoding="utf-8")

    def choose(dialog):
        dialog.field.setValue(2)
        dialog.accept()

    asked = when_asked(choose, "which_tree_dialog")
    full.opening.open(path)
    qtbot.waitUntil(lambda: full.document.tree.n_leaves == 2, timeout=60_000)
    rest(qtbot, full)
    tree = full.document.tree
    assert asked and tree.split_at(0).thresholds == (cut,) and tree.task == "classes"
    assert tree.rows_train[0] == full.document.table.n_train and "probability of class 1 is 1 ÷" in tree.mark(0).note
    full.document.undo()
    assert full.document.tree.n_leaves != 2 or full.document.tree.mark(0).note == ""


WEKA = """=== Run information ===

Scheme:       weka.classifiers.trees.J48 -C 0.25 -M 2
Attributes:   2
              {name}
              y

=== Classifier model (full training set) ===

J48 pruned tree
------------------

{name} <= {cut}: {no} (3.0)
{name} > {cut}: {yes} (4.0/1.0)

Number of Leaves  : \t2

Size of the tree : \t3


Time taken to build model: 0 seconds
"""
RPART = """> fit
n= 7 

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 7 3 {no} (0.5714286 0.4285714)  
  2) {name}< {cut} 3 0 {no} (1.0000000 0.0000000) *
  3) {name}>={cut} 4 1 {yes} (0.2500000 0.7500000) *
"""


@pytest.mark.parametrize("printed", [WEKA, RPART], ids=["J48", "rpart"])
def test_what_another_program_printed_opens_as_a_tree(qtbot, full, tmp_path, printed):
    table = full.document.table
    column = next(column for column in table.columns if column.kind == "number")
    no, yes = table.classes[:2]
    cut = float(column.values[column.n_values // 2]) + 1e-4
    path = tmp_path / "printed.txt"
    path.write_text(printed.format(name=column.name, cut=f"{cut:.7g}", no=no, yes=yes), encoding="utf-8")
    agreed = when_asked(press("Open"), "ask_other_table")  # for the table has a third class
    full.opening.open(path)
    qtbot.waitUntil(lambda: full.document.tree.n_leaves == 2, timeout=60_000)
    rest(qtbot, full)
    tree = full.document.tree
    assert agreed and full.document.table is table and tree.rows_train[0] == table.n_train
    assert tree.split_at(0).column == column.name and "As printed by" in tree.mark(0).note


def test_a_binary_model_of_xgboost_opens_on_its_table(qtbot, window):
    """The dialog shows it among the files that open."""
    foreign = ROOT / "tests" / "data" / "foreign"
    rows = pd.DataFrame(json.loads((foreign / "rows.json").read_text("utf-8"))["xgboost_binary.json"])
    late = np.where(rows["body mass"].fillna(0.0) > 0.1, "1", "0")
    fill(qtbot, window, engine.Table.from_frame(rows.assign(late=late), target="late"))
    chosen = when_asked(type_path(foreign / "xgboost_binary.ubj"), QFileDialog)
    key(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.document.tree.n_leaves > 1, timeout=60_000)
    rest(qtbot, window)
    tree = window.document.tree
    assert chosen and "*.ubj" in filters().split(";;")[0]
    assert tree.rows_train[0] == len(rows) and "The only tree of an XGBoost model" in tree.mark(0).note


def test_a_text_about_a_tree_is_a_table(tmp_path):
    (tmp_path / "words.txt").write_text("name,words\nJ48,a tree\nrpart,another\n", encoding="utf-8")
    assert not is_tree(tmp_path / "words.txt")
