"""Where the values of generated columns come from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from simulator.scenario.models.words import ColumnPath, Duration, Identifier, Model, Scalar, Sql

Weights = dict[str, Annotated[float, Field(ge=0, le=1e9)]]


class NumberSource(Model):
    """Draw a number. Exactly one distribution; then `min`, `max` (clipped) and `round` apply."""

    uniform: tuple[float, float] | None = Field(None, description="Lowest and highest value, both possible.")
    normal: tuple[float, float] | None = Field(None, description="Mean and standard deviation.")
    lognormal: tuple[float, float] | None = Field(
        None,
        description="Mean and standard deviation of the logarithm (`[2.5, 1.0]` has its median at e^2.5, about 12).",
    )
    exponential: float | None = Field(None, gt=0, description="Mean.")
    poisson: float | None = Field(None, ge=0, le=1e6, description="Mean of a count.")
    pareto: tuple[float, float] | None = Field(None, description="Shape and smallest value of a heavy tail.")
    min: float | None = Field(None, description="Smaller draws become this.")
    max: float | None = Field(None, description="Larger draws become this.")
    round: int | None = Field(
        None, ge=-9, le=9, description="Digits after the point; integers and decimals round anyway."
    )

    @model_validator(mode="after")
    def _one_distribution(self) -> NumberSource:
        _exactly_one(self, ("uniform", "normal", "lognormal", "exponential", "poisson", "pareto"))
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError("`min` is larger than `max`")
        if self.uniform is not None and self.uniform[0] > self.uniform[1]:
            raise ValueError("`uniform` takes the lowest value first")
        return self


class DurationSource(Model):
    """Draw a length of time. Exactly one distribution."""

    constant: Duration | None = Field(None, description="Always this long.")
    uniform: tuple[Duration, Duration] | None = Field(None, description="Shortest and longest.")
    exponential: Duration | None = Field(None, description="Mean.")
    lognormal: tuple[Duration, Annotated[float, Field(gt=0, le=5)]] | None = Field(
        None, description="Median, and standard deviation of the logarithm."
    )

    @model_validator(mode="after")
    def _one_distribution(self) -> DurationSource:
        _exactly_one(self, ("constant", "uniform", "exponential", "lognormal"))
        return self


class CountSource(Model):
    """Draw how many rows a parent has. Exactly one distribution; 0 is possible unless `min` says otherwise."""

    poisson: float | None = Field(None, ge=0, le=10_000, description="Mean.")
    uniform: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0, le=1_000_000)]] | None = Field(
        None, description="Fewest and most, both possible."
    )
    choice: Weights | None = Field(None, description='Weight of each count: `{"0": 5, "1": 80, "2": 15}`.')
    pareto: tuple[float, float] | None = Field(
        None, description="Shape and smallest value of a heavy tail, rounded down."
    )
    min: int | None = Field(None, ge=0, description="Fewest rows.")
    max: int | None = Field(None, ge=0, description="Most rows.")

    @model_validator(mode="after")
    def _one_distribution(self) -> CountSource:
        _exactly_one(self, ("poisson", "uniform", "choice", "pareto"))
        if self.choice is not None and not all(count.isdigit() for count in self.choice):
            raise ValueError("the keys of `choice` are counts, whole numbers from 0")
        return self


class TimeSource(Model):
    """Draw a moment or a date. Never later than the world's `now` unless `to` says so.

    Bounds are relative durations (`-3y`), `now`, a moment, or a column of this row or of its parent (`customer.since`).
    """

    from_: str | None = Field(None, alias="from", description="Earliest moment: `-3y`, `now`, a moment or date.")
    to: str | None = Field(None, description="Latest moment; `now` when absent.")
    after: ColumnPath | None = Field(
        None, description="Not before this column of the row or a parent (`customer.since`)."
    )
    before: ColumnPath | None = Field(None, description="Not after this column of the row or a parent.")
    within: DurationSource | None = Field(
        None, description="How long after `after` (or before `before`); clipped to `to`."
    )
    entered: Identifier | list[Identifier] | None = Field(
        None,
        description="The moment the row's lifecycle last entered this state (or one of these); NULL if it never did.",
    )
    business_hours: bool = Field(
        False,
        description="Only Monday to Friday, 08:00 to 18:00: drawn there, or moved on to the next such time up to `to`.",
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> TimeSource:
        if self.within is not None and self.after is None and self.before is None:
            raise ValueError("`within` needs `after` or `before`")
        if self.entered is not None and (self.from_ or self.to or self.after or self.before or self.within):
            raise ValueError("`entered` stands alone: the lifecycle decides the moment")
        return self


class FakerSource(Model):
    """A Faker provider with its own locale."""

    provider: Identifier = Field(description="Provider name: `name`, `company`, `sentence`, …")
    locale: str | list[str] | None = Field(None, description="Overrides the world's locale.")


class SequenceSource(Model):
    """Whole numbers in row order."""

    start: int = Field(1, description="First value.")
    step: int = Field(1, ge=1, description="Distance between values.")


class Source(Model):
    """Exactly one way to get a column's values (none for written rows and `data`)."""

    faker: Identifier | FakerSource | None = Field(
        None,
        description="Realistic text from Faker: `name`, `email`, … Columns of one row that describe a person agree.",
    )
    choice: list[Scalar] | Weights | Literal["zipf"] | None = Field(
        None,
        description="One of a list, or of values with weights. With `ref`: `zipf` makes few parents popular, "
        "and weights (by the parent's key) choose parents.",
    )
    number: NumberSource | None = Field(None, description="A number from a distribution.")
    time: TimeSource | None = Field(None, description="A moment or date.")
    pattern: str | None = Field(None, max_length=80, description="Text with the row's number: `C-%05d`.")
    ref: Identifier | None = Field(
        None, description="The key of a row of this table: the parent that `per` walks, or one drawn at random."
    )
    template: str | None = Field(
        None, max_length=2_000, description="Text from other columns of the row: `{first} {last}`."
    )
    sql: Sql | None = Field(
        None,
        description="An SQL expression over the row's other columns and, by subquery, any table generated earlier.",
    )
    lifecycle: Identifier | None = Field(None, description="The state of this state machine, decided by walking it.")
    sequence: int | SequenceSource | None = Field(None, description="Whole numbers in row order, from this one.")
    uuid: Literal[True] | None = Field(None, description="A UUID (version 4 layout) drawn from the world's seed.")
    constant: Scalar = Field(None, description="Always this value.")

    def source_name(self) -> str | None:
        """The name of the source given, None when there is none. `ref` wins over the `choice` that shapes it."""
        if "constant" in self.model_fields_set:
            return "constant"
        for name in SOURCE_NAMES:
            if getattr(self, name) is not None:
                return name
        return None


SOURCE_NAMES = (
    "ref", "faker", "choice", "number", "time", "pattern", "template", "sql", "lifecycle", "sequence", "uuid",
)  # fmt: skip


class DependsOn(Model):
    """Choose the source by another column's value."""

    column: Identifier = Field(description="A column of this row, generated earlier.")
    when: dict[str, Source] = Field(description="The source for each value of that column.")
    otherwise: Source | None = Field(None, description="The source for every other value; NULL when absent.")


class Column(Source):
    """A column: its type, its source, and what may be missing."""

    type: (
        Annotated[
            str,
            StringConstraints(
                pattern=r"^(integer|real|text|boolean|date|timestamp|json|decimal\([1-9][0-9]?,\s?[0-9]\))$"
            ),
        ]
        | None
    ) = Field(
        None,
        description="`integer`, `real`, `text`, `boolean`, `date`, `timestamp`, `json` or `decimal(p,s)`. "
        "A `ref` takes its parent's, written rows tell theirs, everything else defaults to `text`.",
    )
    summary: str = Field("", max_length=1_000, description="What the column means, shown to agents and readers.")
    key: bool = Field(False, description="Part of the primary key.")
    unique: bool = Field(False, description="No two rows share a value.")
    missing: Annotated[float, Field(ge=0, le=1)] | str | None = Field(
        None, description="Which rows have no value: a share, or an SQL condition over the row. The column is nullable."
    )
    nullable: bool = Field(False, description="NULL is allowed later even if no generated row has it.")
    where: Sql | None = Field(None, description="With `ref`: only parents for which this condition on their row holds.")
    references: Identifier | None = Field(
        None, description="The table whose key a computed column holds (`sql`, `depends_on`); a `ref` says so itself."
    )
    depends_on: DependsOn | None = Field(None, description="The source depends on another column's value.")
    from_: list[str] | None = Field(
        None,
        alias="from",
        min_length=1,
        max_length=10_000,
        description="For a key: the keys `new_id` gives out, in order.",
    )

    @model_validator(mode="after")
    def _one_source(self) -> Column:
        given = [name for name in SOURCE_NAMES if getattr(self, name) is not None]
        if "constant" in self.model_fields_set:
            given.append("constant")
        if self.ref is not None and "choice" in given:
            given.remove("choice")
        if self.depends_on is not None:
            given.append("depends_on")
        if len(given) > 1:
            raise ValueError(f"a column has one source; this one has {', '.join(given)}")
        if self.choice == "zipf" and self.ref is None:
            raise ValueError("`choice: zipf` shapes a `ref`; list the values otherwise")
        if self.where is not None and self.ref is None:
            raise ValueError("`where` narrows a `ref`")
        if self.references is not None and self.ref is not None:
            raise ValueError("a `ref` says itself which table it references")
        return self


def _exactly_one(model: Model, names: tuple[str, ...]) -> None:
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) != 1:
        raise ValueError(
            f"give exactly one of {', '.join(names)}" + (f"; here are {', '.join(given)}" if given else "")
        )
