"""The menu bar: which verbs stand where, and the menus filled by what there is: examples, files, classes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from engine.runtime.errors import readable
from gui.dialogs.start_page import shipped_examples
from gui.verbs.declared import BY_METHOD
from gui.verbs.look_menus import LookMenus, add_kinds
from gui.widgets import verbatim

if TYPE_CHECKING:
    from gui.window.window import Window


FOCUS_LISTED = 40  # classes that fit into a menu
THEMES = (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark"))
TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)  # percent


class WindowMenus(QObject):
    """Fills a window's menu bar, once its actions and its places are there.

    Attributes:
        recent, focus: the menus of recent files, and of the classes that can be in focus.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._document, self._settings = window, window.document, window.settings
        look_menus = LookMenus(window.document, self)
        submenus = {
            "examples>": self._add_examples,
            "recent>": self._add_recent,
            "panels>": self._add_panels,
            "theme>": self._add_themes,
            "text_size>": self._add_text_sizes,
            "focus>": self._add_focus,
            "kinds>": lambda menu: add_kinds(menu, self._document.look),
            "colours>": look_menus.add_colours,
            "lines>": look_menus.add_lines,
        }
        for text, names in MENUS.items():
            menu = window.menuBar().addMenu(text)
            menu.setToolTipsVisible(True)
            window.actions_made.fill(menu, names, submenus)
        self._document.tableChanged.connect(self._on_table_changed)
        self._settings.changed.connect(self._on_setting_changed)
        self._on_table_changed()

    def _add_examples(self, menu: QMenu) -> None:
        examples = menu.addMenu("Open &example")
        for example in shipped_examples():
            action = examples.addAction(example.title, lambda name=example.id: self._window.opening.example(name))
            action.setStatusTip(example.sentence)

    def _add_recent(self, menu: QMenu) -> None:
        self.recent = menu.addMenu("&Recent")
        self.recent.setToolTipsVisible(True)
        self.recent.aboutToShow.connect(self._fill_recent)
        self.recent.setEnabled(bool(self._settings.recent))

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in self._settings.recent:
            action = self.recent.addAction("", lambda path=path: self._window.opening.open(path))
            verbatim.name_action(action, readable(Path(path).name))
            action.setStatusTip(readable(path))
            action.setEnabled(os.path.exists(path))

    def _add_panels(self, menu: QMenu) -> None:
        below = menu.addMenu("Sho&w panels")
        below.addActions(self._window.places.toggles())

    def _add_themes(self, menu: QMenu) -> None:
        themes = menu.addMenu("&Theme")
        group = QActionGroup(self)
        for mode, words in THEMES:
            action = themes.addAction(words, lambda mode=mode: self._settings.set("theme", mode))
            action.setCheckable(True)
            action.setChecked(self._settings.value("theme") == mode)
            group.addAction(action)

    def _add_text_sizes(self, menu: QMenu) -> None:
        sizes = menu.addMenu("Te&xt size")
        group = QActionGroup(self)
        for percent in TEXT_SIZES:
            action = sizes.addAction(f"{percent} %", lambda percent=percent: self._settings.set("text_size", percent))
            action.setObjectName(f"text_size_{percent}")
            action.setStatusTip(f"Words in all parts of the window at {percent} % of their usual size")
            action.setCheckable(True)
            action.setChecked(self._settings.value("text_size") == percent)
            group.addAction(action)

    def _add_focus(self, menu: QMenu) -> None:
        self.focus = menu.addMenu("&Focus on")
        self.focus.setToolTipsVisible(True)  # of long names
        self.focus.menuAction().setStatusTip("Chooses the class whose share colours the tree")
        self.focus.aboutToShow.connect(self._fill_focus)

    def _fill_focus(self) -> None:
        self.focus.clear()
        classes = self._document.tree.classes if self._document.tree is not None else ()
        for k, name in enumerate(classes[:FOCUS_LISTED]):
            action = self.focus.addAction("", lambda k=k: self._document.set_focus(k))
            verbatim.name_action(action, name)
            action.setCheckable(True)
            action.setChecked(k == self._document.focus_class)

    def _on_table_changed(self) -> None:
        table = self._document.table
        self.focus.setEnabled(table is not None and table.task == "classes")

    def _on_setting_changed(self, name: str) -> None:
        if name == "recent":
            self.recent.setEnabled(bool(self._settings.recent))


MENUS = {
    "&File": ("open", "examples>", "paste", "recent>", "", "save", "save_as", "", "export_picture", "export_tree",
              "export_rules", "", "close", "quit"),
    "&Edit": ("undo", "redo", "", "copy_picture"),
    "&View": ("fit", "zoom_100", "zoom_branch", "zoom_in", "zoom_out", "", "find", "filter", "best_leaves", "",
              "kinds>", "turn", "icicle", "minimap", "", "colours>", "next_colours", "lines>", "flow_validation", "",
              "panels>", "reset_layout", "", "present", "motion", "theme>", "text_size>"),
    "&Tree": ("split_column", "replace_split", "why", "branch>", "mark>", "folds>", "rows>", "",
              "go", "grow", "at_once>", "all_trees", "code", "", "prune",
              "prune_by>", "prune_weakest", "prune_below", "click_cut", "", "search", "", "stop"),
    "&Data": ("columns", "partition", "focus>", "", "test"),
    "&Help": ("whats_this", "shortcuts", "", "about", "open_log"),
}  # fmt: skip
SUBMENUS = {
    "at_once>": ("Grow at onc&e", ("split_here", "split_anywhere", "grow_level", "grow_branch", "grow_all")),
    "rows>": ("Path and ro&ws", ("copy_path", "copy_query", "", "follow_row", "follow_where", "follow_here",
                                 "follow_wrong")),
    "prune_by>": ("Pru&ne by", tuple(BY_METHOD)),
    "branch>": ("Branc&h", ("merge", "", "copy_branch", "paste_branch")),
    "folds>": ("&Fold branches", ("fold", "unfold_all", "", "more_levels", "fewer_levels", "", "fold_small")),
    "mark>": ("&Mark", ("note", "label", "", "pin", "lock", "", "exclude", "node_criterion", "lock_columns")),
}  # fmt: skip
TOOLBAR = ("open", "", "go", "prune", "stop", "", "criterion>", "preset>", "", "undo", "redo", "fit", "find")
CONTEXT = MENUS["&Tree"]
