"""The tasks of a bundle for verifiers: prompts, the reward of a rollout, and the proof that a task can be solved.

Needs the package ``verifiers``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, cast

import verifiers.v1 as vf

from simulator.agents import OracleAgent, play
from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.verifiers.attempt import AttemptState, episode_of
from simulator.bundle.targets.verifiers.toolset import BundleToolsConfig, BundleToolset
from simulator.bundle.tool_episode import messages_of
from simulator.episode import Environment
from simulator.errors import EngineFault, UsageError

RECORD = "worldwright"
"""What a trace keeps under this name of its ``info``: the task, the calls, and how they came out."""


class BundleTasksetConfig(vf.TasksetConfig):  # type: ignore[misc] # Any where it is not installed
    """``split`` chooses the tasks; without one, the first split that has any."""

    split: Literal["train", "validation", "test"] | None = None
    tools: BundleToolsConfig = BundleToolsConfig()


class BundleTask(vf.Task[vf.TaskData, AttemptState]):  # type: ignore[misc]
    """One task. A package's own class says which bundle it is of (``BUNDLE``, its folder or zip file).

    The reward is the score's total, in [-1, 1]: the calls are played again in the process of the evaluation, so nothing
    that an agent can reach makes it. An attempt in which the engine failed raises, and has no reward.
    """

    BUNDLE: ClassVar[str]

    @property
    def key(self) -> str:
        """The task's id in the bundle."""
        return str(self.data.id)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Tell the server of the tools which task it is."""
        trace.state.attempt, trace.state.task = trace.id, self.key

    @vf.stop  # type: ignore[untyped-decorator]
    async def episode_over(self, trace: vf.Trace) -> bool:
        """Whether nothing more can be done: then the model is not asked again."""
        return bool(trace.state.over or trace.state.fault)

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Keep the calls with the trace, so that it can be scored again. Raises EngineFault for a failed attempt."""
        state = cast(AttemptState, trace.state)
        if state.fault:
            raise EngineFault(state.fault)
        trace.info[RECORD] = {"task": self.key, "calls": state.calls, "state_digest": state.digest}

    @vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
    async def score_total(self, trace: vf.Trace) -> float:
        """The score's total. Its parts become metrics."""
        record = trace.info[RECORD]
        episode = episode_of(shared_bundle(self.BUNDLE), self.key, record["calls"])
        if record["state_digest"] not in ("", episode.state_digest):
            raise EngineFault("The same calls led to other data than they did for the agent.")
        outcome = episode.outcome()
        trace.record_metrics({**outcome.parts, "success": outcome.success})
        record |= {"ending": outcome.ending, "success": outcome.success, "state_digest": outcome.state_digest}
        return outcome.reward

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the task's own solution succeeds."""
        environment = Environment(shared_bundle(self.BUNDLE).world_of(self.key))
        environment.reset(task=self.key)
        return play(environment, OracleAgent(), self.key, environment.snapshot().seed).score.success


class BundleTaskset(vf.Taskset[BundleTask, BundleTasksetConfig]):  # type: ignore[misc]
    """The tasks of one split. A package's own class names its class of tasks."""

    @classmethod
    def toolsets(cls, config: BundleTasksetConfig) -> list[vf.Toolset]:
        """One server of the tools for all rollouts of a worker."""
        return [BundleToolset(config.tools.model_copy(update={"bundle": cls.task_type().BUNDLE}))]

    def load(self) -> Iterator[BundleTask]:
        """The tasks, in the bundle's order. Raises UsageError when the split has none."""
        kind = self.task_type()
        bundle = shared_bundle(kind.BUNDLE)
        split = self.config.split or next((task["split"] for task in bundle.tasks()), "train")
        tasks = bundle.tasks(split)
        if not tasks:
            raise UsageError(f"The split {split} has no tasks.")
        for task in tasks:
            *system, user = messages_of(bundle.world_of(task["id"]), task["id"])
            data = vf.TaskData(
                id=task["id"],
                name=task["id"],
                prompt=user["content"],
                system_prompt=system[0]["content"] if system else None,
            )
            yield kind(data, self.config.task)
