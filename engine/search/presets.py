"""The presets: named algorithms as far as their choices are options of a search. One entry of `PRESETS` is all that the
search, the command line's help and the window know of a preset."""

from dataclasses import dataclass
from typing import Any

from engine.criteria import BY_ASSOCIATION
from engine.runtime.sentences import marked, spoken


@spoken("what", "origin", "differs")
@dataclass(frozen=True)
class Preset:
    """A named set of search options.

    Attributes:
        name: the word used in every public call.
        label: its proper name, the same in every language.
        options: what differs from the defaults.
        what: what it is, one sentence.
        origin: who made it, where it was published and when, one sentence.
        differs: how it differs from the others and from what was published, one sentence.
    """

    name: str
    label: str
    options: dict[str, Any]
    what: str
    origin: str
    differs: str

    @property
    def sentences(self) -> str:
        """The three sentences, one after the other."""
        return " ".join((self.what, self.origin, self.differs))


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "cart", "CART", {},
            marked("Splits every node in two, by Gini impurity or squared error, until no split is left."),
            marked("By Breiman, Friedman, Olshen and Stone (Classification and Regression Trees, 1984); "
                "scikit-learn's DecisionTreeClassifier makes the same splits of numbers, exact ties apart."),
            marked("Unlike the book, missing values go into the branch that gains most instead of by surrogate splits; "
                "unlike scikit-learn, levels are split into the best two groups."),
        ),
        Preset(
            "id3", "ID3", {"criterion": "entropy", "nominal": "multiway", "significance_test": "single"},
            marked("Splits by information gain, the drop in entropy, with one branch for each level of a column."),
            marked("By Quinlan (Induction of Decision Trees, 1986)."),
            marked("Unlike ID3 as published, it also cuts numbers in two and makes splits that gain nothing yet; "
                "unlike C4.5, it does not divide the gain by the entropy of the branches."),
        ),
        Preset(
            "c4.5", "C4.5",
            {
                "criterion": "gain_ratio", "nominal": "multiway", "cut_penalty": True, "min_cut": "tenth",
                "thresholds": "observed", "min_leaf": 2, "min_leaf_in": "two", "min_gain": 1e-6, "collapse": True,
                "missing": "fractional",
            },
            marked("Splits by the gain ratio, with one branch for each level of a column and cuts of numbers that pay "
                "for having been chosen."),
            marked("By Quinlan (C4.5: Programs for Machine Learning, 1993); the trees are those of Weka's J48."),
            marked("Unlike ID3, it divides the gain by the entropy of the branches, and a row without a value goes "
                "into every branch, with its share of the weight. Prune it by Pessimistic."),
        ),
        Preset(
            "kearns_mansour", "Kearns–Mansour", {"criterion": "sqrt", "order": "best_first"},
            marked("Always splits next the leaf whose split lowers the impurity √(q(1 − q)) of the whole tree most."),
            marked("By Kearns and Mansour (On the Boosting Ability of Top-Down Decision Tree Learning Algorithms, "
                "1996), who prove how fast the error falls if every split has a small advantage."),
            marked("Unlike CART it takes the best leaf first: stopped at t + 1 leaves, it is their tree after t "
                "splits."),
        ),
        # With priors or costs the splits are searched by them, too.
        Preset(
            "rpart", "rpart",
            {
                "min_rows": 20, "min_leaf": 7, "min_gain": 1e-10, "cp": 0.01, "missing": "surrogate",
                "surrogates_by": "all", "altered_priors": True,
            },
            marked("CART as the R package rpart grows it: nodes of at least 20 rows are split, every leaf keeps at "
                "least 7, and every new leaf has to lower the error by more than 1 % of the root's."),
            marked("By Therneau and Atkinson (An Introduction to Recursive Partitioning Using the RPART Routines, "
                "1997)."),
            marked("Unlike CART here, surrogate splits say where missing values go, and priors and costs decide the "
                "splits, too; unlike rpart, cross-validation is left to pruning."),
        ),
        Preset(
            "ctree", "ctree",
            {"criterion": BY_ASSOCIATION["classes"], "significance": 0.05, "min_rows": 20, "min_leaf": 7},
            marked("Chooses the column with the smallest p-value of a test of independence, then its best cut, and "
                "stops where no p-value is at most 0.05."),
            marked("By Hothorn, Hornik and Zeileis (Unbiased Recursive Partitioning, 2006), with the statistics of the "
                "R package partykit."),
            marked("Unlike CART, columns with many values have no advantage, and the test instead of pruning decides "
                "how large the tree is."),
        ),
    )
}  # fmt: skip
