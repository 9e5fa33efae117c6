"""Work to be done in a world: templates, checks, solutions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simulator.scenario.models.words import Condition, Identifier, JsonObject, Model, Scalar, Sql, Text

RESERVED_CALL_KEYS = frozenset({"errs", "remember", "each", "do"})


class Call(Model):
    """One step of a solution: `tool: {arguments}`, or a repetition of calls for each row of a query.

    Written as a mapping with the tool's name as key: `assign_ticket: {ticket_id: "{ticket_id}"}`. An argument that is
    one placeholder and nothing else keeps the parameter's type.
    """

    tool: Identifier | None = Field(None, description="The tool. In YAML: the key itself.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Its arguments. In YAML: the key's value.")
    errs: Identifier | None = Field(None, description="The code of the error this call is meant to get (`not_open`).")
    remember: dict[Identifier, str] = Field(
        default_factory=dict, description="Values of the result to use in later steps: `{new_ticket: id}`."
    )
    each: Sql | None = Field(None, description="A query on the world at the start; `do` is repeated for each row.")
    do: list[Call] = Field(
        default_factory=list, max_length=20, description="The calls repeated, with the row's columns."
    )

    @model_validator(mode="before")
    @classmethod
    def _key_is_the_tool(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "tool" in value or "each" in value:
            return value
        names = [name for name in value if name not in RESERVED_CALL_KEYS]
        if len(names) != 1:
            raise ValueError("write one call: `tool: {arguments}`")
        rest = {name: item for name, item in value.items() if name in RESERVED_CALL_KEYS}
        return {"tool": names[0], "arguments": value[names[0]] if value[names[0]] is not None else {}, **rest}

    @model_validator(mode="after")
    def _call_or_each(self) -> Call:
        if (self.tool is None) == (self.each is None):
            raise ValueError("write one call (`tool: {arguments}`) or `each` with `do`")
        if (self.each is not None) != bool(self.do):
            raise ValueError("`each` and `do` belong together")
        return self


class ExpectedValue(Model):
    """A value computed when the task begins."""

    sql: Sql = Field(description="A query on the world as the task begins.")


class AnswerCheck(Model):
    """What `finish(answer=…)` must say. Exactly one form; expected values are written, or computed at the start."""

    exact: Scalar | ExpectedValue = Field(
        None, description="Equal text (spaces at the ends and case ignored) or value."
    )
    number: float | int | str | ExpectedValue | None = Field(None, description="A number, within `tolerance`.")
    tolerance: float = Field(0.0, ge=0, description="Largest difference from `number`.")
    set_: list[Any] | ExpectedValue | None = Field(
        None, alias="set", description="A JSON list with these elements in any order."
    )
    list_: list[Any] | ExpectedValue | None = Field(
        None, alias="list", description="A JSON list with these elements in this order."
    )
    schema_: JsonObject | None = Field(None, alias="schema", description="JSON that this JSON Schema accepts.")
    pattern: str | None = Field(
        None, max_length=1_000, description="Regular expression (RE2) matching the whole answer."
    )

    @model_validator(mode="after")
    def _one_form(self) -> AnswerCheck:
        names = ("number", "set_", "list_", "schema_", "pattern")
        given = [name for name in names if getattr(self, name) is not None]
        if "exact" in self.model_fields_set:
            given.append("exact")
        if len(given) != 1:
            raise ValueError("give exactly one of exact, number, set, list, schema, pattern")
        return self


class Check(Model):
    """One thing that must be true for the task to be done."""

    summary: str = Field("", max_length=1_000, description="The check in words; reports use it.")
    passes: Sql | None = Field(
        None, description="A query whose first value must be true at the end; NULL or no row is false."
    )
    answer: AnswerCheck | None = Field(None, description="What the answer must say.")
    same_as_solution: Literal[True] | None = Field(
        None, description="The agent's net row changes equal those of a solution."
    )
    exact: bool = Field(False, description="With `same_as_solution`: compare generated keys and times to the letter.")
    weight: float = Field(1.0, gt=0, le=1_000, description="Its share of completion.")
    keeps: bool = Field(False, description="True at reset: it earns nothing, and breaking it loses success.")
    required: bool = Field(True, description="Success needs it.")

    @model_validator(mode="after")
    def _one_form(self) -> Check:
        given = [name for name in ("passes", "answer", "same_as_solution") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of passes, answer, same_as_solution")
        return self


Verb = Literal["insert", "update", "delete"]


class MayChange(Model):
    """Rows the task may change; anything else that changed is collateral damage."""

    table: Identifier = Field(description="The table.")
    columns: Literal["*"] | list[Identifier] = Field("*", description="Columns an update may touch.")
    op: Verb | list[Verb] | None = Field(
        None, description="`insert`, `update`, `delete`; default: `update` where columns are listed, any otherwise."
    )
    where: Condition | None = Field(
        None, description="Only these rows: reads the old row for update and delete, the new for insert."
    )

    def verbs(self) -> tuple[Verb, ...]:
        """The operations allowed."""
        if self.op is None:
            return ("update",) if self.columns != "*" else ("insert", "update", "delete")
        return (self.op,) if isinstance(self.op, str) else tuple(self.op)


class Expects(Model):
    """The right outcome is to refuse."""

    refusal: Identifier = Field(description="One of the scenario's refusal codes.")


class Limits(Model):
    """Bounds of an episode."""

    steps: int = Field(30, ge=1, le=1_000, description="Actions, malformed ones included.")


class Actor(Model):
    """Who the agent is in this task."""

    role: Identifier = Field(description="One of the scenario's roles.")
    actor: Scalar = Field(None, description="The value of `:actor`, usually a placeholder (`{agent_id}`).")


class TaskTemplate(Model):
    """A kind of task; each row of `draw` is one possible task and every column a parameter."""

    summary: str = Field("", max_length=1_000, description="What it practises, for people.")
    instruction: Text | list[Text] = Field(description="What the agent is asked, or several phrasings of it.")
    draw: Sql | None = Field(
        None, description="A query; each row is one possible task. Without it there is one task, with no parameters."
    )
    take: int = Field(100, ge=1, le=100_000, description="At most so many tasks in a world of scale 1.")
    as_: Identifier | Actor | None = Field(None, alias="as", description="The role the agent plays.")
    setup: list[Sql] = Field(default_factory=list, max_length=40, description="SQL that prepares this task's world.")
    solution: list[Call] | None = Field(None, min_length=1, max_length=200, description="One way to do it right.")
    solutions: list[Annotated[list[Call], Field(min_length=1, max_length=200)]] | None = Field(
        None, min_length=1, max_length=20, description="Several ways, all accepted."
    )
    checks: dict[Identifier, Check] = Field(default_factory=dict, description="Default: `same_as_solution`.")
    may_change: list[MayChange] | None = Field(
        None, description="Default: the cells the solution changes, and as many new rows in a table as it makes."
    )
    expects: Expects | None = Field(None, description="The right outcome is a refusal.")
    twin: Identifier | None = Field(
        None, description="For a refusal: the template with the same wording where acting is right."
    )
    limits: Limits | None = Field(None, description="Bounds; the scenario's when absent.")
    split: Literal["train", "validation", "test"] | None = Field(None, description="Hold the whole template out.")
    difficulty: int | None = Field(
        None, ge=1, le=5, description="1 easy to 5 hard; estimated from the solution when absent."
    )

    @model_validator(mode="after")
    def _coherent(self) -> TaskTemplate:
        if self.solution is not None and self.solutions is not None:
            raise ValueError("give `solution` or `solutions`")
        if self.expects is not None and (self.checks or self.may_change):
            raise ValueError("a refusal has no checks and changes nothing: drop `checks` and `may_change`")
        if self.expects is None and not self.checks and self.solution is None and self.solutions is None:
            raise ValueError("a task needs `checks`, a `solution`, or `expects`")
        return self
