"""exp, log and power from + - * / alone, so that every CPU gives the same bits.

NumPy's and libm's transcendental functions differ between CPUs in the last place. The four operations are exact by
IEEE 754, and NumPy never fuses two of them across calls, so a fixed order of operations fixes the result. The error is
within a few units in the last place, which is far below what a generated number needs.
"""

from __future__ import annotations

import numpy as np

from simulator.world.generation.streams import Floats

# ln 2 in two parts; k * LN2_HIGH is exact for |k| < 2**20 (the split of fdlibm's e_exp.c)
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_ONE_OVER_LN2 = 1.4426950408889634
_SQRT_HALF = 0.7071067811865476
_LARGEST_EXPONENT = 700.0  # e**700 is about 1e304: the results stay finite and normal

_EXP_COEFFICIENTS = tuple(
    1.0 / factorial
    for factorial in (6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1)
)
_LOG_COEFFICIENTS = tuple(1.0 / odd for odd in range(23, 0, -2))


def exp(x: Floats) -> Floats:
    """e**x; ``x`` is clipped to [-700, 700]."""
    x = np.minimum(np.maximum(x, -_LARGEST_EXPONENT), _LARGEST_EXPONENT)
    whole = np.floor(x * _ONE_OVER_LN2 + 0.5)
    rest = (x - whole * _LN2_HIGH) - whole * _LN2_LOW
    series = np.zeros_like(rest)
    for coefficient in _EXP_COEFFICIENTS:
        series = series * rest
        series = series + coefficient
    power_of_two = ((whole.astype(np.int64) + 1023) << 52).view(np.float64)
    return series * power_of_two


def log(x: Floats) -> Floats:
    """The natural logarithm; every ``x`` must be positive, finite and normal."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < _SQRT_HALF
    mantissa = np.where(small, mantissa * 2.0, mantissa)
    whole = exponent.astype(np.float64) - small
    ratio = (mantissa - 1.0) / (mantissa + 1.0)  # ln m = 2 artanh((m - 1) / (m + 1))
    square = ratio * ratio
    series = np.zeros_like(ratio)
    for coefficient in _LOG_COEFFICIENTS:
        series = series * square
        series = series + coefficient
    tail = ratio * 2.0 * series
    tail = tail + whole * _LN2_LOW
    return whole * _LN2_HIGH + tail


def power(x: Floats, exponent: float) -> Floats:
    """``x ** exponent`` for positive ``x``."""
    return exp(log(x) * exponent)


def round_half_up(x: Floats, digits: int = 0) -> Floats:
    """Rounded to ``digits`` decimals (negative: tens, hundreds), halves away from zero.

    The result is the double nearest to that decimal. Values too large to have such decimals stay as they are.
    """
    scale = float(10 ** abs(digits))
    magnitude = np.abs(x)
    scaled = magnitude * scale if digits >= 0 else magnitude / scale
    whole = np.floor(scaled + 0.5)
    rounded = whole / scale if digits >= 0 else whole * scale
    return np.where(scaled < 2.0**52, np.copysign(rounded, x), x) + 0.0  # + 0.0 turns -0.0 into 0.0
