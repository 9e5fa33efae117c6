"""What only SQL Server computes: texts whatever their case, patterns with classes, .NET's formats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from functools import lru_cache
from typing import Any

import re2

from simulator.sql.dialects.runtime import texts
from simulator.sql.dialects.runtime.numbers import exact, round_numeric
from simulator.sql.dialects.runtime.times import moment
from simulator.sql.functions import FunctionProblem

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _lower(text: str) -> str:
    return texts.simple_lower(text)


def located(part: str, text: str, start: int) -> int:
    """``CHARINDEX``: the place of a part from a position on, whatever its case; 0 for none."""
    return _lower(text).find(_lower(part), max(start - 1, 0)) + 1 if part else 0


def replaced(text: str, old: str, new: str) -> str:
    """``REPLACE``, whatever the case."""
    if not old:
        return text
    lowered, wanted = _lower(text), _lower(old)

    def parts() -> Iterator[str]:
        position = 0
        while (found := lowered.find(wanted, position)) >= 0:
            yield text[position:found]
            yield new
            position = found + len(old)
        yield text[position:]

    return texts.joined(parts())


def stuffed(text: str, start: int, length: int, new: str) -> str | None:
    """``STUFF``: so many characters replaced."""
    if not 1 <= start <= len(text) or length < 0:
        return None
    return texts.bounded(text[: start - 1] + new + text[start - 1 + length :])


@lru_cache(maxsize=256)
def _pattern(pattern: str, escape: str) -> Any:
    result, index = "", 0
    while index < len(pattern):
        character = pattern[index]
        if escape and character == escape:
            index += 1
            if index == len(pattern):
                raise FunctionProblem("the escape character ends the pattern")
            result += re2.escape(pattern[index])
        elif character == "[" and "]" in pattern[index + 1 :]:
            end = pattern.index("]", index + 1)
            inside = re.sub(r"[\\^\[\]]", lambda match: "\\" + match[0], pattern[index + 1 : end].removeprefix("^"))
            negated = "^" if pattern[index + 1 : index + 2] == "^" else ""
            result += f"[{negated}{inside}]"
            index = end
        else:
            result += {"%": "(?s:.*)", "_": "(?s:.)"}.get(character) or re2.escape(character)
        index += 1
    try:
        return re2.compile(result)
    except re2.error:
        raise FunctionProblem("this pattern is not supported here") from None


def like(text: str, pattern: str, escape: str) -> int:
    """``LIKE`` with ``[a-c]``, whatever the case."""
    if len(pattern) > 1000:
        raise FunctionProblem("a pattern of more than 1,000 characters is too long here")
    return int(_pattern(_lower(pattern), _lower(escape)).fullmatch(_lower(text)) is not None)


def week(text: str) -> int:
    """``DATEPART(week, x)``: weeks begin on Sunday, the first with the year."""
    at = moment(text)
    return (at.timetuple().tm_yday - 1 + date(at.year, 1, 1).isoweekday() % 7) // 7 + 1


def name_of_part(part: str, text: str) -> str:
    """``DATENAME`` of a month or weekday."""
    at = moment(text)
    return _MONTHS[at.month - 1] if part == "month" else _DAYS[at.weekday()]


_FORMAT = re.compile(r"yyyy|yy|MMMM|MMM|MM|M|dddd|ddd|dd|d|HH|H|hh|h|mm|m|ss|s|tt|'[^']*'|[^A-Za-z']+|(?P<bad>.)")


def check_format(template: str) -> None:
    """Raises :class:`FunctionProblem` for a format of times that is not known here."""
    if len(template) < 2 or any(match["bad"] for match in _FORMAT.finditer(template)):
        raise FunctionProblem("FORMAT() takes yyyy, MM, MMM, dd, ddd, HH, mm, ss and signs here")


def format_time(text: str, template: str) -> str:
    """``FORMAT(x, 'yyyy-MM-dd')``."""
    check_format(template)
    at = moment(text)
    return "".join(_part(at, match.group()) for match in _FORMAT.finditer(template))


def _part(at: datetime, name: str) -> str:
    hour = (at.hour + 11) % 12 + 1
    parts = {
        "yyyy": f"{at.year:04d}", "yy": f"{at.year % 100:02d}", "MMMM": _MONTHS[at.month - 1],
        "MMM": _MONTHS[at.month - 1][:3], "MM": f"{at.month:02d}", "M": str(at.month),
        "dddd": _DAYS[at.weekday()], "ddd": _DAYS[at.weekday()][:3], "dd": f"{at.day:02d}", "d": str(at.day),
        "HH": f"{at.hour:02d}", "H": str(at.hour), "hh": f"{hour:02d}", "h": str(hour), "mm": f"{at.minute:02d}",
        "m": str(at.minute), "ss": f"{at.second:02d}", "s": str(at.second), "tt": "AM" if at.hour < 12 else "PM",
    }  # fmt: skip
    return parts.get(name, name.strip("'"))


_NUMBER_FORMAT = re.compile(r"[Nn]([0-9]?)|(#,##)?0(?:\.(0{1,9}))?")


def check_number_format(template: str) -> None:
    """Raises :class:`FunctionProblem` for a format of numbers that is not known here."""
    if _NUMBER_FORMAT.fullmatch(template) is None:
        raise FunctionProblem("FORMAT() takes 'N2', '0.00' and '#,##0.00' for numbers here")


def format_number(number: float, template: str) -> str:
    """``FORMAT(x, 'N2')``."""
    match = _NUMBER_FORMAT.fullmatch(template)
    if match is None:
        raise FunctionProblem("FORMAT() takes 'N2', '0.00' and '#,##0.00' for numbers here")
    is_plain = template[0] not in "Nn"
    digits = len(match[3] or "") if is_plain else int(match[1] or 2)
    comma = "" if is_plain and match[2] is None else ","
    return f"{exact(round_numeric(number, digits)):{comma}.{digits}f}"
