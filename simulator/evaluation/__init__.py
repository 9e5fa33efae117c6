"""Many episodes at once: who plays which task, in how many processes, and what the outcomes tell."""

from simulator.evaluation.agent_choice import AGENT_NAMES, SCRIPTED, AgentChoice
from simulator.evaluation.assignments import Assignment, assign, episode_seed
from simulator.evaluation.comparison import AgentComparison, PairedComparison, compare_agents, compare_paired
from simulator.evaluation.playing import Outcome, play_all
from simulator.evaluation.repetition import mean_pass_all_k, mean_pass_at_k, pass_all_k, pass_at_k
from simulator.evaluation.statistics import Interval, mean_interval, share_interval
from simulator.evaluation.summary import MEASURES, AgentSummary, GroupSummary, Repeated, summarise
from simulator.evaluation.task_import import IdleCall, ImportedTask, TaskImportReport, import_tasks

__all__ = [
    "AGENT_NAMES", "MEASURES", "SCRIPTED", "AgentChoice", "AgentComparison", "AgentSummary", "Assignment",
    "GroupSummary", "IdleCall", "ImportedTask", "Interval", "Outcome", "PairedComparison", "Repeated",
    "TaskImportReport", "assign", "compare_agents", "compare_paired",
    "episode_seed", "import_tasks", "mean_interval", "mean_pass_all_k", "mean_pass_at_k",
    "pass_all_k", "pass_at_k", "play_all", "share_interval", "summarise",
]  # fmt: skip
