"""The door for messages, and the bar that shows them."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from gui import messages
from gui.application import begin
from gui.files.autosave import Autosave
from gui.messages import Message
from gui.settings import Settings
from gui.window import message_bar
from gui.window.message_bar import MessageBar
from tests.gui.acting import do, put_up, rest


@pytest.fixture
def bar(qtbot):
    made = MessageBar()
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    messages.door.listen(made.show_message)
    yield made
    messages.door.posted.disconnect(made.show_message)


def test_messages_wait_for_a_window(posted):
    messages.error("The file is empty.")
    messages.warning("Two columns have the same name.")
    messages.error("The file is empty.")
    assert posted() == ["error: The file is empty.", "warning: Two columns have the same name."]


def test_the_cache_is_bounded(posted):
    for i in range(3 * messages.CACHED):
        messages.info(f"note {i}")
    kept = posted()
    assert len(kept) == messages.CACHED
    assert kept[-1] == f"info: note {3 * messages.CACHED - 1}"


def test_waiting_messages_come_first(qtbot):
    messages.error("early")
    bar = MessageBar()
    qtbot.addWidget(bar)
    messages.door.listen(bar.show_message)
    messages.info("late")
    messages.door.posted.disconnect(bar.show_message)
    assert bar.texts == ["early", "late"]


def test_the_bar_hides_when_it_is_empty(qtbot, bar):
    bar.hide()
    messages.error("Something is wrong.")
    assert bar.isVisible()
    qtbot.mouseClick(bar.findChild(QToolButton, "message_close"), Qt.MouseButton.LeftButton)
    assert bar.texts == [] and not bar.isVisible()


def test_a_sentence_can_be_copied(qtbot, bar):
    messages.error("Copy me.")
    qtbot.mouseClick(bar.findChild(QPushButton, "message_copy"), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Copy me."


def test_it_lies_on_the_lower_edge_and_nothing_moves(qtbot):
    window, ground = QWidget(), QStackedWidget()
    put_up(qtbot, window, 500, 300)
    QVBoxLayout(window).addWidget(ground)
    made = MessageBar()
    messages.door.listen(made.show_message)
    made.lie_on(ground, lambda: 30)  # of a legend
    ground.show()
    qtbot.waitUntil(lambda: ground.width() > 100)
    before = ground.geometry()
    said = messages.info("A hint. " * 30)
    qtbot.waitUntil(lambda: made.height() > 40)  # wraps
    assert ground.geometry() == before
    assert made.geometry().bottom() == before.bottom() - 30 and made.width() == before.width()
    assert not made.findChild(QPushButton, "message_copy").isVisible()
    messages.door.posted.disconnect(made.show_message)
    made.withdraw(said)
    assert made.texts == [] and not made.isVisible()


def test_the_same_sentence_is_shown_once(bar):
    messages.error("a")
    messages.error("b")
    messages.error("a")
    assert bar.texts == ["b", "a"]


def test_old_messages_give_way_but_questions_stay(bar):
    messages.offer("Open the copy?", ("Open", lambda: None))
    for i in range(10):
        messages.warning(f"w{i}")
    assert bar.texts[0] == "Open the copy?"
    assert len(bar.texts) == message_bar.SHOWN
    assert bar.texts[-1] == "w9"


def test_an_answer_is_called_once_and_takes_the_message_away(qtbot, bar):
    answers = []
    choices = [(words, lambda words=words: answers.append(words)) for words in ("Open", "Discard")]
    messages.offer("Open the copy?", *choices)
    discard = next(button for button in bar.findChildren(QPushButton) if button.text() == "Discard")
    qtbot.mouseClick(discard, Qt.MouseButton.LeftButton)
    assert answers == ["Discard"] and bar.texts == []


def test_an_info_goes_away_by_itself(qtbot, bar, monkeypatch):
    monkeypatch.setattr(message_bar, "INFO_SECONDS", 0)
    messages.warning("stays")
    messages.info("goes")
    qtbot.waitUntil(lambda: bar.texts == ["stays"])


def test_the_words_are_not_taken_for_markup(bar):
    bar.show_message(Message("error", "Column “<b>x</b>” is gone."))
    assert bar.rows[0].text.text() == "Column “<b>x</b>” is gone."
    assert bar.rows[0].text.textFormat() == Qt.TextFormat.PlainText


def test_a_long_sentence_is_shown_in_full(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    bar = MessageBar()
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(QWidget(), 1)
    window.resize(420, 300)
    window.show()
    bar.show_message(Message("warning", "A sentence that needs two or three lines of this narrow window. " * 3))
    text = bar.rows[0].text
    qtbot.waitUntil(lambda: text.height() >= text.heightForWidth(text.width()))


def test_another_document_takes_along_what_was_said_of_the_one_before_only(qtbot, window, file):
    messages.of_program("The last start did not finish.")
    messages.warning("Two columns have the same name.")
    messages.of_step("The split was taken back.")
    messages.offer("There is a copy of unsaved work.", ("Open", lambda: None))
    window.opening._open(file, "kind")
    rest(qtbot, window)
    assert window.document.table is not None
    kept = [text for text in window.bar.texts if "flowers" not in text]
    assert kept == ["The last start did not finish.", "There is a copy of unsaved work."]


def test_a_failed_copy_and_an_unfinished_start_are_of_the_program(qtbot, opened, home):
    (home / "file").write_text("")
    Autosave(opened, home / "file" / "autosave", seconds=0)
    opened.tree_edits.split_best_here()
    rest(qtbot, opened)
    remembered = Settings()
    remembered.set("geometry", QByteArray(b"wide"))
    begin(SimpleNamespace(begin=lambda: False), remembered)
    said = messages.door.take()
    assert [message.about for message in said if "copy" in message.text] == ["program"]
    assert [message.about for message in said if "start" in message.text] == ["program"]


def test_in_a_narrow_bar_the_answers_stand_below_the_sentence(qtbot):
    window, ground = QWidget(), QStackedWidget()
    put_up(qtbot, window, 360, 300)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(ground)
    made = MessageBar()
    messages.door.listen(made.show_message)
    made.lie_on(ground, lambda: 0)
    said = messages.offer("Espalier ended unexpectedly: open the autosaved copy?", ("Open", lambda: None))
    row = made.rows[0]
    qtbot.waitUntil(lambda: row.answers[0][0].y() >= row.text.geometry().bottom())
    assert row.text.width() > 250
    window.resize(900, 300)
    qtbot.waitUntil(lambda: row.answers[0][0].x() > row.text.geometry().right())
    messages.door.posted.disconnect(made.show_message)
    made.withdraw(said)


def test_an_info_and_a_refusal_go_at_the_next_action_and_a_warning_stays(qtbot, full):
    bar = full.bar
    messages.info("glance")
    messages.error("refused")
    messages.warning("known")
    messages.offer("Open the copy?", ("Open", lambda: None))
    qtbot.wait(5)
    assert len(bar.texts) == 4
    do(full, "zoom_in")
    assert bar.texts == ["known", "Open the copy?"]


def test_what_an_action_says_itself_stays(qtbot, full):
    messages.error("refused before")
    qtbot.wait(5)
    full.document.tree_edits.split_best_here()
    rest(qtbot, full)
    assert full.bar.texts == []
    action = full.actions_made.made["zoom_in"]
    action.triggered.connect(lambda: messages.error("refused now"), Qt.ConnectionType.SingleShotConnection)
    action.trigger()
    assert full.bar.texts == ["refused now"]
    qtbot.wait(5)
    do(full, "zoom_in")
    assert full.bar.texts == []


def test_no_message_covers_the_legend_or_the_levels_shown(qtbot, full):
    full.document.tree_edits.grow_all()
    rest(qtbot, full)
    messages.warning("Something that should be known. " * 8)
    qtbot.wait(5)
    foot = full.canvas.mapTo(full.centralWidget(), QPoint(0, full.canvas.height() - full.canvas.legend_height))
    levels = full.canvas.findChild(QWidget, "fold_bar")
    assert full.bar.isVisible() and levels.isVisible()
    low = full.bar.mapTo(full.centralWidget(), full.bar.rect().bottomLeft()).y()
    assert low <= foot.y() and low <= levels.mapTo(full.centralWidget(), QPoint(0, 0)).y()


def test_an_answer_has_one_button_that_closes_it(qtbot):
    bar = MessageBar()
    qtbot.addWidget(bar)
    messages.door.listen(bar.show_message)
    try:
        messages.tell("All 600 rows are counted.")
    finally:
        messages.door.posted.disconnect(bar.show_message)
    bar.show()
    (row,) = bar.rows
    assert not row.dismiss.isVisible()
    (button,) = (button for button in row.findChildren(QPushButton) if button.text() == "Close")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert bar.texts == []
