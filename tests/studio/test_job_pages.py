"""The pages of jobs: their progress by one stream or by asking, and stopping them."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from scenarios.models import Job
from scenarios.services.jobs import cancel
from scenarios.services.worlds import request_world
from scenarios.views.jobs import _events


@pytest.fixture
def job(scenario, alice) -> Job:
    return request_world(scenario=scenario, files=scenario.draft.head.files, seed=3, user=alice).job


def test_progress_is_told_of_ones_own_workspace_only(job, dave, eve, sign_in) -> None:
    asked = f"progress/?once=1&jobs={job.pk},oops,99999999999999999999"
    told = sign_in(dave).get(f"/w/acme/jobs/{asked}").json()["jobs"]
    assert [(row["id"], row["open"]) for row in told] == [(job.pk, True)]
    assert sign_in(eve).get(f"/w/elsewhere/jobs/{asked}").json() == {"jobs": []}


@pytest.mark.django_db(transaction=True)
def test_the_stream_tells_an_ended_job_and_ends(job, alice) -> None:
    cancel(job=job, user=alice)

    async def read() -> list[str]:
        return [chunk.decode() async for chunk in _events(job.workspace_id, [job.pk])]

    _, told, end = async_to_sync(read)()
    assert json.loads(told.split("data: ")[1])["state"] == "cancelled"
    assert end.startswith("event: end")


def test_an_editor_stops_a_job_and_the_audit_log_tells(job, bob, workspace, sign_in) -> None:
    sign_in(bob).post(f"/w/acme/jobs/{job.pk}/cancel/")
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    entry = workspace.audit_entries.first()
    assert (entry.action, entry.actor) == ("job.cancelled", bob)


def test_a_page_with_an_open_job_says_that_no_worker_runs(job, alice, sign_in) -> None:
    assert "No worker is running" in sign_in(alice).get("/w/acme/jobs/").content.decode()


def test_readiness_names_what_is_missing(db) -> None:
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["worker"] is False
    assert answer.json()["database"] is True
