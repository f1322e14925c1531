"""The slow and obvious twin of what leaves say: one leaf at a time, in exact fractions."""

from fractions import Fraction
from itertools import product


def reweighed(counts, root, classes, priors):
    """The class weights of a node, those of the whole tree made to show the priors."""
    total, given = sum(map(Fraction, root)), dict(priors)
    if not given or total == 0:
        return [Fraction(n) for n in counts]
    wanted = [Fraction(given.get(name, n / total)) if n else Fraction(0) for name, n in zip(classes, root, strict=True)]
    if sum(wanted) == 0:
        return [Fraction(n) for n in counts]
    wanted = [w / sum(wanted) for w in wanted]
    return [
        Fraction(n) * w * total / Fraction(of_all) if of_all else Fraction(0)
        for n, w, of_all in zip(counts, wanted, root, strict=True)
    ]


def probabilities(weights, root, smoothing, m):
    """The probabilities from reweighed class weights; None for a node without any."""
    total, k = sum(weights), len(weights)
    if total == 0:
        return None
    if smoothing == "laplace":
        return [(w + 1) / (total + k) for w in weights]
    if smoothing == "m_estimate":
        shares = [w / sum(root) for w in root]
        return [(w + m * share) / (total + m) for w, share in zip(weights, shares, strict=True)]
    return [w / total for w in weights]


def honest(validation, root, m):
    """The probabilities from the reweighed class weights of the validation rows."""
    total, of_root, k = sum(validation), sum(root), len(root)
    if total + m == 0:
        return [Fraction(1, k)] * k
    shares = [share / of_root if of_root else Fraction(1, k) for share in root]
    return [(w + m * share) / (total + m) for w, share in zip(validation, shares, strict=True)]


def cost(true, said, costs):
    """What it costs to call a class by the name of another."""
    return Fraction(0) if true == said else Fraction(dict(((t, s), c) for t, s, c in costs).get((true, said), 1))


def expected_cost(said, weights, classes, costs):
    return sum(w * cost(true, said, costs) for true, w in zip(classes, weights, strict=True))


def label(weights, classes, costs, threshold=None, said=()):
    """The first class of the least expected cost, but for what rounds it; of two classes the one whose probability
    reaches the threshold, else the other one."""
    if threshold is not None:
        k = classes.index(threshold[0])
        return k if said[k] >= threshold[1] - 1e-12 else 1 - k
    expected = [expected_cost(said, weights, classes, costs) for said in classes]
    slack = Fraction(1, 10**12) * sum(weights) * max(cost(*pair, costs) for pair in product(classes, repeat=2))
    return next(k for k, each in enumerate(expected) if each <= min(expected) + slack)
