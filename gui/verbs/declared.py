"""Every verb of the window, declared once: its words, its key, its picture, when it applies, what it does."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import methodcaller
from typing import Any, Protocol

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWhatsThis

import engine
from engine.pruning import METHODS, why_not
from engine.runtime.errors import InputError
from engine.runtime.sentences import marked, tr
from gui import messages
from gui.canvas.overlays.picture_controls import turn
from gui.canvas.view import TreeView
from gui.model.document import Document
from gui.model.editing.edits import is_leaf
from gui.model.editing.hand_edits import has_partner
from gui.model.search import guessing
from gui.model.view_state import folding
from gui.picture.colours import DIFFERENCE, MODES, mode_for
from gui.settings import Settings
from gui.widgets import verbatim
from gui.wording.phrases import AND, COUNTED, bracketed

EVERY = {**MODES, DIFFERENCE.name: DIFFERENCE}  # ways of colouring

Key = QKeySequence.StandardKey
Refusal = Callable[[Document], str]  # why a verb cannot be used now, in a sentence; empty where it can


class Window(Protocol):
    """What verbs ask of the window, which is made above them; what it consists of are its attributes' own matters."""

    document: Document
    settings: Settings
    canvas: TreeView
    panels: Any
    places: Any
    opening: Any
    files: Any
    asks: Any
    actions_made: Any
    tour: Any

    def close(self) -> bool: ...
    def menuBar(self) -> QMenuBar: ...
    def settle(self) -> None: ...
    def when_safe(self, go_on: Callable[[], object]) -> None: ...
    def show_panel(self, name: str) -> Any: ...
    def prune(self, method: str | None = None) -> None: ...
    def open_log(self) -> None: ...
    def show_help(self) -> None: ...


def nothing(document: Document) -> str:
    return ""


def no_table(document: Document) -> str:
    return "" if document.table is not None else tr("Open a table first.")


def not_growing(document: Document) -> str:
    """While somebody guesses, nothing makes or shows the splits that are to be guessed."""
    return no_table(document) or (tr(guessing.HIDDEN) if document.guessing else "")


def only_counted(document: Document) -> str:
    """Where the table has no rows that could be looked at."""
    counted = document.table is not None and document.table.counter is not None
    return no_table(document) or (tr(COUNTED) if counted else "")


def _where(holds: "Callable[[Document, engine.Tree], bool]", text: str) -> Refusal:
    """A refusal where something holds of the document and its tree, and where there is no tree; `text` is marked."""
    return lambda d: no_table(d) if d.tree is None else tr(text) if holds(d, d.tree) else ""


def _first(*refusals: Refusal) -> Refusal:
    return lambda document: next(filter(None, (each(document) for each in refusals)), "")


# fmt: off
no_leaf = _where(lambda d, tree: not is_leaf(tree, d.selected),
                 marked("The selected node is split already: select a leaf."))
not_splitting = _first(no_leaf, not_growing)
no_split_here = _where(lambda d, tree: is_leaf(tree, d.selected),
                       marked("The selected node is a leaf: select one that is split."))
not_replacing = _first(no_split_here, not_growing)
no_folds = _where(lambda d, tree: folding.folded(d) is None, marked("Nothing is folded."))
no_levels_more = _where(lambda d, tree: folding.levels_shown(d) == tree.depth, marked("All levels are shown."))
no_levels_fewer = _where(lambda d, tree: folding.levels_shown(d) <= 1,
                         marked("Only one level is shown below the root."))
no_merging = _first(no_leaf, _where(lambda d, tree: not has_partner(tree, d.selected),
                                    marked("There is no leaf beside this one to merge it with.")))
no_pasting = _first(no_leaf, _where(lambda d, tree: not d.hand.can_paste,
                                    marked("No branch was copied: select a node that is split, and copy it.")))
# A label by hand can be taken back from a node that is split by now.
no_label = _where(lambda d, tree: tree.mark(d.selected).label is None and not is_leaf(tree, d.selected),
                  marked("The selected node is split already: select a leaf."))
no_validation_rows = _where(lambda d, tree: int(tree.rows_validation[0]) == 0,
                            marked("No rows are kept for validation: “Partition…” divides the rows."))
no_test_rows = _where(lambda d, tree: d.table is not None and d.table.n_test == 0,
                      marked("No rows are kept for a last test: “Partition…” divides the rows."))
no_splits = _where(lambda d, tree: tree.n_leaves == 1, marked("The tree has no split yet."))
not_following_errors = _first(no_splits, only_counted)
no_code = _where(lambda d, tree: tree.task == "number", marked(
    "The target is numeric: what leaves predict is no choice among a few classes, so the tree has no code."))
no_features = _where(lambda d, tree: d.table is not None and not d.table.features,
                     marked("No column is a feature: give one that role in the panel “Columns”."))
not_choosing = _first(no_features, not_growing)
no_path = _where(lambda d, tree: 0 in d.several.nodes,
                 marked("No condition leads to the root: select another node."))
# fmt: on


def not_working(document: Document) -> str:
    return "" if (document.jobs.working or document.cutback.comparing) else tr("Nothing is running.")


def nothing_to_stop(document: Document) -> str:
    ends = document.click_cut.on or document.following.on or document.several.on
    return "" if ends else not_working(document)


def no_pruning(method: str) -> Refusal:
    return _first(no_table, lambda d: why_not(method, d.table) if d.table is not None else "", no_splits)


def copy_path(document: Document) -> None:
    assert document.tree is not None
    text = "\n".join(AND.join(bracketed(document.tree.rule(node))) for node in document.several.nodes)
    QGuiApplication.clipboard().setText(text)
    document.told.emit(tr("Copied: {text}", text=text.replace("\n", "; ")))


def copy_query(document: Document) -> None:
    """Copies the way to the selected nodes as a query of pandas, or says why there is none."""
    assert document.tree is not None
    try:
        text = engine.query(document.tree, *document.several.nodes, table=document.table)
    except InputError as error:
        return messages.warning(str(error))
    QGuiApplication.clipboard().setText(text)
    document.told.emit(tr("Copied, for DataFrame.query: {query}", query=text))


def no_colours(document: Document, name: str) -> str:
    """Why the canvas cannot be coloured so, in a sentence; empty where it can."""
    if document.tree is None:
        return tr("Open a table first.")
    if name == DIFFERENCE.name:
        return "" if document.comparing.results else tr("Choose another tree in the panel Comparison first.")
    return MODES[name].refusal(document.tree)


def colour_in_use(document: Document, tree: "engine.Tree") -> str:
    differing = document.comparing.shares is not None
    return DIFFERENCE.name if differing else mode_for(tree, document.look.colour_by).name


def colour_by(document: Document, name: str) -> None:
    document.comparing.colour(name == DIFFERENCE.name)
    if name != DIFFERENCE.name:
        document.look.set(colour_by=name)


def next_colours(document: Document) -> None:
    """Goes on to the next way of colouring that this tree can have, and says which it is."""
    assert document.tree is not None
    usable = [name for name in EVERY if not no_colours(document, name)]
    now = colour_in_use(document, document.tree)
    chosen = usable[(usable.index(now) + 1) % len(usable)] if now in usable else usable[0]
    colour_by(document, chosen)
    document.told.emit(tr("Coloured by: {what}", what=verbatim.without_mark(EVERY[chosen].text)))


def follow(window: Window, field: str) -> None:
    """Goes to a field of the panel “Rows”: which rows are to be followed is written there."""
    rows = window.show_panel("rows")
    rows.ask(getattr(rows, field))


def stop(document: Document) -> None:
    """Stops what runs; while nothing does, it ends what was begun last: following, several nodes, cutting by clicks."""
    if not_working(document) and document.following.on:
        document.following.step_back()
    elif not_working(document) and document.several.on and not document.click_cut.on:
        document.several.clear()
    else:
        document.click_cut.stop()


def toggle(window: Window, name: str) -> None:
    """Switches one of the view's options on or off, as "icicle"."""
    look = window.document.look
    look.set(**{name: not getattr(look, name)})


def toggle_part(document: Document) -> None:
    flows = document.look.part == "validation"
    document.look.set(part="train" if flows else "validation")
    training = tr("Training rows flow through the tree: ribbons, bars and figures")
    document.told.emit(training if flows else tr("Validation rows flow through the tree: ribbons, bars and figures"))


def _marked_by(name: str) -> Callable[[Document], bool]:
    """Whether the selected node has a mark, "pinned" or "locked"."""
    return lambda document: document.tree is not None and getattr(document.tree.mark(document.selected), name)


@dataclass(frozen=True)
class Verb:
    """One thing that a person can do. Text, tip and short are marked for translation: they are shown by `tr`."""

    name: str  # its action is called "action_" and this
    text: str  # in menus; "&" marks the letter for the keyboard, "…" that more is asked
    tip: str  # one sentence that explains it
    run: Callable[[Window], object]
    keys: QKeySequence.StandardKey | str | None = None  # a standard key, or keys in words, parted by "; "
    icon: str = ""
    refusal: Refusal = no_table
    short: str = ""  # its word on the toolbar
    checked: Callable[[Document], bool] | None = None  # whether it is ticked, for one that switches something
    # Its key counts on the canvas only, for elsewhere the same key copies or pastes text; so do all keys that type (see
    # `gui.verbs.actions.counts_on_canvas`).
    on_canvas: bool = False


VERBS = {
    verb.name: verb
    for verb in (
        Verb("open", marked("&Open…"), marked("Opens a table, a project or a tree"), lambda w: w.opening.choose(),
             Key.Open, "open", refusal=nothing),
        Verb("open_folder", marked("Open &folder…"), marked("Opens a folder of Parquet files as one table"),
             lambda w: w.opening.choose_folder(), refusal=nothing),
        Verb("open_database", marked("Open data&base…"), marked("Opens a table of a database, whose rows stay there"),
             lambda w: w.opening.choose_database(), refusal=nothing),
        Verb("paste", marked("&Paste or type a table…"), marked("Opens a table from the clipboard or from the "
             "keyboard"), lambda w: w.opening.paste(), "Ctrl+Shift+V", "paste", refusal=nothing),
        Verb("save", marked("&Save"), marked("Saves table, tree and settings as a project"), lambda w: w.files.save(),
             Key.Save, "save"),
        Verb("save_as", marked("Save &as…"), marked("Saves the project under another name"),
             lambda w: w.files.save_as(), "Ctrl+Shift+S"),
        Verb("export_picture", marked("Export pic&ture…"), marked("Writes the tree, a branch or what the view shows as "
             "PNG, SVG or PDF, or as a page for browsers that zooms and folds"), lambda w: w.files.export_picture(),
             "Ctrl+E", "export"),
        Verb("export_tree", marked("Export &JSON…"), marked("Writes the tree as JSON, for other tables and programs"),
             lambda w: w.files.export_tree(), "Ctrl+Shift+E"),
        Verb("export_code", marked("Export co&de…"), marked("Writes the tree for databases and programs: SQL, Python, "
             "pandas, JavaScript, C, R; runs the code here and compares each row"), lambda w: w.files.export_code()),
        Verb("export_rules", marked("Export r&ules…"), marked("Writes the tree as text: the rules of each class or "
             "number"), lambda w: w.files.export_rules()),
        Verb("report", marked("E&xport report…"), marked("Writes a report for those who have to trust the tree, of "
             "sections that you choose: a page, a PDF, a Word document, a slide, or its figures"),
             lambda w: w.files.report()),
        Verb("export_script", marked("Export scr&ipt…"), marked("Writes a Python script that reads the table and makes "
             "this tree again"), lambda w: w.files.export_script()),
        Verb("hand_out", marked("Export &hand-out…"), marked("Writes the selected node as a page to hand out: the way "
             "to it, its rows, the splits that were looked at and the sums behind the one that stands; or the step of "
             "a replay that is on the canvas"), lambda w: w.files.hand_out()),
        Verb("score", marked("Score ro&ws…"), marked("Predicts the rows of a file by this tree, writes them with leaf, "
             "rule and prediction, and tells how they differ from the training rows"), lambda w: w.files.score()),
        Verb("export_leaves", marked("Export lea&ves…"), marked("Writes a table of all leaves, with rule, rows and "
             "figures, for a spreadsheet"), lambda w: w.files.export_leaves()),
        Verb("close", marked("&Close"), marked("Closes the document and shows the start page"),
             lambda w: w.when_safe(lambda: w.document.start(None)), Key.Close),
        Verb("quit", marked("&Quit"), marked("Quits Espalier"), lambda w: w.close(), Key.Quit, refusal=nothing),
        Verb("undo", marked("&Undo"), marked("Undoes the last step"), lambda w: w.document.undo(), Key.Undo, "undo",
             lambda d: "" if d.history.can_undo else tr("Nothing to undo.")),
        Verb("redo", marked("&Redo"), marked("Redoes the last undone step"), lambda w: w.document.history.stack.redo(),
             Key.Redo, "redo", lambda d: "" if d.history.stack.canRedo() else tr("Nothing to redo.")),
        Verb("copy_picture", marked("&Copy picture"), marked("Puts the whole tree as a picture on the clipboard, "
             "looking as the one that was exported last, with what stands out"), lambda w: w.files.copy_picture(),
             "Ctrl+Shift+C"),
        Verb("copy_script", marked("Copy as &Python"), marked("Copies a Python script that reads the table and makes "
             "this tree again"), lambda w: w.files.copy_script()),
        Verb("fit", marked("&Fit the tree"), marked("Shows the whole tree"), lambda w: w.canvas.fit(), "Ctrl+0", "fit"),
        Verb("zoom_100", marked("&Actual size"), marked("Shows the tree at 100 %"), lambda w: w.canvas.actual_size(),
             "Ctrl+1"),
        Verb("zoom_branch", marked("&Zoom to the selection"), marked("Shows the selected node with all below it as "
             "large as fits; the whole tree where it is the root"), lambda w: w.canvas.show_branch(), "Z"),
        Verb("zoom_in", marked("Zoom &in"), marked("Shows the tree larger"), lambda w: w.canvas.zoom_in(), Key.ZoomIn,
             "zoom-in"),
        Verb("zoom_out", marked("Zoom &out"), marked("Shows the tree smaller"), lambda w: w.canvas.zoom_out(),
             Key.ZoomOut, "zoom-out"),
        Verb("find", marked("Fi&nd…"), marked("Rings the nodes that a column, a level, words of a rule or a number "
             "like #12 mean; Enter walks through them"), lambda w: w.canvas.corner.open("finding"), Key.Find, "search"),
        Verb("filter", marked("Filter leaves b&y…"), marked("Fades what does not lead to a leaf of so many rows, as "
             "sure as is asked"), lambda w: w.canvas.corner.open("filtering"), "Ctrl+Shift+F", "filter"),
        Verb("best_leaves", marked("&Best leaves"), marked("Lists and rings the five leaves where a class is most "
             "frequent, or a number highest or lowest, as sure as one can be"), lambda w: w.canvas.corner.open_best(),
             "Ctrl+L", "star"),
        Verb("next_colours", marked("Next co&lours"), marked("Colours the canvas by the next of “Colour by”"),
             lambda w: next_colours(w.document), "H"),
        Verb("flow_validation", marked("&Validation rows flow"), marked("Lets the validation rows flow through the "
             "tree instead of the training rows: ribbons, bars and figures are theirs, and nodes where the two "
             "disagree stand out"), lambda w: toggle_part(w.document), "V", refusal=no_validation_rows,
             checked=lambda d: d.look.part == "validation" and not no_validation_rows(d)),
        Verb("turn", marked("T&urn the tree"), marked("Shows the tree from left to right, in streams as wide as their "
             "rows, or from top to bottom, in cards"), lambda w: turn(w.document.look), "T", "streams"),
        Verb("icicle", marked("Icicl&e"), marked("Shows the whole tree in a strip below the canvas: cells as wide as "
             "their rows, and a frame around what is in view"), lambda w: toggle(w, "icicle"), "I",
             checked=lambda d: d.look.icicle),
        Verb("fold", marked("Fol&d"), marked("Hides everything below the selected node, or shows it again; the tree "
             "stays as it is"), lambda w: w.canvas.handles.toggle(w.document.selected), "F", refusal=no_split_here,
             checked=lambda d: folding.is_folded(d, d.selected)),
        Verb("unfold_all", marked("&Unfold all"), marked("Shows the whole tree again, whatever was folded"),
             lambda w: folding.unfold_all(w.document), "Shift+F", refusal=no_folds),
        Verb("more_levels", marked("One level &more"), marked("Shows one level more of the tree, and folds what is "
             "below"), lambda w: folding.show_more(w.document, 1), "D", refusal=no_levels_more),
        Verb("fewer_levels", marked("One level &fewer"), marked("Shows one level fewer of the tree, and folds what is "
             "below"), lambda w: folding.show_more(w.document, -1), "Shift+D", refusal=no_levels_fewer),
        Verb("fold_small", marked("Fold &branches below n rows…"), marked("Hides what is below nodes with fewer rows "
             "than a number that is asked for"), lambda w: w.asks.fold_small(), refusal=no_splits),
        Verb("minimap", marked("&Minimap"), marked("Shows the whole tree in a corner of the canvas while only a part "
             "of it is in view: drag the frame, or click where you want to look"), lambda w: toggle(w, "minimap"), "O",
             checked=lambda d: d.look.minimap),
        Verb("motion", marked("Smoot&h motion"), marked("Moves the view smoothly to where it is sent; it never does "
             "where the system asks for less motion"), lambda w: toggle(w, "motion"), checked=lambda d: d.look.motion),
        Verb("present", marked("&Presentation"), marked("Fills the screen with the tree, or with the panel that has "
             "the whole middle, in large letters; Esc ends it"), lambda w: toggle(w, "presenting"), "F11; F5",
             checked=lambda d: d.look.presenting),
        Verb("reset_layout", marked("&Reset the layout"), marked("Puts all panels back to their first places"),
             lambda w: w.places.arrange()),
        Verb("split_anywhere", marked("&Split best anywhere"), marked("Splits the leaf whose best split gains most of "
             "all"), lambda w: w.document.tree_edits.split_best_anywhere(), "S", "split", not_growing, marked("Split")),
        Verb("split_here", marked("Split this &leaf"), marked("Splits the selected leaf by its best split"),
             lambda w: w.document.tree_edits.split_best_here(), "Shift+S", "branch", not_splitting),
        Verb("grow_level", marked("Grow one le&vel"), marked("Splits every leaf once, each by its best split"),
             lambda w: w.document.tree_edits.grow_level(), "L", "grow-level", not_growing),
        Verb("grow_branch", marked("Grow &branch"), marked("Grows everything below the selected node, as far as the "
             "options allow"), lambda w: w.document.tree_edits.grow_branch(w.document.selected), "B", "leaf",
             not_growing),
        Verb("go", marked("&Go"), marked("Grows on while validation rows gain by it: until as many splits in a row do "
             "not help as the best tree has leaves, at least ten, then back to it; without validation rows the whole "
             "tree"), lambda w: w.document.tree_edits.go(), "G", "go", not_growing, marked("Go")),
        Verb("grow_all", marked("Grow th&e whole tree"), marked("Grows the whole tree, as far as the options allow"),
             lambda w: w.document.tree_edits.grow_all(), "Shift+G", refusal=not_growing),
        Verb("grow", marked("Gr&ow…"), marked("Grows the tree, a branch, one level or one split, by options that are "
             "chosen first"), lambda w: w.asks.growth(), "Ctrl+G", "leaf", not_growing),
        Verb("search", marked("Search opt&ions"), marked("Shows how splits are searched, when growing stops and what "
             "leaves predict"), lambda w: w.show_panel("search").setFocus(), "Ctrl+,", "search"),
        Verb("all_trees", marked("&All trees…"), marked("Searches all trees of a depth for the one of least training "
             "error, and compares it with the grown one"), lambda w: w.asks.all_trees(),
             refusal=_first(not_growing, only_counted)),
        Verb("code", marked("Prefi&x code…"), marked("Writes the tree in the prefix-free code of description length, "
             "block by block, and reads bits back into a tree"), lambda w: w.asks.code(), refusal=no_code),
        Verb("prune", marked("&Prune"), marked("Cuts the tree back to what holds on unseen rows: by validation rows "
             "where there are any, else by cost complexity and cross-validation"), lambda w: w.prune(), "P", "prune",
             no_splits, marked("Prune")),
        Verb("prune_weakest", marked("Prune the wea&kest split"), marked("Removes the split that gains least among "
             "those with only leaves below; pinned and locked splits stay"), lambda w: w.document.hand.prune_weakest(),
             "Shift+P", refusal=no_splits),
        Verb("prune_below", marked("&Delete below"), marked("Makes a leaf of the selected node: all below it goes"),
             lambda w: w.document.hand.collapse(w.document.selected), "Del", refusal=no_split_here),
        Verb("click_cut", marked("C&ut by clicks"), marked("A click on a node makes it a leaf, another one brings back "
             "what stood below it"), lambda w: w.document.click_cut.toggle("Esc"), "Shift+X",
             checked=lambda d: d.click_cut.on),
        Verb("split_column", marked("Split by &column…"), marked("Splits the selected node by the best split of a "
             "column that is chosen; a column can also be dragged onto a node"), lambda w: w.asks.split_by_column(),
             "C", refusal=not_choosing),
        Verb("replace_split", marked("&Replace the split…"), marked("Puts the split in the editor, or the candidate "
             "that is looked at, in the place of the selected node’s"), lambda w: w.asks.replace_split(), "R",
             refusal=not_replacing),
        Verb("why", marked("Wh&y this split?"), marked("Shows the arithmetic of the split that is looked at: the sum "
             "behind its gain, its figure, and the rankings by every criterion"), lambda w: w.show_panel("why"), "W"),
        Verb("merge", marked("&Merge with…"), marked("Makes one branch of the selected leaf and a leaf beside it"),
             lambda w: w.asks.merge(), "M", refusal=no_merging),
        Verb("copy_branch", marked("&Copy branch"), marked("Copies the splits at and below the selected node, for this "
             "window and others"), lambda w: w.document.hand.copy(w.document.selected), Key.Copy, refusal=no_split_here,
             on_canvas=True),
        Verb("paste_branch", marked("&Paste branch"), marked("Makes the copied splits below the selected leaf"),
             lambda w: w.document.hand.paste(w.document.selected), Key.Paste, "paste", no_pasting, on_canvas=True),
        Verb("note", marked("&Note…"), marked("Writes a note on the selected node"), lambda w: w.asks.note(), "N"),
        Verb("label", marked("Set leaf la&bel…"), marked("Sets by hand what the selected leaf predicts"),
             lambda w: w.asks.label(), "A", "flag", no_label),
        Verb("pin", marked("&Pin"), marked("Automatic growing and pruning leave a pinned node alone; by hand it can be "
             "changed"), lambda w: w.document.hand.toggle(w.document.selected, "pinned"), "K",
             checked=_marked_by("pinned")),
        Verb("lock", marked("&Lock"), marked("Nothing changes at or below a locked node, neither by hand nor "
             "automatically"), lambda w: w.document.hand.toggle(w.document.selected, "locked"), "Shift+K", "lock",
             checked=_marked_by("locked")),
        Verb("exclude", marked("E&xclude columns below…"), marked("Chooses columns that no search uses at and below "
             "the selected node"), lambda w: w.asks.exclude(), "X", "ignore", no_features),
        Verb("node_criterion", marked("&Criterion here…"), marked("Chooses by what the selected node and those below "
             "it are searched"), lambda w: w.asks.criterion(), "Shift+C"),
        Verb("lock_columns", marked("L&ock columns…"), marked("Chooses columns that no search may use"),
             lambda w: w.asks.lock_columns(), "Ctrl+K", "lock", no_features),
        Verb("follow_row", marked("&Follow a row…"), marked("Lights the way of one row, with the values that it has at "
             "each split: type its number, or pick it from the list"), lambda w: follow(w, "number"), "Ctrl+R",
             refusal=only_counted),
        Verb("follow_where", marked("Follow rows &where…"), marked("Lights the flow of the rows for which a condition "
             "holds, as in age > 40 and city == \"Berlin\""), lambda w: follow(w, "condition"), "Ctrl+Shift+R",
             refusal=only_counted),
        Verb("follow_here", marked("Follow the rows he&re"), marked("Lights the flow of the rows of the selected "
             "nodes; they stay the same when the tree changes"),
             lambda w: w.document.following.follow_nodes(w.document.several.nodes), "Ctrl+Alt+R", refusal=only_counted),
        Verb("follow_wrong", marked("Follow the &errors"), marked("Lights the flow of the rows that the tree labels "
             "wrongly; of numbers the tenth that is furthest from what it says; test rows only once they were looked "
             "at"), lambda w: w.document.following.follow_wrong(), refusal=not_following_errors),
        Verb("copy_path", marked("Copy the pat&h"), marked("Copies the conditions that lead to the selected nodes, in "
             "words"), lambda w: copy_path(w.document), "Y", refusal=no_path),
        Verb("copy_query", marked("Copy the path as a &query"), marked("Copies the way to the selected nodes as an "
             "expression for DataFrame.query of pandas, which selects exactly their rows"),
             lambda w: copy_query(w.document), "Shift+Y", refusal=no_path),
        Verb("stop", marked("S&top"), marked("Stops the work and keeps the valid tree so far; or ends following rows, "
             "several selected nodes, or cutting by clicks"), lambda w: stop(w.document), "Esc", "stop",
             nothing_to_stop, marked("Stop")),
        Verb("columns", marked("&Columns"), marked("Shows the columns: their roles, their types, what they hold"),
             lambda w: w.show_panel("columns").setFocus()),
        Verb("partition", marked("&Partition…"), marked("Divides the rows into training, validation and test rows"),
             lambda w: w.asks.partition(), icon="partition", refusal=only_counted),
        Verb("test", marked("Look at the &test rows…"), marked("Shows the error on the test rows: look last, and "
             "choose nothing by it"), lambda w: w.asks.test(), refusal=no_test_rows),
        Verb("handbook", marked("&Handbook"), marked("Opens the handbook at the page of the panel that has the focus"),
             lambda w: w.show_help(), Key.HelpContents, "help", refusal=nothing),
        Verb("tour", marked("&Guided tour"), marked("Leads through the program in five minutes, with the penguins"),
             lambda w: w.tour.begin(), refusal=nothing),
        Verb("shares", marked("&Impurity of any p, q, r…"), marked("Draws the impurity of a node and its branches with "
             "shares that you choose: no table is needed"), lambda w: w.asks.shares(), refusal=nothing),
        Verb("whats_this", marked("&What is this?"), marked("Click on anything to learn what it is"),
             lambda w: QWhatsThis.enterWhatsThisMode(), Key.WhatsThis, refusal=nothing),
        Verb("shortcuts", marked("&Shortcuts"), marked("Lists all keys"), lambda w: w.asks.shortcuts(),
             "Ctrl+F1", refusal=nothing),
        Verb("about", marked("&About Espalier"), marked("Version, licence, and what this is"), lambda w: w.asks.about(),
             refusal=nothing),
        Verb("open_log", marked("Open &log"), marked("Opens the file that records messages and errors"),
             lambda w: w.open_log(), refusal=nothing),
    )
}  # fmt: skip

BY_METHOD = {
    f"prune_by_{name}": Verb(f"prune_by_{name}", method.label, method.explanation, methodcaller("prune", name),
                             refusal=no_pruning(name))
    for name, method in METHODS.items()
}  # fmt: skip
VERBS |= BY_METHOD
