"""Whether an episode came to the same as a solution: the same changes, ending and process, and nothing went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.episode import EpisodeState
from simulator.evaluation.verification.subject import Subject
from simulator.reward import UNPRICED_KINDS
from simulator.tasks import Comparison, generated_tables, same_changes
from simulator.world import NetChanges

Process = frozenset[tuple[str, bool, int]]
"""Of each process rule: its name, whether it came into play, and how often it was violated."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an episode came to.

    ``severities`` are those of its violations; ``failed`` counts its failed actions, but for those that faults and
    limits struck: of them nobody is to blame.
    """

    state: EpisodeState
    process: Process
    severities: tuple[str | None, ...]
    failed: int

    @property
    def changes(self) -> NetChanges:
        """The agent's net changes."""
        return self.state.agent_changes

    @property
    def is_clean(self) -> bool:
        """Whether no rule was broken and no call failed."""
        return not self.severities and not self.failed

    @property
    def is_grave(self) -> bool:
        """Whether a rule was broken that is major or critical."""
        return any(severity in ("major", "critical") for severity in self.severities)


def outcome_of(subject: Subject) -> Outcome:
    """What the episode that the subject has just played came to."""
    state = subject.environment.snapshot()
    ledger = subject.workplace.scorer.ledger(state)
    return Outcome(
        state,
        frozenset((result.rule, result.activated, len(result.violations)) for result in ledger.process),
        tuple(violation.severity for violation in ledger.all_violations()),
        sum(action.kind not in UNPRICED_KINDS for action in ledger.failed_actions),
    )


def same_state(subject: Subject, mine: Outcome, theirs: Outcome) -> bool:
    """Whether both changed the world alike, up to keys that were made up, and ended alike."""
    if (mine.state.answer, mine.state.refusal) != (theirs.state.answer, theirs.state.refusal):
        return False
    if (mine.state.ending in _OWN) != (theirs.state.ending in _OWN):
        return False
    return _same_changes(subject, mine.changes, mine, theirs.changes)


def same_reaction(subject: Subject, mine: Outcome, theirs: Outcome) -> bool:
    """Whether what happens by itself had come as far in both: a wait before a request isn't one for its result."""
    if sorted(event.name for event in mine.state.due) != sorted(event.name for event in theirs.state.due):
        return False
    return _same_changes(subject, mine.state.timeline_changes, mine, theirs.state.timeline_changes)


def same_as_any_solution(subject: Subject, mine: Outcome) -> bool:
    """Whether the changes are those of one of the task's solutions."""
    return any(_same_changes(subject, mine.changes, mine, run.changes) for run in subject.runs(mine.state.task))


_OWN = ("finished", "ended")


def _same_changes(subject: Subject, changes: NetChanges, mine: Outcome, theirs: NetChanges) -> bool:
    runs = subject.runs(mine.state.task)
    schema = subject.workplace.engine.schema
    comparison = Comparison(
        schema=schema,
        generated=generated_tables(subject.document, schema),
        started_at=mine.state.start,
        elapsed=max([mine.state.now - mine.state.start, *(run.elapsed for run in runs)]),
        told=frozenset().union(*(run.told for run in runs)),
    )
    return same_changes(changes, theirs, comparison)
