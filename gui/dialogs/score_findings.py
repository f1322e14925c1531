"""What scoring a file has found, in words: of its columns, and of the leaves that its rows reach."""

from __future__ import annotations

import math

import engine
from engine.runtime.sentences import marked, tr
from engine.table.words import kind_word
from gui.widgets.tables import Column
from gui.wording import phrases, words

LEAST_P = 0.0001  # smaller ones are not told apart
DRIFT = {  # by `engine.Drift.size`
    "untested": marked("PSI {psi}, without a test"),
    "chance": marked("no drift beyond chance"),
    "small": marked("drift too small to matter"),
    "moderate": marked("moderate drift"),
    "large": marked("large drift"),
}
PSI = marked(
    "Population stability index: how far the distribution is from that of the training rows. Below 0.1 it is usually "
    "called stable, above 0.25 shifted"
)
LEAVES = {  # the same, of the shares of the leaves
    "untested": marked("The leaves have other shares than in training: PSI {psi}. No test holds for them."),
    "chance": marked("The leaves have the shares of training, but for chance (PSI {psi}; p {p})."),
    "small": marked("The shares of the leaves have drifted since training, too little to matter (PSI {psi}; p {p})."),
    "moderate": marked("The shares of the leaves have drifted moderately since training (PSI {psi}; p {p})."),
    "large": marked("The shares of the leaves have drifted far from those of training (PSI {psi}; p {p})."),
}


def verdict(found: engine.Scored, tree: engine.Tree) -> str:
    """What is to be known first: what acting is expected to earn, rows of levels that the tree does not know, and how
    the shares of the leaves differ from those in training."""
    said = []
    if tree.leaf_rule.profits:
        acted, earned = tree.acts[tree.leaves], tree.expected_profit[tree.leaves]
        n, amount = int(found.counts[acted].sum()), phrases.money(float(found.counts @ earned), tree)
        said.append(tr("Act on {n} of the rows: all together are expected to earn {amount}.", n=words.count(n),
                       amount=amount))  # fmt: skip
    if unknown := max((one for one in found.columns if one.is_asked), key=lambda one: one.unknown, default=None):
        share = words.percent(unknown.unknown / max(found.n_rows, 1))
        said += [tr("{share} of the rows have a level of “{column}” that the tree does not know, such as “{value}”.",
                    share=share, column=unknown.name, value=unknown.example)] * bool(unknown.unknown)  # fmt: skip
    return " ".join([*said, leaves(found)])


def leaves(found: engine.Scored) -> str:
    """How the shares of the leaves differ from those in training, and where most."""
    if found.drift is None:
        return tr("The tree is a single leaf: all rows reach it.")
    said = tr(LEAVES[found.drift.size], psi=index(found.drift.psi), p=chance(found.drift.p))
    if found.drift.size in ("chance", "small"):
        return said
    now = found.counts / found.n_rows
    i = int(abs(now - found.shares).argmax())
    most = tr("Leaf #{leaf} has {now} of the rows; it had {before}.", leaf=found.leaves[i],
              now=words.percent(now[i]), before=words.percent(found.shares[i]))  # fmt: skip
    return f"{said} {most}"


def index(psi: float) -> str:
    return f"{psi:.3f}" if math.isfinite(psi) else words.NOTHING


def chance(p: float) -> str:
    return f"< {LEAST_P}" if p < LEAST_P else f"{p:.4f}" if math.isfinite(p) else words.NOTHING


def gravity(column: engine.ColumnFindings) -> tuple[int, float]:
    """What columns are sorted by, the gravest first."""
    odd = column.is_absent or column.unknown or column.unreadable or (column.drift and column.drift.size == "large")
    return 0 if odd else 1, -column.drift.psi if column.drift is not None else 0.0


def column(found: engine.ColumnFindings) -> str:
    """What there is to say of a column beside its counts."""
    parts = []
    if found.is_absent:
        return tr("not in the file; no split needs it")
    if found.unreadable:
        kind = kind_word(found.kind)
        parts.append(tr("“{value}” cannot be read as {kind}: taken for missing", value=found.example, kind=kind))
    elif found.unknown:
        parts.append(
            tr(
                "“{value}” is unknown to the tree: such rows go where each split sends other levels",
                value=found.example,
            )
        )
    if found.drift is not None:
        parts.append(tr(DRIFT[found.drift.size], psi=index(found.drift.psi)))
        if found.unknown and found.drift.size in ("moderate", "large"):
            parts.append(tr("unknown levels count in the drift as one that training had no row of"))
    if not found.is_asked:
        parts.append(tr("no split asks it"))
    return "; ".join(parts)


def column_columns(found: engine.Scored) -> list[Column[engine.ColumnFindings]]:
    """The columns of the table of findings; those that have nothing to say are left out."""

    def counted(title: str, field: str, tip: str) -> Column[engine.ColumnFindings] | None:
        def number(one: engine.ColumnFindings) -> int:
            return getattr(one, field) or 0

        def text(one: engine.ColumnFindings) -> str:
            n = number(one)
            return f"{words.count(n)} · {words.rate(n / found.n_rows)}" if n else ""

        return Column(title, text, key=number, tip=tip) if any(map(number, found.columns)) else None

    def psi(one: engine.ColumnFindings) -> float:
        return one.drift.psi if one.drift is not None else math.nan

    def p(one: engine.ColumnFindings) -> float:
        return one.drift.p if one.drift is not None else math.nan

    test = tr("How probable such a difference is by chance alone (chi-square test)")
    made = [
        Column(tr("Column"), lambda one: one.name, words=True, explained=lambda one: one.name),
        counted(tr("Missing"), "missing", tr("Rows without a value")),
        counted(tr("Unknown"), "unknown", tr("Rows with a level that the tree does not know")),
        counted(tr("Other type"), "unreadable", tr("Rows whose value is of another type: taken for missing")),
        counted(tr("Out of range"), "outside", tr("Rows whose value is beyond those of the training rows")),
        Column(tr("PSI"), lambda one: index(psi(one)), key=psi, tip=tr(PSI)),
        Column("p", lambda one: chance(p(one)), key=p, tip=test),
        Column(tr("Finding"), column, words=True, explained=column),
    ]
    known = any(one.drift is not None for one in found.columns)
    return [one for one in made if one is not None and (known or one.title not in (tr("PSI"), "p"))]


def leaf_columns(found: engine.Scored, rules: list[str]) -> list[Column[int]]:
    """The columns of the table of leaves; its records are their places in `found.leaves`. rules: in words, by leaf."""
    now = found.counts / found.n_rows

    def rule(place: int) -> str:
        return rules[place] or tr("always")

    def change(place: int) -> float:
        return float(now[place] - found.shares[place])

    def points(place: int) -> str:
        text = words.percent(change(place)).removesuffix(" %")
        return f"+{text}" if change(place) > 0 and float(text) else text

    return [
        Column(tr("Leaf"), lambda place: f"#{found.leaves[place]}", key=lambda place: found.leaves[place]),
        Column(tr("Rule"), rule, words=True, explained=rule),
        Column(tr("Rows"), lambda place: words.count(found.counts[place]), key=lambda place: found.counts[place]),
        Column(tr("Share"), lambda place: words.percent(now[place]), key=lambda place: now[place]),
        Column(tr("In training"), lambda place: words.percent(found.shares[place]),
               key=lambda place: found.shares[place], tip=tr("Share of the training rows that reach the leaf")),
        Column(tr("Change"), points, key=change, tip=tr("Difference of the two shares in percentage points")),
        Column("p", lambda place: chance(float(found.leaf_p[place])), key=lambda place: found.leaf_p[place],
               tip=tr("How probable such a change of this leaf is by chance alone, times the number of leaves")),
    ]  # fmt: skip
