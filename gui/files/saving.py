"""From the window to files: save, export the picture, the tree, its rules."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QDialog, QFileDialog, QGraphicsView, QWidget

import engine
from engine.formats import FORMATS, PICTURES, PRINTOUTS, PROJECT
from engine.runtime.errors import readable
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui import messages, theme
from gui.canvas.view import TreeView
from gui.dialogs.export_dialog import ExportDialog
from gui.dialogs.picture_dialog import PictureDialog, usable
from gui.dialogs.report_dialog import KINDS as REPORT_KINDS
from gui.dialogs.report_dialog import ReportDialog
from gui.dialogs.score_dialog import WRITTEN, ScoreDialog, ScoreReport
from gui.files.opening import filters
from gui.model import file_tasks
from gui.model.document import Document
from gui.picture.paper.sheet import PAPERS, View, Wish
from gui.settings import Settings
from gui.widgets import figure_files
from gui.wording import words


class Files:
    """Writes what the window shows. `chosen`: shows a dialog; answers whether it was accepted and is still about this
    tree. `figures`: how well the tree does, in words, for the heading of a picture."""

    def __init__(self, window: QWidget, document: Document, settings: Settings, canvas: TreeView,
                 chosen: Callable[[QDialog], bool], figures: Callable[[], str]) -> None:  # fmt: skip
        self._window, self._document, self._settings, self._canvas = window, document, settings, canvas
        self._chosen, self._figures = chosen, figures
        self._said: messages.Message | None = None  # where something was written last

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Saves the project; asks for a name the first time. `then` is called once it is written."""
        path = self._document.path
        self.save_as(then) if path is None else self._save(path, then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        proposed = Path(self._settings.value("last_folder")) / f"{self._document.name}{PROJECT}"
        kinds = {PROJECT: tr("Espalier project")}
        if path := self._asked(tr("Save as"), self._document.path or proposed, kinds):
            self._save(path, then)

    def _asked(self, title: str, proposed: Path, kinds: dict[str, str]) -> Path | None:
        """Where to write what is shown; None when that was cancelled, or is another tree by then. `kinds`: the suffix
        of each format, and its words. A name that is typed without one gets it before the dialog asks whether a file
        may be replaced."""
        filters = {f"{name} (*{suffix})": suffix for suffix, name in kinds.items()}
        dialog = QFileDialog(self._window, title, str(proposed.parent), ";;".join(filters))
        dialog.setObjectName("save_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        first = next(iter(kinds))
        dialog.setDefaultSuffix(first)
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen]))
        dialog.selectFile(proposed.name if proposed.suffix in kinds else f"{proposed.name}{first}")
        if not self._chosen(dialog) or not dialog.selectedFiles():
            return None
        path = Path(dialog.selectedFiles()[0])
        known = path.suffix.lower() in kinds
        return path if known else path.with_name(path.name + filters[dialog.selectedNameFilter()])

    def _save(self, path: Path, then: Callable[[], object] | None) -> None:
        def written() -> None:
            self._settings.add_recent(path)
            if then is not None:
                then()

        self._document.storage.save(path, written)

    def export_picture(self) -> None:
        """Asks for a picture, then writes it under a name that is asked for, or puts it on the clipboard."""
        document, canvas = self._document, self._canvas
        scene = canvas.stage.scene_in(theme.LIGHT)
        if scene is None or document.tree is None or document.selected not in scene.tree:
            return
        selected = scene.tree.position(document.selected)
        whole = canvas.stage.scene_in(theme.LIGHT, folded=False) if scene.folded is not None else None
        dialog = PictureDialog(scene, selected, canvas.shown(), self._title(), self._figures(), self._window, whole)
        dialog.show_wish(*self._kept())
        if not self._chosen(dialog):
            return
        wish, suffix, node, view = dialog.wish, dialog.form.suffix, dialog.node, dialog.view  # it goes when others open
        kept = {"picture": wish.to_text(), "picture_kind": suffix, "picture_heading": dialog.form.heading}
        for name, value in kept.items():
            self._settings.set(name, value)
        if dialog.copies:
            return self._copy(wish, node, view)
        kinds = {each: tr(PICTURES[each]) for each in (suffix, *PICTURES)}  # the wished one first
        if path := self._ask(tr("Export picture"), kinds):
            text, said = tr("Drawing {name}", name=path.name), tr("The picture is in “{path}”.", path=path)
            self._draw(text, file_tasks.drawn, wish, node, view, path, done=lambda _: self._tell(said))

    def copy_picture(self) -> None:
        """Puts the whole tree on the clipboard, looking as the picture that was taken away last."""
        wish, _, heading = self._kept()
        if self._document.tree is not None:
            title = self._title() if "title" in heading else ""
            figures = self._figures() if "figures" in heading else ""
            self._copy(replace(wish, title=title, figures=figures), None, None, small=True)

    def _title(self) -> str:
        tree = self._document.tree
        return f"{self._document.name}: {tree.target}" if tree is not None else ""

    def _kept(self) -> tuple[Wish, str, list[str]]:
        """How the last picture was: its look, its format, what stood above it."""
        kept = self._settings.value
        return usable(Wish.from_text(kept("picture"))), kept("picture_kind"), kept("picture_heading")

    def _copy(self, wish: Wish, node: int | None, view: View | None, *, small: bool = False) -> None:
        def done(image: QImage) -> None:
            QGuiApplication.clipboard().setImage(image)
            width, height = words.count(image.width()), words.count(image.height())
            self._tell(tr("The picture is on the clipboard, {width} × {height} pixels.", width=width, height=height))

        self._draw(tr("Drawing"), file_tasks.imaged, wish, node, view, small, done=done)

    def _draw(self, text: str, function: Callable[..., Any], wish: Wish, node: int | None, view: View | None,
              how: object, done: Callable[[Any], None]) -> None:  # fmt: skip
        """Draws the tree, or the branch of a node, with what stands out, as it is when all edits that are on their way
        have arrived."""

        def draw() -> None:
            scene = self._canvas.stage.scene_in(PAPERS[wish.theme], folded=wish.folded or view is not None)
            if scene is not None:
                top = scene.tree.position(node) if node is not None and node in scene.tree else 0
                self._document.jobs.run(text, function, scene, wish, top, view, how, done=done)

        self._document.edits.afterwards(draw)

    def export_tree(self) -> None:
        self._export(tr("Export JSON"), {".json": tr("Tree as JSON")}, marked("The tree is in “{path}”."))

    def export_rules(self) -> None:
        self._export(tr("Export rules"), {".txt": tr("Rules as text")}, marked("The rules are in “{path}”."))

    def export_code(self) -> None:
        """Shows the tree as code, checks it, and writes it under a name that is asked for."""
        document = self._document
        dialog = partial(ExportDialog, document, self._settings, self._write_code, self._window)
        document.edits.afterwards(lambda: dialog().open())

    def _write_code(self, format: str, content: str | bytes) -> None:
        suffix, name = FORMATS[format].suffix, self._module if FORMATS[format].suffix == ".py" else ""
        if path := self._ask(tr("Export code"), {suffix: tr(FORMATS[format].words)}, name):
            text, said = tr("Writing {name}", name=path.name), tr("The tree is in “{path}”.", path=path)
            whole = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
            self._document.jobs.run(text, file_tasks.kept, path, whole, done=lambda _: self._tell(said))

    def export_printout(self, program: str) -> None:
        """Writes the tree as a program of `engine.formats.PRINTOUTS` prints it."""
        kinds = {f".{program}": tr("Text as {program} prints it", program=PRINTOUTS[program])}
        self._export(tr("Export printout"), kinds, marked("The printout is in “{path}”."))

    def export_figure(self, plot: QGraphicsView) -> None:
        """Asks for a name, and writes a plot as it stands on the screen."""
        path = self._ask(tr("Export figure"), {suffix: tr(PICTURES[suffix]) for suffix in figure_files.SUFFIXES})
        if path is not None:
            drawn, said = figure_files.drawn(plot, path.suffix.lower()), tr("The figure is in “{path}”.", path=path)
            text = tr("Writing {name}", name=path.name)
            self._document.jobs.run(text, file_tasks.kept, path, drawn, done=lambda _: self._tell(said))

    def _export(self, title: str, kinds: dict[str, str], said: str) -> None:
        """Asks for a name, writes the tree in the format of its suffix, and says so; `said` is marked."""
        document, path = self._document, self._ask(title, kinds)

        def write() -> None:
            if path is not None:
                asked = path, document.state, document.edits.validation_trees, document.test_looks
                text = tr("Writing {name}", name=path.name)
                document.jobs.run(text, file_tasks.exported, *asked, done=lambda _: self._tell(tr(said, path=path)))

        document.edits.afterwards(write)

    def report(self) -> None:
        """Asks what a report of the tree is to say and where it goes; of test rows only once they were looked at."""
        document, settings = self._document, self._settings

        def ask() -> None:
            if (state := document.state) is None:
                return
            history, focus = document.history, document.focus_class
            said = {
                "test": document.test_opened, "looks": document.test_looks,
                "compared": document.edits.validation_trees, "pruning": document.cutback.shown_pruning,
                "focus": state.tree.classes[focus] if state.tree.classes else None,
                "made": [step.text for step in history.steps[: history.stack.index() + 1]],
            }  # fmt: skip
            left_out = settings.value("report_left_out")
            dialog = ReportDialog(document, state, said, left_out, document.introduction, self._window)
            if not self._chosen(dialog):
                return
            whole = dialog.report  # here: the dialog goes when others open
            document.introduce(dialog.introduction)
            settings.set("report_left_out", dialog.left_out)
            if path := self._ask(tr("Write the report"), {each: tr(text) for each, text in REPORT_KINDS.items()}):
                text, done = tr("Writing {name}", name=path.name), tr("The report is in “{path}”.", path=path)
                document.jobs.run(text, file_tasks.report_written, path, state, whole, said["focus"],
                                  done=lambda _: self._tell(done))  # fmt: skip

        document.edits.afterwards(ask)

    def copy_script(self) -> None:
        """Puts the script that makes the tree again on the clipboard."""

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._tell(tr("Copied: a script of {n} lines.", n=words.count(text.count("\n"))))

        self._script(file_tasks.scripted, done=done)

    def export_script(self) -> None:
        """Asks for a name, and writes the script that makes the tree again."""
        if path := self._ask(tr("Export script"), {".py": tr("Python script")}, self._module):
            said = tr("The script is in “{path}”.", path=path)
            self._script(file_tasks.script_written, path, done=lambda _: self._tell(said))

    def _script(self, task: Callable[..., Any], *how: Any, done: Callable[[Any], None]) -> None:
        document = self._document

        def write() -> None:
            if (state := document.state) is not None:
                asked = state, document.history.script, *how
                document.jobs.run(tr("Writing the script"), task, *asked, done=done, key="script")

        document.edits.afterwards(write)

    def hand_out(self) -> None:
        """Asks for a name, and writes the step of a replay that is on the canvas, or else the selected node with the
        sums behind its split, as a page."""
        document, replaying = self._document, self._document.replaying
        replay, step, what, table = replaying.replay, replaying.shown_at, replaying.words, document.table
        on = replaying.tree is not None  # before the dialog: a replay may play on below it
        path = self._ask(tr("Export hand-out"), {".pdf": tr("Page to print"), ".html": tr("Page for browsers")})
        if on and path is not None:
            text, said = tr("Writing {name}", name=path.name), tr("The hand-out is in “{path}”.", path=path)
            asked = path, table, replay, step, what
            document.jobs.run(text, file_tasks.step_handed_out, *asked, done=lambda _: self._tell(said))
            return

        def write() -> None:
            if path is not None and (state := document.state) is not None and document.selected in state.tree:
                choices = document.cutback.choices
                found = list(choices.found.values()) if choices is not None else []
                asked = path, state, document.selected, found, {**document.search, "criterion": document.criterion}
                text, done = tr("Writing {name}", name=path.name), tr("The hand-out is in “{path}”.", path=path)
                document.jobs.run(text, file_tasks.handed_out, *asked, done=lambda _: self._tell(done))

        document.edits.afterwards(write)

    def score(self) -> None:
        """Asks for a file with rows and for where to write them scored; then shows what was found in it."""
        document, tree = self._document, self._document.tree
        if tree is None:
            return
        dialog = ScoreDialog(tree, self._ask_rows, self._ask_scored, self._window)
        if not self._chosen(dialog):
            return
        source, target = dialog.source, dialog.target  # it goes when others open

        def run() -> None:
            if (state := document.state) is None:
                return

            def done(found: tuple[engine.Scored, list[str]]) -> None:
                ScoreReport(*found, state.tree, source, target, document, self._window).show()

            text = tr("Scoring {name}", name=source.name)
            document.jobs.run(text, file_tasks.scored, source, target, state, done=done, key="score")

        document.edits.afterwards(run)

    def export_rows(self, rows: NDArray[np.int64], leaf: NDArray[np.int64] | None) -> None:
        """Asks for a name, and writes these rows of the table, in their order, with what the tree predicts of them.
        `leaf`: the position of the leaf of every row of the table, if at hand."""
        from engine.formats.rows import MOST_ROWS  # here, as it brings the readers' library along

        document, state = self._document, self._document.state
        kinds = {each: tr(text) for each, text in WRITTEN.items() if each != ".xlsx" or rows.size < MOST_ROWS}
        path = self._ask(tr("Export rows"), kinds, tr("{name} rows", name=document.name))
        if path is not None and state is not None:
            text, said = tr("Writing {name}", name=path.name), tr("The rows are in “{path}”.", path=path)
            asked = path, state, rows, leaf
            document.jobs.run(text, file_tasks.rows_written, *asked, done=lambda _: self._tell(said), key="export rows")

    def _ask_rows(self) -> Path | None:
        folder, kinds = self._settings.value("last_folder"), filters(tables_only=True)
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Rows to score"), folder, kinds)
        return Path(path) if path else None

    def _ask_scored(self, proposed: Path) -> Path | None:
        return self._asked(tr("Write the scored rows to"), proposed, {each: tr(text) for each, text in WRITTEN.items()})

    def export_leaves(self) -> None:
        """Writes the leaf report of the whole tree."""
        document = self._document

        def write() -> None:
            if (state := document.state) is not None:
                make = partial(file_tasks.leaf_frame, state, int(state.tree.ids[0]), document.focus_class)
                self.export_table(make, tr("Export leaves"), tr("{name} leaves", name=document.name))

        document.edits.afterwards(write)

    def export_table(self, make: Callable[[Progress], Any], title: str = "", proposed: str = "") -> None:
        """Asks for a name and writes a data frame of figures there; `make` makes it in the worker. `proposed`: the name
        without its suffix; that of the table could replace the table itself."""
        kinds = {suffix: tr(kind) for suffix, kind in WRITTEN.items()}
        proposed = proposed or tr("{name} figures", name=self._document.name)
        path = self._ask(title or tr("Export table"), kinds, proposed)
        if path is not None:
            text, said = tr("Writing {name}", name=path.name), tr("The table is in “{path}”.", path=path)
            self._document.jobs.run(text, file_tasks.frame_exported, path, make, done=lambda _: self._tell(said))

    def _tell(self, sentence: str) -> None:
        """Says where something is now, in the place of what was said about the file before: they would pile up."""
        if self._said is not None:
            messages.withdraw(self._said)
        self._said = messages.info(readable(sentence))

    @property
    def _module(self) -> str:
        """The name of a module: that of the table may be one of Python's own, as of “statistics.csv”."""
        return f"{self._document.name}_tree"

    def _ask(self, title: str, kinds: dict[str, str], proposed: str = "") -> Path | None:
        folder = Path(self._settings.value("export_folder") or self._settings.value("last_folder"))
        name = proposed or self._document.name or tr("figure")  # of no table, a figure
        path = self._asked(title, folder / name, kinds)
        if path is not None:
            self._settings.set("export_folder", str(path.parent))
        return path
