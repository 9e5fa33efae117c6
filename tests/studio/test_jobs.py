"""Background work: the row is the queue, one lease at a time, and what was made is kept once."""

from datetime import timedelta

import apsw
import pytest
from django.utils import timezone

from scenarios.models import Job, World
from scenarios.services.jobs import cancel, claim, conclude, enqueue, renew, sweep
from scenarios.services.refusals import Refused
from scenarios.services.running import run_job
from scenarios.services.stored_files import open_local, read_bytes
from scenarios.services.verifications import request_verification
from scenarios.services.worlds import request_world

State = Job.State


@pytest.fixture
def job(scenario, alice) -> Job:
    return request_world(scenario=scenario, files=scenario.draft.head.files, seed=3, user=alice).job


def fall_silent(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_world_is_built_by_a_job_and_kept_as_a_file(scenario, alice) -> None:
    files = scenario.draft.head.files
    world = request_world(scenario=scenario, files=files, seed=3, user=alice)
    assert run_job(world.job.pk) == State.SUCCEEDED
    world.refresh_from_db()
    assert world.rows == 20
    with open_local(world.file) as path:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        assert list(connection.execute("select count(*) from shop_order")) == [(20,)]
        connection.close()
    assert request_world(scenario=scenario, files=files, seed=3, user=alice) == world
    assert Job.objects.count() == 1


def test_the_same_world_asked_for_twice_is_one_job(scenario, alice, bob) -> None:
    worlds = [
        request_world(scenario=scenario, files=scenario.draft.head.files, seed=3, user=user) for user in (alice, bob)
    ]
    assert worlds[0] == worlds[1]
    assert Job.objects.count() == World.objects.count() == 1


def test_a_world_too_large_is_refused_with_an_estimate_and_no_job(scenario, alice, settings) -> None:
    settings.WORKSPACE_ROWS = 10
    with pytest.raises(Refused, match="about 20 rows"):
        request_world(scenario=scenario, files=scenario.draft.head.files, seed=3, user=alice)
    assert not Job.objects.exists()


def test_a_workspace_has_a_bounded_number_of_jobs(scenario, alice, settings, job) -> None:
    settings.WORKSPACE_JOBS = 1
    with pytest.raises(Refused, match="at most 1"):
        request_world(scenario=scenario, files=scenario.draft.head.files, seed=4, user=alice)


def test_a_job_is_claimed_once(job) -> None:
    assert claim(job.pk) is not None
    assert claim(job.pk) is None
    assert run_job(job.pk) is None


def test_a_job_whose_worker_fell_silent_goes_to_another_and_the_first_may_not_report(job) -> None:
    _, first = claim(job.pk)
    fall_silent(job)
    _, second = claim(job.pk)
    assert not renew(job.pk, first)
    assert not conclude(job.pk, first, State.SUCCEEDED, result={"rows": 1})
    assert renew(job.pk, second, done=1, total=2)
    assert conclude(job.pk, second, State.SUCCEEDED)


def test_the_sweeper_puts_back_a_silent_job_and_gives_up_after_three_attempts(job) -> None:
    for attempt in (1, 2, 3):
        assert claim(job.pk) is not None
        fall_silent(job)
        sweep()
        job.refresh_from_db()
        assert job.attempts == attempt
        assert job.state == (State.QUEUED if attempt < 3 else State.FAILED)
    assert "died each time" in job.error


def test_a_waiting_job_is_cancelled_at_once(job, alice) -> None:
    cancel(job=job, user=alice)
    job.refresh_from_db()
    assert job.state == State.CANCELLED
    assert claim(job.pk) is None


def test_a_running_job_stops_when_asked(scenario, alice) -> None:
    verification = request_verification(scenario=scenario, files=scenario.draft.head.files, user=alice)
    job, lease = claim(verification.job.pk)
    cancel(job=job, user=alice)
    assert not renew(job.pk, lease)
    assert conclude(job.pk, lease, State.CANCELLED)


def test_a_verification_keeps_its_report_and_page(scenario, alice) -> None:
    verification = request_verification(
        scenario=scenario, files=scenario.draft.head.files, user=alice, seeds=[1], tasks=1
    )
    state = run_job(verification.job.pk)
    verification.refresh_from_db()
    assert state == State.SUCCEEDED, verification.job.error + verification.job.log
    assert verification.passed is not None
    assert read_bytes(verification.page).startswith(b"<!doctype html>")


def test_a_scenario_whose_sql_is_wrong_fails_its_job_with_the_problem(scenario, alice, workspace) -> None:
    from scenarios.services.drafts import draft_contents, start_scenario

    contents = draft_contents(scenario)
    contents["tools/shop.yaml"] = contents["tools/shop.yaml"].replace(b"set state", b"set no_such_column")
    wrong = start_scenario(workspace=workspace, contents=contents, user=alice)
    job = request_world(scenario=wrong, files=wrong.draft.head.files, seed=1, user=alice).job
    assert run_job(job.pk) == State.FAILED
    job.refresh_from_db()
    assert "no_such_column" in job.error


def test_a_job_that_takes_too_long_is_stopped(job, settings) -> None:
    settings.JOB_SECONDS = 0
    assert run_job(job.pk) == State.FAILED


def test_an_unknown_kind_is_a_fault(workspace, alice) -> None:
    with pytest.raises(KeyError):
        enqueue(workspace=workspace, scenario=None, kind="dance", arguments={}, user=alice)
