"""What only MySQL computes: its formats of times, numbers read from the beginnings of texts, paths into documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from simulator.sql.dialects.runtime import documents, texts
from simulator.sql.dialects.runtime.collations import without_accents
from simulator.sql.dialects.runtime.intervals import SECOND
from simulator.sql.dialects.runtime.numbers import divide, exact, numeric_modulo, round_numeric
from simulator.sql.dialects.runtime.times import make_date, moment, written
from simulator.sql.functions import FunctionProblem

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)")


# -- Numbers -----------------------------------------------------------------------------------------------------------


def divide_or_null(dividend: float, divisor: float) -> float | None:
    """A quotient, NULL for a division by zero."""
    return divide(dividend, divisor) if divisor else None


def whole_quotient(dividend: float, divisor: float, is_strict: int) -> int | None:
    """``DIV``: the quotient cut towards zero."""
    if not divisor:
        _check_zero(is_strict)
        return None
    return int(exact(dividend) / exact(divisor)) if type(dividend) is not int else _cut(dividend, divisor)


def _cut(dividend: int, divisor: float) -> int:
    return int(Decimal(dividend) / exact(divisor)) if abs(dividend) < 2**53 else dividend // int(divisor)


def remainder(dividend: float, divisor: float, is_strict: int) -> float | int | None:
    """``%``, with the sign of the dividend."""
    if not divisor:
        _check_zero(is_strict)
        return None
    found = numeric_modulo(dividend, divisor)
    return int(found) if type(dividend) is int and type(divisor) is int else found


def _check_zero(is_strict: int) -> None:
    if is_strict:
        raise FunctionProblem("division by zero")


def number_of(text: str, is_strict: int) -> float:
    """A text as a number: the one it begins with, else 0; a write takes nothing that has more in it."""
    match = _NUMBER.match(text)
    if is_strict and (match is None or text[match.end() :].strip()):
        raise FunctionProblem(f"Truncated incorrect DECIMAL value: '{text[:80]}'")
    return float(match[1]) if match is not None else 0.0


def integer_of(text: str, is_strict: int) -> int:
    """A text as a whole number: the one it begins with, else 0."""
    match = re.match(r"\s*[+-]?[0-9]+", text)
    if is_strict and (match is None or text[match.end() :].strip()):
        raise FunctionProblem(f"Truncated incorrect INTEGER value: '{text[:80]}'")
    number = int(match[0]) if match is not None else 0
    if not -(2**63) <= number < 2**63:
        raise FunctionProblem("BIGINT value is out of range")
    return number


def unsigned(number: int) -> int:
    """A number that is none below zero: those MySQL turns into ones beyond our range."""
    if number < 0:
        raise FunctionProblem("a negative number as UNSIGNED is not supported here")
    return number


def with_commas(number: float, digits: int) -> str:
    """``FORMAT(x, 2)``: thousands apart."""
    if not 0 <= digits <= 15:
        raise FunctionProblem("FORMAT() takes 0 to 15 digits here")
    return f"{exact(round_numeric(number, digits)):,.{digits}f}"


# -- Texts -------------------------------------------------------------------------------------------------------------


def substring(text: str, start: int, length: int) -> str:
    """``SUBSTRING(text, start, length)``: from the end for a negative start, nothing from 0."""
    first = start - 1 if start > 0 else len(text) + start
    if start == 0 or first < 0 or length <= 0:
        return ""
    return text[first : first + length]


def before(text: str, separator: str, count: int) -> str:
    """``SUBSTRING_INDEX``: what is before the n-th separator, from the end for a negative count."""
    if not separator or not count:
        return ""
    parts = text.split(separator)
    return separator.join(parts[:count] if count > 0 else parts[count:])


def located(part: str, text: str, start: int) -> int:
    """``LOCATE``: the place of a part from a position on, whatever its case; 0 for none."""
    if start < 1:
        return 0
    return without_accents(text).find(without_accents(part), start - 1) + 1


def field(*values: Any) -> int:
    """``FIELD``: the place of the first value among the others."""
    first, *others = values
    key = without_accents(first) if isinstance(first, str) else first
    if key is None:
        return 0
    for index, other in enumerate(others):
        if (without_accents(other) if isinstance(other, str) else other) == key:
            return index + 1
    return 0


def chosen(*values: Any) -> Any:
    """``ELT``: the n-th of the texts."""
    number, *others = values
    return others[number - 1] if number is not None and 1 <= number <= len(others) else None


def in_set(text: str, listed: str) -> int:
    """``FIND_IN_SET``: the place of a text in a list with commas."""
    parts = [without_accents(part) for part in listed.split(",")] if listed else []
    key = without_accents(text)
    return parts.index(key) + 1 if key in parts else 0


def inserted(text: str, start: int, length: int, new: str) -> str:
    """``INSERT(text, start, length, new)``."""
    if not 1 <= start <= len(text):
        return text
    end = len(text) if length < 0 else start - 1 + length
    return texts.bounded(text[: start - 1] + new + text[end:])


def like(text: str, pattern: str, escape: str) -> int:
    """``LIKE``: neither case nor accents count."""
    return texts.like(without_accents(text), without_accents(pattern), escape)


def first_bytes(text: str, count: int) -> str:
    """As much of a text as so many bytes hold: what GROUP_CONCAT keeps."""
    data = text.encode()
    return text if len(data) <= count else data[:count].decode(errors="ignore")


# -- Times -------------------------------------------------------------------------------------------------------------


def _week(value: datetime, mode: int) -> int:
    """``WEEK(x, mode)`` of the modes 0, 1 and 3."""
    if mode == 3:
        return value.isocalendar().week
    first = date(value.year, 1, 1)
    if mode == 1:
        offset = first.weekday()
        return (value.timetuple().tm_yday - 1 + offset) // 7 + (1 if offset <= 3 else 0)
    if mode == 0:
        return (value.timetuple().tm_yday - 1 + (first.weekday() + 1) % 7) // 7 + (0 if first.weekday() != 6 else 1)
    raise FunctionProblem("WEEK() takes the modes 0, 1 and 3 here")


def week(text: str, mode: int) -> int:
    """``WEEK(x, mode)``."""
    return _week(moment(text), mode)


def year_week(text: str, mode: int) -> int:
    """``YEARWEEK(x, mode)``, of weeks as ISO counts them."""
    if mode not in (1, 3):
        raise FunctionProblem("YEARWEEK() takes the mode 1 or 3 here")
    iso = moment(text).isocalendar()
    return iso.year * 100 + iso.week


def day_name(text: str) -> str:
    """``DAYNAME``."""
    return _DAYS[moment(text).weekday()]


def month_name(text: str) -> str:
    """``MONTHNAME``."""
    return _MONTHS[moment(text).month - 1]


def _ordinal(day: int) -> str:
    ending = "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


_PARTS: dict[str, Callable[[datetime], str]] = {
    "Y": lambda at: f"{at.year:04d}",
    "y": lambda at: f"{at.year % 100:02d}",
    "m": lambda at: f"{at.month:02d}",
    "c": lambda at: str(at.month),
    "d": lambda at: f"{at.day:02d}",
    "e": lambda at: str(at.day),
    "D": lambda at: _ordinal(at.day),
    "H": lambda at: f"{at.hour:02d}",
    "k": lambda at: str(at.hour),
    "h": lambda at: f"{(at.hour + 11) % 12 + 1:02d}",
    "I": lambda at: f"{(at.hour + 11) % 12 + 1:02d}",
    "l": lambda at: str((at.hour + 11) % 12 + 1),
    "i": lambda at: f"{at.minute:02d}",
    "s": lambda at: f"{at.second:02d}",
    "S": lambda at: f"{at.second:02d}",
    "f": lambda at: f"{at.microsecond:06d}",
    "p": lambda at: "AM" if at.hour < 12 else "PM",
    "T": lambda at: f"{at:%H:%M:%S}",
    "r": lambda at: f"{(at.hour + 11) % 12 + 1:02d}:{at:%M:%S} {'AM' if at.hour < 12 else 'PM'}",
    "M": lambda at: _MONTHS[at.month - 1],
    "b": lambda at: _MONTHS[at.month - 1][:3],
    "W": lambda at: _DAYS[at.weekday()],
    "a": lambda at: _DAYS[at.weekday()][:3],
    "w": lambda at: str(at.isoweekday() % 7),
    "j": lambda at: f"{at.timetuple().tm_yday:03d}",
    "v": lambda at: f"{at.isocalendar().week:02d}",
    "x": lambda at: f"{at.isocalendar().year:04d}",
    "U": lambda at: f"{_week(at, 0):02d}",
    "u": lambda at: f"{_week(at, 1):02d}",
}


def check_format(template: str) -> None:
    """Raises :class:`FunctionProblem` for a format that is not known here."""
    if len(template) > 200:
        raise FunctionProblem("a format of more than 200 characters is too long here")
    for match in re.finditer(r"%(.?)", template, re.DOTALL):
        if match[1] in ("V", "X"):
            raise FunctionProblem(f"%{match[1]} is not supported in formats here")


def format_time(text: str, template: str) -> str:
    """``DATE_FORMAT(x, '%Y-%m')``; a letter that means nothing stands for itself."""
    check_format(template)
    at = moment(text)
    return re.sub(
        r"%(.)", lambda match: _PARTS[match[1]](at) if match[1] in _PARTS else match[1], template, flags=re.DOTALL
    )


_READ = {
    "Y": r"(?P<year>\d{4})", "y": r"(?P<short>\d{2})", "m": r"(?P<month>\d{1,2})", "c": r"(?P<month>\d{1,2})",
    "d": r"(?P<day>\d{1,2})", "e": r"(?P<day>\d{1,2})", "H": r"(?P<hour>\d{1,2})", "k": r"(?P<hour>\d{1,2})",
    "i": r"(?P<minute>\d{1,2})", "s": r"(?P<second>\d{1,2})", "S": r"(?P<second>\d{1,2})",
    "T": r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2}):(?P<second>\d{1,2})", "M": r"(?P<name>[A-Za-z]+)",
    "b": r"(?P<name>[A-Za-z]{3})", "%": "%",
}  # fmt: skip
_OF_DATE, _OF_TIME = frozenset("Yymcde" + "Mb"), frozenset("HkisST")


def parts_of_format(template: str) -> frozenset[str]:
    """``date`` and ``time``, as far as a format of STR_TO_DATE has them. Raises :class:`FunctionProblem`."""
    letters = frozenset(re.findall(r"%(.?)", template, re.DOTALL))
    if letters - _READ.keys():
        raise FunctionProblem(f"%{min(letters - _READ.keys())} is not supported in STR_TO_DATE() here")
    return frozenset(name for name, known in (("date", _OF_DATE), ("time", _OF_TIME)) if letters & known)


@lru_cache(maxsize=64)
def _reader(template: str) -> re.Pattern[str]:
    parts_of_format(template)
    pattern = ""
    for match in re.finditer(r"%(.)|(\s+)|(.)", template, re.DOTALL):
        pattern += _READ[match[1]] if match[1] else r"\s*" if match[2] else re.escape(match[3])
    try:
        return re.compile(r"\s*" + pattern)
    except re.error:
        raise FunctionProblem("a part that comes twice in a format is not supported here") from None


def read_time(text: str, template: str, is_strict: int) -> str | None:
    """``STR_TO_DATE(text, format)``; NULL for a text that does not follow it."""
    match = _reader(template).match(text)
    parts = match.groupdict() if match is not None else {}
    try:
        if match is None or text[match.end() :].strip():
            raise ValueError
        month = _month(parts["name"]) if parts.get("name") else int(parts.get("month") or 0)
        year = int(parts["year"]) if parts.get("year") else _century(int(parts.get("short") or 0))
        hour, minute, second = (int(parts.get(name) or 0) for name in ("hour", "minute", "second"))
        at = datetime(year, month, int(parts.get("day") or 0), hour, minute, second)
    except ValueError:
        if is_strict:
            raise FunctionProblem(f"Incorrect datetime value: '{text[:80]}' for function str_to_date") from None
        return None
    return written(at) if "time" in parts_of_format(template) else written(at)[:10]


def _month(name: str) -> int:
    for index, known in enumerate(_MONTHS):
        if name.lower() in (known.lower(), known[:3].lower()):
            return index + 1
    raise ValueError(name)


def _century(year: int) -> int:
    return year + (2000 if year < 70 else 1900)


def units_between(unit: str, earlier: str, later: str) -> int:
    """``TIMESTAMPDIFF(unit, a, b)``: whole units, cut towards zero."""
    first, second = moment(earlier), moment(later)
    if unit in ("month", "quarter", "year"):
        sign = 1
        if second < first:
            sign, first, second = -1, second, first
        months = (second.year - first.year) * 12 + second.month - first.month
        if _within_month(second) < _within_month(first):
            months -= 1
        return sign * (months // {"month": 1, "quarter": 3, "year": 12}[unit])
    micros = (second - first) // timedelta(microseconds=1)
    seconds = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
    length = SECOND * seconds[unit] if unit in seconds else 1
    return (1 if micros >= 0 else -1) * (abs(micros) // length)


def _within_month(at: datetime) -> tuple[int, timedelta]:
    return at.day, at - at.replace(hour=0, minute=0, second=0, microsecond=0)


def day_of_year(year: int, day: int) -> str | None:
    """``MAKEDATE(year, day)``."""
    if day < 1:
        return None
    try:
        return (date.fromisoformat(make_date(year, 1, 1)) + timedelta(days=day - 1)).isoformat()
    except OverflowError:
        return None


def to_days(text: str) -> int:
    """``TO_DAYS``: days since the year 0."""
    return moment(text).toordinal() + 365


# -- Documents ---------------------------------------------------------------------------------------------------------


def _found(text: str, path: str) -> tuple[Any, bool]:
    value = documents.parse(text)
    for key in json.loads(path):
        if isinstance(key, int):
            if isinstance(value, list) and key < len(value):
                value = value[key]
            elif key != 0 or isinstance(value, list):
                return None, False  # what is no array counts as one of itself
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return None, False
    return value, True


def json_at(text: str, path: str) -> str | None:
    """``JSON_EXTRACT``."""
    value, is_there = _found(text, path)
    return documents.dump(value) if is_there else None


def json_unquoted(text: str) -> str:
    """``JSON_UNQUOTE``: a text without its quotes, anything else as it is written; ``null`` for null."""
    value = documents.parse(text)
    return value if type(value) is str else documents.dump(value)


def json_size(text: str) -> int:
    """``JSON_LENGTH``: 1 for what is no array and no object."""
    value = documents.parse(text)
    return len(value) if isinstance(value, list | dict) else 1
