"""``to_char`` and ``to_date``: templates of patterns, for times and for numbers."""

from __future__ import annotations

import calendar
import re
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from simulator.sql.dialects.runtime.times import make_date, moment, read_timestamp, written
from simulator.sql.functions import FunctionProblem

MAX_TEMPLATE = 200

_TIME_PATTERN = re.compile(
    r'"(?P<quoted>[^"]*)"|(?P<fill>FM|fm)?(?P<name>YYYY|yyyy|IYYY|iyyy|YY|yy|MONTH|Month|month|MON|Mon|mon|MM|mm|MI|mi|MS|ms|US|us'
    r"|DAY|Day|day|DDD|ddd|DD|dd|DY|Dy|dy|ID|id|D|d|HH24|hh24|HH12|hh12|HH|hh|SS|ss|Q|q|WW|ww|IW|iw|W|w|AM|PM|am|pm"
    r"|A\.M\.|P\.M\.|a\.m\.|p\.m\.)(?P<ordinal>TH|th)?"
    r"|(?P<other>[^A-Za-z\"])|(?P<unknown>[A-Za-z])"
)


@lru_cache(maxsize=256)
def _time_items(template: str) -> tuple[tuple[str, str, bool, str], ...]:
    """The template's items: (pattern or "", literal text, whether FM stands before it, its ordinal ending)."""
    if len(template) > MAX_TEMPLATE:
        raise FunctionProblem(f"to_char() takes a template of at most {MAX_TEMPLATE} characters")
    items = []
    for match in _TIME_PATTERN.finditer(template):
        if match["unknown"] is not None:
            raise FunctionProblem(f'to_char() does not know the pattern "{template[match.start() :]}" here')
        if match["name"] is None:
            items.append(("", match["quoted"] if match["quoted"] is not None else match["other"], False, ""))
        else:
            items.append((match["name"], "", match["fill"] is not None, match["ordinal"] or ""))
    return tuple(items)


def check_time_template(template: str) -> None:
    """Raises :class:`FunctionProblem` for a template with a pattern that is not known here."""
    _time_items(template)


def time_to_char(text: str, template: str) -> str:
    """A timestamp by a template such as ``YYYY-MM-DD HH24:MI``."""
    value = moment(text)
    return "".join(literal or _time_part(value, name, fill, th) for name, literal, fill, th in _time_items(template))


def _time_part(value: datetime, name: str, fill: bool, ordinal: str) -> str:
    key = name.upper()
    iso = value.isocalendar()
    numbers = {
        "YYYY": (value.year, 4), "IYYY": (iso.year, 4), "YY": (value.year % 100, 2), "MM": (value.month, 2),
        "DD": (value.day, 2), "DDD": (value.timetuple().tm_yday, 3), "D": (value.isoweekday() % 7 + 1, 1),
        "ID": (value.isoweekday(), 1), "HH24": (value.hour, 2), "HH12": ((value.hour + 11) % 12 + 1, 2),
        "HH": ((value.hour + 11) % 12 + 1, 2), "MI": (value.minute, 2), "SS": (value.second, 2),
        "MS": (value.microsecond // 1000, 3), "US": (value.microsecond, 6), "Q": ((value.month - 1) // 3 + 1, 1),
        "WW": ((value.timetuple().tm_yday - 1) // 7 + 1, 2), "IW": (iso.week, 2), "W": ((value.day - 1) // 7 + 1, 1),
    }  # fmt: skip
    if key in numbers:
        number, width = numbers[key]
        written_number = str(number) if fill else str(number).zfill(width)
        if ordinal:
            ending = _ordinal(number)
            written_number += ending.upper() if ordinal.isupper() else ending
        return written_number
    if key in ("AM", "PM", "A.M.", "P.M."):
        word = ("PM" if value.hour >= 12 else "AM") if "." not in key else ("P.M." if value.hour >= 12 else "A.M.")
        return word if name.isupper() else word.lower()
    word, width = {
        "MONTH": (_MONTHS[value.month - 1], 9),
        "MON": (_MONTHS[value.month - 1][:3], 3),
        "DAY": (_DAYS[value.weekday()], 9),
        "DY": (_DAYS[value.weekday()][:3], 3),
    }[key]
    word = word.upper() if name.isupper() else word.lower() if name.islower() else word
    return word if fill else word.ljust(width)


def _ordinal(number: int) -> str:
    if number // 10 % 10 == 1:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_READ = {
    "YYYY": r"(?P<year>[0-9]{4})", "MM": r"(?P<month>[0-9]{1,2})", "DD": r"(?P<day>[0-9]{1,2})",
    "MON": r"(?P<name>[A-Za-z]{3})", "MONTH": r"(?P<name>[A-Za-z]{3,9})", "HH24": r"(?P<hour>[0-9]{1,2})",
    "MI": r"(?P<minute>[0-9]{1,2})", "SS": r"(?P<second>[0-9]{1,2})",
}  # fmt: skip


def _parts(text: str, template: str) -> dict[str, str]:
    pattern = ""
    for name, literal, _, _ in _time_items(template):
        if name and name.upper() not in _READ:
            raise FunctionProblem(f'to_date() does not know the pattern "{name}" here')
        pattern += _READ[name.upper()] if name else re.escape(literal)
    match = re.fullmatch(pattern, text)
    if match is None:
        raise FunctionProblem(f'"{text[:80]}" is not written as "{template}"')
    return match.groupdict()


def to_date(text: str, template: str) -> str:
    """A date read by a template."""
    parts = _parts(text, template)
    month = int(parts.get("month") or 1)
    if name := parts.get("name"):
        months = [item[: len(name)].lower() for item in _MONTHS]
        if name.lower() not in months:
            raise FunctionProblem(f'invalid value "{name}" for "Month"')
        month = months.index(name.lower()) + 1
    return make_date(int(parts.get("year") or 1), month, int(parts.get("day") or 1))


def to_timestamp(text: str, template: str) -> str:
    """A timestamp read by a template."""
    parts = _parts(text, template)
    clock = ":".join((parts.get(key) or "00").zfill(2) for key in ("hour", "minute", "second"))
    return read_timestamp(f"{to_date(text, template)} {clock}")


def last_day(text: str) -> str:
    """The last day of a date's month."""
    value = moment(text)
    return written(value.replace(day=calendar.monthrange(value.year, value.month)[1]))[:10]


# -- Numbers -----------------------------------------------------------------------------------------------------------

_NUMBER_TEMPLATE = re.compile(r"(?P<fill>FM|fm)?(?P<whole>[90,G]*)(?:(?P<point>[.D])(?P<part>[90]*))?(?P<tail>%?)")
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)


def check_number_template(template: str) -> None:
    """Raises :class:`FunctionProblem` for a template that is not known here."""
    match = _NUMBER_TEMPLATE.fullmatch(template)
    if match is None or len(template) > MAX_TEMPLATE or not set(match["whole"]) & set("90"):
        raise FunctionProblem(f'to_char() does not know the number template "{template[:80]}" here')


def number_to_char(value: float, template: str) -> str:
    """A number by a template such as ``FM999,990.00``: 9 digit or blank, 0 digit or zero, FM without padding."""
    check_number_template(template)
    match = _NUMBER_TEMPLATE.fullmatch(template)
    assert match is not None  # checked above  # noqa: S101
    fill = match["fill"] is not None
    part = match["part"] or ""
    number = Decimal(repr(value)).quantize(Decimal(1).scaleb(-len(part)), context=_EXACT)
    digits, _, decimals = f"{abs(number):f}".partition(".")
    whole = _whole(digits.lstrip("0"), match["whole"], fill)
    if whole is None:
        whole, decimals = "".join("#" if sign in "90" else sign for sign in match["whole"]), "#" * len(part)
    if fill:
        keep = part.rfind("0") + 1
        decimals = decimals[:keep] + decimals[keep:].rstrip("0")
    point = "." if match["point"] else ""
    minus = number < 0
    body = whole + point + decimals
    if not fill:
        bare = body.lstrip(" ")
        body = " " * (len(body) - len(bare)) + ("-" if minus else " ") + bare
    elif minus:
        body = "-" + body
    return body + match["tail"]


def _whole(digits: str, template: str, fill: bool) -> str | None:
    """The part before the point, or ``None`` when the number has more digits than the template."""
    places = [sign for sign in template if sign in "90"]
    if len(digits) > len(places):
        return None
    padded = digits.rjust(len(places))
    first_zero = next((index for index, sign in enumerate(places) if sign == "0"), len(places))
    started = False
    result = ""
    place = 0
    for sign in template:
        if sign in "90":
            digit = padded[place]
            if digit == " " and place >= first_zero:
                digit = "0"
            started = started or digit != " "
            result += digit
            place += 1
        else:
            result += "," if started else " "
    return result.replace(" ", "") if fill else result
