"""New keys for rows made in an episode: they follow the column's pattern, and no key is given out twice.

How many keys of each table were given out belongs to the episode's state, so forks agree and a restored state gives
the same keys again. A key that the world or the agent already uses is passed over.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from hashlib import blake2b

import apsw

from simulator.scenario.models import ScenarioDocument
from simulator.sql.functions import FunctionProblem
from simulator.sql.schema import Schema, quoted
from simulator.world.generation.patterns import KeyPattern
from simulator.world.image import Image
from simulator.world.overlay import OverlayFile, OverlayFileSystem

_TRIES = 100_000


class KeySequences:
    """What the SQL function ``new_id(table)`` reads and advances.

    ``issued`` maps a table to how many keys were given out since the world was made; it is part of an episode's state.
    """

    def __init__(self, document: ScenarioDocument, schema: Schema, seed: int, image: Image) -> None:
        self.issued: dict[str, int] = {}
        self._document = document
        self._schema = schema
        self._seed = seed
        self._image = image
        self._highest: dict[str, int] = {}

    def lay(self, issued: Mapping[str, int]) -> None:
        """Continue from another state."""
        self.issued = dict(issued)

    def next(self, connection: apsw.Connection, table: str) -> int | str:
        """A key that no row of ``table`` has or had.

        Raises :class:`FunctionProblem` when the table has no key that can be made up, or none is left.
        """
        schema = self._schema.tables.get(table)
        if schema is None or len(schema.key) != 1:
            raise FunctionProblem(f"new_id: there is no table {table!r} with a key of one column")
        column = schema.key[0]
        model = self._document.world.tables[table].columns.get(column)
        key_type = next(item.type for item in schema.columns if item.name == column)
        used = f"select 1 from main.{quoted(table)} where {quoted(column)} = ?"
        for _ in range(_TRIES):
            number = self.issued.get(table, 0) + 1
            key: int | str
            if model is not None and model.from_ is not None:
                if number > len(model.from_):
                    raise FunctionProblem(f"new_id: all {len(model.from_)} keys listed for {table} are given out")
                key = model.from_[number - 1]
            elif model is not None and model.uuid:
                digest = blake2b(f"{self._seed}/{table}/{number}".encode(), digest_size=16).digest()
                key = str(uuid.UUID(bytes=digest, version=4))
            elif model is not None and model.pattern is not None:
                pattern = KeyPattern(model.pattern)
                (key,) = pattern.render([self._start(table, column, pattern) + number])
            elif key_type == "integer":
                key = self._start(table, column, None) + number
            else:
                raise FunctionProblem(
                    f"new_id: give {table}.{column} a `pattern`, `from` or `uuid` to make new keys by"
                )
            self.issued[table] = number
            if not connection.execute(used, (key,)).fetchall():
                return key
        raise FunctionProblem(f"new_id: no free key for {table} found")

    def _start(self, table: str, column: str, pattern: KeyPattern | None) -> int:
        """The highest number among the keys the world was made with; rows of a task's setup must not play a part."""
        if table not in self._highest:
            files = OverlayFileSystem({"main": OverlayFile(self._image, writable=False)})
            connection = apsw.Connection("main", flags=apsw.SQLITE_OPEN_READONLY, vfs=files.name)
            try:
                if pattern is None:
                    keys = connection.execute(f"select max({quoted(column)}) from {quoted(table)}")
                    numbers = [key for (key,) in keys if key is not None]
                else:
                    keys = connection.execute(f"select {quoted(column)} from {quoted(table)}")
                    numbers = [number for (key,) in keys if (number := pattern.parse(key)) is not None]
            finally:
                connection.close()
                files.unregister()
            self._highest[table] = max(numbers, default=0)
        return self._highest[table]
