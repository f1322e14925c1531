"""A tree as an ONNX model (opset 17, ai.onnx.ml 3), to be run by onnxruntime and others.

Each column that the tree asks is an input of one column: numbers and dates (seconds since 1970, UTC) as doubles, NaN is
missing; levels, "True" and "False" as texts, of which the one that the model's `metadata_props` call `missing` is it.
Comparisons of numbers stand in the TreeEnsembleRegressor as they are; every other condition (levels, surrogates, m of
n) is worked out before it and asked there as 0 or 1. The ensemble finds a leaf; what the leaf says is looked up, so no
figure is rounded to float32."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.formats import tree_json
from engine.formats.coding import headline
from engine.formats.foreign import (
    Foreign,
    ForeignNode,
    Wish,
    below,
    below_float32,
    chosen,
    column_places,
    cut,
    named,
    number_stats,
    planted,
    reach_of_float32,
    same_length,
    target_name,
)
from engine.formats.questions import Asker, AtLeast, Compare, Condition, columns_used
from engine.formats.rows_to_check import Answers
from engine.runtime.errors import InputError, one_line
from engine.runtime.files import parse_json
from engine.runtime.libraries import library
from engine.runtime.sentences import tr
from engine.runtime.version import VERSION
from engine.splits import Literal, Split
from engine.table.column import NUMERIC
from engine.table.table import Table
from engine.tree.nodes import TreeColumn
from engine.tree.tree import Tree

OPSET, ML_OPSET, IR = 17, 3, 8  # what onnxruntime 1.12 of 2022 and later run
OWN = "espalier-tree"  # the property that holds the tree as JSON, by which it is read again
MISSING = "␀"
MOST_LEAVES = 2**24  # whole numbers that a float32 holds
MOST_DEPTH = 1000  # onnxruntime builds and walks a tree by recursion
OUTPUTS = ("leaf", "prediction", "probabilities")
ML = "ai.onnx.ml"
ROW = (
    "nodes_nodeids", "nodes_modes", "nodes_featureids", "nodes_values", "nodes_truenodeids", "nodes_falsenodeids",
    "nodes_missing_value_tracks_true",
)  # fmt: skip
TRUE_UP_TO = 0.5  # a condition that was worked out before is 0 where it holds and 1 where not


def deepest() -> int:
    """The level down to which a tree can be said."""
    return MOST_DEPTH


def write(tree: Tree) -> Iterator[bytes]:
    """The model, with the outputs `leaf`, `prediction` and, of classes, `probabilities`.

    Raises:
        InputError: onnx is not installed, or the model cannot say this tree.
    """
    library("onnx", "exports")
    if tree.depth > MOST_DEPTH:
        raise InputError(tr(
            "The tree is {depth:,} levels deep; programs that run ONNX take at most {most:,}: cut it back, or "
            "approximate it.",
            depth=tree.depth, most=MOST_DEPTH))  # fmt: skip
    if tree.n_leaves > MOST_LEAVES:
        raise InputError(tr(
            "The tree has {n:,} leaves; ONNX counts at most {most:,}: cut it back.", n=tree.n_leaves, most=MOST_LEAVES,
        ))  # fmt: skip
    if not tree.columns:
        raise InputError(tr("The tree has no features, and an ONNX model needs an input: add a column."))
    try:
        yield _Graph(tree).model().SerializeToString()
    except UnicodeEncodeError as error:
        raise InputError(tr(
            "ONNX cannot say “{text}”, which holds half of a character: rename it.", text=one_line(error.object),
        )) from error  # fmt: skip


class _Graph:
    """The nodes of one model while they are made."""

    def __init__(self, tree: Tree) -> None:
        from onnx import TensorProto, helper, numpy_helper  # late: an extra, which `write` has looked for

        self._tree, self._helper, self._numpy, self._types = tree, helper, numpy_helper, TensorProto
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._known: dict[Condition, str] = {}
        self._prefix = "\u2192"  # of all that is neither input nor output
        while any(column.name.startswith(self._prefix) for column in tree.columns):
            self._prefix += "\u2192"

    def model(self) -> Any:
        """The whole model."""
        helper, tree, types = self._helper, self._tree, self._types
        missing, names = missing_text(tree), output_names(tree)
        inputs = [
            helper.make_tensor_value_info(
                tree.columns[place].name, types.DOUBLE if _is_number(tree, place) else types.STRING, [None, 1]
            )
            for place in inputs_of(tree)
        ]
        found = self._made("Cast", [self._ensemble()], to=types.INT64)
        leaf = self._made("Reshape", [found, self._constant(np.array([-1]))])
        outputs = []
        for output, values in _told(tree).items():
            held = self._constant(values)
            self._nodes.append(helper.make_node("Gather", [held, leaf], [names[output]], axis=0))
            kind = types.STRING if values.dtype == object else helper.np_dtype_to_tensor_dtype(values.dtype)
            outputs.append(helper.make_tensor_value_info(names[output], kind, [None, *values.shape[1:]]))
        graph = helper.make_graph(self._nodes, "tree", inputs, outputs, self._constants, headline(tree))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, ML_OPSET)]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=IR, producer_name="Espalier", producer_version=VERSION
        )
        said = {"missing": missing, "target": tree.target, "classes": json.dumps(tree.classes)}
        helper.set_model_props(model, said | {OWN: "".join(tree_json.write(tree))})
        return model

    def _made(self, operator: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        """Adds a node and answers the name of what it makes."""
        name = f"{self._prefix}{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def _constant(self, values: Any) -> str:
        """The name of an array that stands in the model."""
        name = f"{self._prefix}constant {len(self._constants)}"
        if values.dtype == object:
            texts = [text.encode("utf-8") for text in values]
            tensor = self._helper.make_tensor(name, self._types.STRING, values.shape, texts)
        else:
            tensor = self._numpy.from_array(np.ascontiguousarray(values), name)
        self._constants.append(tensor)
        return name

    # -- the tree

    def _ensemble(self) -> str:
        """The number of the leaf that each row reaches, as a float."""
        tree, asker = self._tree, Asker(self._tree)
        asked: dict[str, int] = {}  # the doubles that nodes ask
        rows = list[tuple[int, str, int, float, int, int, bool]]()  # of `ROW`
        number_of, first = {leaf: k for k, leaf in enumerate(tree.leaves.tolist())}, list[int]()
        n = 0
        questions = {i: asker.question(i) for i in np.flatnonzero(tree.n_branches).tolist()}
        for i in range(tree.n_nodes):  # one node of the ensemble for each condition
            first.append(n)
            n += len(questions[i].conditions) if i in questions else 1
        for i in range(tree.n_nodes):
            if i not in questions:
                rows.append((first[i], "LEAF", 0, 0.0, 0, 0, False))
                continue
            order, conditions = questions[i]
            children = [first[child] for child in tree.children(i)]
            for k, condition in enumerate(conditions):
                name, most, missing_too = self._feature(condition)
                other = first[i] + k + 1 if k + 1 < len(conditions) else children[order[-1]]
                place = asked.setdefault(name, len(asked))
                rows.append((first[i] + k, "BRANCH_LEQ", place, most, children[order[k]], other, missing_too))
        if not asked:
            asked[self._double(Compare(inputs_of(tree)[0], "missing"))] = 0
        x = self._made("Concat", list(asked), axis=1)
        values = {name: list(column) for name, column in zip(ROW, zip(*rows, strict=True), strict=True)}
        leaves = [first[leaf] for leaf in number_of]
        return self._made(
            "TreeEnsembleRegressor", [x], ML, n_targets=1, nodes_treeids=[0] * n, target_treeids=[0] * len(leaves),
            target_ids=[0] * len(leaves), target_nodeids=leaves,
            target_weights_as_tensor=self._numpy.from_array(np.arange(len(leaves), dtype=np.float64), "leaves"),
            nodes_values_as_tensor=self._numpy.from_array(np.array(values.pop("nodes_values")), "thresholds"),
            **{name: list(map(int, of)) if name != "nodes_modes" else of for name, of in values.items()},
        )  # fmt: skip

    def _feature(self, condition: Condition) -> tuple[str, float, bool]:
        """What a node asks for a condition: a double, up to which value it holds, and whether it does for NaN."""
        parts = condition.parts if isinstance(condition, AtLeast) and condition.least == 1 else (condition,)
        first = parts[0] if parts else None
        if isinstance(first, Compare) and first.test == "<=" and parts[1:] in ((), (Compare(first.place, "missing"),)):
            assert isinstance(first.value, float)
            return self._tree.columns[first.place].name, first.value, len(parts) == 2
        return self._double(condition), TRUE_UP_TO, False

    def _double(self, condition: Condition) -> str:
        """A double for each row: 0 where the condition holds, else 1."""
        return self._made("Cast", [self._made("Not", [self._truth(condition)])], to=self._types.DOUBLE)

    def _truth(self, condition: Condition) -> str:
        """Whether a condition holds in each row."""
        if condition not in self._known:
            self._known[condition] = (
                self._compared(condition) if isinstance(condition, Compare) else self._counted(condition)
            )
        return self._known[condition]

    def _counted(self, condition: AtLeast) -> str:
        if not condition.parts:
            absent = self._truth(Compare(inputs_of(self._tree)[0], "missing"))
            return self._made("And", [absent, self._made("Not", [absent])])
        ones = [self._made("Cast", [self._truth(part)], to=self._types.FLOAT) for part in condition.parts]
        least = self._constant(np.array([condition.least - 0.5], dtype=np.float32))
        return self._made("Greater", [self._made("Sum", ones), least])

    def _compared(self, one: Compare) -> str:
        column, tests = self._tree.columns[one.place], {"<=": "LessOrEqual", ">": "Greater"}
        if one.test == "present":
            return self._made("Not", [self._truth(Compare(one.place, "missing"))])
        if one.test in tests:
            return self._made(tests[one.test], [column.name, self._constant(np.array([one.value]))])
        if one.test == "missing" and _is_number(self._tree, one.place):
            return self._made("IsNaN", [column.name])
        missing = missing_text(self._tree)
        levels = (missing,) if one.test == "missing" else one.value
        assert isinstance(levels, tuple)
        inside = one.test != "not in"
        keys = levels if inside else (*levels, missing)
        found = self._made(
            "LabelEncoder", [column.name], ML, keys_strings=list(keys), values_int64s=[int(inside)] * len(keys),
            default_int64=int(not inside),
        )  # fmt: skip
        return self._made("Cast", [found], to=self._types.BOOL)


def _is_number(tree: Tree, place: int) -> bool:
    return tree.columns[place].kind in NUMERIC


def inputs_of(tree: Tree) -> list[int]:
    """The places of the columns that the model is given: those that the tree asks, one at least."""
    return columns_used(tree) or [0]


def missing_text(tree: Tree) -> str:
    """The text that stands for a missing value; no level is called so."""
    text, levels = MISSING, {level for column in tree.columns for level in column.levels}
    while text in levels:
        text += MISSING
    return text


def output_names(tree: Tree) -> dict[str, str]:
    """The names of the outputs; where a column has that name it gets another."""
    taken = {tree.columns[place].name for place in inputs_of(tree)}
    found = {}
    for name in OUTPUTS:
        found[name] = name
        while found[name] in taken:
            found[name] += " (tree)"
    return found


def _told(tree: Tree) -> dict[str, Any]:
    """What the leaves say, in their order."""
    kept = tree.leaves
    told: dict[str, Any] = {"leaf": tree.ids[kept]}
    if tree.task == "number":
        return told | {"prediction": tree.predictions[kept]}
    classes = np.array(tree.classes, dtype=object)
    return told | {"prediction": classes[tree.labels[kept]], "probabilities": tree.probabilities[kept]}


def run(content: bytes, tree: Tree, table: Table) -> Answers:
    """What onnxruntime answers for the rows of a table; InputError where it is not installed."""
    runtime: Any = library("onnxruntime", "exports")
    quiet = runtime.SessionOptions()
    quiet.log_severity_level = 3
    session = runtime.InferenceSession(content, quiet, providers=["CPUExecutionProvider"])
    cells, n = {}, table.n_rows
    for place in inputs_of(tree):
        name, is_number = tree.columns[place].name, _is_number(tree, place)
        column = table.column(name) if name in table.names else None
        if is_number:
            values = column.numbers if column is not None else np.full(n, np.nan)
        else:
            known = [missing_text(tree), *(column.levels if column is not None else ())]
            values = np.array(known, dtype=object)[column.codes if column is not None else np.zeros(n, dtype=int)]
        cells[name] = values.reshape(n, 1)
    names = output_names(tree)
    wanted = OUTPUTS if tree.task == "classes" else OUTPUTS[:2]
    leaf, prediction, *shares = session.run([names[name] for name in wanted], cells)
    probabilities = shares[0] if shares else np.zeros((n, 0))
    return Answers(f"onnxruntime {runtime.__version__}", leaf, prediction, probabilities)


# -- reading


MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ")
MOST_FEATURES = 100_000  # that a file can name without listing them
ENSEMBLES = ("TreeEnsembleClassifier", "TreeEnsembleRegressor")


def read(data: bytes, wish: Wish) -> Tree:
    """The tree of a model; InputError in lower case, to follow the file's name.

    One that this program wrote and nobody changed is the same tree again. Of others the tree ensemble is read, whose
    features are inputs of the model as they are.
    """
    onnx: Any = library("onnx", "exports")
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:  # protobuf has errors of its own, by the way that it was built
        raise InputError(tr("it is damaged")) from error
    own = [each.value for each in model.metadata_props if each.key == OWN]
    if own:
        tree = tree_json.tree_of(parse_json(own[0], tr("The tree in it"), "tree"), tr("The tree in it"))
        if _Graph(tree).model().graph != model.graph:
            raise InputError(tr("it was changed after Espalier wrote it, so it is another tree than it says"))
        return tree
    nodes = [node for node in model.graph.node if node.op_type in ENSEMBLES]
    if len(nodes) != 1:
        raise InputError(tr("it has {n} tree ensembles of ai.onnx.ml, not one", n=len(nodes)))
    found = {each.name: onnx.helper.get_attribute_value(each) for each in nodes[0].attribute}
    return planted(_Found(onnx, model, nodes[0], found).tree(wish))


class _Found:
    """A tree ensemble as it stands in a model."""

    def __init__(self, onnx: Any, model: Any, node: Any, found: dict[str, Any]) -> None:
        self._onnx, self._graph, self._node, self._found = onnx, model.graph, node, found
        self._classes = node.op_type == ENSEMBLES[0]

    def tree(self, wish: Wish) -> Foreign:
        """The tree that is wished for."""
        trees, ids = self._whole("nodes_treeids"), self._whole("nodes_nodeids")
        features, modes = self._whole("nodes_featureids"), [self._text(one) for one in self._list("nodes_modes")]
        true, false = self._whole("nodes_truenodeids"), self._whole("nodes_falsenodeids")
        values = self._numbers("nodes_values")
        tracks = self._whole("nodes_missing_value_tracks_true") or [0] * len(ids)
        same_length(
            nodes_treeids=trees, nodes_nodeids=ids, nodes_featureids=features, nodes_modes=modes, nodes_values=values,
            nodes_truenodeids=true, nodes_falsenodeids=false, nodes_missing_value_tracks_true=tracks,
        )  # fmt: skip
        all_trees = list(dict.fromkeys(trees))
        number = chosen(wish, len(all_trees))
        rows = [i for i, tree in enumerate(trees) if tree == all_trees[number]]
        place_of = {ids[i]: place for place, i in enumerate(rows)}
        given, single = self._features([features[i] for i in rows if modes[i] != "LEAF"])
        names = named(given, wish.features, "features")
        classes, stats = self._leaves(all_trees[number], wish)
        nodes = []
        for i in rows:
            if modes[i] == "LEAF":
                nodes.append(ForeignNode(stats=stats.get(ids[i], number_stats(0.0) if not classes else ())))
                continue
            both = place_of.get(true[i], -1), place_of.get(false[i], -1)
            name = names[column_places(names, features[i])]
            split, turned = _split(name, modes[i], values[i], bool(tracks[i]), single)
            nodes.append(ForeignNode(split, both[::-1] if turned else both))
        columns = tuple(TreeColumn(name, "number", (), False) for name in names)
        note = "" if len(all_trees) == 1 else tr(
            "Tree {tree} of {n}, counted from 0, of an ONNX model. The values of its leaves are added to those of the "
            "other trees; {function} makes the prediction of the sum.", tree=number, n=len(all_trees),
            function=self._text(self._found.get("post_transform", b"NONE")),
        )  # fmt: skip
        reached = {side[i] for i in rows if modes[i] != "LEAF" for side in (true, false)}
        root = next((place for place, i in enumerate(rows) if ids[i] not in reached), 0)
        task = "classes" if classes else "number"
        return Foreign(nodes, task, target_name(wish, names), columns, classes, note, root)

    def _features(self, asked: list[int]) -> tuple[list[str], bool]:
        """The names of the features, and whether they are rounded to float32."""
        types = self._onnx.TensorProto
        source, inputs = self._node.input[0], {one.name: one for one in self._graph.input}
        makers = {output: node for node in self._graph.node for output in node.output}
        for _ in range(len(self._graph.node)):
            if source in inputs or source not in makers or makers[source].op_type not in ("Cast", "Identity"):
                break
            source = makers[source].input[0]
        several = source in makers and makers[source].op_type == "Concat"
        sources = list(makers[source].input) if several else [source]
        if not all(name in inputs for name in sources):
            raise InputError(tr("its features are worked out from the inputs, which cannot be read"))
        single = not all(inputs[name].type.tensor_type.elem_type == types.DOUBLE for name in sources)
        if several:
            return sources, single
        shape = inputs[source].type.tensor_type.shape.dim
        n = max([shape[1].dim_value if len(shape) == 2 else 0, *(place + 1 for place in asked)])
        if not 0 < n <= MOST_FEATURES:
            raise InputError(tr("it has {n} features; a number from 1 to {most} can be read", n=n, most=MOST_FEATURES))
        return [source] if n == 1 else [f"f{i}" for i in range(n)], single

    def _leaves(self, tree: int, wish: Wish) -> tuple[tuple[str, ...], dict[int, tuple[float, ...]]]:
        """The classes, none of a number; and the figures of each leaf by its id."""
        kind = "class" if self._classes else "target"
        trees, nodes = self._whole(f"{kind}_treeids"), self._whole(f"{kind}_nodeids")
        ids, weights = self._whole(f"{kind}_ids"), self._numbers(f"{kind}_weights")
        same_length(treeids=trees, nodeids=nodes, ids=ids, weights=weights)
        held: dict[int, dict[int, float]] = {}
        for where, node, which, weight in zip(trees, nodes, ids, weights, strict=True):
            if where == tree:
                held.setdefault(node, {})[which] = weight
        labels = self._list("classlabels_strings") or self._list("classlabels_int64s")
        names = [self._text(label) if isinstance(label, bytes) else str(label) for label in labels]
        if self._classes and all(len(each) == len(names) and min(each.values()) >= 0 for each in held.values()):
            classes = named(names, wish.classes, "classes")
            return classes, {node: tuple(each.get(k, 0.0) for k in range(len(classes))) for node, each in held.items()}
        if any(len(each) != 1 for each in held.values()):
            raise InputError(tr("its leaves predict several targets, or scores of several classes"))
        return (), {node: number_stats(next(iter(each.values()))) for node, each in held.items()}

    # -- attributes

    def _list(self, name: str) -> list[Any]:
        found = self._found.get(name, [])
        return list(found) if isinstance(found, list) else []

    def _whole(self, name: str) -> list[int]:
        found = self._list(name)
        if not all(isinstance(value, int) for value in found):
            raise InputError(tr("“{key}” holds what is no whole number", key=name))
        return found

    def _numbers(self, name: str) -> list[float]:
        tensor = self._found.get(f"{name}_as_tensor")
        try:
            found = self._list(name) if tensor is None else self._onnx.numpy_helper.to_array(tensor).ravel().tolist()
            return [float(value) for value in found]
        except Exception as error:  # of a damaged tensor whatever numpy and onnx may raise
            raise InputError(tr("“{key}” holds what is no number", key=name)) from error

    def _text(self, value: Any) -> str:
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else one_line(value)


def _split(name: str, mode: str, value: float, missing_true: bool, single: bool) -> tuple[Split, bool]:
    """The split, and whether its branches are the other way round: the one where the test is false first."""
    if mode not in MODES:
        raise InputError(tr("a node has the mode {mode}, which cannot be read", mode=one_line(mode)))
    up_to, under = (reach_of_float32(value), below_float32(value)) if single else (value, below(value))
    if mode in ("BRANCH_LEQ", "BRANCH_LT"):
        return cut(name, up_to if mode == "BRANCH_LEQ" else under, missing_true), False
    if mode in ("BRANCH_GT", "BRANCH_GTE"):
        return cut(name, up_to if mode == "BRANCH_GT" else under, not missing_true), True
    if missing_true and mode == "BRANCH_EQ":
        raise InputError(tr("a node takes missing values for equal to {value}, which no split does", value=value))
    literals = Literal(name, "<=", up_to), Literal(name, ">", under)
    return Split(name, "m_of_n", m=2, literals=literals), mode == "BRANCH_NEQ"
