"""The reading pages: everything the document says, safely, with its place in the source."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scenarios.services.drafts import start_from_gallery, start_scenario
from scenarios.services.versions import save_version
from tests.studio.conftest import SMALL

pytestmark = pytest.mark.django_db

PAGES = ("reading_world", "reading_tools", "reading_rules", "reading_tasks")


def at(name, key="small-shop"):
    return reverse(name, args=("acme", key))


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("reading_world", ["shop_order", "An order of a customer.", "Rows: 20", "integer", "2026-03-02 09:00:00"]),
        (
            "reading_tools",
            ["ship_order", "Ship an open order.", "order_id", "Only an open order can be shipped.", "not_open"],
        ),
        (
            "reading_tasks",
            ["ship_one", "Ship order {order_id}.", "The order is shipped.", "ship_order(order_id: {order_id})"],
        ),
    ],
)
def test_a_page_says_what_the_document_says_and_where(scenario, dave, sign_in, page, said):
    text = sign_in(dave).get(at(page)).content.decode()
    assert [words for words in said if words not in text] == []
    assert "shop.yaml" in text


@pytest.mark.parametrize("name", ["support_desk", "incident_room"])
def test_a_ready_scenario_is_told_in_full(workspace, alice, sign_in, name):
    scenario = start_from_gallery(workspace=workspace, name=name, user=alice)
    told = {page: sign_in(alice).get(at(page, scenario.key)) for page in PAGES}
    assert {answer.status_code for answer in told.values()} == {200}
    facts = scenario.facts
    assert len(told["reading_world"].context["items"]) == facts["tables"]
    assert len(told["reading_tools"].context["items"]) == facts["operations"]
    assert sum(len(rules) for _, rules in told["reading_rules"].context["groups"]) == facts["rules"]
    assert len(told["reading_tasks"].context["items"]) == facts["tasks"]
    for page, answer in told.items():
        for item in answer.context.get("items") or ():
            assert f'id="{item.name}"' in answer.content.decode(), page
            assert item.place.line > 0


def test_a_version_is_read_as_it_was(scenario, alice, sign_in):
    version = save_version(scenario=scenario, message="First", user=alice)
    page = sign_in(alice).get(at("reading_tasks"), {"version": version.number})
    assert page.context["version"] == version
    for wrong in ("99", "x", "-1"):
        assert sign_in(alice).get(at("reading_tasks"), {"version": wrong}).status_code == 404


def test_a_broken_draft_tells_its_problems_instead(workspace, alice, sign_in):
    contents = {**SMALL, "tasks/shop.yaml": b"ship_one: [1"}
    scenario = start_scenario(workspace=workspace, contents=contents, user=alice)
    for page in PAGES:
        answer = sign_in(alice).get(at(page, scenario.key))
        assert answer.status_code == 200
        assert answer.context["problems"]
        assert "cannot be read as a scenario yet" in answer.content.decode()


def test_hostile_text_is_shown_and_not_run(workspace, alice, sign_in):
    evil = b"<script>alert(1)</script>"
    contents = {name: content.replace(b"Ship", evil).replace(b"An order", evil) for name, content in SMALL.items()}
    scenario = start_scenario(workspace=workspace, contents=contents, user=alice)
    for page in PAGES:
        text = sign_in(alice).get(at(page, scenario.key)).content.decode()
        assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in sign_in(alice).get(at("reading_world", scenario.key)).content.decode()


def test_reading_again_asks_no_more_of_the_database(scenario, dave, sign_in):
    client = sign_in(dave)
    client.get(at("reading_tasks"))
    with CaptureQueriesContext(connection) as caught:
        client.get(at("reading_tasks"))
    assert len(caught) <= 8
