"""Numbers drawn from a distribution: a quantile function applied to uniform numbers, the same on every machine.

``value = quantile(u)`` element by element, so a column may be made in chunks. Quantiles come from a committed table
(normal, lognormal), a cumulative table built with + * / (poisson, zipf, weighted choice) or plain arithmetic (the
others, see :mod:`simulator.world.generation.arithmetic`); no libm or NumPy transcendental is involved.

===================  ======================  ==========================================================
name                 parameters              meaning
===================  ======================  ==========================================================
``constant``         value
``uniform``          low, high               reals in [low, high); integers from low to high, both included
``normal``           mean, deviation
``lognormal``        mu, sigma               e ** normal(mu, sigma)
``lognormal_median`` median, sigma           the same with mu = ln median: the form durations use
``exponential``      mean
``poisson``          mean                    mean <= 1,000,000
``pareto``           alpha, minimum (1)      P(X > x) = (minimum / x) ** alpha
``zipf``             exponent, size          ranks 1 to size, P(k) ∝ k ** -exponent; size <= 1,000,000
===================  ======================  ==========================================================
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from simulator.errors import WorldError
from simulator.world.generation.arithmetic import exp, log, power, round_half_up
from simulator.world.generation.streams import Floats, Integers, Stream

_LARGEST_MEAN = 1_000_000
_LARGEST_SIZE = 1_000_000
_LARGEST_INTEGER = 2.0**53
_LARGEST_WEIGHT = 1e300
_NEGLIGIBLE = 1e-18  # a poisson weight below this share of the mode's cannot be hit by a 53-bit uniform number


@dataclass(frozen=True, slots=True)
class Numbers:
    """A distribution with its bounds: ``digits`` rounds half up to that many decimals, then the bounds clip.

    Raises WorldError when the name, the number of parameters or their range is wrong.
    """

    distribution: str
    parameters: tuple[float, ...]
    minimum: float | None = None
    maximum: float | None = None
    digits: int | None = None

    def __post_init__(self) -> None:
        if self.distribution not in _QUANTILES:
            raise WorldError(f"there is no distribution `{self.distribution}`; there are {', '.join(_QUANTILES)}")
        problem = _parameter_problem(self.distribution, self.parameters)
        if problem:
            raise WorldError(f"{self.distribution}{list(self.parameters)}: {problem}")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise WorldError(f"{self.distribution}: min {self.minimum:g} is larger than max {self.maximum:g}")
        if self.digits is not None and abs(self.digits) > 15:
            raise WorldError(f"{self.distribution}: round must be between -15 and 15, not {self.digits}")

    def quantile(self, u: Floats) -> Floats:
        """The values at the probabilities ``u`` in [0, 1), rounded and clipped."""
        values = _QUANTILES[self.distribution](u, *self.parameters)
        if self.digits is not None:
            values = round_half_up(values, self.digits)
        return self._clipped(values)

    def integer_quantile(self, u: Floats) -> Integers:
        """The same as integers: halves round up; a uniform range is inclusive and gives each integer equal room."""
        if self.distribution == "uniform":
            low, high = math.ceil(self.parameters[0]), math.floor(self.parameters[1])
            if low > high:
                raise WorldError(f"uniform{list(self.parameters)}: there is no integer between the bounds")
            values = np.minimum(np.floor(u * (float(high) - float(low) + 1.0)) + low, float(high))
        else:
            values = _QUANTILES[self.distribution](u, *self.parameters)
        values = round_half_up(values, min(self.digits or 0, 0))
        values = np.minimum(np.maximum(self._clipped(values), -_LARGEST_INTEGER), _LARGEST_INTEGER)
        return round_half_up(values).astype(np.int64)

    def sample(self, stream: Stream, n: int) -> Floats:
        """``n`` reals from the stream."""
        return self.quantile(stream.uniform(n))

    def sample_integers(self, stream: Stream, n: int) -> Integers:
        """``n`` integers from the stream, at most 2**53 in magnitude."""
        return self.integer_quantile(stream.uniform(n))

    def _clipped(self, values: Floats) -> Floats:
        if self.minimum is not None:
            values = np.maximum(values, float(self.minimum))
        if self.maximum is not None:
            values = np.minimum(values, float(self.maximum))
        return values


class WeightedChoice:
    """Picks positions of a list of weights: ``weights[i]`` relative to their sum is the probability of ``i``.

    Raises WorldError for no weights, one that is negative or beyond 1e300, or a sum of zero.
    """

    __slots__ = ("_cumulative", "_last", "size")

    def __init__(self, weights: Sequence[float] | Floats) -> None:
        array = np.asarray(weights, dtype=np.float64)
        if array.ndim != 1 or not array.size or not np.all((array >= 0) & (array <= _LARGEST_WEIGHT)):
            raise WorldError("weights must be numbers from 0 to 1e300, at least one of them")
        # accumulate adds from left to right; np.sum would add in an order that depends on the CPU
        running = np.add.accumulate(array)
        if not running[-1]:
            raise WorldError("weights must have a positive sum")
        self.size = int(array.size)
        self._cumulative: Floats = running / running[-1]
        self._last = int(np.flatnonzero(array)[-1])

    def pick(self, u: Floats) -> Integers:
        """The position at each probability ``u`` in [0, 1)."""
        found = np.searchsorted(self._cumulative, u, side="right").astype(np.int64)
        return np.minimum(found, self._last)

    def sample(self, stream: Stream, n: int) -> Integers:
        """``n`` positions from the stream."""
        return self.pick(stream.uniform(n))


def zipf_weights(size: int, exponent: float = 1.0) -> Floats:
    """The weights ``k ** -exponent`` for k = 1 to ``size``."""
    ranks = np.arange(1, size + 1, dtype=np.float64)
    return 1.0 / ranks if exponent == 1.0 else power(ranks, -exponent)


def standard_normal(u: Floats) -> Floats:
    """Quantiles of the standard normal: linear between the committed points, within 3e-5 of the exact value."""
    values, cells, octaves = _normal_table()
    distance = u - 0.5
    tail = np.maximum(0.5 - np.abs(distance), 2.0 ** -(octaves + 1))
    mantissa, exponent = np.frexp(tail)  # tail = mantissa * 2**exponent, mantissa in [1/2, 1)
    place = (mantissa * 2.0 - 1.0) * cells
    cell = np.floor(place)
    index = (exponent.astype(np.int64) + octaves) * cells + cell.astype(np.int64)
    left = values[index]
    right = values[np.minimum(index + 1, values.size - 1)]
    step = (right - left) * (place - cell)
    return np.where(distance < 0, -1.0, 1.0) * (left + step)


@lru_cache(maxsize=1)
def _normal_table() -> tuple[Floats, int, int]:
    text = resources.files(__package__).joinpath("data/normal_quantiles.json").read_text(encoding="utf-8")
    table = json.loads(text)
    return np.asarray(table["values"], dtype=np.float64), int(table["cells"]), int(table["octaves"])


@lru_cache(maxsize=256)
def _poisson_table(mean: float) -> tuple[int, WeightedChoice]:
    """(first value, choice among the values from there), by p(k+1) = p(k) * mean / (k+1) outwards from the mode.

    Starting at the mode with weight 1 needs no exp(-mean), which would vanish for large means.
    """
    mode = math.floor(mean)
    above: list[float] = []
    weight, k = 1.0, mode
    while weight > _NEGLIGIBLE:
        above.append(weight)
        k += 1
        weight = weight * mean / k
    below: list[float] = []
    weight, k = 1.0, mode
    while k > 0:
        weight = weight * k / mean
        if weight <= _NEGLIGIBLE:
            break
        k -= 1
        below.append(weight)
    return k, WeightedChoice([*reversed(below), *above])


@lru_cache(maxsize=64)
def _zipf_choice(exponent: float, size: int) -> WeightedChoice:
    return WeightedChoice(zipf_weights(size, exponent))


def _constant(u: Floats, value: float) -> Floats:
    return np.full(u.shape, float(value))


def _uniform(u: Floats, low: float, high: float) -> Floats:
    return u * (high - low) + low


def _normal(u: Floats, mean: float, deviation: float) -> Floats:
    return standard_normal(u) * deviation + mean


def _lognormal(u: Floats, mu: float, sigma: float) -> Floats:
    return exp(standard_normal(u) * sigma + mu)


def _lognormal_median(u: Floats, median: float, sigma: float) -> Floats:
    return exp(standard_normal(u) * sigma) * median


def _exponential(u: Floats, mean: float) -> Floats:
    return log(1.0 - u) * -mean


def _poisson(u: Floats, mean: float) -> Floats:
    first, choice = _poisson_table(float(mean))
    return (choice.pick(u) + first).astype(np.float64)


def _pareto(u: Floats, alpha: float, minimum: float = 1.0) -> Floats:
    return exp(log(1.0 - u) / -alpha) * minimum


def _zipf(u: Floats, exponent: float, size: float) -> Floats:
    return (_zipf_choice(float(exponent), int(size)).pick(u) + 1).astype(np.float64)


_QUANTILES: dict[str, Callable[..., Floats]] = {
    "constant": _constant,
    "uniform": _uniform,
    "normal": _normal,
    "lognormal": _lognormal,
    "lognormal_median": _lognormal_median,
    "exponential": _exponential,
    "poisson": _poisson,
    "pareto": _pareto,
    "zipf": _zipf,
}

DISTRIBUTIONS: tuple[str, ...] = tuple(_QUANTILES)
"""The names :class:`Numbers` accepts."""


def _parameter_problem(name: str, parameters: Sequence[float]) -> str:
    """What is wrong with the parameters, or nothing."""
    counts = {"constant": (1,), "exponential": (1,), "poisson": (1,), "pareto": (1, 2)}.get(name, (2,))
    if len(parameters) not in counts:
        return f"takes {' or '.join(map(str, counts))} parameters, not {len(parameters)}"
    if not all(math.isfinite(value) and abs(value) <= 1e15 for value in parameters):
        return "parameters must be finite and at most 1e15"
    first, last = parameters[0], parameters[-1]
    if name == "uniform" and first > last:
        return "low is larger than high"
    if name in ("normal", "lognormal", "lognormal_median") and last < 0:
        return "the deviation must not be negative"
    if name in ("exponential", "poisson") and first < 0:
        return "the mean must not be negative"
    if name == "poisson" and first > _LARGEST_MEAN:
        return f"the mean must be at most {_LARGEST_MEAN}"
    if name == "pareto" and min(parameters) <= 0:
        return "alpha and the minimum must be positive"
    if name == "zipf" and (first < 0 or not 1 <= last <= _LARGEST_SIZE or last != int(last)):
        return f"the exponent must not be negative and the size must be an integer from 1 to {_LARGEST_SIZE}"
    return ""
