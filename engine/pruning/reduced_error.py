"""Reduced-error pruning, as one point of a nested sequence."""

from engine.pruning.options import Options
from engine.pruning.result import Nested, Pruning, loss_words
from engine.pruning.sequence import bottom_up, links, locked, sequence, validation_weight
from engine.runtime.progress import Progress
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
    quantity = f"{loss_words(table, tree)} among the validation rows"
    verdicts, _ = bottom_up(quantity, tree, cost, locked(tree, options.keep_by_hand))
    return Pruning("reduced_error", steps, chosen, tree, Nested(gone), verdicts=verdicts, least=chosen)
