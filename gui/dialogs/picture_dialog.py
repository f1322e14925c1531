"""Taking the tree away as a picture: how much of it, in which format, how large, and what stands around it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QButtonGroup, QCheckBox, QDialog, QDialogButtonBox, QRadioButton, QVBoxLayout, QWidget

from engine.runtime.errors import InputError
from gui.dialogs.labels import Notice, answers, quiet
from gui.dialogs.picture_form import PictureForm
from gui.dialogs.picture_words import outcome
from gui.picture.paper.sheet import View, Wish
from gui.picture.picture_model import Drawn
from gui.widgets import verbatim

SHORTEST = 40  # letters of a condition that is shortened


class PictureDialog(QDialog):
    """Asks for a picture.

    Attributes:
        copies: whether it goes to the clipboard instead of a file.
    """

    def __init__(
        self,
        scene: Drawn,
        selected: int,
        view: View,
        title: str,
        figures: str,
        parent: QWidget | None = None,
        whole: Drawn | None = None,
    ) -> None:
        """
        Args:
            scene: the tree as the canvas shows it.
            selected: the position of the selected node.
            view: what the canvas shows.
            title, figures: what may stand above the picture.
            whole: the same with all that is folded; None where nothing is.
        """
        super().__init__(parent)
        self.setObjectName("picture_dialog")
        self.setWindowTitle("Export picture")
        self._scene, self._whole_scene, self._selected, self._view = scene, whole, selected, view
        self.copies = False
        self._build(title, figures)

    @property
    def top(self) -> int:
        """The position of the node whose branch is wished for; 0 for the whole tree."""
        return self._selected if self._branch.isChecked() else 0

    @property
    def node(self) -> int | None:
        """The node whose branch is wished for; None for the whole tree."""
        return int(self._scene.tree.ids[self._selected]) if self._branch.isChecked() else None

    @property
    def view(self) -> View | None:
        """What the canvas shows, if that is wished for."""
        return self._view if self._seen.isChecked() else None

    @property
    def wish(self) -> Wish:
        return replace(self.form.wish, folded=self._folded.isChecked())

    @property
    def suffix(self) -> str:
        return self.form.suffix

    def show_wish(self, wish: Wish, suffix: str, heading: list[str]) -> None:
        """Begins with a wish, as it was the last time."""
        self._folded.setChecked(wish.folded)
        self.form.show_wish(wish, suffix, heading)
        self._refresh()

    def _build(self, title: str, figures: str) -> None:
        self._whole = QRadioButton("The &whole tree", objectName="picture_whole")
        self._branch = QRadioButton(f"The &branch below {verbatim.verb(self._name())}", objectName="picture_branch")
        self._seen = QRadioButton("What the &view shows", objectName="picture_view")
        self._whole.setChecked(True)
        self._branch.setVisible(self._selected > 0 and bool(self._scene.tree.n_branches[self._selected]))
        self._folded = QCheckBox("Folded branches sta&y folded", objectName="picture_folded")
        self._folded.setVisible(self._whole_scene is not None)
        self._folded.toggled.connect(self._refresh)
        group = QButtonGroup(self)
        self.form = PictureForm(title, figures)
        self.form.changed.connect(self._refresh)
        self._error = Notice()
        self._error.setObjectName("picture_error")
        self._outcome = quiet()
        self._outcome.setObjectName("picture_outcome")
        self._outcome.setMinimumHeight(3 * self.fontMetrics().lineSpacing() + 2)  # nothing moves while it changes
        buttons, self._export = answers(self, "&Export…", "export_button")
        self._copy = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setObjectName("copy_button")
        self._copy.setAutoDefault(False)
        self._copy.setToolTip("Puts the picture on the clipboard")
        self._copy.clicked.connect(self._on_copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(8)
        for button in (self._whole, self._branch, self._seen):
            group.addButton(button)
            button.toggled.connect(self._refresh)
            layout.addWidget(button)
        layout.addWidget(self._folded)
        layout.addSpacing(8)
        layout.addWidget(self.form)
        layout.addSpacing(8)
        layout.addWidget(self._error)
        layout.addWidget(self._outcome)
        layout.addStretch(1)
        layout.addWidget(buttons)
        self.setMinimumWidth(480)

    def _name(self) -> str:
        sentence = self._scene.tree.sentence(self._selected)
        return f"“{sentence if len(sentence) <= SHORTEST else sentence[: SHORTEST - 1] + '…'}”"

    def _on_copy(self) -> None:
        self.copies = True
        self.accept()

    def _refresh(self) -> None:
        """Says what will come of it; a page for browsers has all of a branch and is no picture to be copied."""
        page = self.suffix == ".html"
        if page and self._seen.isChecked():
            self._whole.setChecked(True)
        self._seen.setEnabled(not page)
        self._seen.setToolTip(verbatim.tip("A page for browsers holds the whole tree or a branch." if page else ""))
        self._folded.setEnabled(not self._seen.isChecked())
        self._folded.setToolTip(verbatim.tip("The view shows them folded." if self._seen.isChecked() else ""))
        folded = self._folded.isChecked() or self._seen.isChecked() or self._whole_scene is None
        scene = self._scene if folded else self._whole_scene
        try:
            sentence = outcome(scene, self.suffix, self.wish, self.top, self.view)
        except InputError as problem:
            self._error.say(str(problem), "error")
            self._outcome.hide()
        else:
            self._error.say("")
            self._outcome.setText(sentence)
            self._outcome.show()
        self._export.setEnabled(not self._error.text)
        self._copy.setEnabled(not page)
