"""One step: read the call, run it, look at what it changed, judge, let time pass.

A step takes a state and an action and gives the next state; the state it began from stays as it was. Whatever an agent
does wrong is a verdict. An operation runs in one transaction, which is rolled back if a guard, a constraint or a rule
that denies says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.episode.attempts import Settled, Tried
from simulator.episode.engine import Engine
from simulator.episode.faults import TOOK_EFFECT_FLAG, Strike
from simulator.episode.logs import REPLAYED, action_rows, change_rows, judged
from simulator.episode.recordable import UnreadableAction, tool_named
from simulator.episode.state import EpisodeState, SourcedChange, StoredReply
from simulator.episode.timeline import LIMIT_FLAG, MOST_CHANGES, MOST_DUE, MOST_EVENTS, Queue
from simulator.errors import EngineFault
from simulator.rules import ActionEvent, Violation
from simulator.scenario.durations import parse_duration
from simulator.scenario.times import format_timestamp
from simulator.tools import (
    FINISH,
    OK,
    WAIT,
    CompiledOperation,
    CompiledSqlTool,
    ToolCall,
    Verdict,
    cap_result,
    failed,
    fault_body,
    fault_verdict,
    request_fingerprint,
    result_text,
    stale_verdict,
    statement_of,
)
from simulator.world import Database, Recorder, RowChange, StatementFailed, delta

UNCHECKABLE = "not_checkable"
"""The code of an action on which a rule's SQL fails. Its arguments stay out of the log, or the rule would fail on every
later action too."""

_MODULUS = 1 << 128


@dataclass(frozen=True, slots=True)
class Effect:
    """What one step came to, beside the state it led to. ``as_of`` is the time of the data that a stale read saw."""

    verdict: Verdict
    result: Any = None
    changes: tuple[SourcedChange, ...] = ()
    violations: tuple[Violation, ...] = ()
    flags: tuple[str, ...] = ()
    as_of: int | None = None


def take_step(engine: Engine, state: EpisodeState, action: object, *, turn: int) -> tuple[EpisodeState, Effect]:
    """The state after ``action``, and what it came to. Raises :class:`EngineFault`; nothing else."""
    return _Step(engine, state, turn).take(action)


class _Step:
    """Carries one step through."""

    def __init__(self, engine: Engine, state: EpisodeState, turn: int) -> None:
        self.engine = engine
        self.state = state
        self.turn = turn
        self.number = len(state.events) + 1
        self.bindings = {"actor": state.task.actor}

    def take(self, action: object) -> tuple[EpisodeState, Effect]:
        state, toolbox = self.state, self.engine.toolbox
        role = state.task.role
        call = action.verdict if type(action) is UnreadableAction else toolbox.read_call(action, role)
        takes, ended, struck = 0, False, ""
        with self.engine.laid(state) as database, database.one_action():
            if isinstance(call, Verdict):
                named = tool_named(action)
                tool = named if named in toolbox.names(role) else ""
                tried = Tried(call, event=self.event(ToolCall(tool, {}), call))
            elif call.tool == FINISH:
                tried = self.built_in(call, {"finished": True})
                ended = tried.verdict.ok
            elif call.tool == WAIT:
                tried = self.built_in(call, {"ok": True})
                takes = parse_duration(str(call.arguments["duration"])) if tried.verdict.ok else 0
            else:
                struck = call.tool
                tried, takes = self.call(database, call)
            after = self.follow(database, tried, takes)
            if state.faults is not None:
                after = replace(after, faults=self.engine.faults.record(state, struck, tried.strike))
            with database.one_action():
                after, timeline_changes, flags = self.pass_time(database, after, tried.changes)
        if isinstance(call, ToolCall) and tried.done:
            after = self.end(after, call, ended)
        if after.ending is None and self.number >= after.step_limit:
            after = replace(after, ending="truncated", reason=f"the limit of {after.step_limit} steps is reached")
        changes = (*self.sourced(tried.changes), *timeline_changes)
        all_flags = (*tried.flags, *flags)
        return after, Effect(tried.verdict, tried.result, changes, tried.violations, all_flags, tried.as_of)

    def call(self, database: Database, call: ToolCall) -> tuple[Tried, int]:
        """An operation or a statement of the agent's, as the world lets it come off, and the time it takes."""
        strike = self.engine.faults.strike(self.state, call.tool) if self.state.faults is not None else None
        if strike is None:
            return self.carry_out(database, call)
        if strike.kind == "stale_read":
            stale = self.read_stale(database, call, strike)
            return self.carry_out(database, call) if stale is None else stale
        return self.fail(database, call, strike)

    def carry_out(self, database: Database, call: ToolCall) -> tuple[Tried, int]:
        """A call that nothing gets in the way of."""
        tool_of_sql = self.engine.toolbox.sql_tool(call.tool)
        if tool_of_sql is not None:
            tried = self.run_sql(database, tool_of_sql, call)
            return tried, tool_of_sql.takes if tried.verdict.ok else 0
        operation = self.operation(call)
        tried = self.operate(database, operation, call)
        return tried, operation.takes if tried.verdict.ok and not tried.replayed else 0

    def operation(self, call: ToolCall) -> CompiledOperation:
        operation = self.engine.toolbox.operation(call.tool)
        if operation is None:
            raise EngineFault(f"{call.tool!r} was read as a call and is no operation.")
        return operation

    def fail(self, database: Database, call: ToolCall, strike: Strike) -> tuple[Tried, int]:
        """A call that a fault strikes. One that times out takes the same time whether its effect took place or not."""
        verdict, body = fault_verdict(strike.kind, strike.retry_after), fault_body(strike.kind, strike.retry_after)
        flags: tuple[str, ...] = (strike.flag,)
        if strike.after_effect and self.writes(call):
            tried, _ = self.carry_out(database, call)
            done = tried.verdict.ok and not tried.replayed and tried.event is not None
        else:
            tried, done = Tried(verdict), False
        event = self.event(call, verdict, body)
        if done and tried.event is not None:
            event = replace(event, took_effect=True, writes=tried.event.writes, keys=tried.event.keys)
            flags = (strike.flag, TOOK_EFFECT_FLAG)
        takes = self.takes(call) if strike.kind == "timeout" else 0
        return replace(tried, verdict=verdict, result=body, event=event, flags=flags, strike=strike), takes

    def read_stale(self, database: Database, call: ToolCall, strike: Strike) -> tuple[Tried, int] | None:
        """A read answered from the data of an earlier moment; None where the data were the same, the call is no read,
        or would have failed then.
        """
        state, moments = self.state, self.state.faults.moments if self.state.faults is not None else ()
        behind = min(strike.behind, len(moments))
        if not behind or moments[-behind].pages is state.pages or self.writes(call):
            return None
        moment = moments[-behind]
        database.store.lay(moment.pages, state.before, state.now)
        try:
            tried, takes = self.carry_out(database, call)
        finally:
            database.store.lay(state.pages, state.before, state.now)
        if not tried.verdict.ok or tried.event is None:
            return None
        verdict = replace(stale_verdict(format_timestamp(moment.now), behind), flags=tried.verdict.flags)
        event = replace(tried.event, code=verdict.code)
        flags = (*tried.flags, strike.flag)
        return replace(tried, verdict=verdict, event=event, flags=flags, strike=strike, as_of=moment.now), takes

    def writes(self, call: ToolCall) -> bool:
        """Whether a call may change the world."""
        tool_of_sql = self.engine.toolbox.sql_tool(call.tool)
        if tool_of_sql is None:
            return not self.operation(call).reads_only
        statement = tool_of_sql.judge(statement_of(call), self.state.task.role)
        return not isinstance(statement, Verdict) and statement.is_write

    def takes(self, call: ToolCall) -> int:
        """The time a call takes that comes off, in seconds."""
        tool_of_sql = self.engine.toolbox.sql_tool(call.tool)
        return self.operation(call).takes if tool_of_sql is None else tool_of_sql.takes

    def operate(self, database: Database, operation: CompiledOperation, call: ToolCall) -> Tried:
        """Run an operation, or give the reply its idempotency key had before."""
        key = operation.idempotency_key(call)
        if key is not None and (stored := self.state.replies.get((call.tool, key))) is not None:
            return self.replayed(stored, call, operation)
        tried = self.read(database, operation, call) if operation.reads_only else self.write(database, operation, call)
        if key is not None and tried.verdict.ok:
            tried.reply = ((call.tool, key), StoredReply(request_fingerprint(call), tried.result))
        return tried

    def replayed(self, stored: StoredReply, call: ToolCall, operation: CompiledOperation) -> Tried:
        if stored.fingerprint != request_fingerprint(call):
            message = f"`{operation.idempotency}` was used before for another request; choose a new one."
            verdict = failed("guard", "idempotency_conflict", message)
            return Tried(verdict, event=self.event(call, verdict))
        event = replace(self.event(call, OK, stored.result), code=REPLAYED)
        return Tried(OK, stored.result, event=event, flags=(REPLAYED,))

    def read(self, database: Database, operation: CompiledOperation, call: ToolCall) -> Tried:
        """An operation that changes nothing: no transaction, no row changes to look at."""
        attempt = self.engine.toolbox.run(database, call, self.bindings)
        if not attempt.verdict.ok:
            return Tried(attempt.verdict, event=self.event(call, attempt.verdict))
        result = self.result(database, call, attempt)
        if isinstance(result, Verdict):
            return Tried(result, event=self.event(call, result))
        return self.settle_reading(database, call, OK, result, operation.reads)

    def settle_reading(
        self, database: Database, call: ToolCall, verdict: Verdict, result: Any, reads: frozenset[str]
    ) -> Tried:
        """What has only been read, judged."""
        event = self.event(call, verdict, result, reads=reads)
        found = self.judge_process(database, event)
        if isinstance(found, Verdict):
            return Tried(found, event=self.event(call, found))
        return Tried(verdict, result, violations=found, event=event)

    def run_sql(self, database: Database, tool: CompiledSqlTool, call: ToolCall) -> Tried:
        """Run the agent's own statement; a query opens no transaction."""
        statement = tool.judge(statement_of(call), self.state.task.role)
        if isinstance(statement, Verdict):
            return Tried(statement, event=self.event(call, statement))
        if not statement.is_write:
            attempt = tool.read(database, statement, self.bindings)
            if not attempt.verdict.ok:
                return Tried(attempt.verdict, event=self.event(call, attempt.verdict))
            result = cap_result(attempt.result)[0]
            return self.settle_reading(database, call, attempt.verdict, result, statement.tables_read)
        with database.store.record() as recorder:
            attempt = tool.write(database, statement, self.bindings, recorder)
            tried = Tried(attempt.verdict)
            if tried.verdict.ok:
                settled = self.settle(database, call, recorder, statement.tables_read)
                if isinstance(settled, Verdict):
                    tried = Tried(settled)
                else:
                    result = cap_result(attempt.result)[0]
                    tried = settled.resulting(attempt.verdict, result)
            if not tried.verdict.ok:
                recorder.rollback()
                tried.event = self.event(call, tried.verdict)
        return tried

    def write(self, database: Database, operation: CompiledOperation, call: ToolCall) -> Tried:
        """An operation that may change rows: one transaction, judged before it is kept."""
        issued = dict(database.keys.issued)
        with database.store.record() as recorder:
            tried = self.attempt(database, operation, call, recorder)
            if not tried.verdict.ok:
                recorder.rollback()
                database.keys.lay(issued)
                tried.event = self.event(call, tried.verdict)
        return tried

    def attempt(self, database: Database, operation: CompiledOperation, call: ToolCall, recorder: Recorder) -> Tried:
        attempt = self.engine.toolbox.run(database, call, self.bindings)
        if not attempt.verdict.ok:
            return Tried(attempt.verdict)
        settled = self.settle(database, call, recorder, operation.reads)
        if isinstance(settled, Verdict):
            return Tried(settled)
        result = self.result(database, call, attempt)
        return Tried(result) if isinstance(result, Verdict) else settled.resulting(OK, result)

    def settle(
        self, database: Database, call: ToolCall, recorder: Recorder, reads: frozenset[str]
    ) -> Settled | Verdict:
        """What was written, its histories kept and the whole judged; the verdict of what denies it."""
        try:
            changes = recorder.changes
            if self.engine.append_history(changes):
                changes = recorder.changes
            event = self.event(call, OK, reads=reads, changes=changes)
            found = self.judge(database, changes, event)
        except (StatementFailed, UnicodeDecodeError) as failure:
            return failed("constraint", UNCHECKABLE, f"A rule could not be checked: {failure}")
        return found if isinstance(found, Verdict) else Settled(changes, found, event)

    def built_in(self, call: ToolCall, result: Any) -> Tried:
        """`finish` and `wait`: nothing changes, but the sequence of actions may break a rule."""
        event = self.event(call, OK, result)
        found = self.judge_process(self.engine.database, event)
        if isinstance(found, Verdict):
            return Tried(found, event=self.event(call, found))
        return Tried(OK, result, violations=found, event=event)

    def result(self, database: Database, call: ToolCall, attempt: Any) -> Any:
        result = self.engine.toolbox.result(database, call, attempt)
        return result if isinstance(result, Verdict) else cap_result(result)[0]

    def judge(
        self, database: Database, changes: tuple[RowChange, ...], event: ActionEvent
    ) -> tuple[Violation, ...] | Verdict:
        """The violations of an action that ran, or the verdict that denies it."""
        rules, state = self.engine.rules, self.state
        database.logs.changes = lambda: change_rows((*state.changes, *self.sourced(changes)))
        database.logs.actions = lambda: action_rows((*state.events, event))
        found: list[Violation] = []
        if changes:
            found += rules.judge_changes(database, changes, step=self.number, bindings=self.bindings)
            found += rules.judge_state(database, changes, state.baseline, step=self.number, bindings=self.bindings)
        denied = next((violation for violation in found if violation.deny), None)
        if denied is not None:
            return _denied(denied)
        process = self.judge_process(database, event)
        return process if isinstance(process, Verdict) else (*found, *process)

    def judge_process(self, database: Database, event: ActionEvent) -> tuple[Violation, ...] | Verdict:
        events = (*self.state.events, event)
        database.logs.actions = lambda: action_rows(events)
        seen = judged(events)
        if not seen or seen[-1] is not event:
            return ()
        try:
            found = self.engine.rules.judge_process(seen, database=database, bindings=self.bindings)
        except StatementFailed as failure:
            return failed("constraint", UNCHECKABLE, f"A rule could not be checked: {failure.message}")
        denied = next((violation for violation in found if violation.deny), None)
        return _denied(denied) if denied is not None else tuple(found)

    def follow(self, database: Database, tried: Tried, takes: int) -> EpisodeState:
        """The state with the action in it, and its time taken."""
        state = self.state
        replies = state.replies if tried.reply is None else {**state.replies, tried.reply[0]: tried.reply[1]}
        seen = {(violation.rule, violation.row or violation.step) for violation in state.violations}
        fresh = [item for item in tried.violations if (item.rule, item.row or item.step) not in seen]
        tried.violations = tuple(fresh)
        operation = self.engine.toolbox.operation(tried.event.tool) if tried.event is not None else None
        charged = operation is not None and tried.done and not tried.replayed
        net = state.agent_changes
        return replace(
            state,
            pages=database.store.pages(),
            issued=dict(database.keys.issued),
            now=state.now + takes,
            delta=(state.delta + delta(tried.changes)) % _MODULUS,
            changes=(*state.changes, *self.sourced(tried.changes)),
            agent_changes=net.merge(tried.changes, beside_others=True) if tried.changes else net,
            events=(*state.events, tried.event) if tried.event is not None else state.events,
            violations=(*state.violations, *fresh),
            replies=replies,
            cost=state.cost + (operation.cost if operation is not None and charged else 0.0),
        )

    def pass_time(
        self, database: Database, state: EpisodeState, changes: Sequence[RowChange]
    ) -> tuple[EpisodeState, tuple[SourcedChange, ...], tuple[str, ...]]:
        """Let every timeline event take effect whose time has come, and those they set off."""
        timeline = self.engine.timeline
        made: list[RowChange] = []
        flags: list[str] = []
        room = max(MOST_DUE - len(state.due), 0)
        first = timeline.set_off(database, changes, self.state.now, most=room, failed=flags)
        due = Queue(state.due)
        due.add(first)
        for _ in range(MOST_EVENTS):
            event = due.next(state.now)
            if event is None or database.exhausted or len(made) >= MOST_CHANGES:
                break
            database.store.now = max(event.at, self.state.now)
            done = self.run_event(database, due.pop())
            if done is None:
                flags.append(f"timeline_failed:{event.name}")
                continue
            made += done
            due.add(timeline.set_off(database, done, event.at, most=max(MOST_DUE - len(due), 0), failed=flags))
        if due.next(state.now) is not None:
            flags.append(LIMIT_FLAG)
        database.store.now = state.now
        sourced = tuple(SourcedChange(self.number, "timeline", change) for change in made)
        if made:
            tables = frozenset(change.table for change in made)
            state = replace(
                state,
                pages=database.store.pages(),
                issued=dict(database.keys.issued),
                delta=(state.delta + delta(made)) % _MODULUS,
                timeline_changes=state.timeline_changes.merge(made, beside_others=True),
                baseline=self.engine.rules.excuse(database, tables, state.baseline, bindings=self.bindings),
                changes=(*state.changes, *sourced),
            )
        if due.altered:
            state = replace(state, due=due.rest())
        return state, sourced, tuple(dict.fromkeys(flags))

    def run_event(self, database: Database, event: Any) -> tuple[RowChange, ...] | None:
        """What an event changed; None when its effects could not be carried out on the data the agent left."""
        issued = dict(database.keys.issued)
        with database.store.record() as recorder:
            try:
                self.engine.timeline.run(database, event)
                self.engine.append_history(recorder.changes)
                return recorder.changes
            except (StatementFailed, UnicodeDecodeError):
                recorder.rollback()
                database.keys.lay(issued)
                return None

    def end(self, state: EpisodeState, call: ToolCall, finished: bool) -> EpisodeState:
        """The state after an action that may end the episode."""
        if finished:
            answer, refusal = call.arguments.get("answer"), call.arguments.get("refusal")
            return replace(
                state, ending="finished", reason="the agent finished",
                answer=answer if isinstance(answer, str) else None,
                refusal=refusal if isinstance(refusal, str) else None,
            )  # fmt: skip
        operation = self.engine.toolbox.operation(call.tool)
        if operation is not None and operation.ends:
            return replace(state, ending="ended", reason=f"{call.tool} ends the task")
        return state

    def event(
        self,
        call: ToolCall,
        verdict: Verdict,
        result: Any = None,
        *,
        reads: frozenset[str] = frozenset(),
        changes: Sequence[RowChange] = (),
    ) -> ActionEvent:
        keys: dict[str, set[tuple[Any, ...]]] = {}
        writes: set[tuple[str, str]] = set()
        for change in changes:
            keys.setdefault(change.table, set()).add(change.key)
            if change.op != "update":
                writes.add((change.table, ""))
            writes.update((change.table, column) for column in (change.new or change.old or {}))
        return ActionEvent(
            step=self.number,
            turn=self.turn,
            tool=call.tool,
            arguments={} if verdict.code == UNCHECKABLE else call.arguments,
            ok=verdict.ok,
            kind=verdict.kind,
            code=verdict.code,
            result=result_text(result) if result is not None else "null",
            at=format_timestamp(self.state.now),
            reads=reads if verdict.ok else frozenset(),
            writes=frozenset(writes),
            keys={table: frozenset(found) for table, found in keys.items()},
        )

    def sourced(self, changes: Sequence[RowChange]) -> tuple[SourcedChange, ...]:
        return tuple(SourcedChange(self.number, "agent", change) for change in changes)


def _denied(violation: Violation) -> Verdict:
    return failed("rule_denied", violation.rule, violation.message)
