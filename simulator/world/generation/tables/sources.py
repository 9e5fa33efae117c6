"""Values from sources that need nothing but their own stream: choices, numbers, patterns, sequences, identifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.errors import WorldError
from simulator.scenario.models import NumberSource, SequenceSource, Source
from simulator.sql.schema import ColumnSchema
from simulator.world.changes import Value
from simulator.world.generation.arithmetic import round_half_up
from simulator.world.generation.distributions import Numbers, WeightedChoice
from simulator.world.generation.patterns import KeyPattern
from simulator.world.generation.streams import Integers, Stream
from simulator.world.generation.tables.cells import stored_text, stored_value
from simulator.world.generation.tables.picking import Options

_MOST_GRID = 2**53


def choice_values(source: Source, column: ColumnSchema) -> tuple[list[Value], list[float] | None]:
    """The values of a `choice`, and their weights if any. Raises ValueError for one the column cannot hold."""
    choice = source.choice
    if isinstance(choice, dict):
        return [stored_text(key, column) for key in choice], list(choice.values())
    if isinstance(choice, list):
        return [None if value is None else stored_value(value, column) for value in choice], None
    raise ValueError("`choice` lists values here")


def choice_options(values: Sequence[Value], weights: Sequence[float] | None) -> Options:
    """What a choice picks from. Raises WorldError for weights that choose nothing."""
    return Options(len(values), WeightedChoice(weights) if weights is not None else None)


def different_values(
    values: Sequence[Value], weights: Sequence[float] | None
) -> tuple[list[Value], list[float] | None]:
    """The different values that can be picked at all, in their order, with their weights."""
    if weights is None:
        return list(dict.fromkeys(values)), None
    kept: dict[Value, float] = {}
    for value, weight in zip(values, weights, strict=True):
        if weight > 0:
            kept[value] = kept.get(value, 0.0) + weight
    return list(kept), list(kept.values())


def take(values: Sequence[Value], positions: Integers) -> list[Value]:
    """The value at each position, None at -1."""
    table = np.empty(len(values) + 1, dtype=object)
    table[:-1] = values
    table[-1] = None
    taken: list[Value] = table[positions].tolist()
    return taken


def number_distribution(source: NumberSource) -> Numbers:
    """The distribution of a `number`. Raises WorldError when its parameters make none."""
    name = next(name for name in _DISTRIBUTIONS if getattr(source, name) is not None)
    parameters = getattr(source, name)
    parameters = tuple(map(float, parameters)) if isinstance(parameters, tuple) else (float(parameters),)
    return Numbers(name, parameters, source.min, source.max, source.round)


def number_values(source: NumberSource, column: ColumnSchema, stream: Stream, n: int, *, unique: bool) -> list[Value]:
    """Numbers of the column's type; different ones by construction where a uniform range allows it."""
    numbers = number_distribution(source)
    if unique:
        grid = _grid(source, column)
        if grid is not None:
            return _distinct_numbers(*grid, column, stream, n)
    if column.type == "integer":
        integers: list[Value] = numbers.sample_integers(stream, n).tolist()
        return integers
    values = numbers.sample(stream, n)
    if column.type == "decimal":
        values = round_half_up(values, column.scale)
        limit = float(10 ** max(column.precision - column.scale, 0))
        if values.size and float(np.abs(values).max()) >= limit:
            raise WorldError(f"a drawn number has more digits than {column.type_text} holds; give `min` and `max`")
    reals: list[Value] = values.tolist()
    return reals


def number_capacity(source: NumberSource, column: ColumnSchema) -> int | None:
    """How many different numbers there can be, None when there is no telling."""
    grid = _grid(source, column)
    return None if grid is None else max(grid[1] - grid[0] + 1, 0)


def sequence_values(source: int | SequenceSource, n: int) -> list[Value]:
    """Whole numbers in row order. Raises WorldError when they outgrow 64 bits."""
    start, step = (source, 1) if isinstance(source, int) else (source.start, source.step)
    if not -(2**63) <= start <= start + step * n < 2**63:
        raise WorldError("the sequence does not fit into 64 bits")
    return list(range(start, start + step * n, step))


def pattern_values(pattern: str, n: int) -> list[Value]:
    """The pattern with the numbers 1 to ``n``."""
    return list(KeyPattern(pattern).render(range(1, n + 1)))


def uuid_values(stream: Stream, n: int) -> list[Value]:
    """UUIDs of version 4 layout (RFC 9562) from the stream."""
    octets = stream.raw(2 * n).astype("<u8").view(np.uint8).reshape(n, 16)
    octets[:, 6] = (octets[:, 6] & 0x0F) | 0x40
    octets[:, 8] = (octets[:, 8] & 0x3F) | 0x80
    digits = np.frombuffer(octets.tobytes().hex().encode(), dtype=np.uint8).reshape(n, 32)
    text = np.insert(digits, (8, 12, 16, 20), ord("-"), axis=1).tobytes().decode()
    return [text[at : at + 36] for at in range(0, 36 * n, 36)]


_DISTRIBUTIONS = ("uniform", "normal", "lognormal", "exponential", "poisson", "pareto")


def _grid(source: NumberSource, column: ColumnSchema) -> tuple[int, int, int] | None:
    """(first, last, digits): a uniform range as the multiples of ``10**-digits`` in it; None without rounding."""
    if source.uniform is None:
        return None
    low, high = source.uniform
    low = max(low, source.min) if source.min is not None else low
    high = min(high, source.max) if source.max is not None else high
    digits = source.round
    if column.type in ("integer", "decimal"):
        most = column.scale if column.type == "decimal" else 0
        digits = most if digits is None else min(digits, most)
    if digits is None:
        return None
    bounds = np.asarray([low, high])
    bounds = bounds * float(10**digits) if digits >= 0 else bounds / float(10**-digits)
    if float(np.abs(bounds).max()) >= _MOST_GRID:
        return None
    bounds = round_half_up(bounds, 6)  # 0.29 * 100 is a little less than 29
    return int(np.ceil(bounds[0])), int(np.floor(bounds[1])), digits


def _distinct_numbers(first: int, last: int, digits: int, column: ColumnSchema, stream: Stream, n: int) -> list[Value]:
    size = max(last - first + 1, 0)
    if n > size:
        raise WorldError(f"there are only {size:,} different numbers for {n:,} rows")
    whole = stream.distinct(n, size) + first if n else np.zeros(0, dtype=np.int64)
    if column.type == "integer":
        integers: list[Value] = (whole * 10**-digits).tolist()
        return integers
    reals: list[Value] = (whole / float(10**digits) if digits >= 0 else whole * float(10**-digits)).tolist()
    return reals
