"""C4.5's error-based pruning (Quinlan 1993, chapter 4), node by node as Weka's J48 goes."""

import numpy as np

from engine.pruning.kernels.raising import (
    add_upwards,
    forget,
    is_plain_leaf,
    label_at,
    make_leaf,
    next_row,
    raise_branch,
    send_four,
    start_walk,
    weight_at,
    wrong_at,
)
from engine.runtime.compiler import jit, jit_bare, shared

SLACK = 0.1  # so much more may be expected of what is smaller
ROUNDING = 1e-6  # below it J48 sees no difference
LEAST_RISING = 0.01  # from this confidence on `upper_limit` never falls; at 0.0001 one error may make it less than none
FIRST_LOOK = 32  # rows sent down before it is asked whether more are in vain
AHEAD = 1.1  # so many times as many rows as it seems to take are sent before one looks again
UNSURE = 1e-9  # of a node's weight: far more than sums over leaves, and ties between labels, are off by


@jit_bare
def upper_limit(n, e, confidence, deviate):
    """The errors to be expected among n rows of which e are wrong: the upper limit of their number, by the normal
    approximation with a correction for continuity; for less than one error between it and the exact limit for none
    (`Stats.addErrs` of Weka, with the e errors themselves).

    It never falls as n or e rises, at confidences from LEAST_RISING to ½: above one error it is n·p for the upper p
    with n·p − (e + ½) = z·√(n·p(1 − p)), whose right side grows with n at the same n·p.

    deviate: the deviate of the standard normal distribution that is exceeded with probability `confidence`.
    """
    if not n > 0.0:
        return 0.0
    none = 0.0 if e >= 1.0 else n * (1.0 - confidence ** (1.0 / n))
    if e <= 0.0:
        return none
    seen = max(e, 1.0)
    if seen + 0.5 >= n:
        more = max(n - seen, 0.0)
    else:
        f, z2 = (seen + 0.5) / n, deviate * deviate
        middle = f + z2 / (2.0 * n) + deviate * np.sqrt(f / n - f * f / n + z2 / (4.0 * n * n))
        more = middle / (1.0 + z2 / n) * n - seen
    return e + more if e >= 1.0 else e + none + e * (more - none)


@jit_bare
def limit_at(sums, answers, i, confidence, deviate):
    """The errors to be expected of node i as a leaf, with what a trial adds."""
    total = weight_at(sums, answers, i)
    label = label_at(sums, answers, i, total, 0)
    return upper_limit(total, wrong_at(sums, answers, i, total, label), confidence, deviate)


@shared
@jit
def limits(now, answers, confidence, deviate):
    """float64[n]: the errors to be expected of every node as a leaf."""
    found = np.empty(now.n_branches.size)
    for i in range(found.size):
        found[i] = limit_at(now.sums, answers, i, confidence, deviate)
    return found


@jit_bare
def largest_branch(now, answers, v):
    """The number of the branch of v with the most training weight; of several the last, as in J48."""
    largest, most = 0, -1.0
    for b in range(now.n_branches[v]):
        weight = weight_at(now.sums, answers, now.kids[now.first_kid[v] + b])
        if weight >= most:
            largest, most = b, weight
    return largest


@jit_bare
def added(sums, touched, answers, n_touched, confidence, deviate, expected):
    """By how much a trial adds to the errors to be expected of the leaves that it has touched so far."""
    more = 0.0
    for t in range(n_touched):
        i = touched[t]
        more += limit_at(sums, answers, i, confidence, deviate) - expected[i]
    return more


@jit_bare
def next_look(sent, more, allowed):
    """After how many rows a trial has reached what is allowed, if it goes on as so far; 5/4 to 4 times as many."""
    if more * 4.0 <= allowed * AHEAD:
        return 4 * sent
    return max(np.int64(sent * AHEAD * allowed / more), sent + sent // 4)


@jit_bare
def send_within(now, ways, answers, v, chosen, confidence, deviate, expected, most):
    """`send_others` for all rows, until it is certain that more than `most` errors are to be expected of the branch.

    No row that comes to a leaf makes its limit less: the weight rises, and so do the errors, those of the label that
    errs least or of one written by hand. So what is reached by some of the rows will not be undone by the others. With
    costs the label is not the one that errs least, and a branch that is a leaf may get another label from the mark of
    v; then all rows are sent.

    Returns:
        (how many leaves were touched, whether it is certain).
    """
    begin = now.kids[now.first_kid[v] + chosen]
    if answers.costs.size > 0 or confidence < LEAST_RISING or now.n_branches[begin] == 0:
        most = np.inf
    most += UNSURE * weight_at(now.sums, answers, v)
    low, high, n_touched, sent, due = 0, now.sums.counts.shape[1], 0, 0, FIRST_LOOK
    a, top = next_row(now, -1, start_walk(now, v, chosen), low, high)
    while a >= 0:
        n_touched, a, top = send_four(now, ways, a, begin, top, low, high, n_touched)
        sent += 4
        if sent >= due and most < np.inf:
            more = added(now.sums, now.touched, answers, n_touched, confidence, deviate, expected)
            if expected[begin] + more > most:
                return n_touched, True
            due = next_look(sent, more, most - expected[begin])
    return n_touched, False


@jit_bare
def try_largest(now, ways, answers, v, leaf, confidence, deviate, expected, most):
    """(the number of the largest branch of v, the errors to be expected with it in the place of v, infinite where they
    are certain to be more than `most`, how many leaves the rows of the other branches touch).

    leaf: the errors to be expected of v as a leaf.
    """
    chosen = largest_branch(now, answers, v)
    if is_plain_leaf(now, answers, v, chosen):
        return chosen, leaf, 0
    begin = now.kids[now.first_kid[v] + chosen]
    n_touched, certain = send_within(now, ways, answers, v, chosen, confidence, deviate, expected, most)
    if certain:
        return chosen, np.inf, n_touched
    own = answers.hand[begin]
    if answers.marked[v]:
        answers.hand[begin] = answers.hand[v]
    total = expected[begin]
    if now.n_branches[begin] == 0 and n_touched == 0:  # its label may be another one
        total = limit_at(now.sums, answers, begin, confidence, deviate)
    for t in range(n_touched):
        i = now.touched[t]
        total += limit_at(now.sums, answers, i, confidence, deviate) - expected[i]
    answers.hand[begin] = own
    return chosen, total, n_touched


@jit_bare
def decide(now, ways, answers, v, raising, confidence, deviate, expected, changed, verdict):
    """Leaves v as it is, makes it a leaf or raises its largest branch; returns whether it did the last."""
    below = 0.0
    for b in range(now.n_branches[v]):
        below += expected[now.kids[now.first_kid[v] + b]]
    expected[v] = below
    leaf, raised, chosen, n_touched = limit_at(now.sums, answers, v, confidence, deviate), np.inf, 0, 0
    slack = SLACK + ROUNDING
    if raising:
        most = leaf - slack if leaf <= below + slack else below + slack  # with more it is not raised
        chosen, raised, n_touched = try_largest(now, ways, answers, v, leaf, confidence, deviate, expected, most)
    verdict[0, v], verdict[1, v], verdict[2, v] = leaf, below, raised if raised < np.inf else np.nan
    if leaf <= below + slack and leaf <= raised + slack:
        forget(now, n_touched)
        make_leaf(now, v)
        expected[v] = leaf
        return False
    if raised > below + slack:
        forget(now, n_touched)
        return False
    begin = now.kids[now.first_kid[v] + chosen]
    n_touched = add_upwards(now, begin, n_touched)
    raise_branch(now, ways, answers, v, chosen, n_touched)
    for t in range(n_touched):
        i = now.touched[t]
        changed[i] = True
        if now.n_branches[i] == 0:
            expected[i] = limit_at(now.sums, answers, i, confidence, deviate)
    if now.n_branches[begin] == 0:
        expected[begin] = limit_at(now.sums, answers, begin, confidence, deviate)
    changed[begin] = True
    return True


@jit
def prune_by_limits(now, ways, answers, kept, root, raising, confidence, deviate, expected, changed, verdict, flag):
    """Prunes the subtree of `root` as it stands, bottom up; after a branch was raised it is pruned again.

    Nodes whose rows are the same as when they were pruned would come out the same, so they are passed over.

    Args:
        kept: bool[n], splits that stay, with all above them.
        expected: float64[n], as from `limits`; kept up to date.
        changed: bool[n], whether a node is to be pruned; kept up to date.
        flag: uint8[1], not 0 once it is to stop.
        verdict: float64[3, n], written: the errors to be expected of a node as a leaf, with its branches, with the
            largest one in its place; NaN where it was not asked, or a bound ruled it out.
    """
    n = now.walk.size
    waiting, done_below = np.empty(n + 1, np.int64), np.zeros(n + 1, np.bool_)  # places of nodes; whether below is done
    waiting[0], top = now.slot[root], 1
    while top > 0 and flag[0] == 0:
        slot = waiting[top - 1]
        v = now.kids[slot]
        if now.n_branches[v] == 0 or not changed[v]:
            top -= 1
        elif not done_below[top - 1]:
            done_below[top - 1] = True
            for b in range(now.n_branches[v] - 1, -1, -1):
                waiting[top], done_below[top] = now.first_kid[v] + b, False
                top += 1
        else:
            done_below[top - 1] = False
            if kept[v]:
                expected[v] = 0.0
                for b in range(now.n_branches[v]):
                    expected[v] += expected[now.kids[now.first_kid[v] + b]]
                changed[v] = False
            elif not decide(now, ways, answers, v, raising, confidence, deviate, expected, changed, verdict):
                changed[v] = False
