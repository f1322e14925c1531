"""Compiled kernels are optional and believed only if they are as they were written, in a folder that is the person's.

Those of old versions go after a month without use; nothing else ever does.
"""

import contextlib
import errno
import os
import pickle
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from weakref import WeakSet

import numba
import pytest

from engine.runtime import compiler as kernels
from engine.runtime import kernel_cache
from engine.runtime.kernel_cache import Files
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
        (folder / kernel_cache.STAMP).touch()
        os.utime(folder / kernel_cache.STAMP, (then, then))
    else:
        os.utime(folder, (then, then))
    return folder


@pytest.fixture(autouse=True)
def own_temporary_folders(monkeypatch):
    """What tests remove is not the folder of the process that runs them."""
    monkeypatch.setattr(kernel_cache, "_temporary", [])


@pytest.fixture(autouse=True)
def own_kernels(monkeypatch):
    """What a test's faults forget is not what the process that runs it has compiled: that takes it a minute again."""
    monkeypatch.setattr(kernels, "_kernels", WeakSet())


@pytest.fixture
def home(tmp_path):
    """The folder of all caches, with one in use."""
    cache(tmp_path, IN_USE, OLD)
    return tmp_path


def left(home):
    """What stands beside the cache in use when the others were looked through."""
    kernel_cache.remove_unused(home / IN_USE)
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
    kernel_cache.mark_used(folder)
    assert time.time() - (folder / kernel_cache.STAMP).stat().st_mtime < DAY


def test_the_cache_in_use_stays_however_old(home):
    assert left(home) == []
    assert (home / IN_USE).is_dir()


def test_a_file_that_was_being_written_does_not_keep_a_cache(home):
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
    kernel_cache.remove_unused(home / IN_USE)
    monkeypatch.undo()
    assert left(home) == []  # the other one went the first time, this one now


def test_no_folder_at_all_is_no_matter(tmp_path):
    kernel_cache.remove_unused(tmp_path / "gone" / IN_USE)
    kernel_cache.mark_used(tmp_path / "gone")


def test_what_a_killed_process_had_begun_to_write_goes_and_what_is_being_written_stays(home):
    old, new = (home / IN_USE / "kernels_1f2e" / f"sums.add-7.{k}.nbc.tmp.0123abcd" for k in "ab")
    for draft in (old, new):
        draft.write_bytes(b"half")
    os.utime(old, (0, 0))
    kernel_cache.remove_unused(home / IN_USE)
    assert not old.exists() and new.exists()


def test_only_the_folders_beside_the_one_in_use_are_looked_at(home, monkeypatch):
    cache(home, "kernels-0123456789abcdef", OLD)
    monkeypatch.setattr(kernels, "FILES", None)
    kernels.remove_old_caches()
    assert len(list(home.iterdir())) == 2
    monkeypatch.setattr(kernels, "FILES", SimpleNamespace(store=home / IN_USE))
    kernels.remove_old_caches()
    assert [path.name for path in home.iterdir()] == [IN_USE]


def test_a_cache_that_holds_no_kernel_means_compiling(tmp_path, monkeypatch):
    for folder, compiled in ((None, False), (tmp_path, False)):
        monkeypatch.setattr(kernels, "FOLDER", folder)
        assert kernels.compiled_before() is compiled
    cache(tmp_path, "kernels_1f2e", YOUNG)
    monkeypatch.setattr(kernels, "FOLDER", tmp_path / "kernels_1f2e")
    assert kernels.compiled_before()


# -- which folder


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The person's folder for caches, not there yet; no folder was chosen."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernel_cache.platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "own"))
    yield tmp_path / "own"
    kernel_cache.remove_temporary()


def is_temporary(folder):
    """Whether it is one for this process alone, which goes when the process ends."""
    private = stat.S_IMODE(folder.parent.stat().st_mode) == 0o700 and folder.parent in kernel_cache._temporary
    kernel_cache.remove_temporary()
    return private and not folder.exists()


def test_the_own_folder_is_for_its_owner_alone(own):
    folder = kernel_cache.choose(IN_USE)
    assert folder == own / IN_USE
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / kernel_cache.STAMP).exists()


def test_a_chosen_folder_is_used_beside_what_else_lies_there(own, tmp_path, monkeypatch, start_in):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    theirs = tmp_path / "chosen" / "other_1f2e" / "theirs-1.nbi"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"index")
    assert kernel_cache.choose(IN_USE) == tmp_path / "chosen" / IN_USE
    assert not start_in(kernel_cache.choose(IN_USE))
    assert theirs.exists()


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize(("mode", "depth"), [(0o777, 0), (0o1777, 0), (0o777, 1), (0o702, 0)])
def test_a_folder_that_others_may_write_is_not_used(own, monkeypatch, chosen, mode, depth):
    (own / IN_USE).mkdir(parents=True)
    (own / IN_USE, own)[depth].chmod(mode)
    if chosen:
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(own))
    assert is_temporary(kernel_cache.choose(IN_USE))


def test_a_folder_below_one_where_all_may_add_but_nobody_may_replace_is_used(own):
    own.mkdir()
    own.chmod(0o1777)  # as /tmp
    assert kernel_cache.choose(IN_USE) == own / IN_USE


@pytest.mark.parametrize(
    ("group", "members", "used"), [("me", [], True), ("me", ["me"], True), ("me", ["you"], False), ("us", [], False)]
)
def test_a_group_may_write_if_it_is_the_person_alone(own, monkeypatch, group, members, used):
    own.mkdir()
    own.chmod(0o775)  # what `umask 002` leaves
    monkeypatch.setattr("pwd.getpwuid", lambda _: SimpleNamespace(pw_name="me"))
    monkeypatch.setattr("grp.getgrgid", lambda _: SimpleNamespace(gr_name=group, gr_mem=members))
    assert (kernel_cache.choose(IN_USE) == own / IN_USE) is used


@pytest.mark.parametrize("depth", [0, 1])
def test_a_folder_of_somebody_else_is_not_used(own, monkeypatch, depth):
    folder = kernel_cache.choose(IN_USE)
    theirs, status = (folder, own)[depth], Path.stat

    def owned(path, **kws):
        found = status(path, **kws)
        return os.stat_result((*found[:4], 4711, *found[5:])) if path == theirs else found

    monkeypatch.setattr(Path, "stat", owned)
    assert kernel_cache.choose(IN_USE) != folder


def test_a_link_to_a_folder_that_others_may_write_is_not_used(own, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    own.mkdir()
    (own / IN_USE).symlink_to(tmp_path / "shared")
    assert is_temporary(kernel_cache.choose(IN_USE))


def test_without_a_folder_that_can_be_written_there_is_one_for_the_process(own, monkeypatch):
    own.write_text("a file stands where the folder should be")
    assert is_temporary(kernel_cache.choose(IN_USE))
    own.unlink()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    assert is_temporary(kernel_cache.choose(IN_USE))
    (own / IN_USE / kernel_cache.MANIFEST).touch()  # but what others compiled can be read
    assert kernel_cache.choose(IN_USE) == own / IN_USE


@pytest.mark.parametrize("chosen", ["/nowhere\0", "x" * 5000])
def test_a_folder_that_cannot_be_is_not_used(own, monkeypatch, chosen):
    monkeypatch.setattr(os, "environ", {**os.environ, "NUMBA_CACHE_DIR": chosen})
    assert is_temporary(kernel_cache.choose(IN_USE))


def test_where_nothing_can_be_written_kernels_stay_in_memory(own, monkeypatch):
    own.write_text("a file stands where the folder should be")
    monkeypatch.setattr("tempfile.mkdtemp", refusing(errno.ENOSPC))
    assert kernel_cache.choose(IN_USE) is None
    monkeypatch.setattr(kernels, "FOLDER", None)
    assert kernels.jit(add_one)(1) == 2


# -- what lies in it


def add_one(number):
    return number + 1


def refusing(fault):
    """A function that fails as the system does."""

    def refuse(*_, **__):
        raise OSError(fault, os.strerror(fault))

    return refuse


@pytest.fixture
def start_in(monkeypatch):
    """Calls a kernel as a program does that keeps what it compiles in a folder; whether it was found on disk."""
    ended = []

    def start(store):
        files = Files(store, lambda: kernel_cache.temporary(IN_USE))
        monkeypatch.setattr(kernels, "FILES", files)
        monkeypatch.setattr(kernels, "FOLDER", files.folder)
        numba.config.reload_config()  # or the first compilation does, and undoes the next line
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(files.folder))
        kernel = kernels.jit(add_one)
        assert kernel(1) == 2 and kernel(2) == 3
        files.seal()
        ended.append(files)
        return bool(kernel.compiled.stats.cache_hits)

    def run(store):
        found = start(store)
        ended.pop().close()
        return found

    run.left_open = start
    yield run
    for files in ended:
        files.close()
    kernel_cache.remove_temporary()


@pytest.fixture
def compiled(tmp_path, start_in):
    """The store, after a kernel was compiled."""
    assert not start_in(tmp_path) and start_in(tmp_path)
    return tmp_path


def add_two(number):
    return number + 2


def test_a_function_as_a_value_is_said_to_be_compiled_only_when_it_is(tmp_path, start_in, monkeypatch):
    start_in.left_open(tmp_path)
    heard, compiling = [], kernels.compiling
    monkeypatch.setattr(kernels, "compiling", lambda name: heard.append(name) or compiling(name))
    for _ in range(2):
        value = kernels.jit_apart(numba.types.int64(numba.types.int64))(add_two)
        assert value().ctypes(1) == 3
    assert heard == ["add_two"]


def files_of(store):
    """Numba's two: the index and the code."""
    found = sorted(path for path in store.rglob("*.nb?"))
    assert [path.suffix for path in found] == [".nbc", ".nbi"]
    return found


class Runs:
    """What leaves a mark when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (os.mkdir, (str(self.mark),))


DAMAGES = {
    "empty": lambda content, mark: b"",
    "cut short": lambda content, mark: content[:-1],
    "one bit": lambda content, mark: content[:60] + bytes([content[60] ^ 1]) + content[61:],
    "zeros": lambda content, mark: bytes(len(content)),
    "noise": lambda content, mark: os.urandom(2000),
    "a pickle that runs": lambda content, mark: pickle.dumps(Runs(mark)),
    "another pickle": lambda content, mark: pickle.dumps([1, 2, 3]),
    "of another version of numba": lambda content, mark: pickle.dumps("0.1") + content,
}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_as_it_was_written_is_compiled_again(compiled, start_in, damage, which):
    mark, path = compiled / "ran", files_of(compiled)[which]
    path.write_bytes(DAMAGES[damage](path.read_bytes(), mark))
    assert not start_in(compiled)
    assert not mark.exists()
    assert start_in(compiled)  # the new one


@pytest.mark.parametrize("which", [0, 1])
def test_numba_alone_believes_what_is_planted(compiled, monkeypatch, which):
    """Why all this is done; where this fails, numba does it by itself and `kernel_cache` can go."""
    path, mark = files_of(compiled)[which], compiled / "ran"
    path.write_bytes((pickle.dumps(numba.__version__) if which else b"") + pickle.dumps(Runs(mark)))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(compiled))
    with contextlib.suppress(Exception):
        numba.njit(add_one, cache=True, **kernels.POLICY)(1)
    assert mark.exists()


def test_what_nobody_wrote_down_is_not_read(compiled, start_in):
    for path in files_of(compiled):
        path.write_bytes(pickle.dumps(Runs(compiled / "ran")))
    (compiled / kernel_cache.MANIFEST).unlink()
    assert not start_in(compiled)
    assert not (compiled / "ran").exists()


@pytest.mark.parametrize("content", [b"", b"\xff\0noise", b"0 1", "∞  ../../x.nbc\nabc  /etc/x.nbi\n".encode()])
def test_a_manifest_that_says_nothing_means_compiling(compiled, start_in, content):
    (compiled / kernel_cache.MANIFEST).write_bytes(content)
    assert not start_in(compiled) and start_in(compiled)


def test_a_manifest_leads_nowhere_else(tmp_path):
    (tmp_path / kernel_cache.MANIFEST).write_text("a  ../x.nbc\nb  /x.nbi\nc  k/x.txt\nd  k/x.nbc\n")
    assert kernel_cache.read_manifest(tmp_path) == {"k/x.nbc": "d"}


@pytest.mark.parametrize("which", [0, 1])
def test_a_link_is_not_followed(compiled, start_in, tmp_path_factory, which):
    path, elsewhere = files_of(compiled)[which], tmp_path_factory.mktemp("elsewhere") / "file"
    shutil.move(path, elsewhere)
    path.symlink_to(elsewhere)
    assert not start_in(compiled)
    folder, there = path.parent, elsewhere.with_name("folder")
    shutil.move(folder, there)
    folder.symlink_to(there)
    assert not start_in(compiled)
    assert there.exists() and elsewhere.exists()


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_no_file_does_not_matter(compiled, start_in, which):
    path = files_of(compiled)[which]
    path.unlink()
    os.mkfifo(path)  # reading it would wait for ever
    assert not start_in(compiled)
    path.unlink()
    path.mkdir()
    assert not start_in(compiled)
    assert path.is_dir()


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_what_cannot_be_written_stays_in_memory(tmp_path, monkeypatch, start_in, fault):
    monkeypatch.setattr(os, "replace", refusing(fault))
    assert not start_in(tmp_path)
    assert list(tmp_path.rglob("*.nb?*")) == []
    assert not (tmp_path / kernel_cache.MANIFEST).exists()
    monkeypatch.undo()


@pytest.mark.parametrize("fault", [errno.EIO, errno.EACCES])
def test_what_cannot_be_read_is_compiled(compiled, monkeypatch, start_in, fault):
    monkeypatch.setattr(Path, "read_bytes", refusing(fault))
    assert not start_in(compiled)


def test_a_kernel_whose_part_cannot_be_read_is_compiled(monkeypatch, tmp_path, start_in):
    start_in.left_open(tmp_path)
    part = kernels.jit(add_one)

    def add_two(number):
        return part(part(number))

    made = [kernels.jit(add_two)]
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.load", refusing(errno.EIO))
    assert made[0](1) == 3
    assert part(5) == 6


def test_a_damaged_file_that_cannot_be_removed_is_not_read(compiled, monkeypatch, start_in):
    path = files_of(compiled)[1]
    path.write_bytes(pickle.dumps(Runs(compiled / "ran")))
    monkeypatch.setattr(Path, "unlink", refusing(errno.EROFS))
    assert not start_in(compiled)
    assert not (compiled / "ran").exists()


def test_a_folder_that_goes_while_it_is_used_is_no_matter(tmp_path, start_in):
    assert not start_in(tmp_path / "gone")


def test_one_program_writes_and_another_has_a_copy(compiled, start_in):
    assert start_in.left_open(compiled)
    path = files_of(compiled)[0]
    before = {file: file.read_bytes() for file in compiled.rglob("*") if file.is_file()}
    assert start_in.left_open(compiled)  # finds what was compiled before
    assert compiled != kernels.FOLDER and kernels.FOLDER.parent.stat().st_mode & 0o077 == 0
    assert kernels.jit(add_one)(1.5) == 2.5  # what it compiles beside stays its own
    kernels.FILES.seal()
    assert {file: file.read_bytes() for file in compiled.rglob("*") if file.is_file()} == before
    path.write_bytes(pickle.dumps(Runs(compiled / "ran")))
    assert not start_in.left_open(compiled)  # a third one, which believes no more than the first
    assert not (compiled / "ran").exists()


def test_what_is_compiled_later_is_written_down_as_well(compiled, start_in):
    assert start_in.left_open(compiled)
    assert kernels.jit(add_one)(1.5) == 2.5
    kernels.keep_compiled()
    kernels.FILES.close()
    names = {path.relative_to(compiled).as_posix() for path in compiled.rglob("*.nb?")}
    assert set(kernel_cache.read_manifest(compiled)) == names and len(names) == 3


# -- the program


SUM = """
import numpy as np
from engine.runtime import compiler
from engine.search.kernels.count import sum_classes
compiler.PATIENCE = 0.0
stat = np.zeros((1, 2))
sum_classes(np.array([0, 1, 1], np.uint16), np.zeros(0), stat)
assert stat.tolist() == [[1, 2]]
print(sum(sum_classes.compiled.stats.cache_hits.values()))
"""


def start(home):
    """How many kernels a program whose caches are in `home` loads."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(home), "HOME": str(home), "LOCALAPPDATA": str(home)}
    done = subprocess.run([sys.executable, "-c", SUM], cwd=ROOT, env=environment, check=True, capture_output=True)
    return int(done.stdout)


def test_a_start_leaves_a_stamp_and_kernels_and_damaged_ones_do_not_stop_the_next(tmp_path):
    assert start(tmp_path) == 0
    (stamp,) = tmp_path.rglob(kernel_cache.STAMP)
    assert stamp.parent.name == kernels.VERSION
    files = [path for path in tmp_path.rglob("*.nb?") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(pickle.dumps(Runs(tmp_path / "ran")))
    assert start(tmp_path) == 0
    assert not (tmp_path / "ran").exists()
    assert start(tmp_path) == 1
