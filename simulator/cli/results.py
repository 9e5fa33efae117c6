"""What agents achieved, as tables: success and score with their intervals, success by template, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from simulator.cli.terminal import clean, plain_table, stdout
from simulator.evaluation import MEASURES, AgentSummary, Interval
from simulator.reward import Score

_ROOMY = 100
"""Columns of a terminal from which there is room between the numbers."""


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


def verdict_table(summaries: Sequence[AgentSummary]) -> Table:
    """How the episodes ended, and what the actions got, by kind."""
    table = plain_table("agent", "<endings>", "<verdicts of all actions>")
    for summary in summaries:
        endings = _listed(summary.endings)
        if summary.invalid:
            endings = ", ".join(part for part in (endings, f"invalid {summary.invalid:,}") if part)
        table.add_row(clean(summary.agent), endings, _listed(summary.verdicts))
    return table


def all_tables(summaries: Sequence[AgentSummary]) -> list[RenderableType]:
    """The three tables, with room between them."""
    return [score_table(summaries), "", template_table(summaries), "", verdict_table(summaries)]


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
