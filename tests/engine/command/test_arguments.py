"""What can be said on the command line: help, and every option of search and pruning on its way to the engine."""

import re

import pytest

import engine
import main
from engine.command.arguments import dashed, parser
from engine.search.choices import OPTIONS
from engine.search.options import Search
from engine.search.presets import PRESETS
from tests.engine.command.running import run


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


def test_help_says_of_every_preset_what_it_is_who_made_it_and_how_it_differs(capsys):
    with pytest.raises(SystemExit):
        main.main(["-h"])
    out = " ".join(capsys.readouterr().out.split())
    for preset in PRESETS.values():
        assert re.search(r"\b(1|2)\d{3}\b", preset.origin) and len({preset.what, preset.origin, preset.differs}) == 3
        assert f"{preset.name} {preset.sentences}" in out.replace("- ", "-")


def test_help_explains_every_search_option_and_every_choice(capsys):
    with pytest.raises(SystemExit):
        main.main(["-h"])
    out = " ".join(capsys.readouterr().out.split())
    for option in OPTIONS.values():
        assert f"--{dashed(option.name)} " in out
        assert " ".join(option.sentence.split()) in out.replace("- ", "-")
        for choice in option.choices:
            assert f"{choice.name} {' '.join(choice.sentence.split())}" in out.replace("- ", "-")


SAID = {
    "criterion": ("entropy", "entropy"),
    "bins": ("7", 7),
    "lookahead": ("2", 2),
    "altered_priors": (None, True),
    "numeric": ("bucket_branches", "bucket_branches"),
    "buckets": ("5", 5),
    "thresholds": ("observed", "observed"),
    "cut_penalty": (None, True),
    "nominal": ("one_vs_rest", "one_vs_rest"),
    "pool": ("3", 3),
    "m_of_n": (None, True),
    "missing": ("branch", "branch"),
    "surrogates_by": ("all", "all"),
    "order": ("best_first", "best_first"),
    "max_depth": ("4", 4),
    "max_leaves": ("9", 9),
    "min_rows": ("6", 6),
    "min_leaf": ("3", 3),
    "min_leaf_in": ("two", "two"),
    "min_cut": ("tenth", "tenth"),
    "min_gain": ("0.01", 0.01),
    "cp": ("0.02", 0.02),
    "collapse": (None, True),
    "significance": ("0.05", 0.05),
    "significance_test": ("single", "single"),
    "summary": ("mode", "mode"),
    "smoothing": ("laplace", "laplace"),
    "smoothing_m": ("3.5", 3.5),
    "priors": ("true=0.3,false=0.7", (("false", 0.7), ("true", 0.3))),
    "costs": ("true:false=5", (("true", "false", 5.0),)),
    "threshold": ("true=0.2", ("true", 0.2)),
    "profits": ("true=12,false=-3:1", (("false", -3.0, 1.0), ("true", 12.0, 0.0))),
    "currency": ("EUR", "EUR"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_search_option_reaches_the_search(capsys, cats, monkeypatch, name):
    kept = []

    def grow(table, progress, preset=None, **options):
        kept.append(Search.make(table.task, **options))
        return engine.Tree.root(table)

    monkeypatch.setattr(engine, "grow", grow)
    typed, value = SAID[name]
    arguments = [f"--{dashed(name)}", *([] if typed is None else [typed])]
    code, _, err = run(capsys, cats, "--target", "success", "--no-window", *arguments)
    assert (code, err) == (0, "")
    assert getattr(kept[0], name) == value


@pytest.mark.parametrize("arguments", [["--numeric", "cut"], ["--lookahead", "3"], ["--buckets", "some"]])
def test_words_that_no_option_knows_are_one_sentence(capsys, cats, arguments):
    with pytest.raises(SystemExit) as ended:
        main.main([str(cats), "--target", "success", "--no-window", *arguments])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_word_that_is_no_number_is_one_sentence(capsys):
    with pytest.raises(SystemExit) as ended:
        main.main(["example:cats", "--no-window", "--min-gain", "abc"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "argument --min-gain: invalid float value: 'abc'; --help lists all options\n"


def test_choices_may_be_written_with_dashes(capsys, cats):
    code, out, _ = run(capsys, cats, "--target", "success", "--no-window", "--nominal", "one-vs-rest")
    assert code == 0
    assert "4 leaves" in out


def test_an_option_of_pruning_that_cannot_be_read_says_how_it_is_written(capsys):
    with pytest.raises(SystemExit) as left:
        main.main(["example:cats", "--no-window", "--prune", "by-rule", "--prune-min-leaf", "many"])
    assert left.value.code == 2
    assert "“many” is not whole numbers with commas between them, as 50,20" in capsys.readouterr().err


def test_every_option_of_every_method_can_be_said():
    known = vars(parser().parse_args([]))
    for method in engine.METHODS.values():
        for name in method.options:
            assert f"prune_{name}" in known
