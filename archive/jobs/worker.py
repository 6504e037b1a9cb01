"""The worker process: it does all waiting pages, one after the other, and ends when none is left.

It runs at the lowest priority, and so do its children: a tap on a score pad goes first. One works on each
machine; it is started when a job is begun, when a job's page is looked at, and when the site starts.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from archive import background
from archive.jobs.scan_actions import work_on
from archive.models.jobs import JobPage
from archive.publication.errors import EditError
from archive.scans import sandbox
from ops import locks

log = logging.getLogger(__name__)
LOWEST_PRIORITY = 19
FAILED = "It could not be done. The site's log says more."


class WorkerProcess:
    """The worker of this machine, as a child of the process that has started it."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None
        background.register(self)

    def start(self) -> None:
        """Start it, unless it works or there is nothing to do."""
        if self.child is not None and self.child.poll() is None:
            return
        if not JobPage.objects.filter(state=JobPage.WAITING).exists() or not _is_free():
            return
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "work"]
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own program

    def stop(self) -> None:
        """End it with this process. The page it works on is still to be done, and is at the next start."""
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(5)


def _is_free() -> bool:
    """True if no process of this machine works already."""
    with locks.exclusive_here(locks.WORKER) as is_held:
        return is_held


process = WorkerProcess()


class Worker:
    """The loop of the worker process."""

    def __init__(self) -> None:
        self.stopping = False

    def run(self) -> int:
        """Do every page that waits; how many were done."""
        count = 0
        with locks.exclusive_here(locks.WORKER) as is_held:
            while is_held and not self.stopping and self._next():
                count += 1
        return count

    def stop(self, *_: Any) -> None:
        self.stopping = True
        sandbox.stop()

    def _next(self) -> bool:
        """Work on one page that no other machine works on; False if there is none."""
        for pk in list(_waiting().values_list("pk", flat=True)[:50]):
            with locks.exclusive(locks.JOB_PAGE, pk) as is_held:
                # It may have been done since it was listed.
                page = (
                    _waiting().filter(pk=pk).select_related("job__person", "job__book").first()
                    if is_held
                    else None
                )
                if page is not None:
                    self._work(page)
                    return True
        return False

    def _work(self, page: JobPage) -> None:
        try:
            state, words = JobPage.DONE, work_on(page)
        except EditError as refused:
            state, words = JobPage.FAILED, " ".join(refused.faults)
        except Exception:
            log.exception("Page %s of job %s could not be done.", page.order, page.job_id)
            state, words = JobPage.FAILED, FAILED
        if self.stopping and state == JobPage.FAILED:
            return
        JobPage.objects.filter(pk=page.pk).update(state=state, words=words, finished=timezone.now())


def _waiting() -> Any:
    return JobPage.objects.filter(state=JobPage.WAITING).order_by("job", "order")


def main() -> int:
    """The worker in a process of its own."""
    os.nice(LOWEST_PRIORITY)
    worker = Worker()
    signal.signal(signal.SIGTERM, worker.stop)
    done = worker.run()
    connection.close()
    return done
