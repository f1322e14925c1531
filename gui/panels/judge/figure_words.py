"""The figures of a fit in words: a line for each, its text by part of the rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import engine
from engine.runtime.sentences import marked, tr
from gui.model.assessing import Fits
from gui.model.judging import Found
from gui.panels.judge import findings
from gui.wording import phrases, words

FOLDS = "folds"  # the column of cross-validated figures
PARTS = {
    "train": marked("Training"), FOLDS: marked("Folds"), "validation": marked("Validation"), "test": marked("Test"),
}  # fmt: skip
Sure = tuple[str, ...]
LIMITS = ("5 %", "25 %", "50 %", "75 %", "95 %")
MEASURES = {"error": "error", "cost": "cost", "MSE": "mse", "MAE": "mae"}  # of what folds found: the line it is
TIPS = {
    "balanced": marked("The mean recall of the classes: the rare ones count as much as the frequent ones"),
    "precision": marked("Of the rows that are predicted as this class the share that is of it"),
    "recall": marked("Of the rows of this class the share that is predicted so"),
    "f1": marked("The harmonic mean of precision and recall"),
    "matthews": marked("The correlation of what is true and what is predicted, from −1 to 1; 0 is chance"),
    "kappa": marked("The agreement beyond that of chance; 1 is perfect, 0 is chance"),
    "auc": marked("How probably a row of the class gets a higher probability of it than another row; 0.5 is chance"),
    "log_loss": marked("The mean of −ln of the probability that was given to the true class; 0 is perfect"),
    "brier": marked("The mean squared distance of the probabilities from what was true, summed over all classes (for "
        "two it is twice that of one class alone): reliability − resolution + uncertainty"),
    "reliability": marked("How far the probabilities are from the shares that came true; 0 is best"),
    "resolution": marked("How far these shares are from that of all rows; more is better"),
    "uncertainty": marked("What is to be explained: the same for every tree"),
    "cost": marked("What the mistakes cost on average, by the costs and priors of the search options"),
    "profit": marked("What a row earns on average where each leaf is acted on or not, by the profits that are set"),
    "plain": marked("The error of a tree of one leaf, which always says the most frequent class of the training rows"),
    "r2": marked("Which share of the squared deviation from the mean is explained; below 0 the mean is better"),
    "residual": marked("The residual, actual less predicted, below which this share of the rows lies"),
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One figure: its name, by part its text and the interval behind it, and what it is."""

    name: str
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    tip: str = ""

    def text(self, part: str, whole: bool = True) -> str:
        """ "87.4 % (84.1 to 90.0 %)"; without the interval unless `whole`."""
        value, interval = self.texts.get(part, (words.NOTHING, ""))
        return f"{value} ({interval})" if interval and whole else value


def lines(fits: Fits, tree: engine.Tree, focus: int, every: bool, folds: Found | None, sure: Sure) -> list[Line]:
    """The figures of all parts. `focus`: the class whose precision and recall are shown, unless those of `every`;
    `sure`: see `Assessing.sure`."""
    found = [Line(tr("Rows"), {part: (words.count(fit.n), "") for part, fit in fits.items()})]
    made = _of_classes(fits, tree, focus, every, sure) if tree.task == "classes" else _of_numbers(fits)
    for name, line in made:
        if folds is not None and MEASURES[folds.measure] == name:
            line.texts[FOLDS] = _of_folds(folds), ""
        found.append(line)
    return found


def _of_folds(found: Found) -> str:
    text = words.percent if found.measure == "error" else words.value
    if math.isnan(found.standard_error):
        return text(found.error)
    return f"{text(found.error)} ± {text(found.standard_error).removesuffix(' %')}"


def _of_classes(fits: Fits, tree: engine.Tree, focus: int, every: bool, sure: Sure) -> list[tuple[str, Line]]:
    def line(name: str, title: str, of: Mapping[str, Iterable[float]], shares: bool, tip: str = "") -> tuple[str, Line]:
        texts = {part: _estimate(three, shares, part in sure) for part, three in of.items()}
        return name, Line(title, texts, tr(TIPS[tip]) if tip else "")

    def plain(title: str, of: dict[str, float], name: str) -> tuple[str, Line]:
        return name, Line(title, {part: (words.value(value), "") for part, value in of.items()}, tr(TIPS[name]))

    found = []
    if tree.leaf_rule.profits:
        earned = {part: (phrases.money(fit.mean_profit, tree), "") for part, fit in fits.items()}
        found.append(("profit", Line(tr("Profit per row"), earned, tr(TIPS["profit"]))))
    if tree.leaf_rule.weighs_mistakes:
        found.append(plain(tr("Mean cost"), {part: fit.loss for part, fit in fits.items()}, "cost"))
    error = {part: (fit.error, 1 - fit.interval[1], 1 - fit.interval[0]) for part, fit in fits.items()}
    found.append(line("error", tr("Error"), error, True))
    usual = tree.classes[int(tree.train[0].argmax())]
    alone = {part: (fit.error_of_always(usual), math.nan, math.nan) for part, fit in fits.items()}
    found.append(line("", tr("Error of always “{name}”", name=usual), alone, True, "plain"))
    found.append(line("", tr("Accuracy"), {part: (f.accuracy, *f.interval) for part, f in fits.items()}, True))
    balanced = {part: fit.balanced_accuracy for part, fit in fits.items()}
    found.append(line("", tr("Balanced accuracy"), balanced, True, "balanced"))
    for name in tree.classes if every else tree.classes[focus : focus + 1]:
        titles = {
            "precision": tr("Precision of {name}", name=name), "recall": tr("Recall of {name}", name=name),
            "f1": tr("F1 of {name}", name=name),
        }  # fmt: skip
        for figure, title in titles.items():
            of = {part: getattr(fit, figure)[fit.classes.index(name)] for part, fit in fits.items()}
            found.append(line("", title, of, True, figure))
        ranked = {part: fit.ranking(name) for part, fit in fits.items()}
        areas = {part: (one.auc, *one.auc_interval) for part, one in ranked.items()}
        found.append(line("", tr("AUC of {name}", name=name), areas, False, "auc"))
    if len(tree.classes) > 2:
        mean = {part: (fit.auc, *fit.auc_interval) for part, fit in fits.items()}
        found.append(line("", tr("AUC, mean of the classes"), mean, False, "auc"))
    found.append(line("", tr("Matthews correlation"), {p: f.matthews for p, f in fits.items()}, False, "matthews"))
    found.append(line("", tr("Cohen's κ"), {part: fit.kappa for part, fit in fits.items()}, False, "kappa"))
    found.append(plain(tr("Log loss"), {part: fit.log_loss for part, fit in fits.items()}, "log_loss"))
    found.append(plain(tr("Brier score"), {part: fit.brier for part, fit in fits.items()}, "brier"))
    parts = {"reliability": tr("Brier: reliability"), "resolution": tr("Brier: resolution"),
             "uncertainty": tr("Brier: uncertainty")}  # fmt: skip
    for name, title in parts.items():
        found.append(plain(title, {part: getattr(fit.murphy, name) for part, fit in fits.items()}, name))
    return found


def _of_numbers(fits: Fits) -> list[tuple[str, Line]]:
    titles = {"r2": "R²", "rmse": tr("Root mean squared error"), "mse": tr("Mean squared error"),
              "mae": tr("Mean absolute error")}  # fmt: skip
    found = [
        (name, Line(title, {part: (words.value(getattr(fit, name)), "") for part, fit in fits.items()},
                    tr(TIPS[name]) if name in TIPS else ""))
        for name, title in titles.items()
    ]  # fmt: skip
    for k, limit in enumerate(LIMITS):
        texts = {part: (words.value(float(fit.residual_quantiles[k])), "") for part, fit in fits.items()}
        found.append(("residual", Line(tr("Residuals, {share} below", share=limit), texts, tr(TIPS["residual"]))))
    return found


def _estimate(of: Iterable[float], shares: bool, sure: bool) -> tuple[str, str]:
    """A figure and its interval, if it is `sure`: ("87.4 %", "84.1 to 90.0 %")."""
    text = words.percent if shares else words.value
    value, low, high = map(float, of)
    known = sure and math.isfinite(low) and math.isfinite(high)
    return text(value), tr("{low} to {high}", low=text(low).removesuffix(" %"), high=text(high)) if known else ""


def sentence(fits: Fits, tree: engine.Tree, node: int, branch: bool, sure: Sure, folds: Found | None) -> str:
    """What the figures are of, and what those of rows that chose the tree are worth; `sure`: see `lines`."""
    said = [tr("The branch of node {node}.", node=node)] if branch else []
    if FOLDS in fits and folds is not None:
        said.append(about_folds(folds))
        if folds.recipe.tree is not None:
            said.append(tr("These splits were chosen with all training rows, so it is somewhat too good."))
    if tree.divides_rows:
        said.append(tr(
            "Rows without a value count in parts, in each leaf that has one; “predict” takes the mean of these leaves, "
            "so single predictions may err more or less often."
        ))  # fmt: skip
    said.append(tr("Training figures come from the rows that made the tree: on new rows they are seldom as good."))
    if "validation" in fits and "validation" not in sure:
        said.append(tr("The validation rows compared several trees and flatter the one that they chose, so they have "
                       "no intervals."))  # fmt: skip
    if tree.task == "classes" and any(part in sure for part in fits):
        said.append(tr("Intervals hold 95 %."))
    if tree.leaf_rule.smoothing == "honest" and "validation" in fits:
        said.append(tr("The probabilities come from the validation rows, so these do not judge them."))
    return " ".join(said)


def about_folds(found: Found) -> str:
    """What was judged by folds, and how."""
    said = {"what": findings.what_words(found), "how": findings.how_words(found)}
    return tr("Folds ({what}; {how}): each row is judged by a tree that was made without it, and ranked among the rows "
              "of its fold.", **said)  # fmt: skip
