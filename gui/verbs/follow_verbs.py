"""What the verbs about paths and rows do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from engine.runtime.errors import InputError
from gui import messages
from gui.verbs.refusals import not_working
from gui.window.path_label import AND, bracketed

if TYPE_CHECKING:
    from gui.model.document import Document
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
