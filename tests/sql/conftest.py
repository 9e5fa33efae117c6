"""A small shop, its twin, and a live connection to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

from simulator.sql import AuthorPolicy, GuardedConnection, ListTable, Twin, connection_setup

FIXTURES = Path(__file__).parent / "fixtures"
DDL = (FIXTURES / "schema.sql").read_text()
PROTECTED = frozenset({"order_event"})
ACTION = ("step", "turn", "tool", "arguments", "outcome", "code", "result", "at")
CHANGE = ("step", "source", "table_name", "key", "op", "column_name", "old", "new")
QUERY = AuthorPolicy("query")
WRITE = AuthorPolicy("write", writes=True, protected=PROTECTED)


@pytest.fixture(scope="session")
def twin() -> Twin:
    return Twin(DDL, engine_tables=(("action", ACTION), ("change", CHANGE)), protected=PROTECTED)


class World:
    """Its clock stands still and its keys count up."""

    last_key = 1000

    def now(self) -> str:
        return "2026-03-02 09:00:00"

    def new_id(self, table: str) -> int:
        self.last_key += 1
        return self.last_key


@dataclass
class Shop:
    """A live world with one customer and two products, and the rows its table `action` shows."""

    guarded: GuardedConnection
    actions: list[tuple[Any, ...]] = field(default_factory=list)

    def run(
        self, sql: str, bindings: dict[str, Any] | None = None, *, policy: Any = QUERY, work: int = 10_000_000
    ) -> list[tuple[Any, ...]]:
        """Run a text under a policy as a step does; errors come out as SQLite's."""
        guarded = self.guarded
        outer = guarded.work.start(work)
        guarded.authorizer.policy, guarded.authorizer.denial = policy, None
        try:
            return guarded.connection.execute(f"{sql}\n/*{policy.name}*/", bindings or {}).fetchall()
        finally:
            guarded.authorizer.policy = None
            guarded.work.stop(outer)


@pytest.fixture
def shop() -> Iterator[Shop]:
    connection = apsw.Connection(":memory:")
    connection.execute(DDL).fetchall()
    connection.execute("insert into customer values ('C1', 'Ada', null, null)")
    connection.execute("insert into product values (1, 'pen', null), (2, 'ink', 'office')")
    connection.execute("insert into _meta values (7, 'secret')")
    connection.execute("attach ':memory:' as before")
    connection.deserialize("before", connection.serialize("main"))
    actions: list[tuple[Any, ...]] = []
    tables = (ListTable("action", ACTION, lambda: actions), ListTable("change", CHANGE, tuple))
    yield Shop(connection_setup(connection, context=World(), engine_tables=tables), actions)
    connection.close()
