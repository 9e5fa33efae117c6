"""Episodes: one attempt at a task, step by step, forked, recorded, replayed and scored."""

from simulator.episode.environment import Environment, Step
from simulator.episode.observations import render
from simulator.episode.readiness import readiness_problems
from simulator.episode.replaying import Difference, ReplayReport, replay
from simulator.episode.solution_runs import PlayedStep, SolutionRun
from simulator.episode.state import EpisodeState, Observation, SourcedChange, StepRecord
from simulator.episode.trajectory import FORMAT, SCHEMA, Trajectory
from simulator.episode.workplace import Workplace, workplace_of

__all__ = [
    "FORMAT", "SCHEMA", "Difference", "Environment", "EpisodeState", "Observation", "PlayedStep", "ReplayReport",
    "SolutionRun", "SourcedChange", "Step", "StepRecord", "Trajectory", "Workplace", "readiness_problems", "render",
    "replay", "workplace_of",
]  # fmt: skip
