"""The search options in use: which differ from the defaults, and how they follow the target and the tree. Options that
cannot be used with another target wait until undo brings it back. What leaves say stands in the tree: its options here
are read from it, so the two never disagree."""

from __future__ import annotations

from typing import Any

import engine
from engine.runtime.errors import InputError
from engine.runtime.sentences import tr
from engine.search.choices import LEAVES_SAY, OPTIONS
from engine.search.options import Search, looks_at_rows
from gui.model.history import State

# what leaves say, not which splits are made
LEAF_OPTIONS = tuple(name for name, option in OPTIONS.items() if option.group == LEAVES_SAY)
CHOSEN_AMONG_COLUMNS = ("locked",)  # options that presets and the search settings leave as they are


class Searching:
    """The options of a document's search, and the preset that they came from."""

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}  # that differ from the defaults, as `engine.candidates` takes them
        self._preset = ""
        self.keep()

    def start(self, settings: dict[str, Any]) -> None:
        """Takes the options from the settings of a project."""
        self.options, self._preset = dict(settings.get("search", {})), str(settings.get("preset", ""))
        self.keep()

    def settings(self) -> dict[str, Any]:
        """What a project file keeps of them."""
        return {"search": dict(self.options), "preset": self._preset}

    def keep(self, settings: dict[str, Any] | None = None) -> None:
        """The project file has these settings now; the present ones, if none are given."""
        self._kept = self.settings() if settings is None else {name: settings[name] for name in ("search", "preset")}

    @property
    def unsaved(self) -> bool:
        """Whether the project file has others."""
        return self.settings() != self._kept

    def preset(self, task: str) -> str:
        """The preset that they came from; empty while they are others: changed one by one, or by the target."""
        chosen = {name: value for name, value in self.options.items() if name not in CHOSEN_AMONG_COLUMNS}
        return self._preset if self._preset and preset_options(self._preset, task) == chosen else ""

    def take(self, options: dict[str, Any], preset: str) -> bool:
        """Takes other options; whether that changes anything."""
        changed = (options, preset) != (self.options, self._preset)
        self.options, self._preset = options, preset
        return changed

    def follow_leaves(self, state: State) -> bool:
        """Sets the options of the leaves to what the tree says; whether that changes anything."""
        return self.take(with_rule(self.options, state.tree.leaf_rule, state.table.task), self._preset)

    def fit(self, shown: State | None, state: State) -> bool:
        """Drops options that do not fit the target, until undo brings `shown` back; whether anything changes."""
        before = self.options
        wanted, state.search = (before if state.search is None else state.search), None
        fitting = fitting_options(wanted, state.table)
        if shown is not None and fitting != before:
            shown.search = before
        return self.take(with_rule(fitting, state.tree.leaf_rule, state.table.task), self._preset)


def preset_options(name: str, task: str) -> dict[str, Any]:
    """What a preset says differently from the defaults."""
    return own_options(Search.make(task, preset=name).to_dict(), task)


def own_options(search: dict[str, Any], task: str) -> dict[str, Any]:
    """The options that differ from the defaults: one search has one form, so that answers are found again."""
    kept, usual = Search.make(task, **search).to_dict(), Search.make(task).to_dict()
    usual["summary"] = Search.make(task, criterion=kept["criterion"]).summary  # it follows the criterion
    return {name: value for name, value in kept.items() if value != usual[name]}


def chosen_columns(search: dict[str, Any]) -> dict[str, Any]:
    """The options that are chosen among the columns of a table."""
    return {name: value for name, value in search.items() if name in CHOSEN_AMONG_COLUMNS}


def usual_value(name: str, search: dict[str, Any], task: str) -> Any:
    """What an option is when nobody says anything about it; what a leaf says follows the criterion."""
    said = {"criterion": search["criterion"]} if name == "summary" and "criterion" in search else {}
    return getattr(Search.make(task, **said), name)


def refusal_of(search: dict[str, Any], table: engine.Table | None) -> str:
    """Why these options cannot be used; empty when they can."""
    try:
        made = Search.make(table.task if table is not None else "classes", **search)
        if table is not None:
            made.leaf_rule.check(table.classes)
        if table is not None and table.counter is not None and (of_rows := looks_at_rows(made, table.is_sampled)):
            return tr("“{option}” looks at single rows, which are only counted here.", option=of_rows[0])
    except InputError as error:
        return str(error)
    return ""


def fitting_options(search: dict[str, Any], table: engine.Table) -> dict[str, Any]:
    """The options without those that cannot be used with this target: its task or its classes are others."""
    locked = tuple(name for name in search.get("locked", ()) if name in table.names)
    if locked != tuple(search.get("locked", ())):
        search = {name: value for name, value in {**search, "locked": locked}.items() if name != "locked" or locked}
    kept: dict[str, Any] = {}
    for name in sorted(search, key=lambda name: name != "criterion"):  # the others are judged beside it
        more = {**kept, name: search[name]}
        if not refusal_of(more, table):
            kept = more
    return search if len(kept) == len(search) else own_options(Search.make(table.task, **kept).to_dict(), table.task)


def rule_of(search: dict[str, Any], task: str) -> engine.LeafRule:
    """What the leaves of a tree say that is grown with these options."""
    return Search.make(task, **search).leaf_rule


def with_rule(search: dict[str, Any], rule: engine.LeafRule, task: str) -> dict[str, Any]:
    """The options, with those of the leaves as in a tree: what is set and what is on the screen never disagree."""
    said = {name: getattr(rule, name) for name in LEAF_OPTIONS}
    if task == "number" and rule.summary == "mode":
        said["summary"] = "mean"  # the rule of a tree that nobody has told anything
    return own_options({**search, **said}, task)
