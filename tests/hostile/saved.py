"""What is done in a process of its own with damaged trees, projects, settings, copies and caches."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pandas as pd

import engine
from engine import project
from engine.learning_theory.tree_code import decode, encode
from engine.runtime import compiler as kernels
from engine.runtime.kernel_cache import Files


def frame() -> pd.DataFrame:
    """A few rows with columns of every kind, a value missing here and there."""
    rng = np.random.default_rng(5)
    n, sizes = 90, ["small", "middle", "large"]
    found = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "town": rng.choice(["Ulm", "Köln", "a, b"], n),
            "size": pd.Categorical(rng.choice(sizes, n), sizes, ordered=True),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, n), "D"),
            "w": rng.choice([1.0, 2.5], n),
        }
    )
    found.loc[::9, "age"] = np.nan
    found["y"] = np.where((found.age > 50) ^ (found.town == "Ulm"), "yes", "no")
    found["z"] = found.age.fillna(30) + rng.normal(size=n)
    return found


def tables() -> list[engine.Table]:
    """By classes, with weights; by a number."""
    found = frame()
    return [
        engine.Table.from_frame(found.drop(columns="z"), target="y", weights="w").with_partition(validation=0.3),
        engine.Table.from_frame(found.drop(columns=["y", "w"]), target="z").with_partition(validation=0.3),
    ]


def trees() -> list[engine.Tree]:
    """Trees with splits of every kind, marks and rules of leaves."""
    classes, number = tables()
    grown = [
        engine.grow(classes, max_depth=3, missing="surrogate", smoothing="laplace"),
        engine.grow(classes, max_depth=2, nominal="multiway", missing="branch", costs="yes:no=3"),
        engine.grow(number, max_depth=3, criterion="absolute_error", summary="median"),
    ]
    literals = (engine.Literal("age", ">", 40.5), engine.Literal("town", "==", "Ulm"))
    by_hand = engine.Tree.root(classes).split(classes, 0, engine.Split("age", "m_of_n", m=1, literals=literals))
    marked = by_hand.with_mark(1, note="why\n<b>", label="yes", excluded=("town",), criterion="entropy")
    return [*grown, marked]


def prepare() -> None:
    """Loads what the cases need, with the kernels."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import gui.dialogs.picture_dialog
    import gui.files.autosave
    import gui.settings  # noqa: F401

    for tree, table in zip(trees(), (*tables()[:1] * 2, tables()[1], tables()[0]), strict=True):
        use(tree, table)


def prepare_window() -> None:
    """Builds a first window, which takes seconds."""
    prepare()
    with tempfile.TemporaryDirectory() as folder:
        start_window(b"{}", folder)


def use(tree: engine.Tree, table: engine.Table) -> int:
    """What is done with every tree that was read: it predicts, is counted, judged and written."""
    found = frame()
    tree.predict(found)
    text = engine.tree_to_text(tree)
    assert engine.tree_from_text(text).n_nodes == tree.n_nodes
    engine.rules(tree)
    counted, _ = engine.recount(tree, table)
    if counted.task == table.task:
        engine.assess(table, counted, "validation")
        engine.prune(table, counted, method="reduced_error")
    return tree.n_nodes


def read_tree(content: bytes, folder: str) -> int:
    """A damaged file of a tree."""
    path = Path(folder) / "tree.json"
    path.write_bytes(content)
    tree = engine.read_tree(path)
    return use(tree, tables()[tree.task == "number"])


def load_project(content: bytes, folder: str) -> int:
    """A damaged project, beside its table."""
    from gui.model.file_tasks import loaded
    from gui.picture.picture_options import PictureOptions

    path = Path(folder) / "work.espalier"
    path.write_bytes(content)
    state, *_ = loaded(path, None, PictureOptions(), engine.Progress())
    project.save(Path(folder) / "again.espalier", state.table, state.tree, {})
    return use(state.tree, state.table)


def paste_branch(content: bytes, folder: str) -> int:
    """A damaged branch on the clipboard."""
    from gui.model.editing.hand_edits import pasted
    from gui.model.tree_tasks import first_state

    table = tables()[0]
    state, _ = pasted(first_state(table), 0, content, engine.Progress())
    return use(state.tree, table)


def read_settings(content: bytes, folder: str) -> int:
    """Damaged settings, all of which are looked at and stored again."""
    from gui.dialogs.picture_dialog import usable
    from gui.picture.paper.sheet import Wish
    from gui.settings import SETTINGS, Settings

    path = Path(folder) / "settings.json"
    path.write_bytes(content)
    remembered = Settings(path)
    for name in SETTINGS:
        remembered.set(name, remembered.value(name))
    usable(Wish.from_text(remembered.value("picture")))
    remembered.add_recent("/a.csv")
    assert Settings(path).repaired == []
    return len(remembered.repaired)


def start_window(content: bytes, folder: str) -> int:
    """A window that begins with damaged settings, shows a table and is closed."""
    from PySide6.QtWidgets import QApplication

    from gui.model.document import Document
    from gui.model.tree_tasks import first_state
    from gui.settings import Settings
    from gui.window.window import Window

    application = QApplication.instance() or QApplication([])
    path = Path(folder) / "settings.json"
    path.write_bytes(content)
    window = Window(document := Document(), Settings(path), None)
    window.show()
    application.processEvents()
    document.start(first_state(tables()[0]), name="table")
    application.processEvents()
    document.history.stack.setClean()
    window.close()
    document.shutdown()
    window.deleteLater()
    application.processEvents()
    return len(path.read_bytes())


def find_copies(content: bytes, folder: str) -> int:
    """A damaged description of an autosaved copy, and a damaged lock."""
    from gui.files.autosave import left_behind

    copy = Path(folder) / "0123456789ab.espalier"
    copy.write_bytes(b"{}")
    copy.with_suffix(".json").write_bytes(content)
    copy.with_suffix(".lock").write_bytes(content[::-1])
    os.utime(copy.with_suffix(".lock"), (0, 0))
    (found,) = left_behind(Path(folder))
    assert found.time_words and found.name
    found.remove()
    assert list(Path(folder).glob("0123456789ab*")) in ([], [copy.with_suffix(".lock")])
    return 1


def decode_digits(bits: str, wide: bool) -> int:
    """Digits that may be no code of a tree."""
    table = tables()[0]
    tree = decode(table, bits, wide)
    encode(table, tree)
    return tree.n_nodes


def add_one(number: int) -> int:
    return number + 1


kernels.PATIENCE = 0.0  # a cache is about what is compiled: nothing runs as plain Python first


def load_kernel(content: bytes, folder: str) -> int:
    """A damaged file of the kernel cache, which is compiled again; returns how often."""
    (path,) = Path(folder).glob("*/*.nbc")
    path.write_bytes(content)
    files = Files(Path(folder), lambda: None)  # as at the start of the program
    numba.config.CACHE_DIR = str(files.folder)
    kernel: Any = kernels.jit(add_one)
    assert kernel(1) == 2
    files.seal()
    files.close()
    return sum(kernel.compiled.stats.cache_misses.values())


def compiled(folder: Path) -> bytes:
    """A file of the kernel cache as it should be."""
    files, before = Files(folder, lambda: None), numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        kernels.jit(add_one)(1)
    finally:
        numba.config.CACHE_DIR = before
        files.seal()
        files.close()
    (path,) = folder.glob("*/*.nbc")
    return path.read_bytes()
