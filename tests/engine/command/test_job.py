"""The same job as in the window, without a display."""

import json
import re
from types import SimpleNamespace

import pandas as pd
import pypdfium2

import engine
import main
from engine import project
from engine.command import job
from engine.learning_theory.tree_code import encode
from engine.runtime.files import write_whole
from engine.scripting.writing import same_tree
from tests.engine.command.running import run


def test_it_grows_prunes_and_exports(capsys, tmp_path):
    tree, picture = tmp_path / "tree.json", tmp_path / "tree.svg"
    code, out, err = run(
        capsys, "example:penguins", "--no-window", "--preset", "cart", "--prune", "cost-complexity",
        "--validation", "0.3", "--seed", "0", "--export", tree, "--export", picture,
    )  # fmt: skip
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Penguins: 344 rows, ")
    assert any(line.startswith("grown ") and "validation error" in line for line in lines)
    assert any(line.startswith("pruned ") for line in lines)
    document = json.loads(tree.read_text())
    assert document["format"] == "espalier-tree"
    assert document["version"] == 1
    assert "<svg" in picture.read_text()
    leaves = sum(node["split"] is None for node in document["nodes"])
    assert f"pruned  {leaves} leaves" in out


def test_the_cats_of_the_lecture_are_told_apart_at_depth_2(capsys, cats):
    code, out, _ = run(capsys, cats, "--target", "success", "--no-window", "--criterion", "entropy")
    assert code == 0
    assert "grown   4 leaves · depth 2 · training error 0.0 %" in out


def test_a_numeric_target_reports_its_squared_error(capsys, tmp_path):
    path = tmp_path / "line.csv"
    pd.DataFrame({"x": [i * 1.5 for i in range(40)], "y": [i + 0.5 for i in range(40)]}).to_csv(path, index=False)
    code, out, _ = run(capsys, path, "--target", "y", "--no-window", "--max-leaves", "4", "--order", "best_first")
    assert code == 0
    assert "grown   4 leaves · depth 2 · training mean squared error 8.25" in out


def test_no_output_file_is_left_behind_when_a_later_one_cannot_be_written(capsys, cats, tmp_path):
    first = tmp_path / "tree.json"
    code, _, err = run(
        capsys, cats, "--target", "success", "--no-window",
        "--export", first, "--export", tmp_path / "no such folder" / "tree.json",
    )  # fmt: skip
    assert code == 2
    assert "no such folder" in err
    assert not first.exists()


def test_a_tree_is_exported_as_code_in_the_dialect_and_format_that_are_named(capsys, cats, tmp_path):
    words = cats, "--target", "success", "--no-window"
    code, out, err = run(capsys, *words, "--export", tmp_path / "a.sql", "--dialect", "mysql")
    assert code == 0 and not err and "wrote " in out
    assert "FROM `rows` AS t" in (tmp_path / "a.sql").read_text(encoding="utf-8")
    code, _, _ = run(capsys, *words, "--export", tmp_path / "a.txt", "--as", "pandas")
    assert code == 0 and "import pandas as pd" in (tmp_path / "a.txt").read_text(encoding="utf-8")
    for wrong in (("--dialect", "mysql"), ("--as", "sql")):
        code, _, err = run(capsys, *words, *wrong)
        assert code == 2 and err.count("name it by --export") == 1
    code, _, err = run(capsys, *words, "--export", tmp_path / "a.py", "--dialect", "mysql")
    assert code == 2 and "Python module has no option “dialect”" in err


def test_a_file_that_stood_there_is_untouched_when_a_later_export_fails(capsys, cats, tmp_path):
    old = tmp_path / "old.json"
    old.write_text("old")
    code, _, err = run(
        capsys, cats, "--target", "success", "--no-window", "--export", old, "--export", tmp_path / "nowhere" / "x.svg"
    )
    assert code == 2
    assert "there is no folder" in err
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cats.csv", "old.json"]


def test_the_test_rows_tell_their_mean_loss_too(capsys):
    words = ["example:penguins", "--no-window", "--max-depth", "1", "--test", "0.3", "--look-at-test",
             "--costs", "Adelie:Gentoo=5"]  # fmt: skip
    assert main.main(words) == 0
    assert re.search(r"^test .* \(mean loss [0-9.]+\) on \d+ rows", capsys.readouterr().out, re.MULTILINE)


def test_costs_are_told_as_a_mean_loss(capsys, cats):
    code, out, _ = run(
        capsys, cats, "--target", "success", "--no-window", "--max-leaves", "1", "--costs", "True:False=5,False:True=2"
    )
    assert code == 0
    assert "training error 50.0 % (mean loss 1)" in out


def test_all_trees_are_told_beside_the_greedy_one(capsys, cats, monkeypatch):
    def all_trees(table, depth=2, *, min_leaf=1):
        greedy = engine.grow(table, max_depth=1)
        return SimpleNamespace(tree=engine.grow(table, max_depth=depth), greedy=greedy, n_trees=12_345)

    monkeypatch.setattr(engine, "all_trees", all_trees, raising=False)
    code, out, err = run(capsys, cats, "--target", "success", "--no-window", "--all-trees", "2", "--min-leaf", "1")
    assert (code, err) == (0, "")
    assert "greedy  2 leaves" in out and "best    " in out
    assert "12,345 trees of at most depth 2" in out


def test_an_export_goes_where_a_link_leads_and_leaves_no_draft(capsys, cats, tmp_path, monkeypatch):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    beside = []

    def written(path, pieces):
        beside.append({each.name for each in tmp_path.iterdir()})
        write_whole(path, pieces)

    monkeypatch.setattr(job, "write_whole", written)
    code, _, _ = run(capsys, cats, "--target", "success", "--no-window", "--export", link)
    assert code == 0 and link.is_symlink() and real.read_text().startswith("{")
    assert beside == [{"cats.csv", "real.json", "link.json"}]  # no draft that a killed program would leave


def test_a_project_is_described_pruned_and_exported(capsys, tmp_path):
    import engine
    from engine import project

    table = engine.read_example("penguins").with_partition(validation=0.3)
    project.save(tmp_path / "birds.espalier", table, engine.grow(table), {})
    code, out, err = run(
        capsys, tmp_path / "birds.espalier", "--no-window", "--prune", "reduced-error", "--export", tmp_path / "t.json"
    )
    assert (code, err) == (0, "")
    assert "saved   11 leaves" in out
    assert "pruned " in out
    code, _, err = run(capsys, tmp_path / "birds.espalier", "--no-window", "--max-depth", "3")
    assert code == 2
    assert "--max-depth: a project brings its own table and tree" in err


def test_what_a_project_knows_of_its_choice_is_told_and_exported(capsys, tmp_path):
    from engine import project

    table, path = engine.read_example("penguins").with_partition(validation=0.3), tmp_path / "birds.espalier"
    choice = {"trees": 7, "shown": 0.02, "error": 0.0312, "interval": [0.01, 0.09]}
    project.save(path, table, engine.grow(table), {"validation_trees": 9, "choice": choice})
    code, out, _ = run(capsys, path, "--no-window", "--export", tmp_path / "t.json")
    assert code == 0
    assert "note    chosen among 7 trees by validation rows: 3.1 % (1.0 % to 9.0 %) on rows that did not choose" in out
    assert json.loads((tmp_path / "t.json").read_text())["validation_trees"] == 9
    _, out, _ = run(capsys, path, "--no-window", "--prune", "reduced-error")
    assert out.count("did not choose") == 1  # nothing is known of the nine when others are compared, too


def test_test_rows_are_told_on_request_alone(capsys, tmp_path):
    words = "example:penguins", "--no-window", "--validation", "0.2", "--test", "0.2", "--export", tmp_path / "t.json"
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert not [line for line in out.splitlines() if line.startswith("test ")]
    assert "test_looks" not in (tmp_path / "t.json").read_text()
    code, out, _ = run(capsys, *words, "--look-at-test")
    assert code == 0
    assert re.search(r"^test    error [0-9.]+ % on \d+ rows that chose nothing$", out, re.MULTILINE)
    assert json.loads((tmp_path / "t.json").read_text())["test_looks"] == 1
    code, _, err = run(capsys, "example:penguins", "--no-window", "--look-at-test")
    assert code == 2
    assert "No rows of Penguins are kept for the test: add, for example, --test 0.2." in err


def test_a_choice_by_validation_rows_is_judged_by_rows_that_did_not_choose(capsys, tmp_path):
    words = "example:penguins", "--no-window", "--seed", "2", "--export", tmp_path / "t.json"
    _, out, _ = run(capsys, *words, "--validation", "0.3", "--prune", "reduced-error")
    table = engine.read_example("penguins").with_partition(0.3, seed=2)
    choice = engine.cross_fitted(table, engine.prune(table, engine.grow(table), "reduced_error"), seed=2)
    error, low, high = (f"{100 * figure:.1f} %" for figure in (choice.error, *choice.interval))
    judged = f"{error} ({low} to {high}) on rows that did not choose"
    assert f"note    chosen among {choice.trees} trees by validation rows: {judged}" in out.splitlines()
    assert json.loads((tmp_path / "t.json").read_text())["validation_trees"] == choice.trees
    _, out, _ = run(capsys, *words, "--prune", "cost-complexity")
    table = engine.read_example("penguins")
    optimism = engine.prune(table, engine.grow(table), "cost_complexity", seed=2).optimism
    assert f"the cross-validated error is too good by about {100 * optimism:.1f} points, because it chose" in out


def test_a_project_keeps_how_often_its_test_rows_were_looked_at(capsys, tmp_path):
    table, path = engine.read_example("penguins").with_partition(validation=0.3, test=0.2), tmp_path / "birds.espalier"
    project.save(path, table, engine.grow(table), {"focus": {"species": 1}})
    for n in (1, 2):
        code, out, _ = run(capsys, path, "--no-window", "--look-at-test")
        assert code == 0
        assert ("looked at 2 times now" in out) == (n == 2)
        found = project.load(path)
        assert found.settings == {"focus": {"species": 1}, "test_looks": n}
        assert not found.problems


def test_the_code_of_the_notes_is_printed_block_by_block(capsys, cats):
    code, out, _ = run(capsys, cats, "--target", "success", "--no-window", "--code")
    lines = [line.removeprefix("code    ") for line in out.splitlines() if line.startswith("code")]
    table = engine.read_table(cats, target="success")
    written = encode(table, engine.grow(table))
    assert code == 0
    assert [line.split(maxsplit=1) for line in lines[:-1]] == [[block.bits, block.words] for block in written.blocks]
    assert lines[-1].startswith(f"{len(written.bits)} bits in {len(written.blocks)} blocks, ")
    assert lines[-1].endswith("decoded again they are the same tree")


def test_pruning_is_told_its_options(capsys):
    birds = ("example:penguins", "--no-window")
    code, out, _ = run(capsys, *birds, "--prune", "cost-complexity", "--prune-standard-errors", "5")
    assert code == 0
    table = engine.read_example("penguins")
    tree = engine.grow(table)
    pruning = engine.prune(table, tree, standard_errors=5)
    assert pruning.least != pruning.chosen
    for word, step in (("pruned ", pruning.chosen), ("least  ", pruning.least)):
        leaves = pruning.steps[step].leaves
        assert f"{word} {leaves} {'leaf' if leaves == 1 else 'leaves'}" in out
        error, se = pruning.steps[step].cv_error, pruning.steps[step].cv_se
        assert f" · cross-validated error {100 * error:.1f} % ± {100 * se:.1f} %\n" in out
    code, out, _ = run(capsys, *birds, "--prune", "cost-complexity", "--costs", "Adelie:Gentoo=5")
    assert re.search(r"cross-validated mean loss 0\.\d+ ± 0\.\d+\n", out)
    code, out, _ = run(capsys, *birds, "--prune", "cost-complexity", "--validation", "0.3")
    assert "cross-validated" not in out
    rules = ("--prune-min-leaf", "20,5", "--prune-same-answer", "--prune-significance", "0.05")
    code, out, _ = run(capsys, *birds, "--prune", "by-rule", *rules)
    asked = {"min_leaf": (20, 5), "same_answer": True, "significance": 0.05}
    assert f"pruned  {engine.prune(table, tree, 'by_rule', **asked).tree(-1).n_leaves} leaves" in out
    code, out, _ = run(capsys, *birds, "--prune", "by-rule")
    assert "note    No rule was given, so nothing was cut." in out


def test_a_project_whose_tree_predicts_something_else_is_refused(capsys, tmp_path):
    data, saved = tmp_path / "cats.csv", tmp_path / "cats.espalier"
    pd.DataFrame({"x": range(20), "y": ["a", "b"] * 10, "z": ["u"] * 8 + ["v"] * 12}).to_csv(data, index=False)
    table = engine.read_table(data, target="z")
    project.save(saved, table, engine.grow(table), {})
    told = json.loads(saved.read_text())
    other = {**told, "target": "y", "roles": {**told["roles"], "z": "feature"}}

    def refused(document: dict) -> str:
        saved.write_text(json.dumps(document))
        code, _, err = run(capsys, saved, "--no-window", "--export", tmp_path / "out.json")
        assert code != 0 and not (tmp_path / "out.json").exists()
        return err

    assert "its tree predicts “z”, its table is to predict “y”" in refused(other)
    frame = pd.DataFrame({"x": range(20), "y": ["a", "b"] * 10, "z": [i / 7 for i in range(20)]})
    frame.to_csv(data, index=False)
    assert "predicts categories" in refused({**told, "kinds": {**told["kinds"], "z": "number"}})


def test_a_report_with_the_picture_and_with_test_rows_only_if_they_are_looked_at(capsys, tmp_path):
    page, figures, again = tmp_path / "report.html", tmp_path / "report.json", tmp_path / "again.json"
    asked = ("example:penguins", "--no-window", "--max-depth", "3", "--validation", "0.2", "--test", "0.2",
             "--prune", "cost-complexity")  # fmt: skip
    code, out, err = run(capsys, *asked, "--report", page, "--report", figures)
    assert (code, err) == (0, "") and f"wrote   {page}" in out
    assert "data:image/svg+xml;base64," in page.read_text(encoding="utf-8")
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert [part["part"] for part in found["assessment"]] == ["train", "validation"]
    assert found["tree"]["made"] == ["Pruned by cost-complexity"]
    assert found["tree"]["trees_compared_by_validation"] > 1
    run(capsys, *asked, "--look-at-test", "--report", again)
    tested = json.loads(again.read_text(encoding="utf-8"))["assessment"][-1]
    assert tested["part"] == "test" and tested["rows"] > 0


def test_a_report_of_chosen_sections_on_paper(capsys, tmp_path):
    (tmp_path / "words.txt").write_text("To the <board>.\n\nFor decision.", encoding="utf-8")
    asked = ("example:penguins", "--no-window", "--max-depth", "3", "--validation", "0.3", "--prune", "reduced-error")
    path = tmp_path / "report.pdf"
    choices = ("--introduction", tmp_path / "words.txt", "--report-sections", "tree,by-hand,pruning,rules")
    code, out, err = run(capsys, *asked, "--report", path, *choices)
    assert (code, err) == (0, "") and f"wrote   {path}" in out
    with pypdfium2.PdfDocument(path) as pdf:
        sizes = {tuple(map(round, page.get_size())) for page in pdf}
        text = "".join(page.get_textpage().get_text_range() for page in pdf)
    assert sizes == {(595, 842)} and "To the <board>." in text and "The rules" in text and "Versions" not in text
    assert "Error by number" not in text and "This tree" in text  # a chart is a picture
    for odd, said in (("rule", "there is no section “rule”"), ("tree,", "there is no section “”")):
        code, _, err = run(capsys, *asked, "--report", path, "--report-sections", odd)
        assert code == 2 and said in err
    code, _, err = run(capsys, *asked, "--introduction", tmp_path / "words.txt")
    assert code == 2 and "--introduction is about a report" in err
    code, _, err = run(capsys, *asked, "--report", path, "--introduction", tmp_path / "none.txt")
    assert code == 2 and "none.txt” cannot be read" in err


def test_a_script_makes_the_same_tree_again(capsys, cats, tmp_path):
    path, tree = tmp_path / "again.py", tmp_path / "tree.json"
    asked = (cats, "--target", "success", "--no-window", "--validation", "0.3", "--seed", "3", "--criterion", "entropy",
             "--prune", "reduced-error")  # fmt: skip
    code, out, err = run(capsys, *asked, "--script", path, "--export", tree)
    assert (code, err) == (0, "") and f"wrote   {path}" in out
    text, names = path.read_text(encoding="utf-8"), {}
    exec(compile(text, "again.py", "exec"), names)
    assert "one by one" not in text and same_tree(names["tree"], engine.read_tree(tree))
    code, _, err = run(capsys, *asked, "--script", tmp_path / "again.txt")
    assert code == 2 and "names no script: end it with .py" in err


def test_a_report_that_cannot_be_written_is_refused_before_the_work(capsys, cats, tmp_path):
    for path, said in (
        (tmp_path / "report.odt", "names no report"),
        (tmp_path / "no" / "r.html", "there is no folder"),
    ):
        code, out, err = run(capsys, cats, "--target", "success", "--no-window", "--report", path)
        assert code == 2 and said in err and "grown" not in out


def test_a_long_call_says_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr(job, "SILENT", 0.0)
    words = ("example:penguins", "--no-window", "--validation", "0.3", "--prune", "reduced-error")
    assert main.main(list(words)) == 0
    said = capsys.readouterr().err
    assert re.search(r"^note    growing, \d+ % done$", said, re.MULTILINE)


def test_each_line_arrives_when_it_is_said(monkeypatch):
    """In a pipe or a file, too, where Python would keep lines back until there are thousands of letters."""
    flushed = []
    monkeypatch.setattr("sys.stdout", SimpleNamespace(write=lambda text: None, flush=lambda: flushed.append(True)))
    job.say("grown   2 leaves")
    assert flushed == [True]


def test_a_tree_that_is_pruned_to_its_root_says_what_helps(capsys, tmp_path):
    rows = [(i % 10, "yes" if i % 10 == 9 and i % 3 == 0 else "no") for i in range(300)]
    path = tmp_path / "rare.csv"
    pd.DataFrame(rows, columns=["a", "t"]).to_csv(path, index=False)
    words = ("--target", "t", "--no-window", "--validation", "0.3", "--prune", "reduced-error")
    code, out, _ = run(capsys, path, *words)
    assert code == 0
    assert "pruned  1 leaf" in out
    assert "every row is predicted “no”: add --costs" in out
