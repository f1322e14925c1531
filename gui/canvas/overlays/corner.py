"""The upper right corner of the canvas: find bar, filter and best leaves, one below the other, while wanted."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QKeyEvent

from gui.canvas.canvas import Canvas
from gui.canvas.overlays.find_bar import FindBar
from gui.canvas.overlays.leaf_cards import BestList, FilterChip, FilterForm
from gui.canvas.overlays.overlay import Overlay
from gui.model.view_state.look import SHOWN_BY
from gui.picture.emphasis import NOTHING
from gui.picture.leaves import HIGHEST

INSET, GAP = 8, 6  # pixels
LEFT = 46  # pixels, where the button stands that turns the tree
LEAST = 290  # pixels that a card may take in a narrow canvas
LEAST_SHARE = 0.4  # of the canvas that a tree is fitted into, aside from the cards
ROOT = 60  # pixels right of the middle, where the root of a fitted tree stands
# In the order from above; what has to hold for one to be wanted, so that none is made before.
KINDS: dict[str, Callable[[Canvas], Overlay]] = {
    "finding": FindBar, "filter": FilterChip, "filtering": FilterForm, "best": BestList}  # fmt: skip
FOLLOWED = frozenset({"finding", "query", "found", "filter", "filtering", "best", "part"})


class Corner(QObject):
    """Places the cards, and keeps the selected node and, of a fitted tree, those with rings out from below them."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        document = canvas.document
        self._document, self._canvas = document, canvas
        self.cards: dict[str, Overlay] = {}
        canvas.installEventFilter(self)
        document.look.changed.connect(self._on_look_changed)
        document.treeChanged.connect(self._refresh)
        document.focusChanged.connect(self._refresh)
        document.selectionChanged.connect(self._on_selection_changed)
        self._refresh()

    def open_best(self) -> None:
        """Opens the list of the best leaves: for the class in focus, or the highest."""
        document, tree = self._document, self._document.tree
        if tree is not None and document.look.best is None:
            document.look.set(best=tree.classes[document.focus_class] if tree.classes else HIGHEST)
        self.open("best", document.look.best)

    def open(self, name: str, value: object = True) -> None:
        self._document.look.set(**{name: value})
        if name in self.cards:
            self.cards[name].take_focus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._arrange()
            self._leave_free()
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            for name in ("best", "filtering", "finding"):  # the lowest one
                if name in self.cards and self.cards[name].isVisible():
                    self.cards[name].leave()
                    return True
        return False

    def _on_look_changed(self, names: frozenset[str]) -> None:
        if names & FOLLOWED:
            self._refresh()
        elif names & SHOWN_BY:
            self._leave_free()

    def _on_selection_changed(self) -> None:
        """Moves the tree where the selected node stands below a card."""
        self._refresh()
        box, shown = self._canvas.node_rect(self._document.selected), self._shown
        if box.isEmpty() or not any(box.intersects(card) for card in shown):
            return
        left, bottom = min(card.left() for card in shown), max(card.bottom() for card in shown)
        aside, below = left - GAP - box.right(), bottom + GAP - box.top()
        fits_below = box.height() + bottom + GAP < self._canvas.height()
        moved = (0.0, below) if fits_below and below < -aside else (aside, 0.0)
        self._canvas.go(lambda: self._canvas.port.pan(*moved))

    def _refresh(self) -> None:
        look, tree = self._document.look, self._document.tree
        for name, kind in KINDS.items():
            wanted = tree is not None and getattr(look, name) not in (None, False)
            if wanted and name not in self.cards:
                self.cards[name] = card = kind(self._canvas)
                card.grown.connect(self._arrange)
                card.opening.connect(self.open)
            if name in self.cards:
                card, wanted = self.cards[name], wanted and self.cards[name].is_wanted
                if wanted:
                    card.refresh()
                card.setVisible(wanted)
        self._arrange()
        self._leave_free()
        self._canvas.update()

    def _arrange(self) -> None:
        """Puts the cards one below the other, beside the root of a fitted tree as far as there is room."""
        width, top = self._canvas.width(), INSET
        room = min(width - LEFT - INSET, max(LEAST, width // 2 - ROOT - INSET))
        for card in (self.cards[name] for name in KINDS if name in self.cards):
            if not card.isHidden():
                size = card.size_in(room)
                card.setGeometry(width - INSET - size.width(), top, size.width(), size.height())
                top += size.height() + GAP

    @property
    def _shown(self) -> list[QRectF]:
        return [QRectF(card.geometry()) for card in self.cards.values() if not card.isHidden()]

    def _leave_free(self) -> None:
        """Fits a fitted tree into what the cards leave of the canvas, below or beside them, if they would cover nodes
        with rings; into all of it once they do not."""
        port, cards, free = self._canvas.port, self._shown, (0.0, 0.0)
        ringed = (getattr(port.scene, "emphasis", None) or NOTHING).ringed
        placed = port.placed(port.fitting()) if cards and ringed.size else None
        if placed is not None and any(port.n_below(card, placed, ringed) for card in cards):
            left, bottom = min(card.left() for card in cards), max(card.bottom() for card in cards)
            below, beside = 1 - (bottom + GAP) / self._canvas.height(), (left - GAP) / self._canvas.width()
            if below >= max(beside, LEAST_SHARE):
                free = (0.0, (bottom + GAP) / port.magnified)
            elif beside >= LEAST_SHARE:
                free = ((self._canvas.width() - left + GAP) / port.magnified, 0.0)
        if free != port.free:
            port.free = free
            if port.follows:
                self._canvas.go(port.fit)
