"""Columns that SQL derives: over the row, its parents, its history; bounded like every author's SQL."""

from __future__ import annotations

import pytest

from simulator.errors import ScenarioError, WorldError
from tests.world.worlds import NOW, column, made, problems, things


def test_an_expression_reads_other_columns_of_the_row_in_whatever_order_they_stand():
    rows = made(
        things(
            100,
            total={"type": "decimal(9,2)", "sql": "price * amount + fee"},
            fee={"type": "real", "sql": "case when price > 50 then 0 else 4.5 end"},
            price={"type": "decimal(6,2)", "number": {"uniform": [1, 100]}},
            amount={"type": "integer", "number": {"uniform": [1, 9]}},
            label={"type": "text", "template": "{total}"},
        )
    )
    for total, fee, price, amount, label in rows("select total, fee, price, amount, label from thing"):
        assert fee == (0 if price > 50 else 4.5)
        assert total == pytest.approx(price * amount + fee, abs=0.0051)
        assert float(label) == total


def test_an_expression_reads_parents_and_earlier_tables_by_subquery():
    tables = {
        "tier": {"rows": [{"name": "free", "share": 0}, {"name": "pro", "share": 20}]},
        "customer": {"rows": 50, "columns": {"id": {"type": "integer"}, "tier": {"ref": "tier"}}},
        "purchase": {
            "rows": {"per": "customer", "count": {"poisson": 3}},
            "columns": {
                "id": {"type": "integer"},
                "customer_id": {"ref": "customer"},
                "discount": {
                    "type": "integer",
                    "sql": "select share from tier join customer c on c.tier = tier.name where c.id = customer_id",
                },
            },
        },
        "report": {
            "rows": {"per": "customer", "count": 1},
            "columns": {
                "id": {"type": "integer"},
                "customer_id": {"ref": "customer"},
                "purchases": {
                    "type": "integer",
                    "sql": "(select count(*) from purchase where purchase.customer_id = report.customer_id)",
                },
            },
        },
    }
    rows = made(tables)
    wrong = (
        "select count(*) from purchase p join customer c on c.id = p.customer_id join tier t on t.name = c.tier where"
    )
    assert rows(f"{wrong} p.discount <> t.share") == [0]
    assert rows("select sum(purchases) = (select count(*) from purchase) from report") == [1]


def test_an_expression_sees_the_other_rows_of_its_table():
    rows = made(things(20, number={"type": "integer", "sequence": 5}, rank={"type": "integer", "sql": RANK}))
    assert rows("select rank from thing order by id") == list(range(20, 0, -1))


RANK = "1 + (select count(*) from thing other where other.number > thing.number)"


def test_the_clock_of_sql_is_the_worlds():
    assert column(rows=1, type="timestamp", sql="datetime('now')") == [NOW]
    assert column(rows=1, type="timestamp", sql="now()") == [NOW]
    assert column(rows=1, type="date", sql="date(current_timestamp, '-1 day')") == ["2026-03-01"]


def test_results_must_have_the_columns_type():
    assert column(rows=1, type="boolean", sql="1 < 2") == [1]
    assert column(rows=1, type="integer", sql="6 / 2.0") == [3]
    assert column(rows=1, type="json", sql="json_object('b', 1, 'a', 2)") == ['{"a":2,"b":1}']
    for model, message in [
        ({"type": "text", "sql": "1"}, "1 is not a text"),
        ({"type": "integer", "sql": "'x'"}, "'x' is not an integer"),
        ({"type": "integer", "sql": "id / 2.0"}, "0.5 is not an integer"),
        ({"type": "timestamp", "sql": "'soon'"}, "'soon' is not a moment"),
        ({"type": "integer", "sql": "null"}, "has no value"),
    ]:
        with pytest.raises(WorldError, match=rf"thing\.value: .*{message}"):
            column(rows=3, **model)


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("1) from sqlite_schema where (1", "sql_syntax"),
        ("(select group_concat(sql) from sqlite_schema)", "sql_forbidden"),
        ("random()", "sql_forbidden"),
        ("new_id('thing')", "sql_forbidden"),
        ("1; drop table thing", "sql_syntax"),
        ("count(*)", "sql_syntax"),
        ("prize * 2", "sql_unknown_name"),
        (":seed", "unbound_parameter"),
        ("select value from thing", "cyclic_columns"),
        ("(select count(*) from later)", "later_table"),
    ],
)
def test_what_no_expression_may_do_is_a_problem_at_its_place(sql, code):
    tables = {
        **things(3, value={"type": "integer", "sql": sql}),
        "later": {"rows": 1, "columns": {"id": {"type": "integer"}}},
    }
    found = problems(tables)
    assert found.get("tables.thing.columns.value.sql", found.get("tables.thing.columns.value")) == code
    with pytest.raises(ScenarioError):
        made(tables)


def test_an_expression_that_takes_too_much_work_is_stopped():
    work = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c"
    with pytest.raises(WorldError, match=r"thing\.value: the SQL takes too much work"):
        column(rows=1, type="integer", sql=work)


@pytest.mark.parametrize("source", [{"constant": "x" * 5000}, {"sql": "printf('%5000d', id)"}])
def test_a_world_of_more_bytes_than_are_made_is_stopped_while_rows_are_written(monkeypatch, source):
    monkeypatch.setattr("simulator.world.generation.tables.database._MOST_PAGES_IN_MEMORY", 1_000)
    made(things(500, value={"type": "text", **source}))
    with pytest.raises(WorldError, match=r"thing: the world grows beyond .*; lower its rows"):
        made(things(2_000, value={"type": "text", **source}))


def test_the_text_that_a_columns_sql_gives_is_bounded(monkeypatch):
    monkeypatch.setattr("simulator.world.generation.tables.database._MOST_TEXT", 1_000_000)
    with pytest.raises(WorldError, match=r"thing\.value: the SQL gives too many rows or too much text"):
        made(things(2_000, value={"type": "text", "sql": "printf('%1000d', id)"}))


def test_a_column_may_be_derived_from_the_history_of_its_row():
    rows = made(
        things(
            200,
            opened={"type": "timestamp", "time": {"from": "-60d"}},
            state={"type": "text", "lifecycle": "thing"},
            moves={"type": "integer", "sql": "select count(*) from log where thing_id = thing.id"},
        )
        | {"log": {"history_of": "thing"}},
        lifecycles=LIFECYCLE,
    )
    counted = "select sum(moves), (select count(*) from log) from thing"
    assert rows(counted)[0][0] == rows(counted)[0][1] > 100


LIFECYCLE = {
    "thing": {
        "start": "new",
        "at": "opened",
        "steps": [
            {"from": "new", "to": "open", "after": {"exponential": "3d"}},
            {"from": "open", "to": "waiting", "after": {"exponential": "5d"}},
            {"from": ["open", "waiting"], "to": "closed", "after": {"lognormal": ["10d", 1]}, "weight": 3},
            {"from": "closed", "to": "open"},
        ],
    }
}


def test_history_status_and_times_agree():
    rows = made(
        things(
            300,
            opened={"type": "timestamp", "time": {"from": "-60d"}},
            state={"type": "text", "lifecycle": "thing"},
            closed={"type": "timestamp", "time": {"entered": "closed"}},
            started={"type": "date", "time": {"entered": ["new", "open"]}},
        )
        | {"log": {"history_of": "thing"}},
        lifecycles=LIFECYCLE,
    )
    assert rows("select id from log order by at, thing_id") == rows("select id from log order by id")
    histories: dict[int, list[tuple[str, str, str]]] = {}
    for thing, *step in rows("select thing_id, from_state, to_state, at from log order by id"):
        histories.setdefault(thing, []).append(tuple(step))
    states = set()
    for key, opened, state, closed, started in rows("select id, opened, state, closed, started from thing"):
        steps = histories.get(key, [])
        assert [origin for origin, _, _ in steps] == ["new", *(to for _, to, _ in steps)][: len(steps)]
        assert state == (steps[-1][1] if steps else "new")
        assert sorted({opened, *(at for *_, at in steps)}) == [opened, *(at for *_, at in steps)]
        assert all(at <= NOW for *_, at in steps)
        assert closed == next((at for _, to, at in reversed(steps) if to == "closed"), None)
        assert started == next((at for _, to, at in reversed(steps) if to == "open"), opened)[:10]
        assert ("closed", "open") not in {step[:2] for step in steps}  # no `after`: never in generated history
        states.add(state)
    assert states == {"new", "open", "waiting", "closed"}
