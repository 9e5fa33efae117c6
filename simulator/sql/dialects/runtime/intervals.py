"""Intervals as PostgreSQL has them: months, days and microseconds side by side, read and written as its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import lru_cache

from simulator.sql.functions import FunctionProblem

SECOND = 1_000_000
DAY = 86_400 * SECOND
MONTH_DAYS = 30
_LARGEST = 12 * 10_000  # months, and days by a factor of 31: ten thousand years


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of time. Its parts do not flow into each other: a month has no fixed number of days."""

    months: int = 0
    days: int = 0
    micros: int = 0

    def __post_init__(self) -> None:
        if abs(self.months) > _LARGEST or abs(self.days) > _LARGEST * 31 or abs(self.micros) > _LARGEST * 31 * DAY:
            raise FunctionProblem("interval out of range")

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.months + other.months, self.days + other.days, self.micros + other.micros)

    def __neg__(self) -> Interval:
        return Interval(-self.months, -self.days, -self.micros)

    def times(self, factor: Fraction) -> Interval:
        """The product; what is left of a month becomes days of a 30-day month, what is left of a day time."""
        months = Fraction(self.months) * factor
        whole_months = int(months)
        days = Fraction(self.days) * factor + (months - whole_months) * MONTH_DAYS
        whole_days = int(days)
        micros = Fraction(self.micros) * factor + (days - whole_days) * DAY
        return Interval(whole_months, whole_days, round(micros))

    @property
    def length(self) -> int:
        """Microseconds, a month counted as 30 days and a day as 24 hours: what comparisons go by."""
        return (self.months * MONTH_DAYS + self.days) * DAY + self.micros

    def __str__(self) -> str:
        parts: list[str] = []
        negative = False
        years, months = _divided(self.months, 12)
        for amount, unit in ((years, "year"), (months, "mon"), (self.days, "day")):
            if amount:
                sign = "+" if negative and amount > 0 else ""
                parts.append(f"{sign}{amount} {unit}{'' if amount == 1 else 's'}")
                negative = amount < 0
        if self.micros or not parts:
            sign = "-" if self.micros < 0 else "+" if negative else ""
            parts.append(sign + clock(abs(self.micros)))
        return " ".join(parts)


def clock(micros: int) -> str:
    """Microseconds as ``HH:MM:SS[.ffffff]``, hours without limit."""
    seconds, fraction = divmod(micros, SECOND)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{text}.{fraction:06d}".rstrip("0") if fraction else text


def _divided(amount: int, unit: int) -> tuple[int, int]:
    """Quotient and remainder towards zero."""
    whole = abs(amount) // unit
    return (whole, amount - whole * unit) if amount >= 0 else (-whole, amount + whole * unit)


# Months, days or microseconds in one of each unit.
_UNITS: dict[str, tuple[str, int]] = {}
for _names, _part, _size in (
    ("year years yr yrs y", "months", 12),
    ("quarter quarters qtr", "months", 3),
    ("month months mon mons", "months", 1),
    ("decade decades", "months", 120),
    ("century centuries", "months", 1200),
    ("week weeks w", "days", 7),
    ("day days d", "days", 1),
    ("hour hours hr hrs h", "micros", 3600 * SECOND),
    ("minute minutes min mins m", "micros", 60 * SECOND),
    ("second seconds sec secs s", "micros", SECOND),
    ("millisecond milliseconds msec msecs ms", "micros", 1000),
    ("microsecond microseconds usec usecs us", "micros", 1),
):
    for _name in _names.split():
        _UNITS[_name] = (_part, _size)

_ITEM = re.compile(
    r"\s*(?:(?P<clock>[+-]?\s*[0-9]{1,6}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    r"|(?P<number>[+-]?\s*[0-9]{1,9}(?:\.[0-9]{1,6})?)\s*(?P<unit>[a-zA-Z]+)|(?P<ago>ago)\b)\s*"
)


@lru_cache(maxsize=512)
def interval(text: str) -> Interval:
    """The interval a text means (``1 year 2 mons``, ``3 days 04:05``, ``-1 week``).

    Raises :class:`FunctionProblem` for a text that means none.
    """
    result = Interval()
    position = 0
    stripped = text.strip()
    while position < len(stripped):
        match = _ITEM.match(stripped, position)
        if match is None:
            break
        if match["ago"]:
            result = -result
        elif match["clock"]:
            result += _clock_interval(match["clock"].replace(" ", ""))
        elif match["unit"].lower() in _UNITS:
            part, size = _UNITS[match["unit"].lower()]
            result += Interval(**{part: size}).times(Fraction(match["number"].replace(" ", "")))
        else:
            break
        position = match.end()
    if not stripped or position < len(stripped):
        raise FunctionProblem(f'invalid input syntax for type interval: "{text[:80]}"')
    return result


def _clock_interval(text: str) -> Interval:
    sign = -1 if text.startswith("-") else 1
    hours, minutes, *seconds = text.lstrip("+-").split(":")
    micros = Decimal(seconds[0]) * SECOND if seconds else Decimal(0)
    total = int(hours) * 3600 * SECOND + int(minutes) * 60 * SECOND + int(micros.to_integral_value(ROUND_HALF_EVEN))
    return Interval(micros=sign * total)


# -- SQL functions -----------------------------------------------------------------------------------------------------


def interval_text(text: str) -> str:
    """A text read as an interval."""
    return str(interval(text))


def interval_add(first: str, second: str) -> str:
    """The sum."""
    return str(interval(first) + interval(second))


def interval_multiply(span: str, factor: float) -> str:
    """The product with a number."""
    return str(interval(span).times(Fraction(repr(factor))))


def interval_divide(span: str, divisor: float) -> str:
    """The quotient by a number."""
    if divisor == 0:
        raise FunctionProblem("division by zero")
    return str(interval(span).times(1 / Fraction(repr(divisor))))


def interval_length(span: str) -> int:
    """Microseconds, to compare and sort by."""
    return interval(span).length


def interval_make(years: int, months: int, weeks: int, days: int, hours: int, minutes: int, seconds: float) -> str:
    """``make_interval``."""
    micros = (hours * 3600 + minutes * 60) * SECOND + round(Fraction(repr(seconds)) * SECOND)
    return str(Interval(years * 12 + months, weeks * 7 + days, micros))


def justify(span: str, days: int, hours: int) -> str:
    """``justify_days`` (days to months), ``justify_hours`` (time to days) and, with both, ``justify_interval``."""
    item = interval(span)
    months, whole, micros = item.months, item.days, item.micros
    if hours:
        extra, micros = _divided(micros, DAY)
        whole += extra
    if days:
        extra, whole = _divided(whole, MONTH_DAYS)
        months += extra
    return str(Interval(months, whole, micros))


def seconds_part(micros: int) -> float:
    """Seconds and fraction within the minute."""
    return _divided(micros, 60 * SECOND)[1] / SECOND


def interval_extract(field: str, span: str) -> float | int:
    """``extract(field from interval)``."""
    item = interval(span)
    if field == "epoch":
        years, months = _divided(item.months, 12)
        # A year counts 365.25 days here, unlike in comparisons.
        days = Fraction(years) * Fraction(1461, 4) + months * MONTH_DAYS + item.days
        return float(days * 86_400 + Fraction(item.micros, SECOND))
    parts: dict[str, float | int] = {
        "year": _divided(item.months, 12)[0],
        "month": _divided(item.months, 12)[1],
        "day": item.days,
        "hour": _divided(item.micros, 3600 * SECOND)[0],
        "minute": _divided(item.micros, 60 * SECOND)[0] - _divided(item.micros, 3600 * SECOND)[0] * 60,
        "second": seconds_part(item.micros),
        "quarter": _divided(item.months, 12)[1] // 3 + 1,
    }
    return parts[field]
