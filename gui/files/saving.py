"""From the window to files: save, export the picture, the tree, its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from gui import messages, theme
from gui.dialogs.picture_dialog import usable
from gui.model import file_tasks
from gui.picture.paper.sheet import PAPERS, View, Wish
from gui.picture.picture_model import PictureModel
from gui.window.fit_strip import fit_words
from gui.wording import hand_phrases

if TYPE_CHECKING:
    from gui.window.window import Window

PROJECT_SUFFIX = ".espalier"
PICTURES = {
    "PNG picture (*.png)": ".png", "SVG drawing (*.svg)": ".svg", "PDF (*.pdf)": ".pdf",
    "Page for browsers (*.html)": ".html",
}  # fmt: skip


class Files:
    """Writes what the window shows."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._document = window.document
        self._said = ""  # where something was written last

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Saves the project; asks for a name the first time. `then` is called once it is written."""
        if self._document.path is None:
            self.save_as(then)
        else:
            self._save(self._document.path, then)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Saves the project under a name that is asked for."""
        folder = Path(self._window.settings.value("last_folder"))
        proposed = self._document.path or folder / f"{self._document.name}{PROJECT_SUFFIX}"
        path = self._asked("Save as", proposed, {f"Espalier project (*{PROJECT_SUFFIX})": PROJECT_SUFFIX})
        if path is not None:
            self._save(path, then)

    def _asked(self, title: str, proposed: Path, filters: dict[str, str]) -> Path | None:
        """Where to write what is shown; None when that was cancelled, or is another tree by then."""
        beginning = self._document.beginning
        path = ask_save(self._window, title, proposed, filters)
        if path is not None and self._document.beginning is not beginning:
            messages.warning(hand_phrases.OTHER_TREE)
            return None
        return path

    def _save(self, path: Path, then: Callable[[], None] | None) -> None:
        def written() -> None:
            self._window.remember(path)
            if then is not None:
                then()

        self._document.storage.save(path, written)

    def export_picture(self) -> None:
        """Asks for a picture, then writes it under a name that is asked for, or puts it on the clipboard."""
        from gui.dialogs.picture_dialog import PictureDialog

        document, canvas = self._document, self._window.canvas
        scene = canvas.scene_in(theme.LIGHT)
        if scene is None or document.tree is None or document.selected not in scene.tree:
            return
        selected, figures = scene.tree.position(document.selected), fit_words(document.tree, None)
        whole = canvas.scene_in(theme.LIGHT, folded=False) if scene.folded is not None else None
        dialog = PictureDialog(scene, selected, canvas.shown(), self._title(), figures, self._window, whole)
        dialog.show_wish(*self._kept())
        if not self._window.asks.chosen(dialog):
            return
        wish, suffix, node, view = dialog.wish, dialog.suffix, dialog.node, dialog.view  # it goes when others open
        self._keep(wish, suffix, dialog.form.heading)
        if dialog.copies:
            self._copy(wish, node, view)
        else:
            self._draw(wish, suffix, node, view)

    def copy_picture(self) -> None:
        """Puts the whole tree on the clipboard, looking as the picture that was taken away last."""
        wish, _, heading = self._kept()
        tree = self._document.tree
        if tree is not None:
            figures = fit_words(tree, None) if "figures" in heading else ""
            self._copy(
                replace(wish, title=self._title() if "title" in heading else "", figures=figures),
                None,
                None,
                small=True,
            )

    def _title(self) -> str:
        tree = self._document.tree
        return f"{self._document.name}: {tree.target}" if tree is not None else ""

    def _kept(self) -> tuple[Wish, str, list[str]]:
        """How the last picture was: its look, its format, what stood above it."""
        kept = self._window.settings.value
        return usable(Wish.from_text(kept("picture"))), kept("picture_kind"), kept("picture_heading")

    def _keep(self, wish: Wish, suffix: str, heading: list[str]) -> None:
        for name, value in (("picture", wish.to_text()), ("picture_kind", suffix), ("picture_heading", heading)):
            self._window.settings.set(name, value)

    def _draw(self, wish: Wish, suffix: str, node: int | None, view: View | None) -> None:
        first = {words: each for words, each in PICTURES.items() if each == suffix}
        path = self._ask("Export picture", {**first, **PICTURES})
        if path is None:
            return
        said = f"The picture is in “{path}”."
        self._with_scene(
            wish, node, view,
            lambda scene, top: self._document.jobs.run(
                f"Drawing {path.name}", file_tasks.drawn, path, scene, wish, top, view,
                done=lambda _: self._tell(said),
            ),
        )  # fmt: skip

    def _copy(self, wish: Wish, node: int | None, view: View | None, *, small: bool = False) -> None:
        def done(image: QImage) -> None:
            QGuiApplication.clipboard().setImage(image)
            self._tell(f"The picture is on the clipboard, {image.width():,} × {image.height():,} pixels.")

        self._with_scene(
            wish,
            node,
            view,
            lambda scene, top: self._document.jobs.run(
                "Drawing", file_tasks.imaged, scene, wish, top, view, small, done=done
            ),
        )

    def _with_scene(
        self, wish: Wish, node: int | None, view: View | None, run: Callable[[PictureModel, int], object]
    ) -> None:
        """Draws the tree, or the branch of a node, with what stands out, as it is when all edits that are on their way
        have arrived."""

        def draw() -> None:
            scene = self._window.canvas.scene_in(PAPERS[wish.theme], folded=wish.folded or view is not None)
            if scene is not None:
                run(scene, scene.tree.position(node) if node is not None and node in scene.tree else 0)

        self._document.edits.afterwards(draw)

    def export_tree(self) -> None:
        """Writes the tree as JSON under a name that is asked for."""
        self._export("Export JSON", {"Tree as JSON (*.json)": ".json"}, "The tree is")

    def export_rules(self) -> None:
        """Writes the rules of the tree as text under a name that is asked for."""
        self._export("Export rules", {"Rules as text (*.txt)": ".txt"}, "The rules are")

    def _export(self, title: str, filters: dict[str, str], what: str) -> None:
        """Writes the tree in the format of a suffix; `what` begins the sentence that says where it is then."""
        path = self._ask(title, filters)
        document = self._document
        if path is None or document.state is None:
            return
        said = f"{what} in “{path}”."
        document.edits.afterwards(
            lambda: document.jobs.run(
                f"Writing {path.name}", file_tasks.exported, path, document.state, done=lambda _: self._tell(said)
            )
        )

    def _tell(self, sentence: str) -> None:
        """Says where something is now, in the place of what was said about the file before: they would pile up."""
        bar = self._window.bar
        for row in [row for row in bar.rows if row.message.text == self._said]:
            bar.dismiss(row)
        self._said = sentence
        messages.info(sentence)

    def _ask(self, title: str, filters: dict[str, str]) -> Path | None:
        settings = self._window.settings
        folder = Path(settings.value("export_folder") or settings.value("last_folder"))
        path = self._asked(title, folder / self._document.name, filters)
        if path is not None:
            settings.set("export_folder", str(path.parent))
        return path


def ask_save(parent: QWidget, title: str, proposed: Path, filters: dict[str, str]) -> Path | None:
    """Asks where to write; None when it was cancelled.

    Args:
        filters: the words of each format, and its suffix. A name that is typed without one gets it before the
            dialog asks whether a file may be replaced.
    """
    dialog = QFileDialog(parent, title, str(proposed.parent), ";;".join(filters))
    dialog.setObjectName("save_dialog")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    suffixes = list(filters.values())
    dialog.setDefaultSuffix(suffixes[0])
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen]))
    name = proposed.name if proposed.suffix in suffixes else f"{proposed.name}{suffixes[0]}"
    dialog.selectFile(name)
    accepted = dialog.exec() == QFileDialog.DialogCode.Accepted
    chosen = dialog.selectedFiles()
    dialog.deleteLater()
    if not accepted or not chosen:
        return None
    path = Path(chosen[0])
    return path if path.suffix.lower() in suffixes else path.with_name(path.name + filters[dialog.selectedNameFilter()])
