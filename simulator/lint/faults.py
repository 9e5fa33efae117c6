"""Faults: operations that there are, kinds that fit them, and nothing that would make a task impossible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum

from simulator.lint.findings import Findings
from simulator.lint.operations import CheckedOperation
from simulator.scenario import did_you_mean
from simulator.scenario.durations import parse_duration
from simulator.scenario.models import BUILT_IN_TOOLS, Call, Fault, Operation, ScenarioDocument, SqlTool
from simulator.scenario.paths import Path
from simulator.tools import LONGEST_WAIT

MOST_STRUCK = 0.5
"""The share of an operation's calls that all faults together may strike."""


def check_faults(document: ScenarioDocument, operations: Mapping[str, CheckedOperation], findings: Findings) -> None:
    """Check every fault on its own, and what they come to for each operation."""
    for name, fault in document.faults.items():
        path: Path = ("faults", name)
        for place, tool in _tools(fault, path):
            _check_name(tool, place, document, findings)
        _Check(document, operations, fault, path, findings).run()
    _check_shares(document, findings)


def _tools(fault: Fault, path: Path) -> Iterable[tuple[Path, str]]:
    if isinstance(fault.tools, str):
        return [((*path, "tools"), fault.tools)]
    return [((*path, "tools", index), tool) for index, tool in enumerate(fault.tools)]


def _check_name(tool: str, place: Path, document: ScenarioDocument, findings: Findings) -> None:
    if tool in BUILT_IN_TOOLS:
        message = f"`{tool}` is the engine's own and never fails; a fault strikes the scenario's operations."
        findings.error("fault_on_built_in", message, place)
    elif tool not in document.tools:
        hint = did_you_mean(tool, document.tools)
        findings.error("unknown_tool", f"There is no tool {tool!r}.", place, hint)


def _check_shares(document: ScenarioDocument, findings: Findings) -> None:
    shares: dict[str, list[tuple[str, float]]] = {}
    for name, fault in document.faults.items():
        for tool in fault.names if fault.kind != "outage" else ():
            shares.setdefault(tool, []).append((name, fault.share))
    for tool, parts in shares.items():
        total = fsum(share for _, share in parts)
        if total > MOST_STRUCK:
            message = f"Faults strike {total:.0%} of the calls of `{tool}`; {MOST_STRUCK:.0%} are the most."
            findings.error("too_many_faults", message, ("faults", parts[-1][0]), "Make the shares smaller.")


class _Check:
    """One fault, and the operations it names that there are."""

    def __init__(
        self,
        document: ScenarioDocument,
        operations: Mapping[str, CheckedOperation],
        fault: Fault,
        path: Path,
        findings: Findings,
    ) -> None:
        self.document = document
        self.operations = operations
        self.fault = fault
        self.path = path
        self.findings = findings

    def run(self) -> None:
        match self.fault.kind:
            case "rate_limit":
                self._rate_limit()
            case "outage":
                self._outage()
            case "stale_read":
                self._stale_read()
            case "timeout" if self.fault.effect == "after":
                self._timeout_after()
            case _:
                pass

    def _rate_limit(self) -> None:
        if not 0 < parse_duration(self.fault.retry_after) <= LONGEST_WAIT:
            message = "`retry_after` must be between 1s and 30d, which is the longest that `wait` waits."
            self.findings.error("bad_retry_after", message, (*self.path, "retry_after"))

    def _outage(self) -> None:
        length = (self.fault.to_step or 0) - (self.fault.from_step or 0) + 1
        limits = [(task.limits or self.document.limits).steps for task in self.document.tasks.values()]
        shortest = min(limits, default=self.document.limits.steps)
        if length > shortest:
            message = f"The outage lasts {length} steps, and a task has {shortest}."
            self.findings.error("endless_outage", message, (*self.path, "to_step"), "Let it end sooner.")

    def _stale_read(self) -> None:
        for place, name in _tools(self.fault, self.path):
            if isinstance(self.document.tools.get(name), Operation) and not self._reads_only(name):
                message = f"`{name}` changes the world, and a stale read strikes what only reads."
                self.findings.error("stale_write", message, place, "Use a timeout or a server error.")

    def _timeout_after(self) -> None:
        for place, name in _tools(self.fault, self.path):
            tool = self.document.tools.get(name)
            if isinstance(tool, SqlTool):
                message = "Agents' own SQL has no idempotency key, so a timeout must come before its effect."
                self.findings.error("unrevealed_effect", message, place, "Write `effect: before`.")
            elif isinstance(tool, Operation):
                self._lost_answer(name, tool, place)

    def _lost_answer(self, name: str, tool: Operation, place: Path) -> None:
        if self._reads_only(name):
            message = f"`{name}` only reads, so there is no effect to time out after."
            self.findings.error("no_effect", message, place, "Write `effect: before`.")
        elif tool.ends:
            message = f"`{name}` ends the episode, so nobody could ask again."
            self.findings.error("no_retry", message, place, "Write `effect: before`.")
        elif tool.idempotency is None:
            if not self._reveals(name):
                message = f"`{name}` has no idempotency key, and no operation reads what it writes."
                self.findings.error(
                    "unrevealed_effect", message, place, "Give it `idempotency`, or write an operation that shows it."
                )
            elif remembering := self._remembering(name):
                message = f"The solution of `{remembering}` needs the result of `{name}`, which a timeout loses."
                self.findings.error("lost_result", message, place, "Give it `idempotency`.")

    def _reveals(self, name: str) -> bool:
        """Whether everyone who has the operation can read a table it writes."""
        written = self.operations[name].writes
        tool = self.document.tools[name]
        users = set(tool.roles or self._all_roles()) if isinstance(tool, Operation) else set()
        readers: set[str | None] = set()
        for other, checked in self.operations.items():
            model = self.document.tools[other]
            if isinstance(model, Operation) and self._reads_only(other) and checked.reads & written:
                readers |= set(model.roles or self._all_roles())
        return users <= readers or any(self._shows(item, written) for item in self.document.tools.values())

    def _shows(self, tool: object, written: frozenset[str]) -> bool:
        """Whether a tool of agents' SQL that is open to everyone shows one of these tables."""
        return isinstance(tool, SqlTool) and tool.roles is None and any(
            not isinstance(grant, list) and grant.roles is None and grant.select is not None
            for table, grant in tool.sql.grants.items() if table in written
        )  # fmt: skip

    def _all_roles(self) -> list[str | None]:
        return [None, *self.document.roles]

    def _reads_only(self, name: str) -> bool:
        tool = self.document.tools[name]
        return isinstance(tool, Operation) and not tool.effects

    def _remembering(self, name: str) -> str | None:
        """A task whose solution remembers something of the operation's result."""
        for task, template in self.document.tasks.items():
            solutions = [template.solution or [], *(template.solutions or [])]
            if any(_remembers(call, name) for solution in solutions for call in solution):
                return task
        return None


def _remembers(call: Call, name: str) -> bool:
    return (call.tool == name and bool(call.remember)) or any(_remembers(inner, name) for inner in call.do)
