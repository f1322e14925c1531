"""The menu bar: which verbs stand where, and the menus filled by what there is: examples, files, classes,
and ways to show the tree."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, cast

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from engine.runtime.errors import readable
from engine.runtime.sentences import marked, tr
from gui import icons, language, messages
from gui.canvas.overlays.picture_controls import KIND_WORDS
from gui.dialogs.start_page import shipped_examples
from gui.picture.nodes.cards import LINES
from gui.settings import SETTINGS
from gui.verbs.declared import BY_METHOD, EVERY, Window, colour_by, colour_in_use, no_colours
from gui.widgets import verbatim
from gui.widgets.building import entry, named
from gui.wording.recent import recent

FOCUS_LISTED = 40  # classes that fit into a menu
THEMES = (("system", marked("As the &system")), ("light", marked("&Light")), ("dark", marked("&Dark")))
TEXT_SIZES = [(percent, f"{percent} %") for percent in (80, 90, 100, 110, 125, 150, 175, 200)]


class WindowMenus(QObject):
    """Fills a window's menu bar, once its actions and its places are there."""

    def __init__(self, window: Window) -> None:
        super().__init__(cast(QObject, window))
        self._window, self._document, self._settings = window, window.document, window.settings
        submenus: dict[str, Callable[[QMenu], object]] = {
            "panels>": lambda menu: menu.addMenu(tr("Sho&w panels")).addActions([*window.places.toggles.values()]),
            "theme>": lambda menu: self._add_choices(menu.addMenu(tr("&Theme")), "theme", THEMES),
            "text_size>": lambda menu: self._add_choices(menu.addMenu(tr("Te&xt size")), "text_size", TEXT_SIZES),
            "examples>": self._add_examples, "recent>": self._add_recent, "language>": self._add_languages,
            "focus>": self._add_focus, "kinds>": self._add_kinds, "colours>": self._add_colours,
            "lines>": self._add_lines,
        }  # fmt: skip
        for text, names in MENUS.items():
            menu = window.menuBar().addMenu(tr(text))
            menu.setToolTipsVisible(True)
            window.actions_made.fill(menu, names, submenus)
        window.actions_made.leave_keys(window.menuBar())
        self._document.tableChanged.connect(self._on_table_changed)
        self._settings.changed.connect(self._on_setting_changed)
        self._on_table_changed()

    def _add_examples(self, menu: QMenu) -> None:
        examples = menu.addMenu(tr("Open &example"))
        for example in shipped_examples():
            action = entry(examples, example.title, partial(self._window.opening.example, example.id))
            action.setStatusTip(example.sentence)

    def _add_recent(self, menu: QMenu) -> None:
        self.recent = _below(menu, tr("&Recent"), opening=self._fill_recent)
        self.recent.setEnabled(bool(self._settings.recent))

    def _fill_recent(self) -> None:
        self.recent.clear()
        for address in self._settings.recent:
            action, found = entry(self.recent, "", partial(self._window.opening.open, address)), recent(address)
            verbatim.name_action(action, found.name)
            action.setStatusTip(readable(address))
            action.setEnabled(found.is_there)

    def _add_choices(self, menu: QMenu, name: str, choices: Iterable[tuple[Any, str]]) -> None:
        """The values that a setting can have, the present one ticked."""
        group = QActionGroup(self)
        for value, text in choices:
            ticked = self._settings.value(name) == value
            do = partial(self._settings.set, name, value)
            group.addAction(entry(menu, tr(text), do, name=f"{name}_{value}", ticked=ticked))

    def _add_languages(self, menu: QMenu) -> None:
        """Each by its own name, so that one finds back."""
        choices = (language.SYSTEM, marked("As the &system")), *language.LANGUAGES.items()
        self._add_choices(_below(menu, tr("Language"), "language_menu"), "language", choices)

    def _add_focus(self, menu: QMenu) -> None:
        self.focus = _below(menu, tr("&Focus on"), opening=self._fill_focus)
        self.focus.menuAction().setStatusTip(tr("Chooses the class whose share colours the tree"))

    def _fill_focus(self) -> None:
        self.focus.clear()
        classes = self._document.tree.classes if self._document.tree is not None else ()
        for k, name in enumerate(classes[:FOCUS_LISTED]):
            ticked = k == self._document.focus_class
            verbatim.name_action(entry(self.focus, "", partial(self._document.set_focus, k), ticked=ticked), name)

    def _add_kinds(self, menu: QMenu) -> None:
        """Into the menu itself, of all kinds of picture one."""
        group, look = QActionGroup(self), self._document.look
        for name, words in KIND_WORDS.items():
            action = entry(menu, tr(words.text), partial(look.set, kind=name), name=f"action_as_{name}", ticked=False)
            action.setData(name)
            verbatim.explain_action(action, tr(words.tip))
            icons.put(action, name)
            group.addAction(action)
        menu.aboutToShow.connect(lambda: _tick(group, lambda kind: kind == look.kind))

    def _add_colours(self, menu: QMenu) -> None:
        group = QActionGroup(self)

        def tick() -> None:
            for mode, action in zip(EVERY.values(), group.actions(), strict=True):
                refusal, tree = no_colours(self._document, mode.name), self._document.tree
                action.setEnabled(not refusal)
                verbatim.explain_action(action, refusal or mode.tip)
                action.setChecked(tree is not None and mode.name == colour_in_use(self._document, tree))

        colours = _below(menu, tr("&Colour by"), "colours_menu", tick)
        for mode in EVERY.values():
            group.addAction(entry(colours, mode.text, partial(colour_by, self._document, mode.name), ticked=False))

    def _add_lines(self, menu: QMenu) -> None:
        look = self._document.look
        lines = _below(menu, tr("Cards &show"), "lines_menu", lambda: _tick(lines, lambda name: name in look.lines))

        def toggle(name: str) -> None:
            """Shows or hides a line of the cards; the lines keep their order."""
            shown = {*look.lines} ^ {name}
            look.set(lines=tuple(line for line in LINES if line in shown))

        for line in LINES.values():
            action = entry(lines, line.text, partial(toggle, line.name), ticked=False)
            action.setData(line.name)
            verbatim.explain_action(action, line.tip)
        lines.addSeparator()
        lines.addAction(tr("R&eset"), lambda: look.set(lines=tuple(SETTINGS["canvas_lines"].default)))

    def _on_table_changed(self) -> None:
        table = self._document.table
        self.focus.setEnabled(table is not None and table.task == "classes")

    def _on_setting_changed(self, name: str) -> None:
        if name == "recent":
            self.recent.setEnabled(bool(self._settings.recent))
        elif name == "language":
            spoken = language.LANGUAGES[language.code_of(self._settings.value("language"))]
            said = tr("Espalier speaks {language} after the next start.", language=spoken)
            messages.offer(said, (tr("Restart now"), lambda: self._window.when_safe(self._restart)))

    def _restart(self) -> None:
        path = self._document.path
        self._document.start(None)
        self._window.close()
        language.restart(*([str(path)] if path is not None else []))


def _tick(actions: QMenu | QActionGroup, holds: Callable[[Any], bool]) -> None:
    for action in actions.actions():
        action.setChecked(holds(action.data()))


def _below(menu: QMenu, text: str, name: str = "", opening: Callable[[], object] | None = None) -> QMenu:
    """A menu within a menu; `opening` fills it, or ticks what holds, whenever it opens."""
    made = named(menu.addMenu(text), name)
    made.setToolTipsVisible(True)
    if opening is not None:
        made.aboutToShow.connect(opening)
    return made


MENUS = {
    marked("&File"): ("open", "open_folder", "open_database", "examples>", "paste", "recent>", "", "save", "save_as",
                      "", "export_picture", "export_code", "export_tree", "export_rules", "export_leaves", "report",
                      "hand_out", "export_script", "", "score", "", "close", "quit"),
    marked("&Edit"): ("undo", "redo", "", "copy_picture", "copy_script"),
    marked("&View"): ("fit", "zoom_100", "zoom_branch", "zoom_in", "zoom_out", "", "find", "filter", "best_leaves", "",
                      "kinds>", "turn", "icicle", "minimap", "", "colours>", "next_colours", "lines>",
                      "flow_validation", "", "panels>", "reset_layout", "", "present", "motion", "theme>", "text_size>",
                      "language>"),
    marked("&Tree"): ("split_column", "replace_split", "why", "branch>", "mark>", "folds>", "rows>", "", "go", "grow",
                      "at_once>", "all_trees", "code", "", "prune", "prune_by>", "prune_weakest", "prune_below",
                      "click_cut", "", "search", "", "stop"),
    marked("&Data"): ("columns", "partition", "focus>", "", "test"),
    marked("&Help"): ("handbook", "tour", "shares", "", "whats_this", "shortcuts", "", "about", "open_log"),
}  # fmt: skip
SUBMENUS = {
    "at_once>": (marked("Grow at onc&e"), ("split_here", "split_anywhere", "grow_level", "grow_branch", "grow_all")),
    "rows>": (marked("Path and ro&ws"), ("copy_path", "copy_query", "", "follow_row", "follow_where", "follow_here",
                                 "follow_wrong")),
    "prune_by>": (marked("Pru&ne by"), tuple(BY_METHOD)),
    "branch>": (marked("Branc&h"), ("merge", "", "copy_branch", "paste_branch")),
    "folds>": (marked("&Fold branches"), ("fold", "unfold_all", "", "more_levels", "fewer_levels", "", "fold_small")),
    "mark>": (marked("&Mark"), ("note", "label", "", "pin", "lock", "", "exclude", "node_criterion", "lock_columns")),
}  # fmt: skip
TOOLBAR = ("open", "", "go", "prune", "stop", "", "criterion>", "preset>", "", "undo", "redo", "fit", "find")
CONTEXT = MENUS["&Tree"]
