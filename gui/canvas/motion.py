"""The short way of the camera from one view to the next.

Everything but the painting knows the goal only: what is asked, clicked or typed meanwhile is about the goal, and ends
the way there. Where pictures take too long for a smooth one there is none."""

import ctypes
import sys
from time import perf_counter as now

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from gui.model.view_state.look import Look
from gui.picture.camera import Camera, Spacing
from gui.widgets.building import Reaction

DURATION = 0.16  # seconds
FRAME = 12  # milliseconds from picture to picture
SLOW = 0.02  # seconds for a picture that are too many
INPUT = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.Wheel,
         QEvent.Type.KeyPress, QEvent.Type.NativeGesture, QEvent.Type.TouchBegin)  # fmt: skip
SPI_GETCLIENTAREAANIMATION = 0x1042


def reduced() -> bool:
    """Whether the system asks for less motion: no animations in its own windows."""
    if sys.platform == "win32":
        wanted = ctypes.c_int(1)
        if ctypes.windll.user32.SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(wanted), 0):
            return not wanted.value
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def between(start: Camera, goal: Camera, share: float) -> Camera:
    """The camera at a share from 0 to 1 of the way; what stands still at both ends stands still all along."""
    scale_x, x = _between(start.sx, goal.sx, start.x, goal.x, share)
    scale_y, y = _between(start.sy, goal.sy, start.y, goal.y, share)
    zoom = start.zoom * (goal.zoom / start.zoom) ** share
    return Camera(x, y, zoom, Spacing(full_x=scale_x / zoom, full_y=scale_y / zoom, tight_x=0.0, tight_y=0.0))


def _between(start: float, goal: float, begin: float, end: float, share: float) -> tuple[float, float]:
    """A scale on its way, and where a drawing begins that is shown with it."""
    scale = start * (goal / start) ** share
    if abs(goal / start - 1.0) > 1e-6:
        share = (scale - start) / (goal - start)
    return scale, begin + (end - begin) * share


class Motion(QObject):
    """Moves what a widget shows to where its camera is."""

    def __init__(self, look: Look, widget: QWidget) -> None:
        super().__init__(widget)
        self._look, self._widget = look, widget
        self.start: Camera | None = None  # where it comes from, while it is on its way
        self._began = self._last = 0.0  # when it began; seconds that the last picture took
        self._timer = QTimer(self, interval=FRAME, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(widget.update)
        Reaction(widget, self.end, *INPUT)  # whatever a person does is about the goal

    def shown(self, goal: Camera) -> Camera:
        if self.start is None:
            return goal
        share = (now() - self._began) / DURATION
        if share >= 1.0:
            self.end()
            return goal
        return between(self.start, goal, 1.0 - (1.0 - share) ** 3)

    def go(self, start: Camera, goal: Camera) -> None:
        self.end()
        wanted = self._look.motion and DURATION > 0 and self._last <= SLOW and self._widget.isVisible()
        if wanted and start != goal and not reduced():
            self.start, self._began = start, now()
            self._timer.start()

    def end(self) -> None:
        if self.start is not None:
            self.start = None
            self._timer.stop()
            self._widget.update()

    def painted(self, seconds: float) -> None:
        """Takes note of how long a picture took; after a slow one the way is at its end."""
        self._last = seconds
        if seconds > SLOW:
            self.end()
