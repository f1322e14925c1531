"""The options of a search for splits: one immutable record, checked once at the border."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.criteria import BY_ASSOCIATION, CRITERIA, DEFAULT, find_criterion
from engine.criteria.criterion import BINS, ROWS
from engine.runtime.errors import InputError, one_line
from engine.runtime.sentences import marked, tr
from engine.search.choices import OPTIONS, Option
from engine.search.presets import PRESETS
from engine.tree.leaves import (
    LeafRule,
    check_summary,
    read_costs,
    read_currency,
    read_priors,
    read_profits,
    read_threshold,
)

if TYPE_CHECKING:  # the window lists options before pandas and the compiler are there
    from engine.table.table import Table

CHOICES = {name: tuple(choice.name for choice in option.choices) for name, option in OPTIONS.items() if option.choices}

READERS: dict[str, Callable[[Any], Any]] = {  # by kind
    "priors": read_priors, "costs": read_costs, "threshold": read_threshold, "profits": read_profits,
    "word": read_currency,
}  # fmt: skip
QUINLAN = ("cut_penalty", "min_cut", "min_leaf_in", "thresholds")  # the rules of `engine.search.quinlan`
MOST = 2**31 - 1  # more rows, leaves or levels than a table can have: larger limits mean the same


@dataclass(frozen=True)
class Search:
    """How splits are searched, when growing stops, and what leaves say. `engine.search.choices` tells it to people.

    Attributes:
        criterion: a name of `engine.criteria.CRITERIA`.
        bins: of a numeric target, for the binned criteria.
        numeric: "cuts", binary cuts between any two adjacent values; "boundary_cuts", only where the label changes;
            "bucket_cuts", at quantiles; "bucket_branches", one branch for each of `buckets` buckets.
        buckets: how many, of about equally many rows of the node.
        nominal: "groups", the best two groups of levels; "multiway", one branch per declared level; "one_vs_rest".
        pool: levels of fewer training rows at the node are searched as one; 0 pools none.
        thresholds: "midpoint", halfway between two values of the node; "observed", the largest value of any training
            row up to there.
        order: which leaf is split next; matters together with `max_leaves` only.
        lookahead: the levels that a split is judged by, 1 or 2.
        cut_penalty: whether log₂(cuts) ÷ rows is taken off the gain of a cut in bits, see `engine.search.quinlan`.
        m_of_n: whether splits "at least m of n conditions" are searched, too.
        min_rows: a node of fewer training rows stays a leaf.
        min_leaf: every branch that a split makes keeps at least this many training rows.
        min_leaf_in: "every" branch, or "two" where there are many.
        min_cut: the rows on both sides of a cut: "min_leaf", or a "tenth" of those for each class, see there.
        min_gain: a split has to gain at least this much impurity per unit of weight; 0 admits "no gain yet".
        max_depth: edges from the root to the deepest leaf; None for no limit.
        max_leaves: leaves of the whole tree; None for no limit.
        cp: a split, with all that grows below it, lowers the training error by more than this share of the root's for
            every leaf that it adds; else it is taken back. 0 takes nothing back.
        collapse: whether splits are taken back that, with all that grows below, do not lower the training error.
        significance: a split's adjusted p-value times the number of columns is at most this; None for no test.
        significance_test: "adjusted"; or "single", the p-value as if nothing else had been looked at.
        missing: "direction", missing values go into the branch that gains most, learned for each split; "branch",
            into one of their own; "fractional", into every branch, each with its share of the row (C4.5); "surrogate",
            by the splits of other columns that agree most with this one, see `engine.search.surrogates`. Splits into
            more than two branches learn where they go.
        surrogates_by: the rows of which agreement is a share: those that have "both" values; or "all" that have that of
            the split's column.
        altered_priors: whether priors and costs decide the splits as well as the labels: classes weigh in the search as
            `LeafRule.altered_factors` says. Limits and tests count rows as they are.
        summary, smoothing, smoothing_m, priors, costs, threshold, profits, currency: see `engine.tree.leaves.LeafRule`.
        locked: names of columns that are not searched; a list of names, or one name, is taken, too.
        columns_per_node: how many columns are drawn at random for each node and searched there, as in random forests;
            0 searches all.
        seed: for whatever is random.
        threads: how many threads may count; None for all cores.
    """

    criterion: str = DEFAULT["classes"]
    bins: int = 10
    numeric: str = "cuts"
    buckets: int = 4
    nominal: str = "groups"
    pool: int = 0
    thresholds: str = "midpoint"
    order: str = "depth_first"
    lookahead: int = 1
    cut_penalty: bool = False
    m_of_n: bool = False
    min_rows: int = 2
    min_leaf: int = 1
    min_leaf_in: str = "every"
    min_cut: str = "min_leaf"
    min_gain: float = 0.0
    max_depth: int | None = None
    max_leaves: int | None = None
    cp: float = 0.0
    collapse: bool = False
    significance: float | None = None
    significance_test: str = "adjusted"
    missing: str = "direction"
    surrogates_by: str = "both"
    altered_priors: bool = False
    summary: str = "mode"
    smoothing: str = "none"
    smoothing_m: float = 2.0
    priors: tuple[tuple[str, float], ...] = ()
    costs: tuple[tuple[str, str, float], ...] = ()
    threshold: tuple[str, float] | None = None
    profits: tuple[tuple[str, float, float], ...] = ()
    currency: str = ""
    locked: tuple[str, ...] = ()
    columns_per_node: int = 0
    seed: int = 0
    threads: int | None = None

    @classmethod
    def make(cls, task: str, preset: str | None = None, **options: Any) -> "Search":
        """Checks options and fills in the defaults for a target of this task.

        Raises:
            InputError: an unknown option or preset, or a value that cannot be used; the text says what can.
        """
        known = {field.name for field in fields(cls)}
        for name in options:
            if name not in known:
                raise InputError(tr(
                    "There is no option “{name}”; the options are {names}.", name=name, names=", ".join(sorted(known)),
                ))  # fmt: skip
        if preset is not None and str(preset) not in PRESETS:
            raise InputError(
                tr("There is no preset “{preset}”; choose one of {presets}.", preset=preset, presets=", ".join(PRESETS))
            )
        chosen = {**PRESETS[preset or "cart"].options, **options}
        if "criterion" not in options and chosen.get("criterion") == BY_ASSOCIATION["classes"]:
            chosen["criterion"] = BY_ASSOCIATION[task]
        elif task == "number" and "criterion" not in options:
            chosen.pop("criterion", "")
        if task == "number" and "min_gain" not in options:  # a preset's is of shares or bits; these have no scale
            chosen.pop("min_gain", 0.0)
        if chosen.get("criterion") is None:
            chosen["criterion"] = DEFAULT[task]
        chosen["criterion"] = find_criterion(one_line(chosen["criterion"]), task).name
        if chosen.get("summary") is None:
            by_rows = CRITERIA[chosen["criterion"]].statistic == ROWS
            chosen["summary"] = "mode" if task == "classes" else "median" if by_rows else "mean"
        for name in chosen:
            option = OPTIONS.get(name) or _UNSHOWN[name]
            chosen[name] = checked(option, chosen[name], getattr(cls, name))
        search = cls(**chosen)
        _check_together(search, task)
        return search

    @property
    def by_rows(self) -> bool:
        """Whether the gain is a matter of rows: no counts or sums tell it, see `engine.search.absolute`."""
        return CRITERIA[self.criterion].statistic == ROWS

    @property
    def by_bins(self) -> bool:
        """Whether a numeric target is searched in bins, as classes."""
        return CRITERIA[self.criterion].statistic == BINS

    @property
    def by_evidence(self) -> bool:
        """Whether columns are ranked by p-values, see `engine.criteria.logworth` and `association`."""
        return CRITERIA[self.criterion].by_evidence

    @property
    def by_association(self) -> bool:
        """Whether these are of a test before any split, see `engine.criteria.association`."""
        return CRITERIA[self.criterion].by_association

    @property
    def leaf_rule(self) -> LeafRule:
        """What the leaves of a tree say that is grown with these options."""
        said = self.summary, self.smoothing, self.smoothing_m, self.priors, self.costs, self.threshold
        return LeafRule(*said, profits=self.profits, currency=self.currency)

    @property
    def is_steered(self) -> bool:
        """Whether priors or costs reweigh the classes in the search."""
        return self.altered_priors and bool(self.priors or self.costs)

    @property
    def rows_to_split(self) -> int:
        """A node of fewer training rows stays a leaf: there have to be `min_rows`, and enough for two branches."""
        return max(self.min_rows, 2 * self.min_leaf)

    def features_of(self, table: "Table") -> tuple[int, ...]:
        """The places in a table of the columns that this search may split.

        Raises:
            InputError: the table has no column of a locked name.
        """
        if not self.locked:
            return table.features
        locked = {table.index(name) for name in self.locked}
        return tuple(place for place in table.features if place not in locked)

    def to_dict(self) -> dict[str, Any]:
        """The options as plain values, fit for JSON and for `make(task, **options)`."""
        return asdict(self)


def refusal(task: str, search: dict[str, Any], **change: Any) -> str:
    """Why these search options cannot be changed so for a target of this task; empty when they can.

    Args:
        search: the options that differ from the defaults, as `Search.make` takes them.
        change: the options to change; None brings a default back.
    """
    try:
        Search.make(task, **{name: value for name, value in {**search, **change}.items() if value is not None})
    except InputError as error:
        return str(error)
    return ""


def looks_at_rows(search: Search, is_sampled: bool = False) -> list[str]:
    """The options of a search that counts do not answer: they look at the rows themselves. is_sampled: whether these
    have sampling weights, which tests deal out."""
    criterion = CRITERIA[search.criterion]
    by_rows = {
        "criterion": not criterion.is_counted or search.by_bins or search.by_association
        or (is_sampled and search.by_evidence),
        "significance": is_sampled and search.significance is not None,
        "missing": search.missing in ("surrogate", "fractional"), "lookahead": search.lookahead > 1,
        "m_of_n": search.m_of_n, "thresholds": search.thresholds == "observed",
        "altered_priors": search.altered_priors, "columns_per_node": search.columns_per_node > 0,
        "summary": search.summary == "median",
    }  # fmt: skip
    return [name for name, needs in by_rows.items() if needs]


def idle(task: str, search: dict[str, Any], name: str, columns: Collection[str]) -> str:
    """Why an option changes nothing at present, whatever its value; empty when it may.

    Args:
        search: the options that differ from the defaults, as `Search.make` takes them.
        name: the option.
        columns: the kinds of the table's features.
    """
    need, kept = OPTIONS[name].needs, Search.make(task, **search)
    if need is None:
        return ""
    met = not need.option or str(getattr(kept, need.option)) in need.values
    met &= not need.given or any(getattr(kept, other) for other in need.given)
    if met and (not need.columns or set(need.columns) & set(columns)):
        return ""
    return tr("Only for {what}.", what=need.words)


def checked(option: Option, value: Any, usual: Any) -> Any:
    """The value of an option as a record keeps it.

    Args:
        usual: its value where nothing is said; where that is None, None is a value.

    Raises:
        InputError: the option cannot be that.
    """
    name = option.name
    if value is None and usual is None:
        return None  # "no limit"
    if option.kind == "choice":
        names = [choice.name for choice in option.choices]
        value = int(value) if isinstance(usual, int) and _is_number(value, whole=True) else value
        if str(value) not in names:
            raise InputError(tr(
                "{name} cannot be “{value}”; choose one of {names}.", name=name, value=one_line(value),
                names=", ".join(names)))  # fmt: skip
        return type(usual)(value)
    if option.kind == "flag":
        if not isinstance(value, bool | np.bool_):
            raise InputError(tr("{name} cannot be {value}; it is True or False.", name=name, value=one_line(value)))
        return bool(value)
    if option.kind == "columns":
        return _names(value)
    if option.kind == "wholes":
        values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return tuple(int(_number(replace(option, kind="whole"), one)) for one in values)
    if option.kind in READERS:
        return READERS[option.kind](value)
    return _number(option, value)


_UNSHOWN = {  # options that say how it is computed, or are chosen among the columns: no setting of the window
    "seed": Option("seed", marked("Seed"), "", "whole", marked("For whatever is random."), least=-math.inf),
    "locked": Option("locked", marked("Locked columns"), "", "columns", marked("Columns that are not searched.")),
    "columns_per_node": Option(
        "columns_per_node", marked("Columns per node"), "", "whole",
        marked("How many columns are drawn at random and searched at each node; 0 searches all."),
    ),
    "threads": Option(
        "threads", marked("Threads"), "", "whole", marked("How many threads may count."), least=1,
        none=marked("all cores"),
    ),
}  # fmt: skip


def _check_together(search: Search, task: str) -> None:
    """InputError when the options do not go together, or not with the target's task."""
    check_summary(search.summary, task)
    if task == "number":
        for name in ("smoothing", "priors", "costs", "threshold", "profits"):
            if getattr(search, name) != getattr(Search, name):
                raise InputError(tr("{name} is about classes; the target is numeric.", name=name))
        if search.numeric == "boundary_cuts":
            raise InputError(
                tr("numeric cannot be “boundary_cuts” for a numeric target: its label changes everywhere.")
            )
    for name, used in (("lookahead", search.lookahead > 1), ("m_of_n", search.m_of_n)):
        if used and search.by_rows:
            usual = DEFAULT[task]
            raise InputError(tr(
                "{name} cannot go with {criterion}: medians do not add up; choose {usual}.", name=name,
                criterion=search.criterion, usual=usual))  # fmt: skip
    if search.lookahead > 1 and search.by_evidence:
        raise InputError(tr(
            "lookahead 2 cannot go with {criterion}: a p-value is of one split; choose {usual}.",
            criterion=search.criterion, usual=DEFAULT[task]))  # fmt: skip
    for name in QUINLAN[:3]:
        if search.lookahead > 1 and getattr(search, name) != getattr(Search, name):
            raise InputError(tr(
                "lookahead 2 cannot go with {name}: two levels are compared by their gains alone.", name=name,
            ))  # fmt: skip
    if search.lookahead > 1 and search.m_of_n:
        raise InputError(tr("lookahead 2 and m_of_n cannot go together; choose one of them."))
    if search.lookahead > 1 and search.missing == "surrogate":
        raise InputError(
            tr("lookahead 2 and missing “surrogate” cannot go together: surrogates are found one split at a time.")
        )
    if search.missing == "fractional" and (search.lookahead > 1 or search.by_rows):
        name = "lookahead 2" if search.lookahead > 1 else search.criterion
        raise InputError(tr("{name} and missing “fractional” cannot go together: it counts whole rows.", name=name))
    if search.columns_per_node:
        others = {
            "lookahead": search.lookahead > 1, "m_of_n": search.m_of_n, "significance": search.significance is not None,
            "missing": search.missing != "direction", "criterion": search.by_rows,
            **{name: getattr(search, name) != getattr(Search, name) for name in QUINLAN},
        }  # fmt: skip
        for name in (name for name, is_used in others.items() if is_used):
            raise InputError(tr(
                "columns_per_node cannot go with {name} “{value}”: random columns are drawn by the usual search only.",
                name=name, value=getattr(search, name)))  # fmt: skip
    if search.significance is not None and search.significance > 1:
        raise InputError(
            tr("significance cannot be {significance:g}; it is a p-value, at most 1.", significance=search.significance)
        )


def _names(value: Any) -> tuple[str, ...]:
    """Names of columns, each once."""
    names = [value] if isinstance(value, str) else list(value) if isinstance(value, Collection) else [value]
    wrong = next((name for name in names if not isinstance(name, str)), None)
    if wrong is not None:
        raise InputError(tr("locked cannot be {wrong}; it is the names of columns.", wrong=one_line(wrong)))
    return tuple(dict.fromkeys(names))


def _number(option: Option, value: Any) -> float:
    """The value as a number of Python, whoever's it was; limits beyond the size of any table are cut back."""
    whole, least = option.kind == "whole", option.least
    if not _is_number(value, whole) or not least <= value <= option.most:
        said = {"option": option.name, "value": one_line(value), "least": f"{least:g}", "most": f"{option.most:,}"}
        said["what"] = tr("a whole number") if whole else tr("a number")
        if not math.isinf(option.most):
            raise InputError(tr("{option} cannot be {value}; it is {what} from {least} to {most}.", **said))
        if not math.isinf(least):
            raise InputError(tr("{option} cannot be {value}; it is {what} of at least {least}.", **said))
        raise InputError(tr("{option} cannot be {value}; it is {what}.", **said))
    if not whole:
        return float(value)
    return int(value) if math.isinf(least) else min(int(value), MOST)


def _is_number(value: Any, whole: bool) -> bool:
    """Whether it is a whole or a finite number; a bool is one to Python."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    if whole and isinstance(value, Integral):
        return True
    try:
        return math.isfinite(value) and (not whole or float(value).is_integer())
    except OverflowError:  # an integer that no float can hold
        return False
