"""What must never be, judged by state, by change, and by the sequence of actions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from simulator.scenario.models.words import Condition, Duration, Identifier, Model, Severity, Sql, Text
from simulator.scenario.models.world import Trigger


class Rule(Model):
    """What every rule can say."""

    summary: str = Field("", max_length=1_000, description="The rule in words; reports use it.")
    deny: bool = Field(False, description="Refuse the action and roll it back, instead of recording a violation.")
    severity: Severity | None = Field(
        None, description="Price of a violation; default `major` (a process rule is priced by the process part alone)."
    )
    message: Text | None = Field(None, description="What the agent is told when it is refused, or with `tell`.")
    tell: bool = Field(False, description="Tell the agent of a recorded violation in the observation.")


class StateRule(Rule):
    """A query that must return no row. What already held at the start is not the agent's."""

    never: Sql = Field(description="Rows it returns are violations.")


class ChangeRule(Rule):
    """A condition on each row change, however it was made."""

    when: Trigger = Field(description="Which changes: `{update: ticket.priority}`.")
    require: Condition = Field(description="Must hold; reads `old.…` and `new.…`.")


class ReadsEvent(Model):
    """A successful action that read a table."""

    reads: Identifier = Field(description="The table.")


class WritesEvent(Model):
    """A successful action that changed a table or column."""

    writes: str = Field(max_length=121, description="`table` or `table.column`.")


OneEvent = Identifier | ReadsEvent | WritesEvent
Event = OneEvent | Annotated[list[OneEvent], Field(min_length=1)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Counted = tuple[Event, Count]
Pair = tuple[Event, Event]

TEMPLATES = (
    "existence", "absence", "at_most", "exactly", "init", "last", "precedence", "response", "succession",
    "chain_precedence", "chain_response", "alternate_precedence", "not_coexistence", "never",
)  # fmt: skip


class ProcessRule(Rule):
    """A Declare template over the sequence of actions (Pesic and van der Aalst, 2006), or SQL over `action`.

    Exactly one template. An event is a tool name, `{reads: table}`, `{writes: table.column}`, or a list (any of them).
    """

    existence: Counted | Event | None = Field(None, description="Happens (at least so often: `[a, 2]`).")
    absence: Event | None = Field(None, description="Never happens.")
    at_most: Counted | None = Field(None, description="`[a, n]`: happens at most n times.")
    exactly: Counted | None = Field(None, description="`[a, n]`: happens exactly n times.")
    init: Event | None = Field(None, description="The first action is this.")
    last: Event | None = Field(None, description="The last action before `finish` is this.")
    precedence: Pair | None = Field(None, description="`[a, b]`: b only after a.")
    response: Pair | None = Field(None, description="`[a, b]`: after a, b must follow.")
    succession: Pair | None = Field(None, description="`[a, b]`: precedence and response.")
    chain_precedence: Pair | None = Field(None, description="`[a, b]`: directly before b stands a.")
    chain_response: Pair | None = Field(None, description="`[a, b]`: directly after a stands b.")
    alternate_precedence: Pair | None = Field(None, description="`[a, b]`: before each b an a of its own.")
    not_coexistence: Pair | None = Field(None, description="`[a, b]`: not both in one episode.")
    never: Sql | None = Field(None, description="A query over `action` that must return no row.")
    same: Identifier | dict[str, str] | None = Field(
        None,
        description="Events belong together only with equal values: an argument's name, or argument by tool "
        "(`{get_order: id, cancel: order_id}`); `key` stands for the keys of the rows changed.",
    )
    where: Condition | dict[Identifier, Condition] | None = Field(
        None,
        description="Only events for which this holds; arguments are bound (`:priority = 1`). By tool, if a mapping.",
    )
    outcome: Literal["ok", "error", "any"] = Field("ok", description="Which calls count.")
    within: Annotated[int, Field(ge=1)] | Duration | None = Field(
        None, description="How close the two events of a pair must be: steps, or time."
    )

    @model_validator(mode="after")
    def _one_template(self) -> ProcessRule:
        given = [name for name in TEMPLATES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                "a process rule has exactly one template"
                + (f"; this one has {', '.join(given)}" if given else ": " + ", ".join(TEMPLATES))
            )
        return self

    @property
    def template(self) -> str:
        """The template's name."""
        return next(name for name in TEMPLATES if getattr(self, name) is not None)


class Rules(Model):
    """All rules, by what they look at."""

    state: dict[Identifier, StateRule] = Field(default_factory=dict, description="Judged on the data.")
    change: dict[Identifier, ChangeRule] = Field(default_factory=dict, description="Judged on each row change.")
    process: dict[Identifier, ProcessRule] = Field(
        default_factory=dict, description="Judged on the sequence of actions."
    )
