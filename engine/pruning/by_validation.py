"""Pruning by the validation rows: reduced error, and greedy cuts, the one that helps most again and again."""

import numpy as np

from engine.pruning.kernels import greedy_cuts
from engine.pruning.metrics import loss_words
from engine.pruning.options import Options
from engine.pruning.result import NAN, Nested, Pruning, Verdicts
from engine.pruning.sequence import TIE, bottom_up, links, locked, sequence, steps_of, validation_weight
from engine.runtime.progress import Progress
from engine.runtime.sentences import tr
from engine.table.table import Table
from engine.tree.tree import Tree


def reduced_error(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """The weakest-link sequence of the validation errors; the chosen step is the reduced-error tree.

    Reduced-error pruning (Quinlan 1987) goes bottom up and makes a node a leaf when that costs the validation
    rows no more than its branches, pruned already, do. Ties are pruned, so nodes without validation rows are, too.
    It gives the smallest of the most accurate prunings (Elomaa and Kääriäinen 2001).

    Why it is a point of this sequence: with R the validation cost, the rule "leaf if R(v) ≤ Σ best(children)" is the
    rule of the cheapest pruning under R + α × leaves at α = 0, ties going to the leaf. The cheapest prunings of
    all real α are nested (see `weakest_links`), those of α < 0 pay for leaves and hold more of the tree, those
    of α > 0 less. So the sequence starts at the full tree (α = −∞), reaches the reduced-error tree with its last
    step of α ≤ 0, and goes on to the root.

    The labels and means of the leaves come from the training rows; errors are counted on validation rows.

    Raises:
        InputError: the tree has no validation rows.
    """
    weight, cost = validation_weight(tree), tree.costs("validation")
    steps, gone = sequence(tree, links(tree, cost, options.keep_by_hand) / weight, first_alpha=float("-inf"))
    chosen = sum(step.alpha <= 0 for step in steps) - 1
    quantity = tr("{loss} among the validation rows", loss=loss_words(table, tree))
    verdicts, _ = bottom_up(quantity, tree, cost, locked(tree, options.keep_by_hand))
    return Pruning("reduced_error", steps, chosen, tree, Nested(gone), verdicts=verdicts, least=chosen)


def greedy_validation(table: Table, tree: Tree, options: Options, progress: Progress) -> Pruning:
    """Makes that node a leaf which lowers the error on the validation rows most, until every cut would raise it.

    The reduced-error pruning of Mitchell (1997, 3.7.1.1). Of cuts that help as much the one goes that takes off most
    leaves, then the one further left; cuts that change nothing are made. A cut high up may forestall two better ones
    below it, so the error is never below that of "reduced_error".

    The steps go on to the root with the cuts that do least harm; the first harmful one follows the chosen step. Their
    alpha is by how much the cut lowers the validation error: below 0 it is harmful.

    Raises:
        InputError: the tree has no validation rows.
    """
    weight, kept = validation_weight(tree), locked(tree, options.keep_by_hand)
    cost = np.ascontiguousarray(tree.costs("validation"), np.float64)
    unit = TIE * max(float(cost.max()), np.finfo(np.float64).tiny / TIE)
    gone, gains, below = greedy_cuts(cost, unit, tree.parent, tree.end, kept)
    harmful = np.flatnonzero(gains < 0)
    chosen = int(harmful[0]) if harmful.size else gains.size
    steps = steps_of(tree, gone, [NAN, *(gains * (unit / weight)).tolist()])
    compared = (tree.n_branches > 0) & ~kept
    said = (np.where(compared, numbers, np.nan) for numbers in (cost, below))
    verdicts = Verdicts(tr("{loss} among the validation rows", loss=loss_words(table, tree)), *said)
    return Pruning("greedy_validation", steps, chosen, tree, Nested(gone), verdicts=verdicts, least=chosen)
