"""On a live connection, policies and limits hold whatever runs."""

import apsw
import pytest

from simulator.sql import AuthorPolicy, FunctionProblem, connection_setup
from simulator.sql.limits import WorkLimit
from tests.sql.conftest import QUERY, WRITE, World

_BOMBS = {
    "recursive": "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c",
    "cross join": "with recursive c(x) as (select 1 union all select x + 1 from c limit 1000) "
    "select count(*) from c a, c b, c d, c e",
    "sorting": "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c order by -x",
    "correlated": "with recursive c(x) as (select 1 union all select x + 1 from c limit 3000) "
    "select max((select sum(d.x * c.x) from c d)) from c",
    "window": "with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x) over () from c",
    "json": "with recursive c(x) as (select 1 union all select x + 1 from c) select json_group_array(x) from c",
}


@pytest.mark.parametrize("sql", [pytest.param(sql, id=name) for name, sql in _BOMBS.items()])
def test_a_bomb_is_interrupted_by_the_work_limit(shop, sql):
    with pytest.raises(apsw.InterruptError):
        shop.run(sql, work=1_000_000)
    assert shop.guarded.work.excess == "work"


def test_the_work_limit_cuts_at_the_same_place_every_time(shop):
    def fits(limit):
        numbers = "with recursive c(x) as (select 1 union all select x + 1 from c limit 5000)"
        try:
            return shop.run(f"/* {limit} */ {numbers} select sum(x) from c", work=limit) == [(5000 * 5001 // 2,)]
        except apsw.InterruptError:
            return False

    first = [limit for limit in range(20_000, 120_000, 1_000) if fits(limit)]
    again = [limit for limit in range(20_000, 120_000, 1_000) if fits(limit)]
    assert first
    assert first[0] > 20_000
    assert first == again == list(range(first[0], 120_000, 1_000))


def test_a_statement_that_needs_too_much_memory_is_interrupted(shop, monkeypatch):
    monkeypatch.setattr(WorkLimit, "MEMORY", 10_000_000)
    numbers = "with recursive c(x) as (select 1 union all select x + 1 from c)"
    sql = f"{numbers} select printf('%9000s', x) as y from c order by y"
    with pytest.raises(apsw.InterruptError):
        shop.run(sql, work=1_000_000_000)
    assert shop.guarded.work.excess == "memory"


def test_a_statement_that_runs_too_long_is_interrupted(shop, monkeypatch):
    monkeypatch.setattr(WorkLimit, "WATCHDOG", 0.0)
    with pytest.raises(apsw.InterruptError):
        shop.run(_BOMBS["recursive"], work=1_000_000_000)
    assert shop.guarded.work.excess == "time"


def test_the_work_of_a_statement_inside_another_is_counted_apart(shop):
    work = shop.guarded.work
    outer = work.start(50_000)
    with pytest.raises(apsw.InterruptError):
        shop.run(_BOMBS["recursive"], work=1_000_000)
    work.stop(outer)
    assert shop.run("select count(*) from product") == [(2,)]
    unlimited = "with recursive c(x) as (select 1 union all select x + 1 from c limit 100000) select count(*) from c"
    assert shop.guarded.connection.execute(unlimited).fetchall() == [(100_000,)]


def test_an_interrupted_write_takes_the_whole_transaction_with_it(shop):
    connection = shop.guarded.connection
    connection.execute("savepoint step")
    connection.execute("delete from product")
    bomb = (
        "insert into article with recursive c(x) as (select 1 union all select x + 1 from c) select x, 'a', 'b' from c"
    )
    with pytest.raises(apsw.InterruptError):
        shop.run(bomb, policy=WRITE, work=100_000)
    assert not connection.in_transaction
    assert shop.run("select count(*) from product") == [(2,)]


@pytest.mark.parametrize(
    "sql",
    [
        "select printf('%1000000000s', 'x')",
        "select replace(printf('%1000s', ''), ' ', printf('%9000s', 'x'))",
        "with recursive c(x) as (select 'x' union all select x || x from c limit 40) select max(length(x)) from c",
    ],
)
def test_a_value_longer_than_a_megabyte_is_refused(shop, sql):
    with pytest.raises(apsw.TooBigError):
        shop.run(sql)


def test_a_statement_prepared_for_a_write_is_not_reused_for_a_query(shop):
    sql = "delete from product where id = 1"
    shop.run(sql, policy=WRITE)
    for _ in range(3):
        with pytest.raises(apsw.AuthError):
            shop.run(sql, policy=QUERY)
    assert shop.guarded.authorizer.denial.code == "sql_forbidden"
    shop.run(sql, policy=WRITE)


def test_a_statement_the_engine_prepared_is_not_reused_for_an_author(shop):
    assert shop.guarded.connection.execute("select note from _meta").fetchall() == [("secret",)]
    with pytest.raises(apsw.AuthError):
        shop.run("select note from _meta")


@pytest.mark.parametrize(
    "sql",
    [
        "select * from sqlite_schema",
        "select count(*) from dbstat",
        "select note from _meta",
        "update before.product set name = 'x'",
        "insert into order_event values (1, 1, 'a', 'b', 'c')",
        "pragma table_info(orders)",
        "pragma data_version = 1",
        "create table t (x)",
        "begin",
        "attach ':memory:' as other",
        "detach before",
        "vacuum into '/dev/null'",
        "analyze",
        "select random()",
        "select load_extension('x')",
    ],
)
def test_the_authorizer_alone_stops_what_the_gate_never_saw(shop, sql):
    with pytest.raises((apsw.AuthError, apsw.SQLError)):
        shop.run(sql, policy=WRITE)


def test_nothing_more_can_be_attached_even_by_the_engine(shop):
    with pytest.raises(apsw.SQLError, match="too many attached databases"):
        shop.guarded.connection.execute("attach ':memory:' as other")


def test_a_double_quoted_string_is_an_error_and_not_a_string(shop):
    with pytest.raises(apsw.SQLError, match="no such column"):
        shop.run('select "open"')


def test_triggers_round_decimals_for_authors_though_the_schema_is_not_trusted(shop):
    insert = "insert into orders values (:id, 'C1', null, 'open', :total, null, now())"
    shop.run(insert, {"id": 1, "total": 2.675}, policy=WRITE)
    shop.run("update orders set total = 1.005 where id = 1", policy=WRITE)
    shop.run(insert, {"id": 2, "total": None}, policy=WRITE)
    assert shop.run("select total from orders order by id") == [(1.01,), (None,)]


def test_a_view_gives_no_access_its_reader_lacks(shop):
    shop.guarded.connection.execute("create view leak as select note from _meta")
    shop.guarded.authorizer.add_table("leak")
    with pytest.raises(apsw.AuthError):
        shop.run("select * from leak")


def test_full_text_tables_can_be_searched_and_written():
    connection = apsw.Connection(":memory:")
    connection.execute(
        "create virtual table page using fts5(body); insert into page values ('hello big world')"
    ).fetchall()
    guarded = connection_setup(connection, context=World())
    guarded.authorizer.policy = AuthorPolicy("write", writes=True)
    connection.execute("insert into page values ('second')")
    found = connection.execute("select snippet(page, 0, '[', ']', '…', 4) from page where page match 'big'").fetchall()
    assert found == [("hello [big] world",)]


def test_a_function_that_refuses_its_argument_stops_the_statement(shop):
    with pytest.raises(FunctionProblem):
        shop.run("select calculate('2 +')")
