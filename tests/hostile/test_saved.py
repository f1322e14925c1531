"""Damaged trees, projects, settings, copies, codes and kernels are read, refused in a sentence or thrown away."""

import json
import random

import pytest
from PySide6.QtWidgets import QApplication

import engine
from engine import project
from engine.learning_theory.tree_code import encode
from tests.hostile import saved
from tests.hostile.json_mutation import mutated_json
from tests.hostile.mutation import mutated
from tests.hostile.runner import Case, check

PREPARED = Case(saved.prepare)


def damaged(files: list[bytes], n: int) -> list[bytes]:
    """So many damaged files: half of them still JSON, half of them with damaged bytes."""
    found = []
    for seed in range(n):
        file, other = files[seed % len(files)], files[seed // 2 % len(files)]
        found.append(mutated_json(json.loads(file), seed) if seed % 2 else mutated(file, seed, other))
    return found


@pytest.fixture(scope="module")
def tree_files() -> list[bytes]:
    return [engine.tree_to_text(tree).encode() for tree in saved.trees()]


def test_trees(tree_files, full, tmp_path):
    cases = [Case(saved.read_tree, (content, str(tmp_path))) for content in damaged(tree_files, 3000 if full else 120)]
    found = check(cases, PREPARED)
    assert found["sentence"] > len(cases) // 4


def test_branches_on_the_clipboard(tree_files, full, tmp_path):
    files = damaged(tree_files[:2], 1000 if full else 30)
    check([Case(saved.paste_branch, (content, str(tmp_path))) for content in files], PREPARED)


@pytest.fixture
def project_files(tmp_path) -> list[bytes]:
    saved.frame().to_csv(tmp_path / "table.csv", index=False)
    text = (tmp_path / "table.csv").read_text()
    files = []
    tables = [
        engine.read_table(tmp_path / "table.csv", target="y", weights="w").with_partition(validation=0.3, seed=3),
        engine.read_text(text, engine.ReadOptions(kinds={"size": ["small", "middle", "large"]}), target="z"),
    ]
    for table in tables:
        tree = engine.grow(table, max_depth=2)
        settings = {"search": {"criterion": "entropy"}, "preset": "", "focus": {"y": 1}, "validation_trees": 3}
        project.save(tmp_path / "made.espalier", table, tree, settings if table.task == "classes" else {})
        files.append((tmp_path / "made.espalier").read_bytes())
    return files


def without_nodes(file: bytes, seed: int) -> bytes:
    """A damaged project whose tree is as it was: of its parts the tree is by far the largest."""
    document = json.loads(file)
    tree = document.pop("tree")
    content = mutated_json(document, seed)
    return b'{"tree": ' + json.dumps(tree).encode() + b", " + content.lstrip()[1:]


def test_projects(project_files, full, tmp_path):
    n = 2500 if full else 90
    files = [without_nodes(project_files[seed % 2], seed) for seed in range(n * 2 // 3)]
    files += damaged(project_files, n // 3)
    check([Case(saved.load_project, (content, str(tmp_path))) for content in files], PREPARED)


@pytest.fixture
def settings_file(tmp_path, qapp: QApplication) -> bytes:
    """Settings as a window leaves them."""
    from gui.settings import SETTINGS, Settings

    path = tmp_path / "made.json"
    remembered = Settings(path)
    for name, setting in SETTINGS.items():
        if setting.kind is list:
            remembered.set(name, ["/a.csv", "K\udcf6ln.csv"])
        if setting.kind is int:
            remembered.set(name, setting.low + 1)
    remembered.set("picture", json.dumps({"scale": 2.0, "box": [800, 600], "theme": "light", "page": "A4"}))
    saved.start_window(path.read_bytes(), str(tmp_path))  # stores geometry and places
    return (tmp_path / "settings.json").read_bytes()


def test_settings(settings_file, full, tmp_path):
    assert b"places" in settings_file
    files = damaged([settings_file], 1500 if full else 60)
    check([Case(saved.read_settings, (content, str(tmp_path))) for content in files], PREPARED)


def test_copies(full, tmp_path):
    about = json.dumps({"name": "work", "original": "/x/y.espalier", "saved": 1.7e9}).encode()
    files = damaged([about], 500 if full else 40)
    check([Case(saved.find_copies, (content, str(tmp_path))) for content in files], PREPARED)


def test_codes(full):
    table, rng = saved.tables()[0], random.Random(0)
    codes = [encode(table, tree) for tree in saved.trees() if tree.task == "classes"]
    cases = []
    for seed in range(2000 if full else 100):
        code = rng.choice(codes)
        bits = list(code.bits if seed % 3 else "0" * rng.randint(0, 400))
        for _ in range(rng.randint(0, 4)):
            at = rng.randint(0, len(bits))
            bits[at:at] = rng.choice(("0", "1", "0" * 30, "1" * 30, "0" * 20_000))
        cases.append(Case(saved.decode_digits, ("".join(bits), bool(code.wide) ^ (seed % 7 == 0))))
    check(cases, PREPARED)


def test_kernels(full, tmp_path):
    content = saved.compiled(tmp_path)
    files = [mutated(content, seed) for seed in range(200 if full else 15)]
    found = check([Case(saved.load_kernel, (file, str(tmp_path))) for file in files], PREPARED)
    assert found["result"] == len(files)


def test_windows_that_start_with_damaged_settings(settings_file, full, tmp_path):
    files = damaged([settings_file], 200 if full else 4)
    check([Case(saved.start_window, (content, str(tmp_path))) for content in files], Case(saved.prepare_window))
