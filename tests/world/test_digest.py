"""Equal rows have equal digests, however they came about."""

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.world.changes import NetChanges, RowChange, row_change
from simulator.world.digest import delta, state_digest
from simulator.world.image import Image
from simulator.world.overlay import Pages
from simulator.world.store import Store

SCHEMA = """
    create table item(id integer primary key, name text, amount any) strict;
    create table link(source integer, kind text, note text, primary key(kind, source)) strict, without rowid;
    insert into item values(1, 'one', 1), (2, 'two', 2.5), (3, null, '3');
    insert into link values(1, 'a', null), (1, 'b', 'x');
"""
TABLES = {"item": (("id", "name", "amount"), (0,)), "link": (("source", "kind", "note"), (1, 0))}


def image():
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA)
    return Image.from_bytes(connection.serialize("main"))


def by_key(connection, schema, table):
    columns, positions = TABLES[table]
    rows = connection.execute(f"select {', '.join(columns)} from {schema}.{table}")
    return {tuple(row[position] for position in positions): row for row in rows}


def recomputed(connection):
    """The delta of the state, by comparing whole tables with the image."""
    changes = []
    for table, (columns, _) in TABLES.items():
        old, new = by_key(connection, "before", table), by_key(connection, "main", table)
        for key in old.keys() | new.keys():
            change = row_change(table, key, columns, old.get(key), new.get(key))
            if change is not None:
                changes.append(change)
    return delta(changes)


ids = st.integers(1, 5)
values = st.sampled_from([None, 1, 1.0, 0, -0.0, 2.5, "1", "two", ""])
kinds = st.sampled_from(["a", "b", "c"])
statements = st.one_of(
    st.tuples(st.just("insert or replace into item values(?, ?, ?)"), ids, st.sampled_from(["one", "two"]), values),
    st.tuples(st.just("update item set amount = ? where id = ?"), values, ids),
    st.tuples(st.just("update or ignore item set id = ? where id = ?"), ids, ids),
    st.tuples(st.just("delete from item where id = ?"), ids),
    st.tuples(st.just("replace into link values(?, ?, ?)"), ids, kinds, st.sampled_from([None, "x", "y"])),
    st.tuples(st.just("update or replace link set kind = ? where source = ?"), kinds, ids),
    st.tuples(st.just("delete from link")),
)


@given(st.lists(st.one_of(st.lists(statements, min_size=1, max_size=4), st.integers(0, 99)), max_size=12))
@settings(max_examples=100)
def test_the_digest_follows_the_rows_and_not_the_path(history):
    """An action is a list of statements; a number goes back to an earlier state of any branch."""
    with Store(image()) as store:
        base = Pages.none(store.image)
        store.lay(base, base, 0)
        states = [(base, 0, NetChanges())]
        seen = {}
        for action in history:
            pages, total, net = states[-1] if isinstance(action, list) else states[action % len(states)]
            store.lay(pages, base, 0)
            if isinstance(action, list):
                with store.record() as recorder:
                    for sql, *bindings in action:
                        store.connection.execute(sql, bindings)
                    changes = recorder.changes
                total, net = (total + delta(changes)) % 2**128, net.merge(changes)
            states.append((store.pages(), total, net))
            assert total == recomputed(store.connection) == delta(net.rows())
            contents = repr([sorted(by_key(store.connection, "main", table).items(), key=repr) for table in TABLES])
            # 1 and 1.0 are the same value to the digest
            contents = contents.replace("-0.0", "0").replace("1.0", "1")
            digest = state_digest(store.image.content_digest, total)
            assert seen.setdefault(contents, digest) == digest
        assert len(set(seen.values())) == len(seen)


def changed(**new):
    return [RowChange("t", "update", (1,), dict.fromkeys(new), new)]


def test_numbers_count_by_value():
    assert delta(changed(a=25)) == delta(changed(a=25.0))
    assert delta(changed(a=0)) == delta(changed(a=-0.0))
    assert delta([RowChange("t", "insert", (1,), None, {})]) == delta([RowChange("t", "insert", (1.0,), None, {})])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (changed(a=25), changed(a="25")),
        (changed(a="x"), changed(a=b"x")),
        (changed(a=1, b=2), changed(a=2, b=1)),
        (changed(a=2**63 - 1), changed(a=float(2**63))),
        (changed(a=0.1), changed(a=0.1 + 2**-56)),
        (changed(a="bc"), [RowChange("ta", "update", (1,), {"": None}, {"": "bc"})]),
        (
            [RowChange("t", "insert", ("a", "bc"), None, {"x": 1})],
            [RowChange("t", "insert", ("ab", "c"), None, {"x": 1})],
        ),
        ([RowChange("t", "insert", (1,), None, {"x": None})], []),
    ],
)
def test_different_cells_count_differently(one, other):
    assert delta(one) != delta(other)


def test_a_change_and_its_reverse_cancel():
    there = RowChange("t", "update", (1,), {"a": 1}, {"a": None})
    back = RowChange("t", "update", (1,), {"a": None}, {"a": 1})
    assert (delta([there]) + delta([back])) % 2**128 == 0
    assert delta([there, back]) == 0


def test_the_digest_is_stable_and_names_the_image():
    assert state_digest("ab", 0) != state_digest("ac", 0) != state_digest("ac", 1)
    assert state_digest("ab", 2**128 + 1) == state_digest("ab", 1)
    # Recorded trajectories hold digests: this value must not change.
    assert state_digest("ab", delta(changed(a="x", b=2.5, c=7))) == "f8b7ef9cd775362834034cc162119770"
