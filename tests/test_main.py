"""The command line: the same job without a display, and one clear sentence for whatever cannot be used."""

import json
import os
import re
import shlex
import subprocess
import sys
from types import SimpleNamespace

import pandas as pd
import pytest

import engine
import main
from engine.choices import OPTIONS
from engine.options import Search
from engine.tree_code import encode
from tests.conftest import ROOT


@pytest.fixture
def cats(tmp_path):
    path = tmp_path / "cats.csv"
    path.write_text(
        "owner home,kitten,spayed,success\n"
        "true,true,false,true\nfalse,false,true,true\ntrue,true,true,true\n"
        "false,true,false,false\ntrue,false,true,false\nfalse,true,true,false\n"
    )
    return path


def run(capsys, *arguments):
    code = main.main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gone.csv", "--target", "y"], "gone.csv"),
        ([], "Name the file to read"),
        (["CATS", "--target", "colour"], "colour"),
        (["CATS"], "add --target COLUMN; the columns are owner home, kitten, spayed, success."),
        (["CATS", "--target", "success", "--prune", "harder"], "no pruning method “harder”"),
        (["CATS", "--target", "success", "--export", "tree.doc"], "“tree.doc” names no known format"),
        (["CATS", "--target", "success", "--prune", "reduced-error"], "--validation 0.3"),
        (["CATS", "--target", "success", "--validation", "1.5"], "validation share cannot be 1.5"),
        (["CATS", "--target", "success", "--criterion", "squared_error"], "not defined for a class target"),
        (["CATS", "--target", "success", "--ignore", "tail"], "no column “tail”"),
        (["CATS", "--target", "success", "--max-depth", "-1"], "--max-depth cannot be -1"),
        (["CATS", "--target", "success", "--ignore", "success"], "as the target and as ignored"),
        (["CATS", "--target", "success", "--weights", "tail"], "no column “tail”"),
        (["example:cats", "--weights", "tail"], "no column “tail”"),
        (["example:cats", "--weights", "kitten"], "“kitten” cannot be the weight"),
        (["example:dogs"], "dogs"),
        (["gone.csv"], "gone.csv"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_on_stderr_and_exit_code_2(capsys, cats, arguments, says):
    arguments = [str(cats) if word == "CATS" else word for word in arguments]
    code, out, err = run(capsys, *arguments, "--no-window")
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
    if str(cats) in arguments and "export" not in err:
        assert "cats" in err
    assert "wrote" not in out


def test_no_output_file_is_left_behind_when_a_later_one_cannot_be_written(capsys, cats, tmp_path):
    first = tmp_path / "tree.json"
    code, _, err = run(
        capsys, cats, "--target", "success", "--no-window",
        "--export", first, "--export", tmp_path / "no such folder" / "tree.json",
    )  # fmt: skip
    assert code == 2
    assert "no such folder" in err
    assert not first.exists()


def test_it_starts_from_any_folder(cats, tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "main.py", cats, "--target", "success", "--no-window"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "grown " in done.stdout


def test_help_names_every_option(capsys):
    with pytest.raises(SystemExit):
        main.main(["--help"])
    out = capsys.readouterr().out
    for word in (
        "--no-window",
        "--install-desktop",
        "--criterion",
        "--max-leaves",
        "--prune",
        "--export",
        "gain_ratio",
        "--all-trees",
        "reduced-error",
        ".json",
    ):
        assert word in out
    assert max(map(len, out.splitlines())) <= 110


def test_help_explains_every_search_option_and_every_choice(capsys):
    with pytest.raises(SystemExit):
        main.main(["-h"])
    out = " ".join(capsys.readouterr().out.split())
    for option in OPTIONS.values():
        assert f"--{main.dashed(option.name)} " in out
        assert " ".join(option.sentence.split()) in out.replace("- ", "-")
        for choice in option.choices:
            assert f"{choice.name} {' '.join(choice.sentence.split())}" in out.replace("- ", "-")


SAID = {
    "criterion": ("entropy", "entropy"),
    "bins": ("7", 7),
    "lookahead": ("2", 2),
    "numeric": ("bucket_branches", "bucket_branches"),
    "buckets": ("5", 5),
    "nominal": ("one_vs_rest", "one_vs_rest"),
    "pool": ("3", 3),
    "m_of_n": (None, True),
    "missing": ("branch", "branch"),
    "order": ("best_first", "best_first"),
    "max_depth": ("4", 4),
    "max_leaves": ("9", 9),
    "min_rows": ("6", 6),
    "min_leaf": ("3", 3),
    "min_gain": ("0.01", 0.01),
    "cp": ("0.02", 0.02),
    "significance": ("0.05", 0.05),
    "summary": ("mode", "mode"),
    "smoothing": ("laplace", "laplace"),
    "smoothing_m": ("3.5", 3.5),
    "priors": ("true=0.3,false=0.7", (("false", 0.7), ("true", 0.3))),
    "costs": ("true:false=5", (("true", "false", 5.0),)),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_search_option_reaches_the_search(capsys, cats, monkeypatch, name):
    kept = []

    def grow(table, **options):
        kept.append(Search.make(table.task, **{key: value for key, value in options.items() if key != "preset"}))
        return engine.Tree.root(table)

    monkeypatch.setattr(engine, "grow", grow)
    typed, value = SAID[name]
    arguments = [f"--{main.dashed(name)}", *([] if typed is None else [typed])]
    code, _, err = run(capsys, cats, "--target", "success", "--no-window", *arguments)
    assert (code, err) == (0, "")
    assert getattr(kept[0], name) == value


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--bins", "1"], "--bins cannot be 1; it is a whole number from 2 to 1,000."),
        (["--summary", "mean"], "--summary cannot be “mean” for a class target"),
        (["--priors", "true"], "“true” cannot be used for priors; write class=weight"),
        (["--priors", "blue=1"], "There is no class “blue”"),
        (["--costs", "true:true=2"], "a cost is of a mistake"),
        (["--lookahead", "2", "--m-of-n"], "lookahead 2 and --m-of-n cannot go together"),
        (["--significance", "5"], "--significance cannot be 5"),
        (["--smoothing-m", "-1"], "--smoothing-m cannot be -1"),
        (["--all-trees", "2", "--preset", "id3"], "--preset is about growing; leave it out with --all-trees"),
        (["--all-trees", "2", "--criterion", "entropy"], "--criterion is about growing; leave it out with --all-trees"),
    ],
)
def test_search_options_that_cannot_be_used_are_one_sentence(capsys, cats, arguments, says, monkeypatch):
    monkeypatch.setattr(engine, "all_trees", lambda table, depth=2, *, min_leaf=1: None, raising=False)
    code, _, err = run(capsys, cats, "--target", "success", "--no-window", *arguments)
    assert code == 2
    assert says in err and len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("arguments", [["--numeric", "cut"], ["--lookahead", "3"], ["--buckets", "some"]])
def test_words_that_no_option_knows_are_one_sentence(capsys, cats, arguments):
    with pytest.raises(SystemExit) as ended:
        main.main([str(cats), "--target", "success", "--no-window", *arguments])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_the_test_rows_tell_their_mean_loss_too(capsys):
    words = ["example:penguins", "--no-window", "--max-depth", "1", "--test", "0.3", "--costs", "Adelie:Gentoo=5"]
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


def test_missing_system_libraries_are_named_with_their_remedy():
    code = (
        "import builtins, sys\n"
        "real = builtins.__import__\n"
        "def fail(name, *args, **kwargs):\n"
        "    if name.startswith('PySide6.Qt'):\n"
        "        raise ImportError('libEGL.so.1: cannot open shared object file: No such file or directory')\n"
        "    return real(name, *args, **kwargs)\n"
        "builtins.__import__ = fail\n"
        "import main\n"
        "main.main([])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "libEGL.so.1" in done.stderr
    assert "apt-get install" in done.stderr
    assert "Traceback" not in done.stderr


def test_weights_count_for_an_example_too(capsys):
    plain = run(capsys, "example:penguins", "--no-window", "--max-depth", "2")[1]
    heavy = run(capsys, "example:penguins", "--no-window", "--max-depth", "2", "--weights", "body_mass_g")[1]
    assert "7 features" in plain
    assert "6 features" in heavy


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


def test_test_rows_are_told_last(capsys):
    code, out, _ = run(capsys, "example:penguins", "--no-window", "--validation", "0.2", "--test", "0.2")
    assert code == 0
    assert out.splitlines()[-1].startswith("test    error ")
    assert "rows that chose nothing" in out


def test_what_only_works_without_the_window_says_so(capsys):
    code, _, err = run(capsys, "example:penguins", "--validation", "0.5", "--criterion", "entropy")
    assert code == 2
    assert "--validation, --criterion: this works with --no-window only" in err


def test_a_word_that_is_no_number_is_one_sentence(capsys):
    with pytest.raises(SystemExit) as ended:
        main.main(["example:cats", "--no-window", "--min-gain", "abc"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "argument --min-gain: invalid float value: 'abc'; --help lists all options\n"


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


def test_an_example_has_no_sheet(capsys):
    code, _, err = run(capsys, "example:cats", "--sheet", "one", "--no-window")
    assert code == 2
    assert "leave --sheet out" in err


def test_a_wrong_decimal_mark_is_noticed(capsys, tmp_path):
    path = tmp_path / "sales.csv"
    path.write_text("weight;bought\n" + "".join(f"{i % 7}.5;{'ja' if i % 2 else 'nein'}\n" for i in range(40)))
    hint = "note    “weight” looks like a number with a decimal point, but “,” is the decimal mark: choose “.”"
    for mark, is_wrong in ((",", True), (".", False)):
        code, out, err = run(capsys, path, "--target", "bought", "--no-window", "--decimal", mark)
        assert (code, err) == (0, "") and (hint in out) == is_wrong


def test_a_file_is_read_as_it_is_said(capsys, tmp_path):
    path = tmp_path / "sales.txt"
    rows = "".join(f"{i},5|{'k.A.' if i % 9 == 0 else 3 * i}|{'ja' if i % 2 else 'nein'}\n" for i in range(40))
    path.write_text("weight|sales|bought\n" + rows, encoding="utf-16")
    said = [path, "--target", "bought", "--no-window", "--delimiter", "|", "--decimal", ",", "--missing", "k.A."]
    code, out, err = run(capsys, *said, "--encoding", "utf-16", "--kind", "weight=number", "--feature", "weight")
    assert (code, err) == (0, "")
    assert "looks like a number" not in out
    assert "2 features" in out
    assert run(capsys, *said, "--kind", "weight")[2].endswith("names no column and kind: write --kind COLUMN=KIND.\n")
    assert "no column kind “float”" in run(capsys, *said, "--kind", "weight=float")[2]


def test_the_order_of_levels_can_be_said(capsys, tmp_path):
    path, out = tmp_path / "asked.csv", tmp_path / "tree.json"
    rows = [("very bad", "n"), ("bad", "n"), ("fair", "y"), ("good", "y")] * 5
    pd.DataFrame(rows, columns=["asked = how", "stays"]).assign(x=range(20)).to_csv(path, index=False)
    said = (path, "--target", "stays", "--no-window", "--ignore", "x", "--export", out)
    code, _, err = run(capsys, *said, "--kind", "asked = how=very bad < bad<fair<good")
    assert (code, err) == (0, "")
    assert engine.read_tree(out).split_at(0).groups == (("very bad", "bad"), ("fair", "good"))
    err = run(capsys, *said, "--kind", "asked = how=awful<bad<fair<good")[2]
    assert "Column “asked = how” has no level “awful”; its levels are “bad”, “fair”, “good”, “very bad”." in err
    assert "leaves “very bad” out" in run(capsys, *said, "--kind", "asked = how=bad<fair<good")[2]


def test_a_terminal_without_our_letters_and_a_reader_that_goes_away_meet_no_traceback():
    command = [sys.executable, str(ROOT / "main.py"), "example:cats", "--no-window"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "grown   4 leaves ? depth 2" in done.stdout
    done = subprocess.run(f"{shlex.join(command)} | head -c 0", shell=True, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_a_column_that_names_the_rows_can_be_asked_for(capsys, tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame({"id": range(60), "age": [20 + i % 37 for i in range(60)], "y": [i % 2 for i in range(60)]}).to_csv(
        path, index=False
    )
    assert "1 feature," in run(capsys, path, "--target", "y", "--no-window")[1]
    assert "2 features" in run(capsys, path, "--target", "y", "--no-window", "--feature", "id")[1]


@pytest.mark.skipif(sys.platform != "linux", reason="only there Qt aborts without a display")
def test_without_a_display_or_its_libraries_the_program_says_so():
    environment = {k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, str(ROOT / "main.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "There is no display for the window" in done.stderr
    assert "--no-window" in done.stderr
    code = (
        "import ctypes\n"
        "def fail(name):\n"
        "    raise OSError('libxcb-cursor.so.0: cannot open shared object file')\n"
        "ctypes.CDLL = fail\n"
        "import main\n"
        "main.check_display()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**environment, "DISPLAY": ":99"}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "libxcb-cursor.so.0" in done.stderr
    assert "apt-get install" in done.stderr
    assert "Traceback" not in done.stderr


def test_choices_may_be_written_with_dashes(capsys, cats):
    code, out, _ = run(capsys, cats, "--target", "success", "--no-window", "--nominal", "one-vs-rest")
    assert code == 0
    assert "4 leaves" in out


def test_the_code_of_the_notes_is_printed_block_by_block(capsys, cats):
    code, out, _ = run(capsys, cats, "--target", "success", "--no-window", "--code")
    lines = [line.removeprefix("code    ") for line in out.splitlines() if line.startswith("code")]
    table = engine.read_table(cats, target="success")
    written = encode(table, engine.grow(table))
    assert code == 0
    assert [line.split(maxsplit=1) for line in lines[:-1]] == [[block.bits, block.words] for block in written.blocks]
    assert lines[-1].startswith(f"{len(written.bits)} bits in {len(written.blocks)} blocks, ")
    assert lines[-1].endswith("decoded again they are the same tree")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--missing", "branch"], "write --missing-values branch"),
        (["--prune", "generic"], "compares trees by validation rows: add, for example, --validation 0.3, or another"),
        (["--prune", "reduced-error"], "chooses by validation rows: add, for example, --validation 0.3"),
        (["--prune-standard-errors", "1"], "--prune-standard-errors is about pruning: add --prune METHOD."),
        (
            ["--prune", "cost-complexity", "--prune-min-leaf", "5"],
            "--prune-min-leaf is no option of --prune cost-complexity; it takes --prune-measure, --prune-judge, ",
        ),
        (
            ["--validation", "0.3", "--prune", "greedy-validation", "--prune-measure", "risk"],
            "--prune-measure is no option of --prune greedy-validation; it takes none.",
        ),
        (
            ["--prune", "cost-complexity", "--prune-standard-errors", "-1"],
            "--prune-standard-errors cannot be -1.0; it is a number from 0 to 10.",
        ),
        (["--prune", "by-rule", "--prune-min-leaf", "5,0"], "--prune-min-leaf cannot be 0; it is a whole number"),
        (["--prune", "by-rule", "--prune-min-validation-gain", "0"], "--prune-min-validation-gain looks at validation"),
        (["--prune", "cost-complexity", "--prune-judge", "validation"], "--prune-judge looks at validation rows: add"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_grown(capsys, cats, words, sentence):
    code, out, err = run(capsys, cats, "--target", "success", "--no-window", *words)
    assert code == 2
    assert sentence in err
    assert not out


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


def test_an_option_of_pruning_that_cannot_be_read_says_how_it_is_written(capsys):
    with pytest.raises(SystemExit) as left:
        main.main(["example:cats", "--no-window", "--prune", "by-rule", "--prune-min-leaf", "many"])
    assert left.value.code == 2
    assert "“many” is not whole numbers with commas between them, as 50,20" in capsys.readouterr().err


def test_every_option_of_every_method_can_be_said():
    known = vars(main.parser().parse_args([]))
    for method in engine.METHODS.values():
        for name in method.options:
            assert f"prune_{name}" in known
