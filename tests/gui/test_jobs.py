"""The worker: order, progress, stopping, stale results, failures, the end."""

import threading

import pytest

from engine.runtime.errors import InputError
from gui import messages
from gui.model import jobs as jobs_module
from gui.model.jobs import Jobs, words_for


@pytest.fixture
def jobs():
    made = Jobs()
    yield made
    made.shutdown()


def until_stopped(progress, started=None):
    if started is not None:
        started.set()
    while not progress.stopped:
        threading.Event().wait(0.001)
    return "as far as it came"


def test_a_result_arrives_in_the_gui_thread(qtbot, jobs):
    seen = []
    jobs.run("add", lambda a, b, progress: (a + b, threading.current_thread()), 2, b=3,
             done=lambda result: seen.append((*result, threading.current_thread())))  # fmt: skip
    qtbot.waitUntil(lambda: bool(seen))
    result, there, here = seen[0]
    assert result == 5
    assert there is not here is threading.main_thread()


def test_jobs_run_one_after_the_other(qtbot, jobs):
    order, running = [], []

    def work(name, progress):
        running.append(name)
        assert len(running) == 1
        running.pop()
        return name

    for name in "abc":
        jobs.run(name, work, name, done=order.append)
    with qtbot.waitSignal(jobs.idle):
        pass
    assert order == ["a", "b", "c"]
    assert not jobs.busy


def test_progress_is_throttled(qtbot, jobs):
    seen = []
    jobs.progressed.connect(lambda fraction, text: seen.append((fraction, text)))

    def count(progress):
        for i in range(20_000):
            progress.report(i / 20_000, "counting")

    with qtbot.waitSignal(jobs.idle):
        jobs.run("count", count)
    assert 1 <= len(seen) < 100
    assert seen[0] == (0.0, "counting")


def test_stop_delivers_what_is_there(qtbot, jobs):
    started, seen = threading.Event(), []
    job = jobs.run("grow", lambda progress: until_stopped(progress, started), done=seen.append)
    assert started.wait(5)
    later = jobs.run("and then", lambda progress: f"stopped: {progress.stopped}", done=seen.append)
    jobs.stop()
    qtbot.waitUntil(lambda: not jobs.busy)
    qtbot.wait(0)
    assert seen == ["as far as it came", "stopped: True"], "whoever asked gets an answer, also while waiting"
    assert job.stopped and later.stopped


def test_a_result_on_its_way_is_dropped_as_well(qtbot, jobs):
    """The worker has ended, the GUI thread has not looked yet: a newer question must not get the older answer."""
    ended, seen = threading.Event(), []
    jobs.run("old", lambda progress: "old", done=seen.append, key="query")
    jobs.run("after it", lambda progress: ended.set())
    assert ended.wait(5)
    jobs.drop("query")
    qtbot.waitUntil(lambda: not jobs.busy)
    qtbot.wait(0)
    assert seen == []


def test_a_new_job_supersedes_one_of_the_same_key(qtbot, jobs):
    started, seen = threading.Event(), []
    jobs.run("old", lambda progress: until_stopped(progress, started), done=seen.append, key="query")
    assert started.wait(5)
    jobs.run("never starts", lambda progress: "between", done=seen.append, key="query")
    jobs.run("other", lambda progress: "other", done=seen.append, key="else")
    jobs.run("new", lambda progress: "new", done=seen.append, key="query")
    with qtbot.waitSignal(jobs.idle):
        pass
    assert seen == ["other", "new"]


def test_started_and_finished_come_in_pairs(qtbot, jobs):
    heard = []
    jobs.started.connect(lambda text: heard.append(f"started {text}"))
    jobs.finished.connect(lambda: heard.append("finished"))
    with qtbot.waitSignal(jobs.idle):
        jobs.run("a", lambda progress: None)
        jobs.run("b", lambda progress: None)
    assert heard == ["started a", "finished", "started b", "finished"]


def test_an_input_error_becomes_a_message(qtbot, jobs, posted):
    def refuse(progress):
        raise InputError("Column “x” is gone: choose another.")

    with qtbot.waitSignal(jobs.idle):
        jobs.run("read", refuse)
    assert posted() == ["error: Column “x” is gone: choose another."]


def test_a_listener_gets_the_error_instead(qtbot, jobs, posted):
    seen = []

    def refuse(progress):
        raise InputError("no")

    with qtbot.waitSignal(jobs.idle):
        jobs.run("read", refuse, failed=seen.append)
    assert [str(error) for error in seen] == ["no"]
    assert posted() == []


def test_any_other_exception_is_a_crash(qtbot, jobs):
    with qtbot.captureExceptions() as caught, qtbot.waitSignal(jobs.idle):
        jobs.run("divide", lambda progress: 1 / 0)
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]


def test_a_crash_reaches_the_listener_too(qtbot, jobs):
    seen = []
    with qtbot.captureExceptions() as caught, qtbot.waitSignal(jobs.idle):
        jobs.run("divide", lambda progress: 1 / 0, failed=seen.append)
    assert len(caught) == len(seen) == 1


def test_the_worker_survives_a_failure(qtbot, jobs):
    seen = []
    with qtbot.captureExceptions(), qtbot.waitSignal(jobs.idle):
        jobs.run("divide", lambda progress: 1 / 0)
        jobs.run("go on", lambda progress: "fine", done=seen.append)
    assert seen == ["fine"]


def test_nothing_arrives_after_shutdown(qtbot, jobs):
    started, seen = threading.Event(), []
    jobs.run("long", lambda progress: until_stopped(progress, started), done=seen.append)
    jobs.run("waiting", lambda progress: 1, done=seen.append)
    assert started.wait(5)
    jobs.shutdown()
    jobs.run("too late", lambda progress: 2, done=seen.append)
    qtbot.wait(20)
    assert seen == []
    assert not any(thread.name == "espalier-worker" for thread in threading.enumerate())


def test_quiet_jobs_are_no_work_of_a_person(qtbot, jobs):
    started = threading.Event()
    jobs.run("query", lambda progress: until_stopped(progress, started), quiet=True, key="query")
    assert started.wait(5)
    assert jobs.busy and not jobs.working
    jobs.drop("query")
    qtbot.waitUntil(lambda: not jobs.busy)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InputError("a sentence"), "a sentence"),
        (FileNotFoundError(2, "No such file or directory", "x.csv"), "No such file or directory: “x.csv”."),
        (MemoryError(), "There is not enough memory for this: close other programs, or open fewer rows or columns."),
        (KeyError("x"), ""),
    ],
)
def test_words_for(error, words):
    assert words_for(error) == words


def test_messages_are_not_needed_by_a_quiet_success(qtbot, jobs):
    with qtbot.waitSignal(jobs.idle):
        jobs.run("fine", lambda progress: None)
    assert messages.door.take() == []


def test_parts_arrive_while_the_function_runs(qtbot, jobs):
    seen, go_on = [], threading.Event()

    def find(progress, found):
        for i in range(5):
            found(i)
        while not go_on.wait(0.01):
            progress.report(0.5)  # delivers what was found too soon after the last delivery
        return "all"

    jobs.run("find", find, done=seen.append, part=seen.append)
    qtbot.waitUntil(lambda: sum(len(part) for part in seen) == 5)
    go_on.set()
    qtbot.waitUntil(lambda: seen[-1] == "all")
    assert [i for part in seen[:-1] for i in part] == [0, 1, 2, 3, 4]


def test_a_quick_answer_comes_whole(qtbot, jobs, monkeypatch):
    monkeypatch.setattr(jobs_module, "FIRST_PART", 60.0)  # quick, however busy the machine is
    seen = []

    def find(progress, found):
        for i in range(100):
            found(i)
        return "all"

    jobs.run("find", find, done=seen.append, part=seen.append)
    with qtbot.waitSignal(jobs.idle):
        pass
    assert seen == ["all"]


def test_an_idle_job_gives_way_and_begins_again(qtbot, jobs):
    order, begun = [], threading.Event()

    def background(progress):
        if not begun.is_set():
            return until_stopped(progress, begun)
        return "background"

    jobs.run("background", background, done=order.append, idle=True)
    assert begun.wait(5)
    jobs.run("asked for", lambda progress: "asked for", done=order.append)
    with qtbot.waitSignal(jobs.idle):
        pass
    assert order == ["asked for", "background"]


def test_an_idle_job_waits_for_all_others(qtbot, jobs):
    order, go_on = [], threading.Event()
    jobs.run("first", lambda progress: go_on.wait(5))
    jobs.run("background", lambda progress: "background", done=order.append, idle=True)
    jobs.run("query", lambda progress: "query", done=order.append, quiet=True)
    go_on.set()
    with qtbot.waitSignal(jobs.idle):
        pass
    assert order == ["query", "background"]


def test_an_idle_job_that_is_dropped_does_not_begin_again(qtbot, jobs):
    order, begun = [], threading.Event()
    jobs.run("background", until_stopped, started=begun, done=order.append, key="k", idle=True)
    assert begun.wait(5)
    jobs.run("asked for", lambda progress: "asked for", done=order.append)
    jobs.drop("k")
    with qtbot.waitSignal(jobs.idle):
        pass
    assert order == ["asked for"]
