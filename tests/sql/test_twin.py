"""What the twin tells of a statement, and how it words what is wrong."""

import pytest

from simulator.errors import EngineFault
from simulator.sql import Cte, ResultColumn, RowNames, StatementFacts, Twin, row_set_cte


def _only(problems):
    assert isinstance(problems, list)
    assert len(problems) == 1, problems
    return problems[0]


def test_facts_name_columns_with_their_origin_and_type(twin):
    sql = "select o.id, o.total as sum, c.name || '!' as shout, b.status from orders o, customer c, before.orders b"
    assert twin.analyse(sql, role="query").columns == (
        ResultColumn("id", "INTEGER", "main", "orders", "id"),
        ResultColumn("sum", "REAL", "main", "orders", "total"),
        ResultColumn("shout"),
        ResultColumn("status", "TEXT", "before", "orders", "status"),
    )


def test_facts_see_through_views_and_ctes(twin):
    facts = twin.analyse("with v as (select total from open_order) select total from v", role="query")
    assert facts.columns == (ResultColumn("total", "REAL", "main", "orders", "total"),)
    assert ("main", "orders", "status") in facts.reads
    assert facts.tables_read == {"open_order", "orders"}


def test_facts_tell_reads_of_the_start_from_reads_of_the_world(twin):
    facts = twin.analyse("select status from before.orders where id = :id", role="query")
    assert facts.reads == (("before", "orders", "id"), ("before", "orders", "status"))
    assert facts.tables_read == frozenset()


def test_counting_rows_reads_their_table(twin):
    assert twin.analyse("select count(*) from orders", role="query").tables_read == {"orders"}
    assert twin.analyse("select 1 from orders, product", role="query").tables_read == {"orders", "product"}


def test_facts_of_a_write_name_what_is_written_and_called(twin):
    facts = twin.analyse("update orders set total = round(:t, 1), status = 'x' where id = :id", role="write")
    assert facts.kind == "update"
    assert ("update", "orders", "status") in facts.writes
    assert ("update", "orders", "total") in facts.writes
    assert "round" in facts.functions
    assert facts.parameters == ("t", "id")
    insert = twin.analyse(
        "insert into product (id, name) values (1, 'a') on conflict do update set name = 'b'", role="write"
    )
    assert insert.kind == "insert"
    assert insert.writes == (("insert", "product", ""), ("update", "product", "name"))
    assert twin.analyse("delete from product", role="write").kind == "delete"


def test_row_sets_are_readable_and_their_parameter_is_named(twin):
    facts = twin.analyse(
        "select p.a from pair p where p.b > :min", role="query", ctes=(row_set_cte("pair", ("a", "b")),)
    )
    assert facts.parameters == ("_pair", "min")
    assert facts.columns == (ResultColumn("a"),)
    assert facts.reads == ()


def test_a_row_set_that_is_not_there_is_an_unknown_table(twin):
    problem = _only(twin.analyse("select a from pair", role="query"))
    assert (problem.code, problem.names) == ("sql_unknown_name", ("pair",))


def test_ctes_see_earlier_ones(twin):
    ctes = (row_set_cte("pair", ("a",)), Cte("double", ("d",), "select a * 2 from pair"))
    assert isinstance(twin.analyse("select d from double", role="query", ctes=ctes), StatementFacts)


def test_a_condition_over_rows_names_their_columns(twin):
    rows = (RowNames("old", ("id", "status")), RowNames("new", ("id", "status")))
    facts = twin.analyse("new.status <> old.status and :actor is not null", role="condition", over=rows)
    assert facts.parameters == ("actor", "_old", "_new")
    problem = _only(twin.analyse("new.stats <> 'x'", role="condition", over=rows))
    assert problem.suggestion == "Did you mean `status`?"
    assert (problem.line, problem.column) == (1, 1)


@pytest.mark.parametrize(
    ("sql", "message", "suggestion"),
    [
        (
            "select emial from customer",
            "There is no column `emial` in `customer`; its columns are id, name, email, ssn.",
            "Did you mean `email`?",
        ),
        ("select c.nme from customer as c", "There is no column `nme` in `customer`", "Did you mean `name`?"),
        ("select x.nme from customer c", "`x.nme`: nothing in this statement is called `x`.", ""),
        ("select s.nme from (select 1 as name) s", "There is no column `nme` in `s`.", ""),
        (
            "select quantty from orders join order_item on order_id = orders.id",
            "There is no column `quantty` in `orders`, `order_item`.",
            "Did you mean `order_item.quantity`?",
        ),
        ("select * from ordrs", "There is no table `ordrs`.", "Did you mean `orders`?"),
        ("select * from before.ordrs", "There is no table `before.ordrs`.", "Did you mean `before.orders`?"),
        ("select tol from action", "There is no column `tol` in `action`", "Did you mean `tool`?"),
        ("select coalsce(1, 2)", "There is no function coalsce().", "Did you mean `coalesce`?"),
        ("select id from orders, product", "The column `id` is in more than one of these tables.", "Write its table"),
        ('select id from orders where status = "open"', "There is no column `open` in `orders`", "'open'"),
        (
            "insert into product (id, nam) values (1, 'x')",
            "There is no column `nam` in `product`",
            "Did you mean `name`?",
        ),
        ("update product set catgory = 'x'", "There is no column `catgory` in `product`", "Did you mean `category`?"),
    ],
)
def test_unknown_names_are_reported_with_what_was_probably_meant(twin, sql, message, suggestion):
    role = "write" if sql.startswith(("insert", "update")) else "query"
    problem = _only(twin.analyse(sql, role=role))
    assert problem.code == "sql_unknown_name"
    assert message in problem.message
    assert suggestion in problem.suggestion


def test_all_unknown_columns_are_reported_at_once(twin):
    problems = twin.analyse("select nme, emial,\n  c.sssn from customer c where idd = :id", role="query")
    assert [problem.names for problem in problems] == [("nme",), ("emial",), ("c.sssn",), ("idd",)]
    assert [(problem.line, problem.column) for problem in problems] == [(1, 8), (1, 13), (2, 3), (2, 32)]


def test_places_are_those_of_the_authors_text_whatever_is_laid_around_it(twin):
    ctes = (row_set_cte("pair", ("a",)),)
    problem = _only(twin.analyse("with x as (select a from pair)\nselect 'ü', nope from x", role="query", ctes=ctes))
    assert (problem.line, problem.column) == (2, 13)
    problem = _only(twin.analyse("1 = 1 and\nnope = (select a from pair)", role="condition", ctes=ctes))
    assert (problem.line, problem.column) == (2, 1)


def test_updating_a_key_names_every_key_column(twin):
    problems = twin.analyse("update order_item set order_id = 1, position = 2, price = 3", role="write")
    assert [(problem.code, problem.names) for problem in problems] == [
        ("key_update", ("order_item", "order_id")),
        ("key_update", ("order_item", "position")),
    ]


def test_a_refusal_leaves_nothing_behind_for_the_next_statement(twin):
    assert isinstance(twin.analyse("select note from _meta", role="query"), list)
    assert isinstance(twin.analyse("select 1", role="query"), StatementFacts)


def test_nothing_runs_on_a_twin(twin):
    for sql in ("insert into product (id, name) values (1, 'x')", "insert into product (id, name) values (1, 'x')"):
        assert isinstance(twin.analyse(sql, role="write"), StatementFacts)
    # It would raise, had the function been called.
    assert isinstance(twin.analyse("select new_id('orders'), now()", role="query"), StatementFacts)
    assert isinstance(twin.analyse("select calculate('1/0')", role="query"), StatementFacts)


def test_views_are_checked_and_then_readable_in_the_world_and_its_start():
    twin = Twin("create table t (a text not null primary key, b integer) strict")
    assert twin.define_view("big", "select a, b from t where b > 10;") == []
    assert twin.define_view("bigger", "select a from big where b > 100") == []
    facts = twin.analyse("select n.a from bigger n left join before.bigger o using (a) where o.a is null", role="query")
    assert facts.tables_read == {"bigger", "big", "t"}
    problem = _only(twin.analyse("select bb from big", role="query"))
    assert "its columns are a, b" in problem.message


@pytest.mark.parametrize(
    ("name", "sql", "code"),
    [
        ("v", "select c from t", "sql_unknown_name"),
        ("v", "select a from v", "sql_unknown_name"),
        ("v", "delete from t", "not_a_query"),
        ("v", "select a from t where b = :b", "sql_syntax"),
        ("v", "select random() from t", "sql_forbidden"),
        ("v", "select a from t; select 1", "sql_syntax"),
        ("t", "select 1", "sql_syntax"),
    ],
)
def test_a_view_that_cannot_be_is_refused(name, sql, code):
    twin = Twin("create table t (a text not null primary key, b integer) strict")
    assert _only(twin.define_view(name, sql)).code == code
    assert isinstance(twin.analyse("select a from v", role="query"), list)


def test_a_schema_that_is_not_valid_is_the_engines_fault():
    with pytest.raises(EngineFault, match="schema"):
        Twin("create table t (")
