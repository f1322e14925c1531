"""The main window: where everything is. No logic beyond showing, asking and passing on."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDesktopServices, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QMenu, QSizePolicy, QToolButton, QWidget

from engine.runtime.errors import readable
from engine.runtime.sentences import tr
from gui import icons, messages, settings, theme
from gui.canvas.overlays.overview import IcicleStrip
from gui.canvas.view import TreeView
from gui.dialogs.asking import (
    ask_anew,
    ask_below,
    ask_keep_by_hand,
    ask_other_table,
    ask_save_changes,
    ask_which_tree,
)
from gui.dialogs.start_page import StartPage, file_in, shipped_examples
from gui.files.autosave import Autosave
from gui.files.opening import Opening
from gui.files.saving import Files
from gui.help import pages
from gui.help.reader import Handbook
from gui.help.tour import Tour
from gui.model.document import Document
from gui.settings import Settings
from gui.verbs.actions import Actions
from gui.verbs.declared import BY_METHOD
from gui.verbs.hand_asks import HandAsks
from gui.verbs.menus import CONTEXT, TOOLBAR, WindowMenus
from gui.widgets import verbatim
from gui.widgets.building import Reaction, below, fill, named, open_menu, stacked
from gui.widgets.labels import PartsLabel
from gui.window.bars import CriterionBox, FitStrip, JobStatus, PathLabel, PresetBox, StatusBar, ToolBar, fit_words
from gui.window.message_bar import MessageBar
from gui.window.places import Places
from gui.wording import phrases

SPARE = 16  # pixels that the toolbar has to have before the fit comes back to it: or it would come and go
HINT_SHOWN = 4_000  # milliseconds
BACK_ROW = 200  # percent of the usual size that letters have on a screen of 1,080 pixels, so that a back row reads them
STEP_SHOWN = 15_000  # milliseconds that the status bar tells what a step did to the errors


class Presentation(QObject):
    """The window fills the screen and shows nothing but what stands in its middle, in larger letters: the tree, or the
    place that was given the whole middle. Everything comes back as it was. It begins and ends with
    `document.look.presenting`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._look = window, window.document.look
        self._place = QRect()
        self._state = Qt.WindowState.WindowNoState
        self._lent: list[QAction] = []
        self._hint = verbatim.label(tr("Esc ends the presentation"), window.pages, objectName="presentation_hint")
        self._hint.setAutoFillBackground(True)
        self._hint.setMargin(8)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        self._look.changed.connect(self._on_look_changed)
        window.installEventFilter(self)

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if "presenting" in names:
            self._begin() if self._look.presenting else self._leave()

    def _begin(self) -> None:
        window = self._window
        self._place, self._state = window.geometry(), window.windowState()
        # The keys of a hidden menu bar are dead: the window itself takes all that are not elsewhere already.
        self._lent = [action for action in window.actions_made.made.values() if action not in window.canvas.actions()]
        window.addActions(self._lent)
        for bar in (window.menuBar(), window.statusBar(), window.toolbar):
            bar.hide()
        window.places.present(True)
        if window.pages.currentWidget() is not window.canvas:  # which enlarges its letters itself
            usual = window.settings.value("text_size")
            theme.set_text_size(max(usual, round(BACK_ROW * window.screen().size().height() / 1080)))
        window.showFullScreen()
        if middle := window.pages.currentWidget():
            middle.setFocus()
        self._hint.show()
        QTimer.singleShot(0, self, self._place_hint)
        QTimer.singleShot(HINT_SHOWN, self._hint, self._hint.hide)

    def _place_hint(self) -> None:
        """In the letters that hold now, in the lower right corner of what fills the screen, above any message."""
        self._hint.adjustSize()
        room = self._window.screen().size() - self._hint.size()
        above = self._window.bar.height() * self._window.bar.isVisible()
        self._hint.move(room.width() - 24, room.height() - 24 - above)
        self._hint.raise_()

    def _leave(self) -> None:
        window = self._window
        self._hint.hide()
        for action in self._lent:
            window.removeAction(action)
        self._lent = []
        for bar in (window.menuBar(), window.statusBar(), window.toolbar):
            bar.show()
        window.places.present(False)
        theme.set_text_size(window.settings.value("text_size"))
        window.setWindowState(self._state)
        if not self._state & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            window.setGeometry(self._place)  # panels that need more width than the screen has would widen it

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key()
        ends = self._look.presenting and pressed == Qt.Key.Key_Escape
        if ends:
            self._look.set(presenting=False)
        return ends


class Window(QMainWindow):
    """One document and its panels."""

    def __init__(self, document: Document, remembered: Settings, autosave: Autosave | None = None) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowIcon(icons.app_icon())
        self.setAcceptDrops(True)
        self.document, self.settings, self.autosave = document, remembered, autosave
        document.look.remember(remembered)
        self.opening = Opening(self, document, remembered, self.when_safe, autosave)
        self.asks = HandAsks(self)
        self._closed = False
        self.handbook: Handbook | None = None  # from when it is first asked for
        self._build_centre()
        self.files = Files(self, document, remembered, self.canvas, self.asks.chosen,
                           lambda: fit_words(document.tree, None, document.choosing.choice) if document.tree is not None
                           else "")  # fmt: skip
        self._build_status_bar()
        self.actions_made = Actions(self)
        self._build_toolbar()
        self.menus = WindowMenus(self)
        self.presentation = Presentation(self)
        self._connect()
        geometry = remembered.value("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):  # most of the screen, not all of a large one
            room = self.screen().availableGeometry()
            self.resize(min(1600, round(room.width() * 0.96)), min(1000, round(room.height() * 0.92)))
            self.move(room.center() - self.rect().center() - QPoint(0, 16))  # the frame adds a title
        self._on_table_changed()
        messages.door.listen(self.bar.show_message)
        messages.door.withdrawn.connect(self.bar.withdraw)

    def _build_centre(self) -> None:
        self.bar = MessageBar()
        self.start_page = StartPage()
        self.start_page.set_examples(shipped_examples())
        self.start_page.set_recent(self.settings.recent)
        self.canvas = TreeView(self.document)
        self.canvas.setObjectName("canvas")
        self.canvas.set_text_size(self.settings.value("text_size"))
        self.pages = stacked(self.start_page, self.canvas)
        self.places = Places(self.document, self.settings, self.pages, IcicleStrip(self.canvas))
        self.panels = self.places.panels
        self.panels["candidates"].remember(self.settings)
        for name in ("candidates", "split_editor"):
            self.panels[name].whyAsked.connect(lambda: self.show_panel("why"))
        self.panels["why"].figureAsked.connect(lambda plot: self.files.export_figure(plot))
        self.panels["why"].sharesAsked.connect(lambda shown: self.asks.shares(shown))
        self.panels["replay"].handOutAsked.connect(lambda: self.files.hand_out())
        self.panels["rows"].exportAsked.connect(lambda rows, leaf: self.files.export_rows(rows, leaf))
        self.panels["printout"].exportAsked.connect(lambda program: self.files.export_printout(program))
        self.tour = Tour(self)
        self.setCentralWidget(below(self.tour, (self.places, 1), spacing=0))
        canvas, pages = self.canvas, self.pages
        self.bar.lie_on(pages, lambda: canvas.foot if pages.currentWidget() is canvas else 0)
        self.canvas.legendChanged.connect(self.bar.take_place)

    def _build_status_bar(self) -> None:
        self.rows = PartsLabel(", ", objectName="status_rows")
        self.rule = PathLabel(self.document)
        self.fit_below = FitStrip(self.document, "fit_strip_below")  # where the toolbar has no room for it
        self.rule.setContentsMargins(16, 0, 0, 0)
        self.job_status = JobStatus(self.document.jobs)
        bar = StatusBar()
        self.setStatusBar(bar)
        bar.setContentsMargins(12, 0, 0, 0)
        bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # or letters meant for something else would edit the tree
        left = QWidget()  # what is at the right has its room first
        fill(QHBoxLayout(left), self.rows, (self.rule, 1), margins=(0, 0, 0, 0))
        left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        bar.addWidget(left, 1)
        bar.addPermanentWidget(self.fit_below)
        bar.addPermanentWidget(self.job_status)

    def _build_toolbar(self) -> None:
        bar = named(ToolBar(tr("Toolbar"), movable=False), "toolbar")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.criterion = CriterionBox(self.document)
        self.preset = PresetBox(self.document)
        self.fit_strip = FitStrip(self.document, "fit_strip")
        boxes = {"criterion>": lambda bar: bar.addWidget(self.criterion),
                 "preset>": lambda bar: bar.addWidget(self.preset)}  # fmt: skip
        self.actions_made.fill(bar, TOOLBAR, boxes)
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(space)
        self._strip_action = bar.addWidget(self.fit_strip)
        buttons = {name: cast(QToolButton, bar.widgetForAction(made)) for name, made in self.actions_made.made.items()}
        for name in ("open", "undo", "redo", "fit", "find"):
            buttons[name].setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        methods = named(QMenu(self, toolTipsVisible=True), "prune_menu")
        self.actions_made.fill(methods, ("prune", "", *BY_METHOD, "", "click_cut"), {})
        buttons["prune"].setMenu(methods)
        buttons["prune"].setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.toolbar = bar
        self.addToolBar(bar)
        bar.fitted.connect(self._place_strip)
        Reaction(self, self._place_strip, QEvent.Type.Resize)

    def _connect(self) -> None:
        document, page = self.document, self.start_page
        document.cutback.ask_keep_by_hand = partial(ask_keep_by_hand, self)
        document.hand.ask_below = partial(ask_below, self)
        document.table_edits.ask_anew = partial(ask_anew, self)
        document.table_edits.ask_other_table = document.storage.ask_other_table = partial(ask_other_table, self)
        document.table_edits.ask_which_tree = partial(ask_which_tree, self)
        document.exportAsked.connect(self.files.export_table)
        document.told.connect(lambda text: self.statusBar().showMessage(text, STEP_SHOWN))
        document.tableChanged.connect(self._on_table_changed)
        document.treeChanged.connect(self._place_strip)
        document.began.connect(self.bar.dismiss_document)
        document.treeChanged.connect(self.bar.dismiss_step)
        document.searchChanged.connect(self.bar.dismiss_said)
        for action in self.actions_made.made.values():
            action.triggered.connect(self.bar.dismiss_said)
        document.treeChanged.connect(self.statusBar().clearMessage)  # what was told of the tree before
        document.pathChanged.connect(self._on_title_changed)
        document.modifiedChanged.connect(self._on_title_changed)
        self.canvas.contextMenuRequested.connect(self._on_context_menu)
        self.canvas.columnDropped.connect(document.hand.split_by_column)
        self.canvas.activated.connect(lambda node: self.show_panel("candidates"))
        self.panels["candidates"].view.typed.connect(self.actions_made.press)
        opening = self.opening
        for asked, do in ((page.openRequested, opening.choose), (page.folderRequested, opening.choose_folder),
                          (page.databaseRequested, opening.choose_database), (page.pathDropped, opening.open),
                          (page.pasteRequested, opening.paste), (page.exampleRequested, opening.example),
                          (page.recentRequested, opening.open), (page.tourRequested, self.tour.begin)):  # fmt: skip
            asked.connect(do)
        self.settings.changed.connect(self._on_setting_changed)

    def _on_table_changed(self) -> None:
        table = self.document.table
        self.places.show_places(table is not None)
        if table is not None and self.pages.currentWidget() is self.start_page:
            self.pages.setCurrentWidget(self.canvas)
            self.canvas.setFocus()  # for the keys
        elif table is None:
            self.document.look.set(presenting=False)
            self.pages.setCurrentWidget(self.start_page)
            self.start_page.verticalScrollBar().setValue(0)
        self.rows.setText(phrases.rows(table) if table is not None else tr("Open a table to begin"))
        self._on_title_changed()

    def _on_title_changed(self) -> None:
        name = verbatim.window_title(readable(self.document.name))
        self.setWindowTitle(f"{name}[*] — Espalier" if self.document.table is not None else "Espalier")
        self.setWindowModified(self.document.table is not None and self.document.modified)

    def _on_context_menu(self, node: int, where: QPoint) -> None:
        self.document.select(node)
        menu = named(QMenu(self), "node_menu")
        self.actions_made.fill(menu, CONTEXT, {})
        self.actions_made.leave_keys(menu)
        self.document.selectionChanged.connect(menu.close)  # it is about the node that was pointed at
        open_menu(menu, where)

    def _on_setting_changed(self, name: str) -> None:
        if name == "theme":
            theme.set_mode(self.settings.value("theme"))
        elif name == "text_size":
            theme.set_text_size(self.settings.value("text_size"))
            self.canvas.set_text_size(self.settings.value("text_size"))
            self.places.share()
        elif name == "recent":
            self.start_page.set_recent(self.settings.recent)

    def show_panel(self, name: str) -> Any:
        """Brings a panel to the front, and returns it; a presentation is about the canvas alone."""
        if not self.document.look.presenting:
            self.places.show_panel(name)
        return self.panels[name]

    def prune(self, method: str | None = None) -> None:
        self.show_panel("pruning")
        self.document.cutback.prune(method)

    def open_log(self) -> None:
        """Opens the log in the system's editor; says where it is when there is none."""
        path = settings.log_path()
        if not path.exists() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            messages.info(tr("The log is “{path}”.", path=path))

    def show_help(self) -> None:
        """Opens the handbook at the page about what has the focus, or at its contents."""
        named_by = {widget: name for name, widget in self.panels.items()}
        named_by |= {self.canvas: "canvas", self.start_page: "start_page"}
        at: QWidget | None = QApplication.focusWidget()
        while at is not None and at not in named_by:
            at = at.parentWidget()
        self.handbook = self.handbook or Handbook(self.settings)
        self.handbook.open(pages.OF_PLACES[named_by[at]] if at is not None else pages.CONTENTS)

    def _place_strip(self) -> None:
        """The fit stands in the toolbar, or in the status bar where that would push it into the toolbar's menu."""
        shown, wanted = self.toolbar.sizeHint().width(), self.fit_strip.sizeHint().width() + SPARE
        narrow = shown + wanted * (not self._strip_action.isVisible()) > self.width()
        self._strip_action.setVisible(not narrow)
        self.fit_below.setVisible(narrow)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if file_in(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.opening.open(file_in(event))

    def settle(self) -> None:
        """Takes what is typed in the panels and does not hold yet: search options, a note."""
        self.panels["search"].settle()
        self.panels["node"].note.settle()

    @property
    def unsaved(self) -> bool:
        """Whether something would be lost: changes, or an edit that is still on its way."""
        self.settle()
        return self.document.table is not None and (self.document.modified or self.document.edits.running)

    def when_safe(self, go_on: Callable[[], object]) -> None:
        """Goes on, but asks first about unsaved changes: after a save, at once, or not at all."""
        answer = self._fate_of_changes()
        if answer == "save":
            self.files.save(then=go_on)
        elif answer == "discard":
            go_on()

    def _fate_of_changes(self) -> str:
        """ "save", "discard" or "cancel": asks where something would be lost."""
        return ask_save_changes(self, self.document.name) if self.unsaved else "discard"

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved changes; a save has to be written first, then the window closes by itself."""
        if self._closed:
            return
        answer = self._fate_of_changes()
        if answer == "save":
            self.files.save(then=self.close)
        if answer != "discard":
            return event.ignore()
        self._closed = True
        self.document.look.set(presenting=False)
        self.settings.set("geometry", self.saveGeometry())
        self.settings.set("places", self.places.arranged.write())
        self.hide()
        messages.door.posted.disconnect(self.bar.show_message)
        messages.door.withdrawn.disconnect(self.bar.withdraw)
        if self.handbook is not None:
            self.handbook.close()
        self.document.shutdown()
        if self.autosave is not None:
            self.autosave.forget()
        event.accept()
