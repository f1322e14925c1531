"""What is found out about the shape of a tree to draw it, against what the words say; compiled, and as it stands."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.picture import kernels as outline
from gui.picture import levels as tidy


@st.composite
def trees(draw):
    """(parent, end, level, n_branches) of a tree in preorder, from how many branches its nodes have."""
    parent, level, branches, waiting = [], [], [], [(-1, 0)]
    while waiting:
        above, depth = waiting.pop()
        count = draw(st.integers(0, 4)) if len(parent) + len(waiting) < 30 else 0
        waiting += [(len(parent), depth + 1)] * count
        parent.append(above)
        level.append(depth)
        branches.append(count)
    end = [1 + max(k for k in range(len(parent)) if i in path(parent, k)) for i in range(len(parent))]
    return tuple(np.array(numbers) for numbers in (parent, end, level, branches))


def path(parent, i):
    """Node i and those above it."""
    return [i, *path(parent, int(parent[i]))] if i >= 0 else []


@pytest.fixture(params=["compiled", "as it stands"])
def kernels(request):
    """Small trees are left to Python only while nothing is compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tidy, "FEW", 0 if request.param == "compiled" else 1_000)
        if request.param != "compiled":
            names = ("find_slots", "push_apart", "place", "sort_by_level", "fold_away", "find_room", "join_bars")
            plain = {name: SimpleNamespace(py_func=getattr(outline, name).py_func, signatures=[]) for name in names}
            patch.setattr(tidy, "kernels", lambda: SimpleNamespace(**plain))
        yield


@pytest.mark.usefixtures("kernels")
@given(trees())
def test_nodes_by_level(tree):
    parent, _, level, branches = tree
    start, order, place, above, child, n_branches = tidy.run("sort_by_level", level, branches)
    assert order.tolist() == sorted(range(level.size), key=lambda i: level[i])
    assert [level[i] for k in range(len(start) - 1) for i in order[start[k] : start[k + 1]]] == sorted(level)
    assert [order[k] for k in place] == list(range(level.size))
    assert n_branches.tolist() == branches[order].tolist()
    for k, i in enumerate(order.tolist()):
        assert above[k] == (place[parent[i]] if i else 0)
        assert order[child[k] : child[k + 1]].tolist() == np.flatnonzero(parent == i).tolist()


@pytest.mark.usefixtures("kernels")
@given(trees(), st.data())
def test_what_is_folded_away_stands_with_the_folded_node_above_it(tree, data):
    parent, end, level, branches = tree
    closed = np.array(data.draw(st.lists(st.booleans(), min_size=level.size, max_size=level.size)), bool)
    closed &= branches > 0
    shown, at, *found = tidy.run("fold_away", parent, end, level, branches, closed)
    hidden = [any(closed[k] for k in path(parent, i)[1:]) for i in range(level.size)]
    assert shown.tolist() == [i for i in range(level.size) if not hidden[i]]
    for i in range(level.size):
        uppermost = [k for k in path(parent, i) if closed[k] and not hidden[k]]
        assert shown[at[i]] == (uppermost[0] if hidden[i] else i)
    wanted = (
        [at[parent[i]] if i else -1 for i in shown],
        [sum(k < end[i] for k in shown) for i in shown],
        level[shown].tolist(),
        [0 if closed[i] else branches[i] for i in shown],
    )
    assert [numbers.tolist() for numbers in found] == [list(numbers) for numbers in wanted]


@pytest.mark.usefixtures("kernels")
@given(trees(), st.floats(0.0, 20.0), st.data())
def test_how_much_room_there_is(tree, gap, data):
    parent, end, level, branches = tree
    sizes = st.floats(1.0, 50.0)
    widths = np.array(data.draw(st.lists(sizes, min_size=level.size, max_size=level.size)))
    drawn = tidy.layout(tidy.Levels(parent, end, branches, level), widths, gap)
    x, across = drawn.centres, float(drawn.right[0])
    room, tightest = tidy.run("find_room", level, x, widths, across, gap, int(level.max()))
    for i in range(level.size):
        row = np.flatnonzero(level == level[i]).tolist()
        near = row[max(row.index(i) - 1, 0) : row.index(i)] + row[row.index(i) + 1 : row.index(i) + 2]
        apart = [abs(x[i] - x[k]) / ((widths[i] + widths[k]) / 2 + gap) for k in near]
        assert room[i] == pytest.approx(min([2 * x[i] / widths[i], 2 * (across - x[i]) / widths[i], *apart]))
    assert tightest.tolist() == [room[level <= k].min() for k in range(level.max() + 1)]


@pytest.mark.usefixtures("kernels")
@given(trees(), st.data())
def test_bars_are_joined_one_below_the_other(tree, data):
    parent, end, level, branches = tree
    sizes = st.floats(1.0, 50.0)
    heights = np.array(data.draw(st.lists(sizes, min_size=level.size, max_size=level.size)))
    y = tidy.layout(tidy.Levels(parent, end, branches, level), heights, 1.0).centres
    begins, before, after, above, below = tidy.run("join_bars", parent, level, y, heights, int(level.max()))
    for i in range(level.size):
        row = np.flatnonzero(level == level[i])
        earlier, later = row[row < i], row[row > i]
        assert above[i] == (earlier[-1] if earlier.size else i)
        assert below[i] == (later[0] if later.size else i)
        assert before[i] == (y[i] - y[above[i]] if earlier.size else np.inf)
        assert after[i] == (y[below[i]] - y[i] if later.size else np.inf)
        siblings = np.flatnonzero((parent == parent[i]) & (np.arange(level.size) < i))
        top = y[parent[i]] - heights[parent[i]] / 2 + heights[siblings].sum()
        assert begins[i] == pytest.approx(top + heights[i] / 2 if i else y[0])
