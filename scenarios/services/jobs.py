"""The queue: Job rows, claimed by compare-and-set under a lease. Messages to workers are hints and may be lost.

Only who holds the current lease may report on a job, so a worker that was thought dead cannot overwrite the next one's
result. Every change of state is one conditional UPDATE whose row count tells whether it took place.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User, Workspace
from accounts.services.audit import record
from scenarios.models import Job, Scenario
from scenarios.services.refusals import Refused

QUEUES: Mapping[str, Job.Queue] = {
    "world": Job.Queue.INTERACTIVE,
    "verification": Job.Queue.BATCH,
    "export": Job.Queue.BATCH,
}
"""The kinds of jobs, and whom each may keep waiting."""

HINT_AGAIN = timedelta(seconds=60)
State = Job.State


def enqueue(
    *, workspace: Workspace, scenario: Scenario | None, kind: str, arguments: Mapping[str, Any], user: User | None
) -> Job:
    """A job for this, or the open one that asks for the same. Its hint is sent once the transaction is committed.

    Raises Refused when the workspace has as many open jobs as it may, KeyError for a kind there is not.
    """
    queue = QUEUES[kind]
    asked = json.dumps([kind, scenario.pk if scenario else None, arguments], sort_keys=True)
    identity = hashlib.sha256(asked.encode()).hexdigest()
    same = Job.objects.filter(workspace=workspace, identity=identity, state__in=Job.OPEN)
    found = same.first()
    if found is not None:
        return found
    if workspace.jobs.filter(state__in=Job.OPEN).count() >= settings.WORKSPACE_JOBS:
        most = settings.WORKSPACE_JOBS
        raise Refused(_("A workspace has at most {most} jobs at a time. Wait for one to end.").format(most=most))
    try:
        with transaction.atomic():
            job = Job.objects.create(
                workspace=workspace,
                scenario=scenario,
                kind=kind,
                queue=queue,
                identity=identity,
                arguments=dict(arguments),
                created_by=user,
            )
    except IntegrityError:
        return same.get()
    transaction.on_commit(lambda: send_hint(job.pk, job.queue))
    return job


def send_hint(number: int, queue: str) -> None:
    """Tell the workers of a queue that there is a job. A broker that cannot be reached is left to the sweeper."""
    from kombu.exceptions import OperationalError

    from scenarios.tasks import run

    try:
        run.apply_async(args=(number,), queue=queue, expires=HINT_AGAIN.total_seconds(), retry=False)
    except (OperationalError, OSError):
        return
    Job.objects.filter(pk=number).update(sent_at=timezone.now())


def claim(number: int) -> tuple[Job, str] | None:
    """Take a waiting job, or one whose worker fell silent; gives it with the lease. None when it is not to be had."""
    now, lease = timezone.now(), secrets.token_hex(16)
    taken = (
        Job.objects.filter(Q(state=State.QUEUED) | Q(state=State.RUNNING, lease_until__lt=now), pk=number)
        .filter(attempts__lt=settings.JOB_ATTEMPTS)
        .update(
            state=State.RUNNING,
            lease=lease,
            lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
            attempts=F("attempts") + 1,
            started_at=now,
            done=0,
            total=0,
            message="",
        )
    )
    return (Job.objects.select_related("workspace", "scenario").get(pk=number), lease) if taken else None


def renew(number: int, lease: str, *, done: int = 0, total: int = 0, message: str = "") -> bool:
    """Keep the lease and tell the progress. False when it was lost, or somebody wants the job stopped."""
    until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
    return bool(
        Job.objects.filter(pk=number, lease=lease, state=State.RUNNING, cancel_asked_at=None).update(
            lease_until=until, done=done, total=total, message=message[:300]
        )
    )


def conclude(
    number: int,
    lease: str,
    state: State,
    *,
    result: Mapping[str, Any] | None = None,
    error: str = "",
    log: str = "",
    commit: Callable[[], None] = lambda: None,
) -> bool:
    """End a job, and in the same transaction ``commit`` what it made. False, and nothing done, if it lost the lease."""
    with transaction.atomic():
        ended = Job.objects.filter(pk=number, lease=lease, state=State.RUNNING).update(
            state=state,
            result=dict(result or {}),
            error=error[:20_000],
            log=log[-100_000:],
            lease="",
            lease_until=None,
            finished_at=timezone.now(),
        )
        if ended:
            commit()
    return bool(ended)


def give_back(number: int, lease: str) -> bool:
    """Put a running job back, as its worker ends; the attempt does not count. False when the lease was lost."""
    return bool(
        Job.objects.filter(pk=number, lease=lease, state=State.RUNNING).update(
            state=State.QUEUED, lease="", lease_until=None, sent_at=None, attempts=F("attempts") - 1
        )
    )


def cancel(*, job: Job, user: User) -> None:
    """Stop a job: at once if it waits; if it runs, as soon as its worker looks."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job.pk, state=State.QUEUED)
    if not waiting.update(state=State.CANCELLED, finished_at=now):
        Job.objects.filter(pk=job.pk, state=State.RUNNING, cancel_asked_at=None).update(cancel_asked_at=now)
    record(workspace=job.workspace, actor=user, action="job.cancelled", subject=job)


def sweep() -> None:
    """Give up jobs whose workers died too often, put back those whose worker fell silent, and hint again at all."""
    now = timezone.now()
    silent = Job.objects.filter(state=State.RUNNING, lease_until__lt=now)
    silent.filter(cancel_asked_at__isnull=False).update(state=State.CANCELLED, lease="", finished_at=now)
    silent.filter(attempts__gte=settings.JOB_ATTEMPTS).update(
        state=State.FAILED, lease="", finished_at=now, error="Its worker died each time it was tried."
    )
    silent.update(state=State.QUEUED, lease="", lease_until=None, sent_at=None)
    unsent = Job.objects.filter(Q(sent_at=None) | Q(sent_at__lt=now - HINT_AGAIN), state=State.QUEUED)
    for number, queue in list(unsent.values_list("pk", "queue")[:100]):
        send_hint(number, queue)
