"""``demo``: the whole of Worldwright in one go, on a ready scenario, in words for someone who sees it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import typer
from rich.table import Table

from simulator.cli.failures import NEGATIVE
from simulator.cli.opening import make_world, open_scenario
from simulator.cli.options import DEFAULT_SEED
from simulator.cli.playing import play_with_progress
from simulator.cli.replaying import replay_json, show_report
from simulator.cli.results import score_lines, score_table, verdict_table
from simulator.cli.terminal import count, plain_table, show, show_json, styled
from simulator.cli.worlds import draw, row_counts, world_json
from simulator.episode import Trajectory, replay
from simulator.evaluation import AgentChoice, AgentSummary, Outcome, summarise
from simulator.tasks import Task, World

SCENARIO = "support_desk"
OTHERS = ("order_backoffice", "sales_crm", "incident_room")
"""The other ready scenarios: each is told in a line, and the same agents play a third of the episodes in it."""
AGENTS = ("oracle", "noisy", "random", "null")


def demo(out: Path, *, episodes: int, as_json: bool) -> None:
    """Play the ready scenario and show everything in turn. Exits with 1 when the replay differs."""
    begun = perf_counter()
    scenario = open_scenario(SCENARIO)
    world = make_world(scenario, seed=DEFAULT_SEED, scale=1.0)
    seconds = perf_counter() - begun
    tasks = draw(world, None)
    if not as_json:
        _introduce(world, tasks, seconds)
    outcomes = play_with_progress(world, [AgentChoice(name) for name in AGENTS], tasks, episodes, out, workers=1)
    summaries = summarise(outcomes, seed=DEFAULT_SEED)
    told = _telling(outcomes)
    file = told.assignment.file or out
    report = replay(Trajectory.load(file), world)
    others = []
    if not as_json:
        _show_results(summaries)
        _explain(told, tasks)
        _heading("The same episode again")
        show(f"Its trajectory is {file}. Replayed just now, from the same seed:")
        show_report(report)
        _heading("The other businesses that are ready")
    for name in OTHERS:
        others.append(_Business.play(name, max(1, episodes // 3), out))
        if not as_json:
            show(others[-1].words)
    if as_json:
        show_json(
            {
                **world_json(world),
                "tasks": len(tasks),
                "agents": [summary.to_json() for summary in summaries],
                "trajectories": str(out),
                "replay": {"trajectory": str(file), **replay_json(report)},
                "others": [business.to_json() for business in others],
            }
        )
    else:
        show("", _table_of(others))
        _say_what_next(out)
    if not report.same:
        raise typer.Exit(NEGATIVE)


def _introduce(world: World, tasks: Sequence[Task], seconds: float) -> None:
    document = world.scenario.document
    rows = row_counts(world)
    show(styled(document.title, "bold"), document.summary, "")
    show(
        f"The scenario is a folder of text. From it, in {seconds:.1f} s, came world {world.seed}: "
        f"{count(sum(rows.values()), 'row')} in {count(len(rows), 'table')}, the same to the byte whenever it is made "
        f"from this seed, and in it {count(len(tasks), 'task')} of {count(len(document.tasks), 'kind')} for an agent "
        f"that has {count(len(document.tools), 'operation')}. One of them:"
    )
    show("", styled(f"  “{tasks[0].instruction}”", "italic"))


def _show_results(summaries: Sequence[AgentSummary]) -> None:
    _heading("What the agents achieved")
    show(
        "oracle plays the author's own solution, noisy plays it with one mistake, random calls operations with "
        "arguments from the world, null gives up at once. Below each number: its 95 % interval.",
        "",
        score_table(summaries),
        "",
        verdict_table(summaries),
    )


def _explain(told: Outcome, tasks: Sequence[Task]) -> None:
    played = told.played
    if played is None:
        return
    instruction = next(task.instruction for task in tasks if task.id == played.task)
    _heading("Why an episode scored what it did")
    show(f"The noisy agent was asked: “{instruction}”", f"It earned {played.score.total:+.3f}:", "")
    show(score_lines(played.score))


def _telling(outcomes: Sequence[Outcome]) -> Outcome:
    """The episode to look at: the noisy agent's first failure, or else its first."""
    noisy = [outcome for outcome in outcomes if outcome.assignment.agent.name == "noisy" and outcome.played]
    failures = [outcome for outcome in noisy if outcome.played and not outcome.played.score.success]
    return (failures or noisy or list(outcomes))[0]


@dataclass(frozen=True, slots=True)
class _Business:
    """Another ready scenario, and what the agents achieved in a world of it."""

    name: str
    words: str
    tasks: int
    summaries: tuple[AgentSummary, ...]

    @classmethod
    def play(cls, name: str, episodes: int, out: Path) -> _Business:
        world = make_world(open_scenario(name), seed=DEFAULT_SEED, scale=1.0)
        tasks = draw(world, None)
        agents = [AgentChoice(agent) for agent in AGENTS]
        outcomes = play_with_progress(world, agents, tasks, episodes, out / name, workers=1)
        document = world.scenario.document
        return cls(
            name,
            f"{styled(name, 'bold')}: {document.summary} {count(len(document.world.tables), 'table')}, "
            f"{count(len(document.tools), 'operation')}, {count(len(document.tasks), 'kind')} of tasks.",
            len(tasks),
            summarise(outcomes, seed=DEFAULT_SEED),
        )

    def to_json(self) -> dict[str, object]:
        return {"scenario": self.name, "tasks": self.tasks, "agents": [summary.to_json() for summary in self.summaries]}


def _table_of(others: Sequence[_Business]) -> Table:
    """The agents' mean reward in each business."""
    table = plain_table("mean reward", *(f">{agent}" for agent in AGENTS), ">tasks")
    for business in others:
        means = [summary.means["reward"] for summary in business.summaries]
        table.add_row(
            business.name, *("–" if mean is None else f"{mean.value:+.3f}" for mean in means), f"{business.tasks:,}"
        )
    return table


def _say_what_next(out: Path) -> None:
    _heading("What next")
    show(f"Every trajectory is one file in {out}. Try:", "")
    table = plain_table("<>", "<>")
    table.show_header = False
    for command, words in _NEXT.items():
        table.add_row(f"worldwright {command}", words)
    show(table)


_NEXT: dict[str, str] = {
    f"check {SCENARIO}": "what the scenario holds",
    f"tasks {SCENARIO} --list": "all the work there is in it",
    f"play {SCENARIO} --agent noisy": "which work it gets wrong",
    f"tools {SCENARIO} --role tier1": "what an agent is offered",
}


def _heading(text: str) -> None:
    show("", styled(f"— {text}", "bold cyan"), "")


__all__ = ["demo"]
