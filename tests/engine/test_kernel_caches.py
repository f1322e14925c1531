"""Compiled kernels of old versions go after a month without use; nothing else ever does."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine import kernels
from engine.kernels import caches
from tests.conftest import ROOT

DAY = 86_400
IN_USE = "kernels-00000000000000ff"
OLD, YOUNG = 31 * DAY, 29 * DAY


def cache(parent, name, age, stamped=True):
    """A folder as numba leaves it, last used `age` seconds ago."""
    folder = parent / name
    (folder / "kernels_1f2e").mkdir(parents=True)
    (folder / "kernels_1f2e" / "gain.weight-3.py311.nbi").write_bytes(b"index")
    (folder / "kernels_1f2e" / "gain.weight-3.py311.1.nbc").write_bytes(b"code")
    then = time.time() - age
    if stamped:
        (folder / caches.STAMP).touch()
        os.utime(folder / caches.STAMP, (then, then))
    else:
        os.utime(folder, (then, then))
    return folder


@pytest.fixture
def home(tmp_path):
    """The folder of all caches, with one in use."""
    cache(tmp_path, IN_USE, OLD)
    return tmp_path


def left(home):
    """What stands beside the cache in use when the others were looked through."""
    caches.remove_unused(home / IN_USE)
    return sorted(path.name for path in home.iterdir() if path.name != IN_USE)


@pytest.mark.parametrize("stamped", [True, False])
@pytest.mark.parametrize(("age", "stays"), [(OLD, False), (YOUNG, True)])
def test_a_cache_goes_a_month_after_its_last_use(home, age, stays, stamped):
    cache(home, "kernels-0123456789abcdef", age, stamped)
    assert left(home) == ["kernels-0123456789abcdef"] * stays


def test_the_stamp_counts_and_not_the_age_of_the_folder(home):
    folder = cache(home, "kernels-0123456789abcdef", YOUNG)
    os.utime(folder, (0, 0))
    assert left(home) == [folder.name]
    caches.mark_used(folder)
    assert time.time() - (folder / caches.STAMP).stat().st_mtime < DAY


def test_the_cache_in_use_stays_however_old(home):
    assert left(home) == []
    assert (home / IN_USE).is_dir()


def test_a_file_that_numba_was_writing_does_not_keep_a_cache(home):
    folder = cache(home, "kernels-0123456789abcdef", OLD)
    (folder / "kernels_1f2e" / "gain.weight-3.py311.nbi.tmp.0123abcd").write_bytes(b"half")
    assert left(home) == []


@pytest.mark.parametrize(
    "name",
    ["kernels", "kernels-", "kernels-0123456789abcdeg", "kernels-0123456789abcdef0", "my-0123456789abcdef"],
)
def test_a_folder_of_another_name_stays(home, name):
    cache(home, name, OLD)
    assert left(home) == [name]


def test_a_folder_with_anything_else_in_it_stays(home):
    folder = cache(home, "kernels-0123456789abcdef", OLD)
    (folder / "kernels_1f2e" / "thesis.txt").write_text("mine")
    assert left(home) == [folder.name]


def test_files_and_links_stay(home, tmp_path_factory):
    elsewhere = cache(tmp_path_factory.mktemp("elsewhere"), "kernels-0123456789abcdef", OLD)
    (home / "kernels-1111111111111111").write_text("a file")
    (home / "kernels-2222222222222222").symlink_to(elsewhere, target_is_directory=True)
    linked = cache(home, "kernels-3333333333333333", OLD)
    (linked / "more").symlink_to(elsewhere, target_is_directory=True)
    assert len(left(home)) == 3
    assert (elsewhere / "kernels_1f2e" / "gain.weight-3.py311.nbi").exists()


def test_what_cannot_be_removed_is_left_without_a_word(home, monkeypatch):
    cache(home, "kernels-0123456789abcdef", OLD)
    cache(home, "kernels-1111111111111111", OLD)
    stat = Path.stat

    def refuses(path, **kws):
        if path.name == "kernels-0123456789abcdef":
            raise PermissionError
        return stat(path, **kws)

    monkeypatch.setattr(Path, "stat", refuses)
    caches.remove_unused(home / IN_USE)
    monkeypatch.undo()
    assert left(home) == []  # the other one went the first time, this one now


def test_no_folder_at_all_is_no_matter(tmp_path):
    caches.remove_unused(tmp_path / "gone" / IN_USE)
    caches.mark_used(tmp_path / "gone")


def test_a_folder_that_a_person_chose_is_left_alone(home, monkeypatch):
    cache(home, "kernels-0123456789abcdef", OLD)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / IN_USE))
    kernels.remove_old_caches()
    assert len(list(home.iterdir())) == 2
    shutil.move(home / IN_USE, home / kernels.cache_name())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home / kernels.cache_name()))
    kernels.remove_old_caches()
    assert [path.name for path in home.iterdir()] == [kernels.cache_name()]


def test_a_start_leaves_a_stamp(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    subprocess.run([sys.executable, "-c", "import engine.kernels"], cwd=ROOT, env=environment, check=True)
    (stamp,) = tmp_path.rglob(caches.STAMP)
    assert stamp.parent.name == kernels.cache_name()
