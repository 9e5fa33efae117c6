"""What only Oracle computes: days as fractions, months that end together, numbers without needless digits."""

from __future__ import annotations

import calendar
from datetime import timedelta
from fractions import Fraction

from simulator.sql.dialects.runtime import formats
from simulator.sql.dialects.runtime.numbers import exact
from simulator.sql.dialects.runtime.times import moment, written
from simulator.sql.functions import FunctionProblem

_DAY = 86_400


def days_between(later: str, earlier: str) -> float | int:
    """A date minus a date: days, with the time of day as a fraction."""
    seconds = int((moment(later) - moment(earlier)).total_seconds())
    return seconds // _DAY if seconds % _DAY == 0 else float(Fraction(seconds, _DAY))


def days_added(text: str, days: float) -> str:
    """A date plus days, to the second."""
    try:
        return written(moment(text) + timedelta(seconds=round(Fraction(exact(days)) * _DAY)))
    except OverflowError:
        raise FunctionProblem("date out of range") from None


def _last_day(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def months_added(text: str, months: int) -> str:
    """``ADD_MONTHS``: the last day of a month stays a last day."""
    at = moment(text)
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise FunctionProblem("date out of range")
    last = _last_day(year, month + 1)
    day = last if at.day == _last_day(at.year, at.month) else min(at.day, last)
    return written(at.replace(year=year, month=month + 1, day=day))


def months_between(later: str, earlier: str) -> float | int:
    """``MONTHS_BETWEEN``: whole for the same day or two last days, else with a fraction of 31 days."""
    first, second = moment(later), moment(earlier)
    months = (first.year - second.year) * 12 + first.month - second.month
    both_last = first.day == _last_day(first.year, first.month) and second.day == _last_day(second.year, second.month)
    if first.day == second.day or both_last:
        return months
    seconds = [at.day * _DAY + at.hour * 3600 + at.minute * 60 + at.second for at in (first, second)]
    return float(months + Fraction(seconds[0] - seconds[1], 31 * _DAY))


def number_to_char(value: float, template: str) -> str:
    """``TO_CHAR`` by a template; a number that is too long for it is all ``#``."""
    found = formats.number_to_char(value, template)
    plain = template[2:] if template[:2].upper() == "FM" else template
    return "#" * (len(plain) + 1) if "#" in found else found


def number_text(number: float) -> str:
    """A number as ``TO_CHAR`` writes it: ``39.9``, ``.5``."""
    text = f"{exact(number):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    if text in ("", "-", "-0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def substring(text: str, start: int, length: int) -> str:
    """``SUBSTR``: from the end for a negative start, from the first for 0."""
    first = start - 1 if start > 0 else len(text) + start if start else 0
    return text[first : first + length] if first >= 0 and length > 0 else ""


def place(text: str, part: str, start: int, occurrence: int) -> int:
    """``INSTR``: where the n-th part begins, 0 for nowhere."""
    if start < 1 or occurrence < 1:
        raise FunctionProblem("INSTR() counts from the beginning here")
    found = start - 2
    for _ in range(min(occurrence, len(text) + 1)):
        found = text.find(part, found + 1)
        if found < 0:
            return 0
    return found + 1
