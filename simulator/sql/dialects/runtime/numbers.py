"""Arithmetic that fails where the dialect's fails, and numbers as its texts."""

from __future__ import annotations

import math
import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from simulator.sql.functions import FunctionProblem

_HALF_UP = Context(prec=60, rounding=ROUND_HALF_UP)
_DOWN = Context(prec=60, rounding=ROUND_DOWN)
_LIMITS = {"integer": 2**31, "bigint": 2**63}
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?\s*")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,30}\s*")


def exact(value: float) -> Decimal:
    """The shortest decimal that names a float."""
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def within_int4(value: float) -> int:
    """A sum, difference or product of integers, refused beyond 32 bits."""
    return _within(value, "integer")


def within_int8(value: float) -> int:
    """The same for 64 bits; SQLite has made a float of it where it went beyond."""
    return _within(value, "bigint")


def _within(value: float, kind: str) -> int:
    limit = _LIMITS[kind]
    if not isinstance(value, int) or not -limit <= value < limit:
        raise FunctionProblem(f"{kind} out of range")
    return value


def integer_divide(dividend: int, divisor: int) -> int:
    """The quotient towards zero."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    quotient = abs(dividend) // abs(divisor)
    return _within(quotient if (dividend < 0) == (divisor < 0) else -quotient, "bigint")


def integer_modulo(dividend: int, divisor: int) -> int:
    """The remainder, with the sign of the dividend."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    return int(math.copysign(1, dividend)) * (abs(dividend) % abs(divisor))


def divide(dividend: float, divisor: float) -> float:
    """The quotient of numbers one of which is no integer; correctly rounded, also of decimals."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    return float(Fraction(exact(dividend)) / Fraction(exact(divisor)))


def float_divide(dividend: float, divisor: float) -> float:
    """The quotient of floats."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    return dividend / divisor


def numeric_modulo(dividend: float, divisor: float) -> float:
    """The remainder of decimals, with the sign of the dividend."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    return float(_HALF_UP.remainder(exact(dividend), exact(divisor)))


def round_numeric(value: float, digits: int) -> float:
    """Rounded half away from zero; ``digits`` may be negative."""
    return float(_quantized(value, digits, _HALF_UP)) + 0.0


def truncate_numeric(value: float, digits: int) -> float:
    """Cut towards zero."""
    return float(_quantized(value, digits, _DOWN)) + 0.0


def _quantized(value: float, digits: int, context: Context) -> Decimal:
    number = exact(value)
    if digits > 15 or abs(number) >= Decimal(10) ** 40:
        return number
    return number.quantize(Decimal(1).scaleb(-max(digits, -40)), context=context)


def round_float(value: float) -> float:
    """A float to the nearest whole one, halves to the even: what PostgreSQL does to double precision."""
    return float(exact(value).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)) + 0.0 if abs(value) < 2**53 else value


def to_integer(value: float, bits: int, is_float: int) -> int:
    """A number cast to an integer: decimals round half away from zero, floats half to even."""
    rounding = ROUND_HALF_EVEN if is_float else ROUND_HALF_UP
    whole = int(exact(value).to_integral_value(rounding))
    return _within(whole, "integer" if bits == 32 else "bigint")


def read_integer(text: str, bits: int) -> int:
    """A text cast to an integer."""
    kind = "integer" if bits == 32 else "bigint"
    if _INTEGER.fullmatch(text) is None:
        raise FunctionProblem(f'invalid input syntax for type {kind}: "{text[:80]}"')
    return _within(int(text), kind)


def read_number(text: str, kind: str) -> float:
    """A text cast to numeric or double precision."""
    if _NUMBER.fullmatch(text) is None:
        raise FunctionProblem(f'invalid input syntax for type {kind}: "{text[:80]}"')
    return finite(float(text))


def finite(value: float) -> float:
    """A number that is one. Raises :class:`FunctionProblem` for an infinite one."""
    if not math.isfinite(value):
        raise FunctionProblem("value out of range: overflow")
    return value


def fit_numeric(value: float, precision: int, scale: int) -> float:
    """A number put into ``numeric(precision, scale)``."""
    rounded = _quantized(value, scale, _HALF_UP)
    if abs(rounded) >= Decimal(10) ** (precision - scale):
        raise FunctionProblem("numeric field overflow")
    return float(rounded) + 0.0


def power(number: float, exponent: float) -> float:
    """A power with a whole exponent from -64 to 64: the others' last digits differ between machines."""
    if not float(exponent).is_integer() or abs(exponent) > 64:
        raise FunctionProblem("power() takes whole exponents from -64 to 64 here")
    if number == 0 and exponent < 0:
        raise FunctionProblem("zero raised to a negative power is undefined")
    return finite(float(Fraction(exact(number)) ** int(exponent)) if number else float(exponent == 0))


def square_root(number: float) -> float:
    """The square root."""
    if number < 0:
        raise FunctionProblem("cannot take square root of a negative number")
    return math.sqrt(number)


def width_bucket(value: float, low: float, high: float, count: int) -> int:
    """The number of the bucket, of ``count`` equal ones between ``low`` and ``high``, that a value falls in."""
    if count <= 0:
        raise FunctionProblem("count must be greater than zero")
    if low == high:
        raise FunctionProblem("lower bound cannot equal upper bound")
    number, first, last = Fraction(exact(value)), Fraction(exact(low)), Fraction(exact(high))
    if first > last:
        number, first, last = -number, -first, -last
    if number < first:
        return 0
    return min(int((number - first) * count / (last - first)) + 1, count + 1)


def greatest_divisor(first: int, second: int) -> int:
    """``gcd``."""
    return math.gcd(first, second)


def numeric_text(value: float, scale: int) -> str:
    """A numeric of known scale as text: always so many digits."""
    return f"{exact(value).quantize(Decimal(1).scaleb(-scale), context=_HALF_UP) + 0:.{scale}f}"


def float_text(value: float) -> str:
    """A double precision as text: its shortest form, without a needless fraction."""
    number = float(value)
    magnitude = abs(number)
    if number.is_integer() and magnitude < 1e15:
        return str(int(number))
    if magnitude >= 1e15 and number.is_integer():
        mantissa, _, exponent = f"{Decimal(repr(number)).normalize():e}".partition("e")
        return f"{mantissa}e+{int(exponent):02d}"
    return repr(number)
