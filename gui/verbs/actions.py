"""The verbs as Qt has them: actions that are enabled where they apply, in menus and on the toolbar, and their keys."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QToolBar, QWidget

from engine.runtime.sentences import tr
from gui import icons
from gui.verbs.declared import VERBS, Key, Refusal, Verb, Window
from gui.verbs.menus import SUBMENUS
from gui.widgets import verbatim
from gui.widgets.building import refuse

EACH = VERBS.values()
BY_REFUSAL = {each.refusal: [verb for verb in EACH if verb.refusal is each.refusal] for each in EACH}
CHECKED = {name: verb.checked for name, verb in VERBS.items() if verb.checked is not None}


class Actions(QObject):
    """The window's actions by name; they are enabled when they apply."""

    def __init__(self, window: Window) -> None:
        super().__init__(cast(QObject, window))
        document = self._document = window.document
        self._refused: dict[Refusal, str] = {}  # what the actions show of each refusal
        self.made = {name: self._make(verb, window) for name, verb in VERBS.items()}
        for signal in (document.tableChanged, document.treeChanged, document.selectionChanged, document.jobs.started,
                       document.jobs.finished, document.history.stack.indexChanged, document.guess.changed,
                       document.click_cut.changed, document.history.stack.undoTextChanged):  # fmt: skip
            signal.connect(self.refresh)
        # No verb asks what the mouse is over, which changes all the time.
        document.look.changed.connect(lambda names: self.refresh() if names != {"pointed"} else None)
        QGuiApplication.clipboard().dataChanged.connect(self._on_clipboard_changed)
        self.refresh()

    def refresh(self) -> None:
        """Enables what applies now, and says what undo and redo would do."""
        for refusal in BY_REFUSAL:
            self._apply(refusal)
        for name, checked in CHECKED.items():
            self.made[name].setChecked(checked(self._document))
        stack = self._document.history.stack
        for name, done in (("undo", stack.undoText()), ("redo", stack.redoText())):
            action, words = self.made[name], tr(VERBS[name].text)
            action.setText(f"{words} “{verbatim.verb(done)}”" if done and action.isEnabled() else words)

    def _apply(self, refusal: Refusal) -> None:
        """Enables the actions with this refusal, or greys them and says why instead of what they do."""
        why = refusal(self._document)
        if self._refused.get(refusal) == why:
            return  # signals come by the dozen with every edit
        self._refused[refusal] = why
        for verb in BY_REFUSAL[refusal]:
            action = self.made[verb.name]
            refuse(action, why, _tip(verb, action))
            action.setStatusTip(why or tr(verb.tip))

    def _on_clipboard_changed(self) -> None:
        """A branch may have been copied, here or anywhere. The clipboard outlives windows and their documents."""
        if shiboken6.isValid(self._document):
            self._apply(VERBS["paste_branch"].refusal)

    def fill(self, bar: QMenu | QToolBar, names: tuple[str, ...], more: Mapping[str, Callable[[Any], object]]) -> None:
        """Puts actions into a menu or onto the toolbar: "" is a line, "mark>" one of `SUBMENUS`, "recent>" what `more`
        makes of it."""
        for name in names:
            if not name:
                bar.addSeparator()
            elif name in SUBMENUS and isinstance(bar, QMenu):
                text, inside = SUBMENUS[name]
                below = bar.addMenu(tr(text))
                below.setToolTipsVisible(bar.toolTipsVisible())
                self.fill(below, inside, {})
            elif name.endswith(">"):
                more[name](bar)
            else:
                bar.addAction(self.made[name])

    def leave_keys(self, menu: QWidget) -> None:
        """A menu, or a menu bar, and the menus inside take what is typed while one is open: else letters are shortcuts
        of the canvas."""
        for each in menu.findChildren(QMenu):
            each.installEventFilter(self)
        menu.installEventFilter(self)

    def eventFilter(self, menu: QObject, event: QEvent) -> bool:
        taken = event.type() == QEvent.Type.ShortcutOverride and QApplication.activePopupWidget() is not None
        if taken:
            event.accept()
        return taken

    def press(self, event: QKeyEvent) -> None:
        """Does what a letter means on the canvas, or says why it does not apply; for widgets beside the canvas."""
        keys = QKeySequence(event.keyCombination())
        for action in self.made.values():
            if keys in action.shortcuts():
                if action.isEnabled():
                    action.trigger()
                else:
                    self._document.told.emit(action.statusTip())

    def _make(self, verb: Verb, window: Window) -> QAction:
        action = QAction(tr(verb.text), self.parent())
        action.setObjectName(f"action_{verb.name}")
        if verb.icon:
            icons.put(action, verb.icon)
        if verb.keys:
            action.setShortcuts(keys_of(verb))
        if counts_on_canvas(verb):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            window.canvas.addAction(action)
        action.setCheckable(verb.checked is not None)
        if verb.short:
            action.setIconText(tr(verb.short))
        action.setWhatsThis(verbatim.tip(f"{_tip(verb, action)}."))
        role = QAction.MenuRole.QuitRole if verb.name == "quit" else QAction.MenuRole.NoRole
        action.setMenuRole(QAction.MenuRole.AboutRole if verb.name == "about" else role)
        action.triggered.connect(lambda: _run(verb, window))
        return action


def _tip(verb: Verb, action: QAction) -> str:
    key = f" ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})" if verb.keys else ""
    return f"{tr(verb.tip)}{key}"


def _run(verb: Verb, window: Window) -> None:
    """Does what a verb does, by the options in sight: those that are just being typed, too. A note that is just being
    typed stands in the tree before: it is saved, and undo takes it back as a step of its own."""
    document = window.document
    editing = document.edits.running
    window.settle()
    if document.edits.running and not editing:
        document.edits.afterwards(lambda: verb.run(window))
    else:
        verb.run(window)


def keys_of(verb: Verb) -> list[QKeySequence]:
    if verb.keys is None or isinstance(verb.keys, str):
        return QKeySequence.listFromString(verb.keys) if verb.keys else []
    keys = QKeySequence.keyBindings(verb.keys)
    # Not every platform names a key for Quit, Close or zooming; these are what people try there.
    usual = {Key.Quit: "Ctrl+Q", Key.Close: "Ctrl+W", Key.ZoomIn: "Ctrl++", Key.ZoomOut: "Ctrl+-", Key.Redo: "Ctrl+Y"}
    extra = [QKeySequence(usual[verb.keys])] if verb.keys in usual else []
    return [*keys, *(key for key in extra if key not in keys)]


def counts_on_canvas(verb: Verb) -> bool:
    """Whether its keys count only while the canvas has the focus: those that copy and paste text elsewhere, and all
    that type it: a letter or a sign, Shift or not, and Delete. Typing that misses a field does nothing."""
    for keys in keys_of(verb):
        first = keys[0]  # type: ignore[index]  # as PySide's own notes have it
        typed = first.key() < Qt.Key.Key_Escape or first.key() == Qt.Key.Key_Delete  # from Escape on no key is a letter
        if typed and not first.keyboardModifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return True
    return verb.on_canvas


def shortcut_list() -> list[tuple[str, str]]:
    """Every verb with a key: its words and its keys; special keys of some keyboards ("Open", F14) are left out."""
    found = []
    for verb in VERBS.values():
        usual = [key for key in keys_of(verb) if re.fullmatch(r".*\+.*|F[1-9]|F1[012]|.|Del|Esc", key.toString())]
        keys = ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in usual)
        if keys:
            found.append((verbatim.without_mark(tr(verb.text)).rstrip("…"), keys))
    return found
