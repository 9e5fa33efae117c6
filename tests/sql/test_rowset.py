"""Row sets and the engine's tables show their rows exactly."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.sql import assemble, row_set, row_set_cte
from simulator.sql.rowset import ListTable, register_list_table, register_row_sets

_VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(blacklist_categories=["Cs"]), max_size=10),
    st.binary(max_size=10),
)


@pytest.fixture(scope="module")
def connection():
    connection = apsw.Connection(":memory:")
    register_row_sets(connection)
    return connection


@given(st.lists(st.tuples(_VALUES, _VALUES, _VALUES), max_size=8))
def test_values_come_out_as_they_went_in(connection, rows):
    text = assemble("select a, b, c from pair", (row_set_cte("pair", ("a", "b", "c")),))
    got = connection.execute(text.sql, {"_pair": row_set(rows)}).fetchall()
    assert got == rows
    assert [[type(value) for value in row] for row in got] == [[type(value) for value in row] for row in rows]


def test_floats_keep_their_bits(connection):
    rows = [(0.1 + 0.2,), (-0.0,), (5e-324,), (1.7976931348623157e308,)]
    text = assemble("select a from pair", (row_set_cte("pair", ("a",)),))
    got = connection.execute(text.sql, {"_pair": row_set(rows)}).fetchall()
    assert [value.hex() for (value,) in got] == [value.hex() for (value,) in rows]


def test_rows_keep_their_order_and_two_row_sets_do_not_mix(connection):
    ctes = (row_set_cte("first", ("n",)), row_set_cte("second", ("n",)))
    text = assemble("select f.n, s.n from first f join second s on s.n = f.n * 10", ctes)
    bound = {"_first": row_set([(3,), (1,), (2,)]), "_second": row_set([(10,), (20,), (30,)])}
    assert connection.execute(text.sql, bound).fetchall() == [(3, 30), (1, 10), (2, 20)]


def test_a_prepared_statement_reads_the_rows_bound_last(connection):
    text = assemble("select sum(n) from some", (row_set_cte("some", ("n",)),))
    for count in range(5):
        rows = [(number,) for number in range(count + 1)]
        assert connection.execute(text.sql, {"_some": row_set(rows)}).fetchall() == [(sum(range(count + 1)),)]


def test_a_row_set_can_be_walked_many_times_in_one_statement(connection):
    text = assemble("select count(*) from some a, some b, some c", (row_set_cte("some", ("n",)),))
    assert connection.execute(text.sql, {"_some": row_set([(1,), (2,), (3,)])}).fetchall() == [(27,)]


@pytest.mark.parametrize("handle", [None, 0, 1, 140_000_000_000_000, "x", b"x", 1.5])
def test_nothing_but_bound_rows_opens_a_row_set(connection, handle):
    assert connection.execute("select * from _rows(?)", (handle,)).fetchall() == []


def test_without_a_handle_there_are_no_rows(connection):
    assert connection.execute("select count(*) from _rows").fetchall() == [(0,)]


def test_a_list_table_shows_what_the_list_holds_now():
    connection = apsw.Connection(":memory:")
    rows = []
    register_list_table(connection, ListTable("log", ("step", "said so"), lambda: rows))
    sql = 'select step, "said so" from log where step > 1 order by step desc'
    assert connection.execute(sql).fetchall() == []
    rows += [(1, "a"), (2, "b"), (3, None)]
    assert connection.execute(sql).fetchall() == [(3, None), (2, "b")]


def test_a_list_table_cannot_be_written():
    connection = apsw.Connection(":memory:")
    register_list_table(connection, ListTable("log", ("step",), tuple))
    with pytest.raises(apsw.SQLError, match="may not be modified"):
        connection.execute("insert into log values (1)")


def test_a_view_can_read_a_list_table_though_the_schema_is_not_trusted(shop):
    shop.guarded.connection.execute("create view calls as select tool from action")
    shop.guarded.authorizer.add_table("calls")
    shop.actions.append((1, 1, "look", "{}", "ok", "", "", ""))
    assert shop.run("select tool from calls") == [("look",)]
