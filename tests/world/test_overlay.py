"""A database on the overlay behaves like an ordinary SQLite database, whatever is laid upon it, in whichever order."""

from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from simulator.errors import WorldError
from simulator.world.image import Image
from simulator.world.overlay import OverlayFile, Pages
from simulator.world.store import Store

SCHEMA = """
    create table team(id integer primary key, name text not null unique) strict;
    create table ticket(
        id integer primary key, team_id integer references team on delete cascade, status text, note text, hours real
    ) strict;
    create table label(ticket_id integer, name text, primary key(ticket_id, name)) strict, without rowid;
    create index ticket_status on ticket(status);
"""


def build(*, page_size: int = 4096) -> bytes:
    connection = apsw.Connection(":memory:")
    connection.pragma("page_size", page_size)
    connection.execute(SCHEMA)
    with connection:
        connection.executemany("insert into team values(?, ?)", ((i, f"team {i}") for i in range(1, 9)))
        connection.executemany(
            "insert into ticket values(?, ?, ?, ?, ?)",
            ((i, i % 8 + 1, ("new", "open", "closed")[i % 3], "n" * (i % 90), i / 4) for i in range(1, 600)),
        )
        connection.executemany("insert into label values(?, ?)", ((i % 300, f"label {i}") for i in range(900)))
    return connection.serialize("main")


DATABASE = build()


def dump(connection: apsw.Connection, schema: str = "main") -> list[object]:
    objects = connection.execute(
        f"select name, type, sql from {schema}.sqlite_schema where name not like 'sqlite_%' order by 1"
    ).fetchall()
    queries = [f"select * from {schema}.{name} order by 1, 2" for name, kind, _ in objects if kind == "table"]
    return [objects, *(connection.execute(query).fetchall() for query in queries)]


keys = st.integers(min_value=1, max_value=700)
texts = st.sampled_from(["new", "open", "closed", "x" * 300, "y" * 9000])
numbers = st.integers(min_value=0, max_value=3)


class OverlayAgainstReference(RuleBasedStateMachine):
    """The same statements on a store and on a plain database in memory; snapshots of both, restored at random."""

    @initialize(page_size=st.sampled_from([1024, 4096]))
    def open(self, page_size):
        self.data = build(page_size=page_size)
        self.image = Image.from_bytes(self.data)
        self.store = Store(self.image)
        self.base = Pages.none(self.image)
        self.store.lay(self.base, self.base, 0)
        self.reference = apsw.Connection(":memory:")
        self.reference.deserialize("main", self.data)
        self.reference.pragma("foreign_keys", 1)
        self.snapshots = [(self.base, self.data)]
        self.savepoints = 0

    def both(self, sql, *values):
        results = []
        for connection in (self.store.connection, self.reference):
            try:
                results.append(connection.execute(sql, values).fetchall())
            except apsw.Error as error:
                results.append((type(error), str(error)))
        assert results[0] == results[1]

    def idle(self):
        return not self.reference.in_transaction

    @rule(status=texts, note=texts, key=keys, span=st.integers(min_value=0, max_value=60))
    def update(self, status, note, key, span):
        self.both("update ticket set status = ?, note = ? where id between ? and ?", status, note, key, key + span)

    @rule(key=keys, span=st.integers(min_value=0, max_value=200))
    def delete(self, key, span):
        self.both("delete from ticket where id between ? and ? returning id", key, key + span)

    @rule(team=numbers, count=st.integers(min_value=1, max_value=300), note=texts)
    def insert(self, team, count, note):
        self.both("insert into ticket(team_id, note) select ?, ? from label limit ?", team, note, count)

    @rule(key=numbers, name=texts)
    def replace(self, key, name):
        self.both("insert or replace into team values(?, ?)", key, name)

    @rule(key=keys)
    def upsert(self, key):
        self.both("insert into label values(?, 'new') on conflict do update set name = name || '!'", key)

    @rule(key=numbers)
    def cascade(self, key):
        self.both("delete from team where id = ?", key)

    @rule()
    def empty(self):
        self.both("delete from label")

    @precondition(idle)
    @rule()
    def begin(self):
        self.both("begin")

    @rule(end=st.sampled_from(["commit", "rollback"]))
    def end(self, end):
        self.both(end)
        self.savepoints = 0

    @precondition(lambda self: self.savepoints < 4)
    @rule()
    def savepoint(self):
        self.savepoints += 1
        self.both(f"savepoint s{self.savepoints}")

    @precondition(lambda self: self.savepoints)
    @rule()
    def rollback_to(self):
        self.both(f"rollback to s{self.savepoints}")

    @precondition(lambda self: self.savepoints)
    @rule()
    def release(self):
        self.both(f"release s{self.savepoints}")
        self.savepoints -= 1

    @rule(number=numbers, column=st.sampled_from(["note", "hours"]))
    def create_index(self, number, column):
        self.both(f"create index if not exists extra{number} on ticket({column})")

    @rule(number=numbers)
    def drop_index(self, number):
        self.both(f"drop index if exists extra{number}")

    @rule(number=numbers)
    def create_table(self, number):
        self.both(f"create table if not exists more{number}(id integer primary key, a, b text)")
        self.both(f"insert into more{number}(a, b) select hours, note from ticket limit 40")

    @rule(number=numbers)
    def drop_table(self, number):
        self.both(f"drop table if exists more{number}")

    @precondition(idle)
    @rule()
    def vacuum(self):
        self.both("vacuum")

    @precondition(idle)
    @rule()
    def snapshot(self):
        self.snapshots.append((self.store.pages(), self.reference.serialize("main")))

    @precondition(idle)
    @rule(data=st.data())
    def restore(self, data):
        state, contents = data.draw(st.sampled_from(self.snapshots))
        self.store.lay(state, self.base, 0)
        self.reference.deserialize("main", contents)
        self.compare()

    @rule()
    def compare(self):
        assert dump(self.store.connection) == dump(self.reference)

    def teardown(self):
        if not hasattr(self, "store"):
            return
        if self.reference.in_transaction:
            self.both("commit")
        self.compare()
        assert self.store.connection.pragma("integrity_check") == "ok"
        for state, contents in self.snapshots:
            self.store.lay(state, self.base, 0)
            self.reference.deserialize("main", contents)
            self.compare()
        self.reference.deserialize("main", self.data)
        assert dump(self.store.connection, "before") == dump(self.reference)
        assert self.image.read(0, self.image.size) == self.data
        self.store.close()
        self.reference.close()


TestOverlayAgainstReference = OverlayAgainstReference.TestCase
TestOverlayAgainstReference.settings = settings(max_examples=25, stateful_step_count=40)


@pytest.mark.parametrize("looks", [True, False])
def test_back_at_the_images_schema_nothing_is_remembered_of_another(looks):
    store = Store(Image.from_bytes(DATABASE))
    base = store.pages()
    create = "create table if not exists more(id integer primary key)"
    for _ in range(3):
        store.connection.execute(create)
        store.connection.execute("insert into more values (1)")
        store.lay(base, base, 0)
        if looks:
            assert dump(store.connection)[0] == dump(store.connection, "before")[0]
    with pytest.raises(apsw.SQLError, match="no such table"):
        store.connection.execute("select * from more")
    store.close()


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("write"), st.integers(4096, 90_000), st.integers(1, 9000)),
            st.tuples(st.just("page"), st.integers(1, 22), st.just(4096)),
            st.tuples(st.just("truncate"), st.integers(4096, 90_000), st.just(0)),
            st.tuples(st.just("read"), st.integers(4096, 90_000), st.integers(1, 9000)),
            st.tuples(st.just("snapshot"), st.just(0), st.just(0)),
            st.tuples(st.just("restore"), st.integers(0, 9), st.just(0)),
        ),
        max_size=40,
    )
)
@settings(max_examples=60)
def test_a_file_reads_back_what_was_written_at_any_offset(steps):
    file = OverlayFile(Image.from_bytes(DATABASE), writable=True)
    model = bytearray(DATABASE)
    saved = [(file.snapshot(), bytes(model))]
    for number, (step, offset, amount) in enumerate(steps):
        if step in {"write", "page"}:
            at = offset * 4096 if step == "page" else offset
            content = bytes([number % 250 + 1]) * amount
            file.xWrite(content, at)
            model.extend(bytes(max(0, at - len(model))))
            model[at : at + amount] = content
        elif step == "truncate" and offset <= len(model):
            file.xTruncate(offset)
            del model[offset:]
        elif step == "read":
            assert file.xRead(amount, offset) == model[offset : offset + amount]
        elif step == "snapshot":
            saved.append((file.snapshot(), bytes(model)))
        elif step == "restore":
            state, contents = saved[offset % len(saved)]
            file.lay(state)
            model = bytearray(contents)
        assert file.xFileSize() == len(model)
    assert file.xRead(200_000, 4096) == model[4096:]


def test_vacuum_to_another_page_size_keeps_the_rows():
    image = Image.from_bytes(DATABASE)
    with Store(image) as store:
        expected = dump(store.connection)
        small = store.pages()
        store.connection.pragma("page_size", 16384)
        store.connection.execute("vacuum")
        assert store.connection.pragma("page_size") == 16384
        assert dump(store.connection) == expected
        assert store.connection.pragma("integrity_check") == "ok"
        large = store.pages()
        for state in (small, large, small):
            store.lay(state, small, 0)
            assert dump(store.connection) == expected


def test_changes_larger_than_the_page_cache_can_be_rolled_back():
    with Store(Image.from_bytes(DATABASE)) as store:
        expected = dump(store.connection)
        store.connection.execute("begin")
        store.connection.execute("update ticket set note = hex(zeroblob(12000))")
        store.connection.execute("rollback")
        assert dump(store.connection) == expected
        assert store.connection.pragma("integrity_check") == "ok"


def test_an_image_file_is_the_same_after_any_writing(tmp_path: Path):
    path = tmp_path / "world.db"
    path.write_bytes(DATABASE)
    image = Image.open(path)
    digest = image.content_digest
    with Store(image) as store:
        store.connection.execute("update ticket set note = hex(randomblob(900))")
        store.connection.execute("drop table label")
        store.connection.execute("vacuum")
        store.pages()
    assert path.read_bytes() == DATABASE
    assert Image.open(path).content_digest == digest
    assert [entry.name for entry in tmp_path.iterdir()] == ["world.db"]
    image.close()


def test_the_content_digest_ignores_the_change_counter_and_the_version_of_sqlite_only():
    digest = Image.from_bytes(DATABASE).content_digest
    for offset in (24, 27, 92, 99):
        other = bytearray(DATABASE)
        other[offset] ^= 1
        if offset < 28:
            other[offset + 68] ^= 1
        elif offset < 96:
            other[offset - 68] ^= 1
        assert Image.from_bytes(bytes(other)).content_digest == digest
    for offset in (40, 100, 5000, len(DATABASE) - 1):
        other = bytearray(DATABASE)
        other[offset] ^= 1
        assert Image.from_bytes(bytes(other)).content_digest != digest


def changed(offset: int, value: bytes) -> bytes:
    return DATABASE[:offset] + value + DATABASE[offset + len(value) :]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a SQLite database"),
        (b"SQLite format 3\x00", "not a SQLite database"),
        (b"id,name\n" * 100, "not a SQLite database"),
        (changed(18, b"\x02\x02"), "WAL mode"),
        (changed(16, b"\x00\x07"), "page size is 7"),
        (changed(24, b"\xff\xff\xff\xff"), "page count is stale"),
        (DATABASE[:-4096], "truncated"),
        (DATABASE[:-1], "truncated"),
    ],
)
def test_what_is_not_a_whole_database_is_refused_with_a_reason(data, message, tmp_path: Path):
    with pytest.raises(WorldError, match=message):
        Image.from_bytes(data)
    path = tmp_path / "world.db"
    path.write_bytes(data)
    with pytest.raises(WorldError, match="empty" if not data else message):
        Image.open(path)


def test_a_missing_file_is_refused_with_a_reason(tmp_path: Path):
    with pytest.raises(WorldError, match="No such file"):
        Image.open(tmp_path / "nowhere.db")
