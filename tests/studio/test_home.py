"""The home of a workspace: its scenarios, search, and starting from the gallery."""

import pytest

from scenarios.models import Scenario
from scenarios.services.drafts import draft_contents


def test_an_empty_workspace_says_what_to_do(workspace, alice, sign_in) -> None:
    page = sign_in(alice).get("/w/acme/")
    assert "No scenario yet" in page.content.decode()


def test_starting_from_the_gallery_copies_its_files_under_a_free_id(workspace, bob, sign_in, gallery_folder) -> None:
    client = sign_in(bob)
    for _ in range(2):
        client.post("/w/acme/start/", {"gallery": "support_desk"}, follow=True)
    assert sorted(Scenario.objects.values_list("key", flat=True)) == ["support-desk", "support-desk-2"]
    files = draft_contents(Scenario.objects.get(key="support-desk-2"))
    source = (gallery_folder / "support_desk" / "policy.md").read_bytes()
    assert files["policy.md"] == source
    assert b"\nid: support-desk-2\n" in files["scenario.yaml"]


def test_a_name_with_a_script_in_it_is_shown_as_text(scenario, alice, sign_in) -> None:
    Scenario.objects.update(title="<script>alert(1)</script>")
    page = sign_in(alice).get("/w/acme/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize("scenarios", [1, 3])
def test_the_list_asks_no_more_for_three_scenarios_than_for_one(
    scenarios, small_scenario, alice, sign_in, django_assert_num_queries
) -> None:
    for _ in range(scenarios):
        small_scenario()
    client = sign_in(alice)
    client.get("/w/acme/")
    with django_assert_num_queries(6):
        client.get("/w/acme/")
