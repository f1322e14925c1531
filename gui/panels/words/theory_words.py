"""What the panel Theory says: sentences, curves and tables of a part of `engine.theory`, made in the worker. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

import engine
from engine.runtime.progress import Progress
from engine.runtime.sentences import marked, tr
from gui.wording import phrases, words

if TYPE_CHECKING:  # loads pandas
    from engine.guarantees import Theory

Numbers = NDArray[np.float64]
TRAINING, VALIDATION, PROMISED, PART = "training", "validation", "promised", "part"  # what a curve is of
MOST_LINES = 1_000  # of a table
COSTS = {"gini": marked("Gini"), "entropy": marked("½ entropy"), "sqrt": marked("Kearns–Mansour √")}
NOT_LITERAL = marked(
    "The promise is not literal: thresholds lie between values of this table, so the possible splits were not known "
    "before its rows were."
)
LITERAL = marked("The promise is literal where the levels of all columns were known before the rows were.")
IN_PARTS = marked(
    "Rows without a value are divided among the leaves: their parts count here, and the code says nothing of them."
)


def how_literal(theory: engine.Theory) -> list[str]:
    """What a promise rests on."""
    said = [tr(LITERAL) if theory.is_literal else tr(NOT_LITERAL)]
    return [*said, tr(IN_PARTS)] if theory.tree.divides_rows else said


class Curve(NamedTuple):
    """A line of a chart: its name, what it is of, and its heights."""

    name: str
    kind: str
    y: Numbers


@dataclass(frozen=True, eq=False)
class Chart:
    """Curves over the same places; `by_share`: whether heights are shares; `mark`: the place of a line upwards."""

    across: str
    x: Numbers
    curves: tuple[Curve, ...]
    by_share: bool = True
    mark: float | None = None


@dataclass(frozen=True, eq=False)
class View:
    """A chart and a table: titles with their tooltips, and lines of cells with the id of the node that they are about.

    The first title is of words, the others are of numbers."""

    chart: Chart | None
    titles: tuple[tuple[str, str], ...]
    lines: Sequence[tuple[tuple[str, ...], int | None]]


@dataclass(frozen=True, eq=False)
class Said:
    """All of one part: what stands beside its name, sentences, notes of the second rank, views by their names."""

    summary: str
    sentences: list[str]
    notes: list[str]
    views: dict[str, View] = field(default_factory=dict)


def _sure(theory: Theory) -> str:
    return words.percent(1 - theory.delta, 0 if theory.delta >= 0.01 else 4)


def _bound(error: float) -> str:
    """A bound of an error, and that it says nothing where no error could be above it."""
    return words.percent(error) if error < 1 else tr("{bound}, which says nothing", bound=words.percent(error))


def description(theory: Theory) -> Said:
    found, tree = theory.description, theory.tree
    bits, bound = words.value(found.bits), words.percent(found.bound)
    terms = {"error": words.percent(found.error), "bits": bits, "m": words.count(found.m), "bound": bound}
    said = [
        tr(
            "The tree is written in {blocks} blocks: one for each node, and one for the end. A block is one of {tests} "
            "splits, of {labels} classes, or the end: {block} bits. Together these are {bits} bits.",
            blocks=words.count(tree.n_nodes + 1), tests=words.large_count(found.n_tests), labels=found.n_labels,
            block=words.value(found.block), bits=bits,
        ),
        tr(
            "Training error {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} rows)) = {bound}. With probability {sure} the "
            "true error is at most this.", **terms, sure=_sure(theory))
        if found.bound < 1 else
        tr(
            "Training error {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} rows)) = {bound}. No error is above 100 %: the "
            "bound says nothing for a tree of this size.", **terms),
        tr(
            "Kraft’s inequality asks for bits · ln 2 only: {sharp}. The code that the program writes has {digits} "
            "digits: {code}.", sharp=_bound(found.sharp), digits=words.count(len(found.code.bits)),
            code=_bound(found.by_code),
        ),
    ]  # fmt: skip
    best = found.chosen
    if best:
        said.append(tr(
            "Of the prunings the one with {leaves} has the least bound, {bound}; its training error is {error}.",
            leaves=phrases.leaves(int(found.leaves[best])), bound=_bound(float(found.bounds[best])),
            error=words.percent(float(found.errors[best])),
        ))  # fmt: skip
    else:
        said.append(tr("No pruning of the tree has a lower bound."))
    root = float(found.errors[-1])
    if root <= found.bound < 1:
        said.append(tr(
            "This promises nothing new: always predicting the same class errs on {root} of the training rows.",
            root=words.percent(root),
        ))  # fmt: skip
    notes = [
        *how_literal(theory),
        tr("Below: the blocks of the code that the program writes; a split’s block has all that tells it from others."),
    ]
    if not found.is_counted:
        notes.insert(0, tr(
            "The tree has splits that are not among those {tests}: several cuts, branches or conditions. So only the "
            "bound by the code that the program writes holds.", tests=words.large_count(found.n_tests),
        ))  # fmt: skip
    curves = [Curve(tr("bound"), PROMISED, found.bounds), Curve(tr("training error"), TRAINING, found.errors)]
    if np.isfinite(found.validation).any():
        curves.append(Curve(tr("validation error"), VALIDATION, found.validation))
    mark = float(found.leaves[best])
    chart = Chart(tr("Leaves"), found.leaves.astype(float), tuple(curves), mark=mark) if best or root else None
    titles = ((tr("Block"), ""), (tr("Bits"), tr("If a choice among n could take log₂ n bits")), (tr("Digits"), ""))
    blocks = found.code.blocks[:MOST_LINES]
    lines = [((one.words, words.value(one.ideal), words.count(len(one.bits))), one.node) for one in blocks]
    summary = (
        tr("true error at most {bound}", bound=bound) if found.bound < 1 else
        tr("true error at most 100 %: the bound says nothing for a tree of this size")
    )  # fmt: skip
    return Said(summary, said, notes, {"": View(chart, titles, lines)})


def structural_risk(theory: Theory) -> Said:
    found, tree, sums = theory.structural_risk, theory.tree, theory.structural_risk.sums
    best, theorem = found.chosen, found.theorem
    leaves = phrases.leaves(int(found.leaves[best]))
    said = [
        tr(
            "Error + √(size ÷ m) is least with {leaves}: {error} + √({size} ÷ {m}) = {sum}. The size counts leaves and "
            "splits, m training rows. The tree on the canvas has {own}.", leaves=leaves,
            error=words.percent(float(found.errors[best])), size=words.count(2 * int(found.leaves[best]) - 1),
            m=words.count(theorem.m), sum=words.percent(float(sums[best])), own=words.percent(float(sums[0])),
        ),
    ]  # fmt: skip
    terms = {"size": words.count(theorem.size), "depth": words.count(theorem.depth), "m": words.count(theorem.m)}
    said.append(
        tr(
            "Theorem 12.5 compares Kearns and Mansour’s pruning with the best pruning of this tree. In its place "
            "stands the one with fewest errors on the validation rows: s = {size} leaves and splits, depth ℓ = "
            "{depth}, m = {m} rows.", **terms)
        if theorem.by_validation else
        tr(
            "Theorem 12.5 compares Kearns and Mansour’s pruning with the best pruning of this tree. In its place "
            "stands the one of least structural risk: s = {size} leaves and splits, depth ℓ = {depth}, m = {m} rows.",
            **terms)
    )  # fmt: skip
    said.append(tr(
        "With probability {sure} its true error is higher by at most {rare} at rare nodes, 12 s ln(s/δ) ÷ m, and "
        "{common} at the others, 6 √(s((1 + ℓ) ln n + ln(m/δ)) ℓ ÷ m) with ln n = {log}. Without constants it is "
        "{rate}.",
        sure=_sure(theory), rare=words.value(theorem.rare), common=words.value(theorem.common),
        log=words.value(theorem.log_tests), rate=words.value(theorem.rate),
    ))  # fmt: skip
    if theorem.rare + theorem.common >= 1:
        said.append(tr("As no error is above 1, this promises nothing for so few rows."))
    first, second, third = map(words.value, theorem.summands)
    if theorem.cut.size:
        said.append(tr(
            "With the factor √2 of the proof, splits of that pruning go: {n} of {all}. Over these the three summands "
            "of the proof are {first} (the leaf’s error may be off), {second} (α, what a leaf may err more) and "
            "{third} (the branch’s error may be off).", n=words.count(theorem.cut.size),
            all=words.count(theorem.size // 2), first=first, second=second,
            third=third,
        ))  # fmt: skip
    else:
        said.append(tr("With the factor √2 of the proof, no split of that pruning goes: nothing is lost."))
    notes = [
        tr(
            "Below: λ is by how much the error of a node may be off (Lemma 12.2), α is what a branch has to save to "
            "stay, with the factor c = {factor} that pruning begins with.", factor=words.value(found.factor),
        ),
        *how_literal(theory),
    ]  # fmt: skip
    curves = [
        Curve(tr("sum"), PROMISED, sums), Curve(tr("penalty"), PART, found.penalties),
        Curve(tr("training error"), TRAINING, found.errors),
    ]  # fmt: skip
    if np.isfinite(found.validation).any():
        curves.append(Curve(tr("validation error"), VALIDATION, found.validation))
    chart = Chart(tr("Leaves"), found.leaves.astype(float), tuple(curves), mark=float(found.leaves[best]))
    nodes = found.nodes
    titles = (
        (tr("Split"), ""), ("ℓ", tr("Edges from the root")),
        ("n", tr("Leaves and splits of what was left of the branch when its turn came")),
        ("m", tr("Training rows in the node")), (tr("Leaf"), tr("Training error of the node as a leaf")),
        (tr("Branch"), tr("Training error of what was left of its branches")), ("λ", ""), ("α", ""),
        (tr("Then"), tr("The split goes where the error of the branch and α are no less than the error of the leaf")),
    )  # fmt: skip
    lines = [
        (
            (
                _split(tree, int(node)), *(words.count(int(one[k])) for one in (nodes.depth, nodes.size, nodes.rows)),
                *(words.percent(float(one[k])) for one in (nodes.leaf, nodes.branch)),
                *(words.value(float(one[k])) for one in (nodes.deviation, nodes.penalty)),
                tr("goes") if nodes.cut[k] else tr("stays"),
            ),
            int(node),
        )
        for k, node in enumerate(nodes.node[:MOST_LINES])
    ]  # fmt: skip
    return Said(tr("least with {leaves}", leaves=leaves), said, notes, {"": View(chart, titles, lines)})


def weak_learning(theory: Theory) -> Said:
    found, tree = theory.weak_learning, theory.tree
    said, splits = list[str](), found.splits
    if len(tree.classes) > 2:
        said.append(tr("Two classes are meant: “{name}”, and all others together.", name=theory.positive))
    if found.weakest is None:
        said.append(tr("The tree has no split yet, so nothing is known of γ."))
        return Said(tr("no split yet"), said, [])
    gamma, epsilon = words.value(found.gamma), words.percent(theory.epsilon)
    said.append(tr(
        "Where both classes weigh the same, every split errs on at most ½ − γ of the rows, γ = {gamma}. The weakest "
        "one is {split}.", gamma=gamma, split=_split(tree, found.weakest),
    ))  # fmt: skip
    t = tree.n_leaves - 1
    if found.leaf is None:
        said.append(tr("No leaf errs, so nothing is left for Lemma 12.1."))
    else:
        said.append(tr(
            "The leaves err on {error} of the training rows. The leaf of Lemma 12.1 is {leaf}: it holds {share} of the "
            "rows (at least {least}, a third of the error by the number of splits) and errs on {own} of them (at least "
            "{third}, a third of the error).", error=words.percent(found.error), leaf=_reached(tree, found.leaf),
            share=words.percent(found.leaf_share), least=words.percent(found.error / (3 * max(t, 1)), 2),
            own=words.percent(found.leaf_error), third=words.percent(found.error / 3),
        ))  # fmt: skip
    enough = [
        tr("Splits that are enough for an error of {epsilon}, if every leaf had one with this γ:", epsilon=epsilon)
    ]
    for name, steps in found.steps.items():
        label = tr("Gini, by the recurrence of the notes") if name == "notes" else tr(COSTS[name])
        formula = words.power_of_ten(steps.log_formula / math.log(10)) if math.isfinite(steps.log_formula) else "∞"
        by_steps = {"cost": label, "formula": formula, "n": words.count(steps.by_recurrence or 0)}
        enough.append(
            tr("{cost}: {n} by the recurrence, {formula} by the formula", **by_steps)
            if steps.by_recurrence is not None
            else tr("{cost}: {formula} by the formula", **by_steps)
        )
    said.append("\n".join(enough))
    notes = [
        tr("The curve “promised” starts where the tree does and falls by what the best leaf must save with this γ. "
           "Nothing is known of leaves that the tree has not split: the hypothesis may fail there."),
        tr("The drop of the notes, 16γ²[q(1 − q)]², holds for all three costs; “at least” is the sharpest bound for "
           "each."),
    ]  # fmt: skip
    views = {}
    for name, label in COSTS.items():
        growth = found.growth[name]
        curves = [Curve(tr("G of the tree"), TRAINING, growth.real), Curve(tr("promised"), PROMISED, growth.bounded)]
        if growth.notes.size:
            curves.append(Curve(tr("by the notes’ recurrence"), PART, growth.notes))
        chart = Chart(tr("Splits"), np.arange(growth.real.size, dtype=float), tuple(curves), by_share=False)
        titles = (
            (tr("Split"), ""), (tr("Share"), tr("Share of the training weight")),
            ("q", tr("Share of “{name}” in the node", name=theory.positive)), ("γ", tr("The advantage of the split")),
            (tr("Drop"), tr("By how much the cost G of the node falls")),
            (tr("At least"), tr("By how much it must fall with this γ")), ("16γ²…", "16γ²[q(1 − q)]²"),
        )  # fmt: skip
        lines = [
            (
                (
                    _split(tree, int(node)), *(words.percent(float(one[k])) for one in (splits.share, splits.q)),
                    *(words.value(float(one[k])) for one in
                      (splits.gamma, splits.drops[name], splits.least[name], splits.notes)),
                ),
                int(node),
            )
            for k, node in enumerate(splits.node[:MOST_LINES])
        ]  # fmt: skip
        views[tr(label)] = View(chart, titles, lines)
    return Said(tr("γ = {gamma}", gamma=gamma), said, notes, views)


def counting(theory: Theory) -> Said:
    found = theory.counting
    k = found.shattered
    said = [
        tr(
            "The leaves shatter {k} training rows: with one row in each, labelling the leaves gives all 2^{k} "
            "labellings. No {more} rows can be labelled in all ways by these splits.", k=words.count(k),
            more=words.count(k + 1),
        )
        if k > 1 else tr("A single leaf shatters 1 training row; no 2 rows can be labelled in all ways by it."),
        tr(
            "Trees of any size shatter all {kinds} training rows that differ in some column: without a limit the VC "
            "dimension has none.", kinds=words.count(found.kinds),
        ),
        tr("All {d} columns have two values: a tree that asks everything has 2^{d} = {cells} leaves, and so large is "
           "the VC dimension of all trees.", d=found.binary, cells=words.large_count(found.cells))
        if found.binary else
        tr("A tree that asks everything has {cells} leaves, one for each combination of values.",
           cells=words.large_count(found.cells)),
        tr(
            "The tree has T = {layers} levels, and so at most 2^(T − 1) = {most} leaves if splits have two branches. "
            "The VC dimension of a single split is at most {single}, of trees with as many splits at most {trees}.",
            layers=found.layers, most=words.large_count(2 ** (found.layers - 1)), single=words.count(found.vc_tests),
            trees=words.count(math.floor(found.vc_trees)),
        ),
        tr(
            "{tests} different splits make about {trees} trees with as many leaves.",
            tests=words.large_count(found.n_tests), trees=words.power_of_ten(found.log_trees / math.log(10)),
        ),
    ]  # fmt: skip
    said.append("\n".join(
        tr("Trees of depth {depth} at most: {n}", depth=depth, n=words.large_count(n))
        for depth, n in found.by_depth.items()
    ))  # fmt: skip
    samples, m = found.samples, theory.table.n_counted
    asked = {"epsilon": words.percent(theory.epsilon), "sure": _sure(theory)}
    titles = (
        (tr("With probability {sure}", **asked), ""),
        (tr("Rows asked for"), tr("Training rows that the bound asks for")),
        (tr("Present"), tr("The training rows of this table, as a share of those that are asked for")),
    )  # fmt: skip
    lines = [
        ((text, words.large_count(n), words.percent(m / n)), None)
        for text, n in (
            (tr("The description adds at most {epsilon} to the training error", **asked), samples.description),
            (tr("No tree with as many splits has a training error off by more than {epsilon}", **asked),
             samples.counted),
            (tr("One of them without training errors errs on at most {epsilon}", **asked), samples.consistent),
            (tr("The same with thresholds anywhere, by the VC dimension", **asked), samples.by_dimension),
        )
    ]  # fmt: skip
    notes = [tr("The bounds are for the worst case: in practice far fewer rows do.")]
    summary = tr("{k} rows are shattered", k=words.count(k)) if k > 1 else tr("1 row is shattered")
    return Said(summary, said, notes, {"": View(None, titles, lines)})


def _split(tree: engine.Tree, node: int) -> str:
    return tree.sentence(tree.position(node) + 1)


def _reached(tree: engine.Tree, node: int) -> str:
    return " · ".join(tree.rule(node, 2)) or tr("the root")


PARTS: dict[str, tuple[str, Callable[[Theory], Said]]] = {  # by the names of `engine.theory`'s parts
    "description": (marked("Description length"), description),
    "structural_risk": (marked("Structural risk"), structural_risk),
    "weak_learning": (marked("Weak learning"), weak_learning),
    "counting": (marked("Counting"), counting),
}


def told(
    table: engine.Table, tree: engine.Tree, delta: float, epsilon: float, positive: str | None, parts: Sequence[str],
    known: Theory | None, progress: Progress,
) -> tuple[Theory, dict[str, Said]]:  # fmt: skip
    """What the parts say; `known`: the same theory with parts that were computed before."""
    theory = known or engine.theory(table, tree, delta=delta, epsilon=epsilon, positive=positive)
    said = {}
    for part in parts:
        if progress.stopped:
            break
        said[part] = PARTS[part][1](theory)
    return theory, said
