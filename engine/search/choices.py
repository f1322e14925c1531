"""The search options in words: what can be chosen, what each choice means, its formula and an example.

One entry of `OPTIONS` is all that the command line's help and the window's search settings know of an option; what
does not go together is refused by `engine.search.options.Search.make`, and `engine.search.options.refusal` asks it.
"""

import math
from dataclasses import dataclass

from engine.criteria import BINNED, CRITERIA
from engine.runtime.sentences import marked, spoken
from engine.table.words import MOST_BINS


@spoken("label", "sentence", "formula", "example")
@dataclass(frozen=True)
class Choice:
    """One value that an option may have.

    Attributes:
        name: the word used in every public call.
        label: the word shown to people.
        sentence: what it does, one sentence.
        formula: in plain symbols; may be empty.
        example: what it does to a small table; may be empty.
    """

    name: str
    label: str
    sentence: str
    formula: str = ""
    example: str = ""


@spoken("words")
@dataclass(frozen=True)
class Need:
    """What an option needs in order to change anything.

    Attributes:
        words: what it is for, after "Only for".
        option, values: another option, and the values of which it has to have one; no option: any.
        columns: the kinds of columns of which one has to be a feature; none: any.
        given: other options, of which one has to say something; none: any.
    """

    words: str
    option: str = ""
    values: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


@spoken("label", "sentence", "formula", "example", "none")
@dataclass(frozen=True)
class Option:
    """One search option.

    Attributes:
        name: the keyword of `candidates` and `grow`; on the command line with dashes.
        label: the word shown to people.
        group: where it stands among the settings: one of `GROUPS`.
        kind: "choice", "whole" (number), "wholes" (several), "number", "flag", "priors", "costs", "threshold",
            "profits", "word" or "columns" (names of them).
        sentence, formula, example: as for a choice.
        choices: of a choice, the default first.
        least, most: of a number, the smallest and the largest.
        none: what no number at all means; empty where there has to be one.
        needs: what it needs in order to change anything; None for nothing.
    """

    name: str
    label: str
    group: str
    kind: str
    sentence: str
    formula: str = ""
    example: str = ""
    choices: tuple[Choice, ...] = ()
    least: float = 0.0
    most: float = math.inf
    none: str = ""
    needs: Need | None = None

    @property
    def typed(self) -> str:
        """As it is typed on the command line: "--min-leaf"."""
        return "--" + SPOKEN.get(self.name, self.name).replace("_", "-")


NUMERIC = ("number", "integer", "date")  # kinds of columns that thresholds cut
LEVELS = ("nominal", "boolean")  # kinds of columns whose levels stand in no order
SPOKEN = {"missing": "missing_values"}  # what reads otherwise on the command line, where --missing is of reading files
GAINS, COLUMNS = marked("What a split gains"), marked("How columns are split")
NEXT, STOPS = marked("Which leaf is next"), marked("Where the tree stops")
LEAVES_SAY = marked("What leaves predict")  # the group of options that change no split
GROUPS = (GAINS, COLUMNS, NEXT, STOPS, LEAVES_SAY)  # who shows one calls `tr`

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "criterion", marked("Criterion"), GAINS, "choice",
            marked("What makes a split good: how mixed a node is before and after."),
            marked("gain = i(node) − Σ share of branch · i(branch)"),
            choices=tuple(
                Choice(c["name"], c["label"], c["explanation"], c["merit"], c["example"])
                for c in map(vars, CRITERIA.values())  # in English
            ),
        ),
        Option(
            "altered_priors", marked("Altered priors"), GAINS, "flag",
            marked("Priors and costs decide the splits as well as the labels: in the search each class weighs its "
                "prior times the sum of what its mistakes cost. Exact for two classes; for more it is the convention "
                "of CART and rpart. Limits and tests count rows as they are."),
            marked("w_c ∝ prior_c · Σ_j cost(c said to be j)"),
            marked("bad:good=5 — a row of bad counts five times as much as a row of good in every gain."),
            needs=Need(marked("leaves with priors or costs"), given=("priors", "costs")),
        ),
        Option(
            "bins", marked("Bins of the target"), GAINS, "whole",
            marked("Into how many bins, of about equally many rows, a numeric target is divided for the binned "
                "criteria."),
            example=marked("10 bins of a price: each leaf shows the shares of its rows in the ten price ranges."),
            least=2,
            most=MOST_BINS,
            needs=Need(marked("the criteria of the binned target"), "criterion", tuple(BINNED)),
        ),
        Option(
            "lookahead", marked("Lookahead"), GAINS, "choice",
            marked("How many levels a split is judged by."),
            choices=(
                Choice("1", marked("One level"), marked("A split is judged by its own branches (greedy).")),
                Choice(
                    "2", marked("Two levels"),
                    marked("A split is judged by the best that can follow in each of its branches; slower, and it "
                        "sees what one level cannot. The second level may cut the same numbers again. Of a column "
                        "with more than 255 values at a node the cuts at 254 quantiles are looked at; of one with "
                        "more than 6 categories each against the rest and the groups along sorted levels, the rarest "
                        "beyond 255 as one."),
                    marked("gain = i(node) − Σ share of branch · i(branch after its best split)"),
                    marked("XOR and x₁·x₂ > 0: no single split gains anything, two levels solve them."),
                ),
            ),
        ),
        Option(
            "numeric", marked("Numbers"), COLUMNS, "choice",
            marked("How a column of numbers or dates is split."),
            needs=Need(marked("tables with a column of numbers or dates"), columns=NUMERIC),
            choices=(
                Choice(
                    "cuts", marked("Every cut"), marked("In two, between any two neighbouring values present; exact."),
                    marked("x ≤ t, t halfway between two values"), marked("ages 20, 30, 40: cuts at 25 and 35."),
                ),
                Choice(
                    "boundary_cuts", marked("Label boundaries"),
                    marked("In two, only where the label changes between neighbouring values (and at the first and "
                        "the last cut that the least rows in a branch allow): the same best cut, from fewer."),
                    "", marked("labels a a b b b b b b: of seven cuts three are left, the first, a | b and the last."),
                ),
                Choice(
                    "bucket_cuts", marked("Cuts at quantiles"),
                    marked("In two, at the limits of k buckets of about equally many rows."),
                    marked("x ≤ quantile j/k"), marked("4 buckets: cuts at the quartiles of the node."),
                ),
                Choice(
                    "bucket_branches", marked("A branch per bucket"),
                    marked("Into k branches of about equally many rows."),
                    marked("quantile (j−1)/k < x ≤ quantile j/k"), marked("4 buckets of age: four branches."),
                ),
            ),
        ),
        Option(
            "buckets", marked("Buckets"), COLUMNS, "whole",
            marked("How many buckets a numeric column is divided into at each node."),
            example=marked("Equal values stay together, so ties make fewer buckets."), least=2,
            needs=Need(
                marked("cuts at quantiles and a branch per bucket"), "numeric", ("bucket_cuts", "bucket_branches"),
            ),
        ),
        Option(
            "thresholds", marked("Thresholds"), COLUMNS, "choice",
            marked("Which number between two neighbouring values of a node becomes the threshold; the training rows "
                "are split alike."),
            needs=Need(marked("tables with a column of numbers or dates"), columns=NUMERIC),
            choices=(
                Choice("midpoint", marked("Midpoint"), marked("Halfway between the two values.")),
                Choice(
                    "observed", marked("Observed value"),
                    marked("The largest value of all training rows up to the midpoint (C4.5)."), "",
                    marked("cut between 20 and 30, where other nodes have a 24: x ≤ 24."),
                ),
            ),
        ),
        Option(
            "cut_penalty", marked("Penalty of cuts"), COLUMNS, "flag",
            marked("A cut pays for having been chosen among many: the more cuts a column allows, the more is taken off "
                "its gain before columns are compared, and one that gains no more than that is not split (C4.5)."),
            marked("gain − log₂(cuts allowed) ÷ rows"),
            marked("64 cuts and 100 rows: 0.06 bits; one branch for each level pays nothing."),
            needs=Need(marked("gains in bits: entropy and gain ratio"), "criterion", ("entropy", "gain_ratio")),
        ),
        Option(
            "nominal", marked("Categories"), COLUMNS, "choice",
            marked("How a column of categories is split."),
            needs=Need(marked("tables with a column of categories"), columns=LEVELS),
            choices=(
                Choice(
                    "groups", marked("Best two groups"),
                    marked("In two: the best of all divisions of the levels into two groups; where those are too many "
                        "to try (three or more classes and over 12 levels; medians and over 6), the best along sorted "
                        "levels."),
                    marked("2^(levels − 1) − 1 divisions; for two classes and numbers sorting by the mean finds the "
                        "best"),
                    marked("colour in {red, blue} | {green}."),
                ),
                Choice(
                    "multiway", marked("One branch per level"),
                    marked("One branch for each declared level; a branch may be empty (ID3, C4.5)."),
                    "", marked("outlook: sunny | overcast | rain."),
                ),
                Choice(
                    "one_vs_rest", marked("One against the rest"),
                    marked("In two: one level against all others; learned missing values on either side, or alone."),
                    "", marked("colour = red | any other."),
                ),
            ),
        ),
        Option(
            "pool", marked("Pool levels under"), COLUMNS, "whole",
            marked("Levels with fewer training rows than this at the node are treated as one level; 0 pools nothing."),
            example=marked("10: the 300 shops with fewer than 10 rows go the same way."),
            needs=Need(marked("tables with a column of categories"), columns=LEVELS),
        ),
        Option(
            "m_of_n", marked("m-of-n"), COLUMNS, "flag",
            marked("Also tries splits that ask whether at least m of n conditions hold, found by climbing from the "
                "best single condition; every cut and every level is a condition."),
            marked("(m of n) → (m of n+1) or (m+1 of n+1) while the gain rises"),
            marked("at least 2 of {fever, cough, age > 60}."),
        ),
        Option(
            "missing", marked("Missing values"), COLUMNS, "choice",
            marked("Where rows go whose value is missing."),
            choices=(
                Choice("direction", marked("Learned"),
                    marked("Into the branch that gains most, learned for each split.")),
                Choice(
                    "branch", marked("Own branch"),
                    marked("Into a branch of their own, wherever as many training rows of the node lack the value as "
                        "a branch needs."),
                    "", marked("income ≤ 40 | income > 40 | missing."),
                ),
                Choice("fractional", marked("Fractions"),
                    marked("Into every branch, each with the share of the rows that have a value and go there; a split "
                        "gains what it gains among the rows that have its value, times their share (C4.5)."),
                    "", marked("two of three rows with a value are below 40: a row without one counts ⅔ there.")),
                Choice(
                    "surrogate", marked("Surrogates"),
                    marked("By the split of another column that agrees most with this one, up to five in turn, then "
                        "into the larger branch; a split gains what it gains among the rows that have its value, "
                        "times their share. Splits into more than two branches learn where they go."),
                    marked("(agreement − majority) ÷ (1 − majority)"),
                    marked("income ≤ 40, where missing: rent ≤ 900, else children ≤ 1 …"),
                ),
            ),
        ),
        Option(
            "surrogates_by", marked("Surrogates by"), COLUMNS, "choice",
            marked("Of which rows the agreement of a surrogate is a share, where its column lacks values, too."),
            needs=Need(marked("missing values by surrogates"), "missing", ("surrogate",)),
            choices=(
                Choice("both", marked("Rows with both values"),
                    marked("Rows that lack the value of the surrogate do not count.")),
                Choice("all", marked("All rows with the value"),
                    marked("Rows that lack the value of the surrogate disagree: columns with many gaps come later "
                        "(rpart).")),
            ),
        ),
        Option(
            "order", marked("Order"), NEXT, "choice",
            marked("Which leaf is split next; without a limit of leaves all orders end alike."),
            choices=(
                Choice("depth_first", marked("Depth first"), marked("One branch down to its end, then the next.")),
                Choice(
                    "best_first", marked("Best first"),
                    marked("The leaf whose best split lowers the impurity of the whole tree most."),
                    marked("share of the leaf · gain"),
                    marked("at most t + 1 leaves: the tree of Kearns and Mansour after t steps."),
                ),
                Choice("level", marked("By level"), marked("All leaves of one level before the next.")),
            ),
        ),
        Option(
            "max_depth", marked("Maximum depth"), STOPS, "whole",
            marked("At most this many edges from the root to the deepest leaf."), none=marked("no limit"),
        ),
        Option(
            "max_leaves", marked("Maximum leaves"), STOPS, "whole",
            marked("The whole tree has at most this many leaves; the order decides which are split."), least=1,
            none=marked("no limit"),
        ),
        Option(
            "min_rows", marked("Minimum rows to split"), STOPS, "whole",
            marked("A node of fewer training rows stays a leaf."), least=2,
        ),
        Option(
            "min_leaf", marked("Minimum rows in a branch"), STOPS, "whole",
            marked("Every branch keeps at least this many training rows."), least=1,
        ),
        Option(
            "min_leaf_in", marked("That minimum holds in"), STOPS, "choice",
            marked("Of a split into many branches, how many of them need the minimum rows in a branch."),
            choices=(
                Choice("every", marked("Every branch"), marked("Every branch that has rows needs as many.")),
                Choice(
                    "two", marked("Two branches"),
                    marked("Two of the branches need as many; the others may have fewer, or none (C4.5)."), "",
                    marked("minimum 5, branches of 8, 6 and 1 rows: allowed."),
                ),
            ),
        ),
        Option(
            "min_cut", marked("Minimum rows beside a cut"), STOPS, "choice",
            marked("How many rows a cut of numbers has to leave on either side."),
            needs=Need(marked("tables with a column of numbers or dates"), columns=NUMERIC),
            choices=(
                Choice("min_leaf", marked("As in a branch"), marked("As many as every branch keeps.")),
                Choice(
                    "tenth", marked("A tenth for each class"),
                    marked("A tenth of the rows for each class, at most 25; never fewer than every branch keeps "
                        "(C4.5)."),
                    marked("0.1 · n ÷ K, n rows with a value, K classes"), marked("300 rows, two classes: 15 rows."),
                ),
            ),
        ),
        Option(
            "min_gain", marked("Minimum gain"), STOPS, "number",
            marked("A split has to gain at least this much; 0 admits splits that gain nothing yet."),
            example=marked("XOR: no first split gains, so with a minimum gain above 0 growing is stuck at error ½."),
        ),
        Option(
            "cp", marked("Complexity (cp)"), STOPS, "number",
            marked("A split, with all that grows below it, has to lower the training error by more than this share of "
                "the root's for every leaf it adds; 0 keeps every split."),
            marked("(R(t) − R(branch)) ÷ (leaves − 1) > cp · R(root)"),
            marked("0.01: of 100 errors at the root each further leaf has to save more than one."),
        ),
        Option(
            "collapse", marked("Collapse"), STOPS, "flag",
            marked("A split is taken back if, with all that grows below it, it labels no more training rows rightly "
                "than a leaf would (C4.5)."),
        ),
        Option(
            "significance", marked("Significance"), STOPS, "number",
            marked("A split has to be this significant: the p-value of χ² or F, adjusted for the search over cuts, "
                "groups and columns, is at most this. The candidates show the p-value of their column as LogWorth = "
                "−log₁₀ p."),
            marked("p · number of columns ≤ α: LogWorth ≥ log₁₀(number of columns ÷ α)"),
            marked("0.05: on pure noise 19 of 20 trees stay a single leaf."), none=marked("no test"),
        ),
        Option(
            "significance_test", marked("Significance by"), STOPS, "choice",
            marked("Which p-value is compared with the significance."),
            needs=Need(marked("growing with a significance"), given=("significance",)),
            choices=(
                Choice("adjusted", marked("Adjusted p-value"),
                    marked("Adjusted for the search over cuts and groups, and for the number of columns.")),
                Choice(
                    "single", marked("Unadjusted p-value"),
                    marked("The p-value of χ² or F as if nothing else had been looked at, as ID3 (Quinlan 1986) tests; "
                        "columns that fail are passed over."),
                    marked("χ² = Σ (counted − expected)² ÷ expected"),
                ),
            ),
        ),
        Option(
            "summary", marked("A leaf predicts"), LEAVES_SAY, "choice", marked("What a leaf predicts."),
            choices=(
                Choice("mode", marked("The majority"),
                    marked("The class with the most training rows (or the least expected cost).")),
                Choice("mean", marked("The mean"), marked("The mean of its training rows: least squared error.")),
                Choice("median", marked("The median"),
                    marked("The median of its training rows: least absolute error.")),
            ),
        ),
        Option(
            "smoothing", marked("Probabilities"), LEAVES_SAY, "choice",
            marked("How a leaf's class shares become probabilities."),
            choices=(
                Choice("none", marked("As counted"), marked("The shares of its training rows."), "n_c ÷ n",
                    marked("3 of 3 rows: 100 %.")),
                Choice(
                    "laplace", marked("Laplace"),
                    marked("One row more of every class, so that small leaves promise less."),
                    "(n_c + 1) ÷ (n + K)", marked("3 of 3 rows, two classes: 80 %."),
                ),
                Choice(
                    "m_estimate", marked("m-estimate"), marked("m rows more, divided as in the root."),
                    "(n_c + m·p_c) ÷ (n + m)", marked("3 of 3 rows, root share 50 %, m = 2: 80 %."),
                ),
                Choice(
                    "honest", marked("From validation rows"),
                    marked("The m-estimate from the leaf's validation rows, which did not choose its splits; what the "
                        "leaf predicts stays that of its training rows, and may be another class. Validation rows "
                        "cannot judge these probabilities: keep test rows."),
                    "(v_c + m·p_c) ÷ (v + m)",
                    marked("3 of 3 training and 6 of 10 validation rows, root share 50 %, m = 2: 58 %."),
                ),
            ),
        ),
        Option(
            "smoothing_m", marked("m"), LEAVES_SAY, "number",
            marked("How many rows of the root the m-estimate adds to a leaf."),
            needs=Need(marked("the m-estimate"), "smoothing", ("m_estimate", "honest")),
        ),
        Option(
            "priors", marked("Priors"), LEAVES_SAY, "priors",
            marked("How frequent the classes are where the tree will be used, if not as in the training rows: they "
                "reweigh the shares that decide a leaf's label."),
            marked("p_c ∝ prior_c · n_c ÷ N_c"), marked("fraud=0.01, fine=0.99"),
            none=marked("as in the training rows"),
        ),
        Option(
            "costs", marked("Costs"), LEAVES_SAY, "costs",
            marked("What each mistake costs: a leaf predicts the class of the least expected cost."),
            marked("label = argmin_j Σ_c p_c · cost(c said to be j)"),
            marked("bad:good=5 — to call a bad one good costs 5, other mistakes 1."),
            none=marked("every mistake costs 1"),
        ),
        Option(
            "threshold", marked("Threshold"), LEAVES_SAY, "threshold",
            marked("Of two classes, from which probability on one of them is predicted; costs go on pricing mistakes, "
                "but decide no longer what a leaf predicts."),
            marked("label = c where p_c ≥ t"), marked("yes=0.2 — a leaf predicts yes from 20 % on."),
            none=marked("the least expected cost"),
        ),
        Option(
            "profits", marked("Profits"), LEAVES_SAY, "profits",
            marked("What acting on a row earns, by its class: a leaf is acted on where that earns more than not "
                "acting, which earns 0 unless a second number says otherwise. Labels and splits stay as they are."),
            marked("act if Σ_c p_c · profit(c) > Σ_c p_c · profit(c, not acting)"),
            marked("good=120, bad=-500 — a loan to a good customer earns 120, one to a bad customer loses 500."),
            none=marked("no profits"),
        ),
        Option(
            "currency", marked("Currency"), LEAVES_SAY, "word", marked("The word that stands behind profits."),
            example=marked("EUR"), none=marked("none"), needs=Need(marked("leaves with profits"), given=("profits",)),
        ),
    )
}  # fmt: skip
