"""From a state to its score: the ledger is filled from the episode's state, and priced by the reward room.

Scoring reads the state and leaves it as it is, so it may be asked for at any moment; before the end it says what the
episode would get if it stopped there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from simulator.episode.engine import Engine
from simulator.episode.logs import judged
from simulator.episode.solution_runs import SolutionBook, SolutionRun
from simulator.episode.state import EpisodeState
from simulator.errors import UsageError
from simulator.reward import Ending, FailedAction, Ledger, Score, SolutionTrace, potential, score
from simulator.rules import Violation
from simulator.scenario.models import TaskTemplate
from simulator.tasks import CheckResult, Task, collateral, expected_answers, run_checks
from simulator.world import Database, Key


class Scorer:
    """Scores the episodes of one world."""

    def __init__(self, engine: Engine, book: SolutionBook) -> None:
        self._engine = engine
        self._book = book
        self._expected: dict[str, Mapping[str, JsonValue]] = {}

    def score(self, state: EpisodeState) -> Score:
        """The score of an episode as it stands. Raises :class:`UsageError` for one that a fault made invalid."""
        if state.ending == "invalid":
            raise UsageError(f"The episode is invalid and has no score: {state.reason}")
        return score(self.ledger(state), self._engine.document.reward)

    def ledger(self, state: EpisodeState) -> Ledger:
        """Everything the score depends on, as data."""
        engine, task = self._engine, state.task
        runs = self._book.runs(task)
        checks = (*self.checks(state, runs), *_work_refused(engine.template(task), state))
        bindings = {"actor": task.actor}
        with engine.laid(state) as database:
            process = engine.rules.process_results(judged(state.events), database=database, bindings=bindings)
            violations = (*state.violations, *self._final_violations(database, state))
            last_steps: dict[tuple[str, Key], int] = {}
            for item in state.changes:
                if item.source == "agent":
                    last_steps[item.change.table, item.change.key] = item.step
            damages = collateral(
                database, engine.template(task), task, state.agent_changes,
                [run.changes for run in runs], steps=last_steps,
            )  # fmt: skip
        return Ledger(
            ending=_ending(state),
            steps=len(state.events),
            limit=state.step_limit,
            checks=checks,
            allowance=state.steps_added,
            solutions=tuple(SolutionTrace(run.steps, run.activates) for run in runs),
            process=process,
            violations=tuple(item for item in violations if not item.rule.startswith("process.")),
            damages=damages,
            failed_actions=tuple(
                FailedAction(event.step, event.tool, event.kind, event.code) for event in state.events if not event.ok
            ),
        )

    def checks(self, state: EpisodeState, runs: Sequence[SolutionRun] | None = None) -> tuple[CheckResult, ...]:
        """How the task's checks stand in this state."""
        engine, task = self._engine, state.task
        played = self._book.runs(task) if runs is None else runs
        expected = self._answers(state)
        elapsed = max([state.now - state.start, *(run.elapsed for run in played)])
        with engine.laid(state) as database:
            return run_checks(
                database, engine.template(task), task, answer=state.answer, refusal=state.refusal,
                agent_changes=state.agent_changes, solution_changes=[run.changes for run in played],
                expected=expected, elapsed=elapsed, told=frozenset().union(*(run.told for run in played)),
            )  # fmt: skip

    def potential(self, state: EpisodeState) -> float:
        """Φ of a state: 0 at the start and once the episode has ended."""
        return 0.0 if state.ending is not None or not state.events else potential(self.checks(state))

    def _final_violations(self, database: Database, state: EpisodeState) -> list[Violation]:
        """The state rules that only the end can judge, on what the agent changed."""
        tables = frozenset(item.change.table for item in state.changes if item.source == "agent")
        return self._engine.rules.judge_final_state(
            database, tables, state.baseline, step=len(state.events), bindings={"actor": state.task.actor}
        )

    def _answers(self, state: EpisodeState) -> Mapping[str, JsonValue]:
        """The expected answers, computed on the world as the task began."""
        task: Task = state.task
        if task.id not in self._expected:
            template = self._engine.template(task)
            if not any(check.answer is not None for check in template.checks.values()):
                return {}
            with self._engine.laid_at_start(state) as database:
                self._expected[task.id] = expected_answers(database, template, task)
        return self._expected[task.id]


def _work_refused(template: TaskTemplate, state: EpisodeState) -> tuple[CheckResult, ...]:
    """A task that acts is not done by an agent that says it must not be: it would win both halves of a pair."""
    if template.expects is not None or state.refusal is None:
        return ()
    detail = f"the agent refused with {state.refusal}"
    return (CheckResult("no_refusal", False, True, True, 1.0, "Does not refuse what is to be done", detail, "refusal"),)


def _ending(state: EpisodeState) -> Ending:
    if state.ending is None:
        return "running"
    if state.ending == "invalid":
        raise UsageError("An invalid episode has no score.")
    return state.ending
