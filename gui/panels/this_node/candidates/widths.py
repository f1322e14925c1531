"""How the width of the list of candidates is shared among names, splits, bars and figures."""

from __future__ import annotations

from itertools import accumulate

from PySide6.QtGui import QFontMetrics

from gui.panels.this_node.candidates import model
from gui.panels.this_node.candidates.columns import SECTIONS, figure_of
from gui.panels.this_node.candidates.view import INDENTATION, CandidateView, GainBars
from gui.panels.this_node.candidates.words import ORDINALS

NAME_PADDING = 14  # beside a column's name
ROOMY = 392  # from this width of the list on, numbers stand at their ease
FIGURE_PADDING, LEAST_PADDING = 16, 10  # beside a number
MEASURED = 60  # rows whose texts are measured for the width of their column
BAR, BAR_ROOMY = 52, 84  # pixels that a bar of the gain may take beside its number
LEAST_BAR = 24
# Pixels of name and split. They go before longer bars; below the second, headers are shortened and figures stand
# closer; with less than the first, figures stand below.
FEWEST_WORDS, LEAST_WORDS, MOST_WORDS = 104, 144, 224


def share_width(
    view: CandidateView,
    source: model.CandidateModel,
    bars: GainBars,
    names: tuple[str, ...],
    shown: list[int],
    room: int,
) -> None:
    """Name, split and all figures that are shown are in view: figures without room stand below the names, which get
    what they need.

    Args:
        names: of all columns.
        shown: the sections of figures that are wanted.
        room: the pixels that there are.
    """
    header, metrics = view.header(), QFontMetrics(view.font())
    widths = _figure_widths(view, source, shown, room)
    for section in SECTIONS.values():
        if view.isColumnHidden(section) == (section in widths):
            view.setColumnHidden(section, section not in widths)
    view.put_below(tuple(section for section in shown if section not in widths))
    left = room - sum(widths.values()) - INDENTATION
    advances = [metrics.horizontalAdvance(name) for name in names]
    longest = max([*advances, metrics.horizontalAdvance(ORDINALS[0]) + INDENTATION]) + NAME_PADDING
    splits = [metrics.horizontalAdvance(text) for text in source.texts(model.SPLIT, MEASURED)]
    split = max(splits, default=0) + NAME_PADDING
    if source.ranking in widths:
        free = left - min(longest + split, MOST_WORDS)
        bar = min(max(free, LEAST_BAR), BAR_ROOMY if room >= ROOMY else BAR)
        bars.beside = widths[source.ranking]
        widths[source.ranking] += bar
        left -= bar
    words = min(max(left, FEWEST_WORDS), 280)
    column = min(max(longest, round(0.35 * words)), max(words - split, round(0.62 * words)))
    header.resizeSection(model.COLUMN, column + INDENTATION)
    header.resizeSection(model.SPLIT, words - column)
    for section, width in widths.items():
        header.resizeSection(section, width)


def _figure_widths(view: CandidateView, source: model.CandidateModel, shown: list[int], room: int) -> dict[int, int]:
    """The pixels of the figures that have room; the more there is, the more they are at their ease."""
    least = {section: _figure_width(view, source, section, least=True) for section in shown}
    fitting = _fitting(source, least, room)
    least = {section: least[section] for section in fitting}
    widths = {section: _figure_width(view, source, section) for section in fitting}
    spare = room - INDENTATION - LEAST_WORDS - LEAST_BAR - sum(least.values())
    part = min(max(spare, 0) / max(sum(widths.values()) - sum(least.values()), 1), 1.0)
    return {section: least[section] + int(part * (width - least[section])) for section, width in widths.items()}


def _fitting(source: model.CandidateModel, least: dict[int, int], room: int) -> list[int]:
    """The sections that have room beside name, split and bar; what ranks and what it is compared with always do.

    Args:
        least: the sections that are shown, with the pixels that each needs.
    """
    always = [section for section in least if section in (source.ranking, source.beside)]
    order = [*always, *(section for section in least if section not in always)]
    for words in (FEWEST_WORDS, LEAST_WORDS):  # where some stand below anyway, names and splits have their room
        left = room - INDENTATION - LEAST_BAR - words
        wide = list(accumulate(least[section] for section in order))
        kept = order[: max(len(always), sum(width <= left for width in wide))]
        if len(kept) == len(order):
            break
    return sorted(kept)


def _figure_width(view: CandidateView, source: model.CandidateModel, section: int, least: bool = False) -> int:
    """What a figure needs; at least, with a header that is shortened."""
    figure, metrics = figure_of(section), QFontMetrics(view.font())
    assert figure is not None
    texts = [figure.sample, *source.texts(section, MEASURED)] + [figure.header] * (not least)
    wide = max(map(metrics.horizontalAdvance, texts)) + (LEAST_PADDING if least else FIGURE_PADDING)
    return max(wide, view.header().minimumSectionSize())
