"""Values for arguments, drawn from the world: keys of the table a parameter names, values of a column like it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.agents.chance import Chance
from simulator.episode import Environment, workplace_of
from simulator.scenario.models import Operation, Parameter
from simulator.sql.schema import quoted
from simulator.tasks import World

_SAMPLE = 200
_WORDS = ("please", "check", "update", "customer", "today", "urgent", "done", "unknown", "again", "later")


class WorldValues:
    """Plausible values for the parameters of a world's operations."""

    def __init__(self, world: World) -> None:
        self._engine = workplace_of(world).engine
        self._known: dict[str, tuple[Any, ...]] = {}

    def operations(self, environment: Environment) -> dict[str, Operation]:
        """The operations the agent of this episode has, by name, in document order."""
        role = environment.task.role
        open_to = set(self._engine.toolbox.names(role))
        tools = self._engine.document.tools
        return {name: tool for name, tool in tools.items() if isinstance(tool, Operation) and name in open_to}

    def writes(self, tool: str) -> bool:
        """Whether a tool is an operation that may change the world."""
        operation = self._engine.toolbox.operation(tool)
        return operation is not None and not operation.reads_only

    def target_table(self, parameter: str) -> str | None:
        """The table whose key a parameter holds (``ticket_id``), None if it names none."""
        for table in self._engine.schema.tables.values():
            if len(table.key) == 1 and parameter == f"{table.name}_{table.key[0]}":
                return table.name
        return None

    def of_world(self, parameter: str) -> tuple[Any, ...]:
        """Values found in the world for a parameter of this name; empty where nothing is like it."""
        if parameter not in self._known:
            self._known[parameter] = self._look_up(parameter)
        return self._known[parameter]

    def arguments(self, operation: Operation, chance: Chance) -> dict[str, Any]:
        """Arguments the operation's schema accepts."""
        return {
            name: self.value(name, parameter, chance)
            for name, parameter in operation.parameters.items()
            if not parameter.optional or chance.happens(0.5)
        }

    def value(self, name: str, parameter: Parameter, chance: Chance) -> Any:
        """One value for a parameter."""
        if parameter.enum:
            return chance.choice(parameter.enum)
        if parameter.type == "boolean":
            return chance.happens(0.5)
        if parameter.type == "array":
            kind = str((parameter.items or {}).get("type", "string"))
            return [_plain(kind, self.of_world(name.removesuffix("s")), chance) for _ in range(1 + chance.below(3))]
        if parameter.type == "object":
            return {}
        found = _fitting(self.of_world(name), parameter)
        if found:
            return chance.choice(found)
        if parameter.type in ("integer", "number"):
            low = int(parameter.minimum if parameter.minimum is not None else 0)
            high = int(parameter.maximum if parameter.maximum is not None else low + 100)
            return low + chance.below(max(1, high - low + 1))
        if parameter.format in ("timestamp", "date"):
            now = self._engine.document.world.now
            return now if parameter.format == "timestamp" else now[:10]
        return " ".join(chance.choice(_WORDS) for _ in range(1 + chance.below(4)))[: parameter.max_length or 4000]

    def _look_up(self, parameter: str) -> tuple[Any, ...]:
        schema, database = self._engine.schema, self._engine.database
        places = []
        table = self.target_table(parameter)
        if table is not None:
            places.append((table, schema.tables[table].key[0]))
        for item in schema.tables.values():
            if item.name == parameter:
                places += [(item.name, column.name) for column in item.columns if column.name == "name"]
            places += [(item.name, column.name) for column in item.columns if column.name == parameter]
        for name, column in places:
            with database.store.lock:
                sql = (
                    f"select distinct {quoted(column)} from before.{quoted(name)} "
                    f"where {quoted(column)} is not null order by 1 limit {_SAMPLE}"
                )
                rows = database.query(sql, {}).rows
            if rows:
                return tuple(row[0] for row in rows)
        return ()


def _fitting(values: tuple[Any, ...], parameter: Parameter) -> tuple[Any, ...]:
    wanted: Mapping[str, tuple[type, ...]] = {"integer": (int,), "number": (int, float), "string": (str,)}
    kinds = wanted.get(parameter.type, ())
    return tuple(
        value
        for value in values
        if isinstance(value, kinds)
        and not (isinstance(value, int | float) and parameter.minimum is not None and value < parameter.minimum)
        and not (isinstance(value, int | float) and parameter.maximum is not None and value > parameter.maximum)
    )


def _plain(kind: str, values: tuple[Any, ...], chance: Chance) -> Any:
    if kind == "integer":
        whole = [value for value in values if isinstance(value, int)]
        return chance.choice(whole) if whole else chance.below(100)
    if kind == "number":
        return float(chance.below(100))
    if kind == "boolean":
        return chance.happens(0.5)
    texts = [value for value in values if isinstance(value, str)]
    return chance.choice(texts) if texts else chance.choice(_WORDS)
