"""Laying row sets before a statement keeps the statement's meaning."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.sql import (
    AuthorPolicy,
    Cte,
    RowNames,
    Spliced,
    SqlProblem,
    assemble,
    parameters_of,
    row_set,
    row_set_cte,
)

_PAIR = row_set_cte("pair", ("a", "b"))
_ONE = Cte("one", ("x",), "select 1")
_TWO = Cte("two", ("y",), "select x + 1 from one")

_BEFORE = st.sampled_from(["", "  ", "-- with select\n", "/* insert ' */", "\n"])
_AFTER = st.sampled_from(["", ";", " ; ", " -- end", "\n/* pair */"])
_SELECTS = {
    "select x from one": [(1,)],
    "select y, x from two, one": [(2, 1)],
    "select 'one', x from one": [("one", 1)],
    "values ((select y from two))": [(2,)],
    "with a as (select x from one) select x from a": [(1,)],
    "WITH RECURSIVE n(i) as (select x from one union all select i + 1 from n where i < 3) select i from n": [
        (1,),
        (2,),
        (3,),
    ],
    "with two as (select 7 as y) select y from two": None,
    'select "x" from "one"': [(1,)],
    "select x from [one] union all select y from `two`": [(1,), (2,)],
}


@given(_BEFORE, st.sampled_from(sorted(_SELECTS)), _AFTER)
def test_a_cte_can_be_read_whatever_stands_around_the_statement(before, sql, after):
    text = assemble(before + sql + after, (_ONE, _TWO))
    assert isinstance(text, Spliced)
    connection = apsw.Connection(":memory:")
    expected = _SELECTS[sql]
    if expected is None:  # a name the statement defines itself is defined twice now
        with pytest.raises(apsw.SQLError, match="duplicate WITH table name"):
            connection.execute(text.sql)
    else:
        assert connection.execute(text.sql).fetchall() == expected


@given(_BEFORE, st.sampled_from(sorted(_SELECTS)))
def test_offsets_lead_back_to_the_authors_text(before, sql):
    text = assemble(before + sql, (_ONE, _TWO))
    original = (before + sql).rstrip()
    kept = [offset for offset in range(len(text.sql)) if text.original_offset(offset) >= 0]
    assert "".join(text.sql[offset] for offset in kept) == original
    assert [text.original_offset(offset) for offset in kept] == list(range(len(original)))


def test_only_the_ctes_a_statement_names_are_laid_before_it():
    assert assemble("select 1 -- one", (_ONE, _TWO)).sql == "select 1 -- one"
    assert assemble("select 'one'", (_ONE,)).sql.startswith(
        "with"
    )  # SQLite takes a string for a name, so this may be one
    assert "two" not in assemble("select x from one", (_ONE, _TWO)).sql
    assert parameters_of(assemble("select a, :z from pair", (_PAIR,)).sql) == ("_pair", "z")


@pytest.mark.parametrize(
    ("sql", "left"),
    [
        ("insert into t select a from pair", [(1,), (2,), (9,)]),
        ("insert into t values ((select max(a) + 1 from pair))", [(3,), (9,)]),
        ("insert into t select a from pair where true on conflict do nothing", [(1,), (2,), (9,)]),
        ("replace into t select a + 7 from pair", [(8,), (9,)]),
        ("update t set i = (select min(a) from pair)", [(1,)]),
        ("update t set i = p.a from pair p where p.b = 'y'", [(2,)]),
        ("delete from t where exists (select 1 from pair where b is null)", []),
        ("with more as (select a + 3 as c from pair) insert into t select c from more", [(4,), (5,), (9,)]),
    ],
)
def test_writes_can_read_row_sets(shop, sql, left):
    shop.guarded.connection.execute("create table t (i integer primary key); insert into t values (9)").fetchall()
    shop.guarded.authorizer.add_table("t")
    rows = [(1, None), (2, "y")]
    shop.run(assemble(sql, (_PAIR,)).sql, {"_pair": row_set(rows)}, policy=AuthorPolicy("write", writes=True))
    assert shop.run("select i from t order by i") == left


def test_a_condition_may_end_in_a_comment_and_name_rows_directly(shop):
    rows = (RowNames("old", ("status",)), RowNames("new", ("status",)))
    text = assemble("new.status <> old.status -- it moved", (), "condition", rows)
    bound = {"_old": row_set([("open",)]), "_new": row_set([("paid",)])}
    assert shop.run(text.sql, bound) == [(1,)]


def test_parameters_come_in_order_of_first_appearance_and_not_from_strings():
    assert parameters_of("select :b, ':c', :a, :b /* :d */ -- :e") == ("b", "a")


def test_a_refused_text_is_a_problem_with_its_place():
    problem = assemble("select 1\nfrom t where x = ?")
    assert isinstance(problem, SqlProblem)
    assert (problem.line, problem.column) == (2, 18)
