"""One clear sentence for whatever cannot be used."""

import pytest

import engine
from tests.engine.command.running import run


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
        (["example:cats", "--partition", "kitten", "--test", "0.2"], "leave out --validation and --test"),
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


def test_what_only_works_without_the_window_says_so(capsys):
    code, _, err = run(capsys, "example:penguins", "--validation", "0.5", "--criterion", "entropy")
    assert code == 2
    assert "--validation, --criterion: this works with --no-window only" in err


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
