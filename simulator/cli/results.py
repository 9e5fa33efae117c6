"""What agents achieved, as tables: success and score with their intervals, success by template, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from simulator.cli.terminal import clean, plain_table, stdout
from simulator.evaluation import MEASURES, AgentComparison, AgentSummary, Interval
from simulator.reward import Score

_ROOMY = 100
"""Columns of a terminal from which there is room between the numbers."""
_LEAST_P = 0.001


def score_table(summaries: Sequence[AgentSummary]) -> Table:
    """One row an agent: success and the mean of every part of the score, each above its 95 % interval."""
    table = plain_table("agent", ">success", *(f">{name}" for name in MEASURES))
    if stdout().width < _ROOMY:
        table.padding = (0, 0)
    for summary in summaries:
        cells = [_percent_cell(summary.success), *(_mean_cell(name, summary.means[name]) for name in MEASURES)]
        table.add_row(Text(clean(summary.agent), "bold"), *cells)
    return table


def template_table(summaries: Sequence[AgentSummary]) -> Table:
    """How many of each template's episodes each agent brought to success."""
    table = plain_table("successes by template", *(f">{clean(summary.agent)}" for summary in summaries))
    names = dict.fromkeys(name for summary in summaries for name in summary.templates)
    for name in names:
        cells = []
        for summary in summaries:
            part = summary.templates.get(name)
            cells.append(_fraction(part.successes, part.episodes) if part else Text("–", "dim"))
        table.add_row(clean(name), *cells)
    return table


def difficulty_table(summaries: Sequence[AgentSummary]) -> Table:
    """The same by the difficulty of the tasks, 1 easy to 5 hard."""
    table = plain_table("by difficulty", *(f">{clean(summary.agent)}" for summary in summaries))
    for level in sorted({level for summary in summaries for level in summary.difficulties}):
        cells = []
        for summary in summaries:
            part = summary.difficulties.get(level)
            cells.append(_fraction(part.successes, part.episodes) if part else Text("–", "dim"))
        table.add_row(str(level), *cells)
    return table


def repetition_table(summaries: Sequence[AgentSummary]) -> Table | None:
    """Of k episodes of one task: the chance that any is a success, and that all are. None if no task was repeated."""
    most = max((summary.repeated for summary in summaries), key=len, default=())
    if not most:
        return None
    table = plain_table(
        "agent", *(f">{name}" for step in most for name in (f"pass@{step.k}", f"pass^{step.k}") if step.k > 1)
    )
    for summary in summaries:
        numbers = {step.k: step for step in summary.repeated}
        cells = []
        for k in (step.k for step in most if step.k > 1):
            cells += [f"{numbers[k].pass_at_k:.0%}", f"{numbers[k].pass_all_k:.0%}"] if k in numbers else ["–", "–"]
        table.add_row(Text(clean(summary.agent), "bold"), *cells)
    return table


def comparison_table(comparisons: Sequence[AgentComparison]) -> Table | None:
    """Of each two agents the difference of their rewards, task by task. None if nobody can be compared."""
    if not comparisons:
        return None
    table = plain_table("reward, task by task", ">difference", ">won", ">lost", ">equal", ">p")
    for comparison in comparisons:
        found = comparison.reward
        mean = found.difference
        table.add_row(
            f"{clean(comparison.first)} less {clean(comparison.second)}",
            _cell(f"{mean.value:+.2f}", f"{mean.low:+.2f}…{mean.high:+.2f}"),
            f"{found.wins:,}", f"{found.losses:,}", f"{found.tasks - found.wins - found.losses:,}",
            "< 0.001" if found.p < _LEAST_P else f"{found.p:.3f}",
        )  # fmt: skip
    return table


def verdict_table(summaries: Sequence[AgentSummary]) -> Table:
    """How the episodes ended, and what the actions got, by kind."""
    table = plain_table("agent", "<endings>", "<verdicts of all actions>")
    for summary in summaries:
        endings = _listed(summary.endings)
        if summary.invalid:
            endings = ", ".join(part for part in (endings, f"invalid {summary.invalid:,}") if part)
        table.add_row(clean(summary.agent), endings, _listed(summary.verdicts))
    return table


def all_tables(summaries: Sequence[AgentSummary], comparisons: Sequence[AgentComparison] = ()) -> list[RenderableType]:
    """Every table that has something to say, with room between them."""
    tables = [
        score_table(summaries), comparison_table(comparisons), repetition_table(summaries),
        template_table(summaries), difficulty_table(summaries), verdict_table(summaries),
    ]  # fmt: skip
    shown: list[RenderableType] = []
    for table in tables:
        if table is not None:
            shown += ["", table] if shown else [table]
    return shown


def score_lines(score: Score) -> Table:
    """Every point won or lost, with the step and the reason."""
    table = plain_table(">points", ">step", "part", "<why>")
    for line in score.lines:
        colour = "green" if line.points > 0 else "red" if line.points < 0 else "dim"
        step = "" if line.step is None else f"{line.step}"
        table.add_row(Text(f"{line.points:+.3f}", colour), step, line.part, clean(f"{line.name}: {line.text}"))
    return table


def _percent_cell(share: Interval | None) -> Text:
    if share is None:
        return Text("–", "dim")
    colour = "green" if share.value == 1 else "red" if share.value == 0 else ""
    return _cell(f"{share.value:.0%}", f"{100 * share.low:.0f}–{100 * share.high:.0f}", colour)


def _mean_cell(name: str, mean: Interval | None) -> Text:
    if mean is None:
        return Text("–", "dim")
    if name == "steps":
        return _cell(f"{mean.value:.1f}", f"{mean.low:.1f}–{mean.high:.1f}")
    separator = "…" if mean.low < 0 else "–"
    return _cell(f"{mean.value:.2f}", f"{mean.low:.2f}{separator}{mean.high:.2f}", "bold" if name == "reward" else "")


def _cell(value: str, interval: str, style: str = "") -> Text:
    return Text.assemble((value, style), "\n", (interval, "dim"))


def _fraction(hits: int, of: int) -> Text:
    return Text(f"{hits:,}/{of:,}", "green" if hits == of else "red" if not hits else "yellow")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{clean(name)} {number:,}" for name, number in counts.items())
