"""Reports of a tree: the figures are those of the engine, and whatever comes from a file stays text."""

import base64
import json
import re
import sys
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pandas as pd
import pytest

import engine
from engine.reporting import SECTIONS, words
from engine.reporting.contents import MOST_LEAVES
from engine.reporting.description import APART, LINE, Rows
from engine.reporting.summary import FEWEST, LONGEST
from engine.reporting.writing import MOST_DRAWN
from engine.table.words import number_words
from tests.conftest import ROOT

EVIL = '<script>alert("x")</script>'
SCHEMA = ROOT / "resources" / "report.schema.json"


def people(n=600, seed=0, number=False):
    """A table with all three parts, gaps, and names and levels that look like markup and like formulas."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age & sex": random.integers(18, 90, n),
            "<b>city": random.choice([EVIL, "=1+1", "Graz"], n),
            "income": np.where(random.random(n) < 0.1, np.nan, random.normal(2000, 700, n).round(2)),
        }
    )
    noise = random.random(n) < 0.2
    frame["y"] = np.where((frame["age & sex"] > 50) ^ (frame["<b>city"] == EVIL) ^ noise, "</td>yes", "no")
    if number:
        frame["y"] = frame["age & sex"] + random.normal(0, 9, n).round(2)
    return engine.Table.from_frame(frame, target="y", name="</title>people").with_partition(validation=0.3, test=0.2)


def drawn(tree, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg"><desc>{tree.n_leaves}</desc></svg>')


class Read(HTMLParser):
    """The tags of a page, the addresses of its images, its tables of texts, and all its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.images, self.tables, self.texts = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "img":
            self.images.append(dict(attrs)["src"])
        elif tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_data(self, data):
        self.texts.append(data)
        if self.lasttag in ("td", "th") and self.tables and data.strip():
            self.tables[-1][-1][-1] += data


def page(tmp_path, table, tree, **how):
    engine.report(table, tree, tmp_path / "report.html", **how)
    return Read((tmp_path / "report.html").read_text(encoding="utf-8"))


def figures(tmp_path, table, tree, **how):
    engine.report(table, tree, tmp_path / "report.json", **how)
    return json.loads((tmp_path / "report.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)


def test_names_and_levels_are_no_markup(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    read = page(tmp_path, table, tree, draw=drawn, made=[f"Split by {EVIL}"])
    plain = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "img", "table", "thead", "tbody",
             "tr", "th", "td", "ol", "ul", "li"}  # fmt: skip
    assert read.tags <= plain and "script" not in read.tags
    assert any(EVIL in cell for table in read.tables for row in table for cell in row)
    assert f"Split by {EVIL}" in read.texts and "Decision tree for “y” on </title>people" in read.texts
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "http:" not in text and "https:" not in text  # it loads nothing
    assert [one.startswith("data:image/svg+xml;base64,") for one in read.images] == [True]


@pytest.mark.parametrize("number", [False, True])
def test_figures_are_those_of_the_engine_and_fit_the_schema(tmp_path, number):
    table = people(number=number)
    tree = engine.grow(table, max_depth=3)
    found = figures(tmp_path, table, tree, test=True, compared=7, looks=1)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema)
    assert [part["part"] for part in found["assessment"]] == ["train", "validation", "test"]
    for part in found["assessment"]:
        fit = engine.assess(table, tree, part["part"])
        assert (part["rows"], part["error"]) == (fit.n, fit.error)
        if number:
            assert (part["rmse"], part["mae"], part["r2"]) == (fit.rmse, fit.mae, fit.r2)
        else:
            ranked, of_class = fit.ranking(tree.classes[0]), part["classes"][0]
            known = [part["accuracy"], part["kappa"], of_class["recall"], of_class["auc"]]
            wanted = (
                [fit.accuracy, *fit.interval],
                [*fit.kappa],
                fit.recall[0].tolist(),
                [ranked.auc, *ranked.auc_interval],
            )
            sure = part["part"] == "test"  # validation rows compared seven trees
            assert known == [list(one) if sure else [one[0], None, None] for one in wanted]
            assert part["confusion"] == fit.confusion.tolist()
    frame = engine.leaf_report(table, tree)
    assert [leaf["node"] for leaf in found["leaves"]] == frame["node"].tolist()
    assert found["leaves"][0].keys() == set(frame.columns)
    importance = engine.importance(table, tree)
    assert [one["column"] for one in found["importance"]] == importance.index.tolist()
    assert [one["permutation"] for one in found["importance"]] == importance["permutation"].tolist()
    assert sum(len(rule["ways"]) for rule in found["rules"]) == tree.n_leaves


def test_what_leaves_say_is_said(tmp_path):
    table = people()
    first, second = table.classes[:2]
    rule = engine.LeafRule(
        smoothing="laplace", threshold=(first, 0.25), profits=((second, 12.0, -3.0),), currency="EUR"
    )
    tree = engine.grow(table, max_depth=2).with_leaf_rule(table, rule)
    jsonschema.validate(figures(tmp_path, table, tree), json.loads(SCHEMA.read_text(encoding="utf-8")))
    read = page(tmp_path, table, tree)
    said = next(text for text in read.texts if "Probabilities: Laplace." in text)
    assert f"“{first}” is predicted from a probability of 25.0 % on." in said
    assert f"Acting on a row of “{second}” earns 12 EUR, not acting −3 EUR." in said
    assert "Search options: Maximum depth: 2." in read.texts
    rows = {row[0]: row[1:] for each in read.tables for row in each}
    assert rows["Profit per row"] == [f"{number_words(tree.profit(part), 4)} EUR" for part in ("train", "validation")]
    leaves = next(each for each in read.tables if each[0][0] == "Leaf")
    acts = dict(zip((f"#{node}" for node in tree.ids), np.where(tree.acts, "yes", "no"), strict=True))
    shown = leaves[1::2]  # a rule stands below each
    assert [row[leaves[0].index("Act")] for row in shown] == [acts[row[0]] for row in shown]


def summary_of(read):
    """The paragraphs of the summary."""
    texts = [text for text in read.texts if text.strip()]
    return texts[texts.index("Summary") + 1 : texts.index("The data")]


def test_the_summary_says_what_where_and_how_often_wrong_by_the_most_honest_rows(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    how = {"focus": "no", "test": True}
    said, tested = summary_of(page(tmp_path, table, tree, **how)), engine.assess(table, tree, "test")
    assert said[0].startswith("The tree predicts y (</td>yes, no) by ") and " of 3 columns" in said[0]
    leaves = engine.leaf_report(table, tree, focus="no")
    large = leaves[leaves["rows"] >= FEWEST].sort_values("share: no", ascending=False, kind="stable")
    assert (len(large), len(leaves)) == (7, 8)
    first, last = large.iloc[0], large.iloc[-1]
    high, low = (f"{100 * leaf['share: no']:.1f} % of {leaf['rows']} training rows." for leaf in (first, last))
    where = [
        f"where {leaf['rule']}" if len(leaf["rule"]) <= LONGEST else f"in leaf #{leaf['node']}"
        for leaf in (first, last)
    ]
    again = [f"{100 * leaf['validation_share: no']:.1f} % of {leaf['validation_rows']}" for leaf in (first, last)]
    assert said[1] == (
        f"“no” is most frequent {where[0]}: {high} It is least frequent {where[1]}: {low} These are the extremes of "
        f"its 7 leaves with at least 10 training rows, and these rows exaggerate them. Of the validation rows there it "
        f"is {', and '.join(again)}."
    )
    error, (low, high) = 1 - tested.accuracy, (1 - one for one in reversed(tested.interval))
    assert said[2].startswith(
        f"On the {table.n_test} test rows, which had no part in making the tree, it is wrong for {100 * error:.1f} % "
        f"of them (95 % interval {100 * low:.1f} % to {100 * high:.1f} %). Always predicting “"
    )
    chosen = summary_of(page(tmp_path, table, tree, compared=7))[2]
    assert "they chose it among 7 trees, so this is somewhat too good." in chosen and "interval" not in chosen
    alone = engine.Table.from_frame(table.to_frame(), target="y")
    assert "training rows alone" in summary_of(page(tmp_path, alone, engine.recount(tree, alone)[0]))[2]
    assert summary_of(page(tmp_path, table, engine.Tree.root(table)))[0].startswith("The tree asks nothing")


def noise(n=600, seed=1):
    """A table whose target nothing tells."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.random(n), "b": random.random(n), "y": random.choice(["yes", "no"], n)})
    return engine.Table.from_frame(frame, target="y").with_partition(validation=0.3, test=0.2)


@pytest.mark.parametrize(
    ("method", "options"), [("reduced_error", {}), ("cost_complexity", {"judge": "validation"}), ("growth", {})]
)
def test_validation_rows_that_pruned_the_tree_are_not_called_untouched(tmp_path, method, options):
    table = noise()
    pruning = engine.prune(table, engine.grow(table), method, **options)
    tree = pruning.tree(pruning.chosen)
    assert pruning.by_validation and len(pruning.steps) > 2
    said = " ".join(summary_of(page(tmp_path, table, tree, pruning=pruning)))
    assert f"they chose it among {len(pruning.steps)} trees, so this is somewhat too good" in said
    assert "did not make the tree" not in said and "interval" not in said
    found = figures(tmp_path, table, tree, pruning=pruning)
    assert found["tree"]["trees_compared_by_validation"] == len(pruning.steps)
    assert found["assessment"][-1]["accuracy"][1:] == [None, None]


def test_a_pruning_by_training_rows_leaves_validation_rows_untouched(tmp_path):
    table = people()
    for method, options in (("pessimistic", {}), ("cost_complexity", {"judge": "folds", "folds": 3})):
        pruning = engine.prune(table, engine.grow(table, max_depth=4), method, **options)
        assert not pruning.by_validation
        said = " ".join(summary_of(page(tmp_path, table, pruning.tree(pruning.chosen), pruning=pruning)))
        assert "validation rows, which did not make the tree" in said and "95 % interval" in said


@pytest.mark.parametrize("number", [False, True])
def test_the_summary_says_how_often_the_test_rows_were_looked_at(tmp_path, number):
    table = people(number=number)
    said = summary_of(page(tmp_path, table, engine.grow(table, max_depth=3), test=True, looks=7))[2]
    assert said.startswith(f"On the {table.n_test} test rows, which were looked at 7 times, ")
    assert "has no honest figure." in said and "no part in making" not in said


def test_of_a_threshold_the_summary_says_what_may_have_set_it(tmp_path):
    table = people()
    rule = engine.LeafRule(threshold=(table.classes[0], 0.3))
    read = page(tmp_path, table, engine.grow(table, max_depth=3).with_leaf_rule(table, rule))
    said = summary_of(read)[2]
    assert "the threshold may have been set by their curve, so this may be too good." in said
    assert "interval" not in said and "did not make the tree" not in said
    assert any("set by the curve of the validation rows" in text for text in read.texts)


def test_the_share_of_a_small_leaf_is_no_finding(tmp_path):
    table = noise()
    tree = engine.grow(table)
    sizes = tree.rows_train[tree.leaves]
    n = int((sizes >= FEWEST).sum())
    assert sizes.min() < FEWEST
    said = " ".join(summary_of(page(tmp_path, table, tree)))
    if n < 2:
        assert "most frequent" not in said
    else:
        assert f"the extremes of its {n} leaves with at least {FEWEST} training rows" in said
    chosen = engine.grow(table, max_depth=5)
    sizes = chosen.rows_train[chosen.leaves]
    n = int((sizes >= FEWEST).sum())
    assert 2 <= n < sizes.size
    said = " ".join(summary_of(page(tmp_path, table, chosen)))
    assert f"the extremes of its {n} leaves with at least {FEWEST} training rows, and" in said
    told = [int(found) for found in re.findall(r"of (\d+) training rows\.", said)]
    assert len(told) == 2 and min(told) >= FEWEST


def test_the_brier_score_is_summed_over_the_classes_and_says_so(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    said = next(text for text in page(tmp_path, table, tree).texts if "The Brier score is" in text)
    assert "summed over the classes" in said  # twice what scikit-learn says of one of two


def test_the_summary_says_what_acting_by_the_tree_earns_and_what_was_set_by_hand(tmp_path):
    table, tree, _ = decided()
    first, second = table.classes
    rule = engine.LeafRule(profits=((first, 12.0, -3.0), (second, -5.0, 1.0)), currency="EUR")
    tree = tree.with_leaf_rule(table, rule)
    said = summary_of(page(tmp_path, table, tree))
    counts = np.bincount(table.y[table.rows(1)], minlength=2)
    acting, otherwise = ((counts @ amounts) / counts.sum() for amounts in ([12.0, -5.0], [-3.0, 1.0]))
    assert f"a row then earns {number_words(tree.profit('validation'), 4)} EUR on average." in said[3]
    assert f"every row would earn {number_words(acting, 4)} EUR, on none {number_words(otherwise, 4)} EUR." in said[3]
    splits = int((tree.n_branches > 0).sum())
    assert said[4] == f"1 of {splits} splits were made by hand. Nodes with a prediction that was set by hand: 1."


def test_of_numbers_the_summary_has_the_mean_error(tmp_path):
    table = people(number=True)
    tree = engine.grow(table, max_depth=3)
    fit, said = engine.assess(table, tree, "validation"), summary_of(page(tmp_path, table, tree))
    assert said[2].startswith(
        f"On the {fit.n} validation rows its predictions are off by {number_words(fit.mae, 4)} on"
    )
    assert f"R² is {number_words(fit.r2, 4)}; 1 would be perfect." in said[2]
    assert "Act:" not in " ".join(page(tmp_path, table, tree).texts)


def test_widths_leave_no_word_broken_and_narrow_tables_narrow():
    narrow = Rows(["Class", "Rows"], [["yes", "1,234"], ["no", "56"]]).widths
    assert sum(narrow) < 0.3 and len(narrow) == 2
    wide = Rows(["Leaf", "Validation rows", *["Probability"] * 7], [["#12", *["71.9 % (68.9–74.7 %)"] * 8]]).widths
    assert sum(wide) == pytest.approx(1.0)
    words = Rows(["Column", "Values", "Rows"], [["x", "a long list of values " * 9, "123,456"]], columns=2).widths
    assert sum(words) == pytest.approx(1.0) and words[0] * LINE >= len("Column") and words[2] * LINE >= len("123,456")
    below = Rows(["A", "B"], [["1", "2"]], below=["a rule"]).widths
    assert sum(below) == pytest.approx(1.0)
    assert Rows(["", ""], [["", ""]]).widths == pytest.approx([APART / LINE] * 2)


def test_costs_and_options_are_sentences(tmp_path):
    table = people()
    first, second = table.classes[:2]
    rule = engine.LeafRule(costs=((first, second, 5.0),), priors=((second, 0.2),))
    tree = engine.grow(table, max_depth=2, missing="surrogate", m_of_n=True).with_leaf_rule(table, rule)
    text = " ".join(page(tmp_path, table, tree).texts)
    assert f"A row of “{first}” that is called “{second}” costs 5." in text
    assert f"The prior of “{second}” is 0.2." in text
    said = text.partition("Search options: ")[2].partition(".")[0]
    assert set(said.split("; ")) == {"Maximum depth: 2", "m-of-n", "Missing values: Surrogates"}


def test_the_page_says_the_same(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    read, fit = page(tmp_path, table, tree), engine.assess(table, tree, "validation")
    rows = {row[0]: row[1:] for each in read.tables for row in each}
    low, high = (f"{100 * one:.1f}" for one in fit.interval)
    trained = f"{100 * engine.assess(table, tree, 'train').accuracy:.1f} %"
    assert rows["Accuracy"] == [trained, f"{100 * fit.accuracy:.1f} % ({low}–{high} %)"]
    assert rows["Rows"] == [f"{table.n_train:,}", f"{table.n_validation:,}"]
    leaves = next(each for each in read.tables if each[0][0] == "Leaf")
    report = engine.leaf_report(table, tree)
    assert [row[0] for row in leaves[1::2]] == [f"#{node}" for node in report["node"]]
    assert leaves[2::2] == [[rule] for rule in report["rule"]]
    counts = [np.bincount(table.y[table.rows(part)]) for part in (0, 1)]
    usual = counts[0].argmax()
    shares = [f"{100 * one[usual] / one.sum():.1f} %" for one in counts]
    assert rows[f"Accuracy of always “{table.classes[usual]}”"] == shares


def test_nearly_all_is_not_called_all():
    said = {1.0: "100.0 %", 2070 / 2071: "99.95 %", 0.0: "0.0 %", 1 / 4000: "0.03 %", 0.5: "50.0 %", None: "–"}
    assert {share: words.share(share) for share in said} == said
    assert words.share(1.0 - 1e-16) == "100.0 %"


def test_the_table_of_actual_and_predicted_classes_has_its_heading(tmp_path):
    table = people()
    read = page(tmp_path, table, engine.grow(table, max_depth=3))
    texts = [text for text in read.texts if text.strip()]
    for part in ("Training", "Validation"):
        assert texts[texts.index(f"{part} rows by actual and predicted class") + 1] == "Actual"


def test_a_tested_tree_says_so(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    text = " ".join(page(tmp_path, table, tree, test=True, looks=2).texts)
    assert f"{table.n_test} tested it 2 times." in text and "kept for the last test" not in text


def test_test_rows_tell_nothing_unless_they_were_looked_at(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    found = figures(tmp_path, table, tree)
    assert [part["part"] for part in found["assessment"]] == ["train", "validation"]
    frame = table.to_frame()
    frame.loc[table.sealed, "income"] = np.arange(table.sealed.sum()) + 1e7
    frame["part"] = np.array(["train", "validation", "test"])[table.part]
    other = engine.Table.from_frame(frame, target="y", name=table.name).with_partition(column="part")
    again = figures(tmp_path, other, engine.recount(tree, other)[0])
    columns = [column for column in again["table"]["columns"] if column["name"] != "part"]
    assert columns == found["table"]["columns"]
    assert (again["assessment"], again["leaves"]) == (found["assessment"], found["leaves"])


def test_a_class_that_only_test_rows_have_is_not_named_before_they_are_looked_at(tmp_path):
    frame = people().to_frame()
    frame["y"] = frame["y"].astype(object)
    frame["part"] = np.array(["train", "validation", "test"])[people().part]
    frame.loc[frame.index[frame.part == "test"][:3], "y"] = "seldom"
    table = engine.Table.from_frame(frame, target="y").with_partition(column="part")
    tree = engine.grow(table, max_depth=2)
    engine.report(table, tree, tmp_path / "report.json")
    assert "seldom" not in (tmp_path / "report.json").read_text(encoding="utf-8")
    assert "seldom" not in " ".join(page(tmp_path, table, tree).texts)
    engine.report(table, tree, tmp_path / "report.csv")
    engine.hand_out(table, tree, 0, tmp_path / "node.html")
    for name in ("report.csv", "node.html"):
        assert "seldom" not in (tmp_path / name).read_text(encoding="utf-8")
    found = figures(tmp_path, table, tree, test=True)
    assert [one["name"] for one in found["assessment"][-1]["classes"]][-1] == "seldom"


def decided():
    """A tree with a split by hand, a pin, a label and notes that look like markup."""
    table = people()
    tree = engine.grow(table, max_depth=2)
    leaf = int(tree.ids[tree.leaves[0]])
    tree = tree.split(table, leaf, engine.candidates(table, tree, leaf)[0].split, by_hand=True)
    tree = tree.with_mark(0, pinned=True, note=f"Asked for\nby {EVIL}")
    return table, tree.with_mark(int(tree.ids[tree.leaves[0]]), label="no"), leaf


def blank(text, path):
    """A printer: pictures are one white pixel, pages their text."""
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII="
    Path(path).write_bytes(base64.b64decode(pixel) if path.endswith(".png") else text.encode())


def test_what_was_decided_by_hand_is_said_with_its_reason(tmp_path):
    table, tree, leaf = decided()
    found = figures(tmp_path, table, tree)
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    said = {one["node"]: one for one in found["by_hand"]}
    assert said[0]["note"] == f"Asked for\nby {EVIL}" and said[0]["way"] == []
    first = tree.sentence(tree.children(tree.position(leaf))[0])
    assert said[leaf]["decided"] == [f"Split by hand: {first}"] and said[leaf]["way"] == tree.rule(leaf)
    rows = next(each for each in page(tmp_path, table, tree).tables if each[0][:2] == ["Node", "Decision"])
    assert rows[1] == ["#0", "Pinned: growing and pruning leave it as it is", f"Asked for by {EVIL}"]
    assert [row[1] for row in rows[1::2]][-1] == "Predicts by hand: no"


def test_the_pruning_has_its_chart_and_its_steps(tmp_path):
    table = people()
    pruning = engine.prune(table, engine.grow(table, max_depth=4))
    tree = pruning.tree(pruning.chosen)
    found = figures(tmp_path, table, tree, pruning=pruning)
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert [one["leaves"] for one in found["pruning"]["steps"]] == [step.leaves for step in pruning.steps]
    read = page(tmp_path, table, tree, pruning=pruning)
    svg = ElementTree.fromstring(base64.b64decode(read.images[0].partition(",")[2]))
    lines = svg.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == [len(pruning.steps)] * 2
    texts = [text.text for text in svg.findall("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "0 %" and texts[1].endswith(" %")  # as in the table below it
    rows = next(each for each in read.tables if each[0][:2] == ["Tree", "Leaves"])
    chosen = pruning.steps[pruning.chosen]
    assert ["This tree", f"{chosen.leaves}", f"{100 * chosen.train_error:.1f} %"] == next(
        row[:3] for row in rows if row[0] == "This tree"
    )


def test_sections_are_chosen_and_introduced(tmp_path):
    table, tree, _ = decided()
    chosen = {"sections": ["rules", "data"], "introduction": f"First {EVIL}.\n\nSecond."}
    texts = page(tmp_path, table, tree, draw=drawn, **chosen).texts
    titles = [text for text in texts if text in {"Introduction", *SECTIONS.values()}]
    assert titles == ["Introduction", "The data", "The rules"] and f"First {EVIL}." in texts and "Second." in texts
    with pytest.raises(engine.InputError, match="no section “rule”"):
        engine.report(table, tree, tmp_path / "other.html", sections=["rule"])


class NoonOfADay(datetime):
    """A clock that stands still, so that two reports are of one second."""

    @classmethod
    def now(cls, tz=None):
        return cls(2026, 1, 2, 12)


def test_a_word_document_says_the_same_as_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.reporting.figures.datetime", NoonOfADay)
    docx = pytest.importorskip("docx")
    table, tree, _ = decided()
    how = {"pruning": engine.prune(table, tree), "introduction": f"By {EVIL}", "draw": drawn}
    how["sections"] = [name for name in SECTIONS if name != "versions"]  # which tell the second
    read = page(tmp_path, table, tree, **how)
    engine.report(table, tree, tmp_path / "report.docx", printer=blank, **how)
    document = docx.Document(tmp_path / "report.docx")
    headings = [one.text for one in document.paragraphs if one.style.name == "Heading 1"]
    assert headings == [text for text in read.texts if text in {"Introduction", *SECTIONS.values()}]
    assert len(document.tables) == len(read.tables)
    for written, shown in zip(document.tables, read.tables, strict=True):
        for row, wanted in zip(written.rows, shown, strict=True):
            cells = [cell.text for cell in row.cells]
            assert cells == (wanted if len(wanted) > 1 else wanted * len(cells))  # what stands below a row is one cell
    assert len(document.inline_shapes) == 2 and any(EVIL in one.text for one in document.paragraphs)
    engine.report(table, tree, tmp_path / "plain.docx", **how)
    texts = [one.text for one in docx.Document(tmp_path / "plain.docx").paragraphs]
    assert "The tree: no picture, as nothing here can draw it." in texts


@pytest.mark.parametrize(("library", "suffix"), [("docx", "docx"), ("pptx", "pptx")])
def test_without_the_library_the_command_is_said(tmp_path, monkeypatch, library, suffix):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(engine.InputError, match=r"pip install 'espalier\[exports\]'"):
        engine.report(people(), engine.Tree.root(people()), tmp_path / f"report.{suffix}")


@pytest.mark.parametrize("number", [False, True])
def test_a_slide_has_a_box_for_each_node_and_a_connector_for_each_branch(tmp_path, number):
    pptx = pytest.importorskip("pptx")
    table = people(number=number)
    tree = engine.grow(table, max_leaves=12, order="best_first")
    engine.report(table, tree, tmp_path / "slide.pptx")
    show = pptx.Presentation(tmp_path / "slide.pptx")
    shapes = list(show.slides[0].shapes)
    boxes = [one for one in shapes if one.name.startswith("Node ")]
    assert [one.name for one in boxes] == [f"Node {node}" for node in tree.ids]
    ids = [one.shape_id for one in boxes]
    lines = [one._element for one in shapes if one._element.tag.endswith("}cxnSp")]
    ends = [[int(each.get("id")) for each in line.iter() if each.tag.endswith(("}stCxn", "}endCxn"))] for line in lines]
    assert ends == [[ids[tree.parent[i]], ids[i]] for i in range(1, tree.n_nodes)]
    texts = [one.text_frame.text for one in shapes if one.has_text_frame]
    for i in range(tree.n_nodes):
        if tree.n_branches[i]:
            assert boxes[i].text_frame.text.startswith(tree.title(i) + "\n")
    assert all(tree.branch_words(i) in texts for i in range(1, tree.n_nodes))
    corners = [(one.left, one.top, one.left + one.width, one.top + one.height) for one in boxes]
    for k, (left, top, right, bottom) in enumerate(corners):  # all on the slide, and none above another
        assert left >= 0 and top >= 0 and right <= show.slide_width and bottom <= show.slide_height
        assert all(right <= a or c <= left or bottom <= b or d <= top for a, b, c, d in corners[k + 1 :])


def test_a_slide_of_too_many_nodes_is_refused(tmp_path):
    table = people()
    tree = engine.grow(table)
    with pytest.raises(engine.InputError, match=f"60 nodes, and this tree has {tree.n_nodes:,}: prune it or fold it"):
        engine.report(table, tree, tmp_path / "slide.pptx")
    assert not list(tmp_path.iterdir())


def test_a_pdf_is_what_the_printer_makes_of_the_page(tmp_path):
    table, tree, _ = decided()
    engine.report(table, tree, tmp_path / "report.pdf", printer=blank)
    assert "The rules" in Read((tmp_path / "report.pdf").read_text(encoding="utf-8")).texts
    with pytest.raises(engine.InputError, match="needs a printer"):
        engine.report(table, tree, tmp_path / "other.pdf")


def test_leaves_as_csv(tmp_path):
    table = people()
    tree = engine.grow(table, max_depth=3)
    engine.report(table, tree, tmp_path / "leaves.csv", focus="no")
    read, frame = pd.read_csv(tmp_path / "leaves.csv"), engine.leaf_report(table, tree, focus="no")
    assert list(read.columns) == list(frame.columns)
    for name in frame:
        if frame[name].dtype.kind in "if":
            np.testing.assert_allclose(read[name], frame[name])
        else:
            assert read[name].tolist() == frame[name].tolist()


def test_of_a_large_tree_the_page_shows_the_beginning(tmp_path):
    table = people(3000)
    tree, shown = engine.grow(table), []

    def draw(part, path):
        shown.append(part)
        drawn(part, path)

    assert tree.n_leaves > MOST_LEAVES
    read = page(tmp_path, table, tree, draw=draw)
    assert 1 < shown[0].n_leaves <= MOST_DRAWN and shown[0].split_at(0) == tree.split_at(0)
    leaves = next(each for each in read.tables if each[0][0] == "Leaf")
    assert len(leaves) == 2 * MOST_LEAVES + 1
    assert f"The first {MOST_LEAVES} of {tree.n_leaves:,} are shown." in read.texts
    assert any("levels; what is below is drawn as leaves" in text for text in read.texts)


def test_a_single_leaf_and_a_table_without_validation(tmp_path):
    table = engine.Table.from_frame(people().to_frame(), target="y")
    tree = engine.Tree.root(table)
    jsonschema.validate(figures(tmp_path, table, tree), json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert "script" not in page(tmp_path, table, tree, draw=drawn).tags


def test_what_is_no_report_is_refused_before_anything_is_made(tmp_path):
    table = people()
    with pytest.raises(engine.InputError, match="names no report"):
        engine.report(table, engine.Tree.root(table), tmp_path / "report.odt")
    stopped = engine.Progress()
    stopped.stop()
    with pytest.raises(engine.InputError, match="was stopped"):
        engine.report(table, engine.grow(table, max_depth=2), tmp_path / "report.json", progress=stopped)
    assert not list(tmp_path.iterdir())
