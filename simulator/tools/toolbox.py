"""The toolbox: every tool of a scenario, compiled once; describes them to an agent, reads its calls, runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from simulator.errors import EngineFault
from simulator.scenario.durations import format_duration
from simulator.scenario.models import Operation, ScenarioDocument
from simulator.scenario.paths import did_you_mean
from simulator.tools.arguments import ArgumentReader
from simulator.tools.built_in import FINISH, SUMMARIES, WAIT, check_wait, finish_reader, wait_reader
from simulator.tools.calls import ToolCall, read_action, read_arguments
from simulator.tools.compilation import Analyse, compile_operation
from simulator.tools.operations import Attempt, CompiledOperation
from simulator.tools.parameters import ArgumentsSchema
from simulator.tools.verdicts import Verdict, echo, failed
from simulator.world.database import Bindings, Database

_MOST_NAMES = 40


class Toolbox:
    """The operations of a scenario and the built-in tools `finish` and `wait`, which the episode carries out itself.

    Immutable; shared by all episodes of a scenario. Tools that take the agent's own SQL are not among them. Raises
    ScenarioError for an operation that cannot be compiled. ``analyse`` says which tables an SQL text touches.
    """

    def __init__(self, document: ScenarioDocument, analyse: Analyse) -> None:
        self._operations = {
            name: compile_operation(name, tool, analyse)
            for name, tool in document.tools.items()
            if isinstance(tool, Operation)
        }
        self._finish = finish_reader(document.refusals)
        self._wait = wait_reader()

    def operation(self, name: str) -> CompiledOperation | None:
        """The operation of this name; None for a built-in tool and for a name that means nothing."""
        return self._operations.get(name)

    def arguments(self, name: str) -> ArgumentsSchema:
        """What the operation of this name takes. Raises KeyError when there is none."""
        return self._operations[name].arguments.schema

    def descriptions(self, role: str | None, refusals: Sequence[str]) -> tuple[dict[str, JsonValue], ...]:
        """The tools an agent in this role has, as OpenAI functions, in document order, then finish and wait."""
        described = [
            _function(item.name, _description(item), item.arguments.schema.document())
            for item in self._operations.values()
            if item.open_to(role)
        ]
        described.append(_function(FINISH, SUMMARIES[FINISH], finish_reader(refusals).schema.document()))
        described.append(_function(WAIT, SUMMARIES[WAIT], self._wait.schema.document()))
        return tuple(described)

    def names(self, role: str | None) -> tuple[str, ...]:
        """The names of the tools an agent in this role has, in the order of the descriptions."""
        return (*(item.name for item in self._operations.values() if item.open_to(role)), FINISH, WAIT)

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
        refusal = check_wait(arguments) if raw.tool == WAIT else None
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
        operation = self._operations.get(name)
        return operation.arguments if operation is not None and operation.open_to(role) else None


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
