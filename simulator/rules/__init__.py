"""Rules: what must never be, judged on the data, on each change of it, and on the sequence of actions."""

from simulator.rules.book import RuleBook
from simulator.rules.events import ActionEvent
from simulator.rules.lifecycle import history_rows
from simulator.rules.problems import rule_problems
from simulator.rules.sentences import describe, describe_lifecycle
from simulator.rules.state import StateBaseline
from simulator.rules.violations import ProcessResult, Violation

__all__ = [
    "ActionEvent", "ProcessResult", "RuleBook", "StateBaseline", "Violation", "describe", "describe_lifecycle",
    "history_rows", "rule_problems",
]  # fmt: skip
