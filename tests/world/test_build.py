"""Worlds as images: the example of the language, what a world knows of itself, saving and opening, determinism."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.errors import WorldError
from simulator.scenario.loading import parse_document
from simulator.sql.schema import build_schema
from simulator.version import ENGINE_VERSION
from simulator.world import Database, build_world, open_world, world_problems
from simulator.world.overlay import Pages
from tests.world.worlds import Rows, made, scenario, things

SUPPORT_DESK = {
    "worldwright": 1,
    "id": "support-desk",
    "version": "1.0.0",
    "title": "Support desk",
    "world": {
        "now": "2026-03-02 09:00:00",
        "locale": ["en_US", "de_DE"],
        "tables": {
            "team": {"rows": [{"id": 1, "name": "Billing"}, {"id": 2, "name": "Network"}]},
            "customer": {
                "rows": 400,
                "columns": {
                    "id": {"type": "text", "key": True, "pattern": "C-%05d"},
                    "name": {"type": "text", "faker": "name"},
                    "email": {"type": "text", "faker": "email", "unique": True},
                    "tier": {"type": "text", "choice": {"free": 70, "pro": 25, "enterprise": 5}},
                    "seats": {"type": "integer", "number": {"lognormal": [2.5, 1.0], "min": 1, "max": 5000}},
                    "since": {"type": "timestamp", "time": {"from": "-3y", "to": "-30d"}},
                },
            },
            "ticket": {
                "rows": {"per": "customer", "count": {"poisson": 5}},
                "columns": {
                    "id": {"type": "integer", "key": True},
                    "customer_id": {"ref": "customer"},
                    "team_id": {"ref": "team", "choice": "zipf"},
                    "topic": {"type": "text", "choice": ["invoice", "outage", "login"]},
                    "priority": {"type": "integer", "choice": {"1": 5, "2": 25, "3": 70}},
                    "fee": {"type": "decimal(8,2)", "number": {"exponential": 20}},
                    "opened_at": {"type": "timestamp", "time": {"after": "customer.since", "to": "now"}},
                    "status": {"type": "text", "lifecycle": "ticket"},
                    "resolution": {"type": "text", "missing": "status <> 'closed'", "faker": "sentence"},
                },
            },
            "ticket_event": {"history_of": "ticket"},
        },
        "lifecycles": {
            "ticket": {
                "start": "new",
                "at": "opened_at",
                "steps": [
                    {"from": "new", "to": "open", "after": {"exponential": "2h"}},
                    {"from": "open", "to": "pending", "after": {"exponential": "1d"}, "weight": 3},
                    {"from": "pending", "to": "open", "after": {"exponential": "2d"}},
                    {"from": "open", "to": "closed", "after": {"lognormal": ["1d", 1]}, "weight": 7},
                ],
            }
        },
        "views": {"open_ticket": "select * from ticket where status <> 'closed'"},
    },
    "tools": {"look": {"api": "GET /look", "summary": "Look.", "returns": {"one": "select 1 as one"}}},
}


@pytest.fixture(scope="module")
def desk():
    return build_world(parse_document(SUPPORT_DESK), 7)


def test_the_languages_example_builds_and_agrees_with_itself(desk):
    document = desk.scenario.document
    assert world_problems(document, build_schema(document)[0]) == []
    rows = Rows(desk)
    assert rows("select count(*) from customer") == [400]
    assert 1800 < rows("select count(*) from ticket")[0] < 2200
    assert rows("select count(*) from ticket t join customer c on c.id = t.customer_id where opened_at < since") == [0]
    assert rows("select count(*) from ticket where (status = 'closed') <> (resolution is not null)") == [0]
    last = "select to_state from ticket_event e where e.ticket_id = t.id order by e.id desc limit 1"
    assert rows(f"select count(*) from ticket t where status <> coalesce(({last}), 'new')") == [0]
    assert rows("select count(*) from open_ticket where status = 'closed'") == [0]
    assert rows("pragma foreign_key_check") == rows("pragma freelist_count")[:-1] == []
    assert rows("pragma integrity_check") == ["ok"]


def test_decimals_are_rounded_when_the_world_is_written_in_an_episode(desk):
    with Database(desk) as database:
        none = Pages.none(desk.image)
        with database.store.lock:
            database.store.lay(none, none, 0)
            with database.store.record():
                database.write("update ticket set fee = 2.675 where id = 1", {})
            assert database.value("select fee from ticket where id = 1", {}) == 2.68


def test_a_world_says_what_it_was_made_from(desk):
    facts = dict(Rows(desk)("select key, value from _world"))
    assert facts.pop("sqlite").startswith("3.")
    assert facts == {
        "language": "1", "scenario": "support-desk", "version": "1.0.0", "digest": desk.scenario.digest,
        "seed": "7", "scale": "1.0", "engine": ENGINE_VERSION,
    }  # fmt: skip


def test_text_that_faker_made_here_is_told():
    facts = dict(
        made(things(3, value={"type": "text", "faker": {"provider": "city", "locale": "it_IT"}}))(
            "select * from _world"
        )
    )
    assert json.loads(facts["pools"]) == ["it_IT/city"]
    assert "faker" in facts


def test_a_saved_world_is_opened_for_its_scenario_only(desk, tmp_path):
    path = tmp_path / "desk.world"
    path.write_bytes(b"older")
    desk.save(path)
    opened = open_world(path, desk.scenario)
    assert (opened.digest, opened.seed, opened.scale) == (desk.digest, 7, 1.0)
    assert [file.name for file in tmp_path.iterdir()] == ["desk.world"]
    other = parse_document({**SUPPORT_DESK, "title": "Another"})
    with pytest.raises(WorldError, match=f"{desk.scenario.digest}, not {other.digest}"):
        open_world(path, other)


def test_a_file_that_is_no_world_or_was_tampered_with_is_refused(desk, tmp_path):
    def changed(sql):
        path = tmp_path / "changed.world"
        rows = Rows(desk)
        rows.connection.execute(sql)
        path.write_bytes(rows.connection.serialize("main"))
        return path

    for sql, message in [
        ("drop table _world", "not a world"),
        ("update _world set value = '0.0.9' where key = 'engine'", f"0.0.9, not {ENGINE_VERSION}"),
        ("delete from _world where key = 'seed'", "seed"),
        ("drop trigger ticket__fee__insert", "lacks"),
        ("drop table _world; create view _world as select 1 as key, 2 as value", "not a world"),
    ]:
        with pytest.raises(WorldError, match=message):
            open_world(changed(sql), desk.scenario)
    (tmp_path / "text").write_text("hello " * 100)
    with pytest.raises(WorldError, match="not a SQLite database"):
        open_world(tmp_path / "text", desk.scenario)
    with pytest.raises(WorldError, match="cannot be read"):
        open_world(tmp_path / "nothing", desk.scenario)


def test_a_world_made_as_a_file_is_the_one_made_in_memory(desk, tmp_path):
    image = build_world(desk.scenario, 7, directory=tmp_path)
    assert image.digest == desk.digest
    assert len(list(tmp_path.iterdir())) == 1


def test_a_world_that_fails_leaves_no_file_behind(tmp_path):
    with pytest.raises(WorldError):
        made({"team": {"rows": [{"id": 1}, {"id": 1}]}}, directory=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_every_row_and_ends_with_all_of_them(desk):
    told = []
    build_world(desk.scenario, 7, progress=lambda done, total, table: told.append((done, total, table)))
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)
    assert all(done <= total for done, total, _ in told)
    rows = Rows(desk)
    count = sum(rows(f"select count(*) from {table}")[0] for table in SUPPORT_DESK["world"]["tables"])
    assert told[-1] == (count, count, "ticket")
    assert list(dict.fromkeys(table for *_, table in told)) == ["team", "customer", "ticket"]


def test_seeds_differ_and_one_seed_always_gives_the_same_world(desk):
    assert build_world(desk.scenario, 7).digest == desk.digest
    assert build_world(desk.scenario, 8).digest != desk.digest
    made(things(3), seed=2**80)
    with pytest.raises(WorldError, match="seed"):
        made(things(3), seed=-1)


def test_another_column_or_table_changes_no_value_of_the_others(desk):
    document = json.loads(json.dumps(SUPPORT_DESK))
    tables = document["world"]["tables"]
    tables["ticket"]["columns"] = {"weight": {"type": "real", "number": {"uniform": [0, 1]}}} | tables["ticket"][
        "columns"
    ]
    tables["customer"]["columns"]["manager"] = {"type": "text", "faker": "name"}
    tables["customer"]["columns"]["boss"] = {"ref": "customer", "nullable": True}
    document["world"]["tables"] = {"badge": {"rows": 5, "columns": {"id": {"type": "integer"}}}} | tables
    before, after = Rows(desk), Rows(build_world(parse_document(document), 7))
    for table in ("customer", "ticket", "ticket_event"):
        names = before(f"select name from pragma_table_info('{table}')")
        query = f"select {', '.join(names)} from {table} order by 1"
        assert before(query) == after(query)


def test_more_rows_leave_the_first_ones_as_they_are():
    columns = {
        "kind": {"type": "text", "choice": {"a": 1, "b": 2}},
        "size": {"type": "integer", "number": {"lognormal": [3, 1]}},
        "at": {"type": "timestamp", "time": {"from": "-1y"}},
        "code": {"type": "text", "uuid": True},
    }
    query = "select * from thing where id <= 100 order by id"
    assert made(things(100, **columns))(query) == made(things(100, **columns), scale=10)(query)


SCRIPT = """
import json, sys
from simulator.scenario.loading import parse_document
from simulator.world import build_world
print(build_world(parse_document(json.load(sys.stdin)), 7).digest)
"""


@pytest.mark.parametrize("features", ["", "AVX2 AVX512F FMA3 SSE42"])
def test_other_processes_hash_seeds_and_processors_give_the_same_bytes(desk, features):
    environment = {**os.environ, "PYTHONHASHSEED": "1234", "NPY_DISABLE_CPU_FEATURES": features}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT], input=json.dumps(SUPPORT_DESK), env=environment, text=True,
        capture_output=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout.strip() == desk.digest


def test_a_scenario_stays_what_it_is(desk):
    again = scenario(things(3)).document
    made(things(3))
    assert again == scenario(things(3)).document
