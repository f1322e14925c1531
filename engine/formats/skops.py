"""A tree as a fitted pipeline of scikit-learn, saved by skops: never by pickle.

scikit-learn rounds what a tree is asked to float32, so no value is asked there. The first step finds in which interval
between the tree's own thresholds a number lies (`numpy.digitize`) or which level it is, and makes a column of 0 and 1
of each (OneHotEncoder); the second adds these with whole weights (`numpy.dot`), one column a condition of the tree; the
third is a DecisionTreeClassifier or DecisionTreeRegressor that asks whether a sum is large enough. All is exact. To
load the file, skops has to be told that `TRUSTED` is trusted.

The tree itself goes along as JSON, by which `own_tree` reads it again.

The pipeline takes a data frame with the columns that the tree asks: numbers and dates (seconds since 1970, UTC) as
floats, NaN is missing; levels, "True" and "False" as texts, None or NaN is missing."""

from collections.abc import Iterator
from math import inf, nan
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from engine.formats import tree_json
from engine.formats.onnx import inputs_of
from engine.formats.questions import Asker, AtLeast, Compare, Condition
from engine.formats.rows_to_check import Answers
from engine.runtime.errors import InputError
from engine.runtime.files import parse_json
from engine.runtime.libraries import library
from engine.runtime.sentences import tr
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.tree import Tree

TRUSTED = ("numpy.digitize", "numpy.dot", "sklearn.tree._tree.Tree")
OWN = "espalier_tree"  # the attribute of the pipeline that holds the tree as JSON
EXACT = 2**24  # whole numbers below it are float32s
MOST = 10_000_000  # weights, of 8 bytes each
Sum = tuple[float, NDArray[np.float64]]  # a constant, and the weight of each column of 0 and 1


def write(tree: Tree) -> Iterator[bytes]:
    """The file, to be read by `skops.io.load(path, trusted=list(TRUSTED))`; raises as `to_sklearn`."""
    skops: Any = library("skops.io", "exports")
    yield skops.dumps(to_sklearn(tree))


def to_sklearn(tree: Tree) -> Any:
    """The tree as a fitted pipeline of scikit-learn: of a data frame `predict`, and `predict_proba` of classes.

    Raises:
        InputError: scikit-learn is not installed, or it cannot say this tree: it has no columns or too many conditions,
            it divides rows among branches, or a leaf predicts another class than its first one with the largest
            probability, as costs, ties and labels by hand make it.
    """
    library("sklearn", "exports")
    from sklearn.compose import ColumnTransformer  # late: optional
    from sklearn.pipeline import Pipeline  # late: optional
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder  # late: optional
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # late: optional

    if not tree.columns:
        raise InputError(tr("The tree has no features, and scikit-learn needs one: add a column."))
    leaves = tree.leaves
    if tree.task == "classes" and (tree.labels[leaves] != tree.probabilities[leaves].argmax(axis=1)).any():
        raise InputError(tr(
            "scikit-learn predicts the class with the largest probability, the first of equal ones; leaves of this "
            "tree predict another, by costs, a tie or a label by hand: remove these, or export the tree as Python."
        ))  # fmt: skip
    found = _Encoded(tree)
    steps: list[tuple[str, Any, list[str]]] = []
    for place in inputs_of(tree):
        ones: Any = OneHotEncoder(categories=[found.known[place]], handle_unknown="ignore", sparse_output=False)
        if tree.columns[place].kind in NUMERIC:
            bins = FunctionTransformer(np.digitize, kw_args={"bins": found.cuts[place], "right": True})
            ones = Pipeline([("interval", bins), ("ones", ones)])
        steps.append((f"column {place}", ones, [tree.columns[place].name]))
    k = len(tree.classes)
    asked: Any = DecisionTreeClassifier() if k else DecisionTreeRegressor()
    asked.fit(np.zeros((max(k, 1), found.weights.shape[1])), np.arange(max(k, 1)))
    if k:
        asked.classes_ = np.array(tree.classes)
    kind, old = type(asked.tree_), asked.tree_.__getstate__()
    asked.tree_ = kind(found.weights.shape[1], np.array([max(k, 1)], dtype=np.intp), 1)
    asked.tree_.__setstate__(found.state(old))
    made = Pipeline([
        ("columns", ColumnTransformer(steps)),
        ("conditions", FunctionTransformer(np.dot, kw_args={"b": found.weights})),
    ])  # fmt: skip
    made.fit(found.example)
    whole = Pipeline([*made.steps, ("tree", asked)])
    setattr(whole, OWN, "".join(tree_json.write(tree)))
    return whole


def own_tree(estimator: Any) -> Tree | None:
    """The tree that `to_sklearn` made a pipeline of; None where it did not make it.

    Raises:
        InputError: in lower case: the pipeline was changed since.
    """
    text = getattr(estimator, OWN, None)
    if not isinstance(text, str):
        return None
    name = tr("The tree in it")
    tree = tree_json.tree_of(parse_json(text, name, "tree"), name)
    here, again = _figures(estimator), _figures(to_sklearn(tree))
    if len(here) != len(again) or not all(map(_equal, here, again)):
        raise InputError(tr("it was changed after Espalier made it, so it is another tree than it says"))
    return tree


def _figures(made: Any) -> list[NDArray[Any]]:
    """All that the answers of such a pipeline depend on."""
    columns, sums, asked = (step for _, step in made.steps)
    found = [sums.kw_args["b"], asked.tree_.__getstate__()["nodes"], asked.tree_.value, getattr(asked, "classes_", [])]
    for _, ones, names in columns.transformers_:
        if hasattr(ones, "steps"):
            found.append(ones[0].kw_args["bins"])
            ones = ones[-1]
        found += [names, *ones.categories_]
    return list(map(np.asarray, found))


def _equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if one.dtype.kind == "f":
        return np.array_equal(one, other, equal_nan=True)
    return one.dtype == other.dtype and repr(one.tolist()) == repr(other.tolist())  # as NaN among levels is


class _Encoded:
    """The columns of 0 and 1, the sums of them, and the binary tree that asks these.

    Attributes:
        cuts: by place, the thresholds of a number, +∞ the last. known: the values of its columns of 0 and 1.
        weights: float64[columns of 0 and 1, conditions]. example: a row of nothing.
        nodes: of each node of the binary tree the position of the node that it belongs to. rows: what scikit-learn
            keeps of it. depth: of the binary tree.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree, asker = tree, Asker(tree)
        places, self._inner = inputs_of(tree), np.flatnonzero(tree.n_branches).tolist()
        questions = {i: asker.question(i) for i in self._inner}
        compared = [one for each in questions.values() for c in each.conditions for one in _compares(c)]
        self.cuts, self.known = dict[int, NDArray[np.float64]](), dict[int, NDArray[Any]]()
        self._first, n = dict[int, int](), 0
        for place in places:
            self._first[place] = n
            if tree.columns[place].kind in NUMERIC:
                values = {one.value for one in compared if one.place == place and one.test in ("<=", ">")}
                self.cuts[place] = np.array(sorted({*values, inf}))  # NaN comes behind +∞
                self.known[place] = np.arange(len(self.cuts[place]) + 1)
            else:
                named = (one.value for one in compared if one.place == place and isinstance(one.value, tuple))
                levels = dict.fromkeys(level for value in named for level in value)
                self.known[place] = np.array([*levels, None, nan], dtype=object)
            n += len(self.known[place])
        self._n, sums = n, dict[Condition, int]()
        conditions = [c for each in questions.values() for c in each.conditions]
        for condition in conditions:
            sums.setdefault(condition, len(sums))
        self._stand_in = dict[Condition, tuple[list[int], bool]]()
        for i in self._inner:
            split = tree.split_at(i)
            if split is not None and split.surrogates:
                asked = [next(p for p in places if tree.columns[p].name == name) for name in split.columns]
                self._stand_in[questions[i].conditions[0]] = asked, split.missing == 0
        if n * max(len(sums), 1) > MOST:
            raise InputError(tr(
                "The tree has {n:,} conditions over {ones:,} values; {most:,} weights can be written: cut it back.",
                n=len(sums), ones=n, most=MOST))  # fmt: skip
        self.weights, self._constant = np.zeros((n, max(len(sums), 1))), np.zeros(max(len(sums), 1))
        for condition, at in sums.items():
            constant, weights = (self._in_turn if condition in self._stand_in else self._holds)(condition)
            if abs(constant) + np.abs(weights).sum() >= EXACT:
                raise InputError(tr("A split has too many surrogates for the sums of scikit-learn: remove some."))
            self._constant[at], self.weights[:, at] = constant - 0.5, -weights  # at most the constant: it holds
        self._questions, self._sums = questions, sums
        cells = {tree.columns[p].name: pa.array([None], _type(tree, p)) for p in places}
        self.example = pa.table(cells).to_pandas()
        self.nodes = self._walked()

    def _holds(self, condition: Condition) -> Sum:
        """A sum that is 1 or more where the condition holds, and 0 or less where not; 0 or 1 of one comparison."""
        if isinstance(condition, Compare):
            return self._compared(condition)
        parts = [self._holds(part) for part in condition.parts]
        weights = np.zeros(self._n)
        for _, each in parts:
            weights += each
        return sum(constant for constant, _ in parts) - condition.least + 1, weights

    def _in_turn(self, condition: Condition) -> Sum:
        """The same of a split with surrogates: a column with a value outweighs all behind it, so powers of three."""
        assert isinstance(condition, AtLeast)
        places, missing_holds = self._stand_in[condition]
        constant, weights = (1.0 if missing_holds else -1.0), np.zeros(self._n)
        for j, place in enumerate(places):
            way = condition.parts[j]
            side = way.parts[-1] if j and isinstance(way, AtLeast) else way
            for factor, one in ((2, side), (-1, Compare(place, "present"))):
                c, w = self._holds(one)
                constant += factor * 3 ** (len(places) - j) * c
                weights += factor * 3 ** (len(places) - j) * w
        return constant, weights

    def _compared(self, one: Compare) -> Sum:
        first, known = self._first[one.place], self.known[one.place]
        weights, here = np.zeros(self._n), slice(first, first + len(known))
        levels = one.value if isinstance(one.value, tuple) else ()
        if one.place in self.cuts:
            gone = np.arange(len(known)) == len(known) - 1
            cut = inf if isinstance(one.value, tuple) else one.value  # of no comparison: all that is present
            inside = np.append(self.cuts[one.place] <= cut, False)
            inside = {"missing": gone, ">": ~inside & ~gone}.get(one.test, inside)
            weights[here] = inside
            return 0.0, weights
        gone = np.arange(len(known)) >= len(known) - 2
        if one.test in ("missing", "in"):
            weights[here] = gone if one.test == "missing" else [level in levels for level in known]
            return 0.0, weights
        weights[here] = -(gone | [level in levels for level in known]).astype(float)
        return 1.0, weights

    def _walked(self) -> list[int]:
        """The nodes of the binary tree: one a condition, and the leaves."""
        tree, found, weights = self._tree, list[int](), self._tree.weight()
        self.rows: list[list[Any]] = []
        self.depth = 0
        waiting = [(0, 0, -1, 0, 0)]  # position, condition, node above, its side, depth
        while waiting:
            i, k, above, side, depth = waiting.pop()
            here = len(self.rows)
            if above >= 0:
                self.rows[above][side] = here
            self.depth = max(self.depth, depth)
            found.append(i)
            n, weight = int(tree.rows_train[i]), float(weights[i])
            if i not in self._questions:
                self.rows.append([-1, -1, -2, -2.0, 0.0, n, weight, 0])
                continue
            order, conditions = self._questions[i]
            at, children = self._sums[conditions[k]], tree.children(i)
            self.rows.append([0, 0, at, self._constant[at], 0.0, n, weight, 0])
            last = k + 1 == len(conditions)
            waiting.append((children[order[-1]], 0, here, 1, depth + 1) if last else (i, k + 1, here, 1, depth + 1))
            waiting.append((children[order[k]], 0, here, 0, depth + 1))
        return found

    def state(self, old: dict[str, Any]) -> dict[str, Any]:
        """The state of a tree of scikit-learn, made from that of another one."""
        tree = self._tree
        said = tree.probabilities if tree.classes else tree.predictions[:, None]
        nodes = np.array([tuple(row) for row in self.rows], dtype=old["nodes"].dtype)
        values = said[self.nodes][:, None, :]
        return {**old, "max_depth": self.depth, "node_count": len(nodes), "nodes": nodes, "values": values}


def _compares(condition: Condition) -> Iterator[Compare]:
    if isinstance(condition, AtLeast):
        for part in condition.parts:
            yield from _compares(part)
    else:
        yield condition


def _type(tree: Tree, place: int) -> Any:
    return pa.float64() if tree.columns[place].kind in NUMERIC else pa.string()


def run(content: bytes, tree: Tree, table: Table) -> Answers:
    """What scikit-learn answers for the rows of a table, after skops has loaded the file."""
    skops: Any = library("skops.io", "exports")
    import sklearn  # late: optional

    made, cells = skops.loads(content, trusted=list(TRUSTED)), {}
    for place in inputs_of(tree):
        name, n = tree.columns[place].name, table.n_rows
        column = table.column(name) if name in table.names else None
        if tree.columns[place].kind in NUMERIC:
            values = column.numbers if column is not None else np.full(n, nan)
        else:
            known = np.array([None, *(column.levels if column is not None else ())], dtype=object)
            values = known[column.codes if column is not None else np.zeros(n, dtype=np.int64)]
        cells[name] = pa.array(values, _type(tree, place))
    rows = pa.table(cells).to_pandas()
    reached = made[-1].apply(made[:-1].transform(rows))
    leaf = tree.ids[np.array(_Encoded(tree).nodes)[reached]]
    shares = made.predict_proba(rows) if tree.classes else np.zeros((table.n_rows, 0))
    return Answers(f"scikit-learn {sklearn.__version__}", leaf, made.predict(rows), shares)
