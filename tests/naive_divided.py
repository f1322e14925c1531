"""Rows that C4.5 divides, one by one, from Quinlan (1993), chapter 3: at a split on a value that a row lacks, the row
goes into every branch, with the share of the weight of the training rows there whose value is known."""

import math


def branch_of(split, value):
    """The branch of one value; None where it is missing and the split divides."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None if split.missing == -1 else split.missing
    if split.kind == "threshold":
        return sum(float(value) > cut for cut in split.thresholds)
    for branch, group in enumerate(split.groups):
        if str(value) in group:
            return branch
    return split.unseen


def parts(tree, rows, i=0, held=None):
    """{position: {row: weight}} of rows, a list of dicts, sent down the tree from position i on."""
    held = {k: 1.0 for k in range(len(rows))} if held is None else held
    split, found = tree.split_at(i), {i: held}
    if split is None:
        return found
    below = [{} for _ in tree.children(i)]
    known = [0.0] * len(below)
    for k, weight in held.items():
        branch = branch_of(split, rows[k][split.column])
        if branch is not None:
            below[branch][k] = weight
            known[branch] += weight
    total = sum(known)
    for k, weight in held.items():
        if branch_of(split, rows[k][split.column]) is None:
            for b, some in enumerate(below):
                share = known[b] / total if total else 1 / len(below)
                if share > 1e-6:
                    some[k] = weight * share
    for child, some in zip(tree.children(i), below, strict=True):
        found |= parts(tree, rows, child, some)
    return found


def distribution(tree, row, shares, i=0):
    """The class probabilities of one new row: the mean of its leaves. shares: {position: weights of its branches}."""
    split = tree.split_at(i)
    if split is None:
        return list(tree.probabilities[i])
    branch, below = branch_of(split, row[split.column]), tree.children(i)
    if branch is not None:
        return distribution(tree, row, shares, below[branch])
    total = sum(shares[i])
    mean = [0.0] * len(tree.classes)
    for child, weight in zip(below, shares[i], strict=True):
        share = weight / total if total else 1 / len(below)
        for k, p in enumerate(distribution(tree, row, shares, child) if share > 1e-6 else ()):
            mean[k] += share * p
    return mean
