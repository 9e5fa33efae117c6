"""A store shows one state at a time and leaks nothing between them; a recording tells exactly what changed."""

import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import EngineFault, UsageError, WorldError
from simulator.world import store as store_module
from simulator.world.changes import RowChange
from simulator.world.image import Image
from simulator.world.overlay import Pages
from simulator.world.store import Store

SCHEMA = """
    create table team(id integer primary key, name text not null unique) strict;
    create table ticket(
        id text primary key, team_id integer references team on delete cascade on update cascade,
        status text not null default 'new', hours real
    ) strict;
    create table label(name text collate nocase, ticket_id text, color text, primary key(ticket_id, name)) strict;
    create table _log(id integer primary key, text text) strict;
    create table tally(status text primary key, count integer) strict, without rowid;
    create trigger count_status after update of status on ticket begin
        insert into tally values(new.status, 1) on conflict do update set count = count + 1;
    end;
    insert into team values(1, 'Billing'), (2, 'Network'), (3, 'Empty');
    insert into ticket values('T-1', 1, 'new', 1), ('T-2', 1, 'open', 2.5), ('T-3', 2, 'open', null);
    insert into label values('Urgent', 'T-1', 'red'), ('vip', 'T-1', null), ('vip', 'T-2', 'gold');
"""
NOON = 1_772_452_800  # 2026-03-02 12:00:00 UTC


def build(schema: str = SCHEMA) -> bytes:
    connection = apsw.Connection(":memory:")
    connection.execute(schema)
    return connection.serialize("main")


DATABASE = build()


@pytest.fixture
def store():
    with Store(Image.from_bytes(DATABASE)) as store:
        yield store


@pytest.fixture
def base(store):
    return Pages.none(store.image)


def rows(store, sql, *values):
    return store.connection.execute(sql, values).fetchall()


def change(store, sql, *values):
    with store.record() as recorder:
        store.connection.execute(sql, values).fetchall()
        return recorder.changes


# -- States ------------------------------------------------------------------------------------------------------------


def test_two_states_never_see_each_other(store, base):
    states = []
    for name in ("left", "right"):
        store.lay(base, base, NOON)
        change(store, "update team set name = ? where id = 1", name)
        states.append(store.pages())
    for state, name in zip(states * 3, ("left", "right") * 3, strict=True):
        store.lay(state, base, NOON)
        assert rows(store, "select name from team where id = 1") == [(name,)]
    store.lay(base, base, NOON)
    assert rows(store, "select name from team where id = 1") == [("Billing",)]


def test_what_was_written_after_a_snapshot_is_gone_when_the_snapshot_is_laid_again(store, base):
    store.lay(base, base, NOON)
    change(store, "update team set name = 'kept' where id = 1")
    state = store.pages()
    change(store, "update team set name = 'lost' where id = 1")
    store.lay(state, base, NOON)
    assert rows(store, "select name from team where id = 1") == [("kept",)]


def test_a_snapshot_is_the_same_object_until_something_is_written(store, base):
    store.lay(base, base, NOON)
    assert store.pages() is base
    with store.record() as recorder:
        rows(store, "delete from team")
        recorder.rollback()
    assert store.pages() is base
    change(store, "delete from team where id = 3")
    assert store.pages() is store.pages() is not base


def test_before_shows_the_start_state_and_cannot_be_written(store, base):
    store.lay(base, base, NOON)
    change(store, "update team set name = 'set up' where id = 1")
    start = store.pages()
    change(store, "update team set name = 'changed' where id = 1")
    store.lay(store.pages(), start, NOON)
    both = "select new.name, old.name from main.team new join before.team old using (id) where id = 1"
    assert rows(store, both) == [("changed", "set up")]
    store.lay(start, base, NOON)
    assert rows(store, both) == [("set up", "Billing")]
    for sql in ("update before.team set name = 'x'", "drop table before.team", "create table before.more(a)"):
        with pytest.raises(apsw.ReadOnlyError):
            store.connection.execute(sql)
    assert rows(store, both) == [("set up", "Billing")]


def test_the_clock_is_the_worlds_and_follows_the_laid_state(store, base):
    clock = "select datetime('now'), current_timestamp, date(), unixepoch(), datetime(julianday('now'))"
    store.lay(base, base, NOON)
    assert store.now == NOON
    noon = "2026-03-02 12:00:00"
    assert rows(store, clock) == [(noon, noon, "2026-03-02", NOON, noon)]
    store.now += 3600
    assert rows(store, "select datetime('now', '+1 day')") == [("2026-03-03 13:00:00",)]
    store.lay(base, base, -1)
    assert rows(store, "select current_timestamp") == [("1969-12-31 23:59:59",)]


def test_the_last_inserted_rowid_does_not_tell_of_another_state(store, base):
    change(store, "insert into team values(77, 'x')")
    store.lay(base, base, NOON)
    assert rows(store, "select last_insert_rowid()") == [(0,)]


def test_statements_are_prepared_again_when_a_state_has_another_schema(store, base):
    # Both branches reach the same schema cookie; only the served one tells their schemas apart.
    store.lay(base, base, NOON)
    store.connection.execute("create table extra(a integer primary key, b); insert into extra values(1, 2)")
    left = store.pages()
    store.lay(base, base, NOON)
    store.connection.execute("create index by_hours on ticket(hours)")
    right = store.pages()
    for _ in range(3):
        store.lay(left, base, NOON)
        assert rows(store, "select * from extra") == [(1, 2)]
        change(store, "update ticket set hours = 9 where id = 'T-1'")
        store.lay(right, base, NOON)
        with pytest.raises(apsw.SQLError, match="no such table"):
            rows(store, "select * from extra")
        change(store, "update ticket set hours = 8 where id = 'T-1'")
        assert rows(store, "select id from ticket indexed by by_hours where hours = 8") == [("T-1",)]
        assert store.connection.pragma("integrity_check") == "ok"
        store.lay(base, base, NOON)
        with pytest.raises(apsw.SQLError, match="no such index"):
            rows(store, "select id from ticket indexed by by_hours where hours = 8")


def test_full_text_search_follows_the_laid_state():
    with Store(Image.from_bytes(build("create virtual table article using fts5(title, body)"))) as store:
        base = Pages.none(store.image)
        states = []
        for word in ("router", "invoice"):
            store.lay(base, base, NOON)
            with store.record():
                rows(store, "insert into article values(?, 'how to')", word)
            states.append(store.pages())
        for state, found in [*zip(states, ([("router",)], []), strict=True), (base, []), (states[0], [("router",)])]:
            store.lay(state, base, NOON)
            assert rows(store, "select title from article where article match 'router'") == found


def test_a_state_is_not_laid_under_a_transaction_or_a_running_query(store, base):
    store.lay(base, base, NOON)
    with store.record() as recorder:
        rows(store, "update team set name = 'x' where id = 1")
        with pytest.raises(EngineFault):
            store.lay(base, base, NOON)
        with pytest.raises(EngineFault):
            store.pages()
        with pytest.raises(EngineFault), store.record():
            pass
        assert len(recorder.changes) == 1
    cursor = store.connection.execute("select * from before.team")
    with pytest.raises(EngineFault):
        store.lay(base, base, NOON)
    cursor.close()
    store.lay(base, base, NOON)


@pytest.mark.parametrize(
    "sql",
    [
        "attach '/etc/passwd' as other",
        "attach 'file:/etc/passwd?vfs=unix' as other",
        "attach 'main' as other",
        "attach 'before' as other",
        "vacuum into 'copy.db'",
    ],
)
def test_no_other_file_can_be_opened(store, sql, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(apsw.CantOpenError):
        store.connection.execute(sql)
    assert list(tmp_path.iterdir()) == []


def test_a_state_cannot_outgrow_its_limit(monkeypatch):
    monkeypatch.setattr(store_module, "GROWTH_LIMIT", 1 << 20)
    with Store(Image.from_bytes(DATABASE)) as store:
        with store.record() as recorder:
            with pytest.raises(apsw.FullError):
                rows(
                    store,
                    "insert into team with recursive n(i) as (select 100 union all select i + 1 from n limit 100) "
                    "select i, i || hex(zeroblob(20000)) from n",
                )
            recorder.rollback()
            rows(store, "insert into _log(text) values('refused')")
        assert rows(store, "select count(*) from team") == [(3,)]
        assert rows(store, "select text from _log") == [("refused",)]
        assert store.pages().size < len(DATABASE) + (2 << 20)


def test_configure_gets_the_finished_connection_once_and_its_failure_leaves_nothing_open():
    seen = []
    with Store(Image.from_bytes(DATABASE), configure=seen.append) as store:
        assert seen == [store.connection]
        assert store.connection.pragma("foreign_keys") == 1

    def fail(connection):
        raise RuntimeError("no")

    names = apsw.vfs_names()
    with pytest.raises(RuntimeError):
        Store(Image.from_bytes(DATABASE), configure=fail)
    assert apsw.vfs_names() == names


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("create table t(a, b)", "no primary key"),
        ("create table t(id text primary key, b)", "t.id may be NULL"),
        ("create table t(a integer not null, b integer, primary key(a, b))", "t.b may be NULL"),
        ("create table t(id integer primary key, b as (id + 1))", "generated column"),
    ],
)
def test_a_table_whose_changes_could_not_be_recorded_is_refused(schema, message):
    with pytest.raises(WorldError, match=message):
        Store(Image.from_bytes(build(schema)))


SCRIPT = """
import os, sys
from pathlib import Path
from simulator.world.image import Image
from simulator.world.overlay import Pages
from simulator.world.store import Store

def play(name):
    with Store(image) as store:
        store.lay(base, base, 0)
        assert store.connection.execute("select name from team where id = 1").fetchall() == [("Billing",)]
        with store.record() as recorder:
            store.connection.execute("update team set name = ? where id = 1", (name,))
            assert [change.new for change in recorder.changes] == [{"name": name}]
        store.lay(store.pages(), base, 0)
        assert store.connection.execute("select name from team where id = 1").fetchall() == [(name,)]

image = Image.open(Path(sys.argv[1]))
base = Pages.none(image)
play("parent")
child = os.fork()
play("child" if child == 0 else "parent again")
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(image.content_digest)
"""


def test_another_process_and_a_fork_play_the_same_image(tmp_path: Path):
    path = tmp_path / "world.db"
    path.write_bytes(DATABASE)
    image = Image.open(path)
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == image.content_digest
    assert path.read_bytes() == DATABASE
    image.close()


# -- Recordings --------------------------------------------------------------------------------------------------------


def test_a_recording_tells_inserts_updates_and_deletes(store):
    with store.record() as recorder:
        rows(store, "update ticket set hours = 4 where id = 'T-1'")
        rows(store, "insert into team values(9, 'New')")
        assert len(recorder.changes) == 2
        rows(store, "delete from label where ticket_id = 'T-2'")
        rows(store, "insert into _log(text) values('an engine row')")
        assert recorder.changes == (
            RowChange("label", "delete", ("T-2", "vip"), {"name": "vip", "ticket_id": "T-2", "color": "gold"}, None),
            RowChange("team", "insert", (9,), None, {"id": 9, "name": "New"}),
            RowChange("ticket", "update", ("T-1",), {"hours": 1.0}, {"hours": 4.0}),
        )
        assert recorder.row_before("ticket", ("T-1",)) == {"id": "T-1", "team_id": 1, "status": "new", "hours": 1.0}
        assert recorder.row_before("team", (9,)) is None
        with pytest.raises(UsageError):
            recorder.row_before("team", (1,))
    assert rows(store, "select text from _log") == [("an engine row",)]
    assert store.fetch_row("team", (9,)) == {"id": 9, "name": "New"}
    assert store.fetch_row("team", (10,)) is None
    with pytest.raises(UsageError):
        store.fetch_row("_log", (1,))


def test_what_is_undone_within_a_recording_is_no_change(store):
    with store.record() as recorder:
        rows(store, "insert into team values(9, 'New')")
        rows(store, "delete from team where id = 9")
        rows(store, "update ticket set hours = 4 where id = 'T-1'")
        rows(store, "update ticket set hours = 1 where id = 'T-1'")
        rows(store, "savepoint statement")
        rows(store, "delete from ticket")
        rows(store, "rollback to statement")
        with pytest.raises(apsw.ConstraintError):
            rows(store, "insert into team values(10, 'Ten'), (1, 'again')")
        assert recorder.changes == ()


def test_replace_tells_of_every_row_it_removed(store):
    assert change(store, "insert or replace into team values(3, 'Network')") == (
        RowChange("team", "delete", (2,), {"id": 2, "name": "Network"}, None),
        RowChange("team", "update", (3,), {"name": "Empty"}, {"name": "Network"}),
        RowChange("ticket", "delete", ("T-3",), {"id": "T-3", "team_id": 2, "status": "open", "hours": None}, None),
    )


def test_update_or_replace_upsert_and_returning_are_recorded(store):
    assert change(store, "update or replace team set name = 'Empty' where id = 1") == (
        RowChange("team", "update", (1,), {"name": "Billing"}, {"name": "Empty"}),
        RowChange("team", "delete", (3,), {"id": 3, "name": "Empty"}, None),
    )
    sql = "insert into team values(2, 'N') on conflict(id) do update set name = excluded.name returning name"
    assert change(store, sql) == (RowChange("team", "update", (2,), {"name": "Network"}, {"name": "N"}),)


def test_cascades_and_triggers_are_recorded(store):
    assert [(row.table, row.op, row.key) for row in change(store, "delete from team where id = 1")] == [
        ("team", "delete", (1,)),
        ("ticket", "delete", ("T-1",)),
        ("ticket", "delete", ("T-2",)),
    ]
    changes = change(store, "update team set id = 20 where id = 2")
    assert [(row.op, row.key) for row in changes] == [("delete", (2,)), ("insert", (20,)), ("update", ("T-3",))]
    assert change(store, "update ticket set status = 'closed'") == (
        RowChange("tally", "insert", ("closed",), None, {"status": "closed", "count": 1}),
        RowChange("ticket", "update", ("T-3",), {"status": "open"}, {"status": "closed"}),
    )


def test_a_key_that_changes_its_case_only_is_a_delete_and_an_insert(store):
    changes = change(store, "update label set name = 'URGENT' where name = 'urgent'")
    assert [(row.op, row.key) for row in changes] == [("insert", ("T-1", "URGENT")), ("delete", ("T-1", "Urgent"))]


def test_a_delete_without_where_is_recorded_even_when_it_was_prepared_before(store, base):
    store.connection.execute("delete from label")
    store.lay(base, base, NOON)
    assert len(change(store, "delete from label")) == 3


def test_an_exception_undoes_the_recording(store, base):
    store.lay(base, base, NOON)
    with pytest.raises(apsw.ConstraintError), store.record():
        rows(store, "delete from team; insert into team values(1, null)")
    assert store.pages() is base
    assert rows(store, "select count(*) from team") == [(3,)]


def test_after_a_rollback_the_recording_goes_on(store):
    with store.record() as recorder:
        rows(store, "delete from team")
        recorder.rollback()
        assert recorder.changes == ()
        rows(store, "insert into _log(text) values('denied')")
        rows(store, "update team set name = 'B' where id = 1")
        assert [row.key for row in recorder.changes] == [(1,)]
    assert rows(store, "select count(*), min(name) from team") == [(3, "B")]
    assert rows(store, "select text from _log") == [("denied",)]


def test_a_transaction_that_sqlite_ended_is_noticed_and_can_be_begun_again(store):
    with store.record() as recorder:
        rows(store, "update team set name = 'B' where id = 1")
        with pytest.raises(apsw.ConstraintError):
            rows(store, "insert or rollback into team values(1, 'again')")
        assert not recorder.is_open
        assert recorder.changes == ()
        rows(store, "delete from team where id = 3")  # commits at once
        recorder.rollback()
        assert recorder.is_open
        rows(store, "insert into _log(text) values('refused')")
    assert rows(store, "select group_concat(name) from team") == [("Billing,Network,Empty",)]
    assert rows(store, "select text from _log") == [("refused",)]
    with pytest.raises(EngineFault, match="rolled the transaction back"), store.record():
        store.connection.execute("rollback")
    assert change(store, "delete from team where id = 3")


def test_a_broken_deferred_reference_undoes_the_recording(store):
    with pytest.raises(apsw.ConstraintError), store.record():
        rows(store, "pragma defer_foreign_keys = 1; insert into ticket(id, team_id) values('T-9', 99)")
    assert rows(store, "select * from ticket where id = 'T-9'") == []
    assert change(store, "delete from team where id = 3")


def test_a_statement_that_touches_too_many_rows_is_interrupted(store, monkeypatch):
    monkeypatch.setattr(store_module, "ROW_LIMIT", 2)
    with store.record() as recorder:
        assert not recorder.overflowed
        with pytest.raises(apsw.InterruptError):
            rows(store, "update ticket set hours = 0")
        assert recorder.overflowed
        recorder.rollback()
        assert not recorder.overflowed
        rows(store, "update ticket set hours = 0 where id = 'T-1'")
        assert len(recorder.changes) == 1
    assert rows(store, "select count(*) from ticket where hours = 0") == [(1,)]


def test_text_that_is_not_unicode_is_reported_and_can_be_undone(store):
    with store.record() as recorder:
        for sql in (
            "update ticket set status = cast(x'ff' as text) where id = 'T-1'",
            "insert into ticket(id) values(char(55296))",
        ):
            with pytest.raises(UnicodeDecodeError):
                rows(store, sql)
            recorder.rollback()
    assert rows(store, "select id, status from ticket where id = 'T-1'") == [("T-1", "new")]
    assert rows(store, "select count(*) from ticket") == [(3,)]


teams = st.integers(1, 4)
tickets = st.sampled_from(["T-1", "T-2", "T-3", "T-4"])
names = st.sampled_from(["Billing", "Network", "Empty", "Other"])
labels = st.sampled_from(["vip", "Urgent", "new"])
statements = st.one_of(
    st.tuples(st.just("update or replace team set name = ? where id = ?"), names, teams),
    st.tuples(st.just("update or ignore team set id = ? where id = ?"), teams, teams),
    st.tuples(st.just("replace into team values(?, ?)"), teams, names),
    st.tuples(st.just("insert into team values(?, ?) on conflict do update set name = excluded.name"), teams, names),
    st.tuples(st.just("delete from team where id = ?"), teams),
    st.tuples(st.just("update ticket set status = ?, hours = hours + 1 where team_id = ?"), names, teams),
    st.tuples(st.just("update ticket set hours = ? where id = ?"), st.sampled_from([1, 2.5, 0, -0.0, None]), tickets),
    st.tuples(st.just("insert or replace into ticket(id, team_id) values(?, ?)"), tickets, teams),
    st.tuples(st.just("update or replace ticket set id = ? where id = ?"), tickets, tickets),
    st.tuples(st.just("replace into label values(?, ?, ?)"), labels, tickets, names),
    st.tuples(st.just("update or replace label set name = ? where name = ?"), labels, labels),
    st.tuples(st.just("delete from label")),
    st.sampled_from([("savepoint s",), ("rollback to s",), ("release s",)]),
)


def session_changes(connection, changeset):
    """What SQLite's own session extension says has changed."""
    found = []
    for item in apsw.Changeset.iter(changeset):
        columns = [row[0] for row in connection.execute("select name from pragma_table_info(?)", (item.name,))]
        order = connection.execute("select cid from pragma_table_info(?) where pk order by pk", (item.name,)).fetchall()
        values = item.new if item.old is None else item.old
        halves = [
            None
            if half is None
            else {
                name: value
                for position, (name, value) in enumerate(zip(columns, half, strict=True))
                if value is not apsw.no_change and not (item.op == "UPDATE" and position in item.pk_columns)
            }
            for half in (item.old, item.new)
        ]
        key = tuple(values[position] for (position,) in order)
        found.append(RowChange(item.name, item.op.lower(), key, *halves))
    return sorted(found, key=lambda change: (change.table, change.key))


@given(st.lists(st.lists(statements, max_size=8), max_size=4))
@settings(max_examples=80)
def test_recordings_agree_with_sqlites_session_extension(actions):
    reference = apsw.Connection(":memory:")
    reference.deserialize("main", DATABASE)
    reference.pragma("foreign_keys", 1)
    reference.pragma("recursive_triggers", 1)
    with Store(Image.from_bytes(DATABASE)) as store:
        for action in actions:
            reference.execute("savepoint recording")
            session = apsw.Session(reference, "main")
            session.attach()
            with store.record() as recorder:
                for sql, *values in action:
                    results = []
                    for connection in (store.connection, reference):
                        try:
                            results.append(connection.execute(sql, values, can_cache=False).fetchall())
                        except apsw.Error as error:
                            results.append(str(error))
                    assert results[0] == results[1]
                expected = session_changes(reference, session.changeset())
                assert sorted(recorder.changes, key=lambda change: (change.table, change.key)) == expected
            session.close()
            reference.execute("release recording")
    reference.close()
