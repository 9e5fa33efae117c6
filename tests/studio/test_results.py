"""Verifications and exports: asked for, watched, read, taken away."""

import io
import json
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scenarios.services.exports import request_export
from scenarios.services.jobs import cancel
from scenarios.services.running import run_job
from scenarios.services.source_files import keep_files
from scenarios.services.verifications import request_verification
from scenarios.services.versions import save_version
from tests.studio.conftest import SMALL

pytestmark = pytest.mark.django_db(transaction=True)


def at(name, *rest):
    return reverse(name, args=("acme", "small-shop", *rest))


@pytest.fixture
def version(scenario, alice):
    return save_version(scenario=scenario, message="First", user=alice)


UNUSED = b"""
list_orders:
  summary: All orders.
  returns: {many: "select id, state from shop_order order by id"}
"""


@pytest.fixture
def found(scenario, workspace, alice):
    """A verification that has something to tell."""
    contents = {**SMALL, "tools/shop.yaml": SMALL["tools/shop.yaml"] + UNUSED}
    files = keep_files(workspace=workspace, contents=contents)
    row = request_verification(scenario=scenario, files=files, seeds=[1], tasks=1, user=alice)
    run_job(row.job.pk)
    row.refresh_from_db()
    return row


@pytest.fixture
def verified(scenario, version, alice):
    row = request_verification(scenario=scenario, files=version.files, seeds=[1], tasks=1, user=alice, version=version)
    run_job(row.job.pk)
    row.refresh_from_db()
    assert row.report is not None
    return row


def test_an_editor_asks_for_a_verification_of_draft_or_version(scenario, version, bob, sign_in):
    asked = {"draft": ("1, 2", None), str(version.number): ("3", version)}
    for subject, (seeds, meant) in asked.items():
        answer = sign_in(bob).post(at("verifications"), {"subject": subject, "seeds": seeds, "tasks": "2"})
        row = scenario.verifications.first()
        assert answer["Location"] == at("verification", row.pk)
        assert (row.tasks, row.seeds, row.version) == (2, [int(seed) for seed in seeds.split(",")], meant)
        assert f'data-job="{row.job.pk}"' in sign_in(bob).get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("seeds", "tasks", "subject"), [("x", "1", "draft"), ("1,1", "1", "draft"), ("1", "0", "draft"), ("1", "1", "99")]
)
def test_what_cannot_be_verified_is_refused(scenario, bob, sign_in, seeds, tasks, subject):
    answer = sign_in(bob).post(at("verifications"), {"subject": subject, "seeds": seeds, "tasks": tasks})
    assert answer.status_code == 422
    assert not scenario.verifications.exists()


def test_a_report_tells_what_was_found_where_and_can_be_taken_away(found, dave, sign_in):
    page = sign_in(dave).get(at("verification", found.pk))
    text = page.content.decode()
    reading = page.context["reading"]
    assert [check.id for check in reading.report.checks if check.title in text]
    for place in reading.places:
        assert place.about in text
    findings = sum(1 + told.more for place in reading.places for told in place.told)
    assert findings == len(reading.report.findings) > 0
    kept = sign_in(dave).get(at("verification_json", found.pk))
    assert json.loads(kept.content)["fingerprint"] == reading.report.fingerprint
    shown = sign_in(dave).get(at("verification_html", found.pk))
    assert shown["Content-Disposition"].startswith("attachment")
    assert b"<svg" in shown.content


def test_a_bundle_is_made_of_a_version_checked_and_taken_away(scenario, version, verified, alice, sign_in):
    asked = {"version": str(version.number), "targets": ["gymnasium"], "seeds": "1"}
    if not verified.passed:
        refused = sign_in(alice).post(at("exports"), asked)
        assert refused.status_code == 422
        asked["unverified"] = "on"
    answer = sign_in(alice).post(at("exports"), asked)
    row = scenario.exports.get()
    assert answer["Location"] == at("export", row.pk)
    run_job(row.job.pk)
    row.refresh_from_db()
    assert row.problems == []
    page = sign_in(alice).get(answer["Location"]).content.decode()
    assert row.file.sha256 in page
    bundle = b"".join(sign_in(alice).get(at("export_download", row.pk)).streaming_content)
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert {"MANIFEST.json", "targets/gymnasium/README.md"} <= set(archive.namelist())
    sign_in(alice).post(at("export_pin", row.pk), {"pinned": "1"})
    row.refresh_from_db()
    assert row.pinned


def test_only_an_owner_is_offered_an_unverified_export(scenario, version, bob, alice, sign_in):
    asked = {"version": "1", "targets": ["gymnasium"], "seeds": "1", "unverified": "on"}
    assert "unverified" not in sign_in(bob).get(at("exports")).context["form"].fields
    assert sign_in(bob).post(at("exports"), asked).status_code == 422
    assert not scenario.exports.exists()
    assert sign_in(alice).post(at("exports"), asked).status_code == 302


@pytest.mark.parametrize(
    "asked",
    [{}, {"version": "1", "targets": ["no"], "seeds": "1"}, {"version": "1", "targets": ["gymnasium"], "seeds": ""}],
)
def test_what_cannot_be_exported_is_refused(scenario, version, alice, sign_in, asked):
    assert sign_in(alice).post(at("exports"), asked).status_code == 422


def test_the_lists_ask_as_much_for_three_as_for_one(scenario, version, alice, sign_in):
    def queries(name):
        client = sign_in(alice)
        with CaptureQueriesContext(connection) as caught:
            client.get(at(name))
        return len(caught)

    def add(number):
        request_verification(scenario=scenario, files=version.files, seeds=[number], user=alice, version=version)
        request_export(version=version, targets=["gymnasium"], seeds=[number], user=alice, unverified=True)
        for job in scenario.jobs.all():
            cancel(job=job, user=alice)

    add(1)
    first = queries("verifications"), queries("exports")
    add(2)
    add(3)
    assert (queries("verifications"), queries("exports")) == first
