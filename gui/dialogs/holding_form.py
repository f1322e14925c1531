"""How the rows of a large table are held: in memory, as codes on the disk, or only some of them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QRadioButton, QWidget

import engine
from engine.runtime.sentences import tr
from gui.widgets.building import named, refuse
from gui.widgets.fields import WholeBox
from gui.widgets.labels import quiet, stack
from gui.wording import words

MOST_SAMPLED = 10_000_000
FEWEST_SAMPLED = 1000
CELL_BYTES = 18  # of a sample in memory, as `engine.room_for` counts them


class HoldingForm(QWidget):
    """Four ways to hold the rows, with what each takes; without a choice it is hidden by its owner."""

    changed = Signal()  # `held` is another one

    def __init__(self) -> None:
        super().__init__()
        self._room: engine.Room | None = None
        texts = {
            "memory": tr("In &memory"), "codes": tr("Codes on &disk: all rows, the same tree"),
            "sample": tr("A sam&ple of the rows"), "counts": tr("&Where they are: each look counts them anew"),
        }  # fmt: skip
        self._buttons = {way: named(QRadioButton(text), f"hold_{way}") for way, text in texts.items()}
        self._said: dict[str, QLabel] = {way: quiet("", f"hold_{way}_said") for way in texts}
        self._rows = named(WholeBox(singleStep=10_000), "sampled_rows",
                           tr("Rows of the sample"), valueChanged=self._say)  # fmt: skip
        self._rows.setGroupSeparatorShown(True)
        self._rows.setRange(FEWEST_SAMPLED, MOST_SAMPLED)
        self._rows.setValue(100_000)
        group, parts = QButtonGroup(self), list[QWidget]()
        for way, button in self._buttons.items():
            group.addButton(button)
            button.toggled.connect(self._refresh)
            under = QWidget()
            stack(under, *([self._rows] if way == "sample" else []), self._said[way], spacing=4, margins=(24, 0, 0, 4))
            parts += [button, under]
        stack(self, *parts, spacing=2, margins=(0, 0, 0, 0))

    @property
    def held(self) -> str:
        """ "memory", "codes", "sample" or "counts"."""
        return next((way for way, button in self._buttons.items() if button.isChecked()), "memory")

    @property
    def sampled(self) -> int:
        """How many rows a sample has."""
        return self._rows.value()

    def show_room(self, room: "engine.Room | None") -> None:
        """Says what each way takes, and proposes one unless a person has chosen; None: only memory can be used."""
        first, self._room = self._room is None, room
        if room is None:
            self._buttons["memory"].setChecked(True)
            return
        free = room.free_memory
        refuse(self._buttons["memory"], tr("It needs more memory than is free.")
               if free is not None and room.memory > free else "")  # fmt: skip
        refuse(self._buttons["codes"], tr("The disk has no room for the codes.")
               if room.codes > room.free_disk else "", tr("They go to {folder}, from where they can be deleted at any "
               "time: they are made again when they are needed.", folder=str(room.folder)))  # fmt: skip
        if first or not self._buttons[self.held].isEnabled():
            self._buttons[room.proposed].setChecked(True)
        self._say()

    def _say(self) -> None:
        room = self._room
        if room is None:
            return
        size, took = words.size, {way: words.about_seconds(spent) for way, spent in room.seconds.items()}
        memory, free = size(room.memory), room.free_memory
        self._said["memory"].setText(
            tr("About {size}, {time}.", size=memory, time=took["memory"]) if free is None else
            tr("About {size} of {free} that are free, {time}.", size=memory, free=size(free), time=took["memory"])
        )  # fmt: skip
        self._said["codes"].setText(
            tr("About {size} of {free} that are free, {time}; later at once.", size=size(room.codes),
               free=size(room.free_disk), time=took["codes"])
        )  # fmt: skip
        drawn = min(self.sampled, room.n_rows)
        self._said["sample"].setText(
            tr("{share} of about {n} rows, {size} of memory, {time}. Figures are estimates.",
               share=words.rate(drawn / max(room.n_rows, 1)), n=words.count(room.n_rows),
               size=size(drawn * room.n_columns * CELL_BYTES), time=took["sample"])
        )  # fmt: skip

        self._said["counts"].setText(
            tr("No room on the disk, {time} for each look. What needs single rows is not offered.", time=took["counts"])
        )  # fmt: skip

    def _refresh(self) -> None:
        self._rows.setEnabled(self.held == "sample")
        self.changed.emit()
