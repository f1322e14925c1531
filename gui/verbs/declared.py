"""Every verb of the window, declared once: its words, its key, its picture, when it applies, what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QWhatsThis

from engine.pruning import METHODS
from engine.runtime.errors import InputError
from gui import messages
from gui.canvas.overlays.picture_controls import turn
from gui.model.document import Document
from gui.model.view_state import folding
from gui.verbs.look_menus import next_colours, toggle, toggle_part
from gui.verbs.refusals import (
    no_code,
    no_features,
    no_folds,
    no_label,
    no_levels_fewer,
    no_levels_more,
    no_merging,
    no_pasting,
    no_path,
    no_pruning,
    no_redo,
    no_split_here,
    no_splits,
    no_table,
    no_test_rows,
    no_undo,
    no_validation_rows,
    not_choosing,
    not_growing,
    not_replacing,
    not_splitting,
    not_working,
    nothing,
    nothing_to_stop,
)
from gui.window.node_head import AND, bracketed

if TYPE_CHECKING:
    from gui.window.window import Window


COPIED, QUERY_COPIED = "Copied: {}", "Copied, for DataFrame.query: {}"


def copy_path(document: Document) -> None:
    """Copies the conditions of the selected nodes in words, a line for each node."""
    if document.tree is not None:
        lines = [AND.join(bracketed(document.tree.rule(node))) for node in document.several.nodes]
        _copy(document, "\n".join(lines), COPIED)


def copy_query(document: Document) -> None:
    """Copies the way to the selected nodes as a query of pandas, or says why there is none."""
    from engine.tree.query import query

    if document.tree is None:
        return
    try:
        _copy(document, query(document.tree, *document.several.nodes, table=document.table), QUERY_COPIED)
    except InputError as error:
        messages.warning(str(error))


def _copy(document: Document, text: str, said: str) -> None:
    QGuiApplication.clipboard().setText(text)
    document.told.emit(said.format(text.replace("\n", "; ")))


def follow_row(window: Window) -> None:
    """Shows the rows, ready for a number."""
    window.show_panel("rows")
    window.panels["rows"].ask_row()


def follow_where(window: Window) -> None:
    """Shows the rows, ready for a condition."""
    window.show_panel("rows")
    window.panels["rows"].ask_condition()


def stop(document: Document) -> None:
    """Stops what runs; while nothing does, it ends what was begun last: following, several nodes, cutting by clicks."""
    if not_working(document) and document.following.on:
        document.following.step_back()
    elif not_working(document) and document.several.on and not document.click_cut.on:
        document.several.clear()
    else:
        document.click_cut.stop()


Key = QKeySequence.StandardKey


def _is_pinned(document: Document) -> bool:
    return document.tree is not None and document.tree.mark(document.selected).pinned


def _is_cutting(document: Document) -> bool:
    return document.click_cut.on


def _flows_validation(document: Document) -> bool:
    return document.look.part == "validation" and not no_validation_rows(document)


def _is_locked(document: Document) -> bool:
    return document.tree is not None and document.tree.mark(document.selected).locked


def _is_folded(document: Document) -> bool:
    return folding.is_folded(document, document.selected)


def _shows_icicle(document: Document) -> bool:
    return document.look.icicle


@dataclass(frozen=True)
class Verb:
    """One thing that a person can do.

    Attributes:
        name: its action is called "action_" and this.
        text: its words in menus; "&" marks the letter for the keyboard, "…" that more is asked.
        tip: one sentence that explains it.
        run: what it does.
        keys: a standard key, or keys in words, parted by "; ".
        icon: its picture, if it has one.
        refusal: why it cannot be used now, in a sentence; empty where it can.
        short: its word on the toolbar.
        checked: whether it is ticked, for one that switches something on and off.
        on_canvas: its key counts on the canvas only, for elsewhere the same key copies or pastes text; so do all keys
            that type (see `gui.verbs.actions.counts_on_canvas`).
    """

    name: str
    text: str
    tip: str
    run: Callable[[Window], object]
    keys: QKeySequence.StandardKey | str | None = None
    icon: str = ""
    refusal: Callable[[Document], str] = nothing
    short: str = ""
    checked: Callable[[Document], bool] | None = None
    on_canvas: bool = False


VERBS = {
    verb.name: verb
    for verb in (
        Verb("open", "&Open…", "Opens a table, a project or a tree", lambda w: w.opening.choose(), Key.Open, "open"),
        Verb("paste", "&Paste or type a table…", "Opens a table from the clipboard or from the keyboard",
             lambda w: w.opening.paste(), "Ctrl+Shift+V", "paste"),
        Verb("save", "&Save", "Saves table, tree and settings as a project", lambda w: w.files.save(), Key.Save,
             "save", no_table),
        Verb("save_as", "Save &as…", "Saves the project under another name", lambda w: w.files.save_as(),
             "Ctrl+Shift+S", "", no_table),
        Verb("export_picture", "Export pic&ture…", "Writes the tree, a branch or what the view shows as PNG, SVG "
             "or PDF, or as a page for browsers that zooms and folds", lambda w: w.files.export_picture(), "Ctrl+E",
             "export", no_table),
        Verb("export_tree", "Export &JSON…", "Writes the tree as JSON, for other tables and programs",
             lambda w: w.files.export_tree(), "Ctrl+Shift+E", "", no_table),
        Verb("export_rules", "Export r&ules…", "Writes the tree as text: the rules of each class or number",
             lambda w: w.files.export_rules(), None, "", no_table),
        Verb("close", "&Close", "Closes the document and shows the start page",
             lambda w: w.close_document(), Key.Close, "", no_table),
        Verb("quit", "&Quit", "Quits Espalier", lambda w: w.close(), Key.Quit),
        Verb("undo", "&Undo", "Undoes the last step", lambda w: w.document.undo(), Key.Undo, "undo",
             no_undo),
        Verb("redo", "&Redo", "Redoes the last undone step", lambda w: w.document.redo(), Key.Redo,
             "redo", no_redo),
        Verb("copy_picture", "&Copy picture", "Puts the whole tree as a picture on the clipboard, looking as the "
             "one that was exported last, with what stands out", lambda w: w.files.copy_picture(), "Ctrl+Shift+C", "",
             no_table),
        Verb("fit", "&Fit the tree", "Shows the whole tree", lambda w: w.canvas.fit(), "Ctrl+0", "fit", no_table),
        Verb("zoom_100", "&Actual size", "Shows the tree at 100 %", lambda w: w.canvas.actual_size(), "Ctrl+1", "",
             no_table),
        Verb("zoom_branch", "&Zoom to the selection", "Shows the selected node with all below it as large as fits; the "
             "whole tree where it is the root", lambda w: w.canvas.show_branch(), "Z", "", no_table),
        Verb("zoom_in", "Zoom &in", "Shows the tree larger", lambda w: w.canvas.zoom_in(), Key.ZoomIn, "zoom-in",
             no_table),
        Verb("zoom_out", "Zoom &out", "Shows the tree smaller", lambda w: w.canvas.zoom_out(), Key.ZoomOut, "zoom-out",
             no_table),
        Verb("find", "Fi&nd…", "Rings the nodes that a column, a level, words of a rule or a number like #12 mean; "
             "Enter walks through them", lambda w: w.canvas.corner.open_find(), Key.Find, "search", no_table),
        Verb("filter", "Filter leaves b&y…", "Fades what does not lead to a leaf of so many rows, as sure as is asked",
             lambda w: w.canvas.corner.open_filter(), "Ctrl+Shift+F", "filter", no_table),
        Verb("best_leaves", "&Best leaves", "Lists and rings the five leaves where a class is most frequent, or a "
             "number highest or lowest, as sure as one can be", lambda w: w.canvas.corner.open_best(), "Ctrl+L", "star",
             no_table),
        Verb("next_colours", "Next co&lours", "Colours the canvas by the next of “Colour by”",
             lambda w: next_colours(w.document), "H", "", no_table),
        Verb("flow_validation", "&Validation rows flow", "Lets the validation rows flow through the tree instead of "
             "the training rows: ribbons, bars and figures are theirs, and nodes where the two disagree stand out",
             lambda w: toggle_part(w.document), "V", "", no_validation_rows, checked=_flows_validation),
        Verb("turn", "T&urn the tree", "Shows the tree from left to right, in streams as wide as their rows, or from "
             "top to bottom, in cards", lambda w: turn(w.document.look), "T", "streams", no_table),
        Verb("icicle", "Icicl&e", "Shows the whole tree in a strip below the canvas: cells as wide as their rows, and "
             "a frame around what is in view", lambda w: toggle(w.document.look, "icicle"), "I", "", no_table,
             checked=_shows_icicle),
        Verb("fold", "Fol&d", "Hides everything below the selected node, or shows it again; the tree stays as it is",
             lambda w: w.canvas.handles.toggle(w.document.selected), "F", "", no_split_here, checked=_is_folded),
        Verb("unfold_all", "&Unfold all", "Shows the whole tree again, whatever was folded",
             lambda w: folding.unfold_all(w.document), "Shift+F", "", no_folds),
        Verb("more_levels", "One level &more", "Shows one level more of the tree, and folds what is below",
             lambda w: folding.show_more(w.document, 1), "D", "", no_levels_more),
        Verb("fewer_levels", "One level &fewer", "Shows one level fewer of the tree, and folds what is below",
             lambda w: folding.show_more(w.document, -1), "Shift+D", "", no_levels_fewer),
        Verb("fold_small", "Fold &branches below n rows…", "Hides what is below nodes with fewer rows than a number "
             "that is asked for", lambda w: w.asks.fold_small(), None, "", no_splits),
        Verb("minimap", "&Minimap", "Shows the whole tree in a corner of the canvas while only a part of it is in "
             "view: drag the frame, or click where you want to look", lambda w: toggle(w.document.look, "minimap"),
             "O", "", no_table, checked=lambda d: d.look.minimap),
        Verb("motion", "Smoot&h motion", "Moves the view smoothly to where it is sent; it never does where the system "
             "asks for less motion", lambda w: toggle(w.document.look, "motion"), refusal=no_table,
             checked=lambda d: d.look.motion),
        Verb("present", "&Presentation", "Fills the screen with the tree, or with the panel that has the whole middle, "
             "in large letters; Esc ends it", lambda w: w.presentation.toggle(), "F11; F5", "", no_table,
             checked=lambda d: d.look.presenting),
        Verb("reset_layout", "&Reset the layout", "Puts all panels back to where they were at first",
             lambda w: w.reset_layout(), None, "", no_table),
        Verb("split_anywhere", "&Split best anywhere", "Splits the leaf whose best split gains most of all",
             lambda w: w.document.tree_edits.split_best_anywhere(), "S", "split", not_growing, "Split"),
        Verb("split_here", "Split this &leaf", "Splits the selected leaf by its best split",
             lambda w: w.document.tree_edits.split_best_here(), "Shift+S", "branch", not_splitting),
        Verb("grow_level", "Grow one le&vel", "Splits every leaf once, each by its best split",
             lambda w: w.document.tree_edits.grow_level(), "L", "grow-level", not_growing),
        Verb("grow_branch", "Grow &branch", "Grows everything below the selected node, as far as the options allow",
             lambda w: w.document.tree_edits.grow_branch(w.document.selected), "B", "leaf", not_growing),
        Verb("go", "&Go", "Grows on while validation rows gain by it: until as many splits in a row do not help as the "
             "best tree has leaves, at least ten, then back to it; without validation rows the whole tree",
             lambda w: w.document.tree_edits.go(), "G", "go", not_growing, "Go"),
        Verb("grow_all", "Grow th&e whole tree", "Grows the whole tree, as far as the options allow",
             lambda w: w.document.tree_edits.grow_all(), "Shift+G", "", not_growing),
        Verb("grow", "Gr&ow…", "Grows the tree, a branch, one level or one split, by options that are chosen first",
             lambda w: w.choose_growth(), "Ctrl+G", "leaf", not_growing),
        Verb("search", "Search sett&ings…", "Shows how splits are searched, when growing stops and what leaves say",
             lambda w: w.choose_search(), "Ctrl+,", "search", no_table),
        Verb("all_trees", "&All trees…", "Searches all trees of a depth for the one of least training error, and "
             "compares it with the grown one", lambda w: w.search_all_trees(), None, "", not_growing),
        Verb("code", "Prefi&x code…", "Writes the tree in the prefix-free code of description length, block by block, "
             "and reads bits back into a tree", lambda w: w.show_code(), None, "", no_code),
        Verb("prune", "&Prune", "Cuts the tree back to what holds on unseen rows: by validation rows where there are "
             "any, else by cost complexity and cross-validation", lambda w: w.prune(), "P", "prune", no_splits,
             "Prune"),
        Verb("prune_weakest", "Prune the wea&kest split", "Takes the split back that gives least, of those with leaves "
             "only below; pins and locks keep theirs", lambda w: w.document.hand.prune_weakest(), "Shift+P", "",
             no_splits),
        Verb("prune_below", "&Delete below", "Makes a leaf of the selected node: all below it goes",
             lambda w: w.document.hand.collapse(w.document.selected), "Del", "", no_split_here),
        Verb("click_cut", "C&ut by clicks", "A click on a node makes it a leaf, another one brings back what stood "
             "below it", lambda w: w.document.click_cut.toggle("Esc"), "Shift+X", "", no_table,
             checked=_is_cutting),
        Verb("split_column", "Split by &column…", "Splits the selected node by the best split of a column that is "
             "chosen; a column can also be dragged onto a node", lambda w: w.asks.split_by_column(), "C", "",
             not_choosing),
        Verb("replace_split", "&Replace the split…", "Puts the split in the editor, or the candidate that is looked "
             "at, in the place of the selected node’s", lambda w: w.asks.replace_split(), "R", "", not_replacing),
        Verb("why", "Wh&y this split?", "Shows the arithmetic of the split that is looked at: the sum behind its gain, "
             "its figure, and the rankings by every criterion", lambda w: w.show_panel("why"), "W", "", no_table),
        Verb("merge", "&Merge with…", "Makes one branch of the selected leaf and a leaf beside it",
             lambda w: w.asks.merge(), "M", "", no_merging),
        Verb("copy_branch", "&Copy branch", "Copies the splits at and below the selected node, for this window and "
             "others", lambda w: w.document.hand.copy(w.document.selected), Key.Copy, "", no_split_here,
             on_canvas=True),
        Verb("paste_branch", "&Paste branch", "Makes the copied splits below the selected leaf",
             lambda w: w.document.hand.paste(w.document.selected), Key.Paste, "paste", no_pasting, on_canvas=True),
        Verb("note", "&Note…", "Writes a note on the selected node", lambda w: w.asks.note(), "N", "", no_table),
        Verb("label", "Set leaf la&bel…", "Sets by hand what the selected leaf says",
             lambda w: w.asks.label(), "A", "flag", no_label),
        Verb("pin", "&Pin", "Automatic growing and pruning leave a pinned node alone; by hand it can be changed",
             lambda w: w.document.hand.toggle(w.document.selected, "pinned"), "K", "", no_table, checked=_is_pinned),
        Verb("lock", "&Lock", "Nothing changes at or below a locked node, neither by hand nor automatically",
             lambda w: w.document.hand.toggle(w.document.selected, "locked"), "Shift+K", "lock", no_table,
             checked=_is_locked),
        Verb("exclude", "E&xclude columns below…", "Chooses columns that no search uses at and below the "
             "selected node", lambda w: w.asks.exclude(), "X", "ignore", no_features),
        Verb("node_criterion", "&Criterion here…", "Chooses by what the selected node and those below it are "
             "searched", lambda w: w.asks.criterion(), "Shift+C", "", no_table),
        Verb("lock_columns", "L&ock columns…", "Chooses columns that no search may use",
             lambda w: w.asks.lock_columns(), "Ctrl+K", "lock", no_features),
        Verb("follow_row", "&Follow a row…", "Lights the way of one row, with the values that it has at each split: "
             "type its number, or pick it from the list", lambda w: follow_row(w), "Ctrl+R", "", no_table),
        Verb("follow_where", "Follow rows &where…", "Lights the flow of the rows for which a condition holds, as in "
             "age > 40 and city == \"Berlin\"", lambda w: follow_where(w), "Ctrl+Shift+R", "", no_table),
        Verb("follow_here", "Follow the rows he&re", "Lights the flow of the rows of the selected nodes; they stay "
             "the same when the tree changes", lambda w: w.document.following.follow_nodes(w.document.several.nodes),
             "Ctrl+Alt+R", "", no_table),
        Verb("follow_wrong", "Follow the &errors", "Lights the flow of the rows that the tree labels wrongly; of "
             "numbers the tenth that is furthest from what it says; test rows only once they were looked at",
             lambda w: w.document.following.follow_wrong(), "", "", no_splits),
        Verb("copy_path", "Copy the pat&h", "Copies the conditions that lead to the selected nodes, in words",
             lambda w: copy_path(w.document), "Y", "", no_path),
        Verb("copy_query", "Copy the path as a &query", "Copies the way to the selected nodes as an expression for "
             "DataFrame.query of pandas, which selects exactly their rows", lambda w: copy_query(w.document), "Shift+Y",
             "", no_path),
        Verb("stop", "S&top", "Stops the work and keeps the valid tree so far; or ends following rows, "
             "several selected nodes, or cutting by clicks", lambda w: stop(w.document), "Esc", "stop",
             nothing_to_stop, "Stop"),
        Verb("columns", "&Columns", "Shows the columns: their roles, their types, what they hold",
             lambda w: w.choose_columns(), "", "", no_table),
        Verb("partition", "&Partition…", "Divides the rows into training, validation and test rows",
             lambda w: w.choose_partition(), "", "partition", no_table),
        Verb("test", "Look at the &test rows", "Tells the error on the test rows: look last, and choose nothing by it",
             lambda w: w.document.last_test.look(), "", "", no_test_rows),
        Verb("whats_this", "&What is this?", "Click on anything to be told what it is",
             lambda w: QWhatsThis.enterWhatsThisMode(), Key.WhatsThis, "help"),
        Verb("shortcuts", "&Shortcuts", "Lists all keys", lambda w: w.show_shortcuts(), Key.HelpContents),
        Verb("about", "&About Espalier", "Version, licence, and what this is", lambda w: w.show_about()),
        Verb("open_log", "Open &log", "Opens the file that notes messages and mistakes", lambda w: w.open_log()),
    )
}  # fmt: skip

BY_METHOD = {
    f"prune_by_{name}": Verb(
        f"prune_by_{name}", method.label, f"Prunes by this method. {method.explanation}",
        lambda w, name=name: w.prune(name), None, "", no_pruning(name),
    )
    for name, method in METHODS.items()
}  # fmt: skip
VERBS |= BY_METHOD
