"""By which criterion a tree is measured that was grown, and what that takes."""

from typing import TYPE_CHECKING

from engine.criteria import CRITERIA, DEFAULT
from engine.criteria.criterion import BINS, ROWS
from engine.search.options import Search
from engine.tree.leaves import LeafRule

if TYPE_CHECKING:
    from engine.table.table import Table
    from engine.tree import Tree


def criterion_of(tree: "Tree") -> str:
    """The criterion that the tree was grown with; the default one if it has none or it is not one of this task."""
    name = str(tree.options.get("criterion") or "")
    return name if name in CRITERIA and CRITERIA[name].task == tree.task else DEFAULT[tree.task]


def measured(table: "Table", tree: "Tree") -> "Tree":
    """The tree with the histograms or deviations by which its criterion is measured."""
    tells = CRITERIA[criterion_of(tree)].statistic
    if tells == BINS and not tree.bin_edges:
        return tree.with_bins(table, tree.options.get("bins", Search.bins))
    if tells != ROWS:
        return tree
    from engine.tree.recounting import with_marks  # brings the compiler along, which the names of methods need not

    medians = tree.with_leaf_rule(table, LeafRule("median"))
    return with_marks(medians, {}, table)  # around medians, whatever people wrote instead
