"""Already true: before anything is done, no check holds that is to be earned, and no rule is broken."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.episode import workplace_of
from simulator.evaluation.verification.check import Check
from simulator.evaluation.verification.findings import CheckResult, Evidence, Finding, Tally
from simulator.evaluation.verification.subject import EPISODE_SEED, Subject
from simulator.tasks import Task, World, start_problems

_ADVICE = {
    "true_at_start": "Say `keeps: true` if it is to stay as it is; otherwise draw tasks in which it is false.",
    "false_at_start": "Take `keeps` out, or draw tasks in which the check holds as they begin.",
    "nothing_to_do": "Add a check that only the work makes true.",
}
"""What to do about each kind of problem that :func:`simulator.tasks.start_problems` tells."""


def _run(subject: Subject) -> CheckResult:
    findings: dict[tuple[str, str], Finding] = {}
    sound = 0
    for task in subject.tasks:
        state = subject.workplace.engine.begin(task, EPISODE_SEED)
        problems = tuple(start_problems(subject.workplace.scorer.checks(state), task))
        sound += not problems
        for problem in problems:
            evidence = Evidence(task.world_seed, task.id, EPISODE_SEED, ())
            findings.setdefault(
                (problem.code, problem.path),
                Finding(
                    f"already_true.{problem.code}",
                    "blocking",
                    problem.path,
                    problem.message[0].upper() + problem.message[1:],
                    _ADVICE[problem.code],
                    evidence,
                ),
            )
    return CheckResult(tuple(findings.values()), (Tally("tasks", len(subject.tasks), sound),))


def _of_world(world: World, tasks: Sequence[Task]) -> CheckResult:
    engine = workplace_of(world).engine
    with engine.laid_bare() as database:
        broken = tuple(engine.rules.broken_at_start(database))
    return CheckResult(
        tuple(
            Finding(
                "already_true.rule_broken",
                "warning",
                f"rules.state.{name}",
                f"The rule is broken by {rows:,} {'row' if rows == 1 else 'rows'} as the world of seed {world.seed} "
                "begins, and those are not the agent's doing.",
                "Mend the data, or narrow the rule.",
            )
            for name, rows in broken
        )
    )


_TITLE = "No check holds before the first action unless it says `keeps`, and no rule is broken"
CHECK = Check("already_true", _TITLE, "template", _run)
OF_WORLD = Check("already_true", _TITLE, "world", _of_world)
