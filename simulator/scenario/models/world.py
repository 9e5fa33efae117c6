"""The world: tables, lifecycles, views, and what happens in it by itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simulator.scenario.models.sources import Column, CountSource, DurationSource
from simulator.scenario.models.words import Condition, Duration, Identifier, Model, Scalar, Sql, Timestamp

PackName = Literal["mailbox", "files", "queue", "logs", "alerts", "knowledge"]


class PerParent(Model):
    """So many rows for each row of another table."""

    per: Identifier = Field(description="The parent table.")
    count: Annotated[int, Field(ge=0, le=100_000)] | CountSource = Field(1, description="Rows for each parent.")


class RowsOf(Model):
    """One row for each row of a query over tables generated earlier."""

    query: Sql = Field(
        description="The query, with `order by`. Its columns are columns of the table; the others keep their source."
    )


class DataRows(Model):
    """Rows written in columns, as a folder's data file reads in the one-document form."""

    columns: list[Identifier] = Field(min_length=1, description="Column names, in order.")
    rows: list[list[Any]] = Field(description="One list of values a row.")


class Table(Model):
    """A table: how many rows, and its columns."""

    summary: str = Field("", max_length=1_000, description="What one row is, shown to agents and readers.")
    rows: Annotated[int, Field(ge=0, le=50_000_000)] | list[dict[str, Any]] | PerParent | RowsOf | None = Field(
        None,
        description="How many rows, the rows themselves, so many per parent: `{per: customer, count: 2}`, or one for "
        "each row of a query: `{query: select …}`.",
    )
    columns: dict[Identifier, Column] = Field(
        default_factory=dict, description="Columns in order. May be left out where `rows` or `data` writes the rows."
    )
    data: str | DataRows | None = Field(
        None, description="A file that holds the rows: `data/customers.csv` or `data/customers.jsonl`."
    )
    history_of: Identifier | None = Field(
        None,
        description="This table keeps the transitions of that table's lifecycle: `id`, `<table>_<key>`, `from_state`, "
        "`to_state`, `at`. The engine alone writes it.",
    )
    key: list[Identifier] | None = Field(
        None,
        min_length=1,
        description="The primary key's columns; default: those with `key: true`, else `id`, else the first.",
    )
    unique: list[list[Identifier]] = Field(
        default_factory=list, description="Groups of columns that together are unique."
    )
    indexes: list[list[Identifier]] = Field(
        default_factory=list, description="Extra indexes; keys, refs and uniques have one."
    )
    scales: bool = Field(
        True,
        description="Whether `scale` multiplies a row count. Written rows never scale; children follow their parents.",
    )

    @model_validator(mode="after")
    def _has_rows(self) -> Table:
        given = self.rows is not None or bool(self.columns) or self.data is not None
        if self.history_of is not None and given:
            raise ValueError("a history table takes no rows, columns or data: the engine writes it")
        if self.history_of is not None:
            return self
        if (self.rows is None) == (self.data is None):
            raise ValueError("give the table's rows: `rows` (a count, written rows, `per` a parent) or `data` (a file)")
        if not self.columns and self.data is None and not (isinstance(self.rows, list) and self.rows):
            raise ValueError("a generated table needs `columns`")
        return self


class LifecycleStep(Model):
    """One transition of a state machine."""

    from_: Identifier | list[Identifier] = Field(alias="from", description="State (or states) it leaves.")
    to: Identifier = Field(description="State it enters.")
    after: DurationSource | None = Field(
        None,
        description="How long rows dwell before it. Without it and `at`, it never happens in generated history.",
    )
    at: Identifier | None = Field(
        None,
        description="A column of the row: the step is made at that moment, unless another has led elsewhere before; "
        "never where it is NULL.",
    )
    weight: float = Field(1.0, gt=0, description="How often it is taken, against the other steps that leave the state.")

    @model_validator(mode="after")
    def _one_time(self) -> LifecycleStep:
        if self.after is not None and self.at is not None:
            raise ValueError("give `after` (a length of time) or `at` (a column), not both")
        return self


class Lifecycle(Model):
    """A state machine that generated histories follow and episodes must obey."""

    start: Identifier = Field(description="The state new rows begin in.")
    at: Identifier = Field(description="The column that holds the moment a row enters `start`.")
    steps: list[LifecycleStep] = Field(min_length=1, description="The transitions there are; no others are legal.")
    illegal: Literal["deny", "record"] = Field(
        "deny",
        description="What happens to any other transition: refused, or recorded as a violation of `lifecycle.<table>`.",
    )
    severity: Literal["minor", "major", "critical"] = Field("major", description="The price of a recorded one.")

    def states(self) -> tuple[str, ...]:
        """Every state, `start` first, in the order the steps name them."""
        names = [self.start]
        for step in self.steps:
            names += [*([step.from_] if isinstance(step.from_, str) else step.from_), step.to]
        return tuple(dict.fromkeys(names))

    def transitions(self) -> frozenset[tuple[str, str]]:
        """The legal (from, to) pairs."""
        return frozenset(
            (origin, step.to)
            for step in self.steps
            for origin in ([step.from_] if isinstance(step.from_, str) else step.from_)
        )


class Trigger(Model):
    """Something that happens to a row."""

    insert: Identifier | None = Field(None, description="A row appears in this table.")
    update: str | None = Field(None, description="This column (`table.column`), or any of the table's, changes.")
    delete: Identifier | None = Field(None, description="A row of this table goes.")

    @model_validator(mode="after")
    def _one(self) -> Trigger:
        given = [name for name in ("insert", "update", "delete") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of insert, update, delete")
        return self

    @property
    def verb(self) -> Literal["insert", "update", "delete"]:
        """Which of the three it is."""
        if self.insert is not None:
            return "insert"
        return "update" if self.update is not None else "delete"

    @property
    def table(self) -> str:
        """The table watched."""
        return (self.insert or self.delete or self.update or "").partition(".")[0]

    @property
    def column(self) -> str | None:
        """The one column watched, None for all."""
        return (self.update or "").partition(".")[2] or None


class TimelineEvent(Model):
    """Something the world does by itself: at a time after reset, or some time after something else happens."""

    at: Duration | Timestamp | None = Field(None, description="Time after reset, or a moment.")
    when: Trigger | None = Field(None, description="What sets it off, whoever did it.")
    where: Condition | None = Field(None, description="Only for rows for which this holds (`old`, `new`).")
    after: Duration = Field("0s", description="How long after `when` it takes effect.")
    effects: list[Sql] = Field(
        min_length=1, description="SQL writes. With `when`, the row's columns are bound: `:new_id`, `:old_status`."
    )

    @model_validator(mode="after")
    def _one_cause(self) -> TimelineEvent:
        if (self.at is None) == (self.when is None):
            raise ValueError("give `at` or `when`")
        return self


class View(Model):
    """A named query for tools, rules and checks."""

    sql: Sql = Field(description="A query.")
    summary: str = Field("", max_length=1_000, description="What one row is.")


class World(Model):
    """The simulated company's data."""

    now: Timestamp = Field(description="The world's clock at reset. The wall clock is never read.")
    locale: str | list[str] = Field("en_US", description="Faker locales; people get one each.")
    tables: dict[Identifier, Table] = Field(min_length=1, max_length=500, description="The tables.")
    lifecycles: dict[Identifier, Lifecycle] = Field(
        default_factory=dict, description="State machines, named by the table they belong to."
    )
    views: dict[Identifier, Sql | View] = Field(default_factory=dict, description="Named queries.")
    packs: list[PackName] = Field(default_factory=list, description="Ready-made systems to add.")
    timeline: dict[Identifier, TimelineEvent] = Field(default_factory=dict, description="What happens by itself.")


__all__ = [
    "Column", "CountSource", "DataRows", "DurationSource", "Lifecycle", "LifecycleStep", "PackName", "PerParent",
    "RowsOf", "Scalar", "Table", "TimelineEvent", "Trigger", "View", "World",
]  # fmt: skip
