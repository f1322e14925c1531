"""Why a verb of the window cannot be used now, in a sentence for the tooltip; empty where it can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.pruning import why_not
from gui.model.editing.edits import is_leaf
from gui.model.editing.hand_edits import has_partner
from gui.model.search import guessing
from gui.model.view_state import folding

if TYPE_CHECKING:
    from gui.model.document import Document


def nothing(document: Document) -> str:
    return ""


def no_table(document: Document) -> str:
    return "" if document.table is not None else "Open a table first."


def not_growing(document: Document) -> str:
    """While somebody guesses, nothing makes or shows the splits that are to be guessed."""
    return no_table(document) or (guessing.HIDDEN if document.guessing else "")


def no_leaf(document: Document) -> str:
    if document.tree is None:
        return no_table(document)
    return "" if is_leaf(document.tree, document.selected) else "The selected node is split already: select a leaf."


def not_splitting(document: Document) -> str:
    return no_leaf(document) or not_growing(document)


def no_split_here(document: Document) -> str:
    leaf = document.tree is not None and is_leaf(document.tree, document.selected)
    return no_table(document) or ("The selected node is a leaf: select one that is split." * leaf)


def no_folds(document: Document) -> str:
    return no_table(document) or ("" if folding.folded(document) is not None else "Nothing is folded.")


def no_levels_more(document: Document) -> str:
    tree = document.tree
    every = tree is not None and folding.levels_shown(document) == tree.depth
    return no_table(document) or ("All levels are shown." * every)


def no_levels_fewer(document: Document) -> str:
    single = folding.levels_shown(document) <= 1
    return no_table(document) or ("There is but one level below the root." * single)


def not_replacing(document: Document) -> str:
    return no_split_here(document) or not_growing(document)


def not_choosing(document: Document) -> str:
    return no_features(document) or not_growing(document)


def no_merging(document: Document) -> str:
    if document.tree is None or not is_leaf(document.tree, document.selected):
        return no_leaf(document)
    alone = not has_partner(document.tree, document.selected)
    return "There is no leaf beside this one to merge it with." * alone


def no_pasting(document: Document) -> str:
    nothing = "" if document.hand.can_paste else "No branch was copied: select a node that is split, and copy it."
    return no_leaf(document) or nothing


def no_label(document: Document) -> str:
    """The selected node is a leaf, or says something by hand from the time when it was one."""
    tree = document.tree
    return "" if tree is not None and tree.mark(document.selected).label is not None else no_leaf(document)


def no_test_rows(document: Document) -> str:
    none = document.table is not None and document.table.n_test == 0
    return no_table(document) or ("No rows are kept for a last test: “Partition…” divides the rows." * none)


def no_validation_rows(document: Document) -> str:
    none = document.tree is not None and int(document.tree.rows_validation[0]) == 0
    return no_table(document) or ("No rows are kept for validation: “Partition…” divides the rows." * none)


def no_splits(document: Document) -> str:
    single = document.tree is not None and document.tree.n_leaves == 1
    return no_table(document) or ("The tree has no split yet." * single)


def no_code(document: Document) -> str:
    numeric = document.table is not None and document.table.task == "number"
    return no_table(document) or (
        "The target is numeric: what leaves say is no choice among a few classes, so the tree has no code." * numeric
    )


def no_pruning(method: str) -> Callable[[Document], str]:
    """Why a pruning method cannot work on the table of a document."""

    def why(document: Document) -> str:
        if document.table is None:
            return no_table(document)
        return why_not(method, document.table) or no_splits(document)

    return why


def no_undo(document: Document) -> str:
    return "" if document.can_undo else "Nothing to undo."


def no_redo(document: Document) -> str:
    return "" if document.undo_stack.canRedo() else "Nothing to redo."


def not_working(document: Document) -> str:
    return "" if (document.jobs.working or document.cutback.comparing) else "Nothing is running."


def nothing_to_stop(document: Document) -> str:
    ends = document.click_cut.on or document.following.on or document.several.on
    return "" if ends else not_working(document)


def no_features(document: Document) -> str:
    missing = document.table is not None and not document.table.features
    return no_table(document) or ("No column is a feature: give one that role in the panel “Columns”." * missing)


def no_path(document: Document) -> str:
    """A way in words begins below the root."""
    root = document.tree is not None and 0 in document.several.nodes
    return no_table(document) or ("No condition leads to the root: select another node." * root)
