"""Values for arguments, drawn from the world: keys of the table a parameter names, values of a column like it.

Every value is held against the tool's own schema before it is used, so that an agent which only knows the schema never
sends what the tool cannot take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any

from simulator.agents.chance import Chance
from simulator.agents.named_keys import named_keys
from simulator.episode import Environment, workplace_of
from simulator.episode.engine import Engine
from simulator.scenario.models import Operation, Parameter
from simulator.sql.schema import quoted
from simulator.tasks import World
from simulator.tools import ArgumentReader, Verdict

NO_VALUE = object()
"""Stands for a value that could not be found."""

_SAMPLE = 200
_TRIES = 8
_WORDS = ("please", "check", "update", "customer", "today", "urgent", "done", "unknown", "again", "later")


class WorldValues:
    """Plausible values for the parameters of a world's operations, whatever episode is played in it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._known: dict[str, tuple[Any, ...]] = {}
        self._readers: dict[tuple[str, str], ArgumentReader] = {}
        self._named: Mapping[str, str] | None = None

    def operations(self, environment: Environment) -> dict[str, Operation]:
        """The operations the agent of this episode has, by name, in document order."""
        engine = self._engine()
        open_to = set(engine.toolbox.names(environment.task.role))
        tools = engine.document.tools
        return {name: tool for name, tool in tools.items() if isinstance(tool, Operation) and name in open_to}

    def writes(self, tool: str) -> bool:
        """Whether a tool is an operation that may change the world."""
        operation = self._engine().toolbox.operation(tool)
        return operation is not None and not operation.reads_only

    def target_table(self, parameter: str) -> str | None:
        """The table whose key a parameter holds, by its name (``ticket_id``) or by the operations' SQL, else None."""
        engine = self._engine()
        for table in engine.schema.tables.values():
            if len(table.key) == 1 and parameter == f"{table.name}_{table.key[0]}":
                return table.name
        if self._named is None:
            self._named = named_keys(engine.document, engine.schema)
        return self._named.get(parameter)

    def of_world(self, parameter: str) -> tuple[Any, ...]:
        """Values found in the world as it was made for a parameter of this name; empty where nothing is like it."""
        if parameter not in self._known:
            self._known[parameter] = self._look_up(parameter)
        return self._known[parameter]

    def arguments(self, tool: str, operation: Operation, chance: Chance) -> dict[str, Any] | None:
        """Arguments the operation's schema accepts; None if none were found for a parameter it needs."""
        found = {}
        for name, parameter in operation.parameters.items():
            if parameter.optional and chance.happens(0.5):
                continue
            value = self.value(tool, name, parameter, chance)
            if value is not NO_VALUE:
                found[name] = value
            elif not parameter.optional:
                return None
        return found

    def value(self, tool: str, name: str, parameter: Parameter, chance: Chance) -> Any:
        """One value a parameter accepts, ``NO_VALUE`` if none was found."""
        if (tool, name) not in self._readers:
            self._readers[tool, name] = ArgumentReader({name: parameter})
        reader = self._readers[tool, name]
        for _ in range(_TRIES):
            value = self._candidate(name, reader.schema.properties[name], chance)
            if not isinstance(reader.read({name: value}), Verdict):
                return value
        return NO_VALUE

    def _candidate(self, name: str, schema: Mapping[str, Any], chance: Chance) -> Any:
        """A value that is likely to fit a schema."""
        if schema.get("enum"):
            return chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kinds = schema.get("type", "string")
        kind = kinds if isinstance(kinds, str) else chance.choice(kinds)
        if kind == "null":
            return None
        if kind == "boolean":
            return chance.happens(0.5)
        if kind == "array":
            return self._list(name, schema, chance)
        if kind == "object":
            return self._object(schema, chance)
        if kind in ("integer", "number"):
            return _number(kind, schema, self.of_world(name), chance)
        return _text(schema, self.of_world(name), self._engine().document.world.now, chance)

    def _list(self, name: str, schema: Mapping[str, Any], chance: Chance) -> list[Any]:
        least = int(schema.get("minItems", 0))
        most = max(least, min(int(schema.get("maxItems", least + 3)), least + 3))
        count = max(least, min(most, 1)) + chance.below(max(1, most - max(least, 1) + 1))
        items = [
            self._candidate(name.removesuffix("s"), schema.get("items", {}), chance) for _ in range(min(count, most))
        ]
        if schema.get("uniqueItems"):
            items = [item for index, item in enumerate(items) if item not in items[:index]]
        return items

    def _object(self, schema: Mapping[str, Any], chance: Chance) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self._candidate(name, part, chance)
            for name, part in schema.get("properties", {}).items()
            if name in required or chance.happens(0.5)
        }

    def _look_up(self, parameter: str) -> tuple[Any, ...]:
        engine = self._engine()
        schema = engine.schema
        places = []
        table = self.target_table(parameter)
        if table is not None:
            places.append((table, schema.tables[table].key[0]))
        for item in schema.tables.values():
            if item.name == parameter:
                places += [(item.name, column.name) for column in item.columns if column.name == "name"]
            places += [(item.name, column.name) for column in item.columns if column.name == parameter]
        with engine.laid_bare() as database:
            for name, column in places:
                sql = (
                    f"select distinct {quoted(column)} from {quoted(name)} "
                    f"where {quoted(column)} is not null order by 1 limit {_SAMPLE}"
                )
                rows = database.query(sql, {}).rows
                if rows:
                    return tuple(row[0] for row in rows)
        return ()

    def _engine(self) -> Engine:
        return workplace_of(self.world).engine


def _number(kind: str, schema: Mapping[str, Any], known: Sequence[Any], chance: Chance) -> Any:
    low = ceil(schema["minimum"]) if "minimum" in schema else floor(schema.get("exclusiveMinimum", -1)) + 1
    high = floor(schema["maximum"]) if "maximum" in schema else ceil(schema.get("exclusiveMaximum", low + 101)) - 1
    kinds = (int,) if kind == "integer" else (int, float)
    fitting = [value for value in known if isinstance(value, kinds) and low <= value <= high]
    if fitting:
        return chance.choice(fitting)
    if high < low:  # a range between two whole numbers
        return (schema.get("minimum", low) + schema.get("maximum", high)) / 2
    step = schema.get("multipleOf", 1)
    return ceil(low / step) * step + step * chance.below(max(1, floor((high - low) / step) + 1))


def _text(schema: Mapping[str, Any], known: Sequence[Any], now: str, chance: Chance) -> str:
    least, most = int(schema.get("minLength", 0)), int(schema.get("maxLength", 4000))
    fitting = [value for value in known if isinstance(value, str) and least <= len(value) <= most]
    if fitting:
        return str(chance.choice(fitting))
    match schema.get("format"):
        case "date-time":
            return now
        case "date":
            return now[:10]
        case "email":
            return f"{chance.choice(_WORDS)}@example.com"
    words = " ".join(chance.choice(_WORDS) for _ in range(1 + chance.below(4)))
    return words.ljust(least, "x")[:most]
