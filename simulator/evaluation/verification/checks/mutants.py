"""Mutants: whoever does the work almost right earns less than whoever does it right.

Each solution is played with one mistake at a time (see :mod:`simulator.evaluation.verification.mutations`). A mutant is
noticed when success is lost or a part of the reward is lower than the solution's own; of a write too many, efficiency
alone is not enough, since a harmless read too many costs the same. Mutants that come to the same as the solution are no
mistakes and count for nothing; where only a read is left out, the order is another or prose is worded otherwise, and
nothing notices, a person may want to look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Finding, Part, Tally, merged
from simulator.evaluation.verification.mutations import MOST, Kind, Mutant, Mutator
from simulator.evaluation.verification.sameness import Outcome, outcome_of, same_as_any_solution, same_state
from simulator.evaluation.verification.subject import Episode, Subject
from simulator.reward import Score
from simulator.scenario import Scenario
from simulator.tasks import World

LEAST_OF_TEMPLATE = 0.9
"""The share of a template's mutants that must be noticed, in each world."""

LEAST = 0.98
"""The share of all mutants that must be noticed."""

_EPSILON = 1e-9
_MAY_BE_ALLOWED: tuple[Kind, ...] = ("foreign_read", "sql_instead")
_ONE_MORE: tuple[Kind, ...] = ("repeat_write", "collateral_write")
"""Mutants with one call more than the solution."""

_WORDS: dict[Kind, tuple[str, str]] = {
    "skip_read": ("skipped-read", "Say with a process rule what must be read before."),
    "skip_write": ("skipped-write", "Add a check for what this step brings about, or leave it out of the solution."),
    "repeat_write": ("repeated-write", "Let a guard or `at_most` refuse the second call, or count rows in a check."),
    "swap_order": ("reordered", "Add a check or a `precedence` rule for what the order matters to."),
    "wrong_target": ("wrong-target", "Check the very row the task is about, and narrow `may_change` with `where`."),
    "wrong_value": ("wrong-value", "Check the value itself, as the task's parameters give it."),
    "collateral_write": ("collateral-write", "Narrow `may_change` to the rows and columns of the task."),
    "foreign_read": ("foreign-read", "Give the rule that forbids the read a severity, or failed actions a price."),
    "padding": ("padded", "Give efficiency a weight, or the task a lower step limit."),
    "sql_instead": ("SQL", "Take the grant away, or add a change rule that holds for SQL as well."),
}
"""What the mutants of a kind are called, and how to mend it when they are missed."""


@dataclass(frozen=True, slots=True)
class _Survivor:
    """A mutant that nothing noticed."""

    mutant: Mutant
    episode: Episode


def _run(subject: Subject) -> CheckResult:
    tallies: list[Tally] = []
    survivors: dict[Kind, list[_Survivor]] = {kind: [] for kind in MOST}
    unseen: dict[Kind, list[_Survivor]] = {}
    for number, task in enumerate(subject.tasks):
        for solution, run in zip(subject.solutions(task), subject.runs(task), strict=True):
            trail = subject.trail(task, solution)
            own, base = trail.episode, outcome_of(subject)
            if not own.score.success or base.severities:
                continue  # `solvable` tells of it; nothing can be measured by it
            mutator = Mutator(subject, task, solution, run)
            for kind in MOST:
                if kind == "padding" and number:
                    continue  # long, and the same in every task
                for mutant in mutator.mutants(kind):
                    episode = subject.resume(trail, mutant.plan)
                    tally = _judged(subject, mutant, episode, own, base)
                    tallies.append(tally)
                    if tally.of > tally.noticed:
                        survivors[kind].append(_Survivor(mutant, episode))
                    elif tally.equivalent and mutant.open:
                        unseen.setdefault(kind, []).append(_Survivor(mutant, episode))
    counted = merged(tuple(tallies))
    of, noticed = sum(tally.of for tally in counted), sum(tally.noticed for tally in counted)
    blocks = bool(of) and noticed / of < LEAST_OF_TEMPLATE
    findings = [
        _missed(subject, kind, found, next(tally.of for tally in counted if tally.kind == kind), blocks=blocks)
        for kind, found in survivors.items()
        if found
    ]
    findings += [_to_look_at(subject, kind, found) for kind, found in unseen.items()]
    return CheckResult(tuple(findings), counted)


def _judged(subject: Subject, mutant: Mutant, episode: Episode, own: Episode, base: Outcome) -> Tally:
    """One mutant's tally: noticed, missed, equivalent, or nothing where it turns out to be no mutant."""
    kind = mutant.kind
    mine = outcome_of(subject)
    came_to_same = same_state(subject, mine, base)
    if kind == "foreign_read" and mine.is_clean:
        return Tally(kind)  # nothing forbids it
    if kind == "collateral_write" and came_to_same:
        return Tally(kind)  # it wrote nothing
    if kind == "sql_instead" and mine.is_clean and came_to_same:
        return Tally(kind, equivalent=1)  # grants and rules allow it
    by = noticed_by(episode.score, own.score)
    if by == "efficiency" and kind in _ONE_MORE:
        by = None  # one more harmless read costs the same: what it wrote is not noticed
    if kind == "wrong_value" and mutant.open:
        same = by is None
    elif mutant.open:
        same = came_to_same and (by is None or (mine.process == base.process and mine.is_clean))
    else:
        same = mine.failed == base.failed and mine.severities == base.severities and mine.process == base.process
        same = same and (came_to_same or _is_other_solution(subject, mine, base)) and kind not in ("padding",)
        same = same and kind not in _MAY_BE_ALLOWED
    if same:
        return Tally(kind, equivalent=1)
    return Tally(kind, 1, 0) if by is None else Tally(kind, 1, 1, by={by: 1})


def _is_other_solution(subject: Subject, mine: Outcome, base: Outcome) -> bool:
    """Whether another of the task's solutions changes the world so, with the same ending."""
    if len(subject.runs(mine.state.task)) == 1 or mine.state.refusal != base.state.refusal:
        return False
    return mine.state.answer == base.state.answer and same_as_any_solution(subject, mine)


def noticed_by(mutant: Score, own: Score) -> str | None:
    """The weightiest part of the reward that tells a mutant from the solution, None if none does."""
    if mutant.completion < own.completion - _EPSILON:
        return "completion"
    for part in ("collateral", "violation"):
        if _points(mutant, part) < _points(own, part) - _EPSILON:
            return part
    if own.process is not None and (mutant.process or 0.0) < own.process - _EPSILON:
        return "process"
    if _points(mutant, "failed_action") < _points(own, "failed_action") - _EPSILON:
        return "failed_action"
    if own.success and not mutant.success:
        return "success"
    if mutant.total < own.total - _EPSILON:
        return "efficiency"
    return None


def _points(score: Score, part: str) -> float:
    return sum(line.points for line in score.lines if line.part == part)


def _missed(subject: Subject, kind: Kind, found: Sequence[_Survivor], of: int, *, blocks: bool) -> Finding:
    name, advice = _WORDS[kind]
    first = found[0]
    many = f"{name} mutants" if of > 1 else f"{name} mutant"
    here = "here is one" if len(found) > 1 else "here it is"
    return Finding(
        f"mutants.{kind}",
        "blocking" if blocks else "warning",
        subject.about,
        f"The checks miss {len(found)} of {of} {many}; {here}: {first.episode.task.id}, {first.mutant.words}.",
        advice,
        first.episode.evidence(min(first.mutant.step, len(first.episode.actions)) or None),
    )


def _to_look_at(subject: Subject, kind: Kind, found: Sequence[_Survivor]) -> Finding:
    first = found[0]
    abouts = ", ".join(dict.fromkeys(item.mutant.about for item in found))
    if kind == "skip_read":
        message = f"Nothing asks for reads that the solution makes: {abouts}."
        advice = "If the policy demands the read, say so with a process rule; else leave it."
    elif kind == "swap_order":
        message = f"Nothing asks for the solution's order: {first.episode.task.id} {first.mutant.words} is as good."
        advice = "If the policy demands the order, say so with a `precedence` rule; else leave it."
    else:
        message = f"Nothing asks for the words that the solution writes: {abouts}."
        advice = "If they must be those very words, look for them in a check; else leave it."
    step = min(first.mutant.step, len(first.episode.actions)) or None
    return Finding(f"mutants.{kind}", "review", subject.about, message, advice, first.episode.evidence(step))


def _of_all(scenario: Scenario, worlds: Sequence[World], parts: Sequence[Part]) -> CheckResult:
    """The mutation score of the whole."""
    tallies = merged(tuple(tally for part in parts if part.check == CHECK.id for tally in part.result.tallies))
    of, noticed = sum(tally.of for tally in tallies), sum(tally.noticed for tally in tallies)
    if not of:
        return CheckResult(figures={"mutants": 0})
    share = noticed / of
    figures = {"mutants": of, "noticed": noticed, "score": round(share, 6)}
    return CheckResult(tuple(_low_score(share, of - noticed, of)), figures=figures)


def _low_score(share: float, missed: int, of: int) -> Iterator[Finding]:
    if share < LEAST:
        message = f"The checks miss {missed} of {of} mutants: a mutation score of {share:.1%}, less than {LEAST:.0%}."
        yield Finding("mutants.score", "blocking", "", message, "Mend what the findings about mutants tell of.")


CHECK = Check("mutants", "Whoever does the work almost right earns less", "template", _run)
OF_ALL = Check("mutants", CHECK.title, "scenario", _of_all)
