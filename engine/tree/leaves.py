"""What a leaf predicts: from the counts of its training rows to probabilities, a label, or a number.

Class shares are counted, reweighed by priors where there are any (p_c ∝ prior_c · n_c / N_c, N_c the weight of the
class at the root; Breiman et al. 1984, 4.4), and decide the label: the class of the least expected cost. Smoothing
makes probabilities more cautious (Laplace; m-estimate: Cestnik 1990) and does not change the label, unless a threshold
of the probability decides it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.runtime.errors import InputError, one_line, repeated
from engine.runtime.sentences import marked, tr

Floats = NDArray[np.float64]

TIE = 1e-12  # expected costs that differ by less, per unit of weight and of the largest cost, are equal
LARGEST = 1e100  # prior, cost or m: times the weight of all rows it is a number still
LONGEST_CURRENCY = 12
SMOOTHINGS = ("none", "laplace", "m_estimate", "honest")


@dataclass(frozen=True)
class LeafRule:
    """What the leaves of a tree predict.

    Attributes:
        summary: "mode" for classes; "mean" or "median" for a numeric target.
        smoothing: "none", "laplace", "m_estimate" or "honest", of the probabilities. The honest ones are m-estimates
            from validation rows, which did not choose the splits (Athey and Imbens 2016, "Recursive partitioning for
            heterogeneous causal effects"); where the tree has none, from training rows.
        smoothing_m: how many rows of the root the m-estimate adds.
        priors: (class, weight), in any unit where all classes are named; those that are not weigh as much as their
            share of the training rows, and all weights together count as 1. Empty: as in the training rows.
        costs: (true class, predicted class, cost) of mistakes; those that are not named cost 1, what is right costs 0.
        threshold: (class, value) of two classes: the class is predicted where the probability of it, smoothed and
            reweighed as it is, is at least the value; where it is honest, that of the training rows decides. Costs go
            on pricing mistakes. None: the least expected cost.
        profits: (class, profit of acting on a row of it, profit of not acting); those that are not named earn 0 either
            way. They decide on which leaves to act, see `TreeArrays.acts`, and change no label.
        currency: the word that stands behind profits; may be empty.
    """

    summary: str = "mode"
    smoothing: str = "none"
    smoothing_m: float = 2.0
    priors: tuple[tuple[str, float], ...] = ()
    costs: tuple[tuple[str, str, float], ...] = ()
    threshold: tuple[str, float] | None = None
    profits: tuple[tuple[str, float, float], ...] = ()
    currency: str = ""

    def check(self, classes: tuple[str, ...]) -> None:
        """InputError when the smoothing cannot be used, a class is named that there is not, or there is a threshold of
        other than two classes."""
        if self.smoothing not in SMOOTHINGS:
            raise InputError(tr(
                "smoothing cannot be “{smoothing}”; choose one of {choices}.", smoothing=self.smoothing,
                choices=", ".join(SMOOTHINGS)))  # fmt: skip
        if not 0 <= self.smoothing_m <= LARGEST:
            raise InputError(tr(
                "smoothing_m cannot be {value}; it is a number from 0 to {largest:g}.", value=self.smoothing_m,
                largest=LARGEST))  # fmt: skip
        named = [entry[0] for entry in (*self.priors, *self.profits)]
        named += [name for pair in self.costs for name in pair[:2]]
        named += self.threshold[:1] if self.threshold else ()
        for name in named:
            if name not in classes:
                raise InputError(
                    tr("There is no class “{name}”; the classes are {classes}.", name=name, classes=", ".join(classes))
                )
        if self.threshold and len(classes) != 2:
            raise InputError(
                tr("A threshold is about two classes; the target has {n}. Costs can do the same.", n=len(classes))
            )

    def known_to(self, classes: tuple[str, ...]) -> "LeafRule":
        """The rule without what it says of classes that there are not; without priors if none is above 0, and without
        a threshold unless there are two classes and it is of one of them."""
        priors = tuple(entry for entry in self.priors if entry[0] in classes)
        costs = tuple(entry for entry in self.costs if entry[0] in classes and entry[1] in classes)
        profits = tuple(entry for entry in self.profits if entry[0] in classes)
        priors = priors if any(weight > 0 for _, weight in priors) else ()
        kept = self.threshold is not None and len(classes) == 2 and self.threshold[0] in classes
        threshold = self.threshold if kept else None
        return replace(self, priors=priors, costs=costs, threshold=threshold, profits=profits)

    @property
    def weighs_mistakes(self) -> bool:
        """Whether mistakes count by costs or by priors of their classes: then what they cost says more than how many
        there are."""
        return bool(self.costs or self.priors)

    def cost_matrix(self, classes: tuple[str, ...]) -> Floats:
        """float64[K, K]: what it costs to call the first class the second one."""
        costs = 1.0 - np.eye(len(classes))
        place = {name: k for k, name in enumerate(classes)}
        for true, predicted, cost in self.costs:
            if true in place and predicted in place:
                costs[place[true], place[predicted]] = cost
        return costs

    def profit_matrix(self, classes: tuple[str, ...]) -> Floats:
        """float64[K, 2]: what a row of each class earns without acting, and by acting."""
        profits, place = np.zeros((len(classes), 2)), {name: k for k, name in enumerate(classes)}
        for name, acting, otherwise in self.profits:
            if name in place:
                profits[place[name]] = otherwise, acting
        return profits

    def dearest(self, classes: tuple[str, ...]) -> float:
        """The largest cost of a mistake; 1 where all cost the same."""
        return float(self.cost_matrix(classes).max()) if self.costs else 1.0

    def class_factors(self, classes: tuple[str, ...], root: Floats) -> Floats:
        """float64[K]: by what the weight of each class is multiplied, so that the root shows the priors.

        root: float64[K], the training weight of the classes at the root. The total weight stays as it is.
        """
        total = float(root.sum())
        if not self.priors or not total > 0:
            return np.ones(len(classes))
        priors = root / total
        given = dict(self.priors)
        for k, name in enumerate(classes):
            priors[k] = given.get(name, priors[k])
        priors = np.where(root > 0, priors, 0.0)
        if not priors.sum() > 0:
            return np.ones(len(classes))
        return np.asarray(np.divide(priors / priors.sum() * total, root, out=np.zeros(len(classes)), where=root > 0))

    def altered_factors(self, classes: tuple[str, ...], root: Floats) -> Floats:
        """float64[K]: the same by altered priors, which bring priors and costs into the search of splits: each class
        weighs ∝ prior × Σ of the costs of its mistakes (Breiman et al. 1984, 4.4; rpart, Therneau and Atkinson 1997,
        3.2). For two classes that is exact; for more it is the convention of both.
        """
        factors = self.class_factors(classes, root) * self.cost_matrix(classes).sum(axis=1)
        weight = float(factors @ root)
        return factors * (float(root.sum()) / weight) if weight > 0 else np.ones(len(classes))

    def labels(self, weights: Floats, costs: Floats) -> NDArray[np.int32]:
        """int32[n]: the class of the least expected cost for each row of class weights; the lower of those that are
        equal but for rounding.

        Args:
            weights: float64[n, K], reweighed by `class_factors`.
            costs: float64[K, K], `cost_matrix`.
        """
        slack = TIE * row_sums(weights)  # sums of fractions and factors turn ties into near ones
        if not (self.priors or self.costs):
            by_class = np.ascontiguousarray(weights.T)
            return (by_class >= by_class.max(axis=0) - slack).argmax(axis=0).astype(np.int32)  # the first of them
        expected = np.ascontiguousarray((weights @ costs).T)
        return (expected <= expected.min(axis=0) + slack * costs.max()).argmax(axis=0).astype(np.int32)

    def labels_of(self, classes: tuple[str, ...], root: Floats, counts: Floats) -> NDArray[np.int32]:
        """int32[n]: what leaves with these training counts say, float64[n, K], below a root with those of `root`; as if
        honest probabilities were of training rows."""
        factors = self.class_factors(classes, root)
        if self.threshold is None:
            return self.labels(counts * factors, self.cost_matrix(classes))
        return self.by_threshold(classes, self.probabilities(np.vstack((root, counts)) * factors)[1:])

    def labels_by(self, classes: tuple[str, ...], said: Floats) -> NDArray[np.int32]:
        """int32[n]: the class that probabilities decide for, float64[n, K]."""
        if self.threshold is None:
            return self.labels(said, self.cost_matrix(classes))
        return self.by_threshold(classes, said)

    def by_threshold(self, classes: tuple[str, ...], said: Floats) -> NDArray[np.int32]:
        """int32[n]: the class that the threshold gives to probabilities, float64[n, 2]; one that is equal to it but for
        rounding is enough."""
        assert self.threshold is not None
        name, least = self.threshold
        k = classes.index(name)
        return np.where(said[:, k] >= least - TIE, k, 1 - k).astype(np.int32)

    def probabilities(self, weights: Floats) -> Floats:
        """float64[n, K] from the class weights, the root first; a row without weight is uniform unless smoothed."""
        n_classes = weights.shape[1]
        total = row_sums(weights)[:, None]
        uniform = np.full(n_classes, 1.0 / max(1, n_classes))
        if self.smoothing == "none":
            return np.divide(weights, total, out=np.tile(uniform, (len(weights), 1)), where=total > 0)
        more, shares = float(n_classes), uniform
        if self.smoothing in ("m_estimate", "honest"):
            more = self.smoothing_m
            shares = weights[0] / total[0] if total[0] > 0 else uniform
        whole = total + more
        return np.divide(weights + more * shares, whole, out=np.tile(uniform, (len(weights), 1)), where=whole > 0)


def row_sums(array: Floats) -> Floats:
    """float64[n] of float64[n, K]: numpy adds up a few long rows ten times quicker than thousands of short ones."""
    return np.asarray(np.ascontiguousarray(array.T).sum(axis=0))


def check_summary(summary: str, task: str) -> None:
    """InputError when leaves of a tree of this task cannot predict so."""
    if task == "classes" and summary != "mode":
        raise InputError(tr("summary cannot be “{summary}” for a class target; choose one of mode.", summary=summary))
    if task == "number" and summary not in ("mean", "median"):
        raise InputError(
            tr("summary cannot be “{summary}” for a numeric target; choose one of mean, median.", summary=summary)
        )


def read_priors(given: Any) -> tuple[tuple[str, float], ...]:
    """Priors as a rule keeps them, from {class: weight} (or a Series), pairs, or the text "fraud=0.01, fine=0.99"."""
    priors = tuple((str(name), _size("prior", name, value)) for name, value in _entries(given, "priors", 2))
    twice = repeated(name for name, _ in priors)
    if twice is not None:
        raise InputError(tr("The class “{twice}” is named twice among the priors.", twice=twice))
    if priors and not any(value > 0 for _, value in priors):
        raise InputError(tr("The priors are all 0; give at least one class a weight above 0."))
    return tuple(sorted(priors))


def read_costs(given: Any) -> tuple[tuple[str, str, float], ...]:
    """Costs as a rule keeps them, from a mapping {(true, predicted): cost}, triples, or the text "bad:good=5"."""
    costs = []
    for true, predicted, value in _entries(given, "costs", 3):
        if str(true) == str(predicted):
            raise InputError(tr("To call “{true}” by its name costs nothing; a cost is of a mistake.", true=true))
        costs.append((str(true), str(predicted), _size("cost", f"{true}:{predicted}", value)))
    twice = repeated(cost[:2] for cost in costs)
    if twice is not None:
        raise InputError(tr("The mistake “{twice}” is named twice among the costs.", twice=":".join(twice)))
    return tuple(sorted(costs))


def read_threshold(given: Any) -> tuple[str, float] | None:
    """A threshold as a rule keeps it, from a pair (class, value), {class: value}, or the text "yes=0.2"."""
    pair = isinstance(given, list | tuple) and len(given) == 2 and isinstance(given[0], str)
    entries = _entries([given] if pair else given, "threshold", 2)
    if len(entries) > 1:
        raise InputError(tr("There is one threshold for both classes; {n} are given.", n=len(entries)))
    if not entries:
        return None
    name, value = str(entries[0][0]), _size("threshold", *entries[0])
    if value > 1:
        raise InputError(
            tr("The threshold of “{name}” cannot be {value:g}; it is from 0 to 1.", name=name, value=value)
        )
    return name, value


def read_profits(given: Any) -> tuple[tuple[str, float, float], ...]:
    """Profits as a rule keeps them, from {class: profit of acting} or {class: (acting, not acting)}, tuples of class
    and one or both, or the text "good=120, bad=-500:20"."""
    several = tuple | list
    if isinstance(given, several):  # as a rule keeps them
        given = [(one[0], one[1:]) if isinstance(one, several) and len(one) == 3 else one for one in given]
    profits = []
    for name, value in _entries(given, "profits", 2):
        pair = value.split(":") if isinstance(value, str) else value if isinstance(value, several) else (value,)
        if len(pair) not in (1, 2):
            raise InputError(tr(
                "{what} cannot be {given}; {remedy}", what="profits", given=one_line(value),
                remedy=tr(_EXAMPLES["profits"])))  # fmt: skip
        acting, otherwise = (_money(name, one) for one in (*pair, 0.0)[:2])
        profits.append((str(name), acting, otherwise))
    twice = repeated(name for name, *_ in profits)
    if twice is not None:
        raise InputError(tr("The class “{twice}” is named twice among the profits.", twice=twice))
    return tuple(sorted(profits))


def read_currency(given: Any) -> str:
    """The word behind profits: at most 12 characters in one line."""
    word = "" if given is None else one_line(given).strip()
    if len(word) > LONGEST_CURRENCY:
        raise InputError(
            tr("currency cannot be “{word}”; it has at most {most} characters.", word=word, most=LONGEST_CURRENCY)
        )
    return word


def _entries(given: Any, what: str, width: int) -> list[tuple[Any, ...]]:
    """Tuples of this width from a text, a mapping or a sequence."""
    if given is None:
        return []
    if isinstance(given, str):
        given = [_from_text(part, what, width) for part in given.split(",") if part.strip()]
    elif isinstance(given, Mapping) or hasattr(given, "items"):  # as a Series of pandas has: index = class
        given = [(*key, value) if isinstance(key, tuple) else (key, value) for key, value in given.items()]
    try:
        entries = [() if isinstance(entry, str) else tuple(entry) for entry in given]
    except TypeError:
        entries = [()]
    if any(len(entry) != width for entry in entries):
        raise InputError(
            tr("{what} cannot be {given}; {remedy}", what=what, given=one_line(given), remedy=tr(_EXAMPLES[what]))
        )
    return entries


_EXAMPLES = {
    "priors": marked("write class=weight, such as fraud=0.01, fine=0.99."),
    "costs": marked("write true:predicted=cost, such as bad:good=5."),
    "threshold": marked("write class=probability, such as yes=0.2."),
    "profits": marked("write class=profit of acting, such as good=120, bad=-500; behind a colon that of not acting."),
}


def _from_text(part: str, what: str, width: int) -> tuple[str, ...]:
    names, equals, value = part.rpartition("=")
    found = (*(name.strip() for name in names.split(":", width - 2)), value.strip())
    if not equals or len(found) != width or not all(found):
        raise InputError(
            tr("“{part}” cannot be used for {what}; {remedy}", part=part.strip(), what=what, remedy=tr(_EXAMPLES[what]))
        )
    return found


def _money(name: Any, value: Any) -> float:
    try:
        money = float(value)
    except (TypeError, ValueError, OverflowError):
        money = float("nan")
    if not abs(money) <= LARGEST:
        said = {"name": name, "value": one_line(value)}
        raise InputError(tr("The profit of “{name}” cannot be {value}; it is a number.", **said))
    return money


def _size(what: str, name: Any, value: Any) -> float:
    try:
        size = float(value)
    except (TypeError, ValueError, OverflowError):
        size = float("nan")
    if not 0 <= size <= LARGEST:
        raise InputError(tr(
            "The {what} of “{name}” cannot be {value}; it is a number from 0 to {largest:g}.", what=what, name=name,
            value=one_line(value), largest=LARGEST))  # fmt: skip
    return size
