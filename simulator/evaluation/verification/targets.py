"""Which rows a call is about, and which others somebody could have meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.agents import Chance
from simulator.evaluation.verification.subject import Subject
from simulator.sql.schema import TableSchema, quoted
from simulator.tasks import Task

Path = tuple[str | int, ...]

_NEAR = 3
_SAMPLE = 60


@dataclass(frozen=True, slots=True)
class Leaf:
    """One plain value inside a call's arguments: where it stands, its JSON Schema, and the name that tells of it."""

    path: Path
    value: Any
    schema: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The last name on the way to it; of an element, the list's name in the singular."""
        names = [part for part in self.path if isinstance(part, str)]
        last = names[-1]
        return last.removesuffix("s") if isinstance(self.path[-1], int) else last


def leaves(arguments: Mapping[str, Any], properties: Mapping[str, Any]) -> Iterator[Leaf]:
    """Every plain value of a call's arguments; of a list, those of its first and last elements."""
    for name, value in arguments.items():
        yield from _leaves((name,), value, properties.get(name) or {})


def put(arguments: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of the arguments with another value in one place."""
    changed: dict[str, Any] = _put(arguments, path, value)
    return changed


class Targets:
    """The rows of a task's world as the task begins."""

    def __init__(self, subject: Subject, task: Task) -> None:
        self._engine = subject.workplace.engine
        self._values = subject.values
        self._state = self._engine.begin(task, 0)
        self._found: dict[tuple[str, Any], tuple[tuple[Any, ...], ...]] = {}

    def table(self, leaf: Leaf) -> str | None:
        """The table of which a value is a key, None if it names no row that there is."""
        name = leaf.name
        table = self._values.target_table(name)
        if table is None:
            for item in self._engine.schema.tables.values():
                column = item.column(name)
                if column is not None and column.references is not None:
                    table = column.references
                    break
        if table is None or isinstance(leaf.value, bool) or not isinstance(leaf.value, str | int):
            return None
        model = self._engine.schema.tables[table]
        return table if len(model.key) == 1 and self._near(model, leaf.value) else None

    def others(self, table: str, key: Any, chance: Chance) -> Iterator[Any]:
        """Keys of other rows: one that shares an owner, one in the same state, and any one, as far as there are."""
        given: list[Any] = []
        for group in self._near(self._engine.schema.tables[table], key)[1:]:
            options = [other for other in group if other not in given]
            if options:
                given.append(chance.choice(options))
                yield given[-1]

    def _near(self, table: TableSchema, key: Any) -> tuple[tuple[Any, ...], ...]:
        """The key itself and groups of other keys, nearest first; nothing when there is no such row."""
        if (table.name, key) not in self._found:
            self._found[table.name, key] = self._look_up(table, key)
        return self._found[table.name, key]

    def _look_up(self, table: TableSchema, key: Any) -> tuple[tuple[Any, ...], ...]:
        name, column = quoted(table.name), quoted(table.key[0])
        state = table.lifecycle_column
        owners = [item.name for item in table.columns if item.references is not None and item.name not in table.key]
        alike = [*owners[:_NEAR], *([state.name] if state is not None else [])]
        with self._engine.laid(self._state) as database:

            def keys(condition: str, limit: int) -> tuple[Any, ...]:
                sql = f"select {column} from {name} where {condition} order by {column} limit {limit}"
                return tuple(row[0] for row in database.query(sql, {"key": key}).rows)

            if not keys(f"{column} = :key", 1):
                return ()
            groups = [
                keys(
                    f"{column} <> :key and {quoted(item)} = (select {quoted(item)} from {name} where {column} = :key)",
                    _SAMPLE,
                )
                for item in alike
            ]
            groups.append(keys(f"{column} <> :key", _SAMPLE))
        return ((key,), *(group for group in groups if group))


def _leaves(path: Path, value: Any, schema: Mapping[str, Any]) -> Iterator[Leaf]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves((*path, name), item, schema.get("properties", {}).get(name, {}))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place in sorted({0, len(value) - 1}) if value else ():
            yield from _leaves((*path, place), value[place], schema.get("items") or {})
    elif value is not None:
        yield Leaf(path, value, schema)


def _put(container: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    part, *rest = path
    if isinstance(part, int):
        changed = list(container)
        changed[part] = _put(container[part], tuple(rest), value)
        return changed
    return {**container, part: _put(container[part], tuple(rest), value)}
