"""What folds, samples and a forest say on the command line: the figures of the engine, of the recipe that was typed."""

import pytest

import engine
from engine import project
from tests.engine.command.running import run


def line(out: str, name: str) -> list[str]:
    return [text for text in out.splitlines() if text.startswith(name)]


def test_folds_judge_the_recipe_that_was_typed(capsys):
    code, out, _ = run(
        capsys, "example:penguins", "--no-window", "--max-depth", "3", "--validation", "0.2", "--prune",
        "reduced-error", "--cross-validate", "4", "--repeats", "2", "--seed", "3",
    )  # fmt: skip
    table = engine.read_example("penguins").with_partition(0.2, seed=3)
    share = table.n_validation / (table.n_train + table.n_validation)
    recipe = engine.Recipe({"max_depth": 3}, prune="reduced_error", validation=share)
    found = engine.cross_validate(table, recipe, folds=4, repeats=2, seed=3)
    assert code == 0
    assert line(out, "folds") == [
        f"folds   4 folds, 2 times: error {100 * found.mean:.1f} % ± {100 * found.standard_error:.1f} % of growing and "
        f"pruning ({found.leaves.min()} to {found.leaves.max()} leaves)"
    ]


def test_of_a_project_its_structure_is_judged(capsys, tmp_path):
    table = engine.read_example("penguins")
    tree = engine.grow(table, max_depth=2)
    project.save(tmp_path / "p.espalier", table, tree, {})
    code, out, _ = run(capsys, tmp_path / "p.espalier", "--no-window", "--cross-validate", "each")
    found = engine.cross_validate(table, tree, folds="each")
    assert code == 0
    assert line(out, "folds")[0].startswith(f"folds   every row left out: error {100 * found.mean:.1f} % ±")
    assert line(out, "folds")[0].endswith("of this structure (4 leaves)")


def test_folds_by_group_and_in_time(capsys, tmp_path):
    frame = engine.read_example("penguins").to_frame()
    frame["day"], frame["nest"] = range(len(frame)), [i // 4 for i in range(len(frame))]
    frame.to_csv(tmp_path / "p.csv", index=False)
    words = [tmp_path / "p.csv", "--target", "species", "--no-window", "--ignore", "day", "--max-depth", "2"]
    table = engine.read_table(tmp_path / "p.csv", target="species", roles={"day": "ignore", "nest": "group"})
    for more, how in (
        (["--group", "nest"], {"group": "nest"}),
        (["--group", "nest", "--time", "day"], {"time": "day"}),
    ):
        code, out, _ = run(capsys, *words, *more, "--cross-validate", "5")
        found = engine.cross_validate(table, {"max_depth": 2}, folds=5, **how)
        assert code == 0
        assert f": error {100 * found.mean:.1f} % ±" in line(out, "folds")[0]


def test_samples_and_a_forest(capsys):
    code, out, _ = run(
        capsys, "example:penguins", "--no-window", "--max-depth", "2", "--stability", "9", "--forest", "7"
    )
    table = engine.read_example("penguins")
    found = engine.stability(table, engine.grow(table, max_depth=2), samples=9)
    forest = engine.forest(table, trees=7)
    assert code == 0
    best = max(zip(found.wins, found.columns, strict=True))
    assert line(out, "samples")[0].startswith(
        f"samples the root in 9 bootstrap samples: {best[1]} {100 * best[0]:.0f} %"
    )
    assert line(out, "samples")[1].endswith(f"{100 * found.changed.mean():.1f} % of the rows get another class")
    assert line(out, "forest") == [f"forest  7 trees: out-of-bag error {100 * forest.out_of_bag_error:.1f} %"]


def test_a_pruning_by_validation_rows_is_judged_by_samples_too_and_a_forest_by_its_own_error(capsys):
    code, out, err = run(
        capsys, "example:penguins", "--no-window", "--validation", "0.3", "--prune", "reduced-error", "--stability", "3"
    )
    assert (code, err) == (0, "") and line(out, "samples")
    code, out, _ = run(
        capsys, "example:concrete", "--no-window", "--criterion", "absolute-error", "--summary", "median",
        "--max-depth", "2", "--forest", "3",
    )  # fmt: skip
    assert code == 0 and "out-of-bag mean squared error" in line(out, "forest")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--repeats", "2"], "--repeats is about folds: add, for example, --cross-validate 10."),
        (["--cross-validate", "5", "--all-trees", "1"], "--all-trees: folds and samples would take it as often again"),
        (["--cross-validate", "1"], "folds"),
    ],
)
def test_what_folds_cannot_be(capsys, words, said):
    code, _, err = run(capsys, "example:penguins", "--no-window", *words)
    assert code == 2
    assert said in err


def test_words_are_no_number_of_folds(capsys):
    with pytest.raises(SystemExit):
        run(capsys, "example:penguins", "--no-window", "--cross-validate", "x")
    assert "“x” is no number of folds, as 10, and not “each”" in capsys.readouterr().err
