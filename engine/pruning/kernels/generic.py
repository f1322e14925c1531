"""The generic pruning of the notes: at every node the best of a leaf, each of its branches, and the tree as it is."""

from typing import NamedTuple

import numpy as np

from engine.pruning.kernels.pessimistic import send_within, upper_limit
from engine.pruning.kernels.raising import (
    TIE,
    add_upwards,
    forget,
    is_plain_leaf,
    label_at,
    make_leaf,
    raise_branch,
    send_others,
    weight_at,
    wrong_at,
)
from engine.runtime.compiler import jit, jit_bare

VALIDATION, BOUND, PESSIMISTIC = 0, 1, 2  # estimates


class Judge(NamedTuple):
    """By which estimate trees are compared.

    estimate: one of the three above. weight: what the sum over the leaves is divided by. rows, block, rest: of the
    bound, √(((nodes + 1) · block + rest) ÷ 2 rows). confidence, deviate: as for `upper_limit`. as_it_is:
    whether leaves keep what they say, which `Answers.hand` has for all of them, when a branch takes another place; else
    they say what their training rows say. full: whether no leaf says what the node above it says: they keep what they
    say, or every one has training weight.
    """

    estimate: int
    weight: float
    rows: float
    block: float
    rest: float
    confidence: float
    deviate: float
    as_it_is: bool
    full: bool


class Worth(NamedTuple):
    """Of every node as it stands. value: float64[n], the sum over the leaves at and below it. floor: float64[n], what
    it would be at least, whatever the leaves said; used by the validation error. size, leaves: int64[n], how many nodes
    and leaves these are. said: int64[n], for walks."""

    value: np.ndarray
    floor: np.ndarray
    size: np.ndarray
    leaves: np.ndarray
    said: np.ndarray


@jit_bare
def value_of_leaf(sums, answers, i, total, label, judge):
    """What node i, of this training weight, adds to the sum as a leaf that says `label`."""
    if judge.estimate == BOUND:
        return wrong_at(sums, answers, i, total, label)
    if judge.estimate == PESSIMISTIC:
        return upper_limit(total, wrong_at(sums, answers, i, total, label), judge.confidence, judge.deviate)
    return cost_of_leaf(sums, answers, i, label)


@jit_bare
def cost_of_leaf(sums, answers, i, label):
    """What the mistakes on the validation rows of leaf i cost, with what a trial adds."""
    cost, n_classes = 0.0, answers.factors.size
    for k in range(n_classes):
        weight = (sums.counts[i, n_classes + k] + sums.more[i, n_classes + k]) * answers.factors[k]
        if answers.costs.size > 0:
            cost += weight * answers.costs[k, label]
        elif k != label:
            cost += weight
    return cost


@jit_bare
def least_cost(sums, answers, i, judge):
    """The same with the label that costs least; 0 where it is not used."""
    if judge.estimate != VALIDATION or judge.as_it_is:
        return 0.0
    least = np.inf
    for label in range(answers.factors.size):
        least = min(least, cost_of_leaf(sums, answers, i, label))
    return least


@jit_bare
def best_label(sums, answers, i, own, slack, judge):
    """The class that node i says as a leaf for the least cost: `own`, unless another one costs less by more than
    `slack`. The other estimates count mistakes among the training rows, of which `own` makes the fewest; with costs it
    is what these ask for, which the estimates do not know."""
    best = own
    if judge.estimate == VALIDATION:
        least = cost_of_leaf(sums, answers, i, own)
        for label in range(answers.factors.size):
            cost = cost_of_leaf(sums, answers, i, label)
            if cost < least - slack:
                best, least = np.int64(label), cost
    return best


@jit_bare
def value_below(now, answers, top, above, worth, judge):
    """The sum over the leaves at and below a node, with what a trial adds.

    Only nodes that the trial touches are looked at, and those without training rows, whose answer is that of the node
    above them.
    """
    total, n = 0.0, 1
    now.walk[0], worth.said[0] = top, above
    while n > 0:
        n -= 1
        i = now.walk[n]
        weight = weight_at(now.sums, answers, i)
        label = label_at(now.sums, answers, i, weight, worth.said[n])
        if now.n_branches[i] == 0:
            total += value_of_leaf(now.sums, answers, i, weight, label, judge)
        elif weight > 0.0 and not now.seen[i]:
            total += worth.value[i]
        else:
            for b in range(now.n_branches[i]):
                now.walk[n], worth.said[n] = now.kids[now.first_kid[i] + b], label
                n += 1
    return total


@jit_bare
def only_touched_change(now, begin, judge):
    """Whether of a branch that takes another place only the leaves change that rows come to. One that is a leaf may
    get another label from the mark of the node whose place it takes, unless it keeps what it says."""
    return judge.full and (judge.as_it_is or now.n_branches[begin] > 0)


@jit_bare
def value_with_branch(now, ways, answers, v, chosen, above, worth, judge, most):
    """(the sum over the leaves of branch `chosen` in the place of v, how many nodes the trial touched); see
    `send_others`, whose trial stays open.

    Where no leaf says what the node above it says, only those change that rows come to, and only these are touched. By
    the validation error the few validation rows go first: where they cost more than `most` whatever the leaves say, it
    is infinite; where the leaves keep what they say, no others are needed. It is infinite, too, where some rows are
    enough to make the limits of the errors add up to more.
    """
    begin, n_touched, low = now.kids[now.first_kid[v] + chosen], 0, 0
    if judge.estimate == VALIDATION:
        low = answers.factors.size
        n_touched, floor = send_others(now, ways, v, chosen, low, 2 * low, 0), worth.floor[begin]
        for t in range(n_touched):
            floor += least_cost(now.sums, answers, now.touched[t], judge) - worth.floor[now.touched[t]]
        if floor > most:
            return np.inf, n_touched
    if judge.estimate == VALIDATION and judge.as_it_is:
        pass
    elif judge.estimate == PESSIMISTIC and judge.full:
        n_touched, certain = send_within(
            now, ways, answers, v, chosen, judge.confidence, judge.deviate, worth.value, most
        )
        if certain:
            return np.inf, n_touched
    else:
        n_touched = send_others(now, ways, v, chosen, 0, answers.factors.size, n_touched)
    if only_touched_change(now, begin, judge):
        changed = 0.0
        for t in range(n_touched):
            i = now.touched[t]
            weight = weight_at(now.sums, answers, i)
            label = label_at(now.sums, answers, i, weight, above)
            changed += value_of_leaf(now.sums, answers, i, weight, label, judge) - worth.value[i]
        return worth.value[begin] + changed, n_touched
    n_touched = add_upwards(now, begin, n_touched)
    own = answers.hand[begin]
    if answers.marked[v]:
        answers.hand[begin] = answers.hand[v]
    value = value_below(now, answers, begin, above, worth, judge)
    answers.hand[begin] = own
    return value, n_touched


@jit_bare
def score(value, size, judge):
    """The estimate of a tree of so many nodes whose leaves add up to `value`."""
    error = value / judge.weight
    if judge.estimate != BOUND:
        return error
    return error + np.sqrt(((size + 1) * judge.block + judge.rest) / (2.0 * judge.rows))


@jit_bare
def take_branch(now, ways, answers, v, chosen, above, worth, judge):
    """Raises a branch of v for good, and values what has changed."""
    begin = now.kids[now.first_kid[v] + chosen]
    value, n_touched = value_with_branch(now, ways, answers, v, chosen, above, worth, judge, np.inf)
    if judge.estimate == VALIDATION and judge.as_it_is:  # the training rows still have to go
        n_touched = send_others(now, ways, v, chosen, 0, answers.factors.size, n_touched)
    if only_touched_change(now, begin, judge):
        n_touched = add_upwards(now, begin, n_touched)
    said = answers.hand[begin]
    raise_branch(now, ways, answers, v, chosen, n_touched)
    if judge.as_it_is and now.n_branches[begin] == 0:
        answers.hand[begin] = said
    for t in range(n_touched - 1, -1, -1):  # from below
        i = now.touched[t]
        weight = weight_at(now.sums, answers, i)
        worth.floor[i] = 0.0 if now.n_branches[i] > 0 else least_cost(now.sums, answers, i, judge)
        for b in range(now.n_branches[i]):
            worth.floor[i] += worth.floor[now.kids[now.first_kid[i] + b]]
        if judge.full and now.n_branches[i] > 0:
            worth.value[i] = 0.0
            for b in range(now.n_branches[i]):
                worth.value[i] += worth.value[now.kids[now.first_kid[i] + b]]
        elif judge.full:
            label = label_at(now.sums, answers, i, weight, above)
            worth.value[i] = value_of_leaf(now.sums, answers, i, weight, label, judge)
        elif now.n_branches[i] > 0 and weight > 0.0:
            label, below = label_at(now.sums, answers, i, weight, 0), 0.0
            for b in range(now.n_branches[i]):
                below += value_below(now, answers, now.kids[now.first_kid[i] + b], label, worth, judge)
            worth.value[i] = below
    worth.value[begin] = value


@jit
def value_leaves(now, answers, above, free, judge):
    """The worth of every node before anything is cut; of splits it is found when they are reached.

    Leaves that keep what they say come to say what is best by the estimate: what one of them says makes no difference
    to what is best elsewhere, so that it does not matter when they are asked.

    Args:
        above: int64[n], the class that the node above says in the full tree.
        free: bool[n], the leaves that may say anything.
    """
    n = now.n_branches.size
    worth = Worth(np.zeros(n), np.zeros(n), np.ones(n, np.int64), np.ones(n, np.int64), np.empty(n, np.int64))
    for i in range(n):
        if now.n_branches[i] == 0:
            weight = weight_at(now.sums, answers, i)
            label = label_at(now.sums, answers, i, weight, above[i])
            if judge.as_it_is and free[i]:
                label = best_label(now.sums, answers, i, label, TIE * judge.weight, judge)
                answers.hand[i] = label
            worth.value[i] = value_of_leaf(now.sums, answers, i, weight, label, judge)
            worth.floor[i] = least_cost(now.sums, answers, i, judge)
    return worth


@jit
def prune_generically(now, ways, answers, kept, order, above, judge, whole, worth, verdict, flag):
    """Goes through splits and keeps at each the tree of the least estimate; of equal ones that with fewer leaves,
    then the leaf, then the first branch.

    By estimates that are sums over the leaves trees are compared by what they are worth at and below the node, so that
    it does not matter what has become of others; `tell_whole` adds these.

    Args:
        kept: bool[n], splits that stay, with all above them.
        order: int64[·], the splits, each after those below it.
        above: int64[n], the class that the node above says in the full tree.
        judge: the estimate. whole: the sum over all leaves before anything is cut.
        worth: as from `value_leaves`; kept up to date.
        verdict: float64[4, n], written: the sum with the node as a leaf, with its branches, with the best of these in
            its place (not where a bound ruled it out), and as it was chosen; NaN where it was not asked. By the bound
            it is the estimate.
        flag: uint8[1], not 0 once it is to stop.
    """
    value, size, leaves = worth.value, worth.size, worth.leaves
    nodes, bound = now.n_branches.size, judge.estimate == BOUND
    unit = TIE * max(1.0, abs(score(whole, nodes, judge)))
    for v in order:
        if flag[0] != 0:
            break
        size[v], leaves[v] = 1, 0
        for b in range(now.n_branches[v]):
            kid = now.kids[now.first_kid[v] + b]
            value[v] += value[kid]
            worth.floor[v] += worth.floor[kid]
            size[v] += size[kid]
            leaves[v] += leaves[kid]
        verdict[3, v] = value[v]
        if kept[v]:
            continue
        others, rest = whole - value[v] if bound else 0.0, nodes - size[v]
        weight = weight_at(now.sums, answers, v)
        label = label_at(now.sums, answers, v, weight, above[v])
        if judge.as_it_is and answers.hand[v] < 0:
            label = best_label(now.sums, answers, v, label, unit * judge.weight, judge)
        as_leaf = value_of_leaf(now.sums, answers, v, weight, label, judge)
        chosen, fewest, best_value, best_size, ruled_out = -1, np.int64(1), as_leaf, np.int64(1), False
        best, current, raised = score(others + as_leaf, rest + 1, judge), score(others + value[v], nodes, judge), np.inf
        verdict[0, v], verdict[1, v], most = best, current, min(as_leaf, value[v]) + 4.0 * unit * judge.weight
        for b in range(now.n_branches[v] + 1):
            found, kid, of_kid = current, v, value[v]
            if b < now.n_branches[v]:
                kid = now.kids[now.first_kid[v] + b]
                if judge.as_it_is and now.n_branches[kid] == 0:
                    said = answers.hand[v] if answers.hand[v] >= 0 else answers.hand[kid]
                    of_kid = value_of_leaf(now.sums, answers, v, weight, said, judge)
                elif is_plain_leaf(now, answers, v, b):
                    raised = min(raised, verdict[0, v])
                    continue
                else:
                    of_kid, n_touched = value_with_branch(now, ways, answers, v, b, above[v], worth, judge, most)
                    forget(now, n_touched)
                found = score(others + of_kid, rest + size[kid], judge)
                raised, ruled_out = min(raised, found), ruled_out or found == np.inf
            if found < best - unit or (found <= best + unit and leaves[kid] < fewest):
                chosen, fewest, best, best_value, best_size = b, leaves[kid], found, of_kid, size[kid]
        lost = ruled_out and raised > min(verdict[0, v], current)  # then one that was not tried may be less bad
        verdict[2, v], verdict[3, v] = np.nan if lost else raised, best_value
        if chosen == now.n_branches[v]:
            continue
        whole, nodes = whole - value[v] + best_value, rest + best_size
        if chosen >= 0:
            take_branch(now, ways, answers, v, chosen, above[v], worth, judge)
        else:
            make_leaf(now, v)
            if judge.as_it_is:
                answers.hand[v] = label
            value[v], size[v], leaves[v], worth.floor[v] = as_leaf, 1, 1, least_cost(now.sums, answers, v, judge)


@jit
def tell_whole(order, whole, weight, verdict):
    """Adds to what was compared at each node what the rest of the tree added up to when its turn came."""
    for v in order:
        if not np.isnan(verdict[1, v]):
            current = verdict[1, v] * weight
            rest = (whole - current) / weight
            whole += verdict[3, v] - current
            for k in range(3):
                verdict[k, v] += rest
