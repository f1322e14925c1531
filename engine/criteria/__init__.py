"""What makes a split good: a file for each criterion, which holds all that the program knows of it.

To add one of classes, write a file beside `gini.py` with its formula and its words, and put it into `BUILT_IN` below:

    def impurity(stat, total):  # float64[K], Σ stat > 0; see `Criterion.impurity`
        cubes = 0.0
        for c in range(stat.shape[0]):
            cubes += (stat[c] / total) ** 3
        return 0.5 * (1.0 - cubes)

    CUBIC = Criterion("cubic", "Cubic", "classes", "½(1 − Σ pₖ³)", "…", "…", "Cubic", impurity, terms=…)

It is then searched, grown, drawn, pruned by and offered everywhere. A program that uses the engine may `register` it
instead, before it reads a table: `test_added_criterion.py` does. What a criterion need not have makes
it quicker (`weighted`, `by_contrast`, `by_divergence`). Add its slow twin to `tests/naive.py`.
"""

import sys
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from engine.criteria.absolute_error import ABSOLUTE_ERROR
from engine.criteria.association import ASSOCIATION, ASSOCIATION_OF_NUMBERS
from engine.criteria.binned import BINNED_ERROR, BINNED_GINI
from engine.criteria.criterion import BINS, COUNTS, SUMS, Criterion, Floats
from engine.criteria.entropy import ENTROPY
from engine.criteria.error import ERROR
from engine.criteria.gain_ratio import GAIN_RATIO
from engine.criteria.gini import GINI
from engine.criteria.logworth import F_LOGWORTH, LOGWORTH
from engine.criteria.sqrt import SQRT
from engine.criteria.squared_error import SQUARED_ERROR
from engine.runtime.errors import InputError
from engine.runtime.kernel_cache import depends_on
from engine.runtime.sentences import tr

BUILT_IN = (
    GINI, ENTROPY, GAIN_RATIO, ERROR, SQRT, LOGWORTH, ASSOCIATION,
    SQUARED_ERROR, ABSOLUTE_ERROR, BINNED_GINI, BINNED_ERROR, F_LOGWORTH, ASSOCIATION_OF_NUMBERS,
)  # fmt: skip
BINNED = {one.name: one.measures for one in BUILT_IN if one.statistic == BINS}  # by what bins, as classes, are searched
BY_EVIDENCE = {one.task: one.name for one in BUILT_IN if one.by_evidence and not one.by_association}
BY_ASSOCIATION = {one.task: one.name for one in BUILT_IN if one.by_association}
DEFAULT = {"classes": GINI.name, "number": SQUARED_ERROR.name}

CRITERIA: dict[str, Criterion] = {}
FORMULAS: list[Criterion] = []  # by place: the criteria whose impurity the kernels compute


def _enter(criterion: Criterion) -> None:
    of = CRITERIA[criterion.measures] if criterion.measures else criterion
    own = of is criterion and criterion.impurity is not None
    searched = of if criterion.statistic == BINS else criterion  # bins are searched as classes are
    known = vars(criterion)  # in English, whatever is spoken by now
    CRITERIA[criterion.name] = Criterion(**(known | {
        "place": len(FORMULAS) if own else of.place, "impurity": of.impurity, "weighted": of.weighted,
        "by_contrast": searched.by_contrast, "by_divergence": searched.by_divergence,
        "breaks_ties": searched.breaks_ties, "merit": known["merit"] or f"i = {known['formula']}",
    }))  # fmt: skip
    if own:
        FORMULAS.append(CRITERIA[criterion.name])


for _one in BUILT_IN:
    _enter(_one)


def register(criterion: Criterion) -> None:
    """Adds a criterion of classes to this process, before its kernels are loaded: they are compiled with it.

    Raises:
        ValueError: it has no formula of class counts, or no concave one, or another criterion has its name.
        RuntimeError: the kernels are loaded already, without it.
    """
    if criterion.task != "classes" or criterion.statistic != COUNTS or criterion.impurity is None:
        raise ValueError(f"“{criterion.name}” is no criterion of classes with an impurity of their counts.")
    if criterion.name in CRITERIA:
        raise ValueError(f"There is a criterion “{criterion.name}” already.")
    if not is_concave(criterion):
        raise ValueError(f"“{criterion.name}” is not concave: some splits would gain less than nothing.")
    if "engine.runtime.compiler" in sys.modules or "engine.search.choices" in sys.modules:
        raise RuntimeError(
            "A criterion has to be registered before the first table is read: the kernels are loaded without it."
        )
    for formula in (criterion.impurity, criterion.weighted):
        if formula is not None:
            depends_on(repr((formula.__code__.co_code, formula.__code__.co_consts, formula.__code__.co_names)))
    _enter(criterion)


def is_concave(criterion: Criterion) -> bool:
    """Whether no split of some hundred random nodes of three classes has a negative gain."""
    assert criterion.impurity is not None
    one, other = np.random.default_rng(0).random((2, 3, 200))
    node, left, right = (
        stats.sum(axis=0) * criterion.impurity(stats, stats.sum(axis=0)) for stats in (one + other, one, other)
    )
    return bool((node - left - right >= -1e-9).all())


def criteria_for(task: str) -> list[Criterion]:
    """The criteria that are defined for a target of this task ("classes" or "number")."""
    return [criterion for criterion in CRITERIA.values() if criterion.task == task]


def task_of(names: Iterable[str]) -> str:
    """The task of the target that was searched, told by the criteria that scored its splits."""
    return "classes" if any(CRITERIA[name].statistic == COUNTS for name in names) else "number"


def find_criterion(name: str, task: str = "") -> Criterion:
    """The criterion called `name`.

    Raises:
        InputError: no such criterion, or it is not defined for this task.
    """
    usable = ", ".join(one.name for one in CRITERIA.values() if task in ("", one.task))
    if name not in CRITERIA:
        raise InputError(tr("There is no criterion “{name}”; choose one of {usable}.", name=name, usable=usable))
    criterion = CRITERIA[name]
    if task not in ("", criterion.task):
        said = {"name": name, "usable": usable}
        numeric = tr("The criterion “{name}” is not defined for a numeric target; choose one of {usable}.", **said)
        classes = tr("The criterion “{name}” is not defined for a class target; choose one of {usable}.", **said)
        raise InputError(numeric if task == "number" else classes)
    return criterion


def kernel_code(name: str) -> int:
    """The kernels' integer for a criterion.

    Raises:
        NotImplementedError: the kernels were not made with it.
    """
    one = CRITERIA[name]
    if one.impurity is not None and (one.place >= len(FORMULAS) or FORMULAS[one.place].impurity is not one.impurity):
        raise NotImplementedError(f"The kernels do not compute the criterion “{name}”: it was not registered.")
    return one.code


def impurity(name: str, counts: ArrayLike) -> float:
    """The impurity of a node per unit of weight; 0 for an empty one.

    Args:
        name: a criterion.
        counts: the weighted count of each class; for squared_error (Σw, Σwy, Σwy²); for the binned criteria the
            weighted count of each bin.

    Raises:
        InputError: there is no such criterion, or counts do not tell it.
    """
    return float(impurities(name, np.atleast_2d(np.asarray(counts, dtype=np.float64)), empty=0.0)[0])


def impurities(name: str, stats: Floats, empty: float = np.nan) -> Floats:
    """`impurity` of many nodes, float64[n]; stats: float64[n, S], as its `counts`; empty: that of a node without rows.

    Raises:
        InputError: as there.
    """
    one = find_criterion(name)
    if one.impurity is None:
        raise InputError(tr(
            "{name} needs the values themselves, counts do not tell it: call search.absolute.impurity(y).", name=name,
        ))  # fmt: skip
    weights = stats[:, 0] if one.statistic == SUMS else np.einsum("ij->i", stats)  # 4 times as fast as `sum`
    found = one.impurity(stats.T, np.where(weights > 0, weights, 1.0))
    return np.where(weights > 0, np.maximum(found, 0.0), empty)


def scaled_impurity(name: str, counts: ArrayLike) -> float:
    """The impurity of class counts on the scale of `curves_over_q`."""
    return impurity(name, counts) * curve_scale(name)


def curve_scale(name: str) -> float:
    """What the impurity of two equally frequent classes has to be multiplied by to be ½."""
    return 0.5 / impurity(name, [1.0, 1.0])


def drawn_criteria() -> list[str]:
    """The criteria of classes that have a curve of their own, the highest curve first."""
    own = [one.name for one in criteria_for("classes") if not one.measures]
    return sorted(own, key=lambda name: -scaled_impurity(name, [1.0, 7.0]))


def curves_over_q(criteria: ArrayLike | None = None, points: int = 201) -> dict[str, Floats]:
    """The impurity of a node of two classes by the share q of one of them, for a figure.

    Scaled so that all of them are ½ at q = ½ and can be compared (Kearns and Mansour 1996): Gini is 2q(1 − q), the
    entropy half its bits, √ is √(q(1 − q)), the error min(q, 1 − q).

    Args:
        criteria: names of criteria for classes, None for `drawn_criteria`; the gain ratio has the curve of the entropy.

    Returns:
        "q": float64[points] from 0 to 1, and under the name of each criterion float64[points].

    Raises:
        InputError: there is no such criterion for classes.
    """
    q = np.linspace(0.0, 1.0, points)
    names = drawn_criteria() if criteria is None else np.atleast_1d(np.asarray(criteria, dtype=object)).tolist()
    both = np.stack([q, 1.0 - q], axis=1)
    return {"q": q} | {n: impurities(find_criterion(n, "classes").name, both) * curve_scale(n) for n in names}
