"""Versions: saved, reviewed, published only when verified, compared, taken away unchanged."""

import io
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scenarios.models import Verification
from scenarios.services.source_files import keep_files
from scenarios.services.versions import save_version
from simulator.version import ENGINE_VERSION
from tests.studio.conftest import SMALL

pytestmark = pytest.mark.django_db


def at(name, *rest):
    return reverse(name, args=("acme", "small-shop", *rest))


@pytest.fixture
def version(scenario, bob):
    return save_version(scenario=scenario, message="First", user=bob)


def decided(sign_in, user, version, decision):
    return sign_in(user).post(at("version_decide", version.number), {"decision": decision, "message": "Well"})


def verified(version, passed=True, engine=ENGINE_VERSION):
    return Verification.objects.create(
        workspace=version.workspace, scenario=version.scenario, version=version, engine=engine, passed=passed,
        scenario_digest=version.scenario_digest,
    )  # fmt: skip


def edited(scenario, alice, **contents):
    """The draft with other files."""
    head = scenario.draft.head
    files = keep_files(workspace=scenario.workspace, contents={**SMALL, **contents})
    revision = type(head).objects.create(
        workspace=scenario.workspace, scenario=scenario, number=head.number + 1, kind="save", files=files,
        tree_digest=f"sha256:{head.number}", author=alice,
    )  # fmt: skip
    scenario.draft.head = revision
    scenario.draft.save()


def test_a_draft_is_saved_as_a_version_once(scenario, bob, sign_in):
    answer = sign_in(bob).post(at("versions"), {"message": "The first"})
    assert answer["Location"] == at("version", 1)
    assert "The first" in sign_in(bob).get(at("versions")).content.decode()
    again = sign_in(bob).post(at("versions"), {"message": "Again"})
    assert again.status_code == 422
    assert scenario.versions.count() == 1


def test_a_version_goes_from_saved_to_published_when_others_approve_and_it_is_verified(version, bob, carol, sign_in):
    assert decided(sign_in, bob, version, "requested").status_code == 302
    assert decided(sign_in, carol, version, "approved").status_code == 302
    refused = decided(sign_in, bob, version, "published")
    assert refused.status_code == 422
    verified(version, engine="0.0.9")
    assert "Verified with 0.0.9" in sign_in(bob).get(at("version", 1)).content.decode()
    assert decided(sign_in, bob, version, "published").status_code == 422
    verified(version, passed=False)
    assert decided(sign_in, bob, version, "published").status_code == 422
    verified(version)
    assert decided(sign_in, bob, version, "published").status_code == 302
    assert "published" in sign_in(bob).get(at("versions")).content.decode()
    assert [review.decision for review in version.reviews.all()] == ["requested", "approved", "published"]


@pytest.mark.parametrize(
    ("who", "decision"),
    [("bob", "approved"), ("dave", "requested"), ("carol", "published"), ("carol", "nonsense"), ("bob", "retired")],
)
def test_what_somebody_may_not_decide_now_changes_nothing(version, bob, carol, dave, sign_in, who, decision):
    decided(sign_in, bob, version, "requested")
    people = {"bob": bob, "carol": carol, "dave": dave}
    assert decided(sign_in, people[who], version, decision).status_code == 422
    assert version.reviews.count() == 1


def test_authors_do_not_approve_their_own(scenario, carol, alice, sign_in):
    mine = save_version(scenario=scenario, message="Mine", user=alice)
    decided(sign_in, alice, mine, "requested")
    assert decided(sign_in, alice, mine, "approved").status_code == 422
    assert decided(sign_in, carol, mine, "approved").status_code == 302


def test_two_versions_and_the_draft_are_compared_line_by_line(scenario, version, alice, dave, sign_in):
    edited(scenario, alice, **{
        "tables/shop.yaml": SMALL["tables/shop.yaml"].replace(b"rows: 20", b"rows: 30 # <script>"),
        "more.md": b"New\n",
    })  # fmt: skip
    page = sign_in(dave).get(at("version_compare", 1, "draft"))
    files = {file.name: file for file in page.context["files"]}
    assert {name: file.how for name, file in files.items()} == {"tables/shop.yaml": "changed", "more.md": "added"}
    marks = [(line.mark, line.text.strip()) for line in files["tables/shop.yaml"].lines if line.mark in "+-"]
    assert marks == [("-", "rows: 20"), ("+", "rows: 30 # <script>")]
    assert "# &lt;script&gt;" in page.content.decode()
    assert sign_in(dave).get(at("version_compare", 1, 1)).context["files"] == []
    assert sign_in(dave).get(at("version_compare", 1, 99)).status_code == 404
    assert sign_in(dave).get(at("version_compare", "x", "draft")).status_code == 404


def test_a_versions_files_are_taken_away_byte_for_byte(version, dave, sign_in):
    first, second = (sign_in(dave).get(at("version_zip", 1)).content for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == SMALL


def test_the_list_asks_as_much_for_three_as_for_one(scenario, version, alice, dave, sign_in):
    def queries():
        client = sign_in(dave)
        with CaptureQueriesContext(connection) as caught:
            client.get(at("versions"))
        return len(caught)

    first = queries()
    for number in (1, 2):
        edited(scenario, alice, **{"more.md": str(number).encode()})
        save_version(scenario=scenario, message="More", user=alice)
    assert queries() == first
