"""Colours and letters of the window: one light theme and one dark one, following the system."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette

FONTS = Path(__file__).resolve().parent.parent / "resources" / "fonts"
FAMILY = "Liberation Sans"
MODES = ("system", "light", "dark")
# Okabe and Ito's colours, then seven of Paul Tol's: all are told apart by colour-blind people.
_CLASSES = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442"),
    *("#882255", "#44AA99", "#999933", "#332288", "#DDCC77", "#AA4499", "#117733"),
)


@dataclass(frozen=True, eq=False)
class Theme:
    """Every colour that the window draws with. Treat them as constants: never change one in place."""

    name: str  # "light" or "dark"
    canvas: QColor
    card: QColor
    border: QColor
    text: QColor
    secondary: QColor
    negative: QColor  # below the root's rate; the class that is not the focus
    positive: QColor  # above the root's rate; the focus class
    neutral: QColor  # "average" on tiles and bars
    ribbon: QColor  # "average" on edges
    accent: QColor  # selection, keyboard focus, the current choice; never data
    accent_text: QColor  # text on the accent
    window: QColor  # panels, bars, menus
    button: QColor
    training: QColor  # curve of training figures
    validation: QColor  # curve of validation figures
    warning: QColor
    error: QColor
    grid: QColor

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    @property
    def box(self) -> QColor:
        """The ground of a box to be ticked: in the dark Fusion's frame around it is too dark to be seen."""
        return mix(self.card, self.text, 0.36) if self.dark else self.card

    @property
    def flow_beside(self) -> QColor:
        """The colour of rows that are followed while one row is followed in the accent colour."""
        return mix(self.accent, self.canvas, 0.5)

    def class_colour(self, k: int, n_classes: int = 0, focus: int = 1) -> QColor:
        """The colour of class `k`; of two classes, the focus class is the positive one."""
        if n_classes == 2:
            return self.positive if k == focus else self.negative
        colour = QColor(_CLASSES[k % len(_CLASSES)])
        return mix(colour, QColor("white"), 0.22) if self.dark else colour

    def diverging(self, p: float, root_rate: float, *, ribbon: bool = False) -> QColor:
        """Distance of the rate `p` (0 to 1) from the rate of the root: neutral is average."""
        reach = min(max(root_rate if p < root_rate else 1 - root_rate, 0.35), 0.5)
        return self.scale((p - root_rate) / reach, ribbon=ribbon)

    def scale(self, distance: float, *, ribbon: bool = False) -> QColor:
        """The diverging scale itself: −1 is fully negative, 0 neutral, 1 fully positive; NaN is neutral."""
        neutral = self.ribbon if ribbon else self.neutral
        if distance != distance or distance == 0:
            return neutral
        pole = self.negative if distance < 0 else self.positive
        return mix(neutral, pole, min(abs(distance), 1.0) ** 0.75)


_COLOURS = {  # light and dark
    "canvas": ("#F6F7F9", "#15181D"), "card": ("#FFFFFF", "#20252C"), "border": ("#C9CFD8", "#3A424D"),
    "text": ("#1B1F24", "#E6EAF0"), "secondary": ("#57606A", "#9AA4B2"), "negative": ("#0072B2", "#3D9BD8"),
    "positive": ("#D55E00", "#F0803C"), "neutral": ("#EDEEF0", "#3A404A"), "ribbon": ("#C3C9D2", "#5A6471"),
    "accent": ("#6A4FC4", "#B7A3FF"), "accent_text": ("#FFFFFF", "#15181D"), "window": ("#ECEEF1", "#1B1F25"),
    "button": ("#F6F7F9", "#262C34"), "training": ("#57606A", "#9AA4B2"), "validation": ("#6A4FC4", "#B7A3FF"),
    "warning": ("#8A5A00", "#E3B341"), "error": ("#B42318", "#FF8A80"), "grid": ("#E3E6EB", "#2D343D"),
}  # fmt: skip
THEMES = {
    name: Theme(name, **{field: QColor(pair[i]) for field, pair in _COLOURS.items()})
    for i, name in enumerate(("light", "dark"))
}
LIGHT, DARK = THEMES["light"], THEMES["dark"]


def mix(first: QColor, second: QColor, share: float) -> QColor:
    """The opaque colour on the way from `first` to `second`, in sRGB; share 0 is `first`."""
    pairs = zip(_rgb(first), _rgb(second), strict=True)
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def luminance(colour: QColor) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    shares = (part / 255 for part in _rgb(colour))
    parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(first: QColor, second: QColor) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def ink(fill: QColor) -> QColor:
    """The colour of letters on this fill: white or near-black, whichever reads better."""
    white, black = QColor("#FFFFFF"), QColor("#111418")
    return white if contrast(fill, white) >= contrast(fill, black) else black


@cache
def family() -> str:
    """The family of the bundled sans; the system's own sans where the file is missing or unreadable."""
    if FAMILY not in QFontDatabase.families():
        added = [QFontDatabase.addApplicationFont(str(path)) for path in sorted(FONTS.glob("*.ttf"))]
        if not added or -1 in added:
            return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    return FAMILY


def font(pixels: float, *, bold: bool = False, dpi: float = 96.0) -> QFont:
    """The bundled sans at a size in (possibly broken) pixels of a device with this many dots per inch."""
    made = QFont(family())
    made.setPointSizeF(pixels * 72.0 / dpi)
    made.setBold(bold)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


class Watcher(QObject):
    """Knows which theme holds, and tells when it changes."""

    changed = Signal()  # emitted after the system or the person switched between light and dark

    def __init__(self) -> None:
        super().__init__()
        self.mode = "system"  # one of `MODES`
        self._shown: Theme | None = None
        self._usual_size = 0.0  # of the application's letters, in points
        self._text_size = 100

    def set_mode(self, mode: str) -> None:
        """Follows the system ("system") or stays "light" or "dark"."""
        if mode not in MODES:
            raise ValueError(f"no such theme: {mode}")
        self.mode = mode
        self._on_scheme_changed()

    def theme(self) -> Theme:
        if self.mode in THEMES:
            return THEMES[self.mode]
        if not isinstance(application := QGuiApplication.instance(), QGuiApplication):
            return LIGHT
        return DARK if application.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT

    def apply(self, application: QGuiApplication) -> None:
        """Gives the application style, palette and font, and keeps them right from now on."""
        widgets = cast(Any, application)  # pictures are written without any
        if application.inherits("QApplication") and widgets.style().name() != "fusion":
            widgets.setStyle("Fusion")  # once: a new style polishes every widget again
        base = application.font()
        base.setFamily(family())
        application.setFont(base)
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(self._on_scheme_changed, Qt.ConnectionType.UniqueConnection)
        self._shown = self.theme()
        _dress(application, self._shown)

    def set_text_size(self, percent: int) -> None:
        """Makes all words of the window larger or smaller; 100 is the size that the system asks for."""
        if isinstance(application := QGuiApplication.instance(), QGuiApplication) and percent != self._text_size:
            self._text_size = percent
            letters = application.font()
            self._usual_size = self._usual_size or letters.pointSizeF()
            letters.setPointSizeF(self._usual_size * percent / 100)
            application.setFont(letters)

    @Slot()
    def _on_scheme_changed(self) -> None:
        theme = self.theme()
        if theme is self._shown:
            return
        self._shown = theme
        if isinstance(application := QGuiApplication.instance(), QGuiApplication):
            _dress(application, theme)
        self.changed.emit()


_WATCHER = Watcher()  # the one of this process
current, apply, set_mode, set_text_size = _WATCHER.theme, _WATCHER.apply, _WATCHER.set_mode, _WATCHER.set_text_size


def watcher() -> Watcher:
    return _WATCHER


def _dress(application: QGuiApplication, theme: Theme) -> None:
    made = palette(theme)
    application.setPalette(made)
    if application.inherits("QApplication"):  # the palettes of kinds go with every new one of all
        made.setColor(QPalette.ColorRole.Base, theme.box)
        for kind in ("QCheckBox", "QRadioButton"):
            cast(Any, application).setPalette(made, kind)


def palette(theme: Theme) -> QPalette:
    """Fusion's palette in the theme's colours."""
    role, made = QPalette.ColorRole, QPalette(theme.button, theme.window)
    for roles, colour in (
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), theme.text),
        ((role.Base, role.ToolTipBase), theme.card),
        ((role.AlternateBase,), mix(theme.card, theme.canvas, 0.7)),
        ((role.Highlight, role.Accent, role.Link), theme.accent),
        ((role.HighlightedText,), theme.accent_text),
        ((role.LinkVisited, role.PlaceholderText), theme.secondary),
        ((role.Mid,), theme.border),
        ((role.Midlight,), mix(theme.button, theme.card, 0.5)),
        ((role.Light,), mix(theme.button, theme.card, 0.8)),
        ((role.Dark,), mix(theme.border, theme.secondary, 0.3)),
    ):
        for each in roles:
            made.setColor(each, colour)
    faded = mix(theme.secondary, theme.window, 0.45)
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.PlaceholderText):
        made.setColor(QPalette.ColorGroup.Disabled, each, faded)
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, theme.border)
    return made
