"""The world browser: generated once, read by page, filtered, sorted, followed, and taken away."""

import sqlite3

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scenarios.services.drafts import start_from_gallery
from scenarios.services.running import run_job
from scenarios.services.worlds import request_world

pytestmark = pytest.mark.django_db(transaction=True)


def at(name, *rest):
    return reverse(name, args=("acme", "small-shop", *rest))


@pytest.fixture
def built(scenario, alice):
    world = request_world(scenario=scenario, files=scenario.draft.head.files, seed=5, user=alice)
    run_job(world.job.pk)
    world.refresh_from_db()
    assert world.file is not None
    return world


def test_an_editor_asks_for_a_world_and_the_page_follows_its_making(scenario, bob, sign_in):
    answer = sign_in(bob).post(at("worlds"), {"seed": "5", "scale": "1"})
    world = scenario.worlds.get()
    assert (answer.status_code, answer["Location"]) == (302, at("world", world.pk))
    assert f'data-job="{world.job.pk}"' in sign_in(bob).get(answer["Location"]).content.decode()
    again = sign_in(bob).post(at("worlds"), {"seed": "5", "scale": "1"})
    assert again["Location"] == answer["Location"]


@pytest.mark.parametrize(
    "asked", [{"seed": "-1", "scale": "1"}, {"seed": "1", "scale": "1e9"}, {"seed": "x", "scale": ""}]
)
def test_what_cannot_be_made_is_refused_with_the_reason(scenario, bob, sign_in, asked):
    answer = sign_in(bob).post(at("worlds"), asked)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert not scenario.worlds.exists()


def test_a_table_is_read_filtered_and_sorted(built, dave, sign_in):
    page = sign_in(dave).get(at("world_table", built.pk, "shop_order")).content.decode()
    assert "20 rows" in page
    some = sign_in(dave).get(at("world_table", built.pk, "shop_order"), {"column": "state", "text": "OPEN"})
    rows = some.context["rows"]
    assert 0 < rows.found < 20
    assert {row[1].text for row in rows.rows} == {"open"}
    falling = sign_in(dave).get(at("world_table", built.pk, "shop_order"), {"sort": "id", "order": "desc"})
    keys = [int(row[0].text) for row in falling.context["rows"].rows]
    assert keys == sorted(keys, reverse=True)
    one = sign_in(dave).get(at("world_table", built.pk, "shop_order"), {"column": "id", "text": "3", "exact": "1"})
    assert [row[0].text for row in one.context["rows"].rows] == ["3"]


def test_every_table_of_a_ready_scenario_is_read_whatever_its_key(workspace, alice, sign_in):
    scenario = start_from_gallery(workspace=workspace, name="incident_room", user=alice)
    world = request_world(scenario=scenario, files=scenario.draft.head.files, seed=1, scale=0.1, user=alice)
    run_job(world.job.pk)
    world.refresh_from_db()
    client = sign_in(alice)
    for table, rows in world.tables.items():
        where = ("acme", scenario.key, world.pk, table)
        answer = client.get(reverse("world_table", args=where), {"sort": "id", "order": "desc"})
        assert (answer.status_code, answer.context["rows"].found) == (200, rows), table
        text = b"".join(client.get(reverse("world_csv", args=where)).streaming_content).decode()
        assert text.count("\n") > rows, table


@pytest.mark.parametrize(
    "query",
    [
        {"column": 'id" or 1=1 --', "text": "x"},
        {"sort": "id; drop table shop_order"},
        {"text": "'; drop table shop_order; --"},
        {"page": "99999999"},
        {"page": "-1"},
        {"text": "<script>alert(1)</script>"},
    ],
)
def test_hostile_queries_read_at_most_a_page(built, dave, sign_in, query):
    answer = sign_in(dave).get(at("world_table", built.pk, "shop_order"), query)
    assert answer.status_code == 200
    assert "<script>alert" not in answer.content.decode()
    assert "20 rows" in sign_in(dave).get(at("world_table", built.pk, "shop_order")).content.decode()


def test_a_table_that_is_not_the_worlds_is_not_found(built, dave, sign_in):
    for table in ("sqlite_master", "no_such_table"):
        assert sign_in(dave).get(at("world_table", built.pk, table)).status_code == 404
        assert sign_in(dave).get(at("world_csv", built.pk, table)).status_code == 404


def test_a_world_is_taken_away_as_sqlite_and_as_csv(built, dave, sign_in, tmp_path):
    file = tmp_path / "world.sqlite"
    file.write_bytes(b"".join(sign_in(dave).get(at("world_download", built.pk)).streaming_content))
    assert sqlite3.connect(file).execute("select count(*) from shop_order").fetchone() == (20,)
    text = b"".join(sign_in(dave).get(at("world_csv", built.pk, "shop_order")).streaming_content).decode()
    assert text.splitlines()[0] == "id,state"
    assert len(text.splitlines()) == 21


def test_another_scenarios_world_is_not_found_here(built, small_scenario, dave, sign_in):
    other = small_scenario()
    assert sign_in(dave).get(reverse("world", args=("acme", other.key, built.pk))).status_code == 404


def test_the_list_asks_as_much_for_three_worlds_as_for_one(scenario, alice, sign_in):
    def queries():
        client = sign_in(alice)
        with CaptureQueriesContext(connection) as caught:
            client.get(at("worlds"))
        return len(caught)

    files = scenario.draft.head.files
    request_world(scenario=scenario, files=files, seed=1, user=alice)
    first = queries()
    for seed in (2, 3):
        request_world(scenario=scenario, files=files, seed=seed, user=alice)
    assert queries() == first
