"""Targets of three classes and more, dealt out to levels: what two groups explain, as a slow search finds it."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.significance.groupings import class_ends, dealt, is_sparse
from engine.significance.kernels.class_permutations import ROUNDS, STARTS, draw_classes
from tests.effort import examples

SHARES = st.lists(st.integers(1, 9), min_size=3, max_size=6).map(lambda counts: np.array(counts) / sum(counts))


def dealt_sums(sizes, shares):
    """[draws, k, K]: the same deals, one after the other, measured from the mean."""
    n, k = int(sizes.sum()), sizes.size
    deals, roots = dealt(n, k, shares.size), np.sqrt(shares)
    lanes = deals.places if deals.places.size else deals.normal
    one_by_one = lanes.transpose(0, 2, 1).reshape(-1, lanes.shape[1])[: deals.blocks[-1]]
    if is_sparse(n, k):
        label = np.searchsorted(class_ends(shares, n), one_by_one, side="right")
        level = np.repeat(np.arange(k), sizes)
        counts = np.array([[np.bincount(row[level == j], minlength=shares.size) for j in range(k)] for row in label])
        sums = counts / roots
    else:
        sums = one_by_one.reshape(-1, k, shares.size)
        sums = (sums - (sums @ roots)[:, :, None] * roots) * np.sqrt(sizes)[:, None]
    return sums - sums.sum(axis=1, keepdims=True) * (sizes / n)[:, None]


def explained(sums, sizes, left):
    """By the levels of which `left` is True, and all others."""
    n, before = sizes.sum(), sizes[left].sum()
    return (sums[left].sum(axis=0) ** 2).sum() / (before * (n - before)) / (sums.shape[1] - 1)


def best_along(sums, sizes, starts):
    """The share that the best two groups of one deal explain, along directions."""
    found = 0.0
    for c in starts:
        place = sums[:, c] / sizes
        for _ in range(ROUNDS):
            place = np.round(place, 9)
            cuts = [place <= here for here in np.unique(place)[:-1]]
            if not cuts:
                break
            left = max(cuts, key=lambda cut: explained(sums, sizes, cut))
            found = max(found, explained(sums, sizes, left))
            place = sums @ sums[left].sum(axis=0) / sizes
    return found


def drawn(sizes, shares):
    """(whole, best) of the kernel."""
    n = int(sizes.sum())
    deals = dealt(n, sizes.size, shares.size)
    whole, best = np.empty((2, deals.blocks[-1]))
    draw_classes(deals, sizes, shares, class_ends(shares, n), whole, best)
    return whole, best


@examples(15)
@given(SHARES, st.sampled_from([(3,) * 5, (4,) * 9, (20,) * 6, (2,) * 70, (400, 300, 350), (90, 250, 310, 77, 500)]))
def test_two_groups_explain_what_a_slow_search_finds(shares, sizes):
    """Levels are equally large where rows are dealt: then those at the same place are so to the last digit."""
    sizes = np.array(sizes)
    whole, best = drawn(sizes, shares)
    sums = dealt_sums(sizes, shares)
    assert whole == pytest.approx((sums**2 / sizes[:, None]).sum(axis=(1, 2)) / sizes.sum() / (shares.size - 1))
    starts = np.argsort(-(sums**2).sum(axis=(0, 1)), kind="stable")[:STARTS]
    some = slice(None, None, 7)
    assert best[some] == pytest.approx([best_along(one, sizes, starts) for one in sums[some]], abs=1e-12)


@examples(15)
@given(SHARES, st.lists(st.integers(1, 30), min_size=3, max_size=7))
def test_no_two_groups_explain_more_and_hardly_any_by_much(shares, sizes):
    sizes = np.array(sizes)
    _, best = drawn(sizes, shares)
    sides = [np.array((False, *side)) for side in product((False, True), repeat=sizes.size - 1) if any(side)]
    for one, found in zip(dealt_sums(sizes, shares)[::40], best[::40], strict=True):
        most = max(explained(one, sizes, left) for left in sides)
        assert 0.7 * most <= found <= most * (1 + 1e-9)
