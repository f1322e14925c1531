"""The pruning chart as SVG: the error on each part of the rows over the number of leaves."""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from engine.runtime.sentences import marked, tr
from engine.table.words import number_words

WIDTH, HEIGHT = 720, 330
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 34, 48
LINES = {  # of a step: its words, colour and dashes
    "train_error": (marked("Training error"), "#8a909c", ""),
    "validation_error": (marked("Validation error"), "#0072b2", ""),
    "cv_error": (marked("Cross-validated error"), "#d55e00", "6 3"),
}  # fmt: skip
INK = "#1d2026"
TEXT = f'font-family="DejaVu Sans, Arial, sans-serif" font-size="11" fill="{INK}"'


def pruning_chart(steps: Sequence[dict[str, Any]], chosen: int, shares: bool = False) -> bytes:
    """The chart of the steps of a report's figures; the chosen one has a line. Leaves stand on a logarithmic scale.
    `shares`: the errors are shares of the rows, which are written in percent."""
    known = {name: look for name, look in LINES.items() if any(step[name] is not None for step in steps)}
    most = max((step[name] for step in steps for name in known if step[name] is not None), default=0.0) or 1.0
    unit = _round_step(most / 4)
    top, widest = unit * math.ceil(most / unit - 1e-9), max(step["leaves"] for step in steps)

    def x(leaves: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(leaves) / math.log(max(widest, 2))

    def y(error: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * error / top

    def pieces() -> Iterator[str]:
        yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        yield f'viewBox="0 0 {WIDTH} {HEIGHT}"><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        for k in range(round(top / unit) + 1):
            yield _line((LEFT, y(k * unit)), (WIDTH - RIGHT, y(k * unit)), "#e1e4e9")
            level = f"{number_words(100 * k * unit, 3)} %" if shares else number_words(k * unit, 3)
            yield _text(LEFT - 8, y(k * unit) + 4, level, "end")
        for leaves in _ticks(widest):
            yield _text(x(leaves), HEIGHT - BOTTOM + 18, f"{leaves:,}", "middle")
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, tr("Number of leaves"), "middle")
        at = x(steps[chosen]["leaves"])
        yield _line((at, TOP), (at, HEIGHT - BOTTOM), INK, "2 3")
        beside, anchor = (at - 5, "end") if at > WIDTH / 2 else (at + 5, "start")
        yield _text(beside, TOP + 12, tr("This tree: {leaves} leaves", leaves=f"{steps[chosen]['leaves']:,}"), anchor)
        place = LEFT
        for name, (words, colour, dashes) in known.items():
            points = [(x(step["leaves"]), y(step[name])) for step in steps if step[name] is not None]
            drawn = " ".join(f"{left:.1f},{down:.1f}" for left, down in points)
            dash = f' stroke-dasharray="{dashes}"' if dashes else ""
            yield f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>\n'
            yield _line((place, 16), (place + 22, 16), colour, dashes, 2)
            yield _text(place + 28, 20, tr(words), "start")
            place += 48 + 7 * len(tr(words))
        yield "</svg>\n"

    return "".join(pieces()).encode()


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, dashes: str = "", width: float = 1) -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    places = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {places} stroke="{colour}" stroke-width="{width}"{dash}/>\n'


def _text(left: float, down: float, said: str, anchor: str) -> str:
    return f'<text x="{left:.1f}" y="{down:.1f}" text-anchor="{anchor}" {TEXT}>{escape(said)}</text>\n'


def _round_step(least: float) -> float:
    """The next larger of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))


def _ticks(widest: int) -> list[int]:
    """Powers of two up to the largest number of leaves; of many every other, or every fourth."""
    powers = math.floor(math.log2(max(widest, 2)))
    return [2**k for k in range(0, powers + 1, 1 + powers // 8)]
