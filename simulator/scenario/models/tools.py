"""What an agent can do: operations behind an API, and guarded SQL."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from simulator.scenario.models.words import Condition, Duration, Identifier, JsonObject, Model, Sql, Text

ParameterType = Literal["string", "integer", "number", "boolean", "array", "object"]


class Parameter(Model):
    """One argument of an operation: a JSON Schema property, required unless `optional`."""

    type: ParameterType = Field(description="JSON type.")
    description: str = Field("", max_length=1_000, description="Told to the agent.")
    optional: bool = Field(False, description="May be left out; it is then NULL in SQL.")
    enum: list[str | int | float] | None = Field(
        None, min_length=1, max_length=200, description="The values there are."
    )
    format: Literal["date", "timestamp", "email"] | None = Field(
        None, description="Form of a string. Other ways to write a moment or date are rewritten to the world's."
    )
    minimum: float | None = Field(None, description="Smallest number.")
    maximum: float | None = Field(None, description="Largest number.")
    min_length: int | None = Field(None, ge=0, description="Fewest characters.")
    max_length: int | None = Field(None, ge=0, le=100_000, description="Most characters; 4,000 when absent.")
    pattern: str | None = Field(
        None, max_length=500, description="Regular expression (RE2) the whole string must match."
    )
    items: JsonObject | None = Field(None, description="JSON Schema of an array's elements.")
    max_items: int | None = Field(None, ge=0, le=10_000, description="Most elements; 200 when absent.")
    properties: JsonObject | None = Field(None, description="JSON Schema properties of an object.")


class RowSet(Model):
    """Rows computed once, before any effect, and readable as a table afterwards."""

    rows: Sql = Field(description="A query.")


class Failure(Model):
    """What the agent is told when a guard fails."""

    status: int = Field(409, ge=400, le=599, description="HTTP status.")
    code: Identifier = Field(description="Stable code.")
    message: Text = Field(
        description="What is wrong and what to do. `{name}`: parameters, lets, a refusing row's columns."
    )


class Guard(Model):
    """What must hold before anything changes."""

    require: Condition | None = Field(None, description="Must be true; NULL fails.")
    refuse: Sql | None = Field(None, description="A query that must return no row; the first row fills the message.")
    else_: Failure = Field(alias="else", description="The failure.")

    @model_validator(mode="after")
    def _one(self) -> Guard:
        if (self.require is None) == (self.refuse is None):
            raise ValueError("give `require` or `refuse`")
        return self


class ConditionalEffect(Model):
    """Writes made only if a condition holds, or once per row of a row set."""

    if_: Condition | None = Field(None, alias="if", description="Write only if this holds.")
    each: Identifier | None = Field(
        None, description="Repeat for each row of this `let`, in order; its columns are bound."
    )
    do: Sql | list[Sql] = Field(description="SQL writes.")

    @model_validator(mode="after")
    def _some(self) -> ConditionalEffect:
        if self.if_ is None and self.each is None:
            raise ValueError("give `if` or `each`; a plain effect is just the SQL")
        return self


class Returns(Model):
    """What the agent gets back."""

    one: Sql | None = Field(None, description="The first row as an object, or null.")
    many: Sql | None = Field(None, description="All rows as a list of objects.")
    value: Sql | None = Field(None, description="The first column of the first row.")
    values: Sql | None = Field(None, description="The first column of all rows, as a list.")
    text: Text | None = Field(None, description="A sentence; `{name}`: parameters, lets.")
    nest: dict[str, Returns] = Field(
        default_factory=dict,
        description="More fields of each object, from queries that see its columns as parameters (`:order_id`).",
    )
    by: Identifier | None = Field(
        None,
        description="An object in place of the list that `many` gives: each row under its value of this column, which "
        "is then no field of it. Where one other field is left, its value stands alone.",
    )
    sparse: bool = Field(False, description="Leave out the fields of `one` or `many` that are null.")

    @model_validator(mode="after")
    def _one(self) -> Returns:
        given = [name for name in ("one", "many", "value", "values", "text") if getattr(self, name) is not None]
        if len(given) > 1 or (not given and not self.nest):
            raise ValueError("give exactly one of one, many, value, values, text (or only `nest`, for parts)")
        if self.nest and given and given[0] not in ("one", "many"):
            raise ValueError("`nest` adds fields to `one` or `many`")
        if self.by is not None and self.many is None:
            raise ValueError("`by` belongs to `many`")
        if self.sparse and self.one is None and self.many is None:
            raise ValueError("`sparse` belongs to `one` or `many`")
        return self


class Operation(Model):
    """An operation: `let`, `guards`, `effects`, `returns`, in one transaction: all or nothing."""

    api: str | None = Field(None, max_length=200, description="Method and path: `POST /tickets/{ticket_id}/assign`.")
    summary: str = Field(min_length=1, max_length=1_000, description="What it does, told to the agent.")
    parameters: dict[Identifier, Parameter] = Field(default_factory=dict, max_length=40, description="Its arguments.")
    let: dict[Identifier, Sql | RowSet] = Field(
        default_factory=dict,
        max_length=40,
        description="Values (`select …`) or rows (`{rows: select …}`) computed first.",
    )
    guards: list[Guard] = Field(default_factory=list, max_length=60, description="What must hold, checked in order.")
    effects: list[Sql | ConditionalEffect] = Field(
        default_factory=list, max_length=60, description="SQL writes, in order."
    )
    returns: Returns | None = Field(None, description="The result; `{ok: true}` when absent.")
    takes: Duration = Field("0s", description="How far the world's clock moves.")
    cost: float = Field(0.0, ge=0, description="A price told to the agent; the trajectory's footer sums it.")
    idempotency: Identifier | None = Field(
        None, description="The parameter that holds an idempotency key: the same key again returns the first result."
    )
    page: int | None = Field(None, ge=1, le=1_000, description="Rows a page; adds the parameter `page`.")
    reads_only: bool | None = Field(
        None, description="Promise that nothing changes; inferred from the effects when absent."
    )
    ends: bool = Field(False, description="The episode ends after it, as after handing over to a person.")
    roles: list[Identifier] | None = Field(None, min_length=1, description="Who may call it; everyone when absent.")

    @field_validator("api")
    @classmethod
    def _method_and_path(cls, api: str | None) -> str | None:
        if api is not None and not re.fullmatch(
            r"(GET|POST|PUT|PATCH|DELETE) (/([A-Za-z0-9_.~-]+|\{[a-z][a-z0-9_]*\}))+", api
        ):
            raise ValueError("write a method and a path, such as `GET /tickets/{ticket_id}`")
        return api


class Grant(Model):
    """What an agent's SQL may do with one table."""

    select: Literal["*"] | list[Identifier] | None = Field(None, description="Readable columns.")
    insert: Literal["*"] | list[Identifier] | None = Field(None, description="Columns a new row may set.")
    update: Literal["*"] | list[Identifier] | None = Field(None, description="Columns that may be changed.")
    delete: bool = Field(False, description="Rows may be deleted.")
    masked: list[Identifier] = Field(default_factory=list, description="Columns that read as NULL.")
    where: Condition | None = Field(None, description="Only rows for which this holds (`owner_id = :actor`).")
    roles: list[Identifier] | None = Field(None, min_length=1, description="Who has it; everyone when absent.")


class SqlLimits(Model):
    """Bounds of one statement. No verdict depends on a wall clock."""

    rows: int = Field(200, ge=1, le=10_000, description="Rows returned.")
    affected: int | None = Field(None, ge=0, description="Rows changed; unlimited when absent.")
    work: int = Field(2_000_000, ge=1_000, le=1_000_000_000, description="SQLite VM instructions.")
    bytes: int = Field(100_000, ge=1_000, le=10_000_000, description="Bytes returned.")


class SqlAccess(Model):
    """The dialect an agent writes, and what it may touch."""

    dialect: Literal["sqlite", "postgres", "mysql", "tsql", "snowflake", "bigquery", "oracle"] = Field(
        "sqlite", description="What the agent writes; translated to the world's engine."
    )
    grants: dict[Identifier, Grant | list[Grant]] = Field(min_length=1, description="By table.")
    limits: SqlLimits = Field(default_factory=lambda: SqlLimits.model_validate({}), description="Bounds.")


class SqlTool(Model):
    """A tool that runs the agent's own SQL."""

    sql: SqlAccess = Field(description="Dialect, grants and limits.")
    summary: str = Field("Run one SQL statement.", max_length=1_000, description="Told to the agent.")
    takes: Duration = Field("0s", description="How far the world's clock moves.")
    roles: list[Identifier] | None = Field(None, min_length=1, description="Who may use it; everyone when absent.")


def tool_kind(value: Any) -> Literal["sql", "operation"]:
    """Which model a tool's mapping is meant for: the one with the key `sql` is an SQL tool."""
    if isinstance(value, SqlTool) or (isinstance(value, dict) and "sql" in value):
        return "sql"
    return "operation"


Tool = Annotated[
    Annotated[Operation, Tag("operation")] | Annotated[SqlTool, Tag("sql")],
    Discriminator(tool_kind),
]
"""An operation or an SQL tool; a union tried member by member would report both models' errors."""
