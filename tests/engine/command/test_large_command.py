"""Tables that do not fit on the command line."""

import numpy as np
import pandas as pd
import pytest

from tests.engine.command.running import run

pytest.importorskip("duckdb")


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=400), "g": random.choice(list("abc"), 400)})
    frame["y"] = np.where(frame["x"] > random.normal(size=400), "yes", "no")
    (tmp_path / "rows").mkdir()
    frame[:100].to_parquet(tmp_path / "rows" / "1.parquet")
    frame[100:].to_parquet(tmp_path / "rows" / "2.parquet")
    return tmp_path / "rows"


def test_a_folder_gives_the_same_tree_from_memory_and_from_codes(capsys, folder, tmp_path):
    how = ("--target", "y", "--no-window", "--max-depth", 3, "--validation", 0.3, "--prune", "reduced-error")
    code, said, _ = run(capsys, folder, *how)
    assert code == 0
    assert run(capsys, folder, *how, "--codes", tmp_path / "codes", "--export", tmp_path / "tree.json")[:2] == (
        0, said + f"wrote   {tmp_path / 'tree.json'}\n")  # fmt: skip
    assert (tmp_path / "codes").is_dir()
    code, _, wrong = run(capsys, tmp_path / "tree.json", "--score", folder, "--export", tmp_path / "scored.csv")
    assert (code, wrong) == (0, "")
    assert len(pd.read_csv(tmp_path / "scored.csv")) == 400


def test_a_sample_repeats_and_excludes_codes(capsys, folder):
    how = ("--target", "y", "--no-window", "--max-depth", 2, "--sample", 50)
    code, said, _ = run(capsys, folder, *how)
    assert code == 0
    assert run(capsys, folder, *how)[1] == said
    code, _, wrong = run(capsys, folder, *how, "--codes")
    assert (code, "choose one" in wrong) == (2, True)
