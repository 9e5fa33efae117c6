"""Work to be done in a world: tasks drawn from its data, their solutions, and the checks that tell when it is done."""

from simulator.tasks.answers import answer_problems, expected_answers
from simulator.tasks.checks import CheckResult, checks_of, run_checks, start_problems
from simulator.tasks.collateral import Damage, collateral
from simulator.tasks.comparison import Comparison, generated_tables, same_changes
from simulator.tasks.drawing import draw_tasks
from simulator.tasks.placeholders import fill_arguments, fill_partly, fill_text, names_used, worded
from simulator.tasks.problems import task_problems
from simulator.tasks.setup import run_setup
from simulator.tasks.solutions import (
    Solution,
    SolutionStep,
    difficulty,
    expand_solution,
    remembered_values,
    solutions_of,
)
from simulator.tasks.task import SPLITS, Task, canonical_parameters, parameters_digest, split_of
from simulator.tasks.world import World, generate_world, open_world

__all__ = [
    "SPLITS", "CheckResult", "Comparison", "Damage", "Solution", "SolutionStep", "Task", "World", "answer_problems",
    "canonical_parameters", "checks_of", "collateral", "difficulty", "draw_tasks", "expand_solution",
    "expected_answers", "fill_arguments", "fill_partly", "fill_text", "generate_world", "generated_tables",
    "names_used", "open_world", "parameters_digest", "remembered_values", "run_checks", "run_setup", "same_changes",
    "solutions_of", "split_of", "start_problems", "task_problems", "worded",
]  # fmt: skip
