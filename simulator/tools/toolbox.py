"""The toolbox: every tool of a scenario, compiled once; describes them to an agent, reads its calls, runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from simulator.errors import EngineFault
from simulator.scenario.durations import format_duration
from simulator.scenario.models import Operation, ScenarioDocument, SqlTool
from simulator.scenario.paths import did_you_mean
from simulator.sql.schema import build_schema
from simulator.tools.arguments import ArgumentReader
from simulator.tools.built_in import FINISH, SUMMARIES, WAIT, check_finish, check_wait, finish_reader, wait_reader
from simulator.tools.calls import ToolCall, read_action, read_arguments
from simulator.tools.compilation import Analyse, compile_operation
from simulator.tools.operations import Attempt, CompiledOperation
from simulator.tools.parameters import ArgumentsSchema
from simulator.tools.sql_access import relations_of
from simulator.tools.sql_tool import CompiledSqlTool
from simulator.tools.verdicts import Verdict, echo, failed
from simulator.world.database import Bindings, Database

_MOST_NAMES = 40


class Toolbox:
    """The operations and SQL tools of a scenario, and `finish` and `wait`, which the episode carries out itself.

    Immutable; shared by all episodes of a scenario. Raises ScenarioError for an operation that cannot be compiled.
    ``analyse`` says which tables an SQL text touches.
    """

    def __init__(self, document: ScenarioDocument, analyse: Analyse) -> None:
        self._operations = {
            name: compile_operation(name, tool, analyse)
            for name, tool in document.tools.items()
            if isinstance(tool, Operation)
        }
        self._sql_tools = _sql_tools(document, analyse)
        self._order = tuple(document.tools)
        self._finish = finish_reader(document.refusals)
        self._wait = wait_reader()

    def operation(self, name: str) -> CompiledOperation | None:
        """The operation of this name; None for a built-in tool and for a name that means nothing."""
        return self._operations.get(name)

    def sql_tool(self, name: str) -> CompiledSqlTool | None:
        """The SQL tool of this name, None if there is none."""
        return self._sql_tools.get(name)

    def open_world(self, database: Database) -> None:
        """Make a world visible to the roles of the SQL tools; once for each database."""
        if any(tool.dialect != "sqlite" for tool in self._sql_tools.values()):
            database.learn_dialects()
        for tool in self._sql_tools.values():
            for guarded in tool.roles.values():
                database.show_to(guarded.role)

    def arguments(self, name: str) -> ArgumentsSchema:
        """What the operation of this name takes. Raises KeyError when there is none."""
        return self._operations[name].arguments.schema

    def descriptions(self, role: str | None, refusals: Sequence[str]) -> tuple[dict[str, JsonValue], ...]:
        """The tools an agent in this role has, as OpenAI functions, in document order, then finish and wait."""
        described = []
        for name in self._names(role):
            operation = self._operations.get(name)
            if operation is not None:
                text, arguments = _description(operation), operation.arguments
            else:
                text, arguments = self._sql_tools[name].description(role), self._sql_tools[name].arguments
            described.append(_function(name, text, arguments.schema.document()))
        described.append(_function(FINISH, SUMMARIES[FINISH], finish_reader(refusals).schema.document()))
        described.append(_function(WAIT, SUMMARIES[WAIT], self._wait.schema.document()))
        return tuple(described)

    def names(self, role: str | None) -> tuple[str, ...]:
        """The names of the tools an agent in this role has, in the order of the descriptions."""
        return (*self._names(role), FINISH, WAIT)

    def _names(self, role: str | None) -> Iterator[str]:
        for name in self._order:
            tool = self._operations.get(name) or self._sql_tools.get(name)
            if tool is not None and tool.open_to(role):
                yield name

    def read_call(self, action: object, role: str | None) -> ToolCall | Verdict:
        """What an agent in this role asks for: a call, its arguments in the world's form, or the verdict on it.

        Anything may come in; nothing is raised. An operation of other roles is an unknown tool, so its existence is not
        given away.
        """
        raw = read_action(action)
        if isinstance(raw, Verdict):
            return raw
        reader = self._reader(raw.tool, role)
        if reader is None:
            names = self.names(role)
            listed = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
            hint = did_you_mean(raw.tool, names) or f"The tools are: {listed}."
            return failed("unknown_tool", "unknown_tool", f"There is no tool `{echo(raw.tool)}`. {hint}")
        given = read_arguments(raw.arguments)
        arguments = given if isinstance(given, Verdict) else reader.read(given)
        if isinstance(arguments, Verdict):
            return arguments
        check = {FINISH: check_finish, WAIT: check_wait}.get(raw.tool)
        refusal = check(arguments) if check is not None else None
        return refusal or ToolCall(raw.tool, arguments)

    def run(self, database: Database, call: ToolCall, bindings: Bindings) -> Attempt:
        """Run an operation up to its effects, inside the recording the caller opened; see CompiledOperation.run."""
        return self._compiled(call).run(database, call, bindings)

    def result(self, database: Database, call: ToolCall, attempt: Attempt) -> JsonValue | Verdict:
        """What `returns` gives on the database as it is now; a verdict, and the caller rolls back, if it fails."""
        return self._compiled(call).result(database, call, attempt)

    def _compiled(self, call: ToolCall) -> CompiledOperation:
        operation = self._operations.get(call.tool)
        if operation is None:
            raise EngineFault(f"{call.tool!r} is no operation: the episode carries out the built-in tools itself")
        return operation

    def _reader(self, name: str, role: str | None) -> ArgumentReader | None:
        if name == FINISH:
            return self._finish
        if name == WAIT:
            return self._wait
        tool = self._operations.get(name) or self._sql_tools.get(name)
        return tool.arguments if tool is not None and tool.open_to(role) else None


def _sql_tools(document: ScenarioDocument, analyse: Analyse) -> dict[str, CompiledSqlTool]:
    tools = {name: tool for name, tool in document.tools.items() if isinstance(tool, SqlTool)}
    if not tools:
        return {}
    schema, _ = build_schema(document)
    relations = relations_of(schema, analyse, {table: None for tool in tools.values() for table in tool.sql.grants})
    return {name: CompiledSqlTool(name, tool, document, relations, schema) for name, tool in tools.items()}


def _function(name: str, description: str, schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def _description(operation: CompiledOperation) -> str:
    return " ".join((operation.summary, *_notes(operation)))


def _notes(operation: CompiledOperation) -> Iterator[str]:
    if operation.reads_only:
        yield "Reads only."
    if operation.page is not None:
        yield f"Returns pages of {operation.page} items."
    if operation.idempotency is not None:
        yield f"The same `{operation.idempotency}` again returns the first result and does nothing more."
    if operation.takes:
        yield f"Takes {format_duration(operation.takes)}."
    if operation.cost:
        yield f"Costs {operation.cost:g}."
    if operation.ends:
        yield "Ends the task."
