"""What stands in the status bar while a job runs."""

import threading

from engine.runtime.progress import compiling
from gui.model.jobs import Jobs
from gui.window.bars import COMPILING, JobStatus


def test_a_job_that_waits_for_the_compiler_says_so_as_long_as_it_does(qtbot):
    jobs, go = Jobs(), threading.Event()
    status = JobStatus(jobs)
    qtbot.addWidget(status)
    with compiling("grow_subtrees"):
        jobs.run("Growing", lambda progress: go.wait(30))
        qtbot.waitUntil(lambda: status.isVisible() and status.text.text() == COMPILING)
    qtbot.waitUntil(lambda: status.text.text() == "Growing…")
    go.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert status.isHidden()


def test_what_a_job_reports_meanwhile_hides_the_compiler_at_no_time(qtbot):
    """Growing reports several times a second, as its threads wait for one of them that compiles."""
    jobs, go, shown = Jobs(), threading.Event(), []
    status = JobStatus(jobs)
    qtbot.addWidget(status)
    jobs.progressed.connect(lambda *_: shown.append(status.text.text()))

    def grow(progress):
        while not go.wait(0.06):
            progress.report(0.3, "growing")

    with compiling("grow_subtrees"):
        jobs.run("Growing", grow)
        qtbot.waitUntil(lambda: len(shown) > 3)
    assert set(shown) == {COMPILING}
    qtbot.waitUntil(lambda: status.text.text() == "growing")
    go.set()
    qtbot.waitUntil(lambda: not jobs.busy)
