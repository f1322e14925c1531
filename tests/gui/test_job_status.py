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
