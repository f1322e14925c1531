"""A pruning method is a function and an entry of `METHODS`: one that is added at run time is offered everywhere."""

import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

import engine
import main
from engine.pruning import METHODS, Method, chosen_by_validation, why_not
from engine.pruning.options import OPTIONS, Options
from engine.pruning.result import single
from engine.pruning.sequence import locked
from engine.runtime.progress import Progress
from engine.table.table import Table
from engine.tree.tree import Tree
from tests.conftest import ROOT
from tests.engine.command.running import run

MENU = """
from engine.pruning import METHODS, Method
METHODS["first_split"] = Method("First split", None, "Keeps the split of the root.")
from gui.verbs.declared import VERBS
from gui.verbs.menus import SUBMENUS
verb = VERBS["prune_by_first_split"]
print(verb.text, "|", verb.tip, "|", "prune_by_first_split" in SUBMENUS["prune_by>"][1])
"""


def first_split(table: Table, tree: Tree, options: Options, progress: Progress) -> engine.Pruning:
    """The tree with the split of the root alone, and those that must stay."""
    progress.report(0.5, f"least {options.min_leaf}")
    kept = locked(tree, options.keep_by_hand)
    return single("first_split", tree, np.flatnonzero((tree.level == 1) & (tree.n_branches > 0) & ~kept))


@pytest.fixture
def added(monkeypatch):
    entry = Method("First split", first_split, "Keeps the split of the root.", options=("min_leaf",))
    monkeypatch.setitem(METHODS, "first_split", entry)


def test_it_prunes(added):
    table, told = engine.read_example("penguins"), []
    tree = engine.grow(table, max_depth=3)
    progress = Progress(lambda share, text: told.append(text))
    found = engine.prune(table, tree, "first_split", min_leaf=5, progress=progress)
    assert found.method == "first_split" and found.tree(found.chosen).depth == 1
    assert [step.leaves for step in found.steps] == [tree.n_leaves, found.tree(1).n_leaves]
    assert told == ["least (5,)"]
    assert why_not("first_split", table) == "" and not chosen_by_validation("first_split", {})
    with pytest.raises(engine.InputError, match="no option of “First split”: it takes min_leaf"):
        engine.prune(table, tree, "first_split", delta=0.1)


@pytest.mark.parametrize("method", [*METHODS, "first_split"])
def test_a_pinned_split_and_those_above_it_stay(added, method):
    """No method may cut what a person pinned: each asks `locked` itself."""
    table = engine.read_example("penguins").with_partition(validation=0.3)
    tree = engine.grow(table)
    deepest = int(np.argmax(np.where(tree.n_branches > 0, tree.level, -1)))
    assert tree.level[deepest] > 2
    pinned = tree.with_mark(int(tree.ids[deepest]), pinned=True)
    pruning = engine.prune(table, pinned, method, **({"min_leaf": 10_000} if method == "by_rule" else {}))
    assert len(pruning.steps) > 0
    for k in range(len(pruning.steps)):
        kept = pruning.tree(k)
        assert kept.n_branches[kept.position(int(tree.ids[deepest]))] == 2


def test_every_option_of_a_method_has_its_default():
    assert OPTIONS.keys() <= {field.name for field in fields(Options)}
    assert {name for method in METHODS.values() for name in method.options} <= OPTIONS.keys()


def test_the_command_line_offers_it(added, capsys):
    with pytest.raises(SystemExit):
        main.main(["--help"])
    out = " ".join(capsys.readouterr().out.split())
    assert "first-split Keeps the split of the root." in out
    code, out, _ = run(capsys, "example:penguins", "--no-window", "--max-depth", "3", "--prune", "first-split")
    assert code == 0 and "depth 1" in next(line for line in out.splitlines() if line.startswith("pruned"))


def test_the_menu_of_the_window_offers_it():
    done = subprocess.run([sys.executable, "-c", MENU], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "First split | Keeps the split of the root. | True"
