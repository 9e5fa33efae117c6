"""What an agent is told: positions, suggestions, results, limits, times, flags."""

import pytest

from simulator.tools import DIALECTS
from tests.sql.agent.office import document, office


def verdict(place, sql):
    return place.explain(sql).verdict


@pytest.mark.parametrize(
    ("sql", "kind", "words"),
    [
        ("select * from tikcet", "sql_unknown_name", ["`tikcet` (line 1, column 15)", "Did you mean `ticket`?"]),
        ("select * from nothing_like_it", "sql_unknown_name", ["The tables are person, ticket"]),
        ("select\n  nmae from person", "sql_unknown_name", ["line 2, column 3", "id, name, email", "mean `name`?"]),
        ("select p.titel from person p, ticket t", "sql_unknown_name", ["`titel`", "`person`"]),
        ("select id from person, ticket", "sql_unknown_name", ["more than one", "alias before it"]),
        ("select lenght(name) from person", "sql_unknown_name", ["lenght()", "Did you mean `length`?"]),
        ("selct 1", "sql_syntax", ["`selct` begins no statement"]),
        ("select from where", "sql_syntax", ["near `from`", "column 8"]),
        ("select (1", "sql_syntax", ["never closed"]),
        ("select :id", "sql_syntax", ["parameter", "Write the value itself"]),
        ("select 1; select 2", "sql_syntax", ["more than one statement"]),
        ("update person set name = 'x'", "sql_forbidden", ["`person.name`", "you may read id, name"]),
        ("update ticket set id = 1", "sql_forbidden", ["`ticket.id`", "change title, status"]),
        ("insert into ticket (id, urgent, note) values (1, 2, 3)", "sql_unknown_name", ["`note`"]),
        ("select random()", "sql_forbidden", ["random()"]),
        ("with ticket as (select 1) select 1", "sql_unsupported", ["name of a table", "another name"]),
        ("insert into product values (1, 2)", "sql_syntax", ["2 values for 4 columns"]),
        ("insert into product (name, price, stock) values ('product 1', 1, 1)", "constraint", ["product.name"]),
        ("insert into line values (1, 999, 1)", "constraint", ["does not exist"]),
        ("insert into product values ('a', 'b', 1, 1)", "constraint", ["type of its column"]),
        ("select json_extract(name, '$.a') from person", "constraint", ["JSON"]),
    ],
)  # fmt: skip
def test_a_verdict_says_what_is_wrong_and_what_to_do(the_office, sql, kind, words):
    told = verdict(the_office, sql)
    assert told.kind == kind
    for word in words:
        assert word.lower() in told.message.lower(), told.message


def test_values_read_as_in_the_results_of_operations(the_office):
    explained = the_office.explain(
        "select id, urgent, tags, cost, opened_at, null as n, x'41' as b from ticket where id = 15"
    )
    assert explained.result == {
        "columns": ["id", "urgent", "tags", "cost", "opened_at", "n", "b"],
        "rows": [[15, True, ["a", 15], 18.75, "2026-02-15 10:00:00", None, "41"]],
    }


def test_a_write_tells_how_many_rows_it_changed_and_what_it_returns(the_office):
    explained = the_office.explain("update product set stock = 0 where id < 4 returning id, stock")
    assert explained.result == {"changed": 3, "columns": ["id", "stock"], "rows": [[1, 0], [2, 0], [3, 0]]}
    assert [change.key for change in explained.changes] == [(1,), (2,), (3,)]


def test_a_query_without_rows_still_has_columns(the_office):
    assert the_office.explain("select id, title as t from ticket where 0").result == {
        "columns": ["id", "t"],
        "rows": [],
    }


def test_an_explanation_names_what_is_read_and_written(the_office):
    explained = the_office.explain(
        "update ticket set status = 'x' where id in (select ticket_id from line where quantity > 1)"
    )
    assert explained.reads == ("line.quantity", "line.ticket_id", "ticket.id")
    assert explained.writes == ("update ticket.status",)
    view = the_office.toolbox.sql_tool("run_sql").judge("select count(*) from open_ticket", None)
    assert view.tables_read == {"open_ticket", "ticket"}


def test_rows_beyond_the_limit_are_cut_with_a_note(the_office):
    explained = the_office.explain("select a.id from product a, product b")
    assert explained.verdict.flags == ("truncated",)
    assert len(explained.result["rows"]) == 50
    assert explained.result["truncated"] is True
    assert "first 50" in explained.result["note"]
    assert "truncated" not in the_office.explain("select id from product").result


def test_bytes_beyond_the_limit_are_cut_with_a_note(the_office):
    explained = the_office.explain("select printf('%30000s', id) from product")
    assert len(explained.result["rows"]) == 3
    assert "too long" in explained.result["note"]


def test_a_statement_that_changes_too_many_rows_changes_none(the_office):
    explained = the_office.explain("delete from line")
    assert (explained.verdict.kind, explained.verdict.code) == ("sql_limit", "too_many_rows_changed")
    assert the_office.rows("select count(*) from line") == [(60,)]


def test_work_is_counted_the_same_each_time(the_office):
    sql = "select count(*) from product a, product b, product c"
    works = {the_office.explain(sql).work for _ in range(3)}
    assert len(works) == 1
    assert 50_000 < works.pop() < 100_000


def test_the_same_work_on_long_texts_counts_more(the_office):
    short = the_office.explain("select count(*) from product a, product b where length(printf('%900s', a.id)) > 1").work
    long = the_office.explain("select count(*) from product a, product b where length(printf('%7000s', a.id)) > 1").work
    assert long > 4 * short


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c",
        "select count(*) from product a, product b, product c, product d where printf('%90000s', a.id + "
        "b.id + c.id + d.id) like '%a%b'",
        "with v(x) as (select printf('%99000s', 'a')) select count(*) from v, product a, product b, "
        "product c where json_valid(x || a.id || b.id || c.id)",
        "with recursive c(n, x) as (select 1, 'x' union all select n + 1, substr(x || x, 1, 90000) from "
        "c) select max(length(x)) from c",
        "select group_concat(a.name || b.name || c.name) from product a, product b, product c",
        "insert into product with recursive c(x) as (select 900 union all select x + 1 from c) select x, "
        "'n' || x, 1, 1 from c",
        "select replace(printf('%9999s', 'x'), ' ', printf('%9999s', 'y'))",
    ],
)  # fmt: skip
def test_a_bomb_of_work_or_bytes_is_stopped(the_office, sql):
    assert verdict(the_office, sql).kind == "sql_limit"


def test_long_texts_of_the_world_can_be_read():
    tables_with_article = {"article": {"select": "*"}}
    of = document({**tables_with_article}, {"rows": 5, "bytes": 200_000, "work": 100_000})
    value = of.model_dump(mode="json", by_alias=True, exclude_unset=True)
    value["world"]["tables"]["article"] = {
        "rows": [{"id": 1, "body": "word " * 4_000}, {"id": 2, "body": "short"}],
        "columns": {"id": {"type": "integer", "key": True}, "body": {"type": "text"}},
    }
    with office(type(of).model_validate(value)) as place:
        assert place.rows("select length(body) from article order by id") == [(20_000,), (5,)]
        assert place.rows("select id from article where body like '%short%'") == [(2,)]


@pytest.mark.parametrize(
    ("condition", "form"),
    [
        ("opened_at > '2026-02-10'", "'2026-02-10 00:00:00'"),
        ("opened_at = '2026-02-03T10:00:00Z'", "'2026-02-03 10:00:00'"),
        ("t.opened_at <= '2026-02-03T12:00+02:00'", "'2026-02-03 10:00:00'"),
        ("'2026-02-03T10:00' >= opened_at", "'2026-02-03 10:00:00'"),
        ("opened_at between '2026-02-01' and '2026-02-03 10:00'", "'2026-02-03 10:00:00'"),
        ("opened_at not in ('2026-02-01', '2026-02-03T10:00')", "'2026-02-03 10:00:00'"),
    ],
)
def test_a_time_in_another_form_is_rewritten(the_office, condition, form):
    explained = the_office.explain(f"select id from ticket t where {condition} order by id")
    assert explained.verdict.flags == ("time_rewritten",)
    judged = the_office.tool.judge(f"select id from ticket t where {condition}", None)
    assert form in judged.live


@pytest.mark.parametrize(
    "sql",
    [
        "select id from ticket where opened_at > 'yesterday'",
        "select id from ticket where opened_at > 1770000000",
        "select id from ticket t where t.opened_at = '2026-02-30 10:00:00'",
        "select name from person where born > '1990-01-01 10:00:00'",
        "update ticket set opened_at = 'soon' where id = 3",
        "update ticket set opened_at = 'so' || 'on' where id = 3",
        "insert into ticket values (90, 'U-1', 't', 'open', 1, '10.02.2026', 0, '[]', 1)",
        "insert into ticket values (90, 'U-1', 't', 'open', 1, date('now'), 0, '[]', 1)",
    ],
)
def test_what_is_no_time_is_refused_as_one(the_office, sql):
    told = verdict(the_office, sql)
    assert told.kind == "bad_time"
    assert "YYYY-MM-DD" in told.message


@pytest.mark.parametrize(
    "sql",
    [
        "select strftime('%Y-%m', opened_at) as opened_at from ticket group by 1 having opened_at >= '2026-01'",
        "with m as (select strftime('%Y', opened_at) as opened_at from ticket) select * from m where "
        "m.opened_at = '2026'",
        "select id from ticket where opened_at like '2026-02%'",
        "select id from ticket where date(opened_at) = '2026-02-03'",
        "select id from ticket where opened_at > '2026-02-0' || '3 10:00:00'",
        "select id from ticket where title = 'yesterday' and status <> '2026'",
    ],
)
def test_what_only_looks_like_a_time_is_left_alone(the_office, sql):
    explained = the_office.explain(sql)
    assert explained.verdict.ok, explained.verdict
    assert explained.verdict.flags == ()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_where_that_chooses_nothing_is_flagged_in_every_dialect(dialect):
    with office(document(dialect=dialect)) as place:
        for where in (
            "1=1", "id = id", "true or id = 3", "id = 3 or 1 = 1", "id is not null", "not id is null", "2 > 1",
            "id in (select id from product)", "id in (select p.id from product p)", "not (1 = 2)", "id >= id",
            "id is not null and 1 = 1", "true",
        ):  # fmt: skip
            told = place.explain(f"update product set stock = 1 where {where}").verdict
            # A dialect without a boolean literal refuses what has one.
            assert told.flags == (("tautological_where",) if told.ok else ()), where
            assert told.ok or "true" in where, told
        for where in (
            "id = 3", "stock is not null and id = 3", "id in (select id from product where stock > 3)", "id = stock",
            "id in (select stock from product)", "id in (select ticket_id from line)", "name = '1'", "id is null",
            "id <> id", "1 = 2", "id in (select product_id from line, product where id = 4)", "stock >= 3",
        ):  # fmt: skip
            told = place.explain(f"update product set stock = 1 where {where}").verdict
            assert told.ok, (where, told)
            assert told.flags == (), where
        told = place.explain("delete from line where ticket_id = 3").verdict
        assert told.flags == ()


def test_an_absent_where_is_flagged_as_that(the_office):
    assert the_office.explain("update product set stock = 1").verdict.flags == ("no_where",)


def test_every_statement_leaves_the_world_as_it_was(the_office):
    before = the_office.database.store.pages()
    the_office.explain("update product set stock = 99")
    the_office.explain("delete from line where 1 = 1")
    assert the_office.database.store.pages() is before
