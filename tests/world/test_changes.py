"""Net changes are what remains between the first state and the last, whichever actions lie between."""

from itertools import pairwise

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import EngineFault
from simulator.world.changes import NetChanges, RowChange, in_order, row_change

COLUMNS = ("id", "name", "amount")
values = st.sampled_from([None, 0, -0.0, 25, 25.0, 2.5, "25", "", "ä"])
states = st.dictionaries(st.integers(1, 4), st.tuples(values, values), max_size=4)


def rows_of(state):
    return {(key,): (key, *cells) for key, cells in state.items()}


def difference(old, new):
    """The changes from one state to another, each a mapping of key to row."""
    keys = sorted(old.keys() | new.keys())
    found = (row_change("t", key, COLUMNS, old.get(key), new.get(key)) for key in keys)
    return tuple(change for change in found if change is not None)


@given(st.lists(states, min_size=1, max_size=8))
@settings(max_examples=200)
def test_net_changes_are_the_difference_between_first_and_last(history):
    history = [rows_of(state) for state in history]
    net = NetChanges()
    for old, new in pairwise(history):
        net = net.merge(difference(old, new))
    assert net.rows() == difference(history[0], history[-1])


@given(st.lists(states, min_size=2, max_size=5), states)
def test_a_fork_keeps_its_net_changes_when_the_other_goes_on(history, other):
    history = [rows_of(state) for state in history]
    start = NetChanges().merge(difference(history[0], history[1]))
    kept = start.rows()
    start.merge(difference(history[1], rows_of(other)))
    assert start.rows() == kept


def insert(**row):
    return RowChange("t", "insert", (1,), None, {"id": 1, **row})


def update(old, new):
    return RowChange("t", "update", (1,), old, new)


def delete(**row):
    return RowChange("t", "delete", (1,), {"id": 1, **row}, None)


@pytest.mark.parametrize(
    ("actions", "net"),
    [
        ([insert(name="a"), delete(name="a")], ()),
        ([update({"name": "a"}, {"name": "b"}), update({"name": "b"}, {"name": "a"})], ()),
        ([update({"amount": 25}, {"amount": 26.0}), update({"amount": 26}, {"amount": 25.0})], ()),
        ([delete(name="a", amount=0), insert(name="a", amount=-0.0)], ()),
        ([delete(name="a", amount=1), insert(name="b", amount=1.0)], (update({"name": "a"}, {"name": "b"}),)),
        ([insert(name="a"), update({"name": "a"}, {"name": "b"})], (insert(name="b"),)),
        ([update({"name": "a"}, {"name": "b"}), delete(name="b")], (delete(name="a"),)),
        (
            [update({"name": "a"}, {"name": "b"}), update({"amount": 1}, {"amount": 2})],
            (update({"name": "a", "amount": 1}, {"name": "b", "amount": 2}),),
        ),
        ([update({"amount": 1}, {"amount": "1"})], (update({"amount": 1}, {"amount": "1"}),)),
    ],
)
def test_merging_follows_the_row(actions, net):
    merged = NetChanges()
    for action in actions:
        merged = merged.merge([action])
    assert merged.rows() == net


@pytest.mark.parametrize(
    "actions",
    [
        [insert(name="a"), insert(name="a")],
        [delete(name="a"), delete(name="a")],
        [delete(name="a"), update({"name": "a"}, {"name": "b"})],
        [update({"name": "a"}, {"name": "b"}), insert(name="a")],
    ],
)
def test_changes_that_cannot_follow_are_a_fault(actions):
    with pytest.raises(EngineFault):
        NetChanges().merge(actions)


@given(st.lists(st.one_of(st.none(), st.integers(-3, 3), st.floats(-3, 3), st.text(max_size=2)), unique=True))
def test_keys_are_ordered_as_sqlite_orders_them(keys):
    connection = apsw.Connection(":memory:")
    connection.execute("create table t(key)")
    connection.executemany("insert into t values(?)", [(key,) for key in keys])
    expected = [key for (key,) in connection.execute("select key from t order by key")]
    connection.close()
    changes = in_order(RowChange("t", "insert", (key,), None, {"key": key}) for key in keys)
    assert [change.key[0] for change in changes] == expected


def test_tables_come_in_order_of_their_names():
    changes = [RowChange(table, "delete", (key,), {}, None) for table in "bac" for key in (10, 9)]
    assert [(change.table, change.key) for change in in_order(changes)] == [
        (table, (key,)) for table in "abc" for key in (9, 10)
    ]
