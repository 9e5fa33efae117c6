"""The whole scenario as one document."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from simulator.scenario.models.faults import Fault
from simulator.scenario.models.rules import Rules
from simulator.scenario.models.tasks import Limits, TaskTemplate
from simulator.scenario.models.tools import Tool
from simulator.scenario.models.words import Identifier, Model, Slug, Sql
from simulator.scenario.models.world import World

#: Tools every scenario has; no operation may take their names.
BUILT_IN_TOOLS = ("finish", "wait")


class Weights(Model):
    """Shares of the reward's three earned parts."""

    completion: float = Field(1.0, gt=0, le=1_000)
    process: float = Field(0.2, ge=0, le=1_000)
    efficiency: float = Field(0.1, ge=0, le=1_000)


class Penalties(Model):
    """Prices of what went wrong."""

    minor: float = Field(0.05, ge=0, le=2)
    major: float = Field(0.3, ge=0, le=2)
    critical: float = Field(1.0, ge=0, le=2)
    collateral: float = Field(0.5, ge=0, le=2, description="Something changed outside `may_change`.")
    failed_action: float = Field(0.02, ge=0, le=2, description="An action that got an error of the agent's making.")


class Reward(Model):
    """How a trajectory is priced."""

    weights: Weights = Field(
        default_factory=lambda: Weights.model_validate({}), description="Shares of what is earned."
    )
    penalties: Penalties = Field(
        default_factory=lambda: Penalties.model_validate({}), description="Prices of what is lost."
    )
    shaping: Literal["none", "potential"] = Field(
        "none",
        description="`potential` pays the change of Φ (completion of the state checks) at each step; sums stay.",
    )


class Role(Model):
    """A part an agent can play."""

    summary: str = Field("", max_length=1_000, description="Told to the agent.")
    actor: Sql | None = Field(None, description="A query for the default value of `:actor`.")


class ScenarioDocument(Model):
    """A scenario, version 1 of the language."""

    worldwright: Literal[1] = Field(description="The language's version.")
    id: Slug = Field(description="Stable id; part of every task's identity.")
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$", max_length=40)] = Field(
        "0.1.0", description="`major.minor.patch`."
    )
    title: str = Field(min_length=1, max_length=200, description="Its name for people.")
    summary: str = Field("", max_length=2_000, description="What it is about.")
    licence: str = Field(
        "", max_length=200, description="Terms on which others may use it: an SPDX name such as `CC-BY-4.0`, or words."
    )
    policy: str = Field(
        "",
        max_length=200_000,
        description="What every agent is told before the task. In a folder: the name of a Markdown file.",
    )
    refusals: list[Identifier] = Field(
        default_factory=list, max_length=50, description="Codes `finish(refusal=…)` may give, offered in every task."
    )
    roles: dict[Identifier, Role] = Field(default_factory=dict, description="The parts an agent can play.")
    world: World = Field(description="The data.")
    tools: dict[Identifier, Tool] = Field(min_length=1, max_length=200, description="What an agent can do.")
    rules: Rules = Field(default_factory=lambda: Rules.model_validate({}), description="What must never be.")
    tasks: dict[Identifier, TaskTemplate] = Field(default_factory=dict, max_length=5_000, description="The work.")
    faults: dict[Identifier, Fault] = Field(
        default_factory=dict, max_length=100, description="What goes wrong through nobody's mistake."
    )
    reward: Reward = Field(default_factory=lambda: Reward.model_validate({}), description="How a trajectory is priced.")
    limits: Limits = Field(default_factory=lambda: Limits.model_validate({}), description="Bounds of every episode.")

    @model_validator(mode="after")
    def _names_are_free(self) -> ScenarioDocument:
        taken = [name for name in BUILT_IN_TOOLS if name in self.tools]
        if taken:
            raise ValueError(f"the tool name {taken[0]!r} is built in; choose another")
        return self


__all__ = ["BUILT_IN_TOOLS", "Penalties", "Reward", "Role", "ScenarioDocument", "Weights"]
