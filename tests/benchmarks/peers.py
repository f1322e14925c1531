"""The other learners: their settings, each with its reason, and how they are asked for one tree.

All get the arrays that they like best (float32, row by row, categories as numbers, class numbers) where Espalier gets
a data frame. Two threads where they know threads. No penalty and no least number of rows: one tree, as large as it may
be. A peer that cannot do what is asked for says why.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from numpy.typing import NDArray

from tests.benchmarks.data import Data, Recipe

THREADS = 2
DEPTH_6, LEAVES_64, FULL = TREES = ("depth 6", "64 leaves", "full depth")
LEAVES_OF_5 = "leaves of 5 rows"  # of a numeric target some 100,000


@dataclass(frozen=True)
class Learner:
    """One learner, ready to be timed.

    Attributes:
        prepare: makes its own form of the data from the arrays (binning, copying); None where it has none.
        train: grows the tree from it.
        leaf_of: integer[rows], the leaf of every training row: (model, prepared) → leaves.
    """

    prepare: Callable[[], Any] | None
    train: Callable[[Any], Any]
    leaf_of: Callable[[Any, Any], NDArray]


@dataclass(frozen=True)
class Peer:
    """A learner to compare with.

    Attributes:
        package: what is installed.
        exact: whether it looks at every cut.
        settings: (recipe, tree) → its parameters; they are part of the cache's key.
        learner: (data, parameters) → Learner.
        cannot: (recipe, tree) → why it cannot, or "".
    """

    package: str
    exact: bool
    settings: Callable[[Recipe, str], dict[str, Any]]
    learner: Callable[[Data, dict[str, Any]], Learner]
    cannot: Callable[[Recipe, str], str]

    @property
    def installed(self) -> bool:
        return find_spec({"scikit-learn": "sklearn"}.get(self.package, self.package)) is not None


# -- scikit-learn: the judge. Its defaults are an exact tree; the seed decides exact ties.


def sklearn_settings(recipe: Recipe, tree: str) -> dict[str, Any]:
    limits: dict[str, dict[str, Any]] = {DEPTH_6: {"max_depth": 6}, LEAVES_64: {"max_leaf_nodes": 64}, FULL: {}}
    criterion = "squared_error" if recipe.task == "number" else recipe.criterion
    return {"criterion": criterion, "random_state": 0, **limits.get(tree, {"max_depth": 1})}


def sklearn_learner(data: Data, settings: dict[str, Any]) -> Learner:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if data.classes else DecisionTreeRegressor
    return Learner(None, lambda _: kind(**settings).fit(data.x, data.y), lambda model, _: model.tree_.apply(data.x))


def sklearn_cannot(recipe: Recipe, tree: str) -> str:
    return "knows no categories" if recipe.nominal else ""


# -- LightGBM: histograms of 255 bins, its default and its most compact one. One round at rate 1 from the mean; leaves
#    may hold one row, and categories are divided without the smoothing that is meant for many trees.


def lightgbm_settings(recipe: Recipe, tree: str) -> dict[str, Any]:
    return {
        "objective": "regression" if recipe.task == "number" else "binary",
        "num_leaves": 64, "max_depth": 6 if tree == DEPTH_6 else -1,
        "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, "min_gain_to_split": 0.0,
        "learning_rate": 1.0, "boost_from_average": True,
        "max_bin": 255, "feature_pre_filter": False,
        "max_cat_to_onehot": 1, "cat_smooth": 0.0, "cat_l2": 0.0, "min_data_per_group": 1, "max_cat_threshold": 1000,
        "num_threads": THREADS, "verbosity": -1,
    }  # fmt: skip


def lightgbm_learner(data: Data, settings: dict[str, Any]) -> Learner:
    import lightgbm

    def prepare() -> Any:
        categories = sorted(data.levels) or "auto"
        return lightgbm.Dataset(data.x, data.y, params=settings, categorical_feature=categories).construct()

    return Learner(
        prepare,
        lambda made: lightgbm.train(settings, made, num_boost_round=1),
        lambda model, _: model.predict(data.x, pred_leaf=True, num_threads=THREADS)[:, 0],
    )


def lightgbm_cannot(recipe: Recipe, tree: str) -> str:
    if recipe.n_classes > 2:
        return "grows a tree for each class"
    if recipe.criterion != "gini":
        return "has one criterion"
    return "has at most 131,072 leaves, on bins" if tree == FULL else ""


# -- XGBoost: no penalty on leaves, no least weight, one round at rate 1. Of two classes its gain at a constant hessian
#    is Gini's. `exact` grows by level only and wants a limit, which 64 levels are not in practice; `hist` has 256 bins,
#    its default, and grows one tree for all classes only as a tree of several outputs.


def xgboost_settings(method: str) -> Callable[[Recipe, str], dict[str, Any]]:
    def settings(recipe: Recipe, tree: str) -> dict[str, Any]:
        limits = {
            DEPTH_6: {"max_depth": 6},
            LEAVES_64: {"grow_policy": "lossguide", "max_leaves": 64, "max_depth": 0},
            FULL: {"max_depth": 64},
        }
        objective: dict[str, Any] = {"objective": "binary:logistic"}
        if recipe.task == "number":
            objective = {"objective": "reg:squarederror"}
        elif recipe.n_classes > 2:
            objective = {"objective": "multi:softprob", "num_class": recipe.n_classes}
            objective["multi_strategy"] = "multi_output_tree"
        return {
            **objective, **limits[tree], "tree_method": method, "eta": 1.0, "reg_lambda": 0.0, "reg_alpha": 0.0,
            "gamma": 0.0, "min_child_weight": 0.0, "nthread": THREADS, "verbosity": 0,
            **({"max_bin": 256, "max_cat_to_onehot": 1, "max_cat_threshold": 1000} if method == "hist" else {}),
        }  # fmt: skip

    return settings


def xgboost_learner(data: Data, settings: dict[str, Any]) -> Learner:
    import xgboost

    hist = settings["tree_method"] == "hist"
    types = ["c" if i in data.levels else "q" for i in range(data.x.shape[1])] if data.levels else None

    def prepare() -> Any:
        further: dict[str, Any] = {"feature_types": types, "enable_categorical": bool(types), "nthread": THREADS}
        if hist:
            return xgboost.QuantileDMatrix(data.x, data.y, max_bin=settings["max_bin"], **further)
        return xgboost.DMatrix(data.x, data.y, **further)

    return Learner(
        prepare,
        lambda made: xgboost.train(settings, made, num_boost_round=1),
        lambda model, made: model.predict(made, pred_leaf=True).reshape(len(data.y), -1)[:, 0].astype(int),
    )


def xgboost_exact_cannot(recipe: Recipe, tree: str) -> str:
    if recipe.n_classes > 2:
        return "grows a tree for each class"
    if recipe.criterion != "gini":
        return "has one criterion"
    if recipe.nominal:
        return "knows no categories"
    return "grows by level only" if tree == LEAVES_64 else ""


def xgboost_hist_cannot(recipe: Recipe, tree: str) -> str:
    if recipe.criterion != "gini":
        return "has one criterion"
    return "a full tree on bins makes no sense" if tree == FULL else ""


# -- obliquetree: axis-parallel, else its defaults: every cut, one thread.


def obliquetree_settings(recipe: Recipe, tree: str) -> dict[str, Any]:
    return {"use_oblique": False, "max_depth": 6 if tree == DEPTH_6 else -1}


def obliquetree_learner(data: Data, settings: dict[str, Any]) -> Learner:
    from obliquetree import Classifier, Regressor

    kind = Classifier if data.classes else Regressor
    model = kind(**settings, categories=sorted(data.levels) or None)
    return Learner(None, lambda _: model.fit(data.x, data.y), lambda model, _: model.apply(data.x))


def obliquetree_cannot(recipe: Recipe, tree: str) -> str:
    if recipe.criterion != "gini":
        return "has one criterion"
    return "knows no limit of leaves" if tree == LEAVES_64 else ""


PEERS = {
    "scikit-learn": Peer("scikit-learn", True, sklearn_settings, sklearn_learner, sklearn_cannot),
    "LightGBM": Peer("lightgbm", False, lightgbm_settings, lightgbm_learner, lightgbm_cannot),
    "XGBoost hist": Peer("xgboost", False, xgboost_settings("hist"), xgboost_learner, xgboost_hist_cannot),
    "XGBoost exact": Peer("xgboost", True, xgboost_settings("exact"), xgboost_learner, xgboost_exact_cannot),
    "obliquetree": Peer("obliquetree", True, obliquetree_settings, obliquetree_learner, obliquetree_cannot),
}
