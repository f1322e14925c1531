"""Why a split stayed or went: the two numbers that were compared."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.words import number_words


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a method compared at each node of the tree that it cut back.

    Attributes:
        quantity: what the numbers are: "errors among the validation rows".
        leaf: float64[n_nodes], that of the node as a leaf; NaN where nothing was compared.
        branch: float64[n_nodes], that of what was left of the branch below it; with `allowance` the leaf may be worse.
        allowance: float64[n_nodes], by how much the leaf may be worse and the branch still goes; 0 at most nodes.
        raised: float64[n_nodes], that of its largest branch in its place; NaN where that was not tried. Empty: nowhere.
    """

    quantity: str
    leaf: NDArray[np.float64]
    branch: NDArray[np.float64]
    allowance: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    raised: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def words(self, i: int) -> str:
        """The comparison at position i as a sentence; empty where there was none."""
        if np.isnan(self.leaf[i]) or np.isnan(self.branch[i]):
            return ""
        said = f"{self.quantity}: {number_words(float(self.leaf[i]))} as a leaf"
        said += f", {number_words(float(self.branch[i]))} with its branches"
        if self.allowance.size and self.allowance[i] > 0:
            said += f", which may be {number_words(float(self.allowance[i]))} better in vain"
        if self.raised.size and not np.isnan(self.raised[i]):
            said += f", {number_words(float(self.raised[i]))} with its largest branch in its place"
        return said[0].upper() + said[1:] + "."
