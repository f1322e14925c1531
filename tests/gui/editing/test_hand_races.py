"""What a person wrote or pointed at, while the tree, the selection or the whole document became another."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QPushButton

import engine
from engine import project
from gui.model import tree_tasks
from gui.model.editing import hand_edits, pruning_choices
from gui.model.search import guessing
from gui.verbs.declared import VERBS
from gui.wording import hand_phrases, phrases, words
from tests.gui.acting import Gate, fill, make_window, rest
from tests.gui.asked import press, when_asked
from tests.gui.editing.hands import LEFT, all_actions, by_key
from tests.gui.tables import flower_table


@pytest.fixture
def table(tmp_path):
    """The flowers from a file."""
    path = tmp_path / "flowers.csv"
    flower_table().to_frame().to_csv(path, index=False)
    return engine.read_table(path, target="kind").with_partition(validation=0.25)


@pytest.fixture
def window(qtbot, kept_window, table):
    """A window with them, as `by_length` leaves it."""
    return by_length(qtbot, fill(qtbot, kept_window, table))


def by_length(qtbot, window):
    """The root split by length; the right leaf is selected, the panel “Node” in front."""
    window.document.hand.split_by(0, engine.Split("length", "threshold", (6.0,)))
    rest(qtbot, window)
    window.document.select(2)
    window.show_panel("node")
    rest(qtbot, window)
    return window


def note(window):
    return window.panels["node"].note


def type_note(window, text):
    note(window).setFocus()
    QTest.keyClicks(note(window), text)


# -- what is typed is not lost


def test_a_save_waits_for_the_note_that_is_on_its_way(qtbot, window, monkeypatch, tmp_path):
    gate = Gate(monkeypatch, hand_edits, "marked")
    type_note(window, "few rows")
    QTest.keyClick(note(window), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert gate.reached.wait(30)
    window.document.storage.save(tmp_path / "flowers.espalier")
    gate.open.set()
    rest(qtbot, window)
    assert project.load(tmp_path / "flowers.espalier").tree.mark(2).note == "few rows"
    assert not window.document.modified


def test_a_save_that_waits_for_an_edit_is_made_when_undo_drops_the_edit(qtbot, window, monkeypatch, tmp_path):
    gate = Gate(monkeypatch, tree_tasks, "grown")
    window.document.tree_edits.grow_all()
    assert gate.reached.wait(30)
    window.document.storage.save(tmp_path / "flowers.espalier")
    window.document.undo()
    gate.open.set()
    rest(qtbot, window)
    qtbot.waitUntil((tmp_path / "flowers.espalier").exists)
    rest(qtbot, window)
    assert project.load(tmp_path / "flowers.espalier").tree.n_leaves == 1


def test_undo_takes_back_the_note_that_is_just_typed_and_redo_brings_it(qtbot, window):
    before = window.document.tree
    type_note(window, "few rows")
    window.actions_made.made["undo"].trigger()
    rest(qtbot, window)
    assert window.document.tree is before and note(window).text == ""
    window.actions_made.made["redo"].trigger()
    rest(qtbot, window)
    assert window.document.tree.mark(2).note == "few rows" and note(window).text == "few rows"


@pytest.mark.parametrize("way", ["stop", "undo"])
def test_a_note_that_waits_for_a_growth_is_written_when_the_growth_is_given_up(qtbot, window, monkeypatch, way):
    gate = Gate(monkeypatch, tree_tasks, "grown")
    window.document.hand.toggle(0, "pinned")
    rest(qtbot, window)
    window.document.tree_edits.grow_all()
    assert gate.reached.wait(30)
    type_note(window, "few rows")
    qtbot.waitUntil(window.actions_made.made[way].isEnabled)
    window.actions_made.made[way].trigger()
    gate.open.set()
    rest(qtbot, window)
    qtbot.waitUntil(lambda: window.document.tree.mark(2).note == "few rows")
    assert note(window).text == "few rows"


def test_a_note_whose_node_goes_is_told(qtbot, window, monkeypatch):
    gate = Gate(monkeypatch, hand_edits, "collapsed")
    window.document.hand.collapse(0)
    assert gate.reached.wait(30)
    type_note(window, "few rows")
    gate.open.set()
    rest(qtbot, window)
    rest(qtbot, window)
    assert window.bar.texts == [hand_phrases.node_gone("note", "few rows")]
    assert "few rows" in window.bar.texts[0]


@pytest.mark.parametrize("answer", ["Save", "Discard"])
def test_a_window_that_is_closed_asks_about_a_note_that_is_just_typed(qtbot, home, table, tmp_path, answer):
    window = by_length(qtbot, make_window(qtbot, table))
    path = tmp_path / "flowers.espalier"
    window.document.storage.save(path)
    rest(qtbot, window)
    assert not window.document.modified
    type_note(window, "few rows")
    asked = when_asked(lambda box: QTest.mouseClick(button(box, answer), LEFT), "save_changes")
    window.close()
    assert asked
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=30_000)
    assert project.load(path).tree.mark(2).note == ("few rows" if answer == "Save" else "")


def button(box, text):
    return next(one for one in box.findChildren(QPushButton) if one.text().replace("&", "").startswith(text))


# -- what is asked of one document is not done to another


def test_a_note_is_not_written_on_a_file_that_was_opened_meanwhile(qtbot, window):
    other = flower_table()

    def answer(dialog):
        dialog.findChild(QPlainTextEdit, "note_field").setPlainText("few rows")
        window.document.set_table(other)
        rest(qtbot, window)
        QTest.mouseClick(dialog.findChild(QPushButton, "note_accept"), LEFT)

    window.document.select(0)
    rest(qtbot, window)
    asked = when_asked(answer, "note_dialog")
    by_key(window, "note")
    rest(qtbot, window)
    assert asked and window.document.table is other
    assert not window.document.tree.marks and not window.document.modified
    assert window.bar.texts == [hand_phrases.OTHER_TREE]


def test_a_split_is_not_replaced_in_a_file_that_was_opened_meanwhile(qtbot, window):
    other = flower_table()
    grown = engine.grow(other, max_depth=2)

    def answer(box):
        window.document.set_table(other, grown)
        rest(qtbot, window)
        press("Drop")(box)

    window.document.hand.mark(2, note="few rows")
    rest(qtbot, window)
    asked = when_asked(answer, "ask_below")
    window.document.hand.split_by_column(0, "width")
    rest(qtbot, window)
    assert asked and window.document.tree is grown and window.bar.texts == [hand_phrases.OTHER_TREE]


def test_a_candidate_is_not_accepted_for_another_target(qtbot, window, monkeypatch):
    document = window.document
    document.hand.collapse(0)
    rest(qtbot, window)
    gate = Gate(monkeypatch, tree_tasks, "retargeted")
    document.table_edits.set_target("soil")
    assert gate.reached.wait(30)
    table = window.panels["candidates"].view
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    gate.open.set()
    rest(qtbot, window)
    assert document.tree.target == "soil" and document.tree.n_leaves == 1
    assert window.bar.texts == [hand_phrases.CHANGED]


# -- who has gone elsewhere stays there


def test_a_split_that_arrives_leaves_the_selection_where_a_person_took_it(qtbot, window, monkeypatch):
    gate = Gate(monkeypatch, tree_tasks, "grown")
    by_key(window, "split_here")
    assert gate.reached.wait(30)
    box = window.canvas.node_rect(0)
    QTest.mouseClick(window.canvas, LEFT, pos=box.center().toPoint())
    gate.open.set()
    rest(qtbot, window)
    assert window.document.tree.n_leaves == 3 and window.document.selected == 0


def test_the_context_menu_of_a_node_goes_with_the_selection(qtbot, window, monkeypatch):
    gate = Gate(monkeypatch, tree_tasks, "grown")
    by_key(window, "split_here")
    assert gate.reached.wait(30)
    place = window.canvas.node_rect(2).center().toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, window.canvas.mapToGlobal(place))
    QApplication.sendEvent(window.canvas, event)
    menu = window.findChildren(QMenu, "node_menu")[-1]
    qtbot.waitUntil(menu.isVisible)
    gate.open.set()
    qtbot.waitUntil(lambda: window.document.selected != 2)
    assert QApplication.activePopupWidget() is None
    rest(qtbot, window)


# -- guessing, pins, reasons, uses


def test_while_a_guess_is_asked_for_nothing_is_split_and_the_verbs_say_why(qtbot, window):
    document = window.document
    document.guess.begin()
    before = document.tree
    names = ("split_anywhere", "split_here", "grow_level", "grow_branch", "go", "grow", "split_column", "all_trees")
    for name in names:
        action = window.actions_made.made[name]
        assert not action.isEnabled() and action.toolTip() == guessing.HIDDEN == action.statusTip()
        if VERBS[name].keys:
            by_key(window, name)
    button = window.toolbar.widgetForAction(window.actions_made.made["go"])
    QTest.mouseClick(button, LEFT)
    document.hand.split_by_column(2, "width")  # as a column does that is dropped
    rest(qtbot, window)
    assert document.tree is before and window.bar.texts == [guessing.HIDDEN]
    document.guess.give_up()
    for name in names:
        action = window.actions_made.made[name]
        assert action.isEnabled() and action.statusTip() == VERBS[name].tip
    by_key(window, "split_here")
    rest(qtbot, window)
    assert document.tree.n_leaves == 3


def test_every_verb_that_is_grey_says_why(qtbot, window):
    def grey():
        return {name: action.toolTip() for name, action in window.actions_made.made.items() if not action.isEnabled()}

    told = [grey()]
    window.document.select(0)
    told.append(grey())
    window.document.start(None)
    told.append(grey())
    assert told[0]["prune_below"] == "The selected node is a leaf: select one that is split."
    assert told[1]["split_here"] == "The selected node is split already: select a leaf."
    assert told[2]["go"] == "Open a table first." and len(told[2]) > 30
    for name, text in (pair for one in told for pair in one.items()):
        assert text and not text.startswith(VERBS[name].tip), name


@pytest.mark.parametrize("verb", ["grow_branch", "grow"])
def test_growing_at_a_pinned_leaf_says_that_it_is_pinned(qtbot, window, verb):
    document = window.document
    document.hand.toggle(2, "pinned")
    rest(qtbot, window)
    before = document.tree
    asked = when_asked(lambda dialog: dialog.accept(), "grow_dialog") if verb == "grow" else [window]
    by_key(window, verb)
    rest(qtbot, window)
    assert asked and document.tree is before and window.bar.texts == [phrases.PINNED_LEAF]
    assert f"({VERBS['pin'].keys})" in phrases.PINNED_LEAF


def test_edits_by_hand_use_no_validation_rows(qtbot, window):
    document = window.document
    for act in (
        lambda: document.hand.mark(2, label="iris"),
        lambda: document.hand.merge(1, 2),
        document.undo,
        lambda: document.hand.collapse(0),
        lambda: document.hand.mark(0, note="a note decides nothing"),
    ):
        act()
        rest(qtbot, window)
    assert document.edits.validation_trees < 8  # no more than the trees that were shown, and notes show none


def in_front(panel):
    """Whether a panel is the one of its tabs that is seen."""
    return not panel.visibleRegion().isEmpty()


def test_why_is_a_key_and_a_button_of_the_split_editor(qtbot, window):
    why, editor = window.panels["why"], window.panels["split_editor"]
    by_key(window, "why")
    qtbot.waitUntil(lambda: in_front(why) and not in_front(editor))
    window.show_panel("split_editor")
    qtbot.waitUntil(lambda: in_front(editor) and not in_front(why))
    QTest.mouseClick(editor.why, LEFT)
    qtbot.waitUntil(lambda: in_front(why) and not in_front(editor))
    menus = [action.menu() for action in window.menuBar().actions() if action.text() == "&Tree"]
    assert "action_why" in [action.objectName() for action in all_actions(menus[0])]


def test_the_headline_names_the_criterion_of_the_node(qtbot, window):
    window.document.hand.mark(2, criterion="entropy")
    rest(qtbot, window)
    assert "Entropy" in window.panels["candidates"].headline.text()


def test_cuts_that_are_being_typed_replace_the_split(qtbot, window):
    document, editor = window.document, window.panels["split_editor"]
    document.select(0)
    rest(qtbot, window)
    cuts = editor.cuts_kind.controls.cuts
    cuts.setText("7")
    window.actions_made.made["replace_split"].trigger()
    rest(qtbot, window)
    assert document.tree.split_at(0).thresholds == (7.0,)


def test_a_growth_is_not_begun_in_a_file_that_was_opened_meanwhile(qtbot, window):
    other = flower_table()

    def answer(dialog):
        window.document.set_table(other)
        rest(qtbot, window)
        dialog.accept()

    asked = when_asked(answer, "grow_dialog")
    by_key(window, "grow")
    rest(qtbot, window)
    assert asked and window.document.tree.n_leaves == 1 and window.bar.texts == [hand_phrases.OTHER_TREE]


def test_another_file_is_not_saved_under_the_name_that_was_asked_for(qtbot, window, tmp_path):
    other = flower_table()

    def answer(dialog):
        window.document.set_table(other)
        rest(qtbot, window)
        dialog.selectFile(str(tmp_path / "mine.espalier"))
        dialog.accept()

    asked = when_asked(answer, "save_dialog")
    window.files.save_as()
    rest(qtbot, window)
    assert asked and not (tmp_path / "mine.espalier").exists() and window.bar.texts == [hand_phrases.OTHER_TREE]


def test_a_guess_stays_while_something_is_written_elsewhere(qtbot, window):
    document = window.document
    document.guess.begin()
    document.guess.take_column("width")
    rest(qtbot, window)
    document.hand.mark(1, note="elsewhere")
    rest(qtbot, window)
    assert document.guess.column == "width" and document.candidate.column == "width"
    document.select(1)
    rest(qtbot, window)
    assert document.guess.column == ""


def test_a_guess_is_judged_by_the_criterion_of_the_node(qtbot, window):
    document = window.document
    document.hand.mark(2, criterion="gain_ratio")
    rest(qtbot, window)
    best = document.candidates[0]
    document.guess.begin()
    document.guess.take_column(best.column)
    rest(qtbot, window)
    made = document.candidate
    document.guess.settle()
    share = made.scores["gain_ratio"] / best.scores["gain_ratio"]
    assert "has the ratio" in document.guess.verdict and words.percent(share) in document.guess.verdict


def test_a_search_that_was_stopped_begins_again_when_the_leaf_is_selected_again(qtbot, window, monkeypatch):
    document, gate = window.document, Gate(monkeypatch, tree_tasks, "candidates")
    document.set_search(criterion="entropy")
    assert gate.reached.wait(30)
    document.tree_edits.grow_level()
    document.jobs.stop()
    gate.open.set()
    rest(qtbot, window)
    panel = window.panels["candidates"]
    assert "Select the leaf again" in panel.empty.text() and not document.candidates
    QTest.mouseClick(window.canvas, LEFT, pos=window.canvas.node_rect(document.selected).center().toPoint())
    rest(qtbot, window)
    assert document.candidates and panel.pages.currentWidget() is panel.view


def test_a_note_that_is_typed_when_pruning_asks_about_splits_by_hand_is_written(qtbot, window, monkeypatch):
    """The question takes the focus from the note, which is written behind the pruning, not before it."""
    document = window.document
    document.hand.split_by(2, engine.Split("length", "threshold", (9.0,)))  # which helps no validation row
    rest(qtbot, window)
    document.select(0)
    window.show_panel("node")
    rest(qtbot, window)
    gate = Gate(monkeypatch, pruning_choices, "pruned")

    def answer(box):
        qtbot.wait(300)  # while the question stands there, the worker goes on
        press("Prune hand-made splits too")(box)

    seen = when_asked(answer, "keep_by_hand")
    window.prune("mdl")
    qtbot.waitUntil(gate.reached.is_set, timeout=30_000)
    window.show_panel("node")
    type_note(window, "few rows")
    gate.open.set()
    qtbot.waitUntil(lambda: bool(seen), timeout=10_000)
    rest(qtbot, window)
    assert document.tree.n_leaves < 3
    assert document.tree.mark(0).note == "few rows" == note(window).text
