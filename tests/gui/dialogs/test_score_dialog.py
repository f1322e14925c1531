"""Scoring a file in the window: what is asked, what is written, and the report beside the canvas."""

from dataclasses import replace

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton

from gui.dialogs import score_findings
from gui.dialogs.score_dialog import ScoreDialog, ScoreReport
from gui.widgets.tables import TableView
from gui.wording import phrases, words
from tests.gui.acting import do, rest, type_path
from tests.gui.asked import press, when_asked
from tests.gui.tables import flower_table


@pytest.fixture
def rows(tmp_path):
    """The flowers without their kind, all of one length but a few, one without a number."""
    frame = flower_table().to_frame().drop(columns="kind")
    frame["length"] = frame["length"].where(frame.index % 10 == 0, frame["length"].max() + 1).astype(object)
    frame.loc[1, "length"] = "long"
    path = tmp_path / "october.csv"
    frame.to_csv(path, index=False)
    return path


def typed(name, text):
    def act(dialog):
        field = dialog.findChild(QLineEdit, name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, str(text)) if text else QTest.keyClick(field, Qt.Key.Key_Delete)

    return act


def scored(qtbot, window, *acts):
    """Does the verb, these acts in its dialog, and Score; the report."""

    def act(dialog):
        for each in acts:
            each(dialog)
        press("Score")(dialog)

    asked = when_asked(act, ScoreDialog)
    do(window, "score")
    rest(qtbot, window)
    assert asked
    found = [one for one in QApplication.topLevelWidgets() if isinstance(one, ScoreReport) and one.isVisible()]
    return found[0] if found else None


def test_rows_are_scored_written_and_reported(qtbot, grown, rows, tmp_path):
    out = tmp_path / "scored.parquet"
    report = scored(qtbot, grown, typed("score_source", rows), typed("score_target", out))
    frame, tree = pd.read_parquet(out), grown.document.tree
    assert frame["prediction"].tolist() == tree.predict(pd.read_csv(rows).replace("long", None)).tolist()
    assert {"leaf", "rule", "prediction"} < set(frame.columns)
    columns, leaves = report.findChild(TableView, "score_columns"), report.findChild(TableView, "score_leaves")
    texts = [columns.model().index(0, k).data() for k in range(columns.model().columnCount())]
    assert texts[0] == "length" and "“long” cannot be read as number: taken for missing" in texts[-1]
    assert leaves.model().rowCount() == tree.n_leaves
    rules = dict(zip(frame["leaf"], frame["rule"], strict=True))
    for row in range(tree.n_leaves):  # in the words of the file
        leaf, rule = (leaves.model().index(row, k).data() for k in range(2))
        assert rules.get(int(leaf.strip("#")), rule) == rule
    QTest.mouseClick(report.findChild(QPushButton, "score_copy"), Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert str(out) in copied and "“long”" in copied and f"#{tree.ids[tree.leaves[0]]}" in copied
    report.close()


def test_leaves_that_moved_are_selected_on_the_canvas(qtbot, grown, rows):
    report, document = scored(qtbot, grown, typed("score_source", rows)), grown.document
    QTest.mouseClick(report.findChild(QPushButton, "score_select"), Qt.MouseButton.LeftButton)
    found = report._found
    assert set(document.several.nodes) == set(found.leaves[found.moved].tolist()) and found.moved.any()
    leaves = report.findChild(TableView, "score_leaves")
    where = leaves.visualRect(leaves.model().index(0, 0)).center()
    QTest.mouseClick(leaves.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert document.several.nodes == (int(leaves.model().index(0, 0).data().strip("#")),)
    document.start(None)  # the leaves of another document are none of its own
    QTest.mouseClick(report.findChild(QPushButton, "score_select"), Qt.MouseButton.LeftButton)
    report.close()


def test_what_cannot_be_scored_is_said_before(qtbot, grown, rows, tmp_path):
    said, out = [], tmp_path / "out.txt"

    def tell(dialog):
        said.append((dialog._notice.text, dialog._go_on.isEnabled()))

    taken = tmp_path / "taken.xlsx"
    taken.touch()
    acts = [tell]
    for name, text in (("source", tmp_path / "none.csv"), ("source", rows), ("target", out), ("target", rows),
                       ("target", taken), ("target", "")):  # fmt: skip
        acts += [typed(f"score_{name}", text), tell]
    report = scored(qtbot, grown, *acts)
    assert [enabled for _, enabled in said] == [False, False, True, False, False, True, True]
    assert "no file" in said[1][0] and ".parquet" in said[3][0] and "another name" in said[4][0]
    assert "will be replaced" in said[5][0] and "1,048,575 rows" in said[5][0]
    assert not report.findChild(QPushButton, "score_folder").isVisible()
    report.close()


def test_files_are_chosen_in_file_dialogs(qtbot, grown, rows, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(rows), ""))
    proposed = []

    def place(dialog):
        proposed.append(dialog.findChild(QLineEdit, "score_target").text())
        chosen = when_asked(type_path(tmp_path / "mine.csv"), QFileDialog)
        QTest.mouseClick(dialog.findChild(QPushButton, "score_choose_target"), Qt.MouseButton.LeftButton)
        assert chosen

    def choose(dialog):
        QTest.mouseClick(dialog.findChild(QPushButton, "score_choose_source"), Qt.MouseButton.LeftButton)

    report = scored(qtbot, grown, choose, place)
    assert proposed == [str(tmp_path / "october scored.csv")] and (tmp_path / "mine.csv").exists()
    QTest.mouseClick(report.findChild(QPushButton, "score_folder"), Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path)]
    report.close()


def test_a_file_without_a_column_is_refused(qtbot, grown, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("something\n1\n")
    assert scored(qtbot, grown, typed("score_source", path)) is None
    assert any("lacks what the tree splits on" in row.message.text for row in grown.bar.rows)


def test_what_matters_is_said_first(qtbot, grown, rows, tmp_path):
    document = grown.document
    first, second = document.tree.classes[:2]
    document.set_search(profits=((first, 10.0, 0.0), (second, -4.0, 0.0)), currency="EUR")
    rest(qtbot, grown)
    report, tree = scored(qtbot, grown, typed("score_source", rows)), document.tree
    found, said = report._found, report._verdict.text
    acted = found.counts[tree.acts[tree.leaves]].sum()
    amount = phrases.money(float(found.counts @ tree.expected_profit[tree.leaves]), tree)
    assert said.startswith(f"Act on {words.count(acted)} of the rows: all together are expected to earn {amount}.")
    report.close()
    unknown = replace(found.columns[0], unknown=3, is_asked=True, example="Otter")
    other = replace(found, columns=(unknown, *found.columns[1:]))
    share = words.percent(3 / found.n_rows)
    assert f"{share} of the rows have a level of “{unknown.name}” that the tree does not know, such as “Otter”." in (
        score_findings.verdict(other, tree)
    )
