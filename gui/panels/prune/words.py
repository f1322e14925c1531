"""The trees of the size-versus-error chart in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.pruning import METHODS
from engine.pruning.options import METRICS, UNJUDGED
from gui import theme
from gui.widgets import plotting
from gui.wording import phrases, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.pruning.result import Step
    from gui.model.document import Document
    from gui.panels.prune.drawing import Drawing
    from gui.panels.prune.table import Entry

ALPHA = (
    "Alpha",
    "A tree is charged its training {pruned_by} + alpha × its leaves: from this alpha on, up to the one of the next "
    "row, this tree is the cheapest",
)
DROP = (
    "Drop",
    "By how much the split that this step takes back lowers the criterion, times its share of the training weight",
)
GAIN = ("Gain", "By how much the cut that makes this step lowers the validation {pruned_by}; below 0 it does harm")
DOUBT = "hand-made splits were not cross-validated"
DOUBTS = {UNJUDGED: "no validation rows to choose by"}  # remarks in a few words


def why_empty(document: Document) -> str:
    """Why there is no chart, and what to do; empty when there is one."""
    cutback = document.cutback
    if document.tree is None:
        return "Open a table and grow a tree: how large it should be will be shown here."
    if cutback.line is not None or cutback.sequence is not None:
        return ""
    if cutback.error:
        return cutback.error
    if cutback.method:
        return "Computing every tree on the way back to the root…"
    if document.tree.n_leaves == 1:
        return "The tree is a single leaf: split it or press Go first, then prune."
    return "Press Compute: the error of every tree between this one and the root will be drawn by its size."


def step_words(step: Step, by_share: bool, price: str = "alpha") -> str:
    """A step in words: its size and its errors, each with the rows it comes from; `price` is what its alpha is."""
    return " · ".join([leaves_words(step.leaves), *error_parts(step, by_share), *_price(step, price)])


def metric_words(entry: Entry, label: str, text: Callable[[float], str], price: str = "alpha") -> str:
    """The same by another metric; cross-validation tells nothing of it."""
    assert entry.step is not None
    pairs = (("training", entry.train), ("validation", entry.validation))
    parts = [f"{part} {text(figure)}" for part, figure in pairs if not math.isnan(figure)]
    figures = [f"{label}: {parts[0]}", *parts[1:]] if parts else []
    return " · ".join([leaves_words(entry.step.leaves), *figures, *_price(entry.step, price)])


def _price(step: Step, price: str) -> list[str]:
    return [f"{price} {words.gain(step.alpha)}"] if math.isfinite(step.alpha) else []


def error_parts(step: Step, by_share: bool) -> list[str]:
    """The errors of a step that are known, each with the rows it comes from."""
    parts = [f"training {error_words(step.train_error, by_share)}"]
    if not math.isnan(step.validation_error):
        parts.append(f"validation {error_words(step.validation_error, by_share)}")
    if not math.isnan(step.cv_error):
        spread = f" ± {error_words(step.cv_se, by_share)}" if not math.isnan(step.cv_se) else ""
        parts.append(f"cross-validated {error_words(step.cv_error, by_share)}{spread}")
    return parts


def error_words(error: float, by_share: bool) -> str:
    """An error as a share of rows, or as a plain number."""
    return words.percent(error) if by_share else words.value(error)


def leaves_words(leaves: int) -> str:
    """ "1 leaf", "1,204 leaves"."""
    return "1 leaf" if leaves == 1 else f"{words.count(leaves)} leaves"


def price_words(method: str, pruned_by: str) -> tuple[str, str]:
    """What the alphas of a method are called, and a sentence that explains them; `pruned_by` is a metric's name."""
    called, explained = {"growth": DROP, "greedy_validation": GAIN}.get(method, ALPHA)
    return called, explained.format(pruned_by=words.inside(METRICS[pruned_by].label))


def doubt(remark: str) -> str:
    """A method's remark in a few words."""
    return DOUBTS.get(remark, DOUBT if "hand" in remark else remark)


def legend(document: Document, drawn: Drawing, short: bool = False) -> str:
    """Which line is which, and from which rows, as rich text; `short` for a panel with room for one line."""
    colours, has_folds, table = theme.current(), any(math.isfinite(error) for error in drawn.cv), document.table
    assert table is not None
    line = words.inside(METHODS[drawn.method].label) if drawn.method in METHODS else ""
    parts = [plotting.key(colours.training.name(), f"training, {words.count(table.n_train)} rows", "╌╌")]
    if table.n_validation:
        uses = document.validation_uses
        often = f", {phrases.used(uses)}" if uses else ""
        worn = often + " to choose" * (bool(often) and not short)
        rows = words.count(table.n_validation)
        parts.append(plotting.key(colours.validation.name(), f"validation, {rows} rows{worn}", "━━"))
    if has_folds:
        said = "cross-validation ± SE" if short else "cross-validation on the training rows ± standard error"
        parts.append(plotting.key(colours.positive.name(), said, "━━"))
    if drawn.front[0].size and not short:
        parts.append(plotting.key(colours.training.name(), "fewest training errors of each size", "○"))
    if line and not short:
        parts.append(plotting.key(colours.text.name(), f"what each method chooses; curves: {line}", "◇"))
    choices = document.cutback.choices
    if choices is not None and choices.pending:
        parts.append(f'<span style="color:{colours.secondary.name()}">{len(choices.pending)} more to come…</span>')
    return "&nbsp;&nbsp; ".join(parts)
