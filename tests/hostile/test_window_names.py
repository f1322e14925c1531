"""Hostile names of columns and levels in the real window: whatever shows them shows text, and nothing is loaded."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pandas as pd
import pytest
import shiboken6
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as Guess
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QLabel,
    QMenu,
    QMessageBox,
    QTabBar,
    QTextEdit,
    QToolTip,
    QWidget,
)

import engine
from gui.dialogs.asking import ask_anew, ask_below, ask_keep_by_hand, ask_save_changes
from gui.dialogs.import_dialog import ImportDialog
from gui.widgets import verbatim
from gui.window.window import Window
from tests import effort
from tests.conftest import ROOT
from tests.gui.acting import do, rest
from tests.gui.asked import when_asked
from tests.gui.conftest import at_once, compiled, flowers, home, make, nothing_left, window, windows  # noqa: F401

# What the words of the program never use: wherever Qt would find one of these in markup, a name has brought it.
TAG = re.compile(r"<\s*(img|a|u|s|h\d|hr|ul|ol|li|pre|center|font|style|script|object|iframe)\b", re.IGNORECASE)
# What no person is to read: markup of the program that is shown as text, or names that were escaped for nothing.
SOURCE = re.compile(r"<(span|br|b|i|p|table|tr|td)\b[^>…]*>|&nbsp;|&amp;|&lt;(?!img src=marker)")
HOSTILE = (
    "<img src=marker.png>",
    "<u>R&D</u> <a href=marker>",
    "x[*] %1 {0} {value} %s",
    "&lt;img src=marker.png&gt; R&D",
    "<img src='file:///marker.png'>\u202egnp\u2066 \x01\x1b[0m",
    "<h1>R&D</h1>\tCtrl+Q",
    "<!-- <img src=marker> --> R&D",
    '<?xml version="1.0"?><u>a',
)
LEVELS = ("<u>yes</u> R&D", "<img src=no.png>", "[*] %1 {0}")
TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole, Qt.ItemDataRole.WhatsThisRole)
# Texts that are markup and escape the names in it, are a tooltip already, or are the program's own.
OWN = {
    ("panel.py", "full if low else ''"), ("steps.py", "self.toolTip()"),
    ("overview.py", "tips.tip(port.there.tree, i)"),
    ("panel.py", "self._tip(self._picture, node)"), ("view.py", "said"), ("rankings.py", "said"),
    ("buttons.py", "said"), ("search_settings.py", "option.label"),
    ("window.py", "f'{name}[*] — Espalier' if self.document.table is not None else 'Espalier'"),
}  # fmt: skip
LOOKED_AT = 400  # rows of a model
GRID = 4 if effort.full else 3  # points across and down a widget at which the mouse rests


def hostile_frame(names: tuple[str, ...] = HOSTILE, levels: tuple[str, ...] = LEVELS, rows: int = 90) -> pd.DataFrame:
    """Numbers, levels and missing values under these names; the last one is the target, of all levels."""
    data: dict[str, list[object]] = {}
    for k, name in enumerate(names[:-1]):
        numbers: list[object] = [(7 * i * (k + 1)) % 40 / 4 + (i % len(levels)) * (k == 0) for i in range(rows)]
        words: list[object] = [None if i % 17 == 0 else levels[(i // (k + 2)) % len(levels)] for i in range(rows)]
        data[name] = words if k % 2 else numbers
    data[names[-1]] = [levels[(i + (i % 10 == 0)) % len(levels)] for i in range(rows)]
    return pd.DataFrame(data)


# -- what a person would see as something else than the text


def rendered(text: str, as_markup: bool | None = None) -> bool:
    """Whether Qt makes something of the markup in a text; it guesses where it is not told."""
    return bool((Guess.mightBeRichText(text) if as_markup is None else as_markup) and TAG.search(text))


def painted(document: QTextDocument) -> bool:
    """Whether a document holds a picture, a link or underlined words."""
    block = document.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            form = parts.fragment().charFormat()
            if form.isImageFormat() or form.isAnchor() or form.fontUnderline() or form.fontStrikeOut():
                return True
            parts += 1
        if block.blockFormat().headingLevel() or block.textList() is not None:
            return True
        block = block.next()
    return False


def underlined(text: str) -> bool:
    """Whether the "&" of a name makes a letter of a menu or a button a key."""
    return "R&D" in text.replace("&&", "")


def of_model(view: QAbstractItemView | QComboBox) -> Iterator[str]:
    """The tooltips of a model, of its headers, too."""
    model = view.model()
    if model is None:
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for orientation, count in ((Qt.Orientation.Horizontal, columns), (Qt.Orientation.Vertical, 3)):
        for section in range(min(count, LOOKED_AT)):
            yield from (str(model.headerData(section, orientation, role) or "") for role in TIPS)
    above = [QModelIndex()]
    while above:
        parent = above.pop()
        for row in range(min(model.rowCount(parent), LOOKED_AT)):
            for column in range(columns):
                index = model.index(row, column, parent)
                yield from (str(index.data(role) or "") for role in TIPS)
            if len(above) < LOOKED_AT:
                above.append(model.index(row, 0, parent))


def faults_of(widget: QWidget) -> Iterator[str]:
    """What one widget would show as more, or as less, than text."""
    said = [widget.toolTip(), widget.whatsThis()]
    if isinstance(widget, QLabel):
        told = {Qt.TextFormat.PlainText: False, Qt.TextFormat.AutoText: None}.get(widget.textFormat(), True)
        if rendered(widget.text(), told):
            yield widget.text()
        rich = Guess.mightBeRichText(widget.text()) if told is None else told
        if not rich and SOURCE.search(widget.text()):
            yield f"shown as it is written: {widget.text()}"
    if isinstance(widget, QAbstractItemView | QComboBox):
        said += of_model(widget)
    # the pages of the handbook are the program's own files: no name comes into them
    if isinstance(widget, QTextEdit) and widget.objectName() != "help_page" and painted(widget.document()):
        yield widget.toHtml()
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        texts = [item for item in widget.scene().items() if isinstance(item, QGraphicsTextItem)]
        yield from (item.toHtml() for item in texts if painted(item.document()))
    yield from filter(rendered, said)
    if isinstance(widget, QDialog) and "[*]" in widget.windowTitle().replace("[*][*]", ""):
        yield f"Qt takes its sign out of “{widget.windowTitle()}”"
    titles: list[str] = []
    match widget:
        case QAbstractButton():
            titles = [widget.text()]
        case QGroupBox() | QMenu():
            titles = [widget.title()]
        case QTabBar():
            titles = [widget.tabText(k) for k in range(widget.count())]
    yield from (title for title in titles if underlined(title) or "\t" in title)


def faults() -> list[str]:
    """Everything on the screen and behind it that is taken for more than text."""
    windows()  # the widgets of all of them
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return list(_faults(QApplication.allWidgets(), windows()))


def faults_in(part: QWidget) -> list[str]:
    """The same of one panel or dialog: looking at everything after each step took most of these tests' time."""
    windows()
    return list(_faults([part, *part.findChildren(QWidget)], [part]))


def _faults(widgets: list[QWidget], tops: list[QWidget]) -> Iterator[str]:
    for widget in widgets:
        yield from (f"{type(widget).__name__} {widget.objectName()}: {text}" for text in faults_of(widget))
    for top in tops:
        for action in top.findChildren(QAction):
            yield from (
                f"action {action.text()}: {text}" for text in (action.toolTip(), action.whatsThis()) if rendered(text)
            )
            if underlined(action.text()) or "\t" in action.text():
                yield f"action {action.text()}"


def rest_the_mouse(on: QWidget) -> list[str]:
    """The tooltips that come where the mouse rests on a widget and its parts, as far as they are taken for markup."""
    found = []
    for widget in [on, *on.findChildren(QWidget)]:
        if not shiboken6.isValid(widget) or not widget.isVisible() or widget.width() < 8 or widget.height() < 8:
            continue
        for k in range(GRID * GRID):
            across, down = (2 * (k % GRID) + 1) / (2 * GRID), (2 * (k // GRID) + 1) / (2 * GRID)
            point = QPoint(round(across * widget.width()), round(down * widget.height()))
            QTest.mouseMove(widget, point)
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point)))
            if rendered(QToolTip.text()):
                found.append(f"{type(widget).__name__} {widget.objectName()}: {QToolTip.text()}")
    QToolTip.hideText()
    return found


# -- the window


def hostile_window(qtbot, shown: Window, frame: pd.DataFrame) -> None:
    """Puts a table into a window, grown by its best splits."""
    table = engine.Table.from_frame(frame, target=str(frame.columns[-1]), name="<img src=table>R&D[*]")
    shown.document.set_table(table.with_partition(validation=0.3))
    rest(qtbot, shown)
    do(shown, "grow_all")
    rest(qtbot, shown)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_hostile_header_is_text_before_and_after_it_is_accepted(qtbot, window, tmp_path):  # noqa: F811
    path = tmp_path / "<img src=x>R&D[*].csv"
    hostile_frame().to_csv(path, index=False)
    found: list[str] = []

    def look(dialog: ImportDialog) -> None:
        found.extend(faults() + rest_the_mouse(dialog))
        names = [name for name in dialog._model.names if "xml" in name]
        dialog._model.set_target(names[0])
        found.extend(faults())
        dialog.accept()

    seen = when_asked(look, ImportDialog)
    window.opening.open(path)
    qtbot.waitUntil(lambda: bool(seen) and window.document.table is not None, timeout=20_000)
    rest(qtbot, window)
    assert found == []
    assert set(window.document.table.names) >= set(HOSTILE[:4])
    assert window.windowHandle().title().startswith("<img src=x>R&D[*]")
    window.menus._fill_recent()
    window.menus._fill_focus()
    assert faults() == []


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_every_panel_shows_names_as_text(qtbot, window):  # noqa: F811
    hostile_window(qtbot, window, hostile_frame())
    document = window.document
    assert document.tree.n_leaves > 3
    assert faults() == []
    leaf = int(document.tree.ids[document.tree.leaves[0]])
    for name, panel in window.panels.items():
        window.show_panel(name)
        rest(qtbot, window)
        found = faults_in(panel) + rest_the_mouse(panel)
        document.select(leaf if document.selected == 0 else 0)
        rest(qtbot, window)
        assert found + faults_in(panel) == [], name
    for node in (0, leaf):
        document.select(node)
        rest(qtbot, window)
        assert faults() == []
    assert rest_the_mouse(window.canvas) == []


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_every_dialog_shows_names_as_text(qtbot, window):  # noqa: F811
    hostile_window(qtbot, window, hostile_frame())
    document, found = window.document, []
    leaf = int(document.tree.ids[document.tree.leaves[0]])
    inner = int(document.tree.ids[1]) if document.tree.n_branches[1] else 0

    def look(dialog: QWidget) -> None:
        rest(qtbot, window)
        found.extend(faults_in(dialog))
        dialog.reject()

    verbs = ("grow", "all_trees", "code", "split_column", "note", "label", "exclude", "node_criterion", "lock_columns",
             "partition", "export_picture", "fold_small")  # fmt: skip
    for name in verbs:
        document.select(leaf if name == "label" else inner)
        rest(qtbot, window)
        came = when_asked(look, QDialog)
        do(window, name)
        qtbot.waitUntil(lambda came=came: bool(came))  # one that does not block has the keys a moment later
        rest(qtbot, window)
    for name in ("find", "filter", "best_leaves", "follow_wrong", "follow_here"):
        do(window, name)
        rest(qtbot, window)
        found.extend(faults())
    asked = [when_asked(look, "ask_below")]
    ask_below(window, document.tree, inner, f"“{HOSTILE[0]}”")
    asked.append(when_asked(look, "ask_anew"))
    document.table_edits.set_target(HOSTILE[2])
    asked.append(when_asked(look, "save_changes"))
    ask_save_changes(window, HOSTILE[0])
    asked.append(when_asked(look, "keep_by_hand"))
    ask_keep_by_hand(window, 1)
    assert all(asked) and found == []


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_long_names_do_not_widen_the_window(qtbot, window):  # noqa: F811
    width, names = window.width(), ("n" * 3_000, "m" * 3_000, "t" * 3_000)
    hostile_window(qtbot, window, hostile_frame(names, ("a" * 3_000, "b", "c")))
    for name in window.panels:
        window.show_panel(name)
        rest(qtbot, window)
    do(window, "best_leaves")
    rest(qtbot, window)
    assert window.width() == width and window.minimumSizeHint().width() <= width


PIECES = [
    "<img src=m>",
    "<a href=m>",
    "<u>",
    "<h1>",
    "<s>",
    "<font color=red>",
    "</p>",
    "&",
    "R&D",
    "[*]",
    "%1",
    "{0}",
    "<!--",
    "\n",
    "\t",
    "\x01",
    "\u202e",
    " ",
]
NAMES = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), min_size=1, max_size=5).map("".join)


def made_up(random: Random, n: int) -> tuple[str, ...]:
    """Names of hostile pieces and any letters, no two of them alike."""
    letters = [chr(random.choice((random.randrange(32, 127), random.randrange(160, 0xD800)))) for _ in range(200)]
    return tuple("".join(random.choices(PIECES + letters[:15], k=random.randrange(1, 7))) + f" {k}" for k in range(n))


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_made_up_names_are_text(qtbot, window, full):  # noqa: F811
    """Many names in one table: lists, menus and tooltips have all of them at once."""
    n = 200 if full else 24  # each column's further optima are told, and all rows of the list laid out again
    for seed in range(30 if full else 1):
        random = Random(seed)
        hostile_window(qtbot, window, hostile_frame(made_up(random, n), made_up(random, 20), rows=200))
        for name in ("columns", "candidates", "split_editor", "plane"):
            window.show_panel(name)
        window.document.select(int(window.document.tree.ids[1]))
        rest(qtbot, window)
        window.menus._fill_focus()
        assert faults() == []


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_no_markup_of_the_program_is_shown_as_text(qtbot, window, flowers):  # noqa: F811
    window.document.set_table(flowers)
    rest(qtbot, window)
    do(window, "grow_level")
    for name in window.panels:
        rest(qtbot, window)
        window.show_panel(name)
        window.document.select(int(window.document.tree.ids[int(window.document.selected == 0)]))
        rest(qtbot, window)
        assert faults_in(window.panels[name]) == [], name
    assert faults() == []


@pytest.mark.parametrize("target", ["<h1>Big</h1> y", "a & b", "&lt;b&gt; <!-- y"])
def test_a_question_says_the_name_as_it_is(qtbot, window, target):  # noqa: F811
    hostile_window(qtbot, window, hostile_frame((*HOSTILE[:2], target)))
    seen: list[tuple[str, Qt.TextFormat]] = []

    def look(dialog: QMessageBox) -> None:
        shown = dialog.findChild(QLabel, "qt_msgbox_informativelabel")
        seen.append((shown.text(), shown.textFormat()))
        dialog.reject()

    when_asked(look, "ask_anew")
    assert not ask_anew(window, "Make it the target?", window.document.tree)
    [(text, shown_as)] = seen
    assert f"predicts “{target}” as categories." in text and shown_as == Qt.TextFormat.PlainText


def test_long_names_and_tabs_in_a_menu(qtbot, window):  # noqa: F811
    names = ("cls\tCtrl+Q", "n" * 1_500, "line\nbreak & more")
    hostile_window(qtbot, window, hostile_frame(("a", "b", "y"), names))
    menu = window.menus.focus
    menu.popup(window.mapToGlobal(QPoint(0, 0)))
    said = {action.text(): action.toolTip() for action in menu.actions()}
    assert (
        menu.isVisible() and menu.sizeHint().width() < 1_000 and menu.toolTipsVisible()
    )  # the screen limits its width
    menu.close()
    assert {"cls Ctrl+Q", "line break && more"} < said.keys()
    [cut] = [text for text in said if text.endswith("…")]
    assert len(cut) < 100 and len(said[cut]) > 900


def test_where_a_table_is_now_is_asked_in_a_title(qtbot, window, tmp_path, monkeypatch):  # noqa: F811
    titles: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda parent, title, *more: (titles.append(title), ("", ""))[1]
    )
    window.opening._find_data(tmp_path / "p.esp", Path("K\udcf6ln[*].csv"), lambda path: None)
    assert titles == ["Where is “K\N{REPLACEMENT CHARACTER}ln[*][*].csv” now?"]


# -- the helper


@effort.examples(2_000, 100)
@given(NAMES)
def test_titles_and_verbs_show_their_text(text):
    verb = verbatim.verb(text)
    assert not set(verb) & set("\t\n\r\x01") and len(verb) <= 2 * verbatim.MOST_IN_MENU
    assert verb.replace("&&", "").count("&") == 0
    line = verb.replace("&&", "&")
    assert line[: verbatim.MOST_IN_MENU - 1] == verbatim.BLANKS.sub(" ", text)[: verbatim.MOST_IN_MENU - 1]
    assert verbatim.window_title(text).replace("[*][*]", "[*]") == text
    assert "[*]" not in verbatim.window_title(text).replace("[*][*]", "")


@effort.examples(400)
@given(st.lists(NAMES, min_size=1, max_size=3).map("\n".join))
def test_a_tip_says_its_text(text):
    document = QTextDocument()
    shown = verbatim.tip(text)
    if Guess.mightBeRichText(shown):
        document.setHtml(shown)
        assert not painted(document)
        assert " ".join(document.toPlainText().split()) == " ".join(_visible(text).split())
    else:
        assert shown == text


def _visible(text: str) -> str:
    """What Qt's own escaping leaves of a text: some control characters are none that a document holds."""
    document = QTextDocument()
    document.setHtml(Guess.convertFromPlainText(text, Qt.WhiteSpaceMode.WhiteSpaceNormal))
    return document.toPlainText()


def test_no_tip_is_larger_than_a_screen():
    tip = verbatim.tip("\n".join(["x" * 10_000] * 1_000))
    assert len(tip) < 100_000 and tip.endswith("…")


def written_out(text: ast.expr) -> bool:
    """Whether it stands in the program, perhaps to be translated, without anything that is filled in."""
    if isinstance(text, ast.IfExp):
        return written_out(text.body) and written_out(text.orelse)
    translated = isinstance(text, ast.Call) and ast.unparse(text.func) == "tr" and not text.keywords
    return isinstance(text, ast.Constant) or translated


def test_labels_and_tips_are_made_in_one_place():
    """Labels know their format, and a tooltip is either written out in the program or goes through `verbatim.tip`."""
    for path in sorted(set((ROOT / "gui").rglob("*.py")) - {Path(verbatim.__file__)}):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.ClassDef) and "QLabel" in map(ast.unparse, call.bases):
                written = ast.unparse(call)
                assert "setTextFormat(" in written or "textFormat=" in written, f"{path}: {call.name} lets Qt guess"
            if not isinstance(call, ast.Call):
                continue
            called, said = ast.unparse(call.func).split(".")[-1], ast.unparse(call.args[-1]) if call.args else ""
            assert called != "QLabel", f"{path}: {ast.unparse(call)}"
            if called == "QMessageBox":
                assert path.name == "asking.py", f"{path}: {ast.unparse(call)}"
            shown = None  # what a person will see of it, if it is one of these
            if called in ("setToolTip", "setWhatsThis", "setWindowTitle"):
                shown = call.args[-1]
            elif (
                (called == "setItemData" and "ToolTipRole" in said)
                or called == "showText"
                or called in ("getOpenFileName", "getSaveFileName", "getExistingDirectory")
            ):
                shown = call.args[1]
            if shown is not None:
                text = ast.unparse(shown)
                written = written_out(shown) or text.isupper()
                through = text.startswith(("verbatim.tip(", "verbatim.markup(", "verbatim.window_title("))
                assert written or through or (path.name, text) in OWN, f"{path}: {ast.unparse(call)}"
