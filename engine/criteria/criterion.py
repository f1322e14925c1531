"""What a criterion is: all that the program knows of one way to measure how mixed a node is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.sentences import spoken

Floats = NDArray[np.float64]

COUNTS, SUMS, ROWS, BINS = "counts", "sums", "rows", "bins"  # what tells the impurity of a node, see `Criterion`

OF_COUNTS = 0  # to kernels that ask for no more than the weight of class counts, or how precise gains of classes are
# What the kernels branch on: bits of `Criterion.code`, below the place of its formula among those of all criteria.
OF_SUMS, BY_CONTRAST, BY_DIVERGENCE, BREAKS_TIES, BY_RATIO = 1, 2, 4, 8, 16
PLACE = 5  # how far the place is shifted
NO_PLACE = 1 << 20  # of a criterion that no formula of counts or sums computes


@spoken("label", "short", "formula", "explanation", "example", "unit", "merit")
@dataclass(frozen=True)
class Criterion:
    """One way to measure how mixed a node is. The first seven fields and `impurity` are all that one of classes needs.

    A criterion of classes has to be concave in the class counts (a test checks that of all): then no split has a
    negative gain, and the bounds that large nodes are searched by hold (`engine.search.kernels.cut_bounds`).

    Attributes:
        name: the word used in every public call.
        label: the word shown to people. short: the same above a narrow column.
        task: "classes" or "number", the targets that it is defined for.
        formula: the impurity of a node, in plain symbols.
        explanation: one sentence for people.
        example: what it makes of the split 0.8 → 0.6 / 1.0 (of 10 rows 8 are positive; 3 of 5 and 5 of 5 in the
            branches); for a number of 1, 2, 3, 10.
        impurity: (statistic, its weight > 0) → the impurity per unit of weight. It is compiled for float64[S], and
            called by Python with float64[S, n] for n nodes at once: loops over S, and functions of numpy where Python
            has one for single numbers only. Rounding may leave a count a little below 0: guard roots and powers.
            Only for COUNTS and SUMS.
        weighted: weight times impurity, where that is known better than as a product; 0 where the weight is 0.
            Compiled only.
        terms: (shares of the classes present, "3/5" each, the largest of them) → the impurity with its numbers put in;
            without it *Why* shows the figures alone.
        slope: class counts float64[K, n] → the derivative of weight times impurity by each, the loss of a row of
            that class (`engine.criteria.losses`); by differences where it is not given.
        unbounded: whether that loss has no bound where a class has no rows.
        curve_name: where the name stands at its curve in *Why*: at which share, by which corner of the text, and
            whether away from it, with a line to it.
        unit: of the impurity; empty for none.
        measures: the criterion whose impurity it takes over; empty for its own. Of BINS that of the bins as classes.
        statistic: what tells the impurity. COUNTS: the weights of the classes. SUMS: (Σw, Σwy, Σwy²). ROWS: the values
            themselves, there is no tally. BINS: as COUNTS, of the bins of a numeric target.
        by_contrast: whether the gain of two branches is that of Gini or of the variance, d² / (w_L · w_R).
        by_divergence: whether it is the information gain, which Pearson's χ² bounds.
        breaks_ties: whether equal gains are told apart by their Gini gain, because the criterion is flat.
        by_ratio: whether columns are ranked by gain ÷ split information.
        by_evidence: whether they are ranked by a p-value: of their best split, adjusted for its search, or
        by_association: of a test of independence, before any split.
        place: of its formula among those of all criteria, given by `engine.criteria.register`.
        merit: what its formula tells, "i = …": the impurity of a node. Given where the formula has words.
    """

    name: str
    label: str
    task: str
    formula: str
    explanation: str
    example: str
    short: str
    impurity: Callable[[Any, Any], Any] | None = None
    weighted: Callable[[Any, Any], Any] | None = None
    terms: Callable[[Sequence[str], str], str] = lambda shares, largest: ""
    slope: Callable[[Floats], Floats] | None = None
    curve_name: tuple[float, tuple[float, float], bool] = (0.24, (0.0, 0.0), False)
    unit: str = ""
    unbounded: bool = False
    measures: str = ""
    statistic: str = COUNTS
    by_contrast: bool = False
    by_divergence: bool = False
    breaks_ties: bool = False
    by_ratio: bool = False
    by_evidence: bool = False
    by_association: bool = False
    place: int = NO_PLACE
    merit: str = ""

    @property
    def code(self) -> int:
        """The kernels' integer for it; of BINS the one by which the bins are searched as classes."""
        traits = (self.statistic in (SUMS, ROWS), self.by_contrast, self.by_divergence, self.breaks_ties, self.by_ratio)
        return self.place << PLACE | sum(bit << i for i, bit in enumerate(traits))

    @property
    def by_score(self) -> bool:
        """Whether columns are ranked by another figure than their gain by `measures`: by the score of its name."""
        return self.by_ratio or self.by_evidence

    @property
    def is_counted(self) -> bool:
        """Whether sums that add over rows tell its impurity: no tally of a node is enough for the others."""
        return self.statistic in (COUNTS, SUMS)
