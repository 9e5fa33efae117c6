"""The SQL functions the engine adds, and SQLite's quadratic ones made linear.

``now``, ``new_id``, ``calculate``, ``decimal_round`` and ``regexp_full`` are for authors; the schema's triggers call
``decimal_round`` too. ``instr``, ``replace`` and the trims with two arguments stand in for SQLite's own, which take
from 50 ms to 25 s for two strings of 100 kB inside a single instruction, where no work limit can stop them.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Any, Protocol

import apsw
import re2

from simulator.errors import WorldwrightError
from simulator.sql.arithmetic import ArithmeticProblem, calculate
from simulator.sql.limits import MAX_VALUE_BYTES

MAX_PATTERN = 1_000
MAX_TRIM_CHARACTERS = 1_000
MAX_SCALE = 15


class WorldContext(Protocol):
    """What the functions ask of the world."""

    def now(self) -> str:
        """The world's time as ``YYYY-MM-DD HH:MM:SS``."""

    def new_id(self, table: str) -> int | str:
        """A key of ``table`` that was never used. Raises :class:`FunctionProblem` for a table that makes none."""


class FunctionProblem(WorldwrightError):
    """A function cannot work with the values it was given. Stops the statement; becomes a ``sql_value`` problem."""


def register_functions(connection: apsw.Connection, context: WorldContext) -> None:
    """Add the functions to a connection."""

    def now() -> str:
        return context.now()

    def new_id(table: Any) -> int | str:
        if not isinstance(table, str):
            raise FunctionProblem("new_id() needs the name of a table.")
        return context.new_id(table)

    to_text = _number_formatter()
    pure = apsw.SQLITE_DETERMINISTIC | apsw.SQLITE_INNOCUOUS
    functions: list[tuple[str, Callable[..., Any], int, int]] = [
        ("now", now, 0, apsw.SQLITE_INNOCUOUS),
        ("new_id", new_id, 1, apsw.SQLITE_DIRECTONLY),
        ("calculate", _calculate, 1, pure),
        ("decimal_round", decimal_round, 2, pure),
        ("regexp_full", regexp_full, 2, pure),
        ("instr", lambda text, part: _instr(text, part, to_text), 2, pure),
        ("replace", lambda text, old, new: _replace(text, old, new, to_text), 3, pure),
    ]
    for name, strip in (("trim", str.strip), ("ltrim", str.lstrip), ("rtrim", str.rstrip)):
        functions.append((name, _trimmer(strip, to_text), 2, pure))
    for name, function, arguments, flags in functions:
        connection.create_scalar_function(name, function, arguments, flags=flags)


def decimal_round(value: Any, scale: Any) -> float | None:
    """``value`` rounded half up, away from zero, to ``scale`` decimal digits, on the shortest decimal that names it.

    So 2.675 becomes 2.68, as on paper, though its binary value is a little less. NULL stays NULL.
    """
    if value is None:
        return None
    if isinstance(value, str | bytes) or not isinstance(scale, int) or not 0 <= scale <= MAX_SCALE:
        raise FunctionProblem(f"decimal_round() needs a number and a scale from 0 to {MAX_SCALE}.")
    number = float(value)
    if not -(2.0**53) < number < 2.0**53:  # such floats are whole, or infinite
        return number
    return float(Decimal(repr(number)).quantize(_STEPS[scale], context=_HALF_UP)) + 0.0


_HALF_UP = Context(prec=40, rounding=ROUND_HALF_UP)
_STEPS = tuple(Decimal(1).scaleb(-scale) for scale in range(MAX_SCALE + 1))


def regexp_full(pattern: Any, text: Any) -> int | None:
    """1 if the whole ``text`` matches the RE2 ``pattern``, else 0; NULL if either is NULL. Linear in the text."""
    if pattern is None or text is None:
        return None
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        raise FunctionProblem(f"regexp_full() needs a pattern of at most {MAX_PATTERN} characters.")
    if not isinstance(text, str):
        raise FunctionProblem("regexp_full() matches text only.")
    return int(_compiled(pattern).fullmatch(text) is not None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 22
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error
        raise FunctionProblem(f"The pattern {pattern!r} is not a regular expression: {reason}.") from error


def _calculate(expression: Any) -> float | None:
    if expression is None:
        return None
    try:
        value = calculate(expression if isinstance(expression, str) else repr(expression))
    except ArithmeticProblem as problem:
        raise FunctionProblem(f"calculate() cannot work out {str(expression)[:80]!r}: {problem}.") from problem
    return decimal_round(value, 2)


ToText = Callable[[Any], str]


def _number_formatter() -> ToText:
    """Values as SQLite writes them as text. Its floats differ from Python's, so they are asked of SQLite itself."""
    formatter = apsw.Connection(":memory:")

    def to_text(value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bytes):
            return value.decode("utf-8", errors="replace")
        if isinstance(value, int):
            return str(value)
        return str(formatter.execute("select cast(? as text)", (value,)).get)

    return to_text


def _instr(text: Any, part: Any, to_text: ToText) -> int | None:
    if text is None or part is None:
        return None
    if isinstance(text, bytes) and isinstance(part, bytes):
        return text.find(part) + 1
    return to_text(text).find(to_text(part)) + 1


def _replace(text: Any, old: Any, new: Any, to_text: ToText) -> str | None:
    if text is None or old is None:
        return None
    old_text = to_text(old)
    if not old_text:
        return to_text(text)
    if new is None:
        return None
    whole, new_text = to_text(text), to_text(new)
    if len(whole) + whole.count(old_text) * (len(new_text) - len(old_text)) > MAX_VALUE_BYTES:
        raise apsw.TooBigError("string or blob too big")  # as SQLite's own would, before it makes the text
    return whole.replace(old_text, new_text)


def _trimmer(strip: Callable[[str, str], str], to_text: ToText) -> Callable[[Any, Any], str | None]:
    def trim(text: Any, characters: Any) -> str | None:
        if text is None or characters is None:
            return None
        strip_set = to_text(characters)
        if len(strip_set) > MAX_TRIM_CHARACTERS:
            raise FunctionProblem(f"Trimming takes at most {MAX_TRIM_CHARACTERS} characters.")
        # Python strips its own idea of blanks when given an empty set; SQLite then strips nothing.
        return strip(to_text(text), strip_set) if strip_set else to_text(text)

    return trim
