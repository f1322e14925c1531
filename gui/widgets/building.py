"""What building widgets repeats: a name for tests and style sheets, one for those who hear it, a tooltip; layouts."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, SignalInstance
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFormLayout, QLayout, QMenu, QPushButton, QScrollArea, QSplitter, QToolButton, QWidget

from gui import icons
from gui.widgets import verbatim
from gui.widgets.buttons import Button, ToolButton

W = TypeVar("W", bound=QWidget)
L = TypeVar("L", bound=QtWidgets.QBoxLayout)
Part = QWidget | QLayout
Item = Part | tuple[Part, int] | int
Margins = tuple[int, ...]


def named(widget: W, name: str, spoken: str = "", tip: str = "", **properties: Any) -> W:
    """The widget; `properties` are further ones of Qt, or its signals, each with what it calls."""
    widget.setObjectName(name)
    widget.setAccessibleName(spoken)
    widget.setToolTip(verbatim.tip(tip))
    for key, value in properties.items():
        signal = getattr(widget, key, None)
        if isinstance(signal, SignalInstance):
            signal.connect(value)
        else:
            widget.setProperty(key, value)
    return widget


def tool_button(name: str, text: str = "", spoken: str = "", tip: str = "", **properties: Any) -> QToolButton:
    return named(ToolButton(autoRaise=True), name, spoken, tip, text=text, **properties)


def flat_button(name: str, text: str = "", spoken: str = "", tip: str = "", **properties: Any) -> QPushButton:
    """Has no frame until the keys are on it: by itself a flat button does not show that."""
    button = named(Button(text, flat=True), name, spoken, tip, **properties)
    Reaction(button, lambda: button.setFlat(not button.hasFocus()), QEvent.Type.FocusIn, QEvent.Type.FocusOut)
    return button


def picture_button(
    name: str, said: str, icon: str, focus: Qt.FocusPolicy = Qt.FocusPolicy.TabFocus, **properties: Any
) -> QToolButton:
    """A flat button of a picture alone, of which `said` tells what it does; a click leaves the keys where they are."""
    button = named(QToolButton(autoRaise=True), name, said, said, focusPolicy=focus, **properties)
    if icon:
        icons.put(button, icon)
    return button


def refuse(what: QWidget | QAction, why: str, usual: str = "") -> None:
    """Greys what cannot be used, whose tooltip then says why instead of what is usual; without a reason it can be."""
    what.setEnabled(not why)
    what.setToolTip(verbatim.tip(why or usual))


def entry(menu: QMenu, text: str, do: Callable[[], object], *, name: str = "", ticked: bool | None = None) -> QAction:
    """Adds an entry to a menu; `ticked`: whether it is, where it can be."""
    action = menu.addAction(text, lambda: do())  # without saying whether it is ticked now
    action.setObjectName(name)
    action.setCheckable(ticked is not None)
    action.setChecked(bool(ticked))
    return action


def side_by_side(*parts: tuple[QWidget, int, int]) -> QSplitter:
    """Widgets whose shares of the room can be pulled, each with its width in pixels and its stretch."""
    splitter = split(Qt.Orientation.Horizontal, *(part for part, _, _ in parts))
    for k, (_, _, stretch) in enumerate(parts):
        splitter.setStretchFactor(k, stretch)
    splitter.setSizes([width for _, width, _ in parts])
    return splitter


def open_menu(menu: QMenu, where: QPoint) -> None:
    """Shows a menu at a point of the screen; it goes when it closes."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(where)


def split(way: Qt.Orientation, *parts: QWidget) -> QSplitter:
    """Parts side by side or below each other, of which none can be dragged away."""
    splitter = QSplitter(way, childrenCollapsible=False)
    for part in parts:
        splitter.addWidget(part)
    return splitter


def stacked(*pages: QWidget) -> QtWidgets.QStackedWidget:
    stack = QtWidgets.QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack


def empty_page(text: str = "", name: str = "") -> QtWidgets.QLabel:
    """The page of a panel that has nothing to show: a sentence that says how to make that appear."""
    label = verbatim.label(text, wordWrap=True, objectName=name)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return label


def put_pages(panel: QWidget, *pages: QWidget, margins: Margins = (8, 8, 8, 0)) -> QtWidgets.QStackedWidget:
    """Fills a panel with pages, of which the first one is shown; `margins` are pixels as Qt orders them."""
    stack = stacked(*pages)
    fill(QtWidgets.QVBoxLayout(panel), stack, margins=margins)
    return stack


def form(owner: QWidget) -> QFormLayout:
    """A form layout on the grid of the program: labels on the left, fields as wide as there is room."""
    growing = QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow
    layout = QFormLayout(owner, horizontalSpacing=12, verticalSpacing=8, fieldGrowthPolicy=growing)
    layout.setContentsMargins(0, 0, 0, 0)
    return layout


def fill(layout: L, *parts: Item, spacing: int = 4, margins: Margins = (0, 0, 0, 0)) -> L:
    """The layout with these parts, each perhaps with its stretch; a number is a gap of so many pixels between two of
    them, 0 one that grows. `spacing` and `margins` are in pixels."""
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for part in parts:
        item, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(item, QLayout):
            layout.addLayout(item, stretch)
        elif isinstance(item, QWidget):
            layout.addWidget(item, stretch)
        elif item:
            layout.addSpacing(item)
        else:
            layout.addStretch(1)
    return layout


def below(*parts: Item, spacing: int = 4, margins: Margins = (0, 0, 0, 0)) -> QWidget:
    """A widget with these parts below each other, as `fill` takes them."""
    box = QWidget()
    fill(QtWidgets.QVBoxLayout(box), *parts, spacing=spacing, margins=margins)
    return box


def yielding(widget: W) -> W:
    """Gives a widget the width that there is, however little, and its own height."""
    widget.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
    return widget


def scrolling(inner: QWidget) -> QScrollArea:
    """Shows a part of what is larger than its room, without a frame."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(area.Shape.NoFrame)
    area.setWidget(inner)
    return area


def later(owner: QObject, do: Callable[[], object], wait: int = 0) -> QTimer:
    """A timer that does something once, so many milliseconds after it was started the last time."""
    timer = QTimer(owner, singleShot=True, interval=wait)
    timer.timeout.connect(do)
    return timer


class Reaction(QObject):
    """Does something whenever a widget gets an event of one of some types, before the widget itself sees it."""

    _types: tuple[QEvent.Type, ...] = ()  # of what is cleaned away with its widget, which still gets events

    def __init__(self, widget: QWidget, do: Callable[[], object], *types: QEvent.Type) -> None:
        super().__init__(widget)
        self._do, self._types = do, types
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self._types:
            self._do()
        return False


def stack_where_narrow(panel: QWidget, row: QtWidgets.QBoxLayout, lines: int) -> None:
    """Puts the parts of a row below each other while the panel is narrower than so many lines of text are high."""

    def arrange() -> None:
        narrow = panel.width() < lines * panel.fontMetrics().height()
        row.setDirection(row.Direction.TopToBottom if narrow else row.Direction.LeftToRight)

    Reaction(panel, arrange, QEvent.Type.Resize, QEvent.Type.FontChange)


def claims(
    event: QEvent, *keys: int, when: Callable[[], bool] = lambda: True,
    but: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> bool:  # fmt: skip
    """Takes one of these keys before a shortcut of the window does, unless a modifier of `but` is held."""
    meant = isinstance(event, QKeyEvent) and event.key() in keys and not event.modifiers() & but
    claimed = meant and event.type() == QEvent.Type.ShortcutOverride and when()
    if claimed:
        event.accept()
    return claimed
