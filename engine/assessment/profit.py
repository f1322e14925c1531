"""What acting earns, for every threshold: on the rows of the leaves that give a class at least that probability.

The profit curve of Provost and Fawcett (2013, "Data Science for Business", chapter 8).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.assessment.intervals import NAN, Floats, ratio
from engine.assessment.roc import SAME


@dataclass(frozen=True, eq=False)
class ProfitCurve:
    """The profit of a part by the threshold from which rows are acted on; m is the number of different probabilities.

    Without any probability (see `Fit.ranking`) there is the first point alone, and nothing is earned.

    Attributes:
        label: the class whose probability is compared with the threshold.
        currency: the word behind profits.
        threshold: float64[m + 1], descending: rows of at least this probability are acted on; first infinity, where
            none is.
        acted: float64[m + 1], the weight of the rows that are acted on.
        total: float64[m + 1], what all rows of the part earn together, those that are not acted on included.
        weight: of all rows; with priors rows count by those of their classes here as in `acted`.
        decided: what they earn where each leaf decides by its expected profit, see `Tree.acts`.
    """

    label: str
    currency: str
    threshold: Floats
    acted: Floats
    total: Floats
    weight: float
    decided: float

    @cached_property
    def depth(self) -> Floats:
        """float64[m + 1]: the share of the rows that are acted on."""
        return ratio(self.acted, self.weight)

    @cached_property
    def mean(self) -> Floats:
        """float64[m + 1]: what a row earns on average."""
        return ratio(self.total, self.weight)

    @property
    def mean_decided(self) -> float:
        """What a row earns on average where each leaf decides; nan without rows."""
        return self.decided / self.weight if self.weight > 0 else NAN

    @cached_property
    def best(self) -> int:
        """The point of the largest profit; of equal ones the first, where the fewest rows are acted on."""
        return int(np.argmax(self.total))


def profit_curve(
    label: str, currency: str, probability: Floats, weight: Floats, profits: Floats, decided: float
) -> ProfitCurve:
    """The curve of some leaves.

    Args:
        probability: float64[n], of the class in each leaf. weight: float64[n], of its rows.
        profits: float64[n, 2], what its rows earn together without acting, and by acting.
        decided: see `ProfitCurve`.
    """
    order = np.argsort(-probability, kind="stable")
    probability, weight, profits = probability[order], weight[order], profits[order]
    ends = np.append(np.flatnonzero(np.diff(probability) < -SAME), probability.size - 1)[: probability.size]
    more = np.cumsum(profits[:, 1] - profits[:, 0])[ends]
    return ProfitCurve(
        label, currency, np.append(np.inf, probability[ends]), np.append(0.0, np.cumsum(weight)[ends]),
        float(profits[:, 0].sum()) + np.append(0.0, more), float(weight.sum()), decided,
    )  # fmt: skip
