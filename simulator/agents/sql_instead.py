"""What an operation changed, as the SQL that somebody would write instead of calling it: values in place, keys by hand.

The statements do what the rows of the change say and nothing of what the operation checks, computes or tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.agents.values import WorldValues
from simulator.episode import Environment, workplace_of
from simulator.sql.schema import Schema
from simulator.tasks import SolutionStep
from simulator.tools.sql_tool import SQL
from simulator.world.changes import RowChange, Value

_TRUTH: Mapping[str, tuple[str, str]] = {"tsql": ("0", "1"), "oracle": ("0", "1")}
_BACKSLASH_ESCAPES = ("mysql", "snowflake", "bigquery")
_MOST_STATEMENTS = 3


class SqlWriter:
    """Writes the steps of one episode's solution as statements of the SQL tool that its agent has, if it has one."""

    def __init__(self, environment: Environment, values: WorldValues) -> None:
        workplace = workplace_of(environment.world)
        toolbox = workplace.engine.toolbox
        names = toolbox.names(environment.task.role)
        self._tool, self._dialect = next(
            ((name, tool.dialect) for name in names if (tool := toolbox.sql_tool(name)) is not None), ("", "")
        )
        self._values = values
        self._schema = workplace.engine.schema
        self._task = environment.task
        self._solutions = workplace.solutions

    @property
    def has_tool(self) -> bool:
        """Whether the agent can write SQL at all."""
        return bool(self._tool)

    def statements(self, step: SolutionStep) -> tuple[SolutionStep, ...]:
        """The steps that write what ``step`` changes when the solution is played; none if that is nothing, or much."""
        for run in self._solutions.runs(self._task)[:1]:
            for played in run.played:
                if played.call == step and self._values.writes(step.tool):
                    changes = [item.change for item in played.effect.changes if item.source == "agent"]
                    texts = [self._text(change) for change in changes if not self._is_history(change)]
                    if len(texts) <= _MOST_STATEMENTS:
                        return tuple(SolutionStep(self._tool, {SQL: text}) for text in texts)
        return ()

    def _is_history(self, change: RowChange) -> bool:
        return self._schema.tables[change.table].history_of is not None

    def _text(self, change: RowChange) -> str:
        return write_statement(change, self._schema, self._dialect)


def write_statement(change: RowChange, schema: Schema, dialect: str) -> str:
    """The INSERT, UPDATE or DELETE of one row change."""
    table = schema.tables[change.table]
    if change.op == "insert":
        given = {name: value for name, value in (change.new or {}).items() if value is not None}
        values = ", ".join(_literal(change.table, name, value, schema, dialect) for name, value in given.items())
        return f"INSERT INTO {change.table} ({', '.join(given)}) VALUES ({values})"
    keys = zip(table.key, change.key, strict=True)
    where = " AND ".join(f"{name} = {_literal(change.table, name, value, schema, dialect)}" for name, value in keys)
    if change.op == "delete":
        return f"DELETE FROM {change.table} WHERE {where}"
    return f"UPDATE {change.table} SET {', '.join(_settings(change, schema, dialect))} WHERE {where}"


def _settings(change: RowChange, schema: Schema, dialect: str) -> Iterator[str]:
    for name, value in (change.new or {}).items():
        yield f"{name} = {_literal(change.table, name, value, schema, dialect)}"


def _literal(table: str, name: str, value: Value, schema: Schema, dialect: str) -> str:
    """A value as the dialect writes it; what is neither number nor text stands for a text of its characters."""
    column = schema.tables[table].column(name)
    if value is None:
        return "NULL"
    if column is not None and column.type == "boolean":
        return _TRUTH.get(dialect, ("FALSE", "TRUE"))[bool(value)]
    if isinstance(value, int | float):
        return repr(value)
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if dialect in _BACKSLASH_ESCAPES:
        text = text.replace("\\", "\\\\")
    return "'" + (text.replace("'", "\\'") if dialect == "bigquery" else text.replace("'", "''")) + "'"
